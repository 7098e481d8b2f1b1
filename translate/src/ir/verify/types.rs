//! What each operation takes and makes: one row an operation.

use super::Fault;
use crate::ir::{Count, Function, ImageFlags, Inst, Kind, Op, Type, ValueId, VarId, VarKind};

/// Kinds, as bits.
type Kinds = u16;

const BOOL: Kinds = 1 << Kind::Bool as u16;
const U32: Kinds = 1 << Kind::U32 as u16;
const S32: Kinds = 1 << Kind::S32 as u16;
const F32: Kinds = 1 << Kind::F32 as u16;
const F64: Kinds = 1 << Kind::F64 as u16;
const INT: Kinds = U32 | 1 << Kind::U64 as u16;
const FLOAT: Kinds = F32 | F64 | 1 << Kind::F16 as u16;
const NUMBER: Kinds = INT | S32 | FLOAT;
const DATA: Kinds = NUMBER | BOOL;
const STRUCT: Kinds =
    1 << Kind::PairU32 as u16 | 1 << Kind::SparseF32 as u16 | 1 << Kind::SparseU32 as u16 | 1 << Kind::SparseS32 as u16;

/// A rule for an operation's types.
enum Rule {
    /// So many operands of the result's type, of these kinds.
    Same(usize, Kinds),
    /// Two operands of one type of these kinds; truth values of the same width.
    Compare(Kinds),
    /// One operand of the first kinds, a result of the second, of the same width.
    Convert(Kinds, Kinds),
    /// One operand of these kinds; truth values of the same width.
    Test(Kinds),
    /// Two `U32` of one width; a pair of that width.
    Pair,
    /// So many operands of the result's type (`U32`), then so many of one component.
    Bits(usize, usize),
    /// An atomic operation with so many values before the indices.
    Atomic(usize),
    /// An input variable and so many operands.
    Interpolate(usize),
    /// So many operands, of which the first is an image and makes a `U32`.
    Query(usize),
    /// Written out in [`special`].
    Special,
}

fn rule(op: Op) -> Rule {
    use Rule::*;
    match op {
        Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::NMin | Op::NMax => Same(2, FLOAT),
        Op::FNegate | Op::FAbs | Op::Floor | Op::Ceil | Op::Trunc | Op::RoundEven | Op::Fract => Same(1, FLOAT),
        Op::Sqrt | Op::InverseSqrt => Same(1, FLOAT),
        Op::Exp2 | Op::Log2 | Op::Sin | Op::Cos => Same(1, FLOAT & !F64),
        Op::Fma | Op::NClamp => Same(3, FLOAT),
        Op::IAdd | Op::ISub | Op::IMul | Op::UDiv | Op::UMod | Op::And | Op::Or | Op::Xor => Same(2, INT),
        Op::Shl | Op::ShrLogical | Op::UMin | Op::UMax => Same(2, INT),
        Op::ShrArithmetic => Same(2, INT | S32),
        Op::SMin | Op::SMax => Same(2, S32),
        Op::INegate => Same(1, INT | S32),
        Op::Not => Same(1, INT),
        Op::BitCount | Op::BitReverse | Op::FindLsb | Op::FindUMsb | Op::FindSMsb => Same(1, U32),
        Op::AddCarry | Op::SubBorrow | Op::UMulExtended | Op::SMulExtended => Pair,
        Op::BitFieldInsert => Bits(2, 2),
        Op::BitFieldUExtract | Op::BitFieldSExtract => Bits(1, 2),
        Op::FToS => Convert(FLOAT, S32),
        Op::FToU => Convert(FLOAT, INT),
        Op::SToF => Convert(S32, FLOAT),
        Op::UToF => Convert(INT, FLOAT),
        Op::FConvert => Convert(FLOAT, FLOAT),
        Op::FOrdEqual | Op::FUnordNotEqual | Op::FOrdLess | Op::FOrdGreaterEqual => Compare(FLOAT),
        Op::IEqual | Op::INotEqual | Op::ULess | Op::UGreaterEqual | Op::SLess | Op::SGreaterEqual => {
            Compare(INT | S32)
        }
        Op::IsNan | Op::IsInf => Test(FLOAT),
        Op::LogicalAnd | Op::LogicalOr | Op::LogicalEqual | Op::LogicalNotEqual => Same(2, BOOL),
        Op::LogicalNot => Same(1, BOOL),
        Op::Dpdx | Op::Dpdy | Op::DpdxCoarse | Op::DpdyCoarse | Op::DpdxFine | Op::DpdyFine => Same(1, F32),
        Op::InterpolateAtCentroid => Interpolate(0),
        Op::InterpolateAtSample | Op::InterpolateAtOffset => Interpolate(1),
        Op::AtomicAdd | Op::AtomicAnd | Op::AtomicOr | Op::AtomicXor | Op::AtomicUMin | Op::AtomicUMax => Atomic(1),
        Op::AtomicSMin | Op::AtomicSMax | Op::AtomicExchange => Atomic(1),
        Op::AtomicCompareExchange => Atomic(2),
        Op::ImageQuerySizeLod => Query(2),
        Op::ImageQuerySize | Op::ImageQueryLevels | Op::ImageQuerySamples => Query(1),
        _ => Special,
    }
}

