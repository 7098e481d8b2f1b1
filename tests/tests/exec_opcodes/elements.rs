//! Registers without a signature element: they are taken by their number, and what is neither declared nor in an element
//! is an error, whether it is read or written.
//!
//! Each pipeline runs with its signatures, without those of one stage after another, and without any: the pictures are
//! the same.

use crate::run::{Run, code, each};
use crate::want::check_bits;
use rx_tests::vulkan::{Attribute, Draw, Registers, Stage, Texture, Topology, VertexBuffer};
use rx_translate::ledger;

/// Width and height of the target.
const SIZE: u32 = 4;

const VERTEX: &str = "vs_5_0
SIGNATURES
dcl_globalFlags refactoringAllowed
dcl_input v0.xy
dcl_input v1.xy
dcl_input_sgv v2.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xy
dcl_temps 1
mov o0.xy, v0.xyxx
mov o0.zw, l(0, 0, 0, 1.0)
utof r0.x, v2.x
itof r0.yz, v1.xxyx
mov o1.xyz, l(0.25, 0.5, 0.75, 0)
mov o1.w, r0.y
mov o2.x, r0.z
mov o2.y, l(-2.0)
ret
";

const HULL: &str = "hs_5_0
SIGNATURES
hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xyzw
dcl_input v[3][2].xy
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xy
dcl_temps 1
mov r0.x, vOutputControlPointID
mov o0.xyzw, v[r0.x + 0][0].xyzw
mov o1.xyzw, v[r0.x + 0][1].xyzw
mov o2.xy, v[r0.x + 0][2].xyxx
ret
hs_fork_phase
dcl_hs_fork_phase_instance_count 3
dcl_input vForkInstanceID
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_temps 1
dcl_indexrange o0.x 3
mov r0.x, vForkInstanceID.x
mov o[r0.x + 0].x, l(1.0)
ret
hs_fork_phase
dcl_output_siv o3.x, finalTriInsideTessFactor
dcl_output o4.xy
mov o3.x, l(1.0)
mov o4.xy, l(0.5, 3.0, 0, 0)
ret
";

const DOMAIN: &str = "ds_5_0
SIGNATURES
dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_globalFlags refactoringAllowed
dcl_input vpc4.xy
dcl_input vDomain.xyz
dcl_input_siv vicp[3][0].xyzw, position
dcl_input vicp[3][1].xyzw
dcl_input vicp[3][2].xy
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xy
dcl_temps 3
mul r0.xyzw, vDomain.xxxx, vicp[0][0].xyzw
mad r0.xyzw, vDomain.yyyy, vicp[1][0].xyzw, r0.xyzw
mad o0.xyzw, vDomain.zzzz, vicp[2][0].xyzw, r0.xyzw
mov o1.xyzw, vicp[0][1].xyzw
mul o2.x, vicp[0][2].x, vpc4.x
mul o2.y, vicp[0][2].y, vpc4.y
ret
";

const GEOMETRY: &str = "gs_5_0
SIGNATURES
dcl_globalFlags refactoringAllowed
dcl_input_siv v[3][0].xyzw, position
dcl_input v[3][1].xyzw
dcl_input v[3][2].xy
dcl_temps 2
dcl_inputprimitive triangle
dcl_stream m0
dcl_outputtopology trianglestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xy
dcl_maxout 3
mov r0.x, l(0)
loop
uge r0.y, r0.x, l(3)
breakc_nz r0.y
mov o0.xyzw, v[r0.x + 0][0].xyzw
add o1.xyzw, v[r0.x + 0][1].xyzw, l(1.0, 0, 0, 0)
mov o2.xy, v[r0.x + 0][2].xyxx
emit_stream m0
iadd r0.x, r0.x, l(1)
endloop
ret
";

const PIXEL: &str = "ps_5_0
SIGNATURES
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xy
dcl_output o0.xyzw
mov o0.xy, v1.xwxx
mov o0.zw, v2.xxxy
ret
";

/// The vertex shader's signatures: a declaration does not say that `TEXCOORD1` is of integers.
const VERTEX_SIGNATURES: &str = ".input TEXCOORD 0 register=0 mask=xy
.input TEXCOORD 1 register=1 mask=xy type=int
.input SV_VertexID 0 register=2 mask=x type=uint
.output SV_Position 0 register=0 mask=xyzw
.output A 0 register=1 mask=xyzw
.output B 0 register=2 mask=xy
";

/// A stage's text with its signatures (of all but the vertex shader those of its declarations), or without any.
fn text(stage: &str, stripped: bool) -> String {
    let patches = matches!(&stage[..2], "hs" | "ds");
    let none = if patches { ".inputs none\n.outputs none\n.patches none" } else { ".inputs none\n.outputs none" };
    let whole = if stage.starts_with("vs") { VERTEX_SIGNATURES } else { "" };
    stage.replace("SIGNATURES\n", &if stripped { format!("{none}\n") } else { whole.to_owned() })
}

fn is_noted(run: &Run<'_>, text: &str) -> bool {
    let translation = run.translations.translate(&code(text), 0).unwrap();
    translation.notes.iter().any(|note| note.code == ledger::NO_ELEMENT)
}

