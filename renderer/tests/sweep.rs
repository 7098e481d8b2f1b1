//! `rx sweep`: counts, baselines, determinism, reports.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{fields, file, is_plain, rx, scene};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// A geometry shader of patches, which Vulkan does not have.
const PATCHES: &str = "gs_5_0
dcl_globalFlags refactoringAllowed
dcl_inputprimitive patch4
dcl_outputtopology pointlist
dcl_maxout 1
ret
";

/// A folder of five shaders, one of each end but failed and adapted, and a file that is none.
fn folder() -> TempDir {
    let dir = tempdir().unwrap();
    let line = std::fs::read(scene("dxbc/line_vs.dxbc")).unwrap();
    file(dir.path(), "shaders/b/line.dxbc", &line);
    file(dir.path(), "shaders/a.bin", &line);
    file(dir.path(), "shaders/cut.dxbc", &line[..100]);
    file(dir.path(), "shaders/a_patch.dxbc", rx_translate::dxbc::asm::assemble(PATCHES).unwrap());
    file(dir.path(), "shaders/fill.comp", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n");
    file(dir.path(), "shaders/notes.txt", "no shader");
    dir
}

fn sweep(dir: &Path, more: &[&str]) -> common::Run {
    let mut args: Vec<OsString> = vec!["sweep".into(), dir.join("shaders").into_os_string()];
    args.extend(more.iter().map(|&own| own.replace("DIR", &dir.to_string_lossy()).into()));
    rx(args)
}

/// The lines without what a clock says.
fn timeless(mut lines: Vec<Value>) -> Vec<Value> {
    for line in &mut lines {
        line.as_object_mut().unwrap().remove("microseconds");
    }
    lines
}

#[test]
fn every_shader_has_a_line_and_the_last_is_the_total() {
    let dir = folder();
    let lines = sweep(dir.path(), &["--json"]).ends(0).lines();
    let (total, shaders) = lines.split_last().unwrap();
    let ends: Vec<Value> = shaders.iter().map(|own| json!([own["file"], own["status"], own["code"]])).collect();
    assert_eq!(
        ends,
        [
            json!(["a.bin", "exact", null]),
            json!(["a_patch.dxbc", "refused", "RX0213"]),
            json!(["b/line.dxbc", "exact", null]),
            json!(["cut.dxbc", "malformed", "RX0102"]),
            json!(["fill.comp", "exact", null]),
        ]
    );
    assert_eq!(fields(&shaders[0]), ["schema", "file", "status", "code", "words", "microseconds", "blake3"]);
    assert_eq!(shaders[0]["blake3"], shaders[2]["blake3"]);
    assert_eq!(shaders[1]["blake3"], Value::Null);
    assert_eq!(
        fields(total),
        [
            "schema",
            "total",
            "exact",
            "adapted",
            "refused",
            "malformed",
            "failed",
            "words",
            "microseconds",
            "refused_by_code",
            "profile"
        ]
    );
    let counts = json!([total["total"], total["exact"], total["refused"], total["malformed"], total["failed"]]);
    assert_eq!(counts, json!([5, 3, 1, 1, 0]));
    assert_eq!(total["refused_by_code"], json!({"RX0213": 1}));
    assert_eq!(total["profile"], "vulkan1.3, preset full, robustness device");
    let words: u64 = shaders.iter().map(|own| own["words"].as_u64().unwrap()).sum();
    assert_eq!(total["words"], words);
}

#[test]
fn of_several_entry_points_each_is_swept() {
    let dir = tempdir().unwrap();
    file(dir.path(), "shaders/outline.wgsl", std::fs::read(scene("wgsl/outline.wgsl")).unwrap());
    let lines = sweep(dir.path(), &["--json"]).ends(0).lines();
    let ends: Vec<Value> = lines.iter().map(|own| json!([own["file"], own["status"]])).collect();
    assert_eq!(
        ends,
        [json!(["outline.wgsl#vertex", "exact"]), json!(["outline.wgsl#fragment", "exact"]), json!([null, null])]
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let dir = folder();
    let one = timeless(sweep(dir.path(), &["--json", "--jobs", "1"]).ends(0).lines());
    let two = timeless(sweep(dir.path(), &["--json", "--jobs", "2"]).ends(0).lines());
    assert_eq!(one, two);
}

#[test]
fn a_baseline_is_approved_compared_and_approved_again() {
    let dir = folder();
    let baseline = ["--baseline", "DIR/base.txt"];
    sweep(dir.path(), &baseline).ends(1).error("RX0602");
    let run = sweep(dir.path(), &["--baseline", "DIR/base.txt", "--approve"]).ends(0);
    assert!(run.out.contains("5 differ from the baseline, approved"), "{}", run.out);
    let text = std::fs::read_to_string(dir.path().join("base.txt")).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.splitn(3, "  ").collect()).collect();
    let paths: Vec<&str> = lines.iter().map(|line| line[2]).collect();
    assert_eq!(paths, ["a.bin", "a_patch.dxbc", "b/line.dxbc", "cut.dxbc", "fill.comp"]);
    assert_eq!((lines[1][0], lines[1][1]), ("RX0213", "refused"));
    assert!(lines[0][0].len() == 64 && lines[0][0].bytes().all(|byte| byte.is_ascii_hexdigit()));
    let same = sweep(dir.path(), &baseline).ends(0);
    assert!(same.out.contains("as the baseline has it") && same.err.is_empty());

    // A changed, a new and a lost shader.
    file(dir.path(), "shaders/fill.comp", "#version 450\nlayout(local_size_x = 2) in;\nvoid main() {}\n");
    file(dir.path(), "shaders/new.comp", "#version 450\nlayout(local_size_x = 2) in;\nvoid main() {}\n");
    std::fs::remove_file(dir.path().join("shaders/cut.dxbc")).unwrap();
    let changed = sweep(dir.path(), &baseline).ends(1);
    assert!(changed.error("RX0612").contains("3 shaders differ"), "{}", changed.err);
    for want in ["cut.dxbc: gone: was malformed RX0102", "fill.comp: exact, words differ", "new.comp: new: exact"] {
        assert!(changed.out.contains(want), "{want} in\n{}", changed.out);
    }
    let json = sweep(dir.path(), &["--baseline", "DIR/base.txt", "--json"]).ends(1).lines();
    assert_eq!(json.last().unwrap()["changes"][1], json!({"file": "fill.comp", "change": "exact, words differ"}));
    sweep(dir.path(), &["--baseline", "DIR/base.txt", "--approve"]).ends(0);
    sweep(dir.path(), &baseline).ends(0);

    file(dir.path(), "base.txt", "<<<<<<< mine\n");
    sweep(dir.path(), &baseline).ends(4).error("RX0611");
}

#[test]
fn the_page_for_a_browser_holds_every_shader_and_loads_nothing() {
    let dir = folder();
    file(dir.path(), "shaders/<b>.comp", "broken");
    let run = sweep(dir.path(), &["--report", "DIR/report.html"]).ends(0);
    is_plain(&run.out);
    let page = std::fs::read_to_string(dir.path().join("report.html")).unwrap();
    for want in ["<!doctype html>", "b/line.dxbc", "RX0213", "preset full", "&lt;b&gt;.comp", "</html>"] {
        assert!(page.contains(want), "{want}");
    }
    assert!(!page.contains("<b>.comp") && !page.contains("http"));
    sweep(dir.path(), &["--report", "DIR/no/such/report.html"]).ends(1).error("RX0603");
}

#[test]
fn an_empty_folder_is_no_failure_and_a_missing_one_is() {
    let dir = tempdir().unwrap();
    std::fs::create_dir(dir.path().join("shaders")).unwrap();
    let run = sweep(dir.path(), &["--json"]).ends(0);
    assert_eq!(run.lines().len(), 1);
    assert_eq!(run.json()["total"], 0);
    assert!(run.err.starts_with("warning: RX0617: "), "{}", run.err);
    rx(["sweep".as_ref(), dir.path().join("missing").as_os_str()]).ends(1).error("RX0602");
}
