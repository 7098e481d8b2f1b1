//! Effects and other files with shaders inside, and inputs that are no shaders: `rx inspect`, `rx translate`, `rx sweep`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "../../tests/src/effects.rs"]
#[allow(dead_code)]
mod effects;

use std::path::{Path, PathBuf};

use common::{file, is_plain, rx, scene};
use effects::{Effect, FX_5_0, Object, Value, state};
use serde_json::json;
use tempfile::tempdir;

/// An effect of a vertex and a pixel shader written in a pass, an array of pixel shaders, and a compute shader that is
/// cut short.
fn effect(folder: &Path) -> PathBuf {
    let [vs, ps, cs] = ["dxbc/line_vs.dxbc", "dxbc/sky_ps.dxbc", "dxbc/occlusion_cs.dxbc"]
        .map(|name| std::fs::read(scene(name)).unwrap());
    let draw = vec![(state::VERTEX, Value::Shader(&vs, "")), (state::PIXEL, Value::Element("skies", 1))];
    let cut = vec![(state::COMPUTE, Value::Shader(&cs[..100], ""))];
    let effect = Effect {
        version: FX_5_0,
        objects: vec![Object::Shader(state::PIXEL, "skies", vec![Some(&ps), Some(&ps)])],
        groups: vec![("", vec![("Line", vec![("Draw", draw), ("Cut", cut)])])],
        annotated: true,
        ..Effect::default()
    };
    file(folder, "line.fxo", effect.write())
}

#[test]
fn inspect_lists_an_effects_shaders_and_passes() {
    let dir = tempdir().unwrap();
    let path = effect(dir.path());
    let run = rx(["inspect".as_ref(), path.as_os_str()]).ends(0);
    is_plain(&run.out);
    for part in ["effect, fx_5_0, 4 shaders", "Line.Draw.vs", "vs_5_0", "skies[1].ps", "ps_5_0", "Line.Cut"] {
        assert!(run.out.contains(part), "{part}:\n{}", run.out);
    }
    let json = rx(["inspect".as_ref(), "--json".as_ref(), path.as_os_str()]).ends(0).json();
    assert_eq!((&json["effect"], &json["needs_pool"]), (&json!("fx_5_0"), &json!(false)));
    let names: Vec<_> = json["shaders"].as_array().unwrap().iter().map(|own| own["shader"].clone()).collect();
    assert_eq!(names, ["skies[0].ps", "skies[1].ps", "Line.Draw.vs", "Line.Cut.cs"]);
    let pass = &json["passes"][1];
    assert_eq!(
        json!([pass["technique"], pass["pass"], pass["stage"], pass["shader"]]),
        json!(["Line", "Draw", "pixel", "skies[1].ps"])
    );
}

#[test]
fn translate_all_takes_the_shaders_out_and_tries_each() {
    let dir = tempdir().unwrap();
    let (path, out) = (effect(dir.path()), dir.path().join("out"));
    // Without --all the effect is refused, with the way out.
    let refused = rx(["translate".as_ref(), path.as_os_str()]).ends(3);
    assert!(refused.error("RX0230").contains("rx translate --all"), "{}", refused.err);
    let run = rx(["translate".as_ref(), "--all".as_ref(), path.as_os_str(), "-o".as_ref(), out.as_os_str()]).ends(4);
    assert!(run.error("RX0102").contains("line.fxo#Line.Cut.cs"), "{}", run.err);
    assert!(run.out.contains("effect, fx_5_0, 4 shaders"), "{}", run.out);
    let mut names: Vec<_> =
        std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["line.Line.Draw.vs.spv", "line.skies.0.ps.spv", "line.skies.1.ps.spv"]);
    // What comes of a shader is what comes of it alone.
    let alone = dir.path().join("alone.spv");
    rx(["translate".as_ref(), scene("dxbc/line_vs.dxbc").as_os_str(), "-o".as_ref(), alone.as_os_str()]).ends(0);
    assert_eq!(std::fs::read(out.join("line.Line.Draw.vs.spv")).unwrap(), std::fs::read(alone).unwrap());
    let lines = rx(["translate".as_ref(), "--all".as_ref(), "--json".as_ref(), path.as_os_str()]).ends(4).lines();
    let line = |line: &serde_json::Value| json!([line["shader"], line["status"], line["stage"], line["found"]]);
    assert_eq!(
        lines.iter().map(line).collect::<Vec<_>>(),
        [
            json!(["skies[0].ps", "exact", "fragment", "effect"]),
            json!(["skies[1].ps", "exact", "fragment", "effect"]),
            json!(["Line.Draw.vs", "exact", "vertex", "effect"]),
            json!(["Line.Cut.cs", "malformed", null, "effect"]),
        ]
    );
}

