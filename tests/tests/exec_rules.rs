//! Numeric rules of Direct3D 11.3, one pixel shader each, executed.
//!
//! The cases lie below `RX_SHARED`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::report::{Outcome, Report};
use rx_tests::shared::{self, Blobs};
use rx_tests::vulkan::{Buffer, Draw, Registers, Session, Stage, Texture, TextureOptions, Translations, b, session_on};
use rx_tests::ways::{self, Way};
use serde_json::Value;
use std::path::Path;

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
fn the_optimiser_changes_no_result() {
    run(&ways::OPTIMIZED);
}

#[test]
fn swiftshader_gives_the_same() {
    run(&ways::SWIFT_SHADER);
}

fn run(way: &Way) {
    let Some(folder) = shared::folder("exec/rules") else { return };
    let Some(session) = session_on(way.driver) else { return };
    let cases = shared::json(&folder.join("cases.json"));
    let mut blobs = Blobs::new(folder.join("blobs"));
    let vertex = shared::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/dxbc/fullscreen_vs.sm40.dxbc"));
    let translations = way.translations(session.device);
    let mut report = Report::default();
    for case in cases.as_array().unwrap() {
        let name = format!("{} ({})", case["rule"].as_str().unwrap(), case["shader"].as_str().unwrap());
        let pixel = blobs.get(case["shader"].as_str().unwrap());
        let outcome = match draw(&session, &translations, &vertex, pixel, case) {
            Ok(got) => match (compare(case, got), kind(&name)) {
                (Outcome::Failed(_), Some(kind)) if ways::differs(session.device, kind).is_some() => {
                    Outcome::Skipped(ways::differs(session.device, kind).unwrap().to_owned())
                }
                (outcome, _) => outcome,
            },
            Err(why) => ways::outcome(session.device, why),
        };
        report.add("rule", &name, outcome);
    }
    report.finish(&format!("rules, {}", way.name));
}

/// What differs on SwiftShader, of the rule of this name.
fn kind(name: &str) -> Option<&'static str> {
    let known = [("log(-1)", "log"), ("frc(inf)", "frc"), ("sin(-0)", "sin")];
    known.iter().find(|(rule, _)| name.starts_with(rule)).map(|(_, kind)| *kind)
}

fn draw(
    session: &Session,
    translations: &Translations,
    vertex: &[u8],
    pixel: &[u8],
    case: &Value,
) -> Result<[u32; 4], String> {
    let word = |name: &str| case[name].as_u64().unwrap() as u32;
    let constants: Vec<u32> = ["a", "b", "c"].into_iter().flat_map(|n| [word(n), 7, 9, 0]).collect();
    let constants = Buffer::of_words(session.device, &constants)?;
    let registers = Registers::new().buffer(b(0), &constants);
    let none = Registers::new();
    let target = Texture::new(session.device, TextureOptions::d2(RGBA32_UINT, 4, 4)?)?;
    let stages = vec![Stage { code: vertex, registers: &none }, Stage { code: pixel, registers: &registers }];
    let ran = Draw::new(stages).onto(&target).run(translations);
    let messages = session.messages();
    ran?;
    if !messages.is_empty() {
        return Err(messages.join("; "));
    }
    let words = target.words(0)?;
    let first: [u32; 4] = words[..4].try_into().unwrap();
    let same = words.chunks_exact(4).all(|texel| texel == first);
    if same { Ok(first) } else { Err(format!("the pixels differ: {words:x?}")) }
}

fn compare(case: &Value, got: [u32; 4]) -> Outcome {
    let rest: Vec<u32> = case["expect_yzw"].as_array().unwrap().iter().map(|w| w.as_u64().unwrap() as u32).collect();
    let first = match case["expect_x"].as_u64() {
        Some(expected) => u64::from(got[0]) == expected,
        None => f32::from_bits(got[0]).is_nan(),
    };
    if first && got[1..] == rest[..] {
        return Outcome::Passed;
    }
    Outcome::Failed(format!("expected {} {rest:x?}, got {got:x?} ({})", case["expect_x"], case["expr"]))
}
