//! Text that cannot be taken: code, place, and what was expected.

use super::assemble;
use crate::{Code, ErrorKind, ledger};

/// Holds the error of a program against a code, a place (line 3 is the first after `dcl_temps 4`), and a part of its text.
fn fails(line: &str, code: Code, place: (u32, u32), what: &str) {
    let error = assemble(&format!("ps_5_0\ndcl_temps 4\n{line}\n")).unwrap_err();
    assert_eq!(
        (error.code, error.kind, error.place.line),
        (code, ErrorKind::Malformed, Some(place)),
        "{line}: {error}"
    );
    assert!(error.what.contains(what), "{line}: {error}");
    assert_eq!(error.place.offset, None);
}

#[test]
fn what_was_expected() {
    let fails = |line, column, what| fails(line, ledger::ASM_SYNTAX, (3, column), what);
    fails("add r0.x, r1.x", 15, "expected `,` and operand 3 of 3, found the end of the line");
    fails("add r0.x r1.x, r2.x", 10, "expected `,` and operand 2 of 3, found `r1.x`");
    fails("ret r0.x", 5, "expected the end of the line, found `r0.x`");
    fails("mov r0.x, ", 11, "expected a register or a literal");
    fails("mov r0.x, cb0[", 15, "expected a register or a literal, found the end of the line");
    fails("mov r0.x, cb0[0", 16, "expected `]`");
    fails("mov r0.x, |r1.x", 16, "expected `|`");
    fails("mov r0.x, l(1", 14, "expected `)`");
    fails("mov r0.x, l(1,2)", 11, "one number or four");
    fails("mov r0.x, l()", 13, "expected a number, found `)`");
    fails("mov r0.q, r1.x", 8, "`q` is no selection");
    fails("mov r0.yx, r1.x", 7, "in the order xyzw");
    fails("mov r0.x, r1.xyzwx", 14, "`xyzwx` is no selection");
    fails("if r0.x", 1, "write `if_z` or `if_nz`");
    fails("mov r0.x, r1.x {controls}", 25, "expected control bits, found `}`");
    fails("mov r0.x, r1.x {mask yx}", 22, "expected the letters of a mask");
    fails("dcl_constantbuffer cb0, immediateIndexed", 23, "expected `[`");
    fails("dcl_temps", 10, "expected a number, found the end of the line");
    fails("dcl_temps 1 {trailing 1}", 14, "expected `controls`");
    fails("dcl_immediateConstantBuffer { { 1, 2, 3} }", 40, "expected `,`, found `}`");
    fails("printf \"text", 9, "without a closing quote");
    fails("=", 1, "expected a mnemonic, found `=`");
    fails("mov [imprecise] r0.x, r1.x", 6, "expected `precise`");
}

#[test]
fn names_that_are_none() {
    let fails = |line, column, what| fails(line, ledger::ASM_NAME, (3, column), what);
    fails("frob r0.x", 1, "`frob` is no mnemonic");
    fails("  mul_nz r0.x, r1.x, r2.x", 3, "`mul` has no suffix `_nz`");
    fails("mov q0.x, r1.x", 5, "`q` is no register");
    fails("mov l0.x, r1.x", 5, "`l` is no register");
    fails("mov r0.x, r1.x {min16}", 17, "`min16` says nothing of an operand");
    fails("dcl_sampler s0, mode_none", 17, "`mode_none` where one of mode_default, mode_comparison, mode_mono is due");
    fails("dcl_resource_texture4d (float,float,float,float) t0", 1, "`texture4d` is no dimension");
    fails("dcl_resource_texture2d (float,half,float,float) t0", 31, "`half` where a return type is due");
    fails("dcl_input_ps_siv linear v0.xyzw, place", 34, "`place` where a system value is due");
    fails(".inptus ISGN", 2, "`inptus` is no directive");
    let error = assemble("ps_6_0\nret").unwrap_err();
    assert_eq!((error.code, error.place.line), (ledger::ASM_NAME, Some((1, 1))));
}

#[test]
fn numbers_that_do_not_fit() {
    let fails = |line, column, what| fails(line, ledger::ASM_VALUE, (3, column), what);
    fails("iadd r0.x, r0.x, l(1.5)", 20, "an integer is due");
    fails("mov r0.x, l(0x100000000)", 13, "past 32 bits");
    fails("mov r4294967296.x, r0.x", 6, "past 32 bits");
    fails("ld_aoffimmi(8,0,0) r0.x, r0.xyzw, t0.xyzw", 13, "an offset of 8, where -8 to 7 can be");
    fails("nop {controls 0x2000}", 15, "past 0x1fff");
    fails("dcl_resource_texture2dms(128) (float,float,float,float) t0", 26, "at most 127");
    fails("mov r0.x, cb0[cb0[cb0[cb0[cb0[cb0[0].x].x].x].x].x].x", 31, "nested deeper");
    let table: Vec<_> = (0..200).map(|body| format!("fb{body}")).collect();
    fails(&format!("dcl_function_table ft0 = {{{}}}", table.join(",")), 1, "203 words");
}

/// What the decoder holds against the words comes back with the line that they are from.
#[test]
fn the_decoders_word() {
    fails("mov r9.x, r0.x", ledger::BAD_OPERAND, (3, 1), "r9 where 4 temporaries are declared");
    fails("ret\n  emit", ledger::BAD_TOKENS, (4, 3), "not for Pixel shaders");
    fails("if_nz r0.x\n\n  break\nendif", ledger::BAD_NESTING, (5, 3), "outside any `loop`");
    fails("loop\nnop // still open", ledger::BAD_NESTING, (4, 18), "a `loop` is still open");
    fails("dcl_temps 5000", ledger::LIMIT, (3, 1), "temporaries");
    let error = assemble("ps_5_0\nmov r0.x, l(0)").unwrap_err();
    assert_eq!((error.place.instruction, error.place.mnemonic), (Some(0), Some("mov")));
    assert_eq!(error.to_string().split(": ").nth(1), Some("line 2:1, instruction 0, `mov`"));
}

#[test]
fn an_empty_text() {
    for text in ["", "\n\n", "// nothing"] {
        let error = assemble(text).unwrap_err();
        assert_eq!(error.code, ledger::ASM_SYNTAX, "{text:?}");
        assert!(error.what.contains("expected a version"));
    }
}
