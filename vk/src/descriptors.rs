//! Descriptors as values, the pools that sets come from, and the sets of one recording.
//!
//! Owns how descriptors reach Vulkan. What is bound where is the recorder's.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use ash::vk;
use ash::vk::Handle;
use rx_translate::interface::{Component, DescriptorType, Dimension};

use crate::device::core::Core;
use crate::error::vulkan;
use crate::memory::MemoryUse;
use crate::program::SetObjects;
use crate::recorder::Tally;
use crate::resource::{RawBuffer, RawImage, SamplerDesc};
use crate::{Device, Error};

/// One descriptor as Vulkan reads it: a `VkDescriptorBufferInfo`, a `VkDescriptorImageInfo` or a `VkBufferView`. Kept as
/// words, so that it can be compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub(crate) struct Descriptor([u64; 3]);

/// Bytes from one descriptor to the next.
pub(crate) const STRIDE: usize = size_of::<Descriptor>();

// Vulkan's structures lie at the beginning of a descriptor, field by field.
const _: () =
    assert!(size_of::<vk::DescriptorBufferInfo>() <= STRIDE && size_of::<vk::DescriptorImageInfo>() <= STRIDE);
const _: () = assert!(std::mem::offset_of!(vk::DescriptorBufferInfo, range) == 16);
const _: () = assert!(std::mem::offset_of!(vk::DescriptorImageInfo, image_layout) == 16);

impl Descriptor {
    pub(crate) fn buffer(buffer: vk::Buffer, offset: u64, range: u64) -> Descriptor {
        Descriptor([buffer.as_raw(), offset, range])
    }

    pub(crate) fn texel(view: vk::BufferView) -> Descriptor {
        Descriptor([view.as_raw(), 0, 0])
    }

    pub(crate) fn image(view: vk::ImageView, layout: vk::ImageLayout) -> Descriptor {
        Descriptor([0, view.as_raw(), first_half(layout.as_raw())])
    }

    pub(crate) fn sampler(sampler: vk::Sampler) -> Descriptor {
        Descriptor([sampler.as_raw(), 0, 0])
    }

    /// With a sampler beside the image.
    pub(crate) fn with_sampler(self, sampler: vk::Sampler) -> Descriptor {
        Descriptor([sampler.as_raw(), self.0[1], self.0[2]])
    }
}

/// A 32-bit field at the beginning of a word, zeros after it.
fn first_half(value: i32) -> u64 {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&value.to_ne_bytes());
    u64::from_ne_bytes(bytes)
}

/// Vulkan's write of some descriptors.
pub(crate) fn write(
    set: vk::DescriptorSet,
    binding: u32,
    ty: vk::DescriptorType,
    descriptors: &[Descriptor],
) -> vk::WriteDescriptorSet<'_> {
    use vk::DescriptorType as T;
    let first = descriptors.as_ptr();
    let mut write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding).descriptor_type(ty);
    write.descriptor_count = descriptors.len() as u32;
    match ty {
        T::UNIFORM_TEXEL_BUFFER | T::STORAGE_TEXEL_BUFFER => write.p_texel_buffer_view = first.cast(),
        T::SAMPLER | T::COMBINED_IMAGE_SAMPLER | T::SAMPLED_IMAGE | T::STORAGE_IMAGE | T::INPUT_ATTACHMENT => {
            write.p_image_info = first.cast();
        }
        _ => write.p_buffer_info = first.cast(),
    }
    write
}

/// Whether Vulkan's structures lie in an array as descriptors do; texel buffer views are narrower, and an array of them
/// is written one by one.
pub(crate) fn is_dense(ty: vk::DescriptorType) -> bool {
    let wide = size_of::<vk::DescriptorBufferInfo>() == STRIDE && size_of::<vk::DescriptorImageInfo>() == STRIDE;
    wide && !matches!(ty, vk::DescriptorType::UNIFORM_TEXEL_BUFFER | vk::DescriptorType::STORAGE_TEXEL_BUFFER)
}

/// What stands where nothing is bound: null descriptors, or objects full of zeros where the device has none.
#[derive(Default)]
pub(crate) struct Placeholders {
    held: Mutex<Objects>,
    buffer: vk::Buffer,
    sampler: vk::Sampler,
    texels: [vk::BufferView; 3],
    images: HashMap<(Shape, u8), vk::ImageView>,
}

