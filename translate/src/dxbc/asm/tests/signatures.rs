//! Signatures: stated by directives, and derived where none are.

use super::assemble;
use crate::dxbc::Shader;
use crate::dxbc::disasm::disassemble_exact;
use crate::dxbc::signature::NO_REGISTER;
use crate::{Code, ledger};

/// The directives of the container that a text makes.
fn directives(text: &str) -> Vec<String> {
    let bytes = assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let text = disassemble_exact(&Shader::parse(&bytes, true).unwrap());
    text.lines().filter(|line| line.starts_with('.')).map(str::to_owned).collect()
}

fn chunk_names(text: &str) -> String {
    let bytes = assemble(text).unwrap();
    let shader = Shader::parse(&bytes, true).unwrap();
    let names: Vec<_> = shader.container.chunks.iter().map(|chunk| chunk.fourcc.to_string()).collect();
    names.join(" ")
}

#[test]
fn stated_as_they_stand() {
    let lines = [
        ".code SHDR",
        ".features 0x10",
        ".inputs ISG1",
        ".input TEXCOORD 1 register=2 mask=xyz read=xz value=none type=float precision=min16f",
        ".input \"A \\\"b\\\" \\u{7f}ü\" 0 register=none mask=none read=none value=99 type=12 precision=9",
        ".outputs OSG1",
        ".output SV_Target 0 register=0 mask=xyzw unwritten=y value=target type=uint stream=3",
    ];
    assert_eq!(directives(&format!("ps_5_0\n{}\nret\n", lines.join("\n"))), lines);
    let bytes = assemble(&format!("ps_5_0\n{}", lines.join("\n"))).unwrap();
    let shader = Shader::parse(&bytes, true).unwrap();
    let odd = shader.inputs.elements[1];
    assert_eq!((odd.semantic, odd.register, odd.system_value), ("A \"b\" \u{7f}ü", NO_REGISTER, 99));
    assert_eq!((odd.component, odd.min_precision), (12, 9));
    let target = shader.outputs.elements[0];
    assert_eq!((target.mask, target.rw_mask, target.stream, target.system_value), (15, 2, 3, 64));
}

#[test]
fn what_an_element_leaves_out() {
    let text = "vs_4_0\n\
        .input SV_Position 0 register=0 mask=xyz\n\
        .input SV_VertexID register=1 mask=x type=uint\n\
        .output sv_position 0 mask=xyzw register=0\n\
        .output COLOR 3 register=1 mask=xy\n";
    let expected = [
        ".inputs ISGN",
        // What no other stage has made is a semantic like any other to a vertex shader.
        ".input SV_Position 0 register=0 mask=xyz read=xyz value=none type=float",
        ".input SV_VertexID 0 register=1 mask=x read=x value=vertex_id type=uint",
        ".outputs OSGN",
        ".output sv_position 0 register=0 mask=xyzw unwritten=none value=position type=float",
        ".output COLOR 3 register=1 mask=xy unwritten=zw value=none type=float",
    ];
    assert_eq!(directives(text), expected);
}

#[test]
fn chunks_and_their_order() {
    assert_eq!(chunk_names("ps_4_0"), "ISGN OSGN SHDR");
    assert_eq!(chunk_names("cs_4_0"), "ISGN OSGN SHEX");
    assert_eq!(chunk_names("ps_5_0\n.features 1\n.inputs none\n.code SHDR"), "OSGN SHDR SFI0");
    assert_eq!(chunk_names("hs_5_0\n.patches PCSG"), "ISGN OSGN PCSG SHEX");
    assert_eq!(chunk_names("ds_5_0\n.patches PSG1"), "ISGN PSG1 OSGN SHEX");
    // The chunk that has room for what the elements say.
    assert_eq!(chunk_names("gs_5_0\n.output A 0 register=0 mask=x stream=1"), "ISGN OSG5 SHEX");
    assert_eq!(chunk_names("vs_5_0\n.input A 0 register=0 mask=x precision=min16u"), "ISG1 OSGN SHEX");
}

