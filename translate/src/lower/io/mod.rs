//! Inputs, outputs and system values: signature elements to interface variables.
//!
//! Outputs are memory: what a block writes of one is put together and stored when the block ends. Elements that a
//! register may choose live in a local array, filled on entry or stored on the way out.

mod capture;
mod classes;
mod elements;
mod evaluate;
mod pixel;
mod read;
mod shared;
mod stages;
mod write;

use super::Lower;
use super::registers::mask_lanes;
use super::usage::Chosen;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Declaration, Operand, RegisterFile};
use crate::dxbc::signature::{Element, NO_REGISTER};
use crate::interface::{Component, Interpolation, SignatureElement, Stage};
use crate::ir::{BuiltIn, InterfaceDecorations, Kind, LaneRef, Place, Type, VarId, VarKind};
use crate::{Error, ledger};

pub(super) use elements::Elements;

/// `D3D10_SB_GLOBAL_FLAG_REFACTORING_ALLOWED`, bit 11 of the opcode token.
const REFACTORING_ALLOWED: u16 = 1;
/// `D3D11_SB_GLOBAL_FLAG_FORCE_EARLY_DEPTH_STENCIL`, bit 13.
const FORCE_EARLY_DEPTH: u16 = 1 << 2;
/// `MaxPatchVertices` of Direct3D and, at least, of Vulkan.
const MAX_PATCH_VERTICES: u32 = 32;

/// `D3D_NAME` values.
mod name {
    pub const POSITION: u32 = 1;
    pub const CLIP_DISTANCE: u32 = 2;
    pub const CULL_DISTANCE: u32 = 3;
    pub const RENDER_TARGET_ARRAY_INDEX: u32 = 4;
    pub const VIEWPORT_ARRAY_INDEX: u32 = 5;
    pub const VERTEX_ID: u32 = 6;
    pub const PRIMITIVE_ID: u32 = 7;
    pub const INSTANCE_ID: u32 = 8;
    pub const IS_FRONT_FACE: u32 = 9;
    pub const SAMPLE_INDEX: u32 = 10;
    pub const QUAD_EDGE: u32 = 11;
    pub const QUAD_INSIDE: u32 = 12;
    pub const TRIANGLE_EDGE: u32 = 13;
    pub const TRIANGLE_INSIDE: u32 = 14;
    pub const LINE_DETAIL: u32 = 15;
    pub const LINE_DENSITY: u32 = 16;
    pub const TARGET: u32 = 64;
}

/// How the variable of an element gives and takes its components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// The variable holds the element's components.
    Whole,
    /// The same, of a pixel shader that runs per sample: the element is evaluated at the pixel's centre.
    Centre,
    /// FragCoord, whose w is 1 / w, for the position at a place.
    FragCoord(pixel::Spot),
    /// VertexIndex or InstanceIndex less the draw's base.
    LessBase(BuiltIn),
    /// An array of floats: the element begins at this index.
    Array(u32),
}

/// A part of a register that one variable stands for.
#[derive(Clone, Copy, Debug)]
struct Part {
    register: u32,
    first: u8,
    width: u8,
    /// The components of the register that are in it.
    mask: u8,
    ty: Type,
    var: VarId,
    access: Access,
    /// The variable is an array of the patch's or primitive's vertices.
    per_vertex: bool,
}

impl Part {
    /// Whether a component of a register is in it.
    fn covers(&self, register: u32, component: u8) -> bool {
        self.register == register && self.mask & (1 << component) != 0
    }
}

/// The three signatures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Input,
    Output,
    Patch,
}

/// Registers that may be chosen by a register: they live in a local array of four components each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    side: Side,
    first: u32,
    count: u32,
    var: VarId,
}

/// An output register's components that wait for the end of the block.
#[derive(Clone, Copy, Debug)]
struct Pending {
    side: Side,
    register: u32,
    lanes: [LaneRef; 4],
    dirty: u8,
}

