//! Token streams built by hand; the expected values follow from the format.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::dxbc::program::{Components, Index, MinPrecision, RegisterFile};

const PS: u32 = 0;
const GS: u32 = 2;
const HS: u32 = 3;
const CS: u32 = 5;

/// A program of a type and model (`0x50` is 5.0).
fn stream(ty: u32, model: u32, items: &[&[u32]]) -> Vec<u8> {
    let body: Vec<u32> = items.concat();
    let mut words = vec![ty << 16 | model, body.len() as u32 + 2];
    words.extend(body);
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn decoded(ty: u32, model: u32, items: &[&[u32]]) -> Program {
    decode(&stream(ty, model, items), 100).unwrap()
}

fn refused(ty: u32, model: u32, items: &[&[u32]]) -> Error {
    decode(&stream(ty, model, items), 100).map(|_| ()).unwrap_err()
}

/// An opcode token of `words` words.
const fn op(opcode: Opcode, words: u32) -> u32 {
    opcode as u32 | words << 24
}

/// A declaration or instruction of these words after its token.
fn item(opcode: Opcode, controls: u32, rest: &[u32]) -> Vec<u32> {
    let mut words = vec![op(opcode, 1 + rest.len() as u32) | controls << 11];
    words.extend(rest);
    words
}

const TEMPS: &[u32] = &[op(Opcode::DclTemps, 2), 4];
const RET: &[u32] = &[op(Opcode::Ret, 1)];
/// `r0.x` written, `r0.x` read, `r0.xyzw` read, `null`, `l(1.0)`.
const R0_X_DST: [u32; 2] = [0x0010_0012, 0];
const R0_X: [u32; 2] = [0x0010_000a, 0];
const R0: [u32; 2] = [0x0010_0e46, 0];
const NULL: u32 = 0x0000_d000;
const ONE: [u32; 2] = [0x0000_4001, 0x3f80_0000];

fn mov(source: &[u32]) -> Vec<u32> {
    item(Opcode::Mov, 0, &[&R0_X_DST[..], source].concat())
}

#[test]
fn a_mov_of_a_literal() {
    let program = decoded(PS, 0x50, &[TEMPS, &mov(&ONE), RET]);
    assert_eq!((program.ty, program.model), (ProgramType::Pixel, (5, 0)));
    assert_eq!(program.declarations.len(), 1);
    assert_eq!(program.extra_of(&program.declarations[0]), [4]);
    assert_eq!(program.instructions.len(), 2);
    let instruction = program.instructions[0];
    // Header of two words, declaration of two, in a chunk at 100.
    assert_eq!((instruction.op, instruction.offset), (Opcode::Mov, 116));
    let operands = program.operands_of(&instruction);
    assert_eq!(operands.len(), 2);
    assert_eq!((operands[0].file, operands[0].components), (RegisterFile::Temp, Components::Mask(1)));
    assert_eq!((operands[1].file, operands[1].components), (RegisterFile::Immediate32, Components::One));
    assert_eq!(operands[1].literal[0], 0x3f80_0000);
}

#[test]
fn modifiers_swizzles_and_relative_indices() {
    // add_sat [precise(y)] r1.xyz, -|v0.xyzx|, cb0[r0.x + 2].yyyy
    let add = [
        op(Opcode::Add, 11) | 1 << 13 | 2 << 19,
        0x0010_0072,
        1,
        0x8010_1246,
        0x0000_00c1,
        0,
        0x0620_8556,
        0,
        2,
        0x0010_000a,
        0,
    ];
    let program = decoded(PS, 0x40, &[TEMPS, &add, RET]);
    let instruction = program.instructions[0];
    assert!(instruction.saturate);
    assert_eq!(instruction.precise, 2);
    let operands = program.operands_of(&instruction);
    assert_eq!(operands[0].components, Components::Mask(0b0111));
    assert_eq!(operands[0].index[0], Index::constant(1));
    let input = operands[1];
    assert!(input.neg && input.abs);
    assert_eq!(input.components, Components::Swizzle(0b0010_0100));
    assert_eq!([0, 1, 2, 3].map(|lane| input.components.source(lane)), [0, 1, 2, 0]);
    let constant = operands[2];
    assert_eq!((constant.file, constant.index_count), (RegisterFile::ConstantBuffer, 2));
    assert_eq!(constant.index[1].parts().0, 2);
    let relative = program.operand(constant.index[1].register().unwrap());
    assert_eq!((relative.file, relative.components), (RegisterFile::Temp, Components::Select(0)));
}

#[test]
fn extended_tokens_carry_offsets_dimension_and_return_types() {
    // sample_aoffimmi_indexable(-8,7,-1)(texture2d)(float,...) r0.x, r0.xyzw, t0.xyzw, s0
    let offsets = 1 | 8 << 9 | 7 << 13 | 15 << 17;
    let sample = [
        op(Opcode::Sample, 12) | 1 << 31,
        offsets | 1 << 31,
        2 | 3 << 6 | 1 << 31,
        3 | 0x5555 << 6,
        0x0010_0012,
        0,
        0x0010_0e46,
        0,
        0x0010_7e46,
        0,
        0x0010_6000,
        0,
    ];
    let program = decoded(PS, 0x50, &[TEMPS, &sample, RET]);
    let instruction = program.instructions[0];
    assert_eq!((instruction.offsets, instruction.has_offsets), ([-8, 7, -1], true));
    assert_eq!(instruction.dim, ResourceDim::Texture2D);
    assert_eq!(instruction.returns, ReturnTypes(0x5555));
    assert_eq!([0, 3].map(|c| instruction.returns.of(c)), [5, 5]);
}

#[test]
fn a_structured_view_carries_its_stride() {
    // ld_structured_indexable(structured_buffer, stride=52)(mixed,...) r0.x, r0.x, l(0), t0.xxxx
    let load = [
        op(Opcode::LdStructured, 11) | 1 << 31,
        2 | 12 << 6 | 52 << 11 | 1 << 31,
        3 | 0x6666 << 6,
        0x0010_0012,
        0,
        0x0010_000a,
        0,
        0x0000_4001,
        0,
        0x0010_7006,
        0,
    ];
    let program = decoded(CS, 0x50, &[TEMPS, &load, RET]);
    assert_eq!((program.instructions[0].dim, program.instructions[0].stride), (ResourceDim::StructuredBuffer, 52));
}

#[test]
fn wide_indices_count_when_they_fit() {
    // cb0 with a 64-bit element index; the high half comes first.
    let source = |high| [0x0220_8556u32, 0, high, 7];
    let program = decoded(PS, 0x40, &[TEMPS, &mov(&source(0)), RET]);
    assert_eq!(program.operands_of(&program.instructions[0])[1].index[1].as_constant(), Some(7));
    assert_eq!(refused(PS, 0x40, &[TEMPS, &mov(&source(1)), RET]).code, ledger::BAD_OPERAND);
}

#[test]
fn relative_operands_nest_up_to_a_limit() {
    // cb0[cb0[…[r0.x]…]]: each level is a token, the slot, and the next level.
    let nested = |levels: usize| {
        let mut words = Vec::new();
        for level in 0..levels {
            words.extend([if level == 0 { 0x0420_8556 } else { 0x0420_800a }, 0]);
        }
        words.extend(R0_X);
        words
    };
    assert_eq!(decoded(PS, 0x40, &[TEMPS, &mov(&nested(4)), RET]).operands.len(), 6);
    assert_eq!(refused(PS, 0x40, &[TEMPS, &mov(&nested(5)), RET]).code, ledger::BAD_OPERAND);
}

#[test]
fn doubles_are_two_words_a_component() {
    // dmov r0.xy, d(1.0, 2.0): low halves first.
    let source = [0x0000_5002u32, 0, 0x3ff0_0000, 0, 0x4000_0000];
    let dmov = item(Opcode::Dmov, 0, &[&[0x0010_0032, 0][..], &source].concat());
    let program = decoded(PS, 0x50, &[TEMPS, &dmov, RET]);
    let literal = program.operands_of(&program.instructions[0])[1];
    assert_eq!(literal.literal, [0, 0x3ff0_0000, 0, 0x4000_0000]);
    assert_eq!(literal.components, Components::Swizzle(0xe4));
}

#[test]
fn minimum_precision_and_non_uniform_indices() {
    let source = [0x8010_0e46u32, 1 | 5 << 14 | 1 << 17, 0];
    let program = decoded(PS, 0x50, &[TEMPS, &mov(&source), RET]);
    let operand = program.operands_of(&program.instructions[0])[1];
    assert_eq!(operand.min_precision, MinPrecision::Uint16);
    assert!(operand.nonuniform && !operand.neg && !operand.abs);
}

#[test]
fn resources_of_5_1_name_a_range() {
    // dcl_constantbuffer CB1[2:5][8], immediateIndexed, space=3
    let dcl = item(Opcode::DclConstantBuffer, 0, &[0x0030_8e46, 1, 2, 5, 8, 3]);
    // mov r0.x, CB1[2][7].x
    let source = [0x0030_800au32, 1, 2, 7];
    let program = decoded(PS, 0x51, &[&dcl, TEMPS, &mov(&source), RET]);
    assert_eq!(program.extra_of(&program.declarations[0]), [8, 3]);
    assert_eq!(
        program.operands_of_declaration(&program.declarations[0])[0].index.map(|i| i.as_constant()),
        [1, 2, 5].map(Some)
    );
    assert_eq!(program.operands_of(&program.instructions[0])[1].index.map(|i| i.as_constant()), [1, 2, 7].map(Some));
    // The same operand is not one of 5.0, and the other way round.
    assert_eq!(refused(PS, 0x50, &[TEMPS, &mov(&source), RET]).code, ledger::BAD_OPERAND);
    assert_eq!(refused(PS, 0x51, &[TEMPS, &mov(&[0x0020_800a, 0, 0]), RET]).code, ledger::BAD_OPERAND);
    // A range that ends before it begins.
    let dcl = item(Opcode::DclConstantBuffer, 0, &[0x0030_8e46, 1, 5, 2, 8, 3]);
    assert_eq!(refused(PS, 0x51, &[&dcl, RET]).code, ledger::BAD_OPERAND);
}

#[test]
fn declarations_know_the_instructions_before_them() {
    let phase = [op(Opcode::HsForkPhase, 1)];
    let items: &[&[u32]] = &[&phase, TEMPS, &mov(&ONE), RET, &phase, TEMPS, RET];
    let program = decoded(HS, 0x50, items);
    let before: Vec<_> = program.declarations.iter().map(|d| (d.op, d.before)).collect();
    let fork = Opcode::HsForkPhase;
    assert_eq!(before, [(fork, 0), (Opcode::DclTemps, 0), (fork, 2), (Opcode::DclTemps, 2)]);
}

#[test]
fn temporaries_are_declared_per_phase() {
    let phase = [op(Opcode::HsForkPhase, 1)];
    let error = refused(HS, 0x50, &[&phase, TEMPS, RET, &phase, &mov(&ONE), RET]);
    assert_eq!(error.code, ledger::BAD_OPERAND);
    assert_eq!((error.place.instruction, error.place.mnemonic), (Some(1), Some("mov")));
    assert_eq!(error.place.offset, Some(100 + 4 * 7));
}

#[test]
fn indexable_temporaries_have_their_declared_size() {
    let dcl = item(Opcode::DclIndexableTemp, 0, &[1, 3, 4]);
    let read = |register, element| mov(&[0x0020_300a, register, element]);
    let with = |source: &[u32]| decode(&stream(PS, 0x40, &[TEMPS, &dcl, source, RET]), 0).map(|_| ());
    assert!(with(&read(1, 2)).is_ok());
    for (register, element) in [(1, 3), (0, 0), (2, 0), (u32::MAX, 0)] {
        assert_eq!(with(&read(register, element)).unwrap_err().code, ledger::BAD_OPERAND, "x{register}[{element}]");
    }
    assert_eq!(refused(PS, 0x40, &[&dcl, &dcl, RET]).code, ledger::BAD_TOKENS);
}

#[test]
fn custom_data_keeps_its_words() {
    let comment = [Opcode::CustomData as u32, 4, 7, 8];
    let table = [Opcode::CustomData as u32 | 3 << 11, 6, 1, 2, 3, 4];
    let program = decoded(PS, 0x40, &[&comment, &table, RET]);
    assert_eq!(program.declarations.iter().map(|d| d.controls).collect::<Vec<_>>(), [0, 3]);
    assert_eq!(program.extra_of(&program.declarations[0]), [7, 8]);
    assert_eq!(program.extra_of(&program.declarations[1]), [1, 2, 3, 4]);
    let ragged = [Opcode::CustomData as u32 | 3 << 11, 5, 1, 2, 3];
    for items in [&[&table[..], &table, RET][..], &[&ragged, RET]] {
        assert_eq!(refused(PS, 0x40, items).code, ledger::BAD_TOKENS);
    }
}

#[test]
fn messages_have_operands_and_a_text() {
    let text = u32::from_le_bytes(*b"%u\0\0");
    let message = |characters, operands, length| {
        let head = [Opcode::CustomData as u32 | 4 << 11, 10, 0x20_0102, 1, characters, operands, length];
        [&head[..], &R0_X, &[text]].concat()
    };
    let program = decoded(PS, 0x50, &[TEMPS, &message(2, 1, 2), RET]);
    let declaration = program.declarations[1];
    assert_eq!(program.operands_of_declaration(&declaration)[0].file, RegisterFile::Temp);
    for (characters, operands, length) in [(4, 1, 2), (2, 2, 2), (2, 0, 2), (2, 1, 4), (2, u32::MAX, u32::MAX)] {
        let error = refused(PS, 0x50, &[TEMPS, &message(characters, operands, length), RET]);
        assert_eq!((error.code, error.place.instruction), (ledger::BAD_TOKENS, Some(1)));
    }
}

#[test]
fn a_word_too_many_is_kept_and_many_are_refused() {
    let longer = |n: usize| mov(&[&ONE[..], &vec![9; n]].concat());
    assert_eq!(decoded(PS, 0x50, &[TEMPS, RET, &longer(1)]).trailing, [(1, 9)]);
    assert_eq!(refused(PS, 0x50, &[TEMPS, &longer(4), RET]).code, ledger::BAD_TOKENS);
}

#[test]
fn fcall_has_its_call_site() {
    let interface = item(Opcode::DclInterface, 0, &[0, 2, 1 << 16 | 1, 7]);
    let fcall = item(Opcode::Fcall, 0, &[1, 0x0021_3000, 0, 0]);
    let program = decoded(PS, 0x50, &[&interface, &fcall, RET]);
    assert_eq!(program.instructions[0].extra, 1);
    assert_eq!(program.extra_of(&program.declarations[0]), [0, 2, 1 << 16 | 1, 7]);
    let short = item(Opcode::DclInterface, 0, &[0, 2, 1 << 16 | 2, 7]);
    assert_eq!(refused(PS, 0x50, &[&short, RET]).code, ledger::BAD_TOKENS);
}

#[test]
fn malformed_streams() {
    let tokens: &[&[u32]] = &[
        &[0],
        &[op(Opcode::Ret, 2)],
        &[107 | 1 << 24],
        &[0x7ff | 1 << 24],
        &[Opcode::CustomData as u32, 1],
        &[Opcode::CustomData as u32, u32::MAX],
        &[op(Opcode::Mov, 1)],
        &[op(Opcode::Emit, 1)],
        &[op(Opcode::Ret, 2) | 1 << 31, 4],
        &[op(Opcode::DclTemps, 1)],
        &[op(Opcode::DclTemps, 3), 1, 1],
        &[op(Opcode::DclGlobalFlags, 1) | 1 << 31],
        &[op(Opcode::DclResource, 4) | 11 << 11, 0x0010_7000, 0, 0x5555],
        &[op(Opcode::DclResource, 4) | 3 << 11, 0x0010_7000, 0, 0],
        &[op(Opcode::DclResource, 4) | 3 << 11, 0x0010_7000, 0, 0x1_5555],
        &[op(Opcode::DclInputSgv, 4), 0x0010_1012, 0, 23],
        &[op(Opcode::DclUavTyped, 4) | 6 << 11, 0x0011_e000, 0, 0x5555],
    ];
    for item in tokens {
        assert_eq!(refused(PS, 0x50, &[TEMPS, item]).code, ledger::BAD_TOKENS, "{item:x?}");
    }
    assert_eq!(decode(&[0x50, 0, 0, 0], 0).unwrap_err().code, ledger::BAD_TOKENS);
    assert_eq!(decode(&stream(6, 0x50, &[]), 0).unwrap_err().code, ledger::BAD_TOKENS);
    for model in [0x30, 0x42, 0x52, 0x60, 0] {
        let error = decode(&stream(PS, model, &[RET]), 0).unwrap_err();
        assert_eq!((error.code, error.kind), (ledger::SHADER_MODEL, crate::ErrorKind::Refused));
    }
}

#[test]
fn malformed_operands() {
    let sources: &[&[u32]] = &[
        &[0x0010_0e46, 4],                 // r4 of four
        &[0x0010_0e4e, 0],                 // selection mode 3
        &[0x0010_0e47, 0],                 // more than four components
        &[0x0012_b000, 0],                 // file 43
        &[0x0000_0e46],                    // a temporary without a number
        &[0x0020_0e46, 0, 0],              // a temporary with two
        &[0x0090_0e46, 0x0010_000a, 0],    // r[r0.x]
        &[0x0010_4001, 0, 0],              // a literal with an index
        &[0x0000_4000],                    // a literal without components
        &[NULL],                           // null read
        &[0x0010_0012, 0],                 // a mask on a source
        &[0x0010_7e46, 0],                 // a resource as a value
        &[0x0010_1e46, 32],                // v32
        &[0x0020_8e46, 16, 0],             // cb16
        &[0x0420_8e46, 0, 0x0000_4001, 0], // cb0[l(0)]
        &[0x0420_8e46, 0, 0x0010_0e46, 0], // cb0[r0.xyzw]
        &[0x0160_8e46, 0x0010_000a, 0, 0], // index representation 5
        &[0x8010_0e46, 4 << 6 | 1, 0],     // modifier 4
        &[0x8010_0e46, 3 << 14 | 1, 0],    // precision 3
        &[0x8010_0e46, 2, 0],              // extended operand token of type 2
    ];
    for source in sources {
        let error = refused(PS, 0x50, &[TEMPS, &mov(source), RET]);
        assert_eq!(error.code, ledger::BAD_OPERAND, "{source:x?}: {error}");
        assert_eq!((error.place.instruction, error.place.offset), (Some(0), Some(116)));
    }
    let destinations: &[&[u32]] = &[
        &[0x0010_0002, 0],       // an empty mask
        &[0x0010_0e46, 0],       // a swizzle
        &[0x0010_1012, 0],       // an input
        &[0x0000_4001, 0],       // a literal
        &[0x8010_0012, 0x41, 0], // a sign
    ];
    for destination in destinations {
        let mov = item(Opcode::Mov, 0, &[destination, &R0[..]].concat());
        assert_eq!(refused(PS, 0x50, &[TEMPS, &mov, RET]).code, ledger::BAD_OPERAND, "{destination:x?}");
    }
}

#[test]
fn limits_of_declared_sizes() {
    use Opcode::*;
    const UAV: u32 = 0x0011_e000;
    const SHARED: u32 = 0x0011_f000;
    /// Stage, opcode, words within the limit, words past it.
    type Case = (u32, Opcode, &'static [u32], &'static [u32]);
    let cases: &[Case] = &[
        (PS, DclTemps, &[4096], &[4097]),
        (PS, DclIndexableTemp, &[0, 4096, 4], &[0, 4097, 4]),
        (PS, DclIndexableTemp, &[4095, 1, 4], &[4096, 1, 4]),
        (PS, DclIndexableTemp, &[0, 1, 1], &[0, 0, 1]),
        (PS, DclIndexableTemp, &[0, 1, 4], &[0, 1, 5]),
        (PS, DclConstantBuffer, &[0x0020_8e46, 13, 4096], &[0x0020_8e46, 13, 4097]),
        (PS, DclConstantBuffer, &[0x0020_8e46, 15, 1], &[0x0020_8e46, 16, 1]),
        (PS, DclSampler, &[0x0010_6000, 15], &[0x0010_6000, 16]),
        (PS, DclResourceRaw, &[0x0010_7000, 127], &[0x0010_7000, 128]),
        (PS, DclUavRaw, &[UAV, 63], &[UAV, 64]),
        (PS, DclUavStructured, &[UAV, 0, 2048], &[UAV, 0, 2052]),
        (CS, DclTgsmRaw, &[SHARED, 0, 32768], &[SHARED, 0, 32772]),
        (CS, DclTgsmStructured, &[SHARED, 0, 16, 2048], &[SHARED, 0, 16, 2049]),
        (CS, DclTgsmStructured, &[SHARED, 0, 4, 1], &[SHARED, 0, 32768, u32::MAX]),
        (CS, DclThreadGroup, &[1024, 1, 1], &[1025, 1, 1]),
        (CS, DclThreadGroup, &[16, 1, 64], &[1, 1, 65]),
        (CS, DclThreadGroup, &[32, 32, 1], &[32, 33, 1]),
        (CS, DclThreadGroup, &[1, 1, 1], &[1, 0, 1]),
        (GS, DclMaxOutputVertexCount, &[1024], &[1025]),
        (GS, DclGsInstanceCount, &[32], &[33]),
        (HS, DclHsMaxTessfactor, &[0x4280_0000], &[0x4280_0001]),
        (HS, DclHsMaxTessfactor, &[0x3f80_0000], &[0x7fc0_0000]),
        (HS, DclHsForkPhaseInstanceCount, &[1], &[0]),
        (PS, DclIndexRange, &[0x0010_1012, 30, 2], &[0x0010_1012, 30, 3]),
    ];
    for (stage, opcode, within, past) in cases {
        let decode = |words: &[u32]| decode(&stream(*stage, 0x50, &[&item(*opcode, 0, words)]), 0).map(|_| ());
        decode(within).unwrap();
        assert_eq!(decode(past).unwrap_err().code, ledger::LIMIT, "{opcode:?} {past:?}");
    }
}

#[test]
fn temporaries_share_one_limit() {
    let plain = item(Opcode::DclTemps, 0, &[4000]);
    let array = |n| item(Opcode::DclIndexableTemp, 0, &[0, n, 4]);
    assert!(decode(&stream(PS, 0x40, &[&plain, &array(96)]), 0).is_ok());
    assert_eq!(refused(PS, 0x40, &[&plain, &array(97)]).code, ledger::LIMIT);
    assert_eq!(refused(PS, 0x40, &[&array(97), &plain]).code, ledger::LIMIT);
}

#[test]
fn group_shared_memory_adds_up() {
    let raw = |register, bytes| item(Opcode::DclTgsmRaw, 0, &[0x0011_f000, register, bytes]);
    assert!(decode(&stream(CS, 0x50, &[&raw(0, 16384), &raw(1, 16384)]), 0).is_ok());
    assert_eq!(refused(CS, 0x50, &[&raw(0, 16384), &raw(1, 16388)]).code, ledger::LIMIT);
}

#[test]
fn control_flow_is_balanced() {
    use Opcode::*;
    let r = |op| item(op, 0, &R0_X);
    let n = |op| item(op, 0, &[]);
    let case = item(Case, 0, &[0x0000_4001, 3]);
    let good: &[&[Vec<u32>]] = &[
        &[r(If), n(Else), n(EndIf)],
        &[n(Loop), r(Breakc), r(Continuec), n(Continue), n(Break), n(EndLoop)],
        &[r(Switch), case.clone(), n(Default), n(Break), n(EndSwitch)],
        &[r(Switch), n(EndSwitch)],
        &[n(Loop), r(Switch), case.clone(), n(Continue), n(EndSwitch), n(EndLoop)],
    ];
    for items in good {
        let items: Vec<&[u32]> = std::iter::once(TEMPS).chain(items.iter().map(Vec::as_slice)).collect();
        decode(&stream(PS, 0x50, &items), 0).unwrap();
    }
    let bad: &[&[Vec<u32>]] = &[
        &[r(If)],
        &[n(Loop)],
        &[r(Switch)],
        &[n(Else)],
        &[n(EndIf)],
        &[n(EndLoop)],
        &[n(EndSwitch)],
        &[n(Break)],
        &[r(Continuec)],
        std::slice::from_ref(&case),
        &[r(If), n(Else), n(Else), n(EndIf)],
        &[r(If), n(EndLoop)],
        &[n(Loop), r(If), n(EndLoop), n(EndIf)],
        &[r(Switch), n(Nop), case.clone(), n(EndSwitch)],
        &[r(Switch), case.clone(), r(If), n(Default), n(EndIf), n(EndSwitch)],
        &[r(Switch), case.clone(), n(Continue), n(EndSwitch)],
        &[r(If), item(Label, 0, &[0x0010_a000, 0])],
    ];
    for items in bad {
        let items: Vec<&[u32]> = std::iter::once(TEMPS).chain(items.iter().map(Vec::as_slice)).collect();
        assert_eq!(refused(PS, 0x50, &items).code, ledger::BAD_NESTING, "{items:x?}");
    }
    let phases: &[&[u32]] = &[&[op(HsForkPhase, 1)], &[op(Loop, 1)], &[op(HsJoinPhase, 1)], &[op(EndLoop, 1)]];
    assert_eq!(refused(HS, 0x50, phases).code, ledger::BAD_NESTING);
    assert_eq!(refused(PS, 0x50, &[TEMPS, &r(Switch), &item(Case, 0, &R0_X)]).code, ledger::BAD_OPERAND);
}

#[test]
fn control_flow_has_a_depth_limit() {
    let nested = |depth: usize| {
        let open = [op(Opcode::Loop, 1)].repeat(depth);
        stream(PS, 0x50, &[&open, &[op(Opcode::EndLoop, 1)].repeat(depth)])
    };
    assert!(decode(&nested(64), 0).is_ok());
    assert_eq!(decode(&nested(65), 0).unwrap_err().code, ledger::LIMIT);
}

#[test]
fn every_truncation_is_an_error() {
    let code = stream(PS, 0x50, &[TEMPS, &mov(&ONE), &item(Opcode::If, 0, &R0_X), &[op(Opcode::EndIf, 1)], RET]);
    for n in 0..code.len() {
        assert!(decode(&code[..n], 0).is_err(), "{n}");
    }
}

#[test]
fn memory_stays_within_its_multiple() {
    let used = |code: &[u8]| {
        let program = decode(code, 0).unwrap();
        program.operands.capacity() * size_of::<Operand>()
            + program.instructions.capacity() * size_of::<Instruction>()
            + program.declarations.capacity() * size_of::<Declaration>()
            + program.extra.capacity() * 4
            + program.trailing.capacity() * 8
    };
    // The two densest streams: instructions of one word, and operands of one word.
    let nops = [op(Opcode::Nop, 1)].repeat(4000);
    let nulls = [op(Opcode::Udiv, 7), NULL, NULL, R0[0], 0, R0[0], 0].repeat(1000);
    for items in [&[TEMPS, &nops[..]], &[TEMPS, &nulls[..]]] {
        let code = stream(PS, 0x50, items);
        assert!(used(&code) <= 24 * code.len(), "{} of {}", used(&code), code.len());
    }
}