#[derive(Default)]
struct Objects {
    buffer: Option<RawBuffer>,
    images: Vec<RawImage>,
}

/// Kinds of image that a shader may declare.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    D1,
    D1Array,
    D2,
    D2Array,
    D2Ms,
    D2MsArray,
    D3,
    Cube,
    CubeArray,
}

/// Bytes of the buffer of zeros: the largest constant buffer of Direct3D.
const ZEROS: u64 = 65536;

/// Formats of the placeholders, by component.
const FORMATS: [vk::Format; 3] = [vk::Format::R8G8B8A8_UNORM, vk::Format::R32_UINT, vk::Format::R32_SINT];

fn component_index(component: Option<Component>) -> u8 {
    match component {
        Some(Component::Uint) => 1,
        Some(Component::Sint) => 2,
        _ => 0,
    }
}

impl Placeholders {
    pub(crate) fn new(core: &Core, null_descriptors: bool) -> Result<Placeholders, Error> {
        let mut own = Placeholders::default();
        let made = own.make(core, null_descriptors);
        if let Err(error) = made {
            own.destroy(core);
            return Err(error);
        }
        Ok(own)
    }

    fn make(&mut self, core: &Core, null_descriptors: bool) -> Result<(), Error> {
        // A sampler is never null.
        // SAFETY: the device is live; so in all of this file.
        let sampler = unsafe { core.raw.create_sampler(&SamplerDesc::default().info(None), None) };
        self.sampler = sampler.map_err(vulkan("vkCreateSampler", "rx placeholder"))?;
        if null_descriptors {
            return Ok(());
        }
        let buffer = RawBuffer::new(core, "rx zeros", ZEROS, MemoryUse::Device)?;
        self.buffer = buffer.raw;
        self.held.get_mut().unwrap_or_else(PoisonError::into_inner).buffer = Some(buffer);
        for (view, format) in self.texels.iter_mut().zip(FORMATS) {
            let info = vk::BufferViewCreateInfo::default().buffer(self.buffer).format(format).range(ZEROS);
            let made = unsafe { core.raw.create_buffer_view(&info, None) };
            *view = made.map_err(vulkan("vkCreateBufferView", "rx zeros"))?;
        }
        for (component, format) in (0..).zip(FORMATS) {
            self.make_images(core, component, format)?;
        }
        Ok(())
    }

    /// One image of each kind, and its views.
    fn make_images(&mut self, core: &Core, component: u8, format: vk::Format) -> Result<(), Error> {
        use vk::ImageViewType as V;
        /// Type, layers, samples, and the views with the layers of each.
        type Kind = (vk::ImageType, u32, u32, &'static [(Shape, V, u32)]);
        let kinds: [Kind; 4] = [
            (vk::ImageType::TYPE_1D, 1, 1, &[(Shape::D1, V::TYPE_1D, 1), (Shape::D1Array, V::TYPE_1D_ARRAY, 1)]),
            (
                vk::ImageType::TYPE_2D,
                6,
                1,
                &[
                    (Shape::D2, V::TYPE_2D, 1),
                    (Shape::D2Array, V::TYPE_2D_ARRAY, 6),
                    (Shape::Cube, V::CUBE, 6),
                    (Shape::CubeArray, V::CUBE_ARRAY, 6),
                ],
            ),
            (vk::ImageType::TYPE_3D, 1, 1, &[(Shape::D3, V::TYPE_3D, 1)]),
            (vk::ImageType::TYPE_2D, 1, 4, &[(Shape::D2Ms, V::TYPE_2D, 1), (Shape::D2MsArray, V::TYPE_2D_ARRAY, 1)]),
        ];
        for (ty, layers, samples, views) in kinds {
            let storage =
                if samples == 1 { vk::ImageUsageFlags::STORAGE } else { vk::ImageUsageFlags::COLOR_ATTACHMENT };
            let cube = layers == 6;
            let info = vk::ImageCreateInfo::default()
                .flags(if cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() })
                .image_type(ty)
                .format(format)
                .extent(vk::Extent3D { width: 1, height: 1, depth: 1 })
                .mip_levels(1)
                .array_layers(layers)
                .samples(vk::SampleCountFlags::from_raw(samples))
                .usage(vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST | storage);
            let image = RawImage::new(core, "rx zeros", &info)?;
            let raw = image.raw;
            self.held.get_mut().unwrap_or_else(PoisonError::into_inner).images.push(image);
            for &(shape, view, count) in views {
                if shape == Shape::CubeArray && core.features.core.image_cube_array == vk::FALSE {
                    continue;
                }
                let range = color_range(count);
                let info = vk::ImageViewCreateInfo::default()
                    .image(raw)
                    .view_type(view)
                    .format(format)
                    .subresource_range(range);
                let made = unsafe { core.raw.create_image_view(&info, None) };
                let made = made.map_err(vulkan("vkCreateImageView", "rx zeros"))?;
                self.images.insert((shape, component), made);
            }
        }
        Ok(())
    }

