//! Texels and sizes of a texture, and what the rasteriser says of its samples.

use super::plan::Kind;
use super::{Generator, Pool};
use crate::random::case::Image;
use rx_translate::dxbc::opcodes::Class;

/// Register of the texture.
pub(super) const TEXTURE: u32 = 4;

impl Generator {
    /// The texture's shape, the same for every program of a format.
    pub(super) fn image(&self) -> Image {
        let layers = if self.plan.layered { 3 } else { 1 };
        Image { format: self.plan.texel_format.dxgi, size: [4, 2], layers, levels: 2 }
    }

    /// A load of a texel, or a question.
    pub(super) fn texture(&mut self) {
        let rasterizer = self.plan.kind == Kind::Pixel && self.plan.model >= (4, 1);
        match self.numbers.weighted(&[6, 3, if rasterizer { 2 } else { 0 }]) {
            0 => self.texel(),
            1 => self.texture_size(),
            _ => self.samples(),
        }
    }

    fn texel(&mut self) {
        let mask = self.mask();
        let format = self.plan.texel_format;
        let (to, swizzle) = (self.destination(format.pool(), mask), self.swizzle());
        let Image { size: [width, height], layers, levels, .. } = self.image();
        // Past the edge the components that a format lacks are open.
        let outside = format.is_whole() && self.numbers.chance(15);
        self.out_of_range |= outside;
        let coordinate = format!("r{}", super::temps::TRASH);
        let from = self.source(Pool::Bits, Class::Uint);
        // The level's size is not asked: a coordinate of the smallest level is in every level.
        let least = |n: u32| (n >> (levels - 1)).max(1) - 1;
        let limits = match (outside, self.numbers.chance(50)) {
            (true, _) => [7, 3, 3, 3],
            (_, true) => [least(width), least(height), layers - 1, levels - 1],
            _ => [width - 1, height - 1, layers - 1, 0],
        };
        let limits: Vec<String> = limits.map(|n: u32| n.to_string()).to_vec();
        self.emit(format!("umin {coordinate}.xyzw, {from}, l({})", limits.join(", ")));
        let offsets = outside && self.numbers.chance(50);
        let suffix = if offsets {
            format!("_aoffimmi({},{},0)", self.numbers.below(16) as i32 - 8, self.numbers.below(16) as i32 - 8)
        } else {
            String::new()
        };
        let name = self.resource_name(TEXTURE);
        self.emit(format!("ld{suffix} {to}, {coordinate}.xyzw, {name}.{swizzle}"));
    }

    fn texture_size(&mut self) {
        let level = self.scalar(Pool::Bits, Class::Uint);
        // A reciprocal is rounded by the driver, so only sizes that are powers of two are asked for it.
        let form = self.numbers.pick(&["", "_uint", "_rcpFloat"]);
        let pool = if form == "_uint" { Pool::Bits } else { Pool::Float };
        let mask = self.mask();
        let (to, swizzle) = (self.destination(pool, mask), self.swizzle());
        let name = self.resource_name(TEXTURE);
        let level = if self.numbers.chance(70) { format!("l({})", self.numbers.below(3)) } else { level };
        let dimension = if self.plan.layered { "texture2darray" } else { "texture2d" };
        let returns = [self.plan.texel_format.returns; 4].join(",");
        // What kind of numbers is wanted stands after the lists in one of the two spellings.
        if form.is_empty() || self.plan.model.0 == 4 {
            return self.emit(format!("resinfo{form} {to}, {level}, {name}.{swizzle}"));
        }
        self.emit(format!("resinfo_indexable({dimension})({returns}){form} {to}, {level}, {name}.{swizzle}"));
    }

    fn samples(&mut self) {
        let mask = self.mask();
        let (to, swizzle) = (self.destination(Pool::Float, mask), self.swizzle());
        if self.numbers.chance(50) {
            return self.emit(format!("sampleinfo {to}, rasterizer.{swizzle}"));
        }
        let sample = self.numbers.below(2);
        self.emit(format!("samplepos {to}, rasterizer.{swizzle}, l({sample})"));
    }
}
