//! Raw, structured and typed buffers, atomics and counters.

use super::{BEFORE, bytes, one_thread, one_thread_with, output, raw, words};
use crate::{Resources, View};

const IN: &str = "dcl_resource_raw t0\ndcl_resource_structured t1, 8\n\
                  dcl_resource_buffer (uint,uint,uint,uint) t2\ndcl_resource_buffer (float,float,float,float) t3";

fn inputs() -> Resources {
    let mut resources = output(4);
    let views = &mut resources.shader_resources;
    views.insert(0.into(), raw(&[10, 11, 12, 13]));
    // Two whole structures and half a third one.
    views.insert(1.into(), View::Structured { stride: 8, bytes: bytes(&[20, 21, 22, 23, 24]), counter: None });
    // R8G8_UINT and R32_FLOAT.
    views.insert(2.into(), View::Typed { format: 50, bytes: vec![1, 2, 3, 4] });
    views.insert(3.into(), View::Typed { format: 41, bytes: bytes(&[0x3f80_0000, 1]) });
    resources
}

fn load(instructions: &str) -> [u32; 4] {
    one_thread_with(IN, instructions, "", inputs()).unwrap()
}

#[test]
fn a_raw_load_gives_zero_for_each_word_outside() {
    assert_eq!(load("ld_raw r4.xyzw, l(8), t0.xyzw"), [12, 13, 0, 0]);
    assert_eq!(load("ld_raw r4.xyzw, l(4), t0.wzyx"), [0, 13, 12, 11]);
    assert_eq!(load("ld_raw r4.yw, l(0), t0.xyzw"), [0, 11, 0, 13]);
    assert_eq!(load("ld_raw r4.xyzw, l(0xfffffffc), t0.xyzw"), [0; 4]);
}

#[test]
fn a_structure_is_inside_as_a_whole_or_not_at_all() {
    assert_eq!(load("ld_structured r4.xy, l(1), l(0), t1.xyxx"), [22, 23, 0, 0]);
    // The third structure has one of its two words.
    assert_eq!(load("ld_structured r4.xy, l(2), l(0), t1.xyxx"), [0; 4]);
    // What is past a structure is not the next one's.
    assert_eq!(load("ld_structured r4.xy, l(0), l(4), t1.xyxx"), [21, 0, 0, 0]);
    assert_eq!(load("ld_structured r4.xy, l(0x20000000), l(0), t1.xyxx"), [0; 4]);
}

#[test]
fn a_typed_load_fills_missing_components() {
    assert_eq!(load("ld r4.xyzw, l(1, 0, 0, 0), t2.xyzw"), [3, 4, 0, 1]);
    assert_eq!(load("ld r4.xyzw, l(2, 0, 0, 0), t2.xyzw"), [0, 0, 0, 1]);
    // A denormal is kept.
    assert_eq!(load("ld r4.xyzw, l(1, 0, 0, 0), t3.xyzw"), [1, 0, 0, 0x3f80_0000]);
    assert_eq!(load("ld r4.xyzw, l(-1, 0, 0, 0), t3.wzyx"), [0x3f80_0000, 0, 0, 0]);
}

#[test]
fn nothing_bound_gives_zeros() {
    let body = "ld_raw r4.x, l(0), t0.xxxx\nld_structured r4.y, l(0), l(0), t1.xxxx\nld r4.zw, l(0, 0, 0, 0), t3.xyzw\n\
                bufinfo r0.x, t0.xxxx\niadd r4.x, r4.x, r0.x";
    assert_eq!(one_thread(IN, body, "").unwrap(), [0; 4]);
}

#[test]
fn sizes_of_buffers() {
    let body = "bufinfo r4.x, t0.xxxx\nbufinfo r4.y, t1.xxxx\nbufinfo r4.z, t2.xxxx\nbufinfo r4.w, u0.xxxx";
    assert_eq!(load(body), [16, 2, 2, 16]);
}

fn store(declarations: &str, instructions: &str, mut resources: Resources) -> Resources {
    let text = format!(
        "cs_5_0\n{declarations}\ndcl_temps 4\ndcl_thread_group 1, 1, 1\nmov r3.xyzw, l(0, 0, 0, 0)\n{instructions}\nret\n"
    );
    super::machine(&text).dispatch(&mut resources, [1, 1, 1], &mut ()).unwrap();
    resources
}

#[test]
fn a_raw_store_writes_the_words_inside() {
    let got = store("dcl_uav_raw u0", "store_raw u0.xyzw, l(8), l(1, 2, 3, 4)", output(4));
    assert_eq!(words(&got, 0), [BEFORE, BEFORE, 1, 2]);
    let got = store("dcl_uav_raw u0", "store_raw u0.xy, l(0xfffffff8), l(1, 2, 3, 4)", output(2));
    assert_eq!(words(&got, 0), [BEFORE; 2]);
}

