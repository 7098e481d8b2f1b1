//! What the project's own shaders translate to, a line each, in the repository: a change of any output shows in review.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::{golden, shaders};
use rx_translate::{ErrorKind, Source, Translator};
use std::fmt::Write as _;

const HEADER: &str = "\
# Own shaders under the default profile: digest of the words (blake3, cut short), status, words, file.
# RX_BLESS=1 cargo test -p rx-tests --test corpus_baseline
";

#[test]
fn own_shaders_translate_as_committed() {
    let translator = Translator::default();
    let lines = shaders::on_all_processors(&shaders::own(), |file| {
        let (digest, status, words) = match translator.translate(Source::Dxbc(&file.bytes)) {
            Ok(translation) => {
                let bytes: Vec<u8> = translation.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
                let codes: Vec<_> = translation.notes.iter().map(|note| note.code.to_string()).collect();
                let status = if codes.is_empty() { "exact".to_owned() } else { format!("adapted:{}", codes.join("+")) };
                (blake3::hash(&bytes).to_hex()[..32].to_owned(), status, translation.spirv.len())
            }
            Err(error) => {
                let status = match error.kind {
                    ErrorKind::Malformed => "malformed",
                    ErrorKind::Refused => "refused",
                    ErrorKind::Internal => "failed",
                };
                ("-".repeat(32), format!("{status}:{}", error.code), 0)
            }
        };
        format!("{digest} {status} {words} {}", file.name)
    });
    let mut text = String::from(HEADER);
    lines.iter().for_each(|line| writeln!(text, "{line}").unwrap());
    golden::check("tests/baseline/assets.txt", &text);
}
