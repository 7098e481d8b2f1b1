//! Every code that rx-translate gives out: malformed input, refusals, adaptations, faults of its own.
//!
//! One table. `docs/translation.md`, `rx ledger` and `rx explain` are written from it.
//! Numbers never change meaning and are never used again.
//! `RX00xx` rx itself, `RX01xx` malformed containers and tokens, `RX02xx` refused Direct3D constructs,
//! `RX03xx` WGSL, GLSL and SPIR-V inputs, `RX04xx` adapted constructs (notes).

use crate::error::Code;

/// What a code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// A fault of rx.
    Internal,
    /// Malformed input.
    Malformed,
    /// Valid input that is refused.
    Refused,
    /// Translated, with a difference that the row states.
    Adapted,
    /// A difference of the profile as a whole; changes no shader's status.
    Profile,
}

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Code.
    pub code: Code,
    /// Kind.
    pub kind: RowKind,
    /// A few words.
    pub title: &'static str,
    /// What is the matter; for an adaptation what differs, and for which values.
    pub what: &'static str,
    /// An example of an input that gets it.
    pub example: &'static str,
    /// What to do; for a refusal or adaptation what would lift it.
    pub remedy: &'static str,
}

macro_rules! ledger {
    ($($name:ident = $number:literal, $kind:ident, $title:literal, $what:literal, $example:literal, $remedy:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// All rows, by code.
        pub const CODES: &[Row] = &[
            $(Row { code: $name, kind: RowKind::$kind, title: $title, what: $what, example: $example, remedy: $remedy },)*
        ];
    };
}

ledger! {
    INTERNAL = 1, Internal, "A fault of rx",
        "A state that rx's own code excludes. The input may well be valid.",
        "-",
        "Report it with the input file.";
    STRICT = 2, Refused, "Adapted under --strict",
        "The translation would carry a note, and the caller asked for exact translations only.",
        "any shader with a note, translated with --strict",
        "Drop --strict, or lift the note's own cause (`rx explain` its code).";

    NOT_A_CONTAINER = 101, Malformed, "Not a DXBC container",
        "The bytes do not begin with `DXBC`, or are shorter than a container's header.",
        "a text file given as .dxbc",
        "Give the compiled shader (`fxc /Fo`), or name the kind with --source.";
    TRUNCATED = 102, Malformed, "Container cut short",
        "The header's size, a chunk's place or a chunk's size leaves the bytes given.",
        "a download that broke off",
        "Get the file again; compare its size with the one in the header.";
    BAD_CHECKSUM = 103, Malformed, "Checksum differs",
        "The container's MD5-like checksum does not match its bytes (checked only when asked).",
        "a container edited by hand",
        "Get the file again, or translate without checking.";
    NO_CODE = 104, Malformed, "No SHDR or SHEX chunk",
        "The container has no shader code.",
        "a library of reflection data only",
        "Give a container with code.";
    BAD_CHUNK = 105, Malformed, "Malformed chunk",
        "A chunk's own table points outside it, or its sizes contradict one another.",
        "an ISGN chunk with a name offset past its end",
        "Compile the shader again.";
    BAD_TOKENS = 106, Malformed, "Malformed token stream",
        "An instruction's length is 0 or leaves the program, or a token has a value that the format does not define.",
        "a length token larger than the chunk",
        "Compile the shader again.";
    BAD_OPERAND = 107, Malformed, "Malformed operand",
        "An operand's shape is not one that its instruction takes, or names a register that is not declared.",
        "`mov r9.x, r0.x` under `dcl_temps 2`",
        "Compile the shader again.";
    BAD_NESTING = 108, Malformed, "Unbalanced control flow",
        "An `else`, `endif`, `break`, `case` or `endloop` stands where none can.",
        "`break` outside any loop or switch",
        "Compile the shader again.";
    LIMIT = 109, Malformed, "Past a Direct3D limit",
        "A declared size or count is past what Direct3D 11.3 allows.",
        "`dcl_temps 5000`",
        "Compile the shader again.";

    DXIL = 201, Refused, "Shader model 6 (DXIL)",
        "The container holds DXIL. rx takes shader models 4.0 to 5.1.",
        "a container with a DXIL chunk",
        "Compile with fxc for a 5_1 or lower profile, or bring SPIR-V from dxc -spirv.";
    SHADER_MODEL = 202, Refused, "Shader model not supported",
        "The program's version is outside 4.0 to 5.1.",
        "a shader model 3 program",
        "Compile for vs_4_0 or later.";
    STAGE_LATER = 203, Refused, "Hull, domain and geometry shaders",
        "The stage is read, disassembled and described, and not translated in this version.",
        "hs_5_0",
        "Wait for the version that translates this stage.";
    DOUBLES = 204, Refused, "Double precision",
        "Instructions on doubles are not translated in this version.",
        "`dadd r0.xy, r0.xyxy, r1.xyxy`",
        "Compute in single precision, or wait for the version that takes doubles.";
    INTERFACES = 205, Refused, "Class linkage and calls",
        "`fcall`, `call`, `label` and interfaces are not translated in this version.",
        "`fcall fp0[0][0]`",
        "Compile without interfaces, or wait for the version that takes them.";
    DEBUG_MESSAGES = 206, Refused, "abort and debug messages",
        "`printf`, `errorf` and `abort` have no counterpart in Vulkan.",
        "`abort()`",
        "Compile without them.";
    INNER_COVERAGE = 207, Refused, "Inner coverage",
        "SV_InnerCoverage needs VK_EXT_conservative_rasterization, which is not used in this version.",
        "`dcl_input vInnerCoverage`",
        "Compile without SV_InnerCoverage.";
    NOT_IN_PROFILE = 208, Refused, "Feature that the profile lacks",
        "The shader needs a device feature that the profile says is missing, and there is no other exact way.",
        "a cube array where imageCubeArray is off",
        "Use a device or preset that has the feature (the message names it).";
    ROV = 209, Refused, "Rasteriser-ordered views",
        "A rasteriser-ordered view needs fragment shader interlock, which is not written in this version.",
        "`dcl_uav_typed_texture2d_rov`",
        "Compile without rasteriser-ordered views.";
    NO_BINDING = 210, Refused, "No binding rule",
        "The caller's binding rules have none for a register that the shader declares.",
        "t5 with rules for t0 to t3",
        "Add a rule.";
    OTHER_OPCODE = 211, Refused, "Instruction not translated",
        "The instruction is decoded and disassembled, and not translated in this version.",
        "`msad`",
        "Wait for the version that takes it; the message names the instruction.";
}

/// The row of a code.
pub fn find(code: Code) -> Option<&'static Row> {
    CODES.binary_search_by_key(&code, |row| row.code).ok().map(|i| &CODES[i])
}
