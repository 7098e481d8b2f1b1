//! What the module asks of floats as a whole: denormals, rounding, infinities and NaN.
//!
//! Owns the execution modes of SPV_KHR_float_controls. Must never write one for a width that the module has no floats of,
//! or that the profile does not name.

use super::Writer;
use super::sections::Section;
use crate::ir::{Kind, Type};
use spirv::{Capability as C, ExecutionMode as Mode, Op};

impl Writer<'_> {
    /// The modes that the profile's device can be told.
    pub(super) fn float_modes(&mut self, main: u32, head: &mut Section) {
        let asked = self.profile.float_controls;
        let rows = [
            (asked.flush_f32, Kind::F32, 32, Mode::DenormFlushToZero, C::DenormFlushToZero),
            (asked.preserve_f16, Kind::F16, 16, Mode::DenormPreserve, C::DenormPreserve),
            (asked.preserve_f64, Kind::F64, 64, Mode::DenormPreserve, C::DenormPreserve),
            (asked.nearest_f32, Kind::F32, 32, Mode::RoundingModeRTE, C::RoundingModeRTE),
            (asked.nearest_f64, Kind::F64, 64, Mode::RoundingModeRTE, C::RoundingModeRTE),
            (asked.specials_f32, Kind::F32, 32, Mode::SignedZeroInfNanPreserve, C::SignedZeroInfNanPreserve),
            (asked.specials_f64, Kind::F64, 64, Mode::SignedZeroInfNanPreserve, C::SignedZeroInfNanPreserve),
        ];
        for (asked, kind, width, mode, capability) in rows {
            // A vector's type has its component's.
            if asked && self.types[Type::new(kind, 1).index()] != 0 {
                self.capabilities.require(capability);
                head.op(Op::ExecutionMode, &[main, mode as u32, width]);
            }
        }
    }
}
