//! What a renderer has done: counts, times, the validation layers' words.

use std::ffi::c_char;

use crate::blob::rx_blob;
use crate::renderer::rx_renderer;
use crate::result::{guard, guard_or, rx_result};
use crate::shader::rx_bool;

/// What a renderer's device has done so far.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_report {
    /// Programs hosted.
    pub programs: u64,
    /// Pipelines compiled.
    pub pipelines: u64,
    /// Pipelines that were there already when asked for.
    pub pipelines_shared: u64,
    /// Pipelines that failed.
    pub pipelines_failed: u64,
    /// Sets pushed.
    pub sets_pushed: u64,
    /// Sets allocated and written.
    pub sets_written: u64,
    /// Sets bound again that were written before in the same frame.
    pub sets_reused: u64,
    /// Descriptor pools made.
    pub pools: u64,
    /// Submissions.
    pub submissions: u64,
    /// Draws.
    pub draws: u64,
    /// Dispatches.
    pub dispatches: u64,
    /// Passes cut in two because a draw needed what an earlier draw of the pass wrote.
    pub cut_passes: u64,
    /// Bytes of the driver's pipeline cache that were restored at the start.
    pub cache_restored_bytes: u64,
    /// Memory allocations that objects hold.
    pub allocations: u64,
    /// Their bytes.
    pub allocated_bytes: u64,
    /// Bytes of memory taken from the driver.
    pub reserved_bytes: u64,
}

/// Bytes of a section's name, with its zero.
pub const RX_TIMING_NAME_SIZE: usize = 64;

/// A labelled section's time on the GPU.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rx_timing {
    /// Its label, cut off at 63 bytes.
    pub name: [c_char; RX_TIMING_NAME_SIZE],
    /// Milliseconds.
    pub milliseconds: f64,
}

/// What the device has done so far, in numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_report(renderer: *const rx_renderer, out: *mut rx_report) -> rx_result {
    guard(|| {
        let report = arg!(renderer).device.report();
        let own = rx_report {
            programs: report.programs,
            pipelines: report.pipelines,
            pipelines_shared: report.pipelines_shared,
            pipelines_failed: report.pipelines_failed,
            sets_pushed: report.sets_pushed,
            sets_written: report.sets_written,
            sets_reused: report.sets_reused,
            pools: report.pools,
            submissions: report.submissions,
            draws: report.draws,
            dispatches: report.dispatches,
            cut_passes: report.cut_passes,
            cache_restored_bytes: report.cache_restored_bytes,
            allocations: report.memory.allocations as u64,
            allocated_bytes: report.memory.bytes,
            reserved_bytes: report.memory.reserved_bytes,
        };
        put!(out, own);
        Ok(())
    })
}

/// The same in words, with the planner's lines: what moved programs from pushed sets to sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_report_text(renderer: *const rx_renderer, out: *mut *mut rx_blob) -> rx_result {
    create!(out, { rx_blob::text(&arg!(renderer).device.report().to_string()) })
}

/// The times of the sections (rx_frame_label) of the last frame that the GPU is done with: at most `capacity` of them to
/// `timings`, and to `count` how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_timings(
    renderer: *const rx_renderer,
    timings: *mut rx_timing,
    capacity: usize,
    count: *mut usize,
) -> rx_result {
    guard(|| {
        let times = arg!(renderer).device.timings();
        put!(count, times.len());
        for (index, own) in times.iter().take(capacity).enumerate() {
            let place = timings.wrapping_add(index);
            put!(place, rx_timing { name: short_name(&own.name), milliseconds: own.milliseconds });
        }
        Ok(())
    })
}

/// A name in its array, cut off before a character that does not fit.
fn short_name(name: &str) -> [c_char; RX_TIMING_NAME_SIZE] {
    let mut end = name.len().min(RX_TIMING_NAME_SIZE - 1);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let mut own = [0; RX_TIMING_NAME_SIZE];
    for (place, &byte) in own.iter_mut().zip(&name.as_bytes()[..end]) {
        *place = byte as c_char;
    }
    own
}

/// What the validation layers said since the last call, a line each; of size 0 where they said nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_take_messages(renderer: *const rx_renderer, out: *mut *mut rx_blob) -> rx_result {
    create!(out, { rx_blob::text(&arg!(renderer).device.instance().take_messages().join("\n")) })
}

/// Whether the validation layers are listened to: asked for, and installed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_renderer_is_validated(renderer: *const rx_renderer) -> rx_bool {
    guard_or(0, || Ok(rx_bool::from(arg!(renderer).device.instance().is_validated())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        let read = |name: &str| {
            let own = short_name(name);
            // SAFETY: the array ends with a zero.
            unsafe { CStr::from_ptr(own.as_ptr()) }.to_str().map(str::to_owned)
        };
        assert_eq!(read("bloom"), Ok("bloom".to_owned()));
        assert_eq!(read(&"x".repeat(100)), Ok("x".repeat(63)));
        // The 63rd byte would be the first of two.
        assert_eq!(read(&format!("{}é", "x".repeat(62))), Ok("x".repeat(62)));
    }
}
