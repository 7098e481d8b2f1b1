//! Atomic operations and the hidden counters of structured views (22.17).
//!
//! An address outside the memory changes nothing; what `imm_atomic_*` returns there is open, and is zero here.

use super::words::Address;
use super::{Memory, load, store};
use crate::declared::Layout;
use crate::run::{Current, Run};
use crate::thread::{Lanes, Thread};
use crate::{Class, Error, Place, View, Written};
use rx_translate::dxbc::opcodes::Opcode;

impl Run<'_> {
    /// Changes one word and returns what it was. Without `effects` nothing changes.
    pub(super) fn atomic(&mut self, thread: &Thread, current: &Current<'_>, effects: bool) -> Result<u32, Error> {
        let memory = self.memory_operand(thread, current)?;
        let offset = if effects { self.atomic_offset(current, memory)? } else { None };
        let operands = [current.integer(1)[0], current.integer(2)[0]];
        let target = offset.and_then(|offset| Some((offset, self.word_bytes_mut(memory)?)));
        let changed = target.and_then(|(offset, bytes)| {
            let old = load(bytes, offset)?;
            let new = combine(current.instruction.op, old, operands)?;
            store(bytes, offset, new).then_some((offset, old, new))
        });
        let (place, old, new) = match changed {
            Some((offset, old, new)) => (memory.place(offset as u32), old, new),
            None => (Place::Dropped, 0, 0),
        };
        self.written.push(Written { place, mask: 1, value: [new; 4] });
        Ok(old)
    }

    /// Returns the byte offset of the word that an atomic changes, or `None` if it is outside.
    fn atomic_offset(&self, current: &Current<'_>, memory: Memory) -> Result<Option<u64>, Error> {
        let address = current.integer(0);
        if let Layout::Typed { .. } = memory.layout() {
            let Some(texels) = self.texels(current, memory)? else { return Ok(None) };
            if !texels.format.is_word() {
                return Err(current.invalid("the bound view has no format of one 32-bit component"));
            }
            return texels.at_address(current, address);
        }
        let Some(words) = self.words(current, memory)? else { return Ok(None) };
        let at = match words.stride {
            Some(_) => Address { structure: address[0], offset: address[1] },
            None => Address { structure: 0, offset: address[0] },
        };
        Ok(words.locate(at, 0))
    }

    /// `imm_atomic_alloc` returns the counter and increments it; `imm_atomic_consume` decrements it and returns the
    /// new value. Both wrap.
    pub(super) fn count(&mut self, thread: &Thread, current: &Current<'_>, effects: bool) -> Result<Lanes, Error> {
        let Memory::View { class: class @ Class::UnorderedAccess, slot, .. } = self.memory_operand(thread, current)?
        else {
            return Err(current.invalid("only an unordered access view has a counter"));
        };
        let allocates = current.instruction.op == Opcode::ImmAtomicAlloc;
        let (place, value, counter) = match (self.view_mut(class, slot), slot) {
            (Some(View::Structured { counter: Some(counter), .. }), Some(slot)) if effects => {
                let old = *counter;
                *counter = if allocates { old.wrapping_add(1) } else { old.wrapping_sub(1) };
                (Place::Counter { slot }, if allocates { old } else { *counter }, *counter)
            }
            (Some(View::Structured { counter: Some(_), .. }) | None, _) => (Place::Dropped, 0, 0),
            (Some(_), _) => return Err(current.invalid("the bound view has no counter")),
        };
        self.written.push(Written { place, mask: 1, value: [counter; 4] });
        Ok([value; 4])
    }
}

/// Returns the new value of a word. For compare operations the operands are the compared and the new value.
fn combine(op: Opcode, old: u32, [value, second]: [u32; 2]) -> Option<u32> {
    let (old_signed, signed) = (old.cast_signed(), value.cast_signed());
    Some(match op {
        Opcode::AtomicAnd | Opcode::ImmAtomicAnd => old & value,
        Opcode::AtomicOr | Opcode::ImmAtomicOr => old | value,
        Opcode::AtomicXor | Opcode::ImmAtomicXor => old ^ value,
        Opcode::AtomicIadd | Opcode::ImmAtomicIadd => old.wrapping_add(value),
        Opcode::AtomicImax | Opcode::ImmAtomicImax => old_signed.max(signed).cast_unsigned(),
        Opcode::AtomicImin | Opcode::ImmAtomicImin => old_signed.min(signed).cast_unsigned(),
        Opcode::AtomicUmax | Opcode::ImmAtomicUmax => old.max(value),
        Opcode::AtomicUmin | Opcode::ImmAtomicUmin => old.min(value),
        Opcode::ImmAtomicExch => value,
        Opcode::AtomicCmpStore | Opcode::ImmAtomicCmpExch => {
            if old == value {
                second
            } else {
                old
            }
        }
        _ => return None,
    })
}
