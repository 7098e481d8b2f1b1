//! Which fixes are on for one driver under one configuration.

use crate::{ActsOn, Config, DriverId, FIXES, Fix, FixId, Forced, Identity, Version};

/// How one fix stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct FixState {
    /// Whether it acts.
    pub on: bool,
    /// Whether a switch decided that.
    pub forced: bool,
}

/// Every fix's state, a value that is handed around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResolvedFixes {
    states: [FixState; FIXES.len()],
}

impl ResolvedFixes {
    /// All off: the plain rules of Vulkan.
    pub const NONE: ResolvedFixes = ResolvedFixes { states: [FixState { on: false, forced: false }; FIXES.len()] };

    /// Resolves the table for a driver (`None`: not known, which no default concerns) under a configuration. Nothing is
    /// known of the chip: see [`ResolvedFixes::of`].
    pub fn new(driver: Option<DriverId>, version: Option<Version>, config: &Config) -> ResolvedFixes {
        ResolvedFixes::of(&Identity { driver, version, ..Identity::default() }, config)
    }

    /// Resolves the table for a device under a configuration.
    pub fn of(device: &Identity<'_>, config: &Config) -> ResolvedFixes {
        let mut resolved = ResolvedFixes::NONE;
        for (state, fix) in resolved.states.iter_mut().zip(FIXES) {
            *state = match config.forced(fix.id) {
                Forced::Unset => FixState { on: fix.default_for(device), forced: false },
                Forced::On => FixState { on: true, forced: true },
                Forced::Off => FixState { on: false, forced: true },
            };
        }
        resolved
    }

    /// The state of one fix.
    pub fn state(&self, id: FixId) -> FixState {
        self.states[id as usize]
    }

    /// Whether a fix acts.
    pub fn on(&self, id: FixId) -> bool {
        self.state(id).on
    }

    /// The same with one fix set by hand.
    pub fn with(mut self, id: FixId, on: bool) -> ResolvedFixes {
        self.states[id as usize] = FixState { on, forced: true };
        self
    }

    /// Fixes of one kind that act, in the table's order.
    pub fn acting(&self, kind: ActsOn) -> impl Iterator<Item = &'static Fix> + '_ {
        self.iter().filter(move |(fix, state)| state.on && fix.acts_on == kind).map(|(fix, _)| fix)
    }

