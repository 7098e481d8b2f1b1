//! Pipelines: interned by program and state, compiled on threads of their own, waited for where they are needed.
//!
//! Owns a pipeline's life from the request to its destruction. Two requests for the same are one pipeline.

#![allow(unsafe_code)] // Vulkan calls.

mod cache;
mod graphics;
mod parts;
mod pool;
mod render_pass;
mod state;

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};

use ash::vk;

pub(crate) use cache::DriverCache;
use graphics::Part;
use parts::Parts;
pub(crate) use pool::Pool;
pub(crate) use render_pass::{Attachments, Ops, RenderPassKey, RenderPasses};
pub use state::{
    Blend, BlendPart, ClassInstance, Cull, DepthBias, DepthState, GraphicsState, StencilFace, StencilOp, StencilState,
    TargetState, Topology, VertexElement, VertexStream,
};

use crate::Error;
use crate::device::core::Core;
use crate::device::garbage::Trash;
use crate::device::{Device, DeviceOptions, Shared};
use crate::program::Program;
use crate::report::Counter;

/// How soon a pipeline is needed. Later ones go first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// Some time: a warm-up.
    Background,
    /// Soon: the next scene.
    #[default]
    Normal,
    /// The frame that is being recorded.
    Now,
}

/// What a draw does whose pipeline is not compiled yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NotReady {
    /// It waits.
    #[default]
    Wait,
    /// It is left out.
    Skip,
}

/// How far a pipeline is.
enum Progress {
    /// In the queue, or in nobody's hands.
    Asked,
    Compiling,
    /// `linked`: of parts, and to be made whole when there is time.
    Done {
        made: Result<vk::Pipeline, Error>,
        linked: bool,
    },
}

/// A pipeline. A cheap clone; compiled in the background.
#[derive(Clone)]
pub struct Pipeline(pub(crate) Arc<PipelineInner>, Arc<Pool>);

pub(crate) struct PipelineInner {
    pub(crate) program: Program,
    kind: Kind,
    progress: Mutex<Progress>,
    ended: Condvar,
}

/// What makes two pipelines of a program differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Compute(Vec<ClassInstance>),
    Graphics(GraphicsState),
}

crate::resource::printed! { Pipeline: Pipeline::name; }

impl Drop for PipelineInner {
    fn drop(&mut self) {
        let progress = self.progress.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Progress::Done { made: Ok(pipeline), .. } = *progress {
            self.program.0.device.discard(Trash::Pipeline(pipeline));
        }
    }
}

impl PipelineInner {
    /// Compiles it as a whole, unless somebody has begun; one that was linked is made whole.
    fn compile(self: &Arc<Self>) {
        self.make(None);
    }

    /// As [`PipelineInner::compile`], where a draw waits for it: it may be linked now, and made whole in the pool.
    fn make(self: &Arc<Self>, pool: Option<&Pool>) {
        {
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            match *progress {
                Progress::Asked => *progress = Progress::Compiling,
                Progress::Done { linked: true, .. } if pool.is_none() => {
                    drop(progress);
                    return self.make_whole();
                }
                _ => return,
            }
        }
        let device = &self.program.0.device;
        let cache = device.pipelines.cache.raw();
        let pool = pool.filter(|_| device.pipelines.linking && self.has_parts());
        let made = match &self.kind {
            Kind::Compute(classes) => graphics::compute(device, &self.program, classes, cache),
            Kind::Graphics(state) if pool.is_some() => device.pipelines.parts.link(device, &self.program, state, cache),
            Kind::Graphics(state) => graphics::build(device, &self.program, state, Part::Whole, cache),
        };
        let counter = if made.is_ok() { &device.pipelines.made } else { &device.pipelines.failed };
        counter.add(1);
        match &made {
            Ok(pipeline) => device.core.names.object(*pipeline, self.name()),
            Err(error) => log::error!(target: "rx::pipeline", "{error}"),
        }
        let pool = pool.filter(|_| made.is_ok());
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Progress::Done { made, linked: pool.is_some() };
        self.ended.notify_all();
        if let Some(pool) = pool {
            device.pipelines.linked.add(1);
            pool.add(self, Priority::Background);
        }
    }

