//! Modules for the fixture's layouts: every binding declared and used, as the layout says, and nothing else. Written as
//! SPIR-V text.

use rx_translate::interface::{Access, DescriptorType, Stage};
use rx_vk::layout::{ProgramStage, StageBinding};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler};
use std::fmt::Write;

/// A texture to sample, where a layout has samplers and none.
pub const HELPER_BINDING: u32 = 9999;

/// The text so far.
#[derive(Default)]
struct Text {
    decorations: String,
    variables: String,
    interface: String,
    code: String,
    arrays: Vec<String>,
    ids: u32,
}

/// Whether a stage has samplers, and no texture of its own to sample.
pub fn needs_helper(stage: &ProgramStage) -> bool {
    let has = |ty| stage.bindings.iter().any(|own| own.ty == ty);
    has(DescriptorType::Sampler) && !has(DescriptorType::SampledImage)
}

/// The module of a stage whose bindings are in set 0. `pushes`: it reads push constants.
pub fn module(stage: &ProgramStage, pushes: bool) -> Vec<u32> {
    let mut text = Text::default();
    let image = stage.bindings.iter().find(|own| own.ty == DescriptorType::SampledImage);
    let mut sampled = image.map(|own| (own.binding, own.count));
    if needs_helper(stage) {
        let helper = StageBinding::new(HELPER_BINDING, DescriptorType::SampledImage, 1);
        text.binding(&helper, None, false);
        sampled = Some((HELPER_BINDING, Some(1)));
    }
    // The textures first: samplers name one of them.
    let late = |own: &&StageBinding| own.ty == DescriptorType::Sampler;
    for own in stage.bindings.iter().filter(|own| !late(own)).chain(stage.bindings.iter().filter(late)) {
        text.binding(own, sampled, stage.reads_array_length == Some(true));
    }
    if pushes {
        text.push_constants();
    }
    text.assemble(stage.stage)
}

impl Text {
    fn id(&mut self) -> String {
        self.ids += 1;
        format!("%x{}", self.ids)
    }

    /// Declares a binding of an element type; gives a pointer to its first element.
    fn declare(&mut self, own: &StageBinding, class: &str, element: &str) -> String {
        let (count, mut name) = (own.count.expect("a bounded array"), format!("%b{}", own.binding));
        if self.interface.split(' ').any(|known| known == name) {
            // Another variable at the same binding.
            name.push_str("_too");
        }
        let mut ty = element.to_owned();
        if count > 1 {
            ty = format!("{element}_{count}");
            if !self.arrays.contains(&ty) {
                let _ = writeln!(self.variables, "{ty}_n = OpConstant %u {count}\n{ty} = OpTypeArray {element} {ty}_n");
                self.arrays.push(ty.clone());
            }
        }
        for ty in [&ty, element] {
            let pointer = format!("{ty}_{class}");
            if !self.arrays.contains(&pointer) {
                let _ = writeln!(self.variables, "{pointer} = OpTypePointer {class} {ty}");
                self.arrays.push(pointer);
            }
        }
        let _ = writeln!(self.variables, "{name} = OpVariable {ty}_{class} {class}");
        let _ =
            writeln!(self.decorations, "OpDecorate {name} DescriptorSet 0\nOpDecorate {name} Binding {}", own.binding);
        let _ = write!(self.interface, " {name}");
        self.first(&name, own.count, class, element)
    }

    fn first(&mut self, name: &str, count: Option<u32>, class: &str, element: &str) -> String {
        if count == Some(1) {
            return name.to_owned();
        }
        let at = self.id();
        let _ = writeln!(self.code, "{at} = OpAccessChain {element}_{class} {name} %u0");
        at
    }

    fn load(&mut self, own: &StageBinding, element: &str) -> String {
        let (at, value) = (self.declare(own, "UniformConstant", element), self.id());
        let _ = writeln!(self.code, "{value} = OpLoad {element} {at}");
        value
    }

    /// Adds a value of four components to what the shader gives away, so that nothing is without effect.
    fn use_value(&mut self, value: &str) {
        let (old, new) = (self.id(), self.id());
        let _ = writeln!(self.code, "{old} = OpLoad %f4 %sum\n{new} = OpFAdd %f4 {old} {value}\nOpStore %sum {new}");
    }

    /// Samples an image with a sampler, both loaded.
    fn sample(&mut self, combined: &str) {
        let value = self.id();
        let _ = writeln!(self.code, "{value} = OpImageSampleExplicitLod %f4 {combined} %f2_0 Lod %f_0");
        self.use_value(&value);
    }

