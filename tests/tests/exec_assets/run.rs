//! Running a feature shader with inputs.

use rx_tests::shared;
use rx_tests::vulkan::{
    Attribute, Buffer, Dispatch, Draw, Registers, Session, Stage, Texture, TextureOptions, Translations, VertexBuffer,
    feed, session, wide_format,
};
use rx_translate::interface::{Component, SignatureElement};
use rx_translate::{Robustness, RobustnessByClass, TranslationFixes};
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

/// What some drivers ask for, all at once: no result may change.
const EVERY_FIX: TranslationFixes = TranslationFixes {
    point_size: true,
    sine_range: true,
    int_to_float: true,
    split_clamp: true,
    dense_switch: true,
    float_bits: true,
    bare_varyings: true,
};

/// Runs a test in every way. Without a device it is skipped.
pub fn each(test: impl Fn(&Run<'_>)) {
    let Some(session) = session() else { return };
    let with = |robustness| Translations::new(session.device, RobustnessByClass::all(robustness));
    let runs = [
        ("device", with(Robustness::Device)),
        ("explicit", with(Robustness::Explicit)),
        ("explicit, lengths pushed", with(Robustness::Explicit).with_pushed_lengths()),
        ("device, views begin later", with(Robustness::Device).with_pushed_offsets()),
        ("explicit, views begin later", with(Robustness::Explicit).with_pushed_offsets()),
        (
            "explicit, lengths pushed, views begin later",
            with(Robustness::Explicit).with_pushed_lengths().with_pushed_offsets().with_pushed_constant_lengths(),
        ),
        ("every fix", with(Robustness::Device).with_fixes(EVERY_FIX)),
    ];
    for (name, translations) in runs {
        let run = Run { session: &session, translations, name };
        // What an earlier test left behind is not this one's.
        session.messages();
        test(&run);
        let messages = session.messages();
        assert!(messages.is_empty(), "{name}: {}", messages.join("\n"));
    }
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
    /// Whether the device has what a test needs; else a line says so. `CI=true` takes a driver that has all of it.
    pub fn needs(&self, has: bool, feature: &str) -> bool {
        let must = std::env::var("CI").is_ok_and(|v| v == "true");
        assert!(has || !must, "the device has no {feature}, and CI=true forbids to skip");
        if !has {
            println!("skipped: the device has no {feature}");
        }
        has
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
        ran.unwrap_or_else(|e| panic!("{shader}, {}: {e}", self.name));
    }

    /// A 2D texture of a DXGI format, of zeros.
    pub fn target(&self, dxgi: u32, width: u32, height: u32) -> Texture {
        Texture::new(self.session.device, TextureOptions::d2(dxgi, width, height).unwrap()).unwrap()
    }

    /// A texture with content: for each level all layers.
    pub fn texture(&self, options: TextureOptions, words: &[u32]) -> Texture {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Texture::with_content(self.session.device, options, &bytes).unwrap()
    }

    /// Draws with a pixel shader: one triangle that covers what is drawn on, its vertices at (-1, 1), (3, 1) and (-1, -3).
    /// `on` has the targets and whatever else is not of the stages.
    pub fn pixel(&self, shader: &str, registers: &Registers<'_>, inputs: &Inputs, on: Draw<'_>) {
        let code = asset(shader);
        let fail = |e: String| -> ! { panic!("{shader}, {}: {e}", self.name) };
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
