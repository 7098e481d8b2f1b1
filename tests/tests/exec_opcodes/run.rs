//! Running programs written as text.

use rx_tests::vulkan::{
    Buffer, Dispatch, Draw, Registers, Session, Stage, Texture, TextureOptions, Translations, session,
};
use rx_translate::dxbc::asm::assemble;
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::{Robustness, RobustnessByClass, TranslationFixes};

/// A text that a test of this binary runs, and the rows of the table whose results that test looks at.
pub struct Program {
    /// The text.
    pub text: String,
    /// Rows.
    pub covers: Vec<Opcode>,
}

impl Program {
    /// A text that looks at these rows.
    pub fn new(text: impl Into<String>, covers: &[Opcode]) -> Program {
        Program { text: text.into(), covers: covers.to_vec() }
    }
}

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

/// Runs a test as a device that keeps accesses inside runs it, and as one for which the shader does everything itself.
/// Without a device it is skipped. The validation layers have to stay silent.
pub fn each(test: impl Fn(&Run<'_>)) {
    let Some(session) = session() else { return };
    let with = |robustness| Translations::new(session.device, RobustnessByClass::all(robustness));
    let runs = [
        ("device", with(Robustness::Device)),
        ("explicit, every fix", with(Robustness::Explicit).with_fixes(EVERY_FIX)),
    ];
    // Lavapipe 25.0.7 says that it has the feature, and crashes where a sample, gather or fetch asks for a
    // status (`exec_sparse`). What it does not crash over runs under `with_statuses`.
    let no_status = session.device.name.starts_with("llvmpipe");
    for (name, translations) in runs {
        let translations = if no_status { translations.without_residency() } else { translations };
        // What an earlier test left behind is not this one's.
        session.messages();
        test(&Run { session: &session, translations, name });
        let messages = session.messages();
        assert!(messages.is_empty(), "{name}: {}", messages.join("\n"));
    }
}

/// Runs a test of statuses of residency, where the device has them. Lavapipe ends the process over all but those
/// of storage images (`exec_sparse` shows it by modules written by hand): `all` says whether the test may ask for them.
pub fn with_statuses(test: impl Fn(&Run<'_>, bool)) {
    let Some(session) = session() else { return };
    if !session.device.enabled.features.residency {
        println!("skipped: the device has no shaderResourceResidency");
        return;
    }
    let all = !session.device.name.starts_with("llvmpipe");
    for (name, robustness) in [("device, statuses", Robustness::Device), ("explicit, statuses", Robustness::Explicit)] {
        let translations = Translations::new(session.device, RobustnessByClass::all(robustness));
        session.messages();
        test(&Run { session: &session, translations, name }, all);
        let messages = session.messages();
        assert!(messages.is_empty(), "{name}: {}", messages.join("\n"));
    }
}

/// A container of a text.
pub fn code(text: &str) -> Vec<u8> {
    assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

impl Run<'_> {
    /// A buffer of words.
    pub fn words(&self, words: &[u32]) -> Buffer {
        Buffer::of_words(self.session.device, words).unwrap()
    }

    /// A buffer of so many words, each the same.
    pub fn filled(&self, words: usize, with: u32) -> Buffer {
        self.words(&vec![with; words])
    }

    /// A 2D texture of a DXGI format, of zeros.
    pub fn target(&self, dxgi: u32, width: u32, height: u32) -> Texture {
        self.zeros(TextureOptions::d2(dxgi, width, height).unwrap())
    }

    /// A texture of zeros.
    pub fn zeros(&self, options: TextureOptions) -> Texture {
        Texture::new(self.session.device, options).unwrap()
    }

    /// A texture with content: for each level all layers.
    pub fn texture(&self, options: TextureOptions, words: &[u32]) -> Texture {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Texture::with_content(self.session.device, options, &bytes).unwrap()
    }

    /// Dispatches a compute shader.
    pub fn compute(&self, text: &str, registers: &Registers<'_>, groups: [u32; 3]) {
        let code = code(text);
        let ran = Dispatch { stage: Stage { code: &code, registers }, groups }.run(&self.translations);
        ran.unwrap_or_else(|e| panic!("{}: {e}\n{text}", self.name));
    }

    /// Draws with stages in pipeline order; `on` has everything else.
    pub fn draw(&self, stages: &[(&str, &Registers<'_>)], on: Draw<'_>) {
        let codes: Vec<_> = stages.iter().map(|(text, _)| code(text)).collect();
        let stages = codes.iter().zip(stages).map(|(code, (_, registers))| Stage { code, registers });
        let ran = Draw { stages: stages.collect(), ..on }.run(&self.translations);
        ran.unwrap_or_else(|e| panic!("{}: {e}", self.name));
    }
}

/// A draw of [`COVERING`] on a target. The triangle lies inside its viewport: what sticks out of one is cut off, and
/// the cut leaves pixels that two triangles share.
pub fn onto(target: &Texture) -> Draw<'_> {
    let [width, height, _] = target.options.size.map(|n| 2.0 * n as f32);
    Draw { viewports: vec![[0.0, 0.0, width, height, 0.0, 1.0]], ..Draw::new(Vec::new()).onto(target) }
}

/// A vertex shader for three vertices that cover everything under [`onto`]'s viewport; `TEXCOORD1` is 0 to 1 from left
/// to right in x, from top to bottom in y, and 1 in w.
pub const COVERING: &str = "vs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 1
ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)
and r0.xy, r0.xyxx, l(0x40000000, 0x40000000, 0, 0)
mad o0.xy, r0.xyxx, l(1.0, -1.0, 0, 0), l(-1.0, 1.0, 0, 0)
mov o0.zw, l(0, 0, 0, 1.0)
mov o1.xy, r0.xyxx
mov o1.zw, l(0, 0, 0, 1.0)
ret
";
