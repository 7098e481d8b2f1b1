//! Passes, draws and dispatches in a frame.

use ::rx_renderer::{ColorTarget, DepthTarget, Index, Load, StreamTarget, Targets};

use crate::args::range;
use crate::frame::{record, rx_frame};
use crate::pipeline::rx_pipeline;
use crate::resource::{rx_buffer, rx_view};
use crate::result::{Failure, rx_result};
use crate::shader::rx_bool;

/// What becomes of a target's contents when a pass begins.
pub type rx_load = u32;
/// They stay.
pub const RX_LOAD_KEEP: rx_load = 0;
/// They become `clear`.
pub const RX_LOAD_CLEAR: rx_load = 1;
/// They are undefined: every pixel will be written.
pub const RX_LOAD_DISCARD: rx_load = 2;

/// Size of an index.
pub type rx_index = u32;
/// 16 bits.
pub const RX_INDEX_U16: rx_index = 0;
/// 32 bits.
pub const RX_INDEX_U32: rx_index = 1;

/// A colour target. A NULL texture leaves its place free.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_color_target {
    /// One level.
    pub view: rx_view,
    /// Contents at the beginning.
    pub load: rx_load,
    /// Colour to clear to.
    pub clear: [f32; 4],
}

/// A depth target.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_depth_target {
    /// One level.
    pub view: rx_view,
    /// Contents at the beginning; cleared, the stencil becomes 0.
    pub load: rx_load,
    /// Depth to clear to.
    pub clear: f32,
    /// Tested and not written: then the pass may sample it too.
    pub read_only: rx_bool,
}

/// What a pass renders to.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_pass_desc {
    /// Colour targets.
    pub colors: *const rx_color_target,
    /// Their number.
    pub color_count: usize,
    /// Depth target; with a NULL texture there is none.
    pub depth: rx_depth_target,
    /// Width where there is no target.
    pub width: u32,
    /// Height where there is no target.
    pub height: u32,
}

/// A buffer that is streamed out to.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_stream_buffer {
    /// Buffer.
    pub buffer: *const rx_buffer,
    /// First byte, a multiple of 4.
    pub offset: u64,
    /// Bytes; 0 is all that follow.
    pub size: u64,
}

fn load<T>(number: rx_load, clear: T) -> Result<Load<T>, Failure> {
    match number {
        RX_LOAD_KEEP => Ok(Load::Keep),
        RX_LOAD_CLEAR => Ok(Load::Clear(clear)),
        RX_LOAD_DISCARD => Ok(Load::Discard),
        other => Err(Failure::value("load", other)),
    }
}

/// Begins a pass; viewport and scissor are the whole target.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_begin_pass(frame: *mut rx_frame, desc: *const rx_pass_desc) -> rx_result {
    record!(frame, |own| {
        let desc = arg!(desc);
        let mut colors = Vec::new();
        for color in array!(desc.colors, desc.color_count) {
            colors.push(if color.view.texture.is_null() {
                None
            } else {
                Some(ColorTarget { view: color.view.level()?, load: load(color.load, color.clear)? })
            });
        }
        let depth = if desc.depth.view.texture.is_null() {
            None
        } else {
            let (view, load) = (desc.depth.view.level()?, load(desc.depth.load, desc.depth.clear)?);
            Some(DepthTarget { view, load, read_only: desc.depth.read_only != 0 })
        };
        Ok(own.begin_pass(&Targets { colors: &colors, depth, size: [desc.width, desc.height] })?)
    })
}

/// Ends the pass. Nothing stays bound.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_end_pass(frame: *mut rx_frame) -> rx_result {
    record!(frame, |own| Ok(own.end_pass()?))
}

/// Takes a graphics pipeline, within a pass. `ready`, which may be NULL, gets 0 where it is not compiled yet and the draws up
/// to the next pipeline are left out (RX_NOT_READY_SKIP).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_set_pipeline(
    frame: *mut rx_frame,
    pipeline: *const rx_pipeline,
    ready: *mut rx_bool,
) -> rx_result {
    record!(frame, |own, not_ready| {
        let is_ready = own.pipeline(&arg!(pipeline).0, not_ready)?;
        put_if_wanted!(ready, rx_bool::from(is_ready));
        Ok(())
    })
}

/// Takes a compute pipeline, outside passes; `ready` as in rx_frame_set_pipeline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_set_compute(
    frame: *mut rx_frame,
    pipeline: *const rx_pipeline,
    ready: *mut rx_bool,
) -> rx_result {
    record!(frame, |own, not_ready| {
        let is_ready = own.compute_pipeline(&arg!(pipeline).0, not_ready)?;
        put_if_wanted!(ready, rx_bool::from(is_ready));
        Ok(())
    })
}

/// Runs groups of the compute pipeline. Each dispatch sees what the one before wrote.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_dispatch(frame: *mut rx_frame, x: u32, y: u32, z: u32) -> rx_result {
    record!(frame, |own| Ok(own.dispatch([x, y, z])?))
}

/// Runs as many groups as three numbers in a buffer say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_dispatch_indirect(
    frame: *mut rx_frame,
    buffer: *const rx_buffer,
    offset: u64,
) -> rx_result {
    record!(frame, |own| Ok(own.dispatch_indirect(&arg!(buffer).0, offset)?))
}