    /// Every fix with its state, in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Fix, FixState)> + '_ {
        FIXES.iter().copied().zip(self.states.iter().copied())
    }

    /// The line that says at device creation which fixes are on and which of them the user forced.
    pub fn line(&self) -> String {
        let mut on = 0;
        let mut parts = Vec::new();
        for (fix, state) in self.iter() {
            on += usize::from(state.on);
            match (state.on, state.forced) {
                (true, true) => parts.push(format!("{} (forced by {}=1)", fix.name, fix.switch)),
                (true, false) => parts.push(fix.name.to_owned()),
                (false, true) => parts.push(format!("{} off (forced by {}=0)", fix.name, fix.switch)),
                (false, false) => {}
            }
        }
        let list = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
        format!("{on} of {} fixes on{list}", FIXES.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(vars: &[(&str, &str)]) -> Config {
        let (config, warnings) = crate::read(vars.iter().copied());
        assert!(warnings.is_empty(), "{warnings:?}");
        config
    }

    const IDS: [FixId; 2] = [FixId::SetForTables, FixId::SetForLengths];

    #[test]
    fn by_default_layout_fixes_are_on_with_moltenvk_alone() {
        for &driver in DriverId::ALL {
            let fixes = ResolvedFixes::new(Some(driver), None, &Config::default());
            for id in IDS {
                let want = FixState { on: driver == DriverId::MOLTENVK, forced: false };
                assert_eq!(fixes.state(id), want, "{driver} {id:?}");
            }
        }
        assert_eq!(ResolvedFixes::new(None, None, &Config::default()), ResolvedFixes::NONE);
    }

    #[test]
    fn the_version_does_not_turn_a_layout_fix_off() {
        let old = ResolvedFixes::new(Some(DriverId::MOLTENVK), Some(Version::new(1, 2, 9)), &Config::default());
        assert!(IDS.iter().all(|&id| old.on(id)));
    }

    #[test]
    fn a_switch_forces_one_fix_on_every_driver_and_leaves_the_other() {
        let cases = [
            ("RX_VK_SET_FOR_TABLES", FixId::SetForTables, FixId::SetForLengths),
            ("RX_VK_SET_FOR_LENGTHS", FixId::SetForLengths, FixId::SetForTables),
        ];
        for (name, forced, other) in cases {
            for (value, on) in [("1", true), ("0", false)] {
                let config = config(&[(name, value)]);
                for &driver in DriverId::ALL {
                    let fixes = ResolvedFixes::new(Some(driver), None, &config);
                    assert_eq!(fixes.state(forced), FixState { on, forced: true }, "{name}={value} {driver}");
                    assert_eq!(fixes.state(other).on, driver == DriverId::MOLTENVK, "{name}={value} {driver}");
                }
            }
        }
    }

    #[test]
    fn the_line_counts_and_names_what_was_forced() {
        let fixes = |vars: &[(&str, &str)]| ResolvedFixes::new(Some(DriverId::MOLTENVK), None, &config(vars)).line();
        let all = FIXES.len();
        assert_eq!(fixes(&[]), format!("2 of {all} fixes on: set_for_tables, set_for_lengths"));
        assert_eq!(
            fixes(&[("RX_VK_SET_FOR_TABLES", "0"), ("RX_VK_SET_FOR_LENGTHS", "1"), ("RX_VK_FIX_POINT_SIZE", "1")]),
            format!(
                "2 of {all} fixes on: set_for_tables off (forced by RX_VK_SET_FOR_TABLES=0), \
                 set_for_lengths (forced by RX_VK_SET_FOR_LENGTHS=1), point_size (forced by RX_VK_FIX_POINT_SIZE=1)"
            )
        );
        assert_eq!(ResolvedFixes::NONE.line(), format!("0 of {all} fixes on"));
    }

    #[test]
    fn a_fix_is_set_by_hand() {
        let fixes = ResolvedFixes::NONE.with(FixId::PointSize, true);
        assert_eq!(fixes.state(FixId::PointSize), FixState { on: true, forced: true });
        assert_eq!(fixes.iter().filter(|(_, state)| state.on).count(), 1);
        assert!(fixes.on(FixId::PointSize) && !fixes.on(FixId::SineRange));
        assert_eq!(fixes.with(FixId::PointSize, false).state(FixId::PointSize), FixState { on: false, forced: true });
    }

    #[test]
    fn what_another_configuration_says_of_a_fix_goes_over_what_is_there() {
        let mut own = config(&[("RX_VK_FIX_POINT_SIZE", "0"), ("RX_VK_FIX_SINE_RANGE", "1")]);
        own.take_fixes(&config(&[("RX_VK_FIX_POINT_SIZE", "1"), ("RX_VK_FIX_FLOAT_BITS", "0")]));
        let forced = [FixId::PointSize, FixId::SineRange, FixId::FloatBits, FixId::SplitClamp].map(|id| own.forced(id));
        assert_eq!(forced, [Forced::On, Forced::On, Forced::Off, Forced::Unset]);
    }

    #[test]
    fn acting_gives_the_fixes_of_one_kind_that_are_on() {
        let fixes = ResolvedFixes::new(Some(DriverId::INTEL_OPEN_SOURCE_MESA), None, &Config::default());
        let names = |kind| fixes.acting(kind).map(|fix| fix.name).collect::<Vec<_>>();
        assert_eq!(names(ActsOn::Translation), ["point_size", "sine_range"]);
        assert_eq!(names(ActsOn::Pipeline), ["whole_push"]);
        assert!(names(ActsOn::Layout).is_empty());
    }
}
