//! What a translated shader declares and uses, a structure at a time.

use std::ffi::{CString, c_char};

use ::rx_renderer::translate::interface::{
    Access, Component, DescriptorType, Dimension, Interpolation, Resource, ResourceClass, SignatureElement,
};
use ::rx_renderer::vk::ash::vk;

use crate::result::{Failure, guard, rx_result};
use crate::shader::{
    RX_CLASS_CBV, RX_CLASS_SAMPLER, RX_CLASS_SRV, RX_CLASS_UAV, RX_CLASS_UAV_COUNTER, rx_bool, rx_resource_class,
    rx_stage, rx_translation, stage_number,
};

/// A number that there is none of: a register, a location.
pub const RX_NONE: u32 = 0xffffffff;

/// The shape of a texture or typed buffer.
pub type rx_dimension = u32;
/// Neither.
pub const RX_DIMENSION_NONE: rx_dimension = 0;
/// Buffer.
pub const RX_DIMENSION_BUFFER: rx_dimension = 1;
/// Texture1D.
pub const RX_DIMENSION_1D: rx_dimension = 2;
/// Texture1DArray.
pub const RX_DIMENSION_1D_ARRAY: rx_dimension = 3;
/// Texture2D.
pub const RX_DIMENSION_2D: rx_dimension = 4;
/// Texture2DArray.
pub const RX_DIMENSION_2D_ARRAY: rx_dimension = 5;
/// Texture2DMS.
pub const RX_DIMENSION_2DMS: rx_dimension = 6;
/// Texture2DMSArray.
pub const RX_DIMENSION_2DMS_ARRAY: rx_dimension = 7;
/// Texture3D.
pub const RX_DIMENSION_3D: rx_dimension = 8;
/// TextureCube.
pub const RX_DIMENSION_CUBE: rx_dimension = 9;
/// TextureCubeArray.
pub const RX_DIMENSION_CUBE_ARRAY: rx_dimension = 10;
/// Input attachment, of SPIR-V.
pub const RX_DIMENSION_SUBPASS: rx_dimension = 11;

/// The type of a component.
pub type rx_component = u32;
/// Not of components.
pub const RX_COMPONENT_NONE: rx_component = 0;
/// Float.
pub const RX_COMPONENT_FLOAT: rx_component = 1;
/// Signed.
pub const RX_COMPONENT_SINT: rx_component = 2;
/// Unsigned.
pub const RX_COMPONENT_UINT: rx_component = 3;
/// Double.
pub const RX_COMPONENT_DOUBLE: rx_component = 4;

/// How a shader uses a resource.
pub type rx_access = u32;
/// Only read.
pub const RX_ACCESS_READ: rx_access = 0;
/// Only written.
pub const RX_ACCESS_WRITE: rx_access = 1;
/// Both, or not known.
pub const RX_ACCESS_READ_WRITE: rx_access = 2;

/// How an input is interpolated.
pub type rx_interpolation = u32;
/// No pixel shader's input.
pub const RX_INTERPOLATION_NONE: rx_interpolation = 0;
/// nointerpolation.
pub const RX_INTERPOLATION_CONSTANT: rx_interpolation = 1;
/// linear.
pub const RX_INTERPOLATION_LINEAR: rx_interpolation = 2;
/// centroid.
pub const RX_INTERPOLATION_CENTROID: rx_interpolation = 3;
/// noperspective.
pub const RX_INTERPOLATION_NOPERSPECTIVE: rx_interpolation = 4;
/// noperspective centroid.
pub const RX_INTERPOLATION_NOPERSPECTIVE_CENTROID: rx_interpolation = 5;
/// sample.
pub const RX_INTERPOLATION_SAMPLE: rx_interpolation = 6;
/// noperspective sample.
pub const RX_INTERPOLATION_NOPERSPECTIVE_SAMPLE: rx_interpolation = 7;

/// What a translated shader is.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_stage_info {
    /// Stage.
    pub stage: rx_stage,
    /// Name of the SPIR-V entry point.
    pub entry_point: *const c_char,
    /// Where the push constants that it reads end, in bytes; 0 is none.
    pub push_constant_bytes: u32,
    /// Threads a group of a compute shader, else 0.
    pub workgroup_size: [u32; 3],
    /// Resources: rx_translation_resource.
    pub resource_count: usize,
    /// Inputs: rx_translation_input.
    pub input_count: usize,
    /// Outputs: rx_translation_output.
    pub output_count: usize,
    /// Patch constants of a hull or domain shader: rx_translation_patch_constant.
    pub patch_constant_count: usize,
    /// Notes: rx_translation_note. Codes 425 and 426 are warnings about the input; every other note is a difference from
    /// Direct3D, and without one the translation is exact.
    pub note_count: usize,
    /// It reads the length of a storage buffer, or its code has not been read.
    pub reads_array_length: rx_bool,
    /// It reads DrawIndex.
    pub draw_index: rx_bool,
    /// Control points of a patch that goes in and of one that comes out, of a hull or domain shader; else 0.
    pub control_points: [u32; 2],
    /// Vertices that one invocation of a geometry shader emits at most; else 0.
    pub max_vertices: u32,
}

