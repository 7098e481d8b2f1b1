//! The tests held against the opcode table.

use crate::run::{Program, code};
use crate::{adapted, atomics, doubles, floats, flow, integers, memory, pixels, streams};
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::opcodes::{OPCODES, Opcode};
use std::collections::BTreeSet;

/// Every program that the tests of this binary run.
fn programs() -> Vec<Program> {
    let families = [
        integers::arithmetic(),
        integers::bitwise(),
        floats::binary(),
        floats::unary(),
        floats::halves(),
        doubles::family(),
    ];
    let mut programs: Vec<Program> = families.iter().map(|family| family.program()).collect();
    programs.extend(adapted::programs());
    for more in [flow::programs(), memory::programs(), atomics::programs(), pixels::programs(), streams::programs()] {
        programs.extend(more);
    }
    programs
}

#[test]
fn every_row_has_a_test() {
    let mut covered = BTreeSet::new();
    for program in programs() {
        let container = code(&program.text);
        let shader = Shader::parse(&container, true).unwrap();
        let present: BTreeSet<Opcode> = shader.program.instructions.iter().map(|instruction| instruction.op).collect();
        for row in &program.covers {
            assert!(present.contains(row), "{row:?} is not in the program that covers it:\n{}", program.text);
        }
        covered.extend(program.covers);
    }
    let rows: Vec<Opcode> = OPCODES.iter().filter(|row| !row.is_declaration()).map(|row| row.op).collect();
    let missing: Vec<&Opcode> = rows.iter().filter(|row| !covered.contains(*row)).collect();
    assert!(missing.is_empty(), "rows of the opcode table that no test executes: {missing:?}");
    println!("{} of {} rows executed", covered.len(), rows.len());
}
