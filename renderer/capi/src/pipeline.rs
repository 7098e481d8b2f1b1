//! Pipelines: asked for, waited for, warmed up.

use std::ffi::c_void;

use ::rx_renderer::Pipeline;
use ::rx_renderer::vk::Priority;

use crate::program::rx_program;
use crate::renderer::rx_renderer;
use crate::result::{Failure, guard, guard_or, rx_result};
use crate::shader::rx_bool;
use crate::state::{classes, rx_class_instance, rx_graphics_desc};

/// A pipeline; it compiles in the background.
pub struct rx_pipeline(pub(crate) Pipeline);

/// How soon a pipeline is needed.
pub type rx_priority = u32;
/// Soon: the next scene.
pub const RX_PRIORITY_NORMAL: rx_priority = 0;
/// Some time: a warm-up.
pub const RX_PRIORITY_BACKGROUND: rx_priority = 1;
/// The frame that is being recorded.
pub const RX_PRIORITY_NOW: rx_priority = 2;

/// Hears how many of the pipelines are compiled. It must not unwind.
pub type rx_progress_callback = Option<unsafe extern "C" fn(user: *mut c_void, done: usize, count: usize)>;

pub(crate) fn priority(number: rx_priority) -> Result<Priority, Failure> {
    match number {
        RX_PRIORITY_NORMAL => Ok(Priority::Normal),
        RX_PRIORITY_BACKGROUND => Ok(Priority::Background),
        RX_PRIORITY_NOW => Ok(Priority::Now),
        other => Err(Failure::value("priority", other)),
    }
}

/// A graphics pipeline, which begins to compile. One of the same program and state that there is already is shared.
///
/// RX_ERROR_PIPELINE where the state contradicts the program or the device; what the driver refuses comes when it is waited
/// for or used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_pipeline_create_graphics(
    renderer: *const rx_renderer,
    program: *const rx_program,
    desc: *const rx_graphics_desc,
    out: *mut *mut rx_pipeline,
) -> rx_result {
    create!(out, {
        let (renderer, program, desc) = (arg!(renderer), arg!(program), arg!(desc));
        Ok(rx_pipeline(renderer.device.graphics(&program.own, &desc.get()?, priority(desc.priority)?)?))
    })
}

/// A compute pipeline, in the same way; `class_instances` are those of the shader's interfaces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_pipeline_create_compute(
    renderer: *const rx_renderer,
    program: *const rx_program,
    class_instances: *const rx_class_instance,
    class_instance_count: usize,
    priority: rx_priority,
    out: *mut *mut rx_pipeline,
) -> rx_result {
    create!(out, {
        let (renderer, program) = (arg!(renderer), arg!(program));
        let classes = classes(array!(class_instances, class_instance_count))?;
        Ok(rx_pipeline(renderer.device.compute(&program.own, &classes, self::priority(priority)?)?))
    })
}

/// Whether a draw need not wait for it; 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_pipeline_is_ready(pipeline: *const rx_pipeline) -> rx_bool {
    guard_or(0, || Ok(rx_bool::from(arg!(pipeline).0.is_ready())))
}

/// Waits until it is compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_pipeline_wait(pipeline: *const rx_pipeline) -> rx_result {
    guard(|| Ok(arg!(pipeline).0.wait()?))
}

/// Waits until all of these are compiled; this thread compiles too. `progress` may be NULL. The first error is returned,
/// all others are compiled nevertheless.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_warm_up(
    renderer: *const rx_renderer,
    pipelines: *const *const rx_pipeline,
    count: usize,
    progress: rx_progress_callback,
    user: *mut c_void,
) -> rx_result {
    guard(|| {
        let renderer = arg!(renderer);
        let mut all = Vec::new();
        for &pipeline in array!(pipelines, count) {
            all.push(arg!(pipeline).0.clone());
        }
        let mut hear = |done, count| {
            if let Some(progress) = progress {
                // SAFETY: the host's function, with its own pointer.
                unsafe { progress(user, done, count) };
            }
        };
        Ok(renderer.device.warm_up(&all, &mut hear)?)
    })
}

/// Destroys a pipeline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_pipeline_destroy(pipeline: *mut rx_pipeline) {
    destroy!(pipeline);
}
