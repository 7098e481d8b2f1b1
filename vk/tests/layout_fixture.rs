//! Every layout of `tests/fixtures/layouts.json` on MoltenVK and on other drivers, under every state of the switches:
//! decision, reason, flags, bindings and counters. And the proof that the fixture sees three wrong rules.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use ash::vk;
use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vendor_fixes::DriverId;
use rx_vk::layout::metal::WorstBuffers;
use rx_vk::layout::report::PlanCounters;
use rx_vk::layout::{
    Decision, LayoutBinding, LayoutPlan, PlanOptions, ProgramInterface, ProgramParts, ProgramStage, Reason, Rules,
    StageBinding, StageBits, TablesOf, plan_with_rules,
};
use rx_vk::{DeviceFacts, facts::Limits};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    schema: u32,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    max_push_descriptors: u32,
    #[serde(default)]
    push_constants: Vec<Stage>,
    #[serde(default)]
    decided_before_code: bool,
    stages: Vec<CaseStage>,
    expect: Expect,
}

#[derive(Deserialize)]
struct CaseStage {
    stage: Stage,
    stage_bit: Option<Stage>,
    #[serde(default)]
    reads_array_length: serde_json::Value,
    #[serde(default)]
    uses_global_memory: bool,
    bindings: Vec<CaseBinding>,
    times: Option<usize>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum CaseBinding {
    Plain(DescriptorType, Option<u32>),
    WithAccess(DescriptorType, Option<u32>, Access),
}

/// Answers for the four states of the fixes.
#[derive(Deserialize)]
struct Expect {
    plain: Expected,
    tables: Expected,
    lengths: Expected,
    both: Expected,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Expected {
    Plain(Decision),
    Set(Decision, Reason, u32, u32),
}

impl Expected {
    /// Decision, reason, layout flags, pool flags.
    fn answer(self) -> (Decision, Option<Reason>, u32, u32) {
        match self {
            // The push bit alone.
            Expected::Plain(Decision::Push) => (Decision::Push, None, 1, 0),
            Expected::Plain(decision) => (decision, None, 0, 0),
            Expected::Set(decision, reason, layout, pool) => (decision, Some(reason), layout, pool),
        }
    }
}

impl Case {
    fn program(&self) -> ProgramInterface {
        let mut next = 0;
        let stages = self.stages.iter().map(|stage| stage.program_stage(&mut next)).collect();
        let parts = ProgramParts {
            name: self.name.clone(),
            stages,
            push_constants: self.push_constants.iter().copied().collect(),
            ..ProgramParts::default()
        };
        parts.build().unwrap()
    }

    /// The bindings that the layout must have, pushed or not, from the fixture's own words.
    fn bindings(&self) -> Vec<LayoutBinding> {
        let mut next = 0;
        let mut all = Vec::new();
        for stage in &self.stages {
            let bit = stage.stage_bit.unwrap_or(stage.stage);
            all.extend(stage.numbered(&mut next).into_iter().map(|own| LayoutBinding {
                binding: own.binding,
                ty: own.ty,
                count: own.count,
                stages: StageBits::of(bit),
                planes: 1,
            }));
        }
        all
    }

    fn expected(&self, tables: bool, lengths: bool) -> Expected {
        match (tables, lengths) {
            (false, false) => self.expect.plain,
            (true, false) => self.expect.tables,
            (false, true) => self.expect.lengths,
            (true, true) => self.expect.both,
        }
    }
}

impl CaseStage {
    fn numbered(&self, next: &mut u32) -> Vec<StageBinding> {
        let one = self.bindings.iter().copied();
        let repeated = std::iter::repeat_n(one, self.times.unwrap_or(1)).flatten();
        repeated
            .map(|binding| {
                let (ty, count, access) = match binding {
                    CaseBinding::Plain(ty, count) => (ty, count, Access::ReadWrite),
                    CaseBinding::WithAccess(ty, count, access) => (ty, count, access),
                };
                let number = *next;
                *next += 1;
                StageBinding { count, access, ..StageBinding::new(number, ty, 0) }
            })
            .collect()
    }

