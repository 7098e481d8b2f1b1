//! Atomics on raw and structured buffers, typed views and shared memory. First every thread has words of its own, so
//! that every old and every new value is known; then many threads work on one word.

use crate::run::{Program, each};
use crate::want::check_bits;
use rx_tests::vulkan::{Bound, Registers, t, u};
use rx_translate::dxbc::opcodes::Opcode as O;
use std::fmt::Write;

/// Rows without a result and those with one, and what they leave. A compare-and-store has its comparison first.
struct Atomic {
    /// The row without a result.
    plain: Option<(O, &'static str)>,
    /// The row with the old value.
    with_result: Option<(O, &'static str)>,
    /// Whether it compares, with [`COMPARED`].
    compares: bool,
    /// From old value and operand to new.
    new: fn(u32, u32) -> u32,
}

/// What compare-and-store compares with.
const COMPARED: u32 = 0x8000_0000;
/// Old values and operands: every pair is tried.
const VALUES: [u32; 5] = [0, 5, 0x7fff_ffff, COMPARED, 0xffff_fffd];

const ATOMICS: &[Atomic] = &[
    row(O::AtomicAnd, "atomic_and", O::ImmAtomicAnd, "imm_atomic_and", |a, b| a & b),
    row(O::AtomicOr, "atomic_or", O::ImmAtomicOr, "imm_atomic_or", |a, b| a | b),
    row(O::AtomicXor, "atomic_xor", O::ImmAtomicXor, "imm_atomic_xor", |a, b| a ^ b),
    row(O::AtomicIadd, "atomic_iadd", O::ImmAtomicIadd, "imm_atomic_iadd", u32::wrapping_add),
    row(O::AtomicImax, "atomic_imax", O::ImmAtomicImax, "imm_atomic_imax", |a, b| (a as i32).max(b as i32) as u32),
    row(O::AtomicImin, "atomic_imin", O::ImmAtomicImin, "imm_atomic_imin", |a, b| (a as i32).min(b as i32) as u32),
    row(O::AtomicUmax, "atomic_umax", O::ImmAtomicUmax, "imm_atomic_umax", u32::max),
    row(O::AtomicUmin, "atomic_umin", O::ImmAtomicUmin, "imm_atomic_umin", u32::min),
    Atomic { plain: None, with_result: Some((O::ImmAtomicExch, "imm_atomic_exch")), compares: false, new: |_, b| b },
    Atomic {
        plain: Some((O::AtomicCmpStore, "atomic_cmp_store")),
        with_result: Some((O::ImmAtomicCmpExch, "imm_atomic_cmp_exch")),
        compares: true,
        new: |a, b| if a == COMPARED { b } else { a },
    },
];

const fn row(plain: O, name: &'static str, imm: O, imm_name: &'static str, new: fn(u32, u32) -> u32) -> Atomic {
    Atomic { plain: Some((plain, name)), with_result: Some((imm, imm_name)), compares: false, new }
}

/// A place that atomics work on. Each of the [`PAIRS`] threads has a record in it, with a word for each row.
struct Place {
    register: &'static str,
    /// `RECORD` and `ALL` stand for the bytes of one and of all.
    declaration: &'static str,
    /// Makes r2 the address of the row whose word stands `BYTES` into the record, or at place `WORD` of it. r1.x is the
    /// record's number, r1.y its first byte, r1.z its first word.
    address: &'static str,
    /// Loads r3.x from there, and stores r0.x; for shared memory, which the program itself has to fill and copy out.
    load_and_store: Option<[&'static str; 2]>,
}

const PLACES: &[Place] = &[
    Place { register: "u1", declaration: "dcl_uav_raw u1", address: "iadd r2.x, r1.y, l(BYTES)", load_and_store: None },
    Place {
        register: "u1",
        declaration: "dcl_uav_structured u1, RECORD",
        address: "mov r2.x, r1.x\nmov r2.y, l(BYTES)",
        load_and_store: None,
    },
    Place {
        register: "u1",
        declaration: "dcl_uav_typed_buffer (uint,uint,uint,uint) u1",
        address: "iadd r2.x, r1.z, l(WORD)",
        load_and_store: None,
    },
    Place {
        register: "g0",
        declaration: "dcl_tgsm_raw g0, ALL",
        address: "iadd r2.x, r1.y, l(BYTES)",
        load_and_store: Some(["ld_raw r3.x, r2.x, g0.xxxx", "store_raw g0.x, r2.x, r0.x"]),
    },
    Place {
        register: "g0",
        declaration: "dcl_tgsm_structured g0, RECORD, THREADS",
        address: "mov r2.x, r1.x\nmov r2.y, l(BYTES)",
        load_and_store: Some(["ld_structured r3.x, r2.x, r2.y, g0.xxxx", "store_structured g0.x, r2.x, r2.y, r0.x"]),
    },
];

/// Pairs of an old value and an operand.
const PAIRS: usize = VALUES.len() * VALUES.len();

/// Old value and operand of a thread.
fn pair(n: usize) -> [u32; 2] {
    [VALUES[n / VALUES.len()], VALUES[n % VALUES.len()]]
}

impl Place {
    /// Every row on every pair; in u0 the old values, where there are any, and after them what shared memory holds.
    fn text(&self) -> String {
        let rows = rows();
        let record = rows.len() * 4;
        let all = record * PAIRS;
        let declaration = self.declaration.replace("RECORD", &record.to_string()).replace("ALL", &all.to_string());
        let mut text = format!(
            "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_raw t0
dcl_uav_raw u0
{}
dcl_input vThreadID.x
dcl_temps 5
dcl_thread_group {PAIRS}, 1, 1
ishl r0.x, vThreadID.x, l(3)
ld_raw r0.xy, r0.x, t0.xyxx
mov r1.x, vThreadID.x
imul null, r1.yz, vThreadID.xxxx, l(0, {record}, {}, 0)
",
            declaration.replace("THREADS", &PAIRS.to_string()),
            rows.len()
        );
        for (n, row) in rows.iter().enumerate() {
            let address = self.address.replace("BYTES", &(n * 4).to_string()).replace("WORD", &n.to_string());
            let _ = writeln!(text, "{address}\niadd r4.x, r1.y, l({})\niadd r4.y, r4.x, l({all})", n * 4);
            if let Some([_, store]) = self.load_and_store {
                let _ = writeln!(text, "{store}");
            }
            let compared = if row.atomic.compares { format!("l({COMPARED:#x}), ") } else { String::new() };
            let to = if row.result { "r3.x, " } else { "" };
            let _ = writeln!(text, "{} {to}{}, r2.xyxx, {compared}r0.y", row.name, self.register);
            if row.result {
                let _ = writeln!(text, "store_raw u0.x, r4.x, r3.x");
            }
            if let Some([load, _]) = self.load_and_store {
                let _ = writeln!(text, "{load}\nstore_raw u0.x, r4.y, r3.x");
            }
        }
        text + "ret\n"
    }
}

/// A row of the table.
struct Row {
    op: O,
    name: &'static str,
    result: bool,
    atomic: &'static Atomic,
}

/// All rows.
fn rows() -> Vec<Row> {
    let both = |atomic: &'static Atomic| {
        let row = move |row: Option<(O, &'static str)>, result| row.map(|(op, name)| Row { op, name, result, atomic });
        [row(atomic.plain, false), row(atomic.with_result, true)].into_iter().flatten()
    };
    ATOMICS.iter().flat_map(both).collect()
}

#[test]
fn on_every_kind_of_memory() {
    each(|run| {
        let (rows, none) = (rows(), 0xeeee_eeee);
        let count = rows.len();
        let words = count * PAIRS;
        let old: Vec<u32> = (0..words).map(|n| pair(n / count)[0]).collect();
        let operands = run.words(&(0..PAIRS).flat_map(pair).collect::<Vec<_>>());
        for place in PLACES {
            let (u0, u1) = (run.filled(2 * words, none), run.words(&old));
            let typed = place.declaration.contains("typed");
            let bound = if typed { Bound::Typed(&u1, 42) } else { Bound::Buffer(&u1) };
            let registers = Registers::new().buffer(t(0), &operands).buffer(u(0), &u0).with(u(1), bound);
            run.compute(&place.text(), &registers, [1, 1, 1]);
            let given = u0.words();
            let left = if place.load_and_store.is_some() { given[words..].to_vec() } else { u1.words() };
            for (n, row) in rows.iter().enumerate() {
                let of_row = |words: &[u32]| (0..PAIRS).map(|pair| words[pair * count + n]).collect::<Vec<_>>();
                let name = format!("{}, {}, {}", row.name, place.declaration, run.name);
                let want = if row.result { of_row(&old) } else { vec![none; PAIRS] };
                check_bits(&format!("{name}: old values"), &of_row(&given), &want);
                let want: Vec<u32> = (0..PAIRS).map(|n| (row.atomic.new)(pair(n)[0], pair(n)[1])).collect();
                check_bits(&format!("{name}: new values"), &of_row(&left), &want);
            }
        }
    });
}

/// Every thread of two groups at one word each of the device's and of the group's memory.
const AT_ONCE: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_input vThreadIDInGroupFlattened
dcl_input vThreadID.x
dcl_input vThreadGroupID.x
dcl_temps 2
dcl_tgsm_raw g0, 8
dcl_thread_group 64, 1, 1
if_z vThreadIDInGroupFlattened.x
  store_raw g0.xy, l(0), l(0, 0, 0, 0)
endif
sync_g_t
atomic_iadd u0, l(0), vThreadID.x
atomic_umax u0, l(4), vThreadID.x
imm_atomic_iadd r0.x, u0, l(8), l(1)
ushr r0.y, r0.x, l(5)
and r0.x, r0.x, l(31)
ishl r0.x, l(1), r0.x
ishl r0.y, r0.y, l(2)
iadd r0.y, r0.y, l(16)
atomic_or u0, r0.y, r0.x
atomic_iadd g0, l(0), l(2)
atomic_imax g0, l(4), vThreadID.x
sync_g_t
if_z vThreadIDInGroupFlattened.x
  ld_raw r0.xy, l(0), g0.xyxx
  imad r0.z, vThreadGroupID.x, l(8), l(32)
  store_raw u0.xy, r0.z, r0.xyxx
endif
ret
";

#[test]
fn at_once() {
    each(|run| {
        let u0 = run.filled(12, 0);
        run.compute(AT_ONCE, &Registers::new().buffer(u(0), &u0), [2, 1, 1]);
        // Each place of the counter was given once: 128 bits are set.
        let all = u32::MAX;
        let want = [127 * 64, 127, 128, 0, all, all, all, all, 128, 63, 128, 127];
        check_bits(&format!("at once, {}", run.name), &u0.words(), &want);
    });
}

/// The programs of this part.
pub fn programs() -> Vec<Program> {
    let covers: Vec<O> = rows().iter().map(|row| row.op).collect();
    let alone = PLACES.iter().map(|place| Program::new(place.text(), &covers));
    alone.chain([Program::new(AT_ONCE, &[O::AtomicIadd, O::ImmAtomicIadd])]).collect()
}
