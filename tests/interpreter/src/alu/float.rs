//! Arithmetic of 32-bit floats (22.10) and the rules that all of it shares (3.1.3).

use super::precision::Choices;
use super::sources::Sources;
use super::{Results, each_lane, each_lane_of_two};
use rx_translate::dxbc::opcodes::Opcode;

/// The NaN that arithmetic gives; the specification leaves its bits open.
pub(super) const NAN: u32 = 0x7fc0_0000;
/// The largest float below 1.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, sources: &Sources<'_>, choices: Choices) -> Option<Results> {
    match op {
        Opcode::Mad => each_lane(|i| {
            choices.result(multiply_add(sources.float(0, i), sources.float(1, i), sources.float(2, i), choices))
        }),
        Opcode::Dp2 => dot(sources, 2, choices),
        Opcode::Dp3 => dot(sources, 3, choices),
        Opcode::Dp4 => dot(sources, 4, choices),
        Opcode::Min | Opcode::Max => each_lane(|i| extreme(op == Opcode::Max, sources, i, choices)),
        Opcode::Sincos => each_lane_of_two(|i| {
            let angle = f64::from(sources.float(0, i));
            (choices.result(angle.sin() as f32), choices.result(angle.cos() as f32))
        }),
        _ => unary(op).map(|f| each_lane(|i| choices.result(f(sources.float(0, i))))).or_else(|| {
            binary(op).map(|f| each_lane(|i| choices.result(f(sources.float(0, i), sources.float(1, i)))))
        })?,
    }
}

/// Functions of one operand. What has a tolerance is computed with 64 bits and rounded once.
fn unary(op: Opcode) -> Option<fn(f32) -> f32> {
    Some(match op {
        Opcode::Exp => |x| f64::from(x).exp2() as f32,
        Opcode::Log => |x| f64::from(x).log2() as f32,
        Opcode::Rcp => |x| (1.0 / f64::from(x)) as f32,
        Opcode::Rsq => |x| (1.0 / f64::from(x).sqrt()) as f32,
        Opcode::Sqrt => f32::sqrt,
        Opcode::Frc => fraction,
        Opcode::RoundNe => f32::round_ties_even,
        Opcode::RoundNi => f32::floor,
        Opcode::RoundPi => f32::ceil,
        Opcode::RoundZ => f32::trunc,
        _ => return None,
    })
}

fn binary(op: Opcode) -> Option<fn(f32, f32) -> f32> {
    Some(match op {
        Opcode::Add => |a, b| a + b,
        Opcode::Mul => |a, b| a * b,
        Opcode::Div => |a, b| a / b,
        _ => return None,
    })
}

/// 22.10.7: the difference from the next lower integer. The table says that the result is less than 1, which the rounded
/// difference of a small negative number is not.
fn fraction(x: f32) -> f32 {
    let difference = x - x.floor();
    if difference >= 1.0 { BELOW_ONE } else { difference }
}

/// 22.10.9, 3.1.3.2: the product is rounded before the sum, or both are rounded once.
fn multiply_add(a: f32, b: f32, c: f32, choices: Choices) -> f32 {
    if choices.fused { a.mul_add(b, c) } else { choices.flush(a * b) + c }
}

/// 22.10.3 to 22.10.5: the products are added in the order of the components.
fn dot(sources: &Sources<'_>, components: usize, choices: Choices) -> Option<Results> {
    let first = choices.flush(sources.float(0, 0) * sources.float(1, 0));
    let sum = (1..components)
        .fold(first, |sum, i| choices.flush(multiply_add(sources.float(0, i), sources.float(1, i), sum, choices)));
    let value = choices.result(sum);
    each_lane(|_| value)
}

/// 22.10.10, 22.10.11: denormals count as zeros in the comparison; a NaN gives the other operand.
fn extreme(largest: bool, sources: &Sources<'_>, lane: usize, choices: Choices) -> u32 {
    let (a, b) = (sources.moved(0, lane), sources.moved(1, lane));
    let chosen = choose(largest, choices.flush(f32::from_bits(a)), choices.flush(f32::from_bits(b)), choices);
    if choices.keep_denormals {
        return match chosen {
            Chosen::First => quiet(a),
            Chosen::Second => quiet(b),
        };
    }
    choices.result(f32::from_bits(match chosen {
        Chosen::First => a,
        Chosen::Second => b,
    }))
}

enum Chosen {
    First,
    Second,
}

/// Which of two numbers `min` or `max` gives. Of two zeros the negative one is the smaller, as 3.1.3.2 recommends.
fn choose(largest: bool, a: f32, b: f32, choices: Choices) -> Chosen {
    if a.is_nan() {
        return Chosen::Second;
    }
    if b.is_nan() {
        return Chosen::First;
    }
    let both_zero = a == 0.0 && b == 0.0;
    let first = match (largest, both_zero) {
        (false, false) => a < b,
        (true, false) => a >= b,
        (false, true) => a.is_sign_negative() != choices.other_zeros,
        (true, true) => a.is_sign_positive() != choices.other_zeros,
    };
    if first { Chosen::First } else { Chosen::Second }
}

/// `min(1, max(0, value))` of a result's bits (22.19.1).
pub(super) fn saturate(word: u32, choices: Choices) -> u32 {
    let value = f32::from_bits(word);
    if value >= 1.0 {
        1f32.to_bits()
    } else if value > 0.0 {
        if choices.keep_denormals { word } else { choices.result(value) }
    } else if choices.other_zeros && value == 0.0 {
        word
    } else {
        // Zeros of both signs, and what is not a number.
        0
    }
}

/// A denormal becomes a zero of its sign (3.1.3.2).
pub(super) fn flush(value: f32) -> f32 {
    if value.is_subnormal() { 0f32.copysign(value) } else { value }
}

/// The bits of a number, with every NaN made the same one.
pub(super) fn quiet(word: u32) -> u32 {
    if f32::from_bits(word).is_nan() { NAN } else { word }
}
