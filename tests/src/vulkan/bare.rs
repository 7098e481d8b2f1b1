//! Pipelines that nothing draws with: made of modules and their interfaces alone, and given to the driver to compile.
//!
//! Everything a pipeline needs beside its modules is read from the interfaces: set layouts, push constants, vertex
//! input, render targets, topology. Nothing is bound, so that no resource has to be made up.

use super::descriptors::vulkan_type;
use super::program::stage_flag;
use super::{Device, Result, failed};
use ash::vk;
use rx_translate::interface::{Component, Resource, Stage, StageInterface};
use std::collections::BTreeMap;
use std::ffi::CString;

/// Descriptors of an array without an end: any number does, nothing is bound.
const RUNTIME_ARRAY: u32 = 16;
/// Bytes of one vertex attribute, the widest format's.
const ATTRIBUTE_BYTES: u32 = 16;

/// A module and what it declares.
#[derive(Clone, Copy)]
pub struct BareStage<'a> {
    /// SPIR-V.
    pub words: &'a [u32],
    /// Its interface. Of a stage that only feeds or takes, an empty one will do.
    pub interface: &'a StageInterface,
}

/// Makes a pipeline of the stages, in pipeline order, and destroys it. A program without a pixel shader discards what it
/// would rasterise.
pub fn make_pipeline(device: &Device, stages: &[BareStage<'_>]) -> Result<()> {
    let mut made = Made { device, sets: Vec::new(), layout: vk::PipelineLayout::null(), modules: Vec::new() };
    made.layouts(stages)?;
    for stage in stages {
        let info = vk::ShaderModuleCreateInfo::default().code(stage.words);
        // SAFETY: the words are whole; the validation layers check them.
        let module = unsafe { device.raw.create_shader_module(&info, None) }.map_err(failed("a shader module"))?;
        made.modules.push(module);
    }
    let names: Vec<_> = stages.iter().map(|s| CString::new(s.interface.entry_point.as_str())).collect();
    let names = names.into_iter().collect::<std::result::Result<Vec<_>, _>>().map_err(|e| e.to_string())?;
    let infos: Vec<_> = stages
        .iter()
        .zip(&made.modules)
        .zip(&names)
        .map(|((stage, module), name)| {
            let flag = stage_flag(stage.interface.stage);
            vk::PipelineShaderStageCreateInfo::default().stage(flag).module(*module).name(name)
        })
        .collect();
    let pipeline = match stages {
        [one] if one.interface.stage == Stage::Compute => compute(device, infos[0], made.layout)?,
        _ => graphics(device, stages, &infos, made.layout)?,
    };
    // SAFETY: nothing uses it.
    unsafe { device.raw.destroy_pipeline(pipeline, None) };
    Ok(())
}

/// What a pipeline is made of, destroyed however far its making came.
struct Made<'a> {
    device: &'a Device,
    sets: Vec<vk::DescriptorSetLayout>,
    layout: vk::PipelineLayout,
    modules: Vec<vk::ShaderModule>,
}

impl Made<'_> {
    fn layouts(&mut self, stages: &[BareStage<'_>]) -> Result<()> {
        let raw = &self.device.raw;
        for bindings in set_bindings(stages) {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the device is live.
            self.sets.push(unsafe { raw.create_descriptor_set_layout(&info, None) }.map_err(failed("a set layout"))?);
        }
        let ranges: Vec<_> = stages
            .iter()
            .filter(|s| s.interface.push_constant_bytes > 0)
            .map(|s| vk::PushConstantRange {
                stage_flags: stage_flag(s.interface.stage),
                offset: 0,
                size: s.interface.push_constant_bytes,
            })
            .collect();
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&self.sets).push_constant_ranges(&ranges);
        // SAFETY: the device and the set layouts are live.
        self.layout = unsafe { raw.create_pipeline_layout(&info, None) }.map_err(failed("the pipeline layout"))?;
        Ok(())
    }
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        // SAFETY: no pipeline that was made of them is in use.
        unsafe {
            self.modules.iter().for_each(|m| self.device.raw.destroy_shader_module(*m, None));
            self.device.raw.destroy_pipeline_layout(self.layout, None);
            self.sets.iter().for_each(|s| self.device.raw.destroy_descriptor_set_layout(*s, None));
        }
    }
}

