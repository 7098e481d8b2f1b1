//! The baseline: one line a shader, `digest  status  path`, sorted by path.
//!
//! Owns the file's form and the comparison. Where there is no module, the code of the error stands in the digest's
//! place.

use std::collections::BTreeMap;
use std::path::Path;

use super::one::{Shader, Status};
use crate::codes;
use crate::failure::Failure;

/// What a baseline says of a shader: digest or code, and status.
pub type Entry = (String, Status);

/// A baseline, by path.
pub type Baseline = BTreeMap<String, Entry>;

/// A difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The shader.
    pub file: String,
    /// What the baseline says; none for a new shader.
    pub before: Option<Entry>,
    /// What it is now; none where it is gone.
    pub now: Option<Entry>,
}

impl Change {
    /// In words: `exact -> refused RX0204`, `new: exact`, `words differ`.
    pub fn words(&self) -> String {
        let say = |(digest, status): &Entry| match digest.starts_with("RX") {
            true => format!("{} {digest}", status.name()),
            false => status.name().to_owned(),
        };
        match (&self.before, &self.now) {
            (None, None) => String::new(),
            (None, Some(now)) => format!("new: {}", say(now)),
            (Some(before), None) => format!("gone: was {}", say(before)),
            (Some(before), Some(now)) if say(before) == say(now) => format!("{}, words differ", say(now)),
            (Some(before), Some(now)) => format!("{} -> {}", say(before), say(now)),
        }
    }
}

/// Reads a baseline. One that is not there is empty where it is about to be written.
pub fn read(path: &Path, approve: bool) -> Result<Baseline, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if approve && error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::read(path, &error)),
    };
    match parse(&text) {
        Ok(baseline) => Ok(baseline),
        // A baseline that is to be written anew need not be understood.
        Err(_) if approve => Ok(Baseline::new()),
        Err(what) => Err(Failure::own(codes::BASELINE, what).in_file(path)),
    }
}

fn parse(text: &str) -> Result<Baseline, String> {
    let mut baseline = Baseline::new();
    for (i, line) in text.lines().enumerate() {
        let mut parts = line.splitn(3, "  ");
        let (Some(digest), Some(status), Some(file)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(format!("line {}: not `digest  status  path`", i + 1));
        };
        let status = Status::from_name(status).ok_or_else(|| format!("line {}: no status {status:?}", i + 1))?;
        baseline.insert(file.to_owned(), (digest.to_owned(), status));
    }
    Ok(baseline)
}

/// The results as a baseline.
pub fn text(shaders: &[Shader]) -> String {
    let lines = now(shaders).into_iter();
    lines.map(|(file, (digest, status))| format!("{digest}  {}  {file}\n", status.name())).collect()
}

fn now(shaders: &[Shader]) -> Baseline {
    let entry = |shader: &Shader| {
        let digest = shader.blake3.clone().or(shader.code.clone()).unwrap_or_default();
        // A name with a line's end in it would tear the file.
        (crate::failure::one_line(&shader.file), (digest, shader.status))
    };
    shaders.iter().map(entry).collect()
}

/// What differs, by path.
pub fn compare(before: &Baseline, shaders: &[Shader]) -> Vec<Change> {
    let now = now(shaders);
    let mut changes: Vec<Change> = now
        .iter()
        .filter(|(file, entry)| before.get(*file) != Some(*entry))
        .map(|(file, entry)| Change { file: file.clone(), before: before.get(file).cloned(), now: Some(entry.clone()) })
        .collect();
    let gone = before.iter().filter(|(file, _)| !now.contains_key(*file));
    changes.extend(gone.map(|(file, entry)| Change { file: file.clone(), before: Some(entry.clone()), now: None }));
    changes.sort_by(|a, b| a.file.cmp(&b.file));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shader(file: &str, status: Status, digest: &str) -> Shader {
        let code = digest.starts_with("RX").then(|| digest.to_owned());
        Shader {
            file: file.to_owned(),
            status,
            blake3: code.is_none().then(|| digest.to_owned()),
            code,
            why: String::new(),
            notes: Vec::new(),
            words: 0,
            microseconds: 0,
        }
    }

    #[test]
    fn what_changed_is_said_by_path() {
        let before = [
            shader("a b.dxbc", Status::Exact, "11"),
            shader("gone.dxbc", Status::Malformed, "RX0102"),
            shader("same.dxbc", Status::Adapted, "22"),
            shader("worse.dxbc", Status::Exact, "33"),
        ];
        let text = text(&before);
        assert_eq!(
            text,
            "11  exact  a b.dxbc\nRX0102  malformed  gone.dxbc\n22  adapted  same.dxbc\n33  exact  worse.dxbc\n"
        );
        let now = [
            shader("worse.dxbc", Status::Refused, "RX0204"),
            shader("same.dxbc", Status::Adapted, "22"),
            shader("new.dxbc", Status::Exact, "44"),
            shader("a b.dxbc", Status::Exact, "12"),
        ];
        let changes = parse(&text).map(|baseline| compare(&baseline, &now)).unwrap_or_default();
        let words: Vec<(String, String)> = changes.iter().map(|own| (own.file.clone(), own.words())).collect();
        let want = [
            ("a b.dxbc", "exact, words differ"),
            ("gone.dxbc", "gone: was malformed RX0102"),
            ("new.dxbc", "new: exact"),
            ("worse.dxbc", "exact -> refused RX0204"),
        ];
        assert_eq!(words, want.map(|(file, words)| (file.to_owned(), words.to_owned())));
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        assert_eq!(parse("11  exact  a\n<<<<<<<\n"), Err("line 2: not `digest  status  path`".to_owned()));
        assert_eq!(parse("11  good  a\n"), Err("line 1: no status \"good\"".to_owned()));
    }
}
