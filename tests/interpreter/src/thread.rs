//! The registers of one invocation.
//!
//! Owns reading and writing of everything that belongs to one thread, vertex or pixel. Must never touch a resource.

use crate::declared::Declared;
use crate::{Inputs, Invocation, Outputs, Place};
use rx_translate::dxbc::program::{ProgramType, RegisterFile};
use std::collections::BTreeMap;

/// A register's four words.
pub(crate) type Lanes = [u32; 4];

/// `D3D10_SB_NAME` numbers of system values that an input can be declared as.
mod names {
    pub const POSITION: u32 = 1;
    pub const RENDER_TARGET_ARRAY_INDEX: u32 = 4;
    pub const VIEWPORT_ARRAY_INDEX: u32 = 5;
    pub const VERTEX_ID: u32 = 6;
    pub const PRIMITIVE_ID: u32 = 7;
    pub const INSTANCE_ID: u32 = 8;
    pub const IS_FRONT_FACE: u32 = 9;
    pub const SAMPLE_INDEX: u32 = 10;
}

/// Whether an invocation can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It can execute its next instruction.
    Ready,
    /// It waits at the barrier of this index.
    Waiting(usize),
    /// It has ended.
    Ended,
}

/// The state of one invocation.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Which one it is.
    pub invocation: Invocation,
    /// Index of the next instruction.
    pub next: usize,
    /// Whether it can go on.
    pub status: Status,
    /// Return addresses of calls.
    pub calls: Vec<usize>,
    /// Instructions that it has executed.
    pub executed: u64,
    /// What it writes.
    pub outputs: Outputs,
    temps: Vec<Lanes>,
    indexable: BTreeMap<u32, Vec<Lanes>>,
    inputs: BTreeMap<u32, Lanes>,
    scalars: Scalars,
}

/// Input registers that have no number.
#[derive(Clone, Copy, Debug, Default)]
struct Scalars {
    primitive_id: u32,
    coverage: u32,
    inner_coverage: u32,
    flattened: u32,
    thread: [u32; 3],
}

impl Thread {
    /// Returns a thread of a thread group.
    pub fn of_group(declared: &Declared, group: [u32; 3], flattened: u32) -> Thread {
        let [x, y, _] = declared.threads.map(|n| n.max(1));
        let local = [flattened % x, flattened / x % y, flattened / x / y];
        let thread = [0, 1, 2].map(|n| group[n].wrapping_mul(declared.threads[n]).wrapping_add(local[n]));
        let scalars = Scalars { flattened, thread, ..Scalars::default() };
        Thread::new(declared, Invocation { group, thread: local }, scalars)
    }

    /// Returns a vertex or a pixel.
    pub fn of_stage(declared: &Declared, stage: ProgramType, inputs: &Inputs) -> Thread {
        let scalars = Scalars {
            primitive_id: inputs.primitive_id,
            coverage: inputs.coverage,
            inner_coverage: inputs.inner_coverage,
            ..Scalars::default()
        };
        let mut thread = Thread::new(declared, Invocation::default(), scalars);
        thread.inputs = input_registers(declared, stage, inputs);
        thread.outputs.registers = declared.outputs.iter().map(|lanes| (lanes.register, [0; 4])).collect();
        thread
    }

    fn new(declared: &Declared, invocation: Invocation, scalars: Scalars) -> Thread {
        let zeros = |count: u32| vec![[0; 4]; count as usize];
        Thread {
            invocation,
            next: 0,
            status: Status::Ready,
            calls: Vec::new(),
            executed: 0,
            outputs: Outputs::default(),
            temps: zeros(declared.temps),
            indexable: declared.indexable.iter().map(|(register, count)| (*register, zeros(*count))).collect(),
            inputs: BTreeMap::new(),
            scalars,
        }
    }

