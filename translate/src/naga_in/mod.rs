//! WGSL and GLSL in, through naga: parsed, validated, written as SPIR-V, the interface read back from the words.
//!
//! Owns the translation of rx's options into naga's, and the join of what naga's module knows (names, groups and
//! bindings, what is declared) with what the words say (use, access, sizes of groups). Must never let naga's own
//! defaults decide: every option of its writer is set here. Behind the cargo feature `naga`.
//!
//! # Bindings
//!
//! A resource is known by the group and binding of the text; those are `space` and `register` of the interface.
//! Under [`BindingModel::Sequential`](crate::bindings::BindingModel) the resources take bindings one after the other
//! from `first_binding` in `set`, ordered by class (uniform buffers; sampled images and read-only storage buffers;
//! writable storage buffers and storage images; samplers), then group, then binding. Every declared resource takes a
//! binding, used or not; but of a text with several entry points, one that only other entry points use is not this
//! stage's. A `binding_array` without a size has a set of its own, as any unbounded range. Under rules, the first
//! that matches class, space (the group), register (the binding) and stage decides, and none is an error.
//!
//! # Robustness
//!
//! `Explicit` for uniform or storage buffers guards every index into either (naga has one policy for both): a load
//! out of range gives 0, a store is dropped. `Explicit` for texel buffers or images guards loads of texels (0); naga
//! never guards stores, which Vulkan drops. Indices into arrays of descriptors are clamped where the array has a size.
//! Variables of functions, private and group memory are no device's to guard: they are guarded unless every class
//! is `Off`. Naga asks for a buffer's length by `OpArrayLength` only; `lengths.rs` asks push constants instead where
//! `BufferLengths` says so. A text with push constants of its own is then refused.
//! Where anything is guarded, loops are bounded too, so that a compiler cannot reason the guards away.
//!
//! # Semantics
//!
//! Group memory of WGSL begins as 0 (written by code, with a barrier, so no device feature is needed); that of GLSL is
//! undefined, as the language says. Integer division by 0 and of the smallest integer by −1 is defined as WGSL has it,
//! in both languages. Clip space is as the text has it: y is not flipped. A WGSL vertex shader writes 1 as its point
//! size. Overrides and specialization constants have their defaults (a note says so). The module `glsl` rewrites GLSL
//! before naga reads it.
//!
//! # Limits
//!
//! naga recurses on nested text. It runs on a thread of its own with a stack that is large enough for all that
//! `depth.rs` lets through; text nested deeper is refused before naga sees it, and a panic inside naga becomes an error.
//! The process's panic hook sees such a panic first: there is one for all threads, and it is the host's.

#[cfg(feature = "naga")]
mod bindings;
#[cfg(feature = "naga")]
mod declared;
#[cfg(feature = "naga")]
mod depth;
#[cfg(feature = "naga")]
mod fixes;
#[cfg(feature = "naga")]
mod glsl;
#[cfg(feature = "naga")]
mod lengths;
#[cfg(feature = "naga")]
mod parse;
#[cfg(feature = "naga")]
mod write;

#[cfg(all(test, feature = "naga"))]
mod tests;

use crate::Translation;
use crate::error::Error;
use crate::interface::Stage;
use crate::options::Options;

/// Stack of the thread that naga runs on. Only what is touched is ever backed by memory.
#[cfg(feature = "naga")]
const STACK_BYTES: usize = 64 << 20;

/// Translates WGSL.
#[cfg(feature = "naga")]
pub(crate) fn translate_wgsl(text: &str, options: &Options) -> Result<Translation, Error> {
    depth::check_wgsl(text)?;
    on_own_stack(|| write::translate(&parse::wgsl(text)?, options))
}

/// Translates GLSL of a stage.
#[cfg(feature = "naga")]
pub(crate) fn translate_glsl(text: &str, stage: Stage, options: &Options) -> Result<Translation, Error> {
    on_own_stack(|| {
        depth::check_glsl(text)?;
        write::translate(&parse::glsl(text, stage)?, options)
    })
}

/// Checks that GLSL nests no deeper than a front end that calls itself can follow.
#[cfg(feature = "glslang")]
pub(crate) fn check_depth(text: &str) -> Result<(), Error> {
    depth::check_glsl(text)
}

/// Runs naga where its recursion has room whatever the caller's stack, and where its panic is an error and not the
/// game's end. The caller waits, so this is a call like any other.
#[cfg(feature = "naga")]
pub(crate) fn on_own_stack(run: impl FnOnce() -> Result<Translation, Error> + Send) -> Result<Translation, Error> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name(String::from("rx-naga")).stack_size(STACK_BYTES);
        let thread = builder
            .spawn_scoped(scope, run)
            .map_err(|error| Error::refused(crate::ledger::TEXT_PANIC, format!("no thread for naga: {error}")))?;
        thread.join().unwrap_or_else(|panic| {
            let what = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Err(Error::refused(crate::ledger::TEXT_PANIC, what.unwrap_or("no reason given")))
        })
    })
}

/// Refuses WGSL: the feature `naga` is off.
#[cfg(not(feature = "naga"))]
pub(crate) fn translate_wgsl(_text: &str, _options: &Options) -> Result<Translation, Error> {
    Err(Error::refused(crate::ledger::TEXT_OFF, "rx-translate was built without its feature `naga`"))
}

/// Refuses GLSL: the feature `naga` is off.
#[cfg(not(feature = "naga"))]
pub(crate) fn translate_glsl(_text: &str, _stage: Stage, _options: &Options) -> Result<Translation, Error> {
    Err(Error::refused(crate::ledger::TEXT_OFF, "rx-translate was built without its feature `naga`"))
}

#[cfg(all(test, not(feature = "naga")))]
mod tests {
    use crate::interface::Stage;
    use crate::{Options, ledger};

    #[test]
    fn without_naga_text_is_refused_by_name() {
        let options = Options::default();
        let wgsl = super::translate_wgsl("", &options).map_err(|error| error.code);
        let glsl = super::translate_glsl("", Stage::Vertex, &options).map_err(|error| error.code);
        assert_eq!((wgsl, glsl), (Err(ledger::TEXT_OFF), Err(ledger::TEXT_OFF)));
    }
}
