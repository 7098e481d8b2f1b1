//! The instance, the device, and the messages of the validation layers.

use super::driver::{self, Driver};
use super::features::{self, Enabled};
use super::{Result, failed};
use ash::{ext, vk};
use rx_translate::{Profile, RobustnessByClass};
use std::borrow::Cow;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::thread::ThreadId;

/// The validation layers' name.
const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Messages of the validation layers that are no fault of a shader or of the harness: the id, parts of the text, why.
const IGNORED: &[(&str, &[&str], &str)] = &[
    (
        "UNASSIGNED-CoreValidation-Shader-OutputNotConsumed",
        &[],
        "Direct3D lets a pixel shader write targets that are not bound, and a stage what the next does not read",
    ),
    (
        "UNASSIGNED-CoreValidation-Shader-InconsistentSpirv",
        &["conflicting output location assignment", "OpEntryPoint TessellationControl"],
        "before SPIRV-Tools 2024.2 the locations of a patch were taken for those of its vertices (SPIRV-Tools #5654)",
    ),
    (
        "UNASSIGNED-CoreValidation-Shader-InterfaceTypeMismatch",
        &["Decoration mismatch on location", "per-patch in", "per-vertex in", "tessellation control shader stage"],
        "the same, of the layers' own: they look up a location without asking whether it is the patch's",
    ),
    (
        "VUID-vkCmdDispatch-OpTypeImage-07029",
        &["STORAGE_WRITE_WITHOUT_FORMAT_BIT"],
        "SwiftShader has shaderStorageImageWriteWithoutFormat and leaves the bit out of every texel buffer's format",
    ),
    ("VUID-vkCmdDraw-OpTypeImage-07029", &["STORAGE_WRITE_WITHOUT_FORMAT_BIT"], "the same of draws"),
];

/// A device with what every test needs of it. Made once, never destroyed: the process ends first.
pub struct Device {
    /// Keeps the loaded library.
    _entry: ash::Entry,
    pub(super) instance: ash::Instance,
    pub(super) physical: vk::PhysicalDevice,
    pub(super) raw: ash::Device,
    pub(super) queue: vk::Queue,
    pub(super) commands: vk::CommandPool,
    pub(super) memory: vk::PhysicalDeviceMemoryProperties,
    /// What is switched on.
    pub enabled: Enabled,
    /// The device's name, for reports.
    pub name: String,
    /// The driver it belongs to.
    pub driver: Driver,
}

impl Device {
    /// The translation profile of this device.
    pub fn profile(&self, robustness: RobustnessByClass) -> Profile {
        let Enabled { features, float_controls, .. } = self.enabled;
        Profile { features, float_controls, robustness, ..Profile::default() }
    }

    /// What offsets of storage buffers are multiples of.
    pub fn storage_alignment(&self) -> u64 {
        // SAFETY: the handles are live.
        let properties = unsafe { self.instance.get_physical_device_properties(self.physical) };
        properties.limits.min_storage_buffer_offset_alignment.max(1)
    }

    /// How many sets a pipeline layout may have.
    pub fn max_bound_sets(&self) -> u32 {
        // SAFETY: the handles are live.
        let properties = unsafe { self.instance.get_physical_device_properties(self.physical) };
        properties.limits.max_bound_descriptor_sets
    }
}

/// A device, held by one test at a time.
pub struct Session {
    /// The device.
    pub device: &'static Device,
    _held: MutexGuard<'static, ()>,
}

impl Session {
    /// Takes the validation messages about this device since the last call.
    pub fn messages(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.state().messages)).into_iter().map(|(_, text)| text).collect()
    }

    /// Takes the validation messages about this thread's calls since the last call: for work on several threads.
    pub fn messages_here(&self) -> Vec<String> {
        let here = std::thread::current().id();
        let mut messages = lock(&self.state().messages);
        let (own, others): (Vec<_>, Vec<_>) = messages.drain(..).partition(|(thread, _)| *thread == here);
        *messages = others;
        own.into_iter().map(|(_, text)| text).collect()
    }

    fn state(&self) -> &'static State {
        State::of(self.device.driver)
    }
}

/// What the process keeps for one driver.
struct State {
    held: Mutex<()>,
    device: OnceLock<std::result::Result<Device, String>>,
    /// Messages with the thread whose call each is about: the layers report on the calling thread.
    messages: Mutex<Vec<(ThreadId, String)>>,
}

impl State {
    const fn new() -> State {
        State { held: Mutex::new(()), device: OnceLock::new(), messages: Mutex::new(Vec::new()) }
    }

    fn of(driver: Driver) -> &'static State {
        static SYSTEM: State = State::new();
        static SWIFT_SHADER: State = State::new();
        match driver {
            Driver::System => &SYSTEM,
            Driver::SwiftShader => &SWIFT_SHADER,
        }
    }
}

static WITHOUT_LAYERS: AtomicBool = AtomicBool::new(false);

/// Leaves out the validation layers on every device that this process opens from now on: they take much of the time of a
/// long run, and the short run has them.
pub fn leave_out_layers() {
    WITHOUT_LAYERS.store(true, Ordering::Relaxed);
}

