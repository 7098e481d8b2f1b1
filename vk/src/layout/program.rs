//! What the planner looks at: one program's stages, bindings, push constants, vertex input and other sets.
//!
//! Owns the merging of the stages' bindings into one set. It decides nothing.

use ash::vk;
use rx_translate::StageInterface;
use rx_translate::interface::{Access, DescriptorType, Stage};

use super::count::Summary;
use crate::Error;

/// Every stage, in the order in which bits, tables and answers list them.
pub(crate) const STAGES: [Stage; 8] = [
    Stage::Vertex,
    Stage::TessellationControl,
    Stage::TessellationEvaluation,
    Stage::Geometry,
    Stage::Fragment,
    Stage::Compute,
    Stage::Task,
    Stage::Mesh,
];

/// A stage's place in [`STAGES`].
pub(crate) fn stage_index(stage: Stage) -> usize {
    stage as usize
}

/// A set of stage bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StageBits(u8);

impl StageBits {
    /// No stage.
    pub const EMPTY: StageBits = StageBits(0);

    /// One stage.
    pub fn of(stage: Stage) -> StageBits {
        StageBits(1 << stage_index(stage))
    }

    /// Both sets together.
    #[must_use]
    pub fn or(self, other: StageBits) -> StageBits {
        StageBits(self.0 | other.0)
    }

    /// Whether the stage is in the set.
    pub fn has(self, stage: Stage) -> bool {
        self.0 & StageBits::of(stage).0 != 0
    }

    /// The stages in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Stage> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let stage = *STAGES.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(stage)
        })
    }

    /// Vulkan's flags.
    pub fn flags(self) -> vk::ShaderStageFlags {
        const FLAGS: [vk::ShaderStageFlags; 8] = [
            vk::ShaderStageFlags::VERTEX,
            vk::ShaderStageFlags::TESSELLATION_CONTROL,
            vk::ShaderStageFlags::TESSELLATION_EVALUATION,
            vk::ShaderStageFlags::GEOMETRY,
            vk::ShaderStageFlags::FRAGMENT,
            vk::ShaderStageFlags::COMPUTE,
            vk::ShaderStageFlags::TASK_EXT,
            vk::ShaderStageFlags::MESH_EXT,
        ];
        self.iter().fold(vk::ShaderStageFlags::empty(), |flags, stage| flags | FLAGS[stage_index(stage)])
    }
}

impl FromIterator<Stage> for StageBits {
    fn from_iter<I: IntoIterator<Item = Stage>>(stages: I) -> StageBits {
        stages.into_iter().fold(StageBits::EMPTY, |bits, stage| bits.or(StageBits::of(stage)))
    }
}

/// Vulkan's type of a descriptor type.
pub(crate) fn vulkan_type(ty: DescriptorType) -> vk::DescriptorType {
    match ty {
        DescriptorType::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
        DescriptorType::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
        DescriptorType::UniformBufferDynamic => vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC,
        DescriptorType::StorageBufferDynamic => vk::DescriptorType::STORAGE_BUFFER_DYNAMIC,
        DescriptorType::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        DescriptorType::Sampler => vk::DescriptorType::SAMPLER,
        DescriptorType::CombinedImageSampler => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        DescriptorType::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
        DescriptorType::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        DescriptorType::StorageTexelBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        DescriptorType::InputAttachment => vk::DescriptorType::INPUT_ATTACHMENT,
        DescriptorType::InlineUniformBlock => vk::DescriptorType::INLINE_UNIFORM_BLOCK,
    }
}

/// A resource as one stage declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StageBinding {
    /// Binding in the set.
    pub binding: u32,
    /// Descriptor type.
    pub ty: DescriptorType,
    /// Descriptors; `None` is an array without an end. For an inline uniform block: its bytes.
    pub count: Option<u32>,
    /// Access: `Read` is NonWritable, `Write` is NonReadable, `ReadWrite` is both or not known.
    pub access: Access,
    /// Whether the stage's code uses it. It takes its binding all the same.
    pub used: bool,
    /// Whether the stage reads its length; `None` where only the stage as a whole says.
    pub reads_length: Option<bool>,
    /// Whether the stage has atomics on its texels.
    pub texel_atomics: bool,
    /// Whether several variables stand at this binding that Metal's discrete tables cannot alias: buffers of which one is
    /// an array, textures, samplers.
    pub aliased_array: bool,
    /// Planes of each image of a combined image sampler with an immutable YCbCr conversion: 2 or 3; 1 of any other.
    pub planes: u32,
}

impl StageBinding {
    /// One binding of a type, access not known.
    pub fn new(binding: u32, ty: DescriptorType, count: u32) -> StageBinding {
        StageBinding {
            binding,
            ty,
            count: Some(count),
            access: Access::ReadWrite,
            used: true,
            reads_length: None,
            texel_atomics: false,
            aliased_array: false,
            planes: 1,
        }
    }
}

