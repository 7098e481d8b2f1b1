//! `fill_empty_sets`: an empty set layout between others gets a binding that nothing uses.
//!
//! Adreno 5xx drivers skip a set layout without bindings when they number the sets of a pipeline layout, so that set
//! 2 behind an empty set 1 is read where set 1 would stand.
//!
//! Before: sets 0 and 2 with an empty set 1: the shader reads set 2's textures from nowhere. After: set 1's layout
//! has one uniform buffer that no stage sees, and the numbers hold.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const FILL_EMPTY_SETS: Fix = Fix {
    id: FixId::FillEmptySets,
    name: "fill_empty_sets",
    switch: "RX_VK_FIX_FILL_EMPTY_SETS",
    title: "An empty set layout between others gets a binding that nothing uses.",
    acts_on: ActsOn::Layout,
    drivers: &[DriverId::QUALCOMM_PROPRIETARY],
    versions: VersionRange::ANY,
    chip: Chip::Named(&["Adreno (TM) 5"]),
    default_on: DefaultOn::Known,
    symptom: "Sets behind an empty set layout are read one place too low.",
    action: "Gives a set without bindings, where one with bindings follows it, a uniform buffer that no stage \
               sees.",
    source: "https://github.com/godotengine/godot/pull/114416",
    test: "vk/tests/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::FILL_EMPTY_SETS,
            &[
                ("QUALCOMM_PROPRIETARY", "512.490", "Adreno (TM) 540", true),
                ("QUALCOMM_PROPRIETARY", "512.780", "Adreno (TM) 650", false),
                ("QUALCOMM_PROPRIETARY", "", "", false),
                ("MESA_TURNIP", "26.0.0", "Adreno (TM) 540", false),
            ],
        );
    }
}
