//! `no_dynamic_rendering`: render passes are objects.
//!
//! ARM's drivers before r52 have faults in dynamic rendering.
//!
//! Before: `vkCmdBeginRendering`. After: `vkCmdBeginRenderPass`.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const NO_DYNAMIC_RENDERING: Fix = Fix {
    id: FixId::NoDynamicRendering,
    name: "no_dynamic_rendering",
    switch: "RX_VK_FIX_NO_DYNAMIC_RENDERING",
    title: "Render passes are objects.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::ARM_PROPRIETARY],
    versions: VersionRange { from: None, before: Some(Version::new(52, 0, 0)) },
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "Dynamic rendering has faults.",
    action: "Leaves dynamicRendering off.",
    source: "https://github.com/leegao/bionic-vulkan-wrapper/issues/41",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_DYNAMIC_RENDERING,
            &[("ARM_PROPRIETARY", "r51p0", "", true), ("ARM_PROPRIETARY", "r52p0", "", false)],
        );
    }
}
