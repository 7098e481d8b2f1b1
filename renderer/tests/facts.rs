//! `rx facts dump`: this machine's device, where there is one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod common;

use common::{file, rx};
use std::process::Command;
use tempfile::tempdir;

#[test]
fn without_a_device_there_is_nothing_to_dump() {
    rx(["facts", "dump"]).ends(5).error("RX0510");
    rx(["facts", "dump", "--json"]).ends(5).error("RX0510");
}

#[test]
fn what_is_dumped_is_read_back() {
    // With the machine's own drivers, of which there may be none.
    let dump = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_rx")).args(["facts", "dump"]).args(more).env_clear().output().unwrap()
    };
    let live = dump(&[]);
    if live.status.code() == Some(5) {
        println!("skipped: no Vulkan device");
        return;
    }
    assert_eq!(live.status.code(), Some(0));
    let text = String::from_utf8(live.stdout).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["schema"], 1);
    assert!(json["driver"]["id"].is_u64() && json["limits"]["max_bound_descriptor_sets"].is_u64(), "{text}");
    let one_line = dump(&["--json"]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&one_line.stdout).unwrap(), json);
    assert_eq!(one_line.stdout.iter().filter(|byte| **byte == b'\n').count(), 1);

    let dir = tempdir().unwrap();
    let path = file(dir.path(), "mine.json", &text);
    let shown = rx(["facts".as_ref(), "show".as_ref(), path.as_os_str()]).ends(0);
    assert_eq!(shown.out, text);
    let shader = common::scene("dxbc/line_vs.dxbc");
    let args = ["plan".as_ref(), "--json".as_ref(), shader.as_os_str(), "--facts".as_ref(), path.as_os_str()];
    assert_eq!(rx(args).ends(0).json()["driver_id"], json["driver"]["id"]);

    let past = dump(&["--device", "99"]);
    assert_eq!(past.status.code(), Some(2));
    let said = String::from_utf8(past.stderr).unwrap();
    assert!(said.starts_with("RX0601: ") && said.contains("no device 99"), "{said}");
}
