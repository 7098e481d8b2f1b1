//! Registers in spaces, arrays of descriptors, constant buffers' layouts, sampling in flow.

use crate::run::{Inputs, Run, asset, each, onto};
use crate::want::{Want, check};
use rx_tests::vulkan::{Bound, Buffer, Draw, Registers, SamplerState, Texture, TextureOptions, b, s, t};
use rx_translate::interface::ResourceClass;

fn near(values: impl IntoIterator<Item = f64>) -> Vec<Want> {
    values.into_iter().map(|v| Want::near(v, 1e-4, 1e-5)).collect()
}

/// A texture of one texel.
fn one(run: &Run<'_>, texel: [f32; 4]) -> Texture {
    run.texture(TextureOptions::d2(2, 1, 1).unwrap(), &texel.map(f32::to_bits))
}

/// Four floats that follow a number.
fn four(n: usize) -> [f32; 4] {
    [0, 1, 2, 3].map(|c| n as f32 * 4.0 + c as f32 * 0.5 + 0.25)
}

#[test]
fn spaces_and_arrays_of_every_class() {
    each(|run| {
        let items: Vec<Buffer> = (0..9).map(|n| run.floats(&[four(n), four(n + 20)].concat())).collect();
        let rows: Vec<Buffer> = (0..3)
            .map(|n| {
                run.floats(&(0..4).flat_map(|i| [four(n * 4 + i), four(n * 4 + i + 40)].concat()).collect::<Vec<_>>())
            })
            .collect();
        let raw: Vec<Buffer> = (0..2).map(|n| run.floats(&four(n + 60).repeat(8))).collect();
        let typed = run.words(&(0..32).collect::<Vec<_>>());
        let grid: Vec<Texture> = (0..6).map(|n| one(run, four(n + 70))).collect();
        for k in [[0u32, 1, 2, 0], [3, 2, 3, 1], [7, 0, 0, 3]] {
            let images: Vec<Texture> = (0..4).map(|_| run.target(2, 1, 1)).collect();
            let counters: Vec<Buffer> =
                (0..2).map(|n| run.words(&(0..8).map(|i| i * 10 + n).collect::<Vec<_>>())).collect();
            let mut registers = Registers::new();
            let mut bind =
                |class, space, register: usize, bound| registers.bind((class, space, register as u32), bound);
            use ResourceClass::{Cbv, Sampler, Srv, Uav};
            items[..8].iter().enumerate().for_each(|(n, item)| bind(Cbv, 3, 2 + n, Bound::Buffer(item)));
            bind(Cbv, 3, 0, Bound::Buffer(&items[8]));
            rows.iter().enumerate().for_each(|(n, row)| bind(Srv, 4, n, Bound::Buffer(row)));
            raw.iter().enumerate().for_each(|(n, raw)| bind(Srv, 4, 7 + n, Bound::Buffer(raw)));
            bind(Srv, 5, 0, Bound::Typed(&typed, 3));
            grid.iter().enumerate().for_each(|(n, map)| bind(Srv, 6, n, Bound::Texture(map)));
            images.iter().enumerate().for_each(|(n, image)| bind(Uav, 7, 1 + n, Bound::Texture(image)));
            counters.iter().enumerate().for_each(|(n, counter)| bind(Uav, 8, n, Bound::Buffer(counter)));
            bind(Sampler, 9, 5, Bound::Sampler(SamplerState::point()));
            let got = run.pixels("descriptor_spaces.ps_5_1", &registers, &Inputs::none().constant("INDEX0", k), [1, 1]);
            let [x, y, z, w] = k.map(|n| n as usize);
            let sum = |c: usize| {
                let parts = [four(x)[c], four(28)[c], four(y * 4 + z + 40)[c], four((w & 1) + 60)[x & 3]];
                let sampled = four((x & 1) * 3 + 2 + 70)[c];
                f64::from(parts.iter().sum::<f32>()) + (x * 4 + c) as f64 + f64::from(sampled)
            };
            let old = (x * 10 + (w & 1)) as f64;
            let name = format!("descriptor_spaces, {}, {k:?}", run.name);
            check(&name, &got, &near((0..4).map(|c| sum(c) + old)));
            check(&format!("{name}: image"), &images[z].words(0).unwrap(), &near((0..4).map(sum)));
            assert_eq!(counters[w & 1].words()[x], old as u32 + 1, "{name}: counter");
        }
    });
}

