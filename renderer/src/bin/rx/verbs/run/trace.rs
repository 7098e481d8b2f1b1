//! Each executed instruction with its values.

use rx_interpreter::{Class, Place, Step, Trace, Written};
use rx_renderer::translate::dxbc::opcodes::{self, Role};
use rx_renderer::translate::dxbc::program::RegisterFile;
use rx_renderer::translate::dxbc::{Shader, disasm};
use serde_json::{Value, json};

use super::binding;
use super::show::{Reading, hex, letters, numbers};
use crate::failure::Failure;
use crate::out::{Out, Tone};

/// Counts instructions and prints them if asked.
pub struct Tracer<'a> {
    shader: &'a Shader<'a>,
    out: &'a mut Out,
    prints: bool,
    json: bool,
    threads: [u32; 3],
    only: Option<[u32; 3]>,
    executed: u64,
    /// The first failure to print.
    failed: Option<Failure>,
}

impl<'a> Tracer<'a> {
    /// A tracer that prints the instructions of one thread, or of all.
    pub fn new(
        shader: &'a Shader<'a>,
        out: &'a mut Out,
        prints: bool,
        json: bool,
        threads: [u32; 3],
        only: Option<[u32; 3]>,
    ) -> Self {
        Tracer { shader, out, prints, json, threads, only, executed: 0, failed: None }
    }

    /// The number of executed instructions, or the failure to print one.
    pub fn finish(self) -> Result<u64, Failure> {
        self.failed.map_or(Ok(self.executed), Err)
    }

    fn thread(&self, step: &Step<'_>) -> [u32; 3] {
        let at = step.invocation;
        [0, 1, 2].map(|n| at.group[n].wrapping_mul(self.threads[n]).wrapping_add(at.thread[n]))
    }

    fn print(&mut self, step: &Step<'_>) -> Result<(), Failure> {
        let thread = self.thread(step);
        let text = disasm::instruction(&self.shader.program, step.index);
        if self.json {
            return self.out.json(&object(step, thread, &text));
        }
        let [x, y, z] = thread;
        let at = self.out.paint(Tone::Dim, &format!("[{x},{y},{z}]"));
        self.out.line(&format!("{at} {:4}  {text}", step.index))?;
        for (n, (words, reading)) in step.sources.iter().zip(readings(step)).enumerate() {
            self.out.line(&format!("    source {}  {}  {}", n + 1, hex(words), numbers(words, reading)))?;
        }
        for written in step.written {
            let words = chosen(written);
            let reading = result_reading(step, written);
            let place = self.out.paint(Tone::Name, &place(written));
            self.out.line(&format!("    {place} = {}  {}", hex(&words), numbers(&words, reading)))?;
        }
        Ok(())
    }
}

impl Trace for Tracer<'_> {
    fn step(&mut self, step: &Step<'_>) {
        self.executed += 1;
        let asked = self.prints && self.only.is_none_or(|only| only == self.thread(step));
        if asked
            && self.failed.is_none()
            && let Err(failure) = self.print(step)
        {
            self.failed = Some(failure);
        }
    }
}

/// How each source's words are numbers.
fn readings(step: &Step<'_>) -> impl Iterator<Item = Reading> {
    let shapes = step.instruction.op.info().operands.iter();
    let sources = shapes.filter(|shape| matches!(shape.role, Role::Src | Role::Attribute));
    sources.map(|shape| reading(shape.class)).chain(std::iter::repeat(Reading::Guess))
}

fn result_reading(step: &Step<'_>, written: &Written) -> Reading {
    let first = step.instruction.op.info().operands.first().filter(|shape| shape.role == Role::Dst);
    match (written.place, first) {
        (Place::Register { .. }, Some(shape)) => reading(shape.class),
        _ => Reading::Guess,
    }
}

fn reading(class: opcodes::Class) -> Reading {
    match class {
        opcodes::Class::Float => Reading::Float,
        opcodes::Class::Int => Reading::Int,
        opcodes::Class::Uint => Reading::Uint,
        _ => Reading::Guess,
    }
}

/// The words that were written.
fn chosen(written: &Written) -> Vec<u32> {
    (0..4).filter(|lane| written.mask & 1 << lane != 0).map(|lane| written.value[lane]).collect()
}

/// Where a write went, as the listing spells it.
fn place(written: &Written) -> String {
    let mask = letters(written.mask);
    match written.place {
        Place::Register { file, register, element } => match file {
            RegisterFile::Temp => format!("r{register}.{mask}"),
            RegisterFile::Output => format!("o{register}.{mask}"),
            RegisterFile::IndexableTemp => format!("x{register}[{element}].{mask}"),
            other => format!("{other:?}"),
        },
        Place::View { slot, offset, .. } => format!("{}[{offset}]", binding::named(Class::UnorderedAccess, slot)),
        Place::Shared { register, offset } => format!("g{register}[{offset}]"),
        Place::Counter { slot } => format!("{}.counter", binding::named(Class::UnorderedAccess, slot)),
        Place::Dropped => "dropped".to_owned(),
    }
}

/// One step as JSON.
fn object(step: &Step<'_>, thread: [u32; 3], text: &str) -> Value {
    let written: Vec<Value> = step.written.iter().map(|w| json!({ "place": place(w), "words": chosen(w) })).collect();
    json!({
        "schema": 1, "group": step.invocation.group, "thread": thread, "index": step.index, "instruction": text,
        "sources": step.sources, "written": written,
    })
}
