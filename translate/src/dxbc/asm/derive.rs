//! Signatures of a program that states none, from what it declares.
//!
//! Owns the semantics that declarations stand for. A declaration says neither a user's semantic nor a type: those become
//! `TEXCOORD` with the register's number, and float. Must never touch a signature that the text states.

use super::signature::{EMPTY, Named};
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Declaration, Operand, Program, ProgramType, RegisterFile};
use crate::dxbc::signature::{Element, NO_REGISTER};

/// Component types of a signature.
const UINT: u32 = 1;
const FLOAT: u32 = 3;

/// Numbers of the signatures.
const INPUTS: usize = 0;
const OUTPUTS: usize = 1;
const PATCH: usize = 2;

/// A system value: semantic and index, `D3D_NAME`, component type.
type Value = (&'static str, u32, u32, u32);

/// Semantics of a declaration's system values, by number.
const VALUES: [Value; 23] = [
    ("TEXCOORD", 0, 0, FLOAT),
    ("SV_Position", 0, 1, FLOAT),
    ("SV_ClipDistance", 0, 2, FLOAT),
    ("SV_CullDistance", 0, 3, FLOAT),
    ("SV_RenderTargetArrayIndex", 0, 4, UINT),
    ("SV_ViewportArrayIndex", 0, 5, UINT),
    ("SV_VertexID", 0, 6, UINT),
    ("SV_PrimitiveID", 0, 7, UINT),
    ("SV_InstanceID", 0, 8, UINT),
    ("SV_IsFrontFace", 0, 9, UINT),
    ("SV_SampleIndex", 0, 10, UINT),
    ("SV_TessFactor", 0, 11, FLOAT),
    ("SV_TessFactor", 1, 11, FLOAT),
    ("SV_TessFactor", 2, 11, FLOAT),
    ("SV_TessFactor", 3, 11, FLOAT),
    ("SV_InsideTessFactor", 0, 12, FLOAT),
    ("SV_InsideTessFactor", 1, 12, FLOAT),
    ("SV_TessFactor", 0, 13, FLOAT),
    ("SV_TessFactor", 1, 13, FLOAT),
    ("SV_TessFactor", 2, 13, FLOAT),
    ("SV_InsideTessFactor", 0, 14, FLOAT),
    ("SV_TessFactor", 1, 15, FLOAT),
    ("SV_TessFactor", 0, 16, FLOAT),
];

/// First number of a tessellation factor in the table.
const FIRST_FACTOR: usize = 11;

/// The system value that a semantic has in a signature, as FXC writes it; `None` where the name alone does not say it.
pub(super) fn value_of(semantic: &str, signature: usize, ty: ProgramType) -> Option<u32> {
    let Some(number) = VALUES.iter().position(|(name, ..)| name.eq_ignore_ascii_case(semantic)) else {
        return Some(0);
    };
    let (.., value, _) = VALUES[number];
    // What the input assembler does not make is a user's semantic to a vertex shader, and the other way round.
    let made_for_vertices = matches!(value, 6 | 8);
    let vertex_input = signature == INPUTS && ty == ProgramType::Vertex;
    match number {
        FIRST_FACTOR.. => None,
        _ if made_for_vertices == vertex_input => Some(value),
        _ => Some(0),
    }
}

/// The signatures of a program: inputs, outputs, patch constants.
pub(super) fn signatures(program: &Program) -> [Vec<Named>; 3] {
    let mut deriver = Deriver { program, signatures: Default::default(), phase: None, stream: 0 };
    program.declarations.iter().for_each(|declaration| deriver.declaration(declaration));
    let control_points = program.declarations.iter().any(|d| d.op == Opcode::HsControlPointPhase);
    let [inputs, outputs, _] = &mut deriver.signatures;
    if program.ty == ProgramType::Hull && !control_points {
        // Without that phase the control points go through as they are.
        *outputs = inputs.clone();
        outputs.iter_mut().for_each(|named| named.element.rw_mask = unwritten(named.element.mask));
    }
    deriver.signatures
}

fn unwritten(mask: u8) -> u8 {
    15 & !mask
}

struct Deriver<'p> {
    program: &'p Program,
    signatures: [Vec<Named>; 3],
    /// Hull shader phase.
    phase: Option<Opcode>,
    /// Geometry stream.
    stream: u32,
}

