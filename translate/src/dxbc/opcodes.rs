//! The one table of the tokenized program format's opcodes, shader models 4.0 to 5.1.
//!
//! Owns each opcode's number, enum variant, mnemonic, stages, operand shapes and flags; the decoder, the
//! disassembler, the assembler, the lowering and the documentation read them here.
//! Must never hold what an opcode *translates to*, nor look at a program.

/// A set of program types: bit `n` is the [`ProgramType`](super::program::ProgramType) of number `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages(pub u8);

impl Stages {
    /// Every stage.
    pub const ALL: Stages = Stages(0x3f);

    /// Whether a program type is in the set.
    pub const fn has(self, ty: super::program::ProgramType) -> bool {
        self.0 & (1 << ty as u8) != 0
    }
}

/// What an opcode is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Declaration; stands in [`Program::declarations`](super::program::Program::declarations).
    Declaration,
    /// Start of a hull shader phase; stands among the declarations.
    Phase,
    /// Custom data block; stands among the declarations.
    CustomData,
    /// Control flow.
    Flow,
    /// Arithmetic, comparison, conversion, move, derivative.
    Alu,
    /// Reads or queries a resource through a sampler or texel coordinates.
    Texture,
    /// Loads or stores memory (raw, structured, typed UAV).
    Memory,
    /// Atomic with or without a result, and counters.
    Atomic,
    /// Barrier.
    Sync,
    /// Geometry stream output.
    Stream,
    /// Everything else (`abort`, `debug_break`).
    Other,
}

/// What an operand is to its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Register written, or `null`.
    Dst,
    /// Value read.
    Src,
    /// Shader resource view.
    Resource,
    /// Shader resource view or unordered access view.
    ResourceOrUav,
    /// Shader resource view or the rasteriser.
    ResourceOrRasterizer,
    /// Sampler.
    Sampler,
    /// Unordered access view.
    Uav,
    /// Unordered access view or group shared memory.
    UavOrShared,
    /// Resource view, unordered access view or group shared memory.
    AnyMemory,
    /// Attribute input (`eval_*`).
    Attribute,
    /// Output stream.
    Stream,
    /// Label or function body.
    Label,
    /// Interface.
    Interface,
    /// The register that a declaration declares.
    Declared,
}

/// What an instruction takes an operand's bits to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// 32-bit float.
    Float,
    /// Signed integer.
    Int,
    /// Unsigned integer or plain bits.
    Uint,
    /// 64-bit float in two components.
    Double,
    /// All ones or zero (a comparison's result); as a source: zero or not.
    Mask,
    /// Bits as they are, of no type (moves, memory).
    Bits,
    /// Whatever the resource's return type says.
    Texel,
    /// No value (samplers, labels, streams, …).
    None,
}

/// One operand's shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Role.
    pub role: Role,
    /// Value class.
    pub class: Class,
}

const fn shape(role: Role, class: Class) -> Shape {
    Shape { role, class }
}

const DF: Shape = shape(Role::Dst, Class::Float);
const DI: Shape = shape(Role::Dst, Class::Int);
const DU: Shape = shape(Role::Dst, Class::Uint);
const DD: Shape = shape(Role::Dst, Class::Double);
const DM: Shape = shape(Role::Dst, Class::Mask);
const DB: Shape = shape(Role::Dst, Class::Bits);
const DT: Shape = shape(Role::Dst, Class::Texel);
const SF: Shape = shape(Role::Src, Class::Float);
const SI: Shape = shape(Role::Src, Class::Int);
const SU: Shape = shape(Role::Src, Class::Uint);
const SD: Shape = shape(Role::Src, Class::Double);
const SM: Shape = shape(Role::Src, Class::Mask);
const SB: Shape = shape(Role::Src, Class::Bits);
const ST: Shape = shape(Role::Src, Class::Texel);
const RES: Shape = shape(Role::Resource, Class::Texel);
const REU: Shape = shape(Role::ResourceOrUav, Class::None);
const RER: Shape = shape(Role::ResourceOrRasterizer, Class::None);
const SMP: Shape = shape(Role::Sampler, Class::None);
const UAV: Shape = shape(Role::Uav, Class::Texel);
const MEM: Shape = shape(Role::UavOrShared, Class::Bits);
const ANY: Shape = shape(Role::AnyMemory, Class::Bits);
const ATT: Shape = shape(Role::Attribute, Class::Float);
const STM: Shape = shape(Role::Stream, Class::None);
const LBL: Shape = shape(Role::Label, Class::None);
const IFC: Shape = shape(Role::Interface, Class::None);
const DCL: Shape = shape(Role::Declared, Class::None);

