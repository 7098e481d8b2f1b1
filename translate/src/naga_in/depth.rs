//! How deep a text may nest before naga, which recurses, is given it.
//!
//! naga's parsers, its lowering and its writer call themselves for every nested expression and statement, a sum of n
//! terms being n deep. A text could so end the process by its stack. Owns an upper bound of that depth, taken from the
//! tokens alone, and the limits on it. Must never refuse what a person would write.

use crate::error::{Error, Place};
use crate::ledger;
use pp_rs::pp::Preprocessor;
use pp_rs::token::{Punct, TokenValue};

/// Deepest nesting. naga's stack ([`super::STACK_BYTES`]) allows for it in a build without optimisation, where a level
/// of nested GLSL takes up to 64 KiB (measured with naga 30).
const MAX_DEPTH: u32 = 512;

/// Most declarations of a module. naga follows chains of them recursively, and takes time with their square.
const MAX_DECLARATIONS: u32 = 1 << 12;

/// Tokens that the preprocessor may make of a text: so many, and so many a byte. Macros can double at every line.
const FREE_TOKENS: usize = 1 << 16;
const TOKENS_PER_BYTE: usize = 16;

/// Most `#define`s of a text: their uses in `#if` nest too.
const MAX_DEFINES: usize = 1 << 10;

/// Checks WGSL.
pub(super) fn check_wgsl(text: &str) -> Result<(), Error> {
    let mut scan = Scan::default();
    for (at, token) in Lexer::new(text) {
        scan.take(token).map_err(|what| too_deep(text, at, what))?;
    }
    Ok(())
}

/// Checks GLSL, behind its preprocessor. What that refuses, naga refuses again with its own words.
pub(super) fn check_glsl(text: &str) -> Result<(), Error> {
    check_directives(text)?;
    let most = FREE_TOKENS.saturating_add(text.len().saturating_mul(TOKENS_PER_BYTE));
    let mut scan = Scan::default();
    for (index, token) in Preprocessor::new(text).map_while(Result::ok).enumerate() {
        let at = token.location.start as usize;
        if index > most {
            return Err(too_deep(text, at, "macros make too much of the text"));
        }
        scan.take(glsl_token(&token.value)).map_err(|what| too_deep(text, at, what))?;
    }
    Ok(())
}

/// Checks what the preprocessor itself works on: conditions, and the number of macros.
fn check_directives(text: &str) -> Result<(), Error> {
    let mut defines = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            defines += usize::from(directive.trim_start().starts_with("define"));
            if defines > MAX_DEFINES {
                return Err(too_deep(text, at, "too many macros"));
            }
            let mut scan = Scan::default();
            for (_, token) in Lexer::new(directive) {
                scan.take(token).map_err(|what| too_deep(text, at, what))?;
            }
        }
        at += line.len();
    }
    Ok(())
}

fn too_deep(text: &str, at: usize, what: &str) -> Error {
    let before = text.get(..at).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = at - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    let mut error = Error::refused(ledger::TEXT_DEPTH, what);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    error.place = Place { offset: Some(number(at)), line: Some((number(line), number(column))), ..Place::default() };
    error
}

/// What a token does to the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// An opening bracket.
    Open,
    /// A closing bracket; true for a brace, which ends a statement.
    Close(bool),
    /// A comma or semicolon: what follows is not nested in what came before.
    Separator,
    /// An operator, or a keyword that another statement follows.
    Deeper,
    /// `else`: what follows is nested in the `if` before it.
    Else,
    /// Anything else.
    Plain,
}

/// The depth so far. Each open bracket is a level; within a level every operator since the last separator is one more.
#[derive(Default)]
struct Scan {
    /// Operators of the levels that are open, the outermost first; the innermost is in `operators`.
    levels: Vec<u32>,
    operators: u32,
    /// Sum over all levels.
    depth: u32,
    /// Whether the last token closed a brace, which ends a statement unless an `else` follows.
    after_brace: bool,
    declarations: u32,
}

impl Scan {
    fn take(&mut self, token: Token) -> Result<(), &'static str> {
        if std::mem::take(&mut self.after_brace) && token != Token::Else {
            self.end_element();
        }
        match token {
            Token::Open => {
                self.levels.push(std::mem::take(&mut self.operators));
                self.depth += 1;
            }
            Token::Close(brace) => {
                self.depth = self.depth.saturating_sub(self.operators + u32::from(!self.levels.is_empty()));
                self.operators = self.levels.pop().unwrap_or(0);
                self.after_brace = brace;
            }
            Token::Separator => self.end_element(),
            Token::Deeper | Token::Else => {
                self.operators += 1;
                self.depth += 1;
            }
            Token::Plain => {}
        }
        if self.levels.is_empty() && matches!(token, Token::Separator | Token::Close(true)) {
            self.declarations += 1;
        }
        if self.depth > MAX_DEPTH {
            return Err("the text is nested too deep here");
        }
        if self.declarations > MAX_DECLARATIONS {
            return Err("the text has too many declarations");
        }
        Ok(())
    }

    fn end_element(&mut self) {
        self.depth = self.depth.saturating_sub(std::mem::take(&mut self.operators));
    }
}

