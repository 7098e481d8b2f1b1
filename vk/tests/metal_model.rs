//! The exact model and the rules that hold in both models, against arithmetic done by hand.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vendor_fixes::{Config, DriverId, Version};
use rx_vk::facts::MetalFacts;
use rx_vk::layout::print::explanation;
use rx_vk::layout::{
    Budget, Decision, LayoutBinding, LayoutPlan, PlanOptions, Policy, ProgramInterface, ProgramParts, ProgramStage,
    Reason, StageBinding, StageBits, Table, VertexInput, plan,
};
use rx_vk::{DeviceFacts, codes};

const EXACT: Budget = Budget::Exact;
const WORST: Budget = Budget::Worst;

/// A MoltenVK of which nothing else is known.
fn moltenvk() -> DeviceFacts {
    DeviceFacts { driver_id: Some(DriverId::MOLTENVK), ..DeviceFacts::unknown() }
}

fn preset(name: &str) -> DeviceFacts {
    DeviceFacts::preset(name).unwrap()
}

/// A preset without its limits, so that only Metal's rules decide.
fn metal_of(name: &str) -> DeviceFacts {
    DeviceFacts { limits: Default::default(), ..preset(name) }
}

fn decide(program: &ProgramInterface, facts: &DeviceFacts, budget: Budget) -> LayoutPlan {
    plan(program, facts, &PlanOptions { budget, ..PlanOptions::new(facts, &Config::default()) })
}

/// A program of one stage with some descriptors of one type, one binding each.
fn stage(stage: Stage, ty: DescriptorType, count: u32) -> ProgramStage {
    let bindings = (0..count).map(|binding| StageBinding::new(binding, ty, 1)).collect();
    ProgramStage { bindings, ..ProgramStage::new(stage) }
}

fn program(stages: Vec<ProgramStage>) -> ProgramParts {
    ProgramParts { name: "program".to_owned(), stages, ..ProgramParts::default() }
}

fn buffers(of: Stage, count: u32) -> ProgramParts {
    program(vec![stage(of, DescriptorType::UniformBuffer, count)])
}

/// How many uniform buffers of the last stage may be pushed at most, of a program that is otherwise as given.
fn most_buffers(facts: &DeviceFacts, budget: Budget, of: Stage, change: impl Fn(&mut ProgramParts)) -> i32 {
    let pushed = |count: u32| {
        let mut parts = buffers(of, count);
        change(&mut parts);
        let plan = decide(&parts.build().unwrap(), facts, budget);
        assert!(plan.decision != Decision::None);
        plan.decision == Decision::Push
    };
    let most = (1..=40).take_while(|&count| pushed(count)).count();
    assert!(!(most as u32 + 1..=40).any(pushed), "more is never less");
    i32::try_from(most).unwrap()
}

fn vertex_bindings(count: u32) -> VertexInput {
    match count {
        0 => VertexInput::None,
        _ => VertexInput::Bindings { highest: count - 1, translated: 0 },
    }
}

#[test]
fn vertex_budgets_are_31_minus_reserved_minus_implicit() {
    // Rows R, columns K = 0, 2, 4, 6, 8: 31 - R - K, MoltenVK 1.4.2.
    let table =
        [(0, [31, 29, 27, 25, 23]), (2, [29, 27, 25, 23, 21]), (8, [23, 21, 19, 17, 15]), (16, [15, 13, 11, 9, 7])];
    let apple = metal_of("moltenvk-1.4.2-apple7");
    let amd = metal_of("moltenvk-1.4.2-amd");
    // A length of another set's buffer: the stage needs the sizes, and no pushed buffer is concerned.
    type Column<'a> = (&'a DeviceFacts, fn(&mut ProgramStage));
    let columns: [Column<'_>; 5] = [
        (&apple, |_| {}),
        (&apple, |stage| stage.reads_array_length = Some(true)),
        (&apple, |stage| stage.multiview = true),
        (&apple, |stage| stage.draw_index = true),
        (&amd, |_| {}),
    ];
    for (reserved, row) in table {
        for ((facts, change), want) in columns.iter().zip(row) {
            let most = most_buffers(facts, EXACT, Stage::Vertex, |parts| {
                parts.vertex_input = vertex_bindings(reserved);
                change(&mut parts.stages[0]);
            });
            assert_eq!(most, want, "R {reserved}, {}", facts.name);
        }
    }
}

#[test]
fn translated_vertex_bindings_and_holes_count() {
    let most = |highest, translated| {
        most_buffers(&moltenvk(), EXACT, Stage::Vertex, |parts| {
            parts.vertex_input = VertexInput::Bindings { highest, translated };
        })
    };
    // One binding, of number 9: ten slots.
    assert_eq!(most(9, 0), 21);
    assert_eq!(most(9, 3), 18);
    assert_eq!(most(30, 0), 0);
}

#[test]
fn an_unknown_vertex_input_counts_as_sixteen_bindings_in_the_exact_model() {
    assert_eq!(most_buffers(&moltenvk(), EXACT, Stage::Vertex, |_| {}), 15);
    assert_eq!(most_buffers(&moltenvk(), WORST, Stage::Vertex, |_| {}), 7);
}

