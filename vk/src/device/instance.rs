//! The loader, the instance, and which device is taken.
//!
//! Owns the instance where rx made it. A host's own instance is used and left as it is.

#![allow(unsafe_code)] // Vulkan calls.

use std::ffi::{CStr, CString, c_char};
use std::sync::Arc;

use ash::{ext, khr, vk};
use raw_window_handle::RawDisplayHandle;

use super::debug::{self, Heard, VALIDATION};
use crate::error::vulkan;
use crate::{DeviceFacts, Error};

/// How to make an instance.
#[derive(Clone, Default)]
pub struct InstanceOptions {
    /// The application's name: drivers choose workarounds by it.
    pub application: String,
    /// Loads the Khronos validation layers where they are installed; where they are not, a line in the log says so.
    pub validation: bool,
    /// The display whose windows are to be shown; `None` for headless work.
    pub display: Option<RawDisplayHandle>,
    /// Further instance extensions: those of a surface that the host makes itself.
    pub extensions: Vec<&'static CStr>,
    /// The loader; `None` loads the system's.
    pub loader: Option<ash::Entry>,
}

/// A Vulkan instance. Clones share it; the last one destroys it where rx made it.
#[derive(Clone)]
pub struct Instance(pub(crate) Arc<InstanceShared>);

pub(crate) struct InstanceShared {
    /// Keeps the loaded library.
    pub(crate) entry: ash::Entry,
    pub(crate) raw: ash::Instance,
    pub(crate) debug_utils: bool,
    pub(crate) surfaces: bool,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    heard: Box<Heard>,
    owned: bool,
}

impl Drop for InstanceShared {
    fn drop(&mut self) {
        // SAFETY: the last owner is gone, and with it every device and surface that held this instance.
        unsafe {
            if let Some((utils, messenger)) = self.messenger.take() {
                utils.destroy_debug_utils_messenger(messenger, None);
            }
            if self.owned {
                self.raw.destroy_instance(None);
            }
        }
    }
}

/// What the loader offers.
struct Offered {
    version: u32,
    extensions: Vec<vk::ExtensionProperties>,
    validation: bool,
}

impl Offered {
    fn ask(entry: &ash::Entry) -> Result<Offered, Error> {
        // SAFETY: the loader is live; these calls only read.
        let version = unsafe { entry.try_enumerate_instance_version() };
        let version = version.map_err(vulkan("vkEnumerateInstanceVersion", "the loader"))?;
        // SAFETY: as above.
        let layers = unsafe { entry.enumerate_instance_layer_properties() };
        let layers = layers.map_err(vulkan("vkEnumerateInstanceLayerProperties", "the loader"))?;
        let validation = layers.iter().any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION));
        // SAFETY: as above.
        let own = unsafe { entry.enumerate_instance_extension_properties(None) };
        let mut extensions = own.map_err(vulkan("vkEnumerateInstanceExtensionProperties", "the loader"))?;
        if validation {
            // SAFETY: as above; the layers bring VK_EXT_debug_utils where the driver lacks it.
            let theirs = unsafe { entry.enumerate_instance_extension_properties(Some(VALIDATION)) };
            extensions.extend(theirs.map_err(vulkan("vkEnumerateInstanceExtensionProperties", "the layers"))?);
        }
        Ok(Offered { version: version.unwrap_or(vk::API_VERSION_1_0), extensions, validation })
    }

    fn has(&self, name: &CStr) -> bool {
        self.extensions.iter().any(|own| own.extension_name_as_c_str() == Ok(name))
    }
}

impl Instance {
    /// Makes an instance.
    ///
    /// # Errors
    /// [`Error::NoVulkan`] without a loader or a driver; [`Error::NoSurface`] where the display's windows cannot be shown.
    pub fn new(options: &InstanceOptions) -> Result<Instance, Error> {
        let entry = match &options.loader {
            Some(entry) => entry.clone(),
            // SAFETY: the loader is a library that runs its own initialisers, nothing else.
            None => unsafe { ash::Entry::load() }.map_err(|error| Error::NoVulkan { why: error.to_string() })?,
        };
        let offered = Offered::ask(&entry)?;
        let extensions = extensions(options, &offered)?;
        let validation = options.validation && offered.validation;
        if options.validation && !validation {
            log::warn!(target: "rx::validation", "the Khronos validation layers are not installed: nothing is validated");
        }
        let debug_utils = offered.has(ext::debug_utils::NAME);
        let heard = Box::<Heard>::default();
        let raw = create(&entry, options, &offered, &extensions, validation.then_some(&*heard))?;
        let mut shared = InstanceShared {
            entry,
            raw,
            debug_utils,
            surfaces: extensions.iter().any(|name| name.as_c_str() == khr::surface::NAME),
            messenger: None,
            heard,
            owned: true,
        };
        if validation && debug_utils {
            let utils = ext::debug_utils::Instance::new(&shared.entry, &shared.raw);
            // SAFETY: the instance has the extension, and `heard` is dropped after the messenger.
            let made = unsafe { utils.create_debug_utils_messenger(&debug::messenger_info(&shared.heard), None) };
            let messenger = made.map_err(vulkan("vkCreateDebugUtilsMessengerEXT", "the messenger"))?;
            shared.messenger = Some((utils, messenger));
        }
        Ok(Instance(Arc::new(shared)))
    }

