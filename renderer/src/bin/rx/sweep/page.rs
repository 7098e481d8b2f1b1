//! A sweep's results for a person and as JSON.

use std::collections::BTreeMap;

use rx_renderer::translate::{Code, ledger};
use serde_json::{Map, Value, json};

use super::baseline::Change;
use super::one::{Shader, Status};
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::reflection::notes_json;
use crate::{codes, tables};

/// Changes that are listed on a terminal; the page for a browser has all.
const MOST_LISTED: usize = 40;

/// A sweep's results.
pub struct Sweep<'a> {
    /// Results, in the order of the inputs.
    pub shaders: &'a [Shader],
    /// Their sums.
    pub totals: &'a Totals,
    /// Differences from a baseline, where there is one.
    pub changes: Option<&'a [Change]>,
    /// The profile's name.
    pub profile: &'a str,
}

/// A sweep's sums.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    counts: BTreeMap<Status, usize>,
    /// Words of all modules.
    pub words: usize,
    /// Microseconds of all translations, over all threads.
    pub microseconds: u64,
    /// Refusals by code.
    pub refused_by_code: BTreeMap<String, usize>,
}

impl Totals {
    /// Adds up.
    pub fn of(shaders: &[Shader]) -> Totals {
        let mut totals = Totals::default();
        for shader in shaders {
            *totals.counts.entry(shader.status).or_default() += 1;
            totals.words += shader.words;
            totals.microseconds = totals.microseconds.saturating_add(shader.microseconds);
            if let (Status::Refused, Some(code)) = (shader.status, &shader.code) {
                *totals.refused_by_code.entry(code.clone()).or_default() += 1;
            }
        }
        totals
    }

    /// Shaders of one status.
    pub fn count(&self, status: Status) -> usize {
        self.counts.get(&status).copied().unwrap_or(0)
    }

    /// All shaders.
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

/// A tone for a status.
fn tone(status: Status) -> Tone {
    match status {
        Status::Exact => Tone::Good,
        Status::Adapted => Tone::Name,
        Status::Refused | Status::Malformed => Tone::Notable,
        Status::Failed => Tone::Bad,
    }
}

/// The title of a code, whoever gives it out.
pub fn title(code: &str) -> &'static str {
    let number = code.strip_prefix("RX").and_then(|digits| digits.parse().ok()).map(Code);
    let translator = number.and_then(ledger::find).map(|row| row.title);
    translator.or_else(|| number.and_then(codes::find).map(|row| row.title)).unwrap_or_default()
}

/// Prints the sums, what was refused and why, and what changed.
pub fn print(sweep: &Sweep<'_>, approved: bool, out: &mut Out) -> Result<(), Failure> {
    let totals = sweep.totals;
    out.line(&out.paint(Tone::Dim, &format!("profile  {}", sweep.profile)))?;
    let counts = Status::ALL.map(|status| {
        let text = format!("{} {}", totals.count(status), status.name());
        out.paint(if totals.count(status) > 0 { tone(status) } else { Tone::Dim }, &text)
    });
    let (total, words) = (totals.total(), totals.words);
    let seconds = totals.microseconds as f64 / 1e6;
    out.line(&format!("{total} shaders: {}; {words} words, {seconds:.3} s of translation", counts.join(", ")))?;
    print_by_code(sweep, out)?;
    failed(sweep, out)?;
    changed(sweep, approved, out)
}

/// Shaders by status and code: errors by their own, adapted ones by each of their notes'.
pub fn by_code(shaders: &[Shader]) -> BTreeMap<(Status, String), usize> {
    let mut counts = BTreeMap::new();
    for shader in shaders.iter().filter(|shader| shader.status != Status::Failed) {
        let notes = shader.notes.iter().map(|note| note.code.to_string());
        for code in shader.code.iter().cloned().chain(notes) {
            *counts.entry((shader.status, code)).or_default() += 1;
        }
    }
    counts
}

fn print_by_code(sweep: &Sweep<'_>, out: &mut Out) -> Result<(), Failure> {
    let counts = by_code(sweep.shaders);
    if counts.is_empty() {
        return Ok(());
    }
    let mut table = tables::table(out, ["shaders", "status", "code", "what"]);
    for ((status, code), count) in counts {
        let what = title(&code);
        table.add_row([
            tables::number(count),
            tables::cell(tone(status), status.name()),
            tables::cell(Tone::Strong, code),
            tables::cell(Tone::Plain, what),
        ]);
    }
    out.line(&format!("\n{}", tables::text(&table)))
}

fn failed(sweep: &Sweep<'_>, out: &mut Out) -> Result<(), Failure> {
    let failed: Vec<&Shader> = sweep.shaders.iter().filter(|shader| shader.status == Status::Failed).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let title = out.paint(Tone::Bad, "failed");
    out.line(&format!("\n{title}"))?;
    for shader in failed.iter().take(MOST_LISTED) {
        out.line(&format!("  {}: {}", out.paint(Tone::Name, &shader.file), crate::failure::one_line(&shader.why)))?;
    }
    more(failed.len(), out)
}

fn changed(sweep: &Sweep<'_>, approved: bool, out: &mut Out) -> Result<(), Failure> {
    let Some(changes) = sweep.changes else { return Ok(()) };
    if changes.is_empty() {
        return out.line(&out.paint(Tone::Good, "as the baseline has it"));
    }
    let title = format!("{} differ from the baseline{}", changes.len(), if approved { ", approved" } else { "" });
    let title = out.paint(Tone::Strong, &title);
    out.line(&format!("\n{title}"))?;
    for change in changes.iter().take(MOST_LISTED) {
        out.line(&format!("  {}: {}", out.paint(Tone::Name, &change.file), change.words()))?;
    }
    more(changes.len(), out)
}

fn more(count: usize, out: &mut Out) -> Result<(), Failure> {
    match count.checked_sub(MOST_LISTED) {
        Some(rest) if rest > 0 => out.line(&out.paint(Tone::Dim, &format!("  and {rest} more"))),
        _ => Ok(()),
    }
}

/// Prints an object a shader, and last the totals.
pub fn json(sweep: &Sweep<'_>, out: &mut Out) -> Result<(), Failure> {
    for shader in sweep.shaders {
        out.json(&shader_json(shader))?;
    }
    out.json(&totals_json(sweep))
}

fn shader_json(shader: &Shader) -> Value {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("schema", json!(1));
    put("file", json!(shader.file));
    put("status", json!(shader.status.name()));
    put("code", json!(shader.code));
    put("words", json!(shader.words));
    put("microseconds", json!(shader.microseconds));
    put("blake3", json!(shader.blake3));
    if !shader.notes.is_empty() {
        put("notes", notes_json(&shader.notes));
    }
    Value::Object(object)
}

fn totals_json(sweep: &Sweep<'_>) -> Value {
    let totals = sweep.totals;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("schema", json!(1));
    put("total", json!(totals.total()));
    for status in Status::ALL {
        put(status.name(), json!(totals.count(status)));
    }
    put("words", json!(totals.words));
    put("microseconds", json!(totals.microseconds));
    put("refused_by_code", json!(totals.refused_by_code));
    put("profile", json!(sweep.profile));
    if let Some(changes) = sweep.changes {
        let change = |own: &Change| json!({ "file": own.file, "change": own.words() });
        put("changes", changes.iter().map(change).collect());
    }
    Value::Object(object)
}
