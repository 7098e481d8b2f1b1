//! Steps on textures, by pixel shaders: see `pixels`.

use crate::pixels::{Pixel, SIZE, Step, check_steps};
use crate::run::{COVERING, Run, each, onto, with_statuses};
use crate::want::Want;
use rx_tests::vulkan::{Draw, Format, Registers, SamplerState, Texture, TextureOptions, b, s, t};
use rx_translate::dxbc::opcodes::Opcode as O;

/// Levels of the textures.
const LEVELS: u32 = 4;
/// Samples of the multisampled one.
const SAMPLES: u32 = 4;
/// Direct3D's number of "less or equal".
const LESS_EQUAL: u32 = 4;

/// What the programs find: numbers in t0, depths in t1, a number a sample in t2, integers in t3.
pub struct Textures {
    numbers: Texture,
    depths: Texture,
    samples: Texture,
    integers: Texture,
}

/// A texel of t0.
fn number(level: u32, x: u32, y: u32) -> [f32; 4] {
    let n = (level * 100 + y * 10 + x) as f32;
    [n, -n, n + 0.25, (level + 1) as f32]
}

/// A texel of t1, in eighths.
fn depth(level: u32, x: u32, y: u32) -> f32 {
    ((x * 3 + y * 2 + level) % 9) as f32 / 8.0
}

/// A sample of t2.
fn sample(number: u32) -> [f32; 4] {
    let n = number as f32 + 1.0;
    [n, n * 10.0, 0.5, -n]
}

/// Writes a constant.
const FILL: &str = "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_output o0.xyzw
mov o0.xyzw, cb0[0].xyzw
ret
";

impl Textures {
    /// Makes them; the samples of t2 are drawn one after another.
    pub fn new(run: &Run<'_>) -> Textures {
        let options = TextureOptions { levels: LEVELS, ..TextureOptions::d2(2, SIZE, SIZE).unwrap() };
        let places = |level: u32| {
            let size = SIZE >> level;
            (0..size * size).map(move |n| (level, n % size, n / size))
        };
        let all = || (0..LEVELS).flat_map(places);
        let words: Vec<u32> = all().flat_map(|(l, x, y)| number(l, x, y).map(f32::to_bits)).collect();
        let numbers = run.texture(options, &words);
        let format = Format::of(41).unwrap().as_shadow();
        let words: Vec<u32> = all().map(|(l, x, y)| depth(l, x, y).to_bits()).collect();
        let depths = run.texture(TextureOptions { format, ..options }, &words);
        let samples = run.zeros(TextureOptions { samples: SAMPLES, levels: 1, ..options });
        for n in 0..SAMPLES {
            let color = run.words(&sample(n).map(f32::to_bits));
            let (none, registers) = (Registers::new(), Registers::new().buffer(b(0), &color));
            let on = Draw { sample_mask: 1 << n, ..onto(&samples) };
            run.draw(&[(COVERING, &none), (FILL, &registers)], on);
        }
        let words: Vec<u32> = (0..SIZE * SIZE).flat_map(|n| [n, n << 16, n | 1 << 31, !n]).collect();
        let integers = run.texture(TextureOptions::d2(3, SIZE, SIZE).unwrap(), &words);
        Textures { numbers, depths, samples, integers }
    }

    /// With the samplers: nearest, comparing, linear.
    pub fn bind<'a>(&'a self, registers: Registers<'a>) -> Registers<'a> {
        let registers = registers.texture(t(0), &self.numbers).texture(t(1), &self.depths);
        let registers = registers.texture(t(2), &self.samples).texture(t(3), &self.integers);
        let registers = registers.sampler(s(0), SamplerState::point()).sampler(s(2), SamplerState::linear());
        registers.sampler(s(1), SamplerState::comparison(LESS_EQUAL))
    }
}

fn words(values: [f32; 4]) -> [Want; 4] {
    values.map(Want::float)
}

fn bits(values: [u32; 4]) -> [Want; 4] {
    values.map(Want::Bits)
}

fn near(values: [f64; 4]) -> [Want; 4] {
    values.map(|v| Want::near(v, 0.02, 0.0))
}

