//! From a program and a state to Vulkan's structures, with Direct3D's conventions.
//!
//! Owns the conventions: y up in clip space (by a viewport of negative height), clockwise faces in front, depth from 0 to 1.

#![allow(unsafe_code)] // Vulkan calls.

use std::ffi::CStr;

use ash::vk;
use rx_translate::interface::{SignatureElement, Stage};

use super::render_pass::{Attachments, RenderPassKey};
use super::state::{Blend, ClassInstance, Cull, DepthState, GraphicsState, VertexElement};
use crate::Error;
use crate::device::Shared;
use crate::program::{Program, StageObject};

/// Specialization constants of a stage.
struct Constants {
    entries: Vec<vk::SpecializationMapEntry>,
    data: Vec<u8>,
}

impl Constants {
    fn new(stage: &StageObject, samples: u32, classes: &[ClassInstance]) -> Constants {
        let mut values: Vec<(u32, u32)> =
            stage.interface.rasterization_samples_id.into_iter().map(|id| (id, samples)).collect();
        for slot in &stage.interface.class_slots {
            let given = classes.iter().find(|own| own.stage == stage.stage && own.slot == slot.slot);
            values.extend(given.into_iter().flat_map(|own| (slot.first_id..).zip(own.values)));
        }
        let entry = |(index, &(constant_id, _)): (u32, &(u32, u32))| vk::SpecializationMapEntry {
            constant_id,
            offset: index * 4,
            size: 4,
        };
        Constants {
            entries: (0..).zip(&values).map(entry).collect(),
            data: values.iter().flat_map(|(_, value)| value.to_ne_bytes()).collect(),
        }
    }

    fn info(&self) -> vk::SpecializationInfo<'_> {
        vk::SpecializationInfo::default().map_entries(&self.entries).data(&self.data)
    }
}

/// A stage's structure.
fn stage_info<'a>(
    stage: &'a StageObject,
    constants: &'a vk::SpecializationInfo<'a>,
) -> vk::PipelineShaderStageCreateInfo<'a> {
    let entry: &CStr = &stage.entry;
    let bit = crate::layout::StageBits::of(stage.stage).flags();
    vk::PipelineShaderStageCreateInfo::default()
        .stage(bit)
        .module(stage.module)
        .name(entry)
        .specialization_info(constants)
}

