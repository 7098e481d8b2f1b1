//! Buffers, arrays, descriptors, atomics and barriers.

use super::*;
use crate::ir::sync;
use spirv::Op as S;

/// Operands as text: what an instruction refers to, by opcode or literal.
fn shape(written: &Written, inst: &Instruction) -> Vec<String> {
    let one = |operand: &Operand| match operand.id_ref_any() {
        Some(id) => {
            let def = written.def(id);
            match def.class.opcode {
                S::Constant => format!("{}", def.operands[0]),
                opcode => format!("{opcode:?}"),
            }
        }
        None => format!("{operand}"),
    };
    inst.operands.iter().map(one).collect()
}

fn bits(written: &Written, inst: &Instruction, at: usize) -> u32 {
    written.def(inst.operands[at].id_ref_any().unwrap_or_default()).operands[0].unwrap_literal_bit32()
}

#[test]
fn a_uniform_buffer_is_an_array_of_vectors_in_a_block() {
    let mut s = Shader::new(Stage::Fragment);
    let descriptor = Descriptor { set: 2, binding: 5, count: Count::One };
    let buffer = s.b.var(VarKind::UniformBuffer { element: F32X4, len: 9, descriptor }, "");
    let (element, component) = (s.value(Type::U32), s.b.u32(3));
    let vector = s.b.load_constant(F32X4, Flags::NONE, buffer, &[element]);
    let scalar = s.b.load_constant(Type::F32, Flags::NONE, buffer, &[element, component]);
    s.sink(vector);
    s.sink(scalar);
    let written = write(&s.finish(), Target::Vulkan13);
    let chains = written.find(S::AccessChain);
    assert_eq!(shape(&written, chains[0]), ["Variable", "0", "Load"]);
    assert_eq!(shape(&written, chains[1]), ["Variable", "0", "Load", "3"]);
    assert_eq!(chains[0].operands[1], chains[1].operands[1]);
    let variable = chains[0].operands[0].unwrap_id_ref();
    assert_eq!(written.decorations(variable), ["DescriptorSet 2", "Binding 5"]);
    let array = written.find(S::TypeArray)[0].result_id.unwrap();
    assert_eq!(written.decorations(array), ["ArrayStride 16"]);
    let block = written.find(S::TypeStruct)[0].result_id.unwrap();
    assert_eq!(written.decorations(block), ["Block"]);
    assert_eq!(written.count(S::MemberDecorate), 1);
}

#[test]
fn buffers_of_equal_layout_share_their_types() {
    let mut s = Shader::new(Stage::Compute);
    let a = s.value(U32X4);
    let b = s.value(U32X4);
    s.sink(a);
    s.sink(b);
    let written = write(&s.finish(), Target::Vulkan11);
    assert_eq!(written.count(S::Variable), 4);
    assert_eq!(written.count(S::TypeStruct), 1);
    assert_eq!(written.count(S::TypeRuntimeArray), 1);
    assert_eq!(written.count(S::TypePointer), 2);
}

#[test]
fn a_structured_buffer_has_an_inner_array() {
    let mut s = Shader::new(Stage::Compute);
    let buffer = s.buffer(Type::U32, 7);
    let (element, inner) = (s.value(Type::U32), s.b.u32(6));
    let loaded = s.b.push(Op::Load, Type::U32, Flags::NONE, buffer.0, &[element, inner]);
    s.sink(loaded);
    let written = write(&s.finish(), Target::Vulkan12);
    let chain = written.find(S::AccessChain).into_iter().find(|chain| chain.operands.len() == 4).unwrap();
    assert_eq!(shape(&written, chain), ["Variable", "0", "Load", "6"]);
    let inner = written.find(S::TypeArray)[0].result_id.unwrap();
    assert_eq!(written.decorations(inner), ["ArrayStride 4"]);
    let outer =
        written.find(S::TypeRuntimeArray).into_iter().find(|ty| ty.operands[0].unwrap_id_ref() == inner).unwrap();
    assert_eq!(written.decorations(outer.result_id.unwrap()), ["ArrayStride 28"]);
}

#[test]
fn access_stands_on_the_variable() {
    let mut s = Shader::new(Stage::Compute);
    let (a, b) = (s.buffer(Type::U32, 0), s.buffer(Type::U32, 0));
    for (var, writable) in [(a, false), (b, true)] {
        if let VarKind::StorageBuffer { access, .. } = &mut s.b.var_mut(var).kind {
            *access = MemoryDecorations { non_writable: !writable, non_readable: writable, coherent: writable };
        }
    }
    let index = s.b.u32(0);
    let loaded = s.b.push(Op::Load, Type::U32, Flags::NONE, a.0, &[index]);
    s.b.push(Op::Store, Type::VOID, Flags::NONE, b.0, &[loaded, index]);
    let written = write(&s.finish(), Target::Vulkan13);
    let variables = written.find(S::Variable);
    assert_eq!(written.decorations(variables[0].result_id.unwrap())[2..], ["NonWritable"]);
    assert_eq!(written.decorations(variables[1].result_id.unwrap())[2..], ["NonReadable", "Coherent"]);
    assert_eq!(written.count(S::TypeStruct), 1);
}