/// State of the interface.
#[derive(Default)]
pub(super) struct Io {
    inputs: Vec<Part>,
    outputs: Vec<Part>,
    patch: Vec<Part>,
    ranges: Vec<Range>,
    pending: Vec<Pending>,
    /// Interpolation of pixel shader inputs: register, mask, mode.
    interpolation: Vec<(u32, u8, u16)>,
    stages: stages::Stages,
    pixel: pixel::Pixel,
}

impl Io {
    fn parts(&self, side: Side) -> &[Part] {
        match side {
            Side::Input => &self.inputs,
            Side::Output => &self.outputs,
            Side::Patch => &self.patch,
        }
    }
}

/// Registers of outputs that have none in the format (`oDepth`, …): past any real one.
const fn file_register(file: RegisterFile) -> u32 {
    0x1000 + file as u32
}

fn mask_string(mask: u8) -> String {
    mask_lanes(mask).map(|c| ['x', 'y', 'z', 'w'][usize::from(c)]).collect()
}

fn element_kind(element: &Element<'_>) -> Kind {
    match element.component {
        1 => Kind::U32,
        2 => Kind::S32,
        _ => Kind::F32,
    }
}

fn interpolation(mode: u16) -> Option<Interpolation> {
    Some(match mode {
        1 => Interpolation::Constant,
        2 => Interpolation::Linear,
        3 => Interpolation::LinearCentroid,
        4 => Interpolation::LinearNoperspective,
        5 => Interpolation::LinearNoperspectiveCentroid,
        6 => Interpolation::LinearSample,
        7 => Interpolation::LinearNoperspectiveSample,
        _ => return None,
    })
}

/// Linear or not, at the sample.
fn by_sample(mode: u16) -> bool {
    matches!(mode, 6 | 7)
}

/// Linear or not, at the centroid.
fn is_centroid(mode: u16) -> bool {
    matches!(mode, 3 | 5)
}

impl<'a> Lower<'a> {
    /// Takes a declaration.
    pub(super) fn declare(
        &mut self,
        declaration: &Declaration,
        operands: &[Operand],
        extra: &[u32],
    ) -> Result<(), Error> {
        match declaration.op {
            Opcode::DclGlobalFlags => {
                self.refactoring = declaration.controls & REFACTORING_ALLOWED != 0;
                let fragment = self.interface.stage == Stage::Fragment;
                self.builder.modes().early_fragment_tests = fragment && declaration.controls & FORCE_EARLY_DEPTH != 0;
                Ok(())
            }
            Opcode::DclThreadGroup => {
                let [x, y, z, ..] = extra else { return Err(self.bad_operand("a thread group of three sizes")) };
                self.builder.modes().workgroup_size = [*x, *y, *z];
                self.interface.workgroup_size = Some([*x, *y, *z]);
                Ok(())
            }
            Opcode::DclResource
            | Opcode::DclResourceRaw
            | Opcode::DclResourceStructured
            | Opcode::DclUavTyped
            | Opcode::DclUavRaw
            | Opcode::DclUavStructured
            | Opcode::DclConstantBuffer
            | Opcode::DclSampler => self.declare_resource(declaration),
            Opcode::DclTgsmRaw | Opcode::DclTgsmStructured => self.declare_group_memory(declaration),
            Opcode::DclIndexableTemp => self.declare_indexable_temp(declaration),
            Opcode::CustomData => self.declare_custom_data(declaration),
            Opcode::DclIndexRange => self.declare_range(operands, extra),
            Opcode::DclInputPs | Opcode::DclInputPsSiv | Opcode::DclInputPsSgv => {
                if let [operand, ..] = operands {
                    let (register, mask) = (super::number(operand)?, operand.components.mask());
                    self.io.interpolation.push((register, mask, declaration.controls & 15));
                }
                Ok(())
            }
            Opcode::DclInterface => self.declare_class_slots(extra),
            _ => self.declare_stage(declaration, extra),
        }
    }

