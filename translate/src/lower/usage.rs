//! What a program does with its registers and resources, found in one walk before lowering: what is only read or only
//! written, what is compared, which components are ever asked for, what is indexed by a register.

use super::classes;
use super::scan::{components_read, for_each_read};
use crate::Error;
use crate::dxbc::opcodes::{Class, Opcode, Role};
use crate::dxbc::program::{Instruction, Operand, Program, RegisterFile};
use crate::ledger;
use std::collections::BTreeMap;

/// What is done with one resource.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResourceUse {
    /// Sampled, fetched, gathered or loaded.
    pub read: bool,
    /// Stored to.
    pub written: bool,
    /// Changed by an atomic.
    pub atomic: bool,
    /// Its counter is used.
    pub counter: bool,
    /// Compared with a reference.
    pub compared: bool,
    /// Asked for its size or properties.
    pub queried: bool,
    /// Components of loaded texels that are used.
    pub texel_components: u8,
    /// Raw and structured views: the accesses, for the choice of an element.
    pub access: BufferAccess,
}

impl ResourceUse {
    /// Whether anything uses it.
    pub fn used(&self) -> bool {
        self.read || self.written || self.atomic || self.counter || self.queried
    }
}

/// How raw or structured memory is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferAccess {
    /// Reads and writes of values that floats are made of or floats use.
    pub floats: u32,
    /// The same of integers.
    pub ints: u32,
    /// Most components that one access takes.
    pub widest: u8,
    /// Largest power of two, up to 16, that divides every constant byte offset in a record; 1 … 3 never occur.
    pub alignment: u32,
    /// Whether a byte offset in a record is computed.
    pub dynamic_offset: bool,
}

impl Default for BufferAccess {
    fn default() -> Self {
        BufferAccess { floats: 0, ints: 0, widest: 0, alignment: 16, dynamic_offset: false }
    }
}

/// An indexable temporary.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IndexableUse {
    /// Elements; 0 is not declared.
    pub len: u32,
    /// Indexed by a register somewhere.
    pub dynamic: bool,
    /// Components read.
    pub read: u8,
    /// Components written.
    pub written: u8,
    /// Votes for float and integer elements.
    pub votes: Votes,
}

/// Votes for the kind of an untyped element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Votes {
    /// Users that take floats.
    pub floats: u32,
    /// Users that take integers.
    pub ints: u32,
}

impl Votes {
    fn count(&mut self, class: Class) {
        match class {
            Class::Float => self.floats += 1,
            Class::Int | Class::Uint | Class::Mask => self.ints += 1,
            _ => {}
        }
    }

    /// Whether an integer element suits best.
    pub fn integer(&self) -> bool {
        self.ints > self.floats
    }
}

/// A constant buffer's use.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstantBufferUse {
    /// Read at all.
    pub used: bool,
    /// An element is chosen by a register.
    pub dynamic: bool,
    /// Votes.
    pub votes: Votes,
}

/// An access to an input, an output or a patch constant whose register another register chooses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    /// The file.
    pub file: RegisterFile,
    /// The register that the choice counts from.
    pub first: u32,
    /// The components.
    pub components: u8,
}

/// The findings.
#[derive(Default)]
pub(super) struct Usage {
    /// Number of temporaries.
    temps: u32,
    /// Indexable temporaries by number.
    pub indexable: Vec<IndexableUse>,
    /// Resources, views, samplers and group memory, by file and id (index 0 of the operand).
    resources: BTreeMap<(RegisterFile, u32), ResourceUse>,
    /// Constant buffers by id.
    pub constant_buffers: BTreeMap<u32, ConstantBufferUse>,
    /// Components read of constant buffer elements with a constant index: by id and element.
    pub elements: BTreeMap<(u32, u32), u8>,
    /// Components of the immediate constant buffer that are read.
    pub table_components: u8,
    /// Votes for its elements.
    pub table_votes: Votes,
    /// Components written of each output register, by register.
    pub outputs: Vec<u8>,
    /// Components read of each input register, by register.
    pub inputs: Vec<u8>,
    /// Components written of each patch constant register, by register.
    pub patch_written: Vec<u8>,
    /// Accesses to inputs, outputs and patch constants whose register another register chooses: they are marked once the
    /// ranges are declared.
    pub chosen: Vec<Chosen>,
    /// Files of registers that are used without an index (`vThreadID`, `oDepth`, …).
    pub files: Vec<RegisterFile>,
}

/// Direct3D's limit on temporaries, and on indexable temporaries' registers together.
const MAX_TEMPS: u32 = 4096;
/// Temporaries that flattening may add: counters and flags of phases and calls.
const MAX_ADDED_TEMPS: u32 = 1 << 16;

