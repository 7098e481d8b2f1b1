//! Vulkan's own rules: what may be pushed, and an ordinary set against the device's limits.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rx_translate::interface::{DescriptorType, Stage};
use rx_vendor_fixes::{Config, DriverId, FixId, ResolvedFixes};
use rx_vk::facts::Limits;
use rx_vk::layout::print::{self, explanation};
use rx_vk::layout::{
    Budget, Cause, Decision, LayoutPlan, PlanOptions, Policy, ProgramInterface, ProgramParts, ProgramStage, Reason,
    StageBinding, plan, plan_sets,
};
use rx_vk::{DeviceFacts, Error, codes};

/// A device that pushes up to 4 descriptors.
fn device(limits: Limits) -> DeviceFacts {
    DeviceFacts {
        driver_id: Some(DriverId::MESA_RADV),
        limits: Limits { max_push_descriptors: Some(4), ..limits },
        ..DeviceFacts::unknown()
    }
}

fn program(bindings: &[(DescriptorType, u32)]) -> ProgramInterface {
    let numbered = (0..).zip(bindings).map(|(binding, &(ty, count))| StageBinding::new(binding, ty, count)).collect();
    let stage = ProgramStage { bindings: numbered, ..ProgramStage::new(Stage::Fragment) };
    ProgramParts { name: "program".to_owned(), stages: vec![stage], ..ProgramParts::default() }.build().unwrap()
}

fn options(tables: bool) -> PlanOptions {
    let fixes = ResolvedFixes::NONE.with(FixId::SetForTables, tables);
    PlanOptions { fixes, budget: Budget::Worst, policy: Policy::Push }
}

fn decide(program: &ProgramInterface, facts: &DeviceFacts) -> LayoutPlan {
    plan(program, facts, &options(false))
}

fn flags(plan: &LayoutPlan) -> (Decision, Option<Reason>, u32, u32) {
    (plan.decision, plan.reason(), plan.layout_flags.as_raw(), plan.pool_flags.as_raw())
}

#[test]
fn an_ordinary_set_within_the_limits_has_no_flag() {
    let plan = decide(&program(&[(DescriptorType::Sampler, 5)]), &device(Limits::default()));
    assert_eq!(flags(&plan), (Decision::Set, Some(Reason::PushLimit), 0, 0));
    assert_eq!(explanation(&plan), "5 of 4 push descriptors");
}

#[test]
fn a_set_past_a_limit_is_update_after_bind_where_those_limits_allow_it() {
    let limits = |after: Option<u32>| Limits {
        max_per_stage_descriptor_samplers: Some(16),
        max_per_stage_descriptor_update_after_bind_samplers: after,
        ..Limits::default()
    };
    let samplers = program(&[(DescriptorType::CombinedImageSampler, 17)]);
    for known in [Some(17), Some(500_000), None] {
        let plan = decide(&samplers, &device(limits(known)));
        assert_eq!(flags(&plan), (Decision::Set, Some(Reason::PushLimit), 2, 2), "{known:?}");
    }
    let plan = decide(&samplers, &device(limits(Some(16))));
    assert_eq!(flags(&plan), (Decision::Error, Some(Reason::DeviceLimit), 0, 0));
    assert_eq!(explanation(&plan), "fragment: 17 where maxPerStageDescriptorUpdateAfterBindSamplers is 16");
    let error = plan.error(&samplers).unwrap();
    assert_eq!(error.code(), codes::DEVICE_LIMIT);
    // Where there are no such layouts, the ordinary limit is the one.
    let without = DeviceFacts { update_after_bind: Some(false), ..device(limits(None)) };
    let plan = decide(&samplers, &without);
    assert_eq!(explanation(&plan), "fragment: 17 where maxPerStageDescriptorSamplers is 16");
}

