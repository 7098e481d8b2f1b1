//! The table of switches: one file a switch, and the reading of an environment given as a value.
//!
//! Owns every variable named `RX_VK_*`. It never reads the process's environment: that happens in one place, once, and
//! not here.

mod budget;
mod device;
mod facts;
mod policy;
mod set_for_lengths;
mod set_for_tables;
mod validate;

use std::fmt;

use crate::{FIXES, Fix, FixId, nearest};

/// What a switch says of a fix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Forced {
    /// Nothing: the default of the table stands.
    #[default]
    Unset,
    /// `1`: on with any driver.
    On,
    /// `0`: off with any driver.
    Off,
}

/// Which arithmetic the planner uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetChoice {
    /// What holds on any Mac and any MoltenVK.
    Worst,
    /// What is known of this device and program.
    Exact,
}

/// What a host wants of its programs' layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolicyChoice {
    /// Push a program's set where the rules allow it, else a set.
    Push,
    /// Always a set.
    Set,
    /// Push the small constant data and hold the rest in a set, wherever that can be.
    Split,
    /// Push; where that cannot be, split; where that cannot be either, a set.
    Auto,
}

/// What the switches say, all of them. The default is an empty environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    fixes: [Forced; FIXES.len()],
    /// `RX_VK_BUDGET`.
    pub budget: Option<BudgetChoice>,
    /// `RX_VK_FACTS`: a preset's name or a file.
    pub facts: Option<String>,
    /// `RX_VK_POLICY`.
    pub policy: Option<PolicyChoice>,
    /// `RX_VK_DEVICE`: a device's number or part of its name.
    pub device: Option<String>,
    /// `RX_VK_VALIDATE`.
    pub validate: Option<bool>,
}

impl Config {
    /// What is said of one fix.
    pub fn forced(&self, id: FixId) -> Forced {
        self.fixes[id as usize]
    }

    /// Takes what another configuration says of the fixes, where it says something.
    pub fn take_fixes(&mut self, other: &Config) {
        for (own, &others) in self.fixes.iter_mut().zip(&other.fixes) {
            if others != Forced::Unset {
                *own = others;
            }
        }
    }

    /// Says it of one fix.
    pub fn force(&mut self, id: FixId, forced: Forced) {
        self.fixes[id as usize] = forced;
    }
}

/// One environment variable.
#[derive(Debug)]
pub struct Switch {
    /// Its name.
    pub name: &'static str,
    /// What values it takes, for a message: "`1` or `0`".
    pub accepted: &'static str,
    /// One line.
    pub short: &'static str,
    /// A paragraph or more.
    pub long: &'static str,
    /// What a value does.
    pub update: Update,
}

/// What a switch's value does. A value is never empty.
#[derive(Debug)]
pub enum Update {
    /// `1` and `0` force a fix.
    Fix(FixId),
    /// Takes a value into the configuration; false leaves it as it was: the value is not accepted.
    With(fn(&mut Config, &str) -> bool),
}

impl Switch {
    /// The switch of a fix: all that it says is the fix's.
    const fn of(fix: &'static Fix) -> Switch {
        let accepted = "`1` or `0`";
        Switch { name: fix.switch, accepted, short: fix.title, long: fix.action, update: Update::Fix(fix.id) }
    }

    /// A second name of a fix's switch.
    const fn also(name: &'static str, short: &'static str, long: &'static str, fix: FixId) -> Switch {
        Switch { name, accepted: "`1` or `0`", short, long, update: Update::Fix(fix) }
    }

    /// The fix that it forces, if it is a fix's.
    pub fn fix(&self) -> Option<FixId> {
        match self.update {
            Update::Fix(id) => Some(id),
            Update::With(_) => None,
        }
    }

    /// Takes a value (never empty); false: it is not accepted, and nothing has changed.
    fn take(&self, config: &mut Config, value: &str) -> bool {
        match self.update {
            Update::Fix(id) => force(config, id, value),
            Update::With(update) => update(config, value),
        }
    }
}

const FIX_SET_FOR_LENGTHS: Switch = Switch::also(
    "RX_VK_FIX_SET_FOR_LENGTHS",
    "The same as `RX_VK_SET_FOR_LENGTHS`.",
    "Every fix has a switch of this form. Where both names are set, `RX_VK_SET_FOR_LENGTHS` counts.",
    FixId::SetForLengths,
);
const FIX_SET_FOR_TABLES: Switch = Switch::also(
    "RX_VK_FIX_SET_FOR_TABLES",
    "The same as `RX_VK_SET_FOR_TABLES`.",
    "Every fix has a switch of this form. Where both names are set, `RX_VK_SET_FOR_TABLES` counts.",
    FixId::SetForTables,
);

