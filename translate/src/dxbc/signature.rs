//! Input, output and patch constant signatures: `ISGN`, `ISG1`, `OSGN`, `OSG1`, `OSG5`, `PCSG`, `PSG1`.
//!
//! Owns the chunks' layout and bounds, read and written. Must never match elements to registers of the program: that is the lowering's.
//!
//! ```text
//! 0  number of elements
//! 4  offset of the first element
//!    elements: [stream]¹, name offset, semantic index, system value, component type, register,
//!              mask (8 bits), read/write mask (8), padding (16), [minimum precision]²
//! ```
//! ¹ `OSG5`, `ISG1`, `OSG1`, `PSG1`; ² `ISG1`, `OSG1`, `PSG1`.
//!
//! Memory: an element record for each 24 bytes, so at most 3 times the chunk.

use super::bytes::{slice_at, text_at, u32_at};
use super::container::{Chunk, FourCc};
use crate::{Error, ledger};
use std::collections::BTreeMap;

/// Registers of a signature (Direct3D 11.3, 4.4.6 and the stages' own limits).
pub const MAX_REGISTERS: u32 = 32;
/// Geometry streams.
pub const MAX_STREAMS: u32 = 4;
/// Register of an element that has none (`oDepth`, `vCoverage`, …).
pub const NO_REGISTER: u32 = u32::MAX;

/// One element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// Semantic name, as written.
    pub semantic: &'a str,
    /// Semantic index.
    pub index: u32,
    /// `D3D_NAME` number, 0 for a user semantic.
    pub system_value: u32,
    /// Component type: 0 unknown, 1 uint, 2 sint, 3 float, 4 uint16, 5 sint16, 6 float16, 7 uint64, 8 sint64, 9 double.
    pub component: u32,
    /// Register, below [`MAX_REGISTERS`], or [`NO_REGISTER`].
    pub register: u32,
    /// Components that it has; bit 0 is x.
    pub mask: u8,
    /// Input: components always read. Output: components *never* written.
    pub rw_mask: u8,
    /// Geometry stream, below [`MAX_STREAMS`].
    pub stream: u32,
    /// Minimum precision: 0 default, 1 float16, 2 float 2.8, 4 sint16, 5 uint16.
    pub min_precision: u32,
}

/// A float element in no register, without components.
pub(crate) const EMPTY: Element<'static> = Element {
    semantic: "",
    index: 0,
    system_value: 0,
    component: 3,
    register: NO_REGISTER,
    mask: 0,
    rw_mask: 0,
    stream: 0,
    min_precision: 0,
};

/// A signature; empty when the container has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature<'a> {
    /// Elements in the chunk's order.
    pub elements: Vec<Element<'a>>,
}

/// How a chunk name lays out its elements.
#[derive(Clone, Copy)]
struct Layout {
    size: usize,
    /// Bytes before the name offset.
    lead: usize,
    precision: bool,
}

fn layout(fourcc: &[u8; 4]) -> Layout {
    match fourcc {
        b"OSG5" => Layout { size: 28, lead: 4, precision: false },
        b"ISG1" | b"OSG1" | b"PSG1" => Layout { size: 32, lead: 4, precision: true },
        _ => Layout { size: 24, lead: 0, precision: false },
    }
}

impl<'a> Signature<'a> {
    /// Reads a signature chunk.
    pub fn parse(chunk: &Chunk<'a>) -> Result<Self, Error> {
        let bad = |at: usize, what: &str| {
            let what = format!("{}: {what}", chunk.fourcc);
            Error::malformed(ledger::BAD_CHUNK, chunk.offset as usize + at, what)
        };
        let layout = layout(&chunk.fourcc.0);
        let header = |at| u32_at(chunk.data, at).ok_or_else(|| bad(at, "shorter than its header"));
        let (count, first) = (header(0)?, header(4)?);
        let table = (count as usize)
            .checked_mul(layout.size)
            .and_then(|size| slice_at(chunk.data, first, size))
            .ok_or_else(|| bad(0, &format!("{count} elements do not fit")))?;
        let mut elements = Vec::with_capacity(count as usize);
        for (i, record) in table.chunks_exact(layout.size).enumerate() {
            let at = first as usize + i * layout.size;
            elements.push(element(chunk.data, record, layout).map_err(|what| bad(at, what))?);
        }
        Ok(Signature { elements })
    }

    /// The elements of a register, in order.
    pub fn in_register(&self, register: u32) -> impl Iterator<Item = &Element<'a>> {
        self.elements.iter().filter(move |e| e.register == register)
    }
}

