//! Writing outputs: what a block writes of a register is put together and stored when the block ends.

use super::{Access, Part, Pending, Range, Side, file_register, mask_string};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand, RegisterFile};
use crate::interface::Stage;
use crate::ir::{BuiltIn, Flags, InterfaceDecorations, LaneRef, Op, OutputTopology, Place, Type, ValueId};
use crate::lower::Lower;
use crate::lower::registers::{Lanes, Target, mask_lanes};
use crate::{Error, ledger};

/// The registers of outputs that the rasteriser's depth bounds.
const CONSERVATIVE_DEPTHS: [u32; 2] =
    [file_register(RegisterFile::OutputDepthGreaterEqual), file_register(RegisterFile::OutputDepthLessEqual)];

impl<'a> Lower<'a> {
    /// The output that a destination names.
    pub(in crate::lower) fn output_target(&mut self, dst: &Operand) -> Result<Target, Error> {
        let side = match dst.file {
            RegisterFile::Output => Some(Side::Output),
            RegisterFile::InputPatchConstant => Some(Side::Patch),
            _ => None,
        };
        let Some(side) = side else { return Ok(Target::Output(Side::Output, self.file_output(dst.file)?)) };
        let (first, chosen) = dst.index[0].parts();
        if let Some(range) = self.range_of(side, first) {
            self.check_declared(side, range.first..range.first + range.count, dst.components.mask())?;
            return Ok(Target::Ranged(range, self.range_index(&range, dst)?));
        }
        if chosen.is_some() {
            return Err(self.bad_operand("outputs are indexed without a declared range"));
        }
        self.check_declared(side, first..first + 1, dst.components.mask())?;
        Ok(Target::Output(side, first))
    }

    /// Fails if a component exists in none of these registers: no element has it, and it is not declared.
    pub(super) fn check_declared(&self, side: Side, registers: std::ops::Range<u32>, mask: u8) -> Result<(), Error> {
        let there = self.io.parts(side).iter().filter(|p| registers.contains(&p.register)).fold(0, |m, p| m | p.mask);
        match mask & !there {
            0 => Ok(()),
            missing => {
                let what = format!("register {} has no component {}", registers.start, mask_string(missing));
                Err(self.bad_operand(what))
            }
        }
    }

    /// Writes lanes to an output register: they are stored when the block ends.
    pub(in crate::lower) fn output(&mut self, side: Side, register: u32, mask: u8, lanes: &Lanes) {
        let at = self.io.pending.iter().position(|p| p.register == register && p.side == side).unwrap_or_else(|| {
            self.io.pending.push(Pending { side, register, lanes: [LaneRef::UNDEFINED; 4], dirty: 0 });
            self.io.pending.len() - 1
        });
        let pending = &mut self.io.pending[at];
        for (component, &lane) in mask_lanes(mask).zip(lanes.as_slice()) {
            pending.lanes[usize::from(component)] = lane;
            pending.dirty |= 1 << component;
        }
    }

    /// What waits to be stored in a component.
    pub(super) fn waiting(&self, side: Side, register: u32, component: u8) -> Option<LaneRef> {
        // Control points of other invocations are read by their vertex: only the patch's are these.
        let of = |p: &&Pending| side == Side::Patch && p.side == side && p.register == register;
        let pending = self.io.pending.iter().find(of)?;
        (pending.dirty & (1 << component) != 0).then(|| pending.lanes[usize::from(component)])
    }

    /// The register that stands for an output file; its variable is made at the first use.
    fn file_output(&mut self, file: RegisterFile) -> Result<u32, Error> {
        let register = file_register(file);
        if self.io.outputs.iter().any(|p| p.register == register) {
            return Ok(register);
        }
        if self.interface.stage != Stage::Fragment {
            return Err(self.bad_operand(format!("{file:?} in a {} shader", self.interface.stage.name())));
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
        self.io.outputs.push(Part { register, first: 0, width: 1, mask: 1, ty, var, access, per_vertex: false });
        Ok(register)
    }

    /// Writes lanes to the array of a range.
    pub(in crate::lower) fn ranged_output(&mut self, range: &Range, index: ValueId, mask: u8, lanes: &Lanes) {
        let kind = self.range_kind(range);
        if mask == 15 {
            let value = self.builder.gather(lanes.as_slice(), kind);
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, range.var.0, &[value, index]);
            return;
        }
        for (component, &lane) in mask_lanes(mask).zip(lanes.as_slice()) {
            let value = self.builder.gather(&[lane], kind);
            let component = self.builder.u32(u32::from(component));
            self.builder.push(Op::Store, Type::VOID, Flags::NONE, range.var.0, &[value, index, component]);
        }
    }

    /// Stores what waits: the block ends.
    pub(in crate::lower) fn flush_outputs(&mut self) {
        let pending = std::mem::take(&mut self.io.pending);
        for p in &pending {
            self.store_register(p);
        }
        self.io.pending = pending;
        self.io.pending.clear();
    }

