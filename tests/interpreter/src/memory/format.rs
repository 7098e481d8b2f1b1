//! Texel formats: memory to components and back (3.2, 19.1).
//!
//! Owns the layout of each `DXGI_FORMAT` and the conversions that the specification gives for it.

use crate::thread::Lanes;

/// How a component's bits are a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// 32-bit and 16-bit floats, and unsigned floats of 11 and 10 bits.
    Float,
    Uint,
    Sint,
    Unorm,
    Snorm,
    /// UNORM with the sRGB transfer function in the first three components.
    Srgb,
    /// Three mantissas of 9 bits with one exponent of 5 bits.
    SharedExponent,
}

/// A format: the bits of its components from the lowest bit up, and which component each is (0 is red).
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    number: Number,
    components: &'static [(u32, usize)],
}

const RGBA32: &[(u32, usize)] = &[(32, 0), (32, 1), (32, 2), (32, 3)];
const RGB32: &[(u32, usize)] = &[(32, 0), (32, 1), (32, 2)];
const RG32: &[(u32, usize)] = &[(32, 0), (32, 1)];
const R32: &[(u32, usize)] = &[(32, 0)];
const RGBA16: &[(u32, usize)] = &[(16, 0), (16, 1), (16, 2), (16, 3)];
const RG16: &[(u32, usize)] = &[(16, 0), (16, 1)];
const R16: &[(u32, usize)] = &[(16, 0)];
const RGBA8: &[(u32, usize)] = &[(8, 0), (8, 1), (8, 2), (8, 3)];
const BGRA8: &[(u32, usize)] = &[(8, 2), (8, 1), (8, 0), (8, 3)];
const RG8: &[(u32, usize)] = &[(8, 0), (8, 1)];
const R8: &[(u32, usize)] = &[(8, 0)];
const A8: &[(u32, usize)] = &[(8, 3)];
const RGB10A2: &[(u32, usize)] = &[(10, 0), (10, 1), (10, 2), (2, 3)];
const R11G11B10: &[(u32, usize)] = &[(11, 0), (11, 1), (10, 2)];
const RGB9E5: &[(u32, usize)] = &[(9, 0), (9, 1), (9, 2), (5, 3)];
const B5G6R5: &[(u32, usize)] = &[(5, 2), (6, 1), (5, 0)];
const B5G5R5A1: &[(u32, usize)] = &[(5, 2), (5, 1), (5, 0), (1, 3)];
const B4G4R4A4: &[(u32, usize)] = &[(4, 2), (4, 1), (4, 0), (4, 3)];

/// Returns the format of a `DXGI_FORMAT` number, or `None` for one that this module does not know.
pub(super) fn format(number: u32) -> Option<Format> {
    use Number::{Float, SharedExponent, Sint, Snorm, Srgb, Uint, Unorm};
    let (number, components) = match number {
        2 => (Float, RGBA32),
        3 => (Uint, RGBA32),
        4 => (Sint, RGBA32),
        6 => (Float, RGB32),
        7 => (Uint, RGB32),
        8 => (Sint, RGB32),
        10 => (Float, RGBA16),
        11 => (Unorm, RGBA16),
        12 => (Uint, RGBA16),
        13 => (Snorm, RGBA16),
        14 => (Sint, RGBA16),
        16 => (Float, RG32),
        17 => (Uint, RG32),
        18 => (Sint, RG32),
        24 => (Unorm, RGB10A2),
        25 => (Uint, RGB10A2),
        26 => (Float, R11G11B10),
        28 => (Unorm, RGBA8),
        29 => (Srgb, RGBA8),
        30 => (Uint, RGBA8),
        31 => (Snorm, RGBA8),
        32 => (Sint, RGBA8),
        34 => (Float, RG16),
        35 => (Unorm, RG16),
        36 => (Uint, RG16),
        37 => (Snorm, RG16),
        38 => (Sint, RG16),
        // R32_FLOAT, and D32_FLOAT seen as red.
        40 | 41 => (Float, R32),
        42 => (Uint, R32),
        43 => (Sint, R32),
        49 => (Unorm, RG8),
        50 => (Uint, RG8),
        51 => (Snorm, RG8),
        52 => (Sint, RG8),
        54 => (Float, R16),
        // R16_UNORM, and D16_UNORM seen as red.
        55 | 56 => (Unorm, R16),
        57 => (Uint, R16),
        58 => (Snorm, R16),
        59 => (Sint, R16),
        61 => (Unorm, R8),
        62 => (Uint, R8),
        63 => (Snorm, R8),
        64 => (Sint, R8),
        65 => (Unorm, A8),
        67 => (SharedExponent, RGB9E5),
        85 => (Unorm, B5G6R5),
        86 => (Unorm, B5G5R5A1),
        87 => (Unorm, BGRA8),
        91 => (Srgb, BGRA8),
        115 => (Unorm, B4G4R4A4),
        _ => return None,
    };
    Some(Format { number, components })
}