#[test]
fn ranges_without_an_end() {
    for shader in ["descriptor_unbounded.ps_5_1", "descriptor_unbounded.ps_5_1.od"] {
        each(|run| {
            if run.name.contains("pushed") || run.name.contains("later") {
                // Lengths and offsets of a range without an end cannot be pushed: the translator says so.
                assert!(run.translations.translate(&asset(shader), 0).is_err(), "{shader}");
                return;
            }
            let maps: Vec<Texture> = (0..5).map(|n| one(run, four(n))).collect();
            let rows: Vec<Buffer> =
                (0..4).map(|n| run.floats(&(0..3).flat_map(|i| four(n * 3 + i + 10)).collect::<Vec<_>>())).collect();
            for (k, material) in [([3u32, 1, 2, 0], 1u32), ([0, 0, 3, 2], 2)] {
                let constants = run.words(&k);
                let mut registers = Registers::new().buffer(b(0), &constants);
                for (n, map) in maps.iter().enumerate() {
                    registers.bind((ResourceClass::Srv, 1, n as u32), Bound::Texture(map));
                }
                for (n, row) in rows.iter().enumerate() {
                    registers.bind((ResourceClass::Srv, 2, n as u32), Bound::Buffer(row));
                }
                let registers = registers.sampler(s(0), SamplerState::point()).sampler(s(1), SamplerState::linear());
                let inputs = Inputs::none().floats("TEXCOORD0", [0.5; 4]).constant("MATERIAL0", [material; 4]);
                let got = run.pixels(shader, &registers, &inputs, [2, 1]);
                let m = material as usize;
                let want = (0..8).map(|n| {
                    let c = n % 4;
                    let rows = four(k[2] as usize * 3 + m + 10)[c] + four((m + 1) * 3 + k[3] as usize + 10)[c];
                    f64::from(four(k[0] as usize)[c] + four(m)[c] + rows)
                });
                check(&format!("{shader}, {}, {k:?}", run.name), &got, &near(want));
            }
        });
    }
}

#[test]
fn arrays_of_textures_and_samplers() {
    for (shader, dynamic) in [("resource_arrays.ps_5_0", false), ("resource_arrays.ps_5_1", true)] {
        each(|run| {
            let maps: Vec<Texture> = (0..4).map(|n| one(run, four(n))).collect();
            for [i, j] in [[0u32, 1], [2, 0]] {
                let constants = run.words(&[i, j, 0, 0]);
                let mut registers = Registers::new().buffer(b(0), &constants);
                for (n, map) in maps.iter().enumerate() {
                    registers = registers.texture(t(2 + n as u32), map);
                }
                let registers = registers.sampler(s(1), SamplerState::point()).sampler(s(2), SamplerState::linear());
                let inputs = Inputs::none().plane("TEXCOORD0", [0.0; 4], [1.0, 0.0, 0.0, 0.0], [0.0; 4]);
                let got = run.pixels(shader, &registers, &inputs, [4, 1]);
                let want = (0..16).map(|n| {
                    let (x, c) = (n / 4, n % 4);
                    let rest: f32 =
                        if dynamic { four(i as usize)[c] + four(x)[c] } else { (0..4).map(|k| four(k)[c]).sum() };
                    f64::from(four(3)[c] + rest)
                });
                check(&format!("{shader}, {}, {i} {j}", run.name), &got, &near(want));
            }
        });
    }
}

#[test]
fn layouts_of_constant_buffers() {
    for shader in ["cbuffer_layouts.ps_4_0", "cbuffer_layouts.ps_5_1"] {
        each(|run| {
            for flag in [0u32, 4] {
                let mut rows: Vec<[u32; 4]> = (0..16).map(|n| four(n).map(|v| (v * 0.125 - 1.0).to_bits())).collect();
                (11..14).for_each(|n| rows[n] = [n as u32, 3, 0xffff_fffe, 7]);
                rows[14] = [1, 1, 0, flag];
                rows[15] = [5, 6, 70000, 0xffff_ffff];
                let globals = run.words(&[3.5f32.to_bits(), 4, 5, 0]);
                let placed = run.words(&rows.concat());
                let registers = Registers::new().buffer(b(0), &globals).buffer(b(1), &placed);
                let got = run.pixels(shader, &registers, &Inputs::none(), [1, 1]);
                let want = if flag > 0 { placed_value(&rows) } else { rows[15].map(f64::from) };
                check(&format!("{shader}, {}, {flag}", run.name), &got, &near(want));
            }
        });
    }
}

