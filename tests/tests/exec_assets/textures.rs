//! Textures: sampling, loading, gathering, queries.

use crate::image::{Image, Sum, cube_face, sixteenths};
use crate::run::{Inputs, Run, each};
use crate::want::{Want, check};
use rx_tests::vulkan::{Registers, SamplerState, Shape, TextureOptions, s, t};

/// Comparison functions by Direct3D's numbers.
const LESS_EQUAL: u32 = 4;

fn words(values: [i32; 4]) -> [u32; 4] {
    values.map(|v| v as u32)
}

/// The same four floats for every pixel.
fn everywhere(sum: Sum, pixels: usize) -> Vec<Want> {
    (0..pixels * 4).map(|n| Want::near(sum.0[n % 4], 1e-3, 1e-5)).collect()
}

/// What a comparison gives: `reference FUNCTION texel`, here less or equal.
fn compared(reference: f32, texel: [f32; 4]) -> f32 {
    if reference <= texel[0] { 1.0 } else { 0.0 }
}

#[test]
fn every_sample_instruction() {
    for shader in ["texture_sample.ps_4_0", "texture_sample.ps_5_0", "texture_sample.ps_5_1"] {
        each(|run| {
            let (map, shadow) = (Image::d2(32, 32, 6), Image::d2(32, 32, 6).depths());
            let (map_texture, shadow_texture) = (map.texture(run), shadow.texture(run));
            let registers = Registers::new().texture(t(0), &map_texture).texture(t(1), &shadow_texture);
            let registers = registers.sampler(s(0), SamplerState::point());
            let registers = registers.sampler(s(1), SamplerState::comparison(LESS_EQUAL));
            // A level of detail of 1.2 in both directions.
            let step = 1.2f64.exp2() / 32.0;
            let right = [(step * 4.0) as f32, 0.0, 0.0, 0.0];
            let down = [0.0, (step * 4.0) as f32, 0.0, 0.0];
            let at = [0.31, 0.22, 0.6, 0.0];
            let gradient = [step as f32, 0.0, 0.0, step as f32];
            let inputs = Inputs::none()
                .plane("TEXCOORD0", at, right, down)
                .floats("TEXCOORD1", [gradient[0], gradient[1], 0.0, 0.0])
                // Packed into one register, the second pair comes from its third and fourth component.
                .floats("TEXCOORD2", [0.0, 0.0, gradient[2], gradient[3]]);
            let got = run.pixels(shader, &registers, &inputs, [4, 4]);
            let want: Vec<Want> = (0..16)
                .flat_map(|n| {
                    let uv = [0.31 + (f64::from(n % 4) + 0.5) * step, 0.22 + (f64::from(n / 4) + 0.5) * step, 0.0];
                    sampled(&map, &shadow, uv).map_or([Want::Any; 4], |s| s.0.map(|v| Want::near(v, 0.3, 1e-5)))
                })
                .collect();
            check(&format!("{shader}, {}", run.name), &got, &want);
        });
    }
}

/// The sum of the twelve samples at a level of detail of 1.2; uv.z is 0.6.
fn sampled(map: &Image, shadow: &Image, uv: [f64; 3]) -> Option<Sum> {
    let mut sum = Sum::default();
    let plain = [0, 0, 0];
    for (level, offset) in [
        (1, plain),
        (1, [-8, 7, 0]),
        (3, plain),
        (2, [1, -1, 0]),
        (1, plain),
        (1, [2, 3, 0]),
        (1, plain),
        (2, [-3, 0, 0]),
    ] {
        sum.add(map.nearest(level, 0, uv, offset)?);
    }
    for (level, offset) in [(1, plain), (1, [1, 2, 0]), (0, plain), (0, [-1, -2, 0])] {
        sum.splat(compared(0.6, shadow.nearest(level, 0, uv, offset)?));
    }
    Some(sum)
}

#[test]
fn every_dimension() {
    for (shader, literal) in [("texture_dimensions.ps_4_0", true), ("texture_dimensions.ps_5_0", false)] {
        each(|run| {
            for at in [[3, 1, 2, 1], [6, 5, 1, 0], [-1, 2, 9, 3]] {
                let got = dimensions(run, shader, at);
                let sample = if literal { 3 } else { at[3] };
                let want = everywhere(dimensions_model(at, sample), 4);
                check(&format!("{shader}, {}, {at:?}", run.name), &got, &want);
            }
        });
    }
}

const AT: [f32; 3] = [0.3, 0.7, 0.9];

