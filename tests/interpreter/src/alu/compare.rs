//! Comparisons of 32-bit numbers (22.6): all bits set, or none.

use super::sources::Sources;
use super::{Results, TRUE, each_lane};
use rx_translate::dxbc::opcodes::Opcode;

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, sources: &Sources<'_>) -> Option<Results> {
    if let Some(holds) = of_floats(op) {
        return each_lane(|i| mask(holds(&sources.float(0, i), &sources.float(1, i))));
    }
    if let Some(holds) = of_signed(op) {
        return each_lane(|i| mask(holds(&sources.int(0, i), &sources.int(1, i))));
    }
    let holds = of_unsigned(op)?;
    each_lane(|i| mask(holds(&sources.uint(0, i), &sources.uint(1, i))))
}

/// Comparisons with a NaN are false, except `ne`; zeros of both signs are equal.
fn of_floats(op: Opcode) -> Option<fn(&f32, &f32) -> bool> {
    Some(match op {
        Opcode::Eq => f32::eq,
        Opcode::Ne => f32::ne,
        Opcode::Lt => f32::lt,
        Opcode::Ge => f32::ge,
        _ => return None,
    })
}

fn of_signed(op: Opcode) -> Option<fn(&i32, &i32) -> bool> {
    Some(match op {
        Opcode::Ieq => i32::eq,
        Opcode::Ine => i32::ne,
        Opcode::Ilt => i32::lt,
        Opcode::Ige => i32::ge,
        _ => return None,
    })
}

fn of_unsigned(op: Opcode) -> Option<fn(&u32, &u32) -> bool> {
    Some(match op {
        Opcode::Ult => u32::lt,
        Opcode::Uge => u32::ge,
        _ => return None,
    })
}

/// The result of a comparison.
pub(super) fn mask(holds: bool) -> u32 {
    if holds { TRUE } else { 0 }
}
