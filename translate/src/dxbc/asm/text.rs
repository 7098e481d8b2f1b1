//! The text being read: where the reader stands, and what it says when it cannot go on.
//!
//! Owns white space, comments, words and places. Must never know what a word means.

use crate::error::Place;
use crate::{Code, Error, ErrorKind, ledger};

/// Why the text cannot be taken, and where.
#[derive(Debug)]
pub(super) struct Fault {
    code: Code,
    /// Byte of the text.
    at: usize,
    what: String,
}

impl Fault {
    pub(super) fn new(code: Code, at: usize, what: impl Into<String>) -> Fault {
        Fault { code, at, what: what.into() }
    }

    /// The error, with line and column.
    pub(super) fn in_text(self, text: &str) -> Error {
        let place = Place { line: Some(line_and_column(text, self.at)), ..Place::default() };
        Error { code: self.code, kind: ErrorKind::Malformed, place, what: self.what }
    }
}

/// Line and column of a byte, both from 1; a column is a character.
pub(super) fn line_and_column(text: &str, at: usize) -> (u32, u32) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // Every byte that begins a character counts.
    let column = before[start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
    (number(line), number(column))
}

/// A place in the text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        // Editors put a byte order mark there.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Cursor { text, at }
    }

    /// The byte that comes next, blank or not.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// What is left, blank or not.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next byte, blank or not; 0 at the end.
    pub(super) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Goes on by bytes that are known to be there.
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    /// Goes past blanks and comments, within the line.
    pub(super) fn skip_blank(&mut self) {
        loop {
            match self.byte() {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.rest().starts_with("//") => self.skip_line(),
                _ => return,
            }
        }
    }

    /// Goes past blanks, comments and ends of lines.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blank();
            match self.byte() {
                b'\n' => self.at += 1,
                // `#line` of listings with the source's lines.
                b'#' => self.skip_line(),
                _ => return,
            }
        }
    }

    /// Goes to the end of the line.
    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Whether nothing but blanks is left of the line.
    pub(super) fn line_ends(&mut self) -> bool {
        self.skip_blank();
        matches!(self.byte(), b'\n') || self.ends()
    }

    /// Whether nothing is left of the text.
    pub(super) fn ends(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Takes a character after blanks, if it is there.
    pub(super) fn eat(&mut self, character: u8) -> bool {
        self.skip_blank();
        let there = self.byte() == character;
        if there {
            self.at += 1;
        }
        there
    }

    pub(super) fn expect(&mut self, character: u8) -> Result<(), Fault> {
        if self.eat(character) {
            return Ok(());
        }
        Err(self.expected(&format!("`{}`", char::from(character))))
    }

    /// The letters, digits and underlines that come next, after blanks; may be none.
    pub(super) fn word(&mut self) -> &'t str {
        self.skip_blank();
        self.run(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    /// The bytes that come next and are of a kind; ASCII alone, so that the text is cut between characters.
    pub(super) fn run(&mut self, of: impl Fn(u8) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| !byte.is_ascii() || !of(byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes a word if it comes next; case does not count.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        let there = ahead.word().eq_ignore_ascii_case(word);
        if there {
            *self = ahead;
        }
        there
    }

    /// A plain number, decimal or `0x…`, of 32 bits.
    pub(super) fn number(&mut self, what: &str) -> Result<u32, Fault> {
        self.skip_blank();
        let at = self.at;
        if !self.byte().is_ascii_digit() {
            return Err(self.expected(what));
        }
        let digits = self.word();
        let parsed = match hexadecimal(digits) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        parsed.map_err(|_| {
            let what = format!("{} where {what} is due, a number below 2^32", quoted(digits));
            Fault::new(ledger::ASM_VALUE, at, what)
        })
    }

    /// A fault of what stands here, after blanks.
    pub(super) fn expected(&mut self, what: &str) -> Fault {
        self.skip_blank();
        let found = match self.rest().split(|c: char| c.is_whitespace() || c == ',').next() {
            _ if self.ends() => "the end of the text".to_owned(),
            Some("") if self.byte() == b'\n' => "the end of the line".to_owned(),
            Some("") => "`,`".to_owned(),
            Some(word) => quoted(word),
            None => "nothing".to_owned(),
        };
        Fault::new(ledger::ASM_SYNTAX, self.at, format!("expected {what}, found {found}"))
    }
}

/// The digits after `0x`.
pub(super) fn hexadecimal(number: &str) -> Option<&str> {
    number.strip_prefix("0x").or_else(|| number.strip_prefix("0X"))
}

/// A piece of the text for a message: not more than a glance, and nothing that a terminal obeys.
pub(super) fn quoted(piece: &str) -> String {
    const MOST: usize = 32;
    let mut shown: String = piece.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if piece.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_characters() {
        let text = "ab\ncäd\n\nx";
        let place = |needle| line_and_column(text, text.find(needle).unwrap_or(text.len()));
        assert_eq!(place("a"), (1, 1));
        assert_eq!(place("d"), (2, 3));
        assert_eq!(place("x"), (4, 1));
        assert_eq!(line_and_column(text, usize::MAX), (4, 2));
        assert_eq!(line_and_column("", 0), (1, 1));
    }

    #[test]
    fn blanks_comments_and_lines() {
        let mut cursor = Cursor::new("\u{feff} \t// a comment\r\n#line 1 \"a.hlsl\"\n  add_sat// more\n,");
        assert!(cursor.line_ends());
        cursor.skip_lines();
        assert_eq!(cursor.word(), "add_sat");
        assert!(cursor.line_ends());
        cursor.skip_lines();
        assert!(cursor.eat(b','));
        assert!(cursor.ends());
        assert_eq!(cursor.word(), "");
        assert_eq!(cursor.byte(), 0);
    }

    #[test]
    fn numbers_are_of_32_bits() {
        let number = |text| Cursor::new(text).number("a register").map_err(|fault| fault.code);
        assert_eq!(number(" 4294967295 "), Ok(u32::MAX));
        assert_eq!(number("0xFFFFffff"), Ok(u32::MAX));
        for text in ["4294967296", "0x100000000", "0x", "1a"] {
            assert_eq!(number(text), Err(ledger::ASM_VALUE), "{text}");
        }
        for text in ["", "-1", "x"] {
            assert_eq!(number(text), Err(ledger::ASM_SYNTAX), "{text}");
        }
    }

    #[test]
    fn what_is_found_is_quoted_in_brief() {
        let found = |text| Cursor::new(text).expected("x").what;
        assert_eq!(found(""), "expected x, found the end of the text");
        assert_eq!(found(" // a\n"), "expected x, found the end of the line");
        assert_eq!(found(" , a"), "expected x, found `,`");
        assert_eq!(found("r0.x, r1"), "expected x, found `r0.x`");
        assert_eq!(found("\u{1b}[0m"), "expected x, found `\u{fffd}[0m`");
        assert_eq!(found(&"ä".repeat(1000)), format!("expected x, found `{}…`", "ä".repeat(32)));
    }
}
