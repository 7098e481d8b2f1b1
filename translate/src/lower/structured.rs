//! Raw and structured memory: buffers (views of both kinds) and group shared memory, loads and stores.
//!
//! A buffer's element is as wide as its accesses allow, so that an aligned vector is one load. A structured buffer
//! is an array of records, each an array of elements: record and element are indices, nothing is multiplied.
//!
//! Out of range a load gives 0 and a store does nothing. Buffers leave that to the device or are guarded, by their
//! robustness; what is left to the device has an address that fits 32 bits. Group memory, which no device guards, has one record more than declared: whatever is not proven to be
//! in range is clamped to it, so what is written there is lost, and a load through it gives 0. `Off` trusts it too.
//! A byte offset in a record that leaves the record is undefined in Direct3D; here it never leaves the memory.
//!
//! Must never share a load from memory that can change.

mod extent;
mod guards;
#[cfg(test)]
mod tests;
mod tokens;

pub(super) use tokens::{moved_integer, note_access};

use super::Lower;
use super::memory::Group;
use super::registers::{As, Lanes, mask_lanes};
use super::resources::Declared;
use super::usage::BufferAccess;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand, RegisterFile, ResourceDim};
use crate::interface::ResourceClass;
use crate::ir::{Flags, Kind, LaneRef, Op, Type, ValueId, VarId, VarKind};
use crate::{Error, Robustness};

/// The element that suits a memory's accesses: one integer where atomics work on it, and one component where words are
/// counted. `stride` is a record's bytes, 0 for raw memory.
pub(super) fn choose_element(access: &BufferAccess, stride: u32, atomic: bool, scalar: bool) -> Type {
    let kind = if access.floats > access.ints && !atomic { Kind::F32 } else { Kind::U32 };
    let fits =
        |width: u32| stride.is_multiple_of(4 * width) && (!access.dynamic_offset || access.alignment >= 4 * width);
    let width = match access.widest {
        0 | 1 => 1,
        _ if scalar || atomic => 1,
        _ if fits(4) => 4,
        _ if fits(2) => 2,
        _ => 1,
    };
    Type::new(kind, width)
}

/// Bytes of an element.
fn size(element: Type) -> u32 {
    4 * u32::from(element.width())
}

/// The memory that an operand names.
#[derive(Clone, Copy)]
pub(super) struct Space {
    pub var: VarId,
    pub element: Type,
    /// A record is an array of elements within the outer one.
    nested: bool,
    /// Bytes of a record; 0 is raw memory.
    stride: u32,
    /// Group memory: its records (raw: elements).
    group: Option<u32>,
    /// A buffer: its place among the resources.
    resource: usize,
    pub descriptor: Option<ValueId>,
    pub flags: Flags,
    /// Elements of the outer array before the view's first.
    offset: Option<ValueId>,
    /// Never changes while the shader runs.
    constant: bool,
}

/// Where in the memory an access is.
struct Address {
    record: Option<ValueId>,
    /// Element of the record (of raw memory: of all) and words past it. Constant: all of it in words.
    cell: Option<ValueId>,
    words: u32,
    /// Whether the record is in range, where that is asked.
    inside: Option<ValueId>,
}

/// One 32-bit component of memory.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    outer: ValueId,
    inner: Option<ValueId>,
    component: u8,
    /// Whether it is in range, where that is asked.
    pub inside: Option<ValueId>,
}

impl Cell {
    fn same_element(&self, other: &Cell) -> bool {
        (self.outer, self.inner) == (other.outer, other.inner)
    }
}

