//! Textures and views of them.

#![allow(unsafe_code)] // Vulkan calls.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::Allocation;
use rx_translate::interface::Dimension;

use super::FormatInfo;
use crate::Error;
use crate::device::core::Core;
use crate::device::garbage::Trash;
use crate::device::{Device, Shared};
use crate::error::vulkan;
use crate::memory::{MemoryUse, Tiling};
use crate::track::State;

/// A texture's kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextureKind {
    /// One-dimensional.
    D1,
    /// Two-dimensional.
    #[default]
    D2,
    /// Three-dimensional.
    D3,
    /// Cube: its layers are faces, six a cube.
    Cube,
}

/// What a texture is used for, copies apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextureUsage {
    /// Shaders sample or load it.
    pub sampled: bool,
    /// Shaders read or write it as a UAV.
    pub storage: bool,
    /// It is rendered to, as colour or depth by its format.
    pub target: bool,
}

/// What a texture is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureDesc<'a> {
    /// Name, for messages and debuggers.
    pub name: &'a str,
    /// Kind.
    pub kind: TextureKind,
    /// Format.
    pub format: vk::Format,
    /// Width, height and depth in texels; what the kind does not have is 1.
    pub size: [u32; 3],
    /// Array layers; of a cube six times its cubes.
    pub layers: u32,
    /// Levels.
    pub mips: u32,
    /// Samples: 1, 2, 4 …
    pub samples: u32,
    /// Uses.
    pub usage: TextureUsage,
}

impl<'a> TextureDesc<'a> {
    /// A plain two-dimensional texture, sampled and rendered to.
    pub fn d2(name: &'a str, format: vk::Format, width: u32, height: u32) -> TextureDesc<'a> {
        TextureDesc {
            name,
            kind: TextureKind::D2,
            format,
            size: [width, height, 1],
            layers: 1,
            mips: 1,
            samples: 1,
            usage: TextureUsage { sampled: true, storage: false, target: true },
        }
    }

    fn info(&self, format: FormatInfo) -> vk::ImageCreateInfo<'static> {
        use vk::ImageUsageFlags as U;
        let mut usage = U::TRANSFER_SRC | U::TRANSFER_DST;
        let target = if format.is_depth() { U::DEPTH_STENCIL_ATTACHMENT } else { U::COLOR_ATTACHMENT };
        for (on, flag) in
            [(self.usage.sampled, U::SAMPLED), (self.usage.storage, U::STORAGE), (self.usage.target, target)]
        {
            if on {
                usage |= flag;
            }
        }
        let (ty, flags) = match self.kind {
            TextureKind::D1 => (vk::ImageType::TYPE_1D, vk::ImageCreateFlags::empty()),
            TextureKind::D2 => (vk::ImageType::TYPE_2D, vk::ImageCreateFlags::empty()),
            TextureKind::D3 if self.usage.target => {
                (vk::ImageType::TYPE_3D, vk::ImageCreateFlags::TYPE_2D_ARRAY_COMPATIBLE)
            }
            TextureKind::D3 => (vk::ImageType::TYPE_3D, vk::ImageCreateFlags::empty()),
            TextureKind::Cube => (vk::ImageType::TYPE_2D, vk::ImageCreateFlags::CUBE_COMPATIBLE),
        };
        // Views of other formats, as Direct3D's typeless textures have them; depth has none.
        let flags = if format.is_depth() { flags } else { flags | vk::ImageCreateFlags::MUTABLE_FORMAT };
        let [width, height, depth] = self.size;
        vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(ty)
            .format(self.format)
            .extent(vk::Extent3D { width, height, depth })
            .mip_levels(self.mips)
            .array_layers(self.layers)
            .samples(vk::SampleCountFlags::from_raw(self.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED)
    }

    /// What is wrong with it.
    fn fault(&self, limits: &vk::PhysicalDeviceLimits) -> Option<String> {
        let most = match self.kind {
            TextureKind::D1 => [limits.max_image_dimension1_d, 1, 1],
            TextureKind::D2 => [limits.max_image_dimension2_d, limits.max_image_dimension2_d, 1],
            TextureKind::D3 => [limits.max_image_dimension3_d; 3],
            TextureKind::Cube => [limits.max_image_dimension_cube, limits.max_image_dimension_cube, 1],
        };
        let [width, height, depth] = self.size;
        let size = || format!("{width} x {height} x {depth}");
        let largest = width.max(height).max(depth);
        if self.size.contains(&0) || self.size.iter().zip(most).any(|(&own, most)| own > most) {
            return Some(format!("a size of {}; the device takes up to {most:?}", size()));
        }
        if self.layers == 0 || self.layers > limits.max_image_array_layers {
            return Some(format!("{} layers; the device takes up to {}", self.layers, limits.max_image_array_layers));
        }
        if self.mips == 0 || self.mips > largest.ilog2() + 1 {
            return Some(format!("{} levels; {} has {}", self.mips, size(), largest.ilog2() + 1));
        }
        if self.kind == TextureKind::Cube && (width != height || !self.layers.is_multiple_of(6)) {
            return Some(format!("a cube of {} and {} layers", size(), self.layers));
        }
        (!self.samples.is_power_of_two() || self.samples > 64).then(|| format!("{} samples", self.samples))
    }
}

/// An image and its memory, without an owner's care.
pub(crate) struct RawImage {
    pub(crate) raw: vk::Image,
    pub(crate) allocation: Option<Allocation>,
}

impl RawImage {
    pub(crate) fn new(core: &Core, name: &str, info: &vk::ImageCreateInfo<'_>) -> Result<RawImage, Error> {
        // SAFETY: the device is live; so in all of this file.
        let raw = unsafe { core.raw.create_image(info, None) }.map_err(vulkan("vkCreateImage", name))?;
        let mut image = RawImage { raw, allocation: None };
        match image.bind(core, name) {
            Ok(()) => {
                core.names.object(raw, name);
                Ok(image)
            }
            Err(error) => {
                image.destroy(core);
                Err(error)
            }
        }
    }

