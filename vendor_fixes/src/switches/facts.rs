//! `RX_VK_FACTS`.

use super::{Config, Switch, Update};

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_FACTS",
    accepted: "a preset's name (`rx facts list`) or a JSON file",
    short: "Plan as if the device were this one.",
    long: "Names a preset (`moltenvk-1.4.2-apple7`, `radv`, …) or a JSON file that `rx facts dump` wrote. Programs are \
           then planned for that device. A real device's limits are never raised by it: where both know a limit, the \
           smaller one counts.",
    update: Update::With(update),
};

fn update(config: &mut Config, value: &str) -> bool {
    config.facts = Some(value.to_owned());
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switches::tests::one;

    #[test]
    fn values() {
        assert_eq!(one(SWITCH.name, ""), (Config::default(), Vec::new()));
        let (config, warnings) = one(SWITCH.name, "facts.json");
        assert_eq!(config, Config { facts: Some("facts.json".to_owned()), ..Config::default() });
        assert!(warnings.is_empty());
    }
}
