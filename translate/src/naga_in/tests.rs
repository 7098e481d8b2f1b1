//! WGSL and GLSL of each stage, with the interface read off the text by hand.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use super::on_own_stack;
use crate::bindings::{BindingModel, BindingRule};
use crate::error::{Error, ErrorKind};
use crate::interface::{Access, Component, DescriptorType, Dimension, Interpolation, ResourceClass, Stage};
use crate::interface::{Resource, SignatureElement};
use crate::ledger;
use crate::options::{Features, Options, Robustness, RobustnessByClass, Target};
use crate::spirv_in::read_interface;
use crate::{Source, Translation, Translator};

fn wgsl(text: &str, options: &Options) -> Result<Translation, Error> {
    Translator::new(options.clone()).translate(Source::Wgsl(text))
}

fn glsl(text: &str, stage: Stage) -> Result<Translation, Error> {
    Translator::default().translate(Source::Glsl(text, stage))
}

fn entry(name: &str) -> Options {
    Options { entry: Some(String::from(name)), ..Options::default() }
}

/// Class, group and binding, name, set and binding of the result, used.
type Brief<'a> = (ResourceClass, (u32, u32), &'a str, (u32, u32), bool);

fn brief(resources: &[Resource]) -> Vec<Brief<'_>> {
    resources.iter().map(|r| (r.class, (r.space, r.register), r.name.as_str(), (r.set, r.binding), r.used)).collect()
}

/// Name, location, mask, component, interpolation.
type Element<'a> = (&'a str, Option<u32>, &'a str, Component, Option<Interpolation>);

fn elements(list: &[SignatureElement]) -> Vec<Element<'_>> {
    list.iter().map(|e| (e.semantic.as_str(), e.location, e.mask.as_str(), e.component, e.interpolation)).collect()
}

/// How often an opcode stands in a module.
fn count(words: &[u32], op: spirv::Op) -> usize {
    let (mut at, mut found) = (5, 0);
    while let Some(word) = words.get(at) {
        found += usize::from(word & 0xFFFF == op as u32);
        at += (word >> 16) as usize;
    }
    found
}

const COMPUTE: &str = "
struct Frame { view: mat4x4<f32>, eye: vec3<f32>, time: f32 }
struct Particle { position: vec3<f32>, age: f32 }
@group(1) @binding(0) var<storage, read_write> moved: array<Particle>;
@group(0) @binding(1) var<storage, read> particles: array<Particle>;
@group(0) @binding(0) var<uniform> frame: Frame;
@group(1) @binding(1) var field: texture_3d<f32>;
@group(1) @binding(2) var trilinear: sampler;
@group(1) @binding(3) var trail: texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(4) var spare: texture_cube<f32>;
@group(1) @binding(5) var counts: texture_storage_2d<r32uint, read_write>;

@compute @workgroup_size(64, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&particles) { return; }
    let flow = textureSampleLevel(field, trilinear, particles[id.x].position, 0.0).xyz;
    moved[id.x].position = particles[id.x].position + flow * frame.time;
    textureStore(trail, id.xy, vec4<f32>(flow, 1.0));
    textureStore(counts, id.xy, textureLoad(counts, id.xy) + vec4<u32>(1u));
}";

