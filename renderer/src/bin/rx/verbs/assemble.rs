//! `rx assemble`: a program's text to a container.
//!
//! Owns files and the report; the text's form is the translator's (docs/assembly.md).

use std::path::{Path, PathBuf};

use rx_renderer::translate::dxbc::{Shader, asm, disasm};
use serde_json::json;

use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::codes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::Tone;

/// Assemble a Direct3D program's text, as inspect --asm prints it, to a container
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The text
    #[arg(value_name = "IN.asm")]
    input: PathBuf,
    /// The container to write: signatures, code, checksum
    #[arg(short, long, value_name = "OUT.dxbc")]
    output: PathBuf,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let bytes = std::fs::read(&args.input).map_err(|error| Failure::read(&args.input, &error))?;
    let made = assemble(bytes).map_err(|failure| failure.in_file(&args.input))?;
    std::fs::write(&args.output, &made.container).map_err(|error| Failure::write(&args.output, &error))?;
    report(args, &made, context)?;
    Ok(Exit::Done)
}

/// What came of a text.
struct Made {
    container: Vec<u8>,
    /// `ps_5_0`.
    profile: String,
    declarations: usize,
    instructions: usize,
    chunks: Vec<String>,
}

fn assemble(bytes: Vec<u8>) -> Result<Made, Failure> {
    let text = String::from_utf8(bytes)
        .map_err(|error| Failure::own(codes::NOT_TEXT, format!("byte {}", error.utf8_error().valid_up_to())))?;
    let container = caught(|| asm::assemble(&text)).map_err(Failure::internal)??;
    // The assembler has read its own output; this cannot fail but by a fault of rx.
    let shader = Shader::parse(&container, true).map_err(|error| Failure::internal(error.to_string()))?;
    Ok(Made {
        profile: disasm::disassemble(&shader).lines().next().unwrap_or_default().to_owned(),
        declarations: shader.program.declarations.len(),
        instructions: shader.program.instructions.len(),
        chunks: shader.container.chunks.iter().map(|chunk| chunk.fourcc.to_string()).collect(),
        container,
    })
}

fn report(args: &Args, made: &Made, context: &mut Context<'_>) -> Result<(), Failure> {
    let out = &mut *context.out;
    let name = |path: &Path| path.display().to_string();
    if args.json {
        return out.json(&json!({
            "schema": 1, "file": name(&args.input), "output": name(&args.output), "profile": made.profile,
            "bytes": made.container.len(), "chunks": made.chunks, "declarations": made.declarations,
            "instructions": made.instructions,
        }));
    }
    let (input, bytes) = (out.paint(Tone::Name, &name(&args.input)), made.container.len());
    let counts = format!("{} declarations, {} instructions", made.declarations, made.instructions);
    out.line(&format!("{input}: {}, {counts}, {bytes} bytes -> {}", made.profile, name(&args.output)))
}