    fn declare_range(&mut self, operands: &[Operand], extra: &[u32]) -> Result<(), Error> {
        let ([operand, ..], [count, ..]) = (operands, extra) else {
            return Err(self.bad_operand("a range without its registers"));
        };
        let side = match operand.file {
            RegisterFile::Input | RegisterFile::InputControlPoint => Side::Input,
            RegisterFile::Output | RegisterFile::OutputControlPoint => Side::Output,
            RegisterFile::InputPatchConstant => Side::Patch,
            _ => return Err(self.bad_operand("a range of registers that are no inputs or outputs")),
        };
        if *count == 0 || *count > 32 {
            return Err(Error::malformed(ledger::LIMIT, 0, format!("a range of {count} registers")));
        }
        let Some(mut first) = operand.last_index().as_constant() else {
            return Err(self.bad_operand("a range of registers that does not begin at a constant"));
        };
        let mut end = first.saturating_add(*count);
        // Ranges of other components, or of another phase, may lie across it: they become one.
        let overlaps = |r: &Range, first, end| r.side == side && r.first < end && first < r.first + r.count;
        while let Some(at) = self.io.ranges.iter().position(|r| overlaps(r, first, end)) {
            let other = self.io.ranges.swap_remove(at);
            (first, end) = (first.min(other.first), end.max(other.first + other.count));
        }
        self.io.ranges.push(Range { side, first, count: end - first, var: VarId(0) });
        Ok(())
    }

    /// Makes the interface's variables once everything is declared.
    pub(super) fn declare_io(&mut self) -> Result<(), Error> {
        self.finish_stage()?;
        self.mark_chosen();
        self.find_rate();
        let elements = self.elements;
        for (n, element) in elements.of(Side::Input).iter().enumerate() {
            let described = self.describe_input(element);
            self.interface.inputs.push(described);
            if self.is_input_needed(element) {
                self.note_added(Side::Input, n);
                self.declare_input(element)?;
            }
        }
        for (n, element) in elements.of(Side::Output).iter().enumerate() {
            let described = self.describe_output(element);
            self.interface.outputs.push(described);
            self.note_added(Side::Output, n);
            self.declare_output(element)?;
        }
        for (n, element) in elements.of(Side::Patch).iter().enumerate() {
            let mut described = self.describe_element(element);
            described.location = if tess_level(element).is_some() { None } else { described.register };
            self.interface.patch_constants.push(described);
            self.note_added(Side::Patch, n);
            self.declare_patch(element)?;
        }
        self.declare_captures()?;
        for n in 0..self.io.ranges.len() {
            self.io.ranges[n].var = self.range_var(&self.io.ranges[n].clone());
        }
        Ok(())
    }

    /// Marks the registers that another register may choose as used.
    fn mark_chosen(&mut self) {
        for n in 0..self.usage.chosen.len() {
            let Chosen { file, first, components } = self.usage.chosen[n];
            let side = match file {
                RegisterFile::Output => Side::Output,
                RegisterFile::InputPatchConstant => Side::Patch,
                _ => Side::Input,
            };
            // Without a range the access itself is an error.
            let Some(range) = self.range_of(side, first) else { continue };
            for register in range.first..range.first + range.count {
                self.usage.mark(file, register, components);
            }
        }
    }

    /// Notes an element that the container's signature lacks.
    fn note_added(&mut self, side: Side, n: usize) {
        if self.elements.is_added(side, n) {
            self.note(ledger::NO_ELEMENT);
        }
    }

    /// The array of a range. Inputs of several vertices stand one vertex after another.
    fn range_var(&mut self, range: &Range) -> VarId {
        let parts = self.io.parts(range.side).iter().filter(|p| p.register.wrapping_sub(range.first) < range.count);
        let integer = parts.clone().count() > 0 && parts.clone().all(|p| p.ty.kind() != Kind::F32);
        let kind = if integer { Kind::U32 } else { Kind::F32 };
        let vertices = if range.side == Side::Input { self.input_vertices().max(1) } else { 1 };
        self.builder.var(VarKind::Local { element: Type::new(kind, 4), len: range.count * vertices }, "")
    }

