//! Constants, made at their first use: one a value, whoever asks.

use super::{Key, Tag, Writer};
use crate::ir::{Inst, Kind, Op as IrOp, Type, ValueId};
use spirv::Op;

impl Writer<'_> {
    /// The constant that an instruction of the form is.
    pub(super) fn constant(&mut self, inst: &Inst) -> u32 {
        let function = self.function;
        let args = function.args_of(inst);
        match inst.op {
            IrOp::Const => self.scalar(inst.ty, inst.aux),
            IrOp::Const64 => self.global(Op::Constant, inst.ty, args),
            IrOp::ConstVector if args.iter().all(|&arg| self.is_zero(arg)) => {
                let ty = self.ty(inst.ty);
                self.null(ty)
            }
            IrOp::ConstVector => {
                let parts = args.iter().map(|&arg| self.value(arg)).collect::<Parts>();
                self.global(Op::ConstantComposite, inst.ty, parts.slice())
            }
            IrOp::Specialization => {
                let id = self.global(Op::SpecConstant, inst.ty, &[inst.aux >> 16]);
                self.decorate(id, spirv::Decoration::SpecId, &[inst.aux & 0xffff]);
                id
            }
            // The other constants are above: what is left is `Undef`.
            _ => self.global(Op::Undef, inst.ty, &[]),
        }
    }

    fn is_zero(&self, value: u32) -> bool {
        let inst = self.function.inst(ValueId(value));
        inst.op == IrOp::Const && inst.aux == 0
    }

    /// A scalar of at most 32 bits.
    pub(super) fn scalar(&mut self, ty: Type, bits: u32) -> u32 {
        self.interned(Key(Tag::Scalar, ty.index() as u32, bits, 0), |w| match (ty.kind(), bits) {
            (Kind::Bool, 0) => w.global(Op::ConstantFalse, ty, &[]),
            (Kind::Bool, _) => w.global(Op::ConstantTrue, ty, &[]),
            _ => w.global(Op::Constant, ty, &[bits]),
        })
    }

    /// An unsigned integer that the writer itself needs.
    pub(super) fn u32_constant(&mut self, value: u32) -> u32 {
        self.scalar(Type::U32, value)
    }

    /// Zeros of a type.
    pub(super) fn null(&mut self, ty: u32) -> u32 {
        self.interned(Key(Tag::Null, ty, 0, 0), |w| {
            let id = w.id();
            w.sections.globals.op(Op::ConstantNull, &[ty, id]);
            id
        })
    }

    /// The array of constants that a table is.
    pub(super) fn table(&mut self, ty: u32, first: u32, len: u32) -> u32 {
        let function = self.function;
        let elements = function.table.get(first as usize..first as usize + len as usize).unwrap_or_default();
        let parts: Vec<u32> = elements.iter().map(|element| self.value(element.0)).collect();
        let id = self.id();
        let globals = &mut self.sections.globals;
        let start = globals.begin(Op::ConstantComposite);
        globals.push(ty);
        globals.push(id);
        globals.0.extend_from_slice(&parts);
        globals.end(start);
        id
    }

    /// A global with a result type.
    fn global(&mut self, op: Op, ty: Type, operands: &[u32]) -> u32 {
        let ty = self.ty(ty);
        let id = self.id();
        let globals = &mut self.sections.globals;
        let start = globals.begin(op);
        globals.push(ty);
        globals.push(id);
        globals.0.extend_from_slice(operands);
        globals.end(start);
        id
    }
}

/// Components of a constant vector.
struct Parts([u32; 4], usize);

impl Parts {
    fn slice(&self) -> &[u32] {
        &self.0[..self.1]
    }
}

impl FromIterator<u32> for Parts {
    fn from_iter<I: IntoIterator<Item = u32>>(parts: I) -> Parts {
        let mut list = Parts([0; 4], 0);
        for part in parts.into_iter().take(4) {
            list.0[list.1] = part;
            list.1 += 1;
        }
        list
    }
}
