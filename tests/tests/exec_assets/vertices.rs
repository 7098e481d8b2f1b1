//! Vertex shaders: what each vertex gives, caught as bits.

use crate::run::{Run, asset, each};
use crate::want::{Want, check};
use rx_tests::vulkan::{
    Attribute, Bound, Buffer, Draw, Registers, Stage, Target, Topology, VertexBuffer, b, catch, is_caught, t, u,
};

/// What a vertex shader reads beside its registers.
struct Feed<'a> {
    count: u32,
    attributes: Vec<Attribute>,
    buffer: Option<(&'a Buffer, u32)>,
    first_vertex: u32,
    first_instance: u32,
}

/// So many vertices of nothing but their ids.
fn ids(count: u32) -> Feed<'static> {
    Feed { count, attributes: Vec::new(), buffer: None, first_vertex: 0, first_instance: 0 }
}

/// Runs a vertex shader for points and gives the position and the outputs of each vertex: words by target.
fn caught(run: &Run<'_>, shader: &str, registers: &Registers<'_>, feed: Feed<'_>) -> Vec<Vec<u32>> {
    let code = asset(shader);
    let fail = |e: String| -> ! { panic!("{shader}, {}: {e}", run.name) };
    let translation = run.translations.translate(&code, 0).unwrap_or_else(|e| fail(e));
    assert!(run.session.device.enabled.geometry, "vertices are caught by a geometry shader, which the device lacks");
    let (geometry, pixel) = catch(&translation.interface, feed.count);
    let located = translation.interface.outputs.iter().filter(|o| is_caught(o)).count();
    let targets: Vec<_> = (0..located + 1).map(|_| run.target(3, feed.count, 1)).collect();
    let none = Registers::new();
    let stage = |code| Stage { code, registers: &none };
    let mut draw = Draw::new(vec![Stage { code: &code, registers }, stage(&geometry), stage(&pixel)]);
    draw.topology = Topology::PointList;
    draw.vertices = feed.count;
    (draw.first_vertex, draw.first_instance) = (feed.first_vertex, feed.first_instance);
    draw.attributes = feed.attributes;
    let buffers = feed.buffer.into_iter();
    draw.vertex_buffers =
        buffers.map(|(buffer, stride)| VertexBuffer { slot: 0, buffer, stride, per_instance: false }).collect();
    draw.targets = targets.iter().enumerate().map(|(n, texture)| Target { slot: n as u32, texture }).collect();
    draw.run(&run.translations).unwrap_or_else(|e| fail(e));
    targets.iter().map(|t| t.words(0).unwrap()).collect()
}

fn floats(want: &[f32]) -> Vec<Want> {
    want.iter().map(|w| Want::near(f64::from(*w), 1e-6, 1e-6)).collect()
}

#[test]
fn returns_from_nested_flow() {
    for shader in ["flow_return.vs_4_0", "flow_return.vs_5_0.od"] {
        each(|run| {
            for n in [0u32, 3, 20] {
                let a: Vec<[f32; 4]> = (0..8).map(|i| [0, 1, 2, 3].map(|c| (i * 4 + c) as f32 * 1.5 - 4.0)).collect();
                let mut words: Vec<u32> = a.concat().iter().map(|f| f.to_bits()).collect();
                words.extend([n, 0, 0, 0]);
                let constants = run.words(&words);
                let got = caught(run, shader, &Registers::new().buffer(b(0), &constants), ids(10));
                let picked: Vec<_> = (0..10).map(|id| pick(id, &a, n)).collect();
                let first: Vec<f32> = picked.iter().flat_map(|(first, _)| *first).collect();
                let second: Vec<f32> = picked.iter().flat_map(|(_, second)| *second).collect();
                check(&format!("{shader}, {}, {n}", run.name), &got[0], &floats(&first));
                check(&format!("{shader}, {}, {n}: color", run.name), &got[1], &floats(&second));
            }
        });
    }
}

