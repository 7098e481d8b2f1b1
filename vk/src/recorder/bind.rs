//! What is bound, and how it reaches the next draw or dispatch.
//!
//! Owns the table of descriptors of the current program. The same call binds to a pushed set and to one that is written:
//! which of them it is shows only when the table is applied.

#![allow(unsafe_code)] // Vulkan calls.

use std::ops::Range;
use std::sync::Arc;

use ash::vk;
use rx_translate::interface::{DescriptorType, Dimension};

use super::{Recorder, Tally};
use crate::Error;
use crate::descriptors::{Descriptor, Sets};
use crate::device::core::Core;
use crate::pipeline::{NotReady, Pipeline};
use crate::program::{Place, Program, Slot, defaults};
use crate::resource::{Buffer, Sampler, TexelView, Texture, View};
use crate::track::Use;

/// Something to bind.
#[derive(Clone)]
pub enum Bound<'a> {
    /// A range of a buffer.
    Range(&'a Buffer, Range<u64>),
    /// A typed view of a buffer.
    Texels(&'a TexelView),
    /// A part of a texture, shaped as the shader declares it.
    View(View<'a>),
    /// A sampler.
    Sampler(&'a Sampler),
    /// A texture and its sampler, for one combined descriptor.
    Combined(View<'a>, &'a Sampler),
    /// Nothing: reads give zeros.
    Nothing,
}

impl<'a> From<&'a Buffer> for Bound<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Bound::Range(buffer, 0..buffer.size())
    }
}

impl<'a> From<(&'a Buffer, Range<u64>)> for Bound<'a> {
    fn from((buffer, range): (&'a Buffer, Range<u64>)) -> Self {
        Bound::Range(buffer, range)
    }
}

impl<'a> From<&'a TexelView> for Bound<'a> {
    fn from(view: &'a TexelView) -> Self {
        Bound::Texels(view)
    }
}

impl<'a> From<&'a Texture> for Bound<'a> {
    fn from(texture: &'a Texture) -> Self {
        Bound::View(texture.whole())
    }
}

impl<'a> From<View<'a>> for Bound<'a> {
    fn from(view: View<'a>) -> Self {
        Bound::View(view)
    }
}

impl<'a> From<&'a Sampler> for Bound<'a> {
    fn from(sampler: &'a Sampler) -> Self {
        Bound::Sampler(sampler)
    }
}

/// What stands at a descriptor whose use is taken in again at every draw or dispatch.
#[derive(Clone)]
enum Held {
    Nothing,
    Buffer(Buffer, Use),
    Texture(Texture, Range<u32>, Use),
}

/// What is bound, and what of it the command buffer does not know yet.
#[derive(Default)]
pub(super) struct Binding {
    program: Option<Program>,
    pipeline: Option<Pipeline>,
    raw: Option<vk::Pipeline>,
    table: Vec<Descriptor>,
    /// By descriptor; kept of what shaders write, and of everything of a compute program.
    held: Vec<Held>,
    /// By descriptor: it was bound since the last draw or dispatch, and its use is taken in already.
    fresh: Vec<bool>,
    /// Whether anything is held.
    holds: bool,
    /// The pipeline has all that it reads of vertices.
    checked: bool,
    /// A bit a set of the layout.
    dirty: u64,
    pipeline_dirty: bool,
    push_constants: Vec<u8>,
    push_dirty: bool,
    vertices: Vec<Option<(vk::Buffer, u64)>>,
    vertices_dirty: bool,
    indices: Option<(vk::Buffer, u64, vk::IndexType)>,
    indices_dirty: bool,
    pub(super) viewport: Option<vk::Viewport>,
    pub(super) scissor: Option<vk::Rect2D>,
    pub(super) blend: [f32; 4],
    pub(super) stencil: u32,
    pub(super) state_dirty: bool,
}

/// Vertex buffers that a device has at least (`maxVertexInputBindings`).
const STREAMS: u32 = 16;

impl Binding {
    /// Whether this pipeline is taken already.
    pub(super) fn is(&self, pipeline: &Pipeline) -> bool {
        self.pipeline.as_ref().is_some_and(|own| Arc::ptr_eq(&own.0, &pipeline.0))
    }

