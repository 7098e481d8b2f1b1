//! Makes a failing case small: leaves out lines and blocks, simplifies operands and inputs, as long as it fails.
//!
//! It works on the text and knows little of the format: what does not assemble any more, or what the interpreter or the
//! translator refuses, does not fail, and so is not taken.

use super::case::{Case, Launch};

/// Returns a smaller case for which `fails` is still true. `fails` decides alone: it must be false for text that does not
/// assemble.
pub fn reduce(case: &Case, mut fails: impl FnMut(&Case) -> bool) -> Case {
    let mut reducer = Reducer { case: case.clone(), fails: &mut fails };
    loop {
        let before = reducer.case.text.clone();
        reducer.lines();
        reducer.blocks();
        reducer.operands();
        if reducer.case.text == before {
            break;
        }
    }
    reducer.launch();
    reducer.inputs();
    reducer.resources();
    reducer.case
}

struct Reducer<'f> {
    case: Case,
    fails: &'f mut dyn FnMut(&Case) -> bool,
}

impl Reducer<'_> {
    /// Takes a candidate if it fails, too.
    fn take(&mut self, candidate: Case) -> bool {
        if !is_defined(&candidate.text) || !(self.fails)(&candidate) {
            return false;
        }
        self.case = candidate;
        true
    }

    fn take_lines(&mut self, lines: &[&str]) -> bool {
        let mut text = lines.join("\n");
        text.push('\n');
        self.take(Case { text, ..self.case.clone() })
    }

    /// Leaves out runs of lines, long ones first.
    fn lines(&mut self) {
        let mut length = self.case.text.lines().count() / 2;
        while length > 0 {
            let mut at = 1;
            loop {
                let text = self.case.text.clone();
                let lines: Vec<&str> = text.lines().collect();
                if at >= lines.len() {
                    break;
                }
                let end = (at + length).min(lines.len());
                let without: Vec<&str> = lines[..at].iter().chain(&lines[end..]).copied().collect();
                if !self.take_lines(&without) {
                    at += length;
                }
            }
            length /= 2;
        }
    }

    /// Leaves out the lines that open and close a block and keeps what is in it; or takes one side of an `else`.
    fn blocks(&mut self) {
        let mut at = 0;
        loop {
            let text = self.case.text.clone();
            let lines: Vec<&str> = text.lines().collect();
            if at >= lines.len() {
                return;
            }
            let Some((otherwise, end)) = block(&lines, at) else {
                at += 1;
                continue;
            };
            let middle = otherwise.unwrap_or(end);
            let keep = |ranges: [std::ops::Range<usize>; 2]| -> Vec<&str> {
                let inside = ranges.into_iter().flat_map(|range| &lines[range]);
                lines[..at].iter().chain(inside).chain(&lines[end + 1..]).copied().collect()
            };
            let candidates = [
                keep([at + 1..middle, end..end]),
                keep([(middle + 1).min(end)..end, end..end]),
                keep([at + 1..middle, (middle + 1).min(end)..end]),
            ];
            if !candidates.iter().any(|lines| self.take_lines(lines)) {
                at += 1;
            }
        }
    }

    /// Makes operands plain: zeros, whole registers, no modifiers.
    fn operands(&mut self) {
        let mut at = 0;
        loop {
            let text = self.case.text.clone();
            let lines: Vec<&str> = text.lines().collect();
            let Some(line) = lines.get(at) else { return };
            at += 1;
            if line.starts_with("dcl_") || line.starts_with('.') || line.starts_with("store_structured") {
                continue;
            }
            for simpler in simpler_lines(line) {
                let mut changed = lines.clone();
                changed[at - 1] = &simpler;
                if self.take_lines(&changed) {
                    at -= 1;
                    break;
                }
            }
        }
    }

    /// One group, one thread.
    fn launch(&mut self) {
        if let Launch::Compute { .. } = self.case.launch {
            self.take(Case { launch: Launch::Compute { groups: [1; 3] }, ..self.case.clone() });
        }
        let line = self.case.text.lines().find(|line| line.starts_with("dcl_thread_group")).map(str::to_owned);
        if let Some(line) = line {
            let text = self.case.text.replace(&line, "dcl_thread_group 1, 1, 1");
            self.take(Case { text, ..self.case.clone() });
        }
    }

    /// Zeros in the inputs, in halves and halves of those.
    fn inputs(&mut self) {
        for number in 0..self.case.resources.len() {
            if self.case.resources[number].is_written() {
                continue;
            }
            let mut length = self.case.resources[number].words.len();
            while length > 0 {
                let mut at = 0;
                while at < self.case.resources[number].words.len() {
                    let mut candidate = self.case.clone();
                    let words = &mut candidate.resources[number].words;
                    let end = (at + length).min(words.len());
                    if words[at..end].iter().any(|word| *word != 0) {
                        words[at..end].fill(0);
                        self.take(candidate);
                    }
                    at += length;
                }
                length /= 2;
            }
        }
    }

    /// Leaves out what is bound and not declared.
    fn resources(&mut self) {
        for number in (0..self.case.resources.len()).rev() {
            let mut candidate = self.case.clone();
            candidate.resources.remove(number);
            self.take(candidate);
        }
    }
}

