//! Messages of the validation layers, names and labels.
//!
//! Owns the messenger and what it heard. Messages are kept, counted and logged; they change nothing.

#![allow(unsafe_code)] // Vulkan calls and its callback.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::{Mutex, PoisonError};

use ash::{ext, vk};

/// The Khronos validation layers.
pub(crate) const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Messages that are no fault of the shaders or of rx: their id, parts of their text, and why.
const IGNORED: &[(&str, &[&str], &str)] = &[
    (
        "UNASSIGNED-CoreValidation-Shader-OutputNotConsumed",
        &[],
        "Direct3D lets a pixel shader write targets that are not bound, and a stage what the next does not read",
    ),
    (
        "UNASSIGNED-CoreValidation-Shader-InconsistentSpirv",
        &["conflicting output location assignment", "OpEntryPoint TessellationControl"],
        "before SPIRV-Tools 2024.2 the locations of a patch were taken for those of its vertices (SPIRV-Tools #5654)",
    ),
    (
        "UNASSIGNED-CoreValidation-Shader-InconsistentSpirv",
        &["conflicting input location assignment", "OpEntryPoint TessellationEvaluation"],
        "the same fault, where a domain shader reads both",
    ),
];

/// Messages kept at most: a fault that repeats every frame must not fill memory.
const KEPT: usize = 256;

/// What the layers said.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    messages: Mutex<(Vec<String>, u64)>,
}

impl Heard {
    fn take_in(&self, id: &str, text: &str) {
        let ignored = |parts: &[&str]| parts.iter().all(|part| text.contains(part));
        if IGNORED.iter().any(|(name, parts, _)| id == *name && ignored(parts)) {
            return;
        }
        log::warn!(target: "rx::validation", "{id}: {text}");
        let mut held = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        held.1 += 1;
        if held.0.len() < KEPT {
            held.0.push(format!("{id}: {text}"));
        }
    }

    /// The messages since the last call, at most the first 256 of them.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.messages.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// How many there were, all told.
    pub(crate) fn count(&self) -> u64 {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// The structure of a messenger that speaks to `heard`, which must outlive it.
pub(crate) fn messenger_info(heard: &Heard) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Kind};
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::ERROR | Severity::WARNING)
        .message_type(Kind::VALIDATION)
        .pfn_user_callback(Some(hear))
        .user_data(std::ptr::from_ref(heard).cast_mut().cast())
}

/// Takes a message in. Nothing in it may unwind: Vulkan calls it.
unsafe extern "system" fn hear(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan gives a valid structure whose strings are terminated, and `user` is the `Heard` of `messenger_info`,
    // which outlives the messenger and is only shared.
    let (heard, id, text) = unsafe {
        let data = &*data;
        (&*user.cast::<Heard>(), text_of(data.p_message_id_name), text_of(data.p_message))
    };
    heard.take_in(&id, &text);
    vk::FALSE
}

/// # Safety
/// `text` is null or a terminated string that outlives the result.
unsafe fn text_of<'a>(text: *const c_char) -> Cow<'a, str> {
    if text.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

/// A name as Vulkan takes it; what stands after a zero byte is left out.
pub(crate) fn c_name(name: &str) -> CString {
    let end = name.find('\0').unwrap_or(name.len());
    CString::new(&name.as_bytes()[..end]).unwrap_or_default()
}

/// Names of objects and labels of commands, where the instance has VK_EXT_debug_utils; else nothing.
pub(crate) struct Names(Option<ext::debug_utils::Device>);

impl Names {
    pub(crate) fn new(utils: Option<ext::debug_utils::Device>) -> Names {
        Names(utils)
    }

    /// Names an object of the device.
    pub(crate) fn object<H: vk::Handle>(&self, handle: H, name: &str) {
        let Some(utils) = self.0.as_ref().filter(|_| !name.is_empty()) else { return };
        let name = c_name(name);
        let info = vk::DebugUtilsObjectNameInfoEXT::default().object_handle(handle).object_name(&name);
        // SAFETY: the caller made the object just now and has not given it to anyone else. A name that the driver has no
        // memory for is no loss.
        let _ = unsafe { utils.set_debug_utils_object_name(&info) };
    }

    /// Begins a label.
    ///
    /// # Safety
    /// `commands` is being recorded by the caller.
    pub(crate) unsafe fn begin(&self, commands: vk::CommandBuffer, name: &str) {
        let Some(utils) = &self.0 else { return };
        let name = c_name(name);
        // SAFETY: as the caller promises.
        unsafe { utils.cmd_begin_debug_utils_label(commands, &vk::DebugUtilsLabelEXT::default().label_name(&name)) };
    }

    /// Ends the label begun last.
    ///
    /// # Safety
    /// `commands` is being recorded by the caller and a label is open in it.
    pub(crate) unsafe fn end(&self, commands: vk::CommandBuffer) {
        if let Some(utils) = &self.0 {
            // SAFETY: as the caller promises.
            unsafe { utils.cmd_end_debug_utils_label(commands) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_kept_up_to_a_bound_and_counted_beyond() {
        let heard = Heard::default();
        (0..KEPT + 10).for_each(|n| heard.take_in("VUID-x", &n.to_string()));
        heard.take_in("UNASSIGNED-CoreValidation-Shader-OutputNotConsumed", "ignored");
        assert_eq!(heard.count(), KEPT as u64 + 10);
        let taken = heard.take();
        assert_eq!((taken.len(), taken[3].as_str()), (KEPT, "VUID-x: 3"));
        assert!(heard.take().is_empty());
    }

    #[test]
    fn a_name_ends_at_its_first_zero() {
        assert_eq!(c_name("a\0b").as_c_str(), c"a");
        assert_eq!(c_name("").as_c_str(), c"");
    }
}
