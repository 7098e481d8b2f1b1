//! Loads, stores, handles, lengths, atomics and barriers.

use super::Writer;
use crate::ir::{BuiltIn, Count, Flags, Inst, Kind, Op as IrOp, Place, Type, ValueId, VarId, VarKind, sync};
use spirv::{MemoryAccess, MemorySemantics, Op, Scope, StorageClass};

impl Writer<'_> {
    pub(super) fn load(&mut self, inst: &Inst, id: u32) {
        let function = self.function;
        let var = VarId(inst.aux);
        let ty = self.ty(inst.ty);
        let pointer = self.pointer(var, function.args_of(inst), ty, inst.flags);
        let result = self.value(id);
        let code = &mut self.sections.code;
        // A demotion changes it in the middle of the shader, so SPIR-V 1.6 wants its loads volatile.
        match function.var(var).kind {
            VarKind::Input { place: Place::BuiltIn(BuiltIn::HelperInvocation), .. } if self.version >= (1, 6) => {
                code.op(Op::Load, &[ty, result, pointer, MemoryAccess::VOLATILE.bits()]);
            }
            _ => code.op(Op::Load, &[ty, result, pointer]),
        }
    }

    pub(super) fn store(&mut self, inst: &Inst) {
        let function = self.function;
        let Some((&value, indices)) = function.args_of(inst).split_first() else { return };
        let ty = self.ty(self.type_of(value));
        let pointer = self.pointer(VarId(inst.aux), indices, ty, inst.flags);
        let value = self.value(value);
        self.sections.code.op(Op::Store, &[pointer, value]);
    }

    pub(super) fn array_length(&mut self, inst: &Inst, id: u32) {
        let function = self.function;
        let var = VarId(inst.aux);
        let VarKind::StorageBuffer { element, inner, stride, .. } = function.var(var).kind else { return };
        let block = self.storage_block(element, inner, stride);
        let pointer = self.pointer(var, function.args_of(inst), block, inst.flags);
        let ty = self.ty(inst.ty);
        let result = self.value(id);
        self.sections.code.op(Op::ArrayLength, &[ty, result, pointer, 0]);
    }

    /// Loads an image or a sampler.
    pub(super) fn handle(&mut self, inst: &Inst, id: u32) {
        let function = self.function;
        let var = VarId(inst.aux);
        let ty = match function.var(var).kind {
            VarKind::Image { ty, .. } => self.image_type(ty),
            _ => self.ty(Type::new(Kind::Sampler, 1)),
        };
        let indices = function.args_of(inst);
        let pointer = self.pointer(var, indices, ty, inst.flags);
        let result = self.value(id);
        self.sections.code.op(Op::Load, &[ty, result, pointer]);
        if self.is_non_uniform(inst.flags, indices.first()) {
            self.decorate_non_uniform(result);
        }
    }

    pub(super) fn atomic(&mut self, op: Op, inst: &Inst, id: u32) {
        let function = self.function;
        let operands = if inst.op == IrOp::AtomicCompareExchange { 2 } else { 1 };
        let Some((operands, indices)) = function.args_of(inst).split_at_checked(operands) else { return };
        let var = VarId(inst.aux);
        let kind = memory_kind(&function.var(var).kind);
        let ty = self.ty(Type::new(kind, 1));
        let pointer = match function.var(var).kind {
            VarKind::Image { .. } => self.texel_pointer(var, indices, ty, inst.flags),
            _ => self.pointer(var, indices, ty, inst.flags),
        };
        let scope = match function.var(var).kind {
            VarKind::Workgroup { .. } => Scope::Workgroup,
            _ => Scope::Device,
        };
        let scope = self.u32_constant(scope as u32);
        let relaxed = self.u32_constant(MemorySemantics::RELAXED.bits());
        let mut words = [0u32; 8];
        words[2..5].copy_from_slice(&[pointer, scope, relaxed]);
        let mut len = 5;
        if operands.len() == 2 {
            words[len] = relaxed;
            len += 1;
        }
        for &operand in operands {
            words[len] = self.as_kind(operand, kind);
            len += 1;
        }
        let same = inst.ty.kind() == kind || inst.ty == Type::VOID;
        words[0] = ty;
        words[1] = if same { self.value(id) } else { self.id() };
        self.sections.code.op(op, &words[..len]);
        if !same {
            let (ty, result) = (self.ty(inst.ty), self.value(id));
            self.sections.code.op(Op::Bitcast, &[ty, result, words[1]]);
        }
    }

    /// A scalar as another kind of the same size.
    fn as_kind(&mut self, value: u32, kind: Kind) -> u32 {
        let inst = *self.function.inst(ValueId(value));
        let to = Type::new(kind, 1);
        if inst.ty.kind() == kind {
            return self.value(value);
        }
        if inst.op == IrOp::Const {
            return self.scalar(to, inst.aux);
        }
        let (ty, value) = (self.ty(to), self.value(value));
        let id = self.id();
        self.sections.code.op(Op::Bitcast, &[ty, id, value]);
        id
    }

    /// A pointer to a texel: [descriptor,] coordinate.
    fn texel_pointer(&mut self, var: VarId, indices: &[u32], component: u32, flags: Flags) -> u32 {
        let VarKind::Image { ty, descriptor, .. } = self.function.var(var).kind else { return 0 };
        let descriptors = usize::from(descriptor.count != Count::One);
        let Some((descriptor, &[coordinate])) = indices.split_at_checked(descriptors) else { return 0 };
        let image = self.image_type(ty);
        let image = self.pointer(var, descriptor, image, flags);
        let pointer = self.pointer_type(StorageClass::Image, component);
        let coordinate = self.value(coordinate);
        // Only multisampled images have samples to choose from, and those have no atomics.
        let sample = self.u32_constant(0);
        let id = self.id();
        self.sections.code.op(Op::ImageTexelPointer, &[pointer, id, image, coordinate, sample]);
        if self.is_non_uniform(flags, descriptor.first()) {
            self.decorate_non_uniform(id);
        }
        id
    }

    pub(super) fn control_barrier(&mut self, bits: u32) {
        let (scope, semantics) = barrier(bits);
        let execution = self.u32_constant(Scope::Workgroup as u32);
        let scope = self.u32_constant(scope as u32);
        let semantics = self.u32_constant(semantics.bits());
        self.sections.code.op(Op::ControlBarrier, &[execution, scope, semantics]);
    }

    /// A barrier that orders nothing is none.
    pub(super) fn memory_barrier(&mut self, bits: u32) {
        if bits == 0 {
            return;
        }
        let (scope, semantics) = barrier(bits);
        let scope = self.u32_constant(scope as u32);
        let semantics = self.u32_constant(semantics.bits());
        self.sections.code.op(Op::MemoryBarrier, &[scope, semantics]);
    }
}

/// What memory holds that atomics work on.
fn memory_kind(kind: &VarKind) -> Kind {
    match *kind {
        VarKind::StorageBuffer { element, .. } | VarKind::Workgroup { element, .. } => element.kind(),
        VarKind::Image { ty, .. } => ty.component,
        _ => Kind::U32,
    }
}

/// Memory scope and semantics of a barrier.
fn barrier(bits: u32) -> (Scope, MemorySemantics) {
    let mut semantics = MemorySemantics::RELAXED;
    if bits & sync::GROUP != 0 {
        semantics |= MemorySemantics::WORKGROUP_MEMORY;
    }
    if bits & (sync::DEVICE_IN_GROUP | sync::DEVICE) != 0 {
        semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
    }
    if !semantics.is_empty() {
        semantics |= MemorySemantics::ACQUIRE_RELEASE;
    }
    let scope = match bits {
        // The barrier itself orders a patch's outputs; that stage has no memory of a group.
        sync::PATCH => Scope::Invocation,
        _ if bits & sync::DEVICE != 0 => Scope::Device,
        _ => Scope::Workgroup,
    };
    (scope, semantics)
}
