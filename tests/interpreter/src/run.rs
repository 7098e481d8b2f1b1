//! Execution of instructions: control flow, operands, and who executes what.
//!
//! Owns the order of one step: read every source operand, execute, write every destination, report. Must never
//! compute a value itself: `alu` does that for registers and `memory` for resources.

use crate::alu::{self, Choices};
use crate::declared::Declared;
use crate::flow::{Flow, Target};
use crate::memory::Shared;
use crate::thread::{Lanes, Status, Thread};
use crate::{Error, Instance, Resources, Step, Trace, Written};
use rx_translate::dxbc::opcodes::{Kind, Opcode, Role};
use rx_translate::dxbc::program::{Components, Index, Instruction, Operand, Program, RegisterFile};

/// Return addresses that Direct3D has room for: a call that finds none left is skipped (22.7.19).
const MAX_CALLS: usize = 32;
/// Bit of `sync` that makes threads of a group wait for each other.
const SYNC_THREADS: u16 = 1;
/// Most source operands of an instruction.
const MAX_SOURCES: usize = 8;

/// What the instructions of a dispatch or an invocation share.
pub(crate) struct Run<'a> {
    pub program: &'a Program,
    pub declared: &'a Declared,
    pub flow: &'a Flow,
    pub choices: Choices,
    pub resources: &'a mut Resources,
    pub shared: Shared,
    pub trace: &'a mut dyn Trace,
    pub step_limit: u64,
    pub steps: u64,
    pub written: Vec<Written>,
}

/// The instruction that is executed, with the values of its source operands.
#[derive(Clone, Copy)]
pub(crate) struct Current<'a> {
    pub index: usize,
    pub instruction: &'a Instruction,
    pub operands: &'a [Operand],
    /// Values of the operands whose role is [`Role::Src`] (and [`Role::Attribute`]), in order.
    pub sources: &'a [Lanes],
}

impl Current<'_> {
    pub fn unsupported(&self, why: &'static str) -> Error {
        Error::Unsupported { index: self.index, op: self.instruction.op, why }
    }

    pub fn invalid(&self, why: impl Into<String>) -> Error {
        Error::Invalid { index: self.index, op: self.instruction.op, why: why.into() }
    }

    /// Returns a source operand's value; zero if there are not so many.
    pub fn source(&self, number: usize) -> Lanes {
        self.sources.get(number).copied().unwrap_or_default()
    }

    /// Returns a source operand's value as integers: `-` is the two's complement.
    pub fn integer(&self, number: usize) -> Lanes {
        let (_, neg) = self.modifiers(number);
        self.source(number).map(|word| if neg { word.wrapping_neg() } else { word })
    }

    /// Returns whether a source operand has `| |` and `-`.
    pub fn modifiers(&self, number: usize) -> (bool, bool) {
        let shapes = self.instruction.op.info().operands;
        let mut sources = self.operands.iter().zip(shapes).filter(|(_, shape)| shape.role == Role::Src);
        sources.nth(number).map_or((false, false), |(operand, _)| (operand.abs, operand.neg))
    }

    /// Returns the first operand of a role.
    pub fn operand(&self, admits: impl Fn(Role) -> bool) -> Result<&Operand, Error> {
        let shapes = self.instruction.op.info().operands;
        let found = self.operands.iter().zip(shapes).find(|(_, shape)| admits(shape.role));
        found.map(|(operand, _)| operand).ok_or_else(|| self.invalid("an operand is missing"))
    }
}

/// What an instruction gives to its destinations, in order.
pub(crate) type Results = [Lanes; 2];