#[test]
fn a_wgsl_compute_shader() {
    let translation = wgsl(COMPUTE, &Options::default()).unwrap();
    let interface = &translation.interface;
    assert_eq!((interface.stage, interface.entry_point.as_str()), (Stage::Compute, "main"));
    assert_eq!(interface.workgroup_size, Some([64, 2, 1]));
    assert_eq!(
        brief(&interface.resources),
        [
            (ResourceClass::Cbv, (0, 0), "frame", (0, 0), true),
            (ResourceClass::Srv, (0, 1), "particles", (0, 1), true),
            (ResourceClass::Srv, (1, 1), "field", (0, 2), true),
            (ResourceClass::Srv, (1, 4), "spare", (0, 3), false),
            (ResourceClass::Uav, (1, 0), "moved", (0, 4), true),
            (ResourceClass::Uav, (1, 3), "trail", (0, 5), true),
            (ResourceClass::Uav, (1, 5), "counts", (0, 6), true),
            (ResourceClass::Sampler, (1, 2), "trilinear", (0, 7), true),
        ]
    );
    let types: Vec<_> = interface.resources.iter().map(|r| (r.ty, r.dimension, r.component, r.access)).collect();
    use DescriptorType as T;
    assert_eq!(
        types,
        [
            (T::UniformBuffer, None, None, Access::Read),
            (T::StorageBuffer, None, None, Access::Read),
            (T::SampledImage, Some(Dimension::D3), Some(Component::Float), Access::Read),
            (T::SampledImage, Some(Dimension::Cube), Some(Component::Float), Access::Read),
            (T::StorageBuffer, None, None, Access::Write),
            (T::StorageImage, Some(Dimension::D2), Some(Component::Float), Access::Write),
            (T::StorageImage, Some(Dimension::D2), Some(Component::Uint), Access::ReadWrite),
            (T::Sampler, None, None, Access::Read),
        ]
    );
    // 64 bytes of matrix, 12 of eye, 4 of time; a particle is 12 + 4.
    assert_eq!((interface.resources[0].size_bytes, interface.resources[1].stride_bytes), (Some(80), Some(16)));
    assert!(interface.resources[1].reads_length && !interface.resources[4].reads_length);
    assert_eq!((interface.reads_array_length, interface.read_write_textures), (Some(true), 1));
    assert!(interface.uses_global_memory);
    assert_eq!(translation.notes, []);
}

#[test]
fn the_words_say_what_the_interface_says() {
    let options =
        Options { bindings: BindingModel::Sequential { set: 2, first_binding: 10 }, names: true, ..Options::default() };
    let translation = wgsl(COMPUTE, &options).unwrap();
    let read = read_interface(&translation.spirv, None).unwrap();
    let places = |list: &[Resource]| list.iter().map(|r| (r.set, r.binding, r.name.clone())).collect::<Vec<_>>();
    let used: Vec<Resource> = translation.interface.resources.iter().filter(|r| r.used).cloned().collect();
    assert_eq!(places(&read.resources), places(&used));
    assert_eq!(used[0].set, 2);
    assert_eq!(used[0].binding, 10);
}

const TWO_ENTRIES: &str = "
struct Corner { @builtin(position) position: vec4<f32>, @location(2) uv: vec2<f32>, @location(0) @interpolate(flat) id: u32 }
@group(0) @binding(0) var<uniform> only_vs: vec4<f32>;
@group(0) @binding(1) var only_fs: texture_2d<f32>;
@group(0) @binding(2) var smp: sampler;
@group(0) @binding(3) var<uniform> nobody: vec4<f32>;
@vertex fn vs(@location(1) at: vec3<f32>, @builtin(vertex_index) i: u32) -> Corner {
    return Corner(vec4<f32>(at, 1.0) + only_vs, at.xy, i);
}
@fragment fn fs(corner: Corner) -> @location(3) vec4<f32> {
    return textureSample(only_fs, smp, corner.uv) * f32(corner.id);
}";

#[test]
fn a_wgsl_vertex_shader_of_a_text_with_two() {
    let interface = wgsl(TWO_ENTRIES, &entry("vs")).unwrap().interface;
    assert_eq!((interface.stage, interface.entry_point.as_str()), (Stage::Vertex, "vs"));
    assert_eq!(
        brief(&interface.resources),
        [(ResourceClass::Cbv, (0, 0), "only_vs", (0, 0), true), (ResourceClass::Cbv, (0, 3), "nobody", (0, 1), false),]
    );
    assert_eq!(
        elements(&interface.inputs),
        [("at", Some(1), "xyz", Component::Float, None), ("VertexIndex", None, "x", Component::Uint, None)]
    );
    // WGSL's points are one pixel large: the size is written.
    assert_eq!(
        elements(&interface.outputs),
        [
            ("id", Some(0), "x", Component::Uint, None),
            ("uv", Some(2), "xy", Component::Float, None),
            ("Position", None, "xyzw", Component::Float, None),
            ("PointSize", None, "x", Component::Float, None),
        ]
    );
}