    /// Takes a host's own instance, which rx never destroys.
    ///
    /// `extensions` are those that the host enabled.
    ///
    /// # Safety
    /// The instance is live as long as any clone of the result, is of Vulkan 1.1 at least, and has those extensions.
    pub unsafe fn from_raw(entry: ash::Entry, raw: ash::Instance, extensions: &[&CStr]) -> Instance {
        let has = |name: &CStr| extensions.contains(&name);
        Instance(Arc::new(InstanceShared {
            entry,
            raw,
            debug_utils: has(ext::debug_utils::NAME),
            surfaces: has(khr::surface::NAME),
            messenger: None,
            heard: Box::default(),
            owned: false,
        }))
    }

    /// The loader.
    pub fn loader(&self) -> &ash::Entry {
        &self.0.entry
    }

    /// Vulkan's own object.
    pub fn raw(&self) -> &ash::Instance {
        &self.0.raw
    }

    /// What the validation layers said since the last call: at most the first 256 messages.
    pub fn take_messages(&self) -> Vec<String> {
        self.0.heard.take()
    }

    /// How many messages the validation layers had, all told.
    pub fn message_count(&self) -> u64 {
        self.0.heard.count()
    }

    /// Whether messages are listened to: the layers were asked for, and are installed.
    pub fn is_validated(&self) -> bool {
        self.0.messenger.is_some()
    }

    /// Every device, in the loader's order.
    ///
    /// # Errors
    /// [`Error::NoVulkan`] where there is none; [`Error::Vulkan`] where a call fails.
    pub fn adapters(&self) -> Result<Vec<Adapter>, Error> {
        // SAFETY: the instance is live.
        let devices = unsafe { self.0.raw.enumerate_physical_devices() };
        let devices = devices.map_err(|result| match result {
            vk::Result::ERROR_INITIALIZATION_FAILED => Error::NoVulkan { why: "no driver starts".to_owned() },
            result => vulkan("vkEnumeratePhysicalDevices", "the instance")(result),
        })?;
        if devices.is_empty() {
            return Err(Error::NoVulkan { why: "the loader finds no device".to_owned() });
        }
        devices.into_iter().map(|physical| Adapter::new(self, physical)).collect()
    }

    /// The device that `wanted` names (a number in the list, or part of a name, whatever its case); without a name the first
    /// discrete GPU, else an integrated one, else a virtual one, else a processor's.
    ///
    /// # Errors
    /// [`Error::NoSuchDevice`] with the list; those of [`Instance::adapters`].
    pub fn adapter(&self, wanted: Option<&str>) -> Result<Adapter, Error> {
        let all = self.adapters()?;
        let names: Vec<String> = all.iter().map(|adapter| adapter.facts.name.clone()).collect();
        let ranks: Vec<u32> = all.iter().map(Adapter::rank).collect();
        let index = choose(&names, &ranks, wanted)?;
        all.into_iter().nth(index).ok_or_else(|| Error::NoVulkan { why: "the loader finds no device".to_owned() })
    }
}

/// The place of the device to take.
fn choose(names: &[String], ranks: &[u32], wanted: Option<&str>) -> Result<usize, Error> {
    let Some(wanted) = wanted else {
        return Ok((0..names.len()).min_by_key(|&i| ranks[i]).unwrap_or(0));
    };
    if let Some(number) = wanted.parse().ok().filter(|&number: &usize| number < names.len()) {
        return Ok(number);
    }
    let part = wanted.to_lowercase();
    names.iter().position(|name| name.to_lowercase().contains(&part)).ok_or_else(|| Error::NoSuchDevice {
        name: wanted.to_owned(),
        present: names.iter().enumerate().map(|(number, name)| format!("{number} {name}")).collect(),
    })
}

/// A device that could be taken.
#[derive(Clone)]
pub struct Adapter {
    pub(crate) instance: Instance,
    pub(crate) physical: vk::PhysicalDevice,
    pub(crate) properties: vk::PhysicalDeviceProperties,
    /// What is known of it.
    pub facts: DeviceFacts,
}