impl<'a> Lower<'a> {
    /// Element, inner elements (0 is none) and outer stride of a raw or structured view.
    pub(super) fn buffer_element(&self, d: &Declared) -> (Type, u32, u32) {
        if d.dim == ResourceDim::RawBuffer {
            // The end of raw memory need not be a whole vector: where it matters, words are counted.
            let counted = d.uses.queried || self.options.profile.robustness.storage == Robustness::Explicit;
            let element = choose_element(&d.uses.access, 0, d.uses.atomic, counted);
            return (element, 0, size(element));
        }
        let element = choose_element(&d.uses.access, d.stride, d.uses.atomic, false);
        let cells = d.stride / size(element);
        (element, if cells == 1 { 0 } else { cells }, d.stride)
    }

    /// The memory that an operand names; `structured` is what the instruction takes it to be.
    pub(super) fn space(&mut self, operand: &Operand, structured: bool) -> Result<Space, Error> {
        if operand.file == RegisterFile::ThreadGroupSharedMemory {
            let Group { var, element, stride, count, .. } = self.group_memory(super::number(operand)?)?;
            if structured != (stride != 0) {
                return Err(self.bad_operand("raw and structured access to group memory is mixed"));
            }
            return Ok(Space {
                var,
                element,
                nested: false,
                stride,
                group: Some(count),
                resource: 0,
                descriptor: None,
                flags: Flags::NONE,
                offset: None,
                constant: false,
            });
        }
        let resource = self.resource(operand)?;
        let declared = *self.resources.get(resource);
        let VarKind::StorageBuffer { element, inner, .. } = self.builder.function().var(declared.var).kind else {
            return Err(self.bad_operand("not a raw or structured view"));
        };
        if structured != (declared.dim == ResourceDim::StructuredBuffer) {
            return Err(self.bad_operand("raw and structured access to a view is mixed"));
        }
        let descriptor = self.descriptor_index(resource, operand)?;
        Ok(Space {
            var: declared.var,
            element,
            nested: inner != 0,
            stride: declared.stride,
            group: None,
            resource,
            descriptor,
            offset: self.view_offset(resource, descriptor)?,
            flags: self.access_flags(operand),
            constant: declared.class == ResourceClass::Srv,
        })
    }

    fn storage_robustness(&self) -> Robustness {
        self.options.profile.robustness.storage
    }

    /// Whether accesses are to be guarded here.
    fn guarded(&self, space: &Space) -> bool {
        match self.storage_robustness() {
            Robustness::Off => false,
            Robustness::Device => space.group.is_some(),
            Robustness::Explicit => true,
        }
    }

    /// The address that operands give: record, then a byte offset at a lane of its operand.
    fn address(
        &mut self,
        space: &Space,
        inst: &Instruction,
        record: Option<&Operand>,
        offset: (&Operand, u8),
    ) -> Result<Address, Error> {
        let record = record.map(|r| self.int(r, 1)).transpose()?;
        let bytes = self.int(offset.0, 1 << offset.1)?;
        let width = u32::from(space.element.width());
        let (cell, words) = match self.builder.as_constant(bytes) {
            Some(bytes) => (None, bytes / 4),
            None => {
                let cell = self.builder.shr_constant(bytes, 2 + width.trailing_zeros());
                // A vector element was only chosen where the tokens prove this.
                let past = if width > 1 { tokens::residue(self.program, inst, offset.0, offset.1).value } else { 0 };
                (Some(cell), (past / 4) % width)
            }
        };
        let mut address = Address { record, cell, words, inside: None };
        match record {
            Some(record) if self.guarded(space) => self.guard_record(space, &mut address, record)?,
            Some(record) if self.left_to_the_device(space) => {
                address.record = Some(self.far_index(record, space.stride, 0));
            }
            _ => {}
        }
        Ok(address)
    }

    /// Whether the device keeps accesses inside.
    fn left_to_the_device(&self, space: &Space) -> bool {
        space.group.is_none() && self.storage_robustness() == Robustness::Device
    }

    /// An index of the outer array, from the beginning of what is bound.
    fn in_buffer(&mut self, space: &Space, index: ValueId) -> ValueId {
        match space.offset {
            Some(offset) => self.builder.add(index, offset),
            None => index,
        }
    }

