//! Image operations: sampling, gathers, fetches, reads, writes, queries, and their sparse forms.

use super::Writer;
use crate::ir::{Flags, ImageFlags, ImageFormat, ImageType, Inst, Op as IrOp, ValueId, VarId, VarKind};
use spirv::{Capability, Op};

/// Sampled images of a block that are found again. Beyond so many another one is made: input is untrusted.
const REMEMBERED: usize = 64;

impl Writer<'_> {
    /// An operation with a result and [`ImageFlags`].
    pub(super) fn image(&mut self, inst: &Inst, id: u32) {
        let function = self.function;
        let flags = ImageFlags(inst.aux);
        let with_sampler = matches!(inst.op, IrOp::ImageSample | IrOp::ImageSampleExplicit | IrOp::ImageGather);
        let handles = if with_sampler { 2 } else { 1 };
        let Some((handles, rest)) = function.args_of(inst).split_at_checked(handles) else { return };
        let image = match *handles {
            [image, sampler] => self.sampled_image(image, sampler),
            _ => self.value(handles[0]),
        };
        self.image_needs(inst.op, handles[0], flags);
        // Coordinate, then reference and component if there are any; what follows them stands behind the mask.
        let fixed = 1 + usize::from(flags.has(ImageFlags::DREF)) + usize::from(flags.has(ImageFlags::COMPONENT));
        let mask = operand_mask(flags);
        let ty = self.ty(inst.ty);
        let result = self.value(id);
        let start = self.sections.code.begin(image_opcode(inst.op, flags));
        self.sections.code.0.extend_from_slice(&[ty, result, image]);
        for (at, &arg) in rest.iter().enumerate() {
            if at == fixed {
                self.sections.code.push(mask);
            }
            let arg = self.value(arg);
            self.sections.code.push(arg);
        }
        self.sections.code.end(start);
    }

    pub(super) fn image_write(&mut self, inst: &Inst) {
        let &[image, coordinate, texel] = self.function.args_of(inst) else { return };
        if self.image_of(image).is_some_and(|ty| ty.format == ImageFormat::Unknown) {
            self.capabilities.require(Capability::StorageImageWriteWithoutFormat);
        }
        let operands = [image, coordinate, texel].map(|arg| self.value(arg));
        self.sections.code.op(Op::ImageWrite, &operands);
    }

    pub(super) fn image_query_lod(&mut self, inst: &Inst, id: u32) {
        let &[image, sampler, coordinate] = self.function.args_of(inst) else { return };
        self.capabilities.require(Capability::ImageQuery);
        let image = self.sampled_image(image, sampler);
        let coordinate = self.value(coordinate);
        let ty = self.ty(inst.ty);
        let result = self.value(id);
        self.sections.code.op(Op::ImageQueryLod, &[ty, result, image, coordinate]);
    }

    /// An image with a sampler. It must stand in the block that uses it.
    fn sampled_image(&mut self, image: u32, sampler: u32) -> u32 {
        let recent = self.sampled_images.iter().rev().take(REMEMBERED);
        if let Some(found) = recent.into_iter().find(|made| (made.0, made.1) == (image, sampler)) {
            return found.2;
        }
        let ty = match self.image_of(image) {
            Some(ty) => self.image_type(ty),
            None => 0,
        };
        let ty = self.sampled_image_type(ty);
        let operands = [image, sampler].map(|handle| self.value(handle));
        let id = self.id();
        self.sections.code.op(Op::SampledImage, &[ty, id, operands[0], operands[1]]);
        if self.handle_is_non_uniform(image) || self.handle_is_non_uniform(sampler) {
            self.decorate_non_uniform(id);
        }
        self.sampled_images.push((image, sampler, id));
        id
    }

    fn handle_is_non_uniform(&self, handle: u32) -> bool {
        let inst = self.function.inst(ValueId(handle));
        inst.flags.has(Flags::NON_UNIFORM) && self.is_non_uniform(inst.flags, self.function.args_of(inst).first())
    }

    /// The type of the image that a handle is of.
    fn image_of(&self, handle: u32) -> Option<ImageType> {
        let inst = self.function.inst(ValueId(handle));
        match self.function.vars.get(VarId(inst.aux).0 as usize)?.kind {
            VarKind::Image { ty, .. } if inst.op == IrOp::Handle => Some(ty),
            _ => None,
        }
    }

    fn image_needs(&mut self, op: IrOp, image: u32, flags: ImageFlags) {
        if op == IrOp::ImageRead && self.image_of(image).is_some_and(|ty| ty.format == ImageFormat::Unknown) {
            self.capabilities.require(Capability::StorageImageReadWithoutFormat);
        }
        let rows = [
            (flags.has(ImageFlags::SPARSE), Capability::SparseResidency),
            (flags.has(ImageFlags::MIN_LOD), Capability::MinLod),
            (flags.has(ImageFlags::OFFSET), Capability::ImageGatherExtended),
        ];
        for (_, capability) in rows.into_iter().filter(|row| row.0) {
            self.capabilities.require(capability);
        }
    }
}

/// The form's flags as SPIR-V's mask of image operands, which has them in the same order.
fn operand_mask(flags: ImageFlags) -> u32 {
    use spirv::ImageOperands as O;
    let rows = [
        (ImageFlags::BIAS, O::BIAS),
        (ImageFlags::LOD, O::LOD),
        (ImageFlags::GRAD, O::GRAD),
        (ImageFlags::CONST_OFFSET, O::CONST_OFFSET),
        (ImageFlags::OFFSET, O::OFFSET),
        (ImageFlags::SAMPLE, O::SAMPLE),
        (ImageFlags::MIN_LOD, O::MIN_LOD),
    ];
    rows.into_iter().filter(|row| flags.has(row.0)).fold(0, |mask, row| mask | row.1.bits())
}

fn image_opcode(op: IrOp, flags: ImageFlags) -> Op {
    let sparse = flags.has(ImageFlags::SPARSE);
    match (op, flags.has(ImageFlags::DREF), sparse) {
        (IrOp::ImageSample, false, false) => Op::ImageSampleImplicitLod,
        (IrOp::ImageSample, true, false) => Op::ImageSampleDrefImplicitLod,
        (IrOp::ImageSample, false, true) => Op::ImageSparseSampleImplicitLod,
        (IrOp::ImageSample, true, true) => Op::ImageSparseSampleDrefImplicitLod,
        (IrOp::ImageSampleExplicit, false, false) => Op::ImageSampleExplicitLod,
        (IrOp::ImageSampleExplicit, true, false) => Op::ImageSampleDrefExplicitLod,
        (IrOp::ImageSampleExplicit, false, true) => Op::ImageSparseSampleExplicitLod,
        (IrOp::ImageSampleExplicit, true, true) => Op::ImageSparseSampleDrefExplicitLod,
        (IrOp::ImageGather, false, false) => Op::ImageGather,
        (IrOp::ImageGather, true, false) => Op::ImageDrefGather,
        (IrOp::ImageGather, false, true) => Op::ImageSparseGather,
        (IrOp::ImageGather, true, true) => Op::ImageSparseDrefGather,
        (IrOp::ImageRead, _, false) => Op::ImageRead,
        (IrOp::ImageRead, _, true) => Op::ImageSparseRead,
        (_, _, true) => Op::ImageSparseFetch,
        (_, _, false) => Op::ImageFetch,
    }
}
