//! What the writer writes otherwise where the profile names a driver's fault ([`crate::TranslationFixes`]).

use super::{Key, Tag, Writer};
use crate::ir::{Inst, Kind, Op as IrOp, Type};
use spirv::{GlslStd450Op as Glsl, Op};
use std::ops::Range;

/// Values of a switch that lie within so many of each other are left as they are.
pub(crate) const DENSE_ENOUGH: u32 = 256;
/// All bits of a float but its sign, and its sign.
pub(crate) const SIZE_BITS: u32 = 0x7fff_ffff;
pub(crate) const SIGN_BIT: u32 = 0x8000_0000;

impl Writer<'_> {
    /// Writes an instruction in the form that a fix asks for; false: no fix concerns it.
    pub(super) fn fixed(&mut self, inst: &Inst, id: u32) -> bool {
        let fixes = &self.profile.fixes;
        let float = inst.ty.kind() == Kind::F32;
        match inst.op {
            IrOp::NClamp if fixes.split_clamp => self.split_clamp(inst, id),
            IrOp::FAbs if fixes.float_bits && float => self.float_bits(Op::BitwiseAnd, SIZE_BITS, inst, id),
            IrOp::FNegate if fixes.float_bits && float => self.float_bits(Op::BitwiseXor, SIGN_BIT, inst, id),
            _ => return false,
        }
        true
    }

    /// NMin(NMax(x, least), most): what NClamp is defined as.
    fn split_clamp(&mut self, inst: &Inst, id: u32) {
        let &[value, least, most] = self.function.args_of(inst) else { return };
        let (set, ty) = (self.glsl_set(), self.ty(inst.ty));
        let [value, least, most] = [value, least, most].map(|arg| self.value(arg));
        let raised = self.id();
        let result = self.value(id);
        self.sections.code.op(Op::ExtInst, &[ty, raised, set, Glsl::NMax as u32, value, least]);
        self.sections.code.op(Op::ExtInst, &[ty, result, set, Glsl::NMin as u32, raised, most]);
    }

    /// Does something to a float's bits.
    fn float_bits(&mut self, op: Op, mask: u32, inst: &Inst, id: u32) {
        let &[value] = self.function.args_of(inst) else { return };
        let (float, bits) = (self.ty(inst.ty), self.ty(inst.ty.with_kind(Kind::U32)));
        let (value, mask) = (self.value(value), self.splat(mask, inst.ty.width()));
        let [before, after] = [(); 2].map(|()| self.id());
        let result = self.value(id);
        let code = &mut self.sections.code;
        code.op(Op::Bitcast, &[bits, before, value]);
        code.op(op, &[bits, after, before, mask]);
        code.op(Op::Bitcast, &[float, result, after]);
    }

    /// A vector of one unsigned integer.
    fn splat(&mut self, bits: u32, width: u8) -> u32 {
        let scalar = self.u32_constant(bits);
        if width == 1 {
            return scalar;
        }
        self.interned(Key(Tag::Splat, u32::from(width), bits, 0), |w| {
            let ty = w.ty(Type::U32.with_width(width));
            let id = w.id();
            let globals = &mut w.sections.globals;
            let start = globals.begin(Op::ConstantComposite);
            globals.push(ty);
            globals.push(id);
            globals.0.extend(std::iter::repeat_n(scalar, usize::from(width)));
            globals.end(start);
            id
        })
    }

    /// Whether a switch's values lie far apart.
    pub(super) fn is_wide(&self, cases: Range<usize>) -> bool {
        let literals = || self.function.cases.get(cases.clone()).unwrap_or_default().iter().map(|case| case.0);
        let (least, most) = (literals().min().unwrap_or(0), literals().max().unwrap_or(0));
        most - least > DENSE_ENOUGH
    }

    /// The number of the case that a selector chooses, by comparisons; without one, the number past the last.
    pub(super) fn case_number(&mut self, selector: u32, cases: Range<usize>) -> u32 {
        let function = self.function;
        let cases = function.cases.get(cases).unwrap_or_default();
        let (truth, integer) = (self.ty(Type::BOOL), self.ty(Type::U32));
        let mut number = self.u32_constant(cases.len() as u32);
        for (n, &(literal, _)) in (0..).zip(cases) {
            let (literal, own) = (self.u32_constant(literal), self.u32_constant(n));
            let [equal, chosen] = [(); 2].map(|()| self.id());
            self.sections.code.op(Op::IEqual, &[truth, equal, selector, literal]);
            self.sections.code.op(Op::Select, &[integer, chosen, equal, own, number]);
            number = chosen;
        }
        number
    }
}
