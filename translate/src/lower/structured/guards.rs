//! Guards: what is proven to be in range, and code that runs only in range.
//!
//! Proofs look at values alone and at a bounded number of them. A branch ends the open block, so what waits for its
//! end is written first.

use crate::dxbc::program::{Operand, RegisterFile};
use crate::ir::{BlockId, BuiltIn, Kind, LaneRef, Merge, Op, Place, Terminator, Type, ValueId, VarId, VarKind};
use crate::lower::Lower;
use crate::lower::registers::Lanes;
use crate::{Error, ledger};

/// Values deep that a proof looks.
const DEPTH: u32 = 8;

impl<'a> Lower<'a> {
    /// Runs code where a condition is true.
    pub(in crate::lower) fn when(&mut self, condition: Option<ValueId>, body: impl FnOnce(&mut Self)) {
        let Some(condition) = condition else { return body(self) };
        match self.builder.as_constant(condition) {
            Some(0) => {}
            Some(_) => body(self),
            None => {
                let merge = self.begin_guard(condition);
                body(self);
                self.end_guard(merge);
            }
        }
    }

    /// The value of code that runs where a condition is true, else zeros.
    pub(in crate::lower) fn value_when(
        &mut self,
        condition: Option<ValueId>,
        ty: Type,
        body: impl FnOnce(&mut Self) -> ValueId,
    ) -> ValueId {
        let Some(condition) = condition else { return body(self) };
        let zero = self.builder.constant(ty.kind(), 0);
        let zero = self.builder.splat(zero, ty.width());
        match self.builder.as_constant(condition) {
            Some(0) => return zero,
            Some(_) => return body(self),
            None => {}
        }
        self.flush_outputs();
        let before = self.builder.current();
        let merge = self.begin_guard(condition);
        let value = body(self);
        let after = self.builder.current();
        self.end_guard(merge);
        match (before, after) {
            (Some(before), Some(after)) => self.builder.phi(ty, &[(value, after), (zero, before)]),
            _ => zero,
        }
    }

    fn begin_guard(&mut self, condition: ValueId) -> BlockId {
        self.flush_outputs();
        let (then, merge) = (self.builder.new_block(), self.builder.new_block());
        self.builder.end(Merge::Selection(merge), Terminator::Conditional { condition, then, otherwise: merge });
        self.builder.begin(then);
        self.builder.enter_scope();
        merge
    }

    fn end_guard(&mut self, merge: BlockId) {
        self.builder.leave_scope();
        self.builder.branch(merge);
        self.builder.begin(merge);
    }

    /// The status of a load from a raw or structured buffer. SPIR-V has none for buffers: all of it is there.
    pub(in crate::lower) fn buffer_status(&mut self, status: &Operand) -> Result<(), Error> {
        if status.file == RegisterFile::Null {
            return Ok(());
        }
        // Without sparse resources on the device this is the truth.
        if self.options.profile.features.residency {
            self.note(ledger::BUFFER_RESIDENCY);
        }
        let resident = self.builder.bool(true);
        self.write_each(status, &Lanes::new(&[LaneRef::new(resident, 0)]))
    }

    /// Whether a value is proven to be below a limit.
    pub(in crate::lower) fn is_below(&self, value: ValueId, limit: u32) -> bool {
        self.greatest(value, 0, DEPTH) < u64::from(limit)
    }

