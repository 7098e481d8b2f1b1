//! A graphics pipeline's state. All zeros are Direct3D's defaults.

use std::ffi::c_char;

use ::rx_renderer::vk::ash::vk::{BlendFactor, BlendOp};
use ::rx_renderer::vk::{ClassInstance, StencilFace, StencilOp, StencilState};
use ::rx_renderer::{
    Blend, BlendPart, Compare, Cull, DepthBias, DepthState, GraphicsState, TargetState, Topology, VertexElement,
    VertexStream,
};

use crate::format::{format, format_or_none, rx_format};
use crate::pipeline::rx_priority;
use crate::resource::{compare, rx_compare};
use crate::result::Failure;
use crate::shader::{rx_bool, rx_stage, stage};

/// What primitives vertices make.
pub type rx_topology = u32;
/// Triangles.
pub const RX_TOPOLOGY_TRIANGLE_LIST: rx_topology = 0;
/// Triangle strips.
pub const RX_TOPOLOGY_TRIANGLE_STRIP: rx_topology = 1;
/// Points.
pub const RX_TOPOLOGY_POINT_LIST: rx_topology = 2;
/// Lines.
pub const RX_TOPOLOGY_LINE_LIST: rx_topology = 3;
/// Line strips.
pub const RX_TOPOLOGY_LINE_STRIP: rx_topology = 4;
/// Lines with neighbours.
pub const RX_TOPOLOGY_LINE_LIST_ADJACENCY: rx_topology = 5;
/// Line strips with neighbours.
pub const RX_TOPOLOGY_LINE_STRIP_ADJACENCY: rx_topology = 6;
/// Triangles with neighbours.
pub const RX_TOPOLOGY_TRIANGLE_LIST_ADJACENCY: rx_topology = 7;
/// Triangle strips with neighbours.
pub const RX_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY: rx_topology = 8;
/// Patches of `patch_control_points`.
pub const RX_TOPOLOGY_PATCHES: rx_topology = 9;

/// What faces are left out.
pub type rx_cull = u32;
/// Back faces.
pub const RX_CULL_BACK: rx_cull = 0;
/// None.
pub const RX_CULL_NONE: rx_cull = 1;
/// Front faces.
pub const RX_CULL_FRONT: rx_cull = 2;

/// What happens to a stencil value.
pub type rx_stencil_op = u32;
/// It stays.
pub const RX_STENCIL_KEEP: rx_stencil_op = 0;
/// It becomes 0.
pub const RX_STENCIL_ZERO: rx_stencil_op = 1;
/// It becomes the reference.
pub const RX_STENCIL_REPLACE: rx_stencil_op = 2;
/// One more, at most the greatest.
pub const RX_STENCIL_INCREMENT_SATURATE: rx_stencil_op = 3;
/// One less, at least 0.
pub const RX_STENCIL_DECREMENT_SATURATE: rx_stencil_op = 4;
/// Its bits turn over.
pub const RX_STENCIL_INVERT: rx_stencil_op = 5;
/// One more, after the greatest 0.
pub const RX_STENCIL_INCREMENT: rx_stencil_op = 6;
/// One less, after 0 the greatest.
pub const RX_STENCIL_DECREMENT: rx_stencil_op = 7;

