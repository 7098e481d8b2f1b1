//! Reports of executed instructions.

use crate::{Class, Slot};
use rx_translate::dxbc::program::{Instruction, Operand, RegisterFile};

/// One thread, vertex or pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Thread group; zero outside compute shaders.
    pub group: [u32; 3],
    /// Thread in its group; zero outside compute shaders.
    pub thread: [u32; 3],
}

/// What an instruction wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A register.
    Register {
        /// Register file.
        file: RegisterFile,
        /// Register number, 0 for files with one register.
        register: u32,
        /// Element of an indexable temporary, else 0.
        element: u32,
    },
    /// Memory of an unordered access view.
    View {
        /// Always [`Class::UnorderedAccess`].
        class: Class,
        /// Register and space.
        slot: Slot,
        /// Byte offset, or the texel's index in the view.
        offset: u32,
    },
    /// Group shared memory.
    Shared {
        /// Number of the declaration (`g#`).
        register: u32,
        /// Byte offset.
        offset: u32,
    },
    /// The hidden counter of an unordered access view.
    Counter {
        /// Register and space.
        slot: Slot,
    },
    /// Nowhere: the access was out of range and was dropped.
    Dropped,
}

/// One write of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where.
    pub place: Place,
    /// Components that were written; bit 0 is x.
    pub mask: u8,
    /// Values; only the components of `mask` have a meaning.
    pub value: [u32; 4],
}

/// One executed instruction.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The thread, vertex or pixel.
    pub invocation: Invocation,
    /// Index of the instruction in the program.
    pub index: usize,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// Its operands.
    pub operands: &'a [Operand],
    /// Values of its source operands, after the swizzle and before modifiers, in the operands' order.
    pub sources: &'a [[u32; 4]],
    /// What it wrote, in order.
    pub written: &'a [Written],
}

/// Receives every executed instruction. `()` ignores them.
pub trait Trace {
    /// Called after an instruction was executed.
    fn step(&mut self, step: &Step<'_>);
}

impl Trace for () {
    fn step(&mut self, _: &Step<'_>) {}
}