    /// Takes a pipeline; of another program than before with nothing bound.
    pub(super) fn take(&mut self, pipeline: &Pipeline, raw: Option<vk::Pipeline>) {
        if self.is(pipeline) && self.raw == raw {
            return;
        }
        let program = pipeline.program();
        if self.program.as_ref().is_none_or(|own| own.0.id != program.0.id) {
            self.table = defaults(program);
            self.held.clear();
            self.held.resize(self.table.len(), Held::Nothing);
            self.fresh.clear();
            self.fresh.resize(self.table.len(), false);
            self.holds = false;
            self.push_constants.clear();
            self.push_dirty = false;
            self.program = Some(program.clone());
            self.dirty = u64::MAX;
        }
        self.pipeline = Some(pipeline.clone());
        self.raw = raw;
        self.pipeline_dirty = true;
        self.checked = false;
    }

    pub(super) fn vertex_buffer(&mut self, slot: u32, buffer: &Buffer, offset: u64) -> Result<(), Error> {
        if slot >= STREAMS {
            return Err(buffer.argument(format!("stream {slot}; up to {}", STREAMS - 1)));
        }
        let slot = slot as usize;
        if self.vertices.len() <= slot {
            self.vertices.resize(slot + 1, None);
        }
        self.vertices[slot] = Some((buffer.0.raw, offset));
        self.vertices_dirty = true;
        Ok(())
    }

    pub(super) fn index_buffer(&mut self, buffer: &Buffer, offset: u64, index: vk::IndexType) {
        self.indices = Some((buffer.0.raw, offset, index));
        self.indices_dirty = true;
    }

    pub(super) fn check_indices(&self) -> Result<(), Error> {
        if self.indices.is_some() {
            return Ok(());
        }
        Err(Error::Argument { object: "an indexed draw".to_owned(), why: "no index buffer is bound".to_owned() })
    }

    /// A new command buffer knows nothing.
    pub(super) fn rebind_all(&mut self) {
        self.dirty = u64::MAX;
        self.pipeline_dirty = true;
        self.push_dirty = !self.push_constants.is_empty();
        self.vertices_dirty = true;
        self.indices_dirty = self.indices.is_some();
        self.state_dirty = true;
    }

    /// The dynamic state of a pass's new command buffer.
    pub(super) fn forget_state(&mut self) {
        self.state_dirty = true;
    }

    /// Nothing stays bound from one pass to the next.
    pub(super) fn end_pass(&mut self) {
        *self = Binding::default();
    }

    /// Whether all that the pipeline reads of vertices is bound.
    fn check(&mut self, point: vk::PipelineBindPoint) -> Result<(), Error> {
        let missing = |why: String| Error::Argument { object: "a draw or dispatch".to_owned(), why };
        let pipeline = self.pipeline.as_ref().ok_or_else(|| missing("no pipeline is set".to_owned()))?;
        if pipeline.point() != point {
            return Err(missing("the pipeline is of the other kind".to_owned()));
        }
        let bound = |slot: u32| self.vertices.get(slot as usize).is_some_and(Option::is_some);
        if let Some(slot) = pipeline.streams().find(|&slot| !bound(slot)) {
            return Err(missing(format!("{} reads stream {slot}, which is not bound", pipeline.name())));
        }
        self.checked = true;
        Ok(())
    }

