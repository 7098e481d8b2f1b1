//! Copies, fills and clears.

#![allow(unsafe_code)] // Vulkan calls.

use std::ops::Range;
use std::sync::Arc;

use ash::vk;

use super::Recorder;
use crate::Error;
use crate::resource::{Buffer, FormatInfo, View};
use crate::track::Use;

const READ: Use =
    Use::read(vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_READ, vk::ImageLayout::UNDEFINED);
const WRITE: Use =
    Use::write(vk::PipelineStageFlags::TRANSFER, vk::AccessFlags::TRANSFER_WRITE, vk::ImageLayout::UNDEFINED);
const SOURCE: vk::ImageLayout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
const TARGET: vk::ImageLayout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;

impl Recorder {
    /// Writes bytes to a buffer, by a copy in the order of the recording.
    ///
    /// # Errors
    /// [`Error::Argument`] within a pass or past the end, [`Error::OutOfMemory`].
    pub fn write_buffer(&mut self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        buffer.check(&(offset..offset.saturating_add(bytes.len() as u64)))?;
        if bytes.is_empty() {
            return Ok(());
        }
        let core = Arc::clone(&self.device.0.core);
        let (from, at) = self.slot.arena.take(&core, bytes, bytes.len() as u64, 4)?;
        self.outside("a copy")?;
        self.use_buffer(buffer, WRITE)?;
        let commands = self.commands()?;
        let region = vk::BufferCopy { src_offset: at, dst_offset: offset, size: bytes.len() as u64 };
        // SAFETY: the buffer is being recorded, outside passes, and the ranges lie within live buffers.
        unsafe { core.raw.cmd_copy_buffer(commands, from, buffer.0.raw, &[region]) };
        Ok(())
    }

    /// Copies bytes from one buffer to another.
    ///
    /// # Errors
    /// As [`Recorder::write_buffer`]; also where the two ranges overlap in one buffer.
    pub fn copy_buffer(
        &mut self,
        from: &Buffer,
        from_offset: u64,
        to: &Buffer,
        to_offset: u64,
        size: u64,
    ) -> Result<(), Error> {
        from.check(&(from_offset..from_offset.saturating_add(size)))?;
        to.check(&(to_offset..to_offset.saturating_add(size)))?;
        if size == 0 {
            return Ok(());
        }
        let same = from.0.raw == to.0.raw;
        if same && from_offset < to_offset + size && to_offset < from_offset + size {
            return Err(to.argument(format!("copies {size} bytes from {from_offset} to {to_offset}, over themselves")));
        }
        self.outside("a copy")?;
        if same {
            let both = Use { access: READ.access | WRITE.access, ..WRITE };
            self.use_buffer(to, both)?;
        } else {
            self.use_buffer(from, READ)?;
            self.use_buffer(to, WRITE)?;
        }
        let commands = self.commands()?;
        let region = vk::BufferCopy { src_offset: from_offset, dst_offset: to_offset, size };
        // SAFETY: as in `write_buffer`.
        unsafe { self.device.0.core.raw.cmd_copy_buffer(commands, from.0.raw, to.0.raw, &[region]) };
        Ok(())
    }

    /// Fills a range of a buffer with a word. The range is in whole words.
    ///
    /// # Errors
    /// As [`Recorder::write_buffer`]; also for a range off four bytes.
    pub fn fill_buffer(&mut self, buffer: &Buffer, range: Range<u64>, word: u32) -> Result<(), Error> {
        buffer.check(&range)?;
        if !range.start.is_multiple_of(4) || !range.end.is_multiple_of(4) {
            return Err(buffer.argument(format!("fills {range:?}, off four bytes")));
        }
        self.outside("a fill")?;
        self.use_buffer(buffer, WRITE)?;
        let commands = self.commands()?;
        for part in self.device.0.pipeline_fixes.fills(range) {
            let size = part.end - part.start;
            // SAFETY: as in `write_buffer`.
            unsafe { self.device.0.core.raw.cmd_fill_buffer(commands, buffer.0.raw, part.start, size, word) };
        }
        Ok(())
    }

