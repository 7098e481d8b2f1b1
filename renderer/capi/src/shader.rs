//! Shaders in: sources, options of a translation, and one shader translated.

use std::ffi::{CString, c_char, c_void};

use ::rx_renderer::StageSource;
use ::rx_renderer::translate::bindings::{BindingModel, BindingRule};
use ::rx_renderer::translate::dxbc;
use ::rx_renderer::translate::interface::{ResourceClass, Stage};
use ::rx_renderer::translate::{
    BufferLengths, BufferOffsets, Options, Robustness, RobustnessByClass, Source, StreamOutput, StreamOutputEntry,
    Target, Translation, Translator,
};
use ::rx_renderer::vendor_fixes::{Config, ResolvedFixes};
use ::rx_renderer::vk;

use crate::facts::{rx_facts, rx_switches};
use crate::result::{Failure, c_string, check_version, guard_or, rx_result};

/// False is 0, and true anything else.
pub type rx_bool = u32;

/// What a shader is written in.
pub type rx_source = u32;
/// By its first bytes: a DXBC container, or SPIR-V.
pub const RX_SOURCE_AUTO: rx_source = 0;
/// Direct3D bytecode in its container, shader model 4.0 to 5.1.
pub const RX_SOURCE_DXBC: rx_source = 1;
/// WGSL.
pub const RX_SOURCE_WGSL: rx_source = 2;
/// GLSL of the stage that `stage` says: vertex, fragment or compute.
pub const RX_SOURCE_GLSL: rx_source = 3;
/// SPIR-V, of either byte order.
pub const RX_SOURCE_SPIRV: rx_source = 4;

/// A shader stage.
pub type rx_stage = u32;
/// Not said.
pub const RX_STAGE_NONE: rx_stage = 0;
/// Vertex shader.
pub const RX_STAGE_VERTEX: rx_stage = 1;
/// Hull shader.
pub const RX_STAGE_TESSELLATION_CONTROL: rx_stage = 2;
/// Domain shader.
pub const RX_STAGE_TESSELLATION_EVALUATION: rx_stage = 3;
/// Geometry shader.
pub const RX_STAGE_GEOMETRY: rx_stage = 4;
/// Pixel shader.
pub const RX_STAGE_FRAGMENT: rx_stage = 5;
/// Compute shader.
pub const RX_STAGE_COMPUTE: rx_stage = 6;
/// Task shader.
pub const RX_STAGE_TASK: rx_stage = 7;
/// Mesh shader.
pub const RX_STAGE_MESH: rx_stage = 8;

/// Direct3D's class of a resource; for other sources the class that it would have.
pub type rx_resource_class = u32;
/// Constant buffer: `b` registers.
pub const RX_CLASS_CBV: rx_resource_class = 0;
/// Shader resource: `t` registers.
pub const RX_CLASS_SRV: rx_resource_class = 1;
/// Unordered access view: `u` registers.
pub const RX_CLASS_UAV: rx_resource_class = 2;
/// The hidden counter of an append, consume or counter UAV.
pub const RX_CLASS_UAV_COUNTER: rx_resource_class = 3;
/// Sampler: `s` registers.
pub const RX_CLASS_SAMPLER: rx_resource_class = 4;

/// What SPIR-V is written for.
pub type rx_target = u32;
/// The facts' or the renderer's own, else Vulkan 1.3.
pub const RX_TARGET_DEFAULT: rx_target = 0;
/// Vulkan 1.1: SPIR-V 1.3.
pub const RX_TARGET_VULKAN_1_1: rx_target = 1;
/// Vulkan 1.2: SPIR-V 1.5.
pub const RX_TARGET_VULKAN_1_2: rx_target = 2;
/// Vulkan 1.3: SPIR-V 1.6.
pub const RX_TARGET_VULKAN_1_3: rx_target = 3;

/// Who keeps an access inside its resource.
pub type rx_robustness = u32;
/// As the facts or the renderer's device need it, else the device.
pub const RX_ROBUSTNESS_DEFAULT: rx_robustness = 0;
/// The device.
pub const RX_ROBUSTNESS_DEVICE: rx_robustness = 1;
/// The shader.
pub const RX_ROBUSTNESS_EXPLICIT: rx_robustness = 2;
/// Nobody: for shaders that are trusted.
pub const RX_ROBUSTNESS_OFF: rx_robustness = 3;