/// Properties of an opcode, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    /// None.
    pub const NONE: Flags = Flags(0);
    /// Takes `_sat`.
    pub const SAT: Flags = Flags(1);
    /// Has the `_z` / `_nz` test.
    pub const TEST: Flags = Flags(2);
    /// Carries a resource's dimension and return types in extended opcode tokens (`_indexable`).
    pub const INDEXABLE: Flags = Flags(4);
    /// Takes `_aoffimmi`.
    pub const OFFSETS: Flags = Flags(8);
    /// Writes a sparse-residency status as its second operand.
    pub const FEEDBACK: Flags = Flags(16);
    /// Needs derivatives of its operands across the quad.
    pub const DERIVATIVE: Flags = Flags(32);
    /// Does something besides writing its destinations.
    pub const EFFECT: Flags = Flags(64);
    /// A declaration that gains a register space in 5.1.
    pub const SPACE: Flags = Flags(128);
    /// The number of plain tokens stands in the declaration itself.
    pub const COUNTED: Flags = Flags(256);
    /// The sampler operand selects a component (gather).
    pub const GATHER: Flags = Flags(512);

    /// Whether all bits of `other` are set.
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    const fn and(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpcodeInfo {
    /// Opcode; its number in the format is the enum's value.
    pub op: Opcode,
    /// FXC's mnemonic; a declaration's spelling is completed by what it declares.
    pub mnemonic: &'static str,
    /// First shader model that has it, major and minor (compute 4.x has some 5.0 opcodes too).
    pub model: (u8, u8),
    /// Stages that may use it.
    pub stages: Stages,
    /// What it is for.
    pub kind: Kind,
    /// Operands in order.
    pub operands: &'static [Shape],
    /// Plain tokens after the operands (declarations; without the register space of 5.1).
    pub extra: u8,
    /// Properties.
    pub flags: Flags,
}

impl OpcodeInfo {
    /// Whether it stands in the table of declarations instead of that of instructions.
    pub const fn is_declaration(&self) -> bool {
        matches!(self.kind, Kind::Declaration | Kind::Phase | Kind::CustomData)
    }

    /// Number of destinations among the operands; they come first.
    pub fn destinations(&self) -> usize {
        self.operands.iter().take_while(|s| s.role == Role::Dst).count()
    }
}

const ALL: u8 = 0x3f;
const PS: u8 = 1;
const GS: u8 = 4;
const HS: u8 = 8;
const DS: u8 = 16;
/// Hull and domain shaders.
const TS: u8 = HS | DS;
const CS: u8 = 32;
/// Stages with per-vertex or per-pixel outputs.
const OUT: u8 = ALL & !CS;

const NO: Flags = Flags::NONE;
const SAT: Flags = Flags::SAT;
const TEST: Flags = Flags::TEST.and(Flags::EFFECT);
const EFF: Flags = Flags::EFFECT;
const IX: Flags = Flags::INDEXABLE;
const TEX: Flags = Flags::INDEXABLE.and(Flags::OFFSETS);
const GRAD: Flags = TEX.and(Flags::DERIVATIVE);
const GATH: Flags = TEX.and(Flags::GATHER);
const GAPO: Flags = Flags::INDEXABLE.and(Flags::GATHER);
const FBK: Flags = Flags::FEEDBACK;
const DERIV: Flags = Flags::DERIVATIVE.and(Flags::SAT);
const SPC: Flags = Flags::SPACE;
const CNT: Flags = Flags::COUNTED;
const MOVES: Flags = Flags::EFFECT.and(Flags::INDEXABLE);

macro_rules! opcodes {
    ($($number:literal $name:ident $mnemonic:literal $model:literal $stages:tt $kind:ident [$($shape:ident)*] $extra:literal $flags:expr;)*) => {
        /// An opcode, in the format's own numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Opcode {
            $(#[doc = concat!("`", $mnemonic, "`")] $name = $number,)*
        }

        /// The table, by number.
        pub static OPCODES: &[OpcodeInfo] = &[
            $(OpcodeInfo {
                op: Opcode::$name,
                mnemonic: $mnemonic,
                model: ($model / 10, $model % 10),
                stages: Stages($stages),
                kind: Kind::$kind,
                operands: &[$($shape),*],
                extra: $extra,
                flags: $flags,
            },)*
        ];

        /// Row of each number; `NO_ROW` where the format has none.
        static ROWS: [u16; NUMBERS] = {
            let numbers: &[u16] = &[$($number),*];
            let mut rows = [NO_ROW; NUMBERS];
            let mut row = 0;
            while row < numbers.len() {
                rows[numbers[row] as usize] = row as u16;
                row += 1;
            }
            rows
        };
    };
}

/// One past the highest opcode number.
const NUMBERS: usize = 235;
const NO_ROW: u16 = u16::MAX;

impl Opcode {
    /// The opcode of a number.
    pub fn from_number(number: u32) -> Option<Opcode> {
        let row = *ROWS.get(number as usize)?;
        OPCODES.get(usize::from(row)).map(|info| info.op)
    }

    /// Its row of the table.
    pub fn info(self) -> &'static OpcodeInfo {
        // Every variant has a row: enum and rows are written by one macro.
        &OPCODES[usize::from(ROWS[self as usize])]
    }

    /// FXC's mnemonic.
    pub fn mnemonic(self) -> &'static str {
        self.info().mnemonic
    }
}

