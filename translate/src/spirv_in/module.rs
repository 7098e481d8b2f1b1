//! One walk over a module: where each id is defined, its decorations, names, constants, entry points.
//!
//! Owns tables of positions into the words; an instruction is never copied, only found again. Checks what those
//! tables rest on (lengths, ids, balance of functions) and nothing more: a full validator is not its business.

use super::ops::result_index;
use super::words::{Header, Inst, header, instructions};
use crate::error::Error;
use crate::ledger;
use spirv::{Decoration, ExecutionModel, Op, StorageClass};
use std::collections::BTreeMap;

/// The member index that stands for "the whole id" in the decoration table.
const WHOLE: u32 = u32::MAX;

/// A module's tables.
pub(crate) struct Module<'a> {
    words: &'a [u32],
    /// Header.
    pub header: Header,
    /// Index of the word where an id's instruction begins; 0: not defined.
    definitions: Vec<u32>,
    decorations: Vec<Decorated>,
    /// Targets of decoration groups: target, member or [`WHOLE`], group.
    groups: Vec<(u32, u32, u32)>,
    /// Names: target, member or [`WHOLE`], index of the word where the OpName or OpMemberName begins.
    names: Vec<(u32, u32, u32)>,
    /// Values of scalar integer constants (specialisation constants by their default), cut to 32 bits.
    constants: BTreeMap<u32, u32>,
    /// Entry points.
    pub entry_points: Vec<EntryPoint<'a>>,
    /// `OpExecutionMode` and `OpExecutionModeId`.
    pub execution_modes: Vec<Inst<'a>>,
    /// Capabilities, as numbers.
    pub capabilities: Vec<u32>,
    /// Variables of the module (not of functions).
    pub variables: Vec<Variable>,
    /// Whether there is an `OpMemoryModel`.
    memory_model: Option<(u32, u32)>,
}

/// A decoration of an id or of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Decorated {
    target: u32,
    member: u32,
    kind: u32,
    /// Its first operand; 0 where it has none.
    value: u32,
}

/// An entry point.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint<'a> {
    /// Execution model, as a number.
    pub model: u32,
    /// Function.
    pub function: u32,
    /// Name.
    pub name: String,
    /// Interface variables.
    pub interface: &'a [u32],
    /// Index of the word where it stands.
    pub at: usize,
}

impl EntryPoint<'_> {
    /// Execution model; none for one that this build does not know.
    pub fn execution_model(&self) -> Option<ExecutionModel> {
        ExecutionModel::from_u32(self.model)
    }
}

/// A variable of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Id.
    pub id: u32,
    /// Storage class, as a number.
    pub class: u32,
    /// Type of what it holds; none where its pointer's type is not one.
    pub pointee: Option<u32>,
    /// Index of the word where it stands.
    pub at: usize,
}

impl Variable {
    /// Whether it is of a storage class.
    pub fn is(&self, class: StorageClass) -> bool {
        self.class == class as u32
    }
}

impl<'a> Module<'a> {
    /// Walks the words once and makes the tables.
    pub fn read(words: &'a [u32]) -> Result<Self, Error> {
        let header = header(words)?;
        let mut module = Module {
            words,
            header,
            definitions: vec![0; header.bound as usize],
            decorations: Vec::new(),
            groups: Vec::new(),
            names: Vec::new(),
            constants: BTreeMap::new(),
            entry_points: Vec::new(),
            execution_modes: Vec::new(),
            capabilities: Vec::new(),
            variables: Vec::new(),
            memory_model: None,
        };
        let mut in_function = false;
        for inst in instructions(words) {
            module.take(&inst?, &mut in_function)?;
        }
        if in_function {
            let what = "the last function has no OpFunctionEnd";
            return Err(Error::malformed(ledger::SPIRV_LAYOUT, words.len() * 4, what));
        }
        if module.memory_model.is_none() {
            return Err(Error::malformed(ledger::SPIRV_LAYOUT, words.len() * 4, "there is no OpMemoryModel"));
        }
        module.decorations.sort_unstable();
        module.groups.sort_unstable();
        module.names.sort_unstable();
        Ok(module)
    }

    fn take(&mut self, inst: &Inst<'a>, in_function: &mut bool) -> Result<(), Error> {
        self.define(inst)?;
        match inst.op() {
            Some(Op::Function) => enter(inst, in_function, true),
            Some(Op::FunctionEnd) => enter(inst, in_function, false),
            // Inside functions only definitions matter here; bodies are walked where their use is asked for.
            Some(op) if !*in_function => self.take_global(inst, op),
            _ => Ok(()),
        }
    }

