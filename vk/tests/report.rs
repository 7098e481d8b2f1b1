//! The lines at close: counted once a program, by reason, naming the switch; silent where nothing moved.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Mutex;

use rx_vendor_fixes::Config;
use rx_vk::layout::report::PlanCounters;
use rx_vk::layout::{LayoutPlan, ProgramFile, Reason, plan};
use rx_vk::{DeviceFacts, PlanOptions};

fn decide(stage: &str, facts: &DeviceFacts) -> LayoutPlan {
    let text = format!(r#"{{"stages": [{{"stage": "fragment", {stage}}}]}}"#);
    let program = ProgramFile::parse(&text).unwrap().program;
    plan(&program, facts, &PlanOptions::new(facts, &Config::default()))
}

fn one(ty: &str, count: u32) -> String {
    format!(r#""bindings": [{{"binding": 0, "type": "{ty}", "count": {count}}}]"#)
}

#[test]
fn lines_count_programs_by_reason_and_name_the_switch() {
    let facts = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap();
    let counters = PlanCounters::new();
    for stage in [one("sampler", 17), one("sampler", 18), one("storage_buffer", 2), one("sampler", 16)] {
        counters.record(&decide(&stage, &facts));
    }
    // Not moved by a fix: Vulkan's own rules, no binding, an error.
    for stage in [one("uniform_buffer_dynamic", 1), r#""bindings": []"#.to_owned(), one("sampler", 9999)] {
        counters.record(&decide(&stage, &facts));
    }
    assert_eq!(
        counters.lines(),
        [
            "set_for_tables: 3 programs moved from pushed to set: 1 tables, 2 samplers (RX_VK_SET_FOR_TABLES=0 turns this off)"
        ]
    );
    let length = format!(r#""reads_array_length": true, {}"#, one("storage_buffer", 1));
    counters.record(&decide(&length, &facts));
    assert_eq!(
        counters.lines()[1],
        "set_for_lengths: 1 program moved from pushed to set: 1 lengths (RX_VK_SET_FOR_LENGTHS=0 turns this off)"
    );
    assert_eq!(counters.moved(Reason::Samplers), 2);
}

#[test]
fn nothing_moved_is_nothing_said() {
    let radv = DeviceFacts::preset("radv").unwrap();
    let counters = PlanCounters::new();
    for stage in [one("sampler", 17), one("sampler", 40)] {
        counters.record(&decide(&stage, &radv));
    }
    assert!(counters.lines().is_empty());
}

struct Kept(Mutex<Vec<(String, String)>>);

impl log::Log for Kept {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        self.0.lock().unwrap().push((record.target().to_owned(), record.args().to_string()));
    }

    fn flush(&self) {}
}

static KEPT: Kept = Kept(Mutex::new(Vec::new()));

#[test]
fn the_lines_go_to_the_log_under_their_target() {
    log::set_logger(&KEPT).unwrap();
    log::set_max_level(log::LevelFilter::Info);
    let facts = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap();
    let counters = PlanCounters::new();
    counters.log();
    assert!(KEPT.0.lock().unwrap().is_empty());
    counters.record(&decide(&one("sampler", 17), &facts));
    counters.log();
    let logged = KEPT.0.lock().unwrap();
    assert_eq!(logged.len(), 1);
    assert_eq!(logged[0].0, "rx::plan");
    assert_eq!(logged[0].1, counters.lines()[0]);
}
