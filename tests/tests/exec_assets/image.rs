//! Textures with a model on this side: what each texel holds, which texel a coordinate means.

use crate::run::Run;
use rx_tests::vulkan::{Format, Shape, Texture, TextureOptions};

/// A texture and what its texels hold.
#[derive(Clone, Copy)]
pub struct Image {
    /// What it is.
    pub options: TextureOptions,
    /// Words of a texel: level, layer, place.
    pub texel: fn(u32, u32, [u32; 3]) -> [f32; 4],
}

/// Four different floats of a place, small enough that sums are exact.
pub fn numbers(level: u32, layer: u32, [x, y, z]: [u32; 3]) -> [f32; 4] {
    let n = (level * 1024 + layer * 4096 + x + y * 32 + z * 512) as f32;
    [n, -n * 2.0, n + 0.25, (level + layer) as f32]
}

/// A number in [0, 1] of a place, in sixteenths: depths.
pub fn sixteenths(level: u32, layer: u32, [x, y, _]: [u32; 3]) -> [f32; 4] {
    [((x * 5 + y * 3 + level * 7 + layer * 2) % 17) as f32 / 16.0, 0.0, 0.0, 1.0]
}

impl Image {
    /// A 2D image of numbers as RGBA32 floats.
    pub fn d2(width: u32, height: u32, levels: u32) -> Image {
        let options = TextureOptions { levels, ..TextureOptions::d2(2, width, height).unwrap() };
        Image { options, texel: numbers }
    }

    /// Of depths.
    pub fn depths(self) -> Image {
        let format = Format::of(41).unwrap().as_shadow();
        Image { options: TextureOptions { format, ..self.options }, texel: sixteenths }
    }

    /// With layers.
    pub fn layers(self, layers: u32) -> Image {
        Image { options: TextureOptions { layers, ..self.options }, ..self }
    }

    /// Of another shape.
    pub fn shaped(self, shape: Shape, depth: u32) -> Image {
        let [width, height, _] = self.options.size;
        Image { options: TextureOptions { shape, size: [width, height, depth], ..self.options }, ..self }
    }

    /// Width, height and depth of a level.
    pub fn size(&self, level: u32) -> [u32; 3] {
        self.options.size.map(|n| (n >> level).max(1))
    }

    /// The texture, with these texels.
    pub fn texture(&self, run: &Run<'_>) -> Texture {
        let mut words = Vec::new();
        let components = (self.options.format.bytes / 4) as usize;
        for level in 0..self.options.levels {
            let [width, height, depth] = self.size(level);
            for layer in 0..self.options.layers {
                for n in 0..width * height * depth {
                    let place = [n % width, n / width % height, n / width / height];
                    words.extend((self.texel)(level, layer, place)[..components].iter().map(|c| c.to_bits()));
                }
            }
        }
        run.texture(self.options, &words)
    }

    /// A texel by its place; zeros outside, also of levels and layers.
    pub fn load(&self, level: u32, layer: i32, place: [i32; 3]) -> [f32; 4] {
        if level >= self.options.levels || layer < 0 || layer >= self.options.layers as i32 {
            return [0.0; 4];
        }
        let size = self.size(level);
        let inside = (0..3).all(|n| place[n] >= 0 && place[n] < size[n] as i32);
        if inside { (self.texel)(level, layer as u32, place.map(|p| p as u32)) } else { [0.0; 4] }
    }

    /// The texel nearest a normalised coordinate, moved by whole texels, clamped to the edge. `None` where rounding may
    /// choose either of two.
    pub fn nearest(&self, level: u32, layer: u32, at: [f64; 3], offset: [i32; 3]) -> Option<[f32; 4]> {
        let size = self.size(level);
        let mut place = [0; 3];
        for n in 0..3 {
            let texel = at[n] * f64::from(size[n]);
            if (texel - texel.round()).abs() < 1e-3 && size[n] > 1 {
                return None;
            }
            place[n] = (texel.floor() as i32 + offset[n]).clamp(0, size[n] as i32 - 1) as u32;
        }
        Some((self.texel)(level, layer, place))
    }

    /// The four texels around a coordinate of level 0, in the order of a gather: (-, +), (+, +), (+, -), (-, -).
    pub fn gathered(&self, layer: u32, [u, v]: [f64; 2], offset: [i32; 2]) -> [[f32; 4]; 4] {
        let [width, height, _] = self.size(0);
        let (x, y) = ((u * f64::from(width) - 0.5).floor() as i32, (v * f64::from(height) - 0.5).floor() as i32);
        [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[dx, dy]| {
            let clamped = |p: i32, size: u32| p.clamp(0, size as i32 - 1) as u32;
            (self.texel)(0, layer, [clamped(x + dx + offset[0], width), clamped(y + dy + offset[1], height), 0])
        })
    }
}

/// Face and place in it of a direction: Direct3D's faces are Vulkan's.
pub fn cube_face([x, y, z]: [f64; 3]) -> (u32, [f64; 2]) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, s, t, major) = if ax >= ay && ax >= az {
        if x > 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
    } else if ay >= az {
        if y > 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z > 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    (face, [(s / major + 1.0) / 2.0, (t / major + 1.0) / 2.0])
}

/// A sum of vectors of four.
#[derive(Clone, Copy, Default)]
pub struct Sum(pub [f64; 4]);

impl Sum {
    /// Adds.
    pub fn add(&mut self, values: [f32; 4]) {
        for (sum, value) in self.0.iter_mut().zip(values) {
            *sum += f64::from(value);
        }
    }

    /// Adds one number to all four.
    pub fn splat(&mut self, value: f32) {
        self.add([value; 4]);
    }
}
