//! Inputs and outputs: an element a location, and one a built-in.
//!
//! Owns how types take locations. Expansion is held to [`MAX_ELEMENTS`] a module, far past what any device has.

use super::module::{EntryPoint, Module, Variable};
use super::types::{MAX_DEPTH, Types};
use super::usage::Usage;
use crate::error::Error;
use crate::interface::{Component, Interpolation, SignatureElement, Stage};
use crate::ledger;
use spirv::{BuiltIn, Decoration, Op, StorageClass};
use std::collections::BTreeSet;

/// Elements of one entry point, and steps taken to find them. Devices have at most a few hundred locations.
const MAX_ELEMENTS: usize = 4096;

/// What the entry point's interface variables come to.
#[derive(Default)]
pub(super) struct Signatures {
    pub inputs: Vec<SignatureElement>,
    pub outputs: Vec<SignatureElement>,
    pub patch_constants: Vec<SignatureElement>,
    /// Elements of the outer array of the per-vertex inputs; none where no input has one.
    pub input_vertices: Option<u32>,
    /// Streams of the outputs, a bit each.
    pub streams: u32,
    /// Whether the code reads DrawIndex.
    pub draw_index: bool,
    /// Whether the code reads ViewIndex.
    pub view_index: bool,
}

/// Reads the entry point's inputs and outputs, in the order of their locations, built-ins after them.
pub(super) fn read(
    module: &Module<'_>,
    entry: &EntryPoint<'_>,
    stage: Stage,
    usage: &Usage,
) -> Result<Signatures, Error> {
    let listed: BTreeSet<u32> = entry.interface.iter().copied().collect();
    let mut signatures = Signatures::default();
    let mut reader = Reader { module, types: Types::new(module), stage, steps: 0, elements: Vec::new() };
    for variable in module.variables.iter().filter(|variable| listed.contains(&variable.id)) {
        let output = variable.is(StorageClass::Output);
        if !output && !variable.is(StorageClass::Input) {
            continue;
        }
        if usage.of(variable.id).named() && !output {
            let builtin = module.decoration(variable.id, Decoration::BuiltIn).and_then(BuiltIn::from_u32);
            signatures.draw_index |= builtin == Some(BuiltIn::DrawIndex);
            signatures.view_index |= builtin == Some(BuiltIn::ViewIndex);
        }
        let patch = reader.variable(variable, output, &mut signatures)?;
        let elements = std::mem::take(&mut reader.elements);
        if output {
            signatures.streams |= elements.iter().fold(0, |bits, e| bits | 1u32.checked_shl(e.stream).unwrap_or(0));
        }
        match (patch, output) {
            (true, _) => signatures.patch_constants.extend(elements),
            (false, true) => signatures.outputs.extend(elements),
            (false, false) => signatures.inputs.extend(elements),
        }
    }
    for list in [&mut signatures.inputs, &mut signatures.outputs, &mut signatures.patch_constants] {
        // Stable: built-ins keep the order of their declarations.
        list.sort_by_key(|e| (e.location.is_none(), e.location, e.index, first_component(&e.mask)));
    }
    Ok(signatures)
}

struct Reader<'m, 'a> {
    module: &'m Module<'a>,
    types: Types<'m, 'a>,
    stage: Stage,
    steps: usize,
    elements: Vec<SignatureElement>,
}

/// What a variable or a member says of all elements below it.
#[derive(Clone)]
struct Traits {
    name: String,
    index: u32,
    component: u32,
    stream: u32,
    interpolation: Option<Interpolation>,
}

