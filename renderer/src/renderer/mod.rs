//! The renderer: a device, what a game makes by it, and its frames.
//!
//! Owns the way from a game's wishes to a device, headless or with a window, and what is kept from run to run. It decides
//! nothing that the crates below decide.

mod capture;
mod frame;
mod kept;

use std::path::PathBuf;
use std::sync::Arc;

use raw_window_handle::{HasDisplayHandle, HasWindowHandle};
use rx_translate::Options;
use rx_vendor_fixes::{Config, Warning};
use rx_vk::layout::VertexInput;
use rx_vk::{
    Adapter, Buffer, BufferDesc, Device, DeviceFacts, DeviceOptions, GraphicsState, Instance, InstanceOptions,
    MemoryUse, NotReady, Pace, Pipeline, Priority, Program, Report, Sampler, SamplerDesc, Surface, Swapchain, Texture,
    TextureDesc, Timing, View,
};

pub use frame::{Compute, Frame, Pass};

use crate::Error;
use crate::program::{StageSource, TranslatedProgram};

/// How to make a renderer. The default is a device without validation, of no particular application, that keeps nothing.
#[derive(Clone, Debug, Default)]
pub struct RendererOptions {
    /// The application's name: drivers choose workarounds by it.
    pub application: String,
    /// The switches: `RX_VK_DEVICE` and `RX_VK_VALIDATE` among them. See [`RendererOptions::from_environment`].
    pub config: Config,
    /// Loads the validation layers where the switch does not say.
    pub validation: bool,
    /// Where the driver's pipeline cache is kept from run to run; `None` keeps nothing.
    pub cache_folder: Option<PathBuf>,
    /// What a draw does whose pipeline is not compiled yet.
    pub not_ready: NotReady,
    /// How pictures follow one another in a window.
    pub pace: Pace,
    /// How to make the device; its switches are those above.
    pub device: DeviceOptions,
}

impl RendererOptions {
    /// The defaults under the process's environment: reads its variables, once. What is not understood comes beside, to be
    /// logged or shown.
    pub fn from_environment(application: &str) -> (RendererOptions, Vec<Warning>) {
        let vars = std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
        let (config, warnings) = rx_vendor_fixes::read(vars);
        (RendererOptions { application: application.to_owned(), config, ..RendererOptions::default() }, warnings)
    }
}

/// A device with all that a game needs around it.
pub struct Renderer {
    /// Before the device, which it uses.
    window: Option<Swapchain>,
    window_size: [u32; 2],
    options: Options,
    not_ready: NotReady,
    kept: Option<kept::File>,
    readback: Option<Buffer>,
    device: Device,
    /// The window itself, where the host gave it to be kept.
    _window: Option<Arc<dyn Send + Sync>>,
}

impl Drop for Renderer {
    fn drop(&mut self) {
        if let Err(error) = self.keep_pipelines() {
            log::warn!(target: "rx::pipeline", "the pipeline cache is not kept: {error}");
        }
    }
}

impl Renderer {
    /// A renderer without a window.
    ///
    /// # Errors
    /// [`Error::Vulkan`]: no loader, driver or device, or one that lacks what rx needs.
    pub fn headless(options: &RendererOptions) -> Result<Renderer, Error> {
        let instance = instance(options, None)?;
        let adapter = instance.adapter(options.config.device.as_deref())?;
        Renderer::start(options, &adapter, None)
    }

    /// A renderer that shows its frames in a window, which it keeps alive. `size` in pixels; see [`Renderer::resize`].
    ///
    /// # Errors
    /// As [`Renderer::headless`], and where no device shows pictures in the window.
    pub fn windowed<W>(options: &RendererOptions, window: Arc<W>, size: [u32; 2]) -> Result<Renderer, Error>
    where
        W: HasDisplayHandle + HasWindowHandle + Send + Sync + 'static,
    {
        let lost = |_| rx_vk::Error::NoSurface { why: "the window gives no handle".to_owned() };
        let display = window.display_handle().map_err(lost)?.as_raw();
        let handle = window.window_handle().map_err(lost)?.as_raw();
        let instance = instance(options, Some(display))?;
        // SAFETY: the renderer keeps the window alive until its swapchain, which holds the surface, is gone.
        #[allow(unsafe_code)]
        let surface = unsafe { Surface::new(&instance, display, handle) }?;
        let adapter = adapter_for(&instance, &surface, options)?;
        let mut renderer = Renderer::start(options, &adapter, Some(surface))?;
        renderer.window_size = size;
        renderer._window = Some(window);
        Ok(renderer)
    }

