//! A picture of what a command prints: text on standard input, SVG on standard output.
//!
//! ```sh
//! COLUMNS=118 cargo run --release | cargo run -p rx-tests --example terminal_picture -- 'cargo run --release' > docs/main-job.svg
//! ```
//!
//! The arguments are the prompt's line. Escape codes of colour and weight are taken; others are left out.
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::fmt::Write as _;
use std::io::Read as _;

/// Width of a character and height of a line, in the picture's units, at this size of type.
const CHARACTER: f32 = 7.8;
const LINE: f32 = 17.0;
const SIZE: f32 = 13.0;
const MARGIN: f32 = 14.0;

/// The sixteen colours of a terminal, dark ones first.
const COLOURS: [&str; 16] = [
    "#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4", "#6e7681", "#ffa198",
    "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#f0f6fc",
];

/// How a stretch of text looks.
#[derive(Clone, Copy, Default, PartialEq)]
struct Style {
    bold: bool,
    dim: bool,
    colour: Option<usize>,
}

impl Style {
    fn apply(&mut self, code: usize) {
        match code {
            0 => *self = Style::default(),
            1 => self.bold = true,
            2 => self.dim = true,
            22 => (self.bold, self.dim) = (false, false),
            30..=37 => self.colour = Some(code - 30),
            90..=97 => self.colour = Some(code - 90 + 8),
            39 => self.colour = None,
            _ => {}
        }
    }

    fn attributes(self) -> String {
        let mut text = String::new();
        if let Some(colour) = self.colour {
            let _ = write!(text, " fill=\"{}\"", COLOURS[colour]);
        }
        if self.bold {
            text += " font-weight=\"bold\"";
        }
        if self.dim {
            text += " opacity=\"0.65\"";
        }
        text
    }
}

/// A line as stretches of one look each.
fn stretches(line: &str, style: &mut Style) -> Vec<(Style, String)> {
    let mut found: Vec<(Style, String)> = Vec::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' {
            let code: String = rest.by_ref().skip(1).take_while(|c| !c.is_ascii_alphabetic()).collect();
            code.split(';').for_each(|code| style.apply(code.parse().unwrap_or(0)));
        } else if !c.is_control() {
            match found.last_mut() {
                Some((last, text)) if *last == *style => text.push(c),
                _ => found.push((*style, c.to_string())),
            }
        }
    }
    found
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// One line. Each stretch says where it begins and how wide it is, so that columns line up in any font.
fn draw(svg: &mut String, row: usize, line: &[(Style, String)]) {
    let y = MARGIN + LINE * (row as f32 + 0.75);
    let mut column = 0;
    for (style, text) in line {
        let width = text.chars().count();
        if !text.trim().is_empty() {
            let (x, length) = (MARGIN + CHARACTER * column as f32, CHARACTER * width as f32);
            let (attributes, text) = (style.attributes(), escaped(text));
            let _ =
                writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"{attributes}>{text}</text>");
        }
        column += width;
    }
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("text on standard input");
    let prompt: Vec<String> = std::env::args().skip(1).collect();
    let prompt = (Style { bold: true, ..Style::default() }, format!("$ {}", prompt.join(" ")));
    let mut style = Style::default();
    let mut lines = vec![vec![prompt]];
    lines.extend(text.trim_end().lines().map(|line| stretches(line, &mut style)));
    let columns = lines.iter().map(|line| line.iter().map(|(_, text)| text.chars().count()).sum::<usize>()).max();
    let width = 2.0 * MARGIN + CHARACTER * columns.unwrap_or_default() as f32;
    let height = 2.0 * MARGIN + LINE * lines.len() as f32;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"{SIZE}\" \
         fill=\"#c9d1d9\" xml:space=\"preserve\">\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#0d1117\"/>\n"
    );
    lines.iter().enumerate().for_each(|(row, line)| draw(&mut svg, row, line));
    svg += "</svg>";
    println!("{svg}");
}