/// One program stage.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramStage {
    /// Stage.
    pub stage: Stage,
    /// The stage bit under which Vulkan sees it: the stage's own, or `compute` for a task or mesh stage that runs as a
    /// compute shader.
    pub stage_bit: Stage,
    /// Whether its code reads the length of a storage buffer, of whatever set; `None`: the code has not been read.
    pub reads_array_length: Option<bool>,
    /// Whether it touches storage buffers.
    pub uses_global_memory: bool,
    /// Whether it reads DrawIndex.
    pub draw_index: bool,
    /// Whether it runs in a multiview pass.
    pub multiview: bool,
    /// Whether it is dispatched with a base.
    pub dispatch_base: bool,
    /// Whether it captures transform feedback.
    pub transform_feedback: bool,
    /// Whether it tessellates isolines.
    pub isolines: bool,
    /// Its bindings in the set that is planned.
    pub bindings: Vec<StageBinding>,
}

impl ProgramStage {
    /// A stage that declares nothing and whose code has been read.
    pub fn new(stage: Stage) -> ProgramStage {
        ProgramStage {
            stage,
            stage_bit: stage,
            reads_array_length: Some(false),
            uses_global_memory: false,
            draw_index: false,
            multiview: false,
            dispatch_base: false,
            transform_feedback: false,
            isolines: false,
            bindings: Vec::new(),
        }
    }

    /// What one translated stage has in one set.
    pub fn from_interface(interface: &StageInterface, set: u32) -> ProgramStage {
        let resources = interface.resources.iter().filter(|resource| resource.set == set);
        // A source whose resources do not say whose length is read leaves that to the stage as a whole.
        let says_which = interface.resources.iter().any(|resource| resource.reads_length);
        ProgramStage {
            reads_array_length: interface.reads_array_length,
            uses_global_memory: interface.uses_global_memory,
            draw_index: interface.draw_index,
            multiview: interface.multiview,
            isolines: interface.tessellation.as_ref().is_some_and(|own| own.domain == "isoline"),
            bindings: resources
                .map(|resource| StageBinding {
                    binding: resource.binding,
                    ty: resource.ty,
                    count: resource.count,
                    access: resource.access,
                    used: resource.used,
                    reads_length: says_which.then_some(resource.reads_length),
                    texel_atomics: resource.texel_atomics,
                    aliased_array: resource.aliased_array,
                    planes: 1,
                })
                .collect(),
            ..ProgramStage::new(interface.stage)
        }
    }
}

/// What is known of a program's vertex buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexInput {
    /// Nothing. The exact model then takes a highest binding of 15.
    #[default]
    Unknown,
    /// The program has none.
    None,
    /// It has some.
    Bindings {
        /// Highest binding number, from 0. Holes count.
        highest: u32,
        /// Bindings that MoltenVK adds: attributes with an offset whose end is past their stride.
        translated: u32,
    },
}

/// The parts of a program, to be filled in and built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramParts {
    /// Name, for messages.
    pub name: String,
    /// Stages, in any order.
    pub stages: Vec<ProgramStage>,
    /// Stage bits that a push-constant range names.
    pub push_constants: StageBits,
    /// Vertex buffers.
    pub vertex_input: VertexInput,
    /// Whether the pipeline layout has another set that MoltenVK holds in an argument buffer: any other set that is not
    /// empty.
    pub other_sets_in_argument_buffers: bool,
    /// Sets in the pipeline layout, the planned one included; 0 is not known.
    pub set_count: u32,
    /// Bindings of the pipeline layout's other sets, as far as they are known. Where MoltenVK holds no set in an argument
    /// buffer they share the planned set's tables.
    pub other_bindings: Vec<LayoutBinding>,
}

impl ProgramParts {
    /// What translated stages have in one of their sets. The vertex input is the host's to say, and unknown.
    pub fn from_stages(name: &str, stages: &[StageInterface], set: u32) -> ProgramParts {
        let resources = || stages.iter().flat_map(|stage| &stage.resources);
        ProgramParts {
            name: name.to_owned(),
            stages: stages.iter().map(|stage| ProgramStage::from_interface(stage, set)).collect(),
            push_constants: stages.iter().filter(|s| s.push_constant_bytes > 0).map(|s| s.stage).collect(),
            vertex_input: VertexInput::Unknown,
            other_sets_in_argument_buffers: resources().any(|resource| resource.set != set),
            set_count: resources().map(|resource| resource.set + 1).max().unwrap_or(0),
            other_bindings: other_bindings(stages, set),
        }
    }

