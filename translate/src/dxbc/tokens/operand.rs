//! Operand tokens: register files, component selections, indices, literals.
//!
//! Owns an operand's shape and what a role admits. Must never look at the instruction around it beyond its row.

use super::{Cursor, Decoder, Fault};
use crate::dxbc::opcodes::{Flags, OpcodeInfo, Role, Shape};
use crate::dxbc::program::{Components, Index, MinPrecision, Operand, OperandId, ProgramType, RegisterFile};

/// Deepest nesting of operands in indices: `cb0[x0[r0.x + 1].y]` has two. Compilers stop there.
pub(in crate::dxbc) const MAX_DEPTH: u32 = 4;
/// `.xyzw`.
const IDENTITY: u8 = 0xe4;

impl Decoder {
    /// Reads one operand of an instruction.
    pub(super) fn operand(&mut self, cursor: &mut Cursor<'_>) -> Result<Operand, Fault> {
        let operand = self.read(cursor, 0)?;
        self.check_indices(&operand)?;
        Ok(operand)
    }

    /// Reads one operand without holding its indices against what is declared.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'_>, depth: u32) -> Result<Operand, Fault> {
        let token = cursor.next()?;
        let number = token >> 12 & 0xff;
        let file = register_file(number).ok_or_else(|| Fault::operand(format!("register file {number}")))?;
        let mut operand = Operand {
            file,
            components: components(token)?,
            neg: false,
            abs: false,
            nonuniform: false,
            min_precision: MinPrecision::Default,
            index_count: (token >> 20 & 3) as u8,
            index: [Index::default(); 3],
            literal: [0; 4],
        };
        modifiers(token, cursor, &mut operand)?;
        match file {
            RegisterFile::Immediate32 | RegisterFile::Immediate64 => literal(cursor, &mut operand)?,
            _ => {
                for i in 0..usize::from(operand.index_count) {
                    let representation = token >> (22 + 3 * i) & 7;
                    operand.index[i] = self.index(cursor, representation, depth)?;
                }
            }
        }
        Ok(operand)
    }

    fn index(&mut self, cursor: &mut Cursor<'_>, representation: u32, depth: u32) -> Result<Index, Fault> {
        let (wide, constant, relative) = match representation {
            0 => (false, true, false),
            1 => (true, true, false),
            2 => (false, false, true),
            3 => (false, true, true),
            4 => (true, true, true),
            other => return Err(Fault::operand(format!("index representation {other}"))),
        };
        // Of a 64-bit index the high half comes first.
        if wide && cursor.next()? != 0 {
            return Err(Fault::operand("an index of more than 32 bits"));
        }
        let offset = if constant { cursor.next()? } else { 0 };
        Ok(if relative { Index::dynamic(offset, self.relative(cursor, depth + 1)?) } else { Index::constant(offset) })
    }

    fn relative(&mut self, cursor: &mut Cursor<'_>, depth: u32) -> Result<OperandId, Fault> {
        if depth > MAX_DEPTH {
            return Err(Fault::operand(format!("operands nested deeper than {MAX_DEPTH}")));
        }
        let operand = self.read(cursor, depth)?;
        let selects_one = match operand.components {
            Components::Select(_) | Components::One => true,
            Components::Swizzle(s) => s == (s & 3) * 0x55,
            Components::None | Components::Mask(_) => false,
        };
        let literal = matches!(operand.file, RegisterFile::Immediate32 | RegisterFile::Immediate64);
        if !selects_one || literal || !readable(operand.file) || operand.neg || operand.abs {
            return Err(Fault::operand("an index that is not one component of a register"));
        }
        self.check_indices(&operand)?;
        let id = OperandId(self.program.operands.len() as u32);
        self.reserve_operands(1, cursor.at);
        self.program.operands.push(operand);
        Ok(id)
    }

    /// Holds the number of indices, and the registers of temporaries, against the file and the declarations.
    pub(super) fn check_indices(&self, operand: &Operand) -> Result<(), Fault> {
        let file = operand.file;
        let (least, most) = index_counts(file, self.program.ty, self.ranges());
        if operand.index_count < least || operand.index_count > most {
            return Err(Fault::operand(format!("{} indices on {file:?}", operand.index_count)));
        }
        let used = &operand.index[..usize::from(operand.index_count)];
        if used.iter().any(|i| i.register().is_some()) && !relative_files(file) {
            return Err(Fault::operand(format!("a relative index on {file:?}")));
        }
        // A 5.1 range id and the register number of an array are part of the name; in 5.0 only a class's
        // methods get their resources by number.
        let named =
            file == RegisterFile::IndexableTemp || (is_range(file) && (self.ranges() || !self.state.interfaces));
        if named && operand.number().is_none() {
            return Err(Fault::operand(format!("a relative register number on {file:?}")));
        }
        self.check_registers(operand, used)
    }

    fn check_registers(&self, operand: &Operand, used: &[Index]) -> Result<(), Fault> {
        match operand.file {
            RegisterFile::Temp => match operand.number() {
                Some(register) => self.state.check_temp(register),
                None => Err(Fault::operand("a relative register number")),
            },
            RegisterFile::IndexableTemp => match operand.number() {
                Some(register) => self.state.check_indexable(register, operand.index[1]),
                None => Err(Fault::operand("a relative register number")),
            },
            file => {
                let limit = register_limit(file, self.ranges());
                let checked = if is_range(file) { &used[..1] } else { used };
                // The register part is only known when the shader runs: what is checked is where it counts from.
                match checked.iter().map(|i| i.parts().0).find(|&number| number >= limit) {
                    Some(number) => Err(Fault::operand(format!("register {number} of {file:?}"))),
                    None => Ok(()),
                }
            }
        }
    }
}

