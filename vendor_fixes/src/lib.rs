//! What is known of Vulkan drivers' faults, as data, and the switches that turn each fix on and off.
//!
//! Owns the driver ids, the reading of a driver's version, the table of fixes ([`FIXES`]), the table of switches
//! ([`SWITCHES`]) and the resolving of both into a value ([`ResolvedFixes`]). It never reads the environment (a caller
//! gives it as a value), never calls Vulkan, prints nothing, and imports no other crate of the project.

mod distance;
mod driver;
mod fixes;
mod identity;
pub mod pages;
mod resolve;
mod switches;
mod version;

pub use distance::nearest;
pub use driver::DriverId;
pub use fixes::{
    ActsOn, BARE_VARYINGS, Chip, DENSE_SWITCH, DefaultOn, EXPLICIT_BOUNDS, FILL_EMPTY_SETS, FIXES, FLOAT_BITS, Fix,
    FixId, INT_TO_FLOAT, MESH_FRAGMENT_STAGE, NO_DYNAMIC_RENDERING, NO_DYNAMIC_STATE, NO_DYNAMIC_VERTEX_INPUT,
    NO_PUSH_AMD, NO_PUSH_ARC, NO_PUSH_GEFORCE, NO_UPDATE_TEMPLATES, POINT_SIZE, RGB9E5_MASK, SET_FOR_LENGTHS,
    SET_FOR_TABLES, SINE_RANGE, SPLIT_CLAMP, SPLIT_FILLS, VersionRange, WHOLE_PUSH,
};
pub use identity::Identity;
pub use resolve::{FixState, ResolvedFixes};
pub use switches::{BudgetChoice, Config, Forced, PolicyChoice, SWITCHES, Switch, Update, Warning, read};
pub use version::Version;
