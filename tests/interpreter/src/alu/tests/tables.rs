//! The tables of section 22.10 and 22.14, cell by cell.
//!
//! A row has its first source before the bar. `s0` and `s1` are the sources themselves; NaN is any NaN.

use super::{pair, run, scalar};

/// A word of a table as a 64-bit float; F stands for 3 as the first source and 2 as the second one.
fn number(word: &str, finite: f64) -> f64 {
    match word {
        "-inf" => f64::NEG_INFINITY,
        "-F" => -finite,
        "-F1" => -1.0,
        "-0" => -0.0,
        "+0" => 0.0,
        "+F1" => 1.0,
        "+F" => finite,
        "+inf" => f64::INFINITY,
        "NaN" => f64::NAN,
        other => other.parse().unwrap(),
    }
}

/// The bits of a table's source as a 32-bit float.
fn word32(word: &str, finite: f64) -> u32 {
    match word {
        "-den" => 0x8000_0001,
        "+den" => 0x0000_0001,
        _ => (number(word, finite) as f32).to_bits(),
    }
}

fn check32(line: &str, row: &str, column: &str, cell: &str) {
    let (a, b) = (word32(row, 3.0), word32(column, 2.0));
    let actual = scalar(line, &[a, b]);
    let expected = match cell {
        "s0" => a,
        "-s0" => a ^ 0x8000_0000,
        "s1" => b,
        "-s1" => b ^ 0x8000_0000,
        _ => word32(cell, 0.0),
    };
    let both_nan = f32::from_bits(expected).is_nan() && f32::from_bits(actual).is_nan();
    assert!(both_nan || actual == expected, "{line} of {row} and {column}: {actual:#010x}, not {expected:#010x}");
}

fn check64(line: &str, row: &str, column: &str, cell: &str) {
    let (a, b) = (number(row, 3.0), number(column, 2.0));
    // The second pair has the sources the other way round, so that both pairs are seen to be on their own.
    let [x, y, ..] = run(line, &[pair(a, 0.0), pair(b, 0.0)]);
    let [.., z, w] = run(line, &[pair(0.0, a), pair(0.0, b)]);
    assert_eq!([x, y], [z, w], "{line} of {row} and {column}");
    let actual = f64::from_bits(u64::from(x) | u64::from(y) << 32);
    let expected = match cell {
        "s0" => a,
        "-s0" => -a,
        "s1" => b,
        "-s1" => -b,
        _ => number(cell, 0.0),
    };
    let same = actual.to_bits() == expected.to_bits() || (actual.is_nan() && expected.is_nan());
    assert!(same, "{line} of {row} and {column}: {actual:?}, not {expected:?}");
}

/// Checks every cell of a table; the first line names the columns.
fn check(line: &str, table: &str, cell: fn(&str, &str, &str, &str)) {
    let mut lines = table.lines().map(str::trim).filter(|text| !text.is_empty());
    let columns: Vec<&str> = lines.next().unwrap().trim_start_matches('|').split_whitespace().collect();
    let mut rows = 0;
    for text in lines {
        let (row, cells) = text.split_once('|').unwrap();
        let cells: Vec<&str> = cells.split_whitespace().collect();
        assert_eq!(cells.len(), columns.len(), "{text}");
        for (column, expected) in columns.iter().zip(cells) {
            cell(line, row.trim(), column, expected);
        }
        rows += 1;
    }
    assert!(rows > 3);
}

#[test]
fn add() {
    let table = "
             | -inf  -F   -den -0   +0   +den +F   +inf NaN
        -inf | -inf -inf -inf -inf -inf -inf -inf NaN  NaN
        -F   | -inf -5   s0   s0   s0   s0   -1   +inf NaN
        -den | -inf s1   -0   -0   +0   +0   s1   +inf NaN
        -0   | -inf s1   -0   -0   +0   +0   s1   +inf NaN
        +0   | -inf s1   +0   +0   +0   +0   s1   +inf NaN
        +den | -inf s1   +0   +0   +0   +0   s1   +inf NaN
        +F   | -inf 1    s0   s0   s0   s0   5    +inf NaN
        +inf | NaN  +inf +inf +inf +inf +inf +inf +inf NaN
        NaN  | NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN";
    check("add r0.xyzw, r1.xyzw, r2.xyzw", table, check32);
}

