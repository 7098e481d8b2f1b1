//! Facts of this machine's own devices, where it has any.
#![allow(clippy::panic, clippy::print_stdout, missing_docs)]

use rx_vendor_fixes::{Config, ResolvedFixes};
use rx_vk::{DeviceFacts, Error, ErrorKind, PlanOptions, profile};

#[test]
fn a_live_device_says_who_it_is_and_its_facts_read_back() {
    let devices = match DeviceFacts::live() {
        Ok(devices) => devices,
        Err(error) => {
            assert!(matches!(error, Error::NoVulkan { .. }) && error.kind() == ErrorKind::NoDevice, "{error}");
            println!("skipped: {error}");
            return;
        }
    };
    assert!(!devices.is_empty());
    for facts in devices {
        assert!(!facts.name.is_empty() && facts.chip.vendor_id.is_some());
        assert!(facts.limits.max_bound_descriptor_sets.is_some_and(|sets| sets >= 4), "Vulkan asks for four");
        let text = facts.to_json().to_string();
        assert_eq!(DeviceFacts::from_json("live", &text), Ok(facts.clone()));
        let options = PlanOptions::new(&facts, &Config::default());
        assert_eq!(facts.check_fixes(&options.fixes), Ok(()), "{}", facts.name);
        let own = profile(&facts, &ResolvedFixes::NONE);
        assert_eq!(Some(own.features), facts.shaders.features);
        println!("{}: {:?} {:?}", facts.name, facts.driver_id, facts.driver_version);
    }
}
