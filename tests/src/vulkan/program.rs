//! From containers to shader modules and a pipeline layout.

use super::descriptors::{self, Descriptors, Ranges};
use super::{Device, Registers, Result, failed};
use crate::optimizer::optimize;
use ash::vk;
use rx_translate::bindings::BindingModel;
use rx_translate::interface::{self, StageInterface};
use rx_translate::{
    BufferLengths, BufferOffsets, ConstantLengths, Features, Options, Profile, Robustness, RobustnessByClass, Source,
    StreamOutput, Translation, TranslationFixes, Translator,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// First bytes of a SPIR-V module.
const SPIRV_MAGIC: [u8; 4] = 0x0723_0203_u32.to_le_bytes();

/// A stage: its container, and what it finds at its registers.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The container; or SPIR-V, for stages that only feed or catch the one that is tested.
    pub code: &'a [u8],
    /// Its registers.
    pub registers: &'a Registers<'a>,
}

/// Translations by container, first binding and first push constant.
type Made = HashMap<(Vec<u8>, u32, u32), Rc<Translation>>;

/// Translations under one profile, each made once.
pub struct Translations {
    device: &'static Device,
    profile: Profile,
    stream_output: StreamOutput,
    dual_source: bool,
    optimized: bool,
    made: RefCell<Made>,
}

impl Translations {
    /// For a device, with these robustness choices.
    pub fn new(device: &'static Device, robustness: RobustnessByClass) -> Self {
        let stream_output = StreamOutput::default();
        let profile = device.profile(robustness);
        let (dual_source, optimized) = (false, false);
        Translations { device, profile, stream_output, dual_source, optimized, made: RefCell::default() }
    }

    /// With what a driver may ask to be written otherwise.
    pub fn with_fixes(mut self, fixes: TranslationFixes) -> Self {
        self.profile.fixes = fixes;
        self
    }

    /// The same without statuses of sparse resources: as for a device that has none, everything is there.
    pub fn without_residency(&self) -> Self {
        let mut profile = self.profile;
        profile.features.residency = false;
        self.copy(profile, self.stream_output.clone())
    }

    /// The same, streaming out.
    pub fn with_stream_output(&self, stream_output: StreamOutput) -> Self {
        self.copy(self.profile, stream_output)
    }

    /// The same for points: Vulkan wants their size from the shader.
    pub fn for_points(&self) -> Self {
        let mut profile = self.profile;
        profile.fixes.point_size = true;
        self.copy(profile, self.stream_output.clone())
    }

    fn copy(&self, profile: Profile, stream_output: StreamOutput) -> Self {
        let Translations { device, dual_source, optimized, .. } = *self;
        Translations { device, profile, stream_output, dual_source, optimized, made: RefCell::default() }
    }

    /// Blending two sources: the first one is added to the target times the second one.
    pub fn with_dual_source(mut self) -> Self {
        self.dual_source = true;
        self
    }

    /// Sends every module through the passes of `spirv-opt -O` before the driver gets it. No result may change.
    pub fn optimized(mut self) -> Self {
        self.optimized = true;
        self
    }

    /// With the lengths of buffers in push constants. A descriptor then covers more than the buffer, so that a guard
    /// that fails shows.
    pub fn with_pushed_lengths(mut self) -> Self {
        self.profile.buffer_lengths = BufferLengths::PushConstants;
        self
    }

    /// With the lengths of constant buffers in push constants, likewise.
    pub fn with_pushed_constant_lengths(mut self) -> Self {
        self.profile.constant_lengths = ConstantLengths::PushConstants;
        self
    }

    /// With the offsets of buffers in push constants. A descriptor then begins before the buffer.
    pub fn with_pushed_offsets(mut self) -> Self {
        self.profile.buffer_offsets = BufferOffsets::PushConstants;
        self
    }

    /// The same without some of the device's features.
    pub fn with_features(mut self, features: Features) -> Self {
        self.profile.features = features;
        self
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The device.
    pub fn device(&self) -> &'static Device {
        self.device
    }

    /// What descriptors cover besides their buffers.
    pub(super) fn ranges(&self) -> Ranges {
        Ranges {
            wide: self.profile.buffer_lengths == BufferLengths::PushConstants,
            wide_constants: self.profile.constant_lengths == ConstantLengths::PushConstants
                && self.profile.robustness.uniform == Robustness::Explicit,
            early: self.profile.buffer_offsets == BufferOffsets::PushConstants,
        }
    }

