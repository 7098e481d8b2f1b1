//! The reference interpreter against the replay scripts: quads with constants, and compute shaders.
//!
//! The scripts of `exec/replay` lie below `RX_SHARED`. A draw is evaluated at the corners and the middle of every
//! rectangle that is probed later: the vertices run, their outputs are interpolated, and the pixel runs. What needs a
//! texture with a sampler, derivatives, a vertex buffer of another form, several samples or a whole target is counted as
//! skipped by its level.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_interpreter::{Class, Error, Inputs, Machine, Outputs, Resources, Slot, Texture, View};
use rx_tests::report::{Outcome, Report};
use rx_tests::shared::{self, Blobs, hex};
use rx_translate::dxbc::Shader;
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::dxbc::signature::Signature;
use serde_json::Value;
use std::collections::BTreeMap;

/// The default render target.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 480.0;
/// Width and height of the block of pixels that runs where a pixel shader writes views.
const BLOCK: u32 = 32;
/// `D3D_NAME` of a position and of a render target array index.
const POSITION: u32 = 1;
const LAYER: u32 = 4;

/// Probes whose expectation the shader does not have, as script, lines and why.
const EXCEPTIONS: &[(&str, &[u64], &str)] = &[
    ("register-reservations-profile", &[110, 146, 181], "the blob reads t0 or t1, whose texels are not expected"),
    ("uav-atomics", &[152, 157], "a buffer is bound where the blob declares a texture"),
    ("uav-atomics", &[203, 204], "the blob has the unsigned atomics, the expectation is of the signed ones"),
    ("uav-atomics", &[250, 256], "three threads add -1, the expectation is of one"),
];

#[test]
fn quads_and_compute_shaders() {
    let Some(folder) = shared::folder("exec/replay") else { return };
    let mut blobs = Blobs::new(folder.join("blobs"));
    let mut scripts: Vec<_> = std::fs::read_dir(folder.join("sm5_fxc")).unwrap().map(|e| e.unwrap().path()).collect();
    scripts.sort();
    let mut report = Report::default();
    let mut skipped = BTreeMap::new();
    for path in &scripts {
        replay(&shared::json(path), &mut blobs, &mut report, &mut skipped);
    }
    for (why, count) in skipped {
        println!("interpreter, replay: {count} skipped: {why}");
    }
    report.finish("interpreter, replay");
}

/// A pixel of a render target: the resource's slot and the place.
type Pixel = (u32, u32, u32);

/// What lasts from one operation to the next.
#[derive(Default)]
struct State {
    /// Resources that are no render targets.
    views: BTreeMap<(String, u32), View>,
    /// Pixels that are probed. `Err` says why a pixel is not known.
    pixels: BTreeMap<Pixel, Result<[u32; 4], String>>,
    /// Why the content of a view is not known any more.
    lost: BTreeMap<(String, u32), String>,
}

fn replay(script: &Value, blobs: &mut Blobs, report: &mut Report, skipped: &mut BTreeMap<String, usize>) {
    let name = script["test"].as_str().unwrap();
    let ops = script["ops"].as_array().unwrap();
    let mut state = State::default();
    for op in ops.iter().filter(|op| op["op"] == "probe" && op["res"][0] == "rtv") {
        for (x, y) in places(op) {
            state.pixels.insert((number(&op["res"][1]), x, y), Err("no draw before".to_owned()));
        }
    }
    let mut level = String::from("before any draw");
    for op in ops {
        if let Some(of_op) = op["level"].as_str() {
            level = of_op.to_owned();
        }
        let line = op["line"].as_u64().unwrap_or(0);
        match op["op"].as_str().unwrap() {
            "resource" => state.create(op),
            "clear" => state.clear(op),
            "draw" => state.draw(blobs, op),
            "dispatch" => {
                if let Err(why) = state.dispatch(blobs, op) {
                    state.lose(op, &why);
                }
            }
            _ => {
                let mut exceptions =
                    EXCEPTIONS.iter().filter(|(script, lines, _)| *script == name && lines.contains(&line));
                let result = exceptions
                    .next()
                    .map_or_else(|| state.probe(op), |(_, _, why)| Err(Unmet::Skipped((*why).to_owned())));
                let outcome = match result {
                    Ok(()) => Outcome::Passed,
                    Err(Unmet::Failed(why)) => Outcome::Failed(why),
                    Err(Unmet::Skipped(why)) => {
                        *skipped.entry(why.clone()).or_default() += 1;
                        Outcome::Skipped(why)
                    }
                };
                report.add(&format!("{level} probe"), &format!("{name}:{line}"), outcome);
            }
        }
    }
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap_or(0)).unwrap()
}