fn pick(i: usize, a: &[[f32; 4]], n: u32) -> ([f32; 4], [f32; 4]) {
    let first = a[i & 7];
    if i > 3 {
        return (first, [0.0; 4]);
    }
    let mut second = [first[3], first[2], first[1], first[0]];
    for k in 0..n as usize {
        (0..4).for_each(|c| second[c] += a[k & 7][c]);
        if second[0] > 100.0 {
            return (first, second);
        }
    }
    (first.map(|c| -c), second)
}

#[test]
fn typed_buffers() {
    for (shader, sizes) in [("buffer_typed.vs_4_0", false), ("buffer_typed.vs_5_0", true)] {
        each(|run| {
            let f: Vec<f32> = (0..24).map(|n| n as f32 * 0.5).collect();
            let i: Vec<u32> = (0..8).map(|n| (n * 3 - 10) as u32).collect();
            let integers: Vec<u32> = (0..9).map(|n| n * n).collect();
            let bytes: Vec<u32> = (0..128u32).map(|n| n * 0x0102_0304 ^ 0xff00_ff00).collect();
            let (fb, ib, ub, nb) = (run.floats(&f), run.words(&i), run.words(&integers), run.words(&bytes));
            let registers = Registers::new().with(t(0), Bound::Typed(&fb, 2)).with(t(1), Bound::Typed(&ib, 18));
            let registers = registers.with(t(2), Bound::Typed(&ub, 42)).with(t(3), Bound::Typed(&nb, 28));
            let got = caught(run, shader, &registers, ids(8));
            let count = if sizes { 6 } else { 100 };
            let mut want = Vec::new();
            for id in 0..8usize {
                for c in 0..4 {
                    // Out of range a missing component is its default: only four-component views here, so 0.
                    let f = f.get(id * 4 + c).copied().unwrap_or(0.0);
                    let i = i.get((id + 1) * 2 + c % 2).map_or(0, |w| *w as i32) as f32;
                    let u = integers.get(id * 2).copied().unwrap_or(0) as f32;
                    let n = bytes.get((count - 1 - id as i64) as usize).map_or(0, |w| w.to_le_bytes()[c]);
                    want.push(Want::near(f64::from(f + i + u) + f64::from(n) / 255.0, 1e-5, 1e-6));
                }
            }
            check(&format!("{shader}, {}", run.name), &got[0], &want);
        });
    }
}

#[test]
fn texture_buffers() {
    for shader in ["tbuffer.vs_4_0", "tbuffer.vs_5_0"] {
        each(|run| {
            let mut words: Vec<u32> = (0..32).map(|n| (n as f32 * 0.75 - 3.0).to_bits()).collect();
            words.extend([5, 0xffff_fff0, 0, 100]);
            let buffer = run.words(&words);
            // The shader asks for floats; the integers come as their bits.
            let registers = Registers::new().with(t(3), Bound::Typed(&buffer, 2));
            let got = caught(run, shader, &registers, ids(9));
            let numbers = [5.0, -16.0, 0.0, 100.0];
            let row = |id: usize, c: usize| (id % 8 * 4 + c) as f32 * 0.75 - 3.0 + numbers[c];
            let want: Vec<f32> = (0..36).map(|n| row(n / 4, n % 4)).collect();
            check(&format!("{shader}, {}", run.name), &got[0], &floats(&want));
        });
    }
}

#[test]
fn constant_buffers_with_dynamic_indices() {
    for shader in ["cbuffer_dynamic.vs_4_0", "cbuffer_dynamic.vs_5_0"] {
        each(|run| {
            // s0 s1.xy s2 | s3.xyz s4 | five items of two rows: a b, c d | three tails, a row each | two 3x3 by columns | flag
            let mut packed: Vec<u32> = (0..4 * 22).map(|n| (n as f32 * 0.25 - 5.0).to_bits()).collect();
            (0..5).for_each(|i| packed[(2 + i * 2 + 1) * 4 + 2] = (i as i32 * 7 - 9) as u32);
            // The flag follows the last column of the last matrix.
            packed[20 * 4 + 3] = 1;
            let table: Vec<f32> = (0..64).map(|n| n as f32 * 0.125).collect();
            let offsets = [0, 0, 5, 0, 0, 0, 15, 0];
            let (p, second, third) = (run.words(&packed), run.floats(&table), run.words(&offsets));
            let registers = Registers::new().buffer(b(0), &p).buffer(b(3), &second).buffer(b(13), &third);
            let got = caught(run, shader, &registers, ids(5));
            let want: Vec<f32> = (0..5).flat_map(|id| dynamic(id, &packed, &table, &offsets)).collect();
            check(&format!("{shader}, {}", run.name), &got[0], &floats(&want));
        });
    }
}

