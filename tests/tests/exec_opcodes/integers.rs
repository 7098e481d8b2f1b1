//! Integers, bits, moves and conversions from integers.

use crate::alu::{Case, Family, one, pairs, single, whole};
use crate::want::Want;
use rx_translate::dxbc::opcodes::Opcode as O;

/// Words at the edges of the rules.
const EDGES: [u32; 24] = [
    0,
    1,
    2,
    3,
    5,
    7,
    31,
    32,
    33,
    63,
    255,
    0x0000_8000,
    0x0001_0000,
    0x00ff_ff01,
    0x0100_0001,
    0x1000_0000,
    0x7fff_fffe,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xdead_beef,
    0xffff_0000,
    0xffff_fffe,
    0xffff_ffff,
];

fn bits(value: u32) -> [Want; 2] {
    single(Want::Bits(value))
}

fn two(first: u32, second: u32) -> [Want; 2] {
    [Want::Bits(first), Want::Bits(second)]
}

fn mask(truth: bool) -> [Want; 2] {
    single(Want::mask(truth))
}

fn signed(word: u32) -> i32 {
    word as i32
}

/// High and low words of a product.
fn halves(product: u64) -> [Want; 2] {
    two((product >> 32) as u32, product as u32)
}

/// Bits `offset` to `offset + width` as the format has them: five bits of each, cut at bit 31.
fn field(width: u32, offset: u32) -> (u32, u32) {
    let (width, offset) = (width & 31, offset & 31);
    (width.min(32 - offset), offset)
}

fn ubfe([width, offset, value, _]: [u32; 4]) -> [Want; 2] {
    let (width, offset) = field(width, offset);
    bits(((u64::from(value) >> offset) & ((1 << width) - 1)) as u32)
}

fn ibfe([width, offset, value, _]: [u32; 4]) -> [Want; 2] {
    let (width, offset) = field(width, offset);
    if width == 0 {
        return bits(0);
    }
    bits((((value << (32 - width - offset)) as i32) >> (32 - width)) as u32)
}

fn bfi([width, offset, insert, base]: [u32; 4]) -> [Want; 2] {
    let (width, offset) = (width & 31, offset & 31);
    let mask = ((1u32 << width) - 1) << offset;
    bits(insert << offset & mask | base & !mask)
}

/// Sums that overflow may wrap or stop at the largest number.
fn msad([reference, source, sum, _]: [u32; 4]) -> [Want; 2] {
    let bytes = reference.to_le_bytes().into_iter().zip(source.to_le_bytes());
    let more: u32 = bytes.filter(|(r, _)| *r != 0).map(|(r, s)| u32::from(r.abs_diff(s))).sum();
    single(Want::Either(sum.wrapping_add(more), sum.saturating_add(more)))
}

fn first_bit_hi(word: u32) -> u32 {
    if word == 0 { u32::MAX } else { word.leading_zeros() }
}

/// The first bit that differs from the sign.
fn first_bit_shi(word: u32) -> u32 {
    first_bit_hi(if signed(word) < 0 { !word } else { word })
}

/// Where the signed and the unsigned order differ, and where not.
const TWO_ORDERS: &str = "ult r4.xyzw, r0.xyzw, r1.xyzw
ilt r5.xyzw, r0.xyzw, r1.xyzw
xor r4.xyzw, r4.xyzw, r5.xyzw
not r5.xyzw, r4.xyzw";

