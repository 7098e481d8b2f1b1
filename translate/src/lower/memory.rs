//! Memory that only the shader sees: indexable temporaries, the immediate constant buffer, group shared memory's
//! declarations. Dispatches the instructions that load and store.
//!
//! Out of range an indexable temporary and the immediate constant buffer give 0 and drop what is written: a local
//! array has an element of zeros that nothing writes and one that nothing reads, and an index past the end leads
//! there. Only components that are read somewhere are kept.

use super::Lower;
use super::registers::{Lanes, Target, mask_lanes};
use super::structured::choose_element;
use super::usage::{IndexableUse, Votes};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Declaration, Instruction, Operand, RegisterFile};
use crate::dxbc::tokens::custom::{IMMEDIATE_CONSTANTS, SHADER_MESSAGE};
use crate::ir::{Flags, Kind, LaneRef, Op, Type, ValueId, VarId, VarKind};
use crate::{Error, Robustness, ledger};

/// Bytes of group shared memory, at most.
const MAX_GROUP_BYTES: u32 = 32768;

/// The state of this family.
#[derive(Default)]
pub(super) struct Memory {
    /// Arrays of indexable temporaries by number, made at the first use.
    indexable: Vec<Option<Array>>,
    /// Words of the immediate constant buffer: range of the program's plain tokens.
    table: (u32, u32),
    /// Its variable, made at the first dynamic use.
    table_array: Option<Array>,
    groups: Vec<Group>,
    /// Push constants that say where buffers begin and end, made at the first use.
    pub(super) pushed: Option<VarId>,
    /// Positions of samples.
    pub(super) sample_positions: Option<VarId>,
}

/// Group shared memory.
#[derive(Clone, Copy)]
pub(super) struct Group {
    number: u32,
    pub var: VarId,
    pub element: Type,
    /// Bytes of a record; 0 is raw.
    pub stride: u32,
    /// Records, or elements of raw memory.
    pub count: u32,
}

/// An array of registers: some components of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    var: VarId,
    element: Type,
    /// Registers, without the spare ones.
    len: u32,
    /// Components that are kept.
    components: u8,
}

impl Array {
    /// Where a component stands in the element.
    fn place(&self, component: u8) -> Option<u8> {
        let bit = 1u8 << component;
        (self.components & bit != 0).then(|| (self.components & (bit - 1)).count_ones() as u8)
    }
}

/// Without a vote the bits are kept as an integer, which nothing flushes.
fn votes_kind(votes: &Votes) -> Kind {
    if votes.floats > 0 && !votes.integer() { Kind::F32 } else { Kind::U32 }
}

impl<'a> Lower<'a> {
    /// Loads and stores of memory.
    pub(super) fn memory(&mut self, inst: &Instruction, operands: &'a [Operand]) -> Result<(), Error> {
        match inst.op {
            Opcode::LdRaw | Opcode::LdStructured | Opcode::LdRawFeedback | Opcode::LdStructuredFeedback => {
                self.load_memory(inst, operands)
            }
            Opcode::StoreRaw | Opcode::StoreStructured => self.store_memory(inst, operands),
            Opcode::LdUavTyped | Opcode::LdUavTypedFeedback => self.load_typed(inst, operands),
            Opcode::StoreUavTyped => self.store_typed(operands),
            _ => Err(self.other(inst)),
        }
    }

    /// `dcl_indexableTemp`: the pre-pass has read it, and the array is made where it is used.
    pub(super) fn declare_indexable_temp(&mut self, _declaration: &Declaration) -> Result<(), Error> {
        self.memory.indexable.resize(self.usage.indexable.len(), None);
        Ok(())
    }

    /// The immediate constant buffer's words, and the messages of `printf` and `errorf`, which nobody receives; other
    /// custom data has no meaning for the program.
    pub(super) fn declare_custom_data(&mut self, declaration: &Declaration) -> Result<(), Error> {
        match declaration.controls {
            IMMEDIATE_CONSTANTS => self.memory.table = declaration.extra,
            SHADER_MESSAGE => self.note(ledger::DEBUG_AIDS),
            _ => {}
        }
        Ok(())
    }

