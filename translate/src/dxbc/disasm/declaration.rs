//! Declarations as text.
//!
//! Owns one line a declaration, and the blocks of custom data. Must never print a range of registers that the
//! declaration does not have.

use super::Text;
use crate::dxbc::letters::{self, Place};
use crate::dxbc::names;
use crate::dxbc::opcodes::{Class, Opcode};
use crate::dxbc::program::{Declaration, Operand, ReturnTypes};
use crate::dxbc::tokens::{custom, is_range};
use std::fmt::Write as _;

/// Name of a number, from a table that the decoder has held the number against.
fn named<'n>(table: &[&'n str], number: u16) -> &'n str {
    table.get(usize::from(number)).copied().unwrap_or("undefined")
}

impl Text<'_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration) {
        if declaration.op == Opcode::CustomData {
            return self.custom_data(declaration);
        }
        self.start_line();
        let covered = self.declaration_line(declaration);
        if self.exact {
            self.uncovered_controls(declaration.controls, covered);
        }
        self.end_line();
    }

    /// Writes the line; gives the control bits that it says.
    fn declaration_line(&mut self, declaration: &Declaration) -> u16 {
        use Opcode::*;
        let controls = declaration.controls;
        let extra = self.program.extra_of(declaration);
        let first = extra.first().copied().unwrap_or(0);
        self.out.push_str(declaration.op.mnemonic());
        match declaration.op {
            DclResource | DclUavTyped => return self.typed(declaration),
            DclResourceRaw | DclUavRaw | DclResourceStructured | DclUavStructured => return self.untyped(declaration),
            DclConstantBuffer => return self.constant_buffer(declaration),
            DclSampler => {
                self.declared_range(declaration);
                let _ = write!(self.out, ", {}", named(&names::SAMPLER_MODES, controls & 15));
                self.space(declaration, 0);
                return 15;
            }
            DclInputPs | DclInputPsSgv | DclInputPsSiv => {
                let _ = write!(self.out, " {}", named(&names::INTERPOLATIONS, controls & 15));
                self.attribute(declaration);
                return 15;
            }
            DclIndexRange => {
                self.attribute(declaration);
                let _ = write!(self.out, " {first}");
            }
            DclGlobalFlags => return self.global_flags(controls),
            DclGsOutputPrimitiveTopology => return self.name(&names::TOPOLOGIES, controls, 0x7f),
            DclGsInputPrimitive => return self.primitive(controls),
            DclTessDomain => return self.name(&names::DOMAINS, controls, 3),
            DclTessPartitioning => return self.name(&names::PARTITIONINGS, controls, 7),
            DclTessOutputPrimitive => return self.name(&names::TESS_PRIMITIVES, controls, 7),
            DclInputControlPointCount | DclOutputControlPointCount => {
                let _ = write!(self.out, " {}", controls & 0x3f);
                return 0x3f;
            }
            DclIndexableTemp => {
                let [register, elements, components] = array(extra);
                let _ = write!(self.out, " x{register}[{elements}], {components}");
            }
            DclHsMaxTessfactor => {
                self.out.push_str(" l(");
                self.number(first, Class::Float);
                self.out.push(')');
            }
            DclFunctionBody => {
                let _ = write!(self.out, " fb{first}");
            }
            DclFunctionTable => {
                let _ = write!(self.out, " ft{first} = {{");
                self.list("fb", extra.get(2..).unwrap_or_default());
            }
            DclInterface => return self.interface(declaration),
            DclTgsmRaw | DclTgsmStructured => {
                self.declared_range(declaration);
                self.numbers(extra);
            }
            DclStream => self.declared_range(declaration),
            _ if declaration.operand_count > 0 => self.attribute(declaration),
            _ => {
                self.out.push_str(if extra.is_empty() { "" } else { " " });
                extra.iter().enumerate().for_each(|(i, n)| {
                    let _ = write!(self.out, "{}{n}", if i == 0 { "" } else { ", " });
                });
            }
        }
        0
    }

    fn name(&mut self, table: &[&str], controls: u16, mask: u16) -> u16 {
        let _ = write!(self.out, " {}", named(table, controls & mask));
        mask
    }

    fn numbers(&mut self, numbers: &[u32]) {
        for number in numbers {
            let _ = write!(self.out, ", {number}");
        }
    }

    fn list(&mut self, prefix: &str, numbers: &[u32]) {
        for (i, number) in numbers.iter().enumerate() {
            let _ = write!(self.out, "{}{prefix}{number}", if i == 0 { "" } else { ", " });
        }
        self.out.push('}');
    }

    /// An input or output, and the system value that follows it.
    fn attribute(&mut self, declaration: &Declaration) {
        use Opcode::*;
        for operand in self.program.operands_of_declaration(declaration) {
            self.out.push(' ');
            self.register(operand);
            self.selection(operand);
            self.own_precision(operand);
            self.declared_rest(operand, letters::of(operand.components));
        }
        let named_value = matches!(
            declaration.op,
            DclInputSgv | DclInputSiv | DclInputPsSgv | DclInputPsSiv | DclOutputSgv | DclOutputSiv
        );
        if let (true, Some(value)) = (named_value, self.program.extra_of(declaration).first()) {
            let name = names::SYSTEM_VALUES.get(*value as usize).copied().unwrap_or("undefined");
            let _ = write!(self.out, ", {name}");
        }
    }

    /// What an assembler would not know of a declared register.
    fn declared_rest(&mut self, operand: &Operand, printed: impl Iterator<Item = u8>) {
        if self.exact {
            self.nonuniform(operand);
            self.unusual_selection(operand, printed, Place::Declared { ranges: self.program.model == (5, 1) });
        }
    }

    /// The same of a register that is printed without letters and precision.
    fn declared_whole(&mut self, operand: &Operand) {
        if self.exact {
            self.own_precision(operand);
            self.declared_rest(operand, std::iter::empty());
        }
    }

    /// A register that is declared, with its range in 5.1: `t0`, `T0[3:5]`, `T0[3:*]`.
    fn declared_range(&mut self, declaration: &Declaration) {
        for operand in self.program.operands_of_declaration(declaration) {
            self.out.push(' ');
            let [id, lower, upper] = operand.index.map(|i| i.parts().0);
            let name = names::file(operand.file);
            if self.program.model == (5, 1) && is_range(operand.file) {
                let _ = write!(self.out, "{}{id}[{lower}:", name.to_ascii_uppercase());
                match upper {
                    u32::MAX => self.out.push_str("*]"),
                    _ => {
                        let _ = write!(self.out, "{upper}]");
                    }
                }
            } else {
                let _ = write!(self.out, "{name}{id}");
            }
            self.declared_whole(operand);
        }
    }

    /// The register space (5.1), which is the last word from `at` on.
    fn space(&mut self, declaration: &Declaration, at: usize) {
        if let Some(space) = self.program.extra_of(declaration).get(at) {
            let _ = write!(self.out, ", space={space}");
        }
    }

    fn typed(&mut self, declaration: &Declaration) -> u16 {
        let controls = declaration.controls;
        let dimension = controls & 31;
        let _ = write!(self.out, "_{}", named(&names::DIMENSIONS, dimension));
        let covered = if declaration.op == Opcode::DclUavTyped {
            31 | self.own_suffixes(declaration.op, controls)
        } else {
            // Multisampled textures say their number of samples.
            let multisampled = matches!(dimension, 4 | 9);
            if multisampled {
                let _ = write!(self.out, "({})", controls >> 5 & 0x7f);
            }
            if multisampled { 0xfff } else { 31 }
        };
        self.out.push(' ');
        let returns = self.program.extra_of(declaration).first().copied().unwrap_or(0);
        self.return_types(ReturnTypes(returns as u16));
        self.declared_range(declaration);
        self.space(declaration, 1);
        covered
    }

    fn untyped(&mut self, declaration: &Declaration) -> u16 {
        use Opcode::*;
        let covered = self.own_suffixes(declaration.op, declaration.controls);
        self.declared_range(declaration);
        if matches!(declaration.op, DclResourceStructured | DclUavStructured) {
            let stride = self.program.extra_of(declaration).first().copied().unwrap_or(0);
            let _ = write!(self.out, ", {stride}");
            self.space(declaration, 1);
        } else {
            self.space(declaration, 0);
        }
        covered
    }

    fn constant_buffer(&mut self, declaration: &Declaration) -> u16 {
        let extra = self.program.extra_of(declaration);
        for operand in self.program.operands_of_declaration(declaration) {
            let [id, second, third] = operand.index.map(|i| i.parts().0);
            let _ = write!(self.out, " CB{id}");
            let size = if self.program.model == (5, 1) {
                let _ = match third {
                    u32::MAX => write!(self.out, "[{second}:*]"),
                    _ => write!(self.out, "[{second}:{third}]"),
                };
                extra.first().copied().unwrap_or(0)
            } else {
                second
            };
            let _ = write!(self.out, "[{size}]");
            self.declared_whole(operand);
        }
        let _ = write!(self.out, ", {}", named(&names::ACCESS_PATTERNS, declaration.controls & 1));
        self.space(declaration, 1);
        1
    }

    fn global_flags(&mut self, controls: u16) -> u16 {
        let mut separator = " ";
        for (bit, name) in names::GLOBAL_FLAGS.iter().enumerate() {
            if controls & 1 << bit != 0 {
                let _ = write!(self.out, "{separator}{name}");
                separator = " | ";
            }
        }
        (1 << names::GLOBAL_FLAGS.len()) - 1
    }

    fn primitive(&mut self, controls: u16) -> u16 {
        match controls & 0x3f {
            n if n >= names::FIRST_PATCH => {
                let _ = write!(self.out, " patch{}", n - names::FIRST_PATCH + 1);
            }
            n => {
                let _ = write!(self.out, " {}", named(&names::PRIMITIVES, n));
            }
        }
        0x3f
    }

    /// `dcl_interface fp0[objects][call sites] = {tables}`.
    fn interface(&mut self, declaration: &Declaration) -> u16 {
        let extra = self.program.extra_of(declaration);
        let [id, sites, lengths] = array(extra);
        let covered = self.own_suffixes(declaration.op, declaration.controls);
        let _ = write!(self.out, " fp{id}[{}][{sites}] = {{", lengths >> 16);
        self.list("ft", extra.get(3..).unwrap_or_default());
        covered
    }

    fn custom_data(&mut self, declaration: &Declaration) {
        let extra = self.program.extra_of(declaration);
        match declaration.controls {
            custom::IMMEDIATE_CONSTANTS => self.immediate_constants(extra),
            custom::SHADER_MESSAGE if self.message(declaration) => {}
            _ if self.exact => {
                self.start_line();
                let _ = write!(self.out, "customdata {} {{ ", declaration.controls);
                self.plain_words(declaration);
                self.out.push_str(" }\n");
            }
            _ => {}
        }
    }

    fn immediate_constants(&mut self, words: &[u32]) {
        let head = names::IMMEDIATE_CONSTANTS.len() + " { ".len();
        let _ = write!(self.out, "{} {{ ", names::IMMEDIATE_CONSTANTS);
        for (i, vector) in words.chunks_exact(4).enumerate() {
            if i > 0 {
                let _ = write!(self.out, ",\n{:head$}", "");
            }
            self.out.push_str("{ ");
            for (c, bits) in vector.iter().enumerate() {
                self.out.push_str(if c == 0 { "" } else { ", " });
                self.number(*bits, Class::Bits);
            }
            self.out.push('}');
        }
        self.out.push_str(" }\n");
    }

    /// `printf "text", operands`; false when the block is not of that kind.
    fn message(&mut self, declaration: &Declaration) -> bool {
        let extra = self.program.extra_of(declaration);
        let [id, _format, characters, _operands, length] = array(extra);
        let name = names::MESSAGES.iter().find(|(number, _)| *number == id);
        let text = extra.get(5 + length as usize..);
        let (Some((_, name)), Some(text)) = (name, text) else { return false };
        if self.exact {
            // Everything, the text included, as words: its padding is part of the block.
            return false;
        }
        let bytes: Vec<u8> = text.iter().flat_map(|w| w.to_le_bytes()).take(characters as usize).collect();
        self.start_line();
        let _ = write!(self.out, "{name} \"{}\"", String::from_utf8_lossy(&bytes));
        for operand in self.program.operands_of_declaration(declaration) {
            self.out.push_str(", ");
            self.register(operand);
            self.selection(operand);
        }
        self.end_line();
        true
    }
}

/// The first words of a declaration; absent ones are 0.
fn array<const N: usize>(words: &[u32]) -> [u32; N] {
    std::array::from_fn(|i| words.get(i).copied().unwrap_or(0))
}
