//! Comparison, selection, control flow and registers of pixel shaders.

use crate::run::{Inputs, each};
use crate::want::{DENORMALS, Want, check};
use rx_tests::vulkan::{Registers, b};

/// Pairs of vectors with every outcome of a comparison.
const PAIRS: [[[f32; 4]; 2]; 6] = [
    [[1.0, 2.0, 3.0, 4.0], [2.0, 2.0, -3.0, 5.0]],
    [[0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY], [-0.0, 0.0, f32::INFINITY, f32::INFINITY]],
    [[f32::NAN, 1.0, f32::NAN, 0.5], [1.0, f32::NAN, f32::NAN, 0.25]],
    [[0.0; 4], [1.0, 1.0, 0.0, 2.0]],
    [[1e-40, 0.0, -1e-40, 7.0], [0.0, 1e-40, 0.0, f32::NEG_INFINITY]],
    [[-1.0, -2.0, 5.0, 0.0], [3.0, 4.0, 5.0, 6.0]],
];

#[test]
fn float_comparisons() {
    for (shader, strict) in
        [("float_compare.ps_4_0", false), ("float_compare.ps_5_0", false), ("float_compare.ps_5_0.gis", true)]
    {
        each(|run| {
            for pair in PAIRS {
                let constants = run.floats(&pair.concat());
                let registers = Registers::new().buffer(b(0), &constants);
                let target = run.target(3, 2, 1);
                run.pixel(shader, &registers, &Inputs::none(), crate::run::onto(&target));
                let got = target.words(0).unwrap();
                let either = DENORMALS.map(|taken| comparison(pair.map(|v| v.map(taken)), pair[1], strict));
                let want: Vec<Want> = (0..8).map(|n| Want::Either(either[0][n % 4], either[1][n % 4])).collect();
                check(&format!("{shader}, {}, {pair:?}", run.name), &got, &want);
            }
        });
    }
}

/// The mask that the shader makes. Without IEEE strictness the compiler takes `!(a < b)` for `a >= b`, and no number for
/// one that is none.
fn comparison([a, b]: [[f32; 4]; 2], raw: [f32; 4], strict: bool) -> [u32; 4] {
    let mut r = [0, 1, 2, 3].map(|n| {
        let (a, b) = (a[n], b[n]);
        let bit = |truth: bool, bit: u32| if truth { bit } else { 0 };
        let not_less = if strict { !(a < b) } else { a >= b };
        bit(a < b, 1)
            | bit(a <= b, 2)
            | bit(a > b, 4)
            | bit(a >= b, 8)
            | bit(a == b, 16)
            | bit(a != b, 32)
            | bit(strict && a.is_nan(), 64)
            | bit(raw[n].is_infinite(), 128)
            | bit(not_less, 256)
    });
    // any and all are products to the compiler.
    let any = a.iter().map(|v| v * v).sum::<f32>() != 0.0;
    let all = b.iter().product::<f32>() != 0.0;
    let both = a[0] < b[0] && a[1] < b[1] || a[2] == b[2];
    r[0] |= if any { 512 } else { 0 } | if all { 1024 } else { 0 } | if both { 2048 } else { 0 };
    r[1] |= if a[0] != 0.0 { 4096 } else { 0 };
    r
}

#[test]
fn integer_comparisons() {
    for shader in ["integer_compare.ps_4_0", "integer_compare.ps_5_0"] {
        each(|run| {
            let (a, c) = ([5i32, -1, i32::MIN, 7], [5i32, 1, i32::MAX, -7]);
            let (x, y) = ([1u32, 0xffff_ffff, 0x8000_0000, 9], [2u32, 1, 0x7fff_ffff, 9]);
            let constants = [a.map(|v| v as u32), c.map(|v| v as u32), x, y].concat();
            let constants = run.words(&constants);
            let target = run.target(3, 4, 1);
            let registers = Registers::new().buffer(b(0), &constants);
            run.pixel(shader, &registers, &Inputs::none(), crate::run::onto(&target));
            let mut want = Vec::new();
            for pixel in 0..4 {
                for n in 0..4 {
                    let mut r = u32::from(a[n] == c[n]) + 2 * u32::from(a[n] != c[n]) + 4 * u32::from(a[n] < c[n]);
                    r += 8 * u32::from(a[n] >= c[n]) + 16 * u32::from(x[n] < y[n]) + 32 * u32::from(x[n] >= y[n]);
                    let (first, second) = if pixel >= 2 { (y[n], x[n]) } else { (x[n], y[n]) };
                    want.push(Want::Bits(r.wrapping_add(first.wrapping_mul(64)).wrapping_add(second >> 3)));
                }
            }
            check(&format!("{shader}, {}", run.name), &target.words(0).unwrap(), &want);
        });
    }
}

