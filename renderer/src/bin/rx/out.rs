//! Standard output and error: style, width, and readers that go away.
//!
//! Owns every byte that the command prints. Colour only on a terminal that takes it; a reader that closes the pipe
//! ends the run quietly.

use std::io::{self, BufWriter, IsTerminal, Write};

use serde_json::Value;

use crate::environment::Environment;
use crate::failure::Failure;

/// Width where nothing says one.
const DEFAULT_COLUMNS: u16 = 100;

/// A colour with a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// Headings.
    Strong,
    /// What matters less.
    Dim,
    /// Good.
    Good,
    /// Worth a look.
    Notable,
    /// Bad.
    Bad,
    /// Names.
    Name,
}

impl Tone {
    fn code(self) -> &'static str {
        match self {
            Tone::Plain => "",
            Tone::Strong => "\x1b[1m",
            Tone::Dim => "\x1b[2m",
            Tone::Good => "\x1b[32m",
            Tone::Notable => "\x1b[33m",
            Tone::Bad => "\x1b[31m",
            Tone::Name => "\x1b[36m",
        }
    }
}

/// Where the command prints.
pub struct Out {
    stdout: BufWriter<io::Stdout>,
    colour: bool,
    terminal: bool,
    progress: bool,
    columns: Option<u16>,
}

impl Out {
    /// Decides style and width once.
    pub fn new(environment: &Environment) -> Out {
        let terminal = io::stdout().is_terminal();
        let error_terminal = io::stderr().is_terminal();
        let asked = environment.columns;
        let measured = terminal.then(|| console_columns().unwrap_or(DEFAULT_COLUMNS));
        Out {
            stdout: BufWriter::new(io::stdout()),
            colour: takes_colour(terminal, environment),
            terminal,
            progress: error_terminal && !environment.dumb_terminal,
            columns: asked.or(measured),
        }
    }

    /// Whether escape codes may be printed.
    pub fn colour(&self) -> bool {
        self.colour
    }

    /// Whether a person reads along.
    pub fn terminal(&self) -> bool {
        self.terminal
    }

    /// Whether a progress bar may be drawn on standard error.
    pub fn progress(&self) -> bool {
        self.progress
    }

    /// Width to fit into: that of `COLUMNS`, else the terminal's; none where nobody says, and lines may be as long as
    /// they are.
    pub fn columns(&self) -> Option<u16> {
        self.columns
    }

    /// The text in a tone.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        match (self.colour, tone) {
            (false, _) | (_, Tone::Plain) => text.to_owned(),
            (true, _) => format!("{}{text}\x1b[0m", tone.code()),
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.text(text)?;
        self.text("\n")
    }

    /// Prints text as it is.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Prints one JSON value on one line.
    pub fn json(&mut self, value: &Value) -> Result<(), Failure> {
        self.line(&value.to_string())
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.stdout.write_all(bytes).map_err(|error| leave_if_closed(&error))
    }

    /// Writes what is buffered.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|error| leave_if_closed(&error))
    }

    /// Prints an error's one line.
    pub fn error(&mut self, failure: &Failure) {
        // What stands before the error is printed before it.
        let _ = self.stdout.flush();
        say(&failure.to_string());
    }

    /// Prints a warning's one line.
    pub fn warn(&mut self, what: &str) {
        let _ = self.stdout.flush();
        say(&format!("warning: {}", crate::failure::one_line(what)));
    }
}

/// Whether escape codes may go to standard output.
fn takes_colour(terminal: bool, environment: &Environment) -> bool {
    terminal && !environment.no_color && !environment.dumb_terminal
}

/// One line to standard error. A reader that went away is no reason to fail.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A reader that has closed the pipe has all it wants: the run ends there and is done.
fn leave_if_closed(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(crate::exit::Exit::Done as i32);
    }
    Failure::stdout(error)
}

fn console_columns() -> Option<u16> {
    comfy_table::Table::new().width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_for_terminals_whose_user_wants_it() {
        let plain = Environment::default();
        assert!(takes_colour(true, &plain));
        assert!(!takes_colour(false, &plain));
        assert!(!takes_colour(true, &Environment { no_color: true, ..plain.clone() }));
        assert!(!takes_colour(true, &Environment { dumb_terminal: true, ..plain }));
    }
}
