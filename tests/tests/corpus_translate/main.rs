//! Every Direct3D shader at hand translates to a module that the reference validator takes, or is refused for a reason
//! that stands in a table here; and what the translator says of a module is what the module's own words say.
//!
//! The project's own shaders prove this anywhere; the corpus of other projects' shaders where it is at hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod expected;

use rx_tests::agreement;
use rx_tests::profiles::{self, Named};
use rx_tests::shaders::{self, ShaderFile};
use rx_tests::validator::Validator;
use rx_translate::interface::Stage;
use rx_translate::{Error, ErrorKind, Source, Translation, Translator};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of one shader.
enum Outcome {
    Translated(Box<Translation>),
    Failed(Error),
    Panicked,
}

fn translate(translator: &Translator, file: &ShaderFile) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| translator.translate(Source::Dxbc(&file.bytes)))) {
        Ok(Ok(translation)) => Outcome::Translated(Box::new(translation)),
        Ok(Err(error)) => Outcome::Failed(error),
        Err(_) => Outcome::Panicked,
    }
}

fn is_main_stage(stage: Option<Stage>) -> bool {
    matches!(stage, Some(Stage::Vertex | Stage::Fragment | Stage::Compute))
}

/// Shaders that do not translate under the default profile are those of the table, with the table's codes; at least
/// `percent` of those of the main stages translate.
fn check_refusals(what: &str, files: &[ShaderFile], table: &[expected::Refusal], percent: usize) {
    let translator = Translator::default();
    let outcomes = shaders::on_all_processors(files, |file| translate(&translator, file));
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let (mut main, mut main_translated, mut main_words) = (0, 0, 0);
    for (file, outcome) in files.iter().zip(&outcomes) {
        let main_stage = is_main_stage(file.stage());
        main += usize::from(main_stage);
        let expected = table.iter().find(|refusal| refusal.file == file.name);
        let found = match outcome {
            Outcome::Panicked => {
                wrong.push(format!("{}: the translator panics", file.name));
                continue;
            }
            Outcome::Failed(error) if error.kind == ErrorKind::Internal => {
                wrong.push(format!("{}: {error}", file.name));
                continue;
            }
            Outcome::Failed(error) => Some(error),
            Outcome::Translated(translation) => {
                main_translated += usize::from(main_stage);
                main_words += if main_stage { translation.spirv.len() } else { 0 };
                None
            }
        };
        let code = found.map(|error| error.code.to_string());
        *counts.entry(code.clone().unwrap_or_else(|| String::from("translated"))).or_default() += 1;
        if code.as_deref() != expected.map(|refusal| refusal.code) {
            let found = found.map_or_else(|| String::from("translates"), Error::to_string);
            let expected = expected.map_or("a translation", |refusal| refusal.code);
            wrong.push(format!("{}: {found}; the table says {expected}", file.name));
        }
    }
    let words = main_words / main_translated.max(1);
    println!("{what}: {counts:?}; of {main} vertex, pixel and compute shaders {main_translated}, {words} words each");
    assert!(wrong.is_empty(), "{what}: {} shaders:\n{}", wrong.len(), wrong.join("\n"));
    assert!(main_translated * 100 >= main * percent, "{what}: {main_translated} of {main}");
    assert!(words <= MOST_WORDS, "{what}: {words} words a module of a vertex, pixel or compute shader");
}

/// Words that a vertex, pixel or compute shader's module may have on average: what the tightest other translator writes.
const MOST_WORDS: usize = 1560;

#[test]
fn own_shaders_translate_or_are_in_the_table() {
    check_refusals("own shaders", &shaders::own(), expected::OWN, 97);
}

#[test]
fn corpus_translates_or_is_in_the_table() {
    if let Some(files) = shaders::corpus() {
        check_refusals("corpus", &files, expected::CORPUS, 97);
    }
}

#[test]
fn own_shaders_are_of_every_stage() {
    check_stages(&shaders::own(), expected::OWN_STAGES);
}

#[test]
fn corpus_has_its_stages() {
    if let Some(files) = shaders::corpus() {
        check_stages(&files, expected::CORPUS_STAGES);
    }
}

fn check_stages(files: &[ShaderFile], expected: &[(Stage, usize)]) {
    let mut counts: BTreeMap<Stage, usize> = BTreeMap::new();
    for file in files {
        *counts.entry(file.stage().unwrap_or_else(|| panic!("{} has no code", file.name))).or_default() += 1;
    }
    assert_eq!(counts, expected.iter().copied().collect());
}

/// What is wrong with a module: for the validator, for a device of the profile, or with what is said of it.
fn faults(profile: &Named, file: &ShaderFile, translator: &Translator, translation: &Translation) -> Vec<String> {
    let mut faults = Vec::new();
    let target = profile.options.profile.target;
    if let Err(why) = Validator::new(target).check(&translation.spirv) {
        faults.push(format!("is not valid: {why}"));
    }
    let bytes: Vec<u8> = translation.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
    match translator.translate(Source::Spirv(&bytes)) {
        Err(error) => faults.push(format!("is not taken back: {error}")),
        Ok(read) if read.spirv != translation.spirv => faults.push(String::from("is taken back with other words")),
        Ok(read) => faults.extend(agreement::differences(&translation.interface, &read.interface)),
    }
    faults.iter_mut().for_each(|fault| *fault = format!("{} ({}): {fault}", file.name, profile.name));
    faults
}

/// Under every profile: each module is valid, needs nothing that the profile lacks, and is as its interface says.
fn check_modules(what: &str, files: &[ShaderFile]) {
    let mut all = Vec::new();
    for profile in profiles::all() {
        let translator = Translator::new(profile.options.clone());
        let found = shaders::on_all_processors(files, |file| match translate(&translator, file) {
            Outcome::Translated(translation) => Some(faults(&profile, file, &translator, &translation)),
            Outcome::Failed(error) if error.kind == ErrorKind::Internal => {
                Some(vec![format!("{}: {error}", file.name)])
            }
            Outcome::Failed(_) => None,
            Outcome::Panicked => Some(vec![format!("{} ({}): panics", file.name, profile.name)]),
        });
        let modules = found.iter().flatten().count();
        println!("{what}: {}: {modules} modules of {} shaders", profile.name, files.len());
        assert!(modules > 0, "{what}: no module under {}", profile.name);
        all.extend(found.into_iter().flatten().flatten());
    }
    let shown = all.iter().take(100).cloned().collect::<Vec<_>>().join("\n");
    assert!(all.is_empty(), "{what}: {} faults:\n{shown}", all.len());
}

#[test]
fn own_modules_are_valid_and_as_their_interfaces_say() {
    check_modules("own shaders", &shaders::own());
}

#[test]
fn corpus_modules_are_valid_and_as_their_interfaces_say() {
    if let Some(files) = shaders::corpus() {
        check_modules("corpus", &files);
    }
}
