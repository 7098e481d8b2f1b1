//! `split_clamp`: NClamp is written as NMin of NMax.
//!
//! Qualcomm's compiler gets `NClamp` of NaN wrong. Direct3D's `_sat` of NaN is 0, and games divide by zero and
//! saturate.
//!
//! Before: `NClamp(x, 0, 1)`. After: `NMin(NMax(x, 0), 1)`.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const SPLIT_CLAMP: Fix = Fix {
    id: FixId::SplitClamp,
    name: "split_clamp",
    switch: "RX_VK_FIX_SPLIT_CLAMP",
    title: "NClamp is written as NMin of NMax.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::QUALCOMM_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "NClamp of NaN does not give the lower bound.",
    action: "Writes NMax with the lower bound, then NMin with the upper one: what NClamp is defined as.",
    source: "https://dawn.googlesource.com/dawn/+/0117c2cc/src/dawn/native/vulkan/PhysicalDeviceVk.cpp",
    test: "translate/src/spirv/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::SPLIT_CLAMP,
            &[("QUALCOMM_PROPRIETARY", "512.780", "", true), ("MESA_TURNIP", "26.0.0", "", false)],
        );
    }
}
