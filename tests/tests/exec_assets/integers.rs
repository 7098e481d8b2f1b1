//! Integer and bit arithmetic.

use crate::run::each;
use crate::want::{Want, check};
use rx_tests::vulkan::{Registers, t, u};

const EDGES: [u32; 16] = [
    0,
    1,
    0xffff_ffff,
    2,
    7,
    0x8000_0000,
    0x7fff_ffff,
    0x8000_0001,
    31,
    32,
    33,
    63,
    0xffff_fff9,
    0x1000_0000,
    0x1234_5678,
    0xdead_beef,
];

/// 64 pairs for 16 threads of four lanes: pairs of edges, x first.
fn pairs() -> Vec<[u32; 2]> {
    (0..64).map(|n| [EDGES[n % 16], EDGES[(n / 4 + n * 3) % 16]]).collect()
}

/// Threads' inputs as the shaders read them: four x, then four y.
fn packed(pairs: &[[u32; 2]]) -> Vec<u32> {
    pairs.chunks_exact(4).flat_map(|four| [0, 1].into_iter().flat_map(|n| four.iter().map(move |p| p[n]))).collect()
}

fn wants(pairs: &[[u32; 2]], rows: usize, of: impl Fn(usize, u32, u32) -> Want) -> Vec<Want> {
    let lane = |four: &[[u32; 2]], row: usize| four.iter().map(|[x, y]| of(row, *x, *y)).collect::<Vec<_>>();
    pairs.chunks_exact(4).flat_map(|four| (0..rows).flat_map(|row| lane(four, row)).collect::<Vec<_>>()).collect()
}

#[test]
fn arithmetic() {
    for shader in ["integer_arithmetic.cs_5_0", "integer_arithmetic.cs_5_0.od"] {
        each(|run| {
            let pairs = pairs();
            let input = run.words(&packed(&pairs));
            let (signed, unsigned) = (run.filled(16 * 14 * 4, 0), run.filled(16 * 14 * 4, 0));
            let registers = Registers::new().buffer(t(0), &input).buffer(t(1), &input);
            run.compute(shader, &registers.buffer(u(0), &signed).buffer(u(1), &unsigned), [1, 1, 1]);
            let signed_want = wants(&pairs, 14, |row, x, y| signed_row(row, x as i32, y as i32));
            check(&format!("{shader}, {}, signed", run.name), &signed.words(), &signed_want);
            let unsigned_want = wants(&pairs, 14, |row, x, y| Want::Bits(unsigned_row(row, x, y)));
            check(&format!("{shader}, {}, unsigned", run.name), &unsigned.words(), &unsigned_want);
        });
    }
}

fn signed_row(row: usize, x: i32, y: i32) -> Want {
    let value = match row {
        0 => x.wrapping_add(y),
        1 => x.wrapping_sub(y),
        2 => x.wrapping_mul(y),
        // The compiler divides magnitudes; a division by zero gives all ones before the sign is applied.
        3 | 4 if y == 0 => return Want::Any,
        3 => x.wrapping_div(y),
        4 => x.wrapping_rem(y),
        5 => x.wrapping_neg(),
        6 => x.min(y),
        7 => x.max(y),
        8 => x.wrapping_mul(y).wrapping_add(x),
        9 => x.wrapping_abs(),
        10 => x.signum(),
        11 => x.wrapping_shl(y as u32 & 31),
        12 => x.wrapping_shr(y as u32 & 31),
        _ => x.max(-5).min(y),
    };
    Want::Bits(value as u32)
}

fn unsigned_row(row: usize, u: u32, v: u32) -> u32 {
    match row {
        0 => u.wrapping_add(v),
        1 => u.wrapping_sub(v),
        2 => u.wrapping_mul(v),
        3 => u.checked_div(v).unwrap_or(u32::MAX),
        4 => u.checked_rem(v).unwrap_or(u32::MAX),
        5 => u.min(v),
        6 => u.max(v),
        7 | 12 => u.wrapping_mul(v).wrapping_add(u),
        8 => u.wrapping_shl(v & 31),
        9 => u.wrapping_shr(v & 31),
        10 => u / 7,
        11 => u % 10,
        _ => u.wrapping_mul(0x10001),
    }
}

