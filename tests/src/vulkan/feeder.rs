//! Stages around the one that is tested, written as SPIR-V text: one that feeds its inputs, and (for vertex shaders) ones that catch its outputs.
//!
//! They are made for an interface, so that a test says values by semantic and knows no locations.

use rx_translate::interface::{Component, Interpolation, SignatureElement, StageInterface};
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
    pub interpolation: Option<Interpolation>,
}

impl Slot {
    /// The position, which has no location.
    pub(super) fn position() -> Slot {
        let component = Component::Float;
        Slot { name: String::new(), location: 0, first: 0, width: 4, component, interpolation: None }
    }

    pub(super) fn ty(&self) -> String {
        type_name(self.component, self.width)
    }
}

/// A variable between two stages, by the rule of docs/architecture.md: of the one element that begins at `x`, or of four
/// components for all elements of a location, of the kind of the lowest.
pub(super) struct Varying {
    pub location: u32,
    pub first: u32,
    pub width: u32,
    pub component: Component,
    /// Its elements, by their place among the slots.
    pub slots: Vec<usize>,
}

/// The variables of elements, in the order of each one's first.
pub(super) fn varyings(slots: &[Slot]) -> Vec<Varying> {
    let mut all: Vec<Varying> = Vec::new();
    for (n, slot) in slots.iter().enumerate() {
        let same: Vec<usize> = (0..slots.len()).filter(|&m| slots[m].location == slot.location).collect();
        let alike = same.iter().all(|&m| slots[m].interpolation == slot.interpolation);
        if !alike || (same.len() == 1 && slot.first == 0) {
            let Slot { location, first, width, component, .. } = *slot;
            all.push(Varying { location, first, width, component, slots: vec![n] });
        } else if same[0] == n {
            let lowest = same.iter().min_by_key(|&&m| slots[m].first).expect("the slot itself");
            let component = slots[*lowest].component;
            all.push(Varying { location: slot.location, first: 0, width: 4, component, slots: same });
        }
    }
    all
}

impl Varying {
    pub(super) fn ty(&self) -> String {
        type_name(self.component, self.width)
    }

    /// Code that takes the value of slot `n` out of this variable's, under the name `%{name}`.
    pub(super) fn take(&self, value: &str, slots: &[Slot], n: usize, name: &str) -> String {
        let slot = &slots[n];
        if self.slots == [n] && self.first == slot.first && self.width == slot.width {
            return format!("%{name} = OpCopyObject {} {value}\n", slot.ty());
        }
        let raw = type_name(self.component, slot.width);
        let at = slot.first - self.first;
        let lanes: Vec<_> = (at..at + slot.width).map(|c| c.to_string()).collect();
        let taken = match slot.width {
            1 => format!("OpCompositeExtract {raw} {value} {at}"),
            _ => format!("OpVectorShuffle {raw} {value} {value} {}", lanes.join(" ")),
        };
        match raw == slot.ty() {
            true => format!("%{name} = {taken}\n"),
            false => format!("%{name}_raw = {taken}\n%{name} = OpBitcast {} %{name}_raw\n", slot.ty()),
        }
    }

    /// Code that puts this variable's value together from those of its slots, each `%{prefix}{n}`, under `%{name}`.
    pub(super) fn join(&self, slots: &[Slot], prefix: &str, name: &str) -> String {
        let scalar = type_name(self.component, 1);
        let mut code = String::new();
        let mut parts = Vec::new();
        for c in self.first..self.first + self.width {
            let holds = |n: &&usize| (slots[**n].first..slots[**n].first + slots[**n].width).contains(&c);
            let Some(&n) = self.slots.iter().find(holds) else {
                parts.push(format!("%{}0", scalar_name(self.component)));
                continue;
            };
            let (slot, mut part) = (&slots[n], format!("%{prefix}{n}"));
            if slot.width > 1 {
                let from = type_name(slot.component, 1);
                let _ = writeln!(code, "%{name}_{c} = OpCompositeExtract {from} {part} {}", c - slot.first);
                part = format!("%{name}_{c}");
            }
            if scalar_name(slot.component) != scalar_name(self.component) {
                let _ = writeln!(code, "%{name}_{c}_cast = OpBitcast {scalar} {part}");
                part = format!("%{name}_{c}_cast");
            }
            parts.push(part);
        }
        match self.width {
            1 => code + &format!("%{name} = OpCopyObject {scalar} {}\n", parts[0]),
            _ => code + &format!("%{name} = OpCompositeConstruct {} {}\n", self.ty(), parts.join(" ")),
        }
    }
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
            interpolation: e.interpolation,
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
    slots.iter().enumerate().for_each(|(n, slot)| take_attribute(&mut text, n, slot));
    varyings(&slots).iter().enumerate().for_each(|(n, varying)| give(&mut text, n, varying, &slots));
    feed_viewport(&mut text, &next.inputs);
    let (variables, code) = unique_types(&text.variables, &text.code);
    let Text { capabilities, names, debug, decorations, .. } = text;
    assemble(&format!(
        "OpCapability Shader\n{capabilities}OpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" {names}\n\
         {debug}{decorations}{TYPES}{variables}%main = OpFunction %void None %entry\n%start = OpLabel\n{code}OpReturn\n\
         OpFunctionEnd\n"
    ))
}

