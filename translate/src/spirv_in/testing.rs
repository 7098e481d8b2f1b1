//! A SPIR-V assembler for tests: text as `spirv-as` takes it, ids by name, by the grammar that rspirv carries.
//!
//! Knows what the tests write and panics on the rest.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction, OperandKind, OperandQuantifier};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Words of a module in text, for SPIR-V 1.5.
pub(super) fn assemble(text: &str) -> Vec<u32> {
    let mut assembler = Assembler::default();
    for line in text.lines() {
        assembler.line(line.split(';').next().unwrap_or(""));
    }
    let bound = u32::try_from(assembler.ids.len()).unwrap() + 1;
    let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0500, 0, bound, 0];
    words.extend(assembler.words);
    words
}

#[derive(Default)]
struct Assembler {
    ids: BTreeMap<String, u32>,
    words: Vec<u32>,
}

impl Assembler {
    fn id(&mut self, name: &str) -> u32 {
        assert!(name.starts_with('%'), "an id was expected where `{name}` stands");
        let next = u32::try_from(self.ids.len()).unwrap() + 1;
        *self.ids.entry(String::from(name)).or_insert(next)
    }

    fn line(&mut self, line: &str) {
        let tokens = tokens(line);
        let (result, tokens) = match tokens.as_slice() {
            [] => return,
            [result, equals, rest @ ..] if equals == "=" => (Some(result.clone()), rest.to_vec()),
            all => (None, all.to_vec()),
        };
        let (name, operands) = tokens.split_first().unwrap();
        let grammar = INSTRUCTION_TABLE
            .iter()
            .find(|inst| Some(inst.opname) == name.strip_prefix("Op"))
            .unwrap_or_else(|| panic!("no instruction {name}"));
        let mut operands = operands.iter().map(String::as_str);
        let mut words = vec![0];
        self.operands(grammar, result.as_deref(), &mut operands, &mut words);
        assert_eq!(operands.next(), None, "left over in `{line}`");
        words[0] = u32::try_from(words.len()).unwrap() << 16 | grammar.opcode as u32;
        self.words.extend(words);
    }

    fn operands<'t>(
        &mut self,
        grammar: &Instruction<'_>,
        result: Option<&str>,
        tokens: &mut impl Iterator<Item = &'t str>,
        words: &mut Vec<u32>,
    ) {
        for operand in grammar.operands {
            if operand.kind == OperandKind::IdResult {
                let id = self.id(result.unwrap_or_else(|| panic!("Op{} has a result", grammar.opname)));
                words.push(id);
                continue;
            }
            loop {
                let Some(token) = tokens.next() else {
                    assert_ne!(operand.quantifier, OperandQuantifier::One, "Op{} lacks operands", grammar.opname);
                    return;
                };
                self.operand(&operand.kind, token, tokens, words);
                if operand.quantifier != OperandQuantifier::ZeroOrMore {
                    break;
                }
            }
        }
        // The operands of a decoration, an execution mode or an image operand follow their enumerant.
        for token in tokens {
            let word = if token.starts_with('%') { self.id(token) } else { literal_or_builtin(token) };
            words.push(word);
        }
    }

    fn operand<'t>(
        &mut self,
        kind: &OperandKind,
        token: &str,
        tokens: &mut impl Iterator<Item = &'t str>,
        words: &mut Vec<u32>,
    ) {
        use OperandKind as K;
        let word = match kind {
            K::IdRef | K::IdResultType | K::IdScope | K::IdMemorySemantics => self.id(token),
            K::LiteralString => return words.extend(string(token)),
            K::PairLiteralIntegerIdRef => {
                words.push(literal(token));
                self.id(tokens.next().unwrap())
            }
            K::PairIdRefIdRef => {
                let first = self.id(token);
                words.push(first);
                self.id(tokens.next().unwrap())
            }
            K::PairIdRefLiteralInteger => {
                let first = self.id(token);
                words.push(first);
                literal(tokens.next().unwrap())
            }
            K::LiteralSpecConstantOpInteger => {
                INSTRUCTION_TABLE.iter().find(|inst| inst.opname == token).unwrap().opcode as u32
            }
            K::LiteralInteger | K::LiteralExtInstInteger | K::LiteralFloat | K::LiteralContextDependentNumber => {
                literal(token)
            }
            K::Capability => enumerant::<spirv::Capability>(token) as u32,
            K::AddressingModel => enumerant::<spirv::AddressingModel>(token) as u32,
            K::MemoryModel => enumerant::<spirv::MemoryModel>(token) as u32,
            K::ExecutionModel => enumerant::<spirv::ExecutionModel>(token) as u32,
            K::ExecutionMode => enumerant::<spirv::ExecutionMode>(token) as u32,
            K::Decoration => enumerant::<spirv::Decoration>(token) as u32,
            K::StorageClass => enumerant::<spirv::StorageClass>(token) as u32,
            K::Dim => enumerant::<spirv::Dim>(&format!("Dim{token}")) as u32,
            K::ImageFormat => enumerant::<spirv::ImageFormat>(token) as u32,
            K::FunctionControl | K::SelectionControl | K::LoopControl | K::MemoryAccess | K::ImageOperands => {
                if token == "None" { 0 } else { literal(token) }
            }
            other => panic!("operand {other:?} of `{token}`"),
        };
        words.push(word);
    }
}

fn enumerant<T: FromStr>(token: &str) -> T {
    T::from_str(token).unwrap_or_else(|_| panic!("no enumerant {token}"))
}

fn literal_or_builtin(token: &str) -> u32 {
    spirv::BuiltIn::from_str(token).map_or_else(|()| literal(token), |builtin| builtin as u32)
}

fn literal(token: &str) -> u32 {
    token
        .parse::<u32>()
        .or_else(|_| token.parse::<i32>().map(|n| n as u32))
        .unwrap_or_else(|_| token.parse::<f32>().unwrap_or_else(|_| panic!("no number: {token}")).to_bits())
}

fn string(token: &str) -> Vec<u32> {
    let mut bytes = token.trim_matches('"').as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect()
}

/// Tokens between white space; a string in quotes is one.
fn tokens(line: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            tokens.push(format!("\"{part}\""));
        } else {
            tokens.extend(part.split_whitespace().map(String::from));
        }
    }
    tokens
}
