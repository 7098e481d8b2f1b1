//! What each fix does: on the driver that it names, on one that it does not, and forced both ways. Translation fixes
//! reach the profile and every cache's key; layout and pipeline fixes reach neither.
#![allow(clippy::single_range_in_vec_init)] // The ranges of fills, one here and several there.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use ash::vk;
use rx_translate::interface::{DescriptorType, Stage};
use rx_translate::{Features, Profile, Robustness, RobustnessByClass, Source, Target, TranslationFixes, Translator};
use rx_vendor_fixes::{ActsOn, Config, DriverId, FIXES, Fix, FixId, Forced, ResolvedFixes, Version};
use rx_vk::facts::{ChipFacts, ShaderFacts};
use rx_vk::layout::report::PlanCounters;
use rx_vk::layout::{
    Decision, ProgramInterface, ProgramParts, ProgramStage, Reason, StageBinding, StageBits, plan_sets, set_layouts,
};
use rx_vk::{DeviceFacts, DynamicFeatures, EMPTY_FRAGMENT_SHADER, PipelineFixes, PlanOptions, plan, profile};

fn device(driver: DriverId, version: Option<Version>, name: &str) -> DeviceFacts {
    let chip = ChipFacts { name: Some(name.to_owned()), ..ChipFacts::default() };
    DeviceFacts { driver_id: Some(driver), driver_version: version, chip, ..DeviceFacts::unknown() }
}

fn forced(id: FixId, how: Forced) -> Config {
    let mut config = Config::default();
    config.force(id, how);
    config
}

fn stage(stage: Stage, bindings: &[(u32, DescriptorType)]) -> ProgramStage {
    let bindings = bindings.iter().map(|&(number, ty)| StageBinding::new(number, ty, 1)).collect();
    ProgramStage { bindings, ..ProgramStage::new(stage) }
}

fn program(stages: Vec<ProgramStage>) -> ProgramInterface {
    ProgramParts { name: "program".to_owned(), stages, ..ProgramParts::default() }.build().unwrap()
}

fn small() -> ProgramInterface {
    program(vec![stage(Stage::Vertex, &[(0, DescriptorType::UniformBuffer)])])
}

fn digest(profile: &Profile) -> u64 {
    let mut hasher = DefaultHasher::new();
    profile.hash(&mut hasher);
    hasher.finish()
}

fn of_kind(kind: ActsOn) -> impl Iterator<Item = &'static Fix> {
    FIXES.iter().copied().filter(move |fix| fix.acts_on == kind)
}

#[test]
fn a_translation_fix_reaches_the_profile_and_its_key_and_no_other_fix_does() {
    let facts = DeviceFacts::unknown();
    let plain = profile(&facts, &ResolvedFixes::NONE);
    assert_eq!(plain, Profile::default());
    let mut keys = vec![digest(&plain)];
    for fix in FIXES {
        let with = profile(&facts, &ResolvedFixes::NONE.with(fix.id, true));
        let json = |profile: &Profile| serde_json::to_string(profile).unwrap();
        if fix.acts_on == ActsOn::Translation {
            assert!(!keys.contains(&digest(&with)), "{}", fix.name);
            assert_ne!(json(&with), json(&plain), "{}", fix.name);
            keys.push(digest(&with));
        } else {
            assert_eq!(with, plain, "{}", fix.name);
            assert_eq!(json(&with), json(&plain), "{}", fix.name);
        }
    }
    assert!(keys.len() >= 6);
}