/// A texel of t0 at a pixel's place in a level.
fn at(p: Pixel, level: u32) -> [Want; 4] {
    words(number(level, p.x >> level, p.y >> level))
}

/// The level of a step whose lowest level is clamped to 1.
fn clamped(p: Pixel) -> u32 {
    u32::from(p.clamps)
}

/// `0.5 <= texel`.
fn passes(level: u32, x: u32, y: u32) -> f32 {
    if 0.5 <= depth(level, x, y) { 1.0 } else { 0.0 }
}

fn compared(level: u32, x: u32, y: u32) -> [Want; 4] {
    words([passes(level, x, y); 4])
}

/// With a status in r5.x, which says that everything was there.
macro_rules! mapped {
    ($text:literal) => {
        concat!($text, "\ncheck_access_fully_mapped r5.x, r5.x\nmovc r4.w, r5.x, r4.w, l(-77.0)")
    };
}

/// Sampling. A texel a pixel: the level of detail is 0.
pub const SAMPLED: &[Step] = &[
    Step { covers: &[O::Sample], text: "sample r4.xyzw, r0.xyxx, t0.xyzw, s0", want: |p| at(p, 0) },
    Step {
        covers: &[O::Sample],
        text: "sample_aoffimmi_indexable(1,-2,0)(texture2d)(float,float,float,float) r4.xyzw, r0.xyxx, t0.wzyx, s0",
        want: |p| {
            let [x, y, z, w] = number(0, (p.x + 1).min(SIZE - 1), p.y.saturating_sub(2));
            words([w, z, y, x])
        },
    },
    Step {
        covers: &[O::Sample],
        text: "add r1.xy, r0.xyxx, r0.xyxx\nsample r4.xyzw, r1.xyxx, t0.xyzw, s0",
        // Past the middle the coordinate is past 1 and clamped.
        want: |p| words(number(1, p.x.min(3), p.y.min(3))),
    },
    Step { covers: &[O::SampleB], text: "sample_b r4.xyzw, r0.xyxx, t0.xyzw, s0, l(2.0)", want: |p| at(p, 2) },
    Step { covers: &[O::SampleB], text: "sample_b r4.xyzw, r0.xyxx, t0.xyzw, s0, l(-3.0)", want: |p| at(p, 0) },
    Step { covers: &[O::SampleL], text: "sample_l r4.xyzw, r0.xyxx, t0.xyzw, s0, l(1.0)", want: |p| at(p, 1) },
    Step { covers: &[O::SampleL], text: "sample_l r4.xyzw, r0.xyxx, t0.xyzw, s0, l(-9.0)", want: |p| at(p, 0) },
    Step { covers: &[O::SampleL], text: "sample_l r4.xyzw, r0.xyxx, t0.xyzw, s0, l(99.0)", want: |p| at(p, 3) },
    Step {
        covers: &[O::SampleD],
        text: "sample_d r4.xyzw, r0.xyxx, t0.xyzw, s0, l(0.25, 0, 0, 0), l(0, 0.25, 0, 0)",
        want: |p| at(p, 1),
    },
    Step {
        covers: &[O::SampleC],
        text: "sample_c r4.xyzw, r0.xyxx, t1.xxxx, s1, l(0.5)",
        want: |p| compared(0, p.x, p.y),
    },
    Step {
        covers: &[O::SampleC],
        text: "add r1.xy, r0.xyxx, r0.xyxx\nsample_c r4.xyzw, r1.xyxx, t1.xxxx, s1, l(0.5)",
        want: |p| compared(1, p.x.min(3), p.y.min(3)),
    },
    Step {
        covers: &[O::SampleCLz],
        text: "mul r1.xy, r0.xyxx, l(3.0)\nsample_c_lz r4.xyzw, r1.xyxx, t1.xxxx, s1, l(0.5)",
        want: |p| compared(0, (3 * p.x + 1).min(SIZE - 1), (3 * p.y + 1).min(SIZE - 1)),
    },
    Step {
        covers: &[O::Lod],
        text: "mul r1.xy, r0.xyxx, l(2.0)\nlod r4.xyzw, r1.xyxx, t0.xyzw, s2",
        want: |_| near([1.0, 1.0, 0.0, 0.0]),
    },
    Step {
        covers: &[O::Lod],
        text: "mul r1.xy, r0.xyxx, l(0.25)\nlod r4.xyzw, r1.xyxx, t0.yxzw, s2",
        want: |_| near([-2.0, 0.0, 0.0, 0.0]),
    },
    Step {
        covers: &[O::Lod],
        text: "mul r1.xy, r0.xyxx, l(64.0)\nlod r4.xyzw, r1.xyxx, t0.xyzw, s2",
        want: |_| near([3.0, 6.0, 0.0, 0.0]),
    },
    Step {
        covers: &[O::SampleLFeedback, O::CheckAccessFullyMapped],
        text: mapped!("sample_l_s r4.xyzw, r5.x, r0.xyxx, t0.xyzw, s0, l(2.0)"),
        want: |p| at(p, 2),
    },
    Step {
        covers: &[O::SampleLFeedback],
        text: "sample_l_s r4.xyzw, null, r0.xyxx, t0.xyzw, s0, l(3.0)",
        want: |p| at(p, 3),
    },
    Step {
        covers: &[O::SampleCLzFeedback],
        text: mapped!("sample_c_lz_s r4.xyzw, r5.x, r0.xyxx, t1.xxxx, s1, l(0.5)"),
        want: |p| compared(0, p.x, p.y),
    },
    Step {
        covers: &[O::SampleClampFeedback],
        text: mapped!("sample_cl_s r4.xyzw, r5.x, r0.xyxx, t0.xyzw, s0, CLAMP"),
        want: |p| at(p, clamped(p)),
    },
    Step {
        covers: &[O::SampleBClampFeedback],
        text: mapped!("sample_b_cl_s r4.xyzw, r5.x, r0.xyxx, t0.xyzw, s0, l(2.0), CLAMP"),
        want: |p| at(p, 2),
    },
    Step {
        covers: &[O::SampleBClampFeedback],
        text: mapped!("sample_b_cl_s r4.xyzw, r5.x, r0.xyxx, t0.xyzw, s0, l(-1.0), CLAMP"),
        want: |p| at(p, clamped(p)),
    },
    Step {
        covers: &[O::SampleDClampFeedback],
        text: mapped!("sample_d_cl_s r4.xyzw, r5.x, r0.xyxx, t0.xyzw, s0, l(0.125, 0, 0, 0), l(0, 0.125, 0, 0), CLAMP"),
        want: |p| at(p, clamped(p)),
    },
    Step {
        covers: &[O::SampleCClampFeedback],
        text: mapped!("sample_c_cl_s r4.xyzw, r5.x, r0.xyxx, t1.xxxx, s1, l(0.5), CLAMP"),
        want: |p| {
            let level = clamped(p);
            compared(level, p.x >> level, p.y >> level)
        },
    },
];

