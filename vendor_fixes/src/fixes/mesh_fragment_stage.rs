//! `mesh_fragment_stage`: a mesh pipeline without a fragment stage gets one that does nothing.
//!
//! Before: task and mesh stages for a depth pass. After: the same and an empty fragment stage.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const MESH_FRAGMENT_STAGE: Fix = Fix {
    id: FixId::MeshFragmentStage,
    name: "mesh_fragment_stage",
    switch: "RX_VK_FIX_MESH_FRAGMENT_STAGE",
    title: "A mesh pipeline without a fragment stage gets one that does nothing.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::MESA_RADV],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "A mesh pipeline without a fragment stage does not work.",
    action: "Adds a fragment shader that returns at once.",
    source: "https://github.com/HansKristian-Work/vkd3d-proton/blob/d01924b6/libs/vkd3d/state.c#L5313-L5321",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::MESH_FRAGMENT_STAGE,
            &[("MESA_RADV", "26.0.0", "", true), ("AMD_PROPRIETARY", "2.0.353", "", false)],
        );
    }
}
