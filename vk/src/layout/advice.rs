//! What a host could change for a program to be pushed, and what each change would save.
//!
//! Owns the list of changes. Each is tried on a copy of the program and planned: an answer is computed, never guessed.
//! Nothing is changed here; what costs nothing [`choose`](fn@super::choose) takes by itself.

use rx_translate::interface::{DescriptorType, Stage};
use rx_translate::{BufferLengths, Profile};
use serde::{Serialize, Serializer};

use super::cause::Decision;
use super::metal::{Budget, Table};
use super::plan::{LayoutPlan, PlanOptions, plan};
use super::program::{ProgramInterface, ProgramParts, ProgramStage, StageBinding, StageBits, VertexInput};
use super::split::split;
use crate::facts::DeviceFacts;

/// A change to a program or to how it is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// Leave bindings out that no stage uses.
    DropUnused,
    /// Make each binding visible to the stages that use it, and no other.
    NarrowStages,
    /// Give buffer lengths by push constants (`BufferLengths::PushConstants` in the translation's profile).
    LengthsByPushConstants,
    /// Declare textures and samplers apart, so that textures of one sampler state share a sampler.
    SeparateSamplers,
    /// Number the vertex bindings so that the highest is this one.
    LowerVertexBinding(u32),
    /// Plan for this device and program instead of for any Mac (`RX_VK_BUDGET=exact`).
    ExactBudget,
    /// Push the constant buffers and hold the rest in a set ([`Policy::Split`](super::Policy::Split)).
    SplitConstants,
}

impl Change {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Change::DropUnused => "drop_unused",
            Change::NarrowStages => "narrow_stages",
            Change::LengthsByPushConstants => "lengths_by_push_constants",
            Change::SeparateSamplers => "separate_samplers",
            Change::LowerVertexBinding(_) => "lower_vertex_binding",
            Change::ExactBudget => "exact_budget",
            Change::SplitConstants => "split_constants",
        }
    }

    /// What to do, in words.
    pub fn what(self) -> String {
        match self {
            Change::DropUnused => "leave out the bindings that no stage uses".to_owned(),
            Change::NarrowStages => "make each binding visible only to the stages that use it".to_owned(),
            Change::LengthsByPushConstants => "translate with buffer lengths by push constants".to_owned(),
            Change::SeparateSamplers => "declare textures and samplers apart (one sampler a state)".to_owned(),
            Change::LowerVertexBinding(to) => format!("number the vertex bindings so that the highest is {to}"),
            Change::ExactBudget => "plan with RX_VK_BUDGET=exact".to_owned(),
            Change::SplitConstants => "push the constant buffers alone and hold the rest in a set".to_owned(),
        }
    }

    /// The translation profile that it asks for: another one for lengths by push constants, the same for all else.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Profile {
        match self {
            Change::LengthsByPushConstants => Profile { buffer_lengths: BufferLengths::PushConstants, ..profile },
            _ => profile,
        }
    }

    /// Whether it changes neither the SPIR-V nor anything that a host sees.
    pub fn is_free(self) -> bool {
        matches!(self, Change::DropUnused | Change::NarrowStages)
    }
}

impl Serialize for Change {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Slots of one stage's table that a change saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Saving {
    /// Stage bit.
    pub stage_bit: Stage,
    /// Table.
    pub table: Table,
    /// Slots: of those taken, and of those that the budget grows by. Below 0 where the change takes more.
    pub slots: i64,
}

/// A change, and what it is good for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// Change.
    pub change: Change,
    /// What to do, in words.
    pub what: String,
    /// Whether it costs nothing.
    pub free: bool,
    /// What it saves, by stage and table.
    pub saves: Vec<Saving>,
    /// Whether the program would be pushed with this change alone (for a split: its constants).
    pub would_push: bool,
}

impl Advice {
    /// One line: `translate with buffer lengths by push constants: would push (fragment: -1 buffers)`.
    pub fn line(&self) -> String {
        let saves: Vec<String> = self
            .saves
            .iter()
            .map(|own| format!("{}: {} {}", own.stage_bit.name(), -own.slots, own.table.name()))
            .collect();
        let saves = if saves.is_empty() { String::new() } else { format!(" ({})", saves.join(", ")) };
        let pushes = if self.would_push { "would push" } else { "not enough alone" };
        format!("{}: {pushes}{saves}", self.what)
    }
}