#[test]
fn push_constants_start_at_their_offset() {
    let mut s = Shader::new(Stage::Fragment);
    let push = s.b.var(VarKind::PushConstants { offset: 128, len: 3 }, "");
    let index = s.b.u32(2);
    let value = s.b.push(Op::Load, Type::U32, Flags::NONE, push.0, &[index]);
    s.sink(value);
    let written = write(&s.finish(), Target::Vulkan13);
    let member = written.find(S::MemberDecorate)[0];
    assert_eq!(member.operands[3], Operand::LiteralBit32(128));
    assert_eq!(shape(&written, written.find(S::AccessChain)[0]), ["Variable", "0", "2"]);
}

/// A local array and a table, both dynamically indexed.
pub(in super::super) fn arrays() -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let local = s.b.var(VarKind::Local { element: F32X4, len: 4 }, "");
    let unread = s.b.var(VarKind::Local { element: F32X4, len: 5 }, "");
    let parts = [1.0f32, 2.0].map(|part| s.b.f32(part));
    let zero = s.b.f32(0.0);
    let rows = [
        s.b.construct(F32X4, &[parts[0], parts[1], parts[0], parts[1]]),
        s.b.construct(F32X4, &[zero, zero, zero, zero]),
    ];
    let first = s.b.table(&rows);
    let table = s.b.var(VarKind::Table { element: F32X4, len: 2, first }, "");
    let (index, value, component) = (s.value(Type::U32), s.value(F32X4), s.b.u32(1));
    let scalar = s.b.extract(value, 0);
    s.b.push(Op::Store, Type::VOID, Flags::NONE, local.0, &[value, index]);
    s.b.push(Op::Store, Type::VOID, Flags::NONE, local.0, &[scalar, index, component]);
    s.b.push(Op::Store, Type::VOID, Flags::NONE, unread.0, &[value, index]);
    let read = s.b.push(Op::Load, F32X4, Flags::NONE, local.0, &[index]);
    let row = s.b.load_constant(F32X4, Flags::NONE, table, &[index]);
    s.sink(read);
    s.sink(row);
    s.finish()
}

#[test]
fn local_arrays_stand_at_the_start_of_the_function() {
    let function = arrays();
    for target in TARGETS {
        let written = write(&function, target);
        written.assert_compact();
        written.assert_no_leftovers();
        let block = &written.module.functions[0].blocks[0];
        let start: Vec<S> = block.instructions.iter().take(3).map(|inst| inst.class.opcode).collect();
        assert_eq!(start[..2], [S::Variable, S::Variable]);
        assert_ne!(start[2], S::Variable, "an array that nothing reads is not there");
        let initializers: Vec<S> = block.instructions[..2]
            .iter()
            .map(|inst| written.def(inst.operands[1].unwrap_id_ref()).class.opcode)
            .collect();
        assert_eq!(initializers, [S::ConstantNull, S::ConstantComposite]);
        // The array of four, and the row of zeros.
        assert_eq!(written.count(S::ConstantNull), 2);
    }
}

/// A resource that is indexed in an array of descriptors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Indexed {
    Uniform,
    Storage,
    Sampled,
    SampledBuffer,
    StorageImage,
    StorageBuffer,
    Sampler,
    Atomic,
    Length,
}

pub(in super::super) const INDEXED: [Indexed; 9] = [
    Indexed::Uniform,
    Indexed::Storage,
    Indexed::Sampled,
    Indexed::SampledBuffer,
    Indexed::StorageImage,
    Indexed::StorageBuffer,
    Indexed::Sampler,
    Indexed::Atomic,
    Indexed::Length,
];

