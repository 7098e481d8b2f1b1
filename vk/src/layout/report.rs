//! How many programs the fixes moved from pushed to set, by fix and reason: counters, and the lines at close.
//!
//! Owns the counting and the words. Where the lines go is the host's logger.

use std::sync::atomic::{AtomicU64, Ordering};

use rx_vendor_fixes::{FIXES, Fix, SET_FOR_LENGTHS, SET_FOR_TABLES};

use super::cause::{Cause, Decision, Reason};
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

/// Counters of programs moved, one a reason and one a fix by which nothing is pushed. Threads may share it.
#[derive(Debug)]
pub struct PlanCounters {
    moved: [AtomicU64; Reason::ALL.len()],
    not_pushed: [AtomicU64; FIXES.len()],
}

impl Default for PlanCounters {
    fn default() -> PlanCounters {
        PlanCounters {
            moved: std::array::from_fn(|_| AtomicU64::new(0)),
            not_pushed: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }
}

impl PlanCounters {
    /// Counters at zero.
    pub fn new() -> PlanCounters {
        PlanCounters::default()
    }

    /// Counts a program's plan: once a program, and only where a fix moved it.
    pub fn record(&self, plan: &LayoutPlan) {
        let Some(reason) = plan.reason().filter(|_| plan.decision == Decision::Set) else { return };
        if let Cause::PushBroken { fix } = plan.cause {
            self.not_pushed[fix as usize].fetch_add(1, Ordering::Relaxed);
        }
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
        let by_reason = MOVED_BY.iter().filter_map(|(fix, reasons)| self.line(fix, reasons));
        let not_pushed = FIXES.iter().zip(&self.not_pushed).filter_map(|(fix, count)| {
            let count = count.load(Ordering::Relaxed);
            (count > 0).then(|| line(fix, count, &format!("{count} {}", Reason::NoPushDescriptors.name())))
        });
        by_reason.chain(not_pushed).collect()
    }

    fn line(&self, fix: &Fix, reasons: &[Reason]) -> Option<String> {
        let counts = reasons.iter().map(|&reason| (reason, self.moved(reason))).filter(|&(_, count)| count > 0);
        let total: u64 = counts.clone().map(|(_, count)| count).sum();
        if total == 0 {
            return None;
        }
        let parts: Vec<String> = counts.map(|(reason, count)| format!("{count} {}", reason.name())).collect();
        Some(line(fix, total, &parts.join(", ")))
    }

    /// Logs the lines (target `rx::plan`): what a host calls when it closes.
    pub fn log(&self) {
        for line in self.lines() {
            log::info!(target: "rx::plan", "{line}");
        }
    }
}

fn line(fix: &Fix, total: u64, parts: &str) -> String {
    let programs = if total == 1 { "program" } else { "programs" };
    format!("{}: {total} {programs} moved from pushed to set: {parts} ({}=0 turns this off)", fix.name, fix.switch)
}
