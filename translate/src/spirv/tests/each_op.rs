//! Every operation, in the smallest function that has it: a row says what must be written.

use super::*;
use crate::ir::{BuiltIn, Effect, ImageFlags, sync};
use spirv::Op as S;

/// What an operation must become.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want {
    /// An instruction.
    Core(S),
    /// An instruction of the extended set, by its number in `GLSL.std.450`.
    Extended(u32),
}

use Want::{Core, Extended};

/// Same-typed operands: result type, number of operands, what must be written.
fn same(op: Op) -> Option<(Type, usize, Want)> {
    let f4 = F32X4;
    let u4 = U32X4;
    let s4 = Type::new(Kind::S32, 4);
    let b2 = Type::new(Kind::Bool, 2);
    Some(match op {
        Op::FAdd => (f4, 2, Core(S::FAdd)),
        Op::FSub => (f4, 2, Core(S::FSub)),
        Op::FMul => (f4, 2, Core(S::FMul)),
        Op::FDiv => (f4, 2, Core(S::FDiv)),
        Op::FNegate => (f4, 1, Core(S::FNegate)),
        Op::FAbs => (f4, 1, Extended(4)),
        Op::Fma => (f4, 3, Extended(50)),
        Op::NMin => (f4, 2, Extended(79)),
        Op::NMax => (f4, 2, Extended(80)),
        Op::NClamp => (f4, 3, Extended(81)),
        Op::Floor => (f4, 1, Extended(8)),
        Op::Ceil => (f4, 1, Extended(9)),
        Op::Trunc => (f4, 1, Extended(3)),
        Op::RoundEven => (f4, 1, Extended(2)),
        Op::Fract => (f4, 1, Extended(10)),
        Op::Sqrt => (f4, 1, Extended(31)),
        Op::InverseSqrt => (f4, 1, Extended(32)),
        Op::Exp2 => (f4, 1, Extended(29)),
        Op::Log2 => (f4, 1, Extended(30)),
        Op::Sin => (f4, 1, Extended(13)),
        Op::Cos => (f4, 1, Extended(14)),
        Op::IAdd => (u4, 2, Core(S::IAdd)),
        Op::ISub => (u4, 2, Core(S::ISub)),
        Op::IMul => (u4, 2, Core(S::IMul)),
        Op::INegate => (u4, 1, Core(S::SNegate)),
        Op::UDiv => (u4, 2, Core(S::UDiv)),
        Op::UMod => (u4, 2, Core(S::UMod)),
        Op::And => (u4, 2, Core(S::BitwiseAnd)),
        Op::Or => (u4, 2, Core(S::BitwiseOr)),
        Op::Xor => (u4, 2, Core(S::BitwiseXor)),
        Op::Not => (u4, 1, Core(S::Not)),
        Op::Shl => (u4, 2, Core(S::ShiftLeftLogical)),
        Op::ShrLogical => (u4, 2, Core(S::ShiftRightLogical)),
        Op::ShrArithmetic => (u4, 2, Core(S::ShiftRightArithmetic)),
        Op::UMin => (u4, 2, Extended(38)),
        Op::UMax => (u4, 2, Extended(41)),
        Op::SMin => (s4, 2, Extended(39)),
        Op::SMax => (s4, 2, Extended(42)),
        Op::BitCount => (u4, 1, Core(S::BitCount)),
        Op::BitReverse => (u4, 1, Core(S::BitReverse)),
        Op::FindLsb => (u4, 1, Extended(73)),
        Op::FindUMsb => (u4, 1, Extended(75)),
        Op::FindSMsb => (u4, 1, Extended(74)),
        Op::LogicalAnd => (b2, 2, Core(S::LogicalAnd)),
        Op::LogicalOr => (b2, 2, Core(S::LogicalOr)),
        Op::LogicalEqual => (b2, 2, Core(S::LogicalEqual)),
        Op::LogicalNotEqual => (b2, 2, Core(S::LogicalNotEqual)),
        Op::LogicalNot => (b2, 1, Core(S::LogicalNot)),
        Op::Dpdx => (f4, 1, Core(S::DPdx)),
        Op::Dpdy => (f4, 1, Core(S::DPdy)),
        Op::DpdxCoarse => (f4, 1, Core(S::DPdxCoarse)),
        Op::DpdyCoarse => (f4, 1, Core(S::DPdyCoarse)),
        Op::DpdxFine => (f4, 1, Core(S::DPdxFine)),
        Op::DpdyFine => (f4, 1, Core(S::DPdyFine)),
        _ => return None,
    })
}

