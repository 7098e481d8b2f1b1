//! Small token programs against the typed form that they must become.

use super::tokens::Residue;
use crate::{Options, Robustness, RobustnessByClass, Translator};

const T0: u32 = 0x0010_7e46;
const U0: u32 = 0x0011_e0f2;
const R0_X: u32 = 0x0010_000a;
const R0_X_MASK: u32 = 0x0010_0012;
const R1: u32 = 0x0010_00f2;
const R1_XYZW: u32 = 0x0010_0e46;
const THREAD_X: u32 = 0x0002_000a;
const THREAD_IN_GROUP: u32 = 0x0002_4001;
const LITERAL: u32 = 0x0000_4001;
const G0_MASK_X: u32 = 0x0011_f012;
const G0_X: u32 = 0x0011_f00a;
const RET: [u32; 1] = [62 | 1 << 24];

/// An instruction: opcode, operand tokens.
fn op(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let mut words = vec![opcode | (operands.len() as u32 + 1) << 24];
    words.extend_from_slice(operands);
    words
}

/// A compute shader of 64 threads: views, two temporaries, code.
fn shader(parts: &[Vec<u32>]) -> Vec<u8> {
    let mut words = vec![0x0005_0050, 0];
    words.push(106 | 1 << 11 | 1 << 24);
    words.extend(parts.iter().flatten());
    words.extend(RET);
    words[1] = words.len() as u32;
    let size = 4 * words.len() as u32;
    let mut container = b"DXBC".to_vec();
    container.extend([0u8; 16]);
    for word in [1, 36 + 8 + size, 1, 36] {
        container.extend(u32::to_le_bytes(word));
    }
    container.extend(b"SHEX");
    container.extend(size.to_le_bytes());
    container.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    container
}

fn declarations() -> Vec<Vec<u32>> {
    vec![op(95, &[0x0002_0012]), op(95, &[0x0002_4001]), op(104, &[2]), op(155, &[64, 1, 1])]
}

fn raw(code: &[Vec<u32>]) -> Vec<u8> {
    let views = [op(161, &[0x0010_7000, 0]), op(157, &[0x0011_e000, 0])];
    shader(&[&views[..], &declarations(), code].concat())
}

fn form(container: &[u8], robustness: Robustness) -> String {
    let mut options = Options::default();
    options.profile.robustness = RobustnessByClass::all(robustness);
    match Translator::new(options).typed_form(container) {
        Ok(form) => form,
        Err(error) => error.to_string(),
    }
}

fn count(form: &str, word: &str) -> usize {
    form.split(|c: char| !c.is_alphanumeric()).filter(|w| *w == word).count()
}

fn loads_of(form: &str, var: &str) -> usize {
    form.lines().filter(|l| l.contains("Load") && count(l, var) > 0).count()
}

/// ishl r0.x, vThreadID.x, `shift`; iadd r0.x, r0.x, `offset`; ld_raw r1, r0.x, t0; store_raw u0, r0.x, r1
fn copy(shift: u32, offset: u32) -> Vec<u8> {
    raw(&[
        op(41, &[R0_X_MASK, 0, THREAD_X, LITERAL, shift]),
        op(30, &[R0_X_MASK, 0, R0_X, 0, LITERAL, offset]),
        op(165, &[R1, 1, R0_X, 0, T0, 0]),
        op(166, &[U0, 0, R0_X, 0, R1_XYZW, 1]),
    ])
}

#[test]
fn raw_memory_has_vector_elements_where_addresses_are_proven_aligned() {
    let aligned = form(&copy(4, 32), Robustness::Device);
    assert_eq!((loads_of(&aligned, "v0"), count(&aligned, "Store")), (1, 1), "{aligned}");
    let words = form(&copy(2, 32), Robustness::Device);
    assert_eq!((loads_of(&words, "v0"), count(&words, "Store")), (4, 4), "{words}");
}

#[test]
fn a_residue_past_an_element_shifts_its_components() {
    // Eight past a multiple of sixteen: z and w of one element, x and y of the next.
    let shifted = form(&copy(4, 8), Robustness::Device);
    assert_eq!(loads_of(&shifted, "v0"), 2, "{shifted}");
}