fn words(value: &Value) -> Vec<u32> {
    shared::words(&hex(value.as_str().unwrap()))
}

/// The corners and the middle of a probed rectangle.
fn places(op: &Value) -> Vec<(u32, u32)> {
    let [left, top, right, bottom] = [0, 1, 2, 3].map(|n| number(&op["rect"][n]));
    let (last, low) = (right.saturating_sub(1), bottom.saturating_sub(1));
    let mut places = vec![(left, top), (last, top), (left, low), (last, low), ((left + last) / 2, (top + low) / 2)];
    places.dedup();
    places
}

impl State {
    fn create(&mut self, op: &Value) {
        let key = (op["type"].as_str().unwrap().to_owned(), number(&op["slot"]));
        let bytes = op["data"].as_str().map(hex).unwrap_or_default();
        if key.0 == "rtv" {
            self.set(key.1, &Err("its content is not known".to_owned()));
            return;
        }
        let (stride, format) = (number(&op["stride"]), number(&op["format"]));
        let raw = op["raw"] == true;
        let view = if op["dim"] != "buffer" {
            View::Texture(Texture {
                format,
                size: [0, 1, 2].map(|n| number(&op["size"][n]).max(1)),
                layers: number(&op["layers"]).max(1),
                levels: number(&op["levels"]).max(1),
                samples: number(&op["samples"]).max(1),
                bytes,
            })
        } else if stride > 0 {
            View::Structured { stride, bytes, counter: (op["counter"] == true).then_some(0) }
        } else if raw || format == 0 {
            View::Raw { bytes }
        } else {
            View::Typed { format, bytes }
        };
        if key.0 == "dsv" {
            self.lost.insert(key, "level F: depth".to_owned());
            return;
        }
        self.lost.remove(&key);
        self.views.insert(key, view);
    }

    /// Notes that what an operation would have written is not known.
    fn lose(&mut self, op: &Value, why: &str) {
        for pair in op["bound"].as_array().unwrap().iter().filter(|pair| pair[0] == "uav") {
            self.lost.insert(("uav".to_owned(), number(&pair[1])), why.to_owned());
        }
    }

    fn clear(&mut self, op: &Value) {
        let value = words(&op["value"]).try_into().unwrap();
        if op["type"] == "rtv" {
            self.set(number(&op["slot"]), &Ok(value));
        } else if op["type"] != "dsv" {
            let key = (op["type"].as_str().unwrap().to_owned(), number(&op["slot"]));
            self.lost.insert(key, "a view is cleared".to_owned());
        }
    }

    fn set(&mut self, slot: u32, value: &Result<[u32; 4], String>) {
        for (_, pixel) in self.pixels.iter_mut().filter(|((of, ..), _)| *of == slot) {
            pixel.clone_from(value);
        }
    }

    /// The resources that an operation names; a buffer is seen as the kind that the shader declares.
    fn resources(&self, op: &Value, machine: &Machine) -> Resources {
        let mut resources = Resources::default();
        resources.constant_buffers.insert(Slot::from(0), hex(op["cb0"].as_str().unwrap()));
        for pair in op["bound"].as_array().unwrap() {
            let kind = pair[0].as_str().unwrap();
            let slot = number(&pair[1]);
            let class = if kind == "uav" { Class::UnorderedAccess } else { Class::ShaderResource };
            let Some(view) = self.views.get(&(kind.to_owned(), slot)) else { continue };
            let view = seen_as(view, machine.buffer_view(class, slot.into(), Vec::new()));
            match kind {
                "uav" => resources.unordered_access.insert(slot.into(), view),
                "srv" => resources.shader_resources.insert(slot.into(), view),
                _ => None,
            };
        }
        resources
    }

    fn dispatch(&mut self, blobs: &mut Blobs, op: &Value) -> Result<(), String> {
        let container = blobs.get(op["shaders"]["cs"].as_str().unwrap());
        let machine = machine(container)?;
        let mut resources = self.resources(op, &machine);
        let groups = [0, 1, 2].map(|n| number(&op["groups"][n]));
        machine.dispatch(&mut resources, groups, &mut ()).map_err(|error| error.to_string())?;
        self.keep(resources);
        Ok(())
    }

    /// Keeps what a shader wrote.
    fn keep(&mut self, resources: Resources) {
        for (slot, view) in resources.unordered_access {
            if let Some(kept) = self.views.get_mut(&("uav".to_owned(), slot.register)) {
                *kept = seen_as(&view, Some(kept.clone()));
            }
        }
    }