impl Adapter {
    fn new(instance: &Instance, physical: vk::PhysicalDevice) -> Result<Adapter, Error> {
        // SAFETY: the handles are live; the call only reads.
        let properties = unsafe { instance.0.raw.get_physical_device_properties(physical) };
        let facts = DeviceFacts::from_device(&instance.0.raw, physical)
            .map_err(vulkan("vkEnumerateDeviceExtensionProperties", "the device"))?;
        Ok(Adapter { instance: instance.clone(), physical, properties, facts })
    }

    /// A host's own choice.
    ///
    /// # Safety
    /// `physical` is a device of `instance`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub unsafe fn from_raw(instance: &Instance, physical: vk::PhysicalDevice) -> Result<Adapter, Error> {
        Adapter::new(instance, physical)
    }

    /// Vulkan's own handle.
    pub fn raw(&self) -> vk::PhysicalDevice {
        self.physical
    }

    /// Vulkan's version that the device has, as Vulkan packs it.
    pub fn api_version(&self) -> u32 {
        self.properties.api_version
    }

    /// Lower is taken sooner.
    fn rank(&self) -> u32 {
        match self.properties.device_type {
            vk::PhysicalDeviceType::DISCRETE_GPU => 0,
            vk::PhysicalDeviceType::INTEGRATED_GPU => 1,
            vk::PhysicalDeviceType::VIRTUAL_GPU => 2,
            vk::PhysicalDeviceType::CPU => 3,
            _ => 4,
        }
    }
}

/// The instance extensions to enable.
fn extensions(options: &InstanceOptions, offered: &Offered) -> Result<Vec<CString>, Error> {
    let mut names = Vec::new();
    if let Some(display) = options.display {
        let needed = ash_window::enumerate_required_extensions(display)
            .map_err(|_| Error::NoSurface { why: "Vulkan has no surface for this kind of display".to_owned() })?;
        for &name in needed {
            // SAFETY: the crate's names are static terminated strings.
            let name = unsafe { CStr::from_ptr(name) };
            if !offered.has(name) {
                return Err(Error::NoSurface { why: format!("the instance lacks {}", name.to_string_lossy()) });
            }
            names.push(name.to_owned());
        }
    }
    for &name in &options.extensions {
        if !offered.has(name) {
            return Err(Error::NoSurface { why: format!("the instance lacks {}", name.to_string_lossy()) });
        }
        names.push(name.to_owned());
    }
    for name in [khr::portability_enumeration::NAME, ext::debug_utils::NAME] {
        if offered.has(name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}

fn create(
    entry: &ash::Entry,
    options: &InstanceOptions,
    offered: &Offered,
    extensions: &[CString],
    heard: Option<&Heard>,
) -> Result<ash::Instance, Error> {
    let name = debug::c_name(&options.application);
    // A loader of Vulkan 1.0 takes no higher number than its own.
    let api = if offered.version >= vk::API_VERSION_1_1 { vk::API_VERSION_1_3 } else { vk::API_VERSION_1_0 };
    let application = vk::ApplicationInfo::default().application_name(&name).engine_name(c"rx").api_version(api);
    let layers: &[*const c_char] = if heard.is_some() { &[VALIDATION.as_ptr()] } else { &[] };
    let names: Vec<*const c_char> = extensions.iter().map(|name| name.as_ptr()).collect();
    let portable = extensions.iter().any(|name| name.as_c_str() == khr::portability_enumeration::NAME);
    let flags =
        if portable { vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR } else { vk::InstanceCreateFlags::empty() };
    let mut messenger = heard.map(debug::messenger_info).unwrap_or_default();
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(layers)
        .enabled_extension_names(&names)
        .flags(flags);
    if heard.is_some() && offered.has(ext::debug_utils::NAME) {
        info = info.push_next(&mut messenger);
    }
    // SAFETY: everything that the structure points to outlives the call.
    let made = unsafe { entry.create_instance(&info, None) };
    made.map_err(|result| match result {
        vk::Result::ERROR_INCOMPATIBLE_DRIVER => Error::NoVulkan { why: "the loader finds no driver".to_owned() },
        result => vulkan("vkCreateInstance", "the instance")(result),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_chosen_by_kind_number_or_name() {
        let names = ["llvmpipe (LLVM 19)", "NVIDIA H200", "AMD Radeon 780M"].map(str::to_owned);
        let choose = |wanted| choose(&names, &[3, 0, 1], wanted);
        assert_eq!(choose(None), Ok(1));
        assert_eq!(choose(Some("2")), Ok(2));
        assert_eq!(choose(Some("radeon")), Ok(2));
        // 780 is no number of a device, and part of a name.
        assert_eq!(choose(Some("780")), Ok(2));
        let error = choose(Some("radeom")).map_err(|error| error.to_string());
        let text = "RX0525: no device \"radeom\"; there are: 0 llvmpipe (LLVM 19); 1 NVIDIA H200; 2 AMD Radeon 780M";
        assert_eq!(error, Err(text.to_owned()));
    }
}
