//! A small Vulkan harness: runs translated Direct3D shaders on whatever driver is there and reads back what they did.
//!
//! It speaks Direct3D: resources stand at registers ([`Registers`]), formats are DXGI numbers, states are Direct3D's
//! (viewport, front face, depth range). What Vulkan wants, descriptor types and bindings, comes from the interface that
//! the translator gives. It must never patch what the translator wrote: the words go to the driver as they are.
//!
//! A test binary has one device per [`Driver`], each behind a lock; a test takes a [`Session`]. The validation layers are
//! on, and their messages are collected for the session's holder to check.

// Vulkan is called through `ash`, whose functions are unsafe; the harness keeps every object alive until the device is
// idle, which each submission waits for.
#![allow(unsafe_code)]

mod bare;
mod compute;
mod descriptors;
mod device;
mod draw;
mod driver;
mod features;
mod feeder;
mod formats;
mod memory;
mod patches;
mod pipeline;
mod program;
mod registers;
mod submit;
mod texture;

pub use bare::{BareStage, make_pipeline};
pub use compute::Dispatch;
pub use device::{Device, Session, leave_out_layers, session, session_on};
pub use draw::{Attribute, Depth, Draw, Target, Topology, VertexBuffer};
pub use driver::Driver;
pub use feeder::{catch, feed, is_caught, wide_format};
pub use formats::{Aspect, Format};
pub use memory::Buffer;
pub use patches::{catch_patch, feed_patch, words_of_patch};
pub use program::{Stage, Translations};
pub use registers::{Bound, Register, Registers, SamplerState, b, s, t, u};
pub use texture::{Shape, Texture, TextureOptions};

/// What went wrong, in words: the harness serves tests, whose reports are read by people.
pub type Result<T> = std::result::Result<T, String>;

/// Names a failed Vulkan call.
fn failed(what: &str) -> impl Fn(ash::vk::Result) -> String + '_ {
    move |error| format!("{what}: {error}")
}
