//! Documentation pages written from the tables: `docs/switches.md` and `docs/fixes.md`.

use std::fmt::Write as _;

use crate::{FIXES, Fix, SWITCHES, VersionRange};

const GENERATED: &str = "<!-- Written from the tables in vendor_fixes/. A test fails when this page drifts; \
                         `RX_BLESS=1 cargo test -p rx-vendor-fixes` rewrites it. -->\n\n";

/// The page of switches.
pub fn switches() -> String {
    let mut page = format!("# Switches\n\n{GENERATED}");
    page.push_str(
        "A host reads these environment variables once, when it makes a device. Unset or empty leaves the default. A \
         value that a switch does not take changes nothing and is a warning that names the variable, the value and \
         what it takes. A variable `RX_VK_*` that is not in this table is a warning with the nearest name.\n\n\
         | variable | takes | what it does |\n|---|---|---|\n",
    );
    for switch in SWITCHES {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "| `{}` | {} | {} |", switch.name, switch.accepted, switch.short);
    }
    for switch in SWITCHES {
        let _ = write!(page, "\n## `{}`\n\n{}\n", switch.name, switch.long);
    }
    page
}

/// The page of fixes.
pub fn fixes() -> String {
    let mut page = format!("# Driver fixes\n\n{GENERATED}");
    page.push_str(
        "Known faults of drivers and what rx does about each. A layout fix changes descriptor set layouts only, a \
         pipeline fix pipelines and commands: never the SPIR-V, so they invalidate no cache. A translation fix changes \
         the SPIR-V that rx writes, and is part of every cache's key; a shader that is SPIR-V already keeps its words. A \
         switch at 1 turns a fix on with any driver, at 0 off.\n\n\
         | fix | acts on | drivers | versions | chips | default | switch |\n|---|---|---|---|---|---|---|\n",
    );
    for fix in FIXES {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} | `{}` |",
            fix.name,
            fix.acts_on.name(),
            drivers(fix),
            versions(&fix.versions),
            chips(fix),
            fix.default_on.name(),
            fix.switch
        );
    }
    for fix in FIXES {
        let _ = write!(page, "\n## `{}`\n\n", fix.name);
        let _ = writeln!(page, "{}\n", fix.title);
        let rows = [("Symptom", fix.symptom), ("What rx does", fix.action), ("Source", fix.source), ("Test", fix.test)];
        for (title, text) in rows {
            let _ = writeln!(page, "- {title}: {text}");
        }
    }
    page
}

fn chips(fix: &Fix) -> String {
    match fix.chip.names() {
        [] => fix.chip.name().to_owned(),
        names => names.join(", "),
    }
}

fn drivers(fix: &Fix) -> String {
    let names: Vec<String> = fix.drivers.iter().map(|id| format!("{id} ({})", id.0)).collect();
    names.join(", ")
}

fn versions(range: &VersionRange) -> String {
    match (range.from, range.before) {
        (None, None) => "all".to_owned(),
        (Some(from), None) => format!("from {from} on"),
        (None, Some(before)) => format!("before {before}"),
        (Some(from), Some(before)) => format!("from {from}, before {before}"),
    }
}
