//! Text to a validated naga module; naga's errors to rx's, with line and column.
//!
//! Owns what naga is allowed to take: see [`capabilities`].

use super::depth;
use super::glsl::{self, Failure};
use crate::error::{Error, Place};
use crate::interface::Stage;
use crate::ledger;
use naga::front::glsl::ErrorKind as GlslErrorKind;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage, SourceLocation};

/// A parsed and validated text.
pub(super) struct Parsed {
    pub module: Module,
    pub info: ModuleInfo,
    pub language: Language,
    /// No operation on floats may be contracted.
    pub precise: bool,
}

/// The language of a text; it decides what group memory begins as and what a point's size is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Wgsl,
    Glsl,
}

/// Parses and validates WGSL.
pub(super) fn wgsl(text: &str) -> Result<Parsed, Error> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| {
        let labels: Vec<String> = error.labels().map(|(_, label)| String::from(label)).collect();
        at(malformed(ledger::WGSL_TEXT, joined(error.message(), &labels)), error.location(text))
    })?;
    validated(module, text, Language::Wgsl).map_err(|(error, at)| match at {
        Some(at) => place(error, text, at),
        None => error,
    })
}

/// Parses and validates GLSL, prepared so that naga takes it for what it means.
pub(super) fn glsl(text: &str, stage: Stage) -> Result<Parsed, Error> {
    let own = match stage {
        Stage::Vertex => ShaderStage::Vertex,
        Stage::Fragment => ShaderStage::Fragment,
        Stage::Compute => ShaderStage::Compute,
        other => {
            let what = format!("a GLSL {} shader; vertex, fragment and compute are taken", other.name());
            return Err(Error::refused(ledger::TEXT_STAGE, what));
        }
    };
    let prepared = match glsl::prepare(text, stage) {
        Ok(prepared) => prepared,
        Err(Failure::Code(code, kind, offset, what)) => {
            return Err(place(Error { code, kind, place: Place::default(), what }, text, offset));
        }
        // What is no GLSL naga says too, with more words.
        Err(Failure::Syntax(offset, what)) => {
            let unread = |what| place(Error::refused(ledger::GLSL_UNREAD, what), text, offset);
            return Err(from_naga(text, own)
                .and_then(|module| validated(module, text, Language::Glsl))
                .map_or_else(|(error, at)| at.map_or(error.clone(), |at| place(error, text, at)), |_| unread(what)));
        }
    };
    depth::check_glsl(&prepared.text).map_err(|mut error| {
        error.place = Place::default();
        error
    })?;
    let parsed = from_naga(&prepared.text, own).and_then(|module| validated(module, &prepared.text, Language::Glsl));
    let mut parsed = parsed.map_err(|(mut error, at)| match at {
        _ if error.code == ledger::TEXT_INVALID && prepared.skewed => {
            let what = format!("naga takes no arrays of small elements in structures whole ({})", error.what);
            error = Error::refused(ledger::GLSL_LAYOUT, what);
            place(error, text, at.map_or(0, |at| prepared.source(at)))
        }
        Some(at) => place(error, text, prepared.source(at)),
        None => error,
    })?;
    parsed.precise = prepared.precise;
    Ok(parsed)
}

/// An error, and the byte of the text that it is about.
type Located = (Error, Option<u32>);

fn from_naga(text: &str, stage: ShaderStage) -> Result<Module, Located> {
    let parsed = naga::front::glsl::Frontend::default().parse(&naga::front::glsl::Options::from(stage), text);
    parsed.map_err(|errors| match errors.errors.first() {
        Some(first) => {
            let error = match first.kind {
                GlslErrorKind::UnsupportedMatrixWithTwoRowsInStd140 { .. } => {
                    let what = "a matrix of two rows in a structure, or in std140";
                    Error::refused(ledger::GLSL_LAYOUT, what)
                }
                GlslErrorKind::NotImplemented(_) => Error::refused(ledger::TEXT_NOT_WRITTEN, first.to_string()),
                _ => malformed(ledger::GLSL_TEXT, first.to_string()),
            };
            (error, first.location(text).map(|location| location.offset))
        }
        None => (malformed(ledger::GLSL_TEXT, String::from("naga gave no reason")), None),
    })
}

/// An error at a byte of a text.
fn place(mut error: Error, text: &str, offset: u32) -> Error {
    let before = text.get(..offset as usize).unwrap_or(text);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    let mut line = number(line);
    // Where files were joined, a line is its own file's.
    if let Some((file, own)) = crate::glsl::origin(text, line) {
        error.what = format!("in `{file}`: {}", error.what);
        line = own;
    }
    error.place.line = Some((line, number(column)));
    error.place.offset = Some(offset);
    error
}

fn validated(module: Module, text: &str, language: Language) -> Result<Parsed, Located> {
    let validated = Validator::new(ValidationFlags::all(), capabilities()).validate(&module);
    match validated {
        Ok(info) => Ok(Parsed { module, info, language, precise: false }),
        Err(error) => {
            let offset = error.location(text).map(|location| location.offset);
            Err((malformed(ledger::TEXT_INVALID, reasons(&error.into_inner())), offset))
        }
    }
}

/// What naga can write and rx's interface can describe. Features that a device may lack are judged by the SPIR-V
/// capabilities of the result, against the profile.
fn capabilities() -> Capabilities {
    let beyond = Capabilities::RAY_QUERY
        | Capabilities::RAY_HIT_VERTEX_POSITION
        | Capabilities::RAY_TRACING_PIPELINE
        | Capabilities::ACCELERATION_STRUCTURE_BINDING_ARRAY
        | Capabilities::MESH_SHADER
        | Capabilities::MESH_SHADER_POINT_TOPOLOGY
        | Capabilities::COOPERATIVE_MATRIX;
    naga::back::spv::supported_capabilities().difference(beyond)
}

fn malformed(code: crate::error::Code, what: String) -> Error {
    Error { code, kind: crate::error::ErrorKind::Malformed, place: Place::default(), what }
}

fn at(mut error: Error, location: Option<SourceLocation>) -> Error {
    if let Some(location) = location {
        error.place.line = Some((location.line_number, location.line_position));
        error.place.offset = Some(location.offset);
    }
    error
}

/// An error and its causes, in one line.
fn reasons(error: &dyn std::error::Error) -> String {
    let mut reasons = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        reasons.push(error.to_string());
        cause = error.source();
    }
    reasons.join(": ")
}

/// A message and what naga wrote beside the places that it points to.
fn joined(message: &str, labels: &[String]) -> String {
    let said = labels.iter().filter(|label| !label.is_empty() && *label != message);
    let said: Vec<&str> = said.map(String::as_str).collect();
    if said.is_empty() { String::from(message) } else { format!("{message} ({})", said.join("; ")) }
}
