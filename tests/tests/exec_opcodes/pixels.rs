//! Pixel shaders: what they sample, load, gather and ask of textures; derivatives; attributes at chosen places;
//! discards.
//!
//! A program is made of steps, each of which writes r4. It runs for 8 by 8 pixels, and each pixel stores its own
//! results: nothing goes through a render target. r0.xy are texture coordinates (a texel a pixel), r14.xy the pixel's
//! integer coordinates, r14.zw zeros.

use crate::run::{COVERING, Program, Run, each, onto};
use crate::textures::{self, Textures};
use crate::want::{Differences, Want, check};
use rx_tests::vulkan::{Registers, TextureOptions, u};
use rx_translate::dxbc::opcodes::Opcode as O;
use std::fmt::Write;

/// Pixels in a row and in a column.
pub const SIZE: u32 = 8;

/// What a step's expectation may depend on.
#[derive(Clone, Copy)]
pub struct Pixel {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// Whether the device can be told the lowest level (`shaderResourceMinLod`).
    pub clamps: bool,
}

/// Instructions that write r4, and what they give.
pub struct Step {
    /// Rows that they are about.
    pub covers: &'static [O],
    /// The instructions. `CLAMP` stands for a lowest level of 1 where the device takes one, and for none elsewhere.
    pub text: &'static str,
    /// The four words.
    pub want: fn(Pixel) -> [Want; 4],
}

/// A program of steps.
pub fn text(steps: &[Step], clamps: bool) -> String {
    let mut text = format!(
        "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_sampler s2, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texture2dms(4) (float,float,float,float) t2
dcl_resource_texture2d (uint,uint,uint,uint) t3
dcl_uav_raw u1
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 16
mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)
mov r0.xyzw, v1.xyzw
ftou r14.xy, v0.xyxx
mov r14.zw, l(0, 0, 0, 0)
imad r15.x, r14.y, l({SIZE}), r14.x
imul null, r15.x, r15.x, l({})
",
        steps.len() * 16
    );
    for step in steps {
        let body = step.text.replace("CLAMP", if clamps { "l(1.0)" } else { "l(0.0)" });
        let _ = writeln!(text, "{body}\nstore_raw u1.xyzw, r15.x, r4.xyzw\niadd r15.x, r15.x, l(16)");
    }
    text + "ret\n"
}

/// Runs a program of steps and compares; `samples` of the target.
pub fn check_steps(run: &Run<'_>, name: &str, steps: &[Step], samples: u32) {
    let clamps = run.session.device.enabled.features.min_lod;
    let text = text(steps, clamps);
    let textures = Textures::new(run);
    let output = run.filled(steps.len() * 4 * (SIZE * SIZE) as usize, 0xeeee_eeee);
    let registers = textures.bind(Registers::new().buffer(u(1), &output));
    let options = TextureOptions { samples, ..TextureOptions::d2(2, SIZE, SIZE).unwrap() };
    let target = run.zeros(options);
    let none = Registers::new();
    run.draw(&[(COVERING, &none), (&text, &registers)], onto(&target));
    let got = output.words();
    for (number, step) in steps.iter().enumerate() {
        let mut differences = Differences::default();
        for n in 0..SIZE * SIZE {
            let (x, y) = (n % SIZE, n / SIZE);
            let want = (step.want)(Pixel { x, y, clamps });
            let words = &got[(n as usize * steps.len() + number) * 4..][..4];
            for (c, word) in words.iter().enumerate() {
                differences.compare(*word, &want[c..=c], || format!("pixel {x}, {y}, component {c}"));
            }
        }
        differences.finish(&format!("{name}, {}: {}", run.name, step.text));
    }
}

/// Numbers as floats, near enough for a difference of interpolated coordinates.
fn about(values: [f64; 4]) -> [Want; 4] {
    values.map(|v| Want::near(v, 0.004, 1e-5))
}

