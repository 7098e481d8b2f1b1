//! Buffers and typed views of them.

#![allow(unsafe_code)] // Vulkan calls and mapped memory.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::Allocation;

use super::FormatInfo;
use crate::Error;
use crate::device::core::Core;
use crate::device::garbage::Trash;
use crate::device::{Device, Shared};
use crate::error::vulkan;
use crate::memory::{MemoryUse, Tiling};
use crate::track::State;

/// What a buffer is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferDesc<'a> {
    /// Name, for messages and debuggers.
    pub name: &'a str,
    /// Bytes; at least 1.
    pub size: u64,
    /// Where it lies.
    pub memory: MemoryUse,
}

/// A buffer and its memory, without an owner's care.
pub(crate) struct RawBuffer {
    pub(crate) raw: vk::Buffer,
    pub(crate) allocation: Option<Allocation>,
}

impl RawBuffer {
    /// A buffer for every use that the device has.
    pub(crate) fn new(core: &Core, name: &str, size: u64, memory: MemoryUse) -> Result<RawBuffer, Error> {
        use vk::BufferUsageFlags as U;
        let mut usage = U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::UNIFORM_TEXEL_BUFFER
            | U::STORAGE_TEXEL_BUFFER
            | U::UNIFORM_BUFFER
            | U::STORAGE_BUFFER
            | U::INDEX_BUFFER
            | U::VERTEX_BUFFER
            | U::INDIRECT_BUFFER;
        if core.feedback.is_some() {
            usage |= U::TRANSFORM_FEEDBACK_BUFFER_EXT | U::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
        }
        let info = vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the device is live; so in all of this file.
        let raw = unsafe { core.raw.create_buffer(&info, None) }.map_err(vulkan("vkCreateBuffer", name))?;
        let mut buffer = RawBuffer { raw, allocation: None };
        match buffer.bind(core, name, memory) {
            Ok(()) => {
                core.names.object(raw, name);
                Ok(buffer)
            }
            Err(error) => {
                buffer.destroy(core);
                Err(error)
            }
        }
    }

    fn bind(&mut self, core: &Core, name: &str, memory: MemoryUse) -> Result<(), Error> {
        // SAFETY: the buffer was made just now and has no memory.
        let requirements = unsafe { core.raw.get_buffer_memory_requirements(self.raw) };
        let allocation = core.memory.allocate(name, requirements, memory, Tiling::Linear)?;
        // SAFETY: the allocation fits the requirements and is this buffer's alone.
        let bound = unsafe { core.raw.bind_buffer_memory(self.raw, allocation.memory(), allocation.offset()) };
        self.allocation = Some(allocation);
        bound.map_err(vulkan("vkBindBufferMemory", name))
    }

    /// The memory as the host sees it.
    pub(crate) fn mapped(&mut self) -> Option<&mut [u8]> {
        self.allocation.as_mut().and_then(Allocation::mapped_slice_mut)
    }

    /// Destroys it. The GPU is done with it.
    pub(crate) fn destroy(mut self, core: &Core) {
        // SAFETY: as the caller promises.
        unsafe { core.raw.destroy_buffer(self.raw, None) };
        self.allocation.take().into_iter().for_each(|memory| core.memory.free(memory));
    }
}

/// A buffer. It can be used for everything: constants, structured, raw and typed views, vertices, indices, arguments.
#[derive(Clone)]
pub struct Buffer(pub(crate) Arc<BufferInner>);

pub(crate) struct BufferInner {
    pub(crate) id: u64,
    pub(crate) raw: vk::Buffer,
    pub(crate) size: u64,
    pub(crate) name: String,
    pub(crate) state: Mutex<State>,
    allocation: Mutex<Option<Allocation>>,
    views: Mutex<HashMap<(vk::Format, u64, u64), vk::BufferView>>,
    device: Arc<Shared>,
}

impl Drop for BufferInner {
    fn drop(&mut self) {
        for (_, view) in self.views.get_mut().unwrap_or_else(PoisonError::into_inner).drain() {
            self.device.discard(Trash::BufferView(view));
        }
        let allocation = self.allocation.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        self.device.discard(Trash::Buffer(self.raw, allocation));
    }
}

