//! The queue and its timeline: every submission has a number, and the GPU says which it has done.
//!
//! Owns the order of submissions. What may be destroyed, reused or read is decided by these numbers alone.

#![allow(unsafe_code)] // Vulkan calls.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ash::vk;

use super::core::Core;
use crate::Error;
use crate::error::vulkan;

/// How long a wait for the GPU may last before it is asked again, in nanoseconds.
const WAIT_NS: u64 = 1_000_000_000;

/// A submission's number, from 1. Later ones are larger.
pub(crate) type Serial = u64;

pub(crate) struct Queue {
    raw: vk::Queue,
    timeline: vk::Semaphore,
    /// The number of the last submission; held while one is made.
    last: Mutex<Serial>,
    /// The number up to which the GPU is known to be done.
    done: AtomicU64,
    core: Arc<Core>,
}

/// A semaphore to wait for, and the stage that waits.
pub(crate) type Wait = (vk::Semaphore, vk::PipelineStageFlags);

impl Queue {
    pub(crate) fn new(core: &Arc<Core>, raw: vk::Queue) -> Result<Queue, Error> {
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: the device is live and has timeline semaphores.
        let timeline = unsafe { core.raw.create_semaphore(&info, None) };
        let timeline = timeline.map_err(vulkan("vkCreateSemaphore", "the timeline"))?;
        core.names.object(timeline, "rx timeline");
        Ok(Queue { raw, timeline, last: Mutex::new(0), done: AtomicU64::new(0), core: Arc::clone(core) })
    }

    fn lock(&self) -> MutexGuard<'_, Serial> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number that the next submission gets.
    pub(crate) fn next(&self) -> Serial {
        *self.lock() + 1
    }

    /// Submits command buffers, in order.
    pub(crate) fn submit(
        &self,
        commands: &[vk::CommandBuffer],
        wait: Option<Wait>,
        signal: Option<vk::Semaphore>,
    ) -> Result<Serial, vk::Result> {
        let mut last = self.lock();
        let serial = *last + 1;
        let (wait, stage): (Vec<_>, Vec<_>) = wait.into_iter().unzip();
        // A binary semaphore's value is not read.
        let signals: Vec<vk::Semaphore> = signal.into_iter().chain([self.timeline]).collect();
        let values = vec![serial; signals.len()];
        let waited = vec![0; wait.len()];
        let mut timeline =
            vk::TimelineSemaphoreSubmitInfo::default().signal_semaphore_values(&values).wait_semaphore_values(&waited);
        let info = vk::SubmitInfo::default()
            .command_buffers(commands)
            .wait_semaphores(&wait)
            .wait_dst_stage_mask(&stage)
            .signal_semaphores(&signals)
            .push_next(&mut timeline);
        // SAFETY: the command buffers are recorded and not in use, the semaphores live, and the queue is held.
        unsafe { self.core.raw.queue_submit(self.raw, &[info], vk::Fence::null()) }?;
        *last = serial;
        Ok(serial)
    }

    /// The number up to which the GPU is done.
    pub(crate) fn done(&self) -> Serial {
        // SAFETY: the semaphore is live.
        if let Ok(value) = unsafe { self.core.raw.get_semaphore_counter_value(self.timeline) } {
            self.done.fetch_max(value, Ordering::Relaxed);
        }
        self.done.load(Ordering::Relaxed)
    }

    /// Waits until the GPU is done with a submission.
    pub(crate) fn wait(&self, serial: Serial) -> Result<(), vk::Result> {
        if self.done.load(Ordering::Relaxed) >= serial {
            return Ok(());
        }
        let (semaphores, values) = ([self.timeline], [serial]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        loop {
            // SAFETY: the semaphore is live, and a submission that signals the value has been made.
            match unsafe { self.core.raw.wait_semaphores(&info, WAIT_NS) } {
                Ok(()) => break,
                Err(vk::Result::TIMEOUT) => {}
                Err(result) => return Err(result),
            }
        }
        self.done.fetch_max(serial, Ordering::Relaxed);
        Ok(())
    }

    /// Shows an image of a swapchain.
    pub(crate) fn present(&self, info: &vk::PresentInfoKHR<'_>) -> Result<bool, vk::Result> {
        let _held = self.lock();
        match &self.core.swapchain {
            // SAFETY: the caller's structure is of live objects, and the queue is held.
            Some(swapchain) => unsafe { swapchain.queue_present(self.raw, info) },
            None => Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT),
        }
    }

    /// Waits at the device's end, by another way where the first fails.
    pub(crate) fn settle(&self) -> Result<(), vk::Result> {
        let last = *self.lock();
        self.idle().or_else(|_| self.wait(last))
    }

    /// Waits until the device does nothing: also what is no submission, like showing an image.
    pub(crate) fn idle(&self) -> Result<(), vk::Result> {
        let last = self.lock();
        // SAFETY: the queue is held.
        unsafe { self.core.raw.queue_wait_idle(self.raw) }?;
        self.done.fetch_max(*last, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: the owner has waited for the queue.
        unsafe { self.core.raw.destroy_semaphore(self.timeline, None) };
    }
}
