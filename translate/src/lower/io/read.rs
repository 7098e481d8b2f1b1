//! Reading inputs: of the invocation itself, of a primitive's or patch's vertices, of the patch, and system values.

use super::{Access, Part, Range, Side};
use crate::Error;
use crate::dxbc::program::{Operand, RegisterFile};
use crate::interface::Stage;
use crate::ir::{BuiltIn, Flags, InterfaceDecorations, Kind, LaneRef, Op, Place, Type, ValueId, VarKind};
use crate::ledger;
use crate::lower::Lower;
use crate::lower::registers::{Lanes, mask_lanes};
use crate::lower::scan::components_read;

impl<'a> Lower<'a> {
    /// Fills the arrays of inputs that a register may choose, and passes control points on where no phase makes them.
    /// The entry block is open.
    pub(in crate::lower) fn enter_io(&mut self) {
        if self.interface.stage != Stage::Geometry {
            self.write_point_size();
        }
        self.enter_pixel();
        for n in 0..self.io.ranges.len() {
            let range = self.io.ranges[n];
            let patch_input = range.side == Side::Patch && self.interface.stage == Stage::TessellationEvaluation;
            if range.side != Side::Input && !patch_input {
                continue;
            }
            let vertices = if patch_input { 1 } else { self.input_vertices().max(1) };
            for vertex in 0..vertices {
                let vertex_value = (self.input_vertices() > 0 && !patch_input).then(|| self.builder.u32(vertex));
                for i in 0..range.count {
                    self.fill(&range, range.first + i, vertex_value, vertex * range.count + i);
                }
            }
        }
        self.pass_control_point();
    }

    /// Copies an input register to an element of a range's array.
    fn fill(&mut self, range: &Range, register: u32, vertex: Option<ValueId>, at: u32) {
        let mut lanes = [LaneRef::UNDEFINED; 4];
        for (c, lane) in lanes.iter_mut().enumerate() {
            *lane = self.lane(range.side, register, c as u8, vertex).unwrap_or(LaneRef::UNDEFINED);
        }
        let kind = self.range_kind(range);
        let value = self.builder.gather(&lanes, kind);
        let index = self.builder.u32(at);
        self.builder.push(Op::Store, Type::VOID, Flags::NONE, range.var.0, &[value, index]);
    }

    pub(super) fn range_kind(&self, range: &Range) -> Kind {
        match self.builder.function().var(range.var).kind {
            VarKind::Local { element, .. } => element.kind(),
            _ => Kind::F32,
        }
    }

    /// Component `c` of a register of one side, of a vertex where there are several.
    pub(super) fn lane(&mut self, side: Side, register: u32, c: u8, vertex: Option<ValueId>) -> Option<LaneRef> {
        let part = *self.io.parts(side).iter().find(|p| p.covers(register, c))?;
        let component = c - part.first;
        let vertex = vertex.filter(|_| part.per_vertex);
        Some(match part.access {
            Access::Whole => LaneRef::new(self.load_part(side, &part, part.ty, vertex, None), component),
            Access::Centre => {
                let zero = self.builder.f32(0.0);
                let zero = self.builder.splat(zero, 2);
                let value =
                    self.builder.push_shared(Op::InterpolateAtOffset, part.ty, Flags::NONE, part.var.0, &[zero]);
                LaneRef::new(value, component)
            }
            Access::FragCoord(_) => {
                if let Some(moved) = self.io.pixel.position[usize::from(component)] {
                    return Some(LaneRef::new(moved, 0));
                }
                let value = self.load_part(side, &part, part.ty, None, None);
                if component < 3 {
                    return Some(LaneRef::new(value, component));
                }
                let (w, one) = (self.builder.extract(value, 3), self.builder.f32(1.0));
                LaneRef::new(self.builder.op(Op::FDiv, Type::F32, &[one, w]), 0)
            }
            Access::LessBase(base) => {
                let index = self.load_part(side, &part, part.ty, None, None);
                let place = Place::BuiltIn(base);
                let var = self.interface_var(true, Type::U32, None, place, InterfaceDecorations::default(), "");
                let base = self.builder.load_constant(Type::U32, Flags::NONE, var, &[]);
                LaneRef::new(self.builder.op(Op::ISub, Type::U32, &[index, base]), 0)
            }
            Access::Array(first) => {
                let index = self.builder.u32(first + u32::from(component));
                LaneRef::new(self.load_part(side, &part, Type::F32, vertex, Some(index)), 0)
            }
        })
    }

