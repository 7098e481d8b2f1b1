//! Runs of a case on a driver.

use super::case::{Attribute, Case, Launch, PIXELS, Resource, Varying, View};
use super::outcome::{Outcome, Part};
use crate::vulkan::{
    self, Bound, Buffer, Dispatch, Draw, Format, Registers, Shape, Stage, Target, Texture, TextureOptions, Topology,
    Translations, VertexBuffer, feed, wide_format,
};
use rx_translate::dxbc::asm::assemble;
use rx_translate::interface::Component;
use std::fmt::Write;

/// Runs a case's program, which is assembled as `code`.
pub fn run(case: &Case, code: &[u8], translations: &Translations) -> vulkan::Result<Outcome> {
    let bound = Memory::new(case, translations)?;
    let registers = bound.registers(case);
    let stage = Stage { code, registers: &registers };
    let mut outcome = Outcome::default();
    match &case.launch {
        Launch::Compute { groups } => Dispatch { stage, groups: *groups }.run(translations)?,
        Launch::Pixels { inputs, targets } => {
            let targets = pixels(stage, inputs, targets, translations)?;
            bound.read(case, &mut outcome);
            outcome.parts.extend(targets);
            return Ok(outcome);
        }
        Launch::Vertices { attributes, outputs, .. } => {
            outcome.parts = vertices(stage, attributes, outputs, translations)?;
            return Ok(outcome);
        }
    }
    bound.read(case, &mut outcome);
    Ok(outcome)
}

/// A case's resources on the device, in its order.
struct Memory(Vec<Object>);

enum Object {
    Buffer(Buffer),
    Texture(Texture),
}

impl Memory {
    fn new(case: &Case, translations: &Translations) -> vulkan::Result<Memory> {
        let device = translations.device();
        let object = |resource: &Resource| {
            let View::Texture(image) = resource.view else {
                return Ok(Object::Buffer(Buffer::of_words(device, &resource.words)?));
            };
            let format = Format::of(image.format).ok_or_else(|| format!("DXGI format {}", image.format))?;
            let [width, height] = image.size;
            let options = TextureOptions {
                shape: Shape::D2,
                format,
                size: [width, height, 1],
                layers: image.layers,
                levels: image.levels,
                samples: 1,
            };
            let bytes: Vec<u8> = resource.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            Ok(Object::Texture(Texture::with_content(device, options, &bytes)?))
        };
        case.resources.iter().map(object).collect::<vulkan::Result<_>>().map(Memory)
    }

    fn registers(&self, case: &Case) -> Registers<'_> {
        let mut registers = Registers::new();
        for (resource, object) in case.resources.iter().zip(&self.0) {
            let bound = match (object, resource.view) {
                (Object::Texture(texture), _) => Bound::Texture(texture),
                (Object::Buffer(buffer), View::Typed(format)) => Bound::Typed(buffer, format),
                (Object::Buffer(buffer), _) => Bound::Buffer(buffer),
            };
            registers.bind(resource.register, bound);
        }
        registers
    }

    fn read(&self, case: &Case, outcome: &mut Outcome) {
        for (resource, object) in case.resources.iter().zip(&self.0) {
            if let (true, Object::Buffer(buffer)) = (resource.is_written(), object) {
                outcome.parts.push(Part { name: resource.name(), words: buffer.words() });
            }
        }
    }
}

/// Draws a triangle over every pixel of the targets, with the inputs the same at its corners.
fn pixels(
    stage: Stage<'_>,
    inputs: &[Varying],
    components: &[Component],
    translations: &Translations,
) -> vulkan::Result<Vec<Part>> {
    let device = translations.device();
    let translation = translations.translate(stage.code, 0)?;
    let vertex = feed(&translation.interface);
    let none = Registers::new();
    let corners = [[-1.0f32, 1.0], [1.0, 1.0], [-1.0, -1.0]].map(|[x, y]| [x, y, 0.0, 1.0].map(f32::to_bits));
    let mut content = Vec::new();
    for corner in corners {
        content.extend(corner);
        content.extend(inputs.iter().flat_map(|input| input.value));
    }
    let buffer = Buffer::of_words(device, &content)?;
    let components_of = inputs.iter().map(|input| input.component);
    let attributes = attributes(components_of, |n| (format!("TEXCOORD{n}"), 0));
    let stride = attributes.len() as u32 * 16;
    let targets = targets(components, [PIXELS, PIXELS], translations)?;
    let size = 2.0 * PIXELS as f32;
    let draw = Draw {
        attributes,
        vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride, per_instance: false }],
        targets: slots(&targets),
        // The triangle lies inside its viewport: one that is cut off may run a pixel twice.
        viewports: vec![[0.0, 0.0, size, size, 0.0, 1.0]],
        ..Draw::new(vec![Stage { code: &vertex, registers: &none }, stage])
    };
    draw.run(translations)?;
    read_targets(&targets, "o", 0)
}

