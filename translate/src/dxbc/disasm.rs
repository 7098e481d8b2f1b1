//! The program as text, in the spelling of Microsoft's disassembler.
//!
//! Owns the order of lines and an instruction's line. Must never print what the program does not say, nor fail: a
//! decoded program always has a text.
//!
//! There are two forms. [`disassemble`] is what `fxc /dumpbin` prints without comments. [`disassemble_exact`] says
//! everything that the tokens say, so that an assembler can write them again; it differs in this:
//!
//! - directives (`.input`, `.output`, …) say the signatures and what else the container has that a translation reads;
//! - 32-bit literals are their bits (`l(0x3f800000)`), 64-bit literals too (`d(0x3ff0000000000000)`);
//! - an operand's minimum precision is its own (`{min16f}`), never `{def32 as min16f}`;
//! - a component selection that the letters do not say is spelled out (`{one}`, `{swizzle yyyy}`);
//! - control bits that no spelling covers follow as `{controls 0x..}`;
//! - words after an instruction's operands that mean nothing follow as `{trailing 0x..}`;
//! - custom data blocks of any class are printed (`customdata 0 { 0x.., .. }`), where the plain form leaves them out.

mod declaration;
mod literal;
mod operand;
mod signature;
#[cfg(test)]
mod tests;

pub(super) use signature::{second_mask, usual_code_chunk};

use super::Shader;
use super::letters::{self, LETTERS, Place};
use super::names;
use super::opcodes::{Class, Flags, Kind, Opcode, OpcodeInfo, Shape};
use super::program::{Components, Declaration, Instruction, Operand, Program, ResourceDim, ReturnTypes};
use std::fmt::Write as _;

/// The program as `fxc /dumpbin` lists it, without comments.
pub fn disassemble(shader: &Shader<'_>) -> String {
    program_text(Text::new(&shader.program, false))
}

/// The program with everything its tokens say, and the signatures, for an assembler.
pub fn disassemble_exact(shader: &Shader<'_>) -> String {
    let mut text = Text::new(&shader.program, true);
    text.directives(shader);
    program_text(text)
}

/// One instruction as [`disassemble`] lists it, without indentation; empty for an index past the end.
pub fn instruction(program: &Program, index: usize) -> String {
    let mut text = Text { program, exact: false, out: String::new(), depth: 0 };
    if let Some(instruction) = program.instructions.get(index) {
        text.instruction(instruction);
    }
    text.out.truncate(text.out.trim_end().len());
    text.out
}

fn program_text(mut text: Text<'_>) -> String {
    let (program, exact) = (text.program, text.exact);
    let mut declarations = program.declarations.iter().peekable();
    let mut trailing = program.trailing.iter().peekable();
    for (i, instruction) in program.instructions.iter().enumerate() {
        while let Some(declaration) = declarations.next_if(|d| d.before as usize <= i) {
            text.declaration(declaration);
        }
        text.instruction(instruction);
        while let Some((_, word)) = trailing.next_if(|(at, _)| *at as usize <= i) {
            if exact {
                text.amend(&format!(" {{trailing {word:#010x}}}"));
            }
        }
    }
    declarations.for_each(|d| text.declaration(d));
    text.out
}

/// A text being written.
struct Text<'p> {
    program: &'p Program,
    exact: bool,
    out: String,
    /// Open blocks.
    depth: usize,
}

impl<'p> Text<'p> {
    /// The first line: stage and model.
    fn new(program: &'p Program, exact: bool) -> Self {
        let lines = program.declarations.len() + program.instructions.len();
        let mut out = String::with_capacity(40 * lines);
        let (major, minor) = program.model;
        let _ = writeln!(out, "{}_{major}_{minor}", names::stage(program.ty));
        Text { program, exact, out, depth: 0 }
    }
}

