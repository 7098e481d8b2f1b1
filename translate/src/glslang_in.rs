//! GLSL in, through glslang: all of the language, every stage that rx has.
//!
//! Owns the translation of rx's options into glslang's, and of its messages into rx's errors. Behind the cargo feature
//! `glslang`, which compiles C++. The module is taken as SPIR-V that a host brings is: its words stay as glslang wrote them,
//! so that bindings are those of the text, and the binding model and robustness of the options do not apply.

use crate::error::{Error, ErrorKind, Place};
use crate::interface::Stage;
use crate::options::{Options, Target};
use crate::{Translation, ledger, naga_in, spirv_in};
use glslang::error::GlslangError;
use glslang::{
    Compiler, CompilerOptions, ShaderInput, ShaderMessage, ShaderSource, ShaderStage, SourceLanguage, SpirvVersion,
    VulkanVersion,
};

/// Translates GLSL of a stage.
pub(crate) fn translate(text: &str, stage: Stage, options: &Options) -> Result<Translation, Error> {
    // glslang calls itself for nested text too, and has no limit of its own.
    naga_in::on_own_stack(|| {
        naga_in::check_depth(text)?;
        let words = compiled(text, own_stage(stage), options.profile.target)?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut translation = spirv_in::translate(&bytes, &Options { entry: None, ..options.clone() })?;
        if !options.names {
            spirv_in::strip_names(&mut translation.spirv);
        }
        Ok(translation)
    })
}

fn own_stage(stage: Stage) -> ShaderStage {
    match stage {
        Stage::Vertex => ShaderStage::Vertex,
        Stage::TessellationControl => ShaderStage::TesselationControl,
        Stage::TessellationEvaluation => ShaderStage::TesselationEvaluation,
        Stage::Geometry => ShaderStage::Geometry,
        Stage::Fragment => ShaderStage::Fragment,
        Stage::Compute => ShaderStage::Compute,
        Stage::Task => ShaderStage::Task,
        Stage::Mesh => ShaderStage::Mesh,
    }
}

fn target(target: Target) -> glslang::Target {
    let (version, spirv_version) = match target {
        Target::Vulkan11 => (VulkanVersion::Vulkan1_1, SpirvVersion::SPIRV1_3),
        Target::Vulkan12 => (VulkanVersion::Vulkan1_2, SpirvVersion::SPIRV1_5),
        Target::Vulkan13 => (VulkanVersion::Vulkan1_3, SpirvVersion::SPIRV1_6),
    };
    glslang::Target::Vulkan { version, spirv_version }
}

fn compiled(text: &str, stage: ShaderStage, to: Target) -> Result<Vec<u32>, Error> {
    if text.contains('\0') {
        return Err(malformed("the text has a byte of value 0"));
    }
    let Some(compiler) = Compiler::acquire() else {
        return Err(Error::refused(ledger::TEXT_PANIC, "glslang does not start"));
    };
    let source = ShaderSource::from(text);
    let options = CompilerOptions {
        source_language: SourceLanguage::GLSL,
        target: target(to),
        version_profile: None,
        messages: ShaderMessage::SPV_RULES | ShaderMessage::VULKAN_RULES,
    };
    let defines: Option<&[(&str, Option<&str>)]> = None;
    let input = ShaderInput::new(&source, stage, &options, defines, None).map_err(|error| told(&error))?;
    let shader = compiler.create_shader(input).map_err(|error| told(&error))?;
    shader.compile().map_err(|error| told(&error))
}

fn malformed(what: &str) -> Error {
    Error { code: ledger::GLSLANG_TEXT, kind: ErrorKind::Malformed, place: Place::default(), what: String::from(what) }
}

/// The first line of glslang's messages, with its place: `ERROR: 0:12: 'x' : undeclared identifier`.
fn told(error: &GlslangError) -> Error {
    let text = error.to_string();
    let Some(first) = text.lines().find_map(|line| line.split_once("ERROR: ").map(|(_, rest)| rest)) else {
        return malformed(text.lines().next().unwrap_or("no reason given"));
    };
    let mut parts = first.splitn(3, ':');
    let place = (parts.next(), parts.next().and_then(|line| line.trim().parse::<u32>().ok()), parts.next());
    let (Some(_), Some(line), Some(what)) = place else { return malformed(first) };
    let mut error = malformed(what.trim());
    error.place.line = Some((line, 1));
    error
}
