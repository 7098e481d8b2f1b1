//! Textures: made with their content, cleared, read back by rectangle.

use super::formats::{Aspect, Format};
use super::memory::LEAD;
use super::{Buffer, Device, Result, failed};
use ash::vk;
use rx_translate::interface::{Component, Dimension};

/// Shape of a texture's texels. Arrays, cubes and multisampled textures are 2D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 1D.
    D1,
    /// 2D.
    D2,
    /// 3D.
    D3,
}

/// What a texture is to be.
#[derive(Clone, Copy, Debug)]
pub struct TextureOptions {
    /// Shape.
    pub shape: Shape,
    /// Format.
    pub format: Format,
    /// Width, height and depth of level 0.
    pub size: [u32; 3],
    /// Array layers; a cube has six, a cube array a multiple.
    pub layers: u32,
    /// Mip levels.
    pub levels: u32,
    /// Samples a texel.
    pub samples: u32,
}

impl TextureOptions {
    /// A plain 2D texture of a DXGI format.
    pub fn d2(dxgi: u32, width: u32, height: u32) -> Result<TextureOptions> {
        let format = Format::of(dxgi).ok_or_else(|| format!("DXGI format {dxgi} is not in the harness's table"))?;
        Ok(TextureOptions { shape: Shape::D2, format, size: [width, height, 1], layers: 1, levels: 1, samples: 1 })
    }

    fn level_size(&self, level: u32) -> vk::Extent3D {
        let [width, height, depth] = self.size.map(|n| (n >> level).max(1));
        vk::Extent3D { width, height, depth }
    }

    fn samples(&self) -> vk::SampleCountFlags {
        vk::SampleCountFlags::from_raw(self.samples.max(1))
    }
}

/// A texture, always in the general layout.
pub struct Texture {
    device: &'static Device,
    pub(super) raw: vk::Image,
    memory: vk::DeviceMemory,
    /// What it is.
    pub options: TextureOptions,
}

impl Texture {
    /// A texture of zeros.
    pub fn new(device: &'static Device, options: TextureOptions) -> Result<Texture> {
        let texture = Texture::uninitialised(device, options)?;
        texture.clear([0; 4])?;
        Ok(texture)
    }

    /// A texture with content: for each level all layers, tightly packed.
    pub fn with_content(device: &'static Device, options: TextureOptions, content: &[u8]) -> Result<Texture> {
        let texture = Texture::uninitialised(device, options)?;
        let staging = Buffer::new(device, content)?;
        let mut regions = Vec::new();
        let mut offset = 0;
        for level in 0..options.levels {
            let extent = options.level_size(level);
            let bytes = u64::from(extent.width * extent.height * extent.depth * options.format.bytes);
            regions.push(texture.region(offset, level, 0..options.layers, vk::Offset3D::default(), extent));
            offset += bytes * u64::from(options.layers);
        }
        if offset != content.len() as u64 {
            return Err(format!("the texture holds {offset} bytes, its content has {}", content.len()));
        }
        // SAFETY: the regions lie in the buffer and in the image, whose layout is general.
        device.run(|raw, commands| unsafe {
            let layout = vk::ImageLayout::GENERAL;
            raw.cmd_copy_buffer_to_image(commands, staging.raw, texture.raw, layout, &regions);
        })?;
        Ok(texture)
    }

    fn uninitialised(device: &'static Device, options: TextureOptions) -> Result<Texture> {
        let kind = match options.shape {
            Shape::D1 => vk::ImageType::TYPE_1D,
            Shape::D2 => vk::ImageType::TYPE_2D,
            Shape::D3 => vk::ImageType::TYPE_3D,
        };
        let square = options.size[0] == options.size[1] && options.samples <= 1;
        let cube = options.shape == Shape::D2 && options.layers >= 6 && square;
        let mut flags = vk::ImageCreateFlags::empty();
        if cube {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        if options.format.aspect == Aspect::Color {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT;
        }
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(kind)
            .format(options.format.vulkan)
            .extent(options.level_size(0))
            .mip_levels(options.levels)
            .array_layers(options.layers)
            .samples(options.samples())
            .usage(usage(device, &options));
        // SAFETY: the device is live; memory and image are bound once.
        let texture = unsafe {
            let raw = device.raw.create_image(&info, None).map_err(failed("vkCreateImage"))?;
            let requirements = device.raw.get_image_memory_requirements(raw);
            let memory = device.allocate(requirements, vk::MemoryPropertyFlags::empty())?;
            device.raw.bind_image_memory(raw, memory, 0).map_err(failed("vkBindImageMemory"))?;
            Texture { device, raw, memory, options }
        };
        let barrier = [vk::ImageMemoryBarrier2::default()
            .dst_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
            .dst_access_mask(vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE)
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(vk::ImageLayout::GENERAL)
            .image(texture.raw)
            .subresource_range(texture.whole())];
        let dependency = vk::DependencyInfo::default().image_memory_barriers(&barrier);
        // SAFETY: the image is live.
        device.run(|raw, commands| unsafe { raw.cmd_pipeline_barrier2(commands, &dependency) })?;
        Ok(texture)
    }

    fn whole(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.options.format.aspects(),
            base_mip_level: 0,
            level_count: self.options.levels,
            base_array_layer: 0,
            layer_count: self.options.layers,
        }
    }

