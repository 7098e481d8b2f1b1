//! Expressions rewritten into what naga translates right.

use super::ast::*;
use super::effects;
use super::helpers::HELPERS;
use super::rewrite::Rewriter;
use super::scope::{Instead, Parameter, Signature, builtin, construct, name};
use super::types::{self, BOOL, INT, Scalar, Ty, UINT};
use super::{Failure, refused};
use crate::ledger;

/// An expression and its type, where that is known.
pub(super) type Typed = (Expr, Option<Ty>);
type Done<T> = Result<T, Failure>;

/// A call being written.
#[derive(Default)]
struct Call {
    before: Vec<Expr>,
    copies_in: Vec<Expr>,
    passed: Vec<Expr>,
    copies_out: Vec<Expr>,
}

impl Rewriter<'_> {
    /// Rewrites an expression that gives a value.
    pub(super) fn expr(&mut self, expr: Expr) -> Done<Typed> {
        let at = expr.at;
        let typed = |kind, ty| Ok((Expr { at, kind }, ty));
        match expr.kind {
            Kind::Int(value, unsigned) => typed(Kind::Int(value, unsigned), Some(if unsigned { UINT } else { INT })),
            Kind::Float(bits) if !f32::from_bits(bits).is_finite() => {
                Err(Failure::Syntax(at, String::from("a float that 32 bits do not hold")))
            }
            Kind::Float(bits) => typed(Kind::Float(bits), Some(types::FLOAT)),
            Kind::Bool(value) => typed(Kind::Bool(value), Some(BOOL)),
            Kind::Name(word) => {
                let (place, ty) = self.name(at, word)?;
                if self.in_columns(&place) {
                    return self.of_columns(place, ty.as_ref()).map(|place| (place, ty));
                }
                Ok((place, ty))
            }
            Kind::Unary(op, operand) => {
                let (operand, ty) = self.expr(*operand)?;
                self.folded(at, Kind::Unary(op, Box::new(operand)), ty)
            }
            Kind::Before(op, target) => {
                let (target, ty) = self.place(*target)?;
                self.check_target(&target)?;
                let (pins, target) = self.pinned(target, false)?;
                self.after(at, pins, Kind::Before(op, Box::new(target)), ty)
            }
            Kind::After(op, target) => {
                let (target, ty) = self.place(*target)?;
                self.check_target(&target)?;
                let (pins, target) = self.pinned(target, false)?;
                self.after(at, pins, Kind::After(op, Box::new(target)), ty)
            }
            Kind::Binary(op, left, right) => self.binary(at, op, *left, *right),
            Kind::Choice(condition, accept, reject) => {
                let (condition, _) = self.expr(*condition)?;
                let ((accept, ty), (reject, other)) = (self.expr(*accept)?, self.expr(*reject)?);
                let ty = match (&ty, &other) {
                    (Some(a), Some(b)) if a != b => types::binary("+", a, b),
                    _ => ty.or(other),
                };
                typed(Kind::Choice(Box::new(condition), Box::new(accept), Box::new(reject)), ty)
            }
            Kind::Assign(op, target, value) => self.assign(at, op, *target, *value),
            Kind::Comma(parts) => {
                let parts: Vec<Typed> = parts.into_iter().map(|part| self.expr(part)).collect::<Done<_>>()?;
                let ty = parts.last().and_then(|(_, ty)| ty.clone());
                typed(Kind::Comma(parts.into_iter().map(|(part, _)| part).collect()), ty)
            }
            Kind::Call(word, args) => self.call(at, word, args),
            Kind::Construct(spec, args) => self.construct(at, spec, args),
            Kind::Field(..) | Kind::Index(..) => {
                let (place, ty) = self.place(Expr { at, kind: expr.kind })?;
                let (pins, place) = self.pinned(place, false)?;
                if self.in_columns(&place) {
                    let place = self.of_columns(place, ty.as_ref())?;
                    return self.after(at, pins, place.kind, ty);
                }
                self.after(at, pins, place.kind, ty)
            }
            Kind::Length(base) => {
                let (base, ty) = self.place(*base)?;
                let known = match &ty {
                    Some(Ty::Vector(_, size)) => Some(u32::from(*size)),
                    Some(Ty::Matrix(_, columns, _)) => Some(u32::from(*columns)),
                    Some(Ty::Array(_, count)) if *count > 0 => Some(*count),
                    _ => None,
                };
                match known {
                    Some(known) if !self.effects.any(&base) => typed(Kind::Int(known, false), Some(INT)),
                    _ => typed(Kind::Length(Box::new(base)), Some(INT)),
                }
            }
        }
    }

    /// An expression behind others, joined by commas.
    fn after(&self, at: At, mut before: Vec<Expr>, kind: Kind, ty: Option<Ty>) -> Done<Typed> {
        let expr = Expr { at, kind };
        if before.is_empty() {
            return Ok((expr, ty));
        }
        before.push(expr);
        Ok((Expr { at, kind: Kind::Comma(before) }, ty))
    }

    fn name(&mut self, at: At, word: String) -> Done<Typed> {
        if let Some(var) = self.names.find(&word).cloned() {
            return Ok(match var.instead {
                Some(Instead::Combined(ty)) => {
                    let parts = ["rx_texture_", "rx_sampler_"].map(|prefix| name(at, &format!("{prefix}{word}")));
                    let opaque = Ty::Opaque(ty);
                    (construct(at, &opaque, parts.to_vec()), Some(opaque))
                }
                None => (name(at, &word), var.ty),
            });
        }
        if word == "gl_WorkGroupSize" {
            let Some(size) = self.local_size else {
                return Err(refused(
                    ledger::GLSL_VARIABLE,
                    at,
                    "`gl_WorkGroupSize` before the group's size is declared",
                ));
            };
            let parts = size.map(|n| Expr { at, kind: Kind::Int(n, true) });
            let ty = Ty::Vector(Scalar::Uint, 3);
            return Ok((construct(at, &ty, parts.to_vec()), Some(ty)));
        }
        match builtin(&word) {
            Some(INT) => {
                // naga has it as uint.
                let word = word.strip_suffix("ARB").unwrap_or(&word);
                Ok((construct(at, &INT, vec![name(at, word)]), Some(INT)))
            }
            Some(ty) => {
                self.check_builtin(at, &word)?;
                Ok((name(at, &word), Some(ty)))
            }
            None if word.starts_with("gl_") => Err(refused(ledger::GLSL_VARIABLE, at, format!("`{word}`"))),
            None => Ok((name(at, &word), None)),
        }
    }

    /// Rewrites an expression that has a place: a variable, a field, an element. Its indices are values.
    pub(super) fn place(&mut self, expr: Expr) -> Done<Typed> {
        let at = expr.at;
        match expr.kind {
            Kind::Field(base, field) => {
                let (base, ty) = self.place(*base)?;
                self.field(at, base, ty, field)
            }
            Kind::Index(base, index) => {
                let (base, ty) = self.place(*base)?;
                let (index, _) = self.expr(*index)?;
                self.index(at, base, ty, index)
            }
            Kind::Name(word) => self.name(at, word),
            kind => self.expr(Expr { at, kind }),
        }
    }

    /// Whether a place is a matrix, or matrices, that naga has as an array of columns.
    fn in_columns(&self, place: &Expr) -> bool {
        let mut inner = place;
        while let Kind::Index(base, _) = &inner.kind {
            inner = base;
        }
        let (instance, member) = match &inner.kind {
            Kind::Name(member) => (String::new(), member),
            Kind::Field(base, member) => match &base.kind {
                Kind::Name(instance) => (instance.clone(), member),
                _ => return false,
            },
            _ => return false,
        };
        let root = if instance.is_empty() { member } else { &instance };
        let is_global = self.names.find(root).is_some_and(|var| !var.local);
        let whole = matches!(self.type_of_place(place), Some(Ty::Matrix(..) | Ty::Array(..)));
        is_global && whole && self.columns.contains(&(instance, member.clone()))
    }

    /// The matrix made of its columns.
    fn of_columns(&mut self, place: Expr, ty: Option<&Ty>) -> Done<Expr> {
        let at = place.at;
        let (Some(ty @ Ty::Matrix(_, columns, _)), false) = (ty, self.effects.any(&place)) else {
            return Err(refused(ledger::GLSL_LAYOUT, at, "matrices of two rows in std140, other than one by one"));
        };
        // The place is written once for each column: its indices must be short.
        let mut before = Vec::new();
        let place = self.pin(place, &mut before)?;
        let column = |n: u8| {
            let index = Expr { at, kind: Kind::Int(u32::from(n), false) };
            Expr { at, kind: Kind::Index(Box::new(place.clone()), Box::new(index)) }
        };
        let matrix = construct(at, ty, (0..*columns).map(column).collect());
        self.after(at, before, matrix.kind, None).map(|(expr, _)| expr)
    }

    fn field(&mut self, at: At, base: Expr, ty: Option<Ty>, field: String) -> Done<Typed> {
        let own = ty.as_ref().and_then(|ty| self.names.field(ty, &field));
        // A swizzle of a swizzle is one.
        if let (Kind::Field(inner, letters), Some(Ty::Vector(..))) = (&base.kind, &ty)
            && let Some(joined) = joined(letters, &field)
            && self.is_swizzle(inner)
        {
            return Ok((Expr { at, kind: Kind::Field(inner.clone(), joined) }, own));
        }
        // naga finds no fields in a column, and takes its elements.
        if self.is_column(&base)
            && let Some(n) = component(&field)
        {
            let index = Box::new(Expr { at, kind: Kind::Int(n, false) });
            return Ok((Expr { at, kind: Kind::Index(Box::new(base), index) }, own));
        }
        // A scalar has a first component too.
        if let Some(Ty::Scalar(scalar)) = ty
            && field.chars().all(|letter| matches!(letter, 'x' | 'r' | 's'))
        {
            let size = u8::try_from(field.len()).unwrap_or(0);
            return match size {
                1 => Ok((base, ty)),
                2..=4 => {
                    let ty = Ty::Vector(scalar, size);
                    Ok((construct(at, &ty, vec![base]), Some(ty)))
                }
                _ => Err(Failure::Syntax(at, format!("`{field}` is no swizzle"))),
            };
        }
        if matches!(ty, Some(Ty::Vector(..))) && own.is_none() {
            return Err(Failure::Syntax(at, format!("`{field}` is no swizzle of a vector")));
        }
        Ok((Expr { at, kind: Kind::Field(Box::new(base), field) }, own))
    }

    /// Whether a place is a column of a matrix.
    fn is_column(&self, place: &Expr) -> bool {
        match &place.kind {
            Kind::Index(base, _) => matches!(self.type_of_place(base), Some(Ty::Matrix(..))),
            _ => false,
        }
    }

    /// Whether a place that was rewritten is a vector.
    fn is_swizzle(&self, base: &Expr) -> bool {
        matches!(self.type_of_place(base), Some(Ty::Vector(..)))
    }

    /// The type of a place that was rewritten already.
    fn type_of_place(&self, place: &Expr) -> Option<Ty> {
        match &place.kind {
            Kind::Name(word) => self.names.find(word).and_then(|var| var.ty.clone()).or_else(|| builtin(word)),
            Kind::Field(base, field) => self.names.field(&self.type_of_place(base)?, field),
            Kind::Index(base, _) => self.type_of_place(base)?.element(),
            _ => None,
        }
    }

    fn index(&mut self, at: At, base: Expr, ty: Option<Ty>, index: Expr) -> Done<Typed> {
        let element = ty.as_ref().and_then(Ty::element);
        if let Some(Ty::Opaque(_)) = element.as_ref().or(ty.as_ref()) {
            return Err(refused(
                ledger::GLSL_DESCRIPTORS,
                at,
                "an element of an array of textures, images or samplers",
            ));
        }
        if let (Kind::Field(_, letters), Some(Ty::Vector(..))) = (&base.kind, &ty)
            && letters.len() > 1
            && let Kind::Field(inner, _) = &base.kind
            && self.is_swizzle(inner)
            && let Kind::Int(n, _) = index.kind
            && let Some(letter) = letters.get(n as usize..n as usize + 1)
        {
            return Ok((Expr { at, kind: Kind::Field(inner.clone(), String::from(letter)) }, element));
        }
        Ok((Expr { at, kind: Kind::Index(Box::new(base), Box::new(index)) }, element))
    }

    /// Puts indices with effects, and those around them, into variables: naga takes the indices of nested elements from
    /// the outside in, and those of an operand that it reads and writes twice.
    pub(super) fn pinned(&mut self, place: Expr, twice: bool) -> Done<(Vec<Expr>, Expr)> {
        let mut indices = Vec::new();
        effects::each(&place, &mut |part| {
            if let Kind::Index(_, index) = &part.kind {
                indices.push((index.at, self.effects.any(index)));
            }
        });
        let base = base_of(&place);
        let effect = indices.iter().find(|(_, effect)| *effect);
        let Some((at, _)) = effect else { return Ok((Vec::new(), place)) };
        if !matches!(base.kind, Kind::Name(_)) && self.effects.any(base) {
            return Err(refused(ledger::GLSL_ORDER, *at, "an index with side effects into a value with side effects"));
        }
        let depth = chain_of(&place);
        if depth < 2 && !twice {
            return Ok((Vec::new(), place));
        }
        let mut pins = Vec::new();
        let place = self.pin(place, &mut pins)?;
        Ok((pins, place))
    }

    fn pin(&mut self, place: Expr, pins: &mut Vec<Expr>) -> Done<Expr> {
        let at = place.at;
        let kind = match place.kind {
            Kind::Field(base, field) => Kind::Field(Box::new(self.pin(*base, pins)?), field),
            Kind::Index(base, index) => {
                let base = self.pin(*base, pins)?;
                let index = if matches!(index.kind, Kind::Int(..)) {
                    *index
                } else {
                    let at = index.at;
                    let temp = self.temp(at, &INT)?;
                    pins.push(assigned(name(at, &temp), construct(at, &INT, vec![*index])));
                    name(at, &temp)
                };
                Kind::Index(Box::new(base), Box::new(index))
            }
            other => other,
        };
        Ok(Expr { at, kind })
    }

    fn assign(&mut self, at: At, op: &'static str, target: Expr, value: Expr) -> Done<Typed> {
        let (target, ty) = self.place(target)?;
        let (value, value_ty) = self.expr(value)?;
        if let Kind::Field(column, letters) = &target.kind
            && self.is_column(column)
        {
            return self.assign_in_column(at, op, (**column).clone(), letters.clone(), value);
        }
        self.check_target(&target)?;
        if op != "="
            && let Some(root) = effects::root(&target)
            && self.effects.writes(&value, root)
        {
            return self.assign_late(at, op, target, (value, value_ty));
        }
        let value = match (op, &ty, &value_ty) {
            // naga spreads no scalar over a remainder.
            ("%=", Some(Ty::Vector(_, n)), Some(Ty::Scalar(own))) => construct(at, &Ty::Vector(*own, *n), vec![value]),
            _ => value,
        };
        let (pins, target) = self.pinned(target, op != "=")?;
        let ty = ty.or(value_ty);
        self.after(at, pins, Kind::Assign(op, Box::new(target), Box::new(value)), ty)
    }

    /// A compound assignment whose value writes the target: the indices come first, then the value, and the target is
    /// read last. That is glslang's order; naga reads the target before the value.
    fn assign_late(&mut self, at: At, op: &'static str, target: Expr, (value, ty): Typed) -> Done<Typed> {
        let Some(value_ty @ (Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(..))) = ty else {
            return Err(refused(ledger::GLSL_ORDER, at, format!("`{op}` with a value that writes the target")));
        };
        let ty = self.type_of_place(&target);
        let mut before = Vec::new();
        let target = self.pin(target, &mut before)?;
        let temp = self.temp(at, &value_ty)?;
        before.push(assigned(name(at, &temp), value));
        let value = match (op, &ty, &value_ty) {
            ("%=", Some(Ty::Vector(_, n)), Ty::Scalar(own)) => {
                construct(at, &Ty::Vector(*own, *n), vec![name(at, &temp)])
            }
            _ => name(at, &temp),
        };
        self.after(at, before, Kind::Assign(op, Box::new(target), Box::new(value)), ty)
    }

    /// Several components of a matrix's column: naga stores the whole.
    fn assign_in_column(
        &mut self,
        at: At,
        op: &'static str,
        column: Expr,
        letters: String,
        value: Expr,
    ) -> Done<Typed> {
        let Some(ty) = self.type_of_place(&column) else { return Err(self.unknown(at)) };
        let root = effects::root(&column).map(String::from);
        if self.effects.any(&column) || root.is_none_or(|root| self.effects.writes(&value, &root)) {
            return Err(refused(ledger::GLSL_ORDER, at, "a column of a matrix with side effects around it"));
        }
        let own = self.names.field(&ty, &letters);
        let temp = self.temp(at, &ty)?;
        let part = Expr { at, kind: Kind::Field(Box::new(name(at, &temp)), letters) };
        let before = vec![
            assigned(name(at, &temp), column.clone()),
            Expr { at, kind: Kind::Assign(op, Box::new(part.clone()), Box::new(value)) },
            assigned(column, name(at, &temp)),
        ];
        self.after(at, before, part.kind, own)
    }

    /// Refuses what naga cannot store to.
    fn check_target(&self, target: &Expr) -> Done<()> {
        if self.in_columns(target) {
            return Err(refused(ledger::GLSL_LAYOUT, target.at, "a matrix of two rows in std140 is written"));
        }
        let (Kind::Index(base, _) | Kind::Field(base, _)) = &target.kind else { return Ok(()) };
        if matches!(target.kind, Kind::Field(..)) && self.is_column(base) {
            return Err(refused(ledger::GLSL_EXPRESSION, target.at, "several components of a matrix's column"));
        }
        if let Kind::Field(inner, letters) = &base.kind
            && letters.len() > 1
            && self.is_swizzle(inner)
        {
            return Err(refused(ledger::GLSL_EXPRESSION, target.at, "an element of a swizzle is assigned"));
        }
        Ok(())
    }

    fn binary(&mut self, at: At, op: &'static str, left: Expr, right: Expr) -> Done<Typed> {
        let ((left, left_ty), (right, right_ty)) = (self.expr(left)?, self.expr(right)?);
        let ty = match (&left_ty, &right_ty) {
            (Some(a), Some(b)) => types::binary(op, a, b),
            _ => types::binary(op, &BOOL, &BOOL)
                .filter(|_| !matches!(op, "<<" | ">>" | "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^")),
        };
        // Only the ternary operator chooses in naga; these two evaluate both sides.
        if matches!(op, "&&" | "||") && !self.constant && self.effects.conditional(&right) {
            let known = Box::new(Expr { at: right.at, kind: Kind::Bool(op == "||") });
            let (accept, reject) = if op == "&&" { (Box::new(right), known) } else { (known, Box::new(right)) };
            return Ok((Expr { at, kind: Kind::Choice(Box::new(left), accept, reject) }, Some(BOOL)));
        }
        if matches!(op, "==" | "!=") {
            let compound = |ty: &Option<Ty>| matches!(ty, Some(Ty::Struct(_) | Ty::Array(..)));
            if compound(&left_ty) || compound(&right_ty) {
                let Some(both) = left_ty.or(right_ty) else { return Err(self.unknown(at)) };
                let call = Kind::Call(self.equality(at, &both)?, vec![left, right]);
                let call = Expr { at, kind: call };
                let kind = if op == "==" { return Ok((call, Some(BOOL))) } else { Kind::Unary("!", Box::new(call)) };
                return Ok((Expr { at, kind }, Some(BOOL)));
            }
        }
        let (left, right) = match (op, &left_ty, &right_ty) {
            // naga spreads no scalar over a remainder.
            ("%", Some(Ty::Vector(_, n)), Some(Ty::Scalar(own))) => {
                (left, construct(at, &Ty::Vector(*own, *n), vec![right]))
            }
            ("%", Some(Ty::Scalar(own)), Some(Ty::Vector(_, n))) => {
                (construct(at, &Ty::Vector(*own, *n), vec![left]), right)
            }
            _ => (left, right),
        };
        self.folded(at, Kind::Binary(op, Box::new(left), Box::new(right)), ty)
    }

    /// A constant integer is written as its value: naga takes an overflow for an error, and the language wraps.
    fn folded(&self, at: At, kind: Kind, ty: Option<Ty>) -> Done<Typed> {
        let expr = Expr { at, kind };
        let unsigned = ty == Some(UINT);
        match self.names.value(&expr).filter(|_| unsigned || ty == Some(INT)) {
            Some(value) => Ok((Expr { at, kind: Kind::Int(value as u32, unsigned) }, ty)),
            None => Ok((expr, ty)),
        }
    }

    fn unknown(&self, at: At) -> Failure {
        refused(ledger::GLSL_EXPRESSION, at, "an operator on a type that rx does not know here")
    }

    fn construct(&mut self, at: At, mut spec: TypeSpec, args: Vec<Expr>) -> Done<Typed> {
        self.check_type(&spec)?;
        let count = args.len();
        let args: Vec<Typed> = args.into_iter().map(|arg| self.expr(arg)).collect::<Done<_>>()?;
        // An array's constructor without a size has as many elements as arguments.
        if let Some(dim @ None) = spec.dims.first_mut() {
            *dim = Some(Expr { at, kind: Kind::Int(u32::try_from(count).unwrap_or(0), false) });
        }
        let ty = self.names.ty(&spec, &[]);
        if let (Some(Ty::Matrix(own, columns, rows)), [(_, from)]) = (&ty, args.as_slice()) {
            match from {
                Some(Ty::Vector(..)) if *columns == 2 && *rows == 2 => return self.matrix_of_vector(at, spec, args),
                Some(Ty::Scalar(_)) => {}
                Some(Ty::Matrix(scalar, ..)) if scalar == own => {}
                _ => {
                    return Err(refused(ledger::GLSL_EXPRESSION, at, "a matrix of a value that naga does not convert"));
                }
            }
        }
        let args = args.into_iter().map(|(arg, _)| arg).collect();
        Ok((Expr { at, kind: Kind::Construct(spec, args) }, ty))
    }

    /// `mat2(v)` of four components.
    fn matrix_of_vector(&mut self, at: At, spec: TypeSpec, args: Vec<Typed>) -> Done<Typed> {
        let ty = self.names.ty(&spec, &[]);
        let Some((vector, Some(vector_ty))) = args.into_iter().next() else { return Err(self.unknown(at)) };
        let temp = self.temp(at, &vector_ty)?;
        let parts = ["x", "y", "z", "w"]
            .map(|letter| Expr { at, kind: Kind::Field(Box::new(name(at, &temp)), String::from(letter)) });
        let matrix = Kind::Construct(spec, parts.to_vec());
        self.after(at, vec![assigned(name(at, &temp), vector)], matrix, ty)
    }

    fn call(&mut self, at: At, word: String, args: Vec<Expr>) -> Done<Typed> {
        if self.names.structs.contains_key(&word) && self.names.find(&word).is_none() {
            let args = args.into_iter().map(|arg| self.expr(arg).map(|(arg, _)| arg)).collect::<Done<_>>()?;
            let ty = Some(Ty::Struct(word.clone()));
            return Ok((Expr { at, kind: Kind::Call(word, args) }, ty));
        }
        if self.names.functions.contains_key(&word) {
            return self.call_own(at, word, args);
        }
        if let Some((_, helper)) = HELPERS.iter().find(|(known, _)| *known == word) {
            self.helpers.insert(helper);
            self.know_helper(helper);
            return self.call_own(at, String::from(*helper), args);
        }
        if types::lacks_function(&word) {
            let code = if word == "nonuniformEXT" { ledger::GLSL_DESCRIPTORS } else { ledger::GLSL_FUNCTION };
            return Err(refused(code, at, format!("`{word}`")));
        }
        let args: Vec<Typed> = args.into_iter().map(|arg| self.expr(arg)).collect::<Done<_>>()?;
        let (args, types): (Vec<Expr>, Vec<Option<Ty>>) = args.into_iter().unzip();
        self.call_builtin(at, word, args, types)
    }

    /// A call of the text's own function, or of a helper.
    fn call_own(&mut self, at: At, word: String, args: Vec<Expr>) -> Done<Typed> {
        let args: Vec<Typed> = args.into_iter().map(|arg| self.place(arg)).collect::<Done<_>>()?;
        let (args, types): (Vec<Expr>, Vec<Option<Ty>>) = args.into_iter().unzip();
        let outs: Vec<bool> = match self.names.functions.get(&word) {
            Some(all) => {
                (0..args.len()).map(|i| all.iter().any(|own| own.params.get(i).is_some_and(|p| p.2))).collect()
            }
            None => Vec::new(),
        };
        let signature = self.names.signature(&word, &types).cloned();
        let ret = signature.as_ref().and_then(|own| own.ret.clone());
        if !outs.contains(&true) {
            let mut out = Vec::new();
            let mut before = Vec::new();
            for arg in args {
                let (pins, arg) = self.pinned(arg, false)?;
                let arg = self.as_value(arg)?;
                if !pins.is_empty() && out.iter().any(|earlier| self.effects.any(earlier)) {
                    return Err(refused(ledger::GLSL_ORDER, at, "arguments whose order naga does not keep"));
                }
                before.extend(pins);
                out.push(arg);
            }
            // Values are read after the indices of all of them.
            return self.after(at, before, Kind::Call(word, out), ret);
        }
        let Some(signature) = signature else {
            return Err(refused(
                ledger::GLSL_ARGUMENT,
                at,
                format!("which overload of `{word}` is called is not known"),
            ));
        };
        self.call_with_outs(at, word, args, &signature)
    }

    /// Arguments that are written back go through variables, unless naga can point to them: the values and places of all
    /// are evaluated in their order, then the variables are set, and copied back behind the call.
    fn call_with_outs(&mut self, at: At, word: String, args: Vec<Expr>, signature: &Signature) -> Done<Typed> {
        let roots: Vec<Option<String>> = args.iter().map(|arg| effects::root(arg).map(String::from)).collect();
        let direct: Vec<bool> =
            args.iter().zip(&signature.params).map(|(arg, param)| self.is_direct(arg, param, &roots)).collect();
        let acts = |(arg, param): (&Expr, &Parameter)| !param.2 && self.effects.any(arg);
        let ordered = direct.contains(&false) && args.iter().zip(&signature.params).any(acts);
        let mut call = Call::default();
        for ((arg, param), direct) in args.into_iter().zip(&signature.params).zip(direct) {
            match param {
                (_, _, true) if direct => call.passed.push(arg),
                (ty, reads, true) => self.written_back(&mut call, arg, ty.as_ref(), *reads)?,
                (ty, ..) => {
                    let (pins, arg) = self.pinned(arg, false)?;
                    call.before.extend(pins);
                    let arg = self.as_value(arg)?;
                    let arg = match ty {
                        Some(ty) if ordered && !matches!(ty, Ty::Opaque(_)) => {
                            let temp = self.temp(arg.at, ty)?;
                            call.before.push(assigned(name(arg.at, &temp), arg));
                            name(at, &temp)
                        }
                        None if ordered => {
                            return Err(refused(ledger::GLSL_ORDER, arg.at, "an argument of an unknown type"));
                        }
                        _ => arg,
                    };
                    call.passed.push(arg);
                }
            }
        }
        self.finished(at, word, call, signature)
    }

    /// Whether naga can point to an argument: a whole variable of the function, of the parameter's type, once.
    fn is_direct(&self, arg: &Expr, (ty, _, writes): &Parameter, roots: &[Option<String>]) -> bool {
        let Kind::Name(own) = &arg.kind else { return !writes };
        let shared = roots.iter().filter(|other| other.as_deref() == Some(own.as_str())).count() > 1;
        let is_local = self.names.find(own).is_some_and(|var| var.local);
        !writes || (is_local && !shared && self.type_of_place(arg) == *ty)
    }

    /// An argument that is written back through a variable.
    fn written_back(&mut self, call: &mut Call, arg: Expr, ty: Option<&Ty>, reads: bool) -> Done<()> {
        let at = arg.at;
        if effects::root(&arg).is_none() {
            return Err(refused(ledger::GLSL_ARGUMENT, at, "an argument that is written back and has no place"));
        }
        self.check_target(&arg)?;
        let Some(ty) = ty else {
            return Err(refused(ledger::GLSL_ARGUMENT, at, "a parameter of an unknown type that is written back"));
        };
        let place_ty = self.type_of_place(&arg);
        // What the other arguments and the function do must not move the place.
        let arg = self.pin(arg, &mut call.before)?;
        let temp = self.temp(at, ty)?;
        if reads {
            call.copies_in.push(assigned(name(at, &temp), arg.clone()));
        }
        let back = match &place_ty {
            Some(own) if own != ty && own.scalar().is_some() => construct(at, own, vec![name(at, &temp)]),
            _ => name(at, &temp),
        };
        call.copies_out.push(assigned(arg, back));
        call.passed.push(name(at, &temp));
        Ok(())
    }

    /// The call with what surrounds it.
    fn finished(&mut self, at: At, word: String, call: Call, signature: &Signature) -> Done<Typed> {
        let Call { mut before, copies_in, passed, copies_out } = call;
        before.extend(copies_in);
        let call = Expr { at, kind: Kind::Call(word, passed) };
        if copies_out.is_empty() || matches!(signature.ret, Some(Ty::Void)) {
            before.push(call);
            before.extend(copies_out);
            let kind = if before.len() == 1 { before.remove(0).kind } else { Kind::Comma(before) };
            return Ok((Expr { at, kind }, signature.ret.clone()));
        }
        let Some(ret) = &signature.ret else {
            return Err(refused(ledger::GLSL_ARGUMENT, at, "a function whose result has an unknown type"));
        };
        let result = self.temp(at, ret)?;
        before.push(assigned(name(at, &result), call));
        before.extend(copies_out);
        self.after(at, before, Kind::Name(result), Some(ret.clone()))
    }

    /// A place as a value.
    fn as_value(&mut self, place: Expr) -> Done<Expr> {
        if !self.in_columns(&place) {
            return Ok(place);
        }
        let ty = self.type_of_place(&place);
        self.of_columns(place, ty.as_ref())
    }
}

