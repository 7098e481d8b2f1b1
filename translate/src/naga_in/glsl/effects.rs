//! What expressions and functions do besides giving a value.

use super::ast::*;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the functions of a name; overloads are taken together.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Globals that a call may write.
    pub writes: BTreeSet<String>,
    /// A call may write more globals than are counted: any.
    pub many: bool,
    /// A call does something that is no write to a global: an image store, a barrier, a discard.
    pub acts: bool,
    pub calls: BTreeSet<String>,
}

/// Most globals that are counted for a function.
const MAX_WRITES: usize = 64;

/// Functions of the language that do more than give a value.
pub(super) fn acts(name: &str) -> bool {
    const ACTING: &[&str] = &["imageStore", "barrier", "modf", "frexp", "uaddCarry", "usubBorrow", "umulExtended"];
    let families = ["atomic", "imageAtomic", "memoryBarrier", "groupMemoryBarrier"];
    ACTING.contains(&name) || name == "imulExtended" || families.iter().any(|family| name.starts_with(family))
}

/// Gives each expression below one, itself included, the outer ones first.
pub(super) fn each<'e>(expr: &'e Expr, see: &mut impl FnMut(&'e Expr)) {
    see(expr);
    match &expr.kind {
        Kind::Int(..) | Kind::Float(_) | Kind::Bool(_) | Kind::Name(_) => {}
        Kind::Unary(_, a) | Kind::Before(_, a) | Kind::After(_, a) | Kind::Field(a, _) | Kind::Length(a) => {
            each(a, see)
        }
        Kind::Binary(_, a, b) | Kind::Assign(_, a, b) | Kind::Index(a, b) => {
            each(a, see);
            each(b, see);
        }
        Kind::Choice(a, b, c) => [a, b, c].into_iter().for_each(|part| each(part, see)),
        Kind::Comma(parts) | Kind::Call(_, parts) | Kind::Construct(_, parts) => {
            parts.iter().for_each(|part| each(part, see));
        }
    }
}

fn each_init<'e>(init: &'e Init, see: &mut impl FnMut(&'e Expr)) {
    match init {
        Init::Expr(expr) => each(expr, see),
        Init::List(_, parts) => parts.iter().for_each(|part| each_init(part, see)),
    }
}

/// Gives each expression of a statement.
pub(super) fn each_of<'e>(stmt: &'e Stmt, see: &mut impl FnMut(&'e Expr)) {
    let condition = |condition: &'e Cond, see: &mut _| match condition {
        Cond::Expr(expr) => each(expr, see),
        Cond::Decl(decl) => decl.vars.iter().filter_map(|var| var.init.as_ref()).for_each(|init| each_init(init, see)),
    };
    match stmt {
        Stmt::Decl(decl) => decl.vars.iter().filter_map(|var| var.init.as_ref()).for_each(|init| each_init(init, see)),
        Stmt::Expr(expr) | Stmt::Case(expr) | Stmt::Return(_, Some(expr)) => each(expr, see),
        Stmt::Block(stmts) => stmts.iter().for_each(|stmt| each_of(stmt, see)),
        Stmt::If(expr, accept, reject) => {
            each(expr, see);
            each_of(accept, see);
            if let Some(reject) = reject {
                each_of(reject, see);
            }
        }
        Stmt::While(cond, body) => {
            condition(cond, see);
            each_of(body, see);
        }
        Stmt::Do(body, expr) => {
            each_of(body, see);
            each(expr, see);
        }
        Stmt::For(first, cond, step, body) => {
            each_of(first, see);
            if let Some(cond) = cond {
                condition(cond, see);
            }
            if let Some(step) = step {
                each(step, see);
            }
            each_of(body, see);
        }
        Stmt::Switch(expr, stmts) => {
            each(expr, see);
            stmts.iter().for_each(|stmt| each_of(stmt, see));
        }
        _ => {}
    }
}

/// The variable that an expression's place lies in.
pub(super) fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        Kind::Name(name) => Some(name),
        Kind::Field(base, _) | Kind::Index(base, _) => root(base),
        _ => None,
    }
}

/// Whether a statement has a `continue` of the loop around it.
pub(super) fn continues(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Continue(_) => true,
        Stmt::Block(stmts) | Stmt::Switch(_, stmts) => stmts.iter().any(continues),
        Stmt::If(_, accept, reject) => continues(accept) || reject.as_deref().is_some_and(continues),
        _ => false,
    }
}

/// Whether nothing behind a statement is reached, as far as its own form says.
pub(super) fn ends(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(..) | Stmt::Discard(_) => true,
        Stmt::Block(stmts) => stmts.iter().any(ends),
        _ => false,
    }
}

fn discards(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Discard(_) => true,
        Stmt::Block(stmts) | Stmt::Switch(_, stmts) => stmts.iter().any(discards),
        Stmt::If(_, accept, reject) => discards(accept) || reject.as_deref().is_some_and(discards),
        Stmt::While(_, body) | Stmt::Do(body, _) | Stmt::For(_, _, _, body) => discards(body),
        _ => false,
    }
}

/// What every function of a text does, with what it calls.
pub(super) struct Effects {
    pub functions: BTreeMap<String, Facts>,
    /// Parameters that are written back, by function: true at each position where any overload has one.
    outs: BTreeMap<String, Vec<bool>>,
}

