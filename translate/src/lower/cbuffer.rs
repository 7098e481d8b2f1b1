//! Constant buffers: elements of four components in a uniform block.
//!
//! An element of which the whole shader reads one component is read as that component; every other as a whole vector,
//! once, and shared.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use super::scan::components_read;
use crate::dxbc::program::Operand;
use crate::ir::{Flags, LaneRef, Op, Type, ValueId, VarKind};
use crate::{Error, Robustness};

impl<'a> Lower<'a> {
    /// Lanes of a constant buffer operand.
    pub(super) fn constant_buffer(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let resource = self.resource(operand)?;
        let declared = *self.resources.get(resource);
        let VarKind::UniformBuffer { element, len, .. } = self.builder.function().var(declared.var).kind else {
            return Err(self.bad_operand("not a constant buffer"));
        };
        let descriptor = self.descriptor_index(resource, operand)?;
        let at = operand.index[usize::from(operand.index_count.max(2)) - 1];
        let read = match at.relative {
            Some(_) => components_read(operand, mask),
            None => self.usage.elements.get(&(declared.id, at.offset)).copied().unwrap_or(15),
        };
        let zero = |b: &mut crate::ir::Builder| LaneRef::new(b.constant(element.kind(), 0), 0);
        if at.relative.is_none() && at.offset >= len {
            let zero = zero(&mut self.builder);
            return Ok(Lanes::new(&[zero; 4][..mask.count_ones() as usize]));
        }
        let index = self.index(&at)?;
        let guarded = at.relative.is_some() && self.options.profile.robustness.uniform == Robustness::Explicit;
        let safe = match self.options.profile.robustness.uniform {
            _ if at.relative.is_none() => index,
            Robustness::Explicit => self.clamp_index(index, len - 1),
            Robustness::Device => self.far_index(index, 16, 0),
            Robustness::Off => index,
        };
        let flags = self.access_flags(operand);
        let mut indices = [index; 3];
        let mut count = 0;
        for value in descriptor.into_iter().chain([safe]) {
            indices[count] = value;
            count += 1;
        }
        let single = read.count_ones() == 1;
        let ty = if single { element.with_width(1) } else { element };
        if single {
            indices[count] = self.builder.u32(read.trailing_zeros());
            count += 1;
        }
        let mut value = self.builder.load_constant(ty, flags, declared.var, &indices[..count]);
        if guarded {
            value = self.zero_outside(value, index, len);
        }
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let component = if single { 0 } else { operand.components.source(lane) };
            lanes.push(LaneRef::new(value, component));
        }
        Ok(lanes)
    }

    /// min(index, last).
    pub(super) fn clamp_index(&mut self, index: ValueId, last: u32) -> ValueId {
        let last = self.builder.u32(last);
        self.builder.op(Op::UMin, Type::U32, &[index, last])
    }

    /// The value where index < len, else zeros.
    pub(super) fn zero_outside(&mut self, value: ValueId, index: ValueId, len: u32) -> ValueId {
        let len = self.builder.u32(len);
        let inside = self.builder.push(Op::ULess, Type::BOOL, Flags::NONE, 0, &[index, len]);
        let ty = self.builder.ty(value);
        let zero = self.builder.constant(ty.kind(), 0);
        let zero = self.builder.splat(zero, ty.width());
        let inside = if ty.width() > 1 {
            self.builder.construct(Type::BOOL.with_width(ty.width()), &[inside; 4][..usize::from(ty.width())])
        } else {
            inside
        };
        self.builder.select(inside, value, zero)
    }
}
