//! Codes, the last error of a thread, and the guard that every exported function stands behind.
//!
//! Owns the one place where errors become codes and where a panic ends.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::rx_renderer::translate::{self, Code, ErrorKind};
use ::rx_renderer::{Error, codes, vk};

/// The version of this header. What makes the first object takes it, and refuses another (RX_ERROR_VERSION): structures
/// and functions are those of one version.
pub const RX_API_VERSION: u32 = 1;

/// What a call gives: RX_OK, or one of the negative codes.
pub type rx_result = i32;

/// Done.
pub const RX_OK: rx_result = 0;
/// A fault of rx: what was called is as it was, or lost. Report it with the message.
pub const RX_ERROR_INTERNAL: rx_result = -1;
/// The header is of another version than the library.
pub const RX_ERROR_VERSION: rx_result = -2;
/// A NULL, a number that is none of its constants, a size that is not right, or a call that contradicts itself.
pub const RX_ERROR_ARGUMENT: rx_result = -3;
/// The renderer or frame is in use by another call, or a frame is open.
pub const RX_ERROR_BUSY: rx_result = -4;
/// A shader or file is not what it says it is.
pub const RX_ERROR_MALFORMED: rx_result = -5;
/// Valid, and rx or the device cannot take it.
pub const RX_ERROR_REFUSED: rx_result = -6;
/// No preset or device of this name.
pub const RX_ERROR_NOT_FOUND: rx_result = -7;
/// A file cannot be read or written.
pub const RX_ERROR_IO: rx_result = -8;
/// No Vulkan, no device, or one that lacks what rx needs.
pub const RX_ERROR_NO_DEVICE: rx_result = -9;
/// No memory, of the host or the device. Nothing of the failed object is left.
pub const RX_ERROR_OUT_OF_MEMORY: rx_result = -10;
/// The device is lost, and every object with it.
pub const RX_ERROR_DEVICE_LOST: rx_result = -11;
/// The window cannot be shown in, or is gone.
pub const RX_ERROR_SURFACE: rx_result = -12;
/// The program declares no such name or register, or something of another kind.
pub const RX_ERROR_BINDING: rx_result = -13;
/// A pipeline's state contradicts the program or the device, or the driver refused it.
pub const RX_ERROR_PIPELINE: rx_result = -14;
/// A texture is used in two ways at once that exclude one another.
pub const RX_ERROR_HAZARD: rx_result = -15;
/// Another Vulkan call failed.
pub const RX_ERROR_VULKAN: rx_result = -16;

/// A failure on its way to the caller.
pub(crate) struct Failure {
    result: rx_result,
    code: Code,
    message: String,
}

impl Failure {
    /// One of this crate's own.
    fn own(result: rx_result, code: Code, what: &str) -> Failure {
        let remedy = codes::find(code).map_or("", |row| row.remedy);
        Failure { result, code, message: format!("{code}: {what}. {remedy}") }
    }

    /// The header's version is another.
    fn version(version: u32) -> Failure {
        let what = format!("the caller's header is of version {version}, the library of version {RX_API_VERSION}");
        Failure::own(RX_ERROR_VERSION, codes::ABI_VERSION, &what)
    }

    /// A pointer is NULL.
    pub(crate) fn null(what: &str) -> Failure {
        Failure::own(RX_ERROR_ARGUMENT, codes::ABI_NULL, &format!("{}: NULL", field(what)))
    }

    /// A value is not among those that there are.
    pub(crate) fn value(what: &str, why: impl std::fmt::Display) -> Failure {
        Failure::own(RX_ERROR_ARGUMENT, codes::ABI_VALUE, &format!("{}: {why}", field(what)))
    }

    /// Another call has it.
    pub(crate) fn busy(what: &str) -> Failure {
        Failure::own(RX_ERROR_BUSY, codes::ABI_BUSY, what)
    }

    /// A panic.
    fn panic(payload: &(dyn Any + Send)) -> Failure {
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no words");
        translate::Error::internal(format!("a panic: {text}")).into()
    }

