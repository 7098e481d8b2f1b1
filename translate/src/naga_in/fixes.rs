//! What naga wrote, written otherwise where the profile names a driver's fault ([`crate::TranslationFixes`]).
//!
//! `split_clamp` has nothing to do here: naga writes no `NClamp`. The point size and the names are options of the writer.

use crate::error::Error;
use crate::lower::{TURN, TURN_REST, TURNS};
use crate::options::TranslationFixes;
use crate::spirv::{DENSE_ENOUGH, SIGN_BIT, SIZE_BITS};
use crate::spirv_in::{Global, Inst, Rewriter};
use spirv::{Decoration, GlslStd450Op as Glsl, Op};

/// Applies the fixes to a module of naga's.
pub(super) fn apply(words: &[u32], fixes: &TranslationFixes) -> Result<Vec<u32>, Error> {
    let each = |r: &mut Rewriter<'_>, inst: &Inst<'_>, next: Option<&Inst<'_>>| Ok(one(r, fixes, inst, next));
    Rewriter::run(words, each, |_| Ok(()))
}

/// Writes that no operation on floats may be contracted: what `precise` asks for on some, done for all.
pub(super) fn uncontracted(words: &[u32]) -> Result<Vec<u32>, Error> {
    let each = |r: &mut Rewriter<'_>, inst: &Inst<'_>, _: Option<&Inst<'_>>| {
        use Op::{Dot, FAdd, FDiv, FMod, FMul, FNegate, FRem, FSub, MatrixTimesMatrix, MatrixTimesScalar};
        use Op::{MatrixTimesVector, OuterProduct, VectorTimesMatrix, VectorTimesScalar};
        let computes = [
            FAdd,
            FSub,
            FMul,
            FDiv,
            FRem,
            FMod,
            FNegate,
            Dot,
            VectorTimesScalar,
            MatrixTimesScalar,
            VectorTimesMatrix,
            MatrixTimesVector,
            MatrixTimesMatrix,
            OuterProduct,
        ];
        if let (Some(op), Some(id)) = (inst.op(), inst.get(2))
            && computes.contains(&op)
        {
            r.decorate(Op::Decorate, &[id, Decoration::NoContraction as u32]);
        }
        Ok(0)
    };
    Rewriter::run(words, each, |_| Ok(()))
}

/// Whether any fix concerns what naga writes.
pub(super) fn any(fixes: &TranslationFixes) -> bool {
    fixes.sine_range || fixes.int_to_float || fixes.dense_switch || fixes.float_bits
}

fn one(r: &mut Rewriter<'_>, fixes: &TranslationFixes, inst: &Inst<'_>, next: Option<&Inst<'_>>) -> usize {
    let written = match (inst.op(), inst.rest(1)) {
        (Some(Op::FNegate), &[ty, id, value]) if fixes.float_bits => {
            float_bits(r, Op::BitwiseXor, SIGN_BIT, ty, id, value)
        }
        (Some(Op::ExtInst), &[ty, id, _, function, value]) if fixes.float_bits && function == Glsl::FAbs as u32 => {
            float_bits(r, Op::BitwiseAnd, SIZE_BITS, ty, id, value)
        }
        (Some(Op::ExtInst), &[ty, id, set, function, value])
            if fixes.sine_range && [Glsl::Sin as u32, Glsl::Cos as u32].contains(&function) =>
        {
            angle(r, ty, set, value).map(|angle| r.write(Op::ExtInst, &[ty, id, set, function, angle]))
        }
        (Some(op @ (Op::ConvertSToF | Op::ConvertUToF)), &[ty, id, value]) if fixes.int_to_float => {
            int_to_float(r, op, ty, id, value)
        }
        (Some(Op::SelectionMerge), _) if fixes.dense_switch => {
            return next.and_then(|switch| dense_switch(r, inst, switch)).map_or(0, |()| 2);
        }
        _ => None,
    };
    usize::from(written.is_some())
}