#[test]
fn translate_all_scans_files_of_unknown_formats_and_says_so() {
    let dir = tempdir().unwrap();
    let shader = std::fs::read(scene("dxbc/line_vs.dxbc")).unwrap();
    let pack = file(dir.path(), "game.pak", [&b"\x01\x02pack\xff"[..], &shader, b"\xff", &shader].concat());
    let out = dir.path().join("out");
    let run = rx(["translate".as_ref(), "--all".as_ref(), pack.as_os_str(), "-o".as_ref(), out.as_os_str()]).ends(0);
    assert!(run.out.contains("a scan of its bytes found 2 shaders"), "{}", run.out);
    assert!(out.join("game.at_0x7.spv").is_file());
    // Without --all the file is refused with the way to its shaders.
    let refused = rx(["translate".as_ref(), pack.as_os_str()]).ends(4);
    assert!(refused.error("RX0101").contains("2 containers inside"), "{}", refused.err);
    assert!(refused.err.contains("rx translate --all"), "{}", refused.err);
    let listed = rx(["inspect".as_ref(), "--all".as_ref(), pack.as_os_str()]).ends(0);
    assert!(listed.out.contains("at_0x7") && listed.out.contains("vs_5_"), "{}", listed.out);
    // A shader by itself, and a file without any.
    let alone = scene("dxbc/line_vs.dxbc");
    rx(["translate".as_ref(), "--all".as_ref(), "--json".as_ref(), alone.as_os_str()]).ends(0);
    let none = file(dir.path(), "none.bin", b"\x01\x02\xff\xfe");
    rx(["translate".as_ref(), "--all".as_ref(), none.as_os_str()]).ends(4).error("RX0101");
    rx(["inspect".as_ref(), "--all".as_ref(), none.as_os_str()]).ends(4).error("RX0101");
}

#[test]
fn sweep_counts_the_shaders_of_an_effect() {
    let dir = tempdir().unwrap();
    effect(dir.path());
    let lines = rx(["sweep".as_ref(), "--json".as_ref(), dir.path().as_os_str()]).ends(0).lines();
    let files: Vec<_> = lines.iter().filter_map(|line| line["file"].as_str()).collect();
    let want = ["skies[0].ps", "skies[1].ps", "Line.Draw.vs", "Line.Cut.cs"].map(|name| format!("line.fxo#{name}"));
    assert_eq!(files, want);
    let total = &lines[4];
    assert_eq!(json!([total["total"], total["exact"], total["malformed"]]), json!([4, 3, 1]));
}

/// Each input that is no shader is called by its name, whatever its extension.
#[test]
fn other_inputs_are_refused_by_what_they_are() {
    let dir = tempdir().unwrap();
    for (name, bytes, exit, code) in [
        ("effect9.fxo", &b"\x01\x09\xff\xfe\0\0\0\0"[..], 3, "RX0231"),
        ("old.bin", b"\x00\x02\xff\xff\xff\xff\0\0", 3, "RX0233"),
        ("source.hlsl", b"float4 main() : SV_Target { return 1; }", 3, "RX0235"),
        ("source.cso", b"float4 main() : SV_Target { return 1; }", 3, "RX0235"),
        ("text.cso", b"{}", 4, "RX0101"),
        ("shaders.zip", b"PK\x03\x04\x14\0", 4, "RX0121"),
        ("texture.dds", b"DDS \x7c\0\0\0", 4, "RX0122"),
        ("pointer.cso", b"version https://git-lfs.github.com/spec/v1\n", 4, "RX0123"),
        ("empty.dxbc", b"", 4, "RX0120"),
        ("xbox.bin", b"\xff\xff\x03\x00\0\0\xff\xff", 3, "RX0237"),
    ] {
        let path = file(dir.path(), name, bytes);
        for verb in ["translate", "inspect"] {
            let run = rx([verb.as_ref(), path.as_os_str()]).ends(exit);
            assert!(run.error(code).contains(name), "{}", run.err);
        }
    }
}

#[test]
fn a_wrong_or_missing_checksum_is_noted_and_changes_no_status() {
    let dir = tempdir().unwrap();
    let good = std::fs::read(scene("dxbc/line_vs.dxbc")).unwrap();
    let run = |name: &str, checksum: Option<u8>, strict: bool| {
        let mut bytes = good.clone();
        if let Some(byte) = checksum {
            bytes[4..20].fill(byte);
        }
        let path = file(dir.path(), name, bytes);
        let mut args = vec!["translate".into(), "--json".into(), path.into_os_string()];
        args.extend(strict.then(|| "--strict".into()));
        let json = rx(args).ends(0).json();
        json!([json["status"], json["notes"]])
    };
    assert_eq!(run("good.dxbc", None, false), json!(["exact", []]));
    assert_eq!(run("wrong.dxbc", Some(7), false), json!(["exact", [{"code": "RX0425", "count": 1}]]));
    assert_eq!(run("wrong.dxbc", Some(7), true), json!(["exact", [{"code": "RX0425", "count": 1}]]));
    assert_eq!(run("none.dxbc", Some(0), false), json!(["exact", [{"code": "RX0426", "count": 1}]]));
    let page = rx(["inspect".as_ref(), dir.path().join("none.dxbc").as_os_str()]).ends(0);
    assert!(page.out.contains("checksum missing"), "{}", page.out);
    let swept = rx(["sweep".as_ref(), "--json".as_ref(), dir.path().as_os_str()]).ends(0).lines();
    assert_eq!(swept[3]["exact"], 3);
    assert_eq!(swept[2]["notes"][0]["code"], "RX0425");
}
