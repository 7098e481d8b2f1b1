//! `rx plan`: what a program's descriptor set is on a device, with the arithmetic.
//!
//! Owns whence the programs and the devices come. The decision is the planner's; how it is shown stands in [`show`] and, for
//! two devices, in [`diff`].

mod diff;
mod show;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rx_renderer::translate::Profile;
use rx_renderer::vk::layout::{Budget, LayoutPlan, ProgramFile};
use rx_renderer::vk::{DeviceFacts, PlanOptions, ProgramInterface, plan};
use rx_renderer::{StageSource, TranslatedProgram};

use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::codes;
use crate::failure::Failure;
use crate::input::{Input, Kind, Said, StageName};
use crate::live;
use crate::profile::{BindingArgs, NamedProfile, options};

/// Plan a program's descriptor sets for a device
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs as JSON, or the shaders of one program, a stage each
    #[arg(required = true, value_name = "PROGRAM.json|SHADER")]
    inputs: Vec<PathBuf>,
    /// Device to plan for: a preset's name or a JSON file
    #[arg(long, value_name = "PRESET|FILE", conflicts_with = "diff")]
    facts: Option<String>,
    /// Compare the plans for two devices: presets, files, or `live` for this machine's own
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    diff: Option<Vec<String>>,
    /// Which arithmetic decides [default: worst]
    #[arg(long, value_enum)]
    budget: Option<BudgetName>,
    /// Entry point of a WGSL or SPIR-V shader; given several times: one a shader, in order
    #[arg(long, value_name = "NAME")]
    entry: Vec<String>,
    /// Stage of GLSL
    #[arg(long, value_enum)]
    stage: Option<StageName>,
    /// Kind of shaders that neither their bytes nor their extension tell
    #[arg(long, value_enum, value_name = "KIND")]
    source: Option<Kind>,
    /// Print the answer as JSON, a line a set
    #[arg(long)]
    json: bool,
}

/// Which arithmetic decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BudgetName {
    /// What holds on any Mac and any MoltenVK
    Worst,
    /// What is known of this device and program
    Exact,
}

impl From<BudgetName> for Budget {
    fn from(name: BudgetName) -> Budget {
        match name {
            BudgetName::Worst => Budget::Worst,
            BudgetName::Exact => Budget::Exact,
        }
    }
}

/// One set of a program and how it was planned.
struct Planned {
    program: ProgramInterface,
    /// The program's file.
    file: Option<PathBuf>,
    /// The set, where the program has several.
    set: Option<u32>,
    facts: DeviceFacts,
    options: PlanOptions,
    plan: LayoutPlan,
}

impl Planned {
    /// The program's name, with the set's number where there are several.
    fn name(&self) -> String {
        match (self.program.name(), self.set) {
            ("", None) => "program".to_owned(),
            (name, None) => name.to_owned(),
            (name, Some(set)) => format!("{name} set {set}"),
        }
    }

    /// The error's line, where the plan is one.
    fn failure(&self) -> Option<Failure> {
        let failure = Failure::from(self.plan.error(&self.program)?);
        Some(match &self.file {
            Some(path) => failure.in_file(path),
            None => failure,
        })
    }
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let is_program: Vec<bool> = args.inputs.iter().map(|path| is_program(path)).collect();
    let shaders = is_program.iter().all(|&program| !program);
    if !shaders && is_program.contains(&false) {
        return Err(Failure::own(codes::USAGE, "programs as JSON and shaders are not planned together"));
    }
    match args.diff.as_deref() {
        Some([a, b]) => {
            let devices = [a, b].map(|name| named(name));
            let [a, b] = devices;
            diff::run(args, shaders, &[a?, b?], context)
        }
        _ => show::run(args, shaders, context),
    }
}

/// The device of a name on the command line.
fn named(name: &str) -> Result<DeviceFacts, Failure> {
    if name == "live" { Ok(live::first()?) } else { Ok(DeviceFacts::open(name)?) }
}

/// Whether a file is a program: by its extension, else by the brace that JSON begins with.
fn is_program(path: &Path) -> bool {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return true;
    }
    let shader = Kind::by_extension(path).is_some();
    let first = |bytes: Vec<u8>| bytes.into_iter().find(|byte| !byte.is_ascii_whitespace());
    !shader && std::fs::read(path).ok().and_then(first) == Some(b'{')
}

