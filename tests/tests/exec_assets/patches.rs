//! Hull shaders of triangles, caught by a domain shader that streams out; a domain shader of triangles, fed.

use crate::run::{Run, asset, each};
use crate::want::{Want, check};
use rx_tests::vulkan::{
    Attribute, Buffer, Draw, Registers, Stage, Topology, VertexBuffer, b, catch_patch, feed, feed_patch, wide_format,
    words_of_patch,
};
use rx_translate::interface::{Component, StageInterface};
use rx_translate::{StreamOutput, StreamOutputEntry};

/// What the buffer of the stream output holds before: no test gives it.
const UNTOUCHED: u32 = 0x7fc0_dead;

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<Want> {
    values.into_iter().map(|v| Want::near(f64::from(v), 1e-5, 1e-5)).collect()
}

/// Attributes of a feeding vertex shader: the position, then the next stage's inputs.
fn attributes(next: &StageInterface) -> Vec<Attribute> {
    let named = next.inputs.iter().filter(|e| e.location.is_some());
    let named = named.map(|e| (format!("{}{}", e.semantic.to_uppercase(), e.index), e.component));
    let all = std::iter::once((String::from("POSITION"), Component::Float)).chain(named).enumerate();
    let attribute = |(n, (semantic, component)): (usize, (String, Component))| Attribute {
        semantic,
        index: 0,
        format: wide_format(component),
        slot: 0,
        offset: n as u32 * 16,
    };
    all.map(attribute).collect()
}

/// Draws patches of three control points, each a position and one vector, and gives what is streamed out.
fn stream(
    run: &Run<'_>,
    stages: &[Stage<'_>],
    next: &StageInterface,
    points: &[[[f32; 4]; 2]],
    own: StreamOutput,
) -> Vec<u32> {
    let vertex = feed(next);
    let none = Registers::new();
    let output = run.filled(16384, UNTOUCHED);
    let attributes = attributes(next);
    assert_eq!(attributes.len(), 2, "a position and one vector");
    let content: Vec<f32> = points.iter().flatten().flatten().copied().collect();
    let buffer: Buffer = run.floats(&content);
    let mut all = vec![Stage { code: &vertex, registers: &none }];
    all.extend_from_slice(stages);
    let draw = Draw {
        stages: all,
        topology: Topology::Patches(3),
        vertices: points.len() as u32,
        vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride: 32, per_instance: false }],
        attributes,
        stream_out: vec![&output],
        ..Draw::new(Vec::new())
    };
    let translations = run.translations.with_stream_output(own);
    draw.run(&translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
    let words = output.words();
    let end = words.iter().rposition(|w| *w != UNTOUCHED).map_or(0, |n| n + 1);
    words[..end].to_vec()
}

