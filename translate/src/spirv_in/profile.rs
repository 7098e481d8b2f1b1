//! What a module asks of the device, held against the profile.
//!
//! Owns the table from SPIR-V's capabilities to Vulkan's features. A capability that no feature of the profile stands
//! for is let through: the driver is the judge of those.

use super::module::Module;
use crate::error::Error;
use crate::ledger;
use crate::options::{Features, Profile};
use spirv::Capability;

/// Refuses a module that is newer than the target, or needs a feature that the profile lacks.
pub(super) fn check(module: &Module<'_>, profile: &Profile) -> Result<(), Error> {
    let (version, most) = (module.header.version, profile.target.spirv_version());
    if version > most {
        let what = format!("the module is SPIR-V {}.{}, the target takes {}.{}", version.0, version.1, most.0, most.1);
        return Err(Error::refused(ledger::SPIRV_VERSION, what));
    }
    for number in &module.capabilities {
        let lacking = Capability::from_u32(*number).and_then(|capability| {
            let (feature, has) = feature(capability, &profile.features)?;
            (!has).then_some((capability, feature))
        });
        if let Some((capability, feature)) = lacking {
            let what = format!("capability {capability:?} needs {feature}");
            return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
        }
    }
    Ok(())
}

/// Refuses what is no shader for Vulkan: OpenCL kernels and libraries.
pub(super) fn check_is_shader(module: &Module<'_>) -> Result<(), Error> {
    for capability in [Capability::Kernel, Capability::Addresses, Capability::Linkage] {
        if module.has_capability(capability) {
            let what = format!("the module declares capability {capability:?}");
            return Err(Error::refused(ledger::SPIRV_NOT_A_SHADER, what));
        }
    }
    let (addressing, memory) = module.memory_model();
    let logical = [spirv::AddressingModel::Logical as u32, spirv::AddressingModel::PhysicalStorageBuffer64 as u32];
    let models = [spirv::MemoryModel::GLSL450 as u32, spirv::MemoryModel::Vulkan as u32];
    if logical.contains(&addressing) && models.contains(&memory) {
        return Ok(());
    }
    let what = format!("addressing model {addressing} with memory model {memory} is none of Vulkan's");
    Err(Error::refused(ledger::SPIRV_NOT_A_SHADER, what))
}

/// Vulkan's feature behind a capability, and whether the profile has it.
fn feature(capability: Capability, features: &Features) -> Option<(&'static str, bool)> {
    Some(match capability {
        Capability::DemoteToHelperInvocation => ("shaderDemoteToHelperInvocation", features.demote_to_helper),
        Capability::DrawParameters => ("shaderDrawParameters", features.draw_parameters),
        Capability::StorageImageReadWithoutFormat => {
            ("shaderStorageImageReadWithoutFormat", features.read_without_format)
        }
        Capability::StorageImageWriteWithoutFormat => {
            ("shaderStorageImageWriteWithoutFormat", features.write_without_format)
        }
        Capability::ImageGatherExtended => ("shaderImageGatherExtended", features.gather_extended),
        Capability::SparseResidency => ("shaderResourceResidency", features.residency),
        Capability::MinLod => ("shaderResourceMinLod", features.min_lod),
        Capability::SampledCubeArray | Capability::ImageCubeArray => ("imageCubeArray", features.cube_array),
        Capability::SampleRateShading => ("sampleRateShading", features.sample_rate_shading),
        Capability::ShaderLayer | Capability::ShaderViewportIndex | Capability::ShaderViewportIndexLayerEXT => {
            ("shaderOutputLayer and shaderOutputViewportIndex", features.viewport_layer_any_stage)
        }
        Capability::StencilExportEXT => ("VK_EXT_shader_stencil_export", features.stencil_export),
        Capability::Float64 => ("shaderFloat64", features.float64),
        Capability::Float16 => ("shaderFloat16", features.float16),
        Capability::Int64 => ("shaderInt64", features.int64),
        Capability::RuntimeDescriptorArray
        | Capability::ShaderNonUniform
        | Capability::UniformBufferArrayNonUniformIndexing
        | Capability::SampledImageArrayNonUniformIndexing
        | Capability::StorageBufferArrayNonUniformIndexing
        | Capability::StorageImageArrayNonUniformIndexing
        | Capability::InputAttachmentArrayNonUniformIndexing
        | Capability::UniformTexelBufferArrayNonUniformIndexing
        | Capability::StorageTexelBufferArrayNonUniformIndexing => {
            ("runtimeDescriptorArray and the non-uniform indexing features", features.descriptor_indexing)
        }
        Capability::FragmentShaderPixelInterlockEXT => ("fragmentShaderPixelInterlock", features.fragment_interlock),
        _ => return None,
    })
}
