//! Where a pixel shader's inputs are evaluated, and how often it runs: at the pixel's centre, its centroid or a sample,
//! once per pixel or once per sample (11.3, sections 3.5 and 16.3).
//!
//! A triangle with a vertical edge covers some samples of one column of pixels. Expected places, depths and masks come
//! from the triangle's corners and the standard places of samples.

use crate::run::{Run, code, each};
use crate::want::{Want, check};
use rx_tests::vulkan::{Depth, Draw, Registers, Stage, TextureOptions, u};
use rx_translate::{Code, ledger};

/// Pixels in a row and in a column of the target.
const WIDTH: u32 = 4;
const HEIGHT: u32 = 2;
/// The column that the edge crosses.
const CROSSED: f64 = 1.0;
/// Places of four samples, from the pixel's centre.
const FOUR: [[f64; 2]; 4] = [[-0.125, -0.375], [0.375, -0.125], [-0.375, 0.125], [0.125, 0.375]];
/// The one sample of a pixel.
const ONE: [[f64; 2]; 1] = [[0.0, 0.0]];

/// A corner: pixel coordinates, depth, w.
type Corner = [f64; 4];

/// A triangle on one side of a vertical edge, and how it is rasterised.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// The edge, from the centres of the column that it crosses.
    edge: f64,
    /// The triangle is on the left side.
    left: bool,
    samples: usize,
    sample_mask: u32,
    /// The corners' w.
    w: [f64; 3],
}

/// Different at each corner.
const DEEP: [f64; 3] = [1.0, 2.0, 4.0];
/// For shaders that run per sample: Lavapipe 25.0.7 takes w at the pixel's centre for all of its samples.
const FLAT: [f64; 3] = [1.0; 3];

impl Case {
    /// Edges between the samples on both sides, with and without a mask, and with one sample a pixel.
    fn all(w: [f64; 3]) -> Vec<Case> {
        let mut all = Vec::new();
        for left in [false, true] {
            let whole = Case { edge: 0.5, left, samples: 4, sample_mask: u32::MAX, w };
            all.extend([-0.25, 0.0625, 0.25, 0.5].map(|edge| Case { edge, ..whole }));
            all.push(Case { edge: 0.0625, sample_mask: 0b1010, ..whole });
            all.push(Case { edge: 0.25, samples: 1, ..whole });
        }
        all
    }

    fn corners(self) -> [Corner; 3] {
        let x = CROSSED + 0.5 + self.edge;
        let far = if self.left { -30.0 } else { 30.0 };
        let [a, b, c] = self.w;
        [[x, -20.0, 0.25, a], [x, 20.0, 0.5, b], [far, 1.0, 0.75, c]]
    }

    fn places(self) -> &'static [[f64; 2]] {
        if self.samples == 1 { &ONE } else { &FOUR }
    }

    /// The samples of a pixel that are covered and in the mask.
    fn covered(self, x: u32) -> u32 {
        let edge = CROSSED + 0.5 + self.edge;
        let inside = |place: &[f64; 2]| (f64::from(x) + 0.5 + place[0] < edge) == self.left;
        let bits = self.places().iter().enumerate().map(|(n, place)| u32::from(inside(place)) << n);
        bits.sum::<u32>() & self.sample_mask
    }

    /// The pixel's centroid by the rule of section 3.5.5, from its centre.
    fn centroid(self, x: u32) -> [f64; 2] {
        match self.covered(x) {
            mask if mask == (1 << self.samples) - 1 => [0.0, 0.0],
            mask => self.places()[mask.trailing_zeros() as usize],
        }
    }

    /// x, y, depth and w at a place, and the attribute that is interpolated with perspective.
    fn at(self, [x, y]: [f64; 2]) -> [f64; 5] {
        let [a, b, c] = self.corners();
        let area = |p: [f64; 2], q: Corner, r: Corner| (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
        let whole = area([a[0], a[1]], b, c);
        let shares = [area([x, y], b, c), area([x, y], c, a), area([x, y], a, b)].map(|part| part / whole);
        let sum = |value: &dyn Fn(usize) -> f64| (0..3).map(|n| shares[n] * value(n)).sum::<f64>();
        let corners = [a, b, c];
        let inverse = sum(&|n| 1.0 / corners[n][3]);
        [x, y, sum(&|n| corners[n][2]), 1.0 / inverse, sum(&|n| ATTRIBUTE[n] / corners[n][3]) / inverse]
    }
}