#[test]
fn explicit_guards_branch_around_stores_and_choose_zero_for_loads() {
    let guarded = form(&copy(4, 0), Robustness::Explicit);
    // Raw memory under guards is counted in words: each of four is in range or not.
    assert_eq!((loads_of(&guarded, "v0"), count(&guarded, "Store")), (4, 4), "{guarded}");
    assert_eq!(count(&guarded, "ArrayLength"), 2, "{guarded}");
    assert_eq!(count(&guarded, "Select"), 8, "{guarded}");
    let trusted = form(&copy(4, 0), Robustness::Off);
    assert_eq!(count(&trusted, "Select") + count(&trusted, "ArrayLength"), 0, "{trusted}");
}

#[test]
fn a_structured_record_is_two_indices_and_aligned_vectors() {
    // ld_structured r1, vThreadID.x, l(16), t0 with a stride of 32.
    let code = [op(167, &[R1, 1, THREAD_X, LITERAL, 16, T0, 0]), op(166, &[U0, 0, LITERAL, 0, R1_XYZW, 1])];
    let views = [op(162, &[0x0010_7000, 0, 32]), op(157, &[0x0011_e000, 0])];
    let form = form(&shader(&[&views[..], &declarations(), &code[..]].concat()), Robustness::Device);
    assert_eq!((loads_of(&form, "v0"), count(&form, "IMul") + count(&form, "IAdd")), (1, 0), "{form}");
}

/// Group memory of 64 words; a word is stored and loaded at an address.
fn group(address: &[u32]) -> Vec<u8> {
    let mut views = vec![op(157, &[0x0011_e000, 0]), op(159, &[0x0011_f000, 0, 256])];
    views.extend(declarations());
    let mut store = vec![G0_MASK_X, 0];
    store.extend_from_slice(address);
    store.extend([THREAD_X]);
    let mut load = vec![R0_X_MASK, 1];
    load.extend_from_slice(address);
    load.extend([G0_X, 0]);
    views.extend([op(166, &store), op(165, &load), op(166, &[0x0011_e012, 0, LITERAL, 0, 0x0010_000a, 1])]);
    shader(&views)
}

#[test]
fn group_memory_is_guarded_only_where_nothing_proves_the_range() {
    // ishl r0.x, vThreadIDInGroupFlattened, 2 cannot leave 64 words.
    let mut proven = declarations();
    proven.insert(0, op(159, &[0x0011_f000, 0, 256]));
    proven.extend([op(41, &[R0_X_MASK, 0, THREAD_IN_GROUP, LITERAL, 2]), op(166, &[G0_MASK_X, 0, R0_X, 0, THREAD_X])]);
    let proven = form(&shader(&proven), Robustness::Device);
    assert_eq!(count(&proven, "UMin"), 0, "{proven}");
    // Any thread of the grid can: the store is clamped to the spare word, the load gives 0.
    let unknown = form(&group(&[THREAD_X]), Robustness::Device);
    assert!(count(&unknown, "UMin") >= 1 && count(&unknown, "Select") == 1, "{unknown}");
    let trusted = form(&group(&[THREAD_X]), Robustness::Off);
    assert_eq!(count(&trusted, "UMin") + count(&trusted, "Select"), 0, "{trusted}");
    // A constant past the end is known to be 0.
    let past = form(&group(&[LITERAL, 256]), Robustness::Device);
    assert_eq!(count(&past, "Load"), 1, "{past}");
}

#[test]
fn residues_hold_for_every_value_they_stand_for() {
    let values = [0u32, 1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 48, 0xffff_fff0, 0xffff_fffc, u32::MAX];
    let moduli = [1u32, 2, 4, 8, 16];
    let holds = |r: Residue, v: u32| v & (r.modulus - 1) == r.value;
    for &a in &values {
        for &b in &values {
            for &m in &moduli {
                for &n in &moduli {
                    let (x, y) = (Residue::new(m, a), Residue::new(n, b));
                    assert!(holds(x.add(y), a.wrapping_add(b)), "{a} + {b} modulo {m}, {n}");
                    assert!(holds(x.mul(y), a.wrapping_mul(b)), "{a} * {b} modulo {m}, {n}");
                    assert!(holds(x.and(y), a & b), "{a} & {b} modulo {m}, {n}");
                    assert!(holds(x.bits(y, |a, b| a | b), a | b), "{a} | {b} modulo {m}, {n}");
                }
                assert!((0..32).all(|s| holds(Residue::new(m, a).shl(s), a << s)), "{a} shifted, modulo {m}");
            }
        }
    }
}
