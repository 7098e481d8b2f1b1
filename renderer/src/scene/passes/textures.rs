//! What is made once, before the first frame: textures, the environment, the particles' empty pool.

use super::FRAME;
use crate::scene::constants::{self, Block, Size};
use crate::scene::resources::{
    ALBEDO_LAYERS, ALBEDO_LEVELS, CUBE_LEVELS, CUBE_SIDE, DETAIL_LAYERS, PARTICLES, Resources, groups,
};
use crate::scene::setup::Setup;
use crate::{Error, Frame, Pipeline, Texture};

/// The pipelines.
pub struct Textures {
    albedo: Pipeline,
    mip: Pipeline,
    normal: Pipeline,
    roughness: Pipeline,
    detail: Pipeline,
    noise: Pipeline,
    height: Pipeline,
    environment: Pipeline,
    clear: Pipeline,
}

impl Textures {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Textures, Error> {
        Ok(Textures {
            albedo: setup.compute("textures", "albedo")?,
            mip: setup.compute("textures", "mip")?,
            normal: setup.compute("textures", "normal")?,
            roughness: setup.compute("textures", "roughness")?,
            detail: setup.compute("textures", "detail")?,
            noise: setup.compute("textures", "noise")?,
            height: setup.compute("textures", "height")?,
            environment: setup.compute("textures", "environment")?,
            clear: setup.compute("particles", "clear")?,
        })
    }

    /// Records all of it.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, frame_constants: &Block) -> Result<(), Error> {
        frame.label("textures")?;
        let made = &resources.made;
        one(frame, &self.albedo, "albedo_out", &made.albedo, ALBEDO_LAYERS)?;
        (1..ALBEDO_LEVELS).try_for_each(|level| self.mip(frame, &made.albedo, level))?;
        one(frame, &self.normal, "color_out", &made.normal, 1)?;
        one(frame, &self.roughness, "scalar_out", &made.roughness, 1)?;
        one(frame, &self.detail, "detail_out", &made.detail, DETAIL_LAYERS)?;
        one(frame, &self.noise, "color_out", &made.noise, 1)?;
        one(frame, &self.height, "height_out", &made.height, 1)?;
        for level in 0..CUBE_LEVELS {
            self.environment(frame, &made.environment, level, frame_constants)?;
        }
        self.clear_particles(frame, resources)
    }

    fn mip(&self, frame: &mut Frame<'_>, albedo: &Texture, level: u32) -> Result<(), Error> {
        let size = level_size(albedo, level);
        let mut pass = frame.compute(&self.mip)?;
        pass.constants("TextureConstants", constants::texture(size).bytes())?
            .bind("mip_source", albedo.mip(level - 1))?
            .bind("mip_out", albedo.mip(level))?;
        pass.dispatch(layered(size, ALBEDO_LAYERS))
    }

    fn environment(
        &self,
        frame: &mut Frame<'_>,
        cube: &Texture,
        level: u32,
        frame_constants: &Block,
    ) -> Result<(), Error> {
        let side = CUBE_SIDE >> level;
        let mut pass = frame.compute(&self.environment)?;
        pass.constants(FRAME, frame_constants.bytes())?
            .constants("CubeConstants", constants::cube(side, level).bytes())?
            .bind("cube_out", cube.mip(level))?;
        pass.dispatch(layered([side, side], 6))
    }

    fn clear_particles(&self, frame: &mut Frame<'_>, resources: &Resources) -> Result<(), Error> {
        let buffers = &resources.buffers;
        frame.fill_buffer(&buffers.dead_counter, 0..4, 0)?;
        let mut pass = frame.compute(&self.clear)?;
        pass.bind("pool", &buffers.pool)?
            .bind("dead_list", &buffers.dead)?
            .bind_counter("dead_list", (&buffers.dead_counter, 0..4))?;
        pass.dispatch([PARTICLES / 256, 1, 1])
    }
}

/// One dispatch that writes a texture's first level.
fn one(frame: &mut Frame<'_>, pipeline: &Pipeline, name: &str, texture: &Texture, layers: u32) -> Result<(), Error> {
    let size = level_size(texture, 0);
    let mut pass = frame.compute(pipeline)?;
    pass.constants("TextureConstants", constants::texture(size).bytes())?.bind(name, texture.mip(0))?;
    pass.dispatch(layered(size, layers))
}

fn level_size(texture: &Texture, level: u32) -> Size {
    let [width, height, _] = texture.size();
    [width, height].map(|x| (x >> level).max(1))
}

fn layered(size: Size, layers: u32) -> [u32; 3] {
    let [x, y, _] = groups(size, 8);
    [x, y, layers]
}
