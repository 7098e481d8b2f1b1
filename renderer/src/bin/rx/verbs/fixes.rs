//! `rx fixes`: the known driver faults and what rx does about each.

use comfy_table::ColumnConstraint;
use rx_renderer::vendor_fixes::{FIXES, Fix, VersionRange};
use serde_json::{Value, json};

use super::explain::labelled;
use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::tables;

/// List the known driver faults and their fixes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Say all that is known of each fix
    #[arg(long)]
    long: bool,
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
    let mut table = tables::table(out, ["fix", "acts on", "drivers", "what"]);
    for fix in FIXES {
        let cells = [
            tables::cell(Tone::Name, fix.name),
            tables::cell(Tone::Plain, fix.acts_on.name()),
            tables::cell(Tone::Dim, drivers(fix).replace(", ", "\n")),
            tables::cell(Tone::Plain, what(fix)),
        ];
        table.add_row(cells);
    }
    if let Some(drivers) = table.column_mut(2) {
        drivers.set_constraint(ColumnConstraint::ContentWidth);
    }
    out.line(&tables::text(&table))?;
    for fix in FIXES.iter().filter(|_| args.long) {
        long(fix, out)?;
    }
    Ok(Exit::Done)
}

/// What it is, and in which versions where not in all.
fn what(fix: &Fix) -> String {
    match fix.versions {
        VersionRange { from: None, before: None } => fix.title.to_owned(),
        range => format!("{} Versions: {}.", fix.title, versions(&range)),
    }
}

/// All that is known of one fix.
fn long(fix: &Fix, out: &mut Out) -> Result<(), Failure> {
    out.line(&format!("\n{}", out.paint(Tone::Name, fix.name)))?;
    let (drivers, versions, chips) = (drivers(fix), versions(&fix.versions), chips(fix));
    let rows = [
        ("what", fix.title),
        ("switch", fix.switch),
        ("acts on", fix.acts_on.name()),
        ("drivers", &drivers),
        ("versions", &versions),
        ("chips", &chips),
        ("default", fix.default_on.name()),
        ("symptom", fix.symptom),
        ("rx does", fix.action),
        ("source", fix.source),
        ("test", fix.test),
    ];
    rows.into_iter().try_for_each(|(name, text)| labelled(out, name, text))
}

fn chips(fix: &Fix) -> String {
    match fix.chip.names() {
        [] => fix.chip.name().to_owned(),
        names => names.join(", "),
    }
}

fn drivers(fix: &Fix) -> String {
    fix.drivers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn json(fix: &Fix) -> Value {
    let drivers: Vec<Value> = fix.drivers.iter().map(|id| json!({ "id": id.0, "name": id.to_string() })).collect();
    json!({
        "fix": fix.name, "title": fix.title, "switch": fix.switch, "acts_on": fix.acts_on.name(), "drivers": drivers,
        "from_version": fix.versions.from.map(|version| version.to_string()),
        "before_version": fix.versions.before.map(|version| version.to_string()),
        "chips": chips(fix), "default": fix.default_on.name(), "symptom": fix.symptom, "action": fix.action,
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
