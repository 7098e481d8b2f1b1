//! The form as text, for people and tests: a line a variable, an instruction, a block's end.
//!
//! Constants stand where they are used. Owns spelling only; must never be read back or depended on by code.

use super::{
    Block, BlockId, Count, Descriptor, Effect, Flags, Function, ImageFlags, ImageFormat, Inst, InterfaceDecorations,
    Kind, MemoryDecorations, Merge, Op, Place, Terminator, ValueId, Var, VarKind, sync,
};
use std::fmt::{self, Write};

/// The function as text.
pub fn print(function: &Function) -> String {
    let mut printer = Printer { function, text: String::new() };
    // Writing to a string does not fail.
    let _ = printer.function();
    printer.text
}

struct Printer<'a> {
    function: &'a Function,
    text: String,
}

impl Printer<'_> {
    fn function(&mut self) -> fmt::Result {
        let modes = &self.function.modes;
        let [x, y, z] = modes.workgroup_size;
        let stage = modes.stage.name();
        write!(self.text, "{stage}")?;
        if modes.stage == crate::interface::Stage::Compute {
            write!(self.text, " {x}x{y}x{z}")?;
        }
        let rows = [
            (modes.early_fragment_tests, " early_fragment_tests"),
            (modes.depth_replacing, " depth_replacing"),
            (modes.depth == Some(true), " depth_greater"),
            (modes.depth == Some(false), " depth_less"),
            (modes.stencil_replacing, " stencil_replacing"),
        ];
        self.words(&rows)?;
        self.text.push('\n');
        for (at, var) in self.function.vars.iter().enumerate() {
            self.var(at, var)?;
        }
        for &id in &self.function.order {
            self.block(id)?;
        }
        Ok(())
    }

    fn words(&mut self, rows: &[(bool, &str)]) -> fmt::Result {
        rows.iter().filter(|row| row.0).try_for_each(|row| self.text.write_str(row.1))
    }

    fn var(&mut self, at: usize, var: &Var) -> fmt::Result {
        write!(self.text, "v{at}")?;
        let name = self.function.names.get(var.name.0 as usize..var.name.1 as usize).unwrap_or_default();
        if !name.is_empty() {
            write!(self.text, " {name:?}")?;
        }
        self.text.push_str(": ");
        match var.kind {
            VarKind::Input { ty, array, place, decorations } => {
                write!(self.text, "input {ty:?}{}", Length(array))?;
                self.interface(place, decorations)?;
            }
            VarKind::Output { ty, array, place, decorations } => {
                write!(self.text, "output {ty:?}{}", Length(array))?;
                self.interface(place, decorations)?;
            }
            VarKind::UniformBuffer { element, len, descriptor } => {
                write!(self.text, "uniform {element:?}[{len}]{descriptor}")?;
            }
            VarKind::StorageBuffer { element, inner, stride, access, descriptor } => {
                let inner = (inner > 0).then_some(inner);
                write!(self.text, "storage {element:?}[]{} stride {stride}{access}{descriptor}", Length(inner))?;
            }
            VarKind::Image { ty, access, descriptor } => {
                let kind = if ty.storage { "storage image" } else { "image" };
                write!(self.text, "{kind} {:?} {:?}", ty.dim, ty.component)?;
                self.words(&[(ty.arrayed, " array"), (ty.multisampled, " ms"), (ty.depth, " depth")])?;
                if ty.format != ImageFormat::Unknown {
                    write!(self.text, " {:?}", ty.format)?;
                }
                write!(self.text, "{access}{descriptor}")?;
            }
            VarKind::Sampler { descriptor } => write!(self.text, "sampler{descriptor}")?,
            VarKind::PushConstants { offset, len } => write!(self.text, "push U32[{len}] offset {offset}")?,
            VarKind::Local { element, len } => write!(self.text, "local {element:?}[{len}]")?,
            VarKind::Workgroup { element, len } => write!(self.text, "workgroup {element:?}[{len}]")?,
            VarKind::Table { element, len, first } => {
                write!(self.text, "table {element:?}[{len}] =")?;
                for element in self.function.table.iter().skip(first as usize).take(len as usize) {
                    self.text.push(' ');
                    self.value(element.0)?;
                }
            }
        }
        self.text.push('\n');
        Ok(())
    }

    fn interface(&mut self, place: Place, decorations: InterfaceDecorations) -> fmt::Result {
        match place {
            Place::Location { location, component, index } => {
                write!(self.text, " @{location}")?;
                if component != 0 {
                    write!(self.text, ".{component}")?;
                }
                if index != 0 {
                    write!(self.text, " index {index}")?;
                }
            }
            Place::BuiltIn(built_in) => write!(self.text, " @{built_in:?}")?,
        }
        self.words(&[
            (decorations.flat, " flat"),
            (decorations.no_perspective, " noperspective"),
            (decorations.centroid, " centroid"),
            (decorations.sample, " sample"),
            (decorations.patch, " patch"),
            (decorations.invariant, " invariant"),
        ])
    }

    fn block(&mut self, id: BlockId) -> fmt::Result {
        let block = self.function.block(id);
        write!(self.text, "b{}:", id.0)?;
        match block.merge {
            Merge::None => {}
            Merge::Selection(merge) => write!(self.text, " selection b{}", merge.0)?,
            Merge::Loop { merge, next } => write!(self.text, " loop b{} next b{}", merge.0, next.0)?,
        }
        self.text.push('\n');
        for at in block.first..block.end {
            let inst = self.function.inst(ValueId(at));
            if inst.op.effect() != Effect::Constant {
                self.inst(at, inst)?;
            }
        }
        self.terminator(block)
    }

    fn inst(&mut self, at: u32, inst: &Inst) -> fmt::Result {
        self.text.push_str("  ");
        if inst.ty != super::Type::VOID {
            write!(self.text, "%{at} = ")?;
        }
        self.text.push_str(inst.op.name());
        if inst.ty != super::Type::VOID {
            write!(self.text, " {:?}", inst.ty)?;
        }
        self.words(&[
            (inst.flags.has(Flags::NO_CONTRACTION), " precise"),
            (inst.flags.has(Flags::NON_UNIFORM), " nonuniform"),
        ])?;
        self.operands(inst)?;
        self.text.push('\n');
        Ok(())
    }

    fn operands(&mut self, inst: &Inst) -> fmt::Result {
        let args = self.function.args_of(inst);
        match inst.op {
            Op::Phi => self.list(args.chunks_exact(2), |p, pair| {
                p.value(pair[0])?;
                write!(p.text, " from b{}", pair[1])
            }),
            Op::Extract | Op::Member => {
                self.values(args)?;
                write!(self.text, " .{}", inst.aux)
            }
            Op::Shuffle => {
                self.values(args)?;
                self.text.push_str(" .");
                (0..inst.ty.width()).try_for_each(|lane| write!(self.text, "{}", inst.aux >> (4 * lane) & 15))
            }
            Op::Load | Op::ArrayLength | Op::Handle => self.access(inst.aux, args, &[]),
            Op::InterpolateAtCentroid | Op::InterpolateAtSample | Op::InterpolateAtOffset => {
                self.access(inst.aux, &[], args)
            }
            Op::AtomicCompareExchange => {
                let (values, indices) = args.split_at(2.min(args.len()));
                self.access(inst.aux, indices, values)
            }
            Op::Store => self.access_first(inst, args),
            op if is_atomic(op) => self.access_first(inst, args),
            Op::ImageSample | Op::ImageSampleExplicit | Op::ImageGather | Op::ImageFetch | Op::ImageRead => {
                self.values(args)?;
                self.image_flags(ImageFlags(inst.aux))
            }
            Op::ControlBarrier | Op::MemoryBarrier => self.words(&[
                (inst.aux & sync::GROUP != 0, " group"),
                (inst.aux & sync::DEVICE_IN_GROUP != 0, " device_in_group"),
                (inst.aux & sync::DEVICE != 0, " device"),
            ]),
            _ => self.values(args),
        }
    }

    /// One value, the rest indices.
    fn access_first(&mut self, inst: &Inst, args: &[u32]) -> fmt::Result {
        let (values, indices) = args.split_at(1.min(args.len()));
        self.access(inst.aux, indices, values)
    }

    fn access(&mut self, var: u32, indices: &[u32], values: &[u32]) -> fmt::Result {
        write!(self.text, " v{var}")?;
        for &index in indices {
            self.text.push('[');
            self.value(index)?;
            self.text.push(']');
        }
        for &value in values {
            self.text.push_str(", ");
            self.value(value)?;
        }
        Ok(())
    }

    fn image_flags(&mut self, flags: ImageFlags) -> fmt::Result {
        self.words(&[
            (flags.has(ImageFlags::DREF), " dref"),
            (flags.has(ImageFlags::COMPONENT), " component"),
            (flags.has(ImageFlags::BIAS), " bias"),
            (flags.has(ImageFlags::LOD), " lod"),
            (flags.has(ImageFlags::GRAD), " grad"),
            (flags.has(ImageFlags::CONST_OFFSET), " const_offset"),
            (flags.has(ImageFlags::OFFSET), " offset"),
            (flags.has(ImageFlags::SAMPLE), " sample"),
            (flags.has(ImageFlags::MIN_LOD), " min_lod"),
            (flags.has(ImageFlags::SPARSE), " sparse"),
        ])
    }

    fn values(&mut self, args: &[u32]) -> fmt::Result {
        self.list(args.iter(), |p, &arg| p.value(arg))
    }

    fn list<T>(
        &mut self,
        items: impl Iterator<Item = T>,
        mut item: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        let mut separator = " ";
        for i in items {
            self.text.push_str(separator);
            item(self, i)?;
            separator = ", ";
        }
        Ok(())
    }

    fn value(&mut self, id: u32) -> fmt::Result {
        let Some(inst) = self.function.insts.get(id as usize) else { return write!(self.text, "%{id}?") };
        match inst.op {
            Op::Const => self.literal(inst),
            Op::Specialization => write!(self.text, "spec{}", inst.aux & 0xffff),
            Op::Undef => write!(self.text, "undef"),
            Op::Const64 => match *self.function.args_of(inst) {
                [low, high] if inst.ty.kind() == Kind::F64 => {
                    write!(self.text, "{:?}", f64::from_bits(u64::from(high) << 32 | u64::from(low)))
                }
                [low, high] => write!(self.text, "{:#x}", u64::from(high) << 32 | u64::from(low)),
                _ => write!(self.text, "%{id}?"),
            },
            Op::ConstVector => {
                self.text.push('(');
                for (n, &part) in self.function.args_of(inst).iter().enumerate() {
                    if n > 0 {
                        self.text.push_str(", ");
                    }
                    self.value(part)?;
                }
                self.text.push(')');
                Ok(())
            }
            _ => write!(self.text, "%{id}"),
        }
    }

    fn literal(&mut self, inst: &Inst) -> fmt::Result {
        match inst.ty.kind() {
            Kind::Bool => write!(self.text, "{}", inst.aux != 0),
            // A payload would be lost: bits.
            Kind::F32 if f32::from_bits(inst.aux).is_nan() => write!(self.text, "nan:{:#x}", inst.aux),
            Kind::F32 => write!(self.text, "{:?}", f32::from_bits(inst.aux)),
            Kind::S32 => write!(self.text, "{}", inst.aux as i32),
            Kind::U32 if inst.aux <= 0xffff => write!(self.text, "{}", inst.aux),
            _ => write!(self.text, "{:#x}", inst.aux),
        }
    }

    fn terminator(&mut self, block: &Block) -> fmt::Result {
        match block.terminator {
            Terminator::Branch(to) => writeln!(self.text, "  branch b{}", to.0),
            Terminator::Conditional { condition, then, otherwise } => {
                self.text.push_str("  if ");
                self.value(condition.0)?;
                writeln!(self.text, " b{} else b{}", then.0, otherwise.0)
            }
            Terminator::Switch { selector, default, first, count } => {
                self.text.push_str("  switch ");
                self.value(selector.0)?;
                for (literal, to) in self.function.cases.iter().skip(first as usize).take(count as usize) {
                    write!(self.text, " {literal}: b{}", to.0)?;
                }
                writeln!(self.text, " default: b{}", default.0)
            }
            Terminator::Return => writeln!(self.text, "  return"),
            Terminator::Unreachable => writeln!(self.text, "  unreachable"),
        }
    }
}

