//! The floor: the same draws by hand, as lean as Vulkan lets them be.

use std::time::{Duration, Instant};

use super::{Bench, CONSTANTS, Change, DRAWS, SHADER};
use rx_renderer::TranslatedProgram;
use rx_renderer::translate::Source;
use rx_renderer::vk::ash::{self, khr, vk};

/// What the update template reads.
#[repr(C)]
struct Data {
    buffer: vk::DescriptorBufferInfo,
    picture: vk::DescriptorImageInfo,
    nearest: vk::DescriptorImageInfo,
}

/// The hand-written loop's own objects.
pub struct Hand {
    /// Two, in turn: a GPU may still read what was recorded before, as in the renderer.
    pools: [Pool; 2],
    commands: vk::CommandBuffer,
    push: Option<khr::push_descriptor::Device>,
    set_layout: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    template: vk::DescriptorUpdateTemplate,
    pipeline: vk::Pipeline,
    view: vk::ImageView,
    pictures: [vk::ImageView; 2],
    data: Data,
}

/// What one recording is made of.
struct Pool {
    raw: vk::CommandPool,
    commands: vk::CommandBuffer,
    sets: Vec<vk::DescriptorPool>,
}

impl Pool {
    fn new(raw: &ash::Device) -> Pool {
        let info = vk::CommandPoolCreateInfo::default();
        // SAFETY: the device is live, and the pool is destroyed before it.
        unsafe {
            let pool = raw.create_command_pool(&info, None).unwrap();
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            Pool { raw: pool, commands: raw.allocate_command_buffers(&info).unwrap()[0], sets: Vec::new() }
        }
    }
}

impl Hand {
    /// Its own layouts, template, pipeline and pool, over the objects of `bench`.
    pub fn new(bench: &Bench, pushed: bool) -> Hand {
        let device = bench.renderer.device();
        let raw = device.raw();
        // SAFETY: the device is live, and everything is destroyed before it.
        unsafe {
            let stages = vk::ShaderStageFlags::FRAGMENT;
            let binding = |binding, ty| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(ty)
                    .descriptor_count(1)
                    .stage_flags(stages)
            };
            let bindings = TYPES.map(|(number, ty, _)| binding(number, ty));
            let flags = if pushed {
                vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR
            } else {
                vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL
            };
            let info = vk::DescriptorSetLayoutCreateInfo::default().flags(flags).bindings(&bindings);
            let set_layout = raw.create_descriptor_set_layout(&info, None).unwrap();
            let layouts = [set_layout];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            let layout = raw.create_pipeline_layout(&info, None).unwrap();
            let template = template(raw, set_layout, layout, pushed);
            let view = |image| {
                let range = vk::ImageSubresourceRange {
                    aspect_mask: vk::ImageAspectFlags::COLOR,
                    base_mip_level: 0,
                    level_count: 1,
                    base_array_layer: 0,
                    layer_count: 1,
                };
                let info = vk::ImageViewCreateInfo::default()
                    .image(image)
                    .view_type(vk::ImageViewType::TYPE_2D)
                    .format(FORMAT)
                    .subresource_range(range);
                raw.create_image_view(&info, None).unwrap()
            };
            let pictures = [0, 1].map(|index: usize| view(bench.pictures[index].raw()));
            let push = pushed.then(|| khr::push_descriptor::Device::new(device.instance().raw(), raw));
            Hand {
                pools: [Pool::new(raw), Pool::new(raw)],
                commands: vk::CommandBuffer::null(),
                push,
                set_layout,
                layout,
                template,
                pipeline: pipeline(bench, raw, layout),
                view: view(bench.target.raw()),
                pictures,
                data: Data {
                    buffer: vk::DescriptorBufferInfo { buffer: bench.constants.raw(), offset: 0, range: CONSTANTS },
                    picture: vk::DescriptorImageInfo {
                        sampler: vk::Sampler::null(),
                        image_view: pictures[0],
                        image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
                    },
                    nearest: vk::DescriptorImageInfo { sampler: bench.nearest.raw(), ..Default::default() },
                },
            }
        }
    }

    /// Destroys it.
    pub fn destroy(self, bench: &Bench) {
        let raw = bench.renderer.device().raw();
        // SAFETY: nothing was submitted.
        unsafe {
            for pool in self.pools {
                pool.sets.iter().for_each(|sets| raw.destroy_descriptor_pool(*sets, None));
                raw.destroy_command_pool(pool.raw, None);
            }
            self.pictures.iter().for_each(|picture| raw.destroy_image_view(*picture, None));
            raw.destroy_image_view(self.view, None);
            raw.destroy_pipeline(self.pipeline, None);
            raw.destroy_descriptor_update_template(self.template, None);
            raw.destroy_pipeline_layout(self.layout, None);
            raw.destroy_descriptor_set_layout(self.set_layout, None);
        }
    }

    /// The time of its recording.
    pub fn record(&mut self, raw: &ash::Device, change: Change) -> Duration {
        // SAFETY: nothing is submitted; the objects outlive the recording.
        unsafe {
            self.pools.swap(0, 1);
            let pool = &mut self.pools[0];
            raw.reset_command_pool(pool.raw, vk::CommandPoolResetFlags::empty()).unwrap();
            pool.sets.drain(..).for_each(|sets| raw.destroy_descriptor_pool(sets, None));
            self.commands = pool.commands;
            raw.begin_command_buffer(self.commands, &vk::CommandBufferBeginInfo::default()).unwrap();
            let begun = Instant::now();
            self.begin(raw);
            let mut kept = Vec::new();
            for draw in 0..DRAWS {
                self.data.buffer.offset = change.offset(draw);
                self.data.picture.image_view = self.pictures[change.picture(draw)];
                if let Some(push) = &self.push {
                    let data = (&raw const self.data).cast();
                    push.cmd_push_descriptor_set_with_template(self.commands, self.template, self.layout, 0, data);
                } else {
                    let there = change == Change::OneOfEight && draw >= 8;
                    let set = if there { kept[draw as usize % 8] } else { self.written(raw, draw) };
                    if !there {
                        kept.push(set);
                    }
                    let point = vk::PipelineBindPoint::GRAPHICS;
                    raw.cmd_bind_descriptor_sets(self.commands, point, self.layout, 0, &[set], &[]);
                }
                raw.cmd_draw(self.commands, 3, 1, 0, 0);
            }
            raw.cmd_end_rendering(self.commands);
            let elapsed = begun.elapsed();
            raw.end_command_buffer(self.commands).unwrap();
            elapsed
        }
    }

    fn begin(&self, raw: &ash::Device) {
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(self.view)
            .image_layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)];
        let extent = vk::Extent2D { width: 64, height: 64 };
        let area = vk::Rect2D { offset: vk::Offset2D::default(), extent };
        let info = vk::RenderingInfo::default().render_area(area).layer_count(1).color_attachments(&color);
        let viewport = vk::Viewport { x: 0.0, y: 64.0, width: 64.0, height: -64.0, min_depth: 0.0, max_depth: 1.0 };
        // SAFETY: the buffer is being recorded.
        unsafe {
            raw.cmd_begin_rendering(self.commands, &info);
            raw.cmd_bind_pipeline(self.commands, vk::PipelineBindPoint::GRAPHICS, self.pipeline);
            raw.cmd_set_viewport(self.commands, 0, &[viewport]);
            raw.cmd_set_scissor(self.commands, 0, &[area]);
        }
    }

    /// A new set, written.
    fn written(&mut self, raw: &ash::Device, draw: u64) -> vk::DescriptorSet {
        const SETS: u32 = 256;
        let sets = &mut self.pools[0].sets;
        // SAFETY: the pools live until the recording after the next.
        unsafe {
            if draw.is_multiple_of(u64::from(SETS)) {
                let size = |ty| vk::DescriptorPoolSize { ty, descriptor_count: SETS };
                let sizes = [
                    size(vk::DescriptorType::UNIFORM_BUFFER),
                    size(vk::DescriptorType::SAMPLED_IMAGE),
                    size(vk::DescriptorType::SAMPLER),
                ];
                let info = vk::DescriptorPoolCreateInfo::default()
                    .flags(vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND)
                    .max_sets(SETS)
                    .pool_sizes(&sizes);
                sets.push(raw.create_descriptor_pool(&info, None).unwrap());
            }
            let layouts = [self.set_layout];
            let info =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(*sets.last().unwrap()).set_layouts(&layouts);
            let set = raw.allocate_descriptor_sets(&info).unwrap()[0];
            raw.update_descriptor_set_with_template(set, self.template, (&raw const self.data).cast());
            set
        }
    }
}

