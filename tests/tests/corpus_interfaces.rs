//! What one stage writes, the next one reads: the variables of both agree, whichever shaders meet, also where the reader
//! declares fewer elements of a register than the writer.
//!
//! Agreement is judged on the words of both modules: the same location and first component, the same kind, and no more
//! components than are written (Vulkan specification, "Interface Matching", as `maintenance4` has it).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::shaders::{self, ShaderFile};
use rx_translate::interface::{Component, SignatureElement, Stage, StageInterface};
use rx_translate::{Source, Translator};
use std::fmt::Write;

/// What the words of a module declare.
fn words(translator: &Translator, spirv: &[u32]) -> StageInterface {
    let bytes: Vec<u8> = spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
    translator.translate(Source::Spirv(&bytes)).unwrap().interface
}

/// A variable at a location: its first component, their number, their kind.
fn place(variable: &SignatureElement) -> Option<(u32, usize, usize, Component)> {
    let first = "xyzw".find(variable.mask.chars().next()?)?;
    Some((variable.location?, first, variable.mask.len(), variable.component))
}

/// The reader's variables that no variable of the writer gives.
fn not_given(writer: &[SignatureElement], reader: &[SignatureElement]) -> Vec<String> {
    let given: Vec<_> = writer.iter().filter(|e| e.stream == 0).filter_map(place).collect();
    let is_given = |(location, first, width, kind): (u32, usize, usize, Component)| {
        given.iter().any(|own| (own.0, own.1, own.3) == (location, first, kind) && own.2 >= width)
    };
    let wanted = reader.iter().filter_map(place).filter(|own| !is_given(*own));
    wanted.map(|own| format!("{own:?} of {given:?}")).collect()
}

/// A pixel shader that declares and reads these elements.
fn reader(elements: &[&SignatureElement]) -> Vec<u8> {
    let mut text = String::from("ps_5_0\n");
    for element in elements {
        let SignatureElement { semantic, index, mask, component, .. } = element;
        let kind = match component {
            Component::Uint => "uint",
            Component::Sint => "int",
            _ => "float",
        };
        let register = element.register.unwrap();
        let _ = writeln!(text, ".input {semantic:?} {index} register={register} mask={mask} value=none type={kind}");
    }
    text.push_str(".output SV_Target 0 register=0 mask=xyzw\n");
    for element in elements {
        let same = |e: &&&SignatureElement| e.register == element.register;
        let flat = elements.iter().filter(same).any(|e| e.component != Component::Float);
        let mode = if flat { "constant" } else { "linear" };
        let _ = writeln!(text, "dcl_input_ps {mode} v{}.{}", element.register.unwrap(), element.mask);
    }
    text.push_str("dcl_output o0.xyzw\ndcl_temps 1\nmov r0.xyzw, l(0, 0, 0, 0)\n");
    for element in elements {
        let _ = writeln!(text, "add r0.{}, r0.xyzw, v{}.xyzw", element.mask, element.register.unwrap());
    }
    text.push_str("mov o0.xyzw, r0.xyzw\nret\n");
    rx_translate::dxbc::asm::assemble(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Faults of a writer before readers of all its elements, of all but the last, and so on.
fn faults(translator: &Translator, file: &ShaderFile) -> (usize, Vec<String>) {
    let Ok(written) = translator.translate(Source::Dxbc(&file.bytes)) else { return (0, Vec::new()) };
    if matches!(written.interface.stage, Stage::Fragment | Stage::Compute) {
        return (0, Vec::new());
    }
    let outputs = words(translator, &written.spirv).outputs;
    let located = written.interface.outputs.iter().filter(|e| e.stream == 0 && e.location.is_some());
    let located: Vec<_> = located.filter(|e| !e.mask.is_empty()).collect();
    let mut found = Vec::new();
    for count in 1..=located.len() {
        let read = translator.translate(Source::Dxbc(&reader(&located[..count])));
        let read = read.unwrap_or_else(|e| panic!("{}: {e}", file.name));
        for why in not_given(&outputs, &words(translator, &read.spirv).inputs) {
            found.push(format!("{}: read by {count} of {} elements: {why}", file.name, located.len()));
        }
    }
    (located.len(), found)
}

fn check(what: &str, files: &[ShaderFile]) {
    let translator = Translator::default();
    let found = shaders::on_all_processors(files, |file| faults(&translator, file));
    let readers: usize = found.iter().map(|(readers, _)| readers).sum();
    println!("{what}: {readers} readers");
    assert!(readers > 100, "{what}: {readers} readers");
    let wrong: Vec<_> = found.into_iter().flat_map(|(_, faults)| faults).collect();
    assert!(wrong.is_empty(), "{what}: {} variables:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_reader_of_the_first_elements_agrees_with_an_own_writer() {
    check("own shaders", &shaders::own());
}

#[test]
fn a_reader_of_the_first_elements_agrees_with_a_writer_of_the_corpus() {
    if let Some(files) = shaders::corpus() {
        check("corpus", &files);
    }
}

/// Pixel shaders of the corpus that interpolate one register in two ways: the only ones whose elements stand apart.
fn of_two_interpolations(files: &[ShaderFile]) -> Vec<&str> {
    let translator = Translator::default();
    let is_one = |file: &ShaderFile| {
        let Ok(translation) = translator.translate(Source::Dxbc(&file.bytes)) else { return false };
        let inputs = &translation.interface.inputs;
        let located: Vec<_> = inputs.iter().filter(|e| e.location.is_some() && e.interpolation.is_some()).collect();
        located.iter().any(|a| located.iter().any(|b| a.location == b.location && a.interpolation != b.interpolation))
    };
    let found = shaders::on_all_processors(files, is_one);
    files.iter().zip(found).filter(|(_, is_one)| *is_one).map(|(file, _)| &*file.name).collect()
}

#[test]
fn compilers_pack_elements_of_one_interpolation() {
    let own = shaders::own();
    assert_eq!(of_two_interpolations(&own), [""; 0]);
    if let Some(files) = shaders::corpus() {
        assert_eq!(of_two_interpolations(&files), [""; 0]);
    }
}
