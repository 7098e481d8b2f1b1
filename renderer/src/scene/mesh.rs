//! The scene's meshes, made from formulas: positions, normals, tangents, texture coordinates, indices, bones.
//!
//! Every triangle `(a, b, c)` satisfies `cross(b - a, c - a) . outward > 0` with plain coordinates, which is clockwise
//! seen from outside in the scene's left-handed world: Direct3D's front.

use std::f64::consts::{PI, TAU};

use super::math::{Vec3, add, cross, length, normalize, scale, sub};

/// Bytes of a vertex in stream 0: position, normal, tangent, texture coordinates.
pub const STRIDE: u32 = 36;
/// Bytes of a vertex in stream 1, of the skinned mesh: four bone indices, four weights.
pub const SKIN_STRIDE: u32 = 8;
/// Bones of a pennant.
pub const BONES: u32 = 4;

/// Which mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A unit cube about the origin.
    Box,
    /// Radius and height one, open below.
    Cylinder,
    /// Radius one.
    Sphere,
    /// A gabled roof, its ridge along x.
    Prism,
    /// A boat's hull with deck and transom.
    Hull,
    /// A unit square, seen from both sides.
    Sheet,
    /// A pennant with bones.
    Pennant,
}

impl Shape {
    /// Every mesh, in the order of the vertex buffers.
    pub const ALL: [Shape; 7] =
        [Shape::Box, Shape::Cylinder, Shape::Sphere, Shape::Prism, Shape::Hull, Shape::Sheet, Shape::Pennant];

    /// Its name in the description.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Box => "box",
            Shape::Cylinder => "cylinder",
            Shape::Sphere => "sphere",
            Shape::Prism => "prism",
            Shape::Hull => "hull",
            Shape::Sheet => "sheet",
            Shape::Pennant => "pennant",
        }
    }

    /// Makes it.
    pub fn mesh(self) -> Mesh {
        match self {
            Shape::Box => cube(),
            Shape::Cylinder => cylinder(),
            Shape::Sphere => sphere(),
            Shape::Prism => prism(),
            Shape::Hull => hull(),
            Shape::Sheet => sheet(),
            Shape::Pennant => pennant(),
        }
    }
}

/// A vertex before it is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Position.
    pub position: Vec3,
    /// Outward, of length one.
    pub normal: Vec3,
    /// Along the texture's u, of length one.
    pub tangent: Vec3,
    /// Texture coordinates.
    pub uv: [f64; 2],
}

/// The bones of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skin {
    /// Bones.
    pub bones: [u8; 4],
    /// Their shares, of 255.
    pub weights: [u8; 4],
}

/// A mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices.
    pub vertices: Vec<Vertex>,
    /// Bones a vertex; empty where the mesh has none.
    pub skin: Vec<Skin>,
    /// Triangles, three each.
    pub indices: Vec<u16>,
}

