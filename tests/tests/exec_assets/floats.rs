//! Float arithmetic, comparison and conversion.

use crate::run::{each, each_before_the_optimizer};
use crate::want::{DENORMALS, Want, check_either};
use rx_tests::vulkan::{Registers, t, u};

/// Values at the edges of the rules: zeros, denormals, halves, ends of the integers, infinities, NaNs of both signs.
const EDGES: [u32; 48] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x8000_0001,
    0x007f_ffff,
    0x807f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0xbf00_0000,
    0x3fc0_0000,
    0xbfc0_0000,
    0x4020_0000,
    0xc020_0000,
    0x4060_0000,
    0xc060_0000,
    0x3eff_ffff,
    0x3f80_0001,
    0x4b00_0001,
    0xcb00_0001,
    0x4b80_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x4f80_0000,
    0x3e80_0000,
    0xbe80_0000,
    0x4049_0fdb,
    0xc049_0fdb,
    0x4120_0000,
    0xc120_0000,
    0x42c8_0000,
    0xc2c8_0000,
    0x3dcc_cccd,
    0xbdcc_cccd,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0000,
    0x7fc1_2345,
    0x3fb8_aa3b,
    0x4000_0000,
    0xc000_0000,
    0x3727_c5ac,
    0x4f9f_fffe,
];

/// 256 values: the edges, then ordinary ones.
fn values() -> Vec<f32> {
    let ordinary = (0..208u32).map(|n| (n as f32 - 104.0) * 0.37 + 0.011);
    EDGES.iter().map(|b| f32::from_bits(*b)).chain(ordinary).collect()
}

