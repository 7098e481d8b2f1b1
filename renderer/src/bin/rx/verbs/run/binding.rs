//! What is bound to a shader: the command line's registers and values as views.
//!
//! Owns the form `REGISTER[,spaceN]=[OPTIONS:]VALUES`. Must never execute anything.

use std::ffi::OsString;
use std::path::PathBuf;

use rx_interpreter::{Class, Layout, Machine, Resources, Slot, Texture, View};

use super::values::{self, Plain};
use super::{Args, formats};
use crate::codes;
use crate::failure::Failure;
use crate::out::Out;

/// Flags that take a register's number as a part of their name: `--cb0 VALUES` is `--cb 0=VALUES`.
const NUMBERED: [&str; 3] = ["--cb", "--srv", "--uav"];

/// Splits the register off `--cb0 VALUES` and `--cb0=VALUES` for the parser, which knows `--cb` alone.
pub fn numbered(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let of_this_verb = out.get(1).is_some_and(|verb| verb == "run");
        match argument.to_str().filter(|_| of_this_verb).and_then(split) {
            None => out.push(argument),
            Some((flag, register, value)) => {
                let value = value.map(OsString::from).or_else(|| arguments.next()).unwrap_or_default();
                let mut joined = OsString::from(format!("{register}="));
                joined.push(value);
                out.extend([OsString::from(flag), joined]);
            }
        }
    }
    out
}

/// Flag, register and value of `--cb0`, `--cb0,space1` or `--cb0=VALUES`.
fn split(argument: &str) -> Option<(&'static str, &str, Option<&str>)> {
    let flag = NUMBERED.into_iter().find(|flag| argument.starts_with(flag))?;
    let rest = &argument[flag.len()..];
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    Some(match rest.split_once('=') {
        Some((register, value)) => (flag, register, Some(value)),
        None => (flag, rest, None),
    })
}

/// Options before the values, of textures and of buffers whose declaration does not say enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shape {
    format: Option<u32>,
    size: Option<[u32; 3]>,
    layers: Option<u32>,
    levels: Option<u32>,
    samples: Option<u32>,
    counter: Option<u32>,
}

impl Shape {
    /// Options that only a texture has.
    fn is_texture(&self) -> bool {
        self.size.is_some() || self.layers.is_some() || self.levels.is_some() || self.samples.is_some()
    }
}

/// Reads everything that the command line binds.
pub fn resources(args: &Args, machine: &Machine) -> Result<Resources, Failure> {
    let mut resources = Resources::default();
    for text in &args.cb {
        let (slot, rest) = register(text, 'b')?;
        declared(machine, Class::ConstantBuffer, slot)?;
        let (shape, values) = shape(rest)?;
        if shape != Shape::default() {
            return Err(bad(text, "a constant buffer has no options"));
        }
        // Nothing tells the types of constants; without a prefix they are read as written.
        resources.constant_buffers.insert(slot, values::bytes(values, Plain::AsWritten)?);
    }
    for (class, letter, texts) in [(Class::ShaderResource, 't', &args.srv), (Class::UnorderedAccess, 'u', &args.uav)] {
        for text in texts {
            let (slot, rest) = register(text, letter)?;
            let view = view(text, rest, machine, class, slot)?;
            let views = match class {
                Class::ShaderResource => &mut resources.shader_resources,
                _ => &mut resources.unordered_access,
            };
            views.insert(slot, view);
        }
    }
    Ok(resources)
}

/// The view of one register.
fn view(text: &str, rest: &str, machine: &Machine, class: Class, slot: Slot) -> Result<View, Failure> {
    let layout = declared(machine, class, slot)?;
    let (shape, values) = shape(rest)?;
    let bytes = values::bytes(values, plain(layout))?;
    let buffer = machine.buffer_view(class, slot, bytes.clone());
    match buffer {
        Some(_) if shape.is_texture() => Err(bad(text, "a buffer has no size, layers, levels or samples")),
        Some(View::Structured { stride, bytes, .. }) if shape.format.is_none() => {
            Ok(View::Structured { stride, bytes, counter: Some(shape.counter.unwrap_or(0)) })
        }
        Some(View::Typed { format, bytes }) if shape.counter.is_none() => {
            Ok(View::Typed { format: shape.format.unwrap_or(format), bytes })
        }
        Some(raw @ View::Raw { .. }) if shape == Shape::default() => Ok(raw),
        Some(_) => Err(bad(text, "this kind of buffer has no such option")),
        None => texture(text, &shape, bytes),
    }
}

