//! What is declared outside functions: variables, blocks, inputs and outputs.

use super::SAMPLER_HALF;
use super::ast::*;
use super::exprs::assigned;
use super::layout;
use super::rewrite::{Rewriter, declared};
use super::scope::{Instead, Var, name};
use super::types::{self, Scalar, Ty};
use super::{Failure, refused};
use crate::interface::Stage;
use crate::ledger;

type Done<T> = Result<T, Failure>;

/// Image formats that naga knows, as the language writes them.
const FORMATS: &[&str] = &[
    "rgba32f",
    "rgba16f",
    "rg32f",
    "rg16f",
    "r11f_g11f_b10f",
    "r32f",
    "r16f",
    "rgba16",
    "rgb10_a2",
    "rgba8",
    "rg16",
    "rg8",
    "r16",
    "r8",
    "rgba16_snorm",
    "rgba8_snorm",
    "rg16_snorm",
    "rg8_snorm",
    "r16_snorm",
    "r8_snorm",
    "rgba32i",
    "rgba16i",
    "rgba8i",
    "rg32i",
    "rg16i",
    "rg8i",
    "r32i",
    "r16i",
    "r8i",
    "rgba32ui",
    "rgba16ui",
    "rgb10_a2ui",
    "rgba8ui",
    "rg32ui",
    "rg16ui",
    "rg8ui",
    "r32ui",
    "r16ui",
    "r8ui",
];

/// Most variables that an input or output is taken apart into.
const MAX_PARTS: usize = 256;