    fn draw(&mut self, blobs: &mut Blobs, op: &Value) {
        let draw = Draw::new(self, blobs, op).and_then(|draw| self.whole(op, &draw).map(|()| draw));
        if let Err(why) = &draw {
            self.lose(op, why);
        }
        let targets = op["bound"].as_array().unwrap().iter().filter(|pair| pair[0] == "rtv");
        for slot in targets.map(|pair| number(&pair[1])) {
            for ((of, x, y), pixel) in &mut self.pixels {
                if *of != slot {
                    continue;
                }
                match draw
                    .as_ref()
                    .map_err(Clone::clone)
                    .and_then(|draw| draw.pixel(*x, *y, &mut draw.resources.clone()))
                {
                    Ok(Some(outputs)) => *pixel = Ok(outputs.registers.get(&slot).copied().unwrap_or_default()),
                    Ok(None) => {}
                    Err(why) => *pixel = Err(why),
                }
            }
        }
    }

    /// Runs a block of pixels of a draw that writes views: every pixel of these scripts writes the same.
    fn whole(&mut self, op: &Value, draw: &Draw) -> Result<(), String> {
        if !bound(op, "uav") {
            return Ok(());
        }
        let mut resources = draw.resources.clone();
        for y in 0..BLOCK {
            for x in 0..BLOCK {
                draw.pixel(x, y, &mut resources)?;
            }
        }
        self.keep(resources);
        Ok(())
    }

    fn probe(&self, op: &Value) -> Result<(), Unmet> {
        let components = number(&op["n"]) as usize;
        let key = (op["res"][0].as_str().unwrap().to_owned(), number(&op["res"][1]));
        let mut got = Vec::new();
        for (x, y) in places(op) {
            let texel = match (self.pixels.get(&(key.1, x, y)), self.lost.get(&key)) {
                (Some(pixel), _) if key.0 == "rtv" => pixel.clone().map(|value| value[..components].to_vec()),
                (_, Some(why)) => Err(why.clone()),
                _ => texel(&self.views[&key], x, y, components),
            };
            got.push(texel.map_err(|why| if unsupported(&why) { Unmet::Skipped(why) } else { Unmet::Failed(why) })?);
        }
        let expected = words(&op["bits"]);
        let allowed = number(&op["ulps"]);
        let float = op["kind"] == "f32";
        let near = |a: u32, b: u32| if float { shared::ulps(a, b) <= allowed } else { a == b };
        match got.iter().find(|texel| !texel.iter().zip(&expected).all(|(a, b)| near(*a, *b))) {
            Some(texel) => Err(Unmet::Failed(format!("expected {expected:x?} ({}), got {texel:x?}", op["value"]))),
            None => Ok(()),
        }
    }
}

/// Why a probe does not have its expected value.
enum Unmet {
    Skipped(String),
    Failed(String),
}

/// Whether an operation names a resource of a kind.
fn bound(op: &Value, kind: &str) -> bool {
    op["bound"].as_array().unwrap().iter().any(|pair| pair[0] == kind)
}

/// The bytes and the counter of a view in the form of another one. A texture keeps its form.
fn seen_as(view: &View, form: Option<View>) -> View {
    let (bytes, had, counter) = match view {
        View::Raw { bytes } => (bytes, None, None),
        View::Structured { bytes, counter, .. } => (bytes, None, *counter),
        View::Typed { format, bytes } => (bytes, Some(*format), None),
        View::Texture(texture) => (&texture.bytes, Some(texture.format), None),
    };
    let bytes = bytes.clone();
    match form {
        Some(View::Raw { .. }) => View::Raw { bytes },
        Some(View::Structured { stride, .. }) => View::Structured { stride, bytes, counter },
        // The form of a declaration has no format of its own.
        Some(View::Typed { format, .. }) => View::Typed { format: had.unwrap_or(format), bytes },
        Some(View::Texture(texture)) => View::Texture(Texture { bytes, ..texture }),
        None => view.clone(),
    }
}

/// Whether something is not known because the interpreter, or this test, has no answer for it.
fn unsupported(why: &str) -> bool {
    ["level ", "its content", "no draw", "it needs ", "a view is cleared", "not drawn: "]
        .iter()
        .any(|start| why.contains(start))
}

/// The words of a texel of one-word components, or of the counter of a buffer that has one.
fn texel(view: &View, x: u32, y: u32, components: usize) -> Result<Vec<u32>, String> {
    let (bytes, index) = match view {
        View::Structured { counter: Some(counter), .. } => return Ok(vec![*counter]),
        View::Raw { bytes } | View::Structured { bytes, .. } | View::Typed { bytes, .. } => (bytes, x as usize),
        View::Texture(texture) => (&texture.bytes, (y * texture.size[0] + x) as usize),
    };
    let all = shared::words(bytes);
    let texel = all.get(index * components..(index + 1) * components);
    texel.map(<[u32]>::to_vec).ok_or_else(|| "the view ends before the texel".to_owned())
}