/// An instruction with the types of its operands.
struct Row<'a> {
    function: &'a Function,
    inst: &'a Inst,
    args: &'a [u32],
}

/// Checks the types of one instruction.
pub(super) fn check(function: &Function, id: ValueId) -> Result<(), Fault> {
    let inst = function.inst(id);
    let row = Row { function, inst, args: function.args_of(inst) };
    if row.fits() {
        return Ok(());
    }
    let types: Vec<Type> = match inst.op {
        Op::Const64 => Vec::new(),
        Op::Phi => row.args.chunks_exact(2).map(|pair| row.ty_of(pair[0])).collect(),
        _ => row.args.iter().map(|&arg| row.ty_of(arg)).collect(),
    };
    Err(Fault::value(id, format!("{:?} (literal {:#x}) cannot make {:?} of {types:?}", inst.op, inst.aux, inst.ty)))
}

impl Row<'_> {
    fn ty_of(&self, value: u32) -> Type {
        self.function.inst(ValueId(value)).ty
    }

    /// Type of an operand; no value if it is not there.
    fn arg(&self, n: usize) -> Type {
        self.args.get(n).map_or(Type::VOID, |&arg| self.ty_of(arg))
    }

    fn fits(&self) -> bool {
        let ty = self.inst.ty;
        let n = self.args.len();
        match rule(self.inst.op) {
            Rule::Same(count, kinds) => n == count && of(ty, kinds) && self.all(0..count, ty),
            Rule::Compare(kinds) => {
                n == 2
                    && of(self.arg(0), kinds)
                    && self.arg(0) == self.arg(1)
                    && ty == self.arg(0).with_kind(Kind::Bool)
            }
            Rule::Convert(from, to) => {
                n == 1 && of(self.arg(0), from) && of(ty, to) && self.arg(0).width() == ty.width()
            }
            Rule::Test(kinds) => n == 1 && of(self.arg(0), kinds) && ty == self.arg(0).with_kind(Kind::Bool),
            Rule::Pair => ty.kind() == Kind::PairU32 && n == 2 && self.all(0..2, ty.with_kind(Kind::U32)),
            Rule::Bits(vectors, scalars) => {
                let whole = n == vectors + scalars && of(ty, U32);
                whole && self.all(0..vectors, ty) && self.all(vectors..n, Type::U32)
            }
            Rule::Atomic(values) => self.atomic(values),
            Rule::Interpolate(count) => n == count && self.interpolation(),
            Rule::Query(count) => {
                n == count && self.arg(0).kind() == Kind::Image && of(ty, U32) && (count < 2 || self.is_index(1))
            }
            Rule::Special => special(self),
        }
    }

    fn all(&self, mut range: std::ops::Range<usize>, ty: Type) -> bool {
        range.all(|n| self.arg(n) == ty)
    }

    fn is_index(&self, n: usize) -> bool {
        let ty = self.arg(n);
        ty.width() == 1 && of(ty, U32 | S32)
    }

    fn var(&self) -> Option<&VarKind> {
        self.function.vars.get(VarId(self.inst.aux).0 as usize).map(|var| &var.kind)
    }

    /// What the operands from `from` on lead to as indices of the variable.
    fn element(&self, from: usize) -> Option<Type> {
        let (element, levels) = levels(self.var()?)?;
        let indices = self.args.len().checked_sub(from)?;
        if !(from..self.args.len()).all(|n| self.is_index(n)) {
            return None;
        }
        match indices.checked_sub(levels)? {
            0 => Some(element),
            1 if element.width() > 1 && self.component_fits(element) => Some(element.with_width(1)),
            _ => None,
        }
    }

    /// A constant component is one that the vector has.
    fn component_fits(&self, element: Type) -> bool {
        let Some(&last) = self.args.last() else { return false };
        let inst = self.function.inst(ValueId(last));
        inst.op != Op::Const || inst.aux < u32::from(element.width())
    }

    fn atomic(&self, values: usize) -> bool {
        let ty = self.inst.ty;
        let fine = (ty == Type::U32 || ty == Type::VOID) && self.args.len() > values && self.all(0..values, Type::U32);
        let place = match self.var() {
            Some(VarKind::StorageBuffer { .. } | VarKind::Workgroup { .. }) => {
                self.element(values).is_some_and(|element| element.width() == 1 && of(element, U32 | S32))
            }
            Some(&VarKind::Image { ty, descriptor, .. }) => {
                let coordinate = values + usize::from(descriptor.count != Count::One);
                ty.storage && self.args.len() == coordinate + 1 && of(self.arg(coordinate), U32 | S32)
            }
            _ => false,
        };
        fine && place
    }

    fn interpolation(&self) -> bool {
        let fits = match self.inst.op {
            Op::InterpolateAtSample => self.is_index(0),
            Op::InterpolateAtOffset => self.arg(0) == Type::F32.with_width(2),
            _ => true,
        };
        fits && matches!(self.var(), Some(&VarKind::Input { ty, array: None, .. }) if ty == self.inst.ty && of(ty, F32))
    }

    /// An image operation: handles, coordinate, and what its flags say.
    fn image(&self, handles: usize) -> bool {
        let flags = ImageFlags(self.inst.aux);
        let optional = (0..=8).filter(|bit| flags.0 >> bit & 1 != 0).count() + usize::from(flags.has(ImageFlags::GRAD));
        let level = match self.inst.op {
            Op::ImageSample => !flags.has(ImageFlags::LOD) && !flags.has(ImageFlags::GRAD),
            Op::ImageSampleExplicit => flags.has(ImageFlags::LOD) != flags.has(ImageFlags::GRAD),
            Op::ImageGather => flags.has(ImageFlags::DREF) != flags.has(ImageFlags::COMPONENT),
            _ => true,
        };
        self.args.len() == handles + 1 + optional && level && self.handles(handles) && self.texel(flags)
    }

    fn handles(&self, handles: usize) -> bool {
        self.arg(0).kind() == Kind::Image && (handles < 2 || self.arg(1).kind() == Kind::Sampler)
    }

    /// The result of an image operation: a vector of four, or what a comparison makes.
    fn texel(&self, flags: ImageFlags) -> bool {
        let compared = flags.has(ImageFlags::DREF) && self.inst.op != Op::ImageGather;
        let kinds = if flags.has(ImageFlags::SPARSE) { STRUCT & !(1 << Kind::PairU32 as u16) } else { U32 | S32 | F32 };
        of(self.inst.ty, kinds) && self.inst.ty.width() == if compared { 1 } else { 4 }
    }
}

