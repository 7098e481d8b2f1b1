//! The camera, the sun and its shadow view: the scene's fixed places, as matrices.

use super::math::{Mat4, Vec3, add, normalize, scale};

/// Where the camera stands, metres.
pub const EYE: Vec3 = [-17.0, 5.2, -15.5];
/// What it looks at.
const LOOKS_AT: Vec3 = [-2.0, 1.6, 14.0];
/// Vertical field of view, degrees.
const FIELD_OF_VIEW: f64 = 50.0;
/// The nearest that is seen, metres.
pub const NEAR: f64 = 0.1;
/// The farthest that is seen, metres.
pub const FAR: f64 = 800.0;

const UP: Vec3 = [0.0, 1.0, 0.0];
/// Towards the sun, of any length.
const SUN: Vec3 = [0.40, 0.13, 0.90];
/// What the shadow view looks at, and from how far.
const SHADOW_AT: Vec3 = [0.0, 0.0, 12.0];
const SHADOW_FROM: f64 = 120.0;
/// Half the width and height that the shadow map covers, and its depths, metres.
const SHADOW_HALF: [f64; 2] = [60.0, 40.0];
const SHADOW_DEPTHS: [f64; 2] = [1.0, 260.0];

/// What a picture of a size is seen through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World to view.
    pub view: Mat4,
    /// View to clip.
    pub projection: Mat4,
    /// World to clip.
    pub view_projection: Mat4,
    /// Clip to world.
    pub inverse_view_projection: Mat4,
    /// World to the shadow map's clip.
    pub shadow_view_projection: Mat4,
}

/// Towards the sun, of length one.
pub fn sun_direction() -> Vec3 {
    normalize(SUN)
}

impl Camera {
    /// The camera for a picture of `width` by `height` pixels.
    pub fn new(width: u32, height: u32) -> Camera {
        let aspect = f64::from(width) / f64::from(height);
        let view = Mat4::look_at(EYE, LOOKS_AT, UP);
        let projection = Mat4::perspective(FIELD_OF_VIEW.to_radians(), aspect, NEAR, FAR);
        let view_projection = projection.times(&view);
        let from = add(SHADOW_AT, scale(sun_direction(), SHADOW_FROM));
        let shadow = Mat4::orthographic(SHADOW_HALF[0], SHADOW_HALF[1], SHADOW_DEPTHS[0], SHADOW_DEPTHS[1]);
        Camera {
            view,
            projection,
            view_projection,
            // A perspective and a view always have one.
            inverse_view_projection: view_projection.inverse().unwrap_or(view_projection),
            shadow_view_projection: shadow.times(&Mat4::look_at(from, SHADOW_AT, UP)),
        }
    }

    /// The camera for a viewport that begins at the picture's top left and whose size is the next powers of two: the same
    /// places get the same pixels, and the products of the viewport's transform are exact.
    pub fn in_powers_of_two(&self, size: [u32; 2]) -> ([u32; 2], Camera) {
        let wide = size.map(u32::next_power_of_two);
        let [a, b] = [0, 1].map(|k| f64::from(size[k]) / f64::from(wide[k]));
        let widened =
            Mat4::rows([[a, 0.0, 0.0, a - 1.0], [0.0, b, 0.0, 1.0 - b], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);
        (wide, Camera { view_projection: widened.times(&self.view_projection), ..*self })
    }

    /// The camera's axes to the right and upwards, in the world: what billboards are turned by.
    pub fn axes(&self) -> [Vec3; 2] {
        [0, 1].map(|row| {
            let row = self.view.row(row);
            [row[0], row[1], row[2]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::math::dot;

    /// The description's own figures, printed with seven digits.
    #[track_caller]
    fn check(matrix: &Mat4, printed: [[f64; 4]; 4]) {
        for (row, want) in printed.iter().enumerate() {
            for (have, want) in matrix.row(row).iter().zip(want) {
                assert!((have - want).abs() <= want.abs() * 1e-6 + 1e-8, "{have} is not {want} in row {row}");
            }
        }
    }

    #[test]
    fn the_matrices_are_those_of_the_description() {
        let camera = Camera::new(1280, 720);
        check(
            &camera.view,
            [
                [0.8913851, 0.0, -0.4532467, 8.128224],
                [0.04901467, 0.9941355, 0.09639552, -2.842125],
                [0.4505886, -0.1081413, 0.8861576, 21.95778],
                [0.0, 0.0, 0.0, 1.0],
            ],
        );
        check(
            &camera.projection,
            [
                [1.206285, 0.0, 0.0, 0.0],
                [0.0, 2.144507, 0.0, 0.0],
                [0.0, 0.0, 1.000125, -0.1000125],
                [0.0, 0.0, 1.0, 0.0],
            ],
        );
        check(
            &camera.view_projection,
            [
                [1.075265, 0.0, -0.5467447, 9.804956],
                [0.1051123, 2.131931, 0.2067209, -6.094956],
                [0.450645, -0.1081548, 0.8862684, 21.86052],
                [0.4505886, -0.1081413, 0.8861576, 21.95778],
            ],
        );
        check(
            &camera.shadow_view_projection,
            [
                [-0.01523019, 0.0, 0.006768974, -0.08122769],
                [-0.001328682, 0.02478502, -0.002989534, 0.0358744],
                [-0.001554618, -0.0005052508, -0.00349789, 0.5014341],
                [0.0, 0.0, 0.0, 1.0],
            ],
        );
    }

    #[test]
    fn a_wider_viewport_shows_the_same_places_at_the_same_pixels() {
        let camera = Camera::new(1280, 720);
        let (wide, other) = camera.in_powers_of_two([1280, 720]);
        assert_eq!(wide, [2048, 1024]);
        let pixel = |camera: &Camera, [width, height]: [u32; 2]| {
            let at = [-9.5, 2.2, -6.0, 1.0];
            let clip =
                [0, 1, 3].map(|row| camera.view_projection.row(row).iter().zip(at).map(|(m, x)| m * x).sum::<f64>());
            let (x, y) = (clip[0] / clip[2], clip[1] / clip[2]);
            [(x + 1.0) * 0.5 * f64::from(width), (1.0 - y) * 0.5 * f64::from(height)]
        };
        let ([x, y], [u, v]) = (pixel(&camera, [1280, 720]), pixel(&other, wide));
        assert!((x - u).abs() < 1e-9 && (y - v).abs() < 1e-9, "{x} {y}, {u} {v}");
        // The description has the brazier at about (791, 500).
        assert!((x - 791.0).abs() < 8.0 && (y - 470.0).abs() < 40.0, "{x} {y}");
    }

    #[test]
    fn the_sun_and_the_axes_have_length_one() {
        let sun = sun_direction();
        let want = [0.402646, 0.130860, 0.905954];
        assert!(sun.iter().zip(want).all(|(have, want)| (have - want).abs() < 1e-6), "{sun:?}");
        for axis in Camera::new(320, 180).axes() {
            assert!((dot(axis, axis) - 1.0).abs() < 1e-12);
        }
    }
}
