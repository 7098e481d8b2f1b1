//! A host's own Vulkan: its instance and its device, which rx uses and never destroys.

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::transmute;

use ::rx_renderer::Renderer;
use ::rx_renderer::vk::ash::{self, vk, vk::Handle};
use ::rx_renderer::vk::{Adapter, Device, DeviceRequest, Instance, Surface, Swapchain};

use crate::facts::rx_facts;
use crate::reflect::past;
use crate::renderer::{pace, rx_pace, rx_renderer, rx_renderer_desc};
use crate::result::{Failure, c_string, check_version, guard, guard_or, rx_result};
use crate::shader::rx_bool;

/// A function whose type its user knows.
pub type rx_proc = Option<unsafe extern "C" fn()>;

/// A host's instance and which of its devices is meant. The instance is of Vulkan 1.1 or later.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_host_instance {
    /// vkGetInstanceProcAddr, cast.
    pub get_instance_proc_addr: rx_proc,
    /// VkInstance.
    pub instance: *mut c_void,
    /// VkPhysicalDevice.
    pub physical_device: *mut c_void,
    /// The instance extensions that the host enabled.
    pub extensions: *const *const c_char,
    /// Their number.
    pub extension_count: usize,
}

/// A device that could be taken.
pub struct rx_adapter {
    instance: Instance,
    adapter: Adapter,
}

/// What to ask of a device for rx: extensions and features.
pub struct rx_device_request {
    own: DeviceRequest,
    needs: Vec<(CString, CString)>,
}

/// A feature or extension that rx uses.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_need {
    /// Vulkan's name.
    pub name: *const c_char,
    /// What rx does with it.
    pub what_for: *const c_char,
    /// There is no renderer without it.
    pub required: rx_bool,
    /// The device has it.
    pub present: rx_bool,
}

/// Makes a device: `features` is a VkPhysicalDeviceFeatures2 with its chain, for the pNext of VkDeviceCreateInfo; it lives
/// during the call. It must not unwind.
pub type rx_features_callback = Option<unsafe extern "C" fn(user: *mut c_void, features: *const c_void)>;

/// Takes a host's instance and one of its devices. Both outlive the result and all that is made of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_adapter_adopt(
    api_version: u32,
    host: *const rx_host_instance,
    out: *mut *mut rx_adapter,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let host = arg!(host);
        let load = host.get_instance_proc_addr.ok_or_else(|| Failure::null("get_instance_proc_addr"))?;
        if host.instance.is_null() || host.physical_device.is_null() {
            return Err(Failure::null(if host.instance.is_null() { "instance" } else { "physical_device" }));
        }
        let mut extensions: Vec<&CStr> = Vec::new();
        for &name in array!(host.extensions, host.extension_count) {
            text!(name);
            // SAFETY: the name was read just now.
            extensions.push(unsafe { CStr::from_ptr(name) });
        }
        // SAFETY: the host says that the function is Vulkan's loader's.
        let get_instance_proc_addr =
            unsafe { transmute::<unsafe extern "C" fn(), vk::PFN_vkGetInstanceProcAddr>(load) };
        let functions = ash::StaticFn { get_instance_proc_addr };
        let raw = vk::Instance::from_raw(host.instance as u64);
        // SAFETY: as above; the instance is live, of 1.1 at least, and has these extensions: the host says so.
        let instance = unsafe {
            let raw = ash::Instance::load(&functions, raw);
            Instance::from_raw(ash::Entry::from_static_fn(functions), raw, &extensions)
        };
        let physical = vk::PhysicalDevice::from_raw(host.physical_device as u64);
        // SAFETY: the host says that the device is of the instance.
        let adapter = unsafe { Adapter::from_raw(&instance, physical) }?;
        Ok(rx_adapter { instance, adapter })
    })
}

/// What is known of the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_adapter_facts(adapter: *const rx_adapter, out: *mut *mut rx_facts) -> rx_result {
    create!(out, { Ok(rx_facts::new(arg!(adapter).adapter.facts.clone())) })
}

/// Destroys what rx holds of the host's instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_adapter_destroy(adapter: *mut rx_adapter) {
    destroy!(adapter);
}

/// What to ask of the device: all that rx uses of what it has. `window`: it must present.
///
/// RX_ERROR_NO_DEVICE with each missing thing by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_device_request_create(
    adapter: *const rx_adapter,
    window: rx_bool,
    out: *mut *mut rx_device_request,
) -> rx_result {
    create!(out, {
        let own = DeviceRequest::new(&arg!(adapter).adapter, window != 0)?;
        let needs = own.needs().iter().map(|need| (c_string(need.name), c_string(need.what_for))).collect();
        Ok(rx_device_request { own, needs })
    })
}