    /// What a part's variable holds. Inputs never change; outputs that a hull shader reads back do.
    fn load_part(
        &mut self,
        side: Side,
        part: &Part,
        ty: Type,
        vertex: Option<ValueId>,
        element: Option<ValueId>,
    ) -> ValueId {
        let mut indices = [ValueId(0); 2];
        let mut count = 0;
        for index in vertex.into_iter().chain(element) {
            indices[count] = index;
            count += 1;
        }
        let indices = &indices[..count];
        let input = match side {
            Side::Input => true,
            Side::Output => false,
            Side::Patch => self.interface.stage == Stage::TessellationEvaluation,
        };
        if input {
            return self.builder.load_constant(ty, Flags::NONE, part.var, indices);
        }
        self.builder.push(Op::Load, ty, Flags::NONE, part.var.0, indices)
    }

    /// Lanes of an input operand of any file.
    pub(in crate::lower) fn input(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        let side = match operand.file {
            RegisterFile::Input | RegisterFile::InputControlPoint => Side::Input,
            RegisterFile::OutputControlPoint => Side::Output,
            RegisterFile::InputPatchConstant => Side::Patch,
            _ => return self.system_input(operand, mask),
        };
        let vertices = match side {
            Side::Input => self.input_vertices(),
            Side::Output => self.output_vertices(),
            Side::Patch => 0,
        };
        let two = operand.index_count >= 2;
        if two != (vertices > 0) {
            return Err(self.bad_operand("an input has a vertex where its stage has several, and only there"));
        }
        let vertex = if two { Some(self.vertex_index(operand, vertices)?) } else { None };
        let (register, chosen) = operand.index[usize::from(two)].parts();
        let range = self.range_of(side, register);
        let in_array = range.filter(|_| chosen.is_some() || side == Side::Patch && self.writes_patch());
        if let Some(range) = in_array {
            return self.ranged_input(&range, operand, vertex, mask);
        }
        if chosen.is_some() {
            return Err(self.bad_operand("inputs are indexed without a declared range"));
        }
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let component = operand.components.source(lane);
            let waiting = self.waiting(side, register, component);
            let value = waiting.or_else(|| self.lane(side, register, component, vertex));
            let Some(value) = value else {
                return Err(self.bad_operand(format!("register {register} has no such component")));
            };
            lanes.push(value);
        }
        Ok(lanes)
    }

    /// Whether patch constants are outputs here.
    fn writes_patch(&self) -> bool {
        self.interface.stage == Stage::TessellationControl
    }

    /// The vertex that an operand names: always one of them.
    fn vertex_index(&mut self, operand: &Operand, vertices: u32) -> Result<ValueId, Error> {
        let index = self.index(&operand.index[0])?;
        match self.builder.as_constant(index) {
            Some(n) if n < vertices => Ok(index),
            Some(_) => Err(self.bad_operand(format!("a vertex past the {vertices} there are"))),
            None => Ok(self.clamp_index(index, vertices - 1)),
        }
    }

    pub(super) fn range_of(&self, side: Side, register: u32) -> Option<Range> {
        self.io.ranges.iter().find(|r| r.side == side && register.wrapping_sub(r.first) < r.count).copied()
    }

    /// The register of a range that an operand's last index chooses, counted from the range's first: always one of them.
    pub(super) fn range_index(&mut self, range: &Range, operand: &Operand) -> Result<ValueId, Error> {
        let index = self.index(&operand.last_index())?;
        let first = self.builder.u32(range.first.wrapping_neg());
        let at = self.builder.add(index, first);
        Ok(match self.builder.as_constant(at) {
            Some(n) => self.builder.u32(n.min(range.count - 1)),
            None => self.clamp_index(at, range.count - 1),
        })
    }

    fn ranged_input(
        &mut self,
        range: &Range,
        operand: &Operand,
        vertex: Option<ValueId>,
        mask: u8,
    ) -> Result<Lanes, Error> {
        self.check_declared(range.side, range.first..range.first + range.count, components_read(operand, mask))?;
        let mut index = self.range_index(range, operand)?;
        if let Some(vertex) = vertex {
            let row = self.builder.mul_constant(vertex, range.count);
            index = self.builder.add(row, index);
        }
        let ty = Type::new(self.range_kind(range), 4);
        let changes = range.side == Side::Patch && self.writes_patch();
        let value = if changes {
            self.builder.push(Op::Load, ty, Flags::NONE, range.var.0, &[index])
        } else {
            self.builder.load_constant(ty, Flags::NONE, range.var, &[index])
        };
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            lanes.push(LaneRef::new(value, operand.components.source(lane)));
        }
        Ok(lanes)
    }

    fn system_input(&mut self, operand: &Operand, mask: u8) -> Result<Lanes, Error> {
        if !file_of_stage(operand.file, self.interface.stage) {
            return Err(self.bad_operand(format!("{:?} in a {} shader", operand.file, self.interface.stage.name())));
        }
        let threads = Type::new(Kind::U32, 3);
        let (built_in, ty) = match operand.file {
            RegisterFile::InputThreadId => (BuiltIn::GlobalInvocationId, threads),
            RegisterFile::InputThreadGroupId => (BuiltIn::WorkgroupId, threads),
            RegisterFile::InputThreadIdInGroup => (BuiltIn::LocalInvocationId, threads),
            RegisterFile::InputThreadIdInGroupFlattened => (BuiltIn::LocalInvocationIndex, Type::U32),
            RegisterFile::InputPrimitiveId => (BuiltIn::PrimitiveId, Type::U32),
            RegisterFile::InputDomainPoint => (BuiltIn::TessCoord, Type::new(Kind::F32, 3)),
            RegisterFile::OutputControlPointId | RegisterFile::InputGsInstanceId => (BuiltIn::InvocationId, Type::U32),
            RegisterFile::Interface => return self.instance_type(operand, mask),
            RegisterFile::ThisPointer => return self.instance_data(operand, mask),
            RegisterFile::InputCoverageMask => return Ok(self.input_coverage(mask)),
            RegisterFile::InnerCoverage => return self.inner_coverage(mask),
            RegisterFile::CycleCounter => {
                return Err(Error::refused(ledger::OTHER_OPCODE, "the cycle counter is not translated"));
            }
            file => return Err(self.bad_operand(format!("{file:?} cannot be read here"))),
        };
        let place = Place::BuiltIn(built_in);
        let var = self.interface_var(true, ty, None, place, InterfaceDecorations::default(), "");
        let value = self.builder.load_constant(ty, Flags::NONE, var, &[]);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            let component = operand.components.source(lane);
            let there = component < ty.width();
            lanes.push(if there { LaneRef::new(value, component) } else { LaneRef::UNDEFINED });
        }
        Ok(lanes)
    }

    /// SV_Coverage. Of a shader that runs per sample Vulkan gives the bit of the sample alone.
    fn input_coverage(&mut self, mask: u8) -> Lanes {
        if self.runs_by_sample() {
            self.note(ledger::COVERAGE_BY_SAMPLE);
        }
        let value = self.coverage();
        Lanes::new(&[LaneRef::new(value, 0); 4][..mask.count_ones() as usize])
    }

    /// SV_InnerCoverage: bit 0 says that the pixel is covered wholly, and conservative rasterisation has no other bits.
    fn inner_coverage(&mut self, mask: u8) -> Result<Lanes, Error> {
        if !self.options.profile.features.fully_covered {
            let what =
                "SV_InnerCoverage needs fullyCoveredFragmentShaderInputVariable of VK_EXT_conservative_rasterization";
            return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
        }
        let place = Place::BuiltIn(BuiltIn::FullyCovered);
        let var = self.interface_var(true, Type::BOOL, None, place, InterfaceDecorations::default(), "");
        let covered = self.builder.load_constant(Type::BOOL, Flags::NONE, var, &[]);
        let (one, zero) = (self.builder.u32(1), self.builder.u32(0));
        let value = self.builder.select(covered, one, zero);
        Ok(Lanes::new(&[LaneRef::new(value, 0); 4][..mask.count_ones() as usize]))
    }
}

/// Whether a stage has an input file. What no stage lacks is not asked for.
fn file_of_stage(file: RegisterFile, stage: Stage) -> bool {
    match file {
        RegisterFile::InputThreadId
        | RegisterFile::InputThreadGroupId
        | RegisterFile::InputThreadIdInGroup
        | RegisterFile::InputThreadIdInGroupFlattened => stage == Stage::Compute,
        RegisterFile::InputCoverageMask | RegisterFile::InnerCoverage => stage == Stage::Fragment,
        RegisterFile::InputDomainPoint => stage == Stage::TessellationEvaluation,
        RegisterFile::OutputControlPointId => stage == Stage::TessellationControl,
        RegisterFile::InputGsInstanceId => stage == Stage::Geometry,
        RegisterFile::InputPrimitiveId => {
            matches!(stage, Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry)
        }
        _ => true,
    }
}
