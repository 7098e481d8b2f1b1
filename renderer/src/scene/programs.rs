//! The demo scene's programs: names, passes, stages, vertex buffers. One table.
//!
//! The shaders are in the binary, so that the scene runs from anywhere. The main job translates and plans every program
//! of the table; the scene finds by pass and name what it draws.

use rx_translate::Source;
use rx_translate::interface::Stage;
use rx_vk::layout::VertexInput;

use crate::StageSource;

/// A shader in the binary.
#[derive(Clone, Copy, Debug)]
pub struct Shader {
    /// File name below `renderer/assets`.
    pub file: &'static str,
    bytes: &'static [u8],
    kind: Text,
    /// The same shader at shader model 5.1, where the scene has one.
    model_51: Option<&'static [u8]>,
    /// Entry point, of a text that has several.
    pub entry: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Dxbc,
    /// With the entry point's stage.
    Wgsl(&'static str),
    Glsl(Stage),
}

impl Shader {
    /// What the translator takes. The texts are UTF-8: a test reads every one.
    pub fn source(&self) -> Source<'static> {
        let text = || std::str::from_utf8(self.bytes).unwrap_or_default();
        match self.kind {
            Text::Dxbc => Source::Dxbc(self.bytes),
            Text::Wgsl(_) => Source::Wgsl(text()),
            Text::Glsl(stage) => Source::Glsl(text(), stage),
        }
    }

    /// The same shader at shader model 5.1, in which everything but the frame's constants lies in space 1; the shader
    /// itself, where it has no such twin.
    #[must_use]
    pub fn at_model_51(self) -> Shader {
        Shader { bytes: self.model_51.unwrap_or(self.bytes), ..self }
    }

    /// What the renderer takes.
    pub fn stage_source(&self) -> StageSource<'static> {
        StageSource { source: self.source(), entry: self.entry }
    }

    /// The language: `Direct3D`, `WGSL` or `GLSL`.
    pub fn language(&self) -> &'static str {
        match self.kind {
            Text::Dxbc => "Direct3D",
            Text::Wgsl(_) => "WGSL",
            Text::Glsl(_) => "GLSL",
        }
    }

    /// The stage's short name; a Direct3D shader's is the end of its file's name, as the scene names its files.
    pub fn stage(&self) -> &'static str {
        match self.kind {
            Text::Dxbc => {
                let stem = self.file.split_once('.').map_or(self.file, |(stem, _)| stem);
                stem.rsplit_once('_').map_or(stem, |(_, stage)| stage)
            }
            Text::Wgsl(stage) => stage,
            Text::Glsl(Stage::Vertex) => "vs",
            Text::Glsl(Stage::Fragment) => "ps",
            Text::Glsl(_) => "cs",
        }
    }
}

/// What vertex buffers a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// None: positions are made from ids.
    None,
    /// Streams 0 to this one.
    UpTo(u32),
}

impl From<Streams> for VertexInput {
    fn from(streams: Streams) -> VertexInput {
        match streams {
            Streams::None => VertexInput::None,
            Streams::UpTo(highest) => VertexInput::Bindings { highest, translated: 0 },
        }
    }
}

/// One program of the scene.
#[derive(Clone, Copy, Debug)]
pub struct SceneProgram {
    /// The pass that it belongs to.
    pub pass: &'static str,
    /// Name.
    pub name: &'static str,
    /// Stages, in pipeline order.
    pub stages: &'static [Shader],
    /// Vertex buffers.
    pub streams: Streams,
}

macro_rules! asset {
    ($folder:literal, $name:expr, $extension:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $folder, "/", $name, $extension))
    };
}

