//! Constant buffers: elements of four components in a uniform block.
//!
//! An element of which the whole shader reads one component is read as that component; every other as a whole vector,
//! once, and shared.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use super::scan::components_read;
use crate::dxbc::program::Operand;
use crate::ir::{Flags, LaneRef, Op, Type, ValueId, VarKind};
use crate::{ConstantLengths, Error, Robustness};

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
        let constant = at.as_constant();
        let read = match constant {
            None => components_read(operand, mask),
            Some(at) => self.usage.elements.get(&(declared.id, at)).copied().unwrap_or(15),
        };
        let zero = |b: &mut crate::ir::Builder| LaneRef::new(b.constant(element.kind(), 0), 0);
        if constant.is_some_and(|at| at >= len) {
            let zero = zero(&mut self.builder);
            return Ok(Lanes::new(&[zero; 4][..mask.count_ones() as usize]));
        }
        let index = self.index(&at)?;
        let explicit = self.options.profile.robustness.uniform == Robustness::Explicit;
        let pushed = explicit && self.options.profile.constant_lengths == ConstantLengths::PushConstants;
        let limit = match (explicit, constant) {
            (true, _) if pushed => Some(self.constant_length(&declared, descriptor)?),
            (true, None) => Some(self.builder.u32(len)),
            _ => None,
        };
        let safe = match limit {
            // The block has so many elements, whatever is bound; where the index is past it element 0 is read.
            Some(limit) if pushed => {
                let inside = self.builder.op(Op::ULess, Type::BOOL, &[index, limit]);
                let zero = self.builder.u32(0);
                let index = self.builder.select(inside, index, zero);
                if self.is_below(index, len) { index } else { self.clamp_index(index, len - 1) }
            }
            Some(_) => self.clamp_index(index, len - 1),
            None if constant.is_none() && !explicit => self.far_constant(index),
            None => index,
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
        if let Some(limit) = limit {
            value = self.zero_outside(value, index, limit);
            if pushed && constant.is_none() {
                let len = self.builder.u32(len);
                value = self.zero_outside(value, index, len);
            }
        }
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let component = if single { 0 } else { operand.components.source(lane) };
            lanes.push(LaneRef::new(value, component));
        }
        Ok(lanes)
    }

    /// An index that is left to the device, where it is.
    fn far_constant(&mut self, index: ValueId) -> ValueId {
        match self.options.profile.robustness.uniform {
            Robustness::Device => self.far_index(index, 16, 0),
            _ => index,
        }
    }

    /// min(index, last).
    pub(super) fn clamp_index(&mut self, index: ValueId, last: u32) -> ValueId {
        let last = self.builder.u32(last);
        self.builder.op(Op::UMin, Type::U32, &[index, last])
    }

    /// The value where index < len, else zeros.
    pub(super) fn zero_outside(&mut self, value: ValueId, index: ValueId, len: ValueId) -> ValueId {
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
