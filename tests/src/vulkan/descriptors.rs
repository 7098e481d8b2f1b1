//! Descriptor sets filled from registers, as the stages' interfaces ask.

use super::formats::Format;
use super::memory::LEAD;
use super::program::stage_flag;
use super::registers::{Bound, Registers, SamplerState};
use super::{Device, Result, failed};
use ash::vk;
use rx_translate::interface::{Component, DescriptorType, Dimension, Resource, ResourceClass, StageInterface};

/// Set layouts and sets, in the order of their numbers, with the views and samplers that they use.
pub(super) struct Descriptors {
    device: &'static Device,
    pub layouts: Vec<vk::DescriptorSetLayout>,
    pub sets: Vec<vk::DescriptorSet>,
    pool: vk::DescriptorPool,
    made: Made,
}

/// What descriptors of storage buffers cover besides the buffers.
#[derive(Clone, Copy)]
pub(super) struct Ranges {
    /// The margin after them: the shader has their lengths.
    pub wide: bool,
    /// Some elements before them: the shader has their offsets.
    pub early: bool,
    /// The margin after constant buffers: the shader has their lengths.
    pub wide_constants: bool,
}

impl Ranges {
    /// Elements and bytes before a view's first element: the fewest that the device's alignment allows, but some.
    fn before(self, device: &Device, resource: &Resource) -> (u32, u64) {
        if !self.early || resource.ty != DescriptorType::StorageBuffer || resource.class == ResourceClass::UavCounter {
            return (0, 0);
        }
        let unit = u64::from(resource.stride_bytes.unwrap_or(16));
        let fits = |n: &u64| (n * unit).is_multiple_of(device.storage_alignment()) && n * unit <= LEAD as u64;
        (1..=LEAD as u64).find(fits).map_or((0, 0), |n| (n as u32, n * unit))
    }
}

/// Objects made for single descriptors.
#[derive(Default)]
struct Made {
    image_views: Vec<vk::ImageView>,
    buffer_views: Vec<vk::BufferView>,
    samplers: Vec<vk::Sampler>,
}

/// A descriptor's content.
enum Content {
    Buffer(vk::DescriptorBufferInfo),
    Texel(vk::BufferView),
    Image(vk::DescriptorImageInfo),
}

