//! Instructions: one row each in [`form`], and the few that a row cannot say.

use super::Writer;
use crate::TranslationFixes;
use crate::ir::{Flags, Inst, Op as IrOp, Type, VarId};
use spirv::{Capability, GlslStd450Op as Glsl, Op};

/// How an operation is written.
enum Form {
    /// Result type, result, operands.
    Core(Op),
    /// The same; contraction with another may be forbidden.
    Arithmetic(Op),
    /// An instruction of the extended set.
    Extended(Glsl),
    /// The same, of an input variable.
    Interpolate(Glsl),
    /// A derivative that a capability brings.
    Derivative(Op),
    /// A query of an image.
    Query(Op),
    /// An atomic operation.
    Atomic(Op),
    /// An image operation with flags.
    Image,
    /// Something of its own.
    Special,
}

impl Writer<'_> {
    /// Writes one instruction.
    pub(super) fn inst(&mut self, id: u32, inst: &Inst) {
        if self.profile.fixes != TranslationFixes::NONE && self.fixed(inst, id) {
            return;
        }
        match form(inst.op) {
            Form::Core(op) => self.core(op, inst, id),
            Form::Arithmetic(op) => {
                self.core(op, inst, id);
                self.contraction(inst, id);
            }
            Form::Extended(op) => {
                self.glsl(op, inst, id, None);
                if inst.op == IrOp::Fma {
                    self.contraction(inst, id);
                }
            }
            Form::Interpolate(op) => {
                self.capabilities.require(Capability::InterpolationFunction);
                let input = self.var(VarId(inst.aux));
                self.glsl(op, inst, id, Some(input));
            }
            Form::Derivative(op) => {
                self.capabilities.require(Capability::DerivativeControl);
                self.core(op, inst, id);
            }
            Form::Query(op) => {
                self.capabilities.require(Capability::ImageQuery);
                self.core(op, inst, id);
            }
            Form::Atomic(op) => self.atomic(op, inst, id),
            Form::Image => self.image(inst, id),
            Form::Special => self.special(inst, id),
        }
    }

    fn special(&mut self, inst: &Inst, id: u32) {
        match inst.op {
            IrOp::Phi => self.phi(inst, id),
            IrOp::Extract | IrOp::Member => self.extract(inst, id),
            IrOp::Shuffle => self.shuffle(inst, id),
            IrOp::Select => self.select(inst, id),
            IrOp::Load => self.load(inst, id),
            IrOp::Store => self.store(inst),
            IrOp::ArrayLength => self.array_length(inst, id),
            IrOp::Handle => self.handle(inst, id),
            IrOp::ImageWrite => self.image_write(inst),
            IrOp::ImageQueryLod => self.image_query_lod(inst, id),
            IrOp::TexelsResident => {
                self.capabilities.require(Capability::SparseResidency);
                self.core(Op::ImageSparseTexelsResident, inst, id);
            }
            IrOp::ControlBarrier => self.control_barrier(inst.aux),
            IrOp::MemoryBarrier => self.memory_barrier(inst.aux),
            IrOp::BeginInterlock => self.sections.code.op(Op::BeginInvocationInterlockEXT, &[]),
            IrOp::EndInterlock => self.sections.code.op(Op::EndInvocationInterlockEXT, &[]),
            IrOp::EmitVertex => self.stream_op(Op::EmitVertex, Op::EmitStreamVertex, inst.aux),
            IrOp::EndPrimitive => self.stream_op(Op::EndPrimitive, Op::EndStreamPrimitive, inst.aux),
            IrOp::Demote => {
                self.capabilities.require(Capability::DemoteToHelperInvocation);
                self.sections.code.op(Op::DemoteToHelperInvocation, &[]);
            }
            IrOp::IsHelper => self.is_helper(inst, id),
            // Constants are made by who uses them.
            _ => debug_assert!(false, "{:?} has no form", inst.op),
        }
    }

    /// Result type, result, operands.
    fn core(&mut self, op: Op, inst: &Inst, id: u32) {
        let ty = self.ty(inst.ty);
        let result = self.value(id);
        let start = self.sections.code.begin(op);
        self.sections.code.push(ty);
        self.sections.code.push(result);
        self.operands(inst);
        self.sections.code.end(start);
    }

    fn operands(&mut self, inst: &Inst) {
        for &arg in self.function.args_of(inst) {
            let arg = self.value(arg);
            self.sections.code.push(arg);
        }
    }

    fn glsl(&mut self, op: Glsl, inst: &Inst, id: u32, first: Option<u32>) {
        let set = self.glsl_set();
        let ty = self.ty(inst.ty);
        let result = self.value(id);
        let start = self.sections.code.begin(Op::ExtInst);
        self.sections.code.0.extend_from_slice(&[ty, result, set, op as u32]);
        self.sections.code.0.extend(first);
        self.operands(inst);
        self.sections.code.end(start);
    }

    /// The extended instruction set, imported at its first use.
    pub(super) fn glsl_set(&mut self) -> u32 {
        if self.glsl == 0 {
            self.glsl = self.id();
            self.sections.imports.op_text(Op::ExtInstImport, &[self.glsl], "GLSL.std.450", &[]);
        }
        self.glsl
    }

    fn contraction(&mut self, inst: &Inst, id: u32) {
        if inst.flags.has(Flags::NO_CONTRACTION) {
            let id = self.value(id);
            self.decorate(id, spirv::Decoration::NoContraction, &[]);
        }
    }

    fn extract(&mut self, inst: &Inst, id: u32) {
        let Some(&composite) = self.function.args_of(inst).first() else { return };
        let operands = [self.ty(inst.ty), self.value(id), self.value(composite), inst.aux];
        self.sections.code.op(Op::CompositeExtract, &operands);
    }

    fn shuffle(&mut self, inst: &Inst, id: u32) {
        let args = self.function.args_of(inst);
        let (Some(&first), Some(&second)) = (args.first(), args.last()) else { return };
        let operands = [self.ty(inst.ty), self.value(id), self.value(first), self.value(second)];
        let code = &mut self.sections.code;
        let start = code.begin(Op::VectorShuffle);
        code.0.extend_from_slice(&operands);
        code.0.extend((0..inst.ty.width()).map(|lane| inst.aux >> (4 * lane) & 15));
        code.end(start);
    }

    /// Before SPIR-V 1.4 a vector is chosen by a vector.
    fn select(&mut self, inst: &Inst, id: u32) {
        let &[condition, then, otherwise] = self.function.args_of(inst) else { return };
        let width = inst.ty.width();
        let condition = if self.version < (1, 4) && self.type_of(condition).width() < width {
            self.spread(condition, width)
        } else {
            self.value(condition)
        };
        let operands = [self.ty(inst.ty), self.value(id), condition, self.value(then), self.value(otherwise)];
        self.sections.code.op(Op::Select, &operands);
    }

    /// A condition as a vector of itself, once a block.
    fn spread(&mut self, condition: u32, width: u8) -> u32 {
        // Only the last few: input is untrusted.
        let recent = self.spread.iter().rev().take(16);
        if let Some(found) = recent.into_iter().find(|made| (made.0, made.1) == (condition, width)) {
            return found.2;
        }
        let ty = self.ty(Type::BOOL.with_width(width));
        let lane = self.value(condition);
        let id = self.id();
        let code = &mut self.sections.code;
        let start = code.begin(Op::CompositeConstruct);
        code.push(ty);
        code.push(id);
        code.0.extend(std::iter::repeat_n(lane, usize::from(width)));
        code.end(start);
        self.spread.push((condition, width, id));
        id
    }

    /// Where nothing can make an invocation a helper on the way, the built-in says it for the whole shader.
    fn is_helper(&mut self, inst: &Inst, id: u32) {
        if self.profile.features.demote_to_helper {
            self.capabilities.require(Capability::DemoteToHelperInvocation);
            // An instruction of the extension: no version has it without.
            self.capabilities.extension("SPV_EXT_demote_to_helper_invocation");
            return self.core(Op::IsHelperInvocationEXT, inst, id);
        }
        let variable = self.helper_invocation();
        let operands = [self.ty(inst.ty), self.value(id), variable];
        self.sections.code.op(Op::Load, &operands);
    }
}

