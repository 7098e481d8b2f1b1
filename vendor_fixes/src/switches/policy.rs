//! `RX_VK_POLICY`.

use super::{Config, PolicyChoice, Switch, Update};

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_POLICY",
    accepted: "`push`, `set`, `split` or `auto`",
    short: "What a program's descriptors should be: pushed, in a set, or both.",
    long: "`push`, the default, pushes a program's set where the rules allow it and makes an ordinary set elsewhere. \
           `set` makes an ordinary set always. `split` pushes the constant buffers and holds the rest in an \
           update-after-bind set, wherever both fit. `auto` pushes, splits where pushing cannot be, and makes an \
           ordinary set where splitting cannot be either. A host that decides for itself is not overruled.",
    update: Update::With(update),
};

fn update(config: &mut Config, value: &str) -> bool {
    config.policy = match value {
        "push" => Some(PolicyChoice::Push),
        "set" => Some(PolicyChoice::Set),
        "split" => Some(PolicyChoice::Split),
        "auto" => Some(PolicyChoice::Auto),
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
        let cases = [
            ("", None),
            ("push", Some(PolicyChoice::Push)),
            ("set", Some(PolicyChoice::Set)),
            ("split", Some(PolicyChoice::Split)),
            ("auto", Some(PolicyChoice::Auto)),
        ];
        for (value, want) in cases {
            let (config, warnings) = one(SWITCH.name, value);
            assert_eq!(config, Config { policy: want, ..Config::default() }, "{value:?}");
            assert!(warnings.is_empty());
        }
        for value in ["1", "Push", "both"] {
            let (config, warnings) = one(SWITCH.name, value);
            assert_eq!(config, Config::default(), "{value:?}");
            assert_eq!(warnings.len(), 1);
        }
    }
}
