//! `rx doctor`: whether Vulkan works here, and what of it rx can use.
//!
//! Owns the checks. Each is made whatever becomes of the others, and the last one draws.

use rx_renderer::translate::Source;
use rx_renderer::vendor_fixes::{ResolvedFixes, SWITCHES};
use rx_renderer::vk::ash::vk;
use rx_renderer::vk::{Adapter, DeviceRequest, Instance, InstanceOptions, Need};
use rx_renderer::{
    ColorTarget, Cull, GraphicsState, Load, Renderer, RendererOptions, Targets, TextureDesc, VertexInput,
};
use serde_json::{Value, json};

use super::explain::labelled;
use crate::cli::{Context, Outcome};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, Tone};

/// Say whether Vulkan works here, and what of it rx can use
#[derive(Debug, clap::Args)]
pub struct Args {
    /// List what the devices have too, not only what they lack
    #[arg(long)]
    long: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// What was found of one device.
struct Found {
    adapter: Adapter,
    needs: Vec<Need>,
    chosen: bool,
}

impl Found {
    fn lacks(&self, required: bool) -> Vec<&'static str> {
        let absent = self.needs.iter().filter(|need| need.required == required && !need.present);
        absent.map(|need| need.name).collect()
    }

    fn version(&self) -> String {
        let version = self.adapter.api_version();
        let part = |of: fn(u32) -> u32| of(version);
        format!("{}.{}.{}", part(vk::api_version_major), part(vk::api_version_minor), part(vk::api_version_patch))
    }
}

/// What the headless draw came to.
struct Drawn {
    validated: bool,
    messages: Vec<String>,
    right: bool,
    pushed: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let (out, environment) = (&mut *context.out, context.environment);
    let instance = Instance::new(&InstanceOptions { application: "rx doctor".to_owned(), ..Default::default() })?;
    let chosen = instance.adapter(environment.switches.device.as_deref())?.raw();
    let found = |adapter: Adapter| -> Result<Found, rx_renderer::vk::Error> {
        let needs = DeviceRequest::ask(&adapter)?.needs().to_vec();
        Ok(Found { chosen: adapter.raw() == chosen, adapter, needs })
    };
    let devices: Vec<Found> = instance.adapters()?.into_iter().map(found).collect::<Result<_, _>>()?;
    let drawn = draw(environment);
    let right = matches!(&drawn, Ok(drawn) if drawn.right && drawn.messages.is_empty());
    if args.json {
        out.json(&answer(&devices, environment, &drawn))?;
    } else {
        print(args, &devices, environment, &drawn, out)?;
    }
    Ok(if right { Exit::Done } else { Exit::Failed })
}

/// The colour that the draw leaves: one that no clear and no zeroed memory has.
const COLOR: [u8; 4] = [51, 102, 153, 255];

const SHADER: &str = "
@group(0) @binding(0) var<uniform> color: vec4f;
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}
@fragment fn fs() -> @location(0) vec4f { return color; }";

/// Draws one triangle without a window, under the validation layers where they are, and looks at the result.
fn draw(environment: &Environment) -> Result<Drawn, Failure> {
    let options = RendererOptions {
        application: "rx doctor".to_owned(),
        config: environment.switches.clone(),
        validation: true,
        ..RendererOptions::default()
    };
    let mut renderer = Renderer::headless(&options)?;
    let stages = [("vs", Source::Wgsl(SHADER)), ("fs", Source::Wgsl(SHADER))];
    let program = renderer.program("doctor", stages, VertexInput::None)?;
    let format = vk::Format::R8G8B8A8_UNORM;
    let state = GraphicsState { cull: Cull::None, ..GraphicsState::default() };
    let pipeline = renderer.graphics(&program, &state.with_target(format))?;
    let target = renderer.texture(&TextureDesc::d2("doctor", format, 8, 8))?;
    let mut frame = renderer.begin_frame()?;
    let colors = [Some(ColorTarget { view: target.whole(), load: Load::Clear([0.0; 4]) })];
    let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() })?;
    pass.pipeline(&pipeline)?;
    let color: Vec<u8> = COLOR.iter().flat_map(|&part| (f32::from(part) / 255.0).to_ne_bytes()).collect();
    pass.constants("color", &color)?;
    pass.draw(0..3, 0..1)?;
    pass.end()?;
    frame.submit()?;
    let texels = renderer.read_texture(target.whole())?;
    Ok(Drawn {
        validated: renderer.device().instance().is_validated(),
        messages: renderer.take_messages(),
        right: texels.chunks_exact(4).all(|texel| texel == COLOR),
        pushed: program.is_pushed(),
    })
}

