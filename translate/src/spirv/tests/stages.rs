//! Modes and interfaces of the geometry and tessellation stages.

use super::*;
use crate::ir::{
    BuiltIn, Capture, Domain, GeometryModes, InputPrimitive, OutputTopology, Partitioning, TessellationModes,
    TessellatorOutput,
};
use spirv::Op as S;

/// The modes as text, with their literals.
fn modes(function: &Function) -> Vec<String> {
    let written = write(function, Target::Vulkan13);
    let text = |inst: &Instruction| {
        let operands = inst.operands[1..].iter().map(|operand| format!("{operand}"));
        operands.collect::<Vec<_>>().join(" ")
    };
    written.module.execution_modes.iter().map(text).collect()
}

fn geometry(input: InputPrimitive, output: OutputTopology, capture: bool) -> Shader {
    let mut s = Shader::new(Stage::Geometry);
    s.b.modes().geometry = Some(GeometryModes { input, output, vertices: 6, invocations: 2 });
    s.b.modes().capture = capture;
    s
}

#[test]
fn a_geometry_shader_says_what_it_takes_and_makes() {
    use InputPrimitive as I;
    use OutputTopology as O;
    let rows = [
        (I::Point, O::Points, "InputPoints", "OutputPoints"),
        (I::Line, O::LineStrip, "InputLines", "OutputLineStrip"),
        (I::Triangle, O::TriangleStrip, "Triangles", "OutputTriangleStrip"),
        (I::LineAdjacency, O::Points, "InputLinesAdjacency", "OutputPoints"),
        (I::TriangleAdjacency, O::Points, "InputTrianglesAdjacency", "OutputPoints"),
    ];
    for (input, output, takes, makes) in rows {
        let expected = [takes, makes, "Invocations 2", "OutputVertices 6"];
        assert_eq!(modes(&geometry(input, output, false).finish()), expected);
    }
}

#[test]
fn tessellation_stages_say_how_they_divide() {
    use Domain as D;
    use Partitioning as P;
    use TessellatorOutput as T;
    let rows = [
        (D::Isoline, P::Integer, T::Line, vec!["Isolines", "SpacingEqual"]),
        (D::Quad, P::FractionalOdd, T::Point, vec!["Quads", "SpacingFractionalOdd", "PointMode"]),
        (
            D::Triangle,
            P::FractionalEven,
            T::TriangleClockwise,
            vec!["Triangles", "SpacingFractionalEven", "VertexOrderCw"],
        ),
        (D::Triangle, P::Integer, T::TriangleCounterClockwise, vec!["Triangles", "SpacingEqual", "VertexOrderCcw"]),
    ];
    for (domain, partitioning, output, mut expected) in rows {
        for stage in [Stage::TessellationEvaluation, Stage::TessellationControl] {
            let mut s = Shader::new(stage);
            let all = (Some(domain), Some(partitioning), Some(output));
            s.b.modes().tessellation =
                TessellationModes { domain: all.0, partitioning: all.1, output: all.2, control_points: 4 };
            if stage == Stage::TessellationControl {
                expected.push("OutputVertices 4");
            }
            assert_eq!(modes(&s.finish()), expected);
        }
    }
}

#[test]
fn an_input_of_a_primitive_has_an_outer_array() {
    let mut s = geometry(InputPrimitive::Triangle, OutputTopology::Points, false);
    let decorations = InterfaceDecorations { per_vertex: 3, ..Default::default() };
    let place = Place::BuiltIn(BuiltIn::ClipDistance);
    let var = s.b.var(VarKind::Input { ty: Type::F32, array: Some(2), place, decorations }, "");
    let (vertex, distance) = (s.b.u32(2), s.b.u32(1));
    let value = s.b.load_constant(Type::F32, Flags::NONE, var, &[vertex, distance]);
    s.sink(value);
    let written = write(&s.finish(), Target::Vulkan13);
    assert_eq!(written.capabilities(), ["Shader", "Geometry", "ClipDistance"]);
    let arrays = written.find(S::TypeArray);
    assert_eq!(arrays[1].operands[0].unwrap_id_ref(), arrays[0].result_id.unwrap());
    let length = |at: usize| written.def(arrays[at].operands[1].unwrap_id_ref()).operands[0].unwrap_literal_bit32();
    assert_eq!([length(0), length(1)], [2, 3]);
    assert_eq!(written.find(S::AccessChain)[0].operands.len(), 3);
}

#[test]
fn only_streams_beyond_the_first_are_named() {
    for stream in [0u8, 2] {
        let mut s = geometry(InputPrimitive::Point, OutputTopology::Points, true);
        let capture = Some(Capture { buffer: 1, stride: 32, offset: 16 });
        let decorations = InterfaceDecorations { stream, capture, ..Default::default() };
        let place = Place::Location { location: 0, component: 0, index: 0 };
        let var = s.b.var(VarKind::Output { ty: F32X4, array: None, place, decorations }, "");
        let one = s.b.f32(1.0);
        let ones = s.b.splat(one, 4);
        s.b.push(Op::Store, Type::VOID, Flags::NONE, var.0, &[ones]);
        s.b.push(Op::EmitVertex, Type::VOID, Flags::NONE, u32::from(stream), &[]);
        s.b.push(Op::EndPrimitive, Type::VOID, Flags::NONE, u32::from(stream), &[]);
        let function = s.finish();
        assert!(modes(&function).contains(&"Xfb".to_owned()));
        let written = write(&function, Target::Vulkan13);
        let named = usize::from(stream > 0);
        assert_eq!(written.count(S::EmitStreamVertex), named);
        assert_eq!(written.count(S::EndStreamPrimitive), named);
        assert_eq!(written.count(S::EmitVertex), 1 - named);
        assert_eq!(written.count(S::EndPrimitive), 1 - named);
        let mut expected = vec!["Location 0"];
        expected.extend((stream > 0).then_some("Stream 2"));
        expected.extend(["XfbBuffer 1", "XfbStride 32", "Offset 16"]);
        let variable = written.find(S::Variable)[0].result_id.unwrap();
        assert_eq!(written.decorations(variable), expected);
        assert_eq!(written.capabilities().contains(&"GeometryStreams".to_owned()), stream > 0);
    }
}
