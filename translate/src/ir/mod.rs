//! The typed SSA form between Direct3D's tokens and SPIR-V's words.
//!
//! A flat arena of small fixed-size records: an instruction's number is its value's id, operands stand in one side
//! array, and a block is a range of instructions. Nothing here owns heap memory per instruction.
//! Control flow is structured as SPIR-V wants it: every header names its merge block.
//!
//! Owns the form, its builder, its printer and its verifier. Knows neither Direct3D nor SPIR-V numbers.

mod builder;
mod op;
mod print;
mod verify;

pub use builder::{Builder, LaneRef};
pub use op::{Effect, ImageFlags, Op, sync};
pub use print::print;
pub use verify::{Fault, verify};

/// An instruction, and the value that it makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ValueId(pub u32);

/// A block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A module-scope or function-scope variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// What a component of a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Kind {
    /// No value.
    Void = 0,
    /// A truth value.
    Bool = 1,
    /// 32 bits, the type of every integer operation but those that `S32` lists.
    U32 = 2,
    /// 32 bits: what signed views and signed interface variables hold, and the type of `SMin`, `SMax`, `SToF` and `FToS`.
    /// SPIR-V lets these take unsigned types, but SPIRV-Tools and SwiftShader fold them by the type's sign.
    S32 = 3,
    /// 32-bit float.
    F32 = 4,
    /// 16-bit float.
    F16 = 5,
    /// 64-bit float.
    F64 = 6,
    /// 64-bit integer.
    U64 = 7,
    /// A loaded image.
    Image = 8,
    /// A loaded sampler.
    Sampler = 9,
    /// A structure of two `U32` vectors of the type's width: what `AddCarry`, `SubBorrow` and the extended multiplications make.
    PairU32 = 10,
    /// A structure of a residency code and a texel of `F32`.
    SparseF32 = 11,
    /// A structure of a residency code and a texel of `U32`.
    SparseU32 = 12,
    /// A structure of a residency code and a texel of `S32`.
    SparseS32 = 13,
}

/// A value's type: a kind and a width of 1 to 4 components.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u8);

impl Type {
    /// No value.
    pub const VOID: Type = Type::new(Kind::Void, 1);
    /// One truth value.
    pub const BOOL: Type = Type::new(Kind::Bool, 1);
    /// One 32-bit integer.
    pub const U32: Type = Type::new(Kind::U32, 1);
    /// One 32-bit signed integer.
    pub const S32: Type = Type::new(Kind::S32, 1);
    /// One 32-bit float.
    pub const F32: Type = Type::new(Kind::F32, 1);

    /// A type of `width` components (1 to 4).
    pub const fn new(kind: Kind, width: u8) -> Type {
        Type(((kind as u8) << 2) | ((width - 1) & 3))
    }

    /// Kind.
    pub const fn kind(self) -> Kind {
        match self.0 >> 2 {
            1 => Kind::Bool,
            2 => Kind::U32,
            3 => Kind::S32,
            4 => Kind::F32,
            5 => Kind::F16,
            6 => Kind::F64,
            7 => Kind::U64,
            8 => Kind::Image,
            9 => Kind::Sampler,
            10 => Kind::PairU32,
            11 => Kind::SparseF32,
            12 => Kind::SparseU32,
            13 => Kind::SparseS32,
            _ => Kind::Void,
        }
    }

    /// Number of components.
    pub const fn width(self) -> u8 {
        (self.0 & 3) + 1
    }

    /// The same kind with another width.
    pub const fn with_width(self, width: u8) -> Type {
        Type::new(self.kind(), width)
    }

    /// The same width with another kind.
    pub const fn with_kind(self, kind: Kind) -> Type {
        Type::new(kind, self.width())
    }

    /// A dense number, for tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.width() == 1 { write!(f, "{:?}", self.kind()) } else { write!(f, "{:?}x{}", self.kind(), self.width()) }
    }
}

/// Flags of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Flags(pub u8);

