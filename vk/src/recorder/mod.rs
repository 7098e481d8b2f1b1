//! Recording: what the GPU is to do, in order, with what must stand between.
//!
//! Owns the command buffers of one submission. A pass is recorded into a buffer of its own, and what must happen before it
//! goes into the one before when the pass ends: so a pass needs no list of what it uses, and draws are recorded at once.

#![allow(unsafe_code)] // Vulkan calls.

mod bind;
mod pass;
mod recent;
mod slot;
mod transfer;

use std::sync::PoisonError;

use ash::vk;

use bind::Binding;
pub use bind::Bound;
use pass::ActivePass;
pub use pass::{ColorTarget, DepthTarget, Index, Load, StreamTarget, Targets};
use recent::Recent;
use slot::Slot;
pub(crate) use slot::Slots;
pub use slot::Timing;
pub(crate) use transfer::level_bytes;

use crate::Error;
use crate::device::Device;
use crate::device::queue::{Serial, Wait};
use crate::resource::{Buffer, Texture};
use crate::track::{Barrier, Needed, Use};

/// Barriers that wait to be recorded together.
#[derive(Default)]
struct Batch {
    before: vk::PipelineStageFlags,
    after: vk::PipelineStageFlags,
    /// Of all buffers.
    before_access: vk::AccessFlags,
    after_access: vk::AccessFlags,
    images: Vec<vk::ImageMemoryBarrier<'static>>,
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    fn add(&mut self, barrier: &Barrier) {
        self.before |= barrier.before;
        self.after |= barrier.after;
    }

    fn buffer(&mut self, barrier: &Barrier) {
        self.add(barrier);
        self.before_access |= barrier.before_access;
        self.after_access |= barrier.after_access;
    }

    fn image(&mut self, barrier: &Barrier, image: vk::Image, range: vk::ImageSubresourceRange) {
        self.add(barrier);
        let own = vk::ImageMemoryBarrier::default()
            .image(image)
            .subresource_range(range)
            .src_access_mask(barrier.before_access)
            .dst_access_mask(barrier.after_access)
            .old_layout(barrier.old_layout)
            .new_layout(barrier.new_layout)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED);
        self.images.push(own);
    }
}

/// What a recording has counted; added to the device's counters at its end.
#[derive(Default)]
pub(crate) struct Tally {
    draws: u64,
    dispatches: u64,
    pushed: u64,
    pub(crate) written: u64,
    pub(crate) reused: u64,
    pub(crate) pools: u64,
    cut: u64,
}

/// A recording. One is open at a time; dropped without a submission it is submitted, since what has been recorded counts on
/// being executed.
pub struct Recorder {
    device: Device,
    slot: Slot,
    /// The buffer being recorded outside passes; null where none has begun.
    inline: vk::CommandBuffer,
    /// Buffers that are recorded.
    done: Vec<vk::CommandBuffer>,
    batch: Batch,
    pass: Option<ActivePass>,
    recent: Recent,
    binding: Binding,
    labelled: bool,
    ended: bool,
    /// The slot is another's.
    given_back: bool,
    /// Why a part of what was recorded is lost: then nothing of it can be submitted.
    lost: Option<Error>,
    tally: Tally,
    /// What a window's image waits for and signals.
    wait: Option<Wait>,
    signal: Option<vk::Semaphore>,
}

/// A submission.
#[derive(Clone)]
pub struct Submitted {
    serial: Serial,
    device: Device,
}

impl Submitted {
    /// Whether the GPU is done with it.
    pub fn is_done(&self) -> bool {
        self.device.0.queue.done() >= self.serial
    }

    /// Waits until the GPU is done with it.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn wait(&self) -> Result<(), Error> {
        self.device.0.queue.wait(self.serial).map_err(self.device.failed("vkWaitSemaphores", "a submission"))
    }
}

