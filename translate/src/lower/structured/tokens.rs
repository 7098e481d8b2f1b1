//! What the tokens around an access to memory tell before anything is lowered: how its address is aligned, and
//! whether floats or integers pass through it.
//!
//! Looks at a bounded number of instructions an access. An answer on alignment is a proof, one on kinds a guess:
//! both kinds hold the same bits.

use crate::dxbc::opcodes::{Class, Opcode};
use crate::dxbc::program::{Instruction, Operand, Program, RegisterFile};
use crate::lower::classes;
use crate::lower::registers::mask_lanes;
use crate::lower::scan::components_read;
use crate::lower::usage::BufferAccess;

/// Instructions that a proof may look at.
const FUEL: u32 = 256;
/// Instructions after a load in which a user of it is looked for.
const WINDOW: usize = 24;
/// The widest element: what is asked of an address is its place in sixteen bytes.
const WIDEST: u32 = 16;

/// What is known of the low bits of an integer: it is `value` modulo `modulus`, a power of two up to 16.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Residue {
    pub modulus: u32,
    pub value: u32,
}

impl Residue {
    const UNKNOWN: Residue = Residue { modulus: 1, value: 0 };

    pub(super) fn new(modulus: u32, value: u32) -> Residue {
        let modulus = modulus.clamp(1, WIDEST);
        Residue { modulus, value: value & (modulus - 1) }
    }

    fn constant(value: u32) -> Residue {
        Residue::new(WIDEST, value)
    }

    pub(super) fn add(self, other: Residue) -> Residue {
        Residue::new(self.modulus.min(other.modulus), self.value.wrapping_add(other.value))
    }

    pub(super) fn mul(self, other: Residue) -> Residue {
        // (v + a·m)(w + b·n) = v·w + b·v·n + a·w·m + a·b·m·n: all but the first are multiples of this.
        let terms = (self.value * other.modulus) | (other.value * self.modulus) | (self.modulus * other.modulus);
        Residue::new(1 << terms.trailing_zeros().min(4), self.value * other.value)
    }

    pub(super) fn shl(self, by: u32) -> Residue {
        if by >= 4 { Residue::new(WIDEST, 0) } else { Residue::new(self.modulus << by, self.value << by) }
    }

    /// A bitwise operation works on the low bits alone.
    pub(super) fn bits(self, other: Residue, f: impl Fn(u32, u32) -> u32) -> Residue {
        Residue::new(self.modulus.min(other.modulus), f(self.value, other.value))
    }

    /// `a & b` is also known where one of them has zeros.
    pub(super) fn and(self, other: Residue) -> Residue {
        let zeros = |r: Residue| if r.value == 0 { r.modulus } else { 1 };
        let both = self.bits(other, |a, b| a & b);
        let zeros = zeros(self).max(zeros(other));
        if zeros > both.modulus { Residue::new(zeros, 0) } else { both }
    }
}

/// Notes an access through operand `n`, the memory.
pub(in crate::lower) fn note_access(
    access: &mut BufferAccess,
    program: &Program,
    inst: &Instruction,
    operand: &Operand,
    n: usize,
) {
    let operands = program.operands_of(inst);
    let (first, offset, store) = match inst.op {
        Opcode::LdRaw | Opcode::LdStructured | Opcode::LdRawFeedback | Opcode::LdStructuredFeedback => {
            (operands.first(), n.checked_sub(1), false)
        }
        Opcode::StoreRaw => (operands.first(), Some(1), true),
        Opcode::StoreStructured => (operands.first(), Some(2), true),
        _ => return,
    };
    let (Some(first), Some(offset)) = (first, offset.and_then(|at| operands.get(at))) else { return };
    let components = if store { operand.components.mask() } else { components_read(operand, first.components.mask()) };
    access.widest = access.widest.max(components.count_ones() as u8);
    let at = position(program, inst);
    if offset.file != RegisterFile::Immediate32 {
        access.dynamic_offset = true;
        access.alignment = access.alignment.min(residue(program, inst, offset, 0).modulus);
    }
    let mut vote = |integer| match integer {
        Some(true) => access.ints += 1,
        Some(false) => access.floats += 1,
        None => {}
    };
    match operands.last() {
        Some(value) if store => mask_lanes(components).for_each(|lane| vote(made(program, at, value, lane))),
        _ => vote(used(program, at, first)),
    }
}

