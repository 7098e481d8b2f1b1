//! Declarations: what each may declare, and Direct3D's limits.
//!
//! Owns the declared sizes that later operands are held against. Must never allocate by a declared size before
//! that size is within its limit.

use super::{Cursor, operand};
use super::{Decoder, Fault, return_types};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Components, Index, Operand, RegisterFile};

/// Direct3D 11.3's limits; the names are those of its constants, without the prefix.
mod limits {
    /// `COMMONSHADER_TEMP_REGISTER_COUNT`.
    pub const TEMPS: u32 = 4096;
    /// `REQ_CONSTANT_BUFFER_ELEMENT_COUNT`, vectors.
    pub const CONSTANT_BUFFER: u32 = 4096;
    /// `REQ_IMMEDIATE_CONSTANT_BUFFER_ELEMENT_COUNT`, vectors.
    pub const IMMEDIATE_CONSTANT_BUFFER: usize = 4096;
    /// `CS_THREAD_GROUP_MAX_X` and `_Y`, and `_MAX_THREADS_PER_GROUP`.
    pub const THREADS: u32 = 1024;
    /// `CS_THREAD_GROUP_MAX_Z`.
    pub const THREADS_Z: u32 = 64;
    /// `CS_TGSM_REGISTER_COUNT` registers of 4 bytes.
    pub const GROUP_SHARED: u64 = 32768;
    /// `REQ_MULTI_ELEMENT_STRUCTURE_SIZE_IN_BYTES`.
    pub const STRIDE: u32 = 2048;
    /// `GS_MAX_OUTPUT_VERTEX_COUNT_ACROSS_INSTANCES`.
    pub const GS_VERTICES: u32 = 1024;
    /// `GS_MAX_INSTANCE_COUNT`.
    pub const GS_INSTANCES: u32 = 32;
    /// `IA_PATCH_MAX_CONTROL_POINT_COUNT`.
    pub const CONTROL_POINTS: u16 = 32;
    /// `HS_MAXTESSFACTOR_LOWER_BOUND` and `_UPPER_BOUND`.
    pub const TESSELLATION: std::ops::RangeInclusive<f32> = 1.0..=64.0;
    /// Registers of a signature.
    pub const SIGNATURE: u32 = 32;
}

pub(super) use limits::IMMEDIATE_CONSTANT_BUFFER;

/// What has been declared so far.
#[derive(Default)]
pub(super) struct State {
    /// Plain temporaries of the phase.
    temps: u32,
    /// Elements of each indexable temporary of the phase; 0: not declared.
    indexable: Vec<u32>,
    indexable_total: u32,
    group_shared: u64,
    pub(super) interfaces: bool,
    pub(super) immediate_constant_buffer: bool,
}

impl State {
    pub(super) fn check_temp(&self, register: u32) -> Result<(), Fault> {
        if register < self.temps {
            return Ok(());
        }
        Err(Fault::operand(format!("r{register} where {} temporaries are declared", self.temps)))
    }

    pub(super) fn check_indexable(&self, register: u32, element: Index) -> Result<(), Fault> {
        let elements = self.indexable.get(register as usize).copied().unwrap_or(0);
        if elements == 0 {
            return Err(Fault::operand(format!("x{register} is not declared")));
        }
        match element.as_constant().filter(|&at| at >= elements) {
            Some(at) => Err(Fault::operand(format!("x{register}[{at}] of {elements}"))),
            None => Ok(()),
        }
    }

    /// A hull shader phase starts without temporaries.
    fn start_phase(&mut self) {
        self.temps = 0;
        self.indexable.clear();
        self.indexable_total = 0;
    }

    fn declare_temps(&mut self, count: u32) -> Result<(), Fault> {
        self.temps = self.temps.max(count);
        self.check_temporaries()
    }

