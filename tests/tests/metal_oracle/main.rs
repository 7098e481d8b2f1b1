//! The Metal oracle: what the planner says of Metal's tables, held against the shaders that Metal would get.
//!
//! Each stage of a program is compiled by SPIRV-Cross's Metal back end with MoltenVK's indexes and options, its set
//! pushed, that is bound slot by slot; then the entry point is read back. Where a plan says *push*, every index must lie
//! within its table, none may come twice, and at most eight textures may be read_write. Where the exact model refuses a
//! program for a table, the same compilation must show an index past it. Over the fixture's layouts, the scene's
//! programs and every shader of the corpus; what is pushed also over programs that are generated.
//!
//! What it cannot show, since no Metal compiler and no MoltenVK runs:
//!
//! - whether Metal takes the text, and what a shader then does: the lost lengths of pushed buffers and the lost swizzles
//!   are faults of MoltenVK's run time, the text is right;
//! - whether Metal's limit of eight read_write textures holds inside an argument buffer, and whether an argument buffer
//!   is resident: an ordinary set is not compiled here;
//! - an implicit buffer that SPIRV-Cross never writes: the one of reversed-depth viewports (old AMD GPUs). There the
//!   refusal is counted, not shown;
//! - the buffer that MoltenVK keeps beside each storage texture where the GPU lacks texture atomics: it is written where
//!   the code has atomics alone. There too the refusal is counted;
//! - that vertex buffers reach a slot: they are no arguments of the function. Their slots are taken as reserved, and
//!   those of tessellation's inputs;
//! - MoltenVK's own SPIRV-Cross: each release has a revision of its own, the crate has another. Indexes are given to
//!   it, not chosen by it, so that it decides little of what is read back;
//! - a binding that no variable of the code stands at. It takes its index and shows nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod fixture;
mod generated;
mod moltenvk;
mod msl;
mod scene;
mod shapes;

use moltenvk::Device;
use msl::Declared;
use rx_tests::shaders;
use rx_translate::interface::{DescriptorType, SignatureElement, Stage};
use rx_translate::{Features, Options, Profile, Source, StageInterface, Translator};
use rx_vk::layout::{Budget, Cause, Decision, LayoutPlan, PlanOptions, ProgramInterface, Table, plan};
use std::collections::{BTreeMap, BTreeSet};

/// The devices that the fixture's layouts and the scene are judged on.
const DEVICES: &[&str] = &[
    "moltenvk-1.4.0-a11",
    "moltenvk-1.4.0-amd",
    "moltenvk-1.4.0-amd-metal3",
    "moltenvk-1.4.0-apple7",
    "moltenvk-1.4.0-intel-tier1",
    "moltenvk-1.4.1-a11",
    "moltenvk-1.4.1-amd",
    "moltenvk-1.4.1-amd-metal3",
    "moltenvk-1.4.1-apple7",
    "moltenvk-1.4.1-intel-tier1",
    "moltenvk-1.4.2-a11",
    "moltenvk-1.4.2-amd",
    "moltenvk-1.4.2-amd-metal3",
    "moltenvk-1.4.2-apple7",
    "moltenvk-1.4.2-intel-tier1",
    "moltenvk-1.4.2-mac1",
];

/// Those of the corpus: the three releases, and a GPU with a smaller table and no texture atomics.
const CORPUS_DEVICES: &[&str] =
    &["moltenvk-1.4.0-apple7", "moltenvk-1.4.1-apple7", "moltenvk-1.4.2-apple7", "moltenvk-1.4.2-a11"];

/// Sets of a pipeline layout under MoltenVK (MVKDevice.mm:3083).
const MOST_SETS: u32 = 8;

/// A program and the words of its stages. What is planned and pushed is set 0.
struct Subject {
    /// What the planner sees.
    program: ProgramInterface,
    /// Stage, stage bit, words.
    stages: Vec<(Stage, Stage, Vec<u32>)>,
    /// Sets and bindings beside it.
    others: Vec<(u32, u32)>,
}

/// What the oracle found, by kind.
#[derive(Default)]
struct Findings {
    counts: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Findings {
    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    fn merge(&mut self, other: Findings) {
        for (what, n) in other.counts {
            *self.counts.entry(what).or_default() += n;
        }
        self.wrong.extend(other.wrong);
    }

    fn finish(self, what: &str) {
        println!("{what}: {:#?}", self.counts);
        assert!(!self.counts.is_empty(), "{what}: there was nothing to judge");
        let list = self.wrong.iter().take(60).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.wrong.is_empty(), "{what}: {} disagreements:\n{list}", self.wrong.len());
    }
}

