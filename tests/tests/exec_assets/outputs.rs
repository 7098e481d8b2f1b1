//! What pixel shaders write: targets of every type, depth, stencil, coverage, nothing; discards; derivatives.

use crate::run::{Inputs, Run, each, onto};
use crate::want::{Want, check};
use rx_tests::vulkan::{Depth, Draw, Registers, SamplerState, Target, Texture, TextureOptions, b, s, t, u};

/// `DXGI_FORMAT_D32_FLOAT` and `DXGI_FORMAT_D32_FLOAT_S8X24_UINT`.
const DEPTH: u32 = 40;
const DEPTH_STENCIL: u32 = 20;
/// `D3D12_COMPARISON_FUNC_ALWAYS`.
const ALWAYS: u32 = 8;

/// `SV_Position` of a pixel.
fn position(n: usize, width: usize, z: f32) -> [f32; 4] {
    [(n % width) as f32 + 0.5, (n / width) as f32 + 0.5, z, 1.0]
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<Want> {
    values.into_iter().map(|v| Want::near(f64::from(v), 1e-6, 1e-6)).collect()
}

/// Draws on an 8x2 target with depth and gives the words of both.
fn with_depth(run: &Run<'_>, shader: &str, inputs: &Inputs) -> [Vec<u32>; 2] {
    let (target, depth) = (run.target(2, 8, 2), run.target(DEPTH, 8, 2));
    let on = Draw { depth: Some(Depth { texture: &depth, function: ALWAYS }), ..onto(&target) };
    run.pixel(shader, &Registers::new(), inputs, on);
    [target.words(0).unwrap(), depth.words(0).unwrap()]
}

#[test]
fn depth() {
    for shader in ["ps_depth_output.ps_4_0", "ps_depth_output.ps_5_0"] {
        each(|run| {
            let [color, depth] = with_depth(run, shader, &Inputs::none().at_depth(0.25));
            let value = |n: usize| if n % 8 < 3 { 0.0 } else { 0.375 };
            check(&format!("{shader}, {}: color", run.name), &color, &floats((0..64).map(|n| value(n / 4))));
            check(&format!("{shader}, {}: depth", run.name), &depth, &floats((0..16).map(value)));
        });
    }
}

#[test]
fn conservative_depth() {
    for (shader, to) in [("ps_depth_conservative.ps_5_0", 0.625), ("ps_depth_conservative.ps_5_0.less", 0.25)] {
        each(|run| {
            let [color, depth] = with_depth(run, shader, &Inputs::none().at_depth(0.5));
            let want = floats((0..64).map(|n| position(n / 4, 8, 0.5)[n % 4]));
            check(&format!("{shader}, {}: color", run.name), &color, &want);
            check(&format!("{shader}, {}: depth", run.name), &depth, &floats([to; 16]));
        });
    }
}

#[test]
fn early_depth_is_written_for_what_is_discarded() {
    each(|run| {
        let [color, depth] = with_depth(run, "ps_early_depth.ps_5_0", &Inputs::none().at_depth(0.25));
        let want = floats((0..64).map(|n| if n / 4 % 8 < 2 { 0.0 } else { position(n / 4, 8, 0.25)[n % 4] }));
        check(&format!("ps_early_depth, {}: color", run.name), &color, &want);
        check(&format!("ps_early_depth, {}: depth", run.name), &depth, &floats([0.25; 16]));
    });
}

#[test]
fn a_shader_that_only_discards() {
    for shader in ["ps_no_output.ps_4_0", "ps_no_output.ps_5_0"] {
        each(|run| {
            let [color, depth] = with_depth(run, shader, &Inputs::none().at_depth(0.5));
            check(&format!("{shader}, {}: color", run.name), &color, &floats([0.0; 64]));
            let want = floats((0..16).map(|n| if (n % 8 + n / 8) & 1 == 1 { 0.0 } else { 0.5 }));
            check(&format!("{shader}, {}: depth", run.name), &depth, &want);
        });
    }
}

#[test]
fn stencil() {
    each(|run| {
        if !run.needs(run.session.device.enabled.features.stencil_export, "stencil export") {
            return;
        }
        let (target, depth) = (run.target(2, 8, 1), run.target(DEPTH_STENCIL, 8, 1));
        let on = Draw { depth: Some(Depth { texture: &depth, function: ALWAYS }), ..onto(&target) };
        run.pixel("ps_stencil_output.ps_5_0", &Registers::new(), &Inputs::none().at_depth(0.75), on);
        assert_eq!(depth.stencil(0).unwrap(), (0..8).collect::<Vec<u8>>(), "{}", run.name);
        check("ps_stencil_output: depth", &depth.words(0).unwrap(), &floats([0.75; 8]));
    });
}

#[test]
fn eight_targets_of_different_types() {
    each(|run| {
        let formats = [2, 41, 3, 18, 2, 42, 16, 4];
        let targets = formats.map(|dxgi| run.target(dxgi, 4, 2));
        let on = Draw { targets: slots(&targets, 0), ..Draw::new(Vec::new()) };
        run.pixel("ps_targets.ps_4_0", &Registers::new(), &Inputs::none().at_depth(0.5), on);
        let words = |n: usize| targets[n].words(0).unwrap();
        let pixels = |of: &dyn Fn([f32; 4]) -> Vec<Want>| -> Vec<Want> {
            (0..8).flat_map(|n| of(position(n, 4, 0.5))).collect()
        };
        let bits = |value: i32| Want::Bits(value as u32);
        let name = |n: usize| format!("ps_targets, {}: {n}", run.name);
        check(&name(0), &words(0), &pixels(&|p| floats(p)));
        check(&name(1), &words(1), &pixels(&|p| floats([p[0]])));
        check(&name(2), &words(2), &pixels(&|p| p.map(|c| bits(c as i32)).to_vec()));
        check(&name(3), &words(3), &pixels(&|p| vec![bits(-(p[0] as i32)), bits(-(p[1] as i32))]));
        check(&name(4), &words(4), &pixels(&|p| [floats([p[2], p[1], p[0]]), vec![Want::Any]].concat()));
        check(&name(5), &words(5), &pixels(&|_| vec![Want::Bits(7)]));
        check(&name(6), &words(6), &pixels(&|p| floats([p[3], p[2]])));
        check(&name(7), &words(7), &pixels(&|p| p.map(|c| bits(-c as i32)).to_vec()));
    });
}

fn slots(targets: &[Texture], first: u32) -> Vec<Target<'_>> {
    targets.iter().enumerate().map(|(n, texture)| Target { slot: first + n as u32, texture }).collect()
}