#[test]
fn bit_operations() {
    each(|run| {
        let pairs = pairs();
        let (input, output) = (run.words(&packed(&pairs)), run.filled(16 * 14 * 4, 0));
        run.compute("integer_bits.cs_5_0", &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
        let want = wants(&pairs, 14, |row, x, y| Want::Bits(bit_row(row, x, y)));
        check(&format!("integer_bits, {}", run.name), &output.words(), &want);
    });
}

fn bit_row(row: usize, x: u32, y: u32) -> u32 {
    // HLSL counts from the low end, and has all ones for none.
    let high = |x: u32| if x == 0 { u32::MAX } else { 31 - x.leading_zeros() };
    match row {
        0 => x & y,
        1 => x | y,
        2 => x ^ y,
        3 => !x,
        4 => x.count_ones(),
        5 => high(x),
        6 => {
            if x == 0 {
                u32::MAX
            } else {
                x.trailing_zeros()
            }
        }
        7 => high(if (x as i32) < 0 { !x } else { x }),
        8 => x.reverse_bits(),
        9 => x >> 5 & 0x3ff,
        10 => ((x << 8) as i32 >> 20) as u32,
        11 => x & 0xffff_00ff | (y & 0xff) << 8,
        12 => x & !0x1f | y & 0x1f,
        _ => (y << 4).wrapping_add(x & 15),
    }
}

#[test]
fn packed_formats() {
    each(|run| {
        let input: Vec<u32> = EDGES[8..].to_vec();
        let (buffer, output) = (run.words(&input), run.filled(32, 0));
        let registers = Registers::new().buffer(t(0), &buffer).buffer(u(0), &output);
        run.compute("signed_field_insert.cs_5_0", &registers, [1, 1, 1]);
        let want: Vec<Want> = input.iter().flat_map(|p| pack(*p)).map(Want::Bits).collect();
        check(&format!("signed_field_insert, {}", run.name), &output.words(), &want);
    });
}

fn pack(p: u32) -> [u32; 4] {
    let bytes = p.to_le_bytes();
    let a = bytes.map(|b| f32::from(b) / 255.0);
    let b = bytes.map(|b| (f32::from(b as i8) / 127.0).max(-1.0));
    let unit = |v: f32, most: f32| (v.clamp(0.0, 1.0) * most + 0.5) as u32;
    let pack8 = |v: [f32; 4]| v.iter().enumerate().fold(0, |all, (n, v)| all | unit(*v, 255.0) << (8 * n));
    let ends = [1023.0, 1023.0, 1023.0, 3.0];
    let pack10 = |v: [f32; 4]| (0..4).fold(0, |all, n| all | unit(v[n], ends[n]) << (10 * n));
    [pack8(a.map(|v| v * 0.5)), pack10(b), pack8(b), p ^ pack10(a)]
}

#[test]
fn masked_differences() {
    each(|run| {
        let words: Vec<u32> =
            (0..64u32).map(|n| n.wrapping_mul(0x9e37_79b9) ^ if n % 3 == 0 { 0xff00 } else { 0 }).collect();
        let (input, output) = (run.words(&words), run.filled(32, 0));
        run.compute("msad.cs_5_0", &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
        let want: Vec<Want> =
            words.chunks_exact(8).flat_map(|w| msad4(w[0], w[1], w[2], &w[4..])).map(Want::Bits).collect();
        check(&format!("msad, {}", run.name), &output.words(), &want);
    });
}

/// Four sums of the reference's bytes against the source at each byte's offset; a byte of 0 in the reference is left out.
fn msad4(reference: u32, low: u32, high: u32, sums: &[u32]) -> Vec<u32> {
    let source = u64::from(high) << 32 | u64::from(low);
    let of = |offset: usize| {
        let window = (source >> (8 * offset)) as u32;
        let bytes = reference.to_le_bytes().into_iter().zip(window.to_le_bytes());
        bytes.filter(|(r, _)| *r != 0).map(|(r, s)| u32::from(r.abs_diff(s))).sum::<u32>()
    };
    (0..4).map(|n| sums[n].wrapping_add(of(n))).collect()
}
