//! The demo scene, drawn on a real driver: pushed and as sets, as if on a Mac, in every language and variant.
//!
//! One small frame a test, after some steps of the particles, so that every program of the scene runs. The validation
//! layers listen to all of it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod look;
mod same;

use rx_renderer::scene::{Kind, Scene, SceneOptions};
use rx_renderer::vk::codes::NO_VULKAN;
use rx_renderer::{Renderer, RendererOptions, vendor_fixes};

/// The picture's size where nothing needs more.
pub const SIZE: [u32; 2] = [320, 180];
/// Steps of the particles before the frame: enough that embers fly.
const STEPS: u32 = 40;

/// A renderer under some switches; none where there is no driver, which is a failure on the project's own machines.
pub fn open(switches: &[(&str, &str)]) -> Option<Renderer> {
    let (config, warnings) = vendor_fixes::read(switches.iter().copied());
    assert!(warnings.is_empty(), "{warnings:?}");
    let options =
        RendererOptions { application: "rx-tests".to_owned(), config, validation: true, ..RendererOptions::default() };
    match Renderer::headless(&options) {
        Ok(renderer) => Some(renderer),
        Err(error) if error.code() == NO_VULKAN => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "no Vulkan driver: {error}");
            println!("skipped: no Vulkan driver");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The options of a small picture.
pub fn small() -> SceneOptions {
    SceneOptions { width: SIZE[0], height: SIZE[1], ..SceneOptions::default() }
}

/// What a test looks at.
pub struct Picture {
    /// Rows of RGBA.
    pub pixels: Vec<u8>,
    /// The split g-buffer, image by image.
    pub images: Vec<Vec<u8>>,
    /// Of the extras: instances that are seen.
    pub visible: Vec<u32>,
    /// The scene.
    pub scene: Scene,
}

/// Draws one frame.
pub fn draw(renderer: &mut Renderer, options: &SceneOptions) -> Picture {
    draw_after(renderer, options, STEPS)
}

/// Draws one frame after so many steps of the particles.
pub fn draw_after(renderer: &mut Renderer, options: &SceneOptions, steps: u32) -> Picture {
    let scene = Scene::new(renderer, options, &mut |_, _| {}).unwrap_or_else(|error| panic!("{options:?}: {error}"));
    for index in 0..steps {
        scene.frame(renderer, index, Kind::Particles).unwrap();
    }
    scene.frame(renderer, steps, Kind::Whole).unwrap();
    let pixels = renderer.read_texture(scene.display().whole()).unwrap();
    let images = scene.split_images().iter().map(|image| renderer.read_texture(image.whole()).unwrap()).collect();
    let mut visible: Vec<u32> = Vec::new();
    if let Some(buffer) = scene.visible() {
        let bytes = renderer.read_buffer(buffer, 0..buffer.size()).unwrap();
        let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
        visible = words[1..=words[0] as usize].to_vec();
        visible.sort_unstable();
    }
    Picture { pixels, images, visible, scene }
}

/// The validation layers must have said nothing.
#[track_caller]
pub fn silent(renderer: &Renderer, of: &str) {
    let messages = renderer.device().instance().take_messages();
    assert!(messages.is_empty(), "{of}: {} messages, the first of them {:#?}", messages.len(), &messages[..1]);
}

/// The greatest difference of two pictures, and how many bytes differ by more than `by`.
pub fn differences(a: &[u8], b: &[u8], by: u8) -> (u8, usize) {
    assert_eq!(a.len(), b.len());
    let each = || a.iter().zip(b).map(|(&a, &b)| a.abs_diff(b));
    (each().max().unwrap_or(0), each().filter(|&difference| difference > by).count())
}

/// Two pictures must be the same to the pixel.
#[track_caller]
pub fn same(a: &Picture, b: &Picture, of: &str) {
    assert!(
        a.pixels == b.pixels,
        "{of}: greatest difference, bytes that differ: {:?}",
        differences(&a.pixels, &b.pixels, 0)
    );
    assert!(a.images == b.images, "{of}: the split images differ");
    assert_eq!(a.visible, b.visible, "{of}");
}
