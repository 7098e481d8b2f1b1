//! Buffers: raw, structured and typed, shared memory, counters, sizes, barriers.

use crate::run::{Program, each, with_statuses};
use crate::want::{Want, check, check_bits};
use rx_tests::vulkan::{Bound, Registers, TextureOptions, t, u};
use rx_translate::dxbc::opcodes::Opcode as O;

/// Loads and stores inside, across the end, and past it, by one thread. Each result is the four words at one address.
const LOADS: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_resource_structured t1, 20
dcl_resource_buffer (uint,uint,uint,uint) t2
dcl_uav_raw u0
dcl_uav_structured u1, 16
dcl_uav_typed_buffer (float,float,float,float) u2
dcl_temps 4
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(4), t0.xyzw
store_raw u0.xyzw, l(0), r0.xyzw
ld_raw r0.xyzw, l(52), t0.wzyx
store_raw u0.xyzw, l(16), r0.xyzw
ld_raw r0.xyzw, l(0xfffffff0), t0.xyzw
store_raw u0.xyzw, l(32), r0.xyzw
ld_structured r0.xyzw, l(1), l(4), t1.xyzw
store_raw u0.xyzw, l(48), r0.xyzw
ld_structured r0.xyzw, l(3), l(0), t1.xyzw
store_raw u0.xyzw, l(64), r0.xyzw
ld_structured r0.xyzw, l(0x00ffffff), l(0), t1.xyzw
store_raw u0.xyzw, l(80), r0.xyzw
ld r0.xyzw, l(1, 0, 0, 0), t2.xyzw
store_raw u0.xyzw, l(96), r0.xyzw
ld r0.xyzw, l(2, 0, 0, 0), t2.xyzw
store_raw u0.xyzw, l(112), r0.xyzw
ld_uav_typed r0.xyzw, l(1, 1, 1, 1), u2.xyzw
store_raw u0.xyzw, l(128), r0.xyzw
ld_uav_typed r0.xyzw, l(3, 3, 3, 3), u2.xyzw
store_raw u0.xyzw, l(144), r0.xyzw
ld_raw r0.xy, l(0), u0.xyxx
ld_structured r0.zw, l(1), l(8), u1.xxxy
store_raw u0.xyzw, l(160), r0.xyzw
ld_raw_s r0.xyzw, r1.x, l(8), t0.xyzw
check_access_fully_mapped r1.x, r1.x
and r0.w, r0.w, r1.x
store_raw u0.xyzw, l(176), r0.xyzw
ld_structured_s r0.xyzw, r1.x, l(2), l(0), t1.xyzw
check_access_fully_mapped r1.x, r1.x
and r0.w, r0.w, r1.x
store_raw u0.xyzw, l(192), r0.xyzw
ld_uav_typed_s r0.xyzw, r1.x, l(0, 0, 0, 0), u2.xyzw
check_access_fully_mapped r1.x, r1.x
and r0.w, r0.w, r1.x
store_raw u0.xyzw, l(208), r0.xyzw
ld_s r0.xyzw, r1.x, l(0, 0, 0, 0), t2.xyzw
check_access_fully_mapped r1.x, r1.x
and r0.w, r0.w, r1.x
store_raw u0.xyzw, l(224), r0.xyzw
bufinfo r0.x, t0.x
bufinfo r0.y, t1.x
bufinfo r0.z, t2.x
bufinfo r0.w, u1.x
store_raw u0.xyzw, l(240), r0.xyzw
bufinfo r0.xyzw, u2.xyzw
store_raw u0.xyzw, l(256), r0.xyzw
ret
";

const LOADED: [O; 11] = [
    O::LdRaw,
    O::StoreRaw,
    O::LdStructured,
    O::Ld,
    O::LdUavTyped,
    O::LdRawFeedback,
    O::LdStructuredFeedback,
    O::LdUavTypedFeedback,
    O::LdFeedback,
    O::CheckAccessFullyMapped,
    O::Bufinfo,
];

