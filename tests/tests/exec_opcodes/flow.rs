//! Control flow: each program runs for 64 threads, whose number decides where it goes.

use crate::run::{Program, Run, each};
use crate::want::check_bits;
use rx_tests::vulkan::{Registers, u};
use rx_translate::dxbc::opcodes::Opcode as O;

const THREADS: u32 = 64;
/// What stands in the results before.
const BEFORE: u32 = 0xeeee_eeee;

/// A program of one thread's flow.
pub struct Flow {
    covers: &'static [O],
    /// Declarations besides the usual.
    declarations: &'static str,
    /// From the thread's number in r0.x to r4.
    body: &'static str,
    /// After the main program's end.
    tail: &'static str,
    /// What stands in the results of a thread.
    want: fn(u32) -> [u32; 4],
}

impl Flow {
    fn text(&self) -> String {
        format!(
            "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_structured u0, 16
dcl_input vThreadID.x
{}dcl_temps 8
dcl_thread_group {THREADS}, 1, 1
mov r0.x, vThreadID.x
mov r4.xyzw, l(0, 0, 0, 0)
{}
store_structured u0.xyzw, r0.x, l(0), r4.xyzw
ret
{}",
            self.declarations, self.body, self.tail
        )
    }
}

const FLOWS: &[Flow] = &[
    Flow {
        covers: &[O::If, O::Else, O::EndIf, O::Nop],
        declarations: "",
        // Any bit is true: that of a negative zero and of a denormal too.
        body: "and r1.x, r0.x, l(1)
ishl r1.y, r0.x, l(31)
if_nz r1.x
  mov r4.x, l(10)
  if_z r0.x
    mov r4.x, l(11)
  endif
else
  mov r4.x, l(20)
  nop
  if_z r0.x
    mov r4.x, l(21)
  else
    iadd r4.x, r4.x, r0.x
  endif
endif
if_z r1.x
  mov r4.y, l(1)
endif
if_nz r1.y
  mov r4.z, l(2)
endif
if_nz l(1)
  mov r4.w, l(3)
endif",
        tail: "",
        want: |n| {
            let x = match n {
                0 => 21,
                n if n % 2 == 1 => 10,
                n => 20 + n,
            };
            [x, 1 - n % 2, n % 2 * 2, 3]
        },
    },
    Flow {
        covers: &[O::Loop, O::EndLoop, O::Break, O::Breakc, O::Continue, O::Continuec],
        declarations: "",
        // Sums the numbers to the thread's that no 3 divides, leaves at 40 and, through `break`, at a sum past 300.
        body: "loop
  uge r1.x, r4.x, r0.x
  breakc_nz r1.x
  iadd r4.x, r4.x, l(1)
  udiv null, r1.y, r4.x, l(3)
  continuec_z r1.y
  ieq r1.z, r4.x, l(5)
  if_nz r1.z
    iadd r4.w, r4.w, l(100)
    continue
  endif
  ine r1.w, r4.x, l(40)
  breakc_z r1.w
  iadd r4.y, r4.y, r4.x
  ult r2.x, l(300), r4.y
  if_nz r2.x
    mov r4.z, l(7)
    break
  endif
  and r2.y, r4.x, l(1)
  continuec_nz r2.y
  iadd r4.w, r4.w, l(1)
endloop",
        tail: "",
        want: |n| {
            let [mut x, mut y, mut z, mut w] = [0u32; 4];
            while x < n {
                x += 1;
                if x % 3 == 0 {
                    continue;
                }
                if x == 5 {
                    w += 100;
                    continue;
                }
                if x == 40 {
                    break;
                }
                y += x;
                if y > 300 {
                    z = 7;
                    break;
                }
                w += u32::from(x % 2 == 0);
            }
            [x, y, z, w]
        },
    },
    Flow {
        covers: &[O::Switch, O::Case, O::Default, O::EndSwitch, O::Break, O::Breakc],
        declarations: "",
        // A default in the middle, cases that share code, one that falls through, a conditional break, a negative one.
        body: "and r1.x, r0.x, l(7)
iadd r1.x, r1.x, l(-1)
switch r1.x
case l(0)
case l(3)
  mov r4.x, l(30)
  break
default
  mov r4.x, l(90)
  break
case l(4)
  mov r4.y, l(4)
case l(5)
  mov r4.x, l(50)
  ult r1.y, r0.x, l(32)
  breakc_nz r1.y
  mov r4.z, l(5)
  break
case l(-1)
  mov r4.x, l(10)
  break
endswitch
switch r0.x
case l(63)
  mov r4.w, l(1)
  break
endswitch",
        tail: "",
        want: |n| {
            let last = u32::from(n == 63);
            match (n & 7) as i32 - 1 {
                0 | 3 => [30, 0, 0, last],
                4 => [50, 4, if n < 32 { 0 } else { 5 }, last],
                5 => [50, 0, if n < 32 { 0 } else { 5 }, last],
                -1 => [10, 0, 0, last],
                _ => [90, 0, 0, last],
            }
        },
    },
    Flow {
        covers: &[O::Ret, O::Retc],
        declarations: "",
        // Threads leave before the result is written, after another one was, and out of a loop.
        body: "ult r1.x, r0.x, l(8)
retc_nz r1.x
store_structured u0.xy, r0.x, l(0), l(1, 2, 0, 0)
uge r1.x, r0.x, l(16)
retc_z r1.x
loop
  ieq r1.y, r4.x, r0.x
  if_nz r1.y
    ult r1.z, r0.x, l(32)
    if_nz r1.z
      ret
    endif
    break
  endif
  iadd r4.x, r4.x, l(1)
endloop",
        tail: "",
        want: |n| match n {
            0..8 => [BEFORE; 4],
            8..32 => [1, 2, BEFORE, BEFORE],
            _ => [n, 0, 0, 0],
        },
    },
    Flow {
        covers: &[O::Call, O::Callc, O::Label],
        declarations: "",
        // A subroutine called twice, one that calls another, returns from inside a loop and an if.
        body: "mov r4.x, l(1)
call label0
ult r1.x, r0.x, l(32)
callc_nz r1.x, label1
callc_z r1.x, label0",
        tail: "label label0
iadd r4.x, r4.x, l(10)
and r2.x, r0.x, l(1)
retc_nz r2.x
iadd r4.y, r4.y, l(1)
ret
label label1
mov r3.x, l(0)
loop
  iadd r3.x, r3.x, l(1)
  ieq r3.y, r3.x, l(4)
  if_nz r3.y
    call label0
    mov r4.z, r3.x
    ret
  endif
endloop
mov r4.w, l(99)
ret
",
        want: |n| [21, if n % 2 == 0 { 2 } else { 0 }, if n < 32 { 4 } else { 0 }, 0],
    },
    Flow {
        covers: &[O::Fcall],
        // What stands in the slots is told when the pipeline is made; without that it is the first type.
        declarations: "dcl_function_body fb0
dcl_function_body fb1
dcl_function_body fb2
dcl_function_table ft0 = {fb0, fb1}
dcl_function_table ft1 = {fb2, fb2}
dcl_interface fp0[1][2] = {ft0, ft1}
",
        body: "fcall fp0[0][1]
fcall fp0[0][0]",
        tail: "label fb0
imad r4.x, r0.x, l(3), r4.x
ret
label fb1
mov r4.x, l(5)
retc_z r0.x
mov r4.y, l(6)
ret
label fb2
mov r4.x, l(77)
mov r4.z, l(78)
ret
",
        want: |n| [5 + 3 * n, if n == 0 { 0 } else { 6 }, 0, 0],
    },
];

