//! One module through SPIRV-Cross's Metal back end, with MoltenVK's options and indexes, and what its entry point then
//! asks of the tables.

use super::Subject;
use super::moltenvk::{self, Device};
use rx_translate::interface::Stage;
use rx_vk::layout::ProgramInterface;
use spirv_cross2::compile::msl::{
    ArgumentBuffersTier, BindTarget, CompilerOptions, IndexType, MslVersion, ResourceBinding,
};
use spirv_cross2::spirv::ExecutionModel;
use spirv_cross2::targets::Msl;
use spirv_cross2::{Compiler, Module};
use std::num::NonZeroU32;

/// Descriptors of an array without an end.
const RUNTIME_ARRAY: u32 = 16;

/// What an entry point declares: the slots of each table that it takes, and its read_write textures.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Buffers, textures, samplers: every slot, with the argument's text.
    pub tables: [Vec<(u32, String)>; 3],
    /// Textures with `access::read_write`.
    pub read_write: usize,
}

/// Whether an argument is one of the buffers that tessellation reserves slots for.
pub fn is_of_tessellation(argument: &str) -> bool {
    ["spvIn ", "spvPatchIn ", "spvTessLevel "].iter().any(|name| argument.contains(name))
}

/// A module of a program's stage, its set bound slot by slot: what its entry point declares.
pub fn compile(
    device: &Device,
    subject: &Subject,
    words: &[u32],
    stage: Stage,
    bit: Stage,
) -> Result<Declared, String> {
    let text = text(device, subject, words, stage, bit)?;
    declared(&text)
}

fn text(device: &Device, subject: &Subject, words: &[u32], stage: Stage, bit: Stage) -> Result<String, String> {
    let (program, set) = (&subject.program, 0);
    let said = |error: spirv_cross2::SpirvCrossError| error.to_string();
    let mut compiler: Compiler<Msl> = Compiler::new(Module::from_words(words)).map_err(said)?;
    let model = model(stage);
    let slots = moltenvk::slots(device, program, bit);
    let target =
        |buffer, texture, sampler, count| BindTarget { buffer, texture, sampler, count: NonZeroU32::new(count) };
    if let Some(slot) = slots.push_constants {
        let to = target(slot, 0, 0, 1);
        compiler.add_resource_binding(model, ResourceBinding::PushConstantBuffer, &to).map_err(said)?;
    }
    for own in &slots.bindings {
        let from = ResourceBinding::from_qualified(set, own.binding);
        let to = target(own.buffer, own.texture, own.sampler, own.count);
        compiler.add_resource_binding(model, from, &to).map_err(said)?;
    }
    // Other sets are argument buffers, of which nothing is read back: the places in them are not MoltenVK's, the count
    // stands for the layout's.
    for &(set, binding) in &subject.others {
        let from = ResourceBinding::from_qualified(set, binding);
        compiler.add_resource_binding(model, from, &target(1, 1, 1, RUNTIME_ARRAY)).map_err(said)?;
    }
    // What a shape reads beside its bindings, to have something to sample: past everything else.
    let helper = ResourceBinding::from_qualified(set, super::shapes::HELPER_BINDING);
    let [buffer, texture, sampler] = slots.next;
    compiler.add_resource_binding(model, helper, &target(buffer, texture, sampler, 1)).map_err(said)?;
    compiler.add_discrete_descriptor_set(set).map_err(said)?;
    let options = options(device, program, bit);
    compiler.compile(&options).map(|made| made.to_string()).map_err(said)
}

fn model(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::TessellationControl => ExecutionModel::TessellationControl,
        Stage::TessellationEvaluation => ExecutionModel::TessellationEvaluation,
        Stage::Geometry => ExecutionModel::Geometry,
        Stage::Fragment => ExecutionModel::Fragment,
        // Task and mesh stages run as compute shaders here: Metal's own are no part of MoltenVK.
        Stage::Compute | Stage::Task | Stage::Mesh => ExecutionModel::GLCompute,
    }
}

