//! The rows of the opcode table that the generator does not make, and why.

use rx_translate::dxbc::opcodes::{OPCODES, Opcode};
use std::collections::BTreeSet;

const SAMPLES: &str = "filters texels: its result depends on the sampler, whose precision is the device's";
const DERIVES: &str = "needs the neighbouring pixels, which the interpreter does not run together";
const ATTRIBUTE: &str = "interpolates an attribute at a place that the device's rasteriser chooses";
const GEOMETRY: &str = "is a geometry shader's";
const MULTISAMPLED: &str = "reads a multisampled texture, which can only be filled by drawing";
const DEBUGS: &str = "stops the process or a debugger, and is not translated";
const CLASSES: &str = "calls the functions of a class instance that the host chooses";

/// Rows without programs. `exec_opcodes` executes all of them that can be executed.
pub const NOT_GENERATED: &[(Opcode, &str)] = &[
    (Opcode::Sample, SAMPLES),
    (Opcode::SampleC, SAMPLES),
    (Opcode::SampleCLz, SAMPLES),
    (Opcode::SampleL, SAMPLES),
    (Opcode::SampleD, SAMPLES),
    (Opcode::SampleB, SAMPLES),
    (Opcode::Gather4, SAMPLES),
    (Opcode::Gather4C, SAMPLES),
    (Opcode::Gather4Po, SAMPLES),
    (Opcode::Gather4PoC, SAMPLES),
    (Opcode::Gather4Feedback, SAMPLES),
    (Opcode::Gather4CFeedback, SAMPLES),
    (Opcode::Gather4PoFeedback, SAMPLES),
    (Opcode::Gather4PoCFeedback, SAMPLES),
    (Opcode::SampleLFeedback, SAMPLES),
    (Opcode::SampleCLzFeedback, SAMPLES),
    (Opcode::SampleClampFeedback, SAMPLES),
    (Opcode::SampleBClampFeedback, SAMPLES),
    (Opcode::SampleDClampFeedback, SAMPLES),
    (Opcode::SampleCClampFeedback, SAMPLES),
    (Opcode::Lod, SAMPLES),
    (Opcode::DerivRtx, DERIVES),
    (Opcode::DerivRty, DERIVES),
    (Opcode::DerivRtxCoarse, DERIVES),
    (Opcode::DerivRtxFine, DERIVES),
    (Opcode::DerivRtyCoarse, DERIVES),
    (Opcode::DerivRtyFine, DERIVES),
    (Opcode::EvalSnapped, ATTRIBUTE),
    (Opcode::EvalSampleIndex, ATTRIBUTE),
    (Opcode::EvalCentroid, ATTRIBUTE),
    (Opcode::Cut, GEOMETRY),
    (Opcode::Emit, GEOMETRY),
    (Opcode::EmitThenCut, GEOMETRY),
    (Opcode::EmitStream, GEOMETRY),
    (Opcode::CutStream, GEOMETRY),
    (Opcode::EmitThenCutStream, GEOMETRY),
    (Opcode::LdMs, MULTISAMPLED),
    (Opcode::LdMsFeedback, MULTISAMPLED),
    (Opcode::Abort, DEBUGS),
    (Opcode::DebugBreak, DEBUGS),
    (Opcode::Fcall, CLASSES),
];

/// The executable rows that neither `covered` nor the list has, and those that both have.
pub fn gaps(covered: &BTreeSet<Opcode>) -> (Vec<Opcode>, Vec<Opcode>) {
    let listed: BTreeSet<Opcode> = NOT_GENERATED.iter().map(|(op, _)| *op).collect();
    let rows = || OPCODES.iter().filter(|row| !row.is_declaration()).map(|row| row.op);
    let missing = rows().filter(|op| !covered.contains(op) && !listed.contains(op)).collect();
    let listed_in_vain = rows().filter(|op| covered.contains(op) && listed.contains(op)).collect();
    (missing, listed_in_vain)
}

/// The number of executable rows.
pub fn rows() -> usize {
    OPCODES.iter().filter(|row| !row.is_declaration()).count()
}
