//! Descriptor set layouts: decided per program, from plain data.
//!
//! ```text
//! ProgramInterface + DeviceFacts + PlanOptions --plan--> LayoutPlan
//! ```
//!
//! Owns the rules ([`plan`](fn@plan)), Metal's slot model ([`metal`]), what a host chooses
//! ([`choose`](fn@choose)) and could change ([`advise`]), interned layouts ([`cache`]), the counters of programs moved
//! ([`report`]) and every way a plan
//! is printed ([mod@print]). It names Vulkan's plain types and calls no Vulkan function. A plan depends on its three
//! arguments alone.

mod advice;
pub mod cache;
mod cause;
mod compare;
mod count;
mod device_limits;
mod json;
pub mod metal;
mod plan;
pub mod print;
mod program;
pub mod report;
mod sets;
mod split;

pub use advice::{Advice, Change, Saving, advise};
pub use cache::{LayoutCache, LayoutId};
pub use cause::{Cause, Decision, Reason, Unsupported};
pub use compare::{Cell, Difference, Differing, Fill, overview};
pub use json::{Answer, ProgramFile, StageAnswer, UsedOfLimit};
pub use metal::{Budget, Table};
pub use plan::{LayoutPlan, PlanOptions, Policy, SetLayout, StageUsage, Use, plan, plan_sets, set_layouts};
#[doc(hidden)]
pub use plan::{Rules, TablesOf, plan_with_rules};
pub(crate) use program::vulkan_type;
pub use program::{LayoutBinding, ProgramInterface, ProgramParts, ProgramStage, StageBinding, StageBits, VertexInput};
pub use sets::{SetPlan, plan_program};
pub use split::{Choice, Split, choose, split};
