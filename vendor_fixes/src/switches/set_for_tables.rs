//! `RX_VK_SET_FOR_TABLES`.

use super::{Switch, Update};
use crate::FixId;

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_SET_FOR_TABLES",
    accepted: "`1` or `0`",
    short: "A program past one of Metal's tables gets a set instead of being pushed.",
    long: "By default on with MoltenVK, off with any other driver. `1` turns the fix `set_for_tables` on with any \
           driver: its rules, its budgets, and update-after-bind layouts and pools for every ordinary set, so that the \
           path can be tried on any machine. It needs Vulkan 1.2 or VK_EXT_descriptor_indexing. `0` turns it off with \
           any driver: on MoltenVK a program past a table then fails when its pipeline is made.",
    update: Update::Fix(FixId::SetForTables),
};

#[cfg(test)]
mod tests {
    #[test]
    fn values() {
        crate::switches::tests::check_fix_switch(&super::SWITCH, crate::FixId::SetForTables);
    }
}
