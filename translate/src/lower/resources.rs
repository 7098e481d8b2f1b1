//! Declared resources: where each is bound, what variable stands for it, what the interface says of it.
//!
//! Variables are made once all declarations are known, in binding order. Knows nothing of how a resource is accessed.

use super::Lower;
use super::usage::ResourceUse;
use crate::bindings::BindingModel;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Declaration, Operand, RegisterFile, ResourceDim, ReturnTypes};
use crate::interface::{Access, Component, DescriptorType, Dimension, Resource, ResourceClass, Stage};
use crate::ir::{
    Count, Descriptor, Flags, ImageDim, ImageFormat, ImageType, Kind, MemoryDecorations, Op, Type, ValueId, VarId,
    VarKind,
};
use crate::{BufferLengths, Error, ledger};

/// `D3D11_SB_UAV_HAS_ORDER_PRESERVING_COUNTER`, bit 23 of the opcode token.
const HAS_COUNTER: u16 = 1 << (23 - 11);
/// `D3D11_SB_GLOBALLY_COHERENT_ACCESS`, bit 16.
const GLOBALLY_COHERENT: u16 = 1 << (16 - 11);
/// `D3D11_SB_RASTERIZER_ORDERED_ACCESS`, bit 17.
const RASTERIZER_ORDERED: u16 = 1 << (17 - 11);
/// Typed UAV loads of formats other than one 32-bit component:
/// `D3D_SHADER_REQUIRES_TYPED_UAV_LOAD_ADDITIONAL_FORMATS` in `SFI0`.
const TYPED_LOAD_ADDITIONAL: u64 = 1 << 11;

/// A declared resource, sampler or constant buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared {
    pub file: RegisterFile,
    /// Range id: what instructions name it by.
    pub id: u32,
    pub class: ResourceClass,
    /// First register.
    pub register: u32,
    /// Registers; `None` has no end.
    pub count: Option<u32>,
    pub space: u32,
    /// Raw and structured views have these dimensions too.
    pub dim: ResourceDim,
    pub returns: ReturnTypes,
    /// Bytes of a structure.
    pub stride: u32,
    /// Samples of a multisampled resource, where declared.
    pub samples: u32,
    /// Elements of a constant buffer.
    pub elements: u32,
    pub coherent: bool,
    pub counter: bool,
    pub uses: ResourceUse,
    pub var: VarId,
    /// Variable of the counter.
    pub counter_var: Option<VarId>,
    /// Place in the interface.
    pub interface: usize,
    /// Whether the variable is an array of descriptors.
    pub arrayed: bool,
}

/// All of them, in declaration order.
#[derive(Default)]
pub(super) struct Resources {
    declared: Vec<Declared>,
}

impl Resources {
    /// Index of the resource that an operand names.
    pub fn find(&self, file: RegisterFile, id: u32) -> Option<usize> {
        self.declared.iter().position(|d| d.file == file && d.id == id)
    }

    /// By index.
    pub fn get(&self, index: usize) -> &Declared {
        &self.declared[index]
    }
}

/// Most resources that a shader may declare: Direct3D's own limits are 128 views, 64 UAVs, 16 samplers, 14 buffers; 5.1 has more.
const MAX_DECLARED: usize = 4096;

