//! Compiled effects, `fx_4_0` to `fx_5_0`: the shaders inside and the passes that use them.
//!
//! Owns the effect's tables, as far as they lead to shaders; state blocks, annotations and constant buffers are stepped
//! over. FXC writes `fx_4_0` and `fx_4_1` as the `FX10` chunk of a container and `fx_5_0` without a container; both
//! forms are read for every version. Reading copies nothing but the tables' entries: at most 16 times the input.
//!
//! ```text
//! 0   version: 0xfeff1001 (fx_4_0), 0xfeff1011 (fx_4_1), 0xfeff2001 (fx_5_0)
//! 4   counts: buffers, numeric variables, object variables; the same three of the pool; techniques
//! 32  size of the heap
//! 36  counts of states and views, of shaders, of shaders written in passes: 10 words
//! 76  fx_5_0 only: counts of groups, UAVs, interface variables, their elements, elements of class instances
//!     the heap: names, types, shaders (a size, then a container); offsets count from its first byte
//!     the tables: buffers with their variables, object variables, those of the pool, interface variables,
//!     then groups (fx_5_0 only) of techniques of passes of assignments
//! ```

mod reader;

use super::bytes::u32_at;
use super::container::Container;
use super::foreign;
use super::names;
use super::program::ProgramType;
use crate::Error;
use reader::Reader;
use std::collections::BTreeMap;
use std::fmt;

/// An effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect<'a> {
    /// `fx_4_0`, `fx_4_1` or `fx_5_0`.
    pub profile: &'static str,
    /// The effect refers to variables of an effect pool, which are not in the file.
    pub needs_pool: bool,
    /// Every shader with code, in the order of the tables: variables first, then those written in passes.
    pub shaders: Vec<EffectShader<'a>>,
    /// Every assignment to a stage, in the order of the passes.
    pub assignments: Vec<Assignment<'a>>,
}

/// A shader inside an effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectShader<'a> {
    /// Where the source has it.
    pub origin: Origin<'a>,
    /// Byte offset of the container in the input.
    pub offset: u32,
    /// The container.
    pub bytes: &'a [u8],
    /// Stream output declarations as the source has them, by buffer: `POSITION.xyz; TEXCOORD.xy`.
    pub stream_output: Vec<&'a str>,
    /// The stream that is rasterised.
    pub rasterized_stream: u32,
}

/// Where an effect's source has a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A variable, or an element of an array.
    Variable {
        /// The variable's name.
        name: &'a str,
        /// The element, for an array.
        element: Option<u32>,
        /// The stage that the variable is for.
        slot: ProgramType,
    },
    /// An assignment in a pass.
    Pass(Pass<'a>, ProgramType),
}

/// A pass of a technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass<'a> {
    /// The group of techniques. In `fx_4_0`, and for techniques outside any group, one without a name.
    pub group: Named<'a>,
    /// The technique.
    pub technique: Named<'a>,
    /// The pass.
    pub pass: Named<'a>,
}

/// A name, and the place among its siblings for those without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<'a> {
    /// The name; may be empty.
    pub name: &'a str,
    /// The place, from 0.
    pub index: u32,
}

/// What a pass assigns to a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment<'a> {
    /// The pass.
    pub pass: Pass<'a>,
    /// The stage.
    pub slot: ProgramType,
    /// The shader.
    pub value: Assigned<'a>,
}

/// A shader that a pass assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assigned<'a> {
    /// One of [`Effect::shaders`], by index.
    Shader(usize),
    /// No shader: `NULL`.
    Null,
    /// A variable that the file does not have; a pool has it.
    Elsewhere(&'a str),
    /// An element of this array that an expression chooses at run time.
    Chosen(&'a str),
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() { write!(f, "{}", self.index) } else { f.write_str(self.name) }
    }
}

impl fmt::Display for Pass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.group.name.is_empty() {
            write!(f, "{}.", self.group.name)?;
        }
        write!(f, "{}.{}", self.technique, self.pass)
    }
}

