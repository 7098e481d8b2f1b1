//! Descriptors: variables with a set and a binding, and what each is.
//!
//! Owns how a variable's type becomes a descriptor type, and how several variables at one binding become one resource.

use super::module::{Module, Variable};
use super::types::{Count, Types};
use super::usage::{Usage, Use};
use super::words::Inst;
use crate::error::Error;
use crate::interface::{Access, Component, DescriptorType, Dimension, Resource, ResourceClass};
use crate::ledger;
use spirv::{Decoration, Op, StorageClass};
use std::collections::BTreeMap;

/// A descriptor variable, before those at one binding are joined.
struct Descriptor {
    ty: DescriptorType,
    dimension: Option<Dimension>,
    component: Option<Component>,
    size_bytes: Option<u32>,
    stride_bytes: Option<u32>,
    count: Count,
    /// NonWritable, NonReadable: on the variable, or on every member of its block.
    declared: (bool, bool),
}

/// The resources that an entry point's stage declares, by set and binding.
///
/// `others` is what the module's other entry points use: with several entry points, a resource that only they use is
/// not this stage's. A resource that nobody uses is declared by all.
pub(super) fn read(module: &Module<'_>, usage: &Usage, others: Option<&Usage>) -> Result<Vec<Resource>, Error> {
    let mut types = Types::new(module);
    let mut bindings: BTreeMap<(u32, u32), Joined> = BTreeMap::new();
    for variable in &module.variables {
        let used = usage.of(variable.id);
        if !used.named() && others.is_some_and(|others| others.of(variable.id).named()) {
            continue;
        }
        let Some(descriptor) = descriptor(module, &mut types, variable, used)? else { continue };
        let place = place(module, variable)?;
        let name = name(module, &types, variable);
        let measured = usage.measures && used.measured();
        let resource = resource(&descriptor, place, name, used, measured);
        match bindings.get_mut(&place) {
            Some(joined) => joined.add(resource, descriptor.count.is_array),
            None => {
                let _ = bindings.insert(place, Joined::new(resource, descriptor.count.is_array));
            }
        }
    }
    Ok(bindings.into_values().map(|joined| joined.resource).collect())
}

/// Where the host binds it. Vulkan asks for both decorations.
fn place(module: &Module<'_>, variable: &Variable) -> Result<(u32, u32), Error> {
    let set = module.decoration(variable.id, Decoration::DescriptorSet);
    let binding = module.decoration(variable.id, Decoration::Binding);
    set.zip(binding).ok_or_else(|| bad(variable, "the variable has no DescriptorSet and Binding"))
}

fn bad(variable: &Variable, what: &str) -> Error {
    let what = format!("variable %{}: {what}", variable.id);
    Error::malformed(ledger::SPIRV_INTERFACE, variable.at.saturating_mul(4), what)
}

/// The variable's own name, else its block's.
fn name(module: &Module<'_>, types: &Types<'_, '_>, variable: &Variable) -> String {
    let own = module.name(variable.id);
    if !own.is_empty() {
        return own;
    }
    let inner = variable.pointee.and_then(|ty| types.strip_arrays(ty));
    match inner {
        Some((id, inst, _)) if inst.op() == Some(Op::TypeStruct) => module.name(id),
        _ => own,
    }
}

