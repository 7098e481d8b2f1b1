//! `no_push_amd`: nothing is pushed with AMD's driver 2.0.226.
//!
//! That driver crashes on `vkCmdPushDescriptorSetKHR`. A later build with the repair carries the same number, so the
//! switch at 0 gives pushing back.
//!
//! Before: the first pushed draw crashes. After: the program gets a set.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const NO_PUSH_AMD: Fix = Fix {
    id: FixId::NoPushAmd,
    name: "no_push_amd",
    switch: "RX_VK_FIX_NO_PUSH_AMD",
    title: "Nothing is pushed with AMD's driver 2.0.226.",
    acts_on: ActsOn::Layout,
    drivers: &[DriverId::AMD_PROPRIETARY, DriverId::AMD_OPEN_SOURCE],
    versions: VersionRange { from: Some(Version::new(2, 0, 226)), before: Some(Version::new(2, 0, 227)) },
    chip: Chip::Any,
    default_on: DefaultOn::Known,
    symptom: "The driver crashes when descriptors are pushed.",
    action: "Gives every program an ordinary set.",
    source: "https://github.com/yuzu-emu/yuzu/pull/8379",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_PUSH_AMD,
            &[
                ("AMD_PROPRIETARY", "2.0.226", "", true),
                ("AMD_OPEN_SOURCE", "2.0.226", "", true),
                ("AMD_PROPRIETARY", "2.0.225", "", false),
                ("AMD_PROPRIETARY", "2.0.227", "", false),
                ("AMD_PROPRIETARY", "", "", false),
                ("MESA_RADV", "2.0.226", "", false),
            ],
        );
    }
}