#[test]
fn each_field_of_the_translations_fixes_is_one_fix() {
    let fixes = |id| profile(&DeviceFacts::unknown(), &ResolvedFixes::NONE.with(id, true)).fixes;
    let none = TranslationFixes::NONE;
    let cases = [
        (FixId::PointSize, TranslationFixes { point_size: true, ..none }),
        (FixId::SineRange, TranslationFixes { sine_range: true, ..none }),
        (FixId::IntToFloat, TranslationFixes { int_to_float: true, ..none }),
        (FixId::SplitClamp, TranslationFixes { split_clamp: true, ..none }),
        (FixId::DenseSwitch, TranslationFixes { dense_switch: true, ..none }),
        (FixId::FloatBits, TranslationFixes { float_bits: true, ..none }),
        (FixId::BareVaryings, TranslationFixes { bare_varyings: true, ..none }),
        (FixId::ExplicitBounds, none),
    ];
    for (id, want) in cases {
        assert_eq!(fixes(id), want, "{id:?}");
    }
    assert_eq!(of_kind(ActsOn::Translation).count(), cases.len());
}

#[test]
fn explicit_bounds_and_a_device_without_robustness_give_guards() {
    let of = |facts: &DeviceFacts, fixes: &ResolvedFixes| profile(facts, fixes).robustness;
    let mut facts = DeviceFacts::unknown();
    let device = RobustnessByClass::all(Robustness::Device);
    assert_eq!(of(&facts, &ResolvedFixes::NONE), device);
    let explicit = RobustnessByClass::all(Robustness::Explicit);
    assert_eq!(of(&facts, &ResolvedFixes::NONE.with(FixId::ExplicitBounds, true)), explicit);
    facts.shaders = ShaderFacts { robust_buffers: Some(true), robust_images: Some(true), ..ShaderFacts::default() };
    assert_eq!(of(&facts, &ResolvedFixes::NONE), device);
    facts.shaders.robust_images = Some(false);
    assert_eq!(of(&facts, &ResolvedFixes::NONE), RobustnessByClass { image: Robustness::Explicit, ..device });
    facts.shaders.robust_buffers = Some(false);
    assert_eq!(of(&facts, &ResolvedFixes::NONE), explicit);
}

