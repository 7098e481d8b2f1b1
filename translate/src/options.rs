//! What a caller chooses: the translation profile, the binding model and what goes into the key.

use serde::{Deserialize, Serialize};

/// Environment that the SPIR-V is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Target {
    /// Vulkan 1.1: SPIR-V 1.3.
    #[serde(rename = "vulkan1.1")]
    Vulkan11,
    /// Vulkan 1.2: SPIR-V 1.5.
    #[serde(rename = "vulkan1.2")]
    Vulkan12,
    /// Vulkan 1.3: SPIR-V 1.6.
    #[default]
    #[serde(rename = "vulkan1.3")]
    Vulkan13,
}

impl Target {
    /// SPIR-V version, major and minor.
    pub fn spirv_version(self) -> (u8, u8) {
        match self {
            Target::Vulkan11 => (1, 3),
            Target::Vulkan12 => (1, 5),
            Target::Vulkan13 => (1, 6),
        }
    }
}

/// Who keeps an access inside its resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Robustness {
    /// The device: robustBufferAccess2 or robustImageAccess2 is on.
    #[default]
    Device,
    /// The shader: guards are written around each access that could leave its resource.
    Explicit,
    /// Nobody: for trusted shaders.
    Off,
}

/// Robustness for each class of resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RobustnessByClass {
    /// Constant buffers.
    pub uniform: Robustness,
    /// Raw and structured buffers.
    pub storage: Robustness,
    /// Typed buffers.
    pub texel: Robustness,
    /// Textures.
    pub image: Robustness,
}

impl RobustnessByClass {
    /// The same choice for every class.
    pub fn all(robustness: Robustness) -> Self {
        RobustnessByClass { uniform: robustness, storage: robustness, texel: robustness, image: robustness }
    }
}

/// How the bytes of a storage buffer are known where a shader asks, or a guard needs them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BufferLengths {
    /// `OpArrayLength`.
    #[default]
    ArrayLength,
    /// One `u32` of bytes a buffer in push constants, in the order of the bindings (MoltenVK: keeps a set pushed).
    PushConstants,
}

/// How the bytes of a constant buffer are known where guards need them ([`Robustness::Explicit`] for uniform buffers):
/// Vulkan cannot be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConstantLengths {
    /// What the shader declares, or 64 KiB where it declares no end. What is bound must not be shorter.
    #[default]
    Declared,
    /// One `u32` of bytes a constant buffer in push constants, in the order of the bindings, after what is pushed of
    /// storage buffers. Every read is held against it, so that a shorter buffer gives zeros past its end.
    PushConstants,
}

/// Where the view of a storage buffer begins in what is bound.
///
/// A view of Direct3D may begin at any element; Vulkan binds at multiples of `minStorageBufferOffsetAlignment`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BufferOffsets {
    /// Where the descriptor begins.
    #[default]
    None,
    /// As many elements later as a `u32` a buffer in push constants says, in the order of the bindings, after the
    /// lengths where there are any. Elements are a structured buffer's records and sixteen bytes of a raw one, to which
    /// Direct3D aligns its views. The descriptor's range ends where the view does; a pushed length is the view's own.
    /// The offset of a counter is not read.
    PushConstants,
}

