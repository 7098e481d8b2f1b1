//! Graphics pipelines with Direct3D's conventions.

use super::descriptors::compare_op;
use super::draw::{Draw, Topology};
use super::formats::Format;
use super::program::Program;
use super::{Device, Result, failed};
use ash::vk;
use rx_translate::interface::{Stage, StageInterface};

/// The pipeline of a draw.
pub(super) fn graphics(device: &Device, program: &Program, draw: &Draw<'_>) -> Result<vk::Pipeline> {
    let samples = draw.targets.first().map(|t| t.texture).or(draw.depth.map(|d| d.texture));
    let samples = samples.map_or(1, |t| t.options.samples.max(1));
    let constants = program.constants(samples, &draw.stages);
    let stages = program.stage_infos(&constants);
    let (bindings, attributes) = vertex_input(program.interface(Stage::Vertex), draw)?;
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let (topology, control_points) = topology(draw.topology);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(control_points);
    let (viewports, scissors) = viewports(draw);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    // Direct3D's default: a clockwise front face. The viewport's negative height keeps Direct3D's winding on the screen.
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .front_face(vk::FrontFace::CLOCKWISE)
        .cull_mode(vk::CullModeFlags::NONE)
        .polygon_mode(vk::PolygonMode::FILL)
        .rasterizer_discard_enable(program.interface(Stage::Fragment).is_none() && draw.depth.is_none())
        .line_width(1.0);
    let samples = vk::SampleCountFlags::from_raw(samples);
    let mask = [draw.sample_mask];
    let multisample =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(samples).sample_mask(&mask);
    let depth = depth_state(draw);
    let mut blends = blends(program.interface(Stage::Fragment), draw);
    if program.dual_source {
        blends.iter_mut().for_each(add_to_second);
    }
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let formats = color_formats(program, draw);
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    if let Some(depth) = draw.depth {
        rendering = rendering.depth_attachment_format(depth.texture.options.format.vulkan);
        if depth.has_stencil() {
            rendering = rendering.stencil_attachment_format(depth.texture.options.format.vulkan);
        }
    }
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .layout(program.layout)
        .push_next(&mut rendering);
    if control_points > 0 {
        info = info.tessellation_state(&patches);
    }
    // SAFETY: modules and layout are live, and the state outlives the call.
    let made = unsafe { device.raw.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    Ok(made.map_err(|(_, e)| failed("vkCreateGraphicsPipelines")(e))?[0])
}

type VertexInput = (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>);

/// Elements that the vertex shader reads, at the locations of its inputs.
fn vertex_input(interface: Option<&StageInterface>, draw: &Draw<'_>) -> Result<VertexInput> {
    let rate = |per_instance| {
        if per_instance { vk::VertexInputRate::INSTANCE } else { vk::VertexInputRate::VERTEX }
    };
    let mut attributes = Vec::new();
    let inputs = interface.map_or(&[][..], |i| &i.inputs);
    for input in inputs {
        let Some(location) = input.location else { continue };
        let named = |a: &&_| {
            let a: &super::Attribute = a;
            a.semantic.eq_ignore_ascii_case(&input.semantic) && a.index == input.index
        };
        let element = draw.attributes.iter().find(named);
        let element = element.ok_or_else(|| format!("no vertex element for {}{}", input.semantic, input.index))?;
        let format = Format::of(element.format).ok_or_else(|| format!("DXGI format {}", element.format))?;
        attributes.push(
            vk::VertexInputAttributeDescription::default()
                .location(location)
                .binding(element.slot)
                .format(format.vulkan)
                .offset(element.offset),
        );
    }
    let bindings = draw.vertex_buffers.iter().filter(|b| attributes.iter().any(|a| a.binding == b.slot)).map(|b| {
        vk::VertexInputBindingDescription { binding: b.slot, stride: b.stride, input_rate: rate(b.per_instance) }
    });
    Ok((bindings.collect(), attributes))
}

fn topology(topology: Topology) -> (vk::PrimitiveTopology, u32) {
    use vk::PrimitiveTopology as T;
    match topology {
        Topology::PointList => (T::POINT_LIST, 0),
        Topology::LineList => (T::LINE_LIST, 0),
        Topology::LineStrip => (T::LINE_STRIP, 0),
        Topology::TriangleList => (T::TRIANGLE_LIST, 0),
        Topology::TriangleStrip => (T::TRIANGLE_STRIP, 0),
        Topology::LineListAdjacency => (T::LINE_LIST_WITH_ADJACENCY, 0),
        Topology::LineStripAdjacency => (T::LINE_STRIP_WITH_ADJACENCY, 0),
        Topology::TriangleListAdjacency => (T::TRIANGLE_LIST_WITH_ADJACENCY, 0),
        Topology::TriangleStripAdjacency => (T::TRIANGLE_STRIP_WITH_ADJACENCY, 0),
        Topology::Patches(points) => (T::PATCH_LIST, points),
    }
}

/// Direct3D's viewports: y points up, so the height is negative and the origin is below.
fn viewports(draw: &Draw<'_>) -> (Vec<vk::Viewport>, Vec<vk::Rect2D>) {
    let (extent, _) = draw.extent();
    let whole = [[0.0, 0.0, extent.width as f32, extent.height as f32, 0.0, 1.0]];
    let asked = if draw.viewports.is_empty() { &whole[..] } else { &draw.viewports[..] };
    let viewport = |[x, y, width, height, min_depth, max_depth]: &[f32; 6]| vk::Viewport {
        x: *x,
        y: y + height,
        width: *width,
        height: -height,
        min_depth: *min_depth,
        max_depth: *max_depth,
    };
    let scissor = vk::Rect2D { offset: vk::Offset2D::default(), extent };
    (asked.iter().map(viewport).collect(), vec![scissor; asked.len()])
}

fn depth_state(draw: &Draw<'_>) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let state = vk::PipelineDepthStencilStateCreateInfo::default();
    match draw.depth {
        None => state,
        Some(depth) => {
            let replace = vk::StencilOpState {
                pass_op: vk::StencilOp::REPLACE,
                compare_op: vk::CompareOp::ALWAYS,
                compare_mask: 0xff,
                write_mask: 0xff,
                ..Default::default()
            };
            state
                .depth_test_enable(true)
                .depth_write_enable(true)
                .depth_compare_op(compare_op(depth.function))
                .stencil_test_enable(depth.has_stencil())
                .front(replace)
                .back(replace)
        }
    }
}

fn color_formats(program: &Program, draw: &Draw<'_>) -> Vec<vk::Format> {
    let slots = draw.targets.iter().map(|t| t.slot + 1).max().unwrap_or(0);
    let mut formats = vec![vk::Format::UNDEFINED; slots as usize];
    for target in &draw.targets {
        let component = draw.component(program, target.slot);
        formats[target.slot as usize] = target.texture.options.format.of_component(component).vulkan;
    }
    formats
}

/// A target that the pixel shader does not write stays as it is: Vulkan would leave it undefined.
fn blends(pixel: Option<&StageInterface>, draw: &Draw<'_>) -> Vec<vk::PipelineColorBlendAttachmentState> {
    let written = |slot: u32| pixel.is_some_and(|p| p.outputs.iter().any(|o| o.location == Some(slot)));
    let slots = draw.targets.iter().map(|t| t.slot + 1).max().unwrap_or(0);
    let state = vk::PipelineColorBlendAttachmentState::default();
    let mask = |slot| if written(slot) { vk::ColorComponentFlags::RGBA } else { vk::ColorComponentFlags::empty() };
    (0..slots).map(|slot| state.color_write_mask(mask(slot))).collect()
}

/// The first source is added to the target times the second one.
fn add_to_second(state: &mut vk::PipelineColorBlendAttachmentState) {
    *state = state
        .blend_enable(true)
        .src_color_blend_factor(vk::BlendFactor::ONE)
        .dst_color_blend_factor(vk::BlendFactor::SRC1_COLOR)
        .src_alpha_blend_factor(vk::BlendFactor::ONE)
        .dst_alpha_blend_factor(vk::BlendFactor::SRC1_ALPHA);
}
