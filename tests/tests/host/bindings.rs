//! What is bound by name and register, and what is not bound.

use super::{every_way, host};
use rx_renderer::translate::Source;
use rx_renderer::vk::ash::vk;
use rx_renderer::*;
use std::ops::Range;

/// One of each kind that WGSL has; the results are summed, so that every descriptor counts.
const SUM: &str = "
struct Constants { factor: u32, pad: u32 }
@group(0) @binding(0) var<uniform> constants: Constants;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var picture: texture_2d<f32>;
@group(0) @binding(3) var nearest: sampler;
@group(0) @binding(4) var<storage, read_write> results: array<u32>;
@group(0) @binding(5) var image: texture_storage_2d<r32uint, write>;
@compute @workgroup_size(1) fn main() {
    let texel = textureSampleLevel(picture, nearest, vec2f(0.5), 0.0);
    results[0] = constants.factor * numbers[1] + u32(texel.x * 255.0 + 0.5);
    results[1] = results[1] + 1u;
    textureStore(image, vec2i(0, 0), vec4u(results[0], 0u, 0u, 0u));
}";

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect()
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

#[test]
fn every_kind_of_resource_reaches_the_shader_in_every_way() {
    for (way, options) in every_way() {
        let Some(mut host) = host(options) else { return };
        let renderer = host.get();
        let program = renderer.program("sum", [Source::Wgsl(SUM)], VertexInput::None).unwrap();
        let pipeline = renderer.compute(&program).unwrap();
        let buffer = |name| renderer.buffer(&BufferDesc { name, size: 64, memory: MemoryUse::Device }).unwrap();
        let (numbers, results) = (buffer("numbers"), buffer("results"));
        let picture = renderer.texture(&TextureDesc::d2("picture", vk::Format::R8G8B8A8_UNORM, 1, 1)).unwrap();
        let image = TextureDesc {
            usage: TextureUsage { sampled: false, storage: true, target: false },
            ..TextureDesc::d2("image", vk::Format::R32_UINT, 1, 1)
        };
        let image = renderer.texture(&image).unwrap();
        let nearest = renderer.sampler(&SamplerDesc { filter: Filter::Point, ..SamplerDesc::default() }).unwrap();
        let mut frame = renderer.begin_frame().unwrap();
        frame.write_buffer(&numbers, 0, &bytes(&[1, 20])).unwrap();
        frame.fill_buffer(&results, 0..64, 0).unwrap();
        frame.upload(picture.whole(), &[7, 0, 0, 0]).unwrap();
        let mut compute = frame.compute(&pipeline).unwrap();
        compute.constants("constants", &bytes(&[3, 0])).unwrap();
        compute.bind("numbers", &numbers).unwrap();
        compute.bind("picture", &picture).unwrap().bind("nearest", &nearest).unwrap();
        compute.bind("results", &results).unwrap().bind("image", &image).unwrap();
        // Each dispatch sees what the one before wrote.
        (0..5).for_each(|_| compute.dispatch([1, 1, 1]).unwrap());
        frame.submit().unwrap();
        assert_eq!(words(&renderer.read_buffer(&results, 0..8).unwrap()), [67, 5], "{way}");
        assert_eq!(words(&renderer.read_texture(image.whole()).unwrap()), [67], "{way}");
        let report = renderer.report();
        assert_eq!(report.dispatches, 5, "{way}");
        // Nothing changed between the dispatches: one set for all of them.
        let sets = way.starts_with("sets");
        let expected = if sets { (0, 1) } else { (1, 0) };
        assert_eq!((report.sets_pushed, report.sets_written), expected, "{way}");
    }
}

