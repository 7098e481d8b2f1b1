//! Lines against their tokens; the listings of whole programs are held against Microsoft's elsewhere.

#![allow(clippy::unwrap_used)]

use super::{Text, program_text};
use crate::dxbc::tokens::decode;

/// The lines of a program of a stage and model, without its first.
fn lines(version: u32, body: &[u32], exact: bool) -> Vec<String> {
    let mut words = vec![version, body.len() as u32 + 2];
    words.extend(body);
    let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let text = program_text(Text::new(&decode(&code, 0).unwrap(), exact));
    text.lines().skip(1).map(str::to_owned).collect()
}

const PS_5_0: u32 = 0x50;
const CS_5_0: u32 = 0x5_0050;
const PS_5_1: u32 = 0x51;
const TEMPS: [u32; 2] = [0x0200_0068, 4];

fn after_temps(version: u32, body: &[u32], exact: bool) -> Vec<String> {
    let body = [&TEMPS[..], body].concat();
    lines(version, &body, exact).split_off(1)
}

#[test]
fn literals_are_typed_by_their_instruction() {
    let literal = |op: u32, bits: u32| {
        // op r0.x, r0.x, l(bits); mov without the second operand
        let second: &[u32] = if op == 54 { &[] } else { &[0x0010_000a, 0] };
        let length = 5 + second.len() as u32;
        let body = [&[op | length << 24, 0x0010_0012, 0][..], second, &[0x4001, bits]].concat();
        let line = after_temps(PS_5_0, &body, false).remove(0);
        line.split("l(").nth(1).unwrap().trim_end_matches(')').to_owned()
    };
    const ADD: u32 = 0;
    const IADD: u32 = 30;
    const MOV: u32 = 54;
    assert_eq!(literal(ADD, 0x3f80_0000), "1.000000");
    assert_eq!(literal(ADD, 1), "0.000000");
    assert_eq!(literal(ADD, 0x8000_0000), "-0.000000");
    assert_eq!(literal(ADD, 0x7f80_0000), "1.#INF00");
    assert_eq!(literal(ADD, 0xff80_0000), "-1.#INF00");
    assert_eq!(literal(ADD, 0x7fc0_0000), "1.#QNAN0");
    assert_eq!(literal(IADD, 10_000), "10000");
    assert_eq!(literal(IADD, 10_001), "0x00002711");
    assert_eq!(literal(IADD, u32::MAX), "-1");
    assert_eq!(literal(IADD, 0x3f80_0000), "0x3f800000");
    assert_eq!(literal(MOV, 0), "0");
    assert_eq!(literal(MOV, 7), "7");
    assert_eq!(literal(MOV, 0x3f80_0000), "1.000000");
    assert_eq!(literal(MOV, 0x7fff_ffff), "0x7fffffff");
    assert_eq!(literal(MOV, 0x0001_0000), "0x00010000");
}

#[test]
fn the_exact_form_prints_bits_and_what_means_nothing() {
    let body = [0x0600_0036, 0x0010_0012, 0, 0x4001, 0x3f80_0000, 0x2000];
    assert_eq!(after_temps(PS_5_0, &body, true), ["mov r0.x, l(0x3f800000) {trailing 0x00002000}"]);
    assert_eq!(after_temps(PS_5_0, &body, false), ["mov r0.x, l(1.000000)"]);
    let comment = [0x35, 3, 0x1234];
    assert_eq!(lines(PS_5_0, &comment, true), ["customdata 0 { 0x00001234 }"]);
    assert!(lines(PS_5_0, &comment, false).is_empty());
    // A control bit that `nop` does not have.
    assert_eq!(lines(PS_5_0, &[0x0100_003a | 1 << 11], true), ["nop {controls 0x1}"]);
    assert_eq!(lines(PS_5_0, &[0x0100_003a | 1 << 11], false), ["nop"]);
    // No letters stand for one component, whatever the file.
    let scalar = [0x0500_0036, 0x0010_0012, 0, 0x0010_0001, 1];
    assert_eq!(after_temps(PS_5_0, &scalar, true), ["mov r0.x, r1"]);
}

