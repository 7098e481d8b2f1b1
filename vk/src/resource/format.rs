//! What rx must know of a format: bytes of a texel or block, and its aspects.
//!
//! Numbers: the Vulkan specification, "Compatible Formats" (format compatibility classes).

use ash::vk;

/// A format's size and aspects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatInfo {
    /// Bytes of a texel, or of a block of a compressed format.
    pub block_bytes: u32,
    /// Width and height of a block in texels: 1 of a format that is not compressed.
    pub block_size: u32,
    /// Aspects.
    pub aspects: vk::ImageAspectFlags,
}

/// Formats by the bytes of a texel: first and last of each of Vulkan's runs of numbers.
const COLORS: &[(vk::Format, vk::Format, u32)] = &[
    (vk::Format::R4G4_UNORM_PACK8, vk::Format::R4G4_UNORM_PACK8, 1),
    (vk::Format::R4G4B4A4_UNORM_PACK16, vk::Format::A1R5G5B5_UNORM_PACK16, 2),
    (vk::Format::R8_UNORM, vk::Format::R8_SRGB, 1),
    (vk::Format::R8G8_UNORM, vk::Format::R8G8_SRGB, 2),
    (vk::Format::R8G8B8_UNORM, vk::Format::B8G8R8_SRGB, 3),
    (vk::Format::R8G8B8A8_UNORM, vk::Format::A2B10G10R10_SINT_PACK32, 4),
    (vk::Format::R16_UNORM, vk::Format::R16_SFLOAT, 2),
    (vk::Format::R16G16_UNORM, vk::Format::R16G16_SFLOAT, 4),
    (vk::Format::R16G16B16_UNORM, vk::Format::R16G16B16_SFLOAT, 6),
    (vk::Format::R16G16B16A16_UNORM, vk::Format::R16G16B16A16_SFLOAT, 8),
    (vk::Format::R32_UINT, vk::Format::R32_SFLOAT, 4),
    (vk::Format::R32G32_UINT, vk::Format::R32G32_SFLOAT, 8),
    (vk::Format::R32G32B32_UINT, vk::Format::R32G32B32_SFLOAT, 12),
    (vk::Format::R32G32B32A32_UINT, vk::Format::R32G32B32A32_SFLOAT, 16),
    (vk::Format::R64_UINT, vk::Format::R64_SFLOAT, 8),
    (vk::Format::R64G64_UINT, vk::Format::R64G64_SFLOAT, 16),
    (vk::Format::B10G11R11_UFLOAT_PACK32, vk::Format::E5B9G9R9_UFLOAT_PACK32, 4),
];

/// Block compressed formats, all of 4 x 4 texels.
const BLOCKS: &[(vk::Format, vk::Format, u32)] = &[
    (vk::Format::BC1_RGB_UNORM_BLOCK, vk::Format::BC1_RGBA_SRGB_BLOCK, 8),
    (vk::Format::BC2_UNORM_BLOCK, vk::Format::BC3_SRGB_BLOCK, 16),
    (vk::Format::BC4_UNORM_BLOCK, vk::Format::BC4_SNORM_BLOCK, 8),
    (vk::Format::BC5_UNORM_BLOCK, vk::Format::BC7_SRGB_BLOCK, 16),
];

fn find(runs: &[(vk::Format, vk::Format, u32)], format: vk::Format) -> Option<u32> {
    let inside = |&&(first, last, _): &&(vk::Format, vk::Format, u32)| {
        (first.as_raw()..=last.as_raw()).contains(&format.as_raw())
    };
    runs.iter().find(inside).map(|&(_, _, bytes)| bytes)
}

impl FormatInfo {
    /// What is known of a format; `None` for one that Direct3D has no counterpart of. A format of depth and stencil has
    /// the bytes of its depth.
    pub fn of(format: vk::Format) -> Option<FormatInfo> {
        use vk::ImageAspectFlags as A;
        let depth = |block_bytes, aspects| Some(FormatInfo { block_bytes, block_size: 1, aspects });
        match format {
            vk::Format::D16_UNORM => return depth(2, A::DEPTH),
            vk::Format::X8_D24_UNORM_PACK32 | vk::Format::D32_SFLOAT => return depth(4, A::DEPTH),
            vk::Format::S8_UINT => return depth(1, A::STENCIL),
            vk::Format::D16_UNORM_S8_UINT => return depth(2, A::DEPTH | A::STENCIL),
            vk::Format::D24_UNORM_S8_UINT | vk::Format::D32_SFLOAT_S8_UINT => {
                return depth(4, A::DEPTH | A::STENCIL);
            }
            _ => {}
        }
        let color = |block_bytes, block_size| FormatInfo { block_bytes, block_size, aspects: A::COLOR };
        let plain = find(COLORS, format).map(|bytes| color(bytes, 1));
        plain.or_else(|| find(BLOCKS, format).map(|bytes| color(bytes, 4)))
    }

    /// Whether it is of depth or stencil.
    pub fn is_depth(&self) -> bool {
        self.aspects.intersects(vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL)
    }

    /// Bytes of an image of one level, rows and layers tightly packed.
    pub fn bytes(&self, width: u32, height: u32, layers: u32) -> u64 {
        let blocks = |texels: u32| u64::from(texels.div_ceil(self.block_size));
        blocks(width) * blocks(height) * u64::from(layers) * u64::from(self.block_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_specification_s() {
        let bytes = |format| FormatInfo::of(format).map(|info| (info.block_bytes, info.block_size));
        let cases = [
            (vk::Format::R8_UNORM, 1),
            (vk::Format::R8G8_SNORM, 2),
            (vk::Format::R5G6B5_UNORM_PACK16, 2),
            (vk::Format::R8G8B8A8_SRGB, 4),
            (vk::Format::B8G8R8A8_UNORM, 4),
            (vk::Format::A2B10G10R10_UINT_PACK32, 4),
            (vk::Format::R16_SFLOAT, 2),
            (vk::Format::R16G16B16A16_SFLOAT, 8),
            (vk::Format::R32_UINT, 4),
            (vk::Format::R32G32B32_SFLOAT, 12),
            (vk::Format::R32G32B32A32_SINT, 16),
            (vk::Format::B10G11R11_UFLOAT_PACK32, 4),
            (vk::Format::D32_SFLOAT, 4),
        ];
        for (format, size) in cases {
            assert_eq!(bytes(format), Some((size, 1)), "{format:?}");
        }
        for (format, size) in [
            (vk::Format::BC1_RGBA_UNORM_BLOCK, 8),
            (vk::Format::BC3_SRGB_BLOCK, 16),
            (vk::Format::BC4_SNORM_BLOCK, 8),
            (vk::Format::BC6H_UFLOAT_BLOCK, 16),
            (vk::Format::BC7_SRGB_BLOCK, 16),
        ] {
            assert_eq!(bytes(format), Some((size, 4)), "{format:?}");
        }
        assert_eq!(bytes(vk::Format::UNDEFINED), None);
        assert_eq!(bytes(vk::Format::ETC2_R8G8B8_UNORM_BLOCK), None);
        // 5 x 5 texels of BC1: 2 x 2 blocks of 8 bytes, twice.
        assert_eq!(FormatInfo::of(vk::Format::BC1_RGB_UNORM_BLOCK).map(|info| info.bytes(5, 5, 2)), Some(64));
    }
}
