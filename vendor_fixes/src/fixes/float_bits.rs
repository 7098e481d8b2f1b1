//! `float_bits`: the sign of a float is cleared and turned as a bit.
//!
//! Mesa's compiler for AMD before 25.3 optimises `FAbs` and `FNegate` of 32-bit floats where that changes the
//! result.
//!
//! Before: `FNegate(x)`. After: `Bitcast(BitwiseXor(Bitcast(x), 0x80000000))`. Direct3D defines both modifiers as
//! exactly these changes of a bit.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const FLOAT_BITS: Fix = Fix {
    id: FixId::FloatBits,
    name: "float_bits",
    switch: "RX_VK_FIX_FLOAT_BITS",
    title: "The sign of a float is cleared and turned as a bit.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::MESA_RADV],
    versions: VersionRange { from: None, before: Some(Version::new(25, 3, 0)) },
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "The absolute value and the negation of a 32-bit float are optimised wrongly.",
    action: "Writes the absolute value as an And with 0x7fffffff and the negation as an Xor with 0x80000000, \
               between bit casts.",
    source: "https://dawn.googlesource.com/dawn/+/0117c2cc/src/dawn/native/vulkan/PhysicalDeviceVk.cpp",
    test: "translate/src/spirv/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::FLOAT_BITS,
            &[
                ("MESA_RADV", "25.2.9", "", true),
                ("MESA_RADV", "25.3.0", "", false),
                ("MESA_RADV", "", "", true),
                ("AMD_PROPRIETARY", "2.0.353", "", false),
            ],
        );
    }
}
