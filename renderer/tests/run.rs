//! `rx run`: shaders executed on the CPU. Every expected value is computed by hand.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Run, file, is_plain, rx, rx_in, scene};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::{TempDir, tempdir};

/// Thread n stores t0[n] * cb0.x + cb0.y.
const SCALE: &str = "cs_5_0
dcl_constantbuffer CB0[1], immediateIndexed
dcl_resource_structured t0, 4
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 2, 1, 1
ld_structured_indexable(structured_buffer, stride=4)(mixed,mixed,mixed,mixed) r0.x, vThreadID.x, l(0), t0.xxxx
imad r0.x, r0.x, cb0[0].x, cb0[0].y
ishl r0.y, vThreadID.x, l(2)
store_raw u0.x, r0.y, r0.x
ret
";

/// A pixel: its colour times two plus its position, unless the flag is set.
const PIXEL: &str = "ps_5_0
.input SV_Position 0 register=0 mask=xyzw value=position type=float
.input COLOR 0 register=1 mask=xyz type=float
.input FLAG 3 register=2 mask=x type=uint
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.xyz
dcl_input_ps constant v2.x
dcl_output o0.xyzw
dcl_output oDepth
discard_nz v2.x
mad o0.xyz, v1.xyzx, l(2.0, 2.0, 2.0, 0.0), v0.xyxx
mov o0.w, l(1.0)
mov oDepth, l(0.25)
ret
";

const VERTEX: &str = "vs_5_0
.input POSITION 0 register=0 mask=xyz type=float
.input SV_VertexID 0 register=1 mask=x value=vertex_id type=uint
.output SV_Position 0 register=0 mask=xyzw value=position type=float
.output NUMBER 2 register=1 mask=x type=uint
dcl_input v0.xyz
dcl_input_sgv v1.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.x
mul o0.xyz, v0.xyzx, l(0.5, 0.5, 0.5, 0.0)
mov o0.w, l(1.0)
iadd o1.x, v1.x, l(1)
ret
";

/// A folder with one shader's text, and what runs it there.
struct Here {
    dir: TempDir,
}

