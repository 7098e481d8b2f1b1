//! Scripts of draws and dispatches from a public suite of shader tests, replayed; every probed texel must match.
//!
//! The scripts lie below `RX_SHARED`. A probe counts under the level of the last draw or dispatch before it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::report::{Outcome, Report};
use rx_tests::shared::{self, Blobs, hex};
use rx_tests::vulkan::{
    Attribute, Bound, Buffer, Depth, Device, Dispatch, Draw, Driver, Format, Registers, SamplerState, Session, Shape,
    Stage, Target, Texture, TextureOptions, Topology, Translations, VertexBuffer, b, s, session_on, t, u,
};
use rx_tests::ways::{self, Way};
use rx_translate::interface::ResourceClass;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// `DXGI_FORMAT_R32_FLOAT`.
const R32_FLOAT: u32 = 41;

/// Operations whose expectation cannot be met, as script, lines and why.
const EXCEPTIONS: &[(&str, &[u64], &str)] = &[
    (
        "eval-attrib",
        &[76, 78],
        "SV_Position at the centroid: where a shader runs by sample, Vulkan has the sample's alone",
    ),
    (
        "eval-attrib",
        &[158, 161, 215, 218],
        "where a shader runs by sample, Vulkan leaves free which place the centroid is",
    ),
    ("ffp-point-size", &[29, 30, 34, 35, 43, 44, 48, 49, 57, 58, 62, 63], "the points' size is not in the data"),
    (
        "register-reservations-profile",
        &[110, 146, 181],
        "the blob reads t0 or t1, whose texels are not what is expected",
    ),
    ("uav-atomics", &[152, 157], "a buffer is bound where the blob declares a texture"),
    ("uav-atomics", &[203, 204], "the blob has the unsigned atomics, the expectation is of the signed ones"),
    ("uav-atomics", &[250, 256], "three threads add -1, the expectation is of one"),
];

fn excepted(script: &str, line: u64) -> Option<&'static str> {
    let found = EXCEPTIONS.iter().find(|(name, lines, _)| *name == script && lines.contains(&line));
    found.map(|(_, _, why)| *why)
}

#[test]
fn the_device_keeps_accesses_inside() {
    run(&ways::DEVICE, |_| true);
}

#[test]
fn the_shader_keeps_accesses_inside() {
    run(&ways::EXPLICIT, guarded);
}

#[test]
fn the_optimiser_changes_no_result() {
    run(&ways::OPTIMIZED, |_| true);
}

#[test]
fn swiftshader_gives_the_same() {
    run(&ways::SWIFT_SHADER, |_| true);
}

/// Replays the scripts that `wanted` keeps.
fn run(way: &Way, wanted: fn(&Path) -> bool) {
    let Some(folder) = shared::folder("exec/replay") else { return };
    let Some(session) = session_on(way.driver) else { return };
    let mut blobs = Blobs::new(folder.join("blobs"));
    let translations = way.translations(session.device);
    let mut report = Report::default();
    let mut scripts: Vec<_> = std::fs::read_dir(folder.join("sm5_fxc")).unwrap().map(|e| e.unwrap().path()).collect();
    scripts.sort();
    // One test's scripts can be asked for by name.
    let only = std::env::var("RX_REPLAY").ok();
    scripts.retain(|path| wanted(path));
    scripts.retain(|path| only.as_deref().is_none_or(|name| path.file_stem().is_some_and(|s| s == name)));
    if scripts.is_empty() {
        println!("no script of that name has anything to run here");
        return;
    }
    for path in &scripts {
        replay(&session, &translations, &mut blobs, path, &mut report);
    }
    report.finish(&format!("replay, {}", way.name));
}

/// Whether a script reads or writes anything that a guard could stand before.
fn guarded(script: &Path) -> bool {
    let script = shared::json(script);
    let levels = script["ops"].as_array().unwrap().iter().filter_map(|op| op["level"].as_str());
    levels.into_iter().any(|level| level.starts_with("C:") || level.starts_with("D:"))
}

