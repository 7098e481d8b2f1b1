//! What of a device is asked for: every feature and extension that rx uses, each with its use.
//!
//! Owns the two lists. Nothing is switched on that is not in them.

#![allow(unsafe_code)] // Vulkan calls.

use std::ffi::CStr;

use ash::{ext, khr, vk};

use super::instance::Adapter;
use crate::Error;
use crate::error::vulkan;

/// The structures that features stand in. What a device does not know stays zero.
#[derive(Clone, Copy, Default)]
pub(crate) struct Structures {
    pub(crate) core: vk::PhysicalDeviceFeatures,
    pub(crate) v11: vk::PhysicalDeviceVulkan11Features<'static>,
    pub(crate) v12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub(crate) v13: vk::PhysicalDeviceVulkan13Features<'static>,
    pub(crate) rendering: vk::PhysicalDeviceDynamicRenderingFeatures<'static>,
    pub(crate) robustness: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    pub(crate) feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'static>,
    pub(crate) interlock: vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT<'static>,
    pub(crate) float_atomics: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    pub(crate) libraries: vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT<'static>,
    pub(crate) fault: vk::PhysicalDeviceFaultFeaturesEXT<'static>,
    /// What every other device has, and one that is not wholly Vulkan (MoltenVK's) must say.
    pub(crate) portability: vk::PhysicalDevicePortabilitySubsetFeaturesKHR<'static>,
}

/// A feature or extension that rx uses, and whether a device has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Vulkan's name.
    pub name: &'static str,
    /// What rx does with it.
    pub what_for: &'static str,
    /// Whether there is no host without it.
    pub required: bool,
    /// Whether the device has it.
    pub present: bool,
}

/// What the names of a portable device's features begin with.
const PORTABILITY: &str = "portability: ";

/// The same feature before Vulkan 1.3.
const EXTENSION_RENDERING: &str = "dynamicRendering (extension)";

macro_rules! features {
    ($($structure:ident . $field:ident = $name:expr, $required:literal, $what_for:literal;)*) => {
        impl Structures {
            /// Of these, what rx uses.
            fn used(&self) -> Structures {
                let mut used = Structures::default();
                $(used.$structure.$field = self.$structure.$field;)*
                used
            }

            fn needs(&self) -> Vec<Need> {
                vec![$(Need {
                    name: $name,
                    what_for: $what_for,
                    required: $required,
                    present: self.$structure.$field == vk::TRUE,
                }),*]
            }
        }
    };
}

