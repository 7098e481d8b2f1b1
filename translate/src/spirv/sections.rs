//! The sections of a module, each a list of words, and how they become one.
//!
//! Owns the layout of a module and of an instruction. Must never look at the form.

use spirv::Op;

/// Words of whole instructions.
pub(super) struct Section(pub(super) Vec<u32>);

impl Section {
    pub(super) fn with_capacity(words: usize) -> Section {
        Section(Vec::with_capacity(words))
    }

    /// An instruction with all its operands.
    pub(super) fn op(&mut self, op: Op, operands: &[u32]) {
        self.0.push(first_word(op, operands.len() + 1));
        self.0.extend_from_slice(operands);
    }

    /// Begins an instruction whose operands are pushed one by one; [`Section::end`] takes what this returns.
    pub(super) fn begin(&mut self, op: Op) -> usize {
        self.0.push(op as u32);
        self.0.len() - 1
    }

    pub(super) fn push(&mut self, word: u32) {
        self.0.push(word);
    }

    /// Ends an instruction.
    pub(super) fn end(&mut self, start: usize) {
        let words = (self.0.len() - start) as u32;
        debug_assert!(words < 1 << 16);
        self.0[start] |= words << 16;
    }

    /// An instruction with a string between its operands.
    pub(super) fn op_text(&mut self, op: Op, before: &[u32], text: &str, after: &[u32]) {
        let start = self.begin(op);
        self.0.extend_from_slice(before);
        self.text(text);
        self.0.extend_from_slice(after);
        self.end(start);
    }

    /// A string: its bytes, a zero, and zeros up to the word's end.
    fn text(&mut self, text: &str) {
        // A zero inside would end the string early and leave stray words.
        let bytes = shortened(text).as_bytes().split(|&b| b == 0).next().unwrap_or_default();
        let mut chunks = bytes.chunks_exact(4);
        self.0.extend(chunks.by_ref().map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])));
        let mut last = [0u8; 4];
        last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
        self.0.push(u32::from_le_bytes(last));
    }
}

/// A text that surely fits into one instruction: names come from untrusted input.
fn shortened(text: &str) -> &str {
    let mut len = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    text.get(..len).unwrap_or_default()
}

/// Bytes of a text that is not cut. An instruction has 65,535 words at most (SPIR-V 2.16, universal limits), and a
/// name that is longer than this tells nobody more.
const MAX_TEXT: usize = 4096;

fn first_word(op: Op, words: usize) -> u32 {
    debug_assert!(words < 1 << 16);
    (words as u32) << 16 | op as u32
}

/// The sections that are filled while the function is written, in the order of the module.
pub(super) struct Sections {
    pub(super) imports: Section,
    pub(super) names: Section,
    pub(super) decorations: Section,
    /// Types, constants and variables, each before its first user.
    pub(super) globals: Section,
    /// The function's variables, which stand at the start of its first block.
    pub(super) locals: Section,
    pub(super) code: Section,
}

impl Sections {
    /// Room for a function of so many instructions, operands, blocks and variables.
    pub(super) fn sized(insts: usize, args: usize, blocks: usize, vars: usize) -> Sections {
        Sections {
            imports: Section::with_capacity(8),
            names: Section::with_capacity(0),
            decorations: Section::with_capacity(16 * vars + 16),
            globals: Section::with_capacity(24 * vars + insts / 2 + 64),
            locals: Section::with_capacity(0),
            code: Section::with_capacity(4 * insts + args + 8 * blocks + 16),
        }
    }
}

/// The module: its header, then the parts.
pub(super) fn assemble(version: (u8, u8), bound: u32, parts: &[&[u32]]) -> Vec<u32> {
    let words: usize = parts.iter().map(|part| part.len()).sum();
    let mut module = Vec::with_capacity(words + 5);
    let version = u32::from(version.0) << 16 | u32::from(version.1) << 8;
    module.extend_from_slice(&[spirv::MAGIC_NUMBER, version, GENERATOR, bound, 0]);
    for part in parts {
        module.extend_from_slice(part);
    }
    module
}

/// Generator's number: 0 is for tools without a registered one (SPIR-V registry, `spir-v.xml`).
const GENERATOR: u32 = 0;
