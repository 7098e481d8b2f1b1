//! Questions about types: how many descriptors, which image, how many bytes.
//!
//! Owns the remembered answers about structures. Every walk goes from a type to one defined before it, at most
//! [`MAX_DEPTH`] deep, so a module whose types name one another in a circle ends as soon as any other.

use super::module::Module;
use super::words::Inst;
use crate::interface::{Component, Dimension};
use spirv::{Decoration, Dim, Op};
use std::collections::BTreeMap;

/// SPIR-V's universal limit on nesting of structures (specification, 2.17); arrays of arrays are held to it too.
pub(super) const MAX_DEPTH: usize = 255;

/// The arrays around a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// Elements, of all dimensions together; none where one has no end.
    pub elements: Option<u32>,
    /// Whether there is an array at all (one of a single element is one).
    pub is_array: bool,
}

/// What an `OpTypeImage` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// Shape.
    pub dimension: Dimension,
    /// Type of a texel's components; none for a kernel's image of void.
    pub component: Option<Component>,
    /// Whether it is read and written without a sampler.
    pub storage: bool,
}

/// What rx asks of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    /// Bytes to the end of the last member, an array without an end counting none.
    pub bytes: u32,
    /// Every member is NonWritable.
    pub read_only: bool,
    /// Every member is NonReadable.
    pub write_only: bool,
    /// The stride where the block is one array, without an end, of structures.
    pub record_stride: Option<u32>,
}

/// Answers about a module's types.
pub(super) struct Types<'m, 'a> {
    module: &'m Module<'a>,
    blocks: BTreeMap<u32, Block>,
}

/// Where a matrix's vectors stand; a decoration of the member that holds it.
#[derive(Clone, Copy, Default)]
struct MatrixLayout {
    stride: Option<u32>,
    row_major: bool,
}

impl<'m, 'a> Types<'m, 'a> {
    /// Of a module.
    pub fn new(module: &'m Module<'a>) -> Self {
        Types { module, blocks: BTreeMap::new() }
    }