impl<'a> Lower<'a> {
    /// A resource's declaration.
    pub(super) fn declare_resource(&mut self, declaration: &Declaration) -> Result<(), Error> {
        let [operand, ..] = self.program.operands_of_declaration(declaration) else {
            return Err(self.bad_operand("a declaration without its register"));
        };
        let extra = self.program.extra_of(declaration);
        let controls = declaration.controls;
        let mut declared = self.range(operand, extra)?;
        declared.coherent = controls & GLOBALLY_COHERENT != 0;
        let own = |n: usize| extra.get(n).copied().unwrap_or(0);
        match declaration.op {
            Opcode::DclConstantBuffer => {
                declared.class = ResourceClass::Cbv;
                declared.elements = match operand.index[1].as_constant() {
                    Some(elements) if !self.shader_model_51() => elements,
                    _ => own(0),
                };
                declared.dim = ResourceDim::Buffer;
            }
            Opcode::DclSampler => declared.class = ResourceClass::Sampler,
            Opcode::DclResource | Opcode::DclUavTyped => {
                declared.dim = resource_dim(u32::from(controls) & 31)?;
                declared.returns = ReturnTypes(own(0) as u16);
                declared.samples = u32::from(controls >> 5) & 127;
            }
            Opcode::DclResourceRaw | Opcode::DclUavRaw => declared.dim = ResourceDim::RawBuffer,
            _ => {
                declared.dim = ResourceDim::StructuredBuffer;
                declared.stride = own(0);
                if declared.stride == 0 || declared.stride % 4 != 0 || declared.stride > 2048 {
                    let what = format!("a structure of {} bytes (4 to 2048, in fours)", declared.stride);
                    return Err(Error::malformed(ledger::LIMIT, declaration.offset as usize, what));
                }
            }
        }
        let uav = matches!(declaration.op, Opcode::DclUavTyped | Opcode::DclUavRaw | Opcode::DclUavStructured);
        if uav {
            declared.class = ResourceClass::Uav;
            declared.counter = declaration.op == Opcode::DclUavStructured && controls & HAS_COUNTER != 0;
            if controls & RASTERIZER_ORDERED != 0 {
                self.order_by_pixel()?;
                declared.coherent = true;
            }
        }
        declared.uses = self.usage.resource(operand.file, declared.id);
        declared.counter |= declared.uses.counter;
        if self.resources.find(operand.file, declared.id).is_some() || self.resources.declared.len() >= MAX_DECLARED {
            return Err(self.bad_operand("a register is declared twice"));
        }
        self.resources.declared.push(declared);
        Ok(())
    }

    /// Rasteriser-ordered views: the whole shader is one interlocked section, so that every way through it has one.
    fn order_by_pixel(&mut self) -> Result<(), Error> {
        if self.interface.stage != Stage::Fragment {
            return Err(self.bad_operand("a rasteriser-ordered view outside a pixel shader"));
        }
        if !self.options.profile.features.fragment_interlock {
            let what = "a rasteriser-ordered view needs fragmentShaderPixelInterlock";
            return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
        }
        self.builder.modes().interlock = true;
        Ok(())
    }

    pub(super) fn shader_model_51(&self) -> bool {
        self.program.model >= (5, 1)
    }

    /// Id, registers and space. In 5.1 the operand holds id, first and last register, and the space is the last token.
    fn range(&self, operand: &Operand, extra: &[u32]) -> Result<Declared, Error> {
        let ranged = self.shader_model_51() && operand.index_count == 3;
        let (register, count, space) = if ranged {
            let [Some(first), Some(last)] = [1, 2].map(|n: usize| operand.index[n].as_constant()) else {
                return Err(self.bad_operand("a range of registers whose ends are not constant"));
            };
            let count = if last == u32::MAX { None } else { Some(last.wrapping_sub(first).wrapping_add(1)) };
            if count == Some(0) || last < first {
                return Err(self.bad_operand("a range of registers that ends before it begins"));
            }
            (first, count, extra.last().copied().unwrap_or(0))
        } else {
            (super::number(operand)?, Some(1), 0)
        };
        Ok(Declared {
            file: operand.file,
            id: super::number(operand)?,
            class: ResourceClass::Srv,
            register,
            count,
            space,
            dim: ResourceDim::Unknown,
            returns: ReturnTypes::default(),
            stride: 0,
            samples: 0,
            elements: 0,
            coherent: false,
            counter: false,
            uses: ResourceUse::default(),
            var: VarId(0),
            counter_var: None,
            interface: 0,
            arrayed: count != Some(1),
        })
    }

