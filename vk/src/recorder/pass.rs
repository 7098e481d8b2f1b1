//! Passes and draws.
//!
//! Owns the way into and out of a pass, with or without render pass objects, and the cutting of one in two where a draw needs
//! what an earlier draw of the same pass wrote.

#![allow(unsafe_code)] // Vulkan calls.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;

use super::Recorder;
use crate::Error;
use crate::device::core::Rendering;
use crate::device::garbage::Trash;
use crate::pipeline::{Attachments, NotReady, Ops, Pipeline, RenderPassKey};
use crate::resource::{Buffer, Texture, View};
use crate::track::Use;

/// What becomes of a target's contents when a pass begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Load<T> {
    /// They stay.
    #[default]
    Keep,
    /// They become this.
    Clear(T),
    /// They are undefined: every pixel will be written.
    Discard,
}

/// A colour target.
#[derive(Clone)]
pub struct ColorTarget<'a> {
    /// One level of a texture.
    pub view: View<'a>,
    /// Contents at the beginning.
    pub load: Load<[f32; 4]>,
}

/// A depth target.
#[derive(Clone)]
pub struct DepthTarget<'a> {
    /// One level of a texture.
    pub view: View<'a>,
    /// Depth at the beginning; with [`Load::Clear`] the stencil becomes 0.
    pub load: Load<f32>,
    /// Tested and not written: then the pass may sample it too.
    pub read_only: bool,
}

/// What a pass renders to.
#[derive(Clone, Default)]
pub struct Targets<'a> {
    /// Colour targets; `None` leaves a place free.
    pub colors: &'a [Option<ColorTarget<'a>>],
    /// Depth target.
    pub depth: Option<DepthTarget<'a>>,
    /// Width and height where there is no target.
    pub size: [u32; 2],
}

/// Size of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Index {
    U16,
    U32,
}

impl Index {
    fn vulkan(self) -> vk::IndexType {
        match self {
            Index::U16 => vk::IndexType::UINT16,
            Index::U32 => vk::IndexType::UINT32,
        }
    }
}

/// Where a draw streams out to.
#[derive(Clone)]
pub struct StreamTarget<'a> {
    /// Buffers by number, each with the range that is written.
    pub buffers: &'a [(&'a Buffer, Range<u64>)],
    /// Four bytes a buffer, one after another, that keep how many bytes were written: the next draw goes on there, and
    /// [`Recorder::draw_auto`] draws them.
    pub counter: Option<&'a Buffer>,
    /// Begins anew, at the ranges' beginnings.
    pub restart: bool,
}

/// An attachment of the open pass.
struct Attachment {
    texture: Texture,
    mip: u32,
    view: vk::ImageView,
    used: Use,
    ops: Ops,
    clear: vk::ClearValue,
}

/// The pass being recorded.
pub(super) struct ActivePass {
    pub(super) number: u64,
    pub(super) commands: vk::CommandBuffer,
    pub(super) attachments: Attachments,
    colors: Vec<Option<Attachment>>,
    depth: Option<Attachment>,
    extent: vk::Extent2D,
    layers: u32,
}

/// Numbers of passes.
static NEXT: AtomicU64 = AtomicU64::new(1);

fn next_number() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

const NOT_IN_A_PASS: &str = "not in a pass; begin one first";

impl Recorder {
    /// Begins a pass. The viewport and the scissor are the whole target.
    ///
    /// # Errors
    /// [`Error::Argument`] within another pass, or for targets that do not go together; [`Error::OutOfMemory`].
    pub fn begin_pass(&mut self, targets: &Targets<'_>) -> Result<(), Error> {
        self.outside("a pass")?;
        let mut pass = open(targets)?;
        pass.number = next_number();
        self.enter(pass)?;
        self.whole_target()
    }

    /// Uses the attachments and begins a command buffer for the pass.
    fn enter(&mut self, mut pass: ActivePass) -> Result<(), Error> {
        // Before the pass is open, so that a barrier goes into the buffer before it.
        let mut uses: Vec<(Texture, u32, Use)> = Vec::with_capacity(pass.colors.len() + 1);
        for own in pass.colors.iter().flatten().chain(&pass.depth) {
            // Two layers of one level are used once.
            if !uses.iter().any(|(texture, mip, _)| texture.0.raw == own.texture.0.raw && *mip == own.mip) {
                uses.push((own.texture.clone(), own.mip, own.used));
            }
        }
        pass.commands = self.slot.begin(&self.device.0.core)?;
        self.pass = Some(pass);
        self.recent.forget();
        let begun = self.begin_with(&uses);
        if begun.is_err()
            && let Some(pass) = self.pass.take()
        {
            // Its buffer is recorded on, without the pass.
            self.leave(&pass)?;
        }
        self.binding.forget_state();
        begun
    }

