//! Control flow: the statements of a program, nested blocks with every kind of exit, subroutines.

use super::{Generator, Pool, temps};
use rx_translate::dxbc::opcodes::Class;

/// Longest that one instruction may be repeated by the loops and calls around it.
const MOST_RUNS: u32 = 24;

/// Where the generator is in the program's flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    /// Blocks around the next instruction.
    depth: u32,
    /// Loops around it, in its function.
    loops: usize,
    /// The innermost block that `break` leaves; `None` outside both kinds.
    breakable: Option<Breakable>,
    /// The function: 0 is the main program.
    function: u32,
    /// Statements left.
    left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breakable {
    Loop,
    Switch,
}

impl Generator {
    /// The main program after its prologue, its end, and the subroutines.
    pub(super) fn main(&mut self) {
        self.place.runs = 1;
        self.flow = Flow { left: self.plan.size, ..Flow::default() };
        let phases = if self.plan.memory.group_memory { 1 + self.numbers.below(3) } else { 0 };
        self.place.barriers_follow = phases > 0;
        for phase in 0..phases {
            self.phase(phase == 0);
            self.block(2);
        }
        self.place.barriers_follow = false;
        while self.flow.left > 0 {
            self.statement();
        }
        self.epilogue();
        self.emit("ret");
        for function in 1..=self.plan.subroutines {
            self.emit(format!("label label{}", function - 1));
            self.flow = Flow { function, left: 5, ..Flow::default() };
            // A call may be in loops of the caller.
            self.place.runs = MOST_RUNS / 4;
            while self.flow.left > 0 {
                self.statement();
            }
            self.emit("ret");
        }
    }

    /// Up to so many statements.
    fn block(&mut self, most: u32) {
        for _ in 0..self.numbers.below(most + 1) {
            if self.flow.left > 0 {
                self.statement();
            }
        }
    }

    /// At least one statement.
    fn body(&mut self, most: u32) {
        self.statement();
        self.block(most - 1);
    }

    /// One statement: mostly arithmetic.
    pub(super) fn statement(&mut self) {
        self.flow.left = self.flow.left.saturating_sub(1);
        let nests = self.flow.depth < self.plan.depth && self.flow.left > 0;
        let weight = |does: bool, weight: u32| if does { weight } else { 0 };
        let memory = self.memory_weight();
        let calls = self.flow.function < self.plan.subroutines && self.place.runs * 2 <= MOST_RUNS;
        let loops = nests && self.flow.loops < 4 && self.place.runs * 2 <= MOST_RUNS;
        let exits = self.flow.depth > 0 || self.flow.function > 0;
        let weights =
            [60, memory, weight(nests, 12), weight(loops, 8), weight(nests, 6), weight(calls, 10), weight(exits, 7), 1];
        match self.numbers.weighted(&weights) {
            1 => self.memory(),
            2 => self.if_block(),
            3 => self.loop_block(),
            4 => self.switch_block(),
            5 => self.call(),
            6 => self.exit(),
            7 => self.emit("nop"),
            _ => self.arithmetic(),
        }
    }

    /// Statements one block deeper.
    fn nested(&mut self, most: u32) {
        self.flow.depth += 1;
        self.body(most);
        self.flow.depth -= 1;
    }

    fn if_block(&mut self) {
        let (test, condition) = (self.test(), self.condition());
        self.emit(format!("if_{test} {condition}"));
        self.nested(4);
        if self.numbers.chance(50) {
            self.emit("else");
            self.nested(4);
        }
        self.emit("endif");
    }

    /// A loop of a few rounds; how many, a constant or a register says.
    fn loop_block(&mut self) {
        let register = temps::COUNTERS.start + 2 * self.flow.function;
        let lane = super::operand::LETTERS[self.flow.loops];
        let (counter, rounds) = (format!("r{register}.{lane}"), format!("r{}.{lane}", register + 1));
        let most = self.numbers.pick(&[1, 2, 3]).min(MOST_RUNS / self.place.runs);
        self.emit(format!("mov {counter}, l(0)"));
        let end = if self.numbers.chance(40) && most == 3 {
            let from = self.scalar(Pool::Bits, Class::Mask);
            self.emit(format!("and {rounds}, {from}, l(3)"));
            rounds
        } else {
            format!("l({most})")
        };
        self.emit("loop");
        let condition = self.scratch();
        if self.numbers.chance(70) {
            self.emit(format!("uge {condition}, {counter}, {end}"));
            self.emit(format!("breakc_nz {condition}"));
        } else {
            self.emit(format!("ult {condition}, {counter}, {end}"));
            self.emit(format!("if_z {condition}"));
            self.emit("break");
            self.emit("endif");
        }
        self.emit(format!("iadd {counter}, {counter}, l(1)"));
        let (outer, runs) = (self.flow.breakable.replace(Breakable::Loop), self.place.runs);
        self.flow.loops += 1;
        self.place.runs *= most;
        self.nested(5);
        self.flow.loops -= 1;
        self.flow.breakable = outer;
        self.place.runs = runs;
        self.emit("endloop");
    }

