//! The translation's options, as the command line gives them: target, device, robustness, bindings.
//!
//! Owns the default profile and the words by which reports name a profile.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rx_renderer::translate::bindings::{BindingModel, BindingRule};
use rx_renderer::translate::{Options, Profile, Robustness, RobustnessByClass, Target};
use rx_renderer::vk::DeviceFacts;
use serde::Deserialize;

use crate::codes;
use crate::failure::Failure;

/// Environment that the SPIR-V is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TargetName {
    /// SPIR-V 1.3.
    #[value(name = "vulkan1.1")]
    Vulkan11,
    /// SPIR-V 1.5.
    #[value(name = "vulkan1.2")]
    Vulkan12,
    /// SPIR-V 1.6.
    #[default]
    #[value(name = "vulkan1.3")]
    Vulkan13,
}

/// Who keeps an access inside its resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RobustnessName {
    /// The device.
    #[default]
    Device,
    /// The shader: guards are written.
    Explicit,
    /// Nobody.
    Off,
}

/// What a translation is for.
#[derive(Clone, Debug, Default, Args)]
pub struct ProfileArgs {
    /// Vulkan version that the SPIR-V is for
    #[arg(long, value_name = "VERSION", value_enum, default_value_t)]
    pub target: TargetName,
    /// Device that the SPIR-V is for: a preset's name or a JSON file
    #[arg(long, value_name = "PRESET|FILE")]
    pub facts: Option<String>,
    /// Who keeps accesses inside their resources
    #[arg(long, value_name = "WHO", value_enum, default_value_t)]
    pub robustness: RobustnessName,
}

/// A profile, and the words that name it.
#[derive(Clone, Debug)]
pub struct NamedProfile {
    /// The profile.
    pub profile: Profile,
    /// `vulkan1.3, preset full, robustness device`.
    pub name: String,
}

impl ProfileArgs {
    /// The profile. A device's facts say nothing of its features yet, so the features are those of the preset `full`:
    /// the facts are checked, and the name says what was taken.
    pub fn resolve(&self) -> Result<NamedProfile, Failure> {
        if let Some(name) = &self.facts {
            DeviceFacts::open(name)?;
        }
        let target = match self.target {
            TargetName::Vulkan11 => Target::Vulkan11,
            TargetName::Vulkan12 => Target::Vulkan12,
            TargetName::Vulkan13 => Target::Vulkan13,
        };
        let robustness = match self.robustness {
            RobustnessName::Device => Robustness::Device,
            RobustnessName::Explicit => Robustness::Explicit,
            RobustnessName::Off => Robustness::Off,
        };
        let profile = Profile { target, robustness: RobustnessByClass::all(robustness), ..Profile::default() };
        let features = match &self.facts {
            None => "preset full".to_owned(),
            Some(name) => format!("preset full ({name} does not say its features)"),
        };
        let name = format!("{}, {features}, robustness {}", spelling(&self.target), spelling(&self.robustness));
        Ok(NamedProfile { profile, name })
    }
}

fn spelling(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |possible| possible.get_name().to_owned())
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
        let named = ProfileArgs::default().resolve().unwrap();
        assert_eq!(named.profile, Profile::default());
        assert_eq!(named.name, "vulkan1.3, preset full, robustness device");
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
