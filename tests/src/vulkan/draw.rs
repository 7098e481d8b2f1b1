//! Draws, as Direct3D describes them.

use super::formats::Aspect;
use super::memory::LEAD;
use super::pipeline;
use super::program::{Program, Stage, Translations};
use super::{Buffer, Device, Result, Texture};
use ash::ext::transform_feedback;
use ash::vk;
use rx_translate::interface::{self, Component};

/// How vertices make primitives, by Direct3D's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names are Direct3D's own.
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    TriangleList,
    TriangleStrip,
    LineListAdjacency,
    LineStripAdjacency,
    TriangleListAdjacency,
    TriangleStripAdjacency,
    /// Patches of so many control points.
    Patches(u32),
}

/// An element of the input layout: found in the vertex shader's inputs by its semantic, case ignored.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Semantic name.
    pub semantic: String,
    /// Semantic index.
    pub index: u32,
    /// DXGI format.
    pub format: u32,
    /// Vertex buffer slot.
    pub slot: u32,
    /// Bytes from the vertex's start.
    pub offset: u32,
}

/// A vertex buffer at a slot.
#[derive(Clone, Copy)]
pub struct VertexBuffer<'a> {
    /// Slot.
    pub slot: u32,
    /// Its content.
    pub buffer: &'a Buffer,
    /// Bytes a vertex.
    pub stride: u32,
    /// One element an instance, not a vertex.
    pub per_instance: bool,
}

/// A render target at a slot: `SV_Target` of that number.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// Slot.
    pub slot: u32,
    /// The texture, its content kept where nothing is drawn.
    pub texture: &'a Texture,
}

/// A depth buffer and its test; it is written where the test passes. A stencil beside it takes the reference, which the
/// pixel shader may give, and is 0 else.
#[derive(Clone, Copy)]
pub struct Depth<'a> {
    /// The texture.
    pub texture: &'a Texture,
    /// `D3D12_COMPARISON_FUNC`: 1 never, 2 less, … 8 always.
    pub function: u32,
}

impl Depth<'_> {
    pub(super) fn has_stencil(&self) -> bool {
        self.texture.options.format.aspect == Aspect::DepthStencil
    }
}

/// A draw. Nothing is culled, nothing is blended, depth runs from 0 to 1, y points up in clip space.
#[derive(Clone)]
pub struct Draw<'a> {
    /// The stages, in pipeline order.
    pub stages: Vec<Stage<'a>>,
    /// Primitives.
    pub topology: Topology,
    /// Vertices, or indices where there are any.
    pub vertices: u32,
    /// Instances.
    pub instances: u32,
    /// First vertex (with indices: added to each).
    pub first_vertex: u32,
    /// First instance.
    pub first_instance: u32,
    /// 32-bit indices.
    pub indices: Option<&'a Buffer>,
    /// The input layout.
    pub attributes: Vec<Attribute>,
    /// Vertex buffers.
    pub vertex_buffers: Vec<VertexBuffer<'a>>,
    /// Render targets.
    pub targets: Vec<Target<'a>>,
    /// Depth.
    pub depth: Option<Depth<'a>>,
    /// Viewports as Direct3D has them: left, top, width, height, least and greatest depth. None: the whole target.
    pub viewports: Vec<[f32; 6]>,
    /// Samples that may be written.
    pub sample_mask: u32,
    /// Width and height of what is drawn on where there is no target.
    pub size: [u32; 2],
    /// Buffers of the stream output, by number.
    pub stream_out: Vec<&'a Buffer>,
}

