//! How many programs the fixes moved from pushed to set, by reason: counters, and the lines at close.
//!
//! Owns the counting and the words. Where the lines go is the host's logger.

use std::sync::atomic::{AtomicU64, Ordering};

use rx_vendor_fixes::{Fix, SET_FOR_LENGTHS, SET_FOR_TABLES};

use super::cause::{Decision, Reason};
use super::plan::LayoutPlan;

/// The reasons for which each fix moves a program, in the order of their checks.
const MOVED_BY: [(&Fix, &[Reason]); 2] = [
    (
        &SET_FOR_TABLES,
        &[
            Reason::Tables,
            Reason::AliasedArray,
            Reason::RwTextures,
            Reason::Buffers,
            Reason::Textures,
            Reason::Samplers,
            Reason::Swizzle,
        ],
    ),
    (&SET_FOR_LENGTHS, &[Reason::Lengths]),
];

/// Counters of programs moved, one a reason. Threads may share it.
#[derive(Debug, Default)]
pub struct PlanCounters {
    moved: [AtomicU64; Reason::ALL.len()],
}

impl PlanCounters {
    /// Counters at zero.
    pub fn new() -> PlanCounters {
        PlanCounters::default()
    }

    /// Counts a program's plan: once a program, and only where a fix moved it.
    pub fn record(&self, plan: &LayoutPlan) {
        let Some(reason) = plan.reason().filter(|_| plan.decision == Decision::Set) else { return };
        if MOVED_BY.iter().any(|(_, reasons)| reasons.contains(&reason)) {
            self.moved[reason as usize].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Programs that a fix moved for one reason.
    pub fn moved(&self, reason: Reason) -> u64 {
        self.moved[reason as usize].load(Ordering::Relaxed)
    }

    /// The lines at close: one a fix that moved a program, none where none did.
    pub fn lines(&self) -> Vec<String> {
        MOVED_BY.iter().filter_map(|(fix, reasons)| self.line(fix, reasons)).collect()
    }

    fn line(&self, fix: &Fix, reasons: &[Reason]) -> Option<String> {
        let counts = reasons.iter().map(|&reason| (reason, self.moved(reason))).filter(|&(_, count)| count > 0);
        let total: u64 = counts.clone().map(|(_, count)| count).sum();
        if total == 0 {
            return None;
        }
        let parts: Vec<String> = counts.map(|(reason, count)| format!("{count} {}", reason.name())).collect();
        let programs = if total == 1 { "program" } else { "programs" };
        Some(format!(
            "{}: {total} {programs} moved from pushed to set: {} ({}=0 turns this off)",
            fix.name,
            parts.join(", "),
            fix.switch
        ))
    }

    /// Logs the lines (target `rx::plan`): what a host calls when it closes.
    pub fn log(&self) {
        for line in self.lines() {
            log::info!(target: "rx::plan", "{line}");
        }
    }
}
