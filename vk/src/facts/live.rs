//! Facts of a live device, asked of Vulkan.
//!
//! Owns the queries: they read, make nothing but an instance where there is none, and need no logical device. What the
//! device does not say stays unknown.

use std::ffi::CStr;

use ash::{ext, khr, vk};
use rx_translate::{Features, FloatControls, Target};
use rx_vendor_fixes::{DriverId, Version};

use crate::Error;

use super::{ChipFacts, DeviceFacts, Limits, MetalFacts, ShaderFacts, Source};

/// The structures that a device may fill. Those that it does not know stay zeros.
#[derive(Default)]
struct Answers {
    core: vk::PhysicalDeviceProperties,
    driver: vk::PhysicalDeviceDriverProperties<'static>,
    indexing: vk::PhysicalDeviceDescriptorIndexingProperties<'static>,
    inline: vk::PhysicalDeviceInlineUniformBlockProperties<'static>,
    push: vk::PhysicalDevicePushDescriptorPropertiesKHR<'static>,
    floats: vk::PhysicalDeviceFloatControlsProperties<'static>,
    conservative: vk::PhysicalDeviceConservativeRasterizationPropertiesEXT<'static>,
    features: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features<'static>,
    v12: vk::PhysicalDeviceVulkan12Features<'static>,
    v13: vk::PhysicalDeviceVulkan13Features<'static>,
    robustness: vk::PhysicalDeviceRobustness2FeaturesEXT<'static>,
    interlock: vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT<'static>,
    float_atomics: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
}

/// What a device has: its version and extensions.
struct Has {
    version: u32,
    extensions: Vec<vk::ExtensionProperties>,
}

impl Has {
    fn version(&self, version: u32) -> bool {
        self.version >= version
    }

    fn extension(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|own| own.extension_name_as_c_str() == Ok(name))
    }

    fn driver_properties(&self) -> bool {
        self.version(vk::API_VERSION_1_2) || self.extension(khr::driver_properties::NAME)
    }

    fn update_after_bind(&self) -> bool {
        self.version(vk::API_VERSION_1_2) || self.extension(ext::descriptor_indexing::NAME)
    }

    fn float_controls(&self) -> bool {
        self.version(vk::API_VERSION_1_2) || self.extension(khr::shader_float_controls::NAME)
    }

    fn inline_blocks(&self) -> bool {
        self.version(vk::API_VERSION_1_3) || self.extension(ext::inline_uniform_block::NAME)
    }

    fn push_descriptors(&self) -> bool {
        // Core in 1.4, where a device also lists the extension as long as it has it at all.
        self.extension(khr::push_descriptor::NAME)
    }
}

