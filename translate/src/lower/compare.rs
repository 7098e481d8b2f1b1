//! Comparisons: they make truth values; the mask is made where somebody needs its bits.

use super::Lower;
use crate::Error;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{Kind, LaneRef, Op, Type};

impl<'a> Lower<'a> {
    /// Lowers a comparison; false for all else.
    pub(super) fn lower_compare(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        let Some((op, kind)) = comparison(inst.op) else { return Ok(false) };
        let [dst, a, b] = operands else { return Err(self.bad_operand("a comparison of two values")) };
        let mask = dst.components.mask();
        let ty = Type::new(Kind::Bool, (mask.count_ones() as u8).max(1));
        if matches!(op, Op::IEqual | Op::INotEqual) && self.compare_mask(dst, a, b, op)? {
            return Ok(true);
        }
        let (a, b) = match kind {
            Kind::F32 => (self.float(a, mask)?, self.float(b, mask)?),
            _ => (self.int(a, mask)?, self.int(b, mask)?),
        };
        let value = self.builder.op(op, ty, &[a, b]);
        self.write(inst, dst, value)?;
        Ok(true)
    }

    /// `ieq` and `ine` of a truth value with 0: the value itself, or its opposite.
    fn compare_mask(&mut self, dst: &Operand, a: &Operand, b: &Operand, op: Op) -> Result<bool, Error> {
        let mask = dst.components.mask();
        if self.compare_truths(dst, a, b, op)? {
            return Ok(true);
        }
        for (truth, zero) in [(a, b), (b, a)] {
            if truth.neg || truth.abs {
                continue;
            }
            let lanes = self.lanes_of(zero, mask)?;
            let zeros =
                lanes.as_slice().iter().all(|l| l.value().is_some_and(|v| self.builder.as_constant(v) == Some(0)));
            let truths = self.lanes_of(truth, mask)?;
            let is_truth = |l: &LaneRef| l.value().is_some_and(|v| self.builder.ty(v).kind() == Kind::Bool);
            if zeros && truths.as_slice().iter().all(is_truth) {
                if op == Op::INotEqual {
                    self.write_each(dst, &truths)?;
                } else {
                    let value = self.builder.gather(truths.as_slice(), Kind::Bool);
                    let value = self.builder.not(value);
                    self.write_lanes(dst, |n| LaneRef::new(value, n), self.builder.ty(value).width() > 1)?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<'a> Lower<'a> {
    /// Two truth values compared.
    fn compare_truths(&mut self, dst: &Operand, a: &Operand, b: &Operand, op: Op) -> Result<bool, Error> {
        let mask = dst.components.mask();
        let (x, y) = (self.lanes_of(a, mask)?, self.lanes_of(b, mask)?);
        let is_truth = |l: &LaneRef| l.value().is_some_and(|v| self.builder.ty(v).kind() == Kind::Bool);
        let plain = !(a.neg || a.abs || b.neg || b.abs);
        if mask == 0 || !plain || !x.as_slice().iter().chain(y.as_slice()).all(is_truth) {
            return Ok(false);
        }
        let (x, y) = (self.builder.gather(x.as_slice(), Kind::Bool), self.builder.gather(y.as_slice(), Kind::Bool));
        let op = if op == Op::IEqual { Op::LogicalEqual } else { Op::LogicalNotEqual };
        let value = self.builder.op(op, self.builder.ty(x), &[x, y]);
        self.write_lanes(dst, |n| LaneRef::new(value, n), mask.count_ones() > 1)?;
        Ok(true)
    }
}

fn comparison(op: Opcode) -> Option<(Op, Kind)> {
    Some(match op {
        Opcode::Eq => (Op::FOrdEqual, Kind::F32),
        Opcode::Ne => (Op::FUnordNotEqual, Kind::F32),
        Opcode::Lt => (Op::FOrdLess, Kind::F32),
        Opcode::Ge => (Op::FOrdGreaterEqual, Kind::F32),
        Opcode::Ieq => (Op::IEqual, Kind::U32),
        Opcode::Ine => (Op::INotEqual, Kind::U32),
        Opcode::Ilt => (Op::SLess, Kind::U32),
        Opcode::Ige => (Op::SGreaterEqual, Kind::U32),
        Opcode::Ult => (Op::ULess, Kind::U32),
        Opcode::Uge => (Op::UGreaterEqual, Kind::U32),
        _ => return None,
    })
}