#[test]
fn under_the_fix_only_the_update_after_bind_limits_count() {
    let limits = Limits {
        max_per_stage_descriptor_samplers: Some(1),
        max_per_stage_descriptor_update_after_bind_samplers: Some(8),
        ..Limits::default()
    };
    let facts = device(limits);
    let of = |count| plan(&program(&[(DescriptorType::Sampler, count)]), &facts, &options(true));
    assert_eq!(flags(&of(8)), (Decision::Set, Some(Reason::PushLimit), 2, 2));
    assert_eq!(flags(&of(9)), (Decision::Error, Some(Reason::DeviceLimit), 0, 0));
    let without = DeviceFacts { update_after_bind: Some(false), ..facts };
    let lacking = plan(&program(&[(DescriptorType::Sampler, 5)]), &without, &options(true));
    assert_eq!(flags(&lacking), (Decision::Error, Some(Reason::DeviceLimit), 0, 0));
    assert!(matches!(without.check_fixes(&options(true).fixes), Err(Error::NoUpdateAfterBind { .. })));
    assert!(without.check_fixes(&ResolvedFixes::NONE).is_ok());
}

/// Every limit of an ordinary set, with a descriptor type that counts against it alone of those set.
#[test]
fn every_limit_is_checked_and_named() {
    use DescriptorType as T;
    let cases: [(&str, T); 26] = [
        ("maxPerStageDescriptorSamplers", T::Sampler),
        ("maxPerStageDescriptorSamplers", T::CombinedImageSampler),
        ("maxPerStageDescriptorUniformBuffers", T::UniformBuffer),
        ("maxPerStageDescriptorUniformBuffers", T::UniformBufferDynamic),
        ("maxPerStageDescriptorStorageBuffers", T::StorageBuffer),
        ("maxPerStageDescriptorStorageBuffers", T::StorageBufferDynamic),
        ("maxPerStageDescriptorSampledImages", T::SampledImage),
        ("maxPerStageDescriptorSampledImages", T::CombinedImageSampler),
        ("maxPerStageDescriptorSampledImages", T::UniformTexelBuffer),
        ("maxPerStageDescriptorStorageImages", T::StorageImage),
        ("maxPerStageDescriptorStorageImages", T::StorageTexelBuffer),
        ("maxPerStageDescriptorInputAttachments", T::InputAttachment),
        ("maxPerStageResources", T::UniformBuffer),
        ("maxPerStageResources", T::CombinedImageSampler),
        ("maxDescriptorSetSamplers", T::Sampler),
        ("maxDescriptorSetUniformBuffers", T::UniformBuffer),
        ("maxDescriptorSetUniformBuffers", T::UniformBufferDynamic),
        ("maxDescriptorSetUniformBuffersDynamic", T::UniformBufferDynamic),
        ("maxDescriptorSetStorageBuffers", T::StorageBuffer),
        ("maxDescriptorSetStorageBuffersDynamic", T::StorageBufferDynamic),
        ("maxDescriptorSetSampledImages", T::SampledImage),
        ("maxDescriptorSetSampledImages", T::UniformTexelBuffer),
        ("maxDescriptorSetStorageImages", T::StorageImage),
        ("maxDescriptorSetStorageImages", T::StorageTexelBuffer),
        ("maxDescriptorSetInputAttachments", T::InputAttachment),
        ("maxDescriptorSetSampledImages", T::CombinedImageSampler),
    ];
    for (name, ty) in cases {
        let facts = device(serde_json::from_value(serde_json::json!({ name: 5 })).unwrap());
        let with =
            |count| decide(&program(&[(ty, count)]), &DeviceFacts { update_after_bind: Some(false), ..facts.clone() });
        assert_eq!(with(5).decision, Decision::Set, "{name} {ty:?}");
        let past = with(6);
        assert!(
            matches!(past.cause, Cause::DeviceLimit { limit, count: 6, value: 5, .. } if limit == name),
            "{name} {ty:?}"
        );
        // The same limit of an update-after-bind set.
        let after = name.replace("Descriptor", "DescriptorUpdateAfterBind");
        let after = after.replace("DescriptorUpdateAfterBindSet", "DescriptorSetUpdateAfterBind");
        let after = after.replace("maxPerStageResources", "maxPerStageUpdateAfterBindResources");
        let facts = device(serde_json::from_value(serde_json::json!({ &after: 5 })).unwrap());
        let plan = plan(&program(&[(ty, 6)]), &facts, &options(true));
        assert!(
            matches!(plan.cause, Cause::DeviceLimit { limit, count: 6, value: 5, .. } if limit == after),
            "{after} {ty:?}"
        );
    }
}

