//! What the scene's passes read and write: textures, buffers, samplers. Created once.

use ash::vk::Format;

use super::constants::{Size, TILE, half};
use super::instances::{self, BOATS};
use super::mesh::{self, Mesh, Shape};
use super::{atlas, lights};
use crate::vk::ash;
use crate::{
    Address, Buffer, BufferDesc, Compare, Error, Filter, MemoryUse, Renderer, Sampler, SamplerDesc, TexelView, Texture,
    TextureDesc, TextureKind, TextureUsage,
};

/// Layers of the albedo texture.
pub const ALBEDO_LAYERS: u32 = 8;
/// Levels of the albedo texture.
pub const ALBEDO_LEVELS: u32 = 9;
/// Layers of the detail texture.
pub const DETAIL_LAYERS: u32 = 4;
/// Levels of the environment.
pub const CUBE_LEVELS: u32 = 6;
/// Texels of the environment's side.
pub const CUBE_SIDE: u32 = 64;
/// Texels of the shadow map's side.
pub const SHADOW_SIDE: u32 = 2048;
/// Particles.
pub const PARTICLES: u32 = 4096;
/// Lights of a tile at most.
const LIGHTS_A_TILE: u32 = 64;
/// Levels of the bloom downwards; upwards there is one less.
pub const BLOOM_LEVELS: usize = 5;
/// Vertices of the debug lines: twelve lines a light.
const LINE_VERTICES: u64 = 24 * lights::COUNT as u64;
/// Bytes of a vertex of the debug lines.
pub const LINE_STRIDE: u32 = 28;

/// Where a mesh stands in the buffers that all share.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// First vertex.
    pub vertex: i32,
    /// First index.
    pub index: u32,
    /// Indices.
    pub indices: u32,
}

/// The meshes' buffers.
pub struct Meshes {
    /// Stream 0 of every mesh.
    pub vertices: Buffer,
    /// Stream 1 of the pennant.
    pub skin: Buffer,
    /// Indices of every mesh.
    pub indices: Buffer,
    ranges: Vec<(Shape, Range)>,
    bytes: [Vec<u8>; 3],
}

