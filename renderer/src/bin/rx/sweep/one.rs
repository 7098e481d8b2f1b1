//! One shader of a sweep: translated, checked, measured, digested.
//!
//! Owns what counts as failed: a panic, and a module that rx wrote and that is not well formed.

use std::time::Instant;

use rx_renderer::translate::dxbc::{effect, embedded};
use rx_renderer::translate::{Error, Note, Options, Translation, Translator, ledger, spirv_in};

use super::collect::Found;
use crate::caught::caught;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, Kind, Said};
use crate::reflection::digest;

/// What became of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Translated without a difference.
    Exact,
    /// Translated with differences, which its notes name.
    Adapted,
    /// Refused.
    Refused,
    /// The input is malformed.
    Malformed,
    /// rx's fault.
    Failed,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Status; 5] = [Status::Exact, Status::Adapted, Status::Refused, Status::Malformed, Status::Failed];

    /// Its name in JSON and in baselines.
    pub fn name(self) -> &'static str {
        match self {
            Status::Exact => "exact",
            Status::Adapted => "adapted",
            Status::Refused => "refused",
            Status::Malformed => "malformed",
            Status::Failed => "failed",
        }
    }

    /// The status of a name.
    pub fn from_name(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// A shader's result.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Its name in results.
    pub file: String,
    /// What became of it.
    pub status: Status,
    /// Code of an error.
    pub code: Option<String>,
    /// Where and what, of an error.
    pub why: String,
    /// Differences, and warnings about the input.
    pub notes: Vec<Note>,
    /// Words of the module.
    pub words: usize,
    /// Microseconds that the translation took.
    pub microseconds: u64,
    /// Digest of the module.
    pub blake3: Option<String>,
}

/// Translates one file: a shader; each of a module's entry points, as `file#entry`; each shader of an effect, as
/// `file#technique.pass.stage`. Never panics, whatever the translator does.
pub fn sweep(found: &Found, translator: &Translator) -> Vec<Shader> {
    let input = match Input::read(&found.path, Said::default()) {
        Ok(input) => input,
        Err(failure) => return vec![stopped(&found.name, &failure, 0)],
    };
    if input.kind == Kind::Dxbc && effect::is_effect(input.bytes()) {
        return inside(&found.name, &input, translator);
    }
    let whole = entry(&found.name, &input, translator);
    if whole.code != Some(ledger::ENTRY_AMBIGUOUS.to_string()) {
        return vec![whole];
    }
    let names = input.entry_points();
    let one = |name: &String| {
        let options = Options { entry: Some(name.clone()), ..translator.options().clone() };
        entry(&format!("{}#{name}", found.name), &input, &Translator::new(options))
    };
    if names.is_empty() { vec![whole] } else { names.iter().map(one).collect() }
}

/// Translates every shader of an effect. One without shaders has no results.
fn inside(name: &str, input: &Input, translator: &Translator) -> Vec<Shader> {
    let read = caught(|| embedded::shaders(input.bytes())).unwrap_or_else(|words| Err(Error::internal(words)));
    let shaders = match read {
        Ok((_, shaders)) => shaders,
        Err(error) => return vec![stopped(name, &Failure::from(error), 0)],
    };
    let one = |shader: &embedded::EmbeddedShader<'_>| {
        entry(&format!("{name}#{}", shader.name()), &Input::embedded(&input.path, shader), translator)
    };
    shaders.iter().map(one).collect()
}

/// Translates one entry point.
fn entry(file: &str, input: &Input, translator: &Translator) -> Shader {
    let source = match input.source() {
        Ok(source) => source,
        Err(failure) => return stopped(file, &failure, 0),
    };
    let begun = Instant::now();
    let translated = caught(|| translator.translate(source));
    let microseconds = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
    let translated = translated.unwrap_or_else(|words| Err(Error::internal(words)));
    match translated.and_then(|translation| checked(input.kind, translation)) {
        Ok(mut translation) => {
            translation.note_checksum(source);
            done(file, &translation, microseconds)
        }
        Err(error) => stopped(file, &Failure::from(error), microseconds),
    }
}

fn done(file: &str, translation: &Translation, microseconds: u64) -> Shader {
    Shader {
        file: file.to_owned(),
        status: if translation.is_exact() { Status::Exact } else { Status::Adapted },
        code: None,
        why: String::new(),
        notes: translation.notes.clone(),
        words: translation.spirv.len(),
        microseconds,
        blake3: Some(digest(&translation.spirv)),
    }
}

fn stopped(file: &str, failure: &Failure, microseconds: u64) -> Shader {
    let place = if failure.place.is_empty() { String::new() } else { format!("{}: ", failure.place) };
    Shader {
        file: file.to_owned(),
        status: match failure.exit {
            Exit::Malformed => Status::Malformed,
            // GLSL of an unknown stage is not taken; it is neither malformed nor rx's fault.
            Exit::Refused | Exit::Usage => Status::Refused,
            _ => Status::Failed,
        },
        code: Some(failure.code.to_string()),
        why: format!("{place}{}", failure.what),
        notes: Vec::new(),
        words: 0,
        microseconds,
        blake3: None,
    }
}

/// Holds what rx wrote to SPIR-V's structure, by rx's own reader and by one that is not rx's. What was brought as
/// SPIR-V has been read already.
fn checked(kind: Kind, translation: Translation) -> Result<Translation, Error> {
    if kind == Kind::Spirv {
        return Ok(translation);
    }
    let entry = Some(translation.interface.entry_point.as_str());
    let words = &translation.spirv;
    let check = || match spirv_in::read_interface(words, entry) {
        Err(error) => Err(format!("the module written is not read back: {}: {}", error.place, error.what)),
        Ok(_) => rspirv::dr::load_words(words).map(|_| ()).map_err(|error| format!("the module written: {error}")),
    };
    match caught(check).unwrap_or_else(Err) {
        Ok(()) => Ok(translation),
        Err(what) => Err(Error::internal(what)),
    }
}
