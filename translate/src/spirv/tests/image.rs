//! Image operations with every combination of flags, image types and what they need.

use super::*;
use crate::ir::ImageFlags;
use spirv::Op as S;

const OPTIONAL: [ImageFlags; 7] = [
    ImageFlags::BIAS,
    ImageFlags::LOD,
    ImageFlags::GRAD,
    ImageFlags::CONST_OFFSET,
    ImageFlags::OFFSET,
    ImageFlags::SAMPLE,
    ImageFlags::MIN_LOD,
];

/// A function with one image operation.
fn image_case(op: Op, flags: ImageFlags, ty: ImageType) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let image = s.image_handle(ty);
    let mut args = vec![image];
    if !matches!(op, Op::ImageFetch | Op::ImageRead) {
        args.push(s.sampler_handle());
        args.push(s.value(F32X2));
    } else {
        args.push(s.value(U32X2));
    }
    operands(&mut s, op, flags, &mut args);
    let compared = flags.has(ImageFlags::DREF) && op != Op::ImageGather;
    let kind = if flags.has(ImageFlags::SPARSE) { Kind::SparseF32 } else { Kind::F32 };
    let ty = Type::new(kind, if compared { 1 } else { 4 });
    let value = s.b.push(op, ty, Flags::NONE, flags.0, &args);
    s.sink(value);
    s.finish()
}

/// The operands that flags ask for, in order.
fn operands(s: &mut Shader, op: Op, flags: ImageFlags, args: &mut Vec<ValueId>) {
    if flags.has(ImageFlags::DREF) {
        args.push(s.value(Type::F32));
    }
    if flags.has(ImageFlags::COMPONENT) {
        args.push(s.b.u32(2));
    }
    for flag in OPTIONAL.into_iter().filter(|&flag| flags.has(flag)) {
        match flag {
            ImageFlags::BIAS | ImageFlags::MIN_LOD => args.push(s.value(Type::F32)),
            ImageFlags::LOD if op == Op::ImageFetch => args.push(s.value(Type::U32)),
            ImageFlags::LOD => args.push(s.value(Type::F32)),
            ImageFlags::GRAD => args.extend([s.value(F32X2), s.value(F32X2)]),
            ImageFlags::CONST_OFFSET => {
                let parts = [1, -2i32].map(|part| s.b.constant(Kind::S32, part as u32));
                args.push(s.b.construct(Type::new(Kind::S32, 2), &parts));
            }
            ImageFlags::OFFSET => args.push(s.value(Type::new(Kind::S32, 2))),
            _ => args.push(s.value(Type::U32)),
        }
    }
}

/// Every operation with every combination of flags that SPIR-V has for it.
pub(in super::super) fn combinations() -> Vec<(Op, ImageFlags, Function)> {
    let all = |bits: &[ImageFlags]| -> Vec<ImageFlags> {
        (0..1u32 << bits.len())
            .map(|set| {
                let chosen = bits.iter().enumerate().filter(|(at, _)| set >> at & 1 != 0);
                chosen.fold(ImageFlags::NONE, |flags, (_, &flag)| flags.with(flag))
            })
            .collect()
    };
    use ImageFlags as F;
    let mut cases = Vec::new();
    let mut add = |op, fixed: F, optional: &[F], ty: ImageType| {
        for flags in all(optional) {
            let flags = flags.with(fixed);
            let depth = flags.has(F::DREF);
            cases.push((op, flags, image_case(op, flags, ImageType { depth, ..ty })));
        }
    };
    let sampled = image_type(ImageDim::D2, false);
    let many = ImageType { multisampled: true, ..sampled };
    add(Op::ImageSample, F::NONE, &[F::DREF, F::BIAS, F::CONST_OFFSET, F::MIN_LOD, F::SPARSE], sampled);
    add(Op::ImageSampleExplicit, F::LOD, &[F::DREF, F::CONST_OFFSET, F::SPARSE], sampled);
    add(Op::ImageSampleExplicit, F::GRAD, &[F::DREF, F::CONST_OFFSET, F::MIN_LOD, F::SPARSE], sampled);
    for fixed in [F::COMPONENT, F::DREF] {
        add(Op::ImageGather, fixed, &[F::SPARSE], sampled);
        add(Op::ImageGather, fixed.with(F::CONST_OFFSET), &[F::SPARSE], sampled);
        add(Op::ImageGather, fixed.with(F::OFFSET), &[F::SPARSE], sampled);
    }
    add(Op::ImageFetch, F::LOD, &[F::CONST_OFFSET, F::SPARSE], sampled);
    add(Op::ImageFetch, F::SAMPLE, &[F::SPARSE], many);
    add(Op::ImageRead, F::NONE, &[F::SPARSE], image_type(ImageDim::D2, true));
    add(Op::ImageRead, F::SAMPLE, &[F::SPARSE], ImageType { storage: true, ..many });
    cases
}