/// What a variable is as a descriptor; none where its storage class has no descriptors.
fn descriptor(
    module: &Module<'_>,
    types: &mut Types<'_, '_>,
    variable: &Variable,
    used: Use,
) -> Result<Option<Descriptor>, Error> {
    let class = StorageClass::from_u32(variable.class);
    if !matches!(class, Some(StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer)) {
        return Ok(None);
    }
    let inner = variable.pointee.and_then(|ty| types.strip_arrays(ty));
    let (id, inst, count) = inner.ok_or_else(|| bad(variable, "its type is not known"))?;
    let declared = (
        module.decoration(variable.id, Decoration::NonWritable).is_some(),
        module.decoration(variable.id, Decoration::NonReadable).is_some(),
    );
    let mut descriptor = Descriptor {
        ty: DescriptorType::Sampler,
        dimension: None,
        component: None,
        size_bytes: None,
        stride_bytes: None,
        count,
        declared,
    };
    let known = match class {
        Some(StorageClass::UniformConstant) => handle(module, types, &inst, &mut descriptor),
        class => buffer(module, types, id, class == Some(StorageClass::StorageBuffer), &mut descriptor),
    };
    if known {
        return Ok(Some(descriptor));
    }
    // A global of OpenCL's kind, or a descriptor that this interface has no type for. It only hinders where used.
    if used.named() {
        let what = format!("variable %{}: rx has no descriptor type for Op{:?}", variable.id, inst.op());
        return Err(Error::refused(ledger::SPIRV_DESCRIPTOR, what));
    }
    Ok(None)
}

/// Images and samplers. False: something else.
fn handle(module: &Module<'_>, types: &Types<'_, '_>, inst: &Inst<'_>, out: &mut Descriptor) -> bool {
    let combined = inst.op() == Some(Op::TypeSampledImage);
    let image = match inst.op() {
        Some(Op::TypeSampler) => {
            out.ty = DescriptorType::Sampler;
            return true;
        }
        Some(Op::TypeSampledImage) => inst.get(2).and_then(|id| module.definition(id)),
        _ => Some(*inst),
    };
    let Some(image) = image.and_then(|image| types.image(&image)) else { return false };
    out.ty = match (image.dimension, image.storage) {
        (Dimension::Buffer, true) => DescriptorType::StorageTexelBuffer,
        (Dimension::Buffer, false) => DescriptorType::UniformTexelBuffer,
        (Dimension::Subpass, _) => DescriptorType::InputAttachment,
        (_, true) => DescriptorType::StorageImage,
        (_, false) if combined => DescriptorType::CombinedImageSampler,
        (_, false) => DescriptorType::SampledImage,
    };
    out.dimension = Some(image.dimension);
    out.component = image.component;
    true
}

/// Uniform and storage buffers. False: a global that is no block.
fn buffer(module: &Module<'_>, types: &mut Types<'_, '_>, id: u32, storage: bool, out: &mut Descriptor) -> bool {
    let is = |kind| module.decoration(id, kind).is_some();
    let block = types.block(id);
    if storage || is(Decoration::BufferBlock) {
        out.ty = DescriptorType::StorageBuffer;
        out.stride_bytes = block.record_stride;
        out.declared.0 |= block.read_only;
        out.declared.1 |= block.write_only;
        return true;
    }
    out.ty = DescriptorType::UniformBuffer;
    out.size_bytes = Some(block.bytes);
    is(Decoration::Block)
}

/// The class that Direct3D would give it. A storage buffer is a shader resource where it is declared NonWritable.
fn class(descriptor: &Descriptor) -> ResourceClass {
    match descriptor.ty {
        DescriptorType::UniformBuffer | DescriptorType::UniformBufferDynamic | DescriptorType::InlineUniformBlock => {
            ResourceClass::Cbv
        }
        DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic if descriptor.declared.0 => {
            ResourceClass::Srv
        }
        DescriptorType::StorageBuffer
        | DescriptorType::StorageBufferDynamic
        | DescriptorType::StorageImage
        | DescriptorType::StorageTexelBuffer => ResourceClass::Uav,
        DescriptorType::Sampler => ResourceClass::Sampler,
        DescriptorType::SampledImage
        | DescriptorType::CombinedImageSampler
        | DescriptorType::UniformTexelBuffer
        | DescriptorType::InputAttachment => ResourceClass::Srv,
    }
}

/// Whether a descriptor of the type can be written at all.
pub(super) fn is_storage(ty: DescriptorType) -> bool {
    matches!(
        ty,
        DescriptorType::StorageBuffer
            | DescriptorType::StorageBufferDynamic
            | DescriptorType::StorageImage
            | DescriptorType::StorageTexelBuffer
    )
}

