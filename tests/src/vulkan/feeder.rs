//! Stages around the one that is tested, written as SPIR-V text: one that feeds its inputs, and (for vertex shaders) ones that catch its outputs.
//!
//! They are made for an interface, so that a test says values by semantic and knows no locations.

use rx_translate::interface::{Component, SignatureElement, StageInterface};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler};
use std::fmt::Write;

/// An element with a location.
struct Slot {
    name: String,
    location: u32,
    first: u32,
    width: u32,
    component: Component,
}

fn slots(elements: &[SignatureElement]) -> Vec<Slot> {
    let slot = |e: &SignatureElement| {
        let first = "xyzw".find(e.mask.chars().next()?)? as u32;
        let last = "xyzw".find(e.mask.chars().last()?)? as u32;
        Some(Slot {
            name: format!("{}{}", e.semantic.to_uppercase(), e.index),
            location: e.location?,
            first,
            width: last - first + 1,
            component: e.component,
        })
    };
    elements.iter().filter_map(slot).collect()
}

fn assemble(text: &str) -> Vec<u8> {
    let assembler = assembler::create(Some(TargetEnv::Vulkan_1_3));
    let binary = assembler.assemble(text, assembler::AssemblerOptions::default());
    let binary = binary.unwrap_or_else(|e| panic!("{e}\n{text}"));
    AsRef::<[u32]>::as_ref(&binary).iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Types that the stages share.
const TYPES: &str = "%void = OpTypeVoid
%entry = OpTypeFunction %void
%f = OpTypeFloat 32
%u = OpTypeInt 32 0
%i = OpTypeInt 32 1
%f2 = OpTypeVector %f 2
%f3 = OpTypeVector %f 3
%f4 = OpTypeVector %f 4
%u2 = OpTypeVector %u 2
%u3 = OpTypeVector %u 3
%u4 = OpTypeVector %u 4
%i2 = OpTypeVector %i 2
%i3 = OpTypeVector %i 3
%i4 = OpTypeVector %i 4
%f0 = OpConstant %f 0
%f1 = OpConstant %f 1
%u0 = OpConstant %u 0
%u1 = OpConstant %u 1
%i0 = OpConstant %i 0
%i1 = OpConstant %i 1
";

fn scalar_name(component: Component) -> char {
    match component {
        Component::Float | Component::Double => 'f',
        Component::Uint => 'u',
        Component::Sint => 'i',
    }
}

fn type_name(component: Component, width: u32) -> String {
    let scalar = scalar_name(component);
    if width == 1 { format!("%{scalar}") } else { format!("%{scalar}{width}") }
}

/// DXGI's 128-bit format of a component type.
pub fn wide_format(component: Component) -> u32 {
    match component {
        Component::Float | Component::Double => 2,
        Component::Uint => 3,
        Component::Sint => 4,
    }
}

/// A vertex shader that gives the next stage each of its inputs from an attribute of four components, named by semantic
/// and index (`TEXCOORD0`, with index 0), and the position from the attribute `POSITION`.
pub fn feed(next: &StageInterface) -> Vec<u8> {
    let slots = slots(&next.inputs);
    let mut names = String::from("%position %out_position");
    let mut debug = String::from("OpName %position \"POSITION\"\n");
    let mut decorations = String::from("OpDecorate %position Location 0\nOpDecorate %out_position BuiltIn Position\n");
    let mut variables = String::from(
        "%f4_in = OpTypePointer Input %f4\n%f4_out = OpTypePointer Output %f4\n%position = OpVariable %f4_in Input\n\
         %out_position = OpVariable %f4_out Output\n",
    );
    let mut code = String::from("%p = OpLoad %f4 %position\nOpStore %out_position %p\n");
    for (n, slot) in slots.iter().enumerate() {
        let Slot { name, location, first, width, component } = slot;
        let (full, part) = (type_name(*component, 4), type_name(*component, *width));
        let _ = write!(names, " %in{n} %out{n}");
        let _ = writeln!(debug, "OpName %in{n} \"{name}\"");
        let _ = writeln!(decorations, "OpDecorate %in{n} Location {}", n + 1);
        let _ = writeln!(decorations, "OpDecorate %out{n} Location {location}\nOpDecorate %out{n} Component {first}");
        let _ = writeln!(variables, "%tin{n} = OpTypePointer Input {full}\n%in{n} = OpVariable %tin{n} Input");
        let _ = writeln!(variables, "%tout{n} = OpTypePointer Output {part}\n%out{n} = OpVariable %tout{n} Output");
        let _ = writeln!(code, "%l{n} = OpLoad {full} %in{n}");
        let lanes: Vec<_> = (*first..first + width).map(|c| c.to_string()).collect();
        let _ = match width {
            1 => writeln!(code, "%v{n} = OpCompositeExtract {part} %l{n} {first}"),
            _ => writeln!(code, "%v{n} = OpVectorShuffle {part} %l{n} %l{n} {}", lanes.join(" ")),
        };
        let _ = writeln!(code, "OpStore %out{n} %v{n}");
    }
    assemble(&format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" {names}\n{debug}{decorations}\
         {TYPES}{}%main = OpFunction %void None %entry\n%start = OpLabel\n{code}OpReturn\nOpFunctionEnd\n",
        unique_pointers(&variables)
    ))
}

/// SPIR-V wants each type declared once: a pointer to the same type is an alias of the first.
fn unique_pointers(variables: &str) -> String {
    let mut seen: Vec<(String, String)> = Vec::new();
    let mut kept = String::new();
    for line in variables.lines() {
        let mut line = line.to_owned();
        if let Some((name, definition)) = line.split_once(" = OpTypePointer ") {
            let known = seen.iter().any(|(_, d)| d == definition);
            seen.push((name.to_owned(), definition.to_owned()));
            if known {
                continue;
            }
        } else if let Some((result, rest)) = line.split_once(" = OpVariable ") {
            let (ty, class) = rest.split_once(' ').unwrap_or((rest, ""));
            let definition = seen.iter().find(|(n, _)| n == ty).map(|(_, d)| d.clone());
            let first = definition.and_then(|d| seen.iter().find(|(_, other)| *other == d).map(|(n, _)| n.clone()));
            line = format!("{result} = OpVariable {} {class}", first.unwrap_or_else(|| ty.to_owned()));
        }
        kept.push_str(&line);
        kept.push('\n');
    }
    kept
}