#[test]
fn a_wgsl_fragment_shader_of_a_text_with_two() {
    let interface = wgsl(TWO_ENTRIES, &entry("fs")).unwrap().interface;
    assert_eq!((interface.stage, interface.entry_point.as_str()), (Stage::Fragment, "fs"));
    assert_eq!(
        brief(&interface.resources),
        [
            (ResourceClass::Cbv, (0, 3), "nobody", (0, 0), false),
            (ResourceClass::Srv, (0, 1), "only_fs", (0, 1), true),
            (ResourceClass::Sampler, (0, 2), "smp", (0, 2), true),
        ]
    );
    assert_eq!(
        elements(&interface.inputs),
        [
            ("id", Some(0), "x", Component::Uint, Some(Interpolation::Constant)),
            ("uv", Some(2), "xy", Component::Float, Some(Interpolation::Linear)),
            ("FragCoord", None, "xyzw", Component::Float, None),
        ]
    );
    assert_eq!(interface.outputs.iter().map(|e| e.location).collect::<Vec<_>>(), [Some(3)]);
}

#[test]
fn of_several_entry_points_one_must_be_named() {
    let error = wgsl(TWO_ENTRIES, &Options::default()).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::ENTRY_AMBIGUOUS, ErrorKind::Refused));
    assert_eq!(error.what, "the text has `vs` (Vertex), `fs` (Fragment)");
    let error = wgsl(TWO_ENTRIES, &entry("main")).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::ENTRY_NOT_FOUND, ErrorKind::Refused));
    assert_eq!(wgsl("fn f() {}", &Options::default()).unwrap_err().code, ledger::ENTRY_NOT_FOUND);
}

#[test]
fn rules_decide_by_class_group_binding_and_stage() {
    let rule = |class, first_register, stages: &[Stage], binding| BindingRule {
        class,
        space: 0,
        first_register,
        count: Some(4),
        stages: stages.to_vec(),
        set: 5,
        binding,
    };
    let rules = vec![
        rule(ResourceClass::Cbv, 0, &[Stage::Vertex], 100),
        rule(ResourceClass::Cbv, 0, &[], 20),
        rule(ResourceClass::Srv, 1, &[Stage::Fragment], 30),
    ];
    let model = |rules| Options { bindings: BindingModel::Rules(rules), ..entry("fs") };
    let error = wgsl(TWO_ENTRIES, &model(rules.clone())).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::NO_BINDING, ErrorKind::Refused));
    assert_eq!(error.what, "`smp` at group 0, binding 2 in the fragment stage");
    let complete = [&rules[..], &[rule(ResourceClass::Sampler, 2, &[], 40)]].concat();
    let interface = wgsl(TWO_ENTRIES, &model(complete)).unwrap().interface;
    let places: Vec<_> = interface.resources.iter().map(|r| (r.name.as_str(), r.set, r.binding)).collect();
    // Group 0, binding 3 of the second rule is 20 + 3; binding 1 and 2 begin their own.
    assert_eq!(places, [("nobody", 5, 23), ("only_fs", 5, 30), ("smp", 5, 40)]);
}

#[test]
fn a_binding_array_without_a_size_has_a_set_of_its_own() {
    let text = "
enable wgpu_binding_array;
@group(0) @binding(0) var many: binding_array<texture_2d<f32>>;
@group(0) @binding(1) var four: binding_array<texture_2d<f32>, 4>;
@group(0) @binding(2) var one: texture_2d<f32>;
@fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
    let i = vec2<i32>(p.xy);
    return textureLoad(many[3], i, 0) + textureLoad(four[1], i, 0) + textureLoad(one, i, 0);
}";
    let translation = wgsl(text, &Options::default()).unwrap();
    let interface = &translation.interface;
    let places: Vec<_> = interface.resources.iter().map(|r| (r.name.as_str(), r.set, r.binding, r.count)).collect();
    assert_eq!(places, [("four", 0, 0, Some(4)), ("one", 0, 1, Some(1)), ("many", 1, 0, None)]);
    // Such an array is a capability of its own, and before SPIR-V 1.5 an extension.
    let capability = [2 << 16 | spirv::Op::Capability as u32, spirv::Capability::RuntimeDescriptorArray as u32];
    let has_capability = |words: &[u32]| words.windows(2).any(|pair| pair == capability);
    assert!(has_capability(&translation.spirv));
    let mut options = Options::default();
    options.profile.target = Target::Vulkan11;
    let older = wgsl(text, &options).unwrap().spirv;
    let extensions = count(&older, spirv::Op::Extension) - count(&translation.spirv, spirv::Op::Extension);
    assert!(has_capability(&older) && extensions == 1);
    options.profile.features = Features { descriptor_indexing: false, ..Features::full() };
    assert_eq!(wgsl(text, &options).unwrap_err().code, ledger::NOT_IN_PROFILE);
}

