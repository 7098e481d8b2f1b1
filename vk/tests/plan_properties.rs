//! What holds of every plan, whatever the program and the device.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use proptest::prelude::*;
use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vendor_fixes::{DriverId, FixId, ResolvedFixes, Version};
use rx_vk::DeviceFacts;
use rx_vk::facts::{Limits, MetalFacts, MetalModel};
use rx_vk::layout::{
    Budget, Change, Choice, Decision, LayoutCache, LayoutPlan, PlanOptions, Policy, ProgramInterface, ProgramParts,
    ProgramStage, Reason, SetLayout, StageBinding, VertexInput, advise, choose, plan,
};

const TYPES: [DescriptorType; 12] = [
    DescriptorType::UniformBuffer,
    DescriptorType::StorageBuffer,
    DescriptorType::SampledImage,
    DescriptorType::Sampler,
    DescriptorType::CombinedImageSampler,
    DescriptorType::StorageImage,
    DescriptorType::UniformTexelBuffer,
    DescriptorType::StorageTexelBuffer,
    DescriptorType::InputAttachment,
    DescriptorType::UniformBufferDynamic,
    DescriptorType::StorageBufferDynamic,
    DescriptorType::InlineUniformBlock,
];

/// The stages of programs, each with its bit.
const SHAPES: [&[(Stage, Stage)]; 6] = [
    &[(Stage::Vertex, Stage::Vertex), (Stage::Fragment, Stage::Fragment)],
    &[(Stage::Vertex, Stage::Vertex)],
    &[
        (Stage::Vertex, Stage::Vertex),
        (Stage::TessellationControl, Stage::TessellationControl),
        (Stage::TessellationEvaluation, Stage::TessellationEvaluation),
        (Stage::Fragment, Stage::Fragment),
    ],
    &[(Stage::Compute, Stage::Compute)],
    &[(Stage::Task, Stage::Compute), (Stage::Mesh, Stage::Compute)],
    &[(Stage::Vertex, Stage::Vertex), (Stage::Geometry, Stage::Geometry), (Stage::Fragment, Stage::Fragment)],
];

fn binding() -> impl Strategy<Value = StageBinding> {
    // Mostly types that may be pushed, mostly few descriptors.
    let ty = prop_oneof![20 => 0..9usize, 1 => 9..12usize];
    let count = prop_oneof![6 => Just(1u32), 3 => 2..6u32, 1 => 6..40u32];
    let access = prop_oneof![Just(Access::Read), Just(Access::Write), Just(Access::ReadWrite)];
    let atomics = prop::bool::weighted(0.1);
    (ty, count, access, any::<bool>(), atomics).prop_map(|(ty, count, access, aliased_array, texel_atomics)| {
        StageBinding {
            access,
            aliased_array: aliased_array && count > 5,
            texel_atomics,
            ..StageBinding::new(0, TYPES[ty], count)
        }
    })
}

fn stage() -> impl Strategy<Value = ProgramStage> {
    let flag = || prop::bool::weighted(0.15);
    let reads = prop_oneof![8 => Just(Some(false)), 1 => Just(Some(true)), 1 => Just(None)];
    let bindings = prop::collection::vec(binding(), 0..12);
    (bindings, reads, flag(), flag(), flag(), flag(), flag(), prop::bool::weighted(0.03)).prop_map(
        |(bindings, reads, uses_global_memory, draw_index, multiview, dispatch_base, feedback, isolines)| {
            ProgramStage {
                reads_array_length: reads,
                uses_global_memory,
                draw_index,
                multiview,
                dispatch_base,
                transform_feedback: feedback && draw_index,
                isolines,
                bindings,
                ..ProgramStage::new(Stage::Vertex)
            }
        },
    )
}

fn vertex_input() -> impl Strategy<Value = VertexInput> {
    prop_oneof![
        Just(VertexInput::Unknown),
        Just(VertexInput::None),
        (0..31u32, 0..3u32).prop_map(|(highest, translated)| VertexInput::Bindings { highest, translated }),
    ]
}