    fn describe_element(&self, element: &Element<'_>) -> SignatureElement {
        SignatureElement {
            semantic: element.semantic.to_owned(),
            index: element.index,
            register: (element.register != NO_REGISTER).then_some(element.register),
            mask: mask_string(element.mask),
            component: match element.component {
                1 => Component::Uint,
                2 => Component::Sint,
                _ => Component::Float,
            },
            location: None,
            interpolation: None,
            stream: element.stream,
        }
    }

    fn describe_input(&self, element: &Element<'_>) -> SignatureElement {
        let mut described = self.describe_element(element);
        let built_in = match self.interface.stage {
            Stage::Vertex => matches!(element.system_value, name::VERTEX_ID | name::INSTANCE_ID),
            _ => self.given_built_in(element).is_some(),
        };
        described.location = if built_in { None } else { described.register };
        if self.interface.stage == Stage::Fragment {
            described.interpolation = interpolation(self.interpolation_of(element));
        }
        described
    }

    fn describe_output(&self, element: &Element<'_>) -> SignatureElement {
        let mut described = self.describe_element(element);
        let located = match self.interface.stage {
            Stage::Fragment => element.system_value == 0 || element.system_value == name::TARGET,
            _ => self.is_located(Side::Output, element),
        };
        let target = self.interface.stage == Stage::Fragment && self.options.dual_source;
        let location = |register| if target { 0 } else { register + self.stream_base(element.stream) };
        described.location = if located { described.register.map(location) } else { None };
        described
    }

    fn interpolation_of(&self, element: &Element<'_>) -> u16 {
        let of = |&&(register, mask, _): &&(u32, u8, u16)| register == element.register && mask & element.mask != 0;
        self.io.interpolation.iter().find(of).map_or(0, |&(_, _, mode)| mode)
    }

