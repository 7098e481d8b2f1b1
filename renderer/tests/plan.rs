//! `rx plan`: programs as JSON and as shaders, devices, budgets, exit codes.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{fields, file, is_plain, rx, rx_in, scene};
use serde_json::{Value, json};
use std::path::Path;
use tempfile::tempdir;

/// The specification's program, with as many uniform buffers in its vertex stage as asked for.
fn program(buffers: u32) -> Value {
    let bindings: Vec<Value> = (0..buffers)
        .map(|n| json!({"binding": n, "type": "uniform_buffer", "count": 1, "access": "read_write", "used": true}))
        .collect();
    json!({
        "schema": 1, "name": "deferred", "facts": "moltenvk-1.4.2-apple7",
        "driver": {"id": 14, "version": "1.4.2"}, "limits": {"max_push_descriptors": 287},
        "push_constants": ["vertex"],
        "vertex_input": {"highest_binding": 15, "translated_bindings": 0},
        "other_sets_in_argument_buffers": false,
        "stages": [{"stage": "vertex", "stage_bit": "vertex", "reads_array_length": false,
            "uses_global_memory": false, "draw_index": false, "multiview": false, "dispatch_base": false,
            "bindings": bindings}]
    })
}

fn plan(dir: &Path, program: &Value, more: &[&str]) -> common::Run {
    let path = file(dir, "program.json", program.to_string());
    let mut args = vec!["plan".into(), path.into_os_string()];
    args.extend(more.iter().map(Into::into));
    rx(args)
}

#[test]
fn the_specifications_program_gives_its_answer() {
    let dir = tempdir().unwrap();
    // Six buffers and the push constants' make 7 of 7.
    let json = plan(dir.path(), &program(6), &["--json"]).ends(0).json();
    let want = json!({
        "schema": 1, "name": "deferred", "driver_id": 14, "budget": "worst",
        "decision": "push", "reason": null, "exact_would_push": true,
        "layout_flags": 1, "pool_flags": 0, "decided_before_code": false,
        "stages": [{"stage_bit": "vertex",
            "buffers": {"used": 7, "limit": 7}, "textures": {"used": 0, "limit": 128},
            "samplers": {"used": 0, "limit": 16}, "read_write_textures": {"used": 0, "limit": 8}}],
        "explanation": "vertex: 7 of 7 buffers"
    });
    assert_eq!(json, want);
    assert_eq!(fields(&json), fields(&want));
}

#[test]
fn a_buffer_more_is_a_set_and_the_switch_turns_that_off() {
    let dir = tempdir().unwrap();
    let json = plan(dir.path(), &program(7), &["--json"]).ends(0).json();
    assert_eq!(
        json!([json["decision"], json["reason"], json["layout_flags"], json["pool_flags"]]),
        json!(["set", "buffers", 2, 2])
    );
    let mut off = program(7);
    off["switches"] = json!({"RX_VK_SET_FOR_TABLES": "0"});
    assert_eq!(plan(dir.path(), &off, &["--json"]).ends(0).json()["decision"], "push");
    let path = file(dir.path(), "program.json", program(7).to_string());
    let args = ["plan".as_ref(), "--json".as_ref(), path.as_os_str()];
    let run = rx_in(dir.path(), &[("RX_VK_SET_FOR_TABLES", "0")], args).ends(0);
    assert_eq!(run.json()["decision"], "push");
    let page = plan(dir.path(), &program(7), &[]).ends(0);
    is_plain(&page.out);
    assert!(page.out.starts_with("deferred: set (buffers; vertex: 8 of 7 buffers"), "{}", page.out);
}

#[test]
fn several_programs_have_a_table_each_and_a_list() {
    let dir = tempdir().unwrap();
    let paths = [6, 7].map(|n| {
        let mut own = program(n);
        own["name"] = json!(format!("program {n}"));
        file(dir.path(), &format!("{n}.json"), own.to_string())
    });
    let args = ["plan".as_ref(), paths[0].as_os_str(), paths[1].as_os_str()];
    let page = rx(args).ends(0);
    is_plain(&page.out);
    assert!(page.out.contains("vertex  8 of 7 ! (exact: 15)  0 of 128"), "{}", page.out);
    let list = page.out.rsplit_once("\n\n").unwrap().1;
    assert_eq!(
        list,
        "program 6  push   vertex: 7 of 7 buffers\nprogram 7  set    buffers; vertex: 8 of 7 buffers\n\
         2 programs: 1 pushed, 1 in sets, 0 without bindings, 0 errors\n"
    );
    let answers = rx(args.into_iter().chain(["--json".as_ref()])).ends(0).lines();
    assert_eq!(answers.iter().map(|own| &own["decision"]).collect::<Vec<_>>(), ["push", "set"]);
}

