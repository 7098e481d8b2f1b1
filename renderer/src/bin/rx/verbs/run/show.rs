//! What a run gave, for people and as JSON.

use std::path::Path;

use rx_interpreter::{Class, Layout, Machine, Outputs, Resources, Slot, View};
use rx_renderer::translate::dxbc::program::ProgramType;
use rx_renderer::translate::dxbc::{Shader, disasm};
use serde_json::{Value, json};

use super::{binding, formats};
use crate::failure::Failure;
use crate::out::{Out, Tone};

/// Words in a printed row.
const ROW: usize = 4;

/// How a word is read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// 32-bit float.
    Float,
    /// Signed integer.
    Int,
    /// Unsigned integer.
    Uint,
    /// A float if the bits are one of an ordinary size, else a signed integer.
    Guess,
}

impl Reading {
    /// The reading of a signature's component type.
    fn of_component(component: u32) -> Reading {
        match component {
            1 | 4 => Reading::Uint,
            2 | 5 => Reading::Int,
            3 | 6 => Reading::Float,
            _ => Reading::Guess,
        }
    }

    /// The word as a number. A float always has a point, an exponent or a name, so that it is told from an integer.
    pub fn number(self, word: u32) -> String {
        let value = f32::from_bits(word);
        match self {
            Reading::Float => float(value),
            Reading::Int => word.cast_signed().to_string(),
            Reading::Uint => word.to_string(),
            Reading::Guess if is_ordinary(word) => float(value),
            Reading::Guess => word.cast_signed().to_string(),
        }
    }

    /// The word as a JSON value. A float that JSON cannot hold is a string.
    fn json(self, word: u32) -> Value {
        let value = f32::from_bits(word);
        match self {
            Reading::Int => json!(word.cast_signed()),
            Reading::Uint => json!(word),
            Reading::Guess if !is_ordinary(word) => json!(word.cast_signed()),
            // The shortest decimal form is the one that people write.
            _ => float(value)
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite())
                .map_or_else(|| json!(float(value)), Value::from),
        }
    }
}

/// Whether bits are more likely a float than an integer: a magnitude from 1e-9 to 1e15, an infinity, or the usual NaN.
fn is_ordinary(word: u32) -> bool {
    const USUAL: [u32; 4] = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000];
    let magnitude = f32::from_bits(word).abs();
    (1e-9..1e15).contains(&magnitude) || USUAL.contains(&word)
}

fn float(value: f32) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

/// Words as hexadecimal digits.
pub fn hex(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    words.join(" ")
}

/// Words as numbers.
pub fn numbers(words: &[u32], reading: Reading) -> String {
    let numbers: Vec<String> = words.iter().map(|word| reading.number(*word)).collect();
    numbers.join(" ")
}

/// One run.
pub struct Report<'a> {
    pub file: &'a Path,
    pub shader: &'a Shader<'a>,
    pub groups: [u32; 3],
    pub threads: [u32; 3],
    /// Instructions that were executed.
    pub executed: u64,
    pub machine: &'a Machine,
    pub resources: &'a Resources,
}

/// A row of outputs: name, register with components, words, reading.
struct Row {
    semantic: String,
    index: u32,
    register: Option<u32>,
    place: String,
    mask: String,
    words: Vec<u32>,
    reading: Reading,
}

