//! Tone map, and smoothing of edges: from light to display values.

use super::{FRAME, Now};
use crate::scene::constants::post as constants;
use crate::scene::resources::{DISPLAY, Resources};
use crate::scene::setup::Setup;
use crate::{ColorTarget, Cull, Error, Frame, GraphicsState, Load, Pipeline, TargetState, Targets, Texture};

/// The pipelines.
pub struct Post {
    tone_map: Pipeline,
    smooth: Pipeline,
}

impl Post {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Post, Error> {
        let state =
            GraphicsState { cull: Cull::None, targets: vec![TargetState::new(DISPLAY)], ..GraphicsState::default() };
        let smooth = setup.either("smooth", "smooth (WGSL)");
        Ok(Post {
            tone_map: setup.graphics("post", "tone map", &state)?,
            smooth: setup.graphics("post", smooth, &state)?,
        })
    }

    /// Records both.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("tone map")?;
        let targets = &resources.targets;
        let color = |texture| [Some(ColorTarget { view: Texture::whole(texture), load: Load::Discard })];
        let mut pass = frame.render(&Targets { colors: &color(&targets.display_a), ..Targets::default() })?;
        if pass.pipeline(&self.tone_map)? {
            pass.constants(FRAME, now.constants.bytes())?
                .constants("PostConstants", constants().bytes())?
                .bind("scene", &targets.hdr)?
                .bind("bloom", &targets.bloom_up[0])?
                .bind("exposure_state", &resources.buffers.exposure)?
                .bind("linear_clamp", &resources.samplers.linear_clamp)?;
            pass.draw(0..3, 0..1)?;
        }
        pass.end()?;
        frame.label("smoothing")?;
        let mut pass = frame.render(&Targets { colors: &color(&targets.display_b), ..Targets::default() })?;
        if pass.pipeline(&self.smooth)? {
            pass.constants(FRAME, now.constants.bytes())?
                .constants("PostConstants", constants().bytes())?
                .bind("scene", &targets.display_a)?
                .bind("linear_clamp", &resources.samplers.linear_clamp)?;
            pass.draw(0..3, 0..1)?;
        }
        pass.end()
    }
}