    fn take_global(&mut self, inst: &Inst<'a>, op: Op) -> Result<(), Error> {
        match op {
            Op::Capability => self.capabilities.push(inst.need(1)?),
            Op::MemoryModel => self.memory_model = Some((inst.need(1)?, inst.need(2)?)),
            Op::EntryPoint => self.take_entry_point(inst)?,
            Op::ExecutionMode | Op::ExecutionModeId => {
                inst.need(2)?;
                self.execution_modes.push(*inst);
            }
            Op::Name => self.names.push((inst.need(1)?, WHOLE, position(inst))),
            Op::MemberName => self.names.push((inst.need(1)?, inst.need(2)?, position(inst))),
            Op::Decorate | Op::DecorateId => self.take_decoration(inst, inst.need(1)?, WHOLE, 2)?,
            Op::MemberDecorate => self.take_decoration(inst, inst.need(1)?, inst.need(2)?, 3)?,
            Op::GroupDecorate => {
                let group = inst.need(1)?;
                self.groups.extend(inst.rest(2).iter().map(|target| (*target, WHOLE, group)));
            }
            Op::GroupMemberDecorate => {
                let group = inst.need(1)?;
                let (pairs, _) = inst.rest(2).as_chunks::<2>();
                self.groups.extend(pairs.iter().map(|[target, member]| (*target, *member, group)));
            }
            Op::Constant | Op::SpecConstant => {
                let (ty, id, value) = (inst.need(1)?, inst.need(2)?, inst.need(3)?);
                if self.definition(ty).is_some_and(|ty| ty.op() == Some(Op::TypeInt)) {
                    self.constants.insert(id, value);
                }
            }
            Op::SpecConstantOp => self.take_operation(inst)?,
            Op::Variable | Op::UntypedVariableKHR => self.take_variable(inst, op)?,
            _ => {}
        }
        Ok(())
    }

    /// Notes where the instruction's result is defined.
    fn define(&mut self, inst: &Inst<'_>) -> Result<(), Error> {
        let Some(index) = result_index(inst) else { return Ok(()) };
        let id = inst.need(index)?;
        let bad = |what: &str| Error::malformed(ledger::SPIRV_ID, inst.at.saturating_mul(4), what);
        let slot = self.definitions.get_mut(id as usize).ok_or_else(|| bad("the result's id is past the bound"))?;
        if id == 0 {
            return Err(bad("the result's id is 0"));
        }
        if *slot != 0 {
            return Err(bad("the result's id is defined twice"));
        }
        *slot = position(inst);
        if index == 2 && inst.need(1)? >= self.header.bound {
            return Err(bad("the type's id is past the bound"));
        }
        Ok(())
    }

    fn take_entry_point(&mut self, inst: &Inst<'a>) -> Result<(), Error> {
        let (name, len) = inst.string(3)?;
        self.entry_points.push(EntryPoint {
            model: inst.need(1)?,
            function: inst.need(2)?,
            name,
            interface: inst.rest(3 + len),
            at: inst.at,
        });
        Ok(())
    }

    fn take_decoration(&mut self, inst: &Inst<'_>, target: u32, member: u32, at: usize) -> Result<(), Error> {
        let kind = inst.need(at)?;
        self.decorations.push(Decorated { target, member, kind, value: inst.get(at + 1).unwrap_or(0) });
        Ok(())
    }

    fn take_variable(&mut self, inst: &Inst<'_>, op: Op) -> Result<(), Error> {
        let (ty, id, class) = (inst.need(1)?, inst.need(2)?, inst.need(3)?);
        let pointee = match op {
            Op::UntypedVariableKHR => inst.get(4),
            _ => self.definition(ty).filter(|t| t.op() == Some(Op::TypePointer)).and_then(|t| t.get(3)),
        };
        self.variables.push(Variable { id, class, pointee, at: inst.at });
        Ok(())
    }

    /// Folds an operation on specialisation constants, by their defaults. What it cannot fold has no value.
    fn take_operation(&mut self, inst: &Inst<'_>) -> Result<(), Error> {
        let (id, opcode) = (inst.need(2)?, inst.need(3)?);
        let value = |index: usize| inst.get(index).and_then(|id| self.constants.get(&id).copied());
        let folded = Op::from_u32(opcode).and_then(|op| match op {
            Op::UConvert | Op::SConvert => value(4),
            Op::SNegate => value(4).map(u32::wrapping_neg),
            Op::Not => value(4).map(|a| !a),
            _ => fold_binary(op, value(4)?, value(5)?),
        });
        if let Some(folded) = folded {
            self.constants.insert(id, folded);
        }
        Ok(())
    }

