//! `dense_switch`: a switch over far-apart values goes over the cases' numbers instead.
//!
//! Imagination's compiler gets a switch over a wide range of values wrong. Dawn turns such a switch into a chain of
//! `if`; rx keeps the switch, whose cases may fall through, and makes its values dense.
//!
//! Before: `switch (x) { case 7: case 0x10000000: }`. After: `switch (x == 0x10000000 ? 1 : x == 7 ? 0 : 2) { case
//! 0: case 1: }`.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const DENSE_SWITCH: Fix = Fix {
    id: FixId::DenseSwitch,
    name: "dense_switch",
    switch: "RX_VK_FIX_DENSE_SWITCH",
    title: "A switch over far-apart values goes over the cases' numbers instead.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::IMAGINATION_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "A switch whose values lie far apart is compiled wrongly.",
    action: "Finds the case's number by a chain of comparisons and switches over that number; a switch whose \
               values lie within 256 of each other is left alone.",
    source: "https://dawn.googlesource.com/dawn/+/0117c2cc/src/dawn/native/vulkan/PhysicalDeviceVk.cpp",
    test: "translate/src/spirv/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::DENSE_SWITCH,
            &[("IMAGINATION_PROPRIETARY", "1.0.0", "", true), ("IMAGINATION_OPEN_SOURCE_MESA", "26.0.0", "", false)],
        );
    }
}