/// `target = value`.
pub(super) fn assigned(target: Expr, value: Expr) -> Expr {
    Expr { at: target.at, kind: Kind::Assign("=", Box::new(target), Box::new(value)) }
}

/// The number of a swizzle's only component.
fn component(letters: &str) -> Option<u32> {
    let mut all = letters.chars();
    let (Some(letter), None) = (all.next(), all.next()) else { return None };
    ["xyzw", "rgba", "stpq"].iter().find_map(|set| set.find(letter)).and_then(|n| u32::try_from(n).ok())
}

/// What a chain of fields and elements begins with.
fn base_of(place: &Expr) -> &Expr {
    match &place.kind {
        Kind::Field(base, _) | Kind::Index(base, _) => base_of(base),
        _ => place,
    }
}

/// How many elements a chain names.
fn chain_of(place: &Expr) -> usize {
    match &place.kind {
        Kind::Field(base, _) => chain_of(base),
        Kind::Index(base, _) => 1 + chain_of(base),
        _ => 0,
    }
}

/// The swizzle that two in a row are.
fn joined(first: &str, second: &str) -> Option<String> {
    let position = |letter: char| ["xyzw", "rgba", "stpq"].iter().find_map(|set| set.find(letter));
    if first.chars().any(|letter| position(letter).is_none()) {
        return None;
    }
    second.chars().map(|letter| position(letter).and_then(|n| first.chars().nth(n))).collect()
}
