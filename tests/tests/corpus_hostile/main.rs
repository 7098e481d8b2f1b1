//! Containers cut short and changed byte by byte: each translates to a valid module or is refused, without a panic,
//! in time and memory bounded by its size.
//!
//! Every change is made in the same places each time. A change that is translated to other words is a shader like any
//! other, so its module is held to the validator too.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod damage;
mod memory;
mod watch;

use damage::Damaged;
use rx_tests::shaders::{self, ShaderFile};
use rx_tests::validator::Validator;
use rx_translate::dxbc::container::{self, FourCc};
use rx_translate::dxbc::{asm, embedded};
use rx_translate::{ErrorKind, Source, Target, Translator};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Bytes that a translation may hold at once, whatever the input's size.
const LEAST_ALLOWANCE: usize = 1 << 20;

/// Bytes that a translation may hold at once for each byte of input.
const ALLOWANCE_PER_BYTE: usize = 64;

/// What came of one file's damaged forms.
#[derive(Default)]
struct Findings {
    /// Outcomes by code; `translated` is one of them.
    outcomes: BTreeMap<String, usize>,
    /// What must not be.
    faults: Vec<String>,
    /// Modules of other words than the undamaged shader's, each held to the validator.
    validated: usize,
}

/// One file under each kind of damage.
fn endure(file: &ShaderFile, translator: &Translator) -> Findings {
    let mut findings = Findings::default();
    let validator = Validator::new(Target::default());
    let whole = translator.translate(Source::Dxbc(&file.bytes)).map(|t| digest(&t.spirv)).ok();
    let mut seen: BTreeSet<_> = whole.into_iter().collect();
    damage::each(&file.bytes, |damaged: &Damaged, bytes| {
        let name = || format!("{} {damaged}", file.name);
        watch::begin(name());
        let (result, peak) =
            memory::peak_of(|| catch_unwind(AssertUnwindSafe(|| translator.translate(Source::Dxbc(bytes)))));
        let took = watch::end();
        if took > watch::LONGEST {
            findings.faults.push(format!("{}: takes {took:?}", name()));
        }
        let allowance = LEAST_ALLOWANCE.max(bytes.len() * ALLOWANCE_PER_BYTE);
        if peak > allowance {
            findings.faults.push(format!("{}: holds {peak} bytes for {} given", name(), bytes.len()));
        }
        let outcome = match result {
            Err(_) => {
                findings.faults.push(format!("{}: panics", name()));
                String::from("panics")
            }
            Ok(Err(error)) => {
                if error.kind == ErrorKind::Internal {
                    findings.faults.push(format!("{}: {error}", name()));
                }
                error.code.to_string()
            }
            Ok(Ok(translation)) => {
                if seen.insert(digest(&translation.spirv)) {
                    findings.validated += 1;
                    if let Err(why) = validator.check(&translation.spirv) {
                        findings.faults.push(format!("{}: is not valid: {why}", name()));
                    }
                }
                String::from("translated")
            }
        };
        *findings.outcomes.entry(outcome).or_default() += 1;
    });
    findings
}

fn digest(words: &[u32]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    words.iter().for_each(|word| {
        hasher.update(&word.to_le_bytes());
    });
    hasher.finalize().into()
}

/// Faults that a failure shows at most.
const MOST_SHOWN: usize = 200;

