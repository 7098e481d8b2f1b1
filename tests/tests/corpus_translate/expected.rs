//! What is known of the collections: how many shaders of each stage there are, and which do not translate, and why.
//!
//! A shader that is refused and is not in the table fails the test, and so does one in the table that translates.

use rx_translate::interface::Stage;

/// A shader that does not translate.
pub struct Refusal {
    pub file: &'static str,
    pub code: &'static str,
    /// What of it has no counterpart.
    #[allow(dead_code)] // It is there for those who read the table.
    pub why: &'static str,
}

const fn refusal(file: &'static str, code: &'static str, why: &'static str) -> Refusal {
    Refusal { file, code, why }
}

/// The project's own shaders that do not translate.
pub const OWN: &[Refusal] = &[];

/// Shaders of the corpus that do not translate.
pub const CORPUS: &[Refusal] = &[refusal("dxc/interface1.dxbc", "RX0205", "class linkage")];

/// The project's own shaders by stage.
pub const OWN_STAGES: &[(Stage, usize)] = &[
    (Stage::Vertex, 63),
    (Stage::TessellationControl, 16),
    (Stage::TessellationEvaluation, 14),
    (Stage::Geometry, 21),
    (Stage::Fragment, 190),
    (Stage::Compute, 133),
];

/// Shaders of the corpus by stage, as its manifest has them.
pub const CORPUS_STAGES: &[(Stage, usize)] = &[
    (Stage::Vertex, 245),
    (Stage::TessellationControl, 27),
    (Stage::TessellationEvaluation, 11),
    (Stage::Geometry, 16),
    (Stage::Fragment, 872),
    (Stage::Compute, 220),
];
