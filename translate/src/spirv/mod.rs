//! The form to SPIR-V words.
//!
//! One pass over the living instructions writes the function; types, constants, variables, capabilities and
//! extensions come into being at their first use, so that nothing is declared that nothing needs and ids are compact
//! in the order of need. Dense tables map values, blocks and variables to ids; nothing is looked up by text.
//!
//! Owns every SPIR-V number. Must never know Direct3D, change the form, or depend on anything but the form, what of
//! it lives, and the profile.

mod access;
mod capabilities;
mod constants;
mod control;
mod decorate;
mod fixes;
mod floats;
mod image;
mod inst;
mod intern;
mod memory;
mod sections;
#[cfg(test)]
mod tests;
mod types;
mod vars;

use crate::ir::{Effect, Function, Type, ValueId};
use crate::options::Profile;
use crate::passes::Live;
use capabilities::Capabilities;
#[cfg(feature = "naga")]
pub(crate) use fixes::{DENSE_ENOUGH, SIGN_BIT, SIZE_BITS};
use intern::{Interner, Key, Tag};
use sections::{Section, Sections, assemble};
use spirv::{AddressingModel, MemoryModel, Op};

/// Writes a function as a module with one entry point.
///
/// What `live` leaves out is not written. The function keeps the rules of [`crate::ir::verify`].
pub fn write(function: &Function, live: &Live, profile: &Profile, entry_point: &str) -> Vec<u32> {
    let mut writer = Writer::new(function, live, profile);
    let main = writer.function();
    writer.finish(main, entry_point)
}

/// A module being written.
struct Writer<'a> {
    function: &'a Function,
    live: &'a Live,
    profile: &'a Profile,
    version: (u8, u8),
    capabilities: Capabilities,
    sections: Sections,
    /// The id that is given next.
    next: u32,
    /// Id of each value; 0 is none yet.
    values: Vec<u32>,
    /// Id of each block; 0 is none yet.
    blocks: Vec<u32>,
    /// Id of each variable; 0 is none yet.
    vars: Vec<u32>,
    /// Id of each type by [`Type::index`]; 0 is none yet.
    types: [u32; 64],
    interned: Interner,
    /// The extended instruction set; 0 is none yet.
    glsl: u32,
    /// Variables that the entry point lists.
    interface: Vec<u32>,
    /// Whether an id is decorated as non-uniform; empty up to the first.
    non_uniform: Vec<bool>,
    /// Sampled images made in this block: image, sampler, id.
    sampled_images: Vec<(u32, u32, u32)>,
    /// Conditions spread over vectors in this block: condition, width, id.
    spread: Vec<(u32, u8, u32)>,
    /// The built-in that says whether an invocation is a helper, where no instruction can; 0 is none yet.
    helper: u32,
}

impl<'a> Writer<'a> {
    fn new(function: &'a Function, live: &'a Live, profile: &'a Profile) -> Writer<'a> {
        let version = profile.target.spirv_version();
        let insts = function.insts.len();
        Writer {
            function,
            live,
            profile,
            version,
            capabilities: Capabilities::new(version),
            sections: Sections::sized(insts, function.args.len(), function.blocks.len(), function.vars.len()),
            next: 1,
            values: vec![0; insts],
            blocks: vec![0; function.blocks.len()],
            vars: vec![0; function.vars.len()],
            types: [0; 64],
            interned: Interner::sized(32 + 2 * function.vars.len() + insts / 8),
            glsl: 0,
            interface: Vec::with_capacity(function.vars.len()),
            non_uniform: Vec::new(),
            sampled_images: Vec::new(),
            spread: Vec::new(),
            helper: 0,
        }
    }

    /// A new id.
    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// The id of a value. A constant is made here; a value from further on gets its id now and its instruction later.
    fn value(&mut self, value: u32) -> u32 {
        match self.values[value as usize] {
            0 => self.first_use(value),
            id => id,
        }
    }

    fn first_use(&mut self, value: u32) -> u32 {
        let function = self.function;
        let inst = function.inst(ValueId(value));
        let id = if inst.op.effect() == Effect::Constant { self.constant(inst) } else { self.id() };
        self.values[value as usize] = id;
        id
    }

    /// The type of a value.
    fn type_of(&self, value: u32) -> Type {
        self.function.inst(ValueId(value)).ty
    }

    /// A global that is made once: `make` writes it.
    fn interned(&mut self, key: Key, make: impl FnOnce(&mut Self) -> u32) -> u32 {
        if let Some(id) = self.interned.get(key) {
            return id;
        }
        let id = make(self);
        self.interned.insert(key, id);
        id
    }

    /// The whole module.
    fn finish(mut self, main: u32, entry_point: &str) -> Vec<u32> {
        let mut head = Section::with_capacity(16 + entry_point.len() / 4 + self.interface.len());
        head.op(Op::MemoryModel, &[AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32]);
        let model = control::execution_model(self.function.modes.stage) as u32;
        head.op_text(Op::EntryPoint, &[model, main], entry_point, &self.interface);
        self.execution_modes(main, &mut head);
        self.float_modes(main, &mut head);
        let capabilities = self.capabilities.finish();
        let s = &self.sections;
        // The function's variables stand after its first label.
        let (start, rest) = s.code.0.split_at(control::FUNCTION_HEAD.min(s.code.0.len()));
        let parts: [&[u32]; 9] = [
            &capabilities.0,
            &s.imports.0,
            &head.0,
            &s.names.0,
            &s.decorations.0,
            &s.globals.0,
            start,
            &s.locals.0,
            rest,
        ];
        assemble(self.version, self.next, &parts)
    }
}
