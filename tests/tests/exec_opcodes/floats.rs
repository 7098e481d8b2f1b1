//! Floats: arithmetic, functions, comparisons, conversions.

use crate::alu::{Case, Family, one, pairs, single, whole};
use crate::run::each;
use crate::want::Want;
use rx_translate::dxbc::opcodes::Opcode as O;

/// Zeros, denormals, the ends of the normal numbers, infinities, NaNs of both signs, ordinary numbers.
const EDGES: [u32; 26] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0001,
    0x3f80_0000,
    0xbf80_0000,
    0x3f80_0001,
    0x3f00_0000,
    0xc000_0000,
    0x4040_0000,
    0x3eaa_aaab,
    0xc2f6_e979,
    0x4b7f_ffff,
    0xcb00_0001,
    0x5d5e_0b6b,
    0x2177_1f2e,
    0x7e00_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc1_2345,
    0x7f81_0000,
];

/// Further operands of functions and conversions: halves, the ends of the integers, what halves round at, powers.
const MORE: [u32; 54] = [
    0x3eff_ffff, // below 0.5
    0xbf00_0000,
    0x3fc0_0000, // 1.5
    0xbfc0_0000,
    0x4020_0000, // 2.5
    0xc020_0000,
    0x4060_0000, // 3.5
    0x4aff_ffff, // 2^23 - 0.5
    0x4b00_0000,
    0x4eff_ffff, // below 2^31
    0x4f00_0000, // 2^31
    0xcf00_0000,
    0xcf00_0001, // below -2^31
    0x4f7f_ffff, // below 2^32
    0x4f80_0000, // 2^32
    0x4f80_0001,
    0x5f00_0000, // 2^63
    0xdf80_0000,
    0xbf7f_ffff, // above -1
    0x477f_e000, // 65504, the largest half
    0x477f_efff,
    0x477f_f000, // where rounding to nearest goes to infinity
    0x4780_0000,
    0xc77f_ffff,
    0x3880_0000, // 2^-14, the least normal half
    0x387f_ffff,
    0x387f_c000,
    0x3300_0000, // 2^-25
    0x3380_0000, // 2^-24, the least half
    0x33bf_ffff,
    0x33c0_0000,
    0xb37f_ffff,
    0x3f80_1000, // half a unit of a half above 1
    0x3f80_1fff,
    0x3f80_3000,
    0x3f80_2000,
    0x4049_0fdb, // pi
    0xc049_0fdb,
    0x3fc9_0fdb,
    0x4096_cbe4,
    0x42c8_0000,
    0xc39c_0000, // -312
    0x4300_0000, // 128
    0x42ff_fffe,
    0xc2fc_0000, // -126
    0xc300_0000,
    0xc315_8000, // -149.5
    0xc316_0000, // -150
    0x3f00_0001,
    0x3f7f_ffff,
    0x4000_0001,
    0x40a0_0000,
    0x3dcc_cccd,
    0xbdcc_cccd,
];

/// A relative error of 2^-21, with a little room.
const FUNCTION: f64 = 5e-7;

fn f(word: u32) -> f32 {
    f32::from_bits(word)
}

fn wide(word: u32) -> f64 {
    f64::from(f(word))
}

fn value(value: f32) -> [Want; 2] {
    single(Want::arithmetic(value))
}

fn near(value: f64, absolute: f64, relative: f64) -> [Want; 2] {
    single(Want::near(value, absolute, relative))
}

fn mask(truth: bool) -> [Want; 2] {
    single(Want::mask(truth))
}

fn saturated(value: f32) -> Want {
    match value {
        v if v.is_nan() || v <= 0.0 => Want::Either(0, 0x8000_0000),
        v => Want::arithmetic(v.min(1.0)),
    }
}

/// The lesser or the greater: a NaN loses, of two zeros either may come.
fn extreme(a: f32, b: f32, first: bool) -> [Want; 2] {
    single(match (a, b) {
        (a, b) if a.is_nan() && b.is_nan() => Want::Nan,
        (a, b) if a == b => Want::Either(a.to_bits(), b.to_bits()),
        (a, b) if b.is_nan() || (first && !a.is_nan()) => Want::arithmetic(a),
        _ => Want::arithmetic(b),
    })
}

