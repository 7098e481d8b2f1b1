//! The ledger's rules, and the page that is written from it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::golden;
use rx_tests::shaders::repository;
use rx_translate::Code;
use rx_translate::ledger::{self, CODES, Row, RowKind};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn codes_are_unique_and_in_order() {
    for pair in CODES.windows(2) {
        assert!(pair[0].code < pair[1].code, "{} stands before {}", pair[0].code, pair[1].code);
    }
}

#[test]
fn every_row_says_something() {
    for row in CODES {
        for (what, text) in [("title", row.title), ("what", row.what), ("example", row.example), ("remedy", row.remedy)]
        {
            assert!(!text.trim().is_empty(), "{} has no {what}", row.code);
        }
        for text in [row.what, row.remedy] {
            assert!(text.ends_with(['.', ')']), "{}: `{text}` is no sentence", row.code);
        }
    }
}

#[test]
fn a_codes_number_is_of_its_kind() {
    for row in CODES {
        let range = match row.kind {
            RowKind::Internal => 1..100,
            RowKind::Malformed | RowKind::Refused => 1..400,
            RowKind::Adapted | RowKind::Profile | RowKind::Warning => 400..600,
        };
        assert!(range.contains(&row.code.0), "{} is {:?}", row.code, row.kind);
    }
}

/// Every word of the translator's sources that could be a constant's name, but those of the ledger itself.
fn words_of_sources(folder: &Path, words: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            words_of_sources(&path, words);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("ledger.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            words.extend(text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_owned));
        }
    }
}