#[test]
fn gaps_between_targets() {
    each(|run| {
        let (a, b, unwritten) = (run.target(2, 4, 2), run.target(17, 4, 2), run.target(2, 4, 2));
        let on = Draw {
            targets: vec![
                Target { slot: 1, texture: &a },
                Target { slot: 6, texture: &b },
                Target { slot: 3, texture: &unwritten },
            ],
            ..Draw::new(Vec::new())
        };
        run.pixel("ps_targets.ps_5_0", &Registers::new(), &Inputs::none().at_depth(0.5), on);
        let want = floats((0..32).map(|n| position(n / 4, 4, 0.5)[n % 4]));
        check(&format!("gaps, {}: 1", run.name), &a.words(0).unwrap(), &want);
        let want: Vec<Want> = (0..16).map(|n| Want::Bits(position(n / 2, 4, 0.5)[n % 2] as u32)).collect();
        check(&format!("gaps, {}: 6", run.name), &b.words(0).unwrap(), &want);
        check(&format!("gaps, {}: 3", run.name), &unwritten.words(0).unwrap(), &[Want::Bits(0); 32]);
    });
}

#[test]
fn derivatives() {
    for (shader, forms) in [("ps_derivatives.ps_4_0", false), ("ps_derivatives.ps_5_0", true)] {
        each(|run| {
            let (right, down) = ([8.0f32, -4.0, 0.0, 16.0], [4.0f32, 2.0, -8.0, 0.0]);
            let inputs = Inputs::none().plane("TEXCOORD0", [1.0, 2.0, 3.0, 4.0], right, down);
            let got = run.pixels(shader, &Registers::new(), &inputs, [4, 4]);
            let (dx, dy) = (right.map(|v| v / 4.0), down.map(|v| v / 4.0));
            let width = dx[0].abs() + dy[0].abs();
            let (fx, fy) = if forms { (8.0, 11.0) } else { (1.0, 1.0) };
            let want = floats((0..64).map(|n| dx[n % 4] * fx + dy[n % 4] * fy + width));
            check(&format!("{shader}, {}", run.name), &got, &want);
        });
    }
}