    fn region(
        &self,
        buffer_offset: u64,
        level: u32,
        layers: std::ops::Range<u32>,
        image_offset: vk::Offset3D,
        image_extent: vk::Extent3D,
    ) -> vk::BufferImageCopy {
        let image_subresource = vk::ImageSubresourceLayers {
            aspect_mask: self.options.format.read_aspect(),
            mip_level: level,
            base_array_layer: layers.start,
            layer_count: layers.end - layers.start,
        };
        vk::BufferImageCopy {
            buffer_offset: LEAD as u64 + buffer_offset,
            image_subresource,
            image_offset,
            image_extent,
            ..Default::default()
        }
    }

    /// Sets every texel: four float (or integer) words, or depth in the first.
    pub fn clear(&self, words: [u32; 4]) -> Result<()> {
        let range = [self.whole()];
        let layout = vk::ImageLayout::GENERAL;
        // SAFETY: the image is live and its layout is general.
        self.device.run(|raw, commands| unsafe {
            if self.options.format.aspect == Aspect::Color {
                let value = vk::ClearColorValue { uint32: words };
                raw.cmd_clear_color_image(commands, self.raw, layout, &value, &range);
            } else {
                let value = vk::ClearDepthStencilValue { depth: f32::from_bits(words[0]), stencil: words[1] };
                raw.cmd_clear_depth_stencil_image(commands, self.raw, layout, &value, &range);
            }
        })
    }

    /// The texels of a rectangle (left, top, right, bottom) of one layer and level, as bytes. A multisampled texture is
    /// resolved first.
    pub fn read(&self, level: u32, layer: u32, [left, top, right, bottom]: [u32; 4]) -> Result<Vec<u8>> {
        if self.options.samples > 1 {
            return self.resolved()?.read(level, layer, [left, top, right, bottom]);
        }
        let aspect = self.options.format.read_aspect();
        self.copy_out(level, layer, [left, top, right, bottom], aspect, self.options.format.bytes)
    }

    /// The stencil of every texel of a layer.
    pub fn stencil(&self, layer: u32) -> Result<Vec<u8>> {
        let [width, height, _] = self.options.size;
        self.copy_out(0, layer, [0, 0, width, height], vk::ImageAspectFlags::STENCIL, 1)
    }

    fn copy_out(
        &self,
        level: u32,
        layer: u32,
        [left, top, right, bottom]: [u32; 4],
        aspect: vk::ImageAspectFlags,
        bytes: u32,
    ) -> Result<Vec<u8>> {
        let depth = self.options.level_size(level).depth;
        let extent = vk::Extent3D { width: right - left, height: bottom - top, depth };
        let offset = vk::Offset3D { x: left as i32, y: top as i32, z: 0 };
        let bytes = (extent.width * extent.height * depth * bytes) as usize;
        let staging = Buffer::new(self.device, &vec![0; bytes])?;
        let mut regions = [self.region(0, level, layer..layer + 1, offset, extent)];
        regions[0].image_subresource.aspect_mask = aspect;
        // SAFETY: the region lies in the image and fits the buffer.
        self.device.run(|raw, commands| unsafe {
            raw.cmd_copy_image_to_buffer(commands, self.raw, vk::ImageLayout::GENERAL, staging.raw, &regions);
        })?;
        Ok(staging.bytes())
    }

    /// All texels of a layer's first level, as words.
    pub fn words(&self, layer: u32) -> Result<Vec<u32>> {
        let [width, height, _] = self.options.size;
        let bytes = self.read(0, layer, [0, 0, width, height])?;
        Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
    }

