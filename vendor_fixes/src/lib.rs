//! What is known of Vulkan drivers' faults, as data, and the switches that turn each fix on and off.
//!
//! Owns the driver ids, the reading of a driver's version, the table of fixes ([`FIXES`]), the table of switches
//! ([`SWITCHES`]) and the resolving of both into a value ([`ResolvedFixes`]). It never reads the environment (a caller
//! gives it as a value), never calls Vulkan, prints nothing, and imports no other crate of the project.

mod distance;
mod driver;
mod fixes;
pub mod pages;
mod resolve;
mod switches;
mod version;

pub use distance::nearest;
pub use driver::DriverId;
pub use fixes::{ActsOn, Chip, DefaultOn, FIXES, Fix, FixId, SET_FOR_LENGTHS, SET_FOR_TABLES, VersionRange};
pub use resolve::{FixState, ResolvedFixes};
pub use switches::{BudgetChoice, Config, Forced, SWITCHES, Switch, Warning, read};
pub use version::Version;