impl Device {
    /// Makes a buffer. Its contents are undefined.
    ///
    /// # Errors
    /// [`Error::Argument`] for a size of 0 or past the device's, [`Error::OutOfMemory`].
    pub fn buffer(&self, desc: &BufferDesc<'_>) -> Result<Buffer, Error> {
        if desc.size == 0 {
            return Err(Error::Argument { object: desc.name.to_owned(), why: "a buffer of 0 bytes".to_owned() });
        }
        self.collect();
        let raw = RawBuffer::new(&self.0.core, desc.name, desc.size, desc.memory)?;
        Ok(Buffer(Arc::new(BufferInner {
            id: super::next_id(),
            raw: raw.raw,
            size: desc.size,
            name: desc.name.to_owned(),
            state: Mutex::default(),
            allocation: Mutex::new(raw.allocation),
            views: Mutex::default(),
            device: Arc::clone(&self.0),
        })))
    }
}

impl Buffer {
    /// Bytes.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Vulkan's own handle, for what rx does not do. rx knows nothing of its use.
    pub fn raw(&self) -> vk::Buffer {
        self.0.raw
    }

    /// Writes to memory that the host sees ([`MemoryUse::Upload`]), at once: what the GPU has been given to read and has not
    /// read yet changes under it.
    ///
    /// # Errors
    /// [`Error::Argument`] for memory that the host does not see, or a range past the end.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.check(&(offset..offset.saturating_add(bytes.len() as u64)))?;
        let mut held = self.0.allocation.lock().unwrap_or_else(PoisonError::into_inner);
        let mapped = held.as_mut().and_then(Allocation::mapped_slice_mut).ok_or_else(|| self.unseen())?;
        mapped[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// Reads memory that the host sees ([`MemoryUse::Readback`]), as it is now.
    ///
    /// # Errors
    /// As [`Buffer::write`].
    pub fn read(&self, range: Range<u64>) -> Result<Vec<u8>, Error> {
        self.check(&range)?;
        let held = self.0.allocation.lock().unwrap_or_else(PoisonError::into_inner);
        let mapped = held.as_ref().and_then(Allocation::mapped_slice).ok_or_else(|| self.unseen())?;
        Ok(mapped[range.start as usize..range.end as usize].to_vec())
    }

    /// A typed view of a range.
    ///
    /// # Errors
    /// [`Error::Argument`] for a range past the end or off the format's size, [`Error::OutOfMemory`].
    pub fn texels(&self, format: vk::Format, range: Range<u64>) -> Result<TexelView, Error> {
        self.check(&range)?;
        let bytes = u64::from(FormatInfo::of(format).map_or(1, |info| info.block_bytes));
        let len = (range.end - range.start) / bytes * bytes;
        if len == 0 {
            return Err(
                self.argument(format!("a typed view of {} bytes, less than one element", range.end - range.start))
            );
        }
        let mut views = self.0.views.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (format, range.start, len);
        let raw = match views.get(&key) {
            Some(&raw) => raw,
            None => {
                let info = vk::BufferViewCreateInfo::default()
                    .buffer(self.0.raw)
                    .format(format)
                    .offset(range.start)
                    .range(len);
                // SAFETY: the range lies in the live buffer.
                let made = unsafe { self.0.device.core.raw.create_buffer_view(&info, None) };
                let raw = made.map_err(vulkan("vkCreateBufferView", &self.0.name))?;
                views.insert(key, raw);
                raw
            }
        };
        Ok(TexelView { raw, buffer: self.clone() })
    }

    /// Whether a range lies within.
    #[inline]
    pub(crate) fn check(&self, range: &Range<u64>) -> Result<(), Error> {
        if range.start > range.end || range.end > self.0.size {
            return Err(self.outside(range));
        }
        Ok(())
    }

    #[cold]
    fn outside(&self, range: &Range<u64>) -> Error {
        self.argument(format!("bytes {}..{} of {}", range.start, range.end, self.0.size))
    }

    pub(crate) fn argument(&self, why: String) -> Error {
        Error::Argument { object: self.0.name.clone(), why }
    }

    fn unseen(&self) -> Error {
        self.argument("the host does not see this buffer's memory".to_owned())
    }
}

/// A typed view of a buffer.
#[derive(Clone)]
pub struct TexelView {
    pub(crate) raw: vk::BufferView,
    pub(crate) buffer: Buffer,
}