    /// The type that another one holds, where it is defined before its holder.
    fn earlier(&self, holder: &Inst<'a>, id: u32) -> Option<Inst<'a>> {
        self.module.definition(id).filter(|inst| inst.at < holder.at)
    }

    /// The type inside the arrays, and the arrays. None where the type is not defined, or nested past all limits.
    pub fn strip_arrays(&self, ty: u32) -> Option<(u32, Inst<'a>, Count)> {
        let mut count = Count { elements: Some(1), is_array: false };
        let mut id = ty;
        let mut inst = self.module.definition(ty)?;
        for _ in 0..MAX_DEPTH {
            match inst.op() {
                Some(Op::TypeArray) => {
                    let len = inst.get(3).and_then(|len| self.module.constant(len))?;
                    count.elements = count.elements.map(|n| n.saturating_mul(len));
                }
                Some(Op::TypeRuntimeArray) => count.elements = None,
                _ => return Some((id, inst, count)),
            }
            count.is_array = true;
            id = inst.get(2)?;
            inst = self.earlier(&inst, id)?;
        }
        None
    }

    /// The element type of an array, if the type is one.
    pub fn element(&self, ty: u32) -> Option<(u32, Option<u32>)> {
        let inst = self.module.definition(ty)?;
        match inst.op() {
            Some(Op::TypeArray) => Some((inst.get(2)?, inst.get(3).and_then(|len| self.module.constant(len)))),
            Some(Op::TypeRuntimeArray) => Some((inst.get(2)?, None)),
            _ => None,
        }
    }

    /// What an `OpTypeImage` says; none where it is not one, or of a shape that Vulkan has not.
    pub fn image(&self, inst: &Inst<'a>) -> Option<Image> {
        if inst.op() != Some(Op::TypeImage) {
            return None;
        }
        let (arrayed, multisampled) = (inst.get(5)? == 1, inst.get(6)? == 1);
        let dimension = match (Dim::from_u32(inst.get(3)?)?, arrayed, multisampled) {
            (Dim::Dim1D, false, _) => Dimension::D1,
            (Dim::Dim1D, true, _) => Dimension::D1Array,
            (Dim::Dim2D | Dim::DimRect, false, false) => Dimension::D2,
            (Dim::Dim2D | Dim::DimRect, true, false) => Dimension::D2Array,
            (Dim::Dim2D | Dim::DimRect, false, true) => Dimension::D2Ms,
            (Dim::Dim2D | Dim::DimRect, true, true) => Dimension::D2MsArray,
            (Dim::Dim3D, ..) => Dimension::D3,
            (Dim::DimCube, false, _) => Dimension::Cube,
            (Dim::DimCube, true, _) => Dimension::CubeArray,
            (Dim::DimBuffer, ..) => Dimension::Buffer,
            (Dim::DimSubpassData, ..) => Dimension::Subpass,
            _ => return None,
        };
        let component = self.earlier(inst, inst.get(2)?).and_then(|ty| component(&ty));
        Some(Image { dimension, component, storage: inst.get(7)? == 2 })
    }

    /// What rx asks of a block; remembered.
    pub fn block(&mut self, ty: u32) -> Block {
        self.block_at(ty, 0)
    }

    fn block_at(&mut self, ty: u32, depth: usize) -> Block {
        if let Some(block) = self.blocks.get(&ty) {
            return *block;
        }
        let block = self.module.definition(ty).filter(|inst| inst.op() == Some(Op::TypeStruct));
        let block = block.map_or_else(Block::default, |inst| self.measure(&inst, ty, depth));
        self.blocks.insert(ty, block);
        block
    }

    fn measure(&mut self, inst: &Inst<'a>, ty: u32, depth: usize) -> Block {
        let members = inst.rest(2);
        let mut block =
            Block { bytes: 0, read_only: !members.is_empty(), write_only: !members.is_empty(), record_stride: None };
        for (index, member) in (0..).zip(members) {
            let decoration = |kind| self.module.member_decoration(ty, index, kind);
            block.read_only &= decoration(Decoration::NonWritable).is_some();
            block.write_only &= decoration(Decoration::NonReadable).is_some();
            let layout = MatrixLayout {
                stride: decoration(Decoration::MatrixStride),
                row_major: decoration(Decoration::RowMajor).is_some(),
            };
            let offset = decoration(Decoration::Offset).unwrap_or(0);
            let size = self.earlier(inst, *member).map_or(0, |m| self.bytes(&m, *member, layout, depth + 1));
            block.bytes = block.bytes.max(offset.saturating_add(size));
        }
        if let [only] = members {
            block.record_stride = self.record_stride(inst, *only);
        }
        block
    }

    fn record_stride(&self, holder: &Inst<'a>, member: u32) -> Option<u32> {
        let array = self.earlier(holder, member).filter(|inst| inst.op() == Some(Op::TypeRuntimeArray))?;
        let element = self.earlier(&array, array.get(2)?)?;
        if element.op() != Some(Op::TypeStruct) {
            return None;
        }
        self.module.decoration(member, Decoration::ArrayStride)
    }

    /// Bytes of a value in memory. Past the nesting limit, and for what has no size, 0.
    fn bytes(&mut self, inst: &Inst<'a>, ty: u32, layout: MatrixLayout, depth: usize) -> u32 {
        if depth > MAX_DEPTH {
            return 0;
        }
        let word = |index| inst.get(index).unwrap_or(0);
        match inst.op() {
            Some(Op::TypeBool) => 4,
            Some(Op::TypeInt | Op::TypeFloat) => word(2) / 8,
            // A pointer to physical storage is 64 bits wide.
            Some(Op::TypePointer) => 8,
            Some(Op::TypeVector) => self.held(inst, layout, depth).saturating_mul(word(3)),
            Some(Op::TypeMatrix) => self.matrix_bytes(inst, layout, depth),
            Some(Op::TypeArray) => {
                let stride = self.module.decoration(ty, Decoration::ArrayStride);
                let stride = stride.unwrap_or_else(|| self.held(inst, layout, depth));
                stride.saturating_mul(self.module.constant(word(3)).unwrap_or(0))
            }
            Some(Op::TypeStruct) => self.block_at(ty, depth).bytes,
            _ => 0,
        }
    }

    /// Bytes of the type that a vector, matrix or array is made of.
    fn held(&mut self, inst: &Inst<'a>, layout: MatrixLayout, depth: usize) -> u32 {
        let Some(id) = inst.get(2) else { return 0 };
        self.earlier(inst, id).map_or(0, |held| self.bytes(&held, id, layout, depth + 1))
    }

    fn matrix_bytes(&mut self, inst: &Inst<'a>, layout: MatrixLayout, depth: usize) -> u32 {
        let columns = inst.get(3).unwrap_or(0);
        let column_bytes = self.held(inst, layout, depth);
        match layout.stride {
            Some(stride) if layout.row_major => {
                let column = inst.get(2).and_then(|id| self.earlier(inst, id));
                stride.saturating_mul(column.and_then(|c| c.get(3)).unwrap_or(0))
            }
            Some(stride) => stride.saturating_mul(columns),
            None => column_bytes.saturating_mul(columns),
        }
    }

    /// Component type, number of components and bits of a scalar or vector.
    pub fn vector(&self, inst: &Inst<'a>) -> Option<(Component, u32, u32)> {
        let (scalar, count) = match inst.op()? {
            Op::TypeVector => (self.earlier(inst, inst.get(2)?)?, inst.get(3)?),
            _ => (*inst, 1),
        };
        let bits = if scalar.op() == Some(Op::TypeBool) { 32 } else { scalar.get(2)? };
        Some((component(&scalar)?, count, bits))
    }
}

/// The component type of a scalar: a bool counts as `Uint`, floats of other widths than 64 as `Float`.
fn component(scalar: &Inst<'_>) -> Option<Component> {
    match scalar.op()? {
        Op::TypeFloat if scalar.get(2)? == 64 => Some(Component::Double),
        Op::TypeFloat => Some(Component::Float),
        Op::TypeInt if scalar.get(3)? == 1 => Some(Component::Sint),
        Op::TypeInt | Op::TypeBool => Some(Component::Uint),
        _ => None,
    }
}