    /// What stands at an unbound descriptor.
    pub(crate) fn descriptor(
        &self,
        ty: DescriptorType,
        dimension: Option<Dimension>,
        component: Option<Component>,
    ) -> Descriptor {
        let component = component_index(component);
        let image = || {
            let shape = match dimension {
                Some(Dimension::D1) => Shape::D1,
                Some(Dimension::D1Array) => Shape::D1Array,
                Some(Dimension::D2Array) => Shape::D2Array,
                Some(Dimension::D2Ms) => Shape::D2Ms,
                Some(Dimension::D2MsArray) => Shape::D2MsArray,
                Some(Dimension::D3) => Shape::D3,
                Some(Dimension::Cube) => Shape::Cube,
                Some(Dimension::CubeArray) => Shape::CubeArray,
                _ => Shape::D2,
            };
            let view = self.images.get(&(shape, component)).copied().unwrap_or_default();
            Descriptor::image(view, vk::ImageLayout::GENERAL)
        };
        match ty {
            DescriptorType::Sampler => Descriptor::sampler(self.sampler),
            DescriptorType::CombinedImageSampler => image().with_sampler(self.sampler),
            DescriptorType::SampledImage | DescriptorType::StorageImage | DescriptorType::InputAttachment => image(),
            DescriptorType::UniformTexelBuffer | DescriptorType::StorageTexelBuffer => {
                Descriptor::texel(self.texels[usize::from(component)])
            }
            // A null buffer's range must be the whole.
            _ if self.buffer == vk::Buffer::null() => Descriptor::buffer(self.buffer, 0, vk::WHOLE_SIZE),
            _ => Descriptor::buffer(self.buffer, 0, ZEROS),
        }
    }

    pub(crate) fn destroy(&mut self, core: &Core) {
        // SAFETY: nothing uses them any more: either the device is idle, or making them failed.
        unsafe {
            core.raw.destroy_sampler(std::mem::take(&mut self.sampler), None);
            self.texels.iter_mut().for_each(|view| core.raw.destroy_buffer_view(std::mem::take(view), None));
            self.images.drain().for_each(|(_, view)| core.raw.destroy_image_view(view, None));
        }
        let held = self.held.get_mut().unwrap_or_else(PoisonError::into_inner);
        held.images.drain(..).for_each(|image| image.destroy(core));
        held.buffer.take().into_iter().for_each(|buffer| buffer.destroy(core));
    }
}

fn color_range(layers: u32) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        base_mip_level: 0,
        level_count: 1,
        base_array_layer: 0,
        layer_count: layers,
    }
}