/// Does something to a float's bits.
fn float_bits(r: &mut Rewriter<'_>, op: Op, mask: u32, ty: u32, id: u32, value: u32) -> Option<()> {
    let n = r.components(ty, Op::TypeFloat)?;
    let (bits, mask) = (r.global(Global::Integers(n)), r.global(Global::Integer(n, mask)));
    let before = r.value(Op::Bitcast, bits, &[value]);
    let after = r.value(op, bits, &[before, mask]);
    r.write(Op::Bitcast, &[ty, id, after]);
    Some(())
}

/// An angle without its whole turns: as in the lowering.
fn angle(r: &mut Rewriter<'_>, ty: u32, set: u32, value: u32) -> Option<u32> {
    let n = r.components(ty, Op::TypeFloat)?;
    let [turns, turn, rest, zero] = [TURNS, -TURN, -TURN_REST, 0.0].map(|c| r.global(Global::Float(n, c.to_bits())));
    let turns = r.value(Op::FMul, ty, &[value, turns]);
    let turns = r.value(Op::ExtInst, ty, &[set, Glsl::RoundEven as u32, turns]);
    let near = r.value(Op::ExtInst, ty, &[set, Glsl::Fma as u32, turns, turn, value]);
    let near = r.value(Op::ExtInst, ty, &[set, Glsl::Fma as u32, turns, rest, near]);
    let truth = r.global(Global::Bools(n));
    let none = r.value(Op::FOrdEqual, truth, &[turns, zero]);
    Some(r.value(Op::Select, ty, &[none, value, near]))
}

/// The halves of an integer, each exactly a float, joined: the product is exact, so that the sum rounds once.
fn int_to_float(r: &mut Rewriter<'_>, convert: Op, ty: u32, id: u32, value: u32) -> Option<()> {
    let n = r.components(ty, Op::TypeFloat)?;
    let integer = r.type_of(value)?;
    r.components(integer, Op::TypeInt)?;
    let [sixteen, low_bits] = [16, 0xffff].map(|bits| r.global(Global::Integer(n, bits)));
    let shift = if convert == Op::ConvertSToF { Op::ShiftRightArithmetic } else { Op::ShiftRightLogical };
    let unsigned = r.global(Global::Integers(n));
    let high = r.value(shift, integer, &[value, sixteen]);
    let high = r.value(convert, ty, &[high]);
    let low = r.value(Op::BitwiseAnd, unsigned, &[value, low_bits]);
    let low = r.value(Op::ConvertUToF, ty, &[low]);
    let unit = r.global(Global::Float(n, 65536f32.to_bits()));
    let high = r.value(Op::FMul, ty, &[high, unit]);
    r.write(Op::FAdd, &[ty, id, high, low]);
    Some(())
}

/// A switch over far-apart values goes over the cases' numbers.
fn dense_switch(r: &mut Rewriter<'_>, merge: &Inst<'_>, switch: &Inst<'_>) -> Option<()> {
    let &[selector, default, ref cases @ ..] = switch.rest(1) else { return None };
    let selected = r.type_of(selector)?;
    if switch.op() != Some(Op::Switch) || r.components(selected, Op::TypeInt) != Some(1) {
        return None;
    }
    let (cases, _) = cases.as_chunks::<2>();
    let literals = || cases.iter().map(|case| case[0]);
    if literals().max()? - literals().min()? <= DENSE_ENOUGH {
        return None;
    }
    let (truth, integer) = (r.global(Global::Bools(1)), r.global(Global::Integers(1)));
    let mut number = r.global(Global::Integer(1, cases.len() as u32));
    let mut operands = vec![default];
    for (n, [literal, label]) in (0..).zip(cases) {
        let [literal, own] = [*literal, n].map(|bits| r.global(Global::Integer(1, bits)));
        let equal = r.value(Op::IEqual, truth, &[selector, literal]);
        number = r.value(Op::Select, integer, &[equal, own, number]);
        operands.extend([n, *label]);
    }
    operands.insert(0, number);
    r.write(Op::SelectionMerge, merge.rest(1));
    r.write(Op::Switch, &operands);
    Some(())
}
