//! What the functions that an entry point reaches do with each variable.
//!
//! Follows pointers and handles (images, samplers) from a variable through access chains, loads, copies and calls.
//! A pointer that leaves sight (stored, chosen by `OpSelect` or `OpPhi`, given to an instruction that the tables do
//! not name) makes its variable one of unknown use: read, written and asked for its length. Each function is walked
//! once, and what a parameter gets done flows back to its arguments in one sweep.

use super::module::Module;
use super::ops::{Effect, effect};
use super::words::{Inst, instructions_from};
use crate::error::Error;
use spirv::Op;

/// GLSL's extended instruction set.
const GLSL: &[u8] = b"GLSL.std.450\0";

/// What is done with a variable, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Use(u8);

impl Use {
    const NAMED: Use = Use(1);
    const READ: Use = Use(2 | 1);
    const WRITTEN: Use = Use(4 | 1);
    const MEASURED: Use = Use(8 | 1);
    const ATOMIC: Use = Use(16 | 1);
    const ANYTHING: Use = Use(15);

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// Whether an instruction names it.
    pub fn named(self) -> bool {
        self.has(1)
    }

    /// Whether memory or texels are read.
    pub fn read(self) -> bool {
        self.has(2)
    }

    /// Whether memory or texels are written.
    pub fn written(self) -> bool {
        self.has(4)
    }

    /// Whether the length is asked for.
    pub fn measured(self) -> bool {
        self.has(8)
    }

    /// Whether there are atomics on texels.
    pub fn atomic(self) -> bool {
        self.has(16)
    }
}

/// The use of every variable by what an entry point reaches.
pub(super) struct Usage {
    uses: Vec<Use>,
    /// Whether a length is asked for, of whatever buffer.
    pub measures: bool,
}

impl Usage {
    /// What is done with a variable.
    pub fn of(&self, id: u32) -> Use {
        self.uses.get(id as usize).copied().unwrap_or_default()
    }

    /// Walks everything that the functions reach.
    pub fn of_functions(module: &Module<'_>, functions: impl IntoIterator<Item = u32>) -> Result<Self, Error> {
        let bound = module.header.bound as usize;
        let mut walk = Walk {
            module,
            origins: vec![0; bound],
            uses: vec![Use::default(); bound],
            calls: Vec::new(),
            pending: functions.into_iter().collect(),
            measures: false,
        };
        for variable in &module.variables {
            walk.set_origin(variable.id, variable.id);
        }
        for variable in module.variables.iter().filter_map(|v| module.definition(v.id)) {
            walk.instruction(&variable);
        }
        let mut seen = vec![false; bound];
        while let Some(function) = walk.pending.pop() {
            match seen.get_mut(function as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            walk.function(function)?;
        }
        walk.flow_back();
        Ok(Usage { uses: walk.uses, measures: walk.measures })
    }
}

struct Walk<'m, 'a> {
    module: &'m Module<'a>,
    /// For each id that is a pointer or a handle: the variable or parameter that it comes from; 0 for others.
    origins: Vec<u32>,
    uses: Vec<Use>,
    /// Parameter, and the origin of an argument that it gets.
    calls: Vec<(u32, u32)>,
    /// Functions to walk.
    pending: Vec<u32>,
    measures: bool,
}

impl<'a> Walk<'_, 'a> {
    fn origin(&self, id: Option<u32>) -> u32 {
        id.and_then(|id| self.origins.get(id as usize)).copied().unwrap_or(0)
    }

    fn set_origin(&mut self, id: u32, origin: u32) {
        if let Some(slot) = self.origins.get_mut(id as usize) {
            *slot = origin;
        }
    }

    fn mark(&mut self, id: Option<u32>, how: Use) {
        let origin = self.origin(id) as usize;
        if origin != 0
            && let Some(slot) = self.uses.get_mut(origin)
        {
            slot.0 |= how.0;
        }
    }

    /// Walks a function's body. An id that is no function has none.
    fn function(&mut self, function: u32) -> Result<(), Error> {
        let Some(start) = self.module.definition(function).filter(|inst| inst.op() == Some(Op::Function)) else {
            return Ok(());
        };
        for inst in instructions_from(self.module.words(), start.at) {
            let inst = inst?;
            match inst.op() {
                Some(Op::FunctionEnd) => break,
                Some(Op::FunctionParameter) => {
                    let id = inst.need(2)?;
                    self.set_origin(id, id);
                }
                _ => self.instruction(&inst),
            }
        }
        Ok(())
    }

