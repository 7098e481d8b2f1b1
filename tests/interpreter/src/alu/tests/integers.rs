//! Integers and bits.

use super::{Choices, MINUS, TRUE, run, run_both, scalar};

/// The x lanes of both destinations.
fn two(line: &str, sources: &[u32]) -> [u32; 2] {
    let sources: Vec<[u32; 4]> = sources.iter().map(|&word| [word; 4]).collect();
    run_both(line, &sources, Choices::default()).map(|lanes| lanes[0])
}

#[test]
fn sums_and_products_wrap() {
    assert_eq!(scalar("iadd r0.xyzw, r1.xyzw, r2.xyzw", &[u32::MAX, 2]), 1);
    assert_eq!(scalar("iadd r0.xyzw, r1.xyzw, -r2.xyzw", &[3, 5]), (-2i32).cast_unsigned());
    // 0x10001 * 0x10001 = 0x1_0002_0001.
    assert_eq!(scalar("imad r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", &[0x10001, 0x10001, 4]), 0x0002_0005);
    assert_eq!(scalar("umad r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw", &[0x10001, 0x10001, 4]), 0x0002_0005);
    assert_eq!(scalar("imad r0.xyzw, -r1.xyzw, r2.xyzw, -r3.xyzw", &[3, 4, 5]), (-17i32).cast_unsigned());
    assert_eq!(scalar("ineg r0.xyzw, r1.xyzw", &[MINUS]), MINUS);
    assert_eq!(scalar("ineg r0.xyzw, r1.xyzw", &[7]), 0xffff_fff9);
}

