//! `rx inspect`: what stands in a shader: container, signatures, resources, program.
//!
//! Owns the page and its JSON. Of Direct3D bytecode the container itself is shown; of every other kind what the
//! translation finds in it.

mod inside;

use std::path::PathBuf;

use rx_renderer::translate::dxbc::container::{Chunk, checksum, describe};
use rx_renderer::translate::dxbc::resources::{Binding, Reflection};
use rx_renderer::translate::dxbc::signature::{Element, NO_REGISTER, Signature};
use rx_renderer::translate::dxbc::{Shader, disasm, effect};
use rx_renderer::translate::{Options, StageInterface, Translator};
use serde_json::{Value, json};

use super::translate::translate;
use crate::caught::caught;
use crate::cli::{Context, Outcome};
use crate::emit::listing;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{Input, Kind, Said, StageName};
use crate::out::{Out, Tone};
use crate::reflection::reflection;
use crate::tables;

/// Show a shader's container, signatures, resources and program
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shader
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Print the program alone, with everything that its tokens say (SPIR-V: the module's listing)
    #[arg(long)]
    asm: bool,
    /// Stage of GLSL
    #[arg(long, value_enum)]
    stage: Option<StageName>,
    /// Entry point of a WGSL or SPIR-V module
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Kind of an input that neither its bytes nor its extension tell
    #[arg(long, value_enum, value_name = "KIND")]
    source: Option<Kind>,
    /// List the shaders inside any file: those of an effect, and the containers that other files hold
    #[arg(long)]
    all: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: &Args, context: &mut Context<'_>) -> Outcome {
    if args.all {
        let bytes = std::fs::read(&args.input).map_err(|error| Failure::read(&args.input, &error))?;
        inside::show(args, &args.input, &bytes, context.out).map_err(|failure| failure.in_file(&args.input))?;
        return Ok(Exit::Done);
    }
    let input = Input::read(&args.input, Said { kind: args.source, stage: args.stage })?;
    let page = match input.kind {
        Kind::Dxbc if effect::is_effect(input.bytes()) => inside::show(args, &input.path, input.bytes(), context.out),
        Kind::Dxbc => container(args, &input, context.out),
        _ => module(args, &input, context.out),
    };
    page.map_err(|failure| failure.in_file(&input.path))?;
    Ok(Exit::Done)
}

/// Direct3D bytecode, from the container itself.
fn container(args: &Args, input: &Input, out: &mut Out) -> Result<(), Failure> {
    let parsed = caught(|| Shader::parse(input.bytes(), false)).map_err(Failure::internal)?;
    let shader = parsed?;
    if args.asm && !args.json {
        return out.text(&disasm::disassemble_exact(&shader));
    }
    if args.json {
        return out.json(&container_json(args, &shader));
    }
    head(input, &shader, out)?;
    chunks(&shader, out)?;
    signature("inputs", &shader.inputs, out)?;
    signature("outputs", &shader.outputs, out)?;
    signature("patch constants", &shader.patch, out)?;
    if let Some(rdef) = &shader.rdef {
        bound(rdef, out)?;
        buffers(rdef, out)?;
    }
    section("program", out)?;
    out.text(&disasm::disassemble(&shader))
}

fn head(input: &Input, shader: &Shader<'_>, out: &mut Out) -> Result<(), Failure> {
    let sum = match shader.container.checksum {
        [0, 0, 0, 0] => ("missing", Tone::Notable),
        _ if checksum_holds(shader) => ("right", Tone::Good),
        _ => ("wrong", Tone::Bad),
    };
    let path = input.path.display().to_string();
    let line = format!(
        "{}  DXBC container, {}, {} bytes, checksum {}",
        out.paint(Tone::Name, &path),
        profile(shader),
        shader.container.bytes.len(),
        out.paint(sum.1, sum.0)
    );
    out.line(&line)?;
    if let Some(rdef) = shader.rdef.as_ref().filter(|rdef| !rdef.creator.is_empty()) {
        let creator = crate::failure::one_line(rdef.creator);
        out.line(&out.paint(Tone::Dim, &format!("compiled by {creator}, flags {:#x}", rdef.flags)))?;
    }
    if let Some(flags) = shader.sfi0 {
        out.line(&out.paint(Tone::Dim, &format!("needs {}", feature_names(flags).join(", "))))?;
    }
    Ok(())
}