impl Mesh {
    /// Stream 0 as bytes.
    pub fn vertex_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.vertices.len() * STRIDE as usize);
        for vertex in &self.vertices {
            vertex.position.iter().for_each(|&x| bytes.extend((x as f32).to_le_bytes()));
            for (vector, w) in [(vertex.normal, 0.0), (vertex.tangent, 1.0)] {
                [vector[0], vector[1], vector[2], w].iter().for_each(|&x| bytes.extend(snorm16(x).to_le_bytes()));
            }
            vertex.uv.iter().for_each(|&x| bytes.extend((x as f32).to_le_bytes()));
        }
        bytes
    }

    /// Stream 1 as bytes.
    pub fn skin_bytes(&self) -> Vec<u8> {
        self.skin.iter().flat_map(|skin| [skin.bones, skin.weights]).flatten().collect()
    }

    /// The indices as bytes.
    pub fn index_bytes(&self) -> Vec<u8> {
        self.indices.iter().flat_map(|index| index.to_le_bytes()).collect()
    }

    fn next(&self) -> u16 {
        self.vertices.len() as u16
    }

    fn fan(&mut self, centre: Vertex, ring: impl Iterator<Item = Vertex>) {
        let first = self.next();
        self.vertices.push(centre);
        self.vertices.extend(ring);
        for k in first + 1..self.next() - 1 {
            self.indices.extend([first, k, k + 1]);
        }
    }

    /// Vertices `origin + (k & 1) t + (k >> 1) b` for k in 0..4.
    fn quad(&mut self, origin: Vec3, t: Vec3, b: Vec3) {
        let first = self.next();
        let (normal, tangent) = (normalize(cross(t, b)), normalize(t));
        for (u, v) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let position = add(origin, add(scale(t, u), scale(b, v)));
            self.vertices.push(Vertex { position, normal, tangent, uv: [u, 1.0 - v] });
        }
        self.indices.extend([0, 1, 2, 2, 1, 3].map(|k| first + k));
    }

    /// A grid over the unit square: vertices for `i` in `0..=nu` and `j` in `0..=nv`, `j` fastest.
    fn grid(&mut self, nu: u16, nv: u16, at: impl Fn(f64, f64) -> Vec3, uv: impl Fn(f64, f64) -> [f64; 2]) {
        let first = self.next();
        for i in 0..=nu {
            for j in 0..=nv {
                let (u, v) = (f64::from(i) / f64::from(nu), f64::from(j) / f64::from(nv));
                let (normal, tangent) = frame(&at, u, v);
                self.vertices.push(Vertex { position: at(u, v), normal, tangent, uv: uv(u, v) });
            }
        }
        for i in 0..nu {
            for j in 0..nv {
                let a = first + i * (nv + 1) + j;
                let (b, c) = (a + nv + 1, a + 1);
                self.indices.extend([a, b, c, c, b, b + 1]);
            }
        }
    }
}

fn snorm16(x: f64) -> i16 {
    (x.clamp(-1.0, 1.0) * 32767.0).round() as i16
}

/// Normal and tangent of a surface; where a derivative vanishes or has no end, those a step further inwards.
fn frame(at: &impl Fn(f64, f64) -> Vec3, u: f64, v: f64) -> (Vec3, Vec3) {
    const INWARDS: f64 = 1e-3;
    let [du, dv] = derivatives(at, u, v);
    let usable = |d: Vec3| (1e-6..100.0).contains(&length(d));
    let [du, dv] = if usable(du) && usable(dv) {
        [du, dv]
    } else {
        let inner = |x: f64| x.clamp(INWARDS, 1.0 - INWARDS);
        derivatives(at, inner(u), inner(v))
    };
    (normalize(cross(du, dv)), normalize(du))
}

/// The derivatives of a surface, by differences that stay inside the unit square.
fn derivatives(at: &impl Fn(f64, f64) -> Vec3, u: f64, v: f64) -> [Vec3; 2] {
    const STEP: f64 = 1e-5;
    let ends = |x: f64| ((x - STEP).max(0.0), (x + STEP).min(1.0));
    let ((u0, u1), (v0, v1)) = (ends(u), ends(v));
    let du = scale(sub(at(u1, v), at(u0, v)), 1.0 / (u1 - u0));
    let dv = scale(sub(at(u, v1), at(u, v0)), 1.0 / (v1 - v0));
    [du, dv]
}

fn cube() -> Mesh {
    const X: Vec3 = [1.0, 0.0, 0.0];
    const Y: Vec3 = [0.0, 1.0, 0.0];
    const Z: Vec3 = [0.0, 0.0, 1.0];
    let minus = |v: Vec3| scale(v, -1.0);
    // Outward, along u, against v.
    let faces =
        [(X, minus(Z), Y), (minus(X), Z, Y), (Y, X, minus(Z)), (minus(Y), X, Z), (Z, X, Y), (minus(Z), minus(X), Y)];
    let mut mesh = Mesh::default();
    for (n, t, b) in faces {
        mesh.quad(scale(sub(n, add(t, b)), 0.5), t, b);
    }
    mesh
}

fn cylinder() -> Mesh {
    const SIDES: u16 = 24;
    let mut mesh = Mesh::default();
    let side = |u: f64, v: f64| [(TAU * u).cos(), v, -(TAU * u).sin()];
    mesh.grid(SIDES, 1, side, |u, v| [4.0 * u, 1.0 - v]);
    let cap = |position: Vec3| Vertex {
        position,
        normal: [0.0, 1.0, 0.0],
        tangent: [1.0, 0.0, 0.0],
        uv: [position[0] * 0.5 + 0.5, position[2] * 0.5 + 0.5],
    };
    let ring = (0..=SIDES).map(|i| cap(side(f64::from(i) / f64::from(SIDES), 1.0)));
    mesh.fan(cap([0.0, 1.0, 0.0]), ring);
    mesh
}

