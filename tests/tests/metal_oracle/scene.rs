//! The scene's programs, by their files: stages that stand together and the vertex buffers that they read.

use super::Subject;
use rx_renderer::{StageSource, TranslatedProgram};
use rx_tests::shaders::repository;
use rx_translate::interface::Stage;
use rx_translate::{Options, Source};
use rx_vk::layout::VertexInput;
use rx_vk::{DeviceFacts, PlanOptions};
use std::collections::BTreeSet;

/// Programs of several stages or with vertex buffers: how many buffers, and the stages. `file` or `file:entry point`.
const PROGRAMS: &[(u32, &[&str])] = &[
    (0, &["particle_vs.dxbc", "particle_gs.dxbc", "particle_ps.dxbc"]),
    (1, &["shadow_vs.dxbc"]),
    (2, &["shadow_skinned_vs.dxbc"]),
    (1, &["shadow_vs.dxbc", "shadow_alpha_ps.dxbc"]),
    (1, &["gbuffer_vs.dxbc", "gbuffer_ps.dxbc"]),
    (1, &["gbuffer_vs.dxbc", "gbuffer_alpha_ps.dxbc"]),
    (2, &["gbuffer_skinned_vs.dxbc", "gbuffer_ps.dxbc"]),
    (0, &["patch_vs.dxbc", "patch_hs.dxbc", "terrain_ds.dxbc", "terrain_ps.dxbc"]),
    (0, &["patch_vs.dxbc", "patch_hs.dxbc", "water_ds.dxbc", "water_ps.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "lighting_ps.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "lighting_many_samplers_ps.dxbc"]),
    (0, &["fullscreen_vs.sm51.dxbc", "lighting_many_samplers_ps.sm51.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "lighting_many_textures_ps.dxbc"]),
    (0, &["fullscreen_vs.sm51.dxbc", "lighting_many_textures40_ps.sm51.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "sky_ps.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "split8_ps.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "split9_ps.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "tonemap_ps.dxbc"]),
    (0, &["fullscreen_vs.dxbc", "smooth_ps.dxbc"]),
    (0, &["fade.wgsl:vs_fade", "fade.wgsl:fs_fade"]),
    (0, &["outline.wgsl:vertex", "outline.wgsl:fragment"]),
    (0, &["particles.wgsl:vs_particle", "particles.wgsl:ps_particle"]),
    (0, &["smooth.wgsl:vs_fullscreen", "smooth.wgsl:ps_smooth"]),
    (1, &["interface.vert", "interface.frag"]),
    (1, &["ui_vs.dxbc", "ui_ps.dxbc"]),
    (1, &["decal.vert", "decal.frag"]),
    (1, &["overlay.vert", "overlay.frag"]),
    (0, &["light_point_vs.dxbc", "gizmo_gs.dxbc"]),
    (1, &["line_vs.dxbc", "line_ps.dxbc"]),
    (0, &["sharpen.wgsl:main"]),
    (0, &["cull.wgsl:cull"]),
];

/// A stage's file: its bytes or its text.
struct File {
    name: String,
    entry: Option<String>,
    bytes: Vec<u8>,
}

impl File {
    fn read(named: &str) -> File {
        let (name, entry) = match named.split_once(':') {
            Some((name, entry)) => (name, Some(entry.to_owned())),
            None => (named, None),
        };
        let kind = if name.ends_with(".dxbc") {
            "dxbc"
        } else if name.ends_with(".wgsl") {
            "wgsl"
        } else {
            "glsl"
        };
        let folder = if name.contains(".sm51.") { "tests/assets" } else { "renderer/assets" };
        let path = repository().join(folder).join(kind).join(name);
        let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        File { name: name.to_owned(), entry, bytes }
    }

    fn source(&self) -> StageSource<'_> {
        let text = || std::str::from_utf8(&self.bytes).unwrap();
        let extension = self.name.rsplit_once('.').unwrap().1;
        let source = match extension {
            "dxbc" => Source::Dxbc(&self.bytes),
            "wgsl" => Source::Wgsl(text()),
            "vert" => Source::Glsl(text(), Stage::Vertex),
            "frag" => Source::Glsl(text(), Stage::Fragment),
            _ => Source::Glsl(text(), Stage::Compute),
        };
        StageSource { source, entry: self.entry.as_deref() }
    }
}

/// All of them; a shader that stands in none of the programs above is a compute shader and a program of its own.
pub fn subjects() -> Vec<Subject> {
    let listed: BTreeSet<_> =
        PROGRAMS.iter().flat_map(|(_, files)| *files).map(|f| f.split(':').next().unwrap().to_owned()).collect();
    let mut subjects: Vec<_> = PROGRAMS.iter().map(|(buffers, files)| subject(*buffers, files)).collect();
    for folder in ["dxbc", "wgsl", "glsl"] {
        let entries = std::fs::read_dir(repository().join("renderer/assets").join(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        for name in names.iter().filter(|name| !listed.contains(*name)) {
            let alone = subject(0, &[name]);
            assert_eq!(alone.stages[0].0, Stage::Compute, "{name} is in no program");
            subjects.push(alone);
        }
    }
    subjects
}

fn subject(buffers: u32, names: &[&str]) -> Subject {
    let files: Vec<_> = names.iter().map(|name| File::read(name)).collect();
    let name = names.join(" + ");
    let vertex_input = match buffers {
        0 => VertexInput::None,
        n => VertexInput::Bindings { highest: n - 1, translated: 0 },
    };
    let program = TranslatedProgram::translate(&name, files.iter().map(File::source), &Options::default())
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .with_vertex_input(vertex_input);
    let (config, _) = rx_vendor_fixes::read(std::iter::empty::<(&str, &str)>());
    let facts = DeviceFacts::unknown();
    let sets = program.plan(&facts, &PlanOptions::new(&facts, &config)).unwrap();
    let stages =
        program.stages().iter().map(|s| (s.interface.stage, s.interface.stage, s.spirv.clone())).collect::<Vec<_>>();
    let [set] = &sets[..] else { panic!("{name}: several sets") };
    assert_eq!(set.set, 0, "{name}");
    Subject { program: set.program.clone(), stages, others: Vec::new() }
}
