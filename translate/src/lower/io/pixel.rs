//! What a pixel shader's invocation is: of a pixel or of a sample, and where its position and depth are evaluated.
//!
//! Direct3D evaluates an input at the pixel's centre, at its centroid or at the sample, as the input is declared, however
//! often the shader runs (11.3, sections 3.5.4.1 and 16.3). Vulkan's FragCoord is the pixel's centre in a shader that
//! runs once per pixel and the sample's place in one that runs per sample. Where the two differ, the position is moved:
//! x and y by the distance, z and 1/w along their planes.

use super::{Access, Side, by_sample, is_centroid, name};
use crate::dxbc::program::RegisterFile;
use crate::dxbc::signature::Element;
use crate::interface::Stage;
use crate::ir::{BuiltIn, Flags, InterfaceDecorations, Kind, Op, Place, Type, ValueId, VarId};
use crate::ledger;
use crate::lower::Lower;

/// Where a position is evaluated, as seen from FragCoord.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// At FragCoord.
    Own,
    /// At the pixel's centre, in a shader that runs per sample.
    Centre,
    /// At the pixel's centre if all samples are covered, else at the first covered sample; in a shader that runs once
    /// per pixel.
    Centroid,
}

/// How often the shader runs, and what is computed on entry, since it takes derivatives: these need all invocations of a
/// quad.
#[derive(Default)]
pub(super) struct Pixel {
    /// Whether the shader runs for each sample.
    by_sample: bool,
    /// Components of the position, as far as they are not FragCoord's own.
    pub position: [Option<ValueId>; 4],
    /// The depth that a conservative output is held against.
    rasterizer_depth: Option<ValueId>,
}

