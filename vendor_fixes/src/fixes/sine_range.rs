//! `sine_range`: sine and cosine are taken of an angle within half a turn.
//!
//! Intel's instruction loses precision with the size of the angle. Direct3D allows an error of 0.0008 for angles
//! from -100π to 100π.
//!
//! Before: `Sin(x)`. After: `n = RoundEven(x / 2π)`, `Sin(Fma(-n, 2π's rest, Fma(-n, 2π, x)))`. Within half a turn n
//! is 0 and the angle is x itself.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const SINE_RANGE: Fix = Fix {
    id: FixId::SineRange,
    name: "sine_range",
    switch: "RX_VK_FIX_SINE_RANGE",
    title: "Sine and cosine are taken of an angle within half a turn.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::INTEL_PROPRIETARY_WINDOWS, DriverId::INTEL_OPEN_SOURCE_MESA],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "Sine and cosine of larger angles are off by far more than Direct3D allows.",
    action: "Takes whole turns off the angle, in two steps so that none of its bits are lost, before Sin and Cos.",
    source: "https://github.com/doitsujin/dxvk/blob/c935e691/src/dxvk/dxvk_device.cpp#L777-L784",
    test: "translate/src/lower/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::SINE_RANGE,
            &[
                ("INTEL_PROPRIETARY_WINDOWS", "101.8826", "", true),
                ("INTEL_OPEN_SOURCE_MESA", "26.0.0", "", true),
                ("MESA_RADV", "26.0.0", "", false),
            ],
        );
    }
}
