//! Buffers, and the memory of everything.

use super::{Device, Result, failed};
use ash::vk;

/// Bytes before a buffer's own, poisoned too: views that begin later than their descriptors have them in range.
pub(super) const LEAD: usize = 4096;
/// Bytes after a buffer's own, never in a descriptor's range. A shader that gets at them reads [`POISON`].
const MARGIN: usize = 256;
/// What stands there. No test expects it.
const POISON: u8 = 0xCD;

/// A buffer that the host sees.
pub struct Buffer {
    device: &'static Device,
    pub(super) raw: vk::Buffer,
    memory: vk::DeviceMemory,
    /// Of the content.
    mapped: *mut u8,
    /// Bytes of content.
    pub len: usize,
}

impl Buffer {
    /// A buffer with this content, good for every use.
    pub fn new(device: &'static Device, content: &[u8]) -> Result<Buffer> {
        use vk::BufferUsageFlags as Usage;
        let mut usage = Usage::TRANSFER_SRC | Usage::TRANSFER_DST | Usage::UNIFORM_BUFFER | Usage::STORAGE_BUFFER;
        usage |= Usage::UNIFORM_TEXEL_BUFFER | Usage::STORAGE_TEXEL_BUFFER | Usage::VERTEX_BUFFER | Usage::INDEX_BUFFER;
        if device.enabled.transform_feedback {
            usage |= Usage::TRANSFORM_FEEDBACK_BUFFER_EXT | Usage::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
        }
        let size = LEAD + content.len() + MARGIN;
        let info = vk::BufferCreateInfo::default().size(size as u64).usage(usage);
        // SAFETY: the device is live; memory and buffer are bound once; the mapping covers `size` bytes and lives with it.
        let buffer = unsafe {
            let raw = device.raw.create_buffer(&info, None).map_err(failed("vkCreateBuffer"))?;
            let requirements = device.raw.get_buffer_memory_requirements(raw);
            let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory = device.allocate(requirements, visible)?;
            device.raw.bind_buffer_memory(raw, memory, 0).map_err(failed("vkBindBufferMemory"))?;
            let mapped = device.raw.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            let mapped = mapped.map_err(failed("vkMapMemory"))?.cast::<u8>();
            std::ptr::write_bytes(mapped, POISON, size);
            Buffer { device, raw, memory, mapped: mapped.add(LEAD), len: content.len() }
        };
        buffer.write(content);
        Ok(buffer)
    }

    /// A buffer of words.
    pub fn of_words(device: &'static Device, words: &[u32]) -> Result<Buffer> {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Buffer::new(device, &bytes)
    }

    /// Replaces the first bytes.
    pub fn write(&self, content: &[u8]) {
        assert!(content.len() <= self.len, "more bytes than the buffer holds");
        // SAFETY: the mapping holds `len` bytes, and nothing runs on the device outside a submission.
        unsafe { std::ptr::copy_nonoverlapping(content.as_ptr(), self.mapped, content.len()) };
    }

    /// The content.
    pub fn bytes(&self) -> Vec<u8> {
        // SAFETY: as in `write`.
        unsafe { std::slice::from_raw_parts(self.mapped, self.len) }.to_vec()
    }

    /// The content as words.
    pub fn words(&self) -> Vec<u32> {
        self.bytes().chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
    }

    /// Whether the bytes around the content are as they were: a store out of range would have changed them.
    pub fn margin_intact(&self) -> bool {
        // SAFETY: the mapping has `MARGIN` bytes after the content, and `LEAD` before it.
        let [before, after] = unsafe {
            [
                std::slice::from_raw_parts(self.mapped.sub(LEAD), LEAD),
                std::slice::from_raw_parts(self.mapped.add(self.len), MARGIN),
            ]
        };
        before.iter().chain(after).all(|b| *b == POISON)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: every submission has been waited for.
        unsafe {
            self.device.raw.destroy_buffer(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}

impl Device {
    /// Memory for a buffer or an image.
    pub(super) fn allocate(
        &self,
        requirements: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory> {
        let types = self.memory.memory_types_as_slice();
        let fits = |i: usize| requirements.memory_type_bits >> i & 1 == 1 && types[i].property_flags.contains(wanted);
        let index = (0..types.len()).find(|i| fits(*i)).ok_or("no type of memory fits")?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(requirements.size).memory_type_index(index as u32);
        // SAFETY: the device is live.
        unsafe { self.raw.allocate_memory(&info, None) }.map_err(failed("vkAllocateMemory"))
    }
}
