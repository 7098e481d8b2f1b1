//! Instructions: mnemonic with its suffixes, lists, operands, and what the exact form adds in braces.
//!
//! Owns an instruction's line. Must never hold a mnemonic: they are the table's.

use super::operand::components_of;
use super::text::{Fault, quoted};
use super::{Parser, lookup, position};
use crate::dxbc::disasm::listed_shape;
use crate::dxbc::letters::Place;
use crate::dxbc::names;
use crate::dxbc::opcodes::{Flags, OPCODES, Opcode, OpcodeInfo};
use crate::dxbc::program::{Instruction, Operand, ResourceDim, ReturnTypes};
use crate::ledger;

/// Control bits of an instruction.
mod bits {
    pub const SATURATE: u16 = 1 << 2;
    pub const TEST_NONZERO: u16 = 1 << 7;
    pub const PRECISE: u16 = 8;
}

/// The row that a word begins with, and the suffixes after it. A word may begin with several; the longest is meant.
pub(super) fn mnemonic(word: &str) -> Option<(&'static OpcodeInfo, &str)> {
    let begins = |info: &&OpcodeInfo| {
        let (head, rest) = word.split_at_checked(info.mnemonic.len()).unwrap_or_default();
        head.eq_ignore_ascii_case(info.mnemonic) && (rest.is_empty() || rest.starts_with('_'))
    };
    let info = OPCODES.iter().filter(begins).max_by_key(|info| info.mnemonic.len())?;
    Some((info, &word[info.mnemonic.len()..]))
}

/// Control bits of one of an opcode's own suffixes, without its underline.
fn suffix_bits(op: Opcode, suffix: &str) -> Option<u16> {
    let name = |name: &'static str| name.trim_start_matches('_');
    lookup(names::suffixes(op), |(_, suffix)| name(suffix), suffix).map(|(bits, _)| *bits)
}

/// Control bits of a run of an opcode's own suffixes: `_glc_opc`.
pub(super) fn own_suffixes(op: Opcode, suffixes: &str, at: usize) -> Result<u16, Fault> {
    suffixes.split('_').skip(1).try_fold(0, |bits, suffix| match suffix_bits(op, suffix) {
        Some(more) => Ok(bits | more),
        None => Err(no_suffix(op, suffix, at)),
    })
}

fn no_suffix(op: Opcode, suffix: &str, at: usize) -> Fault {
    let what = format!("`{}` has no suffix {}", op.mnemonic(), quoted(&format!("_{suffix}")));
    Fault::new(ledger::ASM_NAME, at, what)
}