fn glsl_token(value: &TokenValue) -> Token {
    match value {
        TokenValue::Ident(word) => word_token(word),
        TokenValue::Punct(punct) => match punct {
            Punct::LeftBrace | Punct::LeftParen | Punct::LeftBracket => Token::Open,
            Punct::RightBrace => Token::Close(true),
            Punct::RightParen | Punct::RightBracket => Token::Close(false),
            Punct::Semicolon | Punct::Comma => Token::Separator,
            _ => Token::Deeper,
        },
        _ => Token::Plain,
    }
}

fn word_token(word: &str) -> Token {
    match word {
        "else" => Token::Else,
        "if" | "for" | "while" | "do" | "loop" | "switch" => Token::Deeper,
        _ => Token::Plain,
    }
}

/// WGSL's tokens, as far as depth needs them, with their places. It also serves for a preprocessor's line.
struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        Lexer { bytes: text.as_bytes(), at: 0 }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|b| !wanted(*b)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or(&[])
    }

    /// Skips a comment, if one begins here. Block comments nest in WGSL.
    fn skip_comment(&mut self) -> bool {
        if self.rest().starts_with(b"//") {
            self.skip_while(|b| b != b'\n');
            return true;
        }
        if !self.rest().starts_with(b"/*") {
            return false;
        }
        let mut open = 0usize;
        loop {
            match self.rest() {
                [b'/', b'*', ..] => {
                    open += 1;
                    self.at += 2;
                }
                [b'*', b'/', ..] => {
                    open -= 1;
                    self.at += 2;
                }
                [_, ..] => self.at += 1,
                [] => return true,
            }
            if open == 0 {
                return true;
            }
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = (usize, Token);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.skip_while(|b| b.is_ascii_whitespace());
            if !self.skip_comment() {
                break;
            }
        }
        let start = self.at;
        let first = *self.rest().first()?;
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii();
        let token = match first {
            // The point of a number is no operator.
            b if b.is_ascii_digit() => {
                self.skip_while(|b| is_word(b) || b == b'.');
                return Some((start, Token::Plain));
            }
            b if is_word(b) => {
                let word = self.skip_while(is_word);
                return Some((start, std::str::from_utf8(word).map_or(Token::Plain, word_token)));
            }
            b'(' | b'[' | b'{' => Token::Open,
            b')' | b']' => Token::Close(false),
            b'}' => Token::Close(true),
            b',' | b';' => Token::Separator,
            b'@' | b'#' | b'\\' => Token::Plain,
            _ => Token::Deeper,
        };
        self.at += 1;
        Some((start, token))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{MAX_DEPTH, check_glsl, check_wgsl};
    use crate::ledger;

    fn repeated(before: &str, piece: &str, after: &str) -> String {
        format!("{before}{}{after}", piece.repeat(MAX_DEPTH as usize + 1))
    }

    fn refused(result: Result<(), crate::Error>) -> bool {
        result.is_err_and(|error| error.code == ledger::TEXT_DEPTH)
    }

    #[test]
    fn nesting_of_every_kind_is_bounded() {
        let pieces =
            ["(", "[", "{", "- ", "!", "+ a ", ".x", "&& b ", "if (c) ", "else if (c) {} ", "b ? 1 : ", "a = "];
        for piece in pieces {
            assert!(refused(check_wgsl(&repeated("fn f() { ", piece, ""))), "{piece}");
            assert!(refused(check_glsl(&repeated("void f() { ", piece, ""))), "{piece}");
        }
    }

    #[test]
    fn what_stands_side_by_side_is_not_nested() {
        let pieces = ["a = b + c;", "f(a, b)[c];", "if (a) { b = c; }", "a += vec2(-1.0, .5).x * 2.0,", "{ a = 1; }"];
        for piece in pieces {
            assert_eq!(check_wgsl(&repeated("fn f() { ", piece, "}")), Ok(()), "{piece}");
            assert_eq!(check_glsl(&repeated("void f() { ", piece, "}")), Ok(()), "{piece}");
        }
    }

    #[test]
    fn comments_and_numbers_do_not_count() {
        assert_eq!(check_wgsl(&repeated("// ", "(", "\nfn f() {}")), Ok(()));
        assert_eq!(check_wgsl(&repeated("/* /* */ ", "(", "*/ fn f() {}")), Ok(()));
        assert_eq!(check_glsl(&repeated("/* ", "(", "*/ void f() {}")), Ok(()));
        assert_eq!(check_wgsl(&repeated("const a = f(", "1.5e3 ", ");")), Ok(()));
    }

    #[test]
    fn macros_are_counted_as_what_they_become() {
        let mut doubling = String::from("#define A0 1\n");
        for i in 1..60 {
            doubling += &format!("#define A{i} A{},A{}\n", i - 1, i - 1);
        }
        assert!(refused(check_glsl(&format!("{doubling}float x[] = {{ A59 }};"))));
        // Unused, they are nothing.
        assert_eq!(check_glsl(&doubling), Ok(()));
        let nested = repeated("#define M a\n#if ", "(", "1\n#endif\n");
        assert!(refused(check_glsl(&nested)));
    }

    #[test]
    fn a_text_of_many_small_declarations_is_bounded() {
        let declarations = "const a = 1;\n".repeat(super::MAX_DECLARATIONS as usize + 1);
        let error = check_wgsl(&declarations).unwrap_err();
        assert_eq!(error.place.line, Some((super::MAX_DECLARATIONS + 1, 12)));
    }
}