/// A factor of blending: VkBlendFactor's numbers.
pub type rx_blend_factor = u32;
/// 0.
pub const RX_BLEND_ZERO: rx_blend_factor = 0;
/// 1.
pub const RX_BLEND_ONE: rx_blend_factor = 1;
/// The source's colour.
pub const RX_BLEND_SRC_COLOR: rx_blend_factor = 2;
/// 1 less the source's colour.
pub const RX_BLEND_INV_SRC_COLOR: rx_blend_factor = 3;
/// The target's colour.
pub const RX_BLEND_DST_COLOR: rx_blend_factor = 4;
/// 1 less the target's colour.
pub const RX_BLEND_INV_DST_COLOR: rx_blend_factor = 5;
/// The source's alpha.
pub const RX_BLEND_SRC_ALPHA: rx_blend_factor = 6;
/// 1 less the source's alpha.
pub const RX_BLEND_INV_SRC_ALPHA: rx_blend_factor = 7;
/// The target's alpha.
pub const RX_BLEND_DST_ALPHA: rx_blend_factor = 8;
/// 1 less the target's alpha.
pub const RX_BLEND_INV_DST_ALPHA: rx_blend_factor = 9;
/// The blend factor's colour.
pub const RX_BLEND_FACTOR: rx_blend_factor = 10;
/// 1 less the blend factor's colour.
pub const RX_BLEND_INV_FACTOR: rx_blend_factor = 11;
/// The blend factor's alpha.
pub const RX_BLEND_FACTOR_ALPHA: rx_blend_factor = 12;
/// 1 less the blend factor's alpha.
pub const RX_BLEND_INV_FACTOR_ALPHA: rx_blend_factor = 13;
/// The source's alpha, at most 1 less the target's.
pub const RX_BLEND_SRC_ALPHA_SATURATE: rx_blend_factor = 14;
/// The second source's colour.
pub const RX_BLEND_SRC1_COLOR: rx_blend_factor = 15;
/// 1 less the second source's colour.
pub const RX_BLEND_INV_SRC1_COLOR: rx_blend_factor = 16;
/// The second source's alpha.
pub const RX_BLEND_SRC1_ALPHA: rx_blend_factor = 17;
/// 1 less the second source's alpha.
pub const RX_BLEND_INV_SRC1_ALPHA: rx_blend_factor = 18;

/// An operation of blending: VkBlendOp's numbers.
pub type rx_blend_op = u32;
/// Source plus target.
pub const RX_BLEND_ADD: rx_blend_op = 0;
/// Source less target.
pub const RX_BLEND_SUBTRACT: rx_blend_op = 1;
/// Target less source.
pub const RX_BLEND_REV_SUBTRACT: rx_blend_op = 2;
/// The lesser.
pub const RX_BLEND_MIN: rx_blend_op = 3;
/// The greater.
pub const RX_BLEND_MAX: rx_blend_op = 4;

/// One element of the input layout. What the vertex shader does not read is left out.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_vertex_element {
    /// Semantic; of a source without semantics the input's name, or "LOCATION".
    pub semantic: *const c_char,
    /// Its index; of "LOCATION" the location.
    pub index: u32,
    /// Format; there is no default.
    pub format: rx_format,
    /// Vertex buffer that it comes from.
    pub slot: u32,
    /// Bytes from the vertex's beginning.
    pub offset: u32,
}

/// One vertex buffer's layout.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_vertex_stream {
    /// Number.
    pub slot: u32,
    /// Bytes from a vertex to the next.
    pub stride: u32,
    /// Steps by instance.
    pub per_instance: rx_bool,
}

/// The stencil test of one face.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_stencil_face {
    /// Test; 0 is always.
    pub compare: rx_compare,
    /// Both tests pass.
    pub pass: rx_stencil_op,
    /// The stencil test fails.
    pub fail: rx_stencil_op,
    /// The depth test fails.
    pub depth_fail: rx_stencil_op,
}

/// Depth and stencil. With a format and else zeros: tests for less, and writes.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_depth_state {
    /// The target's format; 0 is no target.
    pub format: rx_format,
    /// Depths are not tested.
    pub no_test: rx_bool,
    /// Depths are not written.
    pub no_write: rx_bool,
    /// Test; 0 is less.
    pub compare: rx_compare,
    /// The stencil is tested; then both masks are as they stand here.
    pub stencil: rx_bool,
    /// Bits compared.
    pub stencil_read_mask: u8,
    /// Bits written.
    pub stencil_write_mask: u8,
    /// Front faces.
    pub front: rx_stencil_face,
    /// Back faces.
    pub back: rx_stencil_face,
}