impl Device {
    /// Writes the placeholders' zeros, once.
    pub(crate) fn clear_placeholders(&self) -> Result<(), Error> {
        let (buffer, images): (vk::Buffer, Vec<vk::Image>) = {
            let held = self.0.placeholders.held.lock().unwrap_or_else(PoisonError::into_inner);
            (self.0.placeholders.buffer, held.images.iter().map(|image| image.raw).collect())
        };
        if buffer == vk::Buffer::null() {
            return Ok(());
        }
        let mut recorder = self.record()?;
        let commands = recorder.commands()?;
        let raw = &self.0.core.raw;
        let all = vk::ImageSubresourceRange { layer_count: vk::REMAINING_ARRAY_LAYERS, ..color_range(1) };
        // SAFETY: the commands are being recorded, and the objects live as long as the device.
        unsafe {
            raw.cmd_fill_buffer(commands, buffer, 0, vk::WHOLE_SIZE, 0);
            for image in images {
                let to = vk::ImageMemoryBarrier::default()
                    .image(image)
                    .new_layout(vk::ImageLayout::GENERAL)
                    .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                    .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)
                    .subresource_range(all);
                let (before, after) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::TRANSFER);
                raw.cmd_pipeline_barrier(commands, before, after, vk::DependencyFlags::empty(), &[], &[], &[to]);
                let zero = vk::ClearColorValue { uint32: [0; 4] };
                raw.cmd_clear_color_image(commands, image, vk::ImageLayout::GENERAL, &zero, &[all]);
            }
            let done = vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::TRANSFER_WRITE)
                .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
            let (before, after) = (vk::PipelineStageFlags::TRANSFER, vk::PipelineStageFlags::ALL_COMMANDS);
            raw.cmd_pipeline_barrier(commands, before, after, vk::DependencyFlags::empty(), &[done], &[], &[]);
        }
        recorder.submit().map(|_| ())
    }
}

/// Sets in a pool, and descriptors of each type.
const POOL_SETS: u32 = 256;
const POOL_SIZES: &[(vk::DescriptorType, u32)] = &[
    (vk::DescriptorType::UNIFORM_BUFFER, 1024),
    (vk::DescriptorType::STORAGE_BUFFER, 1024),
    (vk::DescriptorType::SAMPLED_IMAGE, 2048),
    (vk::DescriptorType::SAMPLER, 1024),
    (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 512),
    (vk::DescriptorType::STORAGE_IMAGE, 512),
    (vk::DescriptorType::UNIFORM_TEXEL_BUFFER, 512),
    (vk::DescriptorType::STORAGE_TEXEL_BUFFER, 256),
    (vk::DescriptorType::INPUT_ATTACHMENT, 64),
];

/// Pools of one kind, one after another as each is exhausted.
#[derive(Default)]
struct Chain {
    pools: Vec<vk::DescriptorPool>,
    /// The pool that sets come from.
    current: usize,
}

/// A set that was written in this recording, and where its descriptors stand.
struct Written {
    set: vk::DescriptorSet,
    layout: vk::DescriptorSetLayout,
    first: usize,
    /// The one written before it with the same hash.
    before: Option<u32>,
}

/// Keys are hashes already.
#[derive(Clone, Copy, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The sets of one recording: written once each, given back together.
#[derive(Default)]
pub(crate) struct Sets {
    /// Without and with update-after-bind.
    chains: [Chain; 2],
    /// Pools made for one set that fits no other.
    singles: Vec<vk::DescriptorPool>,
    written: Vec<Written>,
    /// The last one written of each hash.
    by_hash: HashMap<u64, u32, BuildHasherDefault<AsIs>>,
    descriptors: Vec<Descriptor>,
}

impl Sets {
    /// A set of this layout with these descriptors: one written before in this recording, or a new one.
    pub(crate) fn get(
        &mut self,
        core: &Core,
        objects: &SetObjects,
        descriptors: &[Descriptor],
        tally: &mut Tally,
    ) -> Result<vk::DescriptorSet, Error> {
        let key = hash(objects.layout, descriptors);
        let last = self.by_hash.get(&key).copied();
        let mut next = last;
        while let Some(own) = next.and_then(|index| self.written.get(index as usize)) {
            let same =
                own.layout == objects.layout && self.descriptors[own.first..][..descriptors.len()] == *descriptors;
            if same {
                tally.reused += 1;
                return Ok(own.set);
            }
            next = own.before;
        }
        let set = self.allocate(core, objects, tally)?;
        objects.write(core, set, descriptors);
        tally.written += 1;
        let first = self.descriptors.len();
        self.descriptors.extend_from_slice(descriptors);
        self.by_hash.insert(key, self.written.len() as u32);
        self.written.push(Written { set, layout: objects.layout, first, before: last });
        Ok(set)
    }