#[test]
fn what_is_not_bound_reads_as_zeros() {
    for (way, options) in every_way() {
        let Some(mut host) = host(options) else { return };
        let renderer = host.get();
        let program = renderer.program("sum", [Source::Wgsl(SUM)], VertexInput::None).unwrap();
        let pipeline = renderer.compute(&program).unwrap();
        let desc = BufferDesc { name: "results", size: 64, memory: MemoryUse::Device };
        let results = renderer.buffer(&desc).unwrap();
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&results, 0..64, 9).unwrap();
        let mut compute = frame.compute(&pipeline).unwrap();
        compute.bind("results", &results).unwrap();
        compute.dispatch([1, 1, 1]).unwrap();
        frame.submit().unwrap();
        assert_eq!(words(&renderer.read_buffer(&results, 0..8).unwrap()), [0, 10], "{way}");
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let program = renderer.program("sum", [Source::Wgsl(SUM)], VertexInput::None).unwrap();
    let pipeline = renderer.compute(&program).unwrap();
    let desc = BufferDesc { name: "small", size: 16, memory: MemoryUse::Device };
    let small = renderer.buffer(&desc).unwrap();
    let picture = renderer.texture(&TextureDesc::d2("picture", vk::Format::R8_UNORM, 1, 1)).unwrap();
    let said = |error: Error| error.to_string();
    let mut frame = renderer.begin_frame().unwrap();
    let range = frame.write_buffer(&small, 8, &[0; 12]).unwrap_err();
    assert_eq!(range.to_string(), "RX0530: small: bytes 8..20 of 16");
    let mut compute = frame.compute(&pipeline).unwrap();
    let unknown = compute.bind("nunbers", &small).err().map(said).unwrap();
    assert_eq!(unknown, "RX0527: sum: nunbers: the program has nothing of this name; the nearest is numbers");
    let kind = compute.bind("picture", &small).err().map(said).unwrap();
    assert_eq!(kind, "RX0527: sum: picture: a buffer for a sampled_image");
    let kind = compute.bind("numbers", &picture).err().map(said).unwrap();
    assert_eq!(kind, "RX0527: sum: numbers: a texture for a storage_buffer");
    let element = compute.bind_element("numbers", 1, &small).err().map(said).unwrap();
    assert_eq!(element, "RX0527: sum: numbers: element 1 of an array of 1");
    frame.submit().unwrap();
}

/// Covers the target.
const CORNERS: &str = "
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}";

/// Fill the scissor rectangle with a constant, and with a texel.
const FILL: &str = "
@group(0) @binding(0) var<uniform> value: vec4u;
@fragment fn fs() -> @location(0) u32 { return value.x; }";
const SHOW: &str = "
@group(0) @binding(0) var picture: texture_2d<u32>;
@fragment fn fs() -> @location(0) u32 { return textureLoad(picture, vec2i(0), 0).x; }";

/// A pipeline of such a pixel shader, and a row of eight words to draw to.
fn row_of_words(renderer: &Renderer, name: &str, pixel: &str) -> (Pipeline, Texture) {
    let stages = [("vs", Source::Wgsl(CORNERS)), ("fs", Source::Wgsl(pixel))];
    let program = renderer.program(name, stages, VertexInput::None).unwrap();
    let state = GraphicsState { cull: Cull::None, ..GraphicsState::default() };
    let pipeline = renderer.graphics(&program, &state.with_target(vk::Format::R32_UINT)).unwrap();
    (pipeline, renderer.texture(&TextureDesc::d2("row", vk::Format::R32_UINT, 8, 1)).unwrap())
}