    /// The instruction that defines an id.
    pub fn definition(&self, id: u32) -> Option<Inst<'a>> {
        let at = *self.definitions.get(id as usize)?;
        if at == 0 { None } else { Inst::read(self.words, at as usize) }
    }

    /// Where an id is defined, as an index of a word. Of two types one of which holds the other, the holder is later.
    pub fn defined_at(&self, id: u32) -> Option<usize> {
        self.definitions.get(id as usize).filter(|at| **at != 0).map(|at| *at as usize)
    }

    /// The words of the module.
    pub fn words(&self) -> &'a [u32] {
        self.words
    }

    /// The value of an integer constant.
    pub fn constant(&self, id: u32) -> Option<u32> {
        self.constants.get(&id).copied()
    }

    /// First operand of a decoration of an id (0 where the decoration has none); none where it is not decorated so.
    pub fn decoration(&self, id: u32, kind: Decoration) -> Option<u32> {
        self.find_decoration(id, WHOLE, kind)
    }

    /// Like [`Module::decoration`], of a structure's member.
    pub fn member_decoration(&self, id: u32, member: u32, kind: Decoration) -> Option<u32> {
        self.find_decoration(id, member, kind)
    }

    fn find_decoration(&self, id: u32, member: u32, kind: Decoration) -> Option<u32> {
        if let Some(value) = self.own_decoration(id, member, kind) {
            return Some(value);
        }
        let first = self.groups.partition_point(|(target, m, _)| (*target, *m) < (id, member));
        let groups = self.groups.get(first..).unwrap_or(&[]);
        let groups = groups.iter().take_while(|(target, m, _)| (*target, *m) == (id, member));
        groups.filter_map(|(_, _, group)| self.own_decoration(*group, WHOLE, kind)).next()
    }

    fn own_decoration(&self, target: u32, member: u32, kind: Decoration) -> Option<u32> {
        let key = (target, member, kind as u32);
        let first = self.decorations.partition_point(|d| (d.target, d.member, d.kind) < key);
        self.decorations.get(first).filter(|d| (d.target, d.member, d.kind) == key).map(|d| d.value)
    }

    /// The first id with a decoration of this value.
    pub fn decorated_with(&self, kind: Decoration, value: u32) -> Option<u32> {
        let wanted = |d: &&Decorated| (d.member, d.kind, d.value) == (WHOLE, kind as u32, value);
        self.decorations.iter().find(wanted).map(|d| d.target)
    }

    /// The name of an id; empty where it has none, or one that is not UTF-8.
    pub fn name(&self, id: u32) -> String {
        self.find_name(id, WHOLE, 2)
    }

    /// The name of a structure's member; empty where it has none.
    pub fn member_name(&self, id: u32, member: u32) -> String {
        self.find_name(id, member, 3)
    }

    /// Of several names of one id the first counts.
    fn find_name(&self, id: u32, member: u32, string: usize) -> String {
        let first = self.names.partition_point(|(target, m, _)| (*target, *m) < (id, member));
        let found = self.names.get(first).filter(|(target, m, _)| (*target, *m) == (id, member));
        let inst = found.and_then(|(_, _, at)| Inst::read(self.words, *at as usize));
        inst.and_then(|inst| inst.string(string).ok()).map_or_else(String::new, |(name, _)| name)
    }

    /// Whether the module declares a capability.
    pub fn has_capability(&self, capability: spirv::Capability) -> bool {
        self.capabilities.contains(&(capability as u32))
    }

    /// Addressing and memory model, as numbers.
    pub fn memory_model(&self) -> (u32, u32) {
        self.memory_model.unwrap_or((0, 0))
    }
}

/// Index of the instruction's first word; the header's check keeps it within 32 bits.
fn position(inst: &Inst<'_>) -> u32 {
    u32::try_from(inst.at).unwrap_or(0)
}

fn enter(inst: &Inst<'_>, in_function: &mut bool, begin: bool) -> Result<(), Error> {
    if *in_function == begin {
        let what = if begin { "OpFunction inside a function" } else { "OpFunctionEnd outside a function" };
        return Err(Error::malformed(ledger::SPIRV_LAYOUT, inst.at.saturating_mul(4), what));
    }
    *in_function = begin;
    Ok(())
}

fn fold_binary(op: Op, a: u32, b: u32) -> Option<u32> {
    Some(match op {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b)?,
        Op::UMod => a.checked_rem(b)?,
        Op::SDiv => (a as i32).checked_div(b as i32)? as u32,
        Op::SRem => (a as i32).checked_rem(b as i32)? as u32,
        Op::SMod => {
            let (a, b) = (a as i32, b as i32);
            let rest = a.checked_rem(b)?;
            (if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) } else { rest }) as u32
        }
        Op::ShiftLeftLogical => a.checked_shl(b)?,
        Op::ShiftRightLogical => a.checked_shr(b)?,
        Op::ShiftRightArithmetic => (a as i32).checked_shr(b)? as u32,
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        _ => return None,
    })
}
