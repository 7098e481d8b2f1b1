//! What a program's control flow does to its registers, found before lowering.
//!
//! One walk forward finds the constructs and which lanes each assigns; one walk backward finds which of those are
//! still read after it. Lowering makes joins for exactly these. Must never look at values.

use super::classes::Class;
use crate::Error;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand, Program, RegisterFile};
use crate::ledger;

/// Direct3D's limit on nested control flow.
const MAX_NESTING: usize = 64;

/// A construct, by its place in the order of beginnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ConstructId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConstructKind {
    If,
    Loop,
    Switch,
}

/// A register that a construct assigns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    /// Register.
    pub reg: u32,
    /// Lanes assigned.
    pub mask: u8,
    /// Pairs of lanes that some instruction writes apart (bit of [`pair`]).
    apart: u8,
    /// What classes of results are written, four bits a lane.
    classes: u16,
    /// Lanes read after the construct.
    pub live_after: u8,
    /// Lanes read at the beginning of a loop's rounds.
    pub live_head: u8,
}

impl Assigned {
    /// Lanes that are always written together and have one class, as groups within `mask`.
    pub fn groups(&self, mask: u8) -> impl Iterator<Item = u8> + use<> {
        let (apart, classes) = (self.apart, self.classes);
        let mut rest = mask;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let first = rest.trailing_zeros() as u8;
            let mut group = 1 << first;
            for lane in first + 1..4 {
                let same_class = class_bits(classes, first) == class_bits(classes, lane);
                if rest & (1 << lane) != 0 && apart & (1 << pair(first, lane)) == 0 && same_class {
                    group |= 1 << lane;
                }
            }
            rest &= !group;
            Some(group)
        })
    }

    /// The class of everything written to a lane, where it is one.
    pub fn class(&self, lane: u8) -> Option<Class> {
        match class_bits(self.classes, lane) {
            1 => Some(Class::Float),
            2 => Some(Class::Int),
            4 => Some(Class::Mask),
            0 | 8 => None,
            // A move beside one other class is most likely of that class.
            9 => Some(Class::Float),
            10 => Some(Class::Int),
            // A mask is an integer where it meets one.
            6 | 14 | 12 => Some(Class::Int),
            _ => Some(Class::Float),
        }
    }
}

fn class_bits(classes: u16, lane: u8) -> u16 {
    (classes >> (4 * lane)) & 15
}

/// Bit of a pair of lanes a < b.
fn pair(a: u8, b: u8) -> u8 {
    match (a, b) {
        (0, b) => b - 1,
        (1, b) => b + 1,
        _ => 5,
    }
}

/// Bits of the pairs of which a mask has one lane only.
fn pairs_apart(mask: u8) -> u8 {
    let mut bits = 0;
    for a in 0..3u8 {
        for b in a + 1..4 {
            if (mask >> a) & 1 != (mask >> b) & 1 {
                bits |= 1 << pair(a, b);
            }
        }
    }
    bits
}

#[derive(Clone, Debug)]
pub(super) struct Construct {
    pub kind: ConstructKind,
    /// Instruction that begins it.
    start: u32,
    /// Whether an `if` has an `else`.
    pub has_else: bool,
    /// Whether a `switch` has a `default`.
    pub has_default: bool,
    /// Whether a case of a switch is entered from the one before.
    pub falls_through: bool,
    /// Range of [`Scan::assigned`].
    pub assigned: (u32, u32),
    /// Range of [`Scan::cases`].
    pub cases: (u32, u32),
    writes_start: u32,
    reads_start: u32,
}

/// A case label: literal and the number of its body, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub literal: u32,
    pub body: u32,
    pub default: bool,
}

#[derive(Clone, Copy)]
struct Access {
    reg: u32,
    mask: u8,
    class: Class,
}

/// The findings.
#[derive(Default)]
pub(super) struct Scan {
    /// Constructs in the order of their beginnings.
    pub constructs: Vec<Construct>,
    /// Assigned registers of all constructs.
    pub assigned: Vec<Assigned>,
    /// Case labels of all switches.
    pub cases: Vec<Case>,
    /// Number of registers: temporaries, then promoted indexable temporaries.
    pub registers: u32,
    /// First register of each promoted indexable temporary, by its number.
    promoted: Vec<Option<u32>>,
}

