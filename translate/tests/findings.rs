//! What fuzzers once found: each input does no harm any more. docs/fuzzing.md.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "../fuzz/src/checks.rs"]
#[allow(dead_code)]
mod checks;

#[path = "../../tests/src/effects.rs"]
#[allow(dead_code)]
mod effects;

use std::path::Path;

#[global_allocator]
static ALLOCATOR: checks::Counting = checks::Counting;

/// Runs a target's checks over every input that is kept of it.
fn each(target: &str, check: fn(&[u8])) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/findings").join(target);
    let Ok(entries) = std::fs::read_dir(&folder) else { return 0 };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in &paths {
        println!("{}", path.display());
        check(&std::fs::read(path).unwrap());
    }
    paths.len()
}

#[test]
fn containers() {
    each("container", checks::container);
}

#[test]
fn insides() {
    each("inside", checks::inside);
}

#[test]
fn token_streams() {
    each("tokens", checks::tokens);
}

#[test]
fn texts() {
    each("assembler", checks::assembler);
}

#[test]
fn modules() {
    each("spirv_in", checks::spirv_in);
}

/// A sound container.
const SHADER: &[u8] = include_bytes!("../../tests/assets/dxbc/line_vs.sm51.dxbc");

/// An effect with the shader in a variable and in a pass.
fn effect(shader: &[u8]) -> Vec<u8> {
    use effects::{Effect, FX_4_0, Object, Value, state};
    let values = vec![(state::VERTEX, Value::Variable("vs")), (state::GEOMETRY, Value::Shader(shader, "POSITION.xyz"))];
    let effect = Effect {
        version: FX_4_0,
        objects: vec![Object::Shader(state::VERTEX, "vs", vec![Some(&shader[..64])])],
        groups: vec![("", vec![("T", vec![("P", values)])])],
        annotated: true,
        ..Effect::default()
    };
    effect.write()
}

/// The checks themselves: a sound input of each target passes them, and so do its single-byte changes.
#[test]
fn checks_take_what_is_sound() {
    let code = checks::code(SHADER).expect("a container with code");
    checks::container(SHADER);
    checks::inside(SHADER);
    let effect = effect(SHADER);
    for at in 0..effect.len() {
        let mut changed = effect.clone();
        changed[at] ^= 1 << (at % 8);
        checks::inside(&changed);
    }
    checks::tokens(&code);
    for at in (0..code.len()).step_by(5) {
        let mut changed = code.clone();
        changed[at] ^= 1 << (at % 8);
        checks::tokens(&changed);
    }
    let shader = rx_translate::dxbc::Shader::parse(SHADER, true).unwrap();
    checks::assembler(rx_translate::dxbc::disasm::disassemble_exact(&shader).as_bytes());
    let translator = rx_translate::Translator::default();
    let module = translator.translate(rx_translate::Source::Dxbc(SHADER)).unwrap().spirv;
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    checks::spirv_in(&bytes);
    checks::spirv_in(&bytes[..bytes.len() / 2]);
}

/// `resinfo` of a buffer was written as a query of levels, which a buffer does not have: no valid module.
#[test]
fn levels_are_not_asked_of_a_buffer() {
    let text = "cs_5_0\ndcl_resource_buffer (float,float,float,float) t0\ndcl_uav_raw u0\ndcl_temps 1
dcl_thread_group 1, 1, 1\nresinfo r0.xyzw, l(0), t0.xyzw\nstore_raw u0.x, l(0), r0.x\nret\n";
    let container = rx_translate::dxbc::asm::assemble(text).unwrap();
    let error = rx_translate::Translator::default().translate(rx_translate::Source::Dxbc(&container)).unwrap_err();
    assert_eq!(error.code, rx_translate::ledger::BAD_OPERAND);
}

/// The bound is one that can be missed.
#[test]
#[should_panic(expected = "bytes of memory")]
fn the_bound_on_memory_is_held() {
    checks::bounded(16, "wasting", || vec![0u8; 2 << 20]);
}
