//! What must hold of any bytes, one function a fuzz target. Each panics where it does not.
//!
//! Held of all: no panic, no fault of rx's own ([`ErrorKind::Internal`]), memory within the bound of
//! docs/architecture.md, and an answer whose parts agree. The tests of rx-translate run the same functions over what a
//! fuzzer once found.

use rx_translate::dxbc::container::{self, Container, FourCc};
use rx_translate::dxbc::program::Program;
use rx_translate::dxbc::{Shader, asm, disasm, effect, embedded};
use rx_translate::{
    BufferLengths, BufferOffsets, ConstantLengths, Error, ErrorKind, Features, FloatControls, Options, Profile,
    Robustness, RobustnessByClass, Source, Target, Translation, TranslationFixes, Translator, ledger,
    spirv_in as interfaces,
};

#[path = "../../../tests/tests/corpus_hostile/memory.rs"]
mod memory;

pub use memory::Counting;

/// Bytes that a call may hold at once, whatever its input's size.
const LEAST_ALLOWANCE: usize = 1 << 20;

/// Bytes that a call may hold at once for each byte of input.
const ALLOWANCE_PER_BYTE: usize = 64;

/// A container as it comes. The first byte of its checksum, which is not looked at, chooses the options.
pub fn container(data: &[u8]) {
    let options = options(data.get(4).copied().unwrap_or(0));
    let _ = translate(data, &options);
    let shader = bounded(data.len(), "parsing", || Shader::parse(data, false));
    if let Ok(shader) = shader {
        let _ = (disasm::disassemble(&shader), disasm::disassemble_exact(&shader));
        if options.names {
            let _ = Translator::new(options).typed_form(data);
        }
    }
}

/// Any bytes: the shaders inside, by an effect's tables or a scan. Each lies in the input and gets an answer.
pub fn inside(data: &[u8]) {
    let (found, shaders) = match bounded(data.len(), "finding shaders in", || embedded::shaders(data)) {
        Ok(found) => found,
        Err(error) => return not_ours(&error),
    };
    for shader in &shaders {
        let start = shader.offset as usize;
        assert_eq!(data.get(start..start + shader.bytes.len()), Some(shader.bytes));
        let _ = (shader.name(), shader.profile());
    }
    // Overlapping entries may name the same bytes very often.
    for shader in shaders.iter().take(8) {
        let _ = translate(shader.bytes, &Options::default());
    }
    if let embedded::Found::Effect(effect) = found {
        for assignment in &effect.assignments {
            if let effect::Assigned::Shader(index) = assignment.value {
                assert!(index < shaders.len());
            }
        }
    }
}

