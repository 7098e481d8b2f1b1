//! Control flow of compute shaders: loops, switches, early returns, continues.

use crate::run::each;
use crate::want::{Want, check};
use rx_tests::vulkan::{Buffer, Registers, b, t, u};

fn words(want: &[u32]) -> Vec<Want> {
    want.iter().map(|w| Want::Bits(*w)).collect()
}

/// Runs a shader from one buffer to another of the same words.
fn map(shader: &str, input: &[u32], outputs: usize, want: &[u32]) {
    each(|run| {
        let (from, to) = (run.words(input), run.filled(outputs, 0));
        run.compute(shader, &Registers::new().buffer(t(0), &from).buffer(u(0), &to), [1, 1, 1]);
        check(&format!("{shader}, {}", run.name), &to.words(), &words(want));
    });
}

#[test]
fn loops() {
    let input: Vec<u32> = (0..32).map(|n| [0, 1, 2, 27, 97, 1000, 12345, 3][n % 8] + n as u32 / 8 * 5).collect();
    let want: Vec<u32> = input.iter().map(|n| loop_value(*n)).collect();
    for shader in ["flow_loops.cs_5_0", "flow_loops.cs_5_0.od", "flow_loops.cs_5_0.gfp"] {
        map(shader, &input, 32, &want);
    }
}

fn loop_value(n: u32) -> u32 {
    let (mut sum, mut k) = (0u32, 0u32);
    loop {
        k += 1;
        // `continue` in a do-while goes to its condition.
        if k & 3 != 2 {
            sum = sum.wrapping_add(k * n);
        }
        if k >= n & 31 {
            break;
        }
    }
    for i in 0..8 {
        let mut j = i;
        while j < 16 && j <= n {
            sum ^= i * 16 + j;
            if sum == 12345 {
                return j;
            }
            j += 2;
        }
    }
    sum.wrapping_add(collatz(n))
}

fn collatz(mut n: u32) -> u32 {
    let mut steps = 0;
    while n != 1 {
        if n == 0 {
            return u32::MAX;
        }
        n = if n & 1 == 1 { n.wrapping_mul(3).wrapping_add(1) } else { n >> 1 };
        steps += 1;
        if steps > 500 {
            break;
        }
    }
    steps
}

#[test]
fn switches_in_loops_in_switches() {
    let input: Vec<u32> = (0..32).collect();
    let want: Vec<u32> = input.iter().map(|v| nested_switch(*v)).collect();
    for shader in ["flow_switch_nested.cs_5_0", "flow_switch_nested.cs_5_0.od"] {
        map(shader, &input, 32, &want);
    }
}

fn nested_switch(v: u32) -> u32 {
    match v & 3 {
        1 => return 7,
        2 => return v,
        3 => return !v,
        _ => {}
    }
    let mut r = 0;
    for i in 0..v {
        match i % 3 {
            0 => {
                r += 1;
                continue;
            }
            1 => r += 10,
            // The compiler takes the return here for a break: so do the bytecode and this.
            _ if r > 500 => {}
            _ => r += 100,
        }
        r += 1000;
    }
    r
}

#[test]
fn conditional_continues() {
    // One thread writes what another reads, but all write the input's own words before their sums, and only even ones.
    let mut input: Vec<u32> = vec![1; 80];
    for n in (0..80).step_by(20) {
        input[n] = 200 + n as u32;
    }
    let mut want = vec![0u32; 80];
    for id in 0..16usize {
        let mut sum = 0;
        for at in id..id + 64 {
            if input[at] & 1 == 1 {
                continue;
            }
            want[at] = input[at];
            if input[at] > 100 {
                break;
            }
            sum += input[at];
        }
        want[id] = sum;
    }
    // Thread 0 writes its own place twice; the sum comes last.
    for shader in ["flow_continue_conditional.cs_5_0", "flow_continue_conditional.cs_5_0.gfp"] {
        map(shader, &input, 80, &want);
    }
}

#[test]
fn prefix_sums() {
    let input: Vec<u32> = (0..256u32).map(|n| n.wrapping_mul(2_654_435_761) >> 20).collect();
    let want: Vec<u32> = input
        .iter()
        .scan(0u32, |sum, n| {
            *sum = sum.wrapping_add(*n);
            Some(*sum)
        })
        .collect();
    for shader in ["cs_scan.cs_5_0", "cs_scan.cs_5_0.gfa"] {
        map(shader, &input, 256, &want);
    }
}

