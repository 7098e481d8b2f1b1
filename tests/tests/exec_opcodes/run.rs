//! Running programs written as text.

use rx_tests::vulkan::{Buffer, Dispatch, Draw, Registers, Session, Stage, Texture, TextureOptions, Translations};
use rx_tests::ways::{self, Way};
use rx_translate::dxbc::asm::assemble;
use rx_translate::dxbc::opcodes::Opcode;

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

/// Runs a test as a device that keeps accesses inside runs it, as one for which the shader does everything itself, after the
/// reference optimiser, and on SwiftShader.
pub fn each(test: impl Fn(&Run<'_>)) {
    each_of(&[ways::DEVICE, ways::EXPLICIT_EVERY_FIX, ways::OPTIMIZED_EXPLICIT, ways::SWIFT_SHADER], test);
}

/// Runs a test with long programs in one way: the others compile them for minutes and show nothing more.
pub fn once(test: impl Fn(&Run<'_>)) {
    each_of(&[ways::DEVICE], test);
}

fn each_of(ways: &[Way], test: impl Fn(&Run<'_>)) {
    ways::each(ways, |session, way| {
        let translations = way.translations(session.device);
        // Lavapipe 25.0.7 says that it has the feature, and crashes if a sample, gather or fetch asks for a status
        // (`exec_sparse`). What it does not crash over runs under `with_statuses`.
        let no_status = session.device.name.starts_with("llvmpipe");
        let translations = if no_status { translations.without_residency() } else { translations };
        test(&Run { session, translations, name: way.name });
    });
}

/// Runs a test of statuses of residency. Lavapipe ends the process over all but those of storage images (`exec_sparse` shows
/// it by modules written by hand): the second argument says whether the test may ask for the others.
pub fn with_statuses(test: impl Fn(&Run<'_>, bool)) {
    const WAYS: &[Way] = &[ways::DEVICE, ways::EXPLICIT, ways::OPTIMIZED, ways::SWIFT_SHADER];
    ways::each(WAYS, |session, way| {
        if !session.device.enabled.features.residency {
            ways::skip("the device has no shaderResourceResidency".to_owned());
        }
        let all = !session.device.name.starts_with("llvmpipe");
        test(&Run { session, translations: way.translations(session.device), name: way.name }, all);
    });
}

/// A container of a text.
pub fn code(text: &str) -> Vec<u8> {
    assemble(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

impl Run<'_> {
    /// Ends this way if results of a kind are known to differ on its driver ([`ways::SWIFT_SHADER_DIFFERS`]).
    pub fn leave_out(&self, kind: &str) {
        ways::leave_out(self.session.device, kind);
    }

    fn failed(&self, error: &str) -> ! {
        ways::failed(self.session.device, &format!("{}: {error}", self.name))
    }

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
        Texture::new(self.session.device, options).unwrap_or_else(|error| self.failed(&error))
    }

    /// A texture with content: for each level all layers.
    pub fn texture(&self, options: TextureOptions, words: &[u32]) -> Texture {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        Texture::with_content(self.session.device, options, &bytes).unwrap_or_else(|error| self.failed(&error))
    }

    /// Dispatches a compute shader.
    pub fn compute(&self, text: &str, registers: &Registers<'_>, groups: [u32; 3]) {
        let code = code(text);
        let ran = Dispatch { stage: Stage { code: &code, registers }, groups }.run(&self.translations);
        ran.unwrap_or_else(|error| self.failed(&format!("{error}\n{text}")));
    }

    /// Draws with stages in pipeline order; `on` has everything else.
    pub fn draw(&self, stages: &[(&str, &Registers<'_>)], on: Draw<'_>) {
        let codes: Vec<_> = stages.iter().map(|(text, _)| code(text)).collect();
        let stages = codes.iter().zip(stages).map(|(code, (_, registers))| Stage { code, registers });
        let ran = Draw { stages: stages.collect(), ..on }.run(&self.translations);
        ran.unwrap_or_else(|error| self.failed(&error));
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
