//! `rx translate` and `rx inspect`: outputs, reflection, kinds, exit codes.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{asset, fields, file, is_plain, rx, rx_in, scene};
use serde_json::json;
use tempfile::tempdir;

/// Two cases of a stage in one text, a uniform and a read-only buffer.
const WGSL: &str = "
    @group(0) @binding(3) var<uniform> tint: vec4f;
    @group(0) @binding(1) var<storage, read> bones: array<vec4f>;
    @vertex fn vs(@location(0) at: vec4f) -> @builtin(position) vec4f { return at + bones[0]; }
    @fragment fn fs() -> @location(0) vec4f { return tint; }";

#[test]
fn a_module_goes_to_the_file_named() {
    let dir = tempdir().unwrap();
    let out = dir.path().join("line.spv");
    let run =
        rx(["translate".as_ref(), scene("dxbc/line_vs.dxbc").as_os_str(), "-o".as_ref(), out.as_os_str()]).ends(0);
    is_plain(&run.out);
    assert!(run.out.contains("vertex, exact"), "{}", run.out);
    let bytes = std::fs::read(&out).unwrap();
    // SPIR-V 1.6, little-endian.
    assert_eq!(bytes[..8], [3, 2, 0x23, 7, 0, 6, 1, 0]);
    let of_11 = dir.path().join("11.spv");
    rx([
        "translate".as_ref(),
        scene("dxbc/line_vs.dxbc").as_os_str(),
        "--target".as_ref(),
        "vulkan1.1".as_ref(),
        "-o".as_ref(),
        of_11.as_os_str(),
    ])
    .ends(0);
    assert_eq!(std::fs::read(&of_11).unwrap()[4..8], [0, 3, 1, 0]);
}

#[test]
fn a_folder_has_an_output_a_kind_and_input() {
    let dir = tempdir().unwrap();
    let out = dir.path().join("made/here");
    let inputs = [scene("dxbc/line_vs.dxbc"), scene("glsl/blur.comp")];
    let mut args = vec!["translate".into(), "--emit".into(), "spv,spvasm,json".into(), "-o".into()];
    args.push(out.clone().into_os_string());
    args.extend(inputs.iter().map(|path| path.clone().into_os_string()));
    rx(&args).ends(0);
    let mut names: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["blur.json", "blur.spv", "blur.spvasm", "line_vs.json", "line_vs.spv", "line_vs.spvasm"]);
    let listing = std::fs::read_to_string(out.join("blur.spvasm")).unwrap();
    assert!(listing.contains("OpEntryPoint GLCompute"), "{listing}");
}

