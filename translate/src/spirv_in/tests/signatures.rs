//! Inputs, outputs, patch constants, geometry and tessellation.

use super::{interface, module};
use crate::interface::{Component, Geometry, Interpolation, SignatureElement, StageInterface, Tessellation};

/// A module whose entry point lists variables.
fn listed(model: &str, variables: &str, decorations: &str, globals: &str) -> StageInterface {
    interface(&module(model, decorations, globals, "").replace("\"main\"", &format!("\"main\" {variables}")))
}

fn brief(elements: &[SignatureElement]) -> Vec<(&str, Option<u32>, &str, Component)> {
    elements.iter().map(|e| (e.semantic.as_str(), e.location, e.mask.as_str(), e.component)).collect()
}

#[test]
fn a_vertex_shaders_attributes_and_position() {
    let interface = listed(
        "Vertex",
        "%pos %uv %id %out %color",
        "OpName %pos \"position\"
        OpName %uv \"uv\"
        OpDecorate %pos Location 0
        OpDecorate %uv Location 3
        OpDecorate %id BuiltIn VertexIndex
        OpDecorate %out BuiltIn Position
        OpDecorate %color Location 1",
        "%p4i = OpTypePointer Input %v4f
        %p2i = OpTypePointer Input %v2u
        %pii = OpTypePointer Input %i32
        %p4o = OpTypePointer Output %v4f
        %p3o = OpTypePointer Output %v3f
        %uv = OpVariable %p2i Input
        %pos = OpVariable %p4i Input
        %id = OpVariable %pii Input
        %out = OpVariable %p4o Output
        %color = OpVariable %p3o Output
        %unlisted = OpVariable %p4i Input",
    );
    assert_eq!(
        brief(&interface.inputs),
        [
            ("position", Some(0), "xyzw", Component::Float),
            ("uv", Some(3), "xy", Component::Uint),
            ("VertexIndex", None, "x", Component::Sint)
        ]
    );
    assert_eq!(
        brief(&interface.outputs),
        [("", Some(1), "xyz", Component::Float), ("Position", None, "xyzw", Component::Float)]
    );
    assert_eq!(interface.inputs[1].register, Some(3));
    assert_eq!(interface.inputs[0].interpolation, None);
}

#[test]
fn components_share_a_location_in_order() {
    let interface = listed(
        "Vertex",
        "%b %a",
        "OpDecorate %a Location 2
        OpDecorate %b Location 2
        OpDecorate %b Component 2",
        "%p = OpTypePointer Input %v2f
        %b = OpVariable %p Input
        %a = OpVariable %p Input",
    );
    let masks: Vec<&str> = interface.inputs.iter().map(|e| e.mask.as_str()).collect();
    assert_eq!(masks, ["xy", "zw"]);
}

#[test]
fn matrices_arrays_and_doubles_take_several_locations() {
    let interface = listed(
        "Vertex",
        "%m %a %d %after",
        "OpDecorate %m Location 0
        OpDecorate %a Location 4
        OpDecorate %d Location 7",
        "%m4 = OpTypeMatrix %v4f 4
        %a3 = OpTypeArray %v2f %c3
        %v3d = OpTypeVector %f64 3
        %st = OpTypeStruct %v3d %f32
        %pm = OpTypePointer Input %m4
        %pa = OpTypePointer Input %a3
        %pd = OpTypePointer Input %st
        %m = OpVariable %pm Input
        %a = OpVariable %pa Input
        %d = OpVariable %pd Input",
    );
    let places: Vec<(Option<u32>, &str)> = interface.inputs.iter().map(|e| (e.location, e.mask.as_str())).collect();
    let column = |n| (Some(n), "xyzw");
    // A dvec3 takes locations 7 and 8, so the float after it stands at 9.
    let rest = [(Some(4), "xy"), (Some(5), "xy"), (Some(6), "xy"), (Some(7), "xyz"), (Some(9), "x")];
    assert_eq!(places, [&[column(0), column(1), column(2), column(3)][..], &rest].concat());
    assert_eq!(interface.inputs[7].component, Component::Double);
}

#[test]
fn a_block_gives_its_members() {
    let interface = listed(
        "Fragment",
        "%in",
        "OpMemberName %block 0 \"normal\"
        OpMemberName %block 1 \"id\"
        OpDecorate %block Block
        OpDecorate %in Location 5
        OpMemberDecorate %block 1 Flat",
        "%block = OpTypeStruct %v3f %u32
        %p = OpTypePointer Input %block
        %in = OpVariable %p Input",
    );
    assert_eq!(
        brief(&interface.inputs),
        [("normal", Some(5), "xyz", Component::Float), ("id", Some(6), "x", Component::Uint)]
    );
    let how: Vec<_> = interface.inputs.iter().map(|e| e.interpolation).collect();
    assert_eq!(how, [Some(Interpolation::Linear), Some(Interpolation::Constant)]);
}

