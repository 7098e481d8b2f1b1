//! Questions about views: sizes, samples and sample positions (22.4.1, 22.4.14, 22.4.21, 22.4.22).

use super::{Memory, memory_role, swizzle};
use crate::declared::Layout;
use crate::run::{Current, Run};
use crate::thread::{Lanes, Thread};
use crate::{Class, Error, View};
use rx_translate::dxbc::program::{RegisterFile, ResourceDim};

/// Return types of `resinfo`, in the opcode token; `sampleinfo` has the first and `uint` at 1.
const RECIPROCAL: u16 = 1;
const RESINFO_UINT: u16 = 2;
const SAMPLEINFO_UINT: u16 = 1;

/// Sample positions of Direct3D's standard patterns, in sixteenths of a pixel from its centre.
const ONE: &[(i8, i8)] = &[(0, 0)];
const TWO: &[(i8, i8)] = &[(4, 4), (-4, -4)];
const FOUR: &[(i8, i8)] = &[(-2, -6), (6, -2), (-6, 2), (2, 6)];
const EIGHT: &[(i8, i8)] = &[(1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)];
const SIXTEEN: &[(i8, i8)] = &[
    (1, 1),
    (-1, -3),
    (-3, 2),
    (4, -1),
    (-5, -2),
    (2, 5),
    (5, 3),
    (3, -5),
    (-2, 6),
    (0, -7),
    (-4, -6),
    (-6, 4),
    (-8, 0),
    (7, -4),
    (6, 7),
    (-7, -8),
];

impl Run<'_> {
    /// `bufinfo`: elements of a typed buffer, bytes of a raw one, structures of a structured one; in every component.
    pub(super) fn buffer_info(&self, thread: &Thread, current: &Current<'_>) -> Result<Lanes, Error> {
        let memory = self.memory_operand(thread, current)?;
        let Memory::View { class, slot, layout } = memory else {
            return Err(current.invalid("group shared memory has no size to ask for"));
        };
        if self.view(class, slot).is_none() {
            return Ok([0; 4]);
        }
        let count = match layout {
            Layout::Typed { .. } => {
                self.texels(current, memory)?.map_or(0, |t| t.bytes().len() / t.format.size().max(1))
            }
            _ => self.words(current, memory)?.map_or(0, |words| match words.stride {
                Some(stride) => words.bytes.len() / (stride as usize).max(1),
                None => words.bytes.len(),
            }),
        };
        Ok([u32::try_from(count).unwrap_or(u32::MAX); 4])
    }

    /// `resinfo`: width, height, depth or layers, and mip levels. A mip level that does not exist has no size.
    pub(super) fn resource_info(&self, thread: &Thread, current: &Current<'_>) -> Result<Lanes, Error> {
        let memory = self.memory_operand(thread, current)?;
        let operand = memory_role(current)?;
        let Memory::View { class, slot, layout: Layout::Typed { dim, .. } } = memory else {
            return Err(current.invalid("the shader declares no texture"));
        };
        let texture = match self.view(class, slot) {
            None => return Ok([0; 4]),
            Some(View::Texture(texture)) => texture,
            Some(_) => return Err(current.invalid("the bound view is no texture")),
        };
        let levels = if class == Class::UnorderedAccess { 1 } else { texture.levels.max(1) };
        let level = current.integer(0)[0];
        let layers = texture.layers.max(1);
        let [width, height, depth] = if level < levels { texture.level_size(level) } else { [0; 3] };
        let array = |n: u32| if level < levels { n } else { 0 };
        // Each size with whether it is a number of texels, which a reciprocal applies to.
        let [x, y, z] = match dim {
            ResourceDim::Texture1D => [(width, true), (0, false), (0, false)],
            ResourceDim::Texture1DArray => [(width, true), (array(layers), false), (0, false)],
            ResourceDim::Texture3D => [(width, true), (height, true), (depth, true)],
            ResourceDim::Texture2DArray | ResourceDim::Texture2DMsArray => {
                [(width, true), (height, true), (array(layers), false)]
            }
            ResourceDim::TextureCubeArray => [(width, true), (height, true), (array(layers / 6), false)],
            _ => [(width, true), (height, true), (0, false)],
        };
        let value = [x, y, z, (levels, false)].map(|(n, texels)| match current.instruction.controls & 3 {
            RESINFO_UINT => n,
            RECIPROCAL if texels => (1.0 / n as f32).to_bits(),
            _ => (n as f32).to_bits(),
        });
        Ok(swizzle(operand, value))
    }

    pub(super) fn sample_info(&self, thread: &Thread, current: &Current<'_>) -> Result<Lanes, Error> {
        let operand = memory_role(current)?;
        let samples = self.samples(thread, current)?;
        let uint = current.instruction.controls & SAMPLEINFO_UINT != 0;
        let x = if uint { samples } else { (samples as f32).to_bits() };
        Ok(swizzle(operand, [x, 0, 0, 0]))
    }

    pub(super) fn sample_position(&self, thread: &Thread, current: &Current<'_>) -> Result<Lanes, Error> {
        let operand = memory_role(current)?;
        let pattern = match self.samples(thread, current)? {
            0 => &[],
            1 => ONE,
            2 => TWO,
            4 => FOUR,
            8 => EIGHT,
            16 => SIXTEEN,
            _ => return Err(current.unsupported("this number of samples has no standard positions")),
        };
        let (x, y) = pattern.get(current.integer(0)[0] as usize).copied().unwrap_or((0, 0));
        let sixteenths = |n: i8| (f32::from(n) / 16.0).to_bits();
        Ok(swizzle(operand, [sixteenths(x), sixteenths(y), 0, 0]))
    }

    /// Returns the samples of a texture or of the render targets; 0 if nothing is bound.
    fn samples(&self, thread: &Thread, current: &Current<'_>) -> Result<u32, Error> {
        if memory_role(current)?.file == RegisterFile::Rasterizer {
            return Ok(self.resources.rasterizer_samples.max(1));
        }
        match self.memory_operand(thread, current)? {
            Memory::View { class, slot, .. } => match self.view(class, slot) {
                None => Ok(0),
                Some(View::Texture(texture)) => Ok(texture.samples.max(1)),
                Some(_) => Err(current.invalid("the bound view is no texture")),
            },
            Memory::Shared { .. } => Err(current.invalid("group shared memory has no samples")),
        }
    }
}
