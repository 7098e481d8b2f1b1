//! Shader in, SPIR-V and its interface out.
//!
//! The whole public face of the translator: [`Translator`], [`Source`], [`Options`], [`Translation`], [`Error`].
//! Pure: no Vulkan, no files, no environment, no threads (but the one whose stack naga gets); the same input and
//! options give the same words everywhere.
#![deny(missing_docs)]

pub mod bindings;
pub mod dxbc;
mod error;
pub mod glsl;
#[cfg(feature = "glslang")]
mod glslang_in;
pub mod interface;
pub mod ir;
pub mod ledger;
mod lower;
mod naga_in;
mod options;
mod passes;
mod spirv;
pub mod spirv_in;

pub use error::{Code, Error, ErrorKind, Note, Place};
pub use interface::StageInterface;
pub use options::{
    BufferLengths, BufferOffsets, ConstantLengths, Features, FloatControls, GlslFrontEnd, Options, Profile, Robustness,
    RobustnessByClass, StreamOutput, StreamOutputEntry, Target, TranslationFixes,
};

/// A shader to translate.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A DXBC container, shader model 4.0 to 5.1.
    Dxbc(&'a [u8]),
    /// WGSL text.
    Wgsl(&'a str),
    /// GLSL text of a stage (vertex, fragment or compute; every stage that rx has with
    /// [`GlslFrontEnd::Glslang`]), its includes expanded ([`glsl::expand_includes`]).
    Glsl(&'a str, interface::Stage),
    /// SPIR-V, as bytes of either endianness.
    Spirv(&'a [u8]),
}

/// What a translation gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The module's words.
    pub spirv: Vec<u32>,
    /// What the stage declares and uses.
    pub interface: StageInterface,
    /// Deliberate differences from Direct3D and warnings about the input, by code.
    pub notes: Vec<Note>,
}

impl Translation {
    /// Whether the module does what Direct3D says, without a difference. Warnings about the input do not count.
    pub fn is_exact(&self) -> bool {
        !self.notes.iter().any(Note::is_adaptation)
    }

    /// Adds the note for a Direct3D container whose checksum does not match (RX0425) or is missing (RX0426). The `rx`
    /// command, the renderer and the C ABI do it for every shader; [`Translator::translate`] does not, since it would
    /// take a tenth longer.
    pub fn note_checksum(&mut self, source: Source<'_>) {
        let Source::Dxbc(bytes) = source else { return };
        let Some(note) = dxbc::container::checksum_note(bytes) else { return };
        let place = self.notes.partition_point(|other| other.code < note.code);
        self.notes.insert(place, note);
    }
}

/// Translates shaders under one set of options.
#[derive(Clone, Debug, Default)]
pub struct Translator {
    options: Options,
}

impl Translator {
    /// A translator for these options.
    pub fn new(options: Options) -> Self {
        Translator { options }
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Translates one shader.
    pub fn translate(&self, source: Source<'_>) -> Result<Translation, Error> {
        match source {
            Source::Dxbc(bytes) => self.translate_dxbc(bytes),
            Source::Wgsl(text) => naga_in::translate_wgsl(text, &self.options),
            Source::Glsl(text, stage) => self.translate_glsl(text, stage),
            Source::Spirv(bytes) => spirv_in::translate(bytes, &self.options),
        }
    }

    /// The typed form of a DXBC container after the passes, as text: what the words are written from. For people; the
    /// text may change from version to version.
    pub fn typed_form(&self, bytes: &[u8]) -> Result<String, Error> {
        let shader = dxbc::Shader::parse(bytes, self.options.verify_checksum)?;
        let mut function = lower::lower(&shader, &self.options)?.function;
        passes::legalize(&mut function);
        Ok(ir::print(&function))
    }

    fn translate_glsl(&self, text: &str, stage: interface::Stage) -> Result<Translation, Error> {
        match self.options.glsl {
            GlslFrontEnd::Naga => naga_in::translate_glsl(text, stage, &self.options),
            #[cfg(feature = "glslang")]
            GlslFrontEnd::Glslang => glslang_in::translate(text, stage, &self.options),
            #[cfg(not(feature = "glslang"))]
            GlslFrontEnd::Glslang => {
                let what = "rx-translate was built without its feature `glslang`";
                Err(Error::refused(ledger::GLSLANG_OFF, what))
            }
        }
    }

    fn translate_dxbc(&self, bytes: &[u8]) -> Result<Translation, Error> {
        let shader = dxbc::Shader::parse(bytes, self.options.verify_checksum)?;
        let lower::Lowered { mut function, interface, notes } = lower::lower(&shader, &self.options)?;
        let live = passes::legalize(&mut function);
        if let (true, Some(note)) = (self.options.strict, notes.first()) {
            let what = format!("the translation would carry {}", note.code);
            return Err(Error::refused(ledger::STRICT, what));
        }
        let spirv = spirv::write(&function, &live, &self.options.profile, &interface.entry_point);
        Ok(Translation { spirv, interface, notes })
    }
}
