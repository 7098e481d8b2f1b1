//! The g-buffer of land and sea: squares that are tessellated by their distance.

use super::{FRAME, Now, depth};
use crate::scene::constants::{Ground, patches};
use crate::scene::resources::{GBUFFER, Resources};
use crate::scene::setup::Setup;
use crate::{
    ColorTarget, Compare, Cull, DepthTarget, Error, Frame, GraphicsState, Load, Pipeline, TargetState, Targets,
    Texture, Topology,
};

/// Squares of the land, and of the sea.
const PATCHES: u32 = 1024;

/// The pipelines.
pub struct Grounds {
    terrain: Pipeline,
    water: Pipeline,
}

impl Grounds {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Grounds, Error> {
        let state = GraphicsState {
            topology: Topology::Patches(4),
            cull: Cull::None,
            depth: Some(depth(Compare::Less, true)),
            targets: GBUFFER.map(TargetState::new).into(),
            ..GraphicsState::default()
        };
        Ok(Grounds {
            terrain: setup.graphics("g-buffer", "terrain", &state)?,
            water: setup.graphics("g-buffer", "water", &state)?,
        })
    }

    /// Records both.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("g-buffer: land and sea")?;
        let (made, targets, samplers) = (&resources.made, &resources.targets, &resources.samplers);
        let [g0, g1, g2] = &targets.gbuffer;
        let color = |texture| Some(ColorTarget { view: Texture::whole(texture), load: Load::Keep });
        let mut pass = frame.render(&Targets {
            colors: &[color(g0), color(g1), color(g2)],
            depth: Some(DepthTarget { view: targets.depth.whole(), load: Load::Keep, read_only: false }),
            ..Targets::default()
        })?;
        for (ground, pipeline) in [(Ground::Terrain, &self.terrain), (Ground::Water, &self.water)] {
            if !pass.pipeline(pipeline)? {
                continue;
            }
            pass.constants(FRAME, now.constants.bytes())?
                .constants("PatchConstants", patches(ground).bytes())?
                .bind("height_map", &made.height)?
                .bind("linear_clamp", &samplers.linear_clamp)?
                .bind("noise_map", &made.noise)?
                .bind("linear_wrap", &samplers.linear_wrap)?;
            if ground == Ground::Terrain {
                pass.bind("albedo_map", &made.albedo)?.bind("normal_map", &made.normal)?;
            }
            pass.draw(0..4, 0..PATCHES)?;
        }
        pass.end()
    }
}