/// Every switch, by name.
pub const SWITCHES: &[&Switch] = &[
    &budget::SWITCH,
    &device::SWITCH,
    &facts::SWITCH,
    &Switch::of(&crate::BARE_VARYINGS),
    &Switch::of(&crate::DENSE_SWITCH),
    &Switch::of(&crate::EXPLICIT_BOUNDS),
    &Switch::of(&crate::FILL_EMPTY_SETS),
    &Switch::of(&crate::FLOAT_BITS),
    &Switch::of(&crate::INT_TO_FLOAT),
    &Switch::of(&crate::MESH_FRAGMENT_STAGE),
    &Switch::of(&crate::NO_DYNAMIC_RENDERING),
    &Switch::of(&crate::NO_DYNAMIC_STATE),
    &Switch::of(&crate::NO_DYNAMIC_VERTEX_INPUT),
    &Switch::of(&crate::NO_PUSH_AMD),
    &Switch::of(&crate::NO_PUSH_ARC),
    &Switch::of(&crate::NO_PUSH_GEFORCE),
    &Switch::of(&crate::NO_UPDATE_TEMPLATES),
    &Switch::of(&crate::POINT_SIZE),
    &Switch::of(&crate::RGB9E5_MASK),
    &FIX_SET_FOR_LENGTHS,
    &FIX_SET_FOR_TABLES,
    &Switch::of(&crate::SINE_RANGE),
    &Switch::of(&crate::SPLIT_CLAMP),
    &Switch::of(&crate::SPLIT_FILLS),
    &Switch::of(&crate::WHOLE_PUSH),
    &policy::SWITCH,
    &set_for_lengths::SWITCH,
    &set_for_tables::SWITCH,
    &validate::SWITCH,
];

/// The `0` and `1` that every fix's switch takes.
fn force(config: &mut Config, id: FixId, value: &str) -> bool {
    let forced = match value {
        "1" => Forced::On,
        "0" => Forced::Off,
        _ => return false,
    };
    config.force(id, forced);
    true
}

/// Something in the environment that was not taken. It changes nothing; the host logs it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Warning {
    /// A switch has a value that it does not accept; its default stands.
    Value {
        /// Variable.
        variable: &'static str,
        /// Value as given.
        value: String,
        /// What it accepts.
        accepted: &'static str,
    },
    /// A variable named `RX_VK_*` that no switch owns.
    Unknown {
        /// Variable.
        variable: String,
        /// The switch with the nearest name.
        nearest: &'static str,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Value { variable, value, accepted } => {
                write!(f, "{variable}={value:?} is not understood and changes nothing: {variable} takes {accepted}")
            }
            Warning::Unknown { variable, nearest } => {
                write!(f, "{variable} is not a switch of rx and changes nothing: did you mean {nearest}?")
            }
        }
    }
}

/// The prefix of every switch.
const PREFIX: &str = "RX_VK_";

/// Reads the switches from an environment given as pairs of name and value. Pairs of other names are passed over, an
/// empty value counts as unset. The warnings are in order of their variables' names, whatever the order of the pairs.
pub fn read<N: AsRef<str>, V: AsRef<str>>(vars: impl IntoIterator<Item = (N, V)>) -> (Config, Vec<Warning>) {
    let mut config = Config::default();
    let mut warnings = Vec::new();
    let vars: Vec<(N, V)> = vars.into_iter().collect();
    let mut sorted: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect();
    // Of two names of one switch the later in order counts, whatever the order of the pairs.
    sorted.sort_by_key(|&(name, _)| name);
    for (name, value) in sorted {
        if name.starts_with(PREFIX) {
            warnings.extend(take(&mut config, name, value));
        }
    }
    (config, warnings)
}