/// A texture as its options describe it.
fn texture(text: &str, shape: &Shape, bytes: Vec<u8>) -> Result<View, Failure> {
    let (Some(format), Some(size)) = (shape.format, shape.size) else {
        return Err(bad(
            text,
            "the register is a texture, which needs a format and a size: format=r8g8b8a8_unorm,size=4x4:…",
        ));
    };
    if shape.counter.is_some() {
        return Err(bad(text, "a texture has no counter"));
    }
    Ok(View::Texture(Texture {
        format,
        size,
        layers: shape.layers.unwrap_or(1),
        levels: shape.levels.unwrap_or(1),
        samples: shape.samples.unwrap_or(1),
        bytes,
    }))
}

/// How numbers without a prefix are read: by the declared type, where there is one.
fn plain(layout: Layout) -> Plain {
    const SINT: u8 = 3;
    const UINT: u8 = 4;
    match layout {
        Layout::Typed { returns, .. } if matches!(returns.of(0), SINT | UINT) => Plain::Integer,
        Layout::Typed { .. } => Plain::Float,
        _ => Plain::AsWritten,
    }
}

/// The layout that the shader declares for a register.
fn declared(machine: &Machine, class: Class, slot: Slot) -> Result<Layout, Failure> {
    let mut ranges = machine.ranges().filter(|(of, _)| *of == class);
    let found = ranges.find(|(_, range)| range.slot(slot.register) == Some(slot));
    found.map(|(_, range)| range.layout).ok_or_else(|| {
        let all: Vec<String> =
            machine.ranges().filter(|(of, _)| *of == class).map(|(_, range)| named(class, range.first())).collect();
        let known = if all.is_empty() { "none of this kind".to_owned() } else { all.join(", ") };
        Failure::own(codes::RUN_BINDING, format!("the shader declares no {}; it declares {known}", named(class, slot)))
    })
}

/// Warns of declared registers that nothing is bound to.
pub fn warn_of_unbound(machine: &Machine, resources: &Resources, out: &mut Out) {
    for (class, range) in machine.ranges() {
        let slot = range.first();
        let (bound, effect) = match class {
            Class::ConstantBuffer => (resources.constant_buffers.contains_key(&slot), "it reads as 0"),
            Class::ShaderResource => (resources.shader_resources.contains_key(&slot), "it reads as 0"),
            Class::UnorderedAccess => {
                (resources.unordered_access.contains_key(&slot), "it reads as 0 and drops what is written")
            }
        };
        if !bound {
            out.warn(&format!("nothing is bound to {}: {effect}", named(class, slot)));
        }
    }
}

/// Reads `u0=FILE`.
pub fn save(text: &str, resources: &Resources) -> Result<(Slot, PathBuf), Failure> {
    let (slot, path) = register(text, 'u')?;
    if !resources.unordered_access.contains_key(&slot) {
        let name = named(Class::UnorderedAccess, slot);
        return Err(Failure::own(codes::RUN_BINDING, format!("--save {text}: nothing is bound to {name}")));
    }
    Ok((slot, PathBuf::from(path)))
}

/// The contents of an unordered access view.
pub fn bytes_of(resources: &Resources, slot: Slot) -> &[u8] {
    match resources.unordered_access.get(&slot) {
        None => &[],
        Some(View::Raw { bytes } | View::Structured { bytes, .. } | View::Typed { bytes, .. }) => bytes,
        Some(View::Texture(texture)) => &texture.bytes,
    }
}

/// A register as the shader names it: `t3`, `u0,space1`.
pub fn named(class: Class, slot: Slot) -> String {
    let letter = match class {
        Class::ConstantBuffer => "cb",
        Class::ShaderResource => "t",
        Class::UnorderedAccess => "u",
    };
    match slot.space {
        0 => format!("{letter}{}", slot.register),
        space => format!("{letter}{},space{space}", slot.register),
    }
}