    fn guard_record(&mut self, space: &Space, address: &mut Address, record: ValueId) -> Result<(), Error> {
        let len = match space.group {
            Some(count) if self.is_below(record, count) => return Ok(()),
            Some(count) => {
                address.record = Some(self.clamp_index(record, count));
                self.builder.u32(count)
            }
            None => self.buffer_length(space.resource, space.descriptor, space.flags)?,
        };
        address.inside = Some(self.builder.op(Op::ULess, Type::BOOL, &[record, len]));
        Ok(())
    }

    /// Component `c` from an address on; `None` is known to be out of range.
    fn cell(&mut self, space: &Space, address: &Address, c: u8) -> Result<Option<Cell>, Error> {
        let width = u32::from(space.element.width());
        let word = address.words.saturating_add(u32::from(c));
        let (at, component) = (word / width, (word % width) as u8);
        match address.record {
            Some(record) => Ok(self.record_cell(space, address, record, at, component)),
            None => self.raw_cell(space, address, at, component),
        }
    }

    fn record_cell(
        &mut self,
        space: &Space,
        address: &Address,
        record: ValueId,
        at: u32,
        component: u8,
    ) -> Option<Cell> {
        let cells = space.stride / size(space.element);
        if at >= cells && address.cell.is_none() {
            return None;
        }
        let at = self.builder.u32(at);
        let at = match address.cell {
            None => at,
            Some(cell) => {
                let at = self.builder.add(cell, at);
                if self.guarded(space) && !self.is_below(at, cells) { self.clamp_index(at, cells - 1) } else { at }
            }
        };
        let (outer, inner) = if space.group.is_some() {
            let first = self.builder.mul_constant(record, cells);
            (self.builder.add(first, at), None)
        } else {
            (self.in_buffer(space, record), space.nested.then_some(at))
        };
        Some(Cell { outer, inner, component, inside: address.inside })
    }

    fn raw_cell(&mut self, space: &Space, address: &Address, at: u32, component: u8) -> Result<Option<Cell>, Error> {
        // Past 4 GiB is past the end of any.
        let most = space.group.unwrap_or(u32::MAX / size(space.element));
        if address.cell.is_none() && at >= most {
            return Ok(None);
        }
        let cell = match address.cell {
            Some(cell) if self.left_to_the_device(space) => Some(self.far_index(cell, size(space.element), at)),
            cell => cell,
        };
        let at = self.builder.u32(at);
        let mut outer = match cell {
            None => at,
            Some(cell) => self.builder.add(cell, at),
        };
        let mut inside = None;
        if self.guarded(space) {
            let (index, len) = match space.group {
                Some(len) if self.is_below(outer, len) => {
                    return Ok(Some(Cell { outer, inner: None, component, inside }));
                }
                Some(len) => {
                    let index = outer;
                    outer = self.clamp_index(index, len);
                    (index, self.builder.u32(len))
                }
                None => (outer, self.buffer_length(space.resource, space.descriptor, space.flags)?),
            };
            inside = Some(self.builder.op(Op::ULess, Type::BOOL, &[index, len]));
        }
        if space.group.is_none() {
            outer = self.in_buffer(space, outer);
        }
        Ok(Some(Cell { outer, inner: None, component, inside }))
    }

    /// The one component that an atomic works on.
    pub(super) fn atomic_cell(
        &mut self,
        space: &Space,
        inst: &Instruction,
        structured: bool,
        address: &Operand,
    ) -> Result<Option<Cell>, Error> {
        let at = if structured {
            self.address(space, inst, Some(address), (address, 1))?
        } else {
            self.address(space, inst, None, (address, 0))?
        };
        self.cell(space, &at, 0)
    }

