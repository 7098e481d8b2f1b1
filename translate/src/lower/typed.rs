//! Typed unordered access views: texels loaded and stored by coordinate.
//!
//! Owns texel coordinates and their guards. A texel's components have the view's kind; signed ones are bits to the
//! rest of the shader.

use super::Lower;
use super::resources::Declared;
use crate::dxbc::opcodes::Opcode;
use crate::dxbc::program::{Instruction, Operand, RegisterFile, ResourceDim};
use crate::ir::{Flags, ImageFlags, Kind, Op, Type, ValueId};
use crate::{Error, Robustness};

/// Coordinates of a dimension: those in space, and whether a layer follows.
pub(super) fn axes(dim: ResourceDim) -> (u8, bool) {
    match dim {
        ResourceDim::Texture1D => (1, false),
        ResourceDim::Texture1DArray => (1, true),
        ResourceDim::Texture2D | ResourceDim::Texture2DMs => (2, false),
        ResourceDim::Texture2DArray | ResourceDim::Texture2DMsArray => (2, true),
        ResourceDim::Texture3D | ResourceDim::TextureCube => (3, false),
        ResourceDim::TextureCubeArray => (3, true),
        _ => (1, false),
    }
}

/// The mask of all coordinates of a dimension.
pub(super) fn coordinate_mask(dim: ResourceDim) -> u8 {
    let (axes, layer) = axes(dim);
    (1 << (axes + u8::from(layer))) - 1
}

/// Whether a dimension is multisampled.
pub(super) fn multisampled(dim: ResourceDim) -> bool {
    matches!(dim, ResourceDim::Texture2DMs | ResourceDim::Texture2DMsArray)
}

impl<'a> Lower<'a> {
    /// The view of texels that an operand names.
    pub(super) fn texels(&self, operand: &Operand) -> Result<Declared, Error> {
        let declared = *self.resources.get(self.resource(operand)?);
        if matches!(declared.dim, ResourceDim::RawBuffer | ResourceDim::StructuredBuffer | ResourceDim::Unknown) {
            return Err(self.bad_operand("not a typed view"));
        }
        Ok(declared)
    }

    /// Texel coordinates.
    pub(super) fn coordinate(&mut self, declared: &Declared, operand: &Operand) -> Result<ValueId, Error> {
        self.int(operand, coordinate_mask(declared.dim))
    }

    /// Whether accesses to a view are to be guarded.
    pub(super) fn guards_texels(&self, declared: &Declared) -> bool {
        let robustness = &self.options.profile.robustness;
        let class = if declared.dim == ResourceDim::Buffer { robustness.texel } else { robustness.image };
        class == Robustness::Explicit
    }

    /// Whether a coordinate of a storage image is in range, where guards are written.
    pub(super) fn texel_inside(
        &mut self,
        view: &Operand,
        declared: &Declared,
        coordinate: ValueId,
    ) -> Result<Option<ValueId>, Error> {
        if !self.guards_texels(declared) {
            return Ok(None);
        }
        let image = self.handle(view)?;
        let ty = self.builder.ty(coordinate);
        let size = self.builder.op(Op::ImageQuerySize, ty, &[image]);
        Ok(Some(self.all_below(coordinate, size)))
    }

    /// Whether each component is below a limit's.
    pub(super) fn all_below(&mut self, value: ValueId, limit: ValueId) -> ValueId {
        let ty = self.builder.ty(value).with_kind(Kind::Bool);
        let below = self.builder.op(Op::ULess, ty, &[value, limit]);
        if ty.width() == 1 { below } else { self.builder.op(Op::All, Type::BOOL, &[below]) }
    }

    /// `ld_uav_typed` and its feedback form.
    pub(super) fn load_typed(&mut self, inst: &Instruction, operands: &[Operand]) -> Result<(), Error> {
        let feedback = inst.op == Opcode::LdUavTypedFeedback;
        let (dst, status, address, view) = match operands {
            [dst, status, address, view, ..] if feedback => (dst, Some(status), address, view),
            [dst, address, view, ..] => (dst, None, address, view),
            _ => return Err(self.bad_operand("operands are missing")),
        };
        let declared = self.texels(view)?;
        let mut coordinate = self.coordinate(&declared, address)?;
        let inside = self.texel_inside(view, &declared, coordinate)?;
        if inside.is_some() {
            coordinate = self.or_zero(inside, coordinate);
        }
        let image = self.handle(view)?;
        let status = self.status(status);
        let args = [image, coordinate];
        let flags = ImageFlags::NONE;
        let texel = self.texel_operation(Op::ImageRead, &declared, flags, &args, status)?;
        self.write_texel(dst, view, texel, inside)
    }

    /// `store_uav_typed`.
    pub(super) fn store_typed(&mut self, operands: &[Operand]) -> Result<(), Error> {
        let [view, address, value, ..] = operands else { return Err(self.bad_operand("operands are missing")) };
        if view.file != RegisterFile::UnorderedAccessView {
            return Err(self.bad_operand("a typed store to what is no unordered access view"));
        }
        let declared = self.texels(view)?;
        let texel = match self.component(&declared) {
            Kind::F32 => self.float(value, 15)?,
            kind => {
                let bits = self.int(value, 15)?;
                self.builder.convert(bits, kind)
            }
        };
        let coordinate = self.coordinate(&declared, address)?;
        let image = self.handle(view)?;
        let inside = self.texel_inside(view, &declared, coordinate)?;
        self.when(inside, |lower| {
            lower.builder.push(Op::ImageWrite, Type::VOID, Flags::NONE, 0, &[image, coordinate, texel]);
        });
        Ok(())
    }
}
