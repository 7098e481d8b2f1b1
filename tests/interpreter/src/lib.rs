//! Reference interpreter of Direct3D shader models 4.0 to 5.1.
//!
//! Executes a decoded program one instruction at a time on the CPU, as the Direct3D 11.3 functional specification
//! describes it. It is the oracle that translated shaders are compared with, so it is written for clarity and not for
//! speed, and it uses only the *decoder* of `rx-translate`, never its lowering.
//!
//! - [`Machine::dispatch`] runs thread groups of a compute shader.
//! - [`Machine::invoke`] runs one vertex or one pixel.
//! - [`Resources`] holds what is bound: constant buffers, shader resource views, unordered access views.
//! - [`Trace`] is called after every executed instruction.
//!
//! Nothing here panics or loops without bound: bad programs, unsupported instructions and exhausted step limits are
//! [`Error`]s. `docs/interpreter.md` lists what is executed and what is refused.

#![deny(missing_docs)]

mod alu;
mod declared;
mod error;
mod flow;
mod machine;
mod memory;
mod resources;
mod run;
mod stage;
#[cfg(test)]
mod tests;
mod thread;
mod trace;

pub use alu::{Choices, Lean, Precision, precision};
pub use declared::{Layout, Range};
pub use error::Error;
pub use machine::{DEFAULT_STEP_LIMIT, Machine};
pub use resources::{Class, Instance, Resources, Slot, Texture, View};
pub use stage::{Inputs, Outputs};
pub use trace::{Invocation, Place, Step, Trace, Written};

/// The example of the interpreter's page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/interpreter.md")]
struct Page;