impl<'a> Draw<'a> {
    /// One triangle from three vertices without buffers.
    pub fn new(stages: Vec<Stage<'a>>) -> Draw<'a> {
        Draw {
            stages,
            topology: Topology::TriangleList,
            vertices: 3,
            instances: 1,
            first_vertex: 0,
            first_instance: 0,
            indices: None,
            attributes: Vec::new(),
            vertex_buffers: Vec::new(),
            targets: Vec::new(),
            depth: None,
            viewports: Vec::new(),
            sample_mask: u32::MAX,
            size: [64, 64],
            stream_out: Vec::new(),
        }
    }

    /// With a render target at slot 0.
    pub fn onto(mut self, texture: &'a Texture) -> Draw<'a> {
        self.targets.push(Target { slot: 0, texture });
        self
    }

    /// Draws and waits.
    pub fn run(&self, translations: &Translations) -> Result<()> {
        let device = translations.device();
        let program = Program::new(translations, &self.stages)?;
        let pipeline = pipeline::graphics(device, &program, self)?;
        let mut views = Vec::new();
        let ran = self.attachments(&program, &mut views).and_then(|attachments| {
            // SAFETY: everything that the commands use lives until `run` has waited.
            device.run(|raw, commands| unsafe {
                attachments.begin(raw, commands);
                raw.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
                program.bind(raw, commands, vk::PipelineBindPoint::GRAPHICS);
                let streaming = self.begin_streaming(device, commands);
                self.record(raw, commands);
                if let Some(streaming) = streaming {
                    let end = streaming.fp().cmd_end_transform_feedback_ext;
                    end(commands, 0, 0, std::ptr::null(), std::ptr::null());
                }
                raw.cmd_end_rendering(commands);
            })
        });
        destroy(device, pipeline, &views);
        ran
    }

    /// Begins to stream out where there is anything to stream to.
    ///
    /// # Safety
    /// The command buffer is being recorded, inside rendering.
    unsafe fn begin_streaming(
        &self,
        device: &Device,
        commands: vk::CommandBuffer,
    ) -> Option<transform_feedback::Device> {
        if self.stream_out.is_empty() {
            return None;
        }
        let streaming = transform_feedback::Device::new(&device.instance, &device.raw);
        let buffers: Vec<_> = self.stream_out.iter().map(|b| b.raw).collect();
        let sizes: Vec<_> = self.stream_out.iter().map(|b| b.len as u64).collect();
        // SAFETY: as the caller promises; the buffers outlive the submission.
        unsafe {
            let offsets: Vec<vk::DeviceSize> = vec![LEAD as u64; buffers.len()];
            let count = buffers.len() as u32;
            let bind = streaming.fp().cmd_bind_transform_feedback_buffers_ext;
            bind(commands, 0, count, buffers.as_ptr(), offsets.as_ptr(), sizes.as_ptr());
            let begin = streaming.fp().cmd_begin_transform_feedback_ext;
            begin(commands, 0, 0, std::ptr::null(), std::ptr::null());
        }
        Some(streaming)
    }

    /// # Safety
    /// The command buffer is being recorded, inside rendering.
    unsafe fn record(&self, raw: &ash::Device, commands: vk::CommandBuffer) {
        // SAFETY: as the caller promises; the buffers outlive the submission.
        unsafe {
            for vertices in &self.vertex_buffers {
                let (buffers, offsets, sizes) = ([vertices.buffer.raw], [LEAD as u64], [vertices.buffer.len as u64]);
                raw.cmd_bind_vertex_buffers2(commands, vertices.slot, &buffers, &offsets, Some(&sizes), None);
            }
            if let Some(indices) = self.indices {
                raw.cmd_bind_index_buffer(commands, indices.raw, LEAD as u64, vk::IndexType::UINT32);
                let base = self.first_vertex as i32;
                raw.cmd_draw_indexed(commands, self.vertices, self.instances, 0, base, self.first_instance);
            } else {
                raw.cmd_draw(commands, self.vertices, self.instances, self.first_vertex, self.first_instance);
            }
        }
    }

    /// Width, height and layers of what is drawn on.
    pub(super) fn extent(&self) -> (vk::Extent2D, u32) {
        let textures = self.targets.iter().map(|t| t.texture).chain(self.depth.map(|d| d.texture));
        let mut sizes = textures.map(|t| (t.options.size, t.options.layers));
        let Some(([width, height, _], layers)) = sizes.next() else {
            return (vk::Extent2D { width: self.size[0], height: self.size[1] }, 1);
        };
        let layers = sizes.map(|(_, layers)| layers).fold(layers, u32::min);
        (vk::Extent2D { width, height }, layers)
    }

    /// What the pixel shader writes to a target.
    pub(super) fn component(&self, program: &Program, slot: u32) -> Component {
        let outputs = program.interface(interface::Stage::Fragment).map_or(&[][..], |i| &i.outputs);
        outputs.iter().find(|o| o.location == Some(slot)).map_or(Component::Float, |o| o.component)
    }

    fn attachments(&self, program: &Program, views: &mut Vec<vk::ImageView>) -> Result<Attachments> {
        let kept = vk::RenderingAttachmentInfo::default()
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::LOAD)
            .store_op(vk::AttachmentStoreOp::STORE);
        let slots = self.targets.iter().map(|t| t.slot + 1).max().unwrap_or(0);
        let (extent, layers) = self.extent();
        let mut colors = vec![kept.image_view(vk::ImageView::null()); slots as usize];
        for target in &self.targets {
            let view = target.texture.target_view(self.component(program, target.slot))?;
            views.push(view);
            colors[target.slot as usize] = kept.image_view(view);
        }
        let mut depth = None;
        if let Some(buffer) = self.depth {
            let view = buffer.texture.target_view(Component::Float)?;
            views.push(view);
            depth = Some(kept.image_view(view));
        }
        let stencil = depth.filter(|_| self.depth.is_some_and(|d| d.has_stencil()));
        Ok(Attachments { extent, layers, colors, depth, stencil })
    }
}

/// What is rendered on.
struct Attachments {
    extent: vk::Extent2D,
    layers: u32,
    colors: Vec<vk::RenderingAttachmentInfo<'static>>,
    depth: Option<vk::RenderingAttachmentInfo<'static>>,
    stencil: Option<vk::RenderingAttachmentInfo<'static>>,
}

impl Attachments {
    /// # Safety
    /// The command buffer is being recorded and the views are live.
    unsafe fn begin(&self, raw: &ash::Device, commands: vk::CommandBuffer) {
        let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: self.extent };
        let mut info =
            vk::RenderingInfo::default().render_area(area).layer_count(self.layers).color_attachments(&self.colors);
        if let Some(depth) = &self.depth {
            info = info.depth_attachment(depth);
        }
        if let Some(stencil) = &self.stencil {
            info = info.stencil_attachment(stencil);
        }
        // SAFETY: as the caller promises.
        unsafe { raw.cmd_begin_rendering(commands, &info) };
    }
}

fn destroy(device: &Device, pipeline: vk::Pipeline, views: &[vk::ImageView]) {
    // SAFETY: the submission has been waited for.
    unsafe {
        device.raw.destroy_pipeline(pipeline, None);
        views.iter().for_each(|v| device.raw.destroy_image_view(*v, None));
    }
}
