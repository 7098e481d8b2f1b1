//! Particles: born, moved, sorted by distance on the device, and drawn over the light.
//!
//! They are drawn as points that a geometry stage makes squares of; where the device has no such stage, as strips of
//! four vertices that pull their particle. The picture is the same to the pixel. For that their viewport's size is a power
//! of two: drivers may round a viewport's product and sum once or twice, for vertices of one stage thus and of another
//! otherwise, and where the product is exact both come to the same.

use super::{FRAME, Now, depth};
use crate::scene::Billboards;
use crate::scene::constants::{frame as frame_constants, particles as constants};
use crate::scene::resources::{HDR, PARTICLES, Resources};
use crate::scene::setup::Setup;
use crate::vk::ash::vk::BlendFactor;
use crate::vk::codes;
use crate::{
    Blend, BlendPart, ColorTarget, Compare, Cull, DepthTarget, Error, Frame, GraphicsState, Load, Pipeline,
    TargetState, Targets, Topology,
};

/// The pipelines.
pub struct Particles {
    emit: Pipeline,
    update: Pipeline,
    sort_block: Pipeline,
    sort_step: Pipeline,
    sort_tail: Pipeline,
    arguments: Pipeline,
    draw: Pipeline,
    billboards: Billboards,
}

const SETTINGS: &str = "ParticleConstants";
const COUNTERS: &str = "ParticleCounters";

impl Particles {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Particles, Error> {
        let (draw, billboards) = drawn(setup)?;
        Ok(Particles {
            emit: setup.compute("particles", "emit")?,
            update: setup.compute("particles", "update")?,
            sort_block: setup.compute("particles", "sort block")?,
            sort_step: setup.compute("particles", "sort step")?,
            sort_tail: setup.compute("particles", "sort tail")?,
            arguments: setup.compute("particles", "arguments")?,
            draw,
            billboards,
        })
    }

    /// What makes the squares.
    pub fn billboards(&self) -> Billboards {
        self.billboards
    }

    /// One step of the simulation.
    pub fn step(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("particles")?;
        self.emit(frame, resources, now)?;
        self.update(frame, resources, now)?;
        let buffers = &resources.buffers;
        frame.copy_buffer(&buffers.alive_counter, 0, &buffers.counters, 4, 4)?;
        self.sort(frame, resources, now, &self.sort_block, [0, 0], 4)?;
        self.sort(frame, resources, now, &self.sort_step, [2048, 1024], 8)?;
        self.sort(frame, resources, now, &self.sort_tail, [2048, 0], 4)?;
        self.sort(frame, resources, now, &self.sort_step, [4096, 2048], 8)?;
        self.sort(frame, resources, now, &self.sort_step, [4096, 1024], 8)?;
        self.sort(frame, resources, now, &self.sort_tail, [4096, 0], 4)?;
        let mut pass = frame.compute(&self.arguments)?;
        pass.bind(COUNTERS, &buffers.counters)?.bind("draw_arguments", &buffers.arguments_texels)?;
        pass.dispatch([1, 1, 1])?;
        if self.billboards == Billboards::Pulled {
            frame.write_buffer(&buffers.strip_arguments, 0, &[4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])?;
            frame.copy_buffer(&buffers.alive_counter, 0, &buffers.strip_arguments, 4, 4)?;
        }
        Ok(())
    }

    fn emit(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        let buffers = &resources.buffers;
        frame.copy_buffer(&buffers.dead_counter, 0, &buffers.counters, 0, 4)?;
        let mut pass = frame.compute(&self.emit)?;
        pass.constants(SETTINGS, constants(&now.camera, now.index, [0, 0]).bytes())?
            .bind(COUNTERS, &buffers.counters)?
            .bind("pool", &buffers.pool)?
            .bind("dead_list", &buffers.dead)?
            .bind_counter("dead_list", (&buffers.dead_counter, 0..4))?;
        pass.dispatch([1, 1, 1])
    }

