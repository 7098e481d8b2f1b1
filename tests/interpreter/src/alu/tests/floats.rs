//! Rules of 32-bit and 16-bit floats beyond the tables.

use super::{Choices, DENORMAL, MINUS, QNAN, TRUE, quad, run, run_both, scalar, scalar_float};

#[test]
fn denormals_are_flushed_by_arithmetic_and_kept_by_moves() {
    let largest_denormal = 0x007f_ffff;
    assert_eq!(scalar("mul r0.xyzw, r1.xyzw, l(1.0, 1.0, 1.0, 1.0)", &[largest_denormal, 1f32.to_bits()]), 0);
    assert_eq!(scalar("add r0.xyzw, r1.xyzw, -r1.xyzw", &[MINUS | DENORMAL, DENORMAL]), MINUS);
    // The smallest normal number times one half.
    assert_eq!(scalar("mul r0.xyzw, r1.xyzw, r2.xyzw", &[0x8080_0000, 0.5f32.to_bits()]), MINUS);
    assert_eq!(scalar("mov r0.xyzw, r1.xyzw", &[DENORMAL]), DENORMAL);
    assert_eq!(scalar("mov r0.xyzw, -r1.xyzw", &[DENORMAL]), MINUS | DENORMAL);
    assert_eq!(scalar("movc r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", &[0, 7, DENORMAL]), DENORMAL);
    assert_eq!(
        run_both("swapc r0.xyzw, r4.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", &[[1; 4], [5; 4], [6; 4]], Choices::default()),
        [[6; 4], [5; 4]]
    );
    assert_eq!(scalar("eq r0.xyzw, r1.xyzw, r2.xyzw", &[DENORMAL, MINUS]), TRUE);
    assert_eq!(scalar("lt r0.xyzw, r1.xyzw, r2.xyzw", &[0, DENORMAL]), 0);
}

#[test]
fn min_max_and_saturation_may_keep_denormals() {
    let keep = Choices { keep_denormals: true, ..Choices::default() };
    let two_denormals = [[DENORMAL; 4], [0xc000_0000; 4]];
    assert_eq!(run("max r0.xyzw, r1.xyzw, r2.xyzw", &two_denormals), [0; 4]);
    assert_eq!(run_both("max r0.xyzw, r1.xyzw, r2.xyzw", &two_denormals, keep)[0], [DENORMAL; 4]);
    assert_eq!(run("mov_sat r0.xyzw, r1.xyzw", &[[DENORMAL; 4]]), [0; 4]);
    assert_eq!(run_both("mov_sat r0.xyzw, r1.xyzw", &[[DENORMAL; 4]], keep)[0], [DENORMAL; 4]);
    // Compared as zeros, so the order of the operands decides, not the bits.
    assert_eq!(run_both("min r0.xyzw, r1.xyzw, r2.xyzw", &[[3; 4], [MINUS | 2; 4]], keep)[0], [MINUS | 2; 4]);
}

#[test]
fn of_two_zeros_the_negative_one_is_the_smaller() {
    for [a, b] in [[0, MINUS], [MINUS, 0]] {
        assert_eq!(scalar("min r0.xyzw, r1.xyzw, r2.xyzw", &[a, b]), MINUS);
        assert_eq!(scalar("max r0.xyzw, r1.xyzw, r2.xyzw", &[a, b]), 0);
    }
}

#[test]
fn a_signalling_nan_counts_as_a_quiet_one() {
    assert_eq!(scalar("min r0.xyzw, r1.xyzw, r2.xyzw", &[0x7f80_0001, 1f32.to_bits()]), 1f32.to_bits());
    assert_eq!(scalar("mov r0.xyzw, r1.xyzw", &[0xff80_0001]), 0xff80_0001);
}

#[test]
fn modifiers_change_the_sign_absolute_value_first() {
    let source = quad([1.0, -2.0, f32::INFINITY, -0.0]);
    assert_eq!(run("mov r0.xyzw, -|r1.xyzw|", &[source]), quad([-1.0, -2.0, f32::NEG_INFINITY, -0.0]));
    assert_eq!(run("mov r0.xyzw, |r1.xyzw|", &[source]), quad([1.0, 2.0, f32::INFINITY, 0.0]));
    assert_eq!(scalar("mov r0.xyzw, -r1.xyzw", &[QNAN]), QNAN | MINUS);
    assert_eq!(scalar_float("add r0.xyzw, -r1.xyzw, |r2.xyzw|", &[5.0, -7.0]), 2.0);
}