    /// Uses the attachments and begins the pass in its buffer.
    fn begin_with(&mut self, uses: &[(Texture, u32, Use)]) -> Result<(), Error> {
        for (texture, mip, used) in uses {
            self.use_texture(texture, *mip..mip + 1, *used)?;
        }
        match &self.pass {
            // SAFETY: the buffer is being recorded.
            Some(pass) => unsafe { begin(&self.device, pass) },
            None => Ok(()),
        }
    }

    /// Ends the pass.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass, [`Error::OutOfMemory`].
    pub fn end_pass(&mut self) -> Result<(), Error> {
        let pass = self.pass.take().ok_or_else(|| argument("a pass's end", NOT_IN_A_PASS))?;
        // SAFETY: the buffer is being recorded, in the pass.
        unsafe { end(&self.device.0.core, self.device.0.dynamic_rendering, pass.commands) };
        self.recent.forget();
        self.leave(&pass)?;
        self.binding.end_pass();
        Ok(())
    }

    /// Records what must happen before the pass, and goes on after it.
    fn leave(&mut self, pass: &ActivePass) -> Result<(), Error> {
        if !self.batch.is_empty() {
            // Into the buffer before the pass's own.
            self.commands()?;
        }
        self.end_inline()?;
        self.inline = pass.commands;
        Ok(())
    }

    /// Ends the pass and begins it anew with its contents kept: a barrier can stand between.
    pub(super) fn cut_pass(&mut self) -> Result<(), Error> {
        let Some(mut pass) = self.pass.take() else { return Ok(()) };
        self.tally.cut += 1;
        // SAFETY: the buffer is being recorded, in the pass.
        unsafe { end(&self.device.0.core, self.device.0.dynamic_rendering, pass.commands) };
        self.leave(&pass)?;
        pass.number = next_number();
        for own in pass.colors.iter_mut().flatten().chain(&mut pass.depth) {
            own.ops.0 = vk::AttachmentLoadOp::LOAD;
            own.used.discard = false;
        }
        self.enter(pass)?;
        self.binding.rebind_all();
        Ok(())
    }

    #[inline]
    fn in_pass(&self, what: &str) -> Result<&ActivePass, Error> {
        self.pass.as_ref().ok_or_else(|| argument(what, NOT_IN_A_PASS))
    }

    fn whole_target(&mut self) -> Result<(), Error> {
        let extent = self.in_pass("a viewport")?.extent;
        self.viewport([0.0, 0.0, extent.width as f32, extent.height as f32, 0.0, 1.0])?;
        self.scissor([0, 0, extent.width as i32, extent.height as i32])
    }

    /// Sets the viewport as Direct3D has it: left, top, width, height, least and greatest depth.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass.
    pub fn viewport(&mut self, [x, y, width, height, min_depth, max_depth]: [f32; 6]) -> Result<(), Error> {
        self.in_pass("a viewport")?;
        // Direct3D's clip space has y up: a negative height turns it over.
        let viewport = vk::Viewport { x, y: y + height, width, height: -height, min_depth, max_depth };
        self.binding.viewport = Some(viewport);
        self.apply_state()
    }

    /// Sets the scissor rectangle: left, top, right, bottom.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass.
    pub fn scissor(&mut self, [left, top, right, bottom]: [i32; 4]) -> Result<(), Error> {
        self.in_pass("a scissor rectangle")?;
        let (left, top) = (left.max(0), top.max(0));
        let side = |from: i32, to: i32| to.saturating_sub(from).max(0).unsigned_abs();
        self.binding.scissor = Some(vk::Rect2D {
            offset: vk::Offset2D { x: left, y: top },
            extent: vk::Extent2D { width: side(left, right), height: side(top, bottom) },
        });
        self.apply_state()
    }

    /// Sets the blend factor and the stencil reference.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass.
    pub fn blend_and_stencil(&mut self, blend: [f32; 4], stencil: u32) -> Result<(), Error> {
        self.in_pass("a blend factor")?;
        self.binding.blend = blend;
        self.binding.stencil = stencil;
        self.binding.state_dirty = true;
        self.apply_state()
    }

