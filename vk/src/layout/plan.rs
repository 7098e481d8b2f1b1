//! The decision: pushed, an ordinary set, none or an error; and the whole of its arithmetic.
//!
//! Owns the order of the checks. A plan depends on the program, the facts and the options alone; it allocates nothing
//! and makes no text ([`super::print`] does, when asked).

use ash::vk;
use rx_translate::interface::{DescriptorType, Stage};
use rx_vendor_fixes::{FixId, PolicyChoice, ResolvedFixes};

use super::cause::{Cause, Decision, Reason, Unsupported};
use super::count::{BitCount, Counts, Summary, count_stages_apart};
use super::device_limits::{Family, exceeded, too_many_sets};
use super::metal::{self, Budget, ProgramSlots, Table, WorstBuffers};
use super::program::{LayoutBinding, ProgramInterface, StageBits, VertexInput, stage_index};
use crate::facts::{DeviceFacts, MetalModel};

/// What a host wants of a program's layout. [`plan`](fn@plan) decides for one set, where the last two are as `Push`;
/// [`choose`](fn@super::choose) acts on all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Push where the rules allow it.
    #[default]
    Push,
    /// A set: a pipeline layout has one pushed set at most.
    Set,
    /// Push the constant buffers and hold the rest in a set, wherever both fit; else as `Push`. The two sets are a
    /// binding model of their own, so that the shaders are translated for them.
    Split,
    /// Push; where that cannot be, split; where that cannot be either, a set.
    Auto,
}

impl From<PolicyChoice> for Policy {
    fn from(choice: PolicyChoice) -> Policy {
        match choice {
            PolicyChoice::Push => Policy::Push,
            PolicyChoice::Set => Policy::Set,
            PolicyChoice::Split => Policy::Split,
            PolicyChoice::Auto => Policy::Auto,
        }
    }
}

/// How to plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlanOptions {
    /// Fixes, resolved for the driver and the switches.
    pub fixes: ResolvedFixes,
    /// Which arithmetic decides.
    pub budget: Budget,
    /// Whether the set may be pushed.
    pub policy: Policy,
}

impl PlanOptions {
    /// The defaults for a device under a configuration.
    pub fn new(facts: &DeviceFacts, config: &rx_vendor_fixes::Config) -> PlanOptions {
        PlanOptions {
            fixes: ResolvedFixes::of(&facts.identity(), config),
            budget: config.budget.map(Budget::from).unwrap_or_default(),
            policy: config.policy.map(Policy::from).unwrap_or_default(),
        }
    }
}

/// Use of one table by one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Use {
    /// Slots that the program takes.
    pub used: u32,
    /// Slots that it may take, below 0 where other things take more than there are; `None` where no rule limits it.
    pub limit: Option<i32>,
}

impl Use {
    /// Whether the use is past the limit.
    pub fn is_past(&self) -> bool {
        self.limit.is_some_and(|limit| i64::from(self.used) > i64::from(limit))
    }
}

/// Use of a stage bit's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StageUsage {
    /// Stage bit.
    pub stage_bit: Stage,
    /// In the order of [`Table::ALL`].
    pub tables: [Use; 4],
}

impl StageUsage {
    /// One table.
    pub fn table(&self, table: Table) -> Use {
        self.tables[table as usize]
    }
}

/// The stages' uses, without a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Usages {
    len: usize,
    stages: [StageUsage; 8],
}

impl Usages {
    const EMPTY: Usages = Usages {
        len: 0,
        stages: [StageUsage { stage_bit: Stage::Vertex, tables: [Use { used: 0, limit: None }; 4] }; 8],
    };
}

/// What a program's set is, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayoutPlan {
    /// The decision.
    pub decision: Decision,
    /// What decided it, with figures.
    pub cause: Cause,
    /// The layout's flags, whole. None with `None` and `Error`.
    pub layout_flags: vk::DescriptorSetLayoutCreateFlags,
    /// Flags of the pools that sets of this layout come from.
    pub pool_flags: vk::DescriptorPoolCreateFlags,
    /// The arithmetic that decided.
    pub budget: Budget,
    /// Whether the exact model would have pushed.
    pub exact_would_push: bool,
    /// Whether a stage decided it whose code has not been read: plan again when it has.
    pub decided_before_code: bool,
    usages: Usages,
}

