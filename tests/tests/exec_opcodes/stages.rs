//! System values between stages: written by one stage, read and changed by the next, for every combination of stages.
//!
//! Direct3D hands a system value on like any other data (11.3, sections 4.4.4 and 4.4.5), and the last stage before the
//! rasteriser decides what the rasteriser sees. Each stage here adds to what the stage before wrote: layer, viewport and
//! instance id by 1, clip and cull distances times 2, and data in the register of layer and viewport plus 1. A stage that
//! reads nothing, or the wrong value, shows.

use crate::run::{Run, code, each};
use crate::want::{Want, check};
use rx_tests::shared;
use rx_tests::vulkan::{Draw, Registers, Stage, Target, Texture, TextureOptions, Topology, Translations};
use rx_translate::{Features, ledger};

/// Pixels of a target in a row and in a column: four viewports of 2 by 2.
const SIZE: u32 = 4;
const LAYERS: u32 = 8;

/// What vertices carry, by directive word: `.input` or `.output`. A hull shader declares none of it as a system value.
fn elements(word: &str) -> String {
    let rows = [
        "SV_Position 0 register=0 mask=xyzw",
        "SV_RenderTargetArrayIndex 0 register=1 mask=x type=uint",
        "SV_ViewportArrayIndex 0 register=1 mask=y type=uint",
        "TEXCOORD 0 register=1 mask=zw",
        "SV_ClipDistance 0 register=2 mask=xy",
        "SV_CullDistance 0 register=3 mask=x",
        "SV_InstanceID 0 register=4 mask=x type=uint",
    ];
    rows.map(|row| format!("{word} {row}\n")).concat()
}

/// Declarations of a stage's outputs.
const OUTPUTS: &str = "dcl_output_siv o0.xyzw, position
dcl_output_siv o1.x, rendertarget_array_index
dcl_output_siv o1.y, viewport_array_index
dcl_output o1.zw
dcl_output_siv o2.xy, clip_distance
dcl_output_siv o3.x, cull_distance
dcl_output o4.x
";

/// The first vertex's values, whose register files begin with `from`, changed and written.
fn step(from: &str) -> String {
    format!(
        "iadd o1.x, {from}[1].x, l(1)
iadd o1.y, {from}[1].y, l(1)
add o1.zw, {from}[1].zzzw, l(0, 0, 1.0, 1.0)
mul o2.xy, {from}[2].xyxx, l(2.0, 2.0, 0, 0)
mul o3.x, {from}[3].x, l(2.0)
iadd o4.x, {from}[4].x, l(1)
"
    )
}

/// A triangle that covers everything, on layer 1, in viewport 0.
fn vertex() -> String {
    format!(
        "vs_5_0
{}dcl_globalFlags refactoringAllowed
dcl_input_sgv v0.x, vertex_id
{OUTPUTS}dcl_temps 1
ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)
and r0.xy, r0.xyxx, l(0x40800000, 0x40800000, 0, 0)
mad o0.xy, r0.xyxx, l(1.0, -1.0, 0, 0), l(-1.0, 1.0, 0, 0)
mov o0.zw, l(0, 0, 0.5, 1.0)
mov o1.x, l(1)
mov o1.y, l(0)
mov o1.zw, l(0, 0, 7.0, 8.0)
mov o2.xy, l(2.5, 3.5, 0, 0)
mov o3.x, l(4.5)
mov o4.x, l(6)
ret
",
        elements(".output")
    )
}

const PATCH: &str = "hs_decls
dcl_input_control_point_count 3
dcl_output_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_tessellator_partitioning partitioning_integer
dcl_tessellator_output_primitive output_triangle_cw
dcl_globalFlags refactoringAllowed
";

const FACTORS: &str = "hs_fork_phase
dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor
dcl_output_siv o1.x, finalTriVeq0EdgeTessFactor
dcl_output_siv o2.x, finalTriWeq0EdgeTessFactor
dcl_output_siv o3.x, finalTriInsideTessFactor
mov o0.x, l(1.0)
mov o1.x, l(1.0)
mov o2.x, l(1.0)
mov o3.x, l(1.0)
ret
";

