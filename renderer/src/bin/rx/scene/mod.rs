//! The main job, `rx` without a verb: the demo scene's shaders translated, its programs planned for three devices, and
//! the scene drawn where there is a Vulkan driver.
//!
//! Owns the run and what it found. The programs stand in [`rx_renderer::scene`], the page in [`page`].

mod page;
pub mod picture;
pub mod window;

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rx_renderer::scene::programs::{PROGRAMS, SceneProgram, Shader};
use rx_renderer::translate::{Options, Translation, Translator};
use rx_renderer::vk::layout::report::PlanCounters;
use rx_renderer::vk::{DeviceFacts, PlanOptions};
use rx_renderer::{SetPlan, TranslatedProgram};

use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::live;
use crate::out::Out;
use crate::profile::NamedProfile;

/// The main job's arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print the main job's results as JSON, a line a program and last the totals
    #[arg(long)]
    json: bool,
    /// Draw this many whole frames, and keep the last; without it the frame at two seconds alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
}

/// The presets that the main job plans for, with a short name for a column's head.
const DEVICES: [(&str, &str); 3] =
    [("M1", "moltenvk-1.4.2-apple7"), ("Intel", "moltenvk-1.4.2-intel-tier1"), ("RADV", "radv")];

/// The head of the column of this machine's own device.
const LIVE: &str = "here";

/// A device to plan for.
struct Device {
    label: String,
    facts: DeviceFacts,
    options: PlanOptions,
    counters: PlanCounters,
}

/// One stage's end.
struct StageResult {
    shader: &'static Shader,
    translated: Result<Translation, Failure>,
}

/// One program's end.
struct Row {
    program: &'static SceneProgram,
    stages: Vec<StageResult>,
    time: Duration,
    /// A plan a device, in their order; none where a stage is not translated.
    plans: Option<Vec<Vec<SetPlan>>>,
}

impl Row {
    /// The first stage that is not translated.
    fn stopped(&self) -> Option<&Failure> {
        self.stages.iter().find_map(|stage| stage.translated.as_ref().err())
    }
}

/// Runs the main job. What rx does not take is shown and ends nothing; a fault of rx ends in 1.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let devices = devices(context)?;
    let profile = NamedProfile::new(None, &context.environment.switches);
    let translator = Translator::new(Options { profile: profile.profile, ..Options::default() });
    let bar = bar(context.out, PROGRAMS.len() as u64);
    let mut rows = Vec::with_capacity(PROGRAMS.len());
    for program in PROGRAMS {
        bar.set_message(format!("{} {}", program.pass, program.name));
        rows.push(row(program, &translator, &devices));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let faults = rows.iter().filter_map(Row::stopped).filter(|failure| failure.exit == Exit::Failed).count();
    let picture = picture::in_folder(std::path::Path::new(""), args.frames);
    if args.json {
        let drawn = picture::draw(&picture, &context.environment.switches, context.out)?;
        page::json(&rows, &devices, &profile.name(), drawn.as_ref(), context.out)?;
    } else {
        // The table comes first: a software driver takes its time.
        page::print(&rows, &devices, &profile.name(), context.out)?;
        context.out.flush()?;
        match picture::draw(&picture, &context.environment.switches, context.out)? {
            Some(drawn) => drawn.print(context.out)?,
            None => page::no_driver(context.out)?,
        }
    }
    Ok(if faults == 0 { Exit::Done } else { Exit::Failed })
}

/// The presets, and before them the device that `RX_VK_FACTS` names, else this machine's own where there is one.
fn devices(context: &Context<'_>) -> Result<Vec<Device>, Failure> {
    let switches = &context.environment.switches;
    let own = match &switches.facts {
        Some(name) => Some((name.clone(), DeviceFacts::open(name)?)),
        None => live::first().ok().map(|facts| (LIVE.to_owned(), facts)),
    };
    let preset = |(label, preset): (&str, &str)| Ok((label.to_owned(), DeviceFacts::preset(preset)?));
    let presets: Vec<(String, DeviceFacts)> =
        DEVICES.into_iter().map(preset).collect::<Result<_, rx_renderer::vk::Error>>()?;
    let device = |(label, facts): (String, DeviceFacts)| {
        let options = PlanOptions::new(&facts, switches);
        Device { label, facts, options, counters: PlanCounters::new() }
    };
    Ok(own.into_iter().chain(presets).map(device).collect())
}

/// A bar on a terminal, nothing elsewhere.
fn bar(out: &Out, length: u64) -> ProgressBar {
    if !out.progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    let template = "  {bar:32.cyan/dim} {pos}/{len}  {msg}";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style.progress_chars("━━─"))
}

/// Translates and plans one program. Where a stage is not translated, the others are tried alone.
fn row(program: &'static SceneProgram, translator: &Translator, devices: &[Device]) -> Row {
    let begun = Instant::now();
    let sources = program.stages.iter().map(Shader::stage_source);
    let translated = caught(|| TranslatedProgram::translate(program.name, sources, translator.options()));
    let time = begun.elapsed();
    let Ok(Ok(translated)) = translated else {
        let stages = program.stages.iter().map(|shader| alone(shader, translator)).collect();
        return Row { program, stages, time, plans: None };
    };
    let translated = translated.with_vertex_input(program.streams.into());
    let plans: Result<Vec<_>, _> = devices.iter().map(|device| plan(&translated, device)).collect();
    let stages = program.stages.iter().zip(translated.stages());
    let stages = stages.map(|(shader, stage)| StageResult { shader, translated: Ok(stage.clone()) }).collect();
    Row { program, stages, time, plans: plans.ok() }
}

fn plan(program: &TranslatedProgram, device: &Device) -> Result<Vec<SetPlan>, Failure> {
    let sets = program.plan(&device.facts, &device.options)?;
    sets.iter().for_each(|set| device.counters.record(&set.plan));
    Ok(sets)
}

fn alone(shader: &'static Shader, translator: &Translator) -> StageResult {
    let entry = shader.entry.map(str::to_owned);
    let translator = Translator::new(Options { entry, ..translator.options().clone() });
    let translated = caught(|| translator.translate(shader.source())).map_err(Failure::internal);
    StageResult { shader, translated: translated.and_then(|result| result.map_err(Failure::from)) }
}
