//! Every constant buffer of the scene, as bytes.
//!
//! A member is put by name, one after the other; a test compares names, offsets and sizes with what the compiler left
//! in the shaders.

use super::camera::{Camera, EYE, FAR, NEAR, sun_direction};
use super::lights;
use super::math::Mat4;

/// Pixels of a tile's side, of the light lists.
pub const TILE: u32 = 16;
/// Seconds of a step of the simulation.
pub const STEP: f64 = 1.0 / 60.0;
/// Particles that are emitted a frame.
const EMITTED: u32 = 24;

/// A constant buffer's bytes, and which member stands where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    bytes: Vec<u8>,
    members: Vec<(&'static str, usize)>,
}

impl Block {
    fn put(mut self, name: &'static str, words: impl IntoIterator<Item = Word>) -> Block {
        self.members.push((name, self.bytes.len()));
        self.bytes.extend(words.into_iter().flat_map(|word| word.0.to_le_bytes()));
        self
    }

    fn floats(self, name: &'static str, values: impl IntoIterator<Item = f64>) -> Block {
        self.put(name, values.into_iter().map(|value| Word((value as f32).to_bits())))
    }

    fn float(self, name: &'static str, value: f64) -> Block {
        self.floats(name, [value])
    }

    fn whole(self, name: &'static str, values: impl IntoIterator<Item = u32>) -> Block {
        self.put(name, values.into_iter().map(Word))
    }

