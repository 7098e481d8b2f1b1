//! Operands: registers of a pool, constants, tables, literals, with swizzles and modifiers.

use super::{Generator, Pool, temps};
use rx_translate::dxbc::opcodes::Class;

pub(super) const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Elements of each constant buffer: integers in the first, floats in the second, doubles in the third.
pub(super) const CONSTANTS: u32 = 8;
/// Elements of the indexable temporaries: bits in the first, floats in the second.
pub(super) const ARRAYS: [u32; 2] = [4, 3];

impl Generator {
    /// A mask of one to four components.
    pub(super) fn mask(&mut self) -> u8 {
        if self.numbers.chance(40) { 15 } else { 1 + self.numbers.below(15) as u8 }
    }

    /// A swizzle of four letters.
    pub(super) fn swizzle(&mut self) -> String {
        match self.numbers.weighted(&[5, 4, 2]) {
            0 => "xyzw".to_owned(),
            1 => (0..4).map(|_| self.numbers.pick(&LETTERS)).collect(),
            _ => self.numbers.pick(&LETTERS).to_string().repeat(4),
        }
    }

    /// A source of four components for a class of operand.
    pub(super) fn source(&mut self, pool: Pool, class: Class) -> String {
        let swizzle = self.swizzle();
        self.source_with(pool, class, &swizzle)
    }

    /// A source of one component.
    pub(super) fn scalar(&mut self, pool: Pool, class: Class) -> String {
        let letter = self.numbers.pick(&LETTERS).to_string();
        self.source_with(pool, class, &letter)
    }

    /// A source with its modifiers.
    fn source_with(&mut self, pool: Pool, class: Class, swizzle: &str) -> String {
        let register = match self.numbers.weighted(&[70, 10, 8, 6, 6]) {
            1 => self.constant_buffer(pool, swizzle),
            2 => return self.literal(pool, class, swizzle.len()),
            3 if self.plan.arrays && pool != Pool::Double => self.array(pool, swizzle),
            4 if self.plan.constants > 0 && pool != Pool::Double => self.table(pool, swizzle),
            _ => self.register(pool, swizzle),
        };
        self.modified(register, class)
    }

    /// With the modifiers that an operand's class has.
    fn modified(&mut self, register: String, class: Class) -> String {
        match class {
            Class::Float | Class::Double => match self.numbers.weighted(&[75, 12, 8, 5]) {
                1 => format!("-{register}"),
                2 => format!("|{register}|"),
                3 => format!("-|{register}|"),
                _ => register,
            },
            Class::Int if self.numbers.chance(12) => format!("-{register}"),
            _ => register,
        }
    }

    /// A temporary or an input of a pool.
    pub(super) fn register(&mut self, pool: Pool, swizzle: &str) -> String {
        if pool == Pool::Bits && self.numbers.chance(6) {
            return self.identity(swizzle);
        }
        // Few programs mix the pools: what an integer makes of a NaN's bits is open.
        let pool = match pool {
            Pool::Bits if self.numbers.chance(2) => Pool::Float,
            Pool::Float if self.numbers.chance(3) => Pool::Bits,
            Pool::Sink if self.numbers.chance(60) => Pool::Float,
            pool => pool,
        };
        if let Some(input) = self.input(pool) {
            return format!("{input}.{swizzle}");
        }
        format!("r{}.{swizzle}", self.temp(pool))
    }

    /// The number of a temporary of a pool.
    pub(super) fn temp(&mut self, pool: Pool) -> u32 {
        let range = match pool {
            Pool::Bits => temps::BITS,
            Pool::Float => temps::FLOATS,
            Pool::Sink => temps::SINKS,
            Pool::Double => temps::DOUBLES,
        };
        range.start + self.numbers.below(range.len() as u32)
    }

    /// `cb0[…]`: an element by number or by register, seldom outside.
    fn constant_buffer(&mut self, pool: Pool, swizzle: &str) -> String {
        let buffer = match pool {
            Pool::Bits => 0,
            Pool::Float | Pool::Sink => 1,
            Pool::Double => 2,
        };
        self.used.constant_buffers |= 1 << buffer;
        let element = self.element(CONSTANTS, true);
        format!("{}.{swizzle}", self.constant_name(buffer, &element))
    }

    /// `icb[…]`.
    fn table(&mut self, pool: Pool, swizzle: &str) -> String {
        // Integers are in the even elements, floats in the odd ones; a float operand may take either.
        let element = match pool {
            Pool::Bits => self.element(self.plan.constants, false),
            _ => (self.numbers.below(self.plan.constants / 2) * 2 + 1).to_string(),
        };
        format!("icb[{element}].{swizzle}")
    }

