//! Destinations that are operands: for every row of the opcode table, each destination in the register of each source,
//! and each destination in the register that indexes another operand.
//!
//! An instruction reads all of its operands before it writes anything. So it gives what it gives with registers of its
//! own. Each case runs both ways in one shader, and the results are compared; what the rows give at all is the other
//! files' subject.

use crate::pixels::SIZE;
use crate::run::{COVERING, Run, each, once, onto};
use crate::textures::Textures;
use rx_tests::vulkan::{Registers, TextureOptions, t, u};
use rx_translate::dxbc::opcodes::{Class, Flags, Kind, OPCODES, Opcode, OpcodeInfo, Role, Shape};
use std::fmt::Write;

/// First register of the sources, one an operand.
const SOURCES: usize = 0;
/// Registers of the results of the plain instruction.
const PLAIN: [usize; 2] = [8, 9];
/// Registers of the results of the aliased one.
const ALIASED: [usize; 2] = [10, 11];
/// The register that is destination and operand at once.
const SHARED: usize = 12;
/// The pixel's place in the results, and in the memory that atomics change.
const PLACE: &str = "r13";
/// Bytes of a case's results: two destinations, plain and aliased.
const RESULT: usize = 64;
/// Cases of one program: a software driver takes long over each sample.
const CASES: usize = 12;

/// What is the same register.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Shares {
    /// Destination `0` is source `1`.
    Source(usize, usize),
    /// Destination `0` indexes source `1`, which is an element of an indexable temporary.
    SourceIndex(usize, usize),
    /// Destination `0` indexes destination `1`, which is an element of an indexable temporary.
    DestinationIndex(usize, usize),
}

/// One row of the table with one pair of operands in one register.
struct Case {
    row: &'static OpcodeInfo,
    shares: Shares,
}

/// A source that is a value in a register, and how many components of it are read at most.
fn is_value(shape: &Shape) -> bool {
    shape.role == Role::Src
}

/// The clamp of the lowest level, which is a literal where the device takes none.
fn is_clamp(row: &OpcodeInfo, operand: usize) -> bool {
    row.mnemonic.ends_with("_cl_s") && operand + 1 == row.operands.len()
}

/// Every case of a row.
fn cases_of(row: &'static OpcodeInfo, clamps: bool) -> Vec<Case> {
    let destinations = row.destinations();
    let values: Vec<usize> = (destinations..row.operands.len())
        .filter(|&n| is_value(&row.operands[n]) && (clamps || !is_clamp(row, n)))
        .collect();
    let mut cases = Vec::new();
    // A software driver takes long over each sample, so each source of a texture shares a register with one destination:
    // the status, where there is one, since it is the one that could be written early.
    let texture = row.kind == Kind::Texture;
    for dst in if texture { destinations - 1 } else { 0 }..destinations {
        cases.extend(values.iter().map(|&source| Shares::Source(dst, source)));
    }
    if destinations == 2 && !texture {
        for dst in 0..2 {
            cases.extend(values.iter().map(|&source| Shares::SourceIndex(dst, source)));
            cases.push(Shares::DestinationIndex(dst, 1 - dst));
        }
    }
    cases.into_iter().map(|shares| Case { row, shares }).collect()
}

/// Whether a row has destinations and values to share registers with.
fn is_concerned(row: &OpcodeInfo) -> bool {
    !row.is_declaration() && row.destinations() > 0 && row.operands.iter().any(is_value)
}

/// The mask of destination `n`.
fn mask(row: &OpcodeInfo, n: usize) -> &'static str {
    let doubles = row.operands.iter().any(|shape| shape.class == Class::Double);
    let pairs = row.operands[n].class == Class::Double;
    match row.op {
        _ if row.flags.has(Flags::FEEDBACK) && n == 1 => "x",
        _ if row.kind == Kind::Atomic => "x",
        _ if doubles && !pairs => "xy",
        _ => "xyzw",
    }
}

/// Whether a value is one component: an address, a reference, a number of a sample.
fn is_scalar(row: &OpcodeInfo, n: usize) -> bool {
    let first = n == row.destinations();
    match row.kind {
        Kind::Alu => matches!(row.op, Opcode::EvalSampleIndex | Opcode::CheckAccessFullyMapped),
        Kind::Texture => match row.op {
            Opcode::SampleD | Opcode::SampleDClampFeedback => is_clamp(row, n),
            Opcode::Gather4Po | Opcode::Gather4PoFeedback | Opcode::Gather4PoC | Opcode::Gather4PoCFeedback => {
                row.operands[n].class == Class::Float && !first
            }
            Opcode::Resinfo | Opcode::SamplePos => true,
            _ => !first,
        },
        Kind::Memory => !matches!(row.op, Opcode::LdUavTyped | Opcode::LdUavTypedFeedback),
        _ => true,
    }
}