fn take(config: &mut Config, name: &str, value: &str) -> Option<Warning> {
    let Some(switch) = SWITCHES.iter().find(|switch| switch.name == name) else {
        let nearest = nearest(name, SWITCHES.iter().map(|switch| switch.name)).unwrap_or_default();
        return Some(Warning::Unknown { variable: name.to_owned(), nearest });
    };
    if value.is_empty() || switch.take(config, value) {
        return None;
    }
    Some(Warning::Value { variable: switch.name, value: value.to_owned(), accepted: switch.accepted })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads one variable.
    pub(super) fn one(name: &str, value: &str) -> (Config, Vec<Warning>) {
        read([(name, value)])
    }

    #[test]
    fn every_fix_has_a_switch_that_forces_it_and_nothing_else() {
        for switch in SWITCHES {
            if let Some(id) = switch.fix() {
                check_fix_switch(switch, id);
            }
        }
    }

    #[test]
    fn of_two_names_of_a_switch_the_shorter_counts_in_any_order() {
        let long = ("RX_VK_FIX_SET_FOR_TABLES", "1");
        let short = ("RX_VK_SET_FOR_TABLES", "0");
        for vars in [[long, short], [short, long]] {
            assert_eq!(read(vars).0.forced(FixId::SetForTables), Forced::Off);
        }
        assert_eq!(read([long]).0.forced(FixId::SetForTables), Forced::On);
    }

    /// A switch of a fix, every kind of value.
    pub(super) fn check_fix_switch(switch: &'static Switch, id: FixId) {
        for (value, want) in [("", Forced::Unset), ("1", Forced::On), ("0", Forced::Off)] {
            let (config, warnings) = one(switch.name, value);
            assert_eq!(config.forced(id), want, "{value:?}");
            assert!(warnings.is_empty(), "{warnings:?}");
            let mut rest = config.clone();
            rest.force(id, Forced::Unset);
            assert_eq!(rest, Config::default(), "only its own field changes");
        }
        for value in ["2", "true", "on", " 1", "01", "yes"] {
            let (config, warnings) = one(switch.name, value);
            assert_eq!(config, Config::default(), "{value:?} leaves the default");
            let want = Warning::Value { variable: switch.name, value: value.to_owned(), accepted: switch.accepted };
            assert_eq!(warnings, [want]);
        }
    }

    #[test]
    fn switches_stand_in_order_of_name_and_have_docs() {
        assert!(SWITCHES.windows(2).all(|pair| pair[0].name < pair[1].name));
        for switch in SWITCHES {
            assert!(switch.name.starts_with(PREFIX), "{}", switch.name);
            assert!(!switch.short.is_empty() && !switch.long.is_empty(), "{}", switch.name);
        }
    }

    #[test]
    fn other_variables_are_passed_over() {
        let vars = [("PATH", "/bin"), ("RX_CACHE", "1"), ("MVK_CONFIG_DEBUG", "x"), ("VK_RX_BUDGET", "exact")];
        assert_eq!(read(vars), (Config::default(), Vec::new()));
    }

    #[test]
    fn an_unknown_switch_is_a_warning_with_the_nearest_name() {
        let cases = [
            ("RX_VK_SET_FOR_TABLE", "RX_VK_SET_FOR_TABLES"),
            ("RX_VK_SET_FOR_LENGHTS", "RX_VK_SET_FOR_LENGTHS"),
            ("RX_VK_BUGDET", "RX_VK_BUDGET"),
            ("RX_VK_FACT", "RX_VK_FACTS"),
            ("RX_VK_FIX_POINT_SIZ", "RX_VK_FIX_POINT_SIZE"),
            ("RX_VK_FIXPOINT_SIZE", "RX_VK_FIX_POINT_SIZE"),
        ];
        for (variable, want) in cases {
            let (config, warnings) = one(variable, "1");
            assert_eq!(config, Config::default());
            assert_eq!(warnings, [Warning::Unknown { variable: variable.to_owned(), nearest: want }]);
        }
        let (_, warnings) = one("RX_VK_BUGDET", "");
        assert_eq!(warnings.len(), 1, "an unknown name warns even where it is empty");
    }

    #[test]
    fn warnings_name_the_variable_the_value_and_what_is_accepted_in_order_of_name() {
        let vars = [("RX_VK_SET_FOR_TABLES", "yes"), ("RX_VK_ZZZ", "1"), ("RX_VK_BUDGET", "big")];
        let (config, warnings) = read(vars);
        assert_eq!(config, Config::default());
        let lines: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "RX_VK_BUDGET=\"big\" is not understood and changes nothing: RX_VK_BUDGET takes `worst` or `exact`",
                "RX_VK_SET_FOR_TABLES=\"yes\" is not understood and changes nothing: \
                 RX_VK_SET_FOR_TABLES takes `1` or `0`",
                "RX_VK_ZZZ is not a switch of rx and changes nothing: did you mean RX_VK_FACTS?",
            ]
        );
    }
}