    /// The greatest number that a component of an integer value can be.
    fn greatest(&self, value: ValueId, component: u8, depth: u32) -> u64 {
        const ANY: u64 = u32::MAX as u64;
        let function = self.builder.function();
        let inst = function.inst(value);
        if inst.op == Op::Const {
            return u64::from(inst.aux);
        }
        let Some(depth) = depth.checked_sub(1) else { return ANY };
        let args = function.args_of(inst);
        let of = |n: usize| args.get(n).map_or(ANY, |&a| self.greatest(ValueId(a), component, depth));
        // The result if it cannot overflow.
        let whole = |n: Option<u64>| n.filter(|&n| n <= ANY).unwrap_or(ANY);
        let ones = |n: u64| n.checked_add(1).map_or(ANY, |n| n.next_power_of_two() - 1);
        match inst.op {
            Op::ConstVector => args.get(usize::from(component)).map_or(ANY, |&a| self.greatest(ValueId(a), 0, depth)),
            Op::Extract => args.first().map_or(ANY, |&a| self.greatest(ValueId(a), inst.aux as u8, depth)),
            Op::Construct if args.len() == usize::from(inst.ty.width()) => {
                args.get(usize::from(component)).map_or(ANY, |&a| self.greatest(ValueId(a), 0, depth))
            }
            Op::Shuffle => self.greatest_shuffled(args, inst.aux >> (4 * component) & 15, depth),
            Op::BitFieldInsert => match (self.constant_component(args, 2, 0), self.constant_component(args, 3, 0)) {
                (Some(offset), Some(width)) => {
                    ones(of(0).max(ones((1 << width.min(32)) - 1) << offset.min(31))).min(ANY)
                }
                _ => ANY,
            },
            Op::Load => self.greatest_input(VarId(inst.aux), component),
            Op::UMin | Op::And => of(0).min(of(1)),
            Op::UMax => of(0).max(of(1)),
            Op::Select => of(1).max(of(2)),
            Op::Or | Op::Xor => ones(of(0).max(of(1))),
            Op::IAdd => whole(of(0).checked_add(of(1))),
            Op::IMul => whole(of(0).checked_mul(of(1))),
            Op::Shl => {
                let by = self.constant_component(args, 1, component).unwrap_or(31) & 31;
                whole(of(0).checked_shl(by))
            }
            Op::ShrLogical => of(0) >> (self.constant_component(args, 1, component).unwrap_or(0) & 31),
            Op::UDiv => of(0) / u64::from(self.constant_component(args, 1, component).unwrap_or(1).max(1)),
            Op::UMod => match self.constant_component(args, 1, component) {
                Some(by) if by > 0 => of(0).min(u64::from(by) - 1),
                _ => of(0),
            },
            Op::BitFieldUExtract => match self.constant_component(args, 2, 0) {
                Some(width) if width < 32 => (1 << width) - 1,
                _ => ANY,
            },
            _ => ANY,
        }
    }

    /// A lane of a shuffle: it counts through the first vector, then the second.
    fn greatest_shuffled(&self, args: &[u32], lane: u32, depth: u32) -> u64 {
        let (Some(&first), Some(&second)) = (args.first(), args.last()) else { return u64::from(u32::MAX) };
        let width = u32::from(self.builder.ty(ValueId(first)).width());
        if lane < width {
            self.greatest(ValueId(first), lane as u8, depth)
        } else {
            self.greatest(ValueId(second), (lane - width) as u8, depth)
        }
    }

    fn constant_component(&self, args: &[u32], n: usize, component: u8) -> Option<u32> {
        let function = self.builder.function();
        let value = ValueId(*args.get(n)?);
        let inst = function.inst(value);
        match inst.op {
            Op::Const => Some(inst.aux),
            Op::ConstVector => {
                let part = *function.args_of(inst).get(usize::from(component))?;
                self.builder.as_constant(ValueId(part))
            }
            _ => None,
        }
    }

    /// Thread numbers are bounded by the group's size.
    fn greatest_input(&self, var: VarId, component: u8) -> u64 {
        let function = self.builder.function();
        let VarKind::Input { place: Place::BuiltIn(built_in), .. } = function.var(var).kind else {
            return u64::from(u32::MAX);
        };
        let sizes = function.modes.workgroup_size.map(u64::from);
        match built_in {
            BuiltIn::LocalInvocationIndex => sizes.iter().product::<u64>().saturating_sub(1),
            BuiltIn::LocalInvocationId => sizes.get(usize::from(component)).map_or(0, |s| s.saturating_sub(1)),
            _ => u64::from(u32::MAX),
        }
    }

    /// A constant as a signed integer of `width` components: offsets of texels.
    pub(in crate::lower) fn signed_vector(&mut self, components: &[i32]) -> ValueId {
        let mut parts = [ValueId(0); 4];
        for (part, &c) in parts.iter_mut().zip(components) {
            *part = self.builder.constant(Kind::S32, c as u32);
        }
        let count = components.len().min(4);
        self.builder.construct(Type::new(Kind::S32, count as u8), &parts[..count])
    }
}
