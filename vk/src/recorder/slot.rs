//! What one recording needs and the next one after it takes over: command buffers, sets, memory, timestamps.
//!
//! Owns the ring of slots. A slot is used again when the GPU is done with its last submission.

#![allow(unsafe_code)] // Vulkan calls.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;

use crate::Error;
use crate::descriptors::Sets;
use crate::device::Device;
use crate::device::core::Core;
use crate::device::queue::Serial;
use crate::error::vulkan;
use crate::memory::MemoryUse;
use crate::resource::RawBuffer;

/// Bytes of a block of memory for what a recording writes itself.
const BLOCK: u64 = 1 << 20;
/// Timestamps of a recording: its sections at most, and the end.
const TIMESTAMPS: u32 = 128;

/// Memory that the host writes while it records and the GPU reads once.
#[derive(Default)]
pub(super) struct Arena {
    blocks: Vec<(RawBuffer, u64)>,
    current: usize,
    used: u64,
}

impl Arena {
    /// Room for some bytes.
    pub(super) fn take(&mut self, core: &Core, bytes: &[u8], len: u64, align: u64) -> Result<(vk::Buffer, u64), Error> {
        loop {
            if let Some((block, size)) = self.blocks.get_mut(self.current) {
                let offset = self.used.next_multiple_of(align.max(1));
                if offset + len <= *size {
                    self.used = offset + len;
                    let raw = block.raw;
                    let room = block.mapped().and_then(|all| all.get_mut(offset as usize..(offset + len) as usize));
                    let room = room.ok_or_else(|| Error::OutOfMemory {
                        call: "vkMapMemory",
                        object: "a recording's memory".to_owned(),
                        why: "the memory is not visible to the host".to_owned(),
                    })?;
                    room[..bytes.len()].copy_from_slice(bytes);
                    room[bytes.len()..].fill(0);
                    return Ok((raw, offset));
                }
                self.current += 1;
                self.used = 0;
                continue;
            }
            let size = BLOCK.max(len + align);
            self.blocks.push((RawBuffer::new(core, "rx recording", size, MemoryUse::Upload)?, size));
        }
    }

    fn reset(&mut self, core: &Core) {
        // A block for one large upload is not kept.
        let (kept, large): (Vec<_>, Vec<_>) = self.blocks.drain(..).partition(|(_, size)| *size == BLOCK);
        large.into_iter().for_each(|(block, _)| block.destroy(core));
        self.blocks = kept;
        self.current = 0;
        self.used = 0;
    }

    fn destroy(&mut self, core: &Core) {
        self.blocks.drain(..).for_each(|(block, _)| block.destroy(core));
    }
}

/// One section's time on the GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Section.
    pub name: String,
    /// Milliseconds.
    pub milliseconds: f64,
}

/// Timestamps of a recording.
#[derive(Default)]
pub(super) struct Timestamps {
    pool: vk::QueryPool,
    names: Vec<String>,
    /// Timestamps written: those of the sections and that of the end.
    written: u32,
    /// The queries were reset in this recording.
    reset: bool,
}

impl Timestamps {
    fn new(core: &Core) -> Result<Timestamps, Error> {
        // SAFETY: the handles are live; the call only reads.
        let families = unsafe { core.instance.raw().get_physical_device_queue_family_properties(core.physical) };
        let bits = families.get(core.family as usize).map_or(0, |family| family.timestamp_valid_bits);
        if bits == 0 {
            return Ok(Timestamps::default());
        }
        let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(TIMESTAMPS);
        // SAFETY: the device is live.
        let pool = unsafe { core.raw.create_query_pool(&info, None) };
        let pool = pool.map_err(vulkan("vkCreateQueryPool", "timestamps"))?;
        Ok(Timestamps { pool, ..Timestamps::default() })
    }

    /// Begins a recording.
    ///
    /// # Safety
    /// `commands` is being recorded by the caller, and the GPU is done with the slot's last recording.
    pub(super) unsafe fn reset(&mut self, core: &Core, commands: vk::CommandBuffer) {
        self.names.clear();
        self.written = 0;
        if self.pool != vk::QueryPool::null() {
            // SAFETY: as the caller promises.
            unsafe { core.raw.cmd_reset_query_pool(commands, self.pool, 0, TIMESTAMPS) };
            self.reset = true;
        }
    }

    /// Begins a section, or ends the last one with no name.
    ///
    /// # Safety
    /// As [`Timestamps::reset`], outside a pass.
    pub(super) unsafe fn mark(&mut self, core: &Core, commands: vk::CommandBuffer, name: Option<&str>) {
        // One is kept for the end.
        let room = if name.is_some() { TIMESTAMPS - 1 } else { TIMESTAMPS };
        if !self.reset || self.written >= room {
            return;
        }
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: as the caller promises.
        unsafe { core.raw.cmd_write_timestamp(commands, stage, self.pool, self.written) };
        self.written += 1;
        self.names.extend(name.map(str::to_owned));
    }

    /// The sections' times. The GPU is done with the recording.
    fn read(&self, core: &Core) -> Vec<Timing> {
        if self.written < 2 {
            return Vec::new();
        }
        let mut ticks = vec![0_u64; self.written as usize];
        // SAFETY: the pool is live and the queries were written.
        let got = unsafe { core.raw.get_query_pool_results(self.pool, 0, &mut ticks, vk::QueryResultFlags::TYPE_64) };
        if got.is_err() {
            return Vec::new();
        }
        let period = f64::from(core.properties.limits.timestamp_period) / 1e6;
        let times = ticks.windows(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * period);
        self.names.iter().zip(times).map(|(name, milliseconds)| Timing { name: name.clone(), milliseconds }).collect()
    }
}