pub(in super::super) fn indexed(what: Indexed, count: Count, flags: Flags, constant: bool) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let index = if constant { s.b.u32(2) } else { s.value(Type::U32) };
    let descriptor = s.descriptor(count);
    let access = MemoryDecorations::default();
    let element = s.b.u32(0);
    let storage = VarKind::StorageBuffer { element: Type::U32, inner: 0, stride: 4, access, descriptor };
    match what {
        Indexed::Uniform | Indexed::Storage | Indexed::Length => {
            let uniform = VarKind::UniformBuffer { element: U32X4, len: 4, descriptor };
            let var = s.b.var(if what == Indexed::Uniform { uniform } else { storage }, "");
            let value = match what {
                Indexed::Uniform => s.b.push(Op::Load, U32X4, flags, var.0, &[index, element]),
                Indexed::Storage => s.b.push(Op::Load, Type::U32, flags, var.0, &[index, element]),
                _ => s.b.push(Op::ArrayLength, Type::U32, flags, var.0, &[index]),
            };
            s.sink(value);
        }
        Indexed::Sampled | Indexed::Sampler => {
            let image_kind = VarKind::Image { ty: image_type(ImageDim::D2, false), access, descriptor };
            let kind = if what == Indexed::Sampled { image_kind } else { VarKind::Sampler { descriptor } };
            let var = s.b.var(kind, "");
            let ty = if what == Indexed::Sampled { Kind::Image } else { Kind::Sampler };
            let handle = s.b.push(Op::Handle, Type::new(ty, 1), flags, var.0, &[index]);
            let (image, sampler) = match what {
                Indexed::Sampled => (handle, s.sampler_handle()),
                _ => (s.image_handle(image_type(ImageDim::D2, false)), handle),
            };
            let place = s.value(F32X2);
            let texel = s.b.op(Op::ImageSample, F32X4, &[image, sampler, place]);
            s.sink(texel);
        }
        Indexed::SampledBuffer | Indexed::StorageImage | Indexed::StorageBuffer => {
            let dim = if what == Indexed::StorageImage { ImageDim::D2 } else { ImageDim::Buffer };
            let ty = image_type(dim, what != Indexed::SampledBuffer);
            let var = s.b.var(VarKind::Image { ty, access, descriptor }, "");
            let handle = s.b.push(Op::Handle, Type::new(Kind::Image, 1), flags, var.0, &[index]);
            let place = s.value(if what == Indexed::StorageImage { U32X2 } else { Type::U32 });
            let op = if what == Indexed::SampledBuffer { Op::ImageFetch } else { Op::ImageRead };
            let texel = s.b.op(op, F32X4, &[handle, place]);
            s.sink(texel);
        }
        Indexed::Atomic => {
            let ty = ImageType { component: Kind::U32, format: ImageFormat::R32ui, ..image_type(ImageDim::D2, true) };
            let var = s.b.var(VarKind::Image { ty, access, descriptor }, "");
            let (value, place) = (s.value(Type::U32), s.value(U32X2));
            let old = s.b.push(Op::AtomicUMax, Type::U32, flags, var.0, &[value, index, place]);
            s.sink(old);
        }
    }
    s.finish()
}

fn indexing_of(what: Indexed) -> &'static str {
    match what {
        Indexed::Uniform => "UniformBuffer",
        Indexed::Storage | Indexed::Length => "StorageBuffer",
        Indexed::Sampled | Indexed::Sampler => "SampledImage",
        Indexed::SampledBuffer => "UniformTexelBuffer",
        Indexed::StorageImage | Indexed::Atomic => "StorageImage",
        Indexed::StorageBuffer => "StorageTexelBuffer",
    }
}

#[test]
fn only_an_index_that_is_no_constant_needs_a_capability() {
    for what in INDEXED {
        let name = indexing_of(what);
        let (dynamic, non_uniform) = (format!("{name}ArrayDynamicIndexing"), format!("{name}ArrayNonUniformIndexing"));
        for (flags, constant, expected) in [
            (Flags::NONE, true, None),
            (Flags::NON_UNIFORM, true, None),
            (Flags::NONE, false, Some(dynamic)),
            (Flags::NON_UNIFORM, false, Some(non_uniform)),
        ] {
            let written = write(&indexed(what, Count::Array(4), flags, constant), Target::Vulkan13);
            let found: Vec<String> =
                written.capabilities().into_iter().filter(|name| name.ends_with("Indexing")).collect();
            assert_eq!(found, Vec::from_iter(expected), "{what:?} {flags:?} {constant}");
        }
    }
}

#[test]
fn what_differs_in_a_group_says_so() {
    for what in INDEXED {
        let written = write(&indexed(what, Count::Runtime, Flags::NON_UNIFORM, false), Target::Vulkan11);
        assert!(written.capabilities().contains(&"RuntimeDescriptorArray".to_owned()));
        assert_eq!(written.extensions(), ["SPV_EXT_descriptor_indexing"]);
        let non_uniform = |inst: &&Instruction| inst.operands[1] == Operand::Decoration(spirv::Decoration::NonUniform);
        let decorated: Vec<S> = written
            .find(S::Decorate)
            .into_iter()
            .filter(non_uniform)
            .map(|inst| written.def(inst.operands[0].unwrap_id_ref()).class.opcode)
            .collect();
        let expected: &[S] = match what {
            Indexed::Uniform | Indexed::Storage | Indexed::Length => &[S::Load, S::AccessChain],
            Indexed::Sampled | Indexed::Sampler => &[S::Load, S::AccessChain, S::Load, S::SampledImage],
            Indexed::Atomic => &[S::Load, S::AccessChain, S::ImageTexelPointer],
            _ => &[S::Load, S::AccessChain, S::Load],
        };
        assert_eq!(decorated, expected, "{what:?}");
    }
}

