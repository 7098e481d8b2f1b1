//! Frames: what waits for what, within a pass and between, and how sets, sections and devices live.

use super::{every_way, host};
use rx_renderer::translate::Source;
use rx_renderer::vendor_fixes::PolicyChoice;
use rx_renderer::vk::ash::{ext, khr, vk};
use rx_renderer::vk::{Adapter, Device, DeviceOptions, DeviceRequest, Instance, InstanceOptions, Swapchain};
use rx_renderer::*;

const FORMAT: vk::Format = vk::Format::R32_UINT;

/// Every pixel adds one to a word, and then shows what stood in another.
const COUNT: &str = "
@group(0) @binding(0) var<storage, read_write> count: array<atomic<u32>>;
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}
@fragment fn fs() -> @location(0) u32 { return atomicAdd(&count[0], 1u); }";

const SHOW: &str = "
@group(0) @binding(0) var<storage, read> count: array<u32>;
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}
@fragment fn fs() -> @location(0) u32 { return count[0]; }";

fn pipeline(renderer: &Renderer, name: &str, text: &str) -> Pipeline {
    let stages = [("vs", Source::Wgsl(text)), ("fs", Source::Wgsl(text))];
    let program = renderer.program(name, stages, VertexInput::None).unwrap();
    let state = GraphicsState { cull: Cull::None, ..GraphicsState::default() };
    renderer.graphics(&program, &state.with_target(FORMAT)).unwrap()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect()
}

fn target(renderer: &Renderer, name: &str) -> Texture {
    renderer.texture(&TextureDesc::d2(name, FORMAT, 4, 4)).unwrap()
}

#[test]
fn a_pass_is_cut_where_a_draw_needs_what_an_earlier_one_wrote() {
    for (way, options) in every_way() {
        let Some(mut host) = host(options) else { return };
        let renderer = host.get();
        let (count, show) = (pipeline(renderer, "count", COUNT), pipeline(renderer, "show", SHOW));
        let counter = renderer.buffer(&BufferDesc { name: "counter", size: 16, memory: MemoryUse::Device }).unwrap();
        let target = target(renderer, "target");
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&counter, 0..16, 0).unwrap();
        let colors = [Some(ColorTarget { view: target.whole(), load: Load::Clear([0.0; 4]) })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
        pass.pipeline(&count).unwrap();
        pass.bind("count", &counter).unwrap();
        pass.draw(0..3, 0..1).unwrap();
        // The other half is drawn when all 16 pixels have counted.
        pass.pipeline(&show).unwrap();
        pass.bind("count", &counter).unwrap();
        pass.scissor([0, 0, 4, 2]).unwrap();
        pass.draw(0..3, 0..1).unwrap();
        pass.end().unwrap();
        frame.submit().unwrap();
        let shown = words(&renderer.read_texture(target.whole()).unwrap());
        assert_eq!(shown[..8], [16; 8], "{way}");
        // What the first draw left stays: each of its pixels had its own number.
        assert!(shown[8..].iter().all(|&number| number < 16), "{way}: {shown:?}");
        assert_eq!(words(&renderer.read_buffer(&counter, 0..4).unwrap()), [16], "{way}");
        assert_eq!(renderer.report().cut_passes, 1, "{way}");
    }
}

#[test]
fn a_target_cannot_be_sampled_in_its_own_pass() {
    const SAMPLE: &str = "
        @group(0) @binding(0) var picture: texture_2d<u32>;
        @vertex fn vs() -> @builtin(position) vec4f { return vec4f(0.0); }
        @fragment fn fs() -> @location(0) u32 { return textureLoad(picture, vec2i(0), 0).x; }";
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let sample = pipeline(renderer, "sample", SAMPLE);
    let target = target(renderer, "target");
    let mut frame = renderer.begin_frame().unwrap();
    let colors = [Some(ColorTarget { view: target.whole(), load: Load::Discard })];
    let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
    pass.pipeline(&sample).unwrap();
    let error = pass.bind("picture", &target).err().unwrap();
    assert_eq!(error.code().to_string(), "RX0528", "{error}");
    pass.end().unwrap();
    frame.submit().unwrap();
}

