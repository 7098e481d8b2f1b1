//! Bloom: what shines bleeds into its surroundings. Five levels down, four up.

use crate::scene::constants::{Size, bloom as constants};
use crate::scene::resources::{Resources, bloom_sizes, groups};
use crate::scene::setup::Setup;
use crate::{Error, Frame, Pipeline, Texture};

/// Light below it does not bloom.
const THRESHOLD: f64 = 0.8;

/// The pipelines.
pub struct Bloom {
    down: Pipeline,
    up: Pipeline,
}

impl Bloom {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Bloom, Error> {
        let up = setup.either("up", "up (GLSL)");
        Ok(Bloom { down: setup.compute("bloom", "down")?, up: setup.compute("bloom", up)? })
    }

    /// Records every step.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources) -> Result<(), Error> {
        frame.label("bloom")?;
        let targets = &resources.targets;
        let (sizes, clamp) = (bloom_sizes(resources.size), &resources.samplers.linear_clamp);
        let mut source: (&Texture, Size) = (&targets.hdr, resources.size);
        for (level, (destination, &size)) in targets.bloom_down.iter().zip(&sizes).enumerate() {
            let threshold = if level == 0 { THRESHOLD } else { 0.0 };
            let mut pass = frame.compute(&self.down)?;
            pass.constants("BloomConstants", constants(source.1, size, threshold).bytes())?
                .bind("source", source.0)?
                .bind("destination", destination)?
                .bind("linear_clamp", clamp)?;
            pass.dispatch(groups(size, 8))?;
            source = (destination, size);
        }
        let mut lower = source.0;
        for (level, destination) in targets.bloom_up.iter().enumerate().rev() {
            let size = sizes[level];
            let mut pass = frame.compute(&self.up)?;
            pass.constants("BloomConstants", constants(size, size, 0.0).bytes())?
                .bind("source", &targets.bloom_down[level])?
                .bind("lower", lower)?
                .bind("destination", destination)?
                .bind("linear_clamp", clamp)?;
            pass.dispatch(groups(size, 8))?;
            lower = destination;
        }
        Ok(())
    }
}
