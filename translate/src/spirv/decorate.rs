//! Decorations and names.

use super::Writer;
use crate::interface::Stage;
use crate::ir::{InterfaceDecorations, MemoryDecorations, Var};
use spirv::{Capability, Decoration, Op};

impl Writer<'_> {
    /// Decorates an id.
    pub(super) fn decorate(&mut self, id: u32, decoration: Decoration, operands: &[u32]) {
        let section = &mut self.sections.decorations;
        let start = section.begin(Op::Decorate);
        section.push(id);
        section.push(decoration as u32);
        section.0.extend_from_slice(operands);
        section.end(start);
    }

    /// What may be done with a storage resource. Stands on the variable, so that blocks of equal layout share a type.
    pub(super) fn decorate_access(&mut self, id: u32, access: MemoryDecorations) {
        let rows = [
            (access.non_writable, Decoration::NonWritable),
            (access.non_readable, Decoration::NonReadable),
            (access.coherent, Decoration::Coherent),
        ];
        for (_, decoration) in rows.into_iter().filter(|row| row.0) {
            self.decorate(id, decoration, &[]);
        }
    }

    /// How an input or output is interpolated and shared. Interpolation has a meaning for inputs of the fragment
    /// stage alone, and is written for them alone.
    pub(super) fn decorate_interface(&mut self, id: u32, decorations: InterfaceDecorations, input: bool) {
        let interpolated = input && self.function.modes.stage == Stage::Fragment;
        if interpolated && decorations.sample {
            self.capabilities.require(Capability::SampleRateShading);
        }
        let rows = [
            (interpolated && decorations.flat, Decoration::Flat),
            (interpolated && decorations.no_perspective, Decoration::NoPerspective),
            (interpolated && decorations.centroid, Decoration::Centroid),
            (interpolated && decorations.sample, Decoration::Sample),
            (decorations.patch, Decoration::Patch),
            (decorations.invariant && !input, Decoration::Invariant),
        ];
        for (_, decoration) in rows.into_iter().filter(|row| row.0) {
            self.decorate(id, decoration, &[]);
        }
        if decorations.stream > 0 {
            self.capabilities.require(Capability::GeometryStreams);
            self.decorate(id, Decoration::Stream, &[u32::from(decorations.stream)]);
        }
        if let Some(capture) = decorations.capture {
            self.decorate(id, Decoration::XfbBuffer, &[u32::from(capture.buffer)]);
            self.decorate(id, Decoration::XfbStride, &[capture.stride]);
            self.decorate(id, Decoration::Offset, &[capture.offset]);
        }
    }

    /// Says once that an id may differ between the invocations of a group.
    pub(super) fn decorate_non_uniform(&mut self, id: u32) {
        let at = id as usize;
        if self.non_uniform.len() <= at {
            self.non_uniform.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.non_uniform[at], true) {
            self.decorate(id, Decoration::NonUniform, &[]);
        }
    }

    /// Names a variable, if it has a name.
    pub(super) fn name(&mut self, id: u32, var: &Var) {
        let name = self.function.names.get(var.name.0 as usize..var.name.1 as usize).unwrap_or_default();
        if !name.is_empty() {
            self.sections.names.op_text(Op::Name, &[id], name, &[]);
        }
    }
}