/// The rules that no row says.
fn special(row: &Row<'_>) -> bool {
    let (ty, n) = (row.inst.ty, row.args.len());
    let member = |index: u32, of: Type| index < 2 && Some(ty) == member_of(of, index);
    match row.inst.op {
        Op::Const => n == 0 && ty.width() == 1 && of(ty, BOOL | U32 | S32 | F32 | 1 << Kind::F16 as u16),
        Op::Const64 => ty.width() == 1 && matches!(ty.kind(), Kind::F64 | Kind::U64),
        Op::ConstVector => n == usize::from(ty.width()) && n > 1 && row.all(0..n, ty.with_width(1)) && row.constants(),
        Op::Specialization => n == 0 && ty == Type::U32,
        Op::Undef => n == 0 && of(ty, DATA | STRUCT),
        Op::Phi => n > 0 && of(ty, DATA | STRUCT) && row.args.chunks_exact(2).all(|pair| row.ty_of(pair[0]) == ty),
        Op::Extract => {
            n == 1
                && ty == row.arg(0).with_width(1)
                && row.inst.aux < u32::from(row.arg(0).width())
                && row.arg(0).width() > 1
        }
        Op::Shuffle => row.shuffle(),
        Op::Construct => row.construct(),
        Op::Member => n == 1 && member(row.inst.aux, row.arg(0)),
        Op::Bitcast => {
            n == 1 && of(ty, NUMBER) && of(row.arg(0), NUMBER) && bits(ty) == bits(row.arg(0)) && ty != row.arg(0)
        }
        Op::FScale => n == 2 && of(ty, FLOAT) && ty.width() > 1 && row.arg(0) == ty && row.arg(1) == ty.with_width(1),
        Op::Dot => {
            n == 2
                && of(ty, FLOAT)
                && ty.width() == 1
                && row.arg(0).width() > 1
                && row.all(0..2, ty.with_width(row.arg(0).width()))
        }
        Op::PackHalf => n == 1 && ty == Type::U32 && row.arg(0) == Type::F32.with_width(2),
        Op::UnpackHalf => n == 1 && ty == Type::F32.with_width(2) && row.arg(0) == Type::U32,
        Op::Any | Op::All => n == 1 && ty == Type::BOOL && of(row.arg(0), BOOL) && row.arg(0).width() > 1,
        Op::Select => {
            let condition = row.arg(0);
            n == 3
                && of(ty, DATA)
                && row.all(1..3, ty)
                && of(condition, BOOL)
                && (condition.width() == 1 || condition.width() == ty.width())
        }
        Op::Load => row.element(0) == Some(ty),
        Op::Store => n > 0 && row.element(1) == Some(row.arg(0)) && ty == Type::VOID && row.writable(),
        Op::ArrayLength => match row.var() {
            Some(VarKind::StorageBuffer { descriptor, .. }) => {
                ty == Type::U32 && n == usize::from(descriptor.count != Count::One)
            }
            _ => false,
        },
        Op::Handle => match row.var() {
            Some(VarKind::Image { descriptor, .. }) => {
                ty.kind() == Kind::Image && n == usize::from(descriptor.count != Count::One)
            }
            Some(VarKind::Sampler { descriptor }) => {
                ty.kind() == Kind::Sampler && n == usize::from(descriptor.count != Count::One)
            }
            _ => false,
        },
        Op::ImageSample | Op::ImageSampleExplicit | Op::ImageGather => row.image(2),
        Op::ImageFetch | Op::ImageRead => row.image(1),
        Op::ImageWrite => n == 3 && row.handles(1) && of(row.arg(2), U32 | S32 | F32) && ty == Type::VOID,
        Op::ImageQueryLod => n == 3 && row.handles(2) && ty == Type::F32.with_width(2),
        Op::TexelsResident => n == 1 && ty == Type::BOOL && row.arg(0) == Type::U32,
        Op::ControlBarrier
        | Op::MemoryBarrier
        | Op::Demote
        | Op::BeginInterlock
        | Op::EndInterlock
        | Op::EmitVertex
        | Op::EndPrimitive => n == 0 && ty == Type::VOID,
        Op::IsHelper => n == 0 && ty == Type::BOOL,
        _ => false,
    }
}

