//! rx: the shaders that a game has, on the Vulkan that it finds.
//!
//! What a game links. [`Renderer`] makes buffers, textures, programs and pipelines on a device, and records frames;
//! [`TranslatedProgram`] alone goes from a program's shaders to its modules and its planned descriptor sets, on any machine.
//! Both stand over three crates that are handed on whole: [`translate`], [`vk`] and [`vendor_fixes`]. It prints nothing.
//!
//! ```
//! use rx_renderer::translate::{Options, Source};
//! use rx_renderer::vk::{DeviceFacts, PlanOptions};
//! use rx_renderer::{TranslatedProgram, vendor_fixes};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let wgsl = "
//!     @group(0) @binding(0) var<uniform> tint: vec4f;
//!     @vertex fn vs(@location(0) at: vec2f) -> @builtin(position) vec4f { return vec4f(at, 0.0, 1.0); }
//!     @fragment fn fs() -> @location(0) vec4f { return tint; }";
//! let stages = [("vs", Source::Wgsl(wgsl)), ("fs", Source::Wgsl(wgsl))];
//! let program = TranslatedProgram::translate("tinted", stages, &Options::default())?;
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

pub mod codes;
mod error;
mod program;
mod renderer;
#[cfg(feature = "scene")]
pub mod scene;

pub use error::Error;
pub use program::{StageSource, TranslatedProgram};
pub use renderer::{Compute, Frame, Pass, Renderer, RendererOptions};
pub use rx_vk::layout::{SetPlan, VertexInput};
pub use rx_vk::{
    Address, Blend, BlendPart, Border, Bound, Buffer, BufferDesc, ColorTarget, Compare, Cull, DepthBias, DepthState,
    DepthTarget, Filter, GraphicsState, Index, Load, MemoryUse, NotReady, Pace, Pipeline, Program, Report, Sampler,
    SamplerDesc, Slot, StreamTarget, Submitted, TargetState, Targets, TexelView, Texture, TextureDesc, TextureKind,
    TextureUsage, Timing, Topology, VertexElement, VertexStream, View,
};

pub use rx_translate as translate;
pub use rx_vendor_fixes as vendor_fixes;
pub use rx_vk as vk;
