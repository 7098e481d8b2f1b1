//! The reference optimiser of SPIR-V, in process: what `spirv-opt -O` does to a module.
//!
//! A translated module must mean the same to it as to a driver. Drivers optimise with the same library or with rules like
//! its own.

use rx_translate::Target;
use spirv_tools::opt::{Optimizer as _, compiled::CompiledOptimizer};

/// Returns the module after the passes of `spirv-opt -O` for a target, or the message of the pass that failed.
///
/// Numbers that a host refers to, of bindings and specialization constants, are the same afterwards.
pub fn optimize(target: Target, words: &[u32]) -> Result<Vec<u32>, String> {
    let mut optimizer = CompiledOptimizer::with_env(crate::validator::environment(target));
    optimizer.register_performance_passes();
    let mut messages = Vec::new();
    let mut collect = |message: spirv_tools::error::Message| messages.push(message.message);
    let made = optimizer.optimize(words, &mut collect, None);
    match made {
        Ok(binary) => Ok(binary.as_words().to_vec()),
        Err(error) => Err(format!("spirv-opt: {error} {}", messages.join("; "))),
    }
}
