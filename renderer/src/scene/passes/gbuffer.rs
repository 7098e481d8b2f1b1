//! The g-buffer of the meshes: colour, normal, light and depth of what is seen.

use super::shadow::{bind_batch, draw_batch, elements, streams};
use super::{Now, depth};
use crate::scene::instances::{BATCHES, Kind};
use crate::scene::resources::{GBUFFER, Resources};
use crate::scene::setup::Setup;
use crate::{
    ColorTarget, Compare, Cull, DepthTarget, Error, Frame, GraphicsState, Load, Pipeline, TargetState, Targets,
};

/// The pipelines.
pub struct GBuffer {
    fixed: Pipeline,
    skinned: Pipeline,
    alpha: Pipeline,
}

impl GBuffer {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<GBuffer, Error> {
        let state = |kind, cull| GraphicsState {
            elements: elements(kind),
            streams: streams(kind),
            cull,
            depth: Some(depth(Compare::Less, true)),
            targets: GBUFFER.map(TargetState::new).into(),
            ..GraphicsState::default()
        };
        Ok(GBuffer {
            fixed: setup.graphics("g-buffer", "static", &state(Kind::Static, Cull::Back))?,
            skinned: setup.graphics("g-buffer", "skinned", &state(Kind::Skinned, Cull::None))?,
            alpha: setup.graphics("g-buffer", "alpha", &state(Kind::Alpha, Cull::None))?,
        })
    }

    /// Records every batch.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("g-buffer: meshes")?;
        let (made, targets, samplers) = (&resources.made, &resources.targets, &resources.samplers);
        let [g0, g1, g2] = &targets.gbuffer;
        let color = |texture| Some(ColorTarget { view: crate::Texture::whole(texture), load: Load::Clear([0.0; 4]) });
        let mut pass = frame.render(&Targets {
            colors: &[color(g0), color(g1), color(g2)],
            depth: Some(DepthTarget { view: targets.depth.whole(), load: Load::Clear(1.0), read_only: false }),
            ..Targets::default()
        })?;
        for batch in &BATCHES {
            let pipeline = match batch.kind {
                Kind::Static => &self.fixed,
                Kind::Skinned => &self.skinned,
                Kind::Alpha => &self.alpha,
            };
            if !pass.pipeline(pipeline)? {
                continue;
            }
            bind_batch(&mut pass, batch, resources, now)?;
            pass.bind("albedo_map", &made.albedo)?
                .bind("normal_map", &made.normal)?
                .bind("roughness_map", &made.roughness)?
                .bind("detail_map", &made.detail)?
                .bind("noise_map", &made.noise)?
                .bind("materials", &resources.buffers.materials)?
                .bind("linear_wrap", &samplers.linear_wrap)?
                .bind("point_wrap", &samplers.point_wrap)?;
            draw_batch(&mut pass, batch, resources)?;
        }
        pass.end()
    }
}
