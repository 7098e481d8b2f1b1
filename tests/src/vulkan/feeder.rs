//! Stages around the one that is tested, written as SPIR-V text: one that feeds its inputs, and (for vertex shaders) ones that catch its outputs.
//!
//! They are made for an interface, so that a test says values by semantic and knows no locations.

use rx_translate::interface::{Component, SignatureElement, StageInterface};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler};
use std::fmt::Write;

/// An element with a location.
pub(super) struct Slot {
    pub name: String,
    pub location: u32,
    pub first: u32,
    pub width: u32,
    pub component: Component,
}

pub(super) fn slots(elements: &[SignatureElement]) -> Vec<Slot> {
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

pub(super) fn assemble(text: &str) -> Vec<u8> {
    let assembler = assembler::create(Some(TargetEnv::Vulkan_1_3));
    let binary = assembler.assemble(text, assembler::AssemblerOptions::default());
    let binary = binary.unwrap_or_else(|e| panic!("{e}\n{text}"));
    AsRef::<[u32]>::as_ref(&binary).iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Types that the stages share.
pub(super) const TYPES: &str = "%void = OpTypeVoid
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

pub(super) fn type_name(component: Component, width: u32) -> String {
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

/// The parts of a shader's text that grow by element.
#[derive(Default)]
struct Text {
    capabilities: String,
    names: String,
    debug: String,
    decorations: String,
    variables: String,
    code: String,
}

/// A vertex shader that gives the next stage each of its inputs from an attribute of four components, named by semantic
/// and index (`TEXCOORD0`, with index 0), and the position from the attribute `POSITION`.
pub fn feed(next: &StageInterface) -> Vec<u8> {
    let mut text = Text {
        names: String::from("%position %out_position"),
        debug: String::from("OpName %position \"POSITION\"\n"),
        decorations: String::from("OpDecorate %position Location 0\nOpDecorate %out_position BuiltIn Position\n"),
        variables: String::from(
            "%f4_in = OpTypePointer Input %f4\n%f4_out = OpTypePointer Output %f4\n\
             %position = OpVariable %f4_in Input\n%out_position = OpVariable %f4_out Output\n",
        ),
        code: String::from("%p = OpLoad %f4 %position\nOpStore %out_position %p\n"),
        ..Text::default()
    };
    let slots = slots(&next.inputs);
    slots.iter().enumerate().for_each(|(n, slot)| feed_slot(&mut text, n, slot));
    feed_distances(&mut text, &next.inputs, slots.len());
    let (variables, code) = unique_types(&text.variables, &text.code);
    let Text { capabilities, names, debug, decorations, .. } = text;
    assemble(&format!(
        "OpCapability Shader\n{capabilities}OpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" {names}\n\
         {debug}{decorations}{TYPES}{variables}%main = OpFunction %void None %entry\n%start = OpLabel\n{code}OpReturn\n\
         OpFunctionEnd\n"
    ))
}

/// Attribute `n` and what is made of it.
fn feed_slot(text: &mut Text, n: usize, slot: &Slot) {
    let Slot { name, location, first, width, component } = slot;
    let (full, part) = (type_name(*component, 4), type_name(*component, *width));
    let _ = write!(text.names, " %in{n} %out{n}");
    let _ = writeln!(text.debug, "OpName %in{n} \"{name}\"");
    let decorations = &mut text.decorations;
    let _ = writeln!(decorations, "OpDecorate %in{n} Location {}", n + 1);
    let _ = writeln!(decorations, "OpDecorate %out{n} Location {location}\nOpDecorate %out{n} Component {first}");
    let variables = &mut text.variables;
    let _ = writeln!(variables, "%tin{n} = OpTypePointer Input {full}\n%in{n} = OpVariable %tin{n} Input");
    let _ = writeln!(variables, "%tout{n} = OpTypePointer Output {part}\n%out{n} = OpVariable %tout{n} Output");
    let code = &mut text.code;
    let _ = writeln!(code, "%l{n} = OpLoad {full} %in{n}");
    let lanes: Vec<_> = (*first..first + width).map(|c| c.to_string()).collect();
    let _ = match width {
        1 => writeln!(code, "%v{n} = OpCompositeExtract {part} %l{n} {first}"),
        _ => writeln!(code, "%v{n} = OpVectorShuffle {part} %l{n} %l{n} {}", lanes.join(" ")),
    };
    let _ = writeln!(code, "OpStore %out{n} %v{n}");
}

/// Clip and cull distances, from attributes of their own after the others; `next` is the number of those.
fn feed_distances(text: &mut Text, inputs: &[SignatureElement], mut next: usize) {
    for kind in ["ClipDistance", "CullDistance"] {
        let semantic = format!("SV_{kind}");
        let of_kind: Vec<_> = inputs.iter().filter(|e| e.semantic.eq_ignore_ascii_case(&semantic)).collect();
        let all: usize = of_kind.iter().map(|e| e.mask.len()).sum();
        if all == 0 {
            continue;
        }
        let _ = writeln!(text.capabilities, "OpCapability {kind}");
        let _ = write!(text.names, " %{kind}");
        let _ = writeln!(text.decorations, "OpDecorate %{kind} BuiltIn {kind}");
        let variables = &mut text.variables;
        let _ = writeln!(variables, "%n{kind} = OpConstant %u {all}\n%a{kind} = OpTypeArray %f %n{kind}");
        let _ = writeln!(variables, "%p{kind} = OpTypePointer Output %a{kind}\n%{kind} = OpVariable %p{kind} Output");
        let mut at = 0;
        for element in of_kind {
            let name = format!("{}{}", element.semantic.to_uppercase(), element.index);
            let _ = write!(text.names, " %in{next}");
            let _ = writeln!(text.debug, "OpName %in{next} \"{name}\"");
            let _ = writeln!(text.decorations, "OpDecorate %in{next} Location {}", next + 1);
            let _ = writeln!(text.variables, "%in{next} = OpVariable %f4_in Input");
            let _ = writeln!(text.code, "%l{next} = OpLoad %f4 %in{next}");
            for c in 0..element.mask.len() {
                let _ = writeln!(
                    text.variables,
                    "%c{next}_{c} = OpConstant %u {at}\n%e{next}_{c} = OpTypePointer Output %f"
                );
                let _ = writeln!(text.code, "%x{next}_{c} = OpCompositeExtract %f %l{next} {c}");
                let _ = writeln!(text.code, "%y{next}_{c} = OpAccessChain %e{next}_{c} %{kind} %c{next}_{c}");
                let _ = writeln!(text.code, "OpStore %y{next}_{c} %x{next}_{c}");
                at += 1;
            }
            next += 1;
        }
    }
}

/// SPIR-V wants each type declared once: of equal definitions the first is kept, and its name stands for the others.
pub(super) fn unique_types(declarations: &str, code: &str) -> (String, String) {
    let mut first: Vec<(String, String)> = Vec::new();
    let mut renamed: Vec<(String, String)> = Vec::new();
    let mut kept = String::new();
    let rename = |line: &str, renamed: &[(String, String)]| -> String {
        let word =
            |word: &str| renamed.iter().find(|(from, _)| from == word).map_or(word.to_owned(), |(_, to)| to.clone());
        line.split(' ').map(word).collect::<Vec<_>>().join(" ")
    };
    for line in declarations.lines() {
        let line = rename(line, &renamed);
        if let Some((name, definition)) = line.split_once(" = OpType") {
            if let Some((known, _)) = first.iter().find(|(_, d)| d == definition) {
                renamed.push((name.to_owned(), known.clone()));
                continue;
            }
            first.push((name.to_owned(), definition.to_owned()));
        }
        kept.push_str(&line);
        kept.push('\n');
    }
    let code = code.lines().map(|line| rename(line, &renamed) + "\n").collect();
    (kept, code)
}

/// A geometry shader after a vertex shader whose outputs are to be caught: one point a vertex, at the pixel of the
/// vertex's number among `count` in a row, with the position and every output as bits; and the pixel shader that writes
/// them to the targets, the position to the first.
pub fn catch(vertex: &StageInterface, count: u32) -> (Vec<u8>, Vec<u8>) {
    let slots = slots(&vertex.outputs);
    (catching_geometry(&slots, count), catching_pixel(slots.len() + 1))
}

fn catching_geometry(slots: &[Slot], count: u32) -> Vec<u8> {
    let mut names = String::new();
    let mut decorations = String::new();
    let mut variables = String::new();
    let mut code = String::new();
    let position = Slot { name: String::new(), location: 0, first: 0, width: 4, component: Component::Float };
    for (n, slot) in std::iter::once(&position).chain(slots).enumerate() {
        let part = type_name(slot.component, slot.width);
        let _ = write!(names, " %in{n} %out{n}");
        let _ = match n {
            0 => writeln!(decorations, "OpDecorate %in0 BuiltIn Position"),
            _ => writeln!(
                decorations,
                "OpDecorate %in{n} Location {}\nOpDecorate %in{n} Component {}",
                slot.location, slot.first
            ),
        };
        let _ = writeln!(decorations, "OpDecorate %out{n} Location {n}\nOpDecorate %out{n} Flat");
        let _ = writeln!(variables, "%array{n} = OpTypeArray {part} %u1\n%tin{n} = OpTypePointer Input %array{n}");
        let _ = writeln!(variables, "%in{n} = OpVariable %tin{n} Input\n%element{n} = OpTypePointer Input {part}");
        let _ = writeln!(variables, "%out{n} = OpVariable %u4_out Output");
        let _ = writeln!(code, "%at{n} = OpAccessChain %element{n} %in{n} %u0\n%value{n} = OpLoad {part} %at{n}");
        code.push_str(&as_bits(n, slot));
    }
    let (variables, code) = unique_types(&variables, &code);
    assemble(&format!(
        "OpCapability Geometry\nOpCapability GeometryPointSize\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint Geometry %main \"main\" %id %place %size{names}\nOpExecutionMode %main Invocations 1\n\
         OpExecutionMode %main InputPoints\nOpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices 1\n\
         OpDecorate %id BuiltIn PrimitiveId\nOpDecorate %place BuiltIn Position\nOpDecorate %size BuiltIn PointSize\n\
         {decorations}{TYPES}%count = OpConstant %f {count}\n%half = OpConstant %f 0.5\n%two = OpConstant %f 2\n\
         %i_in = OpTypePointer Input %i\n%id = OpVariable %i_in Input\n%f4_out = OpTypePointer Output %f4\n\
         %place = OpVariable %f4_out Output\n%f_out = OpTypePointer Output %f\n%size = OpVariable %f_out Output\n\
         %u4_out = OpTypePointer Output %u4\n{variables}%main = OpFunction %void None %entry\n%start = OpLabel\n\
         %n = OpLoad %i %id\n%nf = OpConvertSToF %f %n\n%centre = OpFAdd %f %nf %half\n%part = OpFDiv %f %centre %count\n\
         %wide = OpFMul %f %part %two\n%x = OpFSub %f %wide %f1\n%p = OpCompositeConstruct %f4 %x %f0 %f0 %f1\n\
         OpStore %place %p\nOpStore %size %f1\n{code}OpEmitVertex\nOpEndPrimitive\nOpReturn\nOpFunctionEnd\n"
    ))
}

/// Stores a loaded value as four words, those that it lacks 0.
fn as_bits(n: usize, slot: &Slot) -> String {
    let mut code = String::new();
    let scalar = type_name(slot.component, 1);
    let mut parts = Vec::new();
    for c in 0..4 {
        if c >= slot.width {
            parts.push("%u0".to_owned());
            continue;
        }
        let mut part = format!("%value{n}");
        if slot.width > 1 {
            part = format!("%part{n}_{c}");
            let _ = writeln!(code, "{part} = OpCompositeExtract {scalar} %value{n} {c}");
        }
        if slot.component != Component::Uint {
            let bits = format!("%bits{n}_{c}");
            let _ = writeln!(code, "{bits} = OpBitcast %u {part}");
            part = bits;
        }
        parts.push(part);
    }
    let _ = writeln!(code, "%all{n} = OpCompositeConstruct %u4 {}\nOpStore %out{n} %all{n}", parts.join(" "));
    code
}

fn catching_pixel(targets: usize) -> Vec<u8> {
    let mut names = String::new();
    let mut decorations = String::new();
    let mut variables = String::from("%u4_in = OpTypePointer Input %u4\n%u4_out = OpTypePointer Output %u4\n");
    let mut code = String::new();
    for n in 0..targets {
        let _ = write!(names, " %in{n} %out{n}");
        let _ = writeln!(decorations, "OpDecorate %in{n} Location {n}\nOpDecorate %in{n} Flat");
        let _ = writeln!(decorations, "OpDecorate %out{n} Location {n}");
        let _ = writeln!(variables, "%in{n} = OpVariable %u4_in Input\n%out{n} = OpVariable %u4_out Output");
        let _ = writeln!(code, "%v{n} = OpLoad %u4 %in{n}\nOpStore %out{n} %v{n}");
    }
    assemble(&format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" {names}\n\
         OpExecutionMode %main OriginUpperLeft\n{decorations}{TYPES}{variables}%main = OpFunction %void None %entry\n\
         %start = OpLabel\n{code}OpReturn\nOpFunctionEnd\n"
    ))
}