#[test]
fn saturation_gives_zero_to_one() {
    let values = quad([-3.0, 0.25, 7.0, f32::NAN]);
    assert_eq!(run("mov_sat r0.xyzw, r1.xyzw", &[values]), quad([0.0, 0.25, 1.0, 0.0]));
    let values = quad([f32::NEG_INFINITY, f32::INFINITY, 1.0, 0.0]);
    assert_eq!(run("mov_sat r0.xyzw, r1.xyzw", &[values]), quad([0.0, 1.0, 1.0, 0.0]));
    assert_eq!(scalar_float("add_sat r0.xyzw, r1.xyzw, r2.xyzw", &[0.5, 0.75]), 1.0);
    // The sine of 3 pi / 2 is -1; the cosine of 0 is 1.
    let [sine, _] =
        run_both("sincos_sat r0.xyzw, r2.xyzw, r1.xyzw", &[quad([4.712389, 0.0, 0.0, 0.0])], Choices::default());
    assert_eq!(sine, [0; 4]);
}

#[test]
fn comparisons_with_a_nan_are_false_except_ne() {
    let one = 1f32.to_bits();
    for [a, b] in [[QNAN, one], [one, QNAN], [QNAN, QNAN]] {
        let results = ["eq", "lt", "ge", "ne"].map(|op| scalar(&format!("{op} r0.xyzw, r1.xyzw, r2.xyzw"), &[a, b]));
        assert_eq!(results, [0, 0, 0, TRUE]);
    }
    assert_eq!(scalar("ge r0.xyzw, r1.xyzw, r2.xyzw", &[MINUS, 0]), TRUE);
    assert_eq!(scalar("lt r0.xyzw, r1.xyzw, r2.xyzw", &[f32::NEG_INFINITY.to_bits(), f32::MIN.to_bits()]), TRUE);
}

#[test]
fn mad_is_rounded_twice_or_once() {
    // (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24; the last part is half a unit of 1 and falls away if the product is rounded.
    let (a, c) = (1.0 + 2f32.powi(-12), -(1.0 + 2f32.powi(-11)));
    let sources = [quad([a; 4]), quad([a; 4]), quad([c; 4])];
    let line = "mad r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw";
    assert_eq!(run(line, &sources), [0; 4]);
    let fused = run_both(line, &sources, Choices { fused: true, ..Choices::default() })[0];
    assert_eq!(fused, quad([2f32.powi(-24); 4]));
}

#[test]
fn dot_products_add_their_first_components() {
    let sources = [quad([1.0, 2.0, 3.0, 4.0]), quad([5.0, 60.0, 700.0, 8000.0])];
    assert_eq!(run("dp2 r0.xyzw, r1.xyzw, r2.xyzw", &sources), quad([125.0; 4]));
    assert_eq!(run("dp3 r0.xyzw, r1.xyzw, r2.xyzw", &sources), quad([2225.0; 4]));
    assert_eq!(run("dp4 r0.xyzw, r1.xyzw, r2.xyzw", &sources), quad([34225.0; 4]));
    assert_eq!(run("dp4 r0.xyzw, -r1.xyzw, r2.xyzw", &sources), quad([-34225.0; 4]));
}

#[test]
fn rounding_to_integral_values() {
    let values = quad([2.5, 3.5, -2.5, -0.25]);
    assert_eq!(run("round_ne r0.xyzw, r1.xyzw", &[values]), quad([2.0, 4.0, -2.0, -0.0]));
    assert_eq!(run("round_ni r0.xyzw, r1.xyzw", &[values]), quad([2.0, 3.0, -3.0, -1.0]));
    assert_eq!(run("round_pi r0.xyzw, r1.xyzw", &[values]), quad([3.0, 4.0, -2.0, -0.0]));
    assert_eq!(run("round_z r0.xyzw, r1.xyzw", &[values]), quad([2.0, 3.0, -2.0, -0.0]));
    assert_eq!(run("frc r0.xyzw, r1.xyzw", &[values]), quad([0.5, 0.5, 0.5, 0.75]));
    // Less than 1 even where the rounded difference is not.
    assert_eq!(scalar("frc r0.xyzw, r1.xyzw", &[(-1e-10f32).to_bits()]), 0x3f7f_ffff);
}

