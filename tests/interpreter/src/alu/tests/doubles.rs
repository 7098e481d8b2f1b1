//! 64-bit floats beyond the tables.

use super::{Choices, MINUS, QNAN, TRUE, pair, quad, run, run_both};

#[test]
fn denormals_are_kept() {
    let smallest = f64::from_bits(1);
    assert_eq!(run("dadd r0.xyzw, r1.xyzw, r2.xyzw", &[pair(smallest, smallest), pair(smallest, 0.0)]), [2, 0, 1, 0]);
    assert_eq!(run("dlt r0.xy, r1.xyzw, r2.xyzw", &[pair(0.0, -smallest), pair(smallest, 0.0)])[..2], [TRUE, TRUE]);
    // 1 / 2^-1023, a denormal, is 2^1023.
    let (source, reciprocal) = (f64::from_bits(1 << 51), 2f64.powi(1023));
    assert_eq!(run("drcp r0.xyzw, r1.xyzw", &[pair(source, -source)]), pair(reciprocal, -reciprocal));
}

#[test]
fn modifiers_and_saturation_take_the_whole_number() {
    let source = pair(-1.5, 0.25);
    assert_eq!(run("dmov r0.xyzw, -r1.xyzw", &[source]), pair(1.5, -0.25));
    assert_eq!(run("dmov r0.xyzw, -|r1.xyzw|", &[source]), pair(-1.5, -0.25));
    assert_eq!(run("dadd_sat r0.xyzw, r1.xyzw, r2.xyzw", &[source, pair(0.0, 3.0)]), pair(0.0, 1.0));
    assert_eq!(run("dmov_sat r0.xyzw, r1.xyzw", &[pair(0.75, f64::NAN)]), pair(0.75, 0.0));
    let bits = [1, 0xfff0_0000, 0xdead_beef, 0x8000_0000];
    assert_eq!(run("dmov r0.xyzw, r1.xyzw", &[bits]), bits);
}

#[test]
fn the_second_pair_takes_the_second_condition() {
    let sources = [[0, 1, 7, 7], pair(1.0, 2.0), pair(3.0, 4.0)];
    assert_eq!(run("dmovc r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", &sources), pair(3.0, 2.0));
}

#[test]
fn fma_rounds_once() {
    // (1 + 2^-27)^2 is 1 + 2^-26 + 2^-54, half a unit below what a double holds.
    let (a, c) = (1.0 + 2f64.powi(-27), -(1.0 + 2f64.powi(-26)));
    let result = run("dfma r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", &[pair(a, 2.0), pair(a, 3.0), pair(c, 4.0)]);
    assert_eq!(result, pair(2f64.powi(-54), 10.0));
}

#[test]
fn comparisons_fill_the_components_of_the_mask() {
    let sources = [pair(1.0, 2.0), pair(1.0, 3.0)];
    assert_eq!(run("deq r0.xy, r1.xyzw, r2.xyzw", &sources)[..2], [TRUE, 0]);
    let lanes = run("dge r0.yw, r1.xyzw, r2.xyzw", &sources);
    assert_eq!([lanes[1], lanes[3]], [TRUE, 0]);
    assert_eq!(run("dne r0.z, r1.xyzw, r2.xyzw", &sources)[2], 0);
    let nan = [pair(f64::NAN, 1.0), pair(1.0, f64::NAN)];
    for (line, expected) in [("deq", 0), ("dlt", 0), ("dge", 0), ("dne", TRUE)] {
        assert_eq!(run(&format!("{line} r0.xy, r1.xyzw, r2.xyzw"), &nan)[..2], [expected; 2], "{line}");
    }
}

#[test]
fn conversions_to_thirty_two_bits() {
    // 1 + 2^-24 lies halfway between two floats and goes to the even one; 1 + 3 * 2^-24 goes up.
    let halfway = [pair(1.0 + 2f64.powi(-24), 1.0 + 3.0 * 2f64.powi(-24))];
    assert_eq!(run("dtof r0.xy, r1.xyzw", &halfway)[..2], [0x3f80_0000, 0x3f80_0002]);
    let large = [pair(1e300, f64::NAN)];
    assert_eq!(run("dtof r0.xw, r1.xyzw", &large)[0], f32::INFINITY.to_bits());
    assert_eq!(run("dtof r0.xw, r1.xyzw", &large)[3], QNAN);
    assert_eq!(run("dtof r0.y, -r1.xyzw", &[pair(2.5, 0.0)])[1], (-2.5f32).to_bits());
    assert_eq!(run("dtoi r0.xy, r1.xyzw", &[pair(-1.9, 1e20)])[..2], [u32::MAX, 0x7fff_ffff]);
    assert_eq!(run("dtoi r0.xy, r1.xyzw", &[pair(f64::NAN, -1e20)])[..2], [0, MINUS]);
    assert_eq!(run("dtou r0.zw, r1.xyzw", &[pair(-1.0, 4_294_967_295.9)])[2..], [0, u32::MAX]);
}

#[test]
fn conversions_from_thirty_two_bits_take_x_and_y() {
    assert_eq!(run("ftod r0.xyzw, r1.xyzw", &[quad([5.0, -6.5, 7.0, 8.0])]), pair(5.0, -6.5));
    assert_eq!(run("itod r0.xyzw, r1.xyzw", &[[u32::MAX, 3, 9, 9]]), pair(-1.0, 3.0));
    assert_eq!(run("utod r0.xyzw, r1.xyzw", &[[u32::MAX, 3, 9, 9]]), pair(4_294_967_295.0, 3.0));
    assert_eq!(run("itod r0.xyzw, -r1.xyzw", &[[7, 0, 9, 9]]), pair(-7.0, 0.0));
}

#[test]
fn float_denormals_may_pass_a_conversion() {
    let keep = Choices { keep_denormals: true, ..Choices::default() };
    let denormal = [[1, MINUS | 2, 0, 0]];
    assert_eq!(run("ftod r0.xyzw, r1.xyzw", &denormal), pair(0.0, -0.0));
    assert_eq!(run_both("ftod r0.xyzw, r1.xyzw", &denormal, keep)[0], pair(2f64.powi(-149), -(2f64.powi(-148))));
    let wide = [pair(2f64.powi(-149), 0.0)];
    assert_eq!(run("dtof r0.x, r1.xyzw", &wide)[0], 0);
    assert_eq!(run_both("dtof r0.x, r1.xyzw", &wide, keep)[0][0], 1);
}
