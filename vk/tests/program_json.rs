//! A program's JSON read, an answer's JSON written, and programs from translated stages.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rx_translate::StageInterface;
use rx_translate::interface::{Access, DescriptorType, Resource, ResourceClass, Stage, Tessellation};
use rx_vendor_fixes::{Config, DriverId, Version};
use rx_vk::layout::{
    Answer, Budget, Decision, LayoutBinding, LayoutPlan, PlanOptions, ProgramFile, ProgramInterface, ProgramParts,
    ProgramStage, Reason, SetPlan, StageBinding, StageBits, VertexInput, plan, plan_program, print,
};
use rx_vk::{DeviceFacts, ErrorKind, codes};

const PROGRAM: &str = r#"{ "schema": 1, "name": "deferred", "facts": "moltenvk-1.4.2-apple7",
  "driver": {"id": 14, "version": "1.4.2"}, "limits": {"max_push_descriptors": 287},
  "switches": {"RX_VK_SET_FOR_TABLES": "1"},
  "push_constants": ["vertex", "fragment"],
  "vertex_input": {"highest_binding": 15, "translated_bindings": 0},
  "other_sets_in_argument_buffers": false,
  "stages": [
    {"stage": "vertex", "stage_bit": "vertex", "reads_array_length": false, "uses_global_memory": false,
     "draw_index": false, "multiview": false, "dispatch_base": false,
     "bindings": [{"binding": 0, "type": "uniform_buffer", "count": 6, "access": "read_write", "used": true}]}] }"#;

fn decide(file: &ProgramFile) -> (DeviceFacts, LayoutPlan) {
    let facts = file.device(None, None).unwrap();
    let plan = plan(&file.program, &facts, &file.options(&facts, &Config::default(), None));
    (facts, plan)
}

#[test]
fn the_answer_is_the_documented_one() {
    let file = ProgramFile::parse(PROGRAM).unwrap();
    assert!(file.warnings.is_empty(), "{:?}", file.warnings);
    let (facts, plan) = decide(&file);
    let answer = Answer::new(&file.program, &facts, &plan);
    let want: serde_json::Value = serde_json::from_str(
        r#"{ "schema": 1, "name": "deferred", "driver_id": 14, "budget": "worst",
          "decision": "push", "reason": null, "exact_would_push": true,
          "layout_flags": 1, "pool_flags": 0, "decided_before_code": false,
          "stages": [{"stage_bit": "vertex",
            "buffers": {"used": 7, "limit": 7}, "textures": {"used": 0, "limit": 128},
            "samplers": {"used": 0, "limit": 16}, "read_write_textures": {"used": 0, "limit": 8}}],
          "explanation": "vertex: 7 of 7 buffers" }"#,
    )
    .unwrap();
    assert_eq!(answer.to_json(), want);
    // The fields stand in that order, too.
    assert_eq!(answer.to_json().to_string(), want.to_string());
    let back: Answer = serde_json::from_value(want).unwrap();
    assert_eq!(back, answer);
}

#[test]
fn a_plan_prints_as_a_line_and_as_a_table() {
    let file = ProgramFile::parse(PROGRAM).unwrap();
    let (facts, plan) = decide(&file);
    assert_eq!(print::line("deferred", &plan), "deferred: push (vertex: 7 of 7 buffers)");
    assert_eq!(
        print::table("deferred", &facts, &plan),
        "deferred: push (vertex: 7 of 7 buffers)\n  \
           moltenvk-1.4.2-apple7, budget worst, layout flags 0x1, pool flags 0x0\n  \
           stage   buffers  textures  samplers  read_write\n  \
           vertex  7 of 7   0 of 128  0 of 16   0 of 8\n"
    );
    let more = ProgramFile::parse(&PROGRAM.replace("\"count\": 6", "\"count\": 7")).unwrap();
    let (facts, plan) = decide(&more);
    assert_eq!(
        print::line("deferred", &plan),
        "deferred: set (buffers; vertex: 8 of 7 buffers; the exact model would push)"
    );
    assert!(print::table("deferred", &facts, &plan).contains("vertex  8 of 7 !  0 of 128"));
}