#[test]
fn loads_inside_and_outside() {
    each(|run| {
        run.leave_out("loads");
        let raw: Vec<u32> = (0..16).map(|n| 100 + n).collect();
        let records: Vec<u32> = (0..15).map(|n| 200 + n).collect();
        let texels: Vec<u32> = (0..4).map(|n| 300 + n).collect();
        let floats: Vec<u32> = (0..12).map(|n| (400.0 + n as f32).to_bits()).collect();
        let [t0, t1, t2] = [&raw, &records, &texels].map(|words| run.words(words));
        let (u0, u1, u2) =
            (run.filled(68, 0xeeee_eeee), run.words(&(500..512).collect::<Vec<_>>()), run.words(&floats));
        // t2 has two components: the others are 0 and 1.
        let registers = Registers::new().buffer(t(0), &t0).buffer(t(1), &t1).with(t(2), Bound::Typed(&t2, 17));
        let registers = registers.buffer(u(0), &u0).buffer(u(1), &u1).with(u(2), Bound::Typed(&u2, 2));
        run.compute(LOADS, &registers, [1, 1, 1]);
        let want = [
            [101, 102, 103, 104],
            // 13, 14, 15 and one past the end, reversed.
            [0, 115, 114, 113],
            [0; 4],
            [206, 207, 208, 209],
            [0; 4],
            [0; 4],
            [302, 303, 0, 1],
            // A missing component is as the format has it outside too: zeros where something would stand.
            [0, 0, 0, 1],
            [floats[4], floats[5], floats[6], floats[7]],
            [0; 4],
            [101, 102, 506, 507],
            [102, 103, 104, 105],
            [210, 211, 212, 213],
            [floats[0], floats[1], floats[2], floats[3]],
            [300, 301, 0, 1],
            [64, 3, 2, 3],
            [3; 4],
        ];
        let mut want: Vec<Want> = want.concat().into_iter().map(Want::Bits).collect();
        // Robust buffer access may give 0 or 1 there.
        want[7 * 4 + 3] = Want::Either(0, 1);
        let one = 1f32.to_bits();
        want[9 * 4 + 3] = Want::Either(0, one);
        check(&format!("loads, {}", run.name), &u0.words(), &want);
    });
}

/// Typed loads with a status, of a texture and a buffer, inside and outside.
const TYPED_STATUSES: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_typed_texture2d (uint,uint,uint,uint) u0
dcl_uav_typed_buffer (float,float,float,float) u1
dcl_uav_raw u2
dcl_temps 2
dcl_thread_group 1, 1, 1
ld_uav_typed_s r0.xyz, r0.w, l(1, 0, 0, 0), u0.xyzw
check_access_fully_mapped r0.w, r0.w
store_raw u2.xyzw, l(0), r0.xyzw
ld_uav_typed_s r0.xyz, r0.w, l(1, 0, 0, 0), u1.xyzw
check_access_fully_mapped r0.w, r0.w
store_raw u2.xyzw, l(16), r0.xyzw
ld_uav_typed_s r0.xyz, r0.w, l(2, 0, 0, 0), u0.xyzw
store_raw u2.xyz, l(32), r0.xyzw
ret
";

#[test]
fn statuses_of_typed_loads() {
    with_statuses(|run, _| {
        let image = run.texture(TextureOptions::d2(42, 2, 1).unwrap(), &[5, 6]);
        let (floats, output) = (run.words(&[1f32, 2.0].map(f32::to_bits)), run.filled(11, 0xeeee_eeee));
        let registers = Registers::new().texture(u(0), &image).with(u(1), Bound::Typed(&floats, 41));
        run.compute(TYPED_STATUSES, &registers.buffer(u(2), &output), [1, 1, 1]);
        let want = [6, 0, 0, u32::MAX, 2f32.to_bits(), 0, 0, u32::MAX, 0, 0, 0];
        check_bits(&format!("statuses, {}", run.name), &output.words(), &want);
    });
}

/// Stores inside, across the end, and past it; partial ones keep what they do not name.
const STORES: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_uav_structured u1, 12
dcl_uav_typed_buffer (uint,uint,uint,uint) u2
dcl_uav_typed_texture2d (sint,sint,sint,sint) u3
dcl_temps 2
dcl_thread_group 1, 1, 1
store_raw u0.xy, l(4), l(1, 2, 3, 4)
store_raw u0.xyzw, l(24), l(5, 6, 7, 8)
store_raw u0.xyzw, l(32), l(9, 9, 9, 9)
store_raw u0.x, l(0xfffffffc), l(9)
store_structured u1.xy, l(0), l(4), l(1, 2, 3, 4)
store_structured u1.xyz, l(1), l(0), l(5, 6, 7, 8)
store_structured u1.xyz, l(2), l(0), l(9, 9, 9, 9)
store_structured u1.x, l(0xffffffff), l(0), l(9)
store_uav_typed u2.xyzw, l(1, 1, 1, 1), l(5, 6, 7, 8)
store_uav_typed u2.xyzw, l(2, 2, 2, 2), l(9, 9, 9, 9)
store_uav_typed u3.xyzw, l(1, 0, 0, 0), l(-5, 6, 7, 8)
store_uav_typed u3.xyzw, l(2, 0, 0, 0), l(9, 9, 9, 9)
store_uav_typed u3.xyzw, l(0, -1, 0, 0), l(9, 9, 9, 9)
ret
";

