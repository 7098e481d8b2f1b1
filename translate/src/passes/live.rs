//! Which instructions and blocks of a function are written.
//!
//! Owns the answer only. Must never change the function: what is dead stays where it is and is skipped.

use crate::ir::{BlockId, Function, ValueId};

/// What is kept of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    values: Vec<u64>,
    blocks: Vec<u64>,
}

impl Live {
    /// Nothing.
    pub fn none(function: &Function) -> Live {
        Live { values: vec![0; function.insts.len().div_ceil(64)], blocks: vec![0; function.blocks.len().div_ceil(64)] }
    }

    /// The instructions of a range that are kept, in order. Constants never are: they are made for who uses them.
    pub fn values(&self, first: u32, end: u32) -> impl Iterator<Item = ValueId> {
        let words = first / 64..end.div_ceil(64);
        words.flat_map(move |at| {
            let mut word = self.values.get(at as usize).copied().unwrap_or_default();
            // Bits of the first and the last word that are not of the range.
            if at == first / 64 {
                word &= u64::MAX << (first % 64);
            }
            if at == end / 64 {
                word &= (1 << (end % 64)) - 1;
            }
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then_some(ValueId(at * 64 + bit))
            })
        })
    }

    /// Whether a block can be reached.
    pub fn block(&self, id: BlockId) -> bool {
        get(&self.blocks, id.0)
    }

    /// Keeps an instruction; whether that is new.
    pub fn keep_value(&mut self, id: ValueId) -> bool {
        set(&mut self.values, id.0)
    }

    /// Keeps a block; whether that is new.
    pub fn keep_block(&mut self, id: BlockId) -> bool {
        set(&mut self.blocks, id.0)
    }
}

fn get(bits: &[u64], at: u32) -> bool {
    bits.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
}

fn set(bits: &mut [u64], at: u32) -> bool {
    let Some(word) = bits.get_mut(at as usize / 64) else { return false };
    let old = *word;
    *word |= 1 << (at % 64);
    *word != old
}
