//! Counting: what a program's set takes of each of Metal's tables, per stage bit, and what the rules ask besides.
//!
//! Owns [`Summary`], which is counted once when a program is built, so that a plan costs the same however many bindings
//! there are. It knows no device and decides nothing.

use rx_translate::interface::{Access, DescriptorType, Stage};

use super::device_limits::Kinds;
use super::program::{LayoutBinding, ProgramStage, STAGES, StageBinding, StageBits, stage_index};

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

/// Textures that one descriptor of a binding takes: its planes. MoltenVK sums the planes of an array's elements and takes
/// that sum for each element (MVKDescriptorSet.mm:257-275, 316-319).
fn images(ty: DescriptorType, descriptors: u32, planes: u32) -> u32 {
    match ty {
        DescriptorType::CombinedImageSampler if planes > 1 => planes.saturating_mul(descriptors.max(1)),
        _ => 1,
    }
}

/// Whether the type is a texture that a stage may write.
fn is_storage_texture(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer)
}

/// Whether the type is a buffer of storage.
fn is_storage_buffer(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic)
}

/// Whether the type is a buffer that may be pushed.
pub(crate) fn is_buffer(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::UniformBuffer | DescriptorType::StorageBuffer)
}

/// Whether the type is a texture that is read through a view's swizzle.
fn is_sampled(ty: DescriptorType) -> bool {
    matches!(ty, DescriptorType::SampledImage | DescriptorType::CombinedImageSampler)
}

/// Whether MoltenVK keeps a set with it out of argument buffers where the GPU swizzles no textures itself.
fn is_swizzled(own: &LayoutBinding) -> bool {
    is_sampled(own.ty) || own.ty == DescriptorType::InputAttachment
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
    fn add(&mut self, ty: DescriptorType, descriptors: u32, planes: u32) {
        let [buffers, textures, samplers] = slots(ty);
        self.buffers = self.buffers.saturating_add(buffers * descriptors);
        self.textures =
            self.textures.saturating_add((textures * descriptors).saturating_mul(images(ty, descriptors, planes)));
        self.samplers = self.samplers.saturating_add(samplers * descriptors);
        if is_storage_texture(ty) {
            self.storage_textures = self.storage_textures.saturating_add(descriptors);
        }
        self.needs.samples |= is_sampled(ty);
        self.needs.dynamic |= matches!(ty, DescriptorType::UniformBufferDynamic | DescriptorType::StorageBufferDynamic);
    }
}

impl BitCount {
    /// Takes in the implicit buffers that other sets' bindings ask for.
    pub fn share_needs(&mut self, other: &BitCount) {
        self.needs.samples |= other.needs.samples;
        self.needs.dynamic |= other.needs.dynamic;
    }

    /// Takes in what other sets' bindings take of the same tables.
    pub fn share(&mut self, other: &BitCount) {
        self.buffers = self.buffers.saturating_add(other.buffers);
        self.textures = self.textures.saturating_add(other.textures);
        self.samplers = self.samplers.saturating_add(other.samplers);
        self.storage_textures = self.storage_textures.saturating_add(other.storage_textures);
    }
}

/// The counts of all bits, in the order of the stages.
pub(crate) type Counts = [BitCount; 8];

