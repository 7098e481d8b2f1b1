//! `RDEF`: the compiler's reflection of bound resources and constant buffers, and `SFI0`.
//!
//! Owns the chunks' layout and bounds. Everything in it is optional for a translation: names that cannot be read are
//! empty. Must never decide a binding: the program's own declarations do.
//!
//! Memory: records of at most twice their own bytes; variables are counted against the chunk's size, so
//! buffers that share one table cannot multiply it.

use super::bytes::{slice_at, text_at, u32_at};
use super::container::Chunk;
use crate::{Error, ledger};

/// A bound resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding<'a> {
    /// Name; empty when unreadable.
    pub name: &'a str,
    /// `D3D_SHADER_INPUT_TYPE`: 0 cbuffer, 1 tbuffer, 2 texture, 3 sampler, 4 typed UAV, 5 structured, 6 structured UAV,
    /// 7 raw, 8 raw UAV, 9 append, 10 consume, 11 structured UAV with counter.
    pub ty: u32,
    /// `D3D_RESOURCE_RETURN_TYPE`, 0 for none.
    pub return_type: u32,
    /// `D3D_SRV_DIMENSION`.
    pub dimension: u32,
    /// Samples, or `u32::MAX` where it has no meaning; for structured buffers the stride.
    pub samples: u32,
    /// First register.
    pub bind_point: u32,
    /// Number of registers; 0 for an unbounded array.
    pub count: u32,
    /// `D3D_SHADER_INPUT_FLAGS`.
    pub flags: u32,
    /// Register space (5.1).
    pub space: u32,
    /// Range id that the program's operands name (5.1); else the bind point.
    pub id: u32,
}

/// A variable of a constant buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<'a> {
    /// Name; empty when unreadable.
    pub name: &'a str,
    /// Byte offset in the buffer.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// `D3D_SHADER_VARIABLE_FLAGS`; bit 1: used.
    pub flags: u32,
}

/// A constant buffer (or the layout of a structured buffer's element).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantBuffer<'a> {
    /// Name; empty when unreadable.
    pub name: &'a str,
    /// Size in bytes.
    pub size: u32,
    /// `D3D_SHADER_CBUFFER_FLAGS`.
    pub flags: u32,
    /// `D3D_CBUFFER_TYPE`: 0 cbuffer, 1 tbuffer, 2 interface pointers, 3 resource bind info.
    pub ty: u32,
    /// Variables in order.
    pub variables: Vec<Variable<'a>>,
}

/// The contents of `RDEF`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reflection<'a> {
    /// Bound resources in order.
    pub bindings: Vec<Binding<'a>>,
    /// Constant buffers in order.
    pub constant_buffers: Vec<ConstantBuffer<'a>>,
    /// Shader model, major and minor.
    pub model: (u8, u8),
    /// Compiler flags.
    pub flags: u32,
    /// Compiler's name and version.
    pub creator: &'a str,
}

/// Words that announce the record sizes: `RD11` of 5.0, and 5.1's.
const SIZED: [u32; 2] = [u32::from_le_bytes(*b"RD11"), 0x2544_1313];

/// Record sizes, which the chunk itself states from 5.0 on.
struct Sizes {
    buffer: usize,
    binding: usize,
    variable: usize,
}

