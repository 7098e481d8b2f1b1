//! What the lowering writes otherwise where the profile names a driver's fault ([`crate::TranslationFixes`]).
//!
//! Each fix is exact or nearer to Direct3D than the plain form on a driver without the fault: switched on anywhere, it
//! costs instructions and changes no result that Direct3D defines. The point size stands with the other outputs.

use super::Lower;
use crate::ir::{Flags, Kind, Op, ValueId};

/// 1 / 2π.
pub(crate) const TURNS: f32 = std::f32::consts::FRAC_1_PI / 2.0;
/// The float nearest to 2π, and what it lacks of 2π.
pub(crate) const TURN: f32 = std::f32::consts::TAU;
pub(crate) const TURN_REST: f32 = -1.748_455_5e-7;

impl<'a> Lower<'a> {
    /// An angle to take the sine or cosine of: within half a turn, where the profile asks for that (`sine_range`).
    ///
    /// x less whole turns, in two steps of which each rounds once. Within half a turn it is x itself. Infinity and NaN
    /// become NaN, whose sine is theirs.
    pub(super) fn angle(&mut self, angle: ValueId) -> ValueId {
        if !self.options.profile.fixes.sine_range {
            return angle;
        }
        let ty = self.builder.ty(angle);
        let [turns, turn, rest] = [TURNS, -TURN, -TURN_REST].map(|constant| {
            let scalar = self.builder.f32(constant);
            self.builder.splat(scalar, ty.width())
        });
        let turns = self.builder.op(Op::FMul, ty, &[angle, turns]);
        let turns = self.builder.op(Op::RoundEven, ty, &[turns]);
        let near = self.builder.push(Op::Fma, ty, Flags::NO_CONTRACTION, 0, &[turns, turn, angle]);
        let near = self.builder.push(Op::Fma, ty, Flags::NO_CONTRACTION, 0, &[turns, rest, near]);
        // The sum has lost the sign of a zero.
        let zero = self.builder.f32(0.0);
        let zero = self.builder.splat(zero, ty.width());
        let none = self.builder.op(Op::FOrdEqual, ty.with_kind(Kind::Bool), &[turns, zero]);
        self.builder.select(none, angle, near)
    }

    /// The float nearest to an integer, signed if its kind is. Where the profile asks for that (`int_to_float`), by its halves: both are exact
    /// as floats, so that their sum rounds once, as the conversion does.
    pub(super) fn int_to_float(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let float = ty.with_kind(Kind::F32);
        let signed = ty.kind() == Kind::S32;
        let convert = if signed { Op::SToF } else { Op::UToF };
        if !self.options.profile.fixes.int_to_float {
            return self.builder.op(convert, float, &[value]);
        }
        let [sixteen, low_bits] = [(ty.kind(), 16), (Kind::U32, 0xffff)].map(|(kind, bits)| {
            let scalar = self.builder.constant(kind, bits);
            self.builder.splat(scalar, ty.width())
        });
        let shift = if signed { Op::ShrArithmetic } else { Op::ShrLogical };
        let high = self.builder.op(shift, ty, &[value, sixteen]);
        let high = self.builder.op(convert, float, &[high]);
        let bits = self.builder.convert(value, Kind::U32);
        let low = self.builder.op(Op::And, ty.with_kind(Kind::U32), &[bits, low_bits]);
        let low = self.builder.op(Op::UToF, float, &[low]);
        let unit = self.builder.f32(65536.0);
        let unit = self.builder.splat(unit, ty.width());
        self.builder.push(Op::Fma, float, Flags::NONE, 0, &[high, unit, low])
    }
}

#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::approx_constant)]
mod tests {
    use super::{TURN, TURN_REST, TURNS};
    use crate::interface::Stage;
    use crate::{Features, Options, Profile, Source, TranslationFixes, Translator};
    use rspirv::dr::{Instruction, Operand};
    use spirv::{GlslStd450Op as Glsl, Op};

    const R0_X: [u32; 2] = [0x0010_000a, 0];
    const R0_X_MASK: [u32; 2] = [0x0010_0012, 0];
    const THREAD_X: [u32; 1] = [0x0002_000a];
    const NULL: [u32; 1] = [0x0000_d000];