/// Counts a program's set by stage bits: program stages that share one are summed, and share what they both declare.
fn count(stages: &[ProgramStage], bindings: &[LayoutBinding], push_constants: StageBits) -> Counts {
    let mut counts = [BitCount::default(); 8];
    for binding in bindings {
        for bit in binding.stages.iter() {
            counts[stage_index(bit)].add(binding.ty, binding.descriptors(), binding.planes);
        }
    }
    for stage in stages {
        add_stage(&mut counts[stage_index(stage.stage_bit)], stage);
    }
    for (bit, count) in STAGES.into_iter().zip(&mut counts) {
        count.push_constants = u32::from(push_constants.has(bit));
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
pub(crate) fn count_stages_apart(stages: &[ProgramStage], mut counts: Counts) -> Counts {
    for count in &mut counts {
        (count.buffers, count.textures, count.samplers) = (0, 0, 0);
    }
    for stage in stages {
        let mut own = BitCount::default();
        for binding in &stage.bindings {
            own.add(binding.ty, binding.count.unwrap_or(0), binding.planes);
        }
        let all = &mut counts[stage_index(stage.stage_bit)];
        all.buffers = all.buffers.max(own.buffers);
        all.textures = all.textures.max(own.textures);
        all.samplers = all.samplers.max(own.samplers);
    }
    counts
}

/// What the rules ask of a program. Each `first` is the lowest binding, or the first stage in pipeline order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Bits of the program's stages.
    pub bits: StageBits,
    /// Uses of Metal's tables by stage bit.
    pub counts: Counts,
    /// What the pipeline layout's other sets would take of them, were they bound one by one.
    pub others: Counts,
    /// Uses of Vulkan's limits.
    pub kinds: Kinds,
    /// Descriptors of all bindings together.
    pub descriptors: u32,
    /// First binding of a type that may not be pushed.
    pub first_unpushable: Option<(u32, DescriptorType)>,
    /// First array without an end.
    pub first_unbounded: Option<u32>,
    /// First array of storage buffers and its count.
    pub first_storage_array: Option<(u32, u32)>,
    /// First binding of variables that Metal's discrete tables cannot alias, and the stage that has them.
    pub first_aliased_array: Option<(Stage, u32)>,
    /// First texture that is read through a view's swizzle.
    pub first_sampled: Option<u32>,
    /// Whether a texture is read through a view's swizzle, or an input attachment.
    pub swizzled: bool,
    /// The same of the other sets.
    pub others_swizzled: bool,
    /// First stage that is known to read the length of a storage buffer of this set.
    pub first_length: Option<Stage>,
    /// First stage that has not been read and uses global memory.
    pub first_unread: Option<Stage>,
    /// The geometry stage.
    pub geometry: Option<Stage>,
    /// First stage with transform feedback.
    pub first_feedback: Option<Stage>,
    /// First stage that tessellates isolines.
    pub first_isolines: Option<Stage>,
    /// First array of storage textures with atomics, and the stage that has them.
    pub first_atomic_array: Option<(Stage, u32)>,
}

impl Summary {
    /// Counts a program. Takes stages in pipeline order and bindings in order of their numbers.
    pub fn new(
        stages: &[ProgramStage],
        bindings: &[LayoutBinding],
        push_constants: StageBits,
        others: &[LayoutBinding],
    ) -> Summary {
        let first = |wanted: fn(&LayoutBinding) -> bool| bindings.iter().find(|binding| wanted(binding));
        let first_stage = |wanted: fn(&ProgramStage) -> bool| stages.iter().find(|s| wanted(s)).map(|s| s.stage);
        let is_array = |own: &LayoutBinding| is_storage_buffer(own.ty) && own.count.is_some_and(|count| count > 1);
        Summary {
            bits: stages.iter().map(|stage| stage.stage_bit).collect(),
            counts: count(stages, bindings, push_constants),
            others: count(&[], others, StageBits::EMPTY),
            kinds: Kinds::count(bindings),
            descriptors: bindings.iter().map(LayoutBinding::descriptors).fold(0, u32::saturating_add),
            first_unpushable: first(|own| !may_be_pushed(own.ty)).map(|own| (own.binding, own.ty)),
            first_unbounded: first(|own| own.count.is_none()).map(|own| own.binding),
            first_storage_array: first(is_array).map(|own| (own.binding, own.descriptors())),
            first_aliased_array: stages.iter().find_map(aliased_array),
            first_sampled: first(|own| is_sampled(own.ty)).map(|own| own.binding),
            swizzled: bindings.iter().any(is_swizzled),
            others_swizzled: others.iter().any(is_swizzled),
            first_length: first_stage(reads_length_here),
            first_unread: first_stage(|stage| stage.reads_array_length.is_none() && stage.uses_global_memory),
            geometry: first_stage(|stage| stage.stage == Stage::Geometry),
            first_feedback: first_stage(|stage| stage.transform_feedback),
            first_isolines: first_stage(|stage| stage.isolines),
            first_atomic_array: stages.iter().find_map(atomic_array),
        }
    }
}

/// Whether a push descriptor layout may have the type (VUID-VkDescriptorSetLayoutCreateInfo-flags-00280 and -02208).
fn may_be_pushed(ty: DescriptorType) -> bool {
    !matches!(
        ty,
        DescriptorType::UniformBufferDynamic
            | DescriptorType::StorageBufferDynamic
            | DescriptorType::InlineUniformBlock
    )
}

/// Several variables at one binding: of buffers with an array SPIRV-Cross writes none outside an argument buffer
/// (spirv_msl.cpp:15165); of textures or samplers it writes two at one index, which Metal does not take.
fn aliased_array(stage: &ProgramStage) -> Option<(Stage, u32)> {
    let aliased = stage.bindings.iter().find(|own| own.aliased_array)?;
    Some((stage.stage, aliased.binding))
}

/// An array of storage textures on whose texels the stage has atomics.
fn atomic_array(stage: &ProgramStage) -> Option<(Stage, u32)> {
    let is_array = |own: &StageBinding| own.count.is_none_or(|count| count > 1);
    let found = stage.bindings.iter().find(|own| is_storage_texture(own.ty) && own.texel_atomics && is_array(own))?;
    Some((stage.stage, found.binding))
}

/// Whether a stage is known to read the length of a storage buffer of this set. Where only the stage as a whole says so,
/// any storage buffer of this set may be the one.
fn reads_length_here(stage: &ProgramStage) -> bool {
    stage.reads_array_length == Some(true)
        && stage.bindings.iter().any(|own| is_storage_buffer(own.ty) && own.reads_length != Some(false))
}