#[test]
fn the_other_stages_budgets() {
    let none = |_: &mut ProgramParts| {};
    let with = |change: fn(&mut ProgramStage)| move |parts: &mut ProgramParts| change(&mut parts.stages[0]);
    let facts = metal_of("moltenvk-1.4.2-apple7");
    let old = metal_of("moltenvk-1.4.1-apple7");
    // Fragment 0, 2 (a length), 4 (multiview); compute 0, 2, 4 (dispatch base).
    assert_eq!(most_buffers(&facts, EXACT, Stage::Fragment, none), 31);
    assert_eq!(most_buffers(&facts, EXACT, Stage::Fragment, with(|s| s.reads_array_length = Some(true))), 29);
    assert_eq!(most_buffers(&facts, EXACT, Stage::Fragment, with(|s| s.multiview = true)), 27);
    assert_eq!(most_buffers(&facts, EXACT, Stage::Compute, none), 31);
    assert_eq!(most_buffers(&facts, EXACT, Stage::Compute, with(|s| s.dispatch_base = true)), 27);
    // 1.4.1 has no swizzle buffer: what stood above it stands one lower.
    assert_eq!(most_buffers(&old, EXACT, Stage::Compute, with(|s| s.dispatch_base = true)), 28);
    assert_eq!(most_buffers(&old, EXACT, Stage::Fragment, with(|s| s.multiview = true)), 28);
    // DrawIndex takes a buffer from 1.4.2 on.
    let draw_index = |parts: &mut ProgramParts| {
        parts.vertex_input = VertexInput::None;
        parts.stages[0].draw_index = true;
    };
    assert_eq!(most_buffers(&old, EXACT, Stage::Vertex, draw_index), 31);
    assert_eq!(most_buffers(&facts, EXACT, Stage::Vertex, draw_index), 25);
}

#[test]
fn tessellation_takes_its_implicit_buffers() {
    let tessellating = |parts: &mut ProgramParts| {
        parts.vertex_input = VertexInput::None;
        let has = |stage| parts.stages.iter().any(|own| own.stage == stage);
        let missing: Vec<Stage> = [Stage::Vertex, Stage::TessellationControl, Stage::TessellationEvaluation]
            .into_iter()
            .filter(|&s| !has(s))
            .collect();
        parts.stages.extend(missing.into_iter().map(ProgramStage::new));
    };
    let most =
        |version: &str, of| most_buffers(&metal_of(&format!("moltenvk-{version}-apple7")), EXACT, of, tessellating);
    // Control: 31 - 1 - 7, the levels' offset being 6, or 5 with 1.4.1. Vertex: the output's offset is 4, or 3.
    assert_eq!(most("1.4.2", Stage::TessellationControl), 23);
    assert_eq!(most("1.4.1", Stage::TessellationControl), 24);
    assert_eq!(most("1.4.0", Stage::TessellationControl), 23);
    assert_eq!(most("1.4.2", Stage::Vertex), 26);
    assert_eq!(most("1.4.1", Stage::Vertex), 27);
    // Evaluation: 31 - 3 - 0; on AMD without Metal 3 31 - 3 - 8.
    assert_eq!(most("1.4.2", Stage::TessellationEvaluation), 28);
    assert_eq!(most_buffers(&metal_of("moltenvk-1.4.2-amd"), EXACT, Stage::TessellationEvaluation, tessellating), 20);
}

#[test]
fn the_worst_cases_budgets_are_those_of_any_mac() {
    // 31 - 16 - 8, 31 - 1 - 7, 31 - 3 - 8, 31 - 8, 31 - 4.
    let stages = [
        (Stage::Vertex, 7),
        (Stage::TessellationControl, 23),
        (Stage::TessellationEvaluation, 20),
        (Stage::Fragment, 23),
        (Stage::Compute, 27),
    ];
    for (stage, want) in stages {
        assert_eq!(most_buffers(&moltenvk(), WORST, stage, |_| {}), want, "{stage:?}");
    }
    // Also where the version at hand takes one buffer fewer.
    let old = metal_of("moltenvk-1.4.1-apple7");
    assert_eq!(most_buffers(&old, WORST, Stage::TessellationControl, |_| {}), 23);
}