    /// Records what the command buffer does not know yet.
    #[inline]
    pub(super) fn apply(
        &mut self,
        core: &Core,
        commands: vk::CommandBuffer,
        sets: &mut Sets,
        tally: &mut Tally,
    ) -> Result<(), Error> {
        let (Some(pipeline), Some(raw)) = (&self.pipeline, self.raw) else { return Ok(()) };
        let (point, layout) = (pipeline.point(), &pipeline.0.program.0.layout);
        // SAFETY: the buffer is being recorded, and what is bound lives until its submission is done.
        unsafe {
            if std::mem::take(&mut self.pipeline_dirty) {
                core.raw.cmd_bind_pipeline(commands, point, raw);
            }
            if std::mem::take(&mut self.vertices_dirty) {
                for (slot, own) in (0..).zip(&self.vertices) {
                    if let Some((buffer, offset)) = own {
                        core.raw.cmd_bind_vertex_buffers(commands, slot, &[*buffer], &[*offset]);
                    }
                }
            }
            if std::mem::take(&mut self.indices_dirty)
                && let Some((buffer, offset, index)) = self.indices
            {
                core.raw.cmd_bind_index_buffer(commands, buffer, offset, index);
            }
            if std::mem::take(&mut self.push_dirty)
                && let Some((stages, _)) = layout.push_constants
            {
                core.raw.cmd_push_constants(commands, layout.raw, stages, 0, &self.push_constants);
            }
        }
        if self.dirty == 0 {
            return Ok(());
        }
        for (index, set) in layout.sets.iter().enumerate() {
            if self.dirty & 1 << index.min(63) == 0 {
                continue;
            }
            let descriptors = &self.table[set.first..][..set.len];
            if set.pushed {
                // SAFETY: as above.
                unsafe { set.push(core, commands, point, layout.raw, descriptors) };
                tally.pushed += 1;
            } else {
                let own = sets.get(core, set, descriptors, tally)?;
                // SAFETY: as above; the set is written and lives until the slot is reset.
                unsafe { core.raw.cmd_bind_descriptor_sets(commands, point, layout.raw, set.number, &[own], &[]) };
            }
        }
        self.dirty = 0;
        Ok(())
    }
}

impl Recorder {
    /// Takes a compute pipeline. False: it is not compiled yet, and the dispatches up to the next one are left out.
    ///
    /// # Errors
    /// [`Error::Argument`] within a pass, [`Error::Pipeline`] of a graphics pipeline or one that the driver refused.
    pub fn compute_pipeline(&mut self, pipeline: &Pipeline, not_ready: NotReady) -> Result<bool, Error> {
        self.outside("a compute pipeline")?;
        if pipeline.point() != vk::PipelineBindPoint::COMPUTE {
            let why = "a graphics pipeline outside a pass".to_owned();
            return Err(Error::Pipeline { pipeline: pipeline.name().to_owned(), why });
        }
        let raw = pipeline.get(not_ready)?;
        self.binding.take(pipeline, raw);
        // Between two dispatches the buffer may have become another one.
        self.binding.rebind_all();
        Ok(raw.is_some())
    }

    /// Looks a name of the current program up.
    ///
    /// # Errors
    /// [`Error::Argument`] without a pipeline, [`Error::Binding`] with the nearest name.
    pub fn slot(&self, name: &str) -> Result<Slot, Error> {
        self.program()?.slot(name)
    }

    /// The current program.
    ///
    /// # Errors
    /// [`Error::Argument`] without a pipeline.
    pub fn program(&self) -> Result<&Program, Error> {
        self.binding.program.as_ref().ok_or_else(no_pipeline)
    }

