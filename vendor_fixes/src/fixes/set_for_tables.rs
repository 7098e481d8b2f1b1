//! `set_for_tables`: a program past one of Metal's discrete tables gets an ordinary set.
//!
//! MoltenVK binds a pushed set's resources one by one, into tables of 31 buffers (which vertex buffers and implicit
//! buffers share), 128 textures, 16 samplers and 8 read_write textures a stage. It advertises more (287 push
//! descriptors), and the pipeline of a program past a table is not made.
//!
//! Before: a fragment stage of 17 combined image samplers is pushed; `vkCreateGraphicsPipelines` fails with "'sampler'
//! attribute parameter is out of bounds: must be between 0 and 15". After: it gets a set, which MoltenVK writes into
//! an argument buffer.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::DriverId;

/// See the module's page.
pub const SET_FOR_TABLES: Fix = Fix {
    id: FixId::SetForTables,
    name: "set_for_tables",
    switch: "RX_VK_SET_FOR_TABLES",
    title: "A program past one of Metal's tables gets a set instead of being pushed.",
    acts_on: ActsOn::Layout,
    drivers: &[DriverId::MOLTENVK],
    versions: VersionRange::ANY,
    chip: Chip::Any,
    default_on: DefaultOn::Driver,
    symptom: "A program with more buffers, textures, samplers or read_write textures than Metal's discrete tables hold \
              is pushed, and making its pipeline fails, or reads the wrong resource.",
    action: "Gives such a program an ordinary set; every ordinary set's layout and pool is update-after-bind, so that \
             Vulkan counts it against those limits.",
    source: "https://github.com/KhronosGroup/MoltenVK/pull/2659",
    test: "vk/tests/layout_fixture.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::SET_FOR_TABLES,
            &[
                ("MOLTENVK", "1.4.2", "", true),
                ("MOLTENVK", "1.2.9", "", true),
                ("MOLTENVK", "", "", true),
                ("MESA_KOSMICKRISP", "26.0.0", "Apple M1", false),
                ("MESA_HONEYKRISP", "26.0.0", "Apple M1", false),
            ],
        );
    }
}
