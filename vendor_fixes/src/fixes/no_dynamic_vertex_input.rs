//! `no_dynamic_vertex_input`: vertex input is part of the pipeline.
//!
//! Before: `vkCmdSetVertexInputEXT`. After: a pipeline for each vertex input.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const NO_DYNAMIC_VERTEX_INPUT: Fix = Fix {
    id: FixId::NoDynamicVertexInput,
    name: "no_dynamic_vertex_input",
    switch: "RX_VK_FIX_NO_DYNAMIC_VERTEX_INPUT",
    title: "Vertex input is part of the pipeline.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::INTEL_PROPRIETARY_WINDOWS],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "Vertex input that is set while recording has faults.",
    action: "Leaves VK_EXT_vertex_input_dynamic_state off.",
    source: "https://chromium.googlesource.com/angle/angle/+/00eb6edb/src/libANGLE/renderer/vulkan/vk_renderer.cpp",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_DYNAMIC_VERTEX_INPUT,
            &[("INTEL_PROPRIETARY_WINDOWS", "101.8826", "", true), ("INTEL_OPEN_SOURCE_MESA", "26.0.0", "", false)],
        );
    }
}