/// Draws a triangle over the whole target. The vertices have (x, y) and two integers each.
fn draw(run: &Run<'_>, texts: &[String], target: &Texture) {
    let vertices: Vec<u32> = [[-1.0f32, 3.0], [3.0, -1.0], [-1.0, -1.0]]
        .iter()
        .flat_map(|[x, y]| [x.to_bits(), y.to_bits(), -3i32 as u32, 6])
        .collect();
    let vertices = run.words(&vertices);
    // R32G32_FLOAT and R32G32_SINT, by location where the shader names no semantic.
    let attribute = |semantic: &str, index, format, offset| Attribute {
        semantic: semantic.to_owned(),
        index,
        format,
        slot: 0,
        offset,
    };
    let semantics = ["LOCATION", "TEXCOORD"];
    let attributes = semantics.iter().flat_map(|name| [attribute(name, 0, 16, 0), attribute(name, 1, 18, 8)]);
    let attributes = attributes.collect();
    let patches = texts.iter().any(|text| text.starts_with("hs"));
    let none = Registers::new();
    let codes: Vec<_> = texts.iter().map(|text| code(text)).collect();
    let stages = codes.iter().map(|code| Stage { code, registers: &none }).collect();
    let draw = Draw {
        topology: if patches { Topology::Patches(3) } else { Topology::TriangleList },
        attributes,
        vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &vertices, stride: 16, per_instance: false }],
        ..Draw::new(stages).onto(target)
    };
    draw.run(&run.translations).unwrap_or_else(|e| panic!("{}: {e}\n{}", run.name, texts.join("\n")));
}

/// Runs a pipeline with its signatures, without one stage's, and without any, and compares with one color everywhere.
fn check(run: &Run<'_>, stages: &[&str], want: [f32; 4]) {
    for stripped in (0..=stages.len()).map(Some).chain([None]) {
        let is_stripped = |n: usize| stripped.is_none_or(|s| s == n);
        let texts: Vec<String> = stages.iter().enumerate().map(|(n, stage)| text(stage, is_stripped(n))).collect();
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(is_noted(run, text), is_stripped(n), "{text}");
        }
        let target = run.target(2, SIZE, SIZE);
        draw(run, &texts, &target);
        let want: Vec<u32> = (0..SIZE * SIZE).flat_map(|_| want.map(f32::to_bits)).collect();
        check_bits(&format!("without {stripped:?}, {}", run.name), &target.words(0).unwrap(), &want);
    }
}

#[test]
fn registers_without_an_element_are_taken_by_their_number() {
    each(|run| {
        check(run, &[VERTEX, PIXEL], [0.25, -3.0, 6.0, -2.0]);
        let enabled = &run.session.device.enabled;
        if enabled.geometry {
            check(run, &[VERTEX, GEOMETRY, PIXEL], [1.25, -3.0, 6.0, -2.0]);
        }
        if enabled.tessellation {
            check(run, &[VERTEX, HULL, DOMAIN, PIXEL], [0.25, -3.0, 3.0, -6.0]);
        }
    });
}

/// An element with fewer components than are declared, on either side.
#[test]
fn components_without_an_element_are_taken_too() {
    const PARTLY_READ: &str = "ps_5_0
.input SV_Position 0 register=0 mask=xyzw
.input A 0 register=1 mask=xy
.input B 0 register=2 mask=x
.output SV_Target 0 register=0 mask=xy
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xy
dcl_output o0.xyzw
mov o0.xy, v1.xwxx
mov o0.zw, v2.xxxy
ret
";
    const PARTLY_WRITTEN: &str = ".input TEXCOORD 0 register=0 mask=x
.input TEXCOORD 1 register=1 mask=x type=int
.input SV_VertexID 0 register=2 mask=x type=uint
.output SV_Position 0 register=0 mask=xyzw
.output A 0 register=1 mask=xyzw
.output B 0 register=2 mask=x
";
    each(|run| {
        let vertices = [text(VERTEX, false), VERTEX.replace("SIGNATURES\n", PARTLY_WRITTEN)];
        for vertex in vertices {
            for pixel in [text(PIXEL, false), PARTLY_READ.to_owned()] {
                let target = run.target(2, SIZE, SIZE);
                draw(run, &[vertex.clone(), pixel], &target);
                let want: Vec<u32> =
                    (0..SIZE * SIZE).flat_map(|_| [0.25f32, -3.0, 6.0, -2.0].map(f32::to_bits)).collect();
                check_bits(run.name, &target.words(0).unwrap(), &want);
            }
        }
    });
}

/// An output of integers without a signature goes to a target of integers.
#[test]
fn the_type_is_the_one_that_the_program_uses() {
    const INTEGERS: &str = "ps_5_0
.inputs none
.outputs none
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 1
ftou r0.xy, v0.xyxx
iadd o0.xy, r0.xyxx, l(-2, 1, 0, 0)
mov o0.z, r0.x
mov o0.w, l(9)
ret
";
    each(|run| {
        // R32G32B32A32_UINT.
        let target = run.target(3, SIZE, SIZE);
        draw(run, &[text(VERTEX, false), INTEGERS.to_owned()], &target);
        let want: Vec<u32> =
            (0..SIZE * SIZE).flat_map(|n| [(n % SIZE).wrapping_sub(2), n / SIZE + 1, n % SIZE, 9]).collect();
        check_bits(run.name, &target.words(0).unwrap(), &want);
    });
}
