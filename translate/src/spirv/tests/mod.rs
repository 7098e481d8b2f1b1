//! The writer's tests: small functions built by hand, their words read back with `rspirv`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod control;
mod each_op;
mod fixes;
mod image;
mod interface;
mod memory;
mod stages;

use crate::interface::Stage;
use crate::ir::{
    Builder, Count, Descriptor, Flags, Function, ImageDim, ImageFormat, ImageType, InterfaceDecorations, Kind,
    MemoryDecorations, Merge, Modes, Op, Place, Terminator, Type, ValueId, VarId, VarKind, verify,
};
use crate::options::{Profile, Target};
use crate::passes::legalize;
use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Module, Operand};

pub(super) const F32X4: Type = Type::new(Kind::F32, 4);
pub(super) const F32X2: Type = Type::new(Kind::F32, 2);
pub(super) const U32X4: Type = Type::new(Kind::U32, 4);
pub(super) const U32X2: Type = Type::new(Kind::U32, 2);

pub(super) const TARGETS: [Target; 3] = [Target::Vulkan11, Target::Vulkan12, Target::Vulkan13];

/// A function being built, with values to feed to what is tested and places to put what it makes.
pub(super) struct Shader {
    pub(super) b: Builder,
    stage: Stage,
    places: u32,
    bindings: u32,
}

impl Shader {
    pub(super) fn new(stage: Stage) -> Shader {
        let modes = Modes { workgroup_size: [8, 4, 1], ..Modes::new(stage) };
        let mut b = Builder::new(modes, 32);
        let entry = b.new_block();
        b.begin(entry);
        Shader { b, stage, places: 0, bindings: 0 }
    }

    /// Ends the open block with a return; the function keeps every rule.
    pub(super) fn finish(mut self) -> Function {
        self.b.end(Merge::None, Terminator::Return);
        let function = self.b.finish();
        assert_eq!(verify(&function), Ok(()), "{}", crate::ir::print(&function));
        function
    }

    pub(super) fn descriptor(&mut self, count: Count) -> Descriptor {
        self.bindings += 1;
        Descriptor { set: 0, binding: self.bindings - 1, count }
    }

    /// An input variable at the next location.
    pub(super) fn input(&mut self, ty: Type) -> VarId {
        self.places += 1;
        let place = Place::Location { location: self.places - 1, component: 0, index: 0 };
        let flat = ty.kind() != Kind::F32;
        let decorations = InterfaceDecorations { flat, ..Default::default() };
        self.b.var(VarKind::Input { ty, array: None, place, decorations }, "")
    }

    /// A value of a type that nothing can fold.
    pub(super) fn value(&mut self, ty: Type) -> ValueId {
        match ty.kind() {
            Kind::Bool => {
                let bits = self.value(ty.with_kind(Kind::U32));
                self.b.test(bits)
            }
            Kind::F16 => {
                let float = self.value(ty.with_kind(Kind::F32));
                self.b.op(Op::FConvert, ty, &[float])
            }
            Kind::F64 | Kind::U64 => {
                let halves = self.value(U32X2);
                let one = self.b.op(Op::Bitcast, ty.with_width(1), &[halves]);
                self.b.splat_value(one, ty)
            }
            _ if self.stage == Stage::Compute => {
                let (buffer, index) = (self.buffer(ty, 0), self.b.u32(3));
                self.b.push(Op::Load, ty, Flags::NONE, buffer.0, &[index])
            }
            _ => {
                let var = self.input(ty);
                self.b.load_constant(ty, Flags::NONE, var, &[])
            }
        }
    }

    /// A storage buffer of elements, which are arrays where `inner` says so.
    pub(super) fn buffer(&mut self, element: Type, inner: u32) -> VarId {
        let descriptor = self.descriptor(Count::One);
        // A vector of three is aligned like one of four.
        let width = if inner == 0 { element.width().next_power_of_two() } else { element.width() };
        let stride = 4 * u32::from(width) * inner.max(1);
        let access = MemoryDecorations::default();
        self.b.var(VarKind::StorageBuffer { element, inner, stride, access, descriptor }, "")
    }

    /// Puts a value where it can be seen.
    pub(super) fn sink(&mut self, value: ValueId) {
        let ty = self.b.ty(value);
        match ty.kind() {
            Kind::Void | Kind::Image | Kind::Sampler => {}
            Kind::Bool => {
                let mask = self.b.convert(value, Kind::U32);
                self.sink(mask);
            }
            Kind::PairU32 => self.members(value, Kind::U32),
            Kind::SparseF32 => self.sparse(value, Kind::F32),
            Kind::SparseU32 => self.sparse(value, Kind::U32),
            Kind::SparseS32 => self.sparse(value, Kind::S32),
            Kind::F16 => {
                let float = self.b.op(Op::FConvert, ty.with_kind(Kind::F32), &[value]);
                self.sink(float);
            }
            Kind::F64 | Kind::U64 => {
                let halves = self.b.op(Op::Bitcast, U32X2, &[value]);
                self.sink(halves);
            }
            Kind::U32 | Kind::S32 | Kind::F32 => self.store(value, ty),
        }
    }

    fn store(&mut self, value: ValueId, ty: Type) {
        if self.stage == Stage::Compute {
            let (buffer, index) = (self.buffer(ty, 0), self.b.u32(5));
            self.b.push(Op::Store, Type::VOID, Flags::NONE, buffer.0, &[value, index]);
            return;
        }
        self.places += 1;
        let place = Place::Location { location: self.places - 1, component: 0, index: 0 };
        let var = self.b.var(VarKind::Output { ty, array: None, place, decorations: Default::default() }, "");
        self.b.push(Op::Store, Type::VOID, Flags::NONE, var.0, &[value]);
    }