impl DeviceFacts {
    /// The facts of a live device.
    ///
    /// Of a device older than Vulkan 1.1 only its core limits and extensions are known. Of Metal's facts only what
    /// MoltenVK's limits betray: the rest is taken to be an M1's.
    ///
    /// # Errors
    /// What `vkEnumerateDeviceExtensionProperties` gives: out of memory, or a lost device.
    #[allow(unsafe_code)]
    pub fn from_device(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Result<DeviceFacts, vk::Result> {
        // SAFETY: `instance` is live while it is borrowed, and the caller's `physical` is one of its devices; the calls
        // only read. So in all of this file.
        let core = unsafe { instance.get_physical_device_properties(physical) };
        // SAFETY: as above.
        let extensions = unsafe { instance.enumerate_device_extension_properties(physical) }?;
        let has = Has { version: core.api_version, extensions };
        let mut answers = Answers { core, ..Answers::default() };
        if has.version(vk::API_VERSION_1_1) {
            ask_properties(instance, physical, &has, &mut answers);
            ask_features(instance, physical, &has, &mut answers);
        }
        Ok(facts(&has, &answers))
    }

    /// The facts of this machine's devices, in the order in which Vulkan lists them: never none. For a tool; a host that
    /// has an instance asks [`DeviceFacts::from_device`].
    ///
    /// # Errors
    /// [`Error::NoVulkan`] where there is no loader or no device, or a call fails.
    #[allow(unsafe_code)]
    pub fn live() -> Result<Vec<DeviceFacts>, Error> {
        // SAFETY: the loader is a library that runs its own initialisers, nothing else; it stays loaded to the end.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| Error::NoVulkan { why: error.to_string() })?;
        let instance = instance(&entry)?;
        // SAFETY: the instance is live up to its destruction below, and its devices with it.
        let devices = unsafe { instance.enumerate_physical_devices() }.map_err(failed("vkEnumeratePhysicalDevices"));
        let ask = |device: &vk::PhysicalDevice| {
            DeviceFacts::from_device(&instance, *device).map_err(failed("vkEnumerateDeviceExtensionProperties"))
        };
        let all = devices.and_then(|devices| devices.iter().map(ask).collect::<Result<Vec<DeviceFacts>, Error>>());
        // SAFETY: nothing of the instance is used any more.
        unsafe { instance.destroy_instance(None) };
        match all {
            Ok(devices) if devices.is_empty() => Err(Error::NoVulkan { why: "the loader finds no device".to_owned() }),
            all => all,
        }
    }
}

fn failed(call: &'static str) -> impl Fn(vk::Result) -> Error {
    move |result| Error::NoVulkan { why: format!("{call}: {result}") }
}

/// An instance without layers that lists every device, also one that is a portability subset, as MoltenVK's is.
#[allow(unsafe_code)]
fn instance(entry: &ash::Entry) -> Result<ash::Instance, Error> {
    // SAFETY: the loader is live; these calls only read.
    let version = unsafe { entry.try_enumerate_instance_version() }.map_err(failed("vkEnumerateInstanceVersion"))?;
    // SAFETY: as above.
    let present = unsafe { entry.enumerate_instance_extension_properties(None) }
        .map_err(failed("vkEnumerateInstanceExtensionProperties"))?;
    let portability = khr::portability_enumeration::NAME;
    let has_portability = present.iter().any(|own| own.extension_name_as_c_str() == Ok(portability));
    let extensions = [portability.as_ptr()];
    // A loader of Vulkan 1.0 takes no higher number than its own.
    let api = version.map_or(vk::API_VERSION_1_0, |_| vk::API_VERSION_1_3);
    let application = vk::ApplicationInfo::default().api_version(api);
    let mut info = vk::InstanceCreateInfo::default().application_info(&application);
    if has_portability {
        info = info.enabled_extension_names(&extensions).flags(vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR);
    }
    // SAFETY: everything that the structure points to outlives the call.
    unsafe { entry.create_instance(&info, None) }.map_err(failed("vkCreateInstance"))
}

#[allow(unsafe_code)]
fn ask_properties(instance: &ash::Instance, physical: vk::PhysicalDevice, has: &Has, answers: &mut Answers) {
    let mut all = vk::PhysicalDeviceProperties2::default();
    if has.driver_properties() {
        all = all.push_next(&mut answers.driver);
    }
    if has.update_after_bind() {
        all = all.push_next(&mut answers.indexing);
    }
    if has.inline_blocks() {
        all = all.push_next(&mut answers.inline);
    }
    if has.push_descriptors() {
        all = all.push_next(&mut answers.push);
    }
    if has.float_controls() {
        all = all.push_next(&mut answers.floats);
    }
    if has.extension(ext::conservative_rasterization::NAME) {
        all = all.push_next(&mut answers.conservative);
    }
    // SAFETY: as in `from_device`; every structure of the chain is live, stands in it once, and is one that the device
    // knows by its version or an extension.
    unsafe { instance.get_physical_device_properties2(physical, &mut all) };
    answers.core = all.properties;
}

#[allow(unsafe_code)]
fn ask_features(instance: &ash::Instance, physical: vk::PhysicalDevice, has: &Has, answers: &mut Answers) {
    let mut all = vk::PhysicalDeviceFeatures2::default();
    if has.version(vk::API_VERSION_1_2) {
        all = all.push_next(&mut answers.v11).push_next(&mut answers.v12);
    }
    if has.version(vk::API_VERSION_1_3) {
        all = all.push_next(&mut answers.v13);
    }
    if has.extension(ext::robustness2::NAME) {
        all = all.push_next(&mut answers.robustness);
    }
    if has.extension(ext::fragment_shader_interlock::NAME) {
        all = all.push_next(&mut answers.interlock);
    }
    if has.extension(ext::shader_atomic_float::NAME) {
        all = all.push_next(&mut answers.float_atomics);
    }
    // SAFETY: as in `ask_properties`.
    unsafe { instance.get_physical_device_features2(physical, &mut all) };
    answers.features = all.features;
}

fn facts(has: &Has, answers: &Answers) -> DeviceFacts {
    let core = &answers.core;
    let name = core.device_name_as_c_str().unwrap_or_default().to_string_lossy().into_owned();
    let driver_id = has.driver_properties().then(|| DriverId(answers.driver.driver_id.as_raw().unsigned_abs()));
    let limits = limits(has, answers);
    let moltenvk = driver_id == Some(DriverId::MOLTENVK);
    DeviceFacts {
        name: name.clone(),
        source: Source { report: "the device itself".to_owned(), ..Source::default() },
        driver_id,
        driver_version: driver_id.map(|id| Version::decode(id, core.driver_version)),
        push_descriptors: Some(has.push_descriptors()),
        update_after_bind: Some(has.update_after_bind()),
        chip: ChipFacts {
            name: Some(name),
            vendor_id: Some(core.vendor_id),
            device_id: Some(core.device_id),
            integrated: Some(core.device_type == vk::PhysicalDeviceType::INTEGRATED_GPU),
        },
        shaders: shaders(has, answers),
        metal: if moltenvk { MetalFacts::from_limits(&limits) } else { MetalFacts::default() },
        limits,
    }
}

fn limits(has: &Has, answers: &Answers) -> Limits {
    let (core, uab, inline) = (&answers.core.limits, &answers.indexing, &answers.inline);
    let indexed = |value: u32| has.update_after_bind().then_some(value);
    let inlined = |value: u32| has.inline_blocks().then_some(value);
    let pushed = if has.push_descriptors() { answers.push.max_push_descriptors } else { 0 };
    Limits {
        max_push_descriptors: Some(pushed),
        max_bound_descriptor_sets: Some(core.max_bound_descriptor_sets),
        max_per_stage_descriptor_samplers: Some(core.max_per_stage_descriptor_samplers),
        max_per_stage_descriptor_uniform_buffers: Some(core.max_per_stage_descriptor_uniform_buffers),
        max_per_stage_descriptor_storage_buffers: Some(core.max_per_stage_descriptor_storage_buffers),
        max_per_stage_descriptor_sampled_images: Some(core.max_per_stage_descriptor_sampled_images),
        max_per_stage_descriptor_storage_images: Some(core.max_per_stage_descriptor_storage_images),
        max_per_stage_descriptor_input_attachments: Some(core.max_per_stage_descriptor_input_attachments),
        max_per_stage_descriptor_inline_uniform_blocks: inlined(inline.max_per_stage_descriptor_inline_uniform_blocks),
        max_per_stage_resources: Some(core.max_per_stage_resources),
        max_descriptor_set_samplers: Some(core.max_descriptor_set_samplers),
        max_descriptor_set_uniform_buffers: Some(core.max_descriptor_set_uniform_buffers),
        max_descriptor_set_uniform_buffers_dynamic: Some(core.max_descriptor_set_uniform_buffers_dynamic),
        max_descriptor_set_storage_buffers: Some(core.max_descriptor_set_storage_buffers),
        max_descriptor_set_storage_buffers_dynamic: Some(core.max_descriptor_set_storage_buffers_dynamic),
        max_descriptor_set_sampled_images: Some(core.max_descriptor_set_sampled_images),
        max_descriptor_set_storage_images: Some(core.max_descriptor_set_storage_images),
        max_descriptor_set_input_attachments: Some(core.max_descriptor_set_input_attachments),
        max_descriptor_set_inline_uniform_blocks: inlined(inline.max_descriptor_set_inline_uniform_blocks),
        max_per_stage_descriptor_update_after_bind_samplers: indexed(
            uab.max_per_stage_descriptor_update_after_bind_samplers,
        ),
        max_per_stage_descriptor_update_after_bind_uniform_buffers: indexed(
            uab.max_per_stage_descriptor_update_after_bind_uniform_buffers,
        ),
        max_per_stage_descriptor_update_after_bind_storage_buffers: indexed(
            uab.max_per_stage_descriptor_update_after_bind_storage_buffers,
        ),
        max_per_stage_descriptor_update_after_bind_sampled_images: indexed(
            uab.max_per_stage_descriptor_update_after_bind_sampled_images,
        ),
        max_per_stage_descriptor_update_after_bind_storage_images: indexed(
            uab.max_per_stage_descriptor_update_after_bind_storage_images,
        ),
        max_per_stage_descriptor_update_after_bind_input_attachments: indexed(
            uab.max_per_stage_descriptor_update_after_bind_input_attachments,
        ),
        max_per_stage_descriptor_update_after_bind_inline_uniform_blocks: inlined(
            inline.max_per_stage_descriptor_update_after_bind_inline_uniform_blocks,
        ),
        max_per_stage_update_after_bind_resources: indexed(uab.max_per_stage_update_after_bind_resources),
        max_descriptor_set_update_after_bind_samplers: indexed(uab.max_descriptor_set_update_after_bind_samplers),
        max_descriptor_set_update_after_bind_uniform_buffers: indexed(
            uab.max_descriptor_set_update_after_bind_uniform_buffers,
        ),
        max_descriptor_set_update_after_bind_uniform_buffers_dynamic: indexed(
            uab.max_descriptor_set_update_after_bind_uniform_buffers_dynamic,
        ),
        max_descriptor_set_update_after_bind_storage_buffers: indexed(
            uab.max_descriptor_set_update_after_bind_storage_buffers,
        ),
        max_descriptor_set_update_after_bind_storage_buffers_dynamic: indexed(
            uab.max_descriptor_set_update_after_bind_storage_buffers_dynamic,
        ),
        max_descriptor_set_update_after_bind_sampled_images: indexed(
            uab.max_descriptor_set_update_after_bind_sampled_images,
        ),
        max_descriptor_set_update_after_bind_storage_images: indexed(
            uab.max_descriptor_set_update_after_bind_storage_images,
        ),
        max_descriptor_set_update_after_bind_input_attachments: indexed(
            uab.max_descriptor_set_update_after_bind_input_attachments,
        ),
        max_descriptor_set_update_after_bind_inline_uniform_blocks: inlined(
            inline.max_descriptor_set_update_after_bind_inline_uniform_blocks,
        ),
    }
}

fn shaders(has: &Has, answers: &Answers) -> ShaderFacts {
    let target = [
        (vk::API_VERSION_1_3, Target::Vulkan13),
        (vk::API_VERSION_1_2, Target::Vulkan12),
        (vk::API_VERSION_1_1, Target::Vulkan11),
    ];
    let robustness = &answers.robustness;
    ShaderFacts {
        target: target.into_iter().find(|&(version, _)| has.version(version)).map(|(_, target)| target),
        features: has.version(vk::API_VERSION_1_1).then(|| features(has, answers)),
        float_controls: has.version(vk::API_VERSION_1_1).then(|| float_controls(&answers.floats)),
        robust_buffers: Some(robustness.robust_buffer_access2 == vk::TRUE),
        robust_images: Some(robustness.robust_image_access2 == vk::TRUE),
    }
}

/// What may be asked of one width whatever a module asks of another: where widths are not free of each other, only what
/// all that hang together can do.
fn float_controls(floats: &vk::PhysicalDeviceFloatControlsProperties<'_>) -> FloatControls {
    use vk::ShaderFloatControlsIndependence as Free;
    let on = |flag: vk::Bool32| flag == vk::TRUE;
    let (preserve_16, preserve_64) =
        (on(floats.shader_denorm_preserve_float16), on(floats.shader_denorm_preserve_float64));
    let denormals = floats.denorm_behavior_independence;
    let preserves = |own| match denormals {
        Free::ALL => own,
        // Both or neither: a module may have both.
        Free::TYPE_32_ONLY => preserve_16 && preserve_64,
        _ => false,
    };
    let rounding = floats.rounding_mode_independence;
    FloatControls {
        flush_f32: denormals != Free::NONE && on(floats.shader_denorm_flush_to_zero_float32),
        preserve_f16: preserves(preserve_16),
        preserve_f64: preserves(preserve_64),
        nearest_f32: rounding != Free::NONE && on(floats.shader_rounding_mode_rte_float32),
        // 16-bit floats get no mode, so 64-bit ones may only have one where they are free of them.
        nearest_f64: rounding == Free::ALL && on(floats.shader_rounding_mode_rte_float64),
        specials_f32: on(floats.shader_signed_zero_inf_nan_preserve_float32),
        specials_f64: on(floats.shader_signed_zero_inf_nan_preserve_float64),
    }
}

fn features(has: &Has, answers: &Answers) -> Features {
    let (core, v11, v12, v13) = (&answers.features, &answers.v11, &answers.v12, &answers.v13);
    let on = |flags: &[vk::Bool32]| flags.iter().all(|&flag| flag == vk::TRUE);
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
        stencil_export: has.extension(ext::shader_stencil_export::NAME),
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
        fragment_interlock: on(&[answers.interlock.fragment_shader_pixel_interlock]),
        fully_covered: on(&[answers.conservative.fully_covered_fragment_shader_input_variable]),
        scalar_block_layout: on(&[v12.scalar_block_layout]),
        image_float32_atomics: on(&[answers.float_atomics.shader_image_float32_atomics]),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn extension(name: &CStr) -> vk::ExtensionProperties {
        vk::ExtensionProperties::default().extension_name(name).unwrap()
    }

    fn answers() -> Answers {
        let mut answers = Answers::default();
        answers.core.driver_version = 10402;
        answers.core = answers.core.device_name(c"Apple M1").unwrap();
        answers.core.vendor_id = 0x106b;
        answers.core.device_type = vk::PhysicalDeviceType::INTEGRATED_GPU;
        answers.core.limits.max_per_stage_descriptor_samplers = 16;
        answers.driver.driver_id = vk::DriverId::MOLTENVK;
        answers.push.max_push_descriptors = 287;
        answers.indexing.max_per_stage_descriptor_update_after_bind_sampled_images = 1_000_000;
        answers.v13.shader_demote_to_helper_invocation = vk::TRUE;
        answers.robustness.robust_buffer_access2 = vk::TRUE;
        answers
    }

    #[test]
    fn a_device_of_vulkan_1_3_says_all() {
        let has = Has { version: vk::API_VERSION_1_3, extensions: vec![extension(khr::push_descriptor::NAME)] };
        let facts = facts(&has, &answers());
        assert_eq!(facts.driver_id, Some(DriverId::MOLTENVK));
        assert_eq!(facts.driver_version, Some(Version::new(1, 4, 2)));
        assert_eq!((facts.push_descriptors, facts.update_after_bind), (Some(true), Some(true)));
        assert_eq!(facts.limits.max_push_descriptors, Some(287));
        assert_eq!(facts.limits.max_per_stage_descriptor_samplers, Some(16));
        assert_eq!(facts.metal.argument_buffers_tier, Some(2));
        assert_eq!((facts.name.as_str(), facts.chip.name.as_deref()), ("Apple M1", Some("Apple M1")));
        assert_eq!((facts.chip.vendor_id, facts.chip.integrated), (Some(0x106b), Some(true)));
        assert_eq!(facts.shaders.target, Some(Target::Vulkan13));
        assert_eq!((facts.shaders.robust_buffers, facts.shaders.robust_images), (Some(true), Some(false)));
        let features = facts.shaders.features.unwrap();
        assert!(features.demote_to_helper && !features.float64 && !features.stencil_export);
        assert_eq!(DeviceFacts::from_json("live", &facts.to_json().to_string()), Ok(facts));
    }

    #[test]
    fn what_an_old_device_cannot_say_is_not_known() {
        let has = Has { version: vk::API_VERSION_1_1, extensions: Vec::new() };
        let facts = facts(&has, &answers());
        assert_eq!((facts.driver_id, facts.driver_version), (None, None));
        assert_eq!((facts.push_descriptors, facts.update_after_bind), (Some(false), Some(false)));
        assert_eq!(facts.limits.max_push_descriptors, Some(0));
        assert_eq!(facts.limits.max_per_stage_descriptor_update_after_bind_samplers, None);
        assert_eq!(facts.limits.max_descriptor_set_inline_uniform_blocks, None);
        assert_eq!(facts.metal, MetalFacts::default());
        assert_eq!(facts.shaders.target, Some(Target::Vulkan11));
    }

    #[test]
    fn extensions_stand_for_versions() {
        let extensions = vec![extension(ext::descriptor_indexing::NAME), extension(khr::driver_properties::NAME)];
        let facts = facts(&Has { version: vk::API_VERSION_1_1, extensions }, &answers());
        assert_eq!((facts.driver_id, facts.update_after_bind), (Some(DriverId::MOLTENVK), Some(true)));
        assert!(facts.limits.max_per_stage_descriptor_update_after_bind_sampled_images.is_some());
    }
}
