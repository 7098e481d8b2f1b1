//! What a host chooses by policy, what is taken where it costs nothing, what is advised, and plans beside each other.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rx_translate::interface::{DescriptorType as Ty, Stage};
use rx_translate::{BufferLengths, Profile};
use rx_vendor_fixes::Config;
use rx_vk::facts::{Limits, MetalFacts};
use rx_vk::layout::print::explanation;
use rx_vk::layout::{
    Budget, Cell, Change, Choice, Decision, Difference, Fill, Policy, ProgramInterface, ProgramParts, ProgramStage,
    Reason, StageBinding, Table, Use, VertexInput, advise, choose, overview, split,
};
use rx_vk::{DeviceFacts, PlanOptions, plan};

fn m1() -> DeviceFacts {
    DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap()
}

fn options(facts: &DeviceFacts, policy: Policy) -> PlanOptions {
    PlanOptions { policy, ..PlanOptions::new(facts, &Config::default()) }
}

/// A stage whose bindings follow one another from a number.
fn stage(stage: Stage, first: u32, types: &[(Ty, u32)]) -> ProgramStage {
    let bindings = (first..).zip(types).map(|(number, &(ty, count))| StageBinding::new(number, ty, count)).collect();
    ProgramStage { bindings, ..ProgramStage::new(stage) }
}

fn parts(stages: Vec<ProgramStage>) -> ProgramParts {
    ProgramParts { name: "program".to_owned(), stages, ..ProgramParts::default() }
}

fn program(stages: Vec<ProgramStage>) -> ProgramInterface {
    parts(stages).build().unwrap()
}

/// Constants and 17 combined image samplers: past the table.
fn deferred() -> ProgramInterface {
    program(vec![
        stage(Stage::Vertex, 0, &[(Ty::UniformBuffer, 1)]),
        stage(Stage::Fragment, 1, &[(Ty::UniformBuffer, 1), (Ty::CombinedImageSampler, 17)]),
    ])
}

fn changes(program: &ProgramInterface, facts: &DeviceFacts) -> Vec<(Change, bool)> {
    advise(program, facts, &options(facts, Policy::Push)).iter().map(|own| (own.change, own.would_push)).collect()
}

#[test]
fn a_policy_is_read_from_the_switches() {
    for (value, want) in
        [("push", Policy::Push), ("set", Policy::Set), ("split", Policy::Split), ("auto", Policy::Auto)]
    {
        let (config, _) = rx_vendor_fixes::read([("RX_VK_POLICY", value)]);
        assert_eq!(PlanOptions::new(&m1(), &config).policy, want);
    }
    assert_eq!(PlanOptions::new(&m1(), &Config::default()).policy, Policy::Push);
}

#[test]
fn a_program_past_a_table_is_split_where_the_policy_says_so() {
    let (facts, program) = (m1(), deferred());
    for policy in [Policy::Push, Policy::Set] {
        let Choice::One { plan, .. } = choose(&program, &facts, &options(&facts, policy)) else { panic!("{policy:?}") };
        assert_eq!(plan.decision, Decision::Set);
    }
    for policy in [Policy::Split, Policy::Auto] {
        let worst = choose(&program, &facts, &options(&facts, policy));
        assert!(
            matches!(worst, Choice::One { .. }),
            "at worst 16 vertex buffers and 8 slots leave the vertex stage none"
        );
        let exact = PlanOptions { budget: Budget::Exact, ..options(&facts, policy) };
        let Choice::Split(own) = choose(&program, &facts, &exact) else { panic!("{policy:?}") };
        assert_eq!((own.constants_plan.decision, own.constants_plan.layout_flags.as_raw()), (Decision::Push, 1));
        assert_eq!((own.rest_plan.decision, own.rest_plan.layout_flags.as_raw()), (Decision::Set, 2));
        let numbers = |program: &ProgramInterface| program.bindings().iter().map(|b| b.binding).collect::<Vec<_>>();
        assert_eq!((numbers(&own.constants), numbers(&own.rest)), (vec![0, 1], vec![2]));
        // The other set's argument buffers take eight slots of each stage.
        let buffers = |stage: usize| own.constants_plan.stages()[stage].table(Table::Buffers);
        assert_eq!([buffers(0), buffers(1)], [Use { used: 1, limit: Some(7) }, Use { used: 1, limit: Some(23) }]);
    }
}

