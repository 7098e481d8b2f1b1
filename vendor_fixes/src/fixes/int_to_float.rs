//! `int_to_float`: an integer becomes a float by its two halves.
//!
//! NVIDIA's compiler before 580 may take a conversion from unsigned for one from signed.
//!
//! Before: `ConvertUToF(x)`. After: `Fma(ConvertUToF(x >> 16), 65536, ConvertUToF(x & 0xffff))`: both halves are
//! exact, so the sum is the nearest float as before. A signed integer's upper half is shifted with its sign.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const INT_TO_FLOAT: Fix = Fix {
    id: FixId::IntToFloat,
    name: "int_to_float",
    switch: "RX_VK_FIX_INT_TO_FLOAT",
    title: "An integer becomes a float by its two halves.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::NVIDIA_PROPRIETARY],
    versions: VersionRange { from: None, before: Some(Version::new(580, 0, 0)) },
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "The float of a large unsigned integer can be negative.",
    action: "Converts the upper and the lower 16 bits apart, each exactly, and joins them by one multiply-add, \
               which rounds once, as the conversion would.",
    source: "https://github.com/doitsujin/dxvk/blob/c935e691/src/dxvk/dxvk_device.cpp#L799-L802",
    test: "translate/src/lower/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::INT_TO_FLOAT,
            &[
                ("NVIDIA_PROPRIETARY", "579.99", "", true),
                ("NVIDIA_PROPRIETARY", "580.0", "", false),
                ("NVIDIA_PROPRIETARY", "", "", true),
                ("MESA_NVK", "25.0.0", "", false),
            ],
        );
    }
}
