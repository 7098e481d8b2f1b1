//! Running a feature shader with inputs.

use rx_tests::profiles::EVERY_FIX;
use rx_tests::shared;
use rx_tests::vulkan::{
    Attribute, Buffer, Dispatch, Draw, Driver, Registers, Session, Stage, Texture, TextureOptions, Translations,
    VertexBuffer, feed, wide_format,
};
use rx_tests::ways::{self, Way, with};
use rx_translate::Robustness;
use rx_translate::interface::{Component, SignatureElement};
use std::path::Path;

/// One way to run a test.
pub struct Run<'s> {
    /// The device.
    pub session: &'s Session,
    /// Translations of this way.
    pub translations: Translations,
    /// Its name, for messages.
    pub name: &'static str,
}

/// How many ways at the end of [`WAYS`] send the words through `spirv-opt -O`.
const OPTIMIZED_WAYS: usize = 2;

/// The ways that every test runs in.
const WAYS: &[Way] = &[
    ways::DEVICE,
    ways::EXPLICIT,
    Way::new("explicit, lengths pushed", |device| with(device, Robustness::Explicit).with_pushed_lengths()),
    Way::new("device, views begin later", |device| with(device, Robustness::Device).with_pushed_offsets()),
    Way::new("explicit, views begin later", |device| with(device, Robustness::Explicit).with_pushed_offsets()),
    Way::new("explicit, lengths pushed, views begin later", |device| {
        with(device, Robustness::Explicit).with_pushed_lengths().with_pushed_offsets().with_pushed_constant_lengths()
    }),
    Way::new("every fix", |device| with(device, Robustness::Device).with_fixes(EVERY_FIX)),
    ways::OPTIMIZED,
    ways::OPTIMIZED_EXPLICIT,
];

/// Runs a test in every way.
pub fn each(test: impl Fn(&Run<'_>)) {
    each_of(WAYS, test);
}

/// Runs a test in every way but those after `spirv-opt -O`: a pass of SPIRV-Tools (conditional constant propagation,
/// `propagator.cpp`, "Unsettled value") ends the process over the test's module, which is valid.
pub fn each_before_the_optimizer(test: impl Fn(&Run<'_>)) {
    each_of(&WAYS[..WAYS.len() - OPTIMIZED_WAYS], test);
}

fn each_of(ways: &[Way], test: impl Fn(&Run<'_>)) {
    ways::each(ways, |session, way| {
        test(&Run { session, translations: way.translations(session.device), name: way.name });
    });
}

/// A container among the feature shaders, by its file's stem.
pub fn asset(name: &str) -> Vec<u8> {
    shared::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/dxbc/features/{name}.dxbc")))
}

/// Bits of floats.
pub fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

impl Run<'_> {
    /// Returns whether the device has what a test needs, and prints a line if not. `CI=true` expects the system's driver to
    /// have all of it.
    pub fn needs(&self, has: bool, feature: &str) -> bool {
        let must = self.session.device.driver == Driver::System && std::env::var("CI").is_ok_and(|v| v == "true");
        assert!(has || !must, "the device has no {feature}, and CI=true forbids to skip");
        if !has {
            println!("skipped: {}: the device has no {feature}", self.name);
        }
        has
    }

    fn failed(&self, error: &str) -> ! {
        ways::failed(self.session.device, &format!("{}: {error}", self.name))
    }

    /// A buffer of words.
    pub fn words(&self, words: &[u32]) -> Buffer {
        Buffer::of_words(self.session.device, words).unwrap()
    }

    /// A buffer of floats.
    pub fn floats(&self, values: &[f32]) -> Buffer {
        self.words(&bits(values))
    }

    /// A buffer of so many words, each the same.
    pub fn filled(&self, words: usize, with: u32) -> Buffer {
        self.words(&vec![with; words])
    }

    /// Dispatches a compute shader.
    pub fn compute(&self, shader: &str, registers: &Registers<'_>, groups: [u32; 3]) {
        let code = asset(shader);
        let ran = Dispatch { stage: Stage { code: &code, registers }, groups }.run(&self.translations);
        ran.unwrap_or_else(|error| self.failed(&format!("{shader}: {error}")));
    }

    /// A 2D texture of a DXGI format, of zeros.
    pub fn target(&self, dxgi: u32, width: u32, height: u32) -> Texture {
        let options = TextureOptions::d2(dxgi, width, height).unwrap();
        Texture::new(self.session.device, options).unwrap_or_else(|error| self.failed(&error))
    }

    /// A texture with content: for each level all layers.
    pub fn texture(&self, options: TextureOptions, words: &[u32]) -> Texture {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Texture::with_content(self.session.device, options, &bytes).unwrap_or_else(|error| self.failed(&error))
    }

    /// Draws with a pixel shader: one triangle that covers what is drawn on, its vertices at (-1, 1), (3, 1) and (-1, -3).
    /// `on` has the targets and whatever else is not of the stages.
    pub fn pixel(&self, shader: &str, registers: &Registers<'_>, inputs: &Inputs, on: Draw<'_>) {
        let code = asset(shader);
        let fail = |error: String| -> ! { self.failed(&format!("{shader}: {error}")) };
        let translation = self.translations.translate(&code, 0).unwrap_or_else(|e| fail(e));
        let vertex = feed(&translation.interface);
        let none = Registers::new();
        let (attributes, content) = inputs.layout(&translation.interface.inputs);
        let buffer = self.words(&content);
        let stride = attributes.len() as u32 * 16;
        let draw = Draw {
            stages: vec![Stage { code: &vertex, registers: &none }, Stage { code: &code, registers }],
            vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride, per_instance: false }],
            attributes,
            ..on
        };
        draw.run(&self.translations).unwrap_or_else(|e| fail(e));
    }

    /// Draws with a pixel shader on a small target of 128-bit texels and gives its words.
    pub fn pixels(&self, shader: &str, registers: &Registers<'_>, inputs: &Inputs, size: [u32; 2]) -> Vec<u32> {
        let target = self.target(2, size[0], size[1]);
        self.pixel(shader, registers, inputs, onto(&target));
        target.words(0).unwrap()
    }
}

