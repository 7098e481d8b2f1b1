//! Sampling and gathering through a sampler, and the level of detail that sampling would choose.
//!
//! Owns the order of each instruction's operands. An array's layer is a coordinate like the others: Vulkan rounds it
//! to nearest even and clamps it, as Direct3D does.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use super::texture::ImageArgs;
use super::typed::{axes, coordinate_mask, multisampled};
use crate::dxbc::opcodes::{Flags as OpcodeFlags, Opcode};
use crate::dxbc::program::{Components, Instruction, Operand, RegisterFile, ResourceDim};
use crate::ir::{ImageFlags, Kind, LaneRef, Op, Type, ValueId};
use crate::{Error, ledger};

/// Low bits of a programmable offset's component that count, as a signed number.
const OFFSET_BITS: u32 = 6;

/// The operands of an instruction by what they are.
#[derive(Default)]
struct Parts<'o> {
    coordinate: Option<&'o Operand>,
    offset: Option<&'o Operand>,
    view: Option<&'o Operand>,
    sampler: Option<&'o Operand>,
    reference: Option<&'o Operand>,
    bias: Option<&'o Operand>,
    level: Option<&'o Operand>,
    gradients: Option<(&'o Operand, &'o Operand)>,
    clamp: Option<&'o Operand>,
    level_zero: bool,
    gather: bool,
}

impl<'a> Lower<'a> {
    /// `sample*` and `gather4*` with their feedback forms.
    pub(super) fn sample(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let feedback = inst.op.info().flags.has(OpcodeFlags::FEEDBACK);
        let (dst, status, sources) = match operands {
            [dst, status, rest @ ..] if feedback => (dst, Some(status), rest),
            [dst, rest @ ..] => (dst, None, rest),
            _ => return Err(self.bad_operand("operands are missing")),
        };
        let Some(parts) = parts(inst.op, sources) else {
            return Err(self.bad_operand("operands are missing"));
        };
        let (Some(coordinate), Some(view), Some(sampler)) = (parts.coordinate, parts.view, parts.sampler) else {
            return Err(self.bad_operand("operands are missing"));
        };
        let declared = self.texels(view)?;
        if multisampled(declared.dim) || declared.dim == ResourceDim::Buffer || sampler.file != RegisterFile::Sampler {
            return Err(self.bad_operand("a view or sampler that cannot be sampled with"));
        }
        let volume = declared.dim == ResourceDim::Texture3D;
        let flat = matches!(declared.dim, ResourceDim::Texture1D | ResourceDim::Texture1DArray);
        if (parts.gather && (volume || flat)) || (parts.reference.is_some() && volume) {
            return Err(self.bad_operand("a view that cannot be gathered from or compared"));
        }
        let status = self.status(status);
        let (image, handle) = (self.handle(view)?, self.handle(sampler)?);
        let coordinate = self.float(coordinate, coordinate_mask(declared.dim))?;
        let mut args = ImageArgs::new(&[image, handle, coordinate]);
        let explicit = self.sample_arguments(inst, &parts, declared.dim, sampler, &mut args)?;
        let op = match (parts.gather, explicit) {
            (true, _) => Op::ImageGather,
            (false, true) => Op::ImageSampleExplicit,
            (false, false) => Op::ImageSample,
        };
        let texel = self.texel_operation(op, &declared, args.flags, args.as_slice(), status)?;
        self.write_texel(dst, view, texel, None)
    }

    /// Adds what follows the coordinate; whether it says the level of detail.
    fn sample_arguments(
        &mut self,
        inst: &Instruction,
        parts: &Parts<'_>,
        dim: ResourceDim,
        sampler: &Operand,
        args: &mut ImageArgs,
    ) -> Result<bool, Error> {
        let mut scalar = |operand: Option<&Operand>| operand.map(|o| self.float(o, 1)).transpose();
        let (reference, bias, mut level) = (scalar(parts.reference)?, scalar(parts.bias)?, scalar(parts.level)?);
        args.add(ImageFlags::DREF, reference);
        if parts.gather && reference.is_none() {
            let component = match sampler.components {
                Components::Select(c) => c,
                other => other.source(0),
            };
            let component = self.builder.u32(u32::from(component));
            args.add(ImageFlags::COMPONENT, Some(component));
        }
        if parts.level_zero {
            level = Some(self.builder.f32(0.0));
        }
        args.add(ImageFlags::BIAS, bias);
        args.add(ImageFlags::LOD, level);
        if let Some((x, y)) = parts.gradients {
            let mask = (1 << axes(dim).0) - 1;
            let gradients = [self.float(x, mask)?, self.float(y, mask)?];
            args.add_all(ImageFlags::GRAD, &gradients);
        }
        match parts.offset {
            None => {
                let offset = self.constant_offset(inst, dim);
                args.add(ImageFlags::CONST_OFFSET, offset);
            }
            Some(offset) => self.programmable_offset(offset, dim, args)?,
        }
        if let Some(clamp) = parts.clamp {
            let clamp = self.lowest_level(clamp)?;
            args.add(ImageFlags::MIN_LOD, clamp);
        }
        Ok(level.is_some() || parts.gradients.is_some())
    }

