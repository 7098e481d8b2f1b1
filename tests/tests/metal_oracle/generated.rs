//! Generated programs: whatever is planned to be pushed fits into what Metal's back end makes of it.

use super::moltenvk::Device;
use super::{DEVICES, fixture, msl, violations};
use proptest::prelude::*;
use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vk::facts::Limits;
use rx_vk::layout::{Budget, Decision, PlanOptions, ProgramStage, StageBinding, StageBits, VertexInput, plan};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Types that may be pushed.
const TYPES: [DescriptorType; 9] = [
    DescriptorType::UniformBuffer,
    DescriptorType::StorageBuffer,
    DescriptorType::SampledImage,
    DescriptorType::Sampler,
    DescriptorType::CombinedImageSampler,
    DescriptorType::StorageImage,
    DescriptorType::UniformTexelBuffer,
    DescriptorType::StorageTexelBuffer,
    DescriptorType::InputAttachment,
];

/// The stages of programs, each with its bit.
const SHAPES: [&[(Stage, Stage)]; 5] = [
    &[(Stage::Vertex, Stage::Vertex), (Stage::Fragment, Stage::Fragment)],
    &[(Stage::Fragment, Stage::Fragment)],
    &[
        (Stage::Vertex, Stage::Vertex),
        (Stage::TessellationControl, Stage::TessellationControl),
        (Stage::TessellationEvaluation, Stage::TessellationEvaluation),
        (Stage::Fragment, Stage::Fragment),
    ],
    &[(Stage::Compute, Stage::Compute)],
    &[(Stage::Task, Stage::Compute), (Stage::Mesh, Stage::Compute)],
];

fn binding() -> impl Strategy<Value = StageBinding> {
    let count = prop_oneof![12 => Just(1u32), 3 => 2..5u32, 1 => 5..18u32];
    let access = prop_oneof![Just(Access::Read), Just(Access::Write), Just(Access::ReadWrite)];
    // Buffers are half of them: theirs is the table with most rules.
    let ty = prop_oneof![1 => 0..2usize, 1 => 0..TYPES.len()];
    (ty, count, access)
        .prop_map(|(ty, count, access)| StageBinding { access, ..StageBinding::new(0, TYPES[ty], count) })
}

/// A stage's bindings, whether it reads lengths, and whether a second variable stands at its last binding.
fn stage() -> impl Strategy<Value = (Vec<StageBinding>, bool, bool)> {
    (prop::collection::vec(binding(), 0..22), prop::bool::weighted(0.2), prop::bool::weighted(0.1))
}

fn vertex_input() -> impl Strategy<Value = VertexInput> {
    prop_oneof![
        Just(VertexInput::Unknown),
        Just(VertexInput::None),
        (0..20u32, 0..3u32).prop_map(|(highest, translated)| VertexInput::Bindings { highest, translated }),
    ]
}

/// Stages with their bindings numbered, every one of its own.
fn stages(shape: usize, drawn: Vec<(Vec<StageBinding>, bool, bool)>) -> Vec<ProgramStage> {
    let mut next = 0..;
    let mut numbered = |(bindings, lengths, doubled): (Vec<StageBinding>, bool, bool), (stage, stage_bit)| {
        let number = |own| StageBinding { binding: next.next().unwrap(), ..own };
        let mut bindings: Vec<_> = bindings.into_iter().map(number).collect();
        // An input attachment's index is the variable's own, not the binding's.
        let aliased = |own: &&StageBinding| own.ty != DescriptorType::InputAttachment;
        bindings.extend(bindings.last().filter(aliased).copied().filter(|_| doubled));
        ProgramStage { stage_bit, reads_array_length: Some(lengths), bindings, ..ProgramStage::new(stage) }
    };
    drawn.into_iter().zip(SHAPES[shape]).map(|(own, &at)| numbered(own, at)).collect()
}

/// Cases by whether they were pushed: that a generator which never gives one would show nothing.
fn run(cases: u32) -> BTreeMap<&'static str, usize> {
    let counts = RefCell::new(BTreeMap::new());
    let drawn = prop::collection::vec(stage(), 4);
    let strategy = (0..SHAPES.len(), drawn, any::<u8>(), vertex_input(), 0..DEVICES.len(), any::<bool>());
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    // Without Vulkan's limits, which are stricter than some of Metal's tables: only the tables' own rules decide.
    let bare = |name: &&str| {
        let mut device = Device::preset(name);
        device.facts.limits = Limits::default();
        device
    };
    let devices: Vec<_> = DEVICES.iter().map(bare).collect();
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let checked = runner.run(&strategy, |(shape, drawn, push, vertex_input, device, exact)| {
        let (device, stages) = (&devices[device], stages(shape, drawn));
        let push: StageBits =
            stages.iter().map(|own| own.stage_bit).filter(|bit| push >> *bit as u8 & 1 == 1).collect();
        let subject = fixture::subject("generated", stages, push, vertex_input).unwrap();
        let (config, _) = rx_vendor_fixes::read(std::iter::empty::<(&str, &str)>());
        let budget = if exact { Budget::Exact } else { Budget::Worst };
        let options = PlanOptions { budget, ..PlanOptions::new(&device.facts, &config) };
        let pushed = plan(&subject.program, &device.facts, &options).decision == Decision::Push;
        *counts.borrow_mut().entry(if pushed { "pushed" } else { "not pushed" }).or_default() += 1;
        if !pushed {
            return Ok(());
        }
        for (stage, bit, words) in &subject.stages {
            let declared = msl::compile(device, &subject, words, *stage, *bit);
            let declared = declared.map_err(|why| TestCaseError::fail(format!("{stage:?}: {why}")))?;
            let past = violations(device, &subject.program, *bit, &declared);
            prop_assert!(past.is_empty(), "{} on {}: {:?}", stage.name(), device.facts.name, past);
        }
        Ok(())
    });
    checked.unwrap_or_else(|why| panic!("{why}"));
    counts.into_inner()
}

#[test]
fn a_pushed_plan_survives() {
    let counts = run(1200);
    println!("generated programs: {counts:?}");
    assert!(counts.get("pushed").is_some_and(|pushed| *pushed > 200), "{counts:?}");
}