    /// Gives every declared resource its binding and its variable.
    pub(super) fn bind_resources(&mut self) -> Result<(), Error> {
        let mut order: Vec<(ResourceClass, u32, u32, usize)> = Vec::new();
        for (i, d) in self.resources.declared.iter().enumerate() {
            order.push((d.class, d.space, d.register, i));
            if d.counter {
                order.push((ResourceClass::UavCounter, d.space, d.register, i));
            }
        }
        order.sort_unstable();
        let mut next = Next::default();
        for (class, space, register, i) in order {
            let declared = self.resources.declared[i];
            let (set, binding) = self.place(class, space, register, declared.count, &mut next)?;
            if declared.count.is_none() && !self.options.profile.features.descriptor_indexing {
                let what = "a range of registers without an end needs runtimeDescriptorArray";
                return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
            }
            let count = match declared.count {
                Some(1) => Count::One,
                Some(n) => Count::Array(n),
                None => Count::Runtime,
            };
            let descriptor = Descriptor { set, binding, count };
            if class == ResourceClass::UavCounter {
                self.bind_counter(i, descriptor);
            } else {
                self.bind(i, descriptor)?;
            }
        }
        Ok(())
    }

    fn place(
        &self,
        class: ResourceClass,
        space: u32,
        register: u32,
        count: Option<u32>,
        next: &mut Next,
    ) -> Result<(u32, u32), Error> {
        match &self.options.bindings {
            BindingModel::Sequential { set, first_binding } => {
                if count.is_none() {
                    next.sets += 1;
                    return Ok((set.saturating_add(next.sets), 0));
                }
                let binding = first_binding.saturating_add(next.bindings);
                next.bindings += 1;
                Ok((*set, binding))
            }
            BindingModel::Rules(rules) => {
                let stage = self.interface.stage;
                let rule = rules.iter().find(|r| {
                    r.class == class
                        && r.space == space
                        && register >= r.first_register
                        && r.count.is_none_or(|n| register - r.first_register < n)
                        && (r.stages.is_empty() || r.stages.contains(&stage))
                });
                match rule {
                    Some(r) => Ok((r.set, r.binding.saturating_add(register - r.first_register))),
                    None => Err(Error::refused(
                        ledger::NO_BINDING,
                        format!("no rule for {class:?} register {register} in space {space}"),
                    )),
                }
            }
        }
    }

    fn bind(&mut self, i: usize, descriptor: Descriptor) -> Result<(), Error> {
        let declared = self.resources.declared[i];
        let name = self.resource_name(&declared).to_owned();
        let debug_name = if self.options.names { name.as_str() } else { "" };
        let kind = self.variable(&declared, descriptor)?;
        let var = self.builder.var(kind, debug_name);
        let resource = self.describe(&declared, descriptor, name.clone());
        let declared = &mut self.resources.declared[i];
        declared.var = var;
        declared.interface = self.interface.resources.len();
        self.interface.resources.push(resource);
        Ok(())
    }

    fn bind_counter(&mut self, i: usize, descriptor: Descriptor) {
        let kind = VarKind::StorageBuffer {
            element: Type::U32,
            inner: 0,
            stride: 4,
            access: MemoryDecorations::default(),
            descriptor,
        };
        let declared = self.resources.declared[i];
        let var = self.builder.var(kind, "");
        self.resources.declared[i].counter_var = Some(var);
        self.interface.resources.push(Resource {
            class: ResourceClass::UavCounter,
            register: declared.register,
            space: declared.space,
            name: String::new(),
            set: descriptor.set,
            binding: descriptor.binding,
            ty: DescriptorType::StorageBuffer,
            count: declared.count,
            dimension: None,
            component: None,
            access: Access::ReadWrite,
            size_bytes: None,
            stride_bytes: None,
            used: declared.uses.counter,
            reads_length: false,
            texel_atomics: false,
            aliased_array: false,
        });
        self.interface.uses_global_memory |= declared.uses.counter;
    }

