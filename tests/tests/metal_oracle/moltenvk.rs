//! MoltenVK's index assignment, written a second time and from its source alone, so that it shares no number with the
//! planner that it judges (MoltenVK 1.4.2, MVKPipeline.mm:186-211, 363-393, 2077-2108, 2153-2196, 2530-2556; 1.4.1,
//! :2047-2065; 1.4.0, :1924-1931).

use rx_translate::interface::{DescriptorType, Stage};
use rx_vk::DeviceFacts;
use rx_vk::facts::MetalModel;
use rx_vk::layout::{ProgramInterface, VertexInput};

/// Buffers of a stage.
pub const BUFFERS: u32 = 31;
/// Samplers of a stage.
pub const SAMPLERS: u32 = 16;
/// Textures with read_write access of a stage's function.
pub const READ_WRITE: usize = 8;

/// One of the versions that the oracle knows, newest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// 1.4.0.
    V1_4_0,
    /// 1.4.1: no swizzle buffer, and what stands above it is one lower.
    V1_4_1,
    /// 1.4.2.
    V1_4_2,
}

/// A device under a MoltenVK.
#[derive(Clone, Debug)]
pub struct Device {
    /// The preset.
    pub facts: DeviceFacts,
    /// The same, with nothing open.
    pub model: MetalModel,
    /// MoltenVK's version.
    pub release: Release,
}

impl Device {
    /// The device of a preset.
    pub fn preset(name: &str) -> Device {
        let facts = DeviceFacts::preset(name).unwrap();
        let release = match name {
            _ if name.contains("1.4.0") => Release::V1_4_0,
            _ if name.contains("1.4.1") => Release::V1_4_1,
            _ => Release::V1_4_2,
        };
        Device { model: MetalModel::new(&facts), facts, release }
    }

    /// Textures of a stage.
    pub fn textures(&self) -> u32 {
        self.model.texture_table
    }
}

/// The implicit buffers' slots of one stage, counted from the top.
#[derive(Clone, Copy, Debug)]
pub struct Implicit {
    pub dynamic_offsets: u32,
    pub buffer_sizes: u32,
    pub swizzles: u32,
    /// View mask, vertex index, indirect parameters or dispatch base.
    pub third: u32,
    pub output: u32,
    pub patch_output: u32,
    pub tess_levels: u32,
}

/// Slots that a stage reserves at the top: vertex buffers, tessellation's.
pub fn reserved(program: &ProgramInterface, bit: Stage) -> u32 {
    match (bit, program.vertex_input()) {
        (Stage::Vertex, VertexInput::None) => 0,
        // Vulkan's least, where the input is not known.
        (Stage::Vertex, VertexInput::Unknown) => 16,
        (Stage::Vertex, VertexInput::Bindings { highest, translated }) => highest + 1 + translated,
        (Stage::TessellationControl, _) => 1,
        (Stage::TessellationEvaluation, _) => 3,
        _ => 0,
    }
}

/// Where a stage's implicit buffers stand: 30 − reserved − offset.
pub fn implicit(device: &Device, program: &ProgramInterface, bit: Stage) -> Implicit {
    let top = BUFFERS - 1 - reserved(program, bit).min(BUFFERS - 8);
    let swizzled = u32::from(device.release != Release::V1_4_1);
    let third = top - 2 - swizzled;
    Implicit {
        dynamic_offsets: top,
        buffer_sizes: top - 1,
        // Where the version has none it is not asked for either.
        swizzles: top - 2,
        third,
        output: third - 1,
        patch_output: third - 2,
        tess_levels: third - 3,
    }
}

/// Where one binding stands in a stage's tables.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub binding: u32,
    pub count: u32,
    pub buffer: u32,
    pub texture: u32,
    pub sampler: u32,
}

/// The slots of a stage, from 0 upwards.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The push constants' buffer.
    pub push_constants: Option<u32>,
    /// Each binding that the stage bit sees, in order.
    pub bindings: Vec<Slot>,
    /// The first buffer, texture and sampler that none of them has.
    pub next: [u32; 3],
}

/// The slots of a pushed set.
pub fn slots(device: &Device, program: &ProgramInterface, bit: Stage) -> Slots {
    let argument_buffers = program.other_sets_in_argument_buffers() && device.model.argument_buffers;
    let mut next = [if argument_buffers { 8 } else { 0 }, 0, 0];
    let mut push_constants = None;
    if program.push_constants().has(bit) {
        push_constants = Some(next[0]);
        next[0] += 1;
    }
    let mut bindings = Vec::new();
    for own in program.bindings().iter().filter(|own| own.stages.has(bit)) {
        let count = own.count.expect("an array without an end is never pushed");
        bindings.push(Slot { binding: own.binding, count, buffer: next[0], texture: next[1], sampler: next[2] });
        let each = match own.ty {
            DescriptorType::UniformBuffer | DescriptorType::StorageBuffer => [1, 0, 0],
            DescriptorType::Sampler => [0, 0, 1],
            DescriptorType::CombinedImageSampler => [0, 1, 1],
            DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer => {
                [u32::from(!device.model.native_atomics), 1, 0]
            }
            DescriptorType::SampledImage | DescriptorType::UniformTexelBuffer | DescriptorType::InputAttachment => {
                [0, 1, 0]
            }
            other => panic!("{other:?} is never pushed"),
        };
        for (next, each) in next.iter_mut().zip(each) {
            *next += each * count;
        }
    }
    Slots { push_constants, bindings, next }
}