    /// Floats in the clip or cull distances of a signature before an element, and in all.
    fn distances(elements: &[Element<'_>], of: &Element<'_>) -> (u32, u32) {
        let same = elements.iter().filter(|e| e.system_value == of.system_value && e.stream == of.stream);
        let before = same.clone().filter(|e| (e.index, e.register) < (of.index, of.register));
        (before.map(|e| e.mask.count_ones()).sum(), same.map(|e| e.mask.count_ones()).sum())
    }

    fn input_built_in(&mut self, element: &Element<'_>) -> Option<(BuiltIn, Type, Access)> {
        match (self.interface.stage, element.system_value) {
            (Stage::Vertex, name::VERTEX_ID) => Some(self.less_base(BuiltIn::VertexIndex, BuiltIn::BaseVertex)),
            (Stage::Vertex, name::INSTANCE_ID) => Some(self.less_base(BuiltIn::InstanceIndex, BuiltIn::BaseInstance)),
            _ => self.given_built_in(element),
        }
    }

    /// The built-in that an input of a stage behind the first is.
    fn given_built_in(&self, element: &Element<'_>) -> Option<(BuiltIn, Type, Access)> {
        let per_vertex = self.input_vertices() > 0;
        let float4 = Type::new(Kind::F32, 4);
        Some(match (self.interface.stage, element.system_value) {
            (Stage::Fragment, name::POSITION) => (BuiltIn::FragCoord, float4, Access::FragCoord(self.spot(element))),
            (Stage::Fragment, name::IS_FRONT_FACE) => (BuiltIn::FrontFacing, Type::BOOL, Access::Whole),
            (Stage::Fragment, name::PRIMITIVE_ID) => (BuiltIn::PrimitiveId, Type::U32, Access::Whole),
            (Stage::Fragment, name::SAMPLE_INDEX) => (BuiltIn::SampleId, Type::U32, Access::Whole),
            (Stage::Fragment, name::RENDER_TARGET_ARRAY_INDEX) => (BuiltIn::Layer, Type::U32, Access::Whole),
            (Stage::Fragment, name::VIEWPORT_ARRAY_INDEX) => (BuiltIn::ViewportIndex, Type::U32, Access::Whole),
            (_, name::POSITION) if per_vertex => (BuiltIn::Position, float4, Access::Whole),
            _ => return None,
        })
    }

    /// Whether an element has a location: it is not a built-in, or it is one that the next stage may read as data.
    fn is_located(&self, side: Side, element: &Element<'_>) -> bool {
        match side {
            Side::Input => self.given_built_in(element).is_none(),
            Side::Output => self.output_built_in(element).is_none_or(|built_in| self.passes_on(built_in)),
            Side::Patch => tess_level(element).is_none(),
        }
    }

    /// Whether the next stage reads an output from a location although it is a built-in for the rasteriser too.
    ///
    /// Direct3D hands such values on like any other data (11.3, section 4.4.5), and a stage is translated without knowing
    /// the next one. A pixel shader reads the built-ins of layer and viewport, which are 0 if no stage wrote them; a
    /// geometry shader's need no location then.
    fn passes_on(&self, built_in: BuiltIn) -> bool {
        match built_in {
            BuiltIn::ClipDistance | BuiltIn::CullDistance => true,
            BuiltIn::Layer | BuiltIn::ViewportIndex => self.interface.stage != Stage::Geometry,
            _ => false,
        }
    }

    /// Whether anything may read an input.
    fn is_input_needed(&self, element: &Element<'_>) -> bool {
        let used = self.usage.inputs.get(element.register as usize).copied().unwrap_or(0);
        let in_range = |r: &Range| r.side == Side::Input && element.register.wrapping_sub(r.first) < r.count;
        let needed = used & element.mask != 0 || self.io.ranges.iter().any(in_range) || self.passes_through();
        element.mask != 0 && element.register != NO_REGISTER && needed
    }

    fn declare_input(&mut self, element: &Element<'a>) -> Result<(), Error> {
        let fragment = self.interface.stage == Stage::Fragment;
        let mut extent = Extent::of(element);
        let mut decorations = InterfaceDecorations::default();
        let (ty, place, access) = match self.input_built_in(element) {
            Some((built_in, ty, access)) => {
                decorations.flat = fragment && ty.kind() == Kind::U32;
                (ty, Place::BuiltIn(built_in), access)
            }
            None => {
                let mut mode = self.interpolation_of(element);
                if let Some(shared) = self.shared(Side::Input, element) {
                    (extent, mode) = (Extent::shared(&shared), shared.mode);
                }
                let ty = extent.ty;
                let mut access = Access::Whole;
                if fragment {
                    decorations = input_decorations(mode, ty);
                    let InterfaceDecorations { flat, centroid, sample, .. } = decorations;
                    if !flat && !centroid && !sample && self.runs_by_sample() {
                        access = Access::Centre;
                    }
                }
                (ty, extent.place((element.register, 0)), access)
            }
        };
        if fragment {
            self.note_centroid(self.interpolation_of(element));
        }
        let by_sample = decorations.sample || place == Place::BuiltIn(BuiltIn::SampleId);
        if by_sample && !self.options.profile.features.sample_rate_shading {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "an input of every sample needs sampleRateShading"));
        }
        decorations.per_vertex = self.input_vertices();
        let per_vertex = decorations.per_vertex > 0;
        let kind = VarKind::Input { ty, array: None, place, decorations };
        if let Some(var) = self.element_var(kind, &extent, element)? {
            self.io.inputs.push(extent.part(element.register, ty, var, access, per_vertex));
        }
        Ok(())
    }

    /// An index that begins at 0 whatever the draw's base is, where the profile knows the base.
    fn less_base(&mut self, index: BuiltIn, base: BuiltIn) -> (BuiltIn, Type, Access) {
        if self.options.profile.features.draw_parameters {
            return (index, Type::U32, Access::LessBase(base));
        }
        self.note(ledger::IDS_WITH_BASE);
        (index, Type::U32, Access::Whole)
    }

    /// Two elements of a signature cannot have the same components of a register.
    fn check_place(&self, kind: VarKind) -> Result<(), Error> {
        let Some(new) = Taken::of(kind) else { return Ok(()) };
        let vars = &self.builder.function().vars;
        if vars.iter().filter_map(|var| Taken::of(var.kind)).any(|old| old.overlaps(&new)) {
            return Err(self.bad_operand(format!("two elements of a signature in register {}", new.location.0)));
        }
        Ok(())
    }

    /// The variable of a place; built-ins that several elements share have one.
    fn interface_var(
        &mut self,
        input: bool,
        ty: Type,
        array: Option<u32>,
        place: Place,
        decorations: InterfaceDecorations,
        semantic: &str,
    ) -> VarId {
        let kind = if input {
            VarKind::Input { ty, array, place, decorations }
        } else {
            VarKind::Output { ty, array, place, decorations }
        };
        match place {
            Place::BuiltIn(_) => self.known_var(kind).unwrap_or_else(|| self.named_var(kind, semantic)),
            Place::Location { .. } => self.named_var(kind, semantic),
        }
    }

    fn known_var(&self, kind: VarKind) -> Option<VarId> {
        let found = self.builder.function().vars.iter().position(|v| v.kind == kind);
        found.map(|at| VarId(at as u32))
    }

    fn named_var(&mut self, kind: VarKind, semantic: &str) -> VarId {
        let name = if self.options.names { semantic } else { "" };
        self.builder.var(kind, name)
    }

    /// The variable of an element; none where another element of its register has made the one that both share.
    fn element_var(&mut self, kind: VarKind, extent: &Extent, element: &Element<'_>) -> Result<Option<VarId>, Error> {
        let (VarKind::Input { place, .. } | VarKind::Output { place, .. }) = kind else { return Ok(None) };
        let known = self.known_var(kind);
        if let (Place::BuiltIn(_), Some(var)) = (place, known) {
            return Ok(Some(var));
        }
        if extent.shared && known.is_some() {
            return Ok(None);
        }
        self.check_place(kind)?;
        Ok(Some(self.named_var(kind, element.semantic)))
    }

    /// The built-in that an output of a stage before the rasteriser is.
    fn output_built_in(&self, element: &Element<'_>) -> Option<BuiltIn> {
        let control = self.interface.stage == Stage::TessellationControl;
        // Only one stream is rasterised: in the others these are data.
        if element.stream != u32::from(self.options.stream_output.rasterized_stream)
            || self.interface.stage == Stage::Compute
        {
            return None;
        }
        Some(match element.system_value {
            name::POSITION => BuiltIn::Position,
            name::CLIP_DISTANCE if !control => BuiltIn::ClipDistance,
            name::CULL_DISTANCE if !control => BuiltIn::CullDistance,
            name::RENDER_TARGET_ARRAY_INDEX if !control => BuiltIn::Layer,
            name::VIEWPORT_ARRAY_INDEX if !control => BuiltIn::ViewportIndex,
            name::PRIMITIVE_ID if self.interface.stage == Stage::Geometry => BuiltIn::PrimitiveId,
            _ => return None,
        })
    }

    fn declare_output(&mut self, element: &Element<'a>) -> Result<(), Error> {
        if element.mask == 0 || element.register == NO_REGISTER {
            return Ok(());
        }
        let built_in = if self.interface.stage == Stage::Fragment { None } else { self.output_built_in(element) };
        if let Some(built_in) = built_in {
            self.declare_built_in_output(element, built_in)?;
            if !self.passes_on(built_in) {
                return Ok(());
            }
        }
        let mut extent = Extent::of(element);
        if let Some(shared) = self.shared(Side::Output, element) {
            extent = Extent::shared(&shared);
        }
        let place = extent.place(self.output_location(element)?);
        let kind = VarKind::Output { ty: extent.ty, array: None, place, decorations: self.output_decorations(element) };
        self.add_output(element, kind, &extent, Access::Whole)
    }

    fn declare_built_in_output(&mut self, element: &Element<'a>, built_in: BuiltIn) -> Result<(), Error> {
        let mut decorations = self.output_decorations(element);
        let (ty, array, access) = match built_in {
            BuiltIn::Position => {
                decorations.invariant = true;
                (Type::new(Kind::F32, 4), None, Access::Whole)
            }
            BuiltIn::ClipDistance | BuiltIn::CullDistance => {
                let (before, all) = Self::distances(self.elements.of(Side::Output), element);
                (Type::F32, Some(all), Access::Array(before))
            }
            _ if self.interface.stage != Stage::Geometry && !self.options.profile.features.viewport_layer_any_stage => {
                // The next stage may be a hull or geometry shader, which reads the location.
                self.note(ledger::LAYER_OF_ANY_STAGE);
                return Ok(());
            }
            _ => (Type::U32, None, Access::Whole),
        };
        let kind = VarKind::Output { ty, array, place: Place::BuiltIn(built_in), decorations };
        self.add_output(element, kind, &Extent::of(element), access)
    }

    fn output_decorations(&self, element: &Element<'_>) -> InterfaceDecorations {
        InterfaceDecorations {
            stream: element.stream.min(3) as u8,
            per_vertex: self.output_vertices(),
            ..InterfaceDecorations::default()
        }
    }

    /// Adds the variable of an output, or the part of one that another element has made.
    fn add_output(
        &mut self,
        element: &Element<'a>,
        kind: VarKind,
        extent: &Extent,
        access: Access,
    ) -> Result<(), Error> {
        let VarKind::Output { ty, decorations, .. } = kind else { return Ok(()) };
        if let Some(var) = self.element_var(kind, extent, element)? {
            let per_vertex = decorations.per_vertex > 0;
            self.io.outputs.push(extent.part(element.register, ty, var, access, per_vertex));
        }
        Ok(())
    }

    /// Location and index of an output. Where two sources are blended, the second one is target 0's as well.
    fn output_location(&self, element: &Element<'_>) -> Result<(u32, u8), Error> {
        if !self.options.dual_source || self.interface.stage != Stage::Fragment {
            return Ok((element.register + self.stream_base(element.stream), 0));
        }
        match element.register {
            0 => Ok((0, 0)),
            1 => Ok((0, 1)),
            other => {
                let what = format!("SV_Target{other}, where two sources are blended on target 0");
                Err(Error::refused(ledger::DUAL_SOURCE, what))
            }
        }
    }

    /// Streams of a geometry shader have registers of their own; their locations follow one another, the rasterised
    /// stream's first.
    fn stream_base(&self, stream: u32) -> u32 {
        let rasterized = u32::from(self.options.stream_output.rasterized_stream);
        let order = |s: u32| if s == rasterized { 0 } else { s + 1 };
        (0..4).filter(|&s| order(s) < order(stream)).map(|s| self.stream_registers(s)).sum()
    }

    /// Registers up to the last one of a stream.
    fn stream_registers(&self, stream: u32) -> u32 {
        let elements = self.elements.of(Side::Output).iter();
        let of = elements.filter(|e| e.stream == stream && e.register != NO_REGISTER);
        of.map(|e| e.register + 1).max().unwrap_or(0)
    }

    fn declare_patch(&mut self, element: &Element<'a>) -> Result<(), Error> {
        if element.mask == 0 || element.register == NO_REGISTER {
            return Ok(());
        }
        let input = self.interface.stage == Stage::TessellationEvaluation;
        let mut extent = Extent::of(element);
        let decorations = InterfaceDecorations { patch: true, ..InterfaceDecorations::default() };
        let (ty, array, place, access) = match tess_level(element) {
            Some((built_in, at)) => {
                let len = if built_in == BuiltIn::TessLevelOuter { 4 } else { 2 };
                (Type::F32, Some(len), Place::BuiltIn(built_in), Access::Array(at))
            }
            None => {
                if let Some(shared) = self.shared(Side::Patch, element) {
                    extent = Extent::shared(&shared);
                }
                (extent.ty, None, extent.place((element.register, 0)), Access::Whole)
            }
        };
        let kind = match input {
            true => VarKind::Input { ty, array, place, decorations },
            false => VarKind::Output { ty, array, place, decorations },
        };
        if let Some(var) = self.element_var(kind, &extent, element)? {
            self.io.patch.push(extent.part(element.register, ty, var, access, false));
        }
        Ok(())
    }

    /// What the interface says once all code is known.
    pub(super) fn finish_io(&mut self) {
        self.interface.draw_index = self
            .builder
            .function()
            .vars
            .iter()
            .any(|v| matches!(v.kind, VarKind::Input { place: Place::BuiltIn(BuiltIn::DrawIndex), .. }));
    }
}

