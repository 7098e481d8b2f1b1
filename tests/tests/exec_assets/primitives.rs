//! Geometry shaders and tessellation: what they emit, streamed out or drawn.

use crate::run::{Run, asset, each, onto};
use crate::want::{Want, check};
use rx_tests::vulkan::{
    Attribute, Draw, Registers, SamplerState, Stage, Texture, TextureOptions, Topology, VertexBuffer, b, feed, s, t, u,
    wide_format,
};
use rx_translate::interface::{Component, StageInterface};
use rx_translate::{StreamOutput, StreamOutputEntry};

/// What a buffer of the stream output holds before: no test gives it.
const UNTOUCHED: u32 = 0x7fc0_dead;

/// A pipeline of a feeding vertex shader and the tested stages.
struct Pipeline<'a> {
    /// Names of the tested stages' assets, and their registers.
    stages: &'a [(&'a str, &'a Registers<'a>)],
    topology: Topology,
    /// Words by vertex, then position first and the first stage's inputs after it, four each.
    vertices: Vec<Vec<[u32; 4]>>,
}

fn entry(stream: u8, semantic: &str, index: u32, components: u8, buffer: u8) -> StreamOutputEntry {
    StreamOutputEntry { stream, semantic: Some(semantic.to_owned()), index, first_component: 0, components, buffer }
}

/// The position and nothing else.
fn positions() -> Vec<StreamOutputEntry> {
    vec![entry(0, "SV_Position", 0, 4, 0)]
}

fn attributes(next: &StageInterface) -> Vec<Attribute> {
    let located = next.inputs.iter().filter(|e| e.location.is_some());
    let named = located.map(|e| (format!("{}{}", e.semantic.to_uppercase(), e.index), e.component));
    std::iter::once((String::from("POSITION"), Component::Float))
        .chain(named)
        .enumerate()
        .map(|(n, (semantic, component))| Attribute {
            semantic,
            index: 0,
            format: wide_format(component),
            slot: 0,
            offset: n as u32 * 16,
        })
        .collect()
}

impl Pipeline<'_> {
    /// Draws with what `on` has, and the streamed buffers; a pixel shader may follow.
    fn draw(&self, run: &Run<'_>, entries: Vec<StreamOutputEntry>, pixel: Option<&str>, on: Draw<'_>) {
        let output = StreamOutput { entries, ..StreamOutput::default() };
        let translations = run.translations.with_stream_output(output).for_points();
        let fail = |e: String| -> ! { panic!("{}, {}: {e}", self.stages[0].0, run.name) };
        let codes: Vec<_> = self.stages.iter().map(|(name, _)| asset(name)).collect();
        let pixel_code = pixel.map(asset);
        let first = translations.translate(&codes[0], 0).unwrap_or_else(|e| fail(e));
        let vertex = feed(&first.interface);
        let attributes = attributes(&first.interface);
        let none = Registers::new();
        let mut stages = vec![Stage { code: &vertex, registers: &none }];
        let tested = codes.iter().zip(self.stages);
        stages.extend(tested.map(|(code, (_, registers))| Stage { code, registers }));
        stages.extend(pixel_code.iter().map(|code| Stage { code, registers: &none }));
        let content: Vec<u32> = self.vertices.iter().flatten().flatten().copied().collect();
        assert_eq!(content.len(), self.vertices.len() * attributes.len() * 4, "words a vertex");
        let buffer = run.words(&content);
        let stride = attributes.len() as u32 * 16;
        let draw = Draw {
            stages,
            topology: self.topology,
            vertices: self.vertices.len() as u32,
            vertex_buffers: vec![VertexBuffer { slot: 0, buffer: &buffer, stride, per_instance: false }],
            attributes,
            ..on
        };
        draw.run(&translations).unwrap_or_else(|e| fail(e));
    }

    /// Streams out and gives what came, buffer by buffer.
    fn stream(&self, run: &Run<'_>, entries: Vec<StreamOutputEntry>) -> Vec<Vec<u32>> {
        let count = entries.iter().map(|e| e.buffer + 1).max().unwrap();
        let buffers: Vec<_> = (0..count).map(|_| run.filled(4096, UNTOUCHED)).collect();
        self.draw(run, entries, None, Draw { stream_out: buffers.iter().collect(), ..Draw::new(Vec::new()) });
        let written = |words: Vec<u32>| {
            let end = words.iter().rposition(|w| *w != UNTOUCHED).map_or(0, |n| n + 1);
            words[..end].to_vec()
        };
        buffers.iter().map(|buffer| written(buffer.words())).collect()
    }
}

