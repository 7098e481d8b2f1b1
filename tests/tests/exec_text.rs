//! WGSL as naga writes it and as rx writes it otherwise: by the fixes of a driver, with lengths of buffers in push constants.
//! Every form is valid and gives the same results.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::profiles::EVERY_FIX;
use rx_tests::validator::Validator;
use rx_tests::vulkan::{Buffer, Dispatch, Registers, Stage, Translations, session, t, u};
use rx_translate::{
    BufferLengths, ErrorKind, Options, Profile, Robustness, RobustnessByClass, Source, Target, TranslationFixes,
    Translator, ledger,
};

const TEXT: &str = "
struct Tail { head: vec4<u32>, rows: array<vec3<u32>> }
@group(0) @binding(0) var<storage, read> numbers: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<storage, read> tail: Tail;

fn chosen(number: i32) -> u32 {
    var got = 0u;
    switch number {
        case 0: { got = 5u; }
        case -1, 1065353216: { got = 6u; }
        case 1084227584: { got = 7u; break; }
        default: { got = 8u; }
    }
    switch number & 3 { case 0: { return got; } case 1: { return got + 10u; } default: { return got + 20u; } }
}

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = numbers[id.x];
    let bits = bitcast<u32>(x);
    let turned = -vec3<f32>(x, abs(x), 1.0);
    let at = id.x * 10u;
    results[at] = bitcast<u32>(turned.x);
    results[at + 1u] = bitcast<u32>(turned.y);
    results[at + 2u] = bitcast<u32>(f32(bits));
    results[at + 3u] = bitcast<u32>(vec2<f32>(vec2<i32>(i32(bits), 7)).x);
    results[at + 4u] = chosen(i32(bits));
    results[at + 5u] = bitcast<u32>(sin(x));
    results[at + 6u] = bitcast<u32>(cos(vec2<f32>(x, 0.0)).x);
    results[at + 7u] = arrayLength(&numbers);
    results[at + 8u] = arrayLength(&tail.rows);
    results[at + 9u] = bitcast<u32>(numbers[id.x + 8u]);
    results[at + 1000u] = 1u;
}";

const NUMBERS: [f32; 8] = [0.0, 1.0, -2.5, 5.0, 300.0, -0.0, f32::INFINITY, -1234.5];

fn words(profile: Profile) -> Vec<u32> {
    let translation = Translator::new(Options { profile, ..Options::default() }).translate(Source::Wgsl(TEXT)).unwrap();
    let pushed = profile.buffer_lengths == BufferLengths::PushConstants;
    assert_eq!(translation.interface.reads_array_length, Some(!pushed));
    assert_eq!(translation.interface.push_constant_bytes, if pushed { 12 } else { 0 });
    Validator::new(profile.target).check(&translation.spirv).unwrap_or_else(|why| panic!("{profile:?}: {why}"));
    translation.spirv
}

/// Instructions of an opcode, by the operands from the second word on.
fn operands(words: &[u32], opcode: u32) -> Vec<Vec<u32>> {
    let (mut at, mut found) = (5, Vec::new());
    while let Some(first) = words.get(at) {
        let length = (first >> 16) as usize;
        if first & 0xffff == opcode {
            found.push(words[at + 1..at + length].to_vec());
        }
        at += length;
    }
    found
}

#[test]
fn each_fix_changes_what_it_is_about() {
    let [ext_inst, s_to_f, u_to_f, negate, switch] = [12, 111, 112, 127, 251];
    let [abs, round_even, sin] = [4, 2, 13];
    let functions = |words: &[u32], function| operands(words, ext_inst).iter().filter(|own| own[3] == function).count();
    let widest =
        |words: &[u32]| operands(words, switch).iter().flat_map(|own| own[2..].iter().step_by(2).copied().max()).max();
    let with = |fixes| words(Profile { fixes, ..Profile::default() });
    let plain = with(TranslationFixes::NONE);
    let count = |words: &[u32], opcode| operands(words, opcode).len();
    assert_eq!(
        [count(&plain, negate), functions(&plain, abs), count(&plain, s_to_f), count(&plain, u_to_f)],
        [1, 1, 1, 1]
    );
    assert_eq!([functions(&plain, sin), functions(&plain, round_even)], [1, 0]);
    assert_eq!(widest(&plain), Some(u32::MAX));
    let bits = with(TranslationFixes { float_bits: true, ..TranslationFixes::NONE });
    assert_eq!([count(&bits, negate), functions(&bits, abs)], [0, 0]);
    let halves = with(TranslationFixes { int_to_float: true, ..TranslationFixes::NONE });
    assert_eq!([count(&halves, s_to_f), count(&halves, u_to_f)], [1, 3]);
    let near = with(TranslationFixes { sine_range: true, ..TranslationFixes::NONE });
    assert_eq!([functions(&near, sin), functions(&near, round_even)], [1, 2]);
    let dense = with(TranslationFixes { dense_switch: true, ..TranslationFixes::NONE });
    assert_eq!(widest(&dense), Some(3));
}

