//! Instructions that read, write or query resources and group shared memory.
//!
//! Owns which view an operand names and what each instruction does with it; `words`, `texels`, `atomic` and `info` hold
//! one family each. Must never write a register.

mod atomic;
mod format;
mod info;
mod texels;
mod words;

pub(crate) use texels::format_of_words;

use crate::declared::{Declared, Layout, Range, SharedBlock, class_of};
use crate::run::{Current, Results, Run};
use crate::thread::{Lanes, Thread};
use crate::{Class, Error, Place, Slot, View};
use rx_translate::dxbc::opcodes::{Opcode, Role};
use rx_translate::dxbc::program::{Operand, RegisterFile};
use std::collections::BTreeMap;

/// The status of an access whose memory is mapped. Only `check_access_fully_mapped` can tell what a status means.
const MAPPED: Lanes = [1; 4];

/// Group shared memory of one thread group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    blocks: BTreeMap<u32, Vec<u8>>,
}

impl Shared {
    /// Returns memory for the declared blocks, filled with zeros.
    pub fn new(declared: &Declared) -> Shared {
        let blocks = declared.shared.iter().map(|(register, block)| (*register, vec![0; block.size as usize]));
        Shared { blocks: blocks.collect() }
    }
}

/// What a memory operand names.
#[derive(Clone, Copy, Debug)]
enum Memory {
    /// A view. `slot` is `None` for an index outside the declared range: such a register is unbound.
    View { class: Class, slot: Option<Slot>, layout: Layout },
    /// Group shared memory.
    Shared { register: u32, block: SharedBlock },
}

impl Memory {
    fn layout(self) -> Layout {
        match self {
            Memory::View { layout, .. } => layout,
            Memory::Shared { block, .. } => block.layout,
        }
    }

    /// Returns where a write to `offset` goes.
    fn place(self, offset: u32) -> Place {
        match self {
            Memory::View { class, slot: Some(slot), .. } => Place::View { class, slot, offset },
            Memory::View { .. } => Place::Dropped,
            Memory::Shared { register, .. } => Place::Shared { register, offset },
        }
    }
}

