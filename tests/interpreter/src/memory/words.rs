//! Raw and structured buffers and group shared memory, read and written as 32-bit words (22.4.10 to 22.4.13).
//!
//! Every word is addressed by itself: a word outside the memory reads as zero and is not written. A structure is inside
//! as a whole or not at all. Offsets are multiples of 4; the two lowest bits are ignored, as Direct3D leaves them open.

use super::{Memory, load, memory_role, store, swizzle};
use crate::declared::Layout;
use crate::run::{Current, Run};
use crate::thread::{Lanes, Thread};
use crate::{Error, Place, View, Written};

/// The memory that words are in, and how it is divided.
pub(super) struct Words<'a> {
    pub bytes: &'a [u8],
    pub stride: Option<u32>,
}

/// A word's place before it is known whether that is inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    /// Structure, or 0 in raw memory.
    pub structure: u32,
    /// Byte offset in the structure or in raw memory.
    pub offset: u32,
}

impl Words<'_> {
    /// Returns the byte offset of component `lane`, or `None` if it is outside.
    pub fn locate(&self, address: Address, lane: u32) -> Option<u64> {
        let within = u64::from(address.offset & !3) + 4 * u64::from(lane);
        let length = self.bytes.len() as u64;
        match self.stride {
            None => (within + 4 <= length).then_some(within),
            Some(stride) => {
                let stride = u64::from(stride);
                let start = u64::from(address.structure) * stride;
                (within + 4 <= stride && start + stride <= length).then_some(start + within)
            }
        }
    }
}

impl Run<'_> {
    /// Returns the memory of a raw or structured operand, or `None` if nothing is bound.
    pub(super) fn words(&self, current: &Current<'_>, memory: Memory) -> Result<Option<Words<'_>>, Error> {
        match memory {
            Memory::Shared { register, block } => {
                let bytes = self.shared.blocks.get(&register).map_or(&[][..], Vec::as_slice);
                Ok(Some(Words { bytes, stride: stride_of(block.layout) }))
            }
            Memory::View { class, slot, layout } => {
                let Some(view) = self.view(class, slot) else { return Ok(None) };
                match (layout, view) {
                    (Layout::Raw, View::Raw { bytes }) => Ok(Some(Words { bytes, stride: None })),
                    (Layout::Structured(declared), View::Structured { stride, bytes, .. }) => {
                        if declared != *stride {
                            return Err(current.invalid(format!(
                                "the shader declares structures of {declared} bytes, the bound view has {stride}"
                            )));
                        }
                        Ok(Some(Words { bytes, stride: Some(declared) }))
                    }
                    (Layout::Raw | Layout::Structured(_), _) => {
                        Err(current.invalid("the bound view is of another kind than the shader declares"))
                    }
                    _ => Err(current.invalid("the shader declares a typed view")),
                }
            }
        }
    }

    pub(super) fn word_bytes_mut(&mut self, memory: Memory) -> Option<&mut [u8]> {
        match memory {
            Memory::Shared { register, .. } => self.shared.blocks.get_mut(&register).map(Vec::as_mut_slice),
            Memory::View { class, slot, .. } => match self.view_mut(class, slot)? {
                View::Raw { bytes } | View::Structured { bytes, .. } | View::Typed { bytes, .. } => Some(bytes),
                View::Texture(texture) => Some(&mut texture.bytes),
            },
        }
    }

    pub(super) fn load_words(&self, thread: &Thread, current: &Current<'_>) -> Result<Lanes, Error> {
        let memory = self.memory_operand(thread, current)?;
        let operand = memory_role(current)?;
        let address = address(current, memory);
        let Some(words) = self.words(current, memory)? else { return Ok([0; 4]) };
        let value = [0, 1, 2, 3]
            .map(|lane| words.locate(address, lane).and_then(|offset| load(words.bytes, offset)).unwrap_or(0));
        Ok(swizzle(operand, value))
    }

    pub(super) fn store_words(&mut self, thread: &Thread, current: &Current<'_>) -> Result<(), Error> {
        let memory = self.memory_operand(thread, current)?;
        let mask = memory_role(current)?.components.mask();
        let address = address(current, memory);
        let value = bits(current, current.sources.len().saturating_sub(1));
        for lane in 0..4 {
            if mask & 1 << lane == 0 {
                continue;
            }
            let offset = self.words(current, memory)?.and_then(|words| words.locate(address, lane));
            let word = value[lane as usize];
            let stored = offset.and_then(|offset| Some(store(self.word_bytes_mut(memory)?, offset, word)));
            let place = match (stored, offset) {
                (Some(true), Some(offset)) => memory.place(offset as u32),
                _ => Place::Dropped,
            };
            self.written.push(Written { place, mask: 1, value: [word; 4] });
        }
        Ok(())
    }
}

fn stride_of(layout: Layout) -> Option<u32> {
    match layout {
        Layout::Structured(stride) => Some(stride),
        _ => None,
    }
}

/// Returns the address that `ld_*` and `store_*` have in one or two operands.
fn address(current: &Current<'_>, memory: Memory) -> Address {
    match stride_of(memory.layout()) {
        Some(_) => Address { structure: current.integer(0)[0], offset: current.integer(1)[0] },
        None => Address { structure: 0, offset: current.integer(0)[0] },
    }
}

/// Returns a source's bits; modifiers change the sign bit, as in `mov`.
pub(super) fn bits(current: &Current<'_>, number: usize) -> Lanes {
    const SIGN: u32 = 1 << 31;
    let (abs, neg) = current.modifiers(number);
    current.source(number).map(|word| {
        let word = if abs { word & !SIGN } else { word };
        if neg { word ^ SIGN } else { word }
    })
}
