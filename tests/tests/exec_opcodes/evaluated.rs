//! `eval_*` of inputs that another register chooses, and of inputs that are not interpolated.

use crate::pixels::SIZE;
use crate::run::{Run, each, onto};
use crate::want::{Differences, Want};
use rx_tests::vulkan::{Registers, TextureOptions, u};

/// From the left edge to the right one x of `A` goes from 0 to 1, 2 and 3 in its three elements, y as much from top to
/// bottom; z is the element's number. `U` and `F` are those of the first vertex everywhere.
const VERTEX: &str = "vs_5_0
.input SV_VertexID 0 register=0 mask=x type=uint
.output SV_Position 0 register=0 mask=xyzw
.output A 0 register=1 mask=xyzw
.output A 1 register=2 mask=xyzw
.output A 2 register=3 mask=xyzw
.output U 0 register=4 mask=xy type=uint
.output F 0 register=5 mask=xy
dcl_globalFlags refactoringAllowed
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_output o3.xyzw
dcl_output o4.xy
dcl_output o5.xy
dcl_temps 1
ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)
and r0.xy, r0.xyxx, l(0x40000000, 0x40000000, 0, 0)
mad o0.xy, r0.xyxx, l(1.0, -1.0, 0, 0), l(-1.0, 1.0, 0, 0)
mov o0.zw, l(0, 0, 0, 1.0)
mov o1.xy, r0.xyxx
mov o1.zw, l(0, 0, 0.0, 1.0)
add o2.xy, r0.xyxx, r0.xyxx
mov o2.zw, l(0, 0, 1.0, 1.0)
mul o3.xy, r0.xyxx, l(3.0, 3.0, 0, 0)
mov o3.zw, l(0, 0, 2.0, 1.0)
iadd o4.xy, v0.xxxx, l(7, 8, 0, 0)
utof r0.xy, v0.xxxx
add o5.xy, r0.xyxx, l(5.5, -6.5, 0, 0)
ret
";

/// The number of the element for each row of pixels: r1.x. Row 3 chooses element 0 again.
const PIXEL: &str = "ps_5_0
.input SV_Position 0 register=0 mask=xyzw
.input A 0 register=1 mask=xyzw
.input A 1 register=2 mask=xyzw
.input A 2 register=3 mask=xyzw
.input U 0 register=4 mask=xy type=uint
.input F 0 register=5 mask=xy
.output SV_Target 0 register=0 mask=xyzw
dcl_globalFlags refactoringAllowed
dcl_uav_raw u1
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.xyzw
dcl_input_ps linear v2.xyzw
dcl_input_ps linear v3.xyzw
dcl_input_ps constant v4.xy
dcl_input_ps constant v5.xy
dcl_indexrange v1.xyzw 3
dcl_output o0.xyzw
dcl_temps 16
mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)
ftou r14.xy, v0.xyxx
udiv null, r1.x, r14.y, l(3)
imad r15.x, r14.y, l(SIZE), r14.x
imul null, r15.x, r15.x, l(BYTES)
";

/// Direct3D's places of four samples, from the pixel's centre.
const SAMPLES: [[f64; 2]; 4] = [[-0.125, -0.375], [0.375, -0.125], [-0.375, 0.125], [0.125, 0.375]];

/// Instructions that write r4, and what they give for element `n` at a pixel.
struct Step {
    text: &'static str,
    want: fn(n: f64, x: f64, y: f64) -> [Want; 4],
}

/// An element at a place of the target, in pixels.
fn element(n: f64, x: f64, y: f64) -> [f64; 4] {
    [x / f64::from(SIZE) * (n + 1.0), y / f64::from(SIZE) * (n + 1.0), n, 1.0]
}

fn about(values: [f64; 4]) -> [Want; 4] {
    values.map(|v| Want::near(v, 0.002, 1e-4))
}

