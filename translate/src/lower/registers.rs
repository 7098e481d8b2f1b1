//! Operands to values and back: swizzles, masks, modifiers, saturation.
//!
//! Owns the lanes. What stands in memory (constant buffers, tables, indexable temporaries) it asks the families for.

use super::Lower;
use super::io::{Range, Side};
use super::memory::Array;
use crate::dxbc::program::{Index, Instruction, Operand, RegisterFile};
use crate::ir::{Flags, Kind, LaneRef, Op, Type, ValueId};
use crate::{Error, ledger};

/// Up to four lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    lanes: [LaneRef; 4],
    len: u8,
}

impl Lanes {
    pub fn new(lanes: &[LaneRef]) -> Lanes {
        let mut all = [LaneRef::UNDEFINED; 4];
        let len = lanes.len().min(4);
        all[..len].copy_from_slice(&lanes[..len]);
        Lanes { lanes: all, len: len as u8 }
    }

    pub fn as_slice(&self) -> &[LaneRef] {
        &self.lanes[..usize::from(self.len)]
    }

    pub fn push(&mut self, lane: LaneRef) {
        if self.len < 4 {
            self.lanes[usize::from(self.len)] = lane;
            self.len += 1;
        }
    }

    pub fn none() -> Lanes {
        Lanes { lanes: [LaneRef::UNDEFINED; 4], len: 0 }
    }
}

/// The lanes of a mask, in order.
pub(super) fn mask_lanes(mask: u8) -> impl Iterator<Item = u8> {
    (0..4u8).filter(move |lane| mask & (1 << lane) != 0)
}

/// What a consumer takes an operand's bits to be; decides what its modifiers mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum As {
    /// Float: `-` and `| |` on the number.
    Float,
    /// Integer: `-` is the two's complement.
    Int,
    /// Bits: `-` and `| |` on the sign bit.
    Bits,
}

/// Where a result goes, with every index read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// A register in lanes.
    Lanes(u32),
    /// An element of an indexable temporary in memory.
    Indexable(Array, ValueId),
    /// An output register.
    Output(Side, u32),
    /// An output register that another register chooses from a range.
    Ranged(Range, ValueId),
}

/// A result of the current instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    target: Target,
    mask: u8,
    lanes: Lanes,
}

impl<'a> Lower<'a> {
    /// The lanes that an operand gives at the lanes of `mask`, without modifiers.
    pub(super) fn lanes_of(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        if let Some(reg) = self.scan.register(operand) {
            let base = reg as usize * 4;
            let mut lanes = Lanes::none();
            for lane in mask_lanes(mask) {
                lanes.push(self.lanes[base + usize::from(operand.components.source(lane))]);
            }
            return Ok(lanes);
        }
        match operand.file {
            RegisterFile::Immediate32 => Ok(self.literal(operand, mask)),
            RegisterFile::ConstantBuffer => self.constant_buffer(operand, mask),
            RegisterFile::ImmediateConstantBuffer => self.immediate_constant_buffer(operand, mask),
            RegisterFile::IndexableTemp => self.load_indexable(operand, mask),
            RegisterFile::Null => Ok(Lanes::new(&[LaneRef::UNDEFINED; 4][..mask.count_ones() as usize])),
            _ => self.input(operand, mask),
        }
    }