impl Scan {
    /// Registers of the assigned lanes of a construct.
    pub fn assigned_of(&self, id: ConstructId) -> &[Assigned] {
        let (first, end) = self.constructs[id.0 as usize].assigned;
        &self.assigned[first as usize..end as usize]
    }

    /// Case labels of a switch.
    pub fn cases_of(&self, id: ConstructId) -> &[Case] {
        let (first, end) = self.constructs[id.0 as usize].cases;
        &self.cases[first as usize..end as usize]
    }

    /// The register of an operand that lives in lanes.
    pub fn register(&self, operand: &Operand) -> Option<u32> {
        match operand.file {
            RegisterFile::Temp => operand.number(),
            RegisterFile::IndexableTemp => {
                let first = self.promoted.get(operand.number()? as usize).copied().flatten()?;
                Some(first + operand.index[1].as_constant()?)
            }
            _ => None,
        }
    }

    /// Scans a program. `promoted` gives, for each indexable temporary, its first register where every index is a constant.
    pub fn new(program: &Program, registers: u32, promoted: Vec<Option<u32>>) -> Result<Scan, Error> {
        let mut scan = Scan { registers, promoted, ..Scan::default() };
        let mut forward = Forward::default();
        for (i, inst) in program.instructions.iter().enumerate() {
            forward
                .step(&mut scan, program, i as u32, inst)
                .map_err(|e| e.at(i as u32, inst.op.info().mnemonic, inst.offset))?;
        }
        if let Some(&open) = forward.stack.last() {
            let start = scan.constructs[open as usize].start;
            let inst = &program.instructions[start as usize];
            let what = "the program ends inside this construct";
            return Err(bad_nesting(what).at(start, inst.op.info().mnemonic, inst.offset));
        }
        Backward::run(&mut scan, program);
        Ok(scan)
    }
}

fn bad_nesting(what: &str) -> Error {
    Error::malformed(ledger::BAD_NESTING, 0, what)
}

/// Calls `f` with every operand of an instruction that is read from a register, its lanes, and whether a destination's.
pub(super) fn for_each_read(program: &Program, inst: &Instruction, mut f: impl FnMut(&Operand, u8)) {
    let operands = program.operands_of(inst);
    let dst_count = super::classes::destinations(inst.op).min(operands.len());
    let dst_mask = operands[..dst_count].iter().fold(0, |m, o| m | o.components.mask());
    for (n, operand) in operands.iter().enumerate() {
        if n >= dst_count {
            f(operand, super::classes::lanes_read(inst.op, dst_mask));
        }
        for_each_relative(program, operand, 0, &mut f);
    }
}

fn for_each_relative(program: &Program, operand: &Operand, depth: u32, f: &mut impl FnMut(&Operand, u8)) {
    for index in &operand.index[..usize::from(operand.index_count)] {
        if let Some(id) = index.register() {
            let relative = program.operand(id);
            f(relative, 1);
            if depth < 4 {
                for_each_relative(program, relative, depth + 1, f);
            }
        }
    }
}

/// The components of a register that lanes of a read take.
pub(super) fn components_read(operand: &Operand, lanes: u8) -> u8 {
    (0..4).filter(|lane| lanes & (1 << lane) != 0).fold(0, |m, lane| m | 1 << operand.components.source(lane))
}

#[derive(Default)]
struct Forward {
    stack: Vec<u32>,
    writes: Vec<Access>,
    reads: Vec<Access>,
    previous: Option<Opcode>,
    /// Labels of open switches; those of the innermost stand last.
    labels: Vec<Case>,
    /// Where the labels of each open construct begin.
    label_starts: Vec<usize>,
    /// Place in the construct's assigned list by register, valid where the stamp is the construct's.
    place: Vec<(u32, u32)>,
}

