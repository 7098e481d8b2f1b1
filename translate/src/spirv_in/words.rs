//! Bytes to words, the header, and the walk over instructions.
//!
//! Owns the only place where a word count is trusted, after checking it. Must never interpret an operand.

use crate::error::Error;
use crate::ledger;
use spirv::Op;

/// Words of the header before the first instruction.
pub(super) const HEADER_WORDS: usize = 5;

/// SPIR-V's universal limit on the id bound (SPIR-V specification, 2.17).
const MAX_BOUND: u32 = 0x3F_FFFF;

/// Tables indexed by id are made up to this bound for any module, and past it in proportion to the module's words,
/// so that a header alone cannot ask for memory.
const FREE_BOUND: usize = 1 << 16;
const BOUND_PER_WORD: usize = 4;

/// Words that a byte offset of 32 bits can name.
const MAX_WORDS: usize = (u32::MAX / 4) as usize;

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Major and minor version.
    pub version: (u8, u8),
    /// All ids are below it.
    pub bound: u32,
}

/// One instruction, its length checked against the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inst<'a> {
    /// Index of its first word in the module.
    pub at: usize,
    /// Its words, the first included; never empty.
    pub words: &'a [u32],
}

impl<'a> Inst<'a> {
    /// The instruction that begins at a word; none where its length leaves the module or is 0.
    pub fn read(module: &'a [u32], at: usize) -> Option<Self> {
        let len = (*module.get(at)? >> 16) as usize;
        let words = module.get(at..at.checked_add(len)?)?;
        if words.is_empty() { None } else { Some(Inst { at, words }) }
    }

    /// Opcode, as a number.
    pub fn opcode(&self) -> u32 {
        self.words.first().copied().unwrap_or(0) & 0xFFFF
    }

    /// Opcode; none for one that the SPIR-V registry of this build does not know.
    pub fn op(&self) -> Option<Op> {
        Op::from_u32(self.opcode())
    }

    /// The word at an index, where the first is the opcode's.
    pub fn get(&self, index: usize) -> Option<u32> {
        self.words.get(index).copied()
    }

    /// Like [`Inst::get`], for a word that the instruction cannot do without.
    pub fn need(&self, index: usize) -> Result<u32, Error> {
        self.get(index).ok_or_else(|| self.error("the instruction is too short for its operands"))
    }

    /// The words from an index on; empty past the end.
    pub fn rest(&self, index: usize) -> &'a [u32] {
        self.words.get(index..).unwrap_or(&[])
    }

    /// The string that begins at a word, and the number of words it takes.
    pub fn string(&self, index: usize) -> Result<(String, usize), Error> {
        let words = self.rest(index);
        let last = words
            .iter()
            .position(|w| w.to_le_bytes().contains(&0))
            .ok_or_else(|| self.error("a string without an end"))?;
        let mut bytes: Vec<u8> = words.iter().take(last + 1).flat_map(|w| w.to_le_bytes()).collect();
        bytes.truncate(bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len()));
        String::from_utf8(bytes).map(|s| (s, last + 1)).map_err(|_| self.error("a string that is not UTF-8"))
    }

    /// Malformed code, at this instruction.
    pub fn error(&self, what: &str) -> Error {
        let name = self.op().map_or_else(|| format!("opcode {}", self.opcode()), |op| format!("Op{op:?}"));
        Error::malformed(ledger::SPIRV_CODE, self.at.saturating_mul(4), format!("{name}: {what}"))
    }
}

/// Words of a module from bytes of either endianness, in the machine's own order.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<Vec<u32>, Error> {
    if bytes.len() < HEADER_WORDS * 4 {
        return Err(Error::malformed(ledger::NOT_SPIRV, bytes.len(), "shorter than a SPIR-V header (20 bytes)"));
    }
    if !bytes.len().is_multiple_of(4) {
        let what = format!("{} bytes are no whole number of words", bytes.len());
        return Err(Error::malformed(ledger::NOT_SPIRV, bytes.len(), what));
    }
    let magic = bytes.get(..4).unwrap_or(&[]);
    let read: fn([u8; 4]) -> u32 = if magic == spirv::MAGIC_NUMBER.to_le_bytes() {
        u32::from_le_bytes
    } else if magic == spirv::MAGIC_NUMBER.to_be_bytes() {
        u32::from_be_bytes
    } else {
        return Err(Error::malformed(ledger::NOT_SPIRV, 0, "the magic number is not SPIR-V's"));
    };
    let (words, _) = bytes.as_chunks::<4>();
    Ok(words.iter().map(|b| read(*b)).collect())
}

/// Reads and checks the header.
pub(super) fn header(words: &[u32]) -> Result<Header, Error> {
    let [magic, version, _generator, bound, schema, ..] = *words else {
        return Err(Error::malformed(ledger::NOT_SPIRV, words.len() * 4, "shorter than a SPIR-V header (5 words)"));
    };
    if magic != spirv::MAGIC_NUMBER {
        return Err(Error::malformed(ledger::NOT_SPIRV, 0, "the magic number is not SPIR-V's"));
    }
    let [_, minor, major, reserved] = version.to_le_bytes();
    if reserved != 0 || major != 1 {
        return Err(Error::malformed(ledger::NOT_SPIRV, 4, format!("{version:#010x} is no version of SPIR-V")));
    }
    if schema != 0 {
        return Err(Error::malformed(ledger::NOT_SPIRV, 16, "the reserved word of the header is not 0"));
    }
    check_bound(words, bound)?;
    if words.len() > MAX_WORDS {
        return Err(Error::malformed(ledger::SPIRV_CODE, 0, "the module is larger than 4 GiB"));
    }
    Ok(Header { version: (major, minor), bound })
}

fn check_bound(words: &[u32], bound: u32) -> Result<(), Error> {
    if bound == 0 || bound > MAX_BOUND {
        let what = format!("the id bound {bound} is outside 1 to {MAX_BOUND}");
        return Err(Error::malformed(ledger::SPIRV_ID, 12, what));
    }
    if bound as usize > FREE_BOUND.max(words.len().saturating_mul(BOUND_PER_WORD)) {
        let what = format!("the id bound {bound} is far past what {} words can define", words.len());
        return Err(Error::refused(ledger::SPIRV_SPARSE, what));
    }
    Ok(())
}

/// The instructions after the header, in order. Ends with an error where a length is 0 or leaves the module.
pub(super) fn instructions(words: &[u32]) -> impl Iterator<Item = Result<Inst<'_>, Error>> {
    instructions_from(words, HEADER_WORDS)
}

/// The instructions from one on.
pub(super) fn instructions_from(words: &[u32], start: usize) -> impl Iterator<Item = Result<Inst<'_>, Error>> {
    let mut at = start;
    std::iter::from_fn(move || {
        if at >= words.len() {
            return None;
        }
        let Some(inst) = Inst::read(words, at) else {
            let what = "an instruction's length is 0 or leaves the module";
            let error = Error::malformed(ledger::SPIRV_CODE, at.saturating_mul(4), what);
            at = words.len();
            return Some(Err(error));
        };
        at += inst.words.len();
        Some(Ok(inst))
    })
}