    /// `x0[…]`.
    fn array(&mut self, pool: Pool, swizzle: &str) -> String {
        let array = usize::from(pool != Pool::Bits);
        let element = self.element(ARRAYS[array], false);
        format!("x{array}[{element}].{swizzle}")
    }

    /// An index in brackets: of a number, of a register, of both; one in ten may leave the range. `bound` memory is
    /// the device's to guard.
    pub(super) fn element(&mut self, count: u32, bound: bool) -> String {
        if self.numbers.chance(50) {
            return self.numbers.below(count).to_string();
        }
        let letter = self.numbers.pick(&LETTERS).to_string();
        let from = self.register(Pool::Bits, &letter);
        if self.numbers.chance(10) {
            self.out_of_range |= bound;
            let index = self.scratch();
            let mask = self.numbers.pick(&[15, 31, 255, 0xffff, u32::MAX]);
            self.emit(format!("and {index}, {from}, l({mask:#x})"));
            return format!("{index} + {}", self.numbers.below(count));
        }
        let index = self.within(&from, count);
        let spare = count - index.1;
        match self.numbers.below(spare + 1) {
            0 => index.0,
            more => format!("{} + {more}", index.0),
        }
    }

    /// A register with a number below `count`: its text, and the end of what it may hold.
    pub(super) fn within(&mut self, from: &str, count: u32) -> (String, u32) {
        let index = self.scratch();
        if count.is_power_of_two() || self.numbers.chance(50) {
            let end = 1 << count.ilog2();
            self.emit(format!("and {index}, {from}, l({})", end - 1));
            return (index, end);
        }
        self.emit(format!("umin {index}, {from}, l({})", count - 1));
        (index, count)
    }

    /// A literal of one or four components.
    fn literal(&mut self, pool: Pool, class: Class, components: usize) -> String {
        if pool == Pool::Double {
            let doubles: Vec<String> = (0..2)
                .map(|_| {
                    let [low, high] = self.numbers.double();
                    format!("{:#x}", u64::from(high) << 32 | u64::from(low))
                })
                .collect();
            return format!("d({})", doubles.join(", "));
        }
        let words: Vec<String> = (0..components)
            .map(|_| {
                let word = match class {
                    Class::Float => self.numbers.float(),
                    Class::Bits if pool != Pool::Bits => self.numbers.float(),
                    _ => self.numbers.integer(),
                };
                format!("{word:#x}")
            })
            .collect();
        format!("l({})", words.join(", "))
    }

    /// A destination of a pool: a temporary, an element of an array, an output. A mask of 0 is `null`.
    pub(super) fn destination(&mut self, pool: Pool, mask: u8) -> String {
        let letters = letters(mask);
        if pool != Pool::Double && pool != Pool::Sink {
            if self.plan.arrays && self.numbers.chance(10) {
                let array = usize::from(pool != Pool::Bits);
                let element = self.element(ARRAYS[array], false);
                return format!("x{array}[{element}].{letters}");
            }
            if self.numbers.chance(8)
                && let Some(output) = self.free_output(pool)
            {
                return format!("o{output}.{letters}");
            }
        }
        format!("r{}.{letters}", self.temp(pool))
    }

    /// A condition: one component of which any bit counts.
    pub(super) fn condition(&mut self) -> String {
        let from = |this: &mut Self| this.scalar(Pool::Bits, Class::Mask);
        match self.numbers.weighted(&[3, 3, 2, 2]) {
            0 => from(self),
            1 => {
                let bit = 1 << self.numbers.below(4);
                let (value, condition) = (from(self), self.scratch());
                self.emit(format!("and {condition}, {value}, l({bit})"));
                condition
            }
            2 => {
                let op = self.numbers.pick(&["ieq", "ine", "ilt", "ige", "ult", "uge"]);
                let (a, b, condition) = (from(self), from(self), self.scratch());
                self.emit(format!("{op} {condition}, {a}, {b}"));
                condition
            }
            _ => {
                let op = self.numbers.pick(&["lt", "ge", "eq", "ne"]);
                let (a, b) = (self.scalar(Pool::Float, Class::Float), self.scalar(Pool::Float, Class::Float));
                let condition = self.scratch();
                self.emit(format!("{op} {condition}, {a}, {b}"));
                condition
            }
        }
    }

    /// `_z` or `_nz`.
    pub(super) fn test(&mut self) -> &'static str {
        self.numbers.pick(&["z", "nz"])
    }
}

/// The letters of a mask.
pub(super) fn letters(mask: u8) -> String {
    (0..4).filter(|c| mask & 1 << c != 0).map(|c| LETTERS[c]).collect()
}
