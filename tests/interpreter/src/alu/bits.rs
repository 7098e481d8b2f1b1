//! Bitwise instructions (22.11).

use super::sources::Sources;
use super::{Results, each_lane};
use rx_translate::dxbc::opcodes::Opcode;

/// What `firstbit_*` gives if no bit matches.
const NO_BIT: u32 = u32::MAX;

/// Executes an instruction of this family.
pub(super) fn execute(op: Opcode, sources: &Sources<'_>) -> Option<Results> {
    let f = function(op)?;
    each_lane(|i| f([0, 1, 2, 3].map(|source| sources.uint(source, i))))
}

/// Functions of up to four operands.
fn function(op: Opcode) -> Option<fn([u32; 4]) -> u32> {
    Some(match op {
        Opcode::And => |[a, b, ..]| a & b,
        Opcode::Or => |[a, b, ..]| a | b,
        Opcode::Xor => |[a, b, ..]| a ^ b,
        Opcode::Not => |[a, ..]| !a,
        Opcode::Ishl => |[a, count, ..]| a << five_bits(count),
        Opcode::Ishr => |[a, count, ..]| shift_signed(a, five_bits(count)),
        Opcode::Ushr => |[a, count, ..]| a >> five_bits(count),
        Opcode::Ubfe => |[width, offset, value, _]| extract(width, offset, value, |a, n| a >> n),
        Opcode::Ibfe => |[width, offset, value, _]| extract(width, offset, value, shift_signed),
        Opcode::Bfi => |[width, offset, value, base]| insert(width, offset, value, base),
        Opcode::Bfrev => |[a, ..]| a.reverse_bits(),
        Opcode::Countbits => |[a, ..]| a.count_ones(),
        Opcode::FirstbitLo => |[a, ..]| if a == 0 { NO_BIT } else { a.trailing_zeros() },
        Opcode::FirstbitHi => |[a, ..]| from_the_top(a),
        // The first bit that differs from the sign.
        Opcode::FirstbitShi => |[a, ..]| from_the_top(if a.cast_signed() < 0 { !a } else { a }),
        _ => return None,
    })
}

/// Shift counts, widths and offsets are the low five bits of their operand.
fn five_bits(word: u32) -> u32 {
    word & 31
}

fn shift_signed(word: u32, count: u32) -> u32 {
    (word.cast_signed() >> count).cast_unsigned()
}

/// 22.11.5: the position of the highest bit, counted from the most significant one.
fn from_the_top(word: u32) -> u32 {
    if word == 0 { NO_BIT } else { word.leading_zeros() }
}

/// 22.11.6, 22.11.11: `shift_right` fills with zeros or with the sign.
fn extract(width: u32, offset: u32, value: u32, shift_right: fn(u32, u32) -> u32) -> u32 {
    let (width, offset) = (five_bits(width), five_bits(offset));
    if width == 0 {
        0
    } else if width + offset < 32 {
        shift_right(value << (32 - (width + offset)), 32 - width)
    } else {
        shift_right(value, offset)
    }
}

/// 22.11.2.
fn insert(width: u32, offset: u32, value: u32, base: u32) -> u32 {
    let (width, offset) = (five_bits(width), five_bits(offset));
    let mask = ((1 << width) - 1) << offset;
    (value << offset) & mask | base & !mask
}