impl Row<'_> {
    fn constants(&self) -> bool {
        self.args.iter().all(|&arg| matches!(self.function.inst(ValueId(arg)).op, Op::Const | Op::Const64 | Op::Undef))
    }

    fn shuffle(&self) -> bool {
        let ty = self.inst.ty;
        let width = match self.args.len() {
            1 => self.arg(0).width(),
            2 => self.arg(0).width() + self.arg(1).width(),
            _ => return false,
        };
        let vectors = (0..self.args.len()).all(|n| self.arg(n).kind() == ty.kind() && self.arg(n).width() > 1);
        let lanes = (0..ty.width()).all(|lane| self.inst.aux >> (4 * lane) & 15 < u32::from(width));
        vectors && lanes && ty.width() > 1 && of(ty, DATA)
    }

    fn construct(&self) -> bool {
        let ty = self.inst.ty;
        let width: u8 = (0..self.args.len().min(4)).map(|n| self.arg(n).width()).sum();
        let kinds = (0..self.args.len()).all(|n| self.arg(n).kind() == ty.kind());
        of(ty, DATA) && ty.width() > 1 && (2..=4).contains(&self.args.len()) && kinds && width == ty.width()
    }

    fn writable(&self) -> bool {
        matches!(
            self.var(),
            Some(
                VarKind::Output { .. }
                    | VarKind::StorageBuffer { .. }
                    | VarKind::Local { .. }
                    | VarKind::Workgroup { .. }
            )
        )
    }
}

