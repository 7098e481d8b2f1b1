//! Accesses out of range: loads give 0, stores and atomics do nothing, a record is whole or not at all.
//!
//! Each runs by the device's robustness and by the shader's own guards; with lengths in push constants the descriptors
//! reach past the buffers, so that only the guards keep an access inside.

use crate::run::each;
use crate::want::{Want, check};
use rx_tests::vulkan::{Bound, Registers, Shape, Texture, TextureOptions, t, u};

fn words(want: &[u32]) -> Vec<Want> {
    want.iter().map(|w| Want::Bits(*w)).collect()
}

/// The structured feature's row: color, three times (a, b), a matrix of twelve, flags.
const ROW: usize = 26;

#[test]
fn records_are_whole_or_not_at_all() {
    each(|run| {
        // Five records and a half to read, six and a half to write, eight threads.
        let content: Vec<u32> = (0..ROW * 11 / 2).map(|n| (n as f32 * 0.25).to_bits()).collect();
        let scalars: Vec<f32> = (0..8).map(|n| n as f32 * 10.0).collect();
        let (rows, factors) = (run.words(&content), run.floats(&scalars));
        let output = run.filled(ROW * 13 / 2, 0x1111_1111);
        let registers = Registers::new().buffer(t(0), &rows).buffer(t(1), &factors).buffer(u(0), &output);
        run.compute("buffer_structured.cs_5_0", &registers, [1, 1, 1]);
        let got = output.words();
        let name = |id: usize| format!("{}: record {id}", run.name);
        for id in 0..6 {
            let row = &got[id * ROW..][..ROW];
            assert_eq!(row[25], 5 * 1000 + 104, "{}", name(id));
            let inside = |n: usize| if id < 5 { content[id * ROW + n] } else { 0 };
            assert_eq!([row[0], row[2]], [inside(0), inside(2)], "{}", name(id));
            let at = 4 + 3;
            let sum = f32::from_bits(if id < 5 { content[id * ROW + 4 + id % 3 * 3] } else { 0 }) + scalars[id];
            assert_eq!(row[at], sum.to_bits(), "{}", name(id));
        }
        // The half that is no record stays as it was, and so does what follows.
        assert!(got[6 * ROW..].iter().all(|w| *w == 0x1111_1111), "{}", name(6));
        assert!(output.margin_intact(), "{}: past the end", run.name);
    });
}

#[test]
fn atomics_on_raw_and_structured_memory() {
    each(|run| {
        let value = |n: u32| n * 77 + 5;
        // Ten words of seventeen, and one record of four.
        let raw = run.words(&[0, 0xffff_ffff, 0, 0, 1000, 0, 7, 0, 0, 10]);
        let rows = run.words(&[0x2222_2222, 0, 0, 0x3333_3333]);
        let output = run.filled(64 * 16, 0x4444_4444);
        let registers = Registers::new().buffer(u(0), &raw).buffer(u(1), &rows).buffer(u(2), &output);
        run.compute("atomics_buffer.cs_5_0", &registers, [1, 1, 1]);
        let sum: u32 = (0..64).map(value).sum();
        assert_eq!(raw.words()[9], 10 + sum, "{}: the last word", run.name);
        assert!(raw.margin_intact() && rows.margin_intact(), "{}: past the end", run.name);
        assert_eq!(rows.words()[3], 0x3333_3333, "{}: half a record", run.name);
        let got = output.words();
        for n in 0..64 {
            let thread = &got[n * 16..][..16];
            assert!(thread[1..8].iter().all(|w| *w == 0), "{}: thread {n}: {thread:x?}", run.name);
            // Records 1 to 3 are not there; the fourth word adds what the raw memory gave.
            assert!(n % 4 == 0 || thread[8..11] == [0, 0, 0], "{}: thread {n}: {thread:x?}", run.name);
        }
    });
}

