//! What stands in the scene: its instances, the batches that they are drawn in, the pennants' bones, the materials.
//!
//! What does not move is a table that ships beside the shaders; boats and buoys move by formula.

use super::math::{Vec3, add, turn};
use super::mesh::{BONES, Shape};

/// Bytes of an instance.
pub const STRIDE: u32 = 80;
/// Bytes of a bone.
pub const BONE_STRIDE: u32 = 48;
/// Bytes of a material.
pub const MATERIAL_STRIDE: u32 = 48;
/// Boats, each with a hull, a cabin, a mast, a lantern and a pennant.
pub const BOATS: usize = 5;
/// Buoys.
pub const BUOYS: usize = 6;

/// The instances at 2 seconds, in the order of their buffer.
const TABLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scene/instances.tsv"));

/// One instance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Instance {
    /// World place = rows times (position, 1).
    pub rows: [[f32; 4]; 3],
    /// Colour that the material's is multiplied by.
    pub tint: [f32; 4],
    /// Material.
    pub material: u32,
    /// What texture coordinates are multiplied by.
    pub uv_scale: f32,
    /// What the tint is multiplied by to give light.
    pub emissive: f32,
    /// How much the wind moves it.
    pub wind: f32,
}

impl Instance {
    fn place(&mut self, at: Vec3) {
        for (row, x) in self.rows.iter_mut().zip(at) {
            row[3] = x as f32;
        }
    }

    fn bytes(&self) -> impl Iterator<Item = u8> {
        let rows = self.rows.into_iter().flatten().chain(self.tint).flat_map(f32::to_le_bytes);
        let rest = [self.uv_scale, self.emissive, self.wind].into_iter().flat_map(f32::to_le_bytes);
        rows.chain(self.material.to_le_bytes()).chain(rest)
    }
}

/// How a batch is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Without bones or holes.
    Static,
    /// With holes, and seen from both sides.
    Alpha,
    /// With bones, and seen from both sides.
    Skinned,
}

/// Instances of one mesh, drawn by one command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Name.
    pub name: &'static str,
    /// Mesh.
    pub shape: Shape,
    /// How.
    pub kind: Kind,
    /// Where its instances begin.
    pub first: u32,
    /// How many.
    pub count: u32,
}

const fn batch(name: &'static str, shape: Shape, kind: Kind, first: u32, count: u32) -> Batch {
    Batch { name, shape, kind, first, count }
}

/// Every batch, in the order in which they are drawn.
pub const BATCHES: [Batch; 9] = [
    batch("stone boxes", Shape::Box, Kind::Static, 0, 14),
    batch("warehouses", Shape::Box, Kind::Static, 14, 2),
    batch("crates and cabins", Shape::Box, Kind::Static, 16, 19),
    batch("roofs", Shape::Prism, Kind::Static, 35, 2),
    batch("hulls", Shape::Hull, Kind::Static, 37, 5),
    batch("posts", Shape::Cylinder, Kind::Static, 42, 36),
    batch("lamps and buoys", Shape::Sphere, Kind::Static, 78, 44),
    batch("nets", Shape::Sheet, Kind::Alpha, 122, 7),
    batch("pennants", Shape::Pennant, Kind::Skinned, 129, 5),
];

/// Of the boats' parts, where their instances begin, and where they stand on the boat.
const PARTS: [(usize, Vec3); 5] =
    [(37, [0.0, 0.0, 0.0]), (30, [0.0, 0.95, -1.2]), (62, [0.0, 0.2, 0.6]), (86, LANTERN), (129, [0.0, 5.4, 0.6])];
/// Where a boat's lantern hangs on it.
pub const LANTERN: Vec3 = [0.0, 2.0, -1.2];
/// Where the buoys' instances begin.
const FIRST_BUOY: usize = 92;

/// How many instances there are.
pub fn count() -> u32 {
    BATCHES.iter().map(|batch| batch.count).sum()
}

/// A boat's part in the world, at a time in seconds.
pub fn on_boat(boat: usize, part: Vec3, time: f64) -> Vec3 {
    // x, z, yaw.
    const MOORED: [[f64; 3]; BOATS] =
        [[-12.0, 7.0, 0.3], [-4.0, 13.0, -0.5], [6.0, 8.0, 0.9], [13.0, 20.0, 2.4], [-20.0, 21.0, 1.6]];
    let [x, z, yaw] = MOORED[boat % BOATS];
    let y = 0.35 + 0.10 * (0.9 * time + 1.9 * boat as f64).sin();
    add([x, y, z], turn(yaw, part))
}