    fn matrix(self, name: &'static str, matrix: &Mat4) -> Block {
        self.floats(name, matrix.0.into_iter().flatten())
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Members with their offsets, in order.
    pub fn members(&self) -> &[(&'static str, usize)] {
        &self.members
    }
}

/// Four bytes of a constant buffer.
struct Word(u32);

/// A size in pixels.
pub type Size = [u32; 2];

fn both(size: Size) -> [f64; 2] {
    size.map(f64::from)
}

fn inverse(size: Size) -> [f64; 2] {
    size.map(|x| 1.0 / f64::from(x))
}

/// Half a size, as the occlusion and the first step of the bloom have it.
pub fn half(size: Size) -> Size {
    size.map(|x| (x / 2).max(1))
}

/// Seconds since frame 0.
pub fn time(frame: u32) -> f64 {
    f64::from(frame) * STEP
}

/// `FrameConstants`, b0 of every pass.
pub fn frame(camera: &Camera, size: Size, frame: u32) -> Block {
    Block::default()
        .matrix("view", &camera.view)
        .matrix("projection", &camera.projection)
        .matrix("view_projection", &camera.view_projection)
        .matrix("inverse_view_projection", &camera.inverse_view_projection)
        .matrix("shadow_view_projection", &camera.shadow_view_projection)
        .floats("camera_position", EYE)
        .float("time", time(frame))
        .floats("sun_direction", sun_direction())
        .float("delta_time", STEP)
        .floats("sun_radiance", [3.4, 1.7, 0.75])
        .whole("frame_index", [frame])
        .floats("target_size", both(size))
        .floats("inverse_target_size", inverse(size))
        .float("near_plane", NEAR)
        .float("far_plane", FAR)
        .whole("light_count", [lights::COUNT])
        .whole("tile_count_x", [size[0].div_ceil(TILE)])
        .floats("fog_color", [0.35, 0.22, 0.20])
        .float("fog_density", 0.0035)
}

/// `DrawConstants` of a batch.
pub fn draw(first_instance: u32) -> Block {
    Block::default()
        .whole("first_instance", [first_instance])
        .whole("bones_per_instance", [super::mesh::BONES])
        .whole("first_bone", [0])
        .float("wind_strength", 1.0)
}

/// `TextureConstants` of the level that is written.
pub fn texture(size: Size) -> Block {
    Block::default().whole("texture_size", size).floats("texture_inverse_size", inverse(size))
}

/// `CubeConstants` of a level of the environment.
pub fn cube(side: u32, level: u32) -> Block {
    Block::default()
        .whole("face_size", [side])
        .float("face_roughness", f64::from(level) / 5.0)
        .whole("sample_count", [if level == 0 { 1 } else { 64 }])
        .whole("cube_reserved", [0])
}

/// `ParticleConstants` of a frame; the sort's size and stride are of one of its steps, else zero.
pub fn particles(camera: &Camera, frame: u32, sort: [u32; 2]) -> Block {
    let [right, up] = camera.axes();
    Block::default()
        .floats("ember_origin", [-9.5, 2.2, -6.0])
        .whole("emit_count", [EMITTED])
        .floats("gravity", [0.0, -9.81, 0.0])
        .float("drag", 0.9)
        .floats("camera_right", right)
        .whole("emit_serial", [EMITTED.wrapping_mul(frame)])
        .floats("camera_up", up)
        .float("soft_distance", 0.35)
        .whole("sort_size", [sort[0]])
        .whole("sort_stride", [sort[1]])
        .whole("particle_reserved", [0, 0])
}

/// What a tessellated pass makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// The land.
    Terrain,
    /// The sea.
    Water,
}

/// `PatchConstants`.
pub fn patches(ground: Ground) -> Block {
    let (origin, size, factor) = match ground {
        Ground::Terrain => (-128.0, 8.0, 20.0),
        Ground::Water => (-384.0, 24.0, 24.0),
    };
    Block::default()
        .floats("grid_origin", [origin, origin])
        .float("patch_size", size)
        .whole("patches_per_row", [32])
        .floats("height_origin", [-128.0, -128.0])
        .float("height_extent", 256.0)
        .float("height_texel", 1.0)
        .float("nearest_factor", factor)
        .float("factor_falloff", 0.05)
        .float("wave_height", 0.10)
        .float("wave_speed", 0.8)
}

/// `OcclusionConstants`.
pub fn occlusion(size: Size) -> Block {
    let half = half(size);
    Block::default()
        .floats("half_size", both(half))
        .floats("inverse_half_size", inverse(half))
        .float("radius", 0.9)
        .float("intensity", 1.6)
        .floats("occlusion_reserved", [0.0, 0.0])
}

/// `ExposureConstants`.
pub fn exposure() -> Block {
    Block::default()
        .float("log_minimum", -8.0)
        .float("log_range", 12.0)
        .float("low_share", 0.4)
        .float("high_share", 0.95)
        .float("adaptation", 1.5)
        .float("key", 0.26)
        .float("exposure_minimum", 0.4)
        .float("exposure_maximum", 5.0)
}

/// `BloomConstants` of one step.
pub fn bloom(source: Size, destination: Size, threshold: f64) -> Block {
    Block::default()
        .floats("source_texel", inverse(source))
        .floats("destination_texel", inverse(destination))
        .whole("destination_size", destination)
        .float("threshold", threshold)
        .float("spread", 0.6)
}

/// `PostConstants`.
pub fn post() -> Block {
    Block::default()
        .float("bloom_weight", 0.35)
        .float("vignette", 0.55)
        .float("grain", 0.008)
        .float("edge_threshold", 0.06)
}

/// `UiConstants`: pixels to clip.
pub fn interface(size: Size) -> Block {
    Block::default().floats("pixel_to_clip", inverse(size).map(|x| 2.0 * x)).floats("ui_reserved", [0.0, 0.0])
}

/// Six planes, each made of length one: `camera` of the culling.
pub fn planes(planes: [[f64; 4]; 6]) -> Block {
    let unit = |plane: [f64; 4]| {
        let length = plane[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
        plane.map(|x| x / length)
    };
    Block::default().floats("planes", planes.into_iter().flat_map(unit))
}

/// Push constants of the histogram's bars.
pub fn bars(highest: u32, exposed: f64) -> Block {
    Block::default().whole("highest", [highest]).float("exposed", exposed)
}

/// Push constants of one direction of the blur.
pub fn blur(step: [u32; 2], size: Size) -> Block {
    Block::default().whole("step", step).whole("size", size)
}

/// `settings` of the sharpening.
pub fn sharpen(size: Size, frame: u32) -> Block {
    let block = Block::default().whole("size", size).float("sharpness", 0.6).float("vignette", 0.1);
    block.whole("frame", [frame, 0, 0, 0])
}

/// `fade`: a colour, and how much of it.
pub fn fade(color: [f64; 3], amount: f64) -> Block {
    Block::default().floats("color", color).float("amount", amount)
}

/// `outline` of what shines.
pub fn outline(size: Size) -> Block {
    let block = Block::default().floats("color", [0.4, 0.9, 1.0, 0.8]).floats("texel", inverse(size));
    block.float("width", 3.0).float("pulse", 0.0)
}

/// `inverse_box` of a decal.
pub fn decal(decal_from_clip: &Mat4) -> Block {
    Block::default().matrix("decal_from_clip", decal_from_clip).floats("tint", [0.05, 0.03, 0.02, 0.7])
}

/// Push constants that are one matrix.
pub fn pushed_matrix(matrix: &Mat4) -> Block {
    Block::default().matrix("clip_from_decal", matrix)
}

/// Push constants of the overlay's text.
pub fn overlay(size: Size) -> Block {
    Block::default().floats("screen_size", both(size)).floats("offset", [0.0, 0.0])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;
    use crate::scene::programs::{PROGRAMS, Shader};
    use rx_translate::Source;
    use rx_translate::dxbc::container::Container;
    use rx_translate::dxbc::resources::{Reflection, Variable};
    use std::collections::BTreeMap;

    const SIZE: Size = [1280, 720];

    fn blocks() -> BTreeMap<&'static str, Block> {
        let camera = Camera::new(SIZE[0], SIZE[1]);
        BTreeMap::from([
            ("FrameConstants", frame(&camera, SIZE, 120)),
            ("DrawConstants", draw(0)),
            ("TextureConstants", texture([256, 256])),
            ("CubeConstants", cube(64, 0)),
            ("ParticleConstants", particles(&camera, 120, [0, 0])),
            ("PatchConstants", patches(Ground::Water)),
            ("OcclusionConstants", occlusion(SIZE)),
            ("ExposureConstants", exposure()),
            ("BloomConstants", bloom(SIZE, half(SIZE), 0.8)),
            ("PostConstants", post()),
            ("UiConstants", interface(SIZE)),
        ])
    }

    fn floats(block: &Block, member: &str) -> Vec<f32> {
        let at = block.members.iter().position(|(name, _)| *name == member).unwrap();
        let end = block.members.get(at + 1).map_or(block.bytes.len(), |next| next.1);
        let words = block.bytes[block.members[at].1..end].chunks_exact(4);
        words.map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
    }

    /// What the compiler says of a shader's constant buffers: (size, members with offsets), by name.
    fn told(shader: &Shader) -> BTreeMap<String, (usize, Vec<(String, usize)>)> {
        let Source::Dxbc(bytes) = shader.source() else { return BTreeMap::new() };
        let container = Container::parse(bytes).unwrap_or_else(|error| panic!("{}: {error}", shader.file));
        let reflection = Reflection::parse(container.find(&[b"RDEF"]).unwrap()).unwrap();
        let buffers = reflection.constant_buffers.iter().filter(|buffer| buffer.ty == 0);
        let members = |variables: &[Variable<'_>]| {
            variables.iter().map(|own| (own.name.to_owned(), own.offset as usize)).collect()
        };
        buffers.map(|own| (own.name.to_owned(), (own.size as usize, members(&own.variables)))).collect()
    }

    #[test]
    fn every_buffer_is_as_the_compiler_laid_it_out() {
        let blocks = blocks();
        let mut seen = 0;
        for shader in PROGRAMS.iter().flat_map(|program| program.stages) {
            for (name, (size, members)) in told(shader) {
                if name == "ParticleCounters" {
                    assert_eq!(size, 16, "copied by the device");
                    continue;
                }
                let block = &blocks[name.as_str()];
                let own: Vec<_> = block.members.iter().map(|&(name, at)| (name.to_owned(), at)).collect();
                assert_eq!((block.bytes.len(), own), (size, members), "{name} in {}", shader.file);
                seen += 1;
            }
        }
        assert!(seen > 60, "{seen}");
    }

    #[test]
    fn values_are_those_of_the_description() {
        let blocks = blocks();
        let check = |block: &str, member: &str, want: &[f32]| {
            let have = floats(&blocks[block], member);
            let near = have.iter().zip(want).all(|(a, b)| (a - b).abs() <= b.abs() * 1e-6);
            assert!(near && have.len() == want.len(), "{block}.{member}: {have:?}");
        };
        check("FrameConstants", "time", &[2.0]);
        check("FrameConstants", "delta_time", &[1.0 / 60.0]);
        check("FrameConstants", "inverse_target_size", &[1.0 / 1280.0, 1.0 / 720.0]);
        check("OcclusionConstants", "half_size", &[640.0, 360.0]);
        check("ParticleConstants", "camera_right", &[0.8913851, 0.0, -0.4532467]);
        check("ParticleConstants", "camera_up", &[0.04901467, 0.9941355, 0.09639552]);
        check("UiConstants", "pixel_to_clip", &[2.0 / 1280.0, 2.0 / 720.0]);
        assert_eq!(blocks["FrameConstants"].bytes.len(), 416);
        let whole = |block: &str, member: &str| {
            floats(&blocks[block], member).into_iter().map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(whole("FrameConstants", "tile_count_x"), [80]);
        assert_eq!(whole("FrameConstants", "light_count"), [45]);
        assert_eq!(whole("ParticleConstants", "emit_serial"), [2880]);
        assert_eq!(whole("BloomConstants", "destination_size"), [640, 360]);
        // Column-major: the first four floats are the view's first column.
        let view = floats(&blocks["FrameConstants"], "view");
        let column = [0.8913851, 0.04901467, 0.4505886, 0.0];
        assert!(view.iter().zip(column).all(|(have, want): (&f32, f32)| (have - want).abs() < 1e-6), "{view:?}");
    }
}
