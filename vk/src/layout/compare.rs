//! Plans beside each other: one program on two devices, and several programs on one.
//!
//! Owns words and JSON for people who look at more than one plan. It decides nothing.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::Answer;
use super::metal::Table;
use super::plan::{LayoutPlan, Use};
use super::print::{decision_name, explanation};
use super::program::ProgramInterface;
use crate::facts::DeviceFacts;

/// One program on two devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// 1.
    pub schema: u32,
    /// The program's name.
    pub name: String,
    /// The devices' names.
    pub devices: [String; 2],
    /// The answers.
    pub answers: [Answer; 2],
    /// What differs; empty where nothing does.
    pub differences: Vec<Differing>,
}

/// Something that two plans have differently, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Differing {
    /// What: `decision`, `fragment: samplers`.
    pub what: String,
    /// On each device.
    pub values: [String; 2],
}

impl Differing {
    /// `decision: set / push`.
    pub fn line(&self) -> String {
        let [a, b] = &self.values;
        format!("{}: {a} / {b}", self.what)
    }
}

impl Difference {
    /// Compares the plans of a program on two devices.
    pub fn new(
        program: &ProgramInterface,
        a: (&DeviceFacts, &LayoutPlan),
        b: (&DeviceFacts, &LayoutPlan),
    ) -> Difference {
        Difference {
            schema: 1,
            name: program.name().to_owned(),
            devices: [a.0.name.clone(), b.0.name.clone()],
            answers: [Answer::new(program, a.0, a.1), Answer::new(program, b.0, b.1)],
            differences: differences(a.1, b.1),
        }
    }

    /// In words: the two decisions, then what differs.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.name);
        let width = self.devices.iter().map(String::len).max().unwrap_or(0);
        for (device, answer) in self.devices.iter().zip(&self.answers) {
            let reason = answer.reason.map_or(String::new(), |reason| format!("{}; ", reason.name()));
            let decision = decision_name(answer.decision);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {device:<width$}  {decision} ({reason}{})", answer.explanation);
        }
        for own in &self.differences {
            let _ = writeln!(text, "  {}", own.line());
        }
        if self.differences.is_empty() {
            text.push_str("  no difference\n");
        }
        text
    }
}

fn differences(a: &LayoutPlan, b: &LayoutPlan) -> Vec<Differing> {
    let mut found = Vec::new();
    let mut differ = |what: &str, a: String, b: String| {
        if a != b {
            found.push(Differing { what: what.to_owned(), values: [a, b] });
        }
    };
    differ("decision", decision_name(a.decision).to_owned(), decision_name(b.decision).to_owned());
    let reason = |plan: &LayoutPlan| plan.reason().map_or("none", |reason| reason.name()).to_owned();
    differ("reason", reason(a), reason(b));
    let flags = |plan: &LayoutPlan| format!("{:#x}", plan.layout_flags.as_raw());
    differ("layout flags", flags(a), flags(b));
    for (own, other) in a.stages().iter().zip(b.stages()) {
        for table in Table::ALL {
            let what = format!("{}: {}", own.stage_bit.name(), table.name());
            differ(&what, Cell::new(own.table(table)).text, Cell::new(other.table(table)).text);
        }
    }
    found
}

/// How full a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// No rule limits it.
    Unlimited,
    /// There is room.
    Free,
    /// It is full to the last slot.
    Full,
    /// It is past its limit.
    Past,
}

/// A table's use as a cell: `7 of 7`, and how full that is, for whoever gives it a colour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Text.
    pub text: String,
    /// How full.
    pub fill: Fill,
}

impl Cell {
    /// The cell of a use.
    pub fn new(own: Use) -> Cell {
        let Some(limit) = own.limit else { return Cell { text: own.used.to_string(), fill: Fill::Unlimited } };
        let fill = match (own.is_past(), i64::from(own.used) == i64::from(limit)) {
            (true, _) => Fill::Past,
            (false, true) => Fill::Full,
            (false, false) => Fill::Free,
        };
        Cell { text: format!("{} of {limit}", own.used), fill }
    }
}

/// Several programs on one device: a line each, aligned, and a total.
pub fn overview<'a>(plans: impl IntoIterator<Item = (&'a str, &'a LayoutPlan)>) -> String {
    let plans: Vec<(&str, &LayoutPlan)> = plans.into_iter().collect();
    let name_width = plans.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    let mut totals = [0usize; 4];
    for (name, plan) in &plans {
        totals[plan.decision as usize] += 1;
        let reason = plan.reason().map_or(String::new(), |reason| format!("{}; ", reason.name()));
        let decision = decision_name(plan.decision);
        let _ = writeln!(text, "{name:<name_width$}  {decision:<5}  {reason}{}", explanation(plan));
    }
    let [push, set, none, error] = totals;
    let _ = writeln!(
        text,
        "{} programs: {push} pushed, {set} in sets, {none} without bindings, {error} errors",
        plans.len()
    );
    text
}
