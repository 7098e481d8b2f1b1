//! The scene's lights: a table that ships beside the shaders; the boats' lanterns and the buoys' move by formula.

use super::instances::{BOATS, BUOYS, LANTERN, buoy, numbers, on_boat};
use super::math::add;

/// Bytes of a light.
pub const STRIDE: u32 = 32;
/// Lights.
pub const COUNT: u32 = 45;

/// The lights at 2 seconds, in the order of their buffer.
const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scene/lights.tsv"));

/// Where the boats' lights begin.
const FIRST_BOAT: usize = 8;
/// Where the buoys' lights begin.
const FIRST_BUOY: usize = 14;
/// A buoy's light stands this far above it, metres.
const ABOVE_BUOY: f64 = 0.8;

/// One light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Place.
    pub position: [f32; 3],
    /// How far it reaches, metres.
    pub radius: f32,
    /// Colour times strength.
    pub color: [f32; 3],
    /// Radius of what shines, metres.
    pub source_radius: f32,
}

/// The scene's lights.
#[derive(Clone, Debug)]
pub struct Lights(Vec<Light>);

impl Lights {
    /// Reads the table. Rows that are none are left out: a test counts them.
    pub fn new() -> Lights {
        Lights(TABLE.lines().skip(1).filter_map(row).collect())
    }

    /// The lights at a time in seconds.
    pub fn at(&self, time: f64) -> Vec<Light> {
        let mut all = self.0.clone();
        let mut place = |index: usize, at: [f64; 3]| {
            if let Some(light) = all.get_mut(index) {
                light.position = at.map(|x| x as f32);
            }
        };
        (0..BOATS).for_each(|boat| place(FIRST_BOAT + boat, on_boat(boat, LANTERN, time)));
        (0..BUOYS).for_each(|n| place(FIRST_BUOY + n, add(buoy(n, time), [0.0, ABOVE_BUOY, 0.0])));
        all
    }

    /// The lights at a time in seconds, as bytes.
    pub fn bytes(&self, time: f64) -> Vec<u8> {
        let floats = |light: &Light| {
            let [x, y, z] = light.position;
            let [r, g, b] = light.color;
            [x, y, z, light.radius, r, g, b, light.source_radius]
        };
        self.at(time).iter().flat_map(floats).flat_map(f32::to_le_bytes).collect()
    }
}

impl Default for Lights {
    fn default() -> Lights {
        Lights::new()
    }
}

fn row(line: &str) -> Option<Light> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[_, position, radius, color, source_radius] = cells.as_slice() else { return None };
    Some(Light {
        position: numbers(position)?,
        radius: radius.parse().ok()?,
        color: numbers(color)?,
        source_radius: source_radius.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_is_at_two_seconds_where_the_table_says() {
        let lights = Lights::new();
        assert_eq!(lights.0.len(), COUNT as usize);
        for (index, (moved, told)) in lights.at(2.0).iter().zip(&lights.0).enumerate() {
            let near = moved.position.iter().zip(told.position).all(|(have, want)| (have - want).abs() < 1e-4);
            assert!(near, "light {index}: {moved:?} is not {told:?}");
        }
        let moving = lights.at(0.0).iter().zip(&lights.0).filter(|(at, told)| at != told).count();
        assert_eq!(moving, BOATS + BUOYS);
    }

    #[test]
    fn bytes_are_as_the_shaders_read_them() {
        let bytes = Lights::new().bytes(2.0);
        assert_eq!(bytes.len(), (COUNT * STRIDE) as usize);
        let floats: Vec<f32> = bytes[44 * 32..]
            .chunks_exact(4)
            .map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        assert_eq!(floats, [-9.5, 2.9, -6.0, 9.0, 70.0, 26.0, 6.0, 0.3], "the brazier");
    }
}
