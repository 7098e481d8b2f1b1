//! Device facts: presets, files, errors, bounds.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rx_vendor_fixes::{DriverId, Version};
use rx_vk::facts::{Limits, MetalFacts, MetalModel, PRESETS};
use rx_vk::{DeviceFacts, ErrorKind, codes};

#[test]
fn every_preset_reads_states_its_source_and_reads_back() {
    let names: Vec<&str> = DeviceFacts::preset_names().collect();
    assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "in order");
    for name in names {
        let facts = DeviceFacts::preset(name).unwrap();
        assert_eq!(facts.name, name);
        assert!(facts.driver_id.is_some_and(|id| id.name().is_some()), "{name}");
        assert!(!facts.source.report.is_empty() && facts.source.url.starts_with("https://"), "{name}");
        assert!(facts.source.date.starts_with("20"), "{name}");
        assert!(facts.push_descriptors.is_some() && facts.update_after_bind.is_some(), "{name}");
        assert_eq!(DeviceFacts::from_json("again", &facts.to_json().to_string()).unwrap(), facts);
        assert_eq!(facts.limits.max_push_descriptors.is_some(), facts.push_descriptors == Some(true), "{name}");
    }
}

#[test]
fn the_presets_that_are_promised_are_there() {
    for version in ["1.4.0", "1.4.1", "1.4.2"] {
        for gpu in ["apple7", "a11", "amd-metal3", "amd", "intel-tier1"] {
            let facts = DeviceFacts::preset(&format!("moltenvk-{version}-{gpu}")).unwrap();
            assert!(facts.is_moltenvk());
            assert_eq!(facts.driver_version, Version::parse(version));
        }
    }
    for (name, driver) in [
        ("radv", DriverId::MESA_RADV),
        ("amd", DriverId::AMD_PROPRIETARY),
        ("nvidia", DriverId::NVIDIA_PROPRIETARY),
        ("nvk", DriverId::MESA_NVK),
        ("anv", DriverId::INTEL_OPEN_SOURCE_MESA),
        ("intel-windows", DriverId::INTEL_PROPRIETARY_WINDOWS),
        ("turnip", DriverId::MESA_TURNIP),
        ("qualcomm", DriverId::QUALCOMM_PROPRIETARY),
        ("arm", DriverId::ARM_PROPRIETARY),
        ("panvk", DriverId::MESA_PANVK),
        ("honeykrisp", DriverId::MESA_HONEYKRISP),
        ("kosmickrisp", DriverId::MESA_KOSMICKRISP),
        ("llvmpipe", DriverId::MESA_LLVMPIPE),
        ("swiftshader", DriverId::GOOGLE_SWIFTSHADER),
    ] {
        assert_eq!(DeviceFacts::preset(name).unwrap().driver_id, Some(driver));
    }
    assert_eq!(PRESETS.len(), 31);
}

/// The figures that MoltenVK's source gives, and those that a device reported.
#[test]
fn moltenvk_presets_have_moltenvks_limits() {
    let limits = |name: &str| DeviceFacts::preset(name).unwrap().limits;
    for (name, push, samplers, after) in [
        ("moltenvk-1.4.2-apple7", 287, 16, Some(1024)),
        ("moltenvk-1.4.2-amd", 287, 16, None),
        ("moltenvk-1.4.2-intel-tier1", 159, 16, Some(16)),
        ("moltenvk-1.4.2-a11", 127, 16, Some(16)),
        ("moltenvk-1.2.7-apple7", 159, 16, Some(16)),
    ] {
        let limits = limits(name);
        assert_eq!(limits.max_push_descriptors, Some(push), "{name}");
        assert_eq!(limits.max_per_stage_descriptor_samplers, Some(samplers), "{name}");
        assert_eq!(limits.max_per_stage_descriptor_update_after_bind_samplers, after, "{name}");
    }
    let model = |name: &str| MetalModel::new(&DeviceFacts::preset(name).unwrap());
    let m1 = MetalModel { version: Some(Version::new(1, 4, 2)), ..MetalModel::M1 };
    assert_eq!(model("moltenvk-1.4.2-apple7"), m1);
    assert_eq!(model("moltenvk-1.4.2-a11"), MetalModel { texture_table: 96, native_atomics: false, tier: 1, ..m1 });
    assert_eq!(model("moltenvk-1.4.2-amd"), MetalModel { reversed_depth: true, ..m1 });
    assert_eq!(model("moltenvk-1.4.2-amd-metal3"), m1);
    assert_eq!(model("moltenvk-1.4.2-intel-tier1"), MetalModel { tier: 1, ..m1 });
    assert_eq!(model("radv"), MetalModel::M1);
}