/// a · b + c, rounded once or twice.
fn mad(a: f32, b: f32, c: f32) -> Want {
    let (fused, serial) = (a.mul_add(b, c), a * b + c);
    let product = (f64::from(a) * f64::from(b)).abs();
    if product > 0.0 && product < 2.4e-38 && c.abs() < 1.0 {
        // The product may have been flushed before the sum.
        return Want::near(f64::from(fused), 4.8e-38, 1.2e-7);
    }
    match (fused, serial) {
        (x, y) if x.is_nan() && y.is_nan() => Want::Nan,
        (x, y) if x.is_nan() || y.is_nan() => Want::Any,
        (x, y) if x == y => Want::arithmetic(x),
        (x, y) => Want::Either(x.to_bits(), y.to_bits()),
    }
}

/// A sum of products in any order, each step rounded or not.
fn dot(a: [u32; 4], b: [u32; 4], count: usize) -> [[Want; 4]; 2] {
    let terms: Vec<f64> = (0..count).map(|n| wide(a[n]) * wide(b[n])).collect();
    let size: f64 = terms.iter().map(|t| t.abs()).sum();
    let sum: f64 = terms.iter().sum();
    let want = if size.is_infinite() || size.is_nan() {
        // Of infinities and finite products that overflow the order decides.
        let overflow = terms.iter().any(|t| t.is_finite() && t.abs() > f64::from(f32::MAX));
        if overflow { Want::Any } else { Want::near(sum, 0.0, 0.0) }
    } else if size > f64::from(f32::MAX) * 0.99 {
        let last = if sum.abs() == size { Want::near(sum, 0.0, 4e-7) } else { Want::Any };
        if size > f64::from(f32::MAX) * 1.01 { last } else { Want::Any }
    } else {
        Want::near(sum, size * 4e-7 + 4.8e-38, 0.0)
    };
    [[want; 4], [Want::Bits(0); 4]]
}

/// Absolute 2^-21 near 1, relative elsewhere.
fn logarithm(x: f64) -> [Want; 2] {
    match x {
        0.0 => single(Want::float(f32::NEG_INFINITY)),
        x if x < 0.0 => single(Want::Nan),
        // A driver that keeps denormals may read their exponent alone.
        x if x < f64::from(f32::MIN_POSITIVE) => single(Want::Any),
        x => near(x.log2(), 4.8e-7, 4.8e-7),
    }
}

/// Absolute 0.0008 within a hundred half turns; an infinity gives a NaN.
fn circular(x: f64, exact: f64) -> Want {
    match x {
        x if !x.is_finite() => Want::Nan,
        x if x.abs() <= 314.0 => Want::near(exact, 0.0008, 0.0),
        _ => Want::Any,
    }
}

fn fraction(x: f32) -> [Want; 2] {
    if x.is_infinite() {
        return single(Want::Nan);
    }
    // Just below an integer the difference rounds to 1; an implementation may stay below it.
    near(f64::from(x) - f64::from(x).floor(), 1.2e-7, 0.0)
}

fn quotient(a: u32, b: u32) -> [Want; 2] {
    let (x, y) = (wide(a), wide(b));
    // The reciprocal of so large a number is a denormal, which may be flushed.
    if y.abs() > 8.5e37 && y.is_finite() { single(Want::Any) } else { near(x / y, 0.0, 3e-7) }
}

/// A half, toward zero: a finite number never becomes an infinity.
fn half(x: f32) -> Want {
    let sign = x.to_bits() >> 16 & 0x8000;
    let size = f64::from(x.abs());
    Want::Bits(
        sign | match size {
            s if s.is_nan() => return Want::HalfNan,
            s if s.is_infinite() => 0x7c00,
            s if s >= 65504.0 => 0x7bff,
            s if s < 2f64.powi(-14) => (s * 2f64.powi(24)) as u32,
            s => {
                let exponent = s.log2().floor() as i32;
                // The logarithm of a number just below a power of two may round up to it.
                let exponent = if 2f64.powi(exponent) > s { exponent - 1 } else { exponent };
                (((exponent + 15) as u32) << 10) + ((s / 2f64.powi(exponent - 10)) as u32 - 1024)
            }
        },
    )
}