/// A byte that chooses the options, and a token stream. It is translated in a container without signatures, and in one
/// with the signatures that its declarations call for; its text must assemble to the same program.
pub fn tokens(data: &[u8]) {
    let Some((&choice, code)) = data.split_first() else { return };
    let options = options(choice);
    let Some(bare) = container::write(&[(FourCc(*b"SHEX"), code)]) else { return };
    let _ = translate(&bare, &options);
    let Ok(shader) = Shader::parse(&bare, true) else { return };
    let text = disasm::disassemble_exact(&shader);
    let program = placeless(shader.program);
    // Without these three lines the assembler states signatures of its own.
    let text: String = text
        .lines()
        .filter(|line| {
            !line.starts_with(".inputs none")
                && !line.starts_with(".outputs none")
                && !line.starts_with(".patches none")
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    let assembled = asm::assemble(&text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let again = Shader::parse(&assembled, true).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert_eq!(format!("{:?}", placeless(again.program)), format!("{program:?}"), "{text}");
    let _ = translate(&assembled, &options);
}

/// A text. What assembles reads, says the same text when printed exactly, and is translated.
pub fn assembler(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let bytes = match bounded(text.len(), "assembling", || asm::assemble(&text)) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert!(error.place.line.is_some(), "{error}: no place");
            return not_ours(&error);
        }
    };
    let shader = Shader::parse(&bytes, true).unwrap_or_else(|error| panic!("{error}"));
    let exact = disasm::disassemble_exact(&shader);
    let again = asm::assemble(&exact).unwrap_or_else(|error| panic!("{error} in\n{exact}"));
    assert_eq!(again, bytes, "{exact}");
    let _ = translate(&bytes, &options(data.last().copied().unwrap_or(0)));
}

/// A module. The first byte of its generator's word chooses the options, the second the entry point.
pub fn spirv_in(data: &[u8]) {
    let entry = data.get(9).is_some_and(|byte| byte & 1 != 0).then(|| String::from("main"));
    let options = Options { entry, ..options(data.get(8).copied().unwrap_or(0)) };
    let translator = Translator::new(options);
    match bounded(data.len(), "reading", || translator.translate(Source::Spirv(data))) {
        Err(error) => not_ours(&error),
        Ok(Translation { spirv, interface, notes }) => {
            let swapped = spirv.iter().flat_map(|word| word.to_be_bytes());
            let same = spirv.iter().flat_map(|word| word.to_le_bytes()).eq(data.iter().copied());
            assert!(same || swapped.eq(data.iter().copied()), "words were changed");
            assert!(notes.is_empty());
            let again = interfaces::read_interface(&spirv, translator.options().entry.as_deref());
            assert_eq!(again.as_ref(), Ok(&interface));
        }
    }
}

/// Translates a container. A module that comes of it has an interface that can be read.
fn translate(bytes: &[u8], options: &Options) -> Result<Translation, ()> {
    let translator = Translator::new(options.clone());
    let result = bounded(bytes.len(), "translating", || translator.translate(Source::Dxbc(bytes)));
    match &result {
        Err(error) => not_ours(error),
        Ok(translation) => {
            interfaces::read_interface(&translation.spirv, None).unwrap_or_else(|error| panic!("of rx's own: {error}"));
        }
    }
    result.map_err(drop)
}

/// An error is the input's doing, and the ledger knows it.
fn not_ours(error: &Error) {
    assert_ne!(error.kind, ErrorKind::Internal, "{error}");
    assert!(ledger::find(error.code).is_some(), "{error}: not in the ledger");
}

/// Does something with an input of some bytes within the memory that it may take.
pub fn bounded<T>(bytes: usize, what: &str, work: impl FnOnce() -> T) -> T {
    let (made, peak) = memory::peak_of(work);
    let allowance = LEAST_ALLOWANCE.max(bytes * ALLOWANCE_PER_BYTE);
    assert!(peak <= allowance, "{what} {bytes} bytes takes {peak} bytes of memory");
    made
}

/// A program without the places of its items.
fn placeless(mut program: Program) -> Program {
    program.instructions.iter_mut().for_each(|instruction| instruction.offset = 0);
    program.declarations.iter_mut().for_each(|declaration| declaration.offset = 0);
    program
}

/// The code of a container, as the target `tokens` takes it; none where there is none.
pub fn code(bytes: &[u8]) -> Option<Vec<u8>> {
    let container = Container::parse(bytes).ok()?;
    let code = container.find(&[b"SHEX", b"SHDR"])?.data;
    Some([&bytes[4..5], code].concat())
}

/// Options by number: target, robustness, what is pushed, features, names, fixes.
fn options(choice: u8) -> Options {
    let bit = |at: u8| choice >> at & 1 != 0;
    let target = [Target::Vulkan13, Target::Vulkan12, Target::Vulkan11, Target::Vulkan13][usize::from(choice & 3)];
    let robustness = [Robustness::Device, Robustness::Explicit, Robustness::Explicit, Robustness::Off];
    let fixes = TranslationFixes {
        point_size: true,
        sine_range: true,
        int_to_float: true,
        split_clamp: true,
        dense_switch: true,
        float_bits: true,
        bare_varyings: true,
    };
    Options {
        profile: Profile {
            target,
            features: if bit(5) { Features::none() } else { Features::full() },
            robustness: RobustnessByClass::all(robustness[usize::from(choice >> 2 & 3)]),
            buffer_lengths: if bit(4) { BufferLengths::PushConstants } else { BufferLengths::ArrayLength },
            constant_lengths: if bit(4) && bit(6) { ConstantLengths::PushConstants } else { ConstantLengths::Declared },
            buffer_offsets: if bit(4) && bit(0) { BufferOffsets::PushConstants } else { BufferOffsets::None },
            float_controls: if bit(7) { FloatControls::ALL } else { FloatControls::default() },
            fixes: if bit(7) { fixes } else { TranslationFixes::NONE },
        },
        names: bit(6),
        dual_source: bit(6) && bit(5),
        ..Options::default()
    }
}