#[test]
fn values_live_across_merges() {
    for shader in ["flow_live_merge.ps_4_0", "flow_live_merge.ps_5_0", "flow_live_merge.ps_5_0.od"] {
        each(|run| {
            for k in [[2u32, 0, 3, 0], [1, 3, 5, 0], [0, 0, 0, 0]] {
                let a = [1.5f32, 2.25, 0.0, 9.0];
                let constants = run.words(&[a.map(f32::to_bits), k].concat());
                let got = run.pixels(shader, &Registers::new().buffer(b(0), &constants), &Inputs::none(), [16, 8]);
                let want: Vec<Want> = (0..16 * 8).flat_map(|n| live_merge(n % 16, n / 16, a, k)).collect();
                check(&format!("{shader}, {}, {k:?}", run.name), &got, &want);
            }
        });
    }
}

fn live_merge(px: u32, py: u32, a: [f32; 4], k: [u32; 4]) -> [Want; 4] {
    let (mut x, mut y, mut z) = (a[0], a[1], 0.0);
    if px as f32 + 0.5 > 10.5 {
        y = x * 2.0;
        if py as f32 + 0.5 > 4.5 {
            x = y + 3.0;
            z = 1.0;
        } else if k[0] == 2 {
            x -= 1.0;
        } else if k[1] == 3 {
            z = x;
        }
        y += z;
    } else {
        for i in 0..k[2] {
            let t = x;
            x = y;
            y = t + i as f32;
            if y > a[3] {
                break;
            }
        }
        z = y - x;
    }
    [x, y, z, 1.0].map(Want::float)
}

#[test]
fn switches() {
    for shader in ["flow_switch.ps_4_0", "flow_switch.ps_5_0", "flow_switch.ps_5_0.od"] {
        each(|run| {
            let values: Vec<f32> = (0..16).map(|n| n as f32 * 0.5 - 2.0).collect();
            for selector in [-3i32, 0, 1, 7, 8, 100_000, -4] {
                for other in 0..4u32 {
                    let mut words = vec![selector as u32, other, 0, 0];
                    words.extend(values.iter().map(|v| v.to_bits()));
                    let constants = run.words(&words);
                    let got = run.pixels(shader, &Registers::new().buffer(b(0), &constants), &Inputs::none(), [2, 2]);
                    let want: Vec<Want> =
                        (0..4).flat_map(|n| switch([n % 2, n / 2], selector, other, &values)).collect();
                    check(&format!("{shader}, {}, {selector} {other}", run.name), &got, &want);
                }
            }
        });
    }
}

fn switch([px, py]: [u32; 2], selector: i32, other: u32, values: &[f32]) -> [Want; 4] {
    let mut r = [px as f32 + 0.5, py as f32 + 0.5, 0.0, 1.0];
    let value = |n: usize| [0, 1, 2, 3].map(|c| values[n * 4 + c]);
    match selector {
        -3 => r = value(0),
        0 | 1 => r = [0, 1, 2, 3].map(|c| r[c] + value(1)[c]),
        7 if other > 2 => return [0, 1, 2, 3].map(|c| Want::near(f64::from(value(2)[c] * r[c]), 0.0, 0.0)),
        7 => r[0] = 9.0,
        100_000 => r = value(3),
        _ => r = r.map(|c| -c),
    }
    if other & 3 < 3 {
        r[other as usize & 3] += (other & 3) as f32 + 1.0;
    }
    // A zero's sign is not kept by an addition of zero that the compiler makes of the last case.
    r.map(|c| Want::near(f64::from(c), 0.0, 0.0))
}