fn checksum_holds(shader: &Shader<'_>) -> bool {
    checksum(shader.container.bytes) == shader.container.checksum
}

/// `ps_5_0`: the first line of the listing.
fn profile(shader: &Shader<'_>) -> String {
    disasm::disassemble(shader).lines().next().unwrap_or_default().to_owned()
}

/// Names of the feature flags (`D3D_SHADER_REQUIRES_*`), by bit.
const FEATURES: &[&str] = &[
    "doubles",
    "raw and structured buffers before 5.0",
    "UAVs at every stage",
    "64 UAV slots",
    "minimum precision",
    "11.1 double extensions",
    "11.1 shader extensions",
    "comparison filtering at level 9",
    "tiled resources",
    "stencil reference from a pixel shader",
    "inner coverage",
    "typed UAV loads of more formats",
    "rasteriser-ordered views",
    "viewport or layer from any stage",
];

fn feature_names(flags: u64) -> Vec<String> {
    let set = (0..u64::BITS).filter(|bit| flags >> bit & 1 != 0);
    let name = |bit: u32| FEATURES.get(bit as usize).map_or_else(|| format!("flag {bit}"), |&name| name.to_owned());
    let names: Vec<String> = set.map(name).collect();
    if names.is_empty() { vec!["no optional feature".to_owned()] } else { names }
}

fn section(title: &str, out: &mut Out) -> Result<(), Failure> {
    let title = out.paint(Tone::Strong, title);
    out.line(&format!("\n{title}"))
}

fn chunks(shader: &Shader<'_>, out: &mut Out) -> Result<(), Failure> {
    section("chunks", out)?;
    let mut table = tables::table(out, ["name", "offset", "bytes", "what"]);
    for chunk in &shader.container.chunks {
        table.add_row([
            tables::cell(Tone::Name, chunk.fourcc),
            tables::number(format!("{:#x}", chunk.offset)),
            tables::number(chunk.data.len()),
            tables::cell(Tone::Dim, describe(chunk.fourcc).unwrap_or("not known")),
        ]);
    }
    out.line(&tables::text(&table))
}

fn signature(title: &str, signature: &Signature<'_>, out: &mut Out) -> Result<(), Failure> {
    if signature.elements.is_empty() {
        return Ok(());
    }
    section(title, out)?;
    let mut table = tables::table(out, ["semantic", "index", "register", "mask", "used", "system value", "component"]);
    let output = title == "outputs";
    for element in &signature.elements {
        table.add_row([
            tables::cell(Tone::Name, element.semantic),
            tables::number(element.index),
            tables::number(register(element).map_or("-".to_owned(), |register| register.to_string())),
            tables::cell(Tone::Plain, letters(element.mask)),
            tables::cell(Tone::Plain, letters(used(element, output))),
            tables::cell(Tone::Dim, system_value(element)),
            tables::cell(Tone::Plain, component(element)),
        ]);
    }
    out.line(&tables::text(&table))
}

/// An input's mask says what is read, an output's what is never written.
fn used(element: &Element<'_>, output: bool) -> u8 {
    if output { element.mask & !element.rw_mask } else { element.mask & element.rw_mask }
}

fn register(element: &Element<'_>) -> Option<u32> {
    (element.register != NO_REGISTER).then_some(element.register)
}

fn letters(mask: u8) -> String {
    let set = "xyzw".chars().enumerate().filter(|(bit, _)| mask >> bit & 1 != 0);
    set.map(|(_, letter)| letter).collect()
}

fn component(element: &Element<'_>) -> String {
    let names = ["unknown", "uint", "int", "float", "uint16", "int16", "half", "uint64", "int64", "double"];
    let name = names.get(element.component as usize).map_or_else(|| element.component.to_string(), |&n| n.to_owned());
    match element.min_precision {
        0 => name,
        1 => format!("{name}, at least half"),
        2 => format!("{name}, at least 2.8"),
        4 | 5 => format!("{name}, at least 16 bits"),
        other => format!("{name}, precision {other}"),
    }
}