    /// Indices of a component's variable: whole elements, or the component.
    pub(super) fn cell_indices(&mut self, space: &Space, cell: &Cell, whole: bool) -> Indices {
        let mut indices = Indices::default();
        let component = self.builder.u32(u32::from(cell.component));
        let component = (!whole && space.element.width() > 1).then_some(component);
        for index in [space.descriptor, Some(cell.outer), cell.inner, component].into_iter().flatten() {
            indices.push(index);
        }
        indices
    }

    /// `ld_raw`, `ld_structured` and their feedback forms.
    pub(super) fn load_memory(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let structured = matches!(inst.op, Opcode::LdStructured | Opcode::LdStructuredFeedback);
        let feedback = matches!(inst.op, Opcode::LdRawFeedback | Opcode::LdStructuredFeedback);
        let (dst, status, rest) = match operands {
            [dst, status, rest @ ..] if feedback => (dst, Some(status), rest),
            [dst, rest @ ..] => (dst, None, rest),
            _ => return Err(self.bad_operand("operands are missing")),
        };
        let (record, offset, memory) = match rest {
            [record, offset, memory, ..] if structured => (Some(record), offset, memory),
            [offset, memory, ..] if !structured => (None, offset, memory),
            _ => return Err(self.bad_operand("operands are missing")),
        };
        if let Some(status) = status {
            self.buffer_status(status)?;
        }
        if dst.file == RegisterFile::Null {
            return Ok(());
        }
        let space = self.space(memory, structured)?;
        let address = self.address(&space, inst, record, (offset, 0))?;
        let mut cells = [None; 4];
        let mut count = 0;
        for (slot, lane) in cells.iter_mut().zip(mask_lanes(dst.components.mask())) {
            *slot = self.cell(&space, &address, memory.components.source(lane))?;
            count += 1;
        }
        let lanes = self.load_cells(&space, &cells[..count]);
        self.write_each(dst, &lanes)
    }

    /// Loads components, each element once.
    fn load_cells(&mut self, space: &Space, cells: &[Option<Cell>]) -> Lanes {
        let mut lanes = Lanes::none();
        // What is loaded so far: the component's place, whether the whole element, the value.
        let mut loaded: [Option<(Cell, bool, ValueId)>; 4] = [None; 4];
        for (n, cell) in cells.iter().enumerate() {
            let Some(cell) = cell else {
                let zero = self.builder.constant(space.element.kind(), 0);
                lanes.push(LaneRef::new(zero, 0));
                continue;
            };
            let found = loaded
                .iter()
                .flatten()
                .find(|(c, whole, _)| c.same_element(cell) && (*whole || c.component == cell.component));
            let (whole, value) = match found {
                Some(&(_, whole, value)) => (whole, value),
                None => {
                    let other = |c: &&Cell| c.same_element(cell) && c.component != cell.component;
                    let whole = cells[n..].iter().flatten().any(|c| other(&c));
                    let value = self.load_cell(space, cell, whole);
                    if let Some(slot) = loaded.get_mut(n) {
                        *slot = Some((*cell, whole, value));
                    }
                    (whole, value)
                }
            };
            lanes.push(LaneRef::new(value, if whole { cell.component } else { 0 }));
        }
        lanes
    }

    fn load_cell(&mut self, space: &Space, cell: &Cell, whole: bool) -> ValueId {
        let mut safe = *cell;
        if let (Some(inside), None) = (cell.inside, space.group) {
            let zero = self.builder.u32(0);
            safe.outer = self.builder.select(inside, cell.outer, zero);
        }
        let ty = if whole { space.element } else { space.element.with_width(1) };
        let indices = self.cell_indices(space, &safe, whole);
        let value = if space.constant {
            self.builder.load_constant(ty, space.flags, space.var, indices.as_slice())
        } else {
            self.builder.push(Op::Load, ty, space.flags, space.var.0, indices.as_slice())
        };
        self.or_zero(cell.inside, value)
    }

