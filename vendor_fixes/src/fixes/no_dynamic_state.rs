//! `no_dynamic_state`: state that a pipeline may leave open is part of the pipeline.
//!
//! ARM's drivers before r44p1 have faults in extended dynamic state.
//!
//! Before: cull mode set while recording. After: a pipeline for each.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const NO_DYNAMIC_STATE: Fix = Fix {
    id: FixId::NoDynamicState,
    name: "no_dynamic_state",
    switch: "RX_VK_FIX_NO_DYNAMIC_STATE",
    title: "State that a pipeline may leave open is part of the pipeline.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::ARM_PROPRIETARY],
    versions: VersionRange { from: None, before: Some(Version::new(44, 1, 0)) },
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "Extended dynamic state 1 and 2 have faults.",
    action: "Leaves extendedDynamicState and extendedDynamicState2 off.",
    source: "https://chromium.googlesource.com/angle/angle/+/00eb6edb/src/libANGLE/renderer/vulkan/vk_renderer.cpp",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_DYNAMIC_STATE,
            &[
                ("ARM_PROPRIETARY", "r44p0", "", true),
                ("ARM_PROPRIETARY", "r44p1", "", false),
                ("MESA_PANVK", "26.0.0", "", false),
            ],
        );
    }
}
