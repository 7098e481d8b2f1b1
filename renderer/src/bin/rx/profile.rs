//! The translation's options, as the command line gives them: target, device, robustness, bindings.
//!
//! Owns the default profile and the words by which reports name a profile.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rx_renderer::translate::bindings::{BindingModel, BindingRule};
use rx_renderer::translate::{Options, Profile, Robustness, RobustnessByClass, Target};
use rx_renderer::vendor_fixes::{ActsOn, Config};
use rx_renderer::vk::{DeviceFacts, PlanOptions};
use serde::Deserialize;

use crate::codes;
use crate::failure::Failure;

/// Environment that the SPIR-V is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetName {
    /// SPIR-V 1.3.
    #[value(name = "vulkan1.1")]
    Vulkan11,
    /// SPIR-V 1.5.
    #[value(name = "vulkan1.2")]
    Vulkan12,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.3")]
    Vulkan13,
}

/// Who keeps an access inside its resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RobustnessName {
    /// The device.
    Device,
    /// The shader: guards are written.
    Explicit,
    /// Nobody.
    Off,
}

impl From<TargetName> for Target {
    fn from(name: TargetName) -> Target {
        match name {
            TargetName::Vulkan11 => Target::Vulkan11,
            TargetName::Vulkan12 => Target::Vulkan12,
            TargetName::Vulkan13 => Target::Vulkan13,
        }
    }
}

impl From<RobustnessName> for Robustness {
    fn from(name: RobustnessName) -> Robustness {
        match name {
            RobustnessName::Device => Robustness::Device,
            RobustnessName::Explicit => Robustness::Explicit,
            RobustnessName::Off => Robustness::Off,
        }
    }
}

/// What a translation is for.
#[derive(Clone, Debug, Default, Args)]
pub struct ProfileArgs {
    /// Vulkan version that the SPIR-V is for [default: the device's, else vulkan1.3]
    #[arg(long, value_name = "VERSION", value_enum)]
    pub target: Option<TargetName>,
    /// Device that the SPIR-V is for: a preset's name or a JSON file
    #[arg(long, value_name = "PRESET|FILE")]
    pub facts: Option<String>,
    /// Who keeps accesses inside their resources [default: the device where it can]
    #[arg(long, value_name = "WHO", value_enum)]
    pub robustness: Option<RobustnessName>,
}

/// A profile, and whence it comes.
#[derive(Clone, Debug)]
pub struct NamedProfile {
    /// The profile.
    pub profile: Profile,
    /// Whence the features come.
    features: String,
    /// The fixes of the translation that are on.
    fixes: Vec<&'static str>,
}

impl NamedProfile {
    /// The profile of a device, or where none is named the preset `full`: every feature that rx can use.
    pub fn new(facts: Option<&DeviceFacts>, switches: &Config) -> NamedProfile {
        let unknown = DeviceFacts::unknown();
        let device = facts.unwrap_or(&unknown);
        let fixes = PlanOptions::new(device, switches).fixes;
        let profile = rx_renderer::vk::profile(device, &fixes);
        let features = match facts {
            None => "preset full".to_owned(),
            Some(facts) if facts.shaders.features.is_some() => format!("features of {}", facts.name),
            Some(facts) => format!("preset full ({} does not say its features)", facts.name),
        };
        let fixes = fixes.acting(ActsOn::Translation).map(|fix| fix.name).collect();
        NamedProfile { profile, features, fixes }
    }

    /// In words: `vulkan1.3, preset full, robustness device`.
    pub fn name(&self) -> String {
        let Profile { target, robustness, .. } = &self.profile;
        let fixes = if self.fixes.is_empty() { String::new() } else { format!(", fixes {}", self.fixes.join(" ")) };
        format!("{}, {}, robustness {}{fixes}", target_word(*target), self.features, robustness_words(robustness))
    }
}

impl ProfileArgs {
    /// The profile: the device's, with what the command line says over it.
    pub fn resolve(&self, switches: &Config) -> Result<NamedProfile, Failure> {
        let facts = self.facts.as_deref().map(DeviceFacts::open).transpose()?;
        let mut named = NamedProfile::new(facts.as_ref(), switches);
        if let Some(target) = self.target {
            named.profile.target = target.into();
        }
        if let Some(robustness) = self.robustness {
            named.profile.robustness = RobustnessByClass::all(robustness.into());
        }
        Ok(named)
    }
}

fn target_word(target: Target) -> &'static str {
    match target {
        Target::Vulkan11 => "vulkan1.1",
        Target::Vulkan12 => "vulkan1.2",
        Target::Vulkan13 => "vulkan1.3",
    }
}

