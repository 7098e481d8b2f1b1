//! Functions and statements rewritten into what naga translates right.

use super::ast::*;
use super::effects::{self, Effects};
use super::exprs::assigned;
use super::helpers;
use super::scope::{Names, Signature, Var, construct, name};
use super::types::{INT, Scalar, Ty};
use super::{Failure, globals, layout, parse, refused, tokens, types};
use crate::interface::Stage;
use crate::ledger;
use std::collections::BTreeSet;

type Done<T> = Result<T, Failure>;

/// A text being rewritten.
pub(super) struct Rewriter<'e> {
    pub names: Names,
    pub effects: &'e Effects,
    pub stage: Stage,
    pub local_size: Option<[u32; 3]>,
    /// Helpers that are called.
    pub helpers: BTreeSet<&'static str>,
    /// What runs before the text's `main`, and after it.
    pub before: Vec<Stmt>,
    pub behind: Vec<Stmt>,
    /// Members that naga has as arrays of a matrix's columns: the block's instance, or nothing, and the member.
    pub columns: BTreeSet<(String, String)>,
    /// A structure holds an array that naga may not take whole.
    pub skewed: bool,
    /// Structures that functions declare.
    pub moved: Vec<Decl>,
    /// Functions that compare, by type, with their text.
    pub equal: Vec<(Ty, String)>,
    /// Whether a constant expression is rewritten, which has no statements.
    pub constant: bool,
    /// Results of the function being rewritten.
    ret: Option<Ty>,
    /// Variables that rewritten expressions need, declared where the function begins.
    temps: Vec<Stmt>,
    next: u32,
}

impl<'e> Rewriter<'e> {
    pub(super) fn new(effects: &'e Effects, stage: Stage) -> Self {
        let mut names = Names::default();
        names.open();
        Rewriter {
            names,
            effects,
            stage,
            local_size: None,
            helpers: BTreeSet::new(),
            before: Vec::new(),
            behind: Vec::new(),
            columns: BTreeSet::new(),
            skewed: false,
            moved: Vec::new(),
            equal: Vec::new(),
            constant: false,
            ret: None,
            temps: Vec::new(),
            next: 0,
        }
    }

    /// A new variable of the function.
    pub(super) fn temp(&mut self, at: At, ty: &Ty) -> Done<String> {
        if self.constant {
            return Err(refused(ledger::GLSL_ORDER, at, "a constant expression with side effects"));
        }
        let temp = self.fresh();
        self.temps.push(declared(at, &temp, ty, None));
        Ok(temp)
    }

