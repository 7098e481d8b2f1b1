//! A clock for each translation, and an end to one that never returns.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// A translation that takes longer has a loop whose bound is not the input's size. Far above what any takes, since the
/// machine may be busy.
pub const LONGEST: Duration = Duration::from_secs(5);

/// When a translation is taken not to return any more.
const NEVER: Duration = Duration::from_secs(120);

static RUNNING: LazyLock<Mutex<HashMap<ThreadId, (String, Instant)>>> = LazyLock::new(Mutex::default);

/// This thread begins a translation.
pub fn begin(name: String) {
    RUNNING.lock().unwrap().insert(thread::current().id(), (name, Instant::now()));
}

/// This thread's translation has ended: how long it took.
pub fn end() -> Duration {
    RUNNING.lock().unwrap().remove(&thread::current().id()).map_or(Duration::ZERO, |(_, begun)| begun.elapsed())
}

/// Ends the process with a message where a translation does not return.
pub struct Watchdog(Arc<AtomicBool>);

impl Watchdog {
    /// Watches until dropped.
    pub fn start() -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&done);
        thread::spawn(move || {
            while !watched.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_secs(1));
                for (name, begun) in RUNNING.lock().unwrap().values() {
                    if begun.elapsed() > NEVER {
                        println!("{name}: does not return");
                        std::process::exit(1);
                    }
                }
            }
        });
        Watchdog(done)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