/// What would have to change for a program to be pushed: changes that push it first, then those that only save
/// something, each in a fixed order. Empty where it is pushed, or has no binding.
pub fn advise(program: &ProgramInterface, facts: &DeviceFacts, options: &PlanOptions) -> Vec<Advice> {
    let now = plan(program, facts, options);
    if matches!(now.decision, Decision::Push | Decision::None) {
        return Vec::new();
    }
    let parts = program.clone().into_parts();
    let changed = [
        (Change::DropUnused, without_unused(&parts)),
        (Change::NarrowStages, narrow(&parts)),
        (Change::LengthsByPushConstants, lengths_pushed(&parts)),
        (Change::SeparateSamplers, separate(&parts)),
    ];
    let mut advice: Vec<Advice> = changed
        .into_iter()
        .filter_map(|(change, parts)| Some((change, parts?.build().ok()?)))
        .map(|(change, program)| advice_of(change, &now, &plan(&program, facts, options)))
        .collect();
    advice.extend(lower_vertex_binding(&parts, &now, facts, options));
    if options.budget == Budget::Worst && now.exact_would_push {
        let exact = plan(program, facts, &PlanOptions { budget: Budget::Exact, ..*options });
        advice.push(advice_of(Change::ExactBudget, &now, &exact));
    }
    if let Some(split) = split(program, facts, options) {
        advice.push(advice_of(Change::SplitConstants, &now, &split.constants_plan));
    }
    advice.retain(|own| own.would_push || !own.saves.is_empty());
    advice.sort_by_key(|own| !own.would_push);
    advice
}

fn advice_of(change: Change, before: &LayoutPlan, after: &LayoutPlan) -> Advice {
    Advice {
        change,
        what: change.what(),
        free: change.is_free(),
        saves: savings(before, after),
        would_push: after.decision == Decision::Push,
    }
}

/// What a plan leaves free more than another, by stage and table.
fn savings(before: &LayoutPlan, after: &LayoutPlan) -> Vec<Saving> {
    let mut saves = Vec::new();
    for own in before.stages() {
        let Some(other) = after.stages().iter().find(|other| other.stage_bit == own.stage_bit) else { continue };
        for table in Table::ALL {
            let left = |usage: &super::StageUsage| {
                let own = usage.table(table);
                i64::from(own.limit.unwrap_or(0)) - i64::from(own.used)
            };
            let slots = left(other) - left(own);
            if slots != 0 {
                saves.push(Saving { stage_bit: own.stage_bit, table, slots });
            }
        }
    }
    saves
}

/// The bindings that no stage uses are gone; `None` where there are none.
fn without_unused(parts: &ProgramParts) -> Option<ProgramParts> {
    let used = |binding: u32| {
        let mut all = parts.stages.iter().flat_map(|stage| &stage.bindings);
        all.any(|own| own.binding == binding && own.used)
    };
    with_bindings(parts, |own| used(own.binding).then_some(*own))
}

fn narrow(parts: &ProgramParts) -> Option<ProgramParts> {
    with_bindings(parts, |own| own.used.then_some(*own))
}

/// Every binding mapped or dropped; `None` where nothing has changed.
fn with_bindings(parts: &ProgramParts, map: impl Fn(&StageBinding) -> Option<StageBinding>) -> Option<ProgramParts> {
    let of = |stage: &ProgramStage| ProgramStage {
        bindings: stage.bindings.iter().filter_map(&map).collect(),
        ..stage.clone()
    };
    let changed = ProgramParts { stages: parts.stages.iter().map(of).collect(), ..parts.clone() };
    (changed != *parts).then_some(changed)
}

/// No stage reads a length; those that did have push constants.
fn lengths_pushed(parts: &ProgramParts) -> Option<ProgramParts> {
    let mut changed = parts.clone();
    for stage in &mut changed.stages {
        if stage.reads_array_length.unwrap_or(stage.uses_global_memory) {
            stage.reads_array_length = Some(false);
            stage.bindings.iter_mut().for_each(|own| own.reads_length = Some(false));
            changed.push_constants = changed.push_constants.or(StageBits::of(stage.stage_bit));
        }
    }
    (changed != *parts).then_some(changed)
}

/// Combined image samplers become sampled images, with one sampler for all of them behind the last binding.
fn separate(parts: &ProgramParts) -> Option<ProgramParts> {
    let combined = |own: &StageBinding| own.ty == DescriptorType::CombinedImageSampler && own.planes <= 1;
    let highest = parts.stages.iter().flat_map(|stage| &stage.bindings).map(|own| own.binding).max()?;
    let sampler = StageBinding::new(highest.checked_add(1)?, DescriptorType::Sampler, 1);
    let mut changed = parts.clone();
    for stage in &mut changed.stages {
        if !stage.bindings.iter().any(combined) {
            continue;
        }
        for own in stage.bindings.iter_mut().filter(|own| combined(own)) {
            own.ty = DescriptorType::SampledImage;
        }
        stage.bindings.push(sampler);
    }
    (changed != *parts).then_some(changed)
}

/// The highest of the lower vertex bindings with which the program is pushed.
fn lower_vertex_binding(
    parts: &ProgramParts,
    now: &LayoutPlan,
    facts: &DeviceFacts,
    options: &PlanOptions,
) -> Option<Advice> {
    let VertexInput::Bindings { highest, translated } = parts.vertex_input else { return None };
    // Past 31 nothing differs: the buffers' table is full.
    (0..highest.min(31)).rev().find_map(|to| {
        let vertex_input = VertexInput::Bindings { highest: to, translated };
        let program = ProgramParts { vertex_input, ..parts.clone() }.build().ok()?;
        let plan = plan(&program, facts, options);
        let better =
            plan.decision == Decision::Push || now.decision == Decision::Error && plan.decision != Decision::Error;
        better.then(|| advice_of(Change::LowerVertexBinding(to), now, &plan))
    })
}
