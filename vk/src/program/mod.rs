//! Programs on a device: their modules, layouts and what can be bound to them.
//!
//! Owns the objects between a plan and a pipeline. Whether a set is pushed was decided by `layout::plan`, and nothing here
//! or above asks again: the same call binds to either.

#![allow(unsafe_code)] // Vulkan calls.

mod layouts;
mod places;

use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;
use rx_translate::interface::{ResourceClass, Stage};
use rx_translate::{StageInterface, Translation};

pub(crate) use layouts::{Layouts, PipelineLayout, SetObjects};
pub(crate) use places::Place;
use places::Places;

use crate::descriptors::Descriptor;
use crate::device::garbage::Trash;
use crate::device::{Device, Shared};
use crate::layout::{SetPlan, StageBits, VertexInput, plan_program};
use crate::{EMPTY_FRAGMENT_SHADER, Error};

/// A name or register of a program, looked up once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot(pub(crate) u32);

impl Slot {
    /// Its number, for a host that cannot keep the value: see [`Program::slot_of_number`].
    pub fn number(self) -> u32 {
        self.0
    }
}

/// One stage's module.
pub(crate) struct StageObject {
    pub(crate) stage: Stage,
    pub(crate) module: vk::ShaderModule,
    pub(crate) entry: CString,
    pub(crate) interface: StageInterface,
}

/// A program on a device. A cheap clone.
#[derive(Clone)]
pub struct Program(pub(crate) Arc<ProgramInner>);

pub(crate) struct ProgramInner {
    /// Different for every program of a process.
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) stages: Vec<StageObject>,
    pub(crate) layout: Arc<PipelineLayout>,
    pub(crate) places: Places,
    plans: Vec<SetPlan>,
    pub(crate) device: Arc<Shared>,
}

crate::resource::printed! { Program: Program::name; }

impl Drop for ProgramInner {
    fn drop(&mut self) {
        self.device.pipelines.parts.forget(&self.device, self.id);
        self.stages.iter().for_each(|stage| self.device.discard(Trash::Module(stage.module)));
    }
}

/// Numbers of programs.
static NEXT: AtomicU64 = AtomicU64::new(1);

impl Device {
    /// Plans a translated program's sets for this device and makes its modules and layouts.
    ///
    /// # Errors
    /// [`Error::Plan`] where the device cannot have the program, [`Error::MissingFeatures`] where it lacks a stage,
    /// [`Error::BindingTypes`], [`Error::StageTwice`], [`Error::OutOfMemory`].
    pub fn program(&self, name: &str, stages: &[Translation], vertex_input: VertexInput) -> Result<Program, Error> {
        self.check_stages(stages)?;
        let interfaces: Vec<StageInterface> = stages.iter().map(|stage| stage.interface.clone()).collect();
        let plans = plan_program(name, &interfaces, vertex_input, self.facts(), self.plan_options())?;
        if let Some(error) = plans.iter().find_map(SetPlan::error) {
            return Err(error);
        }
        for plan in &plans {
            self.0.plans.record(&plan.plan);
            log::debug!(target: "rx::plan", "{}", plan.line());
        }
        let layout = self.0.layouts.pipeline(self, name, &plans, &interfaces)?;
        let places = Places::new(self, &layout, &interfaces);
        let mut own = ProgramInner {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            name: name.to_owned(),
            stages: Vec::with_capacity(stages.len()),
            layout,
            places,
            plans,
            device: Arc::clone(&self.0),
        };
        // From here on a failure drops what has been made.
        for stage in stages {
            let module = self.module(name, &stage.spirv)?;
            own.stages.push(StageObject {
                stage: stage.interface.stage,
                module,
                entry: CString::new(stage.interface.entry_point.as_bytes()).unwrap_or_default(),
                interface: stage.interface.clone(),
            });
        }
        self.add_fragment_stage(&mut own)?;
        self.0.counters.programs.add(1);
        Ok(Program(Arc::new(own)))
    }