/// The corners' attribute.
const ATTRIBUTE: [f64; 3] = [1.0, 5.0, 3.0];

/// The viewport has 32 pixels on each side of the target's corner, so that every corner lies in it.
const VIEWPORT: [f32; 6] = [-32.0, -32.0, 64.0, 64.0, 0.0, 1.0];

/// A vertex shader for the corners. TEXCOORD1 is their place in pixels, TEXCOORD2 the attribute.
fn vertex(case: Case) -> String {
    let corner = |[x, y, z, w]: Corner| format!("{{ {:?}, {:?}, {:?}, {w:?} }}", x / 32.0 * w, -y / 32.0 * w, z * w);
    let place = |(n, [x, y, ..]): (usize, Corner)| format!("{{ {x:?}, {y:?}, {:?}, 0.0 }}", ATTRIBUTE[n]);
    let corners = case.corners();
    let rows: Vec<_> = corners.into_iter().map(corner).chain(corners.into_iter().enumerate().map(place)).collect();
    format!(
        "vs_5_0
dcl_globalFlags refactoringAllowed
dcl_immediateConstantBuffer {{ {} }}
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xy
dcl_output o2.x
dcl_temps 1
mov r0.x, v0.x
mov o0.xyzw, icb[r0.x + 0].xyzw
mov o1.xy, icb[r0.x + 3].xyxx
mov o2.x, icb[r0.x + 3].z
ret
",
        rows.join(", ")
    )
}

/// A pixel shader that stores the position and three words more, `stored` in r1.xyz, for each invocation.
fn pixel(declarations: &str, position: &str, index: &str, stored: &str) -> String {
    format!(
        "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u1
dcl_input_ps_siv linear noperspective {position}v0.xyzw, position
{declarations}dcl_output o0.xyzw
dcl_temps 3
mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)
ftou r0.xy, v0.xyxx
imad r0.x, r0.y, l({WIDTH}), r0.x
imad r0.x, r0.x, l(4), {index}
ishl r0.x, r0.x, l(5)
mov r1.xyzw, l(0, 0, 0, 0)
{stored}
store_raw u1.xyzw, r0.x, v0.xyzw
iadd r0.x, r0.x, l(16)
store_raw u1.xyzw, r0.x, r1.xyzw
ret
"
    )
}

const UNTOUCHED: u32 = 0xeeee_eeee;

/// Draws a case. Returns eight words for each pixel and sample.
fn draw(run: &Run<'_>, case: Case, pixel: &str) -> Vec<[u32; 8]> {
    let output = run.filled((WIDTH * HEIGHT) as usize * 32, UNTOUCHED);
    let options = TextureOptions { samples: case.samples as u32, ..TextureOptions::d2(2, WIDTH, HEIGHT).unwrap() };
    let target = run.zeros(options);
    let (none, registers) = (Registers::new(), Registers::new().buffer(u(1), &output));
    let on = Draw { viewports: vec![VIEWPORT], sample_mask: case.sample_mask, ..Draw::new(Vec::new()).onto(&target) };
    run.draw(&[(&vertex(case), &none), (pixel, &registers)], on);
    let words = output.words();
    words.chunks_exact(8).map(|own| std::array::from_fn(|n| own[n])).collect()
}

/// Compares what each invocation stored: one for each pixel with a covered sample, or one for each covered sample.
fn check_each(
    name: &str,
    case: Case,
    got: &[[u32; 8]],
    by_sample: bool,
    want: impl Fn([f64; 2], u32, usize) -> [Want; 8],
) {
    for n in 0..(WIDTH * HEIGHT) as usize {
        let (x, y) = (n as u32 % WIDTH, n as u32 / WIDTH);
        let covered = case.covered(x);
        for sample in 0..4usize {
            let runs = if by_sample { covered & (1 << sample) != 0 } else { covered != 0 && sample == 0 };
            let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let want = if runs { want(centre, x, sample) } else { [Want::Bits(UNTOUCHED); 8] };
            check(&format!("{name}, {case:?}, pixel {x}, {y}, sample {sample}"), &got[n * 4 + sample], &want);
        }
    }
}

