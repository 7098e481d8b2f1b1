//! This machine's own device, for the verbs that plan.
//!
//! Owns which of several it is: the first that Vulkan lists.

use rx_renderer::vk::{DeviceFacts, Error};

/// The first of this machine's devices.
pub fn first() -> Result<DeviceFacts, Error> {
    let none = || Error::NoVulkan { why: "the loader finds no device".to_owned() };
    DeviceFacts::live()?.into_iter().next().ok_or_else(none)
}
