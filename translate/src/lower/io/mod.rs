//! Inputs, outputs and system values: signature elements to interface variables.
//!
//! Outputs are memory: what a block writes of one is put together and stored when the block ends. Elements that a
//! register may choose live in a local array, filled on entry or stored on the way out.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Declaration, Instruction, Operand, RegisterFile};
use crate::dxbc::signature::{Element, NO_REGISTER};
use crate::interface::{Component, Interpolation, SignatureElement, Stage};
use crate::ir::{BuiltIn, Flags, InterfaceDecorations, Kind, LaneRef, Op, Place, Type, ValueId, VarId, VarKind};
use crate::{Error, ledger};

/// `D3D10_SB_GLOBAL_FLAG_REFACTORING_ALLOWED`, bit 11 of the opcode token.
const REFACTORING_ALLOWED: u16 = 1;
/// `D3D11_SB_GLOBAL_FLAG_FORCE_EARLY_DEPTH_STENCIL`, bit 13.
const FORCE_EARLY_DEPTH: u16 = 1 << 2;

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
    pub const TARGET: u32 = 64;
    pub const INNER_COVERAGE: u32 = 70;
}

/// How the variable of an element gives and takes its components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    /// The variable holds the element's components.
    Whole,
    /// FragCoord: w is 1 / w.
    FragCoord,
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
    ty: Type,
    var: VarId,
    access: Access,
}

/// Registers that may be chosen by a register.
#[derive(Clone, Copy, Debug)]
struct Range {
    input: bool,
    first: u32,
    count: u32,
    var: VarId,
}

/// An output register's components that wait for the end of the block.
#[derive(Clone, Copy, Debug)]
struct Pending {
    register: u32,
    lanes: [LaneRef; 4],
    dirty: u8,
}

/// State of the interface.
#[derive(Default)]
pub(super) struct Io {
    inputs: Vec<Part>,
    outputs: Vec<Part>,
    ranges: Vec<Range>,
    pending: Vec<Pending>,
    /// Interpolation of pixel shader inputs: register, mask, mode.
    interpolation: Vec<(u32, u8, u16)>,
    /// Variables of inputs without a register, made at their first use.
    files: Vec<(RegisterFile, VarId, Type)>,
}

