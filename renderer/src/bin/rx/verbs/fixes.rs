//! `rx fixes`: the known driver faults and what rx does about each.

use rx_renderer::vendor_fixes::{FIXES, Fix, VersionRange};
use serde_json::{Value, json};

use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::out::Tone;
use crate::tables;

/// List the known driver faults and their fixes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let out = &mut *context.out;
    if args.json {
        let fixes: Vec<Value> = FIXES.iter().map(|fix| json(fix)).collect();
        out.json(&json!({ "schema": 1, "fixes": fixes }))?;
        return Ok(Exit::Done);
    }
    let mut table = tables::table(out, ["fix", "acts on", "drivers", "versions", "default", "symptom", "what rx does"]);
    for fix in FIXES {
        let drivers: Vec<String> = fix.drivers.iter().map(ToString::to_string).collect();
        let cells = [
            tables::cell(Tone::Name, fix.name),
            tables::cell(Tone::Plain, fix.acts_on.name()),
            tables::cell(Tone::Plain, drivers.join(", ")),
            tables::cell(Tone::Plain, versions(&fix.versions)),
            tables::cell(Tone::Plain, fix.default_on.name()),
            tables::cell(Tone::Plain, fix.symptom),
            tables::cell(Tone::Dim, fix.action),
        ];
        table.add_row(cells);
    }
    out.line(&tables::text(&table))?;
    Ok(Exit::Done)
}

fn json(fix: &Fix) -> Value {
    let drivers: Vec<Value> = fix.drivers.iter().map(|id| json!({ "id": id.0, "name": id.to_string() })).collect();
    json!({
        "fix": fix.name, "switch": fix.switch, "acts_on": fix.acts_on.name(), "drivers": drivers,
        "from_version": fix.versions.from.map(|version| version.to_string()),
        "before_version": fix.versions.before.map(|version| version.to_string()),
        "chip": fix.chip.name(), "default": fix.default_on.name(), "symptom": fix.symptom, "action": fix.action,
        "source": fix.source, "test": fix.test,
    })
}

fn versions(range: &VersionRange) -> String {
    match (range.from, range.before) {
        (None, None) => "all".to_owned(),
        (Some(from), None) => format!("from {from} on"),
        (None, Some(before)) => format!("before {before}"),
        (Some(from), Some(before)) => format!("from {from}, before {before}"),
    }
}