fn of(ty: Type, kinds: Kinds) -> bool {
    kinds >> ty.kind() as u16 & 1 != 0
}

/// Bits of a value.
fn bits(ty: Type) -> u32 {
    let component = match ty.kind() {
        Kind::F64 | Kind::U64 => 64,
        Kind::F16 => 16,
        _ => 32,
    };
    component * u32::from(ty.width())
}

/// Type of a structure's member.
fn member_of(ty: Type, member: u32) -> Option<Type> {
    match (ty.kind(), member) {
        (Kind::PairU32, _) => Some(ty.with_kind(Kind::U32)),
        (Kind::SparseF32 | Kind::SparseU32 | Kind::SparseS32, 0) => Some(Type::U32),
        (Kind::SparseF32, _) => Some(ty.with_kind(Kind::F32)),
        (Kind::SparseU32, _) => Some(ty.with_kind(Kind::U32)),
        (Kind::SparseS32, _) => Some(ty.with_kind(Kind::S32)),
        _ => None,
    }
}

/// What a variable holds, and how many indices lead there.
fn levels(kind: &VarKind) -> Option<(Type, usize)> {
    Some(match *kind {
        VarKind::Input { ty, array, decorations, .. } | VarKind::Output { ty, array, decorations, .. } => {
            (ty, usize::from(array.is_some()) + usize::from(decorations.per_vertex > 0))
        }
        VarKind::UniformBuffer { element, descriptor, .. } => {
            (element, 1 + usize::from(descriptor.count != Count::One))
        }
        VarKind::StorageBuffer { element, inner, descriptor, .. } => {
            (element, 1 + usize::from(inner > 0) + usize::from(descriptor.count != Count::One))
        }
        VarKind::PushConstants { .. } => (Type::U32, 1),
        VarKind::Local { element, .. } | VarKind::Table { element, .. } | VarKind::Workgroup { element, .. } => {
            (element, 1)
        }
        VarKind::Image { .. } | VarKind::Sampler { .. } => return None,
    })
}

/// Checks the variables.
pub(super) fn variables(function: &Function) -> Result<(), Fault> {
    for (at, var) in function.vars.iter().enumerate() {
        let fine = match var.kind {
            VarKind::Table { element, len, first } => {
                let constants = function.table.get(first as usize..first as usize + len as usize);
                len > 0
                    && constants
                        .is_some_and(|list| list.iter().all(|&constant| is_constant_of(function, constant, element)))
            }
            VarKind::UniformBuffer { element, len, .. } => len > 0 && element.width() == 4,
            VarKind::StorageBuffer { element, stride, .. } => stride > 0 && of(element, NUMBER),
            VarKind::Local { len, .. } | VarKind::Workgroup { len, .. } | VarKind::PushConstants { len, .. } => len > 0,
            VarKind::Image { ty, .. } => matches!(ty.component, Kind::F32 | Kind::U32 | Kind::S32),
            VarKind::Input { .. } | VarKind::Output { .. } | VarKind::Sampler { .. } => true,
        };
        if !fine {
            return Err(Fault { value: None, block: None, what: format!("v{at} cannot be {:?}", var.kind) });
        }
    }
    Ok(())
}

fn is_constant_of(function: &Function, constant: ValueId, ty: Type) -> bool {
    let inst = function.insts.get(constant.0 as usize);
    inst.is_some_and(|inst| inst.ty == ty && inst.op.effect() == crate::ir::Effect::Constant)
}
