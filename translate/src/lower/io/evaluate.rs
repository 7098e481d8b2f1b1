//! `eval_*`: a pixel shader's input at another place of its pixel.
//!
//! An input that is not interpolated is the same everywhere: it is read. SPIR-V interpolates a variable, and registers
//! of a range are variables of their own, so where another register chooses one, each is evaluated and one selected.

use super::{Access, Part, Range, Side};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand};
use crate::ir::{Flags, Kind, LaneRef, Op, Place, Type, ValueId, VarKind};
use crate::lower::Lower;
use crate::lower::registers::{As, Lanes, mask_lanes};
use crate::lower::scan::components_read;
use crate::{Error, ledger};

/// Where in its pixel an input is evaluated.
#[derive(Clone, Copy)]
struct At {
    op: Op,
    /// The sample, or the offset from the pixel's centre.
    argument: Option<ValueId>,
}

/// How an input's variable is evaluated.
enum Evaluation {
    Interpolated,
    /// The same at every place.
    Constant,
}

impl<'a> Lower<'a> {
    /// Lowers an evaluation; false for all else.
    pub(in crate::lower) fn lower_interpolate(
        &mut self,
        inst: &Instruction,
        operands: &[Operand],
    ) -> Result<bool, Error> {
        let op = match inst.op {
            Opcode::EvalCentroid => Op::InterpolateAtCentroid,
            Opcode::EvalSampleIndex => Op::InterpolateAtSample,
            Opcode::EvalSnapped => Op::InterpolateAtOffset,
            _ => return Ok(false),
        };
        if !self.options.profile.features.sample_rate_shading {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "an input at a chosen place needs sampleRateShading"));
        }
        let [dst, attribute, rest @ ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let argument = match (op, rest) {
            (Op::InterpolateAtSample, [index, ..]) => Some(self.scalar(index)?),
            (Op::InterpolateAtOffset, [offset, ..]) => Some(self.snapped_offset(offset)?),
            _ => None,
        };
        let (at, mask) = (At { op, argument }, dst.components.mask());
        let value = match attribute.index[0].parts() {
            (register, None) => {
                self.check_declared(Side::Input, register..register + 1, components_read(attribute, mask))?;
                self.evaluated(at, register, attribute, mask, None)?
            }
            (first, Some(_)) => match self.range_of(Side::Input, first) {
                Some(range) => self.evaluated_choice(at, &range, attribute, mask)?,
                None => return Err(self.bad_operand("inputs are indexed without a declared range")),
            },
        };
        let value = self.modify(value, attribute, As::Float);
        self.write(inst, dst, value)?;
        Ok(true)
    }

    /// The register of a range that the attribute's index chooses.
    fn evaluated_choice(&mut self, at: At, range: &Range, attribute: &Operand, mask: u8) -> Result<ValueId, Error> {
        let registers = range.first..range.first + range.count;
        self.check_declared(Side::Input, registers.clone(), components_read(attribute, mask))?;
        let index = self.range_index(range, attribute)?;
        let kind = Some(self.range_kind(range));
        if let Some(chosen) = self.builder.as_constant(index) {
            return self.evaluated(at, range.first + chosen, attribute, mask, kind);
        }
        let mut value = self.evaluated(at, range.first, attribute, mask, kind)?;
        for (n, register) in (0..).zip(registers).skip(1) {
            let other = self.evaluated(at, register, attribute, mask, kind)?;
            let number = self.builder.u32(n);
            let chosen = self.builder.op(Op::IEqual, Type::BOOL, &[index, number]);
            value = self.builder.select(chosen, other, value);
        }
        Ok(value)
    }

    /// A register's components, evaluated. A component that the register lacks is 0: only a range may have one.
    fn evaluated(
        &mut self,
        at: At,
        register: u32,
        attribute: &Operand,
        mask: u8,
        kind: Option<Kind>,
    ) -> Result<ValueId, Error> {
        let mut lanes = Lanes::none();
        let mut last: Option<(Part, ValueId)> = None;
        let mut floats = true;
        for lane in mask_lanes(mask) {
            let c = attribute.components.source(lane);
            let Some(part) = self.io.parts(Side::Input).iter().find(|p| p.covers(register, c)).copied() else {
                lanes.push(LaneRef::new(self.builder.u32(0), 0));
                continue;
            };
            floats &= part.ty.kind() == Kind::F32;
            let value = match (self.evaluation(&part)?, last) {
                (Evaluation::Constant, _) => self.lane(Side::Input, register, c, None).unwrap_or(LaneRef::UNDEFINED),
                (Evaluation::Interpolated, Some((same, value))) if same.var == part.var => {
                    LaneRef::new(value, c - part.first)
                }
                (Evaluation::Interpolated, _) => {
                    let value = self.builder.push(at.op, part.ty, Flags::NONE, part.var.0, at.argument.as_slice());
                    last = Some((part, value));
                    LaneRef::new(value, c - part.first)
                }
            };
            lanes.push(value);
        }
        let own = if floats { Kind::F32 } else { Kind::U32 };
        Ok(self.builder.gather(lanes.as_slice(), kind.unwrap_or(own)))
    }

    /// How an input is evaluated. Fails for a system value that changes within a pixel: the device gives it at one place.
    fn evaluation(&self, part: &Part) -> Result<Evaluation, Error> {
        let VarKind::Input { place, decorations, .. } = self.builder.function().var(part.var).kind else {
            return Err(self.bad_operand("an attribute that is no input"));
        };
        let float = part.ty.kind() == Kind::F32;
        match (place, part.access) {
            _ if !float || decorations.flat => Ok(Evaluation::Constant),
            (Place::Location { .. }, Access::Whole | Access::Centre) => Ok(Evaluation::Interpolated),
            _ => {
                let what = format!("`eval_*` of v{}, a system value that changes within a pixel", part.register);
                Err(Error::refused(ledger::EVALUATED_VALUE, what))
            }
        }
    }

    /// Offsets in sixteenths of a pixel, of which four bits count, to floats.
    fn snapped_offset(&mut self, offset: &Operand) -> Result<ValueId, Error> {
        let value = self.int(offset, 3)?;
        let ty = Type::new(Kind::U32, 2);
        let shift = self.builder.u32(28);
        let shift = self.builder.splat(shift, 2);
        let high = self.builder.op(Op::Shl, ty, &[value, shift]);
        let signed = self.builder.op(Op::ShrArithmetic, ty, &[high, shift]);
        let signed = self.builder.convert(signed, Kind::S32);
        let float = self.builder.op(Op::SToF, ty.with_kind(Kind::F32), &[signed]);
        let sixteenth = self.builder.f32(1.0 / 16.0);
        Ok(self.builder.op(Op::FScale, ty.with_kind(Kind::F32), &[float, sixteenth]))
    }
}
