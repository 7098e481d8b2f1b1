//! The token stream of `SHDR` and `SHEX`: words in, a [`Program`] out.
//!
//! Owns the tokenized program format. What it lets through keeps these promises, so that its readers need no checks:
//! operand counts, register files, component selections and index counts are those of the opcode's row; temporaries and
//! indexable temporaries are declared; control flow is balanced; declared sizes are within Direct3D's limits.
//! Must never panic, guess, or take longer than a pass over the words.
//!
//! Memory: an operand record for each operand token and an instruction record for each instruction, instructions
//! counted before anything is allocated; at most 24 times the chunk, 8 for what compilers write.

pub mod custom;
mod declaration;
mod flow;
mod operand;
#[cfg(test)]
mod tests;

use super::bytes::u32_at;
use super::opcodes::{Flags, Kind, Opcode, OpcodeInfo};
use super::program::{Declaration, Instruction, Operand, Program, ProgramType, ResourceDim, ReturnTypes};
use crate::{Code, Error, ledger};

pub(super) use operand::{MAX_DEPTH as MAX_OPERAND_DEPTH, is_range, register_file};

/// What is wrong, before it is known where.
struct Fault {
    code: Code,
    what: String,
}

impl Fault {
    fn new(code: Code, what: impl Into<String>) -> Fault {
        Fault { code, what: what.into() }
    }

    fn tokens(what: impl Into<String>) -> Fault {
        Fault::new(ledger::BAD_TOKENS, what)
    }

    fn operand(what: impl Into<String>) -> Fault {
        Fault::new(ledger::BAD_OPERAND, what)
    }

    fn limit(what: impl Into<String>) -> Fault {
        Fault::new(ledger::LIMIT, what)
    }
}

/// Most words after an instruction's last operand; one has been seen.
const MAX_TRAILING: usize = 3;

/// A run of tokens being read: one instruction's.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    code: &'a [u8],
    /// Next word.
    at: usize,
    /// One past the last word.
    end: usize,
}

impl Cursor<'_> {
    fn next(&mut self) -> Result<u32, Fault> {
        if self.at >= self.end {
            return Err(Fault::tokens("tokens end within the instruction's length"));
        }
        let word = u32_at(self.code, 4 * self.at).ok_or_else(|| Fault::tokens("tokens end within the chunk"))?;
        self.at += 1;
        Ok(word)
    }

    fn left(&self) -> usize {
        self.end - self.at
    }
}

/// Reads the contents of a `SHDR` or `SHEX` chunk that stands at `base_offset` of the container.
pub fn decode(code: &[u8], base_offset: usize) -> Result<Program, Error> {
    let header = |at: usize| {
        u32_at(code, 4 * at)
            .ok_or_else(|| Error::malformed(ledger::BAD_TOKENS, base_offset, "shorter than a program's header"))
    };
    let (ty, model) = version(header(0)?, base_offset)?;
    let length = header(1)? as usize;
    let past_end = base_offset.checked_add(code.len()).is_none_or(|end| u32::try_from(end).is_err());
    if length < 2 || length > code.len() / 4 || past_end {
        let what = format!("a program of {length} words in a chunk of {} bytes", code.len());
        return Err(Error::malformed(ledger::BAD_TOKENS, base_offset.saturating_add(4), what));
    }
    let counts = count(code, length, base_offset)?;
    let program = Program {
        ty,
        model,
        declarations: Vec::with_capacity(counts.declarations),
        instructions: Vec::with_capacity(counts.instructions),
        operands: Vec::with_capacity(length / 3),
        extra: Vec::new(),
        trailing: Vec::new(),
    };
    let mut decoder = Decoder {
        program,
        base_offset,
        end: length,
        operands: Vec::with_capacity(8),
        flow: flow::Nesting::default(),
        state: declaration::State::default(),
    };
    let mut at = 2;
    while at < length {
        let next = at + token_length(code, at, length).map_err(|what| malformed_at(base_offset, at, what))?;
        decoder.item(Cursor { code, at, end: next })?;
        at = next;
    }
    decoder.flow.finish().map_err(|fault| malformed_at(base_offset, length, fault.what).with_code(fault.code))?;
    Ok(decoder.program)
}