/// Draws a point for each vertex, at the pixel of its number, and a pixel shader writes the vertex's outputs as bits.
fn vertices(
    stage: Stage<'_>,
    inputs: &[Attribute],
    outputs: &[Component],
    translations: &Translations,
) -> vulkan::Result<Vec<Part>> {
    let translations = &translations.for_points();
    let device = translations.device();
    let count = inputs.first().map_or(1, |input| input.values.len());
    let mut content = Vec::new();
    for vertex in 0..count {
        let x = (vertex as f32 + 0.5) / count as f32 * 2.0 - 1.0;
        content.extend([x, 0.0, 0.0, 1.0].map(f32::to_bits));
        content.extend(inputs.iter().flat_map(|input| input.values[vertex]));
    }
    let buffer = Buffer::of_words(device, &content)?;
    let attributes = attributes(inputs.iter().map(|input| input.component), |n| ("TEXCOORD".to_owned(), n));
    let stride = attributes.len() as u32 * 16;
    let pixel = assemble(&catching(outputs)).map_err(|error| error.to_string())?;
    let none = Registers::new();
    let components = vec![Component::Uint; outputs.len()];
    let targets = targets(&components, [count as u32, 1], translations)?;
    let draw = Draw {
        topology: Topology::PointList,
        vertices: count as u32,
        attributes,
        vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride, per_instance: false }],
        targets: slots(&targets),
        ..Draw::new(vec![stage, Stage { code: &pixel, registers: &none }])
    };
    draw.run(translations)?;
    read_targets(&targets, "o", 1)
}

/// A pixel shader that writes each of a vertex shader's outputs to a target of integers.
fn catching(outputs: &[Component]) -> String {
    let mut text = String::from("ps_5_0\n.input SV_Position 0 register=0 mask=xyzw read=none\n");
    let mut code = String::new();
    for (n, component) in outputs.iter().enumerate() {
        let ty = if *component == Component::Uint { "uint" } else { "float" };
        let _ = writeln!(text, ".input TEXCOORD {n} register={} mask=xyzw type={ty}", n + 1);
        let _ = writeln!(text, ".output SV_Target {n} register={n} mask=xyzw type=uint");
        let _ = writeln!(code, "mov o{n}.xyzw, v{}.xyzw", n + 1);
    }
    for n in 0..outputs.len() {
        let _ = writeln!(text, "dcl_input_ps constant v{}.xyzw\ndcl_output o{n}.xyzw", n + 1);
    }
    format!("{text}{code}ret\n")
}

/// The position, then one attribute of 128 bits for each input.
fn attributes(
    components: impl Iterator<Item = Component>,
    name: impl Fn(u32) -> (String, u32),
) -> Vec<vulkan::Attribute> {
    let position = (("POSITION".to_owned(), 0), Component::Float);
    let inputs = components.enumerate().map(|(n, component)| (name(n as u32), component));
    let attribute = |(at, ((semantic, index), component))| vulkan::Attribute {
        semantic,
        index,
        format: wide_format(component),
        slot: 0,
        offset: at as u32 * 16,
    };
    std::iter::once(position).chain(inputs).enumerate().map(attribute).collect()
}

fn targets(
    components: &[Component],
    [width, height]: [u32; 2],
    translations: &Translations,
) -> vulkan::Result<Vec<Texture>> {
    let target = |component: &Component| {
        let options = TextureOptions::d2(wide_format(*component), width, height)?;
        Texture::new(translations.device(), options)
    };
    components.iter().map(target).collect()
}

fn slots(targets: &[Texture]) -> Vec<Target<'_>> {
    targets.iter().enumerate().map(|(slot, texture)| Target { slot: slot as u32, texture }).collect()
}

fn read_targets(targets: &[Texture], letter: &str, first: usize) -> vulkan::Result<Vec<Part>> {
    let part =
        |(n, target): (usize, &Texture)| Ok(Part { name: format!("{letter}{}", n + first), words: target.words(0)? });
    targets.iter().enumerate().map(part).collect()
}