fn sphere() -> Mesh {
    let mut mesh = Mesh::default();
    let at = |u: f64, v: f64| {
        let ((sin_a, cos_a), (sin_p, cos_p)) = ((TAU * u).sin_cos(), (PI * v).sin_cos());
        [cos_a * sin_p, -cos_p, -sin_a * sin_p]
    };
    mesh.grid(24, 12, at, |u, v| [2.0 * u, 1.0 - v]);
    mesh
}

fn prism() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.quad([0.5, 0.0, -0.5], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.5]);
    mesh.quad([-0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 1.0, -0.5]);
    for side in [1.0, -1.0] {
        let first = mesh.next();
        let corners = [[0.5 * side, 0.0, 0.5 * side], [0.5 * side, 0.0, -0.5 * side], [0.5 * side, 1.0, 0.0]];
        for (position, uv) in corners.into_iter().zip([[0.0, 1.0], [1.0, 1.0], [0.5, 0.0]]) {
            mesh.vertices.push(Vertex { position, normal: [side, 0.0, 0.0], tangent: [0.0, 0.0, -side], uv });
        }
        mesh.indices.extend([first, first + 1, first + 2]);
    }
    mesh
}

fn hull() -> Mesh {
    let half_width = |s: f64| 0.5 * (1.0 - s * s * s).max(0.0).sqrt();
    let sheer = |s: f64| 0.15 * s * s;
    let mut mesh = Mesh::default();
    let shell = |s: f64, v: f64| {
        let (sin, cos) = (PI * v).sin_cos();
        [half_width(s) * cos, sheer(s) - sin * 0.35 * (1.0 - 0.5 * s * s), s - 0.5]
    };
    mesh.grid(12, 8, shell, |s, v| [3.0 * s, v]);
    let deck = |s: f64, v: f64| [half_width(s) * (2.0 * v - 1.0), sheer(s) - 0.02, s - 0.5];
    mesh.grid(12, 1, deck, |s, v| [3.0 * s, v]);
    let transom = |x: f64, y: f64| Vertex {
        position: [x, y, -0.5],
        normal: [0.0, 0.0, -1.0],
        tangent: [-1.0, 0.0, 0.0],
        uv: [x, y],
    };
    let ring = (0..=8).map(|j| {
        let (sin, cos) = (PI * f64::from(j) / 8.0).sin_cos();
        transom(0.5 * cos, -0.35 * sin)
    });
    mesh.fan(transom(0.0, 0.0), ring);
    mesh
}