#[test]
fn unary() {
    for shader in ["float_unary.cs_5_0", "float_unary.cs_5_0.od", "float_unary.cs_5_0.gis"] {
        each_before_the_optimizer(|run| {
            let x = values();
            let (input, output) = (run.floats(&x), run.filled(64 * 32 * 4, 0));
            run.compute(shader, &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
            let got = output.words();
            for row in 0..29 {
                let of_row: Vec<u32> = (0..64).flat_map(|i| got[(i * 32 + row) * 4..][..4].to_vec()).collect();
                // Unoptimised, abs is a max: any NaN, and either zero.
                let max = row == 0 && shader.ends_with(".od");
                let want = DENORMALS.map(|taken| {
                    x.iter()
                        .map(|x| if max { extreme(x.abs(), taken(*x), 0.0) } else { unary_row(row, *x, taken) })
                        .collect()
                });
                check_either(&format!("{shader}, {}, row {row}", run.name), &of_row, want);
            }
            for i in 0..64 {
                let words = &got[(i * 32 + 29) * 4..][..12];
                let want = DENORMALS.map(|taken| unary_rest(&x[i * 4..][..4], taken));
                check_either(&format!("{shader}, {}, thread {i}", run.name), words, want);
            }
        });
    }
}

/// What row `row` of the shader gives for a value.
fn unary_row(row: usize, x: f32, taken: fn(f32) -> f32) -> Want {
    let flushed = taken(x);
    let d = f64::from(flushed);
    // A relative error of 2^-21, with room for a multiplication before or after.
    const FUNCTION: f64 = 8e-7;
    match row {
        // Moves: the sign bit alone changes.
        0 => Want::Bits(x.to_bits() & 0x7fff_ffff),
        1 => Want::Bits(x.to_bits() ^ 0x8000_0000),
        2 if x.is_nan() || x <= 0.0 => Want::Either(0, 0x8000_0000),
        2 if x.is_subnormal() => Want::Either(x.to_bits(), 0),
        2 => Want::float(x.min(1.0)),
        3 if flushed > 0.0 => Want::float(1.0),
        3 if flushed < 0.0 => Want::float(-1.0),
        3 => Want::float(0.0),
        4 => Want::arithmetic(flushed.floor()),
        5 => Want::arithmetic(flushed.ceil()),
        6 => Want::arithmetic(flushed.round_ties_even()),
        7 => Want::arithmetic(flushed.trunc()),
        8 if x.is_infinite() => Want::Nan,
        // x - floor(x) rounds to 1 just below an integer; an implementation may stay below it.
        8 => Want::near(f64::from(flushed - flushed.floor()), 1.2e-7, 0.0),
        9 | 10 => Want::near(1.0 / d, 0.0, FUNCTION),
        11 if x.to_bits() == 0x8000_0000 => Want::float(-0.0),
        11 => Want::near(d.sqrt(), 0.0, 2.4e-7),
        12 => Want::near(if d == 0.0 { f64::INFINITY.copysign(d) } else { 1.0 / d.sqrt() }, 0.0, FUNCTION),
        13 => Want::near(d.exp(), 0.0, FUNCTION * d.abs().max(1.0)),
        14 => Want::near(d.exp2(), 0.0, FUNCTION),
        15 => logarithm(d, d.ln()),
        16 => logarithm(d, d.log2()),
        17 => logarithm(d, d.log10()),
        18 => circular(d, d.sin()),
        19 => circular(d, d.cos()),
        20 if d.abs() < 1.0 => Want::near(d.tan(), 0.003, 0.0),
        // The compiler's own polynomials, as it gives them.
        21 if d.abs() <= 1.0 => Want::near(d.asin(), 2e-4, 0.0),
        22 if d.abs() <= 1.0 => Want::near(d.acos(), 2e-4, 0.0),
        23 if d.is_finite() => Want::near(d.atan(), 2e-4, 0.0),
        24 if d.abs() < 80.0 => Want::near(d.sinh(), 1e-6, 1e-4),
        25 if d.abs() < 80.0 => Want::near(d.cosh(), 0.0, 1e-4),
        26 if d.abs() < 40.0 => Want::near(d.tanh(), 1e-5, 0.0),
        27 => Want::near(d * 57.295_779_513, 0.0, 2e-7),
        28 => Want::near(d * 0.017_453_292_52, 0.0, 2e-7),
        _ => Want::Any,
    }
}

/// Absolute 2^-21 near 1, relative elsewhere, scaled by the base's factor at most.
fn logarithm(x: f64, exact: f64) -> Want {
    match x {
        0.0 => Want::float(f32::NEG_INFINITY),
        x if x < 0.0 => Want::Nan,
        // A driver that keeps denormals reads their exponent alone.
        x if x < f64::from(f32::MIN_POSITIVE) => Want::Any,
        _ => Want::near(exact, 5e-7, 1e-6),
    }
}

/// Absolute 0.0008 within a hundred half turns; an infinity gives a NaN.
fn circular(x: f64, exact: f64) -> Want {
    match x {
        x if !x.is_finite() => Want::Nan,
        x if x.abs() < 314.0 => Want::near(exact, 0.0008, 0.0),
        _ => Want::Any,
    }
}

/// modf, frexp, ldexp, sincos and isfinite of one thread.
fn unary_rest(x: &[f32], taken: fn(f32) -> f32) -> Vec<Want> {
    let (a, b, c) = (taken(x[0]), taken(x[1]), f64::from(taken(x[2])));
    let fraction = if a.is_finite() { Want::near(f64::from(a - a.trunc()), 0.0, 0.0) } else { Want::Any };
    let (mantissa, exponent) = frexp(a);
    let zero = Want::float(0.0);
    vec![
        fraction,
        Want::arithmetic(a.trunc()),
        zero,
        zero,
        mantissa,
        exponent,
        Want::near(f64::from(b) * 8.0, 0.0, 0.0),
        zero,
        circular(c, c.sin()),
        circular(c, c.cos()),
        Want::float(if a.is_finite() { 1.0 } else { 0.0 }),
        zero,
    ]
}

/// A fraction in [0.5, 1) and a power of two; both 0 for 0.
fn frexp(x: f32) -> (Want, Want) {
    if !x.is_finite() {
        return (Want::Any, Want::Any);
    }
    if x == 0.0 {
        return (Want::Either(0, 0x8000_0000), Want::float(0.0));
    }
    let exponent = (x.to_bits() >> 23 & 0xff) as i32 - 126;
    // The compiler drops the sign of the fraction.
    let mantissa = f32::from_bits(x.to_bits() & 0x007f_ffff | 0x3f00_0000);
    (Want::Either(mantissa.to_bits(), mantissa.to_bits() | 0x8000_0000), Want::float(exponent as f32))
}

#[test]
fn binary() {
    for shader in ["float_binary.cs_5_0", "float_binary.cs_5_0.od"] {
        each(|run| {
            let (x, y, z) = operands();
            let (a, b, c) = (run.floats(&x), run.floats(&y), run.floats(&z));
            let output = run.filled(32 * 16 * 4, 0);
            let registers = Registers::new().buffer(t(0), &a).buffer(t(1), &b).buffer(t(2), &c).buffer(u(0), &output);
            run.compute(shader, &registers, [1, 1, 1]);
            let got = output.words();
            for row in 0..16 {
                let of_row: Vec<u32> = (0..32).flat_map(|i| got[(i * 16 + row) * 4..][..4].to_vec()).collect();
                let want =
                    DENORMALS.map(|taken| (0..128).map(|i| binary_row(row, taken(x[i]), taken(y[i]), z[i])).collect());
                check_either(&format!("{shader}, {}, row {row}", run.name), &of_row, want);
            }
        });
    }
}

/// 128 triples: every pair of some edges, then ordinary numbers.
fn operands() -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let edges = [0.0, -0.0, 1.0, -2.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(1)];
    let mut all = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..128u32 {
        let (x, y) = if n < 64 {
            (edges[(n / 8) as usize], edges[(n % 8) as usize])
        } else {
            (n as f32 * 0.31 - 25.0, (n as f32 * 1.7).sin() * 3.0)
        };
        all.0.push(x);
        all.1.push(y);
        all.2.push((n % 7) as f32 * 0.5 - 1.0);
    }
    all
}