#[test]
fn coverage() {
    for (shader, reads) in [("ps_coverage_output.ps_5_0", true), ("ps_coverage_output.ps_4_1", false)] {
        each(|run| {
            for mask in [0xffff_ffff, 1, 2, 6] {
                let options = TextureOptions { samples: 4, ..TextureOptions::d2(2, 16, 1).unwrap() };
                let target = Texture::new(run.session.device, options).unwrap();
                let on = Draw { sample_mask: mask, ..onto(&target) };
                run.pixel(shader, &Registers::new(), &Inputs::none().at_depth(0.5), on);
                let share = |x: usize| {
                    let written = if reads { 0x5555_5555u32 << (x & 1) } else { x as u32 & 15 };
                    (written & mask & 15).count_ones() as f32 / 4.0
                };
                let want = floats((0..64).map(|n| position(n / 4, 16, 0.5)[n % 4] * share(n / 4)));
                check(&format!("{shader}, {}, mask {mask:x}", run.name), &target.words(0).unwrap(), &want);
            }
        });
    }
}

#[test]
fn attributes_at_chosen_places() {
    each(|run| {
        let multisampled = || {
            let options = TextureOptions { samples: 4, ..TextureOptions::d2(2, 4, 4).unwrap() };
            Texture::new(run.session.device, options).unwrap()
        };
        let (target, ms) = (multisampled(), multisampled());
        // a is x, y, x + y and 1; b is x and y, in pixels.
        let inputs = Inputs::none()
            .plane("A0", [0.0, 0.0, 0.0, 1.0], [4.0, 0.0, 4.0, 0.0], [0.0, 4.0, 4.0, 0.0])
            .plane("B0", [0.0; 4], [4.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0]);
        run.pixel("ps_evaluate_attribute.ps_5_0", &Registers::new().texture(t(0), &ms), &inputs, onto(&target));
        // Over the four samples their places come to the pixel's centre, and the sample's number to 1.5.
        let want = (0..64).map(|n| {
            let [x, y, ..] = position(n / 4, 4, 0.0).map(f64::from);
            let snapped = [x - 0.5, y + 7.0 / 16.0];
            let mut r = [2.0 * x + snapped[0], 2.0 * y + snapped[1], 2.0 * (x + y) + snapped[0] + snapped[1], 3.0];
            r[0] += x - 0.375 + x + 1.5 / 16.0 + 0.375;
            r[1] += y + 0.125 + y + 3.0 / 16.0 - 0.125;
            r[n % 4] + 4.0
        });
        // Where a shader runs by sample the centroid may be any sample's place.
        let room = [0.4, 0.4, 0.8, 0.01];
        let want: Vec<Want> = want.enumerate().map(|(n, v)| Want::near(v, room[n % 4], 1e-5)).collect();
        check(&format!("ps_evaluate_attribute, {}", run.name), &target.words(0).unwrap(), &want);
    });
}