#[test]
fn a_program_that_can_be_pushed_is_split_only_where_asked() {
    let facts = m1();
    let small = program(vec![stage(Stage::Fragment, 0, &[(Ty::UniformBuffer, 1), (Ty::SampledImage, 1)])]);
    let Choice::One { plan, .. } = choose(&small, &facts, &options(&facts, Policy::Auto)) else { panic!() };
    assert_eq!(plan.decision, Decision::Push);
    assert!(matches!(choose(&small, &facts, &options(&facts, Policy::Split)), Choice::Split(_)));
    let textures = program(vec![stage(Stage::Fragment, 0, &[(Ty::SampledImage, 1)])]);
    let Choice::One { plan, .. } = choose(&textures, &facts, &options(&facts, Policy::Split)) else { panic!() };
    assert_eq!(plan.decision, Decision::Push, "there are no constants to split off");
    let constants = program(vec![stage(Stage::Fragment, 0, &[(Ty::UniformBuffer, 1)])]);
    assert!(split(&constants, &facts, &options(&facts, Policy::Split)).is_none(), "there is nothing else");
}

#[test]
fn a_split_is_not_made_where_a_part_does_not_fit() {
    let mut facts = m1();
    let many = [(Ty::UniformBuffer, 1); 16];
    let past = program(vec![stage(Stage::Fragment, 0, &[&many[..], &[(Ty::SampledImage, 129)]].concat())]);
    assert!(split(&past, &facts, &options(&facts, Policy::Auto)).is_none(), "16 of 23 - 8 buffers");
    let one = deferred();
    let exact = |facts: &DeviceFacts| PlanOptions { budget: Budget::Exact, ..options(facts, Policy::Auto) };
    assert!(split(&one, &facts, &exact(&facts)).is_some());
    facts.limits.max_bound_descriptor_sets = Some(1);
    assert!(split(&one, &facts, &exact(&facts)).is_none(), "two sets of one");
    facts.limits.max_bound_descriptor_sets = Some(2);
    assert!(split(&one, &facts, &exact(&facts)).is_some());
    let off = DeviceFacts { metal: MetalFacts { argument_buffers: Some(false), ..MetalFacts::default() }, ..m1() };
    assert!(split(&one, &off, &exact(&off)).is_none(), "a set gives no relief");
}

#[test]
fn both_sets_of_a_split_share_the_tables_where_they_are_bound_one_by_one() {
    let off = DeviceFacts { metal: MetalFacts { argument_buffers: Some(false), ..MetalFacts::default() }, ..m1() };
    let types = [(Ty::UniformBuffer, 1), (Ty::UniformBuffer, 2), (Ty::CombinedImageSampler, 10)];
    let own = split(&program(vec![stage(Stage::Fragment, 0, &types)]), &off, &options(&off, Policy::Split)).unwrap();
    let used = |plan: &rx_vk::LayoutPlan| [Table::Buffers, Table::Samplers].map(|t| plan.stages()[0].table(t).used);
    assert_eq!([used(&own.constants_plan), used(&own.rest_plan)], [[3, 10], [3, 10]]);
    assert_eq!(own.constants.bindings().len(), 1, "an array is no constant buffer");
}

#[test]
fn a_split_leaves_lengths_to_the_set() {
    let facts = m1();
    for reads in [Some(true), None] {
        let own = ProgramStage {
            reads_array_length: reads,
            uses_global_memory: true,
            ..stage(Stage::Compute, 0, &[(Ty::UniformBuffer, 1), (Ty::StorageBuffer, 1)])
        };
        let own = split(&program(vec![own]), &facts, &options(&facts, Policy::Split)).unwrap();
        assert_eq!(own.constants_plan.decision, Decision::Push);
    }
}