fn parts() -> impl Strategy<Value = ProgramParts> {
    let stages = prop::collection::vec(stage(), 4);
    (0..SHAPES.len(), stages, any::<u8>(), vertex_input(), prop::bool::weighted(0.2), 0..10u32).prop_map(
        |(shape, mut stages, push_constants, vertex_input, other, set_count)| {
            stages.truncate(SHAPES[shape].len());
            let mut number = 0;
            for (stage, &(own, bit)) in stages.iter_mut().zip(SHAPES[shape]) {
                (stage.stage, stage.stage_bit) = (own, bit);
                for binding in &mut stage.bindings {
                    binding.binding = number;
                    number += 1;
                }
            }
            let bits = SHAPES[shape].iter().map(|&(_, bit)| bit);
            let push_constants =
                (0..).zip(bits).filter(|(i, _)| push_constants >> i & 1 == 1).map(|(_, bit)| bit).collect();
            let name = "program".to_owned();
            ProgramParts {
                name,
                stages,
                push_constants,
                vertex_input,
                other_sets_in_argument_buffers: other,
                set_count,
                other_bindings: Vec::new(),
            }
        },
    )
}

fn metal() -> impl Strategy<Value = MetalFacts> {
    let maybe = || prop_oneof![2 => Just(None), 1 => any::<bool>().prop_map(Some)];
    let table = prop_oneof![Just(None), Just(Some(31)), Just(Some(96)), Just(Some(128))];
    (table, maybe(), maybe(), maybe(), maybe(), maybe()).prop_map(|(table, swizzle, atomics, on, tier_2, depth)| {
        MetalFacts {
            gpu_family: None,
            texture_table: table,
            native_texture_swizzle: swizzle,
            native_texture_atomics: atomics,
            argument_buffers: on,
            argument_buffers_tier: tier_2.map(|yes| if yes { 2 } else { 1 }),
            emulates_reversed_depth: depth,
        }
    })
}

/// Limits in JSON's names, so that any of them may be raised.
fn limits() -> impl Strategy<Value = Vec<Option<u32>>> {
    let one = prop_oneof![3 => Just(None), 1 => (0..40u32).prop_map(Some), 2 => (40..2000u32).prop_map(Some)];
    prop::collection::vec(one, Limits::default().iter().count())
}

fn to_limits(values: &[Option<u32>]) -> Limits {
    let names = Limits::default();
    let known = names.iter().zip(values).filter_map(|((name, _), value)| Some((name.to_owned(), (*value)?.into())));
    serde_json::from_value(serde_json::Value::Object(known.collect())).unwrap()
}

fn facts() -> impl Strategy<Value = DeviceFacts> {
    let driver = prop_oneof![3 => Just(DriverId::MOLTENVK), 1 => Just(DriverId::MESA_RADV)];
    let version = prop_oneof![Just(None), (0..4u32).prop_map(|patch| Some(Version::new(1, 4, patch)))];
    let maybe = || prop_oneof![8 => Just(Some(true)), 2 => Just(None), 1 => Just(Some(false))];
    (driver, version, metal(), limits(), maybe(), maybe(), any::<bool>()).prop_map(
        |(driver, version, metal, limits, push, after, unlimited)| DeviceFacts {
            driver_id: Some(driver),
            driver_version: version,
            push_descriptors: push,
            update_after_bind: after,
            limits: if unlimited { Limits::default() } else { to_limits(&limits) },
            metal,
            ..DeviceFacts::unknown()
        },
    )
}

fn options() -> impl Strategy<Value = PlanOptions> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(tables, lengths, exact)| PlanOptions {
        fixes: ResolvedFixes::NONE.with(FixId::SetForTables, tables).with(FixId::SetForLengths, lengths),
        budget: if exact { Budget::Exact } else { Budget::Worst },
        policy: Policy::Push,
    })
}

