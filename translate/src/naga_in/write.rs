//! A validated module to words, and the interface from them.
//!
//! Owns every option of naga's writer, and the entry point's choice.

use super::parse::{Language, Parsed};
use super::{bindings, declared, fixes, lengths};
use crate::error::Error;
use crate::interface::{Resource, Stage};
use crate::ledger;
use crate::options::{BufferLengths, Options, Robustness, RobustnessByClass};
use crate::spirv_in;
use crate::{Note, Translation};
use ::spirv::Capability;
use naga::ShaderStage;
use naga::back::pipeline_constants::process_overrides;
use naga::back::spv;
use naga::proc::{BoundsCheckPolicies, BoundsCheckPolicy};

/// Writes the chosen entry point and reads its interface.
pub(super) fn translate(parsed: &Parsed, options: &Options) -> Result<Translation, Error> {
    let (index, stage) = choose(parsed, options.entry.as_deref())?;
    let resources = bindings::bind(declared::resources(parsed, index)?, stage, &options.bindings)?;
    let mut spirv = spirv_in::plain_types(words(parsed, index, &resources, options)?)?;
    if resources.iter().any(|resource| resource.used && resource.count.is_none()) {
        // naga writes arrays of descriptors without an end, and not what they need.
        spirv_in::require(&mut spirv, Capability::RuntimeDescriptorArray, "SPV_EXT_descriptor_indexing");
    }
    let pairs = bindings::pairs(&resources);
    if !pairs.is_empty() {
        spirv = spirv_in::combined(&spirv, &pairs)?;
    }
    if parsed.precise {
        spirv = fixes::uncontracted(&spirv)?;
    }
    if options.profile.buffer_lengths == BufferLengths::PushConstants {
        spirv = lengths::push(&spirv, &resources, options.push_constant_offset)?;
    }
    if fixes::any(&options.profile.fixes) {
        spirv = fixes::apply(&spirv, &options.profile.fixes)?;
    }
    let mut interface = spirv_in::checked_interface(&spirv, &options.profile, None)?;
    declared::join(&mut interface, resources);
    if !options.names || options.profile.fixes.bare_varyings {
        spirv_in::strip_names(&mut spirv);
    }
    let notes = notes(parsed);
    if let (true, Some(note)) = (options.strict, notes.first()) {
        return Err(Error::refused(ledger::STRICT, format!("the translation would carry {}", note.code)));
    }
    Ok(Translation { spirv, interface, notes })
}

/// What the module does otherwise than the text says.
fn notes(parsed: &Parsed) -> Vec<Note> {
    let count = u32::try_from(parsed.module.overrides.len()).unwrap_or(u32::MAX);
    let baked = Note { code: ledger::BAKED_CONSTANTS, count };
    if count > 0 { vec![baked] } else { Vec::new() }
}

/// The index and stage of the entry point of a name, or of the only one.
fn choose(parsed: &Parsed, entry: Option<&str>) -> Result<(usize, Stage), Error> {
    let points = &parsed.module.entry_points;
    let list = || {
        let listed: Vec<String> = points.iter().map(|p| format!("`{}` ({:?})", p.name, p.stage)).collect();
        if listed.is_empty() { String::from("none") } else { listed.join(", ") }
    };
    let mut matching = points.iter().enumerate().filter(|(_, point)| entry.is_none_or(|name| name == point.name));
    let (index, point) = match (matching.next(), matching.next()) {
        (Some(only), None) => only,
        (None, _) => {
            let wanted = entry.map_or_else(|| String::from("any"), |name| format!("`{name}`"));
            let what = format!("no entry point {wanted}; the text has {}", list());
            return Err(Error::refused(ledger::ENTRY_NOT_FOUND, what));
        }
        _ => return Err(Error::refused(ledger::ENTRY_AMBIGUOUS, format!("the text has {}", list()))),
    };
    match point.stage {
        ShaderStage::Vertex => Ok((index, Stage::Vertex)),
        ShaderStage::Fragment => Ok((index, Stage::Fragment)),
        ShaderStage::Compute => Ok((index, Stage::Compute)),
        other => Err(Error::refused(ledger::TEXT_STAGE, format!("`{}` is a {other:?} shader", point.name))),
    }
}

fn words(parsed: &Parsed, index: usize, resources: &[Resource], options: &Options) -> Result<Vec<u32>, Error> {
    let refused = |what: String| Error::refused(ledger::TEXT_NOT_WRITTEN, what);
    let Some(point) = parsed.module.entry_points.get(index) else {
        return Err(Error::internal("the chosen entry point is gone"));
    };
    let processed = process_overrides(&parsed.module, &parsed.info, None, &Default::default());
    let (module, info) = processed.map_err(|error| refused(error.to_string()))?;
    let pipeline = spv::PipelineOptions { shader_stage: point.stage, entry_point: point.name.clone() };
    let writer = writer_options(parsed.language, point.stage, resources, options);
    spv::write_vec(&module, &info, &writer, Some(&pipeline)).map_err(|error| refused(error.to_string()))
}

fn writer_options(
    language: Language,
    stage: ShaderStage,
    resources: &[Resource],
    options: &Options,
) -> spv::Options<'static> {
    // Names are written always, since the interface takes them from the words, and stripped where not asked for.
    let mut flags = spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS;
    let is_wgsl = language == Language::Wgsl;
    let sized = is_wgsl || options.profile.fixes.point_size;
    flags.set(spv::WriterFlags::FORCE_POINT_SIZE, sized && stage == ShaderStage::Vertex);
    let policies = policies(&options.profile.robustness, resources);
    spv::Options {
        lang_version: options.profile.target.spirv_version(),
        flags,
        fake_missing_bindings: false,
        binding_map: bindings::map(resources),
        // The profile is held against the capabilities that come out, with a better message.
        capabilities: None,
        force_loop_bounding: policies.contains(BoundsCheckPolicy::ReadZeroSkipWrite),
        bounds_check_policies: policies,
        zero_initialize_workgroup_memory: if is_wgsl {
            spv::ZeroInitializeWorkgroupMemoryMode::Polyfill
        } else {
            spv::ZeroInitializeWorkgroupMemoryMode::None
        },
        ray_query_initialization_tracking: true,
        trace_ray_argument_validation: true,
        // storageInputOutput16 is no feature of the profile.
        use_storage_input_output_16: false,
        debug_info: None,
        task_dispatch_limits: None,
        mesh_shader_primitive_indices_clamp: true,
        emit_int_div_checks: true,
    }
}

fn policies(robustness: &RobustnessByClass, resources: &[Resource]) -> BoundsCheckPolicies {
    let explicit = |classes: &[Robustness]| classes.contains(&Robustness::Explicit);
    let guard = |guarded: bool, policy| if guarded { policy } else { BoundsCheckPolicy::Unchecked };
    let RobustnessByClass { uniform, storage, texel, image } = *robustness;
    let all_off = *robustness == RobustnessByClass::all(Robustness::Off);
    // naga cannot ask how many descriptors an unbounded array has.
    let bounded = resources.iter().all(|resource| resource.count.is_some());
    let any_explicit = explicit(&[uniform, storage, texel, image]);
    BoundsCheckPolicies {
        index: guard(!all_off, BoundsCheckPolicy::ReadZeroSkipWrite),
        buffer: guard(explicit(&[uniform, storage]), BoundsCheckPolicy::ReadZeroSkipWrite),
        image_load: guard(explicit(&[texel, image]), BoundsCheckPolicy::ReadZeroSkipWrite),
        binding_array: guard(any_explicit && bounded, BoundsCheckPolicy::Restrict),
    }
}