    /// The lowest level that a sample may take; none where every level may be taken.
    fn lowest_level(&mut self, operand: &Operand) -> Result<Option<ValueId>, Error> {
        if operand.file == RegisterFile::Null {
            return Ok(None);
        }
        let clamp = self.float(operand, 1)?;
        if self.builder.as_constant(clamp).is_some_and(|bits| f32::from_bits(bits) <= 0.0) {
            return Ok(None);
        }
        if !self.options.profile.features.min_lod {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "a level clamp needs shaderResourceMinLod"));
        }
        Ok(Some(clamp))
    }

    /// The offset of `gather4_po`: six bits, signed, of each component.
    fn programmable_offset(&mut self, operand: &Operand, dim: ResourceDim, args: &mut ImageArgs) -> Result<(), Error> {
        if matches!(dim, ResourceDim::TextureCube | ResourceDim::TextureCubeArray) {
            return Err(self.bad_operand("a cube with texel offsets"));
        }
        let width = axes(dim).0.min(2);
        let value = self.int(operand, (1 << width) - 1)?;
        if self.builder.is_constant(value) {
            let mut components = [0i32; 2];
            for c in 0..width {
                let part = self.builder.extract(value, c);
                let bits = self.builder.as_constant(part).unwrap_or(0);
                let unused = 32 - OFFSET_BITS;
                components[usize::from(c)] = ((bits << unused) as i32) >> unused;
            }
            if components != [0; 2] {
                let offset = self.signed_vector(&components[..usize::from(width)]);
                args.add(ImageFlags::CONST_OFFSET, Some(offset));
            }
            return Ok(());
        }
        if !self.options.profile.features.gather_extended {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "a computed offset needs shaderImageGatherExtended"));
        }
        let (first, count) = (self.builder.u32(0), self.builder.u32(OFFSET_BITS));
        let ty = self.builder.ty(value);
        let offset = self.builder.op(Op::BitFieldSExtract, ty, &[value, first, count]);
        let offset = self.builder.convert(offset, Kind::S32);
        args.add(ImageFlags::OFFSET, Some(offset));
        Ok(())
    }

    /// `lod`: the level that would be sampled, clamped to those there are, then as computed.
    pub(super) fn level_of_detail(&mut self, operands: &[Operand]) -> Result<(), Error> {
        let [dst, coordinate, view, sampler, ..] = operands else {
            return Err(self.bad_operand("operands are missing"));
        };
        let declared = self.texels(view)?;
        if multisampled(declared.dim) || declared.dim == ResourceDim::Buffer || sampler.file != RegisterFile::Sampler {
            return Err(self.bad_operand("a view or sampler that cannot be sampled with"));
        }
        let (image, handle) = (self.handle(view)?, self.handle(sampler)?);
        let coordinate = self.float(coordinate, (1 << axes(declared.dim).0) - 1)?;
        let ty = Type::new(Kind::F32, 2);
        let levels = self.builder.op(Op::ImageQueryLod, ty, &[image, handle, coordinate]);
        let zero = self.builder.f32(0.0);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let c = view.components.source(lane);
            lanes.push(if c < 2 { LaneRef::new(levels, c) } else { LaneRef::new(zero, 0) });
        }
        self.write_each(dst, &lanes)
    }
}

/// The sources of an instruction, which follow its destinations.
fn parts(op: Opcode, sources: &[Operand]) -> Option<Parts<'_>> {
    use Opcode as O;
    let mut parts = Parts::default();
    let mut rest = sources.iter();
    parts.coordinate = Some(rest.next()?);
    if matches!(op, O::Gather4Po | O::Gather4PoC | O::Gather4PoFeedback | O::Gather4PoCFeedback) {
        parts.offset = Some(rest.next()?);
    }
    parts.view = Some(rest.next()?);
    parts.sampler = Some(rest.next()?);
    match op {
        O::Sample | O::SampleClampFeedback => {}
        O::SampleB | O::SampleBClampFeedback => parts.bias = Some(rest.next()?),
        O::SampleL | O::SampleLFeedback => parts.level = Some(rest.next()?),
        O::SampleD | O::SampleDClampFeedback => parts.gradients = Some((rest.next()?, rest.next()?)),
        O::SampleC | O::SampleCClampFeedback => parts.reference = Some(rest.next()?),
        O::SampleCLz | O::SampleCLzFeedback => {
            parts.reference = Some(rest.next()?);
            parts.level_zero = true;
        }
        O::Gather4 | O::Gather4Feedback | O::Gather4Po | O::Gather4PoFeedback => parts.gather = true,
        O::Gather4C | O::Gather4CFeedback | O::Gather4PoC | O::Gather4PoCFeedback => {
            parts.gather = true;
            parts.reference = Some(rest.next()?);
        }
        _ => return None,
    }
    let clamps = matches!(
        op,
        O::SampleClampFeedback | O::SampleBClampFeedback | O::SampleDClampFeedback | O::SampleCClampFeedback
    );
    if clamps {
        parts.clamp = Some(rest.next()?);
    }
    Some(parts)
}