/// One declared resource: one binding.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_resource {
    /// Name; empty where it was stripped.
    pub name: *const c_char,
    /// Class.
    pub resource_class: rx_resource_class,
    /// First register; of a counter its UAV's, of other sources than Direct3D the binding.
    pub register_number: u32,
    /// Register space.
    pub space: u32,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// VkDescriptorType.
    pub descriptor_type: u32,
    /// Descriptors; 0 is a range without an end.
    pub count: u32,
    /// Shape of a texture or typed buffer.
    pub dimension: rx_dimension,
    /// Type of its components.
    pub component: rx_component,
    /// How it is used.
    pub access: rx_access,
    /// Declared bytes of a constant buffer, else 0.
    pub size_bytes: u32,
    /// Bytes of a record of a structured buffer, else 0.
    pub stride_bytes: u32,
    /// An instruction uses it.
    pub used: rx_bool,
    /// Its length is read.
    pub reads_length: rx_bool,
}

/// One element of a signature.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_signature_element {
    /// Semantic.
    pub semantic: *const c_char,
    /// Semantic index.
    pub index: u32,
    /// Register, or RX_NONE.
    pub register_number: u32,
    /// Components in the register, x in the lowest of four bits.
    pub mask: u32,
    /// Type of its components.
    pub component: rx_component,
    /// Location in SPIR-V, or RX_NONE for a built-in.
    pub location: u32,
    /// Interpolation.
    pub interpolation: rx_interpolation,
    /// Geometry stream of an output.
    pub stream: u32,
}

/// A deliberate difference from Direct3D; `rx explain` and docs/translation.md say which.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_note {
    /// The number of its code: 402 of RX0402.
    pub code: u32,
    /// Places in the shader.
    pub count: u32,
}

/// What the shader is, and how many things it declares.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_info(translation: *const rx_translation, out: *mut rx_stage_info) -> rx_result {
    guard(|| {
        let own = arg!(translation);
        let interface = &own.own.interface;
        let tessellation = interface.tessellation.as_ref();
        let info = rx_stage_info {
            stage: stage_number(interface.stage),
            entry_point: own.entry_point.as_ptr(),
            push_constant_bytes: interface.push_constant_bytes,
            workgroup_size: interface.workgroup_size.unwrap_or_default(),
            resource_count: interface.resources.len(),
            input_count: interface.inputs.len(),
            output_count: interface.outputs.len(),
            patch_constant_count: interface.patch_constants.len(),
            note_count: own.own.notes.len(),
            reads_array_length: rx_bool::from(interface.reads_array_length != Some(false)),
            draw_index: rx_bool::from(interface.draw_index),
            control_points: tessellation
                .map_or([0; 2], |patch| [patch.input_control_points, patch.output_control_points]),
            max_vertices: interface.geometry.as_ref().map_or(0, |geometry| geometry.max_vertices),
        };
        put!(out, info);
        Ok(())
    })
}

/// The resource of a number below `resource_count`, in the order of the bindings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_resource(
    translation: *const rx_translation,
    index: usize,
    out: *mut rx_resource,
) -> rx_result {
    guard(|| {
        let own = arg!(translation);
        let found = own.own.interface.resources.get(index).zip(own.names[0].get(index));
        let (own, name) = found.ok_or_else(|| past(index, "resources"))?;
        put!(out, resource(own, name));
        Ok(())
    })
}

/// The input of a number below `input_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_input(
    translation: *const rx_translation,
    index: usize,
    out: *mut rx_signature_element,
) -> rx_result {
    guard(|| {
        let own = arg!(translation);
        put!(out, element(&own.own.interface.inputs, &own.names[1], index)?);
        Ok(())
    })
}

/// The output of a number below `output_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_output(
    translation: *const rx_translation,
    index: usize,
    out: *mut rx_signature_element,
) -> rx_result {
    guard(|| {
        let own = arg!(translation);
        put!(out, element(&own.own.interface.outputs, &own.names[2], index)?);
        Ok(())
    })
}

/// The patch constant of a number below `patch_constant_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_patch_constant(
    translation: *const rx_translation,
    index: usize,
    out: *mut rx_signature_element,
) -> rx_result {
    guard(|| {
        let own = arg!(translation);
        put!(out, element(&own.own.interface.patch_constants, &own.names[3], index)?);
        Ok(())
    })
}

/// The note of a number below `note_count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_note(
    translation: *const rx_translation,
    index: usize,
    out: *mut rx_note,
) -> rx_result {
    guard(|| {
        let notes = &arg!(translation).own.notes;
        let note = notes.get(index).ok_or_else(|| past(index, "notes"))?;
        put!(out, rx_note { code: u32::from(note.code.0), count: note.count });
        Ok(())
    })
}

pub(crate) fn past(index: usize, what: &str) -> Failure {
    Failure::value("index", format!("{index} is past the {what}"))
}

