//! `#include` in GLSL: expanded before a text is translated, so that the text alone decides the translation and its key in
//! a cache.
//!
//! The host gives the files; nothing is read here. Each part of the expanded text begins with `#line`, with its name in a
//! comment, so that errors of [`crate::Translator::translate`] name the file and its own line.

use crate::error::Error;
use crate::ledger;
use std::collections::BTreeSet;

/// What a text asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Include<'a> {
    /// The name between the quotes or brackets.
    pub name: &'a str,
    /// The name of the file that asks, as it was given.
    pub from: &'a str,
    /// The name is in angle brackets.
    pub system: bool,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// What tells this file from others: a path, for example. It is what errors name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Deepest nesting of includes.
const MAX_DEPTH: usize = 64;

/// Most bytes of an expanded text.
const MAX_BYTES: usize = 16 << 20;

/// What a marked line's comment begins with.
const MARK: &str = "// rx-file: ";

/// Expands the `#include`s of a text called `name`, asking `resolve` for each file.
///
/// A file is taken once where it says `#pragma once`; a file that includes itself behind a guard (`#ifndef X`, `#define X`
/// at its beginning) is left out the second time. An include in a branch that the preprocessor skips need not exist: one
/// that was not found, or that includes itself without a guard, becomes an `#error`, and is one only where it is reached.
///
/// # Errors
///
/// `RX0339` if includes nest deeper than 64 or the text grows past 16 MiB.
///
/// ```
/// use rx_translate::glsl::{Included, expand_includes};
///
/// let text = "#version 450\n#include \"half.glsl\"\nvoid main() {}\n";
/// let expanded = expand_includes(text, "main.comp", &mut |include| {
///     let text = String::from("float half_of(float x) { return x * 0.5; }\n");
///     (include.name == "half.glsl").then(|| Included { name: String::from(include.name), text })
/// })?;
/// assert!(expanded.contains("half_of"));
/// # Ok::<(), rx_translate::Error>(())
/// ```
pub fn expand_includes(
    text: &str,
    name: &str,
    resolve: &mut dyn FnMut(&Include<'_>) -> Option<Included>,
) -> Result<String, Error> {
    let mut expander = Expander { resolve, out: String::new(), open: Vec::new(), once: BTreeSet::new() };
    expander.file(text, name)?;
    Ok(expander.out)
}

struct Expander<'r> {
    resolve: &'r mut dyn FnMut(&Include<'_>) -> Option<Included>,
    out: String,
    /// Names of the files that are being expanded, the outermost first.
    open: Vec<String>,
    once: BTreeSet<String>,
}

impl Expander<'_> {
    fn file(&mut self, text: &str, name: &str) -> Result<(), Error> {
        if self.open.len() >= MAX_DEPTH || self.out.len().saturating_add(text.len()) > MAX_BYTES {
            let what = format!("`{name}`: includes nest too deep, or make the text too long");
            return Err(Error::refused(ledger::GLSL_INCLUDE, what));
        }
        self.open.push(String::from(name));
        let mut comment = false;
        for (line, number) in text.split_inclusive('\n').zip(1u32..) {
            let inside = comment;
            comment = ends_in_comment(line, comment);
            match include(line).filter(|_| !inside) {
                Some((wanted, system)) => {
                    self.include(wanted, system)?;
                    self.mark(number.saturating_add(1));
                }
                None => self.out.push_str(line),
            }
        }
        if !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.open.pop();
        Ok(())
    }

    fn include(&mut self, wanted: &str, system: bool) -> Result<(), Error> {
        let from = self.open.last().cloned().unwrap_or_default();
        let Some(found) = (self.resolve)(&Include { name: wanted, from: &from, system }) else {
            self.error(&format!("`{wanted}`, which `{from}` includes, was not found"));
            return Ok(());
        };
        if is_once(&found.text) && !self.once.insert(found.name.clone()) {
            return Ok(());
        }
        if self.open.contains(&found.name) {
            if !is_guarded(&found.text) {
                self.error(&format!("`{}` includes itself", found.name));
            }
            return Ok(());
        }
        self.open.push(found.name.clone());
        self.mark(1);
        self.open.pop();
        self.file(&found.text, &found.name)
    }

    /// Names the file and line that follow.
    fn mark(&mut self, line: u32) {
        let name = self.open.last().map_or("", String::as_str).replace(['\n', '\r', '\\'], "/");
        self.out += &format!("#line {line} {} {MARK}{name}\n", self.open.len().saturating_sub(1));
    }

    fn error(&mut self, what: &str) {
        self.out += &format!("#error rx-include: {}\n", what.replace(['\n', '\r', '\\'], "/"));
    }
}

/// The name that a line includes, and whether it stands in angle brackets.
fn include(line: &str) -> Option<(&str, bool)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let (rest, end, system) = match rest.strip_prefix('"') {
        Some(rest) => (rest, '"', false),
        None => (rest.strip_prefix('<')?, '>', true),
    };
    rest.split_once(end).map(|(name, _)| (name, system))
}