impl Forward {
    fn step(&mut self, scan: &mut Scan, program: &Program, i: u32, inst: &Instruction) -> Result<(), Error> {
        self.accesses(scan, program, inst);
        let result = match inst.op {
            Opcode::If => self.begin(scan, ConstructKind::If, i),
            Opcode::Loop => self.begin(scan, ConstructKind::Loop, i),
            Opcode::Switch => self.begin(scan, ConstructKind::Switch, i),
            Opcode::Else => self.otherwise(scan),
            Opcode::Case | Opcode::Default => self.label(scan, program, inst),
            Opcode::EndIf => self.end(scan, ConstructKind::If),
            Opcode::EndLoop => self.end(scan, ConstructKind::Loop),
            Opcode::EndSwitch => self.end(scan, ConstructKind::Switch),
            Opcode::Break | Opcode::Breakc => {
                self.require(scan, "no loop or switch to break from", |k| k != ConstructKind::If)
            }
            Opcode::Continue | Opcode::Continuec => {
                self.require(scan, "no loop to continue", |k| k == ConstructKind::Loop)
            }
            _ => Ok(()),
        };
        self.previous = Some(inst.op);
        result
    }

    fn accesses(&mut self, scan: &Scan, program: &Program, inst: &Instruction) {
        for_each_read(program, inst, |operand, lanes| {
            if let Some(reg) = scan.register(operand) {
                self.reads.push(Access { reg, mask: components_read(operand, lanes), class: Class::Move });
            }
        });
        let class = super::classes::result_class(inst.op);
        for operand in
            &program.operands_of(inst)[..super::classes::destinations(inst.op).min(inst.operand_count.into())]
        {
            if let Some(reg) = scan.register(operand) {
                self.writes.push(Access { reg, mask: operand.components.mask(), class });
            }
        }
    }

    fn require(&self, scan: &Scan, what: &str, kind: impl Fn(ConstructKind) -> bool) -> Result<(), Error> {
        let found = self.stack.iter().any(|&c| kind(scan.constructs[c as usize].kind));
        if found { Ok(()) } else { Err(bad_nesting(what)) }
    }

    fn begin(&mut self, scan: &mut Scan, kind: ConstructKind, start: u32) -> Result<(), Error> {
        if self.stack.len() >= MAX_NESTING {
            return Err(Error::malformed(
                ledger::LIMIT,
                0,
                format!("control flow is nested deeper than {MAX_NESTING}"),
            ));
        }
        self.stack.push(scan.constructs.len() as u32);
        self.label_starts.push(self.labels.len());
        scan.constructs.push(Construct {
            kind,
            start,
            has_else: false,
            has_default: false,
            falls_through: false,
            assigned: (0, 0),
            cases: (0, 0),
            writes_start: self.writes.len() as u32,
            reads_start: self.reads.len() as u32,
        });
        Ok(())
    }

