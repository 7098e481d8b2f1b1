//! A graphics pipeline's state as a plain value, with Direct3D's defaults.

use std::borrow::Cow;

use ash::vk;
use rx_translate::interface::Stage;

use crate::resource::Compare;

/// What primitives vertices make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are Direct3D's own.
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    #[default]
    TriangleList,
    TriangleStrip,
    LineListAdjacency,
    LineStripAdjacency,
    TriangleListAdjacency,
    TriangleStripAdjacency,
    /// Patches of so many control points, 1 to 32.
    Patches(u32),
}

impl Topology {
    pub(crate) fn vulkan(self) -> (vk::PrimitiveTopology, u32) {
        use vk::PrimitiveTopology as T;
        match self {
            Topology::PointList => (T::POINT_LIST, 0),
            Topology::LineList => (T::LINE_LIST, 0),
            Topology::LineStrip => (T::LINE_STRIP, 0),
            Topology::TriangleList => (T::TRIANGLE_LIST, 0),
            Topology::TriangleStrip => (T::TRIANGLE_STRIP, 0),
            Topology::LineListAdjacency => (T::LINE_LIST_WITH_ADJACENCY, 0),
            Topology::LineStripAdjacency => (T::LINE_STRIP_WITH_ADJACENCY, 0),
            Topology::TriangleListAdjacency => (T::TRIANGLE_LIST_WITH_ADJACENCY, 0),
            Topology::TriangleStripAdjacency => (T::TRIANGLE_STRIP_WITH_ADJACENCY, 0),
            Topology::Patches(points) => (T::PATCH_LIST, points),
        }
    }

    /// Whether an index of all ones begins a new strip, as Direct3D always has it.
    pub(crate) fn restarts(self) -> bool {
        use Topology::{LineStrip, LineStripAdjacency, TriangleStrip, TriangleStripAdjacency};
        matches!(self, LineStrip | TriangleStrip | LineStripAdjacency | TriangleStripAdjacency)
    }
}

/// One element of the input layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VertexElement {
    /// Semantic; of a source without semantics the input's name, or `LOCATION`.
    pub semantic: Cow<'static, str>,
    /// Its index; of `LOCATION` the location.
    pub index: u32,
    /// Format.
    pub format: vk::Format,
    /// Stream that it comes from.
    pub slot: u32,
    /// Bytes from the vertex's beginning.
    pub offset: u32,
}

/// One vertex buffer's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexStream {
    /// Number.
    pub slot: u32,
    /// Bytes from a vertex to the next.
    pub stride: u32,
    /// Steps by instance.
    pub per_instance: bool,
}

/// What faces are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Cull {
    None,
    #[default]
    Back,
    Front,
}

/// Depth bias. The floats are bits, so that states compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DepthBias {
    /// Added, in the depth format's least steps.
    pub constant: i32,
    slope: u32,
    clamp: u32,
}

impl DepthBias {
    /// `DepthBias`, `SlopeScaledDepthBias`, `DepthBiasClamp`.
    pub fn new(constant: i32, slope: f32, clamp: f32) -> DepthBias {
        DepthBias { constant, slope: slope.to_bits(), clamp: clamp.to_bits() }
    }

    pub(crate) fn slope(self) -> f32 {
        f32::from_bits(self.slope)
    }

    pub(crate) fn clamp(self) -> f32 {
        f32::from_bits(self.clamp)
    }
}

/// What happens to a stencil value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum StencilOp {
    #[default]
    Keep,
    Zero,
    Replace,
    IncrementSaturate,
    DecrementSaturate,
    Invert,
    Increment,
    Decrement,
}

impl StencilOp {
    fn vulkan(self) -> vk::StencilOp {
        match self {
            StencilOp::Keep => vk::StencilOp::KEEP,
            StencilOp::Zero => vk::StencilOp::ZERO,
            StencilOp::Replace => vk::StencilOp::REPLACE,
            StencilOp::IncrementSaturate => vk::StencilOp::INCREMENT_AND_CLAMP,
            StencilOp::DecrementSaturate => vk::StencilOp::DECREMENT_AND_CLAMP,
            StencilOp::Invert => vk::StencilOp::INVERT,
            StencilOp::Increment => vk::StencilOp::INCREMENT_AND_WRAP,
            StencilOp::Decrement => vk::StencilOp::DECREMENT_AND_WRAP,
        }
    }
}

/// The stencil test of one face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StencilFace {
    /// Test.
    pub compare: Compare,
    /// Both tests pass.
    pub pass: StencilOp,
    /// The stencil test fails.
    pub fail: StencilOp,
    /// The depth test fails.
    pub depth_fail: StencilOp,
}

