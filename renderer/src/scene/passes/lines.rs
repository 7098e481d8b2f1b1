//! Debug lines: an octahedron a light, streamed out by a geometry stage and drawn by what it streamed.

use ash::vk::Format;

use super::{FRAME, Now};
use crate::scene::lights::COUNT;
use crate::scene::resources::{DISPLAY, LINE_STRIDE, Resources};
use crate::scene::setup::{Setup, element, stream};
use crate::translate::{StreamOutput, StreamOutputEntry};
use crate::vk::ash;
use crate::{
    ColorTarget, Cull, Error, Frame, GraphicsState, Load, Pipeline, StreamTarget, TargetState, Targets, Topology,
    TranslatedProgram,
};

/// The pipelines.
pub struct Lines {
    gizmos: Pipeline,
    lines: Pipeline,
}

impl Lines {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Lines, Error> {
        let mut options = setup.renderer.options().clone();
        options.stream_output = streamed();
        let program = Setup::find("overlay", "light gizmos")?;
        let gizmos = TranslatedProgram::translate("overlay: light gizmos", setup.stages(program), &options)?;
        let gizmos = setup.renderer.host(&gizmos.with_vertex_input(program.streams.into()))?;
        setup.note(program);
        let unseen = GraphicsState { topology: Topology::PointList, rasterize: false, ..GraphicsState::default() };
        let drawn = GraphicsState {
            topology: Topology::LineList,
            elements: vec![
                element("POSITION", Format::R32G32B32_SFLOAT, 0, 0),
                element("COLOR", Format::R32G32B32A32_SFLOAT, 0, 12),
            ],
            streams: vec![stream(0, LINE_STRIDE)],
            cull: Cull::None,
            targets: vec![TargetState::new(DISPLAY)],
            ..GraphicsState::default()
        };
        Ok(Lines {
            gizmos: setup.of(&gizmos, &unseen, "overlay: light gizmos")?,
            lines: setup.graphics("overlay", "lines", &drawn)?,
        })
    }

    /// Records both draws.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("debug lines")?;
        let buffers = &resources.buffers;
        let mut pass = frame.render(&Targets { size: now.size, ..Targets::default() })?;
        if !pass.pipeline(&self.gizmos)? {
            return pass.end();
        }
        pass.bind("lights", &buffers.lights)?;
        let target = StreamTarget {
            buffers: &[(&buffers.lines, 0..buffers.lines.size())],
            counter: Some(&buffers.lines_counter),
            restart: true,
        };
        pass.draw_streamed(0..COUNT, 0..1, &target)?;
        pass.end()?;
        let view = resources.targets.display_b.whole();
        let colors = [Some(ColorTarget { view, load: Load::Keep })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() })?;
        if pass.pipeline(&self.lines)? {
            pass.constants(FRAME, now.constants.bytes())?;
            pass.vertex_buffer(0, &buffers.lines, 0)?;
            pass.draw_auto(&buffers.lines_counter, 0, LINE_STRIDE)?;
        }
        pass.end()
    }
}

/// Position and colour, one after the other.
fn streamed() -> StreamOutput {
    let entry = |semantic: &str, components| StreamOutputEntry {
        semantic: Some(semantic.to_owned()),
        components,
        ..StreamOutputEntry::default()
    };
    StreamOutput { entries: vec![entry("POSITION", 3), entry("COLOR", 4)], ..StreamOutput::default() }
}