    fn variable(&mut self, d: &Declared, descriptor: Descriptor) -> Result<VarKind, Error> {
        let access = MemoryDecorations {
            non_writable: d.class == ResourceClass::Srv || !(d.uses.written || d.uses.atomic),
            non_readable: d.class == ResourceClass::Uav && !(d.uses.read || d.uses.atomic),
            coherent: d.coherent,
        };
        Ok(match (d.class, d.dim) {
            (ResourceClass::Sampler, _) => VarKind::Sampler { descriptor },
            (ResourceClass::Cbv, _) => {
                let integer = self.usage.constant_buffers.get(&d.id).is_some_and(|u| u.votes.integer());
                let kind = if integer { Kind::U32 } else { Kind::F32 };
                // A buffer of 0 elements has no limit of its own in 5.1: Direct3D's is 4096.
                let len = if d.elements == 0 { 4096 } else { d.elements.min(1 << 20) };
                VarKind::UniformBuffer { element: Type::new(kind, 4), len, descriptor }
            }
            (_, ResourceDim::RawBuffer | ResourceDim::StructuredBuffer) => {
                let (element, inner, stride) = self.buffer_element(d);
                VarKind::StorageBuffer { element, inner, stride, access, descriptor }
            }
            _ => {
                let access = if d.class == ResourceClass::Uav { access } else { MemoryDecorations::default() };
                VarKind::Image { ty: self.image_type(d)?, access, descriptor }
            }
        })
    }

    /// Kind of a typed view's components.
    pub(super) fn component(&self, d: &Declared) -> Kind {
        match d.returns.of(0) {
            3 => Kind::S32,
            4 => Kind::U32,
            _ => Kind::F32,
        }
    }

    fn image_type(&self, d: &Declared) -> Result<ImageType, Error> {
        let (dim, arrayed, multisampled) = match d.dim {
            ResourceDim::Buffer => (ImageDim::Buffer, false, false),
            ResourceDim::Texture1D => (ImageDim::D1, false, false),
            ResourceDim::Texture1DArray => (ImageDim::D1, true, false),
            ResourceDim::Texture2D => (ImageDim::D2, false, false),
            ResourceDim::Texture2DArray => (ImageDim::D2, true, false),
            ResourceDim::Texture2DMs => (ImageDim::D2, false, true),
            ResourceDim::Texture2DMsArray => (ImageDim::D2, true, true),
            ResourceDim::Texture3D => (ImageDim::D3, false, false),
            ResourceDim::TextureCube => (ImageDim::Cube, false, false),
            ResourceDim::TextureCubeArray => (ImageDim::Cube, true, false),
            _ => return Err(self.bad_operand("a view of unknown dimension")),
        };
        let features = &self.options.profile.features;
        if d.dim == ResourceDim::TextureCubeArray && !features.cube_array {
            return Err(Error::refused(ledger::NOT_IN_PROFILE, "a cube array needs imageCubeArray"));
        }
        let storage = d.class == ResourceClass::Uav;
        if storage && (dim == ImageDim::Cube || multisampled) {
            return Err(self.bad_operand("an unordered access view of a cube or a multisampled texture"));
        }
        let component = self.component(d);
        let known = d.uses.atomic || (d.uses.read && self.loads_one_word(d));
        let format = match component {
            _ if !storage || !known => ImageFormat::Unknown,
            Kind::F32 => ImageFormat::R32f,
            Kind::S32 => ImageFormat::R32i,
            _ => ImageFormat::R32ui,
        };
        if storage && format == ImageFormat::Unknown {
            let lacks =
                (d.uses.read && !features.read_without_format) || (d.uses.written && !features.write_without_format);
            if lacks {
                let what = "an untyped storage image needs shaderStorageImageReadWithoutFormat or WriteWithoutFormat";
                return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
            }
        }
        Ok(ImageType { dim, arrayed, multisampled, depth: d.uses.compared, storage, component, format })
    }

