//! `no_update_templates`: descriptors of texel buffers are written without update templates.
//!
//! Before: `vkUpdateDescriptorSetWithTemplate`. After: `vkUpdateDescriptorSets` for a set with texel buffers.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const NO_UPDATE_TEMPLATES: Fix = Fix {
    id: FixId::NoUpdateTemplates,
    name: "no_update_templates",
    switch: "RX_VK_FIX_NO_UPDATE_TEMPLATES",
    title: "Descriptors of texel buffers are written without update templates.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::QUALCOMM_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "An update template with a texel buffer crashes the driver.",
    action: "Writes a set that has texel buffers by plain writes.",
    source: "https://github.com/Ryujinx/Ryujinx/pull/7002",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_UPDATE_TEMPLATES,
            &[("QUALCOMM_PROPRIETARY", "512.780", "", true), ("MESA_TURNIP", "26.0.0", "", false)],
        );
    }
}
