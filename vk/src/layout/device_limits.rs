//! Vulkan's own limits on an ordinary set: per stage and per set, ordinary and update-after-bind.
//!
//! The planned set is counted alone. Metal's tables are not in here: they are no limit that a device reports.

use rx_translate::interface::{DescriptorType, Stage};

use super::cause::Cause;
use super::count::Summary;
use super::program::{LayoutBinding, stage_index};
use crate::facts::Limits;

/// Which of a device's two families of limits a set counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// `maxPerStageDescriptor*`, `maxPerStageResources`, `maxDescriptorSet*`.
    Ordinary,
    /// The same with `UpdateAfterBind`.
    UpdateAfterBind,
}

/// One limit: Vulkan's name and its value.
type Limit = (&'static str, Option<u32>);

// Kinds of descriptors that Vulkan limits, as indexes.
const SAMPLER: usize = 0;
const UNIFORM_BUFFER: usize = 1;
const STORAGE_BUFFER: usize = 2;
const SAMPLED_IMAGE: usize = 3;
const STORAGE_IMAGE: usize = 4;
const INPUT_ATTACHMENT: usize = 5;
const INLINE_UNIFORM_BLOCK: usize = 6;
/// Per stage: all resources; per set: dynamic uniform buffers.
const RESOURCE: usize = 7;
const UNIFORM_BUFFER_DYNAMIC: usize = 7;
/// Per set only.
const STORAGE_BUFFER_DYNAMIC: usize = 8;

/// The kinds that one descriptor counts as (Vulkan specification, "Limits").
fn kinds(ty: DescriptorType) -> &'static [usize] {
    match ty {
        DescriptorType::Sampler => &[SAMPLER],
        DescriptorType::CombinedImageSampler => &[SAMPLER, SAMPLED_IMAGE],
        DescriptorType::SampledImage | DescriptorType::UniformTexelBuffer => &[SAMPLED_IMAGE],
        DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer => &[STORAGE_IMAGE],
        DescriptorType::UniformBuffer | DescriptorType::UniformBufferDynamic => &[UNIFORM_BUFFER],
        DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic => &[STORAGE_BUFFER],
        DescriptorType::InputAttachment => &[INPUT_ATTACHMENT],
        DescriptorType::InlineUniformBlock => &[INLINE_UNIFORM_BLOCK],
    }
}

/// Whether a descriptor counts as one of a stage's resources (`maxPerStageResources`: neither samplers nor inline
/// blocks).
fn is_resource(ty: DescriptorType) -> bool {
    !matches!(ty, DescriptorType::Sampler | DescriptorType::InlineUniformBlock)
}

fn per_stage(limits: &Limits, family: Family) -> [Limit; 8] {
    let l = limits;
    match family {
        Family::Ordinary => [
            ("maxPerStageDescriptorSamplers", l.max_per_stage_descriptor_samplers),
            ("maxPerStageDescriptorUniformBuffers", l.max_per_stage_descriptor_uniform_buffers),
            ("maxPerStageDescriptorStorageBuffers", l.max_per_stage_descriptor_storage_buffers),
            ("maxPerStageDescriptorSampledImages", l.max_per_stage_descriptor_sampled_images),
            ("maxPerStageDescriptorStorageImages", l.max_per_stage_descriptor_storage_images),
            ("maxPerStageDescriptorInputAttachments", l.max_per_stage_descriptor_input_attachments),
            ("maxPerStageDescriptorInlineUniformBlocks", l.max_per_stage_descriptor_inline_uniform_blocks),
            ("maxPerStageResources", l.max_per_stage_resources),
        ],
        Family::UpdateAfterBind => [
            ("maxPerStageDescriptorUpdateAfterBindSamplers", l.max_per_stage_descriptor_update_after_bind_samplers),
            (
                "maxPerStageDescriptorUpdateAfterBindUniformBuffers",
                l.max_per_stage_descriptor_update_after_bind_uniform_buffers,
            ),
            (
                "maxPerStageDescriptorUpdateAfterBindStorageBuffers",
                l.max_per_stage_descriptor_update_after_bind_storage_buffers,
            ),
            (
                "maxPerStageDescriptorUpdateAfterBindSampledImages",
                l.max_per_stage_descriptor_update_after_bind_sampled_images,
            ),
            (
                "maxPerStageDescriptorUpdateAfterBindStorageImages",
                l.max_per_stage_descriptor_update_after_bind_storage_images,
            ),
            (
                "maxPerStageDescriptorUpdateAfterBindInputAttachments",
                l.max_per_stage_descriptor_update_after_bind_input_attachments,
            ),
            (
                "maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks",
                l.max_per_stage_descriptor_update_after_bind_inline_uniform_blocks,
            ),
            ("maxPerStageUpdateAfterBindResources", l.max_per_stage_update_after_bind_resources),
        ],
    }
}

