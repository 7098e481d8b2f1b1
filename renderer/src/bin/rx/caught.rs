//! Panics caught: a fault of rx becomes one line, never a torn screen.
//!
//! Owns the process's panic hook.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Inside [`caught`]: the last panic's place and words, once there are any.
    static CAPTURED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs something; a panic in it becomes its words and place.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(install);
    CAPTURED.with_borrow_mut(Option::take);
    // What a panic leaves half done is dropped with the closure: callers pass values in and take a value out.
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| {
        let words = CAPTURED.with_borrow_mut(Option::take);
        words.unwrap_or_else(|| "a panic without words".to_owned())
    })
}

/// From here on a panic prints nothing, on whatever thread: `main` runs inside [`caught`], and says it in its own form.
/// In the unit tests, whose own failures are panics too, it is printed as well.
fn install() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        capture(info);
        if cfg!(test) {
            before(info);
        }
    }));
}

fn capture(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let words = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    let words = words.unwrap_or("no words");
    // The file's own name and line: the path before them is the building machine's.
    let place = info.location().map_or(String::new(), |at| {
        let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!(" ({file}:{})", at.line())
    });
    CAPTURED.with_borrow_mut(|captured| *captured = Some(format!("panicked: {words}{place}")));
}

#[cfg(test)]
mod tests {
    #[test]
    #[allow(clippy::panic)]
    fn a_panic_becomes_its_words_and_place() {
        assert_eq!(super::caught(|| 7), Ok(7));
        let words = super::caught(|| panic!("no {}", "way")).unwrap_err();
        assert!(words.starts_with("panicked: no way (caught.rs:"), "{words}");
    }
}
