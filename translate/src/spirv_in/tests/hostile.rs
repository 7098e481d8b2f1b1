//! Broken, cut and hostile modules: an error or an interface, in little time and memory.

use super::super::testing::assemble;
use super::{bound, compute, read_interface};
use crate::error::ErrorKind;
use crate::ledger;
use std::time::{Duration, Instant};

/// A module that has a bit of everything that the reader looks at.
fn rich() -> Vec<u32> {
    let decorations = format!(
        "OpName %v \"buffer\"
        OpName %block \"Block\"
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 1 Offset 4
        OpDecorate %array ArrayStride 4
        OpDecorate %in BuiltIn GlobalInvocationId
        OpDecorate %group NonWritable
        %group = OpDecorationGroup
        OpGroupDecorate %group %im
        {}{}",
        bound("%v", 0),
        bound("%im", 1)
    );
    let globals = "
        %array = OpTypeRuntimeArray %u32
        %block = OpTypeStruct %u32 %array
        %p = OpTypePointer StorageBuffer %block
        %pu = OpTypePointer StorageBuffer %u32
        %pi = OpTypePointer Input %v3u
        %t = OpTypeImage %f32 2D 0 0 0 2 Rgba8
        %n = OpSpecConstant %u32 3
        %m = OpSpecConstantOp %u32 IAdd %n %c1
        %ts = OpTypeArray %t %m
        %pt = OpTypePointer UniformConstant %t
        %pts = OpTypePointer UniformConstant %ts
        %v = OpVariable %p StorageBuffer
        %im = OpVariable %pts UniformConstant
        %in = OpVariable %pi Input
        %helper = OpTypeFunction %void %pu
        %f = OpFunction %void None %helper
        %a = OpFunctionParameter %pu
        %l = OpLabel
        OpStore %a %c1
        OpReturn
        OpFunctionEnd";
    let body = "
        %x = OpAccessChain %pu %v %c1 %c0
        %r = OpFunctionCall %void %f %x
        %len = OpArrayLength %u32 %v 1
        %e = OpAccessChain %pt %im %c2
        %i = OpLoad %t %e
        %px = OpImageRead %v4f %i %o2u";
    assemble(&compute(&decorations, globals, body).replace("\"main\"", "\"main\" %in %v"))
}

#[test]
fn every_cut_is_an_error_or_an_interface() {
    let words = rich();
    assert!(read_interface(&words, None).is_ok());
    for len in 0..words.len() {
        // A module cut between two functions may be whole; anything else is malformed.
        if let Err(error) = read_interface(&words[..len], None) {
            assert_ne!(error.kind, ErrorKind::Internal, "cut at {len}: {error}");
        }
    }
}

#[test]
fn every_changed_byte_is_an_error_or_an_interface() {
    let words = rich();
    for at in 0..words.len() {
        for byte in 0..4 {
            for value in [0x00u32, 0x01, 0x7F, 0x80, 0xFF] {
                let mut changed = words.clone();
                changed[at] = changed[at] & !(0xFF << (byte * 8)) | value << (byte * 8);
                if let Err(error) = read_interface(&changed, None) {
                    assert_ne!(error.kind, ErrorKind::Internal, "word {at}: {error}");
                }
            }
        }
    }
}

#[test]
fn every_word_may_be_any_id() {
    let words = rich();
    let bound = words[3];
    for at in 5..words.len() {
        for value in 0..=bound {
            let mut changed = words.clone();
            changed[at] = value;
            let _ = read_interface(&changed, None);
        }
    }
}