#[test]
fn div() {
    let table = "
             | -inf -F   -F1  -den -0   +0   +den +F1  +F   +inf NaN
        -inf | NaN  +inf +inf +inf +inf -inf -inf -inf -inf NaN  NaN
        -F   | +0   1.5  -s0  +inf +inf -inf -inf s0   -1.5 -0   NaN
        -den | +0   +0   +0   NaN  NaN  NaN  NaN  -0   -0   -0   NaN
        -0   | +0   +0   +0   NaN  NaN  NaN  NaN  -0   -0   -0   NaN
        +0   | -0   -0   -0   NaN  NaN  NaN  NaN  +0   +0   +0   NaN
        +den | -0   -0   -0   NaN  NaN  NaN  NaN  +0   +0   +0   NaN
        +F   | -0   -1.5 -s0  -inf -inf +inf +inf s0   1.5  +0   NaN
        +inf | NaN  -inf -inf -inf -inf +inf +inf +inf +inf NaN  NaN
        NaN  | NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN";
    check("div r0.xyzw, r1.xyzw, r2.xyzw", table, check32);
}

#[test]
fn mul() {
    let table = "
             | -inf -F   -F1  -den -0   +0   +den +F1  +F   +inf NaN
        -inf | +inf +inf +inf NaN  NaN  NaN  NaN  -inf -inf -inf NaN
        -F   | +inf 6    -s0  +0   +0   -0   -0   s0   -6   -inf NaN
        -F1  | +inf -s1  1    +0   +0   -0   -0   -1   -s1  -inf NaN
        -den | NaN  +0   +0   +0   +0   -0   -0   -0   -0   NaN  NaN
        -0   | NaN  +0   +0   +0   +0   -0   -0   -0   -0   NaN  NaN
        +0   | NaN  -0   -0   -0   -0   +0   +0   +0   +0   NaN  NaN
        +den | NaN  -0   -0   -0   -0   +0   +0   +0   +0   NaN  NaN
        +F1  | -inf s1   -1   -0   -0   +0   +0   1    s1   +inf NaN
        +F   | -inf -6   -s0  -0   -0   +0   +0   s0   6    +inf NaN
        +inf | -inf -inf -inf NaN  NaN  NaN  NaN  +inf +inf +inf NaN
        NaN  | NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN";
    check("mul r0.xyzw, r1.xyzw, r2.xyzw", table, check32);
}

#[test]
fn max_and_min() {
    let max = "
             | -inf +F  +inf NaN
        -inf | -inf s1  +inf -inf
        +F   | s0   s0  +inf s0
        +inf | +inf +inf +inf +inf
        NaN  | -inf s1  +inf NaN";
    let min = "
             | -inf +F   +inf NaN
        -inf | -inf -inf -inf -inf
        +F   | -inf s1   s0   s0
        +inf | -inf s1   +inf +inf
        NaN  | -inf s1   +inf NaN";
    check("max r0.xyzw, r1.xyzw, r2.xyzw", max, check32);
    check("min r0.xyzw, r1.xyzw, r2.xyzw", min, check32);
    check("dmax r0.xyzw, r1.xyzw, r2.xyzw", max, check64);
    check("dmin r0.xyzw, r1.xyzw, r2.xyzw", min, check64);
}

