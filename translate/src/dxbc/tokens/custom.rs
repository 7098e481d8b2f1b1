//! Custom data blocks: the immediate constant buffer, shader messages, and what is only carried along.
//!
//! Owns their layouts. Must never interpret a block of a class it does not know.

use super::declaration::IMMEDIATE_CONSTANT_BUFFER;
use super::{Cursor, Decoder, Fault};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::Declaration;

/// `D3D10_SB_CUSTOMDATA_CLASS` of the immediate constant buffer.
pub const IMMEDIATE_CONSTANTS: u16 = 3;
/// `D3D10_SB_CUSTOMDATA_CLASS` of a message of `printf` or `errorf`.
pub const SHADER_MESSAGE: u16 = 4;

/// Most operands of a message.
const MAX_MESSAGE_OPERANDS: u32 = 64;

impl Decoder {
    pub(super) fn custom_data(&mut self, token: u32, offset: u32, mut cursor: Cursor<'_>) -> Result<(), Fault> {
        // The block's length; the walk over lengths has used it.
        cursor.next()?;
        let class = u16::try_from(token >> 11).map_err(|_| Fault::tokens("a custom data class past 65535"))?;
        let start = cursor;
        let extra = self.copy_rest(&mut cursor)?;
        match class {
            IMMEDIATE_CONSTANTS => self.immediate_constants(start.left())?,
            SHADER_MESSAGE => self.message(start)?,
            _ => {}
        }
        let operand_count = self.operands.len() as u8;
        let first_operand = self.commit_operands(cursor.end);
        self.program.declarations.push(Declaration {
            op: Opcode::CustomData,
            controls: class,
            first_operand,
            operand_count,
            extra,
            offset,
            before: self.program.instructions.len() as u32,
        });
        Ok(())
    }

    fn immediate_constants(&mut self, words: usize) -> Result<(), Fault> {
        if words == 0 || !words.is_multiple_of(4) {
            return Err(Fault::tokens("an immediate constant buffer that is not whole vectors"));
        }
        if words / 4 > IMMEDIATE_CONSTANT_BUFFER {
            return Err(Fault::limit(format!("an immediate constant buffer of {} vectors", words / 4)));
        }
        if std::mem::replace(&mut self.state.immediate_constant_buffer, true) {
            return Err(Fault::tokens("a second immediate constant buffer"));
        }
        Ok(())
    }

    /// A message: id, format, characters, operands, words of operands, the operands, the text.
    fn message(&mut self, mut cursor: Cursor<'_>) -> Result<(), Fault> {
        let mut word = || cursor.next();
        let (_id, _format, characters, operands, length) = (word()?, word()?, word()?, word()?, word()?);
        if length as usize > cursor.left() || operands > MAX_MESSAGE_OPERANDS {
            return Err(Fault::tokens("a message whose operands do not fit"));
        }
        let mut inner = Cursor { end: cursor.at + length as usize, ..cursor };
        for _ in 0..operands {
            let operand = self.operand(&mut inner)?;
            self.operands.push(operand);
        }
        let text = 4 * (cursor.left() - length as usize);
        if inner.left() > 0 || characters as usize >= text {
            return Err(Fault::tokens("a message whose text does not fit"));
        }
        Ok(())
    }
}
