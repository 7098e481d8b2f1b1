//! `rx translate`: any input to SPIR-V, and what else is asked of it.
//!
//! Owns where outputs go. Each input is tried, whatever happened to those before. The shaders inside an input are found
//! in [`inside`].

mod inside;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rx_renderer::translate::{Options, Translation, Translator, ledger};
use serde_json::{Value, json};

use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::codes;
use crate::emit::Emit;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{FrontEnd, Input, Kind, StageName};
use crate::out::{Out, Tone};
use crate::profile::{BindingArgs, ProfileArgs, options};
use crate::reflection::{reflection, status};
use inside::Job;
pub use inside::{about, heading};

/// Translate shaders to SPIR-V
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Shaders: DXBC containers, WGSL, GLSL, SPIR-V modules
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// File (one input, one kind to emit) or folder
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// What to write, separated by commas [default: spv]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KINDS")]
    emit: Vec<Emit>,
    /// Stage of GLSL
    #[arg(long, value_enum)]
    stage: Option<StageName>,
    /// Folder with files that GLSL includes; may be given several times
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    includes: Vec<PathBuf>,
    /// What reads GLSL: naga, or glslang where the command was built with it
    #[arg(long, value_enum, value_name = "FRONT_END", default_value = "naga")]
    glsl: FrontEnd,
    #[command(flatten)]
    bindings: BindingArgs,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Entry point of a WGSL or SPIR-V module
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Kind of inputs that neither their bytes nor their extension tell
    #[arg(long, value_enum, value_name = "KIND")]
    source: Option<Kind>,
    /// Write names from reflection data and signatures
    #[arg(long)]
    names: bool,
    /// Refuse what would be adapted
    #[arg(long)]
    strict: bool,
    /// Translate every shader inside the inputs: those of an effect, and the containers that any other file holds
    #[arg(long)]
    all: bool,
    /// Print the reflection, a line an input, in place of the report
    #[arg(long)]
    json: bool,
}

/// Where one output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Stdout,
    File(PathBuf),
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let emits = args.emits();
    let profile = args.profile.resolve(&context.environment.switches)?;
    let options = Options {
        names: args.names,
        strict: args.strict,
        entry: args.entry.clone(),
        glsl: args.glsl.into(),
        ..options(profile.profile, args.bindings.resolve()?)
    };
    let jobs = inside::jobs(args)?;
    let places = places(args, &emits, &jobs)?;
    let quiet = args.json || places.values().flatten().any(|place| *place == Place::Stdout);
    let translator = Translator::new(options);
    if !quiet && context.out.terminal() {
        let profile = format!("profile {}", profile.name());
        context.out.line(&context.out.paint(Tone::Dim, &profile))?;
    }
    let mut worst = Exit::Done;
    for (index, job) in jobs.iter().enumerate() {
        let places = places.get(&index).map_or(&[][..], Vec::as_slice);
        if let Some(line) = job.heading.as_ref().filter(|_| !quiet) {
            context.out.line(line)?;
        }
        match one(args, job, jobs.len(), &translator, emits.iter().copied().zip(places), context.out) {
            Ok((input, translation)) => report(args, quiet, job, &input, &translation, places, context.out)?,
            Err(failure) => {
                if args.json {
                    context.out.json(&failure_json(job, &failure))?;
                }
                context.out.error(&failure);
                worst = worst.worse(failure.exit);
            }
        }
    }
    Ok(worst)
}

impl Args {
    fn emits(&self) -> Vec<Emit> {
        let mut emits = self.emit.clone();
        if emits.is_empty() && !(self.json && self.output.is_none()) {
            emits.push(Emit::Spv);
        }
        let mut seen = Vec::new();
        emits.retain(|emit| {
            !seen.contains(emit) && {
                seen.push(*emit);
                true
            }
        });
        emits
    }
}

/// Translates one input and writes what is asked for.
fn one<'a>(
    args: &Args,
    job: &Job,
    count: usize,
    translator: &Translator,
    emits: impl Iterator<Item = (Emit, &'a Place)>,
    out: &mut Out,
) -> Result<(Input, Translation), Failure> {
    let input = job.input(args)?.expand(&args.includes)?;
    let translation = translate(&input, translator)?;
    for (emit, place) in emits {
        let bytes = emit.bytes(&input, translator, &translation).map_err(|failure| failure.in_file(&input.path))?;
        match place {
            Place::Stdout if emit == Emit::Json && count > 1 => {
                out.json(&reflection(input.kind, &translation))?;
            }
            Place::Stdout => out.bytes(&bytes)?,
            Place::File(file) => std::fs::write(file, &bytes).map_err(|error| Failure::write(file, &error))?,
        }
    }
    Ok((input, translation))
}

