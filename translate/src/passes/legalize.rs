//! The one list of passes, in order.

use super::{Live, dce};
use crate::ir::Function;

/// Brings a lowered function into the shape that is written, and says what of it is.
///
/// 1. `dce`: finds what can be seen from outside, so that the writer skips the rest.
///
/// A pass that changes the function stands before `dce` and ends in [`check`].
pub fn legalize(function: &mut Function) -> Live {
    let live = dce::dce(function);
    check(function);
    live
}

/// In debug builds, whether the form's rules still hold.
fn check(function: &Function) {
    debug_assert_eq!(crate::ir::verify(function), Ok(()), "{}", crate::ir::print(function));
}
