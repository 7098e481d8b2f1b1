//! What names stand for while a text is rewritten.

use super::ast::{At, Expr, Init, Kind, TypeSpec};
use super::types::{self, Ty};
use std::collections::BTreeMap;

/// Most parts of a structure.
const MAX_PARTS: u32 = 1 << 12;

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub ty: Option<Ty>,
    /// It lives in the function: naga passes it to a parameter that is written back.
    pub local: bool,
    /// Every use is written as this.
    pub instead: Option<Instead>,
}

/// What is written for a name.
#[derive(Clone, Debug)]
pub(super) enum Instead {
    /// A texture and a sampler of this constructor, both named after the variable.
    Combined(String),
}

/// A parameter's type, whether its argument is read and written, and whether it is written.
pub(super) type Parameter = (Option<Ty>, bool, bool);

/// A function's parameters and result.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub params: Vec<Parameter>,
    pub ret: Option<Ty>,
}

/// All names that are known.
#[derive(Default)]
pub(super) struct Names {
    pub structs: BTreeMap<String, Vec<(String, Option<Ty>)>>,
    pub functions: BTreeMap<String, Vec<Signature>>,
    /// Scalars, vectors and matrices that a structure is made of, an array's elements counted once.
    parts: BTreeMap<String, u32>,
    /// Values of constant integers.
    constants: BTreeMap<String, i64>,
    scopes: Vec<BTreeMap<String, Var>>,
}

impl Names {
    /// Makes a structure known. None: it has more parts than are followed, since each use follows them all.
    pub(super) fn structure(&mut self, name: &str, members: Vec<(String, Option<Ty>)>) -> Option<()> {
        let count =
            members.iter().map(|(_, ty)| ty.as_ref().map_or(1, |ty| self.count(ty))).fold(0, u32::saturating_add);
        self.parts.insert(String::from(name), count);
        self.structs.insert(String::from(name), members);
        (count <= MAX_PARTS).then_some(())
    }

    fn count(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Array(element, _) => self.count(element),
            Ty::Struct(name) => self.parts.get(name).copied().unwrap_or(1),
            _ => 1,
        }
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn declare(&mut self, name: &str, var: Var) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(String::from(name), var);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Var> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Notes the value of a constant integer, where it has one.
    pub(super) fn constant(&mut self, name: &str, init: Option<&Init>) {
        let value = match init {
            Some(Init::Expr(expr)) => self.value(expr),
            _ => None,
        };
        match value {
            Some(value) => self.constants.insert(String::from(name), value),
            // An inner name hides an outer constant.
            None => self.constants.remove(name),
        };
    }

    /// The type as it is written, under dimensions of a declarator.
    pub(super) fn ty(&self, spec: &TypeSpec, outer: &[Option<Expr>]) -> Option<Ty> {
        let base =
            if self.structs.contains_key(&spec.name) { Ty::Struct(spec.name.clone()) } else { Ty::named(&spec.name)? };
        let count = |dim: &Option<Expr>| {
            let value = dim.as_ref().and_then(|size| self.value(size)).unwrap_or(0);
            u32::try_from(value).unwrap_or(0)
        };
        // The last dimension is the innermost.
        let dims = outer.iter().chain(&spec.dims);
        Some(dims.rev().fold(base, |element, dim| Ty::Array(Box::new(element), count(dim))))
    }

    /// The value of a constant integer expression, as far as it is known.
    pub(super) fn value(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            Kind::Int(value, false) => Some(i64::from(*value as i32)),
            Kind::Int(value, true) => Some(i64::from(*value)),
            Kind::Name(name) => self.constants.get(name).copied(),
            Kind::Unary("-", operand) => self.value(operand).and_then(i64::checked_neg),
            Kind::Unary("+", operand) => self.value(operand),
            Kind::Binary(op, left, right) => fold(op, self.value(left)?, self.value(right)?),
            Kind::Construct(ty, args) if ty.name == "uint" && ty.dims.is_empty() => {
                args.first().and_then(|arg| self.value(arg)).map(|value| i64::from(value as u32))
            }
            Kind::Construct(ty, args) if ty.name == "int" && ty.dims.is_empty() => {
                args.first().and_then(|arg| self.value(arg)).map(|value| i64::from(value as i32))
            }
            Kind::Length(base) => match &base.kind {
                Kind::Name(name) => match self.find(name)?.ty.as_ref()? {
                    Ty::Array(_, count) if *count > 0 => Some(i64::from(*count)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a field.
    pub(super) fn field(&self, base: &Ty, name: &str) -> Option<Ty> {
        match base {
            Ty::Struct(own) => {
                let members = self.structs.get(own)?;
                members.iter().find(|(member, _)| member == name).and_then(|(_, ty)| ty.clone())
            }
            _ => base.swizzle(name),
        }
    }

    /// The signature that a call means: the one that takes the arguments' types, or the only one of so many. None: which
    /// one is not known.
    pub(super) fn signature(&self, name: &str, args: &[Option<Ty>]) -> Option<&Signature> {
        let fitting = self.functions.get(name)?.iter().filter(|own| own.params.len() == args.len());
        let fitting: Vec<&Signature> = fitting.collect();
        let exact =
            fitting.iter().find(|own| own.params.iter().zip(args).all(|((ty, ..), arg)| ty.is_some() && ty == arg));
        match (exact, fitting.as_slice()) {
            (Some(exact), _) => Some(exact),
            (None, [only]) => Some(only),
            _ => None,
        }
    }
}

fn fold(op: &str, left: i64, right: i64) -> Option<i64> {
    match op {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "<<" => u32::try_from(right).ok().filter(|by| *by < 32).map(|by| left << by),
        ">>" => u32::try_from(right).ok().filter(|by| *by < 32).map(|by| left >> by),
        "&" => Some(left & right),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        _ => None,
    }
}

/// A plain name.
pub(super) fn name(at: At, name: &str) -> Expr {
    Expr { at, kind: Kind::Name(String::from(name)) }
}

/// A constructor of a built-in type.
pub(super) fn construct(at: At, ty: &Ty, args: Vec<Expr>) -> Expr {
    let spec = TypeSpec { at, name: ty.text(), dims: Vec::new(), members: None };
    Expr { at, kind: Kind::Construct(spec, args) }
}

/// The variables of the language, as they are typed in it.
pub(super) fn builtin(name: &str) -> Option<Ty> {
    types::variable(name)
}
