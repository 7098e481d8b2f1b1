//! Reads that need not be looked at again.
//!
//! Owns a small table of what was read lately, so that draws that bind the same things over and over take no lock. Whatever is
//! written, moved or begun anew makes all of it forgotten.

use crate::track::Use;

/// Entries; a power of two.
const ENTRIES: usize = 64;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    epoch: u64,
    stages: u32,
    access: u32,
    layout: i32,
}

pub(super) struct Recent {
    entries: [Entry; ENTRIES],
    epoch: u64,
}

impl Default for Recent {
    fn default() -> Self {
        Recent { entries: [Entry::default(); ENTRIES], epoch: 1 }
    }
}

impl Recent {
    /// Whether this read was taken in since everything was forgotten.
    #[inline]
    pub(super) fn has(&self, key: u64, used: &Use) -> bool {
        let own = &self.entries[key as usize % ENTRIES];
        own.key == key
            && own.epoch == self.epoch
            && own.layout == used.layout.as_raw()
            && used.stages.as_raw() & !own.stages == 0
            && used.access.as_raw() & !own.access == 0
            && !used.write
    }

    /// Takes a read in that needed nothing.
    pub(super) fn add(&mut self, key: u64, used: &Use) {
        let (stages, access, layout) = (used.stages.as_raw(), used.access.as_raw(), used.layout.as_raw());
        self.entries[key as usize % ENTRIES] = Entry { key, epoch: self.epoch, stages, access, layout };
    }

    pub(super) fn forget(&mut self) {
        self.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ash::vk::{AccessFlags, ImageLayout, PipelineStageFlags};

    #[test]
    fn only_the_same_read_or_less_of_it_is_known() {
        let read = |stages| Use::read(stages, AccessFlags::SHADER_READ, ImageLayout::GENERAL);
        let (vertex, fragment) = (PipelineStageFlags::VERTEX_SHADER, PipelineStageFlags::FRAGMENT_SHADER);
        let mut recent = Recent::default();
        assert!(!recent.has(7, &read(vertex)));
        recent.add(7, &read(vertex | fragment));
        assert!(recent.has(7, &read(vertex)));
        assert!(!recent.has(7 + ENTRIES as u64, &read(vertex)));
        assert!(!recent.has(7, &read(PipelineStageFlags::COMPUTE_SHADER)));
        assert!(!recent.has(7, &Use { write: true, ..read(vertex) }));
        assert!(!recent.has(7, &Use { layout: ImageLayout::UNDEFINED, ..read(vertex) }));
        recent.forget();
        assert!(!recent.has(7, &read(vertex)));
    }
}