impl<'a> Reflection<'a> {
    /// Reads an `RDEF` chunk.
    pub fn parse(chunk: &Chunk<'a>) -> Result<Self, Error> {
        let data = chunk.data;
        let bad = |at: usize, what: &str| {
            Error::malformed(ledger::BAD_CHUNK, chunk.offset as usize + at, format!("{}: {what}", chunk.fourcc))
        };
        let word = |at| u32_at(data, at).ok_or_else(|| bad(at, "shorter than its header"));
        let version = word(16)?;
        let model = (((version >> 8) & 0xff) as u8, (version & 0xff) as u8);
        let sizes = sizes(data, model).ok_or_else(|| bad(28, "record sizes smaller than their fields"))?;
        let buffers =
            table(data, word(0)?, word(4)?, sizes.buffer).ok_or_else(|| bad(0, "constant buffers do not fit"))?;
        let bindings = table(data, word(8)?, word(12)?, sizes.binding).ok_or_else(|| bad(8, "bindings do not fit"))?;
        let mut budget = data.len() / sizes.variable;
        let constant_buffers = buffers
            .map(|record| constant_buffer(data, record, sizes.variable, &mut budget))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| bad(4, "a constant buffer's variables do not fit"))?;
        let bindings = bindings
            .map(|record| binding(data, record))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| bad(12, "a binding is cut short"))?;
        let creator = text_at(data, word(24)?).unwrap_or_default();
        Ok(Reflection { bindings, constant_buffers, model, flags: word(20)?, creator })
    }
}

fn sizes(data: &[u8], model: (u8, u8)) -> Option<Sizes> {
    let states_sizes = u32_at(data, 28).is_some_and(|magic| SIZED.contains(&magic));
    if model.0 < 5 || !states_sizes {
        return Some(Sizes { buffer: 24, binding: 32, variable: 24 });
    }
    let word = |at| u32_at(data, at).map(|w| w as usize);
    let sizes = Sizes { buffer: word(36)?, binding: word(40)?, variable: word(44)? };
    (sizes.buffer >= 24 && sizes.binding >= 32 && sizes.variable >= 24).then_some(sizes)
}

fn table(data: &[u8], count: u32, offset: u32, size: usize) -> Option<std::slice::ChunksExact<'_, u8>> {
    // A table without records may point anywhere.
    if count == 0 {
        return Some([].chunks_exact(size));
    }
    let bytes = (count as usize).checked_mul(size)?;
    Some(slice_at(data, offset, bytes)?.chunks_exact(size))
}

fn constant_buffer<'a>(data: &'a [u8], record: &[u8], size: usize, budget: &mut usize) -> Option<ConstantBuffer<'a>> {
    let word = |at| u32_at(record, at);
    let count = word(4)?;
    *budget = budget.checked_sub(count as usize)?;
    let variables = table(data, count, word(8)?, size)?.map(|v| variable(data, v)).collect::<Option<Vec<_>>>()?;
    Some(ConstantBuffer {
        name: text_at(data, word(0)?).unwrap_or_default(),
        size: word(12)?,
        flags: word(16)?,
        ty: word(20)?,
        variables,
    })
}

fn variable<'a>(data: &'a [u8], record: &[u8]) -> Option<Variable<'a>> {
    let word = |at| u32_at(record, at);
    Some(Variable {
        name: text_at(data, word(0)?).unwrap_or_default(),
        offset: word(4)?,
        size: word(8)?,
        flags: word(12)?,
    })
}

fn binding<'a>(data: &'a [u8], record: &[u8]) -> Option<Binding<'a>> {
    let word = |at| u32_at(record, at);
    let bind_point = word(20)?;
    Some(Binding {
        name: text_at(data, word(0)?).unwrap_or_default(),
        ty: word(4)?,
        return_type: word(8)?,
        dimension: word(12)?,
        samples: word(16)?,
        bind_point,
        count: word(24)?,
        flags: word(28)?,
        // Records of 32 bytes (before 5.1) have neither.
        space: word(32).unwrap_or(0),
        id: word(36).unwrap_or(bind_point),
    })
}