impl Report<'_> {
    /// Prints it for people.
    pub fn text(&self, outputs: &Outputs, out: &mut Out) -> Result<(), Failure> {
        let name = out.paint(Tone::Name, &self.file.display().to_string());
        let profile = disasm::disassemble(self.shader).lines().next().unwrap_or_default().to_owned();
        let [x, y, z] = self.groups;
        let [tx, ty, tz] = self.threads;
        let what = match self.shader.program.ty {
            ProgramType::Compute => format!("{x} x {y} x {z} groups of {tx} x {ty} x {tz} threads"),
            ProgramType::Vertex => "one vertex".to_owned(),
            _ => "one pixel".to_owned(),
        };
        out.line(&format!("{name}: {profile}, {what}, {} instructions executed", self.executed))?;
        if self.shader.program.ty != ProgramType::Compute {
            self.outputs_text(outputs, out)?;
        }
        for (slot, view) in &self.resources.unordered_access {
            self.view_text(*slot, view, out)?;
        }
        Ok(())
    }

    fn outputs_text(&self, outputs: &Outputs, out: &mut Out) -> Result<(), Failure> {
        if outputs.discarded {
            out.line(&out.paint(Tone::Notable, "discarded: the pixel is not written"))?;
        }
        let rows = self.rows(outputs);
        let width = rows.iter().map(|row| row.name().len()).max().unwrap_or(0);
        let places = rows.iter().map(|row| row.place.len()).max().unwrap_or(0);
        for row in &rows {
            let name = out.paint(Tone::Name, &format!("{:width$}", row.name()));
            let words = format!("{:places$}  {:35}", row.place, hex(&row.words));
            out.line(&format!("  {name}  {words}  {}", numbers(&row.words, row.reading)))?;
        }
        Ok(())
    }

    /// The written outputs: by the signature, then registers without an element, then those without a number.
    fn rows(&self, outputs: &Outputs) -> Vec<Row> {
        let elements = &self.shader.outputs.elements;
        let mut rows: Vec<Row> = elements
            .iter()
            .filter_map(|element| {
                let lanes = outputs.registers.get(&element.register)?;
                let words = (0..4).filter(|lane| element.mask & 1 << lane != 0).map(|lane| lanes[lane]).collect();
                let mask = letters(element.mask);
                Some(Row {
                    semantic: element.semantic.to_owned(),
                    index: element.index,
                    register: Some(element.register),
                    place: format!("o{}.{mask}", element.register),
                    mask,
                    words,
                    reading: Reading::of_component(element.component),
                })
            })
            .collect();
        let unnamed =
            outputs.registers.iter().filter(|(register, _)| elements.iter().all(|e| e.register != **register));
        rows.extend(unnamed.map(|(register, lanes)| Row {
            semantic: String::new(),
            index: 0,
            register: Some(*register),
            place: format!("o{register}.xyzw"),
            mask: "xyzw".to_owned(),
            words: lanes.to_vec(),
            reading: Reading::Guess,
        }));
        let single = [
            ("SV_Depth", "oDepth", outputs.depth, Reading::Float),
            ("SV_Coverage", "oMask", outputs.coverage, Reading::Uint),
            ("SV_StencilRef", "oStencilRef", outputs.stencil, Reading::Uint),
        ];
        rows.extend(single.into_iter().filter_map(|(semantic, place, word, reading)| {
            let words = vec![word?];
            let (semantic, place) = (semantic.to_owned(), place.to_owned());
            Some(Row { semantic, index: 0, register: None, place, mask: "x".to_owned(), words, reading })
        }));
        rows
    }

    /// Prints a view's words in rows. Rows equal to the one before are printed as one `*`.
    fn view_text(&self, slot: Slot, view: &View, out: &mut Out) -> Result<(), Failure> {
        let bytes = binding::bytes_of(self.resources, slot);
        let name = out.paint(Tone::Name, &binding::named(Class::UnorderedAccess, slot));
        out.line(&format!("{name}: {}, {} bytes", described(view), bytes.len()))?;
        let words = words_of(bytes);
        let reading = self.reading(slot, view);
        let mut before: Option<&[u32]> = None;
        let mut skipped = false;
        let rows = words.chunks(ROW).count();
        for (n, row) in words.chunks(ROW).enumerate() {
            if before == Some(row) && n + 1 < rows {
                if !skipped {
                    out.line("  *")?;
                }
                skipped = true;
                continue;
            }
            skipped = false;
            before = Some(row);
            let offset = out.paint(Tone::Dim, &format!("{:#06x}", n * ROW * 4));
            out.line(&format!("  {offset}  {:35}  {}", hex(row), numbers(row, reading)))?;
        }
        Ok(())
    }

    /// How a view's words are numbers: by the declared type if a component is a whole word.
    fn reading(&self, slot: Slot, view: &View) -> Reading {
        let of_words = |format: u32| formats::name(format).is_some_and(|name| name.starts_with("r32"));
        let format = match view {
            View::Typed { format, .. } => *format,
            View::Texture(texture) => texture.format,
            View::Raw { .. } | View::Structured { .. } => return Reading::Guess,
        };
        let declared = self
            .machine
            .ranges()
            .find(|(class, range)| *class == Class::UnorderedAccess && range.slot(slot.register) == Some(slot));
        match declared.map(|(_, range)| range.layout) {
            Some(Layout::Typed { returns, .. }) if of_words(format) => match returns.of(0) {
                3 => Reading::Int,
                4 => Reading::Uint,
                _ => Reading::Float,
            },
            _ => Reading::Guess,
        }
    }

    /// The result as one object.
    pub fn json(&self, outputs: &Outputs) -> Value {
        let stage = match self.shader.program.ty {
            ProgramType::Compute => "compute",
            ProgramType::Vertex => "vertex",
            _ => "pixel",
        };
        let mut object = json!({
            "schema": 1, "file": self.file.display().to_string(), "stage": stage, "instructions": self.executed,
        });
        if self.shader.program.ty == ProgramType::Compute {
            object["groups"] = json!(self.groups);
        } else {
            object["discarded"] = json!(outputs.discarded);
            object["outputs"] = self.rows(outputs).iter().map(Row::json).collect();
        }
        let views = self.resources.unordered_access.iter();
        object["uavs"] = views.map(|(slot, view)| self.view_json(*slot, view)).collect();
        object
    }

    fn view_json(&self, slot: Slot, view: &View) -> Value {
        let bytes = binding::bytes_of(self.resources, slot);
        let (words, reading) = (words_of(bytes), self.reading(slot, view));
        let mut object = json!({ "register": slot.register, "space": slot.space, "bytes": bytes.len() });
        match view {
            View::Raw { .. } => object["kind"] = json!("raw"),
            View::Structured { stride, counter, .. } => {
                object["kind"] = json!("structured");
                object["stride"] = json!(stride);
                object["counter"] = json!(counter);
            }
            View::Typed { format, .. } => {
                object["kind"] = json!("typed");
                object["format"] = json!(formats::name(*format));
            }
            View::Texture(texture) => {
                object["kind"] = json!("texture");
                object["format"] = json!(formats::name(texture.format));
                object["size"] = json!(texture.size);
            }
        }
        object["words"] = json!(words);
        object["values"] = words.iter().map(|word| reading.json(*word)).collect();
        object
    }
}