#[test]
fn inlined_functions() {
    for shader in ["flow_subroutine_like.ps_5_0", "flow_subroutine_like.ps_5_0.o3"] {
        each(|run| {
            let (k, v) = ([2.5f32, 4.0, 0.0, 0.0], [1.0f32, -2.0, 3.75, 0.0]);
            let constants = run.floats(&k);
            let registers = Registers::new().buffer(b(0), &constants);
            let got = run.pixels(shader, &registers, &Inputs::none().floats("TEXCOORD0", v), [2, 2]);
            let mut state = [1.0, 2.0, 3.0, 4.0];
            let (mut a, mut members) = ([v[0], v[1]], [1, 2, 3]);
            for s in [k[0], v[2]] {
                a = [a[1] * s, a[0] * s];
                members[1] += s as i32;
                state[0] += a[0];
                state[1] += a[1];
            }
            let added = (members[1] + members[k[1] as usize % 3]) as f32;
            let want: Vec<Want> = (0..16).map(|n| Want::near(f64::from(state[n % 4] + added), 0.0, 1e-6)).collect();
            check(&format!("{shader}, {}", run.name), &got, &want);
        });
    }
}

#[test]
fn swizzles_and_masks() {
    for shader in ["swizzle_masks.ps_4_0", "swizzle_masks.ps_5_0.od"] {
        each(|run| {
            let (a, c, d, v) = (
                [1.0f32, -2.0, 3.0, 0.5],
                [4.0f32, -0.25, 7.0, 2.0],
                [0.0f32, 0.0, 0.0, -6.0],
                [1.5f32, -3.0, 0.0, 0.0],
            );
            let constants = run.floats(&[a, c, d].concat());
            let registers = Registers::new().buffer(b(0), &constants);
            let got = run.pixels(shader, &registers, &Inputs::none().floats("TEXCOORD0", v), [2, 1]);
            let mut r = [0.0f32; 4];
            (r[0], r[2]) = (a[3] * v[0], a[1] * v[0]);
            (r[1], r[3]) = (c[2] - d[3].abs(), c[0] - d[3].abs());
            (r[0], r[1], r[2]) = (r[2] * -v[1], r[0] * -v[1], r[1] * -v[1]);
            r[3] = r[2] * -a[0].abs() + r[3] * -a[1].abs();
            let w = r[3];
            r = [w * a[0] + c[1], w * a[2] + c[1], w * a[1] + c[0], w * a[3] + c[0]];
            r[1] = -r[1];
            let want: Vec<Want> = (0..8).map(|n| Want::near(f64::from(r[3 - n % 4]), 1e-5, 1e-6)).collect();
            check(&format!("{shader}, {}", run.name), &got, &want);
        });
    }
}

#[test]
fn indexed_temporaries() {
    for shader in ["temp_array.ps_4_0", "temp_array.ps_5_0", "temp_array.ps_5_0.od"] {
        each(|run| {
            for index in [[1u32, 2, 0, 3], [4, 9, 5, 8], [0, 3, 2, 0]] {
                let v = [0.5f32, -1.0, 2.0, 4.0];
                let constants = run.words(&[index, v.map(f32::to_bits)].concat());
                let got = run.pixels(shader, &Registers::new().buffer(b(0), &constants), &Inputs::none(), [4, 2]);
                let want: Vec<Want> = (0..8).flat_map(|n| temporaries(n % 4, n / 4, index, v)).collect();
                check(&format!("{shader}, {}, {index:?}", run.name), &got, &want);
            }
        });
    }
}

fn temporaries(px: u32, py: u32, index: [u32; 4], v: [f32; 4]) -> [Want; 4] {
    let p = [px as f32 + 0.5, py as f32 + 0.5, 0.0, 1.0];
    let reversed = [v[3], v[2], v[1], v[0]];
    let mut a = [v, v.map(|c| c * 2.0), v.map(|c| c * 3.0), reversed, p, [0.0; 4]];
    let mut counts = [1u32, 2, 3, 4];
    let at = index[0] as usize;
    (a[at][1], a[at][2]) = (p[0], p[1]);
    // Written as a mask of bits, so 9 & 5 is 1.
    a[index[1] as usize & 5][3] += 4.0;
    counts[px as usize & 3] += index[2];
    for i in 0..index[3] as usize {
        a[i % 6] = a[(i + 1) % 6].map(|c| c + counts[i & 3] as f32);
    }
    let at = index[2] as usize;
    [0, 1, 2, 3].map(|c| Want::near(f64::from(a[at][c] + a[2][c]), 1e-6, 1e-6))
}