    fn bind(&mut self, core: &Core, name: &str) -> Result<(), Error> {
        // SAFETY: the image was made just now and has no memory.
        let requirements = unsafe { core.raw.get_image_memory_requirements(self.raw) };
        let allocation = core.memory.allocate(name, requirements, MemoryUse::Device, Tiling::Optimal)?;
        // SAFETY: the allocation fits the requirements and is this image's alone.
        let bound = unsafe { core.raw.bind_image_memory(self.raw, allocation.memory(), allocation.offset()) };
        self.allocation = Some(allocation);
        bound.map_err(vulkan("vkBindImageMemory", name))
    }

    /// Destroys it. The GPU is done with it.
    pub(crate) fn destroy(mut self, core: &Core) {
        // SAFETY: as the caller promises.
        unsafe { core.raw.destroy_image(self.raw, None) };
        self.allocation.take().into_iter().for_each(|memory| core.memory.free(memory));
    }
}

/// What tells one view of a texture from another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ViewKey {
    format: vk::Format,
    ty: vk::ImageViewType,
    aspects: vk::ImageAspectFlags,
    mips: (u32, u32),
    layers: (u32, u32),
}

/// A texture.
#[derive(Clone)]
pub struct Texture(pub(crate) Arc<TextureInner>);

pub(crate) struct TextureInner {
    pub(crate) id: u64,
    pub(crate) raw: vk::Image,
    pub(crate) name: String,
    pub(crate) kind: TextureKind,
    pub(crate) format: vk::Format,
    pub(crate) info: FormatInfo,
    pub(crate) size: [u32; 3],
    mips: u32,
    pub(crate) layers: u32,
    pub(crate) samples: u32,
    /// A state a level.
    pub(crate) states: Mutex<Vec<State>>,
    allocation: Mutex<Option<Allocation>>,
    /// A swapchain's own image is not destroyed.
    owned: bool,
    views: Mutex<HashMap<ViewKey, vk::ImageView>>,
    /// Of the whole texture, by type: what most draws bind, found without a lock.
    whole: [OnceLock<vk::ImageView>; WHOLE],
    pub(crate) device: Arc<Shared>,
}