fn f4(values: [f32; 4]) -> [u32; 4] {
    values.map(f32::to_bits)
}

/// A position of a vertex.
fn at(n: usize) -> [f32; 4] {
    [n as f32, n as f32 * 0.5 - 1.0, 0.25, 1.0]
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<Want> {
    values.into_iter().map(|v| Want::near(f64::from(v), 1e-5, 1e-5)).collect()
}

/// Vertices with a position and texture coordinates.
fn textured(count: usize) -> Vec<Vec<[u32; 4]>> {
    (0..count).map(|n| vec![f4(at(n)), f4([n as f32 + 0.25, n as f32 * 10.0, 0.0, 0.0])]).collect()
}

#[test]
fn points_lines_and_triangles() {
    let none = Registers::new();
    let coordinates = || vec![entry(0, "SV_Position", 0, 4, 0), entry(0, "TEXCOORD", 0, 2, 0)];
    let vertex = |n: usize, [x, y, z, w]: [f32; 4]| {
        let p = at(n);
        vec![p[0] + x, p[1] + y, p[2] + z, p[3] + w, n as f32 + 0.25, n as f32 * 10.0]
    };
    each(|run| {
        if !run.needs(
            run.session.device.enabled.geometry && run.session.device.enabled.transform_feedback,
            "geometry shaders and transform feedback",
        ) {
            return;
        }
        let stages = [("gs_point_line_triangle.gs_4_0.point", &none)];
        let pipeline = Pipeline { stages: &stages, topology: Topology::PointList, vertices: textured(3) };
        let corner = |n: usize, i: usize| vertex(n, [(i & 1) as f32, (i >> 1) as f32, 0.0, 0.0]);
        let want = floats((0..9).flat_map(|n| corner(n / 3, n % 3)));
        check(&format!("from point, {}", run.name), &pipeline.stream(run, coordinates())[0], &want);

        let stages = [("gs_point_line_triangle.gs_4_0.line", &none)];
        let pipeline = Pipeline { stages: &stages, topology: Topology::LineList, vertices: textured(4) };
        let of_line = |a: usize| {
            let (first, second) = (vertex(a, [0.0; 4]), vertex(a + 1, [0.0; 4]));
            [second.clone(), first, vertex(a, [1.0; 4]), second].concat()
        };
        let want = floats([of_line(0), of_line(2)].concat());
        check(&format!("from line, {}", run.name), &pipeline.stream(run, coordinates())[0], &want);

        for shader in ["gs_point_line_triangle.gs_4_0.triangle", "gs_point_line_triangle.gs_5_0.triangle"] {
            let stages = [(shader, &none)];
            let pipeline = Pipeline { stages: &stages, topology: Topology::TriangleList, vertices: textured(6) };
            let want = floats([0, 1, 2, 4, 5, 3].into_iter().flat_map(|n| vertex(n, [0.0; 4])));
            check(&format!("{shader}, {}", run.name), &pipeline.stream(run, coordinates())[0], &want);
        }
    });
}

fn plain(count: usize) -> Vec<Vec<[u32; 4]>> {
    (0..count).map(|n| vec![f4(at(n))]).collect()
}

#[test]
fn adjacency() {
    let none = Registers::new();
    each(|run| {
        if !run.needs(
            run.session.device.enabled.geometry && run.session.device.enabled.transform_feedback,
            "geometry shaders and transform feedback",
        ) {
            return;
        }
        let stages = [("gs_adjacency.gs_4_0.line", &none)];
        let pipeline = Pipeline { stages: &stages, topology: Topology::LineListAdjacency, vertices: plain(4) };
        let less = |a: usize, b: usize| [0, 1, 2, 3].map(|c| at(a)[c] * 2.0 - at(b)[c]);
        let want = floats([less(1, 0), less(2, 3)].concat());
        check(&format!("line, {}", run.name), &pipeline.stream(run, positions())[0], &want);

        let stages = [("gs_adjacency.gs_5_0.triangle", &none)];
        let pipeline = Pipeline { stages: &stages, topology: Topology::TriangleListAdjacency, vertices: plain(6) };
        let emitted = |n: usize| {
            let other = if n % 2 == 0 { n } else { n - 1 };
            [0, 1, 2, 3].map(|c| (at(other)[c] + at(n)[c]) * 0.5)
        };
        // A strip's triangles: every second one the other way round.
        let want = floats([0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4].into_iter().flat_map(emitted));
        check(&format!("triangle, {}", run.name), &pipeline.stream(run, positions())[0], &want);
    });
}

#[test]
fn instances_of_a_geometry_shader() {
    let none = Registers::new();
    each(|run| {
        if !run.needs(
            run.session.device.enabled.geometry && run.session.device.enabled.transform_feedback,
            "geometry shaders and transform feedback",
        ) {
            return;
        }
        let stages = [("gs_instanced.gs_5_0", &none)];
        let vertices = (0..3).map(|n| vec![f4(at(n)), f4([n as f32, 2.0, 4.0, 8.0])]).collect();
        let pipeline = Pipeline { stages: &stages, topology: Topology::TriangleList, vertices };
        let entries = vec![entry(0, "SV_Position", 0, 4, 0), entry(0, "COLOR", 0, 4, 0)];
        let vertex = |k: usize| {
            let (instance, n) = ((k / 3) as f32, k % 3);
            let (p, c) = (at(n), [n as f32, 2.0, 4.0, 8.0].map(|c| c * instance / 4.0));
            [p[0] + instance, p[1], p[2], p[3], c[0], c[1], c[2], c[3]]
        };
        let want = floats((0..15).flat_map(vertex));
        check(&format!("gs_instanced, {}", run.name), &pipeline.stream(run, entries)[0], &want);
    });
}

#[test]
fn cuts_after_every_vertex() {
    let none = Registers::new();
    for shader in ["flow_continue_conditional.gs_4_0", "flow_continue_conditional.gs_5_0"] {
        each(|run| {
            if !run.needs(
                run.session.device.enabled.geometry && run.session.device.enabled.transform_feedback,
                "geometry shaders and transform feedback",
            ) {
                return;
            }
            let stages = [(shader, &none)];
            let pipeline = Pipeline { stages: &stages, topology: Topology::PointList, vertices: plain(2) };
            let moved = |n: usize| {
                let p = at(n / 4);
                [p[0] + (n % 4) as f32, p[1], p[2], p[3]]
            };
            let want = floats((0..8).flat_map(moved));
            check(&format!("{shader}, {}", run.name), &pipeline.stream(run, positions())[0], &want);
        });
    }
}

#[test]
fn four_streams() {
    let none = Registers::new();
    each(|run| {
        if !run.needs(
            run.session.device.enabled.geometry && run.session.device.enabled.transform_feedback,
            "geometry shaders and transform feedback",
        ) {
            return;
        }
        let stages = [("gs_streams.gs_5_0", &none)];
        let vertices = (0..4).map(|n| vec![f4([0.0; 4]), f4(at(n)), [n as u32 + 4; 4]]).collect();
        let pipeline = Pipeline { stages: &stages, topology: Topology::PointList, vertices };
        let entries = vec![
            entry(0, "SV_Position", 0, 4, 0),
            entry(0, "A", 0, 1, 0),
            entry(1, "B", 0, 2, 1),
            entry(1, "K", 0, 1, 1),
            entry(2, "C", 0, 4, 2),
            entry(2, "C", 1, 4, 2),
            entry(3, "D", 0, 1, 3),
        ];
        let got = pipeline.stream(run, entries);
        let name = |n: usize| format!("gs_streams, {}: {n}", run.name);
        let a = floats((0..4).flat_map(|n| [at(n).to_vec(), vec![at(n)[0]]].concat()));
        check(&name(0), &got[0], &a);
        let b: Vec<Want> = (0..4usize)
            .flat_map(|n| [Want::float(at(n)[1]), Want::float(at(n)[2]), Want::Bits(n as u32 + 4)])
            .collect();
        check(&name(1), &got[1], &b);
        let c = |n: usize| [at(n).to_vec(), at(n).map(|v| -v).to_vec()].concat();
        check(&name(2), &got[2], &floats([1, 1, 3, 3].into_iter().flat_map(c)));
        let d: Vec<Want> = (4..8u32).flat_map(|k| vec![Want::Bits(k.wrapping_neg()); (k & 3) as usize]).collect();
        check(&name(3), &got[3], &d);
    });
}

#[test]
fn views_of_a_geometry_shader() {
    each(|run| {
        if !run.needs(
            run.session.device.enabled.geometry && run.session.device.enabled.transform_feedback,
            "geometry shaders and transform feedback",
        ) {
            return;
        }
        let counters = run.filled(4, 0);
        let registers = Registers::new().buffer(u(4), &counters);
        let stages = [("uav_vertex.gs_5_0", &registers)];
        let pipeline = Pipeline { stages: &stages, topology: Topology::TriangleList, vertices: plain(9) };
        let got = &pipeline.stream(run, positions())[0];
        assert_eq!(got.len(), 9 * 4, "{}: three triangles", run.name);
        assert_eq!(counters.words()[1], 2, "{}: the greatest primitive", run.name);
    });
}

#[test]
fn layers_viewports_and_clip_distances() {
    for shader in ["gs_layer_viewport.gs_4_0", "gs_layer_viewport.gs_5_0"] {
        each(|run| {
            if !run.needs(
                run.session.device.enabled.geometry && run.session.device.enabled.multi_viewport,
                "geometry shaders and viewports",
            ) {
                return;
            }
            // Faces that keep the place and set the depth: columns of a matrix. The fourth lies behind the clip plane.
            let face = |z: f32| [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0, 0.0, z, 1.0]].concat();
            let faces: Vec<f32> = [0.5, 0.25, 0.75, -0.5, 0.5, 1.0].into_iter().flat_map(face).collect();
            let constants = run.floats(&faces);
            let registers = Registers::new().buffer(b(0), &constants);
            let stages = [(shader, &registers)];
            let corners = [[-1.0f32, 1.0], [3.0, 1.0], [-1.0, -3.0]];
            let vertices = corners.map(|[x, y]| vec![f4([0.0; 4]), f4([x, y, 0.0, 0.0])]).to_vec();
            let pipeline = Pipeline { stages: &stages, topology: Topology::TriangleList, vertices };
            let options = TextureOptions { layers: 6, ..TextureOptions::d2(2, 8, 4).unwrap() };
            let target = Texture::new(run.session.device, options).unwrap();
            target.clear([1.0f32.to_bits(); 4]).unwrap();
            let halves = vec![[0.0, 0.0, 4.0, 4.0, 0.0, 1.0], [4.0, 0.0, 4.0, 4.0, 0.0, 1.0]];
            let on = Draw { viewports: halves, ..onto(&target) };
            pipeline.draw(run, Vec::new(), Some("empty_stages.ps_4_0"), on);
            for layer in 0..6usize {
                let drawn = |x: usize| layer != 3 && x / 4 == layer & 1;
                let want = floats((0..128).map(|n| if drawn(n / 4 % 8) { 0.0 } else { 1.0 }));
                check(&format!("{shader}, {}: layer {layer}", run.name), &target.words(layer as u32).unwrap(), &want);
            }
        });
    }
}