features! {
    v12.timeline_semaphore = "timelineSemaphore", true, "knowing when the GPU is done with an object";
    v13.dynamic_rendering = "dynamicRendering", false, "passes without render pass objects";
    rendering.dynamic_rendering = EXTENSION_RENDERING, false, "passes without render pass objects";
    robustness.robust_buffer_access2 = "robustBufferAccess2", false, "reads past a buffer's end give zeros, as in Direct3D";
    robustness.robust_image_access2 = "robustImageAccess2", false, "reads past a texture's edge give zeros, as in Direct3D";
    robustness.null_descriptor = "nullDescriptor", false, "resources that are not bound read as zeros";
    core.robust_buffer_access = "robustBufferAccess", false, "accesses past a buffer's end harm nothing";
    core.geometry_shader = "geometryShader", false, "geometry shaders";
    core.tessellation_shader = "tessellationShader", false, "hull and domain shaders";
    core.shader_tessellation_and_geometry_point_size = "shaderTessellationAndGeometryPointSize", false, "points from domain and geometry shaders";
    core.full_draw_index_uint32 = "fullDrawIndexUint32", false, "32-bit indices up to the last";
    core.image_cube_array = "imageCubeArray", false, "cube arrays";
    core.independent_blend = "independentBlend", false, "blending that differs among render targets";
    core.sample_rate_shading = "sampleRateShading", false, "per-sample pixel shaders";
    core.dual_src_blend = "dualSrcBlend", false, "blending with two sources";
    core.multi_draw_indirect = "multiDrawIndirect", false, "several indirect draws in one call";
    core.draw_indirect_first_instance = "drawIndirectFirstInstance", false, "indirect draws with a first instance";
    core.depth_clamp = "depthClamp", false, "DepthClipEnable off";
    core.depth_bias_clamp = "depthBiasClamp", false, "DepthBiasClamp";
    core.fill_mode_non_solid = "fillModeNonSolid", false, "wireframe";
    core.multi_viewport = "multiViewport", false, "SV_ViewportArrayIndex";
    core.sampler_anisotropy = "samplerAnisotropy", false, "anisotropic filtering";
    core.vertex_pipeline_stores_and_atomics = "vertexPipelineStoresAndAtomics", false, "UAVs in all stages";
    core.fragment_stores_and_atomics = "fragmentStoresAndAtomics", false, "UAVs in pixel shaders";
    core.shader_image_gather_extended = "shaderImageGatherExtended", false, "gather4_po";
    core.shader_storage_image_extended_formats = "shaderStorageImageExtendedFormats", false, "UAVs of all formats";
    core.shader_storage_image_multisample = "shaderStorageImageMultisample", false, "multisampled UAVs";
    core.shader_storage_image_read_without_format = "shaderStorageImageReadWithoutFormat", false, "typed UAV loads";
    core.shader_storage_image_write_without_format = "shaderStorageImageWriteWithoutFormat", false, "typed UAV stores";
    core.shader_uniform_buffer_array_dynamic_indexing = "shaderUniformBufferArrayDynamicIndexing", false, "indexed constant buffers";
    core.shader_sampled_image_array_dynamic_indexing = "shaderSampledImageArrayDynamicIndexing", false, "indexed textures";
    core.shader_storage_buffer_array_dynamic_indexing = "shaderStorageBufferArrayDynamicIndexing", false, "indexed buffers";
    core.shader_storage_image_array_dynamic_indexing = "shaderStorageImageArrayDynamicIndexing", false, "indexed UAVs";
    core.shader_clip_distance = "shaderClipDistance", false, "SV_ClipDistance";
    core.shader_cull_distance = "shaderCullDistance", false, "SV_CullDistance";
    core.shader_float64 = "shaderFloat64", false, "doubles";
    core.shader_int64 = "shaderInt64", false, "64-bit integers of SPIR-V inputs";
    core.shader_resource_residency = "shaderResourceResidency", false, "tiled resources' feedback";
    core.shader_resource_min_lod = "shaderResourceMinLod", false, "sampling with a least level";
    core.occlusion_query_precise = "occlusionQueryPrecise", false, "occlusion queries that count";
    v11.shader_draw_parameters = "shaderDrawParameters", false, "SV_VertexID and SV_InstanceID as Direct3D counts them";
    v12.shader_float16 = "shaderFloat16", false, "half floats of SPIR-V inputs";
    v12.scalar_block_layout = "scalarBlockLayout", false, "buffers laid out as Direct3D does";
    v12.shader_output_viewport_index = "shaderOutputViewportIndex", false, "SV_ViewportArrayIndex from vertex and domain shaders";
    v12.shader_output_layer = "shaderOutputLayer", false, "SV_RenderTargetArrayIndex from vertex and domain shaders";
    v12.runtime_descriptor_array = "runtimeDescriptorArray", false, "unbounded ranges of shader model 5.1";
    v12.descriptor_binding_partially_bound = "descriptorBindingPartiallyBound", false, "ranges of which a part is bound";
    v12.shader_sampled_image_array_non_uniform_indexing = "shaderSampledImageArrayNonUniformIndexing", false, "NonUniformResourceIndex";
    v12.shader_storage_buffer_array_non_uniform_indexing = "shaderStorageBufferArrayNonUniformIndexing", false, "NonUniformResourceIndex";
    v12.shader_storage_image_array_non_uniform_indexing = "shaderStorageImageArrayNonUniformIndexing", false, "NonUniformResourceIndex";
    v12.shader_uniform_buffer_array_non_uniform_indexing = "shaderUniformBufferArrayNonUniformIndexing", false, "NonUniformResourceIndex";
    v12.shader_uniform_texel_buffer_array_non_uniform_indexing = "shaderUniformTexelBufferArrayNonUniformIndexing", false, "NonUniformResourceIndex";
    v12.shader_storage_texel_buffer_array_non_uniform_indexing = "shaderStorageTexelBufferArrayNonUniformIndexing", false, "NonUniformResourceIndex";
    v12.vulkan_memory_model = "vulkanMemoryModel", false, "SPIR-V inputs that ask for it";
    v12.vulkan_memory_model_device_scope = "vulkanMemoryModelDeviceScope", false, "atomics under that model";
    v13.shader_demote_to_helper_invocation = "shaderDemoteToHelperInvocation", false, "discard that keeps derivatives";
    feedback.transform_feedback = "transformFeedback", false, "stream output";
    feedback.geometry_streams = "geometryStreams", false, "stream output of streams 1 to 3";
    interlock.fragment_shader_pixel_interlock = "fragmentShaderPixelInterlock", false, "rasteriser-ordered views";
    float_atomics.shader_image_float32_atomics = "shaderImageFloat32Atomics", false, "exchanges in UAVs of floats";
    libraries.graphics_pipeline_library = "graphicsPipelineLibrary", false, "pipelines linked from parts made ahead";
    fault.device_fault = "deviceFault", false, "what the driver says of a lost device";
    portability.mutable_comparison_samplers = "portability: mutableComparisonSamplers", false, "comparison samplers";
    portability.image_view_format_reinterpretation = "portability: imageViewFormatReinterpretation", false, "views in another format";
    portability.image_view2_d_on3_d_image = "portability: imageView2DOn3DImage", false, "rendering to slices of volumes";
    portability.multisample_array_image = "portability: multisampleArrayImage", false, "multisampled arrays";
    portability.sampler_mip_lod_bias = "portability: samplerMipLodBias", false, "MipLODBias";
    portability.separate_stencil_mask_ref = "portability: separateStencilMaskRef", false, "stencil tests that differ by face";
    portability.constant_alpha_color_blend_factors = "portability: constantAlphaColorBlendFactors", false, "blend factors of constant alpha";
    portability.shader_sample_rate_interpolation_functions = "portability: shaderSampleRateInterpolationFunctions", false, "pull-model interpolation";
    portability.tessellation_isolines = "portability: tessellationIsolines", false, "isolines";
    portability.tessellation_point_mode = "portability: tessellationPointMode", false, "points from domain shaders";
    portability.vertex_attribute_access_beyond_stride = "portability: vertexAttributeAccessBeyondStride", false, "vertex elements past their stride";
}

