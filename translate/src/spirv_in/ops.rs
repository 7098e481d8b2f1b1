//! What the reader must know of each opcode: where its result stands, and how it treats a pointer or a handle.
//!
//! Two tables and nothing else. An opcode that neither names is taken to do anything with whatever it is given.

use super::words::Inst;
use spirv::Op;

/// Opcodes (inclusive ranges) whose first operand is their result and which have no type: types, labels, strings.
/// The tests hold this and the next table against the grammar of SPIR-V.
const RESULT_ONLY: &[(u32, u32)] = &[
    (7, 7),
    (11, 11),
    (19, 38),
    (73, 73),
    (248, 248),
    (322, 322),
    (327, 327),
    (4163, 4163),
    (4190, 4190),
    (4417, 4417),
    (4456, 4456),
    (4472, 4472),
    (5076, 5076),
    (5103, 5104),
    (5115, 5115),
    (5281, 5281),
    (5288, 5288),
    (5313, 5313),
    (5341, 5341),
    (5358, 5358),
    (5370, 5371),
    (5609, 5609),
    (5700, 5712),
    (5911, 5913),
    (6086, 6086),
    (6199, 6199),
];

/// Opcodes (inclusive ranges) without a result.
#[rustfmt::skip]
const NO_RESULT: &[(u32, u32)] = &[
    (0, 0), (2, 6), (8, 10), (14, 17), (39, 39), (56, 56), (62, 64), (71, 72), (74, 75), (99, 99), (218, 225),
    (228, 228), (246, 247), (249, 257), (260, 260), (280, 281), (287, 288), (297, 298), (301, 302), (317, 317),
    (319, 319), (329, 332), (4165, 4165), (4182, 4182), (4185, 4186), (4416, 4416), (4426, 4426), (4445, 4446),
    (4448, 4449), (4458, 4458), (4473, 4476), (5075, 5075), (5127, 5127), (5249, 5251), (5256, 5256), (5259, 5264),
    (5266, 5266), (5279, 5280), (5290, 5291), (5294, 5295), (5299, 5299), (5303, 5306), (5309, 5312), (5314, 5319),
    (5321, 5321), (5335, 5339), (5344, 5344), (5360, 5360), (5364, 5365), (5368, 5368), (5380, 5380), (5397, 5397),
    (5576, 5576), (5578, 5578), (5581, 5581), (5630, 5630), (5632, 5633), (5820, 5820), (5887, 5887), (6090, 6092),
    (6142, 6143), (6164, 6164), (6166, 6166), (6221, 6235), (6248, 6250), (6429, 6429),
];

/// Opcodes (inclusive ranges) that touch no pointer and no handle, or only say where control goes. Literals among
/// their operands must not be mistaken for ids, which is why they are named.
#[rustfmt::skip]
const PLAIN: &[(u32, u32)] = &[
    (0, 1), (8, 8), (54, 56), (77, 79), (84, 84), (109, 116), (118, 119), (126, 168), (170, 215), (218, 225),
    (246, 253), (255, 257), (261, 271), (316, 317), (333, 366), (4416, 4416), (4421, 4422), (4427, 4432), (4450, 4455),
    (5000, 5007), (5056, 5056), (5110, 5111), (5294, 5296), (5364, 5365), (5380, 5381), (5630, 5631),
];

