//! What a game's tools draw over the finished picture, in WGSL and GLSL: sharpening, a fade, an outline, a decal, text,
//! the histogram's bars, a blur, a list of what is seen. Off in the reference picture.

use ash::vk::{BlendFactor, Format};

use super::Now;
use crate::scene::atlas::{Quads, STRIDE};
use crate::scene::constants::{self as values, Size, half};
use crate::scene::instances::Instance;
use crate::scene::math::Mat4;
use crate::scene::mesh::{self, Shape};
use crate::scene::resources::{DISPLAY, HDR, Resources, groups};
use crate::scene::setup::{Setup, element, stream};
use crate::vk::ash;
use crate::{
    Blend, BlendPart, Buffer, BufferDesc, ColorTarget, Cull, Error, Frame, GraphicsState, Index, Load, MemoryUse,
    Pipeline, TargetState, Targets, Texture, TextureDesc, TextureUsage, VertexElement,
};

/// Size of the histogram's picture, pixels.
const BARS: Size = [256, 64];
/// Words of a bin that fill the bars.
const HIGHEST: u32 = 40000;

/// The pipelines and what they alone read and write.
pub struct Extras {
    culling: Pipeline,
    bars: Pipeline,
    blur: Pipeline,
    sharpen: Pipeline,
    fade: Pipeline,
    outline: Pipeline,
    decal: Pipeline,
    overlay: Pipeline,
    spheres: Buffer,
    visible: Buffer,
    text: Buffer,
    quads: Quads,
    bars_picture: Texture,
    blurred: [Texture; 2],
    sharpened: Texture,
}

impl Extras {
    /// Makes them.
    pub fn new(setup: &mut Setup<'_>, size: Size, instances: u32) -> Result<Extras, Error> {
        let renderer = setup.renderer;
        let buffer = |name, size| renderer.buffer(&BufferDesc { name, size, memory: MemoryUse::Device });
        let written = TextureUsage { sampled: true, storage: true, target: false };
        let texture = |name, format, [width, height]: Size| {
            renderer.texture(&TextureDesc { usage: written, ..TextureDesc::d2(name, format, width, height) })
        };
        let mut quads = Quads::default();
        quads.text("SHARPENED, FADED, OUTLINED", 2.0, [28.0, 100.0], [255, 255, 255, 255]);
        let (spheres, visible) = (u64::from(instances) * 16, 4 + u64::from(instances) * 4);
        Ok(Extras {
            spheres: buffer("spheres", spheres)?,
            visible: buffer("visible", visible)?,
            text: buffer("overlay", quads.bytes().len() as u64)?,
            quads,
            bars_picture: texture("bars", DISPLAY, BARS)?,
            blurred: [texture("blurred across", HDR, half(size))?, texture("blurred", HDR, half(size))?],
            sharpened: texture("sharpened", DISPLAY, size)?,
            culling: setup.compute("overlay", "culling (WGSL)")?,
            bars: setup.compute("overlay", "bars (GLSL)")?,
            blur: setup.compute("bloom", "blur (GLSL)")?,
            sharpen: setup.compute("post", "sharpen (WGSL)")?,
            fade: setup.graphics("post", "fade (WGSL)", &over(None, Vec::new(), 0))?,
            outline: setup.graphics("post", "outline (WGSL)", &over(Some(BlendFactor::SRC_ALPHA), Vec::new(), 0))?,
            decal: setup.graphics(
                "overlay",
                "decals (GLSL)",
                &over(Some(BlendFactor::SRC_ALPHA), vec![located(0, Format::R32G32B32_SFLOAT, 0)], mesh::STRIDE),
            )?,
            overlay: setup.graphics("overlay", "overlay (GLSL)", &over(Some(BlendFactor::ONE), letters(), STRIDE))?,
        })
    }

    /// Indices of the instances that are seen, behind their number: what the culling wrote.
    pub fn visible(&self) -> &Buffer {
        &self.visible
    }

    /// Records all of it.
    pub fn record(
        &self,
        frame: &mut Frame<'_>,
        resources: &Resources,
        now: &Now,
        instances: &[Instance],
    ) -> Result<(), Error> {
        frame.label("extras")?;
        self.cull(frame, now, instances)?;
        self.compute(frame, resources, now)?;
        frame.write_buffer(&self.text, 0, self.quads.bytes())?;
        self.draw(frame, resources, now)
    }

    fn cull(&self, frame: &mut Frame<'_>, now: &Now, instances: &[Instance]) -> Result<(), Error> {
        let spheres: Vec<u8> = instances.iter().flat_map(sphere).flat_map(f32::to_le_bytes).collect();
        frame.write_buffer(&self.spheres, 0, &spheres)?;
        frame.fill_buffer(&self.visible, 0..self.visible.size(), 0)?;
        let mut pass = frame.compute(&self.culling)?;
        pass.constants("camera", planes(&now.camera.view_projection).bytes())?
            .bind("instances", &self.spheres)?
            .bind("visible", &self.visible)?;
        pass.dispatch([(instances.len() as u32).div_ceil(64), 1, 1])
    }