const STEPS: &[Step] = &[
    Step { text: "eval_centroid r4.xyzw, v[r1.x + 1].xyzw", want: |n, x, y| about(element(n, x, y)) },
    Step {
        text: "eval_snapped r4.xyzw, v[r1.x + 1].xyzw, l(-8, 7, 0, 0)",
        want: |n, x, y| about(element(n, x - 0.5, y + 7.0 / 16.0)),
    },
    Step {
        text: "eval_sample_index r4.xyzw, v[r1.x + 1].xyzw, l(1)",
        want: |n, x, y| about(element(n, x + SAMPLES[1][0], y + SAMPLES[1][1])),
    },
    Step {
        text: "and r2.x, r14.x, l(3)\neval_sample_index r4.xyzw, v[r1.x + 1].zyxw, r2.x",
        want: |n, x, y| {
            let [dx, dy] = SAMPLES[x as usize & 3];
            let [x, y, z, w] = element(n, x + dx, y + dy);
            about([z, y, x, w])
        },
    },
    Step {
        text: "mov r4.xyzw, l(0, 0, 0, 0)\neval_snapped_sat r4.yw, v[r1.x + 1].wzyx, l(4, -4, 0, 0)",
        want: |n, x, y| {
            let [x, _, z, _] = element(n, x + 0.25, y - 0.25);
            about([0.0, z.min(1.0), 0.0, x.min(1.0)])
        },
    },
    // A register that is its own destination, and a constant element.
    Step {
        text: "mov r4.xyzw, r1.xxxx\neval_snapped r4.xyzw, v[r4.y + 1].xyzw, l(0, 0, 0, 0)",
        want: |n, x, y| about(element(n, x, y)),
    },
    Step {
        text: "eval_snapped r4.xyzw, v2.xyzw, l(0, 0, 0, 0)\neval_centroid r5.xy, v[2].xyxx\nmov r4.w, r5.y",
        want: |_, x, y| {
            let [x, y, z, _] = element(1.0, x, y);
            about([x, y, z, y])
        },
    },
    // The same at every place: integers as they are.
    Step {
        text: "eval_sample_index r4.xy, v4.xyxx, l(3)\neval_centroid r4.zw, v4.xxyx",
        want: |_, _, _| [7, 8, 8, 7].map(Want::Bits),
    },
    Step {
        text: "eval_snapped r4.xy, v5.xyxx, l(7, 7, 0, 0)\neval_sample_index r4.zw, v5.xxyx, l(0)",
        want: |_, _, _| [5.5, -6.5, -6.5, 5.5].map(Want::float),
    },
];

fn check(run: &Run<'_>) {
    run.leave_out("eval");
    let bytes = 16 * STEPS.len();
    let mut text = PIXEL.replace("SIZE", &SIZE.to_string()).replace("BYTES", &bytes.to_string());
    for step in STEPS {
        text += &format!("{}\nstore_raw u1.xyzw, r15.x, r4.xyzw\niadd r15.x, r15.x, l(16)\n", step.text);
    }
    text += "ret\n";
    let output = run.filled(bytes / 4 * (SIZE * SIZE) as usize, 0xeeee_eeee);
    let registers = Registers::new().buffer(u(1), &output);
    let target = run.zeros(TextureOptions { samples: 4, ..TextureOptions::d2(2, SIZE, SIZE).unwrap() });
    run.draw(&[(VERTEX, &Registers::new()), (&text, &registers)], onto(&target));
    let got = output.words();
    for (number, step) in STEPS.iter().enumerate() {
        let mut differences = Differences::default();
        for pixel in 0..SIZE * SIZE {
            let (x, y) = (pixel % SIZE, pixel / SIZE);
            let want = (step.want)(f64::from(y % 3), f64::from(x) + 0.5, f64::from(y) + 0.5);
            let words = &got[(pixel as usize * STEPS.len() + number) * 4..][..4];
            for (c, word) in words.iter().enumerate() {
                differences.compare(*word, &want[c..=c], || format!("pixel {x}, {y}, component {c}"));
            }
        }
        differences.finish(&format!("{}: {}", run.name, step.text));
    }
}

#[test]
fn chosen_and_constant_inputs_are_evaluated() {
    each(check);
}