/// Registers of outputs that have none in the format (`oDepth`, …): past any real one.
fn file_register(file: RegisterFile) -> u32 {
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

impl<'a> Lower<'a> {
    /// Takes a declaration.
    pub(super) fn declare(&mut self, declaration: &Declaration) -> Result<(), Error> {
        let program = self.program;
        let operands = program.operands_of_declaration(declaration);
        let extra = program.extra_of(declaration);
        match declaration.op {
            Opcode::DclGlobalFlags => {
                self.refactoring = declaration.controls & REFACTORING_ALLOWED != 0;
                self.builder.modes().early_fragment_tests = declaration.controls & FORCE_EARLY_DEPTH != 0;
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
            Opcode::CustomData => self.declare_immediate_constant_buffer(declaration),
            Opcode::DclIndexRange => self.declare_range(operands, extra),
            Opcode::DclInputPs | Opcode::DclInputPsSiv | Opcode::DclInputPsSgv => {
                if let [operand, ..] = operands {
                    let (register, mask) = (operand.index[0].offset, operand.components.mask());
                    self.io.interpolation.push((register, mask, declaration.controls & 15));
                }
                Ok(())
            }
            Opcode::DclInterface | Opcode::DclFunctionBody | Opcode::DclFunctionTable => {
                Err(Error::refused(ledger::INTERFACES, "class linkage"))
            }
            _ => Ok(()),
        }
    }

    fn declare_range(&mut self, operands: &[Operand], extra: &[u32]) -> Result<(), Error> {
        let ([operand, ..], [count, ..]) = (operands, extra) else {
            return Err(self.bad_operand("a range without its registers"));
        };
        let input = match operand.file {
            RegisterFile::Input => true,
            RegisterFile::Output => false,
            _ => return Err(self.bad_operand("a range of registers that are no inputs or outputs")),
        };
        if *count == 0 || *count > 32 {
            return Err(Error::malformed(ledger::LIMIT, 0, format!("a range of {count} registers")));
        }
        let first = operand.index[0].offset;
        self.io.ranges.push(Range { input, first, count: *count, var: VarId(0) });
        Ok(())
    }

    /// Makes the interface's variables once everything is declared.
    pub(super) fn declare_io(&mut self) -> Result<(), Error> {
        let shader = self.shader;
        for element in &shader.inputs.elements {
            let described = self.describe_input(element);
            self.interface.inputs.push(described);
            self.declare_input(element)?;
        }
        for element in &shader.outputs.elements {
            let described = self.describe_output(element);
            self.interface.outputs.push(described);
            self.declare_output(element)?;
        }
        for n in 0..self.io.ranges.len() {
            let Range { input, first, count, .. } = self.io.ranges[n];
            let parts = if input { &self.io.inputs } else { &self.io.outputs };
            let ints = parts.iter().filter(|p| p.register >= first && p.register - first < count);
            let integer = ints.clone().count() > 0 && ints.clone().all(|p| p.ty.kind() != Kind::F32);
            let kind = if integer { Kind::U32 } else { Kind::F32 };
            self.io.ranges[n].var = self.builder.var(VarKind::Local { element: Type::new(kind, 4), len: count }, "");
        }
        Ok(())
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
            _ => element.system_value != 0,
        };
        described.location = if built_in { None } else { described.register };
        if self.interface.stage == Stage::Fragment {
            described.interpolation = interpolation(self.interpolation_of(element));
        }
        described
    }

    fn describe_output(&self, element: &Element<'_>) -> SignatureElement {
        let mut described = self.describe_element(element);
        let located = element.system_value == 0 || element.system_value == name::TARGET || self.plain_output(element);
        described.location = if located { described.register } else { None };
        described
    }

    /// Whether an output with a system value is passed on like any other (a vertex shader's `SV_PrimitiveID`, …).
    fn plain_output(&self, element: &Element<'_>) -> bool {
        let built_in = matches!(
            element.system_value,
            name::POSITION
                | name::CLIP_DISTANCE
                | name::CULL_DISTANCE
                | name::RENDER_TARGET_ARRAY_INDEX
                | name::VIEWPORT_ARRAY_INDEX
        );
        self.interface.stage == Stage::Vertex && !built_in
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

    fn declare_input(&mut self, element: &Element<'_>) -> Result<(), Error> {
        let used = self.usage.inputs.get(element.register as usize).copied().unwrap_or(0);
        let ranged = self.io.ranges.iter().any(|r| r.input && element.register.wrapping_sub(r.first) < r.count);
        if element.mask == 0 || (used & element.mask == 0 && !ranged) {
            return Ok(());
        }
        if element.system_value == name::INNER_COVERAGE {
            return Err(Error::refused(ledger::INNER_COVERAGE, "SV_InnerCoverage"));
        }
        let fragment = self.interface.stage == Stage::Fragment;
        let built_in = match (self.interface.stage, element.system_value) {
            (Stage::Vertex, name::VERTEX_ID) => Some(self.less_base(BuiltIn::VertexIndex, BuiltIn::BaseVertex)),
            (Stage::Vertex, name::INSTANCE_ID) => Some(self.less_base(BuiltIn::InstanceIndex, BuiltIn::BaseInstance)),
            (Stage::Fragment, name::POSITION) => Some((BuiltIn::FragCoord, Type::new(Kind::F32, 4), Access::FragCoord)),
            (Stage::Fragment, name::IS_FRONT_FACE) => Some((BuiltIn::FrontFacing, Type::BOOL, Access::Whole)),
            (Stage::Fragment, name::PRIMITIVE_ID) => Some((BuiltIn::PrimitiveId, Type::U32, Access::Whole)),
            (Stage::Fragment, name::SAMPLE_INDEX) => Some((BuiltIn::SampleId, Type::U32, Access::Whole)),
            (Stage::Fragment, name::RENDER_TARGET_ARRAY_INDEX) => Some((BuiltIn::Layer, Type::U32, Access::Whole)),
            (Stage::Fragment, name::VIEWPORT_ARRAY_INDEX) => Some((BuiltIn::ViewportIndex, Type::U32, Access::Whole)),
            (Stage::Fragment, name::CLIP_DISTANCE) => Some((BuiltIn::ClipDistance, Type::F32, Access::Array(0))),
            (Stage::Fragment, name::CULL_DISTANCE) => Some((BuiltIn::CullDistance, Type::F32, Access::Array(0))),
            _ => None,
        };
        let (first, width) = (element.mask.trailing_zeros() as u8, span(element.mask));
        let mut decorations = InterfaceDecorations::default();
        let (ty, place, mut access) = match built_in {
            Some((built_in, ty, access)) => {
                decorations.flat = fragment && ty.kind() == Kind::U32;
                (ty, Place::BuiltIn(built_in), access)
            }
            None => {
                let ty = Type::new(element_kind(element), width);
                if fragment {
                    decorations = input_decorations(self.interpolation_of(element), ty);
                }
                let place = Place::Location { location: element.register, component: first, index: 0 };
                (ty, place, Access::Whole)
            }
        };
        let mut array = None;
        if let Access::Array(at) = &mut access {
            let (before, all) = Self::distances(&self.shader.inputs.elements, element);
            *at = before;
            array = Some(all);
        }
        let var = self.interface_var(true, ty, array, place, decorations, element.semantic);
        self.io.inputs.push(Part { register: element.register, first, width, ty, var, access });
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
        if let Place::BuiltIn(_) = place {
            let found = self.builder.function().vars.iter().position(|v| v.kind == kind);
            if let Some(at) = found {
                return VarId(at as u32);
            }
        }
        let name = if self.options.names { semantic } else { "" };
        self.builder.var(kind, name)
    }

    fn declare_output(&mut self, element: &Element<'_>) -> Result<(), Error> {
        let stage = self.interface.stage;
        let (first, width) = (element.mask.trailing_zeros() as u8, span(element.mask));
        if element.mask == 0 || element.register == NO_REGISTER {
            return Ok(());
        }
        let features = &self.options.profile.features;
        let mut decorations = InterfaceDecorations::default();
        let (ty, array, place, access) = match (stage, element.system_value) {
            (Stage::Vertex, name::POSITION) => {
                decorations.invariant = true;
                (Type::new(Kind::F32, 4), None, Place::BuiltIn(BuiltIn::Position), Access::Whole)
            }
            (Stage::Vertex, name::CLIP_DISTANCE | name::CULL_DISTANCE) => {
                let (before, all) = Self::distances(&self.shader.outputs.elements, element);
                let built_in = if element.system_value == name::CLIP_DISTANCE {
                    BuiltIn::ClipDistance
                } else {
                    BuiltIn::CullDistance
                };
                (Type::F32, Some(all), Place::BuiltIn(built_in), Access::Array(before))
            }
            (Stage::Vertex, name::RENDER_TARGET_ARRAY_INDEX | name::VIEWPORT_ARRAY_INDEX) => {
                if !features.viewport_layer_any_stage {
                    let what = "a vertex shader's layer or viewport needs shaderOutputLayer and shaderOutputViewportIndex";
                    return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
                }
                let layer = element.system_value == name::RENDER_TARGET_ARRAY_INDEX;
                let built_in = if layer { BuiltIn::Layer } else { BuiltIn::ViewportIndex };
                (Type::U32, None, Place::BuiltIn(built_in), Access::Whole)
            }
            _ => {
                let place = Place::Location { location: element.register, component: first, index: 0 };
                (Type::new(element_kind(element), width), None, place, Access::Whole)
            }
        };
        let var = self.interface_var(false, ty, array, place, decorations, element.semantic);
        self.io.outputs.push(Part { register: element.register, first, width, ty, var, access });
        Ok(())
    }

    /// Fills the arrays of inputs that a register may choose. The entry block is open.
    pub(super) fn enter_io(&mut self) {
        for n in 0..self.io.ranges.len() {
            let range = self.io.ranges[n];
            if !range.input {
                continue;
            }
            for i in 0..range.count {
                let mut lanes = [LaneRef::UNDEFINED; 4];
                for (c, lane) in lanes.iter_mut().enumerate() {
                    *lane = self.input_lane(range.first + i, c as u8).unwrap_or(LaneRef::UNDEFINED);
                }
                let kind = self.range_kind(&range);
                let value = self.builder.gather(&lanes, kind);
                let index = self.builder.u32(i);
                self.builder.push(Op::Store, Type::VOID, Flags::NONE, range.var.0, &[value, index]);
            }
        }
    }

    fn range_kind(&self, range: &Range) -> Kind {
        match self.builder.function().var(range.var).kind {
            VarKind::Local { element, .. } => element.kind(),
            _ => Kind::F32,
        }
    }

    /// Component `c` of an input register.
    fn input_lane(&mut self, register: u32, c: u8) -> Option<LaneRef> {
        let covers = |p: &&Part| p.register == register && c >= p.first && c < p.first + p.width;
        let part = *self.io.inputs.iter().find(covers)?;
        let component = c - part.first;
        Some(match part.access {
            Access::Whole => LaneRef::new(self.builder.load_constant(part.ty, Flags::NONE, part.var, &[]), component),
            Access::FragCoord => {
                let value = self.builder.load_constant(part.ty, Flags::NONE, part.var, &[]);
                if component < 3 {
                    return Some(LaneRef::new(value, component));
                }
                let (w, one) = (self.builder.extract(value, 3), self.builder.f32(1.0));
                LaneRef::new(self.builder.op(Op::FDiv, Type::F32, &[one, w]), 0)
            }
            Access::LessBase(base) => {
                let index = self.builder.load_constant(part.ty, Flags::NONE, part.var, &[]);
                let place = Place::BuiltIn(base);
                let var = self.interface_var(true, Type::U32, None, place, InterfaceDecorations::default(), "");
                let base = self.builder.load_constant(Type::U32, Flags::NONE, var, &[]);
                LaneRef::new(self.builder.op(Op::ISub, Type::U32, &[index, base]), 0)
            }
            Access::Array(first) => {
                let index = self.builder.u32(first + u32::from(component));
                LaneRef::new(self.builder.load_constant(Type::F32, Flags::NONE, part.var, &[index]), 0)
            }
        })
    }

    /// Lanes of an input operand of any file.
    pub(super) fn input(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        if operand.file != RegisterFile::Input {
            return self.system_input(operand, mask);
        }
        let index = operand.index[0];
        if index.relative.is_some() {
            return self.ranged_input(operand, mask);
        }
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let component = operand.components.source(lane);
            let Some(value) = self.input_lane(index.offset, component) else {
                return Err(self.bad_operand(format!("v{} has no such component in the signature", index.offset)));
            };
            lanes.push(value);
        }
        Ok(lanes)
    }

    fn range_of(&self, input: bool, register: u32) -> Option<Range> {
        self.io.ranges.iter().find(|r| r.input == input && register.wrapping_sub(r.first) < r.count).copied()
    }

    /// The element of a range's array that an index chooses: always one of them.
    fn range_index(&mut self, range: &Range, operand: &Operand) -> Result<ValueId, Error> {
        let index = self.index(&operand.index[0])?;
        let first = self.builder.u32(range.first.wrapping_neg());
        let at = self.builder.add(index, first);
        Ok(if self.builder.is_constant(at) { at } else { self.clamp_index(at, range.count - 1) })
    }

    fn ranged_input(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let range = self
            .range_of(true, operand.index[0].offset)
            .ok_or_else(|| self.bad_operand("inputs are indexed without a declared range"))?;
        let index = self.range_index(&range, operand)?;
        let ty = Type::new(self.range_kind(&range), 4);
        let value = self.builder.load_constant(ty, Flags::NONE, range.var, &[index]);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            lanes.push(LaneRef::new(value, operand.components.source(lane)));
        }
        Ok(lanes)
    }

    fn system_input(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let threads = Type::new(Kind::U32, 3);
        let (built_in, ty, array) = match operand.file {
            RegisterFile::InputThreadId => (BuiltIn::GlobalInvocationId, threads, None),
            RegisterFile::InputThreadGroupId => (BuiltIn::WorkgroupId, threads, None),
            RegisterFile::InputThreadIdInGroup => (BuiltIn::LocalInvocationId, threads, None),
            RegisterFile::InputThreadIdInGroupFlattened => (BuiltIn::LocalInvocationIndex, Type::U32, None),
            RegisterFile::InputCoverageMask => (BuiltIn::SampleMask, Type::U32, Some(1)),
            RegisterFile::InputPrimitiveId => (BuiltIn::PrimitiveId, Type::U32, None),
            RegisterFile::InnerCoverage => {
                return Err(Error::refused(ledger::INNER_COVERAGE, "SV_InnerCoverage"));
            }
            RegisterFile::CycleCounter => {
                return Err(Error::refused(ledger::OTHER_OPCODE, "the cycle counter is not translated"));
            }
            file => return Err(self.bad_operand(format!("{file:?} cannot be read here"))),
        };
        let flat = self.interface.stage == Stage::Fragment;
        let decorations = InterfaceDecorations { flat, ..InterfaceDecorations::default() };
        let var = self.interface_var(true, ty, array, Place::BuiltIn(built_in), decorations, "");
        let zero = self.builder.u32(0);
        let indices: &[ValueId] = if array.is_some() { &[zero] } else { &[] };
        let value = self.builder.load_constant(ty, Flags::NONE, var, indices);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let component = operand.components.source(lane);
            let there = component < ty.width();
            lanes.push(if there { LaneRef::new(value, component) } else { LaneRef::UNDEFINED });
        }
        Ok(lanes)
    }

    /// Writes lanes to an output operand.
    pub(super) fn output(&mut self, dst: &Operand, lanes: &Lanes) -> Result<(), Error> {
        let register = if dst.file == RegisterFile::Output {
            let index = dst.index[0];
            if let Some(range) = self.range_of(false, index.offset) {
                return self.ranged_output(&range, dst, lanes);
            }
            if index.relative.is_some() {
                return Err(self.bad_operand("outputs are indexed without a declared range"));
            }
            index.offset
        } else {
            self.file_output(dst.file)?
        };
        let at = self.io.pending.iter().position(|p| p.register == register).unwrap_or_else(|| {
            self.io.pending.push(Pending { register, lanes: [LaneRef::UNDEFINED; 4], dirty: 0 });
            self.io.pending.len() - 1
        });
        let pending = &mut self.io.pending[at];
        for (component, &lane) in mask_lanes(dst.components.mask()).zip(lanes.as_slice()) {
            pending.lanes[usize::from(component)] = lane;
            pending.dirty |= 1 << component;
        }
        Ok(())
    }

    /// The register that stands for an output file; its variable is made at the first use.
    fn file_output(&mut self, file: RegisterFile) -> Result<u32, Error> {
        let register = file_register(file);
        if self.io.outputs.iter().any(|p| p.register == register) {
            return Ok(register);
        }
        let (built_in, ty, array) = match file {
            RegisterFile::OutputDepth => (BuiltIn::FragDepth, Type::F32, None),
            RegisterFile::OutputDepthGreaterEqual => {
                self.builder.modes().depth = Some(true);
                (BuiltIn::FragDepth, Type::F32, None)
            }
            RegisterFile::OutputDepthLessEqual => {
                self.builder.modes().depth = Some(false);
                (BuiltIn::FragDepth, Type::F32, None)
            }
            RegisterFile::OutputCoverageMask => (BuiltIn::SampleMask, Type::U32, Some(1)),
            RegisterFile::OutputStencilRef if self.options.profile.features.stencil_export => {
                self.builder.modes().stencil_replacing = true;
                (BuiltIn::FragStencilRef, Type::U32, None)
            }
            RegisterFile::OutputStencilRef => {
                let what = "a stencil reference needs VK_EXT_shader_stencil_export";
                return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
            }
            file => return Err(self.bad_operand(format!("{file:?} cannot be written"))),
        };
        if built_in == BuiltIn::FragDepth {
            self.builder.modes().depth_replacing = true;
        }
        let place = Place::BuiltIn(built_in);
        let var = self.interface_var(false, ty, array, place, InterfaceDecorations::default(), "");
        let access = if array.is_some() { Access::Array(0) } else { Access::Whole };
        self.io.outputs.push(Part { register, first: 0, width: 1, ty, var, access });
        Ok(register)
    }

    fn ranged_output(&mut self, range: &Range, dst: &Operand, lanes: &Lanes) -> Result<(), Error> {
        let index = self.range_index(range, dst)?;
        let kind = self.range_kind(range);
        let mask = dst.components.mask();
        if mask == 15 {
            let value = self.builder.gather(lanes.as_slice(), kind);
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, range.var.0, &[value, index]);
            return Ok(());
        }
        for (component, &lane) in mask_lanes(mask).zip(lanes.as_slice()) {
            let value = self.builder.gather(&[lane], kind);
            let component = self.builder.u32(u32::from(component));
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, range.var.0, &[value, index, component]);
        }
        Ok(())
    }

    /// Stores what waits: the block ends.
    pub(super) fn flush_outputs(&mut self) {
        let pending = std::mem::take(&mut self.io.pending);
        for p in &pending {
            self.store_register(p);
        }
        self.io.pending = pending;
        self.io.pending.clear();
    }

    fn store_register(&mut self, p: &Pending) {
        let written = self.usage.outputs.get(p.register as usize).copied().unwrap_or(15);
        for n in 0..self.io.outputs.len() {
            let part = self.io.outputs[n];
            let mask = (((1u16 << part.width) - 1) << part.first) as u8;
            if part.register != p.register || p.dirty & mask == 0 {
                continue;
            }
            // Components that no instruction ever writes have no value to keep.
            let whole = (p.dirty & mask) == (written & mask) || (p.dirty & mask) == mask;
            self.store_part(&part, p, whole);
        }
    }

    fn store_part(&mut self, part: &Part, p: &Pending, whole: bool) {
        let first = usize::from(part.first);
        let kind = part.ty.kind();
        if part.access == Access::Whole && whole {
            // A built-in narrower than its element (Layer, …) takes the first components.
            let width = usize::from(part.ty.width());
            let end = (first + width).min(4);
            let mut value = self.builder.gather(&p.lanes[first..end], kind);
            if width > end - first {
                value = self.builder.gather(&p.lanes, kind);
            }
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, part.var.0, &[value]);
            return;
        }
        let base = if let Access::Array(base) = part.access { base } else { 0 };
        for c in 0..part.width {
            let at = first + usize::from(c);
            if p.dirty & (1 << at) == 0 {
                continue;
            }
            let value = self.builder.gather(&p.lanes[at..at + 1], kind);
            let index = self.builder.u32(base + u32::from(c));
            let scalar = part.access == Access::Whole && part.ty.width() == 1;
            let args: &[ValueId] = if scalar { &[value] } else { &[value, index] };
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, part.var.0, args);
        }
    }

    /// Everything that a return must do before it.
    pub(super) fn leave_shader(&mut self) {
        for n in 0..self.io.ranges.len() {
            let range = self.io.ranges[n];
            if range.input {
                continue;
            }
            let ty = Type::new(self.range_kind(&range), 4);
            for i in 0..range.count {
                let index = self.builder.u32(i);
                let value = self.builder.push(Op::Load, ty, Flags::NONE, range.var.0, &[index]);
                let lanes = std::array::from_fn(|c| LaneRef::new(value, c as u8));
                self.store_register(&Pending { register: range.first + i, lanes, dirty: 15 });
            }
        }
        self.flush_outputs();
    }

    /// What the interface says once all code is known.
    pub(super) fn finish_io(&mut self) {
        self.interface.draw_index = self.builder.function().vars.iter().any(|v| {
            matches!(v.kind, VarKind::Input { place: Place::BuiltIn(BuiltIn::DrawIndex), .. })
        });
    }

    /// `eval_*`: an input at another place of its pixel.
    pub(super) fn lower_interpolate(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<bool, Error> {
        let op = match inst.op {
            Opcode::EvalCentroid => Op::InterpolateAtCentroid,
            Opcode::EvalSampleIndex => Op::InterpolateAtSample,
            Opcode::EvalSnapped => Op::InterpolateAtOffset,
            _ => return Ok(false),
        };
        let [dst, attribute, rest @ ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let argument = match (op, rest) {
            (Op::InterpolateAtSample, [index, ..]) => Some(self.scalar(index)?),
            (Op::InterpolateAtOffset, [offset, ..]) => Some(self.snapped_offset(offset)?),
            _ => None,
        };
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let c = attribute.components.source(lane);
            let register = attribute.index[0].offset;
            let covers = |p: &&Part| p.register == register && c >= p.first && c < p.first + p.width;
            let part = self.io.inputs.iter().find(covers).copied();
            let Some(part) = part.filter(|p| p.access == Access::Whole && p.ty.kind() == Kind::F32) else {
                return Err(self.bad_operand(format!("v{register} cannot be interpolated")));
            };
            let value = self.builder.push(op, part.ty, Flags::NONE, part.var.0, argument.as_slice());
            lanes.push(LaneRef::new(value, c - part.first));
        }
        let value = self.builder.gather(lanes.as_slice(), Kind::F32);
        self.write(inst, dst, value)?;
        Ok(true)
    }

    /// Offsets in sixteenths of a pixel, of which four bits count, to floats.
    fn snapped_offset(&mut self, offset: &Operand) -> Result<ValueId, Error> {
        let value = self.int(offset, 3)?;
        let ty = Type::new(Kind::U32, 2);
        let shift = self.builder.u32(28);
        let shift = self.builder.splat(shift, 2);
        let high = self.builder.op(Op::Shl, ty, &[value, shift]);
        let signed = self.builder.op(Op::ShrArithmetic, ty, &[high, shift]);
        let float = self.builder.op(Op::SToF, ty.with_kind(Kind::F32), &[signed]);
        let sixteenth = self.builder.f32(1.0 / 16.0);
        Ok(self.builder.op(Op::FScale, ty.with_kind(Kind::F32), &[float, sixteenth]))
    }
}

/// Components from the first to the last of a mask.
fn span(mask: u8) -> u8 {
    if mask == 0 { 1 } else { (8 - mask.leading_zeros() - mask.trailing_zeros()) as u8 }
}

fn input_decorations(mode: u16, ty: Type) -> InterfaceDecorations {
    let integer = ty.kind() != Kind::F32;
    InterfaceDecorations {
        flat: mode == 1 || integer,
        no_perspective: !integer && matches!(mode, 4 | 5 | 7),
        centroid: !integer && matches!(mode, 3 | 5),
        sample: !integer && matches!(mode, 6 | 7),
        ..InterfaceDecorations::default()
    }
}
