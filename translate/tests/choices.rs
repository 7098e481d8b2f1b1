//! What options and profile choose of the words: controls of floats, where push constants stand, what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rspirv::dr::Operand;
use rx_translate::dxbc::asm::assemble;
use rx_translate::{
    BufferLengths, Error, FloatControls, Options, Profile, Robustness, RobustnessByClass, Source, Target, Translation,
    Translator, ledger,
};
use spirv::{Decoration, ExecutionMode as Mode, Op};

fn translated(text: &str, options: Options) -> Result<Translation, Error> {
    Translator::new(options).translate(Source::Dxbc(&assemble(text).unwrap()))
}

fn pixel(targets: &str) -> String {
    format!("ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\n{targets}ret\n")
}

const FLOATS: &str = "dcl_output o0.xyzw\nmul o0.xyzw, v0.xyzw, v0.xyzw\n";
const DOUBLES: &str = "dcl_output o0.xyzw\ndcl_temps 1\ndadd r0.xy, v0.xyzw, v0.xyzw\nmov o0.xyzw, r0.xyxy\n";

/// Modes with a width, and the extensions.
fn modes(text: &str, target: Target, float_controls: FloatControls) -> (Vec<(Mode, u32)>, Vec<String>) {
    let profile = Profile { target, float_controls, ..Profile::default() };
    let words = translated(text, Options { profile, ..Options::default() }).unwrap().spirv;
    let module = rspirv::dr::load_words(&words).unwrap();
    let modes = module.execution_modes.iter().filter_map(|inst| match inst.operands[..] {
        [_, Operand::ExecutionMode(mode), Operand::LiteralBit32(width)] => Some((mode, width)),
        _ => None,
    });
    let extensions = module.extensions.iter().map(|inst| inst.operands[0].unwrap_literal_string().to_owned());
    (modes.collect(), extensions.collect())
}

#[test]
fn floats_have_the_modes_that_the_device_can_be_told() {
    let floats = pixel(FLOATS);
    let of_32 = [(Mode::DenormFlushToZero, 32), (Mode::RoundingModeRTE, 32), (Mode::SignedZeroInfNanPreserve, 32)];
    assert_eq!(modes(&floats, Target::Vulkan13, FloatControls::default()), (vec![], vec![]));
    assert_eq!(modes(&floats, Target::Vulkan13, FloatControls::ALL), (of_32.to_vec(), vec![]));
    // Before SPIR-V 1.4 they are an extension's.
    let extension = vec!["SPV_KHR_float_controls".to_owned()];
    assert_eq!(modes(&floats, Target::Vulkan11, FloatControls::ALL), (of_32.to_vec(), extension));
    let flush = FloatControls { flush_f32: true, ..FloatControls::default() };
    assert_eq!(modes(&floats, Target::Vulkan13, flush).0, [(Mode::DenormFlushToZero, 32)]);
    let (of_64, _) = modes(&pixel(DOUBLES), Target::Vulkan13, FloatControls::ALL);
    for mode in [(Mode::DenormPreserve, 64), (Mode::RoundingModeRTE, 64), (Mode::SignedZeroInfNanPreserve, 64)] {
        assert!(of_64.contains(&mode), "{of_64:?}");
    }
}

#[test]
fn a_third_target_cannot_be_blended_with_two_sources() {
    let three = pixel(
        "dcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_output o2.xyzw\nmov o0.xyzw, v0.xyzw\nmov o1.xyzw, v0.xyzw
mov o2.xyzw, v0.xyzw\n",
    );
    assert!(translated(&three, Options::default()).is_ok());
    let error = translated(&three, Options { dual_source: true, ..Options::default() }).unwrap_err();
    assert_eq!(error.code, ledger::DUAL_SOURCE);
}

#[test]
fn push_constants_begin_where_the_stages_before_end() {
    let text = "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\ndcl_uav_raw u1\ndcl_thread_group 1, 1, 1
store_raw u1.x, l(4), l(7)\nret\n";
    let profile = Profile {
        robustness: RobustnessByClass::all(Robustness::Explicit),
        buffer_lengths: BufferLengths::PushConstants,
        ..Profile::default()
    };
    let options = |push_constant_offset| Options { profile, push_constant_offset, ..Options::default() };
    for offset in [0, 12] {
        let translation = translated(text, options(offset)).unwrap();
        // One u32 for each of two buffers.
        assert_eq!(translation.interface.push_constant_bytes, offset + 8);
        let module = rspirv::dr::load_words(&translation.spirv).unwrap();
        let places = module.annotations.iter().filter(|inst| inst.class.opcode == Op::MemberDecorate);
        let is_offset = |operands: &[Operand]| matches!(operands, [_, _, Operand::Decoration(Decoration::Offset), Operand::LiteralBit32(own)] if *own == offset);
        assert!(places.into_iter().any(|inst| is_offset(&inst.operands)), "no block begins at {offset}");
    }
    assert_eq!(translated(text, options(2)).unwrap_err().code, ledger::NOT_IN_PROFILE);
}