/// The names of the ledger's constants with their numbers, from its own source: the table cannot say them.
fn names() -> Vec<(String, u16)> {
    let text = std::fs::read_to_string(repository().join("translate/src/ledger.rs")).unwrap();
    let row = |line: &str| {
        let (name, rest) = line.trim().split_once(" = ")?;
        let number = rest.split(',').next()?.parse().ok()?;
        name.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            .then(|| (name.to_owned(), number))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn every_code_is_used() {
    let names = names();
    assert_eq!(names.len(), CODES.len(), "the ledger's source is not read aright");
    let mut words = BTreeSet::new();
    words_of_sources(&repository().join("translate/src"), &mut words);
    // A difference of the profile as a whole is told, not found in a shader.
    let found = |number: u16| CODES.iter().any(|row| row.code.0 == number && row.kind != RowKind::Profile);
    let unused: Vec<_> = names.iter().filter(|(name, number)| found(*number) && !words.contains(name)).collect();
    assert!(unused.is_empty(), "no source gives out {unused:?}");
}

const INTRODUCTION: &str = "\
# Translation: every code

Written from the ledger in `translate/src/ledger.rs`; `rx ledger` prints the same table and `rx explain CODE` one row.
`RX_BLESS=1 cargo test -p rx-tests --test ledger_page` writes this page anew.

A translation is *exact*, *adapted* or *refused*; malformed input is an error too. Exact: the module does what Direct3D
says, for every input that Direct3D defines. Adapted: it differs as a row below says, and the translation carries the
row's code with the number of places. Refused: there is no module, and the error has the code, the instruction's index
and its mnemonic. There is no fourth. `rx translate --strict` refuses what would be adapted.

A code never changes its meaning, and the number of one that is gone is not given out again.

## What the container leaves out

If a chunk is missing or says less than the program does, rx follows the program.

- *Signatures.* An input or output register, or a component of one, that the program declares and no signature element
  has is taken by its number: the location is the register. The interface lists it under the semantic `LOCATION` with
  the register as its index, unless other components of the register have an element, which then gets it. The
  translation carries `RX0410`. A component that is neither declared nor in an element is an error (`RX0107`), whether
  it is read or written.
- *Feature flags* (`SFI0`). Only one flag is used: without \"typed UAV loads of additional formats\" a view that is loaded
  from has one 32-bit component, and the image has that format. Where the flags are missing, the format stays open if
  the device can read and, where needed, write such images. If it cannot, the program may load one 32-bit component;
  loading more is refused (`RX0208`).
- *Reflection* (`RDEF`) gives names alone.

An instruction reads all of its operands, and the registers that index its destinations, before it writes anything.
Direct3D does not allow two destinations with the same component; if a program has them, the second one is written last.
";

/// How each system value goes from stage to stage, by hand. Tests: `stages` and `places` of `exec_opcodes`.
const SYSTEM_VALUES: &str = "
## System values between stages

A stage is translated without the stages around it, and Direct3D gives a system value a meaning only where the hardware
uses it: everywhere else it is data in its register (11.3, section 4.4.5). This table says where the value is in Vulkan.
*Location* is the location of the value's register, as for any other element.

| value | written to | read from | does the meaning depend on other stages? |
|---|---|---|---|
| SV_Position | `Position`, by every stage before the rasteriser | `Position` in a hull, domain or geometry shader; `FragCoord` in a pixel shader, with w as 1/w | No. A pixel shader gets the pixel's centre, its centroid or the sample, as the input is declared, at any shading rate (RX0417 for one case) |
| SV_ClipDistance, SV_CullDistance | `ClipDistance`, `CullDistance` and the location by a vertex, domain or geometry shader; the location by a hull shader | the location, with the interpolation that is declared | Yes: the last stage before the rasteriser clips with the built-in; the next stage reads the location |
| SV_RenderTargetArrayIndex, SV_ViewportArrayIndex | `Layer`, `ViewportIndex` and the location by a vertex or domain shader; the built-in by a geometry shader; the location by a hull shader | the location in a hull, domain or geometry shader; the built-in in a pixel shader, where it is 0 if no stage wrote it | Yes: as above. Without shaderOutputLayer and shaderOutputViewportIndex a vertex or domain shader writes the location alone (RX0415); `TranslatedProgram` refuses it (RX0208) if it is the last stage before the rasteriser. RX0419 for an index out of range |
| SV_VertexID, SV_InstanceID | the location, by any stage that hands it on | `VertexIndex`, `InstanceIndex` less the draw's base in a vertex shader (RX0401); the location in later stages | Yes: the first stage generates them, for later ones they are data |
| SV_PrimitiveID | `PrimitiveId`, by a geometry shader | `PrimitiveId` | Yes, in the same way in both: a pixel shader gets the geometry shader's value if there is one, else the generated id |
| SV_IsFrontFace | - | `FrontFacing`, as all ones or 0 | No. All ones for points and lines |
| SV_SampleIndex | - | `SampleId` | No. The shader runs once per sample |
| SV_Coverage | `SampleMask` | `SampleMask` | No. RX0416 in a shader that runs per sample |
| SV_InnerCoverage | - | `FullyCoveredEXT` in bit 0 | No. RX0208 without it |
| SV_Depth | `FragDepth` | - | No |
| SV_DepthGreaterEqual, SV_DepthLessEqual | `FragDepth`, held against the depth of the centroid or, in a shader that runs per sample, of the sample | - | No |
| SV_StencilRef | `FragStencilRefEXT` | - | No. RX0208 without VK_EXT_shader_stencil_export |
| SV_Target | the location of its number | - | No |
| SV_TessFactor, SV_InsideTessFactor | `TessLevelOuter`, `TessLevelInner`, by a hull shader | the same, by a domain shader | No. A domain shader reads what the tessellator takes: not above the declared maximum and, under `pow2` partitioning, rounded up |
| SV_DomainLocation | - | `TessCoord` | No |
| SV_OutputControlPointID, SV_GSInstanceID | - | `InvocationId` | No |
| SV_DispatchThreadID, SV_GroupID, SV_GroupThreadID, SV_GroupIndex | - | `GlobalInvocationId`, `WorkgroupId`, `LocalInvocationId`, `LocalInvocationIndex` | No |

A geometry stream that is not rasterised has all of its values at locations.

An input with `linear` or `noperspective` interpolation and no place is evaluated at the pixel's centre, also in a shader
that runs per sample (`InterpolateAtOffset`); one with `centroid` at a covered place of the pixel (RX0417, RX0418); one
with `sample` at the sample.
";

const PARTS: &[(&str, &str, RowKind)] = &[
    (
        "Adapted",
        "Translated, with a difference: what, and for which values. What would lift it follows, and the test that shows the\n\
         difference and nothing else.",
        RowKind::Adapted,
    ),
    (
        "Differences of a profile as a whole",
        "They follow from the device or its driver, hold for every shader, and change no shader's status.",
        RowKind::Profile,
    ),
    (
        "Warnings about the input",
        "Translated as the bytes say; the note says what is suspicious. They change no status.",
        RowKind::Warning,
    ),
    ("Refused", "Valid input that rx or the target cannot take.", RowKind::Refused),
    ("Malformed", "Input that is not what it says it is.", RowKind::Malformed),
    ("Faults of rx", "Never the input's doing.", RowKind::Internal),
];

/// The tests that show what an adaptation changes, and that it changes nothing else: code, file, function.
const PROOFS: &[(Code, &str, &str)] = &[
    (ledger::IDS_WITH_BASE, "tests/tests/exec_opcodes/adapted.rs", "ids_differ_by_the_base_alone"),
    (ledger::BAKED_CONSTANTS, "tests/tests/exec_glsl.rs", "specialization_constants_are_a_note"),
    (ledger::BUFFER_RESIDENCY, "tests/tests/exec_opcodes/adapted.rs", "statuses_of_memory_that_is_there_are_right"),
    (
        ledger::GUARDED_ALPHA,
        "tests/tests/exec_opcodes/adapted.rs",
        "guarded_texels_differ_in_a_missing_fourth_component_alone",
    ),
    (
        ledger::NO_ELEMENT,
        "tests/tests/exec_opcodes/adapted.rs",
        "registers_without_an_element_are_those_of_the_stage_before",
    ),
    (ledger::DEBUG_AIDS, "tests/tests/exec_opcodes/adapted.rs", "debug_messages_and_aborts_do_nothing"),
    (ledger::LAYER_OF_ANY_STAGE, "tests/tests/exec_opcodes/stages.rs", "a_layer_differs_in_a_last_stage_alone"),
    (
        ledger::COVERAGE_BY_SAMPLE,
        "tests/tests/exec_opcodes/places.rs",
        "coverage_differs_in_a_shader_that_runs_per_sample_alone",
    ),
    (
        ledger::CENTROID_BY_SAMPLE,
        "tests/tests/exec_opcodes/places.rs",
        "a_centroid_differs_in_a_shader_that_runs_per_sample_alone",
    ),
];

fn proof(code: Code) -> Option<&'static (Code, &'static str, &'static str)> {
    PROOFS.iter().find(|proof| proof.0 == code)
}

#[test]
fn every_adapted_row_has_a_test_that_shows_it() {
    for row in CODES.iter().filter(|row| row.kind == RowKind::Adapted) {
        let (_, file, function) = proof(row.code).unwrap_or_else(|| panic!("no test shows {}", row.code));
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        assert!(text.contains(&format!("#[test]\nfn {function}()")), "{}: no test {function} in {file}", row.code);
    }
    assert!(PROOFS.iter().all(|(code, ..)| CODES.iter().any(|row| row.code == *code && row.kind == RowKind::Adapted)));
}

fn row(row: &Row) -> String {
    let shown = proof(row.code)
        .map_or_else(String::new, |(_, file, function)| format!("\nShown by: `{function}` in `{file}`.\n"));
    let example = if row.example == "-" { String::new() } else { format!("\n\nExample: {}.", row.example) };
    format!("\n### {}: {}\n\n{}{example}\n\nWhat to do: {}\n{shown}", row.code, row.title, row.what, row.remedy)
}

#[test]
fn page_is_as_the_ledger_says() {
    let mut page = INTRODUCTION.to_owned() + SYSTEM_VALUES;
    for (title, introduction, kind) in PARTS {
        let rows: Vec<_> = CODES.iter().filter(|row| row.kind == *kind).collect();
        if !rows.is_empty() {
            page += &format!("\n## {title}\n\n{introduction}\n");
            page.extend(rows.into_iter().map(row));
        }
    }
    golden::check("docs/translation.md", &page);
}
