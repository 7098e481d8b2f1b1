//! A program's tables as token words: what [`tokens::decode`](crate::dxbc::tokens::decode) reads.
//!
//! Owns the choices that the format leaves to a writer, made as FXC makes them: 32-bit indices, extended tokens only where
//! they say something, the selection of a literal's four components as an empty mask. Must never judge a program: the
//! decoder does.

use crate::dxbc::letters::IDENTITY;
use crate::dxbc::opcodes::{Kind, Opcode};
use crate::dxbc::program::{
    Components, Declaration, Index, Instruction, MinPrecision, Operand, Program, RegisterFile, ResourceDim, ReturnTypes,
};

/// Most words of an instruction: what its length field can say.
pub(super) const MAX_WORDS: usize = 127;

/// A program's words.
pub(super) struct Encoded {
    /// The contents of the code chunk.
    pub words: Vec<u32>,
    /// Items in order: the word that each begins at, and its own `offset` field.
    pub starts: Vec<(u32, u32)>,
}

/// An item that its length field cannot say, by its `offset` field.
pub(super) struct TooLong {
    /// The item's `offset` field.
    pub offset: u32,
    /// Its words.
    pub words: usize,
}

/// Writes a program.
pub(super) fn encode(program: &Program) -> Result<Encoded, TooLong> {
    let (major, minor) = program.model;
    let version = (program.ty as u32) << 16 | u32::from(major) << 4 | u32::from(minor);
    let mut writer = Writer { program, words: vec![version, 0], starts: Vec::new() };
    let mut declarations = program.declarations.iter().peekable();
    let mut trailing = program.trailing.iter().peekable();
    for (i, instruction) in program.instructions.iter().enumerate() {
        while let Some(declaration) = declarations.next_if(|d| d.before as usize <= i) {
            writer.declaration(declaration)?;
        }
        let start = writer.start(instruction.offset);
        writer.instruction(instruction);
        while let Some((_, word)) = trailing.next_if(|(at, _)| *at as usize <= i) {
            writer.words.push(*word);
        }
        writer.finish(start, instruction.offset)?;
    }
    declarations.try_for_each(|declaration| writer.declaration(declaration))?;
    writer.words[1] = writer.words.len() as u32;
    Ok(Encoded { words: writer.words, starts: writer.starts })
}

struct Writer<'p> {
    program: &'p Program,
    words: Vec<u32>,
    starts: Vec<(u32, u32)>,
}

impl Writer<'_> {
    fn start(&mut self, offset: u32) -> usize {
        let start = self.words.len();
        self.starts.push((start as u32, offset));
        start
    }

    /// Sets the length of the item that began at a word.
    fn finish(&mut self, start: usize, offset: u32) -> Result<(), TooLong> {
        let words = self.words.len() - start;
        if words > MAX_WORDS {
            return Err(TooLong { offset, words });
        }
        self.words[start] |= (words as u32) << 24;
        Ok(())
    }

    fn declaration(&mut self, declaration: &Declaration) -> Result<(), TooLong> {
        let start = self.start(declaration.offset);
        let extra = self.program.extra_of(declaration);
        if declaration.op.info().kind == Kind::CustomData {
            // Its class takes the rest of the token, and its length a word of its own.
            let token = declaration.op as u32 | u32::from(declaration.controls) << 11;
            self.words.extend([token, extra.len() as u32 + 2]);
            self.words.extend(extra);
            return Ok(());
        }
        self.words.push(declaration.op as u32 | u32::from(declaration.controls) << 11);
        for register in self.program.operands_of_declaration(declaration) {
            operand(self.program, register, &mut self.words);
        }
        self.words.extend(extra);
        self.finish(start, declaration.offset)
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let extended = extended_tokens(instruction);
        let more = u32::from(!extended.is_empty()) << 31;
        self.words.push(instruction.op as u32 | u32::from(instruction.controls) << 11 | more);
        for (i, token) in extended.iter().enumerate() {
            self.words.push(token | u32::from(i + 1 < extended.len()) << 31);
        }
        if instruction.op == Opcode::Fcall {
            self.words.push(instruction.extra);
        }
        for register in self.program.operands_of(instruction) {
            operand(self.program, register, &mut self.words);
        }
    }
}

/// Writes an operand. Those inside its indices stand in the program.
pub(super) fn operand(program: &Program, operand: &Operand, words: &mut Vec<u32>) {
    let literal = matches!(operand.file, RegisterFile::Immediate32 | RegisterFile::Immediate64);
    let mut token = match operand.components {
        Components::Swizzle(IDENTITY) if literal => 2,
        components => selection(components),
    };
    token |= (operand.file as u32) << 12 | u32::from(operand.index_count) << 20;
    let used = &operand.index[..usize::from(operand.index_count)];
    for (i, index) in used.iter().enumerate() {
        token |= representation(index) << (22 + 3 * i);
    }
    match modifier_token(operand) {
        0 => words.push(token),
        modifiers => words.extend([token | 1 << 31, modifiers]),
    }
    if literal {
        let halves = if operand.file == RegisterFile::Immediate64 { 2 } else { 1 };
        let count = if operand.components == Components::One { halves } else { 4 };
        words.extend(&operand.literal[..count]);
    }
    used.iter().for_each(|i| index(program, i, words));
}

fn index(program: &Program, index: &Index, words: &mut Vec<u32>) {
    let (offset, register) = index.parts();
    if representation(index) != RELATIVE {
        words.push(offset);
    }
    if let Some(id) = register {
        operand(program, program.operand(id), words);
    }
}

/// An index that is a register alone.
const RELATIVE: u32 = 2;

/// `D3D10_SB_OPERAND_INDEX_REPRESENTATION`: a constant, a register, or the sum of both.
fn representation(index: &Index) -> u32 {
    match index.parts() {
        (_, None) => 0,
        (0, Some(_)) => RELATIVE,
        (_, Some(_)) => 3,
    }
}

/// Number of components and their selection.
fn selection(components: Components) -> u32 {
    match components {
        Components::None => 0,
        Components::One => 1,
        Components::Mask(mask) => 2 | u32::from(mask) << 4,
        Components::Swizzle(swizzle) => 2 | 1 << 2 | u32::from(swizzle) << 4,
        Components::Select(component) => 2 | 2 << 2 | u32::from(component) << 4,
    }
}

/// The extended operand token; 0: there is nothing for it to say.
fn modifier_token(operand: &Operand) -> u32 {
    let plain = !operand.neg && !operand.abs && !operand.nonuniform && operand.min_precision == MinPrecision::Default;
    if plain {
        return 0;
    }
    let modifier = u32::from(operand.neg) | u32::from(operand.abs) << 1;
    1 | modifier << 6 | (operand.min_precision as u32) << 14 | u32::from(operand.nonuniform) << 17
}

/// Extended opcode tokens: offsets, dimension and stride, return types.
fn extended_tokens(instruction: &Instruction) -> Vec<u32> {
    let mut tokens = Vec::new();
    if instruction.has_offsets {
        let [u, v, w] = instruction.offsets.map(|offset| (offset & 15) as u32);
        tokens.push(1 | u << 9 | v << 13 | w << 17);
    }
    if instruction.dim != ResourceDim::Unknown || instruction.stride != 0 {
        tokens.push(2 | (instruction.dim as u32) << 6 | u32::from(instruction.stride) << 11);
    }
    if instruction.returns != ReturnTypes::default() {
        tokens.push(3 | u32::from(instruction.returns.0) << 6);
    }
    tokens
}
