//! `rx doctor` on this machine.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::process::{Command, Output};

fn doctor(arguments: &[&str], device: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rx")).arg("doctor").args(arguments).env("RX_VK_DEVICE", device).output().unwrap()
}

#[test]
fn it_names_devices_what_they_lack_and_draws() {
    let output = doctor(&["--json"], "llvmpipe");
    if output.status.code() == Some(5) {
        assert!(std::env::var("CI").is_err(), "no Vulkan device, and CI forbids to skip");
        println!("skipped: no Vulkan device");
        return;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let devices = answer["devices"].as_array().unwrap();
    let taken = devices.iter().find(|device| device["taken"] == true).unwrap();
    assert!(taken["name"].as_str().unwrap().starts_with("llvmpipe"));
    assert_eq!(taken["lacks_required"], serde_json::json!([]));
    // Mesa's software driver has no fragment shader interlock (docs.mesa3d.org/features), and what the core has is not missing.
    let lacks = taken["lacks"].as_array().unwrap();
    assert!(lacks.iter().any(|name| name == "fragmentShaderPixelInterlock"), "{lacks:?}");
    assert!(!lacks.iter().any(|name| name.as_str().unwrap().contains("ynamic")), "{lacks:?}");
    assert_eq!(answer["switches"], serde_json::json!([["RX_VK_DEVICE", "llvmpipe"]]));
    assert_eq!((&answer["draw"]["right"], &answer["draw"]["messages"]), (&true.into(), &serde_json::json!([])));
    let text = String::from_utf8(doctor(&["--long"], "llvmpipe").stdout).unwrap();
    for part in ["(taken)", "timelineSemaphore", "draws       as it should"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_device_that_is_not_there_is_wrong_usage() {
    let output = doctor(&[], "no such device");
    let text = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(5) {
        println!("skipped: no Vulkan device");
        return;
    }
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("RX0525: "), "{text}");
}
