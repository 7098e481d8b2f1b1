//! The table of results against the grammar of SPIR-V.

use super::super::ops::result_index;
use super::super::words::Inst;
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};

#[test]
fn the_result_of_every_instruction_is_where_the_grammar_has_it() {
    for grammar in INSTRUCTION_TABLE.iter() {
        let expected = grammar.operands.iter().position(|o| o.kind == OperandKind::IdResult).map(|i| i + 1);
        let words = [1 << 16 | grammar.opcode as u32];
        let inst = Inst { at: 5, words: &words };
        assert_eq!(result_index(&inst), expected, "Op{}", grammar.opname);
    }
}
