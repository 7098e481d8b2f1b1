//! Dispatches.

use super::program::{Program, Stage, Translations};
use super::{Result, failed};
use ash::vk;

/// A dispatch of one compute shader.
pub struct Dispatch<'a> {
    /// The shader and its registers.
    pub stage: Stage<'a>,
    /// Groups in x, y and z.
    pub groups: [u32; 3],
}

impl Dispatch<'_> {
    /// Runs it and waits.
    pub fn run(&self, translations: &Translations) -> Result<()> {
        let device = translations.device();
        let program = Program::new(translations, &[self.stage])?;
        let info = {
            let constants = program.constants(1, &[self.stage]);
            let stages = program.stage_infos(&constants);
            let info = vk::ComputePipelineCreateInfo::default().stage(stages[0]).layout(program.layout);
            // SAFETY: module and layout are live.
            unsafe { device.raw.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) }
        };
        let pipeline = info.map_err(|(_, e)| failed("vkCreateComputePipelines")(e))?[0];
        let [x, y, z] = self.groups;
        // SAFETY: everything that the commands use lives until `run` has waited.
        let ran = device.run(|raw, commands| unsafe {
            raw.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline);
            program.bind(raw, commands, vk::PipelineBindPoint::COMPUTE);
            raw.cmd_dispatch(commands, x, y, z);
        });
        // SAFETY: the submission has been waited for.
        unsafe { device.raw.destroy_pipeline(pipeline, None) };
        ran
    }
}
