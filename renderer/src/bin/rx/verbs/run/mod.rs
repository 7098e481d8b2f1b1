//! `rx run`: executes a Direct3D shader on the CPU and prints what it wrote.
//!
//! Owns arguments and the course of a run. The instructions are executed by the reference interpreter.

mod binding;
mod formats;
mod inputs;
mod show;
mod trace;
mod values;

pub use binding::numbered;

use std::path::PathBuf;

use rx_interpreter::{DEFAULT_STEP_LIMIT, Error, Machine, Outputs};
use rx_renderer::translate::dxbc::opcodes::Opcode;
use rx_renderer::translate::dxbc::program::{Program, ProgramType};
use rx_renderer::translate::dxbc::{Shader, asm};

use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::codes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Kind;
use show::Report;
use trace::Tracer;

/// Thread groups in one dimension: `D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION`.
const MOST_GROUPS: u32 = 65535;

/// Execute a Direct3D shader without a GPU and print what it wrote
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A compute, vertex or pixel shader: a DXBC container, or a program's text
    #[arg(value_name = "SHADER")]
    shader: PathBuf,
    /// Bind a constant buffer: --cb0 f:1,2,3,4; with a space: --cb 0,space1=@file.bin
    #[arg(long, value_name = "REGISTER=VALUES")]
    cb: Vec<String>,
    /// Bind a shader resource view: --srv0 u:1,2,3
    #[arg(long, value_name = "REGISTER=VALUES")]
    srv: Vec<String>,
    /// Bind an unordered access view: --uav0 zero:256
    #[arg(long, value_name = "REGISTER=VALUES")]
    uav: Vec<String>,
    /// Set an input of a vertex or pixel by its semantic or register: TEXCOORD0=0.5,1 or v2=1.0,2.0
    #[arg(long = "input", value_name = "NAME=VALUES")]
    inputs: Vec<String>,
    /// Thread groups of a compute shader: X, X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z")]
    groups: Option<String>,
    /// Print each instruction with its source values and results
    #[arg(long)]
    trace: bool,
    /// Trace only this thread of the dispatch (SV_DispatchThreadID)
    #[arg(long, value_name = "X,Y,Z", requires = "trace")]
    thread: Option<String>,
    /// Write the bytes of an unordered access view to a file after the run: u0=out.bin
    #[arg(long, value_name = "REGISTER=FILE")]
    save: Vec<String>,
    /// Stop after this many instructions
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STEP_LIMIT)]
    steps: u64,
    /// Print as JSON: with --trace one object for each instruction, then the result
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let container = container(args)?;
    let parsed = caught(|| Shader::parse(&container, false)).map_err(Failure::internal)?;
    let shader = parsed.map_err(|error| Failure::from(error).in_file(&args.shader))?;
    execute(args, &shader, context).map_err(|failure| match failure.file {
        Some(_) => failure,
        None => failure.in_file(&args.shader),
    })?;
    Ok(Exit::Done)
}

/// Reads the shader; a text is assembled.
fn container(args: &Args) -> Result<Vec<u8>, Failure> {
    let bytes = std::fs::read(&args.shader).map_err(|error| Failure::read(&args.shader, &error))?;
    let kind = Kind::by_magic(&bytes).or_else(|| Kind::by_extension(&args.shader));
    let made = match kind {
        Some(Kind::Dxbc) => return Ok(bytes),
        Some(other) => Err(Failure::own(codes::RUN_KIND, format!("the input is {}", other.name()))),
        None => assembled(bytes),
    };
    made.map_err(|failure| failure.in_file(&args.shader))
}

fn assembled(bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let text = String::from_utf8(bytes)
        .map_err(|error| Failure::own(codes::NOT_TEXT, format!("byte {}", error.utf8_error().valid_up_to())))?;
    Ok(caught(|| asm::assemble(&text)).map_err(Failure::internal)??)
}

/// Executes the shader and prints what came of it.
fn execute(args: &Args, shader: &Shader<'_>, context: &mut Context<'_>) -> Result<(), Failure> {
    let program = &shader.program;
    if !matches!(program.ty, ProgramType::Compute | ProgramType::Vertex | ProgramType::Pixel) {
        return Err(Failure::own(codes::RUN_STAGE, format!("the input is a {:?} shader", program.ty)));
    }
    let compute = program.ty == ProgramType::Compute;
    for (given, flag, fits) in [
        (args.groups.is_some(), "--groups", compute),
        (args.thread.is_some(), "--thread", compute),
        (!args.inputs.is_empty(), "--input", !compute),
    ] {
        if given && !fits {
            return Err(Failure::own(codes::USAGE, format!("{flag} has no meaning for a {:?} shader", program.ty)));
        }
    }
    let machine = caught(|| Machine::new(shader)).map_err(Failure::internal)?.map_err(failure)?;
    let machine = machine.with_step_limit(args.steps);
    let mut resources = binding::resources(args, &machine)?;
    binding::warn_of_unbound(&machine, &resources, context.out);
    let saves = args.save.iter().map(|text| binding::save(text, &resources)).collect::<Result<Vec<_>, _>>()?;

    let threads = group_size(program);
    let groups = args.groups.as_deref().map_or(Ok([1; 3]), |text| values::three(text, 1, "--groups"))?;
    if let Some(many) = groups.into_iter().find(|n| *n > MOST_GROUPS) {
        return Err(Failure::own(codes::USAGE, format!("--groups: {many} is more than the {MOST_GROUPS} of Direct3D")));
    }
    let only = args.thread.as_deref().map(|text| values::three(text, 0, "--thread")).transpose()?;
    let mut tracer = Tracer::new(shader, context.out, args.trace, args.json, threads, only);
    let outputs = if compute {
        let ran = caught(|| machine.dispatch(&mut resources, groups, &mut tracer));
        ran.map_err(Failure::internal)?.map_err(failure).map(|()| Outputs::default())?
    } else {
        let inputs = inputs::inputs(&args.inputs, shader)?;
        let ran = caught(|| machine.invoke(&inputs, &mut resources, &mut tracer));
        ran.map_err(Failure::internal)?.map_err(failure)?
    };
    let executed = tracer.finish()?;
    for (slot, path) in saves {
        let bytes = binding::bytes_of(&resources, slot);
        std::fs::write(&path, bytes).map_err(|error| Failure::write(&path, &error))?;
    }
    let report =
        Report { file: &args.shader, shader, groups, threads, executed, machine: &machine, resources: &resources };
    if args.json { context.out.json(&report.json(&outputs)) } else { report.text(&outputs, context.out) }
}

/// Threads of a group.
fn group_size(program: &Program) -> [u32; 3] {
    let declaration = program.declarations.iter().find(|declaration| declaration.op == Opcode::DclThreadGroup);
    let sizes = declaration.map_or(&[][..], |declaration| program.extra_of(declaration));
    [0, 1, 2].map(|n| sizes.get(n).copied().unwrap_or(1))
}

/// What stopped the interpreter, as an error of the command.
fn failure(error: Error) -> Failure {
    let code = match &error {
        Error::Stage { .. } => codes::RUN_STAGE,
        Error::Unsupported { .. } => codes::RUN_INSTRUCTION,
        Error::StepLimit { .. } => codes::RUN_STEPS,
        Error::Barrier { .. } => codes::RUN_BARRIER,
        Error::Invalid { .. } | Error::Declaration { .. } => codes::RUN_INVALID,
    };
    let text = error.to_string();
    // The remedy is the code's own.
    let what = text.split_once(": raise the step limit").map_or(text.as_str(), |(what, _)| what);
    Failure::own(code, what)
}
