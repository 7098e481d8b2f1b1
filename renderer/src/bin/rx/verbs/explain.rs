//! `rx explain CODE`: what a code means, with an example and what to do.
//!
//! Owns the way from a code to its row, whoever gives the code out.

use rx_renderer::translate::ledger::{self, RowKind};
use rx_renderer::{translate::Code, vk};
use serde_json::json;

use crate::cli::{Context, Outcome};
use crate::codes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::out::{Out, Tone};

/// Explain a code such as RX0217
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The code
    #[arg(value_name = "CODE")]
    code: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// A code's row, whoever gives it out.
struct Row {
    code: Code,
    /// Who gives it out.
    from: &'static str,
    /// What kind of row it is.
    kind: &'static str,
    title: &'static str,
    what: &'static str,
    example: &'static str,
    remedy: &'static str,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    let row = parse(&args.code).and_then(find).ok_or_else(|| {
        let nearest = nearest(&args.code);
        Failure::own(codes::UNKNOWN_CODE, format!("{} is no code of rx; the nearest is {nearest}", args.code))
    })?;
    let Row { code, from, kind, title, what, example, remedy } = row;
    let out = &mut *context.out;
    if args.json {
        out.json(&json!({
            "schema": 1, "code": code.to_string(), "from": from, "kind": kind, "title": title, "cause": what,
            "example": example, "remedy": remedy,
        }))?;
        return Ok(Exit::Done);
    }
    let head = format!("{code}  {title}");
    out.line(&out.paint(Tone::Strong, &head))?;
    labelled(out, "from", &format!("{from}, {kind}"))?;
    labelled(out, "cause", what)?;
    labelled(out, "example", example)?;
    labelled(out, "what to do", remedy)?;
    Ok(Exit::Done)
}

/// Prints a name and its text beside it, fitted to the width.
pub fn labelled(out: &mut Out, name: &str, text: &str) -> Result<(), Failure> {
    let width = usize::from(out.columns().unwrap_or(u16::MAX));
    for (i, line) in wrapped(text, width.saturating_sub(14)).iter().enumerate() {
        let label = format!("{:<10}", if i == 0 { name } else { "" });
        out.line(&format!("  {}  {line}", out.paint(Tone::Dim, &label)))?;
    }
    Ok(())
}

/// `RX0217`, `rx217`, `217`.
fn parse(text: &str) -> Option<Code> {
    let digits = text.trim();
    let digits = digits.strip_prefix("RX").or(digits.strip_prefix("rx")).unwrap_or(digits);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).map(Code)
}

fn find(code: Code) -> Option<Row> {
    let translator = ledger::find(code).map(|row| Row {
        code,
        from: "the translator",
        kind: kind_name(row.kind),
        title: row.title,
        what: row.what,
        example: row.example,
        remedy: row.remedy,
    });
    let host = || {
        vk::codes::find(code).or_else(|| rx_renderer::codes::find(code)).map(|row| Row {
            code,
            from: if code.0 < 520 { "the planner" } else { "the host" },
            kind: "error",
            title: row.title,
            what: row.what,
            example: row.example,
            remedy: row.remedy,
        })
    };
    let command = || {
        codes::find(code).map(|row| Row {
            code,
            from: "the command",
            kind: "error",
            title: row.title,
            what: row.what,
            example: row.example,
            remedy: row.remedy,
        })
    };
    translator.or_else(host).or_else(command)
}

/// The name of a ledger row's kind.
pub fn kind_name(kind: RowKind) -> &'static str {
    match kind {
        RowKind::Internal => "internal",
        RowKind::Malformed => "malformed",
        RowKind::Refused => "refused",
        RowKind::Adapted => "adapted",
        RowKind::Warning => "warning",
        RowKind::Profile => "profile",
    }
}

/// The codes of all tables.
fn every_code() -> impl Iterator<Item = Code> {
    let host = vk::codes::CODES.iter().chain(rx_renderer::codes::CODES).map(|row| row.code);
    ledger::CODES.iter().map(|row| row.code).chain(host).chain(codes::CODES.iter().map(|row| row.code))
}

/// The nearest code by number, else by spelling.
fn nearest(text: &str) -> String {
    let all: Vec<Code> = every_code().collect();
    let by_number = parse(text).and_then(|code| all.iter().min_by_key(|own| own.0.abs_diff(code.0)));
    let names: Vec<String> = all.iter().map(ToString::to_string).collect();
    let by_name = || rx_renderer::vendor_fixes::nearest(text, names.iter().map(String::as_str)).unwrap_or_default();
    by_number.map_or_else(|| by_name().to_owned(), ToString::to_string)
}

/// The text in lines of at most `width` letters, broken between words.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(last) = lines.last_mut() else { break };
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_in_any_spelling() {
        for text in ["RX0203", "rx203", "203", " RX203 "] {
            assert_eq!(parse(text), Some(Code(203)), "{text}");
        }
        for text in ["", "RX", "+203", "x203", "RX99999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn no_two_tables_give_out_one_code() {
        let mut all: Vec<Code> = every_code().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn text_is_broken_between_words() {
        assert_eq!(wrapped("ab cd  efg h", 5), ["ab cd", "efg h"]);
        assert_eq!(wrapped("abcdefgh i", 3), ["abcdefgh", "i"]);
    }
}
