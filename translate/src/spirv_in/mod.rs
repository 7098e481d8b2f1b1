//! SPIR-V in: checked, passed through word for word, its interface read from the words.
//!
//! Owns the way from a module to a [`StageInterface`], for SPIR-V that a host brings and for what rx itself writes.
//! Must never change a word: bytes of the other endianness are swapped to the machine's own, and that is all. The
//! binding model and the robustness of the options do not apply, since they would; debug names stay.
//!
//! What is checked: the header, every instruction's length, that result ids are below the bound and defined once, that
//! functions are closed, and whatever the interface rests on. What is not: the rest of the SPIR-V specification. That
//! is a validator's work, and a module that it would refuse may pass here, but can do no harm here.
//!
//! Time is linear in the words (but for sorting the decorations), memory in proportion to them.
//!
//! What the interface says of a module:
//!
//! - `used`: an instruction that the entry point reaches through any chain of calls names the variable.
//! - `access`: NonWritable and NonReadable where declared, else what instructions do through access chains, copies,
//!   loaded handles and parameters. A pointer out of sight (stored, selected) counts as read and written. What is
//!   only asked for its size counts as read; what is not used at all is `ReadWrite`, since nothing is known of it.
//! - `class`: the Direct3D class that it would have; a storage buffer is a shader resource where it is NonWritable.
//! - `register` and `space` are binding and set. `name` is the variable's `OpName`, else its block's.
//! - `count`: the product of all array dimensions; specialisation constants count with their defaults.
//! - `size_bytes` of a uniform buffer: up to the end of its last member.
//! - `stride_bytes` of a storage buffer: where the block is one unbounded array of structures.
//! - Of a module with several entry points, a resource that only others use is left out.
//! - Inputs and outputs: an element a location; built-ins follow, by SPIR-V's names, without a location.

#[cfg(feature = "naga")]
mod combine;
mod modes;
mod module;
mod ops;
mod profile;
mod resources;
mod signature;
mod types;
mod usage;
mod words;

#[cfg(feature = "naga")]
mod patch;
#[cfg(feature = "naga")]
mod plain;
#[cfg(feature = "naga")]
mod rewrite;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

#[cfg(feature = "naga")]
pub(crate) use combine::combined;
#[cfg(feature = "naga")]
pub(crate) use patch::{require, strip_names};
#[cfg(feature = "naga")]
pub(crate) use plain::plain_types;
#[cfg(feature = "naga")]
pub(crate) use rewrite::{Global, Rewriter};
#[cfg(feature = "naga")]
pub(crate) use words::Inst;

use crate::error::Error;
use crate::interface::{Access, DescriptorType, Resource, Stage, StageInterface};
use crate::ledger;
use crate::options::{Options, Profile};
use crate::{Note, Translation};
use module::{EntryPoint, Module, Variable};
use spirv::{Capability, ExecutionModel, StorageClass};
use usage::Usage;

/// Takes a module in: its words, its interface, no notes.
///
/// `options.entry` chooses the entry point; a module newer than the profile's target, or one that needs a feature that
/// the profile lacks, is refused.
pub(crate) fn translate(bytes: &[u8], options: &Options) -> Result<Translation, Error> {
    let spirv = words::from_bytes(bytes)?;
    let interface = checked_interface(&spirv, &options.profile, options.entry.as_deref())?;
    Ok(Translation { spirv, interface, notes: Vec::<Note>::new() })
}

/// The interface of a module that is to run under a profile.
pub(crate) fn checked_interface(
    words: &[u32],
    profile: &Profile,
    entry: Option<&str>,
) -> Result<StageInterface, Error> {
    let module = Module::read(words)?;
    profile::check(&module, profile)?;
    interface(&module, entry)
}

/// Reads a stage's interface from a module's words.
///
/// `entry` is the name of the entry point; `None` takes the only one. The words must be in the machine's own order.
///
/// # Errors
///
/// Codes `RX0301` to `RX0319`: malformed modules, those that are no Vulkan shaders, entry points that are not there or
/// not the only ones. Never panics, whatever the words.
pub fn read_interface(words: &[u32], entry: Option<&str>) -> Result<StageInterface, Error> {
    interface(&Module::read(words)?, entry)
}

