//! Calls of the language's own functions.

use super::ast::*;
use super::exprs::Typed;
use super::rewrite::Rewriter;
use super::scope::construct;
use super::types::{self, INT, Scalar, Ty};
use super::{Failure, refused};
use crate::interface::Stage;
use crate::ledger;

impl Rewriter<'_> {
    /// Writes a call of a built-in function otherwise where naga gets it wrong; a name that is none stays, and naga says
    /// that it knows no such function.
    pub(super) fn call_builtin(
        &mut self,
        at: At,
        word: String,
        mut args: Vec<Expr>,
        types: Vec<Option<Ty>>,
    ) -> Result<Typed, Failure> {
        let ty = types::function(&word, &types).filter(|_| types::FUNCTIONS.contains(&word.as_str()));
        if word == "bitCount" {
            // naga gives what it is given; the language gives ints.
            let Some(ty) = ty else {
                return Err(refused(ledger::GLSL_FUNCTION, at, "`bitCount` of a value whose type rx does not know"));
            };
            let call = Expr { at, kind: Kind::Call(word, args) };
            return Ok((construct(at, &ty, vec![call]), Some(ty)));
        }
        let opaque = match types.first() {
            Some(Some(Ty::Opaque(name))) => name.clone(),
            _ => String::new(),
        };
        if opaque.is_empty() {
            let on_image = ["texture", "texel", "image"].iter().any(|stem| word.starts_with(stem));
            if on_image && types::FUNCTIONS.contains(&word.as_str()) {
                let what = format!("`{word}` of something that is no texture or image of a name");
                return Err(refused(ledger::GLSL_EXPRESSION, at, what));
            }
            return Ok((Expr { at, kind: Kind::Call(word, args) }, ty));
        }
        if word == "texelFetchOffset" {
            return self.fetch_with_offset(at, &opaque, args);
        }
        if word == "imageSize" && opaque.contains("Array") {
            return Err(refused(ledger::GLSL_FUNCTION, at, "`imageSize` of an image array"));
        }
        let (is_array, is_shadow) = (opaque.contains("Array"), opaque.contains("Shadow"));
        let is_sample = word.starts_with("texture") && !matches!(word.as_str(), "textureSize" | "textureQueryLevels");
        if is_sample && is_shadow {
            let explicit = word.contains("Lod") || word.contains("Grad");
            let biased = args.len() > if opaque.contains("CubeArray") { 3 } else { 2 } && !word.contains("Offset");
            if explicit || biased || (word.contains("Offset") && args.len() > 3) {
                let what = format!("`{word}` of a shadow sampler with a level, a gradient or a bias");
                return Err(refused(ledger::GLSL_FUNCTION, at, what));
            }
        }
        if is_sample && is_array {
            let helper = match types::unsigned_core(&opaque) {
                "sampler1DArray" | "sampler1DArrayShadow" => "rx_layer_y",
                "samplerCubeArray" | "samplerCubeArrayShadow" => "rx_layer_w",
                _ => "rx_layer_z",
            };
            self.helpers.insert("rx_layer");
            if let Some(coordinate) = args.get_mut(1) {
                let own = coordinate.clone();
                *coordinate = Expr { at: own.at, kind: Kind::Call(String::from(helper), vec![own]) };
            }
        }
        let word = self.with_level(at, word, &opaque, &mut args)?;
        let ty = ty.or_else(|| result(&word, &opaque, is_shadow));
        Ok((Expr { at, kind: Kind::Call(word, args) }, ty))
    }

    /// Outside fragment shaders there are no derivatives: the language takes level 0, and naga an error.
    fn with_level(&self, at: At, word: String, opaque: &str, args: &mut Vec<Expr>) -> Result<String, Failure> {
        let explicit = match word.as_str() {
            "texture" => "textureLod",
            "textureOffset" => "textureLodOffset",
            "textureProj" => "textureProjLod",
            "textureProjOffset" => "textureProjLodOffset",
            _ => return Ok(word),
        };
        if self.stage == Stage::Fragment || opaque.contains("Rect") {
            return Ok(word);
        }
        let has_form = !opaque.contains("Shadow") || matches!(opaque, "sampler1DShadow" | "sampler2DShadow");
        if !has_form {
            return Err(refused(
                ledger::GLSL_FUNCTION,
                at,
                format!("`{word}` of `{opaque}` outside a fragment shader"),
            ));
        }
        let level = Expr { at, kind: Kind::Float(0.0f32.to_bits()) };
        // A bias means nothing there.
        args.truncate(if word.contains("Offset") { 3 } else { 2 });
        args.insert(2, level);
        Ok(String::from(explicit))
    }

    /// naga drops the offset of `texelFetchOffset`: it is added to the coordinate.
    fn fetch_with_offset(&mut self, at: At, opaque: &str, args: Vec<Expr>) -> Result<Typed, Failure> {
        let what = "`texelFetchOffset` of an array texture";
        let [image, coordinate, level, offset] = args.as_slice() else {
            return Err(Failure::Syntax(at, String::from("`texelFetchOffset` takes four arguments")));
        };
        if opaque.contains("Array") || opaque.contains("Rect") {
            return Err(refused(ledger::GLSL_FUNCTION, at, what));
        }
        if [level, offset].iter().any(|arg| self.effects.any(arg)) {
            return Err(refused(ledger::GLSL_ORDER, at, "arguments of `texelFetchOffset` with side effects"));
        }
        let sum = Kind::Binary("+", Box::new(coordinate.clone()), Box::new(offset.clone()));
        let args = vec![image.clone(), Expr { at: coordinate.at, kind: sum }, level.clone()];
        let ty = result("texelFetch", opaque, false);
        Ok((Expr { at, kind: Kind::Call(String::from("texelFetch"), args) }, ty))
    }
}

/// What a function of a texture or image gives.
fn result(word: &str, opaque: &str, is_shadow: bool) -> Option<Ty> {
    if matches!(word, "textureSize" | "imageSize") {
        let sizes = if opaque.contains("3D") { 3 } else { u8::from(!opaque.contains("1D")) + 1 };
        let all = sizes + u8::from(opaque.contains("Array"));
        return Some(if all == 1 { INT } else { Ty::Vector(Scalar::Int, all) });
    }
    if is_shadow {
        return Some(types::FLOAT);
    }
    let scalar = match opaque.strip_suffix(types::unsigned_core(opaque)) {
        Some("i") => Scalar::Int,
        Some("u") => Scalar::Uint,
        _ => Scalar::Float,
    };
    (word != "imageStore").then_some(Ty::Vector(scalar, 4))
}
