//! Exit codes: what the command answers to a script. Documented in docs/cli.md.

use std::process::ExitCode;

/// How a run ended. The discriminants are the process's exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Something failed: rx's own fault, I/O, a change that nobody approved.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// Refused: not supported, or a plan that is an error.
    Refused = 3,
    /// The input is malformed.
    Malformed = 4,
    /// A Vulkan device is needed and there is none.
    NoDevice = 5,
}

impl Exit {
    /// The worse of two inputs' ends: malformed, refused, wrong usage, no device, failed, done.
    #[must_use]
    pub fn worse(self, other: Exit) -> Exit {
        if self.rank() >= other.rank() { self } else { other }
    }

    fn rank(self) -> u8 {
        match self {
            Exit::Malformed => 5,
            Exit::Refused => 4,
            Exit::Usage => 3,
            Exit::NoDevice => 2,
            Exit::Failed => 1,
            Exit::Done => 0,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_inputs_the_worst_counts() {
        let order = [Exit::Done, Exit::Failed, Exit::Refused, Exit::Malformed];
        for (i, &better) in order.iter().enumerate() {
            for &worse in &order[i..] {
                assert_eq!(better.worse(worse), worse);
                assert_eq!(worse.worse(better), worse);
            }
        }
        assert_eq!(order.map(|exit| exit as u8), [0, 1, 3, 4]);
    }
}