/// A hull shader whose control points change the values; or none, which hands them on as they are.
fn hull(changes: bool) -> String {
    let signatures = elements(".input") + &elements(".output");
    let phase = "hs_control_point_phase
dcl_input vOutputControlPointID
dcl_input v[3][0].xyzw
dcl_input v[3][1].xyzw
dcl_input v[3][2].xy
dcl_input v[3][3].x
dcl_input v[3][4].x
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xy
dcl_output o3.x
dcl_output o4.x
dcl_temps 1
mov r0.x, vOutputControlPointID
mov o0.xyzw, v[r0.x + 0][0].xyzw
";
    let phase = if changes { format!("{phase}{}ret\n", step("v[r0.x + 0]")) } else { String::new() };
    format!("hs_5_0\n{signatures}{PATCH}{phase}{FACTORS}")
}

fn domain() -> String {
    format!(
        "ds_5_0
{}{}dcl_input_control_point_count 3
dcl_tessellator_domain domain_tri
dcl_globalFlags refactoringAllowed
dcl_input vDomain.xyz
dcl_input vicp[3][0].xyzw
dcl_input_siv vicp[3][1].x, rendertarget_array_index
dcl_input_siv vicp[3][1].y, viewport_array_index
dcl_input vicp[3][1].zw
dcl_input_siv vicp[3][2].xy, clip_distance
dcl_input_siv vicp[3][3].x, cull_distance
dcl_input vicp[3][4].x
{OUTPUTS}dcl_temps 1
mul r0.xyzw, vDomain.xxxx, vicp[0][0].xyzw
mad r0.xyzw, vDomain.yyyy, vicp[1][0].xyzw, r0.xyzw
mad o0.xyzw, vDomain.zzzz, vicp[2][0].xyzw, r0.xyzw
{}ret
",
        elements(".input"),
        elements(".output"),
        step("vicp[0]")
    )
}

fn geometry() -> String {
    let vertex = |n: u32| format!("mov o0.xyzw, v[{n}][0].xyzw\n{}mov o4.y, l(77)\nemit\n", step("v[2]"));
    format!(
        "gs_5_0
{}{}.output SV_PrimitiveID 0 register=4 mask=y type=uint
dcl_globalFlags refactoringAllowed
dcl_input_siv v[3][0].xyzw, position
dcl_input_siv v[3][1].x, rendertarget_array_index
dcl_input_siv v[3][1].y, viewport_array_index
dcl_input v[3][1].zw
dcl_input_siv v[3][2].xy, clip_distance
dcl_input_siv v[3][3].x, cull_distance
dcl_input v[3][4].x
dcl_inputprimitive triangle
dcl_outputtopology trianglestrip
{OUTPUTS}dcl_output_sgv o4.y, primitive_id
dcl_maxout 3
{}{}{}cut
ret
",
        elements(".input"),
        elements(".output"),
        vertex(0),
        vertex(1),
        vertex(2)
    )
}

