//! Every Vulkan call's failure: an error that says what, no panic, nothing left behind.

use super::HELD;
use rx_renderer::translate::Source;
use rx_renderer::vendor_fixes::{FixId, Forced, PolicyChoice};
use rx_renderer::vk::ash::{ext, khr, vk};
use rx_renderer::vk::{Device, DeviceOptions, Instance, InstanceOptions, Surface, Swapchain};
use rx_renderer::*;
use rx_tests::faults::{self, CALLS, call};
use std::sync::{Mutex, Once, PoisonError};

/// What the library logs as an error about memory.
static LEAKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Leaks;

impl log::Log for Leaks {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.target() == "rx::memory"
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            LEAKS.lock().unwrap_or_else(PoisonError::into_inner).push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

const DRAW: &str = "
@group(0) @binding(0) var<uniform> tint: vec4f;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var nearest: sampler;
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}
@fragment fn fs() -> @location(0) vec4f { return tint + textureSample(picture, nearest, vec2f(0.5)); }";

const COUNT: &str = "
@group(0) @binding(0) var<storage, read_write> results: array<u32>;
@compute @workgroup_size(1) fn main() { results[0] = results[0] + 1u; }";

/// How a run reaches the driver.
#[derive(Clone, Copy)]
struct Way {
    sets: bool,
    render_passes: bool,
    null_descriptors: bool,
    libraries: bool,
}

const WAYS: [Way; 3] = [
    Way { sets: false, render_passes: false, null_descriptors: true, libraries: false },
    Way { sets: true, render_passes: true, null_descriptors: false, libraries: false },
    // Only pipelines are made in another way.
    Way { sets: false, render_passes: false, null_descriptors: true, libraries: true },
];

/// A surface that nobody sees.
#[allow(unsafe_code)]
pub fn surface(instance: &Instance) -> Result<Surface, Error> {
    let calls = ext::headless_surface::Instance::new(instance.loader(), instance.raw());
    // SAFETY: the instance has the extension; the surface is given on at once.
    unsafe {
        let raw = calls.create_headless_surface(&vk::HeadlessSurfaceCreateInfoEXT::default(), None).unwrap();
        Ok(Surface::from_raw(instance, raw)?)
    }
}

/// Everything that a host does, once or twice. Whatever fails ends it.
fn run(way: Way, instance: &Instance) -> Result<(), Error> {
    let mut options = DeviceOptions { compile_threads: 1, ..DeviceOptions::default() };
    options.null_descriptors = way.null_descriptors;
    options.pipeline_libraries = way.libraries;
    if way.sets {
        options.config.policy = Some(PolicyChoice::Set);
        options.config.force(FixId::SetForTables, Forced::On);
    }
    if way.render_passes {
        options.config.force(FixId::NoDynamicRendering, Forced::On);
    }
    options.window = true;
    let adapter = instance.adapter(Some("llvmpipe"))?;
    let surface = surface(instance);
    let device = Device::new(&adapter, &options)?;
    let window = Swapchain::new(&device, surface?, Pace::Display)?;
    let mut renderer = Renderer::over(device, &RendererOptions::default());
    renderer.show_in(window, [16, 8]);
    let stages = [("vs", Source::Wgsl(DRAW)), ("fs", Source::Wgsl(DRAW))];
    let draw = renderer.program("draw", stages, VertexInput::None)?;
    let count = renderer.program("count", [Source::Wgsl(COUNT)], VertexInput::None)?;
    let format = vk::Format::R8G8B8A8_UNORM;
    let state = GraphicsState { cull: Cull::None, ..GraphicsState::default() };
    let draw = renderer.graphics(&draw, &state.with_target(format).with_depth(vk::Format::D32_SFLOAT))?;
    let count = renderer.compute(&count)?;
    let results = renderer.buffer(&BufferDesc { name: "results", size: 256, memory: MemoryUse::Device })?;
    let _view = results.texels(vk::Format::R32_UINT, 0..256)?;
    let target = renderer.texture(&TextureDesc::d2("target", format, 4, 4))?;
    let depth = renderer.texture(&TextureDesc::d2("depth", vk::Format::D32_SFLOAT, 4, 4))?;
    let picture = renderer.texture(&TextureDesc::d2("picture", format, 1, 1))?;
    let nearest = renderer.sampler(&SamplerDesc::default())?;
    // As often as there are slots, and once more: a slot is used again.
    for _ in 0..3 {
        let mut frame = renderer.begin_frame()?;
        frame.label("count")?;
        frame.fill_buffer(&results, 0..256, 0)?;
        frame.upload(picture.whole(), &[1, 2, 3, 4])?;
        frame.compute(&count)?.bind("results", &results)?.dispatch([1, 1, 1])?;
        frame.label("draw")?;
        let colors = [Some(ColorTarget { view: target.whole(), load: Load::Clear([0.0; 4]) })];
        let depth = Some(DepthTarget { view: depth.whole(), load: Load::Clear(1.0), read_only: false });
        let mut pass = frame.render(&Targets { colors: &colors, depth, size: [0; 2] })?;
        pass.pipeline(&draw)?;
        pass.constants("tint", &[0; 16])?.bind("picture", &picture)?.bind("nearest", &nearest)?;
        pass.draw(0..3, 0..1)?;
        pass.end()?;
        frame.show(&target)?;
        frame.submit()?;
    }
    // Another size: the images are made anew.
    renderer.resize([8, 16]);
    renderer.begin_frame()?.submit()?;
    // Minimised.
    renderer.resize([0, 0]);
    renderer.begin_frame()?.submit()?;
    let texels = renderer.read_texture(target.whole())?;
    assert_eq!(texels[..4], [1, 2, 3, 4]);
    assert_eq!(renderer.read_buffer(&results, 0..4)?, [1, 0, 0, 0]);
    renderer.device().pipeline_cache()?;
    let _ = renderer.timings();
    renderer.wait_idle()
}

