//! What is known of devices, and the switches.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use ::rx_renderer::RendererOptions;
use ::rx_renderer::vendor_fixes::{self, Config, Warning};
use ::rx_renderer::vk::DeviceFacts;

use crate::result::{c_string, check_version, guard_or, rx_result};

/// What is known of a device.
pub struct rx_facts {
    pub(crate) facts: DeviceFacts,
    name: CString,
}

impl rx_facts {
    pub(crate) fn new(facts: DeviceFacts) -> rx_facts {
        rx_facts { name: c_string(&facts.name), facts }
    }
}

/// What switches say (RX_VK_*): docs/switches.md.
pub struct rx_switches {
    pub(crate) config: Config,
    warnings: Vec<CString>,
}

impl rx_switches {
    fn new(config: Config, warnings: &[Warning]) -> rx_switches {
        rx_switches { config, warnings: warnings.iter().map(|warning| c_string(&warning.to_string())).collect() }
    }
}

/// A switch and its value.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_switch {
    /// Name: "RX_VK_DEVICE".
    pub name: *const c_char,
    /// Value; an empty one says nothing.
    pub value: *const c_char,
}

/// The facts of a preset, or of a JSON file that `rx facts dump` wrote.
///
/// RX_ERROR_NOT_FOUND with the nearest preset, RX_ERROR_IO, RX_ERROR_MALFORMED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_facts_open(api_version: u32, name: *const c_char, out: *mut *mut rx_facts) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        Ok(rx_facts::new(DeviceFacts::open(text!(name))?))
    })
}

/// The preset's name, or the device's own; NULL of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_facts_name(facts: *const rx_facts) -> *const c_char {
    guard_or(std::ptr::null(), || Ok(arg!(facts).name.as_ptr()))
}

/// Destroys facts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_facts_destroy(facts: *mut rx_facts) {
    destroy!(facts);
}

/// The name of a preset, by number from 0; NULL past the last. Lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn rx_preset_name(index: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    guard_or(std::ptr::null(), || {
        let names = NAMES.get_or_init(|| DeviceFacts::preset_names().map(c_string).collect());
        Ok(names.get(index).map_or(std::ptr::null(), |name| name.as_ptr()))
    })
}

/// The switches of the process's environment, read now. What is not understood is a warning, and changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_switches_from_environment(api_version: u32, out: *mut *mut rx_switches) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let (options, warnings) = RendererOptions::from_environment("");
        Ok(rx_switches::new(options.config, &warnings))
    })
}

/// Switches that the host says itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_switches_create(
    api_version: u32,
    switches: *const rx_switch,
    count: usize,
    out: *mut *mut rx_switches,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let mut pairs = Vec::new();
        for own in array!(switches, count) {
            pairs.push((text!(own.name), text_or_none!(own.value).unwrap_or("")));
        }
        let (config, warnings) = vendor_fixes::read(pairs);
        Ok(rx_switches::new(config, &warnings))
    })
}

/// A warning, by number from 0: what was not understood. NULL past the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_switches_warning(switches: *const rx_switches, index: usize) -> *const c_char {
    guard_or(std::ptr::null(), || Ok(arg!(switches).warnings.get(index).map_or(std::ptr::null(), |own| own.as_ptr())))
}

/// Destroys switches.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_switches_destroy(switches: *mut rx_switches) {
    destroy!(switches);
}
