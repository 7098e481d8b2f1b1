//! Arithmetic: many instructions of one family in one dispatch over the same operands.
//!
//! A thread loads r0 to r3, four components of four operands. Each case writes r4, and r5 where it has a second result.
//! What a case is to give is worked out here from the specification's rule for it.

use crate::run::{Program, Run, each};
use crate::want::{Differences, Want, flush};
use rx_tests::vulkan::{Registers, t, u};
use rx_translate::dxbc::opcodes::Opcode;
use std::fmt::Write;

/// What a case is to give: first and second result.
pub enum Rule {
    /// Component by component, of the words of up to four operands.
    Each(fn([u32; 4]) -> [Want; 2]),
    /// Of whole registers.
    Whole(fn([[u32; 4]; 4]) -> [[Want; 4]; 2]),
}

/// A row of the opcode table, exercised.
pub struct Case {
    /// The row.
    pub op: Opcode,
    /// Instructions from r0…r3 to r4 and r5.
    pub text: &'static str,
    /// What they give.
    pub rule: Rule,
}

/// A case component by component with one result.
pub const fn one(op: Opcode, text: &'static str, rule: fn([u32; 4]) -> [Want; 2]) -> Case {
    Case { op, text, rule: Rule::Each(rule) }
}

/// A case of whole registers.
pub const fn whole(op: Opcode, text: &'static str, rule: fn([[u32; 4]; 4]) -> [[Want; 4]; 2]) -> Case {
    Case { op, text, rule: Rule::Whole(rule) }
}

/// Cases over the same operands.
pub struct Family {
    /// Name, for messages.
    pub name: &'static str,
    /// Whether the operands are floats: Direct3D flushes denormals that come into arithmetic, few drivers can be told
    /// to, so either is taken.
    pub floats: bool,
    /// Operands of one component each.
    pub inputs: Vec<[u32; 4]>,
    /// The cases.
    pub cases: &'static [Case],
}

/// Threads of a group.
const GROUP: usize = 64;
/// Bytes of a case's two results.
const RESULT: usize = 32;

impl Family {
    /// The text of the whole family.
    pub fn program(&self) -> Program {
        let mut text = format!(
            "cs_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_resource_structured t0, 64
dcl_uav_structured u0, {}
dcl_input vThreadID.x
dcl_temps 8
dcl_thread_group {GROUP}, 1, 1
mov r7.x, vThreadID.x
",
            self.cases.len() * RESULT
        );
        for n in 0..4 {
            let _ = writeln!(text, "ld_structured r{n}.xyzw, r7.x, l({}), t0.xyzw", 16 * n);
        }
        for (n, case) in self.cases.iter().enumerate() {
            let _ = write!(
                text,
                "mov r4.xyzw, l(0, 0, 0, 0)\nmov r5.xyzw, l(0, 0, 0, 0)\n{}\n\
                 store_structured u0.xyzw, r7.x, l({}), r4.xyzw\nstore_structured u0.xyzw, r7.x, l({}), r5.xyzw\n",
                case.text,
                n * RESULT,
                n * RESULT + 16
            );
        }
        text.push_str("ret\n");
        Program { text, covers: self.cases.iter().map(|case| case.op).collect() }
    }

    /// Runs it in every way and compares.
    pub fn check(&self) {
        each(|run| self.check_in(run));
    }

    /// Runs it in one way and compares.
    pub fn check_in(&self, run: &Run<'_>) {
        let mut inputs = self.inputs.clone();
        // Whole groups: the last operands again.
        let last = *inputs.last().expect("operands");
        inputs.resize(inputs.len().next_multiple_of(4 * GROUP), last);
        let words: Vec<u32> =
            inputs.chunks_exact(4).flat_map(|four| (0..4).flat_map(move |n| four.iter().map(move |i| i[n]))).collect();
        let threads = inputs.len() / 4;
        let record = self.cases.len() * RESULT / 4;
        let (input, output) = (run.words(&words), run.filled(threads * record, 0xeeee_eeee));
        let registers = Registers::new().buffer(t(0), &input).buffer(u(0), &output);
        run.compute(&self.program().text, &registers, [(threads / GROUP) as u32, 1, 1]);
        let got = output.words();
        for (number, case) in self.cases.iter().enumerate() {
            let mut differences = Differences::default();
            for (thread, four) in inputs.chunks_exact(4).enumerate() {
                let operands = [0, 1, 2, 3].map(|n| [0, 1, 2, 3].map(|c: usize| four[c][n]));
                let results = &got[thread * record + number * RESULT / 4..][..8];
                self.compare(case, operands, results, &mut differences);
            }
            differences.finish(&format!("{}, {}: {}", self.name, run.name, case.text));
        }
    }

    fn compare(&self, case: &Case, operands: [[u32; 4]; 4], results: &[u32], differences: &mut Differences) {
        let kept = results_of(&case.rule, operands);
        let flushed = operands.map(|r| r.map(|word| flush(f32::from_bits(word)).to_bits()));
        let flushed = if self.floats && flushed != operands { results_of(&case.rule, flushed) } else { kept };
        for n in 0..8 {
            let wants = [kept[n / 4][n % 4], flushed[n / 4][n % 4]];
            differences.compare(results[n], &wants, || {
                let of = operands.map(|r| r[n % 4]);
                format!("r{}.{} of {of:x?}", 4 + n / 4, ["x", "y", "z", "w"][n % 4])
            });
        }
    }
}

fn results_of(rule: &Rule, operands: [[u32; 4]; 4]) -> [[Want; 4]; 2] {
    match rule {
        Rule::Whole(rule) => rule(operands),
        Rule::Each(rule) => {
            let each = [0, 1, 2, 3].map(|c: usize| rule(operands.map(|r| r[c])));
            [each.map(|r| r[0]), each.map(|r| r[1])]
        }
    }
}

/// One result and none.
pub fn single(want: Want) -> [Want; 2] {
    [want, Want::Bits(0)]
}

/// Every pair of some words, with third and fourth operands that go through them at other paces.
pub fn pairs(words: &[u32]) -> Vec<[u32; 4]> {
    let at = |n: usize| words[n % words.len()];
    let count = words.len();
    (0..count * count).map(|n| [at(n / count), at(n % count), at(n / 3 + n * 5), at(n * 7 + n / count + 3)]).collect()
}