#[test]
fn inline_uniform_blocks_count_as_one_each_whatever_their_size() {
    let limits = |name: &str| serde_json::from_value(serde_json::json!({ name: 1 })).unwrap();
    for name in ["maxPerStageDescriptorInlineUniformBlocks", "maxDescriptorSetInlineUniformBlocks"] {
        let facts = DeviceFacts { update_after_bind: Some(false), ..device(limits(name)) };
        let one = program(&[(DescriptorType::InlineUniformBlock, 256)]);
        assert_eq!(flags(&decide(&one, &facts)), (Decision::Set, Some(Reason::Type), 0, 0));
        let two = program(&[(DescriptorType::InlineUniformBlock, 256), (DescriptorType::InlineUniformBlock, 4)]);
        assert_eq!(explanation(&decide(&two, &facts)).split(' ').next_back(), Some("1"));
        assert_eq!(decide(&two, &facts).reason(), Some(Reason::DeviceLimit));
    }
}

#[test]
fn samplers_are_no_resources_and_an_unknown_limit_is_not_checked() {
    let facts = device(Limits { max_per_stage_resources: Some(5), ..Limits::default() });
    let set = |ty, count| flags(&decide(&program(&[(ty, count), (DescriptorType::Sampler, 4)]), &facts)).2;
    assert_eq!([set(DescriptorType::Sampler, 1000), set(DescriptorType::InlineUniformBlock, 1000)], [0, 0]);
    assert_eq!([set(DescriptorType::SampledImage, 5), set(DescriptorType::SampledImage, 6)], [0, 2]);
    let facts = DeviceFacts::unknown();
    assert_eq!(decide(&program(&[(DescriptorType::Sampler, 1000)]), &facts).decision, Decision::Push);
}

#[test]
fn more_sets_than_the_device_binds_is_an_error() {
    let facts = device(Limits { max_bound_descriptor_sets: Some(4), ..Limits::default() });
    let parts = program(&[(DescriptorType::Sampler, 5)]).into_parts();
    let with = |set_count| decide(&ProgramParts { set_count, ..parts.clone() }.build().unwrap(), &facts);
    assert_eq!(with(4).decision, Decision::Set);
    assert_eq!(explanation(&with(5)), "5 where maxBoundDescriptorSets is 4");
    // A pushed set is one of the pipeline layout's too (VUID-VkPipelineLayoutCreateInfo-setLayoutCount-00286).
    let parts = program(&[(DescriptorType::Sampler, 4)]).into_parts();
    let with = |set_count| decide(&ProgramParts { set_count, ..parts.clone() }.build().unwrap(), &facts);
    assert_eq!(with(4).decision, Decision::Push);
    assert_eq!(flags(&with(5)), (Decision::Error, Some(Reason::DeviceLimit), 0, 0));
    assert!(with(4).exact_would_push && !with(5).exact_would_push);
}

#[test]
fn a_pushed_set_is_held_to_the_ordinary_limits() {
    // VUID-VkPipelineLayoutCreateInfo-descriptorType-03016 and those after it: layouts that are not of update-after-bind.
    let limits = &Limits {
        max_per_stage_descriptor_samplers: Some(16),
        max_descriptor_set_storage_buffers: Some(4),
        ..Limits::default()
    };
    let after =
        |samplers| Limits { max_per_stage_descriptor_update_after_bind_samplers: Some(samplers), ..limits.clone() };
    let pushing = |push, limits: &Limits| {
        let limits = Limits { max_push_descriptors: Some(push), ..limits.clone() };
        DeviceFacts { limits, ..device(Limits::default()) }
    };
    let samplers = |count| program(&[(DescriptorType::CombinedImageSampler, count)]);
    let pushed = flags(&decide(&samplers(16), &pushing(32, limits)));
    assert_eq!(pushed, (Decision::Push, None, 1, 0));
    for budget in [Budget::Worst, Budget::Exact] {
        let options = PlanOptions { budget, ..options(false) };
        let plan = plan(&samplers(17), &pushing(32, limits), &options);
        assert_eq!(flags(&plan), (Decision::Set, Some(Reason::DeviceLimit), 2, 2));
        assert_eq!(explanation(&plan), "fragment: 17 where maxPerStageDescriptorSamplers is 16");
        assert!(!plan.exact_would_push && plan.error(&samplers(17)).is_none() && plan.code().is_none());
        assert!(!print::line("program", &plan).contains("RX"), "no code where there is no error");
    }
    // Of a set, not of a stage.
    let plan = decide(&program(&[(DescriptorType::StorageBuffer, 5)]), &pushing(32, limits));
    assert_eq!(explanation(&plan), "5 where maxDescriptorSetStorageBuffers is 4");
    // Vulkan's own limit on pushing comes first.
    assert_eq!(decide(&samplers(17), &pushing(8, limits)).reason(), Some(Reason::PushLimit));
    // As a set it may be past a limit too, or have no such set at all.
    let plan = decide(&samplers(17), &pushing(32, &after(16)));
    assert_eq!(flags(&plan), (Decision::Error, Some(Reason::DeviceLimit), 0, 0));
    assert_eq!(explanation(&plan), "fragment: 17 where maxPerStageDescriptorUpdateAfterBindSamplers is 16");
    let without = DeviceFacts { update_after_bind: Some(false), ..pushing(32, limits) };
    let plan = decide(&samplers(17), &without);
    assert_eq!(flags(&plan), (Decision::Error, Some(Reason::DeviceLimit), 0, 0));
    assert_eq!(plan.error(&samplers(17)).map(|error| error.code()), Some(codes::DEVICE_LIMIT));
}

