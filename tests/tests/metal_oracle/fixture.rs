//! The layouts of `tests/fixtures/layouts.json` as programs with modules, and layouts at the exact model's own limits,
//! which the fixture, made for the worst case, does not reach.

use super::{Subject, shapes};
use rx_tests::shaders::repository;
use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vk::layout::{LayoutBinding, ProgramParts, ProgramStage, StageBinding, StageBits, VertexInput};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    #[serde(default)]
    push_constants: Vec<Stage>,
    stages: Vec<CaseStage>,
}

#[derive(Deserialize)]
struct CaseStage {
    stage: Stage,
    stage_bit: Option<Stage>,
    #[serde(default)]
    reads_array_length: serde_json::Value,
    #[serde(default)]
    uses_global_memory: bool,
    bindings: Vec<CaseBinding>,
    times: Option<usize>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum CaseBinding {
    Plain(DescriptorType, Option<u32>),
    WithAccess(DescriptorType, Option<u32>, Access),
}

/// A layout's stages with numbered bindings.
fn stages(case: &Case) -> Vec<ProgramStage> {
    let mut next = 0..;
    let mut numbered = |stage: &CaseStage| {
        let repeated = std::iter::repeat_n(&stage.bindings, stage.times.unwrap_or(1)).flatten();
        let binding = |own: &CaseBinding| {
            let (ty, count, access) = match *own {
                CaseBinding::Plain(ty, count) => (ty, count, Access::ReadWrite),
                CaseBinding::WithAccess(ty, count, access) => (ty, count, access),
            };
            StageBinding { count, access, ..StageBinding::new(next.next().unwrap(), ty, 0) }
        };
        repeated.map(binding).collect()
    };
    case.stages
        .iter()
        .map(|stage| ProgramStage {
            stage_bit: stage.stage_bit.unwrap_or(stage.stage),
            reads_array_length: match &stage.reads_array_length {
                serde_json::Value::Null => Some(false),
                known => known.as_bool(),
            },
            uses_global_memory: stage.uses_global_memory,
            bindings: numbered(stage),
            ..ProgramStage::new(stage.stage)
        })
        .collect()
}

/// A program and its modules; none where a binding's type has no module, since it is never pushed.
pub fn subject(name: &str, stages: Vec<ProgramStage>, push: StageBits, vertex_input: VertexInput) -> Option<Subject> {
    let never_pushed = |own: &StageBinding| {
        let dynamic = matches!(
            own.ty,
            DescriptorType::UniformBufferDynamic
                | DescriptorType::StorageBufferDynamic
                | DescriptorType::InlineUniformBlock
        );
        dynamic || own.count.is_none()
    };
    if stages.iter().flat_map(|stage| &stage.bindings).any(never_pushed) {
        return None;
    }
    let words = stages.iter().map(|own| (own.stage, own.stage_bit, shapes::module(own, push.has(own.stage_bit))));
    let words = words.collect();
    // What a module samples beside its bindings stands for a texture of another set.
    let helper = |own: &ProgramStage| LayoutBinding {
        binding: shapes::HELPER_BINDING,
        ty: DescriptorType::SampledImage,
        count: Some(1),
        stages: StageBits::of(own.stage_bit),
        planes: 1,
    };
    let other_bindings = stages.iter().filter(|own| shapes::needs_helper(own)).map(helper).collect();
    let name = name.to_owned();
    let parts = ProgramParts { name, stages, push_constants: push, vertex_input, other_bindings, ..Default::default() };
    Some(Subject { program: parts.build().unwrap(), stages: words, others: Vec::new() })
}

/// All of them.
pub fn subjects() -> Vec<Subject> {
    let path = repository().join("tests/fixtures/layouts.json");
    let fixture: Fixture = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut subjects = Vec::new();
    for case in &fixture.cases {
        let push = case.push_constants.iter().copied().collect();
        subjects.extend(subject(&case.name, stages(case), push, VertexInput::Unknown));
    }
    subjects.extend(at_exact_limits());
    subjects
}

/// One stage with so many descriptors of a type around each of the exact model's limits.
fn at_exact_limits() -> Vec<Subject> {
    let inputs = [VertexInput::None, VertexInput::Bindings { highest: 1, translated: 0 }, VertexInput::Unknown];
    let mut subjects = Vec::new();
    for stage in
        [Stage::Vertex, Stage::TessellationControl, Stage::TessellationEvaluation, Stage::Fragment, Stage::Compute]
    {
        for vertex_input in inputs.into_iter().take(if stage == Stage::Vertex { 3 } else { 1 }) {
            for lengths in [false, true] {
                for pushes in [false, true] {
                    for buffers in 10..33 {
                        let types = [DescriptorType::UniformBuffer, DescriptorType::StorageBuffer];
                        let of = |n: u32| StageBinding::new(n, types[n as usize % 2], 1);
                        let mut own = ProgramStage::new(stage);
                        own.reads_array_length = Some(lengths);
                        own.bindings = (0..buffers).map(of).collect();
                        let name = format!(
                            "{stage:?}, {vertex_input:?}, {buffers} buffers, lengths {lengths}, pushes {pushes}"
                        );
                        let push = if pushes { StageBits::of(stage) } else { StageBits::EMPTY };
                        subjects.extend(subject(&name, with_tessellation(own), push, vertex_input));
                    }
                }
            }
        }
    }
    for stage in [Stage::Vertex, Stage::Fragment] {
        for buffers in 20..32 {
            let mut own = ProgramStage::new(stage);
            own.bindings = (0..buffers).map(|n| StageBinding::new(n, DescriptorType::UniformBuffer, 1)).collect();
            own.bindings.push(StageBinding::new(buffers, DescriptorType::Sampler, 1));
            let name = format!("{stage:?}, {buffers} buffers and a sampler for another set's texture");
            subjects.extend(subject(&name, vec![own], StageBits::EMPTY, VertexInput::None));
        }
    }
    for ty in [DescriptorType::UniformBuffer, DescriptorType::StorageBuffer] {
        let mut own = ProgramStage::new(Stage::Compute);
        own.bindings = vec![StageBinding::new(0, ty, 4); 2];
        let name = format!("two arrays of {ty:?} at one binding");
        subjects.extend(subject(&name, vec![own], StageBits::EMPTY, VertexInput::None));
    }
    let arrays = [(DescriptorType::SampledImage, 29..33), (DescriptorType::SampledImage, 94..131)];
    for (ty, counts) in arrays.into_iter().chain([(DescriptorType::CombinedImageSampler, 14..19)]) {
        for count in counts {
            let mut own = ProgramStage::new(Stage::Fragment);
            own.bindings = vec![StageBinding::new(0, ty, count)];
            let name = format!("an array of {count} {ty:?}");
            subjects.extend(subject(&name, vec![own], StageBits::EMPTY, VertexInput::None));
        }
    }
    subjects
}

/// The other stages of tessellation beside one of them, without bindings.
fn with_tessellation(own: ProgramStage) -> Vec<ProgramStage> {
    let all = [Stage::Vertex, Stage::TessellationControl, Stage::TessellationEvaluation, Stage::Fragment];
    if !matches!(own.stage, Stage::TessellationControl | Stage::TessellationEvaluation) {
        return vec![own];
    }
    let other = |stage| if stage == own.stage { own.clone() } else { ProgramStage::new(stage) };
    all.into_iter().map(other).collect()
}
