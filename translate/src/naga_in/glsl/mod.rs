//! GLSL made ready for naga.
//!
//! naga reads much of GLSL and gets some of it wrong without a word: both sides of `&&` run, an index is evaluated twice,
//! dimensions of arrays are taken the wrong way round. Owns the text that naga is given: the preprocessor runs here, the
//! text is parsed, what naga gets wrong is written in a form that it gets right or is refused by name. `docs/glsl.md` says
//! what is done about what.
//!
//! Must never let a construct through whose translation is not known to be right: words, qualifiers, functions and
//! variables of the language are lists of what is known. What is no GLSL at all is left to naga to say.

mod ast;
mod builtins;
mod effects;
mod emit;
mod exprs;
mod globals;
mod helpers;
mod layout;
mod parse;
mod rewrite;
mod scope;
mod tokens;
mod types;

use crate::error::{Code, ErrorKind};
use crate::interface::Stage;
use crate::ledger;
use ast::{At, Function, Item, Stmt};
use rewrite::Rewriter;
use std::collections::BTreeSet;
use tokens::{Token, Value};

/// What is added to the binding of a combined sampler for the half of it that is a sampler.
pub(super) const SAMPLER_HALF: u32 = 1 << 30;

/// What the name of its other half begins with.
pub(super) const TEXTURE_HALF: &str = "rx_texture_";

/// Why a text is not given to naga as it would have to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    /// It is no GLSL, or not what is read here.
    Syntax(At, String),
    /// It is refused or malformed, by code.
    Code(Code, ErrorKind, At, String),
}

fn refused(code: Code, at: At, what: impl Into<String>) -> Failure {
    Failure::Code(code, ErrorKind::Refused, at, what.into())
}

/// A text for naga.
pub(super) struct Prepared {
    pub text: String,
    /// Where its parts come from, ascending: from the first offset on, the second of the given text.
    map: Vec<(u32, At)>,
    /// A structure holds an array of small elements: naga takes neither it whole nor a copy of it.
    pub skewed: bool,
    /// `precise` is somewhere: no operation may be contracted.
    pub precise: bool,
}

impl Prepared {
    /// The place in the given text that a byte of the prepared one came from.
    pub fn source(&self, offset: u32) -> u32 {
        let index = self.map.partition_point(|(own, _)| *own <= offset);
        index.checked_sub(1).and_then(|index| self.map.get(index)).map_or(0, |(_, at)| *at)
    }
}

/// Prepares a text of a stage.
pub(super) fn prepare(text: &str, stage: Stage) -> Result<Prepared, Failure> {
    let tokens = tokens::tokens(text)?;
    check_names(&tokens)?;
    let precise = tokens.iter().any(|token| token.value == Value::Word(String::from("precise")));
    let items = parse::parse(&tokens)?;
    let functions: Vec<Function> = items.iter().filter_map(defined).cloned().collect();
    let effects = effects::Effects::of(&functions, &globals(&items));
    let order = effects.order().map_err(|name| {
        let at = functions.iter().find(|own| own.name == name).map_or(0, |own| own.at);
        let what = format!("`{name}` calls itself");
        Failure::Code(ledger::GLSL_RECURSION, ErrorKind::Malformed, at, what)
    })?;
    let mut rewriter = Rewriter::new(&effects, stage);
    for function in items.iter().filter_map(|item| if let Item::Function(own) = item { Some(own) } else { None }) {
        if types::is_type(&function.name) {
            return Err(Failure::Syntax(function.at, String::from("a function with the name of a type")));
        }
    }
    let mut declarations = Vec::new();
    for item in items.into_iter().filter(|item| !matches!(item, Item::Function(_))) {
        rewriter.item(item, &mut declarations)?;
    }
    let functions = rewritten(&mut rewriter, functions, &order)?;
    Ok(written(&rewriter, &declarations, functions, precise))
}

/// A function with a body.
fn defined(item: &Item) -> Option<&Function> {
    match item {
        Item::Function(function) if function.body.is_some() => Some(function),
        _ => None,
    }
}

/// Names that begin with `rx_` are what rewritten text is made of.
fn check_names(tokens: &[Token]) -> Result<(), Failure> {
    let own = tokens.iter().find(|token| matches!(&token.value, Value::Word(word) if word.starts_with("rx_")));
    match own {
        Some(token) => Err(refused(ledger::GLSL_NAME, token.at, "a name that begins with `rx_`")),
        None => Ok(()),
    }
}

/// The names of what lives outside functions.
fn globals(items: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        match item {
            Item::Decl(decl) => names.extend(decl.vars.iter().map(|var| var.name.clone())),
            Item::Block(block) => match &block.instance {
                Some(instance) => {
                    names.insert(instance.name.clone());
                }
                None => names.extend(block.members.iter().flat_map(|own| &own.vars).map(|var| var.name.clone())),
            },
            _ => {}
        }
    }
    names
}

/// The functions, each behind those that it calls: naga looks up what was declared before.
fn rewritten(
    rewriter: &mut Rewriter<'_>,
    functions: Vec<Function>,
    order: &[String],
) -> Result<Vec<Function>, Failure> {
    functions.iter().for_each(|function| rewriter.know(function));
    let mut done = Vec::new();
    let position = |name: &str| order.iter().position(|own| own == name);
    let mut functions = functions;
    // Overloads keep their order; the sort is stable.
    functions.sort_by_key(|function| position(&function.name));
    for function in functions {
        done.push(rewriter.function(function)?);
    }
    wrap_main(rewriter, &mut done);
    Ok(done)
}

/// What runs before and after `main` surrounds it.
fn wrap_main(rewriter: &mut Rewriter<'_>, functions: &mut Vec<Function>) {
    if rewriter.before.is_empty() && rewriter.behind.is_empty() {
        return;
    }
    let Some(main) = functions.iter_mut().find(|own| own.name == "main" && own.params.is_empty()) else { return };
    let mut outer = main.clone();
    main.name = String::from("rx_main");
    let call = ast::Expr { at: main.at, kind: ast::Kind::Call(main.name.clone(), Vec::new()) };
    let mut body = std::mem::take(&mut rewriter.before);
    body.push(Stmt::Expr(call));
    body.append(&mut rewriter.behind);
    outer.body = Some(body);
    functions.push(outer);
}

fn written(rewriter: &Rewriter<'_>, declarations: &[Item], functions: Vec<Function>, precise: bool) -> Prepared {
    let mut emitter = emit::Emitter::default();
    for item in declarations {
        match item {
            Item::Version(text) => emitter.version(text),
            Item::Decl(decl) => emitter.decl(decl, "\n"),
            Item::Block(block) => emitter.block(block),
            Item::Layout(quals) => emitter.layout_only(quals),
            Item::Again(_, names) => names.iter().for_each(|(_, name)| emitter.out += &format!("invariant {name};\n")),
            Item::Function(_) => {}
        }
    }
    rewriter.moved.iter().for_each(|decl| emitter.decl(decl, "\n"));
    emitter.out += &helpers::text(&rewriter.helpers);
    rewriter.equal.iter().for_each(|(_, text)| emitter.out += text);
    functions.iter().for_each(|function| emitter.function(function));
    let emit::Emitter { out, map } = emitter;
    Prepared { text: out, map, skewed: rewriter.skewed, precise }
}
