//! Conversions between numbers: clamped, 0 for NaN, halves rounded to zero.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use crate::Error;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{Kind, LaneRef, Op, Type, ValueId};

/// 2^31 and 2^32 as floats: the first values past the integers' ranges.
const PAST_I32: f32 = 2_147_483_648.0;
const PAST_U32: f32 = 4_294_967_296.0;

impl<'a> Lower<'a> {
    /// Lowers a conversion; false for all else.
    pub(super) fn lower_convert(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        let [dst, a] = operands else { return Ok(false) };
        let mask = dst.components.mask();
        let ty = Type::new(Kind::U32, (mask.count_ones() as u8).max(1));
        match inst.op {
            Opcode::Ftoi => {
                let a = self.float(a, mask)?;
                let value = self.float_to_signed(a, ty);
                self.write(inst, dst, value)?;
            }
            Opcode::Ftou => {
                let a = self.float(a, mask)?;
                let value = self.float_to_unsigned(a, ty);
                self.write(inst, dst, value)?;
            }
            Opcode::Itof | Opcode::Utof => {
                let op = if inst.op == Opcode::Itof { Op::SToF } else { Op::UToF };
                let a = self.int(a, mask)?;
                let value = self.builder.op(op, ty.with_kind(Kind::F32), &[a]);
                self.write(inst, dst, value)?;
            }
            Opcode::F32tof16 => self.to_half(dst, a)?,
            Opcode::F16tof32 => {
                let mut lanes = Lanes::none();
                for lane in mask_lanes(mask) {
                    let bits = self.int(a, 1 << lane)?;
                    let halves = self.builder.op(Op::UnpackHalf, Type::new(Kind::F32, 2), &[bits]);
                    lanes.push(LaneRef::new(halves, 0));
                }
                let value = self.builder.gather(lanes.as_slice(), Kind::F32);
                self.write(inst, dst, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn float_constant(&mut self, value: f32, width: u8) -> ValueId {
        let scalar = self.builder.f32(value);
        self.builder.splat(scalar, width)
    }

    /// Toward zero, clamped, 0 for NaN. What the conversion makes of a number past the range is never looked at.
    fn float_to_signed(&mut self, a: ValueId, ty: Type) -> ValueId {
        let truth = ty.with_kind(Kind::Bool);
        let least = self.float_constant(-PAST_I32, ty.width());
        let past = self.float_constant(PAST_I32, ty.width());
        let (most, zero) = (self.builder.u32(i32::MAX as u32), self.builder.u32(0));
        let (most, zero) = (self.builder.splat(most, ty.width()), self.builder.splat(zero, ty.width()));
        let low = self.builder.op(Op::NMax, ty.with_kind(Kind::F32), &[a, least]);
        let value = self.builder.op(Op::FToS, ty, &[low]);
        let over = self.builder.op(Op::FOrdGreaterEqual, truth, &[a, past]);
        let value = self.builder.select(over, most, value);
        let nan = self.builder.op(Op::IsNan, truth, &[a]);
        self.builder.select(nan, zero, value)
    }

    /// Toward zero, clamped; the larger of NaN and 0 is 0.
    fn float_to_unsigned(&mut self, a: ValueId, ty: Type) -> ValueId {
        let zero = self.float_constant(0.0, ty.width());
        let past = self.float_constant(PAST_U32, ty.width());
        let most = self.builder.u32(u32::MAX);
        let most = self.builder.splat(most, ty.width());
        let low = self.builder.op(Op::NMax, ty.with_kind(Kind::F32), &[a, zero]);
        let value = self.builder.op(Op::FToU, ty, &[low]);
        let over = self.builder.op(Op::FOrdGreaterEqual, ty.with_kind(Kind::Bool), &[a, past]);
        self.builder.select(over, most, value)
    }

    /// To a half, toward zero: packed to nearest, and one less where that went away from zero. A finite number that
    /// nearest makes an infinity becomes the largest half, since the infinity's bits less one are its bits.
    fn to_half(&mut self, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let mut lanes = Lanes::none();
        let pair = Type::new(Kind::F32, 2);
        for lane in mask_lanes(dst.components.mask()) {
            let a = self.float(a, 1 << lane)?;
            let (zero, one) = (self.builder.f32(0.0), self.builder.u32(1));
            let both = self.builder.construct(pair, &[a, zero]);
            let nearest = self.builder.op(Op::PackHalf, Type::U32, &[both]);
            let back = self.builder.op(Op::UnpackHalf, pair, &[nearest]);
            let back = self.builder.extract(back, 0);
            let back = self.builder.op(Op::FAbs, Type::F32, &[back]);
            let size = self.builder.op(Op::FAbs, Type::F32, &[a]);
            let away = self.builder.op(Op::FOrdLess, Type::BOOL, &[size, back]);
            let less = self.builder.op(Op::ISub, Type::U32, &[nearest, one]);
            let value = self.builder.select(away, less, nearest);
            lanes.push(LaneRef::new(value, 0));
        }
        self.write_each(dst, &lanes)
    }
}
