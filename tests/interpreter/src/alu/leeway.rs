//! The ends of what the specification leaves open: tolerances of results, and the bits of a NaN.
//!
//! Owns how far a result is moved for [`Lean::Up`] and [`Lean::Down`]. A tolerance is the larger one of Direct3D's and
//! Vulkan's, since the device that a result is compared with keeps Vulkan's.

use super::convert::HALF_NAN;
use super::precision::{Choices, Lean, ulp};
use super::sources::Sources;
use super::{Results, double, float};
use rx_translate::dxbc::opcodes::{Class, Opcode};
use rx_translate::dxbc::program::Instruction;

/// The other bits of a NaN: all that may be set are.
const OTHER_NAN: u32 = 0xffff_ffff;
const OTHER_HALF_NAN: u32 = 0xffff;

/// Moves results with a tolerance to the end that is chosen.
pub(super) fn lean(instruction: &Instruction, sources: &Sources<'_>, results: Results, choices: Choices) -> Results {
    let sign = match choices.lean {
        Lean::Nearest => return results,
        Lean::Up => 1.0,
        Lean::Down => -1.0,
    };
    if matches!(instruction.op, Opcode::Drcp | Opcode::Ddiv) {
        return results.map(|lanes| double::each(lanes, |value| moved_double(value, sign)));
    }
    let refactored = choices.refactored && instruction.precise == 0;
    let mut leaned = results;
    for lanes in &mut leaned {
        for (lane, word) in lanes.iter_mut().enumerate() {
            let value = f32::from_bits(*word);
            let Some(tolerance) = tolerance(instruction.op, sources, lane, value, refactored) else { return results };
            if value.is_finite() && (value != 0.0 || keeps_no_zero(instruction.op, refactored)) {
                *word = choices.result((f64::from(value) + sign * tolerance) as f32);
            }
        }
    }
    leaned
}

/// Whether the tolerance of an operation is an absolute one, so that a zero may be something else.
fn keeps_no_zero(op: Opcode, refactored: bool) -> bool {
    matches!(op, Opcode::Sincos | Opcode::Log | Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4)
        || (refactored && matches!(op, Opcode::Add | Opcode::Mad))
}

/// The largest permitted difference of a 32-bit result; `None` for an operation without one.
fn tolerance(op: Opcode, sources: &Sources<'_>, lane: usize, value: f32, refactored: bool) -> Option<f64> {
    let unit = ulp(value);
    let size = f64::from(value).abs();
    let source = |n: usize, lane: usize| f64::from(sources.float(n, lane)).abs();
    let products = |count: usize| (0..count).map(|i| source(0, i) * source(1, i)).sum::<f64>();
    const UNIT: f64 = 1.0 / (1 << 23) as f64;
    Some(match op {
        // 2.5 units for operands of ordinary size.
        Opcode::Div => 4.0 * unit,
        Opcode::Rcp | Opcode::Rsq => (4.0 * unit).max(size / f64::from(1 << 21)),
        // A reciprocal of `rsq`.
        Opcode::Sqrt => 5.0 * unit,
        // 3 + 2 |x| units.
        Opcode::Exp => (4.0 + 2.0 * source(0, lane).min(256.0)) * unit,
        Opcode::Log => (4.0 * unit).max(size.max(1.0) / f64::from(1 << 21)),
        Opcode::Sincos => 0.0008,
        Opcode::Frc => unit,
        Opcode::Dp2 => 4.0 * UNIT * products(2),
        Opcode::Dp3 => 4.0 * UNIT * products(3),
        Opcode::Dp4 => 4.0 * UNIT * products(4),
        Opcode::Mad if refactored => 2.0 * UNIT * (source(0, lane) * source(1, lane) + source(2, lane)),
        Opcode::Add if refactored => 2.0 * UNIT * (source(0, lane) + source(1, lane)),
        Opcode::Mul if refactored => 2.0 * unit,
        _ => return None,
    })
}

fn moved_double(value: f64, sign: f64) -> f64 {
    if value.is_finite() && value != 0.0 { value + sign * 3.0 * (value.abs().next_up() - value.abs()) } else { value }
}

/// Gives the NaNs that an instruction's arithmetic made their other bits.
pub(super) fn other_nans(op: Opcode, results: Results) -> Results {
    let shapes = op.info().operands;
    let mut renamed = results;
    for (shape, lanes) in shapes.iter().zip(&mut renamed) {
        match shape.class {
            Class::Float => lanes.iter_mut().filter(|word| **word == float::NAN).for_each(|word| *word = OTHER_NAN),
            Class::Double if !matches!(op, Opcode::Dmov | Opcode::Dmovc) => {
                *lanes = double::each(*lanes, |value| if value.is_nan() { f64::from_bits(u64::MAX) } else { value });
            }
            _ => {}
        }
    }
    if op == Opcode::F32tof16 {
        renamed[0].iter_mut().filter(|word| **word & 0x7fff == HALF_NAN).for_each(|word| *word = OTHER_HALF_NAN);
    }
    renamed
}
