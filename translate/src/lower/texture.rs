//! Resources read without a filter: texel loads; and what is asked of resources: sizes, samples, positions.
//!
//! Owns the results of every texture instruction: which component of a texel a lane takes, the status of a sparse
//! one. Sampling itself is `sample`'s. Must never guess a component's kind: the declaration says it.

use super::Lower;
use super::registers::{Lanes, mask_lanes};
use super::resources::Declared;
use super::typed::{axes, multisampled};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand, RegisterFile, ResourceDim};
use crate::interface::ResourceClass;
use crate::ir::{Flags, ImageFlags, Kind, LaneRef, Op, Type, ValueId, VarId, VarKind};
use crate::{Error, ledger};

/// `D3D10_SB_RESINFO_INSTRUCTION_RETURN_TYPE`, bits 11 and 12 of the opcode token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Returns {
    Float,
    Reciprocal,
    Uint,
}

/// Direct3D's standard positions of 1, 2, 4, 8 and 16 samples one after another, in sixteenths of a pixel from its
/// centre. Those of n samples begin at n − 1. The last one stands for an index out of range.
const SAMPLE_POSITIONS: [(i8, i8); 32] = [
    (0, 0),
    (4, 4),
    (-4, -4),
    (-2, -6),
    (6, -2),
    (-6, 2),
    (2, 6),
    (1, -3),
    (-1, 3),
    (5, 1),
    (-3, -5),
    (-5, 5),
    (-7, -1),
    (3, 7),
    (7, -7),
    (1, 1),
    (-1, -3),
    (-3, 2),
    (4, -1),
    (-5, -2),
    (2, 5),
    (5, 3),
    (3, -5),
    (-2, 6),
    (0, -7),
    (-4, -6),
    (-6, 4),
    (-8, 0),
    (7, -4),
    (6, 7),
    (-7, -8),
    (0, 0),
];

/// The specialization constant of the rasteriser's samples.
const RASTERIZATION_SAMPLES_ID: u16 = 0;

impl<'a> Lower<'a> {
    /// Every instruction on textures and typed buffers that reads.
    pub(super) fn texture(&mut self, inst: &Instruction, operands: &'a [Operand]) -> Result<(), Error> {
        match inst.op {
            Opcode::Ld | Opcode::LdMs | Opcode::LdFeedback | Opcode::LdMsFeedback => self.load_texel(inst, operands),
            Opcode::Resinfo => self.resource_info(inst, operands),
            Opcode::Bufinfo => self.buffer_info(inst, operands),
            Opcode::SampleInfo => self.sample_info(inst, operands),
            Opcode::SamplePos => self.sample_position(operands),
            Opcode::Lod => self.level_of_detail(operands),
            _ => self.sample(inst, operands),
        }
    }

