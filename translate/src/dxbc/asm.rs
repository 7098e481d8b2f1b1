//! The assembler: text as [`disassemble_exact`](super::disasm::disassemble_exact) prints it, or as people write it, to a
//! container.
//!
//! Owns the text's form (`docs/assembly.md`), and puts the container together: signatures, feature flags, code, checksum.
//! Must never hold a spelling of its own: mnemonics are the table's in `opcodes`, every other name is in `names`. Must
//! never judge a program: what it writes it has decoded again, and the decoder's word goes back with the line.
//!
//! Text from outside is no more trusted than bytes: no panic, one pass over it, memory at most 64 times its length (`mov`
//! in its shortest spelling takes 54).

mod custom;
mod declaration;
mod encode;
mod instruction;
mod number;
mod operand;
mod signature;
#[cfg(test)]
mod tests;
mod text;

use super::container::{self, FourCc};
use super::declared;
use super::disasm::usual_code_chunk;
use super::names;
use super::program::{Operand, Program, ProgramType};
use super::tokens;
use crate::{Error, ledger};
use encode::Encoded;
use signature::{Directives, Named};
use text::{Cursor, Fault, quoted};

/// Assembles a program's text to a container. Errors name the line and column.
pub fn assemble(text: &str) -> Result<Vec<u8>, Error> {
    let parser = Parser::new(text).and_then(Parser::run).map_err(|fault| fault.in_text(text))?;
    let encoded = encode::encode(&parser.program).map_err(|long| {
        let what = format!("{} words, where an instruction has at most {}", long.words, encode::MAX_WORDS);
        Fault::new(ledger::ASM_VALUE, long.offset as usize, what).in_text(text)
    })?;
    let code: Vec<u8> = encoded.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let program = tokens::decode(&code, 0).map_err(|error| in_text(error, &encoded, text))?;
    let chunks = chunks(&program, &parser.directives, code);
    let borrowed: Vec<_> = chunks.iter().map(|(name, data)| (*name, data.as_slice())).collect();
    container::write(&borrowed)
        .ok_or_else(|| Fault::new(ledger::ASM_VALUE, text.len(), "a container past 4 GiB").in_text(text))
}

/// The decoder's error, at the line that the words came from instead of at the words.
fn in_text(mut error: Error, encoded: &Encoded, text: &str) -> Error {
    let word = error.place.offset.take().unwrap_or(0) / 4;
    let at = match encoded.starts.partition_point(|(start, _)| *start <= word) {
        0 => 0,
        // What is still open at the end is the text's end's.
        _ if word as usize >= encoded.words.len() => text.trim_end().len(),
        item => encoded.starts[item - 1].1 as usize,
    };
    error.place.line = Some(text::line_and_column(text, at));
    error
}

/// The container's chunks, in FXC's order.
fn chunks(program: &Program, directives: &Directives, code: Vec<u8>) -> Vec<(FourCc, Vec<u8>)> {
    let derived = declared::signatures(program).map(|elements| {
        elements.into_iter().map(|element| Named { semantic: element.semantic.to_owned(), element }).collect::<Vec<_>>()
    });
    let signature = |number: usize| {
        let stated = &directives.signatures[number];
        let elements =
            if stated.chunk.is_some() || !stated.elements.is_empty() { &stated.elements } else { &derived[number] };
        // Nothing is said of patch constants where there are none.
        let absent =
            matches!(stated.chunk, Some(None)) || (number == 2 && stated.chunk.is_none() && elements.is_empty());
        (!absent).then(|| signature::chunk(&names::SIGNATURES[number], stated.chunk.flatten(), elements))
    };
    let [inputs, outputs, patch] = [0, 1, 2].map(signature);
    let mut chunks: Vec<_> = if program.ty == ProgramType::Domain {
        [inputs, patch, outputs].into_iter().flatten().collect()
    } else {
        [inputs, outputs, patch].into_iter().flatten().collect()
    };
    chunks.push((FourCc(*directives.code.unwrap_or(usual_code_chunk(program))), code));
    if let Some(flags) = directives.features {
        chunks.push((FourCc(*b"SFI0"), flags.to_le_bytes().to_vec()));
    }
    chunks
}

