//! Programs on a device, and the slots of their resources.

use std::ffi::{CString, c_char};

use ::rx_renderer::{Program, TranslatedProgram};

use crate::plan::{rx_translated, rx_vertex_input};
use crate::renderer::rx_renderer;
use crate::result::{Failure, c_string, guard, guard_or, rx_result};
use crate::shader::{class, rx_bool, rx_resource_class, rx_shader, rx_translate_options, sources};

/// A program on a device: modules, layouts, and what can be bound.
pub struct rx_program {
    pub(crate) own: Program,
    /// Every name that can be bound, in order.
    names: Vec<CString>,
    /// A line of each set's plan.
    lines: Vec<CString>,
}

impl rx_program {
    fn new(own: Program) -> rx_program {
        let mut names: Vec<CString> = own.names().map(c_string).collect();
        names.sort();
        let lines = own.plans().iter().map(|plan| c_string(&plan.line())).collect();
        rx_program { own, names, lines }
    }
}

/// A name or register of a program, looked up once: faster to bind by. Of no meaning to another program.
pub type rx_slot = u32;

/// Translates a program's stages for the device, plans its sets and makes its modules and layouts. `options` and
/// `vertex_input` may be NULL; the options' facts too, for the renderer's own device.
///
/// As rx_translate, the message saying which stage; RX_ERROR_REFUSED where the device cannot have the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_create(
    renderer: *const rx_renderer,
    name: *const c_char,
    shaders: *const rx_shader,
    shader_count: usize,
    options: *const rx_translate_options,
    vertex_input: *const rx_vertex_input,
    out: *mut *mut rx_program,
) -> rx_result {
    create!(out, {
        let renderer = arg!(renderer);
        let stages = sources(array!(shaders, shader_count))?;
        if stages.is_empty() {
            return Err(Failure::value("shader_count", "a program of no shaders"));
        }
        let options = arg_or_zeros!(options).over(&renderer.options)?;
        let vertex_input = arg_or_zeros!(vertex_input).get()?;
        let name = text_or_none!(name).unwrap_or("program");
        let program = TranslatedProgram::translate(name, stages, &options)?;
        Ok(rx_program::new(renderer.device.program(name, program.stages(), vertex_input)?))
    })
}

/// Makes modules and layouts of a program that was translated before, for this device or one that has less.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_host(
    renderer: *const rx_renderer,
    translated: *const rx_translated,
    out: *mut *mut rx_program,
) -> rx_result {
    create!(out, {
        let (renderer, program) = (arg!(renderer), &arg!(translated).program);
        let hosted = renderer.device.program(program.name(), program.stages(), program.vertex_input())?;
        Ok(rx_program::new(hosted))
    })
}

/// Whether set 0 is pushed; 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_is_pushed(program: *const rx_program) -> rx_bool {
    guard_or(0, || Ok(rx_bool::from(arg!(program).own.is_pushed())))
}

/// A line of a set's plan, for the log, by number from 0; NULL past the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_plan_line(program: *const rx_program, index: usize) -> *const c_char {
    guard_or(std::ptr::null(), || Ok(arg!(program).lines.get(index).map_or(std::ptr::null(), |own| own.as_ptr())))
}

/// A name that can be bound, by number from 0, in order; NULL past the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_name(program: *const rx_program, index: usize) -> *const c_char {
    guard_or(std::ptr::null(), || Ok(arg!(program).names.get(index).map_or(std::ptr::null(), |own| own.as_ptr())))
}

/// What the shaders call by this name, in every stage that has it. RX_ERROR_BINDING with the nearest name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_slot(
    program: *const rx_program,
    name: *const c_char,
    out: *mut rx_slot,
) -> rx_result {
    guard(|| {
        put!(out, arg!(program).own.slot(text!(name))?.number());
        Ok(())
    })
}

/// What stands at a register, in every stage that has it: for shaders whose names were stripped. RX_ERROR_BINDING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_slot_of_register(
    program: *const rx_program,
    resource_class: rx_resource_class,
    register_number: u32,
    space: u32,
    out: *mut rx_slot,
) -> rx_result {
    guard(|| {
        let slot = arg!(program).own.register(class(resource_class)?, register_number, space)?;
        put!(out, slot.number());
        Ok(())
    })
}

/// The hidden counter of the UAV that the shaders call by this name. RX_ERROR_BINDING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_slot_of_counter(
    program: *const rx_program,
    uav: *const c_char,
    out: *mut rx_slot,
) -> rx_result {
    guard(|| {
        put!(out, arg!(program).own.counter(text!(uav))?.number());
        Ok(())
    })
}

/// Destroys a program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_program_destroy(program: *mut rx_program) {
    destroy!(program);
}