impl LayoutPlan {
    /// Why the program is not pushed; `None` where it is, or has no binding.
    pub fn reason(&self) -> Option<Reason> {
        self.cause.reason()
    }

    /// Each stage bit's use of Metal's tables, in pipeline order.
    pub fn stages(&self) -> &[StageUsage] {
        &self.usages.stages[..self.usages.len]
    }

    /// The code of a plan that is an error.
    pub fn code(&self) -> Option<rx_translate::Code> {
        self.reason()?.code().filter(|_| self.decision == Decision::Error)
    }

    /// The plan as an error, where it is one.
    pub fn error(&self, program: &ProgramInterface) -> Option<crate::Error> {
        let code = self.code()?;
        let program = program.name().to_owned();
        Some(crate::Error::Plan { code, program, explanation: super::print::explanation(self) })
    }

    /// What to make the set layout of; `None` where there is no layout to make.
    pub fn set_layout<'a>(&self, program: &'a ProgramInterface) -> Option<SetLayout<'a>> {
        let made = matches!(self.decision, Decision::Push | Decision::Set);
        made.then(|| SetLayout { flags: self.layout_flags, bindings: program.bindings() })
    }
}

/// What a set layout is made of. The bindings are the program's, pushed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetLayout<'a> {
    /// Flags.
    pub flags: vk::DescriptorSetLayoutCreateFlags,
    /// Bindings, in order. None carries a flag of its own.
    pub bindings: &'a [LayoutBinding],
}

/// For whom a table is counted. Only [`TablesOf::StageBit`] is right.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablesOf {
    /// Program stages that share a bit are summed.
    StageBit,
    /// Each program stage alone.
    ProgramStage,
}

/// The rules that a test may break, to show that the fixture notices.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub tables_of: TablesOf,
    pub worst_buffers: WorstBuffers,
    pub update_after_bind_sets: bool,
}

impl Rules {
    /// The rules that are used.
    pub const SHIPPED: Rules =
        Rules { tables_of: TablesOf::StageBit, worst_buffers: WorstBuffers::SHIPPED, update_after_bind_sets: true };
}

/// Plans one program's set.
///
/// Pure: the answer depends on the three arguments alone. It allocates nothing and does no I/O.
pub fn plan(program: &ProgramInterface, facts: &DeviceFacts, options: &PlanOptions) -> LayoutPlan {
    plan_with_rules(program, facts, options, &Rules::SHIPPED)
}

/// Plans the sets of one pipeline layout together: at most one of them is pushed, the first that may be. A set that
/// could not be pushed anyway has its own reason.
pub fn plan_sets(sets: &[ProgramInterface], facts: &DeviceFacts, options: &PlanOptions) -> Vec<LayoutPlan> {
    let mut pushed = false;
    let mut plans = Vec::with_capacity(sets.len());
    for set in sets {
        let mut own = plan(set, facts, options);
        if own.decision == Decision::Push {
            if pushed {
                own = plan(set, facts, &PlanOptions { policy: Policy::Set, ..*options });
            }
            pushed = true;
        }
        plans.push(own);
    }
    plans
}

/// What a set without bindings gets where `fill_empty_sets` is on: a uniform buffer that no stage sees.
const PLACEHOLDER: &[LayoutBinding] = &[LayoutBinding {
    binding: 0,
    ty: DescriptorType::UniformBuffer,
    count: Some(1),
    stages: StageBits::EMPTY,
    planes: 1,
}];