    fn instruction(&mut self, inst: &Inst<'a>) {
        let word = |index| inst.get(index);
        match effect(inst) {
            Effect::Plain => {}
            Effect::Same(n) => self.same(inst, n),
            Effect::Texel(n) => {
                self.mark(word(n), Use::ATOMIC);
                self.same(inst, n);
            }
            Effect::Load(n) => self.load(inst, n),
            Effect::Store { pointer, value } => {
                self.mark(word(pointer), Use::WRITTEN);
                self.mark(word(value), Use::ANYTHING);
            }
            Effect::Read(n) => self.mark(word(n), Use::READ),
            Effect::Write(n) => self.mark(word(n), Use::WRITTEN),
            Effect::Update(n) => {
                self.mark(word(n), Use::READ);
                self.mark(word(n), Use::WRITTEN);
            }
            Effect::Query(n) => self.mark(word(n), Use::NAMED),
            Effect::Length(n) => {
                self.measures = true;
                self.mark(word(n), Use::MEASURED);
            }
            Effect::Copy { target, source } => {
                self.mark(word(target), Use::WRITTEN);
                self.mark(word(source), Use::READ);
            }
            Effect::Call => self.call(inst),
            Effect::Extended => self.extended(inst),
            Effect::Anything { from, to } => {
                for id in inst.rest(from).iter().take(to.saturating_sub(from)) {
                    self.mark(Some(*id), Use::ANYTHING);
                }
            }
        }
    }

    fn same(&mut self, inst: &Inst<'a>, operand: usize) {
        self.mark(inst.get(operand), Use::NAMED);
        if let Some(result) = inst.get(2) {
            self.set_origin(result, self.origin(inst.get(operand)));
        }
    }

    /// A load of an image or a sampler gives a handle, whose texels may or may not be read later; any other load reads.
    fn load(&mut self, inst: &Inst<'a>, pointer: usize) {
        let ty = inst.get(1).and_then(|ty| self.module.definition(ty)).and_then(|ty| ty.op());
        let handle = matches!(
            ty,
            Some(Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypeAccelerationStructureKHR)
        );
        // An array of handles is a handle too; an array of numbers was read, which is no less true of it.
        let array = matches!(ty, Some(Op::TypeArray));
        if handle || array {
            self.same(inst, pointer);
        }
        if !handle {
            self.mark(inst.get(pointer), Use::READ);
        }
    }

    fn call(&mut self, inst: &Inst<'a>) {
        let Some(callee) = inst.get(3) else { return };
        self.pending.push(callee);
        let parameters = self.parameters(callee, inst.rest(4).len());
        for (argument, parameter) in inst.rest(4).iter().zip(parameters) {
            self.mark(Some(*argument), Use::NAMED);
            let origin = self.origin(Some(*argument));
            if origin != 0 {
                self.calls.push((parameter, origin));
            }
        }
    }

    /// The first parameters of a function.
    fn parameters(&self, function: u32, most: usize) -> Vec<u32> {
        let Some(start) = self.module.definition(function) else { return Vec::new() };
        instructions_from(self.module.words(), start.at)
            .skip(1)
            .map_while(|inst| inst.ok().filter(|inst| inst.op() == Some(Op::FunctionParameter)))
            .filter_map(|inst| inst.get(2))
            .take(most)
            .collect()
    }

    /// Only GLSL's set works on memory (`Modf`, `Frexp`, `InterpolateAt*`); the others describe or compute.
    fn extended(&mut self, inst: &Inst<'a>) {
        let set = inst.get(3).and_then(|set| self.module.definition(set));
        // Compared in place: a set's name is as long as the module likes, and each call would read it again.
        let is_glsl =
            |set: Inst<'_>| set.rest(2).iter().flat_map(|w| w.to_le_bytes()).take(GLSL.len()).eq(GLSL.iter().copied());
        if set.is_some_and(is_glsl) {
            for id in inst.rest(5) {
                self.mark(Some(*id), Use::ANYTHING);
            }
        }
    }

    /// Gives each argument what its parameter gets done. A node is looked at again only when it gained a bit.
    fn flow_back(&mut self) {
        self.calls.sort_unstable();
        self.calls.dedup();
        let mut pending: Vec<u32> = self.calls.iter().map(|(parameter, _)| *parameter).collect();
        pending.dedup();
        while let Some(parameter) = pending.pop() {
            let done = self.uses.get(parameter as usize).copied().unwrap_or_default();
            let first = self.calls.partition_point(|(p, _)| *p < parameter);
            for (_, origin) in self.calls.iter().skip(first).take_while(|(p, _)| *p == parameter) {
                let Some(slot) = self.uses.get_mut(*origin as usize) else { continue };
                if slot.0 | done.0 != slot.0 {
                    slot.0 |= done.0;
                    pending.push(*origin);
                }
            }
        }
    }
}