/// One shader.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_shader {
    /// Its bytes; a text without a zero at its end.
    pub data: *const c_void,
    /// Their number.
    pub size: usize,
    /// What they are.
    pub source: rx_source,
    /// Stage of GLSL.
    pub stage: rx_stage,
    /// Entry point of a WGSL or SPIR-V module; NULL takes the only one.
    pub entry: *const c_char,
}

/// A rule of bindings: registers of one class and space, in some stages, to bindings that follow one another.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_binding_rule {
    /// Class of the registers.
    pub resource_class: rx_resource_class,
    /// Register space.
    pub space: u32,
    /// First register.
    pub first_register: u32,
    /// Registers; 0 is all that follow.
    pub count: u32,
    /// Stages, a bit `1 << RX_STAGE_*` each; 0 is all.
    pub stages: u32,
    /// Descriptor set.
    pub set: u32,
    /// Binding of the first register.
    pub binding: u32,
}

/// Components that are streamed out: D3D11_SO_DECLARATION_ENTRY.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_stream_entry {
    /// Semantic; NULL is a gap.
    pub semantic: *const c_char,
    /// Semantic index.
    pub index: u32,
    /// Geometry stream, 0 to 3.
    pub stream: u32,
    /// First component, counted from the element's first.
    pub first_component: u32,
    /// Components, 1 to 4; of a gap any number to 255.
    pub components: u32,
    /// Buffer, 0 to 3.
    pub buffer: u32,
}

/// How shaders are translated. All zeros: sequential bindings from set 0, binding 0; for the device where there is one, else
/// for Vulkan 1.3 with every feature that rx can use.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_translate_options {
    /// The device to translate for; NULL for the renderer's own, or for no particular one.
    pub facts: *const rx_facts,
    /// Switches that say what of a device's fixes is on, beside `facts`; NULL is none.
    pub switches: *const rx_switches,
    /// Vulkan version.
    pub target: rx_target,
    /// Who keeps accesses in range, of every class of resource.
    pub robustness: rx_robustness,
    /// Lengths of storage buffers come in push constants, not by OpArrayLength.
    pub lengths_in_push_constants: rx_bool,
    /// Offsets of storage buffers' views, in elements, come in push constants.
    pub offsets_in_push_constants: rx_bool,
    /// Descriptor set, where there are no rules.
    pub set: u32,
    /// First binding, where there are no rules.
    pub first_binding: u32,
    /// Rules of bindings; the first that matches decides, and a register that none matches is refused.
    pub rules: *const rx_binding_rule,
    /// Their number; 0 is sequential bindings.
    pub rule_count: usize,
    /// What the last stage before the rasteriser streams out.
    pub stream_entries: *const rx_stream_entry,
    /// Their number.
    pub stream_entry_count: usize,
    /// Bytes from one vertex to the next in each buffer; 0 takes what the entries come to.
    pub stream_strides: [u32; 4],
    /// Stream that is rasterised, 0 to 3.
    pub rasterized_stream: u32,
    /// The pipeline blends with two sources: SV_Target1 is the second.
    pub dual_source: rx_bool,
    /// Names from reflection data are written.
    pub names: rx_bool,
    /// What would be adapted is refused.
    pub strict: rx_bool,
    /// A container's checksum is checked.
    pub verify_checksum: rx_bool,
}

/// One translated shader: words, what it declares and uses, and where it differs from Direct3D.
pub struct rx_translation {
    pub(crate) own: Translation,
    pub(crate) entry_point: CString,
    /// Names of resources, semantics of inputs, outputs and patch constants.
    pub(crate) names: [Vec<CString>; 4],
}

impl rx_translation {
    pub(crate) fn new(own: Translation) -> rx_translation {
        let interface = &own.interface;
        let semantics = [&interface.inputs, &interface.outputs, &interface.patch_constants]
            .map(|elements| elements.iter().map(|element| c_string(&element.semantic)).collect());
        let [inputs, outputs, constants] = semantics;
        let resources = interface.resources.iter().map(|resource| c_string(&resource.name)).collect();
        let entry_point = c_string(&interface.entry_point);
        rx_translation { entry_point, names: [resources, inputs, outputs, constants], own }
    }
}

