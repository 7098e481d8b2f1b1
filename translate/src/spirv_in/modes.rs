//! Execution modes: group sizes, geometry and tessellation parameters.
//!
//! Owns the modes' spelling in the interface. Knows nothing of code or resources.

use super::module::{EntryPoint, Module};
use super::words::Inst;
use crate::interface::{Geometry, Stage, Tessellation};
use spirv::{BuiltIn, Decoration, ExecutionMode, Op};

/// The execution modes of an entry point.
pub(super) struct Modes<'m, 'a> {
    module: &'m Module<'a>,
    modes: Vec<Inst<'a>>,
}

impl<'m, 'a> Modes<'m, 'a> {
    /// Of an entry point.
    pub fn of(module: &'m Module<'a>, entry: &EntryPoint<'_>) -> Self {
        let modes = module.execution_modes.iter().filter(|mode| mode.get(1) == Some(entry.function));
        Modes { module, modes: modes.copied().collect() }
    }

    fn find(&self, mode: ExecutionMode) -> Option<&Inst<'a>> {
        self.modes.iter().find(|inst| inst.get(2) == Some(mode as u32))
    }

    fn has(&self, mode: ExecutionMode) -> bool {
        self.find(mode).is_some()
    }

    fn number(&self, mode: ExecutionMode) -> Option<u32> {
        self.find(mode).and_then(|inst| inst.get(3))
    }

    /// The first mode of a list that is set, by its spelling.
    fn spelled(&self, spellings: &[(ExecutionMode, &str)]) -> Option<String> {
        spellings.iter().find(|(mode, _)| self.has(*mode)).map(|(_, name)| String::from(*name))
    }

    /// Threads a group: the WorkgroupSize constant before the modes, as Vulkan has it.
    pub fn workgroup_size(&self, stage: Stage) -> Option<[u32; 3]> {
        if !matches!(stage, Stage::Compute | Stage::Task | Stage::Mesh) {
            return None;
        }
        let values = |inst: &Inst<'a>| Some([inst.get(3)?, inst.get(4)?, inst.get(5)?]);
        let constants = |ids: [u32; 3]| {
            let [x, y, z] = ids.map(|id| self.module.constant(id));
            Some([x?, y?, z?])
        };
        let builtin = self.module.decorated_with(Decoration::BuiltIn, BuiltIn::WorkgroupSize as u32);
        builtin
            .and_then(|id| self.module.definition(id))
            .filter(|inst| matches!(inst.op(), Some(Op::ConstantComposite | Op::SpecConstantComposite)))
            .and_then(|inst| constants(values(&inst)?))
            .or_else(|| self.find(ExecutionMode::LocalSizeId).and_then(values).and_then(constants))
            .or_else(|| self.find(ExecutionMode::LocalSize).and_then(values))
    }

    /// Tessellation parameters. What the module says at the other of the two stages is empty, absent or 0 here.
    pub fn tessellation(&self, stage: Stage, input_vertices: Option<u32>) -> Option<Tessellation> {
        if !matches!(stage, Stage::TessellationControl | Stage::TessellationEvaluation) {
            return None;
        }
        // An evaluation shader's arrays are as long as any patch may be, and say nothing of this one.
        let input_vertices = input_vertices.filter(|_| stage == Stage::TessellationControl);
        let domain = self.spelled(&[
            (ExecutionMode::Isolines, "isoline"),
            (ExecutionMode::Triangles, "triangle"),
            (ExecutionMode::Quads, "quad"),
        ]);
        let partitioning = self.spelled(&[
            (ExecutionMode::SpacingEqual, "integer"),
            (ExecutionMode::SpacingFractionalOdd, "fractional_odd"),
            (ExecutionMode::SpacingFractionalEven, "fractional_even"),
        ]);
        let lines = self.has(ExecutionMode::Isolines).then(|| String::from("line"));
        let points = self.spelled(&[(ExecutionMode::PointMode, "point")]);
        let triangles = self
            .spelled(&[(ExecutionMode::VertexOrderCw, "triangle_cw"), (ExecutionMode::VertexOrderCcw, "triangle_ccw")]);
        Some(Tessellation {
            domain: domain.unwrap_or_default(),
            partitioning,
            output_primitive: points.or(lines).or(triangles),
            input_control_points: input_vertices.unwrap_or(0),
            output_control_points: self.number(ExecutionMode::OutputVertices).unwrap_or(0),
        })
    }

    /// Geometry parameters.
    pub fn geometry(&self, stage: Stage, streams: u32) -> Option<Geometry> {
        if stage != Stage::Geometry {
            return None;
        }
        let input = self.spelled(&[
            (ExecutionMode::InputPoints, "point"),
            (ExecutionMode::InputLines, "line"),
            (ExecutionMode::Triangles, "triangle"),
            (ExecutionMode::InputLinesAdjacency, "line_adjacency"),
            (ExecutionMode::InputTrianglesAdjacency, "triangle_adjacency"),
        ]);
        let output = self.spelled(&[
            (ExecutionMode::OutputPoints, "point"),
            (ExecutionMode::OutputLineStrip, "line_strip"),
            (ExecutionMode::OutputTriangleStrip, "triangle_strip"),
        ]);
        Some(Geometry {
            input_primitive: input.unwrap_or_default(),
            output_topology: output.unwrap_or_default(),
            max_vertices: self.number(ExecutionMode::OutputVertices).unwrap_or(0),
            instances: self.number(ExecutionMode::Invocations).unwrap_or(1),
            streams: streams.max(1),
        })
    }
}