/// The four texels below and right of a pixel's centre, moved, in the order of a gather: counter-clockwise from the
/// lower left.
fn around<T>(p: Pixel, dx: i32, dy: i32, texel: impl Fn(u32, u32) -> T) -> [T; 4] {
    let place = |at: u32, by: i32| (at as i32 + by).clamp(0, SIZE as i32 - 1) as u32;
    [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[x, y]| texel(place(p.x, dx + x), place(p.y, dy + y)))
}

fn gathered(p: Pixel, dx: i32, dy: i32, component: usize) -> [Want; 4] {
    words(around(p, dx, dy, |x, y| number(0, x, y)[component]))
}

fn gathered_tests(p: Pixel, dx: i32, dy: i32) -> [Want; 4] {
    words(around(p, dx, dy, |x, y| passes(0, x, y)))
}

/// Makes r1.xy lie between four texels.
const BETWEEN: Step =
    Step { covers: &[], text: "add r1.xy, r0.xyxx, l(0.0625)\nmov r4.xyzw, r1.xyxy", want: |_| [Want::Any; 4] };

/// Gathering.
pub const GATHERED: &[Step] = &[
    BETWEEN,
    Step { covers: &[O::Gather4], text: "gather4 r4.xyzw, r1.xyxx, t0.xyzw, s0.x", want: |p| gathered(p, 0, 0, 0) },
    Step {
        covers: &[O::Gather4],
        text: "gather4_aoffimmi_indexable(-8,7,0)(texture2d)(float,float,float,float) r4.xyzw, r1.xyxx, t0.xyzw, s0.y",
        want: |p| gathered(p, -8, 7, 1),
    },
    Step {
        covers: &[O::Gather4],
        text: "gather4_indexable(texture2d)(uint,uint,uint,uint) r4.xyzw, r1.xyxx, t3.xyzw, s0.w",
        want: |p| bits(around(p, 0, 0, |x, y| !(x + y * SIZE))),
    },
    Step {
        covers: &[O::Gather4C],
        text: "gather4_c r4.xyzw, r1.xyxx, t1.xyzw, s1.x, l(0.5)",
        want: |p| gathered_tests(p, 0, 0),
    },
    Step {
        covers: &[O::Gather4Po],
        text: "gather4_po r4.xyzw, r1.xyxx, l(3, -2, 0, 0), t0.xyzw, s0.z",
        want: |p| gathered(p, 3, -2, 2),
    },
    Step {
        covers: &[O::Gather4Po],
        text: "iadd r2.x, r14.x, l(-3)\niadd r2.y, -r14.y, l(2)\ngather4_po r4.xyzw, r1.xyxx, r2.xyxx, t0.xyzw, s0.x",
        want: |p| gathered(p, p.x as i32 - 3, 2 - p.y as i32, 0),
    },
    // Six bits count: 65 is 1, and 63 is -1.
    Step {
        covers: &[O::Gather4Po],
        text: "iadd r2.x, r14.z, l(65)\niadd r2.y, r14.w, l(63)\ngather4_po r4.xyzw, r1.xyxx, r2.xyxx, t0.xyzw, s0.x",
        want: |p| gathered(p, 1, -1, 0),
    },
    Step {
        covers: &[O::Gather4PoC],
        text: "iadd r2.x, r14.x, l(-3)\niadd r2.y, -r14.y, l(2)
gather4_po_c r4.xyzw, r1.xyxx, r2.xyxx, t1.xyzw, s1.x, l(0.5)",
        want: |p| gathered_tests(p, p.x as i32 - 3, 2 - p.y as i32),
    },
    Step {
        covers: &[O::Gather4Feedback],
        text: mapped!("gather4_s r4.xyzw, r5.x, r1.xyxx, t0.xyzw, s0.y"),
        want: |p| gathered(p, 0, 0, 1),
    },
    Step {
        covers: &[O::Gather4CFeedback],
        text: mapped!("gather4_c_s r4.xyzw, r5.x, r1.xyxx, t1.xyzw, s1.x, l(0.5)"),
        want: |p| gathered_tests(p, 0, 0),
    },
    Step {
        covers: &[O::Gather4PoFeedback],
        text: mapped!("gather4_po_s r4.xyzw, r5.x, r1.xyxx, l(-1, 1, 0, 0), t0.xyzw, s0.x"),
        want: |p| gathered(p, -1, 1, 0),
    },
    Step {
        covers: &[O::Gather4PoCFeedback],
        text: mapped!("gather4_po_c_s r4.xyzw, r5.x, r1.xyxx, l(-1, 1, 0, 0), t1.xyzw, s1.x, l(0.5)"),
        want: |p| gathered_tests(p, -1, 1),
    },
];

