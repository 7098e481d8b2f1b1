//! The DXBC container: a header, a table of chunks, a checksum.
//!
//! Owns the outer format and its bounds, read and written. Must never look inside a chunk, or trust a size; reading
//! copies nothing.
//!
//! ```text
//! 0   "DXBC"
//! 4   checksum, 16 bytes, over everything from byte 20
//! 20  version, 1
//! 24  size of the container
//! 28  number of chunks n
//! 32  n offsets of chunks, each: FourCC, size, data
//! ```
//!
//! Memory: one table entry of 32 bytes for each 4-byte offset, so at most 8 times the input.

use super::bytes::u32_at;
use super::foreign;
use crate::{Error, Note, ledger};

/// Size of the header, to the first chunk offset.
const HEADER: usize = 32;
/// First byte that the checksum covers.
const CHECKED_FROM: usize = 20;

/// A chunk's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FourCc(pub [u8; 4]);

impl std::fmt::Display for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

impl std::fmt::Debug for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Name.
    pub fourcc: FourCc,
    /// Byte offset of its data in the container.
    pub offset: u32,
    /// Data.
    pub data: &'a [u8],
}

/// What a chunk of a given name is for; `None` for names that no known compiler writes.
pub fn describe(fourcc: FourCc) -> Option<&'static str> {
    Some(match &fourcc.0 {
        b"RDEF" => "resource definitions",
        b"ISGN" | b"ISG1" => "input signature",
        b"OSGN" | b"OSG1" | b"OSG5" => "output signature",
        b"PCSG" | b"PSG1" => "patch constant signature",
        b"SHDR" | b"SHEX" => "shader code",
        b"FX10" => "effect",
        b"LIBF" => "library function",
        b"LIBH" => "library header",
        b"LFS0" => "signature of a library function",
        b"SFI0" => "feature flags",
        b"STAT" => "statistics",
        b"IFCE" => "interfaces",
        b"RTS0" => "root signature",
        b"SDBG" | b"SPDB" => "debug information",
        b"Aon9" | b"XNAS" | b"XNAP" => "shader model 2 code",
        b"PRIV" => "private data",
        b"ILDN" => "name of the debug information",
        b"HASH" => "hash of the source",
        b"VERS" => "compiler version",
        b"DXIL" | b"ILDB" => "shader model 6 code",
        _ => return None,
    })
}

/// A container, borrowed.
#[derive(Clone, Debug)]
pub struct Container<'a> {
    /// The container's bytes: the header's size, without what follows.
    pub bytes: &'a [u8],
    /// The checksum that the header states.
    pub checksum: [u32; 4],
    /// Chunks in the order of the table.
    pub chunks: Vec<Chunk<'a>>,
}

impl<'a> Container<'a> {
    /// Reads the header and the table of chunks.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.get(..4) != Some(b"DXBC") {
            return Err(foreign::not_a_container(bytes));
        }
        let word = |offset| {
            u32_at(bytes, offset)
                .ok_or_else(|| Error::malformed(ledger::NOT_A_CONTAINER, offset, "shorter than a container's header"))
        };
        let checksum = [word(4)?, word(8)?, word(12)?, word(16)?];
        let version = word(20)?;
        if version != 1 {
            return Err(foreign::other_version(version));
        }
        let (size, count) = (word(24)? as usize, word(28)? as usize);
        let bytes = bytes.get(..size).ok_or_else(|| {
            let what = format!("the header says {size} bytes, {} are there", bytes.len());
            Error::malformed(ledger::TRUNCATED, 24, what)
        })?;
        let table = count.checked_mul(4).and_then(|n| n.checked_add(HEADER));
        if table.is_none_or(|end| end > size) {
            let what = format!("a table of {count} chunks does not fit {size} bytes");
            return Err(Error::malformed(ledger::TRUNCATED, 28, what));
        }
        let chunks = (0..count).map(|i| chunk(bytes, HEADER + 4 * i)).collect::<Result<Vec<_>, _>>()?;
        let container = Container { bytes, checksum, chunks };
        if let Some(chunk) = container.find(&[b"DXIL", b"ILDB"]) {
            return Err(foreign::dxil(chunk.fourcc, chunk.offset, chunk.data));
        }
        Ok(container)
    }

    /// The first chunk that has one of these names.
    pub fn find(&self, names: &[&[u8; 4]]) -> Option<&Chunk<'a>> {
        self.chunks.iter().find(|c| names.contains(&&c.fourcc.0))
    }

    /// Compares the header's checksum with the bytes.
    pub fn verify_checksum(&self) -> Result<(), Error> {
        let found = checksum(self.bytes);
        if found == self.checksum {
            return Ok(());
        }
        let what = format!("the header says {:08x?}, the bytes give {found:08x?}", self.checksum);
        Err(Error::malformed(ledger::BAD_CHECKSUM, 4, what))
    }
}

