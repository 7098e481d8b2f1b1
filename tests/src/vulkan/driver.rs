//! The drivers that tests run on, and how each is found.

use super::{Result, failed};
use ash::vk;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The manifest of SwiftShader as Debian's `chromium-common` installs it.
const SWIFT_SHADER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
/// Names a manifest of SwiftShader that lies elsewhere.
const SWIFT_SHADER_VARIABLE: &str = "RX_TEST_SWIFTSHADER";
/// The loader's list of manifests that it reads in addition to those it finds by itself.
const ADDED: &str = "VK_ADD_DRIVER_FILES";

/// A driver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Driver {
    /// The driver that the machine has: Lavapipe wherever the tests must pass. A CPU driver is preferred, since its results
    /// are the same everywhere.
    System,
    /// SwiftShader, which compiles shaders through SPIRV-Tools' optimiser and through an arithmetic of its own.
    SwiftShader,
}

impl Driver {
    /// Every driver, in the order in which a test takes their sessions.
    pub const ALL: [Driver; 2] = [Driver::System, Driver::SwiftShader];
}

impl std::fmt::Display for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Driver::System => "the system's driver",
            Driver::SwiftShader => "SwiftShader",
        })
    }
}

/// Tells the loader about SwiftShader, once per process and before the first instance is made. The loader ignores it if the
/// caller has chosen the drivers with `VK_DRIVER_FILES`.
pub(super) fn announce() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let manifest = std::env::var_os(SWIFT_SHADER_VARIABLE).unwrap_or_else(|| SWIFT_SHADER.into());
        if !Path::new(&manifest).exists() {
            return;
        }
        let before = std::env::var_os(ADDED).unwrap_or_default();
        // A process that a test starts inherits the variable: the manifest must not be in it twice.
        let others = std::env::split_paths(&before).filter(|path| path.as_os_str() != manifest);
        let list = others.chain([PathBuf::from(&manifest)]);
        let list = std::env::join_paths(list).expect("paths from a list of paths");
        // SAFETY: threads of the test harness read the environment through the standard library, which locks it. Native
        // code reads it only when an instance is made, which waits for this call.
        unsafe { std::env::set_var(ADDED, list) };
    });
}

/// Returns the device of a driver. It must support Vulkan 1.3.
pub(super) fn choose(instance: &ash::Instance, driver: Driver) -> Result<vk::PhysicalDevice> {
    // SAFETY: the instance is live.
    let devices = unsafe { instance.enumerate_physical_devices() }.map_err(failed("vkEnumeratePhysicalDevices"))?;
    let described = devices.into_iter().map(|device| (device, Description::of(instance, device)));
    let able = described.filter(|(_, is)| is.version >= vk::API_VERSION_1_3);
    let found = match driver {
        Driver::System => able.min_by_key(|(_, is)| (is.swift_shader, !is.cpu)),
        Driver::SwiftShader => able.into_iter().find(|(_, is)| is.swift_shader),
    };
    found.map(|(device, _)| device).ok_or_else(|| {
        let where_to_look = match driver {
            Driver::System => String::new(),
            Driver::SwiftShader => format!(" in {SWIFT_SHADER}, or where {SWIFT_SHADER_VARIABLE} points to"),
        };
        format!("no device with Vulkan 1.3{where_to_look}")
    })
}

/// What the choice depends on.
struct Description {
    version: u32,
    cpu: bool,
    swift_shader: bool,
}

impl Description {
    fn of(instance: &ash::Instance, device: vk::PhysicalDevice) -> Description {
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: the handles and the chain are live.
        unsafe { instance.get_physical_device_properties2(device, &mut all) };
        let properties = all.properties;
        Description {
            version: properties.api_version,
            cpu: properties.device_type == vk::PhysicalDeviceType::CPU,
            swift_shader: driver.driver_id == vk::DriverId::GOOGLE_SWIFTSHADER,
        }
    }
}
