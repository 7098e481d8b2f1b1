//! Arithmetic, comparisons, conversions, moves and bit instructions as pure functions.

use rx_translate::dxbc::program::{Instruction, Operand};

/// Returns the four lanes of each destination, or `None` for an opcode that is not in this module.
///
/// `operands` are all operands of the instruction, destinations first. `sources` are the raw bits of each source operand
/// after the swizzle and before the modifiers. The caller applies write masks.
pub(crate) fn execute(
    _instruction: &Instruction,
    _operands: &[Operand],
    _sources: &[[u32; 4]],
) -> Option<[[u32; 4]; 2]> {
    None
}