#[test]
fn more_sets_than_a_pool_holds_and_the_same_ones_again() {
    const ADD: &str = "
        struct Amount { value: u32 }
        @group(0) @binding(0) var<uniform> amount: Amount;
        @group(0) @binding(1) var<storage, read_write> sum: array<u32>;
        @compute @workgroup_size(1) fn main() { sum[0] = sum[0] + amount.value; }";
    let mut options = RendererOptions::default();
    options.config.policy = Some(PolicyChoice::Set);
    let Some(mut host) = host(options) else { return };
    let renderer = host.get();
    let program = renderer.program("add", [Source::Wgsl(ADD)], VertexInput::None).unwrap();
    let add = renderer.compute(&program).unwrap();
    let sum = renderer.buffer(&BufferDesc { name: "sum", size: 16, memory: MemoryUse::Device }).unwrap();
    let amounts = renderer.buffer(&BufferDesc { name: "amounts", size: 256 * 700, memory: MemoryUse::Device }).unwrap();
    for round in 1..=3 {
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&amounts, 0..amounts.size(), 1).unwrap();
        frame.fill_buffer(&sum, 0..16, 0).unwrap();
        let mut compute = frame.compute(&add).unwrap();
        compute.bind("sum", &sum).unwrap();
        for _ in 0..2 {
            for own in 0..700_u64 {
                compute.bind("amount", (&amounts, own * 256..own * 256 + 4)).unwrap();
                compute.dispatch([1, 1, 1]).unwrap();
            }
        }
        frame.submit().unwrap();
        assert_eq!(words(&renderer.read_buffer(&sum, 0..4).unwrap()), [1400]);
        let report = renderer.report();
        // The second time through, each is there already.
        assert_eq!((report.sets_written, report.sets_reused), (700 * round, 700 * round));
        // 256 sets a pool, where the driver does not give more; every recording comes by the same slot, as the readbacks
        // between them take the other.
        assert!((1..=3).contains(&report.pools), "{}", report.pools);
    }
}

#[test]
fn sections_are_timed_and_one_recording_is_open_at_a_time() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let device = renderer.device().clone();
    let buffer = renderer.buffer(&BufferDesc { name: "b", size: 1 << 20, memory: MemoryUse::Device }).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    let second = device.record().err().unwrap().to_string();
    assert_eq!(second, "RX0530: recording: a recording is open already; submit it first");
    for name in ["first", "second"] {
        frame.label(name).unwrap();
        frame.fill_buffer(&buffer, 0..1 << 20, 7).unwrap();
    }
    frame.submit().unwrap().wait().unwrap();
    let timings = renderer.timings();
    let names: Vec<&str> = timings.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["first", "second"]);
    assert!(timings.iter().all(|own| (0.0..10_000.0).contains(&own.milliseconds)), "{timings:?}");
    // Dropped, it is submitted as it is.
    let mut frame = renderer.begin_frame().unwrap();
    frame.fill_buffer(&buffer, 0..4, 9).unwrap();
    drop(frame);
    assert_eq!(words(&renderer.read_buffer(&buffer, 0..8).unwrap()), [9, 7]);
}

#[test]
fn memory_returns_when_the_gpu_is_done_with_what_was_dropped() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let before = renderer.report().memory.allocations;
    for _ in 0..20 {
        let buffer = renderer.buffer(&BufferDesc { name: "b", size: 4096, memory: MemoryUse::Device }).unwrap();
        let texture = target(renderer, "t");
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&buffer, 0..4096, 1).unwrap();
        frame.clear_uint(texture.whole(), [1; 4]).unwrap();
        // While it is being recorded.
        drop((buffer, texture));
        frame.submit().unwrap();
    }
    renderer.wait_idle().unwrap();
    assert_eq!(renderer.report().memory.allocations, before);
}

