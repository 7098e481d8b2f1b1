//! Counts of cases by kind, and a list of those that failed.

use std::collections::BTreeMap;

/// Results of a table of cases.
#[derive(Default)]
pub struct Report {
    counts: BTreeMap<String, [usize; 3]>,
    failures: Vec<String>,
}

/// How a case ended.
pub enum Outcome {
    /// As expected.
    Passed,
    /// Not run, with the reason.
    Skipped(String),
    /// Otherwise: expected and got, or what went wrong.
    Failed(String),
}

impl Report {
    /// Counts a case.
    pub fn add(&mut self, kind: &str, case: &str, outcome: Outcome) {
        let counts = self.counts.entry(kind.to_owned()).or_default();
        match outcome {
            Outcome::Passed => counts[0] += 1,
            Outcome::Skipped(why) => {
                counts[1] += 1;
                println!("skipped: {kind}: {case}: {why}");
            }
            Outcome::Failed(why) => {
                counts[2] += 1;
                self.failures.push(format!("{kind}: {case}: {why}"));
            }
        }
    }

    /// Prints the counts, and fails with the list where there is one.
    pub fn finish(self, title: &str) {
        for (kind, [passed, skipped, failed]) in &self.counts {
            println!("{title}: {kind}: {passed} passed, {skipped} skipped, {failed} failed");
        }
        assert!(!self.counts.is_empty(), "{title}: there were no cases");
        let list = self.failures.join("\n");
        assert!(self.failures.is_empty(), "{title}: {} failed\n{list}", self.failures.len());
    }
}
