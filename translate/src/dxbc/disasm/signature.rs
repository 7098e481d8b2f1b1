//! The container around a program as directives: signatures, feature flags, the code chunk's name.
//!
//! Owns the lines that begin with a dot; only the exact form has them. Must never leave out a field that a translation
//! reads.

use super::Text;
use crate::dxbc::Shader;
use crate::dxbc::letters::{self, LETTERS};
use crate::dxbc::names::{self, SignatureNames};
use crate::dxbc::program::{Components, MinPrecision, Program, ProgramType};
use crate::dxbc::signature::{Element, NO_REGISTER, Signature};
use std::fmt::Write as _;

/// Name of the chunk that compilers put a program's code into.
pub(crate) fn usual_code_chunk(program: &Program) -> &'static [u8; 4] {
    let plain = program.model.0 < 5 && program.ty != ProgramType::Compute;
    if plain { b"SHDR" } else { b"SHEX" }
}

/// Key of an element's second mask: of an input the components that are always read, of an output those never written.
pub(crate) fn second_mask(signature: usize, ty: ProgramType) -> &'static str {
    let output = signature == 1 || (signature == 2 && ty != ProgramType::Domain);
    if output { "unwritten" } else { "read" }
}

impl Text<'_> {
    /// Everything beside the program that an assembler needs.
    pub(super) fn directives(&mut self, shader: &Shader<'_>) {
        let code = shader.container.find(&[b"SHEX", b"SHDR"]).map(|chunk| chunk.fourcc);
        if let Some(name) = code.filter(|name| &name.0 != usual_code_chunk(&shader.program)) {
            let _ = writeln!(self.out, ".code {name}");
        }
        if let Some(flags) = shader.sfi0 {
            let _ = writeln!(self.out, ".features {flags:#x}");
        }
        for (i, signature) in [&shader.inputs, &shader.outputs, &shader.patch].into_iter().enumerate() {
            self.signature(shader, i, signature);
        }
    }

    fn signature(&mut self, shader: &Shader<'_>, number: usize, signature: &Signature<'_>) {
        let names = &names::SIGNATURES[number];
        let tessellates = matches!(shader.program.ty, ProgramType::Hull | ProgramType::Domain);
        match shader.container.find(names.chunks) {
            Some(chunk) => {
                let _ = writeln!(self.out, ".{} {}", names.whole, chunk.fourcc);
            }
            // Patch constants are not expected elsewhere.
            None if number < 2 || tessellates => {
                let _ = writeln!(self.out, ".{} none", names.whole);
            }
            None => {}
        }
        let second = second_mask(number, shader.program.ty);
        signature.elements.iter().for_each(|element| self.element(names, second, element));
    }

    fn element(&mut self, names: &SignatureNames, second: &str, element: &Element<'_>) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let _ = write!(self.out, ".{} ", names.element);
        if !element.semantic.is_empty() && element.semantic.bytes().all(plain) {
            self.out.push_str(element.semantic);
        } else {
            let _ = write!(self.out, "{:?}", element.semantic);
        }
        let _ = write!(self.out, " {}", element.index);
        match element.register {
            NO_REGISTER => self.out.push_str(" register=none"),
            register => {
                let _ = write!(self.out, " register={register}");
            }
        }
        self.mask("mask", element.mask);
        self.mask(second, element.rw_mask);
        let value = names::ELEMENT_VALUES.iter().find(|(number, _)| *number == element.system_value);
        self.field("value", element.system_value, value.map(|(_, name)| *name));
        self.field("type", element.component, names::COMPONENT_TYPES.get(element.component as usize).copied());
        if element.stream != 0 {
            self.field("stream", element.stream, None);
        }
        if element.min_precision != MinPrecision::Default as u32 {
            let known = names::PRECISIONS.into_iter().find(|precision| *precision as u32 == element.min_precision);
            self.field("precision", element.min_precision, known.map(names::precision));
        }
        self.end_line();
    }

    fn mask(&mut self, key: &str, mask: u8) {
        let _ = write!(self.out, " {key}=");
        letters::of(Components::Mask(mask)).for_each(|c| self.out.push(LETTERS[usize::from(c & 3)]));
        self.out.push_str(if mask == 0 { "none" } else { "" });
    }

    /// A number by its name, if it has one.
    fn field(&mut self, key: &str, number: u32, name: Option<&str>) {
        let _ = match name {
            Some(name) => write!(self.out, " {key}={name}"),
            None => write!(self.out, " {key}={number}"),
        };
    }
}