/// One run with the validation layers, and that nothing is left of it.
fn watched(way: Way, what: &str) -> Result<(), Error> {
    LEAKS.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let options = InstanceOptions {
        application: "faults".to_owned(),
        validation: true,
        extensions: vec![khr::surface::NAME, ext::headless_surface::NAME],
        loader: faults::loader(),
        ..InstanceOptions::default()
    };
    let instance = Instance::new(&options)?;
    let ended = run(way, &instance);
    let messages = instance.take_messages();
    assert!(messages.is_empty(), "{what}: {messages:#?}");
    let leaks = LEAKS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(leaks.is_empty(), "{what}: {leaks:?}");
    ended
}

/// Calls until the run's pipeline is linked: its four parts, and the link.
const LINKED: u32 = 5;

/// Calls whose failure a host does not need to hear of, and why.
const BORNE: &[(&str, &str)] = &[
    ("vkResetDescriptorPool", "it never fails by the specification"),
    ("vkGetQueryPoolResults", "there are no timings then"),
    ("vkGetSemaphoreCounterValue", "what was dropped waits longer"),
    ("vkQueueWaitIdle", "at the end the timeline is waited for instead"),
];

#[test]
fn every_call_may_fail() {
    let _held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    static LOG: Once = Once::new();
    LOG.call_once(|| {
        log::set_logger(&Leaks).unwrap();
        log::set_max_level(log::LevelFilter::Error);
    });
    let mut reached = std::collections::BTreeSet::new();
    for way in WAYS {
        faults::reset();
        if let Err(error) = watched(way, "nothing fails") {
            let must = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!must, "no Vulkan device, and CI=true forbids to skip: {error}");
            println!("skipped: no Vulkan device: {error}");
            return;
        }
        let counts: Vec<u32> = CALLS.iter().map(|own| own.count()).collect();
        for (own, count) in CALLS.iter().zip(counts) {
            if count > 0 {
                reached.insert(own.name);
            }
            if way.libraries && own.name != "vkCreateGraphicsPipelines" {
                continue;
            }
            // The first ones, the last one, and some between.
            let which = (1..=count).filter(|n| *n <= 4 || *n == count || n % 7 == 0);
            for n in which {
                for result in results(own.name) {
                    faults::reset();
                    own.fail(n, result);
                    let what = format!("{} call {n} of {count}: {result:?}", own.name);
                    println!("{what}");
                    let ended = watched(way, &what);
                    // One that was linked stays linked where it is not compiled as a whole afterwards.
                    let hit = own.count() >= n && !(way.libraries && n > LINKED);
                    check(own.name, result, &what, hit, ended);
                }
            }
        }
    }
    faults::reset();
    // A function of the shim that no run reaches tests nothing.
    let missed: Vec<&str> = CALLS.iter().map(|own| own.name).filter(|name| !reached.contains(name)).collect();
    assert!(missed.is_empty(), "no run calls {missed:?}");
}

