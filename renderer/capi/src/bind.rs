//! What is bound to a program's names, registers and slots. The same calls bind to a pushed set and to one that is written.

use std::ffi::{c_char, c_void};

use ::rx_renderer::{Bound, Frame, Slot};

use crate::format::{format_or_none, rx_format};
use crate::frame::{record, rx_frame};
use crate::program::rx_slot;
use crate::resource::{rx_buffer, rx_sampler, rx_texture, rx_view};
use crate::result::{Failure, rx_result};
use crate::shader::{class, rx_resource_class};

/// What is bound.
pub type rx_bound_kind = u32;
/// Nothing: reads give zeros.
pub const RX_BOUND_NOTHING: rx_bound_kind = 0;
/// A range of a buffer; with `texel_format` a typed view of it.
pub const RX_BOUND_BUFFER: rx_bound_kind = 1;
/// A part of a texture.
pub const RX_BOUND_TEXTURE: rx_bound_kind = 2;
/// A sampler.
pub const RX_BOUND_SAMPLER: rx_bound_kind = 3;
/// A texture and its sampler, for one combined descriptor.
pub const RX_BOUND_COMBINED: rx_bound_kind = 4;

/// Something to bind; the fields that its kind does not have are not read.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rx_bound {
    /// Kind.
    pub kind: rx_bound_kind,
    /// Format of a typed view of the buffer; 0 is no such view.
    pub texel_format: rx_format,
    /// Buffer.
    pub buffer: *const rx_buffer,
    /// First byte.
    pub offset: u64,
    /// Bytes; 0 is all that follow.
    pub size: u64,
    /// Texture, shaped as the shader declares it.
    pub view: rx_view,
    /// Sampler.
    pub sampler: *const rx_sampler,
}

impl rx_bound {
    /// Binds it at a slot.
    fn bind(&self, frame: &mut Frame<'_>, slot: Slot, element: u32) -> Result<(), Failure> {
        match self.kind {
            RX_BOUND_NOTHING => frame.bind_element(slot, element, Bound::Nothing)?,
            RX_BOUND_BUFFER => {
                let buffer = &arg!(self.buffer).0;
                let end = match self.size {
                    0 => buffer.size(),
                    size => self.offset.checked_add(size).ok_or_else(|| Failure::value("size", size))?,
                };
                let range = self.offset..end;
                match format_or_none(self.texel_format, "texel_format")? {
                    None => frame.bind_element(slot, element, (buffer, range))?,
                    Some(format) => frame.bind_element(slot, element, &buffer.texels(format, range)?)?,
                }
            }
            RX_BOUND_TEXTURE => frame.bind_element(slot, element, self.view.get()?)?,
            RX_BOUND_SAMPLER => frame.bind_element(slot, element, &arg!(self.sampler).0)?,
            RX_BOUND_COMBINED => {
                frame.bind_element(slot, element, Bound::Combined(self.view.get()?, &arg!(self.sampler).0))?;
            }
            other => return Err(Failure::value("kind", other)),
        }
        Ok(())
    }
}

/// Binds something by the shaders' own name, in every stage that has it. A pipeline is set before; what is bound stays
/// until a pipeline of another program is set, or the pass ends.
///
/// RX_ERROR_BINDING: no such name, with the nearest, or another kind of resource. RX_ERROR_HAZARD: the texture is rendered to
/// in this pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind(frame: *mut rx_frame, name: *const c_char, value: *const rx_bound) -> rx_result {
    record!(frame, |own| {
        let slot = own.slot(text!(name))?;
        arg!(value).bind(own, slot, 0)
    })
}

/// Binds something at one element of an array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_element(
    frame: *mut rx_frame,
    name: *const c_char,
    element: u32,
    value: *const rx_bound,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.slot(text!(name))?;
        arg!(value).bind(own, slot, element)
    })
}

/// Binds a whole buffer by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_buffer(
    frame: *mut rx_frame,
    name: *const c_char,
    buffer: *const rx_buffer,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.slot(text!(name))?;
        Ok(own.bind(slot, &arg!(buffer).0)?)
    })
}

/// Binds a whole texture by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_texture(
    frame: *mut rx_frame,
    name: *const c_char,
    texture: *const rx_texture,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.slot(text!(name))?;
        Ok(own.bind(slot, &arg!(texture).0)?)
    })
}

/// Binds a sampler by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_sampler(
    frame: *mut rx_frame,
    name: *const c_char,
    sampler: *const rx_sampler,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.slot(text!(name))?;
        Ok(own.bind(slot, &arg!(sampler).0)?)
    })
}

/// Binds something at an element of a slot of the current program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_slot(
    frame: *mut rx_frame,
    slot: rx_slot,
    element: u32,
    value: *const rx_bound,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.program()?.slot_of_number(slot)?;
        arg!(value).bind(own, slot, element)
    })
}

/// Binds something at a register, for shaders without names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_register(
    frame: *mut rx_frame,
    resource_class: rx_resource_class,
    register_number: u32,
    space: u32,
    value: *const rx_bound,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.program()?.register(class(resource_class)?, register_number, space)?;
        arg!(value).bind(own, slot, 0)
    })
}

/// Binds the hidden counter of an append, consume or counter UAV: four bytes of a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_bind_counter(
    frame: *mut rx_frame,
    uav: *const c_char,
    value: *const rx_bound,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.program()?.counter(text!(uav))?;
        arg!(value).bind(own, slot, 0)
    })
}

/// Copies constants into the frame's memory and binds them by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_constants(
    frame: *mut rx_frame,
    name: *const c_char,
    bytes: *const c_void,
    size: usize,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.slot(text!(name))?;
        Ok(own.constants(slot, bytes!(bytes, size))?)
    })
}

/// Copies constants into the frame's memory and binds them at a slot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_constants_slot(
    frame: *mut rx_frame,
    slot: rx_slot,
    bytes: *const c_void,
    size: usize,
) -> rx_result {
    record!(frame, |own| {
        let slot = own.program()?.slot_of_number(slot)?;
        Ok(own.constants(slot, bytes!(bytes, size))?)
    })
}

/// Sets the push constants of the current program, from their first byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_frame_push_constants(frame: *mut rx_frame, bytes: *const c_void, size: usize) -> rx_result {
    record!(frame, |own| Ok(own.push_constants(bytes!(bytes, size))?))
}