    /// Binds something at a slot of the current program, in every stage that has it.
    ///
    /// # Errors
    /// [`Error::Binding`] where it does not fit, [`Error::Hazard`], [`Error::Argument`] for a range past an end,
    /// [`Error::OutOfMemory`].
    pub fn bind<'a>(&mut self, slot: Slot, value: impl Into<Bound<'a>>) -> Result<(), Error> {
        self.bind_element(slot, 0, value)
    }

    /// Binds something at one element of an array.
    ///
    /// # Errors
    /// As [`Recorder::bind`], and past the array's end.
    #[inline]
    pub fn bind_element<'a>(&mut self, slot: Slot, element: u32, value: impl Into<Bound<'a>>) -> Result<(), Error> {
        let value = value.into();
        if self.bind_again(slot, element as usize, &value).is_some() {
            return Ok(());
        }
        self.bind_anew(slot, element, &value)
    }

    /// Binds what a pass has read in the same way before, which changes nothing but the table: what most draws do. `None`:
    /// it is another case, or refused, and is to be bound anew.
    #[inline]
    fn bind_again(&mut self, slot: Slot, element: usize, value: &Bound<'_>) -> Option<()> {
        use DescriptorType as T;
        self.pass.as_ref()?;
        let program = self.binding.program.as_ref()?;
        for &index in program.0.places.of(slot) {
            let place = program.0.places.place(index);
            let (descriptor, read) = match (place.ty, value) {
                _ if element >= place.count => return None,
                (T::UniformBuffer | T::StorageBuffer, Bound::Range(buffer, range)) => {
                    (place.buffer(buffer, range)?, Some((buffer.0.id, vk::ImageLayout::UNDEFINED)))
                }
                (T::SampledImage, Bound::View(view)) => {
                    let layout = layout_of(place, view);
                    let known = view.known(dimension_of(place))?;
                    (Descriptor::image(known, layout), Some((view.texture.key(&view.mips), layout)))
                }
                (T::Sampler, Bound::Sampler(sampler)) => (Descriptor::sampler(sampler.0.raw), None),
                _ => return None,
            };
            // What is written never counts as read before.
            if let Some((key, layout)) = read
                && place.used
                && !self.recent.has(key, &place.usage(layout))
            {
                return None;
            }
            put(&mut self.binding.table, &mut self.binding.dirty, place, element, descriptor);
        }
        Some(())
    }

    fn bind_anew(&mut self, slot: Slot, element: u32, value: &Bound<'_>) -> Result<(), Error> {
        // Taken out for the time: counting its owners would cost as much as all the rest.
        let program = self.binding.program.take().ok_or_else(no_pipeline)?;
        let bound = self.bind_places(&program, slot, element as usize, value);
        self.binding.program = Some(program);
        bound
    }

    #[inline]
    fn bind_places(&mut self, program: &Program, slot: Slot, element: usize, value: &Bound<'_>) -> Result<(), Error> {
        for &index in program.0.places.of(slot) {
            let place = program.0.places.place(index);
            if element >= place.count {
                let why = format!("element {element} of an array of {}", place.count);
                return Err(misfit(program, slot, why));
            }
            let descriptor = self.descriptor(program, slot, place, value)?;
            put(&mut self.binding.table, &mut self.binding.dirty, place, element, descriptor);
            // What is bound counts as used from here on; what is written is looked at again at every draw.
            let again = place.used && (self.pass.is_none() || place.writes());
            let at = place.first + element;
            match value {
                Bound::Range(buffer, _) => self.use_bound(place, buffer, at, again)?,
                Bound::Texels(view) => self.use_bound(place, &view.buffer, at, again)?,
                Bound::View(view) | Bound::Combined(view, _) if place.used => {
                    let mips = levels(place, view);
                    let used = place.usage(layout_of(place, view));
                    self.use_texture(view.texture, mips.clone(), used)?;
                    self.hold(at, again, || Held::Texture(view.texture.clone(), mips, used));
                }
                _ => self.hold(at, false, || Held::Nothing),
            }
        }
        Ok(())
    }

    #[inline]
    fn use_bound(&mut self, place: &Place, buffer: &Buffer, at: usize, again: bool) -> Result<(), Error> {
        if place.used {
            let used = place.usage(vk::ImageLayout::UNDEFINED);
            self.use_buffer(buffer, used)?;
            self.hold(at, again, || Held::Buffer(buffer.clone(), used));
        }
        Ok(())
    }

    /// Keeps what is to be looked at again.
    #[inline]
    fn hold(&mut self, at: usize, again: bool, held: impl FnOnce() -> Held) {
        if again {
            self.binding.held[at] = held();
            self.binding.fresh[at] = true;
        } else if self.binding.holds {
            self.binding.held[at] = Held::Nothing;
        }
        self.binding.holds |= again;
    }

    fn use_held(&mut self, held: &Held) -> Result<(), Error> {
        match held {
            Held::Nothing => Ok(()),
            Held::Buffer(buffer, used) => self.use_buffer(buffer, *used),
            Held::Texture(texture, mips, used) => self.use_texture(texture, mips.clone(), *used),
        }
    }

    /// The descriptor of something at a place.
    #[inline]
    fn descriptor(&self, program: &Program, slot: Slot, place: &Place, value: &Bound<'_>) -> Result<Descriptor, Error> {
        use DescriptorType as T;
        match (place.ty, value) {
            (T::UniformBuffer | T::StorageBuffer, Bound::Range(buffer, range)) => {
                place.buffer(buffer, range).ok_or_else(|| place.misfit(buffer, range))
            }
            (T::UniformTexelBuffer | T::StorageTexelBuffer, Bound::Texels(view)) => Ok(Descriptor::texel(view.raw)),
            (T::Sampler, Bound::Sampler(sampler)) => Ok(Descriptor::sampler(sampler.0.raw)),
            (T::SampledImage | T::StorageImage | T::InputAttachment, Bound::View(view)) => image(place, view),
            (T::CombinedImageSampler, Bound::Combined(view, sampler)) => {
                Ok(image(place, view)?.with_sampler(sampler.0.raw))
            }
            (_, Bound::Nothing) => Ok(program.0.places.defaults()[place.first]),
            (ty, value) => {
                let given = match value {
                    Bound::Range(..) => "a buffer",
                    Bound::Texels(_) => "a typed view of a buffer",
                    Bound::View(_) => "a texture",
                    Bound::Sampler(_) => "a sampler",
                    Bound::Combined(..) => "a texture with a sampler",
                    Bound::Nothing => "nothing",
                };
                let why = format!("{given} for a {}", crate::layout::print::type_name(ty));
                Err(misfit(program, slot, why))
            }
        }
    }

    /// Copies constants into this recording's memory and binds them. What is missing of the declared size is zeros.
    ///
    /// # Errors
    /// As [`Recorder::bind`].
    pub fn constants(&mut self, slot: Slot, bytes: &[u8]) -> Result<(), Error> {
        let program = self.binding.program.take().ok_or_else(no_pipeline)?;
        let bound = self.constants_of(&program, slot, bytes);
        self.binding.program = Some(program);
        bound
    }

    fn constants_of(&mut self, program: &Program, slot: Slot, bytes: &[u8]) -> Result<(), Error> {
        let places = &program.0.places;
        let declared = places.of(slot).iter().filter_map(|&index| places.place(index).size).max().unwrap_or(0);
        let limits = self.device.limits();
        let len = (bytes.len() as u64).max(u64::from(declared)).max(4).next_multiple_of(16);
        if len > u64::from(limits.max_uniform_buffer_range).next_multiple_of(16) {
            return Err(misfit(program, slot, format!("{len} bytes of constants")));
        }
        let align = limits.min_uniform_buffer_offset_alignment.max(limits.min_storage_buffer_offset_alignment);
        let (buffer, offset) = self.slot.arena.take(&self.device.0.core, bytes, len, align.max(16))?;
        for &index in places.of(slot) {
            let place = places.place(index);
            if !matches!(place.ty, DescriptorType::UniformBuffer | DescriptorType::StorageBuffer) || place.writes() {
                let why = format!("constants for a {}", crate::layout::print::type_name(place.ty));
                return Err(misfit(program, slot, why));
            }
            let descriptor = Descriptor::buffer(buffer, offset, len);
            put(&mut self.binding.table, &mut self.binding.dirty, place, 0, descriptor);
            self.hold(place.first, false, || Held::Nothing);
        }
        Ok(())
    }

    /// Sets the push constants, from the first byte.
    ///
    /// # Errors
    /// [`Error::Argument`] without a pipeline, or for more bytes than the program has.
    pub fn push_constants(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let program = self.program()?;
        let size = program.0.layout.push_constants.map_or(0, |(_, size)| size);
        if bytes.len() > size as usize || !bytes.len().is_multiple_of(4) {
            let why = format!("{} bytes of push constants, the program has {size}", bytes.len());
            return Err(Error::Argument { object: program.name().to_owned(), why });
        }
        self.binding.push_constants.resize(size as usize, 0);
        self.binding.push_constants[..bytes.len()].copy_from_slice(bytes);
        self.binding.push_dirty = true;
        Ok(())
    }

    /// Whether the current pipeline can run. Takes in again what shaders write: a draw may need what the one before wrote.
    #[inline]
    pub(super) fn prepare(&mut self, point: vk::PipelineBindPoint) -> Result<bool, Error> {
        if !self.binding.checked {
            self.binding.check(point)?;
        }
        if self.binding.raw.is_none() {
            return Ok(false);
        }
        if self.binding.holds {
            for at in 0..self.binding.held.len() {
                if std::mem::take(&mut self.binding.fresh[at]) {
                    continue;
                }
                // Put back below: using it may cut the pass, which asks nothing of what is held.
                let held = std::mem::replace(&mut self.binding.held[at], Held::Nothing);
                let used = self.use_held(&held);
                self.binding.held[at] = held;
                used?;
            }
        }
        Ok(true)
    }

    /// Runs groups of the current compute pipeline.
    ///
    /// # Errors
    /// [`Error::Argument`] within a pass, without a pipeline, or past the device's count of groups.
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<(), Error> {
        let most = self.device.limits().max_compute_work_group_count;
        if groups.iter().zip(most).any(|(&own, most)| own > most) {
            let why = format!("{groups:?} groups; the device takes up to {most:?}");
            return Err(Error::Argument { object: "a dispatch".to_owned(), why });
        }
        if let Some(commands) = self.before_dispatch()? {
            // SAFETY: the buffer is being recorded, outside passes, with all that the pipeline needs bound.
            unsafe { self.device.0.core.raw.cmd_dispatch(commands, groups[0], groups[1], groups[2]) };
        }
        Ok(())
    }

    /// Runs groups by three numbers in a buffer.
    ///
    /// # Errors
    /// As [`Recorder::dispatch`], and past the buffer's end.
    pub fn dispatch_indirect(&mut self, buffer: &Buffer, offset: u64) -> Result<(), Error> {
        buffer.check(&(offset..offset.saturating_add(12)))?;
        let (stages, access) = (vk::PipelineStageFlags::DRAW_INDIRECT, vk::AccessFlags::INDIRECT_COMMAND_READ);
        self.use_buffer(buffer, Use::read(stages, access, vk::ImageLayout::UNDEFINED))?;
        if let Some(commands) = self.before_dispatch()? {
            // SAFETY: as in `dispatch`; the arguments lie within the buffer.
            unsafe { self.device.0.core.raw.cmd_dispatch_indirect(commands, buffer.0.raw, offset) };
        }
        Ok(())
    }

    fn before_dispatch(&mut self) -> Result<Option<vk::CommandBuffer>, Error> {
        if !self.prepare(vk::PipelineBindPoint::COMPUTE)? {
            return Ok(None);
        }
        let commands = self.outside("a dispatch")?;
        self.binding.apply(&self.device.0.core, commands, &mut self.slot.sets, &mut self.tally)?;
        self.tally.dispatches += 1;
        Ok(Some(commands))
    }
}

