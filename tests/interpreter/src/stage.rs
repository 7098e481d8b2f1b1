//! Inputs and outputs of one vertex or pixel.

use std::collections::BTreeMap;

/// Inputs of one vertex or pixel. Every value is the raw word that the register holds.
///
/// A lane that is declared as a system value takes it from the field of that name; all other lanes come from
/// `registers`, and are zero without an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Input registers (`v#`): four words each.
    pub registers: BTreeMap<u32, [u32; 4]>,
    /// `SV_Position` of a pixel, as float bits.
    pub position: [u32; 4],
    /// `SV_VertexID`.
    pub vertex_id: u32,
    /// `SV_InstanceID`.
    pub instance_id: u32,
    /// `SV_PrimitiveID`.
    pub primitive_id: u32,
    /// `SV_IsFrontFace`.
    pub front_face: bool,
    /// `SV_SampleIndex`.
    pub sample_index: u32,
    /// `SV_Coverage` of a pixel (`vCoverage`).
    pub coverage: u32,
    /// `SV_InnerCoverage` of a pixel.
    pub inner_coverage: u32,
    /// `SV_RenderTargetArrayIndex`.
    pub layer: u32,
    /// `SV_ViewportArrayIndex`.
    pub viewport: u32,
}

/// What one vertex or pixel wrote. A lane that was not written is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Declared output registers (`o#`): four words each.
    pub registers: BTreeMap<u32, [u32; 4]>,
    /// `oDepth`, `oDepthGE` or `oDepthLE` as float bits, if written.
    pub depth: Option<u32>,
    /// `oMask`, if written.
    pub coverage: Option<u32>,
    /// `oStencilRef`, if written.
    pub stencil: Option<u32>,
    /// True after `discard`: the pixel is not written.
    pub discarded: bool,
}
