//! Atomic operations on buffers, typed views and group memory, and the counters of append and consume views.
//!
//! Out of range nothing is changed; the result is 0 wherever a guard is written, else what the device gives.

use super::Lower;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand, RegisterFile, ResourceDim};
use crate::ir::{Kind, Op, Type, ValueId};
use crate::{Error, ledger};

impl<'a> Lower<'a> {
    /// Every atomic instruction.
    pub(super) fn atomic(&mut self, inst: &Instruction, operands: &'a [Operand]) -> Result<(), Error> {
        if matches!(inst.op, Opcode::ImmAtomicAlloc | Opcode::ImmAtomicConsume) {
            return self.counter(inst, operands);
        }
        let (dst, rest) = match operands {
            [dst, rest @ ..] if inst.op.info().destinations() == 1 => (Some(dst), rest),
            _ => (None, operands),
        };
        let [memory, address, values @ ..] = rest else { return Err(self.bad_operand("operands are missing")) };
        let Some(op) = operation(inst.op) else { return Err(self.other(inst)) };
        // The tokens have the comparator first, the form has it second.
        let values = match (op, values) {
            (Op::AtomicCompareExchange, [comparator, value, ..]) => {
                [Some(self.int(value, 1)?), Some(self.int(comparator, 1)?)]
            }
            (Op::AtomicCompareExchange, _) | (_, []) => return Err(self.bad_operand("operands are missing")),
            (_, [value, ..]) => [Some(self.int(value, 1)?), None],
        };
        let typed = memory.file == RegisterFile::UnorderedAccessView && {
            let declared = self.resources.get(self.resource(memory)?);
            !matches!(declared.dim, ResourceDim::RawBuffer | ResourceDim::StructuredBuffer)
        };
        let old = if typed {
            self.typed_atomic(op, memory, address, values)?
        } else {
            self.memory_atomic(inst, op, memory, address, values)?
        };
        match dst {
            Some(dst) => self.write(inst, dst, old),
            None => Ok(()),
        }
    }

    fn typed_atomic(
        &mut self,
        op: Op,
        memory: &Operand,
        address: &Operand,
        values: [Option<ValueId>; 2],
    ) -> Result<ValueId, Error> {
        let resource = self.resource(memory)?;
        let declared = *self.resources.get(resource);
        let exchanges = op == Op::AtomicExchange;
        if self.component(&declared) == Kind::F32 {
            if !exchanges {
                return Err(self.bad_operand("an atomic on a view of floats"));
            }
            if !self.options.profile.features.image_float32_atomics {
                let what = "an exchange in a typed view of floats needs shaderImageFloat32Atomics";
                return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
            }
        }
        let coordinate = self.coordinate(&declared, address)?;
        let inside = self.texel_inside(memory, &declared, coordinate)?;
        let descriptor = self.descriptor_index(resource, memory)?;
        let flags = self.access_flags(memory);
        Ok(self.value_when(inside, Type::U32, |lower| {
            let mut args = Args::default();
            values.into_iter().flatten().chain(descriptor).chain([coordinate]).for_each(|v| args.push(v));
            lower.builder.push(op, Type::U32, flags, declared.var.0, args.as_slice())
        }))
    }

    fn memory_atomic(
        &mut self,
        inst: &Instruction,
        op: Op,
        memory: &Operand,
        address: &Operand,
        values: [Option<ValueId>; 2],
    ) -> Result<ValueId, Error> {
        let group = memory.file == RegisterFile::ThreadGroupSharedMemory;
        let structured = if group {
            self.group_memory(super::number(memory)?)?.stride != 0
        } else {
            self.resources.get(self.resource(memory)?).dim == ResourceDim::StructuredBuffer
        };
        let space = self.space(memory, structured)?;
        let Some(cell) = self.atomic_cell(&space, inst, structured, address)? else {
            return Ok(self.builder.u32(0));
        };
        let body = |lower: &mut Self| {
            let mut args = Args::default();
            let indices = lower.cell_indices(&space, &cell, false);
            values.iter().flatten().chain(indices.as_slice()).for_each(|&v| args.push(v));
            lower.builder.push(op, Type::U32, space.flags, space.var.0, args.as_slice())
        };
        if group {
            // Out of range the index leads to the spare record.
            let old = body(self);
            return Ok(self.or_zero(cell.inside, old));
        }
        Ok(self.value_when(cell.inside, Type::U32, body))
    }

    /// `imm_atomic_alloc` gives the count before it adds one, `imm_atomic_consume` the count after it takes one.
    fn counter(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let [dst, view, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let resource = self.resource(view)?;
        let Some(counter) = self.resources.get(resource).counter_var else {
            return Err(self.bad_operand("a view without a counter"));
        };
        let descriptor = self.descriptor_index(resource, view)?;
        let consume = inst.op == Opcode::ImmAtomicConsume;
        let mut args = Args::default();
        args.push(self.builder.u32(if consume { u32::MAX } else { 1 }));
        descriptor.into_iter().for_each(|v| args.push(v));
        args.push(self.builder.u32(0));
        let mut count =
            self.builder.push(Op::AtomicAdd, Type::U32, self.access_flags(view), counter.0, args.as_slice());
        if consume {
            let less = self.builder.u32(u32::MAX);
            count = self.builder.add(count, less);
        }
        self.write(inst, dst, count)
    }
}

fn operation(op: Opcode) -> Option<Op> {
    use Opcode as O;
    Some(match op {
        O::AtomicIadd | O::ImmAtomicIadd => Op::AtomicAdd,
        O::AtomicAnd | O::ImmAtomicAnd => Op::AtomicAnd,
        O::AtomicOr | O::ImmAtomicOr => Op::AtomicOr,
        O::AtomicXor | O::ImmAtomicXor => Op::AtomicXor,
        O::AtomicImax | O::ImmAtomicImax => Op::AtomicSMax,
        O::AtomicImin | O::ImmAtomicImin => Op::AtomicSMin,
        O::AtomicUmax | O::ImmAtomicUmax => Op::AtomicUMax,
        O::AtomicUmin | O::ImmAtomicUmin => Op::AtomicUMin,
        O::ImmAtomicExch => Op::AtomicExchange,
        O::AtomicCmpStore | O::ImmAtomicCmpExch => Op::AtomicCompareExchange,
        _ => return None,
    })
}

/// Operands of an atomic: two values, a descriptor, three indices at most.
#[derive(Clone, Copy)]
struct Args {
    values: [ValueId; 6],
    len: usize,
}

impl Default for Args {
    fn default() -> Self {
        Args { values: [ValueId(0); 6], len: 0 }
    }
}

impl Args {
    fn push(&mut self, value: ValueId) {
        if let Some(slot) = self.values.get_mut(self.len) {
            *slot = value;
            self.len += 1;
        }
    }

    fn as_slice(&self) -> &[ValueId] {
        &self.values[..self.len]
    }
}
