//! Doubles: two to a register, the low half first.

use crate::alu::{Case, Family, whole};
use crate::want::Want;
use rx_translate::dxbc::opcodes::Opcode as O;

/// Zeros, denormals (which are kept), the ends of the range, infinities, NaNs, the ends of the integers, and what a
/// float rounds at.
const EDGES: [u64; 22] = [
    0,
    0x8000_0000_0000_0000,
    1,
    0x800f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff8_0000_0000_0000,
    0x4008_0000_0000_0000,
    0x3fd5_5555_5555_5555,
    0x3ff0_0000_1000_0000, // half way between two floats
    0x3ff0_0000_3000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x41df_ffff_ffc0_0000, // 2^31 - 1
    0x41df_ffff_fff0_0000, // 2^31 - 0.25
    0x41e0_0000_0000_0000, // 2^31
    0xc1e0_0000_0000_0000,
    0x41ef_ffff_ffff_ffff, // below 2^32
    0x41f0_0000_0000_0000, // 2^32
    0xbfef_ffff_ffff_ffff, // above -1
];

/// Words for conversions and conditions, and as floats.
const WORDS: [u32; 10] =
    [0, 1, 0x8000_0000, 0x7fff_ffff, 0xffff_ffff, 0x3f80_0001, 0xff80_0000, 0x7fc0_0000, 0x0100_0001, 0xc2f6_e979];

/// The doubles of a register.
fn doubles(r: [u32; 4]) -> [f64; 2] {
    [0, 2].map(|n| f64::from_bits(u64::from(r[n]) | u64::from(r[n + 1]) << 32))
}

/// Words of a double, the low half up to `units` away.
fn words(value: f64, exact: bool) -> [Want; 2] {
    let (low, high) = (value.to_bits() as u32, (value.to_bits() >> 32) as u32);
    match value {
        v if v.is_nan() => [Want::Any, Want::DoubleNan],
        v if exact || v == 0.0 || v.is_infinite() => [Want::Bits(low), Want::Bits(high)],
        _ => [Want::Unit(low), Want::Bits(high)],
    }
}

/// Words of one of two doubles.
fn either(first: [Want; 2], second: [Want; 2]) -> [Want; 2] {
    [0, 1].map(|n: usize| match (first[n], second[n]) {
        (Want::Bits(a), Want::Bits(b)) => Want::Either(a, b),
        (same, other) if same == other => same,
        _ => Want::Any,
    })
}

fn both(of: impl Fn(usize) -> [Want; 2]) -> [[Want; 4]; 2] {
    let ([a, b], [c, d]) = (of(0), of(1));
    [[a, b, c, d], [Want::Bits(0); 4]]
}

fn binary([a, b, ..]: [[u32; 4]; 4], op: fn(f64, f64) -> f64) -> [[Want; 4]; 2] {
    let (a, b) = (doubles(a), doubles(b));
    both(|n| words(op(a[n], b[n]), true))
}

/// The lesser or the greater: a NaN loses, of two zeros either may come.
fn extreme([a, b, ..]: [[u32; 4]; 4], first: fn(&f64, &f64) -> bool) -> [[Want; 4]; 2] {
    let (a, b) = (doubles(a), doubles(b));
    both(|n| match (a[n], b[n]) {
        (a, b) if a == 0.0 && b == 0.0 => {
            [Want::Bits(0), Want::Either((a.to_bits() >> 32) as u32, (b.to_bits() >> 32) as u32)]
        }
        (a, b) if b.is_nan() || first(&a, &b) => words(a, true),
        (_, b) => words(b, true),
    })
}

/// In x and y.
fn in_two(of: impl Fn(usize) -> Want) -> [[Want; 4]; 2] {
    [[of(0), of(1), Want::Bits(0), Want::Bits(0)], [Want::Bits(0); 4]]
}

fn compared([a, b, ..]: [[u32; 4]; 4], op: fn(&f64, &f64) -> bool) -> [[Want; 4]; 2] {
    let (a, b) = (doubles(a), doubles(b));
    in_two(|n| Want::mask(op(&a[n], &b[n])))
}