impl<'a> Lower<'a> {
    /// Finds whether a pixel shader runs for each sample: an input that it reads is of one.
    pub(super) fn find_rate(&mut self) {
        let used = |e: &Element<'_>| {
            self.usage.inputs.get(e.register as usize).is_some_and(|used| used & e.mask != 0)
                && (e.system_value == name::SAMPLE_INDEX || by_sample(self.interpolation_of(e)))
        };
        let by_sample = self.interface.stage == Stage::Fragment && self.elements.of(Side::Input).iter().any(used);
        self.io.pixel.by_sample = by_sample;
    }

    /// Whether a pixel shader runs for each sample.
    pub(super) fn runs_by_sample(&self) -> bool {
        self.io.pixel.by_sample
    }

    /// Where the position of an element is evaluated.
    pub(super) fn spot(&self, element: &Element<'_>) -> Spot {
        let mode = self.interpolation_of(element);
        match (self.runs_by_sample(), is_centroid(mode)) {
            // A shader that runs per sample does not see the coverage of the whole pixel, so its centroid is the one of
            // a pixel whose samples are all covered.
            (true, _) if !by_sample(mode) => Spot::Centre,
            (false, true) => Spot::Centroid,
            _ => Spot::Own,
        }
    }

    /// Notes an input whose centroid Vulkan does not give: the shader runs per sample.
    pub(super) fn note_centroid(&mut self, mode: u16) {
        if is_centroid(mode) && self.runs_by_sample() {
            self.note(ledger::CENTROID_BY_SAMPLE);
        }
    }

    /// Computes what derivatives are needed for. The entry block is open.
    pub(super) fn enter_pixel(&mut self) {
        if self.interface.stage != Stage::Fragment {
            return;
        }
        for n in 0..self.io.inputs.len() {
            let part = self.io.inputs[n];
            if let Access::FragCoord(spot) = part.access
                && spot != Spot::Own
            {
                let used = self.usage.inputs.get(part.register as usize).copied().unwrap_or(15);
                self.move_position(part.var, spot, used & part.mask);
            }
        }
        let conservative = [RegisterFile::OutputDepthGreaterEqual, RegisterFile::OutputDepthLessEqual];
        if conservative.iter().any(|file| self.usage.files.contains(file)) {
            self.io.pixel.rasterizer_depth = Some(self.depth_of_rasterizer());
        }
    }

    /// Sets the components of the position that are used.
    fn move_position(&mut self, var: VarId, spot: Spot, used: u8) {
        let place = self.builder.load_constant(Type::new(Kind::F32, 4), Flags::NONE, var, &[]);
        let offset = self.offset_to(spot, place);
        for component in 0..2 {
            if used & (1 << component) != 0 {
                let (at, by) = (self.builder.extract(place, component), self.builder.extract(offset, component));
                let moved = self.builder.op(Op::FAdd, Type::F32, &[at, by]);
                self.io.pixel.position[usize::from(component)] = Some(moved);
            }
        }
        if used & 4 != 0 {
            self.io.pixel.position[2] = Some(self.along_plane(place, 2, offset));
        }
        if used & 8 != 0 {
            let (one, moved) = (self.builder.f32(1.0), self.along_plane(place, 3, offset));
            self.io.pixel.position[3] = Some(self.builder.op(Op::FDiv, Type::F32, &[one, moved]));
        }
    }

    /// From FragCoord to where the position is wanted, in pixels.
    fn offset_to(&mut self, spot: Spot, place: ValueId) -> ValueId {
        let ty = Type::new(Kind::F32, 2);
        if spot == Spot::Centroid {
            return self.offset_of_centroid();
        }
        let half = self.builder.f32(0.5);
        let half = self.builder.splat(half, 2);
        let parts = [0, 1].map(|component| self.builder.extract(place, component));
        let xy = self.builder.construct(ty, &parts);
        let inside = self.builder.op(Op::Fract, ty, &[xy]);
        self.builder.op(Op::FSub, ty, &[half, inside])
    }

    /// From the pixel's centre to its centroid: 0 if all samples are covered (or none, in a helper invocation).
    fn offset_of_centroid(&mut self) -> ValueId {
        let covered = self.coverage();
        let samples = self.rasterizer_samples();
        let first = self.builder.op(Op::FindLsb, Type::U32, &[covered]);
        let offset = self.sample_offset(samples, first);
        let (ones, bits, zero) = (self.builder.u32(u32::MAX), self.builder.u32(32), self.builder.f32(0.0));
        let unused = self.builder.op(Op::ISub, Type::U32, &[bits, samples]);
        let all = self.builder.op(Op::ShrLogical, Type::U32, &[ones, unused]);
        let whole = self.builder.op(Op::IEqual, Type::BOOL, &[covered, all]);
        let centre = self.builder.splat(zero, 2);
        self.builder.select(whole, centre, offset)
    }

    /// A component of FragCoord that is linear on the screen, so far away.
    fn along_plane(&mut self, place: ValueId, component: u8, offset: ValueId) -> ValueId {
        let here = self.builder.extract(place, component);
        [(Op::Dpdx, 0), (Op::Dpdy, 1)].into_iter().fold(here, |value, (op, axis)| {
            let slope = self.builder.op(op, Type::F32, &[here]);
            let distance = self.builder.extract(offset, axis);
            let change = self.builder.op(Op::FMul, Type::F32, &[slope, distance]);
            self.builder.op(Op::FAdd, Type::F32, &[value, change])
        })
    }

    /// The samples of the pixel that the primitive covers; of a shader that runs per sample its own alone.
    pub(super) fn coverage(&mut self) -> ValueId {
        let decorations = InterfaceDecorations { flat: true, ..InterfaceDecorations::default() };
        let place = Place::BuiltIn(BuiltIn::SampleMask);
        let var = self.interface_var(true, Type::U32, Some(1), place, decorations, "");
        let zero = self.builder.u32(0);
        self.builder.load_constant(Type::U32, Flags::NONE, var, &[zero])
    }

    /// The depth of the sample, or of the centroid in a shader that runs once per pixel.
    fn depth_of_rasterizer(&mut self) -> ValueId {
        let ty = Type::new(Kind::F32, 4);
        let place = Place::BuiltIn(BuiltIn::FragCoord);
        let var = self.interface_var(true, ty, None, place, InterfaceDecorations::default(), "");
        let here = self.builder.load_constant(ty, Flags::NONE, var, &[]);
        if self.runs_by_sample() {
            return self.builder.extract(here, 2);
        }
        let offset = self.offset_of_centroid();
        self.along_plane(here, 2, offset)
    }

    /// The depth that is stored: a conservative one never leaves its side of the rasteriser's, whatever the shader
    /// wrote (11.3, section 16.9.3).
    pub(super) fn stored_depth(&mut self, value: ValueId) -> ValueId {
        let Some(bound) = self.io.pixel.rasterizer_depth else { return value };
        let op = if self.builder.modes().depth == Some(true) { Op::NMax } else { Op::NMin };
        self.builder.op(op, Type::F32, &[value, bound])
    }
}
