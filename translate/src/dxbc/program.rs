//! A decoded shader program: flat tables that the decoder fills and everything else reads.
//!
//! Nothing here owns heap memory per instruction. Operands and literals stand in side arrays of [`Program`].

use super::opcodes::Opcode;

/// Program type, in the token format's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum ProgramType {
    Pixel = 0,
    Vertex = 1,
    Geometry = 2,
    Hull = 3,
    Domain = 4,
    Compute = 5,
}

impl ProgramType {
    /// The type of a number in the token format.
    pub fn from_number(number: u32) -> Option<Self> {
        use ProgramType::*;
        [Pixel, Vertex, Geometry, Hull, Domain, Compute].get(usize::try_from(number).ok()?).copied()
    }
}

/// Register file of an operand: `D3D10_SB_OPERAND_TYPE`, in its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum RegisterFile {
    Temp = 0,
    Input = 1,
    Output = 2,
    IndexableTemp = 3,
    Immediate32 = 4,
    Immediate64 = 5,
    Sampler = 6,
    Resource = 7,
    ConstantBuffer = 8,
    ImmediateConstantBuffer = 9,
    Label = 10,
    InputPrimitiveId = 11,
    OutputDepth = 12,
    Null = 13,
    Rasterizer = 14,
    OutputCoverageMask = 15,
    Stream = 16,
    FunctionBody = 17,
    FunctionTable = 18,
    Interface = 19,
    FunctionInput = 20,
    FunctionOutput = 21,
    OutputControlPointId = 22,
    InputForkInstanceId = 23,
    InputJoinInstanceId = 24,
    InputControlPoint = 25,
    OutputControlPoint = 26,
    InputPatchConstant = 27,
    InputDomainPoint = 28,
    ThisPointer = 29,
    UnorderedAccessView = 30,
    ThreadGroupSharedMemory = 31,
    InputThreadId = 32,
    InputThreadGroupId = 33,
    InputThreadIdInGroup = 34,
    InputCoverageMask = 35,
    InputThreadIdInGroupFlattened = 36,
    InputGsInstanceId = 37,
    OutputDepthGreaterEqual = 38,
    OutputDepthLessEqual = 39,
    CycleCounter = 40,
    OutputStencilRef = 41,
    InnerCoverage = 42,
}

/// How an operand's components are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// Operand without components (`null`, `s0`, `l0`, …).
    None,
    /// One component, no selection (a scalar operand: `oDepth`, `vPrim`, `l(1)`).
    One,
    /// Write mask, or the mask of a declaration: bit 0 is x.
    Mask(u8),
    /// Swizzle: two bits a component, x lowest.
    Swizzle(u8),
    /// One component chosen, 0 to 3.
    Select(u8),
}

impl Components {
    /// The source component that lane `lane` (0 to 3) of a read takes.
    pub fn source(self, lane: u8) -> u8 {
        match self {
            Components::None | Components::One => 0,
            Components::Mask(_) => lane,
            Components::Swizzle(s) => (s >> (2 * lane)) & 3,
            Components::Select(c) => c,
        }
    }

    /// The write mask as bits (a scalar destination: x).
    pub fn mask(self) -> u8 {
        match self {
            Components::None => 0,
            Components::One => 1,
            Components::Mask(m) => m,
            Components::Swizzle(_) => 15,
            Components::Select(c) => 1 << c,
        }
    }
}

/// Index into [`Program::operands`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperandId(pub u32);

/// One index of an operand: a constant, a register's component, or their sum.
///
/// The two parts are private and are only given out together or as a constant that has no register part, so no reader
/// can take the constant and forget the register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Index {
    offset: u32,
    relative: Option<OperandId>,
}

impl Index {
    /// A constant index.
    pub const fn constant(value: u32) -> Index {
        Index { offset: value, relative: None }
    }

    /// The sum of a constant and a register: an operand that selects one component.
    pub const fn dynamic(offset: u32, register: OperandId) -> Index {
        Index { offset, relative: Some(register) }
    }

    /// The index, if no register is part of it.
    pub const fn as_constant(self) -> Option<u32> {
        match self.relative {
            None => Some(self.offset),
            Some(_) => None,
        }
    }

    /// The register part.
    pub const fn register(self) -> Option<OperandId> {
        self.relative
    }

    /// The constant part and the register part.
    pub const fn parts(self) -> (u32, Option<OperandId>) {
        (self.offset, self.relative)
    }
}

/// Minimum precision of an operand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum MinPrecision {
    #[default]
    Default = 0,
    Float16 = 1,
    Float2_8 = 2,
    Sint16 = 4,
    Uint16 = 5,
}

/// An operand. Literals are inline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Register file.
    pub file: RegisterFile,
    /// Component selection.
    pub components: Components,
    /// `-` modifier.
    pub neg: bool,
    /// `| |` modifier.
    pub abs: bool,
    /// Non-uniform resource index (5.1).
    pub nonuniform: bool,
    /// Minimum precision.
    pub min_precision: MinPrecision,
    /// How many of `index` are in use, 0 to 3.
    pub index_count: u8,
    /// Indices. In shader model 5.1 resource operands have the range id first, then the register, then (constant buffers) the element.
    pub index: [Index; 3],
    /// Literal of `Immediate32` (one component: `[0]`; four: all) or, as two halves a component, of `Immediate64`.
    pub literal: [u32; 4],
}

impl Operand {
    /// The first index: the register's number, if no other register is part of it.
    pub const fn number(&self) -> Option<u32> {
        self.index[0].as_constant()
    }