impl Meshes {
    fn new(renderer: &Renderer) -> Result<Meshes, Error> {
        let meshes: Vec<(Shape, Mesh)> = Shape::ALL.map(|shape| (shape, shape.mesh())).into();
        let (mut vertices, mut skin, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranges = Vec::new();
        for (shape, mesh) in &meshes {
            let vertex = (vertices.len() / mesh::STRIDE as usize) as i32;
            ranges
                .push((*shape, Range { vertex, index: indices.len() as u32 / 2, indices: mesh.indices.len() as u32 }));
            vertices.extend(mesh.vertex_bytes());
            indices.extend(mesh.index_bytes());
            // Stream 1 runs beside stream 0, so that one base vertex serves both.
            if !mesh.skin.is_empty() {
                skin.resize(vertex as usize * mesh::SKIN_STRIDE as usize, 0);
                skin.extend(mesh.skin_bytes());
            }
        }
        Ok(Meshes {
            vertices: buffer(renderer, "mesh vertices", vertices.len() as u64)?,
            skin: buffer(renderer, "mesh bones", skin.len() as u64)?,
            indices: buffer(renderer, "mesh indices", indices.len() as u64)?,
            ranges,
            bytes: [vertices, skin, indices],
        })
    }

    /// Where a mesh stands.
    pub fn range(&self, shape: Shape) -> Range {
        let found = self.ranges.iter().find(|(own, _)| *own == shape);
        found.map_or(Range { vertex: 0, index: 0, indices: 0 }, |(_, range)| *range)
    }

    /// Each buffer with its contents.
    pub fn contents(&self) -> [(&Buffer, &[u8]); 3] {
        let [vertices, skin, indices] = &self.bytes;
        [(&self.vertices, vertices), (&self.skin, skin), (&self.indices, indices)]
    }
}

/// The samplers, by the names that the shaders have for them.
pub struct Samplers {
    /// Linear, repeated.
    pub linear_wrap: Sampler,
    /// Points, repeated.
    pub point_wrap: Sampler,
    /// Linear, clamped.
    pub linear_clamp: Sampler,
    /// Points, clamped.
    pub point_clamp: Sampler,
    /// Linear, clamped, comparing less or equal.
    pub shadow: Sampler,
}

impl Samplers {
    fn new(renderer: &Renderer) -> Result<Samplers, Error> {
        let sampler = |name, filter, address, compare: Option<Compare>| {
            let mip_filter = if compare.is_some() { Filter::Point } else { filter };
            renderer.sampler(&SamplerDesc { name, filter, mip_filter, address, compare, ..SamplerDesc::default() })
        };
        Ok(Samplers {
            linear_wrap: sampler("linear_wrap", Filter::Linear, Address::Wrap, None)?,
            point_wrap: sampler("point_wrap", Filter::Point, Address::Wrap, None)?,
            linear_clamp: sampler("linear_clamp", Filter::Linear, Address::Clamp, None)?,
            point_clamp: sampler("point_clamp", Filter::Point, Address::Clamp, None)?,
            shadow: sampler("shadow_sampler", Filter::Linear, Address::Clamp, Some(Compare::LessEqual))?,
        })
    }
}

/// The textures that are made once.
pub struct Made {
    /// Square roots of colours; alpha is coverage.
    pub albedo: Texture,
    /// Normals.
    pub normal: Texture,
    /// Roughness.
    pub roughness: Texture,
    /// Small differences of colour.
    pub detail: Texture,
    /// Noise.
    pub noise: Texture,
    /// The land's height, metres.
    pub height: Texture,
    /// What is mirrored.
    pub environment: Texture,
    /// Letters.
    pub atlas: Texture,
    /// One white texel.
    pub white: Texture,
}

impl Made {
    fn new(renderer: &Renderer) -> Result<Made, Error> {
        let square = |name, format, side, layers, mips| {
            renderer.texture(&TextureDesc { layers, mips, usage: WRITTEN, ..TextureDesc::d2(name, format, side, side) })
        };
        let uploaded = |name, format, [width, height]: Size| {
            let usage = TextureUsage { sampled: true, storage: false, target: false };
            renderer.texture(&TextureDesc { usage, ..TextureDesc::d2(name, format, width, height) })
        };
        Ok(Made {
            albedo: square("albedo", Format::R8G8B8A8_UNORM, 256, ALBEDO_LAYERS, ALBEDO_LEVELS)?,
            normal: square("normal", Format::R8G8B8A8_UNORM, 256, 1, 1)?,
            roughness: square("roughness", Format::R8_UNORM, 256, 1, 1)?,
            detail: square("detail", Format::R8_UNORM, 128, DETAIL_LAYERS, 1)?,
            noise: square("noise", Format::R8G8B8A8_UNORM, 64, 1, 1)?,
            height: square("height", Format::R16_SFLOAT, 256, 1, 1)?,
            environment: renderer.texture(&TextureDesc {
                kind: TextureKind::Cube,
                layers: 6,
                mips: CUBE_LEVELS,
                usage: WRITTEN,
                ..TextureDesc::d2("environment", Format::R16G16B16A16_SFLOAT, CUBE_SIDE, CUBE_SIDE)
            })?,
            atlas: uploaded("atlas", Format::R8_UNORM, atlas::SIZE)?,
            white: uploaded("white", Format::R8G8B8A8_UNORM, [1, 1])?,
        })
    }
}

/// Written by compute shaders, then sampled.
const WRITTEN: TextureUsage = TextureUsage { sampled: true, storage: true, target: false };
/// Drawn to, then sampled.
const DRAWN: TextureUsage = TextureUsage { sampled: true, storage: false, target: true };

/// The textures that every frame writes.
pub struct Targets {
    /// The sun's depth.
    pub shadow: Texture,
    /// The camera's depth.
    pub depth: Texture,
    /// Colour and roughness; normal; light and metal.
    pub gbuffer: [Texture; 3],
    /// Light before the tone map.
    pub hdr: Texture,
    /// Occlusion before its blur.
    pub occlusion_raw: Texture,
    /// Occlusion.
    pub occlusion: Texture,
    /// The bloom's levels downwards.
    pub bloom_down: Vec<Texture>,
    /// The bloom's levels upwards.
    pub bloom_up: Vec<Texture>,
    /// Display values before their edges are smoothed.
    pub display_a: Texture,
    /// The picture.
    pub display_b: Texture,
}

impl Targets {
    fn new(renderer: &Renderer, size: Size) -> Result<Targets, Error> {
        let texture = |name: &str, format, [width, height]: Size, usage| {
            renderer.texture(&TextureDesc { usage, ..TextureDesc::d2(name, format, width, height) })
        };
        let sizes = bloom_sizes(size);
        let bloom = |way: &str, levels: &[Size]| {
            let level = |(n, &size): (usize, &Size)| {
                texture(&format!("bloom {way} {n}"), Format::R16G16B16A16_SFLOAT, size, WRITTEN)
            };
            levels.iter().enumerate().map(level).collect::<Result<Vec<_>, _>>()
        };
        Ok(Targets {
            shadow: texture("shadow", Format::D32_SFLOAT, [SHADOW_SIDE; 2], DRAWN)?,
            depth: texture("depth", Format::D32_SFLOAT, size, DRAWN)?,
            gbuffer: [
                texture("g-buffer 0", GBUFFER[0], size, DRAWN)?,
                texture("g-buffer 1", GBUFFER[1], size, DRAWN)?,
                texture("g-buffer 2", GBUFFER[2], size, DRAWN)?,
            ],
            hdr: texture("hdr", HDR, size, DRAWN)?,
            occlusion_raw: texture("occlusion raw", Format::R8_UNORM, half(size), WRITTEN)?,
            occlusion: texture("occlusion", Format::R8_UNORM, half(size), WRITTEN)?,
            bloom_down: bloom("down", &sizes)?,
            bloom_up: bloom("up", &sizes[..BLOOM_LEVELS - 1])?,
            display_a: texture("display a", DISPLAY, size, DRAWN)?,
            display_b: texture("display b", DISPLAY, size, DRAWN)?,
        })
    }
}

/// Formats of the g-buffer.
pub const GBUFFER: [Format; 3] = [Format::R8G8B8A8_UNORM, Format::R16G16_SFLOAT, Format::R16G16B16A16_SFLOAT];
/// Format of the depth, of camera and sun.
pub const DEPTH: Format = Format::D32_SFLOAT;
/// Format of the light before the tone map.
pub const HDR: Format = Format::R16G16B16A16_SFLOAT;
/// Format of the picture.
pub const DISPLAY: Format = Format::R8G8B8A8_UNORM;

/// The bloom's sizes: each half of the one before.
pub fn bloom_sizes(size: Size) -> Vec<Size> {
    std::iter::successors(Some(half(size)), |&size| Some(half(size))).take(BLOOM_LEVELS).collect()
}

/// Groups of a side of `group` that cover a size.
pub fn groups(size: Size, group: u32) -> [u32; 3] {
    [size[0].div_ceil(group), size[1].div_ceil(group), 1]
}

/// The buffers.
pub struct Buffers {
    /// Instances, written every frame.
    pub instances: Buffer,
    /// The pennants' bones, written every frame.
    pub bones: Buffer,
    /// Materials.
    pub materials: Buffer,
    /// Lights, written every frame.
    pub lights: Buffer,
    /// First light and number of lights a tile.
    pub tile_ranges: Buffer,
    /// The tiles' lights.
    pub light_indices: Buffer,
    /// Lights of all tiles, cleared every frame.
    pub cull_counters: Buffer,
    /// Slices of the histogram.
    pub slices: Buffer,
    /// The histogram.
    pub histogram: Buffer,
    /// The exposure's state.
    pub exposure: Buffer,
    /// Particles.
    pub pool: Buffer,
    /// Free places of the pool.
    pub dead: Buffer,
    /// How many are free.
    pub dead_counter: Buffer,
    /// Particles that live, in order of distance.
    pub alive: Buffer,
    /// How many live.
    pub alive_counter: Buffer,
    /// Both counters as a constant buffer.
    pub counters: Buffer,
    /// Vertices, instances, first of each: drawn as points.
    pub arguments: Buffer,
    /// The same as the shader writes it.
    pub arguments_texels: TexelView,
    /// The same of strips of four, an instance a particle.
    pub strip_arguments: Buffer,
    /// The interface's quads.
    pub quads: Buffer,
    /// Debug lines, streamed out.
    pub lines: Buffer,
    /// Bytes of debug lines.
    pub lines_counter: Buffer,
}

impl Buffers {
    fn new(renderer: &Renderer, size: Size, quads: u64) -> Result<Buffers, Error> {
        let buffer = |name, bytes: u64| buffer(renderer, name, bytes);
        let tiles = u64::from(size[0].div_ceil(TILE)) * u64::from(size[1].div_ceil(TILE));
        let particles = u64::from(PARTICLES);
        let arguments = buffer("draw arguments", 16)?;
        Ok(Buffers {
            instances: buffer("instances", u64::from(instances::count() * instances::STRIDE))?,
            bones: buffer("bones", BOATS as u64 * u64::from(mesh::BONES * instances::BONE_STRIDE))?,
            materials: buffer("materials", instances::material_bytes().len() as u64)?,
            lights: buffer("lights", u64::from(lights::COUNT * lights::STRIDE))?,
            tile_ranges: buffer("tile ranges", tiles * 8)?,
            light_indices: buffer("light indices", tiles * u64::from(LIGHTS_A_TILE) * 4)?,
            cull_counters: buffer("cull counters", 16)?,
            slices: buffer("histogram slices", 16 * 256 * 4)?,
            histogram: buffer("histogram", 256 * 4)?,
            exposure: buffer("exposure", 16)?,
            pool: buffer("particle pool", particles * 64)?,
            dead: buffer("dead list", particles * 4)?,
            dead_counter: buffer("dead list's counter", 4)?,
            alive: buffer("alive list", particles * 8)?,
            alive_counter: buffer("alive list's counter", 4)?,
            counters: buffer("particle counters", 16)?,
            arguments_texels: arguments.texels(Format::R32_UINT, 0..16)?,
            arguments,
            strip_arguments: buffer("strip arguments", 16)?,
            quads: buffer("interface", quads)?,
            lines: buffer("gizmo lines", LINE_VERTICES * u64::from(LINE_STRIDE))?,
            lines_counter: buffer("gizmo lines' counter", 4)?,
        })
    }
}

fn buffer(renderer: &Renderer, name: &str, size: u64) -> Result<Buffer, Error> {
    renderer.buffer(&BufferDesc { name, size, memory: MemoryUse::Device })
}

/// All of it.
pub struct Resources {
    /// The picture's size.
    pub size: Size,
    /// Meshes.
    pub meshes: Meshes,
    /// Samplers.
    pub samplers: Samplers,
    /// Textures that are made once.
    pub made: Made,
    /// Textures that every frame writes.
    pub targets: Targets,
    /// Buffers.
    pub buffers: Buffers,
    /// The interface.
    pub quads: atlas::Quads,
}

impl Resources {
    /// Creates them for a picture's size.
    pub fn new(renderer: &Renderer, size: Size) -> Result<Resources, Error> {
        let quads = atlas::Quads::title();
        Ok(Resources {
            size,
            meshes: Meshes::new(renderer)?,
            samplers: Samplers::new(renderer)?,
            made: Made::new(renderer)?,
            targets: Targets::new(renderer, size)?,
            buffers: Buffers::new(renderer, size, quads.bytes().len() as u64)?,
            quads,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blooms_sizes_are_those_of_the_description() {
        assert_eq!(bloom_sizes([1280, 720]), [[640, 360], [320, 180], [160, 90], [80, 45], [40, 22]]);
        assert_eq!(groups([40, 22], 8), [5, 3, 1]);
    }
}
