//! Why a program was not executed, or not to its end.

use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::dxbc::program::ProgramType;

/// Why a program was not executed to its end. The text of each variant is stable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The entry point does not fit the program's stage.
    #[error("{called} does not run {stage:?} shaders")]
    Stage {
        /// The stage of the program.
        stage: ProgramType,
        /// The function that was called.
        called: &'static str,
    },
    /// An instruction that the interpreter does not execute.
    #[error("instruction {index} ({}): {why}", .op.mnemonic())]
    Unsupported {
        /// Index of the instruction in the program.
        index: usize,
        /// Its opcode.
        op: Opcode,
        /// What is not supported.
        why: &'static str,
    },
    /// An instruction whose operands contradict the program's declarations or the bound resources.
    #[error("instruction {index} ({}): {why}", .op.mnemonic())]
    Invalid {
        /// Index of the instruction in the program.
        index: usize,
        /// Its opcode.
        op: Opcode,
        /// What is wrong.
        why: String,
    },
    /// A declaration that contradicts another one.
    #[error("declaration {index} ({}): {why}", .op.mnemonic())]
    Declaration {
        /// Index of the declaration in the program.
        index: usize,
        /// Its opcode.
        op: Opcode,
        /// What is wrong.
        why: &'static str,
    },
    /// The program executed more instructions than the limit allows.
    #[error("stopped after {limit} instructions: raise the step limit if the program is not endless")]
    StepLimit {
        /// The limit.
        limit: u64,
    },
    /// Threads of one group wait at different barriers, or some threads ended while others wait. Direct3D leaves this
    /// undefined.
    #[error("instruction {index} (sync): not every thread of group {group:?} reaches this barrier")]
    Barrier {
        /// Index of the `sync` instruction.
        index: usize,
        /// The thread group.
        group: [u32; 3],
    },
}