fn judge(device: &Device, subject: &Subject) -> Findings {
    let mut found = Findings::default();
    let (config, _) = rx_vendor_fixes::read(std::iter::empty::<(&str, &str)>());
    let options = PlanOptions::new(&device.facts, &config);
    let answer = |budget| plan(&subject.program, &device.facts, &PlanOptions { budget, ..options });
    let (worst, exact) = (answer(Budget::Worst), answer(Budget::Exact));
    let place = format!("{} on {}", subject.program.name(), device.facts.name);
    let pushed = [&worst, &exact].into_iter().any(|plan| plan.decision == Decision::Push);
    let refusal = refusal(&exact);
    if !pushed && refusal.is_none() {
        found.count(format!("not judged: {}", exact.reason().map_or("no binding", |reason| reason.name())));
        return found;
    }
    let mut past = Vec::new();
    for (stage, bit, words) in &subject.stages {
        match msl::compile(device, subject, words, *stage, *bit) {
            Ok(declared) => past.extend(violations(device, &subject.program, *bit, &declared)),
            Err(why) if refusal == Some(Refusal::Alias) => past.push((None, why)),
            Err(why) => {
                let why = why.lines().next().unwrap_or_default();
                found.wrong.push(format!("{place}: {stage:?}: the back end says {why}"));
                return found;
            }
        }
    }
    if pushed {
        found.count("pushed, and fits");
        found.wrong.extend(past.iter().map(|(_, why)| format!("{place}: planned to be pushed, but {why}")));
    }
    match refusal {
        Some(Refusal::Table(table, ..)) if past.iter().any(|(of, _)| *of == Some(table)) => {
            found.count(format!("refused for its {}, and past them", table.name()));
        }
        Some(Refusal::Alias) if !past.is_empty() => found.count("refused for an aliased array, and not compiled"),
        Some(Refusal::Table(Table::Buffers, bit)) if device.model.reversed_depth && has_depth_buffer(bit) => {
            found.count("refused for its buffers, one of which is never written");
        }
        Some(Refusal::Table(Table::Buffers, bit))
            if !device.model.native_atomics && has_storage_textures(subject, bit) =>
        {
            found.count("refused for its buffers, of which a storage texture's is written for atomics alone");
        }
        Some(refusal) => found.wrong.push(format!("{place}: {refusal:?}, but the text shows {past:?}")),
        None => {}
    }
    found
}

/// Stages that have the implicit buffer of reversed-depth viewports.
fn has_depth_buffer(bit: Stage) -> bool {
    matches!(bit, Stage::Vertex | Stage::TessellationEvaluation)
}

/// Without texture atomics MoltenVK keeps a buffer's slot beside each storage texture, whether its code has atomics or not.
fn has_storage_textures(subject: &Subject, bit: Stage) -> bool {
    let is_one = |ty| matches!(ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer);
    subject.program.bindings().iter().any(|own| own.stages.has(bit) && is_one(own.ty))
}

/// Why the exact model refuses to push, where a table is the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Table(Table, Stage),
    Alias,
}

fn refusal(exact: &LayoutPlan) -> Option<Refusal> {
    match exact.cause {
        Cause::Table { table, stage, .. } | Cause::NoRelief { table, stage, .. } => Some(Refusal::Table(table, stage)),
        Cause::AliasedArray { .. } | Cause::NoReliefAliased { .. } => Some(Refusal::Alias),
        _ => None,
    }
}

/// What of a module's entry point Metal does not take, by table.
fn violations(
    device: &Device,
    program: &ProgramInterface,
    bit: Stage,
    declared: &Declared,
) -> Vec<(Option<Table>, String)> {
    let buffers = moltenvk::BUFFERS.saturating_sub(moltenvk::reserved(program, bit));
    let limits = [buffers, device.textures(), moltenvk::SAMPLERS];
    let mut found = Vec::new();
    for ((slots, limit), table) in declared.tables.iter().zip(limits).zip(Table::ALL) {
        let mut taken = BTreeSet::new();
        for (slot, argument) in slots {
            let reserved = msl::is_of_tessellation(argument) && *slot < moltenvk::BUFFERS;
            if *slot >= limit && !reserved {
                found.push((Some(table), format!("{bit:?}: {argument}: slot {slot} of {limit}")));
            } else if !taken.insert(slot) {
                found.push((Some(table), format!("{bit:?}: {argument}: slot {slot} is taken twice")));
            }
        }
    }
    if declared.read_write > moltenvk::READ_WRITE {
        let why = format!("{bit:?}: {} read_write textures", declared.read_write);
        found.push((Some(Table::ReadWriteTextures), why));
    }
    found
}