    /// Reads a register. An element outside an array is zero. Returns `None` for a file that holds no values of a thread.
    pub fn read(&self, file: RegisterFile, register: u32, element: u32) -> Option<Lanes> {
        let scalars = &self.scalars;
        let one = |value: u32| Some([value; 4]);
        let three = |[x, y, z]: [u32; 3]| Some([x, y, z, 0]);
        match file {
            RegisterFile::Temp => self.temps.get(register as usize).copied(),
            RegisterFile::IndexableTemp => {
                let array = self.indexable.get(&register)?;
                Some(array.get(element as usize).copied().unwrap_or_default())
            }
            RegisterFile::Input => Some(self.inputs.get(&register).copied().unwrap_or_default()),
            RegisterFile::Output => Some(self.outputs.registers.get(&register).copied().unwrap_or_default()),
            RegisterFile::InputPrimitiveId => one(scalars.primitive_id),
            RegisterFile::InputCoverageMask => one(scalars.coverage),
            RegisterFile::InnerCoverage => one(scalars.inner_coverage),
            RegisterFile::InputThreadIdInGroupFlattened => one(scalars.flattened),
            RegisterFile::InputThreadId => three(scalars.thread),
            RegisterFile::InputThreadGroupId => three(self.invocation.group),
            RegisterFile::InputThreadIdInGroup => three(self.invocation.thread),
            // The counter has no defined start or speed: executed instructions at least never decrease.
            RegisterFile::CycleCounter => Some([self.executed as u32, (self.executed >> 32) as u32, 0, 0]),
            _ => None,
        }
    }

    /// Writes the components of `mask`. An element outside an array drops the write. Returns where it went, or `None`
    /// for a file that cannot be written.
    pub fn write(&mut self, file: RegisterFile, register: u32, element: u32, mask: u8, value: Lanes) -> Option<Place> {
        let place = Place::Register { file, register, element };
        let lanes = match file {
            RegisterFile::Null => return Some(Place::Dropped),
            RegisterFile::Temp => self.temps.get_mut(register as usize)?,
            RegisterFile::IndexableTemp => match self.indexable.get_mut(&register)?.get_mut(element as usize) {
                Some(lanes) => lanes,
                None => return Some(Place::Dropped),
            },
            RegisterFile::Output => match self.outputs.registers.get_mut(&register) {
                Some(lanes) => lanes,
                None => return Some(Place::Dropped),
            },
            _ => {
                let slot = match file {
                    RegisterFile::OutputDepth
                    | RegisterFile::OutputDepthGreaterEqual
                    | RegisterFile::OutputDepthLessEqual => &mut self.outputs.depth,
                    RegisterFile::OutputCoverageMask => &mut self.outputs.coverage,
                    RegisterFile::OutputStencilRef => &mut self.outputs.stencil,
                    _ => return None,
                };
                *slot = Some(value[0]);
                return Some(place);
            }
        };
        for (lane, word) in lanes.iter_mut().enumerate() {
            if mask & 1 << lane != 0 {
                *word = value[lane];
            }
        }
        Some(place)
    }
}

/// Fills the declared input registers: system values from their fields, all other lanes from the registers given.
fn input_registers(declared: &Declared, stage: ProgramType, inputs: &Inputs) -> BTreeMap<u32, Lanes> {
    let mut registers = inputs.registers.clone();
    for lanes in &declared.inputs {
        let Some(value) = system_value(lanes.system_value, stage, inputs) else { continue };
        let register = registers.entry(lanes.register).or_default();
        for (lane, word) in register.iter_mut().enumerate() {
            if lanes.mask & 1 << lane != 0 {
                *word = value[lane];
            }
        }
    }
    registers
}

/// Returns the lanes of a system value. A scalar one is in every lane: any component may be declared as it.
fn system_value(name: u32, stage: ProgramType, inputs: &Inputs) -> Option<Lanes> {
    let one = |value: u32| Some([value; 4]);
    match name {
        names::POSITION if stage == ProgramType::Pixel => Some(inputs.position),
        names::RENDER_TARGET_ARRAY_INDEX => one(inputs.layer),
        names::VIEWPORT_ARRAY_INDEX => one(inputs.viewport),
        names::VERTEX_ID => one(inputs.vertex_id),
        names::PRIMITIVE_ID => one(inputs.primitive_id),
        names::INSTANCE_ID => one(inputs.instance_id),
        names::IS_FRONT_FACE => one(if inputs.front_face { u32::MAX } else { 0 }),
        names::SAMPLE_INDEX => one(inputs.sample_index),
        _ => None,
    }
}