impl Run<'_> {
    /// Executes a texture, memory or atomic instruction. Returns what its destinations get, if it has any.
    pub fn memory(&mut self, thread: &Thread, current: &Current<'_>) -> Result<Option<Results>, Error> {
        // Helper pixels and discarded pixels write nothing (22.5.1).
        let effects = !thread.outputs.discarded;
        let results = match current.instruction.op {
            Opcode::LdRaw | Opcode::LdStructured | Opcode::LdRawFeedback | Opcode::LdStructuredFeedback => {
                [self.load_words(thread, current)?, MAPPED]
            }
            Opcode::Ld
            | Opcode::LdMs
            | Opcode::LdUavTyped
            | Opcode::LdFeedback
            | Opcode::LdMsFeedback
            | Opcode::LdUavTypedFeedback => [self.load_texel(thread, current)?, MAPPED],
            Opcode::Bufinfo => [self.buffer_info(thread, current)?, [0; 4]],
            Opcode::Resinfo => [self.resource_info(thread, current)?, [0; 4]],
            Opcode::SampleInfo => [self.sample_info(thread, current)?, [0; 4]],
            Opcode::SamplePos => [self.sample_position(thread, current)?, [0; 4]],
            Opcode::StoreRaw | Opcode::StoreStructured | Opcode::StoreUavTyped if !effects => return Ok(None),
            Opcode::StoreRaw | Opcode::StoreStructured => {
                self.store_words(thread, current)?;
                return Ok(None);
            }
            Opcode::StoreUavTyped => {
                self.store_texel(thread, current)?;
                return Ok(None);
            }
            Opcode::ImmAtomicAlloc | Opcode::ImmAtomicConsume => [self.count(thread, current, effects)?, [0; 4]],
            op if op.info().kind == rx_translate::dxbc::opcodes::Kind::Atomic => {
                let old = self.atomic(thread, current, effects)?;
                return Ok((op.info().destinations() == 1).then_some([[old; 4], [0; 4]]));
            }
            _ => self.sample(thread, current)?,
        };
        Ok(Some(results))
    }

    /// Instructions with a sampler: an unbound resource gives zero, a bound one would have to be filtered.
    fn sample(&self, thread: &Thread, current: &Current<'_>) -> Result<Results, Error> {
        match self.memory_operand(thread, current)? {
            Memory::View { class, slot, .. } if self.view(class, slot).is_none() => Ok([[0; 4], MAPPED]),
            _ => Err(current.unsupported("it needs a sampler")),
        }
    }

    /// Returns the resource or memory that an instruction uses.
    fn memory_operand(&self, thread: &Thread, current: &Current<'_>) -> Result<Memory, Error> {
        self.resolve(thread, memory_role(current)?).map_err(|why| current.invalid(why))
    }

    fn resolve(&self, thread: &Thread, operand: &Operand) -> Result<Memory, String> {
        let first = self.index(thread, operand.index[0])?;
        if operand.file == RegisterFile::ThreadGroupSharedMemory {
            let block = self.declared.shared.get(&first).ok_or_else(|| format!("g{first} is not declared"))?;
            return Ok(Memory::Shared { register: first, block: *block });
        }
        let class = class_of(operand.file).ok_or_else(|| format!("{:?} is no resource", operand.file))?;
        let (range, register) = self.range(thread, operand, class, first)?;
        Ok(Memory::View { class, slot: range.slot(register), layout: range.layout })
    }

    /// Returns the declared range and the register of a resource operand.
    fn range(&self, thread: &Thread, operand: &Operand, class: Class, first: u32) -> Result<(&Range, u32), String> {
        let range = self.declared.ranges.get(&(class, first));
        let range = range.ok_or_else(|| format!("register {first} of {class:?} is not declared"))?;
        // Shader model 5.1 names the range first and then the register.
        let register = if self.program.model == (5, 1) { self.index(thread, operand.index[1])? } else { first };
        Ok((range, register))
    }

    /// Returns a vector of a constant buffer: zero outside the buffer and for an unbound one (7.5).
    pub fn constant(&self, thread: &Thread, operand: &Operand) -> Result<Lanes, String> {
        let first = self.index(thread, operand.index[0])?;
        let (slot, element) = if self.program.model == (5, 1) {
            let (range, register) = self.range(thread, operand, Class::ConstantBuffer, first)?;
            (range.slot(register), self.index(thread, operand.index[2])?)
        } else {
            (Some(Slot::from(first)), self.index(thread, operand.index[1])?)
        };
        let bytes = slot.and_then(|slot| self.resources.constant_buffers.get(&slot));
        let bytes = bytes.map_or(&[][..], Vec::as_slice);
        Ok([0, 1, 2, 3].map(|lane| load(bytes, u64::from(element) * 16 + lane * 4).unwrap_or(0)))
    }

    fn view(&self, class: Class, slot: Option<Slot>) -> Option<&View> {
        let views = match class {
            Class::ShaderResource => &self.resources.shader_resources,
            Class::UnorderedAccess => &self.resources.unordered_access,
            Class::ConstantBuffer => return None,
        };
        views.get(&slot?)
    }

    fn view_mut(&mut self, class: Class, slot: Option<Slot>) -> Option<&mut View> {
        let views = match class {
            Class::ShaderResource => &mut self.resources.shader_resources,
            Class::UnorderedAccess => &mut self.resources.unordered_access,
            Class::ConstantBuffer => return None,
        };
        views.get_mut(&slot?)
    }
}

/// Returns the operand that names the resource or memory of an instruction.
fn memory_role<'a>(current: &'a Current<'_>) -> Result<&'a Operand, Error> {
    current.operand(|role| {
        matches!(
            role,
            Role::Resource
                | Role::ResourceOrUav
                | Role::ResourceOrRasterizer
                | Role::Uav
                | Role::UavOrShared
                | Role::AnyMemory
        )
    })
}

/// Applies the swizzle of a resource operand to the four components that were read.
fn swizzle(operand: &Operand, value: Lanes) -> Lanes {
    [0, 1, 2, 3].map(|lane| value[usize::from(operand.components.source(lane) & 3)])
}

/// Returns the word at a byte offset, or `None` if it is not whole inside.
fn load(bytes: &[u8], offset: u64) -> Option<u32> {
    let start = usize::try_from(offset).ok()?;
    let word = bytes.get(start..start.checked_add(4)?)?;
    word.try_into().ok().map(u32::from_le_bytes)
}

/// Writes the word at a byte offset. Returns false if it is not whole inside.
fn store(bytes: &mut [u8], offset: u64, value: u32) -> bool {
    let start = usize::try_from(offset).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(4)?));
    match range.and_then(|range| bytes.get_mut(range)) {
        Some(word) => {
            word.copy_from_slice(&value.to_le_bytes());
            true
        }
        None => false,
    }
}