    /// Makes it the thread's last error.
    fn remember(self) -> rx_result {
        // A thread that ends has no last error any more.
        let _ = LAST.try_with(|last| {
            if let Ok(mut last) = last.try_borrow_mut() {
                *last = (u32::from(self.code.0), c_string(&self.message));
            }
        });
        self.result
    }
}

impl From<translate::Error> for Failure {
    fn from(error: translate::Error) -> Self {
        let result = of_kind(error.kind);
        Failure { result, code: error.code, message: format!("{error}. {}", error.remedy()) }
    }
}

impl From<vk::Error> for Failure {
    fn from(error: vk::Error) -> Self {
        Error::Vulkan(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let result = match &error {
            Error::Stage { source, .. } => of_kind(source.kind),
            Error::Vulkan(error) => of_vulkan(error),
            Error::Kept { .. } => RX_ERROR_IO,
            Error::Capture { .. } => RX_ERROR_ARGUMENT,
        };
        Failure { result, code: error.code(), message: format!("{error}. {}", error.remedy()) }
    }
}

/// The name that a field has in the header: `data` of `self.data`.
fn field(what: &str) -> &str {
    what.rsplit('.').next().unwrap_or(what)
}

fn of_kind(kind: ErrorKind) -> rx_result {
    match kind {
        ErrorKind::Malformed => RX_ERROR_MALFORMED,
        ErrorKind::Refused => RX_ERROR_REFUSED,
        ErrorKind::Internal => RX_ERROR_INTERNAL,
    }
}

fn of_vulkan(error: &vk::Error) -> rx_result {
    use vk::Error as E;
    match error {
        E::FactsFile { .. } => RX_ERROR_IO,
        E::NoPreset { .. } | E::NoSuchDevice { .. } => RX_ERROR_NOT_FOUND,
        E::NoVulkan { .. } | E::MissingFeatures { .. } => RX_ERROR_NO_DEVICE,
        E::NoUpdateAfterBind { .. } | E::Plan { .. } => RX_ERROR_REFUSED,
        E::Vulkan { .. } => RX_ERROR_VULKAN,
        E::OutOfMemory { .. } => RX_ERROR_OUT_OF_MEMORY,
        E::DeviceLost { .. } => RX_ERROR_DEVICE_LOST,
        E::SurfaceLost { .. } | E::NoSurface { .. } => RX_ERROR_SURFACE,
        E::Binding { .. } => RX_ERROR_BINDING,
        E::Hazard { .. } => RX_ERROR_HAZARD,
        E::Pipeline { .. } => RX_ERROR_PIPELINE,
        E::Argument { .. } => RX_ERROR_ARGUMENT,
        E::FactsJson { .. }
        | E::ProgramJson { .. }
        | E::BindingTypes { .. }
        | E::StageTwice { .. }
        | E::Version { .. }
        | E::Schema { .. } => RX_ERROR_MALFORMED,
    }
}

thread_local! {
    /// Code and message of the last call of this thread that failed.
    static LAST: RefCell<(u32, CString)> = RefCell::default();
}

/// Text for C: what a zero byte would cut off stays, without it.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_else(|_| CString::new(text.replace('\0', " ")).unwrap_or_default())
}

/// Runs what a function does: its error or its panic becomes the code that the caller gets.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> rx_result {
    match caught(body) {
        Ok(Ok(())) => RX_OK,
        Ok(Err(failure)) => failure.remember(),
        Err(failure) => failure.remember(),
    }
}

/// The same of a function that returns a value: `otherwise` where it fails.
pub(crate) fn guard_or<T>(otherwise: T, body: impl FnOnce() -> Result<T, Failure>) -> T {
    match caught(body) {
        Ok(Ok(value)) => value,
        Ok(Err(failure)) | Err(failure) => {
            failure.remember();
            otherwise
        }
    }
}

/// The body's result, or its panic.
fn caught<T>(body: impl FnOnce() -> T) -> Result<T, Failure> {
    // What the body left half done lies behind locks that are taken all the same, or is never looked at again.
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| {
        let failure = Failure::panic(&*payload);
        // Dropping it could panic again.
        std::mem::forget(payload);
        failure
    })
}