/// The number that a half stands for; `None` for a NaN.
fn of_half(half: u32) -> Option<f32> {
    let sign = if half & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (half >> 10 & 31, f64::from(half & 1023));
    let size = match exponent {
        31 if fraction != 0.0 => return None,
        31 => f64::INFINITY,
        0 => fraction * 2f64.powi(-24),
        e => (1024.0 + fraction) * 2f64.powi(e as i32 - 25),
    };
    Some((sign * size) as f32)
}

const BINARY: &[Case] = &[
    one(O::Add, "add r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| value(f(a) + f(b))),
    one(O::Add, "add r4.xyzw, -|r0.xyzw|, r1.xyzw", |[a, b, ..]| value(f(b) - f(a).abs())),
    one(O::Add, "add_sat r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| single(saturated(f(a) + f(b)))),
    one(O::Mul, "mul r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| value(f(a) * f(b))),
    one(O::Mul, "mul r4.xyzw, r0.xyzw, -r1.xyzw", |[a, b, ..]| value(f(a) * -f(b))),
    one(O::Div, "div r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| quotient(a, b)),
    one(O::Mad, "mad r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", |[a, b, c, _]| single(mad(f(a), f(b), f(c)))),
    one(O::Mad, "mad r4.xyzw, -r0.xyzw, r1.xyzw, -r2.xyzw", |[a, b, c, _]| single(mad(-f(a), f(b), -f(c)))),
    one(O::Min, "min r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| extreme(f(a), f(b), f(a) < f(b))),
    one(O::Max, "max r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| extreme(f(a), f(b), f(a) > f(b))),
    whole(O::Dp2, "dp2 r4.xyzw, r0.xyxx, r1.xyxx", |[a, b, ..]| dot(a, b, 2)),
    whole(O::Dp3, "dp3 r4.xyzw, r0.xyzx, r1.xyzx", |[a, b, ..]| dot(a, b, 3)),
    whole(O::Dp4, "dp4 r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| dot(a, b, 4)),
    one(O::Eq, "eq r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(f(a) == f(b))),
    one(O::Ne, "ne r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(f(a) != f(b))),
    one(O::Lt, "lt r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(f(a) < f(b))),
    one(O::Ge, "ge r4.xyzw, r0.xyzw, r1.xyzw", |[a, b, ..]| mask(f(a) >= f(b))),
    // Not less is not the same as greater or equal: a NaN is neither.
    one(O::Lt, "lt r4.xyzw, r0.xyzw, r1.xyzw\nnot r4.xyzw, r4.xyzw", |[a, b, ..]| {
        mask(f(a).partial_cmp(&f(b)) != Some(std::cmp::Ordering::Less))
    }),
    one(O::Ge, "ge r4.xyzw, r0.xyzw, r1.xyzw\nand r4.xyzw, r4.xyzw, l(0x3f800000)", |[a, b, ..]| {
        single(Want::float(if f(a) >= f(b) { 1.0 } else { 0.0 }))
    }),
];

const UNARY: &[Case] = &[
    one(O::Exp, "exp r4.xyzw, r0.xyzw", |[a, ..]| near(wide(a).exp2(), 0.0, FUNCTION)),
    one(O::Log, "log r4.xyzw, r0.xyzw", |[a, ..]| logarithm(wide(a))),
    one(O::Frc, "frc r4.xyzw, r0.xyzw", |[a, ..]| fraction(f(a))),
    one(O::Rcp, "rcp r4.xyzw, r0.xyzw", |[a, ..]| near(1.0 / wide(a), 0.0, FUNCTION)),
    one(O::Rsq, "rsq r4.xyzw, r0.xyzw", |[a, ..]| {
        let x = wide(a);
        near(if x == 0.0 { f64::INFINITY.copysign(x) } else { 1.0 / x.sqrt() }, 0.0, FUNCTION)
    }),
    one(O::Sqrt, "sqrt r4.xyzw, r0.xyzw", |[a, ..]| near(wide(a).sqrt(), 0.0, 1.8e-7)),
    one(O::RoundNe, "round_ne r4.xyzw, r0.xyzw", |[a, ..]| value(f(a).round_ties_even())),
    one(O::RoundNi, "round_ni r4.xyzw, r0.xyzw", |[a, ..]| value(f(a).floor())),
    one(O::RoundPi, "round_pi r4.xyzw, r0.xyzw", |[a, ..]| value(f(a).ceil())),
    one(O::RoundZ, "round_z r4.xyzw, r0.xyzw", |[a, ..]| value(f(a).trunc())),
    one(O::Sincos, "sincos r4.xyzw, r5.xyzw, r0.xyzw", |[a, ..]| {
        [circular(wide(a), wide(a).sin()), circular(wide(a), wide(a).cos())]
    }),
    one(O::Sincos, "sincos null, r4.xyzw, r0.xyzw", |[a, ..]| single(circular(wide(a), wide(a).cos()))),
    one(O::Mov, "mov_sat r4.xyzw, r0.xyzw", |[a, ..]| single(saturated(f(a)))),
    one(O::Mul, "mul_sat r4.xyzw, r0.xyzw, l(-2.0)", |[a, ..]| single(saturated(f(a) * -2.0))),
    one(O::Rcp, "rcp_sat r4.xyzw, r0.xyzw", |[a, ..]| {
        let x = 1.0 / wide(a);
        single(if x > 0.0 { Want::near(x.min(1.0), 0.0, FUNCTION) } else { Want::Either(0, 0x8000_0000) })
    }),
    // Clamped, toward zero, 0 for a NaN: what Rust's own conversions do.
    one(O::Ftoi, "ftoi r4.xyzw, r0.xyzw", |[a, ..]| single(Want::Bits(f(a) as i32 as u32))),
    one(O::Ftoi, "ftoi r4.xyzw, -r0.xyzw", |[a, ..]| single(Want::Bits(-f(a) as i32 as u32))),
    one(O::Ftou, "ftou r4.xyzw, r0.xyzw", |[a, ..]| single(Want::Bits(f(a) as u32))),
    one(O::Ftou, "ftou r4.xyzw, |r0.xyzw|", |[a, ..]| single(Want::Bits(f(a).abs() as u32))),
    one(O::F32tof16, "f32tof16 r4.xyzw, r0.xyzw", |[a, ..]| single(half(f(a)))),
    one(O::F32tof16, "f32tof16 r4.xyzw, -r0.xyzw\nf16tof32 r4.xyzw, r4.xyzw", |[a, ..]| {
        single(match half(-f(a)) {
            Want::Bits(bits) => of_half(bits).map_or(Want::Nan, Want::float),
            _ => Want::Nan,
        })
    }),
];

const HALVES: &[Case] = &[
    one(O::F16tof32, "f16tof32 r4.xyzw, r0.xyzw", |[a, ..]| single(of_half(a & 0xffff).map_or(Want::Nan, Want::float))),
    one(O::F32tof16, "f16tof32 r4.xyzw, r0.xyzw\nf32tof16 r4.xyzw, r4.xyzw", |[a, ..]| {
        single(of_half(a & 0xffff).map_or(Want::HalfNan, |_| Want::Bits(a & 0xffff)))
    }),
];

/// Every pair of edges.
pub fn binary() -> Family {
    Family { name: "floats", floats: true, inputs: pairs(&EDGES), cases: BINARY }
}

/// Edges and what functions and conversions have besides.
pub fn unary() -> Family {
    let ordinary = (0..180u32).map(|n| ((n as f32 - 90.0) * 0.37 + 0.011).to_bits());
    let words = EDGES.into_iter().chain(MORE).chain(ordinary);
    Family { name: "functions", floats: true, inputs: words.map(|word| [word, 0, 0, 0]).collect(), cases: UNARY }
}

/// Every half, under upper bits that do not count.
pub fn halves() -> Family {
    let inputs = (0..0x1_0000u32).map(|half| [half | half.wrapping_mul(0x9e37) << 16, 0, 0, 0]).collect();
    Family { name: "halves", floats: false, inputs, cases: HALVES }
}

#[test]
fn two_operands_and_three() {
    binary().check();
}

#[test]
fn functions_and_conversions() {
    each(|run| {
        run.leave_out("exp");
        unary().check_in(run);
    });
}

#[test]
fn every_half() {
    halves().check();
}