#[test]
fn a_vertex_shaders_declarations() {
    let text = "vs_5_0\n\
        dcl_input v0.xyz\n\
        dcl_input_sgv v1.x, vertex_id\n\
        dcl_output_siv o0.xyzw, position\n\
        dcl_output o1.xy\n\
        dcl_output o1.zw\n\
        dcl_output_siv o2.xyz, clip_distance\n\
        dcl_output_siv o3.x, clip_distance\n";
    let expected = [
        ".inputs ISGN",
        ".input TEXCOORD 0 register=0 mask=xyz read=xyz value=none type=float",
        ".input SV_VertexID 0 register=1 mask=x read=x value=vertex_id type=uint",
        ".outputs OSGN",
        ".output SV_Position 0 register=0 mask=xyzw unwritten=none value=position type=float",
        ".output TEXCOORD 1 register=1 mask=xy unwritten=zw value=none type=float",
        ".output TEXCOORD 65 register=1 mask=zw unwritten=xy value=none type=float",
        ".output SV_ClipDistance 0 register=2 mask=xyz unwritten=w value=clip_distance type=float",
        ".output SV_ClipDistance 1 register=3 mask=x unwritten=yzw value=clip_distance type=float",
    ];
    assert_eq!(directives(text), expected);
}

#[test]
fn a_pixel_shaders_declarations() {
    let text = "ps_5_0\n\
        dcl_input_ps_siv linear noperspective v0.xyzw, position\n\
        dcl_input_ps linear v1.zw\n\
        dcl_input_ps_sgv constant v2.x, is_front_face\n\
        dcl_input vCoverage\n\
        dcl_output o0.xyzw\n\
        dcl_output o2.x\n\
        dcl_output oDepthLE\n\
        dcl_output oMask\n";
    let expected = [
        ".inputs ISGN",
        ".input SV_Position 0 register=0 mask=xyzw read=xyzw value=position type=float",
        ".input TEXCOORD 1 register=1 mask=zw read=zw value=none type=float",
        ".input SV_IsFrontFace 0 register=2 mask=x read=x value=is_front_face type=uint",
        ".outputs OSGN",
        ".output SV_Target 0 register=0 mask=xyzw unwritten=none value=none type=float",
        ".output SV_Target 2 register=2 mask=x unwritten=yzw value=none type=float",
        ".output SV_DepthLessEqual 0 register=none mask=x unwritten=yzw value=none type=float",
        ".output SV_Coverage 0 register=none mask=x unwritten=yzw value=none type=uint",
    ];
    assert_eq!(directives(text), expected);
}

#[test]
fn the_tessellation_stages_declarations() {
    let hull = "hs_5_0\nhs_decls\n\
        hs_control_point_phase\ndcl_input v[3][0].xyz\ndcl_output o0.xyz\nret\n\
        hs_fork_phase\ndcl_output_siv o0.x, finalTriUeq0EdgeTessFactor\nret\n\
        hs_fork_phase\ndcl_output_siv o1.x, finalTriVeq0EdgeTessFactor\ndcl_output o1.yz\nret\n\
        hs_join_phase\ndcl_input vpc0.x\ndcl_output_siv o2.x, finalTriInsideTessFactor\nret\n";
    let expected = [
        ".inputs ISGN",
        ".input TEXCOORD 0 register=0 mask=xyz read=xyz value=none type=float",
        ".outputs OSGN",
        ".output TEXCOORD 0 register=0 mask=xyz unwritten=w value=none type=float",
        ".patches PCSG",
        ".patch SV_TessFactor 0 register=0 mask=x unwritten=yzw value=final_tri_edge_tessfactor type=float",
        ".patch SV_TessFactor 1 register=1 mask=x unwritten=yzw value=final_tri_edge_tessfactor type=float",
        ".patch TEXCOORD 33 register=1 mask=yz unwritten=xw value=none type=float",
        ".patch SV_InsideTessFactor 0 register=2 mask=x unwritten=yzw value=final_tri_inside_tessfactor type=float",
    ];
    assert_eq!(directives(hull), expected);
    // Without a control point phase the points go through.
    let through = "hs_5_0\nhs_fork_phase\ndcl_input vicp[3][1].xy\nret\n";
    let expected = [
        ".inputs ISGN",
        ".input TEXCOORD 1 register=1 mask=xy read=xy value=none type=float",
        ".outputs OSGN",
        ".output TEXCOORD 1 register=1 mask=xy unwritten=zw value=none type=float",
        ".patches none",
    ];
    assert_eq!(directives(through), expected);
    let domain = "ds_5_0\ndcl_input vicp[3][1].xy\ndcl_input vpc3.w\ndcl_output_siv o0.xyzw, position\n";
    let expected = [
        ".inputs ISGN",
        ".input TEXCOORD 1 register=1 mask=xy read=xy value=none type=float",
        ".outputs OSGN",
        ".output SV_Position 0 register=0 mask=xyzw unwritten=none value=position type=float",
        ".patches PCSG",
        ".patch TEXCOORD 3 register=3 mask=w read=w value=none type=float",
    ];
    assert_eq!(directives(domain), expected);
}

