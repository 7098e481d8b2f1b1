//! The logical device and the functions of its extensions.
//!
//! Owns what lives as long as anything of the device: Vulkan's own device, its memory, its names.

#![allow(unsafe_code)] // Vulkan calls.

use std::ffi::{CStr, c_char};

use ash::{ext, khr, vk};

use super::debug::Names;
use super::features::{DeviceRequest, Structures};
use super::instance::{Adapter, Instance};
use crate::Error;
use crate::error::vulkan;
use crate::memory::Memory;

/// By which functions passes begin and end without render pass objects.
pub(crate) enum Rendering {
    Core,
    Extension(khr::dynamic_rendering::Device),
    /// Not at all: render pass objects.
    None,
}

pub(crate) struct Core {
    pub(crate) memory: Memory,
    pub(crate) names: Names,
    pub(crate) push: Option<khr::push_descriptor::Device>,
    pub(crate) swapchain: Option<khr::swapchain::Device>,
    pub(crate) feedback: Option<ext::transform_feedback::Device>,
    pub(crate) fault: Option<ext::device_fault::Device>,
    pub(crate) rendering: Rendering,
    /// Pipelines are linked of parts quickly (`graphicsPipelineLibraryFastLinking`).
    pub(crate) links_quickly: bool,
    pub(crate) features: Structures,
    pub(crate) properties: vk::PhysicalDeviceProperties,
    pub(crate) physical: vk::PhysicalDevice,
    pub(crate) family: u32,
    pub(crate) raw: ash::Device,
    owned: bool,
    /// Last: the device goes before its instance.
    pub(crate) instance: Instance,
}

impl Core {
    /// Makes the device that the request describes.
    pub(crate) fn create(adapter: &Adapter, request: &DeviceRequest) -> Result<Core, Error> {
        let family = queue_family(adapter)?;
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
        let names: Vec<*const c_char> = request.extensions().iter().map(|name| name.as_ptr()).collect();
        let instance = adapter.instance.raw();
        let raw = request.with_features(|features| {
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(features);
            // SAFETY: everything that the structure points to outlives the call, and the device has what is asked for.
            unsafe { instance.create_device(adapter.physical, &info, None) }
        });
        let raw = raw.map_err(vulkan("vkCreateDevice", &adapter.facts.name))?;
        Core::over(adapter, request, raw, family, true)
    }

    /// Takes a device over. Where it is rx's own and this fails, it is destroyed.
    pub(crate) fn over(
        adapter: &Adapter,
        request: &DeviceRequest,
        raw: ash::Device,
        family: u32,
        owned: bool,
    ) -> Result<Core, Error> {
        let instance = adapter.instance.raw();
        let memory = Memory::new(instance, &raw, adapter.physical).inspect_err(|_| {
            if owned {
                // SAFETY: nothing of the device has been made.
                unsafe { raw.destroy_device(None) };
            }
        })?;
        let utils = adapter.instance.0.debug_utils.then(|| ext::debug_utils::Device::new(instance, &raw));
        let with = |name: &CStr| request.has(name);
        let rendering = if request.features.v13.dynamic_rendering == vk::TRUE {
            Rendering::Core
        } else if request.features.rendering.dynamic_rendering == vk::TRUE {
            Rendering::Extension(khr::dynamic_rendering::Device::new(instance, &raw))
        } else {
            Rendering::None
        };
        Ok(Core {
            memory,
            names: Names::new(utils),
            push: with(khr::push_descriptor::NAME).then(|| khr::push_descriptor::Device::new(instance, &raw)),
            swapchain: (with(khr::swapchain::NAME) && adapter.instance.0.surfaces)
                .then(|| khr::swapchain::Device::new(instance, &raw)),
            feedback: (request.features.feedback.transform_feedback == vk::TRUE)
                .then(|| ext::transform_feedback::Device::new(instance, &raw)),
            fault: (request.features.fault.device_fault == vk::TRUE)
                .then(|| ext::device_fault::Device::new(instance, &raw)),
            rendering,
            links_quickly: request.features.libraries.graphics_pipeline_library == vk::TRUE && links_quickly(adapter),
            features: request.features,
            properties: adapter.properties,
            physical: adapter.physical,
            family,
            raw,
            owned,
            instance: adapter.instance.clone(),
        })
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.memory.close();
        if self.owned {
            // SAFETY: whoever made objects of the device held this value, and is gone.
            unsafe { self.raw.destroy_device(None) };
        }
    }
}

/// Whether linking a pipeline of parts costs little: a device that says no compiles anew.
fn links_quickly(adapter: &Adapter) -> bool {
    let mut libraries = vk::PhysicalDeviceGraphicsPipelineLibraryPropertiesEXT::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut libraries);
    // SAFETY: the handles are live, and the device has the extension that the structure belongs to.
    unsafe { adapter.instance.raw().get_physical_device_properties2(adapter.physical, &mut all) };
    libraries.graphics_pipeline_library_fast_linking == vk::TRUE
}

/// The first family for both graphics and compute.
fn queue_family(adapter: &Adapter) -> Result<u32, Error> {
    // SAFETY: the handles are live; the call only reads.
    let families = unsafe { adapter.instance.raw().get_physical_device_queue_family_properties(adapter.physical) };
    let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    let found = families.iter().position(|family| family.queue_flags.contains(wanted));
    found.map(|index| index as u32).ok_or_else(|| Error::MissingFeatures {
        device: adapter.facts.name.clone(),
        missing: vec!["a queue for graphics and compute".to_owned()],
    })
}