    pub(super) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("rx_{}", self.next)
    }

    /// Makes the signatures of a helper known.
    pub(super) fn know_helper(&mut self, helper: &'static str) {
        if self.names.functions.contains_key(helper) {
            return;
        }
        let text = helpers::text(&BTreeSet::from([helper]));
        let items = tokens::tokens(&text).and_then(|tokens| parse::parse(&tokens)).unwrap_or_default();
        for item in items {
            if let Item::Function(function) = item {
                self.know(&function);
            }
        }
    }

    /// Makes a function's signature known.
    pub(super) fn know(&mut self, function: &Function) {
        let params = function.params.iter().map(|param| {
            let (out, inout) = (param.quals.storage == Storage::Out, param.quals.storage == Storage::InOut);
            (self.names.ty(&param.ty, &[]), inout, out || inout)
        });
        let signature = Signature { params: params.collect(), ret: self.names.ty(&function.ret, &[]) };
        let all = self.names.functions.entry(function.name.clone()).or_default();
        let same = |own: &Signature| own.params.iter().map(|p| &p.0).eq(signature.params.iter().map(|p| &p.0));
        if !all.iter().any(same) {
            all.push(signature);
        }
    }

    /// The function that compares two values of a type.
    pub(super) fn equality(&mut self, at: At, ty: &Ty) -> Done<String> {
        if let Some(index) = self.equal.iter().position(|(known, _)| known == ty) {
            return Ok(format!("rx_equal_{index}"));
        }
        let parts: Vec<String> = match ty {
            Ty::Struct(own) => {
                let members = self.names.structs.get(own).cloned().unwrap_or_default();
                let mut parts = Vec::new();
                for (member, ty) in members {
                    let Some(ty) = ty else {
                        return Err(refused(ledger::GLSL_EXPRESSION, at, "a comparison of structures"));
                    };
                    parts.push(self.compared(at, &ty, &format!("a.{member}"), &format!("b.{member}"))?);
                }
                parts
            }
            Ty::Array(element, count) if *count > 0 => vec![self.compared(at, element, "a[i]", "b[i]")?],
            _ => return Err(refused(ledger::GLSL_EXPRESSION, at, "a comparison of arrays of unknown size")),
        };
        let index = self.equal.len();
        let head = format!("bool rx_equal_{index}({0} a, {0} b)", ty.text());
        let all = parts.join(" && ");
        let body = match ty {
            Ty::Array(_, count) => {
                format!("bool r = true; for (int i = 0; i < {count}; i++) {{ r = r && {all}; }} return r;")
            }
            _ => format!("return {};", if all.is_empty() { "true" } else { &all }),
        };
        self.equal.push((ty.clone(), format!("{head} {{ {body} }}\n")));
        Ok(format!("rx_equal_{index}"))
    }

    fn compared(&mut self, at: At, ty: &Ty, left: &str, right: &str) -> Done<String> {
        Ok(match ty {
            Ty::Struct(_) | Ty::Array(..) => format!("{}({left}, {right})", self.equality(at, ty)?),
            _ => format!("({left} == {right})"),
        })
    }

    /// Refuses built-in variables where naga gives them another meaning.
    pub(super) fn check_builtin(&self, at: At, word: &str) -> Done<()> {
        let fits = match word {
            "gl_ClipDistance" | "gl_CullDistance" | "gl_Position" | "gl_PointSize" => self.stage == Stage::Vertex,
            "gl_FragCoord" | "gl_FrontFacing" | "gl_PointCoord" | "gl_FragDepth" => self.stage == Stage::Fragment,
            _ => true,
        };
        let what = || format!("`{word}` in a {} shader", self.stage.name());
        if fits { Ok(()) } else { Err(refused(ledger::GLSL_VARIABLE, at, what())) }
    }

    /// Refuses types that naga lacks.
    pub(super) fn check_type(&self, spec: &TypeSpec) -> Done<()> {
        if types::is_lacking(&spec.name) {
            return Err(refused(ledger::GLSL_TYPE, spec.at, format!("`{}`", spec.name)));
        }
        Ok(())
    }

    /// Rewrites a function.
    pub(super) fn function(&mut self, mut function: Function) -> Done<Function> {
        self.names.open();
        self.ret = self.names.ty(&function.ret, &[]);
        self.check_type(&function.ret)?;
        for param in &mut function.params {
            self.param(param)?;
        }
        let body = self.block(function.body.take().unwrap_or_default());
        self.names.close();
        let mut all = std::mem::take(&mut self.temps);
        all.extend(body?);
        function.body = Some(all);
        Ok(function)
    }

    fn param(&mut self, param: &mut Param) -> Done<()> {
        self.check_type(&param.ty)?;
        self.check_others(&param.quals)?;
        if param.quals.readonly || param.quals.writeonly {
            return Err(refused(ledger::GLSL_QUALIFIER, param.at, "an image parameter with a memory qualifier"));
        }
        self.sized(&mut param.ty.dims)?;
        let ty = self.names.ty(&param.ty, &[]);
        if let Some(Ty::Opaque(own)) = &ty {
            self.check_opaque(param.at, own)?;
        }
        if let Some(name) = &param.name {
            let local = param.quals.storage != Storage::Const;
            self.names.declare(name, Var { ty, local, instead: None });
            self.names.constant(name, None);
        }
        Ok(())
    }

    /// Refuses parameters that naga cannot have.
    fn check_opaque(&self, at: At, own: &str) -> Done<()> {
        let core = types::unsigned_core(own);
        let code = if globals::is_combined(core) {
            ledger::GLSL_COMBINED
        } else if core.starts_with("image")
            || core.contains("Buffer")
            || core.contains("subpass")
            || core.contains("Rect")
        {
            ledger::GLSL_TYPE
        } else {
            return Ok(());
        };
        Err(refused(code, at, format!("a parameter of type `{own}`")))
    }

    /// Refuses qualifiers that naga has nothing for.
    pub(super) fn check_others(&self, quals: &Quals) -> Done<()> {
        match quals.others.iter().find(|(_, word)| word != "precise") {
            Some((at, word)) => Err(refused(ledger::GLSL_QUALIFIER, *at, format!("`{word}`"))),
            None => Ok(()),
        }
    }

    /// Rewrites the sizes of dimensions.
    pub(super) fn sized(&mut self, dims: &mut [Option<Expr>]) -> Done<()> {
        for dim in dims.iter_mut().flatten() {
            *dim = self.constant_expr(dim.clone())?;
        }
        Ok(())
    }

    /// Rewrites a constant expression; one whose value is known becomes it.
    pub(super) fn constant_expr(&mut self, expr: Expr) -> Done<Expr> {
        let at = expr.at;
        let before = std::mem::replace(&mut self.constant, true);
        let done = self.expr(expr);
        self.constant = before;
        let (expr, ty) = done?;
        let value = self.names.value(&expr);
        Ok(match (value, ty) {
            (Some(value), Some(Ty::Scalar(Scalar::Uint))) => Expr { at, kind: Kind::Int(value as u32, true) },
            (Some(value), Some(INT)) if value >= 0 => Expr { at, kind: Kind::Int(value as u32, false) },
            _ => expr,
        })
    }

    fn block(&mut self, stmts: Vec<Stmt>) -> Done<Vec<Stmt>> {
        self.names.open();
        let mut out = Vec::new();
        for stmt in without_dead(stmts) {
            if let Err(failure) = self.stmt(stmt, &mut out) {
                self.names.close();
                return Err(failure);
            }
        }
        self.names.close();
        Ok(out)
    }

    fn boxed(&mut self, stmt: Stmt) -> Done<Box<Stmt>> {
        let stmts = if let Stmt::Block(stmts) = stmt { stmts } else { vec![stmt] };
        Ok(Box::new(Stmt::Block(self.block(stmts)?)))
    }

    fn value(&mut self, expr: Expr) -> Done<Expr> {
        self.expr(expr).map(|(expr, _)| expr)
    }

    fn stmt(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Done<()> {
        let stmt = match stmt {
            Stmt::Decl(decl) => return self.local(decl, out),
            Stmt::Expr(expr) => {
                let expr = self.value(expr)?;
                flatten(expr, out);
                return Ok(());
            }
            Stmt::Block(stmts) => Stmt::Block(self.block(stmts)?),
            Stmt::If(condition, accept, reject) => {
                let condition = self.value(condition)?;
                let accept = self.boxed(*accept)?;
                let reject = reject.map(|reject| self.boxed(*reject)).transpose()?;
                Stmt::If(condition, accept, reject)
            }
            Stmt::While(Cond::Expr(condition), body) => {
                let condition = self.value(condition)?;
                Stmt::While(Cond::Expr(condition), self.boxed(*body)?)
            }
            Stmt::While(Cond::Decl(decl), _) => {
                return Err(refused(ledger::GLSL_EXPRESSION, decl.ty.at, "a condition that declares a variable"));
            }
            Stmt::Do(body, condition) => self.do_while(*body, condition)?,
            Stmt::For(first, condition, step, body) => return self.for_loop(*first, condition, step, *body, out),
            Stmt::Switch(selector, stmts) => {
                let selector = self.value(selector)?;
                Stmt::Switch(selector, self.block(stmts)?)
            }
            Stmt::Case(value) => Stmt::Case(self.constant_expr(value)?),
            Stmt::Return(at, Some(value)) => self.returned(at, value)?,
            same @ (Stmt::Default
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_, None)
            | Stmt::Discard(_)
            | Stmt::Empty) => same,
        };
        out.push(stmt);
        Ok(())
    }

    /// naga converts no results.
    fn returned(&mut self, at: At, value: Expr) -> Done<Stmt> {
        let (value, ty) = self.expr(value)?;
        let value = match (&self.ret, ty) {
            (Some(ret @ (Ty::Scalar(_) | Ty::Vector(..))), Some(ty)) if *ret != ty && ty.scalar().is_some() => {
                construct(at, ret, vec![value])
            }
            _ => value,
        };
        Ok(Stmt::Return(at, Some(value)))
    }

    /// naga leaves the condition out where the body continues: as a loop that tests it in its step nothing is left out.
    fn do_while(&mut self, body: Stmt, condition: Expr) -> Done<Stmt> {
        let at = condition.at;
        let again = effects::continues(&body);
        // A condition that is never reached is none for naga.
        let condition = match effects::ends(&body) && !again {
            true => Expr { at, kind: Kind::Bool(false) },
            false => condition,
        };
        let body = self.boxed(body)?;
        let condition = self.value(condition)?;
        if !again {
            return Ok(Stmt::Do(body, condition));
        }
        let flag = self.fresh();
        let first = declared(at, &flag, &types::BOOL, Some(Expr { at, kind: Kind::Bool(true) }));
        let step = assigned(name(at, &flag), condition);
        let test = Some(Cond::Expr(name(at, &flag)));
        Ok(Stmt::Block(vec![first, Stmt::For(Box::new(Stmt::Empty), test, Some(step), body)]))
    }

    fn for_loop(
        &mut self,
        first: Stmt,
        condition: Option<Cond>,
        step: Option<Expr>,
        body: Stmt,
        out: &mut Vec<Stmt>,
    ) -> Done<()> {
        self.names.open();
        let done = self.for_parts(first, condition, step, body);
        self.names.close();
        out.push(done?);
        Ok(())
    }

    fn for_parts(&mut self, first: Stmt, condition: Option<Cond>, step: Option<Expr>, body: Stmt) -> Done<Stmt> {
        // The variables are declared before the loop, in a block of their own.
        let mut outer = Vec::new();
        self.stmt(first, &mut outer)?;
        let condition = match condition {
            None => None,
            Some(Cond::Expr(expr)) => Some(Cond::Expr(self.value(expr)?)),
            Some(Cond::Decl(decl)) => {
                return Err(refused(ledger::GLSL_EXPRESSION, decl.ty.at, "a condition that declares a variable"));
            }
        };
        let step = step.map(|step| self.value(step)).transpose()?;
        let body = self.boxed(body)?;
        let inner = |first| Stmt::For(Box::new(first), condition, step, body);
        Ok(match outer.as_slice() {
            [only @ (Stmt::Decl(_) | Stmt::Expr(_) | Stmt::Empty)] if one_variable(only) => inner(outer.remove(0)),
            _ => {
                outer.push(inner(Stmt::Empty));
                Stmt::Block(outer)
            }
        })
    }

    /// Rewrites a declaration inside a function.
    fn local(&mut self, mut decl: Decl, out: &mut Vec<Stmt>) -> Done<()> {
        self.check_others(&decl.quals)?;
        self.local_structure(&mut decl)?;
        for mut var in std::mem::take(&mut decl.vars) {
            let ty = self.variable(&mut decl.ty, &mut var)?;
            let is_const = decl.quals.storage == Storage::Const;
            self.names.declare(&var.name, Var { ty, local: true, instead: None });
            self.names.constant(&var.name, var.init.as_ref().filter(|_| is_const));
            out.push(Stmt::Decl(Decl { quals: decl.quals.clone(), ty: decl.ty.clone(), vars: vec![var] }));
        }
        Ok(())
    }

    /// Moves a function's structure out of it, where functions that compare it know it.
    fn local_structure(&mut self, decl: &mut Decl) -> Done<()> {
        if decl.ty.members.is_some() && self.names.structs.contains_key(&decl.ty.name) {
            let what = format!("a second structure of the name `{}`", decl.ty.name);
            return Err(refused(ledger::GLSL_EXPRESSION, decl.ty.at, what));
        }
        let mut moved = Vec::new();
        self.structure(decl, &mut |own| moved.push(own))?;
        self.moved.append(&mut moved);
        Ok(())
    }

    /// Takes a structure's declaration out of another, to stand before it.
    pub(super) fn structure(&mut self, decl: &mut Decl, put: &mut impl FnMut(Decl)) -> Done<()> {
        self.check_type(&decl.ty)?;
        let Some(mut members) = decl.ty.members.take() else { return Ok(()) };
        if decl.ty.name.is_empty() {
            decl.ty.name = self.fresh();
        }
        let mut known = Vec::new();
        for member in &mut members {
            self.member(member, &mut known)?;
        }
        let large = || refused(ledger::GLSL_LAYOUT, decl.ty.at, "a structure of more than 4096 parts");
        self.names.structure(&decl.ty.name, known.clone()).ok_or_else(large)?;
        let skewed = known.iter().any(|(_, ty)| ty.as_ref().is_some_and(|ty| layout::is_skewed(&self.names, ty)));
        self.skewed |= skewed;
        let ty = TypeSpec { dims: Vec::new(), members: Some(members), ..decl.ty.clone() };
        put(Decl { quals: Quals::default(), ty, vars: Vec::new() });
        Ok(())
    }

    /// Checks a member of a structure or block, and notes its names and types.
    pub(super) fn member(&mut self, member: &mut Decl, known: &mut Vec<(String, Option<Ty>)>) -> Done<()> {
        self.check_others(&member.quals)?;
        self.check_type(&member.ty)?;
        if member.ty.members.is_some() {
            return Err(Failure::Syntax(member.ty.at, String::from("a structure declared inside another")));
        }
        self.sized(&mut member.ty.dims)?;
        for var in &mut member.vars {
            self.sized(&mut var.dims)?;
            known.push((var.name.clone(), self.names.ty(&member.ty, &var.dims)));
        }
        Ok(())
    }

    /// Rewrites a variable's dimensions and initializer, and gives its type.
    pub(super) fn variable(&mut self, spec: &mut TypeSpec, var: &mut Declarator) -> Done<Option<Ty>> {
        self.sized(&mut spec.dims)?;
        self.sized(&mut var.dims)?;
        if let Some(init) = &var.init {
            let outer = if var.dims.is_empty() { &mut spec.dims } else { &mut var.dims };
            count_of(init, outer);
        }
        let ty = self.names.ty(spec, &var.dims);
        if let Some(init) = var.init.take() {
            var.init = Some(self.init(init)?);
        }
        Ok(ty)
    }

    pub(super) fn init(&mut self, init: Init) -> Done<Init> {
        Ok(match init {
            Init::Expr(expr) => Init::Expr(self.value(expr)?),
            Init::List(at, parts) => {
                Init::List(at, parts.into_iter().map(|part| self.init(part)).collect::<Done<_>>()?)
            }
        })
    }
}