    /// A copy with one sample a texel, the samples averaged.
    fn resolved(&self) -> Result<Texture> {
        let target = Texture::new(self.device, TextureOptions { samples: 1, ..self.options })?;
        let layers = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: self.options.layers,
        };
        let region = vk::ImageResolve::default()
            .src_subresource(layers)
            .dst_subresource(layers)
            .extent(self.options.level_size(0));
        let layout = vk::ImageLayout::GENERAL;
        // SAFETY: both images are live, of one size and format, in the general layout.
        self.device.run(|raw, commands| unsafe {
            raw.cmd_resolve_image(commands, self.raw, layout, target.raw, layout, &[region]);
        })?;
        Ok(target)
    }

    /// A view as a shader declares it. `storage`: of the first level alone.
    pub(super) fn shader_view(
        &self,
        dimension: Dimension,
        component: Component,
        storage: bool,
    ) -> Result<vk::ImageView> {
        let (kind, layer_count) = match dimension {
            Dimension::D1 => (vk::ImageViewType::TYPE_1D, 1),
            Dimension::D1Array => (vk::ImageViewType::TYPE_1D_ARRAY, self.options.layers),
            Dimension::D2 | Dimension::D2Ms => (vk::ImageViewType::TYPE_2D, 1),
            Dimension::D2Array | Dimension::D2MsArray => (vk::ImageViewType::TYPE_2D_ARRAY, self.options.layers),
            Dimension::D3 => (vk::ImageViewType::TYPE_3D, 1),
            Dimension::Cube => (vk::ImageViewType::CUBE, 6),
            Dimension::CubeArray => (vk::ImageViewType::CUBE_ARRAY, self.options.layers / 6 * 6),
            Dimension::Buffer | Dimension::Subpass => {
                return Err(format!("a texture stands where {dimension:?} is asked"));
            }
        };
        let aspect_mask = self.options.format.read_aspect();
        let level_count = if storage { 1 } else { self.options.levels };
        let range = vk::ImageSubresourceRange { aspect_mask, level_count, layer_count, ..Default::default() };
        self.view(kind, self.options.format.of_component(component), range)
    }

    /// A view to draw into with what a pixel shader writes: every layer of the first level.
    pub(super) fn target_view(&self, component: Component) -> Result<vk::ImageView> {
        let layer_count = self.options.layers;
        let kind = if layer_count > 1 { vk::ImageViewType::TYPE_2D_ARRAY } else { vk::ImageViewType::TYPE_2D };
        let aspect_mask = self.options.format.aspects();
        let range = vk::ImageSubresourceRange { aspect_mask, level_count: 1, layer_count, ..Default::default() };
        self.view(kind, self.options.format.of_component(component), range)
    }

    fn view(&self, kind: vk::ImageViewType, format: Format, range: vk::ImageSubresourceRange) -> Result<vk::ImageView> {
        let info = vk::ImageViewCreateInfo::default()
            .image(self.raw)
            .view_type(kind)
            .format(format.vulkan)
            .subresource_range(range);
        // SAFETY: the image is live.
        unsafe { self.device.raw.create_image_view(&info, None) }.map_err(failed("vkCreateImageView"))
    }
}

/// Every usage that the format and the sample count allow.
fn usage(device: &Device, options: &TextureOptions) -> vk::ImageUsageFlags {
    use vk::{FormatFeatureFlags as Can, ImageUsageFlags as Usage};
    // SAFETY: the handles are live.
    let can = unsafe { device.instance.get_physical_device_format_properties(device.physical, options.format.vulkan) }
        .optimal_tiling_features;
    let mut usage = Usage::TRANSFER_SRC | Usage::TRANSFER_DST;
    let flat = options.shape == Shape::D2;
    let single = options.samples <= 1;
    for (needs, gives, applies) in [
        (Can::SAMPLED_IMAGE, Usage::SAMPLED, true),
        (Can::STORAGE_IMAGE, Usage::STORAGE, single),
        (Can::COLOR_ATTACHMENT, Usage::COLOR_ATTACHMENT, flat),
        (Can::DEPTH_STENCIL_ATTACHMENT, Usage::DEPTH_STENCIL_ATTACHMENT, flat),
    ] {
        if applies && can.contains(needs) {
            usage |= gives;
        }
    }
    usage
}

impl Drop for Texture {
    fn drop(&mut self) {
        // SAFETY: every submission has been waited for.
        unsafe {
            self.device.raw.destroy_image(self.raw, None);
            self.device.raw.free_memory(self.memory, None);
        }
    }
}