    /// `dcl_tgsm_raw`, `dcl_tgsm_structured`.
    pub(super) fn declare_group_memory(&mut self, declaration: &Declaration) -> Result<(), Error> {
        let program = self.program;
        let (stride, bytes) = match (declaration.op, program.extra_of(declaration)) {
            (Opcode::DclTgsmRaw, [bytes, ..]) => (0, *bytes),
            (Opcode::DclTgsmStructured, [stride, count, ..]) => (*stride, stride.saturating_mul(*count)),
            _ => return Err(self.bad_operand("group memory without its size")),
        };
        let [operand, ..] = program.operands_of_declaration(declaration) else {
            return Err(self.bad_operand("group memory without its register"));
        };
        let number = super::number(operand)?;
        let structured = declaration.op == Opcode::DclTgsmStructured;
        if bytes == 0 || bytes > MAX_GROUP_BYTES || bytes % 4 != 0 || stride % 4 != 0 || structured != (stride > 0) {
            let what = format!("{bytes} bytes of group memory (4 to {MAX_GROUP_BYTES}, in fours)");
            return Err(Error::malformed(ledger::LIMIT, declaration.offset as usize, what));
        }
        if self.memory.groups.iter().any(|g| g.number == number) {
            return Err(self.bad_operand("group memory is declared twice"));
        }
        let uses = self.usage.resource(RegisterFile::ThreadGroupSharedMemory, number);
        // Raw memory need not be whole vectors; then words are counted.
        let element = choose_element(&uses.access, stride, uses.atomic, bytes % 16 != 0);
        let size = 4 * u32::from(element.width());
        let record = if structured { stride } else { size };
        let count = bytes / record;
        let spare = if self.options.profile.robustness.storage == Robustness::Off { 0 } else { record / size };
        let var = self.builder.var(VarKind::Workgroup { element, len: bytes / size + spare }, "");
        self.memory.groups.push(Group { number, var, element, stride, count });
        Ok(())
    }

    /// Declared group memory.
    pub(super) fn group_memory(&self, number: u32) -> Result<Group, Error> {
        let found = self.memory.groups.iter().find(|g| g.number == number);
        found.copied().ok_or_else(|| self.bad_operand(format!("g{number} is not declared")))
    }

    /// The array of an indexable temporary; `None` where nothing that is written is ever read.
    fn indexable_array(&mut self, operand: &Operand) -> Option<Array> {
        let number = operand.number()? as usize;
        let IndexableUse { len, read, written, votes, .. } = *self.usage.indexable.get(number)?;
        let components = read & written;
        if components == 0 {
            return None;
        }
        if let Some(&Some(array)) = self.memory.indexable.get(number) {
            return Some(array);
        }
        let element = Type::new(votes_kind(&votes), components.count_ones() as u8);
        let var = self.builder.var(VarKind::Local { element, len: len + 2 }, "");
        let array = Array { var, element, len, components };
        if let Some(slot) = self.memory.indexable.get_mut(number) {
            *slot = Some(array);
        }
        Some(array)
    }

    /// Lanes of an indexable temporary.
    pub(super) fn load_indexable(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let Some(array) = self.indexable_array(operand) else { return Ok(self.zeros(mask)) };
        let index = self.index(&operand.index[1])?;
        if self.builder.as_constant(index).is_some_and(|at| at >= array.len) {
            return Ok(self.zeros(mask));
        }
        let index = self.index_or_zeros(index, array.len);
        Ok(self.load_element(&array, index, operand, mask, false))
    }

    fn zeros(&mut self, mask: u8) -> Lanes {
        let zero = self.builder.constant(Kind::F32, 0);
        Lanes::new(&[LaneRef::new(zero, 0); 4][..mask.count_ones() as usize])
    }

    /// The index, or past the end that of the element of zeros.
    fn index_or_zeros(&mut self, index: ValueId, len: u32) -> ValueId {
        if self.is_below(index, len) { index } else { self.clamp_index(index, len) }
    }