    fn allocate(&mut self, core: &Core, objects: &SetObjects, tally: &mut Tally) -> Result<vk::DescriptorSet, Error> {
        let after_bind = objects.pool_flags.contains(vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND);
        loop {
            let chain = &mut self.chains[usize::from(after_bind)];
            let fresh = chain.current == chain.pools.len();
            if fresh {
                let sizes: Vec<vk::DescriptorPoolSize> = POOL_SIZES
                    .iter()
                    .map(|&(ty, descriptor_count)| vk::DescriptorPoolSize { ty, descriptor_count })
                    .collect();
                chain.pools.push(pool(core, objects.pool_flags, POOL_SETS, &sizes)?);
                tally.pools += 1;
            }
            match allocate(core, chain.pools[chain.current], objects.layout) {
                Ok(set) => return Ok(set),
                // An empty pool that has no room for it: the set is larger than any pool, and gets its own.
                Err(result) if exhausted(result) && fresh => break,
                Err(result) if exhausted(result) => chain.current += 1,
                Err(result) => return Err(vulkan("vkAllocateDescriptorSets", &objects.name)(result)),
            }
        }
        let single = pool(core, objects.pool_flags, 1, &objects.pool_sizes)?;
        self.singles.push(single);
        tally.pools += 1;
        allocate(core, single, objects.layout).map_err(vulkan("vkAllocateDescriptorSets", &objects.name))
    }

    /// Gives all sets back. The GPU is done with them.
    pub(crate) fn reset(&mut self, core: &Core) {
        // SAFETY: as the caller promises; resetting a pool does not fail by the specification.
        unsafe {
            for pool in self.chains.iter().flat_map(|chain| &chain.pools) {
                let _ = core.raw.reset_descriptor_pool(*pool, vk::DescriptorPoolResetFlags::empty());
            }
            self.singles.drain(..).for_each(|pool| core.raw.destroy_descriptor_pool(pool, None));
        }
        self.chains.iter_mut().for_each(|chain| chain.current = 0);
        self.written.clear();
        self.by_hash.clear();
        self.descriptors.clear();
    }

    /// Destroys the pools. The GPU is done with them.
    pub(crate) fn destroy(&mut self, core: &Core) {
        let chained = self.chains.iter_mut().flat_map(|chain| chain.pools.drain(..));
        // SAFETY: as the caller promises.
        chained.chain(self.singles.drain(..)).for_each(|pool| unsafe { core.raw.destroy_descriptor_pool(pool, None) });
    }
}

/// Whether another pool helps.
fn exhausted(result: vk::Result) -> bool {
    matches!(result, vk::Result::ERROR_OUT_OF_POOL_MEMORY | vk::Result::ERROR_FRAGMENTED_POOL)
}

fn pool(
    core: &Core,
    flags: vk::DescriptorPoolCreateFlags,
    sets: u32,
    sizes: &[vk::DescriptorPoolSize],
) -> Result<vk::DescriptorPool, Error> {
    let info = vk::DescriptorPoolCreateInfo::default().flags(flags).max_sets(sets).pool_sizes(sizes);
    // SAFETY: the device is live.
    unsafe { core.raw.create_descriptor_pool(&info, None) }
        .map_err(vulkan("vkCreateDescriptorPool", "a recording's sets"))
}

fn allocate(
    core: &Core,
    pool: vk::DescriptorPool,
    layout: vk::DescriptorSetLayout,
) -> Result<vk::DescriptorSet, vk::Result> {
    let layouts = [layout];
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
    // SAFETY: pool and layout are live, and only this recording uses the pool.
    let sets = unsafe { core.raw.allocate_descriptor_sets(&info) }?;
    sets.first().copied().ok_or(vk::Result::ERROR_UNKNOWN)
}

/// 64 bits of a set's contents: the three words of a descriptor go side by side, and are mixed at the end.
fn hash(layout: vk::DescriptorSetLayout, descriptors: &[Descriptor]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut lanes = [layout.as_raw(), 0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
    for descriptor in descriptors {
        for (lane, word) in lanes.iter_mut().zip(descriptor.0) {
            *lane = (*lane ^ word).wrapping_mul(FACTOR).rotate_left(29);
        }
    }
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    };
    lanes.into_iter().fold(FACTOR, fold)
}
