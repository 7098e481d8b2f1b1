//! Inputs: read once, their kind found by their first bytes, else their extension, else what the user says.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rx_renderer::translate::dxbc::container::Container;
use rx_renderer::translate::dxbc::embedded::{self, EmbeddedShader};
use rx_renderer::translate::glsl::{Include, Included, expand_includes};
use rx_renderer::translate::interface::Stage;
use rx_renderer::translate::{GlslFrontEnd, Source, dxbc, ledger};

use crate::codes;
use crate::failure::Failure;

/// SPIR-V's magic number.
const SPIRV_MAGIC: u32 = 0x0723_0203;

/// A kind of shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A DXBC container.
    Dxbc,
    /// WGSL text.
    Wgsl,
    /// GLSL text.
    Glsl,
    /// A SPIR-V module.
    Spirv,
}

impl Kind {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Dxbc => "dxbc",
            Kind::Wgsl => "wgsl",
            Kind::Glsl => "glsl",
            Kind::Spirv => "spirv",
        }
    }

    /// The kind by the first bytes: what no extension can contradict.
    pub fn by_magic(bytes: &[u8]) -> Option<Kind> {
        let &[a, b, c, d, ..] = bytes else { return None };
        let word = [a, b, c, d];
        if dxbc::is_direct3d(bytes) {
            return Some(Kind::Dxbc);
        }
        let spirv = word == SPIRV_MAGIC.to_le_bytes() || word == SPIRV_MAGIC.to_be_bytes();
        spirv.then_some(Kind::Spirv)
    }

    /// The kind by the extension.
    pub fn by_extension(path: &Path) -> Option<Kind> {
        Some(match extension(path)?.as_str() {
            "dxbc" | "cso" | "fxo" => Kind::Dxbc,
            "wgsl" => Kind::Wgsl,
            "glsl" | "vert" | "frag" | "comp" | "geom" | "tesc" | "tese" => Kind::Glsl,
            "spv" => Kind::Spirv,
            _ => return None,
        })
    }
}

/// A stage as the command line spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StageName {
    /// Vertex shader.
    #[value(alias = "vert")]
    Vertex,
    /// Fragment (pixel) shader.
    #[value(alias = "frag", alias = "pixel")]
    Fragment,
    /// Compute shader.
    #[value(alias = "comp")]
    Compute,
    /// Geometry shader, with --glsl glslang.
    #[value(alias = "geom")]
    Geometry,
    /// Tessellation control (hull) shader, with --glsl glslang.
    #[value(alias = "tesc")]
    TessellationControl,
    /// Tessellation evaluation (domain) shader, with --glsl glslang.
    #[value(alias = "tese")]
    TessellationEvaluation,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Stage {
        match name {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
            StageName::Compute => Stage::Compute,
            StageName::Geometry => Stage::Geometry,
            StageName::TessellationControl => Stage::TessellationControl,
            StageName::TessellationEvaluation => Stage::TessellationEvaluation,
        }
    }
}

/// What reads GLSL, as the command line spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FrontEnd {
    /// naga.
    Naga,
    /// glslang.
    Glslang,
}

impl From<FrontEnd> for GlslFrontEnd {
    fn from(name: FrontEnd) -> GlslFrontEnd {
        match name {
            FrontEnd::Naga => GlslFrontEnd::Naga,
            FrontEnd::Glslang => GlslFrontEnd::Glslang,
        }
    }
}

/// What the user says of inputs that do not say it themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    /// Kind of what has neither magic nor extension.
    pub kind: Option<Kind>,
    /// Stage of GLSL.
    pub stage: Option<StageName>,
}

/// One input, read.
#[derive(Clone, Debug)]
pub struct Input {
    /// Path as given.
    pub path: PathBuf,
    /// Kind.
    pub kind: Kind,
    bytes: Vec<u8>,
    stage: Option<Stage>,
}

impl Input {
    /// Reads a file and finds its kind.
    pub fn read(path: &Path, said: Said) -> Result<Input, Failure> {
        let bytes = std::fs::read(path).map_err(|error| Failure::read(path, &error))?;
        Input::of(path, bytes, said).map_err(|failure| failure.in_file(path))
    }

    fn of(path: &Path, bytes: Vec<u8>, said: Said) -> Result<Input, Failure> {
        let kind = Kind::by_magic(&bytes).or_else(|| Kind::by_extension(path)).or(said.kind);
        let kind = kind.ok_or_else(|| unknown_kind(&bytes))?;
        let stage = said.stage.map(Stage::from).or_else(|| stage_by_extension(path));
        Ok(Input { path: path.to_owned(), kind, bytes, stage })
    }

    /// A shader inside a file, called `file#name`.
    pub fn embedded(file: &Path, shader: &EmbeddedShader<'_>) -> Input {
        let path = PathBuf::from(format!("{}#{}", file.display(), shader.name()));
        Input { path, kind: Kind::Dxbc, bytes: shader.bytes.to_vec(), stage: None }
    }

    /// Expands the includes of GLSL: files beside the one that asks, then below these folders.
    pub fn expand(mut self, folders: &[PathBuf]) -> Result<Input, Failure> {
        if self.kind != Kind::Glsl {
            return Ok(self);
        }
        let name = self.path.to_string_lossy().into_owned();
        let text = self.text().map_err(|failure| failure.in_file(&self.path))?;
        let expanded = expand_includes(text, &name, &mut |include| found(include, folders));
        self.bytes = expanded.map_err(|error| Failure::from(error).in_file(&self.path))?.into_bytes();
        Ok(self)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the translator takes.
    pub fn source(&self) -> Result<Source<'_>, Failure> {
        let source = match self.kind {
            Kind::Dxbc => Ok(Source::Dxbc(&self.bytes)),
            Kind::Spirv => Ok(Source::Spirv(&self.bytes)),
            Kind::Wgsl => self.text().map(Source::Wgsl),
            Kind::Glsl => self.text().and_then(|text| Ok(Source::Glsl(text, self.glsl_stage()?))),
        };
        source.map_err(|failure| failure.in_file(&self.path))
    }

