//! The crate's one error type: which stage or set of a program, and the error of the crate below.

use rx_translate::Code;

/// Why a program has no modules or no plan. Begins with its code, as the errors below it do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A stage is not translated.
    #[error("{}: {program}, stage {index}: {}: {}", source.code, source.place, source.what)]
    Stage {
        /// Program.
        program: String,
        /// Which of the stages given, from 0.
        index: usize,
        /// Why.
        source: rx_translate::Error,
    },
    /// The stages do not make a program.
    #[error(transparent)]
    Program(#[from] rx_vk::Error),
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Error::Stage { source, .. } => source.code,
            Error::Program(error) => error.code(),
        }
    }

    /// What to do about it, from the code's table.
    pub fn remedy(&self) -> &'static str {
        match self {
            Error::Stage { source, .. } => source.remedy(),
            Error::Program(error) => rx_vk::codes::find(error.code()).map_or("", |row| row.remedy),
        }
    }
}