/// Whether what a move takes from or gives to its operand `n` is an integer: the operand stands in memory without a
/// type of its own.
pub(in crate::lower) fn moved_integer(program: &Program, inst: &Instruction, n: usize) -> Option<bool> {
    let at = position(program, inst);
    match (inst.op, program.operands_of(inst), n) {
        (Opcode::Mov, [dst, source], 0) => {
            let lane = mask_lanes(dst.components.mask()).next()?;
            made(program, at, source, lane)
        }
        (Opcode::Mov, [dst, _], 1) | (Opcode::Movc, [dst, ..], 2 | 3) => used(program, at, dst),
        _ => None,
    }
}

/// Index of an instruction: they stand in the order of their offsets.
fn position(program: &Program, inst: &Instruction) -> usize {
    program.instructions.partition_point(|i| i.offset < inst.offset)
}

/// What is known of the low bits of lane `lane` of an operand of an instruction.
pub(in crate::lower) fn residue(program: &Program, inst: &Instruction, operand: &Operand, lane: u8) -> Residue {
    Proof { program, fuel: FUEL }.operand(position(program, inst), operand, lane, 0)
}

struct Proof<'a> {
    program: &'a Program,
    fuel: u32,
}

impl Proof<'_> {
    fn operand(&mut self, at: usize, operand: &Operand, lane: u8, depth: u32) -> Residue {
        let component = operand.components.source(lane);
        if operand.abs {
            return Residue::UNKNOWN;
        }
        let known = match operand.file {
            RegisterFile::Immediate32 => Residue::constant(operand.literal[usize::from(component & 3)]),
            RegisterFile::Temp if depth < 6 => {
                let writer = operand.number().and_then(|r| writer(self.program, at, r, component, &mut self.fuel));
                writer.map_or(Residue::UNKNOWN, |(at, n)| self.result(at, n, component, depth + 1))
            }
            _ => Residue::UNKNOWN,
        };
        if operand.neg { Residue::new(known.modulus, known.value.wrapping_neg()) } else { known }
    }

    /// Result `n` of an instruction at a component.
    fn result(&mut self, at: usize, n: usize, component: u8, depth: u32) -> Residue {
        let inst = &self.program.instructions[at];
        let sources = self.program.operands_of(inst).get(classes::destinations(inst.op)..).unwrap_or_default();
        let literal = |o: &Operand| {
            (o.file == RegisterFile::Immediate32 && !o.neg && !o.abs)
                .then(|| o.literal[usize::from(o.components.source(component) & 3)] & 31)
        };
        match (inst.op, sources) {
            // A move's sign works on the top bit: not looked into.
            (Opcode::Mov, [a]) if !a.neg && !inst.saturate => self.operand(at, a, component, depth),
            (Opcode::Iadd, [a, b]) => {
                let a = self.operand(at, a, component, depth);
                a.add(self.operand(at, b, component, depth))
            }
            (Opcode::Imul | Opcode::Umul, [a, b]) if n == 1 => {
                let a = self.operand(at, a, component, depth);
                a.mul(self.operand(at, b, component, depth))
            }
            (Opcode::Imad | Opcode::Umad, [a, b, c]) => {
                let a = self.operand(at, a, component, depth);
                let product = a.mul(self.operand(at, b, component, depth));
                product.add(self.operand(at, c, component, depth))
            }
            (Opcode::Ishl, [a, by]) => match literal(by) {
                Some(by) if by >= 4 => Residue::new(WIDEST, 0),
                Some(by) => self.operand(at, a, component, depth).shl(by),
                None => Residue::UNKNOWN,
            },
            (Opcode::And, [a, b]) => {
                let a = self.operand(at, a, component, depth);
                a.and(self.operand(at, b, component, depth))
            }
            (Opcode::Or, [a, b]) => {
                let a = self.operand(at, a, component, depth);
                a.bits(self.operand(at, b, component, depth), |a, b| a | b)
            }
            // Below the inserted field stand the base's bits.
            (Opcode::Bfi, [_, offset, _, base]) => match literal(offset) {
                Some(offset) => {
                    let base = self.operand(at, base, component, depth);
                    Residue::new(base.modulus.min(1 << offset.min(4)), base.value)
                }
                None => Residue::UNKNOWN,
            },
            _ => Residue::UNKNOWN,
        }
    }
}

