//! Numbers: bits as they are, and decimals by the type that their place has.
//!
//! Owns every spelling of a number that the disassembler and Microsoft's have. Must never take a number for one type
//! where it is written as another.

use super::text::{Cursor, Fault, hexadecimal, quoted};
use crate::dxbc::opcodes::Class;
use crate::ledger;

/// A number's text and place.
struct Spelling<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Spelling<'t> {
    /// Takes what comes next; `1e-5` and `1.#INF00` are one number.
    fn take(cursor: &mut Cursor<'t>) -> Result<Self, Fault> {
        cursor.skip_blank();
        let at = cursor.at();
        if matches!(cursor.byte(), b'-' | b'+') {
            cursor.advance(1);
        }
        let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'#');
        let digits = cursor.run(part);
        let exponent = hexadecimal(digits).is_none() && digits.ends_with(['e', 'E']);
        if exponent && matches!(cursor.byte(), b'-' | b'+') {
            cursor.advance(1);
            cursor.run(part);
        }
        let text = cursor.text().get(at..cursor.at()).unwrap_or_default();
        if digits.is_empty() {
            return Err(cursor.expected("a number"));
        }
        Ok(Spelling { text, at })
    }

    fn fault(&self, what: &str) -> Fault {
        Fault::new(ledger::ASM_VALUE, self.at, format!("{} {what}", quoted(self.text)))
    }

    /// Hexadecimal digits.
    fn bits(&self, digits: &str) -> Result<u64, Fault> {
        u64::from_str_radix(digits, 16).map_err(|_| self.fault("is not a hexadecimal number of at most 64 bits"))
    }

    /// A whole number with a sign; `None` where it is no decimal integer.
    fn integer(&self) -> Option<Result<i64, Fault>> {
        let digits = self.text.trim_start_matches(['-', '+']);
        let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        whole.then(|| self.text.parse().map_err(|_| self.fault("is past 64 bits")))
    }

    /// A float as Rust reads it, or as Microsoft's C runtime writes it, with a suffix of C or HLSL.
    fn float(&self) -> Result<f64, Fault> {
        if let Some(special) = self.special() {
            return Ok(special);
        }
        let digits = self.text.strip_suffix(['f', 'F', 'l', 'L']).filter(|digits| !digits.ends_with("in"));
        let value = digits.unwrap_or(self.text).parse::<f64>();
        value.map_err(|_| self.fault("is not a number"))
    }

    /// `1.#INF00`, `-1.#QNAN0`, `-1.#IND00`, `1.#SNAN0`.
    fn special(&self) -> Option<f64> {
        let (sign, name) = match self.text.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, self.text),
        };
        // The digits after the name are of no meaning.
        let name = name.strip_prefix("1.#")?.split('0').next()?;
        let quiet = f64::from_bits(0x7ff8 << 48);
        match name {
            "INF" => Some(sign * f64::INFINITY),
            "QNAN" | "IND" => Some(quiet.copysign(sign)),
            "SNAN" => Some(f64::from_bits(0x7ff4 << 48).copysign(sign)),
            _ => None,
        }
    }

    /// A 32-bit float: rounded once, from the digits.
    fn float32(&self) -> Result<u32, Fault> {
        let wide = self.float()?;
        if wide.is_nan() {
            // The conversion would make a signalling one quiet.
            let quiet = wide.to_bits() >> 51 & 1 != 0;
            let sign = u32::from(wide.is_sign_negative()) << 31;
            return Ok(sign | if quiet { 0x7fc0_0000 } else { 0x7fa0_0000 });
        }
        let digits = self.text.trim_end_matches(['f', 'F', 'l', 'L']);
        let value = digits.parse::<f32>().unwrap_or(wide as f32);
        if value.is_infinite() && wide.is_finite() {
            return Err(self.fault("is past the largest 32-bit float"));
        }
        Ok(value.to_bits())
    }
}

/// One 32-bit literal of a class.
pub(super) fn literal32(cursor: &mut Cursor<'_>, class: Class) -> Result<u32, Fault> {
    let number = Spelling::take(cursor)?;
    if let Some(digits) = hexadecimal(number.text) {
        return u32::try_from(number.bits(digits)?).map_err(|_| number.fault("is past 32 bits"));
    }
    match (number.integer(), class) {
        (Some(_), Class::Float | Class::Double) => number.float32(),
        (Some(value), _) => {
            let value = value?;
            // Both the signed and the unsigned reading.
            let fits = i64::from(i32::MIN) <= value && value <= i64::from(u32::MAX);
            if fits { Ok(value as u32) } else { Err(number.fault("is past 32 bits")) }
        }
        (None, Class::Float | Class::Double | Class::Bits | Class::Texel) => number.float32(),
        (None, _) => Err(number.fault("where an integer is due (bits are written as `0x…`)")),
    }
}

