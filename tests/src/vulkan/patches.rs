//! Tessellation stages around the one that is tested, as SPIR-V text: a domain shader that streams out what a hull
//! shader gives, a hull shader that feeds a domain shader. Triangles only.

use super::feeder::{Slot, TYPES, assemble, slots, type_name, unique_types};
use rx_translate::interface::{Component, StageInterface};
use std::fmt::Write;

/// Points of a patch that Vulkan declares for a stage that does not know their number.
const MOST_POINTS: u32 = 32;

/// What [`catch_patch`] streams out for each vertex, four words each: the place in the patch and the first inner
/// factor; the four outer factors; for each control point its position and its elements; each patch constant.
pub fn words_of_patch(hull: &StageInterface, points: u32) -> usize {
    let elements = 1 + slots(&hull.outputs).len();
    4 * (2 + points as usize * elements + slots(&hull.patch_constants).len())
}

/// Something that is streamed out: code that loads it, the value's name, its components.
struct Caught {
    code: String,
    value: String,
    component: Component,
    width: u32,
}

/// A domain shader after a hull shader of `points` control points, which streams out what it gets.
pub fn catch_patch(hull: &StageInterface, points: u32) -> Vec<u8> {
    let mut names = String::new();
    let mut decorations = String::new();
    let mut variables = String::new();
    let mut code = String::new();
    let mut caught = vec![place(), outer()];
    let position = Slot { name: String::new(), location: 0, first: 0, width: 4, component: Component::Float };
    let elements = slots(&hull.outputs);
    for (n, slot) in std::iter::once(&position).chain(&elements).enumerate() {
        let part = type_name(slot.component, slot.width);
        let _ = write!(names, " %point{n}");
        let _ = match n {
            0 => writeln!(decorations, "OpDecorate %point0 BuiltIn Position"),
            _ => writeln!(
                decorations,
                "OpDecorate %point{n} Location {}\nOpDecorate %point{n} Component {}",
                slot.location, slot.first
            ),
        };
        let _ = writeln!(variables, "%all{n} = OpTypeArray {part} %most\n%pall{n} = OpTypePointer Input %all{n}");
        let _ = writeln!(variables, "%point{n} = OpVariable %pall{n} Input\n%one{n} = OpTypePointer Input {part}");
    }
    for point in 0..points {
        for (n, slot) in std::iter::once(&position).chain(&elements).enumerate() {
            let part = type_name(slot.component, slot.width);
            let _ = writeln!(variables, "%k{point}_{n} = OpConstant %u {point}");
            let code = format!(
                "%a{point}_{n} = OpAccessChain %one{n} %point{n} %k{point}_{n}\n%v{point}_{n} = OpLoad {part} %a{point}_{n}\n"
            );
            let value = format!("%v{point}_{n}");
            caught.push(Caught { code, value, component: slot.component, width: slot.width });
        }
    }
    for (n, slot) in slots(&hull.patch_constants).iter().enumerate() {
        let part = type_name(slot.component, slot.width);
        let _ = write!(names, " %patch{n}");
        let _ = writeln!(decorations, "OpDecorate %patch{n} Location {}\nOpDecorate %patch{n} Patch", slot.location);
        let _ = writeln!(decorations, "OpDecorate %patch{n} Component {}", slot.first);
        let _ = writeln!(variables, "%tpatch{n} = OpTypePointer Input {part}\n%patch{n} = OpVariable %tpatch{n} Input");
        let code = format!("%vpatch{n} = OpLoad {part} %patch{n}\n");
        caught.push(Caught { code, value: format!("%vpatch{n}"), component: slot.component, width: slot.width });
    }
    let stride = 16 * caught.len();
    for (n, caught) in caught.iter().enumerate() {
        let _ = write!(names, " %out{n}");
        let _ = writeln!(decorations, "OpDecorate %out{n} Location {n}\nOpDecorate %out{n} XfbBuffer 0");
        let _ = writeln!(decorations, "OpDecorate %out{n} XfbStride {stride}\nOpDecorate %out{n} Offset {}", 16 * n);
        let _ = writeln!(variables, "%out{n} = OpVariable %u4_out Output");
        code.push_str(&caught.code);
        code.push_str(&stored(n, caught));
    }
    let (variables, code) = unique_types(&variables, &code);
    assemble(&format!(
        "OpCapability Tessellation\nOpCapability TransformFeedback\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint TessellationEvaluation %main \"main\" %place %outer %inner{names}\nOpExecutionMode %main Triangles\n\
         OpExecutionMode %main Xfb\nOpDecorate %place BuiltIn TessCoord\nOpDecorate %outer BuiltIn TessLevelOuter\n\
         OpDecorate %outer Patch\nOpDecorate %inner BuiltIn TessLevelInner\nOpDecorate %inner Patch\n\
         {decorations}{TYPES}%most = OpConstant %u {MOST_POINTS}\n{LEVELS_IN}%f3_in = OpTypePointer Input %f3\n\
         %place = OpVariable %f3_in Input\n%u4_out = OpTypePointer Output %u4\n{variables}\
         %main = OpFunction %void None %entry\n%start = OpLabel\n{code}OpReturn\nOpFunctionEnd\n"
    ))
}