/// Types of view, from `VK_IMAGE_VIEW_TYPE_1D` to `VK_IMAGE_VIEW_TYPE_CUBE_ARRAY`.
const WHOLE: usize = 7;

impl Drop for TextureInner {
    fn drop(&mut self) {
        for (_, view) in self.views.get_mut().unwrap_or_else(PoisonError::into_inner).drain() {
            self.device.discard(Trash::ImageView(view));
        }
        if self.owned {
            let allocation = self.allocation.get_mut().unwrap_or_else(PoisonError::into_inner).take();
            self.device.discard(Trash::Image(self.raw, allocation));
        }
    }
}

impl Device {
    /// Makes a texture. Its contents are undefined.
    ///
    /// # Errors
    /// [`Error::Argument`] for sizes, levels and layers that the device does not take; [`Error::OutOfMemory`].
    pub fn texture(&self, desc: &TextureDesc<'_>) -> Result<Texture, Error> {
        let argument = |why: String| Error::Argument { object: desc.name.to_owned(), why };
        let info = FormatInfo::of(desc.format).ok_or_else(|| argument(format!("format {:?}", desc.format)))?;
        if let Some(why) = desc.fault(self.limits()) {
            return Err(argument(why));
        }
        let create = desc.info(info);
        let core = &self.0.core;
        // SAFETY: the handles are live; the call only reads.
        let supported = unsafe {
            core.instance.raw().get_physical_device_image_format_properties(
                core.physical,
                create.format,
                create.image_type,
                create.tiling,
                create.usage,
                create.flags,
            )
        };
        match supported {
            Ok(most) if most.sample_counts.as_raw() & desc.samples == 0 => {
                return Err(argument(format!("{:?} with {} samples is not supported", desc.format, desc.samples)));
            }
            Ok(_) => {}
            Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED) => {
                return Err(argument(format!("{:?} is not supported for these uses: {:?}", desc.format, desc.usage)));
            }
            Err(result) => {
                return Err(self.failed("vkGetPhysicalDeviceImageFormatProperties", desc.name)(result));
            }
        }
        self.collect();
        let image = RawImage::new(core, desc.name, &create)?;
        Ok(self.wrap(image, desc, info, true))
    }

    /// A swapchain's image as a texture.
    pub(crate) fn presentable(&self, raw: vk::Image, desc: &TextureDesc<'_>, info: FormatInfo) -> Texture {
        self.wrap(RawImage { raw, allocation: None }, desc, info, false)
    }

    fn wrap(&self, image: RawImage, desc: &TextureDesc<'_>, info: FormatInfo, owned: bool) -> Texture {
        Texture(Arc::new(TextureInner {
            id: super::next_id(),
            raw: image.raw,
            name: desc.name.to_owned(),
            kind: desc.kind,
            format: desc.format,
            info,
            size: desc.size,
            mips: desc.mips,
            layers: desc.layers,
            samples: desc.samples,
            states: Mutex::new(vec![State::default(); desc.mips as usize]),
            allocation: Mutex::new(image.allocation),
            owned,
            views: Mutex::default(),
            whole: Default::default(),
            device: Arc::clone(&self.0),
        }))
    }
}

impl Texture {
    /// Name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Vulkan's own handle, for what rx does not do. rx knows nothing of its use.
    pub fn raw(&self) -> vk::Image {
        self.0.raw
    }

    /// Format.
    pub fn format(&self) -> vk::Format {
        self.0.format
    }

    /// Width, height and depth of the first level.
    pub fn size(&self) -> [u32; 3] {
        self.0.size
    }

    /// Array layers.
    pub fn layers(&self) -> u32 {
        self.0.layers
    }

    /// Levels.
    pub fn mips(&self) -> u32 {
        self.0.mips
    }

    /// Samples.
    pub fn samples(&self) -> u32 {
        self.0.samples
    }

