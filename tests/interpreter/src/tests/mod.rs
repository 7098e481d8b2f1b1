//! Programs in assembly whose results were worked out by hand from the specification.

#![allow(clippy::unwrap_used, clippy::panic)]

mod flow;
mod groups;
mod memory;
mod registers;
mod stages;
mod textures;

use crate::{Error, Machine, Resources, Slot, View};
use rx_translate::dxbc::{Shader, asm};

/// What result words hold before a program runs.
pub const BEFORE: u32 = 0xeeee_eeee;

/// Prepares a program.
pub fn machine(text: &str) -> Machine {
    let container = asm::assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Machine::new(&Shader::parse(&container, true).unwrap()).unwrap()
}

/// Little-endian bytes.
pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A raw view of words.
pub fn raw(words: &[u32]) -> View {
    View::Raw { bytes: bytes(words) }
}

/// The words of an unordered access view.
pub fn words(resources: &Resources, register: u32) -> Vec<u32> {
    let bytes = match &resources.unordered_access[&Slot::from(register)] {
        View::Raw { bytes } | View::Structured { bytes, .. } | View::Typed { bytes, .. } => bytes,
        View::Texture(texture) => &texture.bytes,
    };
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Resources with a raw buffer of `count` words at u0.
pub fn output(count: usize) -> Resources {
    let mut resources = Resources::default();
    resources.unordered_access.insert(Slot::from(0), raw(&vec![BEFORE; count]));
    resources
}

/// Runs one group of one thread: `body` between the usual declarations and `ret`, four words of r4 stored at the end.
pub fn one_thread(declarations: &str, body: &str, tail: &str) -> Result<[u32; 4], Error> {
    one_thread_with(declarations, body, tail, output(4))
}

/// As [`one_thread`], with resources; u0 is the result.
pub fn one_thread_with(
    declarations: &str,
    body: &str,
    tail: &str,
    mut resources: Resources,
) -> Result<[u32; 4], Error> {
    let text = format!(
        "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\n{declarations}\ndcl_temps 8\n\
         dcl_thread_group 1, 1, 1\nmov r4.xyzw, l(0, 0, 0, 0)\n{body}\nstore_raw u0.xyzw, l(0), r4.xyzw\nret\n{tail}"
    );
    resources.unordered_access.entry(Slot::from(0)).or_insert_with(|| raw(&[BEFORE; 4]));
    machine(&text).with_step_limit(10_000).dispatch(&mut resources, [1, 1, 1], &mut ())?;
    Ok(words(&resources, 0).try_into().unwrap())
}