/// Streams out what a hull shader gives to each vertex, and checks each but for the vertex's place.
fn hull(
    run: &Run<'_>,
    shader: &str,
    registers: &Registers<'_>,
    points: &[[[f32; 4]; 2]],
    outputs: u32,
    want: &dyn Fn(usize) -> Vec<Want>,
) {
    let code = asset(shader);
    let fail = |e: String| -> ! { panic!("{shader}, {}: {e}", run.name) };
    let translation = run.translations.translate(&code, 0).unwrap_or_else(|e| fail(e));
    let domain = catch_patch(&translation.interface, outputs);
    let none = Registers::new();
    let stages = [Stage { code: &code, registers }, Stage { code: &domain, registers: &none }];
    let got = stream(run, &stages, &translation.interface, points, StreamOutput::default());
    let each = words_of_patch(&translation.interface, outputs);
    assert!(got.len() >= each * 3 && got.len() % each == 0, "{shader}, {}: {} words", run.name, got.len());
    let mut patch = 0;
    for (n, vertex) in got.chunks_exact(each).enumerate() {
        // The patches follow one another: the first vertices of the next have another inner factor.
        let place = [0, 1, 2].map(|c| f32::from_bits(vertex[c]));
        assert!((place.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{shader}, {}: {place:?}", run.name);
        let met = |patch: usize| want(patch).iter().zip(&vertex[3..]).all(|(want, got)| want.met(*got));
        if patch + 1 < points.len() / 3 && !met(patch) {
            patch += 1;
        }
        check(&format!("{shader}, {}, vertex {n} of patch {patch}", run.name), &vertex[3..], &want(patch));
    }
    assert_eq!(patch + 1, points.len() / 3, "{shader}, {}: every patch is seen", run.name);
}

/// Control points of two patches: positions and normals.
fn points() -> Vec<[[f32; 4]; 2]> {
    (0..6)
        .map(|n| {
            let n = n as f32;
            [[n, n * 2.0, 0.5, 1.0], [[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0]][n as usize % 3]]
        })
        .collect()
}

#[test]
fn triangles_of_every_partitioning() {
    for shader in [
        "hs_triangle.hs_5_0.integer",
        "hs_triangle.hs_5_0.pow2",
        "hs_triangle.hs_5_0.even",
        "hs_triangle.hs_5_0.points",
    ] {
        each(|run| {
            if !run.needs(
                run.session.device.enabled.tessellation && run.session.device.enabled.transform_feedback,
                "tessellation and transform feedback",
            ) {
                return;
            }
            let constants = run.floats(&[1.0, 2.0, 40.0, 3.0]);
            let points = points();
            let want = |id: usize| {
                let of = |i: usize| points[id * 3 + i % 3];
                // The inner factor by the patch's number; each edge's by a normal's length, 32 at most.
                let inner = 3.0 + id as f32;
                // Powers of two are made of the factors, which Vulkan would not do.
                let inner = if shader.ends_with("pow2") { 4.0 } else { inner };
                let values = [inner, 2.0, 4.0, 32.0];
                let normal = |i: usize| {
                    let sum = [0, 1, 2].map(|c| of(i + 1)[1][c] + of(i)[1][c]);
                    let length = sum.iter().map(|v| v * v).sum::<f32>().sqrt();
                    sum.map(|v| v / length)
                };
                let mut want = floats(values);
                want.push(Want::Any);
                for i in 0..3 {
                    want.extend(floats(of(i)[0].map(|v| v + id as f32)));
                    want.extend(floats(normal(i)));
                    want.push(Want::Bits(0));
                }
                for i in 0..3 {
                    let (a, c) = (normal(i), normal((i + 1) % 3));
                    want.extend(floats([0, 1, 2].map(|n| (a[n] + c[n]) * 0.5)));
                    want.push(Want::Bits(0));
                }
                want
            };
            hull(run, shader, &Registers::new().buffer(b(0), &constants), &points, 3, &want);
        });
    }
}

#[test]
fn hull_shaders_that_pass_points_on() {
    let points: Vec<[[f32; 4]; 2]> = (0..3).map(|n| [[n as f32; 4], [n as f32 * 10.0, 1.0, 2.0, 3.0]]).collect();
    each(|run| {
        if !run.needs(
            run.session.device.enabled.tessellation && run.session.device.enabled.transform_feedback,
            "tessellation and transform feedback",
        ) {
            return;
        }
        let factors = || floats([2.0, 3.0, 4.0, 5.0]).into_iter().chain([Want::Any]).collect::<Vec<_>>();
        let copied = |_| [factors(), floats(points.iter().flatten().flatten().copied())].concat();
        hull(run, "hs_pass_through.hs_5_0.copy", &Registers::new(), &points, 3, &copied);
        let single = |_| {
            let sum = [0, 1, 2, 3].map(|c| points[1][1][c] + points[2][1][c]);
            [factors(), floats(points[0][0]), floats(sum)].concat()
        };
        hull(run, "hs_pass_through.hs_5_0.single", &Registers::new(), &points, 1, &single);
    });
}

#[test]
fn a_domain_shader_of_triangles() {
    each(|run| {
        if !run.needs(
            run.session.device.enabled.tessellation && run.session.device.enabled.transform_feedback,
            "tessellation and transform feedback",
        ) {
            return;
        }
        let code = asset("ds_domains.ds_5_0.triangle");
        let translation = run.translations.translate(&code, 0).unwrap();
        let factors = [2.0, 3.0, 4.0, 5.0];
        let hull = feed_patch(&translation.interface, factors);
        let none = Registers::new();
        let stages = [Stage { code: &hull, registers: &none }, Stage { code: &code, registers: &none }];
        let points: Vec<[[f32; 4]; 2]> =
            (0..12).map(|n| [[0.0; 4], [n as f32, (n % 3) as f32 * 2.0, (n / 3) as f32, 0.0]]).collect();
        let entry = |semantic: &str, components| StreamOutputEntry {
            semantic: Some(semantic.to_owned()),
            components,
            ..StreamOutputEntry::default()
        };
        let entries = vec![entry("SV_Position", 4), entry("TEXCOORD", 2)];
        let output = StreamOutput { entries, ..StreamOutput::default() };
        let got = stream(run, &stages, &translation.interface, &points, output);
        let each = got.len() / 4;
        assert!(each >= 18 && got.len() % 24 == 0, "{}: {} words", run.name, got.len());
        for (n, vertex) in got.chunks_exact(6).enumerate() {
            let patch = n / (each / 6);
            // The place comes back with the second edge's factor added.
            let (x, y) = (f32::from_bits(vertex[4]) - 3.0, f32::from_bits(vertex[5]) - 3.0);
            let w = [x, y, 1.0 - x - y];
            let value = |c: usize| {
                let sum: f32 = (0..3).map(|i| points[patch * 3 + i][1][c] * w[i]).sum();
                // Patch constants are their number and tenths.
                sum + ((patch % 3) as f32 + c as f32 * 0.1) * w[0] * w[1]
            };
            let want = floats([value(0), value(1), value(2), 5.0]);
            let want: Vec<Want> = want.into_iter().chain([Want::Any, Want::Any]).collect();
            check(&format!("triangle_main, {}, vertex {n}", run.name), vertex, &want);
        }
    });
}
