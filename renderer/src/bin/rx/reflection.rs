//! A translation as JSON: what a host must bind and feed, and what the words are.
//!
//! Owns schema 1 of the reflection (docs/cli.md). Fields stand in its order.

use rspirv::spirv;
use rx_renderer::translate::interface::{DescriptorType, Resource, ResourceClass, SignatureElement};
use rx_renderer::translate::{Note, Translation};
use serde_json::{Map, Value, json};

use crate::input::Kind;

/// The reflection of one translation.
pub fn reflection(kind: Kind, translation: &Translation) -> Value {
    let Translation { spirv, interface, notes } = translation;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("schema", json!(1));
    put("source", json!(kind.name()));
    put("stage", json!(interface.stage.name()));
    put("entry_point", json!(interface.entry_point));
    put("status", json!(status(notes)));
    put("notes", notes_json(notes));
    put("spirv", module(spirv));
    put("resources", interface.resources.iter().map(resource).collect());
    put("push_constants", json!({ "size_bytes": interface.push_constant_bytes }));
    put("inputs", elements(&interface.inputs));
    put("outputs", elements(&interface.outputs));
    if !interface.patch_constants.is_empty() {
        put("patch_constants", elements(&interface.patch_constants));
    }
    put("workgroup_size", json!(interface.workgroup_size));
    put("reads_array_length", json!(interface.reads_array_length));
    put("read_write_textures", json!(interface.read_write_textures));
    put("uses_global_memory", json!(interface.uses_global_memory));
    put("draw_index", json!(interface.draw_index));
    put("tessellation", json!(interface.tessellation));
    put("geometry", json!(interface.geometry));
    Value::Object(object)
}

/// `exact` or `adapted`. A warning about the input changes neither.
pub fn status(notes: &[Note]) -> &'static str {
    if notes.iter().any(Note::is_adaptation) { "adapted" } else { "exact" }
}

/// The notes, each a code and a count.
pub fn notes_json(notes: &[Note]) -> Value {
    notes.iter().map(|note| json!({ "code": note.code.to_string(), "count": note.count })).collect()
}

/// The bytes of a module, little-endian whatever the machine.
pub fn module_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The digest by which a module is known.
pub fn digest(words: &[u32]) -> String {
    blake3::hash(&module_bytes(words)).to_hex().to_string()
}

fn module(words: &[u32]) -> Value {
    let version = words.get(1).copied().unwrap_or(0);
    json!({
        "version": format!("{}.{}", (version >> 16) & 0xff, (version >> 8) & 0xff),
        "words": words.len(),
        "blake3": digest(words),
        "capabilities": capabilities(words),
        "extensions": extensions(words),
    })
}

/// Words of a module's header.
const HEADER: usize = 5;

/// The instructions of the module's head: opcode and operands. Stops at what is no instruction.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (&first, _) = rest.split_first()?;
        let count = (first >> 16) as usize;
        let (own, after) = rest.split_at_checked(count).filter(|_| count > 0)?;
        rest = after;
        Some((first & 0xffff, own.get(1..)?))
    })
}

fn capabilities(words: &[u32]) -> Vec<String> {
    let declared = instructions(words).take_while(|(op, _)| *op == spirv::Op::Capability as u32);
    let number = declared.filter_map(|(_, operands)| operands.first().copied());
    number
        .map(|number| spirv::Capability::from_u32(number).map_or_else(|| number.to_string(), |own| format!("{own:?}")))
        .collect()
}

fn extensions(words: &[u32]) -> Vec<String> {
    let head = [spirv::Op::Capability as u32, spirv::Op::Extension as u32];
    let declared = instructions(words).take_while(|(op, _)| head.contains(op));
    declared.filter(|(op, _)| *op == spirv::Op::Extension as u32).map(|(_, operands)| text(operands)).collect()
}

/// Names of a module's entry points.
pub fn entry_points(words: &[u32]) -> Vec<String> {
    let declared = instructions(words).take_while(|(op, _)| *op != spirv::Op::Function as u32);
    let entries = declared.filter(|(op, _)| *op == spirv::Op::EntryPoint as u32);
    // Execution model and function stand before the name.
    entries.map(|(_, operands)| text(operands.get(2..).unwrap_or_default())).collect()
}

/// A literal string: bytes up to the first zero.
fn text(operands: &[u32]) -> String {
    let bytes: Vec<u8> = operands.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// One resource; which fields it has depends on its class and type, as the schema says.
fn resource(own: &Resource) -> Value {
    let hidden = matches!(own.class, ResourceClass::Sampler | ResourceClass::UavCounter);
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("class", json!(own.class));
    put("register", json!(own.register));
    if own.class != ResourceClass::UavCounter || own.space != 0 {
        put("space", json!(own.space));
    }
    if !hidden || !own.name.is_empty() {
        put("name", json!(own.name));
    }
    put("set", json!(own.set));
    put("binding", json!(own.binding));
    put("type", json!(own.ty));
    if let Some(dimension) = own.dimension {
        put("dimension", json!(dimension));
    }
    if let Some(component) = own.component {
        put("component", json!(component));
    }
    if let Some(stride) = own.stride_bytes {
        put("stride_bytes", json!(stride));
    }
    if own.class == ResourceClass::Uav || is_storage(own.ty) && own.class != ResourceClass::UavCounter {
        put("access", json!(own.access));
    }
    put("count", json!(own.count));
    if own.count.is_none() {
        put("runtime_array", json!(true));
    }
    if let Some(size) = own.size_bytes {
        put("size_bytes", json!(size));
    }
    put("used", json!(own.used));
    Value::Object(object)
}

fn is_storage(ty: DescriptorType) -> bool {
    use DescriptorType::*;
    matches!(ty, StorageBuffer | StorageBufferDynamic | StorageImage | StorageTexelBuffer)
}

fn elements(elements: &[SignatureElement]) -> Value {
    elements.iter().map(|element| json!(element)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instruction(op: spirv::Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
        words.extend(operands);
        words
    }

    #[test]
    fn capabilities_and_extensions_are_read_from_the_words() {
        let mut words = vec![0x0723_0203, 0x0001_0300, 0, 9, 0];
        words.extend(instruction(spirv::Op::Capability, &[1]));
        words.extend(instruction(spirv::Op::Capability, &[9_999]));
        words.extend(instruction(
            spirv::Op::Extension,
            &[u32::from_le_bytes(*b"SPV_"), u32::from_le_bytes(*b"x\0\0\0")],
        ));
        words.extend(instruction(spirv::Op::MemoryModel, &[0, 1]));
        words.extend([0, 0]);
        assert_eq!(capabilities(&words), ["Shader", "9999"]);
        assert_eq!(extensions(&words), ["SPV_x"]);
        assert_eq!(module(&words)["version"], "1.3");
        assert_eq!(capabilities(&[]), Vec::<String>::new());
    }
}