fn check(what: &str, files: &[ShaderFile]) {
    let translator = Translator::default();
    let _watch = watch::Watchdog::start();
    let all = shaders::on_all_processors(files, |file| endure(file, &translator));
    let mut total = Findings::default();
    for findings in all {
        for (outcome, count) in findings.outcomes {
            *total.outcomes.entry(outcome).or_default() += count;
        }
        total.faults.extend(findings.faults);
        total.validated += findings.validated;
    }
    println!("{what}: {:?}; {} modules validated", total.outcomes, total.validated);
    let shown = total.faults.iter().take(MOST_SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(total.faults.is_empty(), "{what}: {} faults:\n{shown}", total.faults.len());
}

#[test]
fn own_shaders_do_no_harm_when_damaged() {
    check("own shaders", &shaders::own());
}

#[test]
fn corpus_does_no_harm_when_damaged() {
    if let Some(files) = shaders::corpus() {
        check("corpus", &files);
    }
}

/// Effects around some of the project's own shaders, with everything that leads to a shader.
fn effects() -> Vec<ShaderFile> {
    use rx_tests::effects::{Effect, FX_4_0, FX_5_0, Object, Value, state};
    let shaders = shaders::own();
    let of = |name: &str| &shaders.iter().find(|file| file.name.ends_with(name)).unwrap().bytes[..];
    let (vs, ps, gs) = (of("line_vs.dxbc"), of("line_ps.dxbc"), of("gizmo_gs.dxbc"));
    let pass = vec![
        (state::VERTEX, Value::Variable("vs")),
        (state::GEOMETRY, Value::Shader(gs, "SV_Position.xyz; COLOR.xy")),
        (state::PIXEL, Value::Element("pixels", 1)),
    ];
    let other = vec![(state::VERTEX, Value::Shader(vs, "")), (state::PIXEL, Value::Chosen("pixels", "count"))];
    let effect = |version| Effect {
        version,
        buffers: vec![("globals", vec!["world", "count"])],
        objects: vec![
            Object::Sampler("sampler", 3),
            Object::Shader(state::VERTEX, "vs", vec![Some(vs)]),
            Object::Shader(state::PIXEL, "pixels", vec![None, Some(ps)]),
            Object::Texture("map", 0),
            Object::Text("title", "an effect"),
        ],
        interfaces: if version == FX_5_0 { vec!["light"] } else { vec![] },
        groups: vec![("G", vec![("T", vec![("P", pass.clone()), ("Q", other.clone())])])],
        annotated: true,
        ..Effect::default()
    };
    let fx_4 = container::write(&[(FourCc(*b"FX10"), &effect(FX_4_0).write())]).unwrap();
    let file = |name: &str, bytes| ShaderFile { name: name.to_owned(), path: name.into(), bytes };
    vec![file("fx_4_0", fx_4), file("fx_5_0", effect(FX_5_0).write())]
}

#[test]
fn effects_do_no_harm_when_damaged() {
    let translator = Translator::default();
    let _watch = watch::Watchdog::start();
    for file in effects() {
        let (_, whole) = embedded::shaders(&file.bytes).unwrap();
        assert_eq!(whole.len(), 4, "{}", file.name);
        let mut read = 0;
        damage::anywhere(&file.bytes, |damaged: &Damaged, bytes| {
            let name = format!("{} {damaged}", file.name);
            watch::begin(name.clone());
            let (result, peak) = memory::peak_of(|| catch_unwind(AssertUnwindSafe(|| embedded::shaders(bytes))));
            assert!(watch::end() <= watch::LONGEST, "{name}: takes too long");
            let allowance = LEAST_ALLOWANCE.max(bytes.len() * ALLOWANCE_PER_BYTE);
            assert!(peak <= allowance, "{name}: holds {peak} bytes for {} given", bytes.len());
            match result.unwrap_or_else(|_| panic!("{name}: panics")) {
                Err(error) => assert_ne!(error.kind, ErrorKind::Internal, "{name}: {error}"),
                Ok((_, shaders)) => {
                    read += 1;
                    for shader in shaders {
                        if let Err(error) = translator.translate(Source::Dxbc(shader.bytes)) {
                            assert_ne!(error.kind, ErrorKind::Internal, "{name}: {error}");
                        }
                    }
                }
            }
        });
        println!("{}: {read} damaged forms are still read", file.name);
    }
}

/// A container of what a fuzz target has gathered, where it makes one.
fn gathered(target: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
    match target {
        "container" => Some(bytes),
        "tokens" => container::write(&[(FourCc(*b"SHEX"), bytes.get(1..)?)]),
        _ => asm::assemble(&String::from_utf8_lossy(&bytes)).ok(),
    }
}

/// What fuzz targets have gathered on this machine (docs/fuzzing.md): whatever translates is valid, which they cannot ask.
#[test]
fn what_fuzzers_gathered_is_valid() {
    let profiles = rx_tests::profiles::all();
    for target in ["container", "tokens", "assembler"] {
        let folder = shaders::repository().join("translate/fuzz/corpus").join(target);
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: nothing in {}", folder.display());
            continue;
        };
        let paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        let faults = shaders::on_all_processors(&paths, |path| {
            let bytes = gathered(target, std::fs::read(path).ok()?)?;
            // A profile each: the same one whenever the file is met again.
            let own = &profiles[bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>() % profiles.len()];
            let translation = Translator::new(own.options.clone()).translate(Source::Dxbc(&bytes)).ok()?;
            let why = Validator::new(own.options.profile.target).check(&translation.spirv).err()?;
            Some(format!("{}, {}: {why}", path.display(), own.name))
        });
        let faults: Vec<_> = faults.into_iter().flatten().collect();
        println!("{target}: {} files, {} faults", paths.len(), faults.len());
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