/// Source times `src`, `op`, target times `dst`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_blend_part {
    /// Of the source.
    pub src: rx_blend_factor,
    /// Of the target.
    pub dst: rx_blend_factor,
    /// Operation.
    pub op: rx_blend_op,
}

/// One render target. With a format and else zeros: written whole, without blending.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_target_state {
    /// Format; 0 is no target at this place.
    pub format: rx_format,
    /// It blends, as the next two say.
    pub blend: rx_bool,
    /// Colours.
    pub color: rx_blend_part,
    /// Alpha.
    pub alpha: rx_blend_part,
    /// Components that are not written, red in the lowest of four bits.
    pub masked: u32,
}

/// What stands in a slot of class linkage.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_class_instance {
    /// Stage.
    pub stage: rx_stage,
    /// Slot.
    pub slot: u32,
    /// The instance's type, its constant buffer, the first element there, its first texture, its first sampler.
    pub values: [u32; 5],
}

/// A graphics pipeline's state. All zeros: triangles, back faces culled, clockwise faces in front, depth clipped, no
/// target.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_graphics_desc {
    /// Name, for messages and debuggers; NULL takes the program's.
    pub name: *const c_char,
    /// How soon it is needed.
    pub priority: rx_priority,
    /// Primitives.
    pub topology: rx_topology,
    /// Control points of a patch, 1 to 32.
    pub patch_control_points: u32,
    /// Input layout.
    pub elements: *const rx_vertex_element,
    /// Its elements.
    pub element_count: usize,
    /// Vertex buffers.
    pub streams: *const rx_vertex_stream,
    /// Their number.
    pub stream_count: usize,
    /// CullMode.
    pub cull: rx_cull,
    /// FrontCounterClockwise.
    pub front_counter_clockwise: rx_bool,
    /// FillMode is wireframe.
    pub wireframe: rx_bool,
    /// DepthClipEnable is off.
    pub no_depth_clip: rx_bool,
    /// DepthBias, in the depth format's least steps.
    pub depth_bias: i32,
    /// SlopeScaledDepthBias.
    pub depth_bias_slope: f32,
    /// DepthBiasClamp.
    pub depth_bias_clamp: f32,
    /// Nothing reaches the rasteriser, as with stream output to no stream.
    pub no_rasterize: rx_bool,
    /// Depth target.
    pub depth: rx_depth_state,
    /// Render targets.
    pub targets: *const rx_target_state,
    /// Their number.
    pub target_count: usize,
    /// Samples; 0 is 1.
    pub samples: u32,
    /// Samples that may be written; 0 is all.
    pub sample_mask: u32,
    /// AlphaToCoverageEnable.
    pub alpha_to_coverage: rx_bool,
    /// Class instances of the shaders' interfaces.
    pub class_instances: *const rx_class_instance,
    /// Their number.
    pub class_instance_count: usize,
}

fn topology(number: rx_topology, points: u32) -> Result<Topology, Failure> {
    Ok(match number {
        RX_TOPOLOGY_TRIANGLE_LIST => Topology::TriangleList,
        RX_TOPOLOGY_TRIANGLE_STRIP => Topology::TriangleStrip,
        RX_TOPOLOGY_POINT_LIST => Topology::PointList,
        RX_TOPOLOGY_LINE_LIST => Topology::LineList,
        RX_TOPOLOGY_LINE_STRIP => Topology::LineStrip,
        RX_TOPOLOGY_LINE_LIST_ADJACENCY => Topology::LineListAdjacency,
        RX_TOPOLOGY_LINE_STRIP_ADJACENCY => Topology::LineStripAdjacency,
        RX_TOPOLOGY_TRIANGLE_LIST_ADJACENCY => Topology::TriangleListAdjacency,
        RX_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY => Topology::TriangleStripAdjacency,
        RX_TOPOLOGY_PATCHES if (1..=32).contains(&points) => Topology::Patches(points),
        RX_TOPOLOGY_PATCHES => return Err(Failure::value("patch_control_points", format!("{points}; 1 to 32"))),
        other => return Err(Failure::value("topology", other)),
    })
}

