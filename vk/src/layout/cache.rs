//! Interned layouts: equal set layouts are one, whatever programs they come from.
//!
//! Owns a table of flags and bindings with small ids, for one device at a time: ids are given in the order in which
//! layouts first come, and nothing else depends on hashes. The Vulkan objects are the owner's, by id.

use std::hash::{Hash, Hasher};

use ash::vk;

use super::plan::SetLayout;
use super::program::LayoutBinding;

/// A layout in its cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LayoutId(u32);

impl LayoutId {
    /// Its place among the cache's layouts, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    flags: vk::DescriptorSetLayoutCreateFlags,
    first: u32,
    len: u32,
    hash: u64,
}

/// A table of layouts.
#[derive(Clone, Debug, Default)]
pub struct LayoutCache {
    entries: Vec<Entry>,
    bindings: Vec<LayoutBinding>,
    /// Open addressing, a power of two; a layout's number plus one, 0 is free.
    slots: Vec<u32>,
}

/// Slots of a cache with its first layout.
const FIRST_SLOTS: usize = 64;

impl LayoutCache {
    /// An empty cache.
    pub fn new() -> LayoutCache {
        LayoutCache::default()
    }

    /// The id of a layout, the same for every equal one. Allocates only for one that is new.
    pub fn intern(&mut self, layout: &SetLayout<'_>) -> LayoutId {
        if self.slots.len() < 2 * (self.entries.len() + 1) {
            self.grow();
        }
        let hash = hash(layout);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.is(number, hash, layout) {
                return LayoutId(number);
            }
            slot = (slot + 1) & mask;
        }
        let id = LayoutId(self.entries.len() as u32);
        let (first, len) = (self.bindings.len() as u32, layout.bindings.len() as u32);
        self.bindings.extend_from_slice(layout.bindings);
        self.entries.push(Entry { flags: layout.flags, first, len, hash });
        self.slots[slot] = id.0 + 1;
        id
    }

    /// The layout of an id; `None` for an id of another cache.
    pub fn get(&self, id: LayoutId) -> Option<SetLayout<'_>> {
        let entry = self.entries.get(id.index())?;
        Some(SetLayout { flags: entry.flags, bindings: self.bindings_of(entry) })
    }

    /// Number of layouts.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn bindings_of(&self, entry: &Entry) -> &[LayoutBinding] {
        let first = entry.first as usize;
        self.bindings.get(first..first + entry.len as usize).unwrap_or_default()
    }

    fn is(&self, number: u32, hash: u64, layout: &SetLayout<'_>) -> bool {
        let Some(entry) = self.entries.get(number as usize) else { return false };
        entry.hash == hash && entry.flags == layout.flags && self.bindings_of(entry) == layout.bindings
    }

    fn grow(&mut self) {
        let len = (self.slots.len() * 2).max(FIRST_SLOTS);
        self.slots = vec![0; len];
        for (number, entry) in (1..).zip(&self.entries) {
            let mut slot = entry.hash as usize & (len - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = number;
        }
    }
}

/// 64 bits of a layout.
fn hash(layout: &SetLayout<'_>) -> u64 {
    let mut fold = Fold(0x243f_6a88_85a3_08d3);
    layout.flags.hash(&mut fold);
    layout.bindings.hash(&mut fold);
    fold.finish()
}

