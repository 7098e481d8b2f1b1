//! Every row of the opcode table, executed on the device that is there and compared with what Direct3D's specification
//! says it gives. The programs are written as text; nothing here is what a compiler made.
//!
//! `coverage` holds the tests against the table: a row without a test fails.

#![allow(
    clippy::precedence,
    clippy::needless_range_loop,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::manual_is_multiple_of
)] // Expected values are written as the shaders' sources have them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod adapted;
mod aliasing;
mod alu;
mod atomics;
mod choices;
mod coverage;
mod double_masks;
mod doubles;
mod elements;
mod evaluated;
mod far;
mod floats;
mod flow;
mod folding;
mod integers;
mod memory;
mod pixels;
mod places;
mod run;
mod stages;
mod streams;
mod textures;
mod want;
