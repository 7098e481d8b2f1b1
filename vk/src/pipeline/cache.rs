//! The driver's pipeline cache, kept from run to run.
//!
//! Kept bytes, all numbers little-endian:
//!
//! | offset | bytes | |
//! | ---: | ---: | --- |
//! | 0 | 8 | `rx-pipes` |
//! | 8 | 4 | version of this form: 1 |
//! | 12 | 4 | `vendorID` |
//! | 16 | 4 | `deviceID` |
//! | 20 | 4 | `driverVersion` |
//! | 24 | 16 | `pipelineCacheUUID` |
//! | 40 | 8 | bytes of the driver's data |
//! | 48 | 16 | XXH3, 128 bits, of what stands from offset 8 to 48 and of the driver's data |
//! | 64 | | the driver's data |
//!
//! Drivers trust what they are given: nothing reaches one that is not whole, or of another device or driver version.

#![allow(unsafe_code)] // Vulkan calls.

use ash::vk;

use crate::Error;
use crate::device::core::Core;
use crate::error::vulkan;

const MAGIC: &[u8; 8] = b"rx-pipes";
const VERSION: u32 = 1;
const DIGEST_AT: usize = 48;
const DATA_AT: usize = 64;

pub(crate) struct DriverCache {
    raw: vk::PipelineCache,
    restored: u64,
}

/// What of a device the data depends on, as it stands in the header.
fn identity(properties: &vk::PhysicalDeviceProperties) -> [u8; 28] {
    let mut bytes = [0; 28];
    bytes[0..4].copy_from_slice(&properties.vendor_id.to_le_bytes());
    bytes[4..8].copy_from_slice(&properties.device_id.to_le_bytes());
    bytes[8..12].copy_from_slice(&properties.driver_version.to_le_bytes());
    bytes[12..28].copy_from_slice(&properties.pipeline_cache_uuid);
    bytes
}

fn digest(header: &[u8], data: &[u8]) -> [u8; 16] {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(header);
    hasher.update(data);
    hasher.digest128().to_le_bytes()
}

/// The kept form of a driver's data.
fn pack(properties: &vk::PhysicalDeviceProperties, data: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(DATA_AT + data.len());
    kept.extend_from_slice(MAGIC);
    kept.extend_from_slice(&VERSION.to_le_bytes());
    kept.extend_from_slice(&identity(properties));
    kept.extend_from_slice(&(data.len() as u64).to_le_bytes());
    let digest = digest(&kept[8..], data);
    kept.extend_from_slice(&digest);
    kept.extend_from_slice(data);
    kept
}

/// The driver's data, where it is whole and this driver's; else why not.
fn unpack<'a>(properties: &vk::PhysicalDeviceProperties, kept: &'a [u8]) -> Result<&'a [u8], &'static str> {
    let (header, data) = kept.split_at_checked(DATA_AT).ok_or("it is too short")?;
    if header[..8] != *MAGIC || header[8..12] != VERSION.to_le_bytes() {
        return Err("it is of another form");
    }
    if header[12..40] != identity(properties) {
        return Err("it is of another device or driver version");
    }
    if header[40..48] != (data.len() as u64).to_le_bytes() {
        return Err("it is cut short");
    }
    if header[DIGEST_AT..] != digest(&header[8..DIGEST_AT], data) {
        return Err("its digest differs");
    }
    Ok(data)
}

impl DriverCache {
    /// A cache with what was kept, where that fits; else an empty one.
    pub(crate) fn new(core: &Core, kept: &[u8]) -> Result<DriverCache, Error> {
        let data = match unpack(&core.properties, kept) {
            Ok(data) => data,
            Err(why) => {
                if !kept.is_empty() {
                    log::warn!(target: "rx::pipeline", "the kept pipeline cache is left aside: {why}");
                }
                &[]
            }
        };
        let create = |data: &[u8]| {
            let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
            // SAFETY: the device is live, and the data is what this driver gave.
            unsafe { core.raw.create_pipeline_cache(&info, None) }
        };
        let made = create(data).map(|raw| (raw, data.len() as u64));
        // A driver that does not take its own data begins anew.
        let made = if made.is_err() && !data.is_empty() { create(&[]).map(|raw| (raw, 0)) } else { made };
        let (raw, restored) = made.map_err(vulkan("vkCreatePipelineCache", "the pipeline cache"))?;
        Ok(DriverCache { raw, restored })
    }

    pub(crate) fn raw(&self) -> vk::PipelineCache {
        self.raw
    }

    pub(crate) fn restored_bytes(&self) -> u64 {
        self.restored
    }

    /// The bytes to keep.
    pub(crate) fn data(&self, core: &Core) -> Result<Vec<u8>, Error> {
        // SAFETY: the cache is live.
        let data = unsafe { core.raw.get_pipeline_cache_data(self.raw) };
        Ok(pack(&core.properties, &data.map_err(vulkan("vkGetPipelineCacheData", "the pipeline cache"))?))
    }

    pub(crate) fn destroy(&self, core: &Core) {
        // SAFETY: no pipeline is being compiled any more.
        unsafe { core.raw.destroy_pipeline_cache(self.raw, None) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties() -> vk::PhysicalDeviceProperties {
        vk::PhysicalDeviceProperties { vendor_id: 0x10005, driver_version: 7, ..Default::default() }
    }

    #[test]
    fn only_what_is_whole_and_this_driver_s_is_given_back() {
        let kept = pack(&properties(), b"driver's own");
        assert_eq!(unpack(&properties(), &kept), Ok(&b"driver's own"[..]));
        assert_eq!(unpack(&properties(), &[]), Err("it is too short"));
        for cut in 0..kept.len() {
            assert!(unpack(&properties(), &kept[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..kept.len() {
            let mut bad = kept.clone();
            bad[at] ^= 0x10;
            assert!(unpack(&properties(), &bad).is_err(), "a bit at {at}");
        }
        let newer = vk::PhysicalDeviceProperties { driver_version: 8, ..properties() };
        assert_eq!(unpack(&newer, &kept), Err("it is of another device or driver version"));
        let other = vk::PhysicalDeviceProperties { pipeline_cache_uuid: [1; 16], ..properties() };
        assert_eq!(unpack(&other, &kept), Err("it is of another device or driver version"));
    }
}