    /// Records the dynamic state that the pass's buffer does not have yet.
    fn apply_state(&mut self) -> Result<(), Error> {
        let commands = self.in_pass("a pass's state")?.commands;
        let raw = &self.device.0.core.raw;
        let binding = &mut self.binding;
        // SAFETY: the buffer is being recorded.
        unsafe {
            if let Some(viewport) = binding.viewport {
                raw.cmd_set_viewport(commands, 0, &[viewport]);
            }
            if let Some(scissor) = binding.scissor {
                raw.cmd_set_scissor(commands, 0, &[scissor]);
            }
            if std::mem::take(&mut binding.state_dirty) {
                raw.cmd_set_blend_constants(commands, &binding.blend);
                raw.cmd_set_stencil_reference(commands, vk::StencilFaceFlags::FRONT_AND_BACK, binding.stencil);
            }
        }
        Ok(())
    }

    /// Takes a graphics pipeline. False: it is not compiled yet, and the draws up to the next pipeline are left out.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass, [`Error::Pipeline`] where it renders to other formats or the driver refused it.
    pub fn pipeline(&mut self, pipeline: &Pipeline, not_ready: NotReady) -> Result<bool, Error> {
        let pass = self.in_pass("a pipeline")?;
        let refused = |why: String| Error::Pipeline { pipeline: pipeline.name().to_owned(), why };
        if !self.binding.is(pipeline) {
            let own = pipeline.attachments().ok_or_else(|| refused("a compute pipeline in a pass".to_owned()))?;
            if own != pass.attachments {
                return Err(refused(format!("renders to {own:?}, the pass to {:?}", pass.attachments)));
            }
        }
        let raw = pipeline.get(not_ready)?;
        self.binding.take(pipeline, raw);
        Ok(raw.is_some())
    }

    /// Binds a vertex buffer.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass or past the buffer's end.
    pub fn vertex_buffer(&mut self, slot: u32, buffer: &Buffer, offset: u64) -> Result<(), Error> {
        self.in_pass("a vertex buffer")?;
        buffer.check(&(offset..buffer.size()))?;
        let (stages, access) = (vk::PipelineStageFlags::VERTEX_INPUT, vk::AccessFlags::VERTEX_ATTRIBUTE_READ);
        self.use_buffer(buffer, Use::read(stages, access, vk::ImageLayout::UNDEFINED))?;
        self.binding.vertex_buffer(slot, buffer, offset)
    }

    /// Binds an index buffer.
    ///
    /// # Errors
    /// As [`Recorder::vertex_buffer`].
    pub fn index_buffer(&mut self, buffer: &Buffer, offset: u64, index: Index) -> Result<(), Error> {
        self.in_pass("an index buffer")?;
        buffer.check(&(offset..buffer.size()))?;
        let (stages, access) = (vk::PipelineStageFlags::VERTEX_INPUT, vk::AccessFlags::INDEX_READ);
        self.use_buffer(buffer, Use::read(stages, access, vk::ImageLayout::UNDEFINED))?;
        self.binding.index_buffer(buffer, offset, index.vulkan());
        Ok(())
    }

    /// Binds what the next draw needs. `None`: its pipeline is not ready, and the draw is left out.
    #[inline]
    fn before_draw(&mut self) -> Result<Option<vk::CommandBuffer>, Error> {
        self.in_pass("a draw")?;
        if !self.prepare(vk::PipelineBindPoint::GRAPHICS)? {
            return Ok(None);
        }
        if self.binding.state_dirty {
            self.apply_state()?;
        }
        // Preparing may have cut the pass: its buffer is known only now.
        let commands = self.in_pass("a draw")?.commands;
        self.binding.apply(&self.device.0.core, commands, &mut self.slot.sets, &mut self.tally)?;
        self.tally.draws += 1;
        Ok(Some(commands))
    }

