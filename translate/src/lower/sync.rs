//! Barriers.
//!
//! Owns the meaning of `sync`'s flags. Loads from memory that can change are never shared, so nothing else is to do.

use super::Lower;
use crate::Error;
use crate::dxbc::program::Instruction;
use crate::ir::{Flags, Op, Type, sync};

/// `D3D11_SB_SYNC_THREADS_IN_GROUP`, bit 11 of the opcode token.
const THREADS_IN_GROUP: u16 = 1;
/// `D3D11_SB_SYNC_THREAD_GROUP_SHARED_MEMORY`.
const GROUP_MEMORY: u16 = 2;
/// `D3D11_SB_SYNC_UNORDERED_ACCESS_VIEW_MEMORY_GROUP`.
const UAV_GROUP: u16 = 4;
/// `D3D11_SB_SYNC_UNORDERED_ACCESS_VIEW_MEMORY_GLOBAL`.
const UAV_GLOBAL: u16 = 8;

impl<'a> Lower<'a> {
    /// `sync`.
    pub(super) fn sync(&mut self, inst: &Instruction) -> Result<(), Error> {
        let rows = [(GROUP_MEMORY, sync::GROUP), (UAV_GROUP, sync::DEVICE_IN_GROUP), (UAV_GLOBAL, sync::DEVICE)];
        let bits = rows.iter().filter(|row| inst.controls & row.0 != 0).fold(0, |bits, row| bits | row.1);
        let threads = inst.controls & THREADS_IN_GROUP != 0;
        let op = if threads { Op::ControlBarrier } else { Op::MemoryBarrier };
        if threads || bits != 0 {
            self.builder.push(op, Type::VOID, Flags::NONE, bits, &[]);
        }
        Ok(())
    }
}
