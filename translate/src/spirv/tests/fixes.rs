//! What each fix of the profile does to the words.

use super::*;
use crate::TranslationFixes;
use spirv::{GlslStd450Op as Glsl, Op as S};

fn with(function: &Function, fixes: TranslationFixes) -> Written {
    let written = write_for(function, &Profile { fixes, ..Profile::default() });
    written.assert_compact();
    written.assert_no_leftovers();
    written
}

/// A fragment shader of one operation on floats of a width.
fn operation(op: Op, args: usize, ty: Type) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let args: Vec<ValueId> = (0..args).map(|_| s.value(ty)).collect();
    let value = s.b.op(op, ty, &args);
    s.sink(value);
    s.finish()
}

fn extended(written: &Written) -> Vec<u32> {
    let number = |inst: &&Instruction| match inst.operands[1] {
        Operand::LiteralExtInstInteger(number) => number,
        _ => 0,
    };
    written.find(S::ExtInst).iter().map(number).collect()
}

#[test]
fn split_clamp_writes_nmin_of_nmax() {
    for ty in [Type::F32, F32X4] {
        let function = operation(Op::NClamp, 3, ty);
        assert_eq!(extended(&with(&function, TranslationFixes::NONE)), [Glsl::NClamp as u32]);
        let written = with(&function, TranslationFixes { split_clamp: true, ..TranslationFixes::NONE });
        assert_eq!(extended(&written), [Glsl::NMax as u32, Glsl::NMin as u32]);
        let [raised, result] = written.find(S::ExtInst)[..] else { panic!("two") };
        assert_eq!(result.operands[2].unwrap_id_ref(), raised.result_id.unwrap(), "the minimum is of the maximum");
    }
}

#[test]
fn float_bits_clears_and_turns_the_sign_as_a_bit() {
    for (op, bits, mask) in [(Op::FAbs, S::BitwiseAnd, 0x7fff_ffff), (Op::FNegate, S::BitwiseXor, 0x8000_0000)] {
        for ty in [Type::F32, F32X2, F32X4] {
            let function = operation(op, 1, ty);
            let plain = with(&function, TranslationFixes::NONE);
            assert_eq!([plain.count(bits), plain.count(S::Bitcast)], [0, 0]);
            assert_eq!(plain.count(S::FNegate) + plain.count(S::ExtInst), 1);
            let written = with(&function, TranslationFixes { float_bits: true, ..TranslationFixes::NONE });
            assert_eq!([written.count(bits), written.count(S::Bitcast)], [1, 2]);
            assert_eq!(written.count(S::FNegate) + written.count(S::ExtInst), 0);
            let constant = written.def(written.find(bits)[0].operands[1].unwrap_id_ref());
            let scalar = match constant.class.opcode {
                S::ConstantComposite => {
                    assert_eq!(constant.operands.len(), usize::from(ty.width()));
                    written.def(constant.operands[0].unwrap_id_ref())
                }
                _ => constant,
            };
            assert_eq!(scalar.operands[0].unwrap_literal_bit32(), mask);
        }
    }
}

#[test]
fn float_bits_leaves_doubles_alone() {
    let function = operation(Op::FNegate, 1, Type::new(Kind::F64, 1));
    let fixes = TranslationFixes { float_bits: true, ..TranslationFixes::NONE };
    assert_eq!(with(&function, fixes).count(S::FNegate), 1);
}

/// A switch over some values; the first falls through to the second.
fn switch(values: &[u32]) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let selector = s.value(Type::U32);
    let blocks: Vec<_> = values.iter().map(|_| s.b.new_block()).collect();
    let [default, merge] = [(); 2].map(|()| s.b.new_block());
    let cases: Vec<_> = values.iter().copied().zip(blocks.iter().copied()).collect();
    let (first, count) = s.b.cases(&cases);
    s.b.end(Merge::Selection(merge), Terminator::Switch { selector, default, first, count });
    for (i, &block) in blocks.iter().enumerate() {
        s.b.begin(block);
        s.b.branch(if i == 0 && blocks.len() > 1 { blocks[1] } else { merge });
    }
    s.b.begin(default);
    s.b.branch(merge);
    s.b.begin(merge);
    s.finish()
}

