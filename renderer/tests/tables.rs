//! The verbs that print tables: `explain`, `ledger`, `fixes`, `switches`, `facts`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{fields, file, is_plain, rx, rx_in};
use rx_renderer::{translate, vendor_fixes, vk};
use serde_json::json;
use std::path::Path;
use tempfile::tempdir;

#[test]
fn every_code_is_explained() {
    let translator = translate::ledger::CODES.iter().map(|row| (row.code, row.remedy));
    let planner = vk::codes::CODES.iter().map(|row| (row.code, row.remedy));
    let ours =
        [(translate::Code(614), "`rx ledger` lists the translator's codes; docs/cli.md lists where the others stand.")];
    for (code, remedy) in translator.chain(planner).chain(ours) {
        let json = rx(["explain", "--json", &code.to_string()]).ends(0).json();
        assert_eq!(fields(&json), ["schema", "code", "from", "kind", "title", "cause", "example", "remedy"]);
        assert_eq!(json!([json["code"], json["remedy"]]), json!([code.to_string(), remedy]));
    }
    let page = rx(["explain", "rx202"]).ends(0);
    assert!(page.out.starts_with("RX0202  ") && page.out.contains("what to do"), "{}", page.out);
    is_plain(&page.out);
}

#[test]
fn an_unknown_code_is_wrong_usage_and_names_the_nearest() {
    assert!(rx(["explain", "RX9999"]).ends(2).error("RX0614").contains("RX0637"));
    assert!(rx(["explain", "gibberish"]).ends(2).error("RX0614").contains("the nearest is RX"));
}

#[test]
fn tables_have_every_row() {
    let json = rx(["ledger", "--json"]).ends(0).json();
    assert_eq!(fields(&json), ["schema", "ledger"]);
    let rows = json["ledger"].as_array().unwrap();
    assert_eq!(rows.len(), translate::ledger::CODES.len());
    assert_eq!(fields(&rows[0]), ["code", "kind", "title", "what", "example", "remedy"]);
    assert_eq!(rows[0]["code"], "RX0001");

    let json = rx(["fixes", "--json"]).ends(0).json();
    let names: Vec<_> = json["fixes"].as_array().unwrap().iter().map(|fix| fix["fix"].clone()).collect();
    assert_eq!(names, vendor_fixes::FIXES.iter().map(|fix| fix.name).collect::<Vec<_>>());

    let run = rx_in(Path::new("."), &[("RX_VK_BUDGET", "exact")], ["switches", "--json"]).ends(0);
    let json = run.json();
    let switches = json["switches"].as_array().unwrap();
    assert_eq!(switches.len(), vendor_fixes::SWITCHES.len());
    let budget = switches.iter().find(|switch| switch["switch"] == "RX_VK_BUDGET").unwrap();
    assert_eq!(budget["set_to"], "exact");

    for verb in
        [&["ledger"][..], &["fixes"], &["switches"], &["switches", "--long"], &["fixes", "--long"], &["facts", "list"]]
    {
        let page = rx(verb).ends(0);
        is_plain(&page.out);
        assert!(page.out.lines().count() > 2 && page.err.is_empty(), "{verb:?}");
    }
    assert!(rx(["fixes"]).out.contains("set_for_tables"));
}

#[test]
fn tables_fit_the_width_that_is_asked_for() {
    let run = rx_in(Path::new("."), &[("COLUMNS", "80")], ["ledger"]).ends(0);
    let widest = run.out.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest}");
}

#[test]
fn facts_are_listed_and_shown_in_the_form_that_is_read() {
    let json = rx(["facts", "list", "--json"]).ends(0).json();
    let names: Vec<&str> =
        json["presets"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, vk::DeviceFacts::preset_names().collect::<Vec<_>>());
    let dir = tempdir().unwrap();
    let shown = rx(["facts", "show", "radv"]).ends(0).out;
    let path = file(dir.path(), "mine.json", &shown);
    let again = rx(["facts".as_ref(), "show".as_ref(), path.as_os_str()]).ends(0).out;
    assert_eq!(shown, again);
    rx(["facts", "show", "radz"]).ends(2).error("RX0503");
    rx(["facts", "show", "no/such.json"]).ends(1).error("RX0501");
}

#[test]
fn a_switch_that_is_not_understood_is_a_warning() {
    let run = rx_in(Path::new("."), &[("RX_VK_BUGDET", "exact"), ("RX_VK_SET_FOR_TABLES", "2")], ["fixes"]).ends(0);
    let lines: Vec<&str> = run.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.err);
    assert!(lines.iter().all(|line| line.starts_with("warning: RX_VK_")));
    assert!(lines[0].contains("did you mean RX_VK_BUDGET?"));
}
