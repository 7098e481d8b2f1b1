//! Programs translated and planned without a device.

use std::ffi::{CString, c_char};

use ::rx_renderer::translate::Options;
use ::rx_renderer::vendor_fixes::Config;
use ::rx_renderer::vk::PlanOptions;
use ::rx_renderer::vk::layout::{Answer, Decision, SetPlan};
use ::rx_renderer::{TranslatedProgram, VertexInput};

use crate::facts::{rx_facts, rx_switches};
use crate::reflect::past;
use crate::result::{Failure, c_string, check_version, guard, guard_or, rx_result};
use crate::shader::{rx_shader, rx_translate_options, rx_translation, sources};

/// A program's translated stages, on no device.
pub struct rx_translated {
    pub(crate) program: TranslatedProgram,
    stages: Vec<rx_translation>,
}

/// Vertex buffers that a program is drawn with; the planner counts them on MoltenVK.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_vertex_input {
    /// What is known.
    pub known: rx_vertex_input_known,
    /// With RX_VERTEX_INPUT_BINDINGS: the highest number of a vertex buffer.
    pub highest_binding: u32,
    /// Attributes with an offset whose end is past their stride.
    pub translated_bindings: u32,
}

/// What is known of a program's vertex buffers.
pub type rx_vertex_input_known = u32;
/// Nothing.
pub const RX_VERTEX_INPUT_UNKNOWN: rx_vertex_input_known = 0;
/// There are none.
pub const RX_VERTEX_INPUT_NONE: rx_vertex_input_known = 1;
/// There are some.
pub const RX_VERTEX_INPUT_BINDINGS: rx_vertex_input_known = 2;

impl rx_vertex_input {
    pub(crate) fn get(&self) -> Result<VertexInput, Failure> {
        Ok(match self.known {
            RX_VERTEX_INPUT_UNKNOWN => VertexInput::Unknown,
            RX_VERTEX_INPUT_NONE => VertexInput::None,
            RX_VERTEX_INPUT_BINDINGS => {
                VertexInput::Bindings { highest: self.highest_binding, translated: self.translated_bindings }
            }
            other => return Err(Failure::value("known", other)),
        })
    }
}

/// What a set's layout is to be.
pub type rx_decision = u32;
/// The program has no resources: there is no layout.
pub const RX_DECISION_NONE: rx_decision = 0;
/// Descriptors are pushed.
pub const RX_DECISION_PUSH: rx_decision = 1;
/// Descriptors stand in a set that is bound.
pub const RX_DECISION_SET: rx_decision = 2;
/// The device cannot have the program.
pub const RX_DECISION_ERROR: rx_decision = 3;

/// A program's sets, planned for a device.
pub struct rx_plan {
    sets: Vec<Planned>,
}

struct Planned {
    own: SetPlan,
    line: CString,
    json: CString,
    error: Option<(u32, CString)>,
}

/// One planned set.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_set_plan {
    /// Set number.
    pub set: u32,
    /// Decision.
    pub decision: rx_decision,
    /// One line for a log.
    pub line: *const c_char,
    /// The plan as `rx plan --json` prints it.
    pub json: *const c_char,
    /// With RX_DECISION_ERROR: what the matter is, else NULL.
    pub error: *const c_char,
    /// With RX_DECISION_ERROR: the number of its code.
    pub error_code: u32,
    /// VkDescriptorSetLayoutCreateFlags.
    pub layout_flags: u32,
    /// VkDescriptorPoolCreateFlags of the set's pools.
    pub pool_flags: u32,
    /// Bindings of the layout: rx_plan_binding.
    pub binding_count: usize,
}

/// One binding of a layout.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_layout_binding {
    /// Binding.
    pub binding: u32,
    /// VkDescriptorType.
    pub descriptor_type: u32,
    /// Descriptors; 0 is an array without an end.
    pub count: u32,
    /// VkShaderStageFlags.
    pub stages: u32,
}

