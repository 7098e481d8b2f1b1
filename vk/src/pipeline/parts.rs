//! Parts of graphics pipelines, made once and linked: a pipeline that a draw waits for is there sooner.
//!
//! Owns the parts of a device. Each is keyed by what of program and state it depends on, so that two pipelines that differ
//! in their blending share all but one.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;

use super::graphics::{self, Part};
use super::state::{
    ClassInstance, Cull, DepthBias, DepthState, GraphicsState, TargetState, Topology, VertexElement, VertexStream,
};
use crate::Error;
use crate::device::Shared;
use crate::device::core::Core;
use crate::device::garbage::Trash;
use crate::program::Program;

/// What a part depends on.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    VertexInput {
        /// Which inputs there are is the vertex shader's to say.
        program: u64,
        elements: Vec<VertexElement>,
        streams: Vec<VertexStream>,
        topology: Topology,
    },
    PreRasterization {
        program: u64,
        classes: Vec<ClassInstance>,
        samples: u32,
        topology: Topology,
        cull: Cull,
        /// `front_counter_clockwise`, `wireframe`, `depth_clip`.
        switches: [bool; 3],
        depth_bias: Option<DepthBias>,
    },
    Fragment {
        program: u64,
        classes: Vec<ClassInstance>,
        multisampling: (u32, u32, bool),
        depth: Option<DepthState>,
    },
    Output {
        /// Which targets are written is the fragment shader's to say.
        program: u64,
        targets: Vec<TargetState>,
        multisampling: (u32, u32, bool),
        depth: vk::Format,
    },
}

impl Key {
    fn of(part: Part, program: &Program, state: &GraphicsState) -> Key {
        let multisampling = (state.samples, state.sample_mask, state.alpha_to_coverage);
        let program = program.0.id;
        match part {
            Part::VertexInput => Key::VertexInput {
                program,
                elements: state.elements.clone(),
                streams: state.streams.clone(),
                topology: state.topology,
            },
            Part::PreRasterization => Key::PreRasterization {
                program,
                classes: state.classes.clone(),
                samples: state.samples,
                topology: state.topology,
                cull: state.cull,
                switches: [state.front_counter_clockwise, state.wireframe, state.depth_clip],
                depth_bias: state.depth_bias,
            },
            Part::Fragment => {
                Key::Fragment { program, classes: state.classes.clone(), multisampling, depth: state.depth }
            }
            Part::Output | Part::Whole => Key::Output {
                program,
                targets: state.targets.clone(),
                multisampling,
                depth: state.depth.map_or(vk::Format::UNDEFINED, |depth| depth.format),
            },
        }
    }

    fn program(&self) -> u64 {
        match self {
            Key::VertexInput { program, .. }
            | Key::PreRasterization { program, .. }
            | Key::Fragment { program, .. }
            | Key::Output { program, .. } => *program,
        }
    }
}

/// A part, or room for one: whoever comes second waits for the first.
type Entry = Arc<Mutex<Option<vk::Pipeline>>>;

#[derive(Default)]
pub(crate) struct Parts(Mutex<HashMap<Key, Entry>>);

impl Parts {
    /// Links a pipeline that rasterises of its parts; makes those that are missing.
    pub(super) fn link(
        &self,
        device: &Shared,
        program: &Program,
        state: &GraphicsState,
        cache: vk::PipelineCache,
    ) -> Result<vk::Pipeline, Error> {
        let parts = [Part::VertexInput, Part::PreRasterization, Part::Fragment, Part::Output];
        let parts = parts.iter().map(|&part| self.get(part, device, program, state, cache));
        let parts: Vec<vk::Pipeline> = parts.collect::<Result<_, _>>()?;
        graphics::link(device, program, state, &parts, cache)
    }

    fn get(
        &self,
        part: Part,
        device: &Shared,
        program: &Program,
        state: &GraphicsState,
        cache: vk::PipelineCache,
    ) -> Result<vk::Pipeline, Error> {
        let entry = {
            let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(held.entry(Key::of(part, program, state)).or_default())
        };
        let mut entry = entry.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = *entry {
            return Ok(made);
        }
        let made = graphics::build(device, program, state, part, cache)?;
        *entry = Some(made);
        Ok(made)
    }

    /// Discards the parts of a program that is gone.
    pub(crate) fn forget(&self, device: &Shared, program: u64) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|key, entry| {
            let kept = key.program() != program;
            if !kept && let Some(made) = entry.lock().unwrap_or_else(PoisonError::into_inner).take() {
                device.discard(Trash::Pipeline(made));
            }
            kept
        });
    }

    /// Destroys what is left. The device is idle.
    pub(super) fn destroy(&self, core: &Core) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, entry) in held.drain() {
            if let Some(made) = entry.lock().unwrap_or_else(PoisonError::into_inner).take() {
                // SAFETY: as the caller promises.
                unsafe { core.raw.destroy_pipeline(made, None) };
            }
        }
    }
}