/// The register before `=`, with or without its letter and with or without a space; and what follows.
fn register(text: &str, letter: char) -> Result<(Slot, &str), Failure> {
    let (name, rest) = text.split_once('=').ok_or_else(|| bad(text, "REGISTER=… is expected"))?;
    let (number, space) = match name.split_once(',') {
        Some((number, space)) => (number, space.trim().strip_prefix("space").and_then(|space| space.parse().ok())),
        None => (name, Some(0)),
    };
    let number = number.trim();
    let register = number.strip_prefix(letter).unwrap_or(number).parse().ok();
    match (register, space) {
        (Some(register), Some(space)) => Ok((Slot { space, register }, rest)),
        _ => Err(bad(name, "it is not a register, like 0 or 0,space1")),
    }
}

/// The options before the first colon, if the text begins with one.
fn shape(text: &str) -> Result<(Shape, &str), Failure> {
    let mut shape = Shape::default();
    let Some((head, values)) = text.split_once(':').filter(|(head, _)| head.contains('=')) else {
        return Ok((shape, text));
    };
    for option in head.split(',') {
        let (key, value) = option.split_once('=').ok_or_else(|| bad(option, "KEY=VALUE is expected"))?;
        let number = || value.parse::<u32>().map_err(|_| bad(option, "the value is not a number"));
        match key.trim() {
            "format" => shape.format = Some(formats::number(value).ok_or_else(|| bad(option, "it is not a format"))?),
            "size" => shape.size = Some(values::three(value, 1, "size")?),
            "layers" => shape.layers = Some(number()?),
            "levels" => shape.levels = Some(number()?),
            "samples" => shape.samples = Some(number()?),
            "counter" => shape.counter = Some(number()?),
            _ => return Err(bad(option, "options are format, size, layers, levels, samples and counter")),
        }
    }
    Ok((shape, values))
}

fn bad(text: &str, what: &str) -> Failure {
    Failure::own(codes::RUN_BINDING, format!("`{text}`: {what}"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn rewritten(line: &str) -> Vec<String> {
        let words = numbered(line.split_whitespace().map(OsString::from));
        words.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_number_in_a_flag_is_its_register() {
        assert_eq!(
            rewritten("rx run a --cb0 f:1 --uav12=zero:4"),
            ["rx", "run", "a", "--cb", "0=f:1", "--uav", "12=zero:4"]
        );
        assert_eq!(rewritten("rx run --srv2,space1 u:1"), ["rx", "run", "--srv", "2,space1=u:1"]);
        assert_eq!(rewritten("rx run --cb 0=u:1 --cbx 1"), ["rx", "run", "--cb", "0=u:1", "--cbx", "1"]);
        assert_eq!(rewritten("rx run --cb0"), ["rx", "run", "--cb", "0="]);
        // Other verbs have flags of their own.
        assert_eq!(rewritten("rx plan --cb0 f:1"), ["rx", "plan", "--cb0", "f:1"]);
    }

    #[test]
    fn registers_have_a_letter_and_a_space_if_one_likes() {
        assert_eq!(register("3=x", 't').unwrap(), (Slot { space: 0, register: 3 }, "x"));
        assert_eq!(register("t3,space2=a=b", 't').unwrap(), (Slot { space: 2, register: 3 }, "a=b"));
        for text in ["3", "x3=1", "3,2=1", "=1", "3,spaceq=1"] {
            assert_eq!(register(text, 't').unwrap_err().code, codes::RUN_BINDING, "{text}");
        }
    }

    #[test]
    fn options_stand_before_the_values() {
        let (shape_read, values) = shape("format=R8G8B8A8_UNORM,size=4x2,levels=2:hex:00").unwrap();
        assert_eq!((shape_read.format, shape_read.size, shape_read.levels), (Some(28), Some([4, 2, 1]), Some(2)));
        assert_eq!(values, "hex:00");
        assert_eq!(shape("u:1,2").unwrap(), (Shape::default(), "u:1,2"));
        assert_eq!(shape("@a=b.bin").unwrap(), (Shape::default(), "@a=b.bin"));
        assert!(shape("format=qq:u:1").is_err() && shape("colour=1:u:1").is_err() && shape("levels=x:u:1").is_err());
    }
}