#[test]
fn flags_become_the_mask_and_its_operands() {
    for (op, flags, function) in combinations() {
        let written = write(&function, Target::Vulkan13);
        written.assert_compact();
        written.assert_no_leftovers();
        let masks: Vec<u32> = written
            .all()
            .flat_map(|inst| &inst.operands)
            .filter_map(|operand| if let Operand::ImageOperands(mask) = operand { Some(mask.bits()) } else { None })
            .collect();
        // Bias 1, Lod 2, Grad 4, ConstOffset 8, Offset 16, Sample 64, MinLod 128.
        let bits = OPTIONAL.into_iter().zip([1, 2, 4, 8, 16, 64, 128]).filter(|(flag, _)| flags.has(*flag));
        let mask: u32 = bits.map(|(_, bit)| bit).sum();
        assert_eq!(masks, if mask == 0 { vec![] } else { vec![mask] }, "{op:?} {flags:?}");
        let capabilities = written.capabilities();
        let rows = [
            (ImageFlags::SPARSE, "SparseResidency"),
            (ImageFlags::MIN_LOD, "MinLod"),
            (ImageFlags::OFFSET, "ImageGatherExtended"),
        ];
        for (flag, name) in rows {
            assert_eq!(capabilities.iter().any(|c| c == name), flags.has(flag), "{op:?} {flags:?} {name}");
        }
    }
}

#[test]
fn each_form_has_its_opcode() {
    use ImageFlags as F;
    let rows = [
        (Op::ImageSample, F::NONE, S::ImageSampleImplicitLod),
        (Op::ImageSample, F::DREF, S::ImageSampleDrefImplicitLod),
        (Op::ImageSample, F::SPARSE, S::ImageSparseSampleImplicitLod),
        (Op::ImageSample, F::DREF.with(F::SPARSE), S::ImageSparseSampleDrefImplicitLod),
        (Op::ImageSampleExplicit, F::LOD, S::ImageSampleExplicitLod),
        (Op::ImageSampleExplicit, F::LOD.with(F::DREF), S::ImageSampleDrefExplicitLod),
        (Op::ImageSampleExplicit, F::GRAD.with(F::SPARSE), S::ImageSparseSampleExplicitLod),
        (Op::ImageSampleExplicit, F::LOD.with(F::DREF).with(F::SPARSE), S::ImageSparseSampleDrefExplicitLod),
        (Op::ImageGather, F::COMPONENT, S::ImageGather),
        (Op::ImageGather, F::DREF, S::ImageDrefGather),
        (Op::ImageGather, F::COMPONENT.with(F::SPARSE), S::ImageSparseGather),
        (Op::ImageGather, F::DREF.with(F::SPARSE), S::ImageSparseDrefGather),
        (Op::ImageFetch, F::LOD.with(F::SPARSE), S::ImageSparseFetch),
        (Op::ImageRead, F::SPARSE, S::ImageSparseRead),
    ];
    for (op, flags, opcode) in rows {
        let ty = ImageType { depth: flags.has(F::DREF), ..image_type(ImageDim::D2, op == Op::ImageRead) };
        let written = write(&image_case(op, flags, ty), Target::Vulkan12);
        assert_eq!(written.count(opcode), 1, "{op:?} {flags:?}:\n{}", written.text());
    }
}

/// Every image type, loaded once.
pub(in super::super) fn types() -> Vec<(ImageType, Function)> {
    use ImageDim::*;
    let mut cases = Vec::new();
    for storage in [false, true] {
        for (dim, arrayed, multisampled) in [
            (Buffer, false, false),
            (D1, false, false),
            (D1, true, false),
            (D2, false, false),
            (D2, true, false),
            (D2, false, true),
            (D2, true, true),
            (D3, false, false),
            (Cube, false, false),
            (Cube, true, false),
        ] {
            for component in [Kind::F32, Kind::U32, Kind::S32] {
                let ty = ImageType { arrayed, multisampled, component, ..image_type(dim, storage) };
                cases.push((ty, queried(ty)));
            }
        }
    }
    cases
}