impl Reader<'_, '_> {
    /// Reads a variable's elements; true for a patch constant.
    fn variable(&mut self, variable: &Variable, output: bool, found: &mut Signatures) -> Result<bool, Error> {
        let own = |kind| self.module.decoration(variable.id, kind);
        let Some(mut ty) = variable.pointee else { return Ok(false) };
        let builtin = own(Decoration::BuiltIn);
        // The tessellation factors are a patch's whether or not they are decorated so.
        let factors = [BuiltIn::TessLevelOuter as u32, BuiltIn::TessLevelInner as u32];
        let tessellation = matches!(self.stage, Stage::TessellationControl | Stage::TessellationEvaluation);
        let patch = tessellation
            && (own(Decoration::Patch).is_some() || builtin.is_some_and(|builtin| factors.contains(&builtin)));
        if !patch
            && self.has_vertices(output, own(Decoration::PerVertexKHR).is_some())
            && let Some((element, count)) = self.types.element(ty)
        {
            ty = element;
            if !output {
                found.input_vertices = found.input_vertices.max(count);
            }
        }
        let traits = self.traits(variable.id, None, self.module.name(variable.id), output, None);
        match builtin {
            Some(builtin) => self.builtin(builtin, ty, &traits),
            None => {
                self.located(variable, ty, output, &traits, own(Decoration::Location))?;
            }
        }
        Ok(patch)
    }

    /// Whether a variable that is no patch constant has an element a vertex.
    fn has_vertices(&self, output: bool, per_vertex: bool) -> bool {
        match self.stage {
            Stage::TessellationControl => true,
            Stage::TessellationEvaluation | Stage::Geometry => !output,
            Stage::Mesh => output,
            Stage::Fragment => !output && per_vertex,
            Stage::Vertex | Stage::Compute | Stage::Task => false,
        }
    }

    /// Traits of a variable, or of a member of its block, which inherits what the variable says.
    fn traits(&self, id: u32, member: Option<u32>, name: String, output: bool, outer: Option<&Traits>) -> Traits {
        let get = |kind| match member {
            Some(member) => self.module.member_decoration(id, member, kind),
            None => self.module.decoration(id, kind),
        };
        let has = |kind| get(kind).is_some();
        let interpolated = self.stage == Stage::Fragment && !output;
        let own = interpolation(
            has(Decoration::Flat),
            has(Decoration::NoPerspective),
            has(Decoration::Centroid),
            has(Decoration::Sample),
        );
        let inherited = outer.and_then(|outer| outer.interpolation).filter(|_| own == Interpolation::Linear);
        Traits {
            name,
            index: get(Decoration::Index).or(outer.map(|o| o.index)).unwrap_or(0),
            component: get(Decoration::Component).unwrap_or(0),
            stream: get(Decoration::Stream).or(outer.map(|o| o.stream)).unwrap_or(0),
            interpolation: interpolated.then_some(inherited.unwrap_or(own)),
        }
    }