const VERTEX: &str = "#version 450
layout(location = 0) in vec3 position;
layout(location = 2) in uvec4 bones;
layout(location = 1) out vec2 uv;
layout(set = 0, binding = 3, std140) uniform Frame { mat4 view_projection; vec3 eye; } frame;
layout(push_constant) uniform Push { vec2 offset; uint mode; } push;
void main() {
    uv = position.xy + push.offset + vec2(bones.xy);
    gl_Position = frame.view_projection * vec4(position, 1.0);
}";

#[test]
fn a_glsl_vertex_shader() {
    let translation = glsl(VERTEX, Stage::Vertex).unwrap();
    let interface = &translation.interface;
    assert_eq!((interface.stage, interface.entry_point.as_str()), (Stage::Vertex, "main"));
    assert_eq!(brief(&interface.resources), [(ResourceClass::Cbv, (0, 3), "frame", (0, 0), true)]);
    // A matrix of 64 bytes and a vec3, rounded up to 16 as std140 has it.
    assert_eq!(interface.resources[0].size_bytes, Some(80));
    // vec2 at 0, uint at 8.
    assert_eq!(interface.push_constant_bytes, 12);
    assert_eq!(
        elements(&interface.inputs),
        [("position", Some(0), "xyz", Component::Float, None), ("bones", Some(2), "xyzw", Component::Uint, None)]
    );
    assert_eq!(
        elements(&interface.outputs),
        [("uv", Some(1), "xy", Component::Float, None), ("Position", None, "xyzw", Component::Float, None)]
    );
}

#[test]
fn a_glsl_fragment_shader() {
    let text = "#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) flat in int layer;
layout(location = 2) noperspective in float fog;
layout(location = 0) out vec4 color;
layout(location = 1) out uint id;
layout(set = 1, binding = 0) uniform texture2DArray pages;
layout(set = 1, binding = 1) uniform sampler filtering;
layout(set = 1, binding = 2) readonly buffer Tints { vec4 tints[]; };
void main() {
    color = texture(sampler2DArray(pages, filtering), vec3(uv, float(layer))) * tints[layer] * fog;
    id = uint(layer);
}";
    let interface = glsl(text, Stage::Fragment).unwrap().interface;
    assert_eq!(
        brief(&interface.resources),
        [
            (ResourceClass::Srv, (1, 0), "pages", (0, 0), true),
            (ResourceClass::Srv, (1, 2), "Tints", (0, 1), true),
            (ResourceClass::Sampler, (1, 1), "filtering", (0, 2), true),
        ]
    );
    assert_eq!(interface.resources[0].dimension, Some(Dimension::D2Array));
    assert_eq!(interface.resources[1].access, Access::Read);
    assert_eq!(
        elements(&interface.inputs),
        [
            ("uv", Some(0), "xy", Component::Float, Some(Interpolation::Linear)),
            ("layer", Some(1), "x", Component::Sint, Some(Interpolation::Constant)),
            ("fog", Some(2), "x", Component::Float, Some(Interpolation::LinearNoperspective)),
        ]
    );
    assert_eq!(
        elements(&interface.outputs),
        [("color", Some(0), "xyzw", Component::Float, None), ("id", Some(1), "x", Component::Uint, None)]
    );
    assert_eq!(interface.reads_array_length, Some(false));
}

