//! Registers: order of reads and writes, dynamic indices, literals.

use super::{bytes, one_thread, one_thread_with, output};

#[test]
fn every_source_is_read_before_a_destination_is_written() {
    // A swap through one instruction, and both results of a multiplication over its own sources.
    let body = "mov r1.xy, l(3, 5, 0, 0)\nmov r1.xy, r1.yxyy\nmov r4.xy, r1.xyxx\n\
                mov r2.x, l(0x10000)\nmov r2.y, l(0x10003)\numul r2.x, r2.y, r2.x, r2.y\nmov r4.zw, r2.xxxy";
    assert_eq!(one_thread("", body, "").unwrap(), [5, 3, 1, 0x0003_0000]);
}

#[test]
fn a_destinations_index_is_read_before_the_other_destination_is_written() {
    // x0's index is the register that the first destination overwrites.
    let body = "mov x0[0].x, l(7)\nmov x0[1].x, l(8)\nmov r0.x, l(1)\nudiv r0.x, x0[r0.x + 0].x, l(17), l(5)\n\
                mov r4.x, r0.x\nmov r4.y, x0[0].x\nmov r4.z, x0[1].x";
    assert_eq!(one_thread("dcl_indexableTemp x0[2], 4", body, "").unwrap(), [3, 7, 2, 0]);
}

#[test]
fn a_status_does_not_change_the_address_of_its_load() {
    let mut resources = output(4);
    resources.shader_resources.insert(0.into(), super::raw(&[10, 11, 12, 13]));
    let body = "mov r0.x, l(8)\nld_raw_s r4.x, r0.x, r0.x, t0.xxxx\ncheck_access_fully_mapped r4.y, r0.x";
    let result = one_thread_with("dcl_resource_raw t0", body, "", resources).unwrap();
    assert_eq!(result, [12, u32::MAX, 0, 0]);
}

#[test]
fn a_mask_keeps_the_other_lanes() {
    let body = "mov r4.xyzw, l(1, 2, 3, 4)\niadd r4.yw, r4.xyzw, l(10, 20, 30, 40)";
    assert_eq!(one_thread("", body, "").unwrap(), [1, 22, 3, 44]);
}

#[test]
fn indexable_temporaries_outside_their_array_read_zero_and_drop_writes() {
    let body = "mov r0.x, l(2)\nmov r0.y, l(-1)\nmov x0[0].xyzw, l(1, 2, 3, 4)\nmov x0[1].xyzw, l(5, 6, 7, 8)\n\
                mov x0[r0.x + 0].x, l(99)\nmov x0[r0.y + 0].x, l(98)\nmov x0[r0.y + 1].y, l(60)\n\
                mov r4.x, x0[r0.x + 0].x\nmov r4.y, x0[0].y\nmov r4.z, x0[r0.y + 2].z\nmov r4.w, x0[0].x";
    assert_eq!(one_thread("dcl_indexableTemp x0[2], 4", body, "").unwrap(), [0, 60, 7, 1]);
}

#[test]
fn constants_outside_their_buffer_are_zero() {
    let declarations = "dcl_constantbuffer CB0[3], dynamicIndexed\ndcl_constantbuffer CB1[1], immediateIndexed\n\
                        dcl_immediateConstantBuffer { { 1, 2, 3, 4}, { 5, 6, 7, 8} }";
    let mut resources = output(4);
    // The last vector has two words.
    resources.constant_buffers.insert(0.into(), bytes(&[1, 2, 3, 4, 21, 22]));
    let body = "mov r0.x, l(1)\nmov r4.x, cb0[r0.x + 0].y\nmov r4.y, cb0[r0.x + 0].z\nmov r4.z, cb1[0].x\n\
                mov r4.w, icb[r0.x + 0].w\niadd r4.z, r4.z, cb0[2].x\niadd r4.z, r4.z, icb[r0.x + 1].x";
    assert_eq!(one_thread_with(declarations, body, "", resources).unwrap(), [22, 0, 0, 8]);
}

#[test]
fn a_nested_index() {
    let body = "mov r0.x, l(1)\nmov x0[1].y, l(2)\nmov x0[2].z, l(77)\nmov r4.x, x0[x0[r0.x + 0].y + 0].z";
    assert_eq!(one_thread("dcl_indexableTemp x0[3], 4", body, "").unwrap(), [77, 0, 0, 0]);
}

#[test]
fn ranges_of_shader_model_5_1() {
    let text = "cs_5_1
dcl_constantbuffer CB0[2:4][1], dynamicIndexed, space=3
dcl_uav_raw U0[0:0], space=0
dcl_resource_raw T0[5:6], space=1
dcl_temps 2
dcl_thread_group 1, 1, 1
mov r0.x, l(1)
mov r1.x, CB0[r0.x + 2][0].x
mov r1.y, CB0[r0.x + 4][0].x
ld_raw r1.z, l(0), T0[r0.x + 5].xxxx
ld_raw r1.w, l(0), T0[r0.x + 6].xxxx
store_raw U0[0].xyzw, l(0), r1.xyzw
ret
";
    let mut resources = output(4);
    let slot = |space, register| crate::Slot { space, register };
    resources.constant_buffers.insert(slot(3, 3), bytes(&[33]));
    // Bound, but outside the declared range.
    resources.constant_buffers.insert(slot(3, 5), bytes(&[55]));
    resources.shader_resources.insert(slot(1, 6), super::raw(&[66]));
    resources.shader_resources.insert(slot(1, 7), super::raw(&[77]));
    super::machine(text).dispatch(&mut resources, [1, 1, 1], &mut ()).unwrap();
    assert_eq!(super::words(&resources, 0), [33, 0, 66, 0]);
}

#[test]
fn doubles_are_pairs_of_lanes() {
    let body = "dadd r4.zw, d(1.5, 2.5), d(10.0, 20.0)\ndeq r4.x, r4.zwzw, d(22.5)";
    let [high, low] = [(22.5f64.to_bits() >> 32) as u32, 22.5f64.to_bits() as u32];
    assert_eq!(one_thread("", body, "").unwrap(), [u32::MAX, 0, low, high]);
}
