//! Text to a validated naga module; naga's errors to rx's, with line and column.
//!
//! Owns what naga is allowed to take: see [`capabilities`].

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
    validated(module, text, Language::Wgsl)
}

/// Parses and validates GLSL.
pub(super) fn glsl(text: &str, stage: Stage) -> Result<Parsed, Error> {
    let stage = match stage {
        Stage::Vertex => ShaderStage::Vertex,
        Stage::Fragment => ShaderStage::Fragment,
        Stage::Compute => ShaderStage::Compute,
        other => {
            let what = format!("a GLSL {} shader; vertex, fragment and compute are taken", other.name());
            return Err(Error::refused(ledger::TEXT_STAGE, what));
        }
    };
    let parsed = naga::front::glsl::Frontend::default().parse(&naga::front::glsl::Options::from(stage), text);
    let module = parsed.map_err(|errors| match errors.errors.first() {
        Some(first) => {
            let error = match first.kind {
                GlslErrorKind::NotImplemented(_) => Error::refused(ledger::TEXT_NOT_WRITTEN, first.to_string()),
                _ => malformed(ledger::GLSL_TEXT, first.to_string()),
            };
            at(error, first.location(text))
        }
        None => malformed(ledger::GLSL_TEXT, String::from("naga gave no reason")),
    })?;
    validated(module, text, Language::Glsl)
}

fn validated(module: Module, text: &str, language: Language) -> Result<Parsed, Error> {
    let validated = Validator::new(ValidationFlags::all(), capabilities()).validate(&module);
    match validated {
        Ok(info) => Ok(Parsed { module, info, language }),
        Err(error) => {
            let place = error.location(text);
            Err(at(malformed(ledger::TEXT_INVALID, reasons(&error.into_inner())), place))
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