    /// Draws vertices.
    ///
    /// # Errors
    /// [`Error::Argument`] outside a pass, without a pipeline or a vertex buffer; [`Error::OutOfMemory`].
    #[inline]
    pub fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) -> Result<(), Error> {
        if let Some(commands) = self.before_draw()? {
            let (count, times) = (vertices.len() as u32, instances.len() as u32);
            // SAFETY: the buffer is being recorded, in a pass, with all that the pipeline needs bound.
            unsafe { self.device.0.core.raw.cmd_draw(commands, count, times, vertices.start, instances.start) };
        }
        Ok(())
    }

    /// Draws indices, each with `base_vertex` added.
    ///
    /// # Errors
    /// As [`Recorder::draw`], and without an index buffer.
    pub fn draw_indexed(&mut self, indices: Range<u32>, base_vertex: i32, instances: Range<u32>) -> Result<(), Error> {
        self.binding.check_indices()?;
        if let Some(commands) = self.before_draw()? {
            let (count, times) = (indices.len() as u32, instances.len() as u32);
            let raw = &self.device.0.core.raw;
            // SAFETY: as in `draw`.
            unsafe { raw.cmd_draw_indexed(commands, count, times, indices.start, base_vertex, instances.start) };
        }
        Ok(())
    }

    fn indirect(&mut self, buffer: &Buffer, offset: u64, bytes: u64) -> Result<(), Error> {
        buffer.check(&(offset..offset.saturating_add(bytes)))?;
        let (stages, access) = (vk::PipelineStageFlags::DRAW_INDIRECT, vk::AccessFlags::INDIRECT_COMMAND_READ);
        self.use_buffer(buffer, Use::read(stages, access, vk::ImageLayout::UNDEFINED))
    }

    /// Draws by arguments in a buffer: `count` of them, `stride` bytes apart (16 bytes each).
    ///
    /// # Errors
    /// As [`Recorder::draw`], and past the buffer's end.
    pub fn draw_indirect(&mut self, buffer: &Buffer, offset: u64, count: u32, stride: u32) -> Result<(), Error> {
        self.indirect(buffer, offset, arguments(count, stride, 16))?;
        if let Some(commands) = self.before_draw()? {
            let raw = &self.device.0.core.raw;
            self.each(count, stride, |at, count| {
                // SAFETY: as in `draw`; the arguments lie within the buffer.
                unsafe { raw.cmd_draw_indirect(commands, buffer.0.raw, offset + at, count, stride) };
            });
        }
        Ok(())
    }

    /// Draws indices by arguments in a buffer (20 bytes each).
    ///
    /// # Errors
    /// As [`Recorder::draw_indirect`], and without an index buffer.
    pub fn draw_indexed_indirect(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        count: u32,
        stride: u32,
    ) -> Result<(), Error> {
        self.binding.check_indices()?;
        self.indirect(buffer, offset, arguments(count, stride, 20))?;
        if let Some(commands) = self.before_draw()? {
            let raw = &self.device.0.core.raw;
            self.each(count, stride, |at, count| {
                // SAFETY: as in `draw_indirect`.
                unsafe { raw.cmd_draw_indexed_indirect(commands, buffer.0.raw, offset + at, count, stride) };
            });
        }
        Ok(())
    }

    /// Calls once for all, or once each where the device takes one at a time.
    fn each(&self, count: u32, stride: u32, mut call: impl FnMut(u64, u32)) {
        if count > 1 && self.device.0.core.features.core.multi_draw_indirect == vk::FALSE {
            (0..u64::from(count)).for_each(|i| call(i * u64::from(stride), 1));
        } else {
            call(0, count);
        }
    }

    /// Draws vertices and streams out what the last stage before the rasteriser emits.
    ///
    /// # Errors
    /// As [`Recorder::draw`]; [`Error::MissingFeatures`] on a device without transform feedback; [`Error::Argument`] for more
    /// than four buffers or ranges off four bytes.
    pub fn draw_streamed(
        &mut self,
        vertices: Range<u32>,
        instances: Range<u32>,
        target: &StreamTarget<'_>,
    ) -> Result<(), Error> {
        let device = self.device.clone();
        let feedback = device.0.core.feedback.as_ref().ok_or_else(|| missing_feedback(&device))?;
        self.use_stream(target)?;
        let Some(commands) = self.before_draw()? else { return Ok(()) };
        let buffers: Vec<vk::Buffer> = target.buffers.iter().map(|(buffer, _)| buffer.0.raw).collect();
        let offsets: Vec<u64> = target.buffers.iter().map(|(_, range)| range.start).collect();
        let sizes: Vec<u64> = target.buffers.iter().map(|(_, range)| range.end - range.start).collect();
        let counters: Vec<vk::Buffer> = target.counter.map_or(Vec::new(), |own| vec![own.0.raw; buffers.len()]);
        let places: Vec<u64> = (0..counters.len() as u64).map(|i| i * 4).collect();
        let (count, calls) = (counters.len() as u32, feedback.fp());
        let resumed = if target.restart { 0 } else { count };
        // SAFETY: the buffer is being recorded, in a pass; ranges and counters lie within live buffers.
        unsafe {
            let bind = calls.cmd_bind_transform_feedback_buffers_ext;
            bind(commands, 0, buffers.len() as u32, buffers.as_ptr(), offsets.as_ptr(), sizes.as_ptr());
            let begin = calls.cmd_begin_transform_feedback_ext;
            begin(commands, 0, resumed, counters.as_ptr(), places.as_ptr());
            let (number, times) = (vertices.len() as u32, instances.len() as u32);
            device.0.core.raw.cmd_draw(commands, number, times, vertices.start, instances.start);
            let end = calls.cmd_end_transform_feedback_ext;
            end(commands, 0, count, counters.as_ptr(), places.as_ptr());
        }
        Ok(())
    }

    fn use_stream(&mut self, target: &StreamTarget<'_>) -> Result<(), Error> {
        use vk::AccessFlags as A;
        use vk::PipelineStageFlags as S;
        if target.buffers.is_empty() || target.buffers.len() > 4 {
            return Err(argument("stream output", &format!("{} buffers; 1 to 4", target.buffers.len())));
        }
        for (buffer, range) in target.buffers {
            buffer.check(range)?;
            if !range.start.is_multiple_of(4) || range.is_empty() {
                return Err(buffer.argument(format!("streams out to {range:?}, off four bytes or empty")));
            }
            let used =
                Use::write(S::TRANSFORM_FEEDBACK_EXT, A::TRANSFORM_FEEDBACK_WRITE_EXT, vk::ImageLayout::UNDEFINED);
            self.use_buffer(buffer, used)?;
        }
        if let Some(counter) = target.counter {
            counter.check(&(0..target.buffers.len() as u64 * 4))?;
            let access = A::TRANSFORM_FEEDBACK_COUNTER_READ_EXT | A::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT;
            let stages = S::TRANSFORM_FEEDBACK_EXT | S::DRAW_INDIRECT;
            self.use_buffer(counter, Use::write(stages, access, vk::ImageLayout::UNDEFINED))?;
        }
        Ok(())
    }

    /// Draws as many vertices as were streamed out: the counter's bytes, `stride` bytes each.
    ///
    /// # Errors
    /// As [`Recorder::draw_streamed`].
    pub fn draw_auto(&mut self, counter: &Buffer, offset: u64, stride: u32) -> Result<(), Error> {
        let device = self.device.clone();
        let feedback = device.0.core.feedback.as_ref().ok_or_else(|| missing_feedback(&device))?;
        counter.check(&(offset..offset.saturating_add(4)))?;
        if stride == 0 || !stride.is_multiple_of(4) {
            return Err(counter.argument(format!("a stride of {stride} bytes")));
        }
        let access = vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_READ_EXT | vk::AccessFlags::INDIRECT_COMMAND_READ;
        let used = Use::read(vk::PipelineStageFlags::DRAW_INDIRECT, access, vk::ImageLayout::UNDEFINED);
        self.use_buffer(counter, used)?;
        if let Some(commands) = self.before_draw()? {
            let draw = feedback.fp().cmd_draw_indirect_byte_count_ext;
            // SAFETY: as in `draw`; the counter lies within a live buffer.
            unsafe { draw(commands, 1, 0, counter.0.raw, offset, 0, stride) };
        }
        Ok(())
    }
}

