//! Formats: Vulkan's numbers, under Direct3D's spelling of what they hold.

use ::rx_renderer::vk::FormatInfo;
use ::rx_renderer::vk::ash::vk;

use crate::result::Failure;

/// A format: any number of VkFormat. Those that Direct3D has too have a name here.
pub type rx_format = u32;
/// No format.
pub const RX_FORMAT_NONE: rx_format = 0;
/// VK_FORMAT_R4G4B4A4_UNORM_PACK16.
pub const RX_FORMAT_R4G4B4A4_UNORM: rx_format = 2;
/// VK_FORMAT_R5G6B5_UNORM_PACK16: DXGI's B5G6R5.
pub const RX_FORMAT_B5G6R5_UNORM: rx_format = 4;
/// VK_FORMAT_A1R5G5B5_UNORM_PACK16: DXGI's B5G5R5A1.
pub const RX_FORMAT_B5G5R5A1_UNORM: rx_format = 8;
/// VK_FORMAT_R8_UNORM.
pub const RX_FORMAT_R8_UNORM: rx_format = 9;
/// VK_FORMAT_R8_SNORM.
pub const RX_FORMAT_R8_SNORM: rx_format = 10;
/// VK_FORMAT_R8_UINT.
pub const RX_FORMAT_R8_UINT: rx_format = 13;
/// VK_FORMAT_R8_SINT.
pub const RX_FORMAT_R8_SINT: rx_format = 14;
/// VK_FORMAT_R8G8_UNORM.
pub const RX_FORMAT_R8G8_UNORM: rx_format = 16;
/// VK_FORMAT_R8G8_SNORM.
pub const RX_FORMAT_R8G8_SNORM: rx_format = 17;
/// VK_FORMAT_R8G8_UINT.
pub const RX_FORMAT_R8G8_UINT: rx_format = 20;
/// VK_FORMAT_R8G8_SINT.
pub const RX_FORMAT_R8G8_SINT: rx_format = 21;
/// VK_FORMAT_R8G8B8A8_UNORM.
pub const RX_FORMAT_R8G8B8A8_UNORM: rx_format = 37;
/// VK_FORMAT_R8G8B8A8_SNORM.
pub const RX_FORMAT_R8G8B8A8_SNORM: rx_format = 38;
/// VK_FORMAT_R8G8B8A8_UINT.
pub const RX_FORMAT_R8G8B8A8_UINT: rx_format = 41;
/// VK_FORMAT_R8G8B8A8_SINT.
pub const RX_FORMAT_R8G8B8A8_SINT: rx_format = 42;
/// VK_FORMAT_R8G8B8A8_SRGB.
pub const RX_FORMAT_R8G8B8A8_SRGB: rx_format = 43;
/// VK_FORMAT_B8G8R8A8_UNORM.
pub const RX_FORMAT_B8G8R8A8_UNORM: rx_format = 44;
/// VK_FORMAT_B8G8R8A8_SRGB.
pub const RX_FORMAT_B8G8R8A8_SRGB: rx_format = 50;
/// VK_FORMAT_A2B10G10R10_UNORM_PACK32: DXGI's R10G10B10A2.
pub const RX_FORMAT_R10G10B10A2_UNORM: rx_format = 64;
/// VK_FORMAT_A2B10G10R10_UINT_PACK32: DXGI's R10G10B10A2.
pub const RX_FORMAT_R10G10B10A2_UINT: rx_format = 68;
/// VK_FORMAT_R16_UNORM.
pub const RX_FORMAT_R16_UNORM: rx_format = 70;
/// VK_FORMAT_R16_SNORM.
pub const RX_FORMAT_R16_SNORM: rx_format = 71;
/// VK_FORMAT_R16_UINT.
pub const RX_FORMAT_R16_UINT: rx_format = 74;
/// VK_FORMAT_R16_SINT.
pub const RX_FORMAT_R16_SINT: rx_format = 75;
/// VK_FORMAT_R16_SFLOAT.
pub const RX_FORMAT_R16_FLOAT: rx_format = 76;
/// VK_FORMAT_R16G16_UNORM.
pub const RX_FORMAT_R16G16_UNORM: rx_format = 77;
/// VK_FORMAT_R16G16_SNORM.
pub const RX_FORMAT_R16G16_SNORM: rx_format = 78;
/// VK_FORMAT_R16G16_UINT.
pub const RX_FORMAT_R16G16_UINT: rx_format = 81;
/// VK_FORMAT_R16G16_SINT.
pub const RX_FORMAT_R16G16_SINT: rx_format = 82;
/// VK_FORMAT_R16G16_SFLOAT.
pub const RX_FORMAT_R16G16_FLOAT: rx_format = 83;
/// VK_FORMAT_R16G16B16A16_UNORM.
pub const RX_FORMAT_R16G16B16A16_UNORM: rx_format = 91;
/// VK_FORMAT_R16G16B16A16_SNORM.
pub const RX_FORMAT_R16G16B16A16_SNORM: rx_format = 92;
/// VK_FORMAT_R16G16B16A16_UINT.
pub const RX_FORMAT_R16G16B16A16_UINT: rx_format = 95;
/// VK_FORMAT_R16G16B16A16_SINT.
pub const RX_FORMAT_R16G16B16A16_SINT: rx_format = 96;
/// VK_FORMAT_R16G16B16A16_SFLOAT.
pub const RX_FORMAT_R16G16B16A16_FLOAT: rx_format = 97;
/// VK_FORMAT_R32_UINT.
pub const RX_FORMAT_R32_UINT: rx_format = 98;
/// VK_FORMAT_R32_SINT.
pub const RX_FORMAT_R32_SINT: rx_format = 99;
/// VK_FORMAT_R32_SFLOAT.
pub const RX_FORMAT_R32_FLOAT: rx_format = 100;
/// VK_FORMAT_R32G32_UINT.
pub const RX_FORMAT_R32G32_UINT: rx_format = 101;
/// VK_FORMAT_R32G32_SINT.
pub const RX_FORMAT_R32G32_SINT: rx_format = 102;
/// VK_FORMAT_R32G32_SFLOAT.
pub const RX_FORMAT_R32G32_FLOAT: rx_format = 103;
/// VK_FORMAT_R32G32B32_UINT.
pub const RX_FORMAT_R32G32B32_UINT: rx_format = 104;
/// VK_FORMAT_R32G32B32_SINT.
pub const RX_FORMAT_R32G32B32_SINT: rx_format = 105;
/// VK_FORMAT_R32G32B32_SFLOAT.
pub const RX_FORMAT_R32G32B32_FLOAT: rx_format = 106;
/// VK_FORMAT_R32G32B32A32_UINT.
pub const RX_FORMAT_R32G32B32A32_UINT: rx_format = 107;
/// VK_FORMAT_R32G32B32A32_SINT.
pub const RX_FORMAT_R32G32B32A32_SINT: rx_format = 108;
/// VK_FORMAT_R32G32B32A32_SFLOAT.
pub const RX_FORMAT_R32G32B32A32_FLOAT: rx_format = 109;
/// VK_FORMAT_B10G11R11_UFLOAT_PACK32: DXGI's R11G11B10.
pub const RX_FORMAT_R11G11B10_FLOAT: rx_format = 122;
/// VK_FORMAT_E5B9G9R9_UFLOAT_PACK32: DXGI's R9G9B9E5.
pub const RX_FORMAT_R9G9B9E5_FLOAT: rx_format = 123;
/// VK_FORMAT_D16_UNORM.
pub const RX_FORMAT_D16_UNORM: rx_format = 124;
/// VK_FORMAT_D32_SFLOAT.
pub const RX_FORMAT_D32_FLOAT: rx_format = 126;
/// VK_FORMAT_D24_UNORM_S8_UINT.
pub const RX_FORMAT_D24_UNORM_S8_UINT: rx_format = 129;
/// VK_FORMAT_D32_SFLOAT_S8_UINT.
pub const RX_FORMAT_D32_FLOAT_S8_UINT: rx_format = 130;
/// VK_FORMAT_BC1_RGBA_UNORM_BLOCK.
pub const RX_FORMAT_BC1_UNORM: rx_format = 133;
/// VK_FORMAT_BC1_RGBA_SRGB_BLOCK.
pub const RX_FORMAT_BC1_SRGB: rx_format = 134;
/// VK_FORMAT_BC2_UNORM_BLOCK.
pub const RX_FORMAT_BC2_UNORM: rx_format = 135;
/// VK_FORMAT_BC2_SRGB_BLOCK.
pub const RX_FORMAT_BC2_SRGB: rx_format = 136;
/// VK_FORMAT_BC3_UNORM_BLOCK.
pub const RX_FORMAT_BC3_UNORM: rx_format = 137;
/// VK_FORMAT_BC3_SRGB_BLOCK.
pub const RX_FORMAT_BC3_SRGB: rx_format = 138;
/// VK_FORMAT_BC4_UNORM_BLOCK.
pub const RX_FORMAT_BC4_UNORM: rx_format = 139;
/// VK_FORMAT_BC4_SNORM_BLOCK.
pub const RX_FORMAT_BC4_SNORM: rx_format = 140;
/// VK_FORMAT_BC5_UNORM_BLOCK.
pub const RX_FORMAT_BC5_UNORM: rx_format = 141;
/// VK_FORMAT_BC5_SNORM_BLOCK.
pub const RX_FORMAT_BC5_SNORM: rx_format = 142;
/// VK_FORMAT_BC6H_UFLOAT_BLOCK.
pub const RX_FORMAT_BC6H_UFLOAT: rx_format = 143;
/// VK_FORMAT_BC6H_SFLOAT_BLOCK.
pub const RX_FORMAT_BC6H_SFLOAT: rx_format = 144;
/// VK_FORMAT_BC7_UNORM_BLOCK.
pub const RX_FORMAT_BC7_UNORM: rx_format = 145;
/// VK_FORMAT_BC7_SRGB_BLOCK.
pub const RX_FORMAT_BC7_SRGB: rx_format = 146;

