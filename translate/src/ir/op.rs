//! The operations, as data: one row each, read by the printer, the verifier, the passes and the writer.

/// Optional operands of an image operation, as bits of its `aux`. Operands follow in the order of the bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ImageFlags(pub u32);

impl ImageFlags {
    /// Nothing.
    pub const NONE: ImageFlags = ImageFlags(0);
    /// A depth reference follows the coordinate.
    pub const DREF: ImageFlags = ImageFlags(1);
    /// A component (constant) follows: gather.
    pub const COMPONENT: ImageFlags = ImageFlags(1 << 1);
    /// Bias.
    pub const BIAS: ImageFlags = ImageFlags(1 << 2);
    /// Level of detail.
    pub const LOD: ImageFlags = ImageFlags(1 << 3);
    /// Two gradients.
    pub const GRAD: ImageFlags = ImageFlags(1 << 4);
    /// Constant offset.
    pub const CONST_OFFSET: ImageFlags = ImageFlags(1 << 5);
    /// Offset.
    pub const OFFSET: ImageFlags = ImageFlags(1 << 6);
    /// Sample index.
    pub const SAMPLE: ImageFlags = ImageFlags(1 << 7);
    /// Lowest level of detail.
    pub const MIN_LOD: ImageFlags = ImageFlags(1 << 8);
    /// The sparse form: the value is a structure of a residency code and the texel. No operand.
    pub const SPARSE: ImageFlags = ImageFlags(1 << 16);