    /// Whether the format of a view that is loaded from is known to be one component of 32 bits. Direct3D promises that
    /// where the feature flags do not ask for additional formats. A container without flags either needs none or was
    /// stripped of them: there the format stays open where the device can read such an image, and otherwise the code
    /// must use no more than that one component.
    fn loads_one_word(&self, d: &Declared) -> bool {
        let features = &self.options.profile.features;
        let open = features.read_without_format && (!d.uses.written || features.write_without_format);
        let whole_words = matches!(d.returns.of(0), 3..=5);
        match self.shader.sfi0 {
            Some(flags) => flags & TYPED_LOAD_ADDITIONAL == 0,
            None => !open && whole_words && d.uses.texel_components <= 1,
        }
    }

    fn resource_name(&self, d: &Declared) -> &'a str {
        let Some(reflection) = &self.shader.rdef else { return "" };
        // D3D_SHADER_INPUT_TYPE: 0 cbuffer, 1 tbuffer, 2 texture, 3 sampler, 4 UAV typed, 5 structured, 7 byte address, …
        let matches_class = |ty: u32| match d.class {
            ResourceClass::Cbv => ty == 0,
            ResourceClass::Sampler => ty == 3,
            ResourceClass::Srv => matches!(ty, 1 | 2 | 5 | 7),
            _ => matches!(ty, 4 | 6 | 8..=11),
        };
        let found = reflection.bindings.iter().find(|b| {
            matches_class(b.ty) && b.bind_point == d.register && (b.space == d.space || !self.shader_model_51())
        });
        found.map_or("", |b| b.name)
    }

    fn describe(&mut self, d: &Declared, descriptor: Descriptor, name: String) -> Resource {
        let buffer = matches!(d.dim, ResourceDim::RawBuffer | ResourceDim::StructuredBuffer);
        let texel = d.dim == ResourceDim::Buffer;
        let uav = d.class == ResourceClass::Uav;
        let used = match d.class {
            ResourceClass::Cbv => self.usage.constant_buffers.get(&d.id).is_some_and(|u| u.used),
            // A length that comes by push constant asks the buffer nothing.
            _ if buffer && self.options.profile.buffer_lengths == BufferLengths::PushConstants => {
                d.uses.read || d.uses.written || d.uses.atomic
            }
            _ => d.uses.used(),
        };
        let ty = match d.class {
            ResourceClass::Cbv => DescriptorType::UniformBuffer,
            ResourceClass::Sampler => DescriptorType::Sampler,
            _ if buffer => DescriptorType::StorageBuffer,
            _ => match (texel, uav) {
                (true, true) => DescriptorType::StorageTexelBuffer,
                (true, false) => DescriptorType::UniformTexelBuffer,
                (false, true) => DescriptorType::StorageImage,
                (false, false) => DescriptorType::SampledImage,
            },
        };
        let access = match (uav, d.uses.read || d.uses.atomic, d.uses.written || d.uses.atomic) {
            (false, ..) | (true, _, false) => Access::Read,
            (true, false, true) => Access::Write,
            (true, true, true) => Access::ReadWrite,
        };
        let image = !buffer && matches!(d.class, ResourceClass::Srv | ResourceClass::Uav);
        if matches!(ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer)
            && access == Access::ReadWrite
        {
            self.interface.read_write_textures += d.count.unwrap_or(0);
        }
        self.interface.uses_global_memory |= buffer && used;
        Resource {
            class: d.class,
            register: d.register,
            space: d.space,
            name,
            set: descriptor.set,
            binding: descriptor.binding,
            ty,
            count: d.count,
            dimension: image.then(|| dimension(d.dim)),
            component: image.then(|| match self.component(d) {
                Kind::S32 => Component::Sint,
                Kind::U32 => Component::Uint,
                _ => Component::Float,
            }),
            access,
            size_bytes: (d.class == ResourceClass::Cbv).then_some(d.elements.saturating_mul(16)),
            stride_bytes: (d.dim == ResourceDim::StructuredBuffer).then_some(d.stride),
            used,
            reads_length: false,
            texel_atomics: d.uses.atomic
                && matches!(ty, DescriptorType::StorageImage | DescriptorType::StorageTexelBuffer),
            aliased_array: false,
        }
    }

    /// The declared resource that an operand names, by index.
    pub(super) fn resource(&self, operand: &Operand) -> Result<usize, Error> {
        let number = super::number(operand)?;
        let found = self.resources.find(operand.file, number);
        found.ok_or_else(|| self.bad_operand(format!("{:?} {number} is not declared", operand.file)))
    }

    /// The index into the descriptor array of an operand: `None` where the variable is no array.
    pub(super) fn descriptor_index(&mut self, resource: usize, operand: &Operand) -> Result<Option<ValueId>, Error> {
        let declared = *self.resources.get(resource);
        if !declared.arrayed {
            return Ok(None);
        }
        if operand.nonuniform && !self.options.profile.features.descriptor_indexing {
            let what = "an index that differs between invocations needs the non-uniform indexing features";
            return Err(Error::refused(ledger::NOT_IN_PROFILE, what));
        }
        // 5.1: index 1 counts registers of the space, from 0.
        let index = self.index(&operand.index[1])?;
        let first = self.builder.u32(declared.register.wrapping_neg());
        Ok(Some(self.builder.add(index, first)))
    }

    /// Flags of an access through an operand.
    pub(super) fn access_flags(&self, operand: &Operand) -> Flags {
        if operand.nonuniform { Flags::NON_UNIFORM } else { Flags::NONE }
    }

    /// The image or sampler that an operand names, loaded.
    pub(super) fn handle(&mut self, operand: &Operand) -> Result<ValueId, Error> {
        let resource = self.resource(operand)?;
        let index = self.descriptor_index(resource, operand)?;
        let declared = self.resources.get(resource);
        let kind = if declared.class == ResourceClass::Sampler { Kind::Sampler } else { Kind::Image };
        let (var, flags) = (declared.var, self.access_flags(operand));
        Ok(self.builder.push(Op::Handle, Type::new(kind, 1), flags, var.0, index.as_slice()))
    }

    /// Marks a storage buffer as one whose length is read.
    pub(super) fn reads_length(&mut self, resource: usize) {
        let at = self.resources.get(resource).interface;
        self.interface.resources[at].reads_length = true;
        self.interface.reads_array_length = Some(true);
    }
}

