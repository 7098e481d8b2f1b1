//! What the hull, domain and geometry stages have of their own: modes, vertices, the patch.

use super::{Access, MAX_PATCH_VERTICES, Part, Pending, Side};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::Declaration;
use crate::interface::{Geometry, Stage, Tessellation};
use crate::ir::{
    BuiltIn, Domain, Flags, GeometryModes, InputPrimitive, InterfaceDecorations, Kind, LaneRef, Merge, Op,
    OutputTopology, Partitioning, Place, TessellatorOutput, Type, ValueId, sync,
};
use crate::lower::Lower;
use crate::lower::registers::mask_lanes;
use crate::{Error, ledger};

/// Declared by the stage's own declarations.
#[derive(Default)]
pub(super) struct Stages {
    input_control_points: u32,
    output_control_points: u32,
    domain: u16,
    partitioning: u16,
    output_primitive: u16,
    max_tess_factor: Option<u32>,
    control_point_phase: bool,
    primitive: u16,
    topology: u16,
    max_vertices: u32,
    instances: u32,
}

/// `D3D11_SB_TESSELLATOR_PARTITIONING_POW2`.
const POW2: u16 = 2;

impl<'a> Lower<'a> {
    /// Takes a declaration of these stages; ignores all others.
    pub(super) fn declare_stage(&mut self, declaration: &Declaration, extra: &[u32]) -> Result<(), Error> {
        let controls = declaration.controls;
        let own = extra.first().copied().unwrap_or(0);
        let stages = &mut self.io.stages;
        match declaration.op {
            Opcode::DclInputControlPointCount => stages.input_control_points = u32::from(controls & 63),
            Opcode::DclOutputControlPointCount => stages.output_control_points = u32::from(controls & 63),
            Opcode::DclTessDomain => stages.domain = controls & 3,
            Opcode::DclTessPartitioning => stages.partitioning = controls & 7,
            Opcode::DclTessOutputPrimitive => stages.output_primitive = controls & 7,
            Opcode::DclHsMaxTessfactor => stages.max_tess_factor = Some(own),
            Opcode::HsControlPointPhase => stages.control_point_phase = true,
            Opcode::DclGsInputPrimitive => stages.primitive = controls & 63,
            Opcode::DclGsOutputPrimitiveTopology => stages.topology = controls & 127,
            Opcode::DclMaxOutputVertexCount => stages.max_vertices = own,
            Opcode::DclGsInstanceCount => stages.instances = own,
            _ => {}
        }
        let points = stages.input_control_points.max(stages.output_control_points);
        if points > MAX_PATCH_VERTICES || stages.max_vertices > 1024 || stages.instances > 32 {
            let what = "at most 32 control points, 1024 vertices and 32 instances";
            return Err(Error::malformed(ledger::LIMIT, declaration.offset as usize, what));
        }
        Ok(())
    }

    /// Sets the modes once everything is declared.
    pub(super) fn finish_stage(&mut self) -> Result<(), Error> {
        match self.interface.stage {
            Stage::TessellationControl | Stage::TessellationEvaluation => self.finish_tessellation(),
            Stage::Geometry => self.finish_geometry(),
            _ => Ok(()),
        }
    }

