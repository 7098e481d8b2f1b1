//! Text against tokens; the expected words follow from the format, by hand.

#![allow(clippy::unwrap_used, clippy::panic)]

mod errors;
mod signatures;

use super::assemble;
use crate::dxbc::Shader;
use crate::dxbc::disasm::{disassemble, disassemble_exact};

/// The words of a program, without its header of two.
fn words(text: &str) -> Vec<u32> {
    let bytes = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let shader = Shader::parse(&bytes, true).unwrap();
    let code = shader.container.find(&[b"SHEX", b"SHDR"]).unwrap().data;
    let words: Vec<_> = code.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap())).collect();
    assert_eq!(words[1] as usize, words.len());
    words[2..].to_vec()
}

/// Holds the last item of a program against its words: `head` comes before the line.
fn check(version: &str, head: &str, line: &str, expected: &[u32]) {
    let before = words(&format!("{version}\n{head}\n")).len();
    let words = words(&format!("{version}\n{head}\n{line}\n"));
    assert_eq!(format!("{:08x?}", &words[before..]), format!("{expected:08x?}"), "{line}");
}

const TEMPS: &str = "dcl_temps 4";

#[test]
fn the_header() {
    for (version, token) in [
        ("ps_4_0", 0x0040u32),
        ("vs_4_1", 0x1_0041),
        ("gs_5_0", 0x2_0050),
        ("hs_5_0", 0x3_0050),
        ("ds_5_1", 0x4_0051),
        ("cs_5_1", 0x5_0051),
    ] {
        let bytes = assemble(version).unwrap();
        let shader = Shader::parse(&bytes, true).unwrap();
        let code = shader.container.find(&[b"SHEX", b"SHDR"]).unwrap();
        assert_eq!(code.data, [token.to_le_bytes(), 2u32.to_le_bytes()].concat(), "{version}");
    }
}

#[test]
fn arithmetic() {
    let check =
        |line: &str, expected: &[u32]| check("ps_4_0", "dcl_temps 4\ndcl_indexableTemp x0[3], 4", line, expected);
    check("ret", &[0x0100_003e]);
    check("mov r0.x, l(1.0)", &[0x0500_0036, 0x0010_0012, 0, 0x4001, 0x3f80_0000]);
    check("mov r0.xyzw, l(1,2,3,4)", &[0x0800_0036, 0x0010_00f2, 0, 0x4002, 1, 2, 3, 4]);
    check("iadd r1.y, r2.w, l(-1)", &[0x0700_001e, 0x0010_0022, 1, 0x0010_003a, 2, 0x4001, u32::MAX]);
    check(
        "add_sat [precise(y)] r1.xyz, -|v0.xyzx|, cb0[r0.x + 2].yyyy",
        &[0x0b10_2000, 0x0010_0072, 1, 0x8010_1246, 0xc1, 0, 0x0620_8556, 0, 2, 0x0010_000a, 0],
    );
    check("mul [precise] r0.x, r0.x, r0.x", &[0x0778_0038, 0x0010_0012, 0, 0x0010_000a, 0, 0x0010_000a, 0]);
    // No constant part: the register alone is the index.
    check("mov r0.x, cb1[r0.y + 0].x", &[0x0700_0036, 0x0010_0012, 0, 0x0420_800a, 1, 0x0010_001a, 0]);
    check("mov r0.x, cb1[r0.y].x", &[0x0700_0036, 0x0010_0012, 0, 0x0420_800a, 1, 0x0010_001a, 0]);
    check("mov r0.x, cb1[1 + r0.y].x", &[0x0800_0036, 0x0010_0012, 0, 0x0620_800a, 1, 1, 0x0010_001a, 0]);
    check("mov x0[2].y, x0[r0.x + 1].z", &[0x0900_0036, 0x0020_3022, 0, 2, 0x0620_302a, 0, 1, 0x0010_000a, 0]);
    check("udiv null, r0.x, r1.x, r2.x", &[0x0800_004e, 0xd000, 0x0010_0012, 0, 0x0010_000a, 1, 0x0010_000a, 2]);
    check("deriv_rtx_sat r0.x, -r1.x", &[0x0600_200b, 0x0010_0012, 0, 0x8010_000a, 0x41, 1]);
    // Fewer letters than four: the last one goes on.
    check("mov r0.xy, r1.yz", &[0x0500_0036, 0x0010_0032, 0, 0x0010_0a96, 1]);
}

