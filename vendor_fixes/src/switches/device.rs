//! `RX_VK_DEVICE`.

use super::{Config, Switch, Update};

/// See `long`.
pub(super) const SWITCH: Switch = Switch {
    name: "RX_VK_DEVICE",
    accepted: "a device's number or part of its name (`rx doctor` lists them)",
    short: "Take this Vulkan device.",
    long: "Names the device by its number in the loader's list, from 0, or by part of its name, whatever the case. Unset, the \
           first discrete GPU is taken, else an integrated one, else a virtual one, else a processor's.",
    update: Update::With(update),
};

fn update(config: &mut Config, value: &str) -> bool {
    config.device = Some(value.to_owned());
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::switches::tests::one;

    #[test]
    fn values() {
        assert_eq!(one(SWITCH.name, ""), (Config::default(), Vec::new()));
        let (config, warnings) = one(SWITCH.name, "llvmpipe");
        assert_eq!(config, Config { device: Some("llvmpipe".to_owned()), ..Config::default() });
        assert!(warnings.is_empty());
    }
}