fn literals(written: &Written) -> Vec<u32> {
    written.find(S::Switch)[0].operands[2..].iter().step_by(2).map(Operand::unwrap_literal_bit32).collect()
}

#[test]
fn dense_switch_goes_over_the_cases_numbers() {
    let values = [7, 0x1000_0000, 9];
    let function = switch(&values);
    let plain = with(&function, TranslationFixes::NONE);
    assert_eq!((literals(&plain), plain.count(S::Select)), (values.to_vec(), 0));
    let written = with(&function, TranslationFixes { dense_switch: true, ..TranslationFixes::NONE });
    assert_eq!((literals(&written), written.count(S::Select)), (vec![0, 1, 2], 3));
    // Each comparison is with a case's value and chooses its number; the switch is over the last choice.
    let constant = |operand: &Operand| written.def(operand.unwrap_id_ref()).operands[0].unwrap_literal_bit32();
    for (n, select) in written.find(S::Select).into_iter().enumerate() {
        let equal = written.def(select.operands[0].unwrap_id_ref());
        assert_eq!(constant(&equal.operands[1]), values[n]);
        assert_eq!(constant(&select.operands[1]) as usize, n);
    }
    let first = written.find(S::Select)[0];
    assert_eq!(constant(&first.operands[2]), 3, "no case has the number past the last");
    let last = written.find(S::Select)[2].result_id.unwrap();
    assert_eq!(written.find(S::Switch)[0].operands[0].unwrap_id_ref(), last);
}

#[test]
fn dense_switch_leaves_values_alone_that_lie_near_each_other() {
    let fixes = TranslationFixes { dense_switch: true, ..TranslationFixes::NONE };
    for (values, wide) in [(vec![1, 257], false), (vec![1, 258], true), (vec![u32::MAX], false), (vec![], false)] {
        let written = with(&switch(&values), fixes);
        assert_eq!(written.count(S::Select), if wide { values.len() } else { 0 }, "{values:?}");
    }
}

#[test]
fn bare_varyings_have_no_names_and_resources_keep_theirs() {
    let mut s = Shader::new(Stage::Fragment);
    let place = Place::Location { location: 0, component: 0, index: 0 };
    let decorations = InterfaceDecorations::default();
    let input = s.b.var(VarKind::Input { ty: F32X4, array: None, place, decorations }, "TEXCOORD0");
    let value = s.b.load_constant(F32X4, Flags::NONE, input, &[]);
    let output = s.b.var(VarKind::Output { ty: F32X4, array: None, place, decorations }, "SV_Target0");
    s.b.push(Op::Store, Type::VOID, Flags::NONE, output.0, &[value]);
    let descriptor = s.descriptor(Count::One);
    let kind = VarKind::StorageBuffer {
        element: Type::U32,
        inner: 0,
        stride: 4,
        access: MemoryDecorations::default(),
        descriptor,
    };
    let buffer = s.b.var(kind, "Lights");
    let index = s.b.u32(0);
    let bits = s.b.u32(1);
    s.b.push(Op::Store, Type::VOID, Flags::NONE, buffer.0, &[bits, index]);
    let function = s.finish();
    let names = |fixes| {
        let written = with(&function, fixes);
        let text = |inst: &Instruction| inst.operands[1].unwrap_literal_string().to_owned();
        written.find(S::Name).into_iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(names(TranslationFixes::NONE), ["TEXCOORD0", "SV_Target0", "Lights"]);
    assert_eq!(names(TranslationFixes { bare_varyings: true, ..TranslationFixes::NONE }), ["Lights"]);
}