/// The bindings of each set from 0 to the last, as the interfaces say.
fn set_bindings(stages: &[BareStage<'_>]) -> Vec<Vec<vk::DescriptorSetLayoutBinding<'static>>> {
    let resources = || stages.iter().flat_map(|s| s.interface.resources.iter().map(|r| (r, s.interface.stage)));
    let sets = resources().map(|(r, _)| r.set + 1).max().unwrap_or(0);
    let of_set = |set| {
        resources().filter(move |(r, _)| r.set == set).map(|(r, stage): (&Resource, _)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(r.binding)
                .descriptor_type(vulkan_type(r.ty))
                .descriptor_count(r.count.unwrap_or(RUNTIME_ARRAY))
                .stage_flags(stage_flag(stage))
        })
    };
    (0..sets).map(|set| of_set(set).collect()).collect()
}

fn compute(
    device: &Device,
    stage: vk::PipelineShaderStageCreateInfo<'_>,
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline> {
    let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
    // SAFETY: module and layout are live.
    let made = unsafe { device.raw.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
    Ok(made.map_err(|(_, e)| failed("vkCreateComputePipelines")(e))?[0])
}

fn graphics(
    device: &Device,
    stages: &[BareStage<'_>],
    infos: &[vk::PipelineShaderStageCreateInfo<'_>],
    layout: vk::PipelineLayout,
) -> Result<vk::Pipeline> {
    let of = |stage| stages.iter().map(|s| s.interface).find(|i| i.stage == stage);
    let attributes = of(Stage::Vertex).map_or(Vec::new(), attributes);
    let stride = attributes.len().max(1) as u32 * ATTRIBUTE_BYTES;
    let bindings = [vk::VertexInputBindingDescription { binding: 0, stride, input_rate: vk::VertexInputRate::VERTEX }];
    let bindings = if attributes.is_empty() { &[][..] } else { &bindings[..] };
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(bindings)
        .vertex_attribute_descriptions(&attributes);
    let (topology, control_points) = topology(of(Stage::TessellationControl), of(Stage::Geometry));
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(control_points);
    let viewports = [vk::Viewport { width: 64.0, height: 64.0, max_depth: 1.0, ..Default::default() }];
    let scissors = [vk::Rect2D { extent: vk::Extent2D { width: 64, height: 64 }, ..Default::default() }];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let pixel = of(Stage::Fragment);
    let raster =
        vk::PipelineRasterizationStateCreateInfo::default().rasterizer_discard_enable(pixel.is_none()).line_width(1.0);
    let multisample =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = vk::PipelineDepthStencilStateCreateInfo::default();
    let formats = pixel.map_or(Vec::new(), targets);
    // A slot between others that the shader does not write.
    let mask = |format: &vk::Format| match *format {
        vk::Format::UNDEFINED => vk::ColorComponentFlags::empty(),
        _ => vk::ColorComponentFlags::RGBA,
    };
    let blends: Vec<_> =
        formats.iter().map(|f| vk::PipelineColorBlendAttachmentState::default().color_write_mask(mask(f))).collect();
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats)
        .depth_attachment_format(vk::Format::D32_SFLOAT_S8_UINT)
        .stencil_attachment_format(vk::Format::D32_SFLOAT_S8_UINT);
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(infos)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(layout)
        .push_next(&mut rendering);
    if control_points > 0 {
        info = info.tessellation_state(&patches);
    }
    // SAFETY: modules and layout are live, and the state outlives the call.
    let made = unsafe { device.raw.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    Ok(made.map_err(|(_, e)| failed("vkCreateGraphicsPipelines")(e))?[0])
}

/// A format of four wide components of a type.
fn format(component: Component) -> vk::Format {
    match component {
        Component::Float | Component::Double => vk::Format::R32G32B32A32_SFLOAT,
        Component::Uint => vk::Format::R32G32B32A32_UINT,
        Component::Sint => vk::Format::R32G32B32A32_SINT,
    }
}

/// One attribute a location that the vertex shader reads, after one another in one buffer.
fn attributes(vertex: &StageInterface) -> Vec<vk::VertexInputAttributeDescription> {
    let inputs: BTreeMap<_, _> = vertex.inputs.iter().filter_map(|i| Some((i.location?, i.component))).collect();
    let describe = |(n, (location, component))| vk::VertexInputAttributeDescription {
        location,
        binding: 0,
        format: format(component),
        offset: n as u32 * ATTRIBUTE_BYTES,
    };
    inputs.into_iter().enumerate().map(describe).collect()
}

/// A render target at each location that the pixel shader writes.
fn targets(pixel: &StageInterface) -> Vec<vk::Format> {
    let outputs: BTreeMap<_, _> = pixel.outputs.iter().filter_map(|o| Some((o.location?, o.component))).collect();
    let slots = outputs.keys().map(|location| location + 1).max().unwrap_or(0);
    (0..slots).map(|slot| outputs.get(&slot).map_or(vk::Format::UNDEFINED, |c| format(*c))).collect()
}

/// The topology that the first stage after the vertex shader takes, and the control points of a patch.
fn topology(hull: Option<&StageInterface>, geometry: Option<&StageInterface>) -> (vk::PrimitiveTopology, u32) {
    if let Some(hull) = hull {
        let points = hull.tessellation.as_ref().map_or(1, |t| t.input_control_points.max(1));
        return (vk::PrimitiveTopology::PATCH_LIST, points);
    }
    let primitive = geometry.and_then(|g| g.geometry.as_ref()).map(|g| g.input_primitive.as_str());
    let topology = match primitive {
        Some("point") => vk::PrimitiveTopology::POINT_LIST,
        Some("line") => vk::PrimitiveTopology::LINE_LIST,
        Some("line_adjacency") => vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY,
        Some("triangle_adjacency") => vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY,
        _ => vk::PrimitiveTopology::TRIANGLE_LIST,
    };
    (topology, 0)
}
