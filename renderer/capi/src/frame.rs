//! Frames: begun, submitted, waited for.
//!
//! Owns the way from C's one handle to a frame that borrows its renderer. What is recorded is in `transfer`, `bind` and
//! `draw`.

use std::ffi::c_char;
use std::sync::{Mutex, TryLockError};

use ::rx_renderer::{Frame, NotReady, Submitted};

use crate::args;
use crate::renderer::{Held, rx_renderer};
use crate::resource::rx_texture;
use crate::result::{Failure, guard, guard_or, rx_result};
use crate::shader::rx_bool;

/// A frame being recorded. One of a renderer is open at a time; submitting or destroying it ends it.
pub struct rx_frame {
    /// Before `_held`, whose renderer it borrows.
    frame: Mutex<Frame<'static>>,
    pub(crate) not_ready: NotReady,
    _held: Held,
}

/// A submission: what the GPU has been given to do.
pub struct rx_submission(Submitted);

/// Runs what records to the frame.
///
/// # Safety
/// As [`args::get`].
pub(crate) unsafe fn with(
    frame: *const rx_frame,
    record: impl FnOnce(&mut Frame<'static>, NotReady) -> Result<(), Failure>,
) -> rx_result {
    guard(|| {
        // SAFETY: as the caller promises.
        let own = unsafe { args::get(frame, "frame") }?;
        match own.frame.try_lock() {
            Ok(mut frame) => record(&mut frame, own.not_ready),
            // After a panic: what was recorded is what it is.
            Err(TryLockError::Poisoned(poisoned)) => record(&mut poisoned.into_inner(), own.not_ready),
            Err(TryLockError::WouldBlock) => Err(Failure::busy("the frame is in another call")),
        }
    })
}

/// Records to the frame: `record!(frame, |own| …)`, with what the call needs beside it.
macro_rules! record {
    ($frame:expr, |$own:ident| $body:expr) => {
        record!($frame, |$own, _not_ready| $body)
    };
    ($frame:expr, |$own:ident, $not_ready:ident| $body:expr) => {{
        let recorded = |$own: &mut ::rx_renderer::Frame<'static>, $not_ready| $body;
        // SAFETY: as in `arg`.
        unsafe { $crate::frame::with($frame, recorded) }
    }};
}
pub(crate) use record;

/// Begins a frame. Waits for the GPU where as many are under way as the description says.
///
/// RX_ERROR_BUSY while another is open; RX_ERROR_DEVICE_LOST; RX_ERROR_SURFACE where the window is gone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_begin_frame(renderer: *mut rx_renderer, out: *mut *mut rx_frame) -> rx_result {
    create!(out, {
        let renderer = arg!(renderer);
        let mut held = renderer.hold_for_frame()?;
        // SAFETY: the frame lies beside `held` and before it, so that it goes first, and nothing else takes the renderer.
        let frame = unsafe { held.lend() }.begin_frame()?;
        Ok(rx_frame { frame: Mutex::new(frame), not_ready: renderer.not_ready, _held: held })
    })
}

/// Submits a frame, shows it in the window, and destroys it, also where that fails. `out` gets the submission; it may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_submit(frame: *mut rx_frame, out: *mut *mut rx_submission) -> rx_result {
    guard(|| {
        put_if_wanted!(out, std::ptr::null_mut());
        // A frame that is no frame is left alone.
        arg!(frame);
        // SAFETY: the caller gives up a frame that rx made.
        let submitted = submit(*unsafe { Box::from_raw(frame) })?;
        put_if_wanted!(out, Box::into_raw(Box::new(rx_submission(submitted))));
        Ok(())
    })
}

fn submit(own: rx_frame) -> Result<Submitted, Failure> {
    let rx_frame { frame, _held, .. } = own;
    let frame = frame.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(frame.submit()?)
}

/// Ends a frame that is not wanted: what was recorded is submitted nevertheless, since it counts on being executed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_destroy(frame: *mut rx_frame) {
    guard(|| {
        if !frame.is_null() {
            // SAFETY: the caller gives up a frame that rx made.
            submit(*unsafe { Box::from_raw(frame) })?;
        }
        Ok(())
    });
}

/// The window's image, as a texture that the caller destroys and uses in this frame alone; NULL without a window and while
/// it has no size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_target(frame: *mut rx_frame, out: *mut *mut rx_texture) -> rx_result {
    record!(frame, |own| {
        put!(out, std::ptr::null_mut());
        if let Some(texture) = own.target() {
            put!(out, Box::into_raw(Box::new(rx_texture(texture))));
        }
        Ok(())
    })
}

/// Copies a texture to the window, scaled to its size; without a window nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_show(frame: *mut rx_frame, texture: *const rx_texture) -> rx_result {
    record!(frame, |own| Ok(own.show(&arg!(texture).0)?))
}

/// Begins a section: its name in debuggers and its time in rx_renderer_timings. It lasts until the next one. Not within a
/// pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_label(frame: *mut rx_frame, name: *const c_char) -> rx_result {
    record!(frame, |own| Ok(own.label(text!(name))?))
}

/// Whether the GPU is done with it; 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_submission_is_done(submission: *const rx_submission) -> rx_bool {
    guard_or(0, || Ok(rx_bool::from(arg!(submission).0.is_done())))
}

/// Waits until the GPU is done with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_submission_wait(submission: *const rx_submission) -> rx_result {
    guard(|| Ok(arg!(submission).0.wait()?))
}

/// Destroys what says how far a submission is; the submission itself goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_submission_destroy(submission: *mut rx_submission) {
    destroy!(submission);
}
