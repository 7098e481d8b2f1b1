//! What the GPU was doing when it stopped.
//!
//! Owns a word in memory that both see: at the beginning of each labelled section the GPU writes the section's number to it.
//! The mark says how far the front of the GPU came; work of earlier sections may still have been under way.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::Allocation;

use super::core::Core;
use crate::Error;
use crate::memory::MemoryUse;
use crate::resource::RawBuffer;

/// Sections remembered.
const REMEMBERED: usize = 64;
/// Sections that a report names.
const NAMED: usize = 8;

/// The sections recorded last, and the mark.
#[derive(Default)]
pub struct Breadcrumbs {
    mark: Mutex<Option<RawBuffer>>,
    sections: Mutex<(u32, VecDeque<(u32, String)>)>,
}

impl Breadcrumbs {
    pub(crate) fn new(core: &Core) -> Result<Breadcrumbs, Error> {
        let mark = RawBuffer::new(core, "rx breadcrumbs", 4, MemoryUse::Readback)?;
        Ok(Breadcrumbs { mark: Mutex::new(Some(mark)), sections: Mutex::default() })
    }

    /// Begins a section: from here on the GPU's mark is its number.
    ///
    /// # Safety
    /// `commands` is being recorded by the caller, outside a pass.
    pub(crate) unsafe fn begin(&self, core: &Core, commands: vk::CommandBuffer, name: &str) {
        let number = {
            let mut held = self.sections.lock().unwrap_or_else(PoisonError::into_inner);
            held.0 = held.0.wrapping_add(1);
            let number = held.0;
            if held.1.len() == REMEMBERED {
                held.1.pop_front();
            }
            held.1.push_back((number, name.to_owned()));
            number
        };
        let mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mark) = mark.as_ref() {
            // SAFETY: as the caller promises; the buffer lives as long as the device.
            unsafe { core.raw.cmd_fill_buffer(commands, mark.raw, 0, 4, number) };
        }
    }

    /// What was under way: the section that the GPU began last and those recorded after it, and what the driver says.
    pub(crate) fn report(&self, core: &Core) -> String {
        let mark = self.mark.lock().unwrap_or_else(PoisonError::into_inner);
        let reached = mark.as_ref().and_then(|mark| mark.allocation.as_ref()).and_then(Allocation::mapped_slice);
        let reached = reached.and_then(|bytes| bytes.get(..4)?.try_into().ok()).map(u32::from_ne_bytes);
        let sections = self.sections.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = describe(&sections.1, reached);
        if let Some(fault) = fault(core) {
            text.push_str("; the driver says: ");
            text.push_str(&fault);
        }
        text
    }

    pub(crate) fn destroy(&self, core: &Core) {
        if let Some(mark) = self.mark.lock().unwrap_or_else(PoisonError::into_inner).take() {
            mark.destroy(core);
        }
    }
}

fn describe(sections: &VecDeque<(u32, String)>, reached: Option<u32>) -> String {
    if sections.is_empty() {
        return "nothing was recorded".to_owned();
    }
    let last = reached.and_then(|mark| sections.iter().position(|(number, _)| *number == mark));
    let names = |from: usize| {
        let names: Vec<&str> = sections.iter().skip(from).take(NAMED).map(|(_, name)| name.as_str()).collect();
        names.join(", ")
    };
    match last {
        None => format!("none of these sections was reached: {}", names(sections.len().saturating_sub(NAMED))),
        Some(at) if at + 1 == sections.len() => format!("the GPU had begun the last section: {}", names(at)),
        Some(at) => {
            let (_, name) = &sections[at];
            format!("the GPU had begun {name}; not yet: {}", names(at + 1))
        }
    }
}

/// What VK_EXT_device_fault says.
fn fault(core: &Core) -> Option<String> {
    let calls = core.fault.as_ref()?;
    let get = calls.fp().get_device_fault_info_ext;
    let mut counts = vk::DeviceFaultCountsEXT::default();
    let device = core.raw.handle();
    // SAFETY: the device has the extension and its feature; without an information structure only counts are written.
    unsafe { get(device, &mut counts, std::ptr::null_mut()) }.result().ok()?;
    // Addresses, vendor words and binaries are left to the vendor's tools.
    counts = vk::DeviceFaultCountsEXT::default();
    let mut info = vk::DeviceFaultInfoEXT::default();
    // SAFETY: as above; the counts are zero, so that nothing is written through the structure's pointers.
    unsafe { get(device, &mut counts, &mut info) }.result().ok()?;
    let text = info.description_as_c_str().ok()?.to_string_lossy().into_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_what_was_reached_and_what_was_not() {
        let sections = |names: &[&str]| (1..).zip(names.iter().map(|name| (*name).to_owned())).collect();
        assert_eq!(describe(&VecDeque::new(), Some(0)), "nothing was recorded");
        let three = sections(&["shadow", "lighting", "bloom"]);
        assert_eq!(describe(&three, Some(2)), "the GPU had begun lighting; not yet: bloom");
        assert_eq!(describe(&three, Some(3)), "the GPU had begun the last section: bloom");
        let none = "none of these sections was reached: shadow, lighting, bloom";
        assert_eq!(describe(&three, Some(9)), none);
        assert_eq!(describe(&three, None), none);
    }
}
