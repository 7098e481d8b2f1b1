//! The device: what everything else is made by.
//!
//! Owns the way from a host's wishes to a live device with its facts, fixes and profile, and the order in which all of it
//! goes away. What is recorded and submitted is `recorder`'s.

#![allow(unsafe_code)] // Vulkan calls.

pub(crate) mod core;
pub(crate) mod debug;
mod features;
pub(crate) mod garbage;
mod instance;
mod lost;
pub(crate) mod queue;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ash::vk;
use rx_translate::Profile;
use rx_vendor_fixes::{Config, ResolvedFixes};

pub use features::{DeviceRequest, Need};
pub use instance::{Adapter, Instance, InstanceOptions};
pub use lost::Breadcrumbs;

use self::core::Core;
use self::garbage::{Garbage, Trash};
use self::queue::Queue;
use crate::descriptors::Placeholders;
use crate::layout::report::PlanCounters;
use crate::memory::MemoryReport;
use crate::pipeline::{DriverCache, Pipelines, Pool};
use crate::program::Layouts;
use crate::recorder::Slots;
use crate::report::Counters;
use crate::{DeviceFacts, Error, PipelineFixes, PlanOptions, log_fixes, profile};

/// How to make a device.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// The switches.
    pub config: Config,
    /// The device is to show windows.
    pub window: bool,
    /// Recordings that may be under way at once, the one being recorded with them: 1 to 8.
    pub frames_in_flight: usize,
    /// Threads that compile pipelines; 0 takes as many as there are processors, less one.
    pub compile_threads: usize,
    /// Descriptors of a range without an end (`t0[]`).
    pub unbounded_descriptors: u32,
    /// What the driver cached of pipelines before: [`Device::pipeline_cache`] of an earlier run. What does not fit this
    /// driver is left aside.
    pub pipeline_cache: Vec<u8>,
    /// Tells the driver of resources that are not bound by null descriptors, where it has them; else by objects of zeros.
    pub null_descriptors: bool,
    /// Links pipelines of parts made ahead, where the device can.
    pub pipeline_libraries: bool,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        DeviceOptions {
            config: Config::default(),
            window: false,
            frames_in_flight: 2,
            compile_threads: 0,
            unbounded_descriptors: 1024,
            pipeline_cache: Vec::new(),
            null_descriptors: true,
            pipeline_libraries: true,
        }
    }
}

/// A device. Clones share it; it is destroyed when the last of them and of its objects is gone: the drop of that one waits
/// for the GPU, and for pipelines that are being compiled.
#[derive(Clone)]
pub struct Device(
    pub(crate) Arc<Shared>,
    /// Held beside it: the threads hold what they compile, and with it the device.
    pub(crate) Arc<Pool>,
);

pub(crate) struct Shared {
    pub(crate) real: DeviceFacts,
    pub(crate) facts: DeviceFacts,
    pub(crate) fixes: ResolvedFixes,
    pub(crate) pipeline_fixes: PipelineFixes,
    pub(crate) plan_options: PlanOptions,
    pub(crate) profile: Profile,
    pub(crate) options: DeviceOptions,
    pub(crate) dynamic_rendering: bool,
    pub(crate) plans: PlanCounters,
    pub(crate) counters: Counters,
    pub(crate) crumbs: Breadcrumbs,
    /// Why the last submission failed: what was recorded did not happen, and what is known of every object is wrong.
    pub(crate) broken: OnceLock<Error>,
    garbage: Mutex<Garbage>,
    pub(crate) slots: Slots,
    pub(crate) placeholders: Placeholders,
    pub(crate) pipelines: Pipelines,
    pub(crate) layouts: Layouts,
    pub(crate) queue: Queue,
    pub(crate) core: Arc<Core>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        // A device that is lost has nothing to wait for.
        if let Err(result) = self.queue.settle() {
            log::warn!(target: "rx::device", "vkQueueWaitIdle at close: {result:?}");
        }
        self.pipelines.destroy(&self.core);
        self.plans.log();
        self.slots.destroy(&self.core);
        self.placeholders.destroy(&self.core);
        self.crumbs.destroy(&self.core);
        self.garbage().collect(&self.core, u64::MAX);
        self.layouts.destroy(&self.core);
    }
}

impl Device {
    /// Makes a device.
    ///
    /// # Errors
    /// [`Error::MissingFeatures`] with each by name, [`Error::NoUpdateAfterBind`], those of `RX_VK_FACTS`, and those of Vulkan.
    pub fn new(adapter: &Adapter, options: &DeviceOptions) -> Result<Device, Error> {
        let request = DeviceRequest::new(adapter, options.window)?;
        let core = Arc::new(Core::create(adapter, &request)?);
        Device::start(adapter, core, options)
    }

    /// Takes a host's own device, made as `request` says, with a queue for graphics and compute. rx never destroys it.
    ///
    /// # Safety
    /// `raw` is a device of `adapter` with the request's features and extensions, `family` has a queue 0 for graphics and
    /// compute that nobody else uses at the same time, and the device outlives every clone of the result and every
    /// object made by it.
    ///
    /// # Errors
    /// As [`Device::new`].
    pub unsafe fn from_raw(
        adapter: &Adapter,
        request: &DeviceRequest,
        raw: ash::Device,
        family: u32,
        options: &DeviceOptions,
    ) -> Result<Device, Error> {
        let core = Arc::new(Core::over(adapter, request, raw, family, false)?);
        Device::start(adapter, core, options)
    }