    /// Whether the device runs these stages.
    fn check_stages(&self, stages: &[Translation]) -> Result<(), Error> {
        let core = &self.0.core.features.core;
        let missing: Vec<String> = stages
            .iter()
            .filter_map(|stage| match stage.interface.stage {
                Stage::Geometry if core.geometry_shader == vk::FALSE => Some("geometryShader".to_owned()),
                Stage::TessellationControl | Stage::TessellationEvaluation if core.tessellation_shader == vk::FALSE => {
                    Some("tessellationShader".to_owned())
                }
                Stage::Task | Stage::Mesh => Some("meshShader".to_owned()),
                _ => None,
            })
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::MissingFeatures { device: self.0.real.name.clone(), missing })
    }

    fn module(&self, name: &str, words: &[u32]) -> Result<vk::ShaderModule, Error> {
        let core = &self.0.core;
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the device is live, and the words are a module that the translator wrote or checked.
        let module = unsafe { core.raw.create_shader_module(&info, None) };
        let module = module.map_err(self.failed("vkCreateShaderModule", name))?;
        core.names.object(module, name);
        Ok(module)
    }

    /// Adds the fragment stage that some drivers need.
    fn add_fragment_stage(&self, program: &mut ProgramInner) -> Result<(), Error> {
        let bits = program.stages.iter().fold(StageBits::EMPTY, |bits, own| bits.or(StageBits::of(own.stage)));
        if self.0.pipeline_fixes.needs_fragment_stage(bits) {
            let module = self.module(&program.name, EMPTY_FRAGMENT_SHADER)?;
            let interface = StageInterface { entry_point: "main".to_owned(), ..StageInterface::empty(Stage::Fragment) };
            program.stages.push(StageObject { stage: Stage::Fragment, module, entry: c"main".to_owned(), interface });
        }
        Ok(())
    }
}

impl Program {
    /// Name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The plan of each set.
    pub fn plans(&self) -> &[SetPlan] {
        &self.0.plans
    }

    /// Whether set 0 is pushed.
    pub fn is_pushed(&self) -> bool {
        self.0.layout.sets.iter().any(|set| set.pushed)
    }

    /// What the shaders call by this name, in every stage that has it.
    ///
    /// # Errors
    /// [`Error::Binding`] with the nearest name.
    pub fn slot(&self, name: &str) -> Result<Slot, Error> {
        self.0.places.by_name(name).ok_or_else(|| self.no_name(name))
    }

    /// The hidden counter of the UAV that the shaders call by this name.
    ///
    /// # Errors
    /// [`Error::Binding`].
    pub fn counter(&self, name: &str) -> Result<Slot, Error> {
        self.0.places.counter(name).ok_or_else(|| {
            let why = "the program has no counter of a UAV of this name".to_owned();
            Error::Binding { program: self.0.name.clone(), name: name.to_owned(), why }
        })
    }

    /// What stands at a register, in every stage that has it: for shaders whose names were stripped.
    ///
    /// # Errors
    /// [`Error::Binding`].
    pub fn register(&self, class: ResourceClass, register: u32, space: u32) -> Result<Slot, Error> {
        self.0.places.by_register(class, register, space).ok_or_else(|| {
            let why = "the program declares nothing there".to_owned();
            Error::Binding { program: self.0.name.clone(), name: format!("{class:?} {register} space {space}"), why }
        })
    }

    /// The slot whose [`Slot::number`] this is.
    ///
    /// # Errors
    /// [`Error::Binding`].
    pub fn slot_of_number(&self, number: u32) -> Result<Slot, Error> {
        if self.0.places.of(Slot(number)).is_empty() {
            let why = "the program has no slot of this number".to_owned();
            return Err(Error::Binding { program: self.0.name.clone(), name: format!("slot {number}"), why });
        }
        Ok(Slot(number))
    }

    /// Every name that can be bound.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.places.names()
    }

    pub(crate) fn stage(&self, stage: Stage) -> Option<&StageObject> {
        self.0.stages.iter().find(|own| own.stage == stage)
    }

    fn no_name(&self, name: &str) -> Error {
        let nearest = rx_vendor_fixes::nearest(name, self.names());
        let why = match nearest {
            Some(nearest) => format!("the program has nothing of this name; the nearest is {nearest}"),
            None => "the program has no names: bind by register".to_owned(),
        };
        Error::Binding { program: self.0.name.clone(), name: name.to_owned(), why }
    }
}

/// Descriptors as they stand when nothing is bound.
pub(crate) fn defaults(program: &Program) -> Vec<Descriptor> {
    program.0.places.defaults().to_vec()
}

/// The pipeline stage of a shader stage.
pub(crate) fn pipeline_stage(stage: Stage) -> vk::PipelineStageFlags {
    use vk::PipelineStageFlags as S;
    match stage {
        Stage::Vertex => S::VERTEX_SHADER,
        Stage::TessellationControl => S::TESSELLATION_CONTROL_SHADER,
        Stage::TessellationEvaluation => S::TESSELLATION_EVALUATION_SHADER,
        Stage::Geometry => S::GEOMETRY_SHADER,
        Stage::Fragment => S::FRAGMENT_SHADER,
        Stage::Compute => S::COMPUTE_SHADER,
        Stage::Task => S::TASK_SHADER_EXT,
        Stage::Mesh => S::MESH_SHADER_EXT,
    }
}