    fn program_stage(&self, next: &mut u32) -> ProgramStage {
        ProgramStage {
            stage_bit: self.stage_bit.unwrap_or(self.stage),
            reads_array_length: match &self.reads_array_length {
                serde_json::Value::Null => Some(false),
                serde_json::Value::Bool(known) => Some(*known),
                other => {
                    assert_eq!(other, "unknown");
                    None
                }
            },
            uses_global_memory: self.uses_global_memory,
            bindings: self.numbered(next),
            ..ProgramStage::new(self.stage)
        }
    }
}

fn fixture() -> Fixture {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/layouts.json");
    let fixture: Fixture = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(fixture.schema, 1);
    fixture
}

/// MoltenVK first, then the drivers that have a preset and more.
const DRIVERS: [DriverId; 16] = [
    DriverId::MOLTENVK,
    DriverId::AMD_PROPRIETARY,
    DriverId::AMD_OPEN_SOURCE,
    DriverId::MESA_RADV,
    DriverId::NVIDIA_PROPRIETARY,
    DriverId::INTEL_PROPRIETARY_WINDOWS,
    DriverId::INTEL_OPEN_SOURCE_MESA,
    DriverId::QUALCOMM_PROPRIETARY,
    DriverId::ARM_PROPRIETARY,
    DriverId::GOOGLE_SWIFTSHADER,
    DriverId::MESA_LLVMPIPE,
    DriverId::MESA_TURNIP,
    DriverId::MESA_PANVK,
    DriverId::MESA_NVK,
    DriverId::MESA_HONEYKRISP,
    DriverId::MESA_KOSMICKRISP,
];

const SWITCH_VALUES: [&str; 3] = ["", "0", "1"];

fn facts(driver: DriverId, max_push_descriptors: u32) -> DeviceFacts {
    DeviceFacts {
        driver_id: Some(driver),
        push_descriptors: Some(true),
        limits: Limits { max_push_descriptors: Some(max_push_descriptors), ..Limits::default() },
        ..DeviceFacts::unknown()
    }
}

/// Whether a fix is on: its switch, else the default, which is MoltenVK alone.
fn on(value: &str, driver: DriverId) -> bool {
    match value {
        "1" => true,
        "0" => false,
        _ => driver == DriverId::MOLTENVK,
    }
}

/// Runs the whole fixture; what differs from it, one line each.
fn run(fixture: &Fixture, rules: &Rules) -> Vec<String> {
    let mut failures = Vec::new();
    for &driver in &DRIVERS {
        for tables in SWITCH_VALUES {
            for lengths in SWITCH_VALUES {
                let place = format!("{driver}, tables={tables:?}, lengths={lengths:?}");
                let switches = [("RX_VK_SET_FOR_TABLES", tables), ("RX_VK_SET_FOR_LENGTHS", lengths)];
                let fixes = [on(tables, driver), on(lengths, driver)];
                let found = run_once(fixture, rules, driver, switches, fixes);
                failures.extend(found.into_iter().map(|failure| format!("{place}: {failure}")));
            }
        }
    }
    failures
}

fn run_once(
    fixture: &Fixture,
    rules: &Rules,
    driver: DriverId,
    switches: [(&str, &str); 2],
    [tables, lengths]: [bool; 2],
) -> Vec<String> {
    let (config, warnings) = rx_vendor_fixes::read(switches);
    assert!(warnings.is_empty());
    let counters = PlanCounters::new();
    let mut moved = vec![0; Reason::ALL.len()];
    let mut failures = Vec::new();
    for case in &fixture.cases {
        let facts = facts(driver, case.max_push_descriptors);
        let program = case.program();
        let plan = plan_with_rules(&program, &facts, &PlanOptions::new(&facts, &config), rules);
        counters.record(&plan);
        let expected = case.expected(tables, lengths);
        failures.extend(check(case, &program, &plan, expected).map(|what| format!("{}: {what}", case.name)));
        if let Expected::Set(Decision::Set, reason, ..) = expected {
            moved[reason as usize] += u64::from(is_moved(reason));
        }
    }
    for &reason in Reason::ALL {
        let (want, found) = (moved[reason as usize], counters.moved(reason));
        if want != found {
            failures.push(format!("counter {}: {found}, expected {want}", reason.name()));
        }
    }
    failures.extend(check_lines(&counters, &moved));
    failures
}

/// Whether a fix, and not Vulkan's own rules, gives this reason.
fn is_moved(reason: Reason) -> bool {
    !matches!(reason, Reason::NoPushDescriptors | Reason::Type | Reason::Unbounded | Reason::PushLimit)
}

fn check(case: &Case, program: &ProgramInterface, plan: &LayoutPlan, expected: Expected) -> Option<String> {
    let found = (plan.decision, plan.reason(), plan.layout_flags.as_raw(), plan.pool_flags.as_raw());
    if found != expected.answer() {
        return Some(format!("{found:?}, expected {:?}", expected.answer()));
    }
    let before_code = case.decided_before_code && plan.reason() == Some(Reason::Lengths);
    if plan.decided_before_code != before_code {
        return Some(format!("decided_before_code is {}", plan.decided_before_code));
    }
    let layout = plan.set_layout(program);
    if layout.is_some() != matches!(plan.decision, Decision::Push | Decision::Set) {
        return Some("a layout where there is none, or none where there is one".to_owned());
    }
    // Pushed or not: the same bindings, which stand in the fixture.
    if let Some(layout) = layout
        && (layout.bindings != case.bindings() || layout.flags != plan.layout_flags)
    {
        return Some(format!("bindings {:?}", layout.bindings));
    }
    None
}

/// One line a fix that moved programs, naming its switch; none else.
fn check_lines(counters: &PlanCounters, moved: &[u64]) -> Vec<String> {
    let lengths = moved[Reason::Lengths as usize];
    let tables = moved.iter().sum::<u64>() - lengths;
    let lines = counters.lines();
    let expected = [(tables, "RX_VK_SET_FOR_TABLES"), (lengths, "RX_VK_SET_FOR_LENGTHS")];
    let wanted: Vec<_> = expected.into_iter().filter(|&(count, _)| count > 0).collect();
    let fits = |(line, (count, switch)): (&String, &(u64, &str))| {
        line.contains(&format!("{count} program")) && line.contains(*switch)
    };
    if lines.len() == wanted.len() && lines.iter().zip(&wanted).all(fits) {
        return Vec::new();
    }
    vec![format!("lines {lines:?}, expected {wanted:?}")]
}

#[test]
fn every_layout_is_planned_as_written() {
    let failures = run(&fixture(), &Rules::SHIPPED);
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn the_fixture_has_all_kinds_of_answers() {
    let fixture = fixture();
    let reasons: Vec<Reason> = fixture.cases.iter().filter_map(|case| case.expect.both.answer().1).collect();
    for reason in [
        Reason::Type,
        Reason::Unbounded,
        Reason::PushLimit,
        Reason::Tables,
        Reason::RwTextures,
        Reason::Buffers,
        Reason::Textures,
        Reason::Samplers,
        Reason::Lengths,
    ] {
        assert!(reasons.contains(&reason), "{}", reason.name());
    }
    assert!(fixture.cases.len() >= 60);
}

/// The cases that a wrong rule gets wrong, by name, on MoltenVK as it is by default.
fn caught(rules: &Rules) -> Vec<String> {
    let fixture = fixture();
    let found = run_once(&fixture, rules, DriverId::MOLTENVK, [("", ""), ("", "")], [true, true]);
    assert!(!run(&fixture, rules).is_empty());
    found
}

#[test]
fn a_table_for_each_program_stage_is_caught() {
    let found = caught(&Rules { tables_of: TablesOf::ProgramStage, ..Rules::SHIPPED });
    for name in ["task 13 and mesh 14 buffers and push constants, as compute", "task 8 and mesh 9 samplers, as compute"]
    {
        assert!(found.iter().any(|failure| failure.starts_with(name)), "{name} not in {found:#?}");
    }
    // The others count as ever: one program fewer is moved for each.
    for line in ["counter buffers: 7, expected 8", "counter samplers: 2, expected 3"] {
        assert!(found.iter().any(|failure| failure == line), "{line} not in {found:#?}");
    }
}

#[test]
fn a_vertex_budget_without_the_implicit_buffers_is_caught() {
    let mut budgets = WorstBuffers::SHIPPED;
    budgets.0[Stage::Vertex as usize] += 8;
    let found = caught(&Rules { worst_buffers: budgets, ..Rules::SHIPPED });
    let name = "vertex 7 buffers and push constants: ";
    assert!(found.iter().any(|failure| failure.starts_with(name)), "{found:#?}");
}

#[test]
fn no_update_after_bind_layout_is_caught() {
    let found = caught(&Rules { update_after_bind_sets: false, ..Rules::SHIPPED });
    let fixture = fixture();
    let sets = fixture.cases.iter().filter(|case| matches!(case.expect.both, Expected::Set(..)));
    for case in sets {
        let prefix = format!("{}: ", case.name);
        assert!(found.iter().any(|failure| failure.starts_with(&prefix)), "{prefix}");
    }
}

#[test]
fn layout_flags_are_vulkans() {
    assert_eq!(vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR.as_raw(), 1);
    assert_eq!(vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL.as_raw(), 2);
    assert_eq!(vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND.as_raw(), 2);
}