    /// A switch with a default at any place or none, shared cases, and cases that fall through.
    fn switch_block(&mut self) {
        let selector = if self.numbers.chance(60) {
            let (from, to) = (self.scalar(Pool::Bits, Class::Mask), self.scratch());
            self.emit(format!("and {to}, {from}, l(3)"));
            to
        } else {
            self.scalar(Pool::Bits, Class::Uint)
        };
        self.emit(format!("switch {selector}"));
        let count = 1 + self.numbers.below(4);
        let default = self.numbers.chance(75).then(|| self.numbers.below(count));
        let mut values: Vec<u32> = (0..4).chain([u32::MAX, 0x8000_0000]).collect();
        let outer = self.flow.breakable.replace(Breakable::Switch);
        for case in 0..count {
            let labels = if self.numbers.chance(20) { 2 } else { 1 };
            for _ in 0..labels {
                if values.is_empty() {
                    break;
                }
                let value = values.remove(self.numbers.below(values.len() as u32) as usize);
                self.emit(format!("case l({value:#x})"));
            }
            if default == Some(case) {
                self.emit("default");
            }
            // An empty case shares the next one's statements.
            let last = case + 1 == count;
            if !last && self.numbers.chance(15) {
                continue;
            }
            self.nested(3);
            if last || self.numbers.chance(75) {
                self.emit("break");
            }
        }
        self.flow.breakable = outer;
        self.emit("endswitch");
    }

    /// A call of a later subroutine.
    fn call(&mut self) {
        let first = self.flow.function;
        let label = first + self.numbers.below(self.plan.subroutines - first);
        if self.numbers.chance(50) {
            self.emit(format!("call label{label}"));
        } else {
            let (test, condition) = (self.test(), self.condition());
            self.emit(format!("callc_{test} {condition}, label{label}"));
        }
    }

    /// Leaves a block, a round or the function, mostly under a condition.
    fn exit(&mut self) {
        let loops = self.flow.loops > 0;
        let breaks = self.flow.breakable.is_some();
        let returns = self.flow.function > 0 || !self.place.barriers_follow;
        let weight = |does: bool, weight: u32| if does { weight } else { 0 };
        let word = match self.numbers.weighted(&[
            weight(breaks, 4),
            weight(loops, 4),
            weight(returns, if self.flow.function > 0 { 4 } else { 1 }),
            weight(self.plan.kind == super::plan::Kind::Pixel, 1),
            1,
        ]) {
            0 if breaks => "break",
            1 if loops => "continue",
            2 if returns => "ret",
            3 if self.plan.kind == super::plan::Kind::Pixel => return self.discard(),
            _ => return self.arithmetic(),
        };
        let main = word == "ret" && self.flow.function == 0;
        match self.numbers.weighted(&[6, 3, 1]) {
            0 if !main => {
                let (test, condition) = (self.test(), self.condition());
                self.emit(format!("{word}c_{test} {condition}"));
            }
            // What follows in the block is never run.
            2 if self.flow.depth > 0 => self.emit(word),
            _ => {
                let (test, condition) = (self.test(), self.condition());
                self.emit(format!("if_{test} {condition}"));
                if main {
                    self.early_results();
                } else if self.numbers.chance(60) {
                    self.arithmetic();
                }
                self.emit(word);
                self.emit("endif");
            }
        }
    }

    /// Whether the next instruction is in the main program.
    pub(super) fn flow_is_main(&self) -> bool {
        self.flow.function == 0
    }

    fn discard(&mut self) {
        let (test, condition) = (self.test(), self.condition());
        self.emit(format!("discard_{test} {condition}"));
    }
}