/// A format that rx knows.
pub(crate) fn format(number: rx_format, what: &str) -> Result<vk::Format, Failure> {
    let unknown = || Failure::value(what, format!("{number} is no format that rx knows"));
    let format = i32::try_from(number).map(vk::Format::from_raw).map_err(|_| unknown())?;
    FormatInfo::of(format).map(|_| format).ok_or_else(unknown)
}

/// The same, or none for 0.
pub(crate) fn format_or_none(number: rx_format, what: &str) -> Result<Option<vk::Format>, Failure> {
    if number == RX_FORMAT_NONE { Ok(None) } else { format(number, what).map(Some) }
}

/// The number of a format.
pub(crate) fn number(format: vk::Format) -> rx_format {
    format.as_raw().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_vulkan_s_number_of_its_comment() {
        let source = include_str!("format.rs");
        let pairs: Vec<(&str, &str)> = source.lines().zip(source.lines().skip(1)).collect();
        let mut seen = 0;
        for (comment, constant) in pairs {
            let Some(name) = comment.strip_prefix("/// VK_FORMAT_") else { continue };
            let name = name.split(['.', ':']).next().unwrap_or_default();
            let digits = constant.trim_end_matches(';').rsplit(' ').next().unwrap_or_default();
            let number: i32 = digits.parse().unwrap_or(-1);
            // The Debug form of ash's constants is Vulkan's name without its prefix.
            assert_eq!(format!("{:?}", vk::Format::from_raw(number)), name, "{constant}");
            assert!(format(number.unsigned_abs(), "format").is_ok(), "{constant}");
            seen += 1;
        }
        assert_eq!(seen, 67);
    }

    #[test]
    fn other_numbers_are_none() {
        for number in [1000, u32::MAX, 147] {
            assert!(format(number, "format").is_err(), "{number}");
        }
        assert_eq!(format_or_none(0, "format").ok(), Some(None));
    }
}