/// The set layouts of one pipeline layout: of each program that has bindings its own, of one that has none an empty one.
/// Where `fill_empty_sets` is on, an empty one before one that is not has a binding that nothing uses. `None` where a
/// plan is an error.
pub fn set_layouts<'a>(
    sets: &'a [ProgramInterface],
    plans: &[LayoutPlan],
    fixes: &ResolvedFixes,
) -> Option<Vec<SetLayout<'a>>> {
    let filled = |sets: &[ProgramInterface]| sets.iter().any(|set| !set.bindings().is_empty());
    let fill = |i: usize| fixes.on(FixId::FillEmptySets) && filled(&sets[i..]);
    let empty = vk::DescriptorSetLayoutCreateFlags::empty();
    let layout = |(i, (set, plan)): (usize, (&'a ProgramInterface, &LayoutPlan))| match plan.decision {
        Decision::Error => None,
        Decision::None => Some(SetLayout { flags: empty, bindings: if fill(i) { PLACEHOLDER } else { &[] } }),
        Decision::Push | Decision::Set => plan.set_layout(set),
    };
    sets.iter().zip(plans).enumerate().map(layout).collect()
}

/// [`plan`](fn@plan) under other rules: for tests.
#[doc(hidden)]
pub fn plan_with_rules(
    program: &ProgramInterface,
    facts: &DeviceFacts,
    options: &PlanOptions,
    rules: &Rules,
) -> LayoutPlan {
    Planner::new(program, facts, options, rules).plan()
}

/// Everything that the checks look at.
struct Planner<'a> {
    program: &'a ProgramInterface,
    summary: &'a Summary,
    facts: &'a DeviceFacts,
    options: &'a PlanOptions,
    rules: &'a Rules,
    metal: MetalModel,
    moltenvk: bool,
    tables_fix: bool,
    lengths_fix: bool,
    slots: ProgramSlots,
    counts: Counts,
}