/// The note for a container whose checksum is missing or does not match its bytes.
///
/// [`crate::Translator::translate`] does not compute it: MD5 takes at least 4.5 cycles a byte, a tenth of the time that
/// the translation itself takes. Bytes that are not a container have no note.
pub fn checksum_note(bytes: &[u8]) -> Option<Note> {
    let stated = bytes.get(4..CHECKED_FROM).filter(|_| bytes.starts_with(b"DXBC"))?;
    if stated.iter().all(|&byte| byte == 0) {
        return Some(Note { code: ledger::NO_CHECKSUM, count: 1 });
    }
    let whole = bytes.get(..u32_at(bytes, 24)? as usize)?;
    let right = checksum(whole).iter().flat_map(|word| word.to_le_bytes()).eq(stated.iter().copied());
    (!right).then_some(Note { code: ledger::CHECKSUM_DIFFERS, count: 1 })
}

/// A container of these chunks, with its checksum. `None`: past 4 GiB.
pub fn write(chunks: &[(FourCc, &[u8])]) -> Option<Vec<u8>> {
    let table = HEADER + 4 * chunks.len();
    let size = table + chunks.iter().map(|(_, data)| 8 + data.len()).sum::<usize>();
    let mut out = Vec::with_capacity(size);
    out.extend(b"DXBC");
    out.extend([0; CHECKED_FROM - 4]);
    for word in [1, u32::try_from(size).ok()?, chunks.len() as u32] {
        out.extend(word.to_le_bytes());
    }
    let mut at = table;
    for (_, data) in chunks {
        out.extend((at as u32).to_le_bytes());
        at += 8 + data.len();
    }
    for (name, data) in chunks {
        out.extend(name.0);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(*data);
    }
    let sum = checksum(&out);
    for (place, word) in out[4..CHECKED_FROM].chunks_exact_mut(4).zip(sum) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    Some(out)
}

fn chunk(bytes: &[u8], entry: usize) -> Result<Chunk<'_>, Error> {
    let outside = || Error::malformed(ledger::TRUNCATED, entry, "a chunk lies outside the container");
    let offset = u32_at(bytes, entry).ok_or_else(outside)?;
    let start = offset as usize;
    let data_start = start.checked_add(8).ok_or_else(outside)?;
    let head = bytes.get(start..data_start).ok_or_else(outside)?;
    let size = u32_at(head, 4).ok_or_else(outside)? as usize;
    let data = bytes.get(data_start..).and_then(|rest| rest.get(..size)).ok_or_else(outside)?;
    Ok(Chunk { fourcc: FourCc([head[0], head[1], head[2], head[3]]), offset: data_start as u32, data })
}

/// The checksum of a container's bytes: MD5 with Microsoft's own padding, over everything from byte 20.
///
/// The last block holds the length in bits first, then the remaining bytes, and ends in twice the length plus one.
/// Bytes too short to have a body give the checksum of an empty one.
pub fn checksum(bytes: &[u8]) -> [u32; 4] {
    let body = bytes.get(CHECKED_FROM..).unwrap_or_default();
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let mut blocks = body.chunks_exact(64);
    for block in &mut blocks {
        md5_block(&mut state, block);
    }
    let rest = blocks.remainder();
    let bits = (body.len() as u32).wrapping_mul(8);
    let end = (body.len() as u32).wrapping_mul(2) | 1;
    let mut block = [0u8; 64];
    if rest.len() >= 56 {
        block[..rest.len()].copy_from_slice(rest);
        block[rest.len()] = 0x80;
        md5_block(&mut state, &block);
        block = [0; 64];
    } else {
        block[4..4 + rest.len()].copy_from_slice(rest);
        block[4 + rest.len()] = 0x80;
    }
    block[..4].copy_from_slice(&bits.to_le_bytes());
    block[60..].copy_from_slice(&end.to_le_bytes());
    md5_block(&mut state, &block);
    state
}

/// One MD5 block (RFC 1321, section 3.4). `block` has 64 bytes.
fn md5_block(state: &mut [u32; 4], block: &[u8]) {
    let mut words = [0u32; 16];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    let mut next = *state;
    md5_round::<0, 1, 0>(&mut next, &words, [7, 12, 17, 22], |b, c, d| d ^ (b & (c ^ d)));
    md5_round::<16, 5, 1>(&mut next, &words, [5, 9, 14, 20], |b, c, d| (d & b) | (!d & c));
    md5_round::<32, 3, 5>(&mut next, &words, [4, 11, 16, 23], |b, c, d| b ^ c ^ d);
    md5_round::<48, 7, 0>(&mut next, &words, [6, 10, 15, 21], |b, c, d| c ^ (b | !d));
    for (own, next) in state.iter_mut().zip(next) {
        *own = own.wrapping_add(next);
    }
}