fn numbers(values: [u32; 4]) -> [Want; 4] {
    values.map(|v| Want::float(v as f32))
}

/// f = xy + x², g = xy + y²: no two rows or columns have the same derivatives. In r1.xy.
const CURVED: &str = "utof r2.xy, r14.xyxx
add r1.x, r2.x, r2.y
mul r1.xy, r2.xyxx, r1.xxxx";

/// Along x in a row, and along y in a column.
fn along_x(x: u32, y: u32) -> [u32; 4] {
    let first = x & !1;
    [y + 2 * first + 1, y, 0, 0]
}

fn along_y(x: u32, y: u32) -> [u32; 4] {
    let first = y & !1;
    [x, x + 2 * first + 1, 0, 0]
}

/// One of a quad's two rows, or columns.
fn either(values: [[u32; 4]; 2]) -> [Want; 4] {
    let [a, b] = values.map(|v| v.map(|n| (n as f32).to_bits()));
    [0, 1, 2, 3].map(|c: usize| Want::Either(a[c], b[c]))
}

fn coarse_x(p: Pixel) -> [Want; 4] {
    either([along_x(p.x, p.y & !1), along_x(p.x, p.y | 1)])
}

fn coarse_y(p: Pixel) -> [Want; 4] {
    either([along_y(p.x & !1, p.y), along_y(p.x | 1, p.y)])
}

const DERIVATIVES: &[Step] = &[
    Step { covers: &[], text: CURVED, want: |_| [Want::Any; 4] },
    Step { covers: &[O::DerivRtx], text: "mov r4.zw, l(0, 0, 0, 0)\nderiv_rtx r4.xy, r1.xyxx", want: coarse_x },
    Step { covers: &[O::DerivRty], text: "deriv_rty r4.xy, r1.xyxx", want: coarse_y },
    Step { covers: &[O::DerivRtxCoarse], text: "deriv_rtx_coarse r4.xy, r1.xyxx", want: coarse_x },
    Step { covers: &[O::DerivRtyCoarse], text: "deriv_rty_coarse r4.xy, r1.xyxx", want: coarse_y },
    Step { covers: &[O::DerivRtxFine], text: "deriv_rtx_fine r4.xy, r1.xyxx", want: |p| numbers(along_x(p.x, p.y)) },
    Step { covers: &[O::DerivRtyFine], text: "deriv_rty_fine r4.xy, r1.xyxx", want: |p| numbers(along_y(p.x, p.y)) },
    Step {
        covers: &[O::DerivRtx],
        text: "deriv_rtx_sat r4.xy, -|r1.xyxx|",
        want: |_| [Want::Either(0, 0x8000_0000), Want::Either(0, 0x8000_0000), Want::Bits(0), Want::Bits(0)],
    },
];

/// A place in a pixel, in pixels of the target.
fn place(p: Pixel, dx: f64, dy: f64) -> [Want; 4] {
    about([f64::from(p.x) + 0.5 + dx, f64::from(p.y) + 0.5 + dy, 0.0, 1.0])
}

/// Direct3D's places of four samples, from the pixel's centre.
const SAMPLES: [[f64; 2]; 4] = [[-0.125, -0.375], [0.375, -0.125], [-0.375, 0.125], [0.125, 0.375]];