/// Operands of other types than the result: result, operands, what must be written.
fn mixed(op: Op) -> Option<(Type, Vec<Type>, Want)> {
    let (f1, f2, f4, u1, u2, u4) = (Type::F32, F32X2, F32X4, Type::U32, U32X2, U32X4);
    let s4 = Type::new(Kind::S32, 4);
    let b4 = Type::new(Kind::Bool, 4);
    let pair = Type::new(Kind::PairU32, 2);
    Some(match op {
        Op::FScale => (f4, vec![f4, f1], Core(S::VectorTimesScalar)),
        Op::Dot => (f1, vec![f4, f4], Core(S::Dot)),
        Op::Construct => (f4, vec![f2, f1, f1], Core(S::CompositeConstruct)),
        Op::Bitcast => (u4, vec![f4], Core(S::Bitcast)),
        Op::AddCarry => (pair, vec![u2, u2], Core(S::IAddCarry)),
        Op::SubBorrow => (pair, vec![u2, u2], Core(S::ISubBorrow)),
        Op::UMulExtended => (pair, vec![u2, u2], Core(S::UMulExtended)),
        Op::SMulExtended => (pair, vec![u2, u2], Core(S::SMulExtended)),
        Op::BitFieldInsert => (u4, vec![u4, u4, u1, u1], Core(S::BitFieldInsert)),
        Op::BitFieldUExtract => (u4, vec![u4, u1, u1], Core(S::BitFieldUExtract)),
        Op::BitFieldSExtract => (u4, vec![u4, u1, u1], Core(S::BitFieldSExtract)),
        Op::FToS => (s4, vec![f4], Core(S::ConvertFToS)),
        Op::FToU => (u4, vec![f4], Core(S::ConvertFToU)),
        Op::SToF => (f4, vec![s4], Core(S::ConvertSToF)),
        Op::UToF => (f4, vec![u4], Core(S::ConvertUToF)),
        Op::FConvert => (Type::new(Kind::F64, 1), vec![f1], Core(S::FConvert)),
        Op::PackHalf => (u1, vec![f2], Extended(58)),
        Op::UnpackHalf => (f2, vec![u1], Extended(62)),
        Op::FOrdEqual => (b4, vec![f4, f4], Core(S::FOrdEqual)),
        Op::FUnordNotEqual => (b4, vec![f4, f4], Core(S::FUnordNotEqual)),
        Op::FOrdLess => (b4, vec![f4, f4], Core(S::FOrdLessThan)),
        Op::FOrdGreaterEqual => (b4, vec![f4, f4], Core(S::FOrdGreaterThanEqual)),
        Op::IsNan => (b4, vec![f4], Core(S::IsNan)),
        Op::IsInf => (b4, vec![f4], Core(S::IsInf)),
        Op::IEqual => (b4, vec![u4, u4], Core(S::IEqual)),
        Op::INotEqual => (b4, vec![u4, u4], Core(S::INotEqual)),
        Op::ULess => (b4, vec![u4, u4], Core(S::ULessThan)),
        Op::UGreaterEqual => (b4, vec![u4, u4], Core(S::UGreaterThanEqual)),
        Op::SLess => (b4, vec![u4, u4], Core(S::SLessThan)),
        Op::SGreaterEqual => (b4, vec![u4, u4], Core(S::SGreaterThanEqual)),
        Op::Any => (Type::BOOL, vec![b4], Core(S::Any)),
        Op::All => (Type::BOOL, vec![b4], Core(S::All)),
        Op::Select => (f4, vec![b4, f4, f4], Core(S::Select)),
        Op::TexelsResident => (Type::BOOL, vec![u1], Core(S::ImageSparseTexelsResident)),
        _ => return None,
    })
}