/// The programs of this part.
pub fn programs() -> Vec<Program> {
    FLOWS.iter().map(|flow| Program::new(flow.text(), flow.covers)).collect()
}

#[test]
fn every_way_through() {
    each(|run| FLOWS.iter().for_each(|flow| check(run, flow)));
}

/// An instance of another type in the slot: both functions are the second table's.
#[test]
fn calls_of_another_type() {
    each(|run| {
        let flow = FLOWS.iter().find(|flow| flow.covers.contains(&O::Fcall)).unwrap();
        let output = run.filled(THREADS as usize * 4, BEFORE);
        let registers = Registers::new().buffer(u(0), &output).with_instance(0, 1, 0, 0);
        run.compute(&flow.text(), &registers, [1, 1, 1]);
        let want = [77, 0, 78, 0].repeat(THREADS as usize);
        check_bits(&format!("calls of type 1, {}", run.name), &output.words(), &want);
    });
}

fn check(run: &Run<'_>, flow: &Flow) {
    let output = run.filled(THREADS as usize * 4, BEFORE);
    run.compute(&flow.text(), &Registers::new().buffer(u(0), &output), [1, 1, 1]);
    let want: Vec<u32> = (0..THREADS).flat_map(flow.want).collect();
    check_bits(&format!("{:?}, {}", flow.covers, run.name), &output.words(), &want);
}