/// A buoy in the world, at a time in seconds.
pub fn buoy(n: usize, time: f64) -> Vec3 {
    let y = 0.1 + 0.08 * (1.3 * time + 2.1 * n as f64).sin();
    [-24.0 + 9.0 * n as f64, y, 28.0 + 5.0 * (n % 3) as f64]
}

/// The numbers of a cell.
pub(super) fn numbers<const N: usize>(cell: &str) -> Option<[f32; N]> {
    let mut all = cell.split(' ').map(|word| word.parse::<f32>().ok());
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = all.next()??;
    }
    all.next().is_none().then_some(numbers)
}

/// The table's instances. Rows that are none are left out: a test counts them.
fn table() -> Vec<Instance> {
    TABLE.lines().skip(1).filter_map(row).collect()
}

fn row(line: &str) -> Option<Instance> {
    let cells: Vec<&str> = line.split('\t').collect();
    let &[_, _, _, _, row0, row1, row2, tint, material, uv_scale, emissive, wind] = cells.as_slice() else {
        return None;
    };
    Some(Instance {
        rows: [numbers(row0)?, numbers(row1)?, numbers(row2)?],
        tint: numbers(tint)?,
        material: material.parse().ok()?,
        uv_scale: uv_scale.parse().ok()?,
        emissive: emissive.parse().ok()?,
        wind: wind.parse().ok()?,
    })
}

/// The scene's instances. What moves is placed anew for every frame.
#[derive(Clone, Debug)]
pub struct Instances(Vec<Instance>);

impl Instances {
    /// Reads the table.
    pub fn new() -> Instances {
        Instances(table())
    }

    /// The instances at a time in seconds.
    pub fn at(&self, time: f64) -> Vec<Instance> {
        let mut all = self.0.clone();
        let mut place = |index: usize, at: Vec3| {
            if let Some(instance) = all.get_mut(index) {
                instance.place(at);
            }
        };
        for (first, local) in PARTS {
            (0..BOATS).for_each(|boat| place(first + boat, on_boat(boat, local, time)));
        }
        (0..BUOYS).for_each(|n| place(FIRST_BUOY + n, buoy(n, time)));
        all
    }

    /// The instances at a time in seconds, as bytes.
    pub fn bytes(&self, time: f64) -> Vec<u8> {
        self.at(time).iter().flat_map(Instance::bytes).collect()
    }
}

impl Default for Instances {
    fn default() -> Instances {
        Instances::new()
    }
}

/// The pennants' bones at a time in seconds, as bytes.
pub fn bone_bytes(time: f64) -> Vec<u8> {
    let rows = (0..BOATS).flat_map(|pennant| bones(pennant, time)).flatten();
    rows.flatten().flat_map(|x| (x as f32).to_le_bytes()).collect()
}

/// One pennant's bones: three rows each.
fn bones(pennant: usize, time: f64) -> Vec<[[f64; 4]; 3]> {
    let mut joint: Vec3 = [0.0; 3];
    let mut bones = Vec::with_capacity(BONES as usize);
    for k in 0..BONES {
        let k = f64::from(k);
        let angle = 0.25 + 0.35 * (3.0 * time - 1.1 * k + 1.7 * pennant as f64).sin() * (0.4 + 0.2 * k);
        // translate(joint) R(angle) translate(-k / 3, 0, 0)
        let offset = add(joint, turn(angle, [-k / 3.0, 0.0, 0.0]));
        let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| turn(angle, axis));
        bones.push(std::array::from_fn(|row| [columns[0][row], columns[1][row], columns[2][row], offset[row]]));
        joint = add(joint, turn(angle, [1.0 / 3.0, 0.0, 0.0]));
    }
    bones
}

/// Roughness, albedo layer, detail layer, detail scale, normal strength, metallic, alpha cutoff. Scales are all one.
const MATERIALS: [(f32, u32, u32, f32, f32, f32, f32); 11] = [
    (0.9, 3, 0, 1.0, 1.0, 0.0, 0.0),
    (0.1, 0, 3, 1.0, 1.0, 0.0, 0.0),
    (0.80, 0, 0, 4.0, 1.0, 0.0, 0.0),
    (0.70, 1, 1, 2.0, 0.6, 0.0, 0.0),
    (0.45, 2, 1, 2.0, 0.3, 0.0, 0.0),
    (0.40, 2, 1, 4.0, 0.5, 1.0, 0.0),
    (0.85, 7, 0, 4.0, 0.6, 0.0, 0.0),
    (0.70, 0, 0, 4.0, 0.5, 0.0, 0.0),
    (0.30, 2, 3, 1.0, 0.0, 0.0, 0.0),
    (0.90, 6, 2, 6.0, 0.2, 0.0, 0.5),
    (0.85, 5, 2, 6.0, 0.2, 0.0, 0.0),
];

