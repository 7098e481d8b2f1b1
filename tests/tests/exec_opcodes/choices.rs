//! What a caller chooses beside the robustness: where push constants stand, a second source to blend with, a device
//! without one of its features.

use crate::run::{COVERING, code, each, onto};
use crate::want::check_bits;
use rx_tests::vulkan::{Bound, Registers, b, t, u};
use rx_translate::{Features, ledger};

/// A word of floats that are added in a vertex and in a pixel shader, from inside and from past the end of buffers of
/// different lengths.
const VERTEX_READS: &str = "vs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_resource_structured t1, 4
dcl_input_sgv v0.x, vertex_id
dcl_output_siv o0.xyzw, position
dcl_output o1.xyzw
dcl_temps 3
ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)
and r0.xy, r0.xyxx, l(0x40000000, 0x40000000, 0, 0)
mad o0.xy, r0.xyxx, l(1.0, -1.0, 0, 0), l(-1.0, 1.0, 0, 0)
mov o0.zw, l(0, 0, 0, 1.0)
ld_raw r1.xy, l(0), t0.xyxx
ld_structured r1.z, l(1), l(0), t1.xxxx
bufinfo r2.x, t0.x
utof r1.w, r2.x
mov o1.xyzw, r1.xyzw
ret
";

const PIXEL_READS: &str = "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_input_ps constant v1.xyzw
dcl_output o0.xyzw
dcl_temps 3
ld_raw r0.xyz, l(0), t0.xyzx
bufinfo r2.x, t0.x
utof r0.w, r2.x
add o0.xyzw, r0.xyzw, v1.xyzw
ret
";