#[test]
fn interpolation_of_every_kind() {
    for (shader, by_sample) in
        [("ps_interpolation.ps_4_0", false), ("ps_interpolation.ps_4_1", true), ("ps_interpolation.ps_5_0", true)]
    {
        each(|run| {
            let (right, down) = ([4.0, 0.0, 8.0, 0.0], [0.0, 2.0, 0.0, 6.0]);
            let mut inputs = Inputs::none().at_depth(0.5);
            for (n, name) in ["A0", "B0", "D0", "E0", "F0", "G0"].into_iter().enumerate() {
                inputs = inputs.plane(name, [n as f32; 4], right, down);
            }
            // The first vertex alone counts.
            let inputs = inputs.plane("C0", [10.0, 20.0, 30.0, 0.0], [1.0; 4], [1.0; 4]).constant("H0", [3, 5, 0, 0]);
            let got = run.pixels(shader, &Registers::new(), &inputs.constant("I0", [-7i32 as u32; 4]), [4, 4]);
            let want = (0..64).map(|n| {
                let p = position(n / 4, 4, 0.5);
                let (x, y) = (p[0] / 4.0, p[1] / 4.0);
                let plane = |k: usize, c: usize| k as f32 + right[c] * x + down[c] * y;
                let c = n % 4;
                let mut r = p[c] + plane(0, c) + plane(1, [0, 1, 0, 1][c]) + [10.0, 20.0, 30.0, 10.0][c];
                r += plane(2, 0) + plane(3, [1, 0, 1, 0][c]) + [3.0, 5.0, 3.0, 5.0][c] - 7.0;
                if by_sample { r + plane(4, c) + plane(5, 0) } else { r }
            });
            check(&format!("{shader}, {}", run.name), &got, &floats(want));
        });
    }
}

#[test]
fn discards_then_derivatives() {
    for shader in ["flow_discard.ps_4_0", "flow_discard.ps_5_0", "flow_discard.ps_5_0.od"] {
        each(|run| {
            let texel = [0.25f32, 0.5, 0.75, 1.0].map(f32::to_bits);
            let map = run.texture(TextureOptions::d2(2, 1, 1).unwrap(), &texel);
            for threshold in [0.0f32, 1.0] {
                let constants = run.floats(&[threshold, 0.0, 0.0, 0.0]);
                let registers = Registers::new().buffer(b(0), &constants).texture(t(0), &map);
                let registers = registers.sampler(s(0), SamplerState::linear());
                let inputs = Inputs::none().plane("TEXCOORD0", [0.0; 4], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
                let got = run.pixels(shader, &registers, &inputs, [8, 8]);
                let want = floats((0..256).map(|n| {
                    let [x, y, ..] = position(n / 4, 8, 0.0);
                    let gone = threshold > 0.5 || x / 8.0 < 0.25 || y / 8.0 > 0.75 && (x * 0.25).fract() > 0.4;
                    let sum = f32::from_bits(texel[n % 4]) + [0.125, 0.0, 0.0, 0.125][n % 4];
                    if gone { 0.0 } else { sum }
                }));
                check(&format!("{shader}, {}, {threshold}", run.name), &got, &want);
            }
        });
    }
}

#[test]
fn views_beside_targets() {
    for shader in ["uav_pixel.ps_5_0", "uav_pixel.ps_5_0.early"] {
        each(|run| {
            let targets = [run.target(2, 4, 4), run.target(2, 4, 4)];
            let (counts, rows, counter) = (run.target(42, 4, 4), run.filled(16 * 4, 0), run.words(&[0]));
            let registers = Registers::new().texture(u(2), &counts).buffer(u(3), &rows).counter(3, &counter);
            let on = Draw { targets: slots(&targets, 0), ..Draw::new(Vec::new()) };
            run.pixel(shader, &registers, &Inputs::none().at_depth(0.5), on);
            assert_eq!(counter.words(), [16], "{shader}, {}", run.name);
            check(&format!("{shader}, {}: counts", run.name), &counts.words(0).unwrap(), &[Want::Bits(1); 16]);
            let mut seen: Vec<[u32; 4]> = rows.words().chunks_exact(4).map(|w| [w[1], w[0], w[2], w[3]]).collect();
            seen.sort_unstable();
            let all: Vec<[u32; 4]> = (0..16)
                .map(|n| {
                    let [x, y, z, w] = position(n, 4, 0.5).map(f32::to_bits);
                    [y, x, z, w]
                })
                .collect();
            assert_eq!(seen, all, "{shader}, {}: each pixel once", run.name);
            check(&format!("{shader}, {}", run.name), &targets[0].words(0).unwrap(), &floats([0.0; 64]));
        });
    }
}
