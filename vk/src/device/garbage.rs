//! What is dropped while the GPU may still use it.
//!
//! Owns objects between their last handle and their destruction. Each waits for the submission that was the next one when
//! it was dropped: what uses it was recorded before.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::VecDeque;

use ash::vk;
use gpu_allocator::vulkan::Allocation;

use super::core::Core;
use super::queue::Serial;

/// An object to destroy.
pub(crate) enum Trash {
    Buffer(vk::Buffer, Option<Allocation>),
    Image(vk::Image, Option<Allocation>),
    ImageView(vk::ImageView),
    BufferView(vk::BufferView),
    Sampler(vk::Sampler),
    Pipeline(vk::Pipeline),
    Framebuffer(vk::Framebuffer),
    Module(vk::ShaderModule),
}

#[derive(Default)]
pub(crate) struct Garbage(VecDeque<(Serial, Trash)>);

impl Garbage {
    pub(crate) fn push(&mut self, serial: Serial, trash: Trash) {
        self.0.push_back((serial, trash));
    }

    /// Destroys what the GPU is done with.
    pub(crate) fn collect(&mut self, core: &Core, done: Serial) {
        while self.0.front().is_some_and(|(serial, _)| *serial <= done) {
            if let Some((_, trash)) = self.0.pop_front() {
                destroy(core, trash);
            }
        }
    }
}

fn destroy(core: &Core, trash: Trash) {
    let raw = &core.raw;
    // SAFETY: the object's last handle is gone and the GPU is done with it.
    unsafe {
        match trash {
            Trash::Buffer(buffer, allocation) => {
                raw.destroy_buffer(buffer, None);
                allocation.into_iter().for_each(|memory| core.memory.free(memory));
            }
            Trash::Image(image, allocation) => {
                raw.destroy_image(image, None);
                allocation.into_iter().for_each(|memory| core.memory.free(memory));
            }
            Trash::ImageView(view) => raw.destroy_image_view(view, None),
            Trash::BufferView(view) => raw.destroy_buffer_view(view, None),
            Trash::Sampler(sampler) => raw.destroy_sampler(sampler, None),
            Trash::Pipeline(pipeline) => raw.destroy_pipeline(pipeline, None),
            Trash::Framebuffer(framebuffer) => raw.destroy_framebuffer(framebuffer, None),
            Trash::Module(module) => raw.destroy_shader_module(module, None),
        }
    }
}