const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

/// Bindings, their types, and where the template finds them.
const TYPES: [(u32, vk::DescriptorType, usize); 3] = [
    (0, vk::DescriptorType::UNIFORM_BUFFER, std::mem::offset_of!(Data, buffer)),
    (1, vk::DescriptorType::SAMPLED_IMAGE, std::mem::offset_of!(Data, picture)),
    (2, vk::DescriptorType::SAMPLER, std::mem::offset_of!(Data, nearest)),
];

/// # Safety
/// The handles are live.
unsafe fn template(
    raw: &ash::Device,
    set_layout: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    pushed: bool,
) -> vk::DescriptorUpdateTemplate {
    let entries = TYPES.map(|(dst_binding, descriptor_type, offset)| vk::DescriptorUpdateTemplateEntry {
        dst_binding,
        dst_array_element: 0,
        descriptor_count: 1,
        descriptor_type,
        offset,
        stride: 0,
    });
    let info = vk::DescriptorUpdateTemplateCreateInfo::default().descriptor_update_entries(&entries);
    let info = if pushed {
        info.template_type(vk::DescriptorUpdateTemplateType::PUSH_DESCRIPTORS_KHR)
            .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
            .pipeline_layout(layout)
    } else {
        info.template_type(vk::DescriptorUpdateTemplateType::DESCRIPTOR_SET).descriptor_set_layout(set_layout)
    };
    // SAFETY: as the caller promises.
    unsafe { raw.create_descriptor_update_template(&info, None) }.unwrap()
}

/// # Safety
/// The handles are live.
unsafe fn pipeline(bench: &Bench, raw: &ash::Device, layout: vk::PipelineLayout) -> vk::Pipeline {
    let stages = [("vs", Source::Wgsl(SHADER)), ("fs", Source::Wgsl(SHADER))];
    let program = TranslatedProgram::translate("by hand", stages, bench.renderer.options()).unwrap();
    // SAFETY: as the caller promises.
    unsafe {
        let module = |index: usize| {
            let info = vk::ShaderModuleCreateInfo::default().code(&program.stages()[index].spirv);
            raw.create_shader_module(&info, None).unwrap()
        };
        let modules = [module(0), module(1)];
        let stage =
            |stage, module, name| vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(name);
        let stages = [
            stage(vk::ShaderStageFlags::VERTEX, modules[0], c"vs"),
            stage(vk::ShaderStageFlags::FRAGMENT, modules[1], c"fs"),
        ];
        let vertex_input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let multisample =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default();
        let blends = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
        let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        let formats = [FORMAT];
        let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&vertex_input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&multisample)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(layout)
            .push_next(&mut rendering);
        let made = raw.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
        modules.into_iter().for_each(|module| raw.destroy_shader_module(module, None));
        made
    }
}