fn binary_row(row: usize, x: f32, y: f32, z: f32) -> Want {
    let (dx, dy, dz) = (f64::from(x), f64::from(y), f64::from(z));
    let finite = x.is_finite() && y.is_finite();
    match row {
        0 => Want::arithmetic(x + y),
        1 => Want::arithmetic(x - y),
        2 => Want::arithmetic(x * y),
        3 => Want::near(dx / dy, 0.0, 4e-7),
        // The other operand of a NaN; either of two zeros.
        4 => extreme(x.min(y), x, y),
        5 => extreme(x.max(y), x, y),
        6 if x > 0.0 && finite => Want::near(dx.powf(dy), 0.0, 2e-6 * (1.0 + (dy * dx.log2()).abs())),
        7 if finite && y != 0.0 => Want::near(dx % dy, 1e-5, 0.0),
        // The compiler's code takes either zero for the positive one.
        8 if finite && (x != 0.0 || y > 0.0) => Want::near(dx.atan2(dy), 3e-4, 0.0),
        9 if finite => Want::near(dx + dz * (dy - dx), 1e-5, 1e-6),
        10 => Want::float(if y >= x { 1.0 } else { 0.0 }),
        11 if finite && y > x => smooth(dx, dy, dz),
        // Fused or not.
        12 | 14 if finite => Want::near(dx * dy + dz, 4e-6, 2e-7),
        12 | 14 => Want::arithmetic(x * y + z),
        13 => clamp(x, y, z),
        15 if finite => Want::near((-dx.abs() * dy - dz).clamp(0.0, 1.0), 1e-5, 0.0),
        15 if (-x.abs() * y - z).is_nan() => Want::Bits(0),
        15 => Want::float((-x.abs() * y - z).clamp(0.0, 1.0)),
        _ => Want::Any,
    }
}

fn extreme(value: f32, x: f32, y: f32) -> Want {
    if x == 0.0 && y == 0.0 { Want::Either(0, 0x8000_0000) } else { Want::arithmetic(value) }
}

