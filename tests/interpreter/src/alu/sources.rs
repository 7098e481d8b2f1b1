//! Source operands of one instruction, read as numbers.
//!
//! Owns the source modifiers (22.18) and the flush of 32-bit denormals on input (3.1.3.2).

use super::precision::Choices;
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::dxbc::program::Operand;

/// The sign bit of a 32-bit float, and of the high word of a 64-bit one.
pub(super) const SIGN: u32 = 0x8000_0000;
/// The sign bit of a 16-bit float.
const HALF_SIGN: u32 = 0x8000;

/// The source operands of one instruction.
pub(super) struct Sources<'a> {
    operands: &'a [Operand],
    words: &'a [[u32; 4]],
    choices: Choices,
}

impl<'a> Sources<'a> {
    /// Pairs the words of each source operand with the operand.
    pub(super) fn new(op: Opcode, operands: &'a [Operand], words: &'a [[u32; 4]], choices: Choices) -> Self {
        Sources { operands: operands.get(op.info().destinations()..).unwrap_or_default(), words, choices }
    }

    /// The bits of a lane without modifiers.
    pub(super) fn raw(&self, source: usize, lane: usize) -> u32 {
        self.words.get(source).map_or(0, |words| words[lane & 3])
    }

    /// The bits of a lane; a modifier changes the sign bit (moves: 22.9).
    pub(super) fn moved(&self, source: usize, lane: usize) -> u32 {
        self.with_sign(source, self.raw(source, lane), SIGN)
    }

    /// A lane as a 32-bit float. A denormal becomes a zero of its sign.
    pub(super) fn float(&self, source: usize, lane: usize) -> f32 {
        self.choices.flush(f32::from_bits(self.moved(source, lane)))
    }

    /// A lane as an unsigned integer; `-` is the two's complement.
    pub(super) fn uint(&self, source: usize, lane: usize) -> u32 {
        let word = self.raw(source, lane);
        if self.operands.get(source).is_some_and(|operand| operand.neg) { word.wrapping_neg() } else { word }
    }

    /// A lane as a signed integer; `-` is the two's complement.
    pub(super) fn int(&self, source: usize, lane: usize) -> i32 {
        self.uint(source, lane).cast_signed()
    }

    /// True if any bit of a lane is set (22.9.2).
    pub(super) fn condition(&self, source: usize, lane: usize) -> bool {
        self.raw(source, lane) != 0
    }

    /// The low half of a lane as the bits of a 16-bit float; a modifier changes its sign bit.
    pub(super) fn half(&self, source: usize, lane: usize) -> u16 {
        (self.with_sign(source, self.raw(source, lane), HALF_SIGN) & 0xffff) as u16
    }

    /// The bits of a pair of lanes: 0 for xy, 1 for zw, low word first (3.1.4).
    pub(super) fn wide(&self, source: usize, pair: usize) -> u64 {
        let low = self.raw(source, 2 * pair);
        let high = self.with_sign(source, self.raw(source, 2 * pair + 1), SIGN);
        u64::from(low) | u64::from(high) << 32
    }

    /// A pair of lanes as a 64-bit float.
    pub(super) fn double(&self, source: usize, pair: usize) -> f64 {
        self.choices.flush_double(f64::from_bits(self.wide(source, pair)))
    }

    /// `| |` clears the sign bit, then `-` flips it (22.18.1, 22.18.2).
    fn with_sign(&self, source: usize, word: u32, sign: u32) -> u32 {
        let Some(operand) = self.operands.get(source) else { return word };
        let word = if operand.abs { word & !sign } else { word };
        if operand.neg { word ^ sign } else { word }
    }
}