#[test]
fn a_live_moltenvk_betrays_its_tier_and_table() {
    let of = |name: &str| MetalFacts::from_limits(&DeviceFacts::preset(name).unwrap().limits);
    let of = |name| (of(name).texture_table, of(name).argument_buffers_tier);
    assert_eq!(of("moltenvk-1.4.2-apple7"), (None, Some(2)));
    assert_eq!(of("moltenvk-1.4.2-a11"), (Some(96), Some(1)));
    assert_eq!(of("moltenvk-1.4.2-intel-tier1"), (Some(128), Some(1)));
    assert_eq!(MetalFacts::from_limits(&Limits::default()), MetalFacts::default());
}

#[test]
fn a_misspelt_preset_gives_the_nearest_name() {
    let error = DeviceFacts::open("moltenvk-1.4.2-aple7").unwrap_err();
    assert_eq!(error.code(), codes::NO_PRESET);
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert_eq!(
        error.to_string(),
        "RX0503: moltenvk-1.4.2-aple7: neither a preset nor a file; the nearest preset is moltenvk-1.4.2-apple7"
    );
}

#[test]
fn a_missing_file_and_a_bad_one_say_what_and_where() {
    let missing = DeviceFacts::open("no/such/file.json").unwrap_err();
    assert_eq!((missing.code(), missing.kind()), (codes::FACTS_FILE, ErrorKind::Io));
    assert!(missing.to_string().starts_with("RX0501: no/such/file.json: cannot be read: "), "{missing}");
    let check = |text: &str, code, part: &str| {
        let error = DeviceFacts::from_json("facts.json", text).unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(error.kind(), ErrorKind::Malformed);
    };
    check("", codes::FACTS_JSON, "facts.json: EOF");
    check("{}", codes::FACTS_JSON, "missing field `schema`");
    check(r#"{"schema": 2}"#, codes::SCHEMA, "schema 2");
    check(r#"{"schema": 1, "limts": {}}"#, codes::FACTS_JSON, "unknown field `limts`");
    check("{\"schema\": 1,\n \"limits\": {\"max_push\": 1}}", codes::FACTS_JSON, "line 2");
    check(r#"{"schema": 1, "limits": {"max_push_descriptors": -1}}"#, codes::FACTS_JSON, "-1");
    check(r#"{"schema": 1, "driver": {"id": 14, "version": "new"}}"#, codes::VERSION, "\"new\"");
    check(r#"{"schema": 1, "driver": {"id": 14, "name": "MESA_RADV"}}"#, codes::FACTS_JSON, "MOLTENVK, not MESA_RADV");
    check(r#"{"schema": 1, "driver": {"name": "MOLTEN"}}"#, codes::FACTS_JSON, "MOLTEN");
}

#[test]
fn limits_are_read_in_both_spellings_and_a_name_alone_is_a_driver() {
    let text = r#"{"schema": 1, "driver": {"name": "MOLTENVK"}, "limits": {"maxPushDescriptors": 5, "max_bound_descriptor_sets": 6}}"#;
    let facts = DeviceFacts::from_json("facts.json", text).unwrap();
    assert!(facts.is_moltenvk());
    assert_eq!(facts.name, "facts.json");
    let known: Vec<_> = facts.limits.iter().filter_map(|(name, value)| Some((name, value?))).collect();
    assert_eq!(known, [("maxPushDescriptors", 5), ("maxBoundDescriptorSets", 6)]);
}

#[test]
fn a_file_is_opened_and_bounds_never_rise() {
    let path = std::env::temp_dir().join(format!("rx-facts-{}.json", std::process::id()));
    std::fs::write(&path, DeviceFacts::preset("radv").unwrap().to_json().to_string()).unwrap();
    let facts = DeviceFacts::open(path.to_str().unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(facts, DeviceFacts::preset("radv").unwrap());
    let real = DeviceFacts::preset("swiftshader").unwrap();
    let bounded = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap().bounded_by(&real);
    assert!(bounded.is_moltenvk());
    assert_eq!(bounded.push_descriptors, Some(false));
    let limits = bounded.limits.iter().zip(real.limits.iter());
    assert!(limits.filter(|((_, a), (_, b))| b.is_some() && a > b).count() == 0);
    assert_eq!(bounded.limits.max_bound_descriptor_sets, Some(4));
    assert_eq!(bounded.limits.max_per_stage_descriptor_samplers, Some(16));
}
