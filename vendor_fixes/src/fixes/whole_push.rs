//! `whole_push`: every binding of a pushed set is pushed again when one changes.
//!
//! On Intel GPUs a push that names some of a set's bindings breaks the others.
//!
//! Before: a changed texture alone is pushed, and the constant buffer beside it is gone. After: both are pushed.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const WHOLE_PUSH: Fix = Fix {
    id: FixId::WholePush,
    name: "whole_push",
    switch: "RX_VK_FIX_WHOLE_PUSH",
    title: "Every binding of a pushed set is pushed again when one changes.",
    acts_on: ActsOn::Pipeline,
    drivers: &[DriverId::INTEL_OPEN_SOURCE_MESA, DriverId::INTEL_PROPRIETARY_WINDOWS],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "A push of some bindings breaks those that were pushed before.",
    action: "Pushes the set's bindings together, also where one of them changed.",
    source: "https://github.com/RogueLogix/Cinnabar/blob/85a12d57b3b9f2d8218c7350096f0110c5b71dec/src/core/java/graphics/cinnabar/core/DriverWorkarounds.java",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::WHOLE_PUSH,
            &[
                ("INTEL_OPEN_SOURCE_MESA", "26.0.0", "", true),
                ("INTEL_PROPRIETARY_WINDOWS", "101.8826", "", true),
                ("NVIDIA_PROPRIETARY", "580.0", "", false),
            ],
        );
    }
}
