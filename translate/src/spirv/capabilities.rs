//! What a module asks of its device: capabilities and extensions.
//!
//! Owns the two lists and which extension a capability needs below which version. Must never name one that no
//! written instruction needs: whoever writes the instruction asks.

use super::sections::Section;
use spirv::{Capability, Op};

/// The capabilities and extensions asked for so far.
pub(super) struct Capabilities {
    version: (u8, u8),
    capabilities: Vec<Capability>,
    extensions: Vec<&'static str>,
}

impl Capabilities {
    pub(super) fn new(version: (u8, u8)) -> Capabilities {
        Capabilities { version, capabilities: vec![Capability::Shader], extensions: Vec::new() }
    }

    /// Asks for a capability, and for the extension that has it.
    pub(super) fn require(&mut self, capability: Capability) {
        // The list stays short: a dozen in the largest shaders.
        if self.capabilities.contains(&capability) {
            return;
        }
        self.capabilities.push(capability);
        if let Some((extension, core)) = extension_of(capability)
            && core.is_none_or(|core| self.version < core)
        {
            self.extension(extension);
        }
    }

    /// Asks for an extension.
    pub(super) fn extension(&mut self, extension: &'static str) {
        if !self.extensions.contains(&extension) {
            self.extensions.push(extension);
        }
    }

    /// The two sections: capabilities by number and extensions by name, so that neither depends on the code's order.
    pub(super) fn finish(mut self) -> Section {
        self.capabilities.sort_unstable_by_key(|&capability| capability as u32);
        self.extensions.sort_unstable();
        let mut section = Section::with_capacity(2 * self.capabilities.len() + 12 * self.extensions.len());
        for capability in self.capabilities {
            section.op(Op::Capability, &[capability as u32]);
        }
        for extension in self.extensions {
            section.op_text(Op::Extension, &[], extension, &[]);
        }
        section
    }
}

/// The extension that a capability comes from, and the version that has it without.
fn extension_of(capability: Capability) -> Option<(&'static str, Option<(u8, u8)>)> {
    use Capability as C;
    Some(match capability {
        C::ShaderNonUniform
        | C::RuntimeDescriptorArray
        | C::UniformTexelBufferArrayDynamicIndexing
        | C::StorageTexelBufferArrayDynamicIndexing
        | C::UniformBufferArrayNonUniformIndexing
        | C::SampledImageArrayNonUniformIndexing
        | C::StorageBufferArrayNonUniformIndexing
        | C::StorageImageArrayNonUniformIndexing
        | C::UniformTexelBufferArrayNonUniformIndexing
        | C::StorageTexelBufferArrayNonUniformIndexing => ("SPV_EXT_descriptor_indexing", Some((1, 5))),
        C::DenormFlushToZero | C::DenormPreserve | C::RoundingModeRTE | C::SignedZeroInfNanPreserve => {
            ("SPV_KHR_float_controls", Some((1, 4)))
        }
        C::DemoteToHelperInvocation => ("SPV_EXT_demote_to_helper_invocation", Some((1, 6))),
        C::ShaderViewportIndexLayerEXT => ("SPV_EXT_shader_viewport_index_layer", None),
        C::StencilExportEXT => ("SPV_EXT_shader_stencil_export", None),
        C::FragmentShaderPixelInterlockEXT => ("SPV_EXT_fragment_shader_interlock", None),
        C::FragmentFullyCoveredEXT => ("SPV_EXT_fragment_fully_covered", None),
        _ => return None,
    })
}
