//! Passes, draws and what they leave.

use super::{every_way, host};
use rx_renderer::translate::Source;
use rx_renderer::vk::ash::vk;
use rx_renderer::*;

const TRIANGLE: &str = "
@group(0) @binding(0) var<uniform> tint: vec4f;
@vertex fn vs(@location(0) at: vec2f) -> @builtin(position) vec4f { return vec4f(at, 0.5, 1.0); }
@fragment fn fs() -> @location(0) vec4f { return tint; }";

fn bytes<T: Copy, const N: usize>(values: &[T], to: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| to(value)).collect()
}

fn floats(values: &[f32]) -> Vec<u8> {
    bytes(values, f32::to_ne_bytes)
}

/// Draws the lower left half in red over blue.
fn triangle(renderer: &mut Renderer) -> Vec<u8> {
    let stages = [("vs", Source::Wgsl(TRIANGLE)), ("fs", Source::Wgsl(TRIANGLE))];
    let program = renderer.program("triangle", stages, VertexInput::Bindings { highest: 0, translated: 0 }).unwrap();
    let format = vk::Format::R8G8B8A8_UNORM;
    let state = GraphicsState {
        elements: vec![VertexElement {
            semantic: "LOCATION".into(),
            index: 0,
            format: vk::Format::R32G32_SFLOAT,
            slot: 0,
            offset: 0,
        }],
        streams: vec![VertexStream { slot: 0, stride: 8, per_instance: false }],
        ..GraphicsState::default()
    };
    let pipeline = renderer.graphics(&program, &state.with_target(format)).unwrap();
    let target = renderer.texture(&TextureDesc::d2("target", format, 8, 8)).unwrap();
    // Clockwise on the screen, with y up: lower left, upper left, lower right.
    let corners = floats(&[-1.0, -1.0, -1.0, 1.0, 1.0, -1.0]);
    let desc = BufferDesc { name: "corners", size: corners.len() as u64, memory: MemoryUse::Device };
    let vertices = renderer.buffer(&desc).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    frame.write_buffer(&vertices, 0, &corners).unwrap();
    let colors = [Some(ColorTarget { view: target.whole(), load: Load::Clear([0.0, 0.0, 1.0, 1.0]) })];
    let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
    assert!(pass.pipeline(&pipeline).unwrap());
    pass.vertex_buffer(0, &vertices, 0).unwrap();
    pass.constants("tint", &floats(&[1.0, 0.0, 0.0, 1.0])).unwrap();
    pass.draw(0..3, 0..1).unwrap();
    pass.end().unwrap();
    frame.submit().unwrap();
    renderer.read_texture(target.whole()).unwrap()
}

#[test]
fn a_triangle_is_drawn_with_direct3d_s_conventions() {
    for (way, options) in every_way() {
        let Some(mut host) = host(options) else { return };
        let texels = triangle(host.get());
        let at = |x: usize, y: usize| &texels[(y * 8 + x) * 4..][..4];
        // y points up in clip space: the lower left is the last row's first texel.
        assert_eq!(at(0, 7), [255, 0, 0, 255], "{way}");
        assert_eq!(at(1, 2), [255, 0, 0, 255], "{way}");
        assert_eq!(at(7, 0), [0, 0, 255, 255], "{way}");
        let report = host.get().report();
        assert_eq!((report.draws, report.pipelines, report.programs), (1, 1, 1), "{way}");
        let sets = way.starts_with("sets");
        assert_eq!((report.sets_pushed, report.sets_written), if sets { (0, 1) } else { (1, 0) }, "{way}");
        assert!(report.planner.is_empty(), "{way}: {:?}", report.planner);
    }
}

#[test]
fn a_picture_is_a_png_of_the_texture() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let target = renderer.texture(&TextureDesc::d2("target", vk::Format::B8G8R8A8_UNORM, 2, 1)).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    frame.upload(target.whole(), &[3, 2, 1, 4, 7, 6, 5, 8]).unwrap();
    frame.submit().unwrap();
    let file = renderer.capture_png(&target).unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut texels = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.next_frame(&mut texels).unwrap();
    assert_eq!(texels, [1, 2, 3, 4, 5, 6, 7, 8]);
    let other = renderer.texture(&TextureDesc::d2("other", vk::Format::R16_SFLOAT, 1, 1)).unwrap();
    assert_eq!(renderer.capture_png(&other).unwrap_err().code().to_string(), "RX0551");
}
