//! What `rx translate` writes: the words, their listing, the typed form, naga's WGSL and MSL, the reflection.
//!
//! Owns one form a function. Must never change the words.

use clap::ValueEnum;
use rspirv::binary::Disassemble;
use rx_renderer::translate::{Source, Translation, Translator};

use crate::caught::caught;
use crate::codes;
use crate::failure::Failure;
use crate::input::{Input, Kind};
use crate::reflection::{module_bytes, reflection};

/// Something to write of a translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// The SPIR-V module
    Spv,
    /// The module as text
    Spvasm,
    /// rx's typed form as text (Direct3D bytecode only)
    Ir,
    /// WGSL, written by naga from the module
    Wgsl,
    /// Metal's shading language, written by naga from the module
    Msl,
    /// The reflection: what a host must bind and feed
    Json,
}

impl Emit {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Emit::Spv => "spv",
            Emit::Spvasm => "spvasm",
            Emit::Ir => "ir",
            Emit::Wgsl => "wgsl",
            Emit::Msl => "msl",
            Emit::Json => "json",
        }
    }

    /// Whether a person can read it.
    pub fn is_text(self) -> bool {
        self != Emit::Spv
    }

    /// The bytes to write.
    pub fn bytes(self, input: &Input, translator: &Translator, translation: &Translation) -> Result<Vec<u8>, Failure> {
        let text = match self {
            Emit::Spv => return Ok(module_bytes(&translation.spirv)),
            Emit::Spvasm => listing(input.kind, &translation.spirv)?,
            Emit::Ir => typed_form(input, translator)?,
            Emit::Wgsl => wgsl(input.kind, &translation.spirv)?,
            Emit::Msl => msl(input.kind, &translation.spirv)?,
            Emit::Json => {
                let json = serde_json::to_string_pretty(&reflection(input.kind, translation));
                format!("{}\n", json.map_err(|error| Failure::internal(error.to_string()))?)
            }
        };
        Ok(text.into_bytes())
    }
}

/// A module as text.
pub fn listing(kind: Kind, words: &[u32]) -> Result<String, Failure> {
    let module = rspirv::dr::load_words(words).map_err(|error| match kind {
        // What rx passes through the listing need not know to the last instruction; what it wrote it must.
        Kind::Spirv => Failure::own(codes::NOT_LISTED, format!("rspirv: {error}")),
        _ => Failure::internal(format!("the module cannot be listed: {error}")),
    })?;
    Ok(format!("{}\n", module.disassemble().trim_end()))
}

fn typed_form(input: &Input, translator: &Translator) -> Result<String, Failure> {
    match input.source()? {
        Source::Dxbc(bytes) => Ok(translator.typed_form(bytes)?),
        _ => Err(Failure::own(codes::NO_TYPED_FORM, format!("{} has no typed form", input.kind.name()))),
    }
}

fn wgsl(kind: Kind, words: &[u32]) -> Result<String, Failure> {
    through_naga(kind, words, |module, info| {
        let flags = naga::back::wgsl::WriterFlags::empty();
        naga::back::wgsl::write_string(module, info, flags).map_err(|error| error.to_string())
    })
}

fn msl(kind: Kind, words: &[u32]) -> Result<String, Failure> {
    // Slots are naga's own: a host that loads MSL assigns its own anyway.
    let options = naga::back::msl::Options { lang_version: (2, 4), ..Default::default() };
    through_naga(kind, words, |module, info| {
        let pipeline = naga::back::msl::PipelineOptions::default();
        let written = naga::back::msl::write_string(module, info, &options, &pipeline);
        written.map(|(text, _)| text).map_err(|error| error.to_string())
    })
}

/// Reads the words with naga and writes them with one of its back ends. Whatever stops naga is its reason.
fn through_naga(
    kind: Kind,
    words: &[u32],
    write: impl FnOnce(&naga::Module, &naga::valid::ModuleInfo) -> Result<String, String>,
) -> Result<String, Failure> {
    // Direct3D's and WGSL's clip space has y up, as the written text's has. Vulkan's, of GLSL and SPIR-V, has not.
    let adjust_coordinate_space = matches!(kind, Kind::Glsl | Kind::Spirv);
    let options = naga::front::spv::Options { adjust_coordinate_space, ..Default::default() };
    let run = || {
        let parsed = naga::front::spv::Frontend::new(words.iter().copied(), &options).parse();
        let module = parsed.map_err(|error| with_causes(&error))?;
        let flags = naga::valid::ValidationFlags::all();
        let mut validator = naga::valid::Validator::new(flags, naga::valid::Capabilities::all());
        let info = validator.validate(&module).map_err(|error| with_causes(&error.into_inner()))?;
        write(&module, &info)
    };
    let written = caught(run).unwrap_or_else(Err);
    written.map_err(|why| Failure::own(codes::NAGA_BACK, format!("naga: {why}")))
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