impl Format {
    /// Returns the bytes of one texel.
    pub fn size(self) -> usize {
        self.components.iter().map(|(bits, _)| *bits as usize).sum::<usize>() / 8
    }

    /// Returns true for a format of one component of 32 bits: what typed atomics need.
    pub fn is_word(self) -> bool {
        matches!(self.components, [(32, _)])
    }

    /// Returns the components of a texel that is outside the view: zero, and the default where the format has none.
    pub fn outside(self) -> Lanes {
        let mut value = self.defaults();
        for (_, component) in self.components {
            if self.number != Number::SharedExponent || *component < 3 {
                value[*component] = 0;
            }
        }
        value
    }

    /// Components that a format does not have: 0, 0, 0 and one (19.1.3.3).
    fn defaults(self) -> Lanes {
        let one = if matches!(self.number, Number::Uint | Number::Sint) { 1 } else { 1.0f32.to_bits() };
        [0, 0, 0, one]
    }

    /// Reads a texel. Missing bytes read as zero.
    pub fn decode(self, bytes: &[u8]) -> Lanes {
        let fields = self.fields(bytes);
        let mut value = self.defaults();
        if self.number == Number::SharedExponent {
            // 3.2.2's exponent bias is 15, and the mantissa has no hidden one.
            let scale = 2f64.powi(fields[3].cast_signed() - 15 - 9);
            for (lane, field) in value.iter_mut().zip(fields).take(3) {
                *lane = ((f64::from(field) * scale) as f32).to_bits();
            }
            return value;
        }
        for ((bits, component), field) in self.components.iter().zip(fields) {
            value[*component] = self.component(field, *bits, *component);
        }
        value
    }

    /// Writes a texel. Returns `None` for a format that shaders cannot write.
    pub fn encode(self, value: Lanes) -> Option<Vec<u8>> {
        if self.number == Number::SharedExponent {
            return None;
        }
        let mut all = 0u128;
        let mut shift = 0;
        for (bits, component) in self.components {
            all |= u128::from(self.field(value[*component], *bits, *component)) << shift;
            shift += bits;
        }
        Some(all.to_le_bytes()[..self.size()].to_vec())
    }

    fn fields(self, bytes: &[u8]) -> [u32; 4] {
        let mut all = [0; 16];
        for (to, from) in all.iter_mut().zip(bytes.iter().take(self.size())) {
            *to = *from;
        }
        let mut rest = u128::from_le_bytes(all);
        let mut fields = [0; 4];
        for ((bits, _), field) in self.components.iter().zip(&mut fields) {
            *field = (rest & ((1 << bits) - 1)) as u32;
            rest >>= bits;
        }
        fields
    }

    fn component(self, field: u32, bits: u32, component: usize) -> u32 {
        let most = ((1u64 << bits) - 1) as f32;
        match self.number {
            Number::Uint => field,
            Number::Sint => extend(field, bits).cast_unsigned(),
            Number::Float => widen(field, bits),
            Number::Srgb if component < 3 => from_srgb(field as f32 / most).to_bits(),
            Number::Unorm | Number::Srgb => (field as f32 / most).to_bits(),
            // The two most negative codes are -1.
            Number::Snorm => (extend(field, bits) as f32 / ((1u64 << (bits - 1)) - 1) as f32).max(-1.0).to_bits(),
            Number::SharedExponent => 0,
        }
    }