/// max with y first, then min with z.
fn clamp(x: f32, y: f32, z: f32) -> Want {
    let low = x.max(y);
    if low == 0.0 || z == 0.0 && low >= 0.0 {
        Want::near(f64::from(low.min(z)), 0.0, 0.0)
    } else {
        Want::arithmetic(low.min(z))
    }
}

fn smooth(x: f64, y: f64, z: f64) -> Want {
    let t = ((z - x) / (y - x)).clamp(0.0, 1.0);
    Want::near(t * t * (3.0 - 2.0 * t), 1e-5, 0.0)
}

#[test]
fn conversions() {
    each(|run| {
        let input: Vec<u32> = (0..32).map(|n| EDGES[(n * 5 + n / 8) % EDGES.len()]).collect();
        let mut input = input;
        input[3] = 0x4f32_d05e;
        input[9] = 0xcf32_d05e;
        input[14] = 0x477f_ef00;
        let (buffer, output) = (run.words(&input), run.filled(8 * 36, 0));
        run.compute("convert.cs_5_0", &Registers::new().buffer(t(0), &buffer).buffer(u(0), &output), [1, 1, 1]);
        let got = output.words();
        for i in 0..8 {
            let lanes: [u32; 4] = input[i * 4..][..4].try_into().unwrap();
            let want = DENORMALS.map(|taken| (0..36).map(|n| conversion(n / 4, lanes, n % 4, taken)).collect());
            check_either(&format!("convert, {}, thread {i}", run.name), &got[i * 36..][..36], want);
        }
    });
}

fn conversion(row: usize, lanes: [u32; 4], n: usize, taken: fn(f32) -> f32) -> Want {
    let word = lanes[n];
    let f = taken(f32::from_bits(word));
    match row {
        // Rust's casts are Direct3D's: toward zero, clamped, 0 for NaN.
        0 => Want::Bits(f as i32 as u32),
        1 => Want::Bits(f as u32),
        2 => Want::float(word as f32),
        3 => Want::float(word as i32 as f32),
        4 => half_want(word),
        5 => Want::arithmetic_half(word as u16),
        6 => Want::float(if word != 0 { 1.0 } else { 0.0 }),
        7 => Want::Bits(u32::from(f != 0.0)),
        _ => match (half(word), half(lanes[3 - n])) {
            (Some(low), Some(high)) => Want::Bits(low | high << 16),
            _ => Want::Any,
        },
    }
}

/// The half of a float, toward zero; `None` for a NaN.
fn half(word: u32) -> Option<u32> {
    let sign = word >> 16 & 0x8000;
    let size = f32::from_bits(word & 0x7fff_ffff);
    if size.is_nan() {
        return None;
    }
    if size.is_infinite() {
        return Some(sign | 0x7c00);
    }
    // Units of the least half, below the normal ones.
    if size < 6.103_515_6e-5 {
        return Some(sign | (size * 16_777_216.0) as u32);
    }
    let exponent = (size.to_bits() >> 23) as i32 - 112;
    let bits = if exponent > 30 { 0x7bff } else { (exponent as u32) << 10 | size.to_bits() >> 13 & 0x3ff };
    Some(sign | bits)
}

fn half_want(word: u32) -> Want {
    match half(word) {
        Some(bits) => Want::Bits(bits),
        // Any NaN of a half: its exponent is full and its fraction is not 0.
        None => Want::Any,
    }
}

impl Want {
    /// The float of a half, denormals kept.
    fn arithmetic_half(half: u16) -> Want {
        let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
        let (exponent, fraction) = (half >> 10 & 31, f32::from(half & 0x3ff));
        match exponent {
            31 if fraction > 0.0 => Want::Nan,
            31 => Want::float(sign * f32::INFINITY),
            0 => Want::float(sign * fraction / 16_777_216.0),
            _ => Want::float(sign * (1.0 + fraction / 1024.0) * (f32::from(exponent) - 15.0).exp2()),
        }
    }
}