    /// Writes the texels of one level: rows tightly packed, slices and layers one after another.
    ///
    /// # Errors
    /// As [`Recorder::write_buffer`]; also where the bytes are not the level's.
    pub fn upload(&mut self, view: View<'_>, bytes: &[u8]) -> Result<(), Error> {
        let size = level_bytes(&view)?;
        if size != bytes.len() as u64 {
            return Err(argument(&view, format!("{} bytes for a level of {size}", bytes.len())));
        }
        let core = Arc::clone(&self.device.0.core);
        // A copy begins at a multiple of the texel's bytes and of four.
        let align = u64::from(view.texture.0.info.block_bytes) * 4;
        let (from, at) = self.slot.arena.take(&core, bytes, size, align)?;
        self.outside("an upload")?;
        let all = view.layers == (0..view.texture.0.layers);
        self.use_texture(view.texture, view.mips.clone(), Use { layout: TARGET, discard: all, ..WRITE })?;
        let commands = self.commands()?;
        let region = region(&view, at);
        // SAFETY: as in `write_buffer`; the texture is in this layout by the barrier before.
        unsafe { core.raw.cmd_copy_buffer_to_image(commands, from, view.texture.0.raw, TARGET, &[region]) };
        Ok(())
    }

    /// Copies the texels of one level to a buffer, packed as [`Recorder::upload`] takes them.
    ///
    /// # Errors
    /// As [`Recorder::upload`]; also for a multisampled texture.
    pub fn download(&mut self, view: View<'_>, to: &Buffer, offset: u64) -> Result<(), Error> {
        let size = level_bytes(&view)?;
        to.check(&(offset..offset.saturating_add(size)))?;
        self.outside("a copy")?;
        self.use_texture(view.texture, view.mips.clone(), Use { layout: SOURCE, ..READ })?;
        self.use_buffer(to, WRITE)?;
        let commands = self.commands()?;
        let region = region(&view, offset);
        let raw = &self.device.0.core.raw;
        // SAFETY: as in `upload`.
        unsafe { raw.cmd_copy_image_to_buffer(commands, view.texture.0.raw, SOURCE, to.0.raw, &[region]) };
        self.host_reads(to)
    }

    /// Makes what was written visible to the host, once the submission is done.
    ///
    /// # Errors
    /// [`Error::Argument`] within a pass, [`Error::OutOfMemory`].
    pub fn host_reads(&mut self, buffer: &Buffer) -> Result<(), Error> {
        let used = Use::read(vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ, vk::ImageLayout::UNDEFINED);
        self.use_buffer(buffer, used)?;
        self.outside("a readback").map(|_| ())
    }

    /// Clears a part of a colour texture.
    ///
    /// # Errors
    /// As [`Recorder::write_buffer`]; also for a depth texture.
    pub fn clear_color(&mut self, view: View<'_>, color: [f32; 4]) -> Result<(), Error> {
        self.clear(&view, |raw, commands, range| {
            let value = vk::ClearColorValue { float32: color };
            // SAFETY: as in `upload`.
            unsafe { raw.cmd_clear_color_image(commands, view.texture.0.raw, TARGET, &value, &[range]) };
        })
    }

    /// Clears a part of a texture of whole numbers.
    ///
    /// # Errors
    /// As [`Recorder::clear_color`].
    pub fn clear_uint(&mut self, view: View<'_>, value: [u32; 4]) -> Result<(), Error> {
        self.clear(&view, |raw, commands, range| {
            let value = vk::ClearColorValue { uint32: value };
            // SAFETY: as in `upload`.
            unsafe { raw.cmd_clear_color_image(commands, view.texture.0.raw, TARGET, &value, &[range]) };
        })
    }

    fn clear(
        &mut self,
        view: &View<'_>,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer, vk::ImageSubresourceRange),
    ) -> Result<(), Error> {
        view.check()?;
        if view.texture.0.info.is_depth() {
            return Err(argument(view, "a colour for a depth texture; begin a pass that clears it".to_owned()));
        }
        self.outside("a clear")?;
        let all = view.layers == (0..view.texture.0.layers);
        self.use_texture(view.texture, view.mips.clone(), Use { layout: TARGET, discard: all, ..WRITE })?;
        let commands = self.commands()?;
        record(&self.device.0.core.raw, commands, view.range());
        Ok(())
    }