impl Usage {
    /// Walks a program.
    pub fn new(program: &Program) -> Result<Usage, Error> {
        let mut usage = Usage::default();
        usage.declarations(program)?;
        for (i, inst) in program.instructions.iter().enumerate() {
            usage.instruction(program, inst).map_err(|e| e.at(i as u32, inst.op.mnemonic(), inst.offset))?;
        }
        Ok(usage)
    }

    /// Number of registers in lanes, and the first one of each indexable temporary that is only indexed by constants.
    pub fn registers(&self) -> (u32, Vec<Option<u32>>) {
        let mut next = self.temps;
        let promoted = self.indexable.iter().map(|x| {
            (x.len > 0 && !x.dynamic).then(|| {
                let first = next;
                next += x.len;
                first
            })
        });
        let promoted = promoted.collect();
        (next, promoted)
    }

    /// What is done with the resource of an operand.
    pub fn resource(&self, file: RegisterFile, id: u32) -> ResourceUse {
        self.resources.get(&(file, id)).copied().unwrap_or_default()
    }

    fn declarations(&mut self, program: &Program) -> Result<(), Error> {
        let mut indexable_total = 0u32;
        for declaration in &program.declarations {
            let extra = program.extra_of(declaration);
            match (declaration.op, extra) {
                (Opcode::DclTemps, [count, ..]) => {
                    self.temps = self.temps.max((*count).min(MAX_TEMPS + MAX_ADDED_TEMPS))
                }
                (Opcode::DclIndexableTemp, [number, len, ..]) => {
                    indexable_total = indexable_total.saturating_add(*len);
                    if *number >= MAX_TEMPS || indexable_total > MAX_TEMPS {
                        return Err(Error::malformed(
                            ledger::LIMIT,
                            declaration.offset as usize,
                            format!("more than {MAX_TEMPS} registers of indexable temporaries"),
                        ));
                    }
                    let number = *number as usize;
                    if self.indexable.len() <= number {
                        self.indexable.resize(number + 1, IndexableUse::default());
                    }
                    self.indexable[number] = IndexableUse { len: *len, ..IndexableUse::default() };
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn instruction(&mut self, program: &Program, inst: &Instruction) -> Result<(), Error> {
        let mut result = Ok(());
        for_each_read(program, inst, |operand, lanes| {
            if result.is_ok() {
                result = self.read(operand, components_read(operand, lanes));
            }
        });
        result?;
        let operands = program.operands_of(inst);
        let shapes = inst.op.info().operands;
        let destinations = classes::destinations(inst.op);
        for (n, operand) in operands.iter().enumerate() {
            let class = shapes.get(n).map_or(Class::None, |s| s.class);
            if n < destinations {
                self.written(operand)?;
            }
            let moved = if class == Class::Bits { self.moved(program, inst, operand, n) } else { None };
            self.vote(operand, moved.unwrap_or(class));
            match shapes.get(n).map(|s| s.role) {
                Some(Role::Src | Role::Dst | Role::Label | Role::Stream | Role::Interface) | None => {}
                Some(_) => self.view(program, inst, operand, n)?,
            }
        }
        Ok(())
    }

    /// A resource operand's use.
    fn view(&mut self, program: &Program, inst: &Instruction, operand: &Operand, n: usize) -> Result<(), Error> {
        // An attribute's register may be chosen, and it is no view.
        if inst.op.info().operands.get(n).is_some_and(|shape| shape.role == Role::Attribute) {
            return Ok(());
        }
        let key = (operand.file, super::number(operand)?);
        let entry = self.resources.entry(key).or_default();
        use crate::dxbc::opcodes::Kind;
        match inst.op.info().kind {
            Kind::Atomic => match inst.op {
                Opcode::ImmAtomicAlloc | Opcode::ImmAtomicConsume => entry.counter = true,
                _ => entry.atomic = true,
            },
            Kind::Memory => match inst.op {
                Opcode::StoreRaw | Opcode::StoreStructured | Opcode::StoreUavTyped => entry.written = true,
                _ => {
                    entry.read = true;
                    let lanes = program.operands_of(inst).first().map_or(0, |dst| dst.components.mask());
                    entry.texel_components |= components_read(operand, lanes);
                }
            },
            _ => match inst.op {
                Opcode::Resinfo | Opcode::Bufinfo | Opcode::SampleInfo | Opcode::SamplePos => entry.queried = true,
                Opcode::Lod => entry.read = true,
                _ => {
                    entry.read = true;
                    let compares = inst.op.info().mnemonic.contains("_c_") || inst.op.info().mnemonic.ends_with("_c");
                    entry.compared |= compares;
                }
            },
        }
        super::structured::note_access(&mut entry.access, program, inst, operand, n);
        Ok(())
    }

    fn read(&mut self, operand: &Operand, components: u8) -> Result<(), Error> {
        match operand.file {
            RegisterFile::Temp => self.check_temp(operand),
            RegisterFile::IndexableTemp => {
                self.indexable(operand)?.read |= components;
                Ok(())
            }
            RegisterFile::ConstantBuffer => self.constant_buffer(operand, components),
            RegisterFile::ImmediateConstantBuffer => {
                self.table_components |= components;
                Ok(())
            }
            RegisterFile::Input | RegisterFile::InputControlPoint => {
                self.attribute(operand, components);
                Ok(())
            }
            file => {
                self.note_file(file);
                Ok(())
            }
        }
    }

    fn written(&mut self, operand: &Operand) -> Result<(), Error> {
        match operand.file {
            RegisterFile::Temp => self.check_temp(operand),
            RegisterFile::IndexableTemp => {
                self.indexable(operand)?.written |= operand.components.mask();
                Ok(())
            }
            RegisterFile::Output | RegisterFile::InputPatchConstant => {
                self.attribute(operand, operand.components.mask());
                Ok(())
            }
            file => {
                self.note_file(file);
                Ok(())
            }
        }
    }

    /// An access to an input, an output or a patch constant.
    fn attribute(&mut self, operand: &Operand, components: u8) {
        let (first, register) = operand.last_index().parts();
        match register {
            None => self.mark(operand.file, first, components),
            Some(_) => self.chosen.push(Chosen { file: operand.file, first, components }),
        }
    }

    /// Marks components of a register as read (inputs) or written (outputs and patch constants).
    pub fn mark(&mut self, file: RegisterFile, register: u32, components: u8) {
        let masks = match file {
            RegisterFile::Output => &mut self.outputs,
            RegisterFile::InputPatchConstant => &mut self.patch_written,
            _ => &mut self.inputs,
        };
        mark(masks, register, components);
    }

    fn note_file(&mut self, file: RegisterFile) {
        if !self.files.contains(&file) {
            self.files.push(file);
        }
    }

    fn check_temp(&self, operand: &Operand) -> Result<(), Error> {
        let register = super::number(operand)?;
        if register < self.temps {
            return Ok(());
        }
        Err(Error::malformed(ledger::BAD_OPERAND, 0, format!("r{register} is outside the {} declared", self.temps)))
    }

    fn indexable(&mut self, operand: &Operand) -> Result<&mut IndexableUse, Error> {
        let (number, index) = (super::number(operand)?, operand.index[1]);
        let declared = self.indexable.get_mut(number as usize).filter(|x| x.len > 0);
        let Some(x) = declared else {
            return Err(Error::malformed(ledger::BAD_OPERAND, 0, format!("x{number} is not declared")));
        };
        // A constant index past the end stays in memory, where the range rule answers it.
        x.dynamic |= index.as_constant().is_none_or(|at| at >= x.len);
        Ok(x)
    }

    fn constant_buffer(&mut self, operand: &Operand, components: u8) -> Result<(), Error> {
        let id = super::number(operand)?;
        let element = operand.index[usize::from(operand.index_count.max(2)) - 1];
        let buffer = self.constant_buffers.entry(id).or_default();
        buffer.used = true;
        match element.as_constant() {
            None => buffer.dynamic = true,
            Some(at) => *self.elements.entry((id, at)).or_default() |= components,
        }
        Ok(())
    }

    /// The class of what a move takes from memory or gives to it, guessed by what is around it.
    fn moved(&self, program: &Program, inst: &Instruction, operand: &Operand, n: usize) -> Option<Class> {
        let untyped = matches!(
            operand.file,
            RegisterFile::ConstantBuffer | RegisterFile::ImmediateConstantBuffer | RegisterFile::IndexableTemp
        );
        if !untyped {
            return None;
        }
        let integer = super::structured::moved_integer(program, inst, n)?;
        Some(if integer { Class::Uint } else { Class::Float })
    }

    fn vote(&mut self, operand: &Operand, class: Class) {
        match (operand.file, operand.number()) {
            (RegisterFile::ConstantBuffer, Some(id)) => {
                self.constant_buffers.entry(id).or_default().votes.count(class);
            }
            (RegisterFile::ImmediateConstantBuffer, _) => self.table_votes.count(class),
            (RegisterFile::IndexableTemp, Some(number)) => {
                if let Some(x) = self.indexable.get_mut(number as usize) {
                    x.votes.count(class);
                }
            }
            _ => {}
        }
    }
}

/// Registers of a signature, at most: what is past it is refused where it is used.
const MAX_SIGNATURE: usize = 64;

fn mark(masks: &mut Vec<u8>, register: u32, components: u8) {
    let register = register as usize;
    if register >= MAX_SIGNATURE {
        return;
    }
    if masks.len() <= register {
        masks.resize(register + 1, 0);
    }
    masks[register] |= components;
}
