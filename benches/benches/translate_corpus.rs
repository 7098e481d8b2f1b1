//! How long does a shader take to translate, and how many words come out?
//!
//! Each shader by itself, one thread, warm; in-process `spirv-val` of the same modules stands beside it as a yardstick
//! that any machine has. Then the whole collection on one thread and on two.
//!
//! `RX_SHARED` names a folder with the corpus of other projects' shaders; without it the project's own are measured.
#![allow(missing_docs, clippy::print_stdout, clippy::expect_used)]

use criterion::Criterion;
use rx_benches::{Figures, best_of, median};
use rx_tests::shaders::{self, ShaderFile};
use rx_tests::validator::Validator;
use rx_translate::interface::Stage;
use rx_translate::{Source, Target, Translator};
use std::hint::black_box;
use std::time::Duration;

fn translate_all(translator: &Translator, files: &[ShaderFile], threads: usize) {
    black_box(shaders::on_threads(threads, files, |file| translator.translate(Source::Dxbc(&file.bytes)).is_ok()));
}

/// A shader that translates, and its times.
struct Measured {
    main_stage: bool,
    words: usize,
    translate: Duration,
    validate: Duration,
}

fn measure(translator: &Translator, validator: &Validator, file: &ShaderFile) -> Option<Measured> {
    let translation = translator.translate(Source::Dxbc(&file.bytes)).ok()?;
    Some(Measured {
        main_stage: matches!(file.stage(), Some(Stage::Vertex | Stage::Fragment | Stage::Compute)),
        words: translation.spirv.len(),
        translate: median(|| translator.translate(Source::Dxbc(&file.bytes))),
        validate: median(|| validator.check(&translation.spirv)),
    })
}

fn report(title: &str, measured: &[&Measured]) {
    let words: usize = measured.iter().map(|m| m.words).sum();
    let translate = Figures::of(measured.iter().map(|m| m.translate).collect());
    let validate = Figures::of(measured.iter().map(|m| m.validate).collect());
    println!("{title}: {} modules, {words} words, {} a module", measured.len(), words / measured.len().max(1));
    println!("  translate  {translate}");
    println!("  spirv-val  {validate}");
    let ratio = translate.total.as_secs_f64() / validate.total.as_secs_f64().max(f64::MIN_POSITIVE);
    println!("  translation takes {ratio:.3} of the validator's time\n");
}

fn threads(translator: &Translator, files: &[ShaderFile]) {
    const RUNS: usize = 7;
    let one = best_of(RUNS, || translate_all(translator, files, 1));
    let two = best_of(RUNS, || translate_all(translator, files, 2));
    let ratio = one.as_secs_f64() / two.as_secs_f64().max(f64::MIN_POSITIVE);
    println!("  all of them, one thread {one:.1?}, two threads {two:.1?}: {ratio:.2} times the throughput\n");
}

fn main() {
    let (name, files) = match shaders::corpus() {
        Some(files) => ("corpus", files),
        None => ("own shaders", shaders::own()),
    };
    let translator = Translator::default();
    let validator = Validator::new(Target::default());
    let measured: Vec<_> = files.iter().filter_map(|file| measure(&translator, &validator, file)).collect();
    println!("\n{name}, {} shaders; profile vulkan1.3 full, device robustness; warm medians, one thread", files.len());
    report("all stages", &measured.iter().collect::<Vec<_>>());
    report("vertex, pixel, compute", &measured.iter().filter(|m| m.main_stage).collect::<Vec<_>>());
    threads(&translator, &files);

    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    let mut whole = |threads: usize| {
        let id = format!("translate all of the {name}, threads: {threads}");
        criterion.bench_function(&id, |bencher| bencher.iter(|| translate_all(&translator, &files, threads)));
    };
    whole(1);
    whole(2);
    criterion.final_summary();
}