#[test]
fn implicit_buffers_are_those_of_the_version() {
    let limit_on = |facts: &DeviceFacts, change: fn(&mut ProgramParts)| {
        let mut parts = program(vec![stage(Stage::Vertex, DescriptorType::SampledImage, 1)]);
        parts.vertex_input = VertexInput::None;
        change(&mut parts);
        let plan = decide(&parts.build().unwrap(), facts, EXACT);
        plan.stages()[0].table(Table::Buffers).limit.unwrap()
    };
    let limit = |name: &str, change| limit_on(&metal_of(name), change);
    let draw_index = |parts: &mut ProgramParts| parts.stages[0].draw_index = true;
    // Offset 5 from 1.4.2 on, and none before; the same of reversed depth's 7 on AMD without Metal 3.
    assert_eq!(limit("moltenvk-1.4.2-apple7", draw_index), 31 - 6);
    assert_eq!(limit("moltenvk-1.4.1-apple7", draw_index), 31);
    assert_eq!(limit("moltenvk-1.4.0-apple7", draw_index), 31);
    assert_eq!(limit("moltenvk-1.4.2-amd", |_| {}), 31 - 8);
    for version in [Version::new(1, 4, 1), Version::new(1, 4, 0)] {
        let amd = DeviceFacts { driver_version: Some(version), ..metal_of("moltenvk-1.4.2-amd") };
        assert_eq!(limit_on(&amd, |_| {}), 31, "{version}");
    }
    // The swizzles of a texture that is sampled, offset 2, where the GPU has none of its own.
    assert_eq!(limit("moltenvk-1.4.2-mac1", |_| {}), 31 - 3);
    assert_eq!(limit("moltenvk-1.4.2-apple7", |_| {}), 31);
    let plain = |parts: &mut ProgramParts| parts.stages[0].bindings[0].ty = DescriptorType::UniformBuffer;
    assert_eq!(limit("moltenvk-1.4.2-mac1", plain), 31);
    // Without argument buffers another set's textures are bound to the same stage, and their swizzles with them.
    let facts = metal_of("moltenvk-1.4.2-mac1");
    let facts = DeviceFacts { metal: MetalFacts { argument_buffers: Some(false), ..facts.metal }, ..facts };
    let of = |ty| {
        let other = program(vec![stage(Stage::Vertex, ty, 1)]).build().unwrap();
        let other_bindings = other.bindings().to_vec();
        let parts = ProgramParts { vertex_input: VertexInput::None, other_bindings, ..buffers(Stage::Vertex, 1) };
        decide(&parts.build().unwrap(), &facts, EXACT).stages()[0].table(Table::Buffers).limit.unwrap()
    };
    assert_eq!([DescriptorType::SampledImage, DescriptorType::UniformBuffer].map(of), [31 - 3, 31]);
    // What a control stage writes takes a buffer of the vertex stage's; the evaluation stage is no reason of its own.
    let tessellated = |parts: &mut ProgramParts| parts.stages.push(ProgramStage::new(Stage::TessellationControl));
    assert_eq!(limit("moltenvk-1.4.2-apple7", tessellated), 31 - 5);
}

#[test]
fn isolines_and_atomics_on_an_array_without_native_ones_are_errors() {
    let mut parts = buffers(Stage::TessellationEvaluation, 1);
    parts.stages[0].isolines = true;
    let lines = parts.build().unwrap();
    let plan = decide(&lines, &moltenvk(), EXACT);
    assert_eq!((plan.decision, plan.reason()), (Decision::Error, Some(Reason::UnsupportedStage)));
    assert_eq!(explanation(&plan), "tessellation_evaluation: Metal has no isolines");
    assert_eq!(decide(&lines, &preset("radv"), WORST).decision, Decision::Push);

    let of = |ty, count, texel_atomics| {
        let own = StageBinding { texel_atomics, count, ..StageBinding::new(3, ty, 1) };
        let own = ProgramStage { bindings: vec![own], ..ProgramStage::new(Stage::Compute) };
        program(vec![own]).build().unwrap()
    };
    let reason = |name: &str, program: &ProgramInterface| {
        let plan = decide(program, &metal_of(name), EXACT);
        (plan.reason() == Some(Reason::UnsupportedStage)).then(|| explanation(&plan))
    };
    let why = "compute: binding 3 is an array of storage textures with atomics, which this GPU has not";
    for ty in [DescriptorType::StorageImage, DescriptorType::StorageTexelBuffer] {
        assert_eq!(reason("moltenvk-1.4.2-a11", &of(ty, Some(2), true)).as_deref(), Some(why));
        assert_eq!(reason("moltenvk-1.4.2-a11", &of(ty, None, true)).as_deref(), Some(why));
        // One alone is emulated; an array without atomics, or with native ones, needs none.
        assert_eq!(reason("moltenvk-1.4.2-a11", &of(ty, Some(1), true)), None);
        assert_eq!(reason("moltenvk-1.4.2-a11", &of(ty, Some(2), false)), None);
        assert_eq!(reason("moltenvk-1.4.2-apple7", &of(ty, Some(2), true)), None);
    }
    // Atomics of a buffer are no texel's.
    assert_eq!(reason("moltenvk-1.4.2-a11", &of(DescriptorType::StorageBuffer, Some(2), true)), None);
    let radv = decide(&of(DescriptorType::StorageImage, Some(2), true), &preset("radv"), WORST);
    assert_eq!(radv.decision, Decision::Push);
}

