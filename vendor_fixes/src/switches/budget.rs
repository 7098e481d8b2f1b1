//! `RX_VK_BUDGET`.

use super::{BudgetChoice, Config, Switch, Update};

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_BUDGET",
    accepted: "`worst` or `exact`",
    short: "Which arithmetic decides whether a program fits Metal's tables.",
    long: "`worst`, the default, uses what holds on any Mac with any MoltenVK, so that a program's plan is the same on \
           all of them. `exact` uses what is known of this device, this MoltenVK and this program's vertex input and \
           code, and pushes more programs.",
    update: Update::With(update),
};

fn update(config: &mut Config, value: &str) -> bool {
    config.budget = match value {
        "worst" => Some(BudgetChoice::Worst),
        "exact" => Some(BudgetChoice::Exact),
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
        let cases = [("", None), ("worst", Some(BudgetChoice::Worst)), ("exact", Some(BudgetChoice::Exact))];
        for (value, want) in cases {
            let (config, warnings) = one(SWITCH.name, value);
            assert_eq!(config, Config { budget: want, ..Config::default() }, "{value:?}");
            assert!(warnings.is_empty());
        }
        for value in ["1", "0", "Exact", "both"] {
            let (config, warnings) = one(SWITCH.name, value);
            assert_eq!(config, Config::default(), "{value:?}");
            assert_eq!(warnings.len(), 1);
        }
    }
}
