//! Behaviour of the reader, on modules in text whose interface was read off by hand.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod access;
mod entries;
mod grammar;
mod hostile;
mod resources;
mod signatures;

use super::read_interface;
use super::testing::assemble;
use crate::error::Error;
use crate::interface::{Resource, StageInterface};

/// Types and constants that most test modules share.
const TYPES: &str = "
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %u32 = OpTypeInt 32 0
    %i32 = OpTypeInt 32 1
    %f32 = OpTypeFloat 32
    %f64 = OpTypeFloat 64
    %v2f = OpTypeVector %f32 2
    %v3f = OpTypeVector %f32 3
    %v4f = OpTypeVector %f32 4
    %v2u = OpTypeVector %u32 2
    %v3u = OpTypeVector %u32 3
    %v4u = OpTypeVector %u32 4
    %c0 = OpConstant %u32 0
    %c1 = OpConstant %u32 1
    %c2 = OpConstant %u32 2
    %c3 = OpConstant %u32 3
    %c4 = OpConstant %u32 4
    %c0f = OpConstant %f32 0
    %o2u = OpConstantComposite %v2u %c0 %c0
    %o2f = OpConstantComposite %v2f %c0f %c0f
    %o4f = OpConstantComposite %v4f %c0f %c0f %c0f %c0f
";

/// A module with one entry point `main` of a model.
fn module(model: &str, decorations: &str, globals: &str, body: &str) -> String {
    format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint {model} %main \"main\"
        {decorations}
        {TYPES}
        {globals}
        %main = OpFunction %void None %fn
        %entry = OpLabel
        {body}
        OpReturn
        OpFunctionEnd"
    )
}

/// A compute shader of one thread.
fn compute(decorations: &str, globals: &str, body: &str) -> String {
    module("GLCompute", &format!("OpExecutionMode %main LocalSize 1 1 1\n{decorations}"), globals, body)
}

fn read(text: &str) -> Result<StageInterface, Error> {
    read_interface(&assemble(text), None)
}

fn interface(text: &str) -> StageInterface {
    read(text).unwrap()
}

/// The only resource of a module.
fn only(text: &str) -> Resource {
    let mut resources = interface(text).resources;
    assert_eq!(resources.len(), 1, "{resources:#?}");
    resources.remove(0)
}

/// Set 0 and a binding for a variable.
fn bound(id: &str, binding: u32) -> String {
    format!("OpDecorate {id} DescriptorSet 0\nOpDecorate {id} Binding {binding}\n")
}