/// Target 0: layer, viewport, clip distances. Target 1: cull distance, instance id, primitive id, front face. Target 2:
/// the data, depth and w.
///
/// The viewport is read if a stage writes it: Lavapipe 25.0.7 takes every later input from the location after its own
/// where ViewportIndex is read and no stage writes it.
fn pixel(reads_viewport: bool) -> String {
    let (declared, read) = match reads_viewport {
        true => ("dcl_input_ps_siv constant v1.y, viewport_array_index\n", "utof o0.y, v1.y"),
        false => ("", "mov o0.y, l(0)"),
    };
    format!(
        "ps_5_0
{}.input SV_PrimitiveID 0 register=4 mask=y type=uint
.input SV_IsFrontFace 0 register=4 mask=z type=uint
dcl_globalFlags refactoringAllowed
dcl_input_ps_siv linear noperspective v0.xyzw, position
dcl_input_ps_siv constant v1.x, rendertarget_array_index
{declared}dcl_input_ps constant v1.zw
dcl_input_ps_siv linear v2.xy, clip_distance
dcl_input_ps_siv linear v3.x, cull_distance
dcl_input_ps constant v4.x
dcl_input_ps_sgv constant v4.y, primitive_id
dcl_input_ps_sgv constant v4.z, is_front_face
dcl_output o0.xyzw
dcl_output o1.xyzw
dcl_output o2.xyzw
dcl_temps 1
utof o0.x, v1.x
{read}
mov o0.zw, v2.xxxy
utof r0.xy, v4.xyxx
mov o1.x, v3.x
mov o1.yz, r0.xxyx
and o1.w, v4.z, l(0x3f800000)
mov o2.xy, v1.zwzz
mov o2.zw, v0.zzzw
ret
",
        elements(".input")
    )
}

/// Which stages are between the vertex and the pixel shader.
#[derive(Clone, Copy, Debug)]
struct Pipeline {
    /// Tessellation, with or without a phase that makes control points.
    tessellation: Option<bool>,
    geometry: bool,
}

impl Pipeline {
    const ALL: [Pipeline; 6] = [
        Pipeline { tessellation: None, geometry: false },
        Pipeline { tessellation: None, geometry: true },
        Pipeline { tessellation: Some(true), geometry: false },
        Pipeline { tessellation: Some(false), geometry: false },
        Pipeline { tessellation: Some(true), geometry: true },
        Pipeline { tessellation: Some(false), geometry: true },
    ];

    fn stages(self, reads_viewport: bool) -> Vec<Vec<u8>> {
        let mut stages = vec![vertex()];
        if let Some(changes) = self.tessellation {
            stages.extend([hull(changes), domain()]);
        }
        stages.extend(self.geometry.then(geometry));
        stages.push(pixel(reads_viewport));
        stages.iter().map(|text| code(text)).collect()
    }

    /// Stages that change the values.
    fn steps(self) -> u32 {
        self.tessellation.map_or(0, |changes| 1 + u32::from(changes)) + u32::from(self.geometry)
    }

    fn draw(self, translations: &Translations, targets: &[Texture; 3]) {
        let written = self.geometry || translations.profile().features.viewport_layer_any_stage;
        let (codes, none) = (self.stages(written), Registers::new());
        let stages = codes.iter().map(|code| Stage { code, registers: &none }).collect();
        let quarter = |n: u32| [(n % 2 * 2) as f32, (n / 2 * 2) as f32, 2.0, 2.0, 0.0, 1.0];
        let topology = match self.tessellation {
            Some(_) => Topology::Patches(3),
            None => Topology::TriangleList,
        };
        let slots = [0, 1, 2].map(|slot| Target { slot, texture: &targets[slot as usize] });
        let draw =
            Draw { topology, viewports: (0..4).map(quarter).collect(), targets: slots.to_vec(), ..Draw::new(stages) };
        draw.run(translations).unwrap_or_else(|e| panic!("{self:?}: {e}"));
    }
}

fn layered(run: &Run<'_>) -> [Texture; 3] {
    [0, 1, 2].map(|_| run.zeros(TextureOptions { layers: LAYERS, ..TextureOptions::d2(2, SIZE, SIZE).unwrap() }))
}

/// Whether the device has what every pipeline here takes.
fn able(run: &Run<'_>) -> bool {
    let enabled = run.session.device.enabled;
    let able = enabled.geometry && enabled.tessellation && enabled.multi_viewport;
    if !able {
        println!("skipped: the device has no geometry or tessellation shaders, or one viewport");
    }
    able
}