fn components(token: u32) -> Result<Components, Fault> {
    match token & 3 {
        0 => Ok(Components::None),
        1 => Ok(Components::One),
        2 => match token >> 2 & 3 {
            0 => Ok(Components::Mask((token >> 4 & 15) as u8)),
            1 => Ok(Components::Swizzle((token >> 4 & 255) as u8)),
            2 => Ok(Components::Select((token >> 4 & 3) as u8)),
            _ => Err(Fault::operand("component selection mode 3")),
        },
        _ => Err(Fault::operand("more than four components")),
    }
}

fn modifiers(operand_token: u32, cursor: &mut Cursor<'_>, operand: &mut Operand) -> Result<(), Fault> {
    let mut more = operand_token >> 31 != 0;
    while more {
        let token = cursor.next()?;
        match token & 0x3f {
            0 => {}
            1 => {
                let modifier = token >> 6 & 0xff;
                if modifier > 3 {
                    return Err(Fault::operand(format!("operand modifier {modifier}")));
                }
                operand.neg = modifier & 1 != 0;
                operand.abs = modifier & 2 != 0;
                operand.min_precision = min_precision(token >> 14 & 7)?;
                operand.nonuniform = token >> 17 & 1 != 0;
            }
            other => return Err(Fault::operand(format!("extended operand token of type {other}"))),
        }
        more = token >> 31 != 0;
    }
    Ok(())
}

fn min_precision(number: u32) -> Result<MinPrecision, Fault> {
    Ok(match number {
        0 => MinPrecision::Default,
        1 => MinPrecision::Float16,
        2 => MinPrecision::Float2_8,
        4 => MinPrecision::Sint16,
        5 => MinPrecision::Uint16,
        other => return Err(Fault::operand(format!("minimum precision {other}"))),
    })
}

/// Words of a literal: one a component, or for 64-bit literals two for one component and four for four.
fn literal(cursor: &mut Cursor<'_>, operand: &mut Operand) -> Result<(), Fault> {
    if operand.index_count != 0 {
        return Err(Fault::operand("indices on a literal"));
    }
    let words = match (operand.components, operand.file) {
        (Components::None, _) => return Err(Fault::operand("a literal without components")),
        (Components::One, RegisterFile::Immediate32) => 1,
        (Components::One, _) => 2,
        _ => 4,
    };
    for slot in &mut operand.literal[..words] {
        *slot = cursor.next()?;
    }
    // Compilers write the selection of a four-component literal as an empty mask.
    if let Components::Mask(_) = operand.components {
        operand.components = Components::Swizzle(IDENTITY);
    }
    Ok(())
}

/// The file of a number.
pub(in crate::dxbc) fn register_file(number: u32) -> Option<RegisterFile> {
    use RegisterFile::*;
    const FILES: [RegisterFile; 43] = [
        Temp,
        Input,
        Output,
        IndexableTemp,
        Immediate32,
        Immediate64,
        Sampler,
        Resource,
        ConstantBuffer,
        ImmediateConstantBuffer,
        Label,
        InputPrimitiveId,
        OutputDepth,
        Null,
        Rasterizer,
        OutputCoverageMask,
        Stream,
        FunctionBody,
        FunctionTable,
        Interface,
        FunctionInput,
        FunctionOutput,
        OutputControlPointId,
        InputForkInstanceId,
        InputJoinInstanceId,
        InputControlPoint,
        OutputControlPoint,
        InputPatchConstant,
        InputDomainPoint,
        ThisPointer,
        UnorderedAccessView,
        ThreadGroupSharedMemory,
        InputThreadId,
        InputThreadGroupId,
        InputThreadIdInGroup,
        InputCoverageMask,
        InputThreadIdInGroupFlattened,
        InputGsInstanceId,
        OutputDepthGreaterEqual,
        OutputDepthLessEqual,
        CycleCounter,
        OutputStencilRef,
        InnerCoverage,
    ];
    FILES.get(number as usize).copied()
}