/// What one recording works with.
#[derive(Default)]
pub(super) struct Slot {
    pool: vk::CommandPool,
    buffers: Vec<vk::CommandBuffer>,
    used: usize,
    pub(super) sets: Sets,
    pub(super) arena: Arena,
    pub(super) timestamps: Timestamps,
    /// Its last submission.
    pub(super) serial: Serial,
}

impl Slot {
    fn new(core: &Core) -> Result<Slot, Error> {
        let info = vk::CommandPoolCreateInfo::default()
            .queue_family_index(core.family)
            .flags(vk::CommandPoolCreateFlags::TRANSIENT);
        // SAFETY: the device is live.
        let pool = unsafe { core.raw.create_command_pool(&info, None) };
        let pool = pool.map_err(vulkan("vkCreateCommandPool", "a recording"))?;
        let mut slot = Slot { pool, ..Slot::default() };
        match Timestamps::new(core) {
            Ok(timestamps) => {
                slot.timestamps = timestamps;
                Ok(slot)
            }
            Err(error) => {
                slot.destroy(core);
                Err(error)
            }
        }
    }

    /// A command buffer that is being recorded.
    pub(super) fn begin(&mut self, core: &Core) -> Result<vk::CommandBuffer, Error> {
        if self.used == self.buffers.len() {
            let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(4);
            // SAFETY: the pool is live and only this slot uses it.
            let made = unsafe { core.raw.allocate_command_buffers(&info) };
            self.buffers.extend(made.map_err(vulkan("vkAllocateCommandBuffers", "a recording"))?);
        }
        let commands = self.buffers[self.used];
        let info = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the pool was reset since the buffer was recorded last.
        unsafe { core.raw.begin_command_buffer(commands, &info) }
            .map_err(vulkan("vkBeginCommandBuffer", "a recording"))?;
        self.used += 1;
        Ok(commands)
    }

    /// Makes the slot as new. The GPU is done with it.
    fn reset(&mut self, core: &Core) -> Result<(), Error> {
        // SAFETY: as the caller promises.
        unsafe { core.raw.reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty()) }
            .map_err(vulkan("vkResetCommandPool", "a recording"))?;
        self.used = 0;
        self.sets.reset(core);
        self.arena.reset(core);
        self.timestamps.reset = false;
        Ok(())
    }

    fn destroy(&mut self, core: &Core) {
        self.sets.destroy(core);
        self.arena.destroy(core);
        // SAFETY: the GPU is done with the slot.
        unsafe {
            core.raw.destroy_query_pool(self.timestamps.pool, None);
            core.raw.destroy_command_pool(self.pool, None);
        }
    }
}

#[derive(Default)]
struct Ring {
    free: Vec<Slot>,
    made: usize,
    open: bool,
    timings: Vec<Timing>,
}

/// The slots of a device.
pub(crate) struct Slots {
    ring: Mutex<Ring>,
    most: usize,
}

impl Slots {
    pub(crate) fn new(most: usize) -> Slots {
        Slots { ring: Mutex::default(), most: most.clamp(1, 8) }
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot to record in; waits for the GPU where all are in flight.
    pub(super) fn take(&self, device: &Device) -> Result<Slot, Error> {
        let mut ring = self.lock();
        if ring.open {
            let why = "a recording is open already; submit it first".to_owned();
            return Err(Error::Argument { object: "recording".to_owned(), why });
        }
        let core = &device.0.core;
        let slot = if ring.made < self.most {
            let slot = Slot::new(core)?;
            ring.made += 1;
            slot
        } else {
            // The slot that was submitted first.
            let oldest = (0..ring.free.len()).min_by_key(|&i| ring.free[i].serial).unwrap_or(0);
            let serial = ring.free.get(oldest).map_or(0, |slot| slot.serial);
            device.0.queue.wait(serial).map_err(device.failed("vkWaitSemaphores", "the recording before"))?;
            let timings = ring.free[oldest].timestamps.read(core);
            if !timings.is_empty() {
                ring.timings = timings;
            }
            ring.free[oldest].reset(core)?;
            ring.free.swap_remove(oldest)
        };
        ring.open = true;
        Ok(slot)
    }

    /// Takes a slot back.
    pub(super) fn give(&self, slot: Slot) {
        let mut ring = self.lock();
        ring.open = false;
        ring.free.push(slot);
    }

    /// The times of the last recording whose sections are known.
    fn timings(&self, device: &Device) -> Vec<Timing> {
        let mut ring = self.lock();
        let done = device.0.queue.done();
        let newest = ring.free.iter().filter(|slot| slot.serial <= done && slot.timestamps.written > 1);
        if let Some(slot) = newest.max_by_key(|slot| slot.serial) {
            ring.timings = slot.timestamps.read(&device.0.core);
        }
        ring.timings.clone()
    }

    pub(crate) fn destroy(&self, core: &Core) {
        self.lock().free.drain(..).for_each(|mut slot| slot.destroy(core));
    }
}

impl Device {
    /// The times of the sections of the last recording that the GPU is known to be done with. Empty where the queue has no
    /// timestamps, or nothing was labelled.
    pub fn timings(&self) -> Vec<Timing> {
        self.0.slots.timings(self)
    }
}
