//! A driver's version, decoded by that driver's own scheme.
//!
//! `VkPhysicalDeviceProperties::driverVersion` is 32 bits that every vendor fills in its own way. Decoded versions
//! compare number by number, so that a range in the table of fixes reads like the vendor's release notes.

use std::fmt;

use crate::DriverId;

/// A decoded driver version: up to four numbers, missing ones 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(pub [u32; 4]);

/// `VK_MAKE_VERSION`'s fields: 10, 10 and 12 bits.
fn vulkan_fields(raw: u32) -> Version {
    Version([raw >> 22, (raw >> 12) & 0x3ff, raw & 0xfff, 0])
}

impl Version {
    /// A version of three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version([major, minor, patch, 0])
    }

    /// Decodes `driverVersion` by the scheme of the driver that gave it.
    ///
    /// | driver | scheme | source |
    /// |---|---|---|
    /// | MoltenVK | decimal XXYYZZ: 10402 is 1.4.2 | MoltenVK 1.4.2, MVKDevice.mm:2412 (`MVK_VERSION`) |
    /// | NVIDIA proprietary | 10, 8, 8 and 6 bits | the database at vulkan.gpuinfo.org, which decodes it so |
    /// | Intel on Windows | 18 and 14 bits: 101.8826 | the same; agrees with the driver's own `driverInfo` |
    /// | AMD, Mesa's drivers, Qualcomm, ARM, SwiftShader and the rest | `VK_MAKE_VERSION` | Vulkan specification |
    ///
    /// Qualcomm's major number takes all ten bits (512.780.0). ARM's is the release r44p1 as 44.1.0. Mesa's llvmpipe
    /// gave 0.0.1 before it took Mesa's own number.
    pub fn decode(driver: DriverId, raw: u32) -> Version {
        match driver {
            DriverId::MOLTENVK => Version([raw / 10_000, raw / 100 % 100, raw % 100, 0]),
            DriverId::NVIDIA_PROPRIETARY => Version([raw >> 22, (raw >> 14) & 0xff, (raw >> 6) & 0xff, raw & 0x3f]),
            DriverId::INTEL_PROPRIETARY_WINDOWS => Version([raw >> 14, raw & 0x3fff, 0, 0]),
            _ => vulkan_fields(raw),
        }
    }

    /// Reads a version that a person wrote: `1.4.2`, `580.159.04`, `101.8826`, ARM's `r44p1`. Up to four numbers.
    pub fn parse(text: &str) -> Option<Version> {
        let dotted = match text.strip_prefix('r') {
            Some(release) => release.replacen('p', ".", 1),
            None => text.to_owned(),
        };
        let mut numbers = [0; 4];
        for (i, part) in dotted.split('.').enumerate() {
            let plain = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            let slot = numbers.get_mut(i).filter(|_| plain)?;
            *slot = part.parse().ok()?;
        }
        Some(Version(numbers))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch, build] = self.0;
        write!(f, "{major}.{minor}.{patch}")?;
        if build != 0 {
            write!(f, ".{build}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(major: u32, minor: u32, patch: u32) -> u32 {
        major << 22 | minor << 12 | patch
    }

    #[test]
    fn every_scheme_decodes_a_version_seen_in_the_wild() {
        let cases = [
            (DriverId::MOLTENVK, 10402, [1, 4, 2, 0]),
            (DriverId::MOLTENVK, 10209, [1, 2, 9, 0]),
            (DriverId::MOLTENVK, 11_203, [1, 12, 3, 0]),
            (DriverId::NVIDIA_PROPRIETARY, 2_435_301_632, [580, 159, 4, 0]),
            (DriverId::NVIDIA_PROPRIETARY, 610 << 22 | 43 << 14 | 2 << 6, [610, 43, 2, 0]),
            (DriverId::NVIDIA_PROPRIETARY, 550 << 22 | 127 << 14 | 9 << 6 | 5, [550, 127, 9, 5]),
            // Read as VK_MAKE_VERSION this one is 0.406.634, under which databases list it.
            (DriverId::INTEL_PROPRIETARY_WINDOWS, make(0, 406, 634), [101, 8826, 0, 0]),
            (DriverId::INTEL_OPEN_SOURCE_MESA, make(26, 1, 3), [26, 1, 3, 0]),
            (DriverId::AMD_PROPRIETARY, make(2, 0, 395), [2, 0, 395, 0]),
            (DriverId::AMD_OPEN_SOURCE, make(2, 0, 316), [2, 0, 316, 0]),
            (DriverId::MESA_RADV, make(26, 0, 99), [26, 0, 99, 0]),
            (DriverId::QUALCOMM_PROPRIETARY, 0x8030_c000, [512, 780, 0, 0]),
            (DriverId::ARM_PROPRIETARY, make(44, 1, 0), [44, 1, 0, 0]),
            (DriverId::GOOGLE_SWIFTSHADER, make(5, 0, 0), [5, 0, 0, 0]),
            (DriverId::MESA_LLVMPIPE, 1, [0, 0, 1, 0]),
            (DriverId(99), make(1, 2, 3), [1, 2, 3, 0]),
        ];
        for (driver, raw, want) in cases {
            assert_eq!(Version::decode(driver, raw), Version(want), "{driver} {raw:#x}");
        }
    }

    #[test]
    fn a_person_may_write_it_as_the_vendor_does() {
        let cases = [
            ("1.4.2", Some([1, 4, 2, 0])),
            ("580.159.04", Some([580, 159, 4, 0])),
            ("101.8826", Some([101, 8826, 0, 0])),
            ("r44p1", Some([44, 1, 0, 0])),
            ("26", Some([26, 0, 0, 0])),
            ("1.2.3.4", Some([1, 2, 3, 4])),
            ("1.2.3.4.5", None),
            ("", None),
            ("1..2", None),
            ("+1", None),
            ("99999999999", None),
            ("latest", None),
        ];
        for (text, want) in cases {
            assert_eq!(Version::parse(text), want.map(Version), "{text}");
        }
    }

    #[test]
    fn versions_compare_number_by_number() {
        assert!(Version::new(1, 4, 1) > Version::new(1, 4, 0));
        assert!(Version::new(1, 10, 0) > Version::new(1, 9, 9));
        assert!(Version([101, 8826, 0, 0]) > Version([101, 2115, 0, 0]));
        assert_eq!(Version([1, 4, 2, 0]).to_string(), "1.4.2");
        assert_eq!(Version([1, 4, 2, 7]).to_string(), "1.4.2.7");
    }
}
