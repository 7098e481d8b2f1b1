//! The lists of lights of every tile, and deferred lighting; its variants fill more of a device's tables.

use super::{FRAME, Now};
use crate::scene::Lighting as Variant;
use crate::scene::constants::TILE;
use crate::scene::resources::{HDR, Resources, groups};
use crate::scene::setup::Setup;
use crate::translate::interface::ResourceClass;
use crate::{ColorTarget, Cull, Error, Frame, GraphicsState, Load, Pass, Pipeline, TargetState, Targets};

/// The pipelines.
pub struct Lighting {
    cull: Pipeline,
    shade: Pipeline,
    variant: Variant,
    /// Arrays of textures are one binding (shader model 5.1), not one a register.
    arrays: bool,
}

impl Lighting {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Lighting, Error> {
        let state =
            GraphicsState { cull: Cull::None, targets: vec![TargetState::new(HDR)], ..GraphicsState::default() };
        let variant = setup.options.lighting;
        Ok(Lighting {
            cull: setup.compute("lighting", "cull")?,
            shade: setup.graphics("lighting", variant.program(), &state)?,
            variant,
            arrays: setup.options.model_51 || matches!(variant, Variant::Samplers19 | Variant::Textures50),
        })
    }

    /// Records both.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        self.cull(frame, resources, now)?;
        frame.label("lighting")?;
        let view = resources.targets.hdr.whole();
        let colors = [Some(ColorTarget { view, load: Load::Discard })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() })?;
        if pass.pipeline(&self.shade)? {
            bind_shading(&mut pass, resources, now)?;
            self.bind_variant(&mut pass, resources)?;
            pass.draw(0..3, 0..1)?;
        }
        pass.end()
    }

    fn cull(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("light lists")?;
        let buffers = &resources.buffers;
        frame.fill_buffer(&buffers.cull_counters, 0..16, 0)?;
        let mut pass = frame.compute(&self.cull)?;
        pass.constants(FRAME, now.constants.bytes())?
            .bind("depth_map", &resources.targets.depth)?
            .bind("lights", &buffers.lights)?
            .bind("tile_ranges", &buffers.tile_ranges)?
            .bind("light_indices", &buffers.light_indices)?
            .bind("counters", &buffers.cull_counters)?;
        pass.dispatch(groups(now.size, TILE))
    }

    /// The samplers and textures that a variant has beyond the plain one's.
    fn bind_variant(&self, pass: &mut Pass<'_>, resources: &Resources) -> Result<(), Error> {
        let (clamp, white) = (&resources.samplers.linear_clamp, &resources.made.white);
        let samplers = match self.variant {
            // Shader model 5.1's twin of the 16 samplers is the one with 19.
            Variant::Samplers16 if !self.arrays => 13,
            Variant::Samplers16 | Variant::Samplers19 => 16,
            _ => 0,
        };
        let textures = match self.variant {
            Variant::Textures34 => 24,
            Variant::Textures50 => 40,
            _ => 0,
        };
        // The compiler gives samplers that are used one by one a register each, from s3, and textures from t10.
        for n in 0..samplers {
            if self.arrays {
                pass.bind_element("more_samplers", n, clamp)?;
            } else {
                pass.bind_register(ResourceClass::Sampler, 3 + n, 0, clamp)?;
            }
        }
        for n in 0..textures {
            if self.arrays {
                pass.bind_element("white_maps", n, white)?;
            } else {
                pass.bind_register(ResourceClass::Srv, 10 + n, 0, white)?;
            }
        }
        Ok(())
    }
}

/// What every variant reads.
fn bind_shading(pass: &mut Pass<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
    let (targets, buffers, samplers) = (&resources.targets, &resources.buffers, &resources.samplers);
    let [g0, g1, g2] = &targets.gbuffer;
    pass.constants(FRAME, now.constants.bytes())?
        .bind("albedo_roughness_map", g0)?
        .bind("normal_map", g1)?
        .bind("emissive_metallic_map", g2)?
        .bind("depth_map", &targets.depth)?
        .bind("occlusion_map", &targets.occlusion)?
        .bind("shadow_map", &targets.shadow)?
        .bind("environment", &resources.made.environment)?
        .bind("tile_ranges", &buffers.tile_ranges)?
        .bind("light_indices", &buffers.light_indices)?
        .bind("lights", &buffers.lights)?
        .bind("linear_clamp", &samplers.linear_clamp)?
        .bind("point_clamp", &samplers.point_clamp)?
        .bind("shadow_sampler", &samplers.shadow)?;
    Ok(())
}
