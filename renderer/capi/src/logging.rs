//! The log, given to a function of the host.
//!
//! Owns the one thing of this library that is the process's and not an object's: the `log` crate's logger.

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::sync::{PoisonError, RwLock};

use crate::result::{Failure, c_string, guard, rx_result};

/// How much a message matters; lower is more.
pub type rx_log_level = u32;
/// Nothing.
pub const RX_LOG_OFF: rx_log_level = 0;
/// What went wrong.
pub const RX_LOG_ERROR: rx_log_level = 1;
/// What may go wrong: a fix that a driver needs and does not get, layers that are not installed.
pub const RX_LOG_WARNING: rx_log_level = 2;
/// What happens once: the device, its fixes.
pub const RX_LOG_INFO: rx_log_level = 3;
/// What happens to each object: plans, pipelines.
pub const RX_LOG_DEBUG: rx_log_level = 4;
/// Everything.
pub const RX_LOG_TRACE: rx_log_level = 5;

/// Hears the log, on any thread, also on rx's own. `target` names the part of rx: "rx::plan", "rx::validation". Both
/// strings live during the call. It must not unwind, and must not call rx_set_log_callback.
pub type rx_log_callback =
    Option<unsafe extern "C" fn(user: *mut c_void, level: rx_log_level, target: *const c_char, message: *const c_char)>;

struct Hearer {
    callback: unsafe extern "C" fn(*mut c_void, rx_log_level, *const c_char, *const c_char),
    user: *mut c_void,
}

// SAFETY: the host promises that its function may be called with its pointer on any thread.
unsafe impl Send for Hearer {}
// SAFETY: as above.
unsafe impl Sync for Hearer {}

struct Logger(RwLock<Option<Hearer>>);

static LOGGER: Logger = Logger(RwLock::new(None));

thread_local! {
    /// Whether this thread is in the host's function.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

impl log::Log for Logger {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        // What the host's own call of rx logs while it hears a message is left out.
        if INSIDE.try_with(Cell::get).unwrap_or(true) {
            return;
        }
        let (target, message) = (c_string(record.target()), c_string(&record.args().to_string()));
        let hearer = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let Some(hearer) = &*hearer else { return };
        INSIDE.set(true);
        // SAFETY: the host's function, with its own pointer and two strings that live.
        unsafe { (hearer.callback)(hearer.user, record.level() as u32, target.as_ptr(), message.as_ptr()) };
        INSIDE.set(false);
    }

    fn flush(&self) {}
}

/// Gives the log, up to a level, to a function; NULL takes it from the one before. When this returns, the one before is not
/// being called and never will be. The log is the process's: the last call counts, whoever makes it. Nothing is written
/// anywhere without it.
///
/// RX_ERROR_BUSY: called by the function itself, or a Rust program that links rx has a logger of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_set_log_callback(
    level: rx_log_level,
    callback: rx_log_callback,
    user: *mut c_void,
) -> rx_result {
    guard(|| {
        let filter = log::LevelFilter::iter().nth(level as usize);
        let filter = filter.ok_or_else(|| Failure::value("level", level))?;
        if INSIDE.try_with(Cell::get).unwrap_or(true) {
            return Err(Failure::busy("rx_set_log_callback is called by the function that hears the log"));
        }
        let mut hearer = LOGGER.0.write().unwrap_or_else(PoisonError::into_inner);
        let first = log::set_logger(&LOGGER).is_ok();
        let ours = || std::ptr::addr_eq(log::logger(), &raw const LOGGER);
        if !first && !ours() {
            return Err(Failure::busy("the process has a logger of its own"));
        }
        *hearer = callback.map(|callback| Hearer { callback, user });
        log::set_max_level(if hearer.is_some() { filter } else { log::LevelFilter::Off });
        Ok(())
    })
}