/// Compares the layers: one holds `values` in a quarter, the others are as they were.
fn check_targets(name: &str, targets: &[Texture; 3], layer: u32, viewport: u32, values: [[f32; 4]; 3]) {
    for (slot, target) in targets.iter().enumerate() {
        for own in 0..LAYERS {
            let drawn = |n: u32| own == layer && n % SIZE / 2 + n / SIZE / 2 * 2 == viewport;
            let want = (0..SIZE * SIZE).flat_map(|n| values[slot].map(|v| if drawn(n) { v } else { 0.0 }));
            let want: Vec<Want> = want.map(Want::float).collect();
            check(&format!("{name}, target {slot}, layer {own}"), &target.words(own).unwrap(), &want);
        }
    }
}

/// What the pixel shader writes where the rasteriser took a layer and a viewport, after so many steps.
fn values(pipeline: Pipeline, layer: u32, viewport: u32) -> [[f32; 4]; 3] {
    let steps = pipeline.steps();
    let (added, factor) = (steps as f32, (1 << steps) as f32);
    let primitive = if pipeline.geometry { 77.0 } else { 0.0 };
    [
        [layer as f32, viewport as f32, 2.5 * factor, 3.5 * factor],
        [4.5 * factor, 6.0 + added, primitive, 1.0],
        [7.0 + added, 8.0 + added, 0.5, 1.0],
    ]
}

#[test]
fn every_combination_of_stages_hands_system_values_on() {
    each(|run| {
        if !able(run) || !run.session.device.enabled.features.viewport_layer_any_stage {
            return;
        }
        for pipeline in Pipeline::ALL {
            let targets = layered(run);
            pipeline.draw(&run.translations, &targets);
            let (layer, viewport) = (1 + pipeline.steps(), pipeline.steps());
            let name = format!("{pipeline:?}, {}", run.name);
            check_targets(&name, &targets, layer, viewport, values(pipeline, layer, viewport));
        }
    });
}

#[test]
fn a_layer_differs_in_a_last_stage_alone() {
    each(|run| {
        if !able(run) {
            return;
        }
        let features =
            Features { residency: false, viewport_layer_any_stage: false, ..run.session.device.enabled.features };
        let translations = run.translations.without_residency().with_features(features);
        for text in [vertex(), domain()] {
            let notes = translations.translate(&code(&text), 0).unwrap().notes.clone();
            let noted: Vec<_> = notes.iter().map(|note| (note.code, note.count)).collect();
            assert_eq!(noted, [(ledger::LAYER_OF_ANY_STAGE, 2)]);
        }
        for text in [hull(true), geometry(), pixel(true)] {
            assert!(translations.translate(&code(&text), 0).unwrap().notes.is_empty());
        }
        for pipeline in Pipeline::ALL {
            let targets = layered(run);
            pipeline.draw(&translations, &targets);
            let (layer, viewport) = match pipeline.geometry {
                true => (1 + pipeline.steps(), pipeline.steps()),
                false => (0, 0),
            };
            let name = format!("{pipeline:?}, {}", run.name);
            check_targets(&name, &targets, layer, viewport, values(pipeline, layer, viewport));
        }
    });
}

#[test]
fn a_layer_goes_through_a_compiled_geometry_shader() {
    let Some(folder) = shared::folder("cases/layer_through_gs") else { return };
    let codes = ["a_vs", "a_gs", "a_ps"].map(|name| shared::read(&folder.join(name).with_extension("dxbc")));
    each(|run| {
        if !able(run) {
            return;
        }
        let target = run.zeros(TextureOptions { layers: 3, ..TextureOptions::d2(2, SIZE, SIZE).unwrap() });
        let none = Registers::new();
        let stages = codes.iter().map(|code| Stage { code, registers: &none }).collect();
        Draw::new(stages).onto(&target).run(&run.translations).unwrap_or_else(|e| panic!("{}: {e}", run.name));
        for layer in 0..3 {
            let want = (0..SIZE * SIZE).flat_map(|_| [11.0, 10.0, 1.0, 8.0].map(|v| if layer == 1 { v } else { 0.0 }));
            let want: Vec<Want> = want.map(Want::float).collect();
            check(&format!("layer {layer}, {}", run.name), &target.words(layer).unwrap(), &want);
        }
    });
}