/// Names of `D3D_NAME`.
fn system_value(element: &Element<'_>) -> String {
    let name = match element.system_value {
        0 => "-",
        1 => "position",
        2 => "clip distance",
        3 => "cull distance",
        4 => "layer",
        5 => "viewport",
        6 => "vertex id",
        7 => "primitive id",
        8 => "instance id",
        9 => "front face",
        10 => "sample index",
        11..=16 => "tessellation factor",
        64 => "target",
        65 => "depth",
        66 => "coverage",
        67 => "depth, greater or equal",
        68 => "depth, less or equal",
        69 => "stencil reference",
        70 => "inner coverage",
        other => return other.to_string(),
    };
    name.to_owned()
}

fn bound(rdef: &Reflection<'_>, out: &mut Out) -> Result<(), Failure> {
    if rdef.bindings.is_empty() {
        return Ok(());
    }
    section("resources", out)?;
    let mut table = tables::table(out, ["name", "register", "space", "count", "kind"]);
    for binding in &rdef.bindings {
        table.add_row([
            tables::cell(Tone::Name, binding.name),
            tables::cell(Tone::Plain, format!("{}{}", register_class(binding.ty), binding.bind_point)),
            tables::number(binding.space),
            tables::number(if binding.count == 0 { "no end".to_owned() } else { binding.count.to_string() }),
            tables::cell(Tone::Plain, binding_kind(binding)),
        ]);
    }
    out.line(&tables::text(&table))
}

fn register_class(ty: u32) -> char {
    match ty {
        0 => 'b',
        3 => 's',
        4 | 6 | 8..=11 => 'u',
        _ => 't',
    }
}

fn binding_kind(binding: &Binding<'_>) -> String {
    let stride = binding.samples;
    match binding.ty {
        0 => "constant buffer".to_owned(),
        1 => "texture buffer".to_owned(),
        2 => format!("texture {}", dimension(binding.dimension)),
        3 => "sampler".to_owned(),
        4 => format!("UAV {}", dimension(binding.dimension)),
        5 => format!("structured buffer, stride {stride}"),
        6 => format!("structured UAV, stride {stride}"),
        7 => "raw buffer".to_owned(),
        8 => "raw UAV".to_owned(),
        9 => format!("append buffer, stride {stride}"),
        10 => format!("consume buffer, stride {stride}"),
        11 => format!("structured UAV with counter, stride {stride}"),
        other => format!("type {other}"),
    }
}

/// Names of `D3D_SRV_DIMENSION`.
fn dimension(number: u32) -> String {
    let names = [
        "?",
        "buffer",
        "1d",
        "1d array",
        "2d",
        "2d array",
        "2d multisampled",
        "2d multisampled array",
        "3d",
        "cube",
        "cube array",
    ];
    names.get(number as usize).map_or_else(|| number.to_string(), |&name| name.to_owned())
}

fn buffers(rdef: &Reflection<'_>, out: &mut Out) -> Result<(), Failure> {
    for buffer in rdef.constant_buffers.iter().filter(|buffer| buffer.ty < 2) {
        section(&format!("{}, {} bytes", buffer.name, buffer.size), out)?;
        let mut table = tables::table(out, ["offset", "bytes", "member", "used"]);
        for variable in &buffer.variables {
            let used = variable.flags & 2 != 0;
            table.add_row([
                tables::number(variable.offset),
                tables::number(variable.size),
                tables::cell(Tone::Name, variable.name),
                tables::cell(Tone::Dim, if used { "yes" } else { "no" }),
            ]);
        }
        out.line(&tables::text(&table))?;
    }
    Ok(())
}

