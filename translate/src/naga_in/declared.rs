//! The resources that a naga module declares for an entry point.
//!
//! Owns the classification of naga's types. What is used, and how, is the words' to say.

use super::glsl::{SAMPLER_HALF, TEXTURE_HALF};
use super::parse::{Language, Parsed};
use crate::error::Error;
use crate::interface::{Access, Component, DescriptorType, Dimension, Resource, ResourceClass, StageInterface};
use crate::ledger;
use naga::{AddressSpace, ArraySize, GlobalVariable, ImageClass, ImageDimension, Module, ScalarKind, StorageAccess};
use naga::{Type, TypeInner};
use std::collections::BTreeMap;

/// A declared resource, not bound yet: `register` and `space` are the text's binding and group; `set` and `binding`
/// are 0.
pub(super) type Declared = BTreeMap<(u32, u32), Resource>;

/// The resources of an entry point (by its index): those it uses and those that no entry point does. Where two
/// variables of a text share group and binding, the one that the entry point uses counts.
pub(super) fn resources(parsed: &Parsed, entry: usize) -> Result<Declared, Error> {
    let (module, info) = (&parsed.module, &parsed.info);
    let mut declared = Declared::new();
    for (handle, global) in module.global_variables.iter() {
        let Some(place) = global.binding else { continue };
        let uses = |index: usize| !info.get_entry_point(index)[handle].is_empty();
        let used = uses(entry);
        let by_others = (0..module.entry_points.len()).any(|index| index != entry && uses(index));
        let key = (place.group, place.binding);
        if is_half(parsed, place.binding) {
            continue;
        }
        if (!used && by_others) || declared.get(&key).is_some_and(|known: &Resource| known.used) {
            continue;
        }
        if used || !declared.contains_key(&key) {
            declared.insert(key, resource(module, global, key, used)?);
        }
    }
    for (handle, global) in module.global_variables.iter() {
        let Some(place) = global.binding.filter(|place| is_half(parsed, place.binding)) else { continue };
        // The texture's other half: together they are one descriptor.
        let sampled = !info.get_entry_point(entry)[handle].is_empty();
        if let Some(texture) = declared.get_mut(&(place.group, place.binding - SAMPLER_HALF)) {
            texture.ty = DescriptorType::CombinedImageSampler;
            texture.used |= sampled;
            if let Some(name) = texture.name.strip_prefix(TEXTURE_HALF) {
                texture.name = String::from(name);
            }
        }
    }
    Ok(declared)
}

/// Whether a binding is the sampler's of a combined one of GLSL.
fn is_half(parsed: &Parsed, binding: u32) -> bool {
    parsed.language == Language::Glsl && binding >= SAMPLER_HALF
}

fn resource(module: &Module, global: &GlobalVariable, place: (u32, u32), used: bool) -> Result<Resource, Error> {
    let (ty, count) = match module.types[global.ty].inner {
        TypeInner::BindingArray { base, size } => (base, elements(size)?),
        _ => (global.ty, Some(1)),
    };
    let described = describe(global.space, &module.types[ty]).ok_or_else(|| {
        let name = global.name.as_deref().unwrap_or("a resource");
        Error::refused(ledger::SPIRV_DESCRIPTOR, format!("`{name}` is no buffer, image or sampler"))
    })?;
    let size = module.types[ty].inner.try_size(module.to_ctx());
    let name = global.name.clone().filter(|name| !name.is_empty());
    Ok(Resource {
        class: described.class,
        register: place.1,
        space: place.0,
        name: name.or_else(|| module.types[ty].name.clone()).unwrap_or_default(),
        set: 0,
        binding: 0,
        ty: described.ty,
        count,
        dimension: described.dimension,
        component: described.component,
        access: described.access,
        size_bytes: size.filter(|_| described.ty == DescriptorType::UniformBuffer),
        stride_bytes: record_stride(module, ty).filter(|_| described.ty == DescriptorType::StorageBuffer),
        used,
        reads_length: false,
        texel_atomics: false,
        aliased_array: false,
    })
}

/// Gives the interface that the words gave (whose resources stand at set and binding) what the text says: names,
/// groups and bindings, declared sizes, and the resources that nothing uses.
pub(super) fn join(interface: &mut StageInterface, bound: Vec<Resource>) {
    let mut written: BTreeMap<(u32, u32), Resource> =
        std::mem::take(&mut interface.resources).into_iter().map(|r| ((r.set, r.binding), r)).collect();
    interface.resources = bound
        .into_iter()
        .map(|declared| match written.remove(&(declared.set, declared.binding)) {
            Some(words) => Resource {
                access: words.access,
                used: words.used,
                reads_length: words.reads_length,
                texel_atomics: words.texel_atomics,
                aliased_array: words.aliased_array,
                ..declared
            },
            None => Resource { used: false, ..declared },
        })
        .collect();
    interface.resources.sort_by_key(|r| (r.set, r.binding));
}