#[test]
fn matrix_product() {
    for shader in ["cs_matrix_multiply.cs_5_0", "cs_matrix_multiply.cs_5_0.gis"] {
        each(|run| {
            let value = |n: u32, m: u32| ((n * m) % 17) as f32 - 8.0;
            let left: Vec<f32> = (0..1024).map(|n| value(n, 7)).collect();
            let right: Vec<f32> = (0..1024).map(|n| value(n, 11)).collect();
            let size = run.words(&[32, 0, 0, 0]);
            let (a, c, product) = (run.floats(&left), run.floats(&right), run.filled(1024, 0));
            let registers = Registers::new().buffer(b(0), &size).buffer(t(0), &a).buffer(t(1), &c);
            run.compute(shader, &registers.buffer(u(0), &product), [2, 2, 1]);
            // Small integers: every order of the sums is exact.
            let cell = |n: usize| (0..32).map(|k| left[n / 32 * 32 + k] * right[k * 32 + n % 32]).sum::<f32>();
            let want: Vec<Want> = (0..1024).map(|n| Want::float(cell(n))).collect();
            check(&format!("{shader}, {}", run.name), &product.words(), &want);
        });
    }
}

#[test]
fn system_values_of_a_dispatch() {
    for shader in ["cs_system_values.cs_5_0", "cs_system_values.cs_5_1"] {
        each(|run| {
            let threads = 3 * 2 * 2 * 30;
            let output: Buffer = run.filled((2 * 7 * 11 * 30) * 4, 0xffff_ffff);
            run.compute(shader, &Registers::new().buffer(u(0), &output), [3, 2, 2]);
            let mut want = vec![0xffff_ffffu32; 2 * 7 * 11 * 30 * 4];
            let mut written = 0;
            for (group, lane) in (0..12u32).flat_map(|g| (0..30u32).map(move |l| (g, l))) {
                let g = [group % 3, group / 3 % 2, group / 6];
                let l = [lane % 5, lane / 5 % 3, lane / 15];
                let id = [g[0] * 5 + l[0], g[1] * 3 + l[1], g[2] * 2 + l[2]];
                let at = (((g[2] * 7 + g[1]) * 11 + g[0]) * 30 + lane) as usize * 4;
                let values = [id[0] | id[1] << 8 | id[2] << 16, l[0] + l[1] * 10 + l[2] * 100, lane, id[0] / 5];
                want[at..at + 4].copy_from_slice(&values);
                written += 1;
            }
            assert_eq!(written, threads);
            check(&format!("{shader}, {}", run.name), &output.words(), &words(&want));
        });
    }
}

#[test]
fn hints_change_nothing() {
    each(|run| {
        let n = run.words(&[2, 0, 0, 0]);
        // More rounds than are asked for have been done: the loop over memory ends at once.
        let (flags, output) = (run.words(&[5]), run.filled(16, 0));
        let registers = Registers::new().buffer(b(0), &n).buffer(u(0), &flags).buffer(u(1), &output);
        run.compute("branch_hints.cs_5_0", &registers, [1, 1, 1]);
        let value = |id: u32| {
            let mut r = f64::from(id);
            r = if id > 3 { r * 2.0 } else { r - 1.0 };
            r = if id & 4 != 0 { r.sqrt() } else { r };
            (r + 0.0 + 1.0) * 1.5 * 1.5
        };
        let want: Vec<Want> = (0..16).map(|id| Want::near(value(id), 0.0, 1e-6)).collect();
        check(&format!("branch_hints, {}", run.name), &output.words(), &want);
    });
}

#[test]
fn legacy_profiles() {
    for shader in ["cs_legacy.cs_4_0", "cs_legacy.cs_4_1"] {
        let input: Vec<u32> = (0..64).map(|n| n * n + 3).collect();
        let lane = |n: usize| [input[n * 2], input[n * 2 + 1]];
        let want: Vec<u32> =
            (0..32).flat_map(|n| [lane(n)[1] + lane(31 - n)[0], lane(n)[0] + lane(31 - n)[1]]).collect();
        map(shader, &input, 64, &want);
    }
}
