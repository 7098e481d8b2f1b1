//! Descriptor set layouts: decided per program, from plain data.
//!
//! ```text
//! ProgramInterface + DeviceFacts + PlanOptions --plan--> LayoutPlan
//! ```
//!
//! Owns the rules ([`plan`](fn@plan)), Metal's slot model ([`metal`]), the counters of programs moved ([`report`]) and every way a plan
//! is printed ([`print`]). It names Vulkan's plain types and calls no Vulkan function. A plan depends on its three
//! arguments alone.

mod cause;
mod count;
mod device_limits;
mod json;
pub mod metal;
mod plan;
pub mod print;
mod program;
pub mod report;

pub use cause::{Cause, Decision, Reason, Unsupported};
pub use json::{Answer, ProgramFile, StageAnswer, UsedOfLimit};
pub use metal::{Budget, Table};
pub use plan::{LayoutPlan, PlanOptions, Policy, SetLayout, StageUsage, Use, plan, plan_sets};
#[doc(hidden)]
pub use plan::{Rules, TablesOf, plan_with_rules};
pub use program::{LayoutBinding, ProgramInterface, ProgramParts, ProgramStage, StageBinding, StageBits, VertexInput};
