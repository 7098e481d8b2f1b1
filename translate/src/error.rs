//! The crate's one error type: every variant a stable code, where it happened, and what to do.

use std::fmt;

/// A stable code: `RX0217`. The table of all of them is [`crate::ledger::CODES`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RX{:04}", self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where in the input it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Byte offset in the input.
    pub offset: Option<u32>,
    /// Index of the instruction or declaration, from 0.
    pub instruction: Option<u32>,
    /// Its mnemonic.
    pub mnemonic: Option<&'static str>,
    /// Line and column of a text, from 1.
    pub line: Option<(u32, u32)>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sep = "";
        if let Some((line, column)) = self.line {
            write!(f, "line {line}:{column}")?;
            sep = ", ";
        }
        if let Some(i) = self.instruction {
            write!(f, "{sep}instruction {i}")?;
            sep = ", ";
        }
        if let Some(m) = self.mnemonic {
            write!(f, "{sep}`{m}`")?;
            sep = ", ";
        }
        if let Some(o) = self.offset {
            write!(f, "{sep}offset {o:#x}")?;
            sep = ", ";
        }
        if sep.is_empty() {
            f.write_str("the whole input")?;
        }
        Ok(())
    }
}

/// Whose doing an error is. Decides the exit code of the `rx` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input is not what it says it is.
    Malformed,
    /// The input is valid; rx or the target cannot take it.
    Refused,
    /// A fault of rx: the input was valid and what came out was not.
    Internal,
}

/// Why a translation gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {place}: {what}")]
pub struct Error {
    /// Stable code; `rx explain CODE` and [`crate::ledger`] say what to do.
    pub code: Code,
    /// Whose doing.
    pub kind: ErrorKind,
    /// Where.
    pub place: Place,
    /// What, in this case.
    pub what: String,
}

impl Error {
    /// Malformed input at a byte offset.
    pub fn malformed(code: Code, offset: usize, what: impl Into<String>) -> Self {
        Error {
            code,
            kind: ErrorKind::Malformed,
            place: Place { offset: u32::try_from(offset).ok(), ..Place::default() },
            what: what.into(),
        }
    }

    /// Refused input.
    pub fn refused(code: Code, what: impl Into<String>) -> Self {
        Error { code, kind: ErrorKind::Refused, place: Place::default(), what: what.into() }
    }

    /// A fault of rx.
    pub fn internal(what: impl Into<String>) -> Self {
        Error { code: crate::ledger::INTERNAL, kind: ErrorKind::Internal, place: Place::default(), what: what.into() }
    }

    /// The same error, at an instruction.
    pub fn at(mut self, instruction: u32, mnemonic: &'static str, offset: u32) -> Self {
        self.place.instruction = Some(instruction);
        self.place.mnemonic = Some(mnemonic);
        self.place.offset = Some(offset);
        self
    }

    /// What to do about it, from the ledger.
    pub fn remedy(&self) -> &'static str {
        crate::ledger::find(self.code).map_or("report this to rx with the input", |row| row.remedy)
    }
}

/// A deliberate difference that a translation carries, or a warning about its input, with how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Ledger code.
    pub code: Code,
    /// Number of places.
    pub count: u32,
}

impl Note {
    /// Whether the module differs from Direct3D. False for a warning about the input.
    pub fn is_adaptation(&self) -> bool {
        !crate::ledger::find(self.code).is_some_and(|row| row.kind == crate::ledger::RowKind::Warning)
    }
}