    fn innermost<'s>(&self, scan: &'s mut Scan, kind: ConstructKind) -> Option<&'s mut Construct> {
        let id = *self.stack.last()?;
        Some(&mut scan.constructs[id as usize]).filter(|c| c.kind == kind)
    }

    fn otherwise(&mut self, scan: &mut Scan) -> Result<(), Error> {
        match self.innermost(scan, ConstructKind::If) {
            Some(c) if !c.has_else => {
                c.has_else = true;
                Ok(())
            }
            _ => Err(bad_nesting("`else` without an open `if`")),
        }
    }

    fn label(&mut self, scan: &mut Scan, program: &Program, inst: &Instruction) -> Result<(), Error> {
        let previous = self.previous;
        let Some(construct) = self.innermost(scan, ConstructKind::Switch) else {
            return Err(bad_nesting("`case` or `default` outside a `switch`"));
        };
        let default = inst.op == Opcode::Default;
        if default && construct.has_default {
            return Err(bad_nesting("a `switch` with two `default`"));
        }
        construct.has_default |= default;
        let same_body = matches!(previous, Some(Opcode::Case | Opcode::Default));
        let left = matches!(previous, Some(Opcode::Break | Opcode::Continue | Opcode::Ret | Opcode::Switch));
        construct.falls_through |= !same_body && !left;
        let first = self.label_starts.last().copied().unwrap_or(0);
        let body = match self.labels[first..].last() {
            Some(last) => last.body + u32::from(!same_body),
            None => 0,
        };
        let literal = program.operands_of(inst).first().map_or(0, |o| o.literal[0]);
        if !default && self.labels[first..].iter().rev().take(64).any(|c| !c.default && c.literal == literal) {
            return Err(bad_nesting("two `case` labels of one `switch` with the same value"));
        }
        self.labels.push(Case { literal, body, default });
        Ok(())
    }

    fn end(&mut self, scan: &mut Scan, kind: ConstructKind) -> Result<(), Error> {
        if self.innermost(scan, kind).is_none() {
            return Err(bad_nesting("the end of a construct that is not open"));
        }
        let id = self.stack.pop().unwrap_or_default();
        let labels = self.label_starts.pop().unwrap_or_default();
        let first = scan.cases.len() as u32;
        scan.cases.extend(self.labels.drain(labels..));
        let assigned = self.collect(scan, id);
        let construct = &mut scan.constructs[id as usize];
        construct.cases = (first, scan.cases.len() as u32);
        construct.assigned = assigned;
        Ok(())
    }

    /// The registers that a construct assigns, and what its loop reads.
    fn collect(&mut self, scan: &mut Scan, id: u32) -> (u32, u32) {
        self.place.resize(scan.registers as usize, (u32::MAX, 0));
        let (writes_start, reads_start) = {
            let c = &scan.constructs[id as usize];
            (c.writes_start as usize, c.reads_start as usize)
        };
        let first = scan.assigned.len();
        for write in &self.writes[writes_start..] {
            let place = &mut self.place[write.reg as usize];
            if place.0 != id {
                *place = (id, scan.assigned.len() as u32);
                scan.assigned.push(Assigned {
                    reg: write.reg,
                    mask: 0,
                    apart: 0,
                    classes: 0,
                    live_after: 0,
                    live_head: 0,
                });
            }
            let entry = &mut scan.assigned[place.1 as usize];
            entry.mask |= write.mask;
            entry.apart |= pairs_apart(write.mask);
            let bit = write.class.bit();
            for lane in (0..4).filter(|lane| write.mask & (1 << lane) != 0) {
                entry.classes |= bit << (4 * lane);
            }
        }
        if scan.constructs[id as usize].kind == ConstructKind::Loop {
            for read in &self.reads[reads_start..] {
                let place = self.place[read.reg as usize];
                if place.0 == id {
                    scan.assigned[place.1 as usize].live_head |= read.mask;
                }
            }
        }
        (first as u32, scan.assigned.len() as u32)
    }
}

/// An open construct on the way back.
struct Open {
    id: u32,
    /// What is live after it.
    exit: Vec<u8>,
    /// What is live at the beginning of an `else`, of a loop's round or of a switch's cases.
    inner: Vec<u8>,
}

struct Backward {
    live: Vec<u8>,
    stack: Vec<Open>,
    /// Vectors to use again.
    spare: Vec<Vec<u8>>,
}

impl Backward {
    fn run(scan: &mut Scan, program: &Program) {
        let live = vec![0; scan.registers as usize];
        let mut walk = Backward { live, stack: Vec::new(), spare: Vec::new() };
        // Constructs end in an order that the walk back meets the other way round; ids are of their beginnings.
        let mut ends = ends_in_order(scan, program);
        for inst in program.instructions.iter().rev() {
            walk.step(scan, program, inst, &mut ends);
        }
    }

    fn copy(&mut self, of: &[u8]) -> Vec<u8> {
        let mut v = self.spare.pop().unwrap_or_default();
        v.clear();
        v.extend_from_slice(of);
        v
    }

