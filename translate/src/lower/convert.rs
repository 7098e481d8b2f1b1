//! Conversions between numbers: clamped, 0 for NaN, halves rounded to zero.

use super::Lower;
use super::registers::{As, Lanes, mask_lanes};
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
                let value = self.float_to_signed(a, ty.with_kind(Kind::S32));
                self.write(inst, dst, value)?;
            }
            Opcode::Ftou => {
                let a = self.float(a, mask)?;
                let value = self.float_to_unsigned(a, ty);
                self.write(inst, dst, value)?;
            }
            Opcode::Itof | Opcode::Utof => {
                let kind = if inst.op == Opcode::Itof { Kind::S32 } else { Kind::U32 };
                let a = self.source(a, mask, kind, As::Int)?;
                let value = self.int_to_float(a);
                self.write(inst, dst, value)?;
            }
            Opcode::F32tof16 => self.half(inst, dst, a, ty)?,
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
        let [most, zero] = [i32::MAX as u32, 0].map(|bits| self.builder.constant(Kind::S32, bits));
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

    /// To a half, toward zero, in integers: `PackHalf2x16` rounds as the driver likes, and a driver may take what unpacks
    /// its result for the number that was packed.
    fn half(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, ty: Type) -> Result<(), Error> {
        let value = self.float(a, dst.components.mask())?;
        let bits = self.builder.convert(value, Kind::U32);
        let truth = ty.with_kind(Kind::Bool);
        let [size_bits, thirteen, rebias, least_normal, most, infinity, sixteen, sign_bit, half_infinity, half_nan] =
            [0x7fff_ffff, 13, 112 << 10, 0x3880_0000, 0x7bff, 0x7f80_0000, 16, 0x8000, 0x7c00, 0x7e00].map(|bits| {
                let scalar = self.builder.u32(bits);
                self.builder.splat(scalar, ty.width())
            });
        let size = self.builder.op(Op::And, ty, &[bits, size_bits]);
        let shifted = self.builder.op(Op::ShrLogical, ty, &[size, thirteen]);
        let normal = self.builder.op(Op::ISub, ty, &[shifted, rebias]);
        // Below 2^-14 a half counts units of 2^-24.
        let scale = self.float_constant(16_777_216.0, ty.width());
        let magnitude = self.builder.convert(size, Kind::F32);
        let scaled = self.builder.op(Op::FMul, ty.with_kind(Kind::F32), &[magnitude, scale]);
        let units = self.builder.op(Op::FToU, ty, &[scaled]);
        let is_small = self.builder.op(Op::ULess, truth, &[size, least_normal]);
        let finite = self.builder.select(is_small, units, normal);
        let finite = self.builder.op(Op::UMin, ty, &[finite, most]);
        let is_nan = self.builder.op(Op::ULess, truth, &[infinity, size]);
        let special = self.builder.select(is_nan, half_nan, half_infinity);
        let is_finite = self.builder.op(Op::ULess, truth, &[size, infinity]);
        let half = self.builder.select(is_finite, finite, special);
        let high = self.builder.op(Op::ShrLogical, ty, &[bits, sixteen]);
        let sign = self.builder.op(Op::And, ty, &[high, sign_bit]);
        let value = self.builder.op(Op::Or, ty, &[half, sign]);
        self.write(inst, dst, value)
    }
}
