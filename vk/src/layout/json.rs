//! A program and an answer as JSON: what `rx plan` reads and writes.
//!
//! Reading never fails on a field that it does not know: it says so in [`ProgramFile::warnings`]. A value that it does
//! not understand is an error with its line.

use std::collections::BTreeMap;
use std::fmt;

use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vendor_fixes::{Config, DriverId};
use serde::{Deserialize, Deserializer, Serialize};

use super::cause::{Decision, Reason};
use super::metal::{Budget, Table};
use super::plan::{LayoutPlan, PlanOptions, Policy, StageUsage};
use super::print::explanation;
use super::program::{ProgramInterface, ProgramParts, ProgramStage, StageBinding, VertexInput};
use crate::Error;
use crate::facts::{DeviceFacts, Limits, parse_version};

/// Fields that nothing reads.
type Extra = BTreeMap<String, serde::de::IgnoredAny>;

#[derive(Deserialize)]
struct Program {
    #[serde(default = "one")]
    schema: u32,
    #[serde(default)]
    name: String,
    facts: Option<String>,
    driver: Option<Driver>,
    limits: Option<BTreeMap<String, serde_json::Value>>,
    budget: Option<Budget>,
    #[serde(default)]
    switches: BTreeMap<String, String>,
    #[serde(default)]
    push_constants: Vec<Stage>,
    vertex_input: Option<VertexInputJson>,
    #[serde(default)]
    other_sets_in_argument_buffers: bool,
    #[serde(default)]
    set_count: u32,
    stages: Vec<StageJson>,
    #[serde(flatten)]
    extra: Extra,
}

fn one() -> u32 {
    1
}

#[derive(Deserialize)]
struct Driver {
    id: Option<u32>,
    version: Option<String>,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(Deserialize)]
struct VertexInputJson {
    highest_binding: Option<u32>,
    #[serde(default)]
    translated_bindings: u32,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(Deserialize)]
struct StageJson {
    stage: Stage,
    stage_bit: Option<Stage>,
    #[serde(default)]
    reads_array_length: MaybeKnown,
    #[serde(default)]
    uses_global_memory: bool,
    #[serde(default)]
    draw_index: bool,
    #[serde(default)]
    multiview: bool,
    #[serde(default)]
    dispatch_base: bool,
    #[serde(default)]
    transform_feedback: bool,
    #[serde(default)]
    isolines: bool,
    #[serde(default)]
    bindings: Vec<BindingJson>,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(Deserialize)]
struct BindingJson {
    binding: u32,
    #[serde(rename = "type")]
    ty: DescriptorType,
    #[serde(default = "one_descriptor")]
    count: Option<u32>,
    #[serde(default)]
    runtime_array: bool,
    #[serde(default)]
    access: Access,
    #[serde(default = "yes")]
    used: bool,
    reads_length: Option<bool>,
    #[serde(default)]
    texel_atomics: bool,
    #[serde(default)]
    aliased_array: bool,
    #[serde(default = "one")]
    planes: u32,
    #[serde(flatten)]
    extra: Extra,
}

/// A count that is left out is one; `null` is an array without an end.
fn one_descriptor() -> Option<u32> {
    Some(1)
}

fn yes() -> bool {
    true
}

/// `true`, `false` or `"unknown"`.
#[derive(Clone, Copy)]
struct MaybeKnown(Option<bool>);

impl Default for MaybeKnown {
    fn default() -> MaybeKnown {
        MaybeKnown(Some(false))
    }
}

