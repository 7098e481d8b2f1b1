//! `mov`, `movc`, `swapc`: bits go through as they are, and a move without modifiers costs nothing.

use super::Lower;
use super::registers::{As, Lanes};
use crate::Error;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{Kind, LaneRef, ValueId};

impl<'a> Lower<'a> {
    /// Lowers a move; false for all else.
    pub(super) fn lower_move(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        match (inst.op, operands) {
            (Opcode::Mov, [dst, a]) => self.mov(inst, dst, a)?,
            (Opcode::Movc, [dst, condition, a, b]) => {
                let value = self.choose(inst, dst, condition, a, b)?;
                self.write(inst, dst, value)?;
            }
            (Opcode::Swapc, [first, second, condition, a, b]) => {
                let x = self.choose(inst, first, condition, b, a)?;
                let y = self.choose(inst, second, condition, a, b)?;
                self.write(inst, first, x)?;
                self.write(inst, second, y)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn mov(&mut self, inst: &Instruction, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        if inst.saturate {
            let value = self.float(a, mask)?;
            return self.write(inst, dst, value);
        }
        if a.neg || a.abs {
            let value = self.source(a, mask, Kind::U32, As::Bits)?;
            return self.write(inst, dst, value);
        }
        let lanes = self.lanes_of(a, mask)?;
        self.write_each(dst, &lanes)
    }

    /// condition ? a : b at the lanes of a destination.
    fn choose(
        &mut self,
        inst: &Instruction,
        dst: &Operand,
        condition: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<ValueId, Error> {
        let mask = dst.components.mask();
        if mask == 0 {
            return Ok(self.builder.u32(0));
        }
        let condition = self.lanes_of(condition, mask)?;
        let condition = self.builder.gather(condition.as_slice(), Kind::Bool);
        let modified = a.neg || a.abs || b.neg || b.abs;
        let (kind, take) = if inst.saturate {
            (Kind::F32, As::Float)
        } else if modified {
            (Kind::U32, As::Bits)
        } else {
            let (x, y) = (self.lanes_of(a, mask)?, self.lanes_of(b, mask)?);
            (self.common_kind(&[x, y]), As::Bits)
        };
        let (a, b) = (self.source(a, mask, kind, take)?, self.source(b, mask, kind, take)?);
        Ok(self.builder.select(condition, a, b))
    }

    /// The kind in which lanes move with the fewest conversions.
    fn common_kind(&self, sources: &[Lanes]) -> Kind {
        let (mut floats, mut ints, mut truths, mut constants_float, mut constants_truth) = (0, 0, 0, false, true);
        for lane in sources.iter().flat_map(|s| s.as_slice()).copied().filter(|l| *l != LaneRef::UNDEFINED) {
            let Some(value) = lane.value() else { continue };
            if let Some(bits) = self.builder.as_constant(value) {
                constants_truth &= matches!(bits, 0 | u32::MAX);
                // The bits of any float of a usual size; small integers are denormal as floats.
                constants_float |= (0x0080_0000..=0x7f80_0000).contains(&(bits & 0x7fff_ffff));
                continue;
            }
            match self.builder.ty(value).kind() {
                Kind::F32 => floats += 1,
                Kind::Bool => truths += 1,
                _ => ints += 1,
            }
        }
        match (floats, ints, truths) {
            (0, 0, 1..) if constants_truth => Kind::Bool,
            (1.., 0, 0) => Kind::F32,
            (0, 0, 0) if constants_float => Kind::F32,
            (f, i, _) if f > i => Kind::F32,
            _ => Kind::U32,
        }
    }
}
