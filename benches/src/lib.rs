//! What the benches share: time of one call, and the figures of many.
//!
//! Criterion tells one call's time well and a collection's badly: the spread between shaders is what matters, and that
//! spread is no noise. So a bench measures each shader by itself and hands the figures here.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The median time of a call that has run before.
///
/// At least five calls, and as many as fit in two milliseconds: short calls are told apart from the clock's own steps.
pub fn median<T>(mut call: impl FnMut() -> T) -> Duration {
    black_box(call());
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < FEWEST || (begun.elapsed() < ENOUGH && times.len() < MOST) {
        let start = Instant::now();
        black_box(call());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

const FEWEST: usize = 5;
const MOST: usize = 101;
const ENOUGH: Duration = Duration::from_millis(2);

/// The figures of one call over many inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// The middle one.
    pub median: Duration,
    /// One in twenty takes longer.
    pub p95: Duration,
    /// The longest.
    pub longest: Duration,
    /// All of them, one after another.
    pub total: Duration,
}

impl Figures {
    /// Figures of some times; all zero of none.
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |part: usize| times.get((times.len() * part / 100).min(times.len().saturating_sub(1)));
        Figures {
            median: at(50).copied().unwrap_or_default(),
            p95: at(95).copied().unwrap_or_default(),
            longest: times.last().copied().unwrap_or_default(),
            total: times.iter().sum(),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let (median, p95, longest) = (micros(self.median), micros(self.p95), micros(self.longest));
        let total = self.total.as_secs_f64() * 1e3;
        write!(f, "median {median:>7.1} µs   p95 {p95:>8.1} µs   longest {longest:>9.1} µs   total {total:>8.1} ms")
    }
}

/// The shortest of a few runs: what the machine can do when nothing else runs on it.
pub fn best_of(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut time = || {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..runs.max(1)).map(|_| time()).min().unwrap_or_default()
}