    /// Runs task and mesh stages as compute shaders: they share the compute stage's bit.
    #[must_use]
    pub fn with_compute_fallback(mut self) -> ProgramParts {
        for stage in &mut self.stages {
            if matches!(stage.stage, Stage::Task | Stage::Mesh) {
                stage.stage_bit = Stage::Compute;
            }
        }
        self.push_constants = self.push_constants.iter().map(|bit| bit_of(&self.stages, bit)).collect();
        for other in &mut self.other_bindings {
            other.stages = other.stages.iter().map(|bit| bit_of(&self.stages, bit)).collect();
        }
        self
    }

    /// Checks and merges the parts.
    ///
    /// # Errors
    /// [`Error::StageTwice`], [`Error::BindingTypes`].
    pub fn build(mut self) -> Result<ProgramInterface, Error> {
        self.stages.sort_by_key(|stage| stage.stage);
        if let Some(pair) = self.stages.windows(2).find(|pair| pair[0].stage == pair[1].stage) {
            return Err(Error::StageTwice { stage: pair[0].stage });
        }
        let mut declared: Vec<(Stage, LayoutBinding)> = Vec::new();
        for stage in &mut self.stages {
            merge_variables(stage)?;
            let own = stage.bindings.iter().map(|own| LayoutBinding::new(own, stage.stage_bit));
            declared.extend(own.map(|binding| (stage.stage, binding)));
        }
        // Stable: of one binding the earlier stage stays first, which is the one an error calls "elsewhere".
        declared.sort_by_key(|(_, binding)| binding.binding);
        check_types(&declared)?;
        let mut bindings: Vec<LayoutBinding> = declared.into_iter().map(|(_, binding)| binding).collect();
        bindings.dedup_by(|later, first| first.take(later));
        let summary = Summary::new(&self.stages, &bindings, self.push_constants, &self.other_bindings);
        Ok(ProgramInterface { parts: self, bindings, summary })
    }
}

/// The bindings of all sets but one, those of one set and number merged.
fn other_bindings(stages: &[StageInterface], set: u32) -> Vec<LayoutBinding> {
    let mut declared: Vec<(u32, LayoutBinding)> = Vec::new();
    for stage in stages {
        for own in stage.resources.iter().filter(|own| own.set != set) {
            let bits = StageBits::of(stage.stage);
            let binding = LayoutBinding { binding: own.binding, ty: own.ty, count: own.count, stages: bits, planes: 1 };
            declared.push((own.set, binding));
        }
    }
    declared.sort_by_key(|(set, own)| (*set, own.binding));
    declared.dedup_by(|later, first| later.0 == first.0 && first.1.take(&later.1));
    declared.into_iter().map(|(_, own)| own).collect()
}

/// The bit of a program stage, or the stage itself where the program has none of it.
fn bit_of(stages: &[ProgramStage], stage: Stage) -> Stage {
    stages.iter().find(|own| own.stage == stage).map_or(stage, |own| own.stage_bit)
}

/// Sorts a stage's bindings and makes two variables at one binding one.
fn merge_variables(stage: &mut ProgramStage) -> Result<(), Error> {
    stage.bindings.sort_by_key(|own| own.binding);
    if let Some(pair) = stage.bindings.windows(2).find(|p| p[0].binding == p[1].binding && p[0].ty != p[1].ty) {
        let [there, here] = [pair[0].ty, pair[1].ty];
        return Err(Error::BindingTypes { stage: stage.stage, binding: pair[0].binding, here, there });
    }
    stage.bindings.dedup_by(|later, first| {
        if later.binding != first.binding {
            return false;
        }
        let array = |own: &StageBinding| own.count.is_none_or(|count| count > 1);
        let unaliased = !super::count::is_buffer(first.ty) || array(first) || array(later);
        first.aliased_array |= later.aliased_array || unaliased;
        first.count = larger(first.count, later.count);
        first.planes = first.planes.max(later.planes);
        first.used |= later.used;
        first.texel_atomics |= later.texel_atomics;
        if first.access != later.access {
            first.access = Access::ReadWrite;
        }
        first.reads_length = match (first.reads_length, later.reads_length) {
            (Some(a), Some(b)) => Some(a || b),
            _ => None,
        };
        true
    });
    Ok(())
}

/// The larger of two counts; no end is larger than any.
fn larger(a: Option<u32>, b: Option<u32>) -> Option<u32> {
    Some(a?.max(b?))
}

/// Every binding has one type in all stages. Takes declarations in order of their bindings.
fn check_types(declared: &[(Stage, LayoutBinding)]) -> Result<(), Error> {
    let conflict =
        declared.windows(2).find(|pair| pair[0].1.binding == pair[1].1.binding && pair[0].1.ty != pair[1].1.ty);
    match conflict {
        None => Ok(()),
        Some(pair) => {
            let [(_, there), (stage, here)] = [pair[0], pair[1]];
            Err(Error::BindingTypes { stage, binding: here.binding, here: here.ty, there: there.ty })
        }
    }
}