fn build(parts: &ProgramParts) -> ProgramInterface {
    parts.clone().build().unwrap()
}

/// What one stage bit's slots hold when MoltenVK binds a pushed set: a simulation slot by slot, from what a
/// pipeline does and not from the planner's sums.
struct Slots {
    taken: [bool; 31],
    next: usize,
}

impl Slots {
    /// Takes the next slot from below.
    fn low(&mut self) {
        let slot = self.next;
        self.next += 1;
        assert!(slot < 31, "a buffer at slot {slot}");
        self.take(slot);
    }

    fn take(&mut self, slot: usize) {
        assert!(!std::mem::replace(&mut self.taken[slot], true), "slot {slot} is taken twice");
    }
}

fn implicit_offsets(stage: &ProgramStage, bit: Stage, tessellates: bool, metal: &MetalModel) -> Vec<usize> {
    let newest = metal.version.is_none_or(|version| version >= Version::new(1, 4, 2));
    let lower = usize::from(metal.version.is_some_and(|v| v == Version::new(1, 4, 1)));
    let mut offsets = Vec::new();
    if stage.reads_array_length == Some(true) || (stage.reads_array_length.is_none() && stage.uses_global_memory) {
        offsets.push(1);
    }
    let vertex = bit == Stage::Vertex;
    let view = stage.multiview && (vertex || bit == Stage::Fragment);
    if view || (vertex && tessellates) || (bit == Stage::Compute && stage.dispatch_base) {
        offsets.push(3 - lower);
    }
    if vertex && tessellates {
        offsets.push(4 - lower);
    }
    if bit == Stage::TessellationControl {
        offsets.extend([3, 4, 5, 6].map(|offset| offset - lower));
    }
    if vertex && stage.draw_index && newest {
        offsets.push(5);
    }
    if metal.reversed_depth && newest && (vertex || bit == Stage::TessellationEvaluation) {
        offsets.push(7);
    }
    offsets
}

fn simulate_pushed(parts: &ProgramParts, facts: &DeviceFacts) {
    let metal = MetalModel::new(facts);
    let bits: std::collections::BTreeSet<Stage> = parts.stages.iter().map(|stage| stage.stage_bit).collect();
    let tessellates = bits.contains(&Stage::TessellationControl);
    for &bit in &bits {
        let mut slots = Slots { taken: [false; 31], next: 0 };
        let (mut textures, mut samplers) = (0, 0);
        if parts.other_sets_in_argument_buffers && metal.argument_buffers {
            (0..8).for_each(|_| slots.low());
        }
        if parts.push_constants.has(bit) {
            slots.low();
        }
        let stages = || parts.stages.iter().filter(|stage| stage.stage_bit == bit);
        for own in stages().flat_map(|stage| &stage.bindings) {
            for _ in 0..own.count.unwrap() {
                match own.ty {
                    DescriptorType::UniformBuffer | DescriptorType::StorageBuffer => slots.low(),
                    DescriptorType::Sampler => samplers += 1,
                    DescriptorType::CombinedImageSampler => (textures, samplers) = (textures + 1, samplers + 1),
                    DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer => {
                        textures += 1;
                        if !metal.native_atomics {
                            slots.low();
                        }
                    }
                    DescriptorType::SampledImage
                    | DescriptorType::UniformTexelBuffer
                    | DescriptorType::InputAttachment => {
                        textures += 1;
                    }
                    other => panic!("{other:?} pushed"),
                }
            }
        }
        let reserved = match (bit, parts.vertex_input) {
            (Stage::Vertex, VertexInput::Bindings { highest, translated }) => (highest + 1 + translated) as usize,
            (Stage::Vertex, VertexInput::Unknown) => 16,
            (Stage::TessellationControl, _) => 1,
            (Stage::TessellationEvaluation, _) => 3,
            _ => 0,
        };
        (0..reserved).for_each(|slot| slots.take(30usize.checked_sub(slot).unwrap()));
        let offsets: std::collections::BTreeSet<usize> =
            stages().flat_map(|stage| implicit_offsets(stage, bit, tessellates, &metal)).collect();
        for offset in offsets {
            slots.take(30usize.checked_sub(reserved + offset).unwrap());
        }
        assert!(textures <= metal.texture_table, "{textures} textures");
        assert!(samplers <= 16, "{samplers} samplers");
    }
    for stage in &parts.stages {
        assert!(!stage.isolines && !stage.transform_feedback && stage.stage != Stage::Geometry);
        let both = |own: &&StageBinding| {
            matches!(own.ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer)
                && own.access == Access::ReadWrite
        };
        assert!(stage.bindings.iter().filter(both).map(|own| own.count.unwrap()).sum::<u32>() <= 8);
    }
}

