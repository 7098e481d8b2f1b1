//! Class instances, residency, system inputs, pairs of stages, and what is refused where the device lacks a feature.

use crate::image::{Image, Sum, cube_face};
use crate::run::{Inputs, Run, asset, each, onto};
use crate::want::{Want, check};
use rx_tests::vulkan::{
    Attribute, Bound, Buffer, Draw, Registers, SamplerState, Stage, Target, Texture, TextureOptions, VertexBuffer, b,
    s, t, u,
};
use rx_translate::interface::ResourceClass;

fn near(values: impl IntoIterator<Item = f64>) -> Vec<Want> {
    values.into_iter().map(|v| Want::near(v, 1e-4, 1e-5)).collect()
}

#[test]
fn class_instances() {
    for shader in ["interfaces.ps_5_0", "interfaces.ps_5_0.od"] {
        each(|run| {
            let (base, first, second) = ([0.5, 1.0, 1.5, 2.0], [8.0, 4.0, 2.0, 1.0], [-1.0, -2.0, -3.0, -4.0]);
            // The instances' elements: the flat one's at 0, the checker's three from 1; the selector after its scale.
            for (selector, kinds) in [(0u32, [0, 1, 0, 1]), (2, [1, 0, 1, 0]), (1, [0, 0, 1, 1])] {
                let rest = [3.0f32.to_bits(), selector, 0, 0];
                let words = [base.map(f32::to_bits), first.map(f32::to_bits), second.map(f32::to_bits), rest].concat();
                let constants = run.words(&words);
                let mut registers = Registers::new().buffer(b(0), &constants);
                // The checker's functions stand first in each table.
                for (slot, kind) in kinds.into_iter().enumerate() {
                    registers = registers.with_instance(slot as u32, kind, 0, 1 - kind);
                }
                let inputs = Inputs::none().plane("TEXCOORD0", [0.0; 4], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
                let got = run.pixels(shader, &registers, &inputs, [4, 4]);
                let color = |kind: u32, uv: [f32; 2]| {
                    let f = uv.map(|v| (v * 3.0).fract() > 0.5);
                    if kind == 1 {
                        base
                    } else if f[0] == f[1] {
                        first
                    } else {
                        second
                    }
                };
                let weight = |kind: u32| if kind == 1 { base[3] } else { 0.25 };
                let want = (0..64usize).map(|n| {
                    let uv = [(n / 4 % 4) as f32 / 4.0 + 0.125, (n / 16) as f32 / 4.0 + 0.125];
                    let of = |kind: u32, uv| color(kind, uv)[n % 4];
                    let mut r = of(kinds[0], uv) * weight(kinds[0]);
                    r += (1..3).map(|i| of(kinds[i], [uv[1], uv[0]]) * weight(kinds[i])).sum::<f32>();
                    f64::from(r + of(kinds[selector as usize + 1], uv.map(|v| v * 2.0)))
                });
                check(&format!("{shader}, {}, {selector} {kinds:?}", run.name), &got, &near(want));
            }
        });
    }
}

#[test]
fn status_of_resident_texels() {
    each(|run| {
        if !run.session.device.enabled.features.min_lod {
            println!("skipped: the device has no shaderResourceMinLod");
            return;
        }
        let (map, maps, cube) = (Image::d2(16, 16, 4), Image::d2(16, 16, 4).layers(3), Image::d2(8, 8, 4).layers(6));
        let shadow = Image::d2(16, 16, 2).depths();
        let textures = [map, maps, cube, shadow].map(|image| image.texture(run));
        let typed = run.floats(&(0..32).map(|n| n as f32).collect::<Vec<_>>());
        let (raw, rows) = (run.words(&[77, 78]), run.floats(&[1.0; 16]));
        let options = TextureOptions { samples: 4, ..TextureOptions::d2(2, 4, 4).unwrap() };
        let ms = Texture::new(run.session.device, options).unwrap();
        ms.clear([3.0f32.to_bits(); 4]).unwrap();
        let image = run.texture(TextureOptions::d2(42, 4, 4).unwrap(), &(0..16).collect::<Vec<_>>());
        let mut registers = Registers::new().with(t(4), Bound::Typed(&typed, 2)).buffer(t(5), &raw).buffer(t(6), &rows);
        for (n, texture) in textures.iter().enumerate() {
            registers = registers.texture(t(n as u32), texture);
        }
        let registers = registers.texture(t(7), &ms).texture(u(1), &image).sampler(s(0), SamplerState::point());
        let registers = registers.sampler(s(1), SamplerState::comparison(4));
        let (uv, at) = ([0.41f32, 0.57, 0.8], [0u32, 3, 1, 2]);
        let inputs = Inputs::none().floats("TEXCOORD0", [uv[0], uv[1], uv[2], 0.0]).constant("AT0", at);
        let got = run.pixels("texture_feedback.ps_5_0", &registers, &inputs, [2, 1]);
        let sum = resident([map, maps, cube, shadow], uv.map(f64::from), at);
        // Seventeen accesses, all of them to what is there.
        let want = (0..8).map(|n| sum.0[n % 4] + f64::from((1u32 << 17) - 1));
        check(
            &format!("texture_feedback, {}", run.name),
            &got,
            &want.map(|v| Want::near(v, 0.1, 0.0)).collect::<Vec<_>>(),
        );
    });
}

/// What the accesses give; the coordinates are the same everywhere, so that the least level is what a clamp says.
fn resident([map, maps, cube, shadow]: [Image; 4], uv: [f64; 3], at: [u32; 4]) -> Sum {
    let none = [0, 0, 0];
    let flat = [uv[0], uv[1], 0.0];
    let layer = 1;
    let compared = |texel: [f32; 4]| if 0.8 <= texel[0] { 1.0 } else { 0.0 };
    let mut sum = Sum::default();
    // A clamp of 1.5 lies between two levels: the second is nearer to what is rounded up.
    sum.add(map.nearest(2, 0, flat, none).unwrap());
    sum.add(map.nearest(1, 0, flat, [1, 2, 0]).unwrap());
    sum.add(maps.nearest(1, layer, flat, none).unwrap());
    let (face, [s, t]) = cube_face(uv);
    sum.add(cube.nearest(2, face, [s, t, 0.0], none).unwrap());
    // Gradients of most of the texture: the last level.
    sum.add(maps.nearest(3, layer, flat, none).unwrap());
    sum.splat(compared(shadow.nearest(1, 0, flat, none).unwrap()));
    sum.splat(compared(shadow.nearest(0, 0, flat, none).unwrap()));
    let place = [uv[0], uv[1]];
    sum.add(map.gathered(0, place, [0, 0]).map(|t| t[0]));
    sum.add(shadow.gathered(0, place, [0, 0]).map(compared));
    let [x, y, z, w] = at.map(|n| n as i32);
    sum.add(map.load(at[2], 0, [x, y, 0]));
    sum.add([0, 1, 2, 3].map(|c| (x * 4 + c) as f32));
    sum.splat(77.0);
    sum.splat(1.0);
    sum.splat((x + y * 4) as f32);
    sum.add(map.gathered(0, place, [x, y]).map(|t| t[1]));
    sum.splat(3.0);
    sum.add(shadow.gathered(0, place, [z, w]).map(compared));
    sum.add(map.nearest(0, 0, [uv[1], uv[0], 0.0], [1, 1, 0]).unwrap());
    sum
}

#[test]
fn system_inputs() {
    each(|run| {
        let any_stage = run.session.device.enabled.features.viewport_layer_any_stage;
        if !run.needs(any_stage, "a viewport outside geometry shaders") {
            return;
        }
        let inputs = Inputs::none()
            .at_depth(0.5)
            .floats("SV_CLIPDISTANCE0", [1.0, 2.0, 3.0, 4.0])
            .floats("SV_CULLDISTANCE0", [10.0, 20.0, 0.0, 0.0]);
        let got = run.pixels("ps_system_inputs.ps_5_0", &Registers::new(), &inputs, [2, 2]);
        let want = (0..16).map(|n| {
            let (x, y) = ((n / 4 % 2) as f64 + 0.5, (n / 8) as f64 + 0.5);
            // Viewport, layer, primitive and sample 0; the front; one sample covered.
            [x + 1.0 + 10.0, y + 2.0 + 20.0 + 1.0, 0.5 + 3.0 + 10.0 + 1.0, 1.0 + 4.0 + 20.0][n % 4]
        });
        check(&format!("ps_system_inputs, {}", run.name), &got, &near(want));
    });
}

#[test]
fn refused_without_the_device_feature() {
    each(|run| {
        let features = run.session.device.enabled.features;
        for (shader, has) in [
            ("uav_rasterizer_ordered.ps_5_0", features.fragment_interlock),
            ("uav_rasterizer_ordered.ps_5_1", features.fragment_interlock),
            ("ps_inner_coverage.ps_5_0", features.fully_covered),
        ] {
            let translated = run.translations.translate(&asset(shader), 0);
            assert_eq!(translated.is_ok(), has, "{shader}, {}: {translated:?}", run.name);
        }
    });
}

#[test]
fn views_in_raster_order() {
    each(|run| {
        if !run.session.device.enabled.features.fragment_interlock {
            println!("skipped: the device has no fragment shader interlock");
            return;
        }
        let image = run.texture(TextureOptions::d2(42, 2, 2).unwrap(), &[1, 2, 3, 4]);
        let (typed, rows, raw) = (run.filled(4, 9), run.floats(&[8.0; 8]), run.words(&[5, 6, 7]));
        let registers = Registers::new().texture(u(1), &image).with(u(2), Bound::Typed(&typed, 42));
        let registers = registers.buffer(u(3), &rows).buffer(u(4), &raw);
        let got = run.pixels("uav_rasterizer_ordered.ps_5_0", &registers, &Inputs::none(), [2, 2]);
        check("uav_rasterizer_ordered", &got, &near((0..16).map(|n| (n / 4 + 1) as f64)));
        assert_eq!(image.words(0).unwrap(), [4, 7, 10, 13], "{}", run.name);
        assert_eq!(raw.words(), [7, 8, 7], "{}: two rows each", run.name);
    });
}

#[test]
fn two_outputs_of_one_target() {
    for shader in ["ps_dual_source.ps_4_0", "ps_dual_source.ps_5_0"] {
        each(|run| {
            let targets = [run.target(2, 2, 1), run.target(2, 2, 1)];
            let on = Draw {
                targets: targets.iter().zip(0..).map(|(texture, slot)| Target { slot, texture }).collect(),
                ..Draw::new(Vec::new())
            };
            let inputs = Inputs::none().floats("COLOR0", [0.25, 0.5, 0.75, 3.0]);
            run.pixel(shader, &Registers::new(), &inputs, on);
            let want = near((0..8).map(|n| [0.25, 0.5, 0.75, 3.0][n % 4]));
            check(&format!("{shader}, {}: color", run.name), &targets[0].words(0).unwrap(), &want);
            let want = near((0..8).map(|n| [1.5, 1.5, 1.5, 0.5][n % 4]));
            check(&format!("{shader}, {}: factor", run.name), &targets[1].words(0).unwrap(), &want);
        });
    }
}

#[test]
fn inputs_by_index() {
    each(|run| {
        for k in 0..6u32 {
            let row = |n: usize| [0, 1, 2, 3].map(|c| (n * 10 + c) as f32);
            let mut inputs = Inputs::none().constant("KIND0", [k; 4]);
            for n in 0..4 {
                inputs = inputs.floats(&format!("ROW{n}"), row(n));
            }
            let got = run.pixels("vs_dynamic_output.ps_5_0", &Registers::new(), &inputs, [1, 1]);
            let want = (0..4).map(|c| f64::from(row(k as usize & 3)[c] + row(1)[c]));
            check(&format!("vs_dynamic_output.ps, {}, {k}", run.name), &got, &near(want));
        }
    });
}

/// The feature's rows: color, three times (a, b), a matrix of twelve, flags.
const ROW: usize = 26;

#[test]
fn structured_rows_in_a_pixel_shader() {
    each(|run| {
        let rows: Vec<f32> = (0..3 * ROW).map(|n| n as f32 * 0.5).collect();
        let scalars = [100.0f32, 200.0, 300.0];
        let (a, c) = (run.floats(&rows), run.floats(&scalars));
        let registers = Registers::new().buffer(t(0), &a).buffer(t(1), &c);
        // The last row's next is out of range, as is the fourth scalar.
        for i in 0..4usize {
            let inputs = Inputs::none().constant("INDEX0", [i as u32; 4]);
            let got = run.pixels("buffer_structured.ps_5_0", &registers, &inputs, [1, 1]);
            let at = |n: usize| rows.get(n).copied().unwrap_or(0.0);
            let value = |c: usize| {
                let next = (i + 1) * ROW + 4 + 6 + c % 2;
                f64::from(at(i * ROW + c) + at(next) + scalars.get(i).copied().unwrap_or(0.0))
            };
            check(&format!("buffer_structured.ps, {}, {i}", run.name), &got, &near((0..4).map(value)));
        }
    });
}

#[test]
fn packed_formats_in_a_pixel_shader() {
    each(|run| {
        for p in [0u32, 0xffff_ffff, 0x8040_20c0, 0x7f80_01ff] {
            let inputs = Inputs::none().constant("PACKED0", [p; 4]);
            let got = run.pixels("signed_field_insert.ps_4_0", &Registers::new(), &inputs, [1, 1]);
            let bytes = p.to_le_bytes();
            let value = |c: usize| {
                let signed = (f64::from(bytes[c] as i8) / 127.0).max(-1.0);
                f64::from(bytes[c]) / 255.0 + signed + f64::from(p.swap_bytes())
            };
            let want: Vec<Want> = (0..4).map(|c| Want::near(value(c), 1e-4, 1e-6)).collect();
            check(&format!("signed_field_insert.ps, {}, {p:x}", run.name), &got, &want);
        }
    });
}

#[test]
fn atomics_of_a_pixel_shader() {
    each(|run| {
        let image = |dxgi: u32, size: [u32; 3], layers, shape| {
            let options = TextureOptions { size, layers, shape, ..TextureOptions::d2(dxgi, 1, 1).unwrap() };
            Texture::new(run.session.device, options).unwrap()
        };
        use rx_tests::vulkan::Shape;
        let buffer = run.filled(4, 0);
        let (t1, t2) = (image(43, [4, 1, 1], 1, Shape::D1), image(42, [4, 4, 1], 1, Shape::D2));
        let (t2a, t3) = (image(43, [4, 4, 1], 2, Shape::D2), image(42, [4, 4, 4], 1, Shape::D3));
        t3.clear([1, 0, 0, 0]).unwrap();
        let registers = Registers::new().with(u(1), Bound::Typed(&buffer, 42)).texture(u(2), &t1).texture(u(3), &t2);
        run.pixels(
            "atomics_texture.ps_5_0",
            &registers.texture(u(4), &t2a).texture(u(5), &t3),
            &Inputs::none(),
            [4, 4],
        );
        // Each column is added to four times, each row marked.
        assert!(buffer.words().iter().all(|w| matches!(*w, 12..=16)), "{}: {:?}", run.name, buffer.words());
        assert!(t2a.words(0).unwrap().iter().all(|w| *w == 7), "{}: first layer", run.name);
        assert!(t2a.words(1).unwrap().iter().all(|w| *w == 0), "{}: second layer", run.name);
        let cube = rx_tests::shared::words(&t3.read(0, 0, [0, 0, 4, 4]).unwrap());
        assert!(cube[..16].iter().all(|w| *w == 2), "{}: first slice", run.name);
    });
}

/// A triangle that covers the target, as positions of three components and coordinates of two.
fn corners(run: &Run<'_>) -> Buffer {
    let corner = |x: f32, y: f32| [x, y, 0.5, (x + 1.0) / 2.0, (1.0 - y) / 2.0];
    run.floats(&[corner(-1.0, 1.0), corner(3.0, 1.0), corner(-1.0, -3.0)].concat())
}

fn layout() -> Vec<Attribute> {
    let attribute =
        |semantic: &str, format, offset| Attribute { semantic: semantic.to_owned(), index: 0, format, slot: 0, offset };
    vec![attribute("POSITION", 6, 0), attribute("TEXCOORD", 16, 12)]
}

#[test]
fn a_pair_with_packed_signatures() {
    for pixel in ["sm51_signature_mix.ps_5_1", "sm51_signature_mix.ps_5_1.od"] {
        each(|run| {
            let (vertex_code, pixel_code) = (asset("sm51_signature_mix.vs_5_1"), asset(pixel));
            // A projection that moves nothing, by columns.
            let view = run.floats(&(0..16).map(|n| if n % 5 == 0 { 1.0 } else { 0.0 }).collect::<Vec<_>>());
            let tint = [0.5f32, 1.0, 2.0, 4.0];
            let material = run.words(&[tint.map(f32::to_bits), [2, 0, 0, 0]].concat());
            let maps: Vec<Texture> = (0..4u32)
                .map(|n| run.texture(TextureOptions::d2(2, 1, 1).unwrap(), &[(n + 1) as f32; 4].map(f32::to_bits)))
                .collect();
            let vertex_registers = Registers::new().buffer(b(0), &view);
            let mut registers = Registers::new();
            registers.bind((ResourceClass::Cbv, 1, 0), Bound::Buffer(&material));
            for (n, map) in maps.iter().enumerate() {
                registers.bind((ResourceClass::Srv, 1, n as u32), Bound::Texture(map));
            }
            for n in 0..2 {
                registers.bind((ResourceClass::Sampler, 1, n), Bound::Sampler(SamplerState::point()));
            }
            let (target, buffer) = (run.target(2, 4, 4), corners(run));
            let draw = Draw {
                stages: vec![
                    Stage { code: &vertex_code, registers: &vertex_registers },
                    Stage { code: &pixel_code, registers: &registers },
                ],
                attributes: layout(),
                vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride: 20, per_instance: false }],
                ..onto(&target)
            };
            draw.run(&run.translations).unwrap_or_else(|e| panic!("{pixel}, {}: {e}", run.name));
            // The weight is y, which falls from 1 to -1 over the target.
            let want = (0..64).map(|n| {
                let y = 1.0 - ((n / 16) as f64 + 0.5) / 2.0;
                3.0 * f64::from(tint[n % 4]) + y
            });
            check(&format!("{pixel}, {}", run.name), &target.words(0).unwrap(), &near(want));
        });
    }
}

