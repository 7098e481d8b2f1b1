//! Direct3D tokens to the typed SSA form, one file a family of instructions.
//!
//! A register lane holds a reference to a component of a value, so moves and swizzles cost nothing. Lowering never
//! guesses: each construct is exact, adapted (with a note) or refused (with an error that names the instruction).

mod arith;
mod atomic;
mod cbuffer;
mod classes;
mod compare;
mod convert;
mod double;
mod fixes;
mod flow;
mod integer;
mod io;
mod memory;
mod moves;
mod phases;
mod registers;
mod resources;
mod sample;
mod scan;
mod structured;
mod sync;
#[cfg(test)]
mod tests;
mod texture;
mod typed;
mod usage;

use crate::dxbc::Shader;
use crate::dxbc::opcodes::{Kind as OpcodeKind, Opcode};
use crate::dxbc::program::{Instruction, Operand, Program, ProgramType};
use crate::interface::{Stage, StageInterface};
use crate::ir::{Builder, Flags, Function, LaneRef, Modes, Op, Type};
use crate::{Code, Error, Note, Options, ledger};
#[cfg(feature = "naga")]
pub(crate) use fixes::{TURN, TURN_REST, TURNS};
use usage::Usage;

/// A lowered shader.
pub(crate) struct Lowered {
    pub function: Function,
    pub interface: StageInterface,
    pub notes: Vec<Note>,
}

/// Lowers a shader.
pub(crate) fn lower(shader: &Shader<'_>, options: &Options) -> Result<Lowered, Error> {
    let program = phases::flatten(&shader.program)?;
    let program = program.as_ref();
    let stage = stage(program);
    let usage = Usage::new(program)?;
    let (registers, promoted) = usage.registers();
    let scan = scan::Scan::new(program, registers, promoted)?;
    let elements = io::Elements::new(shader, program);
    let modes = Modes::new(stage);
    let lanes = vec![LaneRef::UNDEFINED; registers as usize * 4];
    let mut lower = Lower {
        shader,
        program,
        elements: &elements,
        options,
        builder: Builder::new(modes, program.instructions.len() * 3 + 64),
        usage,
        scan,
        lanes,
        interface: StageInterface::empty(stage),
        notes: Vec::new(),
        resources: resources::Resources::default(),
        io: io::Io::default(),
        flow: flow::Flow::default(),
        memory: memory::Memory::default(),
        refactoring: false,
        writes: Vec::with_capacity(2),
        budget: words_allowed(program),
    };
    lower.run()?;
    let Lower { builder, mut interface, mut notes, .. } = lower;
    notes.sort_unstable_by_key(|n| n.code);
    interface.resources.sort_by_key(|r| (r.set, r.binding));
    Ok(Lowered { function: builder.finish(), interface, notes })
}

fn stage(program: &Program) -> Stage {
    match program.ty {
        ProgramType::Vertex => Stage::Vertex,
        ProgramType::Pixel => Stage::Fragment,
        ProgramType::Compute => Stage::Compute,
        ProgramType::Hull => Stage::TessellationControl,
        ProgramType::Domain => Stage::TessellationEvaluation,
        ProgramType::Geometry => Stage::Geometry,
    }
}

/// The number of the register that an operand names. Fails if another register chooses it: the files whose registers can
/// be chosen read their indices themselves.
fn number(operand: &Operand) -> Result<u32, Error> {
    operand.number().ok_or_else(|| {
        let what = format!("a register of {:?} that another register chooses", operand.file);
        Error::malformed(ledger::BAD_OPERAND, 0, what)
    })
}

/// Values that a shader may become, at most: far more than any real one needs, and a bound for hostile ones.
fn words_allowed(program: &Program) -> usize {
    (program.instructions.len() + program.operands.len() + 1024) * 24
}

/// The state of lowering one shader.
struct Lower<'a> {
    shader: &'a Shader<'a>,
    program: &'a Program,
    elements: &'a io::Elements<'a>,
    options: &'a Options,
    builder: Builder,
    usage: Usage,
    scan: scan::Scan,
    /// Four lanes a register: temporaries, then promoted indexable temporaries.
    lanes: Vec<LaneRef>,
    interface: StageInterface,
    notes: Vec<Note>,
    resources: resources::Resources,
    io: io::Io,
    flow: flow::Flow,
    memory: memory::Memory,
    /// Whether multiplications and additions may be contracted (`refactoringAllowed`).
    refactoring: bool,
    /// Results of the current instruction, until all of its operands are read.
    writes: Vec<registers::Write>,
    /// Most operands that the function may have.
    budget: usize,
}