impl<'a> Planner<'a> {
    fn new(
        program: &'a ProgramInterface,
        facts: &'a DeviceFacts,
        options: &'a PlanOptions,
        rules: &'a Rules,
    ) -> Planner<'a> {
        let metal = MetalModel::new(facts);
        let taken = program.other_sets_in_argument_buffers() && metal.argument_buffers;
        let summary = program.summary();
        Planner {
            program,
            summary,
            facts,
            options,
            rules,
            metal,
            moltenvk: facts.is_moltenvk(),
            tables_fix: options.fixes.on(FixId::SetForTables),
            lengths_fix: options.fixes.on(FixId::SetForLengths),
            slots: ProgramSlots {
                vertex_input: program.vertex_input(),
                stages: program.stage_bits(),
                other_argument_buffers: if taken { metal::ARGUMENT_BUFFER_SLOTS } else { 0 },
            },
            counts: counts(program, &metal, rules),
        }
    }

    /// The checks, in their order.
    fn plan(&self) -> LayoutPlan {
        if self.program.bindings().is_empty() {
            return self.answer(Decision::None, Cause::NoBinding);
        }
        if let Some(cause) = self.impossible() {
            return self.answer(Decision::Error, cause);
        }
        let Some(cause) = self.not_pushed(self.options.budget) else {
            return self.answer(Decision::Push, self.fits());
        };
        let update_after_bind = match self.set_family() {
            Ok(family) => family == Family::UpdateAfterBind,
            Err(cause) => return self.answer(Decision::Error, cause),
        };
        if let Some(cause) = self.no_relief().or_else(|| self.no_free_slot()) {
            return self.answer(Decision::Error, cause);
        }
        let mut plan = self.answer(Decision::Set, cause);
        if update_after_bind {
            plan.layout_flags = vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL;
            plan.pool_flags = vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND;
        }
        plan
    }

    fn answer(&self, decision: Decision, cause: Cause) -> LayoutPlan {
        let pushed = decision == Decision::Push;
        let exact_would_push = match (decision, self.options.budget) {
            (Decision::None, _) => false,
            (_, Budget::Exact) => pushed,
            (_, Budget::Worst) => self.impossible().is_none() && self.not_pushed(Budget::Exact).is_none(),
        };
        LayoutPlan {
            decision,
            cause,
            layout_flags: if pushed {
                vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR
            } else {
                vk::DescriptorSetLayoutCreateFlags::empty()
            },
            pool_flags: vk::DescriptorPoolCreateFlags::empty(),
            budget: self.options.budget,
            exact_would_push,
            decided_before_code: decision == Decision::Set && matches!(cause, Cause::Length { unread: true, .. }),
            usages: self.usages(),
        }
    }

    fn fits(&self) -> Cause {
        Cause::Fits { descriptors: self.summary.descriptors, limit: self.facts.limits.max_push_descriptors }
    }

    fn usages(&self) -> Usages {
        let mut usages = Usages::EMPTY;
        for (bit, count) in self.present() {
            usages.stages[usages.len] =
                StageUsage { stage_bit: bit, tables: self.uses(bit, count, self.options.budget) };
            usages.len += 1;
        }
        usages
    }

    /// The bits that the program has stages of, in order.
    fn present(&self) -> impl Iterator<Item = (Stage, &BitCount)> {
        self.summary.bits.iter().map(|bit| (bit, &self.counts[stage_index(bit)]))
    }

    /// Metal's tables matter with MoltenVK, and wherever their fix is on.
    fn has_tables(&self) -> bool {
        self.moltenvk || self.tables_fix
    }

    fn uses(&self, bit: Stage, count: &BitCount, budget: Budget) -> [Use; 4] {
        Table::ALL.map(|table| self.use_of(table, bit, count, budget))
    }

    fn use_of(&self, table: Table, bit: Stage, count: &BitCount, budget: Budget) -> Use {
        let (used, limit) = match table {
            Table::Buffers => (self.buffers(count), self.buffer_limit(bit, count, budget)),
            Table::Textures => (count.textures, self.texture_limit()),
            Table::Samplers => (count.samplers, metal::SAMPLERS),
            Table::ReadWriteTextures => (count.read_write, metal::READ_WRITE_TEXTURES),
        };
        Use { used, limit: self.has_tables().then_some(limit) }
    }

    /// D + PC.
    fn buffers(&self, count: &BitCount) -> u32 {
        let atomics = if self.metal.native_atomics { 0 } else { count.storage_textures };
        count.buffers.saturating_add(atomics).saturating_add(count.push_constants)
    }

    /// Slots for the set's buffers and push constants. The worst case never gives more than the exact model, which a
    /// program with more than 16 vertex buffers would otherwise get.
    fn buffer_limit(&self, bit: Stage, count: &BitCount, budget: Budget) -> i32 {
        let exact = metal::free_slots(bit, &count.needs, &self.slots, &self.metal);
        let slots = match budget {
            Budget::Exact => exact,
            Budget::Worst => exact.min(self.rules.worst_buffers.of(bit)),
        };
        slots.saturating_sub(self.slots.other_argument_buffers)
    }

    fn texture_limit(&self) -> i32 {
        metal::TEXTURES.min(i32::try_from(self.metal.texture_table).unwrap_or(metal::TEXTURES))
    }

    /// What neither a pushed nor an ordinary set cures.
    fn impossible(&self) -> Option<Cause> {
        self.unsupported_stage().or_else(|| too_many_sets(self.program.set_count(), &self.facts.limits))
    }

    fn unsupported_stage(&self) -> Option<Cause> {
        if !self.moltenvk {
            return None;
        }
        let unsupported = |stage, what| Cause::UnsupportedStage { stage, what };
        let summary = self.summary;
        let atomics = || {
            let array = summary.first_atomic_array.filter(|_| !self.metal.native_atomics);
            array.map(|(stage, binding)| unsupported(stage, Unsupported::AtomicArray { binding }))
        };
        let geometry = summary.geometry.map(|stage| unsupported(stage, Unsupported::Geometry));
        geometry
            .or_else(|| summary.first_feedback.map(|stage| unsupported(stage, Unsupported::TransformFeedback)))
            .or_else(|| summary.first_isolines.map(|stage| unsupported(stage, Unsupported::Isolines)))
            .or_else(atomics)
    }

    /// Why the set is not pushed, under one of the budgets.
    fn not_pushed(&self, budget: Budget) -> Option<Cause> {
        self.not_pushed_by_vulkan()
            .or_else(|| self.tables_fix.then(|| self.past_tables(budget)).flatten())
            .or_else(|| self.lengths_fix.then(|| self.length()).flatten())
            // A pushed layout is none of update-after-bind, so that the ordinary limits bind it.
            .or_else(|| exceeded(self.summary, &self.facts.limits, Family::Ordinary))
    }

    /// Vulkan's own rules.
    fn not_pushed_by_vulkan(&self) -> Option<Cause> {
        let limit = self.facts.limits.max_push_descriptors;
        if self.options.policy == Policy::Set {
            return Some(Cause::NoPushDescriptors { by_host: true });
        }
        if self.facts.push_descriptors == Some(false) || limit == Some(0) {
            return Some(Cause::NoPushDescriptors { by_host: false });
        }
        if let Some(fix) = NO_PUSH.into_iter().find(|&fix| self.options.fixes.on(fix)) {
            return Some(Cause::PushBroken { fix });
        }
        if let Some((binding, ty)) = self.summary.first_unpushable {
            return Some(Cause::Type { binding, ty });
        }
        if let Some(binding) = self.summary.first_unbounded {
            return Some(Cause::Unbounded { binding });
        }
        let count = self.summary.descriptors;
        limit.filter(|&limit| count > limit).map(|limit| Cause::PushLimit { count, limit })
    }

    /// The rules of `set_for_tables`.
    fn past_tables(&self, budget: Budget) -> Option<Cause> {
        let array = match budget {
            Budget::Worst => self.summary.first_storage_array,
            Budget::Exact => None,
        };
        let aliased =
            || self.summary.first_aliased_array.map(|(stage, binding)| Cause::AliasedArray { stage, binding });
        array
            .map(|(binding, count)| Cause::StorageArray { binding, count })
            .or_else(aliased)
            .or_else(|| self.past_table(Table::ReadWriteTextures, budget))
            .or_else(|| self.past_table(Table::Buffers, budget))
            .or_else(|| self.past_table(Table::Textures, budget))
            .or_else(|| self.past_table(Table::Samplers, budget))
            .or_else(|| self.swizzle())
    }

    fn past_table(&self, table: Table, budget: Budget) -> Option<Cause> {
        self.present().find_map(|(bit, count)| {
            let own = self.use_of(table, bit, count, budget);
            own.is_past().then(|| Cause::Table {
                table,
                stage: named_stage(table, bit, count),
                used: own.used,
                limit: own.limit.unwrap_or_default(),
            })
        })
    }

    /// Swizzles reach the shader only through a bound set.
    fn swizzle(&self) -> Option<Cause> {
        if !self.moltenvk || self.metal.native_swizzle {
            return None;
        }
        self.summary.first_sampled.map(|binding| Cause::Swizzle { binding })
    }

    /// The rule of `set_for_lengths`. A stage that is known to read a length comes before one that is not read yet.
    fn length(&self) -> Option<Cause> {
        if self.metal.version.is_some_and(|version| version < metal::LENGTHS_LOST_FROM) {
            return None;
        }
        let read = self.summary.first_length.map(|stage| Cause::Length { stage, unread: false });
        read.or_else(|| self.summary.first_unread.map(|stage| Cause::Length { stage, unread: true }))
    }

    /// Which limits an ordinary set counts against, or the limit that it is past.
    fn set_family(&self) -> Result<Family, Cause> {
        let limits = &self.facts.limits;
        let by_fix = self.tables_fix && self.rules.update_after_bind_sets;
        if !by_fix {
            let Some(cause) = exceeded(self.summary, limits, Family::Ordinary) else {
                return Ok(Family::Ordinary);
            };
            if self.facts.update_after_bind == Some(false) {
                return Err(cause);
            }
        } else if self.facts.update_after_bind == Some(false) {
            return Err(Cause::NoUpdateAfterBind);
        }
        exceeded(self.summary, limits, Family::UpdateAfterBind).map_or(Ok(Family::UpdateAfterBind), Err)
    }

    fn set_is_discrete(&self) -> bool {
        is_discrete(&self.metal, self.summary.swizzled)
    }

    /// Past a table, and a set gives no relief. Always by the exact tables.
    fn no_relief(&self) -> Option<Cause> {
        let discrete = self.set_is_discrete();
        if !self.moltenvk || !(discrete || self.metal.tier < 2) {
            return None;
        }
        let off = !self.metal.argument_buffers;
        if let Some((stage, binding)) = self.summary.first_aliased_array.filter(|_| discrete) {
            return Some(Cause::NoReliefAliased { stage, binding });
        }
        Table::ALL.into_iter().find_map(|table| {
            self.present().find_map(|(bit, count)| {
                if table == Table::Buffers && self.is_vertex_unknown(bit) {
                    return None;
                }
                let own = self.use_of(table, bit, count, Budget::Exact);
                own.is_past().then(|| Cause::NoRelief {
                    table,
                    stage: named_stage(table, bit, count),
                    used: own.used,
                    limit: own.limit.unwrap_or_default(),
                    off,
                })
            })
        })
    }

    /// Where the vertex input is not known, its buffers are no reason to give up.
    fn is_vertex_unknown(&self, bit: Stage) -> bool {
        bit == Stage::Vertex && self.program.vertex_input() == VertexInput::Unknown
    }

    /// 8 + PC <= 31 − R − K, for a set in an argument buffer. Of one that is in none, beside another that is, the tables
    /// have said so before.
    fn no_free_slot(&self) -> Option<Cause> {
        if !self.moltenvk || self.set_is_discrete() {
            return None;
        }
        self.present().filter(|&(bit, _)| !self.is_vertex_unknown(bit)).find_map(|(bit, count)| {
            let free = metal::free_slots(bit, &count.needs, &self.slots, &self.metal);
            let taken = metal::ARGUMENT_BUFFER_SLOTS.unsigned_abs() + count.push_constants;
            (i64::from(taken) > i64::from(free)).then_some(Cause::NoFreeSlot { stage: bit, taken, free })
        })
    }
}

