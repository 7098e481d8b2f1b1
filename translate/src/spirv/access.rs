//! Pointers into variables: access chains, and what indexing descriptors needs.

use super::Writer;
use crate::ir::{Count, Effect, Flags, ImageDim, ValueId, VarId, VarKind};
use spirv::{Capability, Op, StorageClass};

/// What of a variable decides how it is indexed.
struct Shape {
    class: StorageClass,
    /// An array of descriptors: its index comes first.
    descriptors: bool,
    /// A structure of one member: between the descriptor and the element.
    block: bool,
    /// What an index of a descriptor that is no constant needs: uniform, and not.
    indexing: (Capability, Capability),
}

impl Writer<'_> {
    /// A pointer to what the indices lead to in a variable.
    pub(super) fn pointer(&mut self, var: VarId, indices: &[u32], pointee: u32, flags: Flags) -> u32 {
        let base = self.var(var);
        if indices.is_empty() {
            return base;
        }
        let shape = shape(&self.function.var(var).kind);
        let pointer = self.pointer_type(shape.class, pointee);
        let (descriptor, rest) = indices.split_at(usize::from(shape.descriptors));
        // Whole descriptors are asked for without the member; anything else goes through it.
        let member = (shape.block && !rest.is_empty()).then(|| self.u32_constant(0));
        let id = self.id();
        let start = self.sections.code.begin(Op::AccessChain);
        self.sections.code.0.extend_from_slice(&[pointer, id, base]);
        for &index in descriptor {
            let index = self.value(index);
            self.sections.code.push(index);
        }
        self.sections.code.0.extend(member);
        for &index in rest {
            let index = self.value(index);
            self.sections.code.push(index);
        }
        self.sections.code.end(start);
        if let &[index] = descriptor {
            self.descriptor_index(&shape, index, id, flags);
        }
        id
    }

    /// What an index of a descriptor needs, and what its pointer must say.
    fn descriptor_index(&mut self, shape: &Shape, index: u32, pointer: u32, flags: Flags) {
        if self.function.inst(ValueId(index)).op.effect() == Effect::Constant {
            return;
        }
        if flags.has(Flags::NON_UNIFORM) {
            self.capabilities.require(shape.indexing.1);
            let index = self.value(index);
            self.decorate_non_uniform(index);
            self.decorate_non_uniform(pointer);
        } else {
            self.capabilities.require(shape.indexing.0);
        }
    }

    /// Whether the descriptor index of a handle really may differ between invocations.
    pub(super) fn is_non_uniform(&self, flags: Flags, descriptor: Option<&u32>) -> bool {
        flags.has(Flags::NON_UNIFORM)
            && descriptor.is_some_and(|&index| self.function.inst(ValueId(index)).op.effect() != Effect::Constant)
    }
}

fn shape(kind: &VarKind) -> Shape {
    use Capability as C;
    let plain = |class| Shape { class, descriptors: false, block: false, indexing: (C::Shader, C::Shader) };
    match *kind {
        VarKind::Input { .. } => plain(StorageClass::Input),
        VarKind::Output { .. } => plain(StorageClass::Output),
        VarKind::Local { .. } | VarKind::Table { .. } => plain(StorageClass::Function),
        VarKind::Workgroup { .. } => plain(StorageClass::Workgroup),
        VarKind::PushConstants { .. } => Shape { block: true, ..plain(StorageClass::PushConstant) },
        VarKind::UniformBuffer { descriptor, .. } => Shape {
            class: StorageClass::Uniform,
            descriptors: descriptor.count != Count::One,
            block: true,
            indexing: (C::UniformBufferArrayDynamicIndexing, C::UniformBufferArrayNonUniformIndexing),
        },
        VarKind::StorageBuffer { descriptor, .. } => Shape {
            class: StorageClass::StorageBuffer,
            descriptors: descriptor.count != Count::One,
            block: true,
            indexing: (C::StorageBufferArrayDynamicIndexing, C::StorageBufferArrayNonUniformIndexing),
        },
        VarKind::Image { ty, descriptor, .. } => Shape {
            class: StorageClass::UniformConstant,
            descriptors: descriptor.count != Count::One,
            block: false,
            indexing: image_indexing(ty.dim == ImageDim::Buffer, ty.storage),
        },
        VarKind::Sampler { descriptor } => Shape {
            class: StorageClass::UniformConstant,
            descriptors: descriptor.count != Count::One,
            block: false,
            indexing: image_indexing(false, false),
        },
    }
}

fn image_indexing(buffer: bool, storage: bool) -> (Capability, Capability) {
    use Capability as C;
    match (buffer, storage) {
        (false, false) => (C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing),
        (false, true) => (C::StorageImageArrayDynamicIndexing, C::StorageImageArrayNonUniformIndexing),
        (true, false) => (C::UniformTexelBufferArrayDynamicIndexing, C::UniformTexelBufferArrayNonUniformIndexing),
        (true, true) => (C::StorageTexelBufferArrayDynamicIndexing, C::StorageTexelBufferArrayNonUniformIndexing),
    }
}