#[test]
fn two_devices_are_compared() {
    let dir = tempdir().unwrap();
    // Neither driver nor limits: those would go over both devices.
    let mut own = program(7);
    own.as_object_mut().unwrap().remove("driver");
    own.as_object_mut().unwrap().remove("limits");
    let diff = |program: &Value, devices: [&str; 2], more: &[&str]| {
        let [a, b] = devices;
        plan(dir.path(), program, &[&["--diff", a, b], more].concat())
    };
    let json = diff(&own, ["moltenvk-1.4.2-apple7", "radv"], &["--json"]).ends(0).json();
    assert_eq!(fields(&json), ["schema", "name", "devices", "answers", "differences"]);
    assert_eq!(json["devices"], json!(["moltenvk-1.4.2-apple7", "radv"]));
    assert_eq!(json!([json["answers"][0]["decision"], json["answers"][1]["decision"]]), json!(["set", "push"]));
    assert_eq!(json["differences"][0], json!({"what": "decision", "values": ["set", "push"]}));
    let page = diff(&own, ["moltenvk-1.4.2-apple7", "radv"], &[]).ends(0);
    is_plain(&page.out);
    let line = |begins: &str| page.out.lines().find(|line| line.starts_with(begins)).map(str::to_owned);
    let words = |begins: &str| line(begins).map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(words("deferred").unwrap(), ["deferred", "moltenvk-1.4.2-apple7", "radv"]);
    assert_eq!(words("decision").unwrap(), ["decision", "set", "push"]);
    assert!(line("why").unwrap().contains("vertex: 8 of 7 buffers"), "{}", page.out);
    assert_eq!(words("layout flags").unwrap(), ["layout", "flags", "0x2", "0x1"]);
    let same = diff(&own, ["radv", "radv"], &[]).ends(0);
    assert!(same.out.ends_with("no difference\n"), "{}", same.out);
    // An error on one of them is one of the command's.
    own["stages"][0]["transform_feedback"] = json!(true);
    let run = diff(&own, ["radv", "moltenvk-1.4.2-apple7"], &[]).ends(3);
    run.error("RX0511");
    assert!(run.out.contains("decision") && run.out.contains("MoltenVK has no transform feedback"), "{}", run.out);
    // Without a device of its own there is none to compare, and one name alone is no pair.
    diff(&own, ["radv", "live"], &[]).ends(5).error("RX0510");
    plan(dir.path(), &own, &["--diff", "radv"]).ends(2).error("RX0601");
    plan(dir.path(), &own, &["--diff", "radv", "anv", "--facts", "nvk"]).ends(2).error("RX0601");
    diff(&own, ["radv", "ravd"], &[]).ends(2).error("RX0503");
}

#[test]
fn shaders_and_several_programs_are_compared_too() {
    let shaders = [scene("dxbc/fullscreen_vs.dxbc"), scene("dxbc/lighting_many_textures_ps.dxbc")];
    let args = ["plan".as_ref(), shaders[0].as_os_str(), shaders[1].as_os_str()];
    let devices = ["--diff", "moltenvk-1.4.2-apple7", "radv", "--json"].map(AsRef::as_ref);
    let json = rx(args.into_iter().chain(devices)).ends(0).json();
    assert_eq!(json["name"], "fullscreen_vs+lighting_many_textures_ps");
    let reasons = json!([json["answers"][0]["reason"], json["answers"][1]["reason"]]);
    assert_eq!(reasons, json!([null, "push_limit"]));
    let dir = tempdir().unwrap();
    let paths = [6, 7].map(|n| {
        let mut own = program(n);
        own.as_object_mut().unwrap().remove("driver");
        file(dir.path(), &format!("{n}.json"), own.to_string())
    });
    let args = ["plan".as_ref(), paths[0].as_os_str(), paths[1].as_os_str()];
    let devices = ["--diff", "moltenvk-1.4.2-apple7", "radv"].map(AsRef::as_ref);
    let page = rx(args.into_iter().chain(devices)).ends(0).out;
    // The one's budgets differ from the other's having none; of 6 and 7 buffers both differ.
    assert!(page.ends_with("\n\n2 programs: 2 differ, 0 do not\n"), "{page}");
}

#[test]
fn a_plan_that_is_an_error_is_refused_with_its_code() {
    let dir = tempdir().unwrap();
    let mut geometry = program(1);
    geometry["stages"][0]["stage"] = json!("geometry");
    geometry["stages"][0]["stage_bit"] = json!("geometry");
    let run = plan(dir.path(), &geometry, &["--json"]).ends(3);
    let json = run.json();
    assert_eq!(
        json!([json["decision"], json["reason"], json["code"]]),
        json!(["error", "unsupported_stage", "RX0511"])
    );
    assert_eq!(json!([json["layout_flags"], json["pool_flags"]]), json!([0, 0]));
    assert!(run.error("RX0511").contains("program.json: "), "{}", run.err);
}