/// Position, depth and w at a place.
fn position(case: Case, at: [f64; 2]) -> [Want; 4] {
    let values = case.at(at);
    std::array::from_fn(|n| Want::near(values[n], 2e-4, 2e-4))
}

fn moved([x, y]: [f64; 2], [dx, dy]: [f64; 2]) -> [f64; 2] {
    [x + dx, y + dy]
}

fn eight(first: [Want; 4], second: [Want; 4]) -> [Want; 8] {
    std::array::from_fn(|n| if n < 4 { first[n] } else { second[n - 4] })
}

const ZERO: Want = Want::Bits(0);

fn notes(run: &Run<'_>, text: &str) -> Vec<(Code, u32)> {
    let translation = run.translations.translate(&code(text), 0).unwrap();
    translation.notes.iter().map(|note| (note.code, note.count)).collect()
}

fn by_sample(run: &Run<'_>) -> bool {
    let able = run.session.device.enabled.features.sample_rate_shading;
    if !able {
        println!("skipped: the device has no sampleRateShading");
    }
    able
}

#[test]
fn a_position_at_the_centroid_is_at_the_centre_or_the_first_covered_sample() {
    let text = pixel("dcl_input vCoverage\n", "centroid ", "l(0)", "mov r1.x, vCoverage.x");
    each(|run| {
        run.leave_out("places");
        assert_eq!(notes(run, &text), []);
        for case in Case::all(DEEP) {
            let got = draw(run, case, &text);
            check_each(run.name, case, &got, false, |centre, x, _| {
                let position = position(case, moved(centre, case.centroid(x)));
                eight(position, [Want::Bits(case.covered(x)), ZERO, ZERO, ZERO])
            });
        }
    });
}

#[test]
fn a_position_without_a_place_is_at_the_centre() {
    let text = pixel("", "", "l(0)", "");
    each(|run| {
        run.leave_out("places");
        for case in Case::all(DEEP) {
            let got = draw(run, case, &text);
            check_each(run.name, case, &got, false, |centre, _, _| eight(position(case, centre), [ZERO; 4]));
        }
    });
}

const SAMPLE_INDEX: &str = "dcl_input_ps_sgv constant v3.x, sampleIndex\n";

#[test]
fn inputs_without_a_place_stay_at_the_centre_in_a_shader_that_runs_per_sample() {
    let inputs = format!("dcl_input_ps linear noperspective v1.xy\ndcl_input_ps linear v2.x\n{SAMPLE_INDEX}");
    let text = pixel(&inputs, "", "v3.x", "mov r1.xy, v1.xyxx\nmov r1.z, v2.x");
    each(|run| {
        run.leave_out("places");
        if !by_sample(run) {
            return;
        }
        assert_eq!(notes(run, &text), []);
        for case in Case::all(FLAT) {
            let got = draw(run, case, &text);
            check_each(run.name, case, &got, true, |centre, _, _| {
                let [x, y, _, _, attribute] = case.at(centre).map(|v| Want::near(v, 5e-4, 2e-4));
                eight(position(case, centre), [x, y, attribute, ZERO])
            });
        }
    });
}

#[test]
fn inputs_at_the_sample_are_there() {
    let inputs =
        format!("dcl_input_ps linear noperspective sample v1.xy\ndcl_input_ps linear sample v2.x\n{SAMPLE_INDEX}");
    let text = pixel(&inputs, "sample ", "v3.x", "mov r1.xy, v1.xyxx\nmov r1.z, v2.x");
    each(|run| {
        run.leave_out("places");
        if !by_sample(run) {
            return;
        }
        assert_eq!(notes(run, &text), []);
        for case in Case::all(FLAT) {
            let got = draw(run, case, &text);
            check_each(run.name, case, &got, true, |centre, _, sample| {
                let at = moved(centre, case.places()[sample]);
                let [x, y, _, _, attribute] = case.at(at).map(|v| Want::near(v, 5e-4, 2e-4));
                eight(position(case, at), [x, y, attribute, ZERO])
            });
        }
    });
}