    /// Shows the frames in a window's images, which the host made itself: of this size in pixels.
    pub fn show_in(&mut self, window: Swapchain, size: [u32; 2]) {
        self.window = Some(window);
        self.window_size = size;
    }

    /// A renderer over a device that the host made, by [`Device::new`] or of its own.
    pub fn over(device: Device, options: &RendererOptions) -> Renderer {
        Renderer {
            window: None,
            window_size: [0; 2],
            options: Options { profile: device.profile(), ..Options::default() },
            not_ready: options.not_ready,
            kept: None,
            readback: None,
            device,
            _window: None,
        }
    }

    fn start(options: &RendererOptions, adapter: &Adapter, surface: Option<Surface>) -> Result<Renderer, Error> {
        let kept = options.cache_folder.as_deref().map(|folder| kept::File::of(folder, adapter));
        let device = DeviceOptions {
            config: options.config.clone(),
            window: surface.is_some(),
            pipeline_cache: kept.as_ref().map_or_else(Vec::new, kept::File::read),
            ..options.device.clone()
        };
        let device = Device::new(adapter, &device)?;
        let window = surface.map(|surface| Swapchain::new(&device, surface, options.pace)).transpose()?;
        let mut renderer = Renderer::over(device, options);
        renderer.window = window;
        renderer.kept = kept;
        Ok(renderer)
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The facts that programs are planned for.
    pub fn facts(&self) -> &DeviceFacts {
        self.device.facts()
    }

    /// The device's own facts.
    pub fn real_facts(&self) -> &DeviceFacts {
        self.device.real_facts()
    }

    /// What the validation layers said since the last call, where they are loaded: at most the first 256 messages.
    pub fn take_messages(&self) -> Vec<String> {
        self.device.instance().take_messages()
    }

    /// How shaders are translated for the device. To change, for bindings or names, before programs are made.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The same, to change.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// Makes a buffer.
    ///
    /// # Errors
    /// As [`Device::buffer`].
    pub fn buffer(&self, desc: &BufferDesc<'_>) -> Result<Buffer, Error> {
        Ok(self.device.buffer(desc)?)
    }

    /// Makes a texture.
    ///
    /// # Errors
    /// As [`Device::texture`].
    pub fn texture(&self, desc: &TextureDesc<'_>) -> Result<Texture, Error> {
        Ok(self.device.texture(desc)?)
    }

    /// Makes a sampler.
    ///
    /// # Errors
    /// As [`Device::sampler`].
    pub fn sampler(&self, desc: &SamplerDesc<'_>) -> Result<Sampler, Error> {
        Ok(self.device.sampler(desc)?)
    }

    /// Translates a program's stages for the device, plans its sets and makes its modules and layouts.
    ///
    /// # Errors
    /// [`Error::Stage`] of a stage that is not translated; as [`Device::program`].
    pub fn program<'a, S: Into<StageSource<'a>>>(
        &self,
        name: &str,
        stages: impl IntoIterator<Item = S>,
        vertex_input: VertexInput,
    ) -> Result<Program, Error> {
        let program = TranslatedProgram::translate(name, stages, &self.options)?.with_vertex_input(vertex_input);
        self.host(&program)
    }

    /// Plans a translated program's sets and makes its modules and layouts.
    ///
    /// # Errors
    /// As [`Device::program`].
    pub fn host(&self, program: &TranslatedProgram) -> Result<Program, Error> {
        Ok(self.device.program(program.name(), program.stages(), program.vertex_input())?)
    }

    /// A graphics pipeline, which compiles in the background.
    ///
    /// # Errors
    /// As [`Device::graphics`].
    pub fn graphics(&self, program: &Program, state: &GraphicsState) -> Result<Pipeline, Error> {
        Ok(self.device.graphics(program, state, Priority::Normal)?)
    }

    /// A compute pipeline, which compiles in the background.
    ///
    /// # Errors
    /// As [`Device::compute`].
    pub fn compute(&self, program: &Program) -> Result<Pipeline, Error> {
        Ok(self.device.compute(program, &[], Priority::Normal)?)
    }

    /// Waits until pipelines are compiled; `progress` hears how many of them are.
    ///
    /// # Errors
    /// As [`Device::warm_up`].
    pub fn warm_up(&self, pipelines: &[Pipeline], progress: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        Ok(self.device.warm_up(pipelines, progress)?)
    }

    /// Says the window's size in pixels, when it changes; 0 while it is minimised.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.window_size = size;
    }

