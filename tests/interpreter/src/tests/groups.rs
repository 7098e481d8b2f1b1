//! Thread groups: numbers of threads, barriers and their order, group shared memory.

use super::{BEFORE, machine, output, words};
use crate::{Error, Invocation, Step, Trace};

fn dispatch(text: &str, count: usize, groups: [u32; 3]) -> Result<Vec<u32>, Error> {
    let mut resources = output(count);
    machine(text).dispatch(&mut resources, groups, &mut ())?;
    Ok(words(&resources, 0))
}

#[test]
fn every_thread_has_its_numbers() {
    // Groups of 2 x 3 x 2 threads; each stores its four numbers in one word.
    let text = "cs_5_0
dcl_uav_raw u0
dcl_input vThreadID.xyz
dcl_input vThreadGroupID.x
dcl_input vThreadIDInGroup.xyz
dcl_input vThreadIDInGroupFlattened
dcl_temps 1
dcl_thread_group 2, 3, 2
imad r0.x, vThreadGroupID.x, l(12), vThreadIDInGroupFlattened.x
ishl r0.x, r0.x, l(2)
imad r0.y, vThreadID.y, l(10), vThreadID.x
imad r0.y, vThreadID.z, l(100), r0.y
imad r0.y, vThreadIDInGroup.x, l(1000), r0.y
imad r0.y, vThreadGroupID.x, l(10000), r0.y
store_raw u0.x, r0.x, r0.y
ret
";
    let got = dispatch(text, 24, [2, 1, 1]).unwrap();
    let mut want = Vec::new();
    for group in 0..2 {
        for n in 0..12 {
            let [x, y, z] = [n % 2, n / 2 % 3, n / 6];
            want.push(10000 * group + 1000 * x + 100 * z + 10 * y + 2 * group + x);
        }
    }
    assert_eq!(got, want);
}

#[test]
fn threads_see_after_a_barrier_what_all_wrote_before_it() {
    // Each thread writes its square and then reads its neighbour's, twice.
    let text = "cs_5_0
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_temps 2
dcl_tgsm_structured g0, 4, 4
dcl_thread_group 4, 1, 1
imul null, r0.x, vThreadIDInGroupFlattened.x, vThreadIDInGroupFlattened.x
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.x
sync_g_t
iadd r0.y, vThreadIDInGroupFlattened.x, l(1)
and r0.y, r0.y, l(3)
ld_structured r0.z, r0.y, l(0), g0.xxxx
sync_g_t
iadd r0.z, r0.z, l(100)
store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), r0.z
sync_g_t
ld_structured r0.z, r0.y, l(0), g0.xxxx
ishl r0.x, vThreadIDInGroupFlattened.x, l(2)
store_raw u0.x, r0.x, r0.z
ret
";
    assert_eq!(dispatch(text, 4, [1, 1, 1]).unwrap(), [104, 109, 100, 101]);
}

/// Collects which thread executed which instruction.
#[derive(Default)]
struct Order(Vec<(u32, usize)>);

impl Trace for Order {
    fn step(&mut self, step: &Step<'_>) {
        let Invocation { thread, .. } = step.invocation;
        self.0.push((thread[0], step.index));
    }
}

#[test]
fn the_lowest_thread_runs_to_its_barrier_first() {
    let text = "cs_5_0\ndcl_temps 1\ndcl_thread_group 2, 1, 1\nnop\nsync_g_t\nnop\nret\n";
    let mut order = Order::default();
    machine(text).dispatch(&mut crate::Resources::default(), [1, 1, 1], &mut order).unwrap();
    assert_eq!(order.0, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3)]);
}

#[test]
fn a_fence_without_threads_is_no_barrier() {
    for sync in ["sync_g", "sync_ugroup", "sync_uglobal", "sync_uglobal_g"] {
        let text = format!("cs_5_0\ndcl_temps 1\ndcl_thread_group 2, 1, 1\n{sync}\nret\n");
        let mut order = Order::default();
        machine(&text).dispatch(&mut crate::Resources::default(), [1, 1, 1], &mut order).unwrap();
        assert_eq!(order.0, [(0, 0), (0, 1), (1, 0), (1, 1)], "{sync}");
    }
}

#[test]
fn a_barrier_that_not_all_threads_reach_is_an_error() {
    let text = "cs_5_0\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 1\ndcl_thread_group 2, 1, 1\n\
                if_nz vThreadIDInGroupFlattened.x\n sync_g_t\nendif\nret\n";
    let error = dispatch(text, 1, [1, 1, 1]).unwrap_err();
    assert_eq!(error, Error::Barrier { index: 1, group: [0, 0, 0] });
    assert_eq!(error.to_string(), "instruction 1 (sync): not every thread of group [0, 0, 0] reaches this barrier");
}

#[test]
fn group_shared_memory_is_bounded_and_each_group_has_its_own() {
    let text = "cs_5_0
dcl_uav_raw u0
dcl_input vThreadGroupID.x
dcl_temps 2
dcl_tgsm_raw g0, 8
dcl_tgsm_structured g1, 8, 2
dcl_thread_group 1, 1, 1
ld_raw r0.xy, l(0), g0.xyxx
store_raw g0.xyzw, l(4), l(1, 2, 3, 4)
store_structured g1.xy, l(1), l(4), l(5, 6, 0, 0)
store_structured g1.x, l(2), l(0), l(7)
ld_raw r0.zw, l(0), g0.xxyz
ld_structured r1.xyz, l(1), l(4), g1.xyzx
ld_structured r1.w, l(2), l(0), g1.xxxx
ishl r1.y, vThreadGroupID.x, l(5)
store_raw u0.xyzw, r1.y, r0.xyzw
iadd r1.y, r1.y, l(16)
store_raw u0.xyzw, r1.y, r1.xyzw
ret
";
    let one = |at: u32| [0, 0, 1, 0, 5, at + 16, 0, 0];
    assert_eq!(dispatch(text, 16, [2, 1, 1]).unwrap(), [one(0), one(32)].concat());
}

#[test]
fn nothing_runs_without_groups() {
    let text = "cs_5_0\ndcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nstore_raw u0.x, l(0), l(1)\nret\n";
    assert_eq!(dispatch(text, 1, [5, 0, 1]).unwrap(), [BEFORE]);
}

#[test]
fn atomics_on_shared_memory_return_what_was_there() {
    let text = "cs_5_0
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_temps 1
dcl_tgsm_raw g0, 8
dcl_thread_group 3, 1, 1
iadd r0.x, vThreadIDInGroupFlattened.x, l(1)
imm_atomic_iadd r0.y, g0, l(0), r0.x
atomic_umax g0, l(4), r0.x
sync_g_t
ishl r0.x, vThreadIDInGroupFlattened.x, l(2)
store_raw u0.x, r0.x, r0.y
ld_raw r0.zw, l(0), g0.xxxy
store_raw u0.xy, l(12), r0.zwzz
ret
";
    assert_eq!(dispatch(text, 5, [1, 1, 1]).unwrap(), [0, 1, 3, 6, 3]);
}

#[test]
fn groups_of_an_empty_program_are_bounded_too() {
    let empty = machine("cs_5_0\ndcl_thread_group 1, 1, 1\n").with_step_limit(1000);
    let error = empty.dispatch(&mut crate::Resources::default(), [u32::MAX; 3], &mut ()).unwrap_err();
    assert_eq!(error, Error::StepLimit { limit: 1000 });
}