const CASES: &[Case] = &[
    one(O::Iadd, "iadd r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a.wrapping_add(b))),
    one(O::Iadd, "iadd r4.xyzw, -r0.xyzw, r1.xyzw", |[a, b, ..]| bits(b.wrapping_sub(a))),
    one(O::Imad, "imad r4.xyzw, r0.xyzw, r1.xyzw, -r2.xyzw", |[a, b, c, _]| bits(a.wrapping_mul(b).wrapping_sub(c))),
    one(O::Umad, "umad r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", |[a, b, c, _]| bits(a.wrapping_mul(b).wrapping_add(c))),
    one(O::Imax, "imax r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(signed(a).max(signed(b)) as u32)),
    one(O::Imin, "imin r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(signed(a).min(signed(b)) as u32)),
    one(O::Umax, "umax r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a.max(b))),
    one(O::Umin, "umin r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a.min(b))),
    one(O::Imul, "imul r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| {
        halves((i64::from(signed(a)) * i64::from(signed(b))) as u64)
    }),
    one(O::Umul, "umul r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| halves(u64::from(a) * u64::from(b))),
    one(O::Umul, "umul r4.xyzw, null, r0.xyzw, r1.xyzw", |[a, b, ..]| {
        bits(((u64::from(a) * u64::from(b)) >> 32) as u32)
    }),
    one(O::Udiv, "udiv r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| {
        two(a.checked_div(b).unwrap_or(u32::MAX), a.checked_rem(b).unwrap_or(u32::MAX))
    }),
    one(O::Udiv, "udiv null, r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a.checked_rem(b).unwrap_or(u32::MAX))),
    // A destination may be a source.
    one(
        O::Udiv,
        "mov r4.xyzw, r0.xyzw\nmov r5.xyzw, r1.xyzw\nudiv r4.xyzw, r5.xyzw, r4.xyzw, r5.xyzw",
        |[a, b, ..]| two(a.checked_div(b).unwrap_or(u32::MAX), a.checked_rem(b).unwrap_or(u32::MAX)),
    ),
    one(O::Uaddc, "uaddc r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| {
        two(a.wrapping_add(b), u32::from(a.checked_add(b).is_none()))
    }),
    one(O::Usubb, "usubb r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| two(a.wrapping_sub(b), u32::from(a < b))),
    one(O::Ineg, "ineg r4.xyzw, r0.xyzw", |[a, ..]| bits(a.wrapping_neg())),
    one(O::Ishl, "ishl r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a << (b & 31))),
    one(O::Ishr, "ishr r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits((signed(a) >> (b & 31)) as u32)),
    one(O::Ushr, "ushr r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a >> (b & 31))),
    // One count for all components; a constant one past 31.
    one(O::Ishl, "ishl r4.xyzw, r0.xyzw, l(33)", |[a, ..]| bits(a << 1)),
    whole(O::Ishr, "ishr r4.xyzw, r0.xyzw, l(0, 31, 32, 255)", |[a, ..]| {
        let shifted = [0, 1, 2, 3].map(|n: usize| (signed(a[n]) >> [0, 31, 0, 31][n]) as u32);
        [shifted.map(Want::Bits), [Want::Bits(0); 4]]
    }),
    one(O::And, "and r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a & b)),
    one(O::Or, "or r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a | b)),
    one(O::Xor, "xor r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| bits(a ^ b)),
    one(O::Not, "not r4.xyzw, r0.xyzw", |[a, ..]| bits(!a)),
    one(O::Ieq, "ieq r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(a == b)),
    one(O::Ine, "ine r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(a != b)),
    one(O::Ige, "ige r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(signed(a) >= signed(b))),
    one(O::Ilt, "ilt r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(signed(a) < signed(b))),
    one(O::Uge, "uge r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(a >= b)),
    one(O::Ult, "ult r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(a < b)),
    // Masks are numbers too.
    one(O::Ult, "ult r4.xyzw, r0.xyzw, r1.xyzw\niadd r4.xyzw, r4.xyzw, r2.xyzw", |[a, b, c, _]| {
        bits(c.wrapping_sub(u32::from(a < b)))
    }),
    one(O::Xor, TWO_ORDERS, |[a, b, ..]| {
        let differ = (a < b) != (signed(a) < signed(b));
        [Want::mask(differ), Want::mask(!differ)]
    }),
];

const BITS: &[Case] = &[
    one(O::Countbits, "countbits r4.xyzw, r0.xyzw", |[a, ..]| bits(a.count_ones())),
    one(O::FirstbitHi, "firstbit_hi r4.xyzw, r0.xyzw", |[a, ..]| bits(first_bit_hi(a))),
    one(O::FirstbitLo, "firstbit_lo r4.xyzw, r0.xyzw", |[a, ..]| {
        bits(if a == 0 { u32::MAX } else { a.trailing_zeros() })
    }),
    one(O::FirstbitShi, "firstbit_shi r4.xyzw, r0.xyzw", |[a, ..]| bits(first_bit_shi(a))),
    one(O::Bfrev, "bfrev r4.xyzw, r0.xyzw", |[a, ..]| bits(a.reverse_bits())),
    one(O::Ubfe, "ubfe r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", ubfe),
    one(O::Ibfe, "ibfe r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", ibfe),
    one(O::Bfi, "bfi r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", bfi),
    one(O::Ubfe, "ubfe r4.xyzw, l(12), l(28), r2.xyzw", |[.., c, _]| bits(c >> 28)),
    one(O::Ibfe, "ibfe r4.xyzw, l(32), l(4), r2.xyzw", |_| bits(0)),
    one(O::Msad, "msad r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", msad),
    // Moves keep every bit, of denormals and NaNs too; any bit makes a condition true.
    one(O::Mov, "mov r4.xyzw, r0.xyzw", |[a, ..]| bits(a)),
    one(O::Mov, "mov r4.xyzw, -|r0.xyzw|", |[a, ..]| bits(a | 1 << 31)),
    one(O::Movc, "movc r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", |[a, b, c, _]| bits(if a != 0 { b } else { c })),
    one(
        O::Swapc,
        "swapc r4.xyzw, r5.xyzw, r0.xyzw, r1.xyzw, r2.xyzw",
        |[a, b, c, _]| {
            if a != 0 { two(c, b) } else { two(b, c) }
        },
    ),
    one(
        O::Swapc,
        "mov r4.xyzw, r1.xyzw\nmov r5.xyzw, r2.xyzw\nswapc r4.xyzw, r5.xyzw, r0.xyzw, r4.xyzw, r5.xyzw",
        |[a, b, c, _]| if a != 0 { two(c, b) } else { two(b, c) },
    ),
    one(O::Itof, "itof r4.xyzw, r0.xyzw", |[a, ..]| single(Want::float(signed(a) as f32))),
    one(O::Utof, "utof r4.xyzw, r0.xyzw", |[a, ..]| single(Want::float(a as f32))),
    one(O::Itof, "itof r4.xyzw, -r0.xyzw", |[a, ..]| single(Want::float(signed(a).wrapping_neg() as f32))),
];

/// Every pair of edges.
pub fn arithmetic() -> Family {
    Family { name: "integers", floats: false, inputs: pairs(&EDGES), cases: CASES }
}

/// Words whose float conversions and bit patterns matter as well.
pub fn bitwise() -> Family {
    let mut words = EDGES.to_vec();
    // A NaN with a payload, a denormal, and integers half way between two floats.
    words.extend([0x7fa1_2345, 0x0000_0fff, 0x807f_ffff, 0x0100_0003, 0x7fff_ffbf, 0x7fff_ffc0, 0x8000_0180, 4]);
    Family { name: "bits", floats: false, inputs: pairs(&words), cases: BITS }
}

#[test]
fn integer_arithmetic() {
    arithmetic().check();
}

#[test]
fn bits_moves_and_conversions() {
    bitwise().check();
}