/// The textures of the test: 1D, its array, 2D, its array, 3D, cube.
fn images() -> [Image; 6] {
    [
        Image::d2(16, 1, 4).shaped(Shape::D1, 1),
        Image::d2(16, 1, 4).shaped(Shape::D1, 1).layers(3),
        Image::d2(16, 8, 4),
        Image::d2(16, 8, 4).layers(4),
        Image::d2(8, 8, 3).shaped(Shape::D3, 8),
        Image::d2(8, 8, 3).layers(6),
    ]
}

fn dimensions(run: &Run<'_>, shader: &str, at: [i32; 4]) -> Vec<u32> {
    let textures = images().map(|image| image.texture(run));
    let multisampled = |layers, value: f32| {
        let options = TextureOptions { samples: 4, layers, ..TextureOptions::d2(2, 8, 8).unwrap() };
        let texture = rx_tests::vulkan::Texture::new(run.session.device, options).unwrap();
        texture.clear([value.to_bits(); 4]).unwrap();
        texture
    };
    let (ms, ms_array) = (multisampled(1, 100.0), multisampled(2, 7000.0));
    let mut registers = Registers::new().sampler(s(0), SamplerState::point());
    for (n, texture) in textures.iter().enumerate() {
        registers = registers.texture(t(n as u32), texture);
    }
    let registers = registers.texture(t(6), &ms).texture(t(7), &ms_array);
    let inputs = Inputs::none().floats("TEXCOORD0", [AT[0], AT[1], AT[2], 0.0]).constant("AT0", words(at));
    run.pixels(shader, &registers, &inputs, [2, 2])
}

fn dimensions_model(at: [i32; 4], sample: i32) -> Sum {
    let [t1, t1a, t2, t2a, t3, tc] = images();
    let uv = AT.map(f64::from);
    let mut sum = Sum::default();
    let [x, y, z, w] = at;
    let none = [0, 0, 0];
    // Coordinates that say more than the texture has are of no matter to the model.
    let line = [uv[0], 0.0, 0.0];
    sum.add(t1.nearest(0, 0, line, none).unwrap());
    sum.add(t1.load(y as u32, 0, [x, 0, 0]));
    sum.add(t1.load(y as u32, 0, [x + 3, 0, 0]));
    // The layer 0.7 is 1.
    sum.add(t1a.nearest(0, 1, line, none).unwrap());
    sum.add(t1a.load(z as u32, y, [x, 0, 0]));
    let flat = [uv[0], uv[1], 0.0];
    sum.add(t2.nearest(0, 0, flat, none).unwrap());
    sum.add(t2.load(z as u32, 0, [x, y, 0]));
    sum.add(t2.load(z as u32, 0, [x - 2, y + 5, 0]));
    sum.add(t2a.nearest(0, 1, flat, none).unwrap());
    sum.add(t2a.load(w as u32, z, [x, y, 0]));
    sum.add(t2a.nearest(0, 1, flat, [1, 1, 0]).unwrap());
    sum.add(t3.nearest(0, 0, uv, none).unwrap());
    sum.add(t3.load(w as u32, 0, [x, y, z]));
    sum.add(t3.nearest(1, 0, uv, [1, -1, 2]).unwrap());
    let (face, [u, v]) = cube_face(uv);
    // No derivatives: a bias of -1 is still level 0.
    for level in [0, 2, 0] {
        sum.add(tc.nearest(level, face, [u, v, 0.0], none).unwrap());
    }
    let inside = |x: i32, y: i32| (0..8).contains(&x) && (0..8).contains(&y);
    let ms = |sum: &mut Sum, value: f32, inside: bool| sum.splat(if inside { value } else { 0.0 });
    assert!((0..4).contains(&sample));
    ms(&mut sum, 100.0, inside(x, y));
    ms(&mut sum, 100.0, inside(x + 1, y + 1));
    ms(&mut sum, 7000.0, inside(x, y) && (0..2).contains(&z));
    sum.add(t2.load(0, 0, [x, y, 0]));
    sum.add(t2.load(2, 0, [y, x, 0]));
    ms(&mut sum, 100.0, inside(x, y));
    sum
}

#[test]
fn gathers() {
    for (shader, simple) in
        [("texture_gather.ps_4_1", true), ("texture_gather.ps_5_0", false), ("texture_gather.ps_5_1", false)]
    {
        each(|run| {
            for offset in [[1, -2, 3, 0], [-8, 7, -5, 6], [31, -32, 17, -20]] {
                let got = gather(run, shader, offset);
                check(
                    &format!("{shader}, {}, {offset:?}", run.name),
                    &got,
                    &everywhere(gather_model(offset, simple), 4),
                );
            }
        });
    }
}

