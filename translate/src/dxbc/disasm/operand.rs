//! Operands as text.
//!
//! Owns register names, indices, selections and modifiers. Must never depend on the instruction beyond a shape.

use super::Text;
use crate::dxbc::names;
use crate::dxbc::opcodes::{Class, Role, Shape};
use crate::dxbc::program::{Components, Index, MinPrecision, Operand, RegisterFile};
use std::fmt::Write as _;

/// `.xyzw`.
const IDENTITY: u8 = 0xe4;

/// Class and precision of an arithmetic instruction's result.
#[derive(Clone, Copy)]
pub(super) struct Result {
    pub class: Class,
    pub precision: MinPrecision,
}

impl Text<'_> {
    /// An operand of an instruction.
    pub(super) fn operand(&mut self, operand: &Operand, shape: Shape, result: Option<Result>) {
        if operand.neg {
            self.out.push('-');
        }
        if operand.abs {
            self.out.push('|');
        }
        match operand.file {
            RegisterFile::Immediate32 => self.literal32(operand, shape.class),
            RegisterFile::Immediate64 => self.literal64(operand),
            _ => {
                self.register(operand);
                self.selection(operand);
            }
        }
        self.precision(operand, shape, result);
        if operand.abs {
            self.out.push('|');
        }
        if operand.nonuniform {
            self.out.push_str(" { nonuniform }");
        }
        if self.exact && operand.components != usual_components(operand, shape.role) {
            self.unusual_components(operand);
        }
    }

    /// A register with its indices, without its selection.
    pub(super) fn register(&mut self, operand: &Operand) {
        let used = &operand.index[..usize::from(operand.index_count)];
        let ranges = self.program.model == (5, 1);
        let name = names::file(operand.file);
        if ranges && is_range(operand.file) {
            self.out.push_str(&name.to_ascii_uppercase());
        } else {
            self.out.push_str(name);
        }
        // A register's number follows its name; a vertex, or a number that is not constant, stands in brackets.
        let mut rest = used;
        if let Some((first, others)) = used.split_first() {
            let bracketed = bracketed_first(operand.file) || per_vertex(operand);
            if first.relative.is_none() && !bracketed {
                let _ = write!(self.out, "{}", first.offset);
                rest = others;
            }
        }
        for index in rest {
            self.out.push('[');
            self.index(index);
            self.out.push(']');
        }
    }

    fn index(&mut self, index: &Index) {
        let Some(id) = index.relative else {
            let _ = write!(self.out, "{}", index.offset);
            return;
        };
        let operand = self.program.operand(id);
        self.register(operand);
        self.selection(operand);
        let _ = write!(self.out, " + {}", index.offset);
    }

    pub(super) fn selection(&mut self, operand: &Operand) {
        match operand.components {
            Components::None | Components::One | Components::Mask(0) => {}
            Components::Mask(mask) => {
                self.out.push('.');
                self.letters(mask);
            }
            Components::Select(c) => {
                self.out.push('.');
                self.letter(c);
            }
            Components::Swizzle(swizzle) => {
                self.out.push('.');
                (0..4).for_each(|lane| self.letter(swizzle >> (2 * lane) & 3));
            }
        }
    }

    fn letter(&mut self, component: u8) {
        self.letters(1 << component);
    }

    fn precision(&mut self, operand: &Operand, shape: Shape, result: Option<Result>) {
        let own = operand.min_precision;
        let wanted = match result {
            Some(result) if shape.role == Role::Src && shape.class == result.class && !self.exact => result.precision,
            _ => own,
        };
        if wanted != own {
            let _ = write!(self.out, " {{{} as {}}}", names::precision(own), names::precision(wanted));
        } else if own != MinPrecision::Default {
            let _ = write!(self.out, " {{{}}}", names::precision(own));
        }
    }

    /// Says the selection of an operand that another assembler would not guess.
    pub(super) fn unusual_components(&mut self, operand: &Operand) {
        let literal = matches!(operand.file, RegisterFile::Immediate32 | RegisterFile::Immediate64);
        match operand.components {
            Components::None => self.out.push_str(" {none}"),
            Components::One => self.out.push_str(" {one}"),
            Components::Mask(0) => self.out.push_str(" {mask}"),
            // Elsewhere the letters have said it.
            _ if literal => {
                self.out.push_str(" {");
                self.selection(operand);
                self.out.push('}');
            }
            Components::Mask(_) => self.out.push_str(" {mask}"),
            Components::Swizzle(_) => self.out.push_str(" {swizzle}"),
            Components::Select(_) => {}
        }
    }
}

/// Files whose operands of 5.1 name a range of registers.
pub(super) fn is_range(file: RegisterFile) -> bool {
    use RegisterFile::*;
    matches!(file, Sampler | Resource | ConstantBuffer | UnorderedAccessView)
}

/// Files of which there is one, indexed by element.
fn bracketed_first(file: RegisterFile) -> bool {
    matches!(file, RegisterFile::ImmediateConstantBuffer | RegisterFile::ThisPointer)
}

/// Attributes with a vertex before the register.
fn per_vertex(operand: &Operand) -> bool {
    use RegisterFile::*;
    matches!(operand.file, Input | InputControlPoint | OutputControlPoint) && operand.index_count == 2
}

/// The selection that a reader of the text takes an operand to have, given the letters that it sees.
fn usual_components(operand: &Operand, role: Role) -> Components {
    use RegisterFile::*;
    match operand.file {
        Immediate32 | Immediate64 => match operand.components {
            Components::One => Components::One,
            _ => Components::Swizzle(IDENTITY),
        },
        // No letters: null and the files of whole things have no components, scalar registers have one.
        Null | Label | FunctionBody | Stream | Interface | Sampler | UnorderedAccessView | ThreadGroupSharedMemory
            if no_letters(operand) =>
        {
            Components::None
        }
        _ if no_letters(operand) => Components::One,
        // One letter selects, four are a swizzle; on a destination letters are a mask.
        _ => match (role, operand.components) {
            (Role::Dst | Role::Declared, components) => Components::Mask(components.mask()),
            (Role::Uav | Role::UavOrShared, Components::Mask(mask)) => Components::Mask(mask),
            (_, Components::Mask(15)) => Components::Swizzle(IDENTITY),
            (_, components) => components,
        },
    }
}

fn no_letters(operand: &Operand) -> bool {
    matches!(operand.components, Components::None | Components::One | Components::Mask(0))
}
