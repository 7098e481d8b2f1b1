//! `rgb9e5_mask`: the write mask of a shared-exponent target does not depend on alpha.
//!
//! `E5B9G9R9` has no alpha, so a mask's alpha bit must not matter. RADV's does.
//!
//! Before: a mask of RGB. After: RGBA.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const RGB9E5_MASK: Fix = Fix {
    id: FixId::Rgb9e5Mask,
    name: "rgb9e5_mask",
    switch: "RX_VK_FIX_RGB9E5_MASK",
    title: "The write mask of a shared-exponent target does not depend on alpha.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::MESA_RADV],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "A write mask without alpha is not taken for a whole one of an E5B9G9R9 target.",
    action: "Adds alpha, which the format does not have, to a write mask that has the three colours.",
    source: "https://github.com/HansKristian-Work/vkd3d-proton/blob/d01924b6/libs/vkd3d/state.c#L4114-L4124",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::RGB9E5_MASK,
            &[("MESA_RADV", "26.0.0", "", true), ("MESA_NVK", "26.0.0", "", false)],
        );
    }
}
