//! Render pass objects, for drivers without dynamic rendering.
//!
//! Owns one object for each set of formats and operations that a device has met. They live as long as the device.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ash::vk;

use super::state::GraphicsState;
use crate::Error;
use crate::device::core::Core;
use crate::error::vulkan;
use crate::resource::FormatInfo;

/// Formats of what is rendered to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attachments {
    /// `UNDEFINED` where there is no target.
    pub(crate) colors: Vec<vk::Format>,
    pub(crate) depth: vk::Format,
    pub(crate) samples: u32,
}

impl Attachments {
    pub(crate) fn of_state(state: &GraphicsState) -> Attachments {
        Attachments {
            colors: state.targets.iter().map(|target| target.format).collect(),
            depth: state.depth.map_or(vk::Format::UNDEFINED, |depth| depth.format),
            samples: state.samples,
        }
    }

    pub(crate) fn rendering(&self) -> vk::PipelineRenderingCreateInfo<'_> {
        let info = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&self.colors);
        let aspects = FormatInfo::of(self.depth).map(|info| info.aspects).unwrap_or_default();
        let with = |aspect| if aspects.contains(aspect) { self.depth } else { vk::Format::UNDEFINED };
        info.depth_attachment_format(with(vk::ImageAspectFlags::DEPTH))
            .stencil_attachment_format(with(vk::ImageAspectFlags::STENCIL))
    }
}

/// What happens at a pass's beginning and end.
pub(crate) type Ops = (vk::AttachmentLoadOp, vk::AttachmentStoreOp);

/// What tells one pass from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RenderPassKey {
    attachments: Attachments,
    colors: Vec<Ops>,
    depth: Ops,
    depth_layout: vk::ImageLayout,
}

const KEEP: Ops = (vk::AttachmentLoadOp::LOAD, vk::AttachmentStoreOp::STORE);

impl RenderPassKey {
    pub(crate) fn new(
        attachments: Attachments,
        colors: Vec<Ops>,
        depth: Ops,
        depth_layout: vk::ImageLayout,
    ) -> RenderPassKey {
        RenderPassKey { attachments, colors, depth, depth_layout }
    }

    /// One that every pass of these formats is compatible with.
    pub(crate) fn compatible(attachments: &Attachments) -> RenderPassKey {
        let colors = vec![KEEP; attachments.colors.len()];
        let layout = vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        RenderPassKey::new(attachments.clone(), colors, KEEP, layout)
    }
}

#[derive(Default)]
pub(crate) struct RenderPasses(Mutex<HashMap<RenderPassKey, vk::RenderPass>>);

impl RenderPasses {
    pub(crate) fn get(&self, core: &Core, key: RenderPassKey) -> Result<vk::RenderPass, Error> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&pass) = held.get(&key) {
            return Ok(pass);
        }
        let pass = make(core, &key)?;
        held.insert(key, pass);
        Ok(pass)
    }

    pub(crate) fn destroy(&self, core: &Core) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the device is idle.
        held.drain().for_each(|(_, pass)| unsafe { core.raw.destroy_render_pass(pass, None) });
    }
}

fn make(core: &Core, key: &RenderPassKey) -> Result<vk::RenderPass, Error> {
    let samples = vk::SampleCountFlags::from_raw(key.attachments.samples);
    let describe = |format: vk::Format, ops: Ops, layout: vk::ImageLayout| {
        vk::AttachmentDescription::default()
            .format(format)
            .samples(samples)
            .load_op(ops.0)
            .store_op(ops.1)
            .stencil_load_op(ops.0)
            .stencil_store_op(ops.1)
            .initial_layout(layout)
            .final_layout(layout)
    };
    let mut descriptions = Vec::new();
    let mut colors = Vec::new();
    let target = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
    for (&format, &ops) in key.attachments.colors.iter().zip(&key.colors) {
        let attachment = if format == vk::Format::UNDEFINED {
            vk::ATTACHMENT_UNUSED
        } else {
            descriptions.push(describe(format, ops, target));
            (descriptions.len() - 1) as u32
        };
        colors.push(vk::AttachmentReference { attachment, layout: target });
    }
    let depth = vk::AttachmentReference { attachment: descriptions.len() as u32, layout: key.depth_layout };
    let mut subpass = vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&colors);
    if key.attachments.depth != vk::Format::UNDEFINED {
        descriptions.push(describe(key.attachments.depth, key.depth, key.depth_layout));
        subpass = subpass.depth_stencil_attachment(&depth);
    }
    let subpasses = [subpass];
    let info = vk::RenderPassCreateInfo::default().attachments(&descriptions).subpasses(&subpasses);
    // SAFETY: the device is live and the structures outlive the call.
    unsafe { core.raw.create_render_pass(&info, None) }.map_err(vulkan("vkCreateRenderPass", "a pass"))
}
