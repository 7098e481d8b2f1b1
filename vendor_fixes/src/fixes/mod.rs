//! The table of fixes: one file a fix, in the order of [`FixId`].
//!
//! A fix is data. What it does stands where it acts (a layout fix in the planner); here stands what is known of the
//! fault, whom it concerns and how to turn it on and off.

mod bare_varyings;
mod dense_switch;
mod explicit_bounds;
mod fill_empty_sets;
mod float_bits;
mod int_to_float;
mod mesh_fragment_stage;
mod no_dynamic_rendering;
mod no_dynamic_state;
mod no_dynamic_vertex_input;
mod no_push_amd;
mod no_push_arc;
mod no_push_geforce;
mod no_update_templates;
mod point_size;
mod rgb9e5_mask;
mod set_for_lengths;
mod set_for_tables;
mod sine_range;
mod split_clamp;
mod split_fills;
mod whole_push;

use crate::{DriverId, Identity, Version};

pub use bare_varyings::BARE_VARYINGS;
pub use dense_switch::DENSE_SWITCH;
pub use explicit_bounds::EXPLICIT_BOUNDS;
pub use fill_empty_sets::FILL_EMPTY_SETS;
pub use float_bits::FLOAT_BITS;
pub use int_to_float::INT_TO_FLOAT;
pub use mesh_fragment_stage::MESH_FRAGMENT_STAGE;
pub use no_dynamic_rendering::NO_DYNAMIC_RENDERING;
pub use no_dynamic_state::NO_DYNAMIC_STATE;
pub use no_dynamic_vertex_input::NO_DYNAMIC_VERTEX_INPUT;
pub use no_push_amd::NO_PUSH_AMD;
pub use no_push_arc::NO_PUSH_ARC;
pub use no_push_geforce::NO_PUSH_GEFORCE;
pub use no_update_templates::NO_UPDATE_TEMPLATES;
pub use point_size::POINT_SIZE;
pub use rgb9e5_mask::RGB9E5_MASK;
pub use set_for_lengths::SET_FOR_LENGTHS;
pub use set_for_tables::SET_FOR_TABLES;
pub use sine_range::SINE_RANGE;
pub use split_clamp::SPLIT_CLAMP;
pub use split_fills::SPLIT_FILLS;
pub use whole_push::WHOLE_PUSH;

/// A fix, by a typed name; its index in [`FIXES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FixId {
    /// [`SET_FOR_TABLES`].
    SetForTables,
    /// [`SET_FOR_LENGTHS`].
    SetForLengths,
    /// [`NO_PUSH_ARC`].
    NoPushArc,
    /// [`NO_PUSH_AMD`].
    NoPushAmd,
    /// [`NO_PUSH_GEFORCE`].
    NoPushGeforce,
    /// [`FILL_EMPTY_SETS`].
    FillEmptySets,
    /// [`POINT_SIZE`].
    PointSize,
    /// [`SINE_RANGE`].
    SineRange,
    /// [`INT_TO_FLOAT`].
    IntToFloat,
    /// [`SPLIT_CLAMP`].
    SplitClamp,
    /// [`DENSE_SWITCH`].
    DenseSwitch,
    /// [`FLOAT_BITS`].
    FloatBits,
    /// [`BARE_VARYINGS`].
    BareVaryings,
    /// [`EXPLICIT_BOUNDS`].
    ExplicitBounds,
    /// [`WHOLE_PUSH`].
    WholePush,
    /// [`SPLIT_FILLS`].
    SplitFills,
    /// [`MESH_FRAGMENT_STAGE`].
    MeshFragmentStage,
    /// [`RGB9E5_MASK`].
    Rgb9e5Mask,
    /// [`NO_DYNAMIC_STATE`].
    NoDynamicState,
    /// [`NO_DYNAMIC_RENDERING`].
    NoDynamicRendering,
    /// [`NO_DYNAMIC_VERTEX_INPUT`].
    NoDynamicVertexInput,
    /// [`NO_UPDATE_TEMPLATES`].
    NoUpdateTemplates,
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

/// Which chips of the named drivers are concerned. A chip of which nothing is known is not one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chip {
    /// All of them.
    Any,
    /// Those whose device name has one of these texts in it.
    Named(&'static [&'static str]),
    /// Those that share the processor's memory (`VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU`).
    Integrated,
}

impl Chip {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Chip::Any => "any",
            Chip::Named(_) => "by device name",
            Chip::Integrated => "integrated",
        }
    }

    /// The texts that a device name is looked through for.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Chip::Named(names) => names,
            Chip::Any | Chip::Integrated => &[],
        }
    }

    /// Whether a device is one of these.
    pub fn is(self, device: &Identity<'_>) -> bool {
        match self {
            Chip::Any => true,
            Chip::Named(names) => device.name.is_some_and(|name| names.iter().any(|own| name.contains(own))),
            Chip::Integrated => device.integrated == Some(true),
        }
    }
}

/// Where a fix is on when nobody says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultOn {
    /// With the named drivers, whatever their version: the fix's own rules know the version.
    Driver,
    /// With the named drivers, in the version range; an unknown version counts as affected. For a fix that costs little.
    Affected,
    /// The same, and an unknown version counts as sound. For a fix that costs something.
    Known,
}

impl DefaultOn {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            DefaultOn::Driver => "on with the driver, any version",
            DefaultOn::Affected => "on with the driver, in the version range",
            DefaultOn::Known => "on where the version is known to be in the range",
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
    /// What the fix makes true, in a line.
    pub title: &'static str,
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
    /// Whether this device may have the fault. An unknown driver has not, nor has an unknown chip where only some are
    /// concerned; an unknown version counts as affected.
    pub fn affects(&self, device: &Identity<'_>) -> bool {
        self.names_driver(device) && self.chip.is(device) && device.version.is_none_or(|v| self.versions.contains(v))
    }