/// Better or equal: what is pushed stays so, and what is no error becomes none.
fn no_worse(before: &LayoutPlan, after: &LayoutPlan) -> bool {
    match before.decision {
        Decision::Push | Decision::None => before.decision == after.decision,
        Decision::Set => after.decision != Decision::Error,
        Decision::Error => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_pushed_program_is_never_past_a_slot(parts in parts(), mut facts in facts(), mut options in options()) {
        facts.driver_id = Some(DriverId::MOLTENVK);
        options.fixes = options.fixes.with(FixId::SetForTables, true);
        let plan = plan(&build(&parts), &facts, &options);
        if plan.decision == Decision::Push {
            simulate_pushed(&parts, &facts);
            let total: u32 = parts.stages.iter().flat_map(|stage| &stage.bindings).map(|own| own.count.unwrap()).sum();
            prop_assert!(facts.limits.max_push_descriptors.is_none_or(|limit| total <= limit));
            prop_assert!(plan.exact_would_push);
        }
    }

    #[test]
    fn what_the_worst_case_pushes_the_exact_model_pushes_too(parts in parts(), facts in facts(), options in options()) {
        let program = build(&parts);
        let of = |budget| plan(&program, &facts, &PlanOptions { budget, ..options });
        let (worst, exact) = (of(Budget::Worst), of(Budget::Exact));
        prop_assert!(worst.decision != Decision::Push || exact.decision == Decision::Push, "{:?} {:?}", worst, exact);
        prop_assert_eq!(worst.exact_would_push, exact.decision == Decision::Push);
        prop_assert_eq!(exact.exact_would_push, exact.decision == Decision::Push);
    }

    #[test]
    fn the_order_of_stages_and_bindings_reaches_nothing(
        parts in parts(), facts in facts(), options in options(), seed in any::<u64>(),
    ) {
        let program = build(&parts);
        let mut shuffled = parts;
        let mut state = seed;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let count = shuffled.stages.len();
        (0..count).for_each(|i| shuffled.stages.swap(i, random(count)));
        for stage in &mut shuffled.stages {
            let count = stage.bindings.len();
            (0..count).for_each(|i| stage.bindings.swap(i, random(count)));
        }
        let again = build(&shuffled);
        prop_assert_eq!(&program, &again);
        prop_assert_eq!(plan(&program, &facts, &options), plan(&again, &facts, &options));
    }

    #[test]
    fn a_higher_limit_is_never_worse(
        parts in parts(), facts in facts(), options in options(), values in limits(), which in any::<u64>(), by in 1..100u32,
    ) {
        let program = build(&parts);
        let low = DeviceFacts { limits: to_limits(&values), ..facts };
        let raised: Vec<Option<u32>> = (0..).zip(&values).map(|(i, value)| match value {
            Some(value) if which >> i & 1 == 1 => (by < 90).then_some(value + by),
            other => *other,
        }).collect();
        let high = DeviceFacts { limits: to_limits(&raised), ..low.clone() };
        let (before, after) = (plan(&program, &low, &options), plan(&program, &high, &options));
        prop_assert!(no_worse(&before, &after), "{:?} to {:?}", before, after);
    }

    #[test]
    fn a_plan_is_whole(parts in parts(), facts in facts(), options in options()) {
        let program = build(&parts);
        let plan = plan(&program, &facts, &options);
        let flags = (plan.layout_flags.as_raw(), plan.pool_flags.as_raw());
        let tables = options.fixes.on(FixId::SetForTables);
        match plan.decision {
            Decision::Push => prop_assert_eq!((flags, plan.reason()), ((1, 0), None)),
            Decision::None => prop_assert!(flags == (0, 0) && plan.reason().is_none() && program.bindings().is_empty()),
            Decision::Error => prop_assert!(flags == (0, 0) && plan.error(&program).is_some()),
            Decision::Set => prop_assert!(flags == (2, 2) || (flags == (0, 0) && !tables)),
        }
        prop_assert_eq!(plan.reason().is_some(), matches!(plan.decision, Decision::Set | Decision::Error));
        let layout = plan.set_layout(&program);
        prop_assert_eq!(layout.is_some(), matches!(plan.decision, Decision::Push | Decision::Set));
        prop_assert!(layout.is_none_or(|layout| layout.bindings == program.bindings()));
        if !facts.is_moltenvk() {
            let only = [Reason::Swizzle, Reason::NoRelief, Reason::NoFreeSlot, Reason::UnsupportedStage];
            prop_assert!(plan.reason().is_none_or(|reason| !only.contains(&reason)));
        }
        // Words never fail, and name the program.
        prop_assert!(rx_vk::layout::print::table("deferred", &facts, &plan).starts_with("deferred: "));
    }

    #[test]
    fn one_binding_more_is_never_pushed_where_fewer_are_not(
        mut parts in parts(), facts in facts(), options in options(), extra in binding(),
    ) {
        let before = plan(&build(&parts), &facts, &options);
        let number = parts.stages.iter().map(|stage| stage.bindings.len() as u32).sum();
        parts.stages[0].bindings.push(StageBinding { binding: number, ..extra });
        let after = plan(&build(&parts), &facts, &options);
        prop_assert!(before.decision == Decision::None || after.decision != Decision::Push || before.decision == Decision::Push);
    }

    #[test]
    fn a_choice_is_never_worse_than_the_plan_and_what_it_pushes_fits(
        parts in parts(), mut facts in facts(), mut options in options(), which in 0..4usize, unused in any::<u64>(),
    ) {
        facts.driver_id = Some(DriverId::MOLTENVK);
        options.fixes = options.fixes.with(FixId::SetForTables, true);
        options.policy = [Policy::Push, Policy::Set, Policy::Split, Policy::Auto][which];
        let mut parts = parts;
        for (i, own) in parts.stages.iter_mut().flat_map(|stage| &mut stage.bindings).enumerate() {
            own.used = unused >> (i % 64) & 1 == 1;
        }
        let program = build(&parts);
        let plain = plan(&program, &facts, &options);
        match choose(&program, &facts, &options) {
            Choice::One { program: chosen, plan } => {
                prop_assert!(no_worse(&plain, &plan), "{:?} to {:?}", plain, plan);
                if plan.decision == Decision::Push {
                    simulate_pushed(&chosen.clone().into_owned().into_parts(), &facts);
                }
                let fewer = chosen.bindings().len() <= program.bindings().len();
                prop_assert!(fewer && (plain.decision != Decision::Push || *chosen == program));
            }
            Choice::Split(split) => {
                prop_assert!(which >= 2 && (which == 2 || plain.decision != Decision::Push));
                simulate_pushed(&split.constants.clone().into_parts(), &facts);
                let [constants, rest] = [&split.constants, &split.rest].map(|part| part.bindings().len());
                prop_assert!(constants > 0 && rest > 0 && constants + rest == program.bindings().len());
                prop_assert_eq!(split.rest_plan.layout_flags.as_raw(), 2);
            }
        }
    }

    #[test]
    fn advice_is_for_what_is_not_pushed_and_repeats_nothing(parts in parts(), facts in facts(), options in options()) {
        let program = build(&parts);
        let now = plan(&program, &facts, &options);
        let advice = advise(&program, &facts, &options);
        prop_assert!(advice.is_empty() || matches!(now.decision, Decision::Set | Decision::Error));
        for (i, own) in advice.iter().enumerate() {
            prop_assert!(own.would_push || !own.saves.is_empty());
            prop_assert!(advice[..i].iter().all(|other| other.change.name() != own.change.name()));
            prop_assert!(i == 0 || advice[i - 1].would_push || !own.would_push, "what pushes stands first");
        }
        if options.budget == Budget::Worst && now.exact_would_push && now.decision != Decision::Push {
            prop_assert!(advice.iter().any(|own| own.change == Change::ExactBudget && own.would_push));
        }
    }

    #[test]
    fn a_layout_is_within_the_devices_limits(parts in parts(), facts in facts(), options in options()) {
        let plan = plan(&build(&parts), &facts, &options);
        if !matches!(plan.decision, Decision::Push | Decision::Set) {
            return Ok(());
        }
        let after = plan.layout_flags.as_raw() == 2;
        let limits = &facts.limits;
        let all = || parts.stages.iter().flat_map(|stage| &stage.bindings);
        let total = |types: &[DescriptorType]| -> u32 {
            all().filter(|own| types.contains(&own.ty)).map(|own| own.count.unwrap()).sum()
        };
        let within = |count: u32, ordinary: Option<u32>, update: Option<u32>| {
            (if after { update } else { ordinary }).is_none_or(|limit| count <= limit)
        };
        use DescriptorType as Ty;
        prop_assert!(within(
            total(&[Ty::Sampler, Ty::CombinedImageSampler]),
            limits.max_descriptor_set_samplers,
            limits.max_descriptor_set_update_after_bind_samplers,
        ));
        prop_assert!(within(
            total(&[Ty::StorageBuffer, Ty::StorageBufferDynamic]),
            limits.max_descriptor_set_storage_buffers,
            limits.max_descriptor_set_update_after_bind_storage_buffers,
        ));
        prop_assert!(within(
            total(&[Ty::CombinedImageSampler, Ty::SampledImage, Ty::UniformTexelBuffer]),
            limits.max_descriptor_set_sampled_images,
            limits.max_descriptor_set_update_after_bind_sampled_images,
        ));
        prop_assert!(limits.max_bound_descriptor_sets.is_none_or(|sets| parts.set_count <= sets));
    }

    #[test]
    fn layouts_are_one_id_exactly_where_they_are_equal(programs in prop::collection::vec(parts(), 2..6), push in any::<u8>()) {
        let mut cache = LayoutCache::new();
        let programs: Vec<ProgramInterface> = programs.iter().map(build).collect();
        let flags = |i: usize| ash::vk::DescriptorSetLayoutCreateFlags::from_raw(u32::from(push >> i & 1));
        let layouts: Vec<SetLayout<'_>> = programs
            .iter()
            .enumerate()
            .flat_map(|(i, own)| [flags(i), flags(i + 1)].map(|flags| SetLayout { flags, bindings: own.bindings() }))
            .collect();
        let ids: Vec<_> = layouts.iter().map(|layout| cache.intern(layout)).collect();
        for (a, own) in layouts.iter().zip(&ids) {
            prop_assert_eq!(cache.get(*own), Some(*a));
            for (b, other) in layouts.iter().zip(&ids) {
                prop_assert_eq!(a == b, own == other);
            }
        }
    }
}