#[test]
fn a_structured_store_outside_is_dropped() {
    let mut resources = Resources::default();
    let view = View::Structured { stride: 8, bytes: bytes(&[BEFORE; 5]), counter: None };
    resources.unordered_access.insert(0.into(), view);
    let body = "store_structured u0.xy, l(1), l(0), l(1, 2, 0, 0)\nstore_structured u0.x, l(2), l(0), l(3)";
    let got = store("dcl_uav_structured u0, 8", body, resources);
    assert_eq!(words(&got, 0), [BEFORE, BEFORE, 1, 2, BEFORE]);
}

#[test]
fn a_typed_store_converts() {
    let mut resources = Resources::default();
    // R8G8B8A8_UNORM, then R16G16_SINT.
    resources.unordered_access.insert(0.into(), View::Typed { format: 28, bytes: vec![9; 8] });
    resources.unordered_access.insert(1.into(), View::Typed { format: 38, bytes: vec![0; 4] });
    let body = "store_uav_typed u0.xyzw, l(1, 0, 0, 0), l(1.0, 0.5, -1.0, 0.25)\n\
                store_uav_typed u0.xyzw, l(2, 0, 0, 0), l(1.0, 1.0, 1.0, 1.0)\n\
                mov r0.xy, l(40000, 5, 0, 0)\nstore_uav_typed u1.xyzw, l(0, 0, 0, 0), -r0.xyyy";
    let declarations =
        "dcl_uav_typed_buffer (unorm,unorm,unorm,unorm) u0\ndcl_uav_typed_buffer (sint,sint,sint,sint) u1";
    let got = store(declarations, body, resources);
    assert_eq!(words(&got, 0), [0x0909_0909, 0x4000_80ff]);
    assert_eq!(words(&got, 1), [0xfffb_8000]);
}

#[test]
fn atomics_on_every_kind_of_view() {
    let mut resources = output(4);
    let view = View::Structured { stride: 8, bytes: bytes(&[0, 0, 5, 100]), counter: None };
    resources.unordered_access.insert(1.into(), view);
    resources
        .unordered_access
        .insert(2.into(), View::Typed { format: 43, bytes: bytes(&[3, (-4i32).cast_unsigned()]) });
    let declarations = "dcl_uav_raw u0\ndcl_uav_structured u1, 8\ndcl_uav_typed_buffer (sint,sint,sint,sint) u2";
    let body = "atomic_iadd u0, l(4), l(0x11111112)
atomic_iadd u0, l(16), l(1)
imm_atomic_cmp_exch r0.x, u1, l(1, 4, 0, 0), l(100), l(7)
imm_atomic_cmp_exch r0.y, u1, l(1, 0, 0, 0), l(100), l(7)
imm_atomic_imax r0.z, u2, l(1, 0, 0, 0), l(-2)
atomic_umin u2, l(0, 0, 0, 0), l(2)
imm_atomic_exch r0.w, u2, l(2, 0, 0, 0), l(9)
store_raw u0.x, l(0), r0.x
store_raw u0.x, l(8), r0.y
store_raw u0.x, l(12), r0.z";
    let got = store(declarations, body, resources);
    assert_eq!(words(&got, 0), [100, 0, 5, (-4i32).cast_unsigned()]);
    assert_eq!(words(&got, 1), [0, 0, 5, 7]);
    assert_eq!(words(&got, 2), [2, (-2i32).cast_unsigned()]);
}

#[test]
fn counters_return_the_slot_that_is_appended_or_consumed() {
    let mut resources = output(4);
    let view = View::Structured { stride: 4, bytes: bytes(&[0; 4]), counter: Some(2) };
    resources.unordered_access.insert(1.into(), view);
    let body = "imm_atomic_alloc r0.x, u1\nimm_atomic_consume r0.y, u1\nimm_atomic_consume r0.z, u1\n\
                store_raw u0.xyz, l(0), r0.xyzx";
    let got = store("dcl_uav_raw u0\ndcl_uav_structured_opc u1, 4", body, resources);
    assert_eq!(words(&got, 0)[..3], [2, 2, 1]);
    assert!(matches!(got.unordered_access[&1.into()], View::Structured { counter: Some(1), .. }));
}

#[test]
fn a_view_of_another_kind_is_an_error() {
    let mut resources = inputs();
    resources.shader_resources.insert(0.into(), View::Typed { format: 42, bytes: vec![0; 4] });
    let error = one_thread_with(IN, "ld_raw r4.x, l(0), t0.xxxx", "", resources).unwrap_err();
    let text = "instruction 1 (ld_raw): the bound view is of another kind than the shader declares";
    assert_eq!(error.to_string(), text);
}
