//! Types, made at their first use.

use super::{Key, Tag, Writer};
use crate::ir::{ImageDim, ImageFormat, ImageType, Kind, Type};
use spirv::{Capability, Decoration, Dim, Op, StorageClass};

impl Writer<'_> {
    /// The id of a type.
    pub(super) fn ty(&mut self, ty: Type) -> u32 {
        match self.types[ty.index()] {
            0 => self.make_type(ty),
            id => id,
        }
    }

    fn make_type(&mut self, ty: Type) -> u32 {
        let u32s = ty.with_kind(Kind::U32);
        let id = match ty.kind() {
            Kind::PairU32 => self.structure(&[u32s, u32s]),
            Kind::SparseF32 => self.structure(&[Type::U32, ty.with_kind(Kind::F32)]),
            Kind::SparseU32 => self.structure(&[Type::U32, u32s]),
            Kind::SparseS32 => self.structure(&[Type::U32, ty.with_kind(Kind::S32)]),
            // A loaded image has the type of its variable: see `image_type`.
            Kind::Void | Kind::Image => self.scalar_type(Op::TypeVoid, &[]),
            Kind::Sampler => self.scalar_type(Op::TypeSampler, &[]),
            _ if ty.width() > 1 => {
                let component = self.ty(ty.with_width(1));
                self.scalar_type(Op::TypeVector, &[component, u32::from(ty.width())])
            }
            Kind::Bool => self.scalar_type(Op::TypeBool, &[]),
            Kind::U32 => self.scalar_type(Op::TypeInt, &[32, 0]),
            Kind::S32 => self.scalar_type(Op::TypeInt, &[32, 1]),
            Kind::F32 => self.scalar_type(Op::TypeFloat, &[32]),
            Kind::F16 => {
                self.capabilities.require(Capability::Float16);
                self.scalar_type(Op::TypeFloat, &[16])
            }
            Kind::F64 => {
                self.capabilities.require(Capability::Float64);
                self.scalar_type(Op::TypeFloat, &[64])
            }
            Kind::U64 => {
                self.capabilities.require(Capability::Int64);
                self.scalar_type(Op::TypeInt, &[64, 0])
            }
        };
        self.types[ty.index()] = id;
        id
    }

    /// A type declaration: its id, then the operands.
    fn scalar_type(&mut self, op: Op, operands: &[u32]) -> u32 {
        let id = self.id();
        let globals = &mut self.sections.globals;
        let start = globals.begin(op);
        globals.push(id);
        globals.0.extend_from_slice(operands);
        globals.end(start);
        id
    }

    fn structure(&mut self, members: &[Type; 2]) -> u32 {
        let members = members.map(|member| self.ty(member));
        self.scalar_type(Op::TypeStruct, &members)
    }

    /// The type of the entry point.
    pub(super) fn function_type(&mut self) -> u32 {
        let void = self.ty(Type::VOID);
        self.scalar_type(Op::TypeFunction, &[void])
    }

    /// Pointer to a type.
    pub(super) fn pointer_type(&mut self, class: StorageClass, pointee: u32) -> u32 {
        self.interned(Key(Tag::Pointer, class as u32, pointee, 0), |w| {
            w.scalar_type(Op::TypePointer, &[class as u32, pointee])
        })
    }

    /// Array of so many; a stride of 0 is none.
    pub(super) fn array_type(&mut self, element: u32, len: u32, stride: u32) -> u32 {
        self.interned(Key(Tag::Array, element, len, stride), |w| {
            let len = w.u32_constant(len);
            let id = w.scalar_type(Op::TypeArray, &[element, len]);
            w.stride(id, stride);
            id
        })
    }

    /// Array without an end; a stride of 0 is none (an array of descriptors).
    pub(super) fn runtime_array_type(&mut self, element: u32, stride: u32) -> u32 {
        self.interned(Key(Tag::RuntimeArray, element, stride, 0), |w| {
            let id = w.scalar_type(Op::TypeRuntimeArray, &[element]);
            w.stride(id, stride);
            id
        })
    }

    fn stride(&mut self, array: u32, stride: u32) {
        if stride != 0 {
            self.decorate(array, Decoration::ArrayStride, &[stride]);
        }
    }

    /// Block of one member at an offset.
    pub(super) fn block_type(&mut self, member: u32, offset: u32) -> u32 {
        self.interned(Key(Tag::Block, member, offset, 0), |w| {
            let id = w.scalar_type(Op::TypeStruct, &[member]);
            w.decorate(id, Decoration::Block, &[]);
            w.sections.decorations.op(Op::MemberDecorate, &[id, 0, Decoration::Offset as u32, offset]);
            id
        })
    }

    /// An image type, and what it needs.
    pub(super) fn image_type(&mut self, ty: ImageType) -> u32 {
        let sampled = if ty.storage { 2 } else { 1 };
        let (depth, arrayed, multisampled) = (u32::from(ty.depth), u32::from(ty.arrayed), u32::from(ty.multisampled));
        let (dim, format) = (dimension(ty.dim) as u32, format(ty.format) as u32);
        let packed = dim | depth << 4 | arrayed << 5 | multisampled << 6 | sampled << 7 | format << 9;
        self.interned(Key(Tag::Image, packed, ty.component as u32, 0), |w| {
            w.image_capabilities(ty);
            let component = w.ty(Type::new(ty.component, 1));
            w.scalar_type(Op::TypeImage, &[component, dim, depth, arrayed, multisampled, sampled, format])
        })
    }

    /// The type of an image with a sampler.
    pub(super) fn sampled_image_type(&mut self, image: u32) -> u32 {
        self.interned(Key(Tag::SampledImage, image, 0, 0), |w| w.scalar_type(Op::TypeSampledImage, &[image]))
    }

    fn image_capabilities(&mut self, ty: ImageType) {
        let capability = match (ty.dim, ty.storage) {
            (ImageDim::Buffer, false) => Capability::SampledBuffer,
            (ImageDim::Buffer, true) => Capability::ImageBuffer,
            (ImageDim::D1, false) => Capability::Sampled1D,
            (ImageDim::D1, true) => Capability::Image1D,
            (ImageDim::Cube, false) if ty.arrayed => Capability::SampledCubeArray,
            (ImageDim::Cube, true) if ty.arrayed => Capability::ImageCubeArray,
            (_, true) if ty.multisampled => {
                if ty.arrayed {
                    self.capabilities.require(Capability::ImageMSArray);
                }
                Capability::StorageImageMultisample
            }
            _ => return,
        };
        self.capabilities.require(capability);
    }
}

fn dimension(dim: ImageDim) -> Dim {
    match dim {
        ImageDim::Buffer => Dim::DimBuffer,
        ImageDim::D1 => Dim::Dim1D,
        ImageDim::D2 => Dim::Dim2D,
        ImageDim::D3 => Dim::Dim3D,
        ImageDim::Cube => Dim::DimCube,
    }
}

fn format(format: ImageFormat) -> spirv::ImageFormat {
    match format {
        ImageFormat::Unknown => spirv::ImageFormat::Unknown,
        ImageFormat::R32f => spirv::ImageFormat::R32f,
        ImageFormat::R32ui => spirv::ImageFormat::R32ui,
        ImageFormat::R32i => spirv::ImageFormat::R32i,
    }
}