#[test]
fn a_glsl_compute_shader_with_qualified_images() {
    let text = "#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba16f) readonly uniform image2D source;
layout(set = 0, binding = 1, rgba16f) writeonly uniform image2D target;
layout(set = 0, binding = 2, r32ui) uniform uimage2D tally;
layout(set = 0, binding = 3) buffer Sum { uint total; uint values[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(target, at, imageLoad(source, at));
    imageStore(tally, at, imageLoad(tally, at));
    values[at.x] = total;
}";
    let interface = glsl(text, Stage::Compute).unwrap().interface;
    assert_eq!(interface.workgroup_size, Some([8, 4, 1]));
    let access: Vec<_> = interface.resources.iter().map(|r| (r.name.as_str(), r.ty, r.access)).collect();
    assert_eq!(
        access,
        [
            ("source", DescriptorType::StorageImage, Access::Read),
            ("target", DescriptorType::StorageImage, Access::Write),
            ("tally", DescriptorType::StorageImage, Access::ReadWrite),
            ("Sum", DescriptorType::StorageBuffer, Access::ReadWrite),
        ]
    );
    assert_eq!(interface.read_write_textures, 1);
}

#[test]
fn stages_that_glsl_input_has_not_are_refused() {
    for stage in [Stage::Geometry, Stage::TessellationControl, Stage::TessellationEvaluation, Stage::Mesh] {
        let error = glsl("#version 450\nvoid main() {}", stage).unwrap_err();
        assert_eq!((error.code, error.kind), (ledger::TEXT_STAGE, ErrorKind::Refused));
    }
}

#[test]
fn errors_in_a_text_have_line_and_column() {
    // `oops` begins at the fifth column of the second line.
    let error = wgsl("fn f() {\n    oops();\n}", &Options::default()).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::WGSL_TEXT, ErrorKind::Malformed));
    assert_eq!(error.place.line, Some((2, 5)));
    assert!(error.what.contains("oops"), "{}", error.what);

    let error = glsl("#version 450\nvoid main() {\n  oops = 1;\n}", Stage::Compute).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::GLSL_TEXT, ErrorKind::Malformed));
    assert_eq!(error.place.line, Some((3, 3)));

    // It parses; two resources at one place are against the rules.
    let text = "
@group(0) @binding(0) var<uniform> a: vec4<f32>;
@group(0) @binding(0) var<uniform> b: vec4<f32>;
@fragment fn main() -> @location(0) vec4<f32> { return a + b; }";
    let error = wgsl(text, &Options::default()).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::TEXT_INVALID, ErrorKind::Malformed));
    assert!(error.place.line.is_some());
}

#[test]
fn the_target_decides_the_version() {
    for (target, version) in
        [(Target::Vulkan11, 0x0001_0300), (Target::Vulkan12, 0x0001_0500), (Target::Vulkan13, 0x0001_0600)]
    {
        let mut options = Options::default();
        options.profile.target = target;
        assert_eq!(wgsl(COMPUTE, &options).unwrap().spirv[1], version);
    }
}

#[test]
fn explicit_robustness_guards_buffers_and_off_guards_nothing() {
    let text = "
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var table = array<u32, 4>(1u, 2u, 3u, 4u);
    data[id.x] = table[id.y];
}";
    let with = |robustness| {
        let mut options = Options::default();
        options.profile.robustness = RobustnessByClass::all(robustness);
        wgsl(text, &options).unwrap()
    };
    let (device, explicit, off) = (with(Robustness::Device), with(Robustness::Explicit), with(Robustness::Off));
    assert_eq!(device.interface.reads_array_length, Some(false));
    assert_eq!(explicit.interface.reads_array_length, Some(true));
    assert_eq!(off.interface.reads_array_length, Some(false));
    // The guard of the table is a comparison; that of the buffer another.
    let guards = |t: &Translation| count(&t.spirv, spirv::Op::ULessThan);
    assert_eq!((guards(&off), guards(&device), guards(&explicit)), (0, 1, 2));
}

#[test]
fn group_memory_begins_as_zero_in_wgsl_only() {
    let text = "
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> shared_value: u32;
@compute @workgroup_size(64) fn main() { data[0] = shared_value; }";
    assert_eq!(count(&wgsl(text, &Options::default()).unwrap().spirv, spirv::Op::ControlBarrier), 1);
    let text = "#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint shared_value;
void main() { data[0] = shared_value; }";
    assert_eq!(count(&glsl(text, Stage::Compute).unwrap().spirv, spirv::Op::ControlBarrier), 0);
}

#[test]
fn names_are_written_where_asked_for_and_known_in_any_case() {
    let without = wgsl(COMPUTE, &Options::default()).unwrap();
    let with = wgsl(COMPUTE, &Options { names: true, ..Options::default() }).unwrap();
    assert_eq!(count(&without.spirv, spirv::Op::Name) + count(&without.spirv, spirv::Op::MemberName), 0);
    assert!(count(&with.spirv, spirv::Op::Name) > 0);
    assert_eq!(without.interface, with.interface);
}