    fn declare_indexable(&mut self, register: u32, elements: u32, components: u32) -> Result<(), Fault> {
        if register >= limits::TEMPS || elements == 0 || elements > limits::TEMPS || !(1..=4).contains(&components) {
            return Err(Fault::limit(format!("x{register}[{elements}] of {components} components")));
        }
        let slot = register as usize;
        if self.indexable.len() <= slot {
            self.indexable.resize(slot + 1, 0);
        }
        if self.indexable[slot] != 0 {
            return Err(Fault::tokens(format!("x{register} is declared twice")));
        }
        self.indexable[slot] = elements;
        self.indexable_total += elements;
        self.check_temporaries()
    }

    fn check_temporaries(&self) -> Result<(), Fault> {
        if self.temps > limits::TEMPS || self.indexable_total > limits::TEMPS - self.temps {
            let total = u64::from(self.temps) + u64::from(self.indexable_total);
            return Err(Fault::limit(format!("{total} temporaries, of {} that there are", limits::TEMPS)));
        }
        Ok(())
    }

    fn declare_shared(&mut self, bytes: u64) -> Result<(), Fault> {
        // Neither term can overflow: the sum is checked after each, a product of two words fits.
        self.group_shared = self.group_shared.saturating_add(bytes);
        if bytes == 0 || self.group_shared > limits::GROUP_SHARED {
            let what = format!("{} bytes of group shared memory, of {}", self.group_shared, limits::GROUP_SHARED);
            return Err(Fault::limit(what));
        }
        Ok(())
    }
}

impl Decoder {
    /// Reads the register that a declaration declares.
    pub(super) fn declared_operand(&mut self, op: Opcode, cursor: &mut Cursor<'_>) -> Result<Operand, Fault> {
        let operand = self.read(cursor, 0)?;
        let file = operand.file;
        if !declares(op, file) {
            return Err(Fault::operand(format!("{file:?} in this declaration")));
        }
        let used = &operand.index[..usize::from(operand.index_count)];
        if used.iter().any(|i| i.register().is_some()) {
            return Err(Fault::operand("a relative index in a declaration"));
        }
        if operand.neg || operand.abs {
            return Err(Fault::operand("a sign modifier in a declaration"));
        }
        if operand::is_range(file) {
            self.check_range(&operand)?;
        } else {
            // Where an instruction has a vertex, its declaration has the number of vertices.
            let mut last = operand;
            if last.index_count == 2 {
                last.index[0] = Index::constant(last.index[0].parts().0.saturating_sub(1));
            }
            self.check_indices(&last)?;
        }
        Ok(operand)
    }

    fn check_range(&self, operand: &Operand) -> Result<(), Fault> {
        let file = operand.file;
        let expected = match (self.ranges(), file) {
            (true, _) => 3,
            (false, RegisterFile::ConstantBuffer) => 2,
            (false, _) => 1,
        };
        if operand.index_count != expected {
            return Err(Fault::operand(format!("{} indices on a declaration of {file:?}", operand.index_count)));
        }
        // A declaration's indices are constants.
        let [first, second, third] = operand.index.map(|i| i.parts().0);
        if self.ranges() && second > third {
            return Err(Fault::operand(format!("a range from {second} to {third}")));
        }
        if first >= operand::register_limit(file, self.ranges()) {
            return Err(Fault::limit(format!("register {first} of {file:?}")));
        }
        if expected == 2 && second > limits::CONSTANT_BUFFER {
            return Err(Fault::limit(format!("a constant buffer of {second} vectors")));
        }
        Ok(())
    }

