//! The interface: a panel and its text, over the finished picture.

use ash::vk::{BlendFactor, Format};

use super::Now;
use crate::scene::Languages;
use crate::scene::atlas::STRIDE;
use crate::scene::constants::interface as constants;
use crate::scene::resources::{DISPLAY, Resources};
use crate::scene::setup::{Setup, element, stream};
use crate::vk::ash;
use crate::{
    Blend, BlendPart, ColorTarget, Cull, Error, Frame, GraphicsState, Load, Pipeline, TargetState, Targets,
    VertexElement,
};

/// The pipeline.
pub struct Interface(Pipeline);

impl Interface {
    /// Makes the pipeline.
    pub fn new(setup: &mut Setup<'_>) -> Result<Interface, Error> {
        let name = setup.either("interface", "interface (GLSL)");
        let over = BlendPart::add(BlendFactor::SRC_ALPHA, BlendFactor::ONE_MINUS_SRC_ALPHA);
        // The picture stays opaque.
        let blend = Blend { color: over, alpha: BlendPart::add(BlendFactor::ONE, BlendFactor::ONE_MINUS_SRC_ALPHA) };
        let state = GraphicsState {
            elements: elements(setup.options.languages),
            streams: vec![stream(0, STRIDE)],
            cull: Cull::None,
            targets: vec![TargetState { blend: Some(blend), ..TargetState::new(DISPLAY) }],
            ..GraphicsState::default()
        };
        Ok(Interface(setup.graphics("overlay", name, &state)?))
    }

    /// Records it.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("interface")?;
        let view = resources.targets.display_b.whole();
        let colors = [Some(ColorTarget { view, load: Load::Keep })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() })?;
        if pass.pipeline(&self.0)? {
            pass.constants("UiConstants", constants(now.size).bytes())?
                .bind("atlas", &resources.made.atlas)?
                .bind("point_clamp", &resources.samplers.point_clamp)?;
            pass.vertex_buffer(0, &resources.buffers.quads, 0)?;
            pass.draw(0..resources.quads.vertices(), 0..1)?;
        }
        pass.end()
    }
}

/// A vertex, by Direct3D's semantics, or by the locations of the other languages.
fn elements(languages: Languages) -> Vec<VertexElement> {
    let formats = [(Format::R32G32_SFLOAT, 0), (Format::R16G16_UNORM, 8), (Format::R8G8B8A8_UNORM, 12)];
    let semantics = ["POSITION", "TEXCOORD", "COLOR"];
    let element = |(location, (semantic, (format, offset)))| match languages {
        Languages::Direct3d => element(semantic, format, 0, offset),
        Languages::Mixed => VertexElement { index: location, ..element("LOCATION", format, 0, offset) },
    };
    (0..).zip(semantics.into_iter().zip(formats)).map(element).collect()
}