fn machine(container: &[u8]) -> Result<Machine, String> {
    let shader = Shader::parse(container, false).map_err(|error| error.to_string())?;
    Machine::new(&shader).map_err(|error| error.to_string())
}

/// A draw of triangles whose vertices have run.
struct Draw {
    pixel: Machine,
    resources: Resources,
    vertices: Vec<Vertex>,
    strip: bool,
    /// Inputs of the pixel shader, each with the vertex output that feeds it.
    links: Vec<Link>,
}

struct Vertex {
    outputs: Outputs,
    /// Position on the target in pixels, depth, and 1 / w.
    place: [f64; 4],
}

struct Link {
    register: u32,
    from: u32,
    constant: bool,
}

impl Draw {
    fn new(state: &State, blobs: &mut Blobs, op: &Value) -> Result<Draw, String> {
        let level = op["level"].as_str().unwrap();
        if !["A:", "C:", "D:"].iter().any(|known| level.starts_with(known)) {
            return Err(format!("level {level}"));
        }
        let strip = match op["topology"].as_str().unwrap() {
            "triangle_list" => false,
            "triangle_strip" => true,
            other => return Err(format!("not drawn: topology {other}")),
        };
        if number(&op["sample_count"]) > 1 || number(&op["instances"]) != 1 || op["shaders"]["gs"].is_string() {
            return Err("not drawn: samples, instances or a geometry shader".to_owned());
        }
        let vertex_code = blobs.get(op["shaders"]["vs"].as_str().unwrap()).to_vec();
        let pixel_code = blobs.get(op["shaders"]["ps"].as_str().unwrap()).to_vec();
        let shaders = [&vertex_code, &pixel_code].map(|code| Shader::parse(code, false));
        let [vertex_shader, pixel_shader] = shaders;
        let (vertex_shader, pixel_shader) =
            (vertex_shader.map_err(|e| e.to_string())?, pixel_shader.map_err(|e| e.to_string())?);
        let [vertex, pixel] = [&vertex_shader, &pixel_shader].map(Machine::new);
        let (vertex, pixel) = (vertex.map_err(|e| e.to_string())?, pixel.map_err(|e| e.to_string())?);
        if vertex_shader.outputs.elements.iter().any(|element| element.system_value == LAYER) {
            return Err("not drawn: layers".to_owned());
        }
        let mut vertices = Vec::new();
        for n in 0..number(&op["vertices"]) {
            let inputs = Inputs {
                registers: attributes(state, op, &vertex_shader.inputs, n)?,
                vertex_id: n,
                ..Inputs::default()
            };
            let outputs = vertex.invoke(&inputs, &mut state.resources(op, &vertex), &mut ());
            vertices.push(placed(outputs.map_err(|e| e.to_string())?, &vertex_shader.outputs)?);
        }
        let resources = state.resources(op, &pixel);
        Ok(Draw { links: links(&vertex_shader.outputs, &pixel_shader), pixel, resources, vertices, strip })
    }

    /// Runs the pixel at a place, or returns `None` where no triangle covers it or the shader discards it.
    fn pixel(&self, x: u32, y: u32, resources: &mut Resources) -> Result<Option<Outputs>, String> {
        let centre = [f64::from(x) + 0.5, f64::from(y) + 0.5];
        let mut last = None;
        for corners in self.triangles() {
            let Some(weights) = inside(corners, centre) else { continue };
            let inverse: f64 = (0..3).map(|n| weights[n] * corners[n].place[3]).sum();
            let depth: f64 = (0..3).map(|n| weights[n] * corners[n].place[2]).sum();
            let mut inputs = Inputs { front_face: true, coverage: 1, ..Inputs::default() };
            inputs.position = [centre[0], centre[1], depth, inverse].map(|value| (value as f32).to_bits());
            for link in &self.links {
                let of = |n: usize| corners[n].outputs.registers.get(&link.from).copied().unwrap_or_default();
                let value = if link.constant {
                    of(0)
                } else {
                    [0, 1, 2, 3].map(|lane| {
                        let at = |n: usize| f64::from(f32::from_bits(of(n)[lane])) * weights[n] * corners[n].place[3];
                        (((at(0) + at(1) + at(2)) / inverse) as f32).to_bits()
                    })
                };
                inputs.registers.insert(link.register, value);
            }
            let outputs = self.pixel.invoke(&inputs, resources, &mut ());
            let outputs = outputs.map_err(|error: Error| error.to_string())?;
            if !outputs.discarded {
                last = Some(outputs);
            }
        }
        Ok(last)
    }

