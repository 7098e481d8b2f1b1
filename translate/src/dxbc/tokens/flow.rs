//! Control flow nesting.
//!
//! Owns what may stand where. Must never look at values.

use super::Fault;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Operand, RegisterFile};
use crate::ledger;

/// Deepest nesting of flow control (Direct3D 11.3, 7.2 and 22.8: 64 levels).
pub(super) const MAX_DEPTH: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    If,
    Else,
    Loop,
    /// A switch before its first case.
    SwitchHead,
    Switch,
}

/// The constructs that are open at a point of the program.
#[derive(Default)]
pub(super) struct Nesting {
    open: Vec<Open>,
    loops: u32,
    switches: u32,
}

fn unbalanced(what: &'static str) -> Fault {
    Fault::new(ledger::BAD_NESTING, what)
}

impl Nesting {
    /// One instruction on.
    pub(super) fn step(&mut self, op: Opcode, operands: &[Operand]) -> Result<(), Fault> {
        let top = self.open.last().copied();
        let in_head = top == Some(Open::SwitchHead);
        if in_head && !matches!(op, Opcode::Case | Opcode::Default | Opcode::EndSwitch) {
            return Err(unbalanced("between `switch` and its first `case`"));
        }
        match op {
            Opcode::If => self.push(Open::If),
            Opcode::Loop => self.push(Open::Loop),
            Opcode::Switch => self.push(Open::SwitchHead),
            Opcode::Else if top == Some(Open::If) => self.replace(Open::Else),
            Opcode::Else => Err(unbalanced("no `if` is open here")),
            Opcode::EndIf => self.pop(&[Open::If, Open::Else], "no `if` is open here"),
            Opcode::EndLoop => self.pop(&[Open::Loop], "no `loop` is open here"),
            Opcode::EndSwitch => self.pop(&[Open::Switch, Open::SwitchHead], "no `switch` is open here"),
            Opcode::Case if operands.first().is_none_or(|o| o.file != RegisterFile::Immediate32) => {
                Err(Fault::operand("a case needs a literal"))
            }
            Opcode::Case | Opcode::Default if in_head => self.replace(Open::Switch),
            Opcode::Case | Opcode::Default if top == Some(Open::Switch) => Ok(()),
            Opcode::Case | Opcode::Default => Err(unbalanced("no `switch` is open here")),
            Opcode::Break | Opcode::Breakc if self.loops + self.switches == 0 => {
                Err(unbalanced("outside any `loop` or `switch`"))
            }
            Opcode::Continue | Opcode::Continuec if self.loops == 0 => Err(unbalanced("outside any `loop`")),
            Opcode::Label => self.finish(),
            _ => Ok(()),
        }
    }

    /// At the end of a program, a phase or a function body.
    pub(super) fn finish(&self) -> Result<(), Fault> {
        match self.open.last() {
            None => Ok(()),
            Some(Open::If | Open::Else) => Err(unbalanced("an `if` is still open")),
            Some(Open::Loop) => Err(unbalanced("a `loop` is still open")),
            Some(Open::Switch | Open::SwitchHead) => Err(unbalanced("a `switch` is still open")),
        }
    }

    fn push(&mut self, open: Open) -> Result<(), Fault> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Fault::limit(format!("flow control nested deeper than {MAX_DEPTH}")));
        }
        match open {
            Open::Loop => self.loops += 1,
            Open::SwitchHead => self.switches += 1,
            _ => {}
        }
        self.open.push(open);
        Ok(())
    }

    fn replace(&mut self, open: Open) -> Result<(), Fault> {
        if let Some(top) = self.open.last_mut() {
            *top = open;
        }
        Ok(())
    }

    fn pop(&mut self, kinds: &[Open], what: &'static str) -> Result<(), Fault> {
        match self.open.pop() {
            Some(open) if kinds.contains(&open) => {
                match open {
                    Open::Loop => self.loops -= 1,
                    Open::Switch | Open::SwitchHead => self.switches -= 1,
                    _ => {}
                }
                Ok(())
            }
            _ => Err(unbalanced(what)),
        }
    }
}