fn container_json(args: &Args, shader: &Shader<'_>) -> Value {
    let elements = |signature: &Signature<'_>, output: bool| -> Value {
        signature.elements.iter().map(|element| element_json(element, output)).collect()
    };
    let text = if args.asm { disasm::disassemble_exact(shader) } else { disasm::disassemble(shader) };
    json!({
        "schema": 1,
        "source": "dxbc",
        "profile": profile(shader),
        "bytes": shader.container.bytes.len(),
        "checksum": { "stated": hex(shader.container.checksum), "right": checksum_holds(shader) },
        "chunks": shader.container.chunks.iter().map(chunk_json).collect::<Vec<_>>(),
        "compiler": shader.rdef.as_ref().map(|rdef| rdef.creator),
        "features": shader.sfi0.map(feature_names),
        "inputs": elements(&shader.inputs, false),
        "outputs": elements(&shader.outputs, true),
        "patch_constants": elements(&shader.patch, false),
        "resources": shader.rdef.as_ref().map(|rdef| rdef.bindings.iter().map(binding_json).collect::<Vec<_>>()),
        "declarations": shader.program.declarations.len(),
        "instructions": shader.program.instructions.len(),
        "program": text,
    })
}

fn hex(words: [u32; 4]) -> String {
    words.iter().flat_map(|word| word.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

fn chunk_json(chunk: &Chunk<'_>) -> Value {
    json!({
        "name": chunk.fourcc.to_string(), "offset": chunk.offset, "bytes": chunk.data.len(),
        "what": describe(chunk.fourcc),
    })
}

fn element_json(element: &Element<'_>, output: bool) -> Value {
    json!({
        "semantic": element.semantic, "index": element.index, "register": register(element),
        "mask": letters(element.mask), "used": letters(used(element, output)), "system_value": system_value(element),
        "component": component(element), "stream": element.stream,
    })
}

fn binding_json(binding: &Binding<'_>) -> Value {
    json!({
        "name": binding.name, "register": format!("{}{}", register_class(binding.ty), binding.bind_point),
        "space": binding.space, "count": (binding.count != 0).then_some(binding.count), "kind": binding_kind(binding),
    })
}

/// WGSL, GLSL and SPIR-V, from what the translation finds.
fn module(args: &Args, input: &Input, out: &mut Out) -> Result<(), Failure> {
    let translator = Translator::new(Options { entry: args.entry.clone(), names: true, ..Options::default() });
    let translation = translate(input, &translator)?;
    if args.json {
        return out.json(&reflection(input.kind, &translation));
    }
    let text = listing(input.kind, &translation.spirv)?;
    if args.asm {
        return out.text(&text);
    }
    let interface = &translation.interface;
    let path = input.path.display().to_string();
    let (kind, stage, entry) = (input.kind.name(), interface.stage.name(), &interface.entry_point);
    let words = translation.spirv.len();
    out.line(&format!("{}  {kind}, {stage} stage, entry point {entry}, {words} words", out.paint(Tone::Name, &path)))?;
    interface_tables(interface, out)?;
    section("module", out)?;
    out.text(&text)
}

fn interface_tables(interface: &StageInterface, out: &mut Out) -> Result<(), Failure> {
    for (title, elements) in [("inputs", &interface.inputs), ("outputs", &interface.outputs)] {
        if elements.is_empty() {
            continue;
        }
        section(title, out)?;
        let mut table = tables::table(out, ["semantic", "location", "mask"]);
        for element in elements {
            table.add_row([
                tables::cell(Tone::Name, &element.semantic),
                tables::number(element.location.map_or("-".to_owned(), |location| location.to_string())),
                tables::cell(Tone::Plain, &element.mask),
            ]);
        }
        out.line(&tables::text(&table))?;
    }
    if interface.resources.is_empty() {
        return Ok(());
    }
    section("resources", out)?;
    let mut table = tables::table(out, ["name", "set", "binding", "type", "count", "used"]);
    for own in &interface.resources {
        table.add_row([
            tables::cell(Tone::Name, &own.name),
            tables::number(own.set),
            tables::number(own.binding),
            tables::cell(Tone::Plain, rx_renderer::vk::layout::print::type_name(own.ty)),
            tables::number(own.count.map_or("no end".to_owned(), |count| count.to_string())),
            tables::cell(Tone::Dim, if own.used { "yes" } else { "no" }),
        ]);
    }
    out.line(&tables::text(&table))
}