    fn finish_tessellation(&mut self) -> Result<(), Error> {
        let stages = &self.io.stages;
        let (domain, domain_name) = match stages.domain {
            1 => (Domain::Isoline, "isoline"),
            2 => (Domain::Triangle, "triangle"),
            3 => (Domain::Quad, "quad"),
            _ => return Err(self.bad_operand("a tessellation shader without its domain")),
        };
        let control = self.interface.stage == Stage::TessellationControl;
        let (partitioning, partitioning_name) = match stages.partitioning {
            1 => (Partitioning::Integer, "integer"),
            POW2 => (Partitioning::Integer, "pow2"),
            3 => (Partitioning::FractionalOdd, "fractional_odd"),
            _ => (Partitioning::FractionalEven, "fractional_even"),
        };
        let (output, output_name) = match stages.output_primitive {
            1 => (TessellatorOutput::Point, "point"),
            2 => (TessellatorOutput::Line, "line"),
            3 => (TessellatorOutput::TriangleClockwise, "triangle_cw"),
            _ => (TessellatorOutput::TriangleCounterClockwise, "triangle_ccw"),
        };
        self.interface.tessellation = Some(Tessellation {
            domain: domain_name.to_owned(),
            partitioning: control.then(|| partitioning_name.to_owned()),
            output_primitive: control.then(|| output_name.to_owned()),
            input_control_points: stages.input_control_points,
            output_control_points: stages.output_control_points,
        });
        let control_points = stages.output_control_points.max(1);
        let modes = &mut self.builder.modes().tessellation;
        modes.domain = Some(domain);
        if control {
            modes.partitioning = Some(partitioning);
            modes.output = Some(output);
            modes.control_points = control_points;
        }
        Ok(())
    }

    fn finish_geometry(&mut self) -> Result<(), Error> {
        let stages = &self.io.stages;
        let (input, input_name) = match stages.primitive {
            1 => (InputPrimitive::Point, "point"),
            2 => (InputPrimitive::Line, "line"),
            3 => (InputPrimitive::Triangle, "triangle"),
            6 => (InputPrimitive::LineAdjacency, "line_adjacency"),
            7 => (InputPrimitive::TriangleAdjacency, "triangle_adjacency"),
            8..=39 => {
                let what = "a geometry shader that takes patches of control points";
                return Err(Error::refused(ledger::PATCHES_IN_GEOMETRY, what));
            }
            _ => return Err(self.bad_operand("a geometry shader without its input primitive")),
        };
        let (output, output_name) = match stages.topology {
            2 | 3 => (OutputTopology::LineStrip, "line_strip"),
            4 | 5 => (OutputTopology::TriangleStrip, "triangle_strip"),
            // A shader that only streams its vertices out may leave the topology away.
            _ => (OutputTopology::Points, "point"),
        };
        let streams = self.elements.of(Side::Output).iter().fold(0, |m, e| m | 1 << e.stream.min(3)).max(1);
        let (vertices, invocations) = (stages.max_vertices, stages.instances.max(1));
        self.interface.geometry = Some(Geometry {
            input_primitive: input_name.to_owned(),
            output_topology: output_name.to_owned(),
            max_vertices: vertices,
            instances: invocations,
            streams,
        });
        self.builder.modes().geometry = Some(GeometryModes { input, output, vertices, invocations });
        Ok(())
    }

    /// Vertices of an input array; 0 where inputs are the invocation's own.
    pub(super) fn input_vertices(&self) -> u32 {
        match self.interface.stage {
            Stage::TessellationControl | Stage::TessellationEvaluation => MAX_PATCH_VERTICES,
            Stage::Geometry => match self.io.stages.primitive {
                1 => 1,
                2 => 2,
                3 => 3,
                6 => 4,
                _ => 6,
            },
            _ => 0,
        }
    }

    /// Vertices of an output array; 0 where outputs are the invocation's own.
    pub(super) fn output_vertices(&self) -> u32 {
        let control = self.interface.stage == Stage::TessellationControl;
        if control { self.io.stages.output_control_points.max(1) } else { 0 }
    }

    /// Whether control points go through a hull shader unchanged: it has no phase that makes them.
    pub(super) fn passes_through(&self) -> bool {
        self.interface.stage == Stage::TessellationControl && !self.io.stages.control_point_phase
    }

    pub(super) fn invocation_id(&mut self) -> ValueId {
        let place = Place::BuiltIn(BuiltIn::InvocationId);
        let var = self.interface_var(true, Type::U32, None, place, InterfaceDecorations::default(), "");
        self.builder.load_constant(Type::U32, Flags::NONE, var, &[])
    }

