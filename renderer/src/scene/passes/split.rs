//! The g-buffer's channels, each into an image of its own: eight or nine images that one shader writes.

use ash::vk::Format;

use super::{FRAME, Now};
use crate::scene::Split as Variant;
use crate::scene::constants::Size;
use crate::scene::resources::{Resources, groups};
use crate::scene::setup::Setup;
use crate::vk::ash;
use crate::{Cull, Error, Frame, GraphicsState, Pipeline, Renderer, Targets, Texture, TextureDesc, TextureUsage};

/// The images, by the shader's names, with their formats; the ninth is of the variants with nine.
const IMAGES: [(&str, Format); 9] = [
    ("split_red", Format::R32_SFLOAT),
    ("split_green", Format::R32_SFLOAT),
    ("split_blue", Format::R32_SFLOAT),
    ("split_roughness", Format::R32_SFLOAT),
    ("split_normal", Format::R16G16_SFLOAT),
    ("split_emissive", Format::R16G16B16A16_SFLOAT),
    ("split_metallic", Format::R32_SFLOAT),
    ("split_depth", Format::R32_SFLOAT),
    ("split_tile_lights", Format::R32_UINT),
];

/// The pipeline and its images.
pub struct Split {
    pipeline: Pipeline,
    variant: Variant,
    images: Vec<Texture>,
}

impl Split {
    /// Makes both.
    pub fn new(setup: &mut Setup<'_>, variant: Variant, size: Size) -> Result<Split, Error> {
        let pipeline = if variant.drawn() {
            let state = GraphicsState { cull: Cull::None, ..GraphicsState::default() };
            setup.graphics("split", variant.program(), &state)?
        } else {
            setup.compute("split", variant.program())?
        };
        let count = if variant.nine() { 9 } else { 8 };
        let images = IMAGES[..count].iter().map(|&(name, format)| image(setup.renderer, name, format, size));
        Ok(Split { pipeline, variant, images: images.collect::<Result<_, _>>()? })
    }

    /// The images, in the order of their registers.
    pub fn images(&self) -> &[Texture] {
        &self.images
    }

    /// Records it. The g-buffer and the light lists must be there.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("split")?;
        let [g0, g1, g2] = &resources.targets.gbuffer;
        let depth = &resources.targets.depth;
        macro_rules! bind_all {
            ($pass:expr) => {
                $pass
                    .bind("albedo_roughness_map", g0)?
                    .bind("normal_map", g1)?
                    .bind("emissive_metallic_map", g2)?
                    .bind("depth_map", depth)?;
                if self.variant.nine() {
                    $pass.bind("tile_ranges", &resources.buffers.tile_ranges)?;
                }
                if self.variant.nine() || !self.variant.drawn() {
                    $pass.constants(FRAME, now.constants.bytes())?;
                }
                for ((name, _), image) in IMAGES.iter().zip(&self.images) {
                    $pass.bind(name, image)?;
                }
            };
        }
        if !self.variant.drawn() {
            let mut pass = frame.compute(&self.pipeline)?;
            bind_all!(pass);
            return pass.dispatch(groups(now.size, 8));
        }
        let mut pass = frame.render(&Targets { size: now.size, ..Targets::default() })?;
        if pass.pipeline(&self.pipeline)? {
            bind_all!(pass);
            pass.draw(0..3, 0..1)?;
        }
        pass.end()
    }
}

fn image(renderer: &Renderer, name: &str, format: Format, [width, height]: Size) -> Result<Texture, Error> {
    let usage = TextureUsage { sampled: true, storage: true, target: false };
    renderer.texture(&TextureDesc { usage, ..TextureDesc::d2(name, format, width, height) })
}