/// Extensions that are enabled where the device has them.
const EXTENSIONS: &[(&CStr, &str)] = &[
    (khr::push_descriptor::NAME, "pushed sets"),
    (khr::dynamic_rendering::NAME, "passes without render pass objects, before Vulkan 1.3"),
    (khr::swapchain::NAME, "windows"),
    (khr::portability_subset::NAME, "devices that are not wholly Vulkan, as MoltenVK's"),
    (khr::pipeline_library::NAME, "pipelines linked from parts made ahead"),
    (ext::graphics_pipeline_library::NAME, "pipelines linked from parts made ahead"),
    (ext::robustness2::NAME, "Direct3D's results of accesses out of range"),
    (ext::transform_feedback::NAME, "stream output"),
    (ext::shader_stencil_export::NAME, "SV_StencilRef"),
    (ext::fragment_shader_interlock::NAME, "rasteriser-ordered views"),
    (ext::shader_atomic_float::NAME, "exchanges in UAVs of floats"),
    (khr::shader_float_controls::NAME, "denormals, rounding and NaN as in Direct3D"),
    (ext::conservative_rasterization::NAME, "SV_InnerCoverage"),
    (ext::device_fault::NAME, "what the driver says of a lost device"),
];

/// What to ask of a device: for rx's own `vkCreateDevice`, or a host's.
pub struct DeviceRequest {
    pub(crate) extensions: Vec<&'static CStr>,
    pub(crate) features: Structures,
    needs: Vec<Need>,
    v13: bool,
}

impl DeviceRequest {
    /// What rx uses of what the device has. `window`: it must present.
    ///
    /// # Errors
    /// [`Error::MissingFeatures`] with each thing by name; [`Error::OutOfMemory`].
    pub fn new(adapter: &Adapter, window: bool) -> Result<DeviceRequest, Error> {
        let request = DeviceRequest::ask(adapter)?;
        let name = &adapter.facts.name;
        let mut missing: Vec<String> = Vec::new();
        if adapter.api_version() < vk::API_VERSION_1_2 {
            missing.push("Vulkan 1.2".to_owned());
        }
        let absent = |need: &&Need| need.required && !need.present;
        missing.extend(request.needs.iter().filter(absent).map(|need| need.name.to_owned()));
        if window && !request.has(khr::swapchain::NAME) {
            missing.push("VK_KHR_swapchain".to_owned());
        }
        if !missing.is_empty() {
            return Err(Error::MissingFeatures { device: name.clone(), missing });
        }
        Ok(request)
    }