#[test]
fn precision_and_non_uniform_indices() {
    let check = |line: &str, expected: &[u32]| check("ps_5_0", TEMPS, line, expected);
    // min16u is 5, at bit 14 of the extended token; non-uniform is bit 17.
    check("mov r0.x {min16u}, r1.x", &[0x0600_0036, 0x8010_0012, 0x0001_4001, 0, 0x0010_000a, 1]);
    check("mov r0.x, |r1.x {min16f}|", &[0x0600_0036, 0x0010_0012, 0, 0x8010_000a, 0x0000_4081, 1]);
    check("mov r0.x, r1.x {min16f as def32}", &[0x0600_0036, 0x0010_0012, 0, 0x8010_000a, 0x0000_4001, 1]);
    check("mov r0.x, r1.x { nonuniform }", &[0x0600_0036, 0x0010_0012, 0, 0x8010_000a, 0x0002_0001, 1]);
    let index = [0x0700_0036, 0x0010_0012, 0, 0x0420_800a, 0, 0x8010_000a];
    check("mov r0.x, cb0[r0.x {min16u}].x", &[&[0x0800_0036], &index[1..], &[0x0001_4001, 0]].concat());
}

#[test]
fn flow() {
    let check = |lines: &str, expected: &[u32]| check("ps_5_0", TEMPS, lines, expected);
    const R0_X: [u32; 2] = [0x0010_000a, 0];
    check("if_nz r0.x\nelse\nendif", &[0x0304_001f, R0_X[0], R0_X[1], 0x0100_0012, 0x0100_0015]);
    check("loop\n breakc_z r0.x\nendloop", &[0x0100_0030, 0x0300_0003, R0_X[0], R0_X[1], 0x0100_0016]);
    check(
        "switch r0.x\n case l(3)\n default\n break\nendswitch",
        &[0x0300_004c, R0_X[0], R0_X[1], 0x0300_0006, 0x4001, 3, 0x0100_000a, 0x0100_0002, 0x0100_0017],
    );
    check("discard_nz r0.x", &[0x0304_000d, R0_X[0], R0_X[1]]);
    check("call label2\nlabel label2", &[0x0300_0004, 0x0010_a000, 2, 0x0300_002c, 0x0010_a000, 2]);
}

#[test]
fn textures() {
    let check = |line: &str, expected: &[u32]| check("ps_5_0", TEMPS, line, expected);
    let operands = [0x0010_0012, 0, 0x0010_0e46, 0, 0x0010_7e46, 0, 0x0010_6000, 0];
    check("sample r0.x, r0.xyzw, t0.xyzw, s0", &[&[0x0900_0045][..], &operands].concat());
    let extended = [0x8000_0001 | 8 << 9 | 7 << 13 | 15 << 17, 0x8000_00c2, 0x0015_5543];
    check(
        "sample_aoffimmi_indexable(-8,7,-1)(texture2d)(float,float,float,float) r0.x, r0.xyzw, t0.xyzw, s0",
        &[&[0x8c00_0045][..], &extended, &operands].concat(),
    );
    check(
        "gather4_indexable(texture2d)(float,float,float,float) r0.x, r0.xyzw, t0.xyzw, s0.z",
        &[&[0x8b00_006d, 0x8000_00c2, 0x0015_5543][..], &operands[..6], &[0x0010_602a, 0]].concat(),
    );
    let query = [0x0010_0012, 0, 0x4001, 0, 0x0010_7e46, 0];
    check("resinfo_uint r0.x, l(0), t0.xyzw", &[&[0x0700_103d][..], &query].concat());
    check(
        "resinfo_indexable(texture2d)(float,float,float,float)_rcpFloat r0.x, l(0), t0.xyzw",
        &[&[0x8900_083d, 0x8000_00c2, 0x0015_5543][..], &query].concat(),
    );
    check("samplepos r0.x, rasterizer.x, l(2)", &[0x0600_006e, 0x0010_0012, 0, 0x0000_e00a, 0x4001, 2]);
}

