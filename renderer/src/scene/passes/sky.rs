//! The sky, behind everything.

use super::{FRAME, Now, depth};
use crate::scene::resources::{HDR, Resources};
use crate::scene::setup::Setup;
use crate::{
    ColorTarget, Compare, Cull, DepthTarget, Error, Frame, GraphicsState, Load, Pipeline, TargetState, Targets,
};

/// The pipeline.
pub struct Sky(Pipeline);

impl Sky {
    /// Makes the pipeline.
    pub fn new(setup: &mut Setup<'_>) -> Result<Sky, Error> {
        let state = GraphicsState {
            cull: Cull::None,
            depth: Some(depth(Compare::LessEqual, false)),
            targets: vec![TargetState::new(HDR)],
            ..GraphicsState::default()
        };
        Ok(Sky(setup.graphics("lighting", "sky", &state)?))
    }

    /// Records it.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("sky")?;
        let targets = &resources.targets;
        let mut pass = frame.render(&Targets {
            colors: &[Some(ColorTarget { view: targets.hdr.whole(), load: Load::Keep })],
            depth: Some(DepthTarget { view: targets.depth.whole(), load: Load::Keep, read_only: true }),
            ..Targets::default()
        })?;
        if pass.pipeline(&self.0)? {
            pass.constants(FRAME, now.constants.bytes())?;
            pass.draw(0..3, 0..1)?;
        }
        pass.end()
    }
}