    fn op(opcode: u32, operands: &[&[u32]]) -> Vec<u32> {
        let operands = operands.concat();
        let mut words = vec![opcode | (operands.len() as u32 + 1) << 24];
        words.extend(operands);
        words
    }

    /// A container of a program: its type and code, with a return behind it.
    fn container(ty: u32, code: &[Vec<u32>]) -> Vec<u8> {
        let mut words = vec![ty << 16 | 0x50, 0];
        words.extend(code.iter().flatten());
        words.push(62 | 1 << 24);
        words[1] = words.len() as u32;
        let size = 4 * words.len() as u32;
        let mut bytes = b"DXBC".to_vec();
        bytes.extend([0u8; 16]);
        bytes.extend([1, 36 + 8 + size, 1, 36].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(b"SHEX");
        bytes.extend(size.to_le_bytes());
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    }

    /// A compute shader that stores r0.x.
    fn compute(code: &[Vec<u32>]) -> Vec<u8> {
        let mut all = vec![op(157, &[&[0x0011_e000, 0]]), op(95, &[&[0x0002_0012]]), op(104, &[&[1]])];
        all.push(op(155, &[&[64, 1, 1]]));
        all.extend_from_slice(code);
        all.push(op(166, &[&[0x0011_e012, 0], &[0x0000_4001, 0], &R0_X]));
        container(5, &all)
    }

    fn translated(bytes: &[u8], fixes: TranslationFixes) -> (Vec<u32>, Vec<Instruction>) {
        translated_for(bytes, Profile { fixes, ..Profile::default() })
    }

    fn translated_for(bytes: &[u8], profile: Profile) -> (Vec<u32>, Vec<Instruction>) {
        let options = Options { profile, ..Options::default() };
        let words = match Translator::new(options).translate(Source::Dxbc(bytes)) {
            Ok(translation) => translation.spirv,
            Err(error) => panic!("{error}"),
        };
        let module = match rspirv::dr::load_words(&words) {
            Ok(module) => module,
            Err(error) => panic!("{error:?}"),
        };
        let all = module.all_inst_iter().cloned().collect();
        (words, all)
    }

    fn count(all: &[Instruction], op: Op) -> usize {
        all.iter().filter(|inst| inst.class.opcode == op).count()
    }

    fn extended(all: &[Instruction], op: Glsl) -> usize {
        let is = |inst: &&Instruction| inst.operands.get(1) == Some(&Operand::LiteralExtInstInteger(op as u32));
        all.iter().filter(|inst| inst.class.opcode == Op::ExtInst).filter(is).count()
    }

    #[test]
    fn sine_range_takes_whole_turns_off_before_the_sine() {
        let code = [op(86, &[&R0_X_MASK, &THREAD_X]), op(77, &[&R0_X_MASK, &NULL, &R0_X])];
        let shader = compute(&code);
        let (plain, all) = translated(&shader, TranslationFixes::NONE);
        assert_eq!([extended(&all, Glsl::Sin), extended(&all, Glsl::Fma), extended(&all, Glsl::RoundEven)], [1, 0, 0]);
        let fixes = TranslationFixes { sine_range: true, ..TranslationFixes::NONE };
        let (fixed, all) = translated(&shader, fixes);
        assert_eq!([extended(&all, Glsl::Sin), extended(&all, Glsl::Fma), extended(&all, Glsl::RoundEven)], [1, 2, 1]);
        assert_ne!(plain, fixed);
    }

    #[test]
    fn sine_range_keeps_small_angles_and_is_exact_enough_for_large_ones() {
        let reduced = |x: f32| {
            let turns = (x * TURNS).round_ties_even();
            if turns == 0.0 { x } else { turns.mul_add(-TURN_REST, turns.mul_add(-TURN, x)) }
        };
        assert!((f64::from(TURN) + f64::from(TURN_REST) - std::f64::consts::TAU).abs() < 1e-14);
        for x in [0.0f32, -0.0, 1e-30, 0.5, -3.14, 3.1415] {
            assert_eq!(reduced(x).to_bits(), x.to_bits(), "{x}");
        }
        assert!(reduced(f32::INFINITY).is_nan() && reduced(f32::NAN).is_nan());
        for step in -10_000i16..10_000 {
            let x = f32::from(step) * 0.031_415_9;
            let error = (f64::from(reduced(x)).sin() - f64::from(x).sin()).abs();
            assert!(error < 2e-6 && reduced(x).abs() < 3.142, "{x}: {error}");
        }
    }

    #[test]
    fn int_to_float_converts_halves() {
        for (opcode, convert, shift) in
            [(43, Op::ConvertSToF, Op::ShiftRightArithmetic), (86, Op::ConvertUToF, Op::ShiftRightLogical)]
        {
            let shader = compute(&[op(opcode, &[&R0_X_MASK, &THREAD_X])]);
            let (plain, all) = translated(&shader, TranslationFixes::NONE);
            assert_eq!([count(&all, convert), count(&all, shift), extended(&all, Glsl::Fma)], [1, 0, 0]);
            let fixes = TranslationFixes { int_to_float: true, ..TranslationFixes::NONE };
            let (fixed, all) = translated(&shader, fixes);
            let converted = count(&all, Op::ConvertSToF) + count(&all, Op::ConvertUToF);
            assert_eq!([converted, count(&all, shift), extended(&all, Glsl::Fma)], [2, 1, 1]);
            assert_ne!(plain, fixed);
        }
    }

    #[test]
    fn int_to_float_by_halves_is_the_conversion() {
        let edges = [0u32, 1, 0xffff, 0x1_0000, 0xff_ffff, 0x100_0001, 0x7fff_ffff, 0x8000_0000, 0xffff_ff7f, u32::MAX];
        for x in edges.into_iter().chain((0..40_000).map(|i: u32| i.wrapping_mul(2_654_435_761))) {
            let low = (x & 0xffff) as f32;
            assert_eq!(((x >> 16) as f32).mul_add(65536.0, low).to_bits(), (x as f32).to_bits(), "{x}");
            let signed = x as i32;
            assert_eq!(((signed >> 16) as f32).mul_add(65536.0, low).to_bits(), (signed as f32).to_bits(), "{signed}");
        }
    }

    /// Stores to a variable decorated as `PointSize`.
    fn point_sizes(all: &[Instruction]) -> usize {
        let size = Operand::BuiltIn(spirv::BuiltIn::PointSize);
        let variable = all.iter().find(|inst| inst.class.opcode == Op::Decorate && inst.operands.contains(&size));
        let Some(variable) = variable.map(|inst| inst.operands[0].clone()) else { return 0 };
        all.iter().filter(|inst| inst.class.opcode == Op::Store && inst.operands[0] == variable).count()
    }

    #[test]
    fn point_size_is_written_by_every_stage_that_can_end_before_the_rasteriser() {
        // The output topology: points, line strips.
        let geometry = |topology: u32| {
            let declarations = [vec![93 | 1 << 11 | 1 << 24], vec![92 | topology << 11 | 1 << 24], op(94, &[&[2]])];
            let emits = [vec![19 | 1 << 24], vec![19 | 1 << 24]];
            container(2, &[&declarations[..], &emits[..]].concat())
        };
        let domain = [vec![149 | 2 << 11 | 1 << 24]];
        // Sizes written without the fix, with it, and with it on a device that takes none behind the vertex stage.
        let shaders = [
            (Stage::Vertex, container(1, &[]), [0, 1, 1]),
            (Stage::Geometry, geometry(1), [2, 2, 0]),
            (Stage::Geometry, geometry(3), [0, 2, 0]),
            (Stage::TessellationEvaluation, container(4, &domain), [0, 1, 0]),
            (Stage::Fragment, container(0, &[]), [0, 0, 0]),
            (Stage::Compute, compute(&[op(43, &[&R0_X_MASK, &THREAD_X])]), [0, 0, 0]),
        ];
        let fixes = TranslationFixes { point_size: true, ..TranslationFixes::NONE };
        let features = Features { point_size_any_stage: false, ..Features::full() };
        let profiles = [
            Profile { fixes: TranslationFixes::NONE, ..Profile::default() },
            Profile { fixes, ..Profile::default() },
            Profile { fixes, features, ..Profile::default() },
        ];
        for (stage, shader, want) in shaders {
            let got = profiles.map(|profile| point_sizes(&translated_for(&shader, profile).1));
            assert_eq!(got, want, "{stage:?}");
        }
    }
}