#[test]
fn raw_memory_of_no_length() {
    each(|run| {
        let (input, output) = (run.words(&[]), run.filled(160, 0x1111_1111));
        run.compute("buffer_raw.cs_5_0", &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
        let want: Vec<u32> = (0..160).map(|n| if n % 10 == 1 { 640 } else { 0 }).collect();
        check(&format!("an empty buffer, {}", run.name), &output.words(), &words(&want));
    });
}

#[test]
fn registers_with_nothing_bound() {
    each(|run| {
        let output = run.filled(160, 0x1111_1111);
        run.compute("buffer_raw.cs_5_0", &Registers::new().buffer(u(0), &output), [1, 1, 1]);
        let want: Vec<u32> = (0..160).map(|n| if n % 10 == 1 { 640 } else { 0 }).collect();
        check(&format!("no buffer, {}", run.name), &output.words(), &words(&want));
        // Nothing at all to write to, nor to count with.
        run.compute("buffer_append.cs_5_0", &Registers::new(), [1, 1, 1]);
        run.compute("uav_typed.cs_5_0", &Registers::new(), [1, 1, 1]);
        run.compute("atomics_texture.cs_5_0", &Registers::new(), [1, 1, 1]);
    });
}

#[test]
fn typed_views_that_are_smaller() {
    each(|run| {
        let image = |dxgi: u32, size: [u32; 3], layers: u32, shape| {
            let options = TextureOptions { size, layers, shape, ..TextureOptions::d2(dxgi, 1, 1).unwrap() };
            Texture::new(run.session.device, options).unwrap()
        };
        // Threads go to 3 in every direction; each view ends before.
        let (bf, bu) = (run.filled(8, 0), run.words(&[7, 8]));
        let t1 = image(43, [2, 1, 1], 1, Shape::D1);
        let t1a = image(16, [4, 1, 1], 2, Shape::D1);
        let t2 = image(41, [2, 3, 1], 1, Shape::D2);
        let t2a = image(28, [3, 2, 1], 2, Shape::D2);
        let t3 = image(31, [2, 2, 2], 1, Shape::D3);
        let t2u = image(3, [2, 2, 1], 1, Shape::D2);
        let registers = Registers::new().with(u(0), Bound::Typed(&bf, 2)).with(u(1), Bound::Typed(&bu, 42));
        let registers = registers.texture(u(2), &t1).texture(u(3), &t1a).texture(u(4), &t2).texture(u(5), &t2a);
        run.compute("uav_typed.cs_5_0", &registers.texture(u(6), &t3).texture(u(7), &t2u), [1, 1, 1]);
        assert!(bf.margin_intact() && bu.margin_intact(), "{}: past the end", run.name);
        let got = bf.words();
        assert_eq!([got[0], got[4]], [0, 1.0f32.to_bits()], "{}: the elements that are there", run.name);
        // bu[y] = bu[x] + 1: of an element that is not there, 1; else one more than what one of two held.
        assert!(bu.words().iter().all(|w| (1..=12).contains(w)), "{}: {:?}", run.name, bu.words());
        let texel = |x: u32, y: u32, layer: u32| {
            let byte = |e: u32| (e as f32 / 8.0 * 255.0 + 0.5) as u32;
            byte(x) | byte(y) << 8 | byte(layer) << 16 | 0xff00_0000
        };
        for layer in 0..2 {
            let want: Vec<u32> = (0..6).map(|n| texel(n % 3, n / 3, layer)).collect();
            check(&format!("an array, {}", run.name), &t2a.words(layer).unwrap(), &words(&want));
        }
    });
}

#[test]
fn atomics_on_smaller_textures() {
    each(|run| {
        let image = |dxgi: u32, size: [u32; 3], layers: u32, shape| {
            let options = TextureOptions { size, layers, shape, ..TextureOptions::d2(dxgi, 1, 1).unwrap() };
            Texture::new(run.session.device, options).unwrap()
        };
        let buffer = run.filled(2, 0);
        let (t1, t2) = (image(43, [2, 1, 1], 1, Shape::D1), image(42, [2, 2, 1], 1, Shape::D2));
        let (t2a, t3) = (image(43, [2, 2, 1], 2, Shape::D2), image(42, [2, 2, 2], 1, Shape::D3));
        t3.clear([1, 0, 0, 0]).unwrap();
        let registers = Registers::new().with(u(1), Bound::Typed(&buffer, 42)).texture(u(2), &t1).texture(u(3), &t2);
        run.compute("atomics_texture.cs_5_0", &registers.texture(u(4), &t2a).texture(u(5), &t3), [1, 1, 1]);
        assert!(buffer.margin_intact(), "{}: past the end", run.name);
        for layer in 0..2 {
            assert_eq!(t2a.words(layer).unwrap(), [7; 4], "{}: layer {layer}", run.name);
        }
        let cube = rx_tests::shared::words(&t3.read(0, 0, [0, 0, 2, 2]).unwrap());
        assert_eq!(cube, [2; 8], "{}: 3D", run.name);
    });
}