#[test]
fn memory() {
    let check = |line: &str, expected: &[u32]| check("cs_5_0", TEMPS, line, expected);
    check(
        "ld_structured_indexable(structured_buffer, stride=52)(mixed,mixed,mixed,mixed) r0.x, r0.x, l(0), t0.xxxx",
        &[0x8b00_00a7, 0x8001_a302, 0x0019_9983, 0x0010_0012, 0, 0x0010_000a, 0, 0x4001, 0, 0x0010_7006, 0],
    );
    // Letters are a mask where a memory is stored to, and a swizzle where it is read.
    check("store_raw u1.xy, l(4), r0.xyxx", &[0x0700_00a6, 0x0011_e032, 1, 0x4001, 4, 0x0010_0046, 0]);
    check("store_raw g1.x, r0.x, r0.y", &[0x0700_00a6, 0x0011_f012, 1, 0x0010_000a, 0, 0x0010_001a, 0]);
    check("ld_raw r0.x, l(4), u1.xyzw", &[0x0700_00a5, 0x0010_0012, 0, 0x4001, 4, 0x0011_ee46, 1]);
    check("imm_atomic_iadd r0.x, u1, l(0), l(1)", &[0x0900_00b4, 0x0010_0012, 0, 0x0011_e000, 1, 0x4001, 0, 0x4001, 1]);
    check("sync_uglobal_g_t", &[0x0100_58be]);
    check("sync_g_t_uglobal", &[0x0100_58be]);
}

#[test]
fn doubles_and_interfaces() {
    check(
        "ps_5_0",
        TEMPS,
        "dmov r0.xy, d(1.0, 2.000000l)",
        &[0x0800_00c7, 0x0010_0032, 0, 0x5002, 0, 0x3ff0_0000, 0, 0x4000_0000],
    );
    check("ps_5_0", TEMPS, "dtof r0.x, d(0x3ff0000000000001)", &[0x0600_00c9, 0x0010_0012, 0, 0x5001, 1, 0x3ff0_0000]);
    check("ps_5_0", "", "dcl_function_body fb7", &[0x0200_0090, 7]);
    check("ps_5_0", "", "dcl_function_table ft1 = {fb2, fb3}", &[0x0500_0091, 1, 2, 2, 3]);
    let interface = "dcl_interface_dynamicindexed fp0[3][2] = {ft7,\n ft8}";
    check("ps_5_0", "", interface, &[0x0600_0892, 0, 2, 3 << 16 | 2, 7, 8]);
    check("ps_5_0", TEMPS, "fcall fp0[r0.x + 1][4]", &[0x0700_0078, 4, 0x0621_3000, 0, 1, 0x0010_000a, 0]);
}

