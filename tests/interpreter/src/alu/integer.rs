//! Arithmetic of 32-bit integers (22.12).

use super::sources::Sources;
use super::{Results, each_lane, each_lane_of_two};
use rx_translate::dxbc::opcodes::Opcode;

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, sources: &Sources<'_>) -> Option<Results> {
    if let Some(f) = two_results(op) {
        return each_lane_of_two(|i| f(sources.uint(0, i), sources.uint(1, i)));
    }
    let f = one_result(op)?;
    each_lane(|i| f([sources.uint(0, i), sources.uint(1, i), sources.uint(2, i)]))
}

/// Functions of up to three operands.
fn one_result(op: Opcode) -> Option<fn([u32; 3]) -> u32> {
    Some(match op {
        Opcode::Iadd => |[a, b, _]| a.wrapping_add(b),
        // The low half of a product does not depend on the signs.
        Opcode::Imad | Opcode::Umad => |[a, b, c]| a.wrapping_mul(b).wrapping_add(c),
        Opcode::Imax => |[a, b, _]| a.cast_signed().max(b.cast_signed()).cast_unsigned(),
        Opcode::Imin => |[a, b, _]| a.cast_signed().min(b.cast_signed()).cast_unsigned(),
        Opcode::Umax => |[a, b, _]| a.max(b),
        Opcode::Umin => |[a, b, _]| a.min(b),
        Opcode::Ineg => |[a, _, _]| a.wrapping_neg(),
        Opcode::Msad => |[reference, source, sum]| masked_difference(reference, source, sum),
        _ => return None,
    })
}

/// A function with two results.
type TwoResults = fn(u32, u32) -> (u32, u32);

fn two_results(op: Opcode) -> Option<TwoResults> {
    Some(match op {
        Opcode::Imul => |a, b| halves((i64::from(a.cast_signed()) * i64::from(b.cast_signed())).cast_unsigned()),
        Opcode::Umul => |a, b| halves(u64::from(a) * u64::from(b)),
        // 22.12.9: a division by zero gives all ones for both.
        Opcode::Udiv => |a, b| (a.checked_div(b).unwrap_or(u32::MAX), a.checked_rem(b).unwrap_or(u32::MAX)),
        Opcode::Uaddc => |a, b| {
            let (sum, carry) = a.overflowing_add(b);
            (sum, u32::from(carry))
        },
        Opcode::Usubb => |a, b| {
            let (difference, borrow) = a.overflowing_sub(b);
            (difference, u32::from(borrow))
        },
        _ => return None,
    })
}

/// The high word, then the low one, as 22.12.6 and 22.12.13 order their destinations.
fn halves(product: u64) -> (u32, u32) {
    ((product >> 32) as u32, product as u32)
}

/// 22.12.15: adds the differences of those bytes whose reference is not zero. A sum that is too large saturates or wraps;
/// it wraps here, as devices were seen to do.
fn masked_difference(reference: u32, source: u32, sum: u32) -> u32 {
    let bytes = reference.to_le_bytes().into_iter().zip(source.to_le_bytes());
    let differences = bytes.filter(|&(reference, _)| reference != 0).map(|(a, b)| u32::from(a.abs_diff(b)));
    differences.fold(sum, u32::wrapping_add)
}