    fn step(&mut self, scan: &mut Scan, program: &Program, inst: &Instruction, ends: &mut Vec<u32>) {
        match inst.op {
            Opcode::EndIf | Opcode::EndLoop | Opcode::EndSwitch => {
                let id = ends.pop().unwrap_or_default();
                self.enter(scan, id);
                return;
            }
            Opcode::Else => {
                if let Some(top) = self.stack.last_mut() {
                    std::mem::swap(&mut top.inner, &mut self.live);
                    self.live.clone_from(&top.exit);
                }
                return;
            }
            Opcode::Case | Opcode::Default => {
                if let Some(top) = self.stack.last_mut() {
                    union(&mut top.inner, &self.live);
                }
                return;
            }
            Opcode::If | Opcode::Loop | Opcode::Switch => self.leave(scan),
            Opcode::Ret => self.live.fill(0),
            Opcode::Break => self.jump(scan, false, |k| k != ConstructKind::If),
            Opcode::Breakc => self.jump(scan, true, |k| k != ConstructKind::If),
            Opcode::Continue => self.jump(scan, false, |k| k == ConstructKind::Loop),
            Opcode::Continuec => self.jump(scan, true, |k| k == ConstructKind::Loop),
            _ => {
                let count = super::classes::destinations(inst.op).min(inst.operand_count.into());
                for operand in &program.operands_of(inst)[..count] {
                    if let Some(reg) = scan.register(operand) {
                        self.live[reg as usize] &= !operand.components.mask();
                    }
                }
            }
        }
        let live = &mut self.live;
        for_each_read(program, inst, |operand, lanes| {
            if let Some(reg) = scan.register(operand) {
                live[reg as usize] |= components_read(operand, lanes);
            }
        });
    }

    fn enter(&mut self, scan: &mut Scan, id: u32) {
        let (first, end) = scan.constructs[id as usize].assigned;
        let exit = self.live.clone();
        let kind = scan.constructs[id as usize].kind;
        let mut inner = self.copy(&exit);
        for assigned in &mut scan.assigned[first as usize..end as usize] {
            assigned.live_after = assigned.mask & self.live[assigned.reg as usize];
            if kind == ConstructKind::Loop {
                inner[assigned.reg as usize] |= assigned.live_head;
            }
        }
        match kind {
            // Whatever a loop reads is taken as read in the next round: a join too many is dead and dropped later.
            ConstructKind::Loop => self.live.clone_from(&inner),
            ConstructKind::Switch => inner.fill(0),
            ConstructKind::If => {}
        }
        self.stack.push(Open { id, exit, inner });
    }

    fn leave(&mut self, scan: &mut Scan) {
        let Some(Open { id, exit, inner }) = self.stack.pop() else { return };
        let construct = &scan.constructs[id as usize];
        let (first, end) = construct.assigned;
        match construct.kind {
            // Without an `else` what is live after is live before; with one, what is live at its beginning.
            ConstructKind::If => union(&mut self.live, &inner),
            ConstructKind::Loop => {
                for assigned in &mut scan.assigned[first as usize..end as usize] {
                    assigned.live_head = assigned.mask & self.live[assigned.reg as usize];
                }
            }
            ConstructKind::Switch => {
                self.live.clone_from(&inner);
                if !construct.has_default {
                    union(&mut self.live, &exit);
                }
            }
        }
        self.spare.push(exit);
        self.spare.push(inner);
    }

    fn jump(&mut self, scan: &Scan, may_stay: bool, kind: impl Fn(ConstructKind) -> bool) {
        let Some(target) = self.stack.iter().rev().find(|o| kind(scan.constructs[o.id as usize].kind)) else { return };
        let is_loop = scan.constructs[target.id as usize].kind == ConstructKind::Loop;
        // `continue` looks for loops alone; `break` for both, and takes what is live after.
        let continues = is_loop && !kind(ConstructKind::Switch);
        let from = if continues { &target.inner } else { &target.exit };
        if may_stay {
            union(&mut self.live, from);
        } else {
            self.live.clone_from(from);
        }
    }
}

fn union(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a |= b;
    }
}

/// The constructs in the order of their ends.
fn ends_in_order(scan: &Scan, program: &Program) -> Vec<u32> {
    let mut ends = Vec::with_capacity(scan.constructs.len());
    let mut open = Vec::new();
    let mut next = 0;
    for inst in &program.instructions {
        match inst.op {
            Opcode::If | Opcode::Loop | Opcode::Switch => {
                open.push(next);
                next += 1;
            }
            Opcode::EndIf | Opcode::EndLoop | Opcode::EndSwitch => ends.extend(open.pop()),
            _ => {}
        }
    }
    ends
}
