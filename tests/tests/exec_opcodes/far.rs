//! Indices whose addresses pass 4 GiB: a device multiplies in 32 bits, and an index that comes round to the buffer's
//! beginning is out of range all the same.

use crate::run::each;
use crate::want::{Want, check, check_bits};
use rx_tests::vulkan::{Registers, b, t, u};

/// What the indices are only the constant buffer knows. `cb0[0]`: a record of 20 bytes at 2^32 + 4, one of 16 at 2^32,
/// an element of a constant buffer there, a byte 8 before 2^32.
const FAR: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer cb0[2], dynamicIndexed
dcl_resource_structured t0, 20
dcl_resource_raw t1
dcl_uav_structured u0, 16
dcl_uav_raw u1
dcl_uav_structured u2, 4
dcl_temps 4
dcl_thread_group 1, 1, 1
mov r0.xyzw, cb0[0].xyzw
ld_structured r1.xyzw, r0.x, l(0), t0.xyzw
store_raw u1.xyzw, l(0), r1.xyzw
ld_structured r1.xyzw, r0.y, l(0), u0.xyzw
store_raw u1.xyzw, l(16), r1.xyzw
ld_raw r1.xyzw, r0.w, t1.xyzw
store_raw u1.xyzw, l(32), r1.xyzw
mov r1.xyzw, cb0[r0.z + 0].xyzw
store_raw u1.xyzw, l(48), r1.xyzw
ld_raw r1.xyzw, l(0xfffffff8), t1.xyzw
store_raw u1.xyzw, l(64), r1.xyzw
iadd r2.x, r0.x, l(-1)
ld_structured r1.xyzw, r2.x, l(4), t0.xyzw
store_raw u1.xyzw, l(80), r1.xyzw
store_structured u0.xyzw, r0.y, l(0), l(9, 9, 9, 9)
store_raw u1.xyzw, r0.w, l(9, 9, 9, 9)
ishl r2.y, r0.y, l(2)
atomic_iadd u2, r2.y, l(9)
imm_atomic_exch r3.x, u1, r0.w, l(9)
ret
";

#[test]
fn indices_do_not_come_round() {
    each(|run| {
        let constants = run.words(&[0x0ccc_cccd, 0x1000_0000, 0x1000_0000, 0xffff_fff8, 5, 6, 7, 8]);
        let numbers: Vec<u32> = (1..=40).collect();
        let (t0, t1, u0) = (run.words(&numbers), run.words(&numbers), run.words(&numbers));
        let (u1, u2) = (run.filled(24, 0xeeee_eeee), run.filled(4, 7));
        let registers = Registers::new().buffer(b(0), &constants).buffer(t(0), &t0).buffer(t(1), &t1);
        let registers = registers.buffer(u(0), &u0).buffer(u(1), &u1).buffer(u(2), &u2);
        run.compute(FAR, &registers, [1, 1, 1]);
        check(&format!("loads, {}", run.name), &u1.words(), &[Want::Bits(0); 24]);
        check_bits(&format!("stores, {}", run.name), &u0.words(), &numbers);
        check_bits(&format!("an atomic, {}", run.name), &u2.words(), &[7; 4]);
    });
}
