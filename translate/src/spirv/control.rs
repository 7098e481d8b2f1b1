//! The function's frame: blocks, joins, terminators, and the stage's modes.

use super::{Section, Writer};
use crate::interface::Stage;
use crate::ir::{
    Block, BlockId, Domain, InputPrimitive, Inst, Merge, Op as IrOp, OutputTopology, Partitioning, Terminator,
    TessellatorOutput, Type,
};
use spirv::{Capability, ExecutionMode, ExecutionModel, FunctionControl, LoopControl, Op, SelectionControl};

/// Words of `OpFunction` and the first `OpLabel`.
pub(super) const FUNCTION_HEAD: usize = 5 + 2;

impl Writer<'_> {
    /// Writes the entry point; its id.
    pub(super) fn function(&mut self) -> u32 {
        let main = self.id();
        let ty = self.function_type();
        let void = self.ty(Type::VOID);
        let operands = [void, main, FunctionControl::NONE.bits(), ty];
        self.sections.code.op(Op::Function, &operands);
        let function = self.function;
        let named = self.merges();
        for &id in &function.order {
            if self.live.block(id) {
                self.block(id, function.block(id));
            } else if named.get(id.0 as usize).copied().unwrap_or_default() {
                // Nothing leads here, but a construct must end somewhere.
                let label = self.label(id);
                self.sections.code.op(Op::Label, &[label]);
                self.sections.code.op(Op::Unreachable, &[]);
            }
        }
        if function.order.is_empty() {
            let label = self.id();
            self.sections.code.op(Op::Label, &[label]);
            self.sections.code.op(Op::Return, &[]);
        }
        self.sections.code.op(Op::FunctionEnd, &[]);
        main
    }

    /// Blocks that a living header names as its end.
    fn merges(&self) -> Vec<bool> {
        let mut named = vec![false; self.function.blocks.len()];
        for &id in self.function.order.iter().filter(|&&id| self.live.block(id)) {
            if let Merge::Selection(merge) | Merge::Loop { merge, .. } = self.function.block(id).merge {
                named[merge.0 as usize] = true;
            }
        }
        named
    }

    /// The id of a block.
    fn label(&mut self, block: BlockId) -> u32 {
        match self.blocks[block.0 as usize] {
            0 => {
                let id = self.id();
                self.blocks[block.0 as usize] = id;
                id
            }
            id => id,
        }
    }

    fn block(&mut self, id: BlockId, block: &Block) {
        let label = self.label(id);
        self.sections.code.op(Op::Label, &[label]);
        self.sampled_images.clear();
        self.spread.clear();
        let (function, live) = (self.function, self.live);
        for id in live.values(block.first, block.end) {
            self.inst(id.0, function.inst(id));
        }
        self.terminator(block);
    }

    fn terminator(&mut self, block: &Block) {
        // The condition comes first: its id may be new, and nothing may stand between a merge and its branch.
        match block.terminator {
            Terminator::Branch(to) => {
                self.merge(block.merge);
                let to = self.label(to);
                self.sections.code.op(Op::Branch, &[to]);
            }
            Terminator::Conditional { condition, then, otherwise } => {
                let condition = self.value(condition.0);
                self.merge(block.merge);
                let operands = [condition, self.label(then), self.label(otherwise)];
                self.sections.code.op(Op::BranchConditional, &operands);
            }
            Terminator::Switch { selector, default, first, count } => {
                let cases = first as usize..(first + count) as usize;
                let dense = self.profile.fixes.dense_switch && self.is_wide(cases.clone());
                let selector = self.value(selector.0);
                let selector = if dense { self.case_number(selector, cases.clone()) } else { selector };
                self.merge(block.merge);
                self.switch(selector, default, cases, dense);
            }
            Terminator::Return => self.sections.code.op(Op::Return, &[]),
            Terminator::Unreachable => self.sections.code.op(Op::Unreachable, &[]),
        }
    }

    /// Writes a switch over the cases' values, or, where `dense` says so, over their numbers.
    fn switch(&mut self, selector: u32, default: BlockId, cases: std::ops::Range<usize>, dense: bool) {
        let function = self.function;
        let default = self.label(default);
        let start = self.sections.code.begin(Op::Switch);
        self.sections.code.push(selector);
        self.sections.code.push(default);
        for (number, &(literal, block)) in (0..).zip(function.cases.get(cases).unwrap_or_default()) {
            let block = self.label(block);
            self.sections.code.push(if dense { number } else { literal });
            self.sections.code.push(block);
        }
        self.sections.code.end(start);
    }

    fn merge(&mut self, merge: Merge) {
        match merge {
            Merge::None => {}
            Merge::Selection(merge) => {
                let merge = self.label(merge);
                self.sections.code.op(Op::SelectionMerge, &[merge, SelectionControl::NONE.bits()]);
            }
            Merge::Loop { merge, next } => {
                let operands = [self.label(merge), self.label(next), LoopControl::NONE.bits()];
                self.sections.code.op(Op::LoopMerge, &operands);
            }
        }
    }

    /// A join: pairs of value and predecessor, without predecessors that are never reached.
    pub(super) fn phi(&mut self, inst: &Inst, id: u32) {
        debug_assert!(inst.op == IrOp::Phi);
        let ty = self.ty(inst.ty);
        let result = self.value(id);
        let start = self.sections.code.begin(Op::Phi);
        self.sections.code.push(ty);
        self.sections.code.push(result);
        for pair in self.function.args_of(inst).chunks_exact(2) {
            let block = BlockId(pair[1]);
            if self.live.block(block) {
                let (value, label) = (self.value(pair[0]), self.label(block));
                self.sections.code.push(value);
                self.sections.code.push(label);
            }
        }
        self.sections.code.end(start);
    }

    /// The stage's modes, and the capabilities that they need.
    pub(super) fn execution_modes(&mut self, main: u32, head: &mut Section) {
        let modes = &self.function.modes;
        let [x, y, z] = modes.workgroup_size;
        match modes.stage {
            Stage::Fragment => head.op(Op::ExecutionMode, &[main, ExecutionMode::OriginUpperLeft as u32]),
            Stage::Compute => head.op(Op::ExecutionMode, &[main, ExecutionMode::LocalSize as u32, x, y, z]),
            Stage::Geometry => self.geometry_modes(main, head),
            Stage::TessellationControl | Stage::TessellationEvaluation => self.tessellation_modes(main, head),
            Stage::Vertex | Stage::Task | Stage::Mesh => {}
        }
        let rows = [
            (modes.early_fragment_tests, ExecutionMode::EarlyFragmentTests),
            (modes.depth_replacing, ExecutionMode::DepthReplacing),
            (modes.depth == Some(true), ExecutionMode::DepthGreater),
            (modes.depth == Some(false), ExecutionMode::DepthLess),
            (modes.stencil_replacing, ExecutionMode::StencilRefReplacingEXT),
        ];
        for (_, mode) in rows.into_iter().filter(|row| row.0) {
            head.op(Op::ExecutionMode, &[main, mode as u32]);
        }
        if modes.stencil_replacing {
            self.capabilities.require(Capability::StencilExportEXT);
        }
        if modes.capture {
            self.capabilities.require(Capability::TransformFeedback);
            head.op(Op::ExecutionMode, &[main, ExecutionMode::Xfb as u32]);
        }
        if modes.interlock {
            self.capabilities.require(Capability::FragmentShaderPixelInterlockEXT);
            head.op(Op::ExecutionMode, &[main, ExecutionMode::PixelInterlockOrderedEXT as u32]);
        }
    }

    fn geometry_modes(&mut self, main: u32, head: &mut Section) {
        self.capabilities.require(Capability::Geometry);
        let Some(modes) = self.function.modes.geometry else { return };
        let input = match modes.input {
            InputPrimitive::Point => ExecutionMode::InputPoints,
            InputPrimitive::Line => ExecutionMode::InputLines,
            InputPrimitive::Triangle => ExecutionMode::Triangles,
            InputPrimitive::LineAdjacency => ExecutionMode::InputLinesAdjacency,
            InputPrimitive::TriangleAdjacency => ExecutionMode::InputTrianglesAdjacency,
        };
        let output = match modes.output {
            OutputTopology::Points => ExecutionMode::OutputPoints,
            OutputTopology::LineStrip => ExecutionMode::OutputLineStrip,
            OutputTopology::TriangleStrip => ExecutionMode::OutputTriangleStrip,
        };
        head.op(Op::ExecutionMode, &[main, input as u32]);
        head.op(Op::ExecutionMode, &[main, output as u32]);
        head.op(Op::ExecutionMode, &[main, ExecutionMode::Invocations as u32, modes.invocations.max(1)]);
        head.op(Op::ExecutionMode, &[main, ExecutionMode::OutputVertices as u32, modes.vertices]);
    }

    fn tessellation_modes(&mut self, main: u32, head: &mut Section) {
        self.capabilities.require(Capability::Tessellation);
        let modes = self.function.modes.tessellation;
        let domain = modes.domain.map(|domain| match domain {
            Domain::Isoline => ExecutionMode::Isolines,
            Domain::Triangle => ExecutionMode::Triangles,
            Domain::Quad => ExecutionMode::Quads,
        });
        let spacing = modes.partitioning.map(|partitioning| match partitioning {
            Partitioning::Integer => ExecutionMode::SpacingEqual,
            Partitioning::FractionalOdd => ExecutionMode::SpacingFractionalOdd,
            Partitioning::FractionalEven => ExecutionMode::SpacingFractionalEven,
        });
        let output = modes.output.and_then(|output| match output {
            TessellatorOutput::Point => Some(ExecutionMode::PointMode),
            TessellatorOutput::Line => None,
            TessellatorOutput::TriangleClockwise => Some(ExecutionMode::VertexOrderCw),
            TessellatorOutput::TriangleCounterClockwise => Some(ExecutionMode::VertexOrderCcw),
        });
        for mode in [domain, spacing, output].into_iter().flatten() {
            head.op(Op::ExecutionMode, &[main, mode as u32]);
        }
        if self.function.modes.stage == Stage::TessellationControl {
            let points = modes.control_points.max(1);
            head.op(Op::ExecutionMode, &[main, ExecutionMode::OutputVertices as u32, points]);
        }
    }

    /// An operation on a stream; the first stream's has no operand.
    pub(super) fn stream_op(&mut self, first: Op, other: Op, stream: u32) {
        if stream == 0 {
            self.sections.code.op(first, &[]);
            return;
        }
        self.capabilities.require(Capability::GeometryStreams);
        let stream = self.u32_constant(stream);
        self.sections.code.op(other, &[stream]);
    }
}

/// SPIR-V's name of a stage.
pub(super) fn execution_model(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::TessellationControl => ExecutionModel::TessellationControl,
        Stage::TessellationEvaluation => ExecutionModel::TessellationEvaluation,
        Stage::Geometry => ExecutionModel::Geometry,
        Stage::Fragment => ExecutionModel::Fragment,
        Stage::Compute => ExecutionModel::GLCompute,
        Stage::Task => ExecutionModel::TaskEXT,
        Stage::Mesh => ExecutionModel::MeshEXT,
    }
}