/// The lines of the `else` and of the end of a block that begins at a line.
fn block(lines: &[&str], at: usize) -> Option<(Option<usize>, usize)> {
    let opens = |line: &str| line.starts_with("if_") || line == "loop" || line.starts_with("switch");
    let closes = |line: &str| matches!(line, "endif" | "endloop" | "endswitch");
    if !opens(lines[at]) {
        return None;
    }
    let (mut depth, mut otherwise) = (0, None);
    for (n, line) in lines.iter().enumerate().skip(at) {
        depth += usize::from(opens(line));
        if depth == 1 && *line == "else" {
            otherwise = Some(n);
        }
        if closes(line) {
            depth -= 1;
            if depth == 0 {
                return Some((otherwise, n));
            }
        }
    }
    None
}

/// Variants of an instruction with one operand made plainer.
fn simpler_lines(line: &str) -> Vec<String> {
    let Some((mnemonic, rest)) = line.split_once(' ') else { return Vec::new() };
    let operands = split_operands(rest);
    let mut all = Vec::new();
    if let Some(plain) = mnemonic.strip_suffix("_sat") {
        all.push(format!("{plain} {rest}"));
    }
    if let Some(plain) = rest.strip_prefix("[precise] ") {
        all.push(format!("{mnemonic} {plain}"));
    }
    for (n, operand) in operands.iter().enumerate().skip(1) {
        let mut with = |text: String| {
            if text != *operand && !text.is_empty() {
                let mut changed = operands.clone();
                changed[n] = text;
                all.push(format!("{mnemonic} {}", changed.join(", ")));
            }
        };
        if operand.starts_with("l(") {
            // Ones are tried only where zeros do not fail, so that the two never take turns.
            let (zeros, ones) =
                if operand.contains(',') { ("l(0, 0, 0, 0)", "l(1, 1, 1, 1)") } else { ("l(0)", "l(1)") };
            if operand != zeros {
                with(zeros.to_owned());
                with(ones.to_owned());
            }
            continue;
        }
        let letters = operand.rsplit('.').next().map_or(0, |swizzle| swizzle.trim_end_matches('|').len());
        with(if letters == 1 { "l(0)".to_owned() } else { "l(0, 0, 0, 0)".to_owned() });
        let plain = operand.replace(['-', '|'], "");
        with(plain.clone());
        if let Some((register, swizzle)) = plain.rsplit_once('.')
            && swizzle.len() == 4
        {
            with(format!("{register}.xyzw"));
            with(format!("{register}.xxxx"));
        }
    }
    all
}

/// Operands at the commas outside brackets.
fn split_operands(text: &str) -> Vec<String> {
    let (mut depth, mut all) = (0, vec![String::new()]);
    for letter in text.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = all.last_mut()
            && !(last.is_empty() && letter == ' ')
        {
            last.push(letter);
        }
    }
    all
}