    fn field(self, word: u32, bits: u32, component: usize) -> u32 {
        let most = (1u64 << bits) - 1;
        match self.number {
            // A wider integer is clamped (3.2.3.13).
            Number::Uint => u64::from(word).min(most) as u32,
            Number::Sint => {
                let limit = 1i64 << (bits - 1);
                let clamped = i64::from(word.cast_signed()).clamp(-limit, limit - 1);
                (clamped as u64 & most) as u32
            }
            Number::Float => narrow(word, bits),
            Number::Srgb if component < 3 => to_unorm(to_srgb(clamp(word, 0.0)), most),
            Number::Unorm | Number::Srgb => to_unorm(clamp(word, 0.0), most),
            Number::Snorm => {
                let scaled = clamp(word, -1.0) * ((1u64 << (bits - 1)) - 1) as f64;
                let rounded = (scaled + 0.5f64.copysign(scaled)).trunc() as i64;
                (rounded as u64 & most) as u32
            }
            Number::SharedExponent => 0,
        }
    }
}

/// Clamps a float to at most 1; NaN is 0.
fn clamp(word: u32, least: f64) -> f64 {
    let value = f64::from(f32::from_bits(word));
    if value.is_nan() { 0.0 } else { value.clamp(least, 1.0) }
}

fn to_unorm(value: f64, most: u64) -> u32 {
    (value * most as f64 + 0.5).trunc() as u32
}

fn extend(field: u32, bits: u32) -> i32 {
    (field << (32 - bits)).cast_signed() >> (32 - bits)
}

fn from_srgb(value: f32) -> f32 {
    let value = f64::from(value);
    let linear = if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    linear as f32
}