trait WithCode {
    fn with_code(self, code: Code) -> Self;
}

impl WithCode for Error {
    fn with_code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }
}

fn malformed_at(base_offset: usize, at: usize, what: impl Into<String>) -> Error {
    Error::malformed(ledger::BAD_TOKENS, base_offset.saturating_add(4 * at), what)
}

/// The program type of a function in a `LIBF` chunk.
const LIBRARY_FUNCTION: u32 = 0xfff0;

fn version(token: u32, base_offset: usize) -> Result<(ProgramType, (u8, u8)), Error> {
    let (major, minor) = ((token >> 4 & 15) as u8, (token & 15) as u8);
    let number = token >> 16;
    if number == LIBRARY_FUNCTION {
        let mut error = Error::refused(ledger::LIBRARY, "the code is a function of a shader library");
        error.place.offset = u32::try_from(base_offset).ok();
        return Err(error);
    }
    let ty = ProgramType::from_number(number).ok_or_else(|| {
        Error::malformed(ledger::BAD_TOKENS, base_offset, format!("program type {number} is not in the format"))
    })?;
    if !matches!((major, minor), (4 | 5, 0 | 1)) {
        let mut error = Error::refused(ledger::SHADER_MODEL, format!("shader model {major}.{minor}"));
        error.place.offset = u32::try_from(base_offset).ok();
        return Err(error);
    }
    Ok((ty, (major, minor)))
}

/// Words of the item at word `at`, the opcode token included; at least one, and within the program.
fn token_length(code: &[u8], at: usize, end: usize) -> Result<usize, &'static str> {
    const CUT: &str = "a token lies outside the program";
    let token = u32_at(code, 4 * at).ok_or(CUT)?;
    let length = if token & 0x7ff == Opcode::CustomData as u32 {
        // Its length does not fit the opcode token and follows it.
        let length = u32_at(code, 4 * at + 4).ok_or(CUT)? as usize;
        if length < 2 {
            return Err("a custom data block shorter than its header");
        }
        length
    } else {
        (token >> 24 & 0x7f) as usize
    };
    if length == 0 {
        return Err("an instruction of no words");
    }
    if length > end - at {
        return Err("an instruction leaves the program");
    }
    Ok(length)
}

#[derive(Default)]
struct Counts {
    declarations: usize,
    instructions: usize,
}

/// Walks the lengths alone, so that the tables are allocated once.
fn count(code: &[u8], end: usize, base_offset: usize) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    let mut at = 2;
    while at < end {
        let length = token_length(code, at, end).map_err(|what| malformed_at(base_offset, at, what))?;
        let number = u32_at(code, 4 * at).unwrap_or_default() & 0x7ff;
        match Opcode::from_number(number) {
            Some(op) if op.info().is_declaration() => counts.declarations += 1,
            Some(_) => counts.instructions += 1,
            None => return Err(malformed_at(base_offset, at, format!("opcode {number} is not in the format"))),
        }
        at += length;
    }
    Ok(counts)
}

/// Extended opcode tokens, gathered.
#[derive(Clone, Copy, Default)]
struct Extended {
    offsets: [i8; 3],
    has_offsets: bool,
    dim: ResourceDim,
    stride: u16,
    returns: ReturnTypes,
}

struct Decoder {
    program: Program,
    base_offset: usize,
    /// One past the program's last word.
    end: usize,
    /// Operands of the instruction being read. Those inside indices go to the program at once, these after
    /// the last one, so that an instruction's own stand side by side.
    operands: Vec<Operand>,
    flow: flow::Nesting,
    state: declaration::State,
}

