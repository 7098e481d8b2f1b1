//! Files in the repository that a test compares with what the code says now.
//!
//! `RX_BLESS=1` writes them anew; a change of one then shows in review, line by line.

use crate::shaders::repository;

/// Whether the files are to be written anew.
pub fn blessing() -> bool {
    std::env::var_os("RX_BLESS").is_some_and(|value| value == "1")
}

/// Holds a file of the repository against its text as it should be.
///
/// # Panics
///
/// If they differ, with the first lines that do.
pub fn check(path: &str, expected: &str) {
    let file = repository().join(path);
    if blessing() {
        std::fs::create_dir_all(file.parent().expect("a file lies in a folder")).expect("a folder for the file");
        std::fs::write(&file, expected).unwrap_or_else(|e| panic!("{path}: {e}"));
        println!("{path} is written anew");
        return;
    }
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{path}: {e}; RX_BLESS=1 writes it"));
    let differences = differences(&text, expected);
    assert!(
        differences.is_empty(),
        "{path} is not what the code says ({} lines differ); RX_BLESS=1 writes it anew:\n{}",
        differences.len(),
        differences[..differences.len().min(MOST_SHOWN)].join("\n")
    );
}

/// Lines that a failure shows at most.
const MOST_SHOWN: usize = 24;

fn differences(is: &str, should_be: &str) -> Vec<String> {
    let (is, should_be): (Vec<_>, Vec<_>) = (is.lines().collect(), should_be.lines().collect());
    let lines = 0..is.len().max(should_be.len());
    let differ = lines.filter(|&i| is.get(i) != should_be.get(i));
    differ
        .map(|i| {
            let show = |line: Option<&&str>| line.map_or("(no line)", |line| *line).to_owned();
            format!("line {}:\n  is        {}\n  should be {}", i + 1, show(is.get(i)), show(should_be.get(i)))
        })
        .collect()
}
