//! Vulkan for rx: what is known of a device, and descriptor set layouts planned for it.
//!
//! [`facts`] says what a device is, from a preset, a file or the device itself. [`layout`] decides, from plain data,
//! whether a program's descriptors are pushed or stand in a set. Neither needs Vulkan (a live device is one of three sources
//! of facts), so both run and are tested on any machine. [`profile`](fn@profile) says what the translator may write for a
//! device, [`PipelineFixes`] what pipelines do otherwise on it. Errors carry the stable codes of [`codes`].

pub mod codes;
mod error;
pub mod facts;
pub mod layout;
mod pipeline_fixes;
mod profile;

pub use error::{Error, ErrorKind};
pub use facts::DeviceFacts;
pub use layout::{LayoutPlan, PlanOptions, ProgramInterface, plan};
pub use pipeline_fixes::{DynamicFeatures, EMPTY_FRAGMENT_SHADER, PipelineFixes, log_fixes};
pub use profile::profile;