/// One 64-bit literal.
pub(super) fn literal64(cursor: &mut Cursor<'_>) -> Result<u64, Fault> {
    let number = Spelling::take(cursor)?;
    if let Some(digits) = hexadecimal(number.text) {
        return number.bits(digits);
    }
    let value = number.float()?;
    let decimal = number.special().is_none() && number.text.contains(|c: char| c.is_ascii_digit());
    if value.is_infinite() && decimal {
        Err(number.fault("is past the largest 64-bit float"))
    } else {
        Ok(value.to_bits())
    }
}

/// A plain number of 64 bits, decimal or `0x…`.
pub(super) fn unsigned64(cursor: &mut Cursor<'_>) -> Result<u64, Fault> {
    let number = Spelling::take(cursor)?;
    match hexadecimal(number.text) {
        Some(digits) => number.bits(digits),
        None => number.text.parse().map_err(|_| number.fault("is not a whole number of at most 64 bits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of32(text: &str, class: Class) -> Option<u32> {
        let mut cursor = Cursor::new(text);
        literal32(&mut cursor, class).ok().filter(|_| cursor.ends())
    }

    #[test]
    fn bits_are_bits_in_every_class() {
        for class in [Class::Float, Class::Int, Class::Uint, Class::Mask, Class::Bits, Class::Texel, Class::None] {
            assert_eq!(of32("0x7fa00001", class), Some(0x7fa0_0001), "{class:?}");
            assert_eq!(of32("0x100000000", class), None);
            assert_eq!(of32("-0x1", class), None);
            assert_eq!(of32("0x", class), None);
        }
    }

    #[test]
    fn decimals_by_class() {
        assert_eq!(of32("2", Class::Float), Some(0x4000_0000));
        assert_eq!(of32("2", Class::Int), Some(2));
        assert_eq!(of32("2", Class::Bits), Some(2));
        assert_eq!(of32("2.000000", Class::Bits), Some(0x4000_0000));
        assert_eq!(of32("2.0", Class::Int), None);
        assert_eq!(of32("-1", Class::Uint), Some(u32::MAX));
        assert_eq!(of32("4294967295", Class::Int), Some(u32::MAX));
        assert_eq!(of32("4294967296", Class::Int), None);
        assert_eq!(of32("-2147483649", Class::Int), None);
        assert_eq!(of32("99999999999999999999", Class::Int), None);
    }

    #[test]
    fn floats_as_they_are_written() {
        for (text, bits) in [
            ("0.1", 0x3dcc_cccdu32),
            ("-0.000000", 0x8000_0000),
            (".5f", 0x3f00_0000),
            ("1.F", 0x3f80_0000),
            ("1e-3", 0x3a83_126f),
            ("1E+2", 0x42c8_0000),
            ("1.#INF00", 0x7f80_0000),
            ("-1.#INF00", 0xff80_0000),
            ("inf", 0x7f80_0000),
            ("-inf", 0xff80_0000),
            ("1.#QNAN0", 0x7fc0_0000),
            ("-1.#IND00", 0xffc0_0000),
            ("1.#SNAN0", 0x7fa0_0000),
            ("nan", 0x7fc0_0000),
            // Halfway between two 32-bit floats, and a little more: rounding twice would go down.
            ("1.00000005960464477540", 0x3f80_0001),
        ] {
            assert_eq!(of32(text, Class::Float), Some(bits), "{text}");
        }
        for text in ["", "-", "1.2.3", "e5", "l", "1e99", "1.#FOO", "0b1", "1__0"] {
            assert_eq!(of32(text, Class::Float), None, "{text}");
        }
    }

    #[test]
    fn doubles() {
        let of64 = |text: &str| literal64(&mut Cursor::new(text)).ok();
        assert_eq!(of64("0x3ff0000000000000"), Some(0x3ff0 << 48));
        assert_eq!(of64("1.000000l"), Some(0x3ff0 << 48));
        assert_eq!(of64("-2"), Some(0xc000 << 48));
        assert_eq!(of64("1.#INF00l"), Some(0x7ff0 << 48));
        assert_eq!(of64("inf"), Some(0x7ff0 << 48));
        assert_eq!(of64("1e999"), None);
        assert_eq!(of64("0x10000000000000000"), None);
    }
}
