//! What of a device is switched on: everything that rx can use and the device has.

use super::{Result, failed};
use ash::{ext, khr, vk};
use rx_translate::{Features, FloatControls};
use rx_vk::DeviceFacts;
use std::ffi::CStr;

/// What is switched on, where a test or the translator asks.
#[derive(Clone, Copy, Debug)]
pub struct Enabled {
    /// The translator's side.
    pub features: Features,
    /// What of floats the device can be told.
    pub float_controls: FloatControls,
    /// `robustBufferAccess2`.
    pub robust_buffers: bool,
    /// `robustImageAccess2`.
    pub robust_images: bool,
    /// `nullDescriptor`: an unbound register can be told to the driver.
    pub null_descriptors: bool,
    /// `geometryShader`.
    pub geometry: bool,
    /// `tessellationShader`.
    pub tessellation: bool,
    /// `transformFeedback`.
    pub transform_feedback: bool,
    /// `multiViewport`.
    pub multi_viewport: bool,
    /// `dualSrcBlend`.
    pub dual_source: bool,
}

/// Extensions taken where they are present, for the features or the SPIR-V capabilities that they bring.
const OPTIONAL: &[&CStr] = &[
    ext::robustness2::NAME,
    ext::transform_feedback::NAME,
    ext::shader_stencil_export::NAME,
    ext::fragment_shader_interlock::NAME,
    ext::conservative_rasterization::NAME,
    ext::shader_atomic_float::NAME,
    khr::push_descriptor::NAME,
];

/// Makes the device, with every supported feature of the structures that rx knows.
pub(super) fn device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    family: u32,
) -> Result<(ash::Device, Enabled)> {
    // SAFETY: the handles are live.
    let present = unsafe { instance.enumerate_device_extension_properties(physical) }.map_err(failed("extensions"))?;
    let has = |name: &CStr| present.iter().any(|p| p.extension_name_as_c_str() == Ok(name));
    let extensions: Vec<_> = OPTIONAL.iter().copied().filter(|n| has(n)).collect();
    let taken = |name: &CStr| extensions.contains(&name);

    let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
    let mut robustness = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
    let mut feedback = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default();
    let mut interlock = vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT::default();
    let mut float_atomics = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default();
    let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
    if taken(ext::robustness2::NAME) {
        all = all.push_next(&mut robustness);
    }
    if taken(ext::transform_feedback::NAME) {
        all = all.push_next(&mut feedback);
    }
    if taken(ext::fragment_shader_interlock::NAME) {
        all = all.push_next(&mut interlock);
    }
    if taken(ext::shader_atomic_float::NAME) {
        all = all.push_next(&mut float_atomics);
    }
    // SAFETY: the chain's structures are live and each stands in it once.
    unsafe { instance.get_physical_device_features2(physical, &mut all) };
    let core = all.features;

    let names: Vec<_> = extensions.iter().map(|n| n.as_ptr()).collect();
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
    // What was found is what is switched on: the same chain goes back.
    let info =
        vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names).push_next(&mut all);
    // SAFETY: as above, and the names are static.
    let device = unsafe { instance.create_device(physical, &info, None) }.map_err(failed("vkCreateDevice"))?;
    if v13.dynamic_rendering == vk::FALSE || v13.synchronization2 == vk::FALSE {
        return Err("the device lacks dynamic rendering".to_owned());
    }
    let mut features = translator_features(&core, &v11, &v12, &v13);
    features.stencil_export = taken(ext::shader_stencil_export::NAME);
    features.fragment_interlock = interlock.fragment_shader_pixel_interlock == vk::TRUE;
    features.image_float32_atomics = float_atomics.shader_image_float32_atomics == vk::TRUE;
    features.fully_covered = taken(ext::conservative_rasterization::NAME) && fully_covered(instance, physical);
    let facts = DeviceFacts::from_device(instance, physical).map_err(failed("facts of the device"))?;
    let enabled = Enabled {
        features,
        float_controls: facts.shaders.float_controls.unwrap_or_default(),
        robust_buffers: robustness.robust_buffer_access2 == vk::TRUE,
        robust_images: robustness.robust_image_access2 == vk::TRUE,
        null_descriptors: robustness.null_descriptor == vk::TRUE,
        geometry: core.geometry_shader == vk::TRUE,
        tessellation: core.tessellation_shader == vk::TRUE,
        transform_feedback: feedback.transform_feedback == vk::TRUE,
        multi_viewport: core.multi_viewport == vk::TRUE,
        dual_source: core.dual_src_blend == vk::TRUE,
    };
    Ok((device, enabled))
}

/// Whether `FullyCoveredEXT` may be read: a property, not a feature.
fn fully_covered(instance: &ash::Instance, physical: vk::PhysicalDevice) -> bool {
    let mut conservative = vk::PhysicalDeviceConservativeRasterizationPropertiesEXT::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut conservative);
    // SAFETY: the handles and the chain are live.
    unsafe { instance.get_physical_device_properties2(physical, &mut all) };
    conservative.fully_covered_fragment_shader_input_variable == vk::TRUE
}

/// Features of the core; those of extensions are off.
fn translator_features(
    core: &vk::PhysicalDeviceFeatures,
    v11: &vk::PhysicalDeviceVulkan11Features<'_>,
    v12: &vk::PhysicalDeviceVulkan12Features<'_>,
    v13: &vk::PhysicalDeviceVulkan13Features<'_>,
) -> Features {
    let on = |flags: &[vk::Bool32]| flags.iter().all(|f| *f == vk::TRUE);
    Features {
        demote_to_helper: on(&[v13.shader_demote_to_helper_invocation]),
        draw_parameters: on(&[v11.shader_draw_parameters]),
        read_without_format: on(&[core.shader_storage_image_read_without_format]),
        write_without_format: on(&[core.shader_storage_image_write_without_format]),
        gather_extended: on(&[core.shader_image_gather_extended]),
        residency: on(&[core.shader_resource_residency]),
        min_lod: on(&[core.shader_resource_min_lod]),
        cube_array: on(&[core.image_cube_array]),
        sample_rate_shading: on(&[core.sample_rate_shading]),
        viewport_layer_any_stage: on(&[v12.shader_output_viewport_index, v12.shader_output_layer]),
        point_size_any_stage: on(&[core.shader_tessellation_and_geometry_point_size]),
        stencil_export: false,
        float64: on(&[core.shader_float64]),
        float16: on(&[v12.shader_float16]),
        int64: on(&[core.shader_int64]),
        descriptor_indexing: on(&[
            v12.runtime_descriptor_array,
            v12.descriptor_binding_partially_bound,
            v12.shader_sampled_image_array_non_uniform_indexing,
            v12.shader_storage_buffer_array_non_uniform_indexing,
            v12.shader_storage_image_array_non_uniform_indexing,
            v12.shader_uniform_buffer_array_non_uniform_indexing,
        ]),
        fragment_interlock: false,
        fully_covered: false,
        scalar_block_layout: on(&[v12.scalar_block_layout]),
        image_float32_atomics: false,
    }
}