#[test]
fn another_set_in_an_argument_buffer_costs_every_stage_eight_slots() {
    let other = |parts: &mut ProgramParts| parts.other_sets_in_argument_buffers = true;
    let facts = moltenvk();
    assert_eq!(most_buffers(&facts, WORST, Stage::Fragment, other), 15);
    assert_eq!(most_buffers(&facts, WORST, Stage::Compute, other), 19);
    assert_eq!(most_buffers(&facts, EXACT, Stage::Fragment, other), 23);
    assert_eq!(
        most_buffers(&facts, EXACT, Stage::Vertex, |parts| {
            other(parts);
            parts.vertex_input = vertex_bindings(8);
        }),
        15
    );
    // The worst case of a vertex stage: 31 - 16 - 8 - 8 is -1, and not even a stage without a buffer fits.
    let mut parts =
        program(vec![ProgramStage::new(Stage::Vertex), stage(Stage::Fragment, DescriptorType::UniformBuffer, 1)]);
    other(&mut parts);
    let plan = decide(&parts.build().unwrap(), &facts, WORST);
    assert_eq!((plan.decision, plan.reason()), (Decision::Set, Some(Reason::Buffers)));
    assert_eq!(explanation(&plan), "vertex: 0 of -1 buffers");
    assert!(plan.exact_would_push);
    // With argument buffers off no set is in one.
    let mut off = moltenvk();
    off.metal.argument_buffers = Some(false);
    assert_eq!(most_buffers(&off, EXACT, Stage::Fragment, other), 31);
}

#[test]
fn the_push_constants_buffer_counts_in_every_stage_that_a_range_names() {
    let named = |parts: &mut ProgramParts| parts.push_constants = [Stage::Fragment].into_iter().collect();
    assert_eq!(most_buffers(&moltenvk(), EXACT, Stage::Fragment, named), 30);
    assert_eq!(most_buffers(&moltenvk(), EXACT, Stage::Compute, named), 31);
}

#[test]
fn texture_tables_of_96_and_31_hold_in_both_models() {
    let textures = |facts: &DeviceFacts, count, budget| {
        let program = program(vec![stage(Stage::Fragment, DescriptorType::SampledImage, count)]).build().unwrap();
        let plan = decide(&program, facts, budget);
        (plan.decision == Decision::Push, plan.stages()[0].table(Table::Textures).limit)
    };
    let mut small = moltenvk();
    small.metal.texture_table = Some(31);
    for budget in [WORST, EXACT] {
        assert_eq!(textures(&metal_of("moltenvk-1.4.2-a11"), 96, budget), (true, Some(96)));
        assert!(!textures(&metal_of("moltenvk-1.4.2-a11"), 97, budget).0);
        assert_eq!(textures(&small, 31, budget), (true, Some(31)));
        assert!(!textures(&small, 32, budget).0);
        assert_eq!(textures(&moltenvk(), 128, budget), (true, Some(128)));
        assert!(!textures(&moltenvk(), 129, budget).0);
    }
}

