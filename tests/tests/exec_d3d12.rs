//! Pixel and compute shaders of Direct3D 12 and 11 test suites, executed: each result was seen on a native driver.
//!
//! The cases lie below `RX_SHARED`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::report::{Outcome, Report};
use rx_tests::shared::{self, Blobs, hex};
use rx_tests::vulkan::{
    Buffer, Dispatch, Draw, Registers, Session, Stage, Texture, TextureOptions, Translations, b, session_on, t, u,
};
use rx_tests::ways::{self, Way, with};
use rx_translate::Robustness;
use serde_json::Value;
use std::path::Path;

/// `DXGI_FORMAT_R32G32B32A32_FLOAT`.
const RGBA32_FLOAT: u32 = 2;
/// `DXGI_FORMAT_R32G32B32A32_UINT`.
const RGBA32_UINT: u32 = 3;

#[test]
fn the_device_keeps_accesses_inside() {
    run(&ways::DEVICE);
}

#[test]
fn the_shader_keeps_accesses_inside() {
    run(&ways::EXPLICIT);
}

#[test]
fn the_shader_keeps_accesses_inside_pushed_lengths() {
    run(&Way::new("explicit, lengths pushed", |device| with(device, Robustness::Explicit).with_pushed_lengths()));
}

#[test]
fn the_optimiser_changes_no_result() {
    run(&ways::OPTIMIZED);
    run(&ways::OPTIMIZED_EXPLICIT);
}

#[test]
fn swiftshader_gives_the_same() {
    run(&ways::SWIFT_SHADER);
}

fn run(way: &Way) {
    let Some(folder) = shared::folder("exec/d3d12") else { return };
    let Some(session) = session_on(way.driver) else { return };
    let cases = shared::json(&folder.join("cases.json"));
    let mut blobs = Blobs::new(folder.join("blobs"));
    let vertex = shared::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/dxbc/fullscreen_vs.sm40.dxbc"));
    let translations = way.translations(session.device);
    let mut report = Report::default();
    for case in cases.as_array().unwrap() {
        let kind = case["kind"].as_str().unwrap();
        let shader = blobs.get(case["shader"].as_str().unwrap());
        let outcome = if case["flags"]["fp64"] == true && !session.device.enabled.features.float64 {
            Outcome::Skipped("the device has no shaderFloat64".to_owned())
        } else if kind == "ps" {
            outcome(&session, draw(&translations, &vertex, shader, case).and_then(|got| compare(case, got)))
        } else {
            outcome(&session, dispatch(&translations, shader, case))
        };
        let id = case["id"].as_str().unwrap();
        let outcome = match (outcome, ways::differs(session.device, "log")) {
            (Outcome::Failed(_), Some(why)) if id.ends_with(":log") => Outcome::Skipped(why.to_owned()),
            (outcome, _) => outcome,
        };
        report.add(kind, id, outcome);
    }
    report.finish(&format!("d3d12, {}", way.name));
}

/// How a case ended; whatever the validation layers say fails it.
fn outcome(session: &Session, result: Result<(), String>) -> Outcome {
    let messages = session.messages();
    match result {
        Err(why) => ways::outcome(session.device, format!("{why} {}", messages.join("; "))),
        Ok(()) if messages.is_empty() => Outcome::Passed,
        Ok(()) => Outcome::Failed(messages.join("; ")),
    }
}

/// Draws on a small target and gives the pixel, which must be the same everywhere.
fn draw(translations: &Translations, vertex: &[u8], pixel: &[u8], case: &Value) -> Result<[u32; 4], String> {
    let device = translations.device();
    let constants = Buffer::new(device, &hex(case["cb0"].as_str().unwrap()))?;
    let registers = Registers::new().buffer(b(0), &constants);
    let none = Registers::new();
    let format = if case["rt"] == "rgba32f" { RGBA32_FLOAT } else { RGBA32_UINT };
    let target = Texture::new(device, TextureOptions::d2(format, 4, 4)?)?;
    let stages = vec![Stage { code: vertex, registers: &none }, Stage { code: pixel, registers: &registers }];
    Draw::new(stages).onto(&target).run(translations)?;
    let words = target.words(0)?;
    let first: [u32; 4] = words[..4].try_into().unwrap();
    let same = words.chunks_exact(4).all(|texel| texel == first);
    if same { Ok(first) } else { Err(format!("the pixels differ: {words:x?}")) }
}

fn compare(case: &Value, got: [u32; 4]) -> Result<(), String> {
    let expected: Vec<u32> = case["expect"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap() as u32).collect();
    let allowed = case["ulps"].as_u64().unwrap() as u32;
    let float = case["cmp"] == "f32";
    let near = |(a, b): (&u32, &u32)| if float { shared::ulps(*a, *b) <= allowed } else { a == b };
    if expected.iter().zip(&got).all(near) {
        return Ok(());
    }
    Err(format!("expected {expected:x?}, got {got:x?}"))
}

/// Dispatches and compares every UAV with what it should hold.
fn dispatch(translations: &Translations, shader: &[u8], case: &Value) -> Result<(), String> {
    let device = translations.device();
    let slots = |name: &str| -> Result<Vec<(u32, Buffer)>, String> {
        let slots = case[name].as_object().into_iter().flatten();
        slots
            .map(|(n, content)| Ok((n.parse().unwrap(), Buffer::new(device, &hex(content.as_str().unwrap()))?)))
            .collect()
    };
    let constants = Buffer::new(device, &hex(case["cb0"].as_str().unwrap()))?;
    let (resources, views) = (slots("srv")?, slots("uav")?);
    let mut registers = Registers::new().buffer(b(0), &constants);
    for (n, buffer) in &resources {
        registers = registers.buffer(t(*n), buffer);
    }
    for (n, buffer) in &views {
        registers = registers.buffer(u(*n), buffer);
    }
    let group = |n: usize| case["groups"][n].as_u64().unwrap() as u32;
    let groups = [group(0), group(1), group(2)];
    Dispatch { stage: Stage { code: shader, registers: &registers }, groups }.run(translations)?;
    for (n, buffer) in &views {
        let expected = hex(case["expect"][n.to_string()].as_str().unwrap());
        if buffer.bytes() != expected {
            return Err(format!("u{n}: expected {:x?}, got {:x?}", shared::words(&expected), buffer.words()));
        }
        if !buffer.margin_intact() {
            return Err(format!("u{n}: bytes after the buffer were changed"));
        }
    }
    Ok(())
}
