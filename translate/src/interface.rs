//! What a stage declares and uses: the planner's input, the same for every source language.
//!
//! Owns plain data only. Nothing in here knows Direct3D tokens or SPIR-V words.

use serde::{Deserialize, Serialize};

/// A shader stage, by Vulkan's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Vertex shader.
    Vertex,
    /// Direct3D's hull shader.
    TessellationControl,
    /// Direct3D's domain shader.
    TessellationEvaluation,
    /// Geometry shader.
    Geometry,
    /// Direct3D's pixel shader.
    Fragment,
    /// Compute shader.
    Compute,
    /// Task (amplification) shader.
    Task,
    /// Mesh shader.
    Mesh,
}

impl Stage {
    /// Vulkan's name in snake case: `vertex`, `tessellation_control`, …
    pub fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::TessellationControl => "tessellation_control",
            Stage::TessellationEvaluation => "tessellation_evaluation",
            Stage::Geometry => "geometry",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
            Stage::Task => "task",
            Stage::Mesh => "mesh",
        }
    }
}

/// The Direct3D class of a resource (for other sources: the class that it would have).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceClass {
    /// Constant buffer (`b` registers).
    Cbv,
    /// Shader resource (`t` registers).
    Srv,
    /// Unordered access view (`u` registers).
    Uav,
    /// The hidden counter of an append, consume or counter UAV.
    UavCounter,
    /// Sampler (`s` registers).
    Sampler,
}

/// A descriptor's type, by Vulkan's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // The names are Vulkan's own.
pub enum DescriptorType {
    UniformBuffer,
    StorageBuffer,
    UniformBufferDynamic,
    StorageBufferDynamic,
    SampledImage,
    Sampler,
    CombinedImageSampler,
    StorageImage,
    UniformTexelBuffer,
    StorageTexelBuffer,
    InputAttachment,
    InlineUniformBlock,
}

/// How a shader uses a resource, from its instructions (not from what it declares).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Only read: NonWritable.
    Read,
    /// Only written: NonReadable.
    Write,
    /// Both, or not known.
    #[default]
    ReadWrite,
}

/// The shape of a texture or buffer view, in the JSON's spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Dimension {
    #[serde(rename = "buffer")]
    Buffer,
    #[serde(rename = "1d")]
    D1,
    #[serde(rename = "1d_array")]
    D1Array,
    #[serde(rename = "2d")]
    D2,
    #[serde(rename = "2d_array")]
    D2Array,
    #[serde(rename = "2dms")]
    D2Ms,
    #[serde(rename = "2dms_array")]
    D2MsArray,
    #[serde(rename = "3d")]
    D3,
    #[serde(rename = "cube")]
    Cube,
    #[serde(rename = "cube_array")]
    CubeArray,
    #[serde(rename = "subpass")]
    Subpass,
}

/// The type of a component as a view or a signature gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Component {
    Float,
    Sint,
    Uint,
    Double,
}

/// One declared resource: one binding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Direct3D class.
    pub class: ResourceClass,
    /// First register of the range (for a counter: its UAV's). For other sources: the binding's number.
    pub register: u32,
    /// Register space (0 before shader model 5.1).
    pub space: u32,
    /// Name from the reflection data or the source; empty when stripped.
    pub name: String,
    /// Descriptor set.
    pub set: u32,
    /// Binding in the set.
    pub binding: u32,
    /// Descriptor type.
    #[serde(rename = "type")]
    pub ty: DescriptorType,
    /// Number of descriptors; `None` is a range without an end (`runtime_array`).
    pub count: Option<u32>,
    /// Shape of an image or texel buffer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dimension: Option<Dimension>,
    /// Component type of an image or texel buffer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub component: Option<Component>,
    /// Access actually used. Meaningful for storage types; others are read.
    pub access: Access,
    /// Declared size of a constant buffer, in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub size_bytes: Option<u32>,
    /// Stride of a structured buffer, in bytes. The host binds whole records: a range of floor(bytes / stride) · stride.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stride_bytes: Option<u32>,
    /// Whether an instruction uses it. A declared resource takes its binding, used or not.
    pub used: bool,
    /// Whether the stage reads its length (`OpArrayLength`).
    pub reads_length: bool,
    /// Whether the stage has atomics on its texels: of storage images and storage texel buffers.
    #[serde(skip_serializing_if = "is_false", default)]
    pub texel_atomics: bool,
    /// Whether the stage uses several variables at this binding that Metal's discrete tables cannot alias: buffers of which
    /// one is an array, textures, samplers. rx's own translations always have one variable a binding.
    #[serde(skip_serializing_if = "is_false", default)]
    pub aliased_array: bool,
}

