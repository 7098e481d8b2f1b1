//! `no_push_arc`: nothing is pushed on an Intel Arc under Windows.
//!
//! The driver advertises push descriptors, and the device is lost where they are used.
//!
//! Before: a program of two buffers is pushed, and the device is lost. After: it gets a set.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const NO_PUSH_ARC: Fix = Fix {
    id: FixId::NoPushArc,
    name: "no_push_arc",
    switch: "RX_VK_FIX_NO_PUSH_ARC",
    title: "Nothing is pushed on an Intel Arc under Windows.",
    acts_on: ActsOn::Layout,
    drivers: &[DriverId::INTEL_PROPRIETARY_WINDOWS],
    versions: VersionRange::ANY,
    chip: Chip::Named(&["Arc"]),
    default_on: DefaultOn::Known,
    symptom: "Pushed descriptors do not work, and the device is lost.",
    action: "Gives every program an ordinary set.",
    source: "https://github.com/Ryujinx/Ryujinx/pull/6551",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_PUSH_ARC,
            &[
                ("INTEL_PROPRIETARY_WINDOWS", "101.8826", "Intel(R) Arc(TM) A770 Graphics", true),
                ("INTEL_PROPRIETARY_WINDOWS", "", "Intel(R) Arc(TM) A770 Graphics", true),
                ("INTEL_PROPRIETARY_WINDOWS", "101.8826", "Intel(R) UHD Graphics 770", false),
                ("INTEL_PROPRIETARY_WINDOWS", "101.8826", "", false),
                ("INTEL_OPEN_SOURCE_MESA", "25.0.0", "Intel(R) Arc(tm) A770 Graphics (DG2)", false),
            ],
        );
    }
}