/// One binding of the set's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayoutBinding {
    /// Binding.
    pub binding: u32,
    /// Descriptor type.
    pub ty: DescriptorType,
    /// Descriptors; `None` is an array without an end. For an inline uniform block: its bytes.
    pub count: Option<u32>,
    /// Stages that declare it.
    pub stages: StageBits,
    /// Planes of each image: see [`StageBinding::planes`].
    pub planes: u32,
}

impl LayoutBinding {
    fn new(own: &StageBinding, bit: Stage) -> LayoutBinding {
        LayoutBinding {
            binding: own.binding,
            ty: own.ty,
            count: own.count,
            stages: StageBits::of(bit),
            planes: own.planes,
        }
    }

    /// Takes another stage's declaration of the same binding in; false where it is another binding.
    fn take(&mut self, other: &LayoutBinding) -> bool {
        let same = self.binding == other.binding;
        if same {
            self.count = larger(self.count, other.count);
            self.planes = self.planes.max(other.planes);
            self.stages = self.stages.or(other.stages);
        }
        same
    }

    /// Descriptors that it takes: its count, or one for an inline uniform block. An array without an end counts as 0
    /// here: how many it has is the set's to say.
    pub(crate) fn descriptors(&self) -> u32 {
        match (self.ty, self.count) {
            (DescriptorType::InlineUniformBlock, _) => 1,
            (_, count) => count.unwrap_or(0),
        }
    }

    /// Vulkan's structure, without immutable samplers. An array without an end has a count of `runtime_count`.
    pub fn vulkan(&self, runtime_count: u32) -> vk::DescriptorSetLayoutBinding<'static> {
        vk::DescriptorSetLayoutBinding::default()
            .binding(self.binding)
            .descriptor_type(vulkan_type(self.ty))
            .descriptor_count(self.count.unwrap_or(runtime_count))
            .stage_flags(self.stages.flags())
    }
}

/// One program as the planner sees it: one set of it, checked and merged.
///
/// Stages stand in pipeline order and bindings in order of their numbers, so that the order in which they were given
/// reaches nothing. Two stages that declare one binding share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramInterface {
    parts: ProgramParts,
    bindings: Vec<LayoutBinding>,
    summary: Summary,
}

impl ProgramInterface {
    /// The program of translated stages that have all their resources in one set, or `set` of several.
    ///
    /// For a vertex input, or task and mesh stages that run as compute, begin with [`ProgramParts::from_stages`].
    ///
    /// # Errors
    /// As [`ProgramParts::build`].
    pub fn from_stages(name: &str, stages: &[StageInterface], set: u32) -> Result<ProgramInterface, Error> {
        ProgramParts::from_stages(name, stages, set).build()
    }

    /// One program a set that the translated stages have, by set number. A range without an end has a set of its own.
    ///
    /// # Errors
    /// As [`ProgramParts::build`].
    pub fn sets_from_stages(name: &str, stages: &[StageInterface]) -> Result<Vec<(u32, ProgramInterface)>, Error> {
        let mut sets: Vec<u32> = stages.iter().flat_map(|stage| &stage.resources).map(|own| own.set).collect();
        sets.sort_unstable();
        sets.dedup();
        sets.into_iter().map(|set| Ok((set, ProgramInterface::from_stages(name, stages, set)?))).collect()
    }

    /// Name, for messages.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Stages, in pipeline order, each with its bindings in order.
    pub fn stages(&self) -> &[ProgramStage] {
        &self.parts.stages
    }

    /// The set's bindings, in order: what the layout has, pushed or not.
    pub fn bindings(&self) -> &[LayoutBinding] {
        &self.bindings
    }

    /// Stage bits that a push-constant range names.
    pub fn push_constants(&self) -> StageBits {
        self.parts.push_constants
    }

    /// Vertex buffers.
    pub fn vertex_input(&self) -> VertexInput {
        self.parts.vertex_input
    }

    /// Bindings of the pipeline layout's other sets, as far as they are known.
    pub fn other_bindings(&self) -> &[LayoutBinding] {
        &self.parts.other_bindings
    }

    /// Whether the pipeline layout has another set in an argument buffer.
    pub fn other_sets_in_argument_buffers(&self) -> bool {
        self.parts.other_sets_in_argument_buffers
    }

    /// Sets in the pipeline layout; 0 is not known.
    pub fn set_count(&self) -> u32 {
        self.parts.set_count
    }

    /// The bits of the program's stages.
    pub fn stage_bits(&self) -> StageBits {
        self.summary.bits
    }

    /// What the rules ask of it.
    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The parts again, to change and build anew.
    pub fn into_parts(self) -> ProgramParts {
        self.parts
    }
}
