//! Inputs of one vertex or pixel, by semantic or register.

use rx_interpreter::Inputs;
use rx_renderer::translate::dxbc::Shader;
use rx_renderer::translate::dxbc::signature::{Element, NO_REGISTER};

use super::values::{self, Plain};
use crate::codes;
use crate::failure::Failure;

/// Reads every `NAME=VALUES`. Inputs that nothing sets are 0.
pub fn inputs(texts: &[String], shader: &Shader<'_>) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::default();
    for text in texts {
        let (name, values) = text.split_once('=').ok_or_else(|| bad(text, "NAME=VALUES is expected"))?;
        set(&mut inputs, name.trim(), values, shader)?;
    }
    Ok(inputs)
}

fn set(inputs: &mut Inputs, name: &str, values: &str, shader: &Shader<'_>) -> Result<(), Failure> {
    if let Some(register) = name.strip_prefix('v').and_then(|number| number.parse().ok()) {
        let words = values::words(values, Plain::AsWritten)?;
        return put(inputs, name, register, 15, &words);
    }
    let element = element(name, shader);
    let known = system_value(inputs, name, values)?;
    match element {
        Some(element) if element.register != NO_REGISTER => {
            let words = values::words(spelled(values), plain(element))?;
            put(inputs, name, element.register, element.mask, &words)
        }
        _ if known => Ok(()),
        _ => {
            let all: Vec<String> = shader.inputs.elements.iter().map(full_name).collect();
            let has =
                if all.is_empty() { "it has no input signature: use v0, v1, …".to_owned() } else { all.join(", ") };
            Err(bad(name, &format!("the shader has no such input; its inputs: {has}")))
        }
    }
}

/// Sets the field of a system value; false for any other name.
fn system_value(inputs: &mut Inputs, name: &str, values: &str) -> Result<bool, Failure> {
    let word = |values: &str| match values::words(spelled(values), Plain::Integer)?[..] {
        [word] => Ok(word),
        _ => Err(bad(name, "one value is expected")),
    };
    match name.to_ascii_lowercase().as_str() {
        "sv_position" => put_words(name, &mut inputs.position, 15, &values::words(values, Plain::Float)?)?,
        "sv_vertexid" => inputs.vertex_id = word(values)?,
        "sv_instanceid" => inputs.instance_id = word(values)?,
        "sv_primitiveid" => inputs.primitive_id = word(values)?,
        "sv_isfrontface" => inputs.front_face = word(values)? != 0,
        "sv_sampleindex" => inputs.sample_index = word(values)?,
        "sv_coverage" => inputs.coverage = word(values)?,
        "sv_innercoverage" => inputs.inner_coverage = word(values)?,
        "sv_rendertargetarrayindex" => inputs.layer = word(values)?,
        "sv_viewportarrayindex" => inputs.viewport = word(values)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// `true` and `false` as numbers.
fn spelled(values: &str) -> &str {
    match values {
        "true" => "i:-1",
        "false" => "i:0",
        other => other,
    }
}

/// The signature's element of a name: `TEXCOORD1` is `TEXCOORD` with index 1.
fn element<'s>(name: &str, shader: &'s Shader<'_>) -> Option<&'s Element<'s>> {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = name[letters.len()..].parse().unwrap_or(0);
    shader.inputs.elements.iter().find(|element| {
        let whole = element.semantic.eq_ignore_ascii_case(name) && element.index == 0;
        whole || (element.semantic.eq_ignore_ascii_case(letters) && element.index == index)
    })
}

/// An element's name with its index; index 0 is left out, as in HLSL.
fn full_name(element: &Element<'_>) -> String {
    match element.index {
        0 => element.semantic.to_owned(),
        index => format!("{}{index}", element.semantic),
    }
}

/// How numbers without a prefix are read for an element.
fn plain(element: &Element<'_>) -> Plain {
    match element.component {
        1 | 2 | 4 | 5 => Plain::Integer,
        3 | 6 => Plain::Float,
        _ => Plain::AsWritten,
    }
}

/// Sets the components of a mask, in order.
fn put(inputs: &mut Inputs, name: &str, register: u32, mask: u8, words: &[u32]) -> Result<(), Failure> {
    put_words(name, inputs.registers.entry(register).or_default(), mask, words)
}

fn put_words(name: &str, lanes: &mut [u32; 4], mask: u8, words: &[u32]) -> Result<(), Failure> {
    if words.len() > mask.count_ones() as usize {
        return Err(bad(
            name,
            &format!("it has {} components, and {} values are given", mask.count_ones(), words.len()),
        ));
    }
    let lanes = lanes.iter_mut().enumerate().filter(|(lane, _)| mask & 1 << lane != 0);
    for ((_, lane), word) in lanes.zip(words) {
        *lane = *word;
    }
    Ok(())
}

fn bad(name: &str, what: &str) -> Failure {
    Failure::own(codes::RUN_BINDING, format!("--input {name}: {what}"))
}
