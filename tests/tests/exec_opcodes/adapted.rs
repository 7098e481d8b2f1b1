//! The adapted rows of the ledger, each with and without what lifts it: the results differ where the row says so, and
//! nowhere else.

use crate::run::{COVERING, Program, Run, code, each, onto};
use crate::want::{Want, check, check_bits};
use rx_tests::vulkan::{Draw, Registers, Stage, TextureOptions, Topology, Translations, t, u};
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::{Code, Features, Robustness, RobustnessByClass, ledger};

fn notes(translations: &Translations, code: &[u8]) -> Vec<Code> {
    translations.translate(code, 0).unwrap().notes.iter().map(|note| note.code).collect()
}

fn features(run: &Run<'_>) -> Features {
    Features { residency: false, ..run.session.device.enabled.features }
}

/// Each vertex stores its ids at its column and row.
const IDS: &str = "vs_5_0
dcl_globalFlags refactoringAllowed
dcl_input_sgv v0.x, vertex_id
dcl_input_sgv v0.y, instance_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 1
utof o1.xy, v0.xyxx
mov o1.zw, l(0, 0, 0, 0)
mov o0.xyzw, l(0, 0, 0, 1.0)
ret
";

const IDS_OUT: &str = "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.xyzw
ret
";

#[test]
fn ids_differ_by_the_base_alone() {
    each(|run| {
        let (vertex, pixel, none) = (code(IDS), code(IDS_OUT), Registers::new());
        for (draw_parameters, first) in [(true, [0, 0]), (true, [5, 3]), (false, [0, 0]), (false, [5, 3])] {
            if draw_parameters && !features(run).draw_parameters {
                continue;
            }
            let features = Features { draw_parameters, ..features(run) };
            let translations = run.translations.without_residency().for_points().with_features(features);
            let noted = notes(&translations, &vertex);
            assert_eq!(noted.contains(&ledger::IDS_WITH_BASE), !draw_parameters, "{noted:?}");
            let target = run.target(2, 1, 1);
            let stages = [&vertex, &pixel].map(|code| Stage { code, registers: &none }).to_vec();
            let draw = Draw { topology: Topology::PointList, ..Draw::new(stages).onto(&target) };
            // One point: the third vertex and second instance of as many are drawn last.
            let draw = Draw { vertices: 3, instances: 2, first_vertex: first[0], first_instance: first[1], ..draw };
            draw.run(&translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
            let base = if draw_parameters { [0, 0] } else { first };
            let want = [(2 + base[0]) as f32, (1 + base[1]) as f32, 0.0, 0.0].map(f32::to_bits);
            let name = format!("base {first:?}, draw parameters {draw_parameters}, {}", run.name);
            check_bits(&name, &target.words(0).unwrap(), &want);
        }
    });
}

/// Loads with a status, inside, across the end, and past it.
const STATUSES: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_resource_structured t1, 12
dcl_uav_raw u0
dcl_temps 4
dcl_thread_group 1, 1, 1
ld_raw_s r0.xyz, r0.w, l(0), t0.xyzw
check_access_fully_mapped r0.w, r0.w
store_raw u0.xyzw, l(0), r0.xyzw
ld_raw_s r0.xyz, r0.w, l(16), t0.xyzw
check_access_fully_mapped r0.w, r0.w
store_raw u0.xyzw, l(16), r0.xyzw
ld_structured_s r0.xyz, r0.w, l(1), l(0), t1.xyzw
check_access_fully_mapped r0.w, r0.w
store_raw u0.xyzw, l(32), r0.xyzw
ld_structured_s r0.xyz, r0.w, l(7), l(0), t1.xyzw
check_access_fully_mapped r0.w, r0.w
store_raw u0.xyzw, l(48), r0.xyzw
ret
";

#[test]
fn statuses_of_memory_that_is_there_are_right() {
    each(|run| {
        let shader = code(STATUSES);
        for residency in [false, true] {
            if residency && !run.session.device.enabled.features.residency {
                println!("skipped: the device has no shaderResourceResidency");
                continue;
            }
            let features = Features { residency, ..features(run) };
            let translations = run.translations.without_residency().with_features(features);
            assert_eq!(notes(&translations, &shader).contains(&ledger::BUFFER_RESIDENCY), residency);
            let (t0, t1) = (run.words(&[1, 2, 3, 4, 5]), run.words(&[6, 7, 8, 9, 10, 11]));
            let u0 = run.filled(16, 0xeeee_eeee);
            let registers = Registers::new().buffer(t(0), &t0).buffer(t(1), &t1).buffer(u(0), &u0);
            let stage = Stage { code: &shader, registers: &registers };
            let dispatch = rx_tests::vulkan::Dispatch { stage, groups: [1, 1, 1] };
            dispatch.run(&translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
            let there = u32::MAX;
            let want = [[1, 2, 3, there], [5, 0, 0, there], [9, 10, 11, there], [0, 0, 0, there]].concat();
            check_bits(&format!("residency {residency}, {}", run.name), &u0.words(), &want);
        }
    });
}

/// A texel inside and one outside of textures of two and of four components.
const TEXELS: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
ld r0.xyzw, l(1, 0, 0, 0), t0.xyzw
store_raw u0.xyzw, l(0), r0.xyzw
ld r0.xyzw, l(2, 0, 0, 0), t0.xyzw
store_raw u0.xyzw, l(16), r0.xyzw
ld r0.xyzw, l(1, 0, 0, 0), t1.xyzw
store_raw u0.xyzw, l(32), r0.xyzw
ld r0.xyzw, l(2, 0, 0, 0), t1.xyzw
store_raw u0.xyzw, l(48), r0.xyzw
ret
";

#[test]
fn guarded_texels_differ_in_a_missing_fourth_component_alone() {
    each(|run| {
        let shader = code(TEXELS);
        let [a, b, c, d] = [1.5f32, 2.5, 3.5, 4.5].map(f32::to_bits);
        // R32G32 and R32G32B32A32.
        let two = run.texture(TextureOptions::d2(16, 2, 1).unwrap(), &[0, 0, a, b]);
        let four = run.texture(TextureOptions::d2(2, 2, 1).unwrap(), &[0, 0, 0, 0, a, b, c, d]);
        for robustness in [Robustness::Device, Robustness::Explicit] {
            let translations = Translations::new(run.session.device, RobustnessByClass::all(robustness));
            let translations = translations.without_residency();
            let guarded = robustness == Robustness::Explicit;
            assert_eq!(notes(&translations, &shader).contains(&ledger::GUARDED_ALPHA), guarded);
            let u0 = run.filled(16, 0xeeee_eeee);
            let registers = Registers::new().texture(t(0), &two).texture(t(1), &four).buffer(u(0), &u0);
            let stage = Stage { code: &shader, registers: &registers };
            let dispatch = rx_tests::vulkan::Dispatch { stage, groups: [1, 1, 1] };
            dispatch.run(&translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
            let one = 1f32.to_bits();
            let want = [[a, b, 0, one], [0, 0, 0, 0], [a, b, c, d], [0, 0, 0, 0]].concat();
            let mut want: Vec<Want> = want.into_iter().map(Want::Bits).collect();
            if !guarded {
                // Direct3D's 1, where the driver follows it; Vulkan lets robustImageAccess give either.
                want[7] = Want::Either(0, one);
            }
            check(&format!("{robustness:?}, {}", run.name), &u0.words(), &want);
        }
    });
}

/// A shader with an element for what it reads and writes, and without.
const BY_REGISTER: &str = "ps_5_0
SIGNATURE
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
mov o0.xyzw, v1.wzyx
ret
";

#[test]
fn registers_without_an_element_are_those_of_the_stage_before() {
    each(|run| {
        let whole = BY_REGISTER.replace("SIGNATURE\n", "");
        let missing = [".inputs none", ".outputs none", ".input SV_Position 0 register=0 mask=xyzw"];
        let texts = missing.map(|line| BY_REGISTER.replace("SIGNATURE", line));
        let picture = |text: &str| {
            let target = run.target(2, 4, 4);
            let none = Registers::new();
            run.draw(&[(COVERING, &none), (text, &none)], onto(&target));
            target.words(0).unwrap()
        };
        let want = picture(&whole);
        assert_eq!(f32::from_bits(want[0]), 1.0);
        assert!(!notes(&run.translations, &code(&whole)).contains(&ledger::NO_ELEMENT));
        for text in texts {
            assert!(notes(&run.translations, &code(&text)).contains(&ledger::NO_ELEMENT), "{text}");
            check_bits(&format!("{text}, {}", run.name), &picture(&text), &want);
        }
    });
}

/// Stores, with what speaks to Direct3D's debug layer and to a debugger in the places `DEBUG`.
const DEBUGGED: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 4, 1, 1
ishl r0.x, vThreadID.x, l(2)
DEBUG
ieq r0.y, vThreadID.x, l(2)
if_nz r0.y
DEBUG
store_raw u0.x, r0.x, l(22)
else
store_raw u0.x, r0.x, r0.x
endif
ret
";

#[test]
fn debug_messages_and_aborts_do_nothing() {
    each(|run| {
        let aids = ["printf \"thread %u\", r0.x", "errorf \"thread\"", "abort", "debug_break"];
        for aid in aids {
            let [plain, debugged] = ["nop", aid].map(|line| DEBUGGED.replace("DEBUG", line));
            for (text, noted) in [(&plain, false), (&debugged, true)] {
                assert_eq!(
                    notes(&run.translations, &code(text)),
                    if noted { vec![ledger::DEBUG_AIDS] } else { vec![] }
                );
                let output = run.filled(4, 0xeeee_eeee);
                run.compute(text, &Registers::new().buffer(u(0), &output), [1, 1, 1]);
                check_bits(&format!("{aid}, {}", run.name), &output.words(), &[0, 4, 22, 12]);
            }
        }
    });
}

/// The programs of this part whose rows no other part runs.
pub fn programs() -> Vec<Program> {
    [("abort", Opcode::Abort), ("debug_break", Opcode::DebugBreak)]
        .map(|(line, op)| Program::new(DEBUGGED.replace("DEBUG", line), &[op]))
        .into()
}
