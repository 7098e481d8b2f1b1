//! Variables, made at their first use, with their place and decorations.

use super::Writer;
use crate::interface::Stage;
use crate::ir::{BuiltIn, Count, Descriptor, InterfaceDecorations, Kind, Place, Type, VarId, VarKind};
use spirv::{Capability, Decoration, Op, StorageClass};

impl Writer<'_> {
    /// The id of a variable.
    pub(super) fn var(&mut self, var: VarId) -> u32 {
        match self.vars[var.0 as usize] {
            0 => {
                let id = self.make_var(var);
                self.vars[var.0 as usize] = id;
                id
            }
            id => id,
        }
    }

    fn make_var(&mut self, var: VarId) -> u32 {
        let function = self.function;
        let var = function.var(var);
        let id = match var.kind {
            VarKind::Input { ty, array, place, decorations } => self.input(ty, array, place, decorations),
            VarKind::Output { ty, array, place, decorations } => self.output(ty, array, place, decorations),
            VarKind::UniformBuffer { element, len, descriptor } => {
                let element = self.ty(element);
                let elements = self.array_type(element, len.max(1), 16);
                let block = self.block_type(elements, 0);
                self.bound(StorageClass::Uniform, block, descriptor)
            }
            VarKind::StorageBuffer { element, inner, stride, access, descriptor } => {
                let block = self.storage_block(element, inner, stride);
                let id = self.bound(StorageClass::StorageBuffer, block, descriptor);
                self.decorate_access(id, access);
                id
            }
            VarKind::Image { ty, access, descriptor } => {
                let image = self.image_type(ty);
                let id = self.bound(StorageClass::UniformConstant, image, descriptor);
                if ty.storage {
                    self.decorate_access(id, access);
                }
                id
            }
            VarKind::Sampler { descriptor } => {
                let sampler = self.ty(Type::new(Kind::Sampler, 1));
                self.bound(StorageClass::UniformConstant, sampler, descriptor)
            }
            VarKind::PushConstants { offset, len } => {
                let element = self.ty(Type::U32);
                let elements = self.array_type(element, len.max(1), 4);
                let block = self.block_type(elements, offset);
                self.module_var(StorageClass::PushConstant, block)
            }
            VarKind::Local { element, len } => {
                let array = self.plain_array(element, len);
                let zeros = self.null(array);
                self.local_var(array, zeros)
            }
            // Never stored to: drivers see a constant in a variable of the function as one as much as in a private
            // one, and it is not listed in the entry point.
            VarKind::Table { element, len, first } => {
                let array = self.plain_array(element, len);
                let constants = self.table(array, first, len);
                self.local_var(array, constants)
            }
            VarKind::Workgroup { element, len } => {
                let array = self.plain_array(element, len);
                self.module_var(StorageClass::Workgroup, array)
            }
        };
        let varying = matches!(var.kind, VarKind::Input { .. } | VarKind::Output { .. });
        if !(varying && self.profile.fixes.bare_varyings) {
            self.name(id, var);
        }
        id
    }

    /// The block of a storage buffer.
    pub(super) fn storage_block(&mut self, element: Type, inner: u32, stride: u32) -> u32 {
        let mut outer = self.ty(element);
        if inner > 0 {
            outer = self.array_type(outer, inner, size_of(element));
        }
        let elements = self.runtime_array_type(outer, stride);
        self.block_type(elements, 0)
    }

    fn plain_array(&mut self, element: Type, len: u32) -> u32 {
        let element = self.ty(element);
        self.array_type(element, len.max(1), 0)
    }

    /// A variable of the module; which ones the entry point lists depends on the version.
    fn module_var(&mut self, class: StorageClass, pointee: u32) -> u32 {
        let pointer = self.pointer_type(class, pointee);
        let id = self.id();
        self.sections.globals.op(Op::Variable, &[pointer, id, class as u32]);
        if self.version >= (1, 4) || matches!(class, StorageClass::Input | StorageClass::Output) {
            self.interface.push(id);
        }
        id
    }

    fn local_var(&mut self, pointee: u32, initializer: u32) -> u32 {
        let pointer = self.pointer_type(StorageClass::Function, pointee);
        let id = self.id();
        self.sections.locals.op(Op::Variable, &[pointer, id, StorageClass::Function as u32, initializer]);
        id
    }

    /// A variable at a descriptor.
    fn bound(&mut self, class: StorageClass, pointee: u32, descriptor: Descriptor) -> u32 {
        let pointee = match descriptor.count {
            Count::One => pointee,
            Count::Array(len) => self.array_type(pointee, len.max(1), 0),
            Count::Runtime => {
                self.capabilities.require(Capability::RuntimeDescriptorArray);
                self.runtime_array_type(pointee, 0)
            }
        };
        let id = self.module_var(class, pointee);
        self.decorate(id, Decoration::DescriptorSet, &[descriptor.set]);
        self.decorate(id, Decoration::Binding, &[descriptor.binding]);
        id
    }

    fn input(&mut self, ty: Type, array: Option<u32>, place: Place, decorations: InterfaceDecorations) -> u32 {
        let pointee = self.interface_type(ty, array, decorations.per_vertex);
        let id = self.module_var(StorageClass::Input, pointee);
        self.place(id, place, true);
        self.decorate_interface(id, decorations, true);
        id
    }

    fn output(&mut self, ty: Type, array: Option<u32>, place: Place, decorations: InterfaceDecorations) -> u32 {
        let pointee = self.interface_type(ty, array, decorations.per_vertex);
        let id = self.module_var(StorageClass::Output, pointee);
        self.place(id, place, false);
        self.decorate_interface(id, decorations, false);
        id
    }

    fn interface_type(&mut self, ty: Type, array: Option<u32>, per_vertex: u32) -> u32 {
        let inner = match array {
            Some(len) => self.plain_array(ty, len),
            None => self.ty(ty),
        };
        if per_vertex > 0 { self.array_type(inner, per_vertex, 0) } else { inner }
    }

    fn place(&mut self, id: u32, place: Place, input: bool) {
        match place {
            Place::Location { location, component, index } => {
                self.decorate(id, Decoration::Location, &[location]);
                if component != 0 {
                    self.decorate(id, Decoration::Component, &[u32::from(component)]);
                }
                if index != 0 {
                    self.decorate(id, Decoration::Index, &[u32::from(index)]);
                }
            }
            Place::BuiltIn(built_in) => {
                if let Some(capability) = self.built_in_capability(built_in, input) {
                    self.capabilities.require(capability);
                }
                self.decorate(id, Decoration::BuiltIn, &[built_in_of(built_in) as u32]);
            }
        }
    }

    /// The built-in that says whether the invocation is a helper.
    pub(super) fn helper_invocation(&mut self) -> u32 {
        if self.helper == 0 {
            let place = Place::BuiltIn(BuiltIn::HelperInvocation);
            self.helper = self.input(Type::BOOL, None, place, InterfaceDecorations::default());
        }
        self.helper
    }

    /// What a built-in needs beyond its stage.
    fn built_in_capability(&self, built_in: BuiltIn, input: bool) -> Option<Capability> {
        use Capability as C;
        let stage = self.function.modes.stage;
        Some(match built_in {
            BuiltIn::ClipDistance => C::ClipDistance,
            BuiltIn::CullDistance => C::CullDistance,
            BuiltIn::BaseVertex | BuiltIn::BaseInstance | BuiltIn::DrawIndex => C::DrawParameters,
            BuiltIn::SampleId | BuiltIn::SamplePosition => C::SampleRateShading,
            BuiltIn::FragStencilRef => C::StencilExportEXT,
            BuiltIn::FullyCovered => C::FragmentFullyCoveredEXT,
            BuiltIn::PointSize if stage == Stage::Geometry => C::GeometryPointSize,
            BuiltIn::PointSize if is_tessellation(stage) => C::TessellationPointSize,
            BuiltIn::PrimitiveId if stage == Stage::Fragment => C::Geometry,
            BuiltIn::Layer => self.layer_capability(input, C::ShaderLayer, C::Geometry),
            BuiltIn::ViewportIndex => self.layer_capability(input, C::ShaderViewportIndex, C::MultiViewport),
            _ => return None,
        })
    }

    /// A layer or viewport index is the geometry stage's own. Any other stage that writes one asks for that; one that
    /// reads it does too where the device can, because a device without geometry shaders may still have it.
    fn layer_capability(&self, input: bool, any_stage: Capability, geometry: Capability) -> Capability {
        let stage = self.function.modes.stage;
        let any = !input || self.profile.features.viewport_layer_any_stage;
        match (stage == Stage::Geometry || !any, self.version >= (1, 5)) {
            (true, _) => geometry,
            (false, true) => any_stage,
            (false, false) => Capability::ShaderViewportIndexLayerEXT,
        }
    }
}

