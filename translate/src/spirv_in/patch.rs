//! Small changes to modules that naga wrote for rx. What a host brings is never changed.

use super::words::{HEADER_WORDS, Inst, instructions};
use spirv::{Capability, Op};

/// Takes the names of ids and members out. They define nothing, so no id changes.
pub(crate) fn strip_names(words: &mut Vec<u32>) {
    let is_name = |inst: &Inst<'_>| matches!(inst.op(), Some(Op::Name | Op::MemberName));
    let mut kept = words.get(..HEADER_WORDS).unwrap_or(&[]).to_vec();
    let instructions = instructions(words).map_while(Result::ok);
    kept.extend(instructions.filter(|inst| !is_name(inst)).flat_map(|inst| inst.words));
    *words = kept;
}

/// Adds a capability, and before SPIR-V 1.5 the extension that it came with, unless the module has them.
pub(crate) fn require(words: &mut Vec<u32>, capability: Capability, extension: &str) {
    let mut before = Vec::new();
    let mut capabilities_end = HEADER_WORDS;
    let mut has = (false, false);
    for inst in instructions(words).map_while(Result::ok) {
        match inst.op() {
            Some(Op::Capability) => {
                has.0 |= inst.get(1) == Some(capability as u32);
                capabilities_end = inst.at + inst.words.len();
            }
            Some(Op::Extension) => has.1 |= inst.string(1).is_ok_and(|(name, _)| name == extension),
            _ => break,
        }
    }
    if !has.0 {
        before.extend([opcode(Op::Capability, 2), capability as u32]);
    }
    const VERSION_1_5: u32 = 0x0001_0500;
    if !has.1 && words.get(1).is_some_and(|version| *version < VERSION_1_5) {
        let mut bytes = extension.as_bytes().to_vec();
        // A string ends with a 0 and fills its last word with more of them.
        bytes.resize(bytes.len() / 4 * 4 + 4, 0);
        let (string, _) = bytes.as_chunks::<4>();
        before.push(opcode(Op::Extension, 1 + string.len()));
        before.extend(string.iter().map(|b| u32::from_le_bytes(*b)));
    }
    words.splice(capabilities_end..capabilities_end, before);
}

/// The first word of an instruction of a length, which is far below 2^16 words here.
fn opcode(op: Op, words: usize) -> u32 {
    u32::try_from(words).unwrap_or(0) << 16 | op as u32
}