/// Compiles a compute program.
pub(super) fn compute(
    device: &Shared,
    program: &Program,
    classes: &[ClassInstance],
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, Error> {
    let refused = |why: String| Error::Pipeline { pipeline: program.name().to_owned(), why };
    let stage = program.stage(Stage::Compute).ok_or_else(|| refused("the program has no compute stage".to_owned()))?;
    let constants = Constants::new(stage, 1, classes);
    let constants = constants.info();
    let info =
        vk::ComputePipelineCreateInfo::default().stage(stage_info(stage, &constants)).layout(program.0.layout.raw);
    // SAFETY: module, layout and cache are live, and the structures outlive the call.
    let made = unsafe { device.core.raw.create_compute_pipelines(cache, &[info], None) };
    one(made).map_err(|result| not_made("vkCreateComputePipelines", program.name(), result))
}

/// The pipeline of a call for one.
fn one(made: Result<Vec<vk::Pipeline>, (Vec<vk::Pipeline>, vk::Result)>) -> Result<vk::Pipeline, vk::Result> {
    let made = made.map_err(|(_, result)| result)?;
    made.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
}

fn not_made(call: &'static str, name: &str, result: vk::Result) -> Error {
    match result {
        vk::Result::ERROR_OUT_OF_HOST_MEMORY
        | vk::Result::ERROR_OUT_OF_DEVICE_MEMORY
        | vk::Result::ERROR_DEVICE_LOST => crate::error::vulkan(call, name)(result),
        result => Error::Pipeline { pipeline: name.to_owned(), why: format!("{call}: {result:?}") },
    }
}

/// Whether the program's vertex shader finds its inputs, and the device has what the state asks for.
pub(super) fn check(device: &Shared, program: &Program, state: &GraphicsState) -> Result<(), Error> {
    let refused = |why: String| Err(Error::Pipeline { pipeline: name(program, state).to_owned(), why });
    let Some(vertex) = program.stage(Stage::Vertex) else {
        return refused("the program has no vertex stage".to_owned());
    };
    for input in vertex.interface.inputs.iter().filter(|input| input.location.is_some()) {
        let Some(element) = element_of(state, input) else {
            return refused(format!("no vertex element for {}{}, which the shader reads", input.semantic, input.index));
        };
        if !state.streams.iter().any(|stream| stream.slot == element.slot) {
            return refused(format!("no stream {} for {}{}", element.slot, element.semantic, element.index));
        }
    }
    let features = &device.core.features.core;
    let needs = [
        (state.wireframe, features.fill_mode_non_solid, "fillModeNonSolid"),
        (!state.depth_clip, features.depth_clamp, "depthClamp"),
    ];
    if let Some((.., feature)) = needs.iter().find(|(asked, has, _)| *asked && *has == vk::FALSE) {
        return refused(format!("the device lacks {feature}"));
    }
    let tessellated = program.stage(Stage::TessellationControl).is_some();
    let patches = matches!(state.topology, super::Topology::Patches(_));
    if tessellated != patches {
        return refused(format!(
            "topology {:?} with{} hull stage",
            state.topology,
            if tessellated { " a" } else { "out a" }
        ));
    }
    if !state.samples.is_power_of_two() || state.samples > 64 {
        return refused(format!("{} samples", state.samples));
    }
    Ok(())
}

/// The state's name, else the program's.
pub(super) fn name<'a>(program: &'a Program, state: &'a GraphicsState) -> &'a str {
    if state.name.is_empty() { program.name() } else { &state.name }
}

/// The element that an input reads.
fn element_of<'a>(state: &'a GraphicsState, input: &SignatureElement) -> Option<&'a VertexElement> {
    let named = |own: &&VertexElement| {
        own.semantic.eq_ignore_ascii_case(&input.semantic) && own.index == input.index
            || own.semantic == "LOCATION" && Some(own.index) == input.location
    };
    state.elements.iter().find(named)
}

/// What of a pipeline is made: all of it, or one of the parts that VK_EXT_graphics_pipeline_library knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    VertexInput,
    PreRasterization,
    Fragment,
    Output,
}

impl Part {
    fn is(self, any: &[Part]) -> bool {
        self == Part::Whole || any.contains(&self)
    }

    fn flags(self) -> vk::GraphicsPipelineLibraryFlagsEXT {
        use vk::GraphicsPipelineLibraryFlagsEXT as F;
        match self {
            Part::Whole => F::empty(),
            Part::VertexInput => F::VERTEX_INPUT_INTERFACE,
            Part::PreRasterization => F::PRE_RASTERIZATION_SHADERS,
            Part::Fragment => F::FRAGMENT_SHADER,
            Part::Output => F::FRAGMENT_OUTPUT_INTERFACE,
        }
    }

    fn dynamic_states(self) -> &'static [vk::DynamicState] {
        use vk::DynamicState as D;
        match self {
            Part::Whole => &[D::VIEWPORT, D::SCISSOR, D::BLEND_CONSTANTS, D::STENCIL_REFERENCE],
            Part::VertexInput => &[],
            Part::PreRasterization => &[D::VIEWPORT, D::SCISSOR],
            Part::Fragment => &[D::STENCIL_REFERENCE],
            Part::Output => &[D::BLEND_CONSTANTS],
        }
    }

    fn stages(self, state: &GraphicsState, stage: Stage) -> bool {
        let fragment = stage == Stage::Fragment;
        match self {
            // A state that does not rasterise has no pixel shader.
            Part::Whole => state.rasterize || !fragment,
            Part::PreRasterization => !fragment,
            Part::Fragment => fragment,
            Part::VertexInput | Part::Output => false,
        }
    }
}

