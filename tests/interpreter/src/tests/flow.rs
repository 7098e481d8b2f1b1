//! Control flow.

use super::{machine, one_thread, output};
use crate::Error;

/// Runs `body` with r0.x holding `n` and returns r4.
fn with(n: u32, body: &str, tail: &str) -> [u32; 4] {
    one_thread("", &format!("mov r0.x, l({n})\n{body}"), tail).unwrap()
}

#[test]
fn an_if_takes_any_bit_as_true() {
    let body = "if_nz r0.x\n mov r4.x, l(1)\nelse\n mov r4.x, l(2)\nendif\nif_z r0.x\n mov r4.y, l(3)\nendif";
    assert_eq!(with(0, body, ""), [2, 3, 0, 0]);
    // A negative zero and a denormal have a bit set.
    assert_eq!(with(0x8000_0000, body, ""), [1, 0, 0, 0]);
    assert_eq!(with(1, body, ""), [1, 0, 0, 0]);
}

#[test]
fn a_switch_falls_through_until_it_breaks() {
    let body = "switch r0.x
case l(1)
  iadd r4.x, r4.x, l(1)
case l(2)
  iadd r4.x, r4.x, l(10)
  break
default
  iadd r4.x, r4.x, l(100)
case l(3)
  iadd r4.x, r4.x, l(1000)
  breakc_nz r0.x
  iadd r4.x, r4.x, l(10000)
endswitch
iadd r4.y, r4.y, l(1)";
    let result = |n| with(n, body, "")[..2].to_vec();
    assert_eq!(result(1), [11, 1]);
    assert_eq!(result(2), [10, 1]);
    assert_eq!(result(3), [1000, 1]);
    assert_eq!(result(7), [1100, 1]);
    assert_eq!(result(0), [11100, 1]);
}

#[test]
fn a_switch_without_a_matching_case_does_nothing() {
    let body = "switch r0.x\ncase l(5)\n mov r4.x, l(9)\n break\nendswitch\nmov r4.y, l(1)";
    assert_eq!(with(4, body, ""), [0, 1, 0, 0]);
    assert_eq!(with(5, body, ""), [9, 1, 0, 0]);
}

#[test]
fn loops_nest_and_break_and_continue_concern_the_innermost() {
    // The outer loop runs for r1.x = 1..=3; the inner one counts to 4 but skips its second turn's sum.
    let body = "mov r1.x, l(0)
loop
  iadd r1.x, r1.x, l(1)
  ilt r1.y, l(3), r1.x
  breakc_nz r1.y
  mov r2.x, l(0)
  loop
    iadd r2.x, r2.x, l(1)
    ieq r2.y, r2.x, l(2)
    continuec_nz r2.y
    ieq r2.y, r2.x, l(4)
    if_nz r2.y
      break
    endif
    iadd r4.x, r4.x, r2.x
  endloop
  iadd r4.y, r4.y, l(1)
endloop";
    // Each outer turn adds 1 + 3.
    assert_eq!(with(0, body, ""), [12, 3, 0, 0]);
}

#[test]
fn continue_inside_a_switch_is_the_loops() {
    let body = "loop
  iadd r1.x, r1.x, l(1)
  ige r1.y, r1.x, l(6)
  breakc_nz r1.y
  switch r1.x
  case l(2)
    continue
  case l(4)
    break
  default
    iadd r4.x, r4.x, l(1)
    break
  endswitch
  iadd r4.y, r4.y, l(1)
endloop";
    // Turns 1, 3 and 5 count in x; all but turn 2 count in y.
    assert_eq!(one_thread("", &format!("mov r1.x, l(0)\n{body}"), "").unwrap(), [3, 4, 0, 0]);
}

#[test]
fn a_return_inside_loops_leaves_the_function_alone() {
    let tail = "label label0
mov r1.x, l(0)
loop
  loop
    iadd r1.x, r1.x, l(1)
    ieq r1.y, r1.x, l(3)
    retc_nz r1.y
    iadd r4.x, r4.x, l(10)
  endloop
endloop
label label1
call label0
iadd r4.y, r4.y, l(1)
ret
";
    let body = "call label1\ncallc_nz r0.x, label1\ncallc_z r0.x, label0\nmov r4.z, l(5)";
    assert_eq!(with(1, body, tail), [40, 2, 5, 0]);
    assert_eq!(with(0, body, tail), [40, 1, 5, 0]);
}

#[test]
fn a_main_program_without_a_return_ends_at_the_first_label() {
    let mut resources = output(1);
    let text = "cs_5_0\ndcl_uav_raw u0\ndcl_temps 1\ndcl_thread_group 1, 1, 1\nstore_raw u0.x, l(0), l(1)\nlabel label0\n\
                store_raw u0.x, l(0), l(2)\nret\n";
    machine(text).dispatch(&mut resources, [1, 1, 1], &mut ()).unwrap();
    assert_eq!(super::words(&resources, 0), [1]);
}

#[test]
fn interfaces_call_the_function_of_the_instance() {
    let declarations = "dcl_function_body fb0
dcl_function_body fb1
dcl_function_table ft0 = {fb0}
dcl_function_table ft1 = {fb1}
dcl_interface_dynamicindexed fp0[2][1] = {ft0, ft1}
dcl_constantbuffer CB0[1], immediateIndexed";
    let body = "mov r0.x, l(1)\nfcall fp0[0][0]\nfcall fp0[r0.x + 0][0]";
    let tail = "label fb0\niadd r4.x, r4.x, l(1)\nret\nlabel fb1\nmov r1.xy, this[1].xyxx\n\
                mov r4.yz, cb[r1.x + 0][r1.y + 0].xxyx\nret\n";
    let mut resources = output(4);
    resources.instances.insert(1, crate::Instance { ty: 1, buffer: 3, element: 1, texture: 0, sampler: 0 });
    resources.constant_buffers.insert(3.into(), super::bytes(&[0, 0, 0, 0, 70, 71, 72, 73]));
    assert_eq!(super::one_thread_with(declarations, body, tail, resources).unwrap(), [1, 70, 71, 0]);
}

#[test]
fn an_endless_loop_is_an_error() {
    let error = one_thread("", "loop\n nop\nendloop", "").unwrap_err();
    assert_eq!(error, Error::StepLimit { limit: 10_000 });
    assert_eq!(
        error.to_string(),
        "stopped after 10000 instructions: raise the step limit if the program is not endless"
    );
}

#[test]
fn the_thirty_third_nested_call_is_skipped() {
    // Each function calls the next one and counts.
    let tail: String = (0..40)
        .map(|n| {
            let call = if n < 39 { format!("call label{}\n", n + 1) } else { String::new() };
            format!("label label{n}\niadd r4.x, r4.x, l(1)\n{call}ret\n")
        })
        .collect();
    assert_eq!(with(0, "call label0", &tail), [32, 0, 0, 0]);
}