/// Binds a vertex buffer, 0 to 15.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_vertex_buffer(
    frame: *mut rx_frame,
    slot: u32,
    buffer: *const rx_buffer,
    offset: u64,
) -> rx_result {
    record!(frame, |own| Ok(own.vertex_buffer(slot, &arg!(buffer).0, offset)?))
}

/// Binds an index buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_index_buffer(
    frame: *mut rx_frame,
    buffer: *const rx_buffer,
    offset: u64,
    index: rx_index,
) -> rx_result {
    record!(frame, |own| {
        let index = match index {
            RX_INDEX_U16 => Index::U16,
            RX_INDEX_U32 => Index::U32,
            other => return Err(Failure::value("index", other)),
        };
        Ok(own.index_buffer(&arg!(buffer).0, offset, index)?)
    })
}

/// Sets the viewport as Direct3D has it, y down from the target's top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_viewport(
    frame: *mut rx_frame,
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    min_depth: f32,
    max_depth: f32,
) -> rx_result {
    record!(frame, |own| {
        let all = [left, top, width, height, min_depth, max_depth];
        // Vulkan takes no others; Direct3D's runtime refuses them too.
        let depths = |depth: &f32| (0.0..=1.0).contains(depth);
        if !(all.iter().all(|own| own.is_finite()) && width > 0.0 && height >= 0.0 && all[4..].iter().all(depths)) {
            return Err(Failure::value("viewport", format!("{all:?}")));
        }
        Ok(own.viewport(all)?)
    })
}

/// Sets the scissor rectangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_scissor(
    frame: *mut rx_frame,
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
) -> rx_result {
    record!(frame, |own| Ok(own.scissor([left, top, right, bottom])?))
}

/// Sets the blend factor (four floats) and the stencil reference.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_blend_and_stencil(
    frame: *mut rx_frame,
    blend: *const f32,
    stencil: u32,
) -> rx_result {
    record!(frame, |own| { Ok(own.blend_and_stencil(four!(blend), stencil)?) })
}

/// Draws vertices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_draw(
    frame: *mut rx_frame,
    vertex_count: u32,
    instance_count: u32,
    first_vertex: u32,
    first_instance: u32,
) -> rx_result {
    record!(frame, |own| {
        let vertices = range(first_vertex, vertex_count, "vertex_count")?;
        Ok(own.draw(vertices, range(first_instance, instance_count, "instance_count")?)?)
    })
}

/// Draws indices, each with `base_vertex` added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_draw_indexed(
    frame: *mut rx_frame,
    index_count: u32,
    instance_count: u32,
    first_index: u32,
    base_vertex: i32,
    first_instance: u32,
) -> rx_result {
    record!(frame, |own| {
        let indices = range(first_index, index_count, "index_count")?;
        Ok(own.draw_indexed(indices, base_vertex, range(first_instance, instance_count, "instance_count")?)?)
    })
}

/// Draws by `count` arguments in a buffer, 16 bytes each, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_draw_indirect(
    frame: *mut rx_frame,
    buffer: *const rx_buffer,
    offset: u64,
    count: u32,
    stride: u32,
) -> rx_result {
    record!(frame, |own| Ok(own.draw_indirect(&arg!(buffer).0, offset, count, stride)?))
}

/// Draws indices by `count` arguments in a buffer, 20 bytes each, `stride` bytes apart.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_draw_indexed_indirect(
    frame: *mut rx_frame,
    buffer: *const rx_buffer,
    offset: u64,
    count: u32,
    stride: u32,
) -> rx_result {
    record!(frame, |own| Ok(own.draw_indexed_indirect(&arg!(buffer).0, offset, count, stride)?))
}

/// Draws vertices and streams out what the last stage before the rasteriser emits. `counter`, four bytes a buffer, keeps how
/// many bytes were written, and the next draw goes on there; NULL keeps nothing. `restart` begins at the ranges' beginnings.
///
/// RX_ERROR_NO_DEVICE on a device without transform feedback.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_draw_streamed(
    frame: *mut rx_frame,
    vertex_count: u32,
    instance_count: u32,
    first_vertex: u32,
    first_instance: u32,
    buffers: *const rx_stream_buffer,
    buffer_count: usize,
    counter: *const rx_buffer,
    restart: rx_bool,
) -> rx_result {
    record!(frame, |own| {
        let mut ranges = Vec::new();
        for stream in array!(buffers, buffer_count) {
            let buffer = &arg!(stream.buffer).0;
            let end = match stream.size {
                0 => buffer.size(),
                size => stream.offset.checked_add(size).ok_or_else(|| Failure::value("size", size))?,
            };
            ranges.push((buffer, stream.offset..end));
        }
        let counter = arg_or_none!(counter).map(|own| &own.0);
        let target = StreamTarget { buffers: &ranges, counter, restart: restart != 0 };
        let vertices = range(first_vertex, vertex_count, "vertex_count")?;
        Ok(own.draw_streamed(vertices, range(first_instance, instance_count, "instance_count")?, &target)?)
    })
}

/// Draws as many vertices as were streamed out: the counter's bytes at `offset`, `stride` bytes a vertex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_draw_auto(
    frame: *mut rx_frame,
    counter: *const rx_buffer,
    offset: u64,
    stride: u32,
) -> rx_result {
    record!(frame, |own| Ok(own.draw_auto(&arg!(counter).0, offset, stride)?))
}
