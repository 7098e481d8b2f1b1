//! Class instances: what stands in each slot is told by specialization constants when the pipeline is made, as
//! Direct3D tells it when the shader is set.

use crate::dxbc::program::Operand;
use crate::interface::ClassSlot;
use crate::ir::{LaneRef, Op, Type, ValueId};
use crate::lower::Lower;
use crate::lower::registers::{Lanes, mask_lanes};
use crate::{Error, ledger};

/// Constants of a slot: type, constant buffer, its element, texture, sampler.
const CONSTANTS: u32 = 5;
/// The first of them; what is below belongs to the rasteriser.
const FIRST_ID: u32 = 1;
/// Slots that Direct3D has.
const MAX_SLOTS: u32 = 253;

impl<'a> Lower<'a> {
    /// `dcl_interface`: id, call sites, types and slots, tables.
    pub(super) fn declare_class_slots(&mut self, extra: &[u32]) -> Result<(), Error> {
        let [first, _, lengths, tables @ ..] = extra else {
            return Err(self.bad_operand("an interface without its tables"));
        };
        let slots = (lengths >> 16).max(1);
        if first.saturating_add(slots) > MAX_SLOTS {
            return Err(Error::malformed(ledger::LIMIT, 0, format!("more than {MAX_SLOTS} slots of class instances")));
        }
        for slot in *first..first + slots {
            let first_id = FIRST_ID + CONSTANTS * slot;
            self.interface.class_slots.push(ClassSlot { slot, types: tables.len() as u32, first_id });
        }
        Ok(())
    }

    /// The type of the instance in a slot: `fp0[i]` as a value.
    pub(super) fn instance_type(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let base = self.builder.u32(crate::lower::number(operand)?);
        let element = self.index(&operand.index[1])?;
        let slot = self.builder.add(base, element);
        let value = self.of_slot(slot, 0);
        Ok(Lanes::new(&[LaneRef::new(value, 0); 4][..mask.count_ones() as usize]))
    }

    /// What an instance holds: `this[i]`.
    pub(super) fn instance_data(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let slot = self.index(&operand.index[0])?;
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let value = self.of_slot(slot, 1 + u32::from(operand.components.source(lane)));
            lanes.push(LaneRef::new(value, 0));
        }
        Ok(lanes)
    }

    /// Constant `n` of a slot; 0 for a slot that is not declared.
    fn of_slot(&mut self, slot: ValueId, n: u32) -> ValueId {
        let mut value = self.builder.u32(0);
        for at in 0..self.interface.class_slots.len() {
            let ClassSlot { slot: number, first_id, .. } = self.interface.class_slots[at];
            let constant = self.builder.specialization((first_id + n) as u16, 0);
            let number = self.builder.u32(number);
            if number == slot {
                return constant;
            }
            if !self.builder.is_constant(slot) {
                let here = self.builder.op(Op::IEqual, Type::BOOL, &[slot, number]);
                value = self.builder.select(here, constant, value);
            }
        }
        value
    }
}
