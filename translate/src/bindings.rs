//! The binding model: from a Direct3D register to a descriptor set and binding.

use crate::interface::{ResourceClass, Stage};
use serde::{Deserialize, Serialize};

/// Where resources are bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BindingModel {
    /// One set; bindings follow one another from `first_binding` in the order constant buffers, shader resources,
    /// unordered access views, their counters, samplers, each by space and register. A range without an end gets a
    /// set of its own: `set + 1`, `set + 2`, … at binding 0.
    Sequential {
        /// Descriptor set.
        set: u32,
        /// First binding.
        first_binding: u32,
    },
    /// The first rule that matches a register decides. A register that none matches is refused.
    Rules(Vec<BindingRule>),
}

impl Default for BindingModel {
    fn default() -> Self {
        BindingModel::Sequential { set: 0, first_binding: 0 }
    }
}

/// A rule: registers of one class and space, in some stages, to bindings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BindingRule {
    /// Class of the registers.
    pub class: ResourceClass,
    /// Register space.
    #[serde(default)]
    pub space: u32,
    /// First register.
    #[serde(default)]
    pub first_register: u32,
    /// Number of registers; `None` is all that follow.
    #[serde(default)]
    pub count: Option<u32>,
    /// Stages; empty is all.
    #[serde(default)]
    pub stages: Vec<Stage>,
    /// Descriptor set.
    pub set: u32,
    /// Binding of the first register; the following ones follow.
    pub binding: u32,
}