    /// A variable without a built-in: a block of members, or a value.
    fn located(
        &mut self,
        variable: &Variable,
        ty: u32,
        output: bool,
        traits: &Traits,
        location: Option<u32>,
    ) -> Result<(), Error> {
        let Some((id, inst, count)) = self.types.strip_arrays(ty) else { return Ok(()) };
        if count.is_array || inst.op() != Some(Op::TypeStruct) {
            return self.value(variable, ty, location, traits, 0).map(|_| ());
        }
        let mut next = location;
        for (member, ty) in (0..).zip(inst.rest(2)) {
            let own = |kind| self.module.member_decoration(id, member, kind);
            let name = self.module.member_name(id, member);
            let traits = self.traits(id, Some(member), name, output, Some(traits));
            match own(Decoration::BuiltIn) {
                Some(builtin) => {
                    self.step(variable)?;
                    self.builtin(builtin, *ty, &traits);
                }
                None => {
                    let at = own(Decoration::Location).or(next);
                    let taken = self.value(variable, *ty, at, &traits, 0)?;
                    next = at.map(|at| at.saturating_add(taken));
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, variable: &Variable) -> Result<(), Error> {
        self.steps += 1;
        if self.steps <= MAX_ELEMENTS {
            return Ok(());
        }
        let what = format!("variable %{}: inputs and outputs take more than {MAX_ELEMENTS} elements", variable.id);
        Err(Error::malformed(ledger::SPIRV_INTERFACE, variable.at.saturating_mul(4), what))
    }

    /// Adds the elements of a value and says how many locations it takes.
    fn value(
        &mut self,
        variable: &Variable,
        ty: u32,
        location: Option<u32>,
        traits: &Traits,
        depth: usize,
    ) -> Result<u32, Error> {
        self.step(variable)?;
        let Some(inst) = self.module.definition(ty).filter(|_| depth <= MAX_DEPTH) else { return Ok(0) };
        if let Some((component, count, bits)) = self.types.vector(&inst) {
            self.push(component, count, location, traits);
            return Ok(if bits == 64 && count > 2 { 2 } else { 1 });
        }
        let held: Vec<u32> = match inst.op() {
            Some(Op::TypeStruct) => inst.rest(2).to_vec(),
            Some(Op::TypeMatrix) => self.repeated(inst.get(2), inst.get(3), inst.at),
            Some(Op::TypeArray) => {
                let len = inst.get(3).and_then(|len| self.module.constant(len));
                self.repeated(inst.get(2), len, inst.at)
            }
            _ => return Ok(0),
        };
        let mut taken = 0u32;
        for ty in held {
            // Only what was defined before its holder: circles end here.
            if self.module.defined_at(ty).is_some_and(|at| at < inst.at) {
                let at = location.map(|at| at.saturating_add(taken));
                taken = taken.saturating_add(self.value(variable, ty, at, traits, depth + 1)?);
            } else {
                self.step(variable)?;
            }
        }
        Ok(taken)
    }

    /// A type, as often as it is held; one past the limit is enough to fail on.
    fn repeated(&self, ty: Option<u32>, count: Option<u32>, holder: usize) -> Vec<u32> {
        let count = (count.unwrap_or(0) as usize).min(MAX_ELEMENTS + 1);
        let earlier = ty.filter(|ty| self.module.defined_at(*ty).is_some_and(|at| at < holder));
        earlier.map_or_else(Vec::new, |ty| vec![ty; count])
    }

    fn push(&mut self, component: Component, count: u32, location: Option<u32>, traits: &Traits) {
        self.elements.push(SignatureElement {
            semantic: traits.name.clone(),
            index: traits.index,
            register: location,
            mask: mask(traits.component, count),
            component,
            location,
            interpolation: traits.interpolation,
            stream: traits.stream,
        });
    }

    /// A built-in: one element, by SPIR-V's name for it.
    fn builtin(&mut self, builtin: u32, ty: u32, traits: &Traits) {
        let name = BuiltIn::from_u32(builtin).map_or_else(|| format!("BuiltIn{builtin}"), |b| format!("{b:?}"));
        let stripped = self.types.strip_arrays(ty);
        let vector = stripped.and_then(|(_, inst, count)| Some((self.types.vector(&inst)?, count)));
        let Some(((component, width, _), count)) = vector else { return };
        let components = width.saturating_mul(count.elements.unwrap_or(1));
        let traits = Traits { name, interpolation: None, ..traits.clone() };
        self.push(component, components, None, &traits);
    }
}

/// `count` components from one on: `xyzw` at most.
fn mask(first: u32, count: u32) -> String {
    "xyzw".chars().skip(first as usize).take(count as usize).collect()
}

fn first_component(mask: &str) -> Option<usize> {
    mask.chars().next().and_then(|c| "xyzw".find(c))
}

fn interpolation(flat: bool, noperspective: bool, centroid: bool, sample: bool) -> Interpolation {
    match (flat, noperspective, centroid, sample) {
        (true, ..) => Interpolation::Constant,
        (_, false, _, true) => Interpolation::LinearSample,
        (_, true, _, true) => Interpolation::LinearNoperspectiveSample,
        (_, false, true, _) => Interpolation::LinearCentroid,
        (_, true, true, _) => Interpolation::LinearNoperspectiveCentroid,
        (_, true, ..) => Interpolation::LinearNoperspective,
        _ => Interpolation::Linear,
    }
}
