//! Moves of 32-bit values (22.9): bits pass unchanged, except for a modifier's sign.

use super::sources::Sources;
use super::{Results, each_lane, each_lane_of_two};
use rx_translate::dxbc::opcodes::Opcode;

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, sources: &Sources<'_>) -> Option<Results> {
    match op {
        Opcode::Mov => each_lane(|i| sources.moved(0, i)),
        Opcode::Movc => each_lane(|i| sources.moved(if sources.condition(0, i) { 1 } else { 2 }, i)),
        Opcode::Swapc => each_lane_of_two(|i| {
            let (a, b) = (sources.moved(1, i), sources.moved(2, i));
            if sources.condition(0, i) { (b, a) } else { (a, b) }
        }),
        _ => None,
    }
}