fn in_ranges(ranges: &[(u32, u32)], n: u32) -> bool {
    ranges
        .binary_search_by(|(first, last)| {
            if n < *first {
                std::cmp::Ordering::Greater
            } else if n > *last {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// Index of the word with the result's id. None: no result, or an opcode that this build does not know.
pub(super) fn result_index(inst: &Inst<'_>) -> Option<usize> {
    inst.op()?;
    let opcode = inst.opcode();
    if in_ranges(NO_RESULT, opcode) {
        None
    } else if in_ranges(RESULT_ONLY, opcode) {
        Some(1)
    } else {
        Some(2)
    }
}

/// What an instruction does with the pointers and handles among its operands. Numbers are indices of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Plain,
    /// The result (word 2) stands for the same variable as the operand.
    Same(usize),
    /// The same; the result is a texel's pointer, which only the atomic that follows reads or writes.
    Texel(usize),
    /// Reads through the pointer; the result, where it is a handle, stands for the same variable.
    Load(usize),
    /// Writes through the pointer; what is written, where it is a pointer, is lost from sight.
    Store { pointer: usize, value: usize },
    /// Reads memory or texels.
    Read(usize),
    /// Writes memory or texels.
    Write(usize),
    /// Reads and writes memory.
    Update(usize),
    /// Asks for size, level or samples.
    Query(usize),
    /// Asks for the length of a storage buffer.
    Length(usize),
    /// Copies from one pointer to the other.
    Copy { target: usize, source: usize },
    /// Calls a function.
    Call,
    /// Calls an instruction of an extended set.
    Extended,
    /// May do anything with its operands in the range.
    Anything { from: usize, to: usize },
}

/// What an instruction does with the pointers and handles among its operands.
pub(super) fn effect(inst: &Inst<'_>) -> Effect {
    if in_ranges(PLAIN, inst.opcode()) {
        return Effect::Plain;
    }
    let from = result_index(inst).map_or(1, |i| i + 1);
    let anything = Effect::Anything { from, to: usize::MAX };
    inst.op().and_then(|op| pointer_effect(op).or_else(|| image_effect(op))).unwrap_or(anything)
}

fn pointer_effect(op: Op) -> Option<Effect> {
    Some(match op {
        Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::RawAccessChainNV
        | Op::CopyObject
        | Op::CopyLogical
        | Op::Bitcast
        | Op::CompositeExtract => Effect::Same(3),
        Op::UntypedAccessChainKHR
        | Op::UntypedInBoundsAccessChainKHR
        | Op::UntypedPtrAccessChainKHR
        | Op::UntypedInBoundsPtrAccessChainKHR => Effect::Same(4),
        Op::Load => Effect::Load(3),
        Op::Store => Effect::Store { pointer: 1, value: 2 },
        Op::CopyMemory | Op::CopyMemorySized => Effect::Copy { target: 1, source: 2 },
        Op::ArrayLength => Effect::Length(3),
        Op::UntypedArrayLengthKHR => Effect::Length(4),
        Op::PtrEqual | Op::PtrNotEqual | Op::PtrDiff => Effect::Query(3),
        Op::AtomicLoad => Effect::Read(3),
        Op::AtomicStore | Op::AtomicFlagClear => Effect::Write(1),
        Op::AtomicExchange
        | Op::AtomicCompareExchange
        | Op::AtomicCompareExchangeWeak
        | Op::AtomicIIncrement
        | Op::AtomicIDecrement
        | Op::AtomicIAdd
        | Op::AtomicISub
        | Op::AtomicSMin
        | Op::AtomicUMin
        | Op::AtomicSMax
        | Op::AtomicUMax
        | Op::AtomicAnd
        | Op::AtomicOr
        | Op::AtomicXor
        | Op::AtomicFlagTestAndSet
        | Op::AtomicFAddEXT
        | Op::AtomicFMinEXT
        | Op::AtomicFMaxEXT => Effect::Update(3),
        // An initializer may be a pointer; the storage class before it is a literal.
        Op::Variable => Effect::Anything { from: 4, to: 5 },
        Op::UntypedVariableKHR => Effect::Anything { from: 5, to: 6 },
        // What follows the object and the composite are literals.
        Op::CompositeInsert => Effect::Anything { from: 3, to: 5 },
        Op::FunctionCall => Effect::Call,
        Op::ExtInst => Effect::Extended,
        _ => return None,
    })
}

fn image_effect(op: Op) -> Option<Effect> {
    Some(match op {
        Op::SampledImage | Op::Image => Effect::Same(3),
        Op::ImageTexelPointer => Effect::Texel(3),
        Op::ImageWrite => Effect::Write(1),
        Op::ImageQueryFormat
        | Op::ImageQueryOrder
        | Op::ImageQuerySizeLod
        | Op::ImageQuerySize
        | Op::ImageQueryLod
        | Op::ImageQueryLevels
        | Op::ImageQuerySamples => Effect::Query(3),
        Op::ImageSampleImplicitLod
        | Op::ImageSampleExplicitLod
        | Op::ImageSampleDrefImplicitLod
        | Op::ImageSampleDrefExplicitLod
        | Op::ImageSampleProjImplicitLod
        | Op::ImageSampleProjExplicitLod
        | Op::ImageSampleProjDrefImplicitLod
        | Op::ImageSampleProjDrefExplicitLod
        | Op::ImageFetch
        | Op::ImageGather
        | Op::ImageDrefGather
        | Op::ImageRead
        | Op::ImageSparseSampleImplicitLod
        | Op::ImageSparseSampleExplicitLod
        | Op::ImageSparseSampleDrefImplicitLod
        | Op::ImageSparseSampleDrefExplicitLod
        | Op::ImageSparseFetch
        | Op::ImageSparseGather
        | Op::ImageSparseDrefGather
        | Op::ImageSparseRead => Effect::Read(3),
        _ => return None,
    })
}
