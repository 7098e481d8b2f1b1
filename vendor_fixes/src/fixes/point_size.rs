//! `point_size`: every stage that can end before the rasteriser writes a point size of 1.
//!
//! Direct3D has no point size: a point covers one pixel. Vulkan takes 1 where no stage writes the size; ANV before
//! 25.0.3 breaks there. wgpu writes it on every driver for the like reason.
//!
//! Before: a vertex shader that writes its position alone. After: it writes `PointSize = 1.0` as well.

use super::{ActsOn, Chip, DefaultOn, Fix, FixId, VersionRange};
use crate::{DriverId, Version};

/// See the module's page.
pub const POINT_SIZE: Fix = Fix {
    id: FixId::PointSize,
    name: "point_size",
    switch: "RX_VK_FIX_POINT_SIZE",
    title: "Every stage that can end before the rasteriser writes a point size of 1.",
    acts_on: ActsOn::Translation,
    drivers: &[DriverId::INTEL_OPEN_SOURCE_MESA],
    versions: VersionRange { from: None, before: Some(Version::new(25, 0, 3)) },
    chip: Chip::Any,
    default_on: DefaultOn::Affected,
    symptom: "Rendering breaks where no stage writes PointSize.",
    action: "Writes PointSize = 1 in vertex, tessellation evaluation and geometry stages. In the last two \
               only where shaderTessellationAndGeometryPointSize is on, as on every device of this driver.",
    source: "https://github.com/doitsujin/dxvk/blob/c935e691/src/dxvk/dxvk_device.cpp#L810-L812",
    test: "translate/src/lower/fixes.rs",
};

#[cfg(test)]
mod tests {
    #[test]
    fn concerns() {
        crate::fixes::tests::check(
            &super::POINT_SIZE,
            &[
                ("INTEL_OPEN_SOURCE_MESA", "25.0.2", "", true),
                ("INTEL_OPEN_SOURCE_MESA", "25.0.3", "", false),
                ("INTEL_OPEN_SOURCE_MESA", "", "", true),
                ("INTEL_PROPRIETARY_WINDOWS", "25.0.2", "", false),
            ],
        );
    }
}
