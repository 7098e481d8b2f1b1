//! `rx plan`: what a program's descriptor set is on a device, with the arithmetic.
//!
//! Owns whence the program and the device come. The decision is the planner's.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rx_renderer::translate::Profile;
use rx_renderer::vk::layout::{Answer, Budget, Decision, LayoutPlan, ProgramFile, advise, print};
use rx_renderer::vk::{DeviceFacts, PlanOptions, ProgramInterface, plan};
use rx_renderer::{StageSource, TranslatedProgram};
use serde_json::{Value, json};

use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::codes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, Kind, Said, StageName};
use crate::live;
use crate::out::{Out, Tone};
use crate::profile::{BindingArgs, NamedProfile, options};

/// Plan a program's descriptor sets for a device
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs as JSON, or the shaders of one program, a stage each
    #[arg(required = true, value_name = "PROGRAM.json|SHADER")]
    inputs: Vec<PathBuf>,
    /// Device to plan for: a preset's name or a JSON file
    #[arg(long, value_name = "PRESET|FILE")]
    facts: Option<String>,
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

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let is_program: Vec<bool> = args.inputs.iter().map(|path| is_program(path)).collect();
    if is_program.iter().all(|&program| !program) {
        return shaders(args, context);
    }
    if is_program.contains(&false) {
        return Err(Failure::own(codes::USAGE, "programs as JSON and shaders are not planned together"));
    }
    let mut worst = Exit::Done;
    for path in &args.inputs {
        let exit = program_file(args, path, context).unwrap_or_else(|failure| {
            context.out.error(&failure);
            failure.exit
        });
        worst = worst.worse(exit);
    }
    Ok(worst)
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

fn program_file(args: &Args, path: &Path, context: &mut Context<'_>) -> Outcome {
    let bytes = std::fs::read(path).map_err(|error| Failure::read(path, &error))?;
    let in_file = |failure: Failure| failure.in_file(path);
    let text = String::from_utf8(bytes).map_err(|error| in_file(Failure::own(codes::NOT_TEXT, error.to_string())))?;
    let file = ProgramFile::parse(&text).map_err(|error| in_file(error.into()))?;
    for warning in &file.warnings {
        context.out.warn(&format!("{}: {warning}", path.display()));
    }
    let named = args.facts.as_deref().map(DeviceFacts::open).transpose()?;
    let live = match named.is_none() && !file.names_device() {
        true => Some(device(context).map_err(in_file)?),
        false => None,
    };
    let facts = file.device(named.as_ref(), live.as_ref()).map_err(|error| in_file(error.into()))?;
    let options = file.options(&facts, &context.environment.switches, args.budget.map(Budget::from));
    let plan = plan(&file.program, &facts, &options);
    let planned = Planned { program: &file.program, file: Some(path), set: None };
    answer(args, &planned, &facts, &options, &plan, context.out)
}

/// The device where nothing names one: what `RX_VK_FACTS` puts in a live one's place, else the live one.
fn device(context: &Context<'_>) -> Result<DeviceFacts, Failure> {
    match &context.environment.switches.facts {
        Some(name) => Ok(DeviceFacts::open(name)?),
        None => Ok(live::first()?),
    }
}

fn shaders(args: &Args, context: &mut Context<'_>) -> Outcome {
    let facts = match &args.facts {
        Some(name) => DeviceFacts::open(name)?,
        None => device(context)?,
    };
    let switches = &context.environment.switches;
    let profile = NamedProfile::new(Some(&facts), switches);
    let program = translated(args, profile.profile)?;
    let options = PlanOptions::new(&facts, switches);
    let options = PlanOptions { budget: args.budget.map_or(options.budget, Budget::from), ..options };
    let sets = program.plan(&facts, &options)?;
    let mut worst = Exit::Done;
    for set in &sets {
        let number = (sets.len() > 1).then_some(set.set);
        let planned = Planned { program: &set.program, file: None, set: number };
        worst = worst.worse(answer(args, &planned, &facts, &options, &set.plan, context.out)?);
    }
    if !args.json {
        let profile = format!("translated for {}", profile.name());
        context.out.line(&context.out.paint(Tone::Dim, &profile))?;
    }
    Ok(worst)
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

/// What was planned.
struct Planned<'a> {
    program: &'a ProgramInterface,
    /// The program's file.
    file: Option<&'a Path>,
    /// The set, where the program has several.
    set: Option<u32>,
}

/// Prints one plan, and what would have the program pushed. A plan that is an error also has its line.
fn answer(
    args: &Args,
    planned: &Planned<'_>,
    facts: &DeviceFacts,
    options: &PlanOptions,
    plan: &LayoutPlan,
    out: &mut Out,
) -> Outcome {
    let Planned { program, file, set } = *planned;
    if args.json {
        out.json(&with_set(Answer::new(program, facts, plan).to_json(), set))?;
    } else {
        let name = match (program.name(), set) {
            ("", None) => "program".to_owned(),
            (name, None) => name.to_owned(),
            (name, Some(set)) => format!("{name} set {set}"),
        };
        let text = print::table(&name, facts, plan);
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let tone = match plan.decision {
            Decision::Push => Tone::Good,
            Decision::Set => Tone::Notable,
            Decision::None => Tone::Dim,
            Decision::Error => Tone::Bad,
        };
        out.line(&out.paint(tone, first))?;
        out.text(rest)?;
        for advice in advise(program, facts, options) {
            out.line(&format!("  {} {}", out.paint(Tone::Name, "advice"), advice.line()))?;
        }
    }
    match plan.error(program) {
        None => Ok(Exit::Done),
        Some(error) => {
            let failure = Failure::from(error);
            let failure = match file {
                Some(path) => failure.in_file(path),
                None => failure,
            };
            out.error(&failure);
            Ok(failure.exit)
        }
    }
}

/// Of a program with several sets each answer says which it is for.
fn with_set(mut json: Value, set: Option<u32>) -> Value {
    if let (Some(object), Some(set)) = (json.as_object_mut(), set) {
        object.insert("set".to_owned(), json!(set));
    }
    json
}
