//! What the letters after a register stand for: `.xy` is a mask in one place and a swizzle in another.
//!
//! Owns the one reading that the disassembler writes for and the assembler goes by; a selection that its letters do not
//! say is spelled out in braces by the former and taken from there by the latter. Must never reject a selection: what an
//! operand admits is the decoder's.

use super::opcodes::Role;
use super::program::{Components, RegisterFile};

/// `.xyzw` as a swizzle.
pub(crate) const IDENTITY: u8 = 0xe4;
/// The letters, by component.
pub(crate) const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Where an operand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where something is written, or a memory that an instruction stores to: letters are a mask.
    Written,
    /// Where something is read: one letter selects, four are a swizzle.
    Read,
    /// A declaration: letters are a mask. In 5.1 some registers name a range.
    Declared {
        /// Whether the program is of 5.1.
        ranges: bool,
    },
}

impl Place {
    /// The place of an instruction's operand.
    pub(crate) fn of(role: Role, operand: usize) -> Place {
        match role {
            Role::Dst => Place::Written,
            // Stores and atomics name their memory first.
            Role::Uav | Role::UavOrShared if operand == 0 => Place::Written,
            _ => Place::Read,
        }
    }
}

/// The selection that letters after a register stand for, as component numbers; `None`: they stand for nothing there.
pub(crate) fn read(file: RegisterFile, place: Place, letters: &[u8]) -> Option<Components> {
    match (place, letters) {
        (_, []) => Some(without_letters(file, place)),
        (Place::Read, [component]) => Some(Components::Select(*component)),
        (Place::Read, letters) => {
            // Of fewer than four letters the last one goes on.
            let lane = |lane: usize| letters.get(lane).or(letters.last()).copied().unwrap_or(0);
            let swizzle = (0..4).rev().fold(0, |bits, i| bits << 2 | lane(i));
            (letters.len() <= 4).then_some(Components::Swizzle(swizzle))
        }
        (_, letters) => {
            let ascending = letters.windows(2).all(|pair| pair[0] < pair[1]);
            ascending.then(|| Components::Mask(letters.iter().fold(0, |mask, c| mask | 1 << c)))
        }
    }
}

/// What compilers write for a register that is a whole.
fn without_letters(file: RegisterFile, place: Place) -> Components {
    use RegisterFile::*;
    match (place, file) {
        (Place::Declared { .. }, ConstantBuffer) => Components::Swizzle(IDENTITY),
        (Place::Declared { ranges: true }, Sampler | Resource | UnorderedAccessView) => Components::Swizzle(IDENTITY),
        (
            Place::Declared { .. },
            OutputDepth
            | OutputDepthGreaterEqual
            | OutputDepthLessEqual
            | OutputStencilRef
            | InputCoverageMask
            | InnerCoverage,
        ) => Components::One,
        (Place::Declared { .. }, _) => Components::None,
        (
            _,
            Null | Label | FunctionBody | Stream | Interface | Sampler | UnorderedAccessView | ThreadGroupSharedMemory,
        ) => Components::None,
        _ => Components::One,
    }
}

/// The letters of a selection, as component numbers.
pub(crate) fn of(components: Components) -> impl Iterator<Item = u8> {
    let lanes = match components {
        Components::None | Components::One => 0,
        Components::Select(_) => 1,
        Components::Mask(_) | Components::Swizzle(_) => 4,
    };
    (0..lanes).filter_map(move |lane| match components {
        Components::Mask(mask) => (mask & 1 << lane != 0).then_some(lane),
        _ => Some(components.source(lane)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use RegisterFile::*;

    #[test]
    fn letters_are_read_by_their_place() {
        let yz: &[u8] = &[1, 2];
        assert_eq!(read(Temp, Place::Written, yz), Some(Components::Mask(0b0110)));
        assert_eq!(read(Temp, Place::Read, yz), Some(Components::Swizzle(0b1010_1001)));
        assert_eq!(read(Temp, Place::Read, &[3]), Some(Components::Select(3)));
        assert_eq!(read(Temp, Place::Read, &[3, 2, 1, 0]), Some(Components::Swizzle(0x1b)));
        assert_eq!(read(Temp, Place::Written, &[1, 0]), None);
        assert_eq!(read(Temp, Place::Written, &[1, 1]), None);
        assert_eq!(read(Temp, Place::Read, &[0; 5]), None);
    }

    #[test]
    fn whole_registers_by_their_file() {
        assert_eq!(read(Null, Place::Written, &[]), Some(Components::None));
        assert_eq!(read(OutputDepth, Place::Written, &[]), Some(Components::One));
        assert_eq!(read(InputPrimitiveId, Place::Read, &[]), Some(Components::One));
        assert_eq!(read(Resource, Place::Declared { ranges: false }, &[]), Some(Components::None));
        assert_eq!(read(Resource, Place::Declared { ranges: true }, &[]), Some(Components::Swizzle(IDENTITY)));
    }

    #[test]
    fn letters_of_a_selection() {
        let letters = |components| of(components).map(|c| LETTERS[usize::from(c)]).collect::<String>();
        assert_eq!(letters(Components::Mask(0b1010)), "yw");
        assert_eq!(letters(Components::Swizzle(0x1b)), "wzyx");
        assert_eq!(letters(Components::Select(2)), "z");
        assert_eq!(letters(Components::One) + &letters(Components::None) + &letters(Components::Mask(0)), "");
    }
}