#[test]
fn a_program_that_is_not_understood_is_malformed() {
    let dir = tempdir().unwrap();
    let mut bad = program(1);
    bad["stages"][0]["bindings"][0]["type"] = json!("sampler_image");
    plan(dir.path(), &bad, &[]).ends(4).error("RX0504");
    let mut later = program(1);
    later["schema"] = json!(2);
    plan(dir.path(), &later, &[]).ends(4).error("RX0508");
    let mut unknown = program(1);
    unknown["facts"] = json!("moltenvk-1.4.2-aple7");
    plan(dir.path(), &unknown, &[]).ends(2).error("RX0503");
    rx(["plan".as_ref(), dir.path().join("no.json").as_os_str()]).ends(1).error("RX0602");
    let mut extra = program(1);
    extra["colour"] = json!("red");
    let run = plan(dir.path(), &extra, &[]).ends(0);
    assert!(run.err.starts_with("warning: ") && run.err.contains("colour"), "{}", run.err);
}

#[test]
fn without_a_device_there_is_none_to_plan_for() {
    let dir = tempdir().unwrap();
    let mut bare = program(1);
    for field in ["facts", "driver", "limits"] {
        bare.as_object_mut().unwrap().remove(field);
    }
    plan(dir.path(), &bare, &[]).ends(5).error("RX0510");
    plan(dir.path(), &bare, &["--facts", "radv"]).ends(0);
    let path = file(dir.path(), "bare.json", bare.to_string());
    let args = ["plan".as_ref(), "--json".as_ref(), path.as_os_str()];
    assert_eq!(rx_in(dir.path(), &[("RX_VK_FACTS", "radv")], args).ends(0).json()["driver_id"], 3);
    rx(["plan".as_ref(), scene("dxbc/line_vs.dxbc").as_os_str()]).ends(5).error("RX0510");
    // A driver alone names a device; what it does not say is not known.
    bare["driver"] = json!({"id": 14});
    assert_eq!(plan(dir.path(), &bare, &["--json"]).ends(0).json()["driver_id"], 14);
}

#[test]
fn shaders_are_planned_as_one_program() {
    let shaders = |ps: &str, facts: &str| {
        let (vs, ps) = (scene("dxbc/fullscreen_vs.dxbc"), scene(ps));
        rx(["plan".as_ref(), vs.as_os_str(), ps.as_os_str(), "--facts".as_ref(), facts.as_ref(), "--json".as_ref()])
    };
    let json = shaders("dxbc/lighting_ps.dxbc", "moltenvk-1.4.2-apple7").ends(0).json();
    assert_eq!(json["name"], "fullscreen_vs+lighting_ps");
    let fragment = &json["stages"][1];
    // The scene's table: b0 and t7 to t9 are buffers, t0 to t6 textures, three samplers.
    assert_eq!(
        json!([fragment["buffers"]["used"], fragment["textures"]["used"], fragment["samplers"]["used"]]),
        json!([4, 7, 3])
    );
    assert_eq!(json["decision"], "push");
    // 34 textures and buffers, a uniform buffer and three samplers: past 32 push descriptors.
    let json = shaders("dxbc/lighting_many_textures_ps.dxbc", "radv").ends(0).json();
    assert_eq!(json!([json["decision"], json["reason"]]), json!(["set", "push_limit"]));
}

#[test]
fn entry_points_stand_one_a_shader() {
    let outline = scene("wgsl/outline.wgsl");
    let args = |entries: &[&str]| {
        let mut args = vec!["plan".into(), outline.clone().into_os_string(), outline.clone().into_os_string()];
        args.extend(["--facts", "nvidia", "--json"].map(Into::into));
        args.extend(entries.iter().flat_map(|entry| ["--entry".into(), entry.into()]));
        args
    };
    let json = rx(args(&["vertex", "fragment"])).ends(0).json();
    assert_eq!(json["stages"].as_array().unwrap().len(), 2);
    rx(args(&["vertex", "fragment", "third"])).ends(2).error("RX0601");
    rx(args(&["vertex", "vertex"])).ends(4).error("RX0506");
}

#[test]
fn a_range_without_an_end_has_a_set_and_an_answer_of_its_own() {
    let input = common::asset("features/descriptor_unbounded.ps_5_1.dxbc");
    let answers = rx(["plan".as_ref(), "--json".as_ref(), "--facts".as_ref(), "radv".as_ref(), input.as_os_str()])
        .ends(0)
        .lines();
    let sets: Vec<Value> = answers.iter().map(|own| own["set"].clone()).collect();
    assert_eq!(sets, (0..sets.len()).map(|set| json!(set)).collect::<Vec<_>>());
    assert!(answers.len() > 1);
    assert_eq!(answers[1]["reason"], "unbounded");
    // At most one set of a pipeline layout is pushed.
    assert!(answers.iter().filter(|own| own["decision"] == "push").count() <= 1);
}
