//! `RX_VK_SET_FOR_LENGTHS`.

use super::{Switch, Update};
use crate::FixId;

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_SET_FOR_LENGTHS",
    accepted: "`1` or `0`",
    short: "A program that reads the length of a storage buffer gets a set instead of being pushed.",
    long: "By default on with MoltenVK, off with any other driver. `1` turns the fix `set_for_lengths` on with any \
           driver. `0` turns it off with any driver: on MoltenVK 1.4.1 and later the length of a pushed storage buffer \
           then reads as 0. With a MoltenVK that is known to be older than 1.4.1 the fix moves nothing, since lengths \
           are right there.",
    update: Update::Fix(FixId::SetForLengths),
};

#[cfg(test)]
mod tests {
    #[test]
    fn values() {
        crate::switches::tests::check_fix_switch(&super::SWITCH, crate::FixId::SetForLengths);
    }
}