impl Flags {
    /// Nothing.
    pub const NONE: Flags = Flags(0);
    /// Neither this operation nor a part of it may be contracted with another (`precise`).
    pub const NO_CONTRACTION: Flags = Flags(1);
    /// The descriptor index may differ between the invocations of a group.
    pub const NON_UNIFORM: Flags = Flags(2);

    /// Whether all of `other` are set.
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    pub const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// An instruction. Its operands are `args[first..first + count]` of the function; `aux` means what the operation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inst {
    /// Operation.
    pub op: Op,
    /// Type of the value.
    pub ty: Type,
    /// Flags.
    pub flags: Flags,
    /// Number of operands.
    pub count: u16,
    /// First operand.
    pub first: u32,
    /// The operation's own literal: a constant's bits, a variable, a component, …
    pub aux: u32,
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// To one block.
    Branch(BlockId),
    /// To one of two.
    Conditional {
        /// Condition, one `Bool`.
        condition: ValueId,
        /// Where true.
        then: BlockId,
        /// Where false.
        otherwise: BlockId,
    },
    /// To one of many: `first..first + count` of [`Function::cases`].
    Switch {
        /// Selector, one `U32`.
        selector: ValueId,
        /// Where no case has the value.
        default: BlockId,
        /// First case.
        first: u32,
        /// Number of cases.
        count: u32,
    },
    /// Ends the invocation's shader.
    Return,
    /// Never reached.
    Unreachable,
}

/// The construct that a block is the header of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Merge {
    /// None.
    #[default]
    None,
    /// A selection that ends at a block.
    Selection(BlockId),
    /// A loop.
    Loop {
        /// Where it ends.
        merge: BlockId,
        /// Where it goes round.
        next: BlockId,
    },
}

/// A block: the instructions `first..end` in the order of their numbers, then the terminator.
/// Constants among them belong to the module, not to the block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// First instruction.
    pub first: u32,
    /// One past the last.
    pub end: u32,
    /// Construct.
    pub merge: Merge,
    /// End.
    pub terminator: Terminator,
}

/// Number of descriptors at a binding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// One, not an array.
    One,
    /// An array of this many (1 is an array too).
    Array(u32),
    /// An array without an end.
    Runtime,
}

/// Set, binding and count of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descriptor {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Number of descriptors.
    pub count: Count,
}

/// Dimension of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ImageDim {
    Buffer,
    D1,
    D2,
    D3,
    Cube,
}

/// Format of a storage image, as far as a shader must know it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum ImageFormat {
    Unknown,
    R32f,
    R32ui,
    R32i,
}

/// Type of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ImageType {
    /// Dimension.
    pub dim: ImageDim,
    /// Arrayed.
    pub arrayed: bool,
    /// Multisampled.
    pub multisampled: bool,
    /// Compared with a reference somewhere in the shader.
    pub depth: bool,
    /// A storage image (or storage texel buffer), not a sampled one.
    pub storage: bool,
    /// Component kind: `F32`, `U32` or `S32`.
    pub component: Kind,
    /// Format of a storage image.
    pub format: ImageFormat,
}

/// Access that a storage resource is decorated with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MemoryDecorations {
    /// NonWritable.
    pub non_writable: bool,
    /// NonReadable.
    pub non_readable: bool,
    /// Coherent.
    pub coherent: bool,
}

/// A built-in of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum BuiltIn {
    Position,
    PointSize,
    ClipDistance,
    CullDistance,
    VertexIndex,
    InstanceIndex,
    BaseVertex,
    BaseInstance,
    DrawIndex,
    PrimitiveId,
    InvocationId,
    Layer,
    ViewportIndex,
    TessLevelOuter,
    TessLevelInner,
    TessCoord,
    PatchVertices,
    FragCoord,
    PointCoord,
    FrontFacing,
    SampleId,
    SamplePosition,
    SampleMask,
    FragDepth,
    FragStencilRef,
    HelperInvocation,
    GlobalInvocationId,
    LocalInvocationId,
    LocalInvocationIndex,
    WorkgroupId,
    FullyCovered,
}

