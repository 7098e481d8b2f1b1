//! Bounds-checked reads of an effect's heap and tables.

use crate::dxbc::bytes::{MAX_NAME, text_at, u32_at};
use crate::{Error, ledger};

/// Words of the header that every version has.
const HEADER_WORDS: usize = 19;

/// Words that `fx_5_0` adds.
const HEADER_5_WORDS: usize = 5;

/// Counts of the header that the walk needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub buffers: u32,
    pub objects: u32,
    pub pool_buffers: u32,
    pub pool_objects: u32,
    pub techniques: u32,
    pub interfaces: u32,
    /// Of `fx_5_0`, whose techniques are in groups.
    pub groups: Option<u32>,
}

/// A variable's type, as far as the walk needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Type {
    pub kind: u32,
    /// Elements of an array; 0 otherwise.
    pub elements: u32,
    pub object: u32,
}

/// An effect being read.
pub(super) struct Reader<'a> {
    pub counts: Counts,
    /// Offset of `blob` in the input.
    base: usize,
    blob: &'a [u8],
    heap_at: usize,
    heap: &'a [u8],
    /// Next byte of the tables, in `blob`.
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads the header.
    pub fn new(base: usize, blob: &'a [u8], profile: &str) -> Result<Self, Error> {
        let short = || Error::malformed(ledger::BAD_EFFECT, base, "shorter than an effect's header");
        let word = |index: usize| u32_at(blob, 4 * index).ok_or_else(short);
        let is_5 = profile == "fx_5_0";
        let words = if is_5 { HEADER_WORDS + HEADER_5_WORDS } else { HEADER_WORDS };
        word(words - 1)?;
        let counts = Counts {
            buffers: word(1)?,
            objects: word(3)?,
            pool_buffers: word(4)?,
            pool_objects: word(6)?,
            techniques: word(7)?,
            interfaces: if is_5 { word(HEADER_WORDS + 2)? } else { 0 },
            groups: is_5.then(|| word(HEADER_WORDS)).transpose()?,
        };
        let (heap_at, size) = (4 * words, word(8)? as usize);
        let heap = blob.get(heap_at..).and_then(|rest| rest.get(..size)).ok_or_else(|| {
            let what = format!("a heap of {size} bytes in an effect of {}", blob.len());
            Error::malformed(ledger::BAD_EFFECT, base + 32, what)
        })?;
        Ok(Reader { counts, base, blob, heap_at, heap, at: heap_at + size })
    }

    /// An error at the next entry of the tables.
    pub fn malformed(&self, what: impl Into<String>) -> Error {
        Error::malformed(ledger::BAD_EFFECT, self.base.saturating_add(self.at), what)
    }

    fn outside(&self, offset: u32, what: &str) -> Error {
        self.malformed(format!("{what} at {offset:#x} of a heap of {:#x} bytes", self.heap.len()))
    }

    /// The next words of the tables.
    pub fn words<const N: usize>(&mut self) -> Result<[u32; N], Error> {
        let mut words = [0; N];
        for (index, word) in words.iter_mut().enumerate() {
            *word = u32_at(self.blob, self.at + 4 * index).ok_or_else(|| self.malformed("the tables end too early"))?;
        }
        self.at += 4 * N;
        Ok(words)
    }

    /// Steps over entries of some words each.
    pub fn skip(&mut self, count: u32, words: usize) -> Result<(), Error> {
        let size = (count as usize).checked_mul(4 * words);
        let end = size.and_then(|size| self.at.checked_add(size)).filter(|&end| end <= self.blob.len());
        self.at = end.ok_or_else(|| self.malformed(format!("{count} entries do not fit into the tables")))?;
        Ok(())
    }

    /// Words of the heap.
    pub fn heap_words<const N: usize>(&self, offset: u32) -> Result<[u32; N], Error> {
        let mut words = [0; N];
        for (index, word) in words.iter_mut().enumerate() {
            let at = (offset as usize).checked_add(4 * index);
            *word = at.and_then(|at| u32_at(self.heap, at)).ok_or_else(|| self.outside(offset, "a value"))?;
        }
        Ok(words)
    }

    /// A name of the heap.
    pub fn name(&self, offset: u32) -> Result<&'a str, Error> {
        text_at(self.heap, offset).ok_or_else(|| self.outside(offset, &format!("no name of {MAX_NAME} bytes at most")))
    }

    /// A block of the heap: its size, then its bytes. Returns their offset in the input too.
    pub fn block(&self, offset: u32) -> Result<(u32, &'a [u8]), Error> {
        let [size] = self.heap_words(offset)?;
        let start = offset as usize + 4;
        let bytes = self.heap.get(start..).and_then(|rest| rest.get(..size as usize));
        let bytes = bytes.ok_or_else(|| self.outside(offset, &format!("a shader of {size} bytes")))?;
        let place = u32::try_from(self.base + self.heap_at + start).map_err(|_| self.outside(offset, "a shader"))?;
        Ok((place, bytes))
    }

    /// A type of the heap.
    pub fn ty(&self, offset: u32) -> Result<Type, Error> {
        let [_name, kind, elements, _size, _stride, _packed] = self.heap_words(offset)?;
        // Interfaces have no word after these; the walk needs none of theirs.
        let object = self.heap_words::<7>(offset).map_or(0, |words| words[6]);
        Ok(Type { kind, elements, object })
    }
}
