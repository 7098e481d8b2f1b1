//! The main job's page: a table of programs for a person, or the same as JSON.
//!
//! Owns what is said in which column. It decides nothing and translates nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use comfy_table::Cell;
use rx_renderer::SetPlan;
use rx_renderer::scene::programs::PROGRAMS;
use rx_renderer::vk::layout::{Decision, Reason, print};
use serde_json::{Map, Value, json};

use super::picture::Drawn;
use super::{Device, Row, StageResult};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::reflection::{notes_json, status};
use crate::tables;
use crate::verbs::explain::wrapped;

/// Prints the page.
pub fn print(rows: &[Row], devices: &[Device], profile: &str, out: &mut Out) -> Result<(), Failure> {
    let title = format!("rx {}  harbour at dusk: {} programs", env!("CARGO_PKG_VERSION"), rows.len());
    out.line(&out.paint(Tone::Strong, &title))?;
    out.line(&out.paint(Tone::Dim, &format!("profile  {profile}")))?;
    let named = devices.iter().map(|device| format!("{} = {}", device.label, device.facts.name));
    let named = named.collect::<Vec<_>>().join(", ");
    let width = usize::from(out.columns().unwrap_or(u16::MAX)).saturating_sub(9);
    for (i, line) in wrapped(&named, width).iter().enumerate() {
        let label = if i == 0 { "devices" } else { "" };
        out.line(&out.paint(Tone::Dim, &format!("{label:<9}{line}")))?;
    }
    out.line("")?;
    out.line(&tables::text(&table(rows, devices, out)))?;
    totals(rows, devices, out)?;
    out.line("")
}

/// Says that there is no driver, and how to get one.
pub fn no_driver(out: &mut Out) -> Result<(), Failure> {
    let hint = "No Vulkan driver on this machine, so neither a column for it nor a picture: install one. Mesa's lavapipe \
                needs no GPU (Debian and Ubuntu: apt install mesa-vulkan-drivers; Fedora: dnf install mesa-vulkan-drivers).";
    let width = usize::from(out.columns().unwrap_or(u16::MAX));
    wrapped(hint, width).iter().try_for_each(|line| out.line(&out.paint(Tone::Dim, line)))
}

fn table(rows: &[Row], devices: &[Device], out: &Out) -> comfy_table::Table {
    let mut head = vec!["program", "stages"];
    head.extend(devices.iter().map(|device| device.label.as_str()));
    head.extend(["why", "time"]);
    let mut table = tables::table(out, head);
    let mut pass = "";
    for row in rows {
        if row.program.pass != pass {
            pass = row.program.pass;
            table.add_row([tables::cell(Tone::Strong, pass)]);
        }
        table.add_row(cells(row, devices));
    }
    if let Some(column) = table.column_mut(3 + devices.len()) {
        column.set_cell_alignment(comfy_table::CellAlignment::Right);
    }
    table
}

fn cells(row: &Row, devices: &[Device]) -> Vec<Cell> {
    let stages: Vec<&str> = row.stages.iter().map(|stage| stage.shader.stage()).collect();
    let mut cells =
        vec![tables::cell(Tone::Name, format!("  {}", row.program.name)), tables::cell(Tone::Plain, stages.join(" "))];
    match &row.plans {
        Some(plans) => cells.extend(plans.iter().map(|sets| decision_cell(sets))),
        None => cells.extend(devices.iter().map(|_| tables::cell(Tone::Dim, "-"))),
    }
    let (tone, why) = why(row, devices);
    cells.push(tables::cell(tone, why));
    cells.push(tables::cell(Tone::Dim, time(row.time)));
    cells
}

fn decision_cell(sets: &[SetPlan]) -> Cell {
    let worst = sets.iter().map(|set| set.plan.decision).max_by_key(|&decision| rank(decision));
    let decision = worst.unwrap_or(Decision::None);
    let tone = match decision {
        Decision::Push => Tone::Good,
        Decision::Set => Tone::Notable,
        Decision::None => Tone::Dim,
        Decision::Error => Tone::Bad,
    };
    tables::cell(tone, print::decision_name(decision))
}

