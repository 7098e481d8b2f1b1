//! Custom data: the immediate constant buffer, messages, and blocks of plain words.
//!
//! Owns their text, which may go over several lines. Must never interpret a block of plain words.

use super::declaration::Draft;
use super::number;
use super::text::Fault;
use super::{Parser, lookup};
use crate::dxbc::letters::Place;
use crate::dxbc::names;
use crate::dxbc::opcodes::{Class, Opcode};
use crate::dxbc::tokens::custom;
use crate::ledger;

/// `D3D_SB_SHADER_MESSAGE_FORMAT`: the operands are printed by the text's own directives.
const PRINTF_FORMAT: u32 = 1;

impl Parser<'_> {
    /// A line of custom data under another name than `customdata`; false: the word is none.
    pub(super) fn named_custom_data(&mut self, word: &str, at: usize) -> Result<bool, Fault> {
        let mut draft = Draft::default();
        if word.eq_ignore_ascii_case(names::IMMEDIATE_CONSTANTS) {
            self.immediate_constants(&mut draft)?;
        } else if let Some((id, _)) = lookup(&names::MESSAGES, |(_, name)| name, word) {
            self.message(&mut draft, *id)?;
        } else {
            return Ok(false);
        }
        self.declare(Opcode::CustomData, at, &draft);
        Ok(true)
    }

    /// `customdata 0 { 0x00000001, 0x00000002 }`.
    pub(super) fn custom_data(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let class = self.cursor.number("a class of custom data")?;
        draft.controls = u16::try_from(class)
            .map_err(|_| Fault::new(ledger::ASM_VALUE, at, format!("class {class} of custom data, past 65535")))?;
        self.block(draft, |parser, draft| {
            draft.extra.push(parser.cursor.number("a word")?);
            Ok(())
        })
    }

    /// `dcl_immediateConstantBuffer { { 1.0, 0, 0, 0}, { … } }`.
    fn immediate_constants(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        draft.controls = custom::IMMEDIATE_CONSTANTS;
        self.block(draft, |parser, draft| {
            parser.cursor.expect(b'{')?;
            for component in 0..4 {
                if component > 0 {
                    parser.cursor.expect(b',')?;
                    parser.cursor.skip_lines();
                }
                draft.extra.push(number::literal32(&mut parser.cursor, Class::Bits)?);
            }
            parser.cursor.expect(b'}')
        })
    }

    /// Items in braces, with commas between them, on as many lines as they take.
    fn block(
        &mut self,
        draft: &mut Draft,
        item: impl Fn(&mut Self, &mut Draft) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.cursor.expect(b'{')?;
        self.cursor.skip_lines();
        while !self.cursor.eat(b'}') {
            item(self, draft)?;
            self.cursor.skip_lines();
            // A comma may stand after the last one too.
            let more = self.cursor.eat(b',');
            self.cursor.skip_lines();
            if !more {
                return self.cursor.expect(b'}');
            }
        }
        Ok(())
    }

    /// `printf "text", r0.x`: as Microsoft's listing has it, without escapes; the last quote of the line ends the text.
    fn message(&mut self, draft: &mut Draft, id: u32) -> Result<(), Fault> {
        draft.controls = custom::SHADER_MESSAGE;
        self.cursor.expect(b'"')?;
        let line = self.cursor.rest().split('\n').next().unwrap_or_default();
        let Some(length) = line.rfind('"') else {
            return Err(Fault::new(ledger::ASM_SYNTAX, self.cursor.at(), "a message without a closing quote"));
        };
        let text = &line[..length];
        self.cursor.advance(length + 1);
        let mut operands = 0;
        let mut words = Vec::new();
        while self.cursor.eat(b',') {
            let operand = self.register(Place::Read, 0)?;
            super::encode::operand(&self.program, &operand, &mut words);
            operands += 1;
        }
        draft.extra.extend([id, PRINTF_FORMAT, text.len() as u32, operands, words.len() as u32]);
        draft.extra.extend(words);
        // A zero ends the text; whole words are filled with zeros.
        let mut bytes = text.as_bytes().to_vec();
        bytes.resize((text.len() + 1).next_multiple_of(4), 0);
        draft.extra.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        Ok(())
    }
}
