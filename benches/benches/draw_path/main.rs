//! What does a draw cost the processor: bound by a push, by a set of its own, by a set that is there already?
//!
//! 10,000 draws of one program with a constant buffer, a texture and a sampler are recorded through the renderer, and by a
//! loop over ash that does the same by hand: the floor. Only recording is timed. Each way is held against its own floor, and
//! sets against pushes.
//!
//! `RX_VK_DEVICE` chooses the device.
#![allow(missing_docs, unsafe_code, clippy::print_stdout, clippy::unwrap_used)]

mod hand;

use std::time::{Duration, Instant};

use hand::Hand;
use rx_renderer::translate::Source;
use rx_renderer::vendor_fixes::{FixId, Forced, PolicyChoice};
use rx_renderer::vk::ash::vk;
use rx_renderer::*;

/// Draws of a recording.
pub const DRAWS: u64 = 10_000;
/// Bytes of one draw's constants, and from one to the next.
pub const CONSTANTS: u64 = 256;
const RUNS: usize = 15;

pub const SHADER: &str = "
@group(0) @binding(0) var<uniform> tint: vec4f;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var nearest: sampler;
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 0.01, f32(i >> 1u) * 0.01, 0.5, 1.0);
}
@fragment fn fs() -> @location(0) vec4f { return tint + textureSample(picture, nearest, vec2f(0.5)); }";

/// Which descriptors a draw changes.
#[derive(Clone, Copy, PartialEq)]
pub enum Change {
    /// Its own constants: new descriptors for every draw.
    Constants,
    /// Its own constants, and another texture than the draw before.
    Texture,
    /// One of eight: the descriptors were there before.
    OneOfEight,
}

impl Change {
    /// Where a draw's constants stand.
    pub fn offset(self, draw: u64) -> u64 {
        CONSTANTS * if self == Change::OneOfEight { draw % 8 } else { draw }
    }

    /// Which of two textures a draw has.
    pub fn picture(self, draw: u64) -> usize {
        usize::from(self == Change::Texture && !draw.is_multiple_of(2))
    }
}

/// The renderer's own objects.
pub struct Bench {
    pub renderer: Renderer,
    pub program: Program,
    pub pipeline: Pipeline,
    pub constants: Buffer,
    pub pictures: [Texture; 2],
    pub nearest: Sampler,
    pub target: Texture,
}

impl Bench {
    fn new(sets: bool) -> Option<Bench> {
        let (mut options, _) = RendererOptions::from_environment("draw_path");
        if sets {
            options.config.policy = Some(PolicyChoice::Set);
            options.config.force(FixId::SetForTables, Forced::On);
        }
        let mut renderer = match Renderer::headless(&options) {
            Ok(renderer) => renderer,
            Err(error) => {
                println!("skipped: {error}");
                return None;
            }
        };
        let stages = [("vs", Source::Wgsl(SHADER)), ("fs", Source::Wgsl(SHADER))];
        let program = renderer.program("draw path", stages, VertexInput::None).unwrap();
        let format = vk::Format::R8G8B8A8_UNORM;
        let pipeline = renderer.graphics(&program, &GraphicsState::default().with_target(format)).unwrap();
        pipeline.wait().unwrap();
        let desc = BufferDesc { name: "constants", size: DRAWS * CONSTANTS, memory: MemoryUse::Device };
        let constants = renderer.buffer(&desc).unwrap();
        let pictures = ["first", "second"].map(|name| renderer.texture(&TextureDesc::d2(name, format, 4, 4)).unwrap());
        let target = renderer.texture(&TextureDesc::d2("target", format, 64, 64)).unwrap();
        let nearest = renderer.sampler(&SamplerDesc::default()).unwrap();
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&constants, 0..constants.size(), 0).unwrap();
        pictures.iter().for_each(|picture| frame.upload(picture.whole(), &[0; 64]).unwrap());
        frame.submit().unwrap().wait().unwrap();
        Some(Bench { renderer, program, pipeline, constants, pictures, nearest, target })
    }

    /// The renderer's way: the time of its recording.
    fn record(&mut self, change: Change) -> Duration {
        let mut frame = self.renderer.begin_frame().unwrap();
        let colors = [Some(ColorTarget { view: self.target.whole(), load: Load::Clear([0.0; 4]) })];
        let [tint, picture] = ["tint", "picture"].map(|name| self.program.slot(name).unwrap());
        let begun = Instant::now();
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
        pass.pipeline(&self.pipeline).unwrap();
        pass.bind("picture", &self.pictures[0]).unwrap().bind("nearest", &self.nearest).unwrap();
        for draw in 0..DRAWS {
            let offset = change.offset(draw);
            pass.bind_slot(tint, (&self.constants, offset..offset + CONSTANTS)).unwrap();
            if change == Change::Texture {
                pass.bind_slot(picture, &self.pictures[change.picture(draw)]).unwrap();
            }
            pass.draw(0..3, 0..1).unwrap();
        }
        pass.end().unwrap();
        let elapsed = begun.elapsed();
        frame.submit().unwrap().wait().unwrap();
        elapsed
    }
}

/// One way: the renderer's best time, the floor's, and their ratio.
fn measure(name: &str, bench: &mut Bench, hand: &mut Hand, change: Change) -> f64 {
    let (mut own, mut floor) = (Duration::MAX, Duration::MAX);
    // In turn, so that what disturbs the machine disturbs both.
    for _ in 0..RUNS {
        own = own.min(bench.record(change));
        floor = floor.min(hand.record(bench.renderer.device().raw(), change));
    }
    let each = |time: Duration| time.as_secs_f64() * 1e9 / DRAWS as f64;
    let ratio = own.as_secs_f64() / floor.as_secs_f64();
    println!("{name:<22} {:>7.0} ns a draw; by hand {:>7.0} ns; {ratio:.2} of the floor", each(own), each(floor));
    each(own)
}

fn main() {
    let Some(mut pushed) = Bench::new(false) else { return };
    println!("{}, {DRAWS} draws, best of {RUNS} recordings\n", pushed.renderer.real_facts().name);
    let mut hand = Hand::new(&pushed, pushed.program.is_pushed());
    let push = measure("pushed", &mut pushed, &mut hand, Change::Constants);
    measure("pushed, a texture too", &mut pushed, &mut hand, Change::Texture);
    hand.destroy(&pushed);
    let Some(mut sets) = Bench::new(true) else { return };
    let mut hand = Hand::new(&sets, false);
    let set = measure("a set a draw", &mut sets, &mut hand, Change::Constants);
    let reused = measure("a set that is there", &mut sets, &mut hand, Change::OneOfEight);
    hand.destroy(&sets);
    println!("\nan update-after-bind set costs {:.2} of a push, one that is there {:.2}", set / push, reused / push);
}
