//! How long from nothing to the first picture: with an empty pipeline cache, and with the one that a run before kept?
//!
//! The demo scene at 320 x 180: the device is made, every shader is translated and planned, every pipeline compiled, one
//! frame drawn and read back. `RX_VK_DEVICE` chooses the device.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

use std::path::Path;
use std::time::{Duration, Instant};

use rx_renderer::scene::{Kind, Scene, SceneOptions};
use rx_renderer::{Renderer, RendererOptions};

const RUNS: usize = 5;

/// The times of one start.
struct Start {
    device: Duration,
    scene: Duration,
    frame: Duration,
    restored: u64,
}

fn start(folder: &Path) -> Option<(Start, String)> {
    let (mut options, _) = RendererOptions::from_environment("first_frame");
    options.cache_folder = Some(folder.to_owned());
    let begun = Instant::now();
    let mut renderer = match Renderer::headless(&options) {
        Ok(renderer) => renderer,
        Err(error) => {
            println!("skipped: {error}");
            return None;
        }
    };
    let device = begun.elapsed();
    let begun = Instant::now();
    let options = SceneOptions { width: 320, height: 180, ..SceneOptions::default() };
    let scene = Scene::new(&mut renderer, &options, &mut |_, _| {}).unwrap();
    let made = begun.elapsed();
    let begun = Instant::now();
    scene.frame(&mut renderer, 0, Kind::Whole).unwrap();
    renderer.read_texture(scene.display().whole()).unwrap();
    let restored = renderer.report().cache_restored_bytes;
    let start = Start { device, scene: made, frame: begun.elapsed(), restored };
    Some((start, renderer.real_facts().name.clone()))
}

/// The median of some times, in milliseconds.
fn median(starts: &[Start], time: impl Fn(&Start) -> Duration) -> f64 {
    let mut times: Vec<Duration> = starts.iter().map(time).collect();
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn print(name: &str, starts: &[Start]) -> f64 {
    let (device, scene, frame) =
        (median(starts, |s| s.device), median(starts, |s| s.scene), median(starts, |s| s.frame));
    let restored = starts.last().map_or(0, |start| start.restored);
    let all = device + scene + frame;
    println!(
        "{name}: {all:.0} ms: device {device:.0}, shaders and pipelines {scene:.0}, first frame {frame:.0}; {restored} bytes restored"
    );
    all
}

fn main() {
    let mut cold = Vec::new();
    let mut warm = Vec::new();
    let mut name = String::new();
    // In turn, so that what disturbs the machine disturbs both.
    for _ in 0..RUNS {
        let folder = tempfile::tempdir().unwrap();
        let Some((first, device)) = start(folder.path()) else { return };
        let Some((second, _)) = start(folder.path()) else { return };
        cold.push(first);
        warm.push(second);
        name = device;
    }
    println!("{name}, median of {RUNS} starts\n");
    let (cold, warm) = (print("cold", &cold), print("warm", &warm));
    println!("\na warm start takes {:.2} of a cold one", warm / cold);
}
