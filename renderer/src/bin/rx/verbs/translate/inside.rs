//! What there is to translate: the inputs themselves, or with `--all` the shaders inside them.
//!
//! Owns the names of the outputs: the input's stem, then the shader's name within it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rx_renderer::translate::Error;
use rx_renderer::translate::dxbc::embedded::{self, EmbeddedShader, Found};
use serde_json::{Map, Value, json};

use super::Args;
use crate::caught::caught;
use crate::failure::Failure;
use crate::input::{Input, Kind, Said};

/// One shader to translate.
pub struct Job {
    /// The file that it is in.
    pub file: PathBuf,
    /// First part of its outputs' names.
    pub stem: OsString,
    /// A line about the file, before its first shader.
    pub heading: Option<String>,
    shader: Shader,
}

enum Shader {
    /// The file itself, which is read when its turn comes.
    File,
    /// Inside the file.
    Inside { input: Input, about: Map<String, Value> },
    /// The file has none.
    None(Failure),
}

impl Job {
    /// The shader, read.
    pub fn input(&self, args: &Args) -> Result<Input, Failure> {
        match &self.shader {
            Shader::File => Input::read(&self.file, Said { kind: args.source, stage: args.stage }),
            Shader::Inside { input, .. } => Ok(input.clone()),
            Shader::None(failure) => Err(failure.clone()),
        }
    }

    /// What JSON says of a shader inside a file, and nothing for the file itself.
    pub fn inside_json(&self) -> Map<String, Value> {
        match &self.shader {
            Shader::Inside { about, .. } => about.clone(),
            Shader::File | Shader::None(_) => Map::new(),
        }
    }
}

/// The shaders to translate, in the order of the inputs.
pub fn jobs(args: &Args) -> Result<Vec<Job>, Failure> {
    let own = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_owned();
        Job { file: path.clone(), stem, heading: None, shader: Shader::File }
    };
    if !args.all {
        return Ok(args.inputs.iter().map(own).collect());
    }
    let mut jobs = Vec::new();
    for path in &args.inputs {
        let whole = own(path);
        match std::fs::read(path) {
            Ok(bytes) if is_text(path, &bytes, args) => jobs.push(whole),
            Ok(bytes) => inside(whole, &bytes, &mut jobs),
            Err(error) => jobs.push(Job { shader: Shader::None(Failure::read(path, &error)), ..whole }),
        }
    }
    Ok(jobs)
}

/// Whether an input is of a kind that has no shaders inside: SPIR-V, WGSL and GLSL.
fn is_text(path: &Path, bytes: &[u8], args: &Args) -> bool {
    let kind = Kind::by_magic(bytes).or_else(|| Kind::by_extension(path)).or(args.source);
    kind.is_some_and(|kind| kind != Kind::Dxbc)
}

/// The shaders inside one file.
fn inside(whole: Job, bytes: &[u8], jobs: &mut Vec<Job>) {
    let found = caught(|| embedded::shaders(bytes)).unwrap_or_else(|words| Err(Error::internal(words)));
    let (found, shaders) = match found {
        Ok(found) => found,
        Err(error) => {
            let failure = Failure::from(error).in_file(&whole.file);
            return jobs.push(Job { shader: Shader::None(failure), ..whole });
        }
    };
    if found == Found::Itself {
        return jobs.push(whole);
    }
    let mut heading = Some(heading(&whole.file, &found, shaders.len()));
    let mut names = BTreeMap::new();
    for shader in &shaders {
        let mut stem = whole.stem.clone();
        stem.push(format!(".{}", unused(&file_name(&shader.name()), &mut names)));
        let input = Input::embedded(&whole.file, shader);
        let about = about(&found, shader);
        let shader = Shader::Inside { input, about };
        jobs.push(Job { file: whole.file.clone(), stem, heading: heading.take(), shader });
    }
}

/// One line about a file with shaders inside: how they were found.
pub fn heading(file: &Path, found: &Found<'_>, count: usize) -> String {
    let file = crate::failure::one_line(&file.display().to_string());
    let shaders = if count == 1 { "1 shader".to_owned() } else { format!("{count} shaders") };
    match found {
        Found::Itself => format!("{file}: a shader itself"),
        Found::Effect(effect) => format!("{file}: effect, {}, {shaders}", effect.profile),
        Found::Scan => format!("{file}: not a format that rx knows; a scan of its bytes found {shaders}"),
    }
}

/// What JSON says of a shader inside a file.
pub fn about(found: &Found<'_>, shader: &EmbeddedShader<'_>) -> Map<String, Value> {
    let found = match found {
        Found::Itself => "itself",
        Found::Effect(_) => "effect",
        Found::Scan => "scan",
    };
    let mut about = Map::new();
    about.insert("shader".to_owned(), json!(shader.name()));
    about.insert("profile".to_owned(), json!(shader.profile()));
    about.insert("offset".to_owned(), json!(shader.offset));
    about.insert("bytes".to_owned(), json!(shader.bytes.len()));
    about.insert("found".to_owned(), json!(found));
    about
}

/// Longest part of a file's name that comes from a shader's name.
const LONGEST: usize = 120;

/// A shader's name as part of a file's name: `lights[2].ps` is `lights.2.ps`. Anything but letters, digits, `-`, `_` and
/// dots is replaced.
fn file_name(name: &str) -> String {
    let plain = |c: char| match c {
        '[' => Some('.'),
        ']' => None,
        c if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') => Some(c),
        _ => Some('_'),
    };
    name.chars().filter_map(plain).take(LONGEST).collect()
}

/// The name, with a number where it is taken. `names` holds how often each was asked for.
fn unused(name: &str, names: &mut BTreeMap<String, u32>) -> String {
    let mut free = name.to_owned();
    while names.contains_key(&free) {
        let count = names.entry(name.to_owned()).or_default();
        *count += 1;
        free = format!("{name}.{count}");
    }
    names.insert(free.clone(), 1);
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain_and_distinct() {
        assert_eq!(file_name("lights[2].ps"), "lights.2.ps");
        assert_eq!(file_name("../a b\\c.vs"), ".._a_b_c.vs");
        assert_eq!(file_name(&"a".repeat(500)).len(), LONGEST);
        let mut names = BTreeMap::new();
        let all: Vec<String> = ["a", "a", "a.2", "b"].iter().map(|name| unused(name, &mut names)).collect();
        assert_eq!(all, ["a", "a.2", "a.2.2", "b"]);
    }
}