impl Run<'_> {
    /// Runs a thread to its next barrier or to its end.
    pub fn run(&mut self, thread: &mut Thread) -> Result<(), Error> {
        thread.status = Status::Ready;
        while thread.status == Status::Ready {
            self.step(thread)?;
        }
        Ok(())
    }

    fn step(&mut self, thread: &mut Thread) -> Result<(), Error> {
        let program = self.program;
        let index = thread.next;
        // A program without instructions counts too: the number of groups is not bounded.
        if self.steps >= self.step_limit {
            return Err(Error::StepLimit { limit: self.step_limit });
        }
        self.steps += 1;
        let Some(instruction) = program.instructions.get(index) else {
            thread.status = Status::Ended;
            return Ok(());
        };
        thread.executed += 1;
        thread.next = index + 1;

        let operands = program.operands_of(instruction);
        let mut values = [[0; 4]; MAX_SOURCES];
        let mut count = 0;
        let shapes = instruction.op.info().operands;
        for (operand, shape) in operands.iter().zip(shapes) {
            if matches!(shape.role, Role::Src | Role::Attribute) && count < MAX_SOURCES {
                let value = self.read(thread, operand);
                values[count] = value.map_err(|why| Error::Invalid { index, op: instruction.op, why })?;
                count += 1;
            }
        }
        let current = Current { index, instruction, operands, sources: &values[..count] };
        self.written.clear();
        let results = match instruction.op.info().kind {
            Kind::Flow => {
                self.control(thread, &current)?;
                None
            }
            Kind::Sync => {
                if instruction.controls & SYNC_THREADS != 0 {
                    thread.status = Status::Waiting(index);
                }
                None
            }
            Kind::Alu => Some(self.arithmetic(thread, &current)?),
            Kind::Texture | Kind::Memory | Kind::Atomic => self.memory(thread, &current)?,
            // `abort` and `debug_break` are for debuggers: they do nothing without one.
            Kind::Other => None,
            Kind::Stream => return Err(current.unsupported("geometry streams")),
            Kind::Declaration | Kind::Phase | Kind::CustomData => None,
        };
        if let Some(results) = results {
            self.write_results(thread, &current, &results)?;
        }
        self.trace.step(&Step {
            invocation: thread.invocation,
            index,
            instruction,
            operands,
            sources: current.sources,
            written: &self.written,
        });
        Ok(())
    }

    /// Writes every destination. Every relative index is evaluated before the first write.
    fn write_results(&mut self, thread: &mut Thread, current: &Current<'_>, results: &Results) -> Result<(), Error> {
        let mut places = [(0, 0); 2];
        let destinations = current.instruction.op.info().destinations().min(2);
        for (place, operand) in places.iter_mut().zip(current.operands).take(destinations) {
            *place = self.place(thread, operand).map_err(|why| current.invalid(why))?;
        }
        for (number, operand) in current.operands.iter().take(destinations).enumerate() {
            let (register, element) = places[number];
            let mask = operand.components.mask();
            let place = thread.write(operand.file, register, element, mask, results[number]);
            let place = place.ok_or_else(|| current.invalid(format!("{:?} cannot be written", operand.file)))?;
            self.written.push(Written { place, mask, value: results[number] });
        }
        Ok(())
    }

    fn place(&self, thread: &Thread, operand: &Operand) -> Result<(u32, u32), String> {
        let at = |n: usize| self.index(thread, operand.index[n]);
        match operand.index_count {
            0 => Ok((0, 0)),
            1 => Ok((at(0)?, 0)),
            _ => Ok((at(0)?, at(1)?)),
        }
    }

    /// Returns the value of an index: its constant plus its register.
    pub fn index(&self, thread: &Thread, index: Index) -> Result<u32, String> {
        match index.parts() {
            (offset, None) => Ok(offset),
            (offset, Some(id)) => {
                let relative = self.program.operands.get(id.0 as usize).ok_or("an index without an operand")?;
                // The decoder bounds how deep indices nest.
                Ok(offset.wrapping_add(self.read(thread, relative)?[0]))
            }
        }
    }

    /// Returns the four lanes of a source operand, after the swizzle and before modifiers.
    pub fn read(&self, thread: &Thread, operand: &Operand) -> Result<Lanes, String> {
        if operand.file == RegisterFile::Immediate64 && operand.components == Components::One {
            let [low, high, ..] = operand.literal;
            return Ok([low, high, low, high]);
        }
        let value = self.register(thread, operand)?;
        Ok([0, 1, 2, 3].map(|lane| value[usize::from(operand.components.source(lane) & 3)]))
    }

    fn register(&self, thread: &Thread, operand: &Operand) -> Result<Lanes, String> {
        match operand.file {
            RegisterFile::Immediate32 | RegisterFile::Immediate64 => Ok(operand.literal),
            RegisterFile::ConstantBuffer => self.constant(thread, operand),
            RegisterFile::ImmediateConstantBuffer => {
                let element = self.index(thread, operand.index[0])?;
                Ok(self.declared.immediate_constants.get(element as usize).copied().unwrap_or_default())
            }
            RegisterFile::ThisPointer => {
                let instance = self.instance(self.index(thread, operand.index[0])?);
                Ok([instance.buffer, instance.element, instance.texture, instance.sampler])
            }
            file => {
                let (register, element) = self.place(thread, operand)?;
                thread.read(file, register, element).ok_or_else(|| format!("{file:?} holds no value here"))
            }
        }
    }

    fn arithmetic(&self, thread: &Thread, current: &Current<'_>) -> Result<Results, Error> {
        let instruction = current.instruction;
        match instruction.op {
            Opcode::CheckAccessFullyMapped => {
                let mapped = current.source(0).map(|status| if status != 0 { u32::MAX } else { 0 });
                Ok([mapped, [0; 4]])
            }
            Opcode::EvalSnapped | Opcode::EvalSampleIndex | Opcode::EvalCentroid => self.evaluate(thread, current),
            Opcode::DerivRtx
            | Opcode::DerivRty
            | Opcode::DerivRtxCoarse
            | Opcode::DerivRtxFine
            | Opcode::DerivRtyCoarse
            | Opcode::DerivRtyFine => Err(current.unsupported("it needs the other pixels of the quad")),
            _ => alu::execute(instruction, current.operands, current.sources, self.choices)
                .ok_or_else(|| current.unsupported("there is no rule for this opcode")),
        }
    }

    /// `eval_*` of an input that is the same over the whole primitive: its value, wherever it is evaluated.
    fn evaluate(&self, thread: &Thread, current: &Current<'_>) -> Result<Results, Error> {
        let operand = current.operand(|role| role == Role::Attribute)?;
        let register = self.index(thread, operand.index[0]).map_err(|why| current.invalid(why))?;
        let mut lanes = self.declared.inputs.iter().filter(|lanes| lanes.register == register).peekable();
        if lanes.peek().is_none() || !lanes.all(|lanes| lanes.constant) {
            return Err(current.unsupported("it needs the input's slope over the primitive"));
        }
        // The value is moved, with the modifiers and the saturation of a float move.
        let moved = Instruction { op: Opcode::Mov, ..*current.instruction };
        let operands = [current.operands[0], *operand];
        alu::execute(&moved, &operands, &current.sources[..1], self.choices)
            .ok_or_else(|| current.unsupported("there is no rule for this opcode"))
    }

    fn control(&mut self, thread: &mut Thread, current: &Current<'_>) -> Result<(), Error> {
        let op = current.instruction.op;
        // A condition is true if any bit is set (22.7.1); `_z` instructions act if it is false.
        let acts = (current.source(0)[0] != 0) == current.instruction.test_nonzero;
        let to = match self.flow.target(current.index) {
            Target::To(to) => *to,
            _ => thread.next,
        };
        match op {
            // `if` goes to its body, or past it when the condition fails. `else` is reached only from the first body.
            Opcode::If if !acts => thread.next = to,
            Opcode::Else | Opcode::Break | Opcode::Continue | Opcode::EndLoop => thread.next = to,
            Opcode::Breakc | Opcode::Continuec if acts => thread.next = to,
            Opcode::Switch => {
                if let Target::Switch(cases) = self.flow.target(current.index) {
                    let value = current.integer(0)[0];
                    thread.next = cases.values.get(&value).copied().unwrap_or(cases.default);
                }
            }
            Opcode::Ret => self.leave(thread),
            Opcode::Retc if acts => self.leave(thread),
            // Control that falls into a label has left the function above it.
            Opcode::Label => self.leave(thread),
            Opcode::Call => self.call(thread, current)?,
            Opcode::Callc if acts => self.call(thread, current)?,
            Opcode::Fcall => self.call_interface(thread, current)?,
            Opcode::Discard if acts => thread.outputs.discarded = true,
            _ => {}
        }
        Ok(())
    }

    fn leave(&self, thread: &mut Thread) {
        match thread.calls.pop() {
            Some(back) => thread.next = back,
            None => thread.status = Status::Ended,
        }
    }

    fn call(&self, thread: &mut Thread, current: &Current<'_>) -> Result<(), Error> {
        let label = current.operand(|role| role == Role::Label)?;
        let number = label.number().ok_or_else(|| current.invalid("a label that a register chooses"))?;
        self.enter(thread, current, label.file, number)
    }

    /// `fcall fp#[element][call site]`: the instance in slot `# + element` chooses the function table.
    fn call_interface(&self, thread: &mut Thread, current: &Current<'_>) -> Result<(), Error> {
        let operand = current.operand(|role| role == Role::Interface)?;
        let number = operand.number().ok_or_else(|| current.invalid("an interface that a register chooses"))?;
        let element = self.index(thread, operand.index[1]).map_err(|why| current.invalid(why))?;
        let interface = self.declared.interfaces.get(&number);
        let interface = interface.ok_or_else(|| current.invalid(format!("fp{number} is not declared")))?;
        if element >= interface.elements {
            return Err(current.invalid(format!("element {element} of fp{number}[{}]", interface.elements)));
        }
        let instance = self.instance(number.wrapping_add(element));
        let table = interface.tables.get(instance.ty as usize).and_then(|id| self.declared.function_tables.get(id));
        let body = table.and_then(|bodies| bodies.get(current.instruction.extra as usize));
        let body =
            body.ok_or_else(|| current.invalid(format!("type {} of fp{number} has no such call", instance.ty)))?;
        self.enter(thread, current, RegisterFile::FunctionBody, *body)
    }

    fn instance(&self, slot: u32) -> Instance {
        self.resources.instances.get(&slot).copied().unwrap_or_default()
    }

    fn enter(&self, thread: &mut Thread, current: &Current<'_>, file: RegisterFile, number: u32) -> Result<(), Error> {
        let entry = self.flow.entry(file, number);
        let entry = entry.ok_or_else(|| current.invalid(format!("label {number} is not defined")))?;
        if thread.calls.len() < MAX_CALLS {
            thread.calls.push(thread.next);
            thread.next = entry;
        }
        Ok(())
    }
}
