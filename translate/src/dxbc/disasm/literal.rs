//! Literals as text.
//!
//! Owns how Microsoft's disassembler prints numbers: typed where the instruction types them, guessed from the bits
//! where it does not.

use super::Text;
use crate::dxbc::opcodes::Class;
use crate::dxbc::program::{Components, Operand};
use std::fmt::Write as _;

/// Largest magnitude that an integer is printed with in decimal.
const MAX_DECIMAL: u32 = 10_000;

impl Text<'_> {
    pub(super) fn literal32(&mut self, operand: &Operand, class: Class) {
        let untyped = matches!(class, Class::Bits | Class::Texel);
        let count = if operand.components == Components::One { 1 } else { 4 };
        self.out.push_str("l(");
        for (i, bits) in operand.literal[..count].iter().enumerate() {
            if i > 0 {
                self.out.push_str(if untyped && !self.exact { "," } else { ", " });
            }
            self.number(*bits, class);
        }
        self.out.push(')');
    }

    pub(super) fn literal64(&mut self, operand: &Operand) {
        let count = if operand.components == Components::One { 1 } else { 2 };
        self.out.push_str("d(");
        for (i, halves) in operand.literal.chunks_exact(2).take(count).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            // The low half comes first.
            let bits = u64::from(halves[0]) | u64::from(halves[1]) << 32;
            if self.exact {
                let _ = write!(self.out, "{bits:#018x}");
            } else {
                float(&mut self.out, f64::from_bits(bits));
                self.out.push('l');
            }
        }
        self.out.push(')');
    }

    /// One 32-bit number.
    pub(super) fn number(&mut self, bits: u32, class: Class) {
        if self.exact {
            let _ = write!(self.out, "{bits:#010x}");
            return;
        }
        match class {
            Class::Float | Class::Double => float(&mut self.out, f64::from(f32::from_bits(bits))),
            Class::Int | Class::Uint | Class::Mask | Class::None => self.integer(bits),
            Class::Bits | Class::Texel => self.guessed(bits),
        }
    }

    fn integer(&mut self, bits: u32) {
        let signed = bits.cast_signed();
        if signed.unsigned_abs() <= MAX_DECIMAL {
            let _ = write!(self.out, "{signed}");
        } else {
            let _ = write!(self.out, "{bits:#010x}");
        }
    }

    /// Small integers as such, other bits as a float if they are an ordinary one.
    fn guessed(&mut self, bits: u32) {
        let value = f32::from_bits(bits);
        let small = bits.cast_signed().unsigned_abs() <= MAX_DECIMAL;
        let ordinary = value.is_normal() || value == 0.0;
        if small || !ordinary {
            self.integer(bits);
        } else {
            float(&mut self.out, f64::from(value));
        }
    }
}

/// `%f` of Microsoft's C runtime.
fn float(out: &mut String, value: f64) {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        let _ = write!(out, "{sign}1.#INF00");
    } else if value.is_nan() {
        let quiet = value.to_bits() & 1 << 51 != 0;
        let _ = write!(out, "{sign}1.#{}", if quiet { "QNAN0" } else { "SNAN0" });
    } else {
        let _ = write!(out, "{value:.6}");
    }
}