fn judge_all(what: &str, devices: &[&str], subjects: &[Subject]) {
    let mut all = Findings::default();
    for name in devices {
        let device = Device::preset(name);
        for found in shaders::on_all_processors(subjects, |subject| judge(&device, subject)) {
            all.merge(found);
        }
    }
    all.finish(what);
}

#[test]
fn the_fixtures_layouts_fit_as_planned() {
    judge_all("the fixture's layouts", DEVICES, &fixture::subjects());
}

#[test]
fn the_scenes_programs_fit_as_planned() {
    judge_all("the scene's programs", DEVICES, &scene::subjects());
}

#[test]
fn the_corpus_fits_as_planned() {
    let Some(files) = shaders::corpus() else { return };
    // What MoltenVK does not offer.
    let features = Features { residency: false, float64: false, ..Features::full() };
    let profile = Profile { features, ..Profile::default() };
    let translator = Translator::new(Options { profile, ..Options::default() });
    let subjects = shaders::on_all_processors(&files, |file| {
        let translation = translator.translate(Source::Dxbc(&file.bytes)).ok()?;
        let stage = translation.interface.stage;
        let others = translation.interface.resources.iter().filter(|r| r.set > 0).map(|r| (r.set, r.binding));
        let others: Vec<_> = others.collect();
        let program = ProgramInterface::from_stages(&file.name, &[translation.interface], 0).unwrap();
        let fits = others.iter().all(|(set, _)| *set < MOST_SETS);
        fits.then(|| Subject { program, stages: vec![(stage, stage, translation.spirv)], others })
    });
    let subjects: Vec<_> = subjects.into_iter().flatten().collect();
    println!("the corpus: {} of {} shaders are judged", subjects.len(), files.len());
    judge_all("the corpus", CORPUS_DEVICES, &subjects);
}

/// The hull and domain shaders at hand, each alone and with nothing bound but what it declares: SPIRV-Cross has a form
/// for every signature, also for one whose elements share registers. Isolines aside, which Metal has not.
#[test]
fn every_tessellation_stage_compiles() {
    let mut files = shaders::own();
    files.extend(shaders::corpus().into_iter().flatten());
    files.retain(|file| matches!(file.stage(), Some(Stage::TessellationControl | Stage::TessellationEvaluation)));
    let device = Device::preset("moltenvk-1.4.2-apple7");
    let compiled = shaders::on_all_processors(&files, |file| {
        let translation = Translator::default().translate(Source::Dxbc(&file.bytes)).unwrap();
        let stage = translation.interface.stage;
        let is_isoline = translation.interface.tessellation.as_ref().is_some_and(|own| own.domain == "isoline");
        let shares = registers_shared(&translation.interface);
        let program = ProgramInterface::from_stages(&file.name, &[translation.interface], 0).unwrap();
        let subject = Subject { program, stages: Vec::new(), others: Vec::new() };
        let compiled = msl::compile(&device, &subject, &translation.spirv, stage, stage);
        let why = compiled.err().filter(|why| !(is_isoline && why.contains("isoline tessellation")));
        (shares, why.map(|why| format!("{}: {why}", file.name)))
    });
    let wrong: Vec<_> = compiled.iter().filter_map(|(_, why)| why.as_deref()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
    let shared = compiled.iter().filter(|(shares, _)| *shares).count();
    println!("{} hull and domain shaders, {shared} of which share registers", files.len());
    assert!(shared > 10, "{shared} of {} share a register", files.len());
}

/// Whether two elements of a signature have one location, or one begins past its first component.
fn registers_shared(interface: &StageInterface) -> bool {
    let sides = [&interface.inputs, &interface.outputs, &interface.patch_constants];
    sides.into_iter().any(|side| {
        let located: Vec<_> = side.iter().filter(|e| e.location.is_some()).collect();
        let past = |e: &&SignatureElement| !e.mask.starts_with('x');
        located.iter().any(past)
            || located.iter().enumerate().any(|(n, a)| located[..n].iter().any(|b| a.location == b.location))
    })
}