/// Translates one input; a panic is a fault of rx.
pub fn translate(input: &Input, translator: &Translator) -> Result<Translation, Failure> {
    let source = input.source()?;
    let translated = caught(|| translator.translate(source)).unwrap_or_else(|words| Err(internal(words)));
    let mut translation = translated.map_err(|error| Failure::from(error).in_file(&input.path))?;
    translation.note_checksum(source);
    Ok(translation)
}

fn internal(words: String) -> rx_renderer::translate::Error {
    rx_renderer::translate::Error::internal(words)
}

/// The place of every output, by input. Makes the folder, and refuses two outputs of one name.
fn places(args: &Args, emits: &[Emit], jobs: &[Job]) -> Result<BTreeMap<usize, Vec<Place>>, Failure> {
    let folder = match &args.output {
        None => {
            let text_only = !args.json && emits.iter().all(|emit| emit.is_text());
            if text_only && emits.len() == 1 {
                return Ok((0..jobs.len()).map(|index| (index, vec![Place::Stdout])).collect());
            }
            PathBuf::new()
        }
        Some(path) => {
            if args.inputs.len() == 1 && emits.len() == 1 && !args.all && !names_folder(path) {
                return Ok(BTreeMap::from([(0, vec![Place::File(path.clone())])]));
            }
            if path.is_file() {
                return Err(Failure::own(codes::MANY_OUTPUTS, "is a file, and a folder is wanted").in_file(path));
            }
            std::fs::create_dir_all(path).map_err(|error| Failure::write(path, &error))?;
            path.clone()
        }
    };
    in_folder(jobs, emits, &folder)
}

fn names_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\'])
}

fn in_folder(jobs: &[Job], emits: &[Emit], folder: &Path) -> Result<BTreeMap<usize, Vec<Place>>, Failure> {
    let mut stems: BTreeMap<&std::ffi::OsStr, &Path> = BTreeMap::new();
    let mut places = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        if let Some(other) = stems.insert(&job.stem, &job.file).filter(|_| !emits.is_empty()) {
            let what = format!("its outputs would have the names of those of {}", other.display());
            return Err(Failure::own(codes::SAME_OUTPUT, what).in_file(&job.file));
        }
        let file = |emit: &Emit| {
            let mut name = job.stem.clone();
            name.push(format!(".{}", emit.extension()));
            Place::File(folder.join(name))
        };
        places.insert(index, emits.iter().map(file).collect());
    }
    Ok(places)
}

fn report(
    args: &Args,
    quiet: bool,
    job: &Job,
    input: &Input,
    translation: &Translation,
    places: &[Place],
    out: &mut Out,
) -> Result<(), Failure> {
    if args.json {
        let mut json = reflection(input.kind, translation);
        if let Some(object) = json.as_object_mut() {
            object.insert("file".to_owned(), json!(job.file.display().to_string()));
            object.extend(job.inside_json());
        }
        return out.json(&json);
    }
    if quiet {
        return Ok(());
    }
    let status = status(&translation.notes);
    let tone = if translation.is_exact() { Tone::Good } else { Tone::Notable };
    let files = places.iter().filter_map(|place| match place {
        Place::File(file) => Some(file.display().to_string()),
        Place::Stdout => None,
    });
    let files = files.collect::<Vec<_>>().join(", ");
    let (name, status) = (input.path.display().to_string(), out.paint(tone, status));
    let (stage, words) = (translation.interface.stage.name(), translation.spirv.len());
    out.line(&format!("{}: {stage}, {status}, {words} words -> {files}", out.paint(Tone::Name, &name)))?;
    for note in &translation.notes {
        let title = ledger::find(note.code).map_or("", |row| row.title);
        let places = match (note.is_adaptation(), note.count) {
            (false, _) => String::new(),
            (true, 1) => " (1 place)".to_owned(),
            (true, count) => format!(" ({count} places)"),
        };
        out.line(&format!("  {}: {title}{places}", out.paint(Tone::Notable, &note.code.to_string())))?;
    }
    Ok(())
}

fn failure_json(job: &Job, failure: &Failure) -> Value {
    let status = match failure.exit {
        Exit::Malformed => "malformed",
        Exit::Refused => "refused",
        _ => "failed",
    };
    let mut json = json!({
        "schema": 1,
        "status": status,
        "code": failure.code.to_string(),
        "place": failure.place,
        "what": failure.what,
        "remedy": failure.remedy,
        "file": job.file.display().to_string(),
    });
    if let Some(object) = json.as_object_mut() {
        object.extend(job.inside_json());
    }
    json
}