#[test]
fn a_feature_that_the_profile_lacks_is_named() {
    let text = "
@group(0) @binding(0) var probes: texture_cube_array<f32>;
@group(0) @binding(1) var smp: sampler;
@fragment fn main(@location(0) d: vec3<f32>) -> @location(0) vec4<f32> { return textureSample(probes, smp, d, 2); }";
    let mut options = Options::default();
    assert!(wgsl(text, &options).is_ok());
    options.profile.features = Features { cube_array: false, ..Features::full() };
    let error = wgsl(text, &options).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::NOT_IN_PROFILE, ErrorKind::Refused));
    assert_eq!(error.what, "capability SampledCubeArray needs imageCubeArray");
}

#[test]
fn overrides_have_their_defaults() {
    let text = "
override threads: u32 = 32u;
@compute @workgroup_size(threads) fn main() {}";
    assert_eq!(wgsl(text, &Options::default()).unwrap().interface.workgroup_size, Some([32, 1, 1]));
    let error = wgsl(&text.replace(" = 32u", ""), &Options::default()).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::TEXT_NOT_WRITTEN, ErrorKind::Refused));
}

#[test]
fn the_same_text_gives_the_same_words() {
    let first = wgsl(COMPUTE, &Options::default()).unwrap();
    assert_eq!(wgsl(COMPUTE, &Options::default()).unwrap(), first);
}

#[test]
fn what_the_limits_let_through_fits_naga_s_stack() {
    // Just below the limit of 512, with what surrounds it.
    let deep = |open: &str, close: &str| format!("{}1.0{}", open.repeat(480), close.repeat(480));
    for expression in [deep("(", ")"), deep("abs(", ")"), deep("- ", ""), deep("1.0 + ", "")] {
        let text = format!("#version 450\nvoid main() {{ float x = {expression}; }}");
        assert!(glsl(&text, Stage::Compute).is_ok());
        // naga has limits of its own on WGSL; an error is an answer.
        let text = format!("@compute @workgroup_size(1) fn main() {{ let x = {expression}; }}");
        let _ = wgsl(&text, &Options::default());
    }
    let error = glsl(&format!("#version 450\nvoid main() {{ {}", "{".repeat(600)), Stage::Compute).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::TEXT_DEPTH, ErrorKind::Refused));
    assert_eq!(error.place.line, Some((2, 526)));
}

#[test]
fn a_panic_inside_naga_is_an_error() {
    let error = on_own_stack(|| panic!("unreachable: {}", 7)).unwrap_err();
    assert_eq!(
        (error.code, error.kind, error.what.as_str()),
        (ledger::TEXT_PANIC, ErrorKind::Refused, "unreachable: 7")
    );
}

/// Every cut of a text, and every byte of it replaced, is an answer.
#[test]
fn cut_and_changed_texts_are_errors_or_translations() {
    for at in (0..COMPUTE.len()).step_by(7) {
        let _ = wgsl(&COMPUTE[..at], &Options::default());
        let _ = wgsl(&format!("{};{}", &COMPUTE[..at], &COMPUTE[at + 1..]), &Options::default());
    }
    for at in (0..VERTEX.len()).step_by(7) {
        let _ = glsl(&VERTEX[..at], Stage::Vertex);
        let _ = glsl(&format!("{}({}", &VERTEX[..at], &VERTEX[at + 1..]), Stage::Vertex);
    }
}

