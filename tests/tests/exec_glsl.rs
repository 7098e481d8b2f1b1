//! GLSL of every chapter of its specification: each shader of `assets/glsl` is translated, validated and, if it is a
//! compute shader, executed. Its first lines give the expected results, computed by hand.
//!
//! ```text
//! // chapter 5.8 Assignments
//! // binding 0: 1.0 2.0 0x10     what a buffer holds
//! // want 1: 11 5                what the words of a buffer begin with afterwards
//! // refused RX0330              what naga's front end refuses it with
//! ```

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::shaders::repository;
use rx_tests::validator::Validator;
use rx_tests::vulkan::{Buffer, Dispatch, Registers, Session, Stage as Code, Translations, session};
use rx_translate::interface::{DescriptorType, Stage, StageInterface};
use rx_translate::{ErrorKind, Options, Robustness, RobustnessByClass, Source, Target, Translator};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A shader with what its first lines say.
struct Case {
    name: String,
    text: String,
    stage: Stage,
    given: BTreeMap<u32, Vec<u32>>,
    wanted: BTreeMap<u32, Vec<u32>>,
    refused: Option<String>,
}

fn word(text: &str) -> u32 {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).unwrap(),
        None if text.contains('.') => text.parse::<f32>().unwrap().to_bits(),
        None => text.parse::<i64>().unwrap() as u32,
    }
}

fn cases() -> Vec<Case> {
    let folder: PathBuf = repository().join("tests/assets/glsl");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().filter_map(case).collect()
}

fn case(file: &PathBuf) -> Option<Case> {
    let stage = match file.extension()?.to_str()? {
        "vert" => Stage::Vertex,
        "frag" => Stage::Fragment,
        "comp" => Stage::Compute,
        "geom" => Stage::Geometry,
        "tesc" => Stage::TessellationControl,
        "tese" => Stage::TessellationEvaluation,
        _ => return None,
    };
    let text = std::fs::read_to_string(file).unwrap();
    let (mut given, mut wanted, mut refused) = (BTreeMap::new(), BTreeMap::new(), None);
    for line in text.lines().filter_map(|line| line.strip_prefix("// ")) {
        refused = refused.or(line.strip_prefix("refused ").map(String::from));
        let Some((head, words)) = line.split_once(": ") else { continue };
        let words: Vec<u32> = words.split_whitespace().map(word).collect();
        match head.split_once(' ') {
            Some(("binding", n)) => _ = given.insert(n.parse().unwrap(), words),
            Some(("want", n)) => _ = wanted.insert(n.parse().unwrap(), words),
            _ => {}
        }
    }
    let name = file.file_name()?.to_str()?.to_owned();
    Some(Case { name, text, stage, given, wanted, refused })
}

/// Runs a compute shader and says what differs.
fn run(session: &Session, case: &Case, words: &[u32], interface: &StageInterface) -> Result<(), String> {
    let is_buffer = |ty| matches!(ty, DescriptorType::UniformBuffer | DescriptorType::StorageBuffer);
    let buffers: Vec<(u32, Buffer)> = (interface.resources.iter().filter(|own| is_buffer(own.ty)))
        .map(|own| {
            let mut content = case.given.get(&own.register).cloned().unwrap_or_default();
            content.resize(content.len().max(64), 0);
            // The words name set and binding.
            (own.register, Buffer::of_words(session.device, &content).unwrap())
        })
        .collect();
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let translator = Translator::new(Options::default());
    let read = translator.translate(Source::Spirv(&code)).map_err(|error| error.to_string())?.interface;
    let mut registers = Registers::new();
    for own in interface.resources.iter().filter(|own| is_buffer(own.ty)) {
        let Some(place) = read.resources.iter().find(|r| (r.set, r.binding) == (own.set, own.binding)) else {
            continue;
        };
        let (_, buffer) = buffers.iter().find(|(register, _)| *register == own.register).unwrap();
        registers = registers.buffer((place.class, place.space, place.register), buffer);
    }
    let translations = Translations::new(session.device, RobustnessByClass::all(Robustness::Device));
    let stage = Code { code: &code, registers: &registers };
    Dispatch { stage, groups: [1, 1, 1] }.run(&translations).map_err(|error| error.to_string())?;
    let messages = session.messages();
    if !messages.is_empty() {
        return Err(format!("{messages:?}"));
    }
    for (register, want) in &case.wanted {
        let (_, buffer) = buffers.iter().find(|(own, _)| own == register).ok_or("no such buffer")?;
        let got = &buffer.words()[..want.len()];
        if got != want.as_slice() {
            return Err(format!("binding {register}: {got:?}, wanted {want:?}"));
        }
    }
    Ok(())
}

