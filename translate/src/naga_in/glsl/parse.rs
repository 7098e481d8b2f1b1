//! Tokens to a syntax tree.
//!
//! Owns the grammar of GLSL 4.60 as far as the tree can say it. Recursion is bounded by `depth.rs`, which has seen the
//! text before.

use super::Failure;
use super::ast::*;
use super::tokens::{Token, Value};
use super::types::is_type;
use std::collections::BTreeSet;

type Parsed<T> = Result<T, Failure>;

/// Parses a whole text.
pub(super) fn parse(tokens: &[Token]) -> Parsed<Vec<Item>> {
    let mut parser = Parser { tokens, at: 0, structs: BTreeSet::new() };
    let mut items = Vec::new();
    while parser.peek().is_some() {
        parser.item(&mut items)?;
    }
    Ok(items)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    structs: BTreeSet<String>,
}

/// Operators of two operands, those that bind least first.
pub(super) const LEVELS: &[&[&str]] = &[
    &["||"],
    &["^^"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="];

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t Value> {
        self.tokens.get(self.at).map(|token| &token.value)
    }

    fn after(&self) -> Option<&'t Value> {
        self.tokens.get(self.at + 1).map(|token| &token.value)
    }

    /// Where the next token begins; at the end, where the last does.
    fn here(&self) -> At {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |token| token.at)
    }

    fn fail<T>(&self, what: impl Into<String>) -> Parsed<T> {
        Err(Failure::Syntax(self.here(), what.into()))
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.peek(), Some(Value::Punct(found)) if *found == punct)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Value::Word(found)) if found == word)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: &str) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { self.fail(format!("`{punct}` is expected here")) }
    }

    fn word(&mut self) -> Parsed<(At, String)> {
        let at = self.here();
        match self.peek() {
            Some(Value::Word(word)) => {
                self.at += 1;
                Ok((at, word.clone()))
            }
            _ => self.fail("a name is expected here"),
        }
    }

    fn is_type_name(&self) -> bool {
        matches!(self.peek(), Some(Value::Word(word)) if word == "struct" || is_type(word) || self.structs.contains(word))
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if let Some(Value::Version(text)) = self.peek() {
            items.push(Item::Version(text.clone()));
            self.at += 1;
            return Ok(());
        }
        if self.eat(";") {
            return Ok(());
        }
        if self.eat_word("precision") {
            self.word()?;
            self.word()?;
            return self.expect(";");
        }
        let quals = self.quals()?;
        if self.eat(";") {
            items.push(Item::Layout(quals));
            return Ok(());
        }
        if !self.is_type_name() {
            let (at, name) = self.word()?;
            if self.is("{") {
                items.push(Item::Block(self.block(at, quals, name)?));
                return Ok(());
            }
            let mut names = vec![(at, name)];
            while self.eat(",") {
                names.push(self.word()?);
            }
            items.push(Item::Again(quals, names));
            return self.expect(";");
        }
        let at = self.here();
        let ty = self.type_spec()?;
        if matches!(self.after(), Some(Value::Punct("("))) {
            let (_, name) = self.word()?;
            items.push(Item::Function(self.function(at, ty, name)?));
            return Ok(());
        }
        items.push(Item::Decl(self.declarators(quals, ty)?));
        Ok(())
    }

    fn block(&mut self, at: At, quals: Quals, name: String) -> Parsed<Block> {
        let members = self.members()?;
        let instance = match self.peek() {
            Some(Value::Word(_)) => {
                let (at, name) = self.word()?;
                Some(Declarator { at, name, dims: self.dims()?, init: None })
            }
            _ => None,
        };
        self.expect(";")?;
        Ok(Block { at, quals, name, members, instance })
    }

    fn function(&mut self, at: At, ret: TypeSpec, name: String) -> Parsed<Function> {
        self.expect("(")?;
        let mut params = Vec::new();
        if self.is_word("void") && matches!(self.after(), Some(Value::Punct(")"))) {
            self.at += 1;
        }
        while !self.is(")") {
            let at = self.here();
            let quals = self.quals()?;
            let mut ty = self.type_spec()?;
            let name = match self.peek() {
                Some(Value::Word(_)) => Some(self.word()?.1),
                _ => None,
            };
            ty.dims.splice(0..0, self.dims()?);
            params.push(Param { at, quals, ty, name });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        let body = if self.eat(";") { None } else { Some(self.braced()?) };
        Ok(Function { at, ret, name, params, body })
    }

    fn quals(&mut self) -> Parsed<Quals> {
        let mut quals = Quals { at: self.here(), ..Quals::default() };
        while let Some(Value::Word(word)) = self.peek() {
            let at = self.here();
            let storage = match word.as_str() {
                "const" => Storage::Const,
                "in" => Storage::In,
                "out" => Storage::Out,
                "inout" => Storage::InOut,
                "uniform" => Storage::Uniform,
                "buffer" => Storage::Buffer,
                "shared" => Storage::Shared,
                _ => Storage::None,
            };
            match word.as_str() {
                "const" | "in" | "out" | "inout" | "uniform" | "buffer" | "shared" => {
                    // `const in` of a parameter is `in` that nobody writes.
                    if quals.storage == Storage::None || storage != Storage::Const {
                        quals.storage = storage;
                    }
                }
                "flat" => quals.interpolation = Some("flat"),
                "smooth" => quals.interpolation = Some("smooth"),
                "noperspective" => quals.interpolation = Some("noperspective"),
                "centroid" => quals.sampling = Some("centroid"),
                // `sample` may be a name elsewhere; before a type it is the qualifier.
                "sample" => quals.sampling = Some("sample"),
                "invariant" => quals.invariant = true,
                "readonly" => quals.readonly = true,
                "writeonly" => quals.writeonly = true,
                "highp" | "mediump" | "lowp" | "restrict" => {}
                "precise"
                | "coherent"
                | "volatile"
                | "patch"
                | "subroutine"
                | "attribute"
                | "varying"
                | "pervertexEXT"
                | "perprimitiveEXT"
                | "devicecoherent"
                | "queuefamilycoherent"
                | "workgroupcoherent"
                | "subgroupcoherent"
                | "nonprivate"
                | "nontemporal"
                | "spirv_by_reference"
                | "taskPayloadSharedEXT"
                | "nonuniformEXT" => quals.others.push((at, word.clone())),
                "layout" => {
                    self.at += 1;
                    self.layout(&mut quals)?;
                    quals.any = true;
                    continue;
                }
                _ => break,
            }
            quals.any = true;
            self.at += 1;
        }
        Ok(quals)
    }

    fn layout(&mut self, quals: &mut Quals) -> Parsed<()> {
        self.expect("(")?;
        loop {
            let (at, name) = self.word()?;
            let value = if self.eat("=") { Some(self.choice()?) } else { None };
            quals.layout.push((at, name, value));
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")
    }

    fn type_spec(&mut self) -> Parsed<TypeSpec> {
        let at = self.here();
        if self.eat_word("struct") {
            let name = match self.peek() {
                Some(Value::Word(_)) => self.word()?.1,
                _ => String::new(),
            };
            let members = self.members()?;
            self.structs.insert(name.clone());
            return Ok(TypeSpec { at, name, dims: self.dims()?, members: Some(members) });
        }
        if !self.is_type_name() {
            return self.fail("a type is expected here");
        }
        let (_, name) = self.word()?;
        Ok(TypeSpec { at, name, dims: self.dims()?, members: None })
    }

    fn members(&mut self) -> Parsed<Vec<Decl>> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            let quals = self.quals()?;
            let ty = self.type_spec()?;
            members.push(self.declarators(quals, ty)?);
        }
        Ok(members)
    }

    fn dims(&mut self) -> Parsed<Vec<Option<Expr>>> {
        let mut dims = Vec::new();
        while self.eat("[") {
            if self.eat("]") {
                dims.push(None);
            } else {
                dims.push(Some(self.choice()?));
                self.expect("]")?;
            }
        }
        Ok(dims)
    }

    /// The variables of a declaration, up to its semicolon.
    fn declarators(&mut self, quals: Quals, ty: TypeSpec) -> Parsed<Decl> {
        let mut vars = Vec::new();
        self.eat(",");
        while !self.eat(";") {
            let (at, name) = self.word()?;
            let dims = self.dims()?;
            let init = if self.eat("=") { Some(self.init()?) } else { None };
            vars.push(Declarator { at, name, dims, init });
            if !self.eat(",") {
                self.expect(";")?;
                break;
            }
        }
        Ok(Decl { quals, ty, vars })
    }

    fn init(&mut self) -> Parsed<Init> {
        let at = self.here();
        if !self.eat("{") {
            return Ok(Init::Expr(self.assignment()?));
        }
        let mut parts = Vec::new();
        while !self.eat("}") {
            parts.push(self.init()?);
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Init::List(at, parts))
    }

    fn braced(&mut self) -> Parsed<Vec<Stmt>> {
        self.expect("{")?;
        let mut stmts = Vec::new();
        while !self.eat("}") {
            stmts.push(self.stmt()?);
        }
        Ok(stmts)
    }

    /// Whether a declaration begins here and no expression.
    fn is_decl(&self) -> bool {
        const QUALIFIERS: &[&str] = &["const", "highp", "mediump", "lowp", "precise", "invariant", "layout", "shared"];
        let Some(Value::Word(word)) = self.peek() else { return false };
        if QUALIFIERS.contains(&word.as_str()) || word == "struct" {
            return true;
        }
        if !self.is_type_name() {
            return false;
        }
        // A type and its dimensions are followed by a name in a declaration and by `(` in a constructor.
        let mut at = self.at + 1;
        let mut open = 0usize;
        loop {
            match self.tokens.get(at).map(|token| &token.value) {
                Some(Value::Punct("[")) => open += 1,
                Some(Value::Punct("]")) => open = open.saturating_sub(1),
                Some(Value::Word(_)) if open == 0 => return true,
                Some(_) if open > 0 => {}
                _ => return false,
            }
            at += 1;
        }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let at = self.here();
        let word = match self.peek() {
            Some(Value::Word(word)) => word.as_str(),
            Some(Value::Punct("{")) => return Ok(Stmt::Block(self.braced()?)),
            Some(Value::Punct(";")) => {
                self.at += 1;
                return Ok(Stmt::Empty);
            }
            None => return self.fail("a statement is expected here"),
            _ => "",
        };
        let keyword = matches!(
            word,
            "if" | "while" | "do" | "for" | "switch" | "case" | "default" | "break" | "continue" | "return" | "discard"
        );
        if keyword {
            self.at += 1;
            return self.keyword(at, word);
        }
        if word == "precision" {
            self.at += 1;
            self.word()?;
            self.word()?;
            self.expect(";")?;
            return Ok(Stmt::Empty);
        }
        if self.is_decl() {
            let quals = self.quals()?;
            let ty = self.type_spec()?;
            return Ok(Stmt::Decl(self.declarators(quals, ty)?));
        }
        let expr = self.comma()?;
        self.expect(";")?;
        Ok(Stmt::Expr(expr))
    }

    fn keyword(&mut self, at: At, word: &str) -> Parsed<Stmt> {
        Ok(match word {
            "if" => {
                self.expect("(")?;
                let condition = self.comma()?;
                self.expect(")")?;
                let accept = Box::new(self.stmt()?);
                let reject = if self.eat_word("else") { Some(Box::new(self.stmt()?)) } else { None };
                Stmt::If(condition, accept, reject)
            }
            "while" => {
                self.expect("(")?;
                let condition = self.condition(")")?;
                Stmt::While(condition, Box::new(self.stmt()?))
            }
            "do" => {
                let body = Box::new(self.stmt()?);
                if !self.eat_word("while") {
                    return self.fail("`while` is expected here");
                }
                self.expect("(")?;
                let condition = self.comma()?;
                self.expect(")")?;
                self.expect(";")?;
                Stmt::Do(body, condition)
            }
            "for" => {
                self.expect("(")?;
                let first = self.stmt()?;
                let condition = if self.eat(";") { None } else { Some(self.condition(";")?) };
                let step = if self.is(")") { None } else { Some(self.comma()?) };
                self.expect(")")?;
                Stmt::For(Box::new(first), condition, step, Box::new(self.stmt()?))
            }
            "switch" => {
                self.expect("(")?;
                let selector = self.comma()?;
                self.expect(")")?;
                Stmt::Switch(selector, self.braced()?)
            }
            "case" => {
                let value = self.comma()?;
                self.expect(":")?;
                Stmt::Case(value)
            }
            "default" => {
                self.expect(":")?;
                Stmt::Default
            }
            "return" => {
                let value = if self.is(";") { None } else { Some(self.comma()?) };
                self.expect(";")?;
                Stmt::Return(at, value)
            }
            other => {
                self.expect(";")?;
                match other {
                    "break" => Stmt::Break(at),
                    "continue" => Stmt::Continue(at),
                    _ => Stmt::Discard(at),
                }
            }
        })
    }

    /// A loop's condition and what ends it.
    fn condition(&mut self, end: &str) -> Parsed<Cond> {
        if !self.is_decl() {
            let expr = self.comma()?;
            self.expect(end)?;
            return Ok(Cond::Expr(expr));
        }
        let quals = self.quals()?;
        let ty = self.type_spec()?;
        let (at, name) = self.word()?;
        self.expect("=")?;
        let init = Some(self.init()?);
        self.expect(end)?;
        let vars = vec![Declarator { at, name, dims: Vec::new(), init }];
        Ok(Cond::Decl(Box::new(Decl { quals, ty, vars })))
    }

    fn comma(&mut self) -> Parsed<Expr> {
        let first = self.assignment()?;
        if !self.is(",") {
            return Ok(first);
        }
        let at = first.at;
        let mut parts = vec![first];
        while self.eat(",") {
            parts.push(self.assignment()?);
        }
        Ok(Expr { at, kind: Kind::Comma(parts) })
    }

    fn assignment(&mut self) -> Parsed<Expr> {
        let target = self.choice()?;
        let Some(Value::Punct(op)) = self.peek() else { return Ok(target) };
        if !ASSIGNMENTS.contains(op) {
            return Ok(target);
        }
        self.at += 1;
        let value = self.assignment()?;
        Ok(Expr { at: target.at, kind: Kind::Assign(op, Box::new(target), Box::new(value)) })
    }

    fn choice(&mut self) -> Parsed<Expr> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let accept = self.comma()?;
        self.expect(":")?;
        let reject = self.assignment()?;
        let at = condition.at;
        Ok(Expr { at, kind: Kind::Choice(Box::new(condition), Box::new(accept), Box::new(reject)) })
    }

    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(ops) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(Value::Punct(op)) = self.peek() {
            if !ops.contains(op) {
                break;
            }
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expr { at: left.at, kind: Kind::Binary(op, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let at = self.here();
        if let Some(Value::Punct(op @ ("+" | "-" | "!" | "~" | "++" | "--"))) = self.peek() {
            self.at += 1;
            let operand = Box::new(self.unary()?);
            let kind = if op.len() == 2 { Kind::Before(op, operand) } else { Kind::Unary(op, operand) };
            return Ok(Expr { at, kind });
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            let at = expr.at;
            let kind = if self.eat("[") {
                let index = self.comma()?;
                self.expect("]")?;
                Kind::Index(Box::new(expr), Box::new(index))
            } else if self.eat(".") {
                let (_, name) = self.word()?;
                if name == "length" && self.eat("(") {
                    self.expect(")")?;
                    Kind::Length(Box::new(expr))
                } else {
                    Kind::Field(Box::new(expr), name)
                }
            } else if self.eat("++") {
                Kind::After("++", Box::new(expr))
            } else if self.eat("--") {
                Kind::After("--", Box::new(expr))
            } else {
                return Ok(expr);
            };
            expr = Expr { at, kind };
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.here();
        let kind = match self.peek() {
            Some(Value::Int(value, unsigned)) => Kind::Int(*value, *unsigned),
            Some(Value::Float(value)) => Kind::Float(value.to_bits()),
            Some(Value::Word(word)) if word == "true" || word == "false" => Kind::Bool(word == "true"),
            Some(Value::Word(word)) => {
                let is_struct = self.structs.contains(word);
                if is_type(word) || (is_struct && matches!(self.after(), Some(Value::Punct("[")))) {
                    let ty = self.type_spec()?;
                    let args = self.args()?;
                    return Ok(Expr { at, kind: Kind::Construct(ty, args) });
                }
                let word = word.clone();
                self.at += 1;
                let kind = if self.is("(") { Kind::Call(word, self.args()?) } else { Kind::Name(word) };
                return Ok(Expr { at, kind });
            }
            Some(Value::Punct("(")) => {
                self.at += 1;
                let expr = self.comma()?;
                self.expect(")")?;
                return Ok(expr);
            }
            _ => return self.fail("an expression is expected here"),
        };
        self.at += 1;
        Ok(Expr { at, kind })
    }

    fn args(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut args = Vec::new();
        if self.is_word("void") && matches!(self.after(), Some(Value::Punct(")"))) {
            self.at += 1;
        }
        while !self.is(")") {
            args.push(self.assignment()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }
}
