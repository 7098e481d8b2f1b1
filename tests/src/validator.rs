//! The reference validator of SPIR-V, in process.
//!
//! Asked in the strictest way that a target allows: no relaxed rules of layout that a device would have to offer.

use rx_translate::Target;
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _};

/// A validator for one target. It is bound to the thread that made it.
pub struct Validator {
    inner: val::compiled::CompiledValidator,
}

impl Validator {
    /// A validator for the modules of a target.
    pub fn new(target: Target) -> Self {
        Validator { inner: val::compiled::CompiledValidator::with_env(environment(target)) }
    }

    /// What is wrong with a module, if anything.
    pub fn check(&self, words: &[u32]) -> Result<(), String> {
        self.inner.validate(words, None).map_err(|error| match error.diagnostic {
            Some(diagnostic) => diagnostic.message.clone(),
            None => error.to_string(),
        })
    }
}

/// Returns the tools' name of a target.
pub(crate) fn environment(target: Target) -> TargetEnv {
    match target {
        Target::Vulkan11 => TargetEnv::Vulkan_1_1,
        Target::Vulkan12 => TargetEnv::Vulkan_1_2,
        Target::Vulkan13 => TargetEnv::Vulkan_1_3,
    }
}