impl StencilFace {
    pub(crate) fn vulkan(self, read_mask: u8, write_mask: u8) -> vk::StencilOpState {
        vk::StencilOpState {
            fail_op: self.fail.vulkan(),
            pass_op: self.pass.vulkan(),
            depth_fail_op: self.depth_fail.vulkan(),
            compare_op: self.compare.op(),
            compare_mask: u32::from(read_mask),
            write_mask: u32::from(write_mask),
            reference: 0,
        }
    }
}

/// The stencil test. Its reference is set while recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StencilState {
    /// Bits compared.
    pub read_mask: u8,
    /// Bits written.
    pub write_mask: u8,
    /// Front faces.
    pub front: StencilFace,
    /// Back faces.
    pub back: StencilFace,
}

/// Depth and stencil.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DepthState {
    /// The target's format.
    pub format: vk::Format,
    /// `DepthEnable`.
    pub test: bool,
    /// `DepthFunc`.
    pub compare: Compare,
    /// `DepthWriteMask`.
    pub write: bool,
    /// `StencilEnable`.
    pub stencil: Option<StencilState>,
}

impl DepthState {
    /// Direct3D's default: tests for less, and writes.
    pub fn new(format: vk::Format) -> DepthState {
        DepthState { format, test: true, compare: Compare::Less, write: true, stencil: None }
    }
}

/// One side's factors and their operation: source · `src` `op` destination · `dst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlendPart {
    /// Of the source.
    pub src: vk::BlendFactor,
    /// Of the destination.
    pub dst: vk::BlendFactor,
    /// Operation.
    pub op: vk::BlendOp,
}

impl BlendPart {
    /// A sum.
    pub const fn add(src: vk::BlendFactor, dst: vk::BlendFactor) -> BlendPart {
        BlendPart { src, dst, op: vk::BlendOp::ADD }
    }
}

/// Blending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Colours.
    pub color: BlendPart,
    /// Alpha.
    pub alpha: BlendPart,
}

/// One render target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TargetState {
    /// Format; `UNDEFINED` where there is no target at this place.
    pub format: vk::Format,
    /// Blending.
    pub blend: Option<Blend>,
    /// Components written, red in the lowest of four bits.
    pub write_mask: u8,
}

impl TargetState {
    /// Written whole, without blending.
    pub fn new(format: vk::Format) -> TargetState {
        TargetState { format, blend: None, write_mask: 0xf }
    }
}

/// What stands in a slot of class linkage: see the translator's `ClassSlot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassInstance {
    /// Stage.
    pub stage: Stage,
    /// Slot.
    pub slot: u32,
    /// The instance's type, its constant buffer, the first element there, its first texture, its first sampler.
    pub values: [u32; 5],
}

/// A graphics pipeline's state. The default is Direct3D's: a triangle list, back faces culled, clockwise faces in front,
/// depth clipped; and no target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GraphicsState {
    /// Name, for messages and debuggers; empty takes the program's.
    pub name: String,
    /// Primitives.
    pub topology: Topology,
    /// Input layout. What the vertex shader does not read is left out.
    pub elements: Vec<VertexElement>,
    /// Vertex buffers.
    pub streams: Vec<VertexStream>,
    /// `CullMode`.
    pub cull: Cull,
    /// `FrontCounterClockwise`.
    pub front_counter_clockwise: bool,
    /// `FillMode` is wireframe.
    pub wireframe: bool,
    /// `DepthClipEnable`.
    pub depth_clip: bool,
    /// Depth bias.
    pub depth_bias: Option<DepthBias>,
    /// False: nothing reaches the rasteriser, as with stream output to no stream.
    pub rasterize: bool,
    /// Depth target.
    pub depth: Option<DepthState>,
    /// Render targets.
    pub targets: Vec<TargetState>,
    /// Samples.
    pub samples: u32,
    /// Samples that may be written.
    pub sample_mask: u32,
    /// `AlphaToCoverageEnable`.
    pub alpha_to_coverage: bool,
    /// Class instances of the shaders' interfaces.
    pub classes: Vec<ClassInstance>,
}

impl Default for GraphicsState {
    fn default() -> Self {
        GraphicsState {
            name: String::new(),
            topology: Topology::TriangleList,
            elements: Vec::new(),
            streams: Vec::new(),
            cull: Cull::Back,
            front_counter_clockwise: false,
            wireframe: false,
            depth_clip: true,
            depth_bias: None,
            rasterize: true,
            depth: None,
            targets: Vec::new(),
            samples: 1,
            sample_mask: u32::MAX,
            alpha_to_coverage: false,
            classes: Vec::new(),
        }
    }
}

impl GraphicsState {
    /// One render target of this format, written whole.
    #[must_use]
    pub fn with_target(mut self, format: vk::Format) -> GraphicsState {
        self.targets.push(TargetState::new(format));
        self
    }

    /// A depth target of this format, tested for less and written.
    #[must_use]
    pub fn with_depth(mut self, format: vk::Format) -> GraphicsState {
        self.depth = Some(DepthState::new(format));
        self
    }
}