macro_rules! shader {
    (dxbc $name:literal) => {
        Shader {
            file: concat!($name, ".dxbc"),
            bytes: asset!("assets/dxbc", $name, ".dxbc"),
            kind: Text::Dxbc,
            model_51: Some(asset!("../tests/assets/dxbc", $name, ".sm51.dxbc")),
            entry: None,
        }
    };
    // The same shader at shader model 5.1, which stands among the tests' assets.
    (sm51 $name:literal) => {
        Shader {
            file: concat!($name, ".sm51.dxbc"),
            bytes: asset!("../tests/assets/dxbc", $name, ".sm51.dxbc"),
            kind: Text::Dxbc,
            model_51: None,
            entry: None,
        }
    };
    (wgsl $name:literal $stage:ident $entry:literal) => {
        Shader {
            file: concat!($name, ".wgsl"),
            bytes: asset!("assets/wgsl", $name, ".wgsl"),
            kind: Text::Wgsl(stringify!($stage)),
            model_51: None,
            entry: Some($entry),
        }
    };
    (vert $name:literal) => {
        Shader {
            file: concat!($name, ".vert"),
            bytes: asset!("assets/glsl", $name, ".vert"),
            kind: Text::Glsl(Stage::Vertex),
            model_51: None,
            entry: None,
        }
    };
    (frag $name:literal) => {
        Shader {
            file: concat!($name, ".frag"),
            bytes: asset!("assets/glsl", $name, ".frag"),
            kind: Text::Glsl(Stage::Fragment),
            model_51: None,
            entry: None,
        }
    };
    (comp $name:literal) => {
        Shader {
            file: concat!($name, ".comp"),
            bytes: asset!("assets/glsl", $name, ".comp"),
            kind: Text::Glsl(Stage::Compute),
            model_51: None,
            entry: None,
        }
    };
}

macro_rules! programs {
    ($($pass:literal { $($name:literal $streams:expr => $([$($stage:tt)*])+;)+ })+) => {
        /// Every program, in the order of a frame.
        pub const PROGRAMS: &[SceneProgram] = &[$($(
            SceneProgram { pass: $pass, name: $name, stages: &[$(shader!($($stage)*)),+], streams: $streams },
        )+)+];
    };
}

/// The program of a pass and a name.
pub fn find(pass: &str, name: &str) -> Option<&'static SceneProgram> {
    PROGRAMS.iter().find(|program| program.pass == pass && program.name == name)
}

use Streams::{None as NoStreams, UpTo};

