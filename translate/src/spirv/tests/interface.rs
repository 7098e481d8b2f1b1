//! Inputs, outputs, built-ins, names, the entry point, and a whole module as text.

use super::*;
use crate::ir::BuiltIn;
use expect_test::expect;
use spirv::Op as S;

/// One variable of a stage, read or written.
pub(in super::super) fn one(
    stage: Stage,
    ty: Type,
    array: Option<u32>,
    place: Place,
    decorations: InterfaceDecorations,
    input: bool,
) -> Function {
    let mut s = Shader::new(stage);
    let indices: Vec<ValueId> = array.map(|_| s.b.u32(0)).into_iter().collect();
    if input {
        let var = s.b.var(VarKind::Input { ty, array, place, decorations }, "");
        let value = s.b.load_constant(ty, Flags::NONE, var, &indices);
        s.places = 1;
        s.sink(value);
    } else {
        let var = s.b.var(VarKind::Output { ty, array, place, decorations }, "");
        s.places = 1;
        let value = s.value(ty);
        let args: Vec<ValueId> = std::iter::once(value).chain(indices).collect();
        s.b.push(Op::Store, Type::VOID, Flags::NONE, var.0, &args);
    }
    s.finish()
}

/// A built-in where it may stand: stage, type, array, input, and what it needs beyond `Shader`.
type BuiltInRow = (BuiltIn, Stage, Type, Option<u32>, bool, &'static str);

/// Every built-in.
pub(in super::super) fn built_ins() -> Vec<BuiltInRow> {
    use BuiltIn::*;
    use Stage::{Compute, Fragment, Vertex};
    let (u, f, b) = (Type::U32, Type::F32, Type::BOOL);
    let u3 = Type::new(Kind::U32, 3);
    vec![
        (Position, Vertex, F32X4, None, false, ""),
        (PointSize, Vertex, f, None, false, ""),
        (ClipDistance, Vertex, f, Some(2), false, "ClipDistance"),
        (CullDistance, Vertex, f, Some(1), false, "CullDistance"),
        (ClipDistance, Fragment, f, Some(2), true, "ClipDistance"),
        (VertexIndex, Vertex, u, None, true, ""),
        (InstanceIndex, Vertex, u, None, true, ""),
        (BaseVertex, Vertex, u, None, true, "DrawParameters"),
        (BaseInstance, Vertex, u, None, true, "DrawParameters"),
        (DrawIndex, Vertex, u, None, true, "DrawParameters"),
        (Layer, Vertex, u, None, false, "ShaderLayer"),
        (ViewportIndex, Vertex, u, None, false, "ShaderViewportIndex"),
        (Layer, Fragment, u, None, true, "ShaderLayer"),
        (PrimitiveId, Fragment, u, None, true, "Geometry"),
        (FragCoord, Fragment, F32X4, None, true, ""),
        (PointCoord, Fragment, F32X2, None, true, ""),
        (FrontFacing, Fragment, b, None, true, ""),
        (SampleId, Fragment, u, None, true, "SampleRateShading"),
        (SamplePosition, Fragment, F32X2, None, true, "SampleRateShading"),
        (SampleMask, Fragment, u, Some(1), true, ""),
        (SampleMask, Fragment, u, Some(1), false, ""),
        (FragDepth, Fragment, f, None, false, ""),
        (FragStencilRef, Fragment, u, None, false, "StencilExportEXT"),
        (HelperInvocation, Fragment, b, None, true, ""),
        (FullyCovered, Fragment, b, None, true, "FragmentFullyCoveredEXT"),
        (GlobalInvocationId, Compute, u3, None, true, ""),
        (LocalInvocationId, Compute, u3, None, true, ""),
        (LocalInvocationIndex, Compute, u, None, true, ""),
        (WorkgroupId, Compute, u3, None, true, ""),
    ]
}

pub(in super::super) fn built_in_case(row: &BuiltInRow) -> Function {
    let &(built_in, stage, ty, array, input, _) = row;
    // Vulkan wants integers of the fragment stage flat, built-ins too.
    let flat = input && stage == Stage::Fragment && ty.kind() == Kind::U32;
    let decorations = InterfaceDecorations { flat, ..Default::default() };
    let mut function = one(stage, ty, array, Place::BuiltIn(built_in), decorations, input);
    function.modes.depth_replacing = built_in == BuiltIn::FragDepth;
    function
}

#[test]
fn built_ins_have_their_decoration_and_capability() {
    for row in built_ins() {
        let written = write(&built_in_case(&row), Target::Vulkan13);
        let mut capabilities = written.capabilities();
        capabilities.retain(|name| name != "Shader");
        let expected: Vec<&str> = Some(row.5).into_iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(capabilities, expected, "{row:?}");
        let built_in = |inst: &&Instruction| inst.operands[1] == Operand::Decoration(spirv::Decoration::BuiltIn);
        let found: Vec<String> = written
            .find(S::Decorate)
            .into_iter()
            .filter(built_in)
            .map(|inst| format!("{}", inst.operands[2]))
            .collect();
        let name = match row.0 {
            BuiltIn::FragStencilRef => "FragStencilRefEXT".to_owned(),
            BuiltIn::FullyCovered => "FullyCoveredEXT".to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(found, [name]);
    }
}

#[test]
fn a_layer_without_a_geometry_stage() {
    let row = |stage, input| (BuiltIn::Layer, stage, Type::U32, None, input, "");
    let capabilities = |function: &Function, target, any_stage| {
        let mut profile = Profile { target, ..Profile::default() };
        profile.features.viewport_layer_any_stage = any_stage;
        let written = write_for(function, &profile);
        (written.capabilities()[1].clone(), written.extensions())
    };
    let output = built_in_case(&row(Stage::Vertex, false));
    let extension = vec!["SPV_EXT_shader_viewport_index_layer".to_owned()];
    assert_eq!(capabilities(&output, Target::Vulkan11, true), ("ShaderViewportIndexLayerEXT".into(), extension));
    assert_eq!(capabilities(&output, Target::Vulkan12, true), ("ShaderLayer".into(), vec![]));
    let input = built_in_case(&row(Stage::Fragment, true));
    assert_eq!(capabilities(&input, Target::Vulkan12, false), ("Geometry".into(), vec![]));
}

#[test]
fn a_location_says_no_more_than_it_must() {
    let place = |component, index| Place::Location { location: 3, component, index };
    let decorated = |place, decorations: InterfaceDecorations, input| {
        let written = write(&one(Stage::Fragment, F32X2, None, place, decorations, input), Target::Vulkan13);
        let class = if input { spirv::StorageClass::Input } else { spirv::StorageClass::Output };
        let variables = written.find(S::Variable);
        let variable = variables.iter().find(|inst| inst.operands[0] == Operand::StorageClass(class)).unwrap();
        written.decorations(variable.result_id.unwrap())
    };
    let none = InterfaceDecorations::default();
    assert_eq!(decorated(place(0, 0), none, true), ["Location 3"]);
    assert_eq!(decorated(place(2, 0), none, true), ["Location 3", "Component 2"]);
    assert_eq!(decorated(place(0, 1), none, false), ["Location 3", "Index 1"]);
    let all = InterfaceDecorations {
        flat: true,
        no_perspective: true,
        centroid: true,
        sample: true,
        patch: false,
        invariant: true,
        ..InterfaceDecorations::default()
    };
    assert_eq!(decorated(place(0, 0), all, true), ["Location 3", "Flat", "NoPerspective", "Centroid", "Sample"]);
    assert_eq!(decorated(place(0, 0), all, false), ["Location 3", "Invariant"]);
}

/// A resource, an input and an output.
fn with_resource(name: &str) -> Function {
    let mut s = Shader::new(Stage::Fragment);
    let place = Place::Location { location: 0, component: 0, index: 0 };
    let decorations = InterfaceDecorations::default();
    let colour = s.b.var(VarKind::Input { ty: F32X4, array: None, place, decorations }, name);
    let unused = s.b.var(VarKind::Input { ty: F32X2, array: None, place, decorations }, name);
    s.places = 1;
    let descriptor = s.descriptor(Count::One);
    let buffer = s.b.var(VarKind::UniformBuffer { element: F32X4, len: 2, descriptor }, "");
    let one = s.b.u32(1);
    let value = s.b.load_constant(F32X4, Flags::NONE, colour, &[]);
    let factor = s.b.load_constant(F32X4, Flags::NONE, buffer, &[one]);
    let product = s.b.op(Op::FMul, F32X4, &[value, factor]);
    s.b.load_constant(F32X2, Flags::NONE, unused, &[]);
    s.sink(product);
    s.finish()
}

#[test]
fn the_entry_point_lists_every_variable_from_1_4_on() {
    let function = with_resource("");
    for (target, expected) in TARGETS.into_iter().zip([2, 3, 3]) {
        let written = write(&function, target);
        assert_eq!(written.module.entry_points[0].operands[3..].len(), expected, "{target:?}");
        assert_eq!(written.count(S::Variable), 3);
    }
}

#[test]
fn names_are_written_where_there_are_any() {
    assert_eq!(write(&with_resource(""), Target::Vulkan13).count(S::Name), 0);
    let written = write(&with_resource("COLOR0"), Target::Vulkan13);
    let name = written.find(S::Name)[0];
    assert_eq!(name.operands[1].unwrap_literal_string(), "COLOR0");
    assert_eq!(written.count(S::Name), 1, "the unused one is not there");
}

#[test]
fn the_header_has_the_version_and_the_bound() {
    for (target, version) in TARGETS.into_iter().zip([0x0001_0300, 0x0001_0500, 0x0001_0600]) {
        let written = write(&with_resource(""), target);
        assert_eq!(written.words[..3], [0x0723_0203, version, 0]);
        written.assert_compact();
    }
}

#[test]
fn equal_constants_are_one() {
    let mut s = Shader::new(Stage::Fragment);
    // The form's constant 1 and the writer's own (the length of an array of one).
    let mask = Place::BuiltIn(BuiltIn::SampleMask);
    let var = s.b.var(
        VarKind::Input {
            ty: Type::U32,
            array: Some(1),
            place: mask,
            decorations: InterfaceDecorations { flat: true, ..Default::default() },
        },
        "",
    );
    let (zero, one) = (s.b.u32(0), s.b.u32(1));
    let loaded = s.b.load_constant(Type::U32, Flags::NONE, var, &[zero]);
    let sum = s.b.op(Op::IAdd, Type::U32, &[loaded, one]);
    s.sink(sum);
    let written = write(&s.finish(), Target::Vulkan13);
    assert_eq!(written.count(S::Constant), 2);
}

#[test]
fn a_whole_module() {
    let written = write(&with_resource("c"), Target::Vulkan13);
    expect![[r#"
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %1 "main" %8 %15 %23
        OpExecutionMode %1 OriginUpperLeft
        OpName %8 "c"
        OpDecorate %8 Location 0
        OpDecorate %12 ArrayStride 16
        OpDecorate %13 Block
        OpMemberDecorate %13 0 Offset 0
        OpDecorate %15 DescriptorSet 0
        OpDecorate %15 Binding 0
        OpDecorate %23 Location 1
        %2 = OpTypeVoid
        %3 = OpTypeFunction %2
        %5 = OpTypeFloat 32
        %6 = OpTypeVector %5 4
        %7 = OpTypePointer Input %6
        %8 = OpVariable  %7  Input
        %10 = OpTypeInt 32 0
        %11 = OpConstant  %10  2
        %12 = OpTypeArray %6 %11
        %13 = OpTypeStruct %12
        %14 = OpTypePointer Uniform %13
        %15 = OpVariable  %14  Uniform
        %16 = OpTypePointer Uniform %6
        %17 = OpConstant  %10  0
        %19 = OpConstant  %10  1
        %22 = OpTypePointer Output %6
        %23 = OpVariable  %22  Output
        %1 = OpFunction  %2  None %3
        %4 = OpLabel
        %9 = OpLoad  %6  %8
        %18 = OpAccessChain  %16  %15 %17 %19
        %20 = OpLoad  %6  %18
        %21 = OpFMul  %6  %9 %20
        OpStore %23 %21
        OpReturn
        OpFunctionEnd
    "#]]
    .assert_eq(&written.text());
}
