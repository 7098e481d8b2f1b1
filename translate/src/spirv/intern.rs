//! One id for equal types, constants and pointers.
//!
//! Owns a hash table of small fixed-size keys. Must never order anything by hash: only look-ups reach the output.

/// What a global is: a tag and up to three numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key(pub(super) Tag, pub(super) u32, pub(super) u32, pub(super) u32);

/// The kinds of globals that are shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub(super) enum Tag {
    /// Scalar constant: type index, bits.
    Scalar,
    /// Vector of one unsigned integer: width, bits.
    Splat,
    /// Null constant: type id.
    Null,
    /// Pointer: storage class, pointee.
    Pointer,
    /// Array: element, length, stride (0 for none).
    Array,
    /// Runtime array: element, stride (0 for none).
    RuntimeArray,
    /// Block of one member: member, offset.
    Block,
    /// Image: packed.
    Image,
    /// Sampled image: image.
    SampledImage,
}

/// The table.
pub(super) struct Interner {
    entries: Vec<(Key, u32)>,
    /// Index of an entry plus one; 0 is empty.
    slots: Vec<u32>,
}

impl Interner {
    /// A table for about so many entries.
    pub(super) fn sized(entries: usize) -> Interner {
        Interner { entries: Vec::with_capacity(entries), slots: vec![0; (entries * 2).next_power_of_two().max(64)] }
    }

    /// The id of an equal key.
    pub(super) fn get(&self, key: Key) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(key) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return None,
                at => {
                    let (found, id) = self.entries[at as usize - 1];
                    if found == key {
                        return Some(id);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a key that is not there yet.
    pub(super) fn insert(&mut self, key: Key, id: u32) {
        self.entries.push((key, id));
        if self.entries.len() * 2 > self.slots.len() {
            self.slots = vec![0; self.slots.len() * 2];
            for at in 0..self.entries.len() {
                self.place(at);
            }
        } else {
            self.place(self.entries.len() - 1);
        }
    }

    fn place(&mut self, at: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.entries[at].0) as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = at as u32 + 1;
    }
}

fn hash(Key(tag, a, b, c): Key) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut h = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(K);
    h = (h.rotate_left(29) ^ u64::from(c) ^ (tag as u64) << 56).wrapping_mul(K);
    (h >> 32) as u32
}
