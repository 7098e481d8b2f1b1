//! `rx demo`: the scene, drawn to a PNG.

use std::path::PathBuf;

use rx_renderer::vk::{DeviceFacts, Error};
use serde_json::{Value, json};

use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::scene::picture::{self, Picture};
use crate::scene::window::{self, Show};

/// Draw the demo scene to a PNG, or show it in a window
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Show it in a window until that is closed
    #[arg(long, conflicts_with_all = ["png", "json"])]
    window: bool,
    /// The PNG to write
    #[arg(long, value_name = "FILE", default_value = picture::FILE)]
    png: PathBuf,
    /// Width and height of the scene in a window
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = size, requires = "window")]
    size: [u32; 2],
    /// Draw this many whole frames, and keep the last; without it the frame at two seconds alone, and in a window all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Plan the programs as for this device; in place of RX_VK_FACTS
    #[arg(long, value_name = "PRESET|FILE")]
    facts: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// The largest side that `--size` takes: what every Vulkan device has.
const LARGEST: u32 = 4096;

/// Reads `1280x720`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    sides
        .filter(|sides: &[u32; 2]| sides.iter().all(|side| (16..=LARGEST).contains(side)))
        .ok_or_else(|| format!("two numbers from 16 to {LARGEST} with an x between, like 1280x720"))
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let mut config = context.environment.switches.clone();
    if let Some(facts) = &args.facts {
        // A name that nothing has is a wrong command line, not a fault of the device.
        DeviceFacts::open(facts)?;
        config.facts = Some(facts.clone());
    }
    if args.window {
        window::show(&Show { size: args.size, frames: args.frames }, &config, context.out)?;
        return Ok(Exit::Done);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_numbers() {
        assert_eq!(size("320x180"), Ok([320, 180]));
        for text in ["", "320", "320x", "x180", "320x180x1", "0x180", "5000x5000", "-1x5"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