const ATTRIBUTES: &[Step] = &[
    Step {
        covers: &[O::EvalCentroid],
        text: "eval_centroid r4.xyzw, v1.xyzw\nmul r4.xy, r4.xyxx, l(8.0)",
        want: |p| place(p, 0.0, 0.0),
    },
    Step {
        covers: &[O::EvalSampleIndex],
        text: "eval_sample_index r4.xyzw, v1.xyzw, l(2)\nmul r4.xy, r4.xyxx, l(8.0)",
        want: |p| place(p, SAMPLES[2][0], SAMPLES[2][1]),
    },
    Step {
        covers: &[O::EvalSampleIndex],
        text: "and r1.x, r14.x, l(3)\neval_sample_index r4.xyzw, v1.xyzw, r1.x\nmul r4.xy, r4.xyxx, l(8.0)",
        want: |p| place(p, SAMPLES[p.x as usize & 3][0], SAMPLES[p.x as usize & 3][1]),
    },
    Step {
        covers: &[O::EvalSnapped],
        text: "eval_snapped r4.xyzw, v1.xyzw, l(-8, 7, 0, 0)\nmul r4.xy, r4.xyxx, l(8.0)",
        want: |p| place(p, -0.5, 7.0 / 16.0),
    },
    // Sixteenths from -8 to 7: the low four bits count.
    Step {
        covers: &[O::EvalSnapped],
        text: "iadd r1.x, r14.x, l(-4)\nineg r1.y, r14.y\neval_snapped r4.xyzw, v1.xyzw, r1.xyxx
mul r4.xy, r4.xyxx, l(8.0)",
        want: |p| place(p, (f64::from(p.x) - 4.0) / 16.0, -f64::from(p.y) / 16.0),
    },
    Step {
        covers: &[O::EvalCentroid],
        text: "eval_centroid_sat r4.xyzw, v1.wwyx\nmul r4.zw, r4.zzzw, l(8.0)",
        want: |p| about([1.0, 1.0, f64::from(p.y) + 0.5, f64::from(p.x) + 0.5]),
    },
    Step { covers: &[O::SampleInfo], text: "sampleinfo r4.xyzw, rasterizer.xyzw", want: |_| numbers([4, 0, 0, 0]) },
    Step {
        covers: &[O::SamplePos],
        text: "samplepos r4.xyzw, rasterizer.xyzw, l(3)",
        want: |_| about([SAMPLES[3][0], SAMPLES[3][1], 0.0, 0.0]),
    },
    Step {
        covers: &[O::SamplePos],
        text: "samplepos r4.xyzw, rasterizer.yxzw, r14.x",
        want: |p| {
            let [x, y] = SAMPLES.get(p.x as usize).copied().unwrap_or_default();
            about([y, x, 0.0, 0.0])
        },
    },
];

#[test]
fn derivatives() {
    each(|run| check_steps(run, "derivatives", DERIVATIVES, 1));
}

#[test]
fn attributes_at_chosen_places() {
    each(|run| {
        run.leave_out("eval");
        check_steps(run, "attributes", ATTRIBUTES, 4);
    });
}

/// Keeps the even columns but not the first row; a negative zero is true, and a value of 0 is not.
const DISCARD: &str = "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_output o0.xyzw
dcl_temps 2
ftou r0.xy, v0.xyxx
mov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)
ishl r0.z, r0.x, l(31)
discard_nz r0.z
discard_z r0.y
discard_nz l(0)
ret
";

#[test]
fn discards() {
    each(|run| {
        let target = run.target(2, SIZE, SIZE);
        let none = Registers::new();
        run.draw(&[(COVERING, &none), (DISCARD, &none)], onto(&target));
        let want = (0..SIZE * SIZE).flat_map(|n| {
            let kept = n.is_multiple_of(2) && n / SIZE > 0;
            [1.0f32, 2.0, 3.0, 4.0].map(|v| Want::float(if kept { v } else { 0.0 }))
        });
        check(&format!("discards, {}", run.name), &target.words(0).unwrap(), &want.collect::<Vec<_>>());
    });
}

/// The programs of this part and of the textures'.
pub fn programs() -> Vec<Program> {
    let of = |steps: &[Step]| {
        let covers: Vec<O> = steps.iter().flat_map(|step| step.covers).copied().collect();
        Program::new(text(steps, true), &covers)
    };
    let lists = [DERIVATIVES, ATTRIBUTES, textures::SAMPLED, textures::GATHERED, textures::LOADED];
    lists.into_iter().map(of).chain([Program::new(DISCARD, &[O::Discard])]).collect()
}
