//! Spellings of the format's numbers, as Microsoft's disassembler writes them.
//!
//! Owns the tables that the disassembler reads forwards and an assembler backwards. Must never decide anything.

use super::opcodes::Opcode;
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

/// Access patterns of a constant buffer, by number.
pub(crate) const ACCESS_PATTERNS: [&str; 2] = ["immediateIndexed", "dynamicIndexed"];

/// Mnemonic of the immediate constant buffer, which is custom data.
pub(crate) const IMMEDIATE_CONSTANTS: &str = "dcl_immediateConstantBuffer";

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

/// Suffixes of an opcode's own control bits, in the order that they are written in.
pub(crate) fn suffixes(op: Opcode) -> &'static [(u16, &'static str)] {
    match op {
        Opcode::Sync => &[(8, "_uglobal"), (4, "_ugroup"), (2, "_g"), (1, "_t")],
        Opcode::Resinfo => &[(1, "_rcpFloat"), (2, "_uint")],
        Opcode::SampleInfo => &[(1, "_uint")],
        Opcode::DclUavTyped | Opcode::DclUavRaw => &[(1 << 5, "_glc"), (1 << 6, "_rov")],
        Opcode::DclUavStructured => &[(1 << 5, "_glc"), (1 << 6, "_rov"), (1 << 12, "_opc")],
        Opcode::DclInterface => &[(1, "_dynamicindexed")],
        _ => &[],
    }
}

/// Message ids of `printf` and `errorf`.
pub(crate) const MESSAGES: [(u32, &str); 2] = [(0x20_0102, "printf"), (0x20_0103, "errorf")];

/// How a signature is written in the exact form.
pub(crate) struct SignatureNames {
    /// Directive of the whole, with the name of its chunk.
    pub whole: &'static str,
    /// Directive of an element.
    pub element: &'static str,
    /// Its chunks, the plain one first; the others may have streams, the last one minimum precisions.
    pub chunks: &'static [&'static [u8; 4]],
}

/// Input, output and patch constant signatures.
pub(crate) const SIGNATURES: [SignatureNames; 3] = [
    SignatureNames { whole: "inputs", element: "input", chunks: &[b"ISGN", b"ISG1"] },
    SignatureNames { whole: "outputs", element: "output", chunks: &[b"OSGN", b"OSG5", b"OSG1"] },
    SignatureNames { whole: "patches", element: "patch", chunks: &[b"PCSG", b"PSG1"] },
];

/// Component types of a signature's elements, by number.
pub(crate) const COMPONENT_TYPES: [&str; 10] =
    ["unknown", "uint", "int", "float", "uint16", "int16", "float16", "uint64", "int64", "double"];

/// System values of a signature's elements: `D3D_NAME`, in its numbers, without its prefix.
pub(crate) const ELEMENT_VALUES: [(u32, &str); 24] = [
    (0, "none"),
    (1, "position"),
    (2, "clip_distance"),
    (3, "cull_distance"),
    (4, "render_target_array_index"),
    (5, "viewport_array_index"),
    (6, "vertex_id"),
    (7, "primitive_id"),
    (8, "instance_id"),
    (9, "is_front_face"),
    (10, "sample_index"),
    (11, "final_quad_edge_tessfactor"),
    (12, "final_quad_inside_tessfactor"),
    (13, "final_tri_edge_tessfactor"),
    (14, "final_tri_inside_tessfactor"),
    (15, "final_line_detail_tessfactor"),
    (16, "final_line_density_tessfactor"),
    (64, "target"),
    (65, "depth"),
    (66, "coverage"),
    (67, "depth_greater_equal"),
    (68, "depth_less_equal"),
    (69, "stencil_ref"),
    (70, "inner_coverage"),
];

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

/// All minimum precisions.
pub(crate) const PRECISIONS: [MinPrecision; 5] =
    [MinPrecision::Default, MinPrecision::Float16, MinPrecision::Float2_8, MinPrecision::Sint16, MinPrecision::Uint16];

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