impl Deriver<'_> {
    fn declaration(&mut self, declaration: &Declaration) {
        use Opcode::*;
        match declaration.op {
            HsControlPointPhase | HsForkPhase | HsJoinPhase => self.phase = Some(declaration.op),
            DclStream => self.stream = self.operand(declaration).map_or(0, |operand| operand.index[0].offset),
            DclInput | DclInputSgv | DclInputSiv | DclInputPs | DclInputPsSgv | DclInputPsSiv => {
                self.input(declaration)
            }
            DclOutput | DclOutputSgv | DclOutputSiv => self.output(declaration),
            _ => {}
        }
    }

    fn operand(&self, declaration: &Declaration) -> Option<Operand> {
        self.program.operands_of_declaration(declaration).first().copied()
    }

    /// The system value's number that a declaration ends in.
    fn value(&self, declaration: &Declaration) -> usize {
        self.program.extra_of(declaration).first().map_or(0, |&number| number as usize)
    }

    fn input(&mut self, declaration: &Declaration) {
        use RegisterFile::*;
        let Some(operand) = self.operand(declaration) else { return };
        let value = self.value(declaration);
        match operand.file {
            Input | InputControlPoint => self.element(INPUTS, &operand, value),
            InputPatchConstant => self.element(PATCH, &operand, value),
            OutputControlPoint => self.element(OUTPUTS, &operand, value),
            // Only a geometry shader has it in its signature without a register.
            InputPrimitiveId if self.program.ty == ProgramType::Geometry => {
                self.scalar(INPUTS, "SV_PrimitiveID", 7, UINT);
            }
            _ => {}
        }
    }

    fn output(&mut self, declaration: &Declaration) {
        use RegisterFile::*;
        let Some(operand) = self.operand(declaration) else { return };
        let patch = matches!(self.phase, Some(Opcode::HsForkPhase | Opcode::HsJoinPhase));
        match operand.file {
            Output if patch => self.element(PATCH, &operand, self.value(declaration)),
            Output if self.program.ty == ProgramType::Pixel => self.target(&operand),
            Output => self.element(OUTPUTS, &operand, self.value(declaration)),
            OutputDepth => self.scalar(OUTPUTS, "SV_Depth", 0, FLOAT),
            OutputDepthGreaterEqual => self.scalar(OUTPUTS, "SV_DepthGreaterEqual", 0, FLOAT),
            OutputDepthLessEqual => self.scalar(OUTPUTS, "SV_DepthLessEqual", 0, FLOAT),
            OutputCoverageMask => self.scalar(OUTPUTS, "SV_Coverage", 0, UINT),
            OutputStencilRef => self.scalar(OUTPUTS, "SV_StencilRef", 0, UINT),
            _ => {}
        }
    }

    /// An element in a register. A system value that is undefined is a user's semantic.
    fn element(&mut self, signature: usize, operand: &Operand, value: usize) {
        let (semantic, index, number, component) = VALUES.get(value).copied().unwrap_or(VALUES[0]);
        let register = register(operand);
        let index = match (value, number) {
            (0, _) => self.user_index(signature, register, operand.components.mask()),
            // Distances count through the registers.
            (_, 2 | 3) => self.count(signature, semantic),
            _ => index,
        };
        let element = Element { index, system_value: number, component, register, ..EMPTY };
        self.add(signature, semantic, element, operand.components.mask());
    }

    /// A render target: the register's number is the target's.
    fn target(&mut self, operand: &Operand) {
        let register = register(operand);
        let element = Element { index: register, component: FLOAT, register, ..EMPTY };
        self.add(OUTPUTS, "SV_Target", element, operand.components.mask());
    }

    fn scalar(&mut self, signature: usize, semantic: &str, value: u32, component: u32) {
        let element = Element { system_value: value, component, register: NO_REGISTER, ..EMPTY };
        self.add(signature, semantic, element, 1);
    }

    /// The first element of a register has its number, a further one a number past all registers.
    fn user_index(&self, signature: usize, register: u32, mask: u8) -> u32 {
        let taken = self.signatures[signature].iter().any(|named| {
            let element = &named.element;
            (element.register, element.stream) == (register, self.stream) && element.mask & mask == 0
        });
        if taken { register + 32 * mask.trailing_zeros() } else { register }
    }

    fn count(&self, signature: usize, semantic: &str) -> u32 {
        let same =
            self.signatures[signature].iter().filter(|n| n.semantic == semantic && n.element.stream == self.stream);
        same.count() as u32
    }

    /// Adds an element; one that is declared again, as phases do, grows.
    fn add(&mut self, signature: usize, semantic: &str, mut element: Element<'static>, mask: u8) {
        let stream = if signature == OUTPUTS { self.stream } else { 0 };
        let reads = super::signature::signature_reads(signature, self.program.ty);
        let rw_mask = |mask| if reads { mask } else { unwritten(mask) };
        let overlaps = |other: &&mut Named| {
            let same = (other.element.register, other.element.stream) == (element.register, stream);
            let apart = other.element.mask & mask == 0 || element.register == NO_REGISTER && other.semantic != semantic;
            same && !apart
        };
        if let Some(other) = self.signatures[signature].iter_mut().find(overlaps) {
            other.element.mask |= mask;
            other.element.rw_mask = rw_mask(other.element.mask);
            return;
        }
        element.mask = mask;
        element.rw_mask = rw_mask(mask);
        element.stream = stream;
        self.signatures[signature].push(Named { semantic: semantic.to_owned(), element });
    }
}

/// The register's number: the last index, a vertex stands before it.
fn register(operand: &Operand) -> u32 {
    let last = usize::from(operand.index_count).saturating_sub(1);
    operand.index.get(last).map_or(NO_REGISTER, |index| index.offset)
}