fn per_set(limits: &Limits, family: Family) -> [Limit; 9] {
    let l = limits;
    match family {
        Family::Ordinary => [
            ("maxDescriptorSetSamplers", l.max_descriptor_set_samplers),
            ("maxDescriptorSetUniformBuffers", l.max_descriptor_set_uniform_buffers),
            ("maxDescriptorSetStorageBuffers", l.max_descriptor_set_storage_buffers),
            ("maxDescriptorSetSampledImages", l.max_descriptor_set_sampled_images),
            ("maxDescriptorSetStorageImages", l.max_descriptor_set_storage_images),
            ("maxDescriptorSetInputAttachments", l.max_descriptor_set_input_attachments),
            ("maxDescriptorSetInlineUniformBlocks", l.max_descriptor_set_inline_uniform_blocks),
            ("maxDescriptorSetUniformBuffersDynamic", l.max_descriptor_set_uniform_buffers_dynamic),
            ("maxDescriptorSetStorageBuffersDynamic", l.max_descriptor_set_storage_buffers_dynamic),
        ],
        Family::UpdateAfterBind => [
            ("maxDescriptorSetUpdateAfterBindSamplers", l.max_descriptor_set_update_after_bind_samplers),
            ("maxDescriptorSetUpdateAfterBindUniformBuffers", l.max_descriptor_set_update_after_bind_uniform_buffers),
            ("maxDescriptorSetUpdateAfterBindStorageBuffers", l.max_descriptor_set_update_after_bind_storage_buffers),
            ("maxDescriptorSetUpdateAfterBindSampledImages", l.max_descriptor_set_update_after_bind_sampled_images),
            ("maxDescriptorSetUpdateAfterBindStorageImages", l.max_descriptor_set_update_after_bind_storage_images),
            (
                "maxDescriptorSetUpdateAfterBindInputAttachments",
                l.max_descriptor_set_update_after_bind_input_attachments,
            ),
            (
                "maxDescriptorSetUpdateAfterBindInlineUniformBlocks",
                l.max_descriptor_set_update_after_bind_inline_uniform_blocks,
            ),
            (
                "maxDescriptorSetUpdateAfterBindUniformBuffersDynamic",
                l.max_descriptor_set_update_after_bind_uniform_buffers_dynamic,
            ),
            (
                "maxDescriptorSetUpdateAfterBindStorageBuffersDynamic",
                l.max_descriptor_set_update_after_bind_storage_buffers_dynamic,
            ),
        ],
    }
}

/// A set's descriptors by the kinds that Vulkan limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds {
    stages: [[u32; 8]; 8],
    set: [u32; 9],
}

impl Kinds {
    /// Counts a set's bindings.
    pub fn count(bindings: &[LayoutBinding]) -> Kinds {
        let mut all = Kinds { stages: [[0; 8]; 8], set: [0; 9] };
        for binding in bindings {
            let n = binding.descriptors();
            let add = |slot: &mut u32| *slot = slot.saturating_add(n);
            kinds(binding.ty).iter().for_each(|&kind| add(&mut all.set[kind]));
            match binding.ty {
                DescriptorType::UniformBufferDynamic => add(&mut all.set[UNIFORM_BUFFER_DYNAMIC]),
                DescriptorType::StorageBufferDynamic => add(&mut all.set[STORAGE_BUFFER_DYNAMIC]),
                _ => {}
            }
            for bit in binding.stages.iter() {
                let stage = &mut all.stages[stage_index(bit)];
                kinds(binding.ty).iter().for_each(|&kind| add(&mut stage[kind]));
                if is_resource(binding.ty) {
                    add(&mut stage[RESOURCE]);
                }
            }
        }
        all
    }
}

/// The first limit of one family that the program's set is past: stages in order, each one's limits in Vulkan's order,
/// then the set's.
pub(crate) fn exceeded(program: &Summary, limits: &Limits, family: Family) -> Option<Cause> {
    let stage_limits = per_stage(limits, family);
    let of_stages = program.bits.iter().find_map(|bit| {
        let counts = &program.kinds.stages[stage_index(bit)];
        past(counts, &stage_limits).map(|(limit, count, value)| device_limit(limit, Some(bit), count, value))
    });
    of_stages.or_else(|| {
        let set_limits = per_set(limits, family);
        past(&program.kinds.set, &set_limits).map(|(limit, count, value)| device_limit(limit, None, count, value))
    })
}

/// Whether the pipeline layout has more sets than the device takes; no flag of a layout helps with that.
pub(crate) fn too_many_sets(set_count: u32, limits: &Limits) -> Option<Cause> {
    let value = limits.max_bound_descriptor_sets?;
    (set_count > value).then(|| device_limit("maxBoundDescriptorSets", None, set_count, value))
}

fn device_limit(limit: &'static str, stage: Option<Stage>, count: u32, value: u32) -> Cause {
    Cause::DeviceLimit { limit, stage, count, value }
}

fn past(counts: &[u32], limits: &[Limit]) -> Option<(&'static str, u32, u32)> {
    let known = counts.iter().zip(limits).filter_map(|(&count, &(name, value))| Some((name, count, value?)));
    known.into_iter().find(|&(_, count, value)| count > value)
}