#[test]
fn ranges_of_5_1() {
    let check = |line: &str, expected: &[u32]| check("ps_5_1", TEMPS, line, expected);
    let buffer = "dcl_constantbuffer CB1[2:5][8], immediateIndexed, space=3";
    check(buffer, &[0x0700_0059, 0x0030_8e46, 1, 2, 5, 8, 3]);
    check("dcl_sampler S2[3:*], mode_default, space=1", &[0x0600_005a, 0x0030_6e46, 2, 3, u32::MAX, 1]);
    // What is left out: the first mode, space 0, the range of the register itself.
    check("dcl_sampler s2", &[0x0600_005a, 0x0030_6e46, 2, 2, 2, 0]);
    check("dcl_constantbuffer cb1[8], dynamicIndexed", &[0x0700_0859, 0x0030_8e46, 1, 1, 1, 8, 0]);
    check("dcl_resource_structured T1[0:0], 16, space=2", &[0x0700_00a2, 0x0030_7e46, 1, 0, 0, 16, 2]);
    check("mov r0.x, CB1[2][7].x", &[0x0700_0036, 0x0010_0012, 0, 0x0030_800a, 1, 2, 7]);
}

#[test]
fn declarations_of_a_pixel_shader() {
    let check = |line: &str, expected: &[u32]| check("ps_5_0", "", line, expected);
    check("dcl_globalFlags refactoringAllowed | enableMinimumPrecision", &[0x0101_086a]);
    check("dcl_globalFlags", &[0x0100_006a]);
    check("dcl_constantbuffer CB0[4], immediateIndexed", &[0x0400_0059, 0x0020_8e46, 0, 4]);
    check("dcl_constantbuffer CB0[4], dynamicIndexed", &[0x0400_0859, 0x0020_8e46, 0, 4]);
    check("dcl_sampler s3, mode_comparison", &[0x0300_085a, 0x0010_6000, 3]);
    let multisampled = "dcl_resource_texture2dms(8) (float,float,float,float) t0";
    check(multisampled, &[0x0408_2058, 0x0010_7000, 0, 0x5555]);
    check("dcl_uav_typed_buffer_glc (uint,uint,uint,uint) u2", &[0x0401_089c, 0x0011_e000, 2, 0x4444]);
    check("dcl_uav_structured_glc_rov_opc u1, 16", &[0x0483_009e, 0x0011_e000, 1, 16]);
    check("dcl_uav_raw u0", &[0x0300_009d, 0x0011_e000, 0]);
    check("dcl_input_ps linear noperspective v1.xy", &[0x0300_2062, 0x0010_1032, 1]);
    check("dcl_input_ps linear noperspective centroid v1.x", &[0x0300_2862, 0x0010_1012, 1]);
    check("dcl_input_ps_siv linear noperspective v0.xyzw, position", &[0x0400_2064, 0x0010_10f2, 0, 1]);
    check("dcl_input_ps_sgv constant v1.x, is_front_face", &[0x0400_0863, 0x0010_1012, 1, 9]);
    check("dcl_input vCoverage", &[0x0200_005f, 0x0002_3001]);
    check("dcl_output o0.xyzw", &[0x0300_0065, 0x0010_20f2, 0]);
    check("dcl_output oDepth", &[0x0200_0065, 0x0000_c001]);
    check("dcl_indexrange v0.xy 2", &[0x0400_005b, 0x0010_1032, 0, 2]);
    check("dcl_indexableTemp x1[3], 4", &[0x0400_0069, 1, 3, 4]);
}

