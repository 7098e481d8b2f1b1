//! What a program declares, in the form that execution needs.
//!
//! Owns the reading of declarations. Must never execute an instruction.

use crate::{Class, Error, Slot};
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::dxbc::program::{Declaration, Operand, Program, RegisterFile, ResourceDim, ReturnTypes};
use rx_translate::dxbc::tokens::custom::IMMEDIATE_CONSTANTS;
use std::collections::BTreeMap;

/// Bits of `dcl_input_ps` that hold the interpolation mode, and the mode "constant".
const INTERPOLATION: u16 = 15;
const CONSTANT_INTERPOLATION: u16 = 1;
/// Bit of `dcl_globalFlags`: arithmetic may be reassociated and contracted.
const REFACTORING_ALLOWED: u16 = 1;

/// How the elements of a view are addressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Constant buffer.
    Constants,
    /// Texels of a format.
    Typed {
        /// Dimension.
        dim: ResourceDim,
        /// Return types of the four components.
        returns: ReturnTypes,
    },
    /// Bytes.
    Raw,
    /// Structures of this many bytes.
    Structured(u32),
}

/// A declared range of resource registers. Shader models before 5.1 declare one register at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// First and last register.
    pub registers: (u32, u32),
    /// Register space.
    pub space: u32,
    /// How elements are addressed.
    pub layout: Layout,
}

impl Range {
    /// Returns the slot of the first register.
    pub fn first(&self) -> Slot {
        Slot { space: self.space, register: self.registers.0 }
    }

    /// Returns the slot of a register, or `None` for a register outside the range.
    pub fn slot(&self, register: u32) -> Option<Slot> {
        let inside = (self.registers.0..=self.registers.1).contains(&register);
        inside.then_some(Slot { space: self.space, register })
    }
}

/// A block of group shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SharedBlock {
    /// Raw or structured.
    pub layout: Layout,
    /// Size in bytes.
    pub size: u32,
}

/// A declared input or output register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lanes {
    /// Register number.
    pub register: u32,
    /// Declared components.
    pub mask: u8,
    /// `D3D10_SB_NAME` of a system value, or 0.
    pub system_value: u32,
    /// True for an input that is the same over the whole primitive.
    pub constant: bool,
}

/// Everything that a program declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    /// Number of plain temporaries.
    pub temps: u32,
    /// Elements of each indexable temporary.
    pub indexable: BTreeMap<u32, u32>,
    /// Immediate constant buffer.
    pub immediate_constants: Vec<[u32; 4]>,
    /// Resource ranges by class and by range id (5.1) or register.
    pub ranges: BTreeMap<(Class, u32), Range>,
    /// Group shared memory by register.
    pub shared: BTreeMap<u32, SharedBlock>,
    /// Input registers.
    pub inputs: Vec<Lanes>,
    /// Output registers.
    pub outputs: Vec<Lanes>,
    /// Threads of a group.
    pub threads: [u32; 3],
    /// False if the program forbids reassociation and contraction everywhere.
    pub refactoring_allowed: bool,
    /// `dcl_function_table`: function bodies of each table.
    pub function_tables: BTreeMap<u32, Vec<u32>>,
    /// `dcl_interface`: function tables that each interface may use, by call site count.
    pub interfaces: BTreeMap<u32, Interface>,
}

/// A declared interface (`fp#`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interface {
    /// Number of array elements.
    pub elements: u32,
    /// Function tables, one for each type.
    pub tables: Vec<u32>,
}

impl Declared {
    /// Reads the declarations of a program.
    pub fn read(program: &Program) -> Result<Declared, Error> {
        let mut declared = Declared { threads: [1; 3], ..Declared::default() };
        for (index, declaration) in program.declarations.iter().enumerate() {
            declared.add(program, declaration).map_err(|why| Error::Declaration { index, op: declaration.op, why })?;
        }
        Ok(declared)
    }

