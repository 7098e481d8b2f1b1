//! A shim between rx and the Vulkan loader that counts calls and fails the n-th of a kind.
//!
//! Every function that rx calls is looked up through `vkGetInstanceProcAddr` and `vkGetDeviceProcAddr`: a loader whose two
//! look-ups give out these functions puts itself before every call, also those of the memory allocator.

#![allow(unsafe_code, non_snake_case)]

use ash::vk;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI32, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// One function.
pub struct Call {
    /// Name.
    pub name: &'static str,
    real: &'static AtomicUsize,
    count: &'static AtomicU32,
    fail_at: &'static AtomicU32,
    result: &'static AtomicI32,
}

impl Call {
    /// Calls since the last [`reset`].
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }

    /// Fails the `n`-th call from now on, from 1, with a result.
    pub fn fail(&self, n: u32, result: vk::Result) {
        self.result.store(result.as_raw(), Ordering::SeqCst);
        self.count.store(0, Ordering::SeqCst);
        self.fail_at.store(n, Ordering::SeqCst);
    }
}

macro_rules! shims {
    ($($name:ident ($($argument:ident)*);)*) => {
        $(mod $name {
            use super::*;
            pub static REAL: AtomicUsize = AtomicUsize::new(0);
            pub static COUNT: AtomicU32 = AtomicU32::new(0);
            pub static FAIL_AT: AtomicU32 = AtomicU32::new(0);
            pub static RESULT: AtomicI32 = AtomicI32::new(0);

            /// Arguments are pointers, handles and integers: each a word to the calling conventions of 64-bit systems.
            pub unsafe extern "system" fn shim($($argument: usize),*) -> i32 {
                let number = COUNT.fetch_add(1, Ordering::SeqCst) + 1;
                if number == FAIL_AT.load(Ordering::SeqCst) {
                    return RESULT.load(Ordering::SeqCst);
                }
                type Real = unsafe extern "system" fn($(shims!(@word $argument)),*) -> i32;
                // SAFETY: the address is that of the function of this name, stored before the shim was given out.
                let real: Real = unsafe { std::mem::transmute(REAL.load(Ordering::SeqCst)) };
                // SAFETY: the arguments are the caller's own.
                unsafe { real($($argument),*) }
            }
        })*

        /// Every function that can fail.
        pub static CALLS: &[&Call] = &[$(&Call {
            name: stringify!($name),
            real: &$name::REAL,
            count: &$name::COUNT,
            fail_at: &$name::FAIL_AT,
            result: &$name::RESULT,
        }),*];

        fn shim_of(name: &str) -> Option<usize> {
            match name {
                $(stringify!($name) => Some($name::shim as *const () as usize),)*
                _ => None,
            }
        }
    };
    (@word $argument:ident) => { usize };
}

shims! {
    vkEnumerateInstanceVersion(a);
    vkEnumerateInstanceLayerProperties(a b);
    vkEnumerateInstanceExtensionProperties(a b c);
    vkCreateInstance(a b c);
    vkCreateDebugUtilsMessengerEXT(a b c d);
    vkEnumeratePhysicalDevices(a b c);
    vkEnumerateDeviceExtensionProperties(a b c d);
    vkGetPhysicalDeviceImageFormatProperties(a b c d e f g);
    vkCreateDevice(a b c d);
    vkCreateSemaphore(a b c d);
    vkCreatePipelineCache(a b c d);
    vkGetPipelineCacheData(a b c d);
    vkCreateBuffer(a b c d);
    vkAllocateMemory(a b c d);
    vkMapMemory(a b c d e f);
    vkBindBufferMemory(a b c d);
    vkCreateBufferView(a b c d);
    vkCreateImage(a b c d);
    vkBindImageMemory(a b c d);
    vkCreateImageView(a b c d);
    vkCreateSampler(a b c d);
    vkCreateShaderModule(a b c d);
    vkCreateDescriptorSetLayout(a b c d);
    vkCreateDescriptorUpdateTemplate(a b c d);
    vkCreatePipelineLayout(a b c d);
    vkCreateGraphicsPipelines(a b c d e f);
    vkCreateComputePipelines(a b c d e f);
    vkCreateRenderPass(a b c d);
    vkCreateFramebuffer(a b c d);
    vkCreateDescriptorPool(a b c d);
    vkAllocateDescriptorSets(a b c);
    vkResetDescriptorPool(a b c);
    vkCreateCommandPool(a b c d);
    vkAllocateCommandBuffers(a b c);
    vkBeginCommandBuffer(a b);
    vkEndCommandBuffer(a);
    vkResetCommandPool(a b c);
    vkCreateQueryPool(a b c d);
    vkGetQueryPoolResults(a b c d e f g h);
    vkQueueSubmit(a b c d);
    vkWaitSemaphores(a b c);
    vkGetSemaphoreCounterValue(a b c);
    vkQueueWaitIdle(a);
    vkGetPhysicalDeviceSurfaceSupportKHR(a b c d);
    vkGetPhysicalDeviceSurfaceCapabilitiesKHR(a b c);
    vkGetPhysicalDeviceSurfaceFormatsKHR(a b c d);
    vkGetPhysicalDeviceSurfacePresentModesKHR(a b c d);
    vkCreateSwapchainKHR(a b c d);
    vkGetSwapchainImagesKHR(a b c d);
    vkAcquireNextImageKHR(a b c d e f);
    vkQueuePresentKHR(a b);
}

