//! The signatures' elements, completed: registers that the program declares and no element covers get one.
//!
//! Direct3D's runtime takes such programs: an input holds what the stage before wrote to the register, and an output
//! goes to the register. So an element is made from the declaration, and its location is the register. A component that
//! is neither in an element nor declared does not exist: reading and writing it are errors.
//!
//! A declaration names no type. The element is float, unless more of its uses are integers.

use super::Side;
use crate::dxbc::Shader;
use crate::dxbc::declared::{self, INPUTS, OUTPUTS, PATCH};
use crate::dxbc::opcodes::Class;
use crate::dxbc::program::{Program, RegisterFile};
use crate::dxbc::signature::{Element, MAX_REGISTERS, MAX_STREAMS, NO_REGISTER};
use crate::lower::classes;
use crate::lower::structured::moved_integer;
use std::borrow::Cow;

/// Registers of one stream.
const REGISTERS: usize = MAX_REGISTERS as usize;
/// Component types of a signature.
const UINT: u32 = 1;
const SINT: u32 = 2;
/// `D3D_NAME_TARGET`; FXC leaves a target's system value 0.
const TARGET: u32 = 64;

/// The elements of the three signatures.
pub(in crate::lower) struct Elements<'a> {
    lists: [Cow<'a, [Element<'a>]>; 3],
    /// By signature and element: whether the container's signature lacks it, or components of it.
    added: [Vec<bool>; 3],
}

impl<'a> Elements<'a> {
    /// The elements of a shader. `program` is its program as one list of instructions.
    pub fn new(shader: &'a Shader<'_>, program: &Program) -> Elements<'a> {
        let given = [&shader.inputs, &shader.outputs, &shader.patch].map(|s| s.elements.as_slice());
        let mut elements = Elements { lists: given.map(Cow::Borrowed), added: Default::default() };
        let covered = Covered::of(&given);
        if !covered.lacks(&shader.program) {
            return elements;
        }
        let kinds = Kinds::of(program);
        elements.added = given.map(|list| vec![false; list.len()]);
        for (signature, list) in declared::signatures(&shader.program).into_iter().enumerate() {
            for element in list {
                let missing = element.mask & !covered.mask(signature, &element);
                if element.register != NO_REGISTER && missing != 0 {
                    elements.add(signature, Element { mask: missing, ..element }, &kinds);
                }
            }
        }
        elements
    }

    /// Adds components of a declared element: to the register's own element if it has only one, so that the variable has
    /// the shape that it has with a whole signature, else as an element of their own.
    fn add(&mut self, signature: usize, mut element: Element<'static>, kinds: &Kinds) {
        let list = self.lists[signature].to_mut();
        let value = |e: &Element<'_>| if e.system_value == TARGET { 0 } else { e.system_value };
        let mut same = list.iter_mut().enumerate().filter(|(_, other)| {
            (other.register, other.stream) == (element.register, element.stream) && other.mask != 0
        });
        if let (Some((n, only)), None) = (same.next(), same.next())
            && value(only) == value(&element)
            && element.mask.trailing_zeros() > only.mask.trailing_zeros()
        {
            only.mask |= element.mask;
            self.added[signature][n] = true;
            return;
        }
        if element.semantic == declared::USER {
            // The host gives it by its location, as it does where a language has no semantics.
            (element.semantic, element.index) = ("LOCATION", element.register);
        }
        if element.system_value == 0 {
            element.component = kinds.component(signature, element.register).unwrap_or(element.component);
        }
        list.push(element);
        self.added[signature].push(true);
    }

    /// The elements of a side.
    pub fn of(&self, side: Side) -> &[Element<'a>] {
        &self.lists[signature(side)]
    }

    /// Whether the container's signature lacks the `n`-th element of a side, or components of it.
    pub fn is_added(&self, side: Side, n: usize) -> bool {
        self.added[signature(side)].get(n).copied().unwrap_or(false)
    }
}

fn signature(side: Side) -> usize {
    match side {
        Side::Input => INPUTS,
        Side::Output => OUTPUTS,
        Side::Patch => PATCH,
    }
}

/// Components that elements have, by signature, stream and register.
struct Covered([[u8; REGISTERS * MAX_STREAMS as usize]; 3]);

impl Covered {
    fn of(signatures: &[&[Element<'_>]; 3]) -> Covered {
        let mut covered = Covered([[0; REGISTERS * MAX_STREAMS as usize]; 3]);
        for (masks, elements) in covered.0.iter_mut().zip(signatures) {
            for element in *elements {
                if let Some(mask) = masks.get_mut(Self::place(element.stream, element.register)) {
                    *mask |= element.mask;
                }
            }
        }
        covered
    }

    fn place(stream: u32, register: u32) -> usize {
        (stream as usize * REGISTERS).saturating_add(register as usize)
    }

    fn mask(&self, signature: usize, element: &Element<'_>) -> u8 {
        self.0[signature].get(Self::place(element.stream, element.register)).copied().unwrap_or(15)
    }

    /// Whether a program declares components that no element has.
    fn lacks(&self, program: &Program) -> bool {
        let mut lacks = false;
        declared::each_attribute(program, |_, operand, stream, signature| {
            let (Some(signature), Some(register)) = (signature, operand.last_index().as_constant()) else { return };
            let covered = self.0[signature].get(Self::place(stream, register)).copied().unwrap_or(15);
            lacks |= operand.components.mask() & !covered != 0;
        });
        lacks
    }
}

/// How often each register is used for a class of values, by signature.
struct Kinds([[Uses; REGISTERS]; 3]);

#[derive(Clone, Copy, Default)]
struct Uses {
    floats: u32,
    signed: u32,
    unsigned: u32,
}

impl Kinds {
    fn of(program: &Program) -> Kinds {
        let mut kinds = Kinds([[Uses::default(); REGISTERS]; 3]);
        for inst in &program.instructions {
            let shapes = inst.op.info().operands;
            for (n, operand) in program.operands_of(inst).iter().enumerate() {
                let written = n < classes::destinations(inst.op);
                let signature = match (operand.file, written) {
                    (RegisterFile::Input | RegisterFile::InputControlPoint, false) => INPUTS,
                    (RegisterFile::Output, true) => OUTPUTS,
                    (RegisterFile::InputPatchConstant, _) => PATCH,
                    _ => continue,
                };
                let (register, _) = operand.last_index().parts();
                let Some(uses) = kinds.0[signature].get_mut(register as usize) else { continue };
                match shapes.get(n).map(|shape| shape.class) {
                    Some(Class::Float) => uses.floats += 1,
                    Some(Class::Int) => uses.signed += 1,
                    Some(Class::Uint | Class::Mask) => uses.unsigned += 1,
                    Some(Class::Bits) => match moved_integer(program, inst, n) {
                        Some(true) => uses.unsigned += 1,
                        Some(false) => uses.floats += 1,
                        None => {}
                    },
                    _ => {}
                }
            }
        }
        kinds
    }

    /// The component type of a register of integers.
    fn component(&self, signature: usize, register: u32) -> Option<u32> {
        let uses = self.0[signature].get(register as usize)?;
        let integers = uses.signed + uses.unsigned > uses.floats;
        integers.then_some(if uses.signed > uses.unsigned { SINT } else { UINT })
    }
}