    fn binding(&mut self, own: &StageBinding, sampled: Option<(u32, Option<u32>)>, lengths: bool) {
        match own.ty {
            DescriptorType::UniformBuffer => {
                let at = self.declare(own, "Uniform", "%uniform_block");
                self.read_block(&at, "%f4_Uniform");
            }
            DescriptorType::StorageBuffer => {
                let at = self.declare(own, "StorageBuffer", "%storage_block");
                let (element, value) = (self.id(), self.id());
                let _ = writeln!(
                    self.code,
                    "{element} = OpAccessChain %f4_StorageBuffer {at} %u0 %u0\n{value} = OpLoad %f4 {element}"
                );
                self.use_value(&value);
                // Of an array in a block of an array there is no length to ask.
                if lengths && own.count == Some(1) {
                    self.length(&at);
                }
            }
            DescriptorType::SampledImage => {
                let (image, value) = (self.load(own, "%texture"), self.id());
                let _ = writeln!(self.code, "{value} = OpImageFetch %f4 {image} %i2_0 Lod %i_0");
                self.use_value(&value);
            }
            DescriptorType::UniformTexelBuffer => {
                let (image, value) = (self.load(own, "%texels"), self.id());
                let _ = writeln!(self.code, "{value} = OpImageFetch %f4 {image} %i_0");
                self.use_value(&value);
            }
            DescriptorType::CombinedImageSampler => {
                let combined = self.load(own, "%combined");
                self.sample(&combined);
            }
            DescriptorType::Sampler => {
                let (binding, count) = sampled.expect("a texture to sample");
                let at = self.first(&format!("%b{binding}"), count, "UniformConstant", "%texture");
                let (image, both) = (self.id(), self.id());
                let _ = writeln!(self.code, "{image} = OpLoad %texture {at}");
                let sampler = self.load(own, "%sampler");
                let _ = writeln!(self.code, "{both} = OpSampledImage %combined {image} {sampler}");
                self.sample(&both);
            }
            DescriptorType::StorageImage => self.storage(own, "%storage_image", "%i2_0"),
            DescriptorType::StorageTexelBuffer => self.storage(own, "%storage_texels", "%i_0"),
            DescriptorType::InputAttachment => {
                let name = format!("%b{}", own.binding);
                let _ = writeln!(self.decorations, "OpDecorate {name} InputAttachmentIndex 0");
                let (image, value) = (self.load(own, "%attachment"), self.id());
                let _ = writeln!(self.code, "{value} = OpImageRead %f4 {image} %i2_0");
                self.use_value(&value);
            }
            other => panic!("{other:?} is never pushed"),
        }
    }

    fn read_block(&mut self, at: &str, pointer: &str) {
        let (member, value) = (self.id(), self.id());
        let _ = writeln!(self.code, "{member} = OpAccessChain {pointer} {at} %u0\n{value} = OpLoad %f4 {member}");
        self.use_value(&value);
    }

    fn length(&mut self, at: &str) {
        let (length, float, value) = (self.id(), self.id(), self.id());
        let _ = writeln!(
            self.code,
            "{length} = OpArrayLength %u {at} 0\n{float} = OpConvertUToF %f {length}\n\
             {value} = OpCompositeConstruct %f4 {float} {float} {float} {float}"
        );
        self.use_value(&value);
    }

    fn storage(&mut self, own: &StageBinding, element: &str, place: &str) {
        let name = format!("%b{}", own.binding);
        let _ = match own.access {
            Access::Read => writeln!(self.decorations, "OpDecorate {name} NonWritable"),
            Access::Write => writeln!(self.decorations, "OpDecorate {name} NonReadable"),
            Access::ReadWrite => Ok(()),
        };
        let image = self.load(own, element);
        if own.access != Access::Write {
            let value = self.id();
            let _ = writeln!(self.code, "{value} = OpImageRead %f4 {image} {place}");
            self.use_value(&value);
        }
        if own.access != Access::Read {
            let _ = writeln!(self.code, "OpImageWrite {image} {place} %f4_0");
        }
    }

    fn push_constants(&mut self) {
        let _ = writeln!(
            self.variables,
            "%pushed = OpTypePointer PushConstant %push_block\n%push = OpVariable %pushed PushConstant\n\
             %f4_PushConstant = OpTypePointer PushConstant %f4"
        );
        self.interface.push_str(" %push");
        self.read_block("%push", "%f4_PushConstant");
    }