/// The register and selection of a value.
fn value(row: &OpcodeInfo, n: usize, register: &str) -> String {
    format!("{register}.{}", if is_scalar(row, n) { "x" } else { "xyzw" })
}

/// Everything that is no value: views, samplers, the attribute.
fn fixed(row: &OpcodeInfo, n: usize) -> String {
    let compares = row.mnemonic.contains("_c_") || row.mnemonic.ends_with("_c");
    let samples = matches!(row.op, Opcode::LdMs | Opcode::LdMsFeedback);
    let structured = matches!(row.op, Opcode::LdStructured | Opcode::LdStructuredFeedback);
    let text = match row.operands[n].role {
        Role::Resource if compares => "t1.xyzw",
        Role::Resource if samples => "t2.xyzw",
        Role::Sampler if compares && row.flags.has(Flags::GATHER) => "s1.x",
        Role::Sampler if compares => "s1",
        Role::Sampler if row.flags.has(Flags::GATHER) => "s0.y",
        Role::Sampler => "s0",
        Role::Resource | Role::ResourceOrUav => "t0.xyzw",
        Role::ResourceOrRasterizer => "rasterizer.xyzw",
        Role::Uav => "u3.xyzw",
        Role::UavOrShared => "u2",
        Role::AnyMemory if structured => "t5.xyzw",
        Role::AnyMemory => "t4.xyzw",
        Role::Attribute => "v1.xyzw",
        other => panic!("{}: an operand that is {other:?}", row.mnemonic),
    };
    text.to_owned()
}

