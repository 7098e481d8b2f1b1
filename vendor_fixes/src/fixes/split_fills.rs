//! `split_fills`: a fill of 4096 bytes or more begins at a multiple of 16.
//!
//! NVIDIA's driver fills the wrong range where the offset of a large fill is no multiple of 16.
//!
//! Before: one fill of 8192 bytes at 4. After: one of 12 bytes at 4 and one of 8180 bytes at 16.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const SPLIT_FILLS: Fix = Fix {
    id: FixId::SplitFills,
    name: "split_fills",
    switch: "RX_VK_FIX_SPLIT_FILLS",
    title: "A fill of 4096 bytes or more begins at a multiple of 16.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::NVIDIA_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "vkCmdFillBuffer of 4096 bytes or more at another offset fills the wrong range.",
    action: "Fills the bytes before the next multiple of 16 apart.",
    source: "https://github.com/gfx-rs/wgpu/blob/64a61ee5/wgpu-hal/src/vulkan/mod.rs#L546-L567",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::SPLIT_FILLS,
            &[("NVIDIA_PROPRIETARY", "580.0", "", true), ("MESA_NVK", "26.0.0", "", false)],
        );
    }
}