    /// A number for some of its levels: those stand beside the texture's own.
    #[inline]
    pub(crate) fn key(&self, mips: &Range<u32>) -> u64 {
        self.0.id ^ u64::from(mips.start) << 40 ^ u64::from(mips.end) << 48
    }

    /// All of it.
    #[inline]
    pub fn whole(&self) -> View<'_> {
        View { texture: self, mips: 0..self.mips(), layers: 0..self.0.layers, format: self.0.format, stencil: false }
    }

    /// One level, all layers.
    pub fn mip(&self, mip: u32) -> View<'_> {
        View { mips: mip..mip.saturating_add(1), ..self.whole() }
    }
}

impl<'a> From<&'a Texture> for View<'a> {
    fn from(texture: &'a Texture) -> Self {
        texture.whole()
    }
}

/// The type of view that a shader's declaration asks for.
#[inline]
fn view_type(dimension: Dimension) -> vk::ImageViewType {
    use vk::ImageViewType as T;
    match dimension {
        Dimension::D1 => T::TYPE_1D,
        Dimension::D1Array => T::TYPE_1D_ARRAY,
        Dimension::D2 | Dimension::D2Ms | Dimension::Subpass | Dimension::Buffer => T::TYPE_2D,
        Dimension::D2Array | Dimension::D2MsArray => T::TYPE_2D_ARRAY,
        Dimension::D3 => T::TYPE_3D,
        Dimension::Cube => T::CUBE,
        Dimension::CubeArray => T::CUBE_ARRAY,
    }
}

/// A part of a texture, as a shader or a pass is to see it.
#[derive(Clone)]
pub struct View<'a> {
    /// Texture.
    pub texture: &'a Texture,
    /// Levels.
    pub mips: Range<u32>,
    /// Layers.
    pub layers: Range<u32>,
    /// Format: the texture's own, or one of the same texel size.
    pub format: vk::Format,
    /// The stencil aspect of a texture of depth and stencil.
    pub stencil: bool,
}

