//! The same input gives the same words, account and notes: run after run, on one thread or several, in any order.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::shaders::{self, ShaderFile};
use rx_translate::{Options, Source, Translator};

/// A digest over everything that a translation says: words, interface and notes, or the error.
fn digest(translator: &Translator, file: &ShaderFile) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    match translator.translate(Source::Dxbc(&file.bytes)) {
        Ok(translation) => {
            translation.spirv.iter().for_each(|word| {
                hasher.update(&word.to_le_bytes());
            });
            hasher.update(&serde_json::to_vec(&translation.interface).unwrap());
            hasher.update(format!("{:?}", translation.notes).as_bytes());
        }
        Err(error) => {
            hasher.update(format!("{error:?}").as_bytes());
        }
    }
    hasher.finalize()
}

/// A digest of each file, on a number of threads.
fn digests(threads: usize, files: &[&ShaderFile], options: &Options) -> Vec<blake3::Hash> {
    let translator = Translator::new(options.clone());
    shaders::on_threads(threads, files, |file| digest(&translator, file))
}

fn check(files: &[ShaderFile]) {
    let forwards: Vec<&ShaderFile> = files.iter().collect();
    let backwards: Vec<&ShaderFile> = files.iter().rev().collect();
    let options = Options { names: true, ..Options::default() };
    let first = digests(1, &forwards, &options);
    let mut reversed = digests(2, &backwards, &options);
    reversed.reverse();
    let runs = [("again", digests(1, &forwards, &options)), ("on two threads, from the last to the first", reversed)];
    for (how, run) in runs {
        let differ: Vec<_> = (0..files.len()).filter(|&i| run[i] != first[i]).map(|i| &files[i].name).collect();
        assert!(differ.is_empty(), "translated {how}, {} come out otherwise: {differ:#?}", differ.len());
    }
}

#[test]
fn own_shaders_come_out_the_same() {
    check(&shaders::own());
}

#[test]
fn corpus_comes_out_the_same() {
    if let Some(files) = shaders::corpus() {
        check(&files);
    }
}
