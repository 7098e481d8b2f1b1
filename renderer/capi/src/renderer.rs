//! The renderer: made headless, for a window, or over a host's device; and what reads back.
//!
//! Owns the one token of a renderer: an open frame, or one call that needs the renderer whole, has it.

use std::cell::UnsafeCell;
use std::ffi::{c_char, c_void};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use ::rx_renderer::translate::Options;
use ::rx_renderer::vk::{Device, DeviceOptions};
use ::rx_renderer::{NotReady, Pace, Renderer, RendererOptions};

use crate::blob::rx_blob;
use crate::facts::{rx_facts, rx_switches};
use crate::resource::{rx_buffer, rx_texture, rx_view};
use crate::result::{Failure, check_version, guard, rx_result};
use crate::shader::rx_bool;
use crate::window::rx_window;

/// What a draw does whose pipeline is not compiled yet.
pub type rx_not_ready = u32;
/// It waits.
pub const RX_NOT_READY_WAIT: rx_not_ready = 0;
/// It is left out.
pub const RX_NOT_READY_SKIP: rx_not_ready = 1;

/// How pictures follow one another in a window.
pub type rx_pace = u32;
/// One a refresh of the display.
pub const RX_PACE_DISPLAY: rx_pace = 0;
/// As fast as they come, where the display can.
pub const RX_PACE_UNBOUND: rx_pace = 1;

/// How to make a renderer.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_renderer_desc {
    /// The application's name: drivers choose workarounds by it.
    pub application: *const c_char,
    /// The switches; NULL is none.
    pub switches: *const rx_switches,
    /// Loads the validation layers, where no switch says; what they say goes to the log and to rx_renderer_take_messages.
    pub validation: rx_bool,
    /// Where the driver's pipeline cache is kept from run to run; NULL keeps nothing.
    pub cache_folder: *const c_char,
    /// What a draw does whose pipeline is not ready.
    pub not_ready: rx_not_ready,
    /// How pictures follow one another in a window.
    pub pace: rx_pace,
    /// Frames that may be under way at once, the one being recorded with them, 1 to 8; 0 is 2.
    pub frames_in_flight: u32,
    /// Threads that compile pipelines; 0 takes as many as there are processors, less one.
    pub compile_threads: u32,
    /// Descriptors of a range without an end; 0 is 1024.
    pub unbounded_descriptors: u32,
    /// Unbound resources are told by objects of zeros, also where the driver has null descriptors.
    pub no_null_descriptors: rx_bool,
    /// Pipelines are not linked of parts made ahead.
    pub no_pipeline_libraries: rx_bool,
    /// What rx_renderer_pipeline_cache gave in an earlier run, for a host that keeps it itself; where there is no folder.
    pub pipeline_cache: *const c_void,
    /// Its bytes.
    pub pipeline_cache_size: usize,
}

impl rx_renderer_desc {
    pub(crate) fn get(&self) -> Result<RendererOptions, Failure> {
        let defaults = DeviceOptions::default();
        let config = arg_or_none!(self.switches).map(|own| own.config.clone()).unwrap_or_default();
        let frames = match self.frames_in_flight {
            0 => defaults.frames_in_flight,
            count @ 1..=8 => count as usize,
            other => return Err(Failure::value("frames_in_flight", format!("{other}; 1 to 8"))),
        };
        let threads = usize::try_from(self.compile_threads).unwrap_or(usize::MAX).min(256);
        let device = DeviceOptions {
            config: config.clone(),
            frames_in_flight: frames,
            compile_threads: threads,
            unbounded_descriptors: match self.unbounded_descriptors {
                0 => defaults.unbounded_descriptors,
                count => count,
            },
            null_descriptors: self.no_null_descriptors == 0,
            pipeline_libraries: self.no_pipeline_libraries == 0,
            pipeline_cache: bytes!(self.pipeline_cache, self.pipeline_cache_size).to_vec(),
            ..defaults
        };
        Ok(RendererOptions {
            application: text_or_none!(self.application).unwrap_or_default().to_owned(),
            config,
            validation: self.validation != 0,
            cache_folder: text_or_none!(self.cache_folder).map(PathBuf::from),
            not_ready: match self.not_ready {
                RX_NOT_READY_WAIT => NotReady::Wait,
                RX_NOT_READY_SKIP => NotReady::Skip,
                other => return Err(Failure::value("not_ready", other)),
            },
            pace: pace(self.pace)?,
            device,
        })
    }
}