    fn literal(&mut self, operand: &Operand, mask: u8) -> Lanes {
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let bits = operand.literal[usize::from(operand.components.source(lane))];
            // A literal has no type: the kind is a guess that costs nothing, since constants convert freely.
            let value = self.builder.constant(Kind::F32, bits);
            lanes.push(LaneRef::new(value, 0));
        }
        lanes
    }

    /// An operand as one value of a kind at the lanes of `mask`, with its modifiers.
    pub(super) fn source(&mut self, operand: &Operand, mask: u8, kind: Kind, take: As) -> Result<ValueId, Error> {
        let lanes = self.lanes_of(operand, mask)?;
        let value = self.builder.gather(lanes.as_slice(), kind);
        Ok(self.modify(value, operand, take))
    }

    /// An operand as floats.
    pub(super) fn float(&mut self, operand: &Operand, mask: u8) -> Result<ValueId, Error> {
        self.source(operand, mask, Kind::F32, As::Float)
    }

    /// An operand as integers.
    pub(super) fn int(&mut self, operand: &Operand, mask: u8) -> Result<ValueId, Error> {
        self.source(operand, mask, Kind::U32, As::Int)
    }

    /// An operand as signed integers, for the operations that [`Kind::S32`] lists.
    pub(super) fn signed(&mut self, operand: &Operand, mask: u8) -> Result<ValueId, Error> {
        self.source(operand, mask, Kind::S32, As::Int)
    }

    /// The first component of an operand as an integer: addresses, selectors.
    pub(super) fn scalar(&mut self, operand: &Operand) -> Result<ValueId, Error> {
        self.int(operand, 1)
    }

    /// Applies `-` and `| |`.
    pub(super) fn modify(&mut self, value: ValueId, operand: &Operand, take: As) -> ValueId {
        if !operand.neg && !operand.abs {
            return value;
        }
        match take {
            As::Float => self.modify_float(value, operand),
            As::Int => {
                let ty = self.builder.ty(value);
                if !operand.neg {
                    return value;
                }
                match self.builder.as_constant(value) {
                    Some(bits) => self.builder.constant(ty.kind(), bits.wrapping_neg()),
                    None => self.builder.op(Op::INegate, ty, &[value]),
                }
            }
            As::Bits => self.modify_bits(value, operand),
        }
    }

    fn modify_float(&mut self, mut value: ValueId, operand: &Operand) -> ValueId {
        if self.builder.is_constant(value) {
            let kind = self.builder.ty(value).kind();
            let bits = self.modify_bits(value, operand);
            return self.builder.convert(bits, kind);
        }
        let ty = self.builder.ty(value);
        if operand.abs {
            value = self.builder.op(Op::FAbs, ty, &[value]);
        }
        if operand.neg {
            value = self.builder.op(Op::FNegate, ty, &[value]);
        }
        value
    }

    fn modify_bits(&mut self, value: ValueId, operand: &Operand) -> ValueId {
        let mut bits = self.builder.convert(value, Kind::U32);
        if operand.abs {
            bits = self.bitwise(Op::And, bits, 0x7fff_ffff);
        }
        if operand.neg {
            bits = self.bitwise(if operand.abs { Op::Or } else { Op::Xor }, bits, 0x8000_0000);
        }
        bits
    }

    /// A bitwise operation with the same constant in every component, folded on constants.
    fn bitwise(&mut self, op: Op, value: ValueId, constant: u32) -> ValueId {
        let ty = self.builder.ty(value);
        if self.builder.is_constant(value) {
            let mut parts = [value; 4];
            for c in 0..ty.width() {
                let part = self.builder.extract(value, c);
                let bits = self.builder.as_constant(part).unwrap_or(0);
                let bits = match op {
                    Op::And => bits & constant,
                    Op::Or => bits | constant,
                    _ => bits ^ constant,
                };
                parts[usize::from(c)] = self.builder.u32(bits);
            }
            return self.builder.construct(ty, &parts[..usize::from(ty.width())]);
        }
        let constant = self.builder.u32(constant);
        let constant = self.builder.splat(constant, ty.width());
        self.builder.op(op, ty, &[value, constant])
    }

    /// Writes a value (as wide as the mask, or one component for all) to a destination, saturated where the
    /// instruction says so.
    pub(super) fn write(&mut self, inst: &Instruction, dst: &Operand, value: ValueId) -> Result<(), Error> {
        let value = if inst.saturate { self.saturate(value) } else { value };
        self.write_lanes(dst, |lane| LaneRef::new(value, lane), self.builder.ty(value).width() > 1)
    }

    /// Writes lanes one by one: `lane(n)` is the n-th of the mask's.
    pub(super) fn write_lanes(
        &mut self,
        dst: &Operand,
        lane: impl Fn(u8) -> LaneRef,
        vector: bool,
    ) -> Result<(), Error> {
        let mask = dst.components.mask();
        let mut lanes = Lanes::none();
        for (n, _) in mask_lanes(mask).enumerate() {
            lanes.push(lane(if vector { n as u8 } else { 0 }));
        }
        self.write_each(dst, &lanes)
    }

    /// Writes lanes to a destination, in the order of its mask, once the instruction has read all of its operands.
    ///
    /// The destination's own index is read here. Nothing that an instruction writes is seen before [`Self::commit`], so
    /// an instruction can be lowered in any order, whatever registers its destinations and sources share.
    pub(super) fn write_each(&mut self, dst: &Operand, lanes: &Lanes) -> Result<(), Error> {
        let target = match self.scan.register(dst) {
            Some(register) => Target::Lanes(register),
            None => match dst.file {
                RegisterFile::Null => return Ok(()),
                RegisterFile::IndexableTemp => match self.indexable_target(dst)? {
                    Some(target) => target,
                    None => return Ok(()),
                },
                _ => self.output_target(dst)?,
            },
        };
        self.writes.push(Write { target, mask: dst.components.mask(), lanes: *lanes });
        Ok(())
    }

    /// Writes the results of an instruction that has read all of its operands, in the order of its destinations: of two
    /// destinations with the same component, which Direct3D does not allow, the second one is written last.
    pub(super) fn commit(&mut self) {
        let mut writes = std::mem::take(&mut self.writes);
        for Write { target, mask, lanes } in writes.drain(..) {
            match target {
                Target::Lanes(register) => {
                    let base = register as usize * 4;
                    for (component, &lane) in mask_lanes(mask).zip(lanes.as_slice()) {
                        self.lanes[base + usize::from(component)] = lane;
                    }
                }
                Target::Indexable(array, index) => self.store_indexable(&array, index, mask, &lanes),
                Target::Output(side, register) => self.output(side, register, mask, &lanes),
                Target::Ranged(range, index) => self.ranged_output(&range, index, mask, &lanes),
            }
        }
        // The memory is used again by the next instruction.
        self.writes = writes;
    }

    /// min(1, max(0, v)), 0 for NaN.
    fn saturate(&mut self, value: ValueId) -> ValueId {
        let value = self.builder.convert(value, Kind::F32);
        let ty = self.builder.ty(value);
        let (zero, one) = (self.builder.f32(0.0), self.builder.f32(1.0));
        let (zero, one) = (self.builder.splat(zero, ty.width()), self.builder.splat(one, ty.width()));
        self.builder.op(Op::NClamp, ty, &[value, zero, one])
    }

    /// The value of an index: constant part plus register part.
    pub(super) fn index(&mut self, index: &Index) -> Result<ValueId, Error> {
        let (offset, register) = index.parts();
        let offset = self.builder.u32(offset);
        let Some(register) = register else { return Ok(offset) };
        let register = *self.program.operand(register);
        let value = self.scalar(&register)?;
        Ok(self.builder.add(value, offset))
    }

    /// Flags of an arithmetic instruction at these lanes: what is `precise`, or everything in a shader that forbids refactoring.
    pub(super) fn contraction(&self, inst: &Instruction) -> Flags {
        if inst.precise != 0 || !self.refactoring { Flags::NO_CONTRACTION } else { Flags::NONE }
    }

    /// A malformed operand.
    pub(super) fn bad_operand(&self, what: impl Into<String>) -> Error {
        Error::malformed(ledger::BAD_OPERAND, 0, what)
    }

    /// The type of `n` floats.
    pub(super) fn floats(n: u8) -> Type {
        Type::new(Kind::F32, n)
    }
}
