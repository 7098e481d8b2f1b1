//! Where a buffer's view begins and ends: lengths and offsets, asked of the buffer or in push constants.
//!
//! Owns the layout of the stage's push constants: one `u32` a descriptor of a storage buffer, in the order of the bindings;
//! lengths in bytes, then offsets in elements; then lengths of constant buffers likewise. Whichever the profile asks for.

use crate::interface::DescriptorType;
use crate::ir::{Flags, Op, Type, ValueId, VarId, VarKind};
use crate::lower::Lower;
use crate::lower::resources::Declared;
use crate::{BufferLengths, BufferOffsets, ConstantLengths, Error, ledger};

/// Bytes past which no buffer of Direct3D has any: 2 GiB.
const MOST_BYTES: u32 = 1 << 31;

/// Bytes that an element of an offset into raw memory counts: `D3D11_RAW_UAV_SRV_BYTE_ALIGNMENT`.
const RAW_UNIT: u32 = 16;

/// What a push constant says of a buffer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Length,
    Offset,
    ConstantLength,
}

impl<'a> Lower<'a> {
    /// Elements of the outer array of a storage buffer's view: records, or elements of raw memory.
    pub(in crate::lower) fn buffer_length(
        &mut self,
        resource: usize,
        descriptor: Option<ValueId>,
        flags: Flags,
    ) -> Result<ValueId, Error> {
        let declared = *self.resources.get(resource);
        if self.options.profile.buffer_lengths == BufferLengths::ArrayLength {
            self.reads_length(resource);
            let indices = descriptor.as_slice();
            let all = self.builder.push_shared(Op::ArrayLength, Type::U32, flags, declared.var.0, indices);
            return Ok(match self.view_offset(resource, descriptor)? {
                None => all,
                // A range that ends before its view begins has nothing.
                Some(offset) => {
                    let end = self.builder.op(Op::UMax, Type::U32, &[all, offset]);
                    self.builder.op(Op::ISub, Type::U32, &[end, offset])
                }
            });
        }
        let VarKind::StorageBuffer { stride, .. } = self.builder.function().var(declared.var).kind else {
            return Err(self.bad_operand("not a storage buffer"));
        };
        let bytes = self.pushed(&declared, descriptor, Said::Length)?;
        if stride.is_power_of_two() {
            return Ok(self.builder.shr_constant(bytes, stride.trailing_zeros()));
        }
        let stride = self.builder.u32(stride);
        Ok(self.builder.op(Op::UDiv, Type::U32, &[bytes, stride]))
    }

    /// Elements of the outer array before the view's first, where views may have any.
    pub(super) fn view_offset(
        &mut self,
        resource: usize,
        descriptor: Option<ValueId>,
    ) -> Result<Option<ValueId>, Error> {
        if self.options.profile.buffer_offsets == BufferOffsets::None {
            return Ok(None);
        }
        let declared = *self.resources.get(resource);
        let VarKind::StorageBuffer { stride, .. } = self.builder.function().var(declared.var).kind else {
            return Err(self.bad_operand("not a storage buffer"));
        };
        let offset = self.pushed(&declared, descriptor, Said::Offset)?;
        // Raw memory's elements are 4, 8 or 16 bytes.
        let unit = if declared.stride == 0 { RAW_UNIT / stride } else { 1 };
        Ok(Some(self.builder.mul_constant(offset, unit)))
    }

    /// Elements of a constant buffer, where they are pushed.
    pub(in crate::lower) fn constant_length(
        &mut self,
        declared: &Declared,
        descriptor: Option<ValueId>,
    ) -> Result<ValueId, Error> {
        let bytes = self.pushed(declared, descriptor, Said::ConstantLength)?;
        Ok(self.builder.shr_constant(bytes, 4))
    }