pub(crate) fn pace(number: rx_pace) -> Result<Pace, Failure> {
    match number {
        RX_PACE_DISPLAY => Ok(Pace::Display),
        RX_PACE_UNBOUND => Ok(Pace::Unbound),
        other => Err(Failure::value("pace", other)),
    }
}

/// The renderer, and who has it.
struct Core {
    renderer: UnsafeCell<Renderer>,
    held: AtomicBool,
}

// SAFETY: the cell is reached through `Held` alone, of which there is one at a time, and a renderer may go from thread to
// thread (`is_send` below).
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

const fn is_send<T: Send>() {}
const _: () = is_send::<Renderer>();

/// The renderer, had by one call or one frame.
pub(crate) struct Held(Arc<Core>);

impl Held {
    /// The renderer.
    pub(crate) fn get(&mut self) -> &mut Renderer {
        // SAFETY: there is one `Held` at a time, and it is borrowed as long as what it gives.
        unsafe { &mut *self.0.renderer.get() }
    }

    /// The renderer, as long as this value lives.
    ///
    /// # Safety
    /// What is made of the reference is gone before this value is, and [`Held::get`] is not called in between.
    pub(crate) unsafe fn lend<'a>(&mut self) -> &'a mut Renderer {
        // SAFETY: as the caller promises; the core, which is in an `Arc`, does not move.
        unsafe { &mut *self.0.renderer.get() }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.held.store(false, Ordering::Release);
    }
}

/// A device with all that a game needs around it. Destroyed, its objects live on, and the device until the last of them.
pub struct rx_renderer {
    core: Arc<Core>,
    pub(crate) device: Device,
    pub(crate) options: Options,
    pub(crate) not_ready: NotReady,
    /// What rx_renderer_resize said last; width in the upper half.
    size: AtomicU64,
}

impl rx_renderer {
    pub(crate) fn new(renderer: Renderer, size: [u32; 2], not_ready: NotReady) -> rx_renderer {
        rx_renderer {
            device: renderer.device().clone(),
            options: renderer.options().clone(),
            not_ready,
            size: AtomicU64::new(packed(size)),
            core: Arc::new(Core { renderer: UnsafeCell::new(renderer), held: AtomicBool::new(false) }),
        }
    }

    /// Takes the renderer whole.
    pub(crate) fn hold(&self) -> Result<Held, Failure> {
        if self.core.held.swap(true, Ordering::Acquire) {
            return Err(Failure::busy("the renderer has an open frame, or is in another call"));
        }
        Ok(Held(Arc::clone(&self.core)))
    }

    /// The window's size from the next frame on.
    pub(crate) fn resize(&self, size: [u32; 2]) {
        self.size.store(packed(size), Ordering::Relaxed);
    }

    /// Takes the renderer for a frame, with the window's size as it is now.
    pub(crate) fn hold_for_frame(&self) -> Result<Held, Failure> {
        let mut held = self.hold()?;
        let size = self.size.load(Ordering::Relaxed);
        held.get().resize([(size >> 32) as u32, size as u32]);
        Ok(held)
    }
}

fn packed([width, height]: [u32; 2]) -> u64 {
    u64::from(width) << 32 | u64::from(height)
}

/// A renderer without a window. `desc` may be NULL.
///
/// RX_ERROR_NO_DEVICE without a Vulkan loader, driver or device; RX_ERROR_NOT_FOUND where RX_VK_DEVICE names none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_create_headless(
    api_version: u32,
    desc: *const rx_renderer_desc,
    out: *mut *mut rx_renderer,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let options = arg_or_zeros!(desc).get()?;
        Ok(rx_renderer::new(Renderer::headless(&options)?, [0; 2], options.not_ready))
    })
}

