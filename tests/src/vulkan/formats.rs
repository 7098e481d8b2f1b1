//! DXGI formats, by number, as Vulkan has them.

use ash::vk::{self, Format as F};
use rx_translate::interface::Component;

/// What a format's texels are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Colour.
    Color,
    /// Depth alone.
    Depth,
    /// Depth and stencil.
    DepthStencil,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// DXGI's number.
    pub dxgi: u32,
    /// Vulkan's format.
    pub vulkan: vk::Format,
    /// Bytes of a texel in memory.
    pub bytes: u32,
    /// Kind.
    pub aspect: Aspect,
}

/// DXGI number, Vulkan format, bytes. Typeless formats stand for the type that the tests give them.
const COLOR: &[(u32, vk::Format, u32)] = &[
    (2, F::R32G32B32A32_SFLOAT, 16),
    (3, F::R32G32B32A32_UINT, 16),
    (4, F::R32G32B32A32_SINT, 16),
    (6, F::R32G32B32_SFLOAT, 12),
    (7, F::R32G32B32_UINT, 12),
    (8, F::R32G32B32_SINT, 12),
    (10, F::R16G16B16A16_SFLOAT, 8),
    (11, F::R16G16B16A16_UNORM, 8),
    (12, F::R16G16B16A16_UINT, 8),
    (13, F::R16G16B16A16_SNORM, 8),
    (14, F::R16G16B16A16_SINT, 8),
    (16, F::R32G32_SFLOAT, 8),
    (17, F::R32G32_UINT, 8),
    (18, F::R32G32_SINT, 8),
    (24, F::A2B10G10R10_UNORM_PACK32, 4),
    (26, F::B10G11R11_UFLOAT_PACK32, 4),
    (28, F::R8G8B8A8_UNORM, 4),
    (29, F::R8G8B8A8_SRGB, 4),
    (30, F::R8G8B8A8_UINT, 4),
    (31, F::R8G8B8A8_SNORM, 4),
    (32, F::R8G8B8A8_SINT, 4),
    (34, F::R16G16_SFLOAT, 4),
    (35, F::R16G16_UNORM, 4),
    (36, F::R16G16_UINT, 4),
    (39, F::R32_UINT, 4),
    (41, F::R32_SFLOAT, 4),
    (42, F::R32_UINT, 4),
    (43, F::R32_SINT, 4),
    (49, F::R8G8_UNORM, 2),
    (54, F::R16_SFLOAT, 2),
    (56, F::R16_UNORM, 2),
    (57, F::R16_UINT, 2),
    (59, F::R16_SINT, 2),
    (61, F::R8_UNORM, 1),
    (62, F::R8_UINT, 1),
    (64, F::R8_SINT, 1),
    (87, F::B8G8R8A8_UNORM, 4),
];

/// Formats of the same bits as float, unsigned and signed integer, by DXGI number; 0 is none.
const FAMILIES: &[[u32; 3]] =
    &[[2, 3, 4], [6, 7, 8], [0, 12, 14], [16, 17, 18], [0, 30, 32], [41, 42, 43], [0, 57, 59], [0, 62, 64]];

impl Format {
    /// The format of the same bits whose components are what a shader declares, where there is one. Direct3D lets a
    /// shader's type and a view's differ and keeps the bits; Vulkan wants them to be the same.
    pub(super) fn of_component(self, component: Component) -> Format {
        let place = match component {
            Component::Float | Component::Double => 0,
            Component::Uint => 1,
            Component::Sint => 2,
        };
        let family = FAMILIES.iter().find(|family| family.contains(&self.dxgi) && self.aspect == Aspect::Color);
        family.and_then(|family| Format::of(family[place])).unwrap_or(self)
    }

    /// By DXGI number; `None` where no test has needed it yet.
    pub fn of(dxgi: u32) -> Option<Format> {
        if dxgi == 40 {
            return Some(Format { dxgi, vulkan: F::D32_SFLOAT, bytes: 4, aspect: Aspect::Depth });
        }
        if dxgi == 20 {
            return Some(Format { dxgi, vulkan: F::D32_SFLOAT_S8_UINT, bytes: 4, aspect: Aspect::DepthStencil });
        }
        let &(_, vulkan, bytes) = COLOR.iter().find(|(n, ..)| *n == dxgi)?;
        Some(Format { dxgi, vulkan, bytes, aspect: Aspect::Color })
    }

    /// The depth format of a colour format that a comparison samples: Vulkan compares depth only.
    pub fn as_shadow(self) -> Format {
        match self.dxgi {
            41 | 39 => Format { vulkan: F::D32_SFLOAT, aspect: Aspect::Depth, ..self },
            56 => Format { vulkan: F::D16_UNORM, aspect: Aspect::Depth, ..self },
            _ => self,
        }
    }

    /// The aspect whose texels are copied and sampled.
    pub(super) fn read_aspect(self) -> vk::ImageAspectFlags {
        match self.aspect {
            Aspect::Color => vk::ImageAspectFlags::COLOR,
            _ => vk::ImageAspectFlags::DEPTH,
        }
    }

    /// Every aspect.
    pub(super) fn aspects(self) -> vk::ImageAspectFlags {
        match self.aspect {
            Aspect::Color => vk::ImageAspectFlags::COLOR,
            Aspect::Depth => vk::ImageAspectFlags::DEPTH,
            Aspect::DepthStencil => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        }
    }
}