/// The factors as inputs, and constants that index them.
const LEVELS_IN: &str = "%u2c = OpConstant %u 2
%u3c = OpConstant %u 3
%u4c = OpConstant %u 4
%four = OpTypeArray %f %u4c
%two = OpTypeArray %f %u2c
%four_in = OpTypePointer Input %four
%two_in = OpTypePointer Input %two
%f_in = OpTypePointer Input %f
%outer = OpVariable %four_in Input
%inner = OpVariable %two_in Input
";

fn place() -> Caught {
    let code = "%coordinates = OpLoad %f3 %place\n%pinner = OpAccessChain %f_in %inner %u0\n%vinner = OpLoad %f %pinner\n\
                %where = OpCompositeConstruct %f4 %coordinates %vinner\n";
    Caught { code: code.to_owned(), value: String::from("%where"), component: Component::Float, width: 4 }
}

fn outer() -> Caught {
    let mut code = String::new();
    for (n, index) in ["%u0", "%u1", "%u2c", "%u3c"].into_iter().enumerate() {
        let _ = writeln!(code, "%pouter{n} = OpAccessChain %f_in %outer {index}\n%vouter{n} = OpLoad %f %pouter{n}");
    }
    code.push_str("%louter = OpCompositeConstruct %f4 %vouter0 %vouter1 %vouter2 %vouter3\n");
    Caught { code, value: String::from("%louter"), component: Component::Float, width: 4 }
}

/// Stores a value as four words, those that it lacks 0.
fn stored(n: usize, caught: &Caught) -> String {
    let mut code = String::new();
    let scalar = type_name(caught.component, 1);
    let mut parts = Vec::new();
    for c in 0..4 {
        if c >= caught.width {
            parts.push(String::from("%u0"));
            continue;
        }
        let mut part = caught.value.clone();
        if caught.width > 1 {
            part = format!("%part{n}_{c}");
            let _ = writeln!(code, "{part} = OpCompositeExtract {scalar} {} {c}", caught.value);
        }
        if caught.component != Component::Uint {
            let _ = writeln!(code, "%bits{n}_{c} = OpBitcast %u {part}");
            part = format!("%bits{n}_{c}");
        }
        parts.push(part);
    }
    let _ = writeln!(code, "%words{n} = OpCompositeConstruct %u4 {}\nOpStore %out{n} %words{n}", parts.join(" "));
    code
}