#[test]
fn each_stage_has_push_constants_of_its_own() {
    each(|run| {
        let float = |values: &[f32]| run.words(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
        let (short, one, long) = (float(&[1.0]), float(&[2.0]), float(&[10.0, 20.0]));
        let (vertex, pixel) = (Registers::new().buffer(t(0), &short).buffer(t(1), &one), Registers::new());
        let pixel = pixel.buffer(t(0), &long);
        let with = |translations: rx_tests::vulkan::Translations, name: &str| {
            let target = run.target(2, 1, 1);
            let (vertex_code, pixel_code) = (code(VERTEX_READS), code(PIXEL_READS));
            let stages = [(&vertex_code, &vertex), (&pixel_code, &pixel)];
            let stages = stages.map(|(code, registers)| rx_tests::vulkan::Stage { code, registers });
            let draw = rx_tests::vulkan::Draw { stages: stages.to_vec(), ..onto(&target) };
            draw.run(&translations).unwrap_or_else(|e| panic!("{}, {name}: {e}", run.name));
            let want = [11.0f32, 20.0, 0.0, 4.0 + 8.0].map(f32::to_bits);
            check_bits(&format!("{name}, {}", run.name), &target.words(0).unwrap(), &want);
        };
        let plain = || run.translations.without_residency();
        with(plain(), "none");
        with(plain().with_pushed_offsets(), "offsets");
        // By the device nothing would keep an access from what lies between the length and the descriptor's end.
        if run.name.starts_with("explicit") {
            with(plain().with_pushed_lengths(), "lengths");
            with(plain().with_pushed_lengths().with_pushed_offsets(), "lengths and offsets");
        }
    });
}

/// Reads of constant buffers inside, past what is bound, past what is declared.
const SHORT: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[1], immediateIndexed
dcl_constantbuffer cb1[4], dynamicIndexed
dcl_uav_raw u0
dcl_temps 2
dcl_thread_group 1, 1, 1
mov r0.xyzw, cb0[0].xyzw
mov r1.xyzw, cb1[r0.x + 0].xyzw
store_raw u0.xyzw, l(0), r1.xyzw
mov r1.xyzw, cb1[r0.y + 0].xyzw
store_raw u0.xyzw, l(16), r1.xyzw
mov r1.xyzw, cb1[r0.z + 1].xyzw
store_raw u0.xyzw, l(32), r1.xyzw
mov r1.xyzw, cb1[1].xyzw
store_raw u0.xyzw, l(48), r1.xyzw
mov r1.xyzw, cb1[2].xyzw
store_raw u0.xyzw, l(64), r1.xyzw
mov r1.xyzw, cb1[3].wzyx
store_raw u0.xyzw, l(80), r1.xyzw
ret
";

#[test]
fn constant_buffers_end_where_they_are_said_to() {
    each(|run| {
        let (indices, short) = (run.words(&[1, 2, 0xffff_fffe, 0]), run.words(&[1, 2, 3, 4, 5, 6, 7, 8]));
        let u0 = run.filled(24, 0xeeee_eeee);
        let registers = Registers::new().buffer(b(0), &indices).buffer(b(1), &short).buffer(u(0), &u0);
        let translations = run.translations.without_residency().with_pushed_constant_lengths();
        let shader = code(SHORT);
        let stage = rx_tests::vulkan::Stage { code: &shader, registers: &registers };
        let dispatch = rx_tests::vulkan::Dispatch { stage, groups: [1, 1, 1] };
        dispatch.run(&translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
        let want = [[5, 6, 7, 8], [0; 4], [0; 4], [5, 6, 7, 8], [0; 4], [0; 4]].concat();
        check_bits(&format!("short constants, {}", run.name), &u0.words(), &want);
    });
}

const TWO_SOURCES: &str = "ps_5_0
dcl_globalFlags refactoringAllowed
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_output o1.xyzw
mov o0.xyzw, l(1.0, 2.0, 3.0, 4.0)
mov o1.xyzw, l(0.5, 0.25, 0.0, 2.0)
ret
";

#[test]
fn two_sources_are_blended() {
    each(|run| {
        let target = run.target(2, 1, 1);
        target.clear([8.0f32, 16.0, 32.0, 64.0].map(f32::to_bits)).unwrap();
        let none = Registers::new();
        let codes = [code(COVERING), code(TWO_SOURCES)];
        // A driver may look at the blending alone: the module is held to what Vulkan asks, as said and as its words say.
        let translations = run.translations.without_residency().with_dual_source();
        let translation = translations.translate(&codes[1], 0).unwrap();
        let read = rx_translate::spirv_in::read_interface(&translation.spirv, None).unwrap();
        for interface in [&translation.interface, &read] {
            let places: Vec<_> = interface.outputs.iter().map(|output| (output.index, output.location)).collect();
            assert_eq!(places, [(0, Some(0)), (1, Some(0))]);
        }
        let stages = codes.iter().map(|code| rx_tests::vulkan::Stage { code, registers: &none }).collect();
        let draw = rx_tests::vulkan::Draw { stages, ..onto(&target) };
        draw.run(&translations).unwrap_or_else(|e| rx_tests::ways::failed(run.session.device, &e));
        let want = [1.0f32 + 4.0, 2.0 + 4.0, 3.0, 4.0 + 128.0].map(f32::to_bits);
        check_bits(&format!("two sources, {}", run.name), &target.words(0).unwrap(), &want);
    });
}

/// Exchanges in typed views of floats: a buffer's and a texture's.
const EXCHANGES: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_buffer (float,float,float,float) u0
dcl_uav_typed_texture2d (float,float,float,float) u1
dcl_uav_raw u2
dcl_temps 1
dcl_thread_group 1, 1, 1
imm_atomic_exch r0.x, u0, l(1), l(0x7fa00001)
store_raw u2.x, l(0), r0.x
imm_atomic_exch r0.x, u1, l(0, 1, 0, 0), l(0x00000001)
store_raw u2.x, l(4), r0.x
ret
";

#[test]
fn floats_are_exchanged_bit_by_bit_where_the_device_can() {
    each(|run| {
        let features = run.session.device.enabled.features;
        let without = Features { image_float32_atomics: false, ..features };
        let refused = run.translations.without_residency().with_features(without).translate(&code(EXCHANGES), 0);
        let said = refused.err().unwrap_or_default();
        assert!(
            said.contains(&ledger::NOT_IN_PROFILE.to_string()) && said.contains("shaderImageFloat32Atomics"),
            "{said}"
        );
        if !features.image_float32_atomics {
            println!("skipped: the device has no shaderImageFloat32Atomics");
            return;
        }
        let (u0, u2) = (run.words(&[1, 0x8000_0001, 3]), run.filled(2, 0xeeee_eeee));
        let u1 = run.target(41, 1, 2);
        u1.clear([0x7f80_0001, 0, 0, 0]).unwrap();
        let registers = Registers::new().with(u(0), Bound::Typed(&u0, 41)).texture(u(1), &u1).buffer(u(2), &u2);
        run.compute(EXCHANGES, &registers, [1, 1, 1]);
        check_bits(&format!("old values, {}", run.name), &u2.words(), &[0x8000_0001, 0x7f80_0001]);
        check_bits(&format!("a buffer, {}", run.name), &u0.words(), &[1, 0x7fa0_0001, 3]);
        check_bits(&format!("a texture, {}", run.name), &u1.words(0).unwrap(), &[0x7f80_0001, 1]);
    });
}
