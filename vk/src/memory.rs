//! Device memory, by gpu-allocator.
//!
//! Owns the allocator and what is known of it. Every allocation belongs to one object, which gives it back.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationError, MemoryLocation};

use crate::Error;

/// Where an object's memory lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemoryUse {
    /// Only the GPU reads and writes it.
    #[default]
    Device,
    /// The host writes, the GPU reads.
    Upload,
    /// The GPU writes, the host reads.
    Readback,
}

/// What stands allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryReport {
    /// Allocations that objects hold.
    pub allocations: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes taken from the driver.
    pub reserved_bytes: u64,
}

pub(crate) struct Memory(Mutex<Option<Allocator>>);

/// Whether an object is laid out linearly (buffers) or not (images): the two keep apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tiling {
    Linear,
    Optimal,
}

impl Memory {
    pub(crate) fn new(
        instance: &ash::Instance,
        device: &ash::Device,
        physical: vk::PhysicalDevice,
    ) -> Result<Memory, Error> {
        let desc = AllocatorCreateDesc {
            instance: instance.clone(),
            device: device.clone(),
            physical_device: physical,
            debug_settings: Default::default(),
            buffer_device_address: false,
            allocation_sizes: Default::default(),
        };
        let allocator = Allocator::new(&desc).map_err(|error| failed("the allocator", &error))?;
        Ok(Memory(Mutex::new(Some(allocator))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Allocator>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn allocate(
        &self,
        name: &str,
        requirements: vk::MemoryRequirements,
        memory: MemoryUse,
        tiling: Tiling,
    ) -> Result<Allocation, Error> {
        let location = match memory {
            MemoryUse::Device => MemoryLocation::GpuOnly,
            MemoryUse::Upload => MemoryLocation::CpuToGpu,
            MemoryUse::Readback => MemoryLocation::GpuToCpu,
        };
        let desc = AllocationCreateDesc {
            name,
            requirements,
            location,
            linear: tiling == Tiling::Linear,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        };
        let mut held = self.lock();
        let allocator = held.as_mut().ok_or_else(|| closed(name))?;
        allocator.allocate(&desc).map_err(|error| failed(name, &error))
    }

    pub(crate) fn free(&self, allocation: Allocation) {
        if let Some(allocator) = self.lock().as_mut()
            && let Err(error) = allocator.free(allocation)
        {
            log::error!(target: "rx::memory", "an allocation is not given back: {error}");
        }
    }

    pub(crate) fn report(&self) -> MemoryReport {
        let Some(report) = self.lock().as_ref().map(Allocator::generate_report) else { return MemoryReport::default() };
        MemoryReport {
            allocations: report.allocations.len(),
            bytes: report.total_allocated_bytes,
            reserved_bytes: report.total_capacity_bytes,
        }
    }

    /// Gives all memory back to the driver. What is still allocated is said.
    pub(crate) fn close(&self) {
        let left = self.report();
        if left.allocations > 0 {
            log::error!(target: "rx::memory", "{} allocations of {} bytes are left", left.allocations, left.bytes);
        }
        drop(self.lock().take());
    }
}

fn closed(name: &str) -> Error {
    Error::Argument { object: name.to_owned(), why: "the device is closed".to_owned() }
}

fn failed(name: &str, error: &AllocationError) -> Error {
    match error {
        AllocationError::OutOfMemory => Error::OutOfMemory {
            call: "vkAllocateMemory",
            object: name.to_owned(),
            why: "out of device memory".to_owned(),
        },
        AllocationError::Internal(why) | AllocationError::FailedToMap(why) if why.contains("OUT_OF_HOST_MEMORY") => {
            Error::OutOfMemory {
                call: "vkAllocateMemory",
                object: name.to_owned(),
                why: "out of host memory".to_owned(),
            }
        }
        AllocationError::FailedToMap(why) => {
            Error::OutOfMemory { call: "vkMapMemory", object: name.to_owned(), why: why.clone() }
        }
        error => Error::OutOfMemory { call: "vkAllocateMemory", object: name.to_owned(), why: error.to_string() },
    }
}
