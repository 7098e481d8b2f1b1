//! Translation profiles that tests go through: each target, each robustness, and a device with no optional feature.

use rx_translate::{
    BufferLengths, BufferOffsets, Features, FloatControls, Options, Profile, Robustness, RobustnessByClass, Target,
    TranslationFixes,
};

/// What some drivers ask for, all at once: no result may change.
pub const EVERY_FIX: TranslationFixes = TranslationFixes {
    point_size: true,
    sine_range: true,
    int_to_float: true,
    split_clamp: true,
    dense_switch: true,
    float_bits: true,
    bare_varyings: true,
};

/// Options and a name for messages.
pub struct Named {
    /// Name.
    pub name: &'static str,
    /// Options.
    pub options: Options,
}

/// A device of Vulkan 1.2 with nothing beyond what every device has.
fn bare() -> Profile {
    Profile { target: Target::Vulkan12, features: Features::none(), ..Profile::default() }
}

/// The profiles, the default first.
pub fn all() -> Vec<Named> {
    let explicit = RobustnessByClass::all(Robustness::Explicit);
    let profiles = [
        ("vulkan1.3", Profile::default()),
        ("vulkan1.1", Profile { target: Target::Vulkan11, ..Profile::default() }),
        ("vulkan1.3 explicit", Profile { robustness: explicit, ..Profile::default() }),
        (
            "vulkan1.1 explicit, lengths pushed",
            Profile {
                target: Target::Vulkan11,
                robustness: explicit,
                buffer_lengths: BufferLengths::PushConstants,
                ..Profile::default()
            },
        ),
        ("vulkan1.2 bare", bare()),
        (
            "vulkan1.1, views begin later, every control of floats",
            Profile {
                target: Target::Vulkan11,
                buffer_offsets: BufferOffsets::PushConstants,
                float_controls: FloatControls::ALL,
                ..Profile::default()
            },
        ),
    ];
    profiles
        .into_iter()
        .map(|(name, profile)| Named { name, options: Options { profile, ..Options::default() } })
        .collect()
}