/// A failed test leaves nothing half done behind these locks.
fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Returns a session on the machine's own driver: see [`session_on`].
pub fn session() -> Option<Session> {
    session_on(Driver::System)
}

/// Returns a session on a driver, or `None` after printing a line with the reason. Under `CI=true` a missing driver fails
/// the test instead.
///
/// Each driver has a lock of its own, so a test may hold a session on each. It must take them in the order of
/// [`Driver::ALL`], or two tests could wait for each other.
pub fn session_on(driver: Driver) -> Option<Session> {
    let state = State::of(driver);
    let held = lock(&state.held);
    match state.device.get_or_init(|| open(driver)) {
        Ok(device) => Some(Session { device, _held: held }),
        Err(why) => {
            let must = std::env::var("CI").is_ok_and(|v| v == "true");
            assert!(!must, "{driver}: no Vulkan device, and CI=true forbids skipping: {why}");
            println!("skipped: {driver}: no Vulkan device: {why}");
            None
        }
    }
}

fn open(driver: Driver) -> Result<Device> {
    driver::announce();
    // SAFETY: the loader is a library that runs its own initialisers, nothing else.
    let entry = unsafe { ash::Entry::load() }.map_err(|e| format!("the Vulkan loader: {e}"))?;
    let instance = instance(&entry, State::of(driver))?;
    let physical = driver::choose(&instance, driver)?;
    // SAFETY: the handles are live; so in all of this function.
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    let name = properties.device_name_as_c_str().unwrap_or(c"?").to_string_lossy().into_owned();
    let family = queue_family(&instance, physical)?;
    let (raw, enabled) = features::device(&instance, physical, family)?;
    let pool = vk::CommandPoolCreateInfo::default()
        .queue_family_index(family)
        .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
    let commands = unsafe { raw.create_command_pool(&pool, None) }.map_err(failed("vkCreateCommandPool"))?;
    let queue = unsafe { raw.get_device_queue(family, 0) };
    let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
    Ok(Device { _entry: entry, instance, physical, raw, queue, commands, memory, enabled, name, driver })
}

fn instance(entry: &ash::Entry, state: &'static State) -> Result<ash::Instance> {
    // SAFETY: no parameters to get wrong.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.map_err(failed("the layers' list"))?;
    let wanted = !WITHOUT_LAYERS.load(Ordering::Relaxed);
    let validation = wanted && layers.iter().any(|l| l.layer_name_as_c_str() == Ok(VALIDATION));
    if wanted && !validation {
        let must = std::env::var("CI").is_ok_and(|v| v == "true");
        assert!(!must, "the Khronos validation layers are not installed, and CI=true asks for them");
        println!("the Khronos validation layers are not installed: nothing checks how Vulkan is used");
    }
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let layer_names: Vec<_> = if validation { vec![VALIDATION.as_ptr()] } else { Vec::new() };
    let extension_names: Vec<_> = if validation { vec![ext::debug_utils::NAME.as_ptr()] } else { Vec::new() };
    let mut messenger = messenger(state);
    let mut info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layer_names)
        .enabled_extension_names(&extension_names);
    if validation {
        info = info.push_next(&mut messenger);
    }
    // SAFETY: everything that the structure points to outlives the call.
    let instance = unsafe { entry.create_instance(&info, None) }.map_err(failed("vkCreateInstance"))?;
    if validation {
        let utils = ext::debug_utils::Instance::new(entry, &instance);
        // SAFETY: the callback is a plain function and its state is static. The messenger lives as long as the process.
        unsafe { utils.create_debug_utils_messenger(&self::messenger(state), None) }
            .map_err(failed("the messenger"))?;
    }
    Ok(instance)
}

fn messenger(state: &'static State) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Kind};
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::ERROR | Severity::WARNING)
        .message_type(Kind::VALIDATION)
        .pfn_user_callback(Some(collect))
        .user_data(std::ptr::from_ref(state).cast_mut().cast())
}

/// Keeps a message. Nothing in it may unwind: Vulkan calls it.
unsafe extern "system" fn collect(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan gives a valid structure whose strings are terminated. `messenger` put a static state behind `user`.
    let (state, id, text) = unsafe {
        let data = &*data;
        (&*user.cast_const().cast::<State>(), text_of(data.p_message_id_name), text_of(data.p_message))
    };
    let ignored = |parts: &[&str]| parts.iter().all(|part| text.contains(part));
    if !IGNORED.iter().any(|(name, parts, _)| id == *name && ignored(parts)) {
        lock(&state.messages).push((std::thread::current().id(), format!("{severity:?} {id}: {text}")));
    }
    vk::FALSE
}

/// # Safety
/// `text` is null or a terminated string.
unsafe fn text_of<'a>(text: *const std::ffi::c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

fn queue_family(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Result<u32> {
    // SAFETY: the handles are live.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    let wanted = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
    let found = families.iter().position(|f| f.queue_flags.contains(wanted));
    found.map(|i| i as u32).ok_or_else(|| "no queue for both graphics and compute".to_owned())
}
