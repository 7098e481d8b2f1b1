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

/// Whether a stage may still be refused as a whole.
pub fn is_pending(stage: Option<Stage>, code: Option<&str>) -> bool {
    let later = matches!(stage, Some(Stage::Geometry | Stage::TessellationControl | Stage::TessellationEvaluation));
    later && matches!(code, Some("RX0203"))
}

/// The project's own shaders that do not translate.
pub const OWN: &[Refusal] = &[
    refusal("tests/assets/dxbc/features/flow_switch.ps_4_0.dxbc", "RX0205", "a subroutine"),
    refusal("tests/assets/dxbc/features/flow_switch.ps_5_0.dxbc", "RX0205", "a subroutine"),
    refusal("tests/assets/dxbc/features/flow_switch.ps_5_0.od.dxbc", "RX0205", "a subroutine"),
    refusal("tests/assets/dxbc/features/flow_switch_nested.cs_5_0.dxbc", "RX0205", "a subroutine"),
    refusal("tests/assets/dxbc/features/flow_switch_nested.cs_5_0.od.dxbc", "RX0205", "a subroutine"),
    refusal("tests/assets/dxbc/features/interfaces.ps_5_0.dxbc", "RX0205", "class linkage"),
    refusal("tests/assets/dxbc/features/interfaces.ps_5_0.od.dxbc", "RX0205", "class linkage"),
    refusal("tests/assets/dxbc/features/printf_abort.ps_5_0.dxbc", "RX0206", "debug messages"),
    refusal("tests/assets/dxbc/features/ps_inner_coverage.ps_5_0.dxbc", "RX0207", "SV_InnerCoverage"),
    refusal("tests/assets/dxbc/features/uav_rasterizer_ordered.ps_5_0.dxbc", "RX0209", "rasteriser-ordered views"),
    refusal("tests/assets/dxbc/features/uav_rasterizer_ordered.ps_5_1.dxbc", "RX0209", "rasteriser-ordered views"),
    refusal("tests/assets/dxbc/features/msad.cs_5_0.dxbc", "RX0211", "msad"),
    refusal("tests/assets/dxbc/features/ps_evaluate_attribute.ps_5_0.dxbc", "RX0212", "samples of the rasteriser"),
];

/// Shaders of the corpus that do not translate.
pub const CORPUS: &[Refusal] = &[
    refusal("dxc/interface1.dxbc", "RX0205", "class linkage"),
    refusal(
        "vkd3d-proton/conservative_rasterization_ps_underestimate.conservative_rasterization_ps_undere.dxbc",
        "RX0207",
        "SV_InnerCoverage",
    ),
    refusal("vkd3d-proton/d3d12_rov.ps_code_single_dxbc.dxbc", "RX0209", "rasteriser-ordered views"),
    refusal("dxc/samplepos.dxbc", "RX0212", "samples of the rasteriser"),
    refusal("vkd3d-proton/d3d12_shaders.ps_code_dxbc.3.dxbc", "RX0212", "samples of the rasteriser"),
];

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