    /// The entry points of a WGSL or SPIR-V module, in its order; none where it does not parse, or the kind has no
    /// more than one.
    pub fn entry_points(&self) -> Vec<String> {
        match self.kind {
            Kind::Dxbc | Kind::Glsl => Vec::new(),
            Kind::Wgsl => {
                let module = self.text().ok().and_then(|text| naga::front::wgsl::parse_str(text).ok());
                module.map_or_else(Vec::new, |module| {
                    module.entry_points.into_iter().map(|entry_point| entry_point.name).collect()
                })
            }
            Kind::Spirv => crate::reflection::entry_points(&words(&self.bytes)),
        }
    }

    fn text(&self) -> Result<&str, Failure> {
        std::str::from_utf8(&self.bytes).map_err(|error| Failure::own(codes::NOT_TEXT, error.to_string()))
    }

    fn glsl_stage(&self) -> Result<Stage, Failure> {
        self.stage.ok_or_else(|| Failure::own(codes::STAGE, "the text is GLSL and nothing says its stage"))
    }
}

/// The failure for an input whose kind nothing says. An input that is no shader at all is called by its name, and one
/// with containers inside gets the way to them; the kind of source text may still be named by the user.
fn unknown_kind(bytes: &[u8]) -> Failure {
    let Err(error) = Container::parse(bytes) else {
        return Failure::own(codes::KIND, "the first bytes are a container's");
    };
    let named_by_user = [ledger::NOT_A_CONTAINER, ledger::OTHER_SHADER].contains(&error.code);
    if named_by_user && embedded::scan(bytes).next().is_none() {
        let what =
            format!("neither the first bytes nor the extension say which shader language it is ({})", error.what);
        return Failure::own(codes::KIND, what);
    }
    Failure::from(error)
}

/// A file that GLSL includes. One in angle brackets is looked for in the folders alone.
fn found(include: &Include<'_>, folders: &[PathBuf]) -> Option<Included> {
    let beside = Path::new(include.from).parent().filter(|_| !include.system);
    let mut places =
        beside.into_iter().chain(folders.iter().map(PathBuf::as_path)).map(|place| place.join(include.name));
    places.find_map(|path| {
        let text = std::fs::read_to_string(&path).ok()?;
        Some(Included { name: path.to_string_lossy().into_owned(), text })
    })
}

/// A module's words in the machine's order; an incomplete last word is left out.
fn words(bytes: &[u8]) -> Vec<u32> {
    let swapped = bytes.starts_with(&SPIRV_MAGIC.to_be_bytes());
    let word = |chunk: &[u8]| {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
        if swapped { word.swap_bytes() } else { word }
    };
    bytes.chunks_exact(4).map(word).collect()
}

/// The stage that an extension says: `a.vert`, `a.vert.glsl`.
fn stage_by_extension(path: &Path) -> Option<Stage> {
    match extension(path)?.as_str() {
        "vert" => Some(Stage::Vertex),
        "frag" => Some(Stage::Fragment),
        "comp" => Some(Stage::Compute),
        "geom" => Some(Stage::Geometry),
        "tesc" => Some(Stage::TessellationControl),
        "tese" => Some(Stage::TessellationEvaluation),
        "glsl" => stage_by_extension(Path::new(path.file_stem()?)),
        _ => None,
    }
}

fn extension(path: &Path) -> Option<String> {
    path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn kind(path: &str, bytes: &[u8], said: Option<Kind>) -> Option<Kind> {
        let said = Said { kind: said, stage: None };
        Input::of(Path::new(path), bytes.to_vec(), said).ok().map(|input| input.kind)
    }

    #[test]
    fn magic_then_extension_then_what_the_user_says() {
        assert_eq!(kind("a.wgsl", b"DXBC....", Some(Kind::Glsl)), Some(Kind::Dxbc));
        assert_eq!(kind("a", &[3, 2, 0x23, 7], None), Some(Kind::Spirv));
        assert_eq!(kind("a", &[7, 0x23, 2, 3], None), Some(Kind::Spirv));
        assert_eq!(kind("a.CSO", b"text", Some(Kind::Wgsl)), Some(Kind::Dxbc));
        assert_eq!(kind("a.comp", b"", None), Some(Kind::Glsl));
        assert_eq!(kind("a.txt", b"", Some(Kind::Wgsl)), Some(Kind::Wgsl));
        assert_eq!(kind("a.txt", b"", None), None);
    }

    #[test]
    fn the_stage_of_glsl_is_the_users_else_the_extensions() {
        let stage = |path: &str, stage| {
            let said = Said { kind: Some(Kind::Glsl), stage };
            let input = Input::of(Path::new(path), Vec::new(), said).unwrap();
            input.glsl_stage().map_err(|failure| failure.code)
        };
        assert_eq!(stage("a.vert", None), Ok(Stage::Vertex));
        assert_eq!(stage("a.frag.glsl", None), Ok(Stage::Fragment));
        assert_eq!(stage("a.vert", Some(StageName::Compute)), Ok(Stage::Compute));
        assert_eq!(stage("a.glsl", None), Err(codes::STAGE));
    }
}