/// The result of a thread, but sine and cosine, and those as numbers.
fn want(x: f32) -> ([u32; 5], [f64; 2]) {
    let bits = x.to_bits();
    let chosen = match bits {
        0 => 5,
        0xffff_ffff | 0x3f80_0000 => 6,
        0x40a0_0000 => 7,
        _ => 8,
    };
    let chosen = chosen + [0, 10, 20, 20][bits as usize & 3];
    let exact = [(-x).to_bits(), (-x.abs()).to_bits(), (bits as f32).to_bits(), (bits as i32 as f32).to_bits(), chosen];
    (exact, [f64::from(x).sin(), f64::from(x).cos()])
}

#[test]
fn every_form_gives_the_same() {
    let Some(session) = session() else { return };
    let explicit = RobustnessByClass::all(Robustness::Explicit);
    let plain = Profile { robustness: explicit, ..Profile::default() };
    let pushed = Profile { buffer_lengths: BufferLengths::PushConstants, ..plain };
    for (name, profile) in [
        ("plain", plain),
        ("fixes", Profile { fixes: EVERY_FIX, ..plain }),
        ("lengths", pushed),
        ("fixes and lengths", Profile { fixes: EVERY_FIX, ..pushed }),
        ("fixes and lengths, vulkan1.1", Profile { fixes: EVERY_FIX, target: Target::Vulkan11, ..pushed }),
    ] {
        let code: Vec<u8> = words(profile).iter().flat_map(|word| word.to_le_bytes()).collect();
        let buffer = |words: &[u32]| Buffer::of_words(session.device, words).unwrap();
        let numbers = buffer(&NUMBERS.map(f32::to_bits));
        // Sixteen bytes of head, three rows of sixteen and a half.
        let (results, tail) = (buffer(&[7; 80]), buffer(&[0; 4 + 3 * 4 + 2]));
        // Bindings follow one another by class: what is only read comes first.
        let registers = Registers::new().buffer(t(0), &numbers).buffer(t(1), &tail).buffer(u(2), &results);
        let translations = Translations::new(session.device, explicit);
        let lengths = profile.buffer_lengths == BufferLengths::PushConstants;
        let translations = if lengths { translations.with_pushed_lengths() } else { translations };
        let stage = Stage { code: &code, registers: &registers };
        Dispatch { stage, groups: [1, 1, 1] }.run(&translations).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(session.messages(), Vec::<String>::new(), "{name}");
        for (thread, (got, x)) in results.words().chunks_exact(10).zip(NUMBERS).enumerate() {
            let (exact, waves) = want(x);
            assert_eq!(got[..5], exact, "{name}: {x}, thread {thread}");
            for (got, want) in got[5..7].iter().map(|bits| f32::from_bits(*bits)).zip(waves) {
                // Without the fix Vulkan promises nothing past half a turn.
                let near = (f64::from(got) - want).abs() < 1e-3 || (want.is_nan() && got.is_nan());
                assert!(
                    near || (!profile.fixes.sine_range && x.abs() > std::f32::consts::PI),
                    "{name}: {x}: {got}, wanted {want}"
                );
            }
            assert_eq!(got[7..], [8, 3, 0], "{name}: lengths, and a load out of range");
        }
        assert!(results.margin_intact(), "{name}");
    }
}

#[test]
fn what_cannot_be_pushed_is_refused() {
    let profile = Profile { buffer_lengths: BufferLengths::PushConstants, ..Profile::default() };
    let text = "#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint at; };
void main() { data[at] = data.length(); }";
    let source = Source::Glsl(text, rx_translate::interface::Stage::Compute);
    let plain = Translator::default().translate(source).unwrap().interface;
    assert_eq!((plain.reads_array_length, plain.push_constant_bytes), (Some(true), 4));
    let error = Translator::new(Options { profile, ..Options::default() }).translate(source).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::TEXT_NOT_WRITTEN, ErrorKind::Refused));
}

