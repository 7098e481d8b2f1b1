//! Bytes of rx's own: files, texts.

use std::ffi::c_void;

use crate::result::{Failure, guard_or};

/// Bytes that rx made: a PNG file, a text, a cache. A text ends with a zero byte that its size does not count.
pub struct rx_blob {
    /// With a zero byte at its end.
    bytes: Vec<u8>,
}

impl rx_blob {
    pub(crate) fn new(mut bytes: Vec<u8>) -> rx_blob {
        bytes.push(0);
        rx_blob { bytes }
    }

    pub(crate) fn text(text: &str) -> Result<rx_blob, Failure> {
        Ok(rx_blob::new(text.as_bytes().to_vec()))
    }
}

/// The bytes; NULL of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_blob_data(blob: *const rx_blob) -> *const c_void {
    guard_or(std::ptr::null(), || Ok(arg!(blob).bytes.as_ptr().cast()))
}

/// Their number; 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_blob_size(blob: *const rx_blob) -> usize {
    guard_or(0, || Ok(arg!(blob).bytes.len() - 1))
}

/// Gives the bytes back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_blob_destroy(blob: *mut rx_blob) {
    destroy!(blob);
}