fn sheet() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.quad([0.5, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    mesh
}

fn pennant() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.grid(16, 1, |u, v| [u, (0.5 - v) * (1.0 - 0.7 * u), 0.0], |u, v| [u, v]);
    for vertex in &mut mesh.vertices {
        (vertex.normal, vertex.tangent) = ([0.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
    }
    mesh.skin = mesh.vertices.iter().map(|vertex| skin(vertex.uv[0])).collect();
    mesh
}

/// The two bones of a place along the pennant.
fn skin(u: f64) -> Skin {
    let f = 3.0 * u;
    let bone = f.floor().min(2.0);
    let second = ((f - bone) * 255.0).round() as u8;
    Skin { bones: [bone as u8, bone as u8 + 1, 0, 0], weights: [255 - second, second, 0, 0] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::math::dot;

    /// The triangles that have an area, with `cross(b - a, c - a)`.
    fn triangles(mesh: &Mesh) -> Vec<([Vertex; 3], Vec3)> {
        let corner = |index: u16| mesh.vertices[usize::from(index)];
        let all = mesh.indices.chunks_exact(3).map(|t| [corner(t[0]), corner(t[1]), corner(t[2])]);
        let facing = |t: &[Vertex; 3]| cross(sub(t[1].position, t[0].position), sub(t[2].position, t[0].position));
        all.map(|t| (t, facing(&t))).filter(|(_, facing)| length(*facing) > 1e-9).collect()
    }

    #[test]
    fn counts_are_those_of_the_description() {
        let counts = Shape::ALL.map(|shape| {
            let mesh = shape.mesh();
            assert!(mesh.indices.iter().all(|&index| usize::from(index) < mesh.vertices.len()));
            (shape.name(), mesh.vertices.len(), mesh.indices.len())
        });
        let want = [
            ("box", 24, 36),
            ("cylinder", 76, 216),
            ("sphere", 325, 1728),
            ("prism", 14, 18),
            ("hull", 153, 672),
            ("sheet", 4, 6),
            ("pennant", 34, 96),
        ];
        assert_eq!(counts, want);
    }

    #[test]
    fn triangles_face_where_their_normals_point() {
        for shape in Shape::ALL {
            for (corners, facing) in triangles(&shape.mesh()) {
                for corner in corners {
                    assert!(dot(facing, corner.normal) > 0.0, "{}: {corner:?}", shape.name());
                    assert!((length(corner.normal) - 1.0).abs() < 1e-9 && (length(corner.tangent) - 1.0).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn closed_meshes_face_outwards() {
        for shape in [Shape::Box, Shape::Cylinder, Shape::Sphere, Shape::Prism, Shape::Hull] {
            let mesh = shape.mesh();
            let inside = match shape {
                Shape::Cylinder | Shape::Prism => [0.0, 0.4, 0.0],
                Shape::Hull => [0.0, -0.05, -0.1],
                _ => [0.0; 3],
            };
            for (corners, facing) in triangles(&mesh) {
                let away = sub(corners[0].position, inside);
                assert!(dot(facing, away) > 0.0, "{}: {corners:?}", shape.name());
            }
        }
    }

    #[test]
    fn a_texture_stands_upright_on_what_is_built() {
        for shape in [Shape::Box, Shape::Cylinder, Shape::Prism, Shape::Sheet] {
            for (t, facing) in triangles(&shape.mesh()) {
                // The cap's texture is laid on it from above.
                if shape == Shape::Cylinder && facing[1] > 0.1 * length(facing) {
                    continue;
                }
                let up = cross(t[0].normal, t[0].tangent);
                for (from, to) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    let climb = dot(sub(to.position, from.position), up);
                    assert!(climb * (to.uv[1] - from.uv[1]) <= 1e-9, "{}: {from:?} {to:?}", shape.name());
                }
            }
        }
    }

    #[test]
    fn bytes_are_as_the_shaders_read_them() {
        let mesh = Shape::Box.mesh();
        let bytes = mesh.vertex_bytes();
        assert_eq!(bytes.len(), 24 * STRIDE as usize);
        // Face +x, vertex 0: 0.5 x - 0.5 (-z) - 0.5 y; normal +x, tangent -z with w 1, uv (0, 1).
        let floats = |at: usize| f32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let shorts = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!([0, 4, 8].map(floats), [0.5, -0.5, 0.5]);
        assert_eq!([12, 14, 16, 18].map(shorts), [32767, 0, 0, 0]);
        assert_eq!([20, 22, 24, 26].map(shorts), [0, 0, -32767, 32767]);
        assert_eq!([28, 32].map(floats), [0.0, 1.0]);
        assert_eq!(mesh.index_bytes()[..12], [0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0]);
    }

    #[test]
    fn a_pennant_hangs_on_its_bones() {
        let mesh = Shape::Pennant.mesh();
        assert_eq!(mesh.skin_bytes().len(), 34 * SKIN_STRIDE as usize);
        assert!(mesh.skin.iter().all(|skin| skin.weights.iter().map(|&w| u32::from(w)).sum::<u32>() == 255));
        assert_eq!(mesh.skin[0], Skin { bones: [0, 1, 0, 0], weights: [255, 0, 0, 0] });
        // u = 8/16: f = 1.5, half way between bones 1 and 2.
        assert_eq!(mesh.skin[16], Skin { bones: [1, 2, 0, 0], weights: [127, 128, 0, 0] });
        assert_eq!(mesh.skin[33], Skin { bones: [2, 3, 0, 0], weights: [0, 255, 0, 0] });
    }
}
