//! `bare_varyings`: inputs and outputs of a stage carry no names.
//!
//! Qualcomm's driver trips over debug names of varyings, which mean nothing in Vulkan. Names are written only where
//! a host asks for them (`Options::names`).
//!
//! Before: `OpName %1 "TEXCOORD0"`. After: no name for inputs and outputs; resources keep theirs.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const BARE_VARYINGS: Fix = Fix {
    id: FixId::BareVaryings,
    name: "bare_varyings",
    switch: "RX_VK_FIX_BARE_VARYINGS",
    title: "Inputs and outputs of a stage carry no names.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::QUALCOMM_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "The driver trips over the debug names of inputs and outputs.",
    action: "Writes no OpName for inputs and outputs, also where names are asked for.",
    source: "https://github.com/gfx-rs/wgpu/blob/64a61ee5/wgpu-hal/src/vulkan/adapter.rs#L1794-L1797",
    test: "translate/src/spirv/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::BARE_VARYINGS,
            &[("QUALCOMM_PROPRIETARY", "512.780", "", true), ("MESA_TURNIP", "26.0.0", "", false)],
        );
    }
}
