//! rx for C: `librx`, the renderer's C ABI. The header is `include/rx.h`, written from this crate by cbindgen.
//!
//! Owns the way from C's pointers, numbers and codes to the renderer's values and back, and decides nothing. Every exported
//! function goes through [`result::guard`]: a panic becomes a code. The rules that a caller keeps stand once, at the head
//! of the header (`cbindgen.toml`); they are what the `unsafe` blocks of this crate rely on.
#![deny(missing_docs)]
#![allow(unsafe_code)] // Pointers that C gives.
#![allow(non_camel_case_types)] // The names are C's.
#![allow(clippy::missing_safety_doc)] // The header's head says it for all.

#[macro_use]
mod args;

// In the order of the header.
mod result;

mod logging;

mod blob;

mod shader;

mod reflect;

mod embedded;

mod facts;

mod plan;

mod renderer;

mod window;

mod report;

mod adopt;

mod resource;

mod format;

mod program;

mod pipeline;

mod state;

mod frame;

mod transfer;

mod draw;

mod bind;

pub use adopt::*;
pub use bind::*;
pub use blob::*;
pub use draw::*;
pub use embedded::*;
pub use facts::*;
pub use format::*;
pub use frame::*;
pub use logging::*;
pub use pipeline::*;
pub use plan::*;
pub use program::*;
pub use reflect::*;
pub use renderer::*;
pub use report::*;
pub use resource::*;
pub use result::*;
pub use shader::*;
pub use state::*;
pub use transfer::*;
pub use window::*;