#[test]
fn atomics_have_the_scope_of_their_memory() {
    let mut s = Shader::new(Stage::Compute);
    let buffer = s.buffer(Type::U32, 0);
    let group = s.b.var(VarKind::Workgroup { element: Type::U32, len: 64 }, "");
    let (value, comparator, index) = (s.value(Type::U32), s.b.u32(40), s.b.u32(9));
    s.b.push(Op::AtomicAdd, Type::U32, Flags::NONE, buffer.0, &[value, index]);
    s.b.push(Op::AtomicCompareExchange, Type::U32, Flags::NONE, group.0, &[value, comparator, index]);
    let written = write(&s.finish(), Target::Vulkan13);
    // Pointer, scope Device, relaxed, value.
    assert_eq!(shape(&written, written.find(S::AtomicIAdd)[0]), ["AccessChain", "1", "0", "Load"]);
    // Pointer, scope Workgroup, relaxed twice, value, comparator.
    let exchange = written.find(S::AtomicCompareExchange)[0];
    assert_eq!(shape(&written, exchange), ["AccessChain", "2", "0", "0", "Load", "40"]);
}

/// Atomics on a signed image.
pub(in super::super) fn signed_image_atomic() -> Function {
    let mut s = Shader::new(Stage::Compute);
    let ty = ImageType { component: Kind::S32, format: ImageFormat::R32i, ..image_type(ImageDim::D3, true) };
    let image = s.image(ty);
    let (value, place) = (s.value(Type::U32), s.value(Type::new(Kind::U32, 3)));
    let five = s.b.u32(5);
    let old = s.b.push(Op::AtomicSMin, Type::U32, Flags::NONE, image.0, &[value, place]);
    let other = s.b.push(Op::AtomicExchange, Type::U32, Flags::NONE, image.0, &[five, place]);
    s.sink(old);
    s.sink(other);
    s.finish()
}

#[test]
fn a_signed_image_casts_around_its_atomics() {
    let written = write(&signed_image_atomic(), Target::Vulkan13);
    written.assert_compact();
    let min = written.find(S::AtomicSMin)[0];
    assert_eq!(shape(&written, min), ["ImageTexelPointer", "1", "0", "Bitcast"]);
    let ty = written.def(min.result_type.unwrap());
    assert_eq!(ty.operands, [Operand::LiteralBit32(32), Operand::LiteralBit32(1)]);
    // A constant is made of the right type at once.
    assert_eq!(shape(&written, written.find(S::AtomicExchange)[0]), ["ImageTexelPointer", "1", "0", "5"]);
    assert_eq!(written.count(S::Bitcast), 3);
}

#[test]
fn barriers_order_what_they_say() {
    // Acquire and release 8, uniform memory 0x40, workgroup memory 0x100, image memory 0x800; scopes: device 1, group 2.
    let rows = [
        (sync::GROUP, 2, 0x108),
        (sync::DEVICE_IN_GROUP, 2, 0x848),
        (sync::DEVICE, 1, 0x848),
        (sync::GROUP | sync::DEVICE, 1, 0x948),
        (sync::GROUP | sync::DEVICE_IN_GROUP, 2, 0x948),
    ];
    for (aux, scope, semantics) in rows {
        let mut s = Shader::new(Stage::Compute);
        s.b.push(Op::ControlBarrier, Type::VOID, Flags::NONE, aux, &[]);
        s.b.push(Op::MemoryBarrier, Type::VOID, Flags::NONE, aux, &[]);
        let written = write(&s.finish(), Target::Vulkan13);
        let control = written.find(S::ControlBarrier)[0];
        assert_eq!([0, 1, 2].map(|at| bits(&written, control, at)), [2, scope, semantics], "{aux}");
        let memory = written.find(S::MemoryBarrier)[0];
        assert_eq!([0, 1].map(|at| bits(&written, memory, at)), [scope, semantics], "{aux}");
    }
}

#[test]
fn a_group_barrier_without_memory_orders_nothing() {
    let mut s = Shader::new(Stage::Compute);
    s.b.push(Op::ControlBarrier, Type::VOID, Flags::NONE, 0, &[]);
    s.b.push(Op::MemoryBarrier, Type::VOID, Flags::NONE, 0, &[]);
    let written = write(&s.finish(), Target::Vulkan13);
    assert_eq!(shape(&written, written.find(S::ControlBarrier)[0]), ["2", "2", "0"]);
    assert_eq!(written.count(S::MemoryBarrier), 0);
}