#[test]
fn declarations_of_the_other_stages() {
    check("cs_5_0", "", "dcl_thread_group 8, 4, 1", &[0x0400_009b, 8, 4, 1]);
    check("cs_5_0", "", "dcl_tgsm_raw g0, 64", &[0x0400_009f, 0x0011_f000, 0, 64]);
    check("cs_5_0", "", "dcl_tgsm_structured g1, 8, 16", &[0x0500_00a0, 0x0011_f000, 1, 8, 16]);
    check("cs_5_0", "", "dcl_input vThreadID.xy", &[0x0200_005f, 0x0002_0032]);
    check("gs_5_0", "", "dcl_inputprimitive patch3", &[0x0100_505d]);
    check("gs_5_0", "", "dcl_inputprimitive triangleadj", &[0x0100_385d]);
    check("gs_5_0", "", "dcl_outputtopology trianglestrip", &[0x0100_285c]);
    check("gs_5_0", "", "dcl_maxout 12", &[0x0200_005e, 12]);
    check("gs_5_0", "", "dcl_stream m1", &[0x0300_008f, 0x0011_0000, 1]);
    check("gs_5_0", "", "dcl_input v[3][1].xyz", &[0x0400_005f, 0x0020_1072, 3, 1]);
    check("gs_5_0", "", "dcl_input vPrim", &[0x0200_005f, 0x0000_b000]);
    check("hs_5_0", "", "dcl_hs_max_tessfactor l(64.0)", &[0x0200_0098, 0x4280_0000]);
    check("hs_5_0", "", "dcl_input_control_point_count 3", &[0x0100_1893]);
    check("hs_5_0", "", "dcl_tessellator_domain domain_tri", &[0x0100_1095]);
    check("hs_5_0", "", "hs_fork_phase\ndcl_hs_fork_phase_instance_count 3", &[0x0100_0073, 0x0200_0099, 3]);
    check("hs_5_0", "", "dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor", &[0x0400_0067, 0x0010_2012, 1, 18]);
    check("ds_5_0", "", "dcl_input vicp[3][0].xyzw", &[0x0400_005f, 0x0021_90f2, 3, 0]);
}

#[test]
fn custom_data() {
    check("ps_5_0", "", "customdata 2 { 0x00000007, 8 }", &[0x1035, 4, 7, 8]);
    check("ps_5_0", "", "customdata 2 { }", &[0x1035, 2]);
    let table = "dcl_immediateConstantBuffer { { 1.000000, 0, -1, 0x00000003},\n   { 4, 5, 6, 7} }";
    check("ps_5_0", "", table, &[0x1835, 10, 0x3f80_0000, 0, u32::MAX, 3, 4, 5, 6, 7]);
    // `column %u` of nine characters, with its zero in three words.
    check(
        "ps_5_0",
        TEMPS,
        "printf \"column %u\", r0.x",
        &[0x2035, 12, 0x20_0102, 1, 9, 1, 2, 0x0010_000a, 0, 0x756c_6f63, 0x2520_6e6d, 0x75],
    );
    check(
        "ps_5_0",
        "",
        "errorf \"a \"b\" // c\"",
        &[0x2035, 10, 0x20_0103, 1, 10, 0, 0, 0x6222_2061, 0x2f2f_2022, 0x6320],
    );
}

#[test]
fn what_the_exact_form_adds() {
    let check = |line: &str, expected: &[u32]| check("ps_5_0", TEMPS, line, expected);
    check("nop {controls 0x1}", &[0x0100_083a]);
    check("mov r0.x, l(0x3f800000) {trailing 0x00002000}", &[0x0600_0036, 0x0010_0012, 0, 0x4001, 0x3f80_0000, 0x2000]);
    check("mov r0.x, r1.xyzw {select y}", &[0x0500_0036, 0x0010_0012, 0, 0x0010_001a, 1]);
    check("mov r0.x {one}, r1.x", &[0x0500_0036, 0x0010_0001, 0, 0x0010_000a, 1]);
    check("mov r0.x, l(1,2,3,4) {swizzle yyyy}", &[0x0800_0036, 0x0010_0012, 0, 0x4556, 1, 2, 3, 4]);
    check("store_raw u0.xyzw {swizzle xyzw}, l(0), r0.x", &[0x0700_00a6, 0x0011_ee46, 0, 0x4001, 0, 0x0010_000a, 0]);
    check("dcl_input_ps linear v1 {mask}", &[0x0300_1062, 0x0010_1002, 1]);
    check(
        "add_indexable(unknown, stride=4) r0.x, r0.x, r0.x",
        &[0x8800_0000, 0x0000_2002, 0x0010_0012, 0, 0x0010_000a, 0, 0x0010_000a, 0],
    );
}