fn is_tessellation(stage: Stage) -> bool {
    matches!(stage, Stage::TessellationControl | Stage::TessellationEvaluation)
}

/// Bytes of a value in a buffer.
fn size_of(ty: Type) -> u32 {
    let component = match ty.kind() {
        Kind::F64 | Kind::U64 => 8,
        Kind::F16 => 2,
        _ => 4,
    };
    component * u32::from(ty.width())
}

fn built_in_of(built_in: BuiltIn) -> spirv::BuiltIn {
    use spirv::BuiltIn as B;
    match built_in {
        BuiltIn::Position => B::Position,
        BuiltIn::PointSize => B::PointSize,
        BuiltIn::ClipDistance => B::ClipDistance,
        BuiltIn::CullDistance => B::CullDistance,
        BuiltIn::VertexIndex => B::VertexIndex,
        BuiltIn::InstanceIndex => B::InstanceIndex,
        BuiltIn::BaseVertex => B::BaseVertex,
        BuiltIn::BaseInstance => B::BaseInstance,
        BuiltIn::DrawIndex => B::DrawIndex,
        BuiltIn::PrimitiveId => B::PrimitiveId,
        BuiltIn::InvocationId => B::InvocationId,
        BuiltIn::Layer => B::Layer,
        BuiltIn::ViewportIndex => B::ViewportIndex,
        BuiltIn::TessLevelOuter => B::TessLevelOuter,
        BuiltIn::TessLevelInner => B::TessLevelInner,
        BuiltIn::TessCoord => B::TessCoord,
        BuiltIn::PatchVertices => B::PatchVertices,
        BuiltIn::FragCoord => B::FragCoord,
        BuiltIn::PointCoord => B::PointCoord,
        BuiltIn::FrontFacing => B::FrontFacing,
        BuiltIn::SampleId => B::SampleId,
        BuiltIn::SamplePosition => B::SamplePosition,
        BuiltIn::SampleMask => B::SampleMask,
        BuiltIn::FragDepth => B::FragDepth,
        BuiltIn::FragStencilRef => B::FragStencilRefEXT,
        BuiltIn::HelperInvocation => B::HelperInvocation,
        BuiltIn::GlobalInvocationId => B::GlobalInvocationId,
        BuiltIn::LocalInvocationId => B::LocalInvocationId,
        BuiltIn::LocalInvocationIndex => B::LocalInvocationIndex,
        BuiltIn::WorkgroupId => B::WorkgroupId,
        BuiltIn::FullyCovered => B::FullyCoveredEXT,
    }
}