/// Whether every register is written as a whole, at the beginning of the main program, before it is used; and group memory
/// keeps its barriers and its first values. What is undefined may differ without any fault.
fn is_defined(text: &str) -> bool {
    let mut depth = 0;
    let mut known: Vec<String> = Vec::new();
    let shared =
        text.contains("ld_raw") && text.contains("g0.") || text.contains("ld_structured") && text.contains("g1.");
    let barriers = text.lines().filter(|line| line.starts_with("sync") && line.contains("_t")).count();
    if (shared || text.contains("g0,") || text.contains("g1,")) && barriers == 0 {
        return false;
    }
    for line in text.lines().filter(|line| !line.starts_with("dcl_") && !line.starts_with('.')) {
        let opens =
            line.starts_with("if_") || line == "loop" || line.starts_with("switch") || line.starts_with("label");
        let Some((mnemonic, rest)) = line.split_once(' ') else {
            depth += usize::from(opens);
            continue;
        };
        let operands = split_operands(rest.trim_start_matches("[precise] "));
        let whole = depth == 0 && matches!(mnemonic, "mov" | "ld_structured");
        let written = operands.first().and_then(|operand| operand.strip_suffix(".xyzw"));
        // A write of a part keeps the rest, so it counts as a use.
        let sources = if whole && written.is_some() { &operands[1..] } else { &operands[..] };
        for name in sources.iter().flat_map(|operand| registers(operand)) {
            if !known.contains(&name) {
                return false;
            }
        }
        if let (true, Some(register)) = (whole, written) {
            known.push(register.to_owned());
        }
        depth += usize::from(opens);
    }
    let outputs = text.lines().filter(|line| line.starts_with("dcl_output"));
    outputs.filter_map(|line| line.split_once(' ')).flat_map(|(_, rest)| registers(rest)).all(|o| known.contains(&o))
}

/// Temporaries, array elements and outputs that an operand names. An element with an index of a register is the array's
/// first one.
fn registers(operand: &str) -> Vec<String> {
    let mut all = Vec::new();
    let bytes = operand.as_bytes();
    for (at, letter) in operand.char_indices() {
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        let digits: String = operand[at + 1..].chars().take_while(char::is_ascii_digit).collect();
        if !begins || digits.is_empty() {
            continue;
        }
        match letter {
            'r' | 'o' => all.push(format!("{letter}{digits}")),
            'x' => {
                let index = &operand[at + 1 + digits.len()..];
                let element: String = index.trim_start_matches('[').chars().take_while(char::is_ascii_digit).collect();
                let whole = index.trim_start_matches('[').starts_with(|c: char| c.is_ascii_digit())
                    && index.trim_start_matches('[')[element.len()..].starts_with(']');
                let count = super::generate::array_elements(&digits);
                if whole {
                    all.push(format!("x{digits}[{element}]"));
                } else {
                    all.extend((0..count).map(|n| format!("x{digits}[{n}]")));
                }
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "cs_5_0
dcl_temps 3
mov r0.xyzw, l(0, 0, 0, 0)
mov r1.xyzw, l(1, 1, 1, 1)
mov r2.xyzw, l(2, 2, 2, 2)
if_nz r1.x
iadd r0.x, -r1.x, r2.wzyx
else
mov r2.x, r1.x
endif
ret
";

    fn case(text: &str) -> Case {
        let launch = Launch::Compute { groups: [1; 3] };
        Case { seed: 0, text: text.to_owned(), launch, resources: Vec::new(), out_of_range: false }
    }

    #[test]
    fn what_is_not_needed_goes() {
        let small = reduce(&case(TEXT), |case| case.text.contains("iadd"));
        let lines: Vec<&str> = small.text.lines().collect();
        assert_eq!(lines, ["cs_5_0", "mov r0.xyzw, l(0, 0, 0, 0)", "iadd r0.x, l(0), l(0, 0, 0, 0)"]);
    }

    #[test]
    fn a_register_that_nothing_writes_is_not_read() {
        assert!(is_defined(TEXT));
        assert!(!is_defined(&TEXT.replace("mov r1.xyzw, l(1, 1, 1, 1)\n", "")));
        assert!(!is_defined("cs_5_0\nmov r0.x, l(0)\n"));
        assert!(!is_defined("cs_5_0\nmov x0[0].xyzw, l(0, 0, 0, 0)\nmov r0.xyzw, x0[r0.x].xyzw\n"));
    }

    #[test]
    fn operands_are_split_outside_brackets() {
        assert_eq!(split_operands("r0.x, l(1, 2), cb0[r1.x + 2].x"), ["r0.x", "l(1, 2)", "cb0[r1.x + 2].x"]);
    }
}
