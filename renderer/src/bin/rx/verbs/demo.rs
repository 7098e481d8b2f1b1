//! `rx demo`: the scene, drawn to a PNG.

use std::path::PathBuf;

use rx_renderer::vk::{DeviceFacts, Error};
use serde_json::{Value, json};

use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::scene::picture::{self, Picture};

/// Draw the demo scene to a PNG
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The PNG to write
    #[arg(long, value_name = "FILE", default_value = picture::FILE)]
    png: PathBuf,
    /// Draw this many whole frames, and keep the last; without it the frame at two seconds alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Plan the programs as for this device; in place of RX_VK_FACTS
    #[arg(long, value_name = "PRESET|FILE")]
    facts: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let mut config = context.environment.switches.clone();
    if let Some(facts) = &args.facts {
        // A name that nothing has is a wrong command line, not a fault of the device.
        DeviceFacts::open(facts)?;
        config.facts = Some(facts.clone());
    }
    let picture = Picture { file: args.png.clone(), frames: args.frames };
    let Some(drawn) = picture::draw(&picture, &config, context.out)? else {
        return Err(Error::NoVulkan { why: "the loader finds no device".to_owned() }.into());
    };
    if args.json {
        let mut object = json!({ "schema": 1 });
        if let (Value::Object(object), Value::Object(drawn)) = (&mut object, drawn.json()) {
            object.extend(drawn);
        }
        context.out.json(&object)?;
    } else {
        drawn.print(context.out)?;
    }
    Ok(Exit::Done)
}
