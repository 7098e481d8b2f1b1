//! `rx facts`: the device presets, and this machine's own device in their form.

use rx_renderer::vk::DeviceFacts;
use serde_json::{Value, json};

use crate::cli::{Context, Outcome};
use crate::codes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::Tone;
use crate::tables;

/// Show what is known of devices
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List the presets
    List {
        /// Print as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print this machine's device as facts, in the form that --facts reads
    Dump {
        /// Which of several devices: its place in Vulkan's list, from 0
        #[arg(long, value_name = "N", default_value_t = 0)]
        device: usize,
        /// Print on one line
        #[arg(long)]
        json: bool,
    },
    /// Print a preset's or a file's facts, in the form that --facts reads
    Show {
        /// A preset's name or a JSON file
        #[arg(value_name = "PRESET|FILE")]
        name: String,
        /// Print on one line
        #[arg(long)]
        json: bool,
    },
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    match &args.verb {
        Verb::List { json } => list(*json, context),
        Verb::Dump { device, json } => dump(*device, *json, context),
        Verb::Show { name, json } => print(&DeviceFacts::open(name)?, *json, context),
    }
}

fn list(as_json: bool, context: &mut Context<'_>) -> Outcome {
    let presets: Vec<DeviceFacts> = DeviceFacts::preset_names().map(DeviceFacts::preset).collect::<Result<_, _>>()?;
    let out = &mut *context.out;
    if as_json {
        let presets: Vec<Value> = presets.iter().map(DeviceFacts::to_json).collect();
        out.json(&json!({ "schema": 1, "presets": presets }))?;
        return Ok(Exit::Done);
    }
    let mut table = tables::table(out, ["preset", "driver", "version", "push descriptors", "source"]);
    for facts in &presets {
        let known = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let cells = [
            tables::cell(Tone::Name, &facts.name),
            tables::cell(Tone::Plain, known(facts.driver_id.map(|id| id.to_string()))),
            tables::cell(Tone::Plain, known(facts.driver_version.map(|version| version.to_string()))),
            tables::number(known(facts.limits.max_push_descriptors.map(|limit| limit.to_string()))),
            tables::cell(Tone::Dim, &facts.source.report),
        ];
        table.add_row(cells);
    }
    out.line(&tables::text(&table))?;
    Ok(Exit::Done)
}

fn dump(device: usize, one_line: bool, context: &mut Context<'_>) -> Outcome {
    let devices = DeviceFacts::live()?;
    let Some(facts) = devices.get(device) else {
        let there: Vec<String> = devices.iter().enumerate().map(|(n, own)| format!("{n} ({})", own.name)).collect();
        let what = format!("there is no device {device}; Vulkan lists {}", there.join(", "));
        return Err(Failure::own(codes::USAGE, what));
    };
    print(facts, one_line, context)
}

fn print(facts: &DeviceFacts, one_line: bool, context: &mut Context<'_>) -> Outcome {
    let facts = facts.to_json();
    if one_line {
        context.out.json(&facts)?;
    } else {
        let text = serde_json::to_string_pretty(&facts).map_err(|error| Failure::internal(error.to_string()))?;
        context.out.line(&text)?;
    }
    Ok(Exit::Done)
}
