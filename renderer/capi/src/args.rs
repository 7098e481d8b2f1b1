//! What a caller's pointers come to: references, slices, strings, or the error that names the argument.
//!
//! Owns every reading and writing through a pointer of C. The macros at the end are what the exported functions use.

use std::ffi::{CStr, c_char, c_void};

use crate::result::{Failure, guard, rx_result};

/// A handle or a structure.
///
/// # Safety
/// A pointer that is neither NULL nor misaligned is of a live `T`.
pub(crate) unsafe fn get<'a, T>(pointer: *const T, what: &str) -> Result<&'a T, Failure> {
    check(pointer, what)?;
    // SAFETY: not null and aligned; the rest the caller promises.
    Ok(unsafe { &*pointer })
}

/// The same where NULL is allowed.
///
/// # Safety
/// As [`get`].
pub(crate) unsafe fn get_or_none<'a, T>(pointer: *const T, what: &str) -> Result<Option<&'a T>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    unsafe { get(pointer, what) }.map(Some)
}

/// An array.
///
/// # Safety
/// A pointer that is neither NULL nor misaligned is of `count` live `T`.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: usize, what: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    check(pointer, what)?;
    let bytes = count.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    if bytes.is_none() {
        return Err(Failure::value(what, format!("{count} elements are more than memory holds")));
    }
    // SAFETY: not null, aligned and of a size that there is; the rest the caller promises.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Bytes.
///
/// # Safety
/// As [`slice`].
pub(crate) unsafe fn bytes<'a>(pointer: *const c_void, size: usize, what: &str) -> Result<&'a [u8], Failure> {
    // SAFETY: as the caller promises.
    unsafe { slice(pointer.cast(), size, what) }
}

/// A string.
///
/// # Safety
/// A pointer that is not NULL is of bytes that end with a zero.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Failure> {
    check(pointer, what)?;
    // SAFETY: not null; the rest the caller promises.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|error| Failure::value(what, format!("not UTF-8 from byte {} on", error.valid_up_to())))
}

/// A string, or nothing for NULL and an empty one.
///
/// # Safety
/// As [`text`].
pub(crate) unsafe fn text_or_none<'a>(pointer: *const c_char, what: &str) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    let text = unsafe { text(pointer, what) }?;
    Ok((!text.is_empty()).then_some(text))
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// A pointer that is neither NULL nor misaligned is of memory for a `T`, which need not hold one.
pub(crate) unsafe fn put<T>(out: *mut T, value: T, what: &str) -> Result<(), Failure> {
    check(out, what)?;
    // SAFETY: not null and aligned; the rest the caller promises.
    unsafe { out.write(value) };
    Ok(())
}

/// Writes bytes where the caller wants them.
///
/// # Safety
/// A pointer that is not NULL is of memory for so many bytes.
pub(crate) unsafe fn put_bytes(out: *mut c_void, value: &[u8], what: &str) -> Result<(), Failure> {
    if value.is_empty() {
        return Ok(());
    }
    check(out.cast::<u8>(), what)?;
    // SAFETY: not null, and no memory of rx; the rest the caller promises.
    unsafe { out.cast::<u8>().copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    Ok(())
}

/// Makes a handle; where that fails the caller's is NULL.
///
/// # Safety
/// As [`put`].
pub(crate) unsafe fn create<T>(out: *mut *mut T, make: impl FnOnce() -> Result<T, Failure>) -> rx_result {
    guard(|| {
        // SAFETY: as the caller promises.
        unsafe { put(out, std::ptr::null_mut(), "out") }?;
        let made = Box::into_raw(Box::new(make()?));
        // SAFETY: as above.
        unsafe { put(out, made, "out") }
    })
}

/// Destroys a handle that [`create`] made, or nothing.
///
/// # Safety
/// The handle is NULL, or was made by [`create`] and is used by nothing any more.
pub(crate) unsafe fn destroy<T>(handle: *mut T) {
    guard(|| {
        if !handle.is_null() {
            // SAFETY: as the caller promises.
            drop(unsafe { Box::from_raw(handle) });
        }
        Ok(())
    });
}

fn check<T>(pointer: *const T, what: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::null(what));
    }
    if !pointer.is_aligned() {
        return Err(Failure::value(what, format!("not aligned to {} bytes", align_of::<T>())));
    }
    Ok(())
}

/// The range of `count` from `first`.
pub(crate) fn range(first: u32, count: u32, what: &str) -> Result<std::ops::Range<u32>, Failure> {
    let end = first.checked_add(count);
    end.map(|end| first..end).ok_or_else(|| Failure::value(what, format!("{count} from {first} on are past 2^32")))
}

/// An argument through its pointer, by the name that it has in the header.
macro_rules! arg {
    ($pointer:expr) => {
        // SAFETY: the caller keeps the header's rules for pointers.
        unsafe { $crate::args::get($pointer, stringify!($pointer)) }?
    };
}

/// The same where NULL is allowed.
macro_rules! arg_or_none {
    ($pointer:expr) => {
        // SAFETY: as in `arg`.
        unsafe { $crate::args::get_or_none($pointer, stringify!($pointer)) }?
    };
}

/// A structure; NULL is one of zeros.
macro_rules! arg_or_zeros {
    ($pointer:expr) => {
        arg_or_none!($pointer).copied().unwrap_or_default()
    };
}

/// An array.
macro_rules! array {
    ($pointer:expr, $count:expr) => {
        // SAFETY: as in `arg`.
        unsafe { $crate::args::slice($pointer, $count, stringify!($pointer)) }?
    };
}

/// Bytes.
macro_rules! bytes {
    ($pointer:expr, $size:expr) => {
        // SAFETY: as in `arg`.
        unsafe { $crate::args::bytes($pointer, $size, stringify!($pointer)) }?
    };
}

/// A string.
macro_rules! text {
    ($pointer:expr) => {
        // SAFETY: as in `arg`.
        unsafe { $crate::args::text($pointer, stringify!($pointer)) }?
    };
}

/// A string that may be NULL or empty.
macro_rules! text_or_none {
    ($pointer:expr) => {
        // SAFETY: as in `arg`.
        unsafe { $crate::args::text_or_none($pointer, stringify!($pointer)) }?
    };
}

/// Writes a result.
macro_rules! put {
    ($out:expr, $value:expr) => {{
        let value = $value;
        // SAFETY: as in `arg`.
        unsafe { $crate::args::put($out, value, stringify!($out)) }?
    }};
}

/// Writes a result where the caller wants it.
macro_rules! put_if_wanted {
    ($out:expr, $value:expr) => {
        if !$out.is_null() {
            put!($out, $value);
        }
    };
}

/// Four numbers.
macro_rules! four {
    ($pointer:expr) => {{
        let all = array!($pointer, 4);
        [all[0], all[1], all[2], all[3]]
    }};
}

/// Makes a handle of what the block gives.
macro_rules! create {
    ($out:expr, $make:block) => {{
        let make = || $make;
        // SAFETY: as in `arg`.
        unsafe { $crate::args::create($out, make) }
    }};
}

/// Destroys a handle.
macro_rules! destroy {
    ($handle:expr) => {
        // SAFETY: the caller gives up a handle that rx made, or NULL.
        unsafe { $crate::args::destroy($handle) }
    };
}