    fn members(&mut self, value: ValueId, kind: Kind) {
        let ty = self.b.ty(value).with_kind(kind);
        for at in 0..2 {
            let member = self.b.push(Op::Member, ty, Flags::NONE, at, &[value]);
            self.sink(member);
        }
    }

    fn sparse(&mut self, value: ValueId, kind: Kind) {
        let code = self.b.push(Op::Member, Type::U32, Flags::NONE, 0, &[value]);
        let ty = self.b.ty(value).with_kind(kind);
        let texel = self.b.push(Op::Member, ty, Flags::NONE, 1, &[value]);
        self.sink(code);
        self.sink(texel);
    }

    /// An image variable.
    pub(super) fn image(&mut self, ty: ImageType) -> VarId {
        let descriptor = self.descriptor(Count::One);
        self.b.var(VarKind::Image { ty, access: MemoryDecorations::default(), descriptor }, "")
    }

    /// The handle of an image variable.
    pub(super) fn image_handle(&mut self, ty: ImageType) -> ValueId {
        let var = self.image(ty);
        self.b.push(Op::Handle, Type::new(Kind::Image, 1), Flags::NONE, var.0, &[])
    }

    /// The handle of a sampler.
    pub(super) fn sampler_handle(&mut self) -> ValueId {
        let descriptor = self.descriptor(Count::One);
        let var = self.b.var(VarKind::Sampler { descriptor }, "");
        self.b.push(Op::Handle, Type::new(Kind::Sampler, 1), Flags::NONE, var.0, &[])
    }
}

impl Builder {
    /// A scalar in every component.
    fn splat_value(&mut self, scalar: ValueId, ty: Type) -> ValueId {
        match ty.width() {
            1 => scalar,
            width => self.op(Op::Construct, ty, &[scalar; 4][..usize::from(width)]),
        }
    }
}

/// A sampled or storage image of floats.
pub(super) fn image_type(dim: ImageDim, storage: bool) -> ImageType {
    ImageType {
        dim,
        arrayed: false,
        multisampled: false,
        depth: false,
        storage,
        component: Kind::F32,
        format: ImageFormat::Unknown,
    }
}

/// What was written, read back.
pub(super) struct Written {
    pub(super) words: Vec<u32>,
    pub(super) module: Module,
}

/// Writes a function for a target, after the passes.
pub(super) fn write(function: &Function, target: Target) -> Written {
    write_for(function, &Profile { target, ..Profile::default() })
}

pub(super) fn write_for(function: &Function, profile: &Profile) -> Written {
    let mut function = function.clone();
    let live = legalize(&mut function);
    let words = super::write(&function, &live, profile, "main");
    let module = rspirv::dr::load_words(&words).unwrap_or_else(|error| panic!("{error:?}: {words:x?}"));
    Written { words, module }
}

impl Written {
    /// Names of the capabilities, in order.
    pub(super) fn capabilities(&self) -> Vec<String> {
        self.module.capabilities.iter().map(|inst| format!("{:?}", inst.operands[0].unwrap_capability())).collect()
    }

    /// Names of the extensions, in order.
    pub(super) fn extensions(&self) -> Vec<String> {
        self.module.extensions.iter().map(|inst| inst.operands[0].unwrap_literal_string().to_owned()).collect()
    }

    /// Every instruction.
    pub(super) fn all(&self) -> impl Iterator<Item = &Instruction> {
        self.module.all_inst_iter()
    }

    /// The instructions of an opcode.
    pub(super) fn find(&self, op: spirv::Op) -> Vec<&Instruction> {
        self.all().filter(|inst| inst.class.opcode == op).collect()
    }

    pub(super) fn count(&self, op: spirv::Op) -> usize {
        self.find(op).len()
    }

    /// The instruction that makes an id.
    pub(super) fn def(&self, id: u32) -> &Instruction {
        self.all().find(|inst| inst.result_id == Some(id)).unwrap_or_else(|| panic!("no %{id}"))
    }

    /// Decorations of an id, as text.
    pub(super) fn decorations(&self, id: u32) -> Vec<String> {
        let of = |inst: &&Instruction| matches!(inst.operands[0], Operand::IdRef(target) if target == id);
        self.find(spirv::Op::Decorate).into_iter().filter(of).map(|inst| words_of(&inst.operands[1..])).collect()
    }

    /// The module from its types on, without the header.
    pub(super) fn text(&self) -> String {
        let text = self.module.disassemble();
        let text: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
        text.join("\n") + "\n"
    }

    /// Ids are 1 to the bound, all of them used.
    pub(super) fn assert_compact(&self) {
        let mut ids: Vec<u32> = self.all().filter_map(|inst| inst.result_id).collect();
        ids.sort_unstable();
        let expected: Vec<u32> = (1..self.words[3]).collect();
        assert_eq!(ids, expected, "{}", self.text());
    }

    /// Nothing is declared that nothing uses.
    pub(super) fn assert_no_leftovers(&self) {
        let used: std::collections::BTreeSet<u32> = self
            .all()
            .filter(|inst| {
                !matches!(inst.class.opcode, spirv::Op::Decorate | spirv::Op::MemberDecorate | spirv::Op::Name)
            })
            .flat_map(|inst| inst.operands.iter().filter_map(Operand::id_ref_any).chain(inst.result_type))
            .collect();
        for inst in self.module.types_global_values.iter().chain(&self.module.ext_inst_imports) {
            let id = inst.result_id.unwrap_or_default();
            assert!(used.contains(&id), "%{id} is not used:\n{}", self.text());
        }
    }
}

fn words_of(operands: &[Operand]) -> String {
    operands.iter().map(|operand| format!("{operand}")).collect::<Vec<_>>().join(" ")
}
