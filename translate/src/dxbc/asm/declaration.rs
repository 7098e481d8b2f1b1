//! Declarations: one line each, and the phases of a hull shader.
//!
//! Owns a declaration's line. Must never hold a size against a limit: the decoder does.

use super::instruction::own_suffixes;
use super::operand::whole;
use super::text::{Fault, quoted};
use super::{Parser, position};
use crate::dxbc::letters::Place;
use crate::dxbc::names;
use crate::dxbc::opcodes::{Class, Kind, Opcode, OpcodeInfo};
use crate::dxbc::program::{Declaration, Index, Operand, RegisterFile};
use crate::dxbc::tokens::is_range;
use crate::ledger;

/// A declaration being read.
#[derive(Default)]
pub(super) struct Draft {
    pub controls: u16,
    pub operands: Vec<Operand>,
    pub extra: Vec<u32>,
}

impl Parser<'_> {
    /// A declaration, after its mnemonic and the suffixes.
    pub(super) fn declaration(&mut self, info: &'static OpcodeInfo, suffixes: &str, at: usize) -> Result<(), Fault> {
        let mut draft = Draft::default();
        if info.kind == Kind::CustomData {
            self.custom_data(&mut draft)?;
            self.declare(info.op, at, &draft);
            return Ok(());
        }
        let suffixes = match info.op {
            Opcode::DclResource | Opcode::DclUavTyped => self.dimension(&mut draft, suffixes, at)?,
            _ => suffixes,
        };
        draft.controls |= own_suffixes(info.op, suffixes, at)?;
        self.declared(info, &mut draft)?;
        self.line_braces(&mut draft.controls, false)?;
        self.declare(info.op, at, &draft);
        Ok(())
    }

    /// Puts a declaration into the program.
    pub(super) fn declare(&mut self, op: Opcode, at: usize, draft: &Draft) {
        let first = self.program.extra.len() as u32;
        self.program.extra.extend(&draft.extra);
        let first_operand = self.commit(&draft.operands);
        self.program.declarations.push(Declaration {
            op,
            controls: draft.controls,
            first_operand,
            operand_count: draft.operands.len() as u8,
            extra: (first, self.program.extra.len() as u32),
            offset: at as u32,
            before: self.program.instructions.len() as u32,
        });
    }

    /// What stands after the mnemonic.
    fn declared(&mut self, info: &OpcodeInfo, draft: &mut Draft) -> Result<(), Fault> {
        use Opcode::*;
        match info.op {
            DclResource | DclUavTyped => self.typed(draft),
            DclResourceRaw | DclUavRaw => {
                self.range(draft)?;
                self.space(draft)
            }
            DclResourceStructured | DclUavStructured => {
                self.range(draft)?;
                self.further_numbers(draft, 1)?;
                self.space(draft)
            }
            DclConstantBuffer => self.constant_buffer(draft),
            DclSampler => {
                self.range(draft)?;
                self.further_name(draft, &names::SAMPLER_MODES)?;
                self.space(draft)
            }
            DclTgsmRaw | DclTgsmStructured => {
                self.range(draft)?;
                self.further_numbers(draft, usize::from(info.extra))
            }
            DclStream => self.range(draft),
            DclInputPs | DclInputPsSgv | DclInputPsSiv => {
                draft.controls |= self.interpolation();
                self.attribute(info.op, draft)
            }
            DclIndexRange => {
                self.attribute(info.op, draft)?;
                self.number(draft, "a number of registers")
            }
            DclIndexableTemp => self.indexable_temp(draft),
            DclFunctionBody => self.body(draft),
            DclFunctionTable => self.function_table(draft),
            DclInterface => self.interface(draft),
            _ if !info.operands.is_empty() => self.attribute(info.op, draft),
            _ if info.extra > 0 => self.numbers(info, draft),
            _ => self.in_controls(info.op, draft),
        }
    }

    /// Declarations of a number or names in the control bits.
    fn in_controls(&mut self, op: Opcode, draft: &mut Draft) -> Result<(), Fault> {
        use Opcode::*;
        match op {
            DclGlobalFlags => self.global_flags(draft),
            DclGsInputPrimitive => self.primitive(draft),
            DclGsOutputPrimitiveTopology => self.name(draft, &names::TOPOLOGIES, "a topology"),
            DclTessDomain => self.name(draft, &names::DOMAINS, "a domain"),
            DclTessPartitioning => self.name(draft, &names::PARTITIONINGS, "a partitioning"),
            DclTessOutputPrimitive => self.name(draft, &names::TESS_PRIMITIVES, "a primitive"),
            DclInputControlPointCount | DclOutputControlPointCount => {
                draft.controls |= self.small("a number of control points", 0x3f)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn name(&mut self, draft: &mut Draft, table: &[&str], what: &str) -> Result<(), Fault> {
        draft.controls |= position(table, &mut self.cursor, what)? as u16;
        Ok(())
    }

    /// `, name`, which may be left out for the first of the table.
    fn further_name(&mut self, draft: &mut Draft, table: &[&str]) -> Result<(), Fault> {
        let mut ahead = self.cursor;
        if ahead.eat(b',') && !ahead.eat_word("space") {
            self.cursor.expect(b',')?;
            self.name(draft, table, &format!("one of {}", table.join(", ")))?;
        }
        Ok(())
    }

    fn number(&mut self, draft: &mut Draft, what: &str) -> Result<(), Fault> {
        draft.extra.push(self.cursor.number(what)?);
        Ok(())
    }

    fn further_numbers(&mut self, draft: &mut Draft, count: usize) -> Result<(), Fault> {
        for _ in 0..count {
            self.cursor.expect(b',')?;
            self.number(draft, "a number")?;
        }
        Ok(())
    }

    /// Numbers alone; a tessellation factor is a literal.
    fn numbers(&mut self, info: &OpcodeInfo, draft: &mut Draft) -> Result<(), Fault> {
        if info.op == Opcode::DclHsMaxTessfactor {
            let operand = self.operand(Place::Read, Class::Float)?;
            draft.extra.push(operand.literal[0]);
            return Ok(());
        }
        self.number(draft, "a number")?;
        self.further_numbers(draft, usize::from(info.extra) - 1)
    }

    /// A number of a few bits.
    fn small(&mut self, what: &str, most: u32) -> Result<u16, Fault> {
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let number = self.cursor.number(what)?;
        if number > most {
            return Err(Fault::new(ledger::ASM_VALUE, at, format!("{number} where {what} is due, at most {most}")));
        }
        Ok(number as u16)
    }

    /// Whether operands of resources name a range of registers.
    fn ranges(&self) -> bool {
        self.program.model == (5, 1)
    }

    fn place(&self) -> Place {
        Place::Declared { ranges: self.ranges() }
    }

    /// `, space=3`; 0 where a program of 5.1 leaves it out.
    fn space(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        if !self.ranges() {
            return Ok(());
        }
        if !self.cursor.eat(b',') {
            draft.extra.push(0);
            return Ok(());
        }
        if !self.cursor.eat_word("space") {
            return Err(self.cursor.expected("`space`"));
        }
        self.cursor.expect(b'=')?;
        self.number(draft, "a register space")
    }

    /// `t0`; in 5.1 `T0[3:5]`, `T0[3:*]`, where `t0` alone is `T0[0:0]`.
    fn range(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        let (mut operand, id) = self.numbered()?;
        if self.ranges() && is_range(operand.file) {
            let bounds = if self.cursor.eat(b'[') { self.bounds()? } else { [id, id] };
            set_indices(&mut operand, &[id, bounds[0], bounds[1]]);
        }
        self.selection(&mut operand, self.place())?;
        draft.operands.push(operand);
        Ok(())
    }

    /// `3:5]`, `3:*]`.
    fn bounds(&mut self) -> Result<[u32; 2], Fault> {
        let lower = self.cursor.number("the first register of a range")?;
        self.cursor.expect(b':')?;
        let upper = if self.cursor.eat(b'*') { u32::MAX } else { self.cursor.number("the last register or `*`")? };
        self.cursor.expect(b']')?;
        Ok([lower, upper])
    }

    /// A register file and a number, as an operand and the number again.
    fn numbered(&mut self) -> Result<(Operand, u32), Fault> {
        let mut operand = whole(self.file()?);
        let number = self.digits()?;
        set_indices(&mut operand, &[number]);
        Ok((operand, number))
    }

    /// `CB0[4], immediateIndexed`; in 5.1 `CB0[0:0][4], immediateIndexed, space=0`.
    fn constant_buffer(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        let (mut operand, id) = self.numbered()?;
        self.cursor.expect(b'[')?;
        let mut size = None;
        if self.ranges() {
            let mut ahead = self.cursor;
            ahead.word();
            let bounds = if ahead.eat(b':') { Some(self.bounds()?) } else { None };
            let [lower, upper] = bounds.unwrap_or([id, id]);
            set_indices(&mut operand, &[id, lower, upper]);
            if bounds.is_some() {
                self.cursor.expect(b'[')?;
            }
            size = Some(self.cursor.number("a number of vectors")?);
        } else {
            let vectors = self.cursor.number("a number of vectors")?;
            set_indices(&mut operand, &[id, vectors]);
        }
        self.cursor.expect(b']')?;
        self.selection(&mut operand, self.place())?;
        draft.operands.push(operand);
        draft.extra.extend(size);
        self.further_name(draft, &names::ACCESS_PATTERNS)?;
        self.space(draft)
    }

    /// The dimension among the suffixes; gives the others.
    fn dimension<'s>(&mut self, draft: &mut Draft, suffixes: &'s str, at: usize) -> Result<&'s str, Fault> {
        let after = suffixes.get(1..).unwrap_or_default();
        let name = after.split('_').next().unwrap_or_default();
        let number = names::DIMENSIONS.iter().position(|dimension| dimension.eq_ignore_ascii_case(name));
        let Some(number) = number else {
            let what = format!("{} is no dimension of a typed resource", quoted(name));
            return Err(Fault::new(ledger::ASM_NAME, at, what));
        };
        draft.controls |= number as u16;
        Ok(&after[name.len()..])
    }

    /// `(8) (float,float,float,float) t0`; the number of samples of a multisampled texture comes first.
    fn typed(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        self.cursor.expect(b'(')?;
        self.cursor.skip_blank();
        if self.cursor.byte().is_ascii_digit() {
            draft.controls |= self.small("a number of samples", 0x7f)? << 5;
            self.cursor.expect(b')')?;
            self.cursor.expect(b'(')?;
        }
        let returns = self.return_types()?;
        self.range(draft)?;
        draft.extra.push(u32::from(returns.0));
        self.space(draft)
    }

    /// An input or output, and the system value that follows it.
    fn attribute(&mut self, op: Opcode, draft: &mut Draft) -> Result<(), Fault> {
        use Opcode::*;
        draft.operands.push(self.register(self.place(), 0)?);
        let valued = [DclInputSgv, DclInputSiv, DclInputPsSgv, DclInputPsSiv, DclOutputSgv, DclOutputSiv];
        if valued.contains(&op) {
            self.cursor.expect(b',')?;
            draft.extra.push(position(&names::SYSTEM_VALUES, &mut self.cursor, "a system value")?);
        }
        Ok(())
    }

    /// The longest name of an interpolation that comes next; none is `undefined`.
    fn interpolation(&mut self) -> u16 {
        let mut found = (0, self.cursor, 0);
        for (number, name) in names::INTERPOLATIONS.iter().enumerate() {
            let mut ahead = self.cursor;
            let words = name.split(' ').count();
            if name.split(' ').all(|word| ahead.eat_word(word)) && words > found.2 {
                found = (number as u16, ahead, words);
            }
        }
        self.cursor = found.1;
        found.0
    }

    /// `x0[4], 4`.
    fn indexable_temp(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        self.register_of(RegisterFile::IndexableTemp, draft)?;
        self.cursor.expect(b'[')?;
        self.number(draft, "a number of elements")?;
        self.cursor.expect(b']')?;
        self.further_numbers(draft, 1)
    }

    /// A register's number, of this file alone.
    fn register_of(&mut self, file: RegisterFile, draft: &mut Draft) -> Result<(), Fault> {
        let mut ahead = self.cursor;
        ahead.skip_blank();
        let name = names::file(file);
        if !ahead.run(|byte| byte.is_ascii_alphabetic()).eq_ignore_ascii_case(name) {
            return Err(self.cursor.expected(&format!("`{name}` and a number")));
        }
        self.cursor = ahead;
        draft.extra.push(self.digits()?);
        Ok(())
    }

    fn body(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        self.register_of(RegisterFile::FunctionBody, draft)
    }

    /// `ft0 = {fb0, fb1}`.
    fn function_table(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        self.register_of(RegisterFile::FunctionTable, draft)?;
        draft.extra.push(0);
        let count = self.registers_of(RegisterFile::FunctionBody, draft)?;
        draft.extra[1] = count;
        Ok(())
    }

    /// `fp0[objects][call sites] = {ft0, ft1}`.
    fn interface(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        self.register_of(RegisterFile::Interface, draft)?;
        self.cursor.expect(b'[')?;
        let objects = u32::from(self.small("a number of objects", 0xffff)?);
        self.cursor.expect(b']')?;
        self.cursor.expect(b'[')?;
        self.number(draft, "a number of call sites")?;
        self.cursor.expect(b']')?;
        draft.extra.push(0);
        let count = self.registers_of(RegisterFile::FunctionTable, draft)?;
        draft.extra[2] = objects << 16 | (count & 0xffff);
        Ok(())
    }

    /// `= {a, b}`: the number of registers, which may stand on several lines.
    fn registers_of(&mut self, file: RegisterFile, draft: &mut Draft) -> Result<u32, Fault> {
        self.cursor.expect(b'=')?;
        self.cursor.expect(b'{')?;
        let first = draft.extra.len();
        self.cursor.skip_lines();
        if self.cursor.eat(b'}') {
            return Ok(0);
        }
        loop {
            self.register_of(file, draft)?;
            self.cursor.skip_lines();
            if self.cursor.eat(b'}') {
                return Ok((draft.extra.len() - first) as u32);
            }
            self.cursor.expect(b',')?;
            self.cursor.skip_lines();
        }
    }

    /// `refactoringAllowed | skipOptimization`.
    fn global_flags(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        let mut ahead = self.cursor;
        if ahead.line_ends() || ahead.eat(b'{') {
            return Ok(());
        }
        loop {
            draft.controls |= 1 << position(&names::GLOBAL_FLAGS, &mut self.cursor, "a global flag")?;
            if !self.cursor.eat(b'|') {
                return Ok(());
            }
        }
    }

    /// `triangle`, `patch3`.
    fn primitive(&mut self, draft: &mut Draft) -> Result<(), Fault> {
        let mut ahead = self.cursor;
        let points = ahead.word().strip_prefix("patch").and_then(|points| points.parse::<u16>().ok());
        match points {
            Some(points @ 1..=32) => {
                draft.controls |= names::FIRST_PATCH + points - 1;
                self.cursor = ahead;
                Ok(())
            }
            _ => self.name(draft, &names::PRIMITIVES, "a primitive"),
        }
    }
}

fn set_indices(operand: &mut Operand, numbers: &[u32]) {
    operand.index_count = numbers.len() as u8;
    for (index, offset) in operand.index.iter_mut().zip(numbers) {
        *index = Index::constant(*offset);
    }
}