    /// Whether all of `other` are set.
    pub const fn has(self, other: ImageFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    pub const fn with(self, other: ImageFlags) -> ImageFlags {
        ImageFlags(self.0 | other.0)
    }
}

macro_rules! ops {
    ($($(#[doc = $doc:literal])+ $name:ident $effect:ident;)*) => {
        /// An operation.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $($(#[doc = $doc])+ $name,)* }

        impl Op {
            /// Every operation, in order.
            pub const ALL: &'static [Op] = &[$(Op::$name,)*];

            /// What it does besides making its value.
            #[inline]
            pub const fn effect(self) -> Effect {
                match self { $(Op::$name => Effect::$effect,)* }
            }

            /// Its name in the printer.
            pub const fn name(self) -> &'static str {
                match self { $(Op::$name => stringify!($name),)* }
            }
        }
    };
}

/// What an operation does besides making its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Belongs to the module: one a value.
    Constant,
    /// None: equal operands make an equal value, anywhere that the first one dominates.
    Pure,
    /// None, but the value depends on where it stands (memory, derivatives, neighbours). May be dropped when unused.
    Read,
    /// Changes something: never dropped.
    Write,
}

ops! {
    /// A scalar constant: `aux` is its bits (of a `Bool` 0 or 1; of a 64-bit kind the index of the low half in no table: see `Const64`).
    Const Constant;
    /// A 64-bit scalar constant: the operands are no values but the low and the high half.
    Const64 Constant;
    /// A vector of constants: operands are scalar constants.
    ConstVector Constant;
    /// A specialization constant, a `U32`: the low half of `aux` is its id, the high half what it is unless the
    /// pipeline says otherwise.
    Specialization Constant;
    /// A value that may be anything.
    Undef Constant;

    /// SSA join: operands are pairs of value and block.
    Phi Read;

    /// Component `aux` of a vector.
    Extract Pure;
    /// Components of one or two vectors: `aux` has a nibble a lane, x lowest; a nibble counts through the first vector, then the second.
    Shuffle Pure;
    /// Vector of scalars and smaller vectors.
    Construct Pure;
    /// The first (`aux` 0) or second (`aux` 1) member of a pair or sparse structure.
    Member Pure;
    /// The same bits as another 32- or 64-bit type. Between a 64-bit scalar and two 32-bit lanes too.
    Bitcast Pure;

    /// a + b.
    FAdd Pure;
    /// a − b.
    FSub Pure;
    /// a · b.
    FMul Pure;
    /// Vector times scalar.
    FScale Pure;
    /// a / b.
    FDiv Pure;
    /// −a, the sign bit.
    FNegate Pure;
    /// |a|, the sign bit.
    FAbs Pure;
    /// a · b + c, fused or not.
    Fma Pure;
    /// Dot product.
    Dot Pure;
    /// Smaller; the other where one is NaN.
    NMin Pure;
    /// Larger; the other where one is NaN.
    NMax Pure;
    /// Clamp; the lower bound where a is NaN.
    NClamp Pure;
    /// Down.
    Floor Pure;
    /// Up.
    Ceil Pure;
    /// To zero.
    Trunc Pure;
    /// To nearest even.
    RoundEven Pure;
    /// a − floor(a).
    Fract Pure;
    /// Square root.
    Sqrt Pure;
    /// 1 / √a.
    InverseSqrt Pure;
    /// 2^a.
    Exp2 Pure;
    /// log₂ a.
    Log2 Pure;
    /// Sine.
    Sin Pure;
    /// Cosine.
    Cos Pure;

    /// a + b.
    IAdd Pure;
    /// a − b.
    ISub Pure;
    /// Low half of a · b.
    IMul Pure;
    /// −a.
    INegate Pure;
    /// Unsigned quotient; undefined for b = 0.
    UDiv Pure;
    /// Unsigned remainder; undefined for b = 0.
    UMod Pure;
    /// Sum and carry.
    AddCarry Pure;
    /// Difference and borrow.
    SubBorrow Pure;
    /// Low and high half of the unsigned product.
    UMulExtended Pure;
    /// Low and high half of the signed product.
    SMulExtended Pure;
    /// Bits of both.
    And Pure;
    /// Bits of either.
    Or Pure;
    /// Bits of one.
    Xor Pure;
    /// Complement.
    Not Pure;
    /// Left by b in 0 to 31.
    Shl Pure;
    /// Right by b in 0 to 31, zeros in.
    ShrLogical Pure;
    /// Right by b in 0 to 31, sign in.
    ShrArithmetic Pure;
    /// Unsigned.
    UMin Pure;
    /// Unsigned.
    UMax Pure;
    /// Signed.
    SMin Pure;
    /// Signed.
    SMax Pure;
    /// Number of ones.
    BitCount Pure;
    /// Bits the other way round.
    BitReverse Pure;
    /// Index of the lowest one, or −1.
    FindLsb Pure;
    /// Index of the highest one, or −1.
    FindUMsb Pure;
    /// Index of the highest bit unlike the sign, or −1.
    FindSMsb Pure;
    /// base, insert, offset, count (scalars).
    BitFieldInsert Pure;
    /// base, offset, count (scalars).
    BitFieldUExtract Pure;
    /// base, offset, count (scalars).
    BitFieldSExtract Pure;

    /// Float to signed; undefined out of range.
    FToS Pure;
    /// Float to unsigned; undefined out of range.
    FToU Pure;
    /// Signed to float.
    SToF Pure;
    /// Unsigned to float.
    UToF Pure;
    /// Between float widths.
    FConvert Pure;
    /// Two floats to the halves of one integer, rounded to nearest even.
    PackHalf Pure;
    /// The halves of one integer to two floats.
    UnpackHalf Pure;

    /// Ordered and equal.
    FOrdEqual Pure;
    /// Unordered or unequal.
    FUnordNotEqual Pure;
    /// Ordered and less.
    FOrdLess Pure;
    /// Ordered and greater or equal.
    FOrdGreaterEqual Pure;
    /// Is NaN.
    IsNan Pure;
    /// Is an infinity.
    IsInf Pure;
    /// Equal.
    IEqual Pure;
    /// Unequal.
    INotEqual Pure;
    /// Unsigned.
    ULess Pure;
    /// Unsigned.
    UGreaterEqual Pure;
    /// Signed.
    SLess Pure;
    /// Signed.
    SGreaterEqual Pure;
    /// Both.
    LogicalAnd Pure;
    /// Either.
    LogicalOr Pure;
    /// Not.
    LogicalNot Pure;
    /// Equal truth.
    LogicalEqual Pure;
    /// Unequal truth.
    LogicalNotEqual Pure;
    /// Any component.
    Any Pure;
    /// All components.
    All Pure;
    /// Where true the second operand, else the third; component by component (the condition has the value's width, or one with SPIR-V 1.4).
    Select Pure;

    /// d/dx.
    Dpdx Read;
    /// d/dy.
    Dpdy Read;
    /// d/dx, coarse.
    DpdxCoarse Read;
    /// d/dy, coarse.
    DpdyCoarse Read;
    /// d/dx, fine.
    DpdxFine Read;
    /// d/dy, fine.
    DpdyFine Read;
    /// Input variable `aux`, whole, at the centroid.
    InterpolateAtCentroid Read;
    /// Input variable `aux`, whole, at a sample.
    InterpolateAtSample Read;
    /// Input variable `aux`, whole, at an offset (two floats).
    InterpolateAtOffset Read;

    /// What variable `aux` holds at indices (none: the whole variable). From inputs, uniform buffers and tables it is as good as pure.
    Load Read;
    /// Value, then indices of variable `aux`.
    Store Write;
    /// Bytes or elements are not known here: elements of the outer runtime array of storage buffer `aux` ((descriptor)).
    ArrayLength Read;
    /// The image or sampler of variable `aux` ((descriptor)).
    Handle Pure;

    /// value, then indices of variable `aux` (a storage buffer's or group memory's element, or an image's (descriptor,) coordinate). Makes the old value.
    AtomicAdd Write;
    /// As `AtomicAdd`.
    AtomicAnd Write;
    /// As `AtomicAdd`.
    AtomicOr Write;
    /// As `AtomicAdd`.
    AtomicXor Write;
    /// As `AtomicAdd`.
    AtomicUMin Write;
    /// As `AtomicAdd`.
    AtomicUMax Write;
    /// As `AtomicAdd`.
    AtomicSMin Write;
    /// As `AtomicAdd`.
    AtomicSMax Write;
    /// As `AtomicAdd`.
    AtomicExchange Write;
    /// value, comparator, then as `AtomicAdd`.
    AtomicCompareExchange Write;

    /// image, sampler, coordinate, then what [`ImageFlags`] say. Implicit level of detail.
    ImageSample Read;
    /// The same with a level of detail or gradients.
    ImageSampleExplicit Read;
    /// The same: four texels' component.
    ImageGather Read;
    /// image, coordinate, then what [`ImageFlags`] say (LOD, CONST_OFFSET, OFFSET, SAMPLE, SPARSE).
    ImageFetch Read;
    /// image, coordinate, then what [`ImageFlags`] say (SAMPLE, SPARSE). A storage image.
    ImageRead Read;
    /// image, coordinate, texel.
    ImageWrite Write;
    /// image, level.
    ImageQuerySizeLod Pure;
    /// image.
    ImageQuerySize Pure;
    /// image.
    ImageQueryLevels Pure;
    /// image.
    ImageQuerySamples Pure;
    /// image, sampler, coordinate: two floats.
    ImageQueryLod Read;
    /// Whether a residency code says that every texel was there.
    TexelsResident Pure;

    /// Barrier of the group: `aux` is [`sync`] bits.
    ControlBarrier Write;
    /// Memory barrier: `aux` is [`sync`] bits.
    MemoryBarrier Write;
    /// Begins the section in which accesses are ordered by pixel.
    BeginInterlock Write;
    /// Ends it.
    EndInterlock Write;
    /// Appends the outputs as they stand as a vertex of stream `aux`.
    EmitVertex Write;
    /// Ends the strip of stream `aux`.
    EndPrimitive Write;
    /// Makes the invocation a helper.
    Demote Write;
    /// Whether the invocation is a helper now.
    IsHelper Read;
}

/// Bits of a barrier's `aux`.
pub mod sync {
    /// Orders group shared memory.
    pub const GROUP: u32 = 1;
    /// Orders buffers and images within the group.
    pub const DEVICE_IN_GROUP: u32 = 2;
    /// Orders buffers and images on the device.
    pub const DEVICE: u32 = 4;
    /// A barrier of a patch's invocations: orders the outputs of the tessellation control stage.
    pub const PATCH: u32 = 8;
}