#[test]
fn what_no_stage_uses_is_left_out_where_that_pushes() {
    let facts = m1();
    let mut own =
        parts(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, 16), (Ty::CombinedImageSampler, 1)])]);
    own.stages[0].bindings[1].used = false;
    let full = own.build().unwrap();
    let options = options(&facts, Policy::Push);
    assert_eq!(plan(&full, &facts, &options).reason(), Some(Reason::Samplers));
    let Choice::One { program, plan } = choose(&full, &facts, &options) else { panic!() };
    assert_eq!((plan.decision, program.bindings().len()), (Decision::Push, 1));
    assert_eq!(changes(&full, &facts)[..2], [(Change::DropUnused, true), (Change::NarrowStages, true)]);
    for own in &advise(&full, &facts, &options)[..2] {
        let saved: Vec<_> = own.saves.iter().map(|own| (own.table, own.slots)).collect();
        assert_eq!(saved, [(Table::Textures, 1), (Table::Samplers, 1)], "the unused one alone: {:?}", own.change);
    }
}

#[test]
fn what_no_stage_uses_stays_where_its_absence_changes_nothing_and_goes_where_it_lifts_an_error() {
    let samplers = |used: usize, types: &[(Ty, u32)]| {
        let mut own = parts(vec![stage(Stage::Fragment, 0, &[&[(Ty::Sampler, 1); 17][..], types].concat())]);
        own.stages[0].bindings.iter_mut().take(17 - used).for_each(|own| own.used = false);
        own.stages[0].reads_array_length = Some(!types.is_empty());
        own.build().unwrap()
    };
    let chosen = |program: &ProgramInterface, facts: &DeviceFacts| {
        let Choice::One { program, plan } = choose(program, facts, &options(facts, Policy::Push)) else { panic!() };
        (plan.decision, program.bindings().len())
    };
    // A length: a set with all or with what is used.
    let m1 = DeviceFacts { limits: Default::default(), ..m1() };
    assert_eq!(chosen(&samplers(16, &[(Ty::StorageBuffer, 1)]), &m1), (Decision::Set, 18));
    // No argument buffers: 17 samplers are an error, 16 with a length a set, none at all nothing.
    let off = DeviceFacts { metal: MetalFacts { argument_buffers: Some(false), ..MetalFacts::default() }, ..m1 };
    let all = samplers(17, &[(Ty::StorageBuffer, 1)]);
    assert_eq!(chosen(&all, &off), (Decision::Error, 18));
    assert_eq!(chosen(&samplers(16, &[(Ty::StorageBuffer, 1)]), &off), (Decision::Set, 17));
    assert_eq!(chosen(&samplers(0, &[]), &off), (Decision::None, 0));
}

#[test]
fn a_split_is_what_the_device_can_whatever_the_policy() {
    let (facts, program) = (m1(), deferred());
    for policy in [Policy::Push, Policy::Set, Policy::Split, Policy::Auto] {
        let exact = PlanOptions { budget: Budget::Exact, ..options(&facts, policy) };
        assert!(split(&program, &facts, &exact).is_some(), "{policy:?}");
    }
}

#[test]
fn a_program_that_is_pushed_keeps_what_it_does_not_use() {
    let facts = m1();
    let mut own = parts(vec![stage(Stage::Fragment, 0, &[(Ty::SampledImage, 1), (Ty::SampledImage, 1)])]);
    own.stages[0].bindings[1].used = false;
    let full = own.build().unwrap();
    let Choice::One { program, .. } = choose(&full, &facts, &options(&facts, Policy::Push)) else { panic!() };
    assert_eq!(program.bindings().len(), 2);
}

