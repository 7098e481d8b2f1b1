//! A frame: which passes run, and in which order.

use super::camera::Camera;
use super::constants::{self, Size};
use super::instances::{self, Instances};
use super::lights::Lights;
use super::passes::Now;
use super::passes::bloom::Bloom;
use super::passes::exposure::Exposure;
use super::passes::extras::Extras;
use super::passes::gbuffer::GBuffer;
use super::passes::ground::Grounds;
use super::passes::interface::Interface;
use super::passes::lighting::Lighting;
use super::passes::lines::Lines;
use super::passes::occlusion::Occlusion;
use super::passes::particles::Particles;
use super::passes::post::Post;
use super::passes::shadow::Shadow;
use super::passes::sky::Sky;
use super::passes::split::Split;
use super::passes::textures::Textures;
use super::resources::Resources;
use super::setup::Setup;
use crate::{Error, Frame};

/// Every pass of a frame.
pub struct Passes {
    /// Particles; the command says what makes their squares.
    pub particles: Particles,
    shadow: Shadow,
    gbuffer: GBuffer,
    grounds: Grounds,
    occlusion: Occlusion,
    lighting: Lighting,
    /// The split g-buffer, where it is asked for.
    pub split: Option<Split>,
    sky: Sky,
    exposure: Exposure,
    bloom: Bloom,
    post: Post,
    interface: Interface,
    /// What tools draw, where it is asked for.
    pub extras: Option<Extras>,
    lines: Option<Lines>,
}

impl Passes {
    /// Makes every pass that the options ask for.
    pub fn new(setup: &mut Setup<'_>, size: Size) -> Result<Passes, Error> {
        let options = setup.options;
        Ok(Passes {
            particles: Particles::new(setup)?,
            shadow: Shadow::new(setup)?,
            gbuffer: GBuffer::new(setup)?,
            grounds: Grounds::new(setup)?,
            occlusion: Occlusion::new(setup)?,
            lighting: Lighting::new(setup)?,
            split: options.split.map(|variant| Split::new(setup, variant, size)).transpose()?,
            sky: Sky::new(setup)?,
            exposure: Exposure::new(setup)?,
            bloom: Bloom::new(setup)?,
            post: Post::new(setup)?,
            interface: Interface::new(setup)?,
            extras: options.extras.then(|| Extras::new(setup, size, instances::count())).transpose()?,
            lines: options.debug_lines.then(|| Lines::new(setup)).transpose()?,
        })
    }

    /// A whole frame, in its order.
    pub fn record(
        &self,
        frame: &mut Frame<'_>,
        resources: &Resources,
        now: &Now,
        instances: &Instances,
    ) -> Result<(), Error> {
        self.particles.step(frame, resources, now)?;
        self.shadow.record(frame, resources, now)?;
        self.gbuffer.record(frame, resources, now)?;
        self.grounds.record(frame, resources, now)?;
        self.occlusion.record(frame, resources, now)?;
        self.lighting.record(frame, resources, now)?;
        if let Some(split) = &self.split {
            split.record(frame, resources, now)?;
        }
        self.sky.record(frame, resources, now)?;
        self.particles.draw(frame, resources, now)?;
        self.exposure.record(frame, resources, now)?;
        self.bloom.record(frame, resources)?;
        self.post.record(frame, resources, now)?;
        self.interface.record(frame, resources, now)?;
        if let Some(extras) = &self.extras {
            extras.record(frame, resources, now, &instances.at(constants::time(now.index)))?;
        }
        if let Some(lines) = &self.lines {
            lines.record(frame, resources, now)?;
        }
        Ok(())
    }
}

/// What a frame's passes have in common.
pub fn now(size: Size, index: u32) -> Now {
    let camera = Camera::new(size[0], size[1]);
    Now { index, size, camera, constants: constants::frame(&camera, size, index) }
}

/// What does not change: meshes, materials, letters, textures, the empty pool of particles.
pub fn prepare(frame: &mut Frame<'_>, resources: &Resources, textures: &Textures) -> Result<(), Error> {
    let (made, buffers) = (&resources.made, &resources.buffers);
    for (buffer, bytes) in resources.meshes.contents() {
        frame.write_buffer(buffer, 0, bytes)?;
    }
    frame.write_buffer(&buffers.materials, 0, &instances::material_bytes())?;
    frame.write_buffer(&buffers.quads, 0, resources.quads.bytes())?;
    frame.upload(made.atlas.mip(0), &super::atlas::texels())?;
    frame.upload(made.white.mip(0), &[255; 4])?;
    for cleared in [&buffers.slices, &buffers.exposure, &buffers.counters, &buffers.alive_counter] {
        frame.fill_buffer(cleared, 0..cleared.size(), 0)?;
    }
    textures.record(frame, resources, &now(resources.size, 0).constants)
}

/// What moves: instances, bones, lights.
pub fn place(
    frame: &mut Frame<'_>,
    resources: &Resources,
    instances: &Instances,
    lights: &Lights,
    index: u32,
) -> Result<(), Error> {
    let (buffers, time) = (&resources.buffers, constants::time(index));
    frame.write_buffer(&buffers.instances, 0, &instances.bytes(time))?;
    frame.write_buffer(&buffers.bones, 0, &instances::bone_bytes(time))?;
    Ok(frame.write_buffer(&buffers.lights, 0, &lights.bytes(time))?)
}