#[test]
fn a_device_without_push_descriptors_gets_sets() {
    let one = program(&[(DescriptorType::Sampler, 1)]);
    let without = DeviceFacts { push_descriptors: Some(false), ..device(Limits::default()) };
    let none_of_them = device(Limits::default());
    let none_of_them =
        DeviceFacts { limits: Limits { max_push_descriptors: Some(0), ..Limits::default() }, ..none_of_them };
    for facts in [without, none_of_them] {
        assert_eq!(flags(&decide(&one, &facts)), (Decision::Set, Some(Reason::NoPushDescriptors), 0, 0));
    }
    let swiftshader = DeviceFacts::preset("swiftshader").unwrap();
    assert_eq!(decide(&one, &swiftshader).reason(), Some(Reason::NoPushDescriptors));
}

#[test]
fn a_host_may_ask_for_a_set_and_of_several_sets_one_is_pushed() {
    let one = program(&[(DescriptorType::Sampler, 1)]);
    let facts = device(Limits::default());
    let asked = plan(&one, &facts, &PlanOptions { policy: Policy::Set, ..options(false) });
    assert_eq!(flags(&asked), (Decision::Set, Some(Reason::NoPushDescriptors), 0, 0));
    let plans = plan_sets(&[program(&[(DescriptorType::Sampler, 5)]), one.clone(), one], &facts, &options(false));
    let decisions: Vec<Decision> = plans.iter().map(|plan| plan.decision).collect();
    assert_eq!(decisions, [Decision::Set, Decision::Push, Decision::Set]);
}

#[test]
fn type_comes_before_unbounded_and_unbounded_before_the_limit() {
    let stage = ProgramStage {
        bindings: vec![
            StageBinding { count: None, ..StageBinding::new(0, DescriptorType::SampledImage, 1) },
            StageBinding::new(1, DescriptorType::Sampler, 9),
            StageBinding::new(2, DescriptorType::UniformBufferDynamic, 1),
        ],
        ..ProgramStage::new(Stage::Fragment)
    };
    let mut parts = ProgramParts { stages: vec![stage], ..ProgramParts::default() };
    let facts = device(Limits::default());
    assert_eq!(decide(&parts.clone().build().unwrap(), &facts).reason(), Some(Reason::Type));
    parts.stages[0].bindings.pop();
    assert_eq!(decide(&parts.clone().build().unwrap(), &facts).reason(), Some(Reason::Unbounded));
    parts.stages[0].bindings.remove(0);
    assert_eq!(decide(&parts.build().unwrap(), &facts).reason(), Some(Reason::PushLimit));
}

#[test]
fn moltenvk_refuses_17_samplers_by_limit_where_its_limits_say_so() {
    let samplers = program(&[(DescriptorType::Sampler, 17)]);
    let of = |name| {
        let facts = DeviceFacts::preset(name).unwrap();
        plan(&samplers, &facts, &PlanOptions::new(&facts, &Config::default())).reason()
    };
    assert_eq!(of("moltenvk-1.4.2-apple7"), Some(Reason::Samplers));
    // 16 is also its update-after-bind limit there, which is looked at first.
    assert_eq!(of("moltenvk-1.4.2-intel-tier1"), Some(Reason::DeviceLimit));
}
