//! `rx demo`, and the main job's picture.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{fields, is_plain, rx, rx_in};
use serde_json::Value;
use tempfile::tempdir;

/// Runs `rx` with the machine's own drivers; none where there are none, which is a failure on the project's own machines.
fn with_driver(folder: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rx"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).env_clear();
    let output = command.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(5) {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{err}");
        println!("skipped: {err}");
        return None;
    }
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(err.is_empty(), "{err}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Width and height, as the PNG's header has them.
fn size(png: &[u8]) -> [u32; 2] {
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn without_a_device_it_says_so() {
    rx(["demo"]).ends(5).error("RX0510");
    rx(["demo", "--frames", "0"]).ends(2).error("RX0601");
    rx(["demo", "--facts", "no-such"]).ends(2).error("RX0503");
}

#[test]
fn it_draws_the_scene_to_a_png() {
    let dir = tempdir().unwrap();
    let Some(out) = with_driver(dir.path(), &["demo", "--png", "a.png", "--json"]) else { return };
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(fields(&told)[..6], ["schema", "file", "width", "height", "frames", "device"]);
    assert_eq!((&told["file"], &told["frames"]), (&Value::from("a.png"), &Value::from(1)));
    assert!(told["sets_pushed"].as_u64().unwrap() > 0, "{told}");
    let png = std::fs::read(dir.path().join("a.png")).unwrap();
    assert_eq!(size(&png), [1280, 720]);
    assert!(png.len() > 200_000, "a picture, not a plain colour: {} bytes", png.len());
}

#[test]
fn the_main_job_leaves_a_picture_where_it_runs() {
    let dir = tempdir().unwrap();
    let Some(out) = with_driver(dir.path(), &[]) else { return };
    is_plain(&out);
    let png = dir.path().join("rx-demo.png");
    assert!(png.exists() || out.contains("No Vulkan driver"), "{out}");
    if png.exists() {
        assert_eq!(size(&std::fs::read(png).unwrap()), [1280, 720]);
        assert!(out.contains("rx-demo.png: 1280 x 720, one frame drawn by "), "{out}");
    } else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{out}");
    }
    let nowhere = rx_in::<&str>(dir.path(), &[], []).ends(0);
    assert!(nowhere.out.contains("No Vulkan driver"), "{}", nowhere.out);
}