/// What each source register holds, by its place among the sources: four words.
fn input(row: &OpcodeInfo, n: usize) -> [u32; 4] {
    let place = n - row.destinations();
    match (row.op, row.operands[n].class) {
        // Numbers of samples.
        (Opcode::LdMs | Opcode::LdMsFeedback, Class::Int) if place > 0 => [3, 0, 0, 0],
        (Opcode::EvalSampleIndex | Opcode::SamplePos, _) => [2, 2, 2, 2],
        // Offsets in a record.
        (Opcode::LdStructured | Opcode::LdStructuredFeedback, _) if place == 1 => [4, 4, 4, 4],
        (_, Class::Double) => {
            let value = |n: f64| n.to_bits();
            let [a, b] = [[value(1.5), value(-3.0)], [value(0.75), value(2.0)], [value(5.0), value(0.5)]][place % 3];
            [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
        }
        (_, Class::Float) => {
            let values = [[0.3125f32, 0.5625, 0.25, 1.5], [0.5, -0.25, 0.75, 2.0], [-0.375, 0.125, 3.0, 0.0625]];
            values[place % 3].map(f32::to_bits)
        }
        (_, Class::Mask) => [1, 0, 1, 0],
        _ => [[4, 1, 2, 0], [8, 3, 1, 1], [2, 5, 4, 1], [6, 7, 9, 2]][place % 4],
    }
}

impl Case {
    /// The operands of the instruction. `sharing`: of the aliased one.
    fn instruction(&self, sharing: bool) -> String {
        let row = self.row;
        let results = if sharing { ALIASED } else { PLAIN };
        let operand = |n: usize| {
            let shared = sharing
                && match self.shares {
                    Shares::Source(dst, source) => n == dst || n == source,
                    Shares::SourceIndex(dst, _) | Shares::DestinationIndex(dst, _) => n == dst,
                };
            let indexed = match self.shares {
                Shares::SourceIndex(_, source) => n == source,
                Shares::DestinationIndex(_, other) => n == other,
                Shares::Source(..) => false,
            };
            // Element 2 of the one table, or of the other: the index is a register that only the aliased one overwrites.
            let element = if sharing { format!("x1[r{SHARED}.x + 0]") } else { "x0[r7.x + 0]".to_owned() };
            let register = match (indexed, n < row.destinations(), shared) {
                (true, ..) => element,
                (_, _, true) => format!("r{SHARED}"),
                (_, true, _) => format!("r{}", results[n]),
                _ => format!("r{}", SOURCES + n - row.destinations()),
            };
            match (n < row.destinations(), is_value(&row.operands[n])) {
                (true, _) => format!("{register}.{}", mask(row, n)),
                (_, true) if is_clamp(row, n) && !register.contains(&SHARED.to_string()) => register + ".x",
                (_, true) => value(row, n, &register),
                _ => fixed(row, n),
            }
        };
        let operands: Vec<String> = (0..row.operands.len()).map(operand).collect();
        // The rounding forms say in which way they return a size.
        let suffix = if row.op == Opcode::Resinfo { "_uint" } else { "" };
        format!("{}{suffix} {}", row.mnemonic, operands.join(", "))
    }

    /// Both instructions and the stores of what they gave.
    fn text(&self, inputs: &mut Vec<u32>, clamps: bool) -> String {
        let row = self.row;
        let destinations = row.destinations();
        let mut text = String::new();
        for n in (destinations..row.operands.len()).filter(|&n| is_value(&row.operands[n])) {
            let register = SOURCES + n - destinations;
            let _ = writeln!(text, "ld_raw r{register}.xyzw, l({}), t6.xyzw", 4 * inputs.len());
            inputs.extend(input(row, n));
            if is_clamp(row, n) && !clamps {
                let _ = writeln!(text, "mov r{register}.x, l(0)");
            }
            if row.kind == Kind::Atomic && n == destinations + 1 {
                // Each pixel has memory of its own.
                let _ = writeln!(text, "iadd r{register}.x, r{register}.x, {PLACE}.y");
            }
        }
        let _ = writeln!(text, "mov r7.x, l(2)");
        for register in PLAIN.iter().chain(&ALIASED) {
            let _ = writeln!(text, "mov r{register}.xyzw, l(0, 0, 0, 0)");
        }
        self.run(&mut text, false);
        self.run(&mut text, true);
        for (n, register) in PLAIN.iter().chain(&ALIASED).enumerate() {
            let _ = writeln!(text, "iadd {PLACE}.z, {PLACE}.x, l({})", 16 * n);
            let _ = writeln!(text, "store_raw u1.xyzw, {PLACE}.z, r{register}.xyzw");
        }
        let _ = writeln!(text, "iadd {PLACE}.x, {PLACE}.x, l({RESULT})");
        text
    }

    fn run(&self, text: &mut String, sharing: bool) {
        let table = if sharing { "x1" } else { "x0" };
        let results = if sharing { ALIASED } else { PLAIN };
        if self.row.kind == Kind::Atomic {
            for n in 0..4 {
                let _ = writeln!(text, "iadd {PLACE}.z, {PLACE}.y, l({})", 4 * n);
                let _ = writeln!(text, "store_raw u2.x, {PLACE}.z, l({})", 5 + n);
            }
        }
        for n in 0..4 {
            let _ = writeln!(text, "mov {table}[{n}].xyzw, l(0, 0, 0, 0)");
        }
        match self.shares {
            Shares::Source(_, source) if sharing => {
                let _ = writeln!(text, "mov r{SHARED}.xyzw, r{}.xyzw", SOURCES + source - self.row.destinations());
            }
            Shares::SourceIndex(_, source) => {
                let _ = writeln!(text, "mov {table}[2].xyzw, r{}.xyzw", SOURCES + source - self.row.destinations());
                let _ = writeln!(text, "mov r{SHARED}.xyzw, r7.xxxx");
            }
            _ => {
                let _ = writeln!(text, "mov r{SHARED}.xyzw, r7.xxxx");
            }
        }
        let _ = writeln!(text, "{}", self.instruction(sharing));
        for n in 0..self.row.destinations() {
            let own = mask(self.row, n);
            let from = match self.shares {
                Shares::DestinationIndex(_, other) if n == other => format!("{table}[2]"),
                Shares::Source(dst, _) | Shares::SourceIndex(dst, _) | Shares::DestinationIndex(dst, _)
                    if sharing && n == dst =>
                {
                    format!("r{SHARED}")
                }
                _ => continue,
            };
            let _ = writeln!(text, "mov r{}.{own}, {from}.xyzw", results[n]);
        }
    }
}

/// A pixel shader of cases; what the sources hold is appended to `inputs`.
fn program(cases: &[Case], inputs: &mut Vec<u32>, clamps: bool) -> String {
    let bytes = cases.len() * RESULT;
    let mut text = format!(
        "ps_5_0
dcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions
dcl_sampler s0, mode_default
dcl_sampler s1, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_resource_texture2d (float,float,float,float) t1
dcl_resource_texture2dms(4) (float,float,float,float) t2
dcl_resource_raw t4
dcl_resource_structured t5, 16
dcl_resource_raw t6
dcl_uav_raw u1
dcl_uav_raw u2
dcl_uav_typed_texture2d (uint,uint,uint,uint) u3
dcl_input_ps_siv linear noperspective v0.xy, position
dcl_input_ps linear v1.xyzw
dcl_output o0.xyzw
dcl_temps 14
dcl_indexableTemp x0[4], 4
dcl_indexableTemp x1[4], 4
mov o0.xyzw, l(1.0, 1.0, 1.0, 1.0)
ftou r0.xy, v0.xyxx
imad {PLACE}.x, r0.y, l({SIZE}), r0.x
imul null, {PLACE}.y, {PLACE}.x, l(16)
imul null, {PLACE}.x, {PLACE}.x, l({bytes})
"
    );
    for case in cases {
        text.push_str(&case.text(inputs, clamps));
    }
    text + "ret\n"
}

fn check(run: &Run<'_>, textures: &Textures, cases: &[Case]) {
    let features = run.session.device.enabled.features;
    let mut inputs = Vec::new();
    let text = program(cases, &mut inputs, features.min_lod);
    let words = RESULT / 4 * cases.len();
    let pixels = (SIZE * SIZE) as usize;
    let (inputs, output) = (run.words(&inputs), run.filled(words * pixels, 0xeeee_eeee));
    let raw = run.words(&(0..32).map(|n| 0x0100_0000 * n + 3 * n + 1).collect::<Vec<_>>());
    let atomics = run.filled(4 * pixels + 16, 0);
    let texels: Vec<u32> = (0..SIZE * SIZE).map(|n| 1000 + n).collect();
    let typed = run.texture(TextureOptions::d2(42, SIZE, SIZE).unwrap(), &texels);
    let registers = textures.bind(Registers::new().buffer(u(1), &output).buffer(u(2), &atomics));
    let registers = registers.texture(u(3), &typed).buffer(t(4), &raw).buffer(t(5), &raw).buffer(t(6), &inputs);
    let target = run.zeros(TextureOptions { samples: 4, ..TextureOptions::d2(2, SIZE, SIZE).unwrap() });
    let none = Registers::new();
    run.draw(&[(COVERING, &none), (&text, &registers)], onto(&target));
    let output = output.words();
    for (n, case) in cases.iter().enumerate() {
        for pixel in output.chunks_exact(words) {
            let (plain, aliased) = pixel[n * RESULT / 4..][..RESULT / 4].split_at(RESULT / 8);
            let lines = [false, true].map(|sharing| case.instruction(sharing));
            assert!(
                plain == aliased,
                "{}: {:?} in one register: {} gives {plain:x?}, {} gives {aliased:x?}",
                run.name,
                case.shares,
                lines[0],
                lines[1]
            );
        }
    }
}

#[test]
fn results_are_written_after_all_operands_are_read() {
    once(|run| {
        let features = run.session.device.enabled.features;
        let textures = Textures::new(run);
        let rows: Vec<_> = OPCODES
            .iter()
            .filter(|row| is_concerned(row))
            .filter(|row| features.float64 || row.operands.iter().all(|shape| shape.class != Class::Double))
            .collect();
        let cases: Vec<Case> = rows.iter().flat_map(|row| cases_of(row, features.min_lod)).collect();
        println!("{}: {} cases of {} rows", run.name, cases.len(), rows.len());
        assert!(rows.len() > 130, "the table's rows with destinations and sources");
        for cases in cases.chunks(CASES) {
            check(run, &textures, cases);
        }
    });
}

/// Direct3D wants the destinations of an instruction to be different (`swapc`). Where a program has the same component
/// in both, the second one is written last.
#[test]
fn the_second_of_two_destinations_is_written_last() {
    const TEXT: &str = "cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_resource_raw t0
dcl_temps 3
dcl_thread_group 1, 1, 1
ld_raw r0.xyzw, l(0), t0.xyzw
udiv r1.xy, r1.xz, r0.xxxx, r0.yyyy
mov r1.w, l(0)
store_raw u0.xyzw, l(0), r1.xyzw
ret
";
    each(|run| {
        let (input, output) = (run.words(&[47, 10, 0, 0]), run.filled(4, 0xeeee_eeee));
        run.compute(TEXT, &Registers::new().buffer(t(0), &input).buffer(u(0), &output), [1, 1, 1]);
        // 47 / 10 is 4, and 7 is left.
        assert_eq!(output.words(), [7, 4, 7, 0], "{}", run.name);
    });
}