/// Attribute `n`, and the components of it that the element has.
fn take_attribute(text: &mut Text, n: usize, slot: &Slot) {
    let Slot { name, first, width, component, .. } = slot;
    let (full, part) = (type_name(*component, 4), slot.ty());
    let _ = write!(text.names, " %in{n}");
    let _ = writeln!(text.debug, "OpName %in{n} \"{name}\"");
    let _ = writeln!(text.decorations, "OpDecorate %in{n} Location {}", n + 1);
    let variables = &mut text.variables;
    let _ = writeln!(variables, "%tin{n} = OpTypePointer Input {full}\n%in{n} = OpVariable %tin{n} Input");
    let code = &mut text.code;
    let _ = writeln!(code, "%l{n} = OpLoad {full} %in{n}");
    let lanes: Vec<_> = (*first..first + width).map(|c| c.to_string()).collect();
    let _ = match width {
        1 => writeln!(code, "%v{n} = OpCompositeExtract {part} %l{n} {first}"),
        _ => writeln!(code, "%v{n} = OpVectorShuffle {part} %l{n} %l{n} {}", lanes.join(" ")),
    };
}

/// Variable `n` between the stages, stored.
fn give(text: &mut Text, n: usize, varying: &Varying, slots: &[Slot]) {
    let ty = varying.ty();
    let _ = write!(text.names, " %out{n}");
    let decorations = &mut text.decorations;
    let _ = writeln!(decorations, "OpDecorate %out{n} Location {}", varying.location);
    let _ = writeln!(decorations, "OpDecorate %out{n} Component {}", varying.first);
    let variables = &mut text.variables;
    let _ = writeln!(variables, "%tout{n} = OpTypePointer Output {ty}\n%out{n} = OpVariable %tout{n} Output");
    text.code.push_str(&varying.join(slots, "v", &format!("all{n}")));
    let _ = writeln!(text.code, "OpStore %out{n} %all{n}");
}

/// Writes viewport 0 for a stage that reads the viewport. Vulkan gives 0 where no stage writes it, but Lavapipe 25.0.7
/// then takes every later input from the location after its own.
fn feed_viewport(text: &mut Text, inputs: &[SignatureElement]) {
    if !inputs.iter().any(|e| e.semantic.eq_ignore_ascii_case("SV_ViewportArrayIndex") && e.location.is_none()) {
        return;
    }
    text.capabilities.push_str("OpCapability ShaderViewportIndex\n");
    text.names.push_str(" %viewport");
    text.decorations.push_str("OpDecorate %viewport BuiltIn ViewportIndex\n");
    text.variables.push_str("%tviewport = OpTypePointer Output %u\n%viewport = OpVariable %tviewport Output\n");
    text.code.push_str("OpStore %viewport %u0\n");
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
/// them to the targets, the position to the first. Clip and cull distances are left out, for which there are not enough
/// targets.
pub fn catch(vertex: &StageInterface, count: u32) -> (Vec<u8>, Vec<u8>) {
    let outputs: Vec<_> = vertex.outputs.iter().filter(|e| is_caught(e)).cloned().collect();
    let slots = slots(&outputs);
    (catching_geometry(&slots, count), catching_pixel(slots.len() + 1))
}

/// Whether [`catch`] has a target for an output.
pub fn is_caught(element: &SignatureElement) -> bool {
    let distance =
        ["SV_ClipDistance", "SV_CullDistance"].iter().any(|name| element.semantic.eq_ignore_ascii_case(name));
    element.location.is_some() && !distance
}

fn catching_geometry(slots: &[Slot], count: u32) -> Vec<u8> {
    let mut names = String::from(" %from");
    let mut decorations = String::from("OpDecorate %from BuiltIn Position\n");
    let mut variables = String::from(
        "%ones = OpTypeArray %f4 %u1\n%ones_in = OpTypePointer Input %ones\n%from = OpVariable %ones_in Input\n\
         %one_in = OpTypePointer Input %f4\n",
    );
    let mut code = String::from("%at = OpAccessChain %one_in %from %u0\n%value0 = OpLoad %f4 %at\n");
    for (v, varying) in varyings(slots).iter().enumerate() {
        let part = varying.ty();
        let _ = write!(names, " %in{v}");
        let _ = writeln!(decorations, "OpDecorate %in{v} Location {}", varying.location);
        let _ = writeln!(decorations, "OpDecorate %in{v} Component {}", varying.first);
        let _ = writeln!(variables, "%array{v} = OpTypeArray {part} %u1\n%tin{v} = OpTypePointer Input %array{v}");
        let _ = writeln!(variables, "%in{v} = OpVariable %tin{v} Input\n%element{v} = OpTypePointer Input {part}");
        let _ = writeln!(code, "%at{v} = OpAccessChain %element{v} %in{v} %u0\n%got{v} = OpLoad {part} %at{v}");
        for &n in &varying.slots {
            code.push_str(&varying.take(&format!("%got{v}"), slots, n, &format!("value{}", n + 1)));
        }
    }
    let position = Slot::position();
    for (n, slot) in std::iter::once(&position).chain(slots).enumerate() {
        let _ = write!(names, " %out{n}");
        let _ = writeln!(decorations, "OpDecorate %out{n} Location {n}\nOpDecorate %out{n} Flat");
        let _ = writeln!(variables, "%out{n} = OpVariable %u4_out Output");
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