impl Rewriter<'_> {
    /// Rewrites an item that is no function; what is left of it goes to `out`.
    pub(super) fn item(&mut self, item: Item, out: &mut Vec<Item>) -> Done<()> {
        match item {
            Item::Version(_) | Item::Function(_) => {
                out.push(item);
                Ok(())
            }
            Item::Layout(quals) => self.layout_only(quals, out),
            Item::Again(quals, names) => self.again(&quals, names, out),
            Item::Decl(decl) => self.global(decl, out),
            Item::Block(block) => self.block_item(block, out),
        }
    }

    fn layout_only(&mut self, mut quals: Quals, out: &mut Vec<Item>) -> Done<()> {
        self.check_others(&quals)?;
        for (at, id, value) in &mut quals.layout {
            let Some(size) = value.take() else {
                match (id.as_str(), quals.storage) {
                    ("early_fragment_tests", Storage::In)
                    | ("std140" | "column_major", Storage::Uniform)
                    | ("std430" | "column_major", Storage::Buffer) => continue,
                    _ => {
                        return Err(refused(
                            ledger::GLSL_QUALIFIER,
                            *at,
                            format!("`layout({id})` for all that follows"),
                        ));
                    }
                }
            };
            let axis = ["local_size_x", "local_size_y", "local_size_z"].iter().position(|known| known == id);
            let Some(axis) = axis else {
                return Err(refused(ledger::GLSL_QUALIFIER, *at, format!("`layout({id} = …)` for all that follows")));
            };
            let size = self.constant_expr(size)?;
            let number = self.names.value(&size).and_then(|n| u32::try_from(n).ok());
            let Some(number) = number else {
                return Err(refused(ledger::GLSL_QUALIFIER, *at, format!("a `{id}` whose value rx does not know")));
            };
            self.local_size.get_or_insert([1; 3])[axis] = number;
            *value = Some(size);
        }
        if quals.storage == Storage::In {
            out.push(Item::Layout(quals));
        }
        Ok(())
    }

    /// `invariant gl_Position;` is naga's; `precise` is done for all.
    fn again(&mut self, quals: &Quals, names: Vec<(At, String)>, out: &mut Vec<Item>) -> Done<()> {
        self.check_others(quals)?;
        let plain = quals.storage == Storage::None && quals.layout.is_empty() && quals.interpolation.is_none();
        for (at, name) in names {
            if !plain || (quals.invariant && name != "gl_Position") {
                return Err(refused(ledger::GLSL_QUALIFIER, at, format!("qualifiers added to `{name}`")));
            }
            if quals.invariant {
                out.push(Item::Again(quals.clone(), vec![(at, name)]));
            }
        }
        Ok(())
    }

    fn global(&mut self, mut decl: Decl, out: &mut Vec<Item>) -> Done<()> {
        self.check_others(&decl.quals)?;
        self.structure(&mut decl, &mut |own| out.push(Item::Decl(own)))?;
        for mut var in std::mem::take(&mut decl.vars) {
            if var.name.starts_with("gl_") {
                self.builtin_again(&decl.quals, &var, out)?;
                continue;
            }
            let is_const = decl.quals.storage == Storage::Const;
            let before = std::mem::replace(&mut self.constant, is_const);
            let ty = self.variable(&mut decl.ty, &mut var);
            self.constant = before;
            let ty = ty?;
            self.layout_values(&mut decl.quals)?;
            let one = Decl { quals: decl.quals.clone(), ty: decl.ty.clone(), vars: Vec::new() };
            self.names.constant(&var.name, var.init.as_ref().filter(|_| is_const));
            self.names.declare(&var.name, Var { ty: ty.clone(), local: false, instead: None });
            match one.quals.storage {
                Storage::In | Storage::Out => self.varying(one, var, ty, out)?,
                Storage::Uniform => self.opaque(one, var, ty, out)?,
                Storage::Const => {
                    self.only(&one.quals, &["constant_id"])?;
                    out.push(Item::Decl(Decl { vars: vec![var], ..one }));
                }
                _ => self.private(one, var, ty, out)?,
            }
        }
        Ok(())
    }

    /// Rewrites the values of a layout.
    fn layout_values(&mut self, quals: &mut Quals) -> Done<()> {
        for (_, _, value) in &mut quals.layout {
            if let Some(own) = value.take() {
                *value = Some(self.constant_expr(own)?);
            }
        }
        Ok(())
    }

    /// Refuses layouts other than these.
    fn only(&self, quals: &Quals, known: &[&str]) -> Done<()> {
        match quals.layout.iter().find(|(_, id, _)| !known.contains(&id.as_str())) {
            Some((at, id, _)) => Err(refused(ledger::GLSL_QUALIFIER, *at, format!("`layout({id})` here"))),
            None => Ok(()),
        }
    }

    /// A built-in variable that is declared again: with the same meaning it needs no declaration.
    fn builtin_again(&mut self, quals: &Quals, var: &Declarator, out: &mut Vec<Item>) -> Done<()> {
        let plain = quals.layout.is_empty() && quals.interpolation.is_none() && quals.sampling.is_none();
        let sized = matches!(var.name.as_str(), "gl_ClipDistance" | "gl_CullDistance");
        if !plain || sized || super::scope::builtin(&var.name).is_none() {
            return Err(refused(ledger::GLSL_VARIABLE, var.at, format!("`{}` declared again", var.name)));
        }
        if quals.invariant && var.name == "gl_Position" {
            let again = Quals { storage: Storage::None, ..quals.clone() };
            out.push(Item::Again(again, vec![(var.at, var.name.clone())]));
        }
        Ok(())
    }

    /// A variable of the stage or of the group. naga drops initializers that are no constants: they run before `main`.
    fn private(&mut self, one: Decl, mut var: Declarator, ty: Option<Ty>, out: &mut Vec<Item>) -> Done<()> {
        self.only(&one.quals, &[])?;
        if matches!(ty, Some(Ty::Opaque(_))) {
            return Err(Failure::Syntax(var.at, String::from("a texture, image or sampler that is no uniform")));
        }
        if let Some(init) = var.init.take() {
            self.run_before(&one.ty, &var, init);
        }
        out.push(Item::Decl(Decl { vars: vec![var], ..one }));
        Ok(())
    }

    fn run_before(&mut self, ty: &TypeSpec, var: &Declarator, init: Init) {
        let temp = self.fresh();
        let own = Declarator { name: temp.clone(), init: Some(init), ..var.clone() };
        let decl = Decl { quals: Quals { at: var.at, ..Quals::default() }, ty: ty.clone(), vars: vec![own] };
        self.before.push(Stmt::Decl(decl));
        self.before.push(Stmt::Expr(assigned(name(var.at, &var.name), name(var.at, &temp))));
    }

    /// A texture, image or sampler.
    fn opaque(&mut self, mut one: Decl, var: Declarator, ty: Option<Ty>, out: &mut Vec<Item>) -> Done<()> {
        let own = match &ty {
            Some(Ty::Opaque(own)) => own.clone(),
            Some(Ty::Array(element, _)) if matches!(innermost(element), Ty::Opaque(_)) => {
                return Err(refused(
                    ledger::GLSL_DESCRIPTORS,
                    var.at,
                    format!("`{}` is an array of descriptors", var.name),
                ));
            }
            _ => {
                let what = "a uniform outside a block that is no texture, image or sampler";
                return Err(Failure::Syntax(var.at, String::from(what)));
            }
        };
        let core = types::unsigned_core(&own);
        let dims = ["1D", "1DArray", "2D", "2DArray", "3D"];
        let known = match (core.strip_prefix("texture"), core.strip_prefix("image")) {
            (Some(rest), _) => dims.contains(&rest) || ["2DMS", "2DMSArray", "Cube", "CubeArray"].contains(&rest),
            (_, Some(rest)) => dims.contains(&rest),
            _ => matches!(core, "sampler" | "samplerShadow"),
        };
        if is_combined(core) {
            return self.combined(one, &var, &own, out);
        }
        if !known {
            return Err(refused(ledger::GLSL_TYPE, var.at, format!("`{own} {}`", var.name)));
        }
        let is_image = core.starts_with("image");
        let formats = one.quals.layout.iter().filter(|(_, id, _)| FORMATS.contains(&id.as_str())).count();
        if is_image && formats != 1 {
            return Err(refused(ledger::GLSL_QUALIFIER, var.at, format!("`{own} {}` without a format", var.name)));
        }
        let binding = one.quals.layout.iter().find(|(_, id, _)| id == "binding");
        let binding = binding.and_then(|(_, _, value)| self.names.value(value.as_ref()?));
        if binding.is_some_and(|n| n >= i64::from(SAMPLER_HALF)) {
            return Err(refused(ledger::GLSL_QUALIFIER, var.at, "a binding of 2^30 or more"));
        }
        let allowed: Vec<&str> = ["set", "binding"].iter().chain(FORMATS).copied().collect();
        self.only(&one.quals, &allowed)?;
        one.quals.interpolation = None;
        out.push(Item::Decl(Decl { vars: vec![var], ..one }));
        Ok(())
    }

    /// A combined texture and sampler: two variables for naga, made one again in the words.
    fn combined(&mut self, one: Decl, var: &Declarator, own: &str, out: &mut Vec<Item>) -> Done<()> {
        self.only(&one.quals, &["set", "binding"])?;
        let number = |id: &str| {
            let found = one.quals.layout.iter().find(|(_, known, _)| known == id);
            found.and_then(|(_, _, value)| self.names.value(value.as_ref()?)).and_then(|n| u32::try_from(n).ok())
        };
        let (set, Some(binding)) = (number("set").unwrap_or(0), number("binding").filter(|n| *n < SAMPLER_HALF)) else {
            return Err(Failure::Syntax(var.at, String::from("a sampler without a binding")));
        };
        let plain = own.replace("sampler", "texture").replace("Shadow", "");
        let sampler = if own.contains("Shadow") { "samplerShadow" } else { "sampler" };
        for (prefix, ty, half) in [("rx_texture_", plain.as_str(), 0), ("rx_sampler_", sampler, SAMPLER_HALF)] {
            let number = |n: u32| Some(Expr { at: var.at, kind: Kind::Int(n, false) });
            let layout = [("set", set), ("binding", binding + half)];
            let layout = layout.map(|(id, n)| (var.at, String::from(id), number(n)));
            let quals = Quals { at: var.at, storage: Storage::Uniform, layout: layout.to_vec(), ..Quals::default() };
            let ty = TypeSpec { at: var.at, name: String::from(ty), dims: Vec::new(), members: None };
            let var = Declarator { name: format!("{prefix}{}", var.name), ..var.clone() };
            out.push(Item::Decl(Decl { quals, ty, vars: vec![var] }));
        }
        let ty = Some(Ty::Opaque(String::from(own)));
        let instead = Some(Instead::Combined(String::from(own)));
        self.names.declare(&var.name, Var { ty, local: false, instead });
        Ok(())
    }

    /// An input or output. naga takes scalars and vectors; the rest is taken apart, a variable a location.
    fn varying(&mut self, one: Decl, mut var: Declarator, ty: Option<Ty>, out: &mut Vec<Item>) -> Done<()> {
        self.only(&one.quals, &["location", "index"])?;
        if one.quals.invariant {
            return Err(refused(ledger::GLSL_QUALIFIER, var.at, "`invariant` on a variable other than `gl_Position`"));
        }
        if self.stage == Stage::Compute {
            return Err(Failure::Syntax(var.at, String::from("a compute shader has no inputs or outputs of its own")));
        }
        let Some(ty) = ty else {
            return Err(refused(
                ledger::GLSL_VARYING,
                var.at,
                format!("`{}` has a type that rx does not know", var.name),
            ));
        };
        if let Some(init) = var.init.take() {
            self.run_before(&one.ty, &var, init);
        }
        if is_plain(&ty) {
            out.push(Item::Decl(Decl { vars: vec![var], ..one }));
            return Ok(());
        }
        let quals = one.quals.clone();
        let whole = Decl { quals: Quals { at: quals.at, ..Quals::default() }, ty: one.ty, vars: vec![var.clone()] };
        out.push(Item::Decl(whole));
        let first = self.location(&quals).unwrap_or(0);
        self.take_apart(&quals, name(var.at, &var.name), &ty, first, out).map(|_| ())
    }

    fn location(&self, quals: &Quals) -> Option<u32> {
        let found = quals.layout.iter().find(|(_, id, _)| id == "location");
        found.and_then(|(_, _, value)| self.names.value(value.as_ref()?)).and_then(|n| u32::try_from(n).ok())
    }

    /// Declares a variable for each scalar or vector of an input or output, and copies it. Gives the next location.
    fn take_apart(&mut self, quals: &Quals, place: Expr, ty: &Ty, first: u32, out: &mut Vec<Item>) -> Done<u32> {
        let at = place.at;
        let element = |n: u32| {
            let index = Expr { at, kind: Kind::Int(n, false) };
            Expr { at, kind: Kind::Index(Box::new(place.clone()), Box::new(index)) }
        };
        if out.len() > MAX_PARTS * 4 {
            return Err(refused(ledger::GLSL_VARYING, at, "an input or output of too many parts"));
        }
        match ty {
            Ty::Scalar(_) | Ty::Vector(..) if is_plain(ty) => {
                self.part(quals, place, ty, first, out);
                Ok(first.saturating_add(1))
            }
            Ty::Matrix(Scalar::Float, columns, rows) => {
                let column = Ty::Vector(Scalar::Float, *rows);
                (0..u32::from(*columns))
                    .try_fold(first, |next, n| self.take_apart(quals, element(n), &column, next, out))
            }
            Ty::Array(inner, count) if *count > 0 && *count as usize <= MAX_PARTS => {
                (0..*count).try_fold(first, |next, n| self.take_apart(quals, element(n), inner, next, out))
            }
            Ty::Struct(own) => {
                let members = self.names.structs.get(own).cloned().unwrap_or_default();
                members.into_iter().try_fold(first, |next, (member, ty)| {
                    let Some(ty) = ty else {
                        return Err(refused(ledger::GLSL_VARYING, at, "a member of an unknown type"));
                    };
                    let field = Expr { at, kind: Kind::Field(Box::new(place.clone()), member) };
                    self.take_apart(quals, field, &ty, next, out)
                })
            }
            _ => Err(refused(ledger::GLSL_VARYING, at, format!("an input or output of type `{}`", ty.text()))),
        }
    }

    fn part(&mut self, quals: &Quals, place: Expr, ty: &Ty, location: u32, out: &mut Vec<Item>) {
        let at = place.at;
        let part = self.fresh();
        let Stmt::Decl(mut decl) = declared(at, &part, ty, None) else { return };
        let value = Some(Expr { at, kind: Kind::Int(location, false) });
        decl.quals = Quals { layout: vec![(at, String::from("location"), value)], ..quals.clone() };
        out.push(Item::Decl(decl));
        if quals.storage == Storage::In {
            self.before.insert(0, Stmt::Expr(assigned(place, name(at, &part))));
        } else {
            self.behind.push(Stmt::Expr(assigned(name(at, &part), place)));
        }
    }

    fn block_item(&mut self, mut block: Block, out: &mut Vec<Item>) -> Done<()> {
        self.check_others(&block.quals)?;
        if block.name == "gl_PerVertex" {
            return self.per_vertex(&block);
        }
        self.layout_values(&mut block.quals)?;
        let mut known = Vec::new();
        for member in &mut block.members {
            self.member(member, &mut known)?;
        }
        match block.quals.storage {
            Storage::In | Storage::Out => return self.varying_block(block, known, out),
            Storage::Uniform | Storage::Buffer => {}
            _ => return Err(Failure::Syntax(block.at, String::from("a block is uniform, buffer, in or out"))),
        }
        let pushed = block.quals.has("push_constant");
        self.only(&block.quals, &["set", "binding", "std140", "std430", "push_constant", "column_major"])?;
        block.quals.layout.retain(|(_, id, _)| id != "column_major");
        // naga has no buffers that are only written; what is written is read back from the words.
        block.quals.writeonly = false;
        let std430 = block.quals.has("std430");
        if pushed && !std430 && !block.quals.has("std140") {
            // naga takes std140; the language has std430 for push constants.
            block.quals.layout.push((block.at, String::from("std430"), None));
        }
        let std430 = std430 || pushed || (block.quals.storage == Storage::Buffer && !block.quals.has("std140"));
        for member in &mut block.members {
            self.block_member(member)?;
            if !std430 {
                self.as_columns(&block.instance, member);
            }
        }
        let large = || refused(ledger::GLSL_LAYOUT, block.at, "a block of more than 4096 parts");
        self.names.structure(&block.name, known.clone()).ok_or_else(large)?;
        layout::check(&self.names, &known, !std430).map_err(|what| refused(ledger::GLSL_LAYOUT, block.at, what))?;
        match &block.instance {
            Some(instance) if !instance.dims.is_empty() => {
                let what = format!("`{}` is an array of blocks", instance.name);
                return Err(refused(ledger::GLSL_DESCRIPTORS, instance.at, what));
            }
            Some(instance) => {
                let ty = Some(Ty::Struct(block.name.clone()));
                self.names.declare(&instance.name, Var { ty, local: false, instead: None });
            }
            None => {
                for (member, ty) in known {
                    self.names.declare(&member, Var { ty, local: false, instead: None });
                }
            }
        }
        out.push(Item::Block(block));
        Ok(())
    }

    /// Matrices of two rows in std140 are arrays of their columns for naga, which has no such matrices.
    fn as_columns(&mut self, instance: &Option<Declarator>, member: &mut Decl) {
        let Some(Ty::Matrix(Scalar::Float, columns, 2)) = Ty::named(&member.ty.name) else { return };
        member.ty.name = String::from("vec2");
        let columns = Expr { at: member.ty.at, kind: Kind::Int(u32::from(columns), false) };
        // The columns are the innermost dimension.
        member.ty.dims.push(Some(columns));
        for var in &member.vars {
            let instance = instance.as_ref().map_or(String::new(), |own| own.name.clone());
            self.columns.insert((instance, var.name.clone()));
        }
    }

    /// naga takes no qualifiers of members. Those that change nothing are dropped.
    fn block_member(&self, member: &mut Decl) -> Done<()> {
        member.quals.layout.retain(|(_, id, _)| id != "column_major");
        if let Some((at, id, _)) = member.quals.layout.first() {
            return Err(refused(ledger::GLSL_LAYOUT, *at, format!("`layout({id})` of a member")));
        }
        member.quals = Quals { at: member.quals.at, ..Quals::default() };
        Ok(())
    }

    /// The built-in block declared again: naga would take its members for variables of the text.
    fn per_vertex(&mut self, block: &Block) -> Done<()> {
        let names = block.members.iter().flat_map(|member| &member.vars);
        for var in names {
            if !matches!(var.name.as_str(), "gl_Position" | "gl_PointSize" | "gl_ClipDistance" | "gl_CullDistance") {
                return Err(refused(ledger::GLSL_VARIABLE, var.at, format!("`{}` in `gl_PerVertex`", var.name)));
            }
        }
        match &block.instance {
            Some(instance) => {
                Err(refused(ledger::GLSL_VARIABLE, instance.at, "`gl_PerVertex` with an instance's name"))
            }
            None => Ok(()),
        }
    }

    /// A block of inputs or outputs: a structure of the stage, taken apart.
    fn varying_block(&mut self, block: Block, known: Vec<(String, Option<Ty>)>, out: &mut Vec<Item>) -> Done<()> {
        self.only(&block.quals, &["location"])?;
        if self.stage == Stage::Compute {
            return Err(Failure::Syntax(
                block.at,
                String::from("a compute shader has no inputs or outputs of its own"),
            ));
        }
        let plain = Quals { at: block.at, ..Quals::default() };
        let inner = match &block.instance {
            Some(instance) => {
                if !instance.dims.is_empty() {
                    return Err(refused(ledger::GLSL_VARYING, instance.at, "an array of input or output blocks"));
                }
                let members: Vec<Decl> =
                    block.members.iter().map(|own| Decl { quals: plain.clone(), ..own.clone() }).collect();
                let spec = |members| TypeSpec { at: block.at, name: block.name.clone(), dims: Vec::new(), members };
                self.names.structure(&block.name, known);
                out.push(Item::Decl(Decl { quals: plain.clone(), ty: spec(Some(members)), vars: Vec::new() }));
                out.push(Item::Decl(Decl { quals: plain, ty: spec(None), vars: vec![instance.clone()] }));
                let ty = Some(Ty::Struct(block.name.clone()));
                self.names.declare(&instance.name, Var { ty, local: false, instead: None });
                Some(name(instance.at, &instance.name))
            }
            None => {
                for member in &block.members {
                    out.push(Item::Decl(Decl { quals: plain.clone(), ..member.clone() }));
                }
                for (member, ty) in known {
                    self.names.declare(&member, Var { ty, local: false, instead: None });
                }
                None
            }
        };
        let mut next = self.location(&block.quals).unwrap_or(0);
        for mut member in block.members {
            self.layout_values(&mut member.quals)?;
            self.only(&member.quals, &["location"])?;
            next = self.location(&member.quals).unwrap_or(next);
            let mut quals = Quals { storage: block.quals.storage, ..member.quals.clone() };
            quals.interpolation = member.quals.interpolation.or(block.quals.interpolation);
            quals.sampling = member.quals.sampling.or(block.quals.sampling);
            for var in &member.vars {
                let place = match &inner {
                    Some(base) => Expr { at: var.at, kind: Kind::Field(Box::new(base.clone()), var.name.clone()) },
                    None => name(var.at, &var.name),
                };
                let Some(ty) = self.names.ty(&member.ty, &var.dims) else {
                    return Err(refused(ledger::GLSL_VARYING, var.at, "a member of an unknown type"));
                };
                next = self.take_apart(&quals, place, &ty, next, out)?;
            }
        }
        Ok(())
    }
}

fn innermost(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(element, _) => innermost(element),
        other => other,
    }
}

/// Whether naga takes an input or output of this type as one location.
fn is_plain(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(scalar) | Ty::Vector(scalar, _) if !matches!(scalar, Scalar::Bool | Scalar::Double))
}

/// Whether a type joins a texture and a sampler.
pub(super) fn is_combined(core: &str) -> bool {
    let rest = core.strip_prefix("sampler").map(|rest| rest.strip_suffix("Shadow").unwrap_or(rest));
    rest.is_some_and(|rest| {
        ["1D", "1DArray", "2D", "2DArray", "3D", "Cube", "CubeArray", "2DMS", "2DMSArray"].contains(&rest)
    })
}