#[test]
fn a_geometry_shaders_streams() {
    let text = "gs_5_0\ndcl_input_siv v[1][0].xyzw, position\ndcl_input vPrim\n\
        dcl_stream m0\ndcl_output o0.xyzw\ndcl_stream m1\ndcl_output o0.xy\n";
    let expected = [
        ".inputs ISGN",
        ".input SV_Position 0 register=0 mask=xyzw read=xyzw value=position type=float",
        ".input SV_PrimitiveID 0 register=none mask=x read=x value=primitive_id type=uint",
        ".outputs OSG5",
        ".output TEXCOORD 0 register=0 mask=xyzw unwritten=none value=none type=float",
        ".output TEXCOORD 0 register=0 mask=xy unwritten=zw value=none type=float stream=1",
    ];
    assert_eq!(directives(text), expected);
}

#[test]
fn a_stated_signature_is_not_derived() {
    let text = "ps_5_0\n.inputs ISGN\ndcl_input_ps linear v1.xyzw\ndcl_output o0.xyzw\n";
    assert_eq!(
        directives(text),
        [
            ".inputs ISGN",
            ".outputs OSGN",
            ".output SV_Target 0 register=0 mask=xyzw unwritten=none value=none type=float"
        ]
    );
}

#[test]
fn directives_that_cannot_be_taken() {
    let long = format!(".input {} 0 register=0 mask=x", "A".repeat(1024));
    let cases: [(&str, Code, &str); 14] = [
        (".input A 0 register=0", ledger::ASM_SYNTAX, "needs `register=` and `mask=`"),
        (".input A 0 mask=x", ledger::ASM_SYNTAX, "needs `register=` and `mask=`"),
        (".input A 0 register=32 mask=x", ledger::ASM_VALUE, "at most 31"),
        (".input A 0 register=0 mask=q", ledger::ASM_SYNTAX, "expected letters"),
        (".input A 0 register=0 mask=x unwritten=x", ledger::ASM_NAME, "`unwritten` is no field"),
        (".output A 0 register=0 mask=x stream=4", ledger::ASM_VALUE, "at most 3"),
        (".output A 0 register=0 mask=x type=half", ledger::ASM_SYNTAX, "expected a component type"),
        (".patch SV_TessFactor 0 register=0 mask=x", ledger::ASM_SYNTAX, "needs `value=`"),
        (".input", ledger::ASM_SYNTAX, "expected a semantic"),
        (".input \"A 0 register=0", ledger::ASM_SYNTAX, "without a closing quote"),
        (".input \"\\q\" 0 register=0 mask=x", ledger::ASM_SYNTAX, "an escape"),
        (".input \"\\0\" 0 register=0 mask=x", ledger::ASM_VALUE, "no NUL"),
        (".inputs OSGN", ledger::ASM_SYNTAX, "expected one of ISGN, ISG1"),
        (&long, ledger::ASM_VALUE, "at most 1023"),
    ];
    for (line, code, what) in cases {
        let error = assemble(&format!("hs_5_0\n{line}\n")).unwrap_err();
        assert_eq!((error.code, error.place.line.map(|(line, _)| line)), (code, Some(2)), "{line}: {error}");
        assert!(error.what.contains(what), "{line}: {error}");
    }
}