#[test]
fn interpolation_of_fragment_inputs() {
    let cases = [
        ("", Interpolation::Linear),
        ("Flat", Interpolation::Constant),
        ("Centroid", Interpolation::LinearCentroid),
        ("Sample", Interpolation::LinearSample),
        ("NoPerspective", Interpolation::LinearNoperspective),
        ("NoPerspective Centroid", Interpolation::LinearNoperspectiveCentroid),
        ("NoPerspective Sample", Interpolation::LinearNoperspectiveSample),
    ];
    for (decorations, expected) in cases {
        let lines: String = decorations.split_whitespace().map(|d| format!("OpDecorate %in {d}\n")).collect();
        let interface = listed(
            "Fragment",
            "%in %out",
            &format!("OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %out Index 1\n{lines}"),
            "%p = OpTypePointer Input %v4f
            %q = OpTypePointer Output %v4f
            %in = OpVariable %p Input
            %out = OpVariable %q Output",
        );
        assert_eq!(interface.inputs[0].interpolation, Some(expected), "{decorations}");
        assert_eq!((interface.outputs[0].interpolation, interface.outputs[0].index), (None, 1));
    }
}

#[test]
fn a_tessellation_control_shader() {
    let interface = listed(
        "TessellationControl",
        "%in %out %patch %outer %id",
        "OpExecutionMode %main OutputVertices 4
        OpExecutionMode %main Quads
        OpExecutionMode %main SpacingFractionalOdd
        OpExecutionMode %main VertexOrderCw
        OpDecorate %in Location 0
        OpDecorate %out Location 1
        OpDecorate %patch Location 2
        OpDecorate %patch Patch
        OpDecorate %outer BuiltIn TessLevelOuter
        OpDecorate %outer Patch
        OpDecorate %id BuiltIn InvocationId",
        "%in3 = OpTypeArray %v4f %c3
        %out4 = OpTypeArray %v2f %c4
        %f4 = OpTypeArray %f32 %c4
        %pin = OpTypePointer Input %in3
        %pout = OpTypePointer Output %out4
        %ppatch = OpTypePointer Output %v3f
        %pouter = OpTypePointer Output %f4
        %pid = OpTypePointer Input %i32
        %in = OpVariable %pin Input
        %out = OpVariable %pout Output
        %patch = OpVariable %ppatch Output
        %outer = OpVariable %pouter Output
        %id = OpVariable %pid Input",
    );
    assert_eq!(
        interface.tessellation,
        Some(Tessellation {
            domain: String::from("quad"),
            partitioning: Some(String::from("fractional_odd")),
            output_primitive: Some(String::from("triangle_cw")),
            input_control_points: 3,
            output_control_points: 4,
        })
    );
    assert_eq!(
        brief(&interface.inputs),
        [("", Some(0), "xyzw", Component::Float), ("InvocationId", None, "x", Component::Sint)]
    );
    assert_eq!(brief(&interface.outputs), [("", Some(1), "xy", Component::Float)]);
    assert_eq!(
        brief(&interface.patch_constants),
        [("", Some(2), "xyz", Component::Float), ("TessLevelOuter", None, "xyzw", Component::Float)]
    );
}

#[test]
fn a_tessellation_evaluation_shader() {
    let interface = listed(
        "TessellationEvaluation",
        "%in %patch %coord %out",
        "OpExecutionMode %main Isolines
        OpExecutionMode %main SpacingEqual
        OpDecorate %in Location 0
        OpDecorate %patch Location 1
        OpDecorate %patch Patch
        OpDecorate %coord BuiltIn TessCoord
        OpDecorate %out Location 0",
        "%n = OpConstant %u32 32
        %in32 = OpTypeArray %v4f %n
        %pin = OpTypePointer Input %in32
        %p3 = OpTypePointer Input %v3f
        %pout = OpTypePointer Output %v2f
        %in = OpVariable %pin Input
        %patch = OpVariable %p3 Input
        %coord = OpVariable %p3 Input
        %out = OpVariable %pout Output",
    );
    // How many points a patch has stands at the control stage.
    assert_eq!(
        interface.tessellation,
        Some(Tessellation {
            domain: String::from("isoline"),
            partitioning: Some(String::from("integer")),
            output_primitive: Some(String::from("line")),
            input_control_points: 0,
            output_control_points: 0,
        })
    );
    assert_eq!(
        brief(&interface.inputs),
        [("", Some(0), "xyzw", Component::Float), ("TessCoord", None, "xyz", Component::Float)]
    );
    assert_eq!(brief(&interface.outputs), [("", Some(0), "xy", Component::Float)]);
    assert_eq!(brief(&interface.patch_constants), [("", Some(1), "xyz", Component::Float)]);
}

#[test]
fn a_geometry_shader_with_two_streams() {
    let interface = listed(
        "Geometry",
        "%in %a %b",
        "OpExecutionMode %main Triangles
        OpExecutionMode %main OutputPoints
        OpExecutionMode %main OutputVertices 6
        OpExecutionMode %main Invocations 2
        OpDecorate %in Location 0
        OpDecorate %a Location 0
        OpDecorate %a Stream 0
        OpDecorate %b Location 0
        OpDecorate %b Stream 2",
        "%in3 = OpTypeArray %v4f %c3
        %pin = OpTypePointer Input %in3
        %p = OpTypePointer Output %v4f
        %in = OpVariable %pin Input
        %a = OpVariable %p Output
        %b = OpVariable %p Output",
    );
    assert_eq!(
        interface.geometry,
        Some(Geometry {
            input_primitive: String::from("triangle"),
            output_topology: String::from("point"),
            max_vertices: 6,
            instances: 2,
            streams: 0b101,
        })
    );
    assert_eq!(brief(&interface.inputs), [("", Some(0), "xyzw", Component::Float)]);
    assert_eq!(interface.outputs.iter().map(|e| e.stream).collect::<Vec<_>>(), [0, 2]);
}