/// What it declares decides; else what is done with it; of one that nothing names, nothing is known. One of which
/// only the size is asked is as good as read.
fn access(descriptor: &Descriptor, used: Use) -> Access {
    match descriptor.declared {
        _ if !is_storage(descriptor.ty) => Access::Read,
        (true, _) => Access::Read,
        (false, true) => Access::Write,
        _ if !used.named() => Access::ReadWrite,
        _ => match (used.read(), used.written()) {
            (true, true) => Access::ReadWrite,
            (false, true) => Access::Write,
            (_, false) => Access::Read,
        },
    }
}

fn resource(descriptor: &Descriptor, place: (u32, u32), name: String, used: Use, measured: bool) -> Resource {
    Resource {
        class: class(descriptor),
        register: place.1,
        space: place.0,
        name,
        set: place.0,
        binding: place.1,
        ty: descriptor.ty,
        count: descriptor.count.elements,
        dimension: descriptor.dimension,
        component: descriptor.component,
        access: access(descriptor, used),
        size_bytes: descriptor.size_bytes,
        stride_bytes: descriptor.stride_bytes,
        used: used.named(),
        reads_length: measured && descriptor.ty == DescriptorType::StorageBuffer,
        texel_atomics: used.atomic(),
        aliased_array: false,
    }
}

/// The variables at one binding, as one resource.
struct Joined {
    resource: Resource,
    /// Buffers that the stage uses here, and whether one of them is an array; textures and samplers that it uses: what
    /// Metal cannot alias.
    buffers: u32,
    array: bool,
    textures: u32,
    samplers: u32,
}

impl Joined {
    fn new(resource: Resource, is_array: bool) -> Self {
        let mut joined = Joined { resource, buffers: 0, array: false, textures: 0, samplers: 0 };
        joined.count(joined.resource.ty, joined.resource.used, is_array);
        joined
    }

    fn count(&mut self, ty: DescriptorType, used: bool, is_array: bool) {
        let used = u32::from(used);
        match ty {
            DescriptorType::UniformBuffer | DescriptorType::StorageBuffer => {
                self.buffers += used;
                self.array |= used > 0 && is_array;
            }
            DescriptorType::Sampler => self.samplers += used,
            DescriptorType::CombinedImageSampler => {
                (self.textures, self.samplers) = (self.textures + used, self.samplers + used)
            }
            _ => self.textures += used,
        }
        self.resource.aliased_array = self.buffers > 1 && self.array || self.textures > 1 || self.samplers > 1;
    }

    /// Joins another variable at the same binding. The first that is used says what the binding is.
    fn add(&mut self, other: Resource, is_array: bool) {
        let (ty, used) = (other.ty, other.used);
        let (mut kept, other) =
            if used && !self.resource.used { (other, self.resource.clone()) } else { (self.resource.clone(), other) };
        kept.ty = joined_type(kept.ty, other.ty);
        kept.count = kept.count.zip(other.count).map(|(a, b)| a.max(b));
        kept.dimension = kept.dimension.or(other.dimension);
        kept.component = kept.component.or(other.component);
        kept.size_bytes = kept.size_bytes.max(other.size_bytes);
        if kept.used && other.used {
            kept.access = if kept.access == other.access { kept.access } else { Access::ReadWrite };
            kept.class = if kept.class == ResourceClass::Sampler { other.class } else { kept.class };
        }
        kept.reads_length |= other.reads_length;
        kept.texel_atomics |= other.texel_atomics;
        self.resource = kept;
        self.count(ty, used, is_array);
    }
}

/// A sampled image and a sampler at one binding are a combined image sampler to Vulkan.
fn joined_type(a: DescriptorType, b: DescriptorType) -> DescriptorType {
    use DescriptorType::{CombinedImageSampler, SampledImage, Sampler};
    match (a, b) {
        (SampledImage | CombinedImageSampler, Sampler) | (Sampler, SampledImage | CombinedImageSampler) => {
            CombinedImageSampler
        }
        (SampledImage, CombinedImageSampler) => CombinedImageSampler,
        _ => a,
    }
}
