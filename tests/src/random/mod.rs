//! Random programs: a generator, runs on a driver, the comparison with the reference interpreter, and a reducer.
//!
//! `docs/random-programs.md` says what is compared and how a difference is looked into.

pub mod case;
pub mod coverage;
pub mod device;
pub mod excluded;
pub mod generate;
pub mod hunt;
pub mod numbers;
pub mod oracle;
pub mod outcome;
pub mod reduce;

pub use case::{Case, Launch, Resource, View};
pub use generate::generate;
pub use hunt::{Finding, Hunt, Mode, Tally};