    /// Translates one stage, its bindings from `first_binding` on.
    pub fn translate(&self, code: &[u8], first_binding: u32) -> Result<Rc<Translation>> {
        self.translate_after(code, first_binding, 0)
    }

    /// Translates one stage, its bindings and push constants from these on.
    pub fn translate_after(&self, code: &[u8], first_binding: u32, pushed: u32) -> Result<Rc<Translation>> {
        let key = (code.to_vec(), first_binding, pushed);
        if let Some(found) = self.made.borrow().get(&key) {
            return Ok(found.clone());
        }
        let bindings = BindingModel::Sequential { set: 0, first_binding };
        let stream_output = self.stream_output.clone();
        let options = Options {
            profile: self.profile,
            bindings,
            stream_output,
            push_constant_offset: pushed,
            dual_source: self.dual_source,
            ..Options::default()
        };
        let source = if code.starts_with(&SPIRV_MAGIC) { Source::Spirv(code) } else { Source::Dxbc(code) };
        let translated = catch_unwind(AssertUnwindSafe(|| Translator::new(options).translate(source)));
        let translated = translated.map_err(|panic| format!("the translator panicked: {}", text_of(&*panic)))?;
        let mut translation = translated.map_err(|e| format!("translation: {e}"))?;
        if self.optimized {
            translation.spirv = optimize(self.profile.target, &translation.spirv)?;
        }
        let translation = Rc::new(translation);
        self.made.borrow_mut().insert(key, translation.clone());
        Ok(translation)
    }
}

fn text_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// Stages with their modules, layout and descriptors: what a pipeline is made of.
pub(super) struct Program {
    device: &'static Device,
    /// Whether two sources are blended.
    pub dual_source: bool,
    stages: Vec<(Rc<Translation>, vk::ShaderModule, CString)>,
    pub layout: vk::PipelineLayout,
    pub descriptors: Descriptors,
    /// Push constants: each stage's own, where they begin, their bytes.
    push: Vec<(vk::ShaderStageFlags, u32, Vec<u8>)>,
}

impl Program {
    /// Translates the stages in pipeline order, the bindings of each after those of the one before.
    pub fn new(translations: &Translations, stages: &[Stage<'_>]) -> Result<Program> {
        let device = translations.device();
        if translations.dual_source && !device.enabled.dual_source {
            return Err("the device has no dualSrcBlend".to_owned());
        }
        let (mut first_binding, mut pushed) = (0, 0);
        let (mut made, mut push) = (Vec::new(), Vec::new());
        for stage in stages {
            let translation = translations.translate_after(stage.code, first_binding, pushed)?;
            let interface = &translation.interface;
            has_stage(device, interface.stage)?;
            if interface.push_constant_bytes > pushed {
                let bytes = descriptors::push_constants(device, interface, stage.registers, translations.ranges());
                push.push((stage_flag(interface.stage), pushed, bytes));
                pushed = interface.push_constant_bytes;
            }
            let in_set = translation.interface.resources.iter().filter(|r| r.set == 0);
            first_binding = in_set.map(|r| r.binding + 1).max().unwrap_or(0).max(first_binding);
            made.push(translation);
        }
        let interfaces: Vec<_> = made.iter().map(|t| &t.interface).zip(stages.iter().map(|s| s.registers)).collect();
        let descriptors = Descriptors::new(device, &interfaces, translations.ranges())?;
        let range = |(stage_flags, offset, bytes): &(vk::ShaderStageFlags, u32, Vec<u8>)| vk::PushConstantRange {
            stage_flags: *stage_flags,
            offset: *offset,
            size: bytes.len() as u32,
        };
        let ranges: Vec<_> = push.iter().map(range).collect();
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&descriptors.layouts).push_constant_ranges(&ranges);
        // SAFETY: the device and the set layouts are live.
        let layout =
            unsafe { device.raw.create_pipeline_layout(&info, None) }.map_err(failed("the pipeline layout"))?;
        let mut program =
            Program { device, dual_source: translations.dual_source, stages: Vec::new(), layout, descriptors, push };
        for translation in made {
            let info = vk::ShaderModuleCreateInfo::default().code(&translation.spirv);
            // SAFETY: the words are whole; the validation layers check them.
            let module = unsafe { device.raw.create_shader_module(&info, None) }.map_err(failed("a shader module"))?;
            let name = CString::new(translation.interface.entry_point.clone()).map_err(|e| e.to_string())?;
            program.stages.push((translation, module, name));
        }
        Ok(program)
    }

