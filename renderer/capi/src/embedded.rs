//! Shaders inside a file: an effect's, or those that a scan finds.

use std::ffi::{CString, c_char, c_void};

use ::rx_renderer::translate::dxbc::embedded;

use crate::reflect::past;
use crate::result::{Failure, c_string, check_version, guard, guard_or, rx_result};
use crate::shader::rx_bool;

/// The shaders inside a file.
pub struct rx_embedded {
    shaders: Vec<Shader>,
    scanned: bool,
}

struct Shader {
    name: CString,
    profile: CString,
    offset: usize,
    size: usize,
}

/// A shader inside a file.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rx_embedded_shader {
    /// Its name within the file: `technique.pass.vs` or `variable.ps` in an effect, `at_0x1c0` where a scan found it.
    pub name: *const c_char,
    /// The profile that its code names: `vs_5_0`. Empty where the code is not of shader models 4 and 5.
    pub profile: *const c_char,
    /// Where its container begins in the file: `data + offset` is the `data` of an `rx_shader`.
    pub offset: usize,
    /// Bytes of its container.
    pub size: usize,
}

/// Finds the shaders inside a file: those of an effect (fx_4_0 to fx_5_0) by its tables, in any other file the whole DXBC
/// containers that a scan of the bytes finds. Fails where there are none, with the error that translating the file gives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_embedded_find(
    api_version: u32,
    data: *const c_void,
    size: usize,
    out: *mut *mut rx_embedded,
) -> rx_result {
    create!(out, {
        check_version(api_version)?;
        let bytes: &[u8] = bytes!(data, size);
        let (found, shaders) = embedded::shaders(bytes).map_err(Failure::from)?;
        let shader = |own: &embedded::EmbeddedShader<'_>| Shader {
            name: c_string(&own.name()),
            profile: c_string(&own.profile().unwrap_or_default()),
            offset: own.offset as usize,
            size: own.bytes.len(),
        };
        Ok(rx_embedded {
            shaders: shaders.iter().map(shader).collect(),
            scanned: matches!(found, embedded::Found::Scan),
        })
    })
}

/// The number of shaders; 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_embedded_count(embedded: *const rx_embedded) -> usize {
    guard_or(0, || Ok(arg!(embedded).shaders.len()))
}

/// Whether the shaders were found by a scan, so that nothing says what they are for. False of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_embedded_scanned(embedded: *const rx_embedded) -> rx_bool {
    guard_or(0, || Ok(rx_bool::from(arg!(embedded).scanned)))
}

/// The shader of a number below the count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_embedded_get(
    embedded: *const rx_embedded,
    index: usize,
    out: *mut rx_embedded_shader,
) -> rx_result {
    guard(|| {
        let shaders = &arg!(embedded).shaders;
        let own = shaders.get(index).ok_or_else(|| past(index, "shaders"))?;
        let (name, profile) = (own.name.as_ptr(), own.profile.as_ptr());
        put!(out, rx_embedded_shader { name, profile, offset: own.offset, size: own.size });
        Ok(())
    })
}

/// Destroys what was found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rx_embedded_destroy(embedded: *mut rx_embedded) {
    destroy!(embedded);
}
