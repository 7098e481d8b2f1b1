//! How long does a plan take, and a hundred thousand of them with their layouts interned?
//!
//! A typical program: a vertex and a fragment stage of twelve bindings, on MoltenVK, pushed. Targets: a plan under a
//! microsecond, 100,000 programs under 100 ms.
#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use rx_translate::interface::{Access, DescriptorType as Ty, Stage};
use rx_vendor_fixes::Config;
use rx_vk::layout::{
    Budget, LayoutCache, ProgramInterface, ProgramParts, ProgramStage, StageBinding, StageBits, VertexInput, choose,
    plan,
};
use rx_vk::{DeviceFacts, PlanOptions};

/// Programs that are planned together.
const PROGRAMS: u32 = 100_000;
/// Shapes that they have: as many different layouts.
const SHAPES: u32 = 500;

fn stage(stage: Stage, first: u32, types: &[Ty]) -> ProgramStage {
    let binding = |(number, &ty)| StageBinding { access: Access::Read, ..StageBinding::new(number, ty, 1) };
    ProgramStage { bindings: (first..).zip(types).map(binding).collect(), ..ProgramStage::new(stage) }
}

/// Twelve bindings from a first number on.
fn program(first: u32) -> ProgramInterface {
    let vertex = [Ty::UniformBuffer, Ty::UniformBuffer, Ty::StorageBuffer];
    let fragment = [
        Ty::UniformBuffer,
        Ty::UniformBuffer,
        Ty::SampledImage,
        Ty::SampledImage,
        Ty::SampledImage,
        Ty::SampledImage,
        Ty::StorageImage,
        Ty::Sampler,
        Ty::Sampler,
    ];
    ProgramParts {
        name: "typical".to_owned(),
        stages: vec![stage(Stage::Vertex, first, &vertex), stage(Stage::Fragment, first + 3, &fragment)],
        push_constants: StageBits::of(Stage::Vertex),
        vertex_input: VertexInput::Bindings { highest: 2, translated: 0 },
        ..ProgramParts::default()
    }
    .build()
    .expect("a sound program")
}

fn main() {
    let mut criterion = Criterion::default()
        .configure_from_args()
        .measurement_time(Duration::from_secs(3))
        .warm_up_time(Duration::from_secs(1));
    let typical = program(0);
    for name in ["moltenvk-1.4.2-apple7", "radv"] {
        let facts = DeviceFacts::preset(name).expect("a preset");
        for budget in [Budget::Worst, Budget::Exact] {
            let options = PlanOptions { budget, ..PlanOptions::new(&facts, &Config::default()) };
            criterion.bench_function(&format!("plan/{name}/{}", budget.name()), |bencher| {
                bencher.iter(|| plan(black_box(&typical), black_box(&facts), black_box(&options)));
            });
        }
    }
    let facts = DeviceFacts::preset("moltenvk-1.4.2-apple7").expect("a preset");
    let options = PlanOptions::new(&facts, &Config::default());
    criterion.bench_function("choose/moltenvk-1.4.2-apple7", |bencher| {
        bencher.iter(|| choose(black_box(&typical), black_box(&facts), black_box(&options)));
    });
    let programs: Vec<ProgramInterface> = (0..SHAPES).map(program).collect();
    criterion.bench_function("plan_and_intern/100000", |bencher| {
        bencher.iter(|| {
            let mut cache = LayoutCache::new();
            for program in programs.iter().cycle().take(PROGRAMS as usize) {
                let plan = plan(black_box(program), &facts, &options);
                if let Some(layout) = plan.set_layout(program) {
                    black_box(cache.intern(&layout));
                }
            }
            cache.len()
        });
    });
    criterion.final_summary();
}