/// Whether MoltenVK cannot hold a set in an argument buffer, whatever its tier: they are off, or the set has a texture
/// that the GPU does not swizzle itself.
fn is_discrete(metal: &MetalModel, swizzled: bool) -> bool {
    !metal.argument_buffers || !metal.native_swizzle && swizzled
}

/// What the program takes of Metal's tables. The other sets' bindings ask for implicit buffers too; where one of those sets
/// is in no argument buffer it is bound through the same tables, and all of them count, since which binding is of which set
/// is not known.
fn counts(program: &ProgramInterface, metal: &MetalModel, rules: &Rules) -> Counts {
    let summary = program.summary();
    let mut counts = match rules.tables_of {
        TablesOf::StageBit => summary.counts,
        TablesOf::ProgramStage => count_stages_apart(program.stages(), summary.counts),
    };
    if !program.other_bindings().is_empty() {
        let discrete = is_discrete(metal, summary.others_swizzled);
        for (own, other) in counts.iter_mut().zip(&summary.others) {
            own.share_needs(other);
            if discrete {
                own.share(other);
            }
        }
    }
    counts
}

/// Fixes by which nothing is pushed.
const NO_PUSH: [FixId; 3] = [FixId::NoPushArc, FixId::NoPushAmd, FixId::NoPushGeforce];

/// Read_write textures are counted by program stage, the rest by bit.
fn named_stage(table: Table, bit: Stage, count: &BitCount) -> Stage {
    match table {
        Table::ReadWriteTextures => count.read_write_stage.unwrap_or(bit),
        _ => bit,
    }
}
