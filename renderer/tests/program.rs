//! The library's one convenience: a program's stages translated together, and planned.
#![allow(clippy::unwrap_used, clippy::panic)]

use rx_renderer::translate::bindings::{BindingModel, BindingRule};
use rx_renderer::translate::interface::{ResourceClass, Stage};
use rx_renderer::translate::{Options, Source, ledger};
use rx_renderer::vk::layout::{Decision, VertexInput};
use rx_renderer::vk::{DeviceFacts, PlanOptions};
use rx_renderer::{Error, TranslatedProgram, vendor_fixes};

const FULLSCREEN: &[u8] = include_bytes!("../assets/dxbc/fullscreen_vs.dxbc");
const GBUFFER_VS: &[u8] = include_bytes!("../assets/dxbc/gbuffer_vs.dxbc");
const GBUFFER_PS: &[u8] = include_bytes!("../assets/dxbc/gbuffer_ps.dxbc");
const UNBOUNDED: &[u8] = include_bytes!("../../tests/assets/dxbc/features/descriptor_unbounded.ps_5_1.dxbc");

const LAYER_VS: &[u8] = include_bytes!("../../tests/assets/dxbc/features/vs_layer_viewport.vs_5_0.dxbc");
const LAYER_GS: &[u8] = include_bytes!("../../tests/assets/dxbc/features/gs_layer_viewport.gs_5_0.dxbc");

fn options(set: u32, first_binding: u32) -> Options {
    Options { bindings: BindingModel::Sequential { set, first_binding }, ..Options::default() }
}

fn bindings(program: &TranslatedProgram, stage: usize) -> Vec<(u32, u32)> {
    program.stages()[stage].interface.resources.iter().map(|own| (own.set, own.binding)).collect()
}

#[test]
fn the_second_stage_begins_where_the_first_ends() {
    let stages = [Source::Dxbc(GBUFFER_VS), Source::Dxbc(GBUFFER_PS)];
    let program = TranslatedProgram::translate("g-buffer", stages, &options(1, 4)).unwrap();
    // Vertex: b0, b1, t0. Pixel: t2 to t7, s0, s1 (the scene's table).
    let first = bindings(&program, 0);
    assert_eq!(first, [(1, 4), (1, 5), (1, 6)]);
    let second = bindings(&program, 1);
    assert_eq!(second.first(), Some(&(1, 7)));
    assert!(second.windows(2).all(|pair| pair[1].1 == pair[0].1 + 1), "{second:?}");
    assert_eq!(program.stage_kinds().collect::<Vec<_>>(), [Stage::Vertex, Stage::Fragment]);
}

#[test]
fn ranges_without_an_end_of_two_stages_have_sets_of_their_own() {
    let program = TranslatedProgram::translate("alone", [Source::Dxbc(UNBOUNDED)], &Options::default()).unwrap();
    let alone: Vec<u32> = bindings(&program, 0).iter().map(|own| own.0).filter(|&set| set > 0).collect();
    assert!(!alone.is_empty());
    // The same stage twice is no program to plan, but shows where the second's sets go.
    let twice = [Source::Dxbc(UNBOUNDED), Source::Dxbc(UNBOUNDED)];
    let program = TranslatedProgram::translate("twice", twice, &Options::default()).unwrap();
    let sets = |stage| bindings(&program, stage).iter().map(|own| own.0).filter(|&set| set > 0).collect::<Vec<_>>();
    let highest = alone.iter().max().unwrap();
    assert_eq!(sets(0), alone);
    assert_eq!(sets(1), alone.iter().map(|set| set + highest).collect::<Vec<_>>());
    let plain = |stage| bindings(&program, stage).iter().filter(|own| own.0 == 0).map(|own| own.1).collect::<Vec<_>>();
    let offset = plain(0).iter().max().map_or(0, |last| last + 1);
    assert_eq!(plain(1), plain(0).iter().map(|own| own + offset).collect::<Vec<_>>());
}

#[test]
fn a_layer_is_refused_of_the_last_stage_alone() {
    let mut options = Options::default();
    options.profile.features.viewport_layer_any_stage = false;
    let program = TranslatedProgram::translate("geometry", [LAYER_VS, LAYER_GS].map(Source::Dxbc), &options).unwrap();
    assert!(program.stages().iter().all(|stage| stage.notes.is_empty()), "{:?}", program.stages()[0].notes);
    let alone = TranslatedProgram::translate("vertex", [Source::Dxbc(LAYER_VS)], &options);
    assert_eq!(alone.unwrap_err().code(), ledger::NOT_IN_PROFILE);
}

#[test]
fn rules_are_the_same_for_every_stage() {
    let rule = |class, binding| BindingRule {
        class,
        space: 0,
        first_register: 0,
        count: None,
        stages: Vec::new(),
        set: 0,
        binding,
    };
    let rules = vec![rule(ResourceClass::Cbv, 0), rule(ResourceClass::Srv, 16), rule(ResourceClass::Sampler, 48)];
    let options = Options { bindings: BindingModel::Rules(rules), ..Options::default() };
    let stages = [Source::Dxbc(GBUFFER_VS), Source::Dxbc(GBUFFER_PS)];
    let program = TranslatedProgram::translate("g-buffer", stages, &options).unwrap();
    assert_eq!(bindings(&program, 0), [(0, 0), (0, 1), (0, 16)]);
    assert_eq!(bindings(&program, 1).first(), Some(&(0, 18)));
}

#[test]
fn an_error_names_the_stage() {
    let stages = [Source::Dxbc(FULLSCREEN), Source::Dxbc(b"DXBC")];
    let error = TranslatedProgram::translate("broken", stages, &Options::default()).unwrap_err();
    assert!(matches!(&error, Error::Stage { program, index: 1, .. } if program == "broken"));
    assert_eq!(error.code(), ledger::NOT_A_CONTAINER);
    assert!(error.to_string().starts_with("RX0101: broken, stage 1: "), "{error}");
    assert!(!error.remedy().is_empty());
}

#[test]
fn a_program_is_planned_for_a_device() {
    let stages = [Source::Dxbc(GBUFFER_VS), Source::Dxbc(GBUFFER_PS)];
    let program = TranslatedProgram::translate("g-buffer", stages, &Options::default()).unwrap();
    let facts = DeviceFacts::preset("moltenvk-1.4.2-apple7").unwrap();
    let options = PlanOptions::new(&facts, &vendor_fixes::Config::default());
    let [set] = &program.plan(&facts, &options).unwrap()[..] else { panic!("one set") };
    assert_eq!((set.set, set.plan.decision), (0, Decision::Push));
    assert!(set.line().starts_with("g-buffer: push ("), "{}", set.line());
    assert_eq!(set.error(), None);
    // Thirty-one vertex buffers leave no slot, for a pushed set or for another.
    let full = program.with_vertex_input(VertexInput::Bindings { highest: 30, translated: 0 });
    let sets = full.plan(&facts, &options).unwrap();
    assert_eq!(sets[0].error().map(|error| error.code()), Some(rx_renderer::vk::codes::NO_FREE_SLOT));
}

#[test]
fn a_program_without_resources_has_an_empty_set() {
    let program = TranslatedProgram::translate("full screen", [Source::Dxbc(FULLSCREEN)], &Options::default()).unwrap();
    let facts = DeviceFacts::preset("radv").unwrap();
    let sets = program.plan(&facts, &PlanOptions::new(&facts, &vendor_fixes::Config::default())).unwrap();
    assert_eq!(sets.iter().map(|set| set.plan.decision).collect::<Vec<_>>(), [Decision::None]);
}