fn rank(decision: Decision) -> u8 {
    match decision {
        Decision::None => 0,
        Decision::Push => 1,
        Decision::Set => 2,
        Decision::Error => 3,
    }
}

/// Why a program is as it is: the stage that is not translated, else what moved it and where, else its fullest table.
fn why(row: &Row, devices: &[Device]) -> (Tone, String) {
    if let Some(failure) = row.stopped() {
        let done = row.stages.iter().filter(|stage| stage.translated.is_ok()).count();
        let stage = row.stages.iter().find(|stage| stage.translated.is_err()).map_or("", |stage| stage.shader.stage());
        let word = if failure.exit == Exit::Refused { "refused" } else { "failed" };
        let of = row.stages.len();
        return (Tone::Notable, format!("{word} {}: {stage}; {done} of {of} stages translated", failure.code));
    }
    let Some(plans) = &row.plans else { return (Tone::Bad, "stages contradict one another".to_owned()) };
    let mut by_reason: Vec<(String, Vec<&str>)> = Vec::new();
    for (device, sets) in devices.iter().zip(plans) {
        for reason in sets.iter().filter(|set| set.plan.reason().is_some()).map(short_reason) {
            match by_reason.iter_mut().find(|(own, _)| *own == reason) {
                Some((_, labels)) => labels.push(&device.label),
                None => by_reason.push((reason, vec![&device.label])),
            }
        }
    }
    if by_reason.is_empty() {
        // Metal's tables are the ones that fill up.
        let metal = devices.iter().position(|device| device.facts.is_moltenvk()).unwrap_or(0);
        let set = plans.get(metal).and_then(|sets| sets.first());
        return (Tone::Dim, set.map_or(String::new(), |set| print::explanation(&set.plan)));
    }
    let parts = by_reason.iter().map(|(reason, labels)| match labels.len() == devices.len() {
        true => reason.clone(),
        false => format!("{}: {reason}", labels.join(", ")),
    });
    (Tone::Plain, parts.collect::<Vec<_>>().join("; "))
}

/// Longest explanation that stands in the table.
const LONG: usize = 48;

/// A reason with its figures, without the advice that a plan's own line has after a comma; of an error with a longer
/// explanation its name, since its code says more.
fn short_reason(set: &SetPlan) -> String {
    let explanation = print::explanation(&set.plan);
    let explanation = explanation.split(',').next().unwrap_or_default();
    match set.plan.reason().and_then(|reason| Some((reason.code()?, reason.name()))) {
        Some((code, name)) if explanation.len() > LONG => format!("{code} {name}"),
        Some((code, _)) => format!("{code} {explanation}"),
        None => explanation.to_owned(),
    }
}