/// `device`, or what each class has where they differ.
fn robustness_words(robustness: &RobustnessByClass) -> String {
    let word = |own: Robustness| match own {
        Robustness::Device => "device",
        Robustness::Explicit => "explicit",
        Robustness::Off => "off",
    };
    let RobustnessByClass { uniform, storage, texel, image } = *robustness;
    if *robustness == RobustnessByClass::all(uniform) {
        return word(uniform).to_owned();
    }
    let classes = [("uniform", uniform), ("storage", storage), ("texel", texel), ("image", image)];
    classes.map(|(class, own)| format!("{class} {}", word(own))).join(" ")
}

/// Where resources are bound.
#[derive(Clone, Debug, Default, Args)]
pub struct BindingArgs {
    /// First binding of the stage
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "bindings")]
    pub first_binding: u32,
    /// Descriptor set
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "bindings")]
    pub set: u32,
    /// Binding model, as JSON (docs/cli.md)
    #[arg(long, value_name = "FILE")]
    pub bindings: Option<PathBuf>,
}

/// The file of `--bindings`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BindingsFile {
    #[serde(default = "one")]
    schema: u32,
    sequential: Option<SequentialJson>,
    rules: Option<Vec<BindingRule>>,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SequentialJson {
    #[serde(default)]
    set: u32,
    #[serde(default)]
    first_binding: u32,
}

impl BindingArgs {
    /// The binding model.
    pub fn resolve(&self) -> Result<BindingModel, Failure> {
        match &self.bindings {
            None => Ok(BindingModel::Sequential { set: self.set, first_binding: self.first_binding }),
            Some(path) => read_bindings(path),
        }
    }
}

fn read_bindings(path: &Path) -> Result<BindingModel, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::read(path, &error))?;
    parse_bindings(&text).map_err(|what| Failure::own(codes::BINDINGS, what).in_file(path))
}

fn parse_bindings(text: &str) -> Result<BindingModel, String> {
    let file: BindingsFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if file.schema != 1 {
        return Err(format!("schema {} is not supported; rx reads schema 1", file.schema));
    }
    match (file.sequential, file.rules) {
        (Some(SequentialJson { set, first_binding }), None) => Ok(BindingModel::Sequential { set, first_binding }),
        (None, Some(rules)) => Ok(BindingModel::Rules(rules)),
        _ => Err("exactly one of `sequential` and `rules` is wanted".to_owned()),
    }
}

/// The options of a translation.
pub fn options(profile: Profile, bindings: BindingModel) -> Options {
    Options { profile, bindings, ..Options::default() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use rx_renderer::translate::interface::{ResourceClass, Stage};

    #[test]
    fn the_default_profile_is_full() {
        let named = ProfileArgs::default().resolve(&Config::default()).unwrap();
        assert_eq!(named.profile, Profile::default());
        assert_eq!(named.name(), "vulkan1.3, preset full, robustness device");
    }

    #[test]
    fn a_devices_profile_is_its_own_and_the_command_line_goes_over_it() {
        let json = r#"{"schema": 1, "name": "mine", "shaders": {"target": "vulkan1.1", "robust_buffers": false,
                       "features": {"cube_array": false}}}"#;
        let facts = DeviceFacts::from_json("mine", json).unwrap();
        let named = NamedProfile::new(Some(&facts), &Config::default());
        assert_eq!(named.profile.target, Target::Vulkan11);
        assert!(!named.profile.features.cube_array && named.profile.features.float64);
        assert_eq!(
            named.name(),
            "vulkan1.1, features of mine, robustness uniform explicit storage explicit texel explicit image device"
        );
        let args = ProfileArgs {
            target: Some(TargetName::Vulkan12),
            facts: Some("radv".to_owned()),
            robustness: Some(RobustnessName::Off),
        };
        let named = args.resolve(&Config::default()).unwrap();
        assert_eq!(named.profile.robustness, RobustnessByClass::all(Robustness::Off));
        assert!(named.name().starts_with("vulkan1.2, ") && named.name().contains(", robustness off"));
    }

    #[test]
    fn a_binding_model_is_read() {
        assert_eq!(
            parse_bindings(r#"{"schema": 1, "sequential": {"set": 2, "first_binding": 5}}"#),
            Ok(BindingModel::Sequential { set: 2, first_binding: 5 })
        );
        let rules = r#"{"rules": [{"class": "srv", "first_register": 3, "count": 2, "stages": ["fragment"],
                        "set": 1, "binding": 10}]}"#;
        let rule = BindingRule {
            class: ResourceClass::Srv,
            space: 0,
            first_register: 3,
            count: Some(2),
            stages: vec![Stage::Fragment],
            set: 1,
            binding: 10,
        };
        assert_eq!(parse_bindings(rules), Ok(BindingModel::Rules(vec![rule])));
        for bad in
            ["{}", "{\"schema\": 2, \"rules\": []}", "{\"sequential\": {}, \"rules\": []}", "[]", "{\"rule\": []}"]
        {
            assert!(parse_bindings(bad).is_err(), "{bad}");
        }
    }
}