#[test]
fn bad_ids_and_layouts_have_their_codes() {
    let code = |change: fn(&mut Vec<u32>)| {
        let mut words = rich();
        change(&mut words);
        read_interface(&words, None).unwrap_err().code
    };
    assert_eq!(code(|w| w[3] = 5), ledger::SPIRV_ID);
    assert_eq!(code(|w| w[3] = 0), ledger::SPIRV_ID);
    assert_eq!(code(|w| w[3] = u32::MAX), ledger::SPIRV_ID);
    assert_eq!(code(|w| w[3] = 2_000_000), ledger::SPIRV_SPARSE);
    assert_eq!(code(|w| w[5] &= 0xFFFF), ledger::SPIRV_CODE);
    assert_eq!(code(|w| w[1] = 0x0002_0000), ledger::NOT_SPIRV);
    // The last OpFunctionEnd becomes OpNop.
    assert_eq!(code(|w| *w.last_mut().unwrap() = 1 << 16), ledger::SPIRV_LAYOUT);
    // OpMemoryModel (three words, after the capability's two) becomes three OpNops.
    assert_eq!(code(|w| w[7..10].fill(1 << 16)), ledger::SPIRV_LAYOUT);
}

/// Reads a hostile module and holds it against the clock: ten times what the slowest test machine takes.
fn quick(text: &str) {
    let words = assemble(text);
    let start = Instant::now();
    let _ = read_interface(&words, None);
    assert!(start.elapsed() < Duration::from_secs(5), "{} words took {:?}", words.len(), start.elapsed());
}

/// Types nested so that a walk of all paths would take 2^200 steps.
#[test]
fn a_tree_of_types_that_is_a_graph_is_walked_once() {
    let mut globals = String::from("%s0 = OpTypeStruct %f32 %f32\n");
    for i in 1..200 {
        globals += &format!("%s{i} = OpTypeStruct %s{} %s{}\n", i - 1, i - 1);
    }
    globals += "
        %p = OpTypePointer Uniform %s199
        %v = OpVariable %p Uniform
        %pi = OpTypePointer Input %s199
        %in = OpVariable %pi Input";
    let text = compute(&format!("OpDecorate %s199 Block\n{}", bound("%v", 0)), &globals, "");
    quick(&text);
    quick(&text.replace("\"main\"", "\"main\" %in"));
}

#[test]
fn types_that_hold_themselves_end() {
    let globals = "
        %a = OpTypeStruct %b
        %b = OpTypeStruct %a %b
        %x = OpTypeArray %y %c2
        %y = OpTypeArray %x %c2
        %p = OpTypePointer Uniform %b
        %q = OpTypePointer Uniform %y
        %v = OpVariable %p Uniform
        %w = OpVariable %q Uniform";
    quick(&compute(&format!("OpDecorate %b Block\n{}{}", bound("%v", 0), bound("%w", 1)), globals, ""));
}

#[test]
fn inputs_past_all_limits_are_an_error() {
    let globals = "
        %n = OpConstant %u32 4000000000
        %a = OpTypeArray %f32 %n
        %p = OpTypePointer Input %a
        %in = OpVariable %p Input";
    let text = super::module("Vertex", "OpDecorate %in Location 0", globals, "");
    let error = super::read(&text.replace("\"main\"", "\"main\" %in")).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::SPIRV_INTERFACE, ErrorKind::Malformed));
}

/// A long chain of functions, each giving its parameter to the next, the last one storing.
#[test]
fn long_chains_of_calls_flow_back() {
    let mut globals = String::from(
        "%array = OpTypeRuntimeArray %u32
        %block = OpTypeStruct %array
        %p = OpTypePointer StorageBuffer %block
        %pu = OpTypePointer StorageBuffer %u32
        %v = OpVariable %p StorageBuffer
        %helper = OpTypeFunction %void %pu\n",
    );
    for i in 0..2000 {
        let step = if i == 1999 {
            String::from("OpStore %a1999 %c1")
        } else {
            format!("%r{i} = OpFunctionCall %void %g{} %a{i}", i + 1)
        };
        globals += &format!(
            "%g{i} = OpFunction %void None %helper\n%a{i} = OpFunctionParameter %pu\n%l{i} = OpLabel\n{step}\nOpReturn\nOpFunctionEnd\n"
        );
    }
    let body = "%x = OpAccessChain %pu %v %c0 %c0\n%r = OpFunctionCall %void %g0 %x";
    let words = assemble(&compute(&format!("OpDecorate %block Block\n{}", bound("%v", 0)), &globals, body));
    let interface = read_interface(&words, None).unwrap();
    assert_eq!(interface.resources[0].access, crate::interface::Access::Write);
}