/// Where an interface variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// At a location, from a component (0 to 3) on. `index` 1 is the second source of dual-source blending.
    Location {
        /// Location.
        location: u32,
        /// First component.
        component: u8,
        /// Blend source index.
        index: u8,
    },
    /// A built-in.
    BuiltIn(BuiltIn),
}

/// Decorations of an interface variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct InterfaceDecorations {
    /// Flat.
    pub flat: bool,
    /// NoPerspective.
    pub no_perspective: bool,
    /// Centroid.
    pub centroid: bool,
    /// Sample.
    pub sample: bool,
    /// Patch.
    pub patch: bool,
    /// Invariant.
    pub invariant: bool,
    /// Length of the outermost array, of the primitive's or patch's vertices; 0 is none.
    pub per_vertex: u32,
    /// Geometry stream.
    pub stream: u8,
    /// Where transform feedback puts it.
    pub capture: Option<Capture>,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// Input of the stage. `array` is `Some` for arrayed inputs (built-in arrays such as ClipDistance, or per-vertex inputs): its length, outermost.
    Input {
        /// Type without the array.
        ty: Type,
        /// Array length.
        array: Option<u32>,
        /// Place.
        place: Place,
        /// Decorations.
        decorations: InterfaceDecorations,
    },
    /// Output of the stage.
    Output {
        /// Type without the array.
        ty: Type,
        /// Array length.
        array: Option<u32>,
        /// Place.
        place: Place,
        /// Decorations.
        decorations: InterfaceDecorations,
    },
    /// `struct { T a[len]; }` in a uniform block, array stride 16. Indexed by (descriptor,) element (, component).
    UniformBuffer {
        /// Element: a vector of four.
        element: Type,
        /// Elements.
        len: u32,
        /// Descriptor.
        descriptor: Descriptor,
    },
    /// `struct { T a[]; }` in a storage buffer, or with `inner` `struct { T a[][inner]; }`.
    /// Indexed by (descriptor,) element (, inner element) (, component).
    StorageBuffer {
        /// Element.
        element: Type,
        /// Elements of the inner array; 0 is none.
        inner: u32,
        /// Bytes from one outer element to the next. The inner array's stride is the element's size.
        stride: u32,
        /// Access.
        access: MemoryDecorations,
        /// Descriptor.
        descriptor: Descriptor,
    },
    /// An image or texel buffer.
    Image {
        /// Type.
        ty: ImageType,
        /// Access (storage only).
        access: MemoryDecorations,
        /// Descriptor.
        descriptor: Descriptor,
    },
    /// A sampler.
    Sampler {
        /// Descriptor.
        descriptor: Descriptor,
    },
    /// `struct { u32 a[len]; }` of push constants at a byte offset. Indexed by element.
    PushConstants {
        /// Bytes before the first element.
        offset: u32,
        /// Elements.
        len: u32,
    },
    /// A function-local array. Indexed by element (, component). Starts as zeros.
    Local {
        /// Element.
        element: Type,
        /// Elements.
        len: u32,
    },
    /// An array of constants (the immediate constant buffer). Indexed by element (, component).
    Table {
        /// Element.
        element: Type,
        /// Elements.
        len: u32,
        /// First of `len` constants in [`Function::table`], each of the element's type.
        first: u32,
    },
    /// Group shared memory. Indexed by element.
    Workgroup {
        /// Element.
        element: Type,
        /// Elements.
        len: u32,
    },
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Var {
    /// What it is.
    pub kind: VarKind,
    /// Name: range of [`Function::names`], empty for none.
    pub name: (u32, u32),
}

/// How a patch is divided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Domain {
    Isoline,
    Triangle,
    Quad,
}

/// How tessellation levels round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Partitioning {
    Integer,
    FractionalOdd,
    FractionalEven,
}

