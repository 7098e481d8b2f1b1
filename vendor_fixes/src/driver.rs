//! Driver ids, numbered as Vulkan's `VkDriverId`.

use std::fmt;

/// A driver, by the number that `VkPhysicalDeviceDriverProperties::driverID` gives.
///
/// A bare number on purpose: drivers newer than this table still have an id, and only lack a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DriverId(pub u32);

macro_rules! driver_ids {
    ($($name:ident = $number:literal;)*) => {
        impl DriverId {
            $(#[doc = concat!("`VK_DRIVER_ID_", stringify!($name), "`.")] pub const $name: DriverId = DriverId($number);)*

            /// Every id that has a name, in order of their numbers.
            pub const ALL: &[DriverId] = &[$(DriverId($number),)*];

            /// Vulkan's name without `VK_DRIVER_ID_`; `None` for a number that this table does not know.
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some(stringify!($name)),)*
                    _ => None,
                }
            }
        }
    };
}

// Numbers from the Vulkan registry (vk.xml, `VkDriverId`).
driver_ids! {
    AMD_PROPRIETARY = 1;
    AMD_OPEN_SOURCE = 2;
    MESA_RADV = 3;
    NVIDIA_PROPRIETARY = 4;
    INTEL_PROPRIETARY_WINDOWS = 5;
    INTEL_OPEN_SOURCE_MESA = 6;
    IMAGINATION_PROPRIETARY = 7;
    QUALCOMM_PROPRIETARY = 8;
    ARM_PROPRIETARY = 9;
    GOOGLE_SWIFTSHADER = 10;
    GGP_PROPRIETARY = 11;
    BROADCOM_PROPRIETARY = 12;
    MESA_LLVMPIPE = 13;
    MOLTENVK = 14;
    COREAVI_PROPRIETARY = 15;
    JUICE_PROPRIETARY = 16;
    VERISILICON_PROPRIETARY = 17;
    MESA_TURNIP = 18;
    MESA_V3DV = 19;
    MESA_PANVK = 20;
    SAMSUNG_PROPRIETARY = 21;
    MESA_VENUS = 22;
    MESA_DOZEN = 23;
    MESA_NVK = 24;
    IMAGINATION_OPEN_SOURCE_MESA = 25;
    MESA_HONEYKRISP = 26;
    VULKAN_SC_EMULATION_ON_VULKAN = 27;
    MESA_KOSMICKRISP = 28;
}

impl DriverId {
    /// The id of a name, with or without `VK_DRIVER_ID_`.
    pub fn from_name(name: &str) -> Option<DriverId> {
        let short = name.strip_prefix("VK_DRIVER_ID_").unwrap_or(name);
        DriverId::ALL.iter().copied().find(|id| id.name() == Some(short))
    }
}

impl fmt::Display for DriverId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "driver {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_vulkans() {
        assert_eq!(DriverId::MOLTENVK, DriverId(14));
        assert_eq!(DriverId::MESA_KOSMICKRISP, DriverId(28));
        assert_eq!(DriverId(14).to_string(), "MOLTENVK");
        assert_eq!(DriverId(99).to_string(), "driver 99");
    }

    #[test]
    fn every_name_finds_its_id_again() {
        for (i, &id) in DriverId::ALL.iter().enumerate() {
            assert_eq!(id.0 as usize, i + 1, "the numbers have no hole");
            let name = id.name().unwrap_or_default();
            assert_eq!(DriverId::from_name(name), Some(id));
            assert_eq!(DriverId::from_name(&format!("VK_DRIVER_ID_{name}")), Some(id));
        }
        assert_eq!(DriverId::from_name("moltenvk"), None);
    }
}
