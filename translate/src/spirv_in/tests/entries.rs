//! Entry points, versions, what is no shader, bytes of either endianness, the profile.

use super::super::{testing::assemble, translate};
use super::{bound, compute, interface, read};
use crate::error::ErrorKind;
use crate::interface::Stage;
use crate::ledger;
use crate::options::{Features, Options, Target};
use crate::{Source, Translator};

/// `vs` uses %a, `fs` uses %b, nobody uses %c, both use %d.
fn two_entries() -> String {
    format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %vs \"vs\"
        OpEntryPoint Fragment %fs \"fs\"
        OpExecutionMode %fs OriginUpperLeft
        {}{}{}{}
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %s = OpTypeSampler
        %p = OpTypePointer UniformConstant %s
        %a = OpVariable %p UniformConstant
        %b = OpVariable %p UniformConstant
        %c = OpVariable %p UniformConstant
        %d = OpVariable %p UniformConstant
        %vs = OpFunction %void None %fn
        %vl = OpLabel
        %va = OpLoad %s %a
        %vd = OpLoad %s %d
        OpReturn
        OpFunctionEnd
        %fs = OpFunction %void None %fn
        %fl = OpLabel
        %fb = OpLoad %s %b
        %fd = OpLoad %s %d
        OpReturn
        OpFunctionEnd",
        bound("%a", 0),
        bound("%b", 1),
        bound("%c", 2),
        bound("%d", 3)
    )
}

#[test]
fn an_entry_point_is_chosen_by_name() {
    let words = assemble(&two_entries());
    let read = |entry| super::read_interface(&words, Some(entry)).unwrap();
    let (vs, fs) = (read("vs"), read("fs"));
    assert_eq!((vs.stage, vs.entry_point.as_str()), (Stage::Vertex, "vs"));
    assert_eq!((fs.stage, fs.entry_point.as_str()), (Stage::Fragment, "fs"));
    let bindings = |i: &crate::StageInterface| i.resources.iter().map(|r| (r.binding, r.used)).collect::<Vec<_>>();
    assert_eq!(bindings(&vs), [(0, true), (2, false), (3, true)]);
    assert_eq!(bindings(&fs), [(1, true), (2, false), (3, true)]);
}

#[test]
fn of_several_entry_points_one_must_be_named() {
    let error = read(&two_entries()).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::ENTRY_AMBIGUOUS, ErrorKind::Refused));
    assert_eq!(error.what, "the module has `vs` (Vertex), `fs` (Fragment)");
    let error = super::read_interface(&assemble(&two_entries()), Some("main")).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::ENTRY_NOT_FOUND, ErrorKind::Refused));
    assert!(error.what.contains("`main`") && error.what.contains("`vs` (Vertex)"), "{}", error.what);
}

#[test]
fn every_raster_and_compute_stage_is_taken_and_others_are_not() {
    let stages = [
        ("Vertex", Stage::Vertex),
        ("TessellationControl", Stage::TessellationControl),
        ("TessellationEvaluation", Stage::TessellationEvaluation),
        ("Geometry", Stage::Geometry),
        ("Fragment", Stage::Fragment),
        ("GLCompute", Stage::Compute),
        ("TaskEXT", Stage::Task),
        ("MeshEXT", Stage::Mesh),
    ];
    for (model, stage) in stages {
        assert_eq!(interface(&super::module(model, "", "", "")).stage, stage);
    }
    for model in ["RayGenerationKHR", "ClosestHitKHR", "Kernel"] {
        let error = read(&super::module(model, "", "", "")).unwrap_err();
        assert_eq!((error.code, error.kind), (ledger::SPIRV_NOT_A_SHADER, ErrorKind::Refused), "{model}");
    }
}

#[test]
fn kernels_are_refused() {
    let kernel = compute("", "", "").replace("OpCapability Shader", "OpCapability Kernel");
    assert_eq!(read(&kernel).unwrap_err().code, ledger::SPIRV_NOT_A_SHADER);
    let opencl = compute("", "", "").replace("Logical GLSL450", "Physical64 OpenCL");
    assert_eq!(read(&opencl).unwrap_err().code, ledger::SPIRV_NOT_A_SHADER);
}

#[test]
fn words_pass_unchanged_from_bytes_of_either_endianness() {
    let words = assemble(&compute("OpName %main \"kept\"", "", ""));
    let little: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let big: Vec<u8> = words.iter().flat_map(|w| w.to_be_bytes()).collect();
    let translator = Translator::new(Options { names: false, ..Options::default() });
    for bytes in [little, big] {
        let translation = translator.translate(Source::Spirv(&bytes)).unwrap();
        assert_eq!(translation.spirv, words);
        assert_eq!(translation.interface.workgroup_size, Some([1, 1, 1]));
        assert_eq!(translation.notes, []);
    }
}

#[test]
fn a_module_newer_than_the_target_is_refused() {
    let mut words = assemble(&compute("", "", ""));
    words[1] = 0x0001_0600;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut options = Options::default();
    assert!(translate(&bytes, &options).is_ok());
    options.profile.target = Target::Vulkan12;
    let error = translate(&bytes, &options).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::SPIRV_VERSION, ErrorKind::Refused));
    assert_eq!(error.what, "the module is SPIR-V 1.6, the target takes 1.5");
}

#[test]
fn a_feature_that_the_profile_lacks_is_named() {
    let text = compute("", "", "").replace("OpCapability Shader", "OpCapability Shader\nOpCapability Float64");
    let bytes: Vec<u8> = assemble(&text).iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut options = Options::default();
    assert!(translate(&bytes, &options).is_ok());
    options.profile.features = Features { float64: false, ..Features::full() };
    let error = translate(&bytes, &options).unwrap_err();
    assert_eq!((error.code, error.kind), (ledger::NOT_IN_PROFILE, ErrorKind::Refused));
    assert_eq!(error.what, "capability Float64 needs shaderFloat64");
}

#[test]
fn workgroup_sizes_by_mode_by_id_and_by_constant() {
    let text = |mode: &str, globals: &str, decorations: &str| {
        super::module("GLCompute", &format!("{mode}\n{decorations}"), globals, "")
    };
    let literal = text("OpExecutionMode %main LocalSize 8 4 2", "", "");
    assert_eq!(interface(&literal).workgroup_size, Some([8, 4, 2]));
    let by_id = text("OpExecutionModeId %main LocalSizeId %c4 %c2 %n", "%n = OpSpecConstant %u32 16", "");
    assert_eq!(interface(&by_id).workgroup_size, Some([4, 2, 16]));
    let constant = text(
        "OpExecutionMode %main LocalSize 1 1 1",
        "%n = OpSpecConstant %u32 64\n%size = OpSpecConstantComposite %v3u %n %c2 %c1",
        "OpDecorate %size BuiltIn WorkgroupSize",
    );
    assert_eq!(interface(&constant).workgroup_size, Some([64, 2, 1]));
    assert_eq!(interface(&super::module("Vertex", "", "", "")).workgroup_size, None);
}

#[test]
fn what_is_not_spirv_is_malformed() {
    let options = Options::default();
    let mut short = assemble(&compute("", "", "")).iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    short.pop();
    for bytes in [&b""[..], b"DXBC", b"not a shader, but a text of some length", &short] {
        let error = translate(bytes, &options).unwrap_err();
        assert_eq!((error.code, error.kind), (ledger::NOT_SPIRV, ErrorKind::Malformed));
    }
}
