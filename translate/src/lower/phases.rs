//! Programs of several parts to one list of instructions: hull shader phases, subroutines, functions of interfaces.
//!
//! Works on tokens alone: what it writes is what a compiler could have written without phases or calls. The phases that
//! make patch constants run in the first invocation, once every control point is there; their instances are rounds of
//! a loop. A part that returns early becomes a `switch` that is left by `break`.

use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{
    Components, Declaration, Index, Instruction, MinPrecision, Operand, OperandId, Program, ProgramType, RegisterFile,
    ResourceDim, ReturnTypes,
};
use crate::{Error, ledger};
use std::borrow::Cow;

/// Direct3D's limit on the depth of calls.
const MAX_CALLS: u32 = 32;

/// The marker between a hull shader's control points and its patch constants, as an instruction.
pub(super) const PATCH_PHASE: Opcode = Opcode::HsForkPhase;

/// One list of instructions of a program; the program itself where it has no parts.
pub(super) fn flatten(program: &Program) -> Result<Cow<'_, Program>, Error> {
    let labels = program.instructions.iter().any(|i| i.op == Opcode::Label);
    let phases = program.declarations.iter().any(|d| phase_of(d.op).is_some());
    if !labels && !phases {
        return Ok(Cow::Borrowed(program));
    }
    let mut flat = Flat::new(program);
    if phases {
        flat.hull()?;
    } else {
        let end = flat.label_positions().first().map_or(program.instructions.len(), |&(_, at)| at);
        flat.body(0..end, &Part { is_main: true, ..Part::default() }, 0)?;
    }
    Ok(Cow::Owned(flat.finish()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    ControlPoint,
    Fork,
    Join,
}

fn phase_of(op: Opcode) -> Option<Phase> {
    match op {
        Opcode::HsControlPointPhase => Some(Phase::ControlPoint),
        Opcode::HsForkPhase => Some(Phase::Fork),
        Opcode::HsJoinPhase => Some(Phase::Join),
        _ => None,
    }
}

/// How the operands of a part are written.
#[derive(Clone, Copy, Default)]
struct Part {
    /// Returns end the shader.
    is_main: bool,
    /// Outputs are patch constants.
    patch: bool,
    /// What the instance number is.
    instance: Option<Operand>,
    /// Added to the numbers of indexable temporaries.
    indexable: u32,
}

struct Flat<'a> {
    source: &'a Program,
    out: Program,
    /// Temporaries: the program's own, then those made here.
    temps: u32,
    /// Labels and where their bodies begin, sorted.
    labels: Vec<((RegisterFile, u32), usize)>,
    /// Most instructions that the list may have.
    limit: usize,
}