#[test]
fn layers_and_viewports_of_a_vertex_shader() {
    each(|run| {
        let features = run.session.device.enabled.features;
        if !run.needs(features.viewport_layer_any_stage, "layer and viewport outside geometry shaders") {
            return;
        }
        let (vertex_code, pixel_code) = (asset("vs_layer_viewport.vs_5_0"), asset("empty_stages.ps_4_0"));
        let options = TextureOptions { layers: 6, ..TextureOptions::d2(2, 8, 4).unwrap() };
        let target = Texture::new(run.session.device, options).unwrap();
        target.clear([1.0f32.to_bits(); 4]).unwrap();
        let (buffer, none) = (corners(run), Registers::new());
        let draw = Draw {
            stages: [&vertex_code, &pixel_code].map(|code| Stage { code, registers: &none }).to_vec(),
            instances: 8,
            attributes: layout()[..1].to_vec(),
            vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride: 20, per_instance: false }],
            viewports: vec![[0.0, 0.0, 4.0, 4.0, 0.0, 1.0], [4.0, 0.0, 4.0, 4.0, 0.0, 1.0]],
            ..onto(&target)
        };
        draw.run(&run.translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
        for layer in 0..6u32 {
            // The first six instances draw on the left, the last two on the right.
            let drawn = |x: usize| x < 4 || layer < 2;
            let want = near((0..128).map(|n| if drawn(n / 4 % 8) { 0.0 } else { 1.0 }));
            check(&format!("layer {layer}, {}", run.name), &target.words(layer).unwrap(), &want);
        }
    });
}

#[test]
fn the_smallest_shaders() {
    each(|run| {
        run.compute("empty_stages.cs_5_0", &Registers::new(), [1, 1, 1]);
        // A geometry shader of points that emits none could not write their size: it is translated only.
        run.translations.translate(&asset("empty_stages.gs_4_0"), 0).unwrap();
        let codes = ["empty_stages.vs_4_0", "empty_stages.ps_4_0"].map(asset);
        let (target, none) = (run.target(2, 1, 1), Registers::new());
        target.clear([7; 4]).unwrap();
        let draw = Draw {
            stages: codes.iter().map(|code| Stage { code, registers: &none }).collect(),
            topology: rx_tests::vulkan::Topology::PointList,
            ..onto(&target)
        };
        draw.run(&run.translations.for_points()).unwrap_or_else(|e| panic!("{}: {e}", run.name));
        // Where a point of weight 0 lies, if anywhere, is not specified.
        assert!(matches!(target.words(0).unwrap()[0], 0 | 7), "{}", run.name);
    });
}