    fn update(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        let buffers = &resources.buffers;
        frame.fill_buffer(&buffers.alive_counter, 0..4, 0)?;
        let mut pass = frame.compute(&self.update)?;
        pass.constants(FRAME, now.constants.bytes())?
            .constants(SETTINGS, constants(&now.camera, now.index, [0, 0]).bytes())?
            .bind("pool", &buffers.pool)?
            .bind("dead_list", &buffers.dead)?
            .bind_counter("dead_list", (&buffers.dead_counter, 0..4))?
            .bind("alive_list", &buffers.alive)?
            .bind_counter("alive_list", (&buffers.alive_counter, 0..4))?;
        pass.dispatch([PARTICLES / 256, 1, 1])
    }

    /// One step of the bitonic sort: `of` is the size of the sequences being merged and the distance of a pair.
    fn sort(
        &self,
        frame: &mut Frame<'_>,
        resources: &Resources,
        now: &Now,
        pipeline: &Pipeline,
        of: [u32; 2],
        groups: u32,
    ) -> Result<(), Error> {
        let mut pass = frame.compute(pipeline)?;
        if of != [0, 0] {
            pass.constants(SETTINGS, constants(&now.camera, now.index, of).bytes())?;
        } else {
            pass.bind(COUNTERS, &resources.buffers.counters)?;
        }
        pass.bind("entries", &resources.buffers.alive)?;
        pass.dispatch([groups, 1, 1])
    }

    /// Draws them.
    pub fn draw(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("particles drawn")?;
        let (buffers, targets) = (&resources.buffers, &resources.targets);
        let mut pass = frame.render(&Targets {
            colors: &[Some(ColorTarget { view: targets.hdr.whole(), load: Load::Keep })],
            depth: Some(DepthTarget { view: targets.depth.whole(), load: Load::Keep, read_only: true }),
            ..Targets::default()
        })?;
        if pass.pipeline(&self.draw)? {
            let ([width, height], camera) = now.camera.in_powers_of_two(now.size);
            pass.viewport([0.0, 0.0, width as f32, height as f32, 0.0, 1.0])?;
            pass.constants(FRAME, frame_constants(&camera, now.size, now.index).bytes())?
                .constants(SETTINGS, constants(&now.camera, now.index, [0, 0]).bytes())?
                .bind("pool_read", &buffers.pool)?
                .bind("sorted", &buffers.alive)?
                .bind("depth_map", &targets.depth)?;
            let arguments = match self.billboards {
                Billboards::Geometry => &buffers.arguments,
                Billboards::Pulled => &buffers.strip_arguments,
            };
            pass.draw_indirect(arguments, 0, 1, 16)?;
        }
        pass.end()
    }
}

/// The pipeline that draws, and what makes its squares: a geometry stage unless the device has none.
fn drawn(setup: &mut Setup<'_>) -> Result<(Pipeline, Billboards), Error> {
    let wanted = setup.options.billboards;
    if wanted != Some(Billboards::Pulled) {
        match setup.graphics("particles", "draw", &state(Topology::PointList)) {
            Err(error) if wanted.is_none() && no_geometry(&error) => {}
            other => return Ok((other?, Billboards::Geometry)),
        }
    }
    let draw = setup.graphics("particles", "draw, pulled (WGSL)", &state(Topology::TriangleStrip))?;
    Ok((draw, Billboards::Pulled))
}

/// That the planner, or the device's features, have no geometry stage.
fn no_geometry(error: &Error) -> bool {
    [codes::UNSUPPORTED_STAGE, codes::MISSING_FEATURES].contains(&error.code())
}

fn state(topology: Topology) -> GraphicsState {
    let blend = Blend {
        color: BlendPart::add(BlendFactor::ONE, BlendFactor::ONE_MINUS_SRC_ALPHA),
        alpha: BlendPart::add(BlendFactor::ZERO, BlendFactor::ONE),
    };
    GraphicsState {
        topology,
        cull: Cull::None,
        depth: Some(depth(Compare::Less, false)),
        targets: vec![TargetState { blend: Some(blend), ..TargetState::new(HDR) }],
        ..GraphicsState::default()
    }
}