/// A compute shader that stores the word of a raw buffer that a thread's number names, in Direct3D's tokens.
fn raw_load() -> Vec<u8> {
    let op = |opcode: u32, operands: &[u32]| {
        let mut words = vec![opcode | (operands.len() as u32 + 1) << 24];
        words.extend_from_slice(operands);
        words
    };
    let (thread, zero, r0) = (0x0002_000a, [0x0000_4001, 0], [0x0010_0012, 0]);
    let code = [
        op(161, &[0x0010_7000, 0]),                                   // dcl_resource_raw t0
        op(157, &[0x0011_e000, 0]),                                   // dcl_uav_raw u0
        op(95, &[0x0002_0012]),                                       // dcl_input vThreadID.x
        op(104, &[1]),                                                // dcl_temps 1
        op(155, &[64, 1, 1]),                                         // dcl_thread_group
        op(165, &[r0[0], 0, thread, 0x0010_7e46, 0]),                 // ld_raw r0.x, vThreadID.x, t0
        op(166, &[0x0011_e012, 0, zero[0], zero[1], 0x0010_000a, 0]), // store_raw u0.x, l(0), r0.x
        vec![62 | 1 << 24],                                           // ret
    ];
    let mut words = vec![5 << 16 | 0x50, 0];
    words.extend(code.iter().flatten());
    words[1] = words.len() as u32;
    let size = 4 * words.len() as u32;
    let mut bytes = b"DXBC".to_vec();
    bytes.extend([0u8; 16]);
    bytes.extend([1, 36 + 8 + size, 1, 36].into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(b"SHEX");
    bytes.extend(size.to_le_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

#[test]
fn explicit_bounds_writes_guards_and_layout_and_pipeline_fixes_write_the_same_words() {
    let facts = DeviceFacts::unknown();
    let shader = raw_load();
    let words = |fixes: &ResolvedFixes| {
        let options = rx_translate::Options { profile: profile(&facts, fixes), ..rx_translate::Options::default() };
        Translator::new(options).translate(Source::Dxbc(&shader)).unwrap().spirv
    };
    let plain = words(&ResolvedFixes::NONE);
    let guarded = words(&ResolvedFixes::NONE.with(FixId::ExplicitBounds, true));
    assert!(guarded.len() > plain.len(), "{} to {} words", plain.len(), guarded.len());
    for fix in of_kind(ActsOn::Layout).chain(of_kind(ActsOn::Pipeline)) {
        assert_eq!(words(&ResolvedFixes::NONE.with(fix.id, true)), plain, "{}", fix.name);
    }
}

#[test]
fn a_profile_has_what_the_device_says() {
    let mut facts = DeviceFacts::unknown();
    let features = Features { float64: false, ..Features::full() };
    facts.shaders.features = Some(features);
    facts.shaders.target = Some(Target::Vulkan12);
    let own = profile(&facts, &ResolvedFixes::NONE);
    assert_eq!((own.features, own.target), (features, Target::Vulkan12));
}

#[test]
fn a_driver_gets_its_translation_fixes_in_the_profile() {
    let of = |driver, version| {
        let facts = device(driver, version, "");
        profile(&facts, &PlanOptions::new(&facts, &Config::default()).fixes).fixes
    };
    let anv = DriverId::INTEL_OPEN_SOURCE_MESA;
    let sine_range = TranslationFixes { sine_range: true, ..TranslationFixes::NONE };
    assert_eq!(of(anv, Some(Version::new(25, 0, 3))), sine_range);
    assert_eq!(of(anv, Some(Version::new(25, 0, 2))), TranslationFixes { point_size: true, ..sine_range });
    assert_eq!(of(DriverId::MOLTENVK, None), TranslationFixes::NONE);
    assert_eq!(of(DriverId::NVIDIA_PROPRIETARY, Some(Version::new(580, 0, 0))), TranslationFixes::NONE);
    let qualcomm = TranslationFixes { split_clamp: true, bare_varyings: true, ..TranslationFixes::NONE };
    assert_eq!(of(DriverId::QUALCOMM_PROPRIETARY, None), qualcomm);
}

#[test]
fn no_push_fixes_give_a_set_and_count_it() {
    let cases = [
        (FixId::NoPushArc, device(DriverId::INTEL_PROPRIETARY_WINDOWS, None, "Intel(R) Arc(TM) A770 Graphics")),
        (FixId::NoPushAmd, device(DriverId::AMD_PROPRIETARY, Some(Version::new(2, 0, 226)), "AMD Radeon RX 580")),
        (FixId::NoPushGeforce, device(DriverId::NVIDIA_PROPRIETARY, None, "NVIDIA GeForce GTX 1080")),
    ];
    for (id, affected) in cases {
        let fix = FIXES[id as usize];
        let decide = |facts: &DeviceFacts, config: &Config| plan(&small(), facts, &PlanOptions::new(facts, config));
        let own = decide(&affected, &Config::default());
        assert_eq!((own.decision, own.reason()), (Decision::Set, Some(Reason::NoPushDescriptors)), "{}", fix.name);
        assert!(!own.exact_would_push && own.layout_flags.is_empty());
        let counters = PlanCounters::new();
        counters.record(&own);
        let line = format!(
            "{}: 1 program moved from pushed to set: 1 no_push_descriptors ({}=0 turns this off)",
            fix.name, fix.switch
        );
        assert_eq!(counters.lines(), [line]);
        assert_eq!(decide(&affected, &forced(id, Forced::Off)).decision, Decision::Push);
        let other = device(DriverId::MESA_RADV, None, "AMD Radeon RX 7900");
        assert_eq!(decide(&other, &Config::default()).decision, Decision::Push);
        let moved = decide(&other, &forced(id, Forced::On));
        assert_eq!(moved.reason(), Some(Reason::NoPushDescriptors));
        assert!(rx_vk::layout::print::explanation(&moved).contains(fix.switch));
    }
}

#[test]
fn fill_empty_sets_keeps_the_sets_numbers() {
    let texture = program(vec![stage(Stage::Fragment, &[(0, DescriptorType::SampledImage)])]);
    let sets = [small(), program(Vec::new()), texture, program(Vec::new())];
    let facts = DeviceFacts::unknown();
    let layouts = |on| {
        let fixes = ResolvedFixes::NONE.with(FixId::FillEmptySets, on);
        let options = PlanOptions { fixes, ..PlanOptions::new(&facts, &Config::default()) };
        let plans = plan_sets(&sets, &facts, &options);
        let layouts = set_layouts(&sets, &plans, &fixes).unwrap();
        layouts.iter().map(|layout| layout.bindings.to_vec()).collect::<Vec<_>>()
    };
    let plain = layouts(false);
    assert_eq!(plain.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 1, 0]);
    let filled = layouts(true);
    assert_eq!(filled.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1, 0], "nothing follows the last");
    assert_eq!((filled[1][0].ty, filled[1][0].stages), (DescriptorType::UniformBuffer, StageBits::EMPTY));
    assert_eq!([&filled[0], &filled[2]], [&plain[0], &plain[2]]);
    let adreno = device(DriverId::QUALCOMM_PROPRIETARY, None, "Adreno (TM) 540");
    assert!(PlanOptions::new(&adreno, &Config::default()).fixes.on(FixId::FillEmptySets));
}

#[test]
fn set_layouts_of_an_error_are_none() {
    let sets = [small()];
    let facts = DeviceFacts::unknown();
    let mut plans = plan_sets(&sets, &facts, &PlanOptions::new(&facts, &Config::default()));
    plans[0].decision = Decision::Error;
    assert_eq!(set_layouts(&sets, &plans, &ResolvedFixes::NONE), None);
}

#[test]
fn each_field_of_the_pipeline_fixes_is_one_fix() {
    let none = PipelineFixes::default();
    assert_eq!(PipelineFixes::new(&ResolvedFixes::NONE), none);
    let cases = [
        (FixId::WholePush, PipelineFixes { whole_push: true, ..none }),
        (FixId::SplitFills, PipelineFixes { split_fills: true, ..none }),
        (FixId::MeshFragmentStage, PipelineFixes { mesh_fragment_stage: true, ..none }),
        (FixId::Rgb9e5Mask, PipelineFixes { rgb9e5_mask: true, ..none }),
        (FixId::NoDynamicState, PipelineFixes { no_dynamic_state: true, ..none }),
        (FixId::NoDynamicRendering, PipelineFixes { no_dynamic_rendering: true, ..none }),
        (FixId::NoDynamicVertexInput, PipelineFixes { no_dynamic_vertex_input: true, ..none }),
        (FixId::NoUpdateTemplates, PipelineFixes { no_update_templates: true, ..none }),
    ];
    for (id, want) in cases {
        assert_eq!(PipelineFixes::new(&ResolvedFixes::NONE.with(id, true)), want, "{id:?}");
    }
    assert_eq!(of_kind(ActsOn::Pipeline).count(), cases.len());
}

#[test]
fn a_pipeline_fix_changes_no_plan() {
    let facts = DeviceFacts::unknown();
    let plain = PlanOptions::new(&facts, &Config::default());
    for fix in of_kind(ActsOn::Pipeline).chain(of_kind(ActsOn::Translation)) {
        let options = PlanOptions { fixes: plain.fixes.with(fix.id, true), ..plain };
        assert_eq!(plan(&small(), &facts, &options), plan(&small(), &facts, &plain), "{}", fix.name);
    }
}

#[test]
fn whole_push_pushes_all_bindings_when_one_changed() {
    let whole = PipelineFixes { whole_push: true, ..PipelineFixes::default() };
    assert_eq!(PipelineFixes::default().to_push(1..2, 4), 1..2);
    assert_eq!(whole.to_push(1..2, 4), 0..4);
    assert_eq!(whole.to_push(1..1, 4), 1..1, "nothing changed");
}

#[test]
fn split_fills_begins_large_fills_at_sixteen() {
    let fixes = PipelineFixes { split_fills: true, ..PipelineFixes::default() };
    let fills = |fixes: PipelineFixes, range| fixes.fills(range).collect::<Vec<_>>();
    assert_eq!(fills(fixes, 4..8196), [4..16, 16..8196]);
    assert_eq!(fills(fixes, 4..4100), [4..16, 16..4100], "exactly 4096");
    assert_eq!(fills(fixes, 4..4096), [4..4096], "less");
    assert_eq!(fills(fixes, 16..8192), [16..8192]);
    assert_eq!(fills(fixes, 8..8).len(), 0);
    assert_eq!(fills(PipelineFixes::default(), 4..8196), [4..8196]);
}

#[test]
fn mesh_fragment_stage_is_added_where_there_is_none() {
    let fixes = PipelineFixes { mesh_fragment_stage: true, ..PipelineFixes::default() };
    let bits = |stages: &[Stage]| stages.iter().copied().collect::<StageBits>();
    assert!(fixes.needs_fragment_stage(bits(&[Stage::Task, Stage::Mesh])));
    assert!(!fixes.needs_fragment_stage(bits(&[Stage::Mesh, Stage::Fragment])));
    assert!(!fixes.needs_fragment_stage(bits(&[Stage::Vertex])));
    assert!(!PipelineFixes::default().needs_fragment_stage(bits(&[Stage::Mesh])));
    // The shader is one that rx itself takes.
    let bytes: Vec<u8> = EMPTY_FRAGMENT_SHADER.iter().flat_map(|word| word.to_le_bytes()).collect();
    let taken = Translator::default().translate(Source::Spirv(&bytes)).unwrap();
    assert_eq!(taken.interface.stage, Stage::Fragment);
    assert!(taken.interface.resources.is_empty() && taken.interface.outputs.is_empty());
}

#[test]
fn rgb9e5_mask_has_alpha_with_the_colours() {
    let fixes = PipelineFixes { rgb9e5_mask: true, ..PipelineFixes::default() };
    let rgb = vk::ColorComponentFlags::R | vk::ColorComponentFlags::G | vk::ColorComponentFlags::B;
    let shared = vk::Format::E5B9G9R9_UFLOAT_PACK32;
    assert_eq!(fixes.write_mask(shared, rgb), vk::ColorComponentFlags::RGBA);
    assert_eq!(fixes.write_mask(shared, vk::ColorComponentFlags::R), vk::ColorComponentFlags::R);
    assert_eq!(fixes.write_mask(vk::Format::R8G8B8A8_UNORM, rgb), rgb);
    assert_eq!(PipelineFixes::default().write_mask(shared, rgb), rgb);
}

#[test]
fn features_that_do_not_work_stay_off() {
    let all =
        DynamicFeatures { dynamic_state: true, dynamic_state_2: true, dynamic_rendering: true, vertex_input: true };
    let none = PipelineFixes::default();
    assert_eq!(none.usable(all), all);
    assert_eq!(none.usable(DynamicFeatures::default()), DynamicFeatures::default());
    let state = PipelineFixes { no_dynamic_state: true, ..none }.usable(all);
    assert_eq!(state, DynamicFeatures { dynamic_state: false, dynamic_state_2: false, ..all });
    let rendering = PipelineFixes { no_dynamic_rendering: true, ..none }.usable(all);
    assert_eq!(rendering, DynamicFeatures { dynamic_rendering: false, ..all });
    let input = PipelineFixes { no_dynamic_vertex_input: true, ..none }.usable(all);
    assert_eq!(input, DynamicFeatures { vertex_input: false, ..all });
}

#[test]
fn no_update_templates_for_texel_buffers() {
    let fixes = PipelineFixes { no_update_templates: true, ..PipelineFixes::default() };
    for texel in [DescriptorType::UniformTexelBuffer, DescriptorType::StorageTexelBuffer] {
        assert!(!fixes.may_use_template([DescriptorType::Sampler, texel]));
        assert!(PipelineFixes::default().may_use_template([texel]));
    }
    assert!(fixes.may_use_template([DescriptorType::UniformBuffer, DescriptorType::StorageImage]));
}
