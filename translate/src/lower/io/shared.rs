//! Registers that several elements of a signature share: one variable of four components stands for all of them.
//!
//! A variable an element, told apart by `Component`, is what Vulkan would take too; Metal has no such thing in
//! tessellation stages, and SPIRV-Cross refuses it. The form depends on what the stage before and the stage behind both
//! know, so that they agree whichever two stages meet, also where the reading one declares fewer elements:
//!
//! - a register whose only element begins at `x` has a variable of that element's components;
//! - any other register has one of four components. Its kind is that of the element that begins lowest, which is the one
//!   that no reader leaves out; the other kinds travel as bits.
//!
//! A layer or viewport index counts for the form in every stage, also in one that has it as a built-in alone.
//!
//! A pixel shader that interpolates the elements of a register in different ways keeps a variable an element. Vertex
//! inputs and render targets are no such registers: each has one element.

use super::{Side, element_kind, name};
use crate::dxbc::signature::{Element, NO_REGISTER};
use crate::interface::Stage;
use crate::ir::{Kind, Type};
use crate::lower::Lower;

/// The variable that the elements of a register share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shared {
    /// Of four components.
    pub ty: Type,
    /// Components that elements have.
    pub mask: u8,
    /// Interpolation of a pixel shader's input.
    pub mode: u16,
}

/// One element as far as sharing goes: its components, kind and interpolation, 0 where it is not declared.
#[derive(Clone, Copy, Debug)]
struct Sharer {
    mask: u8,
    kind: Kind,
    mode: u16,
    /// Whether the variable holds the element here. It counts for the form either way.
    held: bool,
}

/// What the elements of one register share; `None` where each has a variable of its own.
fn share(elements: impl Iterator<Item = Sharer>) -> Option<Shared> {
    let (mut mask, mut held, mut count, mut mode) = (0, 0, 0, 0);
    let mut lowest: Option<Sharer> = None;
    for own in elements {
        // Two elements with the same components are a fault that is told when they are declared.
        if mask & own.mask != 0 || mode != 0 && own.mode != 0 && own.mode != mode {
            return None;
        }
        (mask, count) = (mask | own.mask, count + 1);
        held |= if own.held { own.mask } else { 0 };
        mode = if own.mode == 0 { mode } else { own.mode };
        let first = |own: Sharer| own.mask.trailing_zeros();
        lowest = lowest.filter(|other| first(*other) < first(own)).or(Some(own));
    }
    let lowest = lowest.filter(|_| count > 1 || mask & 1 == 0)?;
    Some(Shared { ty: Type::new(lowest.kind, 4), mask: held, mode })
}

impl<'a> Lower<'a> {
    /// The variable that an element shares with the others of its register.
    pub(super) fn shared(&self, side: Side, element: &Element<'a>) -> Option<Shared> {
        let elements = self.elements.of(side);
        let outside = match side {
            Side::Input => Stage::Vertex,
            Side::Output => Stage::Fragment,
            Side::Patch => Stage::Compute,
        };
        if self.interface.stage == outside || element.register == NO_REGISTER {
            return None;
        }
        let fragment = self.interface.stage == Stage::Fragment;
        let same = |e: &&Element<'a>| e.register == element.register && e.stream == element.stream && e.mask != 0;
        let sharer = |e: &Element<'a>| {
            let held = self.is_located(side, e);
            let mode = if fragment && held { self.interpolation_of(e) } else { 0 };
            let counts = held || side != Side::Patch && chooses_target(e);
            counts.then(|| Sharer { mask: e.mask, kind: element_kind(e), mode, held })
        };
        share(elements.iter().filter(same).filter_map(sharer))
    }
}

/// Whether an element is the index of a layer or viewport.
fn chooses_target(element: &Element<'_>) -> bool {
    matches!(element.system_value, name::RENDER_TARGET_ARRAY_INDEX | name::VIEWPORT_ARRAY_INDEX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(mask: u8, kind: Kind, mode: u16) -> Sharer {
        Sharer { mask, kind, mode, held: true }
    }

    fn shared(elements: &[Sharer]) -> Option<(Kind, u8, u16)> {
        share(elements.iter().copied()).map(|own| (own.ty.kind(), own.mask, own.mode))
    }

    #[test]
    fn a_lone_element_at_x_shares_nothing() {
        assert_eq!(shared(&[]), None);
        assert_eq!(shared(&[own(0b0011, Kind::F32, 2)]), None);
        assert_eq!(shared(&[own(0b1111, Kind::U32, 0)]), None);
    }

    #[test]
    fn elements_of_a_register_and_one_that_begins_past_x_share() {
        assert_eq!(shared(&[own(0b0110, Kind::S32, 1)]), Some((Kind::S32, 0b0110, 1)));
        let two = [own(0b0011, Kind::F32, 0), own(0b1100, Kind::F32, 0)];
        assert_eq!(shared(&two), Some((Kind::F32, 0b1111, 0)));
    }

    #[test]
    fn the_lowest_element_says_the_kind_in_any_order() {
        let (float, uint) = (own(0b0001, Kind::F32, 1), own(0b1000, Kind::U32, 1));
        assert_eq!(shared(&[float, uint]), Some((Kind::F32, 0b1001, 1)));
        assert_eq!(shared(&[uint, float]), Some((Kind::F32, 0b1001, 1)));
    }

    #[test]
    fn an_element_that_is_a_built_in_alone_counts_for_the_form() {
        let layer = Sharer { held: false, ..own(0b0001, Kind::U32, 0) };
        assert_eq!(shared(&[layer, own(0b0110, Kind::F32, 1)]), Some((Kind::U32, 0b0110, 1)));
    }

    #[test]
    fn an_element_that_is_not_declared_takes_any_interpolation() {
        let (linear, unknown) = (own(0b0011, Kind::F32, 2), own(0b0100, Kind::F32, 0));
        assert_eq!(shared(&[linear, unknown]), Some((Kind::F32, 0b0111, 2)));
        assert_eq!(shared(&[unknown, linear]), Some((Kind::F32, 0b0111, 2)));
    }

    #[test]
    fn elements_of_different_interpolation_or_the_same_components_stay_apart() {
        assert_eq!(shared(&[own(0b0011, Kind::F32, 2), own(0b0100, Kind::F32, 4)]), None);
        assert_eq!(shared(&[own(0b0011, Kind::F32, 0), own(0b0010, Kind::F32, 0)]), None);
    }
}