/// The shader's value of the placed rows: c2 whole, c0.y one, c0.zw pair, c4 and c7 matrices, c11 integers.
fn placed_value(rows: &[[u32; 4]]) -> [f64; 4] {
    let f = |row: usize, c: usize| f64::from(f32::from_bits(rows[row][c]));
    let mut r = [0, 1, 2, 3].map(|c| f(2, c) * f(0, 1) + f(0, 2 + c % 2) + 3.5);
    // Two rows of three.
    let product = [0, 1].map(|row| (0..3).map(|c| f(4 + row, c) * r[c]).sum::<f64>());
    (r[0], r[1]) = (r[0] + product[0], r[1] + product[1]);
    // Three columns of two: a row vector times them.
    let product = [0, 1, 2].map(|column| r[0] * f(7 + column, 0) + r[1] * f(7 + column, 1));
    (0..3).for_each(|c| r[c] += product[c]);
    // int3x2 by columns: two columns of three, transposed into two rows.
    let whole = [r[0] as i32, r[1] as i32, r[2] as i32];
    let product =
        [0, 1].map(|row| (0..3).map(|c| (rows[11 + row][c] as i32).wrapping_mul(whole[c])).fold(0, i32::wrapping_add));
    r[0] += f64::from(product[0].wrapping_add(4));
    r[1] += f64::from(product[1].wrapping_add(5));
    r
}