fn argument(object: &str, why: &str) -> Error {
    Error::Argument { object: object.to_owned(), why: why.to_owned() }
}

fn missing_feedback(device: &crate::Device) -> Error {
    Error::MissingFeatures { device: device.real_facts().name.clone(), missing: vec!["transformFeedback".to_owned()] }
}

/// Bytes of some arguments.
fn arguments(count: u32, stride: u32, size: u64) -> u64 {
    u64::from(count.saturating_sub(1)) * u64::from(stride) + size
}

/// A pass over these targets, with neither number nor buffer.
fn open(targets: &Targets<'_>) -> Result<ActivePass, Error> {
    use vk::AccessFlags as A;
    use vk::PipelineStageFlags as S;
    let mut extent: Option<[u32; 2]> = None;
    let (mut layers, mut samples) = (u32::MAX, None);
    let mut join = |view: &View<'_>| {
        let [width, height, _] = view.size();
        let own = [width, height];
        if extent.is_some_and(|there| there != own) || samples.is_some_and(|there| there != view.texture.0.samples) {
            return Err(argument(view.texture.name(), "differs from the pass's other targets in size or samples"));
        }
        extent = Some(own);
        samples = Some(view.texture.0.samples);
        layers = layers.min(view.layers.end.saturating_sub(view.layers.start));
        Ok(())
    };
    let mut colors = Vec::with_capacity(targets.colors.len());
    for target in targets.colors {
        let Some(target) = target else {
            colors.push(None);
            continue;
        };
        join(&target.view)?;
        let access = A::COLOR_ATTACHMENT_READ | A::COLOR_ATTACHMENT_WRITE;
        let layout = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
        let (load, clear) = match target.load {
            Load::Keep => (vk::AttachmentLoadOp::LOAD, [0.0; 4]),
            Load::Clear(color) => (vk::AttachmentLoadOp::CLEAR, color),
            Load::Discard => (vk::AttachmentLoadOp::DONT_CARE, [0.0; 4]),
        };
        colors.push(Some(Attachment {
            texture: target.view.texture.clone(),
            mip: target.view.mips.start,
            view: target.view.attachment()?,
            used: Use {
                discard: load != vk::AttachmentLoadOp::LOAD && covers(&target.view),
                ..Use::write(S::COLOR_ATTACHMENT_OUTPUT, access, layout)
            },
            ops: (load, vk::AttachmentStoreOp::STORE),
            clear: vk::ClearValue { color: vk::ClearColorValue { float32: clear } },
        }));
    }
    let mut depth = None;
    if let Some(target) = &targets.depth {
        join(&target.view)?;
        depth = Some(depth_attachment(target)?);
    }
    let attachments = Attachments {
        colors: targets
            .colors
            .iter()
            .map(|target| target.as_ref().map_or(vk::Format::UNDEFINED, |target| target.view.format))
            .collect(),
        depth: targets.depth.as_ref().map_or(vk::Format::UNDEFINED, |target| target.view.format),
        samples: samples.unwrap_or(1),
    };
    let [width, height] = extent.unwrap_or(targets.size);
    if width == 0 || height == 0 {
        return Err(argument("a pass", "has neither a target nor a size"));
    }
    Ok(ActivePass {
        number: 0,
        commands: vk::CommandBuffer::null(),
        attachments,
        colors,
        depth,
        extent: vk::Extent2D { width, height },
        layers: if layers == u32::MAX { 1 } else { layers },
    })
}

