//! From a device to what the translator may write for it.
//!
//! Owns the one way by which facts and fixes reach the words: only translation fixes do. A layout or pipeline fix never
//! changes a profile, so that no cache is invalidated by one.

use rx_translate::{Profile, Robustness, RobustnessByClass, TranslationFixes};
use rx_vendor_fixes::{FixId, ResolvedFixes};

use crate::DeviceFacts;

/// The translation profile of a device under resolved fixes.
///
/// What is not known of the device is the profile's default: Vulkan 1.3, every feature that rx can use, and robustness
/// by the device. Buffer lengths are by `OpArrayLength`; a host that takes the plan's advice changes that.
pub fn profile(facts: &DeviceFacts, fixes: &ResolvedFixes) -> Profile {
    let plain = Profile::default();
    Profile {
        target: facts.shaders.target.unwrap_or(plain.target),
        features: facts.shaders.features.unwrap_or(plain.features),
        robustness: robustness(facts, fixes),
        buffer_lengths: plain.buffer_lengths,
        constant_lengths: plain.constant_lengths,
        buffer_offsets: plain.buffer_offsets,
        float_controls: facts.shaders.float_controls.unwrap_or_default(),
        fixes: translation_fixes(fixes),
    }
}

/// By the device where it can be relied on, else by guards in the shader.
fn robustness(facts: &DeviceFacts, fixes: &ResolvedFixes) -> RobustnessByClass {
    if fixes.on(FixId::ExplicitBounds) {
        return RobustnessByClass::all(Robustness::Explicit);
    }
    let by = |device: Option<bool>| if device == Some(false) { Robustness::Explicit } else { Robustness::Device };
    let (buffers, images) = (by(facts.shaders.robust_buffers), by(facts.shaders.robust_images));
    RobustnessByClass { uniform: buffers, storage: buffers, texel: buffers, image: images }
}

fn translation_fixes(fixes: &ResolvedFixes) -> TranslationFixes {
    TranslationFixes {
        point_size: fixes.on(FixId::PointSize),
        sine_range: fixes.on(FixId::SineRange),
        int_to_float: fixes.on(FixId::IntToFloat),
        split_clamp: fixes.on(FixId::SplitClamp),
        dense_switch: fixes.on(FixId::DenseSwitch),
        float_bits: fixes.on(FixId::FloatBits),
        bare_varyings: fixes.on(FixId::BareVaryings),
    }
}