/// A device extension to enable, by number from 0; NULL past the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_device_request_extension(request: *const rx_device_request, index: usize) -> *const c_char {
    guard_or(std::ptr::null(), || {
        Ok(arg!(request).own.extensions().get(index).map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// A feature or extension that rx uses, by number from 0, for a report. RX_ERROR_ARGUMENT past the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_device_request_need(
    request: *const rx_device_request,
    index: usize,
    out: *mut rx_need,
) -> rx_result {
    guard(|| {
        let request = arg!(request);
        let found = request.own.needs().get(index).zip(request.needs.get(index));
        let (need, (name, what_for)) = found.ok_or_else(|| past(index, "needs"))?;
        let own = rx_need {
            name: name.as_ptr(),
            what_for: what_for.as_ptr(),
            required: rx_bool::from(need.required),
            present: rx_bool::from(need.present),
        };
        put!(out, own);
        Ok(())
    })
}

/// Calls `create` with the features to enable: there the host makes its device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_device_request_with_features(
    request: *const rx_device_request,
    create: rx_features_callback,
    user: *mut c_void,
) -> rx_result {
    guard(|| {
        let create = create.ok_or_else(|| Failure::null("create"))?;
        arg!(request).own.with_features(|features| {
            // SAFETY: the host's function, with its own pointer and a chain that lives.
            unsafe { create(user, (&raw const *features).cast()) };
        });
        Ok(())
    })
}

/// Destroys a request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_device_request_destroy(request: *mut rx_device_request) {
    destroy!(request);
}

/// A renderer over a host's own device (VkDevice), made as the request says, with a queue 0 of `queue_family` for graphics
/// and compute that nobody else uses at the same time. The device outlives the renderer and every object of it; rx never
/// destroys it. Frames show in no window before rx_renderer_show_in. `desc` may be NULL; of it the application, the layers and
/// the cache's folder are not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_adopt(
    adapter: *const rx_adapter,
    request: *const rx_device_request,
    desc: *const rx_renderer_desc,
    device: *mut c_void,
    queue_family: u32,
    out: *mut *mut rx_renderer,
) -> rx_result {
    create!(out, {
        let (adapter, request) = (arg!(adapter), arg!(request));
        let options = arg_or_zeros!(desc).get()?;
        if device.is_null() {
            return Err(Failure::null("device"));
        }
        let instance = adapter.instance.raw();
        // SAFETY: the host's device is live, of this instance.
        let raw = unsafe { ash::Device::load(instance.fp_v1_0(), vk::Device::from_raw(device as u64)) };
        // SAFETY: the call only reads.
        let families = unsafe { instance.get_physical_device_queue_family_properties(adapter.adapter.raw()) };
        let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        if !families.get(queue_family as usize).is_some_and(|family| family.queue_flags.contains(wanted)) {
            return Err(Failure::value("queue_family", format!("{queue_family} has not both graphics and compute")));
        }
        // SAFETY: the host says that it made the device by the request and that it outlives what is made here.
        let device = unsafe { Device::from_raw(&adapter.adapter, &request.own, raw, queue_family, &options.device) }?;
        Ok(rx_renderer::new(Renderer::over(device, &options), [0; 2], options.not_ready))
    })
}

/// Shows the frames of a renderer in a surface (VkSurfaceKHR) that the host made of the renderer's instance: of a
/// CAMetalLayer, or of any other window. Its size in pixels is said as to rx_renderer_create_windowed. The surface is the
/// renderer's from here on, which destroys it, also where this fails with RX_ERROR_SURFACE; its window outlives the renderer.
/// The request was for a window. Not while a frame is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_show_in(
    renderer: *mut rx_renderer,
    surface: u64,
    pace: rx_pace,
    width: u32,
    height: u32,
) -> rx_result {
    guard(|| {
        let renderer = arg!(renderer);
        let pace = self::pace(pace)?;
        if surface == 0 {
            return Err(Failure::null("surface"));
        }
        let mut held = renderer.hold()?;
        // SAFETY: the host says that the surface is of this instance, and gives it up.
        let surface = unsafe { Surface::from_raw(renderer.device.instance(), vk::SurfaceKHR::from_raw(surface)) }?;
        let window = Swapchain::new(&renderer.device, surface, pace)?;
        held.get().show_in(window, [width, height]);
        renderer.resize([width, height]);
        Ok(())
    })
}
