//! `rx ledger`: every code of the translator, as a table.

use rx_renderer::translate::ledger::{CODES, RowKind};
use serde_json::{Value, json};

use super::explain::kind_name;
use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::out::Tone;
use crate::tables;

/// List what the translator adapts, refuses and calls malformed
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
        let row = |row: &rx_renderer::translate::ledger::Row| {
            json!({
                "code": row.code.to_string(), "kind": kind_name(row.kind), "title": row.title, "what": row.what,
                "example": row.example, "remedy": row.remedy,
            })
        };
        let rows: Vec<Value> = CODES.iter().map(row).collect();
        out.json(&json!({ "schema": 1, "ledger": rows }))?;
        return Ok(Exit::Done);
    }
    let mut table = tables::table(out, ["code", "kind", "title", "what"]);
    for row in CODES {
        let tone = match row.kind {
            RowKind::Internal | RowKind::Malformed => Tone::Bad,
            RowKind::Refused => Tone::Notable,
            RowKind::Adapted | RowKind::Profile | RowKind::Warning => Tone::Name,
        };
        let cells = [
            tables::cell(Tone::Strong, row.code),
            tables::cell(tone, kind_name(row.kind)),
            tables::cell(Tone::Plain, row.title),
            tables::cell(Tone::Dim, row.what),
        ];
        table.add_row(cells);
    }
    out.line(&tables::text(&table))?;
    Ok(Exit::Done)
}
