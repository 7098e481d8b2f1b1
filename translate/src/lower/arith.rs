//! Float arithmetic, rounding, transcendental functions and derivatives.

use super::Lower;
use super::registers::As;
use crate::Error;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{Flags, Kind, Op, Type, ValueId};

impl<'a> Lower<'a> {
    /// Lowers float arithmetic; false for all else.
    pub(super) fn lower_arith(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        match (inst.op, operands) {
            (Opcode::Add, [dst, a, b]) => self.add(inst, dst, a, b)?,
            (Opcode::Mul, [dst, a, b]) => {
                let value = self.product(inst, dst, a, b)?;
                self.write(inst, dst, value)?;
            }
            (Opcode::Div, [dst, a, b]) => self.binary_float(inst, Op::FDiv, dst, a, b)?,
            (Opcode::Min, [dst, a, b]) => self.binary_float(inst, Op::NMin, dst, a, b)?,
            (Opcode::Max, [dst, a, b]) => self.binary_float(inst, Op::NMax, dst, a, b)?,
            (Opcode::Mad, [dst, a, b, c]) => self.mad(inst, dst, a, b, c)?,
            (Opcode::Dp2, [dst, a, b]) => self.dot(inst, dst, a, b, 3)?,
            (Opcode::Dp3, [dst, a, b]) => self.dot(inst, dst, a, b, 7)?,
            (Opcode::Dp4, [dst, a, b]) => self.dot(inst, dst, a, b, 15)?,
            (Opcode::Rcp, [dst, a]) => self.reciprocal(inst, dst, a)?,
            (Opcode::Sincos, [sine, cosine, a]) => self.sincos(inst, sine, cosine, a)?,
            (_, [dst, a]) => {
                let Some(op) = unary(inst.op) else { return Ok(false) };
                let mask = dst.components.mask();
                let value = self.float(a, mask)?;
                let value = self.builder.op(op, Self::floats(mask.count_ones() as u8), &[value]);
                self.write(inst, dst, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The type of a result under a mask.
    fn float_type(dst: &Operand) -> Type {
        Self::floats((dst.components.mask().count_ones() as u8).max(1))
    }

    fn binary_float(
        &mut self,
        inst: &Instruction,
        op: Op,
        dst: &Operand,
        a: &Operand,
        b: &Operand,
    ) -> Result<(), Error> {
        let mask = dst.components.mask();
        let (a, b) = (self.float(a, mask)?, self.float(b, mask)?);
        let value = self.builder.push(op, Self::float_type(dst), self.contraction(inst), 0, &[a, b]);
        self.write(inst, dst, value)
    }

    /// a + b; a negated operand makes a subtraction.
    fn add(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        let (first, second) = if a.neg && !b.neg { (b, a) } else { (a, b) };
        let subtract = second.neg;
        let positive = Operand { neg: false, ..*second };
        let x = self.float(first, mask)?;
        let y = self.float(if subtract { &positive } else { second }, mask)?;
        let op = if subtract { Op::FSub } else { Op::FAdd };
        let value = self.builder.push(op, Self::float_type(dst), self.contraction(inst), 0, &[x, y]);
        self.write(inst, dst, value)
    }

    /// a · b; one component times a vector is a scaling.
    fn product(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand) -> Result<ValueId, Error> {
        let mask = dst.components.mask();
        let ty = Self::float_type(dst);
        let flags = self.contraction(inst);
        if ty.width() > 1 {
            for (scalar, vector) in [(a, b), (b, a)] {
                if self.is_splat(scalar, mask)? {
                    let lane = 1 << mask.trailing_zeros();
                    let (s, v) = (self.float(scalar, lane)?, self.float(vector, mask)?);
                    if !self.builder.is_constant(v) {
                        return Ok(self.builder.push(Op::FScale, ty, flags, 0, &[v, s]));
                    }
                }
            }
        }
        let (a, b) = (self.float(a, mask)?, self.float(b, mask)?);
        Ok(self.builder.push(Op::FMul, ty, flags, 0, &[a, b]))
    }

    /// Whether an operand gives every lane the same component.
    fn is_splat(&mut self, operand: &Operand, mask: u8) -> Result<bool, Error> {
        let lanes = self.lanes_of(operand, mask)?;
        let lanes = lanes.as_slice();
        let same = lanes.iter().all(|l| *l == lanes[0]);
        Ok(same && lanes[0].value().is_some_and(|v| !self.builder.is_constant(v)))
    }

    fn mad(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand, c: &Operand) -> Result<(), Error> {
        let mask = dst.components.mask();
        // −a · −b is a · b.
        let positive = |o: &Operand| Operand { neg: false, ..*o };
        let (a, b) = if a.neg && b.neg { (positive(a), positive(b)) } else { (*a, *b) };
        let (a, b, c) = (self.float(&a, mask)?, self.float(&b, mask)?, self.float(c, mask)?);
        let value = self.builder.push(Op::Fma, Self::float_type(dst), self.contraction(inst), 0, &[a, b, c]);
        self.write(inst, dst, value)
    }

    fn dot(&mut self, inst: &Instruction, dst: &Operand, a: &Operand, b: &Operand, lanes: u8) -> Result<(), Error> {
        let (a, b) = (self.float(a, lanes)?, self.float(b, lanes)?);
        let value = self.builder.push(Op::Dot, Type::F32, self.contraction(inst), 0, &[a, b]);
        self.write(inst, dst, value)
    }

    fn reciprocal(&mut self, inst: &Instruction, dst: &Operand, a: &Operand) -> Result<(), Error> {
        let ty = Self::float_type(dst);
        let a = self.float(a, dst.components.mask())?;
        let one = self.builder.f32(1.0);
        let one = self.builder.splat(one, ty.width());
        let value = self.builder.push(Op::FDiv, ty, Flags::NONE, 0, &[one, a]);
        self.write(inst, dst, value)
    }

    fn sincos(&mut self, inst: &Instruction, sine: &Operand, cosine: &Operand, a: &Operand) -> Result<(), Error> {
        let mut results = [None; 2];
        for (slot, (dst, op)) in results.iter_mut().zip([(sine, Op::Sin), (cosine, Op::Cos)]) {
            let mask = dst.components.mask();
            if mask != 0 {
                let value = self.source(a, mask, Kind::F32, As::Float)?;
                let value = self.angle(value);
                *slot = Some(self.builder.op(op, Self::float_type(dst), &[value]));
            }
        }
        // Both are computed before either is written: a destination may be the source.
        for (value, dst) in results.into_iter().zip([sine, cosine]) {
            if let Some(value) = value {
                self.write(inst, dst, value)?;
            }
        }
        Ok(())
    }
}

fn unary(op: Opcode) -> Option<Op> {
    Some(match op {
        Opcode::Exp => Op::Exp2,
        Opcode::Log => Op::Log2,
        Opcode::Frc => Op::Fract,
        Opcode::RoundNe => Op::RoundEven,
        Opcode::RoundNi => Op::Floor,
        Opcode::RoundPi => Op::Ceil,
        Opcode::RoundZ => Op::Trunc,
        Opcode::Sqrt => Op::Sqrt,
        Opcode::Rsq => Op::InverseSqrt,
        Opcode::DerivRtx => Op::Dpdx,
        Opcode::DerivRty => Op::Dpdy,
        Opcode::DerivRtxCoarse => Op::DpdxCoarse,
        Opcode::DerivRtyCoarse => Op::DpdyCoarse,
        Opcode::DerivRtxFine => Op::DpdxFine,
        Opcode::DerivRtyFine => Op::DpdyFine,
        _ => return None,
    })
}