/// The function of a name.
///
/// # Panics
/// Where the shim has none.
pub fn call(name: &str) -> &'static Call {
    CALLS.iter().find(|own| own.name == name).expect("the shim has the function")
}

/// Fails nothing, and counts from 0.
pub fn reset() {
    for own in CALLS {
        own.fail_at.store(0, Ordering::SeqCst);
        own.count.store(0, Ordering::SeqCst);
    }
}

static REAL: OnceLock<ash::Entry> = OnceLock::new();
static DEVICE_LOOK_UP: Mutex<Option<vk::PFN_vkGetDeviceProcAddr>> = Mutex::new(None);

/// A loader with the shim before it; `None` where there is none.
pub fn loader() -> Option<ash::Entry> {
    if REAL.get().is_none() {
        // SAFETY: the loader is a library that runs its own initialisers, nothing else.
        let _ = REAL.set(unsafe { ash::Entry::load() }.ok()?);
    }
    // SAFETY: the look-up gives out the loader's own functions, or ones of the same signatures.
    Some(unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr: instance_look_up }) })
}

/// The shim before a function, where it has one.
fn before(name: &CStr, real: vk::PFN_vkVoidFunction) -> vk::PFN_vkVoidFunction {
    let name = name.to_str().unwrap_or_default();
    let (Some(shim), Some(real)) = (shim_of(name), real) else { return real };
    call(name).real.store(real as *const () as usize, Ordering::SeqCst);
    // SAFETY: a function's address.
    Some(unsafe { std::mem::transmute::<usize, unsafe extern "system" fn()>(shim) })
}

unsafe extern "system" fn instance_look_up(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller's name is a terminated string, and the loader was set before the shim was given out.
    let (name, real) = unsafe {
        let look_up = REAL.get().unwrap().static_fn().get_instance_proc_addr;
        (CStr::from_ptr(name), look_up(instance, name))
    };
    if name == c"vkGetDeviceProcAddr"
        && let Some(real) = real
    {
        // SAFETY: the function of this name has this signature, and so has the shim's.
        unsafe {
            let real: vk::PFN_vkGetDeviceProcAddr = std::mem::transmute(real);
            *DEVICE_LOOK_UP.lock().unwrap_or_else(PoisonError::into_inner) = Some(real);
            let shim: vk::PFN_vkGetDeviceProcAddr = device_look_up;
            return Some(std::mem::transmute::<vk::PFN_vkGetDeviceProcAddr, unsafe extern "system" fn()>(shim));
        }
    }
    before(name, real)
}

unsafe extern "system" fn device_look_up(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    let look_up = *DEVICE_LOOK_UP.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the look-up was set before this function was given out, and the name is a terminated string.
    let (name, real) = unsafe { (CStr::from_ptr(name), look_up.unwrap()(device, name)) };
    before(name, real)
}