/// `lights[2].ps` of a variable, `technique.pass.ps` of a pass. The suffix is the stage that it is assigned to.
impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Variable { name, element: None, slot } => write!(f, "{name}.{}", names::stage(*slot)),
            Origin::Variable { name, element: Some(element), slot } => {
                write!(f, "{name}[{element}].{}", names::stage(*slot))
            }
            Origin::Pass(pass, slot) => write!(f, "{pass}.{}", names::stage(*slot)),
        }
    }
}

/// Whether an input begins as an effect does: a version word, or a container with an `FX10` chunk.
pub fn is_effect(bytes: &[u8]) -> bool {
    blob(bytes).is_some()
}

/// Reads an effect, with or without its container. Any other input gives the error that its translation gives.
pub fn read(bytes: &[u8]) -> Result<Effect<'_>, Error> {
    let Some((base, profile, blob)) = blob(bytes) else {
        return Err(match Container::parse(bytes) {
            Ok(container) => foreign::without_code(&container),
            Err(error) => error,
        });
    };
    Tables { reader: Reader::new(base, blob, profile)?, effect: Effect::new(profile), variables: BTreeMap::new() }
        .read()
}

/// The effect's own bytes: their offset, version and extent.
fn blob(bytes: &[u8]) -> Option<(usize, &'static str, &[u8])> {
    if let Some(profile) = u32_at(bytes, 0).and_then(foreign::effect_profile) {
        return Some((0, profile, bytes));
    }
    let container = Container::parse(bytes).ok()?;
    let chunk = container.find(&[b"FX10"])?;
    let profile = u32_at(chunk.data, 0).and_then(foreign::effect_profile)?;
    Some((chunk.offset as usize, profile, chunk.data))
}

impl Effect<'_> {
    fn new(profile: &'static str) -> Self {
        Effect { profile, needs_pool: false, shaders: Vec::new(), assignments: Vec::new() }
    }
}

/// Kinds of a variable's type.
mod kind {
    pub const NUMERIC: u32 = 1;
    pub const OBJECT: u32 = 2;
    pub const STRUCT: u32 = 3;
}

/// Types of objects.
mod object {
    pub const STRING: u32 = 1;
    pub const BLEND: u32 = 2;
    pub const DEPTH_STENCIL: u32 = 3;
    pub const RASTERIZER: u32 = 4;
    pub const PIXEL: u32 = 5;
    pub const VERTEX: u32 = 6;
    pub const GEOMETRY: u32 = 7;
    pub const GEOMETRY_WITH_OUTPUT: u32 = 8;
    pub const SAMPLER: u32 = 21;
    pub const PIXEL_5: u32 = 25;
    pub const VERTEX_5: u32 = 26;
    pub const GEOMETRY_5: u32 = 27;
    pub const COMPUTE_5: u32 = 28;
    pub const HULL_5: u32 = 29;
    pub const DOMAIN_5: u32 = 30;
}

/// Forms in which a pass names what it assigns.
mod form {
    pub const CONSTANT: u32 = 1;
    pub const VARIABLE: u32 = 2;
    pub const ELEMENT: u32 = 3;
    pub const ELEMENT_BY_VARIABLE: u32 = 4;
    pub const ELEMENT_BY_EXPRESSION: u32 = 5;
    pub const EXPRESSION: u32 = 6;
    pub const INLINE: u32 = 7;
    pub const INLINE_5: u32 = 8;
}

/// Words of one assignment: state, index, form, offset of the value.
const ASSIGNMENT_WORDS: usize = 4;

/// Words of a shader's entry in `fx_5_0`: the shader, four stream output declarations, their count, the rasterised
/// stream, the count of interface bindings, the bindings.
const SHADER_5_WORDS: usize = 9;

/// The stage of an assignment's state; `None` for other states of a pass.
fn slot(state: u32) -> Option<ProgramType> {
    Some(match state {
        6 => ProgramType::Vertex,
        7 => ProgramType::Pixel,
        8 => ProgramType::Geometry,
        56 => ProgramType::Hull,
        57 => ProgramType::Domain,
        58 => ProgramType::Compute,
        _ => return None,
    })
}

/// The walk through the tables.
struct Tables<'a> {
    reader: Reader<'a>,
    effect: Effect<'a>,
    /// Elements of the shader variables by name, each an index into the effect's shaders.
    variables: BTreeMap<&'a str, Vec<Option<usize>>>,
}

