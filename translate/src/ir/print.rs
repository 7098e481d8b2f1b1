//! The form as text, for people and tests.
use super::Function;

/// The function as text: a line an instruction.
pub fn print(function: &Function) -> String {
    format!("{function:?}")
}