    /// Begins a frame. Waits for the GPU where as many as [`DeviceOptions::frames_in_flight`] are under way.
    ///
    /// # Errors
    /// As [`Device::record`], and those of the window.
    pub fn begin_frame(&mut self) -> Result<Frame<'_>, Error> {
        let recorder = self.device.record()?;
        let size = self.window_size;
        let image = match &mut self.window {
            Some(window) if size.iter().all(|&side| side > 0) => window.acquire(size)?,
            _ => None,
        };
        Ok(Frame::new(self, recorder, image))
    }

    /// Waits until the device does nothing.
    ///
    /// # Errors
    /// As [`Device::wait_idle`].
    pub fn wait_idle(&self) -> Result<(), Error> {
        Ok(self.device.wait_idle()?)
    }

    /// Reads bytes of a buffer, after all frames before. Waits for the GPU.
    ///
    /// # Errors
    /// [`rx_vk::Error::Argument`] past the end; [`rx_vk::Error::OutOfMemory`].
    pub fn read_buffer(&mut self, buffer: &Buffer, range: std::ops::Range<u64>) -> Result<Vec<u8>, Error> {
        let len = range.end.saturating_sub(range.start);
        if len == 0 {
            return Ok(Vec::new());
        }
        let room = self.readback(len)?;
        let mut recorder = self.device.record()?;
        recorder.copy_buffer(buffer, range.start, &room, 0, len)?;
        recorder.host_reads(&room)?;
        recorder.submit()?.wait()?;
        Ok(room.read(0..len)?)
    }

    /// Reads the texels of one level, rows tightly packed, layers one after another, after all frames before. Waits for the
    /// GPU.
    ///
    /// # Errors
    /// [`rx_vk::Error::Argument`] for several levels or samples; [`rx_vk::Error::OutOfMemory`].
    pub fn read_texture(&mut self, view: View<'_>) -> Result<Vec<u8>, Error> {
        let len = view.bytes()?;
        let room = self.readback(len)?;
        let mut recorder = self.device.record()?;
        recorder.download(view, &room, 0)?;
        recorder.submit()?.wait()?;
        Ok(room.read(0..len)?)
    }

    /// A buffer that the host reads, of this size at least; the last one where it is large enough.
    fn readback(&mut self, len: u64) -> Result<Buffer, Error> {
        if let Some(room) = self.readback.as_ref().filter(|room| room.size() >= len) {
            return Ok(room.clone());
        }
        let desc = BufferDesc { name: "rx readback", size: len, memory: MemoryUse::Readback };
        let room = self.device.buffer(&desc)?;
        self.readback = Some(room.clone());
        Ok(room)
    }

    /// What the renderer has done so far.
    pub fn report(&self) -> Report {
        self.device.report()
    }

    /// The times of the labelled sections of the last frame that the GPU is done with.
    pub fn timings(&self) -> Vec<Timing> {
        self.device.timings()
    }

    /// Keeps the driver's pipeline cache in the folder of the options. Done at the end too.
    ///
    /// # Errors
    /// [`Error::Kept`] where the file cannot be written; what was kept before stays.
    pub fn keep_pipelines(&self) -> Result<(), Error> {
        match &self.kept {
            Some(file) => file.write(&self.device.pipeline_cache()?),
            None => Ok(()),
        }
    }
}

fn instance(
    options: &RendererOptions,
    display: Option<raw_window_handle::RawDisplayHandle>,
) -> Result<Instance, Error> {
    let validation = options.config.validate.unwrap_or(options.validation);
    let application = options.application.clone();
    Ok(Instance::new(&InstanceOptions { application, validation, display, ..InstanceOptions::default() })?)
}

/// The device that the switch names, else the first by kind that shows pictures in the window.
fn adapter_for(instance: &Instance, surface: &Surface, options: &RendererOptions) -> Result<Adapter, Error> {
    let first = instance.adapter(options.config.device.as_deref())?;
    if options.config.device.is_some() || surface.is_supported(&first)? {
        return Ok(first);
    }
    for adapter in instance.adapters()? {
        if surface.is_supported(&adapter)? {
            return Ok(adapter);
        }
    }
    Ok(first)
}
