//! Samplers.

#![allow(unsafe_code)] // Vulkan calls.

use std::sync::Arc;

use ash::vk;

use crate::Error;
use crate::device::garbage::Trash;
use crate::device::{Device, Shared};

/// How texels are filtered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest.
    Point,
    /// Weighted.
    #[default]
    Linear,
}

impl Filter {
    fn texel(self) -> vk::Filter {
        match self {
            Filter::Point => vk::Filter::NEAREST,
            Filter::Linear => vk::Filter::LINEAR,
        }
    }

    fn mip(self) -> vk::SamplerMipmapMode {
        match self {
            Filter::Point => vk::SamplerMipmapMode::NEAREST,
            Filter::Linear => vk::SamplerMipmapMode::LINEAR,
        }
    }
}

/// What lies past the edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Address {
    /// The texture again.
    #[default]
    Wrap,
    /// The texture mirrored.
    Mirror,
    /// The edge.
    Clamp,
    /// The border's colour.
    Border,
}

impl Address {
    fn mode(self) -> vk::SamplerAddressMode {
        match self {
            Address::Wrap => vk::SamplerAddressMode::REPEAT,
            Address::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
            Address::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Address::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        }
    }
}

/// A border's colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Border {
    /// (0, 0, 0, 0).
    #[default]
    Transparent,
    /// (0, 0, 0, 1).
    Black,
    /// (1, 1, 1, 1).
    White,
}

impl Border {
    fn color(self) -> vk::BorderColor {
        match self {
            Border::Transparent => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            Border::Black => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            Border::White => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        }
    }
}

/// A comparison: of depths, stencils, or by a comparison sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The names are Direct3D's own.
pub enum Compare {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

impl Compare {
    pub(crate) fn op(self) -> vk::CompareOp {
        match self {
            Compare::Never => vk::CompareOp::NEVER,
            Compare::Less => vk::CompareOp::LESS,
            Compare::Equal => vk::CompareOp::EQUAL,
            Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
            Compare::Greater => vk::CompareOp::GREATER,
            Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
            Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
            Compare::Always => vk::CompareOp::ALWAYS,
        }
    }
}

/// What a sampler is to be. The default is linear in all three ways, wraps, and takes every level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerDesc<'a> {
    /// Name.
    pub name: &'a str,
    /// Between texels, for larger and for smaller.
    pub filter: Filter,
    /// Between levels.
    pub mip_filter: Filter,
    /// Past the edge, in all directions.
    pub address: Address,
    /// Border's colour.
    pub border: Border,
    /// Compares: a comparison sampler.
    pub compare: Option<Compare>,
    /// Largest ratio of anisotropic filtering, 1 to 16; 0 is off. Bounded by the device's own.
    pub max_anisotropy: f32,
    /// Added to the level.
    pub mip_bias: f32,
    /// Least and greatest level.
    pub lod: [f32; 2],
}

impl Default for SamplerDesc<'_> {
    fn default() -> Self {
        SamplerDesc {
            name: "sampler",
            filter: Filter::Linear,
            mip_filter: Filter::Linear,
            address: Address::Wrap,
            border: Border::Transparent,
            compare: None,
            max_anisotropy: 0.0,
            mip_bias: 0.0,
            lod: [0.0, vk::LOD_CLAMP_NONE],
        }
    }
}

impl SamplerDesc<'_> {
    pub(crate) fn info(&self, anisotropy: Option<f32>) -> vk::SamplerCreateInfo<'static> {
        let mode = self.address.mode();
        let ratio = anisotropy.map_or(0.0, |most| self.max_anisotropy.min(most));
        vk::SamplerCreateInfo::default()
            .mag_filter(self.filter.texel())
            .min_filter(self.filter.texel())
            .mipmap_mode(self.mip_filter.mip())
            .address_mode_u(mode)
            .address_mode_v(mode)
            .address_mode_w(mode)
            .border_color(self.border.color())
            .compare_enable(self.compare.is_some())
            .compare_op(self.compare.map_or(vk::CompareOp::NEVER, Compare::op))
            .anisotropy_enable(ratio >= 1.0)
            .max_anisotropy(ratio.max(1.0))
            .mip_lod_bias(self.mip_bias)
            .min_lod(self.lod[0])
            .max_lod(self.lod[1])
    }
}

/// A sampler.
#[derive(Clone)]
pub struct Sampler(pub(crate) Arc<SamplerInner>);

pub(crate) struct SamplerInner {
    pub(crate) raw: vk::Sampler,
    pub(crate) name: String,
    device: Arc<Shared>,
}

impl Drop for SamplerInner {
    fn drop(&mut self) {
        self.device.discard(Trash::Sampler(self.raw));
    }
}

impl Sampler {
    /// Vulkan's own handle, for what rx does not do.
    pub fn raw(&self) -> vk::Sampler {
        self.0.raw
    }
}

impl Device {
    /// Makes a sampler.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`] past the device's count of samplers.
    pub fn sampler(&self, desc: &SamplerDesc<'_>) -> Result<Sampler, Error> {
        let core = &self.0.core;
        let anisotropic = core.features.core.sampler_anisotropy == vk::TRUE;
        let info = desc.info(anisotropic.then_some(core.properties.limits.max_sampler_anisotropy));
        // SAFETY: the device is live.
        let raw = unsafe { core.raw.create_sampler(&info, None) };
        let raw = raw.map_err(self.failed("vkCreateSampler", desc.name))?;
        core.names.object(raw, desc.name);
        Ok(Sampler(Arc::new(SamplerInner { raw, name: desc.name.to_owned(), device: Arc::clone(&self.0) })))
    }
}