/// The tessellation level that a patch constant is.
fn tess_level(element: &Element<'_>) -> Option<(BuiltIn, u32)> {
    Some(match element.system_value {
        name::QUAD_EDGE | name::TRIANGLE_EDGE => (BuiltIn::TessLevelOuter, element.index.min(3)),
        name::QUAD_INSIDE => (BuiltIn::TessLevelInner, element.index.min(1)),
        name::TRIANGLE_INSIDE => (BuiltIn::TessLevelInner, 0),
        // Vulkan's first level of isolines is their number, its second their division.
        name::LINE_DENSITY => (BuiltIn::TessLevelOuter, 0),
        name::LINE_DETAIL => (BuiltIn::TessLevelOuter, 1),
        _ => return None,
    })
}

/// What a variable at a location takes of it.
struct Taken {
    /// Input or not, of the patch or not.
    side: (bool, bool),
    /// And its index.
    location: (u32, u8),
    components: std::ops::Range<u8>,
}

impl Taken {
    fn of(kind: VarKind) -> Option<Taken> {
        let (input, ty, place, decorations) = match kind {
            VarKind::Input { ty, place, decorations, .. } => (true, ty, place, decorations),
            VarKind::Output { ty, place, decorations, .. } => (false, ty, place, decorations),
            _ => return None,
        };
        let Place::Location { location, component, index } = place else { return None };
        let location = (location, index);
        Some(Taken { side: (input, decorations.patch), location, components: component..component + ty.width() })
    }