#[test]
fn sampling_in_loops_and_branches() {
    for shader in ["loop_gradients.ps_4_0", "loop_gradients.ps_5_0"] {
        each(|run| {
            let map = one(run, [0.5, 0.25, 0.125, 1.0]);
            for count in [0u32, 2, 9] {
                let constants = run.words(&[count, 0, 0, 0]);
                let registers = Registers::new().buffer(b(0), &constants).texture(t(0), &map);
                let registers = registers.sampler(s(0), SamplerState::linear());
                let inputs = Inputs::none().plane("TEXCOORD0", [0.0; 4], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
                let got = run.pixels(shader, &registers, &inputs, [2, 2]);
                // The alpha passes 4 with the fourth addition.
                let times = f64::from(1 + count.min(4));
                check(
                    &format!("{shader}, {}, {count}", run.name),
                    &got,
                    &near((0..16).map(|n| [0.5, 0.25, 0.125, 1.0][n % 4] * times)),
                );
            }
        });
    }
    each(|run| {
        let options = TextureOptions { layers: 3, ..TextureOptions::d2(2, 1, 1).unwrap() };
        let maps =
            run.texture(options, &[four(0), four(1), four(2)].concat().iter().map(|f| f.to_bits()).collect::<Vec<_>>());
        for (layers, mode) in [(3u32, 0u32), (2, 3)] {
            let constants = run.words(&[layers, mode, 0, 0]);
            let registers = Registers::new().buffer(b(0), &constants).texture(t(0), &maps);
            let registers = registers.sampler(s(0), SamplerState::linear());
            let inputs = Inputs::none().plane("TEXCOORD0", [0.0; 4], [1.0, 0.0, 0.0, 0.0], [0.5, 1.0, 0.0, 0.0]);
            let got = run.pixels("uniform_flow_sample.ps_5_0", &registers, &inputs, [2, 2]);
            let sum = |c: usize| (0..layers as usize).map(|n| f64::from(four(n)[c])).sum::<f64>();
            let value =
                |c: usize| if mode == 3 { sum(c) * f64::from(four(0)[c]) + 0.75 * 0.0 + sum(c) * 0.75 } else { sum(c) };
            check(&format!("uniform_flow_sample, {}, {mode}", run.name), &got, &near((0..16).map(|n| value(n % 4))));
        }
    });
}

#[test]
fn what_is_declared_and_not_used() {
    for shader in ["unused_declarations.ps_4_0", "unused_declarations.ps_5_0", "unused_declarations.ps_5_0.stripped"] {
        each(|run| {
            let (map, constants) = (one(run, four(3)), run.floats(&[four(1), four(2)].concat()));
            let registers = Registers::new().buffer(b(2), &constants).texture(t(9), &map);
            let registers = registers.sampler(s(3), SamplerState::point());
            let inputs = Inputs::none().floats("UNUSED_INPUT0", [9.0; 4]).floats("TEXCOORD3", [0.5; 4]);
            let got = run.pixels(shader, &registers, &inputs, [1, 1]);
            check(&format!("{shader}, {}", run.name), &got, &near((0..4).map(|c| f64::from(four(3)[c] * four(1)[c]))));
        });
    }
}

#[test]
fn minimum_precision() {
    for shader in ["minimum_precision.ps_4_0", "minimum_precision.ps_5_0"] {
        each(|run| {
            let map = one(run, [1.0, 2.0, 0.5, 4.0]);
            let (offsets, masks) = ([3i32, -2, 5, 1], [7u32, 0xff, 3, 0x1f]);
            let words = [[2.0f32, 0.5, 4.0, 0.25].map(f32::to_bits), offsets.map(|v| v as u32), masks].concat();
            let constants = run.words(&words);
            let registers = Registers::new().buffer(b(0), &constants).texture(t(0), &map);
            let color = [0.5f32, 1.0, 1.5, 2.0];
            let inputs = Inputs::none().floats("COLOR0", color).floats("TEXCOORD0", [0.5; 4]).constant("ID0", [6; 4]);
            let got = run.pixels(shader, &registers.sampler(s(0), SamplerState::point()), &inputs, [1, 1]);
            let c = [2.5, 2.0, 3.5, 3.0];
            let i = [0, 1, 2, 3].map(|n| c[n] as i32 + offsets[n]);
            let value = |n: usize| {
                c[n] + c[0] * 0.5 + f64::from(i[n]) + f64::from(i[0]) + f64::from((masks[n] & i[n] as u32) + 6)
            };
            // Ten bits of fraction are promised, more are allowed.
            check(
                &format!("{shader}, {}", run.name),
                &got,
                &(0..4).map(|n| Want::near(value(n), 0.0, 2e-3)).collect::<Vec<_>>(),
            );
        });
    }
}

#[test]
fn literals_at_the_ends_of_floats() {
    for shader in ["constants_special.ps_5_0", "constants_special.ps_5_0.gis"] {
        each(|run| {
            let constants = run.words(&[0, 2, 0, 0]);
            let registers = Registers::new().buffer(b(0), &constants);
            let inputs = Inputs::none().constant("U0", [0, 0, 0xffff_fffe, 0x8000_0000]);
            let got = run.pixels(shader, &registers, &inputs, [1, 1]);
            let largest = f64::from(f32::MAX);
            let want = [
                Want::Nan,
                Want::float(f32::NEG_INFINITY),
                Want::near(largest, 0.0, 1e-6),
                Want::near(largest * 0.1, 0.0, 1e-6),
            ];
            check(&format!("{shader}, {}", run.name), &got, &want);
        });
    }
}

#[test]
fn vector_functions() {
    for shader in ["float_geometry.ps_4_0", "float_geometry.ps_5_0"] {
        each(|run| {
            let rows: Vec<[f32; 4]> =
                (0..15).map(|n| [0, 1, 2, 3].map(|c| ((n * 4 + c) as f32 * 0.77).sin() * 2.0)).collect();
            let constants = run.floats(&rows.concat());
            let targets: Vec<Texture> = (0..6).map(|_| run.target(2, 2, 1)).collect();
            let on = Draw {
                targets: targets
                    .iter()
                    .enumerate()
                    .map(|(n, texture)| rx_tests::vulkan::Target { slot: n as u32, texture })
                    .collect(),
                ..Draw::new(Vec::new())
            };
            run.pixel(shader, &Registers::new().buffer(b(0), &constants), &Inputs::none().at_depth(0.5), on);
            let rows: Vec<[f64; 4]> = rows.iter().map(|row| row.map(f64::from)).collect();
            for (n, target) in targets.iter().enumerate() {
                let want: Vec<f64> =
                    (0..2).flat_map(|x| geometry(&rows, [f64::from(x) + 0.5, 0.5, 0.5, 1.0])[n]).collect();
                let want = want.iter().map(|v| Want::near(*v, 2e-5, 2e-5)).collect::<Vec<_>>();
                check(&format!("{shader}, {}: {n}", run.name), &target.words(0).unwrap(), &want);
            }
        });
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The six results for constants by rows: a, b, n, m4 by columns, m34 by rows, m3 and m2 by columns.
fn geometry(rows: &[[f64; 4]], p: [f64; 4]) -> [[f64; 4]; 6] {
    let (a, b, n) = (rows[0], rows[1], rows[2]);
    let length = |v: [f64; 4]| dot(&v, &v).sqrt();
    let difference = [0, 1, 2, 3].map(|c| a[c] - b[c]);
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let d = dot(&n[..3], &a[..3]);
    let k = 1.0 - 0.49 * (1.0 - d * d);
    let facing = if dot(&a[..3], &b[..3]) < 0.0 { 1.0 } else { -1.0 };
    let third = [0, 1, 2].map(|c| {
        let refracted = if k < 0.0 { 0.0 } else { 0.7 * a[c] - (0.7 * d + k.sqrt()) * n[c] };
        a[c] - 2.0 * d * n[c] + refracted + n[c] * facing
    });
    let lit = [1.0, a[0].max(0.0), if a[0] < 0.0 || a[1] < 0.0 { 0.0 } else { a[1].powf(a[2]) }, 1.0];
    let dst = [1.0, a[1] * b[1], a[2], b[3]];
    let fourth = [0, 1, 2, 3].map(|c| lit[c] + dst[c] + n[c] / length(n));
    let m4 = |r: usize, c: usize| rows[3 + c][r];
    let m3 = |r: usize, c: usize| rows[10 + c][r];
    let m2 = |r: usize, c: usize| rows[13 + c][r];
    let det3 = |m: &dyn Fn(usize, usize) -> f64| {
        (0..3)
            .map(|c| m(0, c) * (m(1, (c + 1) % 3) * m(2, (c + 2) % 3) - m(1, (c + 2) % 3) * m(2, (c + 1) % 3)))
            .sum::<f64>()
    };
    let minor = |skip: usize| det3(&|r, c| m4(r + 1, if c < skip { c } else { c + 1 }));
    let det4 = (0..4).map(|c| if c % 2 == 0 { m4(0, c) * minor(c) } else { -m4(0, c) * minor(c) }).sum::<f64>();
    let det2 = m2(0, 0) * m2(1, 1) - m2(0, 1) * m2(1, 0);
    let determinants = [det4, det3(&m3), det2, 0.0];
    let fifth = [0, 1, 2, 3].map(|i| {
        let products = (0..4).map(|c| m4(i, c) * a[c] + b[c] * m4(c, i)).sum::<f64>();
        determinants[i] + products
    });
    let square = |r: usize, c: usize| m2(r, 0) * m2(0, c) + m2(r, 1) * m2(1, c);
    let sixth = [0, 1, 2].map(|i| {
        let turned = (0..3).map(|c| m3(c, i) * a[c]).sum::<f64>();
        dot(&rows[7 + i], &p) + turned + if i < 2 { square(i, 0) * b[0] + square(i, 1) * b[1] } else { 0.0 }
    });
    [
        [dot(&a[..2], &b[..2]), dot(&a[..3], &b[..3]), dot(&a, &b), length(a)],
        [cross[0], cross[1], cross[2], length(difference)],
        [third[0], third[1], third[2], 0.0],
        fourth,
        fifth,
        [sixth[0], sixth[1], sixth[2], 2.0],
    ]
}

#[test]
fn a_target_of_one_pixel_is_drawn() {
    each(|run| {
        let target = run.target(2, 1, 1);
        run.pixel("empty_stages.ps_4_0", &Registers::new(), &Inputs::none(), onto(&target));
        assert_eq!(target.words(0).unwrap(), [0; 4]);
    });
}