/// Asks an image for its size.
fn queried(ty: ImageType) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let image = s.image_handle(ty);
    let width = match ty.dim {
        ImageDim::Buffer | ImageDim::D1 => 1,
        ImageDim::D2 | ImageDim::Cube => 2,
        ImageDim::D3 => 3,
    } + u8::from(ty.arrayed);
    let with_level = !ty.storage && !ty.multisampled && ty.dim != ImageDim::Buffer;
    let (op, args) = match with_level {
        true => (Op::ImageQuerySizeLod, vec![image, s.b.u32(0)]),
        false => (Op::ImageQuerySize, vec![image]),
    };
    let size = s.b.op(op, Type::new(Kind::U32, width), &args);
    s.sink(size);
    s.finish()
}

#[test]
fn an_image_type_asks_for_its_capability() {
    for (ty, function) in types() {
        let written = write(&function, Target::Vulkan13);
        let expected: &[&str] = match (ty.dim, ty.storage, ty.arrayed, ty.multisampled) {
            (ImageDim::Buffer, false, ..) => &["SampledBuffer"],
            (ImageDim::Buffer, true, ..) => &["ImageBuffer"],
            (ImageDim::D1, false, ..) => &["Sampled1D"],
            (ImageDim::D1, true, ..) => &["Image1D"],
            (ImageDim::Cube, false, true, _) => &["SampledCubeArray"],
            (ImageDim::Cube, true, true, _) => &["ImageCubeArray"],
            (ImageDim::D2, true, false, true) => &["StorageImageMultisample"],
            (ImageDim::D2, true, true, true) => &["StorageImageMultisample", "ImageMSArray"],
            _ => &[],
        };
        let mut found = written.capabilities();
        found.retain(|name| name != "Shader" && name != "ImageQuery");
        assert_eq!(found, expected, "{ty:?}");
        let declared = written.find(S::TypeImage)[0];
        let sampled = Operand::LiteralBit32(if ty.storage { 2 } else { 1 });
        assert_eq!(declared.operands[5], sampled);
        let component = written.def(declared.operands[0].unwrap_id_ref());
        let expected = if ty.component == Kind::F32 { S::TypeFloat } else { S::TypeInt };
        assert_eq!(component.class.opcode, expected);
    }
}

#[test]
fn a_sampled_image_is_made_once_a_block() {
    let mut s = Shader::new(Stage::Fragment);
    let (image, sampler) = (s.image_handle(image_type(ImageDim::D2, false)), s.sampler_handle());
    let (at, there) = (s.value(F32X2), s.value(F32X2));
    for place in [at, there] {
        let texel = s.b.op(Op::ImageSample, F32X4, &[image, sampler, place]);
        s.sink(texel);
    }
    let next = s.b.new_block();
    s.b.branch(next);
    s.b.begin(next);
    let texel = s.b.op(Op::ImageSample, F32X4, &[image, sampler, at]);
    s.sink(texel);
    let written = write(&s.finish(), Target::Vulkan13);
    assert_eq!(written.count(S::SampledImage), 2);
    assert_eq!(written.count(S::ImageSampleImplicitLod), 3);
}

#[test]
fn a_format_saves_a_capability() {
    for (format, expected) in [(ImageFormat::Unknown, 2), (ImageFormat::R32ui, 0)] {
        let mut s = Shader::new(Stage::Compute);
        let ty = ImageType { format, component: Kind::U32, ..image_type(ImageDim::D2, true) };
        let (image, place) = (s.image_handle(ty), s.value(U32X2));
        let texel = s.b.op(Op::ImageRead, U32X4, &[image, place]);
        s.b.push(Op::ImageWrite, Type::VOID, Flags::NONE, 0, &[image, place, texel]);
        let written = write(&s.finish(), Target::Vulkan13);
        let without = written.capabilities().iter().filter(|name| name.ends_with("WithoutFormat")).count();
        assert_eq!(without, expected, "{format:?}");
    }
}