#[test]
fn a_family_gives_what_the_facts_leave_out() {
    for (family, table) in [("apple3", 31), ("apple4", 96), ("apple5", 96), ("apple6", 128), ("mac2", 128)] {
        let json = format!(r#"{{"schema": 1, "driver": {{"id": 14}}, "metal": {{"gpu_family": "{family}"}}}}"#);
        let facts = DeviceFacts::from_json("test", &json).unwrap();
        assert_eq!(rx_vk::facts::MetalModel::new(&facts).texture_table, table, "{family}");
    }
}

#[test]
fn a_length_matters_from_1_4_1_on_and_only_in_the_pushed_set() {
    let mut reads = stage(Stage::Compute, DescriptorType::StorageBuffer, 1);
    reads.reads_array_length = Some(true);
    let here = program(vec![reads.clone()]).build().unwrap();
    // The buffer whose length is read stands in another set.
    reads.bindings = vec![StageBinding::new(0, DescriptorType::UniformBuffer, 1)];
    let elsewhere = program(vec![reads.clone()]).build().unwrap();
    // Two buffers of this set, of which neither is the one.
    reads.bindings =
        vec![StageBinding { reads_length: Some(false), ..StageBinding::new(0, DescriptorType::StorageBuffer, 1) }];
    let not_this_one = program(vec![reads]).build().unwrap();
    for budget in [WORST, EXACT] {
        let reason = |program, name: &str| decide(program, &metal_of(name), budget).reason();
        assert_eq!(reason(&here, "moltenvk-1.2.7-apple7"), None);
        assert_eq!(reason(&here, "moltenvk-1.4.0-apple7"), None);
        assert_eq!(reason(&here, "moltenvk-1.4.1-apple7"), Some(Reason::Lengths));
        assert_eq!(reason(&here, "moltenvk-1.4.2-apple7"), Some(Reason::Lengths));
        assert_eq!(decide(&here, &moltenvk(), budget).reason(), Some(Reason::Lengths), "a version not known");
        assert_eq!(reason(&elsewhere, "moltenvk-1.4.2-apple7"), None);
        assert_eq!(reason(&not_this_one, "moltenvk-1.4.2-apple7"), None);
    }
}

#[test]
fn without_native_swizzle_a_sampled_texture_is_not_pushed() {
    let facts = metal_of("moltenvk-1.4.2-mac1");
    for budget in [WORST, EXACT] {
        for (ty, reason) in [
            (DescriptorType::SampledImage, Some(Reason::Swizzle)),
            (DescriptorType::CombinedImageSampler, Some(Reason::Swizzle)),
            (DescriptorType::StorageImage, None),
            (DescriptorType::UniformTexelBuffer, None),
        ] {
            let program = program(vec![stage(Stage::Fragment, ty, 1)]).build().unwrap();
            let plan = decide(&program, &facts, budget);
            assert_eq!(plan.reason(), reason, "{ty:?}");
            assert_ne!(plan.decision, Decision::Error);
        }
    }
}

#[test]
fn without_native_atomics_a_storage_texture_takes_a_buffer_as_well() {
    let facts = metal_of("moltenvk-1.4.2-a11");
    let most = |textures: u32| {
        most_buffers(&facts, EXACT, Stage::Compute, |parts| {
            let own = StageBinding {
                access: Access::Write,
                ..StageBinding::new(100, DescriptorType::StorageImage, textures)
            };
            parts.stages[0].bindings.push(own);
        })
    };
    assert_eq!(most(8), 23);
    assert_eq!(most(20), 11);
    let native = metal_of("moltenvk-1.4.2-apple7");
    let with_images = |parts: &mut ProgramParts| {
        parts.stages[0].bindings.push(StageBinding::new(100, DescriptorType::StorageTexelBuffer, 8));
    };
    assert_eq!(most_buffers(&native, EXACT, Stage::Compute, with_images), 31);
}

#[test]
fn read_write_textures_are_those_both_read_and_written() {
    for budget in [WORST, EXACT] {
        let of = |access, count| {
            let own = StageBinding { access, ..StageBinding::new(0, DescriptorType::StorageImage, count) };
            let parts = program(vec![ProgramStage { bindings: vec![own], ..ProgramStage::new(Stage::Compute) }]);
            decide(&parts.build().unwrap(), &moltenvk(), budget).reason()
        };
        assert_eq!(of(Access::ReadWrite, 8), None);
        assert_eq!(of(Access::ReadWrite, 9), Some(Reason::RwTextures));
        assert_eq!(of(Access::Read, 40), None);
        assert_eq!(of(Access::Write, 40), None);
    }
}

#[test]
fn of_two_stages_with_as_many_read_write_textures_the_first_is_named() {
    let own = |of| ProgramStage { stage_bit: Stage::Compute, ..stage(of, DescriptorType::StorageImage, 9) };
    let plan = decide(&program(vec![own(Stage::Mesh), own(Stage::Task)]).build().unwrap(), &moltenvk(), WORST);
    assert_eq!(explanation(&plan), "task: 9 of 8 read_write textures");
}

#[test]
fn the_exact_model_pushes_a_lone_storage_array_at_its_count() {
    let array = |count| {
        let own = StageBinding::new(0, DescriptorType::StorageBuffer, count);
        program(vec![ProgramStage { bindings: vec![own], ..ProgramStage::new(Stage::Compute) }]).build().unwrap()
    };
    let facts = metal_of("moltenvk-1.4.2-apple7");
    assert_eq!(decide(&array(4), &facts, WORST).reason(), Some(Reason::Tables));
    assert!(decide(&array(4), &facts, WORST).exact_would_push);
    assert_eq!(decide(&array(31), &facts, EXACT).decision, Decision::Push);
    assert_eq!(decide(&array(32), &facts, EXACT).reason(), Some(Reason::Buffers));
}

#[test]
fn an_array_that_shares_its_binding_is_not_pushed_in_either_model() {
    for (ty, counts, budget, reason) in [
        (DescriptorType::StorageBuffer, [1, 4], EXACT, Some(Reason::AliasedArray)),
        (DescriptorType::StorageBuffer, [1, 4], WORST, Some(Reason::Tables)),
        (DescriptorType::UniformBuffer, [1, 4], EXACT, Some(Reason::AliasedArray)),
        (DescriptorType::UniformBuffer, [2, 2], WORST, Some(Reason::AliasedArray)),
        // Two single variables share one pointer.
        (DescriptorType::StorageBuffer, [1, 1], WORST, None),
        (DescriptorType::StorageBuffer, [1, 1], EXACT, None),
        // Textures and samplers get one index, which Metal does not give twice.
        (DescriptorType::SampledImage, [1, 4], EXACT, Some(Reason::AliasedArray)),
        (DescriptorType::StorageTexelBuffer, [1, 1], WORST, Some(Reason::AliasedArray)),
        (DescriptorType::Sampler, [1, 1], EXACT, Some(Reason::AliasedArray)),
        (DescriptorType::CombinedImageSampler, [1, 1], EXACT, Some(Reason::AliasedArray)),
    ] {
        let bindings = counts.map(|count| StageBinding::new(0, ty, count)).to_vec();
        let parts = program(vec![ProgramStage { bindings, ..ProgramStage::new(Stage::Compute) }]);
        let program = parts.build().unwrap();
        assert_eq!(program.bindings().len(), 1);
        assert_eq!(decide(&program, &moltenvk(), budget).reason(), reason, "{ty:?} {counts:?} {budget:?}");
    }
}

#[test]
fn more_than_sixteen_vertex_buffers_bind_the_worst_case_too() {
    // 31 - 27 - 0 is 4, below the worst case's 7.
    let input = |parts: &mut ProgramParts| parts.vertex_input = vertex_bindings(22);
    assert_eq!(most_buffers(&moltenvk(), WORST, Stage::Vertex, input), 7);
    let input = |parts: &mut ProgramParts| parts.vertex_input = vertex_bindings(27);
    assert_eq!(most_buffers(&moltenvk(), EXACT, Stage::Vertex, input), 4);
    assert_eq!(most_buffers(&moltenvk(), WORST, Stage::Vertex, input), 4);
}

#[test]
fn past_a_table_without_relief_is_an_error_that_names_it() {
    let mut off = moltenvk();
    off.metal.argument_buffers = Some(false);
    let mut tier_1 = moltenvk();
    tier_1.metal.argument_buffers_tier = Some(1);
    for (facts, why) in [(&off, "argument buffers are off"), (&tier_1, "argument buffers are of tier 1")] {
        for budget in [WORST, EXACT] {
            let samplers = program(vec![stage(Stage::Fragment, DescriptorType::Sampler, 17)]).build().unwrap();
            let plan = decide(&samplers, facts, budget);
            assert_eq!((plan.decision, plan.reason()), (Decision::Error, Some(Reason::NoRelief)));
            assert_eq!((plan.layout_flags.as_raw(), plan.pool_flags.as_raw()), (0, 0));
            let words = explanation(&plan);
            assert!(words.starts_with("fragment: 17 of 16 samplers"), "{words}");
            assert!(words.ends_with(&format!("{why} (MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS)")), "{words}");
            let error = plan.error(&samplers).unwrap();
            assert_eq!(error.code(), codes::NO_RELIEF);
            assert!(error.to_string().starts_with("RX0513: program: fragment: 17 of 16 samplers"), "{error}");
        }
        // What only the worst case refuses gets a set, for it does fit.
        let plan = decide(&buffers(Stage::Fragment, 24).build().unwrap(), facts, WORST);
        assert_eq!((plan.decision, plan.reason()), (Decision::Set, Some(Reason::Buffers)));
        let plan = decide(&buffers(Stage::Fragment, 32).build().unwrap(), facts, WORST);
        assert_eq!(plan.reason(), Some(Reason::NoRelief));
    }
    // The same on an M1 with argument buffers on is a set.
    let samplers = program(vec![stage(Stage::Fragment, DescriptorType::Sampler, 17)]).build().unwrap();
    assert_eq!(decide(&samplers, &moltenvk(), WORST).decision, Decision::Set);
}

#[test]
fn vertex_buffers_are_no_such_error_where_the_vertex_input_is_not_known() {
    let mut off = moltenvk();
    off.metal.argument_buffers = Some(false);
    let with = |count, input| {
        let parts = ProgramParts { vertex_input: input, ..buffers(Stage::Vertex, count) };
        decide(&parts.build().unwrap(), &off, WORST)
    };
    assert_eq!(with(20, VertexInput::Unknown).decision, Decision::Set);
    assert_eq!(with(20, vertex_bindings(16)).reason(), Some(Reason::NoRelief));
    assert_eq!(with(20, vertex_bindings(4)).reason(), Some(Reason::Buffers));
}

#[test]
fn an_array_that_shares_its_binding_has_no_relief_with_argument_buffers_off() {
    let mut off = moltenvk();
    off.metal.argument_buffers = Some(false);
    let bindings = [1, 4].map(|count| StageBinding::new(0, DescriptorType::StorageBuffer, count)).to_vec();
    let parts = program(vec![ProgramStage { bindings, ..ProgramStage::new(Stage::Compute) }]);
    let plan = decide(&parts.build().unwrap(), &off, WORST);
    assert_eq!((plan.decision, plan.reason()), (Decision::Error, Some(Reason::NoRelief)));
}

#[test]
fn an_ordinary_set_needs_eight_free_slots() {
    // 8 + PC <= 31 - R - K. With push constants: R = 16 allows K <= 6, R = 20 K <= 2, R = 22 K = 0, R = 23 none.
    let facts = metal_of("moltenvk-1.4.2-apple7");
    let with = |bindings, change: fn(&mut ProgramStage)| {
        let mut parts =
            program(vec![ProgramStage::new(Stage::Vertex), stage(Stage::Fragment, DescriptorType::Sampler, 17)]);
        parts.vertex_input = vertex_bindings(bindings);
        parts.push_constants = [Stage::Vertex].into_iter().collect();
        change(&mut parts.stages[0]);
        decide(&parts.build().unwrap(), &facts, WORST)
    };
    let nothing = |_: &mut ProgramStage| {};
    let length = |stage: &mut ProgramStage| stage.reads_array_length = Some(true);
    let draw_index = |stage: &mut ProgramStage| stage.draw_index = true;
    for (plan, want) in [
        (with(16, draw_index), Decision::Set),
        (with(17, draw_index), Decision::Error),
        (with(20, length), Decision::Set),
        (with(21, length), Decision::Error),
        (with(22, nothing), Decision::Set),
        (with(23, nothing), Decision::Error),
    ] {
        assert_eq!(plan.decision, want, "{}", explanation(&plan));
        if want == Decision::Error {
            assert_eq!(plan.reason(), Some(Reason::NoFreeSlot));
        }
    }
    assert_eq!(
        explanation(&with(17, draw_index)),
        "vertex: argument buffers and push constants take 9 buffer slots, and 8 of 31 are free"
    );
    // Not known: no such error.
    let mut parts =
        program(vec![ProgramStage::new(Stage::Vertex), stage(Stage::Fragment, DescriptorType::Sampler, 17)]);
    parts.stages[0].draw_index = true;
    parts.push_constants = [Stage::Vertex].into_iter().collect();
    assert_eq!(decide(&parts.build().unwrap(), &metal_of("moltenvk-1.4.2-amd"), WORST).decision, Decision::Set);
}

#[test]
fn a_set_whose_textures_the_gpu_does_not_swizzle_is_in_no_argument_buffer() {
    let decision = |name: &str, ty| {
        let stages = vec![stage(Stage::Vertex, DescriptorType::UniformBuffer, 1), stage(Stage::Fragment, ty, 2)];
        let mut parts = program(stages);
        parts.stages[1].bindings.remove(0);
        // 31 - 30 vertex buffers leave one slot: enough for the buffer, not for eight argument buffers.
        parts.vertex_input = vertex_bindings(30);
        let facts = metal_of(name);
        let options = PlanOptions { policy: Policy::Set, ..PlanOptions::new(&facts, &Config::default()) };
        let plan = plan(&parts.build().unwrap(), &facts, &options);
        (plan.decision, plan.reason())
    };
    let no_slot = (Decision::Error, Some(Reason::NoFreeSlot));
    for ty in [DescriptorType::SampledImage, DescriptorType::CombinedImageSampler, DescriptorType::InputAttachment] {
        assert_eq!(decision("moltenvk-1.4.2-mac1", ty), (Decision::Set, Some(Reason::NoPushDescriptors)), "{ty:?}");
        assert_eq!(decision("moltenvk-1.4.2-apple7", ty), no_slot, "{ty:?}");
    }
    assert_eq!(decision("moltenvk-1.4.2-mac1", DescriptorType::StorageBuffer), no_slot);
}

#[test]
fn a_set_outside_argument_buffers_needs_their_slots_where_another_set_is_in_one() {
    // As above: the textures keep this set out of argument buffers, and one slot is left beside 30 vertex buffers.
    let facts = metal_of("moltenvk-1.4.2-mac1");
    let options = PlanOptions { policy: Policy::Set, ..PlanOptions::new(&facts, &Config::default()) };
    let decided = |others: bool, bindings| {
        let textures = stage(Stage::Fragment, DescriptorType::SampledImage, 1);
        let mut parts = program(vec![ProgramStage::new(Stage::Vertex), textures]);
        parts.vertex_input = vertex_bindings(bindings);
        parts.other_sets_in_argument_buffers = others;
        let plan = plan(&parts.build().unwrap(), &facts, &options);
        (plan.decision, plan.reason())
    };
    let set = (Decision::Set, Some(Reason::NoPushDescriptors));
    assert_eq!(decided(false, 30), set);
    assert_eq!(decided(true, 30), (Decision::Error, Some(Reason::NoRelief)));
    assert_eq!(decided(true, 16), set);
}

#[test]
fn what_other_sets_have_asks_for_implicit_buffers_of_their_stages() {
    let other = |ty, stage| LayoutBinding { binding: 0, ty, count: Some(1), stages: StageBits::of(stage), planes: 1 };
    let most = |name: &str, other: LayoutBinding| {
        most_buffers(&metal_of(name), EXACT, Stage::Fragment, |parts| parts.other_bindings = vec![other])
    };
    // 31 - K: swizzles stand at offset 2, dynamic offsets at 0.
    let sampled = DescriptorType::SampledImage;
    assert_eq!(most("moltenvk-1.4.2-mac1", other(sampled, Stage::Fragment)), 28);
    assert_eq!(most("moltenvk-1.4.2-mac1", other(sampled, Stage::Vertex)), 31, "of another stage");
    assert_eq!(most("moltenvk-1.4.2-apple7", other(sampled, Stage::Fragment)), 31, "swizzled by the GPU");
    assert_eq!(most("moltenvk-1.4.2-mac1", other(DescriptorType::UniformTexelBuffer, Stage::Fragment)), 31);
    let dynamic = DescriptorType::UniformBufferDynamic;
    assert_eq!(most("moltenvk-1.4.2-apple7", other(dynamic, Stage::Fragment)), 30);
    assert_eq!(most("moltenvk-1.4.2-apple7", other(dynamic, Stage::Vertex)), 31);
}

#[test]
fn a_set_that_the_gpu_does_not_swizzle_shares_the_tables() {
    // 128 textures: 100 are the other set's. Texel buffers are textures, and read without a swizzle.
    let pushed = |name: &str, ty, count| {
        let mut parts = program(vec![stage(Stage::Fragment, DescriptorType::UniformTexelBuffer, count)]);
        let stages = StageBits::of(Stage::Fragment);
        parts.other_bindings = vec![LayoutBinding { binding: 0, ty, count: Some(100), stages, planes: 1 }];
        decide(&parts.build().unwrap(), &metal_of(name), EXACT).decision == Decision::Push
    };
    for ty in [DescriptorType::SampledImage, DescriptorType::InputAttachment] {
        assert!(pushed("moltenvk-1.4.2-mac1", ty, 28), "{ty:?}");
        assert!(!pushed("moltenvk-1.4.2-mac1", ty, 29), "{ty:?}");
        // In an argument buffer it takes nothing of them.
        assert!(pushed("moltenvk-1.4.2-apple7", ty, 29), "{ty:?}");
    }
    assert!(pushed("moltenvk-1.4.2-mac1", DescriptorType::StorageImage, 29));
}

#[test]
fn a_dynamic_buffer_takes_an_implicit_slot_of_its_set() {
    let facts = metal_of("moltenvk-1.4.2-apple7");
    let with = |bindings| {
        let own = StageBinding::new(0, DescriptorType::UniformBufferDynamic, 1);
        let mut parts = program(vec![ProgramStage { bindings: vec![own], ..ProgramStage::new(Stage::Vertex) }]);
        parts.vertex_input = vertex_bindings(bindings);
        decide(&parts.build().unwrap(), &facts, WORST).decision
    };
    assert_eq!(with(22), Decision::Set);
    assert_eq!(with(23), Decision::Error);
}

#[test]
fn geometry_and_transform_feedback_are_errors_that_name_the_stage() {
    let geometry = || program(vec![stage(Stage::Geometry, DescriptorType::UniformBuffer, 1)]).build().unwrap();
    let plan = decide(&geometry(), &moltenvk(), WORST);
    assert_eq!((plan.decision, plan.reason()), (Decision::Error, Some(Reason::UnsupportedStage)));
    assert!(!plan.exact_would_push);
    assert_eq!(explanation(&plan), "geometry: Metal has no geometry stage");
    let mut parts = buffers(Stage::Vertex, 1);
    parts.stages[0].transform_feedback = true;
    let plan = decide(&parts.build().unwrap(), &moltenvk(), EXACT);
    assert_eq!(explanation(&plan), "vertex: MoltenVK has no transform feedback");
    // Elsewhere they are stages like others, and Metal's fragment budget is theirs where the switch asks for it.
    let radv = preset("radv");
    assert_eq!(decide(&geometry(), &radv, WORST).decision, Decision::Push);
    let (forced, _) = rx_vendor_fixes::read([("RX_VK_SET_FOR_TABLES", "1")]);
    let of = |count| plan_with(&buffers(Stage::Geometry, count).build().unwrap(), &radv, &forced);
    assert_eq!(of(23).decision, Decision::Push);
    assert_eq!(of(24).reason(), Some(Reason::Buffers));
}

fn plan_with(program: &ProgramInterface, facts: &DeviceFacts, config: &Config) -> LayoutPlan {
    plan(program, facts, &PlanOptions::new(facts, config))
}

#[test]
fn what_only_moltenvk_lacks_needs_moltenvk() {
    let (forced, _) = rx_vendor_fixes::read([("RX_VK_SET_FOR_TABLES", "1"), ("RX_VK_SET_FOR_LENGTHS", "1")]);
    let mut facts = DeviceFacts { driver_id: Some(DriverId::MESA_RADV), ..metal_of("moltenvk-1.4.2-mac1") };
    facts.driver_version = Some(Version::new(1, 0, 0));
    let textures = program(vec![stage(Stage::Fragment, DescriptorType::SampledImage, 1)]).build().unwrap();
    assert_eq!(plan_with(&textures, &facts, &forced).decision, Decision::Push, "no swizzle");
    let samplers = program(vec![stage(Stage::Fragment, DescriptorType::Sampler, 17)]).build().unwrap();
    assert_eq!(plan_with(&samplers, &facts, &forced).reason(), Some(Reason::Samplers), "no error without relief");
    let mut parts = buffers(Stage::Vertex, 12);
    parts.vertex_input = vertex_bindings(31);
    assert_eq!(plan_with(&parts.build().unwrap(), &facts, &forced).reason(), Some(Reason::Buffers), "no free slot");
    let mut parts = program(vec![stage(Stage::Fragment, DescriptorType::UniformTexelBuffer, 29)]);
    let (ty, stages) = (DescriptorType::SampledImage, StageBits::of(Stage::Fragment));
    parts.other_bindings = vec![LayoutBinding { binding: 0, ty, count: Some(100), stages, planes: 1 }];
    assert_eq!(plan_with(&parts.build().unwrap(), &facts, &forced).decision, Decision::Push, "no shared tables");
    // Nor does another driver's version say anything of MoltenVK's lengths.
    let mut reads = stage(Stage::Compute, DescriptorType::StorageBuffer, 1);
    reads.reads_array_length = Some(true);
    let reads = program(vec![reads]).build().unwrap();
    assert_eq!(plan_with(&reads, &facts, &forced).reason(), Some(Reason::Lengths));
}