#[test]
fn each_draw_has_the_range_bound_last_and_a_refused_one_changes_nothing() {
    const STEP: u64 = 256;
    for (way, options) in every_way() {
        let Some(mut host) = host(options) else { return };
        let renderer = host.get();
        let (pipeline, row) = row_of_words(renderer, "fill", FILL);
        let values = BufferDesc { name: "values", size: 8 * STEP, memory: MemoryUse::Device };
        let values = renderer.buffer(&values).unwrap();
        let mut frame = renderer.begin_frame().unwrap();
        for i in 0..8 {
            frame.write_buffer(&values, STEP * i, &(i as u32 + 1).to_ne_bytes()).unwrap();
        }
        let colors = [Some(ColorTarget { view: row.whole(), load: Load::Clear([0.0; 4]) })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
        pass.pipeline(&pipeline).unwrap();
        let value = pass.slot("value").unwrap();
        // Each pixel its own; the last two the same.
        for i in 0..8 {
            let at = STEP * i.min(6);
            pass.bind_slot(value, (&values, at..at + STEP)).unwrap();
            let refused = [
                (1..STEP, "RX0530: values: bound at 1, off the device's alignment of "),
                (STEP..9 * STEP, "RX0530: values: bytes 256..2304 of 2048"),
                (STEP..STEP, "RX0530: values: bound with 256..256, less than one element"),
                (Range { start: 2 * STEP, end: STEP }, "RX0530: values: bytes 512..256 of 2048"),
            ];
            for (range, why) in refused {
                let error = pass.bind_slot(value, (&values, range)).err().unwrap().to_string();
                assert!(error.starts_with(why), "{way}: {error}");
            }
            let element = pass.bind_element("value", 1, (&values, 0..STEP)).err().unwrap().to_string();
            assert_eq!(element, "RX0527: fill: value: element 1 of an array of 1", "{way}");
            pass.scissor([i as i32, 0, i as i32 + 1, 1]).unwrap();
            pass.draw(0..3, 0..1).unwrap();
        }
        pass.end().unwrap();
        frame.submit().unwrap();
        let drawn = words(&renderer.read_texture(row.whole()).unwrap());
        assert_eq!(drawn, [1, 2, 3, 4, 5, 6, 7, 7], "{way}");
        let report = renderer.report();
        assert_eq!((report.draws, report.sets_pushed + report.sets_written), (8, 7), "{way}: what is the same stays");
    }
}

/// Read a texture as a sampled one and in place, and write one; nothing else, since any write makes every read looked at
/// again.
const SAMPLED: &str = "
@group(0) @binding(0) var picture: texture_2d<u32>;
var<workgroup> kept: u32;
@compute @workgroup_size(1) fn main() { kept = textureLoad(picture, vec2i(0), 0).x; }";
const IN_PLACE: &str = "
@group(0) @binding(0) var picture: texture_storage_2d<r32uint, read>;
var<workgroup> kept: u32;
@compute @workgroup_size(1) fn main() { kept = textureLoad(picture, vec2i(0)).x; }";
const WRITTEN: &str = "
@group(0) @binding(0) var picture: texture_storage_2d<r32uint, write>;
@compute @workgroup_size(1) fn main() { textureStore(picture, vec2i(0), vec4u(9)); }";

/// A texture of words, the same in all of a level; a level a row, a layer a column.
fn texels<const LAYERS: usize>(renderer: &mut Renderer, name: &str, levels: &[[u32; LAYERS]]) -> Texture {
    let desc = TextureDesc {
        mips: levels.len() as u32,
        layers: LAYERS as u32,
        usage: TextureUsage { sampled: true, storage: true, target: false },
        ..TextureDesc::d2(name, vk::Format::R32_UINT, 1 << (levels.len() - 1), 1)
    };
    let texture = renderer.texture(&desc).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    for (mip, layers) in (0..).zip(levels) {
        for (layer, &value) in (0..).zip(layers) {
            let view = texture.mip(mip).layer(layer);
            frame.upload(view.clone(), &bytes(&vec![value; view.size()[0] as usize])).unwrap();
        }
    }
    frame.submit().unwrap();
    texture
}

#[test]
fn each_draw_has_the_texture_bound_last() {
    for (way, options) in every_way() {
        let Some(mut host) = host(options) else { return };
        let renderer = host.get();
        let (pipeline, row) = row_of_words(renderer, "show", SHOW);
        let first = texels(renderer, "first", &[[10, 11], [20, 21]]);
        let second = texels(renderer, "second", &[[5 * 256 + 30]]);
        let mut frame = renderer.begin_frame().unwrap();
        let colors = [Some(ColorTarget { view: row.whole(), load: Load::Clear([0.0; 4]) })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
        pass.pipeline(&pipeline).unwrap();
        let bytes = vk::Format::R8G8B8A8_UINT;
        let shown = [
            first.whole(),
            second.whole(),
            first.mip(1),
            first.whole(),
            first.whole().layer(1),
            second.whole().with_format(bytes),
            second.mip(0),
            first.whole(),
        ];
        for (x, view) in (0..).zip(shown) {
            pass.bind("picture", view).unwrap();
            pass.scissor([x, 0, x + 1, 1]).unwrap();
            pass.draw(0..3, 0..1).unwrap();
        }
        pass.end().unwrap();
        frame.submit().unwrap();
        let drawn = words(&renderer.read_texture(row.whole()).unwrap());
        assert_eq!(drawn, [10, 1310, 20, 10, 11, 30, 1310, 10], "{way}");
    }
}

#[test]
fn a_texture_is_moved_from_one_use_to_another_and_back() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let pipeline = |renderer: &Renderer, name, source| {
        let program = renderer.program(name, [Source::Wgsl(source)], VertexInput::None).unwrap();
        renderer.compute(&program).unwrap()
    };
    let sampled = pipeline(renderer, "sampled", SAMPLED);
    let in_place = pipeline(renderer, "in place", IN_PLACE);
    let written = pipeline(renderer, "written", WRITTEN);
    // Two levels: read in place and written is the first alone.
    let picture = texels(renderer, "picture", &[[7], [8]]);
    let mut frame = renderer.begin_frame().unwrap();
    // The layers see it where a move is left out.
    for pipeline in [&sampled, &in_place, &sampled, &written, &sampled, &sampled] {
        let mut compute = frame.compute(pipeline).unwrap();
        compute.bind("picture", &picture).unwrap();
        compute.dispatch([1, 1, 1]).unwrap();
    }
    frame.submit().unwrap();
    assert_eq!(words(&renderer.read_texture(picture.mip(0)).unwrap()), [9, 7]);
}