/// A function that has an operation, and what must be written for it.
pub(super) fn case(op: Op) -> (Function, Want) {
    if let Some((ty, count, want)) = same(op) {
        return plain(op, ty, &vec![ty; count], want);
    }
    if let Some((ty, operands, want)) = mixed(op) {
        return plain(op, ty, &operands, want);
    }
    match op {
        Op::Const | Op::Const64 | Op::ConstVector | Op::Specialization | Op::Undef => constant(op),
        Op::Phi => (super::control::join(), Core(S::Phi)),
        Op::Extract | Op::Shuffle | Op::Member => part(op),
        Op::InterpolateAtCentroid | Op::InterpolateAtSample | Op::InterpolateAtOffset => interpolation(op),
        Op::ControlBarrier | Op::MemoryBarrier | Op::Demote | Op::IsHelper => alone(op),
        Op::BeginInterlock | Op::EndInterlock | Op::EmitVertex | Op::EndPrimitive => alone(op),
        Op::Load | Op::Store | Op::ArrayLength => buffer(op),
        _ if op >= Op::AtomicAdd && op <= Op::AtomicCompareExchange => atomic(op),
        _ => image(op),
    }
}

fn plain(op: Op, ty: Type, operands: &[Type], want: Want) -> (Function, Want) {
    let mut s = Shader::new(Stage::Fragment);
    let args: Vec<ValueId> = operands.iter().map(|&operand| s.value(operand)).collect();
    let value = s.b.op(op, ty, &args);
    s.sink(value);
    (s.finish(), want)
}

fn constant(op: Op) -> (Function, Want) {
    let mut s = Shader::new(Stage::Fragment);
    let (value, want) = match op {
        Op::Const => (s.b.f32(1.5), Core(S::Constant)),
        Op::Const64 => (s.b.constant64(Kind::F64, 1.5f64.to_bits()), Core(S::Constant)),
        Op::ConstVector => {
            let (one, two) = (s.b.u32(1), s.b.u32(2));
            (s.b.construct(U32X2, &[one, two]), Core(S::ConstantComposite))
        }
        Op::Specialization => (s.b.specialization(3, 1), Core(S::SpecConstant)),
        _ => (s.b.undef(F32X4), Core(S::Undef)),
    };
    s.sink(value);
    (s.finish(), want)
}

fn part(op: Op) -> (Function, Want) {
    let mut s = Shader::new(Stage::Fragment);
    let want = match op {
        Op::Extract => {
            let vector = s.value(F32X4);
            let part = s.b.extract(vector, 2);
            s.sink(part);
            Core(S::CompositeExtract)
        }
        Op::Shuffle => {
            let (a, b) = (s.value(F32X4), s.value(F32X2));
            let mixed = s.b.push(Op::Shuffle, F32X4, Flags::NONE, 0x5_3_4_0, &[a, b]);
            s.sink(mixed);
            Core(S::VectorShuffle)
        }
        _ => {
            let (a, b) = (s.value(Type::U32), s.value(Type::U32));
            let pair = s.b.op(Op::UMulExtended, Type::new(Kind::PairU32, 1), &[a, b]);
            s.sink(pair);
            Core(S::CompositeExtract)
        }
    };
    (s.finish(), want)
}

fn interpolation(op: Op) -> (Function, Want) {
    let mut s = Shader::new(Stage::Fragment);
    let input = s.input(F32X4);
    let (args, number) = match op {
        Op::InterpolateAtCentroid => (vec![], 76),
        Op::InterpolateAtSample => (vec![s.b.u32(1)], 77),
        _ => (vec![s.value(F32X2)], 78),
    };
    let value = s.b.push(op, F32X4, Flags::NONE, input.0, &args);
    s.sink(value);
    (s.finish(), Extended(number))
}

fn alone(op: Op) -> (Function, Want) {
    let (stage, ty, aux, want) = match op {
        Op::ControlBarrier => (Stage::Compute, Type::VOID, sync::GROUP, S::ControlBarrier),
        Op::MemoryBarrier => (Stage::Compute, Type::VOID, sync::DEVICE, S::MemoryBarrier),
        Op::Demote => (Stage::Fragment, Type::VOID, 0, S::DemoteToHelperInvocation),
        Op::BeginInterlock => (Stage::Fragment, Type::VOID, 0, S::BeginInvocationInterlockEXT),
        Op::EndInterlock => (Stage::Fragment, Type::VOID, 0, S::EndInvocationInterlockEXT),
        Op::EmitVertex => (Stage::Geometry, Type::VOID, 0, S::EmitVertex),
        Op::EndPrimitive => (Stage::Geometry, Type::VOID, 1, S::EndStreamPrimitive),
        _ => (Stage::Fragment, Type::BOOL, 0, S::IsHelperInvocationEXT),
    };
    let mut s = Shader::new(stage);
    let value = s.b.push(op, ty, Flags::NONE, aux, &[]);
    s.sink(value);
    (s.finish(), Core(want))
}