/// Sixteen steps of a block. Step `i` takes word `STRIDE * i + START`. Unrolled, so that every shift and index is a
/// constant: the chain of dependent operations is all that is left.
#[inline(always)]
fn md5_round<const FIRST: usize, const STRIDE: usize, const START: usize>(
    [a, b, c, d]: &mut [u32; 4],
    words: &[u32; 16],
    shifts: [u32; 4],
    mix: impl Fn(u32, u32, u32) -> u32,
) {
    let step = |a: u32, b: u32, c: u32, d: u32, i: usize| {
        let known = a.wrapping_add(SINES[FIRST + i]).wrapping_add(words[(STRIDE * i + START) % 16]);
        b.wrapping_add(known.wrapping_add(mix(b, c, d)).rotate_left(shifts[i % 4]))
    };
    for i in [0, 4, 8, 12] {
        *a = step(*a, *b, *c, *d, i);
        *d = step(*d, *a, *b, *c, i + 1);
        *c = step(*c, *d, *a, *b, i + 2);
        *b = step(*b, *c, *d, *a, i + 3);
    }
}

/// `floor(2^32 * |sin(i + 1)|)`, RFC 1321's table T.
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn build(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let chunks: Vec<_> = chunks.iter().map(|(name, data)| (FourCc(**name), *data)).collect();
        write(&chunks).unwrap()
    }

    fn code_of(bytes: &[u8]) -> crate::Code {
        Container::parse(bytes).map(|_| ()).unwrap_err().code
    }

    #[test]
    fn finds_chunks_and_their_places() {
        let bytes = build(&[(b"ISGN", &[1, 2, 3, 4]), (b"SHEX", &[])]);
        let container = Container::parse(&bytes).unwrap();
        let chunk = container.find(&[b"ISG1", b"ISGN"]).unwrap();
        assert_eq!((chunk.offset, chunk.data), (48, &[1u8, 2, 3, 4][..]));
        assert!(container.find(&[b"SHEX"]).unwrap().data.is_empty());
        assert!(container.find(&[b"RDEF"]).is_none());
        container.verify_checksum().unwrap();
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = build(&[(b"ISGN", &[1, 2, 3, 4]), (b"SHEX", &[5; 60])]);
        for n in 0..bytes.len() {
            let code = code_of(&bytes[..n]);
            let allowed = [ledger::NOT_A_CONTAINER, ledger::TRUNCATED, ledger::EMPTY_INPUT];
            assert!(allowed.contains(&code), "{n}: {code}");
        }
    }

    #[test]
    fn bytes_after_the_container_are_left_out() {
        let mut bytes = build(&[(b"SHEX", &[1; 4])]);
        bytes.extend([9; 100]);
        let container = Container::parse(&bytes).unwrap();
        assert_eq!(container.bytes.len(), bytes.len() - 100);
        container.verify_checksum().unwrap();
    }

    #[test]
    fn a_chunk_outside_is_refused() {
        let good = build(&[(b"SHEX", &[1; 4])]);
        for (at, value) in [(28, u32::MAX), (32, u32::MAX), (32, 44), (40, 5), (40, u32::MAX)] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            assert_eq!(code_of(&bytes), ledger::TRUNCATED, "{value} at {at}");
        }
    }

    #[test]
    fn a_changed_byte_changes_the_checksum() {
        let mut bytes = build(&[(b"SHEX", &[7; 80])]);
        bytes[60] ^= 1;
        let error = Container::parse(&bytes).unwrap().verify_checksum().unwrap_err();
        assert_eq!(error.code, ledger::BAD_CHECKSUM);
    }

    #[test]
    fn a_checksum_that_does_not_match_is_noted() {
        let good = build(&[(b"SHEX", &[7; 80])]);
        let note = |bytes: &[u8]| checksum_note(bytes).map(|note| note.code);
        assert_eq!(note(&good), None);
        let mut damaged = good.clone();
        damaged[60] ^= 1;
        assert_eq!(note(&damaged), Some(ledger::CHECKSUM_DIFFERS));
        let mut unsigned = good.clone();
        unsigned[4..CHECKED_FROM].fill(0);
        assert_eq!(note(&unsigned), Some(ledger::NO_CHECKSUM));
        let longer = [&good[..], &[9; 16]].concat();
        assert_eq!(note(&longer), None);
        assert_eq!((note(&good[..40]), note(b"DXBC"), note(b"#version 450")), (None, None, None));
    }

    #[test]
    fn dxil_is_refused_by_name() {
        assert_eq!(code_of(&build(&[(b"DXIL", &[0; 4])])), ledger::DXIL);
    }

    #[test]
    fn other_files_are_not_containers() {
        assert_eq!(code_of(b"\x01\x02\x03\x04\xf0\xf1"), ledger::NOT_A_CONTAINER);
        let mut bytes = build(&[]);
        bytes[20] = 2;
        assert_eq!(code_of(&bytes), ledger::NOT_A_CONTAINER);
    }
}