    /// The bars, the blur of the bloom, the sharpened picture.
    fn compute(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        let targets = &resources.targets;
        let mut pass = frame.compute(&self.bars)?;
        pass.bind("Histogram", &resources.buffers.histogram)?.bind("bars", &self.bars_picture)?;
        pass.push_constants(values::bars(HIGHEST, 0.5).bytes())?;
        pass.dispatch(groups(BARS, 8))?;
        let [across, both] = &self.blurred;
        let [width, height] = half(now.size);
        for (step, size, source, destination) in
            [([1, 0], [width, height], &targets.bloom_up[0], across), ([0, 1], [height, width], across, both)]
        {
            let mut pass = frame.compute(&self.blur)?;
            pass.bind("source", source)?.bind("destination", destination)?;
            pass.push_constants(values::blur(step, [width, height]).bytes())?;
            pass.dispatch([size[0].div_ceil(64), size[1], 1])?;
        }
        let mut pass = frame.compute(&self.sharpen)?;
        pass.constants("settings", values::sharpen(now.size, now.index).bytes())?
            .bind("picture", &targets.display_b)?
            .bind("result", &self.sharpened)?;
        pass.dispatch(groups(now.size, 16))
    }

    fn draw(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        let (targets, clamp) = (&resources.targets, &resources.samplers.linear_clamp);
        let colors = [Some(ColorTarget { view: targets.display_b.whole(), load: Load::Keep })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() })?;
        if pass.pipeline(&self.fade)? {
            pass.constants("fade", values::fade([0.05, 0.02, 0.08], 0.1).bytes())?
                .bind("picture", &self.sharpened)?
                .bind("linear_clamp", clamp)?;
            pass.draw(0..3, 0..1)?;
            let [width, height] = BARS.map(|x| x as f32);
            let [right, bottom] = now.size.map(|x| x as f32);
            pass.viewport([right - width - 16.0, bottom - height - 16.0, width, height, 0.0, 1.0])?;
            pass.constants("fade", values::fade([0.0; 3], 0.0).bytes())?.bind("picture", &self.bars_picture)?;
            pass.draw(0..3, 0..1)?;
            pass.viewport([0.0, 0.0, right, bottom, 0.0, 1.0])?;
        }
        if pass.pipeline(&self.outline)? {
            pass.constants("outline", values::outline(now.size).bytes())?
                .bind("mask", &self.blurred[1])?
                .bind("mask_sampler", clamp)?;
            pass.draw(0..3, 0..1)?;
        }
        if pass.pipeline(&self.decal)? {
            let clip = now.camera.view_projection.times(&decal());
            pass.constants("inverse_box", values::decal(&clip.inverse().unwrap_or(clip)).bytes())?
                .bind("depth_map", &targets.depth)?
                .bind("decal_map", &resources.made.noise)?
                .bind("linear_clamp", clamp)?;
            pass.push_constants(values::pushed_matrix(&clip).bytes())?;
            pass.vertex_buffer(0, &resources.meshes.vertices, 0)?;
            pass.index_buffer(&resources.meshes.indices, 0, Index::U16)?;
            let range = resources.meshes.range(Shape::Box);
            pass.draw_indexed(range.index..range.index + range.indices, range.vertex, 0..1)?;
        }
        if pass.pipeline(&self.overlay)? {
            pass.bind("font_atlas", &resources.made.atlas)?.bind("font_sampler", clamp)?;
            pass.push_constants(values::overlay(now.size).bytes())?;
            pass.vertex_buffer(0, &self.text, 0)?;
            pass.draw(0..self.quads.vertices(), 0..1)?;
        }
        pass.end()
    }
}

/// A pipeline over the picture. `src` is the source's factor, where it blends.
fn over(src: Option<BlendFactor>, elements: Vec<VertexElement>, stride: u32) -> GraphicsState {
    let part = |src| BlendPart::add(src, BlendFactor::ONE_MINUS_SRC_ALPHA);
    let blend = src.map(|src| Blend { color: part(src), alpha: part(BlendFactor::ONE) });
    let streams = if elements.is_empty() { Vec::new() } else { vec![stream(0, stride)] };
    GraphicsState {
        elements,
        streams,
        cull: Cull::None,
        targets: vec![TargetState { blend, ..TargetState::new(DISPLAY) }],
        ..GraphicsState::default()
    }
}

fn located(location: u32, format: Format, offset: u32) -> VertexElement {
    VertexElement { index: location, ..element("LOCATION", format, 0, offset) }
}

fn letters() -> Vec<VertexElement> {
    vec![
        located(0, Format::R32G32_SFLOAT, 0),
        located(1, Format::R16G16_UNORM, 8),
        located(2, Format::R8G8B8A8_UNORM, 12),
    ]
}

/// A box on the quay, about the brazier.
fn decal() -> Mat4 {
    Mat4::rows([[4.0, 0.0, 0.0, -9.5], [0.0, 0.6, 0.0, 1.5], [0.0, 0.0, 4.0, -6.0], [0.0, 0.0, 0.0, 1.0]])
}

/// Centre and radius of what holds a unit box of an instance.
fn sphere(instance: &Instance) -> [f32; 4] {
    let [x, y, z] = instance.rows;
    let squares = [0, 1, 2].map(|k| x[k] * x[k] + y[k] * y[k] + z[k] * z[k]);
    [x[3], y[3], z[3], squares.iter().sum::<f32>().sqrt()]
}

/// The six planes of a view, pointing inwards, of length one.
fn planes(view_projection: &Mat4) -> values::Block {
    let [x, y, z, w] = [0, 1, 2, 3].map(|row| view_projection.row(row));
    let plus = |a: [f64; 4], b: [f64; 4]| std::array::from_fn(|k| a[k] + b[k]);
    let minus = |a: [f64; 4], b: [f64; 4]| std::array::from_fn(|k| a[k] - b[k]);
    values::planes([plus(w, x), minus(w, x), plus(w, y), minus(w, y), z, minus(w, z)])
}