impl Device {
    /// Begins a recording. Waits for the GPU where as many as [`DeviceOptions::frames_in_flight`] are under way.
    ///
    /// [`DeviceOptions::frames_in_flight`]: crate::DeviceOptions::frames_in_flight
    ///
    /// # Errors
    /// [`Error::Argument`] while another is open, [`Error::OutOfMemory`], [`Error::DeviceLost`]; and that of a submission that
    /// failed before, which ends the device.
    pub fn record(&self) -> Result<Recorder, Error> {
        if let Some(error) = self.0.broken.get() {
            return Err(error.clone());
        }
        let slot = self.0.slots.take(self)?;
        self.collect();
        let mut recorder = Recorder {
            device: self.clone(),
            slot,
            inline: vk::CommandBuffer::null(),
            done: Vec::new(),
            batch: Batch::default(),
            pass: None,
            recent: Recent::default(),
            binding: Binding::default(),
            labelled: false,
            ended: false,
            given_back: false,
            lost: None,
            tally: Tally::default(),
            wait: None,
            signal: None,
        };
        let commands = recorder.commands()?;
        // SAFETY: the buffer is being recorded, and the slot's last recording is done.
        unsafe { recorder.slot.timestamps.reset(&self.0.core, commands) };
        Ok(recorder)
    }
}

impl Recorder {
    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Begins a section: its name in debuggers, its time in [`Device::timings`], and what a lost device's report names. It
    /// lasts until the next one begins.
    ///
    /// # Errors
    /// [`Error::Argument`] within a pass, [`Error::OutOfMemory`].
    pub fn label(&mut self, name: &str) -> Result<(), Error> {
        let commands = self.outside("a label")?;
        let device = self.device.0.clone();
        // SAFETY: the buffer is being recorded, outside passes.
        unsafe {
            self.end_label(commands);
            device.core.names.begin(commands, name);
            device.crumbs.begin(&device.core, commands, name);
            self.slot.timestamps.mark(&device.core, commands, Some(name));
        }
        self.labelled = true;
        Ok(())
    }

    /// # Safety
    /// `commands` is being recorded.
    unsafe fn end_label(&mut self, commands: vk::CommandBuffer) {
        if std::mem::take(&mut self.labelled) {
            // SAFETY: as the caller promises; a label is open.
            unsafe { self.device.0.core.names.end(commands) };
        }
    }

    /// The buffer to record to outside passes, after the barriers that wait.
    pub(crate) fn commands(&mut self) -> Result<vk::CommandBuffer, Error> {
        if self.given_back {
            let why = "it is submitted already".to_owned();
            return Err(Error::Argument { object: "a recording".to_owned(), why });
        }
        if self.inline == vk::CommandBuffer::null() {
            self.inline = self.slot.begin(&self.device.0.core)?;
        }
        self.flush_barriers();
        Ok(self.inline)
    }

    /// The same, or an error within a pass.
    fn outside(&mut self, what: &str) -> Result<vk::CommandBuffer, Error> {
        if self.pass.is_some() {
            return Err(Error::Argument { object: what.to_owned(), why: "not within a pass; end it first".to_owned() });
        }
        self.commands()
    }