    /// What the push constants say of a buffer.
    fn pushed(&mut self, declared: &Declared, descriptor: Option<ValueId>, said: Said) -> Result<ValueId, Error> {
        let own = &self.interface.resources[declared.interface];
        let (place, ty) = ((own.set, own.binding), own.ty);
        let (storage, lengths) = (DescriptorType::StorageBuffer, self.pushes(Said::Length));
        let rows = match said {
            Said::Length => 0,
            Said::Offset => u32::from(lengths),
            Said::ConstantLength => u32::from(lengths) + u32::from(self.pushes(Said::Offset)),
        };
        let before = if rows > 0 { self.descriptors(storage, None)?.saturating_mul(rows) } else { 0 };
        let first = before.saturating_add(self.descriptors(ty, Some(place))?);
        let var = self.push_constants()?;
        let first = self.builder.u32(first);
        let index = match descriptor {
            None => first,
            Some(descriptor) => self.builder.add(descriptor, first),
        };
        Ok(self.builder.load_constant(Type::U32, Flags::NONE, var, &[index]))
    }

    /// Whether the profile asks for something in push constants.
    fn pushes(&self, said: Said) -> bool {
        let profile = &self.options.profile;
        match said {
            Said::Length => profile.buffer_lengths == BufferLengths::PushConstants,
            Said::Offset => profile.buffer_offsets == BufferOffsets::PushConstants,
            Said::ConstantLength => profile.constant_lengths == ConstantLengths::PushConstants,
        }
    }

    /// Descriptors of a type, before a binding or all.
    fn descriptors(&self, ty: DescriptorType, before: Option<(u32, u32)>) -> Result<u32, Error> {
        let mut count = 0u32;
        for r in self.interface.resources.iter().filter(|r| r.ty == ty) {
            let Some(own) = r.count else {
                let what = "a range of buffers without an end has no lengths or offsets in push constants";
                return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
            };
            if before.is_none_or(|place| (r.set, r.binding) < place) {
                count = count.saturating_add(own);
            }
        }
        Ok(count)
    }

    /// The stage's push constants, made at the first use.
    fn push_constants(&mut self) -> Result<VarId, Error> {
        if let Some(var) = self.memory.pushed {
            return Ok(var);
        }
        let rows = u32::from(self.pushes(Said::Length)) + u32::from(self.pushes(Said::Offset));
        let storage = if rows > 0 { self.descriptors(DescriptorType::StorageBuffer, None)? } else { 0 };
        let constants = self.pushes(Said::ConstantLength);
        let constants = if constants { self.descriptors(DescriptorType::UniformBuffer, None)? } else { 0 };
        let (offset, len) = (self.options.push_constant_offset, storage.saturating_mul(rows).saturating_add(constants));
        let Some(end) = len.checked_mul(4).and_then(|bytes| bytes.checked_add(offset)) else {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "push constants past 4 GiB"));
        };
        if offset % 4 != 0 {
            let what = format!("push constants from byte {offset} on, which is no multiple of 4");
            return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
        }
        let var = self.builder.var(VarKind::PushConstants { offset, len }, "");
        self.memory.pushed = Some(var);
        self.interface.push_constant_bytes = end;
        Ok(var)
    }

    /// An index whose elements of so many bytes, and `more` behind it, have addresses below 4 GiB: one past the end of
    /// any buffer stays past it. A device multiplies in 32 bits, where it would come round to the buffer's beginning.
    pub(in crate::lower) fn far_index(&mut self, index: ValueId, bytes: u32, more: u32) -> ValueId {
        let bytes = bytes.max(1);
        if let Some(index) = self.builder.as_constant(index) {
            return self.builder.u32(index.min(MOST_BYTES / bytes));
        }
        let shifted = self.options.profile.buffer_offsets == BufferOffsets::PushConstants;
        // What an offset adds is not known, but less than a buffer's size.
        let below = if shifted { MOST_BYTES / bytes } else { u32::MAX / bytes };
        if self.is_below(index, below.saturating_sub(more)) {
            return index;
        }
        self.clamp_index(index, MOST_BYTES / bytes)
    }
}