/// MoltenVK's options, as far as they reach what an entry point declares.
fn options(device: &Device, program: &ProgramInterface, bit: Stage) -> CompilerOptions {
    let tessellates = program.stage_bits().has(Stage::TessellationControl);
    let implicit = moltenvk::implicit(device, program, bit);
    let mut options = CompilerOptions::default();
    // Texture atomics came with 3.1.
    options.version = if device.model.native_atomics { MslVersion::new(3, 1, 0) } else { MslVersion::new(3, 0, 0) };
    options.common.flip_vertex_y = true;
    options.pad_fragment_output_components = true;
    options.texture_buffer_native = true;
    options.texture_1d_as_2d = true;
    options.swizzle_texture_samples = !device.model.native_swizzle;
    options.argument_buffers = device.model.argument_buffers;
    options.argument_buffers_tier =
        if device.model.tier >= 2 { ArgumentBuffersTier::Tier2 } else { ArgumentBuffersTier::Tier1 };
    options.dynamic_offsets_buffer_index = implicit.dynamic_offsets;
    options.buffer_size_buffer_index = implicit.buffer_sizes;
    options.swizzle_buffer_index = implicit.swizzles;
    options.view_mask_buffer_index = implicit.third;
    options.indirect_params_buffer_index = implicit.third;
    options.shader_index_buffer_index = implicit.third;
    options.shader_output_buffer_index = implicit.output;
    options.shader_patch_output_buffer_index = implicit.patch_output;
    options.shader_tess_factor_output_buffer_index = implicit.tess_levels;
    // Tessellation's reserved slots stand where vertex buffers do.
    options.shader_input_buffer_index = moltenvk::BUFFERS - 1;
    options.shader_patch_input_buffer_index = moltenvk::BUFFERS - 2;
    options.multi_patch_workgroup = bit == Stage::TessellationControl;
    if bit == Stage::Vertex && tessellates {
        options.vertex_for_tessellation = true;
        options.capture_output_to_buffer = true;
        options.vertex_index_type = IndexType::Uint32;
    }
    if bit == Stage::TessellationControl {
        options.capture_output_to_buffer = true;
    }
    options
}

/// Reads the entry point's arguments back from the text.
fn declared(text: &str) -> Result<Declared, String> {
    let arguments = text.lines().find_map(entry_arguments).ok_or_else(|| format!("no entry point in\n{text}"))?;
    let mut found = Declared::default();
    for argument in split(arguments) {
        found.read_write += if argument.contains("access::read_write") { array_length(argument)? as usize } else { 0 };
        for (table, attribute) in found.tables.iter_mut().zip(["[[buffer(", "[[texture(", "[[sampler("]) {
            let Some((_, rest)) = argument.split_once(attribute) else { continue };
            let number = rest.split_once(')').map_or("", |(number, _)| number);
            let first: u32 = number.parse().map_err(|_| format!("no index: {argument}"))?;
            // A buffer's array is written as one argument an element.
            let length = if attribute == "[[buffer(" { 1 } else { array_length(argument)? };
            table.extend((first..first + length).map(|slot| (slot, argument.to_owned())));
        }
    }
    Ok(found)
}

/// The arguments of the line that begins an entry point: one with attributes before it or none, then the kind.
fn entry_arguments(line: &str) -> Option<&str> {
    let kinds = ["vertex ", "fragment ", "kernel "];
    let begins = |line: &str| kinds.iter().any(|kind| line.starts_with(kind));
    let from = if line.starts_with("[[") { line.find("]] ")? + 3 } else { 0 };
    let rest = line.get(from..).filter(|rest| begins(rest))?;
    Some(rest.split_once('(')?.1)
}

/// Splits an argument list at its own commas, not those of a template.
fn split(arguments: &str) -> Vec<&str> {
    let (mut depth, mut from) = (0_i32, 0);
    let mut parts = Vec::new();
    for (at, c) in arguments.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(arguments[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(arguments[from..].trim());
    parts
}

/// The elements of `array<T, N>`; 1 of anything else.
fn array_length(argument: &str) -> Result<u32, String> {
    let Some((_, rest)) = argument.split_once("array<") else { return Ok(1) };
    // `depth2d_array<float>` and its like are one texture.
    if !argument.starts_with("array<") && !argument.contains(" array<") {
        return Ok(1);
    }
    let parts = split(rest);
    let length = parts.get(1).and_then(|n| n.split_once('>')).map_or("", |(n, _)| n.trim());
    length.parse().map_err(|_| format!("an array of {length}: {argument}"))
}

#[test]
fn arguments_are_read_back() {
    let text = "fragment main0_out main0(constant A& a [[buffer(2)]], array<texture2d<float>, 17> t [[texture(3)]], \
                array<sampler, 2> s [[sampler(0)]], texture2d_array<float, access::read_write> u [[texture(20)]], \
                array<texture2d<float, access::read_write>, 3> v [[texture(21)]], float4 p [[position]])";
    let found = declared(text).unwrap();
    assert_eq!(found.tables.map(|table| table.len()), [1, 21, 2]);
    assert_eq!(found.read_write, 4);
}
