//! `RX_VK_VALIDATE`.

use super::{Config, Switch, Update};

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_VALIDATE",
    accepted: "`1` or `0`",
    short: "Load the Khronos validation layers.",
    long: "At 1 the layers check every Vulkan call, and what they say goes to the log (target `rx::validation`). Where they \
           are not installed, a line in the log says so. At 0 they stay off even where the host asks for them.",
    update: Update::With(update),
};

fn update(config: &mut Config, value: &str) -> bool {
    config.validate = match value {
        "1" => Some(true),
        "0" => Some(false),
        _ => return false,
    };
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switches::tests::one;

    #[test]
    fn values() {
        for (value, validate) in [("", None), ("1", Some(true)), ("0", Some(false))] {
            assert_eq!(one(SWITCH.name, value), (Config { validate, ..Config::default() }, Vec::new()));
        }
        let (config, warnings) = one(SWITCH.name, "yes");
        assert_eq!((config, warnings.len()), (Config::default(), 1));
    }
}