/// The data of a signature chunk. Each name is written once, and the whole is filled to words, as FXC does.
pub fn write(fourcc: FourCc, elements: &[Element<'_>]) -> Vec<u8> {
    const HEADER: usize = 8;
    const FILL: u8 = 0xab;
    let layout = layout(&fourcc.0);
    let names_at = HEADER + layout.size * elements.len();
    let mut names = Vec::new();
    let mut known = BTreeMap::new();
    let mut out = Vec::with_capacity(names_at);
    let mut word = |word: u32| out.extend(word.to_le_bytes());
    word(elements.len() as u32);
    word(HEADER as u32);
    for element in elements {
        let name = *known.entry(element.semantic).or_insert_with(|| {
            let at = names_at + names.len();
            names.extend(element.semantic.bytes().chain([0]));
            at
        });
        if layout.lead > 0 {
            word(element.stream);
        }
        for field in [name as u32, element.index, element.system_value, element.component, element.register] {
            word(field);
        }
        word(u32::from(element.mask) | u32::from(element.rw_mask) << 8);
        if layout.precision {
            word(element.min_precision);
        }
    }
    out.extend(names);
    out.resize(out.len().next_multiple_of(4), FILL);
    out
}

fn element<'a>(data: &'a [u8], record: &[u8], layout: Layout) -> Result<Element<'a>, &'static str> {
    let word = |at: usize| u32_at(record, at).ok_or("an element is cut short");
    let lead = layout.lead;
    let stream = if lead > 0 { word(0)? } else { 0 };
    let semantic = text_at(data, word(lead)?).ok_or("a name lies outside the chunk")?;
    let register = word(lead + 16)?;
    let masks = word(lead + 20)?;
    let (mask, rw_mask) = ((masks & 0xff) as u8, ((masks >> 8) & 0xff) as u8);
    if register >= MAX_REGISTERS && register != NO_REGISTER {
        return Err("a register past 31");
    }
    if stream >= MAX_STREAMS {
        return Err("a stream past 3");
    }
    if mask > 15 || rw_mask > 15 {
        return Err("a mask of more than four components");
    }
    Ok(Element {
        semantic,
        index: word(lead + 4)?,
        system_value: word(lead + 8)?,
        component: word(lead + 12)?,
        register,
        mask,
        rw_mask,
        stream,
        min_precision: if layout.precision { word(lead + 24)? } else { 0 },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn bytes(words: &[u32], tail: &[u8]) -> Vec<u8> {
        let mut out: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        out.extend(tail);
        out
    }

    fn parse<'a>(name: &[u8; 4], data: &'a [u8]) -> Result<Signature<'a>, Error> {
        Signature::parse(&Chunk { fourcc: FourCc(*name), offset: 0, data })
    }

    #[test]
    fn plain_elements() {
        let data = bytes(&[1, 8, 32, 2, 1, 3, 4, 0x0c0f], b"SV_Position\0");
        let signature = parse(b"OSGN", &data).unwrap();
        let expected = Element {
            semantic: "SV_Position",
            index: 2,
            system_value: 1,
            component: 3,
            register: 4,
            mask: 15,
            rw_mask: 12,
            stream: 0,
            min_precision: 0,
        };
        assert_eq!(signature.elements, [expected]);
        assert_eq!(signature.in_register(4).count(), 1);
        assert_eq!(signature.in_register(5).count(), 0);
    }

    #[test]
    fn streams_and_minimum_precision() {
        let data = bytes(&[1, 8, 3, 36, 0, 0, 3, 1, 0x0007], b"A\0");
        let with_stream = parse(b"OSG5", &data).unwrap().elements[0];
        assert_eq!((with_stream.stream, with_stream.semantic, with_stream.register), (3, "A", 1));
        let data = bytes(&[1, 8, 1, 40, 0, 0, 3, u32::MAX, 0x0001, 5], b"B\0");
        let with_precision = parse(b"PSG1", &data).unwrap().elements[0];
        assert_eq!(with_precision.min_precision, 5);
        assert_eq!(with_precision.register, NO_REGISTER);
    }

    #[test]
    fn what_is_written_is_read() {
        let element = |semantic, register| Element {
            semantic,
            index: 2,
            system_value: 1,
            component: 3,
            register,
            mask: 15,
            rw_mask: 12,
            stream: 0,
            min_precision: 0,
        };
        let plain = [element("AB", 4), element("C", NO_REGISTER), element("AB", 5)];
        // The names: AB, C, and three bytes to fill the word.
        let expected = bytes(
            &[3, 8, 80, 2, 1, 3, 4, 0x0c0f, 83, 2, 1, 3, u32::MAX, 0x0c0f, 80, 2, 1, 3, 5, 0x0c0f],
            b"AB\0C\0\xab\xab\xab",
        );
        assert_eq!(write(FourCc(*b"OSGN"), &plain), expected);
        let whole = plain.map(|element| Element { stream: 3, min_precision: 5, ..element });
        for name in [b"ISGN", b"ISG1", b"OSGN", b"OSG1", b"OSG5", b"PCSG", b"PSG1"] {
            let data = write(FourCc(*name), &whole);
            let stream = if name[3] == b'1' || name[3] == b'5' { 3 } else { 0 };
            let precision = if name[3] == b'1' { 5 } else { 0 };
            let expected = whole.map(|element| Element { stream, min_precision: precision, ..element });
            assert_eq!(parse(name, &data).unwrap().elements, expected);
        }
        assert_eq!(write(FourCc(*b"ISGN"), &[]), bytes(&[0, 8], &[]));
    }

    #[test]
    fn bad_tables_are_refused() {
        let good = [1u32, 8, 32, 0, 0, 3, 0, 0x0f0f];
        assert!(parse(b"ISGN", &bytes(&good, b"A\0")).is_ok());
        for (at, value) in [(0, 2), (0, u32::MAX), (1, u32::MAX), (2, 34), (2, u32::MAX), (6, 32), (7, 0x1f)] {
            let mut words = good;
            words[at] = value;
            let error = parse(b"ISGN", &bytes(&words, b"A\0")).unwrap_err();
            assert_eq!(error.code, ledger::BAD_CHUNK, "{value} at {at}");
        }
        assert!(parse(b"ISGN", &[]).is_err());
    }
}