fn is_false(b: &bool) -> bool {
    !*b
}

/// How an input is interpolated, in the JSON's spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Interpolation {
    Constant,
    Linear,
    LinearCentroid,
    LinearNoperspective,
    LinearNoperspectiveCentroid,
    LinearSample,
    LinearNoperspectiveSample,
}

/// One element of an input, output or patch-constant signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureElement {
    /// Semantic name, as the container spells it.
    pub semantic: String,
    /// Semantic index.
    pub index: u32,
    /// Register; `None` where it has none (depth, coverage, …).
    pub register: Option<u32>,
    /// Components in the register: a subset of `xyzw`, in order.
    pub mask: String,
    /// Component type.
    pub component: Component,
    /// Location in SPIR-V; `None` for a built-in.
    pub location: Option<u32>,
    /// Interpolation of a pixel shader input.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interpolation: Option<Interpolation>,
    /// Geometry stream of an output; 0 elsewhere.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub stream: u32,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// What a stage declares and uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageInterface {
    /// Stage.
    pub stage: Stage,
    /// Name of the SPIR-V entry point.
    pub entry_point: String,
    /// Resources in binding order.
    pub resources: Vec<Resource>,
    /// Where the push constants that the stage reads end, in bytes; 0 is none.
    pub push_constant_bytes: u32,
    /// Inputs: attributes or the previous stage's outputs.
    pub inputs: Vec<SignatureElement>,
    /// Outputs.
    pub outputs: Vec<SignatureElement>,
    /// Patch constants of a hull or domain shader.
    pub patch_constants: Vec<SignatureElement>,
    /// Threads a group of a compute shader, x y z.
    pub workgroup_size: Option<[u32; 3]>,
    /// Whether the stage reads the length of a storage buffer; `None` where its code has not been read.
    pub reads_array_length: Option<bool>,
    /// Textures both read and written (or of unknown access), by descriptor count.
    pub read_write_textures: u32,
    /// Whether the stage touches storage buffers.
    pub uses_global_memory: bool,
    /// Whether the stage reads DrawIndex.
    pub draw_index: bool,
    /// Whether the stage reads ViewIndex.
    pub multiview: bool,
    /// Id of the specialization constant that the pipeline gives its `rasterizationSamples`; without it the shader
    /// takes 1.
    pub rasterization_samples_id: Option<u32>,
    /// Slots of class instances (`ID3D11ClassInstance`), which the pipeline fills by specialization constants.
    pub class_slots: Vec<ClassSlot>,
    /// Tessellation parameters of a hull or domain shader.
    pub tessellation: Option<Tessellation>,
    /// Geometry parameters.
    pub geometry: Option<Geometry>,
}

impl StageInterface {
    /// An interface that declares nothing.
    pub fn empty(stage: Stage) -> Self {
        StageInterface {
            stage,
            entry_point: String::from("main"),
            resources: Vec::new(),
            push_constant_bytes: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            patch_constants: Vec::new(),
            workgroup_size: None,
            reads_array_length: Some(false),
            read_write_textures: 0,
            uses_global_memory: false,
            draw_index: false,
            multiview: false,
            rasterization_samples_id: None,
            class_slots: Vec::new(),
            tessellation: None,
            geometry: None,
        }
    }
}

/// A slot of a class instance. Five specialization constants from `first_id` on say what stands in it: the instance's
/// type (its place among the interface's function tables), its constant buffer, the first element there, its first
/// texture and its first sampler. Each is 0 unless the pipeline says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSlot {
    /// Slot.
    pub slot: u32,
    /// Number of types that the interface has here.
    pub types: u32,
    /// Id of the first of the five constants.
    pub first_id: u32,
}

/// Tessellation parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tessellation {
    /// `isoline`, `triangle` or `quad`.
    pub domain: String,
    /// `integer`, `pow2`, `fractional_odd`, `fractional_even`; absent in a domain shader.
    pub partitioning: Option<String>,
    /// `point`, `line`, `triangle_cw`, `triangle_ccw`; absent in a domain shader.
    pub output_primitive: Option<String>,
    /// Input control points (0 in a domain shader means: as the hull shader's outputs).
    pub input_control_points: u32,
    /// Output control points.
    pub output_control_points: u32,
}

/// Geometry shader parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Geometry {
    /// `point`, `line`, `triangle`, `line_adjacency`, `triangle_adjacency`.
    pub input_primitive: String,
    /// `point`, `line_strip`, `triangle_strip`.
    pub output_topology: String,
    /// Most vertices one invocation emits.
    pub max_vertices: u32,
    /// Invocations a primitive.
    pub instances: u32,
    /// Streams used, a bit each.
    pub streams: u32,
}