opcodes! {
    0 Add "add" 40 ALL Alu [DF SF SF] 0 SAT;
    1 And "and" 40 ALL Alu [DU SU SU] 0 NO;
    2 Break "break" 40 ALL Flow [] 0 EFF;
    3 Breakc "breakc" 40 ALL Flow [SM] 0 TEST;
    4 Call "call" 40 ALL Flow [LBL] 0 EFF;
    5 Callc "callc" 40 ALL Flow [SM LBL] 0 TEST;
    6 Case "case" 40 ALL Flow [SU] 0 EFF;
    7 Continue "continue" 40 ALL Flow [] 0 EFF;
    8 Continuec "continuec" 40 ALL Flow [SM] 0 TEST;
    9 Cut "cut" 40 GS Stream [] 0 EFF;
    10 Default "default" 40 ALL Flow [] 0 EFF;
    11 DerivRtx "deriv_rtx" 40 PS Alu [DF SF] 0 DERIV;
    12 DerivRty "deriv_rty" 40 PS Alu [DF SF] 0 DERIV;
    13 Discard "discard" 40 PS Flow [SM] 0 TEST;
    14 Div "div" 40 ALL Alu [DF SF SF] 0 SAT;
    15 Dp2 "dp2" 40 ALL Alu [DF SF SF] 0 SAT;
    16 Dp3 "dp3" 40 ALL Alu [DF SF SF] 0 SAT;
    17 Dp4 "dp4" 40 ALL Alu [DF SF SF] 0 SAT;
    18 Else "else" 40 ALL Flow [] 0 EFF;
    19 Emit "emit" 40 GS Stream [] 0 EFF;
    20 EmitThenCut "emit_then_cut" 40 GS Stream [] 0 EFF;
    21 EndIf "endif" 40 ALL Flow [] 0 EFF;
    22 EndLoop "endloop" 40 ALL Flow [] 0 EFF;
    23 EndSwitch "endswitch" 40 ALL Flow [] 0 EFF;
    24 Eq "eq" 40 ALL Alu [DM SF SF] 0 NO;
    25 Exp "exp" 40 ALL Alu [DF SF] 0 SAT;
    26 Frc "frc" 40 ALL Alu [DF SF] 0 SAT;
    27 Ftoi "ftoi" 40 ALL Alu [DI SF] 0 NO;
    28 Ftou "ftou" 40 ALL Alu [DU SF] 0 NO;
    29 Ge "ge" 40 ALL Alu [DM SF SF] 0 NO;
    30 Iadd "iadd" 40 ALL Alu [DI SI SI] 0 NO;
    31 If "if" 40 ALL Flow [SM] 0 TEST;
    32 Ieq "ieq" 40 ALL Alu [DM SI SI] 0 NO;
    33 Ige "ige" 40 ALL Alu [DM SI SI] 0 NO;
    34 Ilt "ilt" 40 ALL Alu [DM SI SI] 0 NO;
    35 Imad "imad" 40 ALL Alu [DI SI SI SI] 0 NO;
    36 Imax "imax" 40 ALL Alu [DI SI SI] 0 NO;
    37 Imin "imin" 40 ALL Alu [DI SI SI] 0 NO;
    38 Imul "imul" 40 ALL Alu [DI DI SI SI] 0 NO;
    39 Ine "ine" 40 ALL Alu [DM SI SI] 0 NO;
    40 Ineg "ineg" 40 ALL Alu [DI SI] 0 NO;
    41 Ishl "ishl" 40 ALL Alu [DI SI SU] 0 NO;
    42 Ishr "ishr" 40 ALL Alu [DI SI SU] 0 NO;
    43 Itof "itof" 40 ALL Alu [DF SI] 0 NO;
    44 Label "label" 40 ALL Flow [LBL] 0 EFF;
    45 Ld "ld" 40 ALL Texture [DT SI RES] 0 TEX;
    46 LdMs "ldms" 40 ALL Texture [DT SI RES SI] 0 TEX;
    47 Log "log" 40 ALL Alu [DF SF] 0 SAT;
    48 Loop "loop" 40 ALL Flow [] 0 EFF;
    49 Lt "lt" 40 ALL Alu [DM SF SF] 0 NO;
    50 Mad "mad" 40 ALL Alu [DF SF SF SF] 0 SAT;
    51 Min "min" 40 ALL Alu [DF SF SF] 0 SAT;
    52 Max "max" 40 ALL Alu [DF SF SF] 0 SAT;
    53 CustomData "customdata" 40 ALL CustomData [] 0 CNT;
    54 Mov "mov" 40 ALL Alu [DB SB] 0 SAT;
    55 Movc "movc" 40 ALL Alu [DB SM SB SB] 0 SAT;
    56 Mul "mul" 40 ALL Alu [DF SF SF] 0 SAT;
    57 Ne "ne" 40 ALL Alu [DM SF SF] 0 NO;
    58 Nop "nop" 40 ALL Flow [] 0 NO;
    59 Not "not" 40 ALL Alu [DU SU] 0 NO;
    60 Or "or" 40 ALL Alu [DU SU SU] 0 NO;
    61 Resinfo "resinfo" 40 ALL Texture [DB SU REU] 0 IX;
    62 Ret "ret" 40 ALL Flow [] 0 EFF;
    63 Retc "retc" 40 ALL Flow [SM] 0 TEST;
    64 RoundNe "round_ne" 40 ALL Alu [DF SF] 0 SAT;
    65 RoundNi "round_ni" 40 ALL Alu [DF SF] 0 SAT;
    66 RoundPi "round_pi" 40 ALL Alu [DF SF] 0 SAT;
    67 RoundZ "round_z" 40 ALL Alu [DF SF] 0 SAT;
    68 Rsq "rsq" 40 ALL Alu [DF SF] 0 SAT;
    69 Sample "sample" 40 PS Texture [DT SF RES SMP] 0 GRAD;
    70 SampleC "sample_c" 40 PS Texture [DF SF RES SMP SF] 0 GRAD;
    71 SampleCLz "sample_c_lz" 40 ALL Texture [DF SF RES SMP SF] 0 TEX;
    72 SampleL "sample_l" 40 ALL Texture [DT SF RES SMP SF] 0 TEX;
    73 SampleD "sample_d" 40 ALL Texture [DT SF RES SMP SF SF] 0 TEX;
    74 SampleB "sample_b" 40 PS Texture [DT SF RES SMP SF] 0 GRAD;
    75 Sqrt "sqrt" 40 ALL Alu [DF SF] 0 SAT;
    76 Switch "switch" 40 ALL Flow [SU] 0 EFF;
    77 Sincos "sincos" 40 ALL Alu [DF DF SF] 0 SAT;
    78 Udiv "udiv" 40 ALL Alu [DU DU SU SU] 0 NO;
    79 Ult "ult" 40 ALL Alu [DM SU SU] 0 NO;
    80 Uge "uge" 40 ALL Alu [DM SU SU] 0 NO;
    81 Umul "umul" 40 ALL Alu [DU DU SU SU] 0 NO;
    82 Umad "umad" 40 ALL Alu [DU SU SU SU] 0 NO;
    83 Umax "umax" 40 ALL Alu [DU SU SU] 0 NO;
    84 Umin "umin" 40 ALL Alu [DU SU SU] 0 NO;
    85 Ushr "ushr" 40 ALL Alu [DU SU SU] 0 NO;
    86 Utof "utof" 40 ALL Alu [DF SU] 0 NO;
    87 Xor "xor" 40 ALL Alu [DU SU SU] 0 NO;
    88 DclResource "dcl_resource" 40 ALL Declaration [DCL] 1 SPC;
    89 DclConstantBuffer "dcl_constantbuffer" 40 ALL Declaration [DCL] 0 SPC;
    90 DclSampler "dcl_sampler" 40 ALL Declaration [DCL] 0 SPC;
    91 DclIndexRange "dcl_indexrange" 40 ALL Declaration [DCL] 1 NO;
    92 DclGsOutputPrimitiveTopology "dcl_outputtopology" 40 GS Declaration [] 0 NO;
    93 DclGsInputPrimitive "dcl_inputprimitive" 40 GS Declaration [] 0 NO;
    94 DclMaxOutputVertexCount "dcl_maxout" 40 GS Declaration [] 1 NO;
    95 DclInput "dcl_input" 40 ALL Declaration [DCL] 0 NO;
    96 DclInputSgv "dcl_input_sgv" 40 ALL Declaration [DCL] 1 NO;
    97 DclInputSiv "dcl_input_siv" 40 ALL Declaration [DCL] 1 NO;
    98 DclInputPs "dcl_input_ps" 40 PS Declaration [DCL] 0 NO;
    99 DclInputPsSgv "dcl_input_ps_sgv" 40 PS Declaration [DCL] 1 NO;
    100 DclInputPsSiv "dcl_input_ps_siv" 40 PS Declaration [DCL] 1 NO;
    101 DclOutput "dcl_output" 40 OUT Declaration [DCL] 0 NO;
    102 DclOutputSgv "dcl_output_sgv" 40 OUT Declaration [DCL] 1 NO;
    103 DclOutputSiv "dcl_output_siv" 40 OUT Declaration [DCL] 1 NO;
    104 DclTemps "dcl_temps" 40 ALL Declaration [] 1 NO;
    105 DclIndexableTemp "dcl_indexableTemp" 40 ALL Declaration [] 3 NO;
    106 DclGlobalFlags "dcl_globalFlags" 40 ALL Declaration [] 0 NO;
    108 Lod "lod" 41 PS Texture [DF SF RES SMP] 0 IX;
    109 Gather4 "gather4" 41 ALL Texture [DT SF RES SMP] 0 GATH;
    110 SamplePos "samplepos" 41 ALL Texture [DF RER SI] 0 IX;
    111 SampleInfo "sampleinfo" 41 ALL Texture [DB RER] 0 IX;
    113 HsDecls "hs_decls" 50 HS Phase [] 0 NO;
    114 HsControlPointPhase "hs_control_point_phase" 50 HS Phase [] 0 NO;
    115 HsForkPhase "hs_fork_phase" 50 HS Phase [] 0 NO;
    116 HsJoinPhase "hs_join_phase" 50 HS Phase [] 0 NO;
    117 EmitStream "emit_stream" 50 GS Stream [STM] 0 EFF;
    118 CutStream "cut_stream" 50 GS Stream [STM] 0 EFF;
    119 EmitThenCutStream "emit_then_cut_stream" 50 GS Stream [STM] 0 EFF;
    120 Fcall "fcall" 50 ALL Flow [IFC] 0 EFF;
    121 Bufinfo "bufinfo" 50 ALL Texture [DU REU] 0 IX;
    122 DerivRtxCoarse "deriv_rtx_coarse" 50 PS Alu [DF SF] 0 DERIV;
    123 DerivRtxFine "deriv_rtx_fine" 50 PS Alu [DF SF] 0 DERIV;
    124 DerivRtyCoarse "deriv_rty_coarse" 50 PS Alu [DF SF] 0 DERIV;
    125 DerivRtyFine "deriv_rty_fine" 50 PS Alu [DF SF] 0 DERIV;
    126 Gather4C "gather4_c" 50 ALL Texture [DF SF RES SMP SF] 0 GATH;
    127 Gather4Po "gather4_po" 50 ALL Texture [DT SF SI RES SMP] 0 GAPO;
    128 Gather4PoC "gather4_po_c" 50 ALL Texture [DF SF SI RES SMP SF] 0 GAPO;
    129 Rcp "rcp" 50 ALL Alu [DF SF] 0 SAT;
    130 F32tof16 "f32tof16" 50 ALL Alu [DU SF] 0 NO;
    131 F16tof32 "f16tof32" 50 ALL Alu [DF SU] 0 SAT;
    132 Uaddc "uaddc" 50 ALL Alu [DU DU SU SU] 0 NO;
    133 Usubb "usubb" 50 ALL Alu [DU DU SU SU] 0 NO;
    134 Countbits "countbits" 50 ALL Alu [DU SU] 0 NO;
    135 FirstbitHi "firstbit_hi" 50 ALL Alu [DU SU] 0 NO;
    136 FirstbitLo "firstbit_lo" 50 ALL Alu [DU SU] 0 NO;
    137 FirstbitShi "firstbit_shi" 50 ALL Alu [DU SI] 0 NO;
    138 Ubfe "ubfe" 50 ALL Alu [DU SU SU SU] 0 NO;
    139 Ibfe "ibfe" 50 ALL Alu [DI SU SU SI] 0 NO;
    140 Bfi "bfi" 50 ALL Alu [DU SU SU SU SU] 0 NO;
    141 Bfrev "bfrev" 50 ALL Alu [DU SU] 0 NO;
    142 Swapc "swapc" 50 ALL Alu [DB DB SM SB SB] 0 SAT;
    143 DclStream "dcl_stream" 50 GS Declaration [DCL] 0 NO;
    144 DclFunctionBody "dcl_function_body" 50 ALL Declaration [] 1 NO;
    145 DclFunctionTable "dcl_function_table" 50 ALL Declaration [] 2 CNT;
    146 DclInterface "dcl_interface" 50 ALL Declaration [] 3 CNT;
    147 DclInputControlPointCount "dcl_input_control_point_count" 50 TS Declaration [] 0 NO;
    148 DclOutputControlPointCount "dcl_output_control_point_count" 50 HS Declaration [] 0 NO;
    149 DclTessDomain "dcl_tessellator_domain" 50 TS Declaration [] 0 NO;
    150 DclTessPartitioning "dcl_tessellator_partitioning" 50 HS Declaration [] 0 NO;
    151 DclTessOutputPrimitive "dcl_tessellator_output_primitive" 50 HS Declaration [] 0 NO;
    152 DclHsMaxTessfactor "dcl_hs_max_tessfactor" 50 HS Declaration [] 1 NO;
    153 DclHsForkPhaseInstanceCount "dcl_hs_fork_phase_instance_count" 50 HS Declaration [] 1 NO;
    154 DclHsJoinPhaseInstanceCount "dcl_hs_join_phase_instance_count" 50 HS Declaration [] 1 NO;
    155 DclThreadGroup "dcl_thread_group" 40 CS Declaration [] 3 NO;
    156 DclUavTyped "dcl_uav_typed" 50 ALL Declaration [DCL] 1 SPC;
    157 DclUavRaw "dcl_uav_raw" 40 ALL Declaration [DCL] 0 SPC;
    158 DclUavStructured "dcl_uav_structured" 40 ALL Declaration [DCL] 1 SPC;
    159 DclTgsmRaw "dcl_tgsm_raw" 40 CS Declaration [DCL] 1 NO;
    160 DclTgsmStructured "dcl_tgsm_structured" 40 CS Declaration [DCL] 2 NO;
    161 DclResourceRaw "dcl_resource_raw" 40 ALL Declaration [DCL] 0 SPC;
    162 DclResourceStructured "dcl_resource_structured" 40 ALL Declaration [DCL] 1 SPC;
    163 LdUavTyped "ld_uav_typed" 50 ALL Memory [DT SI UAV] 0 IX;
    164 StoreUavTyped "store_uav_typed" 50 ALL Memory [UAV SI ST] 0 MOVES;
    165 LdRaw "ld_raw" 40 ALL Memory [DB SU ANY] 0 IX;
    166 StoreRaw "store_raw" 40 ALL Memory [MEM SU SB] 0 MOVES;
    167 LdStructured "ld_structured" 40 ALL Memory [DB SU SU ANY] 0 IX;
    168 StoreStructured "store_structured" 40 ALL Memory [MEM SU SU SB] 0 MOVES;
    169 AtomicAnd "atomic_and" 50 ALL Atomic [MEM SU SU] 0 MOVES;
    170 AtomicOr "atomic_or" 50 ALL Atomic [MEM SU SU] 0 MOVES;
    171 AtomicXor "atomic_xor" 50 ALL Atomic [MEM SU SU] 0 MOVES;
    172 AtomicCmpStore "atomic_cmp_store" 50 ALL Atomic [MEM SU SU SU] 0 MOVES;
    173 AtomicIadd "atomic_iadd" 50 ALL Atomic [MEM SU SI] 0 MOVES;
    174 AtomicImax "atomic_imax" 50 ALL Atomic [MEM SU SI] 0 MOVES;
    175 AtomicImin "atomic_imin" 50 ALL Atomic [MEM SU SI] 0 MOVES;
    176 AtomicUmax "atomic_umax" 50 ALL Atomic [MEM SU SU] 0 MOVES;
    177 AtomicUmin "atomic_umin" 50 ALL Atomic [MEM SU SU] 0 MOVES;
    178 ImmAtomicAlloc "imm_atomic_alloc" 50 ALL Atomic [DU UAV] 0 MOVES;
    179 ImmAtomicConsume "imm_atomic_consume" 50 ALL Atomic [DU UAV] 0 MOVES;
    180 ImmAtomicIadd "imm_atomic_iadd" 50 ALL Atomic [DI MEM SU SI] 0 MOVES;
    181 ImmAtomicAnd "imm_atomic_and" 50 ALL Atomic [DU MEM SU SU] 0 MOVES;
    182 ImmAtomicOr "imm_atomic_or" 50 ALL Atomic [DU MEM SU SU] 0 MOVES;
    183 ImmAtomicXor "imm_atomic_xor" 50 ALL Atomic [DU MEM SU SU] 0 MOVES;
    184 ImmAtomicExch "imm_atomic_exch" 50 ALL Atomic [DU MEM SU SU] 0 MOVES;
    185 ImmAtomicCmpExch "imm_atomic_cmp_exch" 50 ALL Atomic [DU MEM SU SU SU] 0 MOVES;
    186 ImmAtomicImax "imm_atomic_imax" 50 ALL Atomic [DI MEM SU SI] 0 MOVES;
    187 ImmAtomicImin "imm_atomic_imin" 50 ALL Atomic [DI MEM SU SI] 0 MOVES;
    188 ImmAtomicUmax "imm_atomic_umax" 50 ALL Atomic [DU MEM SU SU] 0 MOVES;
    189 ImmAtomicUmin "imm_atomic_umin" 50 ALL Atomic [DU MEM SU SU] 0 MOVES;
    190 Sync "sync" 40 ALL Sync [] 0 EFF;
    191 Dadd "dadd" 50 ALL Alu [DD SD SD] 0 SAT;
    192 Dmax "dmax" 50 ALL Alu [DD SD SD] 0 SAT;
    193 Dmin "dmin" 50 ALL Alu [DD SD SD] 0 SAT;
    194 Dmul "dmul" 50 ALL Alu [DD SD SD] 0 SAT;
    195 Deq "deq" 50 ALL Alu [DM SD SD] 0 NO;
    196 Dge "dge" 50 ALL Alu [DM SD SD] 0 NO;
    197 Dlt "dlt" 50 ALL Alu [DM SD SD] 0 NO;
    198 Dne "dne" 50 ALL Alu [DM SD SD] 0 NO;
    199 Dmov "dmov" 50 ALL Alu [DD SD] 0 SAT;
    200 Dmovc "dmovc" 50 ALL Alu [DD SM SD SD] 0 SAT;
    201 Dtof "dtof" 50 ALL Alu [DF SD] 0 SAT;
    202 Ftod "ftod" 50 ALL Alu [DD SF] 0 SAT;
    203 EvalSnapped "eval_snapped" 50 PS Alu [DF ATT SI] 0 SAT;
    204 EvalSampleIndex "eval_sample_index" 50 PS Alu [DF ATT SU] 0 SAT;
    205 EvalCentroid "eval_centroid" 50 PS Alu [DF ATT] 0 SAT;
    206 DclGsInstanceCount "dcl_gsinstances" 50 GS Declaration [] 1 NO;
    207 Abort "abort" 50 ALL Other [] 0 EFF;
    208 DebugBreak "debug_break" 50 ALL Other [] 0 EFF;
    210 Ddiv "ddiv" 50 ALL Alu [DD SD SD] 0 SAT;
    211 Dfma "dfma" 50 ALL Alu [DD SD SD SD] 0 SAT;
    212 Drcp "drcp" 50 ALL Alu [DD SD] 0 SAT;
    213 Msad "msad" 50 ALL Alu [DU SU SU SU] 0 NO;
    214 Dtoi "dtoi" 50 ALL Alu [DI SD] 0 NO;
    215 Dtou "dtou" 50 ALL Alu [DU SD] 0 NO;
    216 Itod "itod" 50 ALL Alu [DD SI] 0 NO;
    217 Utod "utod" 50 ALL Alu [DD SU] 0 NO;
    219 Gather4Feedback "gather4_s" 50 ALL Texture [DT DU SF RES SMP] 0 GATH.and(FBK);
    220 Gather4CFeedback "gather4_c_s" 50 ALL Texture [DF DU SF RES SMP SF] 0 GATH.and(FBK);
    221 Gather4PoFeedback "gather4_po_s" 50 ALL Texture [DT DU SF SI RES SMP] 0 GAPO.and(FBK);
    222 Gather4PoCFeedback "gather4_po_c_s" 50 ALL Texture [DF DU SF SI RES SMP SF] 0 GAPO.and(FBK);
    223 LdFeedback "ld_s" 50 ALL Texture [DT DU SI RES] 0 TEX.and(FBK);
    224 LdMsFeedback "ldms_s" 50 ALL Texture [DT DU SI RES SI] 0 TEX.and(FBK);
    225 LdUavTypedFeedback "ld_uav_typed_s" 50 ALL Memory [DT DU SI UAV] 0 IX.and(FBK);
    226 LdRawFeedback "ld_raw_s" 50 ALL Memory [DB DU SU ANY] 0 IX.and(FBK);
    227 LdStructuredFeedback "ld_structured_s" 50 ALL Memory [DB DU SU SU ANY] 0 IX.and(FBK);
    228 SampleLFeedback "sample_l_s" 50 ALL Texture [DT DU SF RES SMP SF] 0 TEX.and(FBK);
    229 SampleCLzFeedback "sample_c_lz_s" 50 ALL Texture [DF DU SF RES SMP SF] 0 TEX.and(FBK);
    230 SampleClampFeedback "sample_cl_s" 50 PS Texture [DT DU SF RES SMP SF] 0 GRAD.and(FBK);
    231 SampleBClampFeedback "sample_b_cl_s" 50 PS Texture [DT DU SF RES SMP SF SF] 0 GRAD.and(FBK);
    232 SampleDClampFeedback "sample_d_cl_s" 50 ALL Texture [DT DU SF RES SMP SF SF SF] 0 TEX.and(FBK);
    233 SampleCClampFeedback "sample_c_cl_s" 50 PS Texture [DF DU SF RES SMP SF SF] 0 GRAD.and(FBK);
    234 CheckAccessFullyMapped "check_access_fully_mapped" 50 ALL Alu [DM SU] 0 NO;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_enum_agree() {
        let gaps = [107, 112, 209, 218];
        for number in 0..400u32 {
            match Opcode::from_number(number) {
                Some(op) => {
                    assert_eq!(op as u32, number);
                    assert_eq!(op.info().op, op);
                }
                None => assert!(number >= NUMBERS as u32 || gaps.contains(&number), "{number} is missing"),
            }
        }
        assert_eq!(OPCODES.len(), NUMBERS - gaps.len());
        assert!(OPCODES.windows(2).all(|w| w[0].op < w[1].op));
    }

    #[test]
    fn variants_are_the_mnemonics_in_camel_case() {
        for info in OPCODES {
            if info.is_declaration() || info.flags.has(Flags::FEEDBACK) {
                continue;
            }
            let variant = format!("{:?}", info.op).to_lowercase();
            assert_eq!(variant, info.mnemonic.replace('_', ""));
        }
    }

    #[test]
    fn destinations_come_first_and_feedback_second() {
        for info in OPCODES {
            let n = info.destinations();
            assert!(info.operands[n..].iter().all(|s| s.role != Role::Dst), "{}", info.mnemonic);
            if info.flags.has(Flags::FEEDBACK) {
                assert_eq!(n, 2, "{}", info.mnemonic);
                assert_eq!(info.operands[1].class, Class::Uint);
            }
            assert!(info.operands.len() <= 8);
        }
    }
}
