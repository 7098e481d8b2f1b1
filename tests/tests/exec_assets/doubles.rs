//! Doubles: IEEE 754, denormals kept.

use crate::run::each;
use crate::want::{Want, check};
use rx_tests::vulkan::{Registers, t, u};

fn words(values: &[f64]) -> Vec<u32> {
    values.iter().flat_map(|v| [v.to_bits() as u32, (v.to_bits() >> 32) as u32]).collect()
}

/// The bits of a double, any NaN for a NaN.
fn double(value: f64) -> [Want; 2] {
    match value {
        v if v.is_nan() => [Want::Any, Want::Any],
        v => [v.to_bits() as u32, (v.to_bits() >> 32) as u32].map(Want::Bits),
    }
}

#[test]
fn basic() {
    for inputs in [
        [1.5, 2.25, -3.0, 7.0, 1e300, 1e10, 0.1, 0.1],
        [f64::MIN_POSITIVE / 4.0, f64::MIN_POSITIVE / 2.0, f64::INFINITY, 1.0, -1e-310, 1e-300, f64::NAN, 2.0],
    ] {
        each(|run| {
            if !run.needs(run.session.device.enabled.features.float64, "shaderFloat64") {
                return;
            }
            let content = words(&inputs);
            let (input, output) = (run.words(&content), run.filled(96, 0));
            run.compute("double_basic.cs_5_0", &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
            let got = output.words();
            for id in 0..4 {
                let (a, b) = (inputs[id * 2], inputs[id * 2 + 1]);
                // Every thread converts the same two words.
                let common = [f64::from(content[0]), f64::from(f32::from_bits(content[1]))];
                let name = format!("double_basic, {}, {a:e} {b:e}", run.name);
                check(&name, &got[id * 24..][..22], &basic_values(a, b, common));
            }
        });
    }
}

fn basic_values(a: f64, b: f64, common: [f64; 2]) -> Vec<Want> {
    let mut want = Vec::new();
    let difference = if a >= b { a - b } else { b - a };
    for value in
        [a + b, a * b, a.min(b), a.max(b), if a < b { a } else { b }, if a == b { 1.0 } else { 2.0 }, difference]
    {
        want.extend(double(value));
    }
    want.extend(double(if a != b { -a } else { a }));
    want.extend(double(common[0]));
    want.push(if a.is_nan() {
        Want::Nan
    } else {
        Want::Either((a as f32).to_bits(), crate::want::flush(a as f32).to_bits())
    });
    want.push(Want::Bits(u32::from(a < 3.5)));
    want.extend(double(common[1]));
    want
}

#[test]
fn extended() {
    let inputs = [
        [1.0, 3.0, 0.5],
        [-7.75, 0.125, 1e-20],
        [1e20, -3e9, f64::MIN_POSITIVE],
        [f64::NAN, 4_294_967_296.0, f64::INFINITY],
    ];
    each(|run| {
        if !run.needs(run.session.device.enabled.features.float64, "shaderFloat64") {
            return;
        }
        let content = words(&inputs.concat());
        let (input, output) = (run.words(&content), run.filled(64, 0));
        run.compute("double_extended.cs_5_0", &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
        let got = output.words();
        for (id, [a, b, c]) in inputs.into_iter().enumerate() {
            let name = |what: &str| format!("double_extended, {}, {a:e} {b:e} {c:e}: {what}", run.name);
            let value =
                |at: usize| f64::from_bits(u64::from(got[id * 16 + at]) | u64::from(got[id * 16 + at + 1]) << 32);
            for (what, got, exact) in [
                ("division", value(0), a / b),
                ("reciprocal", value(2), 1.0 / a),
                ("fused", value(4), a.mul_add(b, c)),
                ("x", value(12), a * b + c),
                ("y", value(14), b * c + c),
            ] {
                let near = got == exact || got.is_nan() && exact.is_nan() || (got - exact).abs() <= exact.abs() * 3e-16;
                assert!(near, "{}: {got:e}, wanted {exact:e}", name(what));
            }
            assert_eq!(value(6), f64::from(content[0] as i32), "{}", name("itod"));
            assert_eq!(value(8), f64::from(content[1]), "{}", name("utod"));
            check(&name("integers"), &got[id * 16 + 10..][..2], &[Want::Bits(a as i32 as u32), Want::Bits(b as u32)]);
        }
    });
}
