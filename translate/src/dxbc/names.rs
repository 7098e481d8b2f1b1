//! Spellings of the format's numbers, as Microsoft's disassembler writes them.
//!
//! Owns the tables that the disassembler reads forwards and an assembler backwards. Must never decide anything.

use super::program::{Components, MinPrecision, ProgramType, RegisterFile};

/// Resource dimensions, by number.
pub(crate) const DIMENSIONS: [&str; 13] = [
    "unknown",
    "buffer",
    "texture1d",
    "texture2d",
    "texture2dms",
    "texture3d",
    "texturecube",
    "texture1darray",
    "texture2darray",
    "texture2dmsarray",
    "texturecubearray",
    "raw_buffer",
    "structured_buffer",
];

/// Resource return types, by number.
pub(crate) const RETURN_TYPES: [&str; 10] =
    ["undefined", "unorm", "snorm", "sint", "uint", "float", "mixed", "double", "continued", "unused"];

/// System values (`D3D10_SB_NAME`), by number.
pub(crate) const SYSTEM_VALUES: [&str; 23] = [
    "undefined",
    "position",
    "clip_distance",
    "cull_distance",
    "rendertarget_array_index",
    "viewport_array_index",
    "vertex_id",
    "primitive_id",
    "instance_id",
    "is_front_face",
    "sampleIndex",
    "finalQuadUeq0EdgeTessFactor",
    "finalQuadVeq0EdgeTessFactor",
    "finalQuadUeq1EdgeTessFactor",
    "finalQuadVeq1EdgeTessFactor",
    "finalQuadUInsideTessFactor",
    "finalQuadVInsideTessFactor",
    "finalTriUeq0EdgeTessFactor",
    "finalTriVeq0EdgeTessFactor",
    "finalTriWeq0EdgeTessFactor",
    "finalTriInsideTessFactor",
    "finalLineDetailTessFactor",
    "finalLineDensityTessFactor",
];

/// Interpolation modes, by number.
pub(crate) const INTERPOLATIONS: [&str; 8] = [
    "undefined",
    "constant",
    "linear",
    "linear centroid",
    "linear noperspective",
    "linear noperspective centroid",
    "linear sample",
    "linear noperspective sample",
];

/// Global flags, by bit of the controls.
pub(crate) const GLOBAL_FLAGS: [&str; 9] = [
    "refactoringAllowed",
    "enableDoublePrecisionFloatOps",
    "forceEarlyDepthStencil",
    "enableRawAndStructuredBuffers",
    "skipOptimization",
    "enableMinimumPrecision",
    "enable11_1DoubleExtensions",
    "enable11_1ShaderExtensions",
    "allResourcesBound",
];

/// Sampler modes, by number.
pub(crate) const SAMPLER_MODES: [&str; 3] = ["mode_default", "mode_comparison", "mode_mono"];

/// Tessellator domains, by number.
pub(crate) const DOMAINS: [&str; 4] = ["domain_undefined", "domain_isoline", "domain_tri", "domain_quad"];

/// Tessellator partitionings, by number.
pub(crate) const PARTITIONINGS: [&str; 5] = [
    "partitioning_undefined",
    "partitioning_integer",
    "partitioning_pow2",
    "partitioning_fractional_odd",
    "partitioning_fractional_even",
];

/// Tessellator output primitives, by number.
pub(crate) const TESS_PRIMITIVES: [&str; 5] =
    ["output_undefined", "output_point", "output_line", "output_triangle_cw", "output_triangle_ccw"];

/// Output topologies of a geometry shader, by number.
pub(crate) const TOPOLOGIES: [&str; 6] =
    ["undefined", "pointlist", "linelist", "linestrip", "trianglelist", "trianglestrip"];

/// Input primitives of a geometry shader, by number; from 8 on stand the patches of 1 to 32 points.
pub(crate) const PRIMITIVES: [&str; 8] =
    ["undefined", "point", "line", "triangle", "reserved4", "reserved5", "lineadj", "triangleadj"];
/// Number of the patch of one control point.
pub(crate) const FIRST_PATCH: u16 = 8;

/// Message ids of `printf` and `errorf`.
pub(crate) const MESSAGES: [(u32, &str); 2] = [(0x20_0102, "printf"), (0x20_0103, "errorf")];

/// First part of a profile's name.
pub(crate) fn stage(ty: ProgramType) -> &'static str {
    match ty {
        ProgramType::Pixel => "ps",
        ProgramType::Vertex => "vs",
        ProgramType::Geometry => "gs",
        ProgramType::Hull => "hs",
        ProgramType::Domain => "ds",
        ProgramType::Compute => "cs",
    }
}

/// Minimum precision.
pub(crate) fn precision(precision: MinPrecision) -> &'static str {
    match precision {
        MinPrecision::Default => "def32",
        MinPrecision::Float16 => "min16f",
        MinPrecision::Float2_8 => "min2_8f",
        MinPrecision::Sint16 => "min16i",
        MinPrecision::Uint16 => "min16u",
    }
}

/// Kind of a selection, where the exact form spells it out.
pub(crate) fn selection(components: Components) -> &'static str {
    match components {
        Components::None => "none",
        Components::One => "one",
        Components::Mask(_) => "mask",
        Components::Swizzle(_) => "swizzle",
        Components::Select(_) => "select",
    }
}

/// A register file's prefix. The literal files have none: `l` and `d` stand for them.
pub(crate) fn file(file: RegisterFile) -> &'static str {
    use RegisterFile::*;
    match file {
        Temp => "r",
        Input => "v",
        Output => "o",
        IndexableTemp => "x",
        Immediate32 => "l",
        Immediate64 => "d",
        Sampler => "s",
        Resource => "t",
        ConstantBuffer => "cb",
        ImmediateConstantBuffer => "icb",
        Label => "label",
        InputPrimitiveId => "vPrim",
        OutputDepth => "oDepth",
        Null => "null",
        Rasterizer => "rasterizer",
        OutputCoverageMask => "oMask",
        Stream => "m",
        FunctionBody => "fb",
        FunctionTable => "ft",
        Interface => "fp",
        FunctionInput => "fi",
        FunctionOutput => "fo",
        OutputControlPointId => "vOutputControlPointID",
        InputForkInstanceId => "vForkInstanceID",
        InputJoinInstanceId => "vJoinInstanceID",
        InputControlPoint => "vicp",
        OutputControlPoint => "vocp",
        InputPatchConstant => "vpc",
        InputDomainPoint => "vDomain",
        ThisPointer => "this",
        UnorderedAccessView => "u",
        ThreadGroupSharedMemory => "g",
        InputThreadId => "vThreadID",
        InputThreadGroupId => "vThreadGroupID",
        InputThreadIdInGroup => "vThreadIDInGroup",
        InputCoverageMask => "vCoverage",
        InputThreadIdInGroupFlattened => "vThreadIDInGroupFlattened",
        InputGsInstanceId => "vGSInstanceID",
        OutputDepthGreaterEqual => "oDepthGE",
        OutputDepthLessEqual => "oDepthLE",
        CycleCounter => "vCycleCounter",
        OutputStencilRef => "oStencilRef",
        InnerCoverage => "vInnerCoverage",
    }
}