programs! {
    "textures" {
        "albedo" NoStreams => [dxbc "texture_albedo_cs"];
        "mip" NoStreams => [dxbc "texture_mip_cs"];
        "normal" NoStreams => [dxbc "texture_normal_cs"];
        "roughness" NoStreams => [dxbc "texture_roughness_cs"];
        "detail" NoStreams => [dxbc "texture_detail_cs"];
        "noise" NoStreams => [dxbc "texture_noise_cs"];
        "height" NoStreams => [dxbc "texture_height_cs"];
        "environment" NoStreams => [dxbc "environment_cs"];
    }
    "particles" {
        "clear" NoStreams => [dxbc "particle_clear_cs"];
        "emit" NoStreams => [dxbc "particle_emit_cs"];
        "update" NoStreams => [dxbc "particle_update_cs"];
        "sort block" NoStreams => [dxbc "particle_sort_block_cs"];
        "sort step" NoStreams => [dxbc "particle_sort_step_cs"];
        "sort tail" NoStreams => [dxbc "particle_sort_tail_cs"];
        "arguments" NoStreams => [dxbc "particle_arguments_cs"];
        "draw" NoStreams => [dxbc "particle_vs"] [dxbc "particle_gs"] [dxbc "particle_ps"];
        "draw, pulled (WGSL)" NoStreams => [wgsl "particles" vs "vs_particle"] [wgsl "particles" ps "ps_particle"];
    }
    "shadow" {
        "static" UpTo(0) => [dxbc "shadow_vs"];
        "skinned" UpTo(1) => [dxbc "shadow_skinned_vs"];
        "alpha" UpTo(0) => [dxbc "shadow_vs"] [dxbc "shadow_alpha_ps"];
    }
    "g-buffer" {
        "static" UpTo(0) => [dxbc "gbuffer_vs"] [dxbc "gbuffer_ps"];
        "alpha" UpTo(0) => [dxbc "gbuffer_vs"] [dxbc "gbuffer_alpha_ps"];
        "skinned" UpTo(1) => [dxbc "gbuffer_skinned_vs"] [dxbc "gbuffer_ps"];
        "terrain" NoStreams => [dxbc "patch_vs"] [dxbc "patch_hs"] [dxbc "terrain_ds"] [dxbc "terrain_ps"];
        "water" NoStreams => [dxbc "patch_vs"] [dxbc "patch_hs"] [dxbc "water_ds"] [dxbc "water_ps"];
    }
    "occlusion" {
        "raw" NoStreams => [dxbc "occlusion_cs"];
        "blur" NoStreams => [dxbc "occlusion_blur_cs"];
    }
    "lighting" {
        "cull" NoStreams => [dxbc "light_cull_cs"];
        "deferred" NoStreams => [dxbc "fullscreen_vs"] [dxbc "lighting_ps"];
        "16 samplers" NoStreams => [dxbc "fullscreen_vs"] [dxbc "lighting_many_samplers_ps"];
        "19 samplers" NoStreams => [sm51 "fullscreen_vs"] [sm51 "lighting_many_samplers_ps"];
        "34 textures" NoStreams => [dxbc "fullscreen_vs"] [dxbc "lighting_many_textures_ps"];
        "50 textures" NoStreams => [sm51 "fullscreen_vs"] [sm51 "lighting_many_textures40_ps"];
        "sky" NoStreams => [dxbc "fullscreen_vs"] [dxbc "sky_ps"];
    }
    "split" {
        "8 images" NoStreams => [dxbc "split8_cs"];
        "9 images" NoStreams => [dxbc "split9_cs"];
        "8 images drawn" NoStreams => [dxbc "fullscreen_vs"] [dxbc "split8_ps"];
        "9 images drawn" NoStreams => [dxbc "fullscreen_vs"] [dxbc "split9_ps"];
    }
    "exposure" {
        "histogram" NoStreams => [dxbc "histogram_cs"];
        "merge" NoStreams => [dxbc "histogram_merge_cs"];
        "adapt" NoStreams => [dxbc "exposure_cs"];
    }
    "bloom" {
        "down" NoStreams => [dxbc "bloom_down_cs"];
        "up" NoStreams => [dxbc "bloom_up_cs"];
        "up (GLSL)" NoStreams => [comp "bloom_up"];
        "blur (GLSL)" NoStreams => [comp "blur"];
    }
    "post" {
        "tone map" NoStreams => [dxbc "fullscreen_vs"] [dxbc "tonemap_ps"];
        "smooth" NoStreams => [dxbc "fullscreen_vs"] [dxbc "smooth_ps"];
        "smooth (WGSL)" NoStreams => [wgsl "smooth" vs "vs_fullscreen"] [wgsl "smooth" ps "ps_smooth"];
        "sharpen (WGSL)" NoStreams => [wgsl "sharpen" cs "main"];
        "fade (WGSL)" NoStreams => [wgsl "fade" vs "vs_fade"] [wgsl "fade" ps "fs_fade"];
        "outline (WGSL)" NoStreams => [wgsl "outline" vs "vertex"] [wgsl "outline" ps "fragment"];
    }
    "overlay" {
        "interface" UpTo(0) => [dxbc "ui_vs"] [dxbc "ui_ps"];
        "interface (GLSL)" UpTo(0) => [vert "interface"] [frag "interface"];
        "decals (GLSL)" UpTo(0) => [vert "decal"] [frag "decal"];
        "overlay (GLSL)" UpTo(0) => [vert "overlay"] [frag "overlay"];
        "bars (GLSL)" NoStreams => [comp "histogram_view"];
        "light gizmos" NoStreams => [dxbc "light_point_vs"] [dxbc "gizmo_gs"];
        "lines" UpTo(0) => [dxbc "line_vs"] [dxbc "line_ps"];
        "culling (WGSL)" NoStreams => [wgsl "cull" cs "cull"];
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_shader_of_the_assets_is_in_a_program() {
        let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let mut files = BTreeSet::new();
        for folder in ["dxbc", "wgsl", "glsl"] {
            for entry in std::fs::read_dir(assets.join(folder)).unwrap() {
                files.insert(entry.unwrap().file_name().into_string().unwrap());
            }
        }
        let used = PROGRAMS.iter().flat_map(|program| program.stages).map(|stage| stage.file.to_owned());
        let used: BTreeSet<String> = used.filter(|file| !file.contains(".sm51.")).collect();
        assert_eq!(used, files);
    }

    #[test]
    fn texts_are_utf_8_and_stages_are_named() {
        for stage in PROGRAMS.iter().flat_map(|program| program.stages) {
            assert!(std::str::from_utf8(stage.bytes).is_ok() || matches!(stage.kind, Text::Dxbc), "{}", stage.file);
        }
        let terrain = PROGRAMS.iter().find(|program| program.name == "terrain").unwrap();
        let stages: Vec<&str> = terrain.stages.iter().map(Shader::stage).collect();
        assert_eq!(stages, ["vs", "hs", "ds", "ps"]);
    }
}
