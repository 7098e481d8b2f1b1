//! Conversions between 32-bit and 16-bit numbers (22.13, 3.2.2).

use super::precision::Choices;
use super::sources::Sources;
use super::{Results, each_lane};
use rx_translate::dxbc::opcodes::Opcode;

/// Bits of a 16-bit float's fraction.
const HALF_FRACTION: u32 = 10;
/// The largest finite 16-bit float.
const HALF_LARGEST: u32 = 0x7bff;
const HALF_INFINITY: u32 = 0x7c00;
/// The NaN that a conversion gives; the specification leaves its bits open.
pub(super) const HALF_NAN: u32 = 0x7e00;

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, sources: &Sources<'_>, choices: Choices) -> Option<Results> {
    match op {
        // A conversion of Rust truncates, clamps to the range, and gives 0 for a NaN: 22.13.3, 22.13.4.
        Opcode::Ftoi => each_lane(|i| (sources.float(0, i) as i32).cast_unsigned()),
        Opcode::Ftou => each_lane(|i| sources.float(0, i) as u32),
        // Rounds to nearest even, as 22.13.5 and 22.13.6 recommend.
        Opcode::Itof => each_lane(|i| (sources.int(0, i) as f32).to_bits()),
        Opcode::Utof => each_lane(|i| (sources.uint(0, i) as f32).to_bits()),
        Opcode::F16tof32 => each_lane(|i| choices.result(from_half(sources.half(0, i)))),
        Opcode::F32tof16 => each_lane(|i| to_half(sources.float(0, i))),
        _ => None,
    }
}

/// The value of a 16-bit float (3.1.5); denormals keep their value.
fn from_half(word: u16) -> f32 {
    let exponent = i32::from(word >> HALF_FRACTION & 31);
    let fraction = f32::from(word & 0x3ff);
    let magnitude = match (exponent, fraction == 0.0) {
        (31, true) => f32::INFINITY,
        (31, false) => f32::NAN,
        // 2^-14 * 0.f
        (0, _) => fraction * 2f32.powi(-24),
        // 2^(e-15) * 1.f
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    if word & 0x8000 != 0 { -magnitude } else { magnitude }
}

/// The bits of the 16-bit float toward zero (3.2.2): too large a number is the largest finite one.
fn to_half(value: f32) -> u32 {
    let sign = value.to_bits() >> 16 & 0x8000;
    let magnitude = value.abs();
    let half = if magnitude.is_nan() {
        HALF_NAN
    } else if magnitude.is_infinite() {
        HALF_INFINITY
    } else if magnitude >= 65504.0 {
        HALF_LARGEST
    } else if magnitude < 2f32.powi(-14) {
        // A denormal counts units of 2^-24.
        (magnitude * 2f32.powi(24)) as u32
    } else {
        // Both formats have the same layout: the exponent's bias differs by 112, the fraction by 13 bits.
        (magnitude.to_bits() >> 13) - (112 << HALF_FRACTION)
    };
    sign | half
}
