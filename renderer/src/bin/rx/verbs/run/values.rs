//! The text form of values: numbers, bytes and files.
//!
//! Owns the syntax that docs/cli.md describes. Must never know what a value is bound to.

use std::path::Path;

use crate::codes;
use crate::failure::Failure;

/// The most bytes that one value may have.
const MOST_BYTES: usize = 1 << 28;

/// How a number without a prefix is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// A float if it has a point or an exponent, else an integer.
    AsWritten,
    /// A 32-bit float.
    Float,
    /// A 32-bit integer.
    Integer,
}

/// What a prefix says of the numbers after it.
#[derive(Clone, Copy, Debug)]
enum Number {
    Plain(Plain),
    Double,
    Byte,
}

/// Reads values: parts between semicolons, each a list of numbers, bytes, zeros or a file.
pub fn bytes(text: &str, plain: Plain) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    for part in text.split(';').map(str::trim) {
        if let Some(path) = part.strip_prefix('@') {
            let path = Path::new(path);
            out.extend(std::fs::read(path).map_err(|error| Failure::read(path, &error))?);
            continue;
        }
        let (prefix, rest) = part.split_once(':').unwrap_or(("", part));
        match prefix.trim() {
            "" => list(rest, Number::Plain(plain), &mut out)?,
            "f" => list(rest, Number::Plain(Plain::Float), &mut out)?,
            "i" | "u" => list(rest, Number::Plain(Plain::Integer), &mut out)?,
            "d" => list(rest, Number::Double, &mut out)?,
            "b" => list(rest, Number::Byte, &mut out)?,
            "hex" => out.extend(hex(rest)?),
            "zero" => {
                let count = size(rest)?;
                reserve(out.len(), count)?;
                out.resize(out.len() + count, 0);
            }
            other => return Err(bad(part, &format!("`{other}:` is not a prefix"))),
        }
    }
    Ok(out)
}

/// Reads values as 32-bit words. Fails if the bytes are not whole words.
pub fn words(text: &str, plain: Plain) -> Result<Vec<u32>, Failure> {
    let bytes = bytes(text, plain)?;
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(bad(text, "the bytes are not whole 32-bit words"));
    }
    Ok(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

/// Reads one to three numbers, separated by commas or `x`; `missing` is the value of each number left out.
pub fn three(text: &str, missing: u32, flag: &str) -> Result<[u32; 3], Failure> {
    let mut values = [missing; 3];
    let parts: Vec<&str> = text.split([',', 'x']).map(str::trim).collect();
    if parts.len() > values.len() {
        return Err(Failure::own(codes::USAGE, format!("{flag} {text}: more than three numbers")));
    }
    for (value, part) in values.iter_mut().zip(parts) {
        *value =
            part.parse().map_err(|_| Failure::own(codes::USAGE, format!("{flag} {text}: `{part}` is not a number")))?;
    }
    Ok(values)
}

fn list(text: &str, number: Number, out: &mut Vec<u8>) -> Result<(), Failure> {
    for item in text.split(',').map(str::trim) {
        let (value, count) = match item.split_once('*') {
            Some((value, count)) => (value.trim(), size(count)?),
            None => (item, 1),
        };
        let value = encoded(value, number)?;
        reserve(out.len(), value.len().saturating_mul(count))?;
        for _ in 0..count {
            out.extend_from_slice(&value);
        }
    }
    Ok(())
}

/// The bytes of one number.
fn encoded(text: &str, number: Number) -> Result<Vec<u8>, Failure> {
    match number {
        Number::Double => {
            let value: f64 = text.parse().map_err(|_| bad(text, "it is not a 64-bit float"))?;
            Ok(value.to_le_bytes().to_vec())
        }
        Number::Byte => {
            let value = integer(text).and_then(|value| u8::try_from(value).ok());
            Ok(vec![value.ok_or_else(|| bad(text, "it is not a byte"))?])
        }
        Number::Plain(plain) => Ok(word(text, plain)?.to_le_bytes().to_vec()),
    }
}

fn word(text: &str, plain: Plain) -> Result<u32, Failure> {
    let hexadecimal = text.trim_start_matches('-').to_ascii_lowercase().starts_with("0x");
    let float = match plain {
        Plain::Float => !hexadecimal,
        Plain::Integer => false,
        Plain::AsWritten => !hexadecimal && integer(text).is_none(),
    };
    if float {
        let value: f32 = text.parse().map_err(|_| bad(text, "it is not a number"))?;
        return Ok(value.to_bits());
    }
    let value = integer(text).ok_or_else(|| bad(text, "it is not an integer"))?;
    let unsigned = u32::try_from(value).ok();
    let word = unsigned.or_else(|| i32::try_from(value).ok().map(i32::cast_unsigned));
    word.ok_or_else(|| bad(text, "it does not fit in 32 bits"))
}

/// An integer, decimal or with `0x`.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with(['-', '+'])),
        None => digits.parse().ok().filter(|_| !digits.starts_with(['-', '+'])),
    }?;
    Some(if negative { -magnitude } else { magnitude })
}

