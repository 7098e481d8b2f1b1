//! All sets of one program, planned together.
//!
//! Owns the way from translated stages to a plan a set.

use rx_translate::StageInterface;

use super::cause::Decision;
use super::plan::{LayoutPlan, PlanOptions, plan_sets};
use super::print;
use super::program::{ProgramInterface, ProgramParts, VertexInput};
use crate::{DeviceFacts, Error};

/// One set of a program, planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetPlan {
    /// Set number.
    pub set: u32,
    /// What the planner looked at; [`LayoutPlan::set_layout`] takes it.
    pub program: ProgramInterface,
    /// The plan.
    pub plan: LayoutPlan,
}

impl SetPlan {
    /// One line for a log.
    pub fn line(&self) -> String {
        print::line(self.program.name(), &self.plan)
    }

    /// The plan as an error, where the device cannot have the set.
    pub fn error(&self) -> Option<Error> {
        (self.plan.decision == Decision::Error).then(|| self.plan.error(&self.program)).flatten()
    }
}

/// Plans every set that the stages have, by set number; of a program without resources the empty set 0. At most one set is
/// pushed.
///
/// # Errors
/// [`Error::StageTwice`], [`Error::BindingTypes`]. A device that cannot have the program is no error here but a plan that
/// says so.
pub fn plan_program(
    name: &str,
    stages: &[StageInterface],
    vertex_input: VertexInput,
    facts: &DeviceFacts,
    options: &PlanOptions,
) -> Result<Vec<SetPlan>, Error> {
    let mut numbers: Vec<u32> = stages.iter().flat_map(|stage| &stage.resources).map(|own| own.set).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        numbers.push(0);
    }
    let build = |&set: &u32| ProgramParts { vertex_input, ..ProgramParts::from_stages(name, stages, set) }.build();
    let programs: Vec<ProgramInterface> = numbers.iter().map(build).collect::<Result<_, _>>()?;
    let plans = plan_sets(&programs, facts, options);
    let joined = numbers.into_iter().zip(programs).zip(plans);
    Ok(joined.map(|((set, program), plan)| SetPlan { set, program, plan }).collect())
}
