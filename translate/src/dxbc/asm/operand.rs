//! Operands: modifiers, a register with its indices and letters, or a literal.
//!
//! Owns an operand's text. Must never judge what an instruction admits: the decoder does, over the words.

use super::number;
use super::text::{Fault, quoted};
use super::{Parser, lookup};
use crate::dxbc::letters::{self, IDENTITY, LETTERS, Place};
use crate::dxbc::names;
use crate::dxbc::opcodes::Class;
use crate::dxbc::program::{Components, Index, MinPrecision, Operand, OperandId, RegisterFile};
use crate::dxbc::tokens::{MAX_OPERAND_DEPTH, register_file};
use crate::ledger;

/// Selections of every kind, for their names alone.
const SELECTIONS: [Components; 5] =
    [Components::None, Components::One, Components::Mask(0), Components::Swizzle(0), Components::Select(0)];

impl<'t> Parser<'t> {
    /// An operand of an instruction. Those inside its indices go to the program at once.
    pub(super) fn operand(&mut self, place: Place, class: Class) -> Result<Operand, Fault> {
        let neg = self.cursor.eat(b'-');
        let abs = self.cursor.eat(b'|');
        self.cursor.skip_blank();
        let rest = self.cursor.rest();
        let literal = [("l(", RegisterFile::Immediate32), ("d(", RegisterFile::Immediate64)];
        let mut operand = match literal.into_iter().find(|(head, _)| rest.starts_with(head)) {
            Some((_, file)) => self.literal(file, class)?,
            None => self.register(place, 0)?,
        };
        operand.neg = neg;
        if abs {
            operand.abs = true;
            self.cursor.expect(b'|')?;
            self.braces(&mut operand)?;
        }
        Ok(operand)
    }

    /// A register with its indices, its letters, and what follows in braces.
    pub(super) fn register(&mut self, place: Place, depth: u32) -> Result<Operand, Fault> {
        let mut operand = whole(self.file()?);
        self.indices(&mut operand, depth)?;
        self.selection(&mut operand, place)?;
        Ok(operand)
    }

    /// The letters after a register, and what follows in braces.
    pub(super) fn selection(&mut self, operand: &mut Operand, place: Place) -> Result<(), Fault> {
        let at = self.cursor.at();
        let (read, written) = self.letters(operand.file, place)?;
        operand.components = read.unwrap_or(Components::None);
        let told = self.braces(operand)?;
        if read.is_none() && !told {
            let what = format!("{} is written, so its letters are each once, in the order xyzw", quoted(written));
            return Err(Fault::new(ledger::ASM_SYNTAX, at, what));
        }
        Ok(())
    }

    /// The file of a register, from the letters of its name.
    pub(super) fn file(&mut self) -> Result<RegisterFile, Fault> {
        self.cursor.skip_blank();
        let at = self.cursor.at();
        let name = self.cursor.run(|byte| byte.is_ascii_alphabetic());
        if name.is_empty() {
            return Err(self.cursor.expected("a register or a literal"));
        }
        let mut files = (0..).map_while(register_file);
        let found = files.find(|file| names::file(*file).eq_ignore_ascii_case(name));
        let literal = matches!(found, Some(RegisterFile::Immediate32 | RegisterFile::Immediate64));
        match found {
            Some(file) if !literal => Ok(file),
            _ => Err(Fault::new(ledger::ASM_NAME, at, format!("{} is no register", quoted(name)))),
        }
    }

    /// A number after the name, and indices in brackets.
    fn indices(&mut self, operand: &mut Operand, depth: u32) -> Result<(), Fault> {
        // The call site of an interface is its instruction's.
        let most = if operand.file == RegisterFile::Interface { 2 } else { 3 };
        let mut count = 0;
        if self.cursor.byte().is_ascii_digit() {
            operand.index[0] = Index::constant(self.digits()?);
            count = 1;
        }
        while count < most && self.cursor.byte() == b'[' {
            self.cursor.advance(1);
            operand.index[count] = self.index(depth)?;
            self.cursor.expect(b']')?;
            count += 1;
        }
        operand.index_count = count as u8;
        Ok(())
    }

    /// Decimal digits, up to the letter or bracket after them.
    pub(super) fn digits(&mut self) -> Result<u32, Fault> {
        let at = self.cursor.at();
        let digits = self.cursor.run(|byte| byte.is_ascii_digit());
        digits.parse().map_err(|_| Fault::new(ledger::ASM_VALUE, at, format!("{} is past 32 bits", quoted(digits))))
    }

    /// A number, a register, or their sum in either order.
    fn index(&mut self, depth: u32) -> Result<Index, Fault> {
        self.cursor.skip_blank();
        if self.cursor.byte().is_ascii_digit() {
            let offset = self.cursor.number("an index")?;
            let sum = self.cursor.eat(b'+');
            return Ok(if sum { Index::dynamic(offset, self.relative(depth + 1)?) } else { Index::constant(offset) });
        }
        let register = self.relative(depth + 1)?;
        let offset = if self.cursor.eat(b'+') { self.cursor.number("an index")? } else { 0 };
        Ok(Index::dynamic(offset, register))
    }

    fn relative(&mut self, depth: u32) -> Result<OperandId, Fault> {
        if depth > MAX_OPERAND_DEPTH {
            let what = format!("registers nested deeper than {MAX_OPERAND_DEPTH} in indices");
            return Err(Fault::new(ledger::ASM_VALUE, self.cursor.at(), what));
        }
        let operand = self.register(Place::Read, depth)?;
        let id = OperandId(self.program.operands.len() as u32);
        self.program.operands.push(operand);
        Ok(id)
    }

