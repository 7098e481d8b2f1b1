//! Values from the specification's tables and by hand. Instructions are written as assembly text.
#![allow(clippy::unwrap_used, clippy::panic)]

mod doubles;
mod floats;
mod integers;
mod tables;

use super::{Choices, Precision, execute, precision};
use rx_translate::dxbc::opcodes::{Kind, OPCODES, Opcode};
use rx_translate::dxbc::{Shader, asm};

const QNAN: u32 = 0x7fc0_0000;
const DENORMAL: u32 = 0x0000_0001;
const MINUS: u32 = 0x8000_0000;
const TRUE: u32 = u32::MAX;

/// Executes one instruction with the given source operands and choices; gives both destinations.
fn run_both(line: &str, sources: &[[u32; 4]], choices: Choices) -> [[u32; 4]; 2] {
    let text = format!("cs_5_0\ndcl_temps 8\ndcl_thread_group 1, 1, 1\n{line}\nret\n");
    let container = asm::assemble(&text).unwrap_or_else(|error| panic!("{line}: {error}"));
    let program = Shader::parse(&container, true).unwrap().program;
    let instruction = &program.instructions[0];
    execute(instruction, program.operands_of(instruction), sources, choices).unwrap()
}

/// The first destination under the default choices.
fn run(line: &str, sources: &[[u32; 4]]) -> [u32; 4] {
    run_both(line, sources, Choices::default())[0]
}

/// The x lane of an instruction whose sources have one value in all lanes.
fn scalar(line: &str, sources: &[u32]) -> u32 {
    run(line, &sources.iter().map(|&word| [word; 4]).collect::<Vec<_>>())[0]
}

/// Like [`scalar`], of floats.
fn scalar_float(line: &str, sources: &[f32]) -> f32 {
    f32::from_bits(scalar(line, &sources.iter().map(|value| value.to_bits()).collect::<Vec<_>>()))
}

/// A register of two 64-bit floats.
fn pair(first: f64, second: f64) -> [u32; 4] {
    let [x, y] = [first, second].map(f64::to_bits);
    [x as u32, (x >> 32) as u32, y as u32, (y >> 32) as u32]
}

fn quad(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

#[test]
fn every_opcode_of_the_kind_is_executed_but_those_that_need_neighbours_or_attributes() {
    let elsewhere: Vec<&str> = OPCODES
        .iter()
        .filter(|info| info.kind == Kind::Alu && !is_executed(info.op))
        .map(|info| info.mnemonic)
        .collect();
    let expected = [
        "deriv_rtx",
        "deriv_rty",
        "deriv_rtx_coarse",
        "deriv_rtx_fine",
        "deriv_rty_coarse",
        "deriv_rty_fine",
        "eval_snapped",
        "eval_sample_index",
        "eval_centroid",
        "check_access_fully_mapped",
    ];
    assert_eq!(elsewhere, expected);
    assert!(OPCODES.iter().filter(|info| info.kind != Kind::Alu).all(|info| !is_executed(info.op)));
}

/// Whether [`execute`] knows an opcode; without operands it must not fail either.
fn is_executed(op: Opcode) -> bool {
    let container = asm::assemble("cs_5_0\ndcl_thread_group 1, 1, 1\nret\n").unwrap();
    let ret = Shader::parse(&container, true).unwrap().program.instructions[0];
    let instruction = rx_translate::dxbc::program::Instruction { op, ..ret };
    execute(&instruction, &[], &[], Choices::default()).is_some()
}

#[test]
fn tolerances_are_the_sections_own() {
    let two = 2f32.to_bits();
    assert!(!precision(Opcode::Add).permits(two, two + 1));
    assert!(precision(Opcode::Sqrt).permits(two, two + 1) && !precision(Opcode::Sqrt).permits(two, two + 2));
    // One part in 2^21 of 2 is four units in the last place, and the rounding of the expected value is half of one.
    assert!(precision(Opcode::Exp).permits(two, two + 4) && !precision(Opcode::Exp).permits(two, two + 5));
    let small = (1.0f32 / 1024.0).to_bits();
    // An absolute error of 2^-21 at 2^-10 is 2^12 units of 2^-33.
    assert!(
        precision(Opcode::Log).permits(small, small + 4096) && !precision(Opcode::Log).permits(small, small + 4097)
    );
    assert!(precision(Opcode::Log).permits(two, two + 4) && !precision(Opcode::Log).permits(two, two + 5));
    let sine = |value: f32| value.to_bits();
    assert!(precision(Opcode::Sincos).permits(sine(0.5), sine(0.5007)));
    assert!(!precision(Opcode::Sincos).permits(sine(0.5), sine(0.501)));
    assert!(precision(Opcode::Sincos).permits(QNAN, 0xffff_ffff));
    assert!(!precision(Opcode::Sincos).permits(f32::INFINITY.to_bits(), f32::MAX.to_bits()));
    // 1.5 * 2^-23 of 2 is one and a half units.
    assert!(precision(Opcode::Div).permits(two, two + 2) && !precision(Opcode::Div).permits(two, two + 3));
    let three = 3f64.to_bits();
    assert!(precision(Opcode::Drcp).permits_wide(three, three - 1));
    assert!(!precision(Opcode::Drcp).permits_wide(three, three - 2));
    assert_eq!(precision(Opcode::Mad), Precision::Fused);
}

#[test]
fn a_result_at_the_edge_of_the_normal_numbers_may_be_flushed() {
    let smallest = f32::MIN_POSITIVE.to_bits();
    assert!(precision(Opcode::Rcp).permits(smallest, 0));
    assert!(!precision(Opcode::Rcp).permits((4.0 * f32::MIN_POSITIVE).to_bits(), 0));
    assert!(!precision(Opcode::Add).permits(smallest, 0));
}