impl<'a> Lower<'a> {
    fn run(&mut self) -> Result<(), Error> {
        for declaration in &self.program.declarations {
            let operands = self.program.operands_of_declaration(declaration);
            self.declare(declaration, operands, self.program.extra_of(declaration))
                .map_err(|e| e.at(declaration.before, declaration.op.mnemonic(), declaration.offset))?;
        }
        self.bind_resources()?;
        self.declare_io()?;
        let entry = self.builder.new_block();
        self.builder.begin(entry);
        self.enter_io();
        self.interlock(Op::BeginInterlock);
        for (i, inst) in self.program.instructions.iter().enumerate() {
            self.instruction(inst).map_err(|e| match e.place.instruction {
                None => e.at(self.original_index(i, inst), inst.op.mnemonic(), inst.offset),
                Some(_) => e,
            })?;
            if self.builder.function().args.len() > self.budget || self.flow.overfull() {
                let what = "the shader's joins grow out of proportion to its size";
                return Err(Error::malformed(ledger::LIMIT, inst.offset as usize, what));
            }
        }
        // A program that does not end in `ret` returns at its end.
        self.lower_return();
        self.finish_io();
        Ok(())
    }

    /// The number of an instruction in the program as it was given: parts that were put together are found by offset.
    fn original_index(&self, i: usize, inst: &Instruction) -> u32 {
        let given = &self.shader.program.instructions;
        let same = given.get(i).is_some_and(|g| g.offset == inst.offset);
        if same { i as u32 } else { given.partition_point(|g| g.offset < inst.offset) as u32 }
    }

    fn instruction(&mut self, inst: &Instruction) -> Result<(), Error> {
        if self.flow(inst)? || !self.builder.reachable() {
            return Ok(());
        }
        let operands = self.program.operands_of(inst);
        match inst.op.info().kind {
            OpcodeKind::Alu => self.alu(inst, operands)?,
            OpcodeKind::Texture => self.texture(inst, operands)?,
            OpcodeKind::Memory => self.memory(inst, operands)?,
            OpcodeKind::Atomic => self.atomic(inst, operands)?,
            OpcodeKind::Sync => self.sync(inst)?,
            OpcodeKind::Stream => self.stream(inst, operands)?,
            OpcodeKind::Phase => self.begin_patch_phase(),
            // `abort` and `debug_break` speak to Direct3D's debug layer and to a debugger.
            OpcodeKind::Other => self.note(ledger::DEBUG_AIDS),
            _ => return Err(self.other(inst)),
        }
        self.commit();
        Ok(())
    }

    fn alu(&mut self, inst: &Instruction, operands: &'a [Operand]) -> Result<(), Error> {
        // Without a destination there is nothing to compute.
        let destinations = classes::destinations(inst.op).min(operands.len());
        if operands[..destinations].iter().all(|dst| dst.components.mask() == 0) {
            return Ok(());
        }
        if inst.op == Opcode::CheckAccessFullyMapped {
            return self.check_access(operands);
        }
        if self.lower_arith(inst, operands)?
            || self.lower_integer(inst, operands)?
            || self.lower_compare(inst, operands)?
            || self.lower_move(inst, operands)?
            || self.lower_convert(inst, operands)?
            || self.lower_interpolate(inst, operands)?
            || self.lower_double(inst, operands)?
        {
            return Ok(());
        }
        Err(self.other(inst))
    }

    /// Begins or ends the section in which accesses are ordered by pixel, where there is one.
    fn interlock(&mut self, op: Op) {
        if self.builder.function().modes.interlock {
            self.builder.push(op, Type::VOID, Flags::NONE, 0, &[]);
        }
    }

    /// A refusal of an instruction that no family takes.
    fn other(&self, inst: &Instruction) -> Error {
        Error::refused(ledger::OTHER_OPCODE, format!("`{}` is not translated yet", inst.op.mnemonic()))
    }

    /// Adds a note.
    fn note(&mut self, code: Code) {
        match self.notes.iter_mut().find(|n| n.code == code) {
            Some(note) => note.count += 1,
            None => self.notes.push(Note { code, count: 1 }),
        }
    }
}