/// The materials as bytes.
pub fn material_bytes() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(MATERIALS.len() * MATERIAL_STRIDE as usize);
    for (roughness, albedo_layer, detail_layer, detail_scale, normal_strength, metallic, alpha_cutoff) in MATERIALS {
        [1.0, 1.0, 1.0, roughness].iter().for_each(|x: &f32| bytes.extend(x.to_le_bytes()));
        [albedo_layer, detail_layer].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        let rest = [detail_scale, normal_strength, metallic, alpha_cutoff, 0.0, 0.0];
        rest.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table's own words.
    fn cells() -> Vec<Vec<&'static str>> {
        TABLE.lines().skip(1).map(|line| line.split('\t').collect()).collect()
    }

    #[test]
    fn batches_are_the_tables_runs() {
        assert_eq!(Instances::new().0.len(), 134);
        assert_eq!(cells().len(), 134);
        for batch in BATCHES {
            let kind = match batch.kind {
                Kind::Static => "static",
                Kind::Alpha => "alpha",
                Kind::Skinned => "skinned",
            };
            for index in batch.first..batch.first + batch.count {
                let row = &cells()[index as usize];
                assert_eq!(row[..4], [index.to_string().as_str(), batch.name, batch.shape.name(), kind]);
            }
        }
        assert_eq!(BATCHES.iter().map(|batch| batch.count).sum::<u32>(), 134);
    }

    #[test]
    fn what_moves_is_at_two_seconds_where_the_table_says() {
        for (index, (moved, told)) in Instances::new().at(2.0).iter().zip(table()).enumerate() {
            for (row, want) in moved.rows.iter().flatten().zip(told.rows.iter().flatten()) {
                assert!((row - want).abs() < 1e-4, "instance {index}: {moved:?} is not {told:?}");
            }
        }
        let moving = Instances::new().at(0.0).iter().zip(table()).filter(|(at, told)| at.rows != told.rows).count();
        assert_eq!(moving, 5 * BOATS + BUOYS);
    }

    #[test]
    fn bytes_are_as_the_shaders_read_them() {
        let bytes = Instances::new().bytes(2.0);
        assert_eq!(bytes.len(), 134 * STRIDE as usize);
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        // Instance 91, the lighthouse's lamp.
        let at = 91 * STRIDE as usize;
        assert_eq!(f32::from_bits(word(at + 28)), 24.9);
        assert_eq!(f32::from_bits(word(at + 56)), 0.68);
        assert_eq!(word(at + 64), 8);
        assert_eq!(f32::from_bits(word(at + 72)), 30.0);
    }

    #[test]
    fn bones_join_where_the_last_one_ends() {
        let apply = |rows: &[[f64; 4]; 3], p: Vec3| rows.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3]);
        for pennant in 0..BOATS {
            let bones = bones(pennant, 2.0);
            assert_eq!(bones.len(), BONES as usize);
            assert_eq!(apply(&bones[0], [0.0; 3]), [0.0; 3]);
            for k in 1..bones.len() {
                let joint = [k as f64 / 3.0, 0.0, 0.0];
                let (last, own) = (apply(&bones[k - 1], joint), apply(&bones[k], joint));
                assert!(last.iter().zip(own).all(|(a, b)| (a - b).abs() < 1e-12), "{pennant} {k}: {last:?} {own:?}");
            }
        }
        assert_eq!(bone_bytes(2.0).len(), BOATS * BONES as usize * BONE_STRIDE as usize);
    }

    #[test]
    fn materials_are_eleven() {
        let bytes = material_bytes();
        assert_eq!(bytes.len(), 11 * MATERIAL_STRIDE as usize);
        let net = &bytes[9 * 48..10 * 48];
        assert_eq!(net[16..20], 6u32.to_le_bytes());
        assert_eq!(net[36..40], 0.5f32.to_le_bytes());
    }
}