    fn triangles(&self) -> Vec<[&Vertex; 3]> {
        let of = |n: usize| [0, 1, 2].map(|k| &self.vertices[n + k]);
        let step = if self.strip { 1 } else { 3 };
        (0..self.vertices.len().saturating_sub(2)).step_by(step).map(of).collect()
    }
}

/// The barycentric weights of a point, or `None` if it is outside. The edges count as inside.
fn inside(corners: [&Vertex; 3], [x, y]: [f64; 2]) -> Option<[f64; 3]> {
    let [a, b, c] = corners.map(|vertex| [vertex.place[0], vertex.place[1]]);
    let area = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let whole = area(a, b, c);
    let weights = [area([x, y], b, c) / whole, area(a, [x, y], c) / whole, area(a, b, [x, y]) / whole];
    (whole != 0.0 && weights.iter().all(|weight| *weight >= 0.0)).then_some(weights)
}

/// Divides a vertex's position by its w and places it on the target.
fn placed(outputs: Outputs, signature: &Signature<'_>) -> Result<Vertex, String> {
    let element = signature.elements.iter().find(|element| element.system_value == POSITION);
    let register = element.ok_or("not drawn: no position")?.register;
    let [x, y, z, w] = outputs.registers[&register].map(|word| f64::from(f32::from_bits(word)));
    let place = [(x / w + 1.0) / 2.0 * WIDTH, (1.0 - y / w) / 2.0 * HEIGHT, z / w, 1.0 / w];
    Ok(Vertex { outputs, place })
}

/// Vertex inputs by semantic, from buffers of 32-bit components that follow one another.
fn attributes(
    state: &State,
    op: &Value,
    inputs: &Signature<'_>,
    vertex: u32,
) -> Result<BTreeMap<u32, [u32; 4]>, String> {
    let mut registers = BTreeMap::new();
    let layout = op["layout"].as_array().unwrap();
    let mut offsets = BTreeMap::new();
    for element in layout {
        let slot = number(&element["slot"]);
        let size = number(&element["size"]) as usize;
        let offset = offsets.entry(slot).or_insert(0);
        let stride: usize = layout
            .iter()
            .filter(|other| number(&other["slot"]) == slot)
            .map(|other| number(&other["size"]) as usize)
            .sum();
        let name = element["name"].as_str().unwrap();
        let input = inputs
            .elements
            .iter()
            .find(|input| input.semantic.eq_ignore_ascii_case(name) && input.index == number(&element["index"]));
        // Formats of one to four 32-bit components.
        if !matches!(number(&element["format"]), 2..=4 | 6..=8 | 16..=18 | 41..=43) {
            return Err("not drawn: an attribute of another format".to_owned());
        }
        if let Some(input) = input {
            let one = if matches!(number(&element["format"]), 2 | 6 | 16 | 41) { 1.0f32.to_bits() } else { 1 };
            let Some(View::Raw { bytes }) = state.views.get(&("vb".to_owned(), slot)) else {
                return Err(format!("no vertex buffer {slot}"));
            };
            let start = vertex as usize * stride + *offset;
            let words = shared::words(bytes.get(start..start + size).ok_or("the vertex buffer ends")?);
            let mut value = [0, 0, 0, one];
            value[..words.len()].copy_from_slice(&words);
            registers.insert(input.register, value);
        }
        *offset += size;
    }
    Ok(registers)
}

/// Which output of the vertex shader each input of the pixel shader has, by semantic.
fn links(outputs: &Signature<'_>, pixel: &Shader<'_>) -> Vec<Link> {
    let constant = |register: u32| {
        let mut declarations = pixel.program.declarations.iter().filter(|declaration| {
            declaration.op == Opcode::DclInputPs
                && pixel.program.operands_of_declaration(declaration)[0].number() == Some(register)
        });
        declarations.any(|declaration| declaration.controls & 15 == 1)
    };
    let inputs = pixel.inputs.elements.iter().filter(|input| input.system_value == 0);
    let linked = inputs.filter_map(|input| {
        let output = outputs
            .elements
            .iter()
            .find(|output| output.semantic.eq_ignore_ascii_case(input.semantic) && output.index == input.index)?;
        Some(Link { register: input.register, from: output.register, constant: constant(input.register) })
    });
    linked.collect()
}