    /// `.xyzw` after a register: what it stands for, if anything, and its text.
    fn letters(&mut self, file: RegisterFile, place: Place) -> Result<(Option<Components>, &'t str), Fault> {
        if self.cursor.byte() != b'.' {
            return Ok((letters::read(file, place, &[]), ""));
        }
        self.cursor.advance(1);
        let at = self.cursor.at();
        let text = self.cursor.run(|byte| byte.is_ascii_alphanumeric());
        let components = components_of(text).filter(|components| !components.is_empty());
        let Some(components) = components else {
            let what = format!("{} is no selection: one to four of the letters xyzw", quoted(text));
            return Err(Fault::new(ledger::ASM_SYNTAX, at, what));
        };
        Ok((letters::read(file, place, &components), text))
    }

    /// What follows an operand in braces; true if its selection was among it. Braces of the line's own are left.
    pub(super) fn braces(&mut self, operand: &mut Operand) -> Result<bool, Fault> {
        let mut told = false;
        loop {
            let before = self.cursor;
            if !self.cursor.eat(b'{') {
                return Ok(told);
            }
            self.cursor.skip_blank();
            let at = self.cursor.at();
            let word = self.cursor.word();
            if word.eq_ignore_ascii_case("controls") || word.eq_ignore_ascii_case("trailing") {
                self.cursor = before;
                return Ok(told);
            }
            if word.eq_ignore_ascii_case("nonuniform") {
                operand.nonuniform = true;
            } else if let Some(precision) = precision(word) {
                operand.min_precision = precision;
                self.precision_wanted()?;
            } else if let Some(kind) = lookup(&SELECTIONS, |kind| names::selection(*kind), word) {
                operand.components = self.spelled_out(*kind)?;
                told = true;
            } else {
                return Err(Fault::new(ledger::ASM_NAME, at, format!("{} says nothing of an operand", quoted(word))));
            }
            self.cursor.expect(b'}')?;
        }
    }

    /// `as min16f`, which Microsoft's listing adds: what the instruction takes the operand for, and says itself.
    fn precision_wanted(&mut self) -> Result<(), Fault> {
        if !self.cursor.eat_word("as") {
            return Ok(());
        }
        let mut ahead = self.cursor;
        if precision(ahead.word()).is_none() {
            return Err(self.cursor.expected("a precision"));
        }
        self.cursor = ahead;
        Ok(())
    }

    /// The letters after `mask`, `swizzle` or `select`.
    fn spelled_out(&mut self, kind: Components) -> Result<Components, Fault> {
        let mut ahead = self.cursor;
        let Some(components) = components_of(ahead.word()) else {
            return Err(self.cursor.expected("letters of a selection"));
        };
        let read = match (kind, components.as_slice()) {
            (Components::None | Components::One, []) => Some(kind),
            (Components::Mask(_), []) => Some(Components::Mask(0)),
            (Components::Mask(_), letters) => letters::read(RegisterFile::Temp, Place::Written, letters),
            (Components::Swizzle(_), letters @ [_, _, _, _]) => letters::read(RegisterFile::Temp, Place::Read, letters),
            (Components::Select(_), [component]) => Some(Components::Select(*component)),
            _ => None,
        };
        match read {
            Some(components) => {
                self.cursor = ahead;
                Ok(components)
            }
            None => Err(self.cursor.expected(&format!("the letters of a {}", names::selection(kind)))),
        }
    }

    /// `l(…)` of one or four numbers, `d(…)` of one or two.
    fn literal(&mut self, file: RegisterFile, class: Class) -> Result<Operand, Fault> {
        let at = self.cursor.at();
        self.cursor.advance(2);
        let wide = file == RegisterFile::Immediate64;
        let mut words = Vec::with_capacity(4);
        loop {
            if wide {
                let bits = number::literal64(&mut self.cursor)?;
                // The low half comes first.
                words.extend([bits as u32, (bits >> 32) as u32]);
            } else {
                words.push(number::literal32(&mut self.cursor, class)?);
            }
            if words.len() >= 4 || !self.cursor.eat(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        let mut operand = whole(file);
        operand.components = match (wide, words.len()) {
            (false, 1) | (true, 2) => Components::One,
            (_, 4) => Components::Swizzle(IDENTITY),
            _ => return Err(Fault::new(ledger::ASM_SYNTAX, at, "a literal has one number or four")),
        };
        operand.literal[..words.len()].copy_from_slice(&words);
        self.braces(&mut operand)?;
        Ok(operand)
    }
}

/// A register of a file, without anything.
pub(super) fn whole(file: RegisterFile) -> Operand {
    Operand {
        file,
        components: Components::None,
        neg: false,
        abs: false,
        nonuniform: false,
        min_precision: MinPrecision::Default,
        index_count: 0,
        index: [Index::default(); 3],
        literal: [0; 4],
    }
}

fn precision(name: &str) -> Option<MinPrecision> {
    lookup(&names::PRECISIONS, |precision| names::precision(*precision), name).copied()
}

/// Component numbers of letters; `None` where one is no component, or there are more than four.
pub(super) fn components_of(letters: &str) -> Option<Vec<u8>> {
    if letters.len() > LETTERS.len() {
        return None;
    }
    let number = |letter: char| LETTERS.iter().position(|l| l.eq_ignore_ascii_case(&letter));
    letters.chars().map(|letter| number(letter).map(|n| n as u8)).collect()
}