impl<'de> Deserialize<'de> for MaybeKnown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MaybeKnown, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = MaybeKnown;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or \"unknown\"")
            }

            fn visit_bool<E>(self, known: bool) -> Result<MaybeKnown, E> {
                Ok(MaybeKnown(Some(known)))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<MaybeKnown, E> {
                match text {
                    "unknown" => Ok(MaybeKnown(None)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// What a program's JSON says of its driver, over its facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct DriverOverride {
    id: Option<DriverId>,
    version: Option<rx_vendor_fixes::Version>,
}

/// A program's JSON, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFile {
    /// The program.
    pub program: ProgramInterface,
    /// The preset or file that it names.
    pub facts: Option<String>,
    /// What it sets the switches to.
    pub switches: Config,
    /// Its budget.
    pub budget: Option<Budget>,
    /// Fields and switches that were not understood and change nothing.
    pub warnings: Vec<String>,
    driver: Option<DriverOverride>,
    limits: Option<Limits>,
}

impl ProgramFile {
    /// Reads a program's JSON.
    ///
    /// # Errors
    /// [`Error::ProgramJson`] with line and column, [`Error::Schema`], [`Error::Version`], and those of
    /// [`ProgramParts::build`].
    pub fn parse(text: &str) -> Result<ProgramFile, Error> {
        let program: Program =
            serde_json::from_str(text).map_err(|error| Error::ProgramJson { why: error.to_string() })?;
        if program.schema != 1 {
            return Err(Error::Schema { place: "program JSON".to_owned(), schema: program.schema });
        }
        let mut warnings = unknown_fields(&program);
        let (switches, switch_warnings) = rx_vendor_fixes::read(&program.switches);
        warnings.extend(switch_warnings.iter().map(ToString::to_string));
        let limits = program.limits.as_ref().map(|given| read_limits(given, &mut warnings)).transpose()?;
        Ok(ProgramFile {
            facts: program.facts.clone(),
            driver: program.driver.as_ref().map(read_driver).transpose()?,
            limits,
            switches,
            budget: program.budget,
            warnings,
            program: parts(program).build()?,
        })
    }

    /// Whether the file says anything of the device; else the live device is meant.
    pub fn names_device(&self) -> bool {
        self.facts.is_some() || self.driver.is_some() || self.limits.is_some()
    }

    /// The device that the file plans for: `named` (the command line's), else the facts that the file names, else
    /// `live` where the file [says nothing](Self::names_device) of a device, else one of which nothing is known. The
    /// file's driver and limits go over all of them.
    ///
    /// # Errors
    /// Those of [`DeviceFacts::open`].
    pub fn device(&self, named: Option<&DeviceFacts>, live: Option<&DeviceFacts>) -> Result<DeviceFacts, Error> {
        let mut facts = match (named, &self.facts, live) {
            (Some(named), _, _) => named.clone(),
            (None, Some(name), _) => DeviceFacts::open(name)?,
            (None, None, Some(live)) if !self.names_device() => live.clone(),
            (None, None, _) => DeviceFacts::unknown(),
        };
        if let Some(driver) = &self.driver {
            facts.set_driver(driver.id, driver.version);
        }
        if let Some(limits) = &self.limits {
            facts.limits = limits.or(&facts.limits);
            // A program that states how many it may push states that it may.
            if limits.max_push_descriptors.is_some_and(|limit| limit > 0) {
                facts.push_descriptors = Some(true);
            }
        }
        Ok(facts)
    }

    /// How to plan it: its own switches where it gives any, else the environment's; `budget` is the command line's.
    pub fn options(&self, facts: &DeviceFacts, environment: &Config, budget: Option<Budget>) -> PlanOptions {
        let mut config = environment.clone();
        config.take_fixes(&self.switches);
        config.policy = self.switches.policy.or(config.policy);
        let own = self.switches.budget.map(Budget::from);
        let environments = environment.budget.map(Budget::from);
        PlanOptions {
            fixes: PlanOptions::new(facts, &config).fixes,
            budget: budget.or(self.budget).or(own).or(environments).unwrap_or_default(),
            policy: config.policy.map(Policy::from).unwrap_or_default(),
        }
    }
}

fn parts(program: Program) -> ProgramParts {
    let stages: Vec<ProgramStage> = program.stages.into_iter().map(stage).collect();
    // A range may name a program stage or the bit under which it runs.
    let bit = |named: Stage| stages.iter().find(|own| own.stage == named).map_or(named, |own| own.stage_bit);
    ProgramParts {
        name: program.name,
        push_constants: program.push_constants.into_iter().map(bit).collect(),
        vertex_input: match program.vertex_input {
            None => VertexInput::Unknown,
            Some(VertexInputJson { highest_binding: None, .. }) => VertexInput::None,
            Some(VertexInputJson { highest_binding: Some(highest), translated_bindings: translated, .. }) => {
                VertexInput::Bindings { highest, translated }
            }
        },
        other_sets_in_argument_buffers: program.other_sets_in_argument_buffers,
        set_count: program.set_count,
        other_bindings: Vec::new(),
        stages,
    }
}

fn stage(json: StageJson) -> ProgramStage {
    ProgramStage {
        stage: json.stage,
        stage_bit: json.stage_bit.unwrap_or(json.stage),
        reads_array_length: json.reads_array_length.0,
        uses_global_memory: json.uses_global_memory,
        draw_index: json.draw_index,
        multiview: json.multiview,
        dispatch_base: json.dispatch_base,
        transform_feedback: json.transform_feedback,
        isolines: json.isolines,
        bindings: json.bindings.into_iter().map(binding).collect(),
    }
}

fn binding(json: BindingJson) -> StageBinding {
    StageBinding {
        binding: json.binding,
        ty: json.ty,
        count: json.count.filter(|_| !json.runtime_array),
        access: json.access,
        used: json.used,
        reads_length: json.reads_length,
        texel_atomics: json.texel_atomics,
        aliased_array: json.aliased_array,
        planes: json.planes,
    }
}

fn read_driver(driver: &Driver) -> Result<DriverOverride, Error> {
    Ok(DriverOverride { id: driver.id.map(DriverId), version: parse_version(driver.version.as_deref())? })
}

/// Limits that rx knows; of others a warning, since a program may carry a whole report.
fn read_limits(given: &BTreeMap<String, serde_json::Value>, warnings: &mut Vec<String>) -> Result<Limits, Error> {
    let (known, other): (Vec<_>, Vec<_>) = given.iter().partition(|(name, _)| Limits::has_field(name));
    warnings.extend(other.iter().map(|(name, _)| format!("limits: {name} is not a limit that rx checks")));
    let object: serde_json::Map<_, _> = known.into_iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    serde_json::from_value(object.into()).map_err(|error| Error::ProgramJson { why: format!("limits: {error}") })
}

fn unknown_fields(program: &Program) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut warn = |place: &str, extra: &Extra| {
        warnings.extend(extra.keys().map(|name| format!("{place}{name} is not a field of a program, and ignored")));
    };
    warn("", &program.extra);
    program.driver.iter().for_each(|driver| warn("driver: ", &driver.extra));
    program.vertex_input.iter().for_each(|input| warn("vertex_input: ", &input.extra));
    for stage in &program.stages {
        warn(&format!("{}: ", stage.stage.name()), &stage.extra);
        for own in &stage.bindings {
            warn(&format!("{}: binding {}: ", stage.stage.name(), own.binding), &own.extra);
        }
    }
    warnings
}

/// A count against its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedOfLimit {
    /// Slots that the program takes.
    pub used: u32,
    /// Slots that it may take; `null` where no rule limits it.
    pub limit: Option<i32>,
}