fn buffer(op: Op) -> (Function, Want) {
    let mut s = Shader::new(Stage::Compute);
    let buffer = s.buffer(Type::U32, 0);
    let want = match op {
        Op::ArrayLength => {
            let length = s.b.push(op, Type::U32, Flags::NONE, buffer.0, &[]);
            s.sink(length);
            S::ArrayLength
        }
        _ => {
            let value = s.value(Type::U32);
            s.sink(value);
            if op == Op::Load { S::Load } else { S::Store }
        }
    };
    (s.finish(), Core(want))
}

fn atomic(op: Op) -> (Function, Want) {
    let mut s = Shader::new(Stage::Compute);
    let buffer = s.buffer(Type::U32, 0);
    let (value, index) = (s.value(Type::U32), s.b.u32(7));
    let args = if op == Op::AtomicCompareExchange { vec![value, index, index] } else { vec![value, index] };
    let old = s.b.push(op, Type::U32, Flags::NONE, buffer.0, &args);
    s.sink(old);
    let want = match op {
        Op::AtomicAdd => S::AtomicIAdd,
        Op::AtomicAnd => S::AtomicAnd,
        Op::AtomicOr => S::AtomicOr,
        Op::AtomicXor => S::AtomicXor,
        Op::AtomicUMin => S::AtomicUMin,
        Op::AtomicUMax => S::AtomicUMax,
        Op::AtomicSMin => S::AtomicSMin,
        Op::AtomicSMax => S::AtomicSMax,
        Op::AtomicExchange => S::AtomicExchange,
        _ => S::AtomicCompareExchange,
    };
    (s.finish(), Core(want))
}

fn image(op: Op) -> (Function, Want) {
    let mut s = Shader::new(Stage::Fragment);
    let storage = matches!(op, Op::ImageRead | Op::ImageWrite | Op::ImageQuerySize);
    let multisampled = op == Op::ImageQuerySamples;
    let image = s.image_handle(ImageType { multisampled, ..image_type(ImageDim::D2, storage) });
    let (place, texel) = (s.value(F32X2), s.value(U32X2));
    let zero = s.b.u32(0);
    let (ty, aux, args, want) = match op {
        Op::Handle | Op::ImageSample => {
            let sampler = s.sampler_handle();
            let want = if op == Op::Handle { S::Load } else { S::ImageSampleImplicitLod };
            (F32X4, ImageFlags::NONE, vec![image, sampler, place], want)
        }
        Op::ImageSampleExplicit => {
            let (sampler, lod) = (s.sampler_handle(), s.b.f32(0.0));
            (F32X4, ImageFlags::LOD, vec![image, sampler, place, lod], S::ImageSampleExplicitLod)
        }
        Op::ImageGather => {
            let sampler = s.sampler_handle();
            (F32X4, ImageFlags::COMPONENT, vec![image, sampler, place, zero], S::ImageGather)
        }
        Op::ImageQueryLod => {
            let sampler = s.sampler_handle();
            (F32X2, ImageFlags::NONE, vec![image, sampler, place], S::ImageQueryLod)
        }
        Op::ImageFetch => (F32X4, ImageFlags::LOD, vec![image, texel, zero], S::ImageFetch),
        Op::ImageRead => (F32X4, ImageFlags::NONE, vec![image, texel], S::ImageRead),
        Op::ImageWrite => {
            let value = s.value(F32X4);
            (Type::VOID, ImageFlags::NONE, vec![image, texel, value], S::ImageWrite)
        }
        Op::ImageQuerySizeLod => (U32X2, ImageFlags::NONE, vec![image, zero], S::ImageQuerySizeLod),
        Op::ImageQuerySize => (U32X2, ImageFlags::NONE, vec![image], S::ImageQuerySize),
        Op::ImageQueryLevels => (Type::U32, ImageFlags::NONE, vec![image], S::ImageQueryLevels),
        Op::ImageQuerySamples => (Type::U32, ImageFlags::NONE, vec![image], S::ImageQuerySamples),
        _ => panic!("{op:?} has no case: add a row above"),
    };
    let used = if op == Op::Handle { Op::ImageSample } else { op };
    let value = s.b.push(used, ty, Flags::NONE, aux.0, &args);
    s.sink(value);
    (s.finish(), Core(want))
}

