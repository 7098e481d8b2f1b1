//! What pipelines and commands do otherwise where a driver has a fault: plain rules, asked by whoever makes them.
//!
//! Owns the meaning of each pipeline fix. It makes nothing and calls no Vulkan function.

use std::ops::Range;

use ash::vk;
use rx_translate::interface::{DescriptorType, Stage};
use rx_vendor_fixes::{FixId, ResolvedFixes};

use crate::layout::StageBits;

/// The pipeline fixes that act. None by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PipelineFixes {
    /// A pushed set is pushed whole.
    pub whole_push: bool,
    /// A large fill begins at a multiple of 16.
    pub split_fills: bool,
    /// A mesh pipeline always has a fragment stage.
    pub mesh_fragment_stage: bool,
    /// A shared-exponent target's write mask has alpha with its colours.
    pub rgb9e5_mask: bool,
    /// Extended dynamic state 1 and 2 stay off.
    pub no_dynamic_state: bool,
    /// Dynamic rendering stays off.
    pub no_dynamic_rendering: bool,
    /// Vertex input is part of the pipeline.
    pub no_dynamic_vertex_input: bool,
    /// No update templates for texel buffers.
    pub no_update_templates: bool,
}

/// Features that pipelines may rely on, each as the device has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DynamicFeatures {
    /// `extendedDynamicState`.
    pub dynamic_state: bool,
    /// `extendedDynamicState2`.
    pub dynamic_state_2: bool,
    /// `dynamicRendering`.
    pub dynamic_rendering: bool,
    /// `vertexInputDynamicState`.
    pub vertex_input: bool,
}

/// A fill of this many bytes or more is a large one (wgpu-hal, vulkan/mod.rs:546).
const LARGE_FILL: u64 = 4096;
/// Where a large fill may begin.
const FILL_ALIGNMENT: u64 = 16;

impl PipelineFixes {
    /// Those of resolved fixes.
    pub fn new(fixes: &ResolvedFixes) -> PipelineFixes {
        PipelineFixes {
            whole_push: fixes.on(FixId::WholePush),
            split_fills: fixes.on(FixId::SplitFills),
            mesh_fragment_stage: fixes.on(FixId::MeshFragmentStage),
            rgb9e5_mask: fixes.on(FixId::Rgb9e5Mask),
            no_dynamic_state: fixes.on(FixId::NoDynamicState),
            no_dynamic_rendering: fixes.on(FixId::NoDynamicRendering),
            no_dynamic_vertex_input: fixes.on(FixId::NoDynamicVertexInput),
            no_update_templates: fixes.on(FixId::NoUpdateTemplates),
        }
    }

    /// Which of a pushed set's bindings to push, when those of `changed` did: an index range of the set's bindings.
    pub fn to_push(&self, changed: Range<usize>, bindings: usize) -> Range<usize> {
        if self.whole_push && !changed.is_empty() { 0..bindings } else { changed }
    }

    /// The one or two byte ranges by which to fill one. None of them is empty, and together they are the whole.
    pub fn fills(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
        let split = self.split_fills && range.end.saturating_sub(range.start) >= LARGE_FILL;
        let middle = if split { range.start.next_multiple_of(FILL_ALIGNMENT) } else { range.start };
        [range.start..middle, middle..range.end].into_iter().filter(|part| !part.is_empty())
    }

    /// Whether a pipeline of these stages needs a fragment stage that does nothing.
    pub fn needs_fragment_stage(&self, stages: StageBits) -> bool {
        self.mesh_fragment_stage && stages.has(Stage::Mesh) && !stages.has(Stage::Fragment)
    }

    /// The write mask of a colour target.
    pub fn write_mask(&self, format: vk::Format, mask: vk::ColorComponentFlags) -> vk::ColorComponentFlags {
        let colours = vk::ColorComponentFlags::R | vk::ColorComponentFlags::G | vk::ColorComponentFlags::B;
        let whole = format == vk::Format::E5B9G9R9_UFLOAT_PACK32 && mask.contains(colours);
        if self.rgb9e5_mask && whole { mask | vk::ColorComponentFlags::A } else { mask }
    }

    /// Of a device's features, those to switch on.
    pub fn usable(&self, features: DynamicFeatures) -> DynamicFeatures {
        DynamicFeatures {
            dynamic_state: features.dynamic_state && !self.no_dynamic_state,
            dynamic_state_2: features.dynamic_state_2 && !self.no_dynamic_state,
            dynamic_rendering: features.dynamic_rendering && !self.no_dynamic_rendering,
            vertex_input: features.vertex_input && !self.no_dynamic_vertex_input,
        }
    }

    /// Whether a set of these descriptor types may be written by an update template.
    pub fn may_use_template(&self, types: impl IntoIterator<Item = DescriptorType>) -> bool {
        let texel = |ty| matches!(ty, DescriptorType::UniformTexelBuffer | DescriptorType::StorageTexelBuffer);
        !(self.no_update_templates && types.into_iter().any(texel))
    }
}

/// A fragment shader that returns at once, entry point `main`: SPIR-V 1.0, which every target takes.
pub const EMPTY_FRAGMENT_SHADER: &[u32] = &[
    0x0723_0203,
    0x0001_0000,
    0,
    5,
    0, // magic, version, generator, bound, schema
    0x0002_0011,
    1, // OpCapability Shader
    0x0003_000e,
    0,
    1, // OpMemoryModel Logical GLSL450
    0x0005_000f,
    4,
    1,
    0x6e69_616d,
    0, // OpEntryPoint Fragment %1 "main"
    0x0003_0010,
    1,
    7, // OpExecutionMode %1 OriginUpperLeft
    0x0002_0013,
    2, // %2 = OpTypeVoid
    0x0003_0021,
    3,
    2, // %3 = OpTypeFunction %2
    0x0005_0036,
    2,
    1,
    0,
    3, // %1 = OpFunction %2 None %3
    0x0002_00f8,
    4,           // %4 = OpLabel
    0x0001_00fd, // OpReturn
    0x0001_0038, // OpFunctionEnd
];

/// Logs the line that says at device creation which fixes are on (target `rx::fix`).
pub fn log_fixes(fixes: &ResolvedFixes) {
    log::info!(target: "rx::fix", "{}", fixes.line());
}
