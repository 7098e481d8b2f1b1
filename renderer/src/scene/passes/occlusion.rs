//! Ambient occlusion at half the picture's size, and its blur.

use super::{FRAME, Now};
use crate::scene::constants::{half, occlusion as constants};
use crate::scene::resources::{Resources, groups};
use crate::scene::setup::Setup;
use crate::{Error, Frame, Pipeline};

/// The pipelines.
pub struct Occlusion {
    raw: Pipeline,
    blur: Pipeline,
}

impl Occlusion {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Occlusion, Error> {
        Ok(Occlusion { raw: setup.compute("occlusion", "raw")?, blur: setup.compute("occlusion", "blur")? })
    }

    /// Records both steps.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("occlusion")?;
        let targets = &resources.targets;
        let (groups, constants) = (groups(half(now.size), 8), constants(now.size));
        let mut pass = frame.compute(&self.raw)?;
        pass.constants(FRAME, now.constants.bytes())?
            .constants("OcclusionConstants", constants.bytes())?
            .bind("depth_map", &targets.depth)?
            .bind("normal_map", &targets.gbuffer[1])?
            .bind("noise_map", &resources.made.noise)?
            .bind("occlusion_out", &targets.occlusion_raw)?
            .bind("point_clamp", &resources.samplers.point_clamp)?;
        pass.dispatch(groups)?;
        let mut pass = frame.compute(&self.blur)?;
        pass.constants(FRAME, now.constants.bytes())?
            .constants("OcclusionConstants", constants.bytes())?
            .bind("depth_map", &targets.depth)?
            .bind("raw_occlusion", &targets.occlusion_raw)?
            .bind("occlusion_out", &targets.occlusion)?
            .bind("point_clamp", &resources.samplers.point_clamp)?;
        pass.dispatch(groups)
    }
}