    /// Holds a declaration's numbers against the format and the limits. `words` is its range of the program's extra words.
    pub(super) fn check_declaration(&mut self, op: Opcode, controls: u16, words: (u32, u32)) -> Result<(), Fault> {
        let extra: [u32; 3] = {
            let range = &self.program.extra[words.0 as usize..words.1 as usize];
            std::array::from_fn(|i| range.get(i).copied().unwrap_or(0))
        };
        let register = self.operands.first();
        match op {
            Opcode::DclTemps => self.state.declare_temps(extra[0]),
            Opcode::DclIndexableTemp => self.state.declare_indexable(extra[0], extra[1], extra[2]),
            Opcode::DclTgsmRaw => self.state.declare_shared(u64::from(word_multiple(extra[0])?)),
            Opcode::DclTgsmStructured => {
                stride(extra[0], limits::GROUP_SHARED as u32)?;
                self.state.declare_shared(u64::from(extra[0]) * u64::from(extra[1]))
            }
            Opcode::HsDecls | Opcode::HsControlPointPhase | Opcode::HsForkPhase | Opcode::HsJoinPhase => {
                self.state.start_phase();
                Ok(())
            }
            Opcode::DclResource | Opcode::DclUavTyped => typed(op, controls, extra[0]),
            Opcode::DclResourceStructured | Opcode::DclUavStructured => stride(extra[0], limits::STRIDE),
            Opcode::DclConstantBuffer if self.program.model == (5, 1) => {
                at_most(extra[0], limits::CONSTANT_BUFFER, "vectors in a constant buffer")
            }
            Opcode::DclIndexRange => index_range(register, extra[0]),
            Opcode::DclThreadGroup => thread_group(extra),
            Opcode::DclMaxOutputVertexCount => between(extra[0], 1, limits::GS_VERTICES, "output vertices"),
            Opcode::DclGsInstanceCount => between(extra[0], 1, limits::GS_INSTANCES, "instances"),
            Opcode::DclHsMaxTessfactor if !limits::TESSELLATION.contains(&f32::from_bits(extra[0])) => {
                Err(Fault::limit(format!("a tessellation factor of {}", f32::from_bits(extra[0]))))
            }
            Opcode::DclHsForkPhaseInstanceCount | Opcode::DclHsJoinPhaseInstanceCount if extra[0] == 0 => {
                Err(Fault::limit("a phase of no instances"))
            }
            Opcode::DclInputControlPointCount | Opcode::DclOutputControlPointCount
                if controls & 0x3f > limits::CONTROL_POINTS =>
            {
                Err(Fault::limit(format!("{} control points", controls & 0x3f)))
            }
            Opcode::DclFunctionTable => counted(extra[1], words, 2),
            Opcode::DclInterface => {
                self.state.interfaces = true;
                counted(extra[2] & 0xffff, words, 3)
            }
            _ => names(op, controls, extra[0]),
        }
    }
}

/// Whether a declaration can declare a register of a file.
fn declares(op: Opcode, file: RegisterFile) -> bool {
    use RegisterFile::*;
    match op {
        Opcode::DclResource | Opcode::DclResourceRaw | Opcode::DclResourceStructured => file == Resource,
        Opcode::DclConstantBuffer => file == ConstantBuffer,
        Opcode::DclSampler => file == Sampler,
        Opcode::DclUavTyped | Opcode::DclUavRaw | Opcode::DclUavStructured => file == UnorderedAccessView,
        Opcode::DclTgsmRaw | Opcode::DclTgsmStructured => file == ThreadGroupSharedMemory,
        Opcode::DclStream => file == Stream,
        Opcode::DclIndexRange => {
            matches!(file, Input | Output | InputControlPoint | OutputControlPoint | InputPatchConstant)
        }
        Opcode::DclOutput | Opcode::DclOutputSgv | Opcode::DclOutputSiv => matches!(
            file,
            Output
                | OutputDepth
                | OutputDepthGreaterEqual
                | OutputDepthLessEqual
                | OutputCoverageMask
                | OutputStencilRef
        ),
        _ => matches!(
            file,
            Input
                | InputPrimitiveId
                | OutputControlPointId
                | InputForkInstanceId
                | InputJoinInstanceId
                | InputControlPoint
                | OutputControlPoint
                | InputPatchConstant
                | InputDomainPoint
                | InputThreadId
                | InputThreadGroupId
                | InputThreadIdInGroup
                | InputThreadIdInGroupFlattened
                | InputCoverageMask
                | InputGsInstanceId
                | CycleCounter
                | InnerCoverage
        ),
    }
}

