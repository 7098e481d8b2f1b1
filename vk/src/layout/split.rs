//! The host's choice of a layout: pushed, a set, or a split into both; and what is taken where it costs nothing.
//!
//! Owns [`choose`] and [`split`]. They plan changed copies of a program with [`plan`](fn@super::plan), and so allocate
//! where the program as it is was not pushed.

use std::borrow::Cow;

use rx_translate::interface::DescriptorType;

use super::cause::Decision;
use super::plan::{LayoutPlan, PlanOptions, Policy, plan};
use super::program::{ProgramInterface, ProgramParts, ProgramStage, StageBinding};
use crate::facts::DeviceFacts;

/// A program in two sets: the constant buffers, pushed, and the rest in an ordinary set.
///
/// The rest keeps its set; the constants' set is one more, of the host's choice. Binding numbers stay. Since the set of a
/// constant buffer stands in the SPIR-V, the shaders are translated for this binding model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The constant buffers.
    pub constants: ProgramInterface,
    /// Their plan: pushed.
    pub constants_plan: LayoutPlan,
    /// All else.
    pub rest: ProgramInterface,
    /// Its plan: a set.
    pub rest_plan: LayoutPlan,
}

/// What a program gets under a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant)] // The common one is large, so that it needs no heap.
pub enum Choice<'a> {
    /// One set, or none, or an error.
    One {
        /// The program: as it was given, or [narrowed](ProgramParts::narrowed) where only so it can be pushed.
        program: Cow<'a, ProgramInterface>,
        /// Its plan.
        plan: LayoutPlan,
    },
    /// Two.
    Split(Box<Split>),
}

/// Decides a program's layout under the options' policy.
///
/// A program that is not pushed as it is, and would be without what its stages do not use, is narrowed: that changes
/// neither the SPIR-V nor a binding's number.
pub fn choose<'a>(program: &'a ProgramInterface, facts: &DeviceFacts, options: &PlanOptions) -> Choice<'a> {
    if options.policy == Policy::Split
        && let Some(split) = split(program, facts, options)
    {
        return Choice::Split(Box::new(split));
    }
    let plain = plan(program, facts, options);
    let one = |plan| Choice::One { program: Cow::Borrowed(program), plan };
    if options.policy == Policy::Set || matches!(plain.decision, Decision::Push | Decision::None) {
        return one(plain);
    }
    if let Some(narrow) = narrowed(program) {
        let plan = plan(&narrow, facts, options);
        // Less of a set may also be what makes an error a set.
        if plan.decision == Decision::Push || plain.decision == Decision::Error && plan.decision != Decision::Error {
            return Choice::One { program: Cow::Owned(narrow), plan };
        }
    }
    match options.policy {
        Policy::Auto => split(program, facts, options).map_or_else(|| one(plain), |own| Choice::Split(Box::new(own))),
        _ => one(plain),
    }
}

/// The program without what its stages do not use; `None` where they use all of it.
pub(super) fn narrowed(program: &ProgramInterface) -> Option<ProgramInterface> {
    let unused = program.stages().iter().flat_map(|stage| &stage.bindings).any(|own| !own.used);
    // Fewer declarations never conflict where more did not.
    if unused { program.clone().into_parts().narrowed().build().ok() } else { None }
}

/// Splits a program, where it has single uniform buffers and something else, the first can be pushed and the second can
/// be a set of this device. A program that shares its pipeline layout with a pushed set must not be split.
pub fn split(program: &ProgramInterface, facts: &DeviceFacts, options: &PlanOptions) -> Option<Split> {
    let parts = program.clone().into_parts();
    let constants = part(&parts, is_constant);
    let rest = part(&parts, |own| !is_constant(own));
    let [mut constants, mut rest] = [constants, rest];
    for stage in &mut constants.stages {
        // A length that may be read is one of the other set's buffers.
        stage.reads_array_length = Some(stage.reads_array_length.unwrap_or(stage.uses_global_memory));
    }
    constants.other_sets_in_argument_buffers = true;
    for parts in [&mut constants, &mut rest] {
        parts.set_count = parts.set_count.max(1) + 1;
    }
    let (of_rest, of_constants) = (rest.clone().build().ok()?, constants.clone().build().ok()?);
    constants.other_bindings.extend_from_slice(of_rest.bindings());
    rest.other_bindings.extend_from_slice(of_constants.bindings());
    let (constants, rest) = (constants.build().ok()?, rest.build().ok()?);
    let constants_plan = plan(&constants, facts, &PlanOptions { policy: Policy::Push, ..*options });
    let rest_plan = plan(&rest, facts, &PlanOptions { policy: Policy::Set, ..*options });
    // A part without bindings has no layout: neither of these.
    let fits = constants_plan.decision == Decision::Push && rest_plan.decision == Decision::Set;
    fits.then_some(Split { constants, constants_plan, rest, rest_plan })
}

fn is_constant(own: &StageBinding) -> bool {
    own.ty == DescriptorType::UniformBuffer && own.count == Some(1)
}

/// The program with some of its bindings alone.
fn part(parts: &ProgramParts, wanted: impl Fn(&StageBinding) -> bool) -> ProgramParts {
    let of = |stage: &ProgramStage| ProgramStage {
        bindings: stage.bindings.iter().copied().filter(|own| wanted(own)).collect(),
        ..stage.clone()
    };
    ProgramParts { stages: parts.stages.iter().map(of).collect(), ..parts.clone() }
}

impl ProgramParts {
    /// Without the bindings that no stage uses, and the rest visible only to the stages that use them.
    #[must_use]
    pub fn narrowed(mut self) -> ProgramParts {
        for stage in &mut self.stages {
            stage.bindings.retain(|own| own.used);
        }
        self
    }
}
