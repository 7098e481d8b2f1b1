//! The tree as text for naga, with the place that each part came from.
//!
//! Owns naga's reading of the text: dimensions are written the innermost first, as naga (wrongly) takes them, one
//! declaration has one variable, and every operand that could bind otherwise is in parentheses.

use super::ast::*;
use super::parse::LEVELS;
use std::fmt::Write;

/// Text, and where its parts come from.
#[derive(Default)]
pub(super) struct Emitter {
    pub out: String,
    /// Pairs of offsets, ascending: from the first on the text came from the second.
    pub map: Vec<(u32, At)>,
}

impl Emitter {
    fn mark(&mut self, at: At) {
        let here = u32::try_from(self.out.len()).unwrap_or(u32::MAX);
        if self.map.last().is_none_or(|(_, last)| *last != at) {
            self.map.push((here, at));
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn version(&mut self, text: &str) {
        let _ = writeln!(self.out, "#version {text}");
    }

    pub(super) fn function(&mut self, function: &Function) {
        self.mark(function.at);
        self.type_spec(&function.ret);
        self.put(" ");
        self.put(&function.name);
        self.put("(");
        for (index, param) in function.params.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.mark(param.at);
            self.put(match param.quals.storage {
                Storage::Const => "const ",
                Storage::Out => "out ",
                Storage::InOut => "inout ",
                _ => "",
            });
            self.type_spec(&param.ty);
            self.put(" ");
            self.put(param.name.as_deref().unwrap_or(""));
        }
        self.put(") ");
        self.block_of(function.body.as_deref().unwrap_or(&[]));
    }

    pub(super) fn layout_only(&mut self, quals: &Quals) {
        self.quals(quals);
        self.put(";\n");
    }

    pub(super) fn block(&mut self, block: &Block) {
        self.mark(block.at);
        self.quals(&block.quals);
        self.put(&block.name);
        self.put(" { ");
        for member in &block.members {
            self.decl(member, "\n");
        }
        self.put("}");
        if let Some(instance) = &block.instance {
            self.put(" ");
            self.mark(instance.at);
            self.put(&instance.name);
        }
        self.put(";\n");
    }

    fn quals(&mut self, quals: &Quals) {
        self.mark(quals.at);
        if !quals.layout.is_empty() {
            self.put("layout(");
            for (index, (at, name, value)) in quals.layout.iter().enumerate() {
                if index > 0 {
                    self.put(", ");
                }
                self.mark(*at);
                self.put(name);
                if let Some(value) = value {
                    self.put(" = ");
                    self.operand(value);
                }
            }
            self.put(") ");
        }
        let flags = [(quals.invariant, "invariant "), (quals.readonly, "readonly "), (quals.writeonly, "writeonly ")];
        for (_, text) in flags.iter().filter(|(set, _)| *set) {
            self.put(text);
        }
        for word in quals.interpolation.iter().chain(&quals.sampling) {
            self.put(word);
            self.put(" ");
        }
        self.put(match quals.storage {
            Storage::None | Storage::InOut => "",
            Storage::Const => "const ",
            Storage::In => "in ",
            Storage::Out => "out ",
            Storage::Uniform => "uniform ",
            Storage::Buffer => "buffer ",
            Storage::Shared => "shared ",
        });
    }

    /// A declaration of each variable, or of the structure alone.
    pub(super) fn decl(&mut self, decl: &Decl, end: &str) {
        if let (Some(members), true) = (&decl.ty.members, decl.vars.is_empty()) {
            self.mark(decl.ty.at);
            let _ = write!(self.out, "struct {} {{ ", decl.ty.name);
            for member in members {
                self.decl(member, " ");
            }
            self.put("};");
            self.put(end);
        }
        for var in &decl.vars {
            self.quals(&decl.quals);
            self.variable(&decl.ty, var);
            self.put(";");
            self.put(end);
        }
    }

    fn variable(&mut self, ty: &TypeSpec, var: &Declarator) {
        self.mark(ty.at);
        self.put(&ty.name);
        self.dims(var.dims.iter().chain(&ty.dims));
        self.put(" ");
        self.mark(var.at);
        self.put(&var.name);
        if let Some(init) = &var.init {
            self.put(" = ");
            self.init(init);
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(expr) => self.operand(expr),
            Init::List(at, parts) => {
                self.mark(*at);
                self.put("{");
                for (index, part) in parts.iter().enumerate() {
                    self.put(if index > 0 { ", " } else { "" });
                    self.init(part);
                }
                self.put("}");
            }
        }
    }

    fn type_spec(&mut self, ty: &TypeSpec) {
        self.mark(ty.at);
        self.put(&ty.name);
        self.dims(ty.dims.iter());
    }

    fn dims<'d>(&mut self, dims: impl DoubleEndedIterator<Item = &'d Option<Expr>>) {
        for dim in dims.rev() {
            self.put("[");
            if let Some(size) = dim {
                self.operand(size);
            }
            self.put("]");
        }
    }