#[test]
fn isolines() {
    let none = Registers::new();
    each(|run| {
        if !run.needs(
            run.session.device.enabled.tessellation && run.session.device.enabled.transform_feedback,
            "tessellation and transform feedback",
        ) {
            return;
        }
        let stages = [("hs_isoline.hs_5_0", &none), ("ds_domains.ds_5_0.isoline", &none)];
        let ends = [[1.0f32, 10.0, 0.5, 0.0], [3.0, 20.0, 0.25, 0.0]];
        let vertices = ends.map(|p| vec![f4([0.0; 4]), f4(p)]).to_vec();
        let pipeline = Pipeline { stages: &stages, topology: Topology::Patches(2), vertices };
        let entries = vec![entry(0, "SV_Position", 0, 4, 0), entry(0, "TEXCOORD", 0, 2, 0)];
        let got = &pipeline.stream(run, entries)[0];
        let mut lines: Vec<[f32; 6]> =
            got.chunks_exact(6).map(|w| [0, 1, 2, 3, 4, 5].map(|n| f32::from_bits(w[n]))).collect();
        // Four lines of eight pieces. The hull shader turns the ends round.
        assert_eq!(lines.len(), 4 * 8 * 2, "{}", run.name);
        let key = |v: &[f32; 6]| ((v[0] * 1024.0) as i32, (v[1] * 1024.0) as i32);
        lines.sort_by_key(key);
        lines.dedup_by_key(|v| key(v));
        assert_eq!(lines.len(), 4 * 9, "{}: {lines:?}", run.name);
        for line in &lines {
            let along = (3.0 - line[0]) / 2.0;
            let across = line[1] - (20.0 - 10.0 * along);
            let steps = (along * 8.0).round() / 8.0;
            assert!((along - steps).abs() < 1e-4, "{}: {line:?}", run.name);
            assert!([0.0, 0.25, 0.5, 0.75].iter().any(|l| (across - l).abs() < 1e-3), "{}: {line:?}", run.name);
            assert_eq!(line[3..], [1.0, 4.0, 8.0], "{}: the factors", run.name);
        }
    });
}