impl Row {
    fn name(&self) -> String {
        match self.index {
            0 => self.semantic.clone(),
            index => format!("{}{index}", self.semantic),
        }
    }

    fn json(&self) -> Value {
        let values: Value = self.words.iter().map(|word| self.reading.json(*word)).collect();
        json!({ "semantic": self.semantic, "index": self.index, "register": self.register, "mask": self.mask,
                "words": self.words, "values": values })
    }
}

/// A view in a few words.
fn described(view: &View) -> String {
    let format = |number: u32| formats::name(number).map_or_else(|| format!("format {number}"), str::to_owned);
    match view {
        View::Raw { .. } => "raw buffer".to_owned(),
        View::Structured { stride, counter, .. } => match counter {
            Some(counter) if *counter != 0 => format!("structured buffer of {stride} bytes, counter {counter}"),
            _ => format!("structured buffer of {stride} bytes"),
        },
        View::Typed { format: number, .. } => format!("typed buffer, {}", format(*number)),
        View::Texture(texture) => {
            let [x, y, z] = texture.size;
            format!("texture, {x} x {y} x {z}, {}", format(texture.format))
        }
    }
}

/// Little-endian words; missing bytes of the last one are 0.
fn words_of(bytes: &[u8]) -> Vec<u32> {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    bytes.chunks(4).map(word).collect()
}

/// The letters of a mask.
pub fn letters(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(lane, _)| mask & 1 << lane != 0).map(|(_, letter)| letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_guessed_by_their_size() {
        let guess = |word: u32| Reading::Guess.number(word);
        assert_eq!(guess(1), "1");
        assert_eq!(guess(u32::MAX), "-1");
        assert_eq!(guess(0), "0");
        assert_eq!(guess(0x3f80_0000), "1.0");
        assert_eq!(guess(0xc020_0000), "-2.5");
        assert_eq!(guess(0x7fc0_0000), "nan");
        assert_eq!(guess(0xff80_0000), "-inf");
        // 100,000,000 would be a float of 2e-35.
        assert_eq!(guess(100_000_000), "100000000");
    }

    #[test]
    fn the_last_word_is_filled_with_zeros() {
        assert_eq!(words_of(&[1, 2, 3, 4, 5]), [0x0403_0201, 5]);
    }

    #[test]
    fn a_float_in_json_is_the_shortest_decimal() {
        assert_eq!(Reading::Float.json(0x3dcc_cccd).to_string(), "0.1");
        assert_eq!(Reading::Float.json(0x7f80_0000), "inf");
    }
}
