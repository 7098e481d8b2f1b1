//! Random programs as assembly text, with their inputs.
//!
//! Every program ends, and its results are defined: threads write only their own words, except for atomics whose order
//! does not matter; barriers are in uniform control flow; loops have counters. Registers are kept in pools by what
//! Direct3D says about their bits: what an operation with an open precision gives goes to a pool of its own, which
//! neither branches nor addresses nor integer operations read.

mod alu;
mod flow;
mod memory;
mod operand;
mod plan;
mod stage;
mod textures;

use super::case::{Case, Resource};
use super::numbers::Numbers;
use plan::Plan;

/// Makes the program of a seed.
pub fn generate(seed: u64) -> Case {
    let mut numbers = Numbers::new(seed);
    let plan = Plan::new(&mut numbers);
    let generator = Generator {
        numbers,
        plan,
        lines: Vec::new(),
        scratch: 0,
        place: Place::default(),
        flow: flow::Flow::default(),
        used: stage::Used::default(),
        constants: Vec::new(),
        out_of_range: false,
    };
    generator.program(seed)
}

/// Elements of the indexable temporary of a number.
pub(super) fn array_elements(number: &str) -> u32 {
    number.parse().ok().and_then(|number: usize| operand::ARRAYS.get(number).copied()).unwrap_or(0)
}

/// A generator at work on one program.
struct Generator {
    numbers: Numbers,
    plan: Plan,
    /// Instructions so far.
    lines: Vec<String>,
    /// The lane of the scratch registers that was used last.
    scratch: usize,
    place: Place,
    flow: flow::Flow,
    used: stage::Used,
    /// The immediate constant buffer.
    constants: Vec<[u32; 4]>,
    out_of_range: bool,
}

/// What may be done at the place where the next instruction goes.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Group memory holds what each thread wrote itself; otherwise every thread may read all of it.
    group_memory_is_own: bool,
    /// A barrier follows in the main program, so that no thread may end here.
    barriers_follow: bool,
    /// How often the instruction runs at most.
    runs: u32,
}

/// Pools of registers, by what is known of their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pool {
    /// Every bit is defined.
    Bits,
    /// Floats: every bit is defined, but those of a NaN and of what was a denormal.
    Float,
    /// Floats of an open precision.
    Sink,
    /// Pairs of words that are doubles.
    Double,
}

/// Numbers of the temporaries.
mod temps {
    /// The pool of bits.
    pub const BITS: std::ops::Range<u32> = 0..3;
    /// The pool of floats.
    pub const FLOATS: std::ops::Range<u32> = 3..6;
    /// The pool of floats of an open precision. Every pool has two registers: some instructions write both.
    pub const SINKS: std::ops::Range<u32> = 6..8;
    /// The pool of doubles; programs without doubles leave it alone.
    pub const DOUBLES: std::ops::Range<u32> = 8..10;
    /// Addresses and conditions that the next instruction uses: eight lanes in turn.
    pub const SCRATCH: [u32; 2] = [10, 11];
    /// Results that nothing reads.
    pub const TRASH: u32 = 12;
    /// What is the same during the whole run of a thread: its number, its number in its group, the first byte of its
    /// region in raw memory, the number of its group.
    pub const THREAD: u32 = 13;
    /// Loop counters of the main program, one a depth, and after them the numbers of rounds; two further registers for
    /// each subroutine.
    pub const COUNTERS: std::ops::Range<u32> = 14..20;
    /// Number of all.
    pub const COUNT: u32 = 20;
}

impl Generator {
    fn emit(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A lane of the scratch register, written by the caller before it is read.
    fn scratch(&mut self) -> String {
        self.scratch = (self.scratch + 1) % 8;
        format!("r{}.{}", temps::SCRATCH[self.scratch / 4], operand::LETTERS[self.scratch % 4])
    }

    fn program(mut self, seed: u64) -> Case {
        self.prologue();
        self.main();
        let resources: Vec<Resource> = self.resources();
        let text = self.assemble_text();
        Case { seed, text, launch: self.launch(), resources, out_of_range: self.out_of_range }
    }
}
