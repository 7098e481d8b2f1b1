//! The project's own feature shaders, executed: what each gives is compared with arithmetic done here by hand.
//!
//! Every test runs in every way that `run` lists: they differ in who keeps accesses inside, how lengths and offsets of buffers
//! reach the shader, which drivers' faults the translation avoids, whether the reference optimiser had the words first, and
//! which driver runs them.

#![allow(
    clippy::precedence,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::manual_is_multiple_of
)] // Expected values are written as the shaders' sources have them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod atomics;
mod bindings;
mod buffers;
mod doubles;
mod floats;
mod flow;
mod image;
mod integers;
mod others;
mod outputs;
mod patches;
mod pixels;
mod primitives;
mod ranges;
mod run;
mod textures;
mod vertices;
mod want;