impl<'a> Tables<'a> {
    fn read(mut self) -> Result<Effect<'a>, Error> {
        let counts = self.reader.counts;
        for _ in 0..counts.buffers {
            self.buffer()?;
        }
        for _ in 0..counts.objects {
            self.object()?;
        }
        self.effect.needs_pool = counts.pool_buffers > 0 || counts.pool_objects > 0;
        for _ in 0..counts.pool_buffers {
            // What a pool has is described without annotations and values.
            let [_name, _size, _flags, variables, _slot] = self.reader.words()?;
            self.reader.skip(variables, 6)?;
        }
        self.reader.skip(counts.pool_objects, 4)?;
        for _ in 0..counts.interfaces {
            self.reader.skip(1, 4)?;
            self.annotations()?;
        }
        match counts.groups {
            None => self.techniques(Named { name: "", index: 0 }, counts.techniques)?,
            Some(groups) => {
                for index in 0..groups {
                    let [name, techniques] = self.reader.words()?;
                    let group = Named { name: self.reader.name(name)?, index };
                    self.annotations()?;
                    self.techniques(group, techniques)?;
                }
            }
        }
        Ok(self.effect)
    }

    /// A constant or texture buffer with its variables.
    fn buffer(&mut self) -> Result<(), Error> {
        let [_name, _size, _flags, variables, _slot] = self.reader.words()?;
        self.annotations()?;
        for _ in 0..variables {
            self.reader.skip(1, 6)?;
            self.annotations()?;
        }
        Ok(())
    }

    fn annotations(&mut self) -> Result<(), Error> {
        let [count] = self.reader.words()?;
        for _ in 0..count {
            let [_name, ty] = self.reader.words()?;
            let ty = self.reader.ty(ty)?;
            match (ty.kind, ty.object) {
                (kind::NUMERIC | kind::STRUCT, _) => self.reader.skip(1, 1)?,
                (kind::OBJECT, object::STRING) => self.reader.skip(ty.elements.max(1), 1)?,
                _ => return Err(self.reader.malformed("an annotation is neither a number nor a string")),
            }
        }
        Ok(())
    }

    /// A variable that is no number: a shader, a state block, a texture, a string.
    fn object(&mut self) -> Result<(), Error> {
        let [name, ty, _semantic, _slot] = self.reader.words()?;
        let ty = self.reader.ty(ty)?;
        if ty.kind != kind::OBJECT {
            return Err(self.reader.malformed("an object variable does not have an object's type"));
        }
        let elements = ty.elements.max(1);
        match ty.object {
            object::STRING => self.reader.skip(elements, 1)?,
            object::BLEND | object::DEPTH_STENCIL | object::RASTERIZER | object::SAMPLER => {
                for _ in 0..elements {
                    let [assignments] = self.reader.words()?;
                    self.reader.skip(assignments, ASSIGNMENT_WORDS)?;
                }
            }
            other => {
                if let Some(slot) = shader_slot(other) {
                    let name = self.reader.name(name)?;
                    self.shaders(name, slot, other, ty.elements)?;
                }
            }
        }
        self.annotations()
    }

    /// The value of a shader variable, or the values of an array of shaders.
    fn shaders(&mut self, name: &'a str, slot: ProgramType, object: u32, count: u32) -> Result<(), Error> {
        let mut elements = Vec::new();
        for element in 0..count.max(1) {
            let origin = Origin::Variable { name, element: (count > 0).then_some(element), slot };
            let index = match object {
                object::PIXEL | object::VERTEX | object::GEOMETRY => {
                    let [shader] = self.reader.words()?;
                    self.shader(origin, shader, &[], 0)?
                }
                object::GEOMETRY_WITH_OUTPUT => {
                    let [shader, output] = self.reader.words()?;
                    self.shader(origin, shader, &[output], 0)?
                }
                _ => {
                    let words = self.reader.words()?;
                    self.shader_5(origin, words)?
                }
            };
            elements.push(index);
        }
        self.variables.insert(name, elements);
        Ok(())
    }

    /// A shader's entry of `fx_5_0`.
    fn shader_5(&mut self, origin: Origin<'a>, words: [u32; SHADER_5_WORDS]) -> Result<Option<usize>, Error> {
        let [shader, outputs @ .., count, stream, _bindings, _first_binding] = words;
        let outputs: [u32; 4] = outputs;
        let outputs = outputs
            .get(..count as usize)
            .ok_or_else(|| self.reader.malformed("a shader has more than 4 stream output declarations"))?;
        self.shader(origin, shader, outputs, stream)
    }

    /// Takes in a shader; `None` for one without code.
    fn shader(
        &mut self,
        origin: Origin<'a>,
        shader: u32,
        outputs: &[u32],
        rasterized_stream: u32,
    ) -> Result<Option<usize>, Error> {
        let (offset, bytes) = self.reader.block(shader)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let declared = outputs.iter().filter(|&&output| output != 0);
        let stream_output = declared.map(|&output| self.reader.name(output)).collect::<Result<_, _>>()?;
        self.effect.shaders.push(EffectShader { origin, offset, bytes, stream_output, rasterized_stream });
        Ok(Some(self.effect.shaders.len() - 1))
    }

    fn techniques(&mut self, group: Named<'a>, count: u32) -> Result<(), Error> {
        for index in 0..count {
            let [name, passes] = self.reader.words()?;
            let technique = Named { name: self.reader.name(name)?, index };
            self.annotations()?;
            for index in 0..passes {
                let [name, assignments] = self.reader.words()?;
                let pass = Pass { group, technique, pass: Named { name: self.reader.name(name)?, index } };
                self.annotations()?;
                for _ in 0..assignments {
                    self.assignment(pass)?;
                }
            }
        }
        Ok(())
    }

    fn assignment(&mut self, pass: Pass<'a>) -> Result<(), Error> {
        let [state, _index, form, value] = self.reader.words()?;
        let Some(slot) = slot(state) else { return Ok(()) };
        let value = match form {
            form::CONSTANT => Assigned::Null,
            form::VARIABLE => {
                let name = self.reader.name(value)?;
                self.element(name, 0)
            }
            form::ELEMENT => {
                let [array, index] = self.reader.heap_words(value)?;
                let name = self.reader.name(array)?;
                self.element(name, index)
            }
            form::ELEMENT_BY_VARIABLE | form::ELEMENT_BY_EXPRESSION => {
                let [array] = self.reader.heap_words(value)?;
                Assigned::Chosen(self.reader.name(array)?)
            }
            form::EXPRESSION => Assigned::Chosen(""),
            form::INLINE => {
                let [shader, output] = self.reader.heap_words(value)?;
                assigned(self.shader(Origin::Pass(pass, slot), shader, &[output], 0)?)
            }
            form::INLINE_5 => {
                let words = self.reader.heap_words(value)?;
                assigned(self.shader_5(Origin::Pass(pass, slot), words)?)
            }
            other => return Err(self.reader.malformed(format!("an assignment of form {other}"))),
        };
        self.effect.assignments.push(Assignment { pass, slot, value });
        Ok(())
    }

    /// An element of a shader variable.
    fn element(&self, name: &'a str, index: u32) -> Assigned<'a> {
        match self.variables.get(name).and_then(|elements| elements.get(index as usize)) {
            Some(&shader) => assigned(shader),
            None => Assigned::Elsewhere(name),
        }
    }
}

fn assigned<'a>(shader: Option<usize>) -> Assigned<'a> {
    shader.map_or(Assigned::Null, Assigned::Shader)
}

/// The stage of a shader variable's type; `None` for other objects.
fn shader_slot(object: u32) -> Option<ProgramType> {
    Some(match object {
        object::PIXEL | object::PIXEL_5 => ProgramType::Pixel,
        object::VERTEX | object::VERTEX_5 => ProgramType::Vertex,
        object::GEOMETRY | object::GEOMETRY_WITH_OUTPUT | object::GEOMETRY_5 => ProgramType::Geometry,
        object::COMPUTE_5 => ProgramType::Compute,
        object::HULL_5 => ProgramType::Hull,
        object::DOMAIN_5 => ProgramType::Domain,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
