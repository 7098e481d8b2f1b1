//! What went wrong, for a person and a script: one line and an exit code.
//!
//! Owns the form of the line: `CODE: file: place: what. What to do.` Must never span lines, whatever the error or the
//! file's name holds.

use std::fmt;
use std::path::Path;

use rx_renderer::translate::{self, Code, ErrorKind};
use rx_renderer::vk;

use crate::codes;
use crate::exit::Exit;

/// One error of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Stable code.
    pub code: Code,
    /// Exit code.
    pub exit: Exit,
    /// Input, where one is concerned.
    pub file: Option<String>,
    /// Where in the input.
    pub place: String,
    /// What, in this case.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

impl Failure {
    /// One of the command's own codes.
    pub fn own(code: Code, what: impl Into<String>) -> Failure {
        let row = codes::find(code);
        Failure {
            code,
            exit: row.map_or(Exit::Failed, |row| row.exit),
            file: None,
            place: String::new(),
            what: what.into(),
            remedy: row.map_or_else(String::new, |row| row.remedy.to_owned()),
        }
    }

    /// A fault of rx itself.
    pub fn internal(what: impl Into<String>) -> Failure {
        Failure::from(translate::Error::internal(what))
    }

    /// A file or folder that cannot be read.
    pub fn read(path: &Path, error: &std::io::Error) -> Failure {
        Failure::own(codes::READ, error.to_string()).in_file(path)
    }

    /// A file or folder that cannot be written.
    pub fn write(path: &Path, error: &std::io::Error) -> Failure {
        Failure::own(codes::WRITE, error.to_string()).in_file(path)
    }

    /// A window that the system does not give.
    pub fn window(error: &dyn fmt::Display) -> Failure {
        Failure::own(codes::WINDOW, error.to_string())
    }

    /// Standard output that cannot be written.
    pub fn stdout(error: &std::io::Error) -> Failure {
        Failure::own(codes::WRITE, format!("standard output: {error}"))
    }

    /// The same failure, in a file.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Failure {
        self.file = Some(path.display().to_string());
        self
    }
}

impl From<translate::Error> for Failure {
    fn from(error: translate::Error) -> Failure {
        Failure {
            code: error.code,
            exit: match error.kind {
                ErrorKind::Malformed => Exit::Malformed,
                ErrorKind::Refused => Exit::Refused,
                ErrorKind::Internal => Exit::Failed,
            },
            file: None,
            place: error.place.to_string(),
            remedy: error.remedy().to_owned(),
            what: error.what,
        }
    }
}

impl From<vk::Error> for Failure {
    fn from(error: vk::Error) -> Failure {
        let text = error.to_string();
        let what = text.strip_prefix(&format!("{}: ", error.code())).unwrap_or(&text);
        Failure {
            code: error.code(),
            exit: match error.kind() {
                vk::ErrorKind::Malformed => Exit::Malformed,
                vk::ErrorKind::Refused => Exit::Refused,
                vk::ErrorKind::Usage => Exit::Usage,
                vk::ErrorKind::Io | vk::ErrorKind::Device => Exit::Failed,
                vk::ErrorKind::NoDevice => Exit::NoDevice,
            },
            file: None,
            place: String::new(),
            what: what.to_owned(),
            remedy: vk::codes::find(error.code()).map_or_else(String::new, |row| row.remedy.to_owned()),
        }
    }
}

impl From<rx_renderer::Error> for Failure {
    fn from(error: rx_renderer::Error) -> Failure {
        match error {
            rx_renderer::Error::Stage { source, .. } => source.into(),
            rx_renderer::Error::Vulkan(error) => error.into(),
            rx_renderer::Error::Kept { .. } | rx_renderer::Error::Capture { .. } => {
                let (code, text) = (error.code(), error.to_string());
                Failure {
                    code,
                    exit: Exit::Failed,
                    file: None,
                    place: String::new(),
                    what: text.strip_prefix(&format!("{code}: ")).unwrap_or(&text).to_owned(),
                    remedy: error.remedy().to_owned(),
                }
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        let file = self.file.as_deref().unwrap_or_default();
        for part in [file, &self.place].into_iter().filter(|part| !part.is_empty()) {
            write!(f, "{}: ", one_line(part))?;
        }
        write!(f, "{}", one_line(self.what.trim_end_matches(['.', '\n'])))?;
        if !self.remedy.is_empty() {
            write!(f, ". {}", one_line(&self.remedy))?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// The text on one line: white space runs together, other control characters are escaped.
pub fn one_line(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let escaped = word.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() });
        escaped.collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line_of_code_file_place_what_and_what_to_do() {
        let error = translate::Error::malformed(translate::ledger::TRUNCATED, 24, "the header says 9\nbytes");
        let failure = Failure::from(error).in_file(Path::new("a\u{1b}[2J\n.dxbc"));
        assert_eq!(
            failure.to_string(),
            "RX0102: a\\u{1b}[2J .dxbc: offset 0x18: the header says 9 bytes. \
             Get the file again; compare its size with the one in the header."
        );
        assert_eq!(failure.exit, Exit::Malformed);
    }

    #[test]
    fn an_error_of_the_planner_says_its_code_once() {
        let error = vk::Error::NoPreset { name: "radz".to_owned(), nearest: "radv" };
        let text = Failure::from(error).to_string();
        assert!(text.starts_with("RX0503: radz: neither a preset nor a file; the nearest preset is radv. "), "{text}");
    }
}
