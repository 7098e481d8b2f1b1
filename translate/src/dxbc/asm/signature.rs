//! Directives: what stands around the program in its container.
//!
//! Owns the lines that begin with a dot, and the chunks that come of them. Must never look at the program: what it
//! declares is `declared`'s.

use super::operand::components_of;
use super::text::{Fault, quoted};
use super::{Parser, lookup, number};
use crate::dxbc::bytes::MAX_NAME;
use crate::dxbc::container::FourCc;
use crate::dxbc::declared;
use crate::dxbc::disasm;
use crate::dxbc::names::{self, SignatureNames};
use crate::dxbc::signature::{self, EMPTY, Element, MAX_REGISTERS, MAX_STREAMS, NO_REGISTER};
use crate::ledger;

/// An element that owns its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub semantic: String,
    /// Everything else; its own name is not used.
    pub element: Element<'static>,
}

/// What the text says of a signature.
#[derive(Default)]
pub(super) struct Stated {
    /// Chunk's name; `Some(None)`: there shall be none.
    pub chunk: Option<Option<&'static [u8; 4]>>,
    /// Elements in order.
    pub elements: Vec<Named>,
}

/// What the text says around the program.
#[derive(Default)]
pub(super) struct Directives {
    /// Name of the code chunk, if it is not the usual one.
    pub code: Option<&'static [u8; 4]>,
    /// Feature flags.
    pub features: Option<u64>,
    /// Inputs, outputs, patch constants.
    pub signatures: [Stated; 3],
}

/// The data of a signature's chunk.
pub(super) fn chunk(names: &SignatureNames, chunk: Option<&[u8; 4]>, elements: &[Named]) -> (FourCc, Vec<u8>) {
    let precise = elements.iter().any(|named| named.element.min_precision != 0);
    let streams = elements.iter().any(|named| named.element.stream != 0);
    let needed = match (precise, streams) {
        (true, _) => names.chunks.last(),
        (false, true) => names.chunks.get(1),
        (false, false) => names.chunks.first(),
    };
    let name = FourCc(chunk.or(needed.copied()).copied().unwrap_or_default());
    let borrowed: Vec<_> =
        elements.iter().map(|named| Element { semantic: &named.semantic, ..named.element }).collect();
    (name, signature::write(name, &borrowed))
}