impl rx_shader {
    /// The shader as the translator takes it; what it points to lives as long as the caller's memory.
    pub(crate) fn source<'a>(&self) -> Result<StageSource<'a>, Failure> {
        let bytes: &'a [u8] = bytes!(self.data, self.size);
        let text = || {
            let why = |error: std::str::Utf8Error| format!("not UTF-8 from byte {} on", error.valid_up_to());
            std::str::from_utf8(bytes).map_err(|error| Failure::value("data", why(error)))
        };
        let source = match self.source {
            RX_SOURCE_AUTO => match bytes.get(..4) {
                _ if dxbc::is_direct3d(bytes) => Source::Dxbc(bytes),
                Some([0x03, 0x02, 0x23, 0x07] | [0x07, 0x23, 0x02, 0x03]) => Source::Spirv(bytes),
                _ => {
                    return Err(Failure::value("shader", "neither DXBC nor SPIR-V by its first bytes; say its source"));
                }
            },
            RX_SOURCE_DXBC => Source::Dxbc(bytes),
            RX_SOURCE_WGSL => Source::Wgsl(text()?),
            RX_SOURCE_GLSL => Source::Glsl(text()?, stage(self.stage)?),
            RX_SOURCE_SPIRV => Source::Spirv(bytes),
            other => return Err(Failure::value("source", other)),
        };
        Ok(StageSource { source, entry: text_or_none!(self.entry) })
    }
}

/// The shaders of a program.
pub(crate) fn sources<'a>(shaders: &[rx_shader]) -> Result<Vec<StageSource<'a>>, Failure> {
    shaders.iter().map(rx_shader::source).collect()
}

pub(crate) fn stage(number: rx_stage) -> Result<Stage, Failure> {
    Ok(match number {
        RX_STAGE_VERTEX => Stage::Vertex,
        RX_STAGE_TESSELLATION_CONTROL => Stage::TessellationControl,
        RX_STAGE_TESSELLATION_EVALUATION => Stage::TessellationEvaluation,
        RX_STAGE_GEOMETRY => Stage::Geometry,
        RX_STAGE_FRAGMENT => Stage::Fragment,
        RX_STAGE_COMPUTE => Stage::Compute,
        RX_STAGE_TASK => Stage::Task,
        RX_STAGE_MESH => Stage::Mesh,
        other => return Err(Failure::value("stage", other)),
    })
}

pub(crate) fn stage_number(stage: Stage) -> rx_stage {
    match stage {
        Stage::Vertex => RX_STAGE_VERTEX,
        Stage::TessellationControl => RX_STAGE_TESSELLATION_CONTROL,
        Stage::TessellationEvaluation => RX_STAGE_TESSELLATION_EVALUATION,
        Stage::Geometry => RX_STAGE_GEOMETRY,
        Stage::Fragment => RX_STAGE_FRAGMENT,
        Stage::Compute => RX_STAGE_COMPUTE,
        Stage::Task => RX_STAGE_TASK,
        Stage::Mesh => RX_STAGE_MESH,
    }
}

pub(crate) fn class(number: rx_resource_class) -> Result<ResourceClass, Failure> {
    Ok(match number {
        RX_CLASS_CBV => ResourceClass::Cbv,
        RX_CLASS_SRV => ResourceClass::Srv,
        RX_CLASS_UAV => ResourceClass::Uav,
        RX_CLASS_UAV_COUNTER => ResourceClass::UavCounter,
        RX_CLASS_SAMPLER => ResourceClass::Sampler,
        other => return Err(Failure::value("resource_class", other)),
    })
}

fn rule(own: &rx_binding_rule) -> Result<BindingRule, Failure> {
    let stages = (RX_STAGE_VERTEX..=RX_STAGE_MESH).filter(|stage| own.stages >> stage & 1 == 1);
    if own.stages & !0x1fe != 0 {
        return Err(Failure::value("stages", format!("{:#x} has bits of no stage", own.stages)));
    }
    Ok(BindingRule {
        class: class(own.resource_class)?,
        space: own.space,
        first_register: own.first_register,
        count: (own.count != 0).then_some(own.count),
        stages: stages.map(stage).collect::<Result<_, _>>()?,
        set: own.set,
        binding: own.binding,
    })
}

fn small(value: u32, most: u8, what: &str) -> Result<u8, Failure> {
    let fits = u8::try_from(value).ok().filter(|&small| small <= most);
    fits.ok_or_else(|| Failure::value(what, format!("{value}; up to {most}")))
}