/// Statements without those that are never reached: naga forgets half of them. What they declare stays, for a label that
/// follows.
fn without_dead(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let (mut out, mut dead) = (Vec::new(), false);
    for stmt in stmts {
        dead &= !matches!(stmt, Stmt::Case(_) | Stmt::Default);
        match stmt {
            Stmt::Decl(mut decl) if dead => {
                // A constant's value is needed, and does nothing.
                if decl.quals.storage != Storage::Const {
                    decl.vars.iter_mut().for_each(|var| var.init = None);
                }
                out.push(Stmt::Decl(decl));
            }
            _ if dead => {}
            stmt => {
                dead = effects::ends(&stmt);
                out.push(stmt);
            }
        }
    }
    out
}

/// Gives dimensions without a size the initializer's.
fn count_of(init: &Init, dims: &mut [Option<Expr>]) {
    let Some((first, rest)) = dims.split_first_mut() else { return };
    let (at, count, inner) = match init {
        Init::List(at, parts) => (*at, parts.len(), parts.first()),
        Init::Expr(Expr { at, kind: Kind::Construct(_, args) }) => (*at, args.len(), None),
        Init::Expr(_) => return,
    };
    if first.is_none() {
        *first = Some(Expr { at, kind: Kind::Int(u32::try_from(count).unwrap_or(0), false) });
    }
    match (init, inner) {
        (_, Some(inner)) => count_of(inner, rest),
        (Init::Expr(Expr { kind: Kind::Construct(_, args), .. }), _) => {
            if let Some(inner) = args.first() {
                count_of(&Init::Expr(inner.clone()), rest);
            }
        }
        _ => {}
    }
}

/// Writes the parts of a comma each as a statement of its own: naga takes no call without a value in a comma.
fn flatten(expr: Expr, out: &mut Vec<Stmt>) {
    match expr.kind {
        Kind::Comma(parts) => parts.into_iter().for_each(|part| flatten(part, out)),
        _ => out.push(Stmt::Expr(expr)),
    }
}

fn one_variable(stmt: &Stmt) -> bool {
    !matches!(stmt, Stmt::Decl(decl) if decl.ty.members.is_some() || decl.vars.len() != 1)
}

/// A variable's declaration.
pub(super) fn declared(at: At, name: &str, ty: &Ty, init: Option<Expr>) -> Stmt {
    // The type's text has the dimensions in naga's order already.
    let ty = TypeSpec { at, name: ty.text(), dims: Vec::new(), members: None };
    let var = Declarator { at, name: String::from(name), dims: Vec::new(), init: init.map(Init::Expr) };
    Stmt::Decl(Decl { quals: Quals { at, ..Quals::default() }, ty, vars: vec![var] })
}