fn hex(text: &str) -> Result<Vec<u8>, Failure> {
    let digits: Option<Vec<u32>> =
        text.chars().filter(|c| !c.is_whitespace() && *c != '_').map(|c| c.to_digit(16)).collect();
    let digits = digits.ok_or_else(|| bad(text, "it has something else than hexadecimal digits"))?;
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(bad(text, "a byte has two digits"));
    }
    Ok(pairs.iter().map(|[high, low]| (high << 4 | low) as u8).collect())
}

fn size(text: &str) -> Result<usize, Failure> {
    let value = integer(text.trim()).and_then(|value| usize::try_from(value).ok());
    value.ok_or_else(|| bad(text, "it is not a count"))
}

/// Fails if more bytes would pass the limit.
fn reserve(before: usize, more: usize) -> Result<(), Failure> {
    if before.saturating_add(more) <= MOST_BYTES {
        return Ok(());
    }
    Err(Failure::own(codes::RUN_VALUES, format!("a value has more than {MOST_BYTES} bytes")))
}

fn bad(text: &str, what: &str) -> Failure {
    Failure::own(codes::RUN_VALUES, format!("`{text}`: {what}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn numbers_are_read_by_their_prefix_else_as_written() {
        let read = |text| words(text, Plain::AsWritten).unwrap();
        assert_eq!(read("f:1,-2.5,0x7fc00000"), [0x3f80_0000, 0xc020_0000, 0x7fc0_0000]);
        assert_eq!(read("u:1,0xff,4294967295"), [1, 255, u32::MAX]);
        assert_eq!(read("i:-1,-0x10"), [u32::MAX, 0xffff_fff0]);
        assert_eq!(read("d:1.0"), [0, 0x3ff0_0000]);
        assert_eq!(read("b:1,2,3,0x80"), [0x8003_0201]);
        assert_eq!(read("1,2.0,1e1,-inf"), [1, 0x4000_0000, 0x4120_0000, 0xff80_0000]);
        assert_eq!(words("1,2.5", Plain::Float).unwrap(), [0x3f80_0000, 0x4020_0000]);
    }

    #[test]
    fn parts_follow_one_another_and_items_repeat() {
        let read = |text| bytes(text, Plain::AsWritten).unwrap();
        assert_eq!(read("hex:00ff_1a 2b;zero:2;b:7*3"), [0, 0xff, 0x1a, 0x2b, 0, 0, 7, 7, 7]);
        assert!(read("zero:0").is_empty());
    }

    #[test]
    fn faults_name_the_text() {
        for (text, part) in [
            ("q:1", "`q:`"),
            ("u:1.5", "`1.5`"),
            ("u:4294967296", "32 bits"),
            ("u:-2147483649", "32 bits"),
            ("f:one", "`one`"),
            ("b:256", "`256`"),
            ("hex:123", "two digits"),
            ("hex:1g", "hexadecimal"),
            ("u:1*x", "`x`"),
            ("u:0*100000000000", "more than"),
            ("zero:0x7fffffffffffffff", "more than"),
            ("", "``"),
            ("u:--1", "`--1`"),
        ] {
            let failure = bytes(text, Plain::AsWritten).unwrap_err();
            assert_eq!(failure.code, codes::RUN_VALUES, "{text}");
            assert!(failure.what.contains(part), "{text}: {}", failure.what);
        }
        assert!(words("hex:0102", Plain::AsWritten).unwrap_err().what.contains("whole"));
    }

    #[test]
    fn three_numbers_or_fewer() {
        assert_eq!(three("4", 1, "--groups").unwrap(), [4, 1, 1]);
        assert_eq!(three("4x2,3", 1, "--groups").unwrap(), [4, 2, 3]);
        assert_eq!(three("1,2,3,4", 1, "--groups").unwrap_err().code, codes::USAGE);
        assert_eq!(three("a", 1, "--groups").unwrap_err().code, codes::USAGE);
    }
}
