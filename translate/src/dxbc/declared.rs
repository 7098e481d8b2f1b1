//! The signatures that a program's declarations describe.
//!
//! Owns the semantics that declarations stand for. A declaration has neither a user's semantic nor a type: the element
//! gets `TEXCOORD` with the register's number, and float. The assembler writes these signatures for a text without
//! any; lowering takes from them what a container's own signatures lack.

use super::disasm::second_mask;
use super::opcodes::Opcode;
use super::program::{Declaration, Operand, Program, ProgramType, RegisterFile};
use super::signature::{EMPTY, Element, NO_REGISTER};

/// Component types of a signature.
const UINT: u32 = 1;
const FLOAT: u32 = 3;

/// Number of the input signature.
pub(crate) const INPUTS: usize = 0;
/// Number of the output signature.
pub(crate) const OUTPUTS: usize = 1;
/// Number of the patch constant signature.
pub(crate) const PATCH: usize = 2;
/// Semantic of an element whose declaration names no system value.
pub(crate) const USER: &str = "TEXCOORD";

/// A system value: semantic and index, `D3D_NAME`, component type.
type Value = (&'static str, u32, u32, u32);

/// Semantics of a declaration's system values, by number.
const VALUES: [Value; 23] = [
    (USER, 0, 0, FLOAT),
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

/// Calls `f` for every declaration of an input or output, with its operand and stream, and the signature that its
/// register belongs to: none for the files without registers.
pub(crate) fn each_attribute(program: &Program, mut f: impl FnMut(&Declaration, &Operand, u32, Option<usize>)) {
    use Opcode::*;
    let (mut patch, mut stream) = (false, 0);
    for declaration in &program.declarations {
        let output = match declaration.op {
            HsControlPointPhase => {
                patch = false;
                continue;
            }
            HsForkPhase | HsJoinPhase => {
                patch = true;
                continue;
            }
            DclStream | DclOutput | DclOutputSgv | DclOutputSiv => true,
            DclInput | DclInputSgv | DclInputSiv | DclInputPs | DclInputPsSgv | DclInputPsSiv => false,
            _ => continue,
        };
        let Some(operand) = program.operands_of_declaration(declaration).first() else { continue };
        if declaration.op == DclStream {
            stream = operand.number().unwrap_or(0);
            continue;
        }
        let signature = match (operand.file, output) {
            (RegisterFile::Input | RegisterFile::InputControlPoint, false) => Some(INPUTS),
            (RegisterFile::OutputControlPoint, false) => Some(OUTPUTS),
            (RegisterFile::InputPatchConstant, false) => Some(PATCH),
            (RegisterFile::Output, true) => Some(if patch { PATCH } else { OUTPUTS }),
            _ => None,
        };
        f(declaration, operand, if signature == Some(OUTPUTS) { stream } else { 0 }, signature);
    }
}

/// The signatures of a program: inputs, outputs, patch constants.
pub(crate) fn signatures(program: &Program) -> [Vec<Element<'static>>; 3] {
    let mut deriver = Deriver { program, signatures: Default::default() };
    each_attribute(program, |declaration, operand, stream, signature| {
        deriver.attribute(declaration, operand, stream, signature);
    });
    let control_points = program.declarations.iter().any(|d| d.op == Opcode::HsControlPointPhase);
    let [inputs, outputs, _] = &mut deriver.signatures;
    if program.ty == ProgramType::Hull && !control_points {
        // Without that phase the control points go through as they are.
        *outputs = inputs.clone();
        outputs.iter_mut().for_each(|element| element.rw_mask = unwritten(element.mask));
    }
    deriver.signatures
}

/// Whether a signature's second mask holds the components that are read.
pub(super) fn is_read(signature: usize, ty: ProgramType) -> bool {
    second_mask(signature, ty) == "read"
}

fn unwritten(mask: u8) -> u8 {
    15 & !mask
}

struct Deriver<'p> {
    program: &'p Program,
    signatures: [Vec<Element<'static>>; 3],
}

impl Deriver<'_> {
    fn attribute(&mut self, declaration: &Declaration, operand: &Operand, stream: u32, signature: Option<usize>) {
        use RegisterFile::*;
        let pixel = self.program.ty == ProgramType::Pixel;
        match (signature, operand.file) {
            (Some(OUTPUTS), Output) if pixel => self.target(operand),
            (Some(signature), _) => {
                let value = self.program.extra_of(declaration).first().map_or(0, |&number| number as usize);
                self.element(signature, operand, stream, value);
            }
            // Only a geometry shader has it in its signature without a register.
            (None, InputPrimitiveId) if self.program.ty == ProgramType::Geometry => {
                self.scalar(INPUTS, "SV_PrimitiveID", 7, UINT);
            }
            (None, OutputDepth) => self.scalar(OUTPUTS, "SV_Depth", 0, FLOAT),
            (None, OutputDepthGreaterEqual) => self.scalar(OUTPUTS, "SV_DepthGreaterEqual", 0, FLOAT),
            (None, OutputDepthLessEqual) => self.scalar(OUTPUTS, "SV_DepthLessEqual", 0, FLOAT),
            (None, OutputCoverageMask) => self.scalar(OUTPUTS, "SV_Coverage", 0, UINT),
            (None, OutputStencilRef) => self.scalar(OUTPUTS, "SV_StencilRef", 0, UINT),
            _ => {}
        }
    }

    /// An element in a register. A system value that is undefined is a user's semantic.
    fn element(&mut self, signature: usize, operand: &Operand, stream: u32, value: usize) {
        let (semantic, index, number, component) = VALUES.get(value).copied().unwrap_or(VALUES[0]);
        let register = register(operand);
        let index = match (value, number) {
            (0, _) => self.user_index(signature, register, stream, operand.components.mask()),
            // Distances count through the registers.
            (_, 2 | 3) => self.count(signature, stream, semantic),
            _ => index,
        };
        let element = Element { semantic, index, system_value: number, component, register, stream, ..EMPTY };
        self.add(signature, element, operand.components.mask());
    }

    /// A render target: the register's number is the target's.
    fn target(&mut self, operand: &Operand) {
        let register = register(operand);
        let element = Element { semantic: "SV_Target", index: register, component: FLOAT, register, ..EMPTY };
        self.add(OUTPUTS, element, operand.components.mask());
    }

    fn scalar(&mut self, signature: usize, semantic: &'static str, value: u32, component: u32) {
        let element = Element { semantic, system_value: value, component, ..EMPTY };
        self.add(signature, element, 1);
    }

    /// The first element of a register has its number, a further one a number past all registers.
    fn user_index(&self, signature: usize, register: u32, stream: u32, mask: u8) -> u32 {
        let taken = self.signatures[signature]
            .iter()
            .any(|element| (element.register, element.stream) == (register, stream) && element.mask & mask == 0);
        if taken { register + 32 * mask.trailing_zeros() } else { register }
    }

    fn count(&self, signature: usize, stream: u32, semantic: &str) -> u32 {
        let elements = self.signatures[signature].iter();
        elements.filter(|e| e.semantic == semantic && e.stream == stream).count() as u32
    }

    /// Adds an element; one that is declared again, as phases do, grows.
    fn add(&mut self, signature: usize, mut element: Element<'static>, mask: u8) {
        let reads = is_read(signature, self.program.ty);
        let rw_mask = |mask| if reads { mask } else { unwritten(mask) };
        let overlaps = |other: &&mut Element<'static>| {
            let same = (other.register, other.stream) == (element.register, element.stream);
            let named_apart = element.register == NO_REGISTER && other.semantic != element.semantic;
            same && other.mask & mask != 0 && !named_apart
        };
        if let Some(other) = self.signatures[signature].iter_mut().find(overlaps) {
            other.mask |= mask;
            other.rw_mask = rw_mask(other.mask);
            return;
        }
        element.mask = mask;
        element.rw_mask = rw_mask(mask);
        self.signatures[signature].push(element);
    }
}

/// The register's number: the last index, a vertex stands before it.
fn register(operand: &Operand) -> u32 {
    operand.last_index().as_constant().unwrap_or(NO_REGISTER)
}