    /// Whether it is worth linking. What reaches no rasteriser has two parts, which are as long in the making as the whole;
    /// and layers and drivers seldom meet such a link: the validation layer 1.3.239 crashes where one draws.
    fn has_parts(&self) -> bool {
        matches!(&self.kind, Kind::Graphics(state) if state.rasterize)
    }

    /// Compiles as a whole what was linked, for draws to come. Where that fails, what was linked stays.
    fn make_whole(&self) {
        let device = &self.program.0.device;
        let Kind::Graphics(state) = &self.kind else { return };
        let whole = graphics::build(device, &self.program, state, Part::Whole, device.pipelines.cache.raw());
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let Progress::Done { made: Ok(before), .. } = *progress else { return };
        let now = match whole {
            Ok(whole) => {
                device.core.names.object(whole, self.name());
                device.discard(Trash::Pipeline(before));
                whole
            }
            Err(error) => {
                log::warn!(target: "rx::pipeline", "it stays linked of parts: {error}");
                before
            }
        };
        *progress = Progress::Done { made: Ok(now), linked: false };
    }

    fn name(&self) -> &str {
        match &self.kind {
            Kind::Compute(_) => self.program.name(),
            Kind::Graphics(state) => graphics::name(&self.program, state),
        }
    }

    /// The pipeline, where it is compiled.
    fn ready(&self) -> Option<Result<vk::Pipeline, Error>> {
        match &*self.progress.lock().unwrap_or_else(PoisonError::into_inner) {
            Progress::Done { made, .. } => Some(made.clone()),
            _ => None,
        }
    }

