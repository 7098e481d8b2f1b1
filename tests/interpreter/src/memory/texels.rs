//! Typed buffers and textures, read and written as texels (22.4.6 to 22.4.9).

use super::format::{Format, format};
use super::{Memory, memory_role, swizzle};
use crate::declared::Layout;
use crate::run::{Current, Run};
use crate::thread::{Lanes, Thread};
use crate::{Error, Place, Texture, View, Written};
use rx_translate::dxbc::opcodes::Opcode;
use rx_translate::dxbc::program::{ResourceDim, ReturnTypes};

/// `D3D10_RESOURCE_RETURN_TYPE` numbers of integers.
const RETURNS_SINT: u8 = 3;
const RETURNS_UINT: u8 = 4;

/// Returns the format of one 32-bit component that a return type reads: R32_SINT, R32_UINT or R32_FLOAT.
pub(crate) fn format_of_words(returns: ReturnTypes) -> u32 {
    match returns.of(0) {
        RETURNS_SINT => 43,
        RETURNS_UINT => 42,
        _ => 41,
    }
}

/// Where a texel is looked for.
#[derive(Clone, Copy, Debug, Default)]
struct Coordinates {
    texel: [u32; 3],
    layer: u32,
    level: u32,
    sample: u32,
}

/// A typed view that is bound.
pub(super) struct Texels<'a> {
    pub dim: ResourceDim,
    pub returns: ReturnTypes,
    pub view: &'a View,
    pub format: Format,
}