/// Compiles a graphics program, or a part of it.
pub(super) fn build(
    device: &Shared,
    program: &Program,
    state: &GraphicsState,
    part: Part,
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, Error> {
    let constants: Vec<Constants> =
        program.0.stages.iter().map(|stage| Constants::new(stage, state.samples, &state.classes)).collect();
    let infos: Vec<vk::SpecializationInfo<'_>> = constants.iter().map(Constants::info).collect();
    let stages: Vec<_> = (program.0.stages.iter().zip(&infos))
        .filter(|(stage, _)| part.stages(state, stage.stage))
        .map(|(stage, info)| stage_info(stage, info))
        .collect();
    let (bindings, attributes) = vertex_input(program, state);
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let (topology, points) = state.topology.vulkan();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(topology)
        .primitive_restart_enable(state.topology.restarts());
    let patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(points);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let raster = rasterization(state);
    let mask = [state.sample_mask];
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(state.samples))
        .sample_mask(&mask)
        .alpha_to_coverage_enable(state.alpha_to_coverage);
    let depth = state.depth.map(depth_stencil).unwrap_or_default();
    let blends = blends(device, program, state);
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(part.dynamic_states());
    let attachments = Attachments::of_state(state);
    let mut rendering = attachments.rendering();
    let mut library = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(part.flags());
    let mut info =
        vk::GraphicsPipelineCreateInfo::default().stages(&stages).dynamic_state(&dynamic).layout(program.0.layout.raw);
    if part.is(&[Part::VertexInput]) {
        info = info.vertex_input_state(&vertex_input).input_assembly_state(&assembly);
    }
    if part.is(&[Part::PreRasterization]) {
        info = info.viewport_state(&viewport).rasterization_state(&raster);
        if points > 0 {
            info = info.tessellation_state(&patches);
        }
    }
    if part.is(&[Part::Fragment]) {
        info = info.depth_stencil_state(&depth);
    }
    if part.is(&[Part::Fragment, Part::Output]) {
        info = info.multisample_state(&multisample);
    }
    if part.is(&[Part::Output]) {
        info = info.color_blend_state(&blend);
    }
    if part != Part::Whole {
        info = info.flags(vk::PipelineCreateFlags::LIBRARY_KHR).push_next(&mut library);
    }
    if device.dynamic_rendering {
        // Formats are the output's alone.
        if part.is(&[Part::Output]) {
            info = info.push_next(&mut rendering);
        }
    } else {
        info = info
            .render_pass(device.pipelines.render_passes.get(&device.core, RenderPassKey::compatible(&attachments))?);
    }
    create(device, program, state, &info, cache)
}

