//! Random programs, run on each driver and compared with the reference interpreter.
//!
//! This is the short run of `docs/random-programs.md`: a few programs of one seed, with the validation layers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::random::{Hunt, Mode, coverage, generate};
use rx_tests::vulkan::{Driver, session_on};
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::asm::assemble;
use std::collections::BTreeSet;

/// Programs of the short run, and the seed of the first.
const PROGRAMS: u64 = 20;
const SEED: u64 = 1;
/// Each program runs in one mode. SPIRV-Tools' optimiser ends the process over a few programs, so the modes with it are
/// left to the long run, which survives that.
const MODES: [Mode; 2] = [Mode::ALL[0], Mode::ALL[1]];
/// Programs whose instructions are counted.
const COUNTED: u64 = 4000;

fn run(driver: Driver) {
    let Some(session) = session_on(driver) else { return };
    let mut hunt = Hunt::new(session);
    let mut findings = Vec::new();
    for seed in SEED..SEED + PROGRAMS {
        let case = generate(seed);
        if let Err(finding) = hunt.check(&case, &[MODES[seed as usize % MODES.len()]]) {
            let small = hunt.reduce(&case, &finding);
            findings.push(format!("seed {seed}: {finding}\n{small}"));
        }
    }
    println!("{driver}: {}", hunt.tally);
    assert!(findings.is_empty(), "{driver}: {} findings\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn the_systems_driver_gives_what_the_interpreter_gives() {
    run(Driver::System);
}

#[test]
fn swift_shader_gives_what_the_interpreter_gives() {
    run(Driver::SwiftShader);
}

#[test]
fn every_row_of_the_opcode_table_is_generated_or_listed() {
    let mut covered = BTreeSet::new();
    for seed in 0..COUNTED {
        let case = generate(seed);
        let code = assemble(&case.text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{case}"));
        let shader = Shader::parse(&code, false).unwrap();
        covered.extend(shader.program.instructions.iter().map(|instruction| instruction.op));
    }
    let (missing, in_vain) = coverage::gaps(&covered);
    println!("{} of {} rows generated, {} listed", covered.len(), coverage::rows(), coverage::NOT_GENERATED.len());
    assert!(missing.is_empty(), "rows that are neither generated nor listed: {missing:?}");
    assert!(in_vain.is_empty(), "rows that are listed and generated: {in_vain:?}");
}

#[test]
fn a_seed_gives_the_same_program_always() {
    for seed in [0, 7, u64::MAX] {
        assert_eq!(generate(seed).to_string(), generate(seed).to_string());
    }
    // Any change of the generator changes what old seeds mean: then this number changes, too, and reports of before it are
    // not repeated by their seeds any more.
    assert_eq!(generate(1).text.lines().next(), Some("cs_5_0"));
}