/// The instruction and destination that a temporary's component has its value from at instruction `at`, where there is
/// only one whatever way control took.
fn writer(program: &Program, at: usize, register: u32, component: u8, fuel: &mut u32) -> Option<(usize, usize)> {
    let mut depth = 0u32;
    for i in (0..at).rev() {
        *fuel = fuel.checked_sub(1)?;
        let inst = &program.instructions[i];
        match inst.op {
            Opcode::EndIf | Opcode::EndLoop | Opcode::EndSwitch => depth += 1,
            // The other branch: passed over like a construct that has ended.
            Opcode::Else if depth == 0 => depth = 1,
            Opcode::If => depth = depth.saturating_sub(1),
            Opcode::Loop | Opcode::Switch if depth > 0 => depth -= 1,
            // What a later round, another case or a caller wrote is not known.
            Opcode::Loop | Opcode::Switch => return None,
            Opcode::Case | Opcode::Default | Opcode::Label if depth == 0 => return None,
            _ => {}
        }
        let operands = program.operands_of(inst);
        let written = operands.iter().take(classes::destinations(inst.op)).enumerate();
        // Of two destinations with the same component the second one is written last.
        for (n, dst) in written.rev() {
            let same = dst.file == RegisterFile::Temp && dst.number() == Some(register);
            if same && dst.components.mask() & (1 << component) != 0 {
                return (depth == 0).then_some((i, n));
            }
        }
    }
    None
}

fn integer(class: Class) -> Option<bool> {
    match class {
        Class::Float | Class::Texel => Some(false),
        Class::Int | Class::Uint | Class::Mask => Some(true),
        _ => None,
    }
}

/// Whether the first user of a loaded value takes integers.
fn used(program: &Program, at: usize, dst: &Operand) -> Option<bool> {
    if dst.file != RegisterFile::Temp {
        return None;
    }
    let register = dst.number()?;
    let mut live = dst.components.mask();
    for inst in program.instructions.get(at + 1..)?.iter().take(WINDOW) {
        let operands = program.operands_of(inst);
        let count = classes::destinations(inst.op).min(operands.len());
        let (written, read) = operands.split_at(count);
        let mask = written.iter().fold(0, |m, o| m | o.components.mask());
        for (n, operand) in read.iter().enumerate() {
            let same = operand.file == RegisterFile::Temp && operand.number() == Some(register);
            let lanes = classes::lanes_read(inst.op, mask);
            if same && components_read(operand, lanes) & live != 0 {
                let class = inst.op.info().operands.get(n + count).map_or(Class::None, |s| s.class);
                if let Some(found) = integer(class) {
                    return Some(found);
                }
            }
        }
        for operand in written.iter().filter(|o| o.file == RegisterFile::Temp && o.number() == Some(register)) {
            live &= !operand.components.mask();
        }
        if live == 0 {
            return None;
        }
    }
    None
}

/// Whether lane `lane` of a stored value was made as an integer.
fn made(program: &Program, at: usize, value: &Operand, lane: u8) -> Option<bool> {
    let mut fuel = WINDOW as u32;
    let (mut at, mut operand) = (at, *value);
    for _ in 0..4 {
        let component = operand.components.source(lane);
        match operand.file {
            RegisterFile::Temp => {}
            // A small number's bits are those of no float that a program writes down.
            RegisterFile::Immediate32 => {
                let bits = operand.literal[usize::from(component & 3)];
                return (bits != 0).then_some(!(1 << 23..0xff80_0001).contains(&bits));
            }
            _ => return None,
        }
        let (writer, n) = writer(program, at, operand.number()?, component, &mut fuel)?;
        let inst = &program.instructions[writer];
        match (inst.op, program.operands_of(inst)) {
            (Opcode::Mov, [_, source]) => (at, operand) = (writer, *source),
            (Opcode::LdRaw | Opcode::LdStructured, [dst, ..]) => return used(program, writer, dst),
            _ => return integer(inst.op.info().operands.get(n)?.class),
        }
    }
    None
}
