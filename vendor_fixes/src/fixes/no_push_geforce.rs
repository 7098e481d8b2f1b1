//! `no_push_geforce`: nothing is pushed on NVIDIA GPUs before Turing.
//!
//! The driver's push descriptors are broken on GPUs of the GTX 10 series and before. GPUs from Turing on push well.
//!
//! Before: a program of two buffers is pushed. After: it gets a set.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const NO_PUSH_GEFORCE: Fix = Fix {
    id: FixId::NoPushGeforce,
    name: "no_push_geforce",
    switch: "RX_VK_FIX_NO_PUSH_GEFORCE",
    title: "Nothing is pushed on NVIDIA GPUs before Turing.",
    acts_on: ActsOn::Layout,
    drivers: &[DriverId::NVIDIA_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Named(&["GTX 10", "GTX 9", "GTX 7", "GTX TITAN", "TITAN X", "Quadro P", "Quadro M"]),
    default_on: DefaultOn::Known,
    symptom: "Pushed descriptors do not work.",
    action: "Gives every program an ordinary set.",
    source: "https://github.com/Ryujinx/Ryujinx/pull/6340",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::NO_PUSH_GEFORCE,
            &[
                ("NVIDIA_PROPRIETARY", "580.0", "NVIDIA GeForce GTX 1080", true),
                ("NVIDIA_PROPRIETARY", "580.0", "NVIDIA GeForce GTX 970", true),
                ("NVIDIA_PROPRIETARY", "580.0", "NVIDIA GeForce GTX 1650", false),
                ("NVIDIA_PROPRIETARY", "580.0", "NVIDIA GeForce RTX 4090", false),
                ("NVIDIA_PROPRIETARY", "580.0", "NVIDIA H200", false),
                ("NVIDIA_PROPRIETARY", "580.0", "", false),
                ("MESA_NVK", "26.0.0", "NVIDIA GeForce GTX 1080 (NVK)", false),
            ],
        );
    }
}
