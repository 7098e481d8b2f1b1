//! Counting: what a program's set takes of each table, and of each of Vulkan's limits, per stage bit.

use rx_translate::interface::{Access, DescriptorType, Stage};

use super::plan::TablesOf;
use super::program::{ProgramInterface, ProgramStage, StageBinding, stage_index};

/// What one descriptor takes: buffers, textures, samplers.
fn slots(ty: DescriptorType) -> [u32; 3] {
    match ty {
        DescriptorType::UniformBuffer
        | DescriptorType::StorageBuffer
        | DescriptorType::UniformBufferDynamic
        | DescriptorType::StorageBufferDynamic
        | DescriptorType::InlineUniformBlock => [1, 0, 0],
        DescriptorType::SampledImage
        | DescriptorType::UniformTexelBuffer
        | DescriptorType::StorageTexelBuffer
        | DescriptorType::StorageImage
        | DescriptorType::InputAttachment => [0, 1, 0],
        DescriptorType::CombinedImageSampler => [0, 1, 1],
        DescriptorType::Sampler => [0, 0, 1],
    }
}

/// Whether the type is a texture that a stage may write.
pub(crate) fn is_storage_texture(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer)
}

/// Whether the type is a buffer of storage.
pub(crate) fn is_storage_buffer(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic)
}

/// Whether the type is a texture that is read through a view's swizzle.
pub(crate) fn is_sampled(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::SampledImage | DescriptorType::CombinedImageSampler)
}

/// What a stage's implicit buffers depend on, of all program stages of one bit together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StageNeeds {
    /// A buffer with a dynamic offset is visible.
    pub dynamic: bool,
    /// A length is read, of whatever set, or may be.
    pub length: bool,
    /// A texture is sampled.
    pub samples: bool,
    pub multiview: bool,
    pub draw_index: bool,
    pub dispatch_base: bool,
}

/// What one stage bit takes. In descriptors; sums stop at the largest number rather than wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitCount {
    /// Whether the program has a stage of this bit.
    pub present: bool,
    /// Buffers of the set.
    pub buffers: u32,
    /// Textures.
    pub textures: u32,
    /// Samplers.
    pub samplers: u32,
    /// Storage textures, which take a buffer as well where the GPU lacks texture atomics.
    pub storage_textures: u32,
    /// 1 where a push-constant range names the bit.
    pub push_constants: u32,
    /// Read_write textures of the program stage that has most.
    pub read_write: u32,
    /// The program stage that has them.
    pub read_write_stage: Option<Stage>,
    /// For implicit buffers.
    pub needs: StageNeeds,
}

impl BitCount {
    fn add(&mut self, ty: DescriptorType, descriptors: u32) {
        let [buffers, textures, samplers] = slots(ty);
        self.buffers = self.buffers.saturating_add(buffers * descriptors);
        self.textures = self.textures.saturating_add(textures * descriptors);
        self.samplers = self.samplers.saturating_add(samplers * descriptors);
        if is_storage_texture(ty) {
            self.storage_textures = self.storage_textures.saturating_add(descriptors);
        }
        self.needs.samples |= is_sampled(ty);
        self.needs.dynamic |= matches!(ty, DescriptorType::UniformBufferDynamic | DescriptorType::StorageBufferDynamic);
    }
}

/// The counts of all bits, in the order of the stages.
pub(crate) type Counts = [BitCount; 8];

/// Counts a program.
pub(crate) fn count(program: &ProgramInterface, tables_of: TablesOf) -> Counts {
    let mut counts = [BitCount::default(); 8];
    match tables_of {
        TablesOf::StageBit => {
            for binding in program.bindings() {
                for bit in binding.stages.iter() {
                    counts[stage_index(bit)].add(binding.ty, binding.descriptors());
                }
            }
        }
        TablesOf::ProgramStage => count_stages_apart(program, &mut counts),
    }
    for stage in program.stages() {
        add_stage(&mut counts[stage_index(stage.stage_bit)], stage);
    }
    for (bit, count) in super::program::STAGES.into_iter().zip(&mut counts) {
        count.push_constants = u32::from(program.push_constants().has(bit));
    }
    counts
}

/// What a program stage has apart from the set's tables.
fn add_stage(count: &mut BitCount, stage: &ProgramStage) {
    count.present = true;
    let read_write = stage.bindings.iter().filter_map(read_write_textures).fold(0, u32::saturating_add);
    if read_write > count.read_write {
        count.read_write = read_write;
        count.read_write_stage = Some(stage.stage);
    }
    count.needs.length |= stage.reads_array_length.unwrap_or(stage.uses_global_memory);
    count.needs.multiview |= stage.multiview;
    count.needs.draw_index |= stage.draw_index;
    count.needs.dispatch_base |= stage.dispatch_base;
}

fn read_write_textures(own: &StageBinding) -> Option<u32> {
    let counts = is_storage_texture(own.ty) && own.access == Access::ReadWrite;
    own.count.filter(|_| counts)
}

/// A rule that is wrong, kept for the test that shows it caught: a table for every program stage.
fn count_stages_apart(program: &ProgramInterface, counts: &mut Counts) {
    for stage in program.stages() {
        let mut own = BitCount::default();
        for binding in &stage.bindings {
            own.add(binding.ty, binding.count.unwrap_or(0));
        }
        let all = &mut counts[stage_index(stage.stage_bit)];
        all.buffers = all.buffers.max(own.buffers);
        all.textures = all.textures.max(own.textures);
        all.samplers = all.samplers.max(own.samplers);
    }
}
