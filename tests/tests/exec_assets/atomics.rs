//! Atomics on buffers, textures and group memory. What depends on the order of threads is checked for what holds in
//! every order.

use crate::run::each;
use rx_tests::vulkan::{Bound, Registers, Shape, Texture, TextureOptions, u};
use std::collections::BTreeSet;

/// What thread `n` of the buffer test brings.
fn value(n: u32) -> u32 {
    n * 77 + 5
}

#[test]
fn buffers() {
    each(|run| {
        let raw =
            run.words(&[1, 0xffff_ffff, 0, 3, 1000, 6, 7, 0x8000_0000, 159, 10, 0xffff_ffff, 0, 0, 9000, 0, 42, 236]);
        let rows = run.filled(4 * 3, 0);
        let output = run.filled(64 * 16, 0);
        let registers = Registers::new().buffer(u(0), &raw).buffer(u(1), &rows).buffer(u(2), &output);
        run.compute("atomics_buffer.cs_5_0", &registers, [1, 1, 1]);
        let values: Vec<u32> = (0..64).map(value).collect();
        let sum: u32 = values.iter().sum();
        let and = values.iter().fold(0xffff_ffff, |a, v| a & v);
        let or = values.iter().fold(0, |a, v| a | v);
        let xor = values.iter().fold(0, |a, v| a ^ v);
        let got = raw.words();
        let name = run.name;
        assert_eq!(got[..8], [1 + sum, and, or, 3 ^ xor, 5, value(63), 5, value(63)], "{name}: without old values");
        // 159 = 2 * 77 + 5 is thread 2's, and 236 thread 3's.
        assert_eq!(got[8], 9, "{name}: compare and store");
        assert_eq!(got[9..15], [10 + sum, and, or, xor, 5, value(63)], "{name}: with old values");
        assert!(values.contains(&got[15]), "{name}: exchange");
        assert_eq!(got[16], 11, "{name}: compare and exchange");
        let out = output.words();
        let column = |c: usize| (0..64).map(|n| out[n * 16 + c]).collect::<Vec<u32>>();
        let distinct: BTreeSet<u32> = column(0).into_iter().collect();
        assert_eq!(distinct.len(), 64, "{name}: every sum on the way is seen once");
        // Exchange: what was there and all but the last of what was brought.
        let mut seen = column(6);
        seen.push(got[15]);
        seen.sort_unstable();
        let mut all = values.clone();
        all.push(42);
        all.sort_unstable();
        assert_eq!(seen, all, "{name}: exchanged values");
        let old = column(7);
        assert_eq!(old.iter().filter(|o| **o == 236).count() + old.iter().filter(|o| **o == 11).count(), 64, "{name}");
        structured(name, &rows.words());
    });
}

/// Rows of pad, u and i after 16 threads each: the pad is one's value, i the least or greatest last.
fn structured(name: &str, rows: &[u32]) {
    for (k, row) in rows.chunks_exact(3).enumerate() {
        let own: Vec<u32> = (0..16).map(|n| value(n * 4 + k as u32)).collect();
        assert!(own.contains(&row[0]), "{name}: row {k}, exchange");
        // Mins and maxes alternate: what is left is of the last thread, or the greatest before its min.
        let i = row[2] as i32;
        assert!(own.iter().any(|v| i == *v as i32), "{name}: row {k}, i is {i}");
    }
}

#[test]
fn group_memory() {
    for shader in ["atomics_groupshared.cs_5_0", "atomics_groupshared.cs_5_0.od"] {
        each(|run| {
            let output = run.filled(128 * 4, 0);
            run.compute(shader, &Registers::new().buffer(u(0), &output), [1, 1, 1]);
            let total: u32 = (0..128).sum::<u32>() + 256;
            let out = output.words();
            // a + counter: each a differs, lies below the total and is even or odd as the lanes before it.
            let firsts: Vec<u32> = out.chunks_exact(4).map(|w| w[0].wrapping_sub(total)).collect();
            assert!(firsts.iter().all(|a| *a < total), "{shader}, {}: sums on the way", run.name);
            let distinct: BTreeSet<_> = firsts.iter().collect();
            assert!(distinct.len() == 128, "{shader}, {}: each sum once", run.name);
            // The second word is the old value of a cell, a lane or flags, less 127.
            for word in out.chunks_exact(4).map(|w| w[1].wrapping_add(127)) {
                assert!(word < 256, "{shader}, {}: b is {word}", run.name);
            }
        });
    }
}

#[test]
fn textures() {
    each(|run| {
        let image = |dxgi: u32, size: [u32; 3], layers: u32, shape| {
            let options = TextureOptions { size, layers, shape, ..TextureOptions::d2(dxgi, 1, 1).unwrap() };
            Texture::new(run.session.device, options).unwrap()
        };
        let buffer = run.filled(16, 0);
        let t1 = image(43, [4, 1, 1], 1, Shape::D1);
        let t2 = image(42, [4, 4, 1], 1, Shape::D2);
        let t2a = image(43, [4, 4, 1], 4, Shape::D2);
        let t3 = image(42, [4, 4, 4], 1, Shape::D3);
        t3.clear([1, 0, 0, 0]).unwrap();
        let registers = Registers::new().with(u(1), Bound::Typed(&buffer, 42)).texture(u(2), &t1).texture(u(3), &t2);
        run.compute("atomics_texture.cs_5_0", &registers.texture(u(4), &t2a).texture(u(5), &t3), [1, 1, 1]);
        let name = run.name;
        // Each texel ends with a min of -5 or a max of 5.
        assert!(t1.words(0).unwrap().iter().all(|w| matches!(*w as i32, -5 | 5)), "{name}: 1D");
        for layer in 0..4 {
            assert!(t2a.words(layer).unwrap().iter().all(|w| *w == 7), "{name}: 2D array");
        }
        let cube = rx_tests::shared::words(&t3.read(0, 0, [0, 0, 4, 4]).unwrap());
        assert!(cube.iter().all(|w| *w == 2), "{name}: 3D, the 1 is exchanged once and no 3 comes");
        // Four layers each: an even number of exclusive ors, and what an and in between leaves of it.
        assert!(t2.words(0).unwrap().iter().all(|w| matches!(*w, 0 | 0xff | 0xf0 | 0x0f)), "{name}: 2D");
    });
}