/// The features of a device that the SPIR-V may use. `full()` has every one that rx can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Features {
    /// `shaderDemoteToHelperInvocation`.
    pub demote_to_helper: bool,
    /// `shaderDrawParameters`: BaseVertex and BaseInstance.
    pub draw_parameters: bool,
    /// `shaderStorageImageReadWithoutFormat`.
    pub read_without_format: bool,
    /// `shaderStorageImageWriteWithoutFormat`.
    pub write_without_format: bool,
    /// `shaderImageGatherExtended`.
    pub gather_extended: bool,
    /// `shaderResourceResidency`.
    pub residency: bool,
    /// `shaderResourceMinLod`.
    pub min_lod: bool,
    /// `imageCubeArray`.
    pub cube_array: bool,
    /// `sampleRateShading`.
    pub sample_rate_shading: bool,
    /// `shaderOutputViewportIndex` and `shaderOutputLayer` outside the geometry stage.
    pub viewport_layer_any_stage: bool,
    /// `shaderTessellationAndGeometryPointSize`: a geometry shader that gives points writes their size, which Vulkan asks
    /// for where this is on and forbids where it is off.
    pub point_size_any_stage: bool,
    /// `shaderStencilExport` (VK_EXT_shader_stencil_export).
    pub stencil_export: bool,
    /// `shaderFloat64`.
    pub float64: bool,
    /// `shaderFloat16`.
    pub float16: bool,
    /// `shaderInt64`.
    pub int64: bool,
    /// `runtimeDescriptorArray` and the non-uniform indexing features.
    pub descriptor_indexing: bool,
    /// `fragmentShaderPixelInterlock`.
    pub fragment_interlock: bool,
    /// `fullyCoveredFragmentShaderInputVariable` (VK_EXT_conservative_rasterization).
    pub fully_covered: bool,
    /// `scalarBlockLayout`.
    pub scalar_block_layout: bool,
    /// `shaderImageFloat32Atomics` (VK_EXT_shader_atomic_float): exchanges in typed views of floats.
    pub image_float32_atomics: bool,
}

impl Features {
    /// Every feature that rx can use.
    pub fn full() -> Self {
        Features {
            demote_to_helper: true,
            draw_parameters: true,
            read_without_format: true,
            write_without_format: true,
            gather_extended: true,
            residency: true,
            min_lod: true,
            cube_array: true,
            sample_rate_shading: true,
            viewport_layer_any_stage: true,
            point_size_any_stage: true,
            stencil_export: true,
            float64: true,
            float16: true,
            int64: true,
            descriptor_indexing: true,
            fragment_interlock: true,
            fully_covered: true,
            scalar_block_layout: true,
            image_float32_atomics: true,
        }
    }

    /// No feature: what every Vulkan device has.
    pub fn none() -> Self {
        Features {
            demote_to_helper: false,
            draw_parameters: false,
            read_without_format: false,
            write_without_format: false,
            gather_extended: false,
            residency: false,
            min_lod: false,
            cube_array: false,
            sample_rate_shading: false,
            viewport_layer_any_stage: false,
            point_size_any_stage: false,
            stencil_export: false,
            float64: false,
            float16: false,
            int64: false,
            descriptor_indexing: false,
            fragment_interlock: false,
            fully_covered: false,
            scalar_block_layout: false,
            image_float32_atomics: false,
        }
    }
}

impl Default for Features {
    fn default() -> Self {
        Features::full()
    }
}

/// What of floats the device can be told (`VkPhysicalDeviceFloatControlsProperties`): each is written for a module that
/// has floats of that width. Without them arithmetic is as the driver has it, which is what most have.
///
/// None by default, since no driver has all; a device's profile has its own. On a device whose
/// `denormBehaviorIndependence` is 32-bit only, `preserve_f16` and `preserve_f64` must be the same, and where it is none
/// there is nothing to choose; the same of `roundingModeIndependence`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct FloatControls {
    /// `shaderDenormFlushToZeroFloat32`: denormals of 32-bit floats are zeros, as in Direct3D.
    pub flush_f32: bool,
    /// `shaderDenormPreserveFloat16`.
    pub preserve_f16: bool,
    /// `shaderDenormPreserveFloat64`.
    pub preserve_f64: bool,
    /// `shaderRoundingModeRTEFloat32`: results round to the nearest.
    pub nearest_f32: bool,
    /// `shaderRoundingModeRTEFloat64`.
    pub nearest_f64: bool,
    /// `shaderSignedZeroInfNanPreserveFloat32`: no infinity, NaN or sign of a zero is reasoned away.
    pub specials_f32: bool,
    /// `shaderSignedZeroInfNanPreserveFloat64`.
    pub specials_f64: bool,
}

impl FloatControls {
    /// Everything.
    pub const ALL: FloatControls = FloatControls {
        flush_f32: true,
        preserve_f16: true,
        preserve_f64: true,
        nearest_f32: true,
        nearest_f64: true,
        specials_f32: true,
        specials_f64: true,
    };
}

