//! Automatic exposure: a histogram of the light, and the adaptation to it.

use super::{FRAME, Now};
use crate::scene::constants::exposure as constants;
use crate::scene::resources::{Resources, groups};
use crate::scene::setup::Setup;
use crate::{Error, Frame, Pipeline};

/// The pipelines.
pub struct Exposure {
    histogram: Pipeline,
    merge: Pipeline,
    adapt: Pipeline,
}

const SETTINGS: &str = "ExposureConstants";

impl Exposure {
    /// Makes the pipelines.
    pub fn new(setup: &mut Setup<'_>) -> Result<Exposure, Error> {
        Ok(Exposure {
            histogram: setup.compute("exposure", "histogram")?,
            merge: setup.compute("exposure", "merge")?,
            adapt: setup.compute("exposure", "adapt")?,
        })
    }

    /// Records the three steps.
    pub fn record(&self, frame: &mut Frame<'_>, resources: &Resources, now: &Now) -> Result<(), Error> {
        frame.label("exposure")?;
        let (buffers, constants) = (&resources.buffers, constants());
        let mut pass = frame.compute(&self.histogram)?;
        pass.constants(FRAME, now.constants.bytes())?
            .constants(SETTINGS, constants.bytes())?
            .bind("scene", &resources.targets.hdr)?
            .bind("slices", &buffers.slices)?;
        pass.dispatch(groups(now.size, 16))?;
        let mut pass = frame.compute(&self.merge)?;
        pass.bind("slices", &buffers.slices)?.bind("histogram", &buffers.histogram)?;
        pass.dispatch([1, 1, 1])?;
        let mut pass = frame.compute(&self.adapt)?;
        pass.constants(FRAME, now.constants.bytes())?
            .constants(SETTINGS, constants.bytes())?
            .bind("histogram", &buffers.histogram)?
            .bind("exposure_state", &buffers.exposure)?;
        pass.dispatch([1, 1, 1])
    }
}