#[test]
fn stores_inside_and_outside() {
    each(|run| {
        let old = 0xaaaa_aaaa;
        let (u0, u1, u2) = (run.filled(8, old), run.filled(6, old), run.filled(8, old));
        let u3 = run.target(43, 2, 1);
        let registers = Registers::new().buffer(u(0), &u0).buffer(u(1), &u1);
        let registers = registers.with(u(2), Bound::Typed(&u2, 3)).texture(u(3), &u3);
        run.compute(STORES, &registers, [1, 1, 1]);
        check_bits(&format!("raw, {}", run.name), &u0.words(), &[old, 1, 2, old, old, old, 5, 6]);
        check_bits(&format!("structured, {}", run.name), &u1.words(), &[old, 1, 2, 5, 6, 7]);
        check_bits(&format!("typed, {}", run.name), &u2.words(), &[old, old, old, old, 5, 6, 7, 8]);
        check_bits(&format!("texture, {}", run.name), &u3.words(0).unwrap(), &[0, -5i32 as u32]);
    });
}

/// Every thread's number goes through both kinds of shared memory, in the order reversed, and through the device's.
const BARRIERS: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_uav_structured_glc u1, 4
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadID.x
dcl_temps 4
dcl_tgsm_raw g0, 256
dcl_tgsm_structured g1, 8, 64
dcl_thread_group 64, 1, 1
mov r0.x, vThreadIDInGroupFlattened.x
ishl r0.y, r0.x, l(2)
iadd r0.z, -r0.x, l(63)
ishl r0.w, r0.z, l(2)
imad r1.x, vThreadID.x, l(3), l(1)
store_raw g0.x, r0.y, r1.x
store_structured g1.xy, r0.x, l(0), vThreadID.xxxx
store_structured u1.x, vThreadID.x, l(0), r1.x
sync_uglobal_g_t
ld_raw r1.x, r0.w, g0.xxxx
ld_structured r1.y, r0.z, l(4), g1.xxxx
xor r2.x, vThreadID.x, l(1)
ld_structured r1.z, r2.x, l(0), u1.xxxx
sync_g
mov r1.w, l(9)
sync_ugroup
ishl r2.y, vThreadID.x, l(4)
store_raw u0.xyzw, r2.y, r1.xyzw
ret
";

#[test]
fn barriers() {
    each(|run| {
        let (u0, u1) = (run.filled(128 * 4, 0), run.filled(128, 0));
        let registers = Registers::new().buffer(u(0), &u0).buffer(u(1), &u1);
        run.compute(BARRIERS, &registers, [2, 1, 1]);
        let reversed = |n: u32| n / 64 * 64 + 63 - n % 64;
        let want: Vec<u32> = (0..128).flat_map(|n| [reversed(n) * 3 + 1, reversed(n), (n ^ 1) * 3 + 1, 9]).collect();
        check_bits(&format!("barriers, {}", run.name), &u0.words(), &want);
    });
}

/// The hidden counter, up and down: each thread takes a place and gives one back to another buffer.
const COUNTERS: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured_opc u0, 4
dcl_uav_structured_opc u1, 4
dcl_input vThreadID.x
dcl_temps 2
dcl_thread_group 32, 1, 1
imm_atomic_alloc r0.x, u0
store_structured u0.x, r0.x, l(0), vThreadID.x
imm_atomic_consume r0.y, u1
store_structured u1.x, r0.y, l(0), vThreadID.x
ret
";

#[test]
fn counters() {
    each(|run| {
        let buffers = [run.filled(40, 99), run.filled(40, 99)];
        let counts = [run.words(&[5]), run.words(&[38])];
        let registers = Registers::new().buffer(u(0), &buffers[0]).counter(0, &counts[0]);
        let registers = registers.buffer(u(1), &buffers[1]).counter(1, &counts[1]);
        run.compute(COUNTERS, &registers, [1, 1, 1]);
        assert_eq!([counts[0].words(), counts[1].words()], [[37], [6]], "{}", run.name);
        // `alloc` gives the number before, `consume` the number after: places 5 to 36 and 37 to 6, each once.
        for (buffer, places) in buffers.iter().zip([5..37, 6..38]) {
            let words = buffer.words();
            let mut inside = words[places.clone()].to_vec();
            inside.sort_unstable();
            assert_eq!(inside, (0..32).collect::<Vec<u32>>(), "{}", run.name);
            let outside = words.iter().enumerate().filter(|(n, _)| !places.contains(n));
            assert!(outside.into_iter().all(|(_, word)| *word == 99), "{}", run.name);
        }
    });
}

/// The programs of this part.
pub fn programs() -> Vec<Program> {
    vec![
        Program::new(LOADS, &LOADED),
        Program::new(STORES, &[O::StoreRaw, O::StoreStructured, O::StoreUavTyped]),
        Program::new(BARRIERS, &[O::Sync]),
        Program::new(COUNTERS, &[O::ImmAtomicAlloc, O::ImmAtomicConsume]),
    ]
}
