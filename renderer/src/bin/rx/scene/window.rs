//! The scene in a window.
//!
//! Owns the window and its line of statistics: in the title, and on standard output as it closes. Everything drawn is the
//! scene's, at its own size, scaled to the window's.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rx_renderer::scene::{Kind, Scene, SceneOptions};
use rx_renderer::vendor_fixes::Config;
use rx_renderer::vk::Report;
use rx_renderer::{Renderer, RendererOptions};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowAttributes, WindowId};

use super::picture::options_for;
use crate::failure::Failure;
use crate::out::Out;

/// How often the line changes.
const STATISTICS: Duration = Duration::from_millis(500);

/// What is to be shown.
#[derive(Clone, Debug)]
pub struct Show {
    /// Width and height of the scene, and of the window as it opens.
    pub size: [u32; 2],
    /// Frames after which the window closes.
    pub frames: Option<u32>,
}

/// Shows the scene until the window is closed.
pub fn show(show: &Show, config: &Config, out: &mut Out) -> Result<(), Failure> {
    let events = EventLoop::new().map_err(|error| Failure::window(&error))?;
    events.set_control_flow(ControlFlow::Poll);
    let mut shown = Shown { show: show.clone(), options: options_for(config), open: None, failed: None, report: None };
    events.run_app(&mut shown).map_err(|error| Failure::window(&error))?;
    if let Some(failure) = shown.failed {
        return Err(failure);
    }
    if let Some((line, report)) = shown.report {
        out.line(&line)?;
        report.to_string().lines().try_for_each(|line| out.line(&format!("  {line}")))?;
    }
    Ok(())
}

struct Shown {
    show: Show,
    options: RendererOptions,
    open: Option<Open>,
    failed: Option<Failure>,
    report: Option<(String, Report)>,
}

/// A window with the scene in it.
struct Open {
    scene: Scene,
    renderer: Renderer,
    window: Arc<Window>,
    index: u32,
    /// Frames and time since the line was written last.
    recent: (u32, Instant),
    line: String,
}

impl ApplicationHandler for Shown {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.open.is_none() {
            match Open::new(events, &self.show, &self.options) {
                Ok(open) => self.open = Some(open),
                Err(failure) => self.fail(events, failure),
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(open) = &mut self.open else { return };
        match event {
            WindowEvent::Resized(size) => open.renderer.resize([size.width, size.height]),
            WindowEvent::CloseRequested => self.close(events),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key: Key::Named(NamedKey::Escape), state: ElementState::Pressed, .. },
                ..
            } => self.close(events),
            WindowEvent::RedrawRequested => {
                let ended = open.draw().map(|()| self.show.frames.is_some_and(|frames| open.index >= frames));
                match ended {
                    Ok(false) => {}
                    Ok(true) => self.close(events),
                    Err(failure) => self.fail(events, failure),
                }
            }
            _ => {}
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(open) = &self.open {
            open.window.request_redraw();
        }
    }
}

impl Shown {
    fn close(&mut self, events: &ActiveEventLoop) {
        if let Some(open) = self.open.take() {
            self.report = Some((open.line.clone(), open.renderer.report()));
        }
        events.exit();
    }

    fn fail(&mut self, events: &ActiveEventLoop, failure: Failure) {
        self.failed = Some(failure);
        self.open = None;
        events.exit();
    }
}

impl Open {
    fn new(events: &ActiveEventLoop, show: &Show, options: &RendererOptions) -> Result<Open, Failure> {
        let [width, height] = show.size;
        let attributes: WindowAttributes =
            Window::default_attributes().with_title("rx demo").with_inner_size(LogicalSize::new(width, height));
        let window = events.create_window(attributes).map_err(|error| Failure::window(&error))?;
        let window = Arc::new(window);
        let size = window.inner_size();
        let mut renderer = Renderer::windowed(options, Arc::clone(&window), [size.width, size.height])?;
        let scene = SceneOptions { width, height, ..SceneOptions::default() };
        let scene = Scene::new(&mut renderer, &scene, &mut |done, all| {
            window.set_title(&format!("rx demo: {done} of {all} pipelines"));
        })?;
        Ok(Open { scene, renderer, window, index: 0, recent: (0, Instant::now()), line: String::new() })
    }

    fn draw(&mut self) -> Result<(), Failure> {
        let mut frame = self.renderer.begin_frame()?;
        self.scene.record(&mut frame, self.index, Kind::Whole)?;
        frame.show(self.scene.display())?;
        frame.submit()?;
        self.index += 1;
        self.recent.0 += 1;
        let elapsed = self.recent.1.elapsed();
        if elapsed >= STATISTICS || self.line.is_empty() {
            self.line = self.statistics(elapsed);
            self.window.set_title(&format!("rx demo: {}", self.line));
            self.recent = (0, Instant::now());
        }
        Ok(())
    }

    /// The line of statistics.
    fn statistics(&self, elapsed: Duration) -> String {
        let report = self.renderer.report();
        let gpu: f64 = self.renderer.timings().iter().map(|own| own.milliseconds).sum();
        let size = self.window.inner_size();
        format!(
            "{}, {} x {}, frame {}, {:.1} a second, {gpu:.1} ms on the GPU, {} programs, sets: {} pushed, {} written",
            self.renderer.real_facts().name,
            size.width,
            size.height,
            self.index,
            f64::from(self.recent.0) / elapsed.as_secs_f64().max(1e-9),
            report.programs,
            report.sets_pushed,
            report.sets_written,
        )
    }
}