/// Whether a view is all layers of its level: only then may what was there be lost.
fn covers(view: &View<'_>) -> bool {
    view.layers == (0..view.texture.0.layers)
}

fn depth_attachment(target: &DepthTarget<'_>) -> Result<Attachment, Error> {
    use vk::AccessFlags as A;
    use vk::PipelineStageFlags as S;
    if !target.view.texture.0.info.is_depth() {
        return Err(argument(target.view.texture.name(), "is no depth format"));
    }
    let stages = S::EARLY_FRAGMENT_TESTS | S::LATE_FRAGMENT_TESTS;
    let used = if target.read_only {
        let layout = vk::ImageLayout::DEPTH_STENCIL_READ_ONLY_OPTIMAL;
        Use::read(stages, A::DEPTH_STENCIL_ATTACHMENT_READ, layout)
    } else {
        let access = A::DEPTH_STENCIL_ATTACHMENT_READ | A::DEPTH_STENCIL_ATTACHMENT_WRITE;
        Use::write(stages, access, vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL)
    };
    let (load, clear) = match target.load {
        _ if target.read_only => (vk::AttachmentLoadOp::LOAD, 0.0),
        Load::Keep => (vk::AttachmentLoadOp::LOAD, 0.0),
        Load::Clear(depth) => (vk::AttachmentLoadOp::CLEAR, depth),
        Load::Discard => (vk::AttachmentLoadOp::DONT_CARE, 0.0),
    };
    Ok(Attachment {
        texture: target.view.texture.clone(),
        mip: target.view.mips.start,
        view: target.view.attachment()?,
        used: Use { discard: load != vk::AttachmentLoadOp::LOAD && covers(&target.view), ..used },
        ops: (load, vk::AttachmentStoreOp::STORE),
        clear: vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: clear, stencil: 0 } },
    })
}