/// Least and most indices of a file's operands in an instruction.
fn index_counts(file: RegisterFile, ty: ProgramType, ranges: bool) -> (u8, u8) {
    use RegisterFile::*;
    match file {
        Temp | Output | Label | Stream | FunctionBody | FunctionTable | FunctionInput | FunctionOutput => (1, 1),
        ImmediateConstantBuffer | ThreadGroupSharedMemory | InputPatchConstant => (1, 1),
        // Per vertex in the stages that see several.
        Input if matches!(ty, ProgramType::Geometry | ProgramType::Hull) => (1, 2),
        Input => (1, 1),
        IndexableTemp | InputControlPoint | OutputControlPoint => (2, 2),
        Sampler | Resource | UnorderedAccessView if ranges => (2, 2),
        Sampler | Resource | UnorderedAccessView => (1, 1),
        ConstantBuffer if ranges => (3, 3),
        ConstantBuffer => (2, 2),
        // Number and element; the call site is a word of `fcall` itself.
        Interface => (2, 2),
        ThisPointer => (1, 1),
        _ => (0, 0),
    }
}

/// One past the highest register of a file, where Direct3D has one (11.3, 8.5 and the stages' own limits).
pub(super) fn register_limit(file: RegisterFile, ranges: bool) -> u32 {
    use RegisterFile::*;
    match file {
        Input | Output | InputControlPoint | OutputControlPoint | InputPatchConstant => 32,
        Stream => 4,
        _ if ranges => u32::MAX,
        ConstantBuffer | Sampler => 16,
        Resource => 128,
        UnorderedAccessView => 64,
        _ => u32::MAX,
    }
}

/// Files whose operands of 5.1 name a range of registers.
pub(in crate::dxbc) fn is_range(file: RegisterFile) -> bool {
    use RegisterFile::*;
    matches!(file, Sampler | Resource | ConstantBuffer | UnorderedAccessView)
}

fn relative_files(file: RegisterFile) -> bool {
    use RegisterFile::*;
    let attributes = matches!(file, Input | Output | InputControlPoint | OutputControlPoint | InputPatchConstant);
    let memory = matches!(file, IndexableTemp | ImmediateConstantBuffer | Interface | ThisPointer);
    attributes || memory || is_range(file)
}

/// Files that a value can be read from.
fn readable(file: RegisterFile) -> bool {
    use RegisterFile::*;
    !matches!(
        file,
        Null | Rasterizer
            | Label
            | Stream
            | FunctionBody
            | FunctionTable
            | Interface
            | Sampler
            | Resource
            | UnorderedAccessView
            | ThreadGroupSharedMemory
            | OutputDepth
            | OutputDepthGreaterEqual
            | OutputDepthLessEqual
            | OutputCoverageMask
            | OutputStencilRef
    )
}

/// Files that a destination can be.
fn writable(file: RegisterFile) -> bool {
    use RegisterFile::*;
    matches!(
        file,
        Temp | Output
            | IndexableTemp
            | Null
            | OutputDepth
            | OutputDepthGreaterEqual
            | OutputDepthLessEqual
            | OutputCoverageMask
            | OutputStencilRef
            | FunctionOutput
    )
}

/// Holds an operand against its row's shape.
pub(super) fn check_shape(operand: &Operand, shape: Shape, info: &OpcodeInfo) -> Result<(), Fault> {
    use RegisterFile::*;
    let file = operand.file;
    let admitted = match shape.role {
        Role::Dst => writable(file),
        Role::Src => readable(file),
        Role::Resource => file == Resource,
        Role::ResourceOrUav => matches!(file, Resource | UnorderedAccessView),
        Role::ResourceOrRasterizer => matches!(file, Resource | Rasterizer),
        Role::Sampler => file == Sampler,
        Role::Uav => file == UnorderedAccessView,
        Role::UavOrShared => matches!(file, UnorderedAccessView | ThreadGroupSharedMemory),
        Role::AnyMemory => matches!(file, Resource | UnorderedAccessView | ThreadGroupSharedMemory),
        Role::Attribute => file == Input,
        Role::Stream => file == Stream,
        Role::Label => matches!(file, Label | FunctionBody),
        Role::Interface => file == Interface,
        Role::Declared => true,
    };
    if !admitted {
        return Err(Fault::operand(format!("{file:?} as {:?}", shape.role)));
    }
    let selection = match shape.role {
        Role::Dst => destination_selection(operand),
        Role::Src | Role::Attribute => !matches!(operand.components, Components::None | Components::Mask(_)),
        Role::Resource | Role::ResourceOrUav | Role::AnyMemory => {
            matches!(operand.components, Components::Swizzle(_) | Components::Select(_))
        }
        Role::Sampler if info.flags.has(Flags::GATHER) => {
            matches!(operand.components, Components::None | Components::Select(_))
        }
        Role::Uav | Role::UavOrShared => !matches!(operand.components, Components::Mask(0) | Components::One),
        _ => true,
    };
    if !selection {
        return Err(Fault::operand(format!("{:?} on {file:?} as {:?}", operand.components, shape.role)));
    }
    if (operand.neg || operand.abs) && !matches!(shape.role, Role::Src | Role::Attribute) {
        return Err(Fault::operand(format!("a sign modifier on {file:?} as {:?}", shape.role)));
    }
    Ok(())
}

fn destination_selection(operand: &Operand) -> bool {
    match operand.components {
        Components::Mask(mask) => mask != 0,
        Components::One => true,
        Components::None => operand.file == RegisterFile::Null,
        Components::Swizzle(_) | Components::Select(_) => false,
    }
}