/// What is written otherwise because a driver gets the plain form wrong. None by default. They act on what rx writes
/// itself and on what naga writes of WGSL and GLSL; never on SPIR-V that was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct TranslationFixes {
    /// `PointSize = 1` is written by every stage that can end before the rasteriser. In tessellation evaluation and
    /// geometry stages that needs `shaderTessellationAndGeometryPointSize`.
    pub point_size: bool,
    /// Whole turns are taken off an angle before its sine and cosine.
    pub sine_range: bool,
    /// `itof` and `utof` convert the halves of a number, each exactly, and join them.
    pub int_to_float: bool,
    /// `NClamp` is written as `NMin` of `NMax`. Of WGSL and GLSL none is written.
    pub split_clamp: bool,
    /// A switch over values that lie far apart goes over the cases' numbers, found by comparisons.
    pub dense_switch: bool,
    /// The absolute value and the negation of 32-bit floats are written on their bits.
    pub float_bits: bool,
    /// Inputs and outputs have no names, also where `Options::names` asks for them. Of WGSL and GLSL nothing has.
    pub bare_varyings: bool,
}

impl TranslationFixes {
    /// None.
    pub const NONE: TranslationFixes = TranslationFixes {
        point_size: false,
        sine_range: false,
        int_to_float: false,
        split_clamp: false,
        dense_switch: false,
        float_bits: false,
        bare_varyings: false,
    };
}

/// Everything about the device that reaches the words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// Environment.
    pub target: Target,
    /// Features.
    pub features: Features,
    /// Robustness.
    pub robustness: RobustnessByClass,
    /// How buffer lengths are known.
    pub buffer_lengths: BufferLengths,
    /// How the lengths of constant buffers are known to guards.
    pub constant_lengths: ConstantLengths,
    /// Where storage buffers' views begin.
    pub buffer_offsets: BufferOffsets,
    /// What of floats the device can be told. Of Direct3D shaders.
    pub float_controls: FloatControls,
    /// What the driver gets wrong.
    pub fixes: TranslationFixes,
}

/// What a stage before the rasteriser streams out (`D3D11_SO_DECLARATION_ENTRY`), and which stream is rasterised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamOutput {
    /// Entries in order: those of one buffer follow one another in it.
    pub entries: Vec<StreamOutputEntry>,
    /// Bytes from one vertex to the next in each buffer; 0 takes what the entries come to.
    pub strides: [u32; 4],
    /// Stream that is rasterised: its position and locations are the pipeline's.
    pub rasterized_stream: u8,
}

/// Components that are streamed out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct StreamOutputEntry {
    /// Geometry stream.
    pub stream: u8,
    /// Semantic name, in any case; `None` is a gap.
    pub semantic: Option<String>,
    /// Semantic index.
    pub index: u32,
    /// First component, counted from the element's first.
    pub first_component: u8,
    /// Number of components.
    pub components: u8,
    /// Buffer, 0 to 3.
    pub buffer: u8,
}

/// What reads GLSL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlslFrontEnd {
    /// naga, in Rust: vertex, fragment and compute shaders of the part of GLSL that `docs/glsl.md` lists.
    #[default]
    Naga,
    /// glslang, in C++: all of GLSL, where the crate's feature `glslang` is on. Bindings are those of the text.
    Glslang,
}

/// Options of a translation. All of them are part of a cache's key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The device's side.
    pub profile: Profile,
    /// Where resources are bound.
    pub bindings: crate::bindings::BindingModel,
    /// What is streamed out.
    pub stream_output: StreamOutput,
    /// Bytes before the stage's own push constants, in fours: what the stages before it take (their
    /// `StageInterface::push_constant_bytes`). What a text or a module says itself stays where it is.
    pub push_constant_offset: u32,
    /// The pipeline blends with two sources (`D3D11_BLEND_SRC1_COLOR`, …): a pixel shader's `SV_Target1` is the second
    /// source of target 0 (`Location` 0, `Index` 1). Of Direct3D shaders; needs the device's `dualSrcBlend`.
    pub dual_source: bool,
    /// Write `OpName` from reflection data and signatures.
    pub names: bool,
    /// Refuse what would be adapted.
    pub strict: bool,
    /// Entry point of a WGSL or SPIR-V module; `None` takes the only one.
    pub entry: Option<String>,
    /// What reads GLSL.
    pub glsl: GlslFrontEnd,
    /// Check a container's checksum.
    pub verify_checksum: bool,
}
