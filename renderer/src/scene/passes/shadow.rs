//! The sun's shadow map: depth alone.

use ash::vk::Format;

use super::{FRAME, Now, depth};
use crate::scene::constants;
use crate::scene::instances::{BATCHES, Batch, Kind};
use crate::scene::mesh::{SKIN_STRIDE, STRIDE};
use crate::scene::resources::Resources;
use crate::scene::setup::{Setup, element, stream};
use crate::vk::ash;
use crate::{Compare, Cull, DepthTarget, Error, Frame, GraphicsState, Index, Load, Pass, Pipeline, Targets};
use crate::{VertexElement, VertexStream};

/// The pipelines.
pub struct Shadow {
    fixed: Pipeline,
    skinned: Pipeline,
    alpha: Pipeline,
}

impl Shadow {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Shadow, Error> {
        let state = |kind| GraphicsState {
            elements: elements(kind),
            streams: streams(kind),
            cull: Cull::None,
            depth: Some(depth(Compare::Less, true)),
            ..GraphicsState::default()
        };
        Ok(Shadow {
            fixed: setup.graphics("shadow", "static", &state(Kind::Static))?,
            skinned: setup.graphics("shadow", "skinned", &state(Kind::Skinned))?,
            alpha: setup.graphics("shadow", "alpha", &state(Kind::Alpha))?,
        })
    }

    /// Records every batch.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("shadow")?;
        let mut pass = frame.render(&Targets {
            depth: Some(DepthTarget {
                view: resources.targets.shadow.whole(),
                load: Load::Clear(1.0),
                read_only: false,
            }),
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
            if batch.kind == Kind::Alpha {
                pass.bind("albedo_map", &resources.made.albedo)?
                    .bind("linear_wrap", &resources.samplers.linear_wrap)?;
            }
            draw_batch(&mut pass, batch, resources)?;
        }
        pass.end()
    }
}

/// What a batch's vertex shader reads.
pub(super) fn bind_batch(pass: &mut Pass<'_>, batch: &Batch, resources: &Resources, now: &Now) -> Result<(), Error> {
    pass.constants(FRAME, now.constants.bytes())?
        .constants("DrawConstants", constants::draw(batch.first).bytes())?
        .bind("instances", &resources.buffers.instances)?;
    if batch.kind == Kind::Skinned {
        pass.bind("bones", &resources.buffers.bones)?;
    }
    Ok(())
}

/// Draws a batch's instances.
pub(super) fn draw_batch(pass: &mut Pass<'_>, batch: &Batch, resources: &Resources) -> Result<(), Error> {
    let meshes = &resources.meshes;
    pass.vertex_buffer(0, &meshes.vertices, 0)?;
    if batch.kind == Kind::Skinned {
        pass.vertex_buffer(1, &meshes.skin, 0)?;
    }
    pass.index_buffer(&meshes.indices, 0, Index::U16)?;
    let range = meshes.range(batch.shape);
    pass.draw_indexed(range.index..range.index + range.indices, range.vertex, 0..batch.count)
}

/// The meshes' vertices, as the input assembler reads them. A shader takes of them what it declares.
pub(super) fn elements(kind: Kind) -> Vec<VertexElement> {
    let mut elements = vec![
        element("POSITION", Format::R32G32B32_SFLOAT, 0, 0),
        element("NORMAL", Format::R16G16B16A16_SNORM, 0, 12),
        element("TANGENT", Format::R16G16B16A16_SNORM, 0, 20),
        element("TEXCOORD", Format::R32G32_SFLOAT, 0, 28),
    ];
    if kind == Kind::Skinned {
        elements.push(element("BLENDINDICES", Format::R8G8B8A8_UINT, 1, 0));
        elements.push(element("BLENDWEIGHT", Format::R8G8B8A8_UNORM, 1, 4));
    }
    elements
}

/// The streams that those elements stand in.
pub(super) fn streams(kind: Kind) -> Vec<VertexStream> {
    let mut streams = vec![stream(0, STRIDE)];
    if kind == Kind::Skinned {
        streams.push(stream(1, SKIN_STRIDE));
    }
    streams
}