    fn start(adapter: &Adapter, core: Arc<Core>, options: &DeviceOptions) -> Result<Device, Error> {
        let real = adapter.facts.clone();
        let facts = match &options.config.facts {
            Some(name) => DeviceFacts::open(name)?.bounded_by(&real),
            None => real.clone(),
        };
        let plan_options = PlanOptions::new(&facts, &options.config);
        facts.check_fixes(&plan_options.fixes)?;
        // What pipelines and words work around is the real driver's: only layouts are planned for another.
        let fixes = ResolvedFixes::of(&real.identity(), &options.config);
        let pipeline_fixes = PipelineFixes::new(&fixes);
        log_fixes(&plan_options.fixes);
        // SAFETY: the family has a queue 0.
        let queue = unsafe { core.raw.get_device_queue(core.family, 0) };
        let queue = Queue::new(&core, queue)?;
        let cache = DriverCache::new(&core, &options.pipeline_cache)?;
        let dynamic = !matches!(core.rendering, core::Rendering::None) && !pipeline_fixes.no_dynamic_rendering;
        let mut shared = Shared {
            profile: profile(&real, &fixes),
            real,
            facts,
            fixes,
            pipeline_fixes,
            plan_options,
            options: options.clone(),
            dynamic_rendering: dynamic,
            plans: PlanCounters::new(),
            counters: Counters::default(),
            crumbs: Breadcrumbs::default(),
            broken: OnceLock::new(),
            garbage: Mutex::default(),
            slots: Slots::new(options.frames_in_flight),
            placeholders: Placeholders::default(),
            pipelines: Pipelines::new(cache, core.links_quickly && dynamic, options),
            layouts: Layouts::default(),
            queue,
            core,
        };
        shared.crumbs = Breadcrumbs::new(&shared.core)?;
        let null = shared.core.features.robustness.null_descriptor == vk::TRUE && options.null_descriptors;
        shared.placeholders = Placeholders::new(&shared.core, null)?;
        let device = Device(Arc::new(shared), Arc::new(Pool::new(options.compile_threads)));
        device.clear_placeholders()?;
        Ok(device)
    }

    /// The facts that programs are planned for: those that `RX_VK_FACTS` names, bounded by the device's own.
    pub fn facts(&self) -> &DeviceFacts {
        &self.0.facts
    }

    /// The device's own facts.
    pub fn real_facts(&self) -> &DeviceFacts {
        &self.0.real
    }

    /// The options that programs are planned with.
    pub fn plan_options(&self) -> &PlanOptions {
        &self.0.plan_options
    }

    /// The fixes that are on for the device itself.
    pub fn fixes(&self) -> &ResolvedFixes {
        &self.0.fixes
    }

    /// What the translator may write for the device.
    pub fn profile(&self) -> Profile {
        self.0.profile
    }

    /// The instance.
    pub fn instance(&self) -> &Instance {
        &self.0.core.instance
    }

    /// Vulkan's own object, for what rx does not do. What it makes is the caller's to destroy, before the device is dropped.
    pub fn raw(&self) -> &ash::Device {
        &self.0.core.raw
    }

    /// Vulkan's limits of the device.
    pub fn limits(&self) -> &vk::PhysicalDeviceLimits {
        &self.0.core.properties.limits
    }

    /// What stands allocated.
    pub fn memory(&self) -> MemoryReport {
        self.0.core.memory.report()
    }

    /// Whether a transform feedback program can run.
    pub fn has_stream_output(&self) -> bool {
        self.0.core.feedback.is_some()
    }

    /// Whether passes go without render pass objects.
    pub fn has_dynamic_rendering(&self) -> bool {
        self.0.dynamic_rendering
    }

    /// Waits until the device does nothing, and destroys what was dropped.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn wait_idle(&self) -> Result<(), Error> {
        self.0.queue.idle().map_err(self.failed("vkQueueWaitIdle", "the queue"))?;
        self.collect();
        Ok(())
    }

    /// Destroys what was dropped and the GPU is done with.
    pub(crate) fn collect(&self) {
        let done = self.0.queue.done();
        self.0.garbage().collect(&self.0.core, done);
    }

    /// The error of a call; of a lost device with what is known of its end.
    pub(crate) fn failed<'a>(&'a self, call: &'static str, object: &'a str) -> impl Fn(vk::Result) -> Error + 'a {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost { call, report: self.0.crumbs.report(&self.0.core) },
            result => crate::error::vulkan(call, object)(result),
        }
    }
}

impl Shared {
    fn garbage(&self) -> MutexGuard<'_, Garbage> {
        self.garbage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Destroys an object when the GPU is done with all that has been recorded.
    pub(crate) fn discard(&self, trash: Trash) {
        let serial = self.queue.next();
        self.garbage().push(serial, trash);
    }
}