impl Decoder {
    fn item(&mut self, mut cursor: Cursor<'_>) -> Result<(), Error> {
        let at = cursor.at;
        let offset = (self.base_offset + 4 * at) as u32;
        let Some(token) = u32_at(cursor.code, 4 * at) else {
            return Err(malformed_at(self.base_offset, at, "a token lies outside the program"));
        };
        let Some(op) = Opcode::from_number(token & 0x7ff) else {
            return Err(malformed_at(self.base_offset, at, "an opcode that is not in the format"));
        };
        cursor.at += 1;
        let info = op.info();
        self.operands.clear();
        let (index, result) = if info.is_declaration() {
            (self.program.declarations.len(), self.declaration(info, token, offset, cursor))
        } else {
            (self.program.instructions.len(), self.instruction(info, token, offset, cursor))
        };
        result.map_err(|fault| {
            let error = Error::malformed(fault.code, offset as usize, fault.what);
            error.at(index as u32, info.mnemonic, offset)
        })
    }

    fn instruction(&mut self, info: &OpcodeInfo, token: u32, offset: u32, mut cursor: Cursor<'_>) -> Result<(), Fault> {
        self.check_stage(info)?;
        let extended = extended_tokens(token, &mut cursor)?;
        let extra = if info.op == Opcode::Fcall { cursor.next()? } else { 0 };
        for shape in info.operands {
            let operand = self.operand(&mut cursor)?;
            operand::check_shape(&operand, *shape, info)?;
            self.operands.push(operand);
        }
        self.trailing_words(&mut cursor)?;
        let controls = (token >> 11 & 0x1fff) as u16;
        check_controls(info, controls)?;
        self.flow.step(info.op, &self.operands)?;
        let first_operand = self.commit_operands(cursor.at);
        self.program.instructions.push(Instruction {
            op: info.op,
            saturate: info.flags.has(Flags::SAT) && token & 1 << 13 != 0,
            test_nonzero: token & 1 << 18 != 0,
            precise: (token >> 19 & 15) as u8,
            controls,
            offsets: extended.offsets,
            has_offsets: extended.has_offsets,
            dim: extended.dim,
            stride: extended.stride,
            returns: extended.returns,
            first_operand,
            operand_count: info.operands.len() as u8,
            offset,
            extra,
        });
        Ok(())
    }

    fn declaration(&mut self, info: &OpcodeInfo, token: u32, offset: u32, mut cursor: Cursor<'_>) -> Result<(), Fault> {
        self.check_stage(info)?;
        if info.kind == Kind::CustomData {
            return self.custom_data(token, offset, cursor);
        }
        if token >> 31 != 0 {
            return Err(Fault::tokens("an extended opcode token on a declaration"));
        }
        if info.kind == Kind::Phase {
            self.flow.finish()?;
        }
        for _ in info.operands {
            let operand = self.declared_operand(info.op, &mut cursor)?;
            self.operands.push(operand);
        }
        let words = self.extra_words(info, cursor)?;
        let controls = (token >> 11 & 0x1fff) as u16;
        self.check_declaration(info.op, controls, words)?;
        let first_operand = self.commit_operands(cursor.end);
        self.program.declarations.push(Declaration {
            op: info.op,
            controls,
            first_operand,
            operand_count: info.operands.len() as u8,
            extra: words,
            offset,
            before: self.program.instructions.len() as u32,
        });
        Ok(())
    }

    /// FXC writes a word too many after some literal operands (`samplepos`, the clamped `sample` forms). It means nothing;
    /// it is kept so that the program can be written again as it stood.
    fn trailing_words(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        if cursor.left() > MAX_TRAILING {
            return Err(Fault::tokens(format!("{} words after the last operand", cursor.left())));
        }
        while cursor.left() > 0 {
            let word = cursor.next()?;
            self.program.trailing.push((self.program.instructions.len() as u32, word));
        }
        Ok(())
    }