#[test]
fn wide_products_have_the_high_word_first() {
    assert_eq!(two("imul r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[u32::MAX, 2]), [0xffff_ffff, 0xffff_fffe]);
    assert_eq!(two("umul r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[u32::MAX, 2]), [1, 0xffff_fffe]);
    assert_eq!(two("imul r0.xyzw, r3.xyzw, r1.xyzw, -r2.xyzw", &[3, 5]), [0xffff_ffff, 0xffff_fff1]);
}

#[test]
fn division_by_zero_gives_all_ones_twice() {
    assert_eq!(two("udiv r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[17, 5]), [3, 2]);
    assert_eq!(two("udiv r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[17, 0]), [u32::MAX, u32::MAX]);
    assert_eq!(two("udiv r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[0, 0]), [u32::MAX, u32::MAX]);
}

#[test]
fn carry_and_borrow() {
    assert_eq!(two("uaddc r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[u32::MAX, 3]), [2, 1]);
    assert_eq!(two("uaddc r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[4, 3]), [7, 0]);
    assert_eq!(two("usubb r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[3, 4]), [u32::MAX, 1]);
    assert_eq!(two("usubb r0.xyzw, r3.xyzw, r1.xyzw, r2.xyzw", &[4, 4]), [0, 0]);
}

#[test]
fn extremes_and_comparisons_follow_the_sign() {
    let sources = [MINUS, 1];
    let results =
        ["imin", "imax", "umin", "umax"].map(|op| scalar(&format!("{op} r0.xyzw, r1.xyzw, r2.xyzw"), &sources));
    assert_eq!(results, [MINUS, 1, 1, MINUS]);
    let compare = |op: &str| scalar(&format!("{op} r0.xyzw, r1.xyzw, r2.xyzw"), &sources);
    assert_eq!(["ilt", "ige", "ult", "uge", "ieq", "ine"].map(compare), [TRUE, 0, 0, TRUE, 0, TRUE]);
    assert_eq!(scalar("ieq r0.xyzw, r1.xyzw, -r2.xyzw", &[u32::MAX, 1]), TRUE);
}

#[test]
fn lanes_are_on_their_own() {
    let sources = [[1, 2, 3, 4], [10, 20, 30, 40]];
    assert_eq!(run("iadd r0.xyzw, r1.xyzw, r2.xyzw", &sources), [11, 22, 33, 44]);
    assert_eq!(run("ishl r0.xyzw, r1.xyzw, r2.xyzw", &[[1; 4], [0, 1, 31, 32]]), [1, 2, MINUS, 1]);
}

#[test]
fn shifts_take_five_bits_of_the_count() {
    assert_eq!(scalar("ishl r0.xyzw, r1.xyzw, r2.xyzw", &[1, 33]), 2);
    assert_eq!(scalar("ishr r0.xyzw, r1.xyzw, r2.xyzw", &[MINUS, 0xffff_ffe4]), 0xf800_0000);
    assert_eq!(scalar("ushr r0.xyzw, r1.xyzw, r2.xyzw", &[MINUS, 36]), 0x0800_0000);
}

#[test]
fn bit_fields() {
    let unsigned = "ubfe r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw";
    let signed = "ibfe r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw";
    assert_eq!(scalar(unsigned, &[8, 4, 0xabcd_ef12]), 0xf1);
    assert_eq!(scalar(signed, &[8, 4, 0xabcd_ef12]), 0xffff_fff1);
    assert_eq!([unsigned, signed].map(|line| scalar(line, &[0, 4, 0xabcd_ef12])), [0, 0]);
    // A width of 32 is 0 in five bits.
    assert_eq!(scalar(unsigned, &[32, 0, 0xabcd_ef12]), 0);
    // Beyond the top the field is what is left.
    assert_eq!(scalar(unsigned, &[16, 20, 0xabcd_ef12]), 0xabc);
    assert_eq!(scalar(signed, &[16, 20, 0xabcd_ef12]), 0xffff_fabc);
    assert_eq!(scalar(unsigned, &[31, 1, u32::MAX]), 0x7fff_ffff);
    let insert = "bfi r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw, r4.xyzw";
    assert_eq!(scalar(insert, &[8, 4, 0xabc, 0xffff_0000]), 0xffff_0bc0);
    assert_eq!(scalar(insert, &[0, 4, 0xabc, 0x1234]), 0x1234);
    assert_eq!(scalar(insert, &[16, 24, 0x1ff, 0]), 0xff00_0000);
    assert_eq!(scalar(insert, &[40, 36, 0xff, 0]), 0xff0);
}

#[test]
fn positions_and_counts_of_bits() {
    assert_eq!(scalar("bfrev r0.xyzw, r1.xyzw", &[0x1234_5678]), 0x1e6a_2c48);
    assert_eq!(scalar("countbits r0.xyzw, r1.xyzw", &[0xf001_0010]), 6);
    let first = |op: &str, word| scalar(&format!("{op} r0.xyzw, r1.xyzw"), &[word]);
    assert_eq!(first("firstbit_lo", 1), 0);
    assert_eq!(first("firstbit_lo", 0x0100_1000), 12);
    assert_eq!(first("firstbit_hi", 0x1000_0000), 3);
    assert_eq!(first("firstbit_hi", MINUS), 0);
    assert_eq!(first("firstbit_shi", 0x1000_0000), 3);
    assert_eq!(first("firstbit_shi", 0xefff_ffff), 3);
    assert_eq!(first("firstbit_shi", MINUS), 1);
    let none = [("firstbit_lo", 0), ("firstbit_hi", 0), ("firstbit_shi", 0), ("firstbit_shi", u32::MAX)];
    assert_eq!(none.map(|(op, word)| first(op, word)), [u32::MAX; 4]);
}

#[test]
fn bitwise_operations() {
    let sources = [0b1100, 0b1010];
    let results = ["and", "or", "xor"].map(|op| scalar(&format!("{op} r0.xyzw, r1.xyzw, r2.xyzw"), &sources));
    assert_eq!(results, [0b1000, 0b1110, 0b0110]);
    assert_eq!(scalar("not r0.xyzw, r1.xyzw", &[0xf0]), 0xffff_ff0f);
}

#[test]
fn masked_differences_skip_bytes_without_a_reference() {
    let line = "msad r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw";
    // |0x10 - 0x20| + |0x30 - 0x05| = 16 + 43; the bytes 0x00 of the reference do not count.
    assert_eq!(scalar(line, &[0x0030_0010, 0xff05_ff20, 100]), 159);
    assert_eq!(scalar(line, &[0, u32::MAX, 7]), 7);
    // 254 + 254 + 0 + 0 past the largest number.
    assert_eq!(scalar(line, &[0x01ff_0101, 0xff01_0101, u32::MAX - 3]), 504);
}

#[test]
fn a_condition_is_any_bit() {
    let line = "movc r0.xyzw, r1.xyzw, r2.xyzw, r3.xyzw";
    assert_eq!(run(line, &[[0, 1, MINUS, 0], [10, 11, 12, 13], [20, 21, 22, 23]]), [20, 11, 12, 23]);
    let swap = "swapc r0.xyzw, r4.xyzw, r1.xyzw, r2.xyzw, -r3.xyzw";
    let swapped = run_both(swap, &[[0, 1, MINUS, 0], [10, 11, 12, 13], [20, 21, 22, 23]], Choices::default());
    assert_eq!(swapped, [[10, MINUS | 21, MINUS | 22, 13], [MINUS | 20, 11, 12, MINUS | 23]]);
}
