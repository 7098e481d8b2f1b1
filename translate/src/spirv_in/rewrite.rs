//! A module that naga wrote, instruction by instruction into another. What a host brings is never changed.
//!
//! Owns where new types, constants and decorations stand, and the id bound. Knows no fix: what is written in place of an
//! instruction is the caller's.

use super::module::Module;
use super::words::{HEADER_WORDS, Inst, instructions};
use crate::error::Error;
use spirv::{Op, StorageClass};
use std::collections::BTreeMap;

/// A type or constant that is found in the module or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Global {
    /// Truth values: so many components.
    Bools(u32),
    /// Unsigned 32-bit integers: so many components.
    Integers(u32),
    /// 32-bit floats: so many components.
    Floats(u32),
    /// A constant of unsigned integers, each these bits.
    Integer(u32, u32),
    /// A constant of floats, each of these bits.
    Float(u32, u32),
    /// A pointer in a storage class.
    Pointer(u32, u32),
}

/// A module being rewritten.
pub(crate) struct Rewriter<'m> {
    module: &'m Module<'m>,
    next: u32,
    known: BTreeMap<Global, u32>,
    /// Words before the first type, new decorations, types and constants, new ones, functions.
    head: Vec<u32>,
    decorations: Vec<u32>,
    globals: Vec<u32>,
    made: Vec<u32>,
    functions: Vec<u32>,
}

/// Parts of a module, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Head,
    Globals,
    Functions,
}