impl<'a> Flat<'a> {
    fn new(source: &'a Program) -> Flat<'a> {
        let declared = |d: &&Declaration| d.op == Opcode::DclTemps;
        let temps = source.declarations.iter().filter(declared).filter_map(|d| source.extra_of(d).first()).max();
        let temps = temps.copied().unwrap_or(0).min(4096);
        let out = Program {
            ty: source.ty,
            model: source.model,
            declarations: source.declarations.clone(),
            instructions: Vec::with_capacity(source.instructions.len() + 32),
            operands: source.operands.clone(),
            extra: source.extra.clone(),
            trailing: Vec::new(),
        };
        let limit = source.instructions.len().saturating_mul(16).clamp(1 << 14, 1 << 20);
        let mut flat = Flat { source, out, temps, labels: Vec::new(), limit };
        flat.labels = flat.label_positions();
        flat
    }

    fn label_positions(&self) -> Vec<((RegisterFile, u32), usize)> {
        let labels = self.source.instructions.iter().enumerate().filter(|(_, i)| i.op == Opcode::Label);
        let mut positions: Vec<((RegisterFile, u32), usize)> =
            labels.filter_map(|(at, i)| Some((label_of(self.source.operands_of(i).first()?)?, at))).collect();
        positions.sort_unstable_by_key(|&(_, at)| at);
        positions
    }

    fn finish(mut self) -> Program {
        let start = self.out.extra.len() as u32;
        self.out.extra.push(self.temps);
        self.out.declarations.push(Declaration {
            op: Opcode::DclTemps,
            controls: 0,
            first_operand: 0,
            operand_count: 0,
            extra: (start, start + 1),
            offset: 0,
            before: 0,
        });
        self.out
    }

    fn temp(&mut self) -> u32 {
        self.temps += 1;
        self.temps - 1
    }

    /// Instructions of a label's body.
    fn label_body(&self, label: (RegisterFile, u32)) -> Option<std::ops::Range<usize>> {
        let n = self.labels.iter().position(|&(l, _)| l == label)?;
        let end = self.labels.get(n + 1).map_or(self.source.instructions.len(), |&(_, at)| at);
        Some(self.labels[n].1 + 1..end)
    }

    // Hull shaders.

    fn hull(&mut self) -> Result<(), Error> {
        if self.source.ty != ProgramType::Hull {
            return Err(Error::malformed(ledger::BAD_TOKENS, 0, "phases outside a hull shader"));
        }
        let phases = self.phases();
        self.rewrite_declarations(&phases);
        let is_patch = |p: &&(Phase, std::ops::Range<usize>, u32, u32)| p.0 != Phase::ControlPoint;
        for (_, range, _, indexable) in phases.iter().filter(|p| !is_patch(p)) {
            self.body(range.clone(), &Part { indexable: *indexable, ..Part::default() }, 0)?;
        }
        let at = phases.first().map_or(0, |p| p.1.start);
        if phases.iter().filter(is_patch).count() > 0 {
            self.add(PATCH_PHASE, &[], at)?;
            let first =
                Operand { file: RegisterFile::OutputControlPointId, ..plain(RegisterFile::OutputControlPointId) };
            self.add(Opcode::If, &[first], at)?;
            for (_, range, instances, indexable) in phases.iter().filter(is_patch) {
                self.instances(range, *instances, *indexable)?;
            }
            self.add(Opcode::EndIf, &[], at)?;
        }
        self.add(Opcode::Ret, &[], at)
    }

    /// Kind, instructions, instances and first indexable temporary of every phase.
    fn phases(&self) -> Vec<(Phase, std::ops::Range<usize>, u32, u32)> {
        let total = self.source.instructions.len();
        let mut phases: Vec<(Phase, std::ops::Range<usize>, u32, u32)> = Vec::new();
        let (mut indexable, mut in_phase) = (0, 0);
        for declaration in &self.source.declarations {
            if let Some(phase) = phase_of(declaration.op) {
                let start = declaration.before as usize;
                if let Some(last) = phases.last_mut() {
                    last.1.end = start;
                }
                indexable += in_phase;
                in_phase = 0;
                phases.push((phase, start..total, 1, indexable));
            }
            let own = self.source.extra_of(declaration).first().copied().unwrap_or(0);
            match declaration.op {
                Opcode::DclHsForkPhaseInstanceCount | Opcode::DclHsJoinPhaseInstanceCount => {
                    if let Some(last) = phases.last_mut() {
                        last.2 = own;
                    }
                }
                Opcode::DclIndexableTemp => in_phase = in_phase.max(own.saturating_add(1)),
                _ => {}
            }
        }
        phases
    }

    /// Declarations of a phase speak of its own indexable temporaries and, in a patch phase, of patch constants.
    fn rewrite_declarations(&mut self, phases: &[(Phase, std::ops::Range<usize>, u32, u32)]) {
        let mut next = 0;
        for n in 0..self.out.declarations.len() {
            let declaration = self.out.declarations[n];
            if phase_of(declaration.op).is_some() {
                next += 1;
            }
            let Some(&(phase, _, _, indexable)) = (if next == 0 { None } else { phases.get(next - 1) }) else {
                continue;
            };
            if declaration.op == Opcode::DclIndexableTemp {
                self.out.extra[declaration.extra.0 as usize] += indexable;
            }
            if declaration.op == Opcode::DclIndexRange && phase != Phase::ControlPoint {
                let first = declaration.first_operand as usize;
                for operand in &mut self.out.operands[first..first + usize::from(declaration.operand_count)] {
                    if operand.file == RegisterFile::Output {
                        operand.file = RegisterFile::InputPatchConstant;
                    }
                }
            }
        }
    }

    /// A patch phase: its instances one after another.
    fn instances(&mut self, range: &std::ops::Range<usize>, instances: u32, indexable: u32) -> Result<(), Error> {
        let at = range.start;
        let part = Part { patch: true, indexable, ..Part::default() };
        if instances <= 1 {
            let part = Part { instance: Some(literal(0)), ..part };
            return self.body(range.clone(), &part, 0);
        }
        let (counter, test) = (self.temp(), self.temp());
        self.add(Opcode::Mov, &[destination(counter), literal(0)], at)?;
        self.add(Opcode::Loop, &[], at)?;
        self.add(Opcode::Uge, &[destination(test), source(counter), literal(instances)], at)?;
        self.add_test(Opcode::Breakc, &[source(test)], at)?;
        self.body(range.clone(), &Part { instance: Some(source(counter)), ..part }, 0)?;
        self.add(Opcode::Iadd, &[destination(counter), source(counter), literal(1)], at)?;
        self.add(Opcode::EndLoop, &[], at)
    }

    // Bodies.

    /// Appends a part: calls are replaced by what they call, returns by ways to the part's end.
    fn body(&mut self, range: std::ops::Range<usize>, part: &Part, depth: u32) -> Result<(), Error> {
        if depth > MAX_CALLS {
            return Err(Error::malformed(ledger::LIMIT, 0, format!("calls nest deeper than {MAX_CALLS}")));
        }
        let mut range = range;
        if part.is_main {
            return self.copy(range, part, depth, None);
        }
        if range.end > range.start && self.source.instructions[range.end - 1].op == Opcode::Ret {
            range.end -= 1;
        }
        let returns = |i: &Instruction| matches!(i.op, Opcode::Ret | Opcode::Retc);
        if !self.source.instructions[range.clone()].iter().any(returns) {
            return self.copy(range, part, depth, None);
        }
        let at = range.start;
        let left = self.temp();
        self.add(Opcode::Mov, &[destination(left), literal(0)], at)?;
        self.add(Opcode::Switch, &[literal(0)], at)?;
        self.add(Opcode::Default, &[], at)?;
        self.copy(range, part, depth, Some(left))?;
        self.add(Opcode::Break, &[], at)?;
        self.add(Opcode::EndSwitch, &[], at)
    }

    /// Copies instructions. `left` is the temporary that says that the part has been left.
    fn copy(&mut self, range: std::ops::Range<usize>, part: &Part, depth: u32, left: Option<u32>) -> Result<(), Error> {
        // Of each open loop or switch: whether something inside leaves the part.
        let mut open: Vec<bool> = Vec::new();
        for at in range {
            let inst = self.source.instructions[at];
            match (inst.op, left) {
                (Opcode::Ret, Some(left)) => {
                    self.leave(left, &mut open, at)?;
                    continue;
                }
                (Opcode::Retc, Some(left)) => {
                    self.copy_as(&inst, Opcode::If, part)?;
                    self.leave(left, &mut open, at)?;
                    self.add(Opcode::EndIf, &[], at)?;
                    continue;
                }
                (Opcode::Call | Opcode::Callc, _) => {
                    self.call(&inst, part, depth)?;
                    continue;
                }
                (Opcode::Fcall, _) => {
                    self.interface_call(&inst, part, depth)?;
                    continue;
                }
                (Opcode::Loop | Opcode::Switch, _) => open.push(false),
                _ => {}
            }
            self.copy_with_slots(&inst, part)?;
            if let (Opcode::EndLoop | Opcode::EndSwitch, Some(left)) = (inst.op, left)
                && open.pop().unwrap_or(false)
            {
                self.add_test(Opcode::Breakc, &[source(left)], at)?;
                if let Some(outer) = open.last_mut() {
                    *outer = true;
                }
            }
        }
        Ok(())
    }

    fn leave(&mut self, left: u32, open: &mut [bool], at: usize) -> Result<(), Error> {
        if let Some(innermost) = open.last_mut() {
            *innermost = true;
            self.add(Opcode::Mov, &[destination(left), literal(u32::MAX)], at)?;
        }
        self.add(Opcode::Break, &[], at)
    }

    fn call(&mut self, inst: &Instruction, part: &Part, depth: u32) -> Result<(), Error> {
        let operands = self.source.operands_of(inst);
        let label = operands.last().and_then(label_of).unwrap_or((RegisterFile::Label, 0));
        let Some(body) = self.label_body(label) else {
            let what = format!("label{} is not there", label.1);
            return Err(Error::malformed(ledger::BAD_OPERAND, inst.offset as usize, what));
        };
        let at = body.start.min(self.source.instructions.len() - 1);
        if inst.op == Opcode::Callc {
            self.copy_as(inst, Opcode::If, part)?;
        }
        self.body(body, &Part { is_main: false, ..*part }, depth + 1)?;
        if inst.op == Opcode::Callc { self.add(Opcode::EndIf, &[], at) } else { Ok(()) }
    }

    // Interfaces.

    /// A call through an interface: one case a type that may stand in the slot.
    fn interface_call(&mut self, inst: &Instruction, part: &Part, depth: u32) -> Result<(), Error> {
        let Some(interface) = self.source.operands_of(inst).first().copied() else { return Ok(()) };
        let bodies = self.bodies(&interface, inst.extra)?;
        let at = self.at(inst);
        let part = Part { is_main: false, ..*part };
        if let [only] = bodies[..] {
            return self.function_body(only, &part, depth);
        }
        self.add(Opcode::Switch, &[interface], at)?;
        for (ty, body) in bodies.iter().enumerate() {
            self.add(Opcode::Case, &[literal(ty as u32)], at)?;
            self.function_body(*body, &part, depth)?;
            self.add(Opcode::Break, &[], at)?;
        }
        self.add(Opcode::EndSwitch, &[], at)
    }

    /// The number of a given instruction.
    fn at(&self, inst: &Instruction) -> usize {
        self.source.instructions.partition_point(|i| i.offset < inst.offset)
    }

    fn function_body(&mut self, body: u32, part: &Part, depth: u32) -> Result<(), Error> {
        let range = self.label_body((RegisterFile::FunctionBody, body));
        let range = range.ok_or_else(|| Error::malformed(ledger::BAD_OPERAND, 0, format!("fb{body} is not there")))?;
        self.body(range, part, depth + 1)
    }

    /// The function bodies of a call site, by type.
    fn bodies(&self, interface: &Operand, site: u32) -> Result<Vec<u32>, Error> {
        let bad = |what: String| Error::malformed(ledger::BAD_OPERAND, 0, what);
        let id = super::number(interface)?;
        let declared = |op| self.source.declarations.iter().filter(move |d: &&Declaration| d.op == op);
        let found = declared(Opcode::DclInterface).map(|d| self.source.extra_of(d)).find(|e| e.first() == Some(&id));
        let tables = found.and_then(|e| e.get(3..)).ok_or_else(|| bad(format!("fp{id} is not declared")))?;
        let body_of = |table: u32| {
            let mut extra = declared(Opcode::DclFunctionTable).map(|d| self.source.extra_of(d));
            let bodies = extra.find(|e| e.first() == Some(&table)).and_then(|e| e.get(2..));
            bodies.and_then(|b| b.get(site as usize)).copied()
        };
        let bodies: Option<Vec<u32>> = tables.iter().map(|&t| body_of(t)).collect();
        bodies.filter(|b| !b.is_empty()).ok_or_else(|| bad(format!("fp{id} has no function at call site {site}")))
    }

    /// Copies an instruction. Where a constant buffer, texture or sampler is chosen by a register, which only an
    /// instance's functions do before 5.1, it becomes one case a declared slot.
    fn copy_with_slots(&mut self, inst: &Instruction, part: &Part) -> Result<(), Error> {
        let chosen = |o: &Operand| is_slot(o.file) && o.number().is_none();
        if self.source.model >= (5, 1) || !self.source.operands_of(inst).iter().any(chosen) {
            return self.copy_as(inst, inst.op, part);
        }
        self.choose_slots(inst, self.at(inst))
    }

    /// One case a declared slot for the first operand that chooses its own, and so on for the others.
    fn choose_slots(&mut self, inst: &Instruction, at: usize) -> Result<(), Error> {
        let first = inst.first_operand as usize;
        let operands = self.out.operands[first..first + usize::from(inst.operand_count)].to_vec();
        let chosen = operands.iter().find(|o| is_slot(o.file) && o.number().is_none()).copied();
        let Some(chosen) = chosen else { return self.push(*inst) };
        let slots = self.slots(chosen.file);
        let (first_slot, selector) = chosen.index[0].parts();
        let Some(OperandId(selector)) = selector.filter(|_| !slots.is_empty()) else {
            let what = "an instance's textures and samplers, of which the shader declares none";
            return Err(Error::refused(ledger::INTERFACES, what));
        };
        let selector = self.out.operands[selector as usize];
        let several = slots.len() > 1;
        if several {
            self.add(Opcode::Switch, &[selector], at)?;
        }
        for slot in slots {
            if several {
                self.add(Opcode::Case, &[literal(slot.wrapping_sub(first_slot))], at)?;
            }
            let start = self.out.operands.len() as u32;
            for mut operand in operands.iter().copied() {
                if operand.file == chosen.file && self.same_slot(&operand, &chosen) {
                    operand.index[0] = Index::constant(slot);
                }
                self.out.operands.push(operand);
            }
            self.choose_slots(&Instruction { first_operand: start, ..*inst }, at)?;
            if several {
                self.add(Opcode::Break, &[], at)?;
            }
        }
        if several { self.add(Opcode::EndSwitch, &[], at) } else { Ok(()) }
    }

    fn same_slot(&self, a: &Operand, b: &Operand) -> bool {
        let parts = |o: &Operand| {
            let (offset, register) = o.index[0].parts();
            (offset, register.map(|OperandId(id)| self.out.operands[id as usize]))
        };
        parts(a) == parts(b)
    }

    /// Declared slots of a register file.
    fn slots(&self, file: RegisterFile) -> Vec<u32> {
        let declared = self.source.declarations.iter().flat_map(|d| self.source.operands_of_declaration(d));
        let mut slots: Vec<u32> = declared.filter(|o| o.file == file).filter_map(Operand::number).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    // Instructions and operands.

    /// Appends an instruction under another opcode, its operands as the part has them.
    fn copy_as(&mut self, inst: &Instruction, op: Opcode, part: &Part) -> Result<(), Error> {
        let mut copy = *inst;
        copy.op = op;
        if op != inst.op {
            // A conditional return or call becomes an `if` of the same condition.
            copy.operand_count = 1;
        }
        let first = inst.first_operand as usize;
        let unchanged = !part.patch && part.indexable == 0;
        if !unchanged {
            let start = self.out.operands.len() as u32;
            for n in first..first + usize::from(copy.operand_count) {
                let operand = self.source.operands[n];
                self.out.operands.push(operand);
            }
            copy.first_operand = start;
            for n in start as usize..start as usize + usize::from(copy.operand_count) {
                let operand = self.rewrite(self.out.operands[n], part, 0);
                self.out.operands[n] = operand;
            }
        }
        self.push(copy)
    }

    fn rewrite(&mut self, mut operand: Operand, part: &Part, depth: u32) -> Operand {
        for n in 0..usize::from(operand.index_count) {
            if let (offset, Some(OperandId(id))) = operand.index[n].parts()
                && depth < 8
            {
                let inner = self.rewrite(self.source.operands[id as usize], part, depth + 1);
                self.out.operands.push(inner);
                operand.index[n] = Index::dynamic(offset, OperandId(self.out.operands.len() as u32 - 1));
            }
        }
        match operand.file {
            RegisterFile::Output if part.patch => operand.file = RegisterFile::InputPatchConstant,
            RegisterFile::IndexableTemp => {
                if let Some(number) = operand.number() {
                    operand.index[0] = Index::constant(number + part.indexable);
                }
            }
            RegisterFile::InputForkInstanceId | RegisterFile::InputJoinInstanceId => {
                if let Some(instance) = part.instance {
                    operand = Operand { neg: operand.neg, abs: operand.abs, ..instance };
                }
            }
            _ => {}
        }
        operand
    }

    fn push(&mut self, inst: Instruction) -> Result<(), Error> {
        if self.out.instructions.len() >= self.limit {
            let what = format!("calls and phases make more than {} instructions", self.limit);
            return Err(Error::malformed(ledger::LIMIT, inst.offset as usize, what));
        }
        self.out.instructions.push(inst);
        Ok(())
    }

    fn add(&mut self, op: Opcode, operands: &[Operand], at: usize) -> Result<(), Error> {
        self.add_instruction(op, operands, at, false)
    }

    fn add_test(&mut self, op: Opcode, operands: &[Operand], at: usize) -> Result<(), Error> {
        self.add_instruction(op, operands, at, true)
    }

    fn add_instruction(&mut self, op: Opcode, operands: &[Operand], at: usize, nonzero: bool) -> Result<(), Error> {
        let first_operand = self.out.operands.len() as u32;
        self.out.operands.extend_from_slice(operands);
        let offset = self.source.instructions.get(at).map_or(0, |i| i.offset);
        self.push(Instruction {
            op,
            saturate: false,
            test_nonzero: nonzero,
            precise: 0,
            controls: 0,
            offsets: [0; 3],
            has_offsets: false,
            dim: ResourceDim::Unknown,
            stride: 0,
            returns: ReturnTypes::default(),
            first_operand,
            operand_count: operands.len() as u8,
            offset,
            extra: 0,
        })
    }
}

/// The label or function body that an operand names.
fn label_of(operand: &Operand) -> Option<(RegisterFile, u32)> {
    Some((operand.file, operand.number()?))
}

/// Files of which an instance may choose a slot.
fn is_slot(file: RegisterFile) -> bool {
    matches!(file, RegisterFile::ConstantBuffer | RegisterFile::Resource | RegisterFile::Sampler)
}

fn plain(file: RegisterFile) -> Operand {
    Operand {
        file,
        components: Components::One,
        neg: false,
        abs: false,
        nonuniform: false,
        min_precision: MinPrecision::Default,
        index_count: 0,
        index: [Index::default(); 3],
        literal: [0; 4],
    }
}

fn literal(bits: u32) -> Operand {
    Operand { literal: [bits; 4], ..plain(RegisterFile::Immediate32) }
}

fn temp(number: u32, components: Components) -> Operand {
    let index = Index::constant(number);
    Operand {
        components,
        index_count: 1,
        index: [index, Index::default(), Index::default()],
        ..plain(RegisterFile::Temp)
    }
}

fn destination(number: u32) -> Operand {
    temp(number, Components::Mask(1))
}

fn source(number: u32) -> Operand {
    temp(number, Components::Select(0))
}
