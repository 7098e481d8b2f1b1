//! What the host counts, and its words at close.
//!
//! Owns counters; it decides nothing by them.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Device;
use crate::memory::MemoryReport;

/// One counter.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) programs: Counter,
    pub(crate) sets_pushed: Counter,
    pub(crate) sets_written: Counter,
    pub(crate) sets_reused: Counter,
    pub(crate) pools: Counter,
    pub(crate) submissions: Counter,
    pub(crate) draws: Counter,
    pub(crate) dispatches: Counter,
    pub(crate) cut_passes: Counter,
}

/// What a device has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The planner's lines: one a fix that moved programs.
    pub planner: Vec<String>,
    /// Programs hosted.
    pub programs: u64,
    /// Pipelines compiled or linked, each counted once.
    pub pipelines: u64,
    /// Pipelines that a draw waited for and that were linked of parts; each is compiled as a whole later.
    pub pipelines_linked: u64,
    /// Pipelines that were there already when asked for.
    pub pipelines_shared: u64,
    /// Pipelines that failed.
    pub pipelines_failed: u64,
    /// Sets pushed: one a draw or dispatch whose descriptors changed.
    pub sets_pushed: u64,
    /// Sets allocated and written.
    pub sets_written: u64,
    /// Sets bound again that were written before in the same recording.
    pub sets_reused: u64,
    /// Descriptor pools made.
    pub pools: u64,
    /// Submissions.
    pub submissions: u64,
    /// Draws.
    pub draws: u64,
    /// Dispatches.
    pub dispatches: u64,
    /// Passes that were cut in two because a draw needed what an earlier draw of the pass wrote.
    pub cut_passes: u64,
    /// Bytes of the driver's pipeline cache that were restored at the start; 0 where there was none or it did not fit.
    pub cache_restored_bytes: u64,
    /// Memory.
    pub memory: MemoryReport,
}

impl Device {
    /// What the device has done so far.
    pub fn report(&self) -> Report {
        let (own, pipelines) = (&self.0.counters, self.0.pipelines.counts());
        Report {
            planner: self.0.plans.lines(),
            programs: own.programs.get(),
            pipelines: pipelines.made,
            pipelines_linked: pipelines.linked,
            pipelines_shared: pipelines.shared,
            pipelines_failed: pipelines.failed,
            sets_pushed: own.sets_pushed.get(),
            sets_written: own.sets_written.get(),
            sets_reused: own.sets_reused.get(),
            pools: own.pools.get(),
            submissions: own.submissions.get(),
            draws: own.draws.get(),
            dispatches: own.dispatches.get(),
            cut_passes: own.cut_passes.get(),
            cache_restored_bytes: pipelines.restored_bytes,
            memory: self.memory(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.planner {
            writeln!(f, "{line}")?;
        }
        writeln!(
            f,
            "{} programs; {} pipelines made, {} linked, {} shared, {} failed; {} bytes of the driver's cache restored",
            self.programs,
            self.pipelines,
            self.pipelines_linked,
            self.pipelines_shared,
            self.pipelines_failed,
            self.cache_restored_bytes
        )?;
        write!(
            f,
            "{} draws and {} dispatches in {} submissions; sets: {} pushed, {} written, {} reused, {} pools; {} MiB in {} \
             allocations",
            self.draws,
            self.dispatches,
            self.submissions,
            self.sets_pushed,
            self.sets_written,
            self.sets_reused,
            self.pools,
            self.memory.bytes >> 20,
            self.memory.allocations
        )
    }
}
