//! Signed operations whose operands are constants, or become constants once a module is optimised. SPIRV-Tools and SwiftShader
//! fold some of them by the type's sign instead of the operation's, so translated modules must give those signed types.

use crate::run::each;
use crate::want::check_bits;
use rx_tests::vulkan::{Registers, b, u};

/// An instruction from r0 and r1 to r2.
struct Case {
    text: &'static str,
    /// r0.x and r1.x.
    operands: [u32; 2],
    want: u32,
}

const fn case(text: &'static str, operands: [u32; 2], want: u32) -> Case {
    Case { text, operands, want }
}

/// -3, -6 and -1 as words; their floats.
const MINUS_3: u32 = 0xffff_fffd;
const MINUS_6: u32 = 0xffff_fffa;
const MINUS_1: u32 = 0xffff_ffff;
const FLOAT_MINUS_3: u32 = 0xc040_0000;

const CASES: &[Case] = &[
    case("imin r2.x, r0.x, r1.x", [MINUS_3, 2], MINUS_3),
    case("imax r2.x, r0.x, r1.x", [MINUS_3, 2], 2),
    case("imin r2.x, r0.x, r1.x", [0x7fff_ffff, 0x8000_0000], 0x8000_0000),
    case("imax r2.x, r0.x, r1.x", [0x7fff_ffff, 0x8000_0000], 0x7fff_ffff),
    case("umin r2.x, r0.x, r1.x", [MINUS_3, 2], 2),
    case("umax r2.x, r0.x, r1.x", [MINUS_3, 2], MINUS_3),
    // A clamp: the least of the greatest.
    case("imax r2.x, r0.x, r1.x\nimin r2.x, r2.x, l(7)", [MINUS_3, 0], 0),
    case("itof r2.x, r0.x", [MINUS_3, 0], FLOAT_MINUS_3),
    case("itof r2.x, -r0.x", [3, 0], FLOAT_MINUS_3),
    case("utof r2.x, r0.x", [0x8000_0000, 0], 0x4f00_0000),
    case("ftoi r2.x, r0.x", [FLOAT_MINUS_3, 0], MINUS_3),
    case("ftou r2.x, r0.x", [0x4f40_0000, 0], 0xc000_0000),
    case("ftoi r2.x, r0.x\nitof r2.x, r2.x", [FLOAT_MINUS_3, 0], FLOAT_MINUS_3),
    case("ftoi r2.x, r0.x\nimax r2.x, r2.x, r1.x\nutof r2.x, r2.x", [FLOAT_MINUS_3, MINUS_6], 0x4f80_0000),
    case("ineg r2.x, r0.x", [MINUS_3, 0], 3),
    case("udiv r2.x, null, r0.x, l(2)\nineg r2.x, r2.x", [MINUS_6, 0], 0x8000_0003),
    case("ineg r2.x, r0.x\nudiv r2.x, null, r2.x, l(2)", [6, 0], 0x7fff_fffd),
    case("imul null, r2.x, r0.x, r1.x", [MINUS_3, 2], MINUS_6),
    case("imul r2.x, null, r0.x, r1.x", [MINUS_3, 2], MINUS_1),
    case("umul r2.x, null, r0.x, r1.x", [MINUS_3, 2], 1),
    case("ishr r2.x, r0.x, r1.x", [MINUS_6, 1], MINUS_3),
    case("ushr r2.x, r0.x, r1.x", [MINUS_6, 1], 0x7fff_fffd),
    case("ibfe r2.x, l(4), l(4), r0.x", [0xf0, 0], MINUS_1),
    case("ubfe r2.x, l(4), l(4), r0.x", [0xf0, 0], 15),
    // Bit 1 is the highest that differs from the sign: 30 from the top.
    case("firstbit_shi r2.x, r0.x", [MINUS_3, 0], 30),
    case("ilt r2.x, r0.x, r1.x", [MINUS_3, 2], MINUS_1),
    case("ige r2.x, r0.x, r1.x", [MINUS_3, 2], 0),
    case("ult r2.x, r0.x, r1.x", [MINUS_3, 2], 0),
    case("uge r2.x, r0.x, r1.x", [MINUS_3, 2], MINUS_1),
];

/// How the operands get into r0.x and r1.x. `{0}` and `{1}` are their words; `cb0[0].x` is 1.
const SOURCES: &[(&str, &str)] = &[
    ("constants", "mov r0.x, l({0})\nmov r1.x, l({1})"),
    (
        "a join of equal constants",
        "if_nz cb0[0].x\n  mov r0.x, l({0})\n  mov r1.x, l({1})\nelse\n  mov r0.x, l({0})\n  mov r1.x, l({1})\nendif",
    ),
    ("a choice between equal constants", "movc r0.x, cb0[0].x, l({0}), l({0})\nmovc r1.x, cb0[0].x, l({1}), l({1})"),
    (
        "an indexable register",
        "mov x0[0].x, l({0})\nmov x0[1].x, l({1})\nmov r3.xy, l(0, 1, 0, 0)\nmov r0.x, x0[r3.x].x\nmov r1.x, x0[r3.y].x",
    ),
    (
        "a loop that assigns what was there",
        "mov r3.x, l(0)\nmov r0.x, l({0})\nmov r1.x, l({1})\nloop\n  uge r3.y, r3.x, cb0[0].x\n  breakc_nz r3.y\n  \
         mov r0.x, l({0})\n  mov r1.x, l({1})\n  iadd r3.x, r3.x, l(1)\nendloop",
    ),
    // Nothing folds these: the operations themselves.
    ("a constant buffer", "ieq r3.x, cb0[0].x, l(1)\nmovc r0.x, r3.x, l({0}), l(9)\nmovc r1.x, r3.x, l({1}), l(9)"),
];

fn text(source: &str, case: &Case) -> String {
    let [first, second] = case.operands.map(|word| format!("{word:#010x}"));
    let source = source.replace("{0}", &first).replace("{1}", &second);
    format!(
        "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_constantbuffer CB0[1], immediateIndexed
dcl_uav_raw u0
dcl_temps 4
dcl_indexableTemp x0[2], 4
dcl_thread_group 1, 1, 1
{source}
{}
store_raw u0.x, l(0), r2.x
ret
",
        case.text
    )
}

#[test]
fn signed_operations_keep_their_sign() {
    each(|run| {
        let constants = run.words(&[1, 0, 0, 0]);
        for (name, source) in SOURCES {
            for case in CASES {
                let output = run.filled(1, 0xeeee_eeee);
                let registers = Registers::new().buffer(b(0), &constants).buffer(u(0), &output);
                run.compute(&text(source, case), &registers, [1, 1, 1]);
                check_bits(&format!("{}, {name}, {}", case.text, run.name), &output.words(), &[case.want]);
            }
        }
    });
}
