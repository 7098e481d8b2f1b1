//! Raw, structured and typed buffers, group memory, barriers, append and consume.

use crate::run::each;
use crate::want::{Want, check};
use rx_tests::vulkan::{Registers, Texture, TextureOptions, b, t, u};

fn words(want: &[u32]) -> Vec<Want> {
    want.iter().map(|w| Want::Bits(*w)).collect()
}

#[test]
fn raw() {
    for (shader, sizes) in [("buffer_raw.cs_5_0", true), ("buffer_raw.cs_4_1", false)] {
        each(|run| {
            // Shorter than what the last threads read: beyond it are zeros. The output ends inside the last thread's.
            let content: Vec<u32> = (0..17u32).map(|n| n * 0x0101_0101 + 9).collect();
            let (input, output) = (run.words(&content), run.filled(158, 0));
            run.compute(shader, &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
            let word = |n: usize| content.get(n).copied().unwrap_or(0);
            let (size, own) = if sizes { (17 * 4, 158 * 4) } else { (0, 0) };
            let mut want = Vec::new();
            for id in 0..16 {
                let first = word(id) + size;
                want.extend([first, if sizes { first ^ own } else { word(id + 1) }, word(id + 2)]);
                want.extend([2, 3, 4, 3, 4, 5, 6].map(|n| word(id + n)));
            }
            want.truncate(158);
            check(&format!("{shader}, {}", run.name), &output.words(), &words(&want));
            assert!(output.margin_intact(), "{shader}, {}: a store went past the buffer", run.name);
        });
    }
}

/// A row of the structured test: color, three times (a, b), a 3x4 matrix by columns, flags.
const ROW: usize = 4 + 9 + 12 + 1;

#[test]
fn structured() {
    for (shader, sizes) in [("buffer_structured.cs_5_0", true), ("buffer_structured.cs_4_0", false)] {
        each(|run| {
            let rows: Vec<u32> = (0..8 * ROW as u32)
                .map(|n| if integer(n as usize % ROW) { n } else { (n as f32 * 0.25 - 3.0).to_bits() })
                .collect();
            let scalars: Vec<f32> = (0..8).map(|n| n as f32 * 10.0).collect();
            let (a, c, output) = (run.words(&rows), run.floats(&scalars), run.filled(8 * ROW, 0));
            let registers = Registers::new().buffer(t(0), &a).buffer(t(1), &c).buffer(u(0), &output);
            run.compute(shader, &registers, [1, 1, 1]);
            let mut want: Vec<Want> = Vec::new();
            for id in 0..8 {
                want.extend(row(&rows[id * ROW..][..ROW], id, scalars[id], if sizes { 8 * 1000 + 104 } else { 0 }));
            }
            check(&format!("{shader}, {}", run.name), &output.words(), &want);
            assert!(output.margin_intact(), "{shader}, {}: a store went past the buffer", run.name);
        });
    }
}

/// Whether a word of a row is an integer: the b of each inner part, and the flags.
fn integer(n: usize) -> bool {
    n == 25 || (4..13).contains(&n) && (n - 4) % 3 == 2
}

fn row(row: &[u32], id: usize, scalar: f32, flags: u32) -> Vec<Want> {
    let f = |n: usize| f32::from_bits(row[n]);
    let mut want: Vec<Want> = row.iter().map(|w| Want::Bits(*w)).collect();
    (want[1], want[3]) = (want[3], want[1]);
    for c in 0..2 {
        want[4 + 3 + c] = Want::float(f(4 + id % 3 * 3 + c) + scalar);
    }
    // Column c of the matrix stands at 13 + 3 c; the row vector (1, 2, 3) times it replaces its third component.
    for c in 0..4 {
        let column = 13 + 3 * c;
        let sum = f64::from(f(column)) + 2.0 * f64::from(f(column + 1)) + 3.0 * f64::from(f(column + 2));
        want[column + 2] = Want::near(sum, 1e-5, 1e-6);
    }
    want[25] = Want::Bits(flags);
    // Another thread adds to this row's integer part after or before it is written.
    if id > 0 && flags > 0 {
        let n = 4 + (id - 1) % 3 * 3 + 2;
        want[n] = Want::Either(row[n], row[n] + 5);
    }
    want
}

#[test]
fn append_and_consume() {
    each(|run| {
        // 40 items, 32 are consumed from the end.
        let items: Vec<u32> = (0..40u32).flat_map(|n| [(n as f32).to_bits(), 0x4000_0000, 0xbf80_0000, n]).collect();
        let (source, kept) = (run.words(&items), run.filled(40 * 4, 0));
        let (ring, stack) = (run.filled(32, 0xffff_ffff), run.filled(32, 0xffff_ffff));
        let counters = [40, 3, 0, 32].map(|n| run.words(&[n]));
        let registers = Registers::new().buffer(u(0), &source).buffer(u(1), &kept).buffer(u(2), &ring);
        let registers = registers.buffer(u(3), &stack).counter(0, &counters[0]).counter(1, &counters[1]);
        let registers = registers.counter(2, &counters[2]).counter(3, &counters[3]);
        run.compute("buffer_append.cs_5_0", &registers, [1, 1, 1]);
        assert_eq!(counters.each_ref().map(|c| c.words()[0]), [8, 19, 32, 0], "{}: counters", run.name);
        let sorted = |mut words: Vec<u32>| {
            words.sort_unstable();
            words
        };
        assert_eq!(sorted(ring.words()), (8..40).collect::<Vec<_>>(), "{}: each item once", run.name);
        assert_eq!(sorted(stack.words()), (0..32).collect::<Vec<_>>(), "{}: each thread once", run.name);
        let kept = kept.words();
        assert!(kept[..12].iter().all(|w| *w == 0), "{}: the counter's start", run.name);
        let mut odd: Vec<[u32; 4]> = kept[12..76].chunks_exact(4).map(|w| [w[0], w[1], w[2], w[3]]).collect();
        odd.sort_unstable_by_key(|w| w[3]);
        for (n, item) in odd.iter().enumerate() {
            let b = 9 + 2 * n as u32;
            assert_eq!(*item, [(b as f32 * 2.0).to_bits(), 0x4080_0000, 0xc000_0000, b], "{}", run.name);
        }
    });
}

#[test]
fn group_memory() {
    each(|run| {
        let output = run.filled(256, 0);
        run.compute("groupshared_layouts.cs_5_0", &Registers::new().buffer(u(0), &output), [1, 1, 1]);
        let want: Vec<Want> = (0..64u32).flat_map(group_lane).collect();
        check(&format!("groupshared_layouts, {}", run.name), &output.words(), &want);
        let output = run.filled(256, 0);
        run.compute("groupshared_layouts.cs_4_0", &Registers::new().buffer(u(0), &output), [1, 1, 1]);
        check(&format!("groupshared_layouts, 4.0, {}", run.name), &output.words(), &[Want::float(63.0); 256]);
    });
}

fn group_lane(lane: u32) -> [Want; 4] {
    let (x, y) = (lane % 8, lane / 8);
    // tile[x][y] was written by the thread at (y, x); items by each lane, one of its two c by the parity of its x.
    let base = (63 - lane) as f32 + scalar(lane * 2);
    let tile = [y, x, 0, x * 8 + y].map(|n| n as f32 + base);
    let other = lane ^ 2;
    let a = [(other / 8) as f32, (other % 8) as f32];
    // What no thread wrote is not to be relied on.
    let neighbour = lane ^ 1;
    if neighbour % 8 & 1 != y & 1 {
        return [Want::Any, Want::Any, Want::float(tile[2]), Want::float(tile[3])];
    }
    let c = [neighbour as f32, 1.0];
    [tile[0] + c[0] + a[0], tile[1] + c[1] + a[1], tile[2], tile[3]].map(Want::float)
}

/// scalars[n]: the lane below 64, its x above.
fn scalar(n: u32) -> f32 {
    (if n < 64 { n } else { (n - 64) % 8 }) as f32
}

#[test]
fn barriers() {
    each(|run| {
        let buffer = run.filled(128, 0);
        let image = run.target(42, 64, 2);
        let registers = Registers::new().buffer(u(0), &buffer).texture(u(1), &image);
        run.compute("barriers.cs_5_0", &registers, [1, 1, 1]);
        // The first sums race: a lane's neighbour may have added already.
        let got = buffer.words();
        let rows = image.words(0).unwrap();
        for lane in 0..64u32 {
            let at = lane as usize;
            let sum = got[at];
            let own = 63 - lane;
            let pair = own + (own ^ 1);
            assert!(sum == pair || sum == pair + own, "{}: lane {lane} has {sum}", run.name);
            assert_eq!(rows[at], sum, "{}: lane {lane}, first row", run.name);
            assert_eq!(rows[64 + at], got[at ^ 5], "{}: lane {lane}, second row", run.name);
            assert_eq!(got[64 + at], got[(at ^ 7 ^ 3) ^ 5], "{}: lane {lane}, last", run.name);
        }
    });
}

#[test]
fn coherent_memory_keeps_its_order() {
    each(|run| {
        let (memory, plain) = (run.filled(64, 0), run.filled(128, 0));
        let registers = Registers::new().buffer(u(0), &memory).buffer(u(1), &plain);
        run.compute("global_memory_order.cs_5_0", &registers, [1, 1, 1]);
        let want: Vec<u32> = (0..64u32).flat_map(|lane| [(lane ^ 1) + lane + 1, lane + 1]).collect();
        check(&format!("global_memory_order, {}", run.name), &plain.words(), &words(&want));
    });
}

#[test]
fn typed_views() {
    each(|run| {
        let device = run.session.device;
        let image = |dxgi: u32, [width, height, depth]: [u32; 3], layers: u32, shape| {
            let options = TextureOptions {
                size: [width, height, depth],
                layers,
                shape,
                ..TextureOptions::d2(dxgi, 1, 1).unwrap()
            };
            Texture::new(device, options).unwrap()
        };
        use rx_tests::vulkan::{Bound, Shape};
        let (bf, bu) = (run.filled(16, 0), run.words(&[7, 7, 7, 7]));
        let t1 = image(43, [4, 1, 1], 1, Shape::D1);
        let t1a = image(16, [4, 1, 1], 4, Shape::D1);
        let t2 = image(41, [4, 4, 1], 1, Shape::D2);
        let t2a = image(28, [4, 4, 1], 4, Shape::D2);
        let t3 = image(31, [4, 4, 4], 1, Shape::D3);
        let t2u = image(3, [4, 4, 1], 1, Shape::D2);
        let registers = Registers::new().with(u(0), Bound::Typed(&bf, 2)).with(u(1), Bound::Typed(&bu, 42));
        let registers = registers.texture(u(2), &t1).texture(u(3), &t1a).texture(u(4), &t2).texture(u(5), &t2a);
        run.compute("uav_typed.cs_5_0", &registers.texture(u(6), &t3).texture(u(7), &t2u), [1, 1, 1]);
        let name = |what: &str| format!("uav_typed, {}: {what}", run.name);
        // Threads that write the same element write the same, or race: those are left out.
        let bf_got = bf.words();
        for x in 0..4usize {
            assert_eq!([bf_got[x * 4], bf_got[x * 4 + 3]], [(x as f32).to_bits(), 0x3f80_0000], "{}", name("bf"));
        }
        assert!(t2.words(0).unwrap().iter().all(|w| *w == 0), "{}", name("t2"));
        for layer in 0..4u32 {
            let texel = |n: u32| unorm([n % 4, n / 4, layer, 8]);
            check(&name("t2a"), &t2a.words(layer).unwrap(), &(0..16).map(|n| Want::Bits(texel(n))).collect::<Vec<_>>());
        }
        let texel = |n: u32| snorm([n % 4, n / 4 % 4, n / 16, 8]);
        let bytes = t3.read(0, 0, [0, 0, 4, 4]).unwrap();
        let got = rx_tests::shared::words(&bytes);
        check(&name("t3"), &got, &(0..64).map(|n| Want::Bits(texel(n))).collect::<Vec<_>>());
        let row: Vec<Want> = t2u
            .words(0)
            .unwrap()
            .chunks_exact(4)
            .enumerate()
            .flat_map(|(n, got)| {
                // y races; x and z are the texel's own place.
                let (x, z) = (n as u32 % 4, n as u32 / 4);
                [x, got[1].min(3), z, x].map(Want::Bits)
            })
            .collect();
        check(&name("t2u"), &t2u.words(0).unwrap(), &row);
        for layer in 0..4u32 {
            let texels = t1a.words(layer).unwrap();
            assert!(texels.chunks_exact(2).all(|w| f32::from_bits(w[0]) == layer as f32), "{}", name("t1a"));
        }
    });
}

/// Eighths as RGBA8 UNORM, rounded to nearest.
fn unorm(eighths: [u32; 4]) -> u32 {
    eighths.iter().enumerate().fold(0, |all, (n, e)| all | ((*e as f32 / 8.0 * 255.0 + 0.5) as u32) << (8 * n))
}

/// Minus eighths as RGBA8 SNORM.
fn snorm(eighths: [u32; 4]) -> u32 {
    let byte = |e: u32| (-(e as f32 / 8.0 * 127.0 + 0.5).trunc()) as i32 as u8;
    u32::from_le_bytes(eighths.map(byte))
}

#[test]
fn sizes_of_views() {
    each(|run| {
        use rx_tests::vulkan::{Bound, Shape};
        let image = |dxgi: u32, size: [u32; 3], layers: u32, shape| {
            let options = TextureOptions { size, layers, shape, ..TextureOptions::d2(dxgi, 1, 1).unwrap() };
            Texture::new(run.session.device, options).unwrap()
        };
        let typed = run.filled(20, 0);
        let rows = run.filled(7 * 3 + 2, 0);
        let output = run.filled(16, 0xffff_ffff);
        let t1 = image(41, [9, 1, 1], 1, Shape::D1);
        let t1a = image(41, [5, 1, 1], 3, Shape::D1);
        let t2 = image(41, [6, 4, 1], 1, Shape::D2);
        let t2a = image(41, [3, 2, 1], 8, Shape::D2);
        let t3 = image(41, [4, 5, 6], 1, Shape::D3);
        let registers = Registers::new().with(u(0), Bound::Typed(&typed, 2)).texture(u(1), &t1).texture(u(2), &t1a);
        let registers = registers.texture(u(3), &t2).texture(u(4), &t2a).texture(u(5), &t3);
        run.compute("uav_queries.cs_5_0", &registers.buffer(u(6), &rows).buffer(u(7), &output), [1, 1, 1]);
        let want = [5, 9, 5, 3, 6, 4, 3, 2, 8, 4, 5, 6, 7, 12, 64, 0xffff_ffff];
        check(&format!("uav_queries, {}", run.name), &output.words(), &words(&want));
    });
}

#[test]
fn sixteen_views() {
    each(|run| {
        let images: Vec<Texture> = (0..12).map(|_| run.target(2, 8, 8)).collect();
        let tails: Vec<_> = (0..4).map(|_| run.filled(8, 9)).collect();
        let mut registers = Registers::new();
        for (n, image) in images.iter().enumerate() {
            registers = registers.texture(u(n as u32), image);
        }
        for (n, tail) in tails.iter().enumerate() {
            registers = registers.buffer(u(12 + n as u32), tail);
        }
        run.compute("uav_many.cs_5_0", &registers, [1, 1, 1]);
        for (n, image) in images.iter().enumerate() {
            check("uav_many", &image.words(0).unwrap(), &[Want::float(n as f32); 256]);
        }
        for (n, tail) in tails.iter().enumerate() {
            check("uav_many", &tail.words(), &[Want::Bits(n as u32); 8]);
        }
    });
}

#[test]
fn immediate_tables_and_constants_out_of_range() {
    for shader in ["constant_table.ps_4_0", "constant_table.ps_5_0"] {
        each(|run| {
            let weights = [0.05f32, 0.09, 0.12, 0.15, 0.18, 0.15, 0.12, 0.09, 0.05];
            let colors =
                [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [-1.0, 1e-20f32, 3e38, 0.1]];
            let steps = [[-1.0f32, 7.0], [2_147_483_647.0, -2_147_483_647.0], [3.0, 0.0]];
            for [i, j, k] in [[0u32, 0, 0], [4, 3, 2], [8, 1, 4], [2, 2, 1]] {
                let constants = run.words(&[i, j, k, 0]);
                let registers = Registers::new().buffer(b(0), &constants);
                let got = run.pixels(shader, &registers, &crate::run::Inputs::none(), [4, 1]);
                let mut want = Vec::new();
                for x in 0..4usize {
                    let mut r = colors[j as usize & 3].map(|c| f64::from(weights[i as usize]) * f64::from(c));
                    r[0] += f64::from(steps[k as usize % 3][0]);
                    r[1] += f64::from(steps[k as usize % 3][1]);
                    want.extend(r.map(|c| Want::near(c * f64::from(weights[x]), 1e-7, 1e-6)));
                }
                check(&format!("{shader}, {}, {i} {j} {k}", run.name), &got, &want);
            }
        });
    }
}
