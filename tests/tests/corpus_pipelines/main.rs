//! Every Direct3D shader at hand makes a pipeline on the driver, with the validation layers on and silent.
//!
//! A compute shader stands alone. Any other stage gets partners that are made from its words: one before it that writes
//! what it reads, one after it that reads what it writes, so that the layers compare the two sides of each interface.
//! Set layouts, push constants, vertex input and render targets come from the interface that the translator reports, so
//! that a wrong report fails as well. Nothing is drawn: what a driver compiles only at the first draw is not compiled.
//!
//! What the device lacks is known by name ([`LACKING`]): a shader is left out only where it translates for a device
//! that has everything.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod partner;

use partner::Variables;
use rspirv::dr::Module;
use rspirv::spirv::Op;
use rx_tests::shaders::{self, ShaderFile};
use rx_tests::validator::Validator;
use rx_tests::vulkan::{BareStage, Session, make_pipeline, session};
use rx_translate::interface::{Stage, StageInterface};
use rx_translate::{Options, Profile, Robustness, RobustnessByClass, Source, Target, Translation, Translator};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a device may lack, as the reason says it. A software driver has no sparse residency's clamp, no order of pixels,
/// no conservative rasterisation; and few descriptor sets, of which a range without an end takes one each.
const LACKING: &[&str] = &[
    "fragmentShaderPixelInterlock",
    "fullyCoveredFragmentShaderInputVariable",
    "shaderResourceMinLod",
    "descriptor sets",
];

/// What became of one shader.
enum Outcome {
    /// It made a pipeline.
    Made(Stage),
    /// It is no shader that rx takes, on any device.
    Refused(String),
    /// This device lacks what it needs.
    Lacking(String),
    /// Otherwise.
    Failed(String),
}

/// The stages of the pipeline around a translation, in pipeline order: words and interfaces.
fn program(translation: &Translation) -> Vec<(Vec<u32>, StageInterface)> {
    let module = rspirv::dr::load_words(&translation.spirv).unwrap();
    let own = || (translation.spirv.clone(), translation.interface.clone());
    let partner = |stage, words| (words, StageInterface::empty(stage));
    let (inputs, outputs) = (Variables::inputs(&module), Variables::outputs(&module));
    let taker = || partner(Stage::Fragment, outputs.pixel_taker());
    match translation.interface.stage {
        Stage::Compute => vec![own()],
        Stage::Vertex => vec![own(), taker()],
        Stage::Fragment => vec![partner(Stage::Vertex, inputs.vertex_giver(false)), own()],
        Stage::Geometry => vec![partner(Stage::Vertex, inputs.vertex_giver(true)), own(), taker()],
        Stage::TessellationControl => {
            let domain = translation.interface.tessellation.as_ref().map_or("triangle", |t| t.domain.as_str());
            let after = partner(Stage::TessellationEvaluation, outputs.domain_taker(domain));
            vec![partner(Stage::Vertex, inputs.vertex_giver(true)), own(), after]
        }
        Stage::TessellationEvaluation => {
            let points = translation.interface.tessellation.as_ref().map_or(1, |t| t.input_control_points);
            let nothing = Variables::inputs(&Module::new());
            let before = partner(Stage::TessellationControl, inputs.hull_giver(points.max(1)));
            vec![partner(Stage::Vertex, nothing.vertex_giver(true)), before, own(), taker()]
        }
        Stage::Task | Stage::Mesh => panic!("Direct3D bytecode has no such stage"),
    }
}