fn stencil_op(number: rx_stencil_op) -> Result<StencilOp, Failure> {
    Ok(match number {
        RX_STENCIL_KEEP => StencilOp::Keep,
        RX_STENCIL_ZERO => StencilOp::Zero,
        RX_STENCIL_REPLACE => StencilOp::Replace,
        RX_STENCIL_INCREMENT_SATURATE => StencilOp::IncrementSaturate,
        RX_STENCIL_DECREMENT_SATURATE => StencilOp::DecrementSaturate,
        RX_STENCIL_INVERT => StencilOp::Invert,
        RX_STENCIL_INCREMENT => StencilOp::Increment,
        RX_STENCIL_DECREMENT => StencilOp::Decrement,
        other => return Err(Failure::value("stencil_op", other)),
    })
}

impl rx_stencil_face {
    fn get(&self) -> Result<StencilFace, Failure> {
        Ok(StencilFace {
            compare: compare(self.compare)?.unwrap_or(Compare::Always),
            pass: stencil_op(self.pass)?,
            fail: stencil_op(self.fail)?,
            depth_fail: stencil_op(self.depth_fail)?,
        })
    }
}

impl rx_depth_state {
    fn get(&self) -> Result<Option<DepthState>, Failure> {
        let Some(format) = format_or_none(self.format, "depth.format")? else { return Ok(None) };
        let stencil = StencilState {
            read_mask: self.stencil_read_mask,
            write_mask: self.stencil_write_mask,
            front: self.front.get()?,
            back: self.back.get()?,
        };
        Ok(Some(DepthState {
            format,
            test: self.no_test == 0,
            compare: compare(self.compare)?.unwrap_or(Compare::Less),
            write: self.no_write == 0,
            stencil: (self.stencil != 0).then_some(stencil),
        }))
    }
}

impl rx_blend_part {
    fn get(&self) -> Result<BlendPart, Failure> {
        let factor = |number: u32| match i32::try_from(number) {
            Ok(raw) if number <= RX_BLEND_INV_SRC1_ALPHA => Ok(BlendFactor::from_raw(raw)),
            _ => Err(Failure::value("blend factor", number)),
        };
        let op = match i32::try_from(self.op) {
            Ok(raw) if self.op <= RX_BLEND_MAX => BlendOp::from_raw(raw),
            _ => return Err(Failure::value("blend op", self.op)),
        };
        Ok(BlendPart { src: factor(self.src)?, dst: factor(self.dst)?, op })
    }
}

impl rx_target_state {
    fn get(&self) -> Result<TargetState, Failure> {
        let format = format_or_none(self.format, "targets.format")?.unwrap_or_default();
        if self.masked > 0xf {
            return Err(Failure::value("masked", format!("{:#x}", self.masked)));
        }
        let blend =
            if self.blend == 0 { None } else { Some(Blend { color: self.color.get()?, alpha: self.alpha.get()? }) };
        Ok(TargetState { blend, write_mask: !(self.masked as u8) & 0xf, ..TargetState::new(format) })
    }
}

pub(crate) fn classes(instances: &[rx_class_instance]) -> Result<Vec<ClassInstance>, Failure> {
    let own =
        |own: &rx_class_instance| Ok(ClassInstance { stage: stage(own.stage)?, slot: own.slot, values: own.values });
    instances.iter().map(own).collect()
}