#[test]
fn quads() {
    for (hull, domain) in [
        ("hs_quad.hs_5_0", "ds_domains.ds_5_0.quad"),
        ("hs_quad.hs_5_0.od", "ds_domains.ds_5_0.quad"),
        ("hs_quad.hs_5_1", "ds_domains.ds_5_1.quad"),
    ] {
        each(|run| {
            if !run.needs(
                run.session.device.enabled.tessellation && run.session.device.enabled.transform_feedback,
                "tessellation and transform feedback",
            ) {
                return;
            }
            let none = Registers::new();
            let heights: Vec<u32> = (0..16).map(|n| (n as f32 * 0.125).to_bits()).collect();
            let height = run.texture(TextureOptions::d2(41, 4, 4).unwrap(), &heights);
            let registers = Registers::new().texture(t(0), &height).sampler(s(0), SamplerState::point());
            let stages = [(hull, &none), (domain, &registers)];
            // Of each four the first and the last lie a quarter apart: every factor is 1 + 8 / 4.
            let control = |n: usize| {
                let corner = [(n / 4 % 2) as f32 * 4.0, (n / 8) as f32 * 2.0, (n / 4) as f32 * 0.5];
                [corner[0] + [0.0, 0.5, 1.0, 0.25][n % 4], corner[1], corner[2], 0.0]
            };
            let vertices = (0..16).map(|n| vec![f4([0.0; 4]), f4(control(n))]).collect();
            let pipeline = Pipeline { stages: &stages, topology: Topology::Patches(16), vertices };
            let entries = vec![entry(0, "SV_Position", 0, 4, 0), entry(0, "TEXCOORD", 0, 2, 0)];
            let got = &pipeline.stream(run, entries)[0];
            let name = format!("{hull}, {}", run.name);
            assert_eq!(got.len(), 18 * 3 * 6, "{name}: nine squares, two triangles each");
            let mean = |k: usize| [0, 1, 2].map(|c| (0..4).map(|i| control(k * 4 + i)[c]).sum::<f32>() / 4.0);
            for vertex in got.chunks_exact(6) {
                let v = [0, 1, 2, 3, 4, 5].map(|n| f32::from_bits(vertex[n]));
                check(&name, &vertex[..4], &quad_point([v[4], v[5]], &mean));
            }
            for triangle in got.chunks_exact(18) {
                let w = [0, 1, 2].map(|n| [f32::from_bits(triangle[n * 6 + 4]), f32::from_bits(triangle[n * 6 + 5])]);
                let [a, c] = [1, 2].map(|n| [w[n][0] - w[0][0], w[n][1] - w[0][1]]);
                // Counter-clockwise where u runs to the right and v downwards.
                assert!(a[0] * c[1] - a[1] * c[0] < 0.0, "{name}: {w:?}");
            }
        });
    }
}

/// The domain shader's point for a place in the patch, from the hull shader's four points.
fn quad_point([x, y]: [f32; 2], mean: &dyn Fn(usize) -> [f32; 3]) -> Vec<Want> {
    let texel = |w: f32| (w * 4.0).floor().clamp(0.0, 3.0);
    let height = (texel(y) * 4.0 + texel(x)) * 0.125;
    let point = mean((x * 3.99) as usize);
    let lerp = |a: f32, b: f32, t: f32| a + t * (b - a);
    let mut p = [0, 1, 2].map(|c| lerp(lerp(mean(0)[c], mean(1)[c], x), lerp(mean(2)[c], mean(3)[c], x), y));
    p[1] += height * 3.0;
    let p = [0, 1, 2].map(|c| p[c] + point[c] * 0.001);
    floats([p[0], p[1], p[2], 1.0])
}