const CASES: &[Case] = &[
    whole(O::Dadd, "dadd r4.xyzw, r0.xyzw, r1.xyzw", |r| binary(r, |a, b| a + b)),
    whole(O::Dadd, "dadd r4.xyzw, r0.xyzw, -|r1.xyzw|", |r| binary(r, |a, b| a - b.abs())),
    whole(O::Dmul, "dmul r4.xyzw, r0.xyzw, r1.xyzw", |r| binary(r, |a, b| a * b)),
    whole(O::Ddiv, "ddiv r4.xyzw, r0.xyzw, r1.xyzw", |r| binary(r, |a, b| a / b)),
    whole(O::Dmax, "dmax r4.xyzw, r0.xyzw, r1.xyzw", |r| extreme(r, f64::gt)),
    whole(O::Dmin, "dmin r4.xyzw, r0.xyzw, r1.xyzw", |r| extreme(r, f64::lt)),
    // A double takes two components of a swizzle: here the pairs change places.
    whole(O::Dmul, "dmul r4.xyzw, r0.zwxy, d(1.0, 1.0)", |[a, ..]| {
        let a = doubles(a);
        both(|n| words(a[1 - n], true))
    }),
    whole(O::Dfma, "dfma r4.xyzw, r0.xyzw, r1.xyzw, r2.xyzw", |[a, b, c, _]| {
        let (a, b, c) = (doubles(a), doubles(b), doubles(c));
        // Direct3D rounds once. Vulkan lets a driver take a product and a sum for it, and SPIR-V cannot ask for more.
        both(|n| either(words(a[n].mul_add(b[n], c[n]), true), words(a[n] * b[n] + c[n], true)))
    }),
    whole(O::Drcp, "drcp r4.xyzw, r0.xyzw", |[a, ..]| both(|n| words(1.0 / doubles(a)[n], false))),
    whole(O::Dmov, "dmov r4.xyzw, r0.xyzw", |[a, ..]| [a.map(Want::Bits), [Want::Bits(0); 4]]),
    whole(O::Dmov, "dmov r4.xyzw, -r0.xyzw", |[a, ..]| both(|n| words(-doubles(a)[n], true))),
    whole(O::Dmov, "dmov_sat r4.xyzw, r0.xyzw", |[a, ..]| {
        both(|n| match doubles(a)[n] {
            v if v.is_nan() || v <= 0.0 => [Want::Bits(0), Want::Either(0, 0x8000_0000)],
            v => words(v.min(1.0), true),
        })
    }),
    whole(O::Dmovc, "dmovc r4.xyzw, r3.xzxx, r0.xyzw, r1.xyzw", |[a, b, _, d]| {
        let (a, b) = (doubles(a), doubles(b));
        both(|n| words(if d[2 * n] != 0 { a[n] } else { b[n] }, true))
    }),
    whole(O::Deq, "deq r4.xy, r0.xyzw, r1.xyzw", |r| compared(r, f64::eq)),
    whole(O::Dne, "dne r4.xy, r0.xyzw, r1.xyzw", |r| compared(r, f64::ne)),
    whole(O::Dlt, "dlt r4.xy, r0.xyzw, r1.xyzw", |r| compared(r, f64::lt)),
    whole(O::Dge, "dge r4.xy, r0.xyzw, r1.xyzw", |r| compared(r, f64::ge)),
    whole(O::Dtof, "dtof r4.xy, r0.xyzw", |[a, ..]| in_two(|n| Want::arithmetic(doubles(a)[n] as f32))),
    whole(O::Dtoi, "dtoi r4.xy, r0.xyzw", |[a, ..]| in_two(|n| Want::Bits(doubles(a)[n] as i32 as u32))),
    whole(O::Dtou, "dtou r4.xy, r0.xyzw", |[a, ..]| in_two(|n| Want::Bits(doubles(a)[n] as u32))),
    whole(O::Ftod, "ftod r4.xyzw, r3.xzxx", |[.., d]| {
        both(|n| match f32::from_bits(d[2 * n]) {
            // A denormal float may have been flushed.
            v if v.is_subnormal() => [Want::Any, Want::Any],
            v => words(f64::from(v), true),
        })
    }),
    whole(O::Itod, "itod r4.xyzw, r3.xzxx", |[.., d]| both(|n| words(f64::from(d[2 * n] as i32), true))),
    whole(O::Utod, "utod r4.xyzw, r3.xzxx", |[.., d]| both(|n| words(f64::from(d[2 * n]), true))),
];

/// Every pair of edges.
pub fn family() -> Family {
    let count = EDGES.len();
    let inputs = (0..count * count).flat_map(|n| {
        let [a, b, c] = [n / count, n % count, (n * 5 + n / 7) % count].map(|n| EDGES[n]);
        let d = WORDS[(n + n / count) % WORDS.len()];
        [[a as u32, b as u32, c as u32, d], [(a >> 32) as u32, (b >> 32) as u32, (c >> 32) as u32, d]]
    });
    Family { name: "doubles", floats: false, inputs: inputs.collect(), cases: CASES }
}

#[test]
fn doubles_of_every_kind() {
    let Some(session) = rx_tests::vulkan::session() else { return };
    let has = session.device.enabled.features.float64;
    drop(session);
    if has {
        family().check();
    } else {
        println!("skipped: the device has no shaderFloat64");
    }
}
