//! What the specification leaves open: tolerances, and rules with two permitted results.

use super::float;
use rx_translate::dxbc::opcodes::Opcode;

/// What a device may do in several ways. A comparison that must accept all of them runs a program once with each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// `mad` and `dp*` round a product and its sum once instead of twice (3.1.3.2).
    pub fused: bool,
    /// `min`, `max`, `_sat`, `dtof` and `ftod` keep 32-bit denormals (3.1.3.2, 22.17.1, 22.17.2).
    pub keep_denormals: bool,
    /// All arithmetic keeps 32-bit denormals. Direct3D forbids it; few Vulkan devices can be told so.
    pub arithmetic_denormals: bool,
    /// 64-bit denormals are flushed. Direct3D forbids it; a device that flushes those of 32 bits may.
    pub flush_doubles: bool,
    /// The sign of zeros from `min`, `max` and `_sat` is the other one.
    pub other_zeros: bool,
    /// The bits of a NaN from arithmetic are other ones.
    pub other_nans: bool,
    /// Where a result has a tolerance, the end that is given.
    pub lean: Lean,
    /// The results of `add` and `mul` have a tolerance, too, where they are not precise: a compiler may reassociate and
    /// contract them.
    pub refactored: bool,
}

/// Which of the results within a tolerance is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lean {
    /// The nearest to the exact one.
    #[default]
    Nearest,
    /// The largest.
    Up,
    /// The smallest.
    Down,
}

impl Choices {
    /// The specification's first choice in everything.
    pub const FIRST: Choices = Choices {
        fused: false,
        keep_denormals: false,
        arithmetic_denormals: false,
        flush_doubles: false,
        other_zeros: false,
        other_nans: false,
        lean: Lean::Nearest,
        refactored: false,
    };

    /// Choices that differ from one another in everything: where a program's results are the same in all of them, they
    /// depend on none.
    pub const WAYS: [Choices; 4] = [
        Choices::FIRST,
        Choices {
            fused: true,
            keep_denormals: true,
            arithmetic_denormals: true,
            other_zeros: true,
            other_nans: true,
            lean: Lean::Up,
            ..Choices::FIRST
        },
        Choices { keep_denormals: true, flush_doubles: true, lean: Lean::Down, ..Choices::FIRST },
        Choices { fused: true, other_zeros: true, lean: Lean::Nearest, ..Choices::FIRST },
    ];

    /// With the tolerances of a program that may be refactored.
    pub fn for_refactoring(self, allowed: bool) -> Choices {
        Choices { refactored: allowed, ..self }
    }

    /// A 32-bit denormal operand of arithmetic becomes a zero of its sign (3.1.3.2).
    pub(super) fn flush(self, value: f32) -> f32 {
        if self.arithmetic_denormals { value } else { float::flush(value) }
    }

    /// The bits of an arithmetic result: denormals are flushed, every NaN is the same one.
    pub(super) fn result(self, value: f32) -> u32 {
        float::quiet(self.flush(value).to_bits())
    }

    /// A 64-bit denormal, kept (3.1.4).
    pub(super) fn flush_double(self, value: f64) -> f64 {
        if self.flush_doubles && value.is_subnormal() { 0f64.copysign(value) } else { value }
    }
}

/// How far a device's result may be from the one of this interpreter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// One result. Only the bits of a NaN and the sign of a zero from `min` and `max` are open.
    Exact,
    /// The result of one of the two values of [`Choices::fused`]; a dot product also of any other order of its sums.
    Fused,
    /// So many units in the last place.
    Ulps(u32),
    /// This fraction of the exact result.
    Relative(f64),
    /// This difference.
    Absolute(f64),
    /// This difference for results from -1 to 1, and this fraction of all others.
    Mixed(f64),
}

