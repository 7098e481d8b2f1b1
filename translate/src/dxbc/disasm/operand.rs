//! Operands as text.
//!
//! Owns register names, indices, selections and modifiers. Must never depend on the instruction beyond a shape.

use super::Text;
use crate::dxbc::letters::{self, IDENTITY, LETTERS, Place};
use crate::dxbc::names;
use crate::dxbc::opcodes::{Class, Role, Shape};
use crate::dxbc::program::{Components, Index, MinPrecision, Operand, RegisterFile};
use crate::dxbc::tokens::is_range;
use std::fmt::Write as _;

/// Class and precision of an arithmetic instruction's result.
#[derive(Clone, Copy)]
pub(super) struct Result {
    pub class: Class,
    pub precision: MinPrecision,
}

impl Text<'_> {
    /// An operand of an instruction.
    pub(super) fn operand(&mut self, operand: &Operand, shape: Shape, place: Place, result: Option<Result>) {
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
        self.nonuniform(operand);
        if self.exact {
            self.unusual_selection(operand, letters::of(operand.components), place);
        }
    }

    pub(super) fn nonuniform(&mut self, operand: &Operand) {
        if operand.nonuniform {
            self.out.push_str(" { nonuniform }");
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
            if let Some(number) = first.as_constant().filter(|_| !bracketed) {
                let _ = write!(self.out, "{number}");
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
        let (offset, Some(id)) = index.parts() else {
            let _ = write!(self.out, "{}", index.parts().0);
            return;
        };
        let operand = self.program.operand(id);
        self.register(operand);
        self.selection(operand);
        if self.exact {
            self.own_precision(operand);
            self.nonuniform(operand);
        }
        let _ = write!(self.out, " + {offset}");
    }

    pub(super) fn selection(&mut self, operand: &Operand) {
        let mut letters = letters::of(operand.components).peekable();
        if letters.peek().is_some() {
            self.out.push('.');
        }
        letters.for_each(|c| self.out.push(LETTERS[usize::from(c & 3)]));
    }

    /// The precision that an operand has, without its instruction's.
    pub(super) fn own_precision(&mut self, operand: &Operand) {
        if operand.min_precision != MinPrecision::Default {
            let _ = write!(self.out, " {{{}}}", names::precision(operand.min_precision));
        }
    }

    fn precision(&mut self, operand: &Operand, shape: Shape, result: Option<Result>) {
        let own = operand.min_precision;
        let wanted = match result {
            Some(result) if shape.role == Role::Src && shape.class == result.class && !self.exact => result.precision,
            _ => own,
        };
        if wanted != own {
            let _ = write!(self.out, " {{{} as {}}}", names::precision(own), names::precision(wanted));
        } else {
            self.own_precision(operand);
        }
    }

    /// Spells out a selection that a reader of the letters before it would not take it for.
    pub(super) fn unusual_selection(&mut self, operand: &Operand, printed: impl Iterator<Item = u8>, place: Place) {
        let literal = matches!(operand.file, RegisterFile::Immediate32 | RegisterFile::Immediate64);
        let usual = match operand.components {
            Components::One if literal => Some(Components::One),
            _ if literal => Some(Components::Swizzle(IDENTITY)),
            _ => letters::read(operand.file, place, &printed.collect::<Vec<_>>()),
        };
        if usual == Some(operand.components) {
            return;
        }
        let kind = names::selection(operand.components);
        let _ = write!(self.out, " {{{kind}");
        for (i, c) in letters::of(operand.components).enumerate() {
            self.out.push_str(if i == 0 { " " } else { "" });
            self.out.push(LETTERS[usize::from(c & 3)]);
        }
        self.out.push('}');
    }
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