    /// Components of an element: one alone, several as the whole element.
    fn load_element(&mut self, array: &Array, index: ValueId, operand: &Operand, mask: u8, constant: bool) -> Lanes {
        let wanted = mask_lanes(mask).fold(0, |m, lane| m | 1u8 << operand.components.source(lane)) & array.components;
        let mut indices = [index; 2];
        let mut count = 1;
        let single = wanted.count_ones() == 1 && array.element.width() > 1;
        if single {
            let place = array.place(wanted.trailing_zeros() as u8).unwrap_or(0);
            indices[1] = self.builder.u32(u32::from(place));
            count = 2;
        }
        let ty = if single { array.element.with_width(1) } else { array.element };
        let zero = self.builder.constant(array.element.kind(), 0);
        let value = match wanted {
            0 => zero,
            _ if constant => self.builder.load_constant(ty, Flags::NONE, array.var, &indices[..count]),
            _ => self.builder.push(Op::Load, ty, Flags::NONE, array.var.0, &indices[..count]),
        };
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            lanes.push(match array.place(operand.components.source(lane)) {
                None => LaneRef::new(zero, 0),
                Some(place) => LaneRef::new(value, if ty.width() == 1 { 0 } else { place }),
            });
        }
        lanes
    }

    /// The element of an indexable temporary that a destination names; `None` where what is written there is lost.
    pub(super) fn indexable_target(&mut self, dst: &Operand) -> Result<Option<Target>, Error> {
        let Some(array) = self.indexable_array(dst) else { return Ok(None) };
        let mut index = self.index(&dst.index[1])?;
        if self.builder.as_constant(index).is_some_and(|at| at >= array.len) {
            return Ok(None);
        }
        if !self.is_below(index, array.len) {
            let (len, lost) = (self.builder.u32(array.len), self.builder.u32(array.len + 1));
            let inside = self.builder.op(Op::ULess, Type::BOOL, &[index, len]);
            index = self.builder.select(inside, index, lost);
        }
        Ok(Some(Target::Indexable(array, index)))
    }

    /// Writes lanes to an element of an indexable temporary.
    pub(super) fn store_indexable(&mut self, array: &Array, index: ValueId, mask: u8, lanes: &Lanes) {
        let mut kept = Lanes::none();
        let mut places = [0u8; 4];
        for (component, &lane) in mask_lanes(mask).zip(lanes.as_slice()) {
            if let Some(place) = array.place(component) {
                places[kept.as_slice().len()] = place;
                kept.push(lane);
            }
        }
        let kept = kept.as_slice();
        let kind = array.element.kind();
        if kept.len() == usize::from(array.element.width()) {
            let value = self.builder.gather(kept, kind);
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, array.var.0, &[value, index]);
            return;
        }
        for (lane, place) in kept.iter().zip(places) {
            let value = self.builder.gather(&[*lane], kind);
            let place = self.builder.u32(u32::from(place));
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, array.var.0, &[value, index, place]);
        }
    }

    /// Lanes of the immediate constant buffer.
    pub(super) fn immediate_constant_buffer(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let words = self.program.extra.get(self.memory.table.0 as usize..self.memory.table.1 as usize);
        let words = words.unwrap_or_default();
        let len = words.len() as u32 / 4;
        let index = self.index(&operand.index[0])?;
        if let Some(at) = self.builder.as_constant(index) {
            let mut lanes = Lanes::none();
            for lane in mask_lanes(mask) {
                let word = (at as usize).saturating_mul(4).saturating_add(operand.components.source(lane).into());
                let bits = words.get(word).copied().unwrap_or(0);
                lanes.push(LaneRef::new(self.builder.constant(Kind::F32, bits), 0));
            }
            return Ok(lanes);
        }
        if len == 0 {
            return Ok(self.zeros(mask));
        }
        let array = match self.memory.table_array {
            Some(array) => array,
            None => self.make_table(words),
        };
        let index = self.index_or_zeros(index, len);
        Ok(self.load_element(&array, index, operand, mask, true))
    }

    /// The table's variable: its read components, and an element of zeros after the last.
    fn make_table(&mut self, words: &[u32]) -> Array {
        let components = if self.usage.table_components == 0 { 15 } else { self.usage.table_components };
        let kind = votes_kind(&self.usage.table_votes);
        let element = Type::new(kind, components.count_ones() as u8);
        let mut constants = Vec::with_capacity(words.len() / 4 + 1);
        for row in words.chunks_exact(4).chain([[0u32; 4].as_slice()]) {
            let mut parts = [ValueId(0); 4];
            let mut count = 0;
            for component in mask_lanes(components) {
                parts[count] = self.builder.constant(kind, row[usize::from(component)]);
                count += 1;
            }
            constants.push(self.builder.construct(element, &parts[..count]));
        }
        let first = self.builder.table(&constants);
        let var = self.builder.var(VarKind::Table { element, len: constants.len() as u32, first }, "");
        let array = Array { var, element, len: words.len() as u32 / 4, components };
        self.memory.table_array = Some(array);
        array
    }
}