fn replay(session: &Session, translations: &Translations, blobs: &mut Blobs, path: &Path, report: &mut Report) {
    let script = shared::json(path);
    let name = script["test"].as_str().unwrap();
    let mut state = State { device: session.device, resources: BTreeMap::new() };
    let mut level = String::from("before any draw");
    // What the device lacks for an operation that later ones read the results of.
    let mut lacking = None;
    for op in script["ops"].as_array().unwrap() {
        let kind = op["op"].as_str().unwrap();
        if let Some(of_op) = op["level"].as_str() {
            level = of_op.to_owned();
        }
        let result = match kind {
            _ if lacking.is_some() => Ok(()),
            "resource" => state.create(op),
            "clear" => state.clear(op),
            "draw" => state.draw(translations, blobs, op),
            "dispatch" => state.dispatch(translations, blobs, op),
            "probe" => state.probe(op),
            _ => Err(format!("unknown operation {kind}")),
        };
        let messages = session.messages();
        let outcome = match result {
            Ok(()) if messages.is_empty() => Outcome::Passed,
            Ok(()) => ways::outcome(session.device, messages.join("; ")),
            Err(why) => ways::outcome(session.device, format!("{why} {}", messages.join("; "))),
        };
        let outcome = match (&lacking, outcome) {
            (Some(why), _) => Outcome::Skipped(String::clone(why)),
            (None, Outcome::Skipped(why)) => {
                lacking = Some(why.clone());
                Outcome::Skipped(why)
            }
            (None, outcome) => outcome,
        };
        let line = op["line"].as_u64().unwrap_or(0);
        let counted = matches!(kind, "draw" | "dispatch" | "probe");
        // What prepares a draw is no case of its own, unless it fails.
        let differs = [("eval-attrib", "eval"), ("exp", "exp"), ("rt-array-index", "layer")]
            .into_iter()
            .find(|(script, _)| *script == name);
        let outcome = match (outcome, differs.and_then(|(_, kind)| ways::differs(session.device, kind))) {
            (Outcome::Failed(_), Some(why)) => Outcome::Skipped(why.to_owned()),
            (outcome, _) => outcome,
        };
        let exception = excepted(name, line).filter(|_| counted);
        let outcome = match (exception, outcome) {
            (Some(_), Outcome::Passed) if session.device.driver == Driver::System => {
                Outcome::Failed("as expected, though it is among the exceptions".to_owned())
            }
            (Some(why), _) => Outcome::Skipped(why.to_owned()),
            (None, outcome) => outcome,
        };
        if counted || matches!(outcome, Outcome::Failed(_)) {
            report.add(&format!("{level} {kind}"), &format!("{name}:{line}"), outcome);
        }
    }
}

/// A resource of a script.
enum Resource {
    Buffer { buffer: Buffer, format: u32, counter: Option<Buffer> },
    Texture(Texture),
}

/// What lasts from one operation to the next: resources by type and slot.
struct State {
    device: &'static Device,
    resources: BTreeMap<(String, u32), Resource>,
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn four_words(value: &Value) -> [u32; 4] {
    shared::words(&hex(value.as_str().unwrap())).try_into().unwrap()
}

impl State {
    fn create(&mut self, op: &Value) -> Result<(), String> {
        let key = (text(&op["type"]), number(&op["slot"]));
        let content = op["data"].as_str().map(hex);
        let resource = if op["dim"] == "buffer" {
            let content = content.unwrap_or_default();
            let counter = (op["counter"] == true).then(|| Buffer::of_words(self.device, &[0])).transpose()?;
            // A structured buffer of one word a record may be declared as a typed one.
            let format = match (number(&op["stride"]), number(&op["format"])) {
                (4, 0) => R32_FLOAT,
                (_, format) => format,
            };
            Resource::Buffer { buffer: Buffer::new(self.device, &content)?, format, counter }
        } else {
            let options = texture_options(op)?;
            Resource::Texture(match content {
                Some(content) => Texture::with_content(self.device, options, &content)?,
                None => Texture::new(self.device, options)?,
            })
        };
        self.resources.insert(key, resource);
        Ok(())
    }