/// A renderer that shows its frames in a window of this size in pixels. `desc` may be NULL.
///
/// As rx_renderer_create_headless; RX_ERROR_SURFACE where no device shows pictures in the window.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_create_windowed(
    api_version: u32,
    desc: *const rx_renderer_desc,
    window: *const rx_window,
    width: u32,
    height: u32,
    out: *mut *mut rx_renderer,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let options = arg_or_zeros!(desc).get()?;
        let window = Arc::new(arg!(window).get()?);
        let renderer = Renderer::windowed(&options, window, [width, height])?;
        Ok(rx_renderer::new(renderer, [width, height], options.not_ready))
    })
}

/// Destroys a renderer. An open frame of it can still be submitted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_destroy(renderer: *mut rx_renderer) {
    destroy!(renderer);
}

/// Says the window's size in pixels when it changes, 0 while it is minimised. The next frame has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_resize(renderer: *mut rx_renderer, width: u32, height: u32) -> rx_result {
    guard(|| {
        arg!(renderer).resize([width, height]);
        Ok(())
    })
}

/// What is known of the renderer's device: what programs are planned for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_facts(renderer: *const rx_renderer, out: *mut *mut rx_facts) -> rx_result {
    create!(out, { Ok(rx_facts::new(arg!(renderer).device.facts().clone())) })
}

/// Waits until the device does nothing, and destroys what was given up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_wait_idle(renderer: *const rx_renderer) -> rx_result {
    guard(|| Ok(arg!(renderer).device.wait_idle()?))
}

/// Reads bytes of a buffer to `bytes`, after all frames before. Waits for the GPU; not while a frame is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_read_buffer(
    renderer: *mut rx_renderer,
    buffer: *const rx_buffer,
    offset: u64,
    bytes: *mut c_void,
    size: usize,
) -> rx_result {
    guard(|| {
        let (renderer, buffer) = (arg!(renderer), &arg!(buffer).0);
        let end = offset.checked_add(size as u64).ok_or_else(|| Failure::value("offset", offset))?;
        // Before the bytes are read: nothing is written to NULL.
        if size > 0 && bytes.is_null() {
            return Err(Failure::null("bytes"));
        }
        let read = renderer.hold()?.get().read_buffer(buffer, offset..end)?;
        // SAFETY: the caller has memory for `size` bytes, as many as were read.
        unsafe { crate::args::put_bytes(bytes, &read, "bytes") }
    })
}

/// Reads the texels of one level to `bytes`: rows tightly packed, slices and layers one after another; `size` is what
/// rx_view_bytes says. After all frames before; waits for the GPU; not while a frame is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_read_texture(
    renderer: *mut rx_renderer,
    view: *const rx_view,
    bytes: *mut c_void,
    size: usize,
) -> rx_result {
    guard(|| {
        let (renderer, view) = (arg!(renderer), arg!(view).level()?);
        let needed = view.bytes()?;
        if needed != size as u64 {
            return Err(Failure::value("size", format!("{size} bytes for texels of {needed}")));
        }
        if bytes.is_null() {
            return Err(Failure::null("bytes"));
        }
        let read = renderer.hold()?.get().read_texture(view)?;
        // SAFETY: the caller has memory for `size` bytes, as many as were read.
        unsafe { crate::args::put_bytes(bytes, &read, "bytes") }
    })
}

/// A texture of four components of eight bits as a PNG file's bytes: its first level and layer. As
/// rx_renderer_read_texture.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_capture_png(
    renderer: *mut rx_renderer,
    texture: *const rx_texture,
    out: *mut *mut rx_blob,
) -> rx_result {
    create!(out, {
        let (renderer, texture) = (arg!(renderer), &arg!(texture).0);
        Ok(rx_blob::new(renderer.hold()?.get().capture_png(texture)?))
    })
}

/// Keeps the driver's pipeline cache in the folder of the description, now; it is done at the end too. RX_ERROR_IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_keep_pipelines(renderer: *mut rx_renderer) -> rx_result {
    guard(|| Ok(arg!(renderer).hold()?.get().keep_pipelines()?))
}

/// What the driver caches of pipelines, for a host that keeps it itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_pipeline_cache(renderer: *const rx_renderer, out: *mut *mut rx_blob) -> rx_result {
    create!(out, { Ok(rx_blob::new(arg!(renderer).device.pipeline_cache()?)) })
}