impl<'m> Rewriter<'m> {
    /// Rewrites words: `each` is given every instruction of every function, with the one that follows, and says how many
    /// of the two it has written itself; 0 leaves the first as it is.
    pub(crate) fn run(
        words: &[u32],
        mut each: impl FnMut(&mut Rewriter<'_>, &Inst<'_>, Option<&Inst<'_>>) -> Result<usize, Error>,
        last: impl FnOnce(&mut Rewriter<'_>) -> Result<(), Error>,
    ) -> Result<Vec<u32>, Error> {
        let module = Module::read(words)?;
        let all: Vec<Inst<'_>> = instructions(words).collect::<Result<_, _>>()?;
        let mut rewriter = Rewriter {
            module: &module,
            next: module.header.bound,
            known: BTreeMap::new(),
            head: words.get(..HEADER_WORDS).unwrap_or(&[]).to_vec(),
            decorations: Vec::new(),
            globals: Vec::new(),
            made: Vec::new(),
            functions: Vec::new(),
        };
        let mut part = Part::Head;
        let mut at = 0;
        while let Some(inst) = all.get(at) {
            at += 1;
            part = part.max(part_of(inst));
            match part {
                Part::Head => rewriter.head.extend(inst.words),
                Part::Globals => {
                    rewriter.know(inst);
                    rewriter.globals.extend(inst.words);
                }
                Part::Functions => match each(&mut rewriter, inst, all.get(at))? {
                    0 => rewriter.functions.extend(inst.words),
                    written => at += written - 1,
                },
            }
        }
        last(&mut rewriter)?;
        Ok(rewriter.finish())
    }

    fn finish(mut self) -> Vec<u32> {
        if let Some(bound) = self.head.get_mut(3) {
            *bound = self.next;
        }
        [self.head, self.decorations, self.globals, self.made, self.functions].concat()
    }

    /// The module as it was.
    pub(crate) fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// Remembers a type that is there already: of those no second one may be made.
    fn know(&mut self, inst: &Inst<'_>) {
        let Some(id) = inst.get(1) else { return };
        let global = match (inst.op(), inst.rest(2)) {
            (Some(Op::TypeBool), _) => Global::Bools(1),
            (Some(Op::TypeInt), [32, 0]) => Global::Integers(1),
            (Some(Op::TypeFloat), [32, ..]) => Global::Floats(1),
            (Some(Op::TypeVector), [component, count]) => {
                let scalar = self.known.iter().find(|(_, known)| *known == component);
                match scalar.map(|(global, _)| *global) {
                    Some(Global::Bools(1)) => Global::Bools(*count),
                    Some(Global::Integers(1)) => Global::Integers(*count),
                    Some(Global::Floats(1)) => Global::Floats(*count),
                    _ => return,
                }
            }
            (Some(Op::TypePointer), [class, pointee]) => Global::Pointer(*class, *pointee),
            _ => return,
        };
        self.known.entry(global).or_insert(id);
    }

    /// A new id.
    pub(crate) fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// The id of a type or constant.
    pub(crate) fn global(&mut self, global: Global) -> u32 {
        if let Some(id) = self.known.get(&global) {
            return *id;
        }
        let id = match global {
            Global::Bools(1) => self.declare(Op::TypeBool, &[]),
            Global::Integers(1) => self.declare(Op::TypeInt, &[32, 0]),
            Global::Floats(1) => self.declare(Op::TypeFloat, &[32]),
            Global::Bools(n) => self.vector(Global::Bools(1), n),
            Global::Integers(n) => self.vector(Global::Integers(1), n),
            Global::Floats(n) => self.vector(Global::Floats(1), n),
            Global::Integer(1, bits) => self.constant(Global::Integers(1), bits),
            Global::Float(1, bits) => self.constant(Global::Floats(1), bits),
            Global::Integer(n, bits) => self.composite(Global::Integers(n), Global::Integer(1, bits), n),
            Global::Float(n, bits) => self.composite(Global::Floats(n), Global::Float(1, bits), n),
            Global::Pointer(class, pointee) => self.declare(Op::TypePointer, &[class, pointee]),
        };
        self.known.insert(global, id);
        id
    }

    fn vector(&mut self, scalar: Global, count: u32) -> u32 {
        let scalar = self.global(scalar);
        self.declare(Op::TypeVector, &[scalar, count])
    }

    fn constant(&mut self, ty: Global, bits: u32) -> u32 {
        let (ty, id) = (self.global(ty), self.id());
        push(&mut self.made, Op::Constant, &[ty, id, bits]);
        id
    }

    fn composite(&mut self, ty: Global, part: Global, count: u32) -> u32 {
        let (ty, part, id) = (self.global(ty), self.global(part), self.id());
        let mut operands = vec![ty, id];
        operands.extend(std::iter::repeat_n(part, count as usize));
        push(&mut self.made, Op::ConstantComposite, &operands);
        id
    }

    /// Declares a type whose result comes first.
    pub(crate) fn declare(&mut self, op: Op, operands: &[u32]) -> u32 {
        let id = self.id();
        push(&mut self.made, op, &[&[id], operands].concat());
        id
    }

    /// Declares a variable of the module, and lists it in the entry points where the version has all listed.
    pub(crate) fn variable(&mut self, pointer: u32, class: StorageClass) -> u32 {
        let id = self.id();
        push(&mut self.made, Op::Variable, &[pointer, id, class as u32]);
        if self.module.header.version >= (1, 4) {
            self.head = listed(&self.head, id);
        }
        id
    }

    /// Adds a decoration.
    pub(crate) fn decorate(&mut self, op: Op, operands: &[u32]) {
        push(&mut self.decorations, op, operands);
    }

    /// Writes an instruction of a function.
    pub(crate) fn write(&mut self, op: Op, operands: &[u32]) {
        push(&mut self.functions, op, operands);
    }

    /// Writes an instruction with a type and a new result.
    pub(crate) fn value(&mut self, op: Op, ty: u32, operands: &[u32]) -> u32 {
        let id = self.id();
        push(&mut self.functions, op, &[&[ty, id], operands].concat());
        id
    }

    /// Components of a type of 32-bit numbers made by an instruction of this kind: OpTypeFloat or OpTypeInt.
    pub(crate) fn components(&self, ty: u32, of: Op) -> Option<u32> {
        let inst = self.module.definition(ty)?;
        let (scalar, count) = match inst.op()? {
            Op::TypeVector => (self.module.definition(inst.get(2)?)?, inst.get(3)?),
            _ => (inst, 1),
        };
        (scalar.op() == Some(of) && scalar.get(2) == Some(32)).then_some(count)
    }

    /// The type of a value.
    pub(crate) fn type_of(&self, value: u32) -> Option<u32> {
        // Every value has its type before its result.
        self.module.definition(value)?.get(1)
    }
}

/// The part that an instruction begins, if it is no later one already.
fn part_of(inst: &Inst<'_>) -> Part {
    match inst.opcode() {
        // OpTypeVoid to OpSpecConstantOp, OpUndef and OpVariable outside functions.
        19..=52 | 1 | 59 => Part::Globals,
        54 => Part::Functions,
        _ => Part::Head,
    }
}

/// The head with a variable at the end of each entry point's list.
fn listed(head: &[u32], variable: u32) -> Vec<u32> {
    let mut out = head.get(..HEADER_WORDS).unwrap_or(&[]).to_vec();
    for inst in instructions(head).map_while(Result::ok) {
        out.extend(inst.words);
        if inst.op() == Some(Op::EntryPoint) {
            let first = out.len() - inst.words.len();
            out[first] += 1 << 16;
            out.push(variable);
        }
    }
    out
}

/// Appends an instruction; none here is longer than a few words.
fn push(to: &mut Vec<u32>, op: Op, operands: &[u32]) {
    to.push((operands.len() as u32 + 1) << 16 | op as u32);
    to.extend(operands);
}
