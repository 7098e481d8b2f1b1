//! The table of fixes: one file a fix, in the order of [`FixId`].
//!
//! A fix is data. What it does stands where it acts (a layout fix in the planner); here stands what is known of the
//! fault, whom it concerns and how to turn it on and off.

mod set_for_lengths;
mod set_for_tables;

use crate::{DriverId, Version};

pub use set_for_lengths::SET_FOR_LENGTHS;
pub use set_for_tables::SET_FOR_TABLES;

/// A fix, by a typed name; its index in [`FIXES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FixId {
    /// [`SET_FOR_TABLES`].
    SetForTables,
    /// [`SET_FOR_LENGTHS`].
    SetForLengths,
}

/// What a fix changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActsOn {
    /// Descriptor set layouts and pools. Never the translation or its stamp.
    Layout,
    /// The SPIR-V written. Always part of the translation's profile and stamp.
    Translation,
    /// Pipelines and commands.
    Pipeline,
}

impl ActsOn {
    /// `layout`, `translation` or `pipeline`.
    pub fn name(self) -> &'static str {
        match self {
            ActsOn::Layout => "layout",
            ActsOn::Translation => "translation",
            ActsOn::Pipeline => "pipeline",
        }
    }
}

/// Versions from one (inclusive) to another (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VersionRange {
    /// First affected version; `None`: from the first release on.
    pub from: Option<Version>,
    /// First version that is no longer affected; `None`: no release has the repair.
    pub before: Option<Version>,
}

impl VersionRange {
    /// Every version.
    pub const ANY: VersionRange = VersionRange { from: None, before: None };

    /// Whether the version lies in the range.
    pub fn contains(&self, version: Version) -> bool {
        self.from.is_none_or(|from| version >= from) && self.before.is_none_or(|before| version < before)
    }
}

/// Which chips of the named drivers are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chip {
    /// All of them.
    Any,
}

impl Chip {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Chip::Any => "any",
        }
    }
}

/// Where a fix is on when nobody says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultOn {
    /// With the named drivers, whatever their version: the fix's own rules know the version.
    Driver,
    /// With the named drivers, in the version range; an unknown version counts as affected.
    Affected,
}

impl DefaultOn {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            DefaultOn::Driver => "on with the driver, any version",
            DefaultOn::Affected => "on with the driver, in the version range",
        }
    }
}

/// One known fault and what rx does about it.
#[derive(Debug)]
pub struct Fix {
    /// Typed name.
    pub id: FixId,
    /// Name in logs and tables.
    pub name: &'static str,
    /// Environment variable that forces it.
    pub switch: &'static str,
    /// What it changes.
    pub acts_on: ActsOn,
    /// Drivers that have the fault.
    pub drivers: &'static [DriverId],
    /// Their versions, decoded by each driver's own scheme.
    pub versions: VersionRange,
    /// Chips.
    pub chip: Chip,
    /// Default.
    pub default_on: DefaultOn,
    /// What a game sees without the fix.
    pub symptom: &'static str,
    /// What the fix does.
    pub action: &'static str,
    /// Where the fault is documented.
    pub source: &'static str,
    /// Test that shows what the fix does.
    pub test: &'static str,
}

impl Fix {
    /// Whether this driver has the fault. An unknown driver has not; an unknown version counts as affected.
    pub fn affects(&self, driver: Option<DriverId>, version: Option<Version>) -> bool {
        driver.is_some_and(|id| self.drivers.contains(&id)) && version.is_none_or(|v| self.versions.contains(v))
    }

    /// Whether the fix is on when no switch says otherwise.
    pub fn default_for(&self, driver: Option<DriverId>, version: Option<Version>) -> bool {
        match self.default_on {
            DefaultOn::Driver => driver.is_some_and(|id| self.drivers.contains(&id)),
            DefaultOn::Affected => self.affects(driver, version),
        }
    }
}

/// Every fix, in the order of [`FixId`].
pub const FIXES: &[&Fix] = &[&SET_FOR_TABLES, &SET_FOR_LENGTHS];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_its_ids_and_complete() {
        for (i, fix) in FIXES.iter().enumerate() {
            assert_eq!(fix.id as usize, i, "{}", fix.name);
            assert!(!fix.drivers.is_empty() && !fix.symptom.is_empty() && !fix.action.is_empty());
            assert!(fix.source.starts_with("https://"), "{}", fix.name);
            assert!(crate::SWITCHES.iter().any(|switch| switch.name == fix.switch), "{}", fix.switch);
        }
    }

    #[test]
    fn a_range_begins_with_its_first_version_and_ends_before_its_last() {
        let range = VersionRange { from: Some(Version::new(1, 4, 1)), before: Some(Version::new(1, 5, 0)) };
        assert!(!range.contains(Version::new(1, 4, 0)));
        assert!(range.contains(Version::new(1, 4, 1)));
        assert!(range.contains(Version::new(1, 4, 9)));
        assert!(!range.contains(Version::new(1, 5, 0)));
        assert!(VersionRange::ANY.contains(Version::default()));
    }
}