    /// The same without a judgement: for a report.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn ask(adapter: &Adapter) -> Result<DeviceRequest, Error> {
        let instance = adapter.instance.raw();
        // SAFETY: the handles are live; the call only reads.
        let present = unsafe { instance.enumerate_device_extension_properties(adapter.physical) };
        let present = present.map_err(vulkan("vkEnumerateDeviceExtensionProperties", &adapter.facts.name))?;
        let has = |name: &CStr| present.iter().any(|own| own.extension_name_as_c_str() == Ok(name));
        let v13 = adapter.api_version() >= vk::API_VERSION_1_3;
        // What the version has, and what an instance without windows has no use for.
        let left_out = |name: &CStr| {
            v13 && name == khr::dynamic_rendering::NAME || !adapter.instance.0.surfaces && name == khr::swapchain::NAME
        };
        let extensions: Vec<&'static CStr> =
            EXTENSIONS.iter().map(|(name, _)| *name).filter(|name| has(name) && !left_out(name)).collect();
        let mut request = DeviceRequest { extensions, features: Structures::default(), needs: Vec::new(), v13 };
        let mut found = Structures::default();
        if adapter.api_version() >= vk::API_VERSION_1_2 {
            let mut all = request.chain(&mut found);
            // SAFETY: the chain's structures are live, each stands in it once, and the device knows each by its version
            // or an extension.
            unsafe { instance.get_physical_device_features2(adapter.physical, &mut all) };
            let core = all.features;
            found.core = core;
        }
        request.features = found.used();
        request.needs = found.needs();
        // The core has it, or nothing of the device asks for it.
        let idle = |name: &CStr| {
            v13 && name == khr::dynamic_rendering::NAME || name == khr::portability_subset::NAME && !has(name)
        };
        let portable = has(khr::portability_subset::NAME);
        request.needs.retain(|need| {
            !(v13 && need.name == EXTENSION_RENDERING) && (portable || !need.name.starts_with(PORTABILITY))
        });
        let listed = EXTENSIONS.iter().filter(|(name, _)| !idle(name)).map(|(name, what_for)| Need {
            name: name.to_str().unwrap_or_default(),
            what_for,
            required: false,
            present: has(name),
        });
        request.needs.extend(listed);
        Ok(request)
    }

    /// Extensions to enable.
    pub fn extensions(&self) -> &[&'static CStr] {
        &self.extensions
    }

    /// Every feature and extension that rx uses, in the order of its lists, and whether the device has it.
    pub fn needs(&self) -> &[Need] {
        &self.needs
    }

    /// Calls `create` with the features to enable: a chain for `VkDeviceCreateInfo`'s `pNext`.
    pub fn with_features<R>(&self, create: impl FnOnce(&mut vk::PhysicalDeviceFeatures2<'_>) -> R) -> R {
        let mut features = self.features;
        create(&mut self.chain(&mut features))
    }

    pub(crate) fn has(&self, name: &CStr) -> bool {
        self.extensions.contains(&name)
    }

    fn chain<'a>(&self, all: &'a mut Structures) -> vk::PhysicalDeviceFeatures2<'a> {
        let mut chain =
            vk::PhysicalDeviceFeatures2::default().features(all.core).push_next(&mut all.v11).push_next(&mut all.v12);
        if self.v13 {
            chain = chain.push_next(&mut all.v13);
        }
        if self.has(khr::dynamic_rendering::NAME) {
            chain = chain.push_next(&mut all.rendering);
        }
        if self.has(ext::robustness2::NAME) {
            chain = chain.push_next(&mut all.robustness);
        }
        if self.has(ext::transform_feedback::NAME) {
            chain = chain.push_next(&mut all.feedback);
        }
        if self.has(ext::fragment_shader_interlock::NAME) {
            chain = chain.push_next(&mut all.interlock);
        }
        if self.has(ext::shader_atomic_float::NAME) {
            chain = chain.push_next(&mut all.float_atomics);
        }
        if self.has(ext::graphics_pipeline_library::NAME) {
            chain = chain.push_next(&mut all.libraries);
        }
        if self.has(ext::device_fault::NAME) {
            chain = chain.push_next(&mut all.fault);
        }
        if self.has(khr::portability_subset::NAME) {
            chain = chain.push_next(&mut all.portability);
        }
        chain
    }
}
