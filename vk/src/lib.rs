//! Vulkan for rx: what is known of a device, and descriptor set layouts planned for it.
//!
//! [`facts`] says what a device is, from a preset, a file or the device itself. [`layout`] decides, from plain data,
//! whether a program's descriptors are pushed or stand in a set. Neither calls Vulkan, so both run and are tested on any
//! machine. Errors carry the stable codes of [`codes`].

pub mod codes;
mod error;
pub mod facts;
pub mod layout;

pub use error::{Error, ErrorKind};
pub use facts::DeviceFacts;
pub use layout::{LayoutPlan, PlanOptions, ProgramInterface, plan};
