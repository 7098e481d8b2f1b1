//! 64-bit floats (22.14 to 22.17): IEEE 754 arithmetic that keeps denormals.
//!
//! A register holds two: the first in xy, the second in zw, the low word first (3.1.4). An instruction with 64-bit
//! results writes the first to xy and the second to zw. One with 32-bit results writes the first to the first component
//! of its mask and the second to the second one. A 32-bit source has the first value in x and the second in y.

use super::precision::Choices;
use super::sources::Sources;
use super::{Results, compare, float};
use rx_translate::dxbc::opcodes::{Class, Opcode};
use rx_translate::dxbc::program::Operand;

/// The NaN that arithmetic gives; the specification leaves its bits open.
const NAN: u64 = 0x7ff8_0000_0000_0000;

/// True if the first destination holds 64-bit floats.
pub(super) fn writes_doubles(op: Opcode) -> bool {
    op.info().operands.first().is_some_and(|shape| shape.class == Class::Double)
}

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, operands: &[Operand], sources: &Sources<'_>, choices: Choices) -> Option<Results> {
    if writes_doubles(op) {
        let [first, second] = [wide_result(op, sources, 0, choices)?, wide_result(op, sources, 1, choices)?];
        return Some([join(first, second), [0; 4]]);
    }
    let values = [narrow_result(op, sources, 0, choices)?, narrow_result(op, sources, 1, choices)?];
    let mask = operands.first().map_or(0, |operand| operand.components.mask());
    Some([[0, 1, 2, 3].map(|lane| values[usize::from(in_mask_before(mask, lane) != 0)]), [0; 4]])
}

/// Components of a mask before a lane.
fn in_mask_before(mask: u8, lane: u8) -> u32 {
    (mask & ((1 << lane) - 1)).count_ones()
}

/// The bits of the n-th 64-bit result.
fn wide_result(op: Opcode, sources: &Sources<'_>, n: usize, choices: Choices) -> Option<u64> {
    let [a, b, c] = [0, 1, 2].map(|source| sources.double(source, n));
    Some(match op {
        Opcode::Dmov => sources.wide(0, n),
        Opcode::Dmovc => sources.wide(if sources.condition(0, n) { 1 } else { 2 }, n),
        Opcode::Dadd => result(choices.flush_double(a + b)),
        Opcode::Dmul => result(choices.flush_double(a * b)),
        Opcode::Ddiv => result(choices.flush_double(a / b)),
        Opcode::Dfma => result(choices.flush_double(a.mul_add(b, c))),
        Opcode::Drcp => result(choices.flush_double(1.0 / a)),
        Opcode::Dmin => result(choices.flush_double(smaller(a, b, choices))),
        Opcode::Dmax => result(choices.flush_double(-smaller(-a, -b, choices))),
        Opcode::Itod => f64::from(sources.int(0, n)).to_bits(),
        Opcode::Utod => f64::from(sources.uint(0, n)).to_bits(),
        Opcode::Ftod => result(f64::from(if choices.keep_denormals {
            f32::from_bits(sources.moved(0, n))
        } else {
            sources.float(0, n)
        })),
        _ => return None,
    })
}

/// The n-th 32-bit result.
fn narrow_result(op: Opcode, sources: &Sources<'_>, n: usize, choices: Choices) -> Option<u32> {
    let [a, b] = [0, 1].map(|source| sources.double(source, n));
    Some(match op {
        Opcode::Deq => compare::mask(a == b),
        Opcode::Dne => compare::mask(a != b),
        Opcode::Dlt => compare::mask(a < b),
        Opcode::Dge => compare::mask(a >= b),
        // Rounds to nearest even (22.17.1).
        Opcode::Dtof if choices.keep_denormals => float::quiet((a as f32).to_bits()),
        Opcode::Dtof => choices.result(a as f32),
        // A conversion of Rust truncates, clamps to the range, and gives 0 for a NaN: 22.17.3, 22.17.4.
        Opcode::Dtoi => (a as i32).cast_unsigned(),
        Opcode::Dtou => a as u32,
        _ => return None,
    })
}

/// 22.14.3: a NaN gives the other operand; of two zeros the negative one is the smaller.
fn smaller(a: f64, b: f64, choices: Choices) -> f64 {
    if a.is_nan() || (!b.is_nan() && (b < a || (a == b && b.is_sign_negative() != choices.other_zeros))) {
        b
    } else {
        a
    }
}

/// `min(1, max(0, value))` of both results (22.19.1).
pub(super) fn saturate(lanes: [u32; 4]) -> [u32; 4] {
    // Not a number fails the comparison, and so do both zeros.
    each(lanes, |value| if value > 0.0 { value.min(1.0) } else { 0.0 })
}

/// Both numbers of a register changed.
pub(super) fn each(lanes: [u32; 4], change: impl Fn(f64) -> f64) -> [u32; 4] {
    let [x, y, z, w] = lanes.map(u64::from);
    let [first, second] = [x | y << 32, z | w << 32].map(|word| change(f64::from_bits(word)).to_bits());
    join(first, second)
}

fn join(first: u64, second: u64) -> [u32; 4] {
    [first as u32, (first >> 32) as u32, second as u32, (second >> 32) as u32]
}

/// The bits of an arithmetic result: every NaN is the same one.
fn result(value: f64) -> u64 {
    if value.is_nan() { NAN } else { value.to_bits() }
}