/// Translates a program's stages: a stage's bindings begin where the one before ends. `options` and `vertex_input` may be
/// NULL.
///
/// As rx_translate; the message says which stage.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translated_create(
    api_version: u32,
    name: *const c_char,
    shaders: *const rx_shader,
    shader_count: usize,
    options: *const rx_translate_options,
    vertex_input: *const rx_vertex_input,
    out: *mut *mut rx_translated,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let stages = sources(array!(shaders, shader_count))?;
        let options = arg_or_zeros!(options).over(&Options::default())?;
        let vertex_input = arg_or_zeros!(vertex_input).get()?;
        let name = text_or_none!(name).unwrap_or("program");
        let program = TranslatedProgram::translate(name, stages, &options)?.with_vertex_input(vertex_input);
        let stages = program.stages().iter().cloned().map(rx_translation::new).collect();
        Ok(rx_translated { program, stages })
    })
}

/// A stage, by number from 0, lent: it lives as long as the program. NULL past the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translated_stage(translated: *const rx_translated, index: usize) -> *const rx_translation {
    guard_or(std::ptr::null(), || {
        Ok(arg!(translated).stages.get(index).map_or(std::ptr::null(), |own| &raw const *own))
    })
}

/// Destroys a translated program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translated_destroy(translated: *mut rx_translated) {
    destroy!(translated);
}

/// Plans the sets of a program for a device that need not be here. `switches` may be NULL. A device that cannot have the
/// program is no error here but a plan that says so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_plan_create(
    translated: *const rx_translated,
    facts: *const rx_facts,
    switches: *const rx_switches,
    out: *mut *mut rx_plan,
) -> rx_result {
    create!(out, {
        let (translated, facts) = (arg!(translated), &arg!(facts).facts);
        let none = Config::default();
        let config = arg_or_none!(switches).map_or(&none, |own| &own.config);
        let sets = translated.program.plan(facts, &PlanOptions::new(facts, config))?;
        let planned = |own: SetPlan| Planned {
            line: c_string(&own.line()),
            json: c_string(&Answer::new(&own.program, facts, &own.plan).to_json().to_string()),
            error: own.error().map(|error| (u32::from(error.code().0), c_string(&error.to_string()))),
            own,
        };
        Ok(rx_plan { sets: sets.into_iter().map(planned).collect() })
    })
}

/// The number of planned sets: 1 at least. 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_plan_set_count(plan: *const rx_plan) -> usize {
    guard_or(0, || Ok(arg!(plan).sets.len()))
}

/// A planned set, by number from 0 in their order; `set` in it is its number in the shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_plan_set(plan: *const rx_plan, index: usize, out: *mut rx_set_plan) -> rx_result {
    guard(|| {
        let planned = arg!(plan).sets.get(index).ok_or_else(|| past(index, "sets"))?;
        let plan = &planned.own.plan;
        let set = rx_set_plan {
            set: planned.own.set,
            decision: match plan.decision {
                Decision::None => RX_DECISION_NONE,
                Decision::Push => RX_DECISION_PUSH,
                Decision::Set => RX_DECISION_SET,
                Decision::Error => RX_DECISION_ERROR,
            },
            line: planned.line.as_ptr(),
            json: planned.json.as_ptr(),
            error: planned.error.as_ref().map_or(std::ptr::null(), |(_, text)| text.as_ptr()),
            error_code: planned.error.as_ref().map_or(0, |(code, _)| *code),
            layout_flags: plan.layout_flags.as_raw(),
            pool_flags: plan.pool_flags.as_raw(),
            binding_count: plan.set_layout(&planned.own.program).map_or(0, |layout| layout.bindings.len()),
        };
        put!(out, set);
        Ok(())
    })
}

/// A binding of a planned set's layout, both by number from 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_plan_binding(
    plan: *const rx_plan,
    set_index: usize,
    index: usize,
    out: *mut rx_layout_binding,
) -> rx_result {
    guard(|| {
        let planned = arg!(plan).sets.get(set_index).ok_or_else(|| past(set_index, "sets"))?;
        let layout = planned.own.plan.set_layout(&planned.own.program);
        let binding = layout.and_then(|layout| layout.bindings.get(index)).ok_or_else(|| past(index, "bindings"))?;
        let raw = binding.vulkan(0);
        let binding = rx_layout_binding {
            binding: raw.binding,
            descriptor_type: raw.descriptor_type.as_raw().unsigned_abs(),
            count: raw.descriptor_count,
            stages: raw.stage_flags.as_raw(),
        };
        put!(out, binding);
        Ok(())
    })
}

/// Destroys a plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_plan_destroy(plan: *mut rx_plan) {
    destroy!(plan);
}