#[test]
fn a_binding_is_narrowed_to_the_stages_that_use_it() {
    let facts = m1();
    let types = [(Ty::UniformBuffer, 1); 8];
    let mut own = parts(vec![stage(Stage::Vertex, 0, &types), stage(Stage::Fragment, 0, &types)]);
    own.stages[0].bindings.iter_mut().skip(1).for_each(|own| own.used = false);
    let full = own.build().unwrap();
    let Choice::One { program, plan } = choose(&full, &facts, &options(&facts, Policy::Push)) else { panic!() };
    assert_eq!((plan.decision, program.bindings().len()), (Decision::Push, 8));
    assert_eq!(program.bindings()[7].stages.iter().collect::<Vec<_>>(), [Stage::Fragment]);
    let advice = advise(&full, &facts, &options(&facts, Policy::Push));
    let narrow = advice.iter().find(|own| own.change == Change::NarrowStages).unwrap();
    assert!(narrow.free && narrow.would_push);
    assert_eq!(
        narrow.line(),
        "make each binding visible only to the stages that use it: would push (vertex: -7 buffers)"
    );
    assert!(!advice.iter().any(|own| own.change == Change::DropUnused), "each is used by one");
}

#[test]
fn lengths_by_push_constants_are_advised_for_a_program_that_reads_one() {
    let facts = m1();
    for reads in [Some(true), None] {
        let own = ProgramStage {
            reads_array_length: reads,
            uses_global_memory: true,
            ..stage(Stage::Compute, 0, &[(Ty::StorageBuffer, 1)])
        };
        let advice = advise(&program(vec![own]), &facts, &options(&facts, Policy::Push));
        assert_eq!(
            (advice[0].change, advice[0].would_push, advice[0].free),
            (Change::LengthsByPushConstants, true, false)
        );
        let profile = Profile::default();
        assert_eq!(advice[0].change.profile(profile).buffer_lengths, BufferLengths::PushConstants);
        assert_eq!(Change::NarrowStages.profile(profile), profile);
        let saved = advice[0].saves.iter().find(|own| own.table == Table::Buffers).unwrap();
        assert_eq!(saved.slots, -1, "the push constants' buffer");
    }
}

#[test]
fn separate_samplers_are_advised_for_many_textures() {
    let facts = m1();
    let own = program(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, 40)])]);
    let advice = advise(&own, &facts, &options(&facts, Policy::Push));
    assert_eq!((advice[0].change, advice[0].would_push), (Change::SeparateSamplers, true));
    assert_eq!(advice[0].saves.iter().map(|own| (own.table, own.slots)).collect::<Vec<_>>(), [(Table::Samplers, 39)]);
    // What is no combined image sampler stays as it is, and so does one of planes, whose sampler is its own.
    let own = program(vec![stage(Stage::Fragment, 0, &[(Ty::UniformBuffer, 1), (Ty::CombinedImageSampler, 40)])]);
    let advice = advise(&own, &facts, &options(&facts, Policy::Push));
    assert_eq!(advice[0].saves.iter().map(|own| (own.table, own.slots)).collect::<Vec<_>>(), [(Table::Samplers, 39)]);
    let mut planes = parts(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, 17)])]);
    planes.stages[0].bindings[0].planes = 2;
    assert!(!changes(&planes.build().unwrap(), &facts).iter().any(|own| own.0 == Change::SeparateSamplers));
}

#[test]
fn a_lower_vertex_binding_and_the_exact_budget_are_advised() {
    let facts = m1();
    let vertex = |highest, buffers| {
        let own = parts(vec![stage(Stage::Vertex, 0, &vec![(Ty::UniformBuffer, 1); buffers])]);
        ProgramParts { vertex_input: VertexInput::Bindings { highest, translated: 0 }, ..own }.build().unwrap()
    };
    assert_eq!(changes(&vertex(1, 12), &facts), [(Change::ExactBudget, true)]);
    let exact = PlanOptions { budget: Budget::Exact, ..options(&facts, Policy::Push) };
    let advice = advise(&vertex(20, 12), &facts, &exact);
    assert_eq!(advice[0].change, Change::LowerVertexBinding(18));
    assert_eq!(
        advice[0].line(),
        "number the vertex bindings so that the highest is 18: would push (vertex: -2 buffers)"
    );
}