/// A device that is a game's own, which destroys it as soon as `work` has dropped what it made over it.
#[allow(unsafe_code)]
pub fn on_own_device(options: &DeviceOptions, work: impl FnOnce(Device)) {
    let Some(_held) = host(RendererOptions::default()) else { return };
    let made = Instance::new(&InstanceOptions { validation: true, ..InstanceOptions::default() }).unwrap();
    // SAFETY: the instance and the device outlive what is made over them, and the queue is used by nobody else.
    unsafe {
        let hosted = Instance::from_raw(made.loader().clone(), made.raw().clone(), &[]);
        let physical = made.adapter(Some("llvmpipe")).unwrap().raw();
        let adapter = Adapter::from_raw(&hosted, physical).unwrap();
        let request = DeviceRequest::new(&adapter, false).unwrap();
        assert!(request.needs().iter().any(|need| need.name == "timelineSemaphore" && need.required && need.present));
        let names: Vec<_> = request.extensions().iter().map(|name| name.as_ptr()).collect();
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let raw = request.with_features(|features| {
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(features);
            made.raw().create_device(physical, &info, None).unwrap()
        });
        work(Device::from_raw(&adapter, &request, raw.clone(), 0, options).unwrap());
        drop((adapter, hosted));
        // Still the game's, and nothing is left on it.
        raw.device_wait_idle().unwrap();
        raw.destroy_device(None);
    }
    let messages = made.take_messages();
    assert!(messages.is_empty(), "{messages:#?}");
}

#[test]
fn a_host_s_own_device_is_used_and_left() {
    on_own_device(&DeviceOptions::default(), |device| {
        let mut renderer = Renderer::over(device, &RendererOptions::default());
        let buffer = renderer.buffer(&BufferDesc { name: "b", size: 16, memory: MemoryUse::Device }).unwrap();
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&buffer, 0..16, 5).unwrap();
        frame.submit().unwrap();
        assert_eq!(words(&renderer.read_buffer(&buffer, 0..16).unwrap()), [5; 4]);
    });
}

#[test]
fn the_readme_s_triangle_is_drawn() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let shader = |name: &str| std::fs::read(format!("../renderer/assets/dxbc/{name}.dxbc")).unwrap();
    let (vertex, pixel) = (shader("fullscreen_vs"), shader("sky_ps"));
    let program = renderer.program("sky", [Source::Dxbc(&vertex), Source::Dxbc(&pixel)], VertexInput::None).unwrap();
    assert!(program.plans()[0].line().starts_with("sky: push"), "{}", program.plans()[0].line());
    let format = vk::Format::R8G8B8A8_UNORM;
    let state = GraphicsState { cull: Cull::None, ..GraphicsState::default() };
    let pipeline = renderer.graphics(&program, &state.with_target(format)).unwrap();
    let picture = renderer.texture(&TextureDesc::d2("picture", format, 128, 72)).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    let colors = [Some(ColorTarget { view: picture.whole(), load: Load::Clear([0.0, 0.0, 0.0, 1.0]) })];
    let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
    pass.pipeline(&pipeline).unwrap();
    pass.constants("FrameConstants", &[0; 416]).unwrap();
    pass.draw(0..3, 0..1).unwrap();
    pass.end().unwrap();
    frame.submit().unwrap();
    assert!(renderer.capture_png(&picture).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_window_s_frame_may_be_dropped_or_left_undrawn() {
    let Some(mut own) = host(RendererOptions::default()) else { return };
    // Only to hold the driver: this renderer has a window that nobody sees.
    let _ = own.get();
    let extensions = vec![khr::surface::NAME, ext::headless_surface::NAME];
    let options = InstanceOptions { validation: true, extensions, ..InstanceOptions::default() };
    let instance = Instance::new(&options).unwrap();
    let adapter = instance.adapter(Some("llvmpipe")).unwrap();
    let surface = super::faults::surface(&instance).unwrap();
    assert!(surface.is_supported(&adapter).unwrap());
    let device = Device::new(&adapter, &DeviceOptions { window: true, ..DeviceOptions::default() }).unwrap();
    let window = Swapchain::new(&device, surface, Pace::Unbound).unwrap();
    let mut renderer = Renderer::over(device, &RendererOptions::default());
    renderer.show_in(window, [8, 8]);
    for turn in 0..12_u32 {
        let mut frame = renderer.begin_frame().unwrap();
        let target = frame.target();
        match turn % 3 {
            0 => drop(frame),
            1 => frame.submit().map(|_| ()).unwrap(),
            _ => {
                let target = target.unwrap();
                assert_eq!(target.size(), [8, 8, 1]);
                frame.clear_color(target.whole(), [1.0; 4]).unwrap();
                let submitted = frame.end().unwrap();
                assert!(frame.label("after").unwrap_err().to_string().contains("it is submitted already"));
                submitted.wait().unwrap();
            }
        }
    }
    drop(renderer);
    let messages = instance.take_messages();
    assert!(messages.is_empty(), "{messages:#?}");
}