#[test]
fn blocks_are_indented() {
    let body = [0x0304_001f, 0x0010_000a, 0, 0x0100_003a, 0x0100_0012, 0x0100_003a, 0x0100_0015, 0x0100_003e];
    assert_eq!(after_temps(PS_5_0, &body, false), ["if_nz r0.x", "  nop", "else", "  nop", "endif", "ret"]);
}

#[test]
fn suffixes_in_microsofts_order() {
    let body = [
        // sample_aoffimmi_indexable [precise(x)](-1,0,2)(texture2d)(float,…) r0.x, r0.xyzw, t0.xyzw, s0
        0x8c08_0045,
        0x8000_0001 | 15 << 9 | 2 << 17,
        0x8000_00c2,
        0x0015_5543,
        0x0010_0012,
        0,
        0x0010_0e46,
        0,
        0x0010_7e46,
        0,
        0x0010_6000,
        0,
    ];
    let expected = "sample_aoffimmi_indexable [precise(x)](-1,0,2)(texture2d)(float,float,float,float) \
                    r0.x, r0.xyzw, t0.xyzw, s0";
    assert_eq!(after_temps(PS_5_0, &body, false), [expected]);
    // resinfo_indexable(texture2d)(float,…)_uint, and the same without lists.
    let query = [0x8900_103d, 0x8000_00c2, 0x0015_5543, 0x0010_0012, 0, 0x4001, 0, 0x0010_7e46, 0];
    let expected = "resinfo_indexable(texture2d)(float,float,float,float)_uint r0.x, l(0), t0.xyzw";
    assert_eq!(after_temps(PS_5_0, &query, false), [expected]);
    let query = [0x0700_083d, 0x0010_0012, 0, 0x4001, 0, 0x0010_7e46, 0];
    assert_eq!(after_temps(PS_5_0, &query, false), ["resinfo_rcpFloat r0.x, l(0), t0.xyzw"]);
    assert_eq!(lines(CS_5_0, &[0x0100_00be | 0xf << 11], false), ["sync_uglobal_ugroup_g_t"]);
}

#[test]
fn ranges_of_5_1() {
    let sampler = [0x0600_005a, 0x0030_6e46, 2, 3, u32::MAX, 1];
    assert_eq!(lines(PS_5_1, &sampler, false), ["dcl_sampler S2[3:*], mode_default, space=1"]);
    let texture = [0x0700_1858, 0x0030_7e46, 0, 4, 7, 0x5555, 0];
    let expected = "dcl_resource_texture2d (float,float,float,float) T0[4:7], space=0";
    assert_eq!(lines(PS_5_1, &texture, false), [expected]);
    let buffer = [0x0700_0859, 0x0030_8e46, 1, 2, 2, 16, 3];
    assert_eq!(lines(PS_5_1, &buffer, false), ["dcl_constantbuffer CB1[2:2][16], dynamicIndexed, space=3"]);
}

#[test]
fn precision_as_its_instruction_takes_it() {
    // add r0.x {min16f}, r1.x, |r2.x {min16f}|
    let body = [0x0900_0000, 0x8010_0012, 0x4001, 0, 0x0010_000a, 1, 0x8010_000a, 0x4081, 2];
    let expected = "add r0.x {min16f}, r1.x {def32 as min16f}, |r2.x {min16f}|";
    assert_eq!(after_temps(PS_5_0, &body, false), [expected]);
    assert_eq!(after_temps(PS_5_0, &body, true), ["add r0.x {min16f}, r1.x, |r2.x {min16f}|"]);
}

#[test]
fn access_and_samples() {
    let lines_of = |body: &[u32]| lines(CS_5_0, body, false).remove(0);
    let uav = [0x0400_009c | 3 << 11 | 1 << 16, 0x0011_e000, 2, 0x4444];
    assert_eq!(lines_of(&uav), "dcl_uav_typed_texture2d_glc (uint,uint,uint,uint) u2");
    let counter = [0x0400_009e | 1 << 23, 0x0011_e000, 1, 16];
    assert_eq!(lines_of(&counter), "dcl_uav_structured_opc u1, 16");
    let multisampled = [0x0400_0058 | 4 << 11 | 8 << 16, 0x0010_7000, 0, 0x5555];
    assert_eq!(lines_of(&multisampled), "dcl_resource_texture2dms(8) (float,float,float,float) t0");
}
