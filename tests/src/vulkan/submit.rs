//! One command buffer at a time, waited for.

use super::{Device, Result, failed};
use ash::vk;

/// Longest that a submission may take: a shader that never ends is a failure, not a hang.
const PATIENCE_NS: u64 = 60_000_000_000;

impl Device {
    /// Records commands, runs them and waits. Everything written before is seen, everything written in it is seen after,
    /// by the host too.
    pub(super) fn run(&self, record: impl FnOnce(&ash::Device, vk::CommandBuffer)) -> Result<()> {
        let raw = &self.raw;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(self.commands).command_buffer_count(1);
        // SAFETY: a session's holder alone uses the pool and the queue; the buffer is freed once the fence is signalled.
        unsafe {
            let buffers = raw.allocate_command_buffers(&info).map_err(failed("vkAllocateCommandBuffers"))?;
            let commands = buffers[0];
            let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            raw.begin_command_buffer(commands, &begin).map_err(failed("vkBeginCommandBuffer"))?;
            record(raw, commands);
            everything(raw, commands);
            raw.end_command_buffer(commands).map_err(failed("vkEndCommandBuffer"))?;
            let fence = raw.create_fence(&vk::FenceCreateInfo::default(), None).map_err(failed("vkCreateFence"))?;
            let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
            raw.queue_submit(self.queue, &submit, fence).map_err(failed("vkQueueSubmit"))?;
            // What a driver does with the objects of work that never ends is unknown: the process stops here.
            let waited = raw.wait_for_fences(&[fence], true, PATIENCE_NS);
            assert!(waited != Err(vk::Result::TIMEOUT), "the device did not finish within a minute");
            raw.destroy_fence(fence, None);
            raw.free_command_buffers(self.commands, &buffers);
            waited.map_err(failed("vkWaitForFences"))
        }
    }
}

/// A barrier from all that was written to all that follows, the host included.
pub(super) fn everything(raw: &ash::Device, commands: vk::CommandBuffer) {
    let barrier = [vk::MemoryBarrier2::default()
        .src_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS)
        .src_access_mask(vk::AccessFlags2::MEMORY_WRITE)
        .dst_stage_mask(vk::PipelineStageFlags2::ALL_COMMANDS | vk::PipelineStageFlags2::HOST)
        .dst_access_mask(vk::AccessFlags2::MEMORY_READ | vk::AccessFlags2::MEMORY_WRITE | vk::AccessFlags2::HOST_READ)];
    let dependency = vk::DependencyInfo::default().memory_barriers(&barrier);
    // SAFETY: the command buffer is being recorded.
    unsafe { raw.cmd_pipeline_barrier2(commands, &dependency) };
}
