//! The ledger's rules, and the page that is written from it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::golden;
use rx_tests::shaders::repository;
use rx_translate::Code;
use rx_translate::ledger::{self, CODES, Row, RowKind};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn codes_are_unique_and_in_order() {
    for pair in CODES.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} stands before {}", pair[0].code, pair[1].code);
    }
}

#[test]
fn every_row_says_something() {
    for row in CODES {
        for (what, text) in [("title", row.title), ("what", row.what), ("example", row.example), ("remedy", row.remedy)]
        {
            assert!(!text.trim().is_empty(), "{} has no {what}", row.code);
        }
        for text in [row.what, row.remedy] {
            assert!(text.ends_with(['.', ')']), "{}: `{text}` is no sentence", row.code);
        }
    }
}

#[test]
fn a_codes_number_is_of_its_kind() {
    for row in CODES {
        let range = match row.kind {
            RowKind::Internal => 1..100,
            RowKind::Malformed | RowKind::Refused => 1..400,
            RowKind::Adapted | RowKind::Profile | RowKind::Warning => 400..600,
        };
        assert!(range.contains(&row.code.0), "{} is {:?}", row.code, row.kind);
    }
}

/// Every word of the translator's sources that could be a constant's name, but those of the ledger itself.
fn words_of_sources(folder: &Path, words: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            words_of_sources(&path, words);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("ledger.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            words.extend(text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned));
        }
    }
}

/// The names of the ledger's constants with their numbers, from its own source: the table cannot say them.
fn names() -> Vec<(String, u16)> {
    let text = std::fs::read_to_string(repository().join("translate/src/ledger.rs")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.trim().split_once(" = ")?;
        let number = rest.split(',').next()?.parse().ok()?;
        name.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            .then(|| (name.to_owned(), number))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn every_code_is_used() {
    let names = names();
    assert_eq!(names.len(), CODES.len(), "the ledger's source is not read aright");
    let mut words = BTreeSet::new();
    words_of_sources(&repository().join("translate/src"), &mut words);
    // A difference of the profile as a whole is told, not found in a shader.
    let found = |number: u16| CODES.iter().any(|row| row.code.0 == number && row.kind != RowKind::Profile);
    let unused: Vec<_> = names.iter().filter(|(name, number)| found(*number) && !words.contains(name)).collect();
    assert!(unused.is_empty(), "no source gives out {unused:?}");
}

const INTRODUCTION: &str = "\
# Translation: every code

Written from the ledger in `translate/src/ledger.rs`; `rx ledger` prints the same table and `rx explain CODE` one row.
`RX_BLESS=1 cargo test -p rx-tests --test ledger_page` writes this page anew.

A translation is *exact*, *adapted* or *refused*; malformed input is an error too. Exact: the module does what Direct3D
says, for every input that Direct3D defines. Adapted: it differs as a row below says, and the translation carries the
row's code with the number of places. Refused: there is no module, and the error has the code, the instruction's index
and its mnemonic. There is no fourth. `rx translate --strict` refuses what would be adapted.

A code never changes its meaning, and the number of one that is gone is not given out again.
";

const PARTS: &[(&str, &str, RowKind)] = &[
    (
        "Adapted",
        "Translated, with a difference: what, and for which values. What would lift it follows, and the test that shows the\n\
         difference and nothing else.",
        RowKind::Adapted,
    ),
    (
        "Differences of a profile as a whole",
        "They follow from the device or its driver, hold for every shader, and change no shader's status.",
        RowKind::Profile,
    ),
    (
        "Warnings about the input",
        "Translated as the bytes say; the note says what is suspicious. They change no status.",
        RowKind::Warning,
    ),
    ("Refused", "Valid input that rx or the target cannot take.", RowKind::Refused),
    ("Malformed", "Input that is not what it says it is.", RowKind::Malformed),
    ("Faults of rx", "Never the input's doing.", RowKind::Internal),
];

/// The tests that show what an adaptation changes, and that it changes nothing else: code, file, function.
const PROOFS: &[(Code, &str, &str)] = &[
    (ledger::IDS_WITH_BASE, "tests/tests/exec_opcodes/adapted.rs", "ids_differ_by_the_base_alone"),
    (ledger::BAKED_CONSTANTS, "tests/tests/exec_glsl.rs", "specialization_constants_are_a_note"),
    (ledger::BUFFER_RESIDENCY, "tests/tests/exec_opcodes/adapted.rs", "statuses_of_memory_that_is_there_are_right"),
    (
        ledger::GUARDED_ALPHA,
        "tests/tests/exec_opcodes/adapted.rs",
        "guarded_texels_differ_in_a_missing_fourth_component_alone",
    ),
];

fn proof(code: Code) -> Option<&'static (Code, &'static str, &'static str)> {
    PROOFS.iter().find(|proof| proof.0 == code)
}

#[test]
fn every_adapted_row_has_a_test_that_shows_it() {
    for row in CODES.iter().filter(|row| row.kind == RowKind::Adapted) {
        let (_, file, function) = proof(row.code).unwrap_or_else(|| panic!("no test shows {}", row.code));
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        assert!(text.contains(&format!("#[test]\nfn {function}()")), "{}: no test {function} in {file}", row.code);
    }
    assert!(PROOFS.iter().all(|(code, ..)| CODES.iter().any(|row| row.code == *code && row.kind == RowKind::Adapted)));
}

fn row(row: &Row) -> String {
    let shown = proof(row.code)
        .map_or_else(String::new, |(_, file, function)| format!("\nShown by: `{function}` in `{file}`.\n"));
    let example = if row.example == "-" { String::new() } else { format!("\n\nExample: {}.", row.example) };
    format!("\n### {}: {}\n\n{}{example}\n\nWhat to do: {}\n{shown}", row.code, row.title, row.what, row.remedy)
}

#[test]
fn page_is_as_the_ledger_says() {
    let mut page = String::from(INTRODUCTION);
    for (title, introduction, kind) in PARTS {
        let rows: Vec<_> = CODES.iter().filter(|row| row.kind == *kind).collect();
        if !rows.is_empty() {
            page += &format!("\n## {title}\n\n{introduction}\n");
            page.extend(rows.into_iter().map(row));
        }
    }
    golden::check("docs/translation.md", &page);
}