/// The relative error of `exp`, `rcp` and `rsq`, and the bound of `log`: 2^-21.
const RELAXED: f64 = 1.0 / (1 << 21) as f64;
/// A reciprocal with an error of one unit in the last place and a product with half of one: 1.5 * 2^-23.
const RECIPROCAL_AND_PRODUCT: f64 = 1.5 / (1 << 23) as f64;

/// Returns the tolerance of an instruction's results.
///
/// It does not cover angles beyond 100 pi of `sincos` and denominators above 8.5e37 of `div`: their results are open.
pub fn precision(op: Opcode) -> Precision {
    match op {
        // 3.1.3.2, 22.10.3 to 22.10.5, 22.10.9.
        Opcode::Mad | Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4 => Precision::Fused,
        // 3.1.3.2, 22.10.2.
        Opcode::Div => Precision::Relative(RECIPROCAL_AND_PRODUCT),
        // 22.10.6, 22.10.18, 22.10.19.
        Opcode::Exp | Opcode::Rcp | Opcode::Rsq => Precision::Relative(RELAXED),
        // 22.10.8: the source is in [0.5, 2] if the result is in [-1, 1].
        Opcode::Log => Precision::Mixed(RELAXED),
        // 22.10.20.
        Opcode::Sincos => Precision::Absolute(0.0008),
        // 22.10.21.
        Opcode::Sqrt => Precision::Ulps(1),
        // 22.10.7: the difference of a small negative number from -1 rounds to 1, which the table excludes.
        Opcode::Frc => Precision::Ulps(1),
        // 22.14.5.
        Opcode::Drcp => Precision::Ulps(1),
        _ => Precision::Exact,
    }
}

impl Precision {
    /// Returns whether a device may give `actual` as a 32-bit float where the interpreter gave `expected`.
    pub fn permits(self, expected: u32, actual: u32) -> bool {
        let [e, a] = [expected, actual].map(f32::from_bits);
        self.equal(f64::from(e), f64::from(a), expected.into(), actual.into())
            .unwrap_or_else(|| self.near(f64::from(e), f64::from(a), ulp(e), f64::from(f32::MIN_POSITIVE)))
    }

    /// Returns whether a device may give `actual` as a 64-bit float where the interpreter gave `expected`.
    pub fn permits_wide(self, expected: u64, actual: u64) -> bool {
        let [e, a] = [expected, actual].map(f64::from_bits);
        self.equal(e, a, expected, actual).unwrap_or_else(|| self.near(e, a, e.abs().next_up() - e.abs(), 0.0))
    }

    /// The answer for equal bits and for what has no distance: NaN and infinities.
    fn equal(self, expected: f64, actual: f64, expected_bits: u64, actual_bits: u64) -> Option<bool> {
        if expected_bits == actual_bits || (expected.is_nan() && actual.is_nan()) {
            return Some(true);
        }
        let finite = expected.is_finite() && actual.is_finite();
        (!finite || matches!(self, Precision::Exact | Precision::Fused)).then_some(false)
    }

    /// Whether two finite numbers are near enough. The expected one is rounded itself, which is half a unit.
    fn near(self, expected: f64, actual: f64, ulp: f64, smallest: f64) -> bool {
        let bound = match self {
            Precision::Exact | Precision::Fused => 0.0,
            Precision::Ulps(n) => f64::from(n) * ulp,
            Precision::Relative(fraction) => fraction * expected.abs() + ulp / 2.0,
            Precision::Absolute(difference) => difference + ulp / 2.0,
            Precision::Mixed(bound) => bound * expected.abs().max(1.0) + ulp / 2.0,
        };
        // A result near the smallest normal number may be flushed.
        let flushed = expected.abs() <= 2.0 * smallest && actual.abs() <= 2.0 * smallest;
        (expected - actual).abs() <= bound || flushed
    }
}

/// The distance to the next larger magnitude.
pub(super) fn ulp(value: f32) -> f64 {
    let magnitude = value.abs();
    f64::from(magnitude.next_up()) - f64::from(magnitude)
}