/// One stage bit's use of Metal's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageAnswer {
    /// Stage bit.
    pub stage_bit: Stage,
    /// Buffers of the set and the push constants' buffer.
    pub buffers: UsedOfLimit,
    /// Textures.
    pub textures: UsedOfLimit,
    /// Samplers.
    pub samplers: UsedOfLimit,
    /// Textures that are both read and written, of the program stage that has most.
    pub read_write_textures: UsedOfLimit,
}

impl StageAnswer {
    fn new(stage: &StageUsage) -> StageAnswer {
        let of = |table| {
            let own = stage.table(table);
            UsedOfLimit { used: own.used, limit: own.limit }
        };
        StageAnswer {
            stage_bit: stage.stage_bit,
            buffers: of(Table::Buffers),
            textures: of(Table::Textures),
            samplers: of(Table::Samplers),
            read_write_textures: of(Table::ReadWriteTextures),
        }
    }
}

/// A plan as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// 1.
    pub schema: u32,
    /// The program's name.
    pub name: String,
    /// Driver; `null` where it is not known.
    pub driver_id: Option<u32>,
    /// Budget that decided.
    pub budget: Budget,
    /// Decision.
    pub decision: Decision,
    /// Reason; `null` where the program is pushed or has no binding.
    pub reason: Option<Reason>,
    /// Code of a reason that is an error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    /// Whether the exact model would have pushed.
    pub exact_would_push: bool,
    /// `VkDescriptorSetLayoutCreateFlags`.
    pub layout_flags: u32,
    /// `VkDescriptorPoolCreateFlags`.
    pub pool_flags: u32,
    /// Whether a stage decided it whose code has not been read.
    pub decided_before_code: bool,
    /// Uses by stage bit, in pipeline order.
    pub stages: Vec<StageAnswer>,
    /// The arithmetic in words.
    pub explanation: String,
}

impl Answer {
    /// The answer of a plan.
    pub fn new(program: &ProgramInterface, facts: &DeviceFacts, plan: &LayoutPlan) -> Answer {
        Answer {
            schema: 1,
            name: program.name().to_owned(),
            driver_id: facts.driver_id.map(|id| id.0),
            budget: plan.budget,
            decision: plan.decision,
            reason: plan.reason(),
            code: plan.reason().and_then(Reason::code).map(|code| code.to_string()),
            exact_would_push: plan.exact_would_push,
            layout_flags: plan.layout_flags.as_raw(),
            pool_flags: plan.pool_flags.as_raw(),
            decided_before_code: plan.decided_before_code,
            stages: plan.stages().iter().map(StageAnswer::new).collect(),
            explanation: explanation(plan),
        }
    }

    /// The answer as JSON, in the order of its fields.
    pub fn to_json(&self) -> serde_json::Value {
        // Plain structs of numbers and strings: there is no value of them that JSON cannot hold.
        serde_json::to_value(self).unwrap_or_default()
    }
}
