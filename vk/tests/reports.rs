//! Public bug reports about layouts on MoltenVK: `tests/fixtures/reports.json`, each with its issue and its answer.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use rx_vendor_fixes::Config;
use rx_vk::layout::{Decision, ProgramFile, Reason, print};
use rx_vk::plan;
use serde::Deserialize;

#[derive(Deserialize)]
struct Reports {
    schema: u32,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    issue: String,
    what: String,
    #[serde(default)]
    argument_buffers: Option<bool>,
    program: serde_json::Value,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    decision: Decision,
    reason: Option<Reason>,
}

fn reports() -> Reports {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/reports.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_report_gets_the_answer_that_it_should_have_had() {
    let reports = reports();
    assert_eq!(reports.schema, 1);
    let mut wrong = Vec::new();
    for case in &reports.cases {
        let file =
            ProgramFile::parse(&case.program.to_string()).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert!(file.warnings.is_empty(), "{}: {:?}", case.name, file.warnings);
        let mut facts = file.device(None, None).unwrap();
        facts.metal.argument_buffers = case.argument_buffers.or(facts.metal.argument_buffers);
        let plan = plan(&file.program, &facts, &file.options(&facts, &Config::default(), None));
        if (plan.decision, plan.reason()) != (case.expect.decision, case.expect.reason) {
            wrong.push(format!("{} ({}): {}", case.name, case.what, print::line(file.program.name(), &plan)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_report_is_named_once_and_says_where_it_is() {
    let reports = reports();
    assert!(reports.cases.len() >= 30);
    for (i, case) in reports.cases.iter().enumerate() {
        assert!(case.issue.starts_with("https://github.com/") && !case.what.is_empty(), "{}", case.name);
        let number = case.issue.rsplit('/').next().unwrap();
        assert!(case.name.contains(number), "{}: {number}", case.name);
        assert!(reports.cases[..i].iter().all(|other| other.name != case.name), "{}", case.name);
    }
}
