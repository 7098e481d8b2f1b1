//! A device's descriptor limits.

use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($field:ident = $vulkan:literal;)*) => {
        /// Limits on descriptors, in descriptors (`max_bound_descriptor_sets` in sets). `None` is not known, and a limit
        /// that is not known is not checked. Spelt in JSON in snake case or as Vulkan does.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct Limits {
            $(
                #[doc = concat!("`", $vulkan, "`.")]
                #[serde(alias = $vulkan, skip_serializing_if = "Option::is_none")]
                pub $field: Option<u32>,
            )*
        }

        impl Limits {
            /// Every limit with Vulkan's name for it.
            pub fn iter(&self) -> impl Iterator<Item = (&'static str, Option<u32>)> {
                [$(($vulkan, self.$field)),*].into_iter()
            }

            /// These limits where they are known, else those.
            #[must_use]
            pub fn or(&self, base: &Limits) -> Limits {
                Limits { $($field: self.$field.or(base.$field),)* }
            }

            /// The smaller of both where both are known, else the known one.
            #[must_use]
            pub fn bounded_by(&self, real: &Limits) -> Limits {
                Limits { $($field: match (self.$field, real.$field) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                },)* }
            }

            /// Whether a field has this name, in either spelling.
            pub(crate) fn has_field(name: &str) -> bool {
                [$(stringify!($field), $vulkan),*].contains(&name)
            }
        }
    };
}

limits! {
    max_push_descriptors = "maxPushDescriptors";
    max_bound_descriptor_sets = "maxBoundDescriptorSets";
    max_per_stage_descriptor_samplers = "maxPerStageDescriptorSamplers";
    max_per_stage_descriptor_uniform_buffers = "maxPerStageDescriptorUniformBuffers";
    max_per_stage_descriptor_storage_buffers = "maxPerStageDescriptorStorageBuffers";
    max_per_stage_descriptor_sampled_images = "maxPerStageDescriptorSampledImages";
    max_per_stage_descriptor_storage_images = "maxPerStageDescriptorStorageImages";
    max_per_stage_descriptor_input_attachments = "maxPerStageDescriptorInputAttachments";
    max_per_stage_descriptor_inline_uniform_blocks = "maxPerStageDescriptorInlineUniformBlocks";
    max_per_stage_resources = "maxPerStageResources";
    max_descriptor_set_samplers = "maxDescriptorSetSamplers";
    max_descriptor_set_uniform_buffers = "maxDescriptorSetUniformBuffers";
    max_descriptor_set_uniform_buffers_dynamic = "maxDescriptorSetUniformBuffersDynamic";
    max_descriptor_set_storage_buffers = "maxDescriptorSetStorageBuffers";
    max_descriptor_set_storage_buffers_dynamic = "maxDescriptorSetStorageBuffersDynamic";
    max_descriptor_set_sampled_images = "maxDescriptorSetSampledImages";
    max_descriptor_set_storage_images = "maxDescriptorSetStorageImages";
    max_descriptor_set_input_attachments = "maxDescriptorSetInputAttachments";
    max_descriptor_set_inline_uniform_blocks = "maxDescriptorSetInlineUniformBlocks";
    max_per_stage_descriptor_update_after_bind_samplers = "maxPerStageDescriptorUpdateAfterBindSamplers";
    max_per_stage_descriptor_update_after_bind_uniform_buffers = "maxPerStageDescriptorUpdateAfterBindUniformBuffers";
    max_per_stage_descriptor_update_after_bind_storage_buffers = "maxPerStageDescriptorUpdateAfterBindStorageBuffers";
    max_per_stage_descriptor_update_after_bind_sampled_images = "maxPerStageDescriptorUpdateAfterBindSampledImages";
    max_per_stage_descriptor_update_after_bind_storage_images = "maxPerStageDescriptorUpdateAfterBindStorageImages";
    max_per_stage_descriptor_update_after_bind_input_attachments = "maxPerStageDescriptorUpdateAfterBindInputAttachments";
    max_per_stage_descriptor_update_after_bind_inline_uniform_blocks =
        "maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks";
    max_per_stage_update_after_bind_resources = "maxPerStageUpdateAfterBindResources";
    max_descriptor_set_update_after_bind_samplers = "maxDescriptorSetUpdateAfterBindSamplers";
    max_descriptor_set_update_after_bind_uniform_buffers = "maxDescriptorSetUpdateAfterBindUniformBuffers";
    max_descriptor_set_update_after_bind_uniform_buffers_dynamic = "maxDescriptorSetUpdateAfterBindUniformBuffersDynamic";
    max_descriptor_set_update_after_bind_storage_buffers = "maxDescriptorSetUpdateAfterBindStorageBuffers";
    max_descriptor_set_update_after_bind_storage_buffers_dynamic = "maxDescriptorSetUpdateAfterBindStorageBuffersDynamic";
    max_descriptor_set_update_after_bind_sampled_images = "maxDescriptorSetUpdateAfterBindSampledImages";
    max_descriptor_set_update_after_bind_storage_images = "maxDescriptorSetUpdateAfterBindStorageImages";
    max_descriptor_set_update_after_bind_input_attachments = "maxDescriptorSetUpdateAfterBindInputAttachments";
    max_descriptor_set_update_after_bind_inline_uniform_blocks = "maxDescriptorSetUpdateAfterBindInlineUniformBlocks";
}
