//! What the passes before lowering must know of each instruction: how many destinations, which lanes it reads,
//! and the class of its result. Read from the opcode table.

use crate::dxbc::opcodes::{self, Kind, Opcode};

/// The class of a result, as far as joins care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Float,
    Int,
    /// A comparison's mask.
    Mask,
    /// Whatever its sources are.
    Move,
}

impl Class {
    /// A bit of its own.
    pub fn bit(self) -> u16 {
        match self {
            Class::Float => 1,
            Class::Int => 2,
            Class::Mask => 4,
            Class::Move => 8,
        }
    }
}

/// Number of destinations; they come first among the operands.
pub(super) fn destinations(op: Opcode) -> usize {
    op.info().destinations()
}

/// Class of the first result.
pub(super) fn result_class(op: Opcode) -> Class {
    match op.info().operands.first().map(|shape| shape.class) {
        Some(opcodes::Class::Int | opcodes::Class::Uint) => Class::Int,
        Some(opcodes::Class::Mask) => Class::Mask,
        Some(opcodes::Class::Bits) => Class::Move,
        _ => Class::Float,
    }
}

/// Whether each lane of the result depends on the same lane of the sources alone.
pub(super) fn componentwise(op: Opcode) -> bool {
    let info = op.info();
    let double = info.operands.iter().any(|shape| shape.class == opcodes::Class::Double);
    info.kind == Kind::Alu && !double && !matches!(op, Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4)
}

/// Lanes that a source of an instruction is read at.
pub(super) fn lanes_read(op: Opcode, dst_mask: u8) -> u8 {
    match op {
        Opcode::Dp2 => 3,
        Opcode::Dp3 => 7,
        Opcode::Dp4 => 15,
        _ if componentwise(op) => dst_mask,
        // The stored value's lanes are those of the mask, which stands on the memory operand; the table of
        // destinations does not count it, so all are taken: a swizzle repeats what it uses.
        _ => 15,
    }
}