    /// Copies the rest of a declaration; its length has to be what the row says.
    fn extra_words(&mut self, info: &OpcodeInfo, mut cursor: Cursor<'_>) -> Result<(u32, u32), Fault> {
        let mut expected = usize::from(info.extra);
        if info.flags.has(Flags::SPACE) && self.ranges() {
            // A constant buffer's size moves out of its operand, where the range now stands.
            expected += if info.op == Opcode::DclConstantBuffer { 2 } else { 1 };
        }
        let counted = info.flags.has(Flags::COUNTED);
        if cursor.left() < expected || (!counted && cursor.left() > expected) {
            let what = format!("{} words where {expected} are due", cursor.left());
            return Err(Fault::tokens(what));
        }
        self.copy_rest(&mut cursor)
    }

    fn copy_rest(&mut self, cursor: &mut Cursor<'_>) -> Result<(u32, u32), Fault> {
        let first = self.program.extra.len() as u32;
        self.program.extra.reserve(cursor.left());
        while cursor.left() > 0 {
            let word = cursor.next()?;
            self.program.extra.push(word);
        }
        Ok((first, self.program.extra.len() as u32))
    }

    /// Moves the gathered operands into the program; gives the first one's index.
    fn commit_operands(&mut self, at: usize) -> u32 {
        let first = self.program.operands.len();
        self.reserve_operands(self.operands.len(), at);
        self.program.operands.extend_from_slice(&self.operands);
        first as u32
    }

    /// Grows the operand table at most once: to what the words that are left could hold.
    fn reserve_operands(&mut self, more: usize, at: usize) {
        let table = &mut self.program.operands;
        if table.capacity() - table.len() < more {
            table.reserve_exact(more + self.operands.len() + (self.end - at));
        }
    }

    fn check_stage(&self, info: &OpcodeInfo) -> Result<(), Fault> {
        if info.stages.has(self.program.ty) {
            return Ok(());
        }
        Err(Fault::tokens(format!("not for {:?} shaders", self.program.ty)))
    }

    /// Whether resource operands name a range (5.1) instead of a register.
    fn ranges(&self) -> bool {
        self.program.model == (5, 1)
    }
}

fn extended_tokens(opcode_token: u32, cursor: &mut Cursor<'_>) -> Result<Extended, Fault> {
    let mut extended = Extended::default();
    let mut more = opcode_token >> 31 != 0;
    while more {
        let token = cursor.next()?;
        match token & 0x3f {
            0 => {}
            1 => {
                // Four bits each, two's complement.
                let nibble = |shift: u32| ((token >> shift & 15) as i8) << 4 >> 4;
                extended.offsets = [nibble(9), nibble(13), nibble(17)];
                extended.has_offsets = true;
            }
            2 => {
                extended.dim = resource_dim(token >> 6 & 31)?;
                extended.stride = (token >> 11 & 0xfff) as u16;
            }
            3 => extended.returns = return_types(token >> 6 & 0xffff)?,
            other => return Err(Fault::tokens(format!("extended opcode token of type {other}"))),
        }
        more = token >> 31 != 0;
    }
    Ok(extended)
}

fn resource_dim(number: u32) -> Result<ResourceDim, Fault> {
    ResourceDim::from_number(number).ok_or_else(|| Fault::tokens(format!("resource dimension {number}")))
}

fn return_types(bits: u32) -> Result<ReturnTypes, Fault> {
    let returns = ReturnTypes(bits as u16);
    match (0..4).map(|c| returns.of(c)).find(|ty| !(1..=9).contains(ty)) {
        Some(ty) => Err(Fault::tokens(format!("resource return type {ty}"))),
        None => Ok(returns),
    }
}

fn check_controls(info: &OpcodeInfo, controls: u16) -> Result<(), Fault> {
    let valid = match info.op {
        // Return type: float, float of the reciprocal, uint.
        Opcode::Resinfo => controls & 3 <= 2,
        _ => true,
    };
    if valid { Ok(()) } else { Err(Fault::tokens("control bits without a meaning")) }
}
