//! Arithmetic, comparisons, conversions, moves and bit instructions as pure functions.
//!
//! Owns what such an instruction computes from the values of its operands: the Direct3D 11.3 functional specification,
//! chapters 3.1, 3.2 and 22.6 to 22.19. Must never read registers or memory, nor know a write mask, except where the
//! specification distributes results over it.

mod bits;
mod compare;
mod convert;
mod double;
mod float;
mod integer;
mod leeway;
mod moves;
mod precision;
mod sources;
#[cfg(test)]
mod tests;

pub use precision::{Choices, Lean, Precision, precision};

use rx_translate::dxbc::opcodes::{Flags, Opcode};
use rx_translate::dxbc::program::{Instruction, Operand};
use sources::Sources;

/// The four lanes of each destination.
type Results = [[u32; 4]; 2];

/// A lane of a comparison's result.
const TRUE: u32 = u32::MAX;

/// Returns the four lanes of each destination, or `None` for an opcode that is not in this module.
///
/// `operands` are all operands of the instruction, destinations first. `sources` are the raw bits of each source operand
/// after the swizzle and before the modifiers; a 64-bit literal gives its two words in x and y and again in z and w. The
/// caller applies write masks. An instruction with one destination leaves the second one zero.
pub(crate) fn execute(
    instruction: &Instruction,
    operands: &[Operand],
    sources: &[[u32; 4]],
    choices: Choices,
) -> Option<Results> {
    let op = instruction.op;
    let sources = Sources::new(op, operands, sources, choices);
    let results = float::execute(op, &sources, choices)
        .or_else(|| compare::execute(op, &sources))
        .or_else(|| integer::execute(op, &sources))
        .or_else(|| bits::execute(op, &sources))
        .or_else(|| convert::execute(op, &sources, choices))
        .or_else(|| moves::execute(op, &sources))
        .or_else(|| double::execute(op, operands, &sources, choices))?;
    let results = leeway::lean(instruction, &sources, results, choices);
    let saturates = instruction.saturate && op.info().flags.has(Flags::SAT);
    let results = if saturates { saturate(op, results, choices) } else { results };
    Some(if choices.other_nans { leeway::other_nans(op, results) } else { results })
}

/// Applies `_sat` (22.19.1).
fn saturate(op: Opcode, results: Results, choices: Choices) -> Results {
    if double::writes_doubles(op) {
        return results.map(double::saturate);
    }
    results.map(|lanes| lanes.map(|lane| float::saturate(lane, choices)))
}

/// The results of an instruction with one destination: `lane` gives each lane.
fn each_lane(lane: impl FnMut(usize) -> u32) -> Option<Results> {
    Some([[0, 1, 2, 3].map(lane), [0; 4]])
}

/// The results of an instruction with two destinations: `lane` gives a lane of both.
fn each_lane_of_two(lane: impl FnMut(usize) -> (u32, u32)) -> Option<Results> {
    let pairs = [0, 1, 2, 3].map(lane);
    Some([pairs.map(|(first, _)| first), pairs.map(|(_, second)| second)])
}