fn resource(own: &Resource, name: &CString) -> rx_resource {
    rx_resource {
        name: name.as_ptr(),
        resource_class: match own.class {
            ResourceClass::Cbv => RX_CLASS_CBV,
            ResourceClass::Srv => RX_CLASS_SRV,
            ResourceClass::Uav => RX_CLASS_UAV,
            ResourceClass::UavCounter => RX_CLASS_UAV_COUNTER,
            ResourceClass::Sampler => RX_CLASS_SAMPLER,
        },
        register_number: own.register,
        space: own.space,
        set: own.set,
        binding: own.binding,
        descriptor_type: descriptor_type(own.ty).as_raw().unsigned_abs(),
        count: own.count.unwrap_or(0),
        dimension: own.dimension.map_or(RX_DIMENSION_NONE, dimension),
        component: own.component.map_or(RX_COMPONENT_NONE, component),
        access: match own.access {
            Access::Read => RX_ACCESS_READ,
            Access::Write => RX_ACCESS_WRITE,
            Access::ReadWrite => RX_ACCESS_READ_WRITE,
        },
        size_bytes: own.size_bytes.unwrap_or(0),
        stride_bytes: own.stride_bytes.unwrap_or(0),
        used: rx_bool::from(own.used),
        reads_length: rx_bool::from(own.reads_length),
    }
}

fn element(elements: &[SignatureElement], names: &[CString], index: usize) -> Result<rx_signature_element, Failure> {
    let found = elements.get(index).zip(names.get(index));
    let (own, name) = found.ok_or_else(|| past(index, "elements"))?;
    let bit = |(bit, component): (u32, char)| u32::from(own.mask.contains(component)) << bit;
    Ok(rx_signature_element {
        semantic: name.as_ptr(),
        index: own.index,
        register_number: own.register.unwrap_or(RX_NONE),
        mask: (0..).zip("xyzw".chars()).map(bit).sum(),
        component: component(own.component),
        location: own.location.unwrap_or(RX_NONE),
        interpolation: own.interpolation.map_or(RX_INTERPOLATION_NONE, interpolation),
        stream: own.stream,
    })
}

fn dimension(own: Dimension) -> rx_dimension {
    match own {
        Dimension::Buffer => RX_DIMENSION_BUFFER,
        Dimension::D1 => RX_DIMENSION_1D,
        Dimension::D1Array => RX_DIMENSION_1D_ARRAY,
        Dimension::D2 => RX_DIMENSION_2D,
        Dimension::D2Array => RX_DIMENSION_2D_ARRAY,
        Dimension::D2Ms => RX_DIMENSION_2DMS,
        Dimension::D2MsArray => RX_DIMENSION_2DMS_ARRAY,
        Dimension::D3 => RX_DIMENSION_3D,
        Dimension::Cube => RX_DIMENSION_CUBE,
        Dimension::CubeArray => RX_DIMENSION_CUBE_ARRAY,
        Dimension::Subpass => RX_DIMENSION_SUBPASS,
    }
}

fn component(own: Component) -> rx_component {
    match own {
        Component::Float => RX_COMPONENT_FLOAT,
        Component::Sint => RX_COMPONENT_SINT,
        Component::Uint => RX_COMPONENT_UINT,
        Component::Double => RX_COMPONENT_DOUBLE,
    }
}

fn interpolation(own: Interpolation) -> rx_interpolation {
    match own {
        Interpolation::Constant => RX_INTERPOLATION_CONSTANT,
        Interpolation::Linear => RX_INTERPOLATION_LINEAR,
        Interpolation::LinearCentroid => RX_INTERPOLATION_CENTROID,
        Interpolation::LinearNoperspective => RX_INTERPOLATION_NOPERSPECTIVE,
        Interpolation::LinearNoperspectiveCentroid => RX_INTERPOLATION_NOPERSPECTIVE_CENTROID,
        Interpolation::LinearSample => RX_INTERPOLATION_SAMPLE,
        Interpolation::LinearNoperspectiveSample => RX_INTERPOLATION_NOPERSPECTIVE_SAMPLE,
    }
}

fn descriptor_type(own: DescriptorType) -> vk::DescriptorType {
    use vk::DescriptorType as T;
    match own {
        DescriptorType::UniformBuffer => T::UNIFORM_BUFFER,
        DescriptorType::StorageBuffer => T::STORAGE_BUFFER,
        DescriptorType::UniformBufferDynamic => T::UNIFORM_BUFFER_DYNAMIC,
        DescriptorType::StorageBufferDynamic => T::STORAGE_BUFFER_DYNAMIC,
        DescriptorType::SampledImage => T::SAMPLED_IMAGE,
        DescriptorType::Sampler => T::SAMPLER,
        DescriptorType::CombinedImageSampler => T::COMBINED_IMAGE_SAMPLER,
        DescriptorType::StorageImage => T::STORAGE_IMAGE,
        DescriptorType::UniformTexelBuffer => T::UNIFORM_TEXEL_BUFFER,
        DescriptorType::StorageTexelBuffer => T::STORAGE_TEXEL_BUFFER,
        DescriptorType::InputAttachment => T::INPUT_ATTACHMENT,
        DescriptorType::InlineUniformBlock => T::INLINE_UNIFORM_BLOCK,
    }
}