fn stream_entry(own: &rx_stream_entry) -> Result<StreamOutputEntry, Failure> {
    let semantic = text_or_none!(own.semantic).map(str::to_owned);
    Ok(StreamOutputEntry {
        stream: small(own.stream, 3, "stream")?,
        index: own.index,
        first_component: small(own.first_component, 3, "first_component")?,
        components: small(own.components, if semantic.is_some() { 4 } else { u8::MAX }, "components")?,
        buffer: small(own.buffer, 3, "buffer")?,
        semantic,
    })
}

impl rx_translate_options {
    /// The options over those that are taken where nothing is said.
    pub(crate) fn over(&self, base: &Options) -> Result<Options, Failure> {
        let mut options = base.clone();
        if let Some(facts) = arg_or_none!(self.facts) {
            let none = Config::default();
            let config = arg_or_none!(self.switches).map_or(&none, |own| &own.config);
            options.profile = vk::profile(&facts.facts, &ResolvedFixes::of(&facts.facts.identity(), config));
        }
        let profile = &mut options.profile;
        profile.target = match self.target {
            RX_TARGET_DEFAULT => profile.target,
            RX_TARGET_VULKAN_1_1 => Target::Vulkan11,
            RX_TARGET_VULKAN_1_2 => Target::Vulkan12,
            RX_TARGET_VULKAN_1_3 => Target::Vulkan13,
            other => return Err(Failure::value("target", other)),
        };
        profile.robustness = match self.robustness {
            RX_ROBUSTNESS_DEFAULT => profile.robustness,
            RX_ROBUSTNESS_DEVICE => RobustnessByClass::all(Robustness::Device),
            RX_ROBUSTNESS_EXPLICIT => RobustnessByClass::all(Robustness::Explicit),
            RX_ROBUSTNESS_OFF => RobustnessByClass::all(Robustness::Off),
            other => return Err(Failure::value("robustness", other)),
        };
        if self.lengths_in_push_constants != 0 {
            profile.buffer_lengths = BufferLengths::PushConstants;
        }
        if self.offsets_in_push_constants != 0 {
            profile.buffer_offsets = BufferOffsets::PushConstants;
        }
        let rules = array!(self.rules, self.rule_count);
        options.bindings = if rules.is_empty() {
            BindingModel::Sequential { set: self.set, first_binding: self.first_binding }
        } else {
            BindingModel::Rules(rules.iter().map(rule).collect::<Result<_, _>>()?)
        };
        let entries = array!(self.stream_entries, self.stream_entry_count);
        options.stream_output = StreamOutput {
            entries: entries.iter().map(stream_entry).collect::<Result<_, _>>()?,
            strides: self.stream_strides,
            rasterized_stream: small(self.rasterized_stream, 3, "rasterized_stream")?,
        };
        options.dual_source = self.dual_source != 0;
        options.names = self.names != 0;
        options.strict = self.strict != 0;
        options.verify_checksum = self.verify_checksum != 0;
        Ok(options)
    }
}

/// Translates one shader; needs no device. `options` may be NULL.
///
/// RX_ERROR_MALFORMED: the bytes are not what they say they are. RX_ERROR_REFUSED: valid, and rx or the target cannot take
/// it. The message names the instruction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translate(
    api_version: u32,
    shader: *const rx_shader,
    options: *const rx_translate_options,
    out: *mut *mut rx_translation,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let stage = arg!(shader).source()?;
        let mut options = arg_or_zeros!(options).over(&Options::default())?;
        options.entry = stage.entry.map(str::to_owned);
        let mut translation = Translator::new(options).translate(stage.source)?;
        translation.note_checksum(stage.source);
        Ok(rx_translation::new(translation))
    })
}

/// The words of the module, for vkCreateShaderModule, and their number. NULL and 0 of NULL; `word_count` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_words(
    translation: *const rx_translation,
    word_count: *mut usize,
) -> *const u32 {
    guard_or(std::ptr::null(), || {
        put_if_wanted!(word_count, 0);
        let words = &arg!(translation).own.spirv;
        put_if_wanted!(word_count, words.len());
        Ok(words.as_ptr())
    })
}

/// Destroys a translation; not one that a translated program has lent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_translation_destroy(translation: *mut rx_translation) {
    destroy!(translation);
}