/// Folds each word in by a multiplication whose halves are mixed.
struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let product = u128::from(self.0 ^ u64::from_le_bytes(word)) * 0x9e37_79b9_7f4a_7c15_u128;
            self.0 = product as u64 ^ (product >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::StageBits;
    use rx_translate::interface::{DescriptorType, Stage};

    fn binding(number: u32) -> LayoutBinding {
        LayoutBinding {
            binding: number,
            ty: DescriptorType::UniformBuffer,
            count: Some(1),
            stages: StageBits::of(Stage::Vertex),
            planes: 1,
        }
    }

    const PUSH: vk::DescriptorSetLayoutCreateFlags = vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR;
    const NONE: vk::DescriptorSetLayoutCreateFlags = vk::DescriptorSetLayoutCreateFlags::empty();

    #[test]
    fn equal_layouts_are_one_and_others_are_not() {
        let mut cache = LayoutCache::new();
        assert!(cache.is_empty());
        let plain = binding(0);
        let others = [
            LayoutBinding { binding: 1, ..plain },
            LayoutBinding { ty: DescriptorType::StorageBuffer, ..plain },
            LayoutBinding { count: Some(2), ..plain },
            LayoutBinding { count: None, ..plain },
            LayoutBinding { stages: StageBits::of(Stage::Fragment), ..plain },
            LayoutBinding { planes: 2, ..plain },
        ];
        let mut layouts =
            vec![(PUSH, vec![plain]), (NONE, vec![plain]), (NONE, vec![plain, binding(1)]), (NONE, vec![])];
        layouts.extend(others.map(|other| (PUSH, vec![other])));
        let ids: Vec<LayoutId> =
            layouts.iter().map(|(flags, b)| cache.intern(&SetLayout { flags: *flags, bindings: b })).collect();
        assert_eq!(ids.iter().map(|id| id.index()).collect::<Vec<_>>(), (0..layouts.len()).collect::<Vec<_>>());
        for ((flags, bindings), id) in layouts.iter().zip(ids) {
            let layout = SetLayout { flags: *flags, bindings };
            assert_eq!(cache.intern(&layout), id);
            assert_eq!(cache.get(id), Some(layout));
        }
        assert_eq!((cache.len(), cache.is_empty()), (layouts.len(), false));
        assert_eq!(LayoutCache::new().get(LayoutId(0)), None);
    }

    #[test]
    fn an_equal_hash_does_not_make_layouts_equal() {
        let mut cache = LayoutCache::new();
        let bindings = [binding(0)];
        let own = SetLayout { flags: PUSH, bindings: &bindings };
        cache.intern(&own);
        assert!(cache.is(0, hash(&own), &own));
        assert!(!cache.is(0, hash(&own), &SetLayout { flags: NONE, ..own }));
        assert!(!cache.is(0, hash(&own), &SetLayout { bindings: &[binding(1)], ..own }));
        assert!(!cache.is(0, hash(&own) + 1, &own));
    }

    #[test]
    fn a_cache_grows_and_keeps_its_ids() {
        let mut cache = LayoutCache::new();
        let all: Vec<[LayoutBinding; 2]> = (0..1000).map(|n| [binding(n), binding(n + 1)]).collect();
        for round in 0..2 {
            for (n, bindings) in all.iter().enumerate() {
                assert_eq!(cache.intern(&SetLayout { flags: PUSH, bindings }).index(), n, "round {round}");
            }
        }
        assert_eq!(cache.len(), 1000);
        assert_eq!(cache.get(LayoutId(999)).map(|layout| layout.bindings), Some(&all[999][..]));
    }

    #[test]
    fn hashes_of_different_layouts_differ_in_their_low_bits_too() {
        let mut all = Vec::new();
        for number in 0..64 {
            for count in 1..9 {
                for flags in [PUSH, NONE] {
                    let bindings = [LayoutBinding { count: Some(count), ..binding(number) }, binding(99)];
                    all.push(hash(&SetLayout { flags, bindings: &bindings }));
                }
            }
        }
        let distinct = |bits: u64| all.iter().map(|own| own & bits).collect::<std::collections::BTreeSet<_>>().len();
        assert_eq!(distinct(u64::MAX), 1024);
        // As many of 1,024 slots as chance fills, 1 - 1/e of them, give or take.
        assert!((600..700).contains(&distinct(1023)), "{}", distinct(1023));
    }

    #[test]
    fn a_cache_is_never_more_than_half_full() {
        let mut cache = LayoutCache::new();
        for number in 0..1000 {
            cache.intern(&SetLayout { flags: PUSH, bindings: &[binding(number)] });
            let (slots, layouts) = (cache.slots.len(), cache.len());
            assert!(slots.is_power_of_two() && slots >= 2 * layouts && slots <= FIRST_SLOTS.max(4 * layouts));
        }
    }
}