impl Here {
    fn of(text: &str) -> Here {
        let dir = tempdir().unwrap();
        file(dir.path(), "a.asm", text);
        Here { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs `rx run a.asm` with more arguments, separated by blanks.
    fn run(&self, more: &str) -> Run {
        rx_in(self.dir.path(), &[], ["run", "a.asm"].into_iter().chain(more.split_whitespace()))
    }
}

#[test]
fn a_compute_shader_prints_what_its_views_hold() {
    let here = Here::of(SCALE);
    let run = here.run("--cb0 u:3,100 --srv0 u:1,2,3,4 --uav0 zero:16 --groups 2").ends(0);
    // 1 * 3 + 100 and so on; five instructions in each of four threads.
    let expected = "a.asm: cs_5_0, 2 x 1 x 1 groups of 2 x 1 x 1 threads, 20 instructions executed\n\
                    u0: raw buffer, 16 bytes\n  \
                    0x0000  00000067 0000006a 0000006d 00000070  103 106 109 112\n";
    assert_eq!(run.out, expected);
    assert_eq!(run.err, "");
    is_plain(&run.out);
}

#[test]
fn a_container_runs_like_its_text() {
    let here = Here::of(SCALE);
    rx_in(here.dir.path(), &[], ["assemble", "a.asm", "-o", "a.dxbc"]).ends(0);
    let arguments = ["--cb", "0=3,100", "--srv", "t0=u:1,2", "--uav", "0=zero:8", "--json"];
    let run = rx_in(here.dir.path(), &[], ["run", "a.dxbc"].into_iter().chain(arguments)).ends(0);
    let json = run.json();
    assert_eq!(json["stage"], "compute");
    assert_eq!(json["groups"], json!([1, 1, 1]));
    assert_eq!(json["instructions"], 10);
    let view = json!({
        "register": 0, "space": 0, "bytes": 8, "kind": "raw", "words": [103, 106], "values": [103, 106],
    });
    assert_eq!(json["uavs"], json!([view]));
}

#[test]
fn what_is_not_bound_reads_as_zero_and_is_warned_of() {
    let here = Here::of(SCALE);
    let run = here.run("--uav0 b:255*8").ends(0);
    assert!(run.out.contains("00000000 00000000"), "{}", run.out);
    let warned: Vec<&str> = run.err.lines().collect();
    assert_eq!(warned.len(), 2, "{}", run.err);
    assert!(warned[0].contains("cb0: it reads as 0") && warned[1].contains("t0: it reads as 0"), "{}", run.err);
}

#[test]
fn values_come_from_files_and_go_to_files() {
    let here = Here::of(SCALE);
    file(here.dir.path(), "t0.bin", [5u8, 0, 0, 0, 6, 0, 0, 0]);
    here.run("--cb0 2;zero:12 --srv0 @t0.bin --uav0 zero:8 --save u0=out.bin").ends(0);
    assert_eq!(std::fs::read(here.path("out.bin")).unwrap(), [10, 0, 0, 0, 12, 0, 0, 0]);
    here.run("--srv0 @missing.bin").ends(1).error("RX0602");
    here.run("--uav0 zero:8 --save u1=out.bin").error_last("RX0634");
    here.run("--uav0 zero:8 --cb0 0 --srv0 0 --save u0=no/such/out.bin").ends(1).error("RX0603");
}

/// The last line of an error that follows warnings.
trait LastError {
    fn error_last(self, code: &str);
}

impl LastError for Run {
    #[track_caller]
    fn error_last(self, code: &str) {
        let last = self.err.lines().last().unwrap_or_default();
        assert!(self.code != 0 && last.starts_with(&format!("{code}: ")), "{}", self.err);
    }
}

#[test]
fn a_pixel_takes_its_inputs_by_semantic_and_prints_its_outputs() {
    let here = Here::of(PIXEL);
    let inputs = "--input SV_Position=10.5,20.5 --input color=0.25,0.5,1";
    let run = here.run(inputs).ends(0);
    // 2 * 0.25 + 10.5 = 11, 2 * 0.5 + 20.5 = 21.5, 2 * 1 + 10.5 = 12.5.
    let expected = "a.asm: ps_5_0, one pixel, 5 instructions executed
  SV_Target  o0.xyzw  41300000 41ac0000 41480000 3f800000  11.0 21.5 12.5 1.0
  SV_Depth   oDepth   3e800000                             0.25
";
    assert_eq!(run.out, expected);
    let json = here.run(&format!("{inputs} --input v2=1 --json")).ends(0).json();
    assert_eq!(json["discarded"], true);
    assert_eq!(json["outputs"][0]["values"], json!([11.0, 21.5, 12.5, 1.0]));
    assert_eq!(json["outputs"][1]["semantic"], "SV_Depth");
    let discarded = here.run("--input FLAG3=7").ends(0);
    assert!(discarded.out.contains("discarded: the pixel is not written"), "{}", discarded.out);
}

#[test]
fn a_vertex_takes_system_values() {
    let here = Here::of(VERTEX);
    let run = here.run("--input POSITION=2,4,-8 --input SV_VertexID=41").ends(0);
    let expected = "a.asm: vs_5_0, one vertex, 4 instructions executed
  SV_Position  o0.xyzw  3f800000 40000000 c0800000 3f800000  1.0 2.0 -4.0 1.0
  NUMBER2      o1.x     0000002a                             42
";
    assert_eq!(run.out, expected);
}

#[test]
fn a_trace_has_every_instruction_with_its_values() {
    let here = Here::of(SCALE);
    let bound = "--cb0 u:3,100 --srv0 u:1,2 --uav0 zero:8";
    let run = here.run(&format!("{bound} --trace --thread 1,0,0")).ends(0);
    let lines: Vec<&str> = run.out.lines().collect();
    let at = lines.iter().position(|line| line.contains("imad r0.x")).unwrap();
    assert!(lines[at].starts_with("[1,0,0]    1  imad r0.x, r0.x, cb0[0].x, cb0[0].y"), "{}", lines[at]);
    assert!(lines[at + 1].starts_with("    source 1  00000002 "), "{}", lines[at + 1]);
    assert!(lines[at + 3].starts_with("    source 3  00000064 "), "{}", lines[at + 3]);
    assert_eq!(lines[at + 4], "    r0.x = 0000006a  106");
    assert!(lines.contains(&"    u0[4] = 0000006a  106"), "{}", run.out);
    assert!(!run.out.contains("[0,0,0]"), "only one thread is asked for");
    // One object an instruction, and the result last.
    let objects = here.run(&format!("{bound} --trace --json")).ends(0).lines();
    assert_eq!(objects.len(), 11);
    let multiply = &objects[1];
    assert_eq!(multiply["instruction"], "imad r0.x, r0.x, cb0[0].x, cb0[0].y");
    assert_eq!(multiply["thread"], json!([0, 0, 0]));
    assert_eq!(multiply["written"], json!([{ "place": "r0.x", "words": [103] }]));
    assert_eq!(multiply["sources"][2][0], 100);
    assert_eq!(objects[10]["uavs"][0]["words"], json!([103, 106]));
}

#[test]
fn typed_views_and_textures_have_a_format() {
    let here = Here::of(
        "cs_5_0
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_typed_buffer (sint,sint,sint,sint) u0
dcl_uav_typed_buffer (float,float,float,float) u1
dcl_thread_group 1, 1, 1
dcl_temps 1
ld_indexable(texture2d)(float,float,float,float) r0.xyzw, l(1, 0, 0, 0), t0.xyzw
store_uav_typed u1.xyzw, l(0, 0, 0, 0), r0.xyzw
store_uav_typed u0.xyzw, l(1, 1, 1, 1), l(-5, 0, 0, 0)
ret
",
    );
    // The second texel is (255, 0, 51, 255) / 255.
    let texture = "--srv0 format=r8g8b8a8_unorm,size=2x1:hex:00000000_ff0033ff";
    let bound = format!("{texture} --uav0 zero:8 --uav1 format=r32g32b32a32_float:zero:16");
    let run = here.run(&bound).ends(0);
    let expected = "u0: typed buffer, r32_sint, 8 bytes
  0x0000  00000000 fffffffb                    0 -5
u1: typed buffer, r32g32b32a32_float, 16 bytes
  0x0000  3f800000 00000000 3e4ccccd 3f800000  1.0 0.0 0.2 1.0
";
    assert!(run.out.ends_with(expected), "{}", run.out);
    here.run("--srv0 hex:00").ends(2).error("RX0634");
    here.run("--srv0 format=r8g8b8a8_unorm,size=2x1,counter=1:hex:00").ends(2).error("RX0634");
    here.run("--uav0 size=4:zero:8").ends(2).error("RX0634");
}

#[test]
fn counters_are_set_and_shown() {
    let here = Here::of(
        "cs_5_0
dcl_uav_structured_opc u0, 4
dcl_temps 1
dcl_thread_group 1, 1, 1
imm_atomic_alloc r0.x, u0
store_structured u0.x, r0.x, l(0), l(0x3f000000)
ret
",
    );
    let run = here.run("--uav0 counter=2:zero:16").ends(0);
    let expected = "u0: structured buffer of 4 bytes, counter 3, 16 bytes
  0x0000  00000000 00000000 3f000000 00000000  0 0 0.5 0
";
    assert!(run.out.ends_with(expected), "{}", run.out);
    let json = here.run("--uav0 counter=2:zero:16 --json").ends(0).json();
    assert_eq!(json["uavs"][0]["counter"], 3);
}

#[test]
fn rows_that_repeat_are_left_out() {
    let here = Here::of(SCALE);
    let run = here.run("--cb0 u:0,7 --srv0 u:0 --uav0 zero:96").ends(0);
    let expected = "u0: raw buffer, 96 bytes
  0x0000  00000007 00000007 00000000 00000000  7 7 0 0
  0x0010  00000000 00000000 00000000 00000000  0 0 0 0
  *
  0x0050  00000000 00000000 00000000 00000000  0 0 0 0
";
    assert!(run.out.ends_with(expected), "{}", run.out);
}

#[test]
fn registers_of_a_space_are_bound_by_number_and_space() {
    let here = Here::of(
        "cs_5_1
dcl_constantbuffer CB0[2:2][1], immediateIndexed, space=3
dcl_uav_raw U0[0:0], space=1
dcl_thread_group 1, 1, 1
store_raw U0[0].x, l(0), CB0[2][0].y
ret
",
    );
    let run = here.run("--cb2,space3 f:1,2.5 --uav 0,space1=zero:4").ends(0);
    assert!(
        run.out.ends_with("u0,space1: raw buffer, 4 bytes\n  0x0000  40200000                             2.5\n"),
        "{}",
        run.out
    );
    let said = here.run("--cb2 f:1").ends(2);
    assert!(said.error("RX0634").contains("it declares cb2,space3"), "{}", said.err);
}

#[test]
fn what_cannot_be_executed_is_refused_in_clear_words() {
    let sampled = Here::of(
        "ps_5_0
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xy
dcl_output o0.xyzw
sample o0.xyzw, v1.xyxx, t0.xyzw, s0
ret
",
    );
    let refused = sampled.run("--srv0 format=r8g8b8a8_unorm,size=1:hex:00000000").ends(3);
    assert!(refused.error("RX0632").contains("instruction 0 (sample)"), "{}", refused.err);

    let derivative = Here::of("ps_5_0\ndcl_input_ps linear v1.x\ndcl_output o0.x\nderiv_rtx_coarse o0.x, v1.x\nret\n");
    let refused = derivative.run("").ends(3);
    assert!(refused.error("RX0632").contains("deriv_rtx_coarse"), "{}", refused.err);

    let endless = Here::of("cs_5_0\ndcl_thread_group 1, 1, 1\nloop\nendloop\nret\n");
    assert!(endless.run("--steps 100").ends(3).error("RX0635").contains("100 instructions"));

    let barrier = Here::of(
        "cs_5_0
dcl_input vThreadIDInGroupFlattened
dcl_thread_group 2, 1, 1
if_nz vThreadIDInGroupFlattened.x
sync_g_t
endif
ret
",
    );
    barrier.run("").ends(3).error("RX0636");

    let geometry = scene("dxbc/gizmo_gs.dxbc");
    assert!(rx(["run".as_ref(), geometry.as_os_str()]).ends(3).error("RX0631").contains("Geometry"));
    let wgsl = Here::of("");
    file(wgsl.dir.path(), "b.wgsl", "@compute @workgroup_size(1) fn main() {}");
    rx_in(wgsl.dir.path(), &[], ["run", "b.wgsl"]).ends(3).error("RX0630");
}

#[test]
fn wrong_arguments_are_wrong_usage() {
    let here = Here::of(SCALE);
    for (arguments, code, part) in [
        ("--cb0 u:1.5", "RX0633", "`1.5`"),
        ("--cb0", "RX0633", "``"),
        ("--srv3 u:1", "RX0634", "the shader declares no t3; it declares t0"),
        ("--cb x=1", "RX0634", "`x`"),
        ("--uav0 format=r32_float:zero:4", "RX0634", "option"),
        ("--input v0=1", "RX0601", "--input"),
        ("--groups 1,2,3,4", "RX0601", "--groups"),
        ("--groups 1,65536", "RX0601", "65535"),
        ("--thread 0", "RX0601", "--trace"),
    ] {
        let run = here.run(arguments).ends(2);
        let last = run.err.lines().last().unwrap_or_default();
        assert!(last.starts_with(code) && last.contains(part), "{arguments}: {}", run.err);
    }
    let pixel = Here::of(PIXEL);
    for (arguments, code, part) in [
        ("--input NORMAL=1", "RX0634", "its inputs: SV_Position, COLOR, FLAG3"),
        ("--input COLOR=1,2,3,4", "RX0634", "3 components"),
        ("--input SV_VertexID=1,2", "RX0634", "one value"),
        ("--groups 2", "RX0601", "--groups"),
    ] {
        let run = pixel.run(arguments).ends(2);
        assert!(run.error(code).contains(part), "{arguments}: {}", run.err);
    }
    here.run("--help").ends(0);
    rx(["run", "missing.dxbc"]).ends(1).error("RX0602");
    let fault = Here::of("cs_5_0\nmull r0.x, r0.x\n");
    fault.run("").ends(4).error("RX0111");
}

#[test]
fn the_scenes_own_shaders_run() {
    let shader = scene("dxbc/line_vs.dxbc");
    let run = rx(["run".as_ref(), shader.as_os_str(), "--json".as_ref()]).ends(0);
    let json: Value = run.json();
    assert_eq!(json["stage"], "vertex");
}

#[test]
fn the_documented_example_is_a_real_run() {
    let page = include_str!("../../docs/cli.md");
    let example = page.split_once("### Example\n").unwrap().1;
    let blocks: Vec<&str> = example.split("```").skip(1).step_by(2).take(4).collect();
    let text = |block: &str| block.split_once('\n').unwrap().1.to_owned();
    let dir = tempdir().unwrap();
    file(dir.path(), "scale.asm", text(blocks[0]));
    let command = text(blocks[1]);
    let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    let plain = rx_in(dir.path(), &[], &arguments).ends(0).out;
    assert_eq!(plain, text(blocks[2]));
    let traced = rx_in(dir.path(), &[], arguments.into_iter().chain(["--trace", "--thread", "1,0,0"])).ends(0).out;
    assert_eq!(traced, text(blocks[3]) + &plain);
}
