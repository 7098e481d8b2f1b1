//! `set_for_lengths`: a program that reads the length of a storage buffer gets an ordinary set.
//!
//! From 1.4.1 on MoltenVK writes buffer sizes when a set is bound, and not when descriptors are pushed: `OpArrayLength`
//! of a pushed buffer reads data that was never written and gives 0.
//!
//! Before: `buffer.length()` of a pushed buffer is 0, and a loop over it does nothing. After: the program gets a set,
//! whose sizes are written.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const SET_FOR_LENGTHS: Fix = Fix {
    id: FixId::SetForLengths,
    name: "set_for_lengths",
    switch: "RX_VK_SET_FOR_LENGTHS",
    title: "A program that reads the length of a storage buffer gets a set instead of being pushed.",
    acts_on: ActsOn::Layout,
    drivers: &[DriverId::MOLTENVK],
    versions: VersionRange { from: Some(Version::new(1, 4, 1)), before: None },
    chip: Chip::Any,
    // The planner's own rule knows from which version on a length is lost.
    default_on: DefaultOn::Driver,
    symptom: "OpArrayLength of a pushed storage buffer gives 0.",
    action: "Gives a program with a stage that reads the length of a storage buffer an ordinary set.",
    source: "https://github.com/KhronosGroup/MoltenVK/pull/2827",
    test: "vk/tests/layout_fixture.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::SET_FOR_LENGTHS,
            &[
                ("MOLTENVK", "1.4.2", "", true),
                // The planner knows the version: before 1.4.1 the rule moves nothing.
                ("MOLTENVK", "1.4.0", "", true),
                ("MESA_RADV", "1.4.2", "", false),
            ],
        );
    }
}