/// # Safety
/// The pass's buffer is being recorded.
unsafe fn begin(device: &crate::Device, pass: &ActivePass) -> Result<(), Error> {
    if device.0.dynamic_rendering {
        // SAFETY: as the caller promises.
        unsafe { begin_rendering(device, pass) };
        return Ok(());
    }
    let all = || pass.colors.iter().flatten().chain(&pass.depth);
    let ops = |own: &Option<Attachment>| {
        own.as_ref().map_or((vk::AttachmentLoadOp::LOAD, vk::AttachmentStoreOp::STORE), |own| own.ops)
    };
    let depth_layout = pass.depth.as_ref().map_or(vk::ImageLayout::UNDEFINED, |own| own.used.layout);
    let colors = pass.colors.iter().map(ops).collect();
    let key = RenderPassKey::new(pass.attachments.clone(), colors, ops(&pass.depth), depth_layout);
    let render_pass = device.0.render_pass(key)?;
    let views: Vec<vk::ImageView> = all().map(|own| own.view).collect();
    let info = vk::FramebufferCreateInfo::default()
        .render_pass(render_pass)
        .attachments(&views)
        .width(pass.extent.width)
        .height(pass.extent.height)
        .layers(pass.layers);
    let core = &device.0.core;
    // SAFETY: the pass and the views are live.
    let framebuffer = unsafe { core.raw.create_framebuffer(&info, None) };
    let framebuffer = framebuffer.map_err(device.failed("vkCreateFramebuffer", "a pass"))?;
    device.0.discard(Trash::Framebuffer(framebuffer));
    let clears: Vec<vk::ClearValue> = all().map(|own| own.clear).collect();
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: pass.extent };
    let info = vk::RenderPassBeginInfo::default()
        .render_pass(render_pass)
        .framebuffer(framebuffer)
        .render_area(area)
        .clear_values(&clears);
    // SAFETY: as the caller promises; the framebuffer lives until this recording's submission is done.
    unsafe { core.raw.cmd_begin_render_pass(pass.commands, &info, vk::SubpassContents::INLINE) };
    Ok(())
}

/// # Safety
/// As [`begin`].
unsafe fn begin_rendering(device: &crate::Device, pass: &ActivePass) {
    let describe = |own: &Attachment| {
        vk::RenderingAttachmentInfo::default()
            .image_view(own.view)
            .image_layout(own.used.layout)
            .load_op(own.ops.0)
            .store_op(own.ops.1)
            .clear_value(own.clear)
    };
    let colors: Vec<_> = pass.colors.iter().map(|own| own.as_ref().map(describe).unwrap_or_default()).collect();
    let depth = pass.depth.as_ref().map(describe);
    let aspects = pass.depth.as_ref().map(|own| own.texture.0.info.aspects).unwrap_or_default();
    let area = vk::Rect2D { offset: vk::Offset2D::default(), extent: pass.extent };
    let mut info = vk::RenderingInfo::default().render_area(area).layer_count(pass.layers).color_attachments(&colors);
    if let Some(depth) = depth.as_ref().filter(|_| aspects.contains(vk::ImageAspectFlags::DEPTH)) {
        info = info.depth_attachment(depth);
    }
    if let Some(depth) = depth.as_ref().filter(|_| aspects.contains(vk::ImageAspectFlags::STENCIL)) {
        info = info.stencil_attachment(depth);
    }
    let core = &device.0.core;
    // SAFETY: as the caller promises; the views are live.
    unsafe {
        match &core.rendering {
            Rendering::Extension(rendering) => rendering.cmd_begin_rendering(pass.commands, &info),
            _ => core.raw.cmd_begin_rendering(pass.commands, &info),
        }
    }
}

/// # Safety
/// The buffer is being recorded, in a pass that `begin` began.
unsafe fn end(core: &crate::device::core::Core, dynamic: bool, commands: vk::CommandBuffer) {
    // SAFETY: as the caller promises.
    unsafe {
        match &core.rendering {
            _ if !dynamic => core.raw.cmd_end_render_pass(commands),
            Rendering::Extension(rendering) => rendering.cmd_end_rendering(commands),
            _ => core.raw.cmd_end_rendering(commands),
        }
    }
}