/// What a divided patch is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TessellatorOutput {
    Point,
    Line,
    TriangleClockwise,
    TriangleCounterClockwise,
}

/// Modes of the tessellation stages. What a stage does not say stands in the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TessellationModes {
    /// Domain.
    pub domain: Option<Domain>,
    /// Partitioning.
    pub partitioning: Option<Partitioning>,
    /// Output primitive.
    pub output: Option<TessellatorOutput>,
    /// Control points that the control stage makes: its invocations.
    pub control_points: u32,
}

/// What a geometry shader is run on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum InputPrimitive {
    Point,
    Line,
    Triangle,
    LineAdjacency,
    TriangleAdjacency,
}

/// What a geometry shader makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum OutputTopology {
    Points,
    LineStrip,
    TriangleStrip,
}

/// Modes of the geometry stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GeometryModes {
    /// Input primitive.
    pub input: InputPrimitive,
    /// Output topology.
    pub output: OutputTopology,
    /// Most vertices of an invocation.
    pub vertices: u32,
    /// Invocations a primitive.
    pub invocations: u32,
}

/// Where an output is captured by transform feedback.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capture {
    /// Buffer.
    pub buffer: u8,
    /// Bytes from one vertex to the next.
    pub stride: u32,
    /// Bytes before the output in its vertex.
    pub offset: u32,
}

/// Stage-wide modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modes {
    /// Stage.
    pub stage: crate::interface::Stage,
    /// Threads a group.
    pub workgroup_size: [u32; 3],
    /// EarlyFragmentTests.
    pub early_fragment_tests: bool,
    /// DepthGreater or DepthLess: `Some(true)` is greater. Needs an output of FragDepth.
    pub depth: Option<bool>,
    /// The shader writes FragDepth.
    pub depth_replacing: bool,
    /// The shader writes FragStencilRef.
    pub stencil_replacing: bool,
    /// Accesses in an interlocked section are ordered by pixel (PixelInterlockOrdered).
    pub interlock: bool,
    /// Outputs are captured by transform feedback (Xfb).
    pub capture: bool,
    /// Modes of the tessellation stages.
    pub tessellation: TessellationModes,
    /// Modes of the geometry stage.
    pub geometry: Option<GeometryModes>,
}

impl Modes {
    /// A stage's modes where nothing is said.
    pub fn new(stage: crate::interface::Stage) -> Modes {
        Modes {
            stage,
            workgroup_size: [1; 3],
            early_fragment_tests: false,
            depth: None,
            depth_replacing: false,
            stencil_replacing: false,
            interlock: false,
            capture: false,
            tessellation: TessellationModes::default(),
            geometry: None,
        }
    }
}

/// A whole module: one entry point.
#[derive(Clone, Debug)]
pub struct Function {
    /// Modes.
    pub modes: Modes,
    /// Instructions by id.
    pub insts: Vec<Inst>,
    /// Operands: value ids; of a phi, pairs of value and block.
    pub args: Vec<u32>,
    /// Blocks by id.
    pub blocks: Vec<Block>,
    /// Blocks as they stand in the module.
    pub order: Vec<BlockId>,
    /// Cases of switches: literal and block.
    pub cases: Vec<(u32, BlockId)>,
    /// Variables by id.
    pub vars: Vec<Var>,
    /// Constants of tables.
    pub table: Vec<ValueId>,
    /// Names of variables, one after another.
    pub names: String,
}

impl Function {
    /// An instruction.
    pub fn inst(&self, id: ValueId) -> &Inst {
        &self.insts[id.0 as usize]
    }

    /// Its operands.
    pub fn args(&self, id: ValueId) -> &[u32] {
        self.args_of(self.inst(id))
    }

    /// Operands of an instruction.
    pub fn args_of(&self, inst: &Inst) -> &[u32] {
        &self.args[inst.first as usize..inst.first as usize + inst.count as usize]
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }
}
