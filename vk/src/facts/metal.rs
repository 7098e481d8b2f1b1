//! What Vulkan does not say of a Metal device, and what is taken where it is not known.

use rx_vendor_fixes::Version;
use serde::{Deserialize, Serialize};

use super::{DeviceFacts, Limits};

/// A Metal GPU family, by Apple's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum GpuFamily {
    Apple1,
    Apple2,
    /// A9, A10.
    Apple3,
    /// A11.
    Apple4,
    /// A12.
    Apple5,
    /// A13.
    Apple6,
    /// A14, M1.
    Apple7,
    /// A15, M2.
    Apple8,
    /// A17 Pro, M3.
    Apple9,
    /// M5.
    Apple10,
    /// Intel and NVIDIA GPUs of older Macs.
    Mac1,
    /// AMD and later Intel GPUs of Macs.
    Mac2,
}

impl GpuFamily {
    /// Textures of one stage in the discrete table (MoltenVK 1.4.2, MVKDevice.mm:2480, 2523, 2560, 2577).
    fn texture_table(self) -> u32 {
        match self {
            GpuFamily::Apple1 | GpuFamily::Apple2 | GpuFamily::Apple3 => 31,
            GpuFamily::Apple4 | GpuFamily::Apple5 => 96,
            _ => 128,
        }
    }

    /// Native texture swizzle: Mac2 and every Apple family (MVKDevice.mm:2509, 2529).
    fn native_swizzle(self) -> bool {
        self != GpuFamily::Mac1
    }

    /// Native texture atomics on a current system: Apple6 and later, and Mac2 (MVKDevice.mm:2471).
    fn native_atomics(self) -> bool {
        self >= GpuFamily::Apple6 && self != GpuFamily::Mac1
    }
}

/// What is known of the Metal device under a MoltenVK. Meaningless with any other driver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetalFacts {
    /// Highest family; gives what the fields below leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_family: Option<GpuFamily>,
    /// Textures in a stage's discrete table: 128, 96 or 31.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_table: Option<u32>,
    /// Whether the GPU swizzles textures itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_texture_swizzle: Option<bool>,
    /// Whether the GPU has atomics on textures; without them a storage image takes a buffer slot as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_texture_atomics: Option<bool>,
    /// Whether MoltenVK uses argument buffers (`MVK_CONFIG_USE_METAL_ARGUMENT_BUFFERS` and the system's version).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument_buffers: Option<bool>,
    /// Their tier: 1 or 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument_buffers_tier: Option<u32>,
    /// Whether MoltenVK emulates reversed-depth viewports with a buffer: AMD GPUs of family Mac2 without Metal 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emulates_reversed_depth: Option<bool>,
}

/// A tier 2 device's update-after-bind limit on sampled images (MoltenVK 1.4.2, MVKDevice.mm:864): the reliable sign
/// that ordinary sets are argument buffers.
const TIER_2_SAMPLED_IMAGES: u32 = 1_000_000;

impl MetalFacts {
    /// What MoltenVK's limits betray of the device: for a live device, of which nothing else is known.
    ///
    /// Without tier 2 the reported count of sampled images is the texture table itself; with it the table is hidden.
    pub fn from_limits(limits: &Limits) -> MetalFacts {
        let tier_2 =
            limits.max_per_stage_descriptor_update_after_bind_sampled_images.map(|n| n >= TIER_2_SAMPLED_IMAGES);
        let table = limits.max_per_stage_descriptor_sampled_images.filter(|&n| matches!(n, 31 | 96 | 128));
        MetalFacts {
            texture_table: table.filter(|_| tier_2 == Some(false)),
            argument_buffers_tier: tier_2.map(|yes| if yes { 2 } else { 1 }),
            ..MetalFacts::default()
        }
    }
}

/// Metal's facts with nothing left open: what is not known is that of an Apple M1 with argument buffers on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetalModel {
    /// Textures in a stage's discrete table.
    pub texture_table: u32,
    /// Whether the GPU swizzles textures itself.
    pub native_swizzle: bool,
    /// Whether the GPU has atomics on textures.
    pub native_atomics: bool,
    /// Whether MoltenVK uses argument buffers.
    pub argument_buffers: bool,
    /// Their tier.
    pub tier: u32,
    /// Whether reversed-depth viewports take a buffer.
    pub reversed_depth: bool,
    /// MoltenVK's version, where it is known.
    pub version: Option<Version>,
}

impl MetalModel {
    /// An Apple M1 with argument buffers on.
    pub const M1: MetalModel = MetalModel {
        texture_table: 128,
        native_swizzle: true,
        native_atomics: true,
        argument_buffers: true,
        tier: 2,
        reversed_depth: false,
        version: None,
    };

    /// The model of a device. With a driver other than MoltenVK (or one not known) it is the M1's.
    pub fn new(facts: &DeviceFacts) -> MetalModel {
        if !facts.is_moltenvk() {
            return MetalModel::M1;
        }
        let (metal, m1, family) = (&facts.metal, MetalModel::M1, facts.metal.gpu_family);
        MetalModel {
            texture_table: metal.texture_table.unwrap_or(family.map_or(m1.texture_table, GpuFamily::texture_table)),
            native_swizzle: metal
                .native_texture_swizzle
                .unwrap_or(family.map_or(m1.native_swizzle, GpuFamily::native_swizzle)),
            native_atomics: metal
                .native_texture_atomics
                .unwrap_or(family.map_or(m1.native_atomics, GpuFamily::native_atomics)),
            argument_buffers: metal.argument_buffers.unwrap_or(m1.argument_buffers),
            tier: metal.argument_buffers_tier.unwrap_or(m1.tier),
            reversed_depth: metal.emulates_reversed_depth.unwrap_or(m1.reversed_depth),
            version: facts.driver_version,
        }
    }
}
