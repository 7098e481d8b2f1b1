//! What is bound by name and register, and what is not bound.

use super::{every_way, host};
use rx_renderer::translate::Source;
use rx_renderer::vk::ash::vk;
use rx_renderer::*;

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
