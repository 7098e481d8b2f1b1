//! Double precision: a double is two lanes, the low half first.
//!
//! Direct3D 11.3, 22.16 and 22.17: a register holds two doubles, in `xy` and in `zw`. A destination's `xy` takes what
//! the first doubles of the sources give and its `zw` what the second ones give, whichever of the two pairs the mask
//! has. A source of 32 bits has its first and second value in the first and second component of its swizzle. A
//! destination of 32 bits has a mask of one or two components: its first takes the first result, its second the second.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use crate::dxbc::opcodes::{Class, Opcode};
use crate::dxbc::program::{Instruction, Operand, RegisterFile};
use crate::ir::{Flags, Kind, LaneRef, Op, Type, ValueId};
use crate::{Error, ledger};

const F64: Type = Type::new(Kind::F64, 1);
/// A double's halves.
const HALVES: Type = Type::new(Kind::U32, 2);

impl<'a> Lower<'a> {
    /// Lowers an instruction on doubles; false for all else.
    pub(super) fn lower_double(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        if inst.op.info().operands.iter().all(|shape| shape.class != Class::Double) {
            return Ok(false);
        }
        if !self.options.profile.features.float64 {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "doubles need shaderFloat64"));
        }
        self.check_pairs(inst, operands)?;
        match (inst.op, operands) {
            (Opcode::Dmov, [dst, a]) if !a.neg && !a.abs && !inst.saturate => self.move_halves(dst, a)?,
            (Opcode::Dtof | Opcode::Dtoi | Opcode::Dtou, [dst, a]) => self.narrow_double(inst, dst, a)?,
            (Opcode::Ftod | Opcode::Itod | Opcode::Utod, [dst, a]) => self.widen_to_double(inst, dst, a)?,
            (Opcode::Deq | Opcode::Dne | Opcode::Dlt | Opcode::Dge, [dst, a, b]) => {
                self.compare_doubles(inst, dst, a, b)?
            }
            (_, [dst, sources @ ..]) => self.double_arithmetic(inst, dst, sources)?,
            _ => return Err(self.bad_operand("operands are missing")),
        }
        Ok(true)
    }

    /// A destination of doubles takes whole pairs; beside a double stand two 32-bit values at most.
    fn check_pairs(&self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let [dst, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let mask = dst.components.mask();
        let double = inst.op.info().operands.first().is_some_and(|shape| shape.class == Class::Double);
        let whole = if double { matches!(mask, 0 | 3 | 12 | 15) } else { mask.count_ones() <= 2 };
        if whole { Ok(()) } else { Err(self.bad_operand("a mask that is no pair of components")) }
    }

    /// The n-th double of an operand, with its modifiers.
    fn double(&mut self, operand: &Operand, n: u8) -> Result<ValueId, Error> {
        let lanes = if operand.file == RegisterFile::Immediate64 {
            let at = 2 * usize::from(operand.components.source(n) & 1);
            let low = self.builder.u32(operand.literal[at]);
            let high = self.builder.u32(operand.literal[at + 1]);
            Lanes::new(&[LaneRef::new(low, 0), LaneRef::new(high, 0)])
        } else {
            self.lanes_of(operand, 3 << (2 * n))?
        };
        let mut value = self.join_halves(&lanes);
        if operand.abs {
            value = self.builder.op(Op::FAbs, F64, &[value]);
        }
        if operand.neg {
            value = self.builder.op(Op::FNegate, F64, &[value]);
        }
        Ok(value)
    }

    fn join_halves(&mut self, lanes: &Lanes) -> ValueId {
        let halves = self.builder.gather(lanes.as_slice(), Kind::U32);
        let parts = [self.builder.extract(halves, 0), self.builder.extract(halves, 1)];
        if let [Some(low), Some(high)] = parts.map(|p| self.builder.as_constant(p)) {
            return self.builder.constant64(Kind::F64, u64::from(low) | u64::from(high) << 32);
        }
        let source = self.builder.bitcast_source(halves);
        match source {
            Some(source) if self.builder.ty(source) == F64 => source,
            _ => self.builder.op(Op::Bitcast, F64, &[halves]),
        }
    }

    fn halves(&mut self, value: ValueId) -> [LaneRef; 2] {
        let halves = self.builder.op(Op::Bitcast, HALVES, &[value]);
        [LaneRef::new(halves, 0), LaneRef::new(halves, 1)]
    }

    /// Writes doubles to the pairs of a destination's mask.
    fn write_doubles(&mut self, inst: &Instruction, dst: &Operand, values: &[ValueId]) -> Result<(), Error> {
        let mut lanes = Lanes::none();
        for &value in values {
            let value = if inst.saturate { self.saturate_double(value) } else { value };
            for half in self.halves(value) {
                lanes.push(half);
            }
        }
        self.write_each(dst, &lanes)
    }

    fn saturate_double(&mut self, value: ValueId) -> ValueId {
        let zero = self.builder.constant64(Kind::F64, 0);
        let one = self.builder.constant64(Kind::F64, 1f64.to_bits());
        self.builder.op(Op::NClamp, F64, &[value, zero, one])
    }

    /// The pairs of components that a destination takes, 0 for `xy` and 1 for `zw`. The sources' doubles, and their values
    /// of 32 bits, have the same numbers.
    fn pairs(dst: &Operand) -> std::ops::Range<u8> {
        match dst.components.mask() {
            3 => 0..1,
            12 => 1..2,
            15 => 0..2,
            _ => 0..0,
        }
    }

    fn move_halves(&mut self, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let mut lanes = Lanes::none();
        for pair in Self::pairs(dst) {
            let value = self.double(a, pair)?;
            for half in self.halves(value) {
                lanes.push(half);
            }
        }
        self.write_each(dst, &lanes)
    }

    fn double_arithmetic(&mut self, inst: &Instruction, dst: &Operand, sources: &[Operand]) -> Result<(), Error> {
        let mut results = [ValueId(0); 2];
        let pairs = Self::pairs(dst);
        for (result, pair) in results.iter_mut().zip(pairs.clone()) {
            *result = match (inst.op, sources) {
                (Opcode::Dmov, [a]) => self.double(a, pair)?,
                (Opcode::Dmovc, [condition, a, b]) => {
                    let lanes = self.lanes_of(condition, 1 << pair)?;
                    let condition = self.builder.gather(lanes.as_slice(), Kind::Bool);
                    let (a, b) = (self.double(a, pair)?, self.double(b, pair)?);
                    self.builder.select(condition, a, b)
                }
                (Opcode::Drcp, [a]) => {
                    let one = self.builder.constant64(Kind::F64, 1f64.to_bits());
                    let a = self.double(a, pair)?;
                    self.builder.op(Op::FDiv, F64, &[one, a])
                }
                (Opcode::Dfma, [a, b, c]) => {
                    let args = [self.double(a, pair)?, self.double(b, pair)?, self.double(c, pair)?];
                    self.builder.push(Op::Fma, F64, Flags::NO_CONTRACTION, 0, &args)
                }
                (_, [a, b]) => {
                    let Some(op) = binary(inst.op) else { return Err(self.other(inst)) };
                    let args = [self.double(a, pair)?, self.double(b, pair)?];
                    self.builder.push(op, F64, self.contraction(inst), 0, &args)
                }
                _ => return Err(self.bad_operand("operands are missing")),
            };
        }
        self.write_doubles(inst, dst, &results[..pairs.len()])
    }

    fn compare_doubles(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand) -> Result<(), Error> {
        let op = match inst.op {
            Opcode::Deq => Op::FOrdEqual,
            Opcode::Dne => Op::FUnordNotEqual,
            Opcode::Dlt => Op::FOrdLess,
            _ => Op::FOrdGreaterEqual,
        };
        let mut lanes = Lanes::none();
        for (n, _) in mask_lanes(dst.components.mask()).enumerate().take(2) {
            let args = [self.double(a, n as u8)?, self.double(b, n as u8)?];
            lanes.push(LaneRef::new(self.builder.op(op, Type::BOOL, &args), 0));
        }
        self.write_each(dst, &lanes)
    }

    fn narrow_double(&mut self, inst: &Instruction, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let mut lanes = Lanes::none();
        for (n, _) in mask_lanes(dst.components.mask()).enumerate().take(2) {
            let a = self.double(a, n as u8)?;
            let value = match inst.op {
                Opcode::Dtof => self.builder.op(Op::FConvert, Type::F32, &[a]),
                Opcode::Dtoi => self.double_to_signed(a),
                _ => self.double_to_unsigned(a),
            };
            lanes.push(LaneRef::new(value, 0));
        }
        let kind = match inst.op {
            Opcode::Dtof => Kind::F32,
            Opcode::Dtoi => Kind::S32,
            _ => Kind::U32,
        };
        let value = self.builder.gather(lanes.as_slice(), kind);
        self.write(inst, dst, value)
    }

    /// Toward zero, clamped, 0 for NaN.
    fn double_to_signed(&mut self, a: ValueId) -> ValueId {
        let clamped = self.clamp_double(a, f64::from(i32::MIN), f64::from(i32::MAX));
        let value = self.builder.op(Op::FToS, Type::S32, &[clamped]);
        let zero = self.builder.constant(Kind::S32, 0);
        let nan = self.builder.op(Op::IsNan, Type::BOOL, &[a]);
        self.builder.select(nan, zero, value)
    }

    /// Toward zero, clamped. NaN becomes the lower bound, which is 0.
    fn double_to_unsigned(&mut self, a: ValueId) -> ValueId {
        let clamped = self.clamp_double(a, 0.0, f64::from(u32::MAX));
        self.builder.op(Op::FToU, Type::U32, &[clamped])
    }

    /// Every integer of 32 bits is a double, so the bounds are exact.
    fn clamp_double(&mut self, a: ValueId, least: f64, most: f64) -> ValueId {
        let [least, most] = [least, most].map(|bound| self.builder.constant64(Kind::F64, bound.to_bits()));
        self.builder.op(Op::NClamp, F64, &[a, least, most])
    }

    fn widen_to_double(&mut self, inst: &Instruction, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let mut results = [ValueId(0); 2];
        let pairs = Self::pairs(dst);
        for (result, pair) in results.iter_mut().zip(pairs.clone()) {
            *result = match inst.op {
                Opcode::Ftod => {
                    let a = self.float(a, 1 << pair)?;
                    self.builder.op(Op::FConvert, F64, &[a])
                }
                Opcode::Itod => {
                    let a = self.signed(a, 1 << pair)?;
                    self.builder.op(Op::SToF, F64, &[a])
                }
                _ => {
                    let a = self.int(a, 1 << pair)?;
                    self.builder.op(Op::UToF, F64, &[a])
                }
            };
        }
        self.write_doubles(inst, dst, &results[..pairs.len()])
    }
}

fn binary(op: Opcode) -> Option<Op> {
    Some(match op {
        Opcode::Dadd => Op::FAdd,
        Opcode::Dmul => Op::FMul,
        Opcode::Ddiv => Op::FDiv,
        Opcode::Dmax => Op::NMax,
        Opcode::Dmin => Op::NMin,
        _ => return None,
    })
}