fn print(
    args: &Args,
    devices: &[Found],
    environment: &Environment,
    drawn: &Result<Drawn, Failure>,
    out: &mut Out,
) -> Result<(), Failure> {
    for (number, found) in devices.iter().enumerate() {
        let facts = &found.adapter.facts;
        let chosen = if found.chosen { out.paint(Tone::Good, "  (taken)") } else { String::new() };
        out.line(&format!("{number} {}{chosen}", out.paint(Tone::Name, &facts.name)))?;
        let driver = facts.driver_id.and_then(|id| id.name()).unwrap_or("not known");
        let version = facts.driver_version.map_or_else(String::new, |version| format!(" {version}"));
        labelled(out, "driver", &format!("{driver}{version}, Vulkan {}", found.version()))?;
        let required = found.lacks(true);
        if !required.is_empty() {
            labelled(out, "lacks", &format!("{}: rx does not run on it", required.join(", ")))?;
        }
        let optional = found.lacks(false);
        let text = if optional.is_empty() { "nothing that rx uses".to_owned() } else { optional.join(", ") };
        labelled(out, "without", &text)?;
        if args.long {
            for need in found.needs.iter().filter(|need| need.present) {
                labelled(out, "has", &format!("{}: {}", need.name, need.what_for))?;
            }
        }
        let fixes = ResolvedFixes::of(&facts.identity(), &environment.switches);
        labelled(out, "fixes", &fixes.line())?;
    }
    let set: Vec<String> = SWITCHES
        .iter()
        .filter_map(|switch| environment.switch(switch.name).map(|value| format!("{}={value}", switch.name)))
        .collect();
    out.line(&out.paint(Tone::Strong, "here"))?;
    labelled(out, "switches", &if set.is_empty() { "none is set".to_owned() } else { set.join(" ") })?;
    let (tone, text) = match drawn {
        Ok(drawn) => said(drawn),
        Err(failure) => (Tone::Bad, failure.to_string()),
    };
    labelled(out, "draws", &out.paint(tone, &text))
}

fn said(drawn: &Drawn) -> (Tone, String) {
    let way = if drawn.pushed { "pushed" } else { "through a set" };
    let layers = if drawn.validated { "the validation layers silent" } else { "without the validation layers" };
    match (drawn.right, drawn.messages.first()) {
        (true, None) => (Tone::Good, format!("as it should, {way}, {layers}")),
        (true, Some(message)) => (Tone::Bad, format!("as it should, and the validation layers say: {message}")),
        (false, _) => (Tone::Bad, format!("wrong colours, {way}")),
    }
}

fn answer(devices: &[Found], environment: &Environment, drawn: &Result<Drawn, Failure>) -> Value {
    let device = |found: &Found| {
        let facts = &found.adapter.facts;
        let fixes = ResolvedFixes::of(&facts.identity(), &environment.switches);
        json!({
            "name": facts.name, "taken": found.chosen, "vulkan": found.version(),
            "driver_id": facts.driver_id.map(|id| id.0), "driver_version": facts.driver_version.map(|v| v.to_string()),
            "lacks_required": found.lacks(true), "lacks": found.lacks(false), "fixes": fixes.line(),
        })
    };
    let draw = match drawn {
        Ok(drawn) => json!({
            "right": drawn.right, "pushed": drawn.pushed, "validated": drawn.validated, "messages": drawn.messages,
        }),
        Err(failure) => json!({ "error": failure.to_string() }),
    };
    let devices: Vec<Value> = devices.iter().map(device).collect();
    json!({ "schema": 1, "devices": devices, "switches": environment.given, "draw": draw })
}