    /// The value where the condition is true (or is none), else zeros.
    pub(super) fn or_zero(&mut self, condition: Option<ValueId>, value: ValueId) -> ValueId {
        let Some(condition) = condition else { return value };
        let ty = self.builder.ty(value);
        let zero = self.builder.constant(ty.kind(), 0);
        let zero = self.builder.splat(zero, ty.width());
        self.builder.select(condition, value, zero)
    }

    /// `store_raw`, `store_structured`.
    pub(super) fn store_memory(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let structured = inst.op == Opcode::StoreStructured;
        let (memory, record, offset, value) = match operands {
            [memory, record, offset, value, ..] if structured => (memory, Some(record), offset, value),
            [memory, offset, value, ..] if !structured => (memory, None, offset, value),
            _ => return Err(self.bad_operand("operands are missing")),
        };
        let space = self.space(memory, structured)?;
        let address = self.address(&space, inst, record, (offset, 0))?;
        let mask = memory.components.mask();
        let lanes = self.stored_lanes(value, mask)?;
        let mut cells = [None; 4];
        let mut count = 0;
        for (slot, component) in cells.iter_mut().zip(mask_lanes(mask)) {
            *slot = self.cell(&space, &address, component)?;
            count += 1;
        }
        self.store_cells(&space, &cells[..count], lanes.as_slice());
        Ok(())
    }

    /// The lanes of a stored value, modifiers applied to its bits.
    pub(super) fn stored_lanes(&mut self, value: &Operand, mask: u8) -> Result<Lanes, Error> {
        if !value.neg && !value.abs {
            return self.lanes_of(value, mask);
        }
        let value = self.source(value, mask, Kind::U32, As::Bits)?;
        let mut lanes = Lanes::none();
        for n in 0..mask.count_ones() as u8 {
            lanes.push(LaneRef::new(value, n));
        }
        Ok(lanes)
    }

    /// Stores components; those that share a guard stand in one branch.
    fn store_cells(&mut self, space: &Space, cells: &[Option<Cell>], lanes: &[LaneRef]) {
        let mut n = 0;
        while n < cells.len() {
            let guard = |c: &Option<Cell>| c.map(|c| if space.group.is_some() { None } else { c.inside });
            let first = guard(&cells[n]);
            let run = cells[n..].iter().take_while(|c| guard(c) == first).count();
            if let Some(inside) = first {
                self.when(inside, |lower| lower.store_run(space, &cells[n..n + run], &lanes[n..n + run]));
            }
            n += run;
        }
    }

    fn store_run(&mut self, space: &Space, cells: &[Option<Cell>], lanes: &[LaneRef]) {
        let width = usize::from(space.element.width());
        let mut n = 0;
        while let Some(Some(cell)) = cells.get(n) {
            let same = |c: &Option<Cell>| c.is_some_and(|c| c.same_element(cell));
            let whole = width > 1 && cells[n..].iter().take(width).filter(|c| same(c)).count() == width;
            let count = if whole { width } else { 1 };
            let value = self.builder.gather(&lanes[n..n + count], space.element.kind());
            let indices = self.cell_indices(space, cell, whole);
            let mut args = [value; 5];
            let used = indices.as_slice().len() + 1;
            args[1..used].copy_from_slice(indices.as_slice());
            self.builder.push(Op::Store, Type::VOID, space.flags, space.var.0, &args[..used]);
            n += count;
        }
    }
}

/// Up to four values: the indices of an access.
#[derive(Clone, Copy)]
pub(super) struct Indices {
    values: [ValueId; 4],
    len: u8,
}

impl Default for Indices {
    fn default() -> Self {
        Indices { values: [ValueId(0); 4], len: 0 }
    }
}

impl Indices {
    pub fn push(&mut self, value: ValueId) {
        if let Some(slot) = self.values.get_mut(usize::from(self.len)) {
            *slot = value;
            self.len += 1;
        }
    }

    pub fn as_slice(&self) -> &[ValueId] {
        &self.values[..usize::from(self.len)]
    }
}