/// Whether an operation is atomic.
pub(super) fn is_atomic(op: Op) -> bool {
    (Op::AtomicAdd..=Op::AtomicCompareExchange).contains(&op)
}

/// An array's length, if it is one.
struct Length(Option<u32>);

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |len| write!(f, "[{len}]"))
    }
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " set {} binding {}", self.set, self.binding)?;
        match self.count {
            Count::One => Ok(()),
            Count::Array(len) => write!(f, " x{len}"),
            Count::Runtime => f.write_str(" x*"),
        }
    }
}

impl fmt::Display for MemoryDecorations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = [(self.non_writable, " read"), (self.non_readable, " write"), (self.coherent, " coherent")];
        rows.iter().filter(|row| row.0).try_for_each(|row| f.write_str(row.1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, BuiltIn, ImageDim, ImageType, Modes, Type};
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_function_as_text() {
        let modes = Modes { early_fragment_tests: true, ..Modes::new(crate::interface::Stage::Fragment) };
        let mut b = Builder::new(modes, 8);
        let f4 = Type::new(Kind::F32, 4);
        let decorations = InterfaceDecorations { centroid: true, ..Default::default() };
        let place = Place::Location { location: 2, component: 1, index: 0 };
        let input = b.var(VarKind::Input { ty: Type::new(Kind::F32, 2), array: None, place, decorations }, "uv");
        let face = Place::BuiltIn(BuiltIn::FrontFacing);
        let face =
            b.var(VarKind::Input { ty: Type::BOOL, array: None, place: face, decorations: Default::default() }, "");
        let descriptor = |binding, count| Descriptor { set: 1, binding, count };
        let ty = ImageType {
            dim: ImageDim::D2,
            arrayed: false,
            multisampled: false,
            depth: false,
            storage: false,
            component: Kind::F32,
            format: ImageFormat::Unknown,
        };
        let access = MemoryDecorations { non_writable: true, ..Default::default() };
        let image =
            b.var(VarKind::Image { ty, access: Default::default(), descriptor: descriptor(3, Count::Array(4)) }, "");
        let sampler = b.var(VarKind::Sampler { descriptor: descriptor(9, Count::One) }, "s");
        let kind = VarKind::StorageBuffer {
            element: Type::U32,
            inner: 6,
            stride: 24,
            access,
            descriptor: descriptor(0, Count::One),
        };
        let buffer = b.var(kind, "");
        let [entry, then, merge] = [(); 3].map(|()| b.new_block());
        b.begin(entry);
        let (uv, front) = (
            b.load_constant(Type::new(Kind::F32, 2), Flags::NONE, input, &[]),
            b.load_constant(Type::BOOL, Flags::NONE, face, &[]),
        );
        let (six, five, half) = (b.u32(0x60000), b.u32(5), b.f32(0.5));
        let bits = b.push(Op::Load, Type::U32, Flags::NONE, buffer.0, &[six, five]);
        b.end(Merge::Selection(merge), Terminator::Conditional { condition: front, then, otherwise: merge });
        b.begin(then);
        let image = b.push(Op::Handle, Type::new(Kind::Image, 1), Flags::NON_UNIFORM, image.0, &[bits]);
        let sampler = b.push(Op::Handle, Type::new(Kind::Sampler, 1), Flags::NONE, sampler.0, &[]);
        let texel = b.push(Op::ImageSample, f4, Flags::NONE, ImageFlags::BIAS.0, &[image, sampler, uv, half]);
        let scaled = b.push(Op::FScale, f4, Flags::NO_CONTRACTION, 0, &[texel, half]);
        let turned = b.push(Op::Shuffle, f4, Flags::NONE, 0x0123, &[scaled]);
        b.branch(merge);
        b.begin(merge);
        let halves = b.splat(half, 4);
        let joined = b.phi(f4, &[(halves, entry), (turned, then)]);
        let place = Place::Location { location: 0, component: 0, index: 0 };
        let out = b.var(VarKind::Output { ty: f4, array: None, place, decorations: Default::default() }, "");
        b.push(Op::Store, Type::VOID, Flags::NONE, out.0, &[joined]);
        b.end(Merge::None, Terminator::Return);
        expect![[r#"
            fragment early_fragment_tests
            v0 "uv": input F32x2 @2.1 centroid
            v1: input Bool @FrontFacing
            v2: image D2 F32 set 1 binding 3 x4
            v3 "s": sampler set 1 binding 9
            v4: storage U32[][6] stride 24 read set 1 binding 0
            v5: output F32x4 @0
            b0: selection b2
              %0 = Load F32x2 v0
              %1 = Load Bool v1
              %5 = Load U32 v4[0x60000][5]
              if %1 b1 else b2
            b1:
              %6 = Handle Image nonuniform v2[%5]
              %7 = Handle Sampler v3
              %8 = ImageSample F32x4 %6, %7, %0, 0.5 bias
              %9 = FScale F32x4 precise %8, 0.5
              %10 = Shuffle F32x4 %9 .3210
              branch b2
            b2:
              %12 = Phi F32x4 (0.5, 0.5, 0.5, 0.5) from b0, %10 from b1
              Store v5, %12
              return
        "#]]
        .assert_eq(&print(&b.finish()));
    }
}