const UV: [f32; 3] = [0.41, 0.57, 1.6];

/// Integers of a place, as bits.
fn integers(level: u32, layer: u32, place: [u32; 3]) -> [f32; 4] {
    let n = level * 100 + layer * 10 + place[0] * 3 + place[1] * 7;
    [n, n + 1, n + 2, n + 3].map(f32::from_bits)
}

fn integer_image() -> Image {
    let options = TextureOptions::d2(3, 64, 64).unwrap();
    Image { options, texel: integers }
}

fn gather(run: &Run<'_>, shader: &str, offset: [i32; 4]) -> Vec<u32> {
    let textures = [
        Image::d2(64, 64, 1).texture(run),
        Image::d2(64, 64, 1).layers(3).texture(run),
        Image::d2(16, 16, 1).layers(6).texture(run),
        integer_image().texture(run),
    ];
    let mut registers = Registers::new().sampler(s(0), SamplerState::point());
    for (n, texture) in textures.iter().enumerate() {
        registers = registers.texture(t(n as u32), texture);
    }
    let inputs = Inputs::none().floats("TEXCOORD0", [UV[0], UV[1], UV[2], 0.0]).constant("OFFSET0", words(offset));
    run.pixels(shader, &registers, &inputs, [2, 2])
}

fn gather_model(offset: [i32; 4], simple: bool) -> Sum {
    let (map, maps, cube) = (Image::d2(64, 64, 1), Image::d2(64, 64, 1).layers(3), Image::d2(16, 16, 1).layers(6));
    let uv = [f64::from(UV[0]), f64::from(UV[1])];
    let mut sum = Sum::default();
    let part = |texels: [[f32; 4]; 4], component: usize| texels.map(|t| t[component]);
    let at = |offset: [i32; 2], component: usize| part(map.gathered(0, uv, offset), component);
    sum.add(at([0, 0], 0));
    sum.add(at([3, -4], 0));
    if simple {
        return sum;
    }
    let [ox, oy, oz, ow] = offset;
    (0..4).for_each(|component| sum.add(at([0, 0], component)));
    sum.add(at([ox, oy], 1));
    sum.add(at([-32, 31], 3));
    // Four offsets: each component is that of its own gather.
    let four = [[0, 0], [1, 0], [0, 1], [oz, ow]];
    sum.add([0, 1, 2, 3].map(|n| at(four[n], 2)[n]));
    // The layer 1.6 is 2.
    sum.add(part(maps.gathered(2, uv, [oy, ox]), 1));
    sum.add(part(maps.gathered(2, uv, [0, 0]), 0));
    let (face, place) = cube_face(UV.map(f64::from));
    sum.add(part(cube.gathered(face, place, [0, 0]), 2));
    sum.add(integer_image().gathered(0, uv, [0, 0]).map(|t| t[3].to_bits() as f32));
    sum
}

#[test]
fn gathers_that_compare() {
    each(|run| {
        let (map, maps) = (Image::d2(32, 32, 1).depths(), Image::d2(32, 32, 1).depths().layers(4));
        let (first, second) = (map.texture(run), maps.texture(run));
        for offset in [[3, -5], [-9, 12]] {
            let registers = Registers::new().texture(t(0), &first).texture(t(1), &second);
            let registers = registers.sampler(s(0), SamplerState::comparison(LESS_EQUAL));
            let place = [0.41f32, 0.57, 1.6, 0.47];
            let inputs =
                Inputs::none().floats("TEXCOORD0", place).constant("OFFSET0", words([offset[0], offset[1], 0, 0]));
            let got = run.pixels("texture_gather_compare.ps_5_0", &registers, &inputs, [2, 1]);
            let uv = [f64::from(place[0]), f64::from(place[1])];
            let at = |image: &Image, layer, offset| image.gathered(layer, uv, offset).map(|t| compared(place[3], t));
            let mut sum = Sum::default();
            sum.add(at(&map, 0, [0, 0]));
            sum.add(at(&map, 0, [2, -2]));
            sum.add(at(&map, 0, offset));
            let four = [offset, [offset[1], offset[0]], [1, 1], [-offset[0], -offset[1]]];
            sum.add([0, 1, 2, 3].map(|n| at(&map, 0, four[n])[n]));
            sum.add(at(&maps, 2, [0, 0]));
            sum.add(at(&maps, 2, offset));
            check(&format!("texture_gather_compare, {}, {offset:?}", run.name), &got, &everywhere(sum, 2));
        }
    });
}