#[test]
fn coverage_differs_in_a_shader_that_runs_per_sample_alone() {
    let once = pixel("dcl_input vCoverage\n", "", "l(0)", "mov r1.x, vCoverage.x");
    let inputs = format!("dcl_input vCoverage\n{SAMPLE_INDEX}");
    let each_sample = pixel(&inputs, "", "v3.x", "mov r1.x, vCoverage.x");
    each(|run| {
        run.leave_out("places");
        assert_eq!(notes(run, &once), []);
        for case in Case::all(FLAT) {
            let got = draw(run, case, &once);
            check_each(run.name, case, &got, false, |centre, x, _| {
                eight(position(case, centre), [Want::Bits(case.covered(x)), ZERO, ZERO, ZERO])
            });
        }
        if !by_sample(run) {
            return;
        }
        assert_eq!(notes(run, &each_sample), [(ledger::COVERAGE_BY_SAMPLE, 1)]);
        for case in Case::all(FLAT) {
            let got = draw(run, case, &each_sample);
            // Direct3D gives `case.covered(x)` in every sample.
            check_each(run.name, case, &got, true, |centre, _, sample| {
                eight(position(case, centre), [Want::Bits(1 << sample), ZERO, ZERO, ZERO])
            });
        }
    });
}

#[test]
fn a_centroid_differs_in_a_shader_that_runs_per_sample_alone() {
    let inputs = format!("dcl_input_ps linear noperspective centroid v1.xy\n{SAMPLE_INDEX}");
    let text = pixel(&inputs, "centroid ", "v3.x", "mov r1.xy, v1.xyxx");
    each(|run| {
        run.leave_out("places");
        if !by_sample(run) {
            return;
        }
        assert_eq!(notes(run, &text), [(ledger::CENTROID_BY_SAMPLE, 2)]);
        for case in Case::all(FLAT) {
            let got = draw(run, case, &text);
            // Direct3D gives the pixel's centroid in every sample: the centre where all samples are covered. The input's
            // place is the driver's, in the pixel.
            check_each(run.name, case, &got, true, |centre, _, _| {
                let place = position(case, centre);
                let inside = centre.map(|c| Want::near(c, if case.samples == 1 { 5e-4 } else { 0.5 }, 0.0));
                eight(place, [inside[0], inside[1], ZERO, ZERO])
            });
        }
    });
}

/// D32_FLOAT.
const DEPTH: u32 = 40;
/// `D3D12_COMPARISON_FUNC_ALWAYS`.
const ALWAYS: u32 = 8;

/// Writes a depth of 0.4 or, in every second column, one beyond the rasteriser's on the other side.
fn conservative(output: &str, other: f64) -> String {
    format!(
        "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective centroid v0.x, position
dcl_output {output}
dcl_temps 1
ftou r0.x, v0.x
and r0.x, r0.x, l(1)
movc {output}, r0.x, l({other:?}), l(0.4)
ret
"
    )
}

#[test]
fn a_conservative_depth_never_leaves_its_side() {
    // The rasteriser's depths here lie between 0.2 and 0.4.
    let case = Case { edge: 0.5, left: false, samples: 1, sample_mask: u32::MAX, w: DEEP };
    type Bound = fn(f64, f64) -> f64;
    let rows: [(&str, f64, Bound); 2] = [("oDepthGE", 0.125, f64::max), ("oDepthLE", 0.875, f64::min)];
    each(|run| {
        run.leave_out("places");
        for (output, other, bounded) in rows {
            let depth = run.target(DEPTH, WIDTH, HEIGHT);
            let none = Registers::new();
            let (first, second) = (code(&vertex(case)), code(&conservative(output, other)));
            let stages = [&first, &second].map(|code| Stage { code, registers: &none }).to_vec();
            let on = Draw::new(stages);
            let on = Draw { viewports: vec![VIEWPORT], depth: Some(Depth { texture: &depth, function: ALWAYS }), ..on };
            on.run(&run.translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
            let want = (0..WIDTH * HEIGHT).map(|n| {
                let (x, y) = (n % WIDTH, n / WIDTH);
                let rasterizer = case.at([f64::from(x) + 0.5, f64::from(y) + 0.5])[2];
                let written = if x % 2 == 1 { other } else { 0.4 };
                let value = if case.covered(x) == 0 { 0.0 } else { bounded(written, rasterizer) };
                Want::near(value, 1e-4, 0.0)
            });
            check(&format!("{output}, {}", run.name), &depth.words(0).unwrap(), &want.collect::<Vec<_>>());
        }
    });
}
