//! The crate's one error type: which stage of a program, and the error of the crate below.

use rx_translate::Code;

use crate::codes;

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
    /// What the crate below says: the stages do not make a program, the device cannot have it, or a call failed.
    #[error(transparent)]
    Vulkan(#[from] rx_vk::Error),
    /// The driver's pipeline cache is not kept.
    #[error("{}: {}: {why}", codes::KEPT, path.display())]
    Kept {
        /// File.
        path: std::path::PathBuf,
        /// The system's words.
        why: String,
    },
    /// A texture is not made a picture of.
    #[error("{}: {why}", codes::CAPTURE)]
    Capture {
        /// Why.
        why: String,
    },
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            Error::Stage { source, .. } => source.code,
            Error::Vulkan(error) => error.code(),
            Error::Kept { .. } => codes::KEPT,
            Error::Capture { .. } => codes::CAPTURE,
        }
    }

    /// What to do about it, from the code's table.
    pub fn remedy(&self) -> &'static str {
        match self {
            Error::Stage { source, .. } => source.remedy(),
            Error::Vulkan(error) => rx_vk::codes::find(error.code()).map_or("", |row| row.remedy),
            Error::Kept { .. } | Error::Capture { .. } => codes::find(self.code()).map_or("", |row| row.remedy),
        }
    }
}