/// A program's file, read. Warns of what is not understood.
fn read_program(path: &Path, context: &mut Context<'_>) -> Result<ProgramFile, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::read(path, &error))?;
    let in_file = |failure: Failure| failure.in_file(path);
    let text = String::from_utf8(bytes).map_err(|error| in_file(Failure::own(codes::NOT_TEXT, error.to_string())))?;
    let file = ProgramFile::parse(&text).map_err(|error| in_file(error.into()))?;
    for warning in &file.warnings {
        context.out.warn(&format!("{}: {warning}", path.display()));
    }
    Ok(file)
}

/// A program's file planned for the device that is named, else for the one that the file names, else for this machine's.
fn plan_file(
    args: &Args,
    path: &Path,
    file: &ProgramFile,
    named: Option<&DeviceFacts>,
    context: &Context<'_>,
) -> Result<Planned, Failure> {
    let in_file = |failure: Failure| failure.in_file(path);
    let live = match named.is_none() && !file.names_device() {
        true => Some(device(context).map_err(in_file)?),
        false => None,
    };
    let facts = file.device(named, live.as_ref()).map_err(|error| in_file(error.into()))?;
    let options = file.options(&facts, &context.environment.switches, args.budget.map(Budget::from));
    let plan = plan(&file.program, &facts, &options);
    Ok(Planned { program: file.program.clone(), file: Some(path.to_owned()), set: None, facts, options, plan })
}

/// The device where nothing names one: what `RX_VK_FACTS` puts in a live one's place, else the live one.
fn device(context: &Context<'_>) -> Result<DeviceFacts, Failure> {
    match &context.environment.switches.facts {
        Some(name) => Ok(DeviceFacts::open(name)?),
        None => Ok(live::first()?),
    }
}

/// The shaders of one program, translated and planned for a device; and the name of what they were translated for.
fn plan_shaders(args: &Args, facts: &DeviceFacts, context: &Context<'_>) -> Result<(Vec<Planned>, String), Failure> {
    let switches = &context.environment.switches;
    let profile = NamedProfile::new(Some(facts), switches);
    let program = translated(args, profile.profile)?;
    let options = PlanOptions::new(facts, switches);
    let options = PlanOptions { budget: args.budget.map_or(options.budget, Budget::from), ..options };
    let sets = program.plan(facts, &options)?;
    let several = sets.len() > 1;
    let planned = sets.into_iter().map(|set| Planned {
        program: set.program,
        file: None,
        set: several.then_some(set.set),
        facts: facts.clone(),
        options,
        plan: set.plan,
    });
    Ok((planned.collect(), profile.name().to_string()))
}

/// Translates the shaders as one program's stages, for the device's own profile.
fn translated(args: &Args, profile: Profile) -> Result<TranslatedProgram, Failure> {
    if args.entry.len() > 1 && args.entry.len() != args.inputs.len() {
        let what = format!("{} entry points for {} shaders", args.entry.len(), args.inputs.len());
        return Err(Failure::own(codes::USAGE, what));
    }
    let said = Said { kind: args.source, stage: args.stage };
    let inputs: Vec<Input> = args.inputs.iter().map(|path| Input::read(path, said)).collect::<Result<_, _>>()?;
    let entry = |index: usize| args.entry.get(index).or(args.entry.first()).map(String::as_str);
    let stages = inputs.iter().enumerate();
    let stages = stages.map(|(index, input)| Ok(StageSource { source: input.source()?, entry: entry(index) }));
    let stages: Vec<StageSource<'_>> = stages.collect::<Result<_, Failure>>()?;
    let stems = inputs.iter().filter_map(|input| input.path.file_stem()).map(|stem| stem.to_string_lossy());
    let name = stems.collect::<Vec<_>>().join("+");
    let options = options(profile, BindingArgs::default().resolve()?);
    let program = caught(|| TranslatedProgram::translate(&name, stages, &options)).map_err(Failure::internal)?;
    program.map_err(|error| match &error {
        rx_renderer::Error::Stage { index, .. } => {
            let failure = Failure::from(error.clone());
            inputs.get(*index).map_or(failure.clone(), |input| failure.in_file(&input.path))
        }
        _ => error.into(),
    })
}