impl Effects {
    /// Looks at all functions. `globals` are the names of what lives outside functions.
    pub(super) fn of(functions: &[Function], globals: &BTreeSet<String>) -> Effects {
        let mut effects = Effects { functions: BTreeMap::new(), outs: BTreeMap::new() };
        for function in functions {
            let outs = effects.outs.entry(function.name.clone()).or_default();
            for (index, param) in function.params.iter().enumerate() {
                let out = matches!(param.quals.storage, Storage::Out | Storage::InOut);
                if outs.len() <= index {
                    outs.push(out);
                } else {
                    outs[index] |= out;
                }
            }
            effects.functions.entry(function.name.clone()).or_default();
        }
        for function in functions {
            let body = function.body.as_deref().unwrap_or(&[]);
            let mut facts = effects.functions.remove(&function.name).unwrap_or_default();
            facts.acts |= body.iter().any(discards);
            for stmt in body {
                each_of(stmt, &mut |expr| effects.note(expr, globals, &mut facts));
            }
            effects.functions.insert(function.name.clone(), facts);
        }
        effects.close();
        effects
    }

    fn note(&self, expr: &Expr, globals: &BTreeSet<String>, facts: &mut Facts) {
        if let Kind::Call(name, _) = &expr.kind {
            if self.outs.contains_key(name) {
                facts.calls.insert(name.clone());
            }
            facts.acts |= acts(name);
        }
        for name in self.targets(expr) {
            if globals.contains(name) || name.starts_with("gl_") {
                facts.writes.insert(String::from(name));
            }
        }
    }

    /// The variables that this very node writes.
    fn targets<'e>(&self, expr: &'e Expr) -> Vec<&'e str> {
        match &expr.kind {
            Kind::Assign(_, target, _) | Kind::Before(_, target) | Kind::After(_, target) => {
                root(target).into_iter().collect()
            }
            Kind::Call(name, args) => {
                let outs = self.outs.get(name).map_or(&[] as &[bool], Vec::as_slice);
                // Of the language's own functions those with results in parameters have them at the end.
                let own = outs.is_empty() && acts(name);
                let written = |index: usize| own || outs.get(index).copied().unwrap_or(false);
                args.iter().enumerate().filter(|(index, _)| written(*index)).filter_map(|(_, arg)| root(arg)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Adds to each function what those that it calls do. Where functions call themselves the text is refused later.
    fn close(&mut self) {
        for name in self.order().unwrap_or_default() {
            let Some(mut facts) = self.functions.remove(&name) else { continue };
            for callee in &facts.calls {
                let Some(other) = self.functions.get(callee) else { continue };
                facts.acts |= other.acts;
                facts.many |= other.many;
                facts.writes.extend(other.writes.iter().cloned());
            }
            if facts.writes.len() > MAX_WRITES {
                facts.many = true;
                facts.writes.clear();
            }
            self.functions.insert(name, facts);
        }
    }

    /// Whether an expression does anything besides giving its value.
    pub(super) fn any(&self, expr: &Expr) -> bool {
        let mut found = false;
        each(expr, &mut |part| {
            found |= !self.targets(part).is_empty();
            if let Kind::Call(name, _) = &part.kind {
                let facts = self.functions.get(name);
                found |= facts.is_some_and(|facts| facts.acts || facts.many || !facts.writes.is_empty()) || acts(name);
            }
        });
        found
    }

    /// Whether an expression may write a variable.
    pub(super) fn writes(&self, expr: &Expr, variable: &str) -> bool {
        let mut found = false;
        each(expr, &mut |part| {
            found |= self.targets(part).contains(&variable);
            if let Kind::Call(name, _) = &part.kind {
                found |= self.functions.get(name).is_some_and(|facts| facts.many || facts.writes.contains(variable));
            }
        });
        found
    }

    /// Whether an expression must not be evaluated where the language does not: it has an effect, calls a function of the
    /// text, or has an index, which may be out of range there.
    pub(super) fn conditional(&self, expr: &Expr) -> bool {
        let mut found = self.any(expr);
        each(expr, &mut |part| match &part.kind {
            Kind::Call(name, _) => found |= self.functions.contains_key(name) || name.starts_with("texelFetch"),
            Kind::Index(_, index) => found |= !matches!(index.kind, Kind::Int(..)),
            _ => {}
        });
        found
    }

    /// The functions in an order in which each comes after those that it calls; a function that calls itself is none.
    pub(super) fn order(&self) -> Result<Vec<String>, String> {
        let (mut order, mut done) = (Vec::new(), BTreeSet::new());
        for name in self.functions.keys() {
            self.visit(name, &mut BTreeSet::new(), &mut done, &mut order)?;
        }
        Ok(order)
    }

    fn visit<'f>(
        &'f self,
        name: &'f str,
        open: &mut BTreeSet<&'f str>,
        done: &mut BTreeSet<&'f str>,
        order: &mut Vec<String>,
    ) -> Result<(), String> {
        if done.contains(name) {
            return Ok(());
        }
        if !open.insert(name) {
            return Err(String::from(name));
        }
        if let Some(facts) = self.functions.get(name) {
            for callee in &facts.calls {
                self.visit(callee, open, done, order)?;
            }
        }
        open.remove(name);
        done.insert(name);
        order.push(String::from(name));
        Ok(())
    }
}