impl Texture {
    /// Returns the size of a mip level in texels.
    pub(super) fn level_size(&self, level: u32) -> [u32; 3] {
        self.size.map(|n| n.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Returns the texel's index from the start of the texture, or `None` if it is outside.
    fn locate(&self, at: Coordinates) -> Option<u64> {
        let samples = u64::from(self.samples.max(1));
        let layers = u64::from(self.layers.max(1));
        if at.level >= self.levels.clamp(1, u32::BITS)
            || u64::from(at.layer) >= layers
            || u64::from(at.sample) >= samples
        {
            return None;
        }
        let texels = |level: u32| -> Option<u64> {
            let [x, y, z] = self.level_size(level).map(u64::from);
            x.checked_mul(y)?.checked_mul(z)
        };
        let mut before = 0u64;
        for level in 0..at.level {
            before = before.checked_add(texels(level)?.checked_mul(layers)?)?;
        }
        before = before.checked_add(texels(at.level)?.checked_mul(u64::from(at.layer))?)?;
        let size = self.level_size(at.level);
        if at.texel.iter().zip(size).any(|(n, size)| *n >= size) {
            return None;
        }
        let [x, y, z] = at.texel.map(u64::from);
        let [width, height, _] = size.map(u64::from);
        let inside = (z * height).checked_add(y)?.checked_mul(width)?.checked_add(x)?;
        before.checked_add(inside)?.checked_mul(samples)?.checked_add(u64::from(at.sample))
    }
}

impl Texels<'_> {
    /// Returns the byte offset of a texel, or `None` if it is outside.
    fn locate(&self, at: Coordinates) -> Option<u64> {
        let (index, bytes) = match self.view {
            View::Typed { bytes, .. } => (u64::from(at.texel[0]), bytes),
            View::Texture(texture) => (texture.locate(at)?, &texture.bytes),
            View::Raw { .. } | View::Structured { .. } => return None,
        };
        let size = self.format.size() as u64;
        let offset = index.checked_mul(size)?;
        (offset.checked_add(size)? <= bytes.len() as u64).then_some(offset)
    }

    /// Returns the byte offset of the texel that an address names, as `ld_uav_typed` reads it.
    pub fn at_address(&self, current: &Current<'_>, address: Lanes) -> Result<Option<u64>, Error> {
        Ok(self.locate(coordinates(current, self.dim, address)?))
    }

    pub fn bytes(&self) -> &[u8] {
        match self.view {
            View::Raw { bytes } | View::Structured { bytes, .. } | View::Typed { bytes, .. } => bytes,
            View::Texture(texture) => &texture.bytes,
        }
    }
}

impl Run<'_> {
    /// Returns the typed view of an operand, or `None` if nothing is bound.
    pub(super) fn texels(&self, current: &Current<'_>, memory: Memory) -> Result<Option<Texels<'_>>, Error> {
        let Memory::View { class, slot, layout: Layout::Typed { dim, returns } } = memory else {
            return Err(current.invalid("the shader declares no typed view"));
        };
        let Some(view) = self.view(class, slot) else { return Ok(None) };
        let number = match (view, dim) {
            (View::Typed { format, .. }, ResourceDim::Buffer) => *format,
            (View::Texture(texture), _) if dim != ResourceDim::Buffer => texture.format,
            _ => return Err(current.invalid("the bound view is of another kind than the shader declares")),
        };
        let format =
            format(number).ok_or_else(|| current.invalid(format!("DXGI format {number} has no reading here")))?;
        Ok(Some(Texels { dim, returns, view, format }))
    }

    pub(super) fn load_texel(&self, thread: &Thread, current: &Current<'_>) -> Result<Lanes, Error> {
        let memory = self.memory_operand(thread, current)?;
        let operand = memory_role(current)?;
        let Some(texels) = self.texels(current, memory)? else { return Ok([0; 4]) };
        let address = current.integer(0);
        let mut at = coordinates(current, texels.dim, address)?;
        match current.instruction.op {
            Opcode::Ld | Opcode::LdFeedback if has_levels(texels.dim) => at.level = address[3],
            Opcode::LdMs | Opcode::LdMsFeedback => at.sample = current.integer(1)[0],
            _ => {}
        }
        let texel = texels.locate(at).and_then(|offset| texels.bytes().get(usize::try_from(offset).ok()?..));
        let value = texel.map_or_else(|| texels.format.outside(), |bytes| texels.format.decode(bytes));
        Ok(swizzle(operand, value))
    }

    pub(super) fn store_texel(&mut self, thread: &Thread, current: &Current<'_>) -> Result<(), Error> {
        let memory = self.memory_operand(thread, current)?;
        let Some(texels) = self.texels(current, memory)? else {
            self.written.push(Written { place: Place::Dropped, mask: 15, value: current.source(1) });
            return Ok(());
        };
        let offset = texels.at_address(current, current.integer(0))?;
        let integers = matches!(texels.returns.of(0), RETURNS_SINT | RETURNS_UINT);
        let value = if integers { current.integer(1) } else { super::words::bits(current, 1) };
        let bytes = texels.format.encode(value);
        let bytes = bytes.ok_or_else(|| current.invalid("the bound view has a format that shaders cannot write"))?;
        let size = texels.format.size() as u64;
        let start = offset.and_then(|offset| usize::try_from(offset).ok());
        let target = start.and_then(|start| self.word_bytes_mut(memory)?.get_mut(start..start + bytes.len()));
        let place = match (target, offset) {
            (Some(target), Some(offset)) => {
                target.copy_from_slice(&bytes);
                memory.place((offset / size) as u32)
            }
            _ => Place::Dropped,
        };
        self.written.push(Written { place, mask: 15, value });
        Ok(())
    }
}

fn has_levels(dim: ResourceDim) -> bool {
    !matches!(dim, ResourceDim::Buffer | ResourceDim::Texture2DMs | ResourceDim::Texture2DMsArray)
}

/// Takes as many components from an address as the dimension has. Offsets move texel coordinates only; what goes
/// below zero becomes a large number, which is outside.
fn coordinates(current: &Current<'_>, dim: ResourceDim, address: Lanes) -> Result<Coordinates, Error> {
    let offsets = current.instruction.offsets.map(|n| i32::from(n).cast_unsigned());
    let moved = |n: usize| address[n].wrapping_add(offsets[n]);
    let [_, y, z, _] = address;
    let at = match dim {
        ResourceDim::Buffer => Coordinates { texel: [address[0], 0, 0], ..Coordinates::default() },
        ResourceDim::Texture1D => Coordinates { texel: [moved(0), 0, 0], ..Coordinates::default() },
        ResourceDim::Texture1DArray => Coordinates { texel: [moved(0), 0, 0], layer: y, ..Coordinates::default() },
        ResourceDim::Texture2D | ResourceDim::Texture2DMs => {
            Coordinates { texel: [moved(0), moved(1), 0], ..Coordinates::default() }
        }
        ResourceDim::Texture2DArray | ResourceDim::Texture2DMsArray => {
            Coordinates { texel: [moved(0), moved(1), 0], layer: z, ..Coordinates::default() }
        }
        ResourceDim::Texture3D => Coordinates { texel: [moved(0), moved(1), moved(2)], ..Coordinates::default() },
        _ => return Err(current.invalid("a texture of this dimension has no integer coordinates")),
    };
    Ok(at)
}
