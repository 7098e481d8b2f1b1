//! Where control flow instructions go.
//!
//! Owns the jump targets of a program, found once. Must never look at values.

use crate::Error;
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::dxbc::program::{Program, RegisterFile};
use std::collections::BTreeMap;

/// Where an instruction may go instead of to the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// It always goes to the next instruction.
    #[default]
    Next,
    /// `if` without its condition, `else`, `break`, `continue`, `endloop`: this instruction.
    To(usize),
    /// `switch`: one of its cases.
    Switch(Cases),
}

/// The cases of a `switch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cases {
    /// The instruction after each `case`.
    pub values: BTreeMap<u32, usize>,
    /// The instruction after `default`, or after the switch if it has no default.
    pub default: usize,
}

/// The jump targets of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    targets: Vec<Target>,
    /// The first instruction of each label.
    labels: BTreeMap<u32, usize>,
    /// The first instruction of each function body.
    bodies: BTreeMap<u32, usize>,
}

/// An open construct.
enum Open {
    If { from: usize },
    Loop { start: usize, breaks: Vec<usize> },
    Switch { start: usize, cases: Cases, has_default: bool, breaks: Vec<usize> },
}

const UNBALANCED: &str = "control flow is not balanced";

impl Flow {
    /// Finds the targets of a program.
    pub fn read(program: &Program) -> Result<Flow, Error> {
        let mut flow = Flow { targets: vec![Target::Next; program.instructions.len()], ..Flow::default() };
        let mut open = Vec::new();
        for (index, instruction) in program.instructions.iter().enumerate() {
            let fault = |why: &str| Error::Invalid { index, op: instruction.op, why: why.to_owned() };
            let operand = program.operands_of(instruction).first();
            if instruction.op == Opcode::Label {
                let operand = operand.ok_or_else(|| fault("a label without a number"))?;
                let table =
                    if operand.file == RegisterFile::FunctionBody { &mut flow.bodies } else { &mut flow.labels };
                let number = operand.number().ok_or_else(|| fault("a label that a register chooses"))?;
                if table.insert(number, index + 1).is_some() {
                    return Err(fault("a label that is already defined"));
                }
                continue;
            }
            let value = operand.map_or(0, |operand| operand.literal[0]);
            flow.step(index, instruction.op, value, &mut open).map_err(fault)?;
        }
        Ok(flow)
    }

    /// Returns where an instruction may go.
    pub fn target(&self, index: usize) -> &Target {
        self.targets.get(index).unwrap_or(&Target::Next)
    }

    /// Returns the first instruction of a label or a function body.
    pub fn entry(&self, file: RegisterFile, number: u32) -> Option<usize> {
        let table = if file == RegisterFile::FunctionBody { &self.bodies } else { &self.labels };
        table.get(&number).copied()
    }

    fn set(&mut self, index: usize, target: Target) {
        if let Some(slot) = self.targets.get_mut(index) {
            *slot = target;
        }
    }

    fn step(&mut self, index: usize, op: Opcode, value: u32, open: &mut Vec<Open>) -> Result<(), &'static str> {
        match op {
            Opcode::If => open.push(Open::If { from: index }),
            Opcode::Else => match open.last_mut() {
                Some(Open::If { from }) => {
                    let start = std::mem::replace(from, index);
                    self.set(start, Target::To(index + 1));
                }
                _ => return Err(UNBALANCED),
            },
            Opcode::EndIf => match open.pop() {
                Some(Open::If { from }) => self.set(from, Target::To(index + 1)),
                _ => return Err(UNBALANCED),
            },
            Opcode::Loop => open.push(Open::Loop { start: index, breaks: Vec::new() }),
            Opcode::EndLoop => match open.pop() {
                Some(Open::Loop { start, breaks }) => {
                    self.set(index, Target::To(start + 1));
                    self.all_to(&breaks, index + 1);
                }
                _ => return Err(UNBALANCED),
            },
            Opcode::Switch => open.push(Open::Switch {
                start: index,
                cases: Cases::default(),
                has_default: false,
                breaks: Vec::new(),
            }),
            Opcode::Case | Opcode::Default => match open.last_mut() {
                Some(Open::Switch { cases, .. }) if op == Opcode::Case => {
                    cases.values.entry(value).or_insert(index + 1);
                }
                Some(Open::Switch { cases, has_default, .. }) => {
                    cases.default = index + 1;
                    *has_default = true;
                }
                _ => return Err(UNBALANCED),
            },
            Opcode::EndSwitch => match open.pop() {
                Some(Open::Switch { start, mut cases, has_default, breaks }) => {
                    if !has_default {
                        cases.default = index + 1;
                    }
                    self.set(start, Target::Switch(cases));
                    self.all_to(&breaks, index + 1);
                }
                _ => return Err(UNBALANCED),
            },
            Opcode::Break | Opcode::Breakc => {
                let breaks = open.iter_mut().rev().find_map(|construct| match construct {
                    Open::Loop { breaks, .. } | Open::Switch { breaks, .. } => Some(breaks),
                    Open::If { .. } => None,
                });
                breaks.ok_or("no loop or switch is open here")?.push(index);
            }
            Opcode::Continue | Opcode::Continuec => {
                let start = open.iter().rev().find_map(|construct| match construct {
                    Open::Loop { start, .. } => Some(*start),
                    _ => None,
                });
                self.set(index, Target::To(start.ok_or("no loop is open here")? + 1));
            }
            _ => {}
        }
        Ok(())
    }

    fn all_to(&mut self, from: &[usize], to: usize) {
        for index in from {
            self.set(*index, Target::To(to));
        }
    }
}