fn dynamic(id: usize, packed: &[u32], table: &[f32], offsets: &[u32]) -> [f32; 4] {
    let f = |row: usize, c: usize| f32::from_bits(packed[row * 4 + c]);
    let item = 2 + id * 2;
    let d = packed[(item + 1) * 4 + 2] as i32 as f32;
    let (x, y) = ((id * 3 & 15) * 4, offsets[(id & 1) * 4 + 2] as usize * 4);
    let mut r = [0, 1, 2, 3].map(|c| if c < 3 { f(item, c) * f(item, 3) } else { f(item + 1, 0) + d });
    (0..4).for_each(|c| r[c] += table[x + c] + table[y + c]);
    let v = [f(0, 1), f(0, 2), f(0, 3)];
    let columns = 15 + (id & 1) * 3;
    for c in 0..3 {
        let product: f32 = (0..3).map(|k| f(columns + k, c) * v[k]).sum();
        r[c] += f(1, c) * f(0, 0) + product;
    }
    r[3] += f(12 + id % 3, 0) + f(1, 3);
    r
}

fn attribute(semantic: &str, index: u32, format: u32, offset: u32) -> Attribute {
    Attribute { semantic: semantic.to_owned(), index, format, slot: 0, offset }
}

#[test]
fn precise_and_loose_arithmetic() {
    for shader in ["precise_math.vs_4_0", "precise_math.vs_5_0", "precise_math.vs_5_0.gis"] {
        each(|run| {
            let m: Vec<f32> = (0..16).map(|n| (n as f32 * 0.7).sin()).collect();
            let k = [1.25f32, -0.5, 2.0, 0.75];
            let constants = run.floats(&[m.clone(), k.to_vec()].concat());
            let points: Vec<f32> = (0..12).map(|n| n as f32 * 0.3 - 1.0).collect();
            let buffer = run.floats(&points);
            let feed = Feed { attributes: vec![attribute("POSITION", 0, 2, 0)], buffer: Some((&buffer, 16)), ..ids(3) };
            let got = caught(run, shader, &Registers::new().buffer(b(0), &constants), feed);
            let mut want = (Vec::new(), Vec::new());
            for p in points.chunks_exact(4) {
                for c in 0..4 {
                    // Column-major: the row's parts stand in four columns.
                    let product: f64 = (0..4).map(|n| f64::from(m[n * 4 + c]) * f64::from(p[n])).sum();
                    let value = product * f64::from(k[0]) + f64::from(k[1]) * f64::from(p[c]);
                    let s = f64::from(p[0]) * f64::from(k[2]) - f64::from(p[1]) * f64::from(k[3]);
                    want.0.push(Want::near(value, 1e-6, 1e-6));
                    want.1.push(Want::near(if c == 3 { 2.0 * s } else { value }, 1e-6, 1e-6));
                }
            }
            check(&format!("{shader}, {}: precise", run.name), &got[0], &want.0);
            check(&format!("{shader}, {}: loose", run.name), &got[1], &want.1);
        });
    }
}