fn results(name: &str) -> Vec<vk::Result> {
    match name {
        "vkQueueSubmit" | "vkWaitSemaphores" | "vkQueueWaitIdle" => {
            vec![vk::Result::ERROR_DEVICE_LOST, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY]
        }
        "vkAllocateDescriptorSets" => vec![
            vk::Result::ERROR_OUT_OF_POOL_MEMORY,
            vk::Result::ERROR_FRAGMENTED_POOL,
            vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        ],
        "vkAcquireNextImageKHR" | "vkQueuePresentKHR" => {
            vec![vk::Result::ERROR_OUT_OF_DATE_KHR, vk::Result::ERROR_SURFACE_LOST_KHR, vk::Result::ERROR_DEVICE_LOST]
        }
        "vkCreateSwapchainKHR" | "vkGetPhysicalDeviceSurfaceCapabilitiesKHR" => {
            vec![vk::Result::ERROR_SURFACE_LOST_KHR, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY]
        }
        _ => vec![vk::Result::ERROR_OUT_OF_DEVICE_MEMORY],
    }
}

/// The error says what failed; a failure that can be helped is.
fn check(name: &str, result: vk::Result, what: &str, hit: bool, ended: Result<(), Error>) {
    use vk::Result as R;
    let retried = [R::ERROR_OUT_OF_POOL_MEMORY, R::ERROR_FRAGMENTED_POOL, R::ERROR_OUT_OF_DATE_KHR];
    let helped = retried.contains(&result) || BORNE.iter().any(|(own, _)| *own == name);
    match ended {
        // A run whose threads go another way may have fewer calls.
        Ok(()) => assert!(helped || !hit, "{what}: nobody heard of it"),
        Err(error) => {
            let text = error.to_string();
            assert!(error.code().0 >= 520 || error.code().0 == 510, "{what}: {text}");
            let named = text.contains(name) || name == "vkCreateInstance";
            assert!(named, "{what}: the error does not name the call: {text}");
            let code = match result {
                R::ERROR_DEVICE_LOST => Some(522),
                R::ERROR_SURFACE_LOST_KHR => Some(523),
                _ => None,
            };
            assert!(code.is_none_or(|code| error.code().0 == code), "{what}: {text}");
        }
    }
}

#[test]
fn a_lost_device_says_what_it_was_doing() {
    let _held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    faults::reset();
    let options = InstanceOptions { loader: faults::loader(), ..InstanceOptions::default() };
    let Ok(instance) = Instance::new(&options) else { return };
    let Ok(adapter) = instance.adapter(Some("llvmpipe")) else { return };
    let device = Device::new(&adapter, &DeviceOptions::default()).unwrap();
    let mut renderer = Renderer::over(device, &RendererOptions::default());
    let results = renderer.buffer(&BufferDesc { name: "results", size: 16, memory: MemoryUse::Device }).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    for name in ["shadow map", "lighting"] {
        frame.label(name).unwrap();
        frame.fill_buffer(&results, 0..16, 1).unwrap();
    }
    let submitted = frame.submit().unwrap();
    // The GPU is through: the mark is the last section's.
    renderer.wait_idle().unwrap();
    call("vkWaitSemaphores").fail(1, vk::Result::ERROR_DEVICE_LOST);
    call("vkQueueSubmit").fail(1, vk::Result::ERROR_DEVICE_LOST);
    assert!(submitted.wait().is_ok(), "what is known to be done needs no call");
    let mut frame = renderer.begin_frame().unwrap();
    frame.label("bloom").unwrap();
    let Err(lost) = frame.submit() else { panic!("the submission fails") };
    let text = "RX0522: vkQueueSubmit: the device is lost; the GPU had begun lighting; not yet: bloom";
    assert_eq!(lost.to_string(), text);
    // A lost device stays lost.
    let again = renderer.begin_frame().err().map(|error| error.to_string());
    assert_eq!(again.as_deref(), Some(text));
    faults::reset();
}