/// A draw on one target, without stages yet.
pub fn onto(target: &Texture) -> Draw<'_> {
    Draw::new(Vec::new()).onto(target)
}

/// Inputs of a pixel shader at the three corners, by semantic and index.
#[derive(Clone, Default)]
pub struct Inputs {
    values: Vec<(String, [[u32; 4]; 3])>,
    depth: f32,
}

impl Inputs {
    /// None.
    pub fn none() -> Inputs {
        Inputs::default()
    }

    /// The same words everywhere.
    pub fn constant(mut self, semantic: &str, words: [u32; 4]) -> Inputs {
        self.values.push((semantic.to_uppercase(), [words; 3]));
        self
    }

    /// The same floats everywhere.
    pub fn floats(self, semantic: &str, values: [f32; 4]) -> Inputs {
        self.constant(semantic, values.map(f32::to_bits))
    }

    /// Floats at the target's upper left, and what is added towards its right and its lower edge.
    pub fn plane(mut self, semantic: &str, at: [f32; 4], right: [f32; 4], down: [f32; 4]) -> Inputs {
        let corner = |along: [f32; 4]| [0, 1, 2, 3].map(|n| (at[n] + 2.0 * along[n]).to_bits());
        self.values.push((semantic.to_uppercase(), [at.map(f32::to_bits), corner(right), corner(down)]));
        self
    }

    /// Depth of the triangle.
    pub fn at_depth(mut self, depth: f32) -> Inputs {
        self.depth = depth;
        self
    }

    /// The input layout for a feeding vertex shader, and the vertices.
    fn layout(&self, elements: &[SignatureElement]) -> (Vec<Attribute>, Vec<u32>) {
        let attribute = |semantic: &str, component, n: usize| Attribute {
            semantic: semantic.to_owned(),
            index: 0,
            format: wide_format(component),
            slot: 0,
            offset: n as u32 * 16,
        };
        let mut attributes = vec![attribute("POSITION", Component::Float, 0)];
        let mut vertices =
            [[-1.0f32, 1.0], [3.0, 1.0], [-1.0, -3.0]].map(|[x, y]| [x, y, self.depth, 1.0].map(f32::to_bits).to_vec());
        for element in elements.iter().filter(|e| e.location.is_some()) {
            let name = format!("{}{}", element.semantic.to_uppercase(), element.index);
            let found = self.values.iter().find(|(n, _)| *n == name);
            let (_, values) = found.unwrap_or_else(|| panic!("the test gives no {name}"));
            attributes.push(attribute(&name, element.component, attributes.len()));
            for (vertex, words) in vertices.iter_mut().zip(values) {
                vertex.extend_from_slice(words);
            }
        }
        (attributes, vertices.concat())
    }
}
