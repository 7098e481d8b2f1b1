//! The kinds of damage: containers cut short, code cut short, bytes changed.

use rx_translate::dxbc::container::Container;
use std::fmt;
use std::ops::Range;

/// One kind of damage, in one place.
pub enum Damaged {
    /// Cut at a byte.
    Cut(usize),
    /// Cut at a byte, and the header's size made to fit.
    CutWithSize(usize),
    /// The code cut at a byte, and its length made to fit.
    CutCode(usize),
    /// A byte changed.
    Byte { at: usize, from: u8, to: u8 },
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damaged::Cut(at) => write!(f, "cut at {at}"),
            Damaged::CutWithSize(at) => write!(f, "cut at {at} with its size"),
            Damaged::CutCode(at) => write!(f, "with code cut at {at}"),
            Damaged::Byte { at, from, to } => write!(f, "with byte {at} changed from {from:#04x} to {to:#04x}"),
        }
    }
}

/// Changes that look random and are the same every time: xorshift64 from a fixed seed.
struct Changes(u64);

impl Changes {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Another value for a byte.
    fn change(&mut self, byte: u8) -> u8 {
        byte ^ (1 + self.next() % 255) as u8
    }
}

/// Places in a container, and once more in its code, at which a byte is changed.
const PLACES: usize = 64;

/// Bytes between two cuts.
const STEP: usize = 16;

/// Code past this size is cut and changed in fewer places: its time grows with its size, what it shows does not.
const LARGE: usize = 6 << 10;

/// Calls `with` for each damaged form of a container.
pub fn each(bytes: &[u8], mut with: impl FnMut(&Damaged, &[u8])) {
    let code = code_of(bytes);
    for at in (0..bytes.len()).step_by(STEP) {
        with(&Damaged::Cut(at), &bytes[..at]);
        if at >= SIZE_FIELD.end {
            let mut cut = bytes[..at].to_vec();
            cut[SIZE_FIELD].copy_from_slice(&(at as u32).to_le_bytes());
            with(&Damaged::CutWithSize(at), &cut);
        }
    }
    cut_code(bytes, code.clone(), &mut with);
    let mut changes = Changes(0x9e37_79b9_7f4a_7c15);
    change(bytes, 0..bytes.len(), &mut changes, &mut with);
    change(bytes, code, &mut changes, &mut with);
}

/// Calls `with` for each damaged form of any file: cut every few bytes, and every third byte changed.
pub fn anywhere(bytes: &[u8], mut with: impl FnMut(&Damaged, &[u8])) {
    for at in (0..bytes.len()).step_by(STEP) {
        with(&Damaged::Cut(at), &bytes[..at]);
    }
    let (mut changes, mut changed) = (Changes(0x9e37_79b9_7f4a_7c15), bytes.to_vec());
    for at in (0..bytes.len()).step_by(3) {
        let (from, to) = (bytes[at], changes.change(bytes[at]));
        changed[at] = to;
        with(&Damaged::Byte { at, from, to }, &changed);
        changed[at] = from;
    }
}

/// Where a container's header has the container's size.
const SIZE_FIELD: Range<usize> = 24..28;

/// Where the code's tokens lie.
fn code_of(bytes: &[u8]) -> Range<usize> {
    let container = Container::parse(bytes).expect("an undamaged container");
    let code = container.find(&[b"SHEX", b"SHDR"]).expect("a container with code");
    let start = code.offset as usize;
    start..start + code.data.len()
}

/// Cuts the code by its own length token, so that the chunks around it stay as they are.
fn cut_code(bytes: &[u8], code: Range<usize>, with: &mut impl FnMut(&Damaged, &[u8])) {
    let step = if code.len() > LARGE { code.len() / 32 / 4 * 4 } else { STEP };
    let mut cut = bytes.to_vec();
    for at in (8..code.len()).step_by(step) {
        let length = code.start + 4..code.start + 8;
        cut[length].copy_from_slice(&(at as u32 / 4).to_le_bytes());
        with(&Damaged::CutCode(at), &cut);
    }
}

/// Changes a byte at each of some places spread over a range.
fn change(bytes: &[u8], range: Range<usize>, changes: &mut Changes, with: &mut impl FnMut(&Damaged, &[u8])) {
    let places = if range.len() > LARGE { PLACES / 4 } else { PLACES };
    let mut changed = bytes.to_vec();
    for place in 0..places.min(range.len()) {
        let at = range.start + (place * range.len() + changes.next() as usize % range.len()) / places;
        let (from, to) = (bytes[at], changes.change(bytes[at]));
        changed[at] = to;
        with(&Damaged::Byte { at, from, to }, &changed);
        changed[at] = from;
    }
}