/// Links a pipeline of its parts, quickly.
pub(super) fn link(
    device: &Shared,
    program: &Program,
    state: &GraphicsState,
    parts: &[vk::Pipeline],
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, Error> {
    let mut libraries = vk::PipelineLibraryCreateInfoKHR::default().libraries(parts);
    let info = vk::GraphicsPipelineCreateInfo::default().layout(program.0.layout.raw).push_next(&mut libraries);
    create(device, program, state, &info, cache)
}

fn create(
    device: &Shared,
    program: &Program,
    state: &GraphicsState,
    info: &vk::GraphicsPipelineCreateInfo<'_>,
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline, Error> {
    // SAFETY: modules, layout, pass, parts and cache are live, and the structures outlive the call.
    let made = unsafe { device.core.raw.create_graphics_pipelines(cache, std::slice::from_ref(info), None) };
    one(made).map_err(|result| not_made("vkCreateGraphicsPipelines", name(program, state), result))
}

type VertexInput = (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>);

/// Elements that the vertex shader reads, at the locations of its inputs, and the streams that they come from.
fn vertex_input(program: &Program, state: &GraphicsState) -> VertexInput {
    let inputs = program.stage(Stage::Vertex).map_or(&[][..], |stage| &stage.interface.inputs);
    let attribute = |input: &SignatureElement| {
        let (location, element) = (input.location?, element_of(state, input)?);
        Some(vk::VertexInputAttributeDescription {
            location,
            binding: element.slot,
            format: element.format,
            offset: element.offset,
        })
    };
    let mut attributes: Vec<vk::VertexInputAttributeDescription> = inputs.iter().filter_map(attribute).collect();
    // Two elements of one register are one location.
    attributes.sort_by_key(|own| own.location);
    attributes.dedup_by_key(|own| own.location);
    let used = |slot: u32| attributes.iter().any(|own| own.binding == slot);
    let streams = state.streams.iter().filter(|stream| used(stream.slot));
    let bindings = streams.map(|stream| vk::VertexInputBindingDescription {
        binding: stream.slot,
        stride: stream.stride,
        input_rate: if stream.per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX },
    });
    (bindings.collect(), attributes)
}

fn rasterization(state: &GraphicsState) -> vk::PipelineRasterizationStateCreateInfo<'static> {
    let cull = match state.cull {
        Cull::None => vk::CullModeFlags::NONE,
        Cull::Back => vk::CullModeFlags::BACK,
        Cull::Front => vk::CullModeFlags::FRONT,
    };
    // The viewport's negative height turns y over, so that a winding on the screen is Direct3D's.
    let front = if state.front_counter_clockwise { vk::FrontFace::COUNTER_CLOCKWISE } else { vk::FrontFace::CLOCKWISE };
    let mut info = vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(if state.wireframe { vk::PolygonMode::LINE } else { vk::PolygonMode::FILL })
        .cull_mode(cull)
        .front_face(front)
        .depth_clamp_enable(!state.depth_clip)
        .rasterizer_discard_enable(!state.rasterize)
        .line_width(1.0);
    if let Some(bias) = state.depth_bias {
        info = info
            .depth_bias_enable(true)
            .depth_bias_constant_factor(bias.constant as f32)
            .depth_bias_slope_factor(bias.slope())
            .depth_bias_clamp(bias.clamp());
    }
    info
}

fn depth_stencil(depth: DepthState) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let mut info = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(depth.test)
        .depth_write_enable(depth.test && depth.write)
        .depth_compare_op(depth.compare.op());
    if let Some(stencil) = depth.stencil {
        info = info
            .stencil_test_enable(true)
            .front(stencil.front.vulkan(stencil.read_mask, stencil.write_mask))
            .back(stencil.back.vulkan(stencil.read_mask, stencil.write_mask));
    }
    info
}

/// A structure a target. What the pixel shader does not write stays as it is.
fn blends(device: &Shared, program: &Program, state: &GraphicsState) -> Vec<vk::PipelineColorBlendAttachmentState> {
    let fragment = program.stage(Stage::Fragment);
    let written = |location: u32| {
        fragment.is_some_and(|stage| stage.interface.outputs.iter().any(|output| output.location == Some(location)))
    };
    let target = |(location, target): (u32, &super::TargetState)| {
        let mask = vk::ColorComponentFlags::from_raw(u32::from(target.write_mask & 0xf));
        let mask = if written(location) { mask } else { vk::ColorComponentFlags::empty() };
        let mut info = vk::PipelineColorBlendAttachmentState::default()
            .color_write_mask(device.pipeline_fixes.write_mask(target.format, mask));
        if let Some(Blend { color, alpha }) = target.blend {
            info = info
                .blend_enable(true)
                .src_color_blend_factor(color.src)
                .dst_color_blend_factor(color.dst)
                .color_blend_op(color.op)
                .src_alpha_blend_factor(alpha.src)
                .dst_alpha_blend_factor(alpha.dst)
                .alpha_blend_op(alpha.op);
        }
        info
    };
    (0..).zip(&state.targets).map(target).collect()
}