/// Descriptors of a binding array; none without an end.
fn elements(size: ArraySize) -> Result<Option<u32>, Error> {
    match size {
        ArraySize::Constant(n) => Ok(Some(n.get())),
        ArraySize::Dynamic => Ok(None),
        ArraySize::Pending(_) => {
            Err(Error::refused(ledger::TEXT_NOT_WRITTEN, "a binding array's size depends on an override"))
        }
    }
}

struct Described {
    class: ResourceClass,
    ty: DescriptorType,
    dimension: Option<Dimension>,
    component: Option<Component>,
    access: Access,
}

fn describe(space: AddressSpace, ty: &Type) -> Option<Described> {
    let plain = |class, ty, access| Described { class, ty, dimension: None, component: None, access };
    match (space, &ty.inner) {
        (AddressSpace::Uniform, _) => Some(plain(ResourceClass::Cbv, DescriptorType::UniformBuffer, Access::Read)),
        (AddressSpace::Storage { access }, _) => {
            let class = if access.contains(StorageAccess::STORE) { ResourceClass::Uav } else { ResourceClass::Srv };
            Some(plain(class, DescriptorType::StorageBuffer, declared_access(access)))
        }
        (AddressSpace::Handle, TypeInner::Sampler { .. }) => {
            Some(plain(ResourceClass::Sampler, DescriptorType::Sampler, Access::Read))
        }
        (AddressSpace::Handle, TypeInner::Image { dim, arrayed, class }) => image(*dim, *arrayed, *class),
        _ => None,
    }
}

fn image(dim: ImageDimension, arrayed: bool, class: ImageClass) -> Option<Described> {
    let (kind, multisampled, storage) = match class {
        ImageClass::Sampled { kind, multi } => (kind, multi, None),
        ImageClass::Depth { multi } => (ScalarKind::Float, multi, None),
        ImageClass::Storage { format, access } => (naga::Scalar::from(format).kind, false, Some(access)),
        ImageClass::External => return None,
    };
    let dimension = match (dim, arrayed, multisampled) {
        (ImageDimension::D1, false, _) => Dimension::D1,
        (ImageDimension::D1, true, _) => Dimension::D1Array,
        (ImageDimension::D2, false, false) => Dimension::D2,
        (ImageDimension::D2, true, false) => Dimension::D2Array,
        (ImageDimension::D2, false, true) => Dimension::D2Ms,
        (ImageDimension::D2, true, true) => Dimension::D2MsArray,
        (ImageDimension::D3, ..) => Dimension::D3,
        (ImageDimension::Cube, false, _) => Dimension::Cube,
        (ImageDimension::Cube, true, _) => Dimension::CubeArray,
    };
    let component = match kind {
        ScalarKind::Sint => Component::Sint,
        ScalarKind::Uint => Component::Uint,
        _ => Component::Float,
    };
    let (class, ty) = match storage {
        Some(_) => (ResourceClass::Uav, DescriptorType::StorageImage),
        None => (ResourceClass::Srv, DescriptorType::SampledImage),
    };
    let access = storage.map_or(Access::Read, declared_access);
    Some(Described { class, ty, dimension: Some(dimension), component: Some(component), access })
}

fn declared_access(access: StorageAccess) -> Access {
    match (access.contains(StorageAccess::LOAD), access.contains(StorageAccess::STORE)) {
        (_, false) => Access::Read,
        (false, true) => Access::Write,
        (true, true) => Access::ReadWrite,
    }
}

/// The stride of a buffer that is one unbounded array of structures.
fn record_stride(module: &Module, ty: naga::Handle<Type>) -> Option<u32> {
    let array = match &module.types[ty].inner {
        TypeInner::Struct { members, .. } => match members.as_slice() {
            [only] => only.ty,
            _ => return None,
        },
        _ => ty,
    };
    match module.types[array].inner {
        TypeInner::Array { base, size: ArraySize::Dynamic, stride } => {
            matches!(module.types[base].inner, TypeInner::Struct { .. }).then_some(stride)
        }
        _ => None,
    }
}
