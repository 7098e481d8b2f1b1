//! Passes over the form, between lowering and writing: one a file, their order in one list ([`legalize`]).
//!
//! Owns decisions about what is kept. Must never know Direct3D or SPIR-V numbers, and must stay linear in the
//! function's size: input is untrusted.

mod dce;
mod legalize;
mod live;

pub use legalize::legalize;
pub use live::Live;
