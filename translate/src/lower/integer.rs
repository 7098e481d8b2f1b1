//! Integer and bit arithmetic.

use super::Lower;
use super::registers::{As, Lanes, mask_lanes};
use crate::Error;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{Kind, LaneRef, Op, Type, ValueId};

impl<'a> Lower<'a> {
    /// Lowers integer arithmetic; false for all else.
    pub(super) fn lower_integer(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        match (inst.op, operands) {
            (Opcode::Iadd, [dst, a, b]) => self.iadd(inst, dst, a, b)?,
            (Opcode::And | Opcode::Or | Opcode::Xor, [dst, a, b]) => self.bits(inst, dst, a, b)?,
            (Opcode::Not, [dst, a]) => self.complement(inst, dst, a)?,
            (Opcode::Ishl, [dst, a, b]) => self.shift(inst, Op::Shl, dst, a, b)?,
            (Opcode::Ishr, [dst, a, b]) => self.shift(inst, Op::ShrArithmetic, dst, a, b)?,
            (Opcode::Ushr, [dst, a, b]) => self.shift(inst, Op::ShrLogical, dst, a, b)?,
            (Opcode::Imad | Opcode::Umad, [dst, a, b, c]) => self.imad(inst, dst, a, b, c)?,
            (Opcode::Imul, [hi, lo, a, b]) => self.multiply(inst, Op::SMulExtended, hi, lo, a, b)?,
            (Opcode::Umul, [hi, lo, a, b]) => self.multiply(inst, Op::UMulExtended, hi, lo, a, b)?,
            (Opcode::Udiv, [quotient, remainder, a, b]) => self.udiv(inst, quotient, remainder, a, b)?,
            (Opcode::Uaddc, [sum, carry, a, b]) => self.carry(inst, Op::AddCarry, sum, carry, a, b)?,
            (Opcode::Usubb, [difference, borrow, a, b]) => self.carry(inst, Op::SubBorrow, difference, borrow, a, b)?,
            (Opcode::FirstbitHi, [dst, a]) => self.first_bit(inst, Op::FindUMsb, dst, a)?,
            (Opcode::FirstbitShi, [dst, a]) => self.first_bit(inst, Op::FindSMsb, dst, a)?,
            (Opcode::Ubfe, [dst, width, offset, a]) => {
                self.extract_field(Op::BitFieldUExtract, dst, width, offset, a)?
            }
            (Opcode::Ibfe, [dst, width, offset, a]) => {
                self.extract_field(Op::BitFieldSExtract, dst, width, offset, a)?
            }
            (Opcode::Msad, [dst, reference, source, sum]) => self.msad(inst, dst, reference, source, sum)?,
            (Opcode::Bfi, [dst, width, offset, insert, base]) => self.insert_field(dst, width, offset, insert, base)?,
            (_, [dst, a]) => {
                let Some(op) = unary(inst.op) else { return Ok(false) };
                let value = self.int(a, dst.components.mask())?;
                let value = self.builder.op(op, Self::int_type(dst), &[value]);
                self.write(inst, dst, value)?;
            }
            (_, [dst, a, b]) => {
                let Some((op, kind)) = binary(inst.op) else { return Ok(false) };
                let mask = dst.components.mask();
                let (a, b) = (self.source(a, mask, kind, As::Int)?, self.source(b, mask, kind, As::Int)?);
                let value = self.builder.op(op, Self::int_type(dst).with_kind(kind), &[a, b]);
                self.write(inst, dst, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The type of a result under a mask.
    fn int_type(dst: &Operand) -> Type {
        Type::new(Kind::U32, (dst.components.mask().count_ones() as u8).max(1))
    }

    fn iadd(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        let ty = Self::int_type(dst);
        let (first, second) = if a.neg && !b.neg { (b, a) } else { (a, b) };
        let x = self.int(first, mask)?;
        let value = if second.neg && !self.is_literal(second) {
            let y = self.int(&Operand { neg: false, ..*second }, mask)?;
            self.builder.op(Op::ISub, ty, &[x, y])
        } else {
            let y = self.int(second, mask)?;
            if ty.width() == 1 { self.builder.add(x, y) } else { self.builder.op(Op::IAdd, ty, &[x, y]) }
        };
        self.write(inst, dst, value)
    }

    fn is_literal(&self, operand: &Operand) -> bool {
        operand.file == crate::dxbc::program::RegisterFile::Immediate32
    }

    fn is_truth_lane(&self, lane: &LaneRef) -> bool {
        lane.value().is_some_and(|v| self.builder.ty(v).kind() == Kind::Bool)
    }

    /// `and`, `or`, `xor`: on truth values they are logic, and `and` of a mask with anything is a choice.
    fn bits(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        let (x, y) = (self.lanes_of(a, mask)?, self.lanes_of(b, mask)?);
        let plain = !a.neg && !b.neg;
        let truths = |l: &Self, lanes: &Lanes| lanes.as_slice().iter().all(|lane| l.is_truth_lane(lane));
        let (tx, ty) = (truths(self, &x), truths(self, &y));
        let width = (mask.count_ones() as u8).max(1);
        if plain && tx && ty {
            let op = match inst.op {
                Opcode::And => Op::LogicalAnd,
                Opcode::Or => Op::LogicalOr,
                _ => Op::LogicalNotEqual,
            };
            let x = self.builder.gather(x.as_slice(), Kind::Bool);
            let y = self.builder.gather(y.as_slice(), Kind::Bool);
            let value = self.builder.op(op, Type::new(Kind::Bool, width), &[x, y]);
            return self.write(inst, dst, value);
        }
        if plain && inst.op == Opcode::And && (tx || ty) {
            let (truth, other) = if tx { (x, y) } else { (y, x) };
            let value = self.masked(&truth, &other);
            return self.write(inst, dst, value);
        }
        let op = match inst.op {
            Opcode::And => Op::And,
            Opcode::Or => Op::Or,
            _ => Op::Xor,
        };
        let (x, y) = (self.int(a, mask)?, self.int(b, mask)?);
        let value = self.builder.op(op, Type::new(Kind::U32, width), &[x, y]);
        self.write(inst, dst, value)
    }

    /// A value where true, zeros elsewhere.
    fn masked(&mut self, truth: &Lanes, other: &Lanes) -> ValueId {
        let mut float = false;
        let mut integer = false;
        for value in other.as_slice().iter().filter_map(|l| l.value()) {
            match self.builder.as_constant(value) {
                // 1.0 and its like are floats; small numbers are not.
                Some(bits) => float |= (0x0080_0000..=0x7f80_0000).contains(&(bits & 0x7fff_ffff)),
                None if self.builder.ty(value).kind() == Kind::F32 => float = true,
                None => integer = true,
            }
        }
        let kind = if float && !integer { Kind::F32 } else { Kind::U32 };
        let condition = self.builder.gather(truth.as_slice(), Kind::Bool);
        let value = self.builder.gather(other.as_slice(), kind);
        let width = self.builder.ty(value).width();
        let zero = self.builder.constant(kind, 0);
        let zero = self.builder.splat(zero, width);
        self.builder.select(condition, value, zero)
    }

    fn complement(&mut self, inst: &Instruction, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        let lanes = self.lanes_of(a, mask)?;
        let truth = !a.neg && lanes.as_slice().iter().all(|l| self.is_truth_lane(l));
        let value = if truth {
            let value = self.builder.gather(lanes.as_slice(), Kind::Bool);
            self.builder.not(value)
        } else {
            let value = self.int(a, mask)?;
            self.builder.op(Op::Not, Self::int_type(dst), &[value])
        };
        self.write(inst, dst, value)
    }

    /// The low five bits of every component.
    fn five_bits(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        if let Some(bits) = self.builder.as_constant(value) {
            return self.builder.u32(bits & 31);
        }
        if self.builder.is_constant(value) {
            let mut parts = [value; 4];
            for c in 0..ty.width() {
                let part = self.builder.extract(value, c);
                parts[usize::from(c)] = self.five_bits(part);
            }
            return self.builder.construct(ty, &parts[..usize::from(ty.width())]);
        }
        let mask = self.builder.u32(31);
        let mask = self.builder.splat(mask, ty.width());
        self.builder.op(Op::And, ty, &[value, mask])
    }

    fn shift(&mut self, inst: &Instruction, op: Op, dst: &Operand, a: &Operand, count: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        let (a, count) = (self.int(a, mask)?, self.int(count, mask)?);
        let count = self.five_bits(count);
        let value = self.builder.op(op, Self::int_type(dst), &[a, count]);
        self.write(inst, dst, value)
    }

    fn imad(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand, c: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        let ty = Self::int_type(dst);
        let (a, b) = (self.int(a, mask)?, self.int(b, mask)?);
        let product = self.builder.op(Op::IMul, ty, &[a, b]);
        let value = if c.neg && !self.is_literal(c) {
            let c = self.int(&Operand { neg: false, ..*c }, mask)?;
            self.builder.op(Op::ISub, ty, &[product, c])
        } else {
            let c = self.int(c, mask)?;
            self.builder.op(Op::IAdd, ty, &[product, c])
        };
        self.write(inst, dst, value)
    }

    fn multiply(
        &mut self,
        inst: &Instruction,
        op: Op,
        hi: &Operand,
        lo: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<(), Error> {
        let mask = lo.components.mask();
        let low = if mask == 0 {
            None
        } else {
            let (x, y) = (self.int(a, mask)?, self.int(b, mask)?);
            Some(self.builder.op(Op::IMul, Self::int_type(lo), &[x, y]))
        };
        let mask = hi.components.mask();
        let high = if mask == 0 {
            None
        } else {
            let ty = Self::int_type(hi);
            let (x, y) = (self.int(a, mask)?, self.int(b, mask)?);
            let pair = self.builder.op(op, ty.with_kind(Kind::PairU32), &[x, y]);
            Some(self.member(pair, 1))
        };
        self.write_two(inst, hi, high, lo, low)
    }

    /// Member `n` of a pair.
    fn member(&mut self, pair: ValueId, n: u32) -> ValueId {
        let ty = self.builder.ty(pair).with_kind(Kind::U32);
        self.builder.push(Op::Member, ty, crate::ir::Flags::NONE, n, &[pair])
    }

    fn write_two(
        &mut self,
        inst: &Instruction,
        first: &Operand,
        x: Option<ValueId>,
        second: &Operand,
        y: Option<ValueId>,
    ) -> Result<(), Error> {
        for (dst, value) in [(first, x), (second, y)] {
            if let Some(value) = value {
                self.write(inst, dst, value)?;
            }
        }
        Ok(())
    }

    /// Quotient and remainder; both are all ones where the divisor is 0.
    fn udiv(
        &mut self,
        inst: &Instruction,
        quotient: &Operand,
        remainder: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<(), Error> {
        let mut results = [None; 2];
        for (slot, (dst, op)) in results.iter_mut().zip([(quotient, Op::UDiv), (remainder, Op::UMod)]) {
            let mask = dst.components.mask();
            if mask == 0 {
                continue;
            }
            let (x, y) = (self.int(a, mask)?, self.int(b, mask)?);
            let ty = Self::int_type(dst);
            let value = self.builder.op(op, ty, &[x, y]);
            let zero = self.builder.u32(0);
            let zero = self.builder.splat(zero, ty.width());
            *slot = Some(if self.never_zero(y) {
                value
            } else {
                let ones = self.builder.u32(u32::MAX);
                let ones = self.builder.splat(ones, ty.width());
                let by_zero = self.builder.op(Op::IEqual, ty.with_kind(Kind::Bool), &[y, zero]);
                self.builder.select(by_zero, ones, value)
            });
        }
        self.write_two(inst, quotient, results[0], remainder, results[1])
    }

    /// Whether every component is a constant other than 0.
    fn never_zero(&mut self, value: ValueId) -> bool {
        self.builder.is_constant(value)
            && (0..self.builder.ty(value).width()).all(|c| {
                let part = self.builder.extract(value, c);
                self.builder.as_constant(part).is_some_and(|bits| bits != 0)
            })
    }

    fn carry(
        &mut self,
        inst: &Instruction,
        op: Op,
        result: &Operand,
        carry: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<(), Error> {
        let mut values = [None; 2];
        for (n, (slot, dst)) in values.iter_mut().zip([result, carry]).enumerate() {
            let mask = dst.components.mask();
            if mask != 0 {
                let (x, y) = (self.int(a, mask)?, self.int(b, mask)?);
                let pair = self.builder.op(op, Self::int_type(dst).with_kind(Kind::PairU32), &[x, y]);
                *slot = Some(self.member(pair, n as u32));
            }
        }
        self.write_two(inst, result, values[0], carry, values[1])
    }

    /// Direct3D counts from the highest bit, SPIR-V from the lowest; none is −1 in both.
    fn first_bit(&mut self, inst: &Instruction, op: Op, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let ty = Self::int_type(dst);
        let a = self.int(a, dst.components.mask())?;
        let found = self.builder.op(op, ty, &[a]);
        let (top, none) = (self.builder.u32(31), self.builder.u32(u32::MAX));
        let (top, none) = (self.builder.splat(top, ty.width()), self.builder.splat(none, ty.width()));
        let from_top = self.builder.op(Op::ISub, ty, &[top, found]);
        let is_none = self.builder.op(Op::IEqual, ty.with_kind(Kind::Bool), &[found, none]);
        let value = self.builder.select(is_none, none, from_top);
        self.write(inst, dst, value)
    }

    /// Offset and width of a field, made to end at bit 32 at the latest. Scalars.
    fn field(&mut self, width: &Operand, offset: &Operand, lane: u8) -> Result<(ValueId, ValueId), Error> {
        let (width, offset) = (self.int(width, lane)?, self.int(offset, lane)?);
        let (width, offset) = (self.five_bits(width), self.five_bits(offset));
        let room = match self.builder.as_constant(offset) {
            Some(offset) => self.builder.u32(32 - offset),
            None => {
                let size = self.builder.u32(32);
                self.builder.op(Op::ISub, Type::U32, &[size, offset])
            }
        };
        let width = match (self.builder.as_constant(width), self.builder.as_constant(room)) {
            (Some(width), Some(room)) => self.builder.u32(width.min(room)),
            (Some(_), None) | (None, Some(_)) | (None, None) => self.builder.op(Op::UMin, Type::U32, &[width, room]),
        };
        Ok((offset, width))
    }

    fn extract_field(
        &mut self,
        op: Op,
        dst: &Operand,
        width: &Operand,
        offset: &Operand,
        a: &Operand,
    ) -> Result<(), Error> {
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let (offset, width) = self.field(width, offset, 1 << lane)?;
            let base = self.int(a, 1 << lane)?;
            let value = self.builder.op(op, Type::U32, &[base, offset, width]);
            lanes.push(LaneRef::new(value, 0));
        }
        self.write_each(dst, &lanes)
    }

    /// The sum and the differences of four bytes; a reference byte of 0 does not count.
    fn msad(
        &mut self,
        inst: &Instruction,
        dst: &Operand,
        reference: &Operand,
        source: &Operand,
        sum: &Operand,
    ) -> Result<(), Error> {
        let mask = dst.components.mask();
        let ty = Self::int_type(dst);
        let (reference, source) = (self.int(reference, mask)?, self.int(source, mask)?);
        let mut total = self.int(sum, mask)?;
        let zero = self.builder.u32(0);
        let zero = self.builder.splat(zero, ty.width());
        let size = self.builder.u32(8);
        for byte in 0..4 {
            let offset = self.builder.u32(8 * byte);
            let a = self.builder.op(Op::BitFieldUExtract, ty, &[reference, offset, size]);
            let b = self.builder.op(Op::BitFieldUExtract, ty, &[source, offset, size]);
            let (most, least) = (self.builder.op(Op::UMax, ty, &[a, b]), self.builder.op(Op::UMin, ty, &[a, b]));
            let difference = self.builder.op(Op::ISub, ty, &[most, least]);
            let skipped = self.builder.op(Op::IEqual, ty.with_kind(Kind::Bool), &[a, zero]);
            let counted = self.builder.select(skipped, zero, difference);
            total = self.builder.op(Op::IAdd, ty, &[total, counted]);
        }
        self.write(inst, dst, total)
    }

    fn insert_field(
        &mut self,
        dst: &Operand,
        width: &Operand,
        offset: &Operand,
        insert: &Operand,
        base: &Operand,
    ) -> Result<(), Error> {
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let (offset, width) = self.field(width, offset, 1 << lane)?;
            let (base, insert) = (self.int(base, 1 << lane)?, self.int(insert, 1 << lane)?);
            let value = self.builder.op(Op::BitFieldInsert, Type::U32, &[base, insert, offset, width]);
            lanes.push(LaneRef::new(value, 0));
        }
        self.write_each(dst, &lanes)
    }
}

fn unary(op: Opcode) -> Option<Op> {
    Some(match op {
        Opcode::Ineg => Op::INegate,
        Opcode::Countbits => Op::BitCount,
        Opcode::Bfrev => Op::BitReverse,
        Opcode::FirstbitLo => Op::FindLsb,
        _ => return None,
    })
}

fn binary(op: Opcode) -> Option<(Op, Kind)> {
    Some(match op {
        Opcode::Imax => (Op::SMax, Kind::S32),
        Opcode::Imin => (Op::SMin, Kind::S32),
        Opcode::Umax => (Op::UMax, Kind::U32),
        Opcode::Umin => (Op::UMin, Kind::U32),
        _ => return None,
    })
}