#[test]
fn every_operation_is_written() {
    for &op in Op::ALL {
        let (function, want) = case(op);
        let has = function.insts.iter().any(|inst| inst.op == op);
        assert!(has, "the case of {op:?} has none");
        for target in TARGETS {
            let written = write(&function, target);
            let found = match want {
                Core(opcode) => written.count(opcode),
                Extended(number) => {
                    let number = Operand::LiteralExtInstInteger(number);
                    written.find(S::ExtInst).iter().filter(|inst| inst.operands[1] == number).count()
                }
            };
            assert!(found > 0, "{op:?} for {target:?} did not become {want:?}:\n{}", written.text());
            written.assert_compact();
            written.assert_no_leftovers();
        }
    }
}

#[test]
fn an_operation_keeps_its_types_and_operands_in_order() {
    for &op in Op::ALL {
        let Some((ty, operands, Core(opcode))) = mixed(op) else { continue };
        if op == Op::INotEqual || op == Op::Bitcast || op == Op::Construct {
            // Their feeding values use the same opcode.
            continue;
        }
        let written = write(&plain(op, ty, &operands, Core(opcode)).0, Target::Vulkan13);
        let inst = written.find(opcode)[0];
        assert_eq!(inst.operands.len(), operands.len(), "{op:?}");
        let order: Vec<u32> = inst.operands.iter().filter_map(Operand::id_ref_any).collect();
        assert!(order.is_sorted(), "{op:?} swaps its operands: {order:?}");
    }
}

#[test]
fn only_writes_survive_alone() {
    for &op in Op::ALL {
        let (function, _) = case(op);
        let mut unseen = function.clone();
        // Without the stores nothing is seen but what is a write itself.
        let keep = |inst: &crate::ir::Inst| inst.op.effect() == Effect::Write && inst.op != Op::Store;
        let writes = function.insts.iter().filter(|inst| keep(inst)).count();
        for inst in &mut unseen.insts {
            if inst.op == Op::Store {
                *inst =
                    crate::ir::Inst { op: Op::Undef, ty: Type::F32, flags: Flags::NONE, count: 0, first: 0, aux: 0 };
            }
        }
        let branches = unseen.blocks.len() > 1;
        let words = write(&unseen, Target::Vulkan13).words.len();
        assert!(writes > 0 || branches || words < 45, "{op:?} leaves {words} words");
    }
}

#[test]
fn contraction_is_forbidden_only_where_it_could_happen() {
    let arithmetic = [Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FNegate, Op::Fma, Op::FScale, Op::Dot];
    for &op in Op::ALL {
        let (mut function, _) = case(op);
        function.insts.iter_mut().filter(|inst| inst.op == op).for_each(|inst| inst.flags = Flags::NO_CONTRACTION);
        let written = write(&function, Target::Vulkan13);
        let no_contraction =
            |inst: &&Instruction| inst.operands[1] == Operand::Decoration(spirv::Decoration::NoContraction);
        let found = written.find(S::Decorate).into_iter().filter(no_contraction).count();
        assert_eq!(found, usize::from(arithmetic.contains(&op)), "{op:?}");
    }
}

#[test]
fn a_helper_is_known_without_the_demotion_feature() {
    let (function, _) = alone(Op::IsHelper);
    let mut profile = Profile::default();
    profile.features.demote_to_helper = false;
    let written = write_for(&function, &profile);
    assert_eq!(written.capabilities(), ["Shader"]);
    assert_eq!(written.extensions(), [""; 0]);
    let load = written.find(S::Load)[0];
    let variable = load.operands[0].unwrap_id_ref();
    assert_eq!(written.decorations(variable), [format!("BuiltIn {:?}", BuiltIn::HelperInvocation), "Flat".into()][..1]);
}
