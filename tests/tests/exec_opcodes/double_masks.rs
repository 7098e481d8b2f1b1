//! Doubles under every mask and swizzle: a destination's `xy` takes what the first doubles of the sources give, its `zw`
//! what the second ones give (Direct3D 11.3, 22.16 and 22.17).

use crate::run::once;
use crate::want::check_bits;
use rx_tests::vulkan::{Registers, t, u};
use std::fmt::Write;

/// What the destination holds before each instruction.
const BEFORE: u32 = 0xdddd_dddd;
/// The second operand: two doubles.
const SECOND: [f64; 2] = [4.0, -0.5];
/// The first operand: two doubles.
const FIRST: [f64; 2] = [2.5, -3.0];
/// The third operand: two doubles.
const THIRD: [f64; 2] = [0.25, 8.0];
/// A register of integers, one of floats, and one of conditions.
const INTEGERS: [u32; 4] = [7, 0xffff_fff7, 100, 3];
const FLOATS: [f32; 4] = [1.5, -6.0, 0.125, 40.0];
const CONDITIONS: [u32; 4] = [0, 1, 0x8000_0000, 0];

/// A swizzle as its name, and the component that each lane takes.
type Swizzle = (&'static str, [usize; 4]);

/// Every swizzle that keeps pairs together.
const PAIRS: [Swizzle; 4] =
    [("xyzw", [0, 1, 2, 3]), ("zwxy", [2, 3, 0, 1]), ("xyxy", [0, 1, 0, 1]), ("zwzw", [2, 3, 2, 3])];
/// Swizzles of 32-bit sources; FXC repeats the first component where it needs only two.
const SINGLES: [Swizzle; 6] = [
    ("xyxx", [0, 1, 0, 0]),
    ("xyzw", [0, 1, 2, 3]),
    ("zwxy", [2, 3, 0, 1]),
    ("wzyx", [3, 2, 1, 0]),
    ("yxyy", [1, 0, 1, 1]),
    ("xxxx", [0, 0, 0, 0]),
];
/// Masks of doubles.
const MASKS: [(&str, &[usize]); 3] = [("xy", &[0]), ("zw", &[1]), ("xyzw", &[0, 1])];
/// Masks of two 32-bit results, and of one.
const NARROW: [&str; 10] = ["x", "y", "z", "w", "xy", "xz", "xw", "yz", "yw", "zw"];

/// An instruction and the four words that r4 holds after it.
struct Line {
    text: String,
    want: [u32; 4],
}

/// The `n`-th double of a register after a swizzle that keeps pairs together.
fn double(register: [f64; 2], swizzle: Swizzle, n: usize) -> f64 {
    register[swizzle.1[2 * n] / 2]
}

/// A line whose destination is doubles: `result(n)` is the double of pair `n`.
fn wide(instruction: &str, mask: (&str, &[usize]), sources: &str, result: impl Fn(usize) -> f64) -> Line {
    let mut want = [BEFORE; 4];
    for &n in mask.1 {
        let bits = result(n).to_bits();
        (want[2 * n], want[2 * n + 1]) = (bits as u32, (bits >> 32) as u32);
    }
    Line { text: format!("{instruction} r4.{}, {sources}", mask.0), want }
}

/// A line whose destination is 32 bits wide: the mask's first component takes result 0, its second one result 1.
fn narrow(instruction: &str, mask: &str, sources: &str, result: impl Fn(usize) -> u32) -> Line {
    let mut want = [BEFORE; 4];
    for (n, letter) in mask.chars().enumerate() {
        want["xyzw".find(letter).unwrap()] = result(n);
    }
    Line { text: format!("{instruction} r4.{mask}, {sources}"), want }
}

fn truth(value: bool) -> u32 {
    if value { u32::MAX } else { 0 }
}

/// A name and what it gives for two doubles.
type Binary<T> = (&'static str, fn(f64, f64) -> T);
/// A name and what it gives for one double.
type Unary<T> = (&'static str, fn(f64) -> T);

/// Every instruction whose destination is doubles.
fn wide_lines() -> Vec<Line> {
    const BINARY: [Binary<f64>; 5] = [
        ("dadd", |a, b| a + b),
        ("dmul", |a, b| a * b),
        ("dmax", f64::max),
        ("dmin", f64::min),
        ("ddiv", |a, b| a / b),
    ];
    let mut lines = Vec::new();
    for mask in MASKS {
        for (n, swizzle) in PAIRS.into_iter().enumerate() {
            let other = PAIRS[(n + 1) % PAIRS.len()];
            let (a, b) = (swizzle.0, other.0);
            for (name, op) in BINARY {
                lines.push(wide(name, mask, &format!("r0.{a}, r1.{b}"), |n| {
                    op(double(FIRST, swizzle, n), double(SECOND, other, n))
                }));
            }
            lines.push(wide("dfma", mask, &format!("r0.{a}, r1.{b}, r2.{a}"), |n| {
                double(FIRST, swizzle, n) * double(SECOND, other, n) + double(THIRD, swizzle, n)
            }));
            lines.push(wide("dmov", mask, &format!("r0.{a}"), |n| double(FIRST, swizzle, n)));
            lines.push(wide("dmov", mask, &format!("-r0.{a}"), |n| -double(FIRST, swizzle, n)));
            lines.push(wide("dmov_sat", mask, &format!("r1.{a}"), |n| double(SECOND, swizzle, n).clamp(0.0, 1.0)));
            // Powers of two: the quotient is exact.
            lines.push(wide("drcp", mask, &format!("r1.{a}"), |n| 1.0 / double(SECOND, swizzle, n)));
        }
        for single in SINGLES {
            let s = single.0;
            lines.push(wide("ftod", mask, &format!("r5.{s}"), |n| f64::from(FLOATS[single.1[n]])));
            lines.push(wide("itod", mask, &format!("r3.{s}"), |n| f64::from(INTEGERS[single.1[n]] as i32)));
            lines.push(wide("utod", mask, &format!("r3.{s}"), |n| f64::from(INTEGERS[single.1[n]])));
            for (n, swizzle) in PAIRS.into_iter().enumerate() {
                let other = PAIRS[(n + 3) % PAIRS.len()];
                lines.push(wide("dmovc", mask, &format!("r6.{s}, r0.{}, r1.{}", swizzle.0, other.0), |n| {
                    if CONDITIONS[single.1[n]] != 0 { double(FIRST, swizzle, n) } else { double(SECOND, other, n) }
                }));
            }
        }
    }
    lines
}

/// Every instruction whose destination is 32 bits wide.
fn narrow_lines() -> Vec<Line> {
    const COMPARED: [Binary<bool>; 4] =
        [("deq", |a, b| a == b), ("dne", |a, b| a != b), ("dlt", |a, b| a < b), ("dge", |a, b| a >= b)];
    const CONVERTED: [Unary<u32>; 3] =
        [("dtof", |a| (a as f32).to_bits()), ("dtoi", |a| a as i32 as u32), ("dtou", |a| a as u32)];
    let mut lines = Vec::new();
    for (m, mask) in NARROW.into_iter().enumerate() {
        for n in [m, m + 1] {
            let [swizzle, other] = [PAIRS[n % PAIRS.len()], PAIRS[(n + 1 + m / 4) % PAIRS.len()]];
            // Half of them against itself, so that `deq` and `dge` are true for some pairs.
            let (register, values) = if (m / 2 + n) % 2 == 0 { ("r0", FIRST) } else { ("r1", SECOND) };
            for (name, op) in COMPARED {
                let sources = format!("r0.{}, {register}.{}", swizzle.0, other.0);
                lines.push(narrow(name, mask, &sources, |n| {
                    truth(op(double(FIRST, swizzle, n), double(values, other, n)))
                }));
            }
            for (name, op) in CONVERTED {
                lines.push(narrow(name, mask, &format!("r0.{}", swizzle.0), |n| op(double(FIRST, swizzle, n))));
            }
        }
    }
    lines
}

/// A program of one thread that runs the lines and stores r4 after each.
fn program(lines: &[Line]) -> String {
    let mut text = "cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_resource_raw t0
dcl_uav_raw u0
dcl_temps 7
dcl_thread_group 1, 1, 1
"
    .to_owned();
    for (n, register) in ["r0", "r1", "r2", "r3", "r5", "r6"].iter().enumerate() {
        let _ = writeln!(text, "ld_raw {register}.xyzw, l({}), t0.xyzw", 16 * n);
    }
    for (n, line) in lines.iter().enumerate() {
        let _ = writeln!(
            text,
            "mov r4.xyzw, l({BEFORE:#x}, {BEFORE:#x}, {BEFORE:#x}, {BEFORE:#x})\n{}\nstore_raw u0.xyzw, l({}), r4.xyzw",
            line.text,
            16 * n
        );
    }
    text + "ret\n"
}

/// Lines of one program: a software driver compiles a long one for more than a minute.
const LINES: usize = 12;

fn check(name: &str, lines: &[Line]) {
    for lines in lines.chunks(LINES) {
        check_program(name, lines);
    }
}

fn check_program(name: &str, lines: &[Line]) {
    once(|run| {
        if !run.session.device.enabled.features.float64 {
            println!("skipped: the device has no shaderFloat64");
            return;
        }
        let doubles = [FIRST, SECOND, THIRD].concat();
        let doubles = doubles.iter().flat_map(|d| [d.to_bits() as u32, (d.to_bits() >> 32) as u32]);
        let singles = [INTEGERS, FLOATS.map(f32::to_bits), CONDITIONS].concat();
        let (input, output) = (run.words(&doubles.chain(singles).collect::<Vec<_>>()), run.filled(4 * lines.len(), 0));
        run.compute(&program(lines), &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
        for (line, got) in lines.iter().zip(output.words().chunks_exact(4)) {
            check_bits(&format!("{name}, {}: {}", run.name, line.text), got, &line.want);
        }
    });
}

#[test]
fn doubles_go_to_the_pairs_of_a_mask() {
    check("wide", &wide_lines());
}

#[test]
fn results_of_doubles_go_to_the_components_of_a_mask() {
    check("narrow", &narrow_lines());
}