    /// The pipeline; compiled here where nobody has begun.
    fn wait(self: &Arc<Self>, pool: &Pool) -> Result<vk::Pipeline, Error> {
        self.make(Some(pool));
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Progress::Done { made, .. } = &*progress {
                return made.clone();
            }
            progress = self.ended.wait(progress).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Pipeline {
    /// Name.
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Whether a draw need not wait for it.
    pub fn is_ready(&self) -> bool {
        self.0.ready().is_some()
    }

    /// Whether it is compiled as a whole: one that was linked of parts draws as well, and may draw slower.
    pub fn is_whole(&self) -> bool {
        let progress = self.0.progress.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(*progress, Progress::Done { made: Ok(_), linked: false })
    }

    /// Waits until it is compiled; where nobody has begun, it is compiled here, or linked of parts where the device can.
    ///
    /// # Errors
    /// [`Error::Pipeline`], [`Error::OutOfMemory`].
    pub fn wait(&self) -> Result<(), Error> {
        self.0.wait(&self.1).map(|_| ())
    }

    /// The compiled pipeline, or `None` where the draw is to be left out.
    pub(crate) fn get(&self, not_ready: NotReady) -> Result<Option<vk::Pipeline>, Error> {
        match (self.0.ready(), not_ready) {
            (Some(made), _) => made.map(Some),
            (None, NotReady::Wait) => self.0.wait(&self.1).map(Some),
            (None, NotReady::Skip) => Ok(None),
        }
    }

    pub(crate) fn point(&self) -> vk::PipelineBindPoint {
        match self.0.kind {
            Kind::Compute(_) => vk::PipelineBindPoint::COMPUTE,
            Kind::Graphics(_) => vk::PipelineBindPoint::GRAPHICS,
        }
    }

    /// Formats that it renders to; `None` of a compute pipeline.
    pub(crate) fn attachments(&self) -> Option<Attachments> {
        match &self.0.kind {
            Kind::Compute(_) => None,
            Kind::Graphics(state) => Some(Attachments::of_state(state)),
        }
    }

    /// Whether it renders or only streams out.
    pub(crate) fn streams(&self) -> impl Iterator<Item = u32> {
        let streams = match &self.0.kind {
            Kind::Compute(_) => &[][..],
            Kind::Graphics(state) => &state.streams,
        };
        streams.iter().map(|stream| stream.slot)
    }
}

/// Counts for the report.
pub(crate) struct Counts {
    pub(crate) made: u64,
    pub(crate) linked: u64,
    pub(crate) shared: u64,
    pub(crate) failed: u64,
    pub(crate) restored_bytes: u64,
}

type Interned = HashMap<(u64, Kind), Weak<PipelineInner>>;

/// All pipelines of a device.
pub(crate) struct Pipelines {
    interned: Mutex<Interned>,
    cache: DriverCache,
    pub(crate) render_passes: RenderPasses,
    pub(crate) parts: Parts,
    /// Pipelines that a draw waits for are linked of parts.
    linking: bool,
    linked: Counter,
    made: Counter,
    shared: Counter,
    failed: Counter,
}

impl Pipelines {
    pub(crate) fn new(cache: DriverCache, linking: bool, options: &DeviceOptions) -> Pipelines {
        Pipelines {
            interned: Mutex::default(),
            cache,
            render_passes: RenderPasses::default(),
            parts: Parts::default(),
            linking: linking && options.pipeline_libraries,
            linked: Counter::default(),
            made: Counter::default(),
            shared: Counter::default(),
            failed: Counter::default(),
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            made: self.made.get(),
            linked: self.linked.get(),
            shared: self.shared.get(),
            failed: self.failed.get(),
            restored_bytes: self.cache.restored_bytes(),
        }
    }

    /// Destroys what is the device's own. The device is idle.
    pub(crate) fn destroy(&self, core: &Core) {
        self.parts.destroy(core);
        self.render_passes.destroy(core);
        self.cache.destroy(core);
    }
}

impl Device {
    /// A graphics pipeline, which begins to compile in the background. One that there is already is shared.
    ///
    /// # Errors
    /// [`Error::Pipeline`] where the state contradicts the program or the device. What the driver refuses comes when the
    /// pipeline is used or waited for.
    pub fn graphics(&self, program: &Program, state: &GraphicsState, priority: Priority) -> Result<Pipeline, Error> {
        graphics::check(&self.0, program, state)?;
        Ok(self.intern(program, Kind::Graphics(state.clone()), priority))
    }

    /// A compute pipeline, in the same way.
    ///
    /// # Errors
    /// [`Error::Pipeline`] of a program without a compute stage.
    pub fn compute(&self, program: &Program, classes: &[ClassInstance], priority: Priority) -> Result<Pipeline, Error> {
        if program.stage(rx_translate::interface::Stage::Compute).is_none() {
            let why = "the program has no compute stage".to_owned();
            return Err(Error::Pipeline { pipeline: program.name().to_owned(), why });
        }
        Ok(self.intern(program, Kind::Compute(classes.to_vec()), priority))
    }

    fn intern(&self, program: &Program, kind: Kind, priority: Priority) -> Pipeline {
        let pipelines = &self.0.pipelines;
        let key = (program.0.id, kind);
        let mut interned = pipelines.interned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = interned.get(&key).and_then(Weak::upgrade) {
            pipelines.shared.add(1);
            return Pipeline(found, Arc::clone(&self.1));
        }
        let inner = Arc::new(PipelineInner {
            program: program.clone(),
            kind: key.1.clone(),
            progress: Mutex::new(Progress::Asked),
            ended: Condvar::new(),
        });
        if interned.len() == interned.capacity() {
            interned.retain(|_, pipeline| pipeline.strong_count() > 0);
        }
        interned.insert(key, Arc::downgrade(&inner));
        drop(interned);
        self.1.add(&inner, priority);
        Pipeline(inner, Arc::clone(&self.1))
    }

    /// Waits until all of these are compiled. `progress` hears how many of them are; the calling thread compiles too.
    ///
    /// # Errors
    /// The first error of a pipeline; all others are compiled nevertheless.
    pub fn warm_up(&self, pipelines: &[Pipeline], progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        let mut first = Ok(());
        progress(0, pipelines.len());
        for (done, pipeline) in pipelines.iter().enumerate() {
            // Whole: nobody waits for one of them alone.
            pipeline.0.compile();
            if let (Err(error), Ok(())) = (pipeline.wait(), &first) {
                first = Err(error);
            }
            progress(done + 1, pipelines.len());
        }
        first
    }

    /// What the driver caches of pipelines: to be kept, and given to the next device as [`DeviceOptions::pipeline_cache`].
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn pipeline_cache(&self) -> Result<Vec<u8>, Error> {
        self.0.pipelines.cache.data(&self.0.core)
    }
}

impl Shared {
    /// The render pass of a key.
    pub(crate) fn render_pass(&self, key: RenderPassKey) -> Result<vk::RenderPass, Error> {
        self.pipelines.render_passes.get(&self.core, key)
    }
}
