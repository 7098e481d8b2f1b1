//! Every module, of the project's own shaders and of the corpus, is still valid after the reference optimiser: what
//! `spirv-opt -O` makes of it passes the validator.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::optimizer::optimize;
use rx_tests::shaders::{self, ShaderFile};
use rx_tests::validator::Validator;
use rx_translate::{Options, Profile, Robustness, RobustnessByClass, Source, Translator};

/// Returns the words before and after, none if the shader is refused.
fn outcome(translator: &Translator, profile: &Profile, file: &ShaderFile) -> Result<Option<[usize; 2]>, String> {
    let Ok(translation) = translator.translate(Source::Dxbc(&file.bytes)) else { return Ok(None) };
    let named = |why| format!("{}: {why}", file.name);
    let optimized = optimize(profile.target, &translation.spirv).map_err(named)?;
    Validator::new(profile.target).check(&optimized).map_err(named)?;
    Ok(Some([translation.spirv.len(), optimized.len()]))
}

fn check(what: &str, files: &[ShaderFile], profile: Profile) {
    let translator = Translator::new(Options { profile, ..Options::default() });
    let outcomes = shaders::on_all_processors(files, |file| outcome(&translator, &profile, file));
    let failures: Vec<_> = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
    assert!(failures.is_empty(), "{what}: {} failed: {failures:#?}", failures.len());
    let made: Vec<_> = outcomes.into_iter().flatten().flatten().collect();
    assert!(!made.is_empty(), "{what}: no shader was translated");
    let [before, after] = [0, 1].map(|n| made.iter().map(|words| words[n]).sum::<usize>());
    println!("{what}: {} of {} shaders, {before} words before, {after} after", made.len(), files.len());
}

#[test]
fn own_modules_stay_valid() {
    for robustness in [Robustness::Device, Robustness::Explicit] {
        let robustness = RobustnessByClass::all(robustness);
        check("own shaders", &shaders::own(), Profile { robustness, ..Profile::default() });
    }
}

#[test]
fn corpus_modules_stay_valid() {
    if let Some(files) = shaders::corpus() {
        check("corpus", &files, Profile::default());
    }
}