    /// The stages as a pipeline takes them, with their specialisation.
    pub fn stage_infos<'a>(&'a self, constants: &'a [Constants]) -> Vec<vk::PipelineShaderStageCreateInfo<'a>> {
        self.stages
            .iter()
            .zip(constants)
            .map(|((translation, module, name), constants)| {
                let info = vk::PipelineShaderStageCreateInfo::default()
                    .stage(stage_flag(translation.interface.stage))
                    .module(*module)
                    .name(name);
                if constants.entries.is_empty() { info } else { info.specialization_info(&constants.info) }
            })
            .collect()
    }

    /// The specialisation constants of each stage: the rasteriser's samples, and what stands in its class slots.
    pub fn constants(&self, samples: u32, stages: &[Stage<'_>]) -> Vec<Constants> {
        let interfaces = self.stages.iter().map(|(translation, ..)| &translation.interface).zip(stages);
        interfaces
            .map(|(interface, stage)| {
                let mut values: Vec<(u32, u32)> =
                    interface.rasterization_samples_id.into_iter().map(|id| (id, samples)).collect();
                for slot in &interface.class_slots {
                    let instance = stage.registers.instance(slot.slot);
                    values.extend((slot.first_id..).zip(instance));
                }
                Constants::new(&values)
            })
            .collect()
    }

    /// The interface of a stage, where the program has it.
    pub fn interface(&self, stage: interface::Stage) -> Option<&StageInterface> {
        self.stages.iter().map(|(t, ..)| &t.interface).find(|i| i.stage == stage)
    }

    /// Binds everything but the pipeline itself.
    pub fn bind(&self, raw: &ash::Device, commands: vk::CommandBuffer, point: vk::PipelineBindPoint) {
        // SAFETY: the command buffer is being recorded; layout and sets belong together.
        unsafe {
            if !self.descriptors.sets.is_empty() {
                raw.cmd_bind_descriptor_sets(commands, point, self.layout, 0, &self.descriptors.sets, &[]);
            }
            for (stages, offset, bytes) in &self.push {
                raw.cmd_push_constants(commands, self.layout, *stages, *offset, bytes);
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: every submission has been waited for.
        unsafe {
            for (_, module, _) in &self.stages {
                self.device.raw.destroy_shader_module(*module, None);
            }
            self.device.raw.destroy_pipeline_layout(self.layout, None);
        }
    }
}

/// Fails if the device lacks a stage.
fn has_stage(device: &Device, stage: interface::Stage) -> Result<()> {
    use interface::Stage;
    let lacks = match stage {
        Stage::Geometry if !device.enabled.geometry => "geometryShader",
        Stage::TessellationControl | Stage::TessellationEvaluation if !device.enabled.tessellation => {
            "tessellationShader"
        }
        _ => return Ok(()),
    };
    Err(format!("the device has no {lacks}"))
}

/// Specialisation constants of a stage.
pub(super) struct Constants {
    info: vk::SpecializationInfo<'static>,
    // What `info` points to: vectors keep their elements in place when they move.
    entries: Vec<vk::SpecializationMapEntry>,
    _values: Vec<u32>,
}

impl Constants {
    fn new(values: &[(u32, u32)]) -> Constants {
        let entry = |(n, (id, _)): (usize, &(u32, u32))| vk::SpecializationMapEntry {
            constant_id: *id,
            offset: n as u32 * 4,
            size: 4,
        };
        let entries: Vec<_> = values.iter().enumerate().map(entry).collect();
        let values: Vec<u32> = values.iter().map(|(_, value)| *value).collect();
        let info = vk::SpecializationInfo {
            map_entry_count: entries.len() as u32,
            p_map_entries: entries.as_ptr(),
            data_size: values.len() * 4,
            p_data: values.as_ptr().cast(),
            ..Default::default()
        };
        Constants { info, entries, _values: values }
    }
}

pub(super) fn stage_flag(stage: interface::Stage) -> vk::ShaderStageFlags {
    match stage {
        interface::Stage::Vertex => vk::ShaderStageFlags::VERTEX,
        interface::Stage::TessellationControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        interface::Stage::TessellationEvaluation => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        interface::Stage::Geometry => vk::ShaderStageFlags::GEOMETRY,
        interface::Stage::Fragment => vk::ShaderStageFlags::FRAGMENT,
        interface::Stage::Compute => vk::ShaderStageFlags::COMPUTE,
        interface::Stage::Task => vk::ShaderStageFlags::TASK_EXT,
        interface::Stage::Mesh => vk::ShaderStageFlags::MESH_EXT,
    }
}