    fn block_of(&mut self, stmts: &[Stmt]) {
        self.put("{\n");
        for stmt in stmts {
            self.stmt(stmt);
        }
        self.put("}\n");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Decl(decl) => self.decl(decl, "\n"),
            Stmt::Expr(expr) => {
                self.expr(expr);
                self.put(";\n");
            }
            Stmt::Block(stmts) => self.block_of(stmts),
            Stmt::If(condition, accept, reject) => {
                self.put("if (");
                self.expr(condition);
                self.put(") ");
                self.body(accept);
                if let Some(reject) = reject {
                    self.put("else ");
                    self.body(reject);
                }
            }
            Stmt::While(condition, body) => {
                self.put("while (");
                self.condition(condition);
                self.put(") ");
                self.body(body);
            }
            Stmt::Do(body, condition) => {
                self.put("do ");
                self.body(body);
                self.put("while (");
                self.expr(condition);
                self.put(");\n");
            }
            Stmt::For(first, condition, step, body) => {
                self.put("for (");
                match &**first {
                    Stmt::Decl(decl) => self.first(decl),
                    Stmt::Expr(expr) => self.expr(expr),
                    _ => {}
                }
                self.put("; ");
                if let Some(condition) = condition {
                    self.condition(condition);
                }
                self.put("; ");
                if let Some(step) = step {
                    self.expr(step);
                }
                self.put(") ");
                self.body(body);
            }
            Stmt::Switch(selector, stmts) => {
                self.put("switch (");
                self.expr(selector);
                self.put(") ");
                self.block_of(stmts);
            }
            Stmt::Case(value) => {
                self.put("case ");
                self.operand(value);
                self.put(":\n");
            }
            Stmt::Default => self.put("default:\n"),
            Stmt::Break(at) => self.jump(*at, "break;\n"),
            Stmt::Continue(at) => self.jump(*at, "continue;\n"),
            Stmt::Discard(at) => self.jump(*at, "discard;\n"),
            Stmt::Return(at, None) => self.jump(*at, "return;\n"),
            Stmt::Return(at, Some(value)) => {
                self.jump(*at, "return ");
                self.expr(value);
                self.put(";\n");
            }
            Stmt::Empty => self.put(";\n"),
        }
    }

    /// What a statement governs: a block of its own, so that what is declared there ends there.
    fn body(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Block(stmts) => self.block_of(stmts),
            // `else if` does not nest.
            other => self.block_of(std::slice::from_ref(other)),
        }
    }

    fn jump(&mut self, at: At, text: &str) {
        self.mark(at);
        self.put(text);
    }

    /// The variables that a loop begins with: of one type without dimensions of their own.
    fn first(&mut self, decl: &Decl) {
        self.quals(&decl.quals);
        for (index, var) in decl.vars.iter().enumerate() {
            if index == 0 {
                self.variable(&decl.ty, var);
                continue;
            }
            self.put(", ");
            self.mark(var.at);
            self.put(&var.name);
            if let Some(init) = &var.init {
                self.put(" = ");
                self.init(init);
            }
        }
    }

    fn condition(&mut self, condition: &Cond) {
        match condition {
            Cond::Expr(expr) => self.expr(expr),
            Cond::Decl(decl) => self.first(decl),
        }
    }

    fn args(&mut self, args: &[Expr]) {
        self.put("(");
        for (index, arg) in args.iter().enumerate() {
            self.put(if index > 0 { ", " } else { "" });
            self.operand(arg);
        }
        self.put(")");
    }

    /// An expression that is an operand: in parentheses unless it is a primary one.
    fn operand(&mut self, expr: &Expr) {
        let primary = matches!(
            expr.kind,
            Kind::Int(..)
                | Kind::Float(_)
                | Kind::Bool(_)
                | Kind::Name(_)
                | Kind::Call(..)
                | Kind::Construct(..)
                | Kind::Field(..)
                | Kind::Index(..)
                | Kind::Length(_)
        );
        if primary {
            return self.expr(expr);
        }
        self.put("(");
        self.expr(expr);
        self.put(")");
    }

    fn expr(&mut self, expr: &Expr) {
        self.mark(expr.at);
        match &expr.kind {
            Kind::Int(value, unsigned) => {
                let _ = write!(self.out, "{value}{}", if *unsigned { "u" } else { "" });
            }
            Kind::Float(bits) => self.float(f32::from_bits(*bits)),
            Kind::Bool(value) => self.put(if *value { "true" } else { "false" }),
            Kind::Name(name) => self.put(name),
            Kind::Unary(op, operand) | Kind::Before(op, operand) => {
                self.put(op);
                // A space keeps `- -x` from being `--x`.
                if matches!(operand.kind, Kind::Unary(..)) {
                    self.put(" ");
                    self.expr(operand);
                } else {
                    self.operand(operand);
                }
            }
            Kind::After(op, operand) => {
                self.operand(operand);
                self.put(op);
            }
            Kind::Binary(op, left, right) => {
                // What binds as much stands on the left without parentheses: long sums stay flat.
                match left.kind {
                    Kind::Binary(inner, ..) if level(inner) >= level(op) => self.expr(left),
                    _ => self.operand(left),
                }
                let _ = write!(self.out, " {op} ");
                self.operand(right);
            }
            Kind::Assign(op, left, right) => {
                self.operand(left);
                let _ = write!(self.out, " {op} ");
                self.operand(right);
            }
            Kind::Choice(condition, accept, reject) => {
                self.operand(condition);
                self.put(" ? ");
                self.operand(accept);
                self.put(" : ");
                self.operand(reject);
            }
            Kind::Comma(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    self.put(if index > 0 { ", " } else { "" });
                    self.operand(part);
                }
            }
            Kind::Call(name, args) => {
                self.put(name);
                self.args(args);
            }
            Kind::Construct(ty, args) => {
                self.type_spec(ty);
                self.args(args);
            }
            Kind::Field(base, name) => {
                self.operand(base);
                self.put(".");
                self.put(name);
            }
            Kind::Index(base, index) => {
                self.operand(base);
                self.put("[");
                self.expr(index);
                self.put("]");
            }
            Kind::Length(base) => {
                self.operand(base);
                self.put(".length()");
            }
        }
    }

    fn float(&mut self, value: f32) {
        let text = format!("{value:?}");
        self.put(&text);
    }
}

/// How much an operator binds.
fn level(op: &str) -> usize {
    LEVELS.iter().position(|ops| ops.contains(&op)).unwrap_or(0)
}