#[test]
fn the_reflection_has_the_schemas_fields_in_order() {
    let run =
        rx(["translate".as_ref(), "--emit".as_ref(), "json".as_ref(), scene("dxbc/occlusion_cs.dxbc").as_os_str()]);
    let json = run.ends(0).json();
    assert_eq!(
        fields(&json),
        [
            "schema",
            "source",
            "stage",
            "entry_point",
            "status",
            "notes",
            "spirv",
            "resources",
            "push_constants",
            "inputs",
            "outputs",
            "workgroup_size",
            "reads_array_length",
            "read_write_textures",
            "uses_global_memory",
            "draw_index",
            "tessellation",
            "geometry"
        ]
    );
    assert_eq!(fields(&json["spirv"]), ["version", "words", "blake3", "capabilities", "extensions"]);
    assert_eq!((&json["schema"], &json["source"], &json["stage"]), (&json!(1), &json!("dxbc"), &json!("compute")));
    assert_eq!(json["spirv"]["version"], "1.6");
    assert_eq!(json["push_constants"], json!({"size_bytes": 0}));
    assert_eq!(json["workgroup_size"], json!([8, 8, 1]));
    // The scene's table for the pass: b0, b1, t0 to t2, u0, s1, bound one after the other.
    let bound: Vec<_> = json["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| json!([own["class"], own["register"], own["set"], own["binding"], own["type"]]))
        .collect();
    assert_eq!(
        bound,
        [
            json!(["cbv", 0, 0, 0, "uniform_buffer"]),
            json!(["cbv", 1, 0, 1, "uniform_buffer"]),
            json!(["srv", 0, 0, 2, "sampled_image"]),
            json!(["srv", 1, 0, 3, "sampled_image"]),
            json!(["srv", 2, 0, 4, "sampled_image"]),
            json!(["uav", 0, 0, 5, "storage_image"]),
            json!(["sampler", 1, 0, 6, "sampler"]),
        ]
    );
    let cbv = &json["resources"][0];
    assert_eq!(
        fields(cbv),
        ["class", "register", "space", "name", "set", "binding", "type", "count", "size_bytes", "used"]
    );
    assert_eq!((&cbv["name"], &cbv["count"]), (&json!("FrameConstants"), &json!(1)));
    let image = &json["resources"][5];
    assert_eq!((&image["access"], &image["dimension"]), (&json!("write"), &json!("2d")));
}

#[test]
fn a_counter_has_its_own_binding() {
    let run = rx([
        "translate".as_ref(),
        "--emit".as_ref(),
        "json".as_ref(),
        scene("dxbc/particle_update_cs.dxbc").as_os_str(),
    ]);
    let json = run.ends(0).json();
    let of = |class: &str| -> Vec<_> {
        json["resources"].as_array().unwrap().iter().filter(|own| own["class"] == class).cloned().collect()
    };
    // u0 pool, u1 dead_list (append), u2 alive_list (counter), then the counters of u1 and u2.
    assert_eq!(of("uav").len(), 3);
    let counters = of("uav_counter");
    assert_eq!(
        fields(&counters[0]),
        ["class", "register", "set", "binding", "type", "access", "count", "used"]
            .into_iter()
            .filter(|name| *name != "access")
            .collect::<Vec<_>>()
    );
    let places: Vec<_> = counters.iter().map(|own| json!([own["register"], own["binding"]])).collect();
    assert_eq!(places, [json!([1, 5]), json!([2, 6])]);
}

#[test]
fn bindings_begin_where_asked_and_follow_a_file() {
    let dir = tempdir().unwrap();
    let input = scene("dxbc/line_vs.dxbc");
    let json = |args: &[&std::ffi::OsStr]| {
        let mut all: Vec<&std::ffi::OsStr> = vec!["translate".as_ref(), "--json".as_ref(), input.as_os_str()];
        all.extend(args);
        rx(all)
    };
    let moved = json(&["--first-binding".as_ref(), "7".as_ref(), "--set".as_ref(), "2".as_ref()]).ends(0).json();
    assert_eq!(json!([moved["resources"][0]["set"], moved["resources"][0]["binding"]]), json!([2, 7]));
    let rules =
        file(dir.path(), "rules.json", r#"{"schema": 1, "rules": [{"class": "cbv", "set": 3, "binding": 40}]}"#);
    let ruled = json(&["--bindings".as_ref(), rules.as_os_str()]).ends(0).json();
    assert_eq!(json!([ruled["resources"][0]["set"], ruled["resources"][0]["binding"]]), json!([3, 40]));
    let none = file(dir.path(), "none.json", r#"{"rules": [{"class": "srv", "set": 0, "binding": 0}]}"#);
    json(&["--bindings".as_ref(), none.as_os_str()]).ends(3).error("RX0210");
    let bad = file(dir.path(), "bad.json", r#"{"rules": [{"class": "texture"}]}"#);
    json(&["--bindings".as_ref(), bad.as_os_str()]).ends(4).error("RX0607");
    json(&["--bindings".as_ref(), none.as_os_str(), "--set".as_ref(), "1".as_ref()]).ends(2).error("RX0601");
}

#[test]
fn an_entry_point_is_chosen_and_its_absence_refused() {
    let dir = tempdir().unwrap();
    let input = file(dir.path(), "both.wgsl", WGSL);
    let run = |entry: &str| {
        rx(["translate".as_ref(), "--json".as_ref(), "--entry".as_ref(), entry.as_ref(), input.as_os_str()])
    };
    assert_eq!(run("vs").ends(0).json()["stage"], "vertex");
    assert_eq!(run("fs").ends(0).json()["stage"], "fragment");
    let gone = run("ps").ends(3);
    assert!(gone.error("RX0310").contains("both.wgsl"), "{}", gone.err);
    rx(["translate".as_ref(), input.as_os_str()]).ends(3).error("RX0311");
}

#[test]
fn kinds_are_found_by_bytes_then_extension_then_the_user() {
    let dir = tempdir().unwrap();
    let dxbc = std::fs::read(scene("dxbc/line_vs.dxbc")).unwrap();
    let kind = |name: &str, bytes: &[u8], more: &[&str]| {
        let path = file(dir.path(), name, bytes);
        let mut args: Vec<String> = vec!["translate".into(), "--json".into(), path.to_string_lossy().into_owned()];
        args.extend(more.iter().map(|&own| own.to_owned()));
        rx(args)
    };
    assert_eq!(kind("a.wgsl", &dxbc, &[]).ends(0).json()["source"], "dxbc");
    assert_eq!(kind("b.bin", WGSL.as_bytes(), &["--source", "wgsl", "--entry", "fs"]).ends(0).json()["source"], "wgsl");
    kind("c.bin", WGSL.as_bytes(), &[]).ends(2).error("RX0604");
    let glsl = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
    assert_eq!(kind("d.comp.glsl", glsl.as_bytes(), &[]).ends(0).json()["stage"], "compute");
    assert_eq!(kind("e.glsl", glsl.as_bytes(), &["--stage", "compute"]).ends(0).json()["stage"], "compute");
    kind("f.glsl", glsl.as_bytes(), &[]).ends(2).error("RX0605");
    kind("g.wgsl", b"\xff\xfe", &[]).ends(4).error("RX0606");
    // A module of rx's own, then the same with its bytes the other way round: passed through word for word.
    let spv = dir.path().join("line.spv");
    rx(["translate".as_ref(), scene("dxbc/line_vs.dxbc").as_os_str(), "-o".as_ref(), spv.as_os_str()]).ends(0);
    let words = std::fs::read(&spv).unwrap();
    let swapped: Vec<u8> = words.chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    let plain = kind("h", &words, &[]).ends(0).json();
    assert_eq!(plain["source"], "spirv");
    assert_eq!(kind("i", &swapped, &[]).ends(0).json()["spirv"], plain["spirv"]);
}

#[test]
fn errors_are_one_line_and_the_worst_counts() {
    let dir = tempdir().unwrap();
    let good = scene("dxbc/line_vs.dxbc");
    let mut cut = std::fs::read(&good).unwrap();
    cut.truncate(100);
    let cut = file(dir.path(), "cut.dxbc", cut);
    let text = file(dir.path(), "text.dxbc", "not a container at all, but long enough for a header");
    let missing = dir.path().join("missing.dxbc");
    let run = |paths: &[&std::path::Path]| {
        let mut args: Vec<std::ffi::OsString> = vec!["translate".into(), "--json".into()];
        args.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
        rx(args)
    };
    let malformed = run(&[&cut]).ends(4);
    let line = malformed.error("RX0102");
    assert!(line.contains("cut.dxbc: offset 0x18: ") && line.contains("Get the file again"), "{line}");
    let json = malformed.json();
    assert_eq!(json!([json["schema"], json["status"], json["code"]]), json!([1, "malformed", "RX0102"]));
    run(&[&text]).ends(4).error("RX0101");
    run(&[&missing]).ends(1).error("RX0602");
    let doubles = asset("features/double_basic.cs_5_0.dxbc");
    let refused = run(&[&doubles]).code;
    // Each input is tried, and each error has its line.
    let all = run(&[&cut, &good, &missing]).ends(4);
    assert_eq!(all.err.lines().count(), 2);
    let lines = all.lines();
    assert_eq!(lines.iter().map(|line| line["status"].clone()).collect::<Vec<_>>(), ["malformed", "exact", "failed"]);
    run(&[&good, &missing]).ends(1);
    if refused == 3 {
        run(&[&doubles, &missing]).ends(3);
    }
}

#[test]
fn wrong_usage_is_one_line_and_ends_in_2() {
    let good = scene("dxbc/line_vs.dxbc");
    let good = good.to_str().unwrap();
    for args in [
        &["translate"][..],
        &["translate", "--emit", "spirv", good],
        &["translate", "--no-such-flag", good],
        &["translate", "--target", "vulkan1.0", good],
        &["transalte", good],
        &["sweep", "--approve", "."],
        &["sweep", "--jobs", "0", "."],
        &["facts"],
        &["no-such-verb"],
    ] {
        rx(args).ends(2).error("RX0601");
    }
    rx(["translate", "--facts", "radz", good]).ends(2).error("RX0503");
    for args in [&["--help"][..], &["--version"], &["translate", "--help"], &["help", "sweep"]] {
        let run = rx(args).ends(0);
        assert!(!run.out.is_empty() && run.err.is_empty());
        is_plain(&run.out);
    }
}

#[test]
fn outputs_that_cannot_be_written_end_in_1() {
    let dir = tempdir().unwrap();
    let good = scene("dxbc/line_vs.dxbc");
    let nowhere = dir.path().join("no/such/folder/a.spv");
    rx(["translate".as_ref(), good.as_os_str(), "-o".as_ref(), nowhere.as_os_str()]).ends(1).error("RX0603");
    let plain = file(dir.path(), "plain", "");
    let both = [good.as_os_str(), "--emit".as_ref(), "spv,json".as_ref()];
    let args = |out: &std::path::Path| {
        let mut args = vec!["translate".into(), "-o".into(), out.as_os_str().to_owned()];
        args.extend(both.iter().map(|&own| own.to_owned()));
        args
    };
    rx(args(&plain)).ends(2).error("RX0615");
    rx(args(&plain.join("below"))).ends(1).error("RX0603");
    let twin = file(dir.path(), "twin/line_vs.dxbc", std::fs::read(&good).unwrap());
    rx(["translate".as_ref(), good.as_os_str(), twin.as_os_str(), "-o".as_ref(), dir.path().as_os_str()])
        .ends(2)
        .error("RX0616");
}

#[test]
fn without_an_output_text_is_printed_and_the_module_written_beside() {
    let dir = tempdir().unwrap();
    let good = scene("dxbc/line_vs.dxbc");
    let run = |more: &[&str]| {
        let mut args = vec!["translate".into(), good.clone().into_os_string()];
        args.extend(more.iter().map(Into::into));
        rx_in(dir.path(), &[], args)
    };
    run(&[]).ends(0);
    assert!(dir.path().join("line_vs.spv").is_file());
    assert!(run(&["--emit", "spvasm"]).ends(0).out.starts_with("; SPIR-V"));
    assert!(run(&["--emit", "ir"]).ends(0).out.starts_with("vertex"));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn wgsl_and_msl_are_written_where_naga_reads_the_module() {
    let dir = tempdir().unwrap();
    let input = file(dir.path(), "both.wgsl", WGSL);
    let run = |emit: &str, input: &std::path::Path| {
        rx([
            "translate".as_ref(),
            "--emit".as_ref(),
            emit.as_ref(),
            "--entry".as_ref(),
            "fs".as_ref(),
            input.as_os_str(),
        ])
    };
    assert!(run("wgsl", &input).ends(0).out.contains("@fragment"));
    assert!(run("msl", &input).ends(0).out.contains("fragment"));
    run("ir", &input).ends(3).error("RX0609");
}

#[test]
fn strict_refuses_what_would_be_adapted() {
    // A residency status of a raw buffer is adapted by the ledger's own example.
    let input = asset("features/texture_feedback.ps_5_0.dxbc");
    let json = |more: &[&str]| {
        let mut args = vec!["translate".into(), "--json".into(), input.clone().into_os_string()];
        args.extend(more.iter().map(Into::into));
        rx(args)
    };
    let plain = json(&[]);
    if plain.code == 0 && plain.json()["status"] == "adapted" {
        json(&["--strict"]).ends(3).error("RX0002");
    }
    assert_eq!(
        rx(["translate".as_ref(), "--strict".as_ref(), "--json".as_ref(), scene("dxbc/line_vs.dxbc").as_os_str()])
            .ends(0)
            .json()["status"],
        "exact"
    );
}

#[test]
fn inspect_shows_a_container() {
    let input = scene("dxbc/line_vs.dxbc");
    let page = rx(["inspect".as_ref(), input.as_os_str()]).ends(0);
    is_plain(&page.out);
    for want in ["vs_5_0", "checksum right", "RDEF", "POSITION", "FrameConstants", "dcl_globalFlags refactoringAllowed"]
    {
        assert!(page.out.contains(want), "{want} in\n{}", page.out);
    }
    let json = rx(["inspect".as_ref(), "--json".as_ref(), input.as_os_str()]).ends(0).json();
    assert_eq!(
        fields(&json),
        [
            "schema",
            "source",
            "profile",
            "bytes",
            "checksum",
            "chunks",
            "compiler",
            "features",
            "inputs",
            "outputs",
            "patch_constants",
            "resources",
            "declarations",
            "instructions",
            "program"
        ]
    );
    let semantics: Vec<_> = json["inputs"].as_array().unwrap().iter().map(|own| own["semantic"].clone()).collect();
    assert_eq!(semantics, ["POSITION", "COLOR"]);
    assert_eq!(json["resources"][0]["register"], "b0");
    let exact = rx(["inspect".as_ref(), "--asm".as_ref(), input.as_os_str()]).ends(0);
    assert!(exact.out.starts_with("vs_5_0\n"), "{}", exact.out);
}

#[test]
fn inspect_shows_other_kinds_by_their_interface() {
    let dir = tempdir().unwrap();
    let input = file(dir.path(), "both.wgsl", WGSL);
    let args = ["inspect".as_ref(), "--entry".as_ref(), "fs".as_ref(), input.as_os_str()];
    let page = rx(args).ends(0);
    assert!(page.out.contains("wgsl, fragment stage") && page.out.contains("tint"), "{}", page.out);
    rx(["inspect".as_ref(), dir.path().join("missing").as_os_str()]).ends(1).error("RX0602");
}