    /// Records the barriers that wait into the buffer outside passes.
    fn flush_barriers(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.batch);
        let memory =
            [vk::MemoryBarrier::default().src_access_mask(batch.before_access).dst_access_mask(batch.after_access)];
        let memory = if batch.after_access.is_empty() { &[][..] } else { &memory };
        let none = vk::DependencyFlags::empty();
        let raw = &self.device.0.core.raw;
        // SAFETY: the buffer is being recorded, outside passes.
        unsafe {
            raw.cmd_pipeline_barrier(self.inline, batch.before, batch.after, none, memory, &[], &batch.images);
        }
    }

    /// The number of the pass that is open, 0 outside.
    fn pass_number(&self) -> u64 {
        self.pass.as_ref().map_or(0, |pass| pass.number)
    }

    /// Takes a buffer's use in.
    #[inline]
    fn use_buffer(&mut self, buffer: &Buffer, used: Use) -> Result<(), Error> {
        if self.recent.has(buffer.0.id, &used) {
            return Ok(());
        }
        self.take_in_buffer(buffer, used)
    }

    fn take_in_buffer(&mut self, buffer: &Buffer, used: Use) -> Result<(), Error> {
        if used.write {
            self.recent.forget();
        }
        loop {
            let needed = {
                let mut state = buffer.0.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.take(used, self.pass_number())
            };
            match needed {
                Needed::Nothing => break,
                Needed::Barrier(barrier) => {
                    self.batch.buffer(&barrier);
                    break;
                }
                Needed::Cut => self.cut_pass()?,
            }
        }
        if !used.write {
            self.recent.add(buffer.0.id, &used);
        }
        Ok(())
    }

    /// Takes the use of some levels of a texture in.
    pub(crate) fn use_texture(
        &mut self,
        texture: &Texture,
        mips: std::ops::Range<u32>,
        used: Use,
    ) -> Result<(), Error> {
        let key = texture.key(&mips);
        if self.recent.has(key, &used) {
            return Ok(());
        }
        for mip in mips {
            loop {
                let number = self.pass_number();
                let needed = {
                    let mut states = texture.0.states.lock().unwrap_or_else(PoisonError::into_inner);
                    let Some(state) = states.get_mut(mip as usize) else { return Ok(()) };
                    if state.is_held(number, used.layout) {
                        return Err(Error::Hazard {
                            object: texture.0.name.clone(),
                            why: format!("level {mip} is used in this pass in another way than {:?}", used.layout),
                        });
                    }
                    state.take(used, number)
                };
                match needed {
                    Needed::Nothing => break,
                    Needed::Barrier(barrier) => {
                        // What is written always needs one, and a change of layout is a write to whoever else looks at it.
                        self.recent.forget();
                        let range = vk::ImageSubresourceRange {
                            aspect_mask: texture.0.info.aspects,
                            base_mip_level: mip,
                            level_count: 1,
                            base_array_layer: 0,
                            layer_count: vk::REMAINING_ARRAY_LAYERS,
                        };
                        self.batch.image(&barrier, texture.0.raw, range);
                        break;
                    }
                    Needed::Cut => self.cut_pass()?,
                }
            }
        }
        if !used.write {
            self.recent.add(key, &used);
        }
        Ok(())
    }

    /// What this recording's submission waits for and signals besides: a window's.
    pub(crate) fn set_semaphores(&mut self, wait: Wait, signal: vk::Semaphore) {
        self.wait = Some(wait);
        self.signal = Some(signal);
    }

    /// Submits what was recorded.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn submit(mut self) -> Result<Submitted, Error> {
        self.end()
    }

    /// The same, for who cannot give the recording away. Nothing more can be recorded.
    ///
    /// # Errors
    /// As [`Recorder::submit`]; [`Error::Argument`] a second time.
    pub fn end(&mut self) -> Result<Submitted, Error> {
        if self.ended {
            self.commands()?;
        }
        let serial = self.finish()?;
        Ok(Submitted { serial, device: self.device.clone() })
    }

    fn finish(&mut self) -> Result<Serial, Error> {
        self.ended = true;
        let closed = self.lost.take().map_or_else(|| self.close(), Err);
        let submitted = closed.and_then(|()| {
            let device = &self.device;
            let submitted = device.0.queue.submit(&self.done, self.wait.take(), self.signal.take());
            submitted.map_err(device.failed("vkQueueSubmit", "a recording"))
        });
        if let Err(error) = &submitted {
            let _ = self.device.0.broken.set(error.clone());
        }
        self.given_back = true;
        let mut slot = std::mem::take(&mut self.slot);
        // Without a submission the slot is free as soon as what went before is done.
        slot.serial = *submitted.as_ref().unwrap_or(&(self.device.0.queue.next() - 1));
        self.device.0.slots.give(slot);
        let (counters, tally) = (&self.device.0.counters, &self.tally);
        counters.draws.add(tally.draws);
        counters.dispatches.add(tally.dispatches);
        counters.sets_pushed.add(tally.pushed);
        counters.sets_written.add(tally.written);
        counters.sets_reused.add(tally.reused);
        counters.pools.add(tally.pools);
        counters.cut_passes.add(tally.cut);
        counters.submissions.add(u64::from(submitted.is_ok()));
        submitted
    }

    /// Ends what is open.
    fn close(&mut self) -> Result<(), Error> {
        if self.pass.is_some() {
            self.end_pass()?;
        }
        let commands = self.commands()?;
        // SAFETY: the buffer is being recorded, outside passes.
        unsafe {
            self.end_label(commands);
            self.slot.timestamps.mark(&self.device.0.core, commands, None);
        }
        self.end_inline()
    }

    /// Ends the buffer outside passes.
    fn end_inline(&mut self) -> Result<(), Error> {
        if self.inline == vk::CommandBuffer::null() {
            return Ok(());
        }
        let commands = std::mem::take(&mut self.inline);
        // SAFETY: the buffer is being recorded, outside passes.
        let ended = unsafe { self.device.0.core.raw.end_command_buffer(commands) };
        let ended = ended.map_err(self.device.failed("vkEndCommandBuffer", "a recording"));
        match &ended {
            Ok(()) => self.done.push(commands),
            Err(error) => self.lost = Some(error.clone()),
        }
        ended
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.finish()
        {
            log::error!(target: "rx::device", "a recording that was dropped: {error}");
        }
    }
}