#[test]
fn white_space_case_and_comments_do_not_count() {
    let tight = words("ps_5_0\ndcl_temps 1\nmov_sat r0.x,-|cb0[r0.x+1].x|\nret");
    let loose = "\u{feff}// a shader\r\n\r\n  PS_5_0 // stage\r\n\tDCL_TEMPS 0x1\r\n#line 1 \"a.hlsl\"\n  0: MOV_SAT  R0.X , - | CB0[ r0.x + 1 ].x |// end\r\n  1: ret\r\n\r\n";
    assert_eq!(tight, words(loose));
}

#[test]
fn every_mnemonic_is_found_with_its_suffixes() {
    use crate::dxbc::opcodes::OPCODES;
    for info in OPCODES {
        for suffix in ["", "_sat", "_nz", "_indexable", "_texture2d"] {
            let word = format!("{}{suffix}", info.mnemonic);
            // A longer mnemonic may begin in the same way.
            let longer = OPCODES.iter().any(|other| other.mnemonic == word);
            let (found, rest) = super::instruction::mnemonic(&word).unwrap();
            assert!(longer || (found.op, rest) == (info.op, suffix), "{word}: {found:?}");
        }
    }
    for word in ["", "_", "ad", "addx", "add2_sat", "dcl", "dcl_"] {
        assert!(super::instruction::mnemonic(word).is_none(), "{word}");
    }
}

/// Containers of every stage, and of what is rare in them.
const SAMPLES: [&[u8]; 6] = [
    include_bytes!("../../../../tests/assets/dxbc/line_vs.sm51.dxbc"),
    include_bytes!("../../../../tests/assets/dxbc/features/interfaces.ps_5_0.dxbc"),
    include_bytes!("../../../../tests/assets/dxbc/features/printf_abort.ps_5_0.dxbc"),
    include_bytes!("../../../../tests/assets/dxbc/features/texture_feedback.ps_5_0.dxbc"),
    include_bytes!("../../../../tests/assets/dxbc/features/hs_quad.hs_5_0.dxbc"),
    include_bytes!("../../../../tests/assets/dxbc/features/minimum_precision.ps_5_0.dxbc"),
];

#[test]
fn what_is_disassembled_assembles_to_the_same() {
    for bytes in SAMPLES {
        let shader = Shader::parse(bytes, false).unwrap();
        let exact = disassemble_exact(&shader);
        let assembled = assemble(&exact).unwrap();
        let again = Shader::parse(&assembled, true).unwrap();
        let code = |shader: &Shader<'_>| shader.container.find(&[b"SHEX", b"SHDR"]).map(|chunk| chunk.data.to_vec());
        assert_eq!(code(&again), code(&shader));
        assert_eq!(disassemble_exact(&again), exact);
        assert_eq!((&again.inputs, &again.outputs, &again.patch), (&shader.inputs, &shader.outputs, &shader.patch));
        assert_eq!(again.sfi0, shader.sfi0);
        // The plain form says less, and is taken too.
        let plain = disassemble(&shader);
        let assembled = assemble(&plain).unwrap();
        assert_eq!(disassemble(&Shader::parse(&assembled, true).unwrap()), plain);
    }
}

#[test]
fn damaged_text_does_no_harm() {
    for bytes in SAMPLES {
        let text = disassemble_exact(&Shader::parse(bytes, false).unwrap());
        let taken = |text: &str| match assemble(text) {
            Ok(bytes) => assert!(Shader::parse(&bytes, true).is_ok(), "{text}"),
            Err(error) => assert!(error.place.line.is_some(), "{error}"),
        };
        for end in (0..text.len()).step_by(37) {
            taken(&text[..end]);
        }
        for (i, change) in (0..text.len()).step_by(23).zip(b"\0 {}[]().,-|\"_/xl0+\n9=*:#".iter().cycle()) {
            let mut damaged = text.clone().into_bytes();
            damaged[i] = *change;
            taken(&String::from_utf8(damaged).unwrap());
        }
    }
}