fn is_once(text: &str) -> bool {
    text.lines().any(|line| {
        let words: Vec<&str> = line.trim_start().trim_start_matches('#').split_whitespace().collect();
        line.trim_start().starts_with('#') && words.as_slice() == ["pragma", "once"]
    })
}

/// Whether the first two directives of a text are `#ifndef X` and `#define X`.
fn is_guarded(text: &str) -> bool {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let mut words = directives.map(|line| line.split_whitespace().collect::<Vec<_>>());
    match (words.next().as_deref(), words.next().as_deref()) {
        (Some(["ifndef", guard]), Some(["define", defined, ..])) => guard == defined,
        _ => false,
    }
}

/// Whether a block comment is open behind a line.
fn ends_in_comment(line: &str, mut inside: bool) -> bool {
    let mut rest = line;
    loop {
        if inside {
            let Some((_, behind)) = rest.split_once("*/") else { return true };
            (rest, inside) = (behind, false);
            continue;
        }
        let (block, whole) = (rest.find("/*"), rest.find("//"));
        match block {
            Some(at) if whole.is_none_or(|whole| at < whole) => {
                (rest, inside) = (rest.get(at + 2..).unwrap_or(""), true)
            }
            _ => return false,
        }
    }
}

/// The file and line that a line of an expanded text (counted from 1) came from.
pub(crate) fn origin(text: &str, line: u32) -> Option<(&str, u32)> {
    let before = text.lines().take(line.saturating_sub(1) as usize);
    let marked = before.zip(1u32..).filter_map(|(own, number)| {
        let (head, name) = own.split_once(MARK)?;
        let first = head.strip_prefix("#line ")?.split(' ').next()?.parse::<u32>().ok()?;
        Some((name, first, number))
    });
    let (name, first, number) = marked.last()?;
    Some((name, first.saturating_add(line - number - 1)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Include, Included, expand_includes, origin};
    use crate::ledger;

    /// Files by name.
    fn files<'f>(files: &'f [(&'f str, &'f str)]) -> impl FnMut(&Include<'_>) -> Option<Included> + 'f {
        move |include| {
            let (name, text) = files.iter().find(|(name, _)| *name == include.name)?;
            Some(Included { name: String::from(*name), text: String::from(*text) })
        }
    }

    fn expanded(text: &str, all: &[(&str, &str)]) -> String {
        expand_includes(text, "main", &mut files(all)).unwrap()
    }

    #[test]
    fn a_file_takes_the_place_of_its_line() {
        let text = expanded("#version 450\n  # include <a>\nb\n", &[("a", "one\ntwo")]);
        assert_eq!(text, "#version 450\n#line 1 1 // rx-file: a\none\ntwo\n#line 3 0 // rx-file: main\nb\n");
        assert_eq!([4, 6].map(|line| origin(&text, line)), [Some(("a", 2)), Some(("main", 3))]);
        assert_eq!(origin(&text, 1), None);
    }

    #[test]
    fn comments_include_nothing() {
        let text = "// #include \"a\"\n/* x\n#include \"a\"\n*/ // /*\n";
        assert_eq!(expanded(text, &[]), text);
    }

    #[test]
    fn files_are_taken_once_where_they_say_so() {
        let once = expanded("#include \"a\"\n#include \"a\"\n", &[("a", "#pragma once\nx\n")]);
        assert_eq!(once.matches("x\n").count(), 1);
        let guarded = expanded("#include \"a\"\n", &[("a", "#ifndef A\n#define A\n#include \"a\"\nx\n#endif\n")]);
        assert_eq!(guarded.matches("x\n").count(), 1);
        assert!(!guarded.contains("#error"));
    }

    #[test]
    fn what_is_not_there_is_an_error_where_it_is_reached() {
        let missing = expanded("#if 0\n#include \"a\"\n#endif\n", &[]);
        assert!(missing.contains("#error rx-include: `a`, which `main` includes, was not found"));
        let itself = expanded("#include \"a\"\n", &[("a", "#include \"a\"\n")]);
        assert!(itself.contains("#error rx-include: `a` includes itself"));
    }

    #[test]
    fn nesting_and_growth_are_bounded() {
        // Each file includes another, without end.
        let mut n = 0;
        let mut resolve = |_: &Include<'_>| {
            n += 1;
            Some(Included { name: n.to_string(), text: String::from("#include \"next\"\n") })
        };
        let error = expand_includes("#include \"a\"\n", "main", &mut resolve).unwrap_err();
        assert_eq!(error.code, ledger::GLSL_INCLUDE);
        let twice = "#include \"a\"\n#include \"a\"\n";
        let mut n = 0;
        let mut resolve = |_: &Include<'_>| {
            n += 1;
            Some(Included { name: n.to_string(), text: String::from(twice) })
        };
        assert!(expand_includes(twice, "main", &mut resolve).is_err());
    }
}