/// A hull shader that passes three control points on to a domain shader, with factors (three outer, one inner) and, for
/// each patch constant in order, numbers that follow one another: the element's number, then its components' in tenths.
pub fn feed_patch(domain: &StageInterface, factors: [f32; 4]) -> Vec<u8> {
    let mut names = String::new();
    let mut decorations = String::new();
    let mut variables = String::new();
    let mut code = String::new();
    for (n, slot) in slots(&domain.inputs).iter().enumerate() {
        let part = type_name(slot.component, slot.width);
        let _ = write!(names, " %in{n} %out{n}");
        for side in ["in", "out"] {
            let _ = writeln!(decorations, "OpDecorate %{side}{n} Location {}", slot.location);
            let _ = writeln!(decorations, "OpDecorate %{side}{n} Component {}", slot.first);
        }
        let _ = writeln!(variables, "%ain{n} = OpTypeArray {part} %most\n%pain{n} = OpTypePointer Input %ain{n}");
        let _ = writeln!(variables, "%in{n} = OpVariable %pain{n} Input\n%ein{n} = OpTypePointer Input {part}");
        let _ = writeln!(variables, "%aout{n} = OpTypeArray {part} %three\n%paout{n} = OpTypePointer Output %aout{n}");
        let _ = writeln!(variables, "%out{n} = OpVariable %paout{n} Output\n%eout{n} = OpTypePointer Output {part}");
        let _ = writeln!(code, "%from{n} = OpAccessChain %ein{n} %in{n} %point\n%value{n} = OpLoad {part} %from{n}");
        let _ = writeln!(code, "%to{n} = OpAccessChain %eout{n} %out{n} %point\nOpStore %to{n} %value{n}");
    }
    for (n, slot) in slots(&domain.patch_constants).iter().enumerate() {
        let part = type_name(slot.component, slot.width);
        let _ = write!(names, " %patch{n}");
        let _ = writeln!(decorations, "OpDecorate %patch{n} Location {}\nOpDecorate %patch{n} Patch", slot.location);
        let _ = writeln!(decorations, "OpDecorate %patch{n} Component {}", slot.first);
        let components: Vec<_> = (0..slot.width).map(|c| format!("%c{n}_{c}")).collect();
        for (c, name) in components.iter().enumerate() {
            let _ = writeln!(variables, "{name} = OpConstant %f {}", n as f32 + c as f32 * 0.1);
        }
        let _ = writeln!(variables, "%v{n} = OpConstantComposite {part} {}", components.join(" "));
        let _ =
            writeln!(variables, "%tpatch{n} = OpTypePointer Output {part}\n%patch{n} = OpVariable %tpatch{n} Output");
        let _ = writeln!(code, "OpStore %patch{n} %v{n}");
    }
    for (n, factor) in factors.iter().enumerate() {
        let level = if n < 3 { "outer" } else { "inner" };
        let _ = writeln!(variables, "%at{n} = OpConstant %u {}\n%factor{n} = OpConstant %f {factor}", n % 3);
        let _ = writeln!(code, "%level{n} = OpAccessChain %f_out %{level} %at{n}\nOpStore %level{n} %factor{n}");
    }
    let (variables, code) = unique_types(&variables, &code);
    assemble(&format!(
        "OpCapability Tessellation\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint TessellationControl %main \"main\" %invocation %outer %inner{names}\n\
         OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\n\
         OpExecutionMode %main VertexOrderCw\nOpDecorate %invocation BuiltIn InvocationId\n\
         OpDecorate %outer BuiltIn TessLevelOuter\nOpDecorate %outer Patch\nOpDecorate %inner BuiltIn TessLevelInner\n\
         OpDecorate %inner Patch\n{decorations}{TYPES}%most = OpConstant %u {MOST_POINTS}\n%three = OpConstant %u 3\n\
         %u2c = OpConstant %u 2\n%u4c = OpConstant %u 4\n%four = OpTypeArray %f %u4c\n%two = OpTypeArray %f %u2c\n\
         %four_out = OpTypePointer Output %four\n%two_out = OpTypePointer Output %two\n%f_out = OpTypePointer Output %f\n\
         %outer = OpVariable %four_out Output\n%inner = OpVariable %two_out Output\n%i_in = OpTypePointer Input %i\n\
         %invocation = OpVariable %i_in Input\n{variables}%main = OpFunction %void None %entry\n%start = OpLabel\n\
         %point = OpLoad %i %invocation\n{code}OpReturn\nOpFunctionEnd\n"
    ))
}
