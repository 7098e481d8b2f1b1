//! The shaders inside a file: an effect's, by its tables, or the containers that a scan finds.

use std::path::Path;

use rx_renderer::translate::Error;
use rx_renderer::translate::dxbc::effect::{Assigned, Effect, Named};
use rx_renderer::translate::dxbc::embedded::{self, EmbeddedShader, Found};
use rx_renderer::translate::dxbc::program::ProgramType;
use rx_renderer::translate::dxbc::{Shader, disasm};
use serde_json::{Value, json};

use super::{Args, section};
use crate::caught::caught;
use crate::failure::Failure;
use crate::out::{Out, Tone};
use crate::tables;
use crate::verbs::translate::{about, heading};

/// Shows the shaders inside a file.
pub fn show(args: &Args, path: &Path, bytes: &[u8], out: &mut Out) -> Result<(), Failure> {
    let found = caught(|| embedded::shaders(bytes)).unwrap_or_else(|words| Err(Error::internal(words)));
    let (found, shaders) = found?;
    if args.json {
        return out.json(&page_json(&found, &shaders, bytes));
    }
    if args.asm {
        return listings(&shaders, out);
    }
    out.line(&heading(path, &found, shaders.len()))?;
    if let Found::Effect(effect) = &found {
        if effect.needs_pool {
            out.line(
                &out.paint(Tone::Dim, "a child effect: it uses variables of an effect pool that is not in the file"),
            )?;
        }
        table(&shaders, Some(effect), out)?;
        return passes(effect, out);
    }
    table(&shaders, None, out)
}

/// Every shader's assembly, each after a comment with its name.
fn listings(shaders: &[EmbeddedShader<'_>], out: &mut Out) -> Result<(), Failure> {
    for own in shaders {
        out.line(&format!("// {}", crate::failure::one_line(&own.name())))?;
        let parsed = caught(|| Shader::parse(own.bytes, false)).map_err(Failure::internal)?;
        match parsed {
            Ok(shader) => out.text(&disasm::disassemble_exact(&shader))?,
            Err(error) => out.line(&format!("// {}", crate::failure::one_line(&Failure::from(error).to_string())))?,
        }
    }
    Ok(())
}

fn table(shaders: &[EmbeddedShader<'_>], effect: Option<&Effect<'_>>, out: &mut Out) -> Result<(), Failure> {
    if shaders.is_empty() {
        return Ok(());
    }
    section("shaders", out)?;
    let mut table = tables::table(out, ["name", "profile", "offset", "bytes", "stream output"]);
    for (index, own) in shaders.iter().enumerate() {
        let streamed = effect.and_then(|effect| effect.shaders.get(index)).map(|own| own.stream_output.join(" | "));
        table.add_row([
            tables::cell(Tone::Name, own.name()),
            tables::cell(Tone::Plain, own.profile().unwrap_or_else(|| "not known".to_owned())),
            tables::number(format!("{:#x}", own.offset)),
            tables::number(own.bytes.len()),
            tables::cell(Tone::Dim, streamed.filter(|text| !text.is_empty()).unwrap_or_else(|| "-".to_owned())),
        ]);
    }
    out.line(&tables::text(&table))
}

fn passes(effect: &Effect<'_>, out: &mut Out) -> Result<(), Failure> {
    if effect.assignments.is_empty() {
        return Ok(());
    }
    section("passes", out)?;
    let mut table = tables::table(out, ["pass", "stage", "shader"]);
    for own in &effect.assignments {
        table.add_row([
            tables::cell(Tone::Name, own.pass),
            tables::cell(Tone::Plain, stage(own.slot)),
            tables::cell(Tone::Plain, value(effect, own.value)),
        ]);
    }
    out.line(&tables::text(&table))
}

fn value(effect: &Effect<'_>, value: Assigned<'_>) -> String {
    match value {
        Assigned::Shader(index) => effect.shaders.get(index).map(|own| own.origin.to_string()).unwrap_or_default(),
        Assigned::Null => "none (NULL)".to_owned(),
        Assigned::Elsewhere(name) => format!("{name}, of an effect pool"),
        Assigned::Chosen(array) => format!("an element of {array} that an expression chooses"),
    }
}

fn stage(slot: ProgramType) -> &'static str {
    match slot {
        ProgramType::Pixel => "pixel",
        ProgramType::Vertex => "vertex",
        ProgramType::Geometry => "geometry",
        ProgramType::Hull => "hull",
        ProgramType::Domain => "domain",
        ProgramType::Compute => "compute",
    }
}

fn page_json(found: &Found<'_>, shaders: &[EmbeddedShader<'_>], bytes: &[u8]) -> Value {
    let effect = match found {
        Found::Effect(effect) => Some(effect),
        Found::Itself | Found::Scan => None,
    };
    let shader = |(index, own): (usize, &EmbeddedShader<'_>)| {
        let mut json = about(found, own);
        if let Some(own) = effect.and_then(|effect| effect.shaders.get(index)) {
            json.insert("stream_output".to_owned(), json!(own.stream_output));
            json.insert("rasterized_stream".to_owned(), json!(own.rasterized_stream));
        }
        json
    };
    let mut json = json!({
        "schema": 1,
        "source": "dxbc",
        "effect": effect.map(|effect| effect.profile),
        "bytes": bytes.len(),
        "shaders": shaders.iter().enumerate().map(shader).collect::<Vec<_>>(),
    });
    if let (Some(effect), Some(object)) = (effect, json.as_object_mut()) {
        object.insert("needs_pool".to_owned(), json!(effect.needs_pool));
        object.insert("passes".to_owned(), effect.assignments.iter().map(|own| pass_json(effect, own)).collect());
    }
    json
}

fn pass_json(effect: &Effect<'_>, own: &rx_renderer::translate::dxbc::effect::Assignment<'_>) -> Value {
    let name = |named: Named<'_>| named.to_string();
    let group = (!own.pass.group.name.is_empty()).then_some(own.pass.group.name);
    let shader = match own.value {
        Assigned::Shader(index) => effect.shaders.get(index).map(|own| own.origin.to_string()),
        Assigned::Null | Assigned::Elsewhere(_) | Assigned::Chosen(_) => None,
    };
    json!({
        "group": group, "technique": name(own.pass.technique), "pass": name(own.pass.pass), "stage": stage(own.slot),
        "shader": shader, "value": value(effect, own.value),
    })
}