fn at_most(value: u32, most: u32, what: &str) -> Result<(), Fault> {
    between(value, 0, most, what)
}

fn between(value: u32, least: u32, most: u32, what: &str) -> Result<(), Fault> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Fault::limit(format!("{value} {what}, where {least} to {most} can be")))
}

fn word_multiple(bytes: u32) -> Result<u32, Fault> {
    if bytes.is_multiple_of(4) {
        return Ok(bytes);
    }
    Err(Fault::tokens(format!("{bytes} bytes, not a multiple of 4")))
}

fn stride(bytes: u32, most: u32) -> Result<(), Fault> {
    between(word_multiple(bytes)?, 4, most, "bytes of stride")
}

fn typed(op: Opcode, controls: u16, returns: u32) -> Result<(), Fault> {
    let dimension = controls & 31;
    let valid = match op {
        // No multisampled and no cube views.
        Opcode::DclUavTyped => matches!(dimension, 1..=3 | 5 | 7 | 8),
        _ => (1..=10).contains(&dimension),
    };
    if !valid {
        return Err(Fault::tokens(format!("resource dimension {dimension}")));
    }
    if returns > 0xffff {
        return Err(Fault::tokens(format!("resource return types {returns:#x}")));
    }
    return_types(returns).map(|_| ())
}

fn index_range(register: Option<&Operand>, count: u32) -> Result<(), Fault> {
    let Some(operand) = register else { return Ok(()) };
    let (first, _) = operand.last_index().parts();
    if !matches!(operand.components, Components::Mask(1..)) {
        return Err(Fault::operand("a range without a mask"));
    }
    between(count, 1, limits::SIGNATURE.saturating_sub(first), "registers in a range")
}

fn thread_group([x, y, z]: [u32; 3]) -> Result<(), Fault> {
    between(x, 1, limits::THREADS, "threads")?;
    between(y, 1, limits::THREADS, "threads")?;
    between(z, 1, limits::THREADS_Z, "threads")?;
    // At most 2^26.
    at_most(x * y * z, limits::THREADS, "threads in a group")
}

/// A list whose length stands in the declaration, after `fixed` words.
fn counted(count: u32, words: (u32, u32), fixed: u32) -> Result<(), Fault> {
    let there = words.1 - words.0 - fixed;
    if there == count {
        return Ok(());
    }
    Err(Fault::tokens(format!("a list of {count} in {there} words")))
}

/// Numbers that stand for names.
fn names(op: Opcode, controls: u16, extra: u32) -> Result<(), Fault> {
    let valid = match op {
        Opcode::DclSampler => controls & 15 <= 2,
        Opcode::DclInputPs => controls & 15 <= 7,
        Opcode::DclInputPsSgv | Opcode::DclInputPsSiv => controls & 15 <= 7 && system_value(extra),
        Opcode::DclInputSgv | Opcode::DclInputSiv | Opcode::DclOutputSgv | Opcode::DclOutputSiv => system_value(extra),
        // Points, line strips, triangle strips.
        Opcode::DclGsOutputPrimitiveTopology => matches!(controls & 0x7f, 1 | 3 | 5),
        // Point, line, triangle, the latter two with adjacency, patches of 1 to 32 points.
        Opcode::DclGsInputPrimitive => matches!(controls & 0x3f, 1..=3 | 6..=39),
        Opcode::DclTessDomain => controls & 3 != 0,
        Opcode::DclTessPartitioning | Opcode::DclTessOutputPrimitive => matches!(controls & 7, 1..=4),
        _ => true,
    };
    if valid { Ok(()) } else { Err(Fault::tokens("a number that stands for nothing in the format")) }
}

/// Whether `D3D10_SB_NAME` has the number; 0 is "undefined".
fn system_value(number: u32) -> bool {
    (1..=22).contains(&number)
}