    /// Copies one level of a texture to a level of another of the same size and texel bytes.
    ///
    /// # Errors
    /// As [`Recorder::write_buffer`]; [`Error::Hazard`] within one level.
    pub fn copy_texture(&mut self, from: View<'_>, to: View<'_>) -> Result<(), Error> {
        let (bytes, others) = (level_bytes(&from)?, level_bytes(&to)?);
        if from.size() != to.size() || bytes != others {
            return Err(argument(&to, format!("a level of {others} bytes from one of {bytes}")));
        }
        if from.texture.0.raw == to.texture.0.raw && from.mips == to.mips {
            let why = "copied within one level".to_owned();
            return Err(Error::Hazard { object: to.texture.0.name.clone(), why });
        }
        self.outside("a copy")?;
        self.use_texture(from.texture, from.mips.clone(), Use { layout: SOURCE, ..READ })?;
        self.use_texture(to.texture, to.mips.clone(), Use { layout: TARGET, ..WRITE })?;
        let commands = self.commands()?;
        let layers = |view: &View<'_>| region(view, 0).image_subresource;
        let [width, height, depth] = from.size();
        let copy = vk::ImageCopy::default()
            .src_subresource(layers(&from))
            .dst_subresource(layers(&to))
            .extent(vk::Extent3D { width, height, depth });
        let raw = &self.device.0.core.raw;
        // SAFETY: as in `upload`.
        unsafe {
            raw.cmd_copy_image(commands, from.texture.0.raw, SOURCE, to.texture.0.raw, TARGET, &[copy]);
        }
        Ok(())
    }

    /// Copies one level of a texture to a level of another of any size and format, filtered where the sizes differ.
    ///
    /// # Errors
    /// As [`Recorder::copy_texture`].
    pub fn blit(&mut self, from: View<'_>, to: View<'_>) -> Result<(), Error> {
        level_bytes(&from)?;
        level_bytes(&to)?;
        if from.texture.0.raw == to.texture.0.raw && from.mips == to.mips {
            let why = "copied within one level".to_owned();
            return Err(Error::Hazard { object: to.texture.0.name.clone(), why });
        }
        self.outside("a copy")?;
        self.use_texture(from.texture, from.mips.clone(), Use { layout: SOURCE, ..READ })?;
        let all = to.layers == (0..to.texture.0.layers);
        self.use_texture(to.texture, to.mips.clone(), Use { layout: TARGET, discard: all, ..WRITE })?;
        let commands = self.commands()?;
        let layers = |view: &View<'_>| region(view, 0).image_subresource;
        let corner = |view: &View<'_>| {
            let [x, y, z] = view.size().map(u32::cast_signed);
            [vk::Offset3D::default(), vk::Offset3D { x, y, z }]
        };
        let blit = vk::ImageBlit::default()
            .src_subresource(layers(&from))
            .src_offsets(corner(&from))
            .dst_subresource(layers(&to))
            .dst_offsets(corner(&to));
        let filter = if from.size() == to.size() { vk::Filter::NEAREST } else { vk::Filter::LINEAR };
        let raw = &self.device.0.core.raw;
        let (source, target) = (from.texture.0.raw, to.texture.0.raw);
        // SAFETY: as in `upload`.
        unsafe { raw.cmd_blit_image(commands, source, SOURCE, target, TARGET, &[blit], filter) };
        Ok(())
    }
}

fn argument(view: &View<'_>, why: String) -> Error {
    Error::Argument { object: view.texture.name().to_owned(), why }
}

/// Bytes of a view of one level.
pub(crate) fn level_bytes(view: &View<'_>) -> Result<u64, Error> {
    view.check()?;
    if view.mips.end - view.mips.start != 1 {
        return Err(argument(view, format!("levels {:?}; one at a time", view.mips)));
    }
    if view.texture.0.samples != 1 {
        return Err(argument(view, "has several samples a texel".to_owned()));
    }
    let [width, height, depth] = view.size();
    let info: FormatInfo = view.texture.0.info;
    let info = if view.stencil { FormatInfo { block_bytes: 1, ..info } } else { info };
    Ok(info.bytes(width, height, view.layers.end - view.layers.start) * u64::from(depth))
}

fn region(view: &View<'_>, offset: u64) -> vk::BufferImageCopy {
    let aspects = view.texture.0.info.aspects;
    let depth = vk::ImageAspectFlags::DEPTH;
    let aspect_mask = match aspects {
        own if own.contains(depth) && !view.stencil => depth,
        own if own.contains(vk::ImageAspectFlags::STENCIL) => vk::ImageAspectFlags::STENCIL,
        own => own,
    };
    let [width, height, depth] = view.size();
    vk::BufferImageCopy::default()
        .buffer_offset(offset)
        .image_subresource(vk::ImageSubresourceLayers {
            aspect_mask,
            mip_level: view.mips.start,
            base_array_layer: view.layers.start,
            layer_count: view.layers.end - view.layers.start,
        })
        .image_extent(vk::Extent3D { width, height, depth })
}