#[test]
fn a_vertex_binding_that_leaves_room_for_a_set_is_advised_where_nothing_is_possible() {
    let facts = DeviceFacts { limits: Default::default(), ..m1() };
    let own = parts(vec![stage(Stage::Vertex, 0, &[(Ty::UniformBuffer, 1); 32])]);
    let own = ProgramParts { vertex_input: VertexInput::Bindings { highest: 30, translated: 0 }, ..own };
    let own = own.build().unwrap();
    let exact = PlanOptions { budget: Budget::Exact, ..options(&facts, Policy::Push) };
    assert_eq!(plan(&own, &facts, &exact).reason(), Some(Reason::NoFreeSlot));
    // 31 - 23 vertex buffers are the eight slots of argument buffers.
    let advice = advise(&own, &facts, &exact);
    assert_eq!((advice[0].change, advice[0].would_push), (Change::LowerVertexBinding(22), false));
}

#[test]
fn the_fullest_table_explains_a_pushed_plan() {
    let facts = DeviceFacts { limits: Default::default(), ..m1() };
    let explained = |stages| explanation(&plan(&program(stages), &facts, &options(&facts, Policy::Push)));
    let fragment = |types: &[(Ty, u32)]| stage(Stage::Fragment, 0, types);
    assert_eq!(explained(vec![fragment(&[(Ty::SampledImage, 100), (Ty::Sampler, 15)])]), "fragment: 15 of 16 samplers");
    let own = fragment(&[(Ty::UniformBuffer, 22), (Ty::SampledImage, 64)]);
    assert_eq!(explained(vec![own]), "fragment: 22 of 23 buffers");
    // Of two that are as full the first.
    let both = vec![stage(Stage::Vertex, 50, &[(Ty::UniformBuffer, 7)]), fragment(&[(Ty::UniformBuffer, 23)])];
    assert_eq!(explained(both), "vertex: 7 of 7 buffers");
}

#[test]
fn a_pushed_program_needs_no_advice_and_no_pipeline_is_past_help_in_silence() {
    let facts = m1();
    assert!(changes(&program(vec![stage(Stage::Fragment, 0, &[(Ty::Sampler, 16)])]), &facts).is_empty());
    assert!(changes(&program(Vec::new()), &facts).is_empty());
    // Two tables at once: no one change is enough, but what it saves is said.
    let own = program(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, 17), (Ty::Sampler, 17)])]);
    let advice = advise(&own, &facts, &options(&facts, Policy::Push));
    assert_eq!((advice[0].change, advice[0].would_push), (Change::SeparateSamplers, false));
    assert!(!advice.iter().any(|own| own.change == Change::ExactBudget), "the exact model would not push either");
    assert!(
        advice[0].line().starts_with("declare textures and samplers apart (one sampler a state): not enough alone")
    );
}

#[test]
fn advice_is_json() {
    let exact = PlanOptions { budget: Budget::Exact, ..options(&m1(), Policy::Push) };
    let advice = advise(&deferred(), &m1(), &exact);
    let json = serde_json::to_value(&advice).unwrap();
    assert_eq!(json[0]["change"], "separate_samplers");
    assert_eq!(json[0]["saves"][0]["stage_bit"], "fragment");
    assert_eq!(json[0]["would_push"], true);
    assert_eq!(json[1]["change"], "split_constants");
}

