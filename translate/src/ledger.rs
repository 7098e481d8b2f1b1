//! Every code that rx-translate gives out: malformed input, refusals, adaptations, faults of its own.
//!
//! One table. `docs/translation.md`, `rx ledger` and `rx explain` are written from it.
//! Numbers never change meaning and are never used again.
//! `RX00xx` rx itself, `RX01xx` malformed containers and tokens, `RX02xx` refused Direct3D constructs,
//! `RX03xx` WGSL, GLSL and SPIR-V inputs, `RX04xx` notes: adapted constructs and warnings about the input.

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
    /// Translated exactly as the input says; something about the input itself is suspicious. Changes no status.
    Warning,
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
        "The bytes do not begin with `DXBC`, are shorter than a container's header, or have another version. Inputs that rx knows to be something else have their own codes: RX0120 to RX0126, RX0201, and RX0230 to RX0237.",
        "a text file given as .dxbc",
        "Give a compiled shader of model 4 or 5, or name the kind with --source. Unpack a package first (`fxc /decompress` for what `fxc /compress` wrote); `rx translate --all` finds the containers in one that is not compressed.";
    TRUNCATED = 102, Malformed, "Container cut short",
        "The header's size, a chunk's place or a chunk's size leaves the bytes given.",
        "a download that broke off",
        "Get the file again; compare its size with the one in the header.";
    BAD_CHECKSUM = 103, Malformed, "Checksum differs",
        "The container's MD5-like checksum does not match its bytes (checked only when asked).",
        "a container edited by hand",
        "Get the file again, or translate without checking.";
    NO_CODE = 104, Malformed, "No SHDR or SHEX chunk",
        "The container has no shader code. Effects (RX0230), libraries (RX0232), shader model 2 code (RX0233), root signatures (RX0234) and DXIL (RX0201) have their own codes.",
        "an input signature, as D3DGetInputSignatureBlob writes it",
        "Give the container that the compiler wrote for the shader itself.";
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
    ASM_SYNTAX = 110, Malformed, "Assembly that does not parse",
        "Something is missing in a line of assembly, or stands where it cannot.",
        "`add r0.x, r1.x`, an operand short",
        "Mend the text at the line and column given; `rx inspect --asm` shows how a line is written.";
    ASM_NAME = 111, Malformed, "Unknown name in assembly",
        "A mnemonic, suffix, register, system value or directive is none that the format has, or none that its line takes.",
        "`mul_nz r0.x, r1.x, r2.x`",
        "Mend the text at the line and column given; `docs/assembly.md` says where the names come from.";
    ASM_VALUE = 112, Malformed, "Number that does not fit in assembly",
        "A number is past its field, or is written as a float where an integer is due.",
        "`iadd r0.x, r0.x, l(1.5)`",
        "Mend the text at the line and column given; bits of any type are written as `0x…`.";
    EMPTY_INPUT = 120, Malformed, "Empty input",
        "The input has no bytes, or only zeros.",
        "a file of 0 bytes",
        "Compile the shader again, and check that the compiler ended without an error.";
    ARCHIVE = 121, Malformed, "Archive or compressed data",
        "The input is an archive or a compressed stream; the message names its format. rx does not decompress.",
        "a ZIP archive renamed to .cso",
        "Unpack it and give the shaders inside.";
    OTHER_FILE = 122, Malformed, "File of another kind",
        "The input is not a shader; the message names its format.",
        "a DDS texture",
        "Give the compiled shader (the file that `fxc /Fo` wrote).";
    LFS_POINTER = 123, Malformed, "Git LFS pointer",
        "The file is the text that git stores in place of a large file.",
        "a .cso of a clone that was made without git-lfs",
        "Run `git lfs pull` in the repository that the file comes from.";
    WEB_PAGE = 124, Malformed, "Web page",
        "The file is HTML: usually a server's page in place of the file that was asked for.",
        "a .dxbc downloaded from a repository's file view",
        "Download the file itself (the \"raw\" link).";
    LISTING = 125, Malformed, "Assembly text",
        "The input is the text of a compiled shader, as `fxc /Fc` and `rx inspect --asm` write it.",
        "a file written by `fxc /Fc`",
        "Assemble it (`rx assemble IN.asm -o OUT.dxbc`), or give the binary that `fxc /Fo` wrote.";
    BYTES_AS_TEXT = 126, Malformed, "Container written as text",
        "The input is text that spells the bytes of a container: a C array or Base64.",
        "a header written by `fxc /Fh`",
        "Compile with `/Fo` in place of `/Fh`, or decode the text to its bytes first.";
    BAD_EFFECT = 127, Malformed, "Malformed effect",
        "A table of the effect ends too early, or points outside the effect.",
        "an effect cut short",
        "Compile the effect again (`fxc /T fx_5_0 /Fo`). `dxbc::embedded::scan` finds the shaders without the tables.";

    DXIL = 201, Refused, "Shader model 6 (DXIL)",
        "The container holds DXIL. rx takes shader models 4.0 to 5.1.",
        "a container with a DXIL chunk",
        "Compile with fxc for a 5_1 or lower profile, or bring SPIR-V from dxc -spirv.";
    SHADER_MODEL = 202, Refused, "Shader model not supported",
        "The program's version is outside 4.0 to 5.1.",
        "a SHEX chunk whose version token says 6.0",
        "Compile for a profile from vs_4_0 to vs_5_1 (or the stage's own).";
    INTERFACES = 205, Refused, "An instance's textures that are not declared",
        "A function of a class instance chooses among textures or samplers by the instance, and the shader declares none to choose from.",
        "`sample r0, v0, t[r0.z + 0], s[r0.w + 0]` without a dcl_resource",
        "Give the interface's textures registers in the shader.";
    NOT_IN_PROFILE = 208, Refused, "Feature that the profile lacks",
        "The shader needs a device feature that the profile says is missing, and there is no other exact way.",
        "a cube array where imageCubeArray is off",
        "Use a device or preset that has the feature (the message names it).";
    NO_BINDING = 210, Refused, "No binding rule",
        "The caller's binding rules have none for a register that the shader declares.",
        "t5 with rules for t0 to t3",
        "Add a rule.";
    OTHER_OPCODE = 211, Refused, "Instruction or register not translated",
        "The instruction or register is decoded and disassembled, and not translated in this version.",
        "`dcl_input vCycleCounter`, a debugging aid of Direct3D",
        "Compile the shader without it (the message names it); the cycle counter would take VK_KHR_shader_clock.";
    PATCHES_IN_GEOMETRY = 213, Refused, "Patches in a geometry shader",
        "The geometry shader takes patches of control points, which Vulkan's geometry stage cannot be given.",
        "`dcl_inputprimitive patch4`",
        "Draw the control points as another primitive, or tessellate.";
    STREAM_OUTPUT = 214, Refused, "Stream output that the shader has not",
        "The caller's stream output names an output, components or a buffer that the shader or Direct3D does not have.",
        "an entry for NORMAL 0 of a shader without it",
        "Correct the entry; the message names it.";

    DUAL_SOURCE = 215, Refused, "Target that dual-source blending has not",
        "The caller blends with two sources, which Direct3D and Vulkan do on one target, and the shader writes a third.",
        "`Options::dual_source` for a pixel shader with SV_Target2",
        "Turn dual_source off, or compile a shader with SV_Target0 and SV_Target1 alone.";
    EVALUATED_VALUE = 216, Refused, "System value evaluated at another place",
        "An `eval_*` instruction asks for the position or for a clip or cull distance at a sample, an offset or the centroid. A Vulkan device gives these at one place of the pixel.",
        "`eval_centroid r0.xyzw, v0.xyzw` where v0 is SV_Position",
        "Pass the value through a user's semantic as well, and evaluate that.";

    EFFECT = 230, Refused, "Effect (fx_4_0, fx_4_1, fx_5_0)",
        "The input is a compiled effect: techniques and passes with several shaders inside.",
        "a file written by `fxc /T fx_5_0 /Fo`",
        "Take its shaders out: `rx inspect` lists them, `rx translate --all` translates each; in a host, `dxbc::embedded::shaders` gives their bytes.";
    EFFECT_D3D9 = 231, Refused, "Direct3D 9 effect (fx_2_0)",
        "The input is a compiled effect of Direct3D 9, whose shaders are of shader models 1 to 3.",
        "a file written by `fxc /T fx_2_0 /Fo`",
        "Compile each shader of its source by itself (`fxc /T vs_4_0 /Gec /E ENTRY`, `ps_4_0` for pixel shaders); `/Gec` accepts Direct3D 9's syntax.";
    LIBRARY = 232, Refused, "Shader library (lib_4_0, lib_5_0)",
        "The input is a library of functions, which the application links to a shader at run time. It has no entry point.",
        "a file written by `fxc /T lib_5_0 /Fo`",
        "Link it first (D3DCreateLinker, ID3D11Linker::Link) and give the result, or compile the source for a shader profile.";
    SHADER_MODEL_9 = 233, Refused, "Shader model 1 to 3",
        "The code is Direct3D 9's: bare tokens (vs_1_1 to ps_3_0), or a container whose only code is of a 9_x feature level.",
        "a file written by `fxc /T ps_2_0 /Fo`",
        "Compile the source for vs_4_0, ps_4_0 or later; `/Gec` accepts Direct3D 9's syntax.";
    ROOT_SIGNATURE = 234, Refused, "Root signature without a shader",
        "The container holds a root signature (`RTS0`) and no code.",
        "a file written by `fxc /T rootsig_1_1 /Fo`",
        "Give the shaders that use the root signature, and their bindings as rules (`--bindings`, `Options::bindings`).";
    HLSL_SOURCE = 235, Refused, "HLSL source",
        "The input is the source text of a shader or effect. rx translates what a compiler wrote.",
        "a .hlsl or .fx file given in place of the .cso",
        "Compile it: `fxc /T ps_5_0 /E ENTRY /Fo OUT.cso IN.hlsl` (the stage's own profile; `fx_5_0` for an effect), or `dxc -spirv` for SPIR-V.";
    OTHER_SHADER = 236, Refused, "Shader of another kind",
        "The input is a shader in another language or format than it is given as; the message names it.",
        "SPIR-V given as `Source::Dxbc`",
        "Give SPIR-V, WGSL and GLSL as what they are: by the file's extension (.spv, .wgsl, .vert, .frag, .comp), in a host by `Source`. For any other kind bring Direct3D bytecode or SPIR-V.";
    CONSOLE = 237, Refused, "Shader of a console",
        "The input is a shader or resource package of a console, or a container with big-endian words.",
        "an Xbox 360 pixel shader",
        "Compile the source for Direct3D 11 on Windows (`fxc /T ps_5_0`).";

    NOT_SPIRV = 301, Malformed, "Not SPIR-V",
        "The bytes do not begin with a SPIR-V header, or are no whole number of words.",
        "a text file given as .spv",
        "Give the binary module (`spirv-as` makes one of text), or name the kind with --source.";
    SPIRV_CODE = 302, Malformed, "Malformed SPIR-V instruction",
        "An instruction's length is 0 or leaves the module, or is too short for its operands.",
        "a module cut short",
        "Get or compile the module again; `spirv-val` says more.";
    SPIRV_ID = 303, Malformed, "Malformed SPIR-V id",
        "A result's id is 0, past the header's bound, or defined twice.",
        "a module edited by hand",
        "Compile the module again; `spirv-val` says more.";
    SPIRV_LAYOUT = 304, Malformed, "Malformed SPIR-V layout",
        "A function is not closed, or the memory model is missing.",
        "a module without OpMemoryModel",
        "Compile the module again; `spirv-val` says more.";
    SPIRV_INTERFACE = 305, Malformed, "Malformed SPIR-V interface",
        "A resource has no set and binding, or a type that is not defined; or inputs and outputs are past all limits.",
        "a uniform buffer without a Binding decoration",
        "Give every resource a set and a binding, as Vulkan asks.";
    SPIRV_VERSION = 306, Refused, "SPIR-V newer than the target",
        "The module's version is above what the target's Vulkan version takes.",
        "SPIR-V 1.6 for vulkan1.2",
        "Compile the module for the target's version, or choose a later target.";
    SPIRV_NOT_A_SHADER = 307, Refused, "Not a Vulkan shader of a raster or compute stage",
        "The module is an OpenCL kernel or a library, or the entry point is of a ray tracing stage.",
        "a module with capability Kernel",
        "Bring vertex, tessellation, geometry, fragment, compute, task or mesh shaders.";
    SPIRV_SPARSE = 308, Refused, "Id bound far past the module's size",
        "Tables by id would take memory out of proportion to the module.",
        "a small module with an id bound of two million",
        "Compact the ids (`spirv-opt --compact-ids`).";
    SPIRV_DESCRIPTOR = 309, Refused, "Descriptor type not supported",
        "The entry point uses a resource that is no buffer, image or sampler.",
        "an acceleration structure",
        "Bind it outside rx, or leave it out.";
    ENTRY_NOT_FOUND = 310, Refused, "No such entry point",
        "The module has no entry point of the name asked for, or none at all.",
        "--entry vs_main for a module with `main` only",
        "Name one of the entry points that the message lists.";
    ENTRY_AMBIGUOUS = 311, Refused, "Several entry points",
        "The module has several entry points that could be meant.",
        "a WGSL file with a vertex and a fragment shader",
        "Name one (`--entry`, `Options::entry`).";

    WGSL_TEXT = 320, Malformed, "WGSL that does not parse",
        "The text is not WGSL, or not what naga takes for it.",
        "`fn main( {`",
        "Mend the text at the line and column given.";
    GLSL_TEXT = 321, Malformed, "GLSL that does not parse",
        "The text is not GLSL, or not the part of Vulkan's GLSL 4.40 to 4.60 that naga takes.",
        "`void main() { x = 1; }`",
        "Mend the text at the line and column given, or compile it to SPIR-V elsewhere and bring that.";
    TEXT_INVALID = 322, Malformed, "Shader text with an invalid meaning",
        "The text parses and breaks a rule of the language: types, bindings, control flow, layouts.",
        "two resources of one entry point at the same group and binding",
        "Mend the text at the place given.";
    TEXT_NOT_WRITTEN = 323, Refused, "Shader that naga does not write",
        "naga takes the text and cannot say it in SPIR-V for this target.",
        "an override without a value",
        "Give what the message asks for, or bring SPIR-V.";
    TEXT_STAGE = 324, Refused, "Stage that GLSL input does not have",
        "GLSL is taken for vertex, fragment and compute shaders.",
        "a GLSL geometry shader",
        "Compile it to SPIR-V elsewhere and bring that.";
    TEXT_OFF = 325, Refused, "Built without WGSL and GLSL",
        "The crate's feature `naga` is off.",
        "any WGSL text",
        "Build rx-translate with the feature `naga`, or bring SPIR-V.";
    TEXT_DEPTH = 326, Refused, "Shader text nested too deep",
        "Brackets, blocks or operators are nested past what the parser may be given without risking its stack.",
        "ten thousand opening parentheses",
        "Split the expression.";
    TEXT_PANIC = 327, Refused, "naga failed on the shader text",
        "naga panicked; rx caught it. The process's panic hook has run by then: one that prints has printed, as Rust's own does.",
        "-",
        "Report it to naga with the text; meanwhile bring SPIR-V.";

    GLSL_ORDER = 330, Refused, "Order of evaluation that naga does not keep",
        "Side effects meet in one expression in a way whose order naga does not keep and rx has no other form for.",
        "`vec2(x++, 1.0)[x++]`",
        "Write the expression as several statements, or translate with the front end `glslang`.";
    GLSL_FUNCTION = 331, Refused, "Built-in function that naga lacks",
        "A function of GLSL or of an extension is unknown to naga, or naga computes another value.",
        "`atomicAdd`, `textureGather`, `textureLod` of a shadow sampler",
        "Translate with the front end `glslang`, or bring SPIR-V.";
    GLSL_VARIABLE = 332, Refused, "Built-in variable that naga lacks",
        "A variable of GLSL is unknown to naga, or naga gives it another meaning in this stage.",
        "`gl_SampleMask`, `gl_ClipDistance` in a fragment shader",
        "Translate with the front end `glslang`, or bring SPIR-V.";
    GLSL_TYPE = 333, Refused, "Type that naga lacks",
        "A type of GLSL or of an extension is unknown to naga.",
        "`samplerBuffer`, `subpassInput`, `imageCube`, `int64_t`",
        "Translate with the front end `glslang`, or bring SPIR-V.";
    GLSL_QUALIFIER = 334, Refused, "Qualifier that naga lacks",
        "A qualifier or layout of GLSL has nothing in naga that does the same.",
        "`coherent`, `layout(component = 1)`, `layout(local_size_x_id = 0)`",
        "Leave it out where it changes nothing, or translate with the front end `glslang`.";
    GLSL_LAYOUT = 335, Refused, "Block that naga lays out otherwise",
        "A uniform or buffer block has members that naga puts elsewhere than the language does, or cannot have.",
        "`layout(offset = 16) vec4 v;`, a `bool`, a small structure in std140",
        "Use types that need no padding of that kind (`vec4`, `mat4`, `uint`), or translate with the front end `glslang`.";
    GLSL_DESCRIPTORS = 336, Refused, "Array of descriptors in GLSL",
        "naga has no arrays of textures, samplers or blocks in GLSL, and takes an array of blocks for one block.",
        "`uniform texture2D maps[4]`, `nonuniformEXT(i)`",
        "Translate with the front end `glslang`, use WGSL's `binding_array`, or bring SPIR-V.";
    GLSL_VARYING = 337, Refused, "Input or output that naga lacks",
        "An input or output has a type that naga does not take and that rx does not take apart.",
        "`in dmat4 m`, an array of output blocks",
        "Use 32-bit scalars, vectors, matrices, arrays and structures, or translate with the front end `glslang`.";
    GLSL_EXPRESSION = 338, Refused, "Expression that naga lacks",
        "An expression or statement is valid and naga has no form for it.",
        "`v.zyx[i] = 1.0`, `while (bool b = f())`",
        "Write it with a variable of its own, or translate with the front end `glslang`.";
    GLSL_INCLUDE = 339, Refused, "Include that is not there",
        "An `#include` is left in the text, was not found, or includes itself without a guard.",
        "`#include \"lights.glsl\"` given to the translator",
        "Expand the text first (`rx_translate::glsl::expand_includes`, `rx translate -I DIR`), or mend the path.";
    GLSL_EXTENSION = 340, Refused, "Extension that naga lacks",
        "The text requires an extension that naga does not have.",
        "`#extension GL_EXT_ray_query : require`",
        "Translate with the front end `glslang`, or bring SPIR-V.";
    GLSL_ARGUMENT = 341, Refused, "Argument that cannot be written back",
        "An argument of an `out` or `inout` parameter has a place or type that rx does not know.",
        "`f(a[i])` where two overloads of `f` could be meant",
        "Copy the argument into a variable of the parameter's type first.";
    GLSL_RECURSION = 342, Malformed, "Function that calls itself",
        "GLSL has no recursion.",
        "`int f(int n) { return n * f(n - 1); }`",
        "Write it as a loop.";
    GLSL_COMBINED = 343, Refused, "Combined sampler in a place that rx does not split",
        "A combined texture and sampler stands where rx cannot make the two parts of it that naga needs.",
        "an array of `sampler2D`",
        "Declare a texture and a sampler (`texture2D`, `sampler`), or translate with the front end `glslang`.";
    GLSL_UNREAD = 344, Refused, "GLSL that rx does not read",
        "naga takes the text and rx, which checks it first, does not know a construct in it.",
        "-",
        "Report it with the text; meanwhile translate with the front end `glslang`, or bring SPIR-V.";
    GLSL_NAME = 345, Refused, "Name that rx uses itself",
        "Names that begin with `rx_` are what rewritten GLSL is made of.",
        "`int rx_count;`",
        "Rename it.";
    GLSLANG_OFF = 346, Refused, "Built without glslang",
        "The crate's feature `glslang` is off, and the options ask for that front end.",
        "`Options::glsl` of `Glslang` in a default build",
        "Build rx-translate with the feature `glslang`, or choose the front end `naga`.";
    GLSLANG_TEXT = 347, Malformed, "GLSL that glslang does not take",
        "glslang says that the text is not GLSL for Vulkan.",
        "`void main() { x = 1; }`",
        "Mend the text at the line given.";

    IDS_WITH_BASE = 401, Adapted, "Vertex and instance ids include the draw's base",
        "SV_VertexID and SV_InstanceID differ for draws with a base vertex or first instance other than 0: they are larger by it. For every other draw nothing differs.",
        "SV_VertexID where shaderDrawParameters is off",
        "Turn shaderDrawParameters on in the profile.";
    BUFFER_RESIDENCY = 402, Adapted, "Status of a raw or structured load",
        "A load from a raw or structured buffer with a status says that all of it is there, also where the buffer is bound sparsely and is not: then the status differs, and the value is the device's for such memory. Of memory that is there nothing differs, inside and outside the buffer.",
        "`ByteAddressBuffer.Load(0, status)`",
        "Use a typed buffer or a texture, or turn shaderResourceResidency off in the profile where nothing is sparse.";
    GUARDED_ALPHA = 403, Adapted, "Fourth component of a guarded texel",
        "With explicit guards a texel out of range is 0 in every component; Direct3D gives 1 in a fourth component that the view's format lacks. Within range, in the other components, and for formats of four components nothing differs.",
        "`Texture2D.Load` past the edge of an R8G8 texture, with robustness `explicit` for images",
        "Choose robustness `device` on a device with robustImageAccess2.";
    NO_ELEMENT = 410, Adapted, "Register without a signature element",
        "The program declares an input or output register, or components of one, that no element of its signature has, or the signature is missing. The location is the register, as Direct3D's runtime does it, and the type is the one that the program uses it for. Nothing differs for what the stage before writes to that register. A system value is known if the declaration names it, which those of control points may not do. An input that the stage before does not write is undefined; Direct3D leaves it to the driver, most of which give 0.",
        "`mov o0.xyzw, v1.xyzw` in a container whose input signature has no element in register 1",
        "Compile the shader again, or repair the signature.";
    DEBUG_AIDS = 411, Adapted, "Debug messages, abort and debug_break",
        "`printf`, `errorf`, `abort` and `debug_break` do nothing. Direct3D's debug layer prints the messages and ends the draw or dispatch at an `abort`, and a debugger stops at a `debug_break`; without a debug layer or debugger nothing differs.",
        "`abort()`",
        "Compile the shader without them.";
    LAYER_OF_ANY_STAGE = 415, Adapted, "Layer or viewport index of a vertex or domain shader",
        "If the vertex or domain shader is the last stage before the rasteriser, its primitives go to layer 0 or viewport 0, and a pixel shader reads 0 as the index. If a hull or geometry shader follows, nothing differs: it reads what was written.",
        "SV_RenderTargetArrayIndex in a vertex shader where shaderOutputLayer is off",
        "Enable shaderOutputLayer and shaderOutputViewportIndex, or write the index in a geometry shader.";
    COVERAGE_BY_SAMPLE = 416, Adapted, "Input coverage of a shader that runs per sample",
        "SV_Coverage has the bit of the invocation's own sample alone (1, 2, 4, 8 with four samples); Direct3D gives every invocation of a pixel the bits of all samples that the primitive covers (15). Nothing differs with one sample a pixel, in a pixel of which one sample is covered, and in a shader that runs once per pixel.",
        "SV_Coverage as an input of a shader that also reads SV_SampleIndex",
        "Read SV_Coverage in a shader that runs once per pixel. No extension that has been published gives the whole mask.";
    CENTROID_BY_SAMPLE = 417, Adapted, "Centroid of a shader that runs per sample",
        "An input with `centroid` interpolation is evaluated at a place that the driver chooses in the covered part of the pixel, SV_Position at the pixel's centre; Direct3D evaluates both at the pixel's centre if all samples are covered, else at the first covered sample. So SV_Position differs only in pixels that are partly covered. Nothing differs with one sample a pixel and in a shader that runs once per pixel.",
        "`centroid float4 p : SV_Position` in a shader that also reads SV_SampleIndex",
        "Use `sample` interpolation, or none, where the shader runs per sample.";
    CENTROID_PLACE = 418, Profile, "Place of a centroid",
        "`centroid` inputs and `eval_centroid` are evaluated at the pixel's centre if all samples are covered, else at the first covered sample; Vulkan lets the driver choose any covered place of the pixel. SV_Position with `centroid` follows Direct3D's rule on every driver.",
        "`centroid float2 uv : TEXCOORD0` with four samples a pixel",
        "Use `sample` interpolation, or `eval_sample_index`, where the place matters.";
    LAYER_RANGE = 419, Profile, "Layers and viewports past the last",
        "A layer or viewport index past the last one chooses layer 0 or viewport 0 in Direct3D. In Vulkan what is drawn is undefined, and so is the index that a pixel shader reads.",
        "SV_RenderTargetArrayIndex = 7 with a render target of six layers",
        "Keep the index in range.";
    BAKED_CONSTANTS = 420, Adapted, "Specialization constants have their defaults",
        "The module has the defaults of GLSL's specialization constants and WGSL's overrides written into it: values that a pipeline gives for them do nothing. With the defaults nothing differs.",
        "`layout(constant_id = 3) const uint n = 7u;`",
        "Give the value in the text (a macro, a constant), or bring SPIR-V.";
    CHECKSUM_DIFFERS = 425, Warning, "Checksum does not match",
        "The container's checksum does not match its bytes: the container may be damaged or was changed after it was compiled. The translation follows the bytes. (FXC itself leaves a wrong checksum in shaders with `printf` or `abort`.)",
        "a container with one bit flipped",
        "Get the file again, or compile the shader again; `verify_checksum` makes this an error.";
    NO_CHECKSUM = 426, Warning, "No checksum",
        "The container's checksum is all zeros: the tool that wrote it computed none, so damage cannot be detected.",
        "a container written by a tool that leaves the field empty",
        "Nothing, if the tool is known to leave it out; `rx assemble` writes a checksum.";

    FLOAT_CONTROLS = 450, Profile, "Denormals, rounding, infinities and NaN",
        "Direct3D's arithmetic takes denormal 32-bit floats for zeros of their sign, keeps those of 16 and 64 bits, rounds to the nearest, and keeps infinities and NaN. A module asks for as much of that as `Profile::float_controls` says the device can be told. The rest is the driver's: results may differ for denormal operands and results, for results between two floats, and where infinities or NaN go through functions. Moves, loads and stores keep every bit always.",
        "`x * 0.5` of the least normal float on a driver without shaderDenormFlushToZeroFloat32",
        "Take the profile from the device's facts, which know what it can be told; for the rest another driver.";
    FUNCTION_PRECISION = 451, Profile, "Precision of functions",
        "Division, square roots, exponentials, logarithms, sines and cosines are the driver's, within Vulkan's bounds, which are near Direct3D's and not the same: a sine is good to 2^-11 within half a turn, where Direct3D has 0.0008 within 50 turns.",
        "`sincos` of 200.0",
        "Turn the fix sine_range on where angles are large; nothing else is known to matter.";
    SHORT_CONSTANT_BUFFERS = 452, Profile, "Constant buffers shorter than the shader declares",
        "With explicit guards for uniform buffers, and lengths as declared, an index is held against the size that the shader declares, since Vulkan has no way to ask for what is bound. Elements that are declared and lie past the end of what is bound are the device's; Direct3D gives 0.",
        "a buffer of 16 bytes bound where the shader declares 64, on a device without robustBufferAccess2",
        "Bind at least what the shader declares, give the lengths by push constants (`ConstantLengths::PushConstants`), or choose robustness `device` on a device with robustBufferAccess2.";
}

/// The row of a code.
pub fn find(code: Code) -> Option<&'static Row> {
    CODES.binary_search_by_key(&code, |row| row.code).ok().map(|i| &CODES[i])
}
