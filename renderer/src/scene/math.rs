//! The little arithmetic that the scene needs: vectors of three, matrices of four by four.
//!
//! Computed in double precision and narrowed once, where bytes are written. Matrices are column-major and multiply
//! column vectors, as the shaders' are.

/// A vector, or a point.
pub type Vec3 = [f64; 3];

/// A matrix: four columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat4(pub [[f64; 4]; 4]);

/// `a + b`.
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`.
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a` times a number.
pub fn scale(a: Vec3, by: f64) -> Vec3 {
    a.map(|x| x * by)
}

/// Scalar product.
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length.
pub fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// The vector of length one, or zero's own.
pub fn normalize(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

/// A vector turned about the vertical axis: `(x cos a + z sin a, y, -x sin a + z cos a)`.
pub fn turn(a: f64, v: Vec3) -> Vec3 {
    let (sin, cos) = a.sin_cos();
    [v[0] * cos + v[2] * sin, v[1], -v[0] * sin + v[2] * cos]
}

impl Mat4 {
    /// From rows, as they are printed.
    pub fn rows(rows: [[f64; 4]; 4]) -> Mat4 {
        Mat4(std::array::from_fn(|column| std::array::from_fn(|row| rows[row][column])))
    }

    /// A row.
    pub fn row(&self, row: usize) -> [f64; 4] {
        std::array::from_fn(|column| self.0[column][row])
    }

    /// `self * other`: `other` is applied first.
    #[must_use]
    pub fn times(&self, other: &Mat4) -> Mat4 {
        let cell = |row: usize, column: usize| (0..4).map(|k| self.0[k][row] * other.0[column][k]).sum();
        Mat4(std::array::from_fn(|column| std::array::from_fn(|row| cell(row, column))))
    }

    /// The matrix that undoes this one, by elimination with the largest pivot; without one, where it is singular.
    #[must_use]
    pub fn inverse(&self) -> Option<Mat4> {
        let mut left: [[f64; 4]; 4] = std::array::from_fn(|row| self.row(row));
        let mut right: [[f64; 4]; 4] = std::array::from_fn(|row| std::array::from_fn(|c| f64::from(row == c)));
        for pivot in 0..4 {
            let best = (pivot..4).max_by(|&a, &b| left[a][pivot].abs().total_cmp(&left[b][pivot].abs()))?;
            left.swap(pivot, best);
            right.swap(pivot, best);
            let by = left[pivot][pivot];
            if by == 0.0 {
                return None;
            }
            left[pivot] = left[pivot].map(|x| x / by);
            right[pivot] = right[pivot].map(|x| x / by);
            let (own_left, own_right) = (left[pivot], right[pivot]);
            for row in (0..4).filter(|&row| row != pivot) {
                let factor = left[row][pivot];
                for c in 0..4 {
                    left[row][c] -= factor * own_left[c];
                    right[row][c] -= factor * own_right[c];
                }
            }
        }
        Some(Mat4::rows(right))
    }

    /// The view from `eye` towards `at`; z forward (left-handed).
    pub fn look_at(eye: Vec3, at: Vec3, up: Vec3) -> Mat4 {
        let forward = normalize(sub(at, eye));
        let right = normalize(cross(up, forward));
        let above = cross(forward, right);
        let row = |axis: Vec3| [axis[0], axis[1], axis[2], -dot(axis, eye)];
        Mat4::rows([row(right), row(above), row(forward), [0.0, 0.0, 0.0, 1.0]])
    }

    /// A perspective with depth 0 at `near` and 1 at `far`; `fov` is vertical, in radians.
    pub fn perspective(fov: f64, aspect: f64, near: f64, far: f64) -> Mat4 {
        let y = 1.0 / (fov * 0.5).tan();
        let z = far / (far - near);
        Mat4::rows([[y / aspect, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, -near * z], [0.0, 0.0, 1.0, 0.0]])
    }

    /// A parallel projection of half that width and height about the axis, depth 0 at `near` and 1 at `far`.
    pub fn orthographic(half_width: f64, half_height: f64, near: f64, far: f64) -> Mat4 {
        let z = 1.0 / (far - near);
        Mat4::rows([
            [1.0 / half_width, 0.0, 0.0, 0.0],
            [0.0, 1.0 / half_height, 0.0, 0.0],
            [0.0, 0.0, z, -near * z],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn axes_are_left_handed() {
        assert_eq!(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        // A quarter turn takes z to x.
        let turned = turn(std::f64::consts::FRAC_PI_2, [0.0, 2.0, 1.0]);
        assert!(length(sub(turned, [1.0, 2.0, 0.0])) < 1e-12, "{turned:?}");
    }

    #[test]
    fn an_inverse_undoes_its_matrix() {
        let of = Mat4::rows([[0.0, 2.0, 0.0, 1.0], [3.0, 0.0, 0.5, 0.0], [1.0, 0.0, -4.0, 2.0], [0.0, 0.0, 1.0, 0.0]]);
        let product = of.times(&of.inverse().unwrap());
        for row in 0..4 {
            for column in 0..4 {
                assert!((product.0[column][row] - f64::from(row == column)).abs() < 1e-12, "{product:?}");
            }
        }
        assert_eq!(Mat4([[1.0; 4]; 4]).inverse(), None);
    }
}