impl Descriptors {
    /// For all stages of a program.
    pub fn new(
        device: &'static Device,
        stages: &[(&StageInterface, &Registers<'_>)],
        ranges: Ranges,
    ) -> Result<Descriptors> {
        let pool = vk::DescriptorPool::null();
        let mut all = Descriptors { device, layouts: Vec::new(), sets: Vec::new(), pool, made: Made::default() };
        let resources: Vec<_> = stages
            .iter()
            .flat_map(|(interface, registers)| {
                let flag = stage_flag(interface.stage);
                interface.resources.iter().map(move |r| (r, flag, *registers))
            })
            .collect();
        let Some(last_set) = resources.iter().map(|(r, ..)| r.set).max() else { return Ok(all) };
        for set in 0..=last_set {
            let of_set = resources.iter().filter(|(r, ..)| r.set == set);
            let bindings: Vec<_> = of_set
                .map(|(r, flag, registers)| {
                    vk::DescriptorSetLayoutBinding::default()
                        .binding(r.binding)
                        .descriptor_type(vulkan_type(r.ty))
                        .descriptor_count(count(r, registers))
                        .stage_flags(*flag)
                })
                .collect();
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            // SAFETY: the device is live.
            let layout = unsafe { device.raw.create_descriptor_set_layout(&info, None) };
            all.layouts.push(layout.map_err(failed("a set layout"))?);
        }
        all.allocate(resources.iter().map(|(r, _, registers)| (r.ty, count(r, registers))))?;
        for (resource, _, registers) in &resources {
            all.fill(resource, registers, ranges)?;
        }
        Ok(all)
    }

    fn allocate(&mut self, types: impl Iterator<Item = (DescriptorType, u32)>) -> Result<()> {
        let sizes: Vec<_> =
            types.map(|(ty, count)| vk::DescriptorPoolSize { ty: vulkan_type(ty), descriptor_count: count }).collect();
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(self.layouts.len() as u32).pool_sizes(&sizes);
        // SAFETY: the device and the layouts are live.
        unsafe {
            self.pool = self.device.raw.create_descriptor_pool(&info, None).map_err(failed("a descriptor pool"))?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(self.pool).set_layouts(&self.layouts);
            self.sets = self.device.raw.allocate_descriptor_sets(&info).map_err(failed("descriptor sets"))?;
        }
        Ok(())
    }

    fn fill(&mut self, resource: &Resource, registers: &Registers<'_>, ranges: Ranges) -> Result<()> {
        for element in 0..count(resource, registers) {
            let register = resource.register.saturating_add(element);
            let bound = registers.get((resource.class, resource.space, register));
            let content = self
                .content(resource, bound, ranges)
                .map_err(|e| format!("{:?} {register} in space {}: {e}", resource.class, resource.space))?;
            let mut write = vk::WriteDescriptorSet::default()
                .dst_set(self.sets[resource.set as usize])
                .dst_binding(resource.binding)
                .dst_array_element(element)
                .descriptor_type(vulkan_type(resource.ty));
            let (buffers, texels, images);
            match content {
                Content::Buffer(info) => {
                    buffers = [info];
                    write = write.buffer_info(&buffers);
                }
                Content::Texel(view) => {
                    texels = [view];
                    write = write.texel_buffer_view(&texels);
                }
                Content::Image(info) => {
                    images = [info];
                    write = write.image_info(&images);
                }
            }
            // SAFETY: the set is live and not in use; what is written lives as long as the program that uses it.
            unsafe { self.device.raw.update_descriptor_sets(&[write], &[]) };
        }
        Ok(())
    }

    fn content(&mut self, resource: &Resource, bound: Option<Bound<'_>>, ranges: Ranges) -> Result<Content> {
        use DescriptorType as Ty;
        if bound.is_none() && resource.ty != Ty::Sampler && !self.device.enabled.null_descriptors {
            return Err("nothing is bound, and the device has no null descriptors".to_owned());
        }
        let dimension = resource.dimension.unwrap_or(Dimension::Buffer);
        let component = resource.component.unwrap_or(Component::Float);
        Ok(match (resource.ty, bound) {
            (Ty::Sampler, Some(Bound::Sampler(state))) => self.sampler(&state)?,
            (Ty::Sampler, None) => self.sampler(&SamplerState::point())?,
            (Ty::UniformBuffer | Ty::StorageBuffer, Some(Bound::Buffer(buffer) | Bound::Typed(buffer, _))) => {
                let range = range(resource, buffer.len, ranges);
                let raw = if range == 0 { vk::Buffer::null() } else { buffer.raw };
                let before = if range == 0 { LEAD as u64 } else { ranges.before(self.device, resource).1 };
                let range = if range == 0 || range == vk::WHOLE_SIZE { vk::WHOLE_SIZE } else { before + range };
                let offset = LEAD as u64 - before;
                Content::Buffer(vk::DescriptorBufferInfo { buffer: raw, offset, range })
            }
            (Ty::UniformBuffer | Ty::StorageBuffer, None) => {
                Content::Buffer(vk::DescriptorBufferInfo { range: vk::WHOLE_SIZE, ..Default::default() })
            }
            (Ty::UniformTexelBuffer | Ty::StorageTexelBuffer, Some(Bound::Typed(buffer, dxgi))) => {
                let format = Format::of(dxgi).ok_or_else(|| format!("DXGI format {dxgi}"))?;
                let info = vk::BufferViewCreateInfo::default()
                    .buffer(buffer.raw)
                    .format(format.of_component(component).vulkan)
                    .offset(LEAD as u64)
                    .range(buffer.len as u64);
                // SAFETY: the buffer is live.
                let view =
                    unsafe { self.device.raw.create_buffer_view(&info, None) }.map_err(failed("a buffer view"))?;
                self.made.buffer_views.push(view);
                Content::Texel(view)
            }
            (Ty::UniformTexelBuffer | Ty::StorageTexelBuffer, None) => Content::Texel(vk::BufferView::null()),
            (Ty::SampledImage | Ty::StorageImage, Some(Bound::Texture(texture))) => {
                let view = texture.shader_view(dimension, component, resource.ty == Ty::StorageImage)?;
                self.made.image_views.push(view);
                image(view, vk::Sampler::null())
            }
            (Ty::SampledImage | Ty::StorageImage, None) => image(vk::ImageView::null(), vk::Sampler::null()),
            (ty, _) => return Err(format!("what is bound is no {ty:?}")),
        })
    }

    fn sampler(&mut self, state: &SamplerState) -> Result<Content> {
        // SAFETY: the device is live.
        let sampler = unsafe { self.device.raw.create_sampler(&sampler_info(state), None) };
        let sampler = sampler.map_err(failed("a sampler"))?;
        self.made.samplers.push(sampler);
        Ok(image(vk::ImageView::null(), sampler))
    }
}

impl Drop for Descriptors {
    fn drop(&mut self) {
        let raw = &self.device.raw;
        // SAFETY: every submission has been waited for.
        unsafe {
            self.made.image_views.iter().for_each(|v| raw.destroy_image_view(*v, None));
            self.made.buffer_views.iter().for_each(|v| raw.destroy_buffer_view(*v, None));
            self.made.samplers.iter().for_each(|s| raw.destroy_sampler(*s, None));
            raw.destroy_descriptor_pool(self.pool, None);
            self.layouts.iter().for_each(|l| raw.destroy_descriptor_set_layout(*l, None));
        }
    }
}

fn image(image_view: vk::ImageView, sampler: vk::Sampler) -> Content {
    Content::Image(vk::DescriptorImageInfo { sampler, image_view, image_layout: vk::ImageLayout::GENERAL })
}

/// Descriptors of a resource: a range without an end has as many as are bound.
fn count(resource: &Resource, registers: &Registers<'_>) -> u32 {
    resource.count.unwrap_or_else(|| {
        let bound = |n: &u32| registers.get((resource.class, resource.space, resource.register + n)).is_some();
        (0..).take_while(bound).count().max(1) as u32
    })
}

/// Bytes of a descriptor: whole records where the shader declares a stride.
fn range(resource: &Resource, len: usize, ranges: Ranges) -> u64 {
    let len = len as u64;
    match resource.ty {
        DescriptorType::StorageBuffer if ranges.wide => return vk::WHOLE_SIZE,
        DescriptorType::UniformBuffer if ranges.wide_constants => return vk::WHOLE_SIZE,
        _ => {}
    }
    match resource.stride_bytes {
        Some(stride) if stride > 0 => len / u64::from(stride) * u64::from(stride),
        _ => len,
    }
}

/// A stage's push constants, one a descriptor in the order of the bindings: lengths of storage buffers, their offsets,
/// lengths of constant buffers, whichever there are.
pub(super) fn push_constants(
    device: &Device,
    interface: &StageInterface,
    registers: &Registers<'_>,
    ranges: Ranges,
) -> Vec<u8> {
    let mut buffers: Vec<_> = interface.resources.iter().collect();
    buffers.sort_by_key(|r| (r.set, r.binding));
    let (mut lengths, mut offsets, mut constants) = (Vec::new(), Vec::new(), Vec::new());
    for resource in buffers {
        if !matches!(resource.ty, DescriptorType::StorageBuffer | DescriptorType::UniformBuffer) {
            continue;
        }
        for element in 0..count(resource, registers) {
            let length = match registers.get((resource.class, resource.space, resource.register + element)) {
                Some(Bound::Buffer(buffer) | Bound::Typed(buffer, _)) => buffer.len as u32,
                _ => 0,
            };
            if resource.ty == DescriptorType::UniformBuffer {
                constants.push(length);
                continue;
            }
            lengths.push(length);
            let bound = range(resource, length as usize, Ranges { wide: false, ..ranges }) > 0;
            offsets.push(if bound { ranges.before(device, resource).0 } else { 0 });
        }
    }
    let lengths = lengths.into_iter().filter(|_| ranges.wide);
    let offsets = offsets.into_iter().filter(|_| ranges.early);
    let constants = constants.into_iter().filter(|_| ranges.wide_constants);
    lengths.chain(offsets).chain(constants).flat_map(u32::to_le_bytes).collect()
}

pub(super) fn vulkan_type(ty: DescriptorType) -> vk::DescriptorType {
    match ty {
        DescriptorType::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
        DescriptorType::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
        DescriptorType::UniformBufferDynamic => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
        DescriptorType::StorageBufferDynamic => vk::DescriptorType::STORAGE_BUFFER_DYNAMIC,
        DescriptorType::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        DescriptorType::Sampler => vk::DescriptorType::SAMPLER,
        DescriptorType::CombinedImageSampler => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        DescriptorType::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
        DescriptorType::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        DescriptorType::StorageTexelBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        DescriptorType::InputAttachment => vk::DescriptorType::INPUT_ATTACHMENT,
        DescriptorType::InlineUniformBlock => vk::DescriptorType::INLINE_UNIFORM_BLOCK,
    }
}

fn sampler_info(state: &SamplerState) -> vk::SamplerCreateInfo<'static> {
    let filter = |bit: u32| if state.filter >> bit & 1 == 1 { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
    let address = |n: usize| match state.address[n] {
        1 => vk::SamplerAddressMode::REPEAT,
        2 => vk::SamplerAddressMode::MIRRORED_REPEAT,
        4 => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        5 => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
        _ => vk::SamplerAddressMode::CLAMP_TO_EDGE,
    };
    let border =
        if state.white_border { vk::BorderColor::FLOAT_OPAQUE_WHITE } else { vk::BorderColor::FLOAT_TRANSPARENT_BLACK };
    let linear_mips = state.filter & 1 == 1;
    vk::SamplerCreateInfo::default()
        .min_filter(filter(4))
        .mag_filter(filter(2))
        .mipmap_mode(if linear_mips { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST })
        .address_mode_u(address(0))
        .address_mode_v(address(1))
        .address_mode_w(address(2))
        .mip_lod_bias(state.lod_bias)
        .min_lod(state.min_lod)
        .max_lod(state.max_lod)
        .border_color(border)
        .compare_enable(state.filter & 0x80 != 0)
        .compare_op(compare_op(state.comparison))
}

/// Direct3D's comparison functions are Vulkan's, from 1.
pub(super) fn compare_op(function: u32) -> vk::CompareOp {
    vk::CompareOp::from_raw(function.clamp(1, 8) as i32 - 1)
}