    /// The last index that is in use: the register of an input or output, whose vertex comes before it.
    pub fn last_index(&self) -> Index {
        let used = usize::from(self.index_count).clamp(1, self.index.len());
        self.index[used - 1]
    }
}

/// Return types of a resource: four 4-bit `D3D10_RESOURCE_RETURN_TYPE`s, x lowest
/// (1 unorm, 2 snorm, 3 sint, 4 uint, 5 float, 6 mixed, 7 double, 8 continued, 9 unused).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReturnTypes(pub u16);

impl ReturnTypes {
    /// Type of component `c`.
    pub fn of(self, c: u8) -> u8 {
        ((self.0 >> (4 * c)) & 15) as u8
    }
}

/// `D3D10_SB_RESOURCE_DIMENSION`, in its numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum ResourceDim {
    #[default]
    Unknown = 0,
    Buffer = 1,
    Texture1D = 2,
    Texture2D = 3,
    Texture2DMs = 4,
    Texture3D = 5,
    TextureCube = 6,
    Texture1DArray = 7,
    Texture2DArray = 8,
    Texture2DMsArray = 9,
    TextureCubeArray = 10,
    RawBuffer = 11,
    StructuredBuffer = 12,
}

impl ResourceDim {
    /// The dimension of a number.
    pub fn from_number(number: u32) -> Option<ResourceDim> {
        use ResourceDim::*;
        const DIMENSIONS: [ResourceDim; 13] = [
            Unknown,
            Buffer,
            Texture1D,
            Texture2D,
            Texture2DMs,
            Texture3D,
            TextureCube,
            Texture1DArray,
            Texture2DArray,
            Texture2DMsArray,
            TextureCubeArray,
            RawBuffer,
            StructuredBuffer,
        ];
        DIMENSIONS.get(number as usize).copied()
    }
}

/// An executable instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Opcode.
    pub op: Opcode,
    /// `_sat`.
    pub saturate: bool,
    /// `_nz` (true) or `_z` of a conditional instruction.
    pub test_nonzero: bool,
    /// Components that are `precise`, bit 0 is x.
    pub precise: u8,
    /// Opcode-specific bits 11 to 23 of the opcode token, as they stand there, shifted down by 11
    /// (`sync` flags, `resinfo` and `sampleinfo` return type, …).
    pub controls: u16,
    /// `_aoffimmi`: offsets u, v, w in texels, −8 to 7.
    pub offsets: [i8; 3],
    /// Whether `_aoffimmi` stands there at all; compilers write it with offsets of 0 too.
    pub has_offsets: bool,
    /// Dimension from the extended opcode token (`_indexable`), else `Unknown`.
    pub dim: ResourceDim,
    /// Structure stride from the extended opcode token, bytes; else 0.
    pub stride: u16,
    /// Return types from the extended opcode token.
    pub returns: ReturnTypes,
    /// First operand in [`Program::operands`].
    pub first_operand: u32,
    /// Number of operands (destinations first), without those inside indices.
    pub operand_count: u8,
    /// Byte offset of the opcode token in the container.
    pub offset: u32,
    /// For `fcall`: the function-body index token; for `call`-like forms unused.
    pub extra: u32,
}

/// A declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Opcode (`Dcl…`), or `CustomData` for an immediate constant buffer and other custom data,
    /// or a hull phase marker (`HsDecls`, `HsControlPointPhase`, …).
    pub op: Opcode,
    /// Bits 11 to 23 of the opcode token, shifted down by 11.
    pub controls: u16,
    /// First operand in [`Program::operands`].
    pub first_operand: u32,
    /// Number of operands.
    pub operand_count: u8,
    /// Plain tokens after the operands, as they stand (sizes, strides, system value names, spaces, counts, …): range of [`Program::extra`].
    pub extra: (u32, u32),
    /// Byte offset of the opcode token in the container.
    pub offset: u32,
    /// Number of instructions that stand before this declaration (hull phases and function bodies mix the two).
    pub before: u32,
}

/// A decoded program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Program type.
    pub ty: ProgramType,
    /// Shader model, major and minor.
    pub model: (u8, u8),
    /// Declarations in order.
    pub declarations: Vec<Declaration>,
    /// Instructions in order.
    pub instructions: Vec<Instruction>,
    /// Operands of both, and of their indices.
    pub operands: Vec<Operand>,
    /// Plain tokens of declarations and custom data.
    pub extra: Vec<u32>,
    /// Words that follow an instruction's operands and mean nothing: (instruction, word), in order.
    pub trailing: Vec<(u32, u32)>,
}

impl Program {
    /// Operands of an instruction.
    pub fn operands_of(&self, instruction: &Instruction) -> &[Operand] {
        let first = instruction.first_operand as usize;
        &self.operands[first..first + instruction.operand_count as usize]
    }

    /// Operands of a declaration.
    pub fn operands_of_declaration(&self, declaration: &Declaration) -> &[Operand] {
        let first = declaration.first_operand as usize;
        &self.operands[first..first + declaration.operand_count as usize]
    }

    /// Plain tokens of a declaration.
    pub fn extra_of(&self, declaration: &Declaration) -> &[u32] {
        &self.extra[declaration.extra.0 as usize..declaration.extra.1 as usize]
    }

    /// An operand.
    pub fn operand(&self, id: OperandId) -> &Operand {
        &self.operands[id.0 as usize]
    }
}