/// The feature flags of an `SFI0` chunk.
pub fn feature_flags(chunk: &Chunk<'_>) -> Result<u64, Error> {
    match (u32_at(chunk.data, 0), u32_at(chunk.data, 4)) {
        (Some(low), Some(high)) => Ok(u64::from(low) | u64::from(high) << 32),
        _ => Err(Error::malformed(ledger::BAD_CHUNK, chunk.offset as usize, "SFI0: shorter than 8 bytes")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::container::FourCc;
    use super::*;

    fn parse(data: &[u8]) -> Result<Reflection<'_>, Error> {
        Reflection::parse(&Chunk { fourcc: FourCc(*b"RDEF"), offset: 0, data })
    }

    /// One constant buffer `cb` of one variable `v`, bound at b3; model 4.0.
    fn sample() -> Vec<u32> {
        let (cb, binding, variable, names) = (28, 52, 84, 108);
        let mut words = vec![1, cb, 1, binding, 0xffff_0400, 0x100, names + 8];
        words.extend([names, 1, variable, 64, 0, 0]);
        words.extend([names, 0, 0, 0, u32::MAX, 3, 1, 0]);
        words.extend([names + 4, 16, 12, 2, 0, 0]);
        words.extend([u32::from_le_bytes(*b"cb\0\0"), u32::from_le_bytes(*b"v\0\0\0"), u32::from_le_bytes(*b"fxc\0")]);
        words
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    #[test]
    fn buffers_variables_and_bindings() {
        let data = bytes(&sample());
        let rdef = parse(&data).unwrap();
        assert_eq!(rdef.model, (4, 0));
        assert_eq!(rdef.creator, "fxc");
        assert_eq!(rdef.bindings[0].name, "cb");
        assert_eq!((rdef.bindings[0].bind_point, rdef.bindings[0].id, rdef.bindings[0].space), (3, 3, 0));
        let cb = &rdef.constant_buffers[0];
        assert_eq!((cb.name, cb.size), ("cb", 64));
        assert_eq!(cb.variables, [Variable { name: "v", offset: 16, size: 12, flags: 2 }]);
    }

    #[test]
    fn record_sizes_of_5_0_and_5_1() {
        for (version, magic, size) in [(0xffff_0500u32, SIZED[0], 32), (0xffff_0501, SIZED[1], 40)] {
            let mut words = vec![0, 0, 1, 60, version, 0, 0, magic, 60, 24, size, 40, 36, 12, 0];
            words.extend([0, 2, 5, 4, u32::MAX, 3, 1, 0, 6, 7]);
            let data = bytes(&words);
            let binding = parse(&data).unwrap().bindings[0];
            let expected = if size == 40 { (6, 7) } else { (0, 3) };
            assert_eq!((binding.space, binding.id, binding.bind_point), (expected.0, expected.1, 3));
        }
        let mut words = vec![0, 0, 1, 60, 0xffff_0500, 0, 0, SIZED[0], 60, 24, 4, 40, 36, 12, 0];
        words.extend([0; 10]);
        assert_eq!(parse(&bytes(&words)).unwrap_err().code, ledger::BAD_CHUNK);
    }

    #[test]
    fn a_bad_name_is_empty_and_a_bad_table_refused() {
        let mut words = sample();
        words[7] = 0xffff;
        assert_eq!(parse(&bytes(&words)).unwrap().constant_buffers[0].name, "");
        for (at, value) in [(0, u32::MAX), (1, 1000), (2, 1000), (3, u32::MAX), (8, 1000), (9, u32::MAX)] {
            let mut words = sample();
            words[at] = value;
            assert_eq!(parse(&bytes(&words)).unwrap_err().code, ledger::BAD_CHUNK, "{value} at {at}");
        }
    }

    #[test]
    fn buffers_cannot_share_a_table_without_end() {
        let mut words = vec![0u32; 7];
        let buffers = 200;
        (words[0], words[1], words[4]) = (buffers, 28, 0x400);
        for _ in 0..buffers {
            words.extend([0, 100, 28, 0, 0, 0]);
        }
        assert_eq!(parse(&bytes(&words)).unwrap_err().code, ledger::BAD_CHUNK);
    }

    #[test]
    fn feature_flags_are_eight_bytes() {
        let chunk = |data| Chunk { fourcc: FourCc(*b"SFI0"), offset: 0, data };
        assert_eq!(feature_flags(&chunk(&[1, 0, 0, 0, 2, 0, 0, 0])).unwrap(), 0x2_0000_0001);
        assert!(feature_flags(&chunk(&[1, 0, 0, 0])).is_err());
    }
}