#[test]
fn float_to_integer_truncates_and_clamps() {
    let cases = [
        (1.9, 1, 1),
        (-1.9, -1, 0),
        (f32::NAN, 0, 0),
        (f32::INFINITY, i32::MAX, u32::MAX),
        (f32::NEG_INFINITY, i32::MIN, 0),
        (3e9, i32::MAX, 3_000_000_000),
        (-3e9, i32::MIN, 0),
        (2_147_483_648.0, i32::MAX, 0x8000_0000),
    ];
    for (source, signed, unsigned) in cases {
        let word = source.to_bits();
        assert_eq!(scalar("ftoi r0.xyzw, r1.xyzw", &[word]).cast_signed(), signed, "{source}");
        assert_eq!(scalar("ftou r0.xyzw, r1.xyzw", &[word]), unsigned, "{source}");
    }
    assert_eq!(scalar("ftoi r0.xyzw, -|r1.xyzw|", &[7.5f32.to_bits()]).cast_signed(), -7);
}

#[test]
fn integer_to_float_rounds_to_nearest_even() {
    // 2^24 + 1 and 2^24 + 3 lie halfway.
    assert_eq!(scalar("itof r0.xyzw, r1.xyzw", &[16_777_217]), 16_777_216f32.to_bits());
    assert_eq!(scalar("utof r0.xyzw, r1.xyzw", &[16_777_219]), 16_777_220f32.to_bits());
    assert_eq!(scalar("itof r0.xyzw, -r1.xyzw", &[5]), (-5f32).to_bits());
    assert_eq!(scalar("itof r0.xyzw, r1.xyzw", &[u32::MAX]), (-1f32).to_bits());
    assert_eq!(scalar("utof r0.xyzw, r1.xyzw", &[u32::MAX]), 4_294_967_296f32.to_bits());
}

#[test]
fn to_sixteen_bits_rounds_toward_zero() {
    let cases = [
        (1.0, 0x3c00),
        (-2.0, 0xc000),
        // The next halves are 1 + 2^-10 apart; three quarters of a step is cut off.
        (1.0 + 0.75 / 1024.0, 0x3c00),
        (65504.0, 0x7bff),
        (1e6, 0x7bff),
        (-1e6, 0xfbff),
        (f32::INFINITY, 0x7c00),
        (f32::NEG_INFINITY, 0xfc00),
        (-0.0, 0x8000),
        // The smallest normal half, the largest denormal one, the smallest one, and what is below it.
        (2f32.powi(-14), 0x0400),
        (1023.0 * 2f32.powi(-24), 0x03ff),
        (2f32.powi(-24), 0x0001),
        (-5.9e-8, 0x8000),
        (1e-40, 0x0000),
    ];
    for (source, half) in cases {
        assert_eq!(scalar("f32tof16 r0.xyzw, r1.xyzw", &[f32::to_bits(source)]), half, "{source}");
    }
    let nan = scalar("f32tof16 r0.xyzw, r1.xyzw", &[QNAN]);
    assert!(nan & 0x7c00 == 0x7c00 && nan & 0x3ff != 0 && nan < 0x1_0000);
    assert_eq!(scalar("f32tof16 r0.xyzw, -r1.xyzw", &[1f32.to_bits()]), 0xbc00);
}

#[test]
fn from_sixteen_bits_is_exact_and_keeps_denormals() {
    let cases = [
        (0x3c00, 1.0),
        (0xc000, -2.0),
        (0x7bff, 65504.0),
        (0x0001, 2f32.powi(-24)),
        (0x83ff, -1023.0 * 2f32.powi(-24)),
        (0x8000, -0.0),
        (0xfc00, f32::NEG_INFINITY),
        // The upper half of the word does not count.
        (0xabcd_3555, 1365.0 / 4096.0),
    ];
    for (half, value) in cases {
        assert_eq!(scalar("f16tof32 r0.xyzw, r1.xyzw", &[half]), f32::to_bits(value), "{half:#x}");
    }
    assert!(f32::from_bits(scalar("f16tof32 r0.xyzw, r1.xyzw", &[0x7c01])).is_nan());
    assert_eq!(scalar("f16tof32 r0.xyzw, -r1.xyzw", &[0x3c00]), (-1f32).to_bits());
}