#[test]
fn functions_of_one_number() {
    // F is 3.
    let columns = ["-inf", "-F", "-den", "-0", "+0", "+den", "+F", "+inf", "NaN"];
    let rows = [
        ("exp", ["+0", "0.125", "1", "1", "1", "1", "8", "+inf", "NaN"]),
        ("frc", ["NaN", "+0", "+0", "+0", "+0", "+0", "+0", "NaN", "NaN"]),
        ("log", ["NaN", "NaN", "-inf", "-inf", "-inf", "-inf", "1.5849625", "+inf", "NaN"]),
        ("round_ne", ["-inf", "-3", "-0", "-0", "+0", "+0", "3", "+inf", "NaN"]),
        ("round_ni", ["-inf", "-3", "-0", "-0", "+0", "+0", "3", "+inf", "NaN"]),
        ("round_pi", ["-inf", "-3", "-0", "-0", "+0", "+0", "3", "+inf", "NaN"]),
        ("round_z", ["-inf", "-3", "-0", "-0", "+0", "+0", "3", "+inf", "NaN"]),
        ("rcp", ["-0", "-0.33333334", "-inf", "-inf", "+inf", "+inf", "0.33333334", "+0", "NaN"]),
        ("rsq", ["NaN", "NaN", "-inf", "-inf", "+inf", "+inf", "0.57735026", "+0", "NaN"]),
        ("sqrt", ["NaN", "NaN", "-0", "-0", "+0", "+0", "1.7320508", "+inf", "NaN"]),
    ];
    for (mnemonic, cells) in rows {
        for (column, cell) in columns.iter().zip(cells) {
            check32(&format!("{mnemonic} r0.xyzw, r1.xyzw"), column, "+0", cell);
        }
    }
    for (column, cell) in columns.iter().zip(["NaN", "-0.14112", "-0", "-0", "+0", "+0", "0.14112", "NaN", "NaN"]) {
        check32("sincos r0.xyzw, null, r1.xyzw", column, "+0", cell);
    }
}

#[test]
fn doubles() {
    let add = "
             | -inf -F   -0   +0   +F   +inf NaN
        -inf | -inf -inf -inf -inf -inf NaN  NaN
        -F   | -inf -5   s0   s0   -1   +inf NaN
        -0   | -inf s1   -0   +0   s1   +inf NaN
        +0   | -inf s1   +0   +0   s1   +inf NaN
        +F   | -inf 1    s0   s0   5    +inf NaN
        +inf | NaN  +inf +inf +inf +inf +inf NaN
        NaN  | NaN  NaN  NaN  NaN  NaN  NaN  NaN";
    let mul = "
             | -inf -F   -F1  -0   +0   +F1  +F   +inf NaN
        -inf | +inf +inf +inf NaN  NaN  -inf -inf -inf NaN
        -F   | +inf 6    -s0  +0   -0   s0   -6   -inf NaN
        -F1  | +inf -s1  1    +0   -0   -1   -s1  -inf NaN
        -0   | NaN  +0   +0   +0   -0   -0   -0   NaN  NaN
        +0   | NaN  -0   -0   -0   +0   +0   +0   NaN  NaN
        +F1  | -inf s1   -1   -0   +0   1    s1   +inf NaN
        +F   | -inf -6   -s0  -0   +0   s0   6    +inf NaN
        +inf | -inf -inf -inf NaN  NaN  +inf +inf +inf NaN
        NaN  | NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN";
    let div = "
             | -inf -F   -F1  -0   +0   +F1  +F   +inf NaN
        -inf | NaN  +inf +inf +inf -inf -inf -inf NaN  NaN
        -F   | +0   1.5  -s0  +inf -inf s0   -1.5 -0   NaN
        -0   | +0   +0   +0   NaN  NaN  -0   -0   -0   NaN
        +0   | -0   -0   -0   NaN  NaN  +0   +0   +0   NaN
        +F   | -0   -1.5 -s0  -inf +inf s0   1.5  +0   NaN
        +inf | NaN  -inf -inf -inf +inf +inf +inf NaN  NaN
        NaN  | NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN  NaN";
    check("dadd r0.xyzw, r1.xyzw, r2.xyzw", add, check64);
    check("dmul r0.xyzw, r1.xyzw, r2.xyzw", mul, check64);
    check("ddiv r0.xyzw, r1.xyzw, r2.xyzw", div, check64);
    for (source, cell) in
        [("-inf", "-0"), ("-F1", "-1"), ("-0", "-inf"), ("+0", "+inf"), ("+inf", "+0"), ("NaN", "NaN")]
    {
        check64("drcp r0.xyzw, r1.xyzw", source, "+0", cell);
    }
}
