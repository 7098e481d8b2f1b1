//! rx: the shaders that a game has, on the Vulkan that it finds.
//!
//! What a game links. Owns the way from a program's shaders to its modules and its planned descriptor sets
//! ([`Program`]), over three crates that it hands on whole: [`translate`], [`vk`] and [`vendor_fixes`]. It calls no
//! Vulkan function, reads no file and no environment, and prints nothing.
//!
//! ```
//! use rx_renderer::translate::{Options, Source};
//! use rx_renderer::vk::{DeviceFacts, PlanOptions};
//! use rx_renderer::{Program, vendor_fixes};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let wgsl = "
//!     @group(0) @binding(0) var<uniform> tint: vec4f;
//!     @vertex fn vs(@location(0) at: vec2f) -> @builtin(position) vec4f { return vec4f(at, 0.0, 1.0); }
//!     @fragment fn fs() -> @location(0) vec4f { return tint; }";
//! let stages = [("vs", Source::Wgsl(wgsl)), ("fs", Source::Wgsl(wgsl))];
//! let program = Program::translate("tinted", stages, &Options::default())?;
//!
//! let m1 = DeviceFacts::preset("moltenvk-1.4.2-apple7")?;
//! let options = PlanOptions::new(&m1, &vendor_fixes::Config::default());
//! for set in program.plan(&m1, &options)? {
//!     println!("{}", set.line());
//! }
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs)]

mod error;
mod program;
#[cfg(feature = "scene")]
pub mod scene;

pub use error::Error;
pub use program::{Program, StageSource};
pub use rx_vk::layout::SetPlan;

pub use rx_translate as translate;
pub use rx_vendor_fixes as vendor_fixes;
pub use rx_vk as vk;
