//! The scene drawn without a window, to a PNG: what the main job and `rx demo` share.
//!
//! Owns which frames are drawn, and what is said of them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use rx_renderer::scene::{Billboards, Kind, Lighting, REFERENCE_FRAME, Scene, SceneOptions};
use rx_renderer::vendor_fixes::Config;
use rx_renderer::vk::codes;
use rx_renderer::vk::{Report, Timing};
use rx_renderer::{Renderer, RendererOptions};
use serde_json::{Map, Value, json};

use super::bar;
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::verbs::explain::wrapped;

/// Where the picture goes when nobody says.
pub const FILE: &str = "rx-demo.png";

/// What is to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The PNG.
    pub file: PathBuf,
    /// Whole frames from the first one on; `None` draws the reference frame alone, after the particles' steps of the
    /// frames before it.
    pub frames: Option<u32>,
}

/// What was drawn.
#[derive(Debug)]
pub struct Drawn {
    file: PathBuf,
    size: [u32; 2],
    frames: u32,
    device: String,
    planned_for: String,
    billboards: Billboards,
    time: Duration,
    timings: Vec<Timing>,
    report: Report,
}

/// Draws; without a Vulkan device nothing is drawn.
pub fn draw(picture: &Picture, config: &Config, out: &Out) -> Result<Option<Drawn>, Failure> {
    let begun = Instant::now();
    let mut renderer = match Renderer::headless(&options_for(config)) {
        Err(error) if error.code() == codes::NO_VULKAN => return Ok(None),
        opened => opened?,
    };
    let progress = bar(out, 0);
    let scene = compiled(&mut renderer, &progress)?;
    let frames = plan(picture.frames);
    progress.set_length(frames.len() as u64);
    progress.set_position(0);
    let whole = frames.iter().filter(|(_, kind)| *kind == Kind::Whole).count() as u32;
    for (index, kind) in frames {
        progress.set_message(format!("frame {index}"));
        let submitted = scene.frame(&mut renderer, index, kind)?;
        // A whole frame takes a software driver seconds: the bar shall tell the truth.
        if kind == Kind::Whole {
            submitted.wait()?;
        }
        progress.inc(1);
    }
    let timings = renderer.timings();
    let png = renderer.capture_png(scene.display())?;
    progress.finish_and_clear();
    std::fs::write(&picture.file, png).map_err(|error| Failure::write(&picture.file, &error))?;
    let [width, height, _] = scene.display().size();
    Ok(Some(Drawn {
        file: picture.file.clone(),
        size: [width, height],
        frames: whole,
        device: renderer.device().real_facts().name.clone(),
        planned_for: renderer.facts().name.clone(),
        billboards: scene.billboards(),
        time: begun.elapsed(),
        timings,
        report: renderer.report(),
    }))
}

/// How the command makes a renderer.
pub fn options_for(config: &Config) -> RendererOptions {
    RendererOptions { application: "rx demo".to_owned(), config: config.clone(), ..RendererOptions::default() }
}

/// The scene, shaded by the program with 19 samplers: past Metal's 16 it goes through a set, and the report says so. A
/// device that cannot have it takes the plain one; the picture is the same.
fn compiled(renderer: &mut Renderer, progress: &ProgressBar) -> Result<Scene, Failure> {
    progress.set_message("pipelines");
    let mut made = |lighting| {
        Scene::new(renderer, &SceneOptions { lighting, ..SceneOptions::default() }, &mut |done, all| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        })
    };
    match made(Lighting::Samplers19) {
        Err(error) if [codes::DEVICE_LIMIT, codes::NO_RELIEF].contains(&error.code()) => Ok(made(Lighting::Plain)?),
        other => Ok(other?),
    }
}

/// The frames, and how much of each is drawn.
fn plan(frames: Option<u32>) -> Vec<(u32, Kind)> {
    match frames {
        Some(count) => (0..count.max(1)).map(|index| (index, Kind::Whole)).collect(),
        None => {
            let before = (0..REFERENCE_FRAME).map(|index| (index, Kind::Particles));
            before.chain([(REFERENCE_FRAME, Kind::Whole)]).collect()
        }
    }
}

impl Drawn {
    /// Says it to a person.
    pub fn print(&self, out: &mut Out) -> Result<(), Failure> {
        let file = out.paint(Tone::Strong, &self.file.display().to_string());
        let [width, height] = self.size;
        let frames = if self.frames == 1 { "one frame".to_owned() } else { format!("{} frames", self.frames) };
        let seconds = self.time.as_secs_f64();
        out.line(&format!("{file}: {width} x {height}, {frames} drawn by {} in {seconds:.1} s", self.device))?;
        if self.planned_for != self.device {
            indented(&format!("planned as if on {}", self.planned_for), out)?;
        }
        if self.billboards == Billboards::Pulled {
            indented("particles pull their vertices: no geometry stage", out)?;
        }
        if !self.timings.is_empty() {
            let sections = self.timings.iter().map(|own| format!("{} {:.1}", own.name, own.milliseconds));
            let all: f64 = self.timings.iter().map(|own| own.milliseconds).sum();
            let sections = sections.collect::<Vec<_>>().join(", ");
            indented(&format!("last frame, GPU ms: {sections}; {all:.1} in all"), out)?;
        }
        self.report.to_string().lines().try_for_each(|line| indented(line, out))
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let timings = self.timings.iter().map(|own| (own.name.clone(), Value::from(own.milliseconds)));
        json!({
            "file": self.file.display().to_string(), "width": self.size[0], "height": self.size[1],
            "frames": self.frames, "device": self.device, "planned_for": self.planned_for,
            "particles": if self.billboards == Billboards::Pulled { "pulled" } else { "geometry" },
            "microseconds": u64::try_from(self.time.as_micros()).unwrap_or(u64::MAX),
            "gpu_milliseconds": timings.collect::<Map<_, _>>(),
            "programs": self.report.programs, "pipelines": self.report.pipelines,
            "sets_pushed": self.report.sets_pushed, "sets_written": self.report.sets_written,
            "moved": self.report.planner,
        })
    }
}

/// A line below the first, wrapped where there is a width.
fn indented(text: &str, out: &mut Out) -> Result<(), Failure> {
    let width = usize::from(out.columns().unwrap_or(u16::MAX)).saturating_sub(2);
    wrapped(text, width).iter().try_for_each(|line| out.line(&out.paint(Tone::Dim, &format!("  {line}"))))
}

/// The main job's picture, in the folder that it runs in.
pub fn in_folder(folder: &Path, frames: Option<u32>) -> Picture {
    Picture { file: folder.join(FILE), frames }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_picture_needs_the_particles_of_earlier_frames_alone() {
        let frames = plan(None);
        assert_eq!((frames.len(), frames[0], frames[120]), (121, (0, Kind::Particles), (120, Kind::Whole)));
        assert_eq!(plan(Some(2)), [(0, Kind::Whole), (1, Kind::Whole)]);
        assert_eq!(plan(Some(0)).len(), 1);
    }
}