/// How each operation is written.
fn form(op: IrOp) -> Form {
    use Form::*;
    match op {
        IrOp::Construct => Core(Op::CompositeConstruct),
        IrOp::Bitcast => Core(Op::Bitcast),
        IrOp::FAdd => Arithmetic(Op::FAdd),
        IrOp::FSub => Arithmetic(Op::FSub),
        IrOp::FMul => Arithmetic(Op::FMul),
        IrOp::FScale => Arithmetic(Op::VectorTimesScalar),
        IrOp::FDiv => Arithmetic(Op::FDiv),
        IrOp::FNegate => Arithmetic(Op::FNegate),
        IrOp::Dot => Arithmetic(Op::Dot),
        IrOp::FAbs => Extended(Glsl::FAbs),
        IrOp::Fma => Extended(Glsl::Fma),
        IrOp::NMin => Extended(Glsl::NMin),
        IrOp::NMax => Extended(Glsl::NMax),
        IrOp::NClamp => Extended(Glsl::NClamp),
        IrOp::Floor => Extended(Glsl::Floor),
        IrOp::Ceil => Extended(Glsl::Ceil),
        IrOp::Trunc => Extended(Glsl::Trunc),
        IrOp::RoundEven => Extended(Glsl::RoundEven),
        IrOp::Fract => Extended(Glsl::Fract),
        IrOp::Sqrt => Extended(Glsl::Sqrt),
        IrOp::InverseSqrt => Extended(Glsl::InverseSqrt),
        IrOp::Exp2 => Extended(Glsl::Exp2),
        IrOp::Log2 => Extended(Glsl::Log2),
        IrOp::Sin => Extended(Glsl::Sin),
        IrOp::Cos => Extended(Glsl::Cos),
        IrOp::IAdd => Core(Op::IAdd),
        IrOp::ISub => Core(Op::ISub),
        IrOp::IMul => Core(Op::IMul),
        IrOp::INegate => Core(Op::SNegate),
        IrOp::UDiv => Core(Op::UDiv),
        IrOp::UMod => Core(Op::UMod),
        IrOp::AddCarry => Core(Op::IAddCarry),
        IrOp::SubBorrow => Core(Op::ISubBorrow),
        IrOp::UMulExtended => Core(Op::UMulExtended),
        IrOp::SMulExtended => Core(Op::SMulExtended),
        IrOp::And => Core(Op::BitwiseAnd),
        IrOp::Or => Core(Op::BitwiseOr),
        IrOp::Xor => Core(Op::BitwiseXor),
        IrOp::Not => Core(Op::Not),
        IrOp::Shl => Core(Op::ShiftLeftLogical),
        IrOp::ShrLogical => Core(Op::ShiftRightLogical),
        IrOp::ShrArithmetic => Core(Op::ShiftRightArithmetic),
        IrOp::UMin => Extended(Glsl::UMin),
        IrOp::UMax => Extended(Glsl::UMax),
        IrOp::SMin => Extended(Glsl::SMin),
        IrOp::SMax => Extended(Glsl::SMax),
        IrOp::BitCount => Core(Op::BitCount),
        IrOp::BitReverse => Core(Op::BitReverse),
        IrOp::FindLsb => Extended(Glsl::FindILsb),
        IrOp::FindUMsb => Extended(Glsl::FindUMsb),
        IrOp::FindSMsb => Extended(Glsl::FindSMsb),
        IrOp::BitFieldInsert => Core(Op::BitFieldInsert),
        IrOp::BitFieldUExtract => Core(Op::BitFieldUExtract),
        IrOp::BitFieldSExtract => Core(Op::BitFieldSExtract),
        IrOp::FToS => Core(Op::ConvertFToS),
        IrOp::FToU => Core(Op::ConvertFToU),
        IrOp::SToF => Core(Op::ConvertSToF),
        IrOp::UToF => Core(Op::ConvertUToF),
        IrOp::FConvert => Core(Op::FConvert),
        IrOp::PackHalf => Extended(Glsl::PackHalf2x16),
        IrOp::UnpackHalf => Extended(Glsl::UnpackHalf2x16),
        IrOp::FOrdEqual => Core(Op::FOrdEqual),
        IrOp::FUnordNotEqual => Core(Op::FUnordNotEqual),
        IrOp::FOrdLess => Core(Op::FOrdLessThan),
        IrOp::FOrdGreaterEqual => Core(Op::FOrdGreaterThanEqual),
        IrOp::IsNan => Core(Op::IsNan),
        IrOp::IsInf => Core(Op::IsInf),
        IrOp::IEqual => Core(Op::IEqual),
        IrOp::INotEqual => Core(Op::INotEqual),
        IrOp::ULess => Core(Op::ULessThan),
        IrOp::UGreaterEqual => Core(Op::UGreaterThanEqual),
        IrOp::SLess => Core(Op::SLessThan),
        IrOp::SGreaterEqual => Core(Op::SGreaterThanEqual),
        IrOp::LogicalAnd => Core(Op::LogicalAnd),
        IrOp::LogicalOr => Core(Op::LogicalOr),
        IrOp::LogicalNot => Core(Op::LogicalNot),
        IrOp::LogicalEqual => Core(Op::LogicalEqual),
        IrOp::LogicalNotEqual => Core(Op::LogicalNotEqual),
        IrOp::Any => Core(Op::Any),
        IrOp::All => Core(Op::All),
        IrOp::Dpdx => Core(Op::DPdx),
        IrOp::Dpdy => Core(Op::DPdy),
        IrOp::DpdxCoarse => Derivative(Op::DPdxCoarse),
        IrOp::DpdyCoarse => Derivative(Op::DPdyCoarse),
        IrOp::DpdxFine => Derivative(Op::DPdxFine),
        IrOp::DpdyFine => Derivative(Op::DPdyFine),
        IrOp::InterpolateAtCentroid => Interpolate(Glsl::InterpolateAtCentroid),
        IrOp::InterpolateAtSample => Interpolate(Glsl::InterpolateAtSample),
        IrOp::InterpolateAtOffset => Interpolate(Glsl::InterpolateAtOffset),
        IrOp::AtomicAdd => Atomic(Op::AtomicIAdd),
        IrOp::AtomicAnd => Atomic(Op::AtomicAnd),
        IrOp::AtomicOr => Atomic(Op::AtomicOr),
        IrOp::AtomicXor => Atomic(Op::AtomicXor),
        IrOp::AtomicUMin => Atomic(Op::AtomicUMin),
        IrOp::AtomicUMax => Atomic(Op::AtomicUMax),
        IrOp::AtomicSMin => Atomic(Op::AtomicSMin),
        IrOp::AtomicSMax => Atomic(Op::AtomicSMax),
        IrOp::AtomicExchange => Atomic(Op::AtomicExchange),
        IrOp::AtomicCompareExchange => Atomic(Op::AtomicCompareExchange),
        IrOp::ImageSample | IrOp::ImageSampleExplicit | IrOp::ImageGather | IrOp::ImageFetch | IrOp::ImageRead => Image,
        IrOp::ImageQuerySizeLod => Query(Op::ImageQuerySizeLod),
        IrOp::ImageQuerySize => Query(Op::ImageQuerySize),
        IrOp::ImageQueryLevels => Query(Op::ImageQueryLevels),
        IrOp::ImageQuerySamples => Query(Op::ImageQuerySamples),
        IrOp::Const
        | IrOp::Const64
        | IrOp::ConstVector
        | IrOp::Specialization
        | IrOp::Undef
        | IrOp::Phi
        | IrOp::Extract
        | IrOp::Shuffle
        | IrOp::Member
        | IrOp::Select
        | IrOp::Load
        | IrOp::Store
        | IrOp::ArrayLength
        | IrOp::Handle
        | IrOp::ImageWrite
        | IrOp::ImageQueryLod
        | IrOp::TexelsResident
        | IrOp::ControlBarrier
        | IrOp::MemoryBarrier
        | IrOp::Demote
        | IrOp::BeginInterlock
        | IrOp::EndInterlock
        | IrOp::EmitVertex
        | IrOp::EndPrimitive
        | IrOp::IsHelper => Special,
    }
}