fn interface(module: &Module<'_>, entry: Option<&str>) -> Result<StageInterface, Error> {
    profile::check_is_shader(module)?;
    let chosen = choose(module, entry)?;
    let stage = stage(chosen)?;
    let usage = Usage::of_functions(module, [chosen.function])?;
    let others = others(module, chosen)?;
    let signatures = signature::read(module, chosen, stage, &usage)?;
    let modes = modes::Modes::of(module, chosen);
    let resources = resources::read(module, &usage, others.as_ref())?;
    let pointers = module.has_capability(Capability::PhysicalStorageBufferAddresses);
    let buffers = resources.iter().any(|r| r.used && r.ty == DescriptorType::StorageBuffer);
    Ok(StageInterface {
        entry_point: chosen.name.clone(),
        push_constant_bytes: push_constant_bytes(module, &usage),
        workgroup_size: modes.workgroup_size(stage),
        reads_array_length: Some(usage.measures),
        read_write_textures: read_write_textures(&resources),
        uses_global_memory: buffers || pointers,
        draw_index: signatures.draw_index,
        multiview: signatures.view_index,
        tessellation: modes.tessellation(stage, signatures.input_vertices),
        geometry: modes.geometry(stage, signatures.streams),
        inputs: signatures.inputs,
        outputs: signatures.outputs,
        patch_constants: signatures.patch_constants,
        resources,
        ..StageInterface::empty(stage)
    })
}

/// The entry point of a name, or the only one.
fn choose<'m, 'a>(module: &'m Module<'a>, entry: Option<&str>) -> Result<&'m EntryPoint<'a>, Error> {
    let mut matching = module.entry_points.iter().filter(|point| entry.is_none_or(|name| name == point.name));
    match (matching.next(), matching.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => {
            let wanted = entry.map_or_else(|| String::from("any"), |name| format!("`{name}`"));
            let what = format!("no entry point {wanted}; the module has {}", list(module));
            Err(Error::refused(ledger::ENTRY_NOT_FOUND, what))
        }
        (Some(_), Some(_)) => Err(Error::refused(ledger::ENTRY_AMBIGUOUS, format!("the module has {}", list(module)))),
    }
}

/// Entry points that an error message names at most.
const MOST_LISTED: usize = 16;

fn list(module: &Module<'_>) -> String {
    let points = module.entry_points.iter().take(MOST_LISTED).map(|point| {
        let model = point.execution_model().map_or_else(|| point.model.to_string(), |model| format!("{model:?}"));
        format!("`{}` ({model})", point.name)
    });
    let listed = points.collect::<Vec<_>>().join(", ");
    match module.entry_points.len() {
        0 => String::from("none"),
        n if n > MOST_LISTED => format!("{listed} and {} more", n - MOST_LISTED),
        _ => listed,
    }
}

fn stage(entry: &EntryPoint<'_>) -> Result<Stage, Error> {
    match entry.execution_model() {
        Some(ExecutionModel::Vertex) => Ok(Stage::Vertex),
        Some(ExecutionModel::TessellationControl) => Ok(Stage::TessellationControl),
        Some(ExecutionModel::TessellationEvaluation) => Ok(Stage::TessellationEvaluation),
        Some(ExecutionModel::Geometry) => Ok(Stage::Geometry),
        Some(ExecutionModel::Fragment) => Ok(Stage::Fragment),
        Some(ExecutionModel::GLCompute) => Ok(Stage::Compute),
        Some(ExecutionModel::TaskEXT | ExecutionModel::TaskNV) => Ok(Stage::Task),
        Some(ExecutionModel::MeshEXT | ExecutionModel::MeshNV) => Ok(Stage::Mesh),
        Some(other) => {
            let what = format!("entry point `{}` has execution model {other:?}", entry.name);
            Err(Error::refused(ledger::SPIRV_NOT_A_SHADER, what))
        }
        None => {
            let what = format!("execution model {} is not SPIR-V's", entry.model);
            Err(Error::malformed(ledger::SPIRV_CODE, entry.at.saturating_mul(4), what))
        }
    }
}

/// What the module's other entry points use; none where there are none.
fn others(module: &Module<'_>, chosen: &EntryPoint<'_>) -> Result<Option<Usage>, Error> {
    if module.entry_points.len() < 2 {
        return Ok(None);
    }
    let functions = module.entry_points.iter().filter(|point| point.at != chosen.at).map(|point| point.function);
    Usage::of_functions(module, functions).map(Some)
}

/// Bytes up to the end of the push-constant blocks that the entry point uses.
fn push_constant_bytes(module: &Module<'_>, usage: &Usage) -> u32 {
    let mut types = types::Types::new(module);
    let is_used = |variable: &&Variable| variable.is(StorageClass::PushConstant) && usage.of(variable.id).named();
    let blocks = module.variables.iter().filter(is_used).filter_map(|variable| variable.pointee);
    blocks.map(|block| types.block(block).bytes).max().unwrap_or(0)
}

/// Textures that the stage reads and writes, or of which that is not known. One without an end counts as one.
fn read_write_textures(resources: &[Resource]) -> u32 {
    let textures = resources.iter().filter(|resource| {
        let storage = matches!(resource.ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer);
        storage && resource.used && resource.access == Access::ReadWrite
    });
    textures.fold(0, |sum, resource| sum.saturating_add(resource.count.unwrap_or(1)))
}