    fn clear(&mut self, op: &Value) -> Result<(), String> {
        self.texture(&text(&op["type"]), number(&op["slot"]))?.clear(four_words(&op["value"]))
    }

    fn texture(&self, kind: &str, slot: u32) -> Result<&Texture, String> {
        match self.resources.get(&(kind.to_owned(), slot)) {
            Some(Resource::Texture(texture)) => Ok(texture),
            _ => Err(format!("no texture at {kind} {slot}")),
        }
    }

    /// The resources that an operation names, with their type and slot.
    fn bound<'a>(&'a self, op: &Value) -> Result<Vec<(String, u32, &'a Resource)>, String> {
        let named = op["bound"].as_array().unwrap().iter().map(|pair| (text(&pair[0]), number(&pair[1])));
        named
            .map(|(kind, slot)| {
                let found = self.resources.get(&(kind.clone(), slot));
                Ok((kind.clone(), slot, found.ok_or_else(|| format!("nothing at {kind} {slot}"))?))
            })
            .collect()
    }

    fn registers<'a>(&'a self, op: &Value, constants: &'a Buffer) -> Result<Registers<'a>, String> {
        let mut registers = Registers::new().buffer(b(0), constants);
        for (kind, slot, resource) in self.bound(op)? {
            let register = match kind.as_str() {
                "srv" => t(slot),
                "uav" => u(slot),
                _ => continue,
            };
            match resource {
                Resource::Texture(texture) => registers.bind(register, Bound::Texture(texture)),
                Resource::Buffer { buffer, format, counter } => {
                    let bound = if *format == 0 { Bound::Buffer(buffer) } else { Bound::Typed(buffer, *format) };
                    registers.bind(register, bound);
                    if let Some(counter) = counter {
                        registers.bind((ResourceClass::UavCounter, 0, slot), Bound::Buffer(counter));
                    }
                }
            }
        }
        for sampler in op["samplers"].as_array().unwrap() {
            let address = [0, 1, 2].map(|n| number(&sampler["addr"][n]));
            let (filter, comparison) = (number(&sampler["filter"]), number(&sampler["func"]));
            let state = SamplerState { filter, address, comparison, ..SamplerState::point() };
            registers.bind(s(number(&sampler["slot"])), Bound::Sampler(state));
        }
        Ok(registers)
    }

    fn dispatch(&mut self, translations: &Translations, blobs: &mut Blobs, op: &Value) -> Result<(), String> {
        let constants = Buffer::new(self.device, &hex(op["cb0"].as_str().unwrap()))?;
        let registers = self.registers(op, &constants)?;
        let code = blobs.get(op["shaders"]["cs"].as_str().unwrap());
        let groups = [0, 1, 2].map(|n| number(&op["groups"][n]));
        Dispatch { stage: Stage { code, registers: &registers }, groups }.run(translations)
    }

    fn draw(&mut self, translations: &Translations, blobs: &mut Blobs, op: &Value) -> Result<(), String> {
        let constants = Buffer::new(self.device, &hex(op["cb0"].as_str().unwrap()))?;
        let registers = self.registers(op, &constants)?;
        let order = ["vs", "hs", "ds", "gs", "ps"];
        let codes: Vec<Vec<u8>> = order
            .iter()
            .filter_map(|stage| op["shaders"][stage].as_str())
            .map(|name| blobs.get(name).to_vec())
            .collect();
        let mut draw = Draw::new(codes.iter().map(|code| Stage { code, registers: &registers }).collect());
        draw.topology = match op["topology"].as_str().unwrap() {
            "triangle_list" => Topology::TriangleList,
            "triangle_strip" => Topology::TriangleStrip,
            "point_list" => Topology::PointList,
            other => return Err(format!("topology {other}")),
        };
        draw.vertices = number(&op["vertices"]);
        draw.instances = number(&op["instances"]);
        draw.sample_mask = number(&op["sample_mask"]);
        let strides = input_layout(op, &mut draw);
        for (kind, slot, resource) in self.bound(op)? {
            match (kind.as_str(), resource) {
                ("vb", Resource::Buffer { buffer, .. }) => {
                    let stride = strides.get(&slot).copied().unwrap_or(0);
                    draw.vertex_buffers.push(VertexBuffer { slot, buffer, stride, per_instance: false });
                }
                ("rtv", Resource::Texture(texture)) => draw.targets.push(Target { slot, texture }),
                ("dsv", Resource::Texture(texture)) => {
                    let function = op["depth_func"].as_u64().unwrap_or(2) as u32;
                    draw.depth = Some(Depth { texture, function });
                }
                _ => {}
            }
        }
        match draw.topology {
            Topology::PointList => draw.run(&translations.for_points()),
            _ => draw.run(translations),
        }
    }