impl Parser<'_> {
    /// A directive, after its dot.
    pub(super) fn directive(&mut self) -> Result<(), Fault> {
        let at = self.cursor.at();
        let word = self.cursor.word();
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        if is("code") {
            self.directives.code = Some(self.chunk_name(&[b"SHDR", b"SHEX"])?);
            return Ok(());
        }
        if is("features") {
            self.directives.features = Some(number::unsigned64(&mut self.cursor)?);
            return Ok(());
        }
        for (number, names) in names::SIGNATURES.iter().enumerate() {
            if is(names.whole) {
                let none = self.cursor.eat_word("none");
                let name = if none { None } else { Some(self.chunk_name(names.chunks)?) };
                self.directives.signatures[number].chunk = Some(name);
                return Ok(());
            }
            if is(names.element) {
                let named = self.element(number)?;
                self.directives.signatures[number].elements.push(named);
                return Ok(());
            }
        }
        Err(Fault::new(ledger::ASM_NAME, at, format!("{} is no directive", quoted(word))))
    }

    fn chunk_name(&mut self, chunks: &[&'static [u8; 4]]) -> Result<&'static [u8; 4], Fault> {
        let mut ahead = self.cursor;
        let word = ahead.word();
        match chunks.iter().find(|name| word.as_bytes().eq_ignore_ascii_case(&name[..])) {
            Some(name) => {
                self.cursor = ahead;
                Ok(name)
            }
            None => {
                let names: Vec<_> = chunks.iter().map(|name| FourCc(**name).to_string()).collect();
                Err(self.cursor.expected(&format!("one of {}", names.join(", "))))
            }
        }
    }

    /// `TEXCOORD 1 register=2 mask=xy read=x type=float`.
    fn element(&mut self, signature: usize) -> Result<Named, Fault> {
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let semantic = self.semantic()?;
        let mut element = EMPTY;
        self.cursor.skip_blank();
        if self.cursor.byte().is_ascii_digit() {
            element.index = self.cursor.number("a semantic index")?;
        }
        let mut said = Said::default();
        while !self.cursor.line_ends() {
            self.field(&mut element, &mut said, signature)?;
        }
        if !said.register || !said.mask {
            return Err(Fault::new(ledger::ASM_SYNTAX, at, "an element needs `register=` and `mask=`"));
        }
        if !said.second {
            let reads = declared::is_read(signature, self.program.ty);
            element.rw_mask = if reads { element.mask } else { 15 & !element.mask };
        }
        if !said.value {
            element.system_value = declared::value_of(&semantic, signature, self.program.ty)
                .ok_or_else(|| Fault::new(ledger::ASM_SYNTAX, at, "a tessellation factor needs `value=`"))?;
        }
        Ok(Named { semantic, element })
    }

    /// One `key=value`.
    fn field(&mut self, element: &mut Element<'static>, said: &mut Said, signature: usize) -> Result<(), Fault> {
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let key = self.cursor.word();
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        let second = disasm::second_mask(signature, self.program.ty);
        let known = ["register", "mask", "value", "type", "stream", "precision", second].into_iter().any(is);
        if !known {
            let what = format!(
                "{} is no field of this signature: register, mask, {second}, value, type, stream, precision",
                quoted(key)
            );
            return Err(Fault::new(ledger::ASM_NAME, at, what));
        }
        self.cursor.expect(b'=')?;
        if is("register") {
            said.register = true;
            element.register =
                if self.cursor.eat_word("none") { NO_REGISTER } else { self.below(MAX_REGISTERS, "a register")? };
        } else if is("mask") {
            said.mask = true;
            element.mask = self.mask()?;
        } else if is("value") {
            said.value = true;
            element.system_value = self.number_or_name(
                |word| lookup(&names::ELEMENT_VALUES, |(_, name)| name, word).map(|(number, _)| *number),
                "a system value",
            )?;
        } else if is("type") {
            element.component = self.number_or_name(
                |word| names::COMPONENT_TYPES.iter().position(|name| name.eq_ignore_ascii_case(word)).map(|n| n as u32),
                "a component type",
            )?;
        } else if is("stream") {
            element.stream = self.below(MAX_STREAMS, "a stream")?;
        } else if is("precision") {
            element.min_precision = self.number_or_name(
                |word| lookup(&names::PRECISIONS, |p| names::precision(*p), word).map(|p| *p as u32),
                "a precision",
            )?;
        } else {
            said.second = true;
            element.rw_mask = self.mask()?;
        }
        Ok(())
    }

    fn below(&mut self, limit: u32, what: &str) -> Result<u32, Fault> {
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let number = self.cursor.number(what)?;
        if number < limit {
            return Ok(number);
        }
        Err(Fault::new(ledger::ASM_VALUE, at, format!("{number} where {what} is due, at most {}", limit - 1)))
    }

    fn number_or_name(&mut self, find: impl Fn(&str) -> Option<u32>, what: &str) -> Result<u32, Fault> {
        self.cursor.skip_blank();
        if self.cursor.byte().is_ascii_digit() {
            return self.cursor.number(what);
        }
        let mut ahead = self.cursor;
        match find(ahead.word()) {
            Some(number) => {
                self.cursor = ahead;
                Ok(number)
            }
            None => Err(self.cursor.expected(what)),
        }
    }

    /// `xyz`, `none`.
    fn mask(&mut self) -> Result<u8, Fault> {
        if self.cursor.eat_word("none") {
            return Ok(0);
        }
        let mut ahead = self.cursor;
        match components_of(ahead.word()).filter(|components| !components.is_empty()) {
            Some(components) => {
                self.cursor = ahead;
                Ok(components.iter().fold(0, |mask, c| mask | 1 << c))
            }
            None => Err(self.cursor.expected("letters of components or `none`")),
        }
    }

    /// A name as it is, or quoted as Rust quotes it.
    fn semantic(&mut self) -> Result<String, Fault> {
        let at = self.cursor.at();
        let name = if self.cursor.eat(b'"') { self.quoted_name(at)? } else { self.cursor.word().to_owned() };
        if name.is_empty() && self.cursor.at() == at {
            return Err(self.cursor.expected("a semantic"));
        }
        if name.len() >= MAX_NAME || name.contains('\0') {
            let what = format!("a semantic of {} bytes: at most {} and no NUL", name.len(), MAX_NAME - 1);
            return Err(Fault::new(ledger::ASM_VALUE, at, what));
        }
        Ok(name)
    }

    /// After the opening quote.
    fn quoted_name(&mut self, at: usize) -> Result<String, Fault> {
        let mut name = String::new();
        let rest = self.cursor.rest();
        let mut characters = rest.char_indices();
        while let Some((i, character)) = characters.next() {
            match character {
                '"' => {
                    self.cursor.advance(i + 1);
                    return Ok(name);
                }
                '\n' => break,
                '\\' => {
                    let escaped = escape(&mut characters);
                    let Some(escaped) = escaped else {
                        let what = "an escape that is none of \\\" \\\\ \\' \\n \\r \\t \\0 \\u{…}";
                        return Err(Fault::new(ledger::ASM_SYNTAX, self.cursor.at() + i, what));
                    };
                    name.push(escaped);
                }
                _ => name.push(character),
            }
        }
        Err(Fault::new(ledger::ASM_SYNTAX, at, "a name without a closing quote"))
    }
}

/// Which fields of an element the text gave.
#[derive(Default)]
struct Said {
    register: bool,
    mask: bool,
    value: bool,
    second: bool,
}

/// The character of an escape, after its backslash.
fn escape(characters: &mut std::str::CharIndices<'_>) -> Option<char> {
    match characters.next()?.1 {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '0' => Some('\0'),
        same @ ('"' | '\\' | '\'') => Some(same),
        'u' => {
            characters.next().filter(|(_, c)| *c == '{')?;
            let mut value = 0u32;
            // At most six digits and the bracket.
            for _ in 0..7 {
                match characters.next()?.1 {
                    '}' => return char::from_u32(value),
                    digit => value = value << 4 | digit.to_digit(16)?,
                }
            }
            None
        }
        _ => None,
    }
}
