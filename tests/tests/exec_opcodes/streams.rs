//! Geometry streams: vertices emitted into line strips on a target, where a strip that is not cut joins them.

use crate::run::{Program, each};
use crate::want::check_bits;
use rx_tests::vulkan::{Draw, Registers, Topology};
use rx_translate::dxbc::opcodes::Opcode as O;

/// Width and height of the target.
const WIDTH: u32 = 16;
const HEIGHT: u32 = 4;

/// A vertex with its number.
const VERTEX: &str = "vs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 1
utof r0.x, v0.x
mov o1.xyzw, r0.xxxx
mov o0.xyzw, l(0, 0, 0, 1.0)
ret
";

const PIXEL: &str = "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret
";

/// For each point a row: a strip from column 1 to 4 and on to 7, and one from column 10 to 13. How vertices and cuts
/// are written differs; `END` comes last.
fn geometry(declaration: &str, emit: &str, cut: &str, emit_then_cut: Option<&str>) -> String {
    let mut text = format!(
        "gs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_siv v[1][0].xyzw, position
dcl_input v[1][1].xyzw
dcl_temps 2
dcl_inputprimitive point
{declaration}dcl_outputtopology linestrip
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_maxout 5
mad r0.y, v[0][1].x, l(-0.5), l(0.75)
add r0.z, v[0][1].x, l(1.0)
"
    );
    for (n, column) in [1.0, 4.0, 7.0, 10.0, 13.0].into_iter().enumerate() {
        // Columns' centres, from -1 to 1 in clip space. Outputs are lost with an emission: each is written again.
        let x = (column + 0.5) / f64::from(WIDTH) * 2.0 - 1.0;
        text += &format!("mov o0.x, l({x:?})\nmov o0.y, r0.y\nmov o0.zw, l(0, 0, 0, 1.0)\nmov o1.xyzw, r0.zzzz\n");
        match (n == 2, emit_then_cut) {
            (true, Some(both)) => text += &format!("{both}\n"),
            (true, None) => text += &format!("{emit}\n{cut}\n"),
            _ => text += &format!("{emit}\n"),
        }
    }
    text + "ret\n"
}

/// Every form, with the rows that it is about.
fn forms() -> Vec<Program> {
    let stream = "dcl_stream m0\n";
    vec![
        Program::new(geometry("", "emit", "cut", None), &[O::Emit, O::Cut]),
        Program::new(geometry("", "emit", "cut", Some("emit_then_cut")), &[O::EmitThenCut]),
        Program::new(geometry(stream, "emit_stream m0", "cut_stream m0", None), &[O::EmitStream, O::CutStream]),
        Program::new(
            geometry(stream, "emit_stream m0", "cut_stream m0", Some("emit_then_cut_stream m0")),
            &[O::EmitThenCutStream],
        ),
    ]
}

#[test]
fn strips() {
    each(|run| {
        if !run.session.device.enabled.geometry {
            println!("skipped: the device has no geometry shaders");
            return;
        }
        for form in forms() {
            let target = run.target(2, WIDTH, HEIGHT);
            let none = Registers::new();
            let on = Draw { topology: Topology::PointList, vertices: HEIGHT, ..Draw::new(Vec::new()).onto(&target) };
            run.draw(&[(VERTEX, &none), (&form.text, &none), (PIXEL, &none)], on);
            let words = target.words(0).unwrap();
            let got: Vec<u32> = words.chunks_exact(4).map(|texel| f32::from_bits(texel[0]) as u32).collect();
            let want: Vec<u32> = (0..WIDTH * HEIGHT)
                .map(|n| match n % WIDTH {
                    // A line's last pixel is its next line's first: the strips' own last ones are not drawn.
                    1..7 | 10..13 => n / WIDTH + 1,
                    _ => 0,
                })
                .collect();
            check_bits(&format!("{:?}, {}", form.covers, run.name), &got, &want);
        }
    });
}

/// The programs of this part.
pub fn programs() -> Vec<Program> {
    forms()
}
