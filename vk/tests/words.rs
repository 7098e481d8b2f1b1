//! Every cause in words, with its figures.
#![allow(clippy::unwrap_used, missing_docs)]

use rx_translate::interface::{DescriptorType, Stage};
use rx_vendor_fixes::{Config, FixId};
use rx_vk::layout::print::{explanation, line};
use rx_vk::layout::{Cause, Decision, LayoutPlan, PlanOptions, ProgramFile, Table, Unsupported, plan};
use rx_vk::{DeviceFacts, codes};

/// A plan on a preset of MoltenVK of a vertex stage with these bindings.
fn vertex(bindings: &str) -> LayoutPlan {
    let text = format!(r#"{{"stages": [{{"stage": "vertex", "bindings": [{bindings}]}}]}}"#);
    let file = ProgramFile::parse(&text).unwrap();
    let facts = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap();
    plan(&file.program, &facts, &PlanOptions::new(&facts, &Config::default()))
}

#[test]
fn every_cause_is_told_with_its_figures() {
    let (vertex_stage, binding) = (Stage::Vertex, 3);
    let unsupported = |what| Cause::UnsupportedStage { stage: Stage::Geometry, what };
    let table = |table| Cause::Table { table, stage: vertex_stage, used: 9, limit: 8 };
    let no_relief = |off| Cause::NoRelief { table: Table::Samplers, stage: Stage::Fragment, used: 17, limit: 16, off };
    let cases = [
        (Cause::NoBinding, "no binding"),
        (unsupported(Unsupported::Geometry), "geometry: Metal has no geometry stage"),
        (unsupported(Unsupported::TransformFeedback), "geometry: MoltenVK has no transform feedback"),
        (unsupported(Unsupported::Isolines), "geometry: Metal has no isolines"),
        (
            unsupported(Unsupported::AtomicArray { binding }),
            "geometry: binding 3 is an array of storage textures with atomics, which this GPU has not",
        ),
        (Cause::NoPushDescriptors { by_host: true }, "the host asked for a set"),
        (Cause::NoPushDescriptors { by_host: false }, "the device has no push descriptors"),
        (
            Cause::PushBroken { fix: FixId::NoPushArc },
            "push descriptors do not work here (no_push_arc; RX_VK_FIX_NO_PUSH_ARC=0 pushes all the same)",
        ),
        (
            Cause::Type { binding, ty: DescriptorType::UniformBufferDynamic },
            "binding 3: a uniform_buffer_dynamic cannot be pushed",
        ),
        (Cause::Unbounded { binding }, "binding 3: an array without an end cannot be pushed"),
        (Cause::PushLimit { count: 33, limit: 32 }, "33 of 32 push descriptors"),
        (Cause::StorageArray { binding, count: 4 }, "binding 3: an array of 4 storage buffers"),
        (
            Cause::AliasedArray { stage: vertex_stage, binding },
            "vertex: binding 3 has two variables, one of them an array",
        ),
        (table(Table::Buffers), "vertex: 9 of 8 buffers"),
        (table(Table::ReadWriteTextures), "vertex: 9 of 8 read_write textures"),
        (
            Cause::Swizzle { binding },
            "binding 3: without native texture swizzle a pushed texture is read with a wrong swizzle",
        ),
        (Cause::Length { stage: vertex_stage, unread: false }, "vertex: reads the length of a storage buffer"),
        (
            Cause::Length { stage: vertex_stage, unread: true },
            "vertex: its code has not been read and may read the length of a storage buffer",
        ),
        (
            Cause::DeviceLimit { limit: "maxBoundDescriptorSets", stage: None, count: 5, value: 4 },
            "5 where maxBoundDescriptorSets is 4",
        ),
        (
            Cause::DeviceLimit {
                limit: "maxPerStageDescriptorSamplers",
                stage: Some(vertex_stage),
                count: 17,
                value: 16,
            },
            "vertex: 17 where maxPerStageDescriptorSamplers is 16",
        ),
        (
            Cause::NoUpdateAfterBind,
            "update-after-bind layouts need Vulkan 1.2 or VK_EXT_descriptor_indexing, which the device lacks",
        ),
        (
            no_relief(true),
            "fragment: 17 of 16 samplers, and a set gives no relief: argument buffers are off \
             (MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS)",
        ),
        (
            no_relief(false),
            "fragment: 17 of 16 samplers, and a set gives no relief: argument buffers are of tier 1 \
             (MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS)",
        ),
        (
            Cause::NoReliefAliased { stage: vertex_stage, binding },
            "vertex: binding 3 has two variables, one of them an array, and a set gives no relief: it is in no \
             argument buffer (MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS)",
        ),
        (
            Cause::NoFreeSlot { stage: vertex_stage, taken: 9, free: 8 },
            "vertex: argument buffers and push constants take 9 buffer slots, and 8 of 31 are free",
        ),
        (
            Cause::NoFreeSlot { stage: vertex_stage, taken: 9, free: -2 },
            "vertex: argument buffers and push constants take 9 buffer slots, and 0 of 31 are free",
        ),
    ];
    let mut plan = vertex(r#"{"binding": 0, "type": "uniform_buffer"}"#);
    for (cause, words) in cases {
        plan.cause = cause;
        assert_eq!(explanation(&plan), words, "{cause:?}");
    }
}

#[test]
fn a_plan_that_is_an_error_has_the_code_of_its_reason() {
    let stage = Stage::Vertex;
    let cases = [
        (Cause::UnsupportedStage { stage, what: Unsupported::Geometry }, Some(codes::UNSUPPORTED_STAGE)),
        (Cause::NoUpdateAfterBind, Some(codes::DEVICE_LIMIT)),
        (Cause::NoReliefAliased { stage, binding: 0 }, Some(codes::NO_RELIEF)),
        (Cause::NoFreeSlot { stage, taken: 9, free: 8 }, Some(codes::NO_FREE_SLOT)),
        (Cause::Unbounded { binding: 0 }, None),
        (Cause::NoBinding, None),
    ];
    let mut plan = vertex(r#"{"binding": 0, "type": "uniform_buffer"}"#);
    for (cause, code) in cases {
        plan.cause = cause;
        plan.decision = Decision::Error;
        assert_eq!(plan.code(), code, "{cause:?}");
        plan.decision = Decision::Set;
        assert_eq!(plan.code(), None, "a set for the same reason is no error: {cause:?}");
    }
}

#[test]
fn a_pushed_plan_names_the_first_of_its_fullest_tables() {
    // Of 7 buffers, 128 textures and 16 samplers in the vertex stage (docs/layout-planner.md).
    let of = |buffers: u32, samplers: u32| {
        let bindings = format!(
            r#"{{"binding": 0, "type": "uniform_buffer", "count": {buffers}}},
               {{"binding": 1, "type": "sampler", "count": {samplers}}}"#
        );
        line("p", &vertex(&bindings))
    };
    assert_eq!(of(7, 16), "p: push (vertex: 7 of 7 buffers)", "of two that are full the first");
    assert_eq!(of(6, 16), "p: push (vertex: 16 of 16 samplers)");
    assert_eq!(of(7, 15), "p: push (vertex: 7 of 7 buffers)");
    // A binding without descriptors takes nothing of any table.
    let reserved = vertex(r#"{"binding": 0, "type": "sampler", "count": 0}"#);
    assert_eq!(line("p", &reserved), "p: push (0 of 287 push descriptors)");
}