    fn add(&mut self, program: &Program, declaration: &Declaration) -> Result<(), &'static str> {
        let words = program.extra_of(declaration);
        let word = |n: usize| words.get(n).copied().unwrap_or(0);
        let operand = program.operands_of_declaration(declaration).first();
        let controls = declaration.controls;
        match declaration.op {
            Opcode::DclTemps => self.temps = self.temps.max(word(0)),
            Opcode::DclIndexableTemp => {
                self.indexable.insert(word(0), word(1));
            }
            Opcode::CustomData if controls == IMMEDIATE_CONSTANTS => {
                self.immediate_constants = words.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
            }
            Opcode::DclGlobalFlags => self.refactoring_allowed = controls & REFACTORING_ALLOWED != 0,
            Opcode::DclThreadGroup => self.threads = [word(0), word(1), word(2)],
            Opcode::DclFunctionTable => {
                self.function_tables.insert(word(0), words.get(2..).unwrap_or_default().to_vec());
            }
            Opcode::DclInterface => {
                let interface =
                    Interface { elements: word(2) >> 16, tables: words.get(3..).unwrap_or_default().to_vec() };
                self.interfaces.insert(word(0), interface);
            }
            _ => {
                if let Some(operand) = operand {
                    return self.add_register(program.model, declaration, operand, words);
                }
            }
        }
        Ok(())
    }

    fn add_register(
        &mut self,
        model: (u8, u8),
        declaration: &Declaration,
        operand: &Operand,
        words: &[u32],
    ) -> Result<(), &'static str> {
        let word = |n: usize| words.get(n).copied().unwrap_or(0);
        // A declaration's indices are constants.
        let (register, _) = operand.index[0].parts();
        let op = declaration.op;
        match op {
            Opcode::DclConstantBuffer => self.add_range(model, operand, words, Layout::Constants),
            Opcode::DclResource | Opcode::DclUavTyped => {
                let dim = ResourceDim::from_number(u32::from(declaration.controls & 31));
                let layout = Layout::Typed {
                    dim: dim.ok_or("a resource dimension that the format does not have")?,
                    returns: ReturnTypes((word(0) & 0xffff) as u16),
                };
                self.add_range(model, operand, words, layout)
            }
            Opcode::DclResourceRaw | Opcode::DclUavRaw => self.add_range(model, operand, words, Layout::Raw),
            Opcode::DclResourceStructured | Opcode::DclUavStructured => {
                self.add_range(model, operand, words, Layout::Structured(word(0)))
            }
            Opcode::DclTgsmRaw => self.add_shared(register, Layout::Raw, Some(word(0))),
            Opcode::DclTgsmStructured => {
                self.add_shared(register, Layout::Structured(word(0)), word(0).checked_mul(word(1)))
            }
            Opcode::DclInput | Opcode::DclInputPs if operand.file == RegisterFile::Input => {
                self.inputs.push(lanes(declaration, operand, 0));
                Ok(())
            }
            Opcode::DclInputSgv | Opcode::DclInputSiv | Opcode::DclInputPsSgv | Opcode::DclInputPsSiv => {
                self.inputs.push(lanes(declaration, operand, word(0)));
                Ok(())
            }
            Opcode::DclOutput | Opcode::DclOutputSgv | Opcode::DclOutputSiv if operand.file == RegisterFile::Output => {
                let name = if op == Opcode::DclOutput { 0 } else { word(0) };
                self.outputs.push(lanes(declaration, operand, name));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn add_range(
        &mut self,
        model: (u8, u8),
        operand: &Operand,
        words: &[u32],
        layout: Layout,
    ) -> Result<(), &'static str> {
        let class = class_of(operand.file).ok_or("a register file that holds no resource")?;
        let [id, first, last] = operand.index.map(|index| index.parts().0);
        let range = if model == (5, 1) {
            // The register space is the last word of the declaration.
            Range { registers: (first, last), space: words.last().copied().unwrap_or(0), layout }
        } else {
            Range { registers: (id, id), space: 0, layout }
        };
        match self.ranges.insert((class, id), range) {
            Some(_) => Err("a register that is already declared"),
            None => Ok(()),
        }
    }

    fn add_shared(&mut self, register: u32, layout: Layout, size: Option<u32>) -> Result<(), &'static str> {
        let size = size.ok_or("group shared memory of more than 4 GiB")?;
        match self.shared.insert(register, SharedBlock { layout, size }) {
            Some(_) => Err("a register that is already declared"),
            None => Ok(()),
        }
    }
}

/// Returns the class of a register file, or `None` for a file without resources.
pub(crate) fn class_of(file: RegisterFile) -> Option<Class> {
    match file {
        RegisterFile::ConstantBuffer => Some(Class::ConstantBuffer),
        RegisterFile::Resource => Some(Class::ShaderResource),
        RegisterFile::UnorderedAccessView => Some(Class::UnorderedAccess),
        _ => None,
    }
}

fn lanes(declaration: &Declaration, operand: &Operand, system_value: u32) -> Lanes {
    let pixel = matches!(declaration.op, Opcode::DclInputPs | Opcode::DclInputPsSgv | Opcode::DclInputPsSiv);
    let generated = matches!(declaration.op, Opcode::DclInputPsSgv | Opcode::DclInputSgv);
    Lanes {
        register: operand.index[0].parts().0,
        mask: operand.components.mask(),
        system_value,
        constant: generated || (pixel && declaration.controls & INTERPOLATION == CONSTANT_INTERPOLATION),
    }
}
