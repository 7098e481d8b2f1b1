//! Small programs and what they become. Expected forms are worked out from Direct3D's rules by hand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::dxbc::Shader;
use crate::dxbc::asm::assemble;
use crate::{Error, Options, StreamOutput, StreamOutputEntry, ledger};

fn try_lower(text: &str, options: &Options) -> Result<String, Error> {
    let bytes = assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let shader = Shader::parse(&bytes, true)?;
    let mut lowered = super::lower(&shader, options)?;
    let live = crate::passes::legalize(&mut lowered.function);
    crate::ir::verify(&lowered.function).expect("a form that holds");
    // What is dead is not written: it must not count here either.
    let words = crate::spirv::write(&lowered.function, &live, &options.profile, "main");
    let module = rspirv::dr::load_words(&words).expect("a module");
    Ok(rspirv::binary::Disassemble::disassemble(&module))
}

fn lower(text: &str) -> String {
    try_lower(text, &Options::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A pixel shader's body between its declarations and `ret`.
fn pixel(body: &str) -> String {
    lower(&pixel_text("refactoringAllowed", body))
}

fn pixel_text(flags: &str, body: &str) -> String {
    format!(
        "ps_5_0\ndcl_globalFlags {flags}\ndcl_constantbuffer CB0[8], dynamicIndexed\ndcl_input_ps linear v0.xyzw\n\
         dcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 8\n{body}\nret\n"
    )
}

fn count(text: &str, what: &str) -> usize {
    text.lines().filter(|line| line.contains(what)).count()
}

#[test]
fn moves_and_swizzles_cost_nothing() {
    let text = pixel("mov r0.xyzw, v0.wzyx\nmov r1.xy, r0.zwzz\nmov r1.zw, r0.xxxy\nmov o0.xyzw, r1.yxwz");
    // Twice the other way round: r1 is v0.yxwz, and o0 is v0.xyzw, the loaded vector itself.
    assert_eq!(count(&text, "OpVectorShuffle") + count(&text, "OpCompositeExtract"), 0, "{text}");
    assert_eq!(count(&text, "OpLoad"), 1, "{text}");
}

#[test]
fn a_component_times_a_vector_is_a_scaling() {
    let text = pixel("mul o0.xyzw, v0.xyzw, v1.yyyy");
    assert_eq!((count(&text, "OpVectorTimesScalar"), count(&text, "OpFMul")), (1, 0), "{text}");
}

#[test]
fn a_comparison_makes_a_mask_only_for_its_bits() {
    let chosen = pixel("ge r0.x, v0.x, v0.y\nmovc o0.xyzw, r0.xxxx, v0.xyzw, v1.xyzw");
    assert_eq!(count(&chosen, "OpSelect"), 1, "the choice alone: {chosen}");
    assert_eq!(count(&chosen, "4294967295"), 0, "{chosen}");
    let bits = pixel("ge r0.x, v0.x, v0.y\nutof o0.xyzw, r0.xxxx");
    assert_eq!(count(&bits, "OpConstant  %2 4294967295") + count(&bits, "4294967295"), 1, "{bits}");
}

#[test]
fn logic_on_masks_is_logic() {
    let text = pixel(
        "lt r0.x, v0.x, v0.y\nlt r0.y, v0.y, v0.z\nand r0.x, r0.x, r0.y\nnot r0.x, r0.x\nif_nz r0.x\nmov o0.xyzw, v1.xyzw\nret\nendif\nmov o0.xyzw, v0.xyzw",
    );
    assert_eq!((count(&text, "OpLogicalAnd"), count(&text, "OpLogicalNot")), (1, 1), "{text}");
    assert_eq!((count(&text, "OpBitwiseAnd"), count(&text, "OpSelect ")), (0, 0), "{text}");
}

#[test]
fn and_with_a_mask_is_a_choice() {
    let text = pixel("lt r0.x, v0.x, v0.y\nand r0.x, r0.x, l(0x3f800000)\nmov o0.xyzw, r0.xxxx");
    assert_eq!(
        (count(&text, "OpSelect"), count(&text, "OpBitwiseAnd"), count(&text, "OpBitcast")),
        (1, 0, 0),
        "{text}"
    );
}

#[test]
fn lanes_that_travel_together_have_one_phi() {
    let text = pixel("mov r0.xyzw, v0.xyzw\nif_nz v1.x\nmul r0.xyzw, v0.xyzw, v1.xyzw\nendif\nmov o0.xyzw, r0.xyzw");
    assert_eq!(count(&text, "OpPhi"), 1, "{text}");
}

#[test]
fn what_both_ways_agree_on_has_no_phi() {
    let text = pixel("mov r0.x, v0.x\nif_nz v1.x\nmov r0.x, v0.x\nadd r1.x, v0.x, v0.y\nendif\nmov o0.xyzw, r0.xxxx");
    assert_eq!(count(&text, "OpPhi"), 0, "{text}");
}

#[test]
fn what_is_not_read_after_a_loop_has_no_phi() {
    let text = pixel(
        "mov r0.x, l(0)\nmov r1.x, l(0)\nloop\nige r0.y, r0.x, l(4)\nbreakc_nz r0.y\nitof r2.x, r0.x\nadd r1.x, r1.x, r2.x\niadd r0.x, r0.x, l(1)\nendloop\nmov o0.xyzw, r1.xxxx",
    );
    // The counter and the sum; the test and the term live one round.
    assert_eq!((count(&text, "OpPhi"), count(&text, "OpLoopMerge")), (2, 1), "{text}");
    // `itof` takes the counter as a signed integer; nothing else changes a type.
    assert_eq!(count(&text, "OpBitcast"), 1, "each phi has its user's kind: {text}");
}

#[test]
fn a_case_that_falls_through_meets_the_next() {
    let text = pixel(
        "ftoi r1.x, v0.x\nmov r0.x, l(0)\nswitch r1.x\ncase l(1)\nmov r0.x, v0.y\ncase l(2)\nadd r0.x, r0.x, v0.z\nbreak\ndefault\nmov r0.x, v0.w\nbreak\nendswitch\nmov o0.xyzw, r0.xxxx",
    );
    // Into the second case come the switch itself and the first case; after the switch its two breaks.
    assert_eq!((count(&text, "OpSwitch"), count(&text, "OpPhi")), (1, 2), "{text}");
}

#[test]
fn code_after_a_return_is_gone() {
    let text = pixel("mov o0.xyzw, v0.xyzw\nret\nmul r0.xyzw, v1.xyzw, v1.xyzw\nmov o0.xyzw, r0.xyzw");
    assert_eq!((count(&text, "OpFMul"), count(&text, "OpReturn")), (0, 1), "{text}");
}

#[test]
fn a_conditional_return_writes_what_was_written() {
    let text = pixel("mov o0.xyzw, v0.xyzw\nretc_nz v1.x\nmov o0.xyzw, v1.xyzw");
    assert_eq!((count(&text, "OpReturn"), count(&text, "OpStore")), (2, 2), "{text}");
}

#[test]
fn precise_and_unrefactored_arithmetic_is_not_contracted() {
    let free = pixel("mad r0.xyzw, v0.xyzw, v1.xyzw, v0.xyzw\nmul o0.xyzw, r0.xyzw, v1.xyzw");
    assert_eq!(count(&free, "NoContraction"), 0, "{free}");
    let precise = pixel("mad [precise] r0.xyzw, v0.xyzw, v1.xyzw, v0.xyzw\nmul o0.xyzw, r0.xyzw, v1.xyzw");
    assert_eq!(count(&precise, "NoContraction"), 1, "{precise}");
    let strict = lower(&pixel_text(
        "enableDoublePrecisionFloatOps",
        "mad r0.xyzw, v0.xyzw, v1.xyzw, v0.xyzw\nmul o0.xyzw, r0.xyzw, v1.xyzw",
    ));
    assert_eq!(count(&strict, "NoContraction"), 2, "{strict}");
}

#[test]
fn a_sign_means_what_its_reader_makes_it() {
    let float = pixel("add o0.xyzw, v0.xyzw, -v1.xyzw");
    assert_eq!((count(&float, "OpFSub"), count(&float, "OpFNegate")), (1, 0), "{float}");
    let integer = pixel("iadd r0.xyzw, v0.xyzw, -v1.xyzw\nmov o0.xyzw, r0.xyzw");
    assert_eq!(count(&integer, "OpISub"), 1, "{integer}");
    let bits = pixel("mov o0.xyzw, -v0.xyzw");
    assert_eq!((count(&bits, "OpBitwiseXor"), count(&bits, "OpFNegate")), (1, 0), "{bits}");
}

#[test]
fn saturation_answers_nan_with_0() {
    assert_eq!(count(&pixel("add_sat o0.xyzw, v0.xyzw, v1.xyzw"), "NClamp"), 1);
}

#[test]
fn a_constant_read_for_one_component_is_one_component() {
    let one = pixel("mul o0.xyzw, v0.xyzw, cb0[3].yyyy");
    assert_eq!((count(&one, "OpAccessChain"), count(&one, "OpCompositeExtract")), (1, 0), "{one}");
    let several = pixel("mul r0.xyzw, v0.xyzw, cb0[3].xyzw\nmul o0.xyzw, r0.xyzw, cb0[3].wzyx");
    assert_eq!(count(&several, "OpAccessChain"), 1, "one load serves both: {several}");
}

#[test]
fn a_discard_keeps_derivatives_defined() {
    let text = pixel("lt r0.x, v0.x, l(0.5)\ndiscard_nz r0.x\nderiv_rtx o0.xyzw, v1.xyzw");
    assert_eq!((count(&text, "OpDemoteToHelperInvocation"), count(&text, "OpKill")), (1, 0), "{text}");
}

#[test]
fn division_by_zero_is_guarded_where_it_may_occur() {
    let may = pixel("udiv r0.x, r0.y, v0.x, v0.y\nmov o0.xyzw, r0.xyxy");
    assert_eq!((count(&may, "OpUDiv"), count(&may, "OpUMod"), count(&may, "OpSelect")), (1, 1, 2), "{may}");
    let never = pixel("udiv r0.x, null, v0.x, l(10)\nmov o0.xyzw, r0.xxxx");
    assert_eq!((count(&never, "OpUDiv"), count(&never, "OpSelect")), (1, 0), "{never}");
}

#[test]
fn shift_counts_use_five_bits() {
    let known = pixel("ishl r0.x, v0.x, l(33)\nmov o0.xyzw, r0.xxxx");
    // 33 is 1 in five bits.
    assert_eq!((count(&known, "OpShiftLeftLogical"), count(&known, "OpBitwiseAnd")), (1, 0), "{known}");
    assert_eq!(count(&pixel("ishl r0.x, v0.x, v0.y\nmov o0.xyzw, r0.xxxx"), "OpBitwiseAnd"), 1);
}

#[test]
fn constant_indices_of_an_indexable_temporary_are_registers() {
    let text = "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\ndcl_indexableTemp x0[4], 4\nmov x0[2].xyzw, v0.xyzw\nmov o0.xyzw, x0[2].xyzw\nret\n";
    let text = lower(text);
    assert_eq!((count(&text, "OpAccessChain"), count(&text, "Function\"")), (0, 0), "{text}");
}

#[test]
fn subroutines_are_put_in_place_whatever_they_return_from() {
    let text = pixel(
        "mov r0.xy, l(0,0,0,0)\ncall label0\nmov o0.xyzw, r0.xyxy\nret\nlabel label0\nloop\nadd r0.x, r0.x, l(1.0)\nlt r0.z, v0.x, r0.x\nif_nz r0.z\nmov r0.y, l(2.0)\nret\nendif\nlt r0.z, v0.y, r0.x\nbreakc_nz r0.z\nendloop\nmov r0.y, l(3.0)",
    );
    assert_eq!((count(&text, "OpFunctionCall"), count(&text, "OpReturn")), (0, 1), "{text}");
    // The way out of the loop is taken once more out of the part.
    assert_eq!((count(&text, "OpLoopMerge"), count(&text, "OpSwitch")), (1, 1), "{text}");
}

#[test]
fn a_hull_shader_makes_its_patch_once_all_points_are_there() {
    let text = lower(
        "hs_5_0\nhs_decls\ndcl_input_control_point_count 3\ndcl_output_control_point_count 3\ndcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_fractional_odd\ndcl_tessellator_output_primitive output_triangle_cw\ndcl_globalFlags refactoringAllowed\nhs_control_point_phase\ndcl_input vOutputControlPointID\ndcl_input v[3][0].xyzw\ndcl_output o0.xyzw\ndcl_temps 1\nmov r0.x, vOutputControlPointID\nmov o0.xyzw, v[r0.x + 0][0].xyzw\nret\nhs_fork_phase\ndcl_hs_fork_phase_instance_count 3\ndcl_input vForkInstanceID\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\ndcl_output_siv o2.x, finalTriWeq0EdgeTessFactor\ndcl_temps 1\ndcl_indexrange o0.x 3\nmov r0.x, vForkInstanceID.x\nmov o[r0.x + 0].x, l(4.0)\nret\nhs_fork_phase\ndcl_output_siv o3.x, finalTriInsideTessFactor\nmov o3.x, l(5.0)\nret\n",
    );
    for (what, times) in [("OpControlBarrier", 1), ("OpLoopMerge", 1), ("TessLevelOuter", 1), ("TessLevelInner", 1)] {
        assert_eq!(count(&text, what), times, "{what}: {text}");
    }
    assert!(text.contains("SpacingFractionalOdd") && text.contains("VertexOrderCw"), "{text}");
}

#[test]
fn streamed_outputs_stand_behind_the_signatures_own() {
    let text = "gs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input v[1][0].xyzw\ndcl_inputprimitive point\ndcl_stream m0\ndcl_outputtopology pointlist\ndcl_output o0.xyzw\ndcl_maxout 1\nmov o0.xyzw, v[0][0].xyzw\nemit_stream m0\nret\n";
    let semantic = {
        let bytes = assemble(text).unwrap();
        Shader::parse(&bytes, false).unwrap().outputs.elements[0].semantic.to_owned()
    };
    let entry = StreamOutputEntry { semantic: Some(semantic), first_component: 1, components: 2, ..Default::default() };
    let stream_output = StreamOutput { entries: vec![entry], strides: [24, 0, 0, 0], rasterized_stream: 0 };
    let words = try_lower(text, &Options { stream_output, ..Options::default() }).unwrap();
    for what in ["TransformFeedback", "Xfb", "XfbStride 24", "XfbBuffer 0", "Location 1"] {
        assert!(words.contains(what), "{what}: {words}");
    }
    let missing = StreamOutputEntry { semantic: Some("NORMAL".into()), components: 3, ..Default::default() };
    let stream_output = StreamOutput { entries: vec![missing], ..StreamOutput::default() };
    let error = try_lower(text, &Options { stream_output, ..Options::default() }).unwrap_err();
    assert_eq!(error.code, ledger::STREAM_OUTPUT);
}

#[test]
fn registers_of_another_stage_are_malformed() {
    let text =
        pixel_text("refactoringAllowed", "mov o0.xyzw, v0.xyzw").replace("ps_5_0", "vs_5_0").replace("_ps linear", "");
    let text = text.replace("mov o0.xyzw, v0.xyzw", "mov o0.xyzw, v0.xyzw\nmov oDepth, v0.x");
    match assemble(&text) {
        Ok(bytes) => {
            let shader = Shader::parse(&bytes, false);
            let error = shader.and_then(|s| super::lower(&s, &Options::default()).map(|_| ())).unwrap_err();
            assert_eq!(error.code, ledger::BAD_OPERAND);
        }
        Err(error) => assert_eq!(error.code, ledger::BAD_OPERAND),
    }
}

#[test]
fn constructs_nested_past_the_limit_are_malformed() {
    let deep = format!("{}{}", "if_nz v0.x\n".repeat(65), "endif\n".repeat(65));
    let error = match assemble(&pixel_text("refactoringAllowed", &deep)) {
        Ok(bytes) => Shader::parse(&bytes, false).map(|_| ()).unwrap_err(),
        Err(error) => error,
    };
    assert!(matches!(error.code, ledger::LIMIT | ledger::BAD_NESTING), "{error}");
}

/// The format of a view that a shader loads these components from.
fn loaded_format(flags: &str, returns: &str, mask: &str, open: bool) -> Result<String, Error> {
    let text = format!(
        "cs_5_0\n{flags}dcl_globalFlags refactoringAllowed\ndcl_uav_typed_texture2d ({returns},{returns},{returns},{returns}) u0\n\
         dcl_uav_raw u1\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nld_uav_typed r0.{mask}, l(0, 0, 0, 0), u0.xyzw\n\
         store_raw u1.{mask}, l(0), r0.xyzw\nret\n"
    );
    let mut options = Options::default();
    options.profile.features.read_without_format = open;
    let module = try_lower(&text, &options)?;
    let image = module.lines().find(|line| line.contains("OpTypeImage")).expect("an image");
    Ok(image.split_whitespace().last().expect("a format").to_owned())
}

#[test]
fn a_loaded_format_is_known_only_where_it_can_be_nothing_else() {
    const ADDITIONAL: &str = ".features 0x800\n";
    const OTHERS: &str = ".features 0x1\n";
    let known = |flags, returns, mask, open| loaded_format(flags, returns, mask, open).map_err(|error| error.code);
    for open in [true, false] {
        // Flags without the additional formats promise one component of 32 bits.
        for (returns, format) in [("float", "R32f"), ("sint", "R32i"), ("uint", "R32ui")] {
            assert_eq!(known(OTHERS, returns, "x", open).as_deref(), Ok(format));
        }
    }
    for flags in [ADDITIONAL, ""] {
        for (returns, mask) in [("float", "x"), ("float", "xyzw"), ("unorm", "x"), ("uint", "yz")] {
            assert_eq!(known(flags, returns, mask, true).as_deref(), Ok("Unknown"), "{flags} {returns} {mask}");
        }
    }
    // A device that needs the format: without flags the code may load one component of 32 bits at most.
    assert_eq!(known("", "float", "x", false).as_deref(), Ok("R32f"));
    for (flags, returns, mask) in
        [(ADDITIONAL, "float", "x"), ("", "float", "xy"), ("", "uint", "y"), ("", "unorm", "x")]
    {
        assert_eq!(known(flags, returns, mask, false), Err(ledger::NOT_IN_PROFILE), "{flags} {returns} {mask}");
    }
}

#[test]
fn a_register_that_another_one_chooses_is_never_taken_for_its_first() {
    // Only methods of class instances choose a constant buffer before 5.1, and this program has none.
    let text = "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[2], immediateIndexed\n\
                dcl_constantbuffer CB1[2], immediateIndexed\ndcl_function_body fb0\ndcl_function_table ft0 = {fb0}\n\
                dcl_interface fp0[1][1] = {ft0}\ndcl_input_ps constant v0.x\ndcl_output o0.xyzw\ndcl_temps 1\n\
                mov r0.x, v0.x\nmov o0.xyzw, cb[r0.x + 0][1].xyzw\nret\n";
    assert_eq!(try_lower(text, &Options::default()).map_err(|error| error.code), Err(ledger::BAD_OPERAND));
}

#[test]
fn a_component_that_does_not_exist_is_neither_read_nor_written() {
    let text = |code: &str| {
        format!(
            "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\ndcl_input_ps linear v1.xy\n\
             dcl_input_ps linear v2.xy\ndcl_indexrange v1.xy 2\ndcl_output o0.xyz\ndcl_temps 1\nftou r0.x, v0.x\n{code}\nret\n"
        )
    };
    let code = |line: &str| try_lower(&text(line), &Options::default()).map_err(|error| error.code);
    assert!(code("mov o0.xyz, v1.xyxx").is_ok());
    for line in [
        "mov o0.xyz, v1.xyzx",
        "mov o0.xyz, v3.xyxx",
        "mov o0.xyz, v[r0.x + 1].xyzx",
        "eval_centroid o0.xyz, v1.xyzx",
        "eval_centroid o0.xyz, v[r0.x + 1].xyzx",
        "mov o0.xyzw, v1.xyxx",
        "mov o1.x, v1.x",
    ] {
        assert_eq!(code(line), Err(ledger::BAD_OPERAND), "{line}");
    }
}

#[test]
fn what_changes_within_a_pixel_cannot_be_evaluated_elsewhere() {
    let text = "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps_siv linear noperspective v0.xyzw, position\n\
                dcl_output o0.xyzw\neval_centroid o0.xyzw, v0.xyzw\nret\n";
    assert_eq!(try_lower(text, &Options::default()).map_err(|error| error.code), Err(ledger::EVALUATED_VALUE));
}