/// Structures and arrays that lie in buffers and in variables of functions, stages and groups; copied whole in each
/// direction, passed by pointer, with matrices and structures inside.
const SHARED_TYPES: &str = "
struct Inner { turn: mat2x2<f32>, list: array<u32, 3> }
struct Outer { inner: array<Inner, 2>, tail: u32 }
@group(0) @binding(0) var<storage, read_write> stored: array<Outer, 2>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;
@group(0) @binding(2) var<uniform> given: array<vec4<u32>, 2>;
var<private> own: Outer;
var<private> flat: array<u32, 4> = array<u32, 4>(1u, 2u, 3u, 4u);
var<workgroup> group: array<Inner, 2>;

fn sum(list: ptr<function, array<u32, 3>>) -> u32 { (*list)[0] += 1u; return (*list)[0] + (*list)[1] + (*list)[2]; }
fn tail_of(outer: Outer) -> u32 { return outer.tail + outer.inner[1].list[2]; }

@compute @workgroup_size(1)
fn main() {
    var local = stored[0];
    own = stored[0];
    local.inner[1].list[2] += 10u;
    results[0] = tail_of(local);
    results[1] = tail_of(own);
    var list = local.inner[1].list;
    results[2] = sum(&list);
    group[1] = local.inner[1];
    workgroupBarrier();
    group[1].turn[1].y = 8.0;
    results[3] = bitcast<u32>(group[1].turn[1].y + local.inner[1].turn[1].y);
    local.inner[0] = group[1];
    stored[1] = local;
    results[4] = flat[results[9] + 2u];
    let copy = given;
    results[5] = copy[results[9] + 1u].z;
}";

#[test]
fn types_outside_buffers_have_no_layout() {
    let Some(session) = session() else { return };
    // A structure `Inner` is 28 bytes in 32 (matrix 16, list 12), `Outer` two of them and a number, in 72.
    let inner = |first: u32| {
        let turn = [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits);
        [turn.as_slice(), &[first, first + 1, first + 2, 0]].concat()
    };
    let outer = [inner(10), inner(20), vec![5, 0]].concat();
    let mut stored = outer.clone();
    stored.resize(36, 0);
    for target in [Target::Vulkan11, Target::Vulkan12, Target::Vulkan13] {
        for robustness in [Robustness::Device, Robustness::Explicit] {
            let robustness = RobustnessByClass::all(robustness);
            let options =
                Options { profile: Profile { target, robustness, ..Profile::default() }, ..Options::default() };
            let translation = Translator::new(options).translate(Source::Wgsl(SHARED_TYPES)).unwrap();
            assert_eq!(Validator::new(target).check(&translation.spirv), Ok(()), "{target:?}, {robustness:?}");
            let buffer = |words: &[u32]| Buffer::of_words(session.device, words).unwrap();
            let (given, stored) = (buffer(&[0, 1, 2, 3, 4, 5, 6, 7]), buffer(&stored));
            let results = buffer(&[0; 16]);
            let code: Vec<u8> = translation.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
            // Bindings follow one another by class: the uniform buffer, then what is written.
            let registers = Registers::new().buffer(rx_tests::vulkan::b(0), &given);
            let registers = registers.buffer(u(1), &stored).buffer(u(2), &results);
            let stage = Stage { code: &code, registers: &registers };
            let translations = Translations::new(session.device, robustness);
            Dispatch { stage, groups: [1, 1, 1] }.run(&translations).unwrap();
            assert_eq!(session.messages(), Vec::<String>::new());
            // 5 + (22 + 10); 5 + 22; 21 + 21 + 32; 8 + 4; the third of `flat`; the third of the second of `given`.
            assert_eq!(results.words()[..6], [37, 27, 74, 12f32.to_bits(), 3, 6], "{target:?}, {robustness:?}");
            let mut changed = inner(20);
            (changed[6], changed[3]) = (32, 8f32.to_bits());
            assert_eq!(stored.words()[18..25], changed[..7], "{target:?}, {robustness:?}");
            assert_eq!(stored.words()[34], 5);
        }
    }
}