#[test]
fn every_shader_is_right_or_refused() {
    let session = session();
    let (mut right, mut refused, mut wrong) = (0, 0, Vec::new());
    for case in cases() {
        let translated = Translator::new(Options::default()).translate(Source::Glsl(&case.text, case.stage));
        match (translated, &case.refused) {
            (Err(error), Some(code)) if error.code.to_string() == *code => {
                let by_stage = error.code == rx_translate::ledger::TEXT_STAGE;
                assert!(by_stage || error.place.line.is_some(), "{}: {error}", case.name);
                let malformed = error.code == rx_translate::ledger::GLSL_RECURSION;
                assert_eq!(error.kind == ErrorKind::Malformed, malformed, "{}: {error}", case.name);
                refused += 1;
            }
            (Ok(translation), None) => {
                let valid = Validator::new(Target::Vulkan13).check(&translation.spirv);
                let ran = match (&session, case.stage) {
                    (Some(session), Stage::Compute) => run(session, &case, &translation.spirv, &translation.interface),
                    _ => Ok(()),
                };
                match valid.and(ran) {
                    Ok(()) => right += 1,
                    Err(why) => wrong.push(format!("{}: {why}", case.name)),
                }
            }
            (Ok(_), Some(code)) => wrong.push(format!("{}: translated, wanted {code}", case.name)),
            (Err(error), _) => wrong.push(format!("{}: {error}", case.name)),
        }
    }
    println!("naga: {right} right, {refused} refused, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Vulkan 1.1 has SPIR-V 1.3, whose values are converted component by component between buffers and variables.
#[test]
fn every_target_gets_a_valid_module() {
    for target in [Target::Vulkan11, Target::Vulkan12, Target::Vulkan13] {
        for robustness in [Robustness::Device, Robustness::Explicit] {
            let mut options = Options::default();
            options.profile.target = target;
            options.profile.robustness = RobustnessByClass::all(robustness);
            let translator = Translator::new(options);
            for case in cases().iter().filter(|case| case.refused.is_none()) {
                let translation = translator.translate(Source::Glsl(&case.text, case.stage)).unwrap();
                let valid = Validator::new(target).check(&translation.spirv);
                assert_eq!(valid, Ok(()), "{}, {target:?}, {robustness:?}", case.name);
            }
        }
    }
}

/// The module has no constant that a pipeline could specialize, and says so.
#[test]
fn specialization_constants_are_a_note() {
    use rx_translate::{Note, ledger};
    let translate = |text: &str, strict| {
        let options = Options { strict, ..Options::default() };
        Translator::new(options).translate(Source::Glsl(text, Stage::Compute))
    };
    let text = |declaration: &str| {
        format!(
            "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer O {{ uint o; }};\n\
             {declaration} const uint n = 7u;\nvoid main() {{ o = n; }}"
        )
    };
    let specialized = text("layout(constant_id = 3)");
    let translation = translate(&specialized, false).unwrap();
    assert_eq!(translation.notes, [Note { code: ledger::BAKED_CONSTANTS, count: 1 }]);
    // OpDecorate … SpecId.
    let decorates = |words: &[u32]| words.windows(3).any(|words| words[0] == 4 << 16 | 71 && words[2] == 1);
    assert!(!decorates(&translation.spirv));
    assert_eq!(translate(&specialized, true).unwrap_err().code, ledger::STRICT);
    assert!(translate(&text(""), true).unwrap().notes.is_empty());
}

/// The other front end takes every shader, also those that naga's lacks.
#[cfg(feature = "glslang")]
#[test]
fn glslang_takes_every_shader() {
    use rx_translate::{GlslFrontEnd, ledger};
    let session = session();
    let options = Options { glsl: GlslFrontEnd::Glslang, ..Options::default() };
    let (mut right, mut wrong) = (0, Vec::new());
    for case in cases() {
        let source = Source::Glsl(&case.text, case.stage);
        let translation = match Translator::new(options.clone()).translate(source) {
            Ok(translation) => translation,
            Err(error) => {
                let recursion = case.refused.as_deref() == Some("RX0342");
                assert!(recursion && error.code == ledger::GLSLANG_TEXT, "{}: {error}", case.name);
                continue;
            }
        };
        let valid = Validator::new(Target::Vulkan13).check(&translation.spirv);
        let ran = match (&session, case.stage) {
            (Some(session), Stage::Compute) if !case.wanted.is_empty() => {
                run(session, &case, &translation.spirv, &translation.interface)
            }
            _ => Ok(()),
        };
        match valid.and(ran) {
            Ok(()) => right += 1,
            Err(why) => wrong.push(format!("{}: {why}", case.name)),
        }
    }
    println!("glslang: {right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