    fn probe(&self, op: &Value) -> Result<(), String> {
        let (kind, slot) = (text(&op["res"][0]), number(&op["res"][1]));
        let rect = [0, 1, 2, 3].map(|n| number(&op["rect"][n]));
        let components = number(&op["n"]) as usize;
        let resource = self.resources.get(&(kind.clone(), slot)).ok_or_else(|| format!("nothing at {kind} {slot}"))?;
        let (bytes, texel) = match resource {
            Resource::Texture(texture) => {
                (texture.read(0, number(&op["layer"]), rect)?, texture.options.format.bytes as usize)
            }
            Resource::Buffer { buffer, format, counter } => {
                // What is probed of a buffer with a counter is the counter.
                let bytes = counter.as_ref().unwrap_or(buffer).bytes();
                let texel = Format::of(*format).map_or(4 * components, |f| f.bytes as usize);
                let (from, to) = (rect[0] as usize * texel, rect[2] as usize * texel);
                (bytes.get(from..to).ok_or_else(|| format!("the buffer ends before {to}"))?.to_vec(), texel)
            }
        };
        let (got, expected) = (shared::words(&bytes), shared::words(&hex(op["bits"].as_str().unwrap())));
        let allowed = number(&op["ulps"]);
        let float = op["kind"] == "f32";
        let near = |a: u32, b: u32| if float { shared::ulps(a, b) <= allowed } else { a == b };
        for texel in got.chunks_exact(texel / 4).map(|texel| &texel[..components]) {
            if !texel.iter().zip(&expected).all(|(a, b)| near(*a, *b)) {
                let values: Vec<f32> = texel.iter().map(|w| f32::from_bits(*w)).collect();
                return Err(format!("expected {expected:x?} ({}), got {texel:x?} ({values:?})", op["value"]));
            }
        }
        Ok(())
    }
}

fn texture_options(op: &Value) -> Result<TextureOptions, String> {
    let dxgi = number(&op["format"]);
    let format = Format::of(dxgi).ok_or_else(|| format!("DXGI format {dxgi}"))?;
    let format = if op["shadow"] == true { format.as_shadow() } else { format };
    Ok(TextureOptions {
        shape: if op["dim"] == "3d" { Shape::D3 } else { Shape::D2 },
        format,
        size: [0, 1, 2].map(|n| number(&op["size"][n]).max(1)),
        layers: number(&op["layers"]).max(1),
        levels: number(&op["levels"]).max(1),
        samples: number(&op["samples"]).max(1),
    })
}

/// Elements follow one another in their slot. Gives the bytes of a vertex, by slot.
fn input_layout(op: &Value, draw: &mut Draw<'_>) -> BTreeMap<u32, u32> {
    let mut strides = BTreeMap::new();
    for element in op["layout"].as_array().unwrap() {
        let slot = number(&element["slot"]);
        let offset = strides.entry(slot).or_insert(0);
        draw.attributes.push(Attribute {
            semantic: text(&element["name"]),
            index: number(&element["index"]),
            format: number(&element["format"]),
            slot,
            offset: *offset,
        });
        *offset += number(&element["size"]);
    }
    strides
}
