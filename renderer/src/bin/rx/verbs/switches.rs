//! `rx switches`: the environment variables that a host reads, and what they are set to.

use rx_renderer::vendor_fixes::{SWITCHES, Switch};
use serde_json::{Value, json};

use super::explain::wrapped;
use crate::cli::{Context, Outcome};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::out::Tone;
use crate::tables;

/// List the switches and what they are set to
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Say more of each switch
    #[arg(long)]
    long: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let (out, environment) = (&mut *context.out, context.environment);
    if args.json {
        let switches: Vec<Value> = SWITCHES.iter().map(|switch| json(switch, environment)).collect();
        out.json(&json!({ "schema": 1, "switches": switches }))?;
        return Ok(Exit::Done);
    }
    let mut table = tables::table(out, ["switch", "takes", "set to", "what it does"]);
    for switch in SWITCHES {
        let set = environment.switch(switch.name);
        let cells = [
            tables::cell(Tone::Name, switch.name),
            tables::cell(Tone::Plain, switch.accepted.replace('`', "")),
            set.map_or(tables::cell(Tone::Dim, "-"), |value| tables::cell(Tone::Notable, value)),
            tables::cell(Tone::Plain, switch.short),
        ];
        table.add_row(cells);
    }
    out.line(&tables::text(&table))?;
    for switch in SWITCHES.iter().filter(|_| args.long) {
        out.line(&format!("\n{}", out.paint(Tone::Name, switch.name)))?;
        let width = usize::from(out.columns().unwrap_or(u16::MAX)).saturating_sub(2);
        for line in wrapped(&switch.long.replace('`', ""), width) {
            out.line(&format!("  {line}"))?;
        }
    }
    Ok(Exit::Done)
}

fn json(switch: &Switch, environment: &Environment) -> Value {
    json!({
        "switch": switch.name, "accepted": switch.accepted, "short": switch.short, "long": switch.long,
        "set_to": environment.switch(switch.name),
    })
}
