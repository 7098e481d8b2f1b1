//! Which device a fix is asked for.

use crate::{DriverId, Version};

/// A device, as far as the table of fixes can tell one from another. What is not known is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity<'a> {
    /// Driver.
    pub driver: Option<DriverId>,
    /// Its version, decoded by its own scheme.
    pub version: Option<Version>,
    /// `VkPhysicalDeviceProperties::deviceName`.
    pub name: Option<&'a str>,
    /// Whether the GPU shares the processor's memory.
    pub integrated: Option<bool>,
}