    fn assemble(self, stage: Stage) -> Vec<u32> {
        let Text { decorations, variables, interface, code, .. } = self;
        // What a stage gives away keeps the sum alive: an output, or one of an invocation's own in a kernel.
        let (model, modes, gives) = match stage {
            Stage::Vertex => ("Vertex", "", Some("BuiltIn Position")),
            Stage::Fragment => ("Fragment", "OpExecutionMode %main OriginUpperLeft\n", Some("Location 0")),
            Stage::TessellationControl => ("TessellationControl", "OpExecutionMode %main OutputVertices 3\n", None),
            Stage::TessellationEvaluation => (
                "TessellationEvaluation",
                "OpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\n\
                 OpExecutionMode %main VertexOrderCcw\n",
                Some("BuiltIn Position"),
            ),
            _ => ("GLCompute", "OpExecutionMode %main LocalSize 64 1 1\n", None),
        };
        let capability = if model.starts_with("Tess") { "OpCapability Tessellation\n" } else { "" };
        let (output, outputs, decoration, give) = match gives {
            Some(decoration) => (
                " %out",
                "%f4_Output = OpTypePointer Output %f4\n%out = OpVariable %f4_Output Output\n",
                format!("OpDecorate %out {decoration}\n"),
                "%all = OpLoad %f4 %sum\nOpStore %out %all\n",
            ),
            // A hull shader always has levels and control points, each a buffer of its own in Metal.
            None if stage == Stage::TessellationControl => {
                (" %out %outer %inner %own", HULL_OUTPUTS, HULL_DECORATIONS.to_owned(), HULL_CODE)
            }
            None => ("", "", String::new(), ""),
        };
        let text = format!(
            "OpCapability Shader\n{capability}OpCapability InputAttachment\nOpCapability SampledBuffer\n\
             OpCapability ImageBuffer\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint {model} %main \"main\" %sum{interface}{output}\n{modes}{decoration}{decorations}{TYPES}\
             {outputs}{variables}%main = OpFunction %void None %entry\n%start = OpLabel\n{code}{give}OpReturn\n\
             OpFunctionEnd\n"
        );
        let assembler = assembler::create(Some(TargetEnv::Vulkan_1_3));
        let binary = assembler.assemble(&text, assembler::AssemblerOptions::default());
        let binary = binary.unwrap_or_else(|e| panic!("{e}\n{text}"));
        AsRef::<[u32]>::as_ref(&binary).to_vec()
    }
}

/// Types that every module has.
const TYPES: &str = "OpDecorate %uniform_block Block
OpMemberDecorate %uniform_block 0 Offset 0
OpDecorate %push_block Block
OpMemberDecorate %push_block 0 Offset 0
OpDecorate %storage_block Block
OpMemberDecorate %storage_block 0 Offset 0
OpDecorate %floats ArrayStride 16
%void = OpTypeVoid
%entry = OpTypeFunction %void
%f = OpTypeFloat 32
%u = OpTypeInt 32 0
%i = OpTypeInt 32 1
%f2 = OpTypeVector %f 2
%f4 = OpTypeVector %f 4
%i2 = OpTypeVector %i 2
%u0 = OpConstant %u 0
%i_0 = OpConstant %i 0
%f_0 = OpConstant %f 0
%f2_0 = OpConstantNull %f2
%i2_0 = OpConstantNull %i2
%f4_0 = OpConstantNull %f4
%uniform_block = OpTypeStruct %f4
%push_block = OpTypeStruct %f4
%floats = OpTypeRuntimeArray %f4
%storage_block = OpTypeStruct %floats
%texture = OpTypeImage %f 2D 0 0 0 1 Unknown
%texels = OpTypeImage %f Buffer 0 0 0 1 Unknown
%storage_image = OpTypeImage %f 2D 0 0 0 2 Rgba32f
%storage_texels = OpTypeImage %f Buffer 0 0 0 2 Rgba32f
%attachment = OpTypeImage %f SubpassData 0 0 0 2 Unknown
%sampler = OpTypeSampler
%combined = OpTypeSampledImage %texture
%f4_Uniform = OpTypePointer Uniform %f4
%f4_StorageBuffer = OpTypePointer StorageBuffer %f4
%f4_Private = OpTypePointer Private %f4
%sum = OpVariable %f4_Private Private
";

const HULL_DECORATIONS: &str = "OpDecorate %out BuiltIn Position
OpDecorate %outer BuiltIn TessLevelOuter
OpDecorate %outer Patch
OpDecorate %inner BuiltIn TessLevelInner
OpDecorate %inner Patch
OpDecorate %own BuiltIn InvocationId
";
const HULL_OUTPUTS: &str = "%f4_Output = OpTypePointer Output %f4
%u2 = OpConstant %u 2
%u3 = OpConstant %u 3
%u4 = OpConstant %u 4
%points = OpTypeArray %f4 %u3
%points_Output = OpTypePointer Output %points
%out = OpVariable %points_Output Output
%outer_levels = OpTypeArray %f %u4
%outer_Output = OpTypePointer Output %outer_levels
%outer = OpVariable %outer_Output Output
%inner_levels = OpTypeArray %f %u2
%inner_Output = OpTypePointer Output %inner_levels
%inner = OpVariable %inner_Output Output
%outer_0 = OpConstantNull %outer_levels
%inner_0 = OpConstantNull %inner_levels
%i_Input = OpTypePointer Input %i
%own = OpVariable %i_Input Input
";
const HULL_CODE: &str = "%all = OpLoad %f4 %sum
%invocation = OpLoad %i %own
%point = OpAccessChain %f4_Output %out %invocation
OpStore %point %all
OpStore %outer %outer_0
OpStore %inner %inner_0
";