fn to_srgb(value: f64) -> f64 {
    if value <= 0.0031308 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
/// Mantissa bits of a 32-bit float, and its exponent bias.
const MANTISSA: u32 = 23;
const BIAS: i32 = 127;
/// Exponent bias of floats with 5 exponent bits, and their exponent of infinity and NaN.
const SMALL_BIAS: i32 = 15;
const SMALL_SPECIAL: u32 = 31;

/// Mantissa bits of a float of 16, 11 or 10 bits with 5 exponent bits; only the first has a sign.
fn small_mantissa(bits: u32) -> u32 {
    if bits == 16 { 10 } else { bits - 5 }
}

/// Widens a float of 32, 16, 11 or 10 bits. Exact; denormals are kept (3.1.5).
fn widen(field: u32, bits: u32) -> u32 {
    if bits == 32 {
        return field;
    }
    let mantissa_bits = small_mantissa(bits);
    let sign = if bits == 16 { (field & 0x8000) << 16 } else { 0 };
    let exponent = field >> mantissa_bits & SMALL_SPECIAL;
    let mantissa = field & ((1 << mantissa_bits) - 1);
    let magnitude = match exponent {
        SMALL_SPECIAL => INFINITY | mantissa << (MANTISSA - mantissa_bits),
        0 => (mantissa as f32 * 2f32.powi(1 - SMALL_BIAS - mantissa_bits as i32)).to_bits(),
        _ => (exponent + (BIAS - SMALL_BIAS) as u32) << MANTISSA | mantissa << (MANTISSA - mantissa_bits),
    };
    sign | magnitude
}

/// Narrows a 32-bit float, rounding toward zero: what is too large becomes the largest finite number (3.2.2). Formats
/// without a sign clamp negative numbers to zero.
fn narrow(word: u32, bits: u32) -> u32 {
    if bits == 32 {
        return word;
    }
    let mantissa_bits = small_mantissa(bits);
    let magnitude = word & !SIGN;
    let negative = word & SIGN != 0;
    if negative && bits != 16 && magnitude <= INFINITY {
        return 0;
    }
    let sign = if negative && bits == 16 { 0x8000 } else { 0 };
    let exponent = (magnitude >> MANTISSA).cast_signed() - BIAS;
    let mantissa = magnitude & ((1 << MANTISSA) - 1);
    let special = SMALL_SPECIAL << mantissa_bits;
    let small = if magnitude > INFINITY {
        special | 1 << (mantissa_bits - 1)
    } else if magnitude == INFINITY {
        special
    } else if exponent > SMALL_BIAS {
        special - 1
    } else if exponent > -SMALL_BIAS {
        ((exponent + SMALL_BIAS) as u32) << mantissa_bits | mantissa >> (MANTISSA - mantissa_bits)
    } else {
        let shift = MANTISSA - mantissa_bits + (1 - SMALL_BIAS - exponent) as u32;
        (mantissa | 1 << MANTISSA).checked_shr(shift).unwrap_or(0)
    };
    sign | small
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn halves_are_rounded_toward_zero_and_do_not_become_infinite() {
        let half = |value: f32| narrow(value.to_bits(), 16);
        assert_eq!(half(1.0), 0x3c00);
        assert_eq!(half(-2.0), 0xc000);
        // 65519 is nearer to 65504, 65535.9 to infinity; both are cut.
        assert_eq!([half(65504.0), half(65519.0), half(65535.9), half(1e9)], [0x7bff; 4]);
        assert_eq!([half(f32::INFINITY), half(f32::NEG_INFINITY)], [0x7c00, 0xfc00]);
        // The smallest denormal is 2^-24; anything below is zero.
        assert_eq!([half(2f32.powi(-24)), half(2f32.powi(-25)), half(-0.0)], [1, 0, 0x8000]);
        assert_eq!(half(2f32.powi(-14)), 0x0400);
        assert!(half(f32::NAN) & 0x7fff > 0x7c00);
    }

    #[test]
    fn every_half_survives_the_way_there_and_back() {
        for half in 0..=u16::MAX {
            let half = u32::from(half);
            if half & 0x7fff <= 0x7c00 {
                assert_eq!(narrow(widen(half, 16), 16), half);
            }
        }
        assert_eq!(f32::from_bits(widen(1, 16)), 2f32.powi(-24));
        assert_eq!(f32::from_bits(widen(0x7bff, 16)), 65504.0);
    }

    #[test]
    fn unsigned_floats_clamp_negative_numbers() {
        let eleven = |value: f32| narrow(value.to_bits(), 11);
        assert_eq!([eleven(-1.0), eleven(f32::NEG_INFINITY), eleven(1.0)], [0, 0, 0x3c0]);
        assert_eq!(f32::from_bits(widen(0x3c0, 11)), 1.0);
        assert_eq!(f32::from_bits(widen(narrow(1e9f32.to_bits(), 10), 10)), 64512.0);
    }

    #[test]
    fn normalised_numbers() {
        let snorm = format(63).unwrap();
        assert_eq!(f32::from_bits(snorm.decode(&[0x80])[0]), -1.0);
        assert_eq!(f32::from_bits(snorm.decode(&[0x81])[0]), -1.0);
        assert_eq!(snorm.encode([(-2.0f32).to_bits(), 0, 0, 0]).unwrap(), [0x81]);
        let unorm = format(28).unwrap();
        let written = unorm.encode([0.5f32.to_bits(), f32::NAN.to_bits(), 2.0f32.to_bits(), (-1.0f32).to_bits()]);
        assert_eq!(written.unwrap(), [128, 0, 255, 0]);
        assert_eq!(unorm.decode(&[255, 0, 0, 51]).map(f32::from_bits), [1.0, 0.0, 0.0, 0.2]);
    }

    #[test]
    fn integers_are_clamped_and_missing_components_get_their_default() {
        let sint = format(64).unwrap();
        assert_eq!(sint.encode([1000, 0, 0, 0]).unwrap(), [127]);
        assert_eq!(sint.encode([(-1000i32).cast_unsigned(), 0, 0, 0]).unwrap(), [0x80]);
        assert_eq!(sint.decode(&[0xff]), [u32::MAX, 0, 0, 1]);
        assert_eq!(format(50).unwrap().encode([300, 7, 0, 0]).unwrap(), [255, 7]);
        assert_eq!(format(41).unwrap().outside(), [0, 0, 0, 0x3f80_0000]);
        assert_eq!(format(2).unwrap().outside(), [0; 4]);
        assert_eq!(format(65).unwrap().decode(&[255]).map(f32::from_bits), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn other_orders() {
        assert_eq!(format(87).unwrap().encode([1.0f32.to_bits(), 0, 0, 0]).unwrap(), [0, 0, 255, 0]);
        assert_eq!(format(25).unwrap().decode(&0xc000_0401u32.to_le_bytes()), [1, 1, 0, 3]);
        // 2 * 2^(23 - 15 - 9) is 1.
        let shared = (23u32 << 27 | 2).to_le_bytes();
        assert_eq!(format(67).unwrap().decode(&shared).map(f32::from_bits), [1.0, 0.0, 0.0, 1.0]);
    }
}