fn time(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// What the run added up to.
#[derive(Default)]
struct Totals {
    shaders: usize,
    exact: usize,
    adapted: usize,
    refused: usize,
    failed: usize,
    words: usize,
    time: Duration,
    refused_by_code: BTreeMap<String, usize>,
}

impl Totals {
    /// Counts every shader once, however many programs it is in.
    fn of(rows: &[Row]) -> Totals {
        let mut totals = Totals { time: rows.iter().map(|row| row.time).sum(), ..Totals::default() };
        let mut seen = std::collections::BTreeSet::new();
        for stage in rows.iter().flat_map(|row| &row.stages) {
            if seen.insert((stage.shader.file, stage.shader.entry)) {
                totals.count(stage);
            }
        }
        totals
    }

    fn count(&mut self, stage: &StageResult) {
        self.shaders += 1;
        match &stage.translated {
            Ok(translation) => {
                self.words += translation.spirv.len();
                if translation.is_exact() { self.exact += 1 } else { self.adapted += 1 }
            }
            Err(failure) if failure.exit == Exit::Failed => self.failed += 1,
            Err(failure) => {
                self.refused += 1;
                *self.refused_by_code.entry(failure.code.to_string()).or_default() += 1;
            }
        }
    }
}

fn totals(rows: &[Row], devices: &[Device], out: &mut Out) -> Result<(), Failure> {
    let totals = Totals::of(rows);
    let mut parts = vec![out.paint(Tone::Good, &format!("{} exact", totals.exact))];
    let codes: Vec<&str> = totals.refused_by_code.keys().map(String::as_str).collect();
    let refused = format!("{} refused ({})", totals.refused, codes.join(", "));
    let others = [
        (totals.adapted, Tone::Notable, format!("{} adapted", totals.adapted)),
        (totals.refused, Tone::Notable, refused),
        (totals.failed, Tone::Bad, format!("{} failed", totals.failed)),
    ];
    parts.extend(others.into_iter().filter(|(count, ..)| *count > 0).map(|(_, tone, text)| out.paint(tone, &text)));
    let (shaders, words, time) = (totals.shaders, totals.words, time(totals.time));
    out.line(&format!(
        "\n{shaders} shaders in {} programs: {}; {words} words in {time}",
        rows.len(),
        parts.join(", ")
    ))?;
    for (index, device) in devices.iter().enumerate() {
        let count = |wanted| decisions(rows, index).filter(|&decision| decision == wanted).count();
        let counts = [Decision::Push, Decision::Set, Decision::Error, Decision::None]
            .map(|decision| (decision, count(decision)));
        let counts = counts.into_iter().filter(|(_, count)| *count > 0);
        let counts: Vec<String> =
            counts.map(|(decision, count)| format!("{count} {}", print::decision_name(decision))).collect();
        out.line(&format!("{}: {}", out.paint(Tone::Strong, &device.label), counts.join(", ")))?;
        for line in device.counters.lines() {
            out.line(&format!("  {}", out.paint(Tone::Dim, &line)))?;
        }
    }
    Ok(())
}

/// Every set's decision on one device.
fn decisions(rows: &[Row], device: usize) -> impl Iterator<Item = Decision> + '_ {
    let sets = rows.iter().filter_map(|row| row.plans.as_ref()).filter_map(move |plans| plans.get(device));
    sets.flatten().map(|set| set.plan.decision)
}

/// Prints the page as JSON: an object a program, and last the totals.
pub fn json(
    rows: &[Row],
    devices: &[Device],
    profile: &str,
    drawn: Option<&Drawn>,
    out: &mut Out,
) -> Result<(), Failure> {
    for row in rows {
        out.json(&json!({
            "schema": 1,
            "pass": row.program.pass,
            "name": row.program.name,
            "stages": row.stages.iter().map(stage_json).collect::<Vec<_>>(),
            "plans": plans_json(row, devices),
            "microseconds": micros(row.time),
        }))?;
    }
    let totals = Totals::of(rows);
    out.json(&json!({
        "schema": 1, "programs": PROGRAMS.len(), "shaders": totals.shaders, "exact": totals.exact,
        "adapted": totals.adapted, "refused": totals.refused, "failed": totals.failed, "words": totals.words,
        "microseconds": micros(totals.time), "refused_by_code": totals.refused_by_code, "profile": profile,
        "picture": drawn.map(Drawn::json),
    }))
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn stage_json(stage: &StageResult) -> Value {
    match &stage.translated {
        Ok(translation) => json!({
            "file": stage.shader.file, "stage": translation.interface.stage.name(),
            "status": status(&translation.notes), "code": null, "words": translation.spirv.len(),
            "notes": notes_json(&translation.notes),
        }),
        Err(failure) => json!({
            "file": stage.shader.file, "stage": null,
            "status": if failure.exit == Exit::Failed { "failed" } else { "refused" },
            "code": failure.code.to_string(), "words": 0, "notes": [],
        }),
    }
}

fn plans_json(row: &Row, devices: &[Device]) -> Value {
    let Some(plans) = &row.plans else { return Value::Null };
    let of = |device: &Device, sets: &Vec<SetPlan>| {
        let sets: Vec<Value> = sets.iter().map(set_json).collect();
        (device.facts.name.clone(), Value::from(sets))
    };
    devices.iter().zip(plans).map(|(device, sets)| of(device, sets)).collect::<Map<_, _>>().into()
}

fn set_json(set: &SetPlan) -> Value {
    json!({
        "set": set.set, "decision": print::decision_name(set.plan.decision),
        "reason": set.plan.reason().map(Reason::name), "explanation": print::explanation(&set.plan),
    })
}
