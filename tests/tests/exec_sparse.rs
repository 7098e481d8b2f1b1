//! Which operations with a status of residency the driver can run at all, by modules that are written by hand: what fails
//! here is the driver's own fault, and the tests of translated shaders leave it out.
//!
//! A form may end the process, so each runs in a process of its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use rx_tests::validator::Validator;
use rx_tests::vulkan::{
    Buffer, Dispatch, Registers, SamplerState, Stage, Texture, TextureOptions, Translations, s, session, t, u,
};
use rx_translate::{Robustness, RobustnessByClass, Target};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{Assembler, AssemblerOptions, compiled::CompiledAssembler};
use std::process::Command;

/// Says which form this process is to run.
const FORM: &str = "RX_TEST_SPARSE_FORM";

/// A form: its name, the operation on `%image`, `%sampled` or `%stored` with the result `%got`, whether Lavapipe 25.0.7
/// ends the process over it.
const FORMS: &[(&str, &str, bool)] = &[
    // The same without a status, so that nothing else of the module is at fault.
    (
        "no status",
        "%texel = OpImageSampleExplicitLod %float4 %sampled %centre Lod %zero
%read = OpImageSparseRead %pair %stored %place
%code = OpCompositeExtract %int %read 0
%got = OpCompositeConstruct %pair %code %texel",
        false,
    ),
    ("sample", "%got = OpImageSparseSampleExplicitLod %pair %sampled %centre Lod %zero", true),
    ("sample, compared", "%got = OpImageSparseSampleDrefExplicitLod %single %sampled %centre %half Lod %zero", true),
    ("fetch", "%got = OpImageSparseFetch %pair %image %place Lod %first", true),
    ("gather", "%got = OpImageSparseGather %pair %sampled %centre %first", true),
    ("gather, compared", "%got = OpImageSparseDrefGather %pair %sampled %centre %half", true),
    ("read", "%got = OpImageSparseRead %pair %stored %place", false),
];

/// The module of an operation: it stores the status, as a word, and the first component, as bits.
fn module(operation: &str) -> Vec<u32> {
    let text = format!(
        "OpCapability Shader
OpCapability SparseResidency
OpCapability StorageImageReadWithoutFormat
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %texture %sampler %storage %results
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 0
OpDecorate %storage DescriptorSet 0
OpDecorate %storage Binding 1
OpDecorate %storage NonWritable
OpDecorate %results DescriptorSet 0
OpDecorate %results Binding 2
OpDecorate %sampler DescriptorSet 0
OpDecorate %sampler Binding 3
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%truth = OpTypeBool
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%pair = OpTypeStruct %int %float4
%single = OpTypeStruct %int %float
%texture_type = OpTypeImage %float 2D 0 0 0 1 Unknown
%storage_type = OpTypeImage %float 2D 0 0 0 2 Unknown
%sampler_type = OpTypeSampler
%sampled_type = OpTypeSampledImage %texture_type
%words = OpTypeRuntimeArray %int
%block = OpTypeStruct %words
%texture_pointer = OpTypePointer UniformConstant %texture_type
%storage_pointer = OpTypePointer UniformConstant %storage_type
%sampler_pointer = OpTypePointer UniformConstant %sampler_type
%block_pointer = OpTypePointer StorageBuffer %block
%word_pointer = OpTypePointer StorageBuffer %int
%texture = OpVariable %texture_pointer UniformConstant
%storage = OpVariable %storage_pointer UniformConstant
%sampler = OpVariable %sampler_pointer UniformConstant
%results = OpVariable %block_pointer StorageBuffer
%first = OpConstant %int 0
%one = OpConstant %int 1
%zero = OpConstant %float 0
%half = OpConstant %float 0.5
%centre = OpConstantComposite %float2 %half %half
%place = OpConstantComposite %int2 %first %first
%main = OpFunction %void None %function
%body = OpLabel
%image = OpLoad %texture_type %texture
%stored = OpLoad %storage_type %storage
%held = OpLoad %sampler_type %sampler
%sampled = OpSampledImage %sampled_type %image %held
{operation}
%status = OpCompositeExtract %int %got 0
%there = OpImageSparseTexelsResident %truth %status
%said = OpSelect %int %there %one %first
%value = {}
%bits = OpBitcast %int %value
%status_place = OpAccessChain %word_pointer %results %first %first
OpStore %status_place %said
%value_place = OpAccessChain %word_pointer %results %first %one
OpStore %value_place %bits
OpReturn
OpFunctionEnd
",
        if operation.contains("%single") {
            "OpCompositeExtract %float %got 1"
        } else {
            "OpCompositeExtract %float %got 1 0"
        }
    );
    let assembler = CompiledAssembler::with_env(TargetEnv::Vulkan_1_3);
    let options = AssemblerOptions { preserve_numeric_ids: false };
    let words = assembler.assemble(&text, options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    words.as_words().to_vec()
}

/// Runs a form. Every texel is there, and 0.5.
fn run(operation: &str) {
    let Some(session) = session() else { return };
    let texel = 0.5f32.to_bits();
    let content: Vec<u8> = texel.to_le_bytes().repeat(4);
    // R32_FLOAT.
    let texture = Texture::with_content(session.device, TextureOptions::d2(41, 2, 2).unwrap(), &content).unwrap();
    let results = Buffer::of_words(session.device, &[7, 7]).unwrap();
    let sampler = if operation.contains("Dref") { SamplerState::comparison(3) } else { SamplerState::point() };
    // What is only read is a shader resource, by its binding.
    let registers = Registers::new().texture(t(0), &texture).texture(t(1), &texture).texture(u(1), &texture);
    let registers = registers.buffer(u(2), &results).sampler(s(3), sampler);
    let code: Vec<u8> = module(operation).iter().flat_map(|word| word.to_le_bytes()).collect();
    let translations = Translations::new(session.device, RobustnessByClass::all(Robustness::Device));
    let stage = Stage { code: &code, registers: &registers };
    Dispatch { stage, groups: [1, 1, 1] }.run(&translations).unwrap();
    let want = if operation.contains("Dref") { 1f32.to_bits() } else { texel };
    assert_eq!(results.words(), [1, want], "{operation}");
}

#[test]
fn a_form_in_this_process() {
    let Ok(form) = std::env::var(FORM) else { return };
    let (_, operation, _) = FORMS.iter().find(|own| own.0 == form).expect("a form of this name");
    run(operation);
}

#[test]
fn every_form_is_valid() {
    for (name, operation, _) in FORMS {
        Validator::new(Target::Vulkan13).check(&module(operation)).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn forms_run_but_for_the_drivers_known_faults() {
    let (residency, lavapipe) = match session() {
        Some(session) => (session.device.enabled.features.residency, session.device.name.starts_with("llvmpipe")),
        None => return,
    };
    if !residency {
        println!("skipped: the device has no shaderResourceResidency");
        return;
    }
    for (name, _, ends) in FORMS {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "a_form_in_this_process", "--nocapture"]).env(FORM, name);
        let output = child.output().unwrap();
        let (code, known) = (output.status.code(), *ends && lavapipe);
        let said = String::from_utf8_lossy(&output.stderr);
        if known {
            // Where the driver is mended, the tests of translated shaders may ask for this status too.
            assert_eq!(code, None, "{name}: the driver does not crash any more: {said}");
            println!("{name}: {}, the driver's fault", output.status);
        } else {
            assert_eq!(code, Some(0), "{name}: {}\n{said}", output.status);
        }
    }
}
