//! The main job: `rx` without a verb.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{fields, is_plain, rx, rx_in};
use serde_json::json;
use std::path::Path;
use tempfile::tempdir;

#[test]
fn it_runs_from_anywhere_and_says_every_program() {
    let dir = tempdir().unwrap();
    let run = rx_in::<&str>(dir.path(), &[("COLUMNS", "140")], []).ends(0);
    is_plain(&run.out);
    assert!(run.err.is_empty(), "no progress where nobody looks: {}", run.err);
    for want in ["harbour at dusk", "g-buffer", "terrain", "outline (WGSL)", "decals (GLSL)", "M1", "Intel", "RADV"] {
        assert!(run.out.contains(want), "{want} in\n{}", run.out);
    }
    let widest = run.out.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 140, "{widest}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "without a driver it leaves nothing behind");
    let told = run.out.lines().last().unwrap();
    assert!(run.out.contains("No Vulkan driver") && run.out.contains("mesa-vulkan-drivers"), "{told}");
}

#[test]
fn its_json_has_a_line_a_program_and_the_totals() {
    let lines = rx(["--json"]).ends(0).lines();
    let (totals, programs) = lines.split_last().unwrap();
    assert_eq!(totals["programs"], programs.len());
    assert_eq!(totals["failed"], 0);
    assert!(totals["picture"].is_null(), "no driver, no picture");
    let find = |name: &str| programs.iter().find(|own| own["name"] == name).unwrap();
    assert_eq!(fields(find("deferred")), ["schema", "pass", "name", "stages", "plans", "microseconds"]);
    let decisions = |name: &str| {
        let plans = find(name)["plans"].as_object().unwrap();
        plans.values().map(|sets| json!([sets[0]["decision"], sets[0]["reason"]])).collect::<Vec<_>>()
    };
    // 34 textures and buffers: past RADV's 32 push descriptors, within Metal's tables.
    assert_eq!(decisions("34 textures"), [json!(["push", null]), json!(["push", null]), json!(["set", "push_limit"])]);
    // Past Metal's 16 samplers: a set where argument buffers give relief, and where they do not an error: the device
    // has no more than 16 samplers a stage either.
    assert_eq!(decisions("19 samplers")[..2], [json!(["set", "samplers"]), json!(["error", "device_limit"])]);
    assert_eq!(decisions("deferred"), [json!(["push", null]), json!(["push", null]), json!(["push", null])]);
    // Its list's length is read: with MoltenVK from 1.4.1 on that needs a set.
    let culling = decisions("culling (WGSL)");
    assert_eq!((&culling[0], &culling[2]), (&json!(["set", "lengths"]), &json!(["push", null])));
}

#[test]
fn a_device_that_the_environment_names_is_planned_for_as_well() {
    let run = rx_in(Path::new("."), &[("RX_VK_FACTS", "swiftshader")], ["--json"]).ends(0);
    let first = &run.lines()[0];
    assert_eq!(first["plans"].as_object().unwrap().len(), 4);
    rx_in::<&str>(Path::new("."), &[("RX_VK_FACTS", "no-such")], []).ends(2).error("RX0503");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_rx"))
        .args(["ledger", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(child.wait().unwrap().success(), "{err}");
    assert!(err.is_empty(), "{err}");
}