fn outcome(session: &Session, [here, anywhere]: &[Translator; 2], file: &ShaderFile) -> Outcome {
    let translation = match here.translate(Source::Dxbc(&file.bytes)) {
        Ok(translation) => translation,
        Err(why) => {
            return match anywhere.translate(Source::Dxbc(&file.bytes)) {
                Err(error) => Outcome::Refused(error.code.to_string()),
                Ok(_) => Outcome::Lacking(why.what),
            };
        }
    };
    let sets = translation.interface.resources.iter().map(|r| r.set + 1).max().unwrap_or(0);
    let limit = session.device.max_bound_sets();
    // The driver keeps no more, and writes past them.
    if sets > limit {
        return Outcome::Lacking(format!("{sets} descriptor sets of {limit}"));
    }
    let mut modules = Vec::new();
    let made = catch_unwind(AssertUnwindSafe(|| {
        let program = program(&translation);
        modules = program.iter().map(|(words, _)| words.clone()).collect();
        let stages: Vec<_> = program.iter().map(|(words, interface)| BareStage { words, interface }).collect();
        make_pipeline(session.device, &stages)
    }));
    let mut messages = session.messages_here();
    messages.retain(|message| !is_about_patch_locations(message) || !all_valid(&modules));
    messages.retain(|message| !message.contains(POINT_SIZE) || emits(&translation.spirv));
    match made {
        Ok(Ok(())) if messages.is_empty() => Outcome::Made(translation.interface.stage),
        Ok(Ok(())) => Outcome::Failed(messages.join("\n    ")),
        Ok(Err(why)) => Outcome::Failed(format!("{why} {}", messages.join("\n    "))),
        Err(_) => Outcome::Failed("no partner".to_owned()),
    }
}

/// Validation layers of before 2023-06 count a patch's variables and those of its points in one space of locations. They
/// are two: the reference validator in this process is newer, and has the last word.
fn is_about_patch_locations(message: &str) -> bool {
    message.contains("Tessellation") && message.contains("conflicting") && message.contains("location assignment")
}

/// The rule that each vertex of a point must have its size. It is about vertices, and the layers ask it of a geometry
/// shader that emits none.
const POINT_SIZE: &str = "VUID-VkGraphicsPipelineCreateInfo-Geometry-07725";

/// Whether a geometry shader emits any vertex.
fn emits(words: &[u32]) -> bool {
    let module = rspirv::dr::load_words(words).unwrap();
    let mut instructions = module.all_inst_iter();
    instructions.any(|i| matches!(i.class.opcode, Op::EmitVertex | Op::EmitStreamVertex))
}

fn all_valid(modules: &[Vec<u32>]) -> bool {
    let validator = Validator::new(Target::Vulkan13);
    modules.iter().all(|words| validator.check(words).is_ok())
}

fn check(what: &str, files: &[ShaderFile]) {
    let Some(session) = session() else { return };
    let _ = session.messages();
    for robustness in [Robustness::Device, Robustness::Explicit] {
        let profile = session.device.profile(RobustnessByClass::all(robustness));
        let translators =
            [profile, Profile::default()].map(|profile| Translator::new(Options { profile, ..Options::default() }));
        let outcomes = shaders::on_all_processors(files, |file| outcome(&session, &translators, file));
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut failures = Vec::new();
        for (file, outcome) in files.iter().zip(outcomes) {
            let kind = match outcome {
                Outcome::Made(stage) => format!("{} made", stage.name()),
                Outcome::Refused(code) => format!("refused with {code}"),
                Outcome::Lacking(why) => match LACKING.iter().find(|lack| why.contains(*lack)) {
                    Some(lack) => format!("left out for want of {lack}"),
                    None => {
                        failures.push(format!("{}: not among what a device may lack: {why}", file.name));
                        "failed".to_owned()
                    }
                },
                Outcome::Failed(why) => {
                    failures.push(format!("{}: {why}", file.name));
                    "failed".to_owned()
                }
            };
            *counts.entry(kind).or_default() += 1;
        }
        println!("{what}, robustness {robustness:?}: {counts:#?}");
        assert!(failures.is_empty(), "{what}: {} failed:\n{}", failures.len(), failures.join("\n"));
    }
}

#[test]
fn own_shaders_make_pipelines() {
    check("own shaders", &shaders::own());
}

#[test]
fn corpus_shaders_make_pipelines() {
    if let Some(files) = shaders::corpus() {
        check("corpus", &files);
    }
}
