//! Vulkan for rx: what is known of a device, descriptor set layouts planned for it, and programs hosted on it.
//!
//! [`facts`] says what a device is, from a preset, a file or the device itself. [`layout`] decides, from plain data,
//! whether a program's descriptors are pushed or stand in a set. Neither needs Vulkan (a live device is one of three sources
//! of facts), so both run and are tested on any machine. [`profile`](fn@profile) says what the translator may write for a
//! device, [`PipelineFixes`] what pipelines do otherwise on it.
//!
//! [`Instance`], [`Device`], [`Program`], [`Pipeline`] and [`Recorder`] host programs: what is bound reaches the GPU by a push
//! or by a set as the plan says, through the same calls. Errors carry the stable codes of [`codes`].

pub mod codes;
mod descriptors;
mod device;
mod error;
pub mod facts;
pub mod layout;
mod memory;
mod pipeline;
mod pipeline_fixes;
mod profile;
mod program;
mod recorder;
mod report;
mod resource;
mod surface;
mod track;

/// Vulkan's own types, as [`ash`] has them.
pub use ash;

pub use device::{Adapter, Device, DeviceOptions, DeviceRequest, Instance, InstanceOptions, Need};
pub use error::{Error, ErrorKind};
pub use facts::DeviceFacts;
pub use layout::{LayoutPlan, PlanOptions, ProgramInterface, plan};
pub use memory::{MemoryReport, MemoryUse};
pub use pipeline::{
    Blend, BlendPart, ClassInstance, Cull, DepthBias, DepthState, GraphicsState, NotReady, Pipeline, Priority,
    StencilFace, StencilOp, StencilState, TargetState, Topology, VertexElement, VertexStream,
};
pub use pipeline_fixes::{DynamicFeatures, EMPTY_FRAGMENT_SHADER, PipelineFixes, log_fixes};
pub use profile::profile;
pub use program::{Program, Slot};
pub use recorder::{Bound, ColorTarget, DepthTarget, Index, Load, Recorder, StreamTarget, Submitted, Targets, Timing};
pub use report::Report;
pub use resource::{
    Address, Border, Buffer, BufferDesc, Compare, Filter, FormatInfo, Sampler, SamplerDesc, TexelView, Texture,
    TextureDesc, TextureKind, TextureUsage, View,
};
pub use surface::{Pace, Surface, Swapchain, WindowImage};