/// A text being read.
struct Parser<'t> {
    cursor: Cursor<'t>,
    /// What has been read of the program. The items' offsets are those of the text.
    program: Program,
    directives: Directives,
    /// Whether the instruction being read said `_indexable`, so that lists follow.
    lists_due: bool,
}

impl<'t> Parser<'t> {
    /// Reads the first line, which names stage and model.
    fn new(text: &'t str) -> Result<Self, Fault> {
        if u32::try_from(text.len()).is_err() {
            return Err(Fault::new(ledger::ASM_VALUE, 0, "a text past 4 GiB"));
        }
        let mut cursor = Cursor::new(text);
        cursor.skip_lines();
        let at = cursor.at();
        let word = cursor.word();
        let Some((ty, model)) = version(word) else {
            if word.is_empty() {
                return Err(cursor.expected("a version: `ps_5_0`"));
            }
            let what = format!("{} where a version from vs_4_0 to cs_5_1 is due", quoted(word));
            return Err(Fault::new(ledger::ASM_NAME, at, what));
        };
        let program = Program {
            ty,
            model,
            declarations: Vec::new(),
            instructions: Vec::new(),
            operands: Vec::new(),
            extra: Vec::new(),
            trailing: Vec::new(),
        };
        Ok(Parser { cursor, program, directives: Directives::default(), lists_due: false })
    }

    /// Reads everything after the first line.
    fn run(mut self) -> Result<Self, Fault> {
        loop {
            if !self.cursor.line_ends() {
                return Err(self.cursor.expected("the end of the line"));
            }
            self.cursor.skip_lines();
            if self.cursor.ends() {
                return Ok(self);
            }
            if self.cursor.eat(b'.') {
                self.directive()?;
            } else {
                self.item()?;
            }
        }
    }

    /// A declaration or an instruction.
    fn item(&mut self) -> Result<(), Fault> {
        self.line_number()?;
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let word = self.cursor.word();
        if word.is_empty() {
            return Err(self.cursor.expected("a mnemonic"));
        }
        match instruction::mnemonic(word) {
            Some((info, suffixes)) if info.is_declaration() => self.declaration(info, suffixes, at),
            Some((info, suffixes)) => self.instruction(info, suffixes, at),
            None if self.named_custom_data(word, at)? => Ok(()),
            None => Err(Fault::new(ledger::ASM_NAME, at, format!("{} is no mnemonic", quoted(word)))),
        }
    }

    /// `12:`, as debuggers print before a line.
    fn line_number(&mut self) -> Result<(), Fault> {
        if self.cursor.byte().is_ascii_digit() {
            self.cursor.number("a line's number")?;
            self.cursor.expect(b':')?;
        }
        Ok(())
    }

    /// Moves an item's operands into the program, side by side; gives the first one's index.
    fn commit(&mut self, operands: &[Operand]) -> u32 {
        let first = self.program.operands.len() as u32;
        self.program.operands.extend_from_slice(operands);
        first
    }
}

/// `ps_5_0`: program type, major and minor.
fn version(word: &str) -> Option<(ProgramType, (u8, u8))> {
    use ProgramType::*;
    const TYPES: [ProgramType; 6] = [Pixel, Vertex, Geometry, Hull, Domain, Compute];
    let (stage, model) = word.split_once('_')?;
    let ty = *lookup(&TYPES, |ty| names::stage(*ty), stage)?;
    let model = match model {
        "4_0" => (4, 0),
        "4_1" => (4, 1),
        "5_0" => (5, 0),
        "5_1" => (5, 1),
        _ => return None,
    };
    Some((ty, model))
}

/// The row of a table that has this name; case does not count.
fn lookup<'a, T>(table: &'a [T], name: impl Fn(&T) -> &'static str, word: &str) -> Option<&'a T> {
    table.iter().find(|row| name(row).eq_ignore_ascii_case(word))
}

/// The number of the name that comes next.
fn position(table: &[&str], cursor: &mut Cursor<'_>, what: &str) -> Result<u32, Fault> {
    cursor.skip_blank();
    let at = cursor.at();
    let word = cursor.word();
    if word.is_empty() {
        return Err(cursor.expected(what));
    }
    match table.iter().position(|name| name.eq_ignore_ascii_case(word)) {
        Some(number) => Ok(number as u32),
        None => Err(Fault::new(ledger::ASM_NAME, at, format!("{} where {what} is due", quoted(word)))),
    }
}