    /// A status operand that is really written.
    pub(super) fn status<'o>(&self, status: Option<&'o Operand>) -> Option<&'o Operand> {
        status.filter(|s| s.file != RegisterFile::Null)
    }

    /// An image operation that makes a texel of a view, and its status where one is asked for.
    ///
    /// A status lane is the answer itself, not the device's code: `check_access_fully_mapped` passes it on.
    pub(super) fn texel_operation(
        &mut self,
        op: Op,
        declared: &Declared,
        flags: ImageFlags,
        args: &[ValueId],
        status: Option<&Operand>,
    ) -> Result<ValueId, Error> {
        let kind = self.component(declared);
        let width = if flags.has(ImageFlags::DREF) && op != Op::ImageGather { 1 } else { 4 };
        let ty = Type::new(kind, width);
        let mut texel;
        let mut resident = None;
        match status {
            Some(status) if self.options.profile.features.residency => {
                let sparse = match kind {
                    Kind::S32 => Kind::SparseS32,
                    Kind::U32 => Kind::SparseU32,
                    _ => Kind::SparseF32,
                };
                let flags = flags.with(ImageFlags::SPARSE);
                let pair = self.builder.push(op, ty.with_kind(sparse), Flags::NONE, flags.0, args);
                let code = self.builder.push(Op::Member, Type::U32, Flags::NONE, 0, &[pair]);
                texel = self.builder.push(Op::Member, ty, Flags::NONE, 1, &[pair]);
                resident = Some((status, self.builder.op(Op::TexelsResident, Type::BOOL, &[code])));
            }
            _ => {
                texel = self.builder.push(op, ty, Flags::NONE, flags.0, args);
                // A device without sparse resources has every texel.
                resident = status.map(|s| (s, self.builder.bool(true))).or(resident);
            }
        }
        if let Some((status, resident)) = resident {
            self.write_each(status, &Lanes::new(&[LaneRef::new(resident, 0)]))?;
        }
        if kind == Kind::S32 {
            texel = self.builder.convert(texel, Kind::U32);
        }
        Ok(texel)
    }

    /// Writes a texel's components as a view's swizzle has them; zeros where a guard says that it is none.
    pub(super) fn write_texel(
        &mut self,
        dst: &Operand,
        view: &Operand,
        texel: ValueId,
        inside: Option<ValueId>,
    ) -> Result<(), Error> {
        let mask = dst.components.mask();
        if inside.is_some() && mask_lanes(mask).any(|lane| view.components.source(lane) == 3) {
            self.note(ledger::GUARDED_ALPHA);
        }
        let texel = self.or_zero(inside, texel);
        let scalar = self.builder.ty(texel).width() == 1;
        let mut lanes = Lanes::none();
        for lane in mask_lanes(mask) {
            lanes.push(LaneRef::new(texel, if scalar { 0 } else { view.components.source(lane) }));
        }
        self.write_each(dst, &lanes)
    }

    /// `check_access_fully_mapped`.
    pub(super) fn check_access(&mut self, operands: &[Operand]) -> Result<(), Error> {
        let [dst, status, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let lanes = self.lanes_of(status, 1)?;
        let resident = self.builder.gather(lanes.as_slice(), Kind::Bool);
        self.write_lanes(dst, |_| LaneRef::new(resident, 0), false)
    }

    /// `ld`, `ldms` and their feedback forms.
    fn load_texel(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let feedback = matches!(inst.op, Opcode::LdFeedback | Opcode::LdMsFeedback);
        let (dst, status, address, view, rest) = match operands {
            [dst, status, address, view, rest @ ..] if feedback => (dst, Some(status), address, view, rest),
            [dst, address, view, rest @ ..] => (dst, None, address, view, rest),
            _ => return Err(self.bad_operand("operands are missing")),
        };
        let declared = self.texels(view)?;
        if matches!(declared.dim, ResourceDim::TextureCube | ResourceDim::TextureCubeArray) {
            return Err(self.bad_operand("a cube's texels cannot be loaded"));
        }
        let status = self.status(status);
        let image = self.handle(view)?;
        let mut coordinate = self.coordinate(&declared, address)?;
        let sample = match rest {
            [sample, ..] if multisampled(declared.dim) => Some(self.scalar(sample)?),
            _ if multisampled(declared.dim) => Some(self.builder.u32(0)),
            _ => None,
        };
        let levels = declared.class == ResourceClass::Srv && declared.dim != ResourceDim::Buffer && sample.is_none();
        let mut level = if levels { Some(self.int(address, 8)?) } else { None };
        let guarded = self.guards_texels(&declared);
        let mut inside = None;
        let mut offset = self.constant_offset(inst, declared.dim);
        if guarded || sample.is_some() || declared.dim == ResourceDim::Buffer {
            coordinate = self.moved(inst, &declared, coordinate, offset.take());
        }
        if guarded {
            inside = Some(self.fetch_inside(image, coordinate, level, sample));
            coordinate = self.or_zero(inside, coordinate);
            level = level.map(|l| self.or_zero(inside, l));
        }
        let mut args = ImageArgs::new(&[image, coordinate]);
        args.add(ImageFlags::LOD, level);
        args.add(ImageFlags::CONST_OFFSET, offset);
        args.add(ImageFlags::SAMPLE, sample);
        let storage = declared.class == ResourceClass::Uav;
        let op = if storage { Op::ImageRead } else { Op::ImageFetch };
        let texel = self.texel_operation(op, &declared, args.flags, args.as_slice(), status)?;
        self.write_texel(dst, view, texel, inside)
    }

    /// The offset of an instruction as a constant, where it has one.
    pub(super) fn constant_offset(&mut self, inst: &Instruction, dim: ResourceDim) -> Option<ValueId> {
        if inst.offsets == [0; 3] || matches!(dim, ResourceDim::TextureCube | ResourceDim::TextureCubeArray) {
            return None;
        }
        let components = inst.offsets.map(i32::from);
        Some(self.signed_vector(&components[..usize::from(axes(dim).0)]))
    }

    /// A coordinate with an instruction's offset added; the layer has none.
    fn moved(
        &mut self,
        inst: &Instruction,
        declared: &Declared,
        coordinate: ValueId,
        offset: Option<ValueId>,
    ) -> ValueId {
        if offset.is_none() {
            return coordinate;
        }
        let ty = self.builder.ty(coordinate);
        let space = axes(declared.dim).0;
        let mut parts = [coordinate; 4];
        for c in 0..ty.width() {
            let by = if c < space { inst.offsets[usize::from(c)] } else { 0 };
            parts[usize::from(c)] = self.builder.u32(i32::from(by) as u32);
        }
        let by = self.builder.construct(ty, &parts[..usize::from(ty.width())]);
        self.builder.op(Op::IAdd, ty, &[coordinate, by])
    }

    /// Whether a fetch is in range: level, coordinate and sample.
    fn fetch_inside(
        &mut self,
        image: ValueId,
        at: ValueId,
        level: Option<ValueId>,
        sample: Option<ValueId>,
    ) -> ValueId {
        let ty = self.builder.ty(at);
        let Some(level) = level else {
            let size = self.builder.op(Op::ImageQuerySize, ty, &[image]);
            let inside = self.all_below(at, size);
            let Some(sample) = sample else { return inside };
            let samples = self.builder.op(Op::ImageQuerySamples, Type::U32, &[image]);
            let there = self.builder.op(Op::ULess, Type::BOOL, &[sample, samples]);
            return self.builder.op(Op::LogicalAnd, Type::BOOL, &[inside, there]);
        };
        let there = self.level_inside(image, level);
        // The size of a level that is not there is not defined: it is not asked for.
        let asked = self.or_zero(there, level);
        let size = self.builder.op(Op::ImageQuerySizeLod, ty, &[image, asked]);
        let inside = self.all_below(at, size);
        match there {
            None => inside,
            Some(there) => self.builder.op(Op::LogicalAnd, Type::BOOL, &[inside, there]),
        }
    }

    /// Whether an image has a level; level 0 it has.
    fn level_inside(&mut self, image: ValueId, level: ValueId) -> Option<ValueId> {
        if self.builder.as_constant(level) == Some(0) {
            return None;
        }
        let levels = self.builder.op(Op::ImageQueryLevels, Type::U32, &[image]);
        Some(self.builder.op(Op::ULess, Type::BOOL, &[level, levels]))
    }

    /// `resinfo`: sizes of a level, then the number of levels in w.
    fn resource_info(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let [dst, level, view, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let returns = match inst.controls & 3 {
            0 => Returns::Float,
            1 => Returns::Reciprocal,
            _ => Returns::Uint,
        };
        let declared = self.texels(view)?;
        if declared.dim == ResourceDim::Buffer {
            return Err(self.bad_operand("a buffer has no levels to ask for"));
        }
        let level = self.scalar(level)?;
        let image = self.handle(view)?;
        let (space, layered) = axes(declared.dim);
        let cube = matches!(declared.dim, ResourceDim::TextureCube | ResourceDim::TextureCubeArray);
        let space = if cube { 2 } else { space };
        let ty = Type::new(Kind::U32, space + u8::from(layered));
        let has_levels = declared.class == ResourceClass::Srv && !multisampled(declared.dim);
        let (size, there) = if has_levels {
            let there = self.level_inside(image, level);
            let asked = self.or_zero(there, level);
            (self.builder.op(Op::ImageQuerySizeLod, ty, &[image, asked]), there)
        } else {
            let one = self.builder.u32(1);
            let there = match self.builder.as_constant(level) {
                Some(0) => None,
                _ => Some(self.builder.op(Op::ULess, Type::BOOL, &[level, one])),
            };
            (self.builder.op(Op::ImageQuerySize, ty, &[image]), there)
        };
        let size = self.or_zero(there, size);
        let size = self.info_value(size, returns, space);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let c = view.components.source(lane);
            lanes.push(if c < ty.width() {
                LaneRef::new(size, c)
            } else if c < 3 {
                self.zero_lane(returns != Returns::Uint)
            } else {
                let levels = if has_levels {
                    self.builder.op(Op::ImageQueryLevels, Type::U32, &[image])
                } else {
                    self.builder.u32(1)
                };
                // A number of levels is never reciprocated.
                LaneRef::new(self.info_value(levels, returns, 0), 0)
            });
        }
        self.write_each(dst, &lanes)
    }

    fn zero_lane(&mut self, float: bool) -> LaneRef {
        let kind = if float { Kind::F32 } else { Kind::U32 };
        LaneRef::new(self.builder.constant(kind, 0), 0)
    }

    /// Numbers as an instruction returns them: only the first `sizes` are reciprocated.
    fn info_value(&mut self, value: ValueId, returns: Returns, sizes: u8) -> ValueId {
        let ty = self.builder.ty(value).with_kind(Kind::F32);
        if returns == Returns::Uint {
            return value;
        }
        let float = match self.builder.as_constant(value) {
            Some(bits) => self.builder.f32(bits as f32),
            None => self.builder.op(Op::UToF, ty, &[value]),
        };
        if returns == Returns::Float || sizes == 0 {
            return float;
        }
        let one = self.builder.f32(1.0);
        let ones = self.builder.splat(one, ty.width());
        let reciprocal = self.builder.op(Op::FDiv, ty, &[ones, float]);
        if sizes >= ty.width() {
            return reciprocal;
        }
        let mut lanes = [LaneRef::UNDEFINED; 4];
        for c in 0..ty.width() {
            lanes[usize::from(c)] = LaneRef::new(if c < sizes { reciprocal } else { float }, c);
        }
        self.builder.gather(&lanes[..usize::from(ty.width())], Kind::F32)
    }

    /// `bufinfo`: texels, bytes or records, in every component.
    fn buffer_info(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let [dst, view, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let resource = self.resource(view)?;
        let declared = *self.resources.get(resource);
        let count = match declared.dim {
            ResourceDim::RawBuffer | ResourceDim::StructuredBuffer => {
                let descriptor = self.descriptor_index(resource, view)?;
                let flags = self.access_flags(view);
                let length = self.buffer_length(resource, descriptor, flags)?;
                // Raw views that are asked for their size have elements of four bytes.
                if declared.dim == ResourceDim::RawBuffer { self.builder.mul_constant(length, 4) } else { length }
            }
            ResourceDim::Buffer => {
                let image = self.handle(view)?;
                self.builder.op(Op::ImageQuerySize, Type::U32, &[image])
            }
            _ => return Err(self.bad_operand("not a buffer")),
        };
        self.write(inst, dst, count)
    }

    /// The number of samples of the rasteriser. SPIR-V cannot ask for it: the pipeline gives it as a specialization
    /// constant.
    pub(super) fn rasterizer_samples(&mut self) -> ValueId {
        self.interface.rasterization_samples_id = Some(u32::from(RASTERIZATION_SAMPLES_ID));
        self.builder.specialization(RASTERIZATION_SAMPLES_ID, 1)
    }

    /// The number of samples of a multisampled view or of the rasteriser.
    fn samples_of(&mut self, view: &Operand) -> Result<ValueId, Error> {
        if view.file == RegisterFile::Rasterizer {
            return Ok(self.rasterizer_samples());
        }
        let declared = self.texels(view)?;
        if !multisampled(declared.dim) {
            return Ok(self.builder.u32(1));
        }
        let image = self.handle(view)?;
        Ok(self.builder.op(Op::ImageQuerySamples, Type::U32, &[image]))
    }

    /// `sampleinfo`: the number of samples in x.
    fn sample_info(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let [dst, view, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        // D3D10_SB_INSTRUCTION_RETURN_TYPE, bit 11 of the opcode token.
        let returns = if inst.controls & 1 != 0 { Returns::Uint } else { Returns::Float };
        let samples = self.samples_of(view)?;
        let samples = self.info_value(samples, returns, 0);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let first = view.components.source(lane) == 0;
            lanes.push(if first { LaneRef::new(samples, 0) } else { self.zero_lane(returns == Returns::Float) });
        }
        self.write_each(dst, &lanes)
    }

    /// `samplepos`: x and y of a sample; 0 for one that is not there.
    fn sample_position(&mut self, operands: &[Operand]) -> Result<(), Error> {
        let [dst, view, index, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        let samples = self.samples_of(view)?;
        let index = self.scalar(index)?;
        let position = self.sample_offset(samples, index);
        let mut lanes = Lanes::none();
        for lane in mask_lanes(dst.components.mask()) {
            let c = view.components.source(lane);
            lanes.push(if c < 2 { LaneRef::new(position, c) } else { self.zero_lane(true) });
        }
        self.write_each(dst, &lanes)
    }

    /// From a pixel's centre to one of its samples, at Direct3D's standard places; 0 for a sample that is not there.
    pub(super) fn sample_offset(&mut self, samples: ValueId, index: ValueId) -> ValueId {
        let none = self.builder.u32(SAMPLE_POSITIONS.len() as u32 - 1);
        let less = self.builder.u32(u32::MAX);
        let first = self.builder.add(samples, less);
        let at = self.builder.add(first, index);
        let inside = self.builder.op(Op::ULess, Type::BOOL, &[index, samples]);
        let at = self.builder.select(inside, at, none);
        // More than sixteen samples have no standard positions.
        let at = self.builder.op(Op::UMin, Type::U32, &[at, none]);
        let var = self.sample_positions();
        self.builder.load_constant(Type::new(Kind::F32, 2), Flags::NONE, var, &[at])
    }

    fn sample_positions(&mut self) -> VarId {
        if let Some(var) = self.memory.sample_positions {
            return var;
        }
        let element = Type::new(Kind::F32, 2);
        let constants = SAMPLE_POSITIONS.map(|(x, y)| {
            let parts = [x, y].map(|n| self.builder.f32(f32::from(n) / 16.0));
            self.builder.construct(element, &parts)
        });
        let first = self.builder.table(&constants);
        let len = constants.len() as u32;
        let var = self.builder.var(VarKind::Table { element, len, first }, "");
        self.memory.sample_positions = Some(var);
        var
    }
}

/// Operands of an image operation with the flags that say what they are. Optional ones are added in the order of
/// their bits.
pub(super) struct ImageArgs {
    values: [ValueId; 12],
    len: usize,
    pub flags: ImageFlags,
}

impl ImageArgs {
    pub fn new(fixed: &[ValueId]) -> ImageArgs {
        let mut args = ImageArgs { values: [ValueId(0); 12], len: 0, flags: ImageFlags::NONE };
        fixed.iter().for_each(|&v| args.push(v));
        args
    }

    fn push(&mut self, value: ValueId) {
        if let Some(slot) = self.values.get_mut(self.len) {
            *slot = value;
            self.len += 1;
        }
    }

    /// Adds an operand, if there is one.
    pub fn add(&mut self, flag: ImageFlags, value: Option<ValueId>) {
        self.add_all(flag, value.as_slice());
    }

    /// Adds what a flag stands for, if anything.
    pub fn add_all(&mut self, flag: ImageFlags, values: &[ValueId]) {
        if values.is_empty() {
            return;
        }
        debug_assert!(self.flags.0 < flag.0, "operands follow in the order of their bits");
        self.flags = self.flags.with(flag);
        values.iter().for_each(|&v| self.push(v));
    }

    pub fn as_slice(&self) -> &[ValueId] {
        &self.values[..self.len]
    }
}
