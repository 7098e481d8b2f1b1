//! Copies, fills and clears in a frame. None of them within a pass.

use std::ffi::c_void;

use crate::frame::{record, rx_frame};
use crate::resource::{rx_buffer, rx_view};
use crate::result::{Failure, rx_result};

/// Writes bytes to a buffer, in the order of the recording. They are copied during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_write_buffer(
    frame: *mut rx_frame,
    buffer: *const rx_buffer,
    offset: u64,
    bytes: *const c_void,
    size: usize,
) -> rx_result {
    record!(frame, |own| Ok(own.write_buffer(&arg!(buffer).0, offset, bytes!(bytes, size))?))
}

/// Copies bytes from one buffer to another; within one where the ranges lie apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_copy_buffer(
    frame: *mut rx_frame,
    from: *const rx_buffer,
    from_offset: u64,
    to: *const rx_buffer,
    to_offset: u64,
    size: u64,
) -> rx_result {
    record!(frame, |own| Ok(own.copy_buffer(&arg!(from).0, from_offset, &arg!(to).0, to_offset, size)?))
}

/// Fills a range of a buffer with a word; offset and size are multiples of 4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_fill_buffer(
    frame: *mut rx_frame,
    buffer: *const rx_buffer,
    offset: u64,
    size: u64,
    word: u32,
) -> rx_result {
    record!(frame, |own| {
        let end = offset.checked_add(size).ok_or_else(|| Failure::value("size", size))?;
        Ok(own.fill_buffer(&arg!(buffer).0, offset..end, word)?)
    })
}

/// Writes the texels of one level: rows tightly packed, slices and layers one after another; `size` is what rx_view_bytes
/// says. They are copied during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_upload(
    frame: *mut rx_frame,
    view: *const rx_view,
    bytes: *const c_void,
    size: usize,
) -> rx_result {
    record!(frame, |own| Ok(own.upload(arg!(view).level()?, bytes!(bytes, size))?))
}

/// Copies the texels of one level to a buffer, packed in the same way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_download(
    frame: *mut rx_frame,
    view: *const rx_view,
    buffer: *const rx_buffer,
    offset: u64,
) -> rx_result {
    record!(frame, |own| Ok(own.download(arg!(view).level()?, &arg!(buffer).0, offset)?))
}

/// Makes what was written to a buffer visible to rx_buffer_read, once the submission is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_host_reads(frame: *mut rx_frame, buffer: *const rx_buffer) -> rx_result {
    record!(frame, |own| Ok(own.host_reads(&arg!(buffer).0)?))
}

/// Clears a part of a colour texture to four floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_clear_color(
    frame: *mut rx_frame,
    view: *const rx_view,
    color: *const f32,
) -> rx_result {
    record!(frame, |own| { Ok(own.clear_color(arg!(view).get()?, four!(color))?) })
}

/// Clears a part of a texture of whole numbers to four of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_clear_uint(
    frame: *mut rx_frame,
    view: *const rx_view,
    value: *const u32,
) -> rx_result {
    record!(frame, |own| { Ok(own.clear_uint(arg!(view).get()?, four!(value))?) })
}

/// Copies one level of a texture to a level of another of the same size and texel bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_copy_texture(
    frame: *mut rx_frame,
    from: *const rx_view,
    to: *const rx_view,
) -> rx_result {
    record!(frame, |own| Ok(own.copy_texture(arg!(from).level()?, arg!(to).level()?)?))
}

/// Copies one level of a texture to a level of another of any size and format, filtered where the sizes differ.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_blit(frame: *mut rx_frame, from: *const rx_view, to: *const rx_view) -> rx_result {
    record!(frame, |own| Ok(own.blit(arg!(from).level()?, arg!(to).level()?)?))
}