impl Parser<'_> {
    /// An instruction, after its mnemonic and the suffixes at `suffixes`.
    pub(super) fn instruction(&mut self, info: &'static OpcodeInfo, suffixes: &str, at: usize) -> Result<(), Fault> {
        let mut instruction = blank(info.op, at as u32);
        let tested = self.suffixes(&mut instruction, suffixes)?;
        if info.flags.has(Flags::TEST) && !tested {
            let what = format!("`{}` tests for something: write `{0}_z` or `{0}_nz`", info.mnemonic);
            return Err(Fault::new(ledger::ASM_SYNTAX, at, what));
        }
        self.precise(&mut instruction)?;
        self.lists(&mut instruction)?;
        let operands = self.operands_of(info)?;
        if info.op == Opcode::Fcall {
            self.cursor.expect(b'[')?;
            instruction.extra = self.cursor.number("a call site")?;
            self.cursor.expect(b']')?;
        }
        self.line_braces(&mut instruction.controls, true)?;
        instruction.saturate = info.flags.has(Flags::SAT) && instruction.controls & bits::SATURATE != 0;
        instruction.test_nonzero = instruction.controls & bits::TEST_NONZERO != 0;
        instruction.first_operand = self.commit(&operands);
        instruction.operand_count = operands.len() as u8;
        self.program.instructions.push(instruction);
        Ok(())
    }

    /// `_sat`, `_nz`, `_aoffimmi`, …; true if a test was among them.
    fn suffixes(&mut self, instruction: &mut Instruction, suffixes: &str) -> Result<bool, Fault> {
        let mut tested = false;
        for suffix in suffixes.split('_').skip(1) {
            let flags = instruction.op.info().flags;
            let is = |name: &str| suffix.eq_ignore_ascii_case(name);
            let own = suffix_bits(instruction.op, suffix);
            if is("sat") && flags.has(Flags::SAT) {
                instruction.controls |= bits::SATURATE;
            } else if (is("z") || is("nz")) && flags.has(Flags::TEST) {
                instruction.controls |= if is("nz") { bits::TEST_NONZERO } else { 0 };
                tested = true;
            } else if is("aoffimmi") {
                instruction.has_offsets = true;
            } else if is("indexable") {
                // Known when the lists come.
                self.lists_due = true;
            } else if let Some(bits) = own {
                instruction.controls |= bits;
            } else {
                return Err(no_suffix(instruction.op, suffix, instruction.offset as usize));
            }
        }
        Ok(tested)
    }

    /// `[precise]`, `[precise(xy)]`.
    fn precise(&mut self, instruction: &mut Instruction) -> Result<(), Fault> {
        if !self.cursor.eat(b'[') {
            return Ok(());
        }
        if !self.cursor.eat_word("precise") {
            return Err(self.cursor.expected("`precise`"));
        }
        instruction.precise = 15;
        if self.cursor.eat(b'(') {
            let mut ahead = self.cursor;
            let components = components_of(ahead.word()).filter(|components| !components.is_empty());
            let Some(components) = components else {
                return Err(self.cursor.expected("letters of components"));
            };
            self.cursor = ahead;
            instruction.precise = components.iter().fold(0, |mask, c| mask | 1 << c);
            self.cursor.expect(b')')?;
        }
        instruction.controls |= u16::from(instruction.precise) << bits::PRECISE;
        self.cursor.expect(b']')
    }

    /// `(1,0,0)`, then `(texture2d)(float,float,float,float)`, then a query's type.
    fn lists(&mut self, instruction: &mut Instruction) -> Result<(), Fault> {
        if instruction.has_offsets {
            self.offsets(instruction)?;
        }
        if !std::mem::take(&mut self.lists_due) {
            return Ok(());
        }
        self.cursor.expect(b'(')?;
        let number = position(&names::DIMENSIONS, &mut self.cursor, "a resource's dimension")?;
        instruction.dim = ResourceDim::from_number(number).unwrap_or_default();
        if self.cursor.eat(b',') {
            instruction.stride = self.stride()?;
        }
        self.cursor.expect(b')')?;
        if self.cursor.eat(b'(') {
            instruction.returns = self.return_types()?;
        }
        if self.cursor.byte() == b'_' {
            let at = self.cursor.at();
            instruction.controls |= own_suffixes(instruction.op, self.cursor.word(), at)?;
        }
        Ok(())
    }

    fn offsets(&mut self, instruction: &mut Instruction) -> Result<(), Fault> {
        self.cursor.expect(b'(')?;
        for (i, offset) in instruction.offsets.iter_mut().enumerate() {
            if i > 0 && !self.cursor.eat(b',') {
                break;
            }
            self.cursor.skip_blank();
            let at = self.cursor.at();
            let negative = self.cursor.eat(b'-');
            let magnitude = self.cursor.number("an offset in texels")?;
            let value = if negative { -i64::from(magnitude) } else { i64::from(magnitude) };
            if !(-8..=7).contains(&value) {
                return Err(Fault::new(ledger::ASM_VALUE, at, format!("an offset of {value}, where -8 to 7 can be")));
            }
            *offset = value as i8;
        }
        self.cursor.expect(b')')
    }

    /// `stride=16`.
    fn stride(&mut self) -> Result<u16, Fault> {
        const MOST: u32 = 0xfff;
        if !self.cursor.eat_word("stride") {
            return Err(self.cursor.expected("`stride`"));
        }
        self.cursor.expect(b'=')?;
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let stride = self.cursor.number("a stride")?;
        if stride > MOST {
            return Err(Fault::new(ledger::ASM_VALUE, at, format!("a stride of {stride}, past {MOST}")));
        }
        Ok(stride as u16)
    }

    /// Four return types, after the opening bracket.
    pub(super) fn return_types(&mut self) -> Result<ReturnTypes, Fault> {
        let mut bits = 0;
        for component in 0..4 {
            if component > 0 {
                self.cursor.expect(b',')?;
            }
            let number = position(&names::RETURN_TYPES, &mut self.cursor, "a return type")?;
            bits |= number << (4 * component);
        }
        self.cursor.expect(b')')?;
        Ok(ReturnTypes(bits as u16))
    }

    fn operands_of(&mut self, info: &OpcodeInfo) -> Result<Vec<Operand>, Fault> {
        let mut operands = Vec::with_capacity(info.operands.len());
        for (i, shape) in info.operands.iter().enumerate() {
            if i > 0 && !self.cursor.eat(b',') {
                let what = format!("`,` and operand {} of {}", i + 1, info.operands.len());
                return Err(self.cursor.expected(&what));
            }
            let class = listed_shape(info.op, i, *shape).class;
            operands.push(self.operand(Place::of(shape.role, i), class)?);
        }
        Ok(operands)
    }

    /// `{controls 0x1}` and, of an instruction, `{trailing 0x2000}` at the end of a line.
    pub(super) fn line_braces(&mut self, controls: &mut u16, instruction: bool) -> Result<(), Fault> {
        const MOST: u32 = 0x1fff;
        while self.cursor.eat(b'{') {
            if self.cursor.eat_word("controls") {
                self.cursor.skip_blank();
                let at = self.cursor.at();
                let more = self.cursor.number("control bits")?;
                if more > MOST {
                    return Err(Fault::new(ledger::ASM_VALUE, at, format!("control bits {more:#x}, past {MOST:#x}")));
                }
                *controls |= more as u16;
            } else if instruction && self.cursor.eat_word("trailing") {
                let word = self.cursor.number("a word")?;
                self.program.trailing.push((self.program.instructions.len() as u32, word));
            } else {
                return Err(self.cursor.expected(if instruction { "`controls` or `trailing`" } else { "`controls`" }));
            }
            self.cursor.expect(b'}')?;
        }
        Ok(())
    }
}

fn blank(op: Opcode, offset: u32) -> Instruction {
    Instruction {
        op,
        saturate: false,
        test_nonzero: false,
        precise: 0,
        controls: 0,
        offsets: [0; 3],
        has_offsets: false,
        dim: ResourceDim::Unknown,
        stride: 0,
        returns: ReturnTypes::default(),
        first_operand: 0,
        operand_count: 0,
        offset,
        extra: 0,
    }
}