#[test]
fn queries() {
    for (shader, lod) in [("texture_queries.ps_4_1", false), ("texture_queries.ps_5_0", true)] {
        each(|run| {
            for mip in [0u32, 1, 2, 7] {
                let got = query(run, shader, mip);
                let want = everywhere(query_model(mip, lod), 4);
                check(&format!("{shader}, {}, mip {mip}", run.name), &got, &want);
            }
        });
    }
}

fn query(run: &Run<'_>, shader: &str, mip: u32) -> Vec<u32> {
    let textures = images().map(|image| image.texture(run));
    let multisampled = |layers| {
        let options = TextureOptions { samples: 4, layers, ..TextureOptions::d2(2, 10, 6).unwrap() };
        rx_tests::vulkan::Texture::new(run.session.device, options).unwrap()
    };
    let (ms, ms_array) = (multisampled(1), multisampled(3));
    let mut registers =
        Registers::new().sampler(s(0), SamplerState::linear()).texture(t(6), &ms).texture(t(7), &ms_array);
    for (n, texture) in textures.iter().enumerate() {
        registers = registers.texture(t(n as u32), texture);
    }
    // A texel and a half of the 2D texture's width for each pixel, and nothing downwards: its level is log2 1.5.
    let right = [1.5 * 2.0 / 16.0, 0.0, 0.0, 0.0];
    let inputs = Inputs::none().plane("TEXCOORD0", [0.2, 0.3, 0.9, 0.0], right, [0.0; 4]).constant("MIP0", [mip; 4]);
    run.pixels(shader, &registers, &inputs, [2, 2])
}

fn query_model(mip: u32, lod: bool) -> Sum {
    let mut sum = Sum::default();
    let level = |size: u32, levels: u32| if mip < levels { (size >> mip).max(1) as f32 } else { 0.0 };
    sum.add([16.0, 0.0, 0.0, 0.0]);
    sum.add([level(16, 4), 4.0, 0.0, 0.0]);
    // Of a level out of range all sizes are 0, the layers too.
    let layers = |n: f32, levels: u32| if mip < levels { n } else { 0.0 };
    sum.add([level(16, 4), layers(3.0, 4), 4.0, 0.0]);
    sum.add([1.0 / 16.0, 1.0 / 8.0, 0.0, 0.0]);
    sum.add([level(16, 4), level(8, 4), 4.0, 0.0]);
    sum.add([level(16, 4), level(8, 4), layers(4.0, 4), 4.0]);
    sum.add([level(8, 3), level(8, 3), level(8, 3), 3.0]);
    sum.add([level(8, 3), level(8, 3), 3.0, 0.0]);
    sum.add([10.0, 6.0, 4.0, 0.0]);
    sum.add([10.0, 6.0, 3.0, 4.0]);
    if lod {
        let of = |texels: f64| texels.log2();
        let flat = of(1.5);
        sum.0[0] += flat.max(0.0) + flat;
        // 3D: 8 texels of width, the derivative is half of that; the cube's z is its major axis here.
        sum.0[1] += of(0.75).max(0.0) + of(1.5);
    }
    sum
}

#[test]
fn integer_textures() {
    for shader in ["texture_integer.ps_4_0", "texture_integer.ps_5_0"] {
        each(|run| {
            let small = |dxgi: u32, words: usize, shape, layers| {
                let options = TextureOptions {
                    shape,
                    layers,
                    ..TextureOptions::d2(dxgi, 2, if shape == Shape::D1 { 1 } else { 2 }).unwrap()
                };
                let content: Vec<u32> = (0..words as u32).map(|n| n * 3 + 1).collect();
                run.texture(options, &content)
            };
            let u2 = small(3, 16, Shape::D2, 1);
            let i2a = small(18, 16, Shape::D2, 2);
            let u3 = small(42, 4, Shape::D3, 1);
            let i1 = small(43, 2, Shape::D1, 1);
            // 0, 85, 170, 255 and their like; -128 is -1 as -127 is.
            let n2 = run.texture(TextureOptions::d2(28, 1, 1).unwrap(), &[0xffaa_5500]);
            let s2 = run.texture(TextureOptions::d2(31, 1, 1).unwrap(), &[0x0000_8040]);
            let registers =
                Registers::new().texture(t(0), &u2).texture(t(1), &i2a).texture(t(2), &u3).texture(t(3), &i1);
            let registers = registers.texture(t(4), &n2).texture(t(5), &s2);
            let got = run.pixels(shader, &registers, &Inputs::none().constant("AT0", [0; 4]), [2, 1]);
            // u2 and u3 begin with 1; i2a with 1 and 4, i1 with 1; t6 is not bound and reads as 0.
            let u = [1.0 + 1.0, 4.0 + 1.0, 7.0 + 1.0, 10.0 + 1.0];
            let i = [1.0 + 1.0, 4.0 + 1.0];
            let (n, sn) = ([0.0, 85.0 / 255.0, 170.0 / 255.0, 1.0], [64.0 / 127.0, -1.0]);
            let sum = Sum([0, 1, 2, 3].map(|c| u[c] + i[c % 2] + n[c] + sn[c % 2]));
            check(&format!("{shader}, {}", run.name), &got, &everywhere(sum, 2));
        });
    }
}

