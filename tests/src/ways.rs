//! The ways in which execution tests run: on which driver, who keeps accesses inside, what is done to the words.

use crate::profiles::EVERY_FIX;
use crate::report::Outcome;
use crate::vulkan::{Device, Driver, Session, Translations, session_on};
use rx_translate::{Robustness, RobustnessByClass};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A way to run a test.
pub struct Way {
    /// Its name, for messages.
    pub name: &'static str,
    /// The driver.
    pub driver: Driver,
    make: fn(&'static Device) -> Translations,
}

/// The device keeps accesses inside.
pub const DEVICE: Way = Way { name: "device", driver: Driver::System, make: |device| with(device, Robustness::Device) };

/// The shader keeps accesses inside.
pub const EXPLICIT: Way =
    Way { name: "explicit", driver: Driver::System, make: |device| with(device, Robustness::Explicit) };

/// The shader keeps accesses inside, and does everything that some driver asks for.
pub const EXPLICIT_EVERY_FIX: Way = Way {
    name: "explicit, every fix",
    driver: Driver::System,
    make: |device| with(device, Robustness::Explicit).with_fixes(EVERY_FIX),
};

/// The device keeps accesses inside; the words go through `spirv-opt -O`.
pub const OPTIMIZED: Way = Way {
    name: "device, after spirv-opt",
    driver: Driver::System,
    make: |device| with(device, Robustness::Device).optimized(),
};

/// The shader keeps accesses inside, which adds instructions; the words go through `spirv-opt -O`.
pub const OPTIMIZED_EXPLICIT: Way = Way {
    name: "explicit, after spirv-opt",
    driver: Driver::System,
    make: |device| with(device, Robustness::Explicit).optimized(),
};

/// SwiftShader. It has no `VK_EXT_robustness2`, so the shader has to keep accesses inside.
pub const SWIFT_SHADER: Way = Way {
    name: "SwiftShader, explicit",
    driver: Driver::SwiftShader,
    make: |device| with(device, Robustness::Explicit),
};

impl Way {
    /// A way on the system's driver.
    pub const fn new(name: &'static str, make: fn(&'static Device) -> Translations) -> Way {
        Way { name, driver: Driver::System, make }
    }

    /// Returns the translations of this way.
    pub fn translations(&self, device: &'static Device) -> Translations {
        (self.make)(device)
    }
}

/// Returns translations for a device with one kind of robustness.
pub fn with(device: &'static Device, robustness: Robustness) -> Translations {
    Translations::new(device, RobustnessByClass::all(robustness))
}

/// Runs a test in each of some ways. The validation layers have to stay silent. A way whose driver is missing is skipped as
/// [`session_on`] says, and so is one whose device lacks something ([`lacking`]).
pub fn each(ways: &[Way], test: impl Fn(&Session, &Way)) {
    for way in ways {
        let Some(session) = session_on(way.driver) else { continue };
        // Messages that an earlier test left behind are not this one's.
        session.messages();
        let ran = catch_unwind(AssertUnwindSafe(|| test(&session, way)));
        match ran {
            Ok(()) => {}
            Err(payload) => match payload.downcast::<Lacking>() {
                Ok(lacking) => println!("skipped: {}: {}", way.name, lacking.0),
                Err(payload) => resume_unwind(payload),
            },
        }
        let messages = session.messages();
        assert!(messages.is_empty(), "{}: {}", way.name, messages.join("\n"));
    }
}

/// Ends the way that runs now: the device lacks what the test needs.
struct Lacking(String);

/// What SwiftShader lacks, as errors of the translator and of the harness say it.
const SWIFT_SHADER_LACKS: &[&str] = &[
    "shaderFloat64",
    "shaderImageGatherExtended",
    "shaderStorageImageReadWithoutFormat",
    "shaderResourceMinLod",
    "null descriptors",
    "geometryShader",
    "tessellationShader",
    "dualSrcBlend",
    "transformFeedback",
    "multiViewport",
    "shaderOutputLayer",
    "exceeds device limit",
];

/// Where results on SwiftShader (chromium 156) differ from Direct3D's: what differs, and why. Tests leave these out there.
pub const SWIFT_SHADER_DIFFERS: &[(&str, &str)] = &[
    ("log", "Log2 gives finite numbers for zero and negative numbers; Vulkan asks for no special values"),
    ("frc", "Fract of an infinity is the greatest number below 1; Vulkan asks for no NaN"),
    ("sin", "Sin loses the sign of a zero"),
    ("exp", "Exp2 of a NaN is an infinity, and results are off by more units than the tests allow"),
    ("eval", "InterpolateAtCentroid gives values outside the pixel"),
    ("lod", "ImageQueryLod gives another clamped level"),
    (
        "layer",
        "a pixel shader reads the layer, which needs geometry shaders; a profile does not say that they are missing",
    ),
    ("places", "depths of positions away from the pixel's centre are off by up to 0.004; the cause is not known yet"),
    ("loads", "seven words of loads of one program differ; the cause is not known yet"),
];

/// Returns why results of a kind differ on SwiftShader, if the device is SwiftShader's.
pub fn differs(device: &Device, kind: &str) -> Option<&'static str> {
    let known = SWIFT_SHADER_DIFFERS.iter().find(|(name, _)| *name == kind && device.driver == Driver::SwiftShader);
    known.map(|(_, why)| *why)
}

/// Ends the way that runs now if results of a kind are known to differ on its device.
pub fn leave_out(device: &Device, kind: &str) {
    if let Some(why) = differs(device, kind) {
        skip(format!("{kind}: {why}"));
    }
}

/// Returns what the device lacks if that is why something failed. The list is closed, so that no other failure is taken for a
/// lack; the system's driver is expected to have everything.
pub fn lacking(device: &Device, error: &str) -> Option<&'static str> {
    let lacks = match device.driver {
        Driver::System => &[][..],
        Driver::SwiftShader => SWIFT_SHADER_LACKS,
    };
    lacks.iter().find(|lack| error.contains(**lack)).copied()
}

/// Fails a test with an error, or ends only the way that runs now if the device lacks what the test needs.
pub fn failed(device: &Device, error: &str) -> ! {
    if let Some(what) = lacking(device, error) {
        skip(format!("the device has no {what}"));
    }
    panic!("{error}")
}

/// Returns how a case of a table ended that failed with an error.
pub fn outcome(device: &Device, error: String) -> Outcome {
    match lacking(device, &error) {
        Some(what) => Outcome::Skipped(format!("the device has no {what}")),
        None => Outcome::Failed(error),
    }
}

/// Ends the way that runs now, with the reason.
pub fn skip(reason: String) -> ! {
    resume_unwind(Box::new(Lacking(reason)))
}