#[test]
fn two_devices_are_compared() {
    let (a, b) = (m1(), DeviceFacts::preset("radv").unwrap());
    let own = deferred();
    let plans = [&a, &b].map(|facts| plan(&own, facts, &options(facts, Policy::Push)));
    let difference = Difference::new(&own, (&a, &plans[0]), (&b, &plans[1]));
    assert_eq!(difference.devices, ["moltenvk-1.4.2-apple7", "radv"]);
    let lines: Vec<String> = difference.differences.iter().map(|own| own.line()).collect();
    // The fix is on with MoltenVK alone, whose tables another driver does not have.
    let want = [
        "decision: set / push",
        "reason: samplers / none",
        "layout flags: 0x2 / 0x1",
        "vertex: buffers: 1 of 7 / 1",
        "vertex: textures: 0 of 128 / 0",
        "vertex: samplers: 0 of 16 / 0",
        "vertex: read_write textures: 0 of 8 / 0",
    ];
    assert_eq!(lines[..want.len()], want);
    let text = difference.text();
    assert!(text.contains("  moltenvk-1.4.2-apple7  set (samplers; fragment: 17 of 16 samplers)\n"), "{text}");
    let same = Difference::new(&own, (&a, &plans[0]), (&a, &plans[0]));
    assert!(same.differences.is_empty() && same.text().ends_with("no difference\n"));
    assert_eq!(serde_json::to_value(&same).unwrap()["answers"][0]["decision"], "set");
}

#[test]
fn several_programs_are_listed_with_a_total() {
    let facts = m1();
    let small = program(vec![stage(Stage::Fragment, 0, &[(Ty::Sampler, 16)])]);
    let plans = [small, deferred()].map(|own| plan(&own, &facts, &options(&facts, Policy::Push)));
    assert_eq!(
        overview([("sky", &plans[0]), ("deferred", &plans[1])]),
        "sky       push   fragment: 16 of 16 samplers\n\
         deferred  set    samplers; fragment: 17 of 16 samplers\n\
         2 programs: 1 pushed, 1 in sets, 0 without bindings, 0 errors\n"
    );
}

#[test]
fn a_cell_says_how_full_a_table_is() {
    let cell = |used, limit| Cell::new(Use { used, limit });
    assert_eq!((cell(3, None).text.as_str(), cell(3, None).fill), ("3", Fill::Unlimited));
    for (used, fill) in [(6, Fill::Free), (7, Fill::Full), (8, Fill::Past)] {
        assert_eq!((cell(used, Some(7)).text, cell(used, Some(7)).fill), (format!("{used} of 7"), fill));
    }
    assert_eq!(cell(0, Some(-1)).fill, Fill::Past);
}

#[test]
fn sets_that_are_bound_one_by_one_share_the_tables() {
    let other = program(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, 4)])]);
    let own = |metal: MetalFacts| {
        let mut parts = parts(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, 13)])]);
        parts.other_bindings = other.bindings().to_vec();
        let facts = DeviceFacts { metal, limits: Limits::default(), ..m1() };
        plan(&parts.build().unwrap(), &facts, &options(&facts, Policy::Push))
    };
    let off = MetalFacts { argument_buffers: Some(false), ..MetalFacts::default() };
    let plan = own(off);
    assert_eq!((plan.decision, plan.reason()), (Decision::Error, Some(Reason::NoRelief)));
    assert_eq!(plan.stages()[0].table(Table::Samplers), Use { used: 17, limit: Some(16) });
    assert_eq!(own(MetalFacts::default()).decision, Decision::Push, "the other set is an argument buffer");
}

#[test]
fn planes_of_a_ycbcr_image_are_textures_each() {
    let facts = m1();
    let own = |count, planes| {
        let mut parts = parts(vec![stage(Stage::Fragment, 0, &[(Ty::CombinedImageSampler, count)])]);
        parts.stages[0].bindings[0].planes = planes;
        let plan = plan(&parts.build().unwrap(), &facts, &options(&facts, Policy::Push));
        (plan.stages()[0].table(Table::Textures).used, plan.stages()[0].table(Table::Samplers).used)
    };
    assert_eq!(own(1, 1), (1, 1));
    assert_eq!(own(1, 2), (2, 1));
    assert_eq!(own(1, 3), (3, 1));
    assert_eq!(own(2, 2), (8, 2), "MoltenVK takes the sum of an array's planes for each element");
    assert_eq!(own(2, 1), (2, 2));
}