    fn overlaps(&self, other: &Taken) -> bool {
        let (own, others) = (&self.components, &other.components);
        self.side == other.side && self.location == other.location && own.start < others.end && others.start < own.end
    }
}

/// The components of a register that a variable stands for.
struct Extent {
    first: u8,
    mask: u8,
    /// Of the variable at a location.
    ty: Type,
    /// Whether several elements may stand in it.
    shared: bool,
}

impl Extent {
    /// One element's own: from its first component to its last.
    fn of(element: &Element<'_>) -> Extent {
        let first = element.mask.trailing_zeros() as u8;
        let width = (8 - element.mask.leading_zeros()) as u8 - first;
        let mask = (((1u16 << width) - 1) << first) as u8;
        Extent { first, mask, ty: Type::new(element_kind(element), width), shared: false }
    }

    fn shared(shared: &shared::Shared) -> Extent {
        Extent { first: 0, mask: shared.mask, ty: shared.ty, shared: true }
    }

    /// A place at a location, and index there.
    fn place(&self, (location, index): (u32, u8)) -> Place {
        Place::Location { location, component: self.first, index }
    }

    fn part(&self, register: u32, ty: Type, var: VarId, access: Access, per_vertex: bool) -> Part {
        let (first, mask, width) = (self.first, self.mask, self.ty.width());
        Part { register, first, width, mask, ty, var, access, per_vertex }
    }
}

fn input_decorations(mode: u16, ty: Type) -> InterfaceDecorations {
    let integer = ty.kind() != Kind::F32;
    InterfaceDecorations {
        flat: mode == 1 || integer,
        no_perspective: !integer && matches!(mode, 4 | 5 | 7),
        centroid: !integer && is_centroid(mode),
        sample: !integer && by_sample(mode),
        ..InterfaceDecorations::default()
    }
}