#[test]
fn every_reason_reads_and_writes_under_its_name() {
    for &reason in Reason::ALL {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
    }
    for (decision, name) in
        [(Decision::Push, "push"), (Decision::Set, "set"), (Decision::None, "none"), (Decision::Error, "error")]
    {
        assert_eq!(serde_json::to_value(decision).unwrap(), name);
        assert_eq!(print::decision_name(decision), name);
    }
}

fn small(fields: &str, stages: &str) -> ProgramFile {
    ProgramFile::parse(&format!(r#"{{"schema": 1, "name": "p", {fields} "stages": {stages}}}"#)).unwrap()
}

const ONE: &str = r#"[{"stage": "compute", "bindings": [{"binding": 0, "type": "sampler", "count": 17}]}]"#;

#[test]
fn what_is_left_out_has_its_default() {
    let file = small("", r#"[{"stage": "task", "bindings": [{"binding": 2, "type": "storage_image"}]}]"#);
    let stage = &file.program.stages()[0];
    assert_eq!((stage.stage_bit, stage.reads_array_length), (Stage::Task, Some(false)));
    let own = stage.bindings[0];
    assert_eq!((own.count, own.access, own.used), (Some(1), Access::ReadWrite, true));
    assert_eq!(file.program.vertex_input(), VertexInput::Unknown);
    assert!(!file.names_device());
    assert_eq!(file.device(None, None).unwrap(), DeviceFacts::unknown());
    let live = DeviceFacts::preset("radv").unwrap();
    assert_eq!(file.device(None, Some(&live)).unwrap(), live);
}

#[test]
fn vertex_input_is_unknown_none_or_some() {
    let input = |text: &str| small(text, ONE).program.vertex_input();
    assert_eq!(input(""), VertexInput::Unknown);
    assert_eq!(input(r#""vertex_input": null,"#), VertexInput::Unknown);
    assert_eq!(input(r#""vertex_input": {"highest_binding": null},"#), VertexInput::None);
    let some = VertexInput::Bindings { highest: 3, translated: 1 };
    assert_eq!(input(r#""vertex_input": {"highest_binding": 3, "translated_bindings": 1},"#), some);
}

#[test]
fn counts_and_lengths_that_are_not_numbers() {
    let unbounded = r#"[{"stage": "compute", "reads_array_length": "unknown", "uses_global_memory": true,
        "bindings": [{"binding": 0, "type": "sampled_image", "count": null, "runtime_array": true}]}]"#;
    let file = small("", unbounded);
    assert_eq!(file.program.bindings()[0].count, None);
    assert_eq!(file.program.stages()[0].reads_array_length, None);
    assert_eq!(decide(&file).1.reason(), Some(Reason::Unbounded));
}

#[test]
fn a_push_constant_range_may_name_the_stage_or_its_bit() {
    for named in ["mesh", "compute"] {
        let file = small(
            &format!(r#""push_constants": ["{named}"],"#),
            r#"[{"stage": "mesh", "stage_bit": "compute", "bindings": [{"binding": 0, "type": "sampler"}]}]"#,
        );
        assert_eq!(file.program.push_constants(), StageBits::of(Stage::Compute));
    }
}

#[test]
fn driver_and_limits_go_over_the_facts() {
    let file = small(r#""facts": "moltenvk-1.4.0-apple7", "limits": {"max_push_descriptors": 5},"#, ONE);
    let facts = file.device(None, None).unwrap();
    assert_eq!(facts.driver_version, Some(Version::new(1, 4, 0)));
    assert_eq!(facts.limits.max_push_descriptors, Some(5));
    assert_eq!(facts.limits.max_bound_descriptor_sets, Some(8));
    let file = small(r#""facts": "radv", "driver": {"id": 14},"#, ONE);
    let facts = file.device(None, None).unwrap();
    assert_eq!((facts.driver_id, facts.driver_version), (Some(DriverId::MOLTENVK), None));
    // The command line's facts go before the file's, and the file's limits over them.
    let named = DeviceFacts::preset("swiftshader").unwrap();
    let file = small(r#""facts": "radv", "limits": {"max_push_descriptors": 32},"#, ONE);
    let facts = file.device(Some(&named), None).unwrap();
    assert_eq!(facts.driver_id, Some(DriverId::GOOGLE_SWIFTSHADER));
    assert_eq!((facts.push_descriptors, facts.limits.max_push_descriptors), (Some(true), Some(32)));
}

#[test]
fn a_file_that_says_anything_of_a_device_means_no_live_one() {
    let live = DeviceFacts::preset("radv").unwrap();
    let fields = [
        r#""facts": "swiftshader","#,
        r#""driver": {"id": 14},"#,
        r#""limits": {"max_push_descriptors": 0},"#,
        r#""limits": {"max_push_descriptors": 5},"#,
    ];
    let devices = fields.map(|fields| {
        let file = small(fields, ONE);
        assert!(file.names_device(), "{fields}");
        file.device(None, Some(&live)).unwrap()
    });
    assert_eq!(devices[0].driver_id, Some(DriverId::GOOGLE_SWIFTSHADER));
    assert_eq!(devices[1], DeviceFacts { driver_id: Some(DriverId::MOLTENVK), ..DeviceFacts::unknown() });
    // None to push says nothing of the extension; five say that it is there.
    let pushes = |facts: &DeviceFacts| (facts.push_descriptors, facts.limits.max_push_descriptors);
    assert_eq!(pushes(&devices[2]), (DeviceFacts::unknown().push_descriptors, Some(0)));
    assert_eq!(pushes(&devices[3]), (Some(true), Some(5)));
    assert_eq!((devices[2].driver_id, devices[3].driver_id), (None, None));
}

#[test]
fn switches_and_budgets_come_from_the_nearest_who_says() {
    let file = small(r#""switches": {"RX_VK_SET_FOR_TABLES": "1", "RX_VK_BUDGET": "exact"},"#, ONE);
    let facts = DeviceFacts::preset("radv").unwrap();
    let (environment, _) = rx_vendor_fixes::read([("RX_VK_SET_FOR_TABLES", "0"), ("RX_VK_SET_FOR_LENGTHS", "1")]);
    let options = file.options(&facts, &environment, None);
    assert!(options.fixes.on(rx_vendor_fixes::FixId::SetForTables));
    assert!(options.fixes.on(rx_vendor_fixes::FixId::SetForLengths));
    assert_eq!(options.budget, Budget::Exact);
    assert_eq!(file.options(&facts, &environment, Some(Budget::Worst)).budget, Budget::Worst);
    let file = small(r#""budget": "exact","#, ONE);
    assert_eq!(file.options(&facts, &Config::default(), None).budget, Budget::Exact);
    assert_eq!(small("", ONE).options(&facts, &Config::default(), None).budget, Budget::Worst);
}

#[test]
fn what_is_not_understood_is_a_warning_or_an_error_with_its_place() {
    let file = small(
        r#""colour": 1, "limits": {"maxImageDimension2D": 5}, "switches": {"RX_VK_SET_FOR_TABLES": "yes"},"#,
        r#"[{"stage": "compute", "wave": 1, "bindings": [{"binding": 0, "type": "sampler", "set": 0}]}]"#,
    );
    let all = file.warnings.join("\n");
    for part in ["colour", "maxImageDimension2D", "RX_VK_SET_FOR_TABLES=\"yes\"", "compute: wave", "binding 0: set"] {
        assert!(all.contains(part), "{part} in {all}");
    }
    let check = |text: &str, code, part: &str| {
        let error = ProgramFile::parse(text).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.to_string().contains(part), "{error}");
    };
    let number = r#"{"stages": [{"stage": "compute", "reads_array_length": 3}]}"#;
    check(number, codes::PROGRAM_JSON, "true, false or \"unknown\"");
    check("{", codes::PROGRAM_JSON, "line 1 column 1");
    check("{}", codes::PROGRAM_JSON, "missing field `stages`");
    check(r#"{"schema": 3, "stages": []}"#, codes::SCHEMA, "schema 3");
    check(r#"{"stages": [{"stage": "pixel"}]}"#, codes::PROGRAM_JSON, "pixel");
    check(r#"{"stages": [{"stage": "vertex", "reads_array_length": "no"}]}"#, codes::PROGRAM_JSON, "\"unknown\"");
    check(r#"{"stages": [], "limits": {"max_push_descriptors": "many"}}"#, codes::PROGRAM_JSON, "limits");
    check(r#"{"stages": [], "driver": {"version": "x"}}"#, codes::VERSION, "\"x\"");
    check(r#"{"stages": [{"stage": "vertex"}, {"stage": "vertex"}]}"#, codes::STAGE_TWICE, "two vertex stages");
    let two = r#"{"stages": [
        {"stage": "vertex", "bindings": [{"binding": 4, "type": "sampler"}]},
        {"stage": "fragment", "bindings": [{"binding": 4, "type": "uniform_buffer"}]}]}"#;
    check(two, codes::BINDING_TYPES, "fragment stage, binding 4: uniform_buffer here and sampler elsewhere");
}

#[test]
fn no_binding_and_errors_have_no_flags() {
    let (_, plan) = decide(&small("", r#"[{"stage": "vertex", "bindings": []}]"#));
    assert_eq!((plan.decision, plan.reason(), plan.exact_would_push), (Decision::None, None, false));
    let file = small(
        r#""driver": {"id": 14},"#,
        r#"[{"stage": "geometry", "bindings": [{"binding": 0, "type": "sampler"}]}]"#,
    );
    let (facts, plan) = decide(&file);
    let answer = Answer::new(&file.program, &facts, &plan);
    assert_eq!((answer.layout_flags, answer.pool_flags, answer.code.as_deref()), (0, 0, Some("RX0511")));
    assert_eq!(print::line("p", &plan), "p: RX0511 error (unsupported_stage; geometry: Metal has no geometry stage)");
    // Before that: a program without a binding has no set to refuse.
    let file = small(r#""driver": {"id": 14},"#, r#"[{"stage": "geometry", "bindings": []}]"#);
    assert_eq!(decide(&file).1.decision, Decision::None);
}

#[test]
fn other_drivers_have_no_tables_unless_a_switch_asks() {
    let file = small(r#""facts": "radv","#, ONE);
    let (facts, plan) = decide(&file);
    let answer = Answer::new(&file.program, &facts, &plan);
    assert_eq!(answer.decision, Decision::Push);
    assert_eq!(answer.stages[0].samplers.limit, None);
    assert_eq!(answer.explanation, "17 of 32 push descriptors");
}

fn resource(set: u32, binding: u32, ty: DescriptorType, count: Option<u32>) -> Resource {
    Resource {
        class: ResourceClass::Srv,
        register: binding,
        space: 0,
        name: String::new(),
        set,
        binding,
        ty,
        count,
        dimension: None,
        component: None,
        access: Access::Read,
        size_bytes: None,
        stride_bytes: None,
        used: true,
        reads_length: false,
        texel_atomics: false,
        aliased_array: false,
    }
}

fn interfaces() -> [StageInterface; 2] {
    let mut vertex = StageInterface::empty(Stage::Vertex);
    vertex.resources = vec![resource(0, 0, DescriptorType::UniformBuffer, Some(1))];
    vertex.push_constant_bytes = 16;
    let mut fragment = StageInterface::empty(Stage::Fragment);
    fragment.resources = vec![
        resource(0, 0, DescriptorType::UniformBuffer, Some(1)),
        resource(0, 1, DescriptorType::StorageBuffer, Some(1)),
        resource(0, 2, DescriptorType::Sampler, Some(1)),
        resource(1, 0, DescriptorType::SampledImage, None),
    ];
    [vertex, fragment]
}

#[test]
fn translated_stages_share_bindings_and_split_into_sets() {
    let sets = ProgramInterface::sets_from_stages("p", &interfaces()).unwrap();
    let [(0, first), (1, second)] = &sets[..] else { panic!("{sets:?}") };
    let shared = first.bindings()[0];
    assert_eq!((shared.binding, shared.stages), (0, [Stage::Vertex, Stage::Fragment].into_iter().collect()));
    assert_eq!((first.bindings().len(), second.bindings().len()), (3, 1));
    assert_eq!(first.push_constants(), StageBits::of(Stage::Vertex));
    assert!(first.other_sets_in_argument_buffers() && second.other_sets_in_argument_buffers());
    assert_eq!((first.set_count(), second.bindings()[0].count), (2, None));
    let alone = ProgramInterface::from_stages("p", &interfaces()[..1], 0).unwrap();
    assert!(!alone.other_sets_in_argument_buffers());
}

#[test]
fn all_sets_of_a_program_are_planned_and_one_is_pushed() {
    let radv = DeviceFacts::preset("radv").unwrap();
    let options = |facts: &DeviceFacts| PlanOptions::new(facts, &Config::default());
    let mut stages = interfaces();
    stages[1].resources[3].count = Some(1);
    stages[1].resources[3].set = 4;
    let plans = plan_program("p", &stages, VertexInput::None, &radv, &options(&radv)).unwrap();
    let lines: Vec<String> = plans.iter().map(SetPlan::line).collect();
    assert_eq!(lines, ["p: push (3 of 32 push descriptors)", "p: set (no_push_descriptors; the host asked for a set)"]);
    assert_eq!(plans.iter().map(|own| own.set).collect::<Vec<_>>(), [0, 4]);
    assert_eq!(plans[1].program.bindings().len(), 1);
    assert!(plans.iter().all(|own| own.program.vertex_input() == VertexInput::None && own.error().is_none()));
    // Without a resource there is the empty set.
    let empty = [StageInterface::empty(Stage::Vertex)];
    let plans = plan_program("p", &empty, VertexInput::Unknown, &radv, &options(&radv)).unwrap();
    assert_eq!(plans.iter().map(|own| (own.set, own.plan.decision)).collect::<Vec<_>>(), [(0, Decision::None)]);
    // What the device cannot have is a plan that says so.
    let mut geometry = StageInterface::empty(Stage::Geometry);
    geometry.resources = vec![resource(0, 0, DescriptorType::Sampler, Some(1))];
    let metal = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap();
    let plans = plan_program("p", &[geometry.clone()], VertexInput::None, &metal, &options(&metal)).unwrap();
    let error = plans[0].error().unwrap();
    assert_eq!(error.to_string(), "RX0511: p: geometry: Metal has no geometry stage");
    let twice = plan_program("p", &[geometry.clone(), geometry], VertexInput::None, &radv, &options(&radv));
    assert_eq!(twice.unwrap_err().code(), codes::STAGE_TWICE);
}

#[test]
fn a_translated_length_is_of_a_buffer_or_of_the_stage() {
    let moltenvk = DeviceFacts { driver_id: Some(DriverId::MOLTENVK), ..DeviceFacts::unknown() };
    let reason = |interfaces: &[StageInterface]| {
        let program = ProgramInterface::from_stages("p", interfaces, 0).unwrap();
        plan(&program, &moltenvk, &rx_vk::PlanOptions::new(&moltenvk, &Config::default())).reason()
    };
    // One set, so that the stages' tables are not what decides.
    let single = || {
        interfaces().map(|mut stage| {
            stage.resources.retain(|own| own.set == 0);
            stage
        })
    };
    assert_eq!(reason(&single()), None);
    let mut of_the_stage = single();
    of_the_stage[1].reads_array_length = Some(true);
    assert_eq!(reason(&of_the_stage), Some(Reason::Lengths));
    // Said of a buffer: of that one alone.
    of_the_stage[1].resources[1].reads_length = true;
    assert_eq!(reason(&of_the_stage), Some(Reason::Lengths));
    of_the_stage[1].resources[1].set = 1;
    let program = ProgramParts::from_stages("p", &of_the_stage, 0);
    assert_eq!(program.stages[1].bindings.len(), 2);
    assert_ne!(reason(&of_the_stage), Some(Reason::Lengths));
}

#[test]
fn task_and_mesh_stages_may_run_as_compute() {
    let mut task = StageInterface::empty(Stage::Task);
    task.resources = vec![resource(0, 0, DescriptorType::UniformBuffer, Some(13))];
    let mut mesh = StageInterface::empty(Stage::Mesh);
    mesh.resources = vec![resource(0, 1, DescriptorType::UniformBuffer, Some(14))];
    mesh.push_constant_bytes = 4;
    let parts = ProgramParts::from_stages("p", &[mesh, task], 0).with_compute_fallback();
    let program = parts.build().unwrap();
    assert_eq!(program.stage_bits(), StageBits::of(Stage::Compute));
    assert_eq!(program.push_constants(), StageBits::of(Stage::Compute));
    let flags = program.bindings()[0].vulkan(0).stage_flags;
    assert_eq!(flags, ash::vk::ShaderStageFlags::COMPUTE);
}

#[test]
fn a_compute_fallback_moves_the_bits_of_task_and_mesh_alone() {
    let mut task = StageInterface::empty(Stage::Task);
    let mut fragment = StageInterface::empty(Stage::Fragment);
    fragment.push_constant_bytes = 4;
    task.resources = vec![resource(1, 0, DescriptorType::Sampler, Some(1))];
    fragment.resources = vec![resource(1, 1, DescriptorType::Sampler, Some(1))];
    let parts = ProgramParts::from_stages("p", &[task, fragment], 0).with_compute_fallback();
    let bits = |parts: &ProgramParts| parts.stages.iter().map(|own| own.stage_bit).collect::<Vec<_>>();
    assert_eq!(bits(&parts), [Stage::Compute, Stage::Fragment]);
    assert_eq!(parts.push_constants, StageBits::of(Stage::Fragment));
    let others: Vec<StageBits> = parts.other_bindings.iter().map(|own| own.stages).collect();
    assert_eq!(others, [StageBits::of(Stage::Compute), StageBits::of(Stage::Fragment)]);
}

#[test]
fn what_a_translated_stage_says_of_itself_reaches_the_program() {
    let plain = ProgramStage::from_interface(&StageInterface::empty(Stage::Vertex), 0);
    assert_eq!(plain, ProgramStage::new(Stage::Vertex));
    let tessellation = |domain: &str| Tessellation {
        domain: domain.to_owned(),
        partitioning: None,
        output_primitive: None,
        input_control_points: 2,
        output_control_points: 2,
    };
    let mut own = StageInterface::empty(Stage::TessellationEvaluation);
    own.reads_array_length = None;
    own.uses_global_memory = true;
    own.draw_index = true;
    own.multiview = true;
    own.tessellation = Some(tessellation("isoline"));
    own.resources = vec![resource(0, 3, DescriptorType::StorageImage, Some(2))];
    own.resources[0].texel_atomics = true;
    own.resources[0].used = false;
    let stage = ProgramStage::from_interface(&own, 0);
    assert_eq!((stage.stage, stage.stage_bit), (Stage::TessellationEvaluation, Stage::TessellationEvaluation));
    assert_eq!(stage.reads_array_length, None);
    assert!(stage.uses_global_memory && stage.draw_index && stage.multiview && stage.isolines);
    let [binding] = &stage.bindings[..] else { panic!("{stage:?}") };
    assert_eq!((binding.binding, binding.ty, binding.count), (3, DescriptorType::StorageImage, Some(2)));
    assert!(binding.texel_atomics && !binding.used && !binding.aliased_array && binding.access == Access::Read);
    assert!(ProgramStage::from_interface(&own, 1).bindings.is_empty(), "of another set");
    own.tessellation = Some(tessellation("triangle"));
    assert!(!ProgramStage::from_interface(&own, 0).isolines);
}

#[test]
fn bindings_are_vulkans_by_its_own_numbers() {
    // VkDescriptorType and VkShaderStageFlagBits.
    let types = [
        (DescriptorType::Sampler, 0),
        (DescriptorType::CombinedImageSampler, 1),
        (DescriptorType::SampledImage, 2),
        (DescriptorType::StorageImage, 3),
        (DescriptorType::UniformTexelBuffer, 4),
        (DescriptorType::StorageTexelBuffer, 5),
        (DescriptorType::UniformBuffer, 6),
        (DescriptorType::StorageBuffer, 7),
        (DescriptorType::UniformBufferDynamic, 8),
        (DescriptorType::StorageBufferDynamic, 9),
        (DescriptorType::InputAttachment, 10),
        (DescriptorType::InlineUniformBlock, 1_000_138_000),
    ];
    for (ty, number) in types {
        let own = LayoutBinding { binding: 5, ty, count: Some(3), stages: StageBits::EMPTY, planes: 1 }.vulkan(7);
        assert_eq!((own.binding, own.descriptor_type.as_raw(), own.descriptor_count), (5, number, 3));
        let without_end = LayoutBinding { binding: 5, ty, count: None, stages: StageBits::EMPTY, planes: 1 };
        assert_eq!(without_end.vulkan(7).descriptor_count, 7);
    }
    let stages = [
        (Stage::Vertex, 1),
        (Stage::TessellationControl, 2),
        (Stage::TessellationEvaluation, 4),
        (Stage::Geometry, 8),
        (Stage::Fragment, 16),
        (Stage::Compute, 32),
        (Stage::Task, 64),
        (Stage::Mesh, 128),
    ];
    for (stage, bit) in stages {
        assert_eq!(StageBits::of(stage).flags().as_raw(), bit);
    }
    let all: StageBits = stages.iter().map(|(stage, _)| *stage).collect();
    assert_eq!(all.flags().as_raw(), 255);
}

#[test]
fn variables_at_one_binding_become_one() {
    let buffer =
        StageBinding { used: false, access: Access::Read, ..StageBinding::new(4, DescriptorType::StorageBuffer, 1) };
    let merged = |other: StageBinding| {
        let stage = ProgramStage { bindings: vec![buffer, other], ..ProgramStage::new(Stage::Compute) };
        let program = ProgramParts { stages: vec![stage], ..ProgramParts::default() }.build().unwrap();
        let [own] = &program.stages()[0].bindings[..] else { panic!("{program:?}") };
        *own
    };
    assert_eq!(merged(buffer), buffer);
    let cases = [
        (StageBinding { used: true, ..buffer }, StageBinding { used: true, ..buffer }),
        (StageBinding { texel_atomics: true, ..buffer }, StageBinding { texel_atomics: true, ..buffer }),
        (StageBinding { access: Access::Write, ..buffer }, StageBinding { access: Access::ReadWrite, ..buffer }),
        (StageBinding { planes: 3, ..buffer }, StageBinding { planes: 3, ..buffer }),
        (StageBinding { count: Some(2), ..buffer }, StageBinding { count: Some(2), aliased_array: true, ..buffer }),
        (StageBinding { count: None, ..buffer }, StageBinding { count: None, aliased_array: true, ..buffer }),
        (StageBinding { aliased_array: true, ..buffer }, StageBinding { aliased_array: true, ..buffer }),
        // Known of one alone is not known of both.
        (StageBinding { reads_length: Some(true), ..buffer }, buffer),
    ];
    for (other, want) in cases {
        assert_eq!(merged(other), want);
    }
    let lengths = |a, b| {
        let of = |reads_length| StageBinding { reads_length, ..buffer };
        let stage = ProgramStage { bindings: vec![of(a), of(b)], ..ProgramStage::new(Stage::Compute) };
        let program = ProgramParts { stages: vec![stage], ..ProgramParts::default() }.build().unwrap();
        program.stages()[0].bindings[0].reads_length
    };
    assert_eq!(lengths(Some(false), Some(false)), Some(false));
    assert_eq!(lengths(Some(true), Some(false)), Some(true));
    assert_eq!(lengths(Some(false), Some(true)), Some(true));
    assert_eq!(lengths(None, Some(false)), None);
}

#[test]
fn the_other_sets_bindings_are_those_of_all_stages_set_by_set() {
    let mut vertex = StageInterface::empty(Stage::Vertex);
    let mut fragment = StageInterface::empty(Stage::Fragment);
    vertex.resources = vec![
        resource(0, 0, DescriptorType::UniformBuffer, Some(1)),
        resource(1, 0, DescriptorType::UniformBuffer, Some(1)),
        resource(2, 0, DescriptorType::Sampler, Some(1)),
    ];
    fragment.resources = vec![resource(1, 0, DescriptorType::UniformBuffer, Some(4))];
    let parts = ProgramParts::from_stages("p", &[vertex.clone(), fragment], 0);
    let both = StageBits::of(Stage::Vertex).or(StageBits::of(Stage::Fragment));
    let shared =
        LayoutBinding { binding: 0, ty: DescriptorType::UniformBuffer, count: Some(4), stages: both, planes: 1 };
    let sampler =
        LayoutBinding { ty: DescriptorType::Sampler, count: Some(1), stages: StageBits::of(Stage::Vertex), ..shared };
    assert_eq!(parts.other_bindings, [shared, sampler]);
    assert_eq!((parts.set_count, parts.other_sets_in_argument_buffers), (3, true));
    assert_eq!(parts.push_constants, StageBits::EMPTY);
    // A set alone has no others.
    vertex.resources.truncate(1);
    let alone = ProgramParts::from_stages("p", &[vertex], 0);
    assert!(alone.other_bindings.is_empty() && !alone.other_sets_in_argument_buffers && alone.set_count == 1);
}
