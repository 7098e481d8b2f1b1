//! `explicit_bounds`: the shader keeps its accesses inside its buffers and images itself.
//!
//! Intel's integrated GPUs under Windows before 101.2115 advertise robustBufferAccess2 and do not do it.
//!
//! Before: the profile's robustness is `device`. After: it is `explicit`.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const EXPLICIT_BOUNDS: Fix = Fix {
    id: FixId::ExplicitBounds,
    name: "explicit_bounds",
    switch: "RX_VK_FIX_EXPLICIT_BOUNDS",
    title: "The shader keeps its accesses inside its buffers and images itself.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::INTEL_PROPRIETARY_WINDOWS],
    versions: VersionRange { from: None, before: Some(Version::new(101, 2115, 0)) },
    chip: Chip::Integrated,
    default_on: DefaultOn::Affected,
    symptom: "With robustness2 on, accesses past the end of a buffer are not stopped.",
    action: "Translates with explicit robustness for every class of resource: guards are written, and robustness2 \
               is left off.",
    source: "https://github.com/gfx-rs/wgpu/blob/64a61ee5/wgpu-hal/src/vulkan/adapter.rs#L2409-L2426",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::EXPLICIT_BOUNDS,
            &[
                ("INTEL_PROPRIETARY_WINDOWS", "101.2114", "integrated", true),
                ("INTEL_PROPRIETARY_WINDOWS", "101.2115", "integrated", false),
                ("INTEL_PROPRIETARY_WINDOWS", "101.2114", "discrete", false),
                ("INTEL_PROPRIETARY_WINDOWS", "", "integrated", true),
                ("INTEL_PROPRIETARY_WINDOWS", "101.2114", "", false),
            ],
        );
    }
}
