//! `rx translate`: any input to SPIR-V, and what else is asked of it.
//!
//! Owns where outputs go. Each input is tried, whatever happened to those before.

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
use crate::input::{Input, Kind, Said, StageName};
use crate::out::{Out, Tone};
use crate::profile::{BindingArgs, ProfileArgs, options};
use crate::reflection::{reflection, status};

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
        ..options(profile.profile, args.bindings.resolve()?)
    };
    let places = places(args, &emits)?;
    let quiet = args.json || places.values().flatten().any(|place| *place == Place::Stdout);
    let translator = Translator::new(options);
    if !quiet && context.out.terminal() {
        let profile = format!("profile {}", profile.name());
        context.out.line(&context.out.paint(Tone::Dim, &profile))?;
    }
    let mut worst = Exit::Done;
    for (index, path) in args.inputs.iter().enumerate() {
        let places = places.get(&index).map_or(&[][..], Vec::as_slice);
        match one(args, path, &translator, emits.iter().copied().zip(places), context.out) {
            Ok((input, translation)) => report(args, quiet, &input, &translation, places, context.out)?,
            Err(failure) => {
                if args.json {
                    context.out.json(&failure_json(path, &failure))?;
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
    path: &Path,
    translator: &Translator,
    emits: impl Iterator<Item = (Emit, &'a Place)>,
    out: &mut Out,
) -> Result<(Input, Translation), Failure> {
    let input = Input::read(path, Said { kind: args.source, stage: args.stage })?;
    let translation = translate(&input, translator)?;
    for (emit, place) in emits {
        let bytes = emit.bytes(&input, translator, &translation).map_err(|failure| failure.in_file(path))?;
        match place {
            Place::Stdout if emit == Emit::Json && args.inputs.len() > 1 => {
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
    translated.map_err(|error| Failure::from(error).in_file(&input.path))
}

fn internal(words: String) -> rx_renderer::translate::Error {
    rx_renderer::translate::Error::internal(words)
}

/// The place of every output, by input. Makes the folder, and refuses two outputs of one name.
fn places(args: &Args, emits: &[Emit]) -> Result<BTreeMap<usize, Vec<Place>>, Failure> {
    let folder = match &args.output {
        None => {
            let text_only = !args.json && emits.iter().all(|emit| emit.is_text());
            if text_only && emits.len() == 1 {
                return Ok((0..args.inputs.len()).map(|index| (index, vec![Place::Stdout])).collect());
            }
            PathBuf::new()
        }
        Some(path) => {
            if args.inputs.len() == 1 && emits.len() == 1 && !names_folder(path) {
                return Ok(BTreeMap::from([(0, vec![Place::File(path.clone())])]));
            }
            if path.is_file() {
                return Err(Failure::own(codes::MANY_OUTPUTS, "is a file, and a folder is wanted").in_file(path));
            }
            std::fs::create_dir_all(path).map_err(|error| Failure::write(path, &error))?;
            path.clone()
        }
    };
    in_folder(&args.inputs, emits, &folder)
}

fn names_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\'])
}

fn in_folder(inputs: &[PathBuf], emits: &[Emit], folder: &Path) -> Result<BTreeMap<usize, Vec<Place>>, Failure> {
    let mut stems: BTreeMap<&std::ffi::OsStr, &Path> = BTreeMap::new();
    let mut places = BTreeMap::new();
    for (index, input) in inputs.iter().enumerate() {
        let stem = input.file_stem().unwrap_or(input.as_os_str());
        if let Some(other) = stems.insert(stem, input).filter(|_| !emits.is_empty()) {
            let what = format!("its outputs would have the names of those of {}", other.display());
            return Err(Failure::own(codes::SAME_OUTPUT, what).in_file(input));
        }
        let file = |emit: &Emit| {
            let mut name = stem.to_owned();
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
    input: &Input,
    translation: &Translation,
    places: &[Place],
    out: &mut Out,
) -> Result<(), Failure> {
    if args.json {
        let mut json = reflection(input.kind, translation);
        if let Some(object) = json.as_object_mut() {
            object.insert("file".to_owned(), json!(input.path.display().to_string()));
        }
        return out.json(&json);
    }
    if quiet {
        return Ok(());
    }
    let status = status(&translation.notes);
    let tone = if translation.notes.is_empty() { Tone::Good } else { Tone::Notable };
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
        out.line(&format!("  {}: {title} ({} places)", out.paint(Tone::Notable, &note.code.to_string()), note.count))?;
    }
    Ok(())
}

fn failure_json(path: &Path, failure: &Failure) -> Value {
    let status = match failure.exit {
        Exit::Malformed => "malformed",
        Exit::Refused => "refused",
        _ => "failed",
    };
    json!({
        "schema": 1,
        "status": status,
        "code": failure.code.to_string(),
        "place": failure.place,
        "what": failure.what,
        "remedy": failure.remedy,
        "file": path.display().to_string(),
    })
}