#[derive(Default)]
struct Next {
    bindings: u32,
    sets: u32,
}

fn resource_dim(number: u32) -> Result<ResourceDim, Error> {
    Ok(match number {
        1 => ResourceDim::Buffer,
        2 => ResourceDim::Texture1D,
        3 => ResourceDim::Texture2D,
        4 => ResourceDim::Texture2DMs,
        5 => ResourceDim::Texture3D,
        6 => ResourceDim::TextureCube,
        7 => ResourceDim::Texture1DArray,
        8 => ResourceDim::Texture2DArray,
        9 => ResourceDim::Texture2DMsArray,
        10 => ResourceDim::TextureCubeArray,
        _ => return Err(Error::malformed(ledger::BAD_TOKENS, 0, format!("resource dimension {number}"))),
    })
}

fn dimension(dim: ResourceDim) -> Dimension {
    match dim {
        ResourceDim::Texture1D => Dimension::D1,
        ResourceDim::Texture1DArray => Dimension::D1Array,
        ResourceDim::Texture2D => Dimension::D2,
        ResourceDim::Texture2DArray => Dimension::D2Array,
        ResourceDim::Texture2DMs => Dimension::D2Ms,
        ResourceDim::Texture2DMsArray => Dimension::D2MsArray,
        ResourceDim::Texture3D => Dimension::D3,
        ResourceDim::TextureCube => Dimension::Cube,
        ResourceDim::TextureCubeArray => Dimension::CubeArray,
        _ => Dimension::Buffer,
    }
}
