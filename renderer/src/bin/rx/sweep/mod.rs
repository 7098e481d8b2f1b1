//! `rx sweep`: every shader under some folders, counted, digested, compared with a baseline.
//!
//! Owns the run. The shaders are found in [`collect`], one is translated in [`one`], the baseline stands in
//! [`baseline`], the page for a browser in [`html`]. Results stand in the order of the inputs, whatever the number of
//! threads.

mod baseline;
mod collect;
mod html;
mod one;
mod page;

use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use rx_renderer::translate::Translator;

use crate::cli::{Context, Outcome};
use crate::codes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::profile::{BindingArgs, ProfileArgs, options};
use collect::Found;
use one::{Shader, Status};
use page::Totals;

/// Translate every shader under folders and compare with a baseline
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folders (or single shaders)
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Results to compare with: a line `digest  status  path` a shader
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write the results as the new baseline
    #[arg(long, requires = "baseline")]
    approve: bool,
    /// Threads [default: one a processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Write a page for a browser
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
    /// Print an object a shader and last the totals
    #[arg(long)]
    json: bool,
}

/// Stack of a worker: as much as a main thread has, so that depth is refused and not suffered.
const STACK_BYTES: usize = 8 << 20;

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let profile = args.profile.resolve(&context.environment.switches)?;
    let found = collect::collect(&args.folders)?;
    if found.is_empty() {
        context.out.warn(&Failure::own(codes::EMPTY_SWEEP, "no shader under the folders given").to_string());
    }
    let name = profile.name();
    let translator = Translator::new(options(profile.profile, BindingArgs::default().resolve()?));
    let shaders = translate_all(args, &found, &translator, context)?;
    let totals = Totals::of(&shaders);
    let changes = match &args.baseline {
        Some(path) => Some(baseline::compare(&baseline::read(path, args.approve)?, &shaders)),
        None => None,
    };
    if let (Some(path), true) = (&args.baseline, args.approve) {
        write(path, &baseline::text(&shaders))?;
    }
    let sweep = page::Sweep { shaders: &shaders, totals: &totals, changes: changes.as_deref(), profile: &name };
    if let Some(path) = &args.report {
        write(path, &html::page(&sweep))?;
    }
    match args.json {
        true => page::json(&sweep, context.out)?,
        false => page::print(&sweep, args.approve, context.out)?,
    }
    ended(args, &shaders, changes.as_deref(), context)
}

/// The verb's own end: 1 for a failed shader or an unapproved change.
fn ended(args: &Args, shaders: &[Shader], changes: Option<&[baseline::Change]>, context: &mut Context<'_>) -> Outcome {
    let mut exit = Exit::Done;
    let failed: Vec<&Shader> = shaders.iter().filter(|shader| shader.status == Status::Failed).collect();
    if let Some(first) = failed.first() {
        let what = format!("{} shaders failed, {} first: {}", failed.len(), first.file, first.why);
        context.out.error(&Failure::own(codes::SWEEP_FAILED, what));
        exit = Exit::Failed;
    }
    let changed = changes.map_or(0, <[_]>::len);
    if let (Some(path), true) = (&args.baseline, changed > 0 && !args.approve) {
        let what = format!("{changed} shaders differ");
        context.out.error(&Failure::own(codes::CHANGED, what).in_file(path));
        exit = Exit::Failed;
    }
    Ok(exit)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::write(path, &error))
}

/// Translates all of them on a pool of its own, in order.
fn translate_all(
    args: &Args,
    found: &[Found],
    translator: &Translator,
    context: &Context<'_>,
) -> Result<Vec<Shader>, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, usize::from))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| Failure::internal(format!("no thread pool: {error}")))?;
    let bar = progress(found.len(), context);
    let translate = |found: &Found| {
        let shaders = one::sweep(found, translator);
        bar.inc(1);
        shaders
    };
    let shaders: Vec<Vec<Shader>> = pool.install(|| found.par_iter().map(translate).collect());
    bar.finish_and_clear();
    Ok(shaders.into_iter().flatten().collect())
}

/// A bar on a terminal, nothing elsewhere.
fn progress(count: usize, context: &Context<'_>) -> ProgressBar {
    if !context.out.progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    let template = "  {bar:32.cyan/dim} {pos}/{len}  {per_sec}  {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style.progress_chars("━━─"))
}