    /// Whether the fix is on when no switch says otherwise.
    pub fn default_for(&self, device: &Identity<'_>) -> bool {
        match self.default_on {
            DefaultOn::Driver => self.names_driver(device),
            DefaultOn::Affected => self.affects(device),
            DefaultOn::Known => {
                self.affects(device) && (device.version.is_some() || self.versions == VersionRange::ANY)
            }
        }
    }

    fn names_driver(&self, device: &Identity<'_>) -> bool {
        device.driver.is_some_and(|id| self.drivers.contains(&id))
    }
}

/// Every fix, in the order of [`FixId`].
pub const FIXES: &[&Fix] = &[
    &SET_FOR_TABLES,
    &SET_FOR_LENGTHS,
    &NO_PUSH_ARC,
    &NO_PUSH_AMD,
    &NO_PUSH_GEFORCE,
    &FILL_EMPTY_SETS,
    &POINT_SIZE,
    &SINE_RANGE,
    &INT_TO_FLOAT,
    &SPLIT_CLAMP,
    &DENSE_SWITCH,
    &FLOAT_BITS,
    &BARE_VARYINGS,
    &EXPLICIT_BOUNDS,
    &WHOLE_PUSH,
    &SPLIT_FILLS,
    &MESH_FRAGMENT_STAGE,
    &RGB9E5_MASK,
    &NO_DYNAMIC_STATE,
    &NO_DYNAMIC_RENDERING,
    &NO_DYNAMIC_VERTEX_INPUT,
    &NO_UPDATE_TEMPLATES,
];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Whether a fix is on by default: driver, version (empty is unknown), chip, and what is due. The chip is a device
    /// name, or `integrated` or `discrete`, or empty where nothing is known of it.
    pub(crate) fn check(fix: &Fix, rows: &[(&str, &str, &str, bool)]) {
        for &(driver, version, chip, want) in rows {
            let kind = matches!(chip, "integrated" | "discrete");
            let device = Identity {
                driver: DriverId::from_name(driver),
                version: Version::parse(version),
                name: Some(chip).filter(|chip| !chip.is_empty() && !kind),
                integrated: kind.then_some(chip == "integrated"),
            };
            assert!(device.driver.is_some(), "{driver}");
            assert_eq!(fix.default_for(&device), want, "{}: {driver} {version} {chip}", fix.name);
        }
        assert!(!fix.default_for(&Identity::default()), "{}: an unknown device", fix.name);
    }

    #[test]
    fn the_table_is_in_the_order_of_its_ids_and_complete() {
        for (i, fix) in FIXES.iter().enumerate() {
            assert_eq!(fix.id as usize, i, "{}", fix.name);
            let texts = [fix.title, fix.symptom, fix.action, fix.test];
            assert!(!fix.drivers.is_empty() && texts.iter().all(|text| !text.is_empty()), "{}", fix.name);
            assert!(fix.source.starts_with("https://"), "{}", fix.name);
            let own = crate::SWITCHES.iter().find(|switch| switch.name == fix.switch);
            assert_eq!(own.and_then(|switch| switch.fix()), Some(fix.id), "{}", fix.switch);
            let spelt = format!("RX_VK_FIX_{}", fix.name.to_ascii_uppercase());
            let spelt = crate::SWITCHES.iter().find(|switch| switch.name == spelt);
            assert_eq!(spelt.and_then(|switch| switch.fix()), Some(fix.id), "{}", fix.name);
        }
    }

    #[test]
    fn there_are_fixes_of_every_kind() {
        for (kind, least) in [(ActsOn::Layout, 5), (ActsOn::Translation, 5), (ActsOn::Pipeline, 5)] {
            assert!(FIXES.iter().filter(|fix| fix.acts_on == kind).count() >= least, "{}", kind.name());
        }
    }

    #[test]
    fn the_test_that_a_fix_names_exists_and_names_the_fix() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for fix in FIXES {
            let text = std::fs::read_to_string(root.join(fix.test)).unwrap_or_default();
            let id = format!("FixId::{:?}", fix.id);
            let named = [fix.name, fix.switch, &id].iter().any(|name| text.contains(name));
            assert!(named, "{} does not test {}", fix.test, fix.name);
        }
    }

    #[test]
    fn kinds_and_chips_have_their_names() {
        let kinds = [ActsOn::Layout, ActsOn::Translation, ActsOn::Pipeline].map(ActsOn::name);
        assert_eq!(kinds, ["layout", "translation", "pipeline"]);
        let chips = [Chip::Any, Chip::Named(&["Adreno (TM) 5"]), Chip::Integrated];
        assert_eq!(chips.map(Chip::name), ["any", "by device name", "integrated"]);
        assert_eq!(chips.map(Chip::names), [&[][..], &["Adreno (TM) 5"], &[]]);
        let defaults = [DefaultOn::Driver, DefaultOn::Affected, DefaultOn::Known].map(DefaultOn::name);
        let want = [
            "on with the driver, any version",
            "on with the driver, in the version range",
            "on where the version is known to be in the range",
        ];
        assert_eq!(defaults, want);
    }

    #[test]
    fn a_known_default_wants_a_known_version() {
        let device = |version| Identity { driver: Some(DriverId::AMD_PROPRIETARY), version, ..Identity::default() };
        assert!(NO_PUSH_AMD.affects(&device(None)));
        assert!(!NO_PUSH_AMD.default_for(&device(None)));
        assert!(NO_PUSH_AMD.default_for(&device(Some(Version::new(2, 0, 226)))));
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