    /// Copies the invocation's control point where no phase makes it.
    pub(super) fn pass_control_point(&mut self) {
        if !self.passes_through() {
            return;
        }
        let vertex = self.invocation_id();
        for n in 0..self.io.outputs.len() {
            let part = self.io.outputs[n];
            let mut lanes = [LaneRef::UNDEFINED; 4];
            for component in mask_lanes(part.mask) {
                // An output that the input signature lacks has no value.
                let lane = self.lane(Side::Input, part.register, component, Some(vertex));
                lanes[usize::from(component)] = lane.unwrap_or(LaneRef::UNDEFINED);
            }
            self.io.pending.push(Pending { side: Side::Output, register: part.register, lanes, dirty: part.mask });
        }
        self.flush_outputs();
    }

    /// Between the control points and the patch constants: all invocations have written theirs.
    pub(in crate::lower) fn begin_patch_phase(&mut self) {
        self.flush_outputs();
        self.store_ranges(Side::Output);
        if self.output_vertices() > 1 {
            self.builder.push(Op::ControlBarrier, Type::VOID, Flags::NONE, sync::PATCH, &[]);
        }
    }

    /// The patch's arrays are stored once, by the invocation that made them.
    pub(super) fn leave_patch(&mut self) {
        if self.io.ranges.iter().all(|r| r.side != Side::Patch) {
            return;
        }
        self.flush_outputs();
        let (id, zero) = (self.invocation_id(), self.builder.u32(0));
        let first = self.builder.op(Op::IEqual, Type::BOOL, &[id, zero]);
        let (then, merge) = (self.builder.new_block(), self.builder.new_block());
        let terminator = crate::ir::Terminator::Conditional { condition: first, then, otherwise: merge };
        self.builder.end(Merge::Selection(merge), terminator);
        self.builder.enter_scope();
        self.builder.begin(then);
        self.store_ranges(Side::Patch);
        self.builder.branch(merge);
        self.builder.leave_scope();
        self.builder.begin(merge);
    }

    /// A tessellation level as Direct3D takes it: not past the declared maximum; powers of two where only those count.
    pub(super) fn tess_level_value(&mut self, part: &Part, value: ValueId) -> ValueId {
        if !matches!(part.access, Access::Array(_)) {
            return value;
        }
        let mut value = value;
        if let Some(most) = self.io.stages.max_tess_factor {
            let most = self.builder.constant(Kind::F32, most);
            // A NaN factor culls the patch: it stays NaN.
            let over = self.builder.op(Op::FOrdLess, Type::BOOL, &[most, value]);
            value = self.builder.select(over, most, value);
        }
        if self.io.stages.partitioning == POW2 { self.power_of_two(value) } else { value }
    }

    /// The next power of two up to 64; what culls a patch (not above 0) stays as it is.
    fn power_of_two(&mut self, value: ValueId) -> ValueId {
        let f = |l: &mut Self, v: f32| l.builder.f32(v);
        let (zero, one, most) = (f(self, 0.0), f(self, 1.0), f(self, 64.0));
        let clamped = self.builder.op(Op::NClamp, Type::F32, &[value, one, most]);
        let whole = self.builder.op(Op::Ceil, Type::F32, &[clamped]);
        let whole = self.builder.op(Op::FToU, Type::U32, &[whole]);
        let minus_one = self.builder.u32(u32::MAX);
        let below = self.builder.op(Op::IAdd, Type::U32, &[whole, minus_one]);
        let bit = self.builder.op(Op::FindUMsb, Type::U32, &[below]);
        let (unit, next) = (self.builder.u32(1), self.builder.u32(1));
        let shift = self.builder.op(Op::IAdd, Type::U32, &[bit, next]);
        let power = self.builder.op(Op::Shl, Type::U32, &[unit, shift]);
        let power = self.builder.op(Op::UToF, Type::F32, &[power]);
        let lives = self.builder.op(Op::FOrdLess, Type::BOOL, &[zero, value]);
        self.builder.select(lives, power, value)
    }
}