/// A texel of t0, zeros outside.
fn loaded(level: u32, x: i32, y: i32) -> [Want; 4] {
    let size = if level < LEVELS { (SIZE >> level) as i32 } else { 0 };
    let inside = (0..size).contains(&x) && (0..size).contains(&y);
    words(if inside { number(level, x as u32, y as u32) } else { [0.0; 4] })
}

/// Loads and queries.
pub const LOADED: &[Step] = &[
    Step { covers: &[O::Ld], text: "ld r4.xyzw, r14.xyzw, t0.xyzw", want: |p| loaded(0, p.x as i32, p.y as i32) },
    Step {
        covers: &[O::Ld],
        text: "mov r1.xyz, r14.xyzx\nmov r1.w, l(1)\nld r4.xyzw, r1.xyzw, t0.xyzw",
        want: |p| loaded(1, p.x as i32, p.y as i32),
    },
    Step {
        covers: &[O::Ld],
        text: "mov r1.xyz, r14.xyzx\nmov r1.w, r14.x\nld r4.xyzw, r1.zzzw, t0.xyzw",
        want: |p| loaded(p.x, 0, 0),
    },
    Step {
        covers: &[O::Ld],
        text: "ld_aoffimmi_indexable(-3,2,0)(texture2d)(float,float,float,float) r4.xyzw, r14.xyzw, t0.xyzw",
        want: |p| loaded(0, p.x as i32 - 3, p.y as i32 + 2),
    },
    Step {
        covers: &[O::Ld],
        text: "ld_indexable(texture2d)(uint,uint,uint,uint) r4.xyzw, r14.xyzw, t3.wxyz",
        want: |p| {
            let n = p.x + p.y * SIZE;
            bits([!n, n, n << 16, n | 1 << 31])
        },
    },
    Step {
        covers: &[O::LdFeedback],
        text: mapped!("ld_s r4.xyzw, r5.x, r14.xyzw, t0.xyzw"),
        want: |p| loaded(0, p.x as i32, p.y as i32),
    },
    Step { covers: &[O::LdMs], text: "ldms r4.xyzw, r14.xyzw, t2.xyzw, l(2)", want: |_| words(sample(2)) },
    Step {
        covers: &[O::LdMs],
        text: "and r1.x, r14.x, l(3)\nldms r4.xyzw, r14.xyzw, t2.xyzw, r1.x",
        want: |p| words(sample(p.x & 3)),
    },
    Step {
        covers: &[O::LdMs],
        text: "ldms_aoffimmi_indexable(4,-1,0)(texture2dms)(float,float,float,float) r4.xyzw, r14.xyzw, t2.xyzw, l(1)",
        want: |p| words(if p.x < 4 && p.y > 0 { sample(1) } else { [0.0; 4] }),
    },
    Step {
        covers: &[O::LdMsFeedback],
        text: mapped!("ldms_s r4.xyzw, r5.x, r14.xyzw, t2.xyzw, l(3)"),
        want: |_| words(sample(3)),
    },
    Step {
        covers: &[O::Resinfo],
        text: "resinfo_indexable(texture2d)(float,float,float,float) r4.xyzw, l(1), t0.xyzw",
        want: |_| words([4.0, 4.0, 0.0, 4.0]),
    },
    // A level that is not known before: from a 1 that is interpolated.
    Step {
        covers: &[O::Resinfo],
        text: "round_ne r1.x, v1.w\nftou r1.x, r1.x\niadd r1.x, r1.x, l(1)
resinfo_indexable(texture2d)(float,float,float,float)_uint r4.xyzw, r1.x, t0.wxyz",
        want: |_| bits([LEVELS, 2, 2, 0]),
    },
    Step {
        covers: &[O::Resinfo],
        text: "resinfo_indexable(texture2d)(float,float,float,float)_rcpFloat r4.xyzw, r1.x, t0.xyzw",
        want: |_| words([0.5, 0.5, 0.0, 4.0]),
    },
    // The reciprocal of a size that is not there is infinite; a number of levels has none.
    Step {
        covers: &[O::Resinfo],
        text: "iadd r1.x, r1.x, l(2)
resinfo_indexable(texture2d)(float,float,float,float)_rcpFloat r4.xyzw, r1.x, t0.xyzw",
        want: |_| words([f32::INFINITY, f32::INFINITY, 0.0, 4.0]),
    },
    Step {
        covers: &[O::SampleInfo],
        text: "sampleinfo r4.xyzw, rasterizer.xyzw",
        want: |_| words([1.0, 0.0, 0.0, 0.0]),
    },
];

#[test]
fn statuses() {
    with_statuses(|run, all| {
        if all {
            check_steps(run, "sampled", SAMPLED, 1);
            check_steps(run, "gathered", GATHERED, 1);
            check_steps(run, "loaded", LOADED, 1);
        }
    });
}

#[test]
fn sampling() {
    each(|run| {
        run.leave_out("lod");
        check_steps(run, "sampling", SAMPLED, 1);
    });
}

#[test]
fn gathering() {
    each(|run| check_steps(run, "gathering", GATHERED, 1));
}

#[test]
fn loads_and_queries() {
    each(|run| check_steps(run, "loads", LOADED, 1));
}
