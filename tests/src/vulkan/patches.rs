//! Tessellation stages around the one that is tested, as SPIR-V text: a domain shader that streams out what a hull
//! shader gives, a hull shader that feeds a domain shader. Triangles only.

use super::feeder::{Slot, TYPES, assemble, slots, type_name, unique_types, varyings};
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
    let elements = slots(&hull.outputs);
    let catches = |slot: &Slot, value: String| Caught {
        code: String::new(),
        value: format!("%{value}"),
        component: slot.component,
        width: slot.width,
    };
    let _ = write!(names, " %point");
    decorations.push_str("OpDecorate %point BuiltIn Position\n");
    variables.push_str(
        "%all = OpTypeArray %f4 %most\n%pall = OpTypePointer Input %all\n%point = OpVariable %pall Input\n\
         %one = OpTypePointer Input %f4\n",
    );
    let varying = varyings(&elements);
    for (v, own) in varying.iter().enumerate() {
        let part = own.ty();
        let _ = write!(names, " %point{v}");
        let _ = writeln!(decorations, "OpDecorate %point{v} Location {}", own.location);
        let _ = writeln!(decorations, "OpDecorate %point{v} Component {}", own.first);
        let _ = writeln!(variables, "%all{v} = OpTypeArray {part} %most\n%pall{v} = OpTypePointer Input %all{v}");
        let _ = writeln!(variables, "%point{v} = OpVariable %pall{v} Input\n%one{v} = OpTypePointer Input {part}");
    }
    for point in 0..points {
        let _ = writeln!(variables, "%k{point} = OpConstant %u {point}");
        let _ = writeln!(code, "%a{point} = OpAccessChain %one %point %k{point}\n%v{point} = OpLoad %f4 %a{point}");
        caught.push(catches(&Slot::position(), format!("v{point}")));
        for (v, own) in varying.iter().enumerate() {
            let name = format!("{point}_{v}");
            let _ = writeln!(code, "%a{name} = OpAccessChain %one{v} %point{v} %k{point}");
            let _ = writeln!(code, "%g{name} = OpLoad {} %a{name}", own.ty());
            for &n in &own.slots {
                code.push_str(&own.take(&format!("%g{name}"), &elements, n, &format!("e{point}_{n}")));
            }
        }
        caught.extend(elements.iter().enumerate().map(|(n, slot)| catches(slot, format!("e{point}_{n}"))));
    }
    let constants = slots(&hull.patch_constants);
    for (v, own) in varyings(&constants).iter().enumerate() {
        let part = own.ty();
        let _ = write!(names, " %patch{v}");
        let _ = writeln!(decorations, "OpDecorate %patch{v} Location {}\nOpDecorate %patch{v} Patch", own.location);
        let _ = writeln!(decorations, "OpDecorate %patch{v} Component {}", own.first);
        let _ = writeln!(variables, "%tpatch{v} = OpTypePointer Input {part}\n%patch{v} = OpVariable %tpatch{v} Input");
        let _ = writeln!(code, "%gpatch{v} = OpLoad {part} %patch{v}");
        for &n in &own.slots {
            code.push_str(&own.take(&format!("%gpatch{v}"), &constants, n, &format!("vpatch{n}")));
        }
    }
    caught.extend(constants.iter().enumerate().map(|(n, slot)| catches(slot, format!("vpatch{n}"))));
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
    for (n, own) in varyings(&slots(&domain.inputs)).iter().enumerate() {
        let part = own.ty();
        let _ = write!(names, " %in{n} %out{n}");
        for side in ["in", "out"] {
            let _ = writeln!(decorations, "OpDecorate %{side}{n} Location {}", own.location);
            let _ = writeln!(decorations, "OpDecorate %{side}{n} Component {}", own.first);
        }
        let _ = writeln!(variables, "%ain{n} = OpTypeArray {part} %most\n%pain{n} = OpTypePointer Input %ain{n}");
        let _ = writeln!(variables, "%in{n} = OpVariable %pain{n} Input\n%ein{n} = OpTypePointer Input {part}");
        let _ = writeln!(variables, "%aout{n} = OpTypeArray {part} %three\n%paout{n} = OpTypePointer Output %aout{n}");
        let _ = writeln!(variables, "%out{n} = OpVariable %paout{n} Output\n%eout{n} = OpTypePointer Output {part}");
        let _ = writeln!(code, "%from{n} = OpAccessChain %ein{n} %in{n} %point\n%value{n} = OpLoad {part} %from{n}");
        let _ = writeln!(code, "%to{n} = OpAccessChain %eout{n} %out{n} %point\nOpStore %to{n} %value{n}");
    }
    let constants = slots(&domain.patch_constants);
    for (n, slot) in constants.iter().enumerate() {
        let components: Vec<_> = (0..slot.width).map(|c| format!("%c{n}_{c}")).collect();
        for (c, name) in components.iter().enumerate() {
            let _ = writeln!(variables, "{name} = OpConstant %f {}", n as f32 + c as f32 * 0.1);
        }
        let value = components.join(" ");
        let _ = match slot.width {
            1 => writeln!(code, "%v{n} = OpCopyObject %f {value}"),
            _ => writeln!(code, "%v{n} = OpCompositeConstruct {} {value}", slot.ty()),
        };
    }
    for (v, own) in varyings(&constants).iter().enumerate() {
        let part = own.ty();
        let _ = write!(names, " %patch{v}");
        let _ = writeln!(decorations, "OpDecorate %patch{v} Location {}\nOpDecorate %patch{v} Patch", own.location);
        let _ = writeln!(decorations, "OpDecorate %patch{v} Component {}", own.first);
        let _ =
            writeln!(variables, "%tpatch{v} = OpTypePointer Output {part}\n%patch{v} = OpVariable %tpatch{v} Output");
        code.push_str(&own.join(&constants, "v", &format!("all{v}")));
        let _ = writeln!(code, "OpStore %patch{v} %all{v}");
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