#[test]
fn unrolled_offsets() {
    for shader in ["texture_offsets_dynamic.ps_4_0", "texture_offsets_dynamic.ps_5_0"] {
        each(|run| {
            let image = Image::d2(8, 8, 1);
            let texture = image.texture(run);
            let registers = Registers::new().texture(t(0), &texture).sampler(s(0), SamplerState::point());
            for at in [[0.45f32, 0.55], [0.05, 0.95]] {
                let inputs = Inputs::none().floats("TEXCOORD0", [at[0], at[1], 0.0, 0.0]);
                let got = run.pixels(shader, &registers, &inputs, [2, 1]);
                let mut sum = Sum::default();
                for (x, y) in (-2..3).flat_map(|y| (-2..3).map(move |x| (x, y))) {
                    let texel = image.nearest(0, 0, [f64::from(at[0]), f64::from(at[1]), 0.0], [x, y, 0]).unwrap();
                    sum.add(texel.map(|c| c * (9 - x * x - y * y) as f32 / 100.0));
                }
                check(&format!("{shader}, {}, {at:?}", run.name), &got, &everywhere(sum, 2));
            }
        });
    }
}

#[test]
fn cube_arrays() {
    for (shader, gather) in [("texture_cube_array.ps_4_1", false), ("texture_cube_array.ps_5_0", true)] {
        each(|run| {
            let (maps, shadows, shadow) = (
                Image::d2(8, 8, 3).layers(18),
                Image::d2(8, 8, 1).depths().layers(12),
                Image::d2(8, 8, 1).depths().layers(6),
            );
            let textures = [maps, shadows, shadow].map(|image| image.texture(run));
            let registers = Registers::new().texture(t(0), &textures[0]).texture(t(1), &textures[1]);
            let registers = registers.texture(t(2), &textures[2]).sampler(s(0), SamplerState::point());
            let registers = registers.sampler(s(1), SamplerState::comparison(LESS_EQUAL));
            for d in [[0.3f32, -0.55, 0.9, 1.4], [-0.8, 0.35, 0.17, 0.6], [0.1, 0.9, -0.75, 0.0]] {
                let inputs = Inputs::none().floats("TEXCOORD0", d).floats("TEXCOORD1", [0.47; 4]);
                let got = run.pixels(shader, &registers, &inputs, [2, 1]);
                let want = cube_model([maps, shadows, shadow], d, gather);
                check(&format!("{shader}, {}, {d:?}", run.name), &got, &want);
            }
        });
    }
}

fn cube_model([maps, shadows, shadow]: [Image; 3], d: [f32; 4], gather: bool) -> Vec<Want> {
    let (face, [u, v]) = cube_face([d[0], d[1], d[2]].map(f64::from));
    let layer = face + 6 * d[3].round_ties_even() as u32;
    let at = [u, v, 0.0];
    let none = [0, 0, 0];
    let mut sum = Sum::default();
    sum.add(maps.nearest(0, layer, at, none).unwrap());
    sum.add(maps.nearest(1, layer, at, none).unwrap());
    // The gradients are as long as the direction itself: the last level.
    sum.add(maps.nearest(2, layer, at, none).unwrap());
    let depth = |image: &Image, layer| compared(0.47, image.nearest(0, layer, at, none).unwrap());
    if gather {
        sum.splat(2.0 * depth(&shadows, layer));
        sum.add(maps.gathered(layer, [u, v], [0, 0]).map(|t| t[0]));
        sum.add(shadows.gathered(layer, [u, v], [0, 0]).map(|t| compared(0.47, t)));
        sum.add(shadow.gathered(face, [u, v], [0, 0]).map(|t| compared(0.47, t)));
    }
    sum.add([8.0, 8.0, 3.0, 3.0]);
    sum.splat(depth(&shadow, face));
    everywhere(sum, 2)
}

#[test]
fn depths_lie_between_zero_and_one() {
    let all = (0..64).map(|n| sixteenths(0, n % 3, [n % 8, n / 8, 0])[0]);
    assert!(all.into_iter().all(|d| (0.0..=1.0).contains(&d)));
}