impl rx_graphics_desc {
    /// The state.
    pub(crate) fn get(&self) -> Result<GraphicsState, Failure> {
        let element = |own: &rx_vertex_element| {
            Ok::<_, Failure>(VertexElement {
                semantic: text!(own.semantic).to_owned().into(),
                index: own.index,
                format: format(own.format, "elements.format")?,
                slot: own.slot,
                offset: own.offset,
            })
        };
        let stream = |own: &rx_vertex_stream| VertexStream {
            slot: own.slot,
            stride: own.stride,
            per_instance: own.per_instance != 0,
        };
        let biased = self.depth_bias != 0 || self.depth_bias_slope != 0.0;
        let bias = DepthBias::new(self.depth_bias, self.depth_bias_slope, self.depth_bias_clamp);
        Ok(GraphicsState {
            name: text_or_none!(self.name).unwrap_or_default().to_owned(),
            topology: topology(self.topology, self.patch_control_points)?,
            elements: array!(self.elements, self.element_count).iter().map(element).collect::<Result<_, _>>()?,
            streams: array!(self.streams, self.stream_count).iter().map(stream).collect(),
            cull: match self.cull {
                RX_CULL_BACK => Cull::Back,
                RX_CULL_NONE => Cull::None,
                RX_CULL_FRONT => Cull::Front,
                other => return Err(Failure::value("cull", other)),
            },
            front_counter_clockwise: self.front_counter_clockwise != 0,
            wireframe: self.wireframe != 0,
            depth_clip: self.no_depth_clip == 0,
            depth_bias: biased.then_some(bias),
            rasterize: self.no_rasterize == 0,
            depth: self.depth.get()?,
            targets: array!(self.targets, self.target_count)
                .iter()
                .map(rx_target_state::get)
                .collect::<Result<_, _>>()?,
            samples: self.samples.max(1),
            sample_mask: if self.sample_mask == 0 { u32::MAX } else { self.sample_mask },
            alpha_to_coverage: self.alpha_to_coverage != 0,
            classes: classes(array!(self.class_instances, self.class_instance_count))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::rx_renderer::vk::ash::vk;

    #[test]
    fn zeros_are_direct3d_s_defaults() {
        let state = rx_graphics_desc::default().get().ok();
        assert_eq!(state, Some(GraphicsState::default()));
        let depth = rx_depth_state { format: 126, ..rx_depth_state::default() }.get().ok();
        assert_eq!(depth, Some(Some(DepthState::new(vk::Format::D32_SFLOAT))));
        let target = rx_target_state { format: 37, ..rx_target_state::default() }.get().ok();
        assert_eq!(target, Some(TargetState::new(vk::Format::R8G8B8A8_UNORM)));
    }

    #[test]
    fn numbers_are_vulkan_s() {
        let part = rx_blend_part { src: RX_BLEND_SRC_ALPHA, dst: RX_BLEND_INV_SRC1_ALPHA, op: RX_BLEND_MAX };
        let expected =
            BlendPart { src: BlendFactor::SRC_ALPHA, dst: BlendFactor::ONE_MINUS_SRC1_ALPHA, op: BlendOp::MAX };
        assert_eq!(part.get().ok(), Some(expected));
        assert_eq!(BlendFactor::from_raw(RX_BLEND_FACTOR as i32), BlendFactor::CONSTANT_COLOR);
        assert_eq!(BlendFactor::from_raw(RX_BLEND_INV_FACTOR_ALPHA as i32), BlendFactor::ONE_MINUS_CONSTANT_ALPHA);
        assert_eq!(BlendFactor::from_raw(RX_BLEND_SRC_ALPHA_SATURATE as i32), BlendFactor::SRC_ALPHA_SATURATE);
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let with = |change: fn(&mut rx_graphics_desc)| {
            let mut desc = rx_graphics_desc::default();
            change(&mut desc);
            desc.get().is_err()
        };
        assert!(with(|desc| desc.topology = 10));
        assert!(with(|desc| desc.topology = RX_TOPOLOGY_PATCHES));
        assert!(with(|desc| desc.cull = 3));
        assert!(with(|desc| desc.depth.format = 5000));
        assert!(with(|desc| (desc.depth.format, desc.depth.compare) = (126, 9)));
        assert!(with(|desc| desc.element_count = 1));
        assert!(with(|desc| desc.target_count = usize::MAX));
        assert!(rx_blend_part { op: 5, ..rx_blend_part::default() }.get().is_err());
        assert!(rx_blend_part { src: 19, ..rx_blend_part::default() }.get().is_err());
        assert!(rx_target_state { masked: 16, ..rx_target_state::default() }.get().is_err());
    }
}