impl<'a> View<'a> {
    /// One layer of it.
    #[must_use]
    pub fn layer(self, layer: u32) -> View<'a> {
        View { layers: layer..layer.saturating_add(1), ..self }
    }

    /// In another format.
    #[must_use]
    pub fn with_format(self, format: vk::Format) -> View<'a> {
        View { format, ..self }
    }

    /// Bytes of its texels, tightly packed, where it is one level of a texture with one sample a texel.
    ///
    /// # Errors
    /// [`Error::Argument`] for several levels or samples, or past the texture's.
    pub fn bytes(&self) -> Result<u64, Error> {
        crate::recorder::level_bytes(self)
    }

    /// Width, height and depth of its first level.
    pub fn size(&self) -> [u32; 3] {
        self.texture.0.size.map(|texels| (texels >> self.mips.start.min(31)).max(1))
    }

    /// Whether it lies within its texture.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let (mips, layers) = (self.texture.mips(), self.texture.0.layers);
        let inside = |range: &Range<u32>, end: u32| range.start < range.end && range.end <= end;
        // A level of a volume has its depth as layers, where it is rendered to.
        let layers = if self.texture.0.kind == TextureKind::D3 { self.texture.0.size[2].max(layers) } else { layers };
        if inside(&self.mips, mips) && inside(&self.layers, layers) {
            return Ok(());
        }
        let why = format!("levels {:?} of {mips}, layers {:?} of {layers}", self.mips, self.layers);
        Err(Error::Argument { object: self.texture.0.name.clone(), why })
    }

    /// What it is of an image.
    pub(crate) fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.texture.0.info.aspects,
            base_mip_level: self.mips.start,
            level_count: self.mips.end - self.mips.start,
            base_array_layer: self.layers.start,
            layer_count: self.layers.end - self.layers.start,
        }
    }

    /// The view as a shader's declaration of this shape asks for it.
    pub(crate) fn shaped(&self, dimension: Dimension) -> Result<vk::ImageView, Error> {
        use vk::ImageViewType as T;
        if let Some(known) = self.known(dimension) {
            return Ok(known);
        }
        let ty = view_type(dimension);
        let mut view = self.clone();
        // A shape without layers sees the first.
        match ty {
            T::TYPE_1D | T::TYPE_2D => view.layers.end = view.layers.start + 1,
            T::CUBE if view.layers.end - view.layers.start > 6 => view.layers.end = view.layers.start + 6,
            T::TYPE_3D => view.layers = 0..1,
            _ => {}
        }
        if let Some(why) = view.misfit(ty) {
            return Err(Error::Argument { object: self.texture.0.name.clone(), why });
        }
        let depth = vk::ImageAspectFlags::DEPTH;
        let aspects = match self.texture.0.info.aspects {
            own if own.contains(depth) && !self.stencil => depth,
            own if own.contains(vk::ImageAspectFlags::STENCIL) => vk::ImageAspectFlags::STENCIL,
            own => own,
        };
        let made = view.get(ty, aspects)?;
        Ok(self.of_whole(ty).map_or(made, |known| *known.get_or_init(|| made)))
    }

    /// The same where it was made before, and is of the whole texture.
    #[inline]
    pub(crate) fn known(&self, dimension: Dimension) -> Option<vk::ImageView> {
        self.of_whole(view_type(dimension))?.get().copied()
    }

    #[inline]
    fn of_whole(&self, ty: vk::ImageViewType) -> Option<&OnceLock<vk::ImageView>> {
        let own = &self.texture.0;
        let whole = self.mips == (0..own.mips) && self.layers == (0..own.layers);
        let same = self.format == own.format && !self.stencil;
        own.whole.get(ty.as_raw() as usize).filter(|_| whole && same)
    }

    /// Why the texture cannot be seen as this type.
    fn misfit(&self, ty: vk::ImageViewType) -> Option<String> {
        use vk::ImageViewType as T;
        let kinds: &[TextureKind] = match ty {
            T::TYPE_1D | T::TYPE_1D_ARRAY => &[TextureKind::D1],
            T::TYPE_3D => &[TextureKind::D3],
            T::CUBE | T::CUBE_ARRAY => &[TextureKind::Cube],
            _ => &[TextureKind::D2, TextureKind::Cube],
        };
        let kind = self.texture.0.kind;
        if !kinds.contains(&kind) {
            return Some(format!("the shader declares {ty:?}, the texture is {kind:?}"));
        }
        let layers = self.layers.end - self.layers.start;
        let cubes = matches!(ty, T::CUBE | T::CUBE_ARRAY);
        (cubes && (layers == 0 || !layers.is_multiple_of(6))).then(|| format!("a cube of {layers} layers"))
    }

    /// The view as a pass renders to it: one level, all aspects.
    pub(crate) fn attachment(&self) -> Result<vk::ImageView, Error> {
        self.check()?;
        let mut view = self.clone();
        view.mips.end = view.mips.start + 1;
        let array = view.layers.end - view.layers.start > 1;
        let ty = if array { vk::ImageViewType::TYPE_2D_ARRAY } else { vk::ImageViewType::TYPE_2D };
        view.get(ty, self.texture.0.info.aspects)
    }

    fn get(&self, ty: vk::ImageViewType, aspects: vk::ImageAspectFlags) -> Result<vk::ImageView, Error> {
        self.check()?;
        let inner = &self.texture.0;
        let key = ViewKey {
            format: self.format,
            ty,
            aspects,
            mips: (self.mips.start, self.mips.end),
            layers: (self.layers.start, self.layers.end),
        };
        let mut views = inner.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&view) = views.get(&key) {
            return Ok(view);
        }
        let range = vk::ImageSubresourceRange { aspect_mask: aspects, ..self.range() };
        let info = vk::ImageViewCreateInfo::default()
            .image(inner.raw)
            .view_type(ty)
            .format(self.format)
            .subresource_range(range);
        // SAFETY: the image is live, and the range lies in it.
        let made = unsafe { inner.device.core.raw.create_image_view(&info, None) };
        let view = made.map_err(vulkan("vkCreateImageView", &inner.name))?;
        views.insert(key, view);
        Ok(view)
    }
}