impl Text<'_> {
    fn start_line(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }

    fn end_line(&mut self) {
        self.out.push('\n');
    }

    /// Adds to the line that was just ended.
    fn amend(&mut self, more: &str) {
        if self.out.ends_with('\n') {
            self.out.pop();
        }
        self.out.push_str(more);
        self.out.push('\n');
    }

    fn instruction(&mut self, instruction: &Instruction) {
        use Opcode::*;
        if matches!(instruction.op, Else | EndIf | EndLoop | EndSwitch) {
            self.depth = self.depth.saturating_sub(1);
        }
        self.start_line();
        self.mnemonic(instruction);
        let info = instruction.op.info();
        let operands = self.program.operands_of(instruction);
        let result = result(info, operands);
        for (i, (operand, shape)) in operands.iter().zip(info.operands).enumerate() {
            self.out.push_str(if i == 0 { " " } else { ", " });
            self.operand(operand, listed_shape(instruction.op, i, *shape), Place::of(shape.role, i), result);
        }
        if instruction.op == Fcall {
            let _ = write!(self.out, "[{}]", instruction.extra);
        }
        if self.exact {
            self.uncovered_controls(instruction.controls, covered(instruction));
        }
        self.end_line();
        if matches!(instruction.op, If | Else | Loop | Switch) {
            self.depth += 1;
        }
    }

    fn mnemonic(&mut self, instruction: &Instruction) {
        let info = instruction.op.info();
        self.out.push_str(info.mnemonic);
        // A query's suffix stands after the lists, when there are any.
        let view = says_view(instruction, self.exact);
        if !view {
            self.own_suffixes(instruction.op, instruction.controls);
        }
        if info.flags.has(Flags::TEST) {
            self.out.push_str(if instruction.test_nonzero { "_nz" } else { "_z" });
        }
        if instruction.saturate {
            self.out.push_str("_sat");
        }
        let offsets = instruction.has_offsets;
        if offsets {
            self.out.push_str("_aoffimmi");
        }
        if view {
            self.out.push_str("_indexable");
        }
        self.precise(instruction.precise);
        if offsets {
            let [u, v, w] = instruction.offsets;
            let _ = write!(self.out, "({u},{v},{w})");
        }
        if view {
            self.resource_lists(instruction);
            self.own_suffixes(instruction.op, instruction.controls);
        }
    }

    fn precise(&mut self, mask: u8) {
        match mask {
            0 => {}
            15 => self.out.push_str(" [precise]"),
            _ => {
                self.out.push_str(" [precise(");
                self.letters(mask);
                self.out.push_str(")]");
            }
        }
    }

    fn resource_lists(&mut self, instruction: &Instruction) {
        let _ = write!(self.out, "({}", names::DIMENSIONS[instruction.dim as usize]);
        if instruction.dim == ResourceDim::StructuredBuffer || (self.exact && instruction.stride != 0) {
            let _ = write!(self.out, ", stride={}", instruction.stride);
        }
        self.out.push(')');
        if instruction.returns != ReturnTypes::default() {
            self.return_types(instruction.returns);
        }
    }

    fn return_types(&mut self, returns: ReturnTypes) {
        let name = |c| names::RETURN_TYPES.get(usize::from(returns.of(c))).copied().unwrap_or("undefined");
        let _ = write!(self.out, "({},{},{},{})", name(0), name(1), name(2), name(3));
    }

    /// Suffixes of the opcode's own control bits; gives the bits that it has suffixes for.
    fn own_suffixes(&mut self, op: Opcode, controls: u16) -> u16 {
        let mut covered = 0;
        for (bit, name) in names::suffixes(op) {
            self.out.push_str(if controls & bit != 0 { name } else { "" });
            covered |= bit;
        }
        covered
    }

    fn letters(&mut self, mask: u8) {
        letters::of(Components::Mask(mask)).for_each(|c| self.out.push(LETTERS[usize::from(c & 3)]));
    }

    /// Control bits that the text does not say otherwise.
    fn uncovered_controls(&mut self, controls: u16, covered: u16) {
        let rest = controls & !covered;
        if rest != 0 {
            let _ = write!(self.out, " {{controls {rest:#x}}}");
        }
    }

    fn plain_words(&mut self, declaration: &Declaration) {
        for (i, word) in self.program.extra_of(declaration).iter().enumerate() {
            let _ = write!(self.out, "{}{word:#010x}", if i == 0 { "" } else { ", " });
        }
    }
}

/// Control bits of an instruction that its line spells: saturation, test, precise, and the opcode's own.
fn covered(instruction: &Instruction) -> u16 {
    const PRECISE: u16 = 0xf << 8;
    let flags = instruction.op.info().flags;
    let mut bits = PRECISE;
    if flags.has(Flags::SAT) {
        bits |= 1 << 2;
    }
    if flags.has(Flags::TEST) {
        bits |= 1 << 7;
    }
    names::suffixes(instruction.op).iter().fold(bits, |bits, (bit, _)| bits | bit)
}

/// Whether an instruction's line has the lists of the view that it works on.
fn says_view(instruction: &Instruction, exact: bool) -> bool {
    let types_alone = instruction.returns != ReturnTypes::default() || instruction.stride != 0;
    instruction.dim != ResourceDim::Unknown || (exact && types_alone)
}

/// Class and precision of an arithmetic instruction's result, which its sources' precisions are listed against.
fn result(info: &OpcodeInfo, operands: &[Operand]) -> Option<operand::Result> {
    let (first, shape) = (operands.first()?, info.operands.first()?);
    (info.kind == Kind::Alu).then_some(operand::Result { class: shape.class, precision: first.min_precision })
}

/// The shape that Microsoft's listing goes by, where it is not the one that the value has.
pub(super) fn listed_shape(op: Opcode, operand: usize, shape: Shape) -> Shape {
    use Opcode::*;
    let class = match (op, operand) {
        // Coordinates of a typed store are listed like its value.
        (StoreUavTyped, 1) => Class::Bits,
        // Shift counts and bit offsets have no precision of their own.
        (Ishl | Ishr | Ushr | Ubfe | Ibfe | Bfi, 2) => Class::None,
        _ => shape.class,
    };
    Shape { class, ..shape }
}