#[test]
fn glsl_that_naga_lacks_is_refused_where_it_stands() {
    let head = "#version 450\nlayout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer O { uint o[4]; };\n";
    let cases = [
        ("void main() { int x = 1; float y = vec2(x++, 1.0)[x++ & 1]; }", ledger::GLSL_ORDER, 51),
        ("void main() { atomicAdd(o[0], 1u); }", ledger::GLSL_FUNCTION, 15),
        ("void main() { o[0] = uint(gl_ViewIndex); }", ledger::GLSL_VARIABLE, 27),
        ("layout(set = 0, binding = 1) uniform samplerBuffer b; void main() {}", ledger::GLSL_TYPE, 52),
        ("void main() { int64_t x; }", ledger::GLSL_TYPE, 15),
        ("layout(set = 0, binding = 1) coherent buffer P { uint p; }; void main() {}", ledger::GLSL_QUALIFIER, 30),
        ("layout(set = 0, binding = 1) uniform P { bool p; }; void main() {}", ledger::GLSL_LAYOUT, 38),
        ("layout(set = 0, binding = 1) uniform texture2D t[2]; void main() {}", ledger::GLSL_DESCRIPTORS, 48),
        ("void main() { while (bool b = o[0] > 1u) { o[0]--; } }", ledger::GLSL_EXPRESSION, 22),
        ("#extension GL_EXT_ray_query : require\nvoid main() {}", ledger::GLSL_EXTENSION, 2),
        ("#include \"a.glsl\"\nvoid main() {}", ledger::GLSL_INCLUDE, 2),
        ("void f(inout int a) {} void f(inout uint a) {} void main() { f(0); }", ledger::GLSL_ARGUMENT, 64),
        ("float f(sampler2D s) { return 1.0; } void main() {}", ledger::GLSL_COMBINED, 9),
        ("void main() { int rx_x; }", ledger::GLSL_NAME, 19),
    ];
    for (text, code, column) in cases {
        let error = glsl(&format!("{head}{text}"), Stage::Compute).unwrap_err();
        assert_eq!((error.code, error.kind), (code, ErrorKind::Refused), "{text}: {error}");
        assert_eq!(error.place.line, Some((4, column)), "{text}: {error}");
    }
    let error = glsl(&format!("{head}int f() {{ return f(); }} void main() {{}}"), Stage::Compute).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::GLSL_RECURSION, ErrorKind::Malformed));
}

#[test]
fn errors_in_included_text_name_its_file_and_line() {
    let main = "#version 450\n#include \"part\"\nvoid main() {}\n";
    let expanded = crate::glsl::expand_includes(main, "main", &mut |_| {
        Some(crate::glsl::Included { name: String::from("part"), text: String::from("\nint x = oops;\n") })
    });
    let error = glsl(&expanded.unwrap(), Stage::Compute).unwrap_err();
    assert_eq!((error.code, error.place.line), (ledger::GLSL_TEXT, Some((2, 9))), "{error}");
    assert!(error.what.starts_with("in `part`: "), "{error}");
    let missing = crate::glsl::expand_includes(main, "main", &mut |_| None).unwrap();
    let error = glsl(&missing, Stage::Compute).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::GLSL_INCLUDE, ErrorKind::Refused));
    assert_eq!(error.what, "`part`, which `main` includes, was not found");
}

#[test]
fn a_combined_sampler_is_one_descriptor() {
    let text = "#version 450
layout(set = 1, binding = 2) uniform sampler2D albedo;
layout(set = 1, binding = 3) uniform sampler2DShadow shadow;
layout(location = 0) in vec3 uv;
layout(location = 0) out vec4 color;
void main() { color = texture(albedo, uv.xy) + vec4(texture(shadow, uv)) + texelFetch(albedo, ivec2(0), 0); }";
    let interface = glsl(text, Stage::Fragment).unwrap().interface;
    let found: Vec<_> =
        interface.resources.iter().map(|r| (r.name.as_str(), r.ty, r.space, r.register, r.used)).collect();
    let ty = DescriptorType::CombinedImageSampler;
    assert_eq!(found, [("albedo", ty, 1, 2, true), ("shadow", ty, 1, 3, true)]);
}

#[cfg(not(feature = "glslang"))]
#[test]
fn without_glslang_it_is_refused_by_name() {
    let options = Options { glsl: crate::GlslFrontEnd::Glslang, ..Options::default() };
    let source = crate::Source::Glsl("#version 450\nvoid main() {}", Stage::Compute);
    let error = crate::Translator::new(options).translate(source).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::GLSLANG_OFF, ErrorKind::Refused));
}

/// A structure of two of another, and so on, has twice the parts at each step.
#[test]
fn structures_that_double_are_bounded() {
    let head = "#version 450\nlayout(local_size_x = 1) in;\n";
    let mut structures = String::from("struct S0 { int a; };\n");
    for n in 1..40 {
        structures += &format!("struct S{n} {{ S{0} a; S{0} b; }};\n", n - 1);
    }
    let error = glsl(&format!("{head}{structures}void main() {{}}"), Stage::Compute).unwrap_err();
    assert_eq!((error.code, error.place.line), (ledger::GLSL_LAYOUT, Some((16, 1))), "{error}");
}