/// Writes one element of the table. `dirty` has a bit a set.
#[inline]
fn put(table: &mut [Descriptor], dirty: &mut u64, place: &Place, element: usize, descriptor: Descriptor) {
    let own = &mut table[place.first + element];
    if *own != descriptor {
        *own = descriptor;
        *dirty |= 1 << place.set.min(63);
    }
}

/// The levels of a view that a place sees: a UAV is one.
fn levels(place: &Place, view: &View<'_>) -> Range<u32> {
    let storage = place.ty == DescriptorType::StorageImage;
    view.mips.start..if storage { view.mips.start.saturating_add(1) } else { view.mips.end }
}

/// The layout that a texture has where a shader sees it so.
fn layout_of(place: &Place, view: &View<'_>) -> vk::ImageLayout {
    if place.ty == DescriptorType::StorageImage {
        vk::ImageLayout::GENERAL
    } else if view.texture.0.info.is_depth() {
        vk::ImageLayout::DEPTH_STENCIL_READ_ONLY_OPTIMAL
    } else {
        vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL
    }
}

/// An image's descriptor in the shape that the shader declares.
fn image(place: &Place, view: &View<'_>) -> Result<Descriptor, Error> {
    let shown = View { mips: levels(place, view), ..view.clone() };
    Ok(Descriptor::image(shown.shaped(dimension_of(place))?, layout_of(place, view)))
}

/// The shape that the shader declares.
fn dimension_of(place: &Place) -> Dimension {
    place.dimension.unwrap_or(Dimension::D2)
}

fn no_pipeline() -> Error {
    Error::Argument { object: "a binding".to_owned(), why: "no pipeline is set".to_owned() }
}

fn misfit(program: &Program, slot: Slot, why: String) -> Error {
    let name = program.names().find(|name| program.slot(name) == Ok(slot)).unwrap_or("a register").to_owned();
    Error::Binding { program: program.name().to_owned(), name, why }
}