#[test]
fn inputs_and_outputs_by_index() {
    for shader in ["vs_dynamic_output.vs_4_0", "vs_dynamic_output.vs_5_0"] {
        each(|run| {
            let rows = |vertex: usize, row: usize, c: usize| (vertex * 100 + row * 10 + c) as f32;
            let mut words = Vec::new();
            for vertex in 0..6 {
                words.extend((0..24).map(|n| rows(vertex, n / 4, n % 4).to_bits()));
                words.extend([vertex as u32, 0, 0, 0]);
            }
            let buffer = run.words(&words);
            let mut attributes: Vec<_> = (0..6).map(|n| attribute("ROW", n, 2, n * 16)).collect();
            attributes.push(attribute("KIND", 0, 42, 96));
            let feed = Feed { attributes, buffer: Some((&buffer, 112)), ..ids(6) };
            let got = caught(run, shader, &Registers::new(), feed);
            let position: Vec<f32> = (0..24).map(|n| rows(n / 4, n / 4, n % 4)).collect();
            check(&format!("{shader}, {}", run.name), &got[0], &floats(&position));
            for row in 0..4 {
                let value = |vertex: usize, c: usize| {
                    if vertex & 3 == row { rows(vertex, (vertex + 1) % 6, c) } else { row as f32 }
                };
                let want: Vec<f32> = (0..24).map(|n| value(n / 4, n % 4)).collect();
                check(&format!("{shader}, {}: row {row}", run.name), &got[1 + row], &floats(&want));
            }
        });
    }
}

#[test]
fn system_values_and_packed_outputs() {
    for shader in ["vs_system_values.vs_4_0", "vs_system_values.vs_5_0", "vs_system_values.vs_5_1"] {
        each(|run| {
            let mut words = Vec::new();
            for vertex in 0..5u32 {
                words.extend([0.25, -1.0, 0.5].map(|f: f32| (f + vertex as f32).to_bits()));
                words.extend([7, 8, 9, 10].map(|n| n + vertex * 20));
                words.extend([vertex.wrapping_sub(3), vertex * 1000]);
            }
            let buffer = run.words(&words);
            let attributes =
                vec![attribute("POSITION", 0, 6, 0), attribute("KIND", 0, 3, 12), attribute("SIGNED", 0, 18, 28)];
            // Both ids begin at 0 whatever the draw's first is; the vertices themselves begin at the first.
            let feed = Feed { count: 3, attributes, buffer: Some((&buffer, 36)), first_vertex: 2, first_instance: 6 };
            let got = caught(run, shader, &Registers::new(), feed);
            let name = |what: &str| format!("{shader}, {}: {what}", run.name);
            let each_vertex = |of: &dyn Fn(u32) -> [u32; 4]| (2..5).flat_map(of).map(Want::Bits).collect::<Vec<_>>();
            let p = |v: u32| [0.25 + v as f32, -1.0 + v as f32, 0.5 + v as f32];
            let f = |values: [f32; 4]| values.map(f32::to_bits);
            check(&name("position"), &got[0], &each_vertex(&|v| f([p(v)[0], p(v)[1], p(v)[2], 1.0])));
            check(&name("a"), &got[1], &each_vertex(&|v| f([(7 + v * 20) as f32, 0.0, 0.0, 0.0])));
            let b = each_vertex(&|v| f([v as f32 - 3.0, v as f32 * 1000.0, 0.0, 0.0]));
            check(&name("b"), &got[2], &b);
            check(&name("c"), &got[3], &each_vertex(&|v| [v - 2, 0, 0, 0]));
            check(
                &name("d0"),
                &got[4],
                &each_vertex(&|v| f([8, 9, 10, 0].map(|n| if n > 0 { (n + v * 20) as f32 } else { 0.0 }))),
            );
            check(&name("d1"), &got[5], &each_vertex(&|v| f([-p(v)[0], -p(v)[1], -p(v)[2], 0.0])));
        });
    }
}

#[test]
fn views_of_a_vertex_shader() {
    each(|run| {
        let counters = run.filled(4, 0);
        let image = run.target(2, 8, 1);
        let registers = Registers::new().buffer(u(4), &counters).texture(u(5), &image);
        let got = caught(run, "uav_vertex.vs_5_0", &registers, ids(5));
        check(
            &format!("uav_vertex, {}", run.name),
            &got[0],
            &floats(&(0..20).map(|n| (n / 4) as f32).collect::<Vec<_>>()),
        );
        // A vertex may be run more than once.
        assert!(counters.words()[0] >= 5, "{}: {:?}", run.name, counters.words());
        let want: Vec<f32> = (0..32).map(|n| if n < 20 { 1.0 } else { 0.0 }).collect();
        check(&format!("uav_vertex, {}: image", run.name), &image.words(0).unwrap(), &floats(&want));
    });
}