/// The version is this library's.
pub(crate) fn check_version(version: u32) -> Result<(), Failure> {
    if version == RX_API_VERSION { Ok(()) } else { Err(Failure::version(version)) }
}

/// The library's own RX_API_VERSION.
#[unsafe(no_mangle)]
pub extern "C" fn rx_api_version() -> u32 {
    RX_API_VERSION
}

/// The name of a code: "RX_ERROR_ARGUMENT". Lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn rx_result_name(result: rx_result) -> *const c_char {
    let name = match result {
        RX_OK => c"RX_OK",
        RX_ERROR_INTERNAL => c"RX_ERROR_INTERNAL",
        RX_ERROR_VERSION => c"RX_ERROR_VERSION",
        RX_ERROR_ARGUMENT => c"RX_ERROR_ARGUMENT",
        RX_ERROR_BUSY => c"RX_ERROR_BUSY",
        RX_ERROR_MALFORMED => c"RX_ERROR_MALFORMED",
        RX_ERROR_REFUSED => c"RX_ERROR_REFUSED",
        RX_ERROR_NOT_FOUND => c"RX_ERROR_NOT_FOUND",
        RX_ERROR_IO => c"RX_ERROR_IO",
        RX_ERROR_NO_DEVICE => c"RX_ERROR_NO_DEVICE",
        RX_ERROR_OUT_OF_MEMORY => c"RX_ERROR_OUT_OF_MEMORY",
        RX_ERROR_DEVICE_LOST => c"RX_ERROR_DEVICE_LOST",
        RX_ERROR_SURFACE => c"RX_ERROR_SURFACE",
        RX_ERROR_BINDING => c"RX_ERROR_BINDING",
        RX_ERROR_PIPELINE => c"RX_ERROR_PIPELINE",
        RX_ERROR_HAZARD => c"RX_ERROR_HAZARD",
        RX_ERROR_VULKAN => c"RX_ERROR_VULKAN",
        _ => c"no code of rx",
    };
    name.as_ptr()
}

/// What the last call of this thread that failed said: "RX0527: program: name: why. What to do." Empty before the first.
/// Valid until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn rx_last_error_message() -> *const c_char {
    let message = LAST.try_with(|last| last.try_borrow().map_or(c"".as_ptr(), |last| last.1.as_ptr()));
    message.unwrap_or(c"".as_ptr())
}

/// The stable number of the last error of this thread, 527 of RX0527; `rx explain RX0527` says more. 0 before the first.
#[unsafe(no_mangle)]
pub extern "C" fn rx_last_error_code() -> u32 {
    LAST.try_with(|last| last.try_borrow().map_or(0, |last| last.0)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn message() -> String {
        // SAFETY: the message lives until this thread's next failure.
        unsafe { CStr::from_ptr(rx_last_error_message()) }.to_string_lossy().into_owned()
    }

    #[test]
    #[allow(clippy::panic)]
    fn a_panic_becomes_a_code_and_a_message() {
        assert_eq!(guard(|| panic!("the {} broke", "lamp")), RX_ERROR_INTERNAL);
        assert!(message().starts_with("RX0001: the whole input: a panic: the lamp broke. "), "{}", message());
        assert_eq!(guard_or(7, || panic!("again")), 7);
        assert!(message().contains("a panic: again"));
        assert_eq!(rx_last_error_code(), 1);
    }

    #[test]
    fn errors_are_each_thread_s_own_and_stay_until_the_next() {
        assert_eq!(guard(|| Err(Failure::null("desc"))), RX_ERROR_ARGUMENT);
        assert_eq!(rx_last_error_code(), 561);
        assert_eq!(guard(|| Ok(())), RX_OK);
        assert!(message().starts_with("RX0561: desc: NULL. "), "{}", message());
        let other = std::thread::spawn(|| (rx_last_error_code(), message()));
        assert_eq!(other.join().ok(), Some((0, String::new())));
    }

    #[test]
    fn a_zero_byte_cuts_no_message_off() {
        assert_eq!(c_string("a\0b").as_c_str(), c"a b");
    }
}