    fn store_register(&mut self, p: &Pending) {
        let written = match p.side {
            Side::Patch => &self.usage.patch_written,
            _ => &self.usage.outputs,
        };
        let written = written.get(p.register as usize).copied().unwrap_or(15);
        for n in 0..self.io.parts(p.side).len() {
            let part = self.io.parts(p.side)[n];
            let mask = part.mask;
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
        let vertex = part.per_vertex.then(|| self.invocation_id());
        if part.access == Access::Whole && whole {
            let end = first + usize::from(part.ty.width());
            let mut lanes = [LaneRef::UNDEFINED; 4];
            for (at, lane) in (first..end.min(4)).zip(&mut lanes) {
                // What else the register has is another variable's.
                *lane = if part.mask & (1 << at) != 0 { p.lanes[at] } else { LaneRef::UNDEFINED };
            }
            let mut value = self.builder.gather(&lanes[..usize::from(part.ty.width())], kind);
            if CONSERVATIVE_DEPTHS.contains(&part.register) {
                value = self.stored_depth(value);
            }
            self.store_output(part, value, vertex, None);
            return;
        }
        let base = if let Access::Array(base) = part.access { base } else { 0 };
        for c in 0..part.width {
            let at = first + usize::from(c);
            if p.dirty & part.mask & (1 << at) == 0 {
                continue;
            }
            let value = self.builder.gather(&p.lanes[at..at + 1], kind);
            let value = if p.side == Side::Patch { self.tess_level_value(part, value) } else { value };
            let scalar = part.access == Access::Whole && part.ty.width() == 1;
            let index = (!scalar).then(|| self.builder.u32(base + u32::from(c)));
            self.store_output(part, value, vertex, index);
        }
    }

    fn store_output(&mut self, part: &Part, value: ValueId, vertex: Option<ValueId>, element: Option<ValueId>) {
        let mut args = [value; 3];
        let mut count = 1;
        for index in vertex.into_iter().chain(element) {
            args[count] = index;
            count += 1;
        }
        self.builder.push(Op::Store, Type::VOID, Flags::NONE, part.var.0, &args[..count]);
    }

    /// Writes a point's size, which in Direct3D is 1 always: where a geometry shader gives points, and where the profile's
    /// fix asks for it. Behind the vertex stage a size may be written only where the device has the feature.
    pub(super) fn write_point_size(&mut self) {
        let profile = &self.options.profile;
        let (fix, feature) = (profile.fixes.point_size, profile.features.point_size_any_stage);
        let points = self.builder.function().modes.geometry.is_some_and(|own| own.output == OutputTopology::Points);
        let wanted = match self.interface.stage {
            Stage::Vertex => fix,
            Stage::TessellationEvaluation => feature && fix,
            Stage::Geometry => feature && (fix || points),
            _ => false,
        };
        if !wanted {
            return;
        }
        let stream =
            if self.interface.stage == Stage::Geometry { self.options.stream_output.rasterized_stream } else { 0 };
        let decorations = InterfaceDecorations { stream, ..InterfaceDecorations::default() };
        let var = self.interface_var(false, Type::F32, None, Place::BuiltIn(BuiltIn::PointSize), decorations, "");
        let one = self.builder.f32(1.0);
        self.builder.push(Op::Store, Type::VOID, Flags::NONE, var.0, &[one]);
    }

    /// Everything that a return must do before it. What a geometry shader has not emitted is lost.
    pub(in crate::lower) fn leave_shader(&mut self) {
        if self.interface.stage == Stage::Geometry {
            self.io.pending.clear();
            return;
        }
        self.store_ranges(Side::Output);
        if self.interface.stage == Stage::TessellationControl {
            self.leave_patch();
        }
        self.flush_outputs();
        self.interlock(Op::EndInterlock);
    }

    /// Stores the arrays of outputs that a register may choose.
    pub(super) fn store_ranges(&mut self, side: Side) {
        for n in 0..self.io.ranges.len() {
            let range = self.io.ranges[n];
            if range.side != side {
                continue;
            }
            let ty = Type::new(self.range_kind(&range), 4);
            for i in 0..range.count {
                let index = self.builder.u32(i);
                let value = self.builder.push(Op::Load, ty, Flags::NONE, range.var.0, &[index]);
                let lanes = std::array::from_fn(|c| LaneRef::new(value, c as u8));
                self.store_register(&Pending { side, register: range.first + i, lanes, dirty: 15 });
            }
        }
    }

    /// `emit`, `cut` and their forms for streams.
    pub(in crate::lower) fn stream(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let stream = operands.first().map(crate::lower::number).transpose()?.unwrap_or(0).min(3);
        let (emit, cut) = match inst.op {
            Opcode::Emit | Opcode::EmitStream => (true, false),
            Opcode::Cut | Opcode::CutStream => (false, true),
            _ => (true, true),
        };
        if emit {
            self.store_ranges(Side::Output);
            self.flush_outputs();
            if stream == u32::from(self.options.stream_output.rasterized_stream) {
                self.write_point_size();
            }
            self.builder.push(Op::EmitVertex, Type::VOID, Flags::NONE, stream, &[]);
        }
        if cut {
            self.builder.push(Op::EndPrimitive, Type::VOID, Flags::NONE, stream, &[]);
        }
        Ok(())
    }
}
